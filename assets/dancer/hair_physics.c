#include "hair.h"
void hair_physics(dancer *d)
{
    (void)d;
}
