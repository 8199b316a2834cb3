/* Cloth as bodies and joints: strips, each a box that hangs from its upper end. A strip's frame has Y upwards
 * along it and Z outward; rotations about X swing it. */
#ifndef DANCER_SKIRT_CLOTH_H
#define DANCER_SKIRT_CLOTH_H

#include "dancer.h"

typedef struct cloth_strip {
    int32_t bone;
    vec3 head, tail, outward;
    float wide, thick; /* half sizes */
    float mass;
    uint8_t mode, group;
    uint16_t mask;
} cloth_strip;

/* Limits of a strip in degrees. Bullet's angles have the opposite sign of true ones: `out` swings outward. */
typedef struct cloth_hinge {
    float in, out, twist, side; /* inward, outward, about its axis, sideways */
    float spring[3];            /* stiffness about the frame's axes */
} cloth_hinge;

/* Returns PMX's angles (Y, then X, then Z) of a strip's frame. */
vec3 cloth_rotation(vec3 head, vec3 tail, vec3 outward);

/* Adds a body named after the bone. Returns its index. */
int32_t cloth_add(dancer *d, const cloth_strip *strip);
/* Attaches body b to body a at the head of its strip. */
void cloth_hang(dancer *d, int32_t a, int32_t b, const cloth_strip *strip, const cloth_hinge *hinge);
/* Keeps two neighbours within `slack` of their distance. */
void cloth_bind(dancer *d, int32_t a, int32_t b, vec3 rotation, float slack);

#endif
