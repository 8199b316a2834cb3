/*
 * What is on the stage: files read, told apart by content, and put together.
 * Models are dancers, which motions move, accessories (.x and .vac), and at
 * most one backdrop, the model of --stage; motions move neither of these.
 */
#ifndef ODORI_SCENE_H
#define ODORI_SCENE_H

#include "mmd/actor.h"
#include "mmd/format.h"
#include "mmd/log.h"
#include "files/model_file.h"
#include "base/options.h"
#include "physics.h"

typedef struct scene_model {
    const char *path;
    const char *given;   /* as it was named: as its path, or as the bundled dancer */
    const char *project; /* that brought it and says in what order it is drawn; or NULL */
    mmd_model *model;
    texture_place textures;
    mmd_actor *actor;
    mmd_vac *vac; /* of an accessory: where it stands; or NULL */
    mmd_exchange *document; /* of a glTF or Ragdoll file, which owns the model; or NULL */
    bool is_accessory, is_backdrop;
    bool is_copy;     /* model, document and textures are those of another one before it (crowd.h) */
    bool is_mirrored; /* its motions are (mirror.h) */
    bool *put_back; /* by body, then by soft body: told of; NULL: none was */
} scene_model;

typedef struct scene_motion {
    const char *path;
    const char *given;
    mmd_motion *motion;
    bool moves_models;  /* every dancer, those to come too; or one of them, or camera and light alone */
    bool is_of_project; /* it lies in the file of one */
    int64_t target;       /* the model that it alone moves; -1: none, or every dancer */
    mmd_motion *mirrored; /* left and right swapped; NULL until somebody wants it */
} scene_motion;

/* A motion whose keys are edited (edited_motion.h). */
typedef struct edited_motion {
    size_t model;   /* that plays it; SIZE_MAX: none */
    bool is_stage;  /* camera and light of it are the stage's */
    int64_t source; /* the scene's motion that it was copied from, and stands in the place of; -1: none */
    mmd_motion *motion;
    mmd_motion *mirrored; /* left and right of it swapped, as it was when somebody last wanted it (mirror.h) */
} edited_motion;

/* What a project says of picture and physics (project_scene.h); of several the last one. */
typedef struct scene_settings {
    bool given;
    bool grid, self_shadow, ground_shadow, ground_shadow_transparent, black;
    float ground_shadow_brightness;
    double frame;
    uint32_t width, height;
    bool physics, physics_ground;
    float gravity[3]; /* units/s^2 */
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
    uint32_t put_back_told; /* sentences that told of bodies put back */
    bool is_mirrored;       /* camera and light are (mirror.h) */
    double goal;            /* frame that strides lead to; 0: none */
    double simulating_since, simulating_seen; /* seconds of a clock */
    bool simulating_told;
    bool is_chosen;         /* which of several models is meant was said: */
    size_t chosen;
    bool is_loaded;         /* what is added from here on leaves the others as they are */
    const char *opening;    /* lines of commands for what options did to models; or NULL */
    mmd_arena arena;        /* of paths and of keys */
} odori_scene;

/* What is said of one model alone (scene_own.h): of the one that a file brings, or of the scene's by its
 * number. */
typedef enum own_kind { OWN_MOTION, OWN_PLACE, OWN_DELAY, OWN_HANG } own_kind;
#define OWN_BY_FILE SIZE_MAX
typedef struct own_wish {
    own_kind kind;
    size_t file;      /* of scene_options.files */
    size_t model;     /* or OWN_BY_FILE */
    const char *path; /* of a motion or a pose; of whom it hangs on, "右ダミー" or "0:右ダミー" */
    float place[7];   /* units, degrees about X, Y and Z, times its size */
    double delay;     /* frames */
} own_wish;

typedef struct own_wishes {
    own_wish *items;
    size_t count;
} own_wishes;

