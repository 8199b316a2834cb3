#include "dancer.h"
void skirt_rig(rig *r)
{
    (void)r;
}
void skirt_add(dancer *d)
{
    (void)d;
}
void skirt_physics(dancer *d)
{
    (void)d;
}
