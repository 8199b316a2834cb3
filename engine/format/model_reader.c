/* Shared parts of the model readers: memory, texts, checks of references, rigid bodies and joints. */
#include "model_reader.h"

#include <assert.h>
#include <stdio.h>

bool model_reader_start(model_reader *reader, const void *data, size_t size, mmd_model_origin origin,
                        mmd_error *error)
{
    assert(reader);
    assert(data || size == 0);
    *reader = (model_reader){.cursor = mmd_cursor_make(data, size, error)};
    mmd_cursor_section(&reader->cursor, "header", -1);
    if (size > SIZE_MAX / 2 / MMD_MODEL_MEMORY_FACTOR) {
        mmd_cursor_fail(&reader->cursor, MMD_ERROR_LIMIT, "a file of %zu bytes", size);
        return false;
    }
    mmd_model *model = mmd_alloc(sizeof *model);
    if (!model) {
        mmd_cursor_fail(&reader->cursor, MMD_ERROR_MEMORY, "no memory for a model");
        return false;
    }
    *model = (mmd_model){.origin = origin, .name = "", .name_en = "", .comment = "", .comment_en = ""};
    model->arena.limit = MMD_MODEL_MEMORY_FACTOR * size + MMD_MODEL_MEMORY_EXTRA;
    reader->model = model;
    /* Most models need less than twice their file size; memory that is not touched costs nothing. */
    mmd_arena_reserve(&model->arena, 2 * size);
    return true;
}

/* Tests whether an array does not fit below the limit of an arena, rather than in the memory of the machine.
 */
static bool is_over_limit(const mmd_arena *arena, size_t count, size_t size)
{
    enum { ALIGNMENT = 64 }; /* at most */
    size_t left = arena->limit - arena->used;
    return left < ALIGNMENT || count > (left - ALIGNMENT) / size;
}

void *model_memory(mmd_cursor *cursor, mmd_arena *arena, size_t count, size_t size)
{
    assert(cursor && arena);
    if (!mmd_cursor_ok(cursor))
        return NULL;
    void *memory = mmd_arena_alloc(arena, count, size);
    if (!memory && arena->limit && is_over_limit(arena, count, size))
        mmd_cursor_fail(cursor, MMD_ERROR_LIMIT,
                        "the model would take over %zu bytes, which is too much for a file of its size",
                        arena->limit);
    else if (!memory)
        mmd_cursor_fail(cursor, MMD_ERROR_MEMORY, "no memory for %zu times %zu bytes", count, size);
    return memory;
}

void *model_reader_array(model_reader *reader, size_t count, size_t size)
{
    assert(reader);
    return model_memory(&reader->cursor, &reader->model->arena, count, size);
}

const char *model_reader_text(model_reader *reader, const uint8_t *bytes, size_t size,
                              model_text_decoder *decode)
{
    assert(reader);
    if (!bytes || size == 0)
        return "";
    /* Nearly all texts are short names, so decode into a small buffer first instead of measuring. */
    char small[256];
    size_t length = decode(bytes, size, small, sizeof small);
    char *text = model_reader_array(reader, length + 1, 1);
    if (!text)
        return "";
    if (length <= sizeof small)
        memcpy(text, small, length);
    else
        decode(bytes, size, text, length);
    return text;
}

void model_reader_broken(model_reader *reader, const char *section, uint32_t item, const char *field,
                         int64_t value)
{
    assert(reader);
    mmd_model *model = reader->model;
    if (!model->broken_references)
        model->broken_references =
            model_reader_array(reader, MMD_BROKEN_REFERENCE_MAX, sizeof *model->broken_references);
    model->broken_reference_count++;
    if (!model->broken_references || model->broken_reference_listed == MMD_BROKEN_REFERENCE_MAX)
        return;
    mmd_broken_reference *broken = &model->broken_references[model->broken_reference_listed++];
    snprintf(broken->section, sizeof broken->section, "%s", section);
    snprintf(broken->field, sizeof broken->field, "%s", field);
    broken->item = item;
    broken->value = value;
}

int32_t model_reader_reference(model_reader *reader, int64_t value, uint32_t count, const char *section,
                               uint32_t item, const char *field)
{
    assert(reader);
    if (value >= 0 && value < (int64_t)count)
        return (int32_t)value;
    if (value != -1 && mmd_cursor_ok(&reader->cursor))
        model_reader_broken(reader, section, item, field, value);
    return -1;
}

