/* The materials, as a table: colours, textures, outline. */
#include "materials.h"

#include <string.h>

#include "tool.h"

typedef struct material_row {
    const char *name, *name_en;
    const char *texture, *sphere, *toon; /* files; NULL: none */
    mmd_sphere_mode sphere_mode;
    float tint[3]; /* of the lit side, times the texture */
    float alpha;
    float shine; /* specular power; 0: dull */
    unsigned flags;
    vec3s edge_color;
    float edge_size; /* 0: no outline */
} material_row;

enum {
    SOLID = MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW,
    FLAT = MMD_MATERIAL_RECEIVES_SHADOW
};

#define TOON_SKIN    "tex/toon_skin.png"
#define TOON_CLOTH   "tex/toon_cloth.png"
#define TOON_HAIR    "tex/toon_hair.png"
#define CLOTH_SPHERE "tex/cloth_sphere.png"
#define WHITE                                                                                                \
    {                                                                                                        \
        1, 1, 1                                                                                              \
    }
#define SKIN_EDGE                                                                                            \
    {                                                                                                        \
        {                                                                                                    \
            0.42f, 0.2f, 0.18f                                                                               \
        }                                                                                                    \
    }
#define HAIR_EDGE                                                                                            \
    {                                                                                                        \
        {                                                                                                    \
            0.36f, 0.13f, 0.15f                                                                              \
        }                                                                                                    \
    }
#define CLOTH_EDGE                                                                                           \
    {                                                                                                        \
        {                                                                                                    \
            0.13f, 0.12f, 0.24f                                                                              \
        }                                                                                                    \
    }

static const material_row rows[MATERIAL_COUNT] = {
    [MATERIAL_SKIN] = {"肌", "skin", "tex/skin.png", NULL, TOON_SKIN, 0, WHITE, 1, 0, SOLID, SKIN_EDGE, 0.6f},
    [MATERIAL_FACE] = {"顔", "face", "tex/face.png", NULL, TOON_SKIN, 0, WHITE, 1, 0, SOLID, SKIN_EDGE, 0.6f},
    [MATERIAL_MOUTH] = {"口内", "mouth", "tex/mouth.png", NULL, TOON_SKIN, 0, WHITE, 1, 0, FLAT, SKIN_EDGE,
                        0},
    [MATERIAL_WHITE] = {"白目", "eye white", "tex/white.png", NULL, TOON_CLOTH, 0, WHITE, 1, 0, FLAT,
                        SKIN_EDGE, 0},
    [MATERIAL_IRIS] = {"瞳", "iris", "tex/eye.png", NULL, NULL, 0, WHITE, 1, 0, FLAT, SKIN_EDGE, 0},
    [MATERIAL_TOP] = {"上着", "top", "tex/top.png", CLOTH_SPHERE, TOON_CLOTH, MMD_SPHERE_MULTIPLY, WHITE, 1,
                      0, SOLID, CLOTH_EDGE, 0.7f},
    [MATERIAL_TRIM] = {"縁飾り", "trim", "tex/trim.png", NULL, TOON_CLOTH, 0, WHITE, 1, 0, SOLID, CLOTH_EDGE,
                       0.6f},
    [MATERIAL_SKIRT] = {"スカート", "skirt", "tex/skirt.png", "tex/pattern.png", TOON_CLOTH,
                        MMD_SPHERE_SUB_TEXTURE, WHITE, 1, 0, SOLID, CLOTH_EDGE, 0.8f},
    [MATERIAL_SKIRT_INSIDE] = {"スカート裏", "skirt inside", "tex/lining.png", NULL, TOON_CLOTH, 0, WHITE, 1,
                               0, SOLID, CLOTH_EDGE, 0.6f},
    [MATERIAL_OBI] = {"帯", "obi", "tex/obi.png", CLOTH_SPHERE, TOON_CLOTH, MMD_SPHERE_MULTIPLY, WHITE, 1, 0,
                      SOLID, CLOTH_EDGE, 0.7f},
    [MATERIAL_BOW] = {"帯結び", "bow", "tex/bow.png", CLOTH_SPHERE, TOON_CLOTH, MMD_SPHERE_MULTIPLY, WHITE, 1,
                      0, SOLID, CLOTH_EDGE, 0.7f},
    [MATERIAL_SOCK] = {"靴下", "sock", "tex/sock.png", NULL, TOON_CLOTH, 0, WHITE, 1, 0, SOLID, CLOTH_EDGE,
                       0.7f},
    [MATERIAL_BOOT] = {"靴", "boot", "tex/boot.png", CLOTH_SPHERE, TOON_CLOTH, MMD_SPHERE_MULTIPLY, WHITE, 1,
                       12, SOLID, CLOTH_EDGE, 0.8f},
    [MATERIAL_SOLE] = {"靴底", "sole", "tex/trim.png", NULL, TOON_CLOTH, 0, WHITE, 1, 0, SOLID, CLOTH_EDGE,
                       0.8f},
    [MATERIAL_HAIR] = {"髪", "hair", "tex/hair.png", "tex/hair_sphere.png", TOON_HAIR, MMD_SPHERE_ADD, WHITE,
                       1, 0, SOLID, HAIR_EDGE, 0.8f},
    [MATERIAL_RIBBON] = {"髪飾り", "hair ribbon", "tex/bow.png", NULL, TOON_CLOTH, 0, WHITE, 1, 0, SOLID,
                         CLOTH_EDGE, 0.7f},
    [MATERIAL_GOLD] = {"金具", "gold", "tex/gold.png", "tex/metal_sphere.png", TOON_CLOTH, MMD_SPHERE_ADD,
                       WHITE, 1, 30, SOLID, CLOTH_EDGE, 0.6f},
    [MATERIAL_LASH] = {"まつ毛・眉", "lashes and brows", "tex/lash.png", NULL, NULL, 0, WHITE, 1, 0, FLAT,
                       SKIN_EDGE, 0},
    [MATERIAL_BLUSH] = {"頬染め", "blush", "tex/blush.png", NULL, NULL, 0, WHITE, 0, 0, 0, SKIN_EDGE, 0},
};

