/*
 * The skirt's rigid bodies: one box for each bone. The first row follows the bones (which follow the thighs);
 * the other two rows hang from it, swing far outward and a little inward, and are linked to their neighbours
 * all around. They collide with legs, hands and the bow's tails, not with each other.
 */
#include "skirt.h"

#include <math.h>

#include "skirt_cloth.h"

static const struct {
    float mass, thick;
    uint8_t mode;
    float slack; /* for the links to the neighbours */
    cloth_hinge hinge;
} rows[SKIRT_ROWS] = {
    {0.30f, 0.06f, BODY_FOLLOWS, 0, {0, 0, 0, 0, {0, 0, 0}}},
    {0.20f, 0.06f, BODY_SWINGS, 0.10f, {3, 40, 6, 8, {150, 20, 60}}},
    {0.12f, 0.05f, BODY_SWINGS, 0.20f, {5, 50, 8, 10, {60, 10, 30}}},
};

static cloth_strip strip_at(const rig *r, int column, int row)
{
    float azimuth = skirt_column_azimuth(column);
    vec3 head = skirt_point(azimuth, skirt_heights[row]), tail = skirt_point(azimuth, skirt_heights[row + 1]);
    vec3 middle = vec3_scale(vec3_add(head, tail), 0.5f);
    float radius = sqrtf(middle.x * middle.x + middle.z * middle.z);
    return (cloth_strip){
        .bone = skirt_bone(r, column, row),
        .head = head,
        .tail = tail,
        .outward = {{mmd_sinf(azimuth), 0, -mmd_cosf(azimuth)}},
        .wide = 0.9f * PI * radius / SKIRT_COLUMNS,
        .thick = rows[row].thick,
        .mass = rows[row].mass,
        .mode = rows[row].mode,
        .group = GROUP_SKIRT,
        .mask = 1u << GROUP_BODY | 1u << GROUP_BOW,
    };
}

/* Returns the frame of a joint between a column and the next: halfway between them. */
static vec3 between(int column, int row)
{
    float azimuth = skirt_column_azimuth(column) + PI / SKIRT_COLUMNS;
    return cloth_rotation(skirt_point(azimuth, skirt_heights[row]),
                          skirt_point(azimuth, skirt_heights[row + 1]),
                          (vec3){{mmd_sinf(azimuth), 0, -mmd_cosf(azimuth)}});
}

void skirt_physics(dancer *d)
{
    int32_t bodies[SKIRT_ROWS][SKIRT_COLUMNS];
    for (int row = 0; row < SKIRT_ROWS; row++)
        for (int column = 0; column < SKIRT_COLUMNS; column++) {
            cloth_strip strip = strip_at(&d->rig, column, row);
            bodies[row][column] = cloth_add(d, &strip);
            if (row > 0)
                cloth_hang(d, bodies[row - 1][column], bodies[row][column], &strip, &rows[row].hinge);
        }
    for (int row = 1; row < SKIRT_ROWS; row++)
        for (int column = 0; column < SKIRT_COLUMNS; column++)
            cloth_bind(d, bodies[row][column], bodies[row][(column + 1) % SKIRT_COLUMNS],
                       between(column, row), rows[row].slack);
}
