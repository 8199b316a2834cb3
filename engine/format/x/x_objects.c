/*
 * Objects of .x files: frames with their matrices, meshes and materials at
 * any depth; all else (templates, animations, skin weights, headers) is
 * skipped. Frames nest by a number, not by calls: no file is too deep.
 */
#include "x_reader.h"

x_span x_object_name(x_reader *reader)
{
    x_span name = {0};
    for (;;) {
        x_token token = x_next(&reader->lexer);
        if (token.kind == X_OPEN)
            return name;
        /* A name may begin with a digit, and looks like a number then. */
        if (token.kind != X_NAME && token.kind != X_NUMBER && token.kind != X_OTHER) {
            x_expected(&reader->lexer, &token, "`{'");
            return (x_span){0};
        }
        if (name.size == 0)
            name = token.span;
    }
}

/* Behind the brace of a reference. */
static x_span read_reference(x_reader *reader)
{
    x_span name = {0};
    for (;;) {
        x_token token = x_next(&reader->lexer);
        if (token.kind == X_CLOSE)
            return name;
        if (token.kind == X_END || token.kind == X_OPEN) {
            x_expected(&reader->lexer, &token, "`}'");
            return (x_span){0};
        }
        if (name.size == 0)
            name = token.span;
    }
}

static void read_member(x_reader *reader, x_span type, const x_rules *rules, void *object)
{
    x_span name = x_object_name(reader);
    for (size_t i = 0; i < rules->count; i++)
        if (mmd_cursor_ok(&reader->base.cursor) && x_span_is(type, rules->rules[i].type)) {
            rules->rules[i].read(reader, object, name);
            return;
        }
    x_skip_block(&reader->lexer);
}

void x_read_members(x_reader *reader, const x_rules *rules, void *object)
{
    mmd_cursor *cursor = &reader->base.cursor;
    while (mmd_cursor_ok(cursor)) {
        x_token token = x_next(&reader->lexer);
        if (token.kind == X_CLOSE)
            return;
        if (token.kind == X_END) {
            x_expected(&reader->lexer, &token, "`}'");
        } else if (token.kind == X_NAME) {
            read_member(reader, token.span, rules, object);
        } else if (token.kind == X_OPEN) {
            x_span name = read_reference(reader);
            if (rules->reference && name.size && mmd_cursor_ok(cursor))
                rules->reference(reader, object, name);
        }
        /* Other tokens: numbers and texts that only a longer template knows. */
    }
}

static void open_frame(x_reader *reader, int32_t *frame)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    x_frame *made = x_array_add(reader, &reader->frames, sizeof *made);
    if (!made)
        return;
    made->parent = *frame;
    memcpy(made->matrix, identity, sizeof identity);
    *frame = (int32_t)reader->frames.count - 1;
}

static void read_matrix(x_reader *reader, int32_t frame)
{
    static const x_rules nothing = {0};
    float matrix[16];
    x_reals(&reader->lexer, matrix, 16);
    x_read_members(reader, &nothing, NULL);
    if (frame >= 0 && mmd_cursor_ok(&reader->base.cursor))
        memcpy(((x_frame *)reader->frames.items)[frame].matrix, matrix, sizeof matrix);
}

/* Frames hold meshes in place or by their names; what lies in no frame is a model's part already. */
static void keep_reference(x_reader *reader, int32_t frame)
{
    x_span name = read_reference(reader);
    if (frame < 0 || name.size == 0 || !mmd_cursor_ok(&reader->base.cursor))
        return;
    x_reference *reference = x_array_add(reader, &reader->references, sizeof *reference);
    if (reference)
        *reference = (x_reference){frame, name};
}

static void read_object(x_reader *reader, x_span type, int32_t *frame)
{
    x_span name = x_object_name(reader);
    if (!mmd_cursor_ok(&reader->base.cursor))
        return;
    x_names_add(reader, &reader->object_names, name,
                x_span_is(type, "Mesh") ? reader->meshes.count : X_NO_MESH);
    if (x_span_is(type, "Frame"))
        open_frame(reader, frame);
    else if (x_span_is(type, "FrameTransformMatrix"))
        read_matrix(reader, *frame);
    else if (x_span_is(type, "Mesh"))
        x_read_mesh(reader, *frame);
    else if (x_span_is(type, "Material"))
        x_read_material(reader, name);
    else
        x_skip_block(&reader->lexer);
}

/* The end of a frame. */
static void close_frame(x_reader *reader, const x_token *token, int32_t *frame)
{
    if (*frame < 0)
        x_expected(&reader->lexer, token, "an object, not `}'");
    else
        *frame = ((const x_frame *)reader->frames.items)[*frame].parent;
}

void x_read_objects(x_reader *reader)
{
    int32_t frame = -1;
    mmd_cursor *cursor = &reader->base.cursor;
    while (mmd_cursor_ok(cursor)) {
        mmd_cursor_section(cursor, frame < 0 ? "objects" : "frame", frame);
        x_token token = x_next(&reader->lexer);
        if (token.kind == X_END) {
            if (frame >= 0)
                x_expected(&reader->lexer, &token, "`}'");
            return;
        }
        if (token.kind == X_NAME)
            read_object(reader, token.span, &frame);
        else if (token.kind == X_OPEN)
            keep_reference(reader, frame);
        else if (token.kind == X_CLOSE)
            close_frame(reader, &token, &frame);
    }
}