/* The number of a file among the model's textures, added if new; -1 for NULL. */
static int32_t texture(mmd_model *model, const char *file)
{
    if (!file)
        return -1;
    for (uint32_t i = 0; i < model->texture_count; i++)
        if (strcmp(model->textures[i], file) == 0)
            return (int32_t)i;
    model->textures[model->texture_count] = file;
    return (int32_t)model->texture_count++;
}

static mmd_material material(mmd_model *model, const material_row *row)
{
    mmd_material m = {.name = row->name,
                      .name_en = row->name_en,
                      .memo = "",
                      .sphere_mode = (uint8_t)row->sphere_mode,
                      .edge_size = row->edge_size,
                      .specular_power = row->shine > 0 ? row->shine : 5};
    for (int i = 0; i < 3; i++) {
        /* MMD lights with 0.6: half of the colour as ambient gives the texture its full value in the light.
         */
        m.diffuse[i] = 0.8f * row->tint[i];
        m.ambient[i] = 0.52f * row->tint[i];
        m.specular[i] = row->shine > 0 ? 0.25f : 0;
        m.edge_color[i] = row->edge_color.raw[i];
    }
    m.diffuse[3] = row->alpha;
    m.edge_color[3] = 1;
    m.flags = (uint8_t)(row->flags | (row->edge_size > 0 ? MMD_MATERIAL_EDGE : 0));
    m.texture = texture(model, row->texture);
    m.sphere = texture(model, row->sphere);
    m.toon = texture(model, row->toon);
    return m;
}

void materials_make(dancer *d, mmd_model *model)
{
    model->textures = tool_alloc(&d->arena, 3 * MATERIAL_COUNT, sizeof *model->textures);
    model->materials = tool_alloc(&d->arena, MATERIAL_COUNT, sizeof *model->materials);
    model->material_count = MATERIAL_COUNT;
    for (int i = 0; i < MATERIAL_COUNT; i++)
        model->materials[i] = material(model, &rows[i]);
}
