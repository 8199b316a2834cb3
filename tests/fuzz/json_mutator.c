/*
 * Mutates JSON value by value: a random walk from the root finds a value, and one of a few changes is applied
 * to it or next to it. Numbers become edge cases: limits of types, negative ones, indices at the border of
 * validity.
 */
#include "json_mutator.h"

#include <jansson.h>
#include <string.h>

#include "fuzz.h"

enum { REPEAT_MAX = 64, CHANGES_MAX = 4 };

/* A value and its location: the parent, and the key in an object or else the index in an array. */
typedef struct place {
    json_t *parent, *value;
    const char *key;
    size_t index;
} place;

static const double reals[] = {0,    -0.0, -1,    0.5,    1e308, -1e308, 3.4e38, -3.4e38, 1e39, 1e20, -1e20,
                               1e10, 1e6,  1e-40, 1e-300, 255.5, 1e-7,   3.2e37, 1e19,    1e12, 1e-3, 1000};

static const json_int_t integers[] = {
    0,   1,    2,    3,    4,    5,    6,     7,     8,          -1,         -2,         127,       255,
    256, 5120, 5121, 5122, 5123, 5125, 5126,  65535, 65536,      100000,     16777216,   252,       1000000,
    36,  12,   24,   48,   64,   4096, 32767, 32768, 2147483647, 2147483648, 4294967295, 4294967296};

/* Words with a meaning in the formats. The keys come from the corpora and the dictionaries. */
static const char *const words[] = {"SCALAR",       "VEC2",
                                    "VEC3",         "VEC4",
                                    "MAT4",         "translation",
                                    "rotation",     "scale",
                                    "weights",      "STEP",
                                    "LINEAR",       "BLEND",
                                    "sphere",       "box",
                                    "capsule",      "cylinder",
                                    "convex",       "trimesh",
                                    "plane",        "static",
                                    "line",         "dynamic",
                                    "angular",      "linear",
                                    "force",        "directional",
                                    "point",        "disc",
                                    "torus",        "",
                                    "kinematic",    "shaped",
                                    "Sphere",       "Capsule",
                                    "ConvexHull",   "Plane",
                                    "Box",          "NaN",
                                    "\n",           "Cylinder",
                                    "CUBICSPLINE",  "maximum",
                                    "acceleration", "data:;base64,AAAAAAAA"};

/* Memory for values while a document is mutated, which takes malloc several times as long. */
static struct {
    _Alignas(16) uint8_t bytes[1 << 20];
    size_t used;
} pool;

static void *pool_take(size_t size)
{
    size_t rounded = (size + 15) / 16 * 16;
    if (rounded > sizeof pool.bytes - pool.used)
        return malloc(size);
    pool.used += rounded;
    return pool.bytes + pool.used - rounded;
}

static void pool_drop(void *memory)
{
    uintptr_t at = (uintptr_t)memory, begin = (uintptr_t)pool.bytes;
    if (at < begin || at - begin >= sizeof pool.bytes)
        free(memory);
}

static void pool_begin(void)
{
    pool.used = 0;
    json_set_alloc_funcs(pool_take, pool_drop);
}

static void pool_end(void)
{
    json_set_alloc_funcs(malloc, free);
}

/* Draws a random number below count, by xorshift (Marsaglia, 2003). */
static uint32_t draw(uint32_t *state, size_t count)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (uint32_t)(*state % count);
}

#define DRAW_OF(state, list) (list)[draw(state, sizeof(list) / sizeof(list)[0])]

static size_t child_count(const json_t *value)
{
    return json_is_array(value) ? json_array_size(value) : json_object_size(value);
}

static place child_at(json_t *parent, size_t index)
{
    if (json_is_array(parent))
        return (place){.parent = parent, .value = json_array_get(parent, index), .index = index};
    void *at = json_object_iter(parent);
    while (index-- > 0)
        at = json_object_iter_next(parent, at);
    return (place){.parent = parent, .value = json_object_iter_value(at), .key = json_object_iter_key(at)};
}

/* Descends with a probability of seven in eight, so that deep values are chosen about as often as shallow
 * ones. */
static place walk(json_t *root, uint32_t *state)
{
    place at = {.value = root};
    while (child_count(at.value) > 0 && (!at.parent || draw(state, 8) > 0))
        at = child_at(at.value, draw(state, child_count(at.value)));
    return at;
}

