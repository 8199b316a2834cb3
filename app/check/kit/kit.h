/* odori capture-kit: what its files share. */
#ifndef ODORI_CAPTURE_KIT_H
#define ODORI_CAPTURE_KIT_H

#include "mmd/project.h"
#include "recipe/stage.h"
#include "check/suite.h"

/* The drive that projects look for models on, where no root was given: `subst` makes one of any folder. */
#define KIT_DRIVE "K:"

typedef struct kit_options {
    text_list files; /* a suite */
    text_list only;
    const char *output;
    char root[PATH_MAX]; /* a Windows folder, backslashes, none at the end */
    bool root_given, copy, render;
    mmd_log_level log_level;
} kit_options;

/* What a project cannot say, or MMD not do: bits. */
enum {
    KIT_BACKGROUND = 1 << 0,  /* neither white nor black */
    KIT_TRANSPARENT = 1 << 1, /* a background with alpha */
    KIT_SMOOTH = 1 << 2,      /* --shading smooth */
    KIT_CENTERS = 1 << 3,     /* --pixel-centers gl */
    KIT_SDEF = 1 << 4,        /* --sdef slerp */
    KIT_IK = 1 << 5,          /* other IK than MMD's */
    KIT_FRACTION = 1 << 6,    /* frames between two of MMD's, left out */
    KIT_GRID = 1 << 7,        /* not so: it is in the project, but unusual */
    KIT_PLACED = 1 << 8,      /* a model stands elsewhere, or otherwise, than MMD's models can */
    KIT_FOV = 1 << 9,         /* a field of view that is no whole number of degrees */
    KIT_DELAY = 1 << 10,      /* a model begins earlier, or by a part of a frame later */
    KIT_PARENT = 1 << 11      /* a bone hangs on another model's that cannot in MMD */
};

typedef struct kit_scene {
    const suite_scene *scene;
    char project[256]; /* "01-name.pmm" */
    uint32_t *frames;  /* rising; at least one */
    size_t frame_count;
    uint32_t notes;
    bool antialiasing;
} kit_scene;

/* A file of the suite's that was copied. */
typedef struct kit_file {
    const char *path;  /* absolute */
    const char *place; /* in the kit */
} kit_file;

typedef struct kit {
    const kit_options *options;
    suite suite;
    kit_scene *scenes;
    size_t scene_count;
    bundled dancer;      /* paths, where some scene wants her */
    char base[PATH_MAX]; /* the folder that the root stands for */
    kit_file *files;     /* copied ones, KIT_FILES_GROW at a time */
    size_t file_count;
    mmd_gpu *gpu; /* where pictures are drawn */
    mmd_view *view;
    recipe_store store;
    mmd_arena arena;
} kit;

/* --- Motions (motion.c) --- */

/*
 * Merges all that the stage's motions say of a model, as one motion, as the player
 * takes them: of several tracks of one name the last motion's. Its tracks are
 * the motions' own; the arena holds the rest. False: out of memory.
 */
bool kit_model_motion(mmd_arena *arena, const odori_scene *scene, size_t model, mmd_motion *motion);

/* Tells whether keys can be as much later: by whole frames. */
bool kit_can_delay(double delay);

/*
 * Merges camera, light and self shadow of the stage's motions, each of the last motion that has it, with a key at
 * frame 0. What was set by hand (view options, commands) is in it: it shows at the scene's frames. The stage
 * is left at some frame. False: out of memory.
 */
bool kit_stage_motion(mmd_arena *arena, recipe_stage *stage, const kit_scene *scene, mmd_motion *motion);

/* --- Projects (project.c) --- */

/* Makes the scene as a project; paths: one a model, as MMD shall find it. NULL: the problem says why. */
mmd_project *kit_project(recipe_stage *stage, kit_scene *scene, const char *const *paths, problem *why);

/* --- Files (files.c) --- */

/* Sets a Windows folder for --root. */
bool kit_set_root(kit_options *options, const char *value, option_error *error);

/* Finds what the root stands for. */
bool kit_find_base(kit *k, problem *why);

/* Returns where MMD shall find a model of the stage, in the kit's arena; copies it where that is wanted.
 * NULL: the problem says why. */
const char *kit_place_model(kit *k, const stored_model *model, problem *why);

/* Copies motions, poses and the camera, where that is wanted. */
bool kit_copy_motions(kit *k, const odori_scene *scene, problem *why);

/* Writes a file of the kit and makes its folder. */
bool kit_write(const kit *k, const char *place, const void *data, size_t size, problem *why);

/* --- Texts (text.c) --- */

/* Writes frames.txt, README.txt, and with copies, mount.cmd. */
bool kit_write_texts(const kit *k, problem *why);

#endif
