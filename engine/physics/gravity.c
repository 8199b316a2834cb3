/*
 * Gravity fields as in OMI_physics_gravity. Fields are summed by descending priority, the world's gravity
 * last. A field with `replace` discards the sum so far; one with `stop` ends the sum. Except for the
 * directional kind, a field pulls towards the nearest point of a shape in its body's frame, with constant
 * strength or falling with the squared distance.
 */
#include <assert.h>

#include "gravity.h"
#include "mmd_math.h"
#include "nearest.h"

/* Share of the unit distance below which the pull grows no further; it would be unbounded otherwise. */
static const float nearest_share = 1.0f / 32.0f;

/* Tests whether field a applies before field b. */
static bool comes_before(const mmd_physscene *scene, uint32_t a, uint32_t b)
{
    int32_t of_a = scene->gravities[a].priority, of_b = scene->gravities[b].priority;
    return of_a != of_b ? of_a > of_b : a < b;
}

static void swap(uint32_t *order, uint32_t a, uint32_t b)
{
    uint32_t kept = order[a];
    order[a] = order[b];
    order[b] = kept;
}

/* Restores the heap below an element, with the last field in order on top. */
static void sink(const mmd_physscene *scene, uint32_t *order, uint32_t at, uint32_t count)
{
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && comes_before(scene, order[child], order[child + 1]))
            child++;
        if (!comes_before(scene, order[at], order[child]))
            return;
        swap(order, at, child);
        at = child;
    }
}

/* Heapsort, which needs no memory and has no slow case. */
void mmd_gravity_order(const mmd_physscene *scene, uint32_t *order)
{
    assert(scene);
    uint32_t count = scene->gravity_count;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count / 2; i > 0; i--)
        sink(scene, order, i - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        swap(order, 0, end - 1);
        sink(scene, order, 0, end - 1);
    }
}

/* Finds the nearest point of a disc on XZ, or of its edge. From the centre all points of the edge are
 * equally near, and +X is chosen. */
static void nearest_on_circle(float radius, bool filled, const float p[3], float out[3])
{
    float length = sqrtf(p[0] * p[0] + p[2] * p[2]);
    float scale = filled && length <= radius ? 1.0f : length > 0.0f ? radius / length : 0.0f;
    const float result[3] = {length > 0.0f || filled ? p[0] * scale : radius, 0.0f, p[2] * scale};
    memcpy(out, result, sizeof result);
}

static void nearest_on_lines(const mmd_phys_gravity *field, const float p[3], float out[3])
{
    float least = INFINITY, best[3];
    memcpy(best, field->point_count ? field->points[0] : p, sizeof best);
    for (uint32_t i = 0; i + 1 < field->point_count; i++) {
        float candidate[3], d[3];
        mmd_nearest_on_segment(field->points[i], field->points[i + 1], p, candidate);
        for (int k = 0; k < 3; k++)
            d[k] = candidate[k] - p[k];
        if (dot3(d, d) < least) {
            least = dot3(d, d);
            memcpy(best, candidate, sizeof best);
        }
    }
    memcpy(out, best, sizeof best);
}

static void nearest_on_shape(const mmd_physscene *scene, const mmd_phys_shape *shape, const float p[3],
                             float out[3])
{
    mmd_transform inverse;
    mmd_transform_inverse(&shape->frame, &inverse);
    mmd_transform_point(&inverse, p, out);
    mmd_nearest_on_shape(scene, shape, out, out);
    mmd_transform_point(&shape->frame, out, out);
}

/* Finds the point that the field pulls towards, in its body's frame. */
static void nearest_of_field(const mmd_physscene *scene, const mmd_phys_gravity *field, const float p[3],
                             float out[3])
{
    switch (field->kind) {
    case MMD_GRAVITY_DISC:
    case MMD_GRAVITY_TORUS:
        nearest_on_circle(field->radius, field->kind == MMD_GRAVITY_DISC, p, out);
        break;
    case MMD_GRAVITY_LINE:
        nearest_on_lines(field, p, out);
        break;
    case MMD_GRAVITY_SHAPED:
        nearest_on_shape(scene, &scene->shapes[field->shape], p, out);
        break;
    default:
        memset(out, 0, 3 * sizeof(float));
    }
}

static float strength(const mmd_phys_gravity *field, float distance)
{
    if (field->unit_distance <= 0.0f)
        return field->gravity;
    float share = mmd_maxf(distance / field->unit_distance, nearest_share);
    return field->gravity / (share * share);
}

/* Computes the field's pull at a point, both in its body's frame. */
static void pull(const mmd_physscene *scene, const mmd_phys_gravity *field, const float p[3], float out[3])
{
    if (field->kind == MMD_GRAVITY_DIRECTIONAL) {
        for (int k = 0; k < 3; k++)
            out[k] = field->direction[k] * field->gravity;
        return;
    }
    float way[3];
    nearest_of_field(scene, field, p, way);
    for (int k = 0; k < 3; k++)
        way[k] -= p[k];
    float distance = sqrtf(dot3(way, way));
    float factor = distance > 1e-6f ? strength(field, distance) / distance : 0.0f;
    for (int k = 0; k < 3; k++)
        out[k] = way[k] * factor;
}

static const mmd_transform nowhere = {{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f, 0.0f, 0.0f, 0.0f}};

static void add_field(const mmd_physscene *scene, const mmd_phys_gravity *field, const mmd_transform *bodies,
                      const float point[3], float sum[3])
{
    const mmd_transform *frame = field->body < 0 ? &nowhere : &bodies[field->body];
    mmd_transform inverse, turn = {.translation = {0.0f}};
    float p[3], g[3];
    mmd_transform_inverse(frame, &inverse);
    mmd_transform_point(&inverse, point, p);
    pull(scene, field, p, g);
    quat_copy(frame->rotation, turn.rotation);
    mmd_transform_point(&turn, g, g);
    for (int k = 0; k < 3; k++)
        sum[k] = (field->replace ? 0.0f : sum[k]) + g[k];
}

void mmd_gravity_at(const mmd_physscene *scene, const uint32_t *order, const mmd_transform *bodies,
                    const uint8_t *inside, const float world[3], const float point[3], float out[3])
{
    assert(scene);
    float sum[3] = {0.0f, 0.0f, 0.0f};
    bool stopped = false;
    for (uint32_t i = 0; i < scene->gravity_count && !stopped; i++) {
        const mmd_phys_gravity *field = &scene->gravities[order[i]];
        if (field->body >= 0 && !inside[order[i]])
            continue;
        add_field(scene, field, bodies, point, sum);
        stopped = field->stop;
    }
    for (int k = 0; k < 3; k++)
        out[k] = sum[k] + (stopped ? 0.0f : world[k]);
}