static void put(const place *at, json_t *value)
{
    if (json_is_array(at->parent))
        json_array_set_new(at->parent, at->index, value);
    else if (at->parent)
        json_object_set_new(at->parent, at->key, value);
    else
        json_decref(value);
}

static json_t *invent(uint32_t *state)
{
    switch (draw(state, 10)) {
    case 0:
        return json_object();
    case 1:
        return json_array();
    case 2:
        return json_boolean((int)draw(state, 2));
    case 3:
        return json_string(DRAW_OF(state, words));
    case 4:
    case 5:
        return json_real(DRAW_OF(state, reals));
    default:
        return json_integer(DRAW_OF(state, integers));
    }
}

/* Returns a random value of the same type, if there is one. */
static json_t *vary(const json_t *value, uint32_t *state)
{
    if (json_is_integer(value) && draw(state, 2))
        return json_integer(json_integer_value(value) / 2 + (json_int_t)draw(state, 5) - 1);
    if (json_is_number(value))
        return draw(state, 3) ? json_integer(DRAW_OF(state, integers)) : json_real(DRAW_OF(state, reals));
    if (json_is_string(value))
        return json_string(DRAW_OF(state, words));
    return json_is_boolean(value) ? json_boolean(!json_is_true(value)) : invent(state);
}

static void repeat(const place *at, uint32_t *state)
{
    uint32_t count = draw(state, 4) ? 1 : 1 + draw(state, REPEAT_MAX);
    for (uint32_t i = 0; i < count && json_is_array(at->parent); i++)
        json_array_insert_new(at->parent, at->index, json_deep_copy(at->value));
}

static void take_away(const place *at)
{
    if (json_is_array(at->parent))
        json_array_remove(at->parent, at->index);
    else if (at->parent)
        json_object_del(at->parent, at->key);
}

/* Copies a key that exists elsewhere in the document to one more object. */
static void add_key(json_t *root, const place *at, uint32_t *state)
{
    place other = walk(root, state);
    json_t *object = json_is_object(at->value) ? at->value : at->parent;
    if (other.key && json_is_object(object)) {
        json_t *copy = json_deep_copy(other.value);
        json_object_set_new(object, other.key, copy);
    }
}

/* Applies one random change to a random value. */
static void change(json_t *root, uint32_t *state)
{
    place at = walk(root, state);
    if (!at.parent)
        return;
    switch (draw(state, 10)) {
    case 0:
        put(&at, invent(state));
        break;
    case 1:
        take_away(&at);
        break;
    case 2:
        put(&at, json_deep_copy(walk(root, state).value));
        break;
    case 3:
        repeat(&at, state);
        break;
    case 4:
        add_key(root, &at, state);
        break;
    default:
        put(&at, vary(at.value, state));
    }
}

static size_t write_out(const json_t *root, uint8_t *out, size_t capacity)
{
    size_t size = json_dumpb(root, NULL, 0, JSON_COMPACT);
    return size > 0 && size <= capacity ? json_dumpb(root, (char *)out, size, JSON_COMPACT) : 0;
}

size_t json_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    uint32_t state = seed | 1U;
    size_t written = 0;
    pool_begin();
    json_t *root = draw(&state, 8) ? json_loadb((const char *)data, size, JSON_ALLOW_NUL, NULL) : NULL;
    if (root) {
        for (uint32_t i = draw(&state, CHANGES_MAX) + 1; i > 0; i--)
            change(root, &state);
        written = write_out(root, data, capacity);
        json_decref(root);
    }
    pool_end();
    return written ? written : LLVMFuzzerMutate(data, size, capacity);
}

size_t json_cross(const uint8_t *first, size_t first_size, const uint8_t *second, size_t second_size,
                  uint8_t *out, size_t capacity, unsigned seed)
{
    uint32_t state = seed | 1U;
    size_t written = 0;
    pool_begin();
    json_t *a = json_loadb((const char *)first, first_size, JSON_ALLOW_NUL, NULL);
    json_t *b = json_loadb((const char *)second, second_size, JSON_ALLOW_NUL, NULL);
    if (a && b) {
        place from = walk(b, &state), to = walk(a, &state);
        if (to.parent)
            put(&to, json_deep_copy(from.value));
        written = write_out(a, out, capacity);
    }
    json_decref(a);
    json_decref(b);
    pool_end();
    return written;
}
