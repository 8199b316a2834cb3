/* The morphs: names that motions use, and offsets of bone, material and group morphs. Offsets of vertex and
 * UV morphs come with the surfaces. */
#include "morphs.h"

#include <string.h>

#include "tool.h"

enum { BROW = 1, EYE, LIPS, OTHER }; /* MMD's panels */

static const struct {
    const char *name, *name_en;
    uint8_t panel, kind; /* mmd_morph_kind */
} table[MORPH_COUNT] = {
    [MORPH_SERIOUS] = {"真面目", "serious", BROW, MMD_MORPH_VERTEX},
    [MORPH_TROUBLED] = {"困る", "troubled", BROW, MMD_MORPH_VERTEX},
    [MORPH_CHEERFUL] = {"にこり", "cheerful", BROW, MMD_MORPH_VERTEX},
    [MORPH_ANGRY] = {"怒り", "angry", BROW, MMD_MORPH_VERTEX},
    [MORPH_BROW_UP] = {"上", "brows up", BROW, MMD_MORPH_VERTEX},
    [MORPH_BROW_DOWN] = {"下", "brows down", BROW, MMD_MORPH_VERTEX},
    [MORPH_BLINK] = {"まばたき", "blink", EYE, MMD_MORPH_VERTEX},
    [MORPH_SMILE] = {"笑い", "smile", EYE, MMD_MORPH_VERTEX},
    [MORPH_WINK] = {"ウィンク", "wink", EYE, MMD_MORPH_VERTEX},
    [MORPH_WINK_RIGHT] = {"ウィンク右", "wink right", EYE, MMD_MORPH_VERTEX},
    [MORPH_WINK2] = {"ウィンク２", "wink 2", EYE, MMD_MORPH_VERTEX},
    [MORPH_WINK2_RIGHT] = {"ｳｨﾝｸ２右", "wink 2 right", EYE, MMD_MORPH_VERTEX},
    [MORPH_CALM] = {"なごみ", "calm", EYE, MMD_MORPH_VERTEX},
    [MORPH_SURPRISED] = {"びっくり", "surprised", EYE, MMD_MORPH_VERTEX},
    [MORPH_HALF] = {"じと目", "half-lidded", EYE, MMD_MORPH_VERTEX},
    [MORPH_PUPIL_SMALL] = {"瞳小", "small pupils", EYE, MMD_MORPH_UV},
    [MORPH_A] = {"あ", "a", LIPS, MMD_MORPH_VERTEX},
    [MORPH_I] = {"い", "i", LIPS, MMD_MORPH_VERTEX},
    [MORPH_U] = {"う", "u", LIPS, MMD_MORPH_VERTEX},
    [MORPH_E] = {"え", "e", LIPS, MMD_MORPH_VERTEX},
    [MORPH_O] = {"お", "o", LIPS, MMD_MORPH_VERTEX},
    [MORPH_GRIN] = {"にやり", "grin", LIPS, MMD_MORPH_VERTEX},
    [MORPH_POUT] = {"む", "pout", LIPS, MMD_MORPH_VERTEX},
    [MORPH_CORNERS_UP] = {"口角上げ", "corners up", LIPS, MMD_MORPH_VERTEX},
    [MORPH_CORNERS_DOWN] = {"口角下げ", "corners down", LIPS, MMD_MORPH_VERTEX},
    [MORPH_BEAM] = {"にっこり", "beam", OTHER, MMD_MORPH_GROUP},
    [MORPH_BLUSHED] = {"照れ", "blush", OTHER, MMD_MORPH_MATERIAL},
    [MORPH_HAIR_COLOR] = {"髪色", "hair colour", OTHER, MMD_MORPH_MATERIAL},
    [MORPH_BREATH] = {"深呼吸", "deep breath", OTHER, MMD_MORPH_BONE},
};

morph_id morph_mirror(morph_id morph)
{
    switch (morph) {
    case MORPH_WINK:
        return MORPH_WINK_RIGHT;
    case MORPH_WINK_RIGHT:
        return MORPH_WINK;
    case MORPH_WINK2:
        return MORPH_WINK2_RIGHT;
    case MORPH_WINK2_RIGHT:
        return MORPH_WINK2;
    default:
        return morph;
    }
}

static const mmd_group_offset beam[] = {{MORPH_SMILE, 1}, {MORPH_GRIN, 0.7f}, {MORPH_CHEERFUL, 0.6f}};

