/* The materials as a table: colours, textures, outline. */
#include "materials.h"

#include <string.h>

#include "tool.h"

/* Common properties of materials of one kind. */
typedef enum material_kind { SKIN, PAINT, CLOTH, PRINT, SILK, LEATHER, HAIR, METAL } material_kind;

static const struct {
    const char *toon, *sphere; /* files; NULL for none */
    mmd_sphere_mode sphere_mode;
    float shine; /* specular power; 0 for none */
    float edge_color[3];
} kinds[] = {
    [SKIN] = {"tex/toon_skin.png", .edge_color = {0.42f, 0.2f, 0.18f}},
    [PAINT] = {NULL, .edge_color = {0.42f, 0.2f, 0.18f}}, /* equally bright in the shade */
    [CLOTH] = {"tex/toon_cloth.png", .edge_color = {0.13f, 0.12f, 0.24f}},
    [PRINT] = {"tex/toon_cloth.png", "tex/pattern.png", MMD_SPHERE_SUB_TEXTURE, 0, {0.13f, 0.12f, 0.24f}},
    [SILK] = {"tex/toon_cloth.png", "tex/cloth_sphere.png", MMD_SPHERE_MULTIPLY, 0, {0.13f, 0.12f, 0.24f}},
    [LEATHER] =
        {"tex/toon_cloth.png", "tex/cloth_sphere.png", MMD_SPHERE_MULTIPLY, 12, {0.13f, 0.12f, 0.24f}},
    [HAIR] = {"tex/toon_hair.png", "tex/hair_sphere.png", MMD_SPHERE_ADD, 0, {0.36f, 0.13f, 0.15f}},
    [METAL] = {"tex/toon_cloth.png", "tex/metal_sphere.png", MMD_SPHERE_ADD, 30, {0.13f, 0.12f, 0.24f}},
};

enum {
    FLAT = MMD_MATERIAL_RECEIVES_SHADOW, /* for parts inside of or on top of something else */
    SOLID = FLAT | MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW
};

static const struct {
    const char *name, *name_en, *texture;
    material_kind kind;
    unsigned flags;
    float edge_size; /* 0 for no outline */
    bool hidden;     /* until a morph shows it */
} rows[MATERIAL_COUNT] = {
    [MATERIAL_SKIN] = {"肌", "skin", "tex/skin.png", SKIN, SOLID, .edge_size = 0.6f},
    [MATERIAL_FACE] = {"顔", "face", "tex/face.png", SKIN, SOLID, .edge_size = 0.6f},
    [MATERIAL_MOUTH] = {"口内", "mouth", "tex/mouth.png", SKIN, .flags = FLAT},
    [MATERIAL_WHITE] = {"白目", "eye white", "tex/white.png", CLOTH, .flags = FLAT},
    [MATERIAL_IRIS] = {"瞳", "iris", "tex/eye.png", PAINT, .flags = FLAT},
    [MATERIAL_TOP] = {"上着", "top", "tex/top.png", SILK, SOLID, .edge_size = 0.7f},
    [MATERIAL_TRIM] = {"縁飾り", "trim", "tex/trim.png", CLOTH, SOLID, .edge_size = 0.6f},
    [MATERIAL_SKIRT] = {"スカート", "skirt", "tex/skirt.png", PRINT, SOLID, .edge_size = 0.8f},
    [MATERIAL_SKIRT_INSIDE] = {"スカート裏", "skirt inside", "tex/lining.png", CLOTH, SOLID,
                               .edge_size = 0.6f},
    [MATERIAL_OBI] = {"帯", "obi", "tex/obi.png", SILK, SOLID, .edge_size = 0.7f},
    [MATERIAL_BOW] = {"帯結び", "bow", "tex/bow.png", SILK, SOLID, .edge_size = 0.7f},
    [MATERIAL_SOCK] = {"靴下", "sock", "tex/sock.png", CLOTH, SOLID, .edge_size = 0.7f},
    [MATERIAL_BOOT] = {"靴", "boot", "tex/boot.png", LEATHER, SOLID, .edge_size = 0.8f},
    [MATERIAL_SOLE] = {"靴底", "sole", "tex/trim.png", CLOTH, SOLID, .edge_size = 0.8f},
    [MATERIAL_HAIR] = {"髪", "hair", "tex/hair.png", HAIR, SOLID, .edge_size = 0.8f},
    [MATERIAL_RIBBON] = {"髪飾り", "hair ribbon", "tex/bow.png", CLOTH, SOLID, .edge_size = 0.7f},
    [MATERIAL_GOLD] = {"金具", "gold", "tex/gold.png", METAL, SOLID, .edge_size = 0.6f},
    [MATERIAL_LASH] = {"まつ毛・眉", "lashes and brows", "tex/lash.png", PAINT, .flags = FLAT},
    [MATERIAL_BLUSH] = {"頬染め", "blush", "tex/blush.png", PAINT, .hidden = true},
};

/* Returns the index of a texture by its file, adding it if new; -1 for NULL. */
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

static mmd_material material(mmd_model *model, material_id id)
{
    float shine = kinds[rows[id].kind].shine;
    mmd_material m = {.name = rows[id].name,
                      .name_en = rows[id].name_en,
                      .memo = "",
                      .diffuse = {0.8f, 0.8f, 0.8f, rows[id].hidden ? 0 : 1},
                      .edge_color = {0, 0, 0, 1},
                      .edge_size = rows[id].edge_size,
                      .flags = (uint8_t)(rows[id].flags | (rows[id].edge_size > 0 ? MMD_MATERIAL_EDGE : 0)),
                      .sphere_mode = (uint8_t)kinds[rows[id].kind].sphere_mode,
                      .specular_power = shine > 0 ? shine : 5};
    for (int i = 0; i < 3; i++) {
        m.ambient[i] = 0.52f; /* plus 0.6 (MMD's light) times diffuse gives the texture's full brightness */
        m.specular[i] = shine > 0 ? 0.25f : 0;
        m.edge_color[i] = kinds[rows[id].kind].edge_color[i];
    }
    m.texture = texture(model, rows[id].texture);
    m.sphere = texture(model, kinds[rows[id].kind].sphere);
    m.toon = texture(model, kinds[rows[id].kind].toon);
    return m;
}

void materials_make(dancer *d, mmd_model *model)
{
    model->textures = tool_alloc(&d->arena, 3 * MATERIAL_COUNT, sizeof *model->textures);
    model->materials = tool_alloc(&d->arena, MATERIAL_COUNT, sizeof *model->materials);
    model->material_count = MATERIAL_COUNT;
    for (int i = 0; i < MATERIAL_COUNT; i++)
        model->materials[i] = material(model, (material_id)i);
}
