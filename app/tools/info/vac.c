/* What a .vac says: an accessory, and where it stands. */
#include "info.h"

#define DEGREES (180.0 / 3.14159265358979323846)

static void write_triple(facts *f, const char *key, const char *title, const float values[3], double factor)
{
    static const char *const axes[] = {"x", "y", "z"};
    facts_open(f, key, title);
    for (int k = 0; k < 3; k++)
        facts_real(f, axes[k], axes[k], (double)values[k] * factor);
    facts_close(f);
}

void info_vac(facts *f, const mmd_vac *vac, const texture_place *place)
{
    char path[MMD_PATH_MAX];
    facts_text(f, "kind", "kind", "VAC");
    facts_text(f, "name", "name", vac->name);
    facts_text(f, "accessory", "accessory", vac->file);
    facts_bool(f, "accessory_found", "found", textures_find(place, vac->file, path));
    facts_text(f, "bone", "bone", vac->bone);
    facts_real(f, "scale", "scale", (double)vac->scale);
    write_triple(f, "position", "position", vac->position, 1);
    write_triple(f, "rotation_degrees", "rotation, degrees", vac->rotation, DEGREES);
}
