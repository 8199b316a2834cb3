/* Types and functions that the files of odori capture-kit share. */
#ifndef ODORI_CAPTURE_KIT_H
#define ODORI_CAPTURE_KIT_H

#include "mmd/project.h"
#include "recipe/stage.h"
#include "check/suite.h"

/* The drive of the models in projects when --root is not given. The Windows command `subst` makes a drive of any
 * folder. */
#define KIT_DRIVE "K:"

typedef struct kit_options {
    text_list files; /* a suite */
    text_list only;
    text_list suite_roots; /* folders that the suite may name files in, too */
    size_t max_models;     /* that a scene may have; 0: SCENE_MODELS_MOST */
    const char *output;
    char root[MMD_FILE_PATH_MAX]; /* a Windows folder with backslashes, without one at the end */
    bool root_given, copy, render;
    common_options common; /* of which the subcommand has --log, --sandbox and --gpu */
} kit_options;

/* Properties of a scene that a project cannot store or MMD does not support, as bits of kit_scene.notes. */
enum {
    KIT_BACKGROUND = 1 << 0,  /* a background that is neither white nor black */
    KIT_TRANSPARENT = 1 << 1, /* a background with alpha */
    KIT_SMOOTH = 1 << 2,      /* --shading smooth */
    KIT_CENTERS = 1 << 3,     /* --pixel-centers gl */
    KIT_SDEF = 1 << 4,        /* --sdef slerp */
    KIT_FRACTION = 1 << 6,    /* frames that are not whole numbers, which are left out */
    KIT_GRID = 1 << 7,        /* the grid is shown: stored in the project, but unusual */
    KIT_PLACED = 1 << 8,      /* a placement or staging of a model that MMD does not support */
    KIT_FOV = 1 << 9,         /* a field of view that is not a whole number of degrees */
    KIT_DELAY = 1 << 10,      /* a delay that is negative or not a whole number of frames */
    KIT_PARENT = 1 << 11,     /* an outside parent of a bone that cannot have one in MMD */
    KIT_PMX = 1 << 12         /* a PMX model that MMD refuses: not of version 2.0, or in UTF-8 */
};

typedef struct kit_scene {
    const suite_scene *scene;
    char project[256]; /* "01-name.pmm" */
    uint32_t *frames;  /* ascending, at least one */
    size_t frame_count;
    uint32_t notes;
    bool antialiasing;
} kit_scene;

/* A file of the suite that was copied to the kit. */
typedef struct kit_file {
    const char *path;   /* absolute, of the original */
    const char *target; /* relative to the kit */
} kit_file;

typedef struct kit {
    const kit_options *options;
    suite suite;
    kit_scene *scenes;
    size_t scene_count;
    bundled dancer; /* paths of the bundled dancer, when a scene uses it */
    char base[MMD_FILE_PATH_MAX]; /* the folder on this machine that corresponds to the root; "": the root of
                                     the file system */
    kit_file *files;    /* copied files; the list grows by KIT_FILES_GROW */
    size_t file_count;
    mmd_gpu *gpu; /* draws the pictures of --render */
    mmd_view *view;
    recipe_store store;
    mmd_arena arena;
} kit;

/* --- Motions (motion.c) --- */

/*
 * Merges the motions of a model to one, by the rules of the player: of several tracks of a name, that of the last
 * motion applies. The tracks still belong to the original motions. Everything else is in the arena. False: out of
 * memory.
 */
bool kit_model_motion(mmd_arena *arena, const odori_scene *scene, size_t model, mmd_motion *motion);

/* Returns whether keyframes can be delayed by this: a whole number of frames, not negative. */
bool kit_can_delay(double delay);

/*
 * Merges camera, light and self shadow of the motions, each from the last motion that has it, with a keyframe at
 * frame 0. Values that view options and commands set are included as far as they have an effect at the frames of the
 * scene. Changes the current frame of the stage. False: out of memory.
 */
bool kit_stage_motion(mmd_arena *arena, recipe_stage *stage, const kit_scene *scene, mmd_motion *motion);

/* --- Projects (project.c) --- */

/* Builds a project of a scene. paths: the Windows path of each model. NULL: the problem is filled. */
mmd_project *kit_project(recipe_stage *stage, kit_scene *scene, const char *const *paths, problem *why);

/* --- Files (files.c) --- */

/* Sets the Windows folder of --root. */
bool kit_set_root(kit_options *options, const char *value, option_error *error);

/* Finds the folder that corresponds to the root (kit.base). */
bool kit_find_base(kit *k, problem *why);

/* Returns the Windows path of a model of the stage, in the arena of the kit, and copies the model with --copy.
 * NULL: the problem is filled. */
const char *kit_place_model(kit *k, const stored_model *model, problem *why);

/* Copies motions, poses and the camera with --copy. */
bool kit_copy_motions(kit *k, const odori_scene *scene, problem *why);

/* Writes a file of the kit, at a path relative to it, and creates its folder. */
bool kit_write(const kit *k, const char *target, const void *data, size_t size, problem *why);

/* --- Texts (text.c) --- */

/* Writes frames.txt, README.txt and, with --copy, mount.cmd. */
bool kit_write_texts(const kit *k, problem *why);

#endif
