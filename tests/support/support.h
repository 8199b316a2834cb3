/* Shared test helpers: finding the optional shared data, reading files, comparing numbers. */
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

/* Returns whether ../shared exists. */
bool shared_exists(void);

/*
 * Skip tests that cannot run and report why. test_skip ends the running test, test_skip_part continues with
 * the rest of it. The other tests of the program run as usual, but the program then exits with 77, which
 * ctest's summary reports as skipped. tests/run.sh lists what was skipped by the lines "skipped: WHY".
 */
#define test_skip(...) (test_skip_part(__VA_ARGS__), _skip(__FILE__, __LINE__))
void test_skip_part(const char *why, ...) __attribute__((format(__printf__, 1, 2)));

/* Redefines cmocka's skip, so that a test skipped without a reason gives the same exit code. */
#undef skip
#define skip() test_skip("no reason given, %s line %d", __FILE__, __LINE__)
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown)                                                       \
    cmocka_run_group_tests_name(#tests, tests, setup, teardown)
#undef cmocka_run_group_tests_name
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                            \
    test_exit_code(_cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown))

/*
 * Returns the exit code of the program for a number of failed tests: 77 if none failed and some were skipped.
 */
int test_exit_code(int failed);

/* Skips the running test if ../shared is missing. */
#define REQUIRE_SHARED()                                                                                     \
    do {                                                                                                     \
        if (!shared_exists())                                                                                \
            test_skip("no %s", ODORI_SHARED);                                                                \
    } while (0)

/* Writes "<shared>/<name>" to text, which has capacity bytes. Returns text. */
const char *shared_path(const char *name, char *text, size_t capacity);

/* Reads a whole file below ../shared. Fails the test if it cannot. */
mmd_bytes shared_read(const char *name);

/* Calls visit for every file below ../shared/data whose name ends in ending (".pmx"), in byte order of their
 * paths relative to ../shared. Returns their number. */
size_t shared_each(const char *ending, void (*visit)(const char *name, void *user), void *user);

/* Returns pseudorandom numbers that are the same on every machine (splitmix64). */
uint64_t test_random(uint64_t *state);

#endif
