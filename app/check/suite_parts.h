/* Between the two halves of reading a suite: what the file says, and the scenes that come of it. */
#ifndef ODORI_SUITE_PARTS_H
#define ODORI_SUITE_PARTS_H

#include <jansson.h>

#include "json_where.h"
#include "suite.h"

enum { SUITE_DEPTH = 8, SUITE_ERROR = 1024, SUITE_SCENES_MAX = 50000 };

/* Reading with a memory of where it is; the first failure is kept and reported. */
typedef struct suite_reader {
    suite *suite;
    const char *text;
    size_t size;
    json_step steps[SUITE_DEPTH];
    size_t depth;
    bool failed;
} suite_reader;

/* Reports what is wrong at the reader's place; returns false. */
bool suite_fail(suite_reader *r, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Paths or patterns as written. each: every match makes a scene of its own. */
typedef struct suite_files {
    const char **items;
    size_t count;
    bool each;
} suite_files;

/* A motion of one model alone: the first one on the stage is 0. */
typedef struct suite_own {
    const char *motion;
    size_t model;
} suite_own;

/* A scene as written. plan has all that needs no looking for files. */
typedef struct suite_scene {
    suite_files models, motions, poses;
    const suite_own *own; /* motions of one model each */
    size_t own_count;
    const char *camera, *stage;
    plan plan;
} suite_scene;

/* Adds the plans of a scene. */
bool suite_expand(suite_reader *r, const suite_scene *scene);

/* The file that a path in the suite means; given is kept. False: no memory, reported. */
bool suite_input(suite_reader *r, const char *given, plan_input *input);

#endif
