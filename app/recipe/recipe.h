/*
 * A recipe: all that makes a picture. Models, motions, poses, camera, stage and
 * crowd, how they are seen, physics, sound, and commands that edit them. The
 * command line fills one, a suite many, a playlist one an entry, and a picture
 * that knows where it came from holds one; stage.h opens it.
 */
#ifndef ODORI_RECIPE_H
#define ODORI_RECIPE_H

#include "audio_options.h"
#include "scene/options.h"

/* A view, pose or physics option without its dashes ("msaa"), and its value as on the command line. */
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
    recipe_settings settings; /* of view, pose and physics, those that were given: pictures tell them */
    picture_size size;
    bool has_size;  /* which was asked for: it counts more than a project's */
    double *frames; /* rising, of which pictures are wanted; with none the first is the project's, else 0 */
    size_t frame_count;
    double start;     /* frame at which commands run, where that is not the first one's; else NaN */
    const char *exec; /* lines of commands; those that write files, load code or print are skipped */
    bool is_picture;  /* recipe_take_picture filled it in */
    mmd_arena arena;  /* of a picture's texts */
} recipe;

/* Makes an empty recipe; physics: whether it is on where nobody says. */
void recipe_init(recipe *r, bool physics);

/* Frees lists and texts: not of recipes whose lists live in an arena (those of suites, of provenance_read).
 */
void recipe_finish(recipe *r);

/* Sets the size of pictures by an option's value, "1280x720". False: error says why. */
bool recipe_set_size(recipe *r, const char *value, option_error *error);

/* Adds another's files, and its camera and stage where there are none. False: out of memory. */
bool recipe_add_files(recipe *r, const recipe *from);

/* Gives a setting a value, over an earlier one. False: no such option, or not this value (error is filled).
 */
bool recipe_set(recipe_settings *settings, const char *name, const char *value, option_error *error);

/* Tells whether a setting is one of physics, which pictures tell of apart from their view. */
bool recipe_is_physics(const char *name);

/* Lists view, pose and physics options among arguments that the command line's parser has found right. Cuts
 * "--edge=off" in two, and keeps pointers into it. */
void recipe_list_settings(int argc, char **argv, recipe_settings *settings);

/* Puts settings into a recipe's view, poses and physics. They were checked by recipe_set. */
void recipe_apply(recipe *r, const recipe_settings *settings);

/*
 * Where the only file of a recipe is a picture that knows where it came from
 * (provenance.h): puts the picture's models, motions and commands in its place,
 * its camera and stage where there are none, and its settings over what was
 * given. Does nothing where it is none. Errors of provenance_read.
 */
mmd_status recipe_take_picture(recipe *r, mmd_error *error);

#endif
