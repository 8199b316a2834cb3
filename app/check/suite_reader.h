/* What the files that read a suite share: the state of reading, errors with their place, and files that the
 * suite names. */
#ifndef ODORI_SUITE_READER_H
#define ODORI_SUITE_READER_H

#include <jansson.h>

#include "json_where.h"
#include "suite.h"

enum { SUITE_DEPTH = 8 };

/* The state of reading: the file, and the path to the current value for error messages. */
typedef struct suite_reader {
    suite *suite;
    const char *text;
    size_t size;
    json_step steps[SUITE_DEPTH];
    size_t depth;
    size_t max_models;       /* that a scene may have */
    uint64_t texture_memory; /* MiB that a scene may ask for */
    size_t compared;         /* names that patterns were compared with */
    json_t *folders;         /* object with the folder of each scene as a key */
    problem *why;            /* receives the first failure */
} suite_reader;

/* Fills the problem with an error at the current value. Returns false. */
bool suite_fail(suite_reader *r, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;

/* Does the same when memory is exhausted. */
bool suite_no_memory(suite_reader *r);

/* --- Files: suite_files.c --- */

/* Paths or patterns as given in the suite. each: every match becomes a separate scene. */
typedef struct suite_files {
    const char **items;
    size_t count;
    bool each;
} suite_files;

/* Resolves a path of the suite, which has to lead to where the suite may read and write. given is stored, not
 * copied. */
bool suite_input(suite_reader *r, const char *given, scene_input *input);

/* Resolves paths and patterns of the suite to files. */
bool suite_find_files(suite_reader *r, const suite_files *files, scene_inputs *inputs);

/* Returns the number of inputs for which a list of so many has space: a power of two. */
size_t suite_room_of(size_t count);

/* --- Scenes as given: suite_expand.c --- */

/* A motion of only one model. The first model is 0. */
typedef struct suite_own {
    const char *motion;
    size_t model;
} suite_own;

/* A camera as given in the suite: files, or a camera that stands still. */
typedef struct suite_camera {
    const char *files;          /* a path or a pattern; NULL: it stands still */
    const char *name;           /* of one that stands still */
    double target[3], angle[3]; /* units; degrees, signs as in motions */
    double distance, fov;       /* in front of the target; degrees */
    bool orthographic;
} suite_camera;

/* each: every camera makes a scene. Otherwise there is one, whose path is no pattern. */
typedef struct suite_cameras {
    const suite_camera *items;
    size_t count;
    bool each;
} suite_cameras;

/* A scene as given in the suite. scene holds everything that does not depend on looking for files. */
typedef struct written_scene {
    suite_files models, motions, poses;
    const suite_own *own; /* motions of only one model each */
    size_t own_count;
    suite_files stage_motions; /* motions of the stage */
    suite_cameras cameras;
    const char *stage;
    suite_scene scene;
} written_scene;

/* Adds the scenes that a scene expands to: one for each combination of the files that vary. */
bool suite_expand(suite_reader *r, const written_scene *from);

#endif
