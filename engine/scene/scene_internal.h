/* The parts of a scene. */
#ifndef MMD_SCENE_INTERNAL_H
#define MMD_SCENE_INTERNAL_H

#include "mmd/assemble.h"
#include "mmd/mmd.h"
#include "mmd/project_stage.h"

/* A model or accessory. */
typedef struct scene_member {
    const mmd_model *model;
    mmd_model_file file;  /* what was read; zeroed for a model of the caller */
    mmd_source *textures; /* the caller's, or that of the file; NULL: none */
    const char *folder;   /* in textures */
    const char *path;     /* as it was opened, or "" */
    mmd_actor *actor;
    bool is_accessory, is_backdrop, is_of_project;
} scene_member;

/* What brings a model to the stage. */
typedef enum scene_role { ROLE_MODEL, ROLE_BACKDROP, ROLE_OF_PROJECT } scene_role;

/* A motion. */
typedef struct scene_motion {
    const mmd_motion *motion;
    mmd_motion *own;   /* to be destroyed; NULL: it is the caller's */
    bool moves_models; /* false: only its camera and light are used */
    size_t model;      /* that it moves: index, or MMD_ALL_DANCERS */
} scene_motion;

struct mmd_scene {
    mmd_log log;
    scene_member *models;
    size_t model_count, model_room;
    scene_motion *motions;
    size_t motion_count, motion_room;
    mmd_stage *stage;
    mmd_arena arena; /* paths */

    mmd_physics_options physics;
    bool physics_on, physics_given;
    mmd_project_settings project; /* of the project that was opened last */
    bool has_project;
    bool stale_physics; /* the stage does not have these options, or has other actors since */
    bool stale;         /* something was changed since the frame was set */
    double frame;

    mmd_gpu *gpu;
    bool has_context; /* it is that of the caller's context */
    mmd_view *view;
    size_t uploaded; /* number of models in the view */
    mmd_texture_memory texture_memory;
};

/* Makes room for one more item in a list. Returns false if out of memory. */
bool scene_make_room(void **items, size_t count, size_t *room, size_t size);

/* Returns whether the motions of all dancers move a model. */
bool scene_is_dancer(const scene_member *m);

/* Adds a model file that was read, and which the scene owns from now on, also if this fails. */
mmd_status scene_add_file(mmd_scene *scene, const char *path, mmd_model_file *file, scene_role role,
                          size_t *index, mmd_error *error);

/* Adds a motion, which the scene owns from now on, also if this fails, if it has an owner there. */
mmd_status scene_add_motion(mmd_scene *scene, const scene_motion *m, mmd_error *error);

/* Opens a project, whose file has these bytes. */
mmd_status scene_open_project(mmd_scene *scene, const char *path, const mmd_bytes *bytes, mmd_error *error);

/* Sets the frame again if anything has changed since. */
mmd_status scene_settle(mmd_scene *scene, mmd_error *error);

/* Frees what drawing made. */
void scene_finish_drawing(mmd_scene *scene);

/* Sets the default camera of a scene of only interchange files. */
void scene_frame_exchange(mmd_scene *scene);

#endif
