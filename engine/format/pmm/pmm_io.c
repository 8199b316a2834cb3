/* The steps of the walk over a project: bytes, texts, counts, tables of members. */
#include "pmm_io.h"

#include "mmd/text.h"

#include <assert.h>
#include <string.h>

bool pmm_ok(const pmm_io *io)
{
    return mmd_cursor_ok(&io->cursor);
}

void pmm_section(pmm_io *io, const char *section, int64_t item)
{
    mmd_cursor_section(&io->cursor, section, item);
}

void pmm_fail(pmm_io *io, mmd_status code, const char *message)
{
    if (io->out)
        io->cursor.at = io->out->size;
    mmd_cursor_fail(&io->cursor, code, "%s", message);
}

void pmm_repair(pmm_io *io, uint32_t item, const char *what)
{
    mmd_project *project = io->project;
    if (!project->repairs)
        project->repairs = mmd_arena_alloc(&project->arena, MMD_PROJECT_REPAIR_MAX, sizeof *project->repairs);
    if (!project->repairs) {
        pmm_fail(io, MMD_ERROR_MEMORY, "no memory for the repairs");
        return;
    }
    project->repair_count++;
    if (project->repair_kept < MMD_PROJECT_REPAIR_MAX)
        project->repairs[project->repair_kept++] = (mmd_project_repair){
            .section = io->cursor.section, .model = io->owner, .item = item, .what = what};
}

void pmm_bytes(pmm_io *io, void *data, size_t size)
{
    if (io->out) {
        mmd_write_bytes(io->out, data, size);
        return;
    }
    const uint8_t *bytes = mmd_read_bytes(&io->cursor, size);
    if (bytes && size)
        memcpy(data, bytes, size);
}

/* ---- texts ---- */

enum {
    TEXT_ROOM = 3 * PMM_PATH_SIZE + 1
}; /* no CP932 character takes more than three bytes a byte in UTF-8 */

/* The field's text up to its NUL. Returns its length. */
static size_t decode(const uint8_t *raw, size_t size, char text[TEXT_ROOM])
{
    const uint8_t *end = size ? memchr(raw, 0, size) : NULL;
    size_t length = mmd_utf8_from_cp932(raw, end ? (size_t)(end - raw) : size, text, TEXT_ROOM - 1, NULL);
    assert(length < TEXT_ROOM);
    text[length] = '\0';
    return length;
}

static void read_text(pmm_io *io, mmd_project_text *text, size_t size)
{
    char decoded[TEXT_ROOM];
    *text = (mmd_project_text){.text = "", .raw = mmd_read_bytes(&io->cursor, size)};
    if (!text->raw)
        return;
    text->raw_size = (uint32_t)size;
    size_t length = decode(text->raw, size, decoded);
    if (length == 0)
        return;
    const char *copy = mmd_arena_text(&io->project->arena, decoded, length);
    if (copy)
        text->text = copy;
    else
        pmm_fail(io, MMD_ERROR_MEMORY, "no memory for a text");
}

/* Whether the field as read still says what the text says. */
static bool raw_holds(const mmd_project_text *text, size_t limit)
{
    char decoded[TEXT_ROOM];
    if (!text->raw || text->raw_size > limit)
        return false;
    decode(text->raw, text->raw_size, decoded);
    return strcmp(decoded, text->text) == 0;
}

/* The text in CP932; 0 bytes, and a failure, where it has more than limit. */
static size_t encode(pmm_io *io, const mmd_project_text *text, uint8_t *out, size_t limit)
{
    bool lossy = false;
    size_t size = mmd_cp932_from_utf8(text->text, strlen(text->text), out, limit, &lossy);
    io->lossy |= lossy;
    if (size <= limit)
        return size;
    pmm_fail(io, MMD_ERROR_LIMIT, "a text that is longer than its field");
    return 0;
}

void pmm_string(pmm_io *io, mmd_project_text *text)
{
    if (!io->out) {
        read_text(io, text, mmd_read_u8(&io->cursor));
        return;
    }
    uint8_t encoded[PMM_NAME_MAX];
    bool raw = raw_holds(text, PMM_NAME_MAX);
    size_t size = raw ? text->raw_size : encode(io, text, encoded, sizeof encoded);
    mmd_write_u8(io->out, (uint8_t)size);
    mmd_write_bytes(io->out, raw ? text->raw : encoded, size);
}

void pmm_fixed(pmm_io *io, mmd_project_text *text, size_t size)
{
    assert(size <= PMM_PATH_SIZE);
    if (!io->out) {
        read_text(io, text, size);
        return;
    }
    uint8_t encoded[PMM_PATH_SIZE];
    bool raw = text->raw_size == size && raw_holds(text, size);
    size_t used = raw ? size : encode(io, text, encoded, size - 1);
    mmd_write_bytes(io->out, raw ? text->raw : encoded, used);
    mmd_write_zeros(io->out, size - used);
}

/* ---- counts and memory ---- */

void pmm_count(pmm_io *io, uint32_t *count, size_t min_size)
{
    if (!io->out) {
        *count = mmd_cursor_count(&io->cursor, min_size);
        return;
    }
    assert(*count <= INT32_MAX);
    mmd_write_i32(io->out, (int32_t)*count);
}

void pmm_count8(pmm_io *io, uint32_t *count, size_t min_size)
{
    if (!io->out) {
        *count = mmd_cursor_check_count(&io->cursor, mmd_read_u8(&io->cursor), min_size);
        return;
    }
    assert(*count <= UINT8_MAX);
    mmd_write_u8(io->out, (uint8_t)*count);
}

void *pmm_room(pmm_io *io, void *there, uint32_t *count, size_t size)
{
    if (io->out)
        return there;
    void *room = pmm_ok(io) ? mmd_arena_alloc(&io->project->arena, *count, size) : NULL;
    if (!room) {
        *count = 0;
        pmm_fail(io, MMD_ERROR_MEMORY, "no memory for the records");
    }
    return room;
}

void *pmm_scratch(pmm_io *io, size_t count, size_t size)
{
    if (!pmm_ok(io))
        return NULL;
    void *memory = mmd_arena_alloc(&io->scratch, count, size);
    if (!memory)
        pmm_fail(io, MMD_ERROR_MEMORY, "no memory for the records");
    return memory;
}

void pmm_fields(pmm_io *io, const pmm_field *fields, size_t count, void *object)
{
    for (size_t i = 0; i < count; i++)
        pmm_bytes(io, (uint8_t *)object + fields[i].offset, fields[i].size);
}