uint8_t model_reader_choice(model_reader *reader, uint8_t value, uint8_t max, const char *section,
                            uint32_t item, const char *field)
{
    assert(reader);
    if (value <= max)
        return value;
    model_reader_broken(reader, section, item, field, value);
    return 0;
}

void model_reader_check_vertices(model_reader *reader)
{
    assert(reader);
    if (!mmd_cursor_ok(&reader->cursor))
        return;
    mmd_model *model = reader->model;
    mmd_vertices *vertices = &model->vertices;
    /* Add 1 so that -1 becomes 0; then everything above the number of bones is wrong. */
    uint32_t largest = 0;
    for (uint32_t i = 0; i < vertices->count; i++)
        for (int k = 0; k < 4; k++) {
            uint32_t bone = (uint32_t)vertices->bone[i][k] + 1;
            largest = bone > largest ? bone : largest;
        }
    if (largest <= model->bone_count)
        return;
    for (uint32_t i = 0; i < vertices->count; i++)
        for (int k = 0; k < 4; k++)
            vertices->bone[i][k] =
                model_reader_reference(reader, vertices->bone[i][k], model->bone_count, "vertex", i, "bone");
}

void model_reader_check_materials(model_reader *reader)
{
    assert(reader);
    mmd_model *model = reader->model;
    uint32_t first = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        mmd_material *material = &model->materials[i];
        uint32_t left = model->index_count - first;
        if (material->index_count > left) {
            model_reader_broken(reader, "material", i, "index count", material->index_count);
            material->index_count = left;
        }
        material->first_index = first;
        first += material->index_count;
    }
    if (first < model->index_count)
        model_reader_broken(reader, "surface", first, "material", -1);
}

void model_reader_mend_circles(model_reader *reader)
{
    assert(reader);
    mmd_model *model = reader->model;
    uint32_t *marks = model_reader_array(reader, model->bone_count, sizeof *marks);
    if (!marks)
        return;
    for (uint32_t i = 0; i < model->bone_count; i++) {
        int32_t bone = mmd_model_parent_cycle(model, i, marks);
        if (bone < 0)
            continue;
        model_reader_broken(reader, "bone", (uint32_t)bone, "parent", model->bones[bone].parent);
        model->bones[bone].parent = -1;
    }
}

void model_reader_body(model_reader *reader, mmd_rigid_body *body, uint32_t item)
{
    assert(reader && body);
    mmd_cursor *cursor = &reader->cursor;
    body->group = model_reader_choice(reader, mmd_read_u8(cursor), 15, "body", item, "group");
    body->mask = mmd_read_u16(cursor);
    body->shape = model_reader_choice(reader, mmd_read_u8(cursor), 2, "body", item, "shape");
    mmd_read_floats(cursor, body->size, 3);
    mmd_read_floats(cursor, body->position, 3);
    mmd_read_floats(cursor, body->rotation, 3);
    body->mass = mmd_read_f32(cursor);
    body->linear_damping = mmd_read_f32(cursor);
    body->angular_damping = mmd_read_f32(cursor);
    body->restitution = mmd_read_f32(cursor);
    body->friction = mmd_read_f32(cursor);
    body->mode = model_reader_choice(reader, mmd_read_u8(cursor), 2, "body", item, "mode");
}

void model_reader_joint(model_reader *reader, mmd_joint *joint)
{
    assert(reader && joint);
    mmd_cursor *cursor = &reader->cursor;
    mmd_read_floats(cursor, joint->position, 3);
    mmd_read_floats(cursor, joint->rotation, 3);
    mmd_read_floats(cursor, joint->linear_lower, 3);
    mmd_read_floats(cursor, joint->linear_upper, 3);
    mmd_read_floats(cursor, joint->angular_lower, 3);
    mmd_read_floats(cursor, joint->angular_upper, 3);
    mmd_read_floats(cursor, joint->linear_spring, 3);
    mmd_read_floats(cursor, joint->angular_spring, 3);
}

mmd_status model_reader_finish(model_reader *reader, mmd_model **result)
{
    assert(reader);
    mmd_status status = reader->cursor.status;
    if (status == MMD_OK)
        status = mmd_model_prepare(reader->model, reader->cursor.error);
    if (status != MMD_OK) {
        mmd_model_destroy(reader->model);
        return status;
    }
    *result = reader->model;
    return MMD_OK;
}
