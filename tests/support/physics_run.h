/* Runs the physics of a glTF file or document at 240 Hz, for tests of physics interchange. Measured values
 * are printed when ODORI_MEASURE is set. */
#ifndef ODORI_PHYSICS_RUN_H
#define ODORI_PHYSICS_RUN_H

#include "support.h"

#include "mmd/exchange.h"
#include "mmd/physics.h"

#define METRE   12.5f /* MMD units in a metre */
#define GRAVITY 9.80665f

enum { RATE = 240 };

static inline void measured(const char *file, const char *what, double value)
{
    if (getenv("ODORI_MEASURE"))
        print_message("    %-34s %-44s %g\n", file, what, value);
}

/* ------------------------------------------------------------ the running world */

typedef struct run {
    mmd_source *source;
    mmd_exchange *document;
    mmd_world *world;
    const char *name;
} run;

static inline void begin(run *r, mmd_exchange *document)
{
    assert_non_null(document->physscene);
    const mmd_physscene *scene = document->physscene;
    r->document = document;
    assert_int_equal(
        mmd_world_create(MMD_PHYSICS_BULLET, &scene->world, &scene, 1, &r->world, &(mmd_error){0}), MMD_OK);
}

/* Opens a file below ../shared/data. */
static inline run open_file(const char *name)
{
    char path[256], folder[256], full[1024];
    snprintf(path, sizeof path, "data/%s", name);
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = 0;
    run r = {.source = mmd_source_folder(shared_path(folder, full, sizeof full)),
             .name = strrchr(name, '/') + 1};
    assert_non_null(r.source);
    mmd_bytes bytes = shared_read(path);
    mmd_exchange *document;
    mmd_error error = {0};
    mmd_status status = mmd_exchange_read(bytes.data, bytes.size, r.source, "", &document, &error);
    if (status)
        print_error("%s: %s: %s\n", name, error.section, error.message);
    assert_int_equal(status, MMD_OK);
    mmd_bytes_finish(&bytes);
    begin(&r, document);
    return r;
}

static inline run open_text(const char *text)
{
    run r = {.name = "made here"};
    mmd_exchange *document;
    mmd_error error = {0};
    mmd_status status = mmd_exchange_read(text, strlen(text), NULL, "", &document, &error);
    if (status)
        print_error("%s: %s\n", error.section, error.message);
    assert_int_equal(status, MMD_OK);
    begin(&r, document);
    return r;
}

static inline void end(run *r)
{
    mmd_world_destroy(r->world);
    mmd_exchange_destroy(r->document);
    mmd_source_destroy(r->source);
}

static inline void step(run *r, float seconds)
{
    for (int i = 0; i < (int)(seconds * RATE + 0.5f); i++)
        mmd_world_step(r->world);
}

static inline const mmd_physscene *scene_of(const run *r)
{
    return r->document->physscene;
}

/* Returns the index of the body of a node. */
static inline uint32_t body_at(const run *r, int32_t node)
{
    for (uint32_t i = 0; i < scene_of(r)->body_count; i++)
        if (r->document->bodies[i].node == node)
            return i;
    fail_msg("%s: node %d is no body", r->name, node);
    return 0;
}

static inline uint32_t body_named(const run *r, const char *name)
{
    for (uint32_t i = 0; i < scene_of(r)->body_count; i++)
        if (strcmp(scene_of(r)->bodies[i].name, name) == 0)
            return i;
    fail_msg("%s: no body %s", r->name, name);
    return 0;
}

/* Returns the transform of a body in the file's space. */
static inline mmd_transform at(const run *r, uint32_t body)
{
    mmd_transform transform;
    mmd_exchange_to_file(MMD_EXCHANGE_GLTF, &mmd_world_transforms(r->world)[body], &transform);
    return transform;
}

static inline float distance(const float a[3], const float b[3])
{
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrtf(sum);
}

/* Returns the frame of body B relative to that of body A, in MMD's axes and metres. */
static inline mmd_transform joint_transform(const run *r, uint32_t joint)
{
    mmd_transform a, b;
    mmd_joint_frames(scene_of(r), joint, mmd_world_transforms(r->world), &a, &b);
    mmd_transform_inverse(&a, &a);
    mmd_transform_multiply(&a, &b, &a);
    for (int i = 0; i < 3; i++)
        a.translation[i] /= METRE;
    return a;
}

/* Returns the signed twist angle about an axis. */
static inline float twist(const mmd_transform *t, int axis)
{
    float angle = 2 * atan2f(t->rotation[axis], t->rotation[3]);
    return angle > 3.14159265f ? angle - 6.2831853f : angle < -3.14159265f ? angle + 6.2831853f : angle;
}

static inline bool all_finite(const run *r)
{
    for (uint32_t i = 0; i < scene_of(r)->body_count; i++) {
        const mmd_transform *t = &mmd_world_transforms(r->world)[i];
        for (int k = 0; k < 4; k++)
            if (!isfinite(t->rotation[k]) || !isfinite(t->translation[k]))
                return false;
    }
    return true;
}

#endif
