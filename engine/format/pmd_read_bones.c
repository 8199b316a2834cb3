/*
 * PMD bones and IK as PMX's (MMD.md 1.2, choice 7). PMX evaluates by layer:
 * 0 for the plain bones, 1 for IK bones and what hangs from them, 2 for the
 * bones that turn with another one (kind 5), which so see the result of IK,
 * and what hangs from those. A PMD bone may own several IK entries, a PMX
 * bone one: the others move to helpers, children added behind all bones.
 */
#include "pmd_reader.h"

#include <math.h>

enum { IK_SIZE = 11 }; /* before the links */

enum pmd_bone_kind {
    KIND_ROTATE = 0,
    KIND_MOVE = 1,
    KIND_IK = 2,
    KIND_UNKNOWN = 3,
    KIND_UNDER_IK = 4,
    KIND_UNDER_ROTATION = 5,
    KIND_IK_TARGET = 6,
    KIND_HIDDEN = 7,
    KIND_TWIST = 8,
    KIND_CO_ROTATE = 9
};

static uint16_t kind_flags(uint8_t kind)
{
    const uint16_t shown = MMD_BONE_ROTATABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE;
    switch (kind) {
    case KIND_MOVE:
    case KIND_IK:
        return shown | MMD_BONE_MOVABLE;
    case KIND_UNDER_ROTATION:
        return shown | MMD_BONE_APPEND_ROTATION;
    case KIND_IK_TARGET:
    case KIND_HIDDEN:
        return MMD_BONE_ROTATABLE;
    case KIND_CO_ROTATE:
        return MMD_BONE_ROTATABLE | MMD_BONE_APPEND_ROTATION;
    default:
        return shown;
    }
}

/* The kind of bone i, and the fields whose meaning depends on it. */
typedef struct bone_record {
    int32_t parent, tail; /* -1: none */
    uint8_t kind;
    uint16_t number; /* IK parent, append source or percentage */
} bone_record;

static const uint8_t *bone_bytes(const pmd_reader *reader, uint32_t i)
{
    return reader->bones + (size_t)i * PMD_BONE_SIZE;
}

static bone_record load_bone(pmd_reader *reader, uint32_t i)
{
    const uint8_t *p = bone_bytes(reader, i);
    uint16_t tail = load_u16(p + 22);
    return (bone_record){
        .parent = pmd_reference(reader, load_u16(p + 20), reader->bone_count, "bone", i, "parent"),
        .tail = tail ? pmd_reference(reader, tail, reader->bone_count, "bone", i, "tail") : -1,
        .kind = p[24],
        .number = load_u16(p + 25),
    };
}

/* The axis of a twist bone runs to its tail. Without a direction it is no twist bone. */
static void set_twist(const pmd_reader *reader, mmd_bone *bone, int32_t tail)
{
    if (tail < 0)
        return;
    float to[3], length = 0;
    memcpy(to, bone_bytes(reader, (uint32_t)tail) + 27, sizeof to);
    for (int k = 0; k < 3; k++) {
        to[k] -= bone->position[k];
        length += to[k] * to[k];
    }
    length = sqrtf(length);
    if (!(length > 0) || !isfinite(length))
        return;
    for (int k = 0; k < 3; k++)
        bone->fixed_axis[k] = to[k] / length;
    bone->flags |= MMD_BONE_FIXED_AXIS;
}

static void store_bone(pmd_reader *reader, mmd_bone *bone, uint32_t i)
{
    const uint8_t *p = bone_bytes(reader, i);
    bone_record record = load_bone(reader, i);
    bone->name = pmd_text(reader, p, PMD_NAME_SIZE);
    bone->name_en = "";
    memcpy(bone->position, p + 27, sizeof bone->position);
    bone->parent = record.parent;
    bone->flags = kind_flags(record.kind) | MMD_BONE_TAIL_IS_BONE;
    bone->tail_bone = record.tail;
    bone->append_source = bone->ik_target = -1;
    if (record.kind == KIND_UNDER_ROTATION) {
        bone->append_source =
            pmd_reference(reader, record.number, reader->bone_count, "bone", i, "append source");
        bone->append_ratio = 1;
    } else if (record.kind == KIND_CO_ROTATE) {
        /* The tail names the source and is none. */
        bone->append_source = record.tail;
        bone->append_ratio = (float)record.number / 100;
        bone->tail_bone = -1;
    } else if (record.kind == KIND_TWIST) {
        set_twist(reader, bone, record.tail);
    }
}

/* The IK block: checked, then walked again. */
typedef struct ik_block {
    const uint8_t *bytes;
    uint32_t count;
    uint32_t helper_count;
} ik_block;

static ik_block walk_ik(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_cursor_section(cursor, "IK", -1);
    ik_block block = {.count = mmd_cursor_check_count(cursor, mmd_read_u16(cursor), IK_SIZE)};
    block.bytes = mmd_read_bytes(cursor, 0);
    uint8_t *owns = model_reader_array(&reader->base, reader->bone_count, 1);
    for (uint32_t i = 0; i < block.count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "IK", i);
        const uint8_t *p = mmd_read_bytes(cursor, IK_SIZE);
        if (p && p[4] > reader->bone_count)
            mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u IK links, but there are %u bones", p[4],
                            reader->bone_count);
        if (!p || !mmd_read_bytes(cursor, 2 * (size_t)p[4]))
            break;
        uint16_t owner = load_u16(p);
        if (owner >= reader->bone_count)
            continue;
        block.helper_count += owns[owner];
        owns[owner] = 1;
    }
    return block;
}

