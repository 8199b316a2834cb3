/* The hair, part by part. The bones are in hair_rig.c, the bodies in hair_physics.c. */
#include "hair.h"

void hair_add(dancer *d)
{
    hair_cap_add(d);
    hair_locks_add(d);
    hair_tail_add(d);
    hair_ribbon_add(d);
}
