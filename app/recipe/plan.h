/*
 * A plan: all that says which pictures to draw and how to judge them. A suite
 * holds many; a picture that knows where it came from holds one.
 *
 * Everything in a plan lives in an arena of whoever made it.
 */
#ifndef ODORI_PLAN_H
#define ODORI_PLAN_H

#include "files/hashes.h"
#include "mmd/compare.h"
#include "scene/options.h"

/* A file: as it was written down, and where it is from here. */
typedef struct plan_input {
    const char *given, *path; /* given NULL: none */
    digest expected;          /* what its hash was, or "" */
    size_t owner; /* of a motion: the number of the model that it alone moves, plus 1; 0: every one */
} plan_input;

typedef struct plan_inputs {
    plan_input *items;
    size_t count;
} plan_inputs;

/* A view, pose or physics option without its dashes ("msaa"), and its value as on the command line. */
typedef struct plan_setting {
    const char *name, *value;
} plan_setting;

enum { PLAN_SETTINGS_MAX = 32 };

typedef struct plan_settings {
    plan_setting items[PLAN_SETTINGS_MAX];
    size_t count;
} plan_settings;

/* Limits of a difference. With none at all the pictures have to be equal. */
typedef struct tolerance {
    mmd_limits limits;
    double threshold; /* levels that a pixel of its share differs by more than */
} tolerance;

typedef enum plan_mask_kind { PLAN_MASK_RECTANGLE, PLAN_MASK_PICTURE, PLAN_MASK_EDGES } plan_mask_kind;

/* Pixels that do not count; with keep, all others. */
typedef struct plan_mask {
    plan_mask_kind kind;
    bool keep;
    int32_t rectangle[4]; /* x, y, width, height */
    plan_input picture;
    uint32_t edges; /* pixels from a geometric edge */
} plan_mask;

typedef struct plan_masks {
    plan_mask *items;
    size_t count;
} plan_masks;

typedef struct plan {
    const char *name;
    const char *folder; /* the name as a folder's */
    plan_inputs models, motions, poses;
    plan_input camera;
    plan_input stage; /* given NULL: none */
    double *frames;
    size_t frame_count;
    double start; /* frame at which exec runs, where that is not the picture's; else NaN */
    picture_size size;
    plan_settings settings;
    const char *exec; /* lines for the command table, or "" */
    tolerance tolerance;
    plan_masks masks;
} plan;

tolerance tolerance_none(void);

/* Gives a setting a value, over an earlier one. False: no such option, or not this value (error is filled).
 */
bool plan_set(plan_settings *settings, const char *name, const char *value, option_error *error);

/* Whether a scene of this name is wanted: `only` has the name or a pattern of it, or nothing at all. */
bool plan_is_wanted(const text_list *only, const char *name);

/* Whether a setting is one of physics, which pictures tell of apart from their view. */
bool plan_is_physics(const char *name);

/* View, pose and physics options among arguments that the command line's parser has found right. Cuts
 * "--edge=off" in two, and keeps pointers into it. */
void plan_settings_given(int argc, char **argv, plan_settings *settings);

/* Puts the settings into the options that subcommands parse theirs into. They were checked by plan_set. */
void plan_apply(const plan_settings *settings, view_options *view, scene_options *scene,
                physics_settings *physics);

/* Whether a file is meant by the bundled dancer's name. */
bool plan_is_dancer(const plan_input *input);

/* A name as one part of a path on any system: what cannot be in one is `_`; long ones end in a hash. */
void plan_folder_name(const char *name, char *folder, size_t capacity);

/* "30", "15.5": a frame as pictures are named. */
void plan_frame_name(double frame, char *name, size_t capacity);

#endif
