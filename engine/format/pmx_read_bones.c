/* PMX bones and display frames. Layout: MMD.md 1.1. */
#include "pmx_reader.h"

static int32_t read_bone_index(model_reader *reader, uint32_t count, uint32_t item, const char *field)
{
    return pmx_reference(reader, reader->model->layout.bone_index_size, count, "bone", item, field);
}

static void read_ik_links(model_reader *reader, mmd_bone *bone, uint32_t bone_count, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    uint32_t count = mmd_cursor_count(cursor, reader->model->layout.bone_index_size + 1u);
    if (count > bone_count)
        mmd_cursor_fail(cursor, MMD_ERROR_COUNT, "%u IK links, but there are %u bones", count, bone_count);
    mmd_ik_link *links = model_reader_array(reader, count, sizeof *links);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        links[i].bone = read_bone_index(reader, bone_count, item, "IK link");
        links[i].has_limit = pmx_switch(reader, "an IK link's limit");
        if (!links[i].has_limit)
            continue;
        mmd_read_floats(cursor, links[i].lower, 3);
        mmd_read_floats(cursor, links[i].upper, 3);
    }
    bone->ik_links = links;
    bone->ik_link_count = count;
}

static void read_ik(model_reader *reader, mmd_bone *bone, uint32_t bone_count, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    bone->ik_target = read_bone_index(reader, bone_count, item, "IK target");
    bone->ik_loops = mmd_read_i32(cursor);
    bone->ik_limit = mmd_read_f32(cursor);
    read_ik_links(reader, bone, bone_count, item);
}

static void read_bone(model_reader *reader, mmd_bone *bone, uint32_t bone_count, uint32_t item)
{
    mmd_cursor *cursor = &reader->cursor;
    bone->name = pmx_text(reader);
    bone->name_en = pmx_text(reader);
    mmd_read_floats(cursor, bone->position, 3);
    bone->parent = read_bone_index(reader, bone_count, item, "parent");
    bone->layer = mmd_read_i32(cursor);
    bone->flags = mmd_read_u16(cursor);
    bone->tail_bone = bone->append_source = bone->ik_target = -1;
    if (bone->flags & MMD_BONE_TAIL_IS_BONE)
        bone->tail_bone = read_bone_index(reader, bone_count, item, "tail");
    else
        mmd_read_floats(cursor, bone->tail_offset, 3);
    if (bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION)) {
        bone->append_source = read_bone_index(reader, bone_count, item, "append source");
        bone->append_ratio = mmd_read_f32(cursor);
    }
    if (bone->flags & MMD_BONE_FIXED_AXIS)
        mmd_read_floats(cursor, bone->fixed_axis, 3);
    if (bone->flags & MMD_BONE_LOCAL_AXIS) {
        mmd_read_floats(cursor, bone->local_x, 3);
        mmd_read_floats(cursor, bone->local_z, 3);
    }
    if (bone->flags & MMD_BONE_EXTERNAL_PARENT)
        bone->external_key = mmd_read_i32(cursor);
    if (bone->flags & MMD_BONE_IK)
        read_ik(reader, bone, bone_count, item);
}

void pmx_read_bones(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_cursor_section(cursor, "bone", -1);
    /* Two texts, position, parent, layer, flags and at least a tail bone. */
    uint32_t count = mmd_cursor_count(cursor, 8 + 12 + 6 + 2 * (size_t)reader->model->layout.bone_index_size);
    mmd_bone *bones = model_reader_array(reader, count, sizeof *bones);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "bone", i);
        read_bone(reader, &bones[i], count, i);
    }
    if (!mmd_cursor_ok(cursor))
        return;
    reader->model->bones = bones;
    reader->model->bone_count = count;
    model_reader_mend_circles(reader);
}

static void read_frame_item(model_reader *reader, mmd_frame_item *item, uint32_t frame)
{
    mmd_model *model = reader->model;
    item->kind = pmx_switch(reader, "an item's kind");
    if (item->kind == 0)
        item->index =
            pmx_reference(reader, model->layout.bone_index_size, model->bone_count, "frame", frame, "bone");
    else
        item->index = pmx_reference(reader, model->layout.morph_index_size, model->morph_count, "frame",
                                    frame, "morph");
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void pmx_read_frames(model_reader *reader)
{
    mmd_cursor *cursor = &reader->cursor;
    mmd_model *model = reader->model;
    mmd_cursor_section(cursor, "frame", -1);
    uint32_t count = mmd_cursor_count(cursor, 13);
    mmd_display_frame *frames = model_reader_array(reader, count, sizeof *frames);
    for (uint32_t i = 0; i < count && mmd_cursor_ok(cursor); i++) {
        mmd_cursor_section(cursor, "frame", i);
        frames[i].name = pmx_text(reader);
        frames[i].name_en = pmx_text(reader);
        frames[i].special = mmd_read_u8(cursor);
        size_t index = smaller(model->layout.bone_index_size, model->layout.morph_index_size);
        frames[i].count = mmd_cursor_count(cursor, 1 + index);
        mmd_frame_item *items = model_reader_array(reader, frames[i].count, sizeof *items);
        for (uint32_t k = 0; k < frames[i].count && mmd_cursor_ok(cursor); k++)
            read_frame_item(reader, &items[k], i);
        frames[i].items = items;
    }
    model->frames = frames;
    model->frame_count = count;
}
