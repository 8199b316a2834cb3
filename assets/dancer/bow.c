#include "dancer.h"
void bow_rig(rig *r)
{
    (void)r;
}
void bow_add(dancer *d)
{
    (void)d;
}
void bow_physics(dancer *d)
{
    (void)d;
}
