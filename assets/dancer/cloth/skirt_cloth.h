/*
 * Cloth as bodies and joints: strips, each a box that hangs from its upper end.
 * A strip's frame has Y up along it and Z outward; turns about X swing it.
 */
#ifndef DANCER_SKIRT_CLOTH_H
#define DANCER_SKIRT_CLOTH_H

#include "dancer.h"

typedef struct cloth_strip {
    int32_t bone;
    vec3s head, tail, outward;
    float wide, thick; /* halves */
    float mass;
    uint8_t mode, group;
    uint16_t mask;
} cloth_strip;

/* Bullet counts turns the other way round than the axes do: `out` swings to the outside. Degrees. */
typedef struct cloth_hinge {
    float in, out, twist, side; /* how far it turns: inward, outward, about itself, sideways */
    float spring[3];            /* stiffness about the frame's axes */
} cloth_hinge;

/* PMX's angles (Y, then X, then Z) of a strip's frame. */
vec3s cloth_rotation(vec3s head, vec3s tail, vec3s outward);

/* A body with the bone's name. */
int32_t cloth_add(dancer *d, const cloth_strip *strip);
/* Body b hangs at its strip's head on body a. */
void cloth_hang(dancer *d, int32_t a, int32_t b, const cloth_strip *strip, const cloth_hinge *hinge);
/* Two neighbours keep within `slack` of their distance. */
void cloth_bind(dancer *d, int32_t a, int32_t b, vec3s rotation, float slack);

#endif
