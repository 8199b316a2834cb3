#include "dancer.h"
void body_add(dancer *d)
{
    (void)d;
}
void body_physics(dancer *d)
{
    (void)d;
}
