/*
 * What is on the stage: models and motions, put together. Models are dancers,
 * which motions move, accessories (.x and .vac), and at most one backdrop, the
 * model of --stage; motions move neither of these. load.h reads files.
 */
#ifndef ODORI_SCENE_H
#define ODORI_SCENE_H

#include "mmd/actor.h"
#include "mmd/format.h"
#include "mmd/log.h"
#include "files/model_file.h"
#include "physics.h"

typedef struct scene_model {
    const char *path;
    const char *given;         /* as it was named: as its path, or as the bundled dancer */
    const char *project;       /* that brought it and says in what order it is drawn; or NULL */
    const char *project_given; /* as that was named */
    mmd_model *model;
    texture_place textures;
    mmd_actor *actor;
    mmd_vac *vac;           /* of an accessory: where it stands; or NULL */
    mmd_exchange *document; /* of a glTF or Ragdoll file, which owns the model; or NULL */
    bool is_accessory, is_backdrop;
    bool is_lent;     /* model, textures, vac and document are somebody else's (scene_lender) */
    bool is_copy;     /* they are those of another one before it (crowd.h) */
    bool is_mirrored; /* its motions are (mirror.h) */
    bool *reset_told; /* by body, then by soft body: that it was reset; NULL: none was */
} scene_model;

typedef struct scene_motion {
    const char *path;
    const char *given;
    mmd_motion *motion;
    bool moves_models;    /* every dancer, those to come too; or one of them, or camera and light alone */
    bool is_camera;       /* camera and light alone count, whatever else is in the file */
    bool is_of_project;   /* it lies in the file of one */
    bool is_lent;         /* the motion is somebody else's */
    int64_t target;       /* the model that it alone moves; -1: none, or every dancer */
    mmd_motion *mirrored; /* left and right swapped; NULL until somebody wants it */
} scene_motion;

/* A motion whose keys are edited (edited_motion.h). */
typedef struct edited_motion {
    size_t model;   /* that plays it; SIZE_MAX: none */
    bool is_stage;  /* camera and light of it are the stage's */
    int64_t source; /* the scene's motion that it was copied from, and stands in the place of; -1: none */
    mmd_motion *motion;
    mmd_motion
        *mirrored; /* left and right of it swapped, as it was when somebody last wanted it (mirror.h) */
} edited_motion;

/* What a project says of picture and physics (project_scene.h); of several the last one. */
typedef struct scene_settings {
    bool given;
    bool grid, self_shadow, ground_shadow, ground_shadow_transparent, black;
    float ground_shadow_brightness;
    double frame;
    uint32_t width, height;
    bool physics, physics_ground;
    float gravity[3];                    /* units/s^2 */
    const mmd_gravity_key *gravity_keys; /* NULL: it does not change */
    size_t gravity_key_count;
    const char *sound; /* that plays from frame 0 on; NULL: none, or not there */
} scene_settings;

typedef struct odori_scene {
    scene_model *models;
    size_t model_count;
    scene_motion *motions;
    size_t motion_count;
    edited_motion *edited;
    size_t edited_count;
    mmd_stage *stage;
    scene_settings settings;
    struct scene_background **backgrounds; /* of the project that settings are of (background.h) */
    uint32_t background_count;
    physics_settings physics;        /* as it was started (physics.h) */
    mmd_physics_options physics_now; /* with what was changed by hand since; kept while it is off */
    mmd_log physics_log;
    uint32_t reset_sentences;                 /* that told of bodies that were reset */
    bool is_mirrored;                         /* camera and light are (mirror.h) */
    double goal;                              /* frame that strides lead to; 0: none */
    double simulating_since, simulating_seen; /* seconds of a clock */
    bool simulating_told;
    bool is_chosen; /* which of several models is meant was said: */
    size_t chosen;
    bool is_loaded;      /* what is added from here on leaves the others as they are */
    const char *opening; /* lines of commands for what options did to models; or NULL */
    mmd_arena arena;     /* of paths and of keys */
} odori_scene;

/* Makes an empty stage. False: out of memory; finish it all the same. */
bool scene_init(odori_scene *s);
void scene_finish(odori_scene *s);

/*
 * Puts a model on the stage. Of `what` path, model, textures and vac, document
 * and project, is_backdrop and is_lent count; given NULL: as path. Texts are
 * copied, but the project's. The scene owns the parts from here on, unless they
 * are lent, even where it fails. A backdrop is drawn first, not moved by
 * motions, and has no shadow on the ground. False: out of memory.
 */
bool scene_add_model(odori_scene *s, const scene_model *what, const mmd_pose_options *options);

/* The same of a file's parts alone. */
scene_model scene_model_of(const char *path, const model_file *file);

/* Adds another one of a model of the scene, which shares all with it but its actor, and dances what every
 * model dances. The same results. */
bool scene_add_copy(odori_scene *s, size_t of, const mmd_pose_options *options);

/* Whom a motion moves, beside camera and light; else a model's number. */
enum { EVERY_MODEL = -1, NO_MODEL = -2 };

/* Adds a motion: of `what` path, given, motion, is_of_project and is_lent count, as of models. NO_MODEL:
 * camera and light of it alone count. The same results. */
bool scene_add_motion(odori_scene *s, const scene_motion *what, int64_t whom);

/* Index of the model that was chosen, or of the first dancer, or where there is none of the first accessory,
 * or 0. */
size_t scene_main_model(const odori_scene *s);

/* How many dancers, or accessories, there are without backdrop and copies; first: the first one, if any. */
size_t scene_count_models(const odori_scene *s, bool accessories, size_t *first);

/* Whether there is a model or an accessory beside the backdrop. */
bool scene_has_model(const odori_scene *s);

/* The last dancer; model_count: there is none. */
size_t scene_last_dancer(const odori_scene *s);

/* Bones, morphs or switches: something for a model. Camera, light or self shadow: something for the stage. */
bool motion_is_for_models(const mmd_motion *motion);
bool motion_is_for_stage(const mmd_motion *motion);

/* Reads a VMD, or a VPD as a motion with one frame. Anything else is MMD_ERROR_MAGIC. The second fills
 * error's file. */
mmd_status motion_read_bytes(const mmd_bytes *bytes, mmd_motion **motion, mmd_error *error);
mmd_status motion_read_file(const char *path, mmd_motion **motion, mmd_error *error);

/* Warns where the file ended too early. */
void motion_report_cut(const char *path, const mmd_motion *motion, const mmd_log *log);

#endif
