/*
 * A suite: the scenes that `odori check` draws. It is read from a JSON file (see suite.schema.json), in which
 * a scene with glob patterns expands to many scenes.
 */
#ifndef ODORI_SUITE_H
#define ODORI_SUITE_H

#include "base/message.h"
#include "base/paths.h"
#include "mmd/memory.h"
#include "files/hashes.h"
#include "mmd/compare.h"
#include "mmd/source.h"
#include "recipe/recipe.h"

/* Limits of the difference between two pictures. Without any limit the pictures have to be equal. */
typedef struct tolerance {
    mmd_limits limits;
    double threshold; /* levels: share is that of pixels that differ by more */
} tolerance;

/* Returns a tolerance without limits. */
tolerance tolerance_none(void);

/* How a picture is compared with a baseline that another driver drew. */
typedef struct other_driver {
    tolerance tolerance; /* flip limits the whole picture, all others what is not near edges */
    uint32_t edges; /* pixels nearer than this to an edge of a model, a material or a shadow are near one */
    bool off;       /* such baselines are not taken */
} other_driver;

other_driver other_driver_default(void);

typedef enum suite_mask_kind { SUITE_MASK_RECTANGLE, SUITE_MASK_PICTURE, SUITE_MASK_EDGES } suite_mask_kind;

/* Pixels that are ignored, or with keep the only ones that are compared. */
typedef struct suite_mask {
    suite_mask_kind kind;
    bool keep;
    int32_t rectangle[4]; /* x, y, width, height */
    scene_input picture;
    uint32_t edges; /* distance from an edge of a model or material, in pixels */
} suite_mask;

typedef struct suite_masks {
    suite_mask *items;
    size_t count;
} suite_masks;

/* A scene: what is drawn and how it is compared. Its memory belongs to the arena of the suite. */
typedef struct suite_scene {
    const char *name;
    const char *folder; /* the name in a form that is valid for a folder */
    recipe recipe;
    tolerance tolerance;
    other_driver other_driver;
    suite_masks masks;
} suite_scene;

/* Returns whether a scene is wanted: `only` is empty, or contains the name or a pattern that matches it. */
bool suite_is_wanted(const text_list *only, const char *name);

/* Writes the name of the picture of a frame: "30", "15.5". */
void suite_frame_name(double frame, char *name, size_t capacity);

/* Writes the name of a file that belongs to a frame in the folder of a report: "pictures/dance/30.png". */
void suite_picture_name(const suite_scene *scene, double frame, const char *ending,
                        char name[MMD_FILE_PATH_MAX]);

typedef struct suite {
    const char *path;
    path_scope scope;      /* folders that all files of the suite have to be in */
    char folder[MMD_FILE_PATH_MAX]; /* of the suite file; paths in the suite are relative to it */
    const char *baselines; /* path of a folder */
    digest content;        /* digest of the file and of options that override it */
    bool strict;           /* warnings count as failures */
    suite_scene *scenes;
    size_t count;
    mmd_arena arena;
} suite;

/* Writes the path of a file that belongs to a baseline: "<baselines>/<driver>/dance/30.png". */
void suite_baseline_path(const suite *s, const char *driver, const suite_scene *scene, double frame,
                         const char *ending, char path[MMD_FILE_PATH_MAX]);

/* A suite to read. */
typedef struct suite_opening {
    const char *path;        /* must outlive the suite */
    const text_list *roots;  /* folders that it may name files in, besides its repository */
    const char *option;      /* option that adds one, for messages: "--root" */
    const char *baselines;   /* folder of the baselines; NULL: the one that the suite names */
    size_t max_models;       /* that a scene may have; 0: SCENE_MODELS_MOST */
    uint64_t texture_memory; /* MiB that a scene may ask for; less than the default: the default */
} suite_opening;

/*
 * Reads a suite. It may come from anybody, so all files that it names have to be, links resolved, below the
 * nearest folder with .git above it, else below its own folder, or below one of the roots. Neither the root
 * of the file system nor the home folder counts as such a repository. The suite must not be moved afterwards.
 * False: the problem names the line, the column and the field. suite_finish has to be called in any case.
 */
bool suite_read(suite *s, const suite_opening *how, problem *why);
void suite_finish(suite *s);

#endif
