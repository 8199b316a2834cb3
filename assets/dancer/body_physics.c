#include "dancer.h"
void body_physics(dancer *d)
{
    (void)d;
}
