/*
 * A recipe is everything that makes a picture: models, motions, poses, camera, stage, crowd, view options,
 * physics, sound, and commands that edit them. The command line fills one recipe, a suite fills many, a
 * playlist one for each line, and a PNG written by odori holds one. stage.h opens it.
 */
#ifndef ODORI_RECIPE_H
#define ODORI_RECIPE_H

#include "audio_options.h"
#include "scene/options.h"

/* A view, pose or physics option: its name without dashes ("msaa") and its value as on the command line. */
typedef struct recipe_setting {
    const char *name, *value;
} recipe_setting;

enum { RECIPE_SETTINGS_MAX = 32 };

typedef struct recipe_settings {
    recipe_setting items[RECIPE_SETTINGS_MAX];
    size_t count;
} recipe_settings;

typedef struct recipe {
    scene_options scene;
    view_options view;
    physics_settings physics;
    audio_options sound;
    recipe_settings settings; /* view, pose and physics options that were given; pictures record them */
    picture_size size;
    bool has_size;  /* a size was given, which overrides a project's */
    double *frames; /* frames to draw, ascending; if empty, the project's frame, otherwise 0 */
    size_t frame_count;
    double start;        /* frame at which commands run; NaN for the first frame to draw */
    const char *exec;    /* command lines; only those that change what is shown are allowed */
    unsigned exec_lead;  /* how many of them nobody wrote, which messages do not count */
    const char *picture; /* path of the picture that it was read from; NULL: none */
    mmd_arena arena;     /* memory for texts of a picture */
} recipe;

/* Initialises an empty recipe. physics: whether physics is on unless an option says otherwise. */
void recipe_init(recipe *r, bool physics);

/* Frees lists and texts. Do not call it for recipes whose lists are in an arena (those of suites and of
 * provenance_read). */
void recipe_finish(recipe *r);

/* Sets the picture size from an option's value such as "1280x720". Returns false with the reason in error. */
bool recipe_set_size(recipe *r, const char *value, option_error *error);

/*
 * Adds another recipe's files, and its camera and stage, with its motions, if this one has none. Returns
 * false if out of memory.
 */
bool recipe_add_files(recipe *r, const recipe *from);

/* Sets or replaces a setting. Returns false with the reason in error for an unknown option or a bad value. */
bool recipe_set(recipe_settings *settings, const char *name, const char *value, option_error *error);

/*
 * Returns whether a file may have these settings: not if they take more memory for textures than the default
 * and `most` MiB, which the command line allows. Otherwise false with the reason in error.
 */
bool recipe_may_have(const recipe_settings *settings, uint64_t most, option_error *error);

/* Tests whether a setting belongs to physics, which pictures record apart from the view. */
bool recipe_is_physics(const char *name);

/* Collects the view, pose and physics options among arguments that the option parser has accepted. Splits
 * "--edge=off" in place and keeps pointers into the arguments. */
void recipe_list_settings(int argc, char **argv, recipe_settings *settings);

/* Applies settings to a recipe's view, poses and physics. They must have been accepted by recipe_set. */
void recipe_apply(recipe *r, const recipe_settings *settings);

/*
 * If the only file of the recipe, unless a playlist names it, is a PNG with provenance (provenance.h),
 * replaces it by the picture's models, motions and commands, takes its camera and stage if there are none,
 * and overrides settings with the picture's. Otherwise does nothing. is_own: the program wrote the file for
 * itself (provenance_search). Errors of provenance_read.
 */
mmd_status recipe_take_picture(recipe *r, bool is_own, mmd_error *error);

#endif
