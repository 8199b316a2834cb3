/*
 * A suite: the scenes that `odori check` draws, read from a JSON file
 * (suite.schema.json says what is in it) and multiplied by its globs.
 */
#ifndef ODORI_SUITE_H
#define ODORI_SUITE_H

#include <limits.h>

#include "base/message.h"
#include "mmd/memory.h"
#include "files/hashes.h"
#include "mmd/compare.h"
#include "recipe/recipe.h"

/* Limits of a difference. With none at all the pictures have to be equal. */
typedef struct tolerance {
    mmd_limits limits;
    double threshold; /* levels that a pixel of its share differs by more than */
} tolerance;

tolerance tolerance_none(void);

typedef enum suite_mask_kind { SUITE_MASK_RECTANGLE, SUITE_MASK_PICTURE, SUITE_MASK_EDGES } suite_mask_kind;

/* Pixels that do not count; with keep, all others. */
typedef struct suite_mask {
    suite_mask_kind kind;
    bool keep;
    int32_t rectangle[4]; /* x, y, width, height */
    scene_input picture;
    uint32_t edges; /* pixels from a geometric edge */
} suite_mask;

typedef struct suite_masks {
    suite_mask *items;
    size_t count;
} suite_masks;

/* A scene: what is drawn, and how it is judged. All of it lives in the suite's arena. */
typedef struct suite_scene {
    const char *name;
    const char *folder; /* the name as a folder's */
    recipe recipe;
    tolerance tolerance;
    suite_masks masks;
} suite_scene;

/* Whether a scene of this name is wanted: `only` has the name or a pattern of it, or nothing at all. */
bool suite_is_wanted(const text_list *only, const char *name);

/* Writes "30", "15.5": a frame as pictures are named. */
void suite_frame_name(double frame, char *name, size_t capacity);

typedef struct suite {
    const char *path;
    char folder[PATH_MAX]; /* the suite file's; what its paths are relative to */
    const char *baselines; /* a folder */
    digest content;        /* of the file */
    bool strict;           /* warnings are failures */
    suite_scene *scenes;
    size_t count;
    mmd_arena arena;
} suite;

/* Reads a suite. The problem says line, column and the field's path. Finish it in any case. path must outlive
 * it. */
bool suite_read(suite *s, const char *path, problem *why);
void suite_finish(suite *s);

#endif