static void limit_knee(mmd_ik_link *link, const char *name)
{
    if (strcmp(name, "左ひざ") != 0 && strcmp(name, "右ひざ") != 0)
        return;
    const float degree = 3.14159265358979f / 180;
    link->has_limit = true;
    link->lower[0] = -180 * degree;
    link->upper[0] = -0.5f * degree;
}

static void store_ik(pmd_reader *reader, mmd_bone *bone, const uint8_t *p, uint32_t item)
{
    const mmd_bone *bones = reader->base.model->bones;
    uint32_t link_count = p[4];
    mmd_ik_link *links = model_reader_array(&reader->base, link_count, sizeof *links);
    if (!links)
        return;
    for (uint32_t i = 0; i < link_count; i++) {
        links[i].bone = pmd_reference(reader, load_u16(p + IK_SIZE + 2 * (size_t)i), reader->bone_count, "IK",
                                      item, "link");
        if (links[i].bone >= 0)
            limit_knee(&links[i], bones[links[i].bone].name);
    }
    bone->flags |= MMD_BONE_IK;
    bone->ik_target = pmd_reference(reader, load_u16(p + 2), reader->bone_count, "IK", item, "target");
    bone->ik_loops = load_u16(p + 5);
    bone->ik_limit = load_f32(p + 7) * 4;
    bone->ik_links = links;
    bone->ik_link_count = link_count;
}

static mmd_bone *add_helper(mmd_model *model, uint16_t owner)
{
    mmd_bone *helper = &model->bones[model->bone_count++];
    const mmd_bone *bone = &model->bones[owner];
    *helper = (mmd_bone){
        .name = bone->name,
        .name_en = bone->name_en,
        .parent = owner,
        .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE | MMD_BONE_TAIL_IS_BONE,
        .internal = true,
        .tail_bone = -1,
        .append_source = -1,
        .ik_target = -1,
    };
    memcpy(helper->position, bone->position, sizeof helper->position);
    return helper;
}

static void store_all_ik(pmd_reader *reader, const ik_block *block)
{
    mmd_model *model = reader->base.model;
    const uint8_t *p = block->bytes;
    model->pmd_ik_bones = model_reader_array(&reader->base, block->count, sizeof *model->pmd_ik_bones);
    model->pmd_ik_count = model->pmd_ik_bones ? block->count : 0;
    for (uint32_t i = 0; i < model->pmd_ik_count; i++, p += IK_SIZE + 2 * (size_t)p[4]) {
        uint16_t owner = load_u16(p);
        model->pmd_ik_bones[i] = owner < reader->bone_count ? owner : -1;
        if (owner >= reader->bone_count) {
            model_reader_broken(&reader->base, "IK", i, "bone", owner);
            continue;
        }
        mmd_bone *bone = &model->bones[owner];
        store_ik(reader, bone->flags & MMD_BONE_IK ? add_helper(model, owner) : bone, p, i);
    }
}

static int32_t own_layer(const pmd_reader *reader, uint32_t i)
{
    uint8_t kind = i < reader->bone_count ? bone_bytes(reader, i)[24] : KIND_IK;
    if (kind == KIND_UNDER_ROTATION)
        return 2;
    return kind == KIND_IK || (reader->base.model->bones[i].flags & MMD_BONE_IK) ? 1 : 0;
}

/* Each bone's own layer or its parent's, whichever is higher; parents may stand behind their children. */
static void set_layers(pmd_reader *reader)
{
    mmd_model *model = reader->base.model;
    uint32_t *chain = model_reader_array(&reader->base, model->bone_count, sizeof *chain);
    if (!chain)
        return;
    for (uint32_t i = 0; i < model->bone_count; i++)
        model->bones[i].layer = -1;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        uint32_t depth = 0;
        for (int32_t at = (int32_t)i; at >= 0 && model->bones[at].layer < 0; at = model->bones[at].parent)
            chain[depth++] = (uint32_t)at;
        while (depth > 0) {
            mmd_bone *bone = &model->bones[chain[--depth]];
            int32_t own = own_layer(reader, chain[depth]);
            int32_t above = bone->parent >= 0 ? model->bones[bone->parent].layer : 0;
            bone->layer = own > above ? own : above;
        }
    }
}

void pmd_read_bones(pmd_reader *reader)
{
    mmd_cursor *cursor = &reader->base.cursor;
    mmd_model *model = reader->base.model;
    mmd_cursor_section(cursor, "bone", -1);
    reader->bone_count = mmd_cursor_check_count(cursor, mmd_read_u16(cursor), PMD_BONE_SIZE);
    reader->bones = mmd_read_bytes(cursor, (size_t)reader->bone_count * PMD_BONE_SIZE);
    ik_block block = walk_ik(reader);
    mmd_bone *bones =
        model_reader_array(&reader->base, reader->bone_count + block.helper_count, sizeof *bones);
    if (!mmd_cursor_ok(cursor))
        return;
    for (uint32_t i = 0; i < reader->bone_count; i++)
        store_bone(reader, &bones[i], i);
    model->bones = bones;
    model->bone_count = reader->bone_count;
    store_all_ik(reader, &block);
    model_reader_mend_circles(&reader->base);
    set_layers(reader);
}
