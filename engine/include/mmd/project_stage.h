/* Puts MMD's projects on a stage: models and accessories with their keyframes and draw settings, outside
 * parents, camera, light and self shadow. */
#ifndef MMD_PROJECT_STAGE_H
#define MMD_PROJECT_STAGE_H

#include "mmd/assemble.h"
#include "mmd/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Instead of the index of an actor: the stage's camera, light and self shadow. */
#define MMD_PROJECT_STAGE SIZE_MAX

/*
 * The functions of the caller, who owns what is on the stage. Both own what they receive, also if they fail,
 * which they do only when out of memory.
 */
typedef struct mmd_project_owner {
    void *user;
    /* Adds the model of a file to the stage. *index receives the index of its actor. */
    mmd_status (*add_model)(void *user, const char *path, mmd_model_file *file, size_t *index,
                            mmd_error *error);
    /* Adds a motion to an actor, or to the stage (MMD_PROJECT_STAGE). */
    mmd_status (*add_motion)(void *user, mmd_motion *motion, size_t index, mmd_error *error);
} mmd_project_owner;

/*
 * Puts a project, which was read from path, on a stage. Models keep their order; accessories follow in
 * drawing order. Files that are missing (mmd_project_find) or damaged, and whatever is drawn otherwise than
 * by MMD, cause warnings in log. A project of version 0001 receives the names of bones from the models.
 * Keyframes of accessories lie in the arena, which must outlive the stage. Fails with MMD_ERROR_VALUE if no
 * model or accessory was there, and leaves the stage as it was; and with MMD_ERROR_MEMORY, after which the
 * stage can only be destroyed.
 */
mmd_status mmd_project_put_on_stage(mmd_project *project, const char *path, mmd_project_folders *folders,
                                    mmd_stage *stage, const mmd_project_owner *owner, mmd_arena *arena,
                                    const mmd_log *log, mmd_error *error);

/* What a project says of view, time and physics. */
typedef struct mmd_project_settings {
    bool grid, self_shadow, ground_shadow, ground_shadow_transparent, black;
    float ground_shadow_brightness;
    double frame;
    uint32_t width, height; /* pixels, 1 to 16384 */
    bool physics, physics_ground;
    float gravity[3];                    /* units/s^2 */
    const mmd_gravity_key *gravity_keys; /* NULL if gravity is constant */
    size_t gravity_key_count;
} mmd_project_settings;

/* Reads the settings of a project. Gravity keys lie in the arena. Returns false when out of memory. */
bool mmd_project_get_settings(const mmd_project *project, mmd_arena *arena, mmd_project_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
