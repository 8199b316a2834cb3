/*
 * A suite: the scenes that `odori check` draws, read from a JSON file
 * (suite.schema.json says what is in it) and multiplied by its globs.
 */
#ifndef ODORI_SUITE_H
#define ODORI_SUITE_H

#include <limits.h>

#include "base/message.h"
#include "mmd/memory.h"
#include "recipe/plan.h"

typedef struct suite {
    const char *path;
    char folder[PATH_MAX]; /* the suite file's; what its paths are relative to */
    const char *baselines; /* a folder */
    digest content;        /* of the file */
    bool strict;           /* warnings are failures */
    plan *plans;
    size_t count;
    mmd_arena arena;
} suite;

/* Reads a suite. The problem says line, column and the field's path. Finish it in any case. path must outlive
 * it. */
bool suite_read(suite *s, const char *path, problem *why);
void suite_finish(suite *s);

#endif