/* What the command line says is on the stage. */
typedef struct scene_options {
    text_list files;   /* models and accessories; motions and poses among them are taken as such */
    text_list motions; /* motions, then poses */
    text_list poses;
    const char *camera;
    const char *stage; /* NULL: none */
    own_wishes own;
    bool is_chosen; /* --model */
    size_t chosen;
    size_t motions_after; /* how many files were named before the first of the motions, */
    bool is_paired;       /* and another one came with more of them */
    mmd_pose_options pose;
    struct {
        uint32_t actors; /* 0 and 1: none but the first */
        double delay;    /* frames from one to the next */
    } crowd;             /* crowd.h */
} scene_options;

void scene_options_init(scene_options *options);
void scene_options_finish(scene_options *options);

/* Reads everything; returns EXIT_DONE or the exit code of what it reported. Finish the scene in any case. */
int scene_load(odori_scene *s, const scene_options *options, const mmd_log *log);

/* The same for a subcommand that needs a model: files there are, but none of them is one (EXIT_INPUT). */
int scene_load_with_model(odori_scene *s, const scene_options *options, const char *subcommand,
                          const mmd_log *log);

/* The same for a subcommand that takes exactly one dancer, or one accessory alone, or says which of several is
 * meant: scene_main_model. */
int scene_load_single(odori_scene *s, const scene_options *options, const char *subcommand,
                      const mmd_log *log);

/* An empty stage; false and a message when out of memory. */
bool scene_init(odori_scene *s);
void scene_finish(odori_scene *s);

/* Puts a model and a motion on the stage, which owns both (and the textures' source) from here on, even where
 * it fails. Paths are copied. */
bool scene_add_model(odori_scene *s, const char *path, mmd_model *model, const texture_place *textures,
                     const mmd_pose_options *options);
bool scene_add_motion(odori_scene *s, const char *path, mmd_motion *motion);

/* The same of a motion that moves one of the models alone, beside camera and light. */
bool scene_add_motion_to(odori_scene *s, const char *path, mmd_motion *motion, size_t model);

/* The same of a motion of which camera and light alone count. */
bool scene_add_camera(odori_scene *s, const char *path, mmd_motion *motion);

/* Another one of a model of the scene, which shares all with it but its actor and dances what it dances. */
bool scene_add_copy(odori_scene *s, size_t of, const mmd_pose_options *options);

/* The same of an accessory with its place, which the scene owns too; vac NULL: at the origin. scene_attach
 * (accessory.h) fixes it to its bone once all models are there. */
bool scene_add_placed(odori_scene *s, const char *path, const model_file *file,
                      const mmd_pose_options *options);

/* The same of the backdrop: drawn first, not moved by motions, no shadow of it on the ground. */
bool scene_add_backdrop(odori_scene *s, const char *path, const model_file *file,
                        const mmd_pose_options *options);

/* Index of the model that was chosen, or of the first dancer, or where there is none of the first accessory, or 0. */
size_t scene_main_model(const odori_scene *s);

/* Whether there is a model or an accessory beside the backdrop. */
bool scene_has_model(const odori_scene *s);

/* Reads a file given without an option: a model, or a motion or pose where the content says so, or a project
 * with all that is in it. Returns the exit code. */
int scene_add_file(odori_scene *s, const char *path, const mmd_pose_options *options, const mmd_log *log);

/* Gives an actor the motions of the scene; false: out of memory. */
bool scene_move_actor(const odori_scene *s, mmd_actor *actor);

/* Bones, morphs or switches: something for a model. Camera, light or self shadow: something for the stage. */
bool motion_is_for_models(const mmd_motion *motion);
bool motion_is_for_stage(const mmd_motion *motion);

/* The last dancer; model_count: there is none. */
size_t scene_last_dancer(const odori_scene *s);

/* Reads a VMD, or a VPD as a motion with one frame. Anything else is MMD_ERROR_MAGIC. The second fills
 * error's file. */
mmd_status motion_read_bytes(const mmd_bytes *bytes, mmd_motion **motion, mmd_error *error);
mmd_status motion_read_file(const char *path, mmd_motion **motion, mmd_error *error);

/* A warning where the file ended too early. */
void motion_report_cut(const char *path, const mmd_motion *motion, const mmd_log *log);

#endif
