#include "dancer.h"
void head_add(dancer *d)
{
    cage c;
    const rig *r = &d->rig;
    cage_init(&c, &d->arena);
    const cage_section s[] = {
        {{{0, 16.15f, 0}}, {{0.5f, 0, 0}}, {{0, 0, 0.5f}}, 0, 0, 0, skin1(rig_find(r, "頭")), MATERIAL_FACE},
        {{{0, 17.8f, 0}}, {{1.9f, 0, 0}}, {{0, 0, 1.8f}}, 0, 0, 0, skin1(rig_find(r, "頭")), MATERIAL_FACE},
        {{{0, 19.3f, 0}}, {{0.9f, 0, 0}}, {{0, 0, 0.9f}}, 0, 0, 0, skin1(rig_find(r, "頭")), MATERIAL_FACE},
    };
    cage_tube(&c, s, 3, 8, 0.2f, 0);
    cage fine = cage_subdivide(&c, 2, &d->arena);
    dancer_add(d, "head", &fine);
}
