#include "hair.h"
void hair_ribbon_add(dancer *d)
{
    (void)d;
}
