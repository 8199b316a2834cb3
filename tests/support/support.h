/* What tests share: finding the data that may not be there, reading files, comparing numbers. */
#ifndef ODORI_TEST_SUPPORT_H
#define ODORI_TEST_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mmd/memory.h"
#include "mmd/source.h"

/* Whether ../shared is there. */
bool shared_exists(void);

/* Skips the running cmocka test, and says so, where ../shared is missing. */
#define REQUIRE_SHARED()                                                                                     \
    do {                                                                                                     \
        if (!shared_exists()) {                                                                              \
            print_message("skipped: no %s\n", ODORI_SHARED);                                                 \
            skip();                                                                                          \
        }                                                                                                    \
    } while (0)

/* "<shared>/<name>" in text of capacity bytes; returns text. */
const char *shared_path(const char *name, char *text, size_t capacity);

/* Reads a file below ../shared whole; fails the test if it cannot. */
mmd_bytes shared_read(const char *name);

/*
 * Calls visit for every file below ../shared/data whose name ends in ending
 * (".pmx"), in byte order of their paths relative to ../shared. Returns their number.
 */
size_t shared_each(const char *ending, void (*visit)(const char *name, void *user), void *user);

/* Pseudorandom numbers that are the same everywhere (splitmix64). */
uint64_t test_random(uint64_t *state);

#endif