/* Blush is always drawn, with alpha 0. */
static const mmd_material_offset blushed[] = {{MATERIAL_BLUSH, 1, {.diffuse = {0, 0, 0, 1}}}};

/* Everything is multiplied, so unchanged values are 1. */
static const mmd_material_offset hair_color[] = {{MATERIAL_HAIR,
                                                  0,
                                                  {.diffuse = {0.55f, 0.62f, 1, 1},
                                                   .specular = {1, 1, 1},
                                                   .specular_power = 1,
                                                   .ambient = {0.55f, 0.62f, 1},
                                                   .edge_color = {1, 1, 1, 1},
                                                   .edge_size = 1,
                                                   .texture_factor = {1, 1, 1, 1},
                                                   .sphere_factor = {1, 1, 1, 1},
                                                   .toon_factor = {1, 1, 1, 1}}}};

static void copy_offsets(dancer *d, mmd_morph *morph, const void *offsets, uint32_t count, size_t size)
{
    void *copy = tool_alloc(&d->arena, count, size);
    memcpy(copy, offsets, count * size);
    morph->count = count;
    morph->offsets.group = copy;
}

/* Makes a deep breath: the shoulders rise and the chest opens. */
static void make_breath(dancer *d, mmd_morph *morph)
{
    const struct {
        const char *bone;
        vec3 axis;
        float degrees;
    } rows[] = {
        {"上半身2", {{1, 0, 0}}, 2.5f}, {"首", {{1, 0, 0}}, -2.0f},   {"左肩", {{0, 0, 1}}, 5},
        {"右肩", {{0, 0, 1}}, -5},      {"左腕", {{0, 0, 1}}, -4.0f}, {"右腕", {{0, 0, 1}}, 4.0f},
    };
    mmd_bone_offset offsets[TOOL_COUNT(rows)];
    uint32_t count = TOOL_COUNT(rows);
    for (uint32_t i = 0; i < count; i++) {
        quat q = quat_about(to_radians(rows[i].degrees), rows[i].axis);
        offsets[i] =
            (mmd_bone_offset){.bone = rig_find(&d->rig, rows[i].bone), .rotation = {q.x, q.y, q.z, q.w}};
    }
    copy_offsets(d, morph, offsets, count, sizeof *offsets);
}

static void put_offset(mmd_morph *morph, void *array, uint32_t index, const dancer_offset *o)
{
    if (morph->kind == MMD_MORPH_VERTEX) {
        mmd_vertex_offset *to = (mmd_vertex_offset *)array + index;
        *to = (mmd_vertex_offset){(int32_t)o->vertex, {o->offset[0], o->offset[1], o->offset[2]}};
    } else {
        mmd_uv_offset *to = (mmd_uv_offset *)array + index;
        to->vertex = (int32_t)o->vertex;
        memcpy(to->offset, o->offset, sizeof to->offset);
    }
}

static void gather(dancer *d, morph_id id, mmd_morph *morph)
{
    size_t size = morph->kind == MMD_MORPH_VERTEX ? sizeof(mmd_vertex_offset) : sizeof(mmd_uv_offset);
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->offset_count; i++)
        count += d->offsets[i].morph == id;
    void *array = tool_alloc(&d->arena, count, size);
    morph->offsets.vertex = array;
    for (uint32_t i = 0; i < d->offset_count; i++)
        if (d->offsets[i].morph == id)
            put_offset(morph, array, morph->count++, &d->offsets[i]);
}

void morphs_make(dancer *d, mmd_model *model)
{
    model->morph_count = MORPH_COUNT;
    model->morphs = tool_alloc(&d->arena, MORPH_COUNT, sizeof *model->morphs);
    for (int i = 0; i < MORPH_COUNT; i++) {
        mmd_morph *morph = &model->morphs[i];
        *morph = (mmd_morph){.name = table[i].name,
                             .name_en = table[i].name_en,
                             .panel = table[i].panel,
                             .kind = table[i].kind};
        if (i == MORPH_BEAM)
            copy_offsets(d, morph, beam, TOOL_COUNT(beam), sizeof *beam);
        else if (i == MORPH_BLUSHED)
            copy_offsets(d, morph, blushed, 1, sizeof *blushed);
        else if (i == MORPH_HAIR_COLOR)
            copy_offsets(d, morph, hair_color, 1, sizeof *hair_color);
        else if (i == MORPH_BREATH)
            make_breath(d, morph);
        else
            gather(d, (morph_id)i, morph);
    }
}
