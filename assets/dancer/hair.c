#include "dancer.h"
void hair_rig(rig *r)
{
    (void)r;
}
void hair_add(dancer *d)
{
    (void)d;
}
void hair_physics(dancer *d)
{
    (void)d;
}
