#include "damage.h"
#include "support.h"

/* Large files get fewer cases, since copying them takes longer and they mostly repeat the same records. */
enum { LARGE_FILE = 65536, SEEDED_CASES = 2000, CASES_OF_LARGE_FILES = 300 };

static uint8_t *exact_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    if (size)
        memcpy(copy, data, size);
    return copy;
}

/* Visits every truncation of a file, and every byte set to each of five values. */
static size_t every_byte(const uint8_t *data, size_t size, damage_visit *visit, void *user)
{
    static const uint8_t values[] = {0, 1, 127, 128, 255};
    for (size_t length = 0; length < size; length++) {
        uint8_t *cut = exact_copy(data, length);
        visit(cut, length, user);
        free(cut);
    }
    uint8_t *copy = exact_copy(data, size);
    for (size_t at = 0; at < size; at++) {
        for (size_t k = 0; k < sizeof values; k++) {
            copy[at] = values[k];
            visit(copy, size, user);
        }
        copy[at] = data[at];
    }
    free(copy);
    return size + size * sizeof values;
}

/* Overwrites one to four positions with a random byte or with a 32-bit number that is invalid as a count or a
 * float. */
static void damage(uint8_t *copy, size_t size, uint64_t *seed)
{
    static const uint32_t numbers[] = {0,          1,          127,        255,        65535,
                                       0x7f800000, 0x7fc00000, 0x7fffffff, 0x80000000, UINT32_MAX};
    for (uint64_t i = 1 + test_random(seed) % 4; i > 0; i--) {
        /* Half of the positions are among the first bytes, where the counts are. */
        size_t range = test_random(seed) % 2 && size > 256 ? 256 : size;
        size_t at = (size_t)(test_random(seed) % range);
        if (test_random(seed) % 2 && at + 4 <= size)
            memcpy(copy + at, &numbers[test_random(seed) % (sizeof numbers / sizeof *numbers)], 4);
        else
            copy[at] = (uint8_t)test_random(seed);
    }
}

/* Visits random damages with a fixed seed. Every fourth copy is truncated, the others are changed. */
static size_t seeded(const uint8_t *data, size_t size, damage_visit *visit, void *user)
{
    uint64_t seed = size;
    int cases = size <= LARGE_FILE ? SEEDED_CASES : CASES_OF_LARGE_FILES;
    for (int i = 0; i < cases; i++) {
        size_t length = i % 4 == 0 ? (size_t)(test_random(&seed) % size) : size;
        uint8_t *copy = exact_copy(data, length);
        if (i % 4)
            damage(copy, length, &seed);
        visit(copy, length, user);
        free(copy);
    }
    return (size_t)cases;
}

size_t damage_each(const uint8_t *data, size_t size, damage_visit *visit, void *user)
{
    return size <= DAMAGE_SMALL_FILE ? every_byte(data, size, visit, user) : seeded(data, size, visit, user);
}
