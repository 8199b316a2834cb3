/*
 * mmd_exchange_read: detects the format, runs its reader, reads the kept source and restores it;
 * mmd_exchange_destroy.
 *
 * mmd_exchange_kept lies in the document's arena, as do its arrays of stamps. Its JSON and its buffers are on
 * the heap and released one by one.
 */
#include <assert.h>
#include <string.h>

#include "gltf/reader.h"
#include "roundtrip/keep.h"

/* ------------------------------------------------------------- detection */

enum { GLB_HEADER = 12 };

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    return at;
}

/* Returns the position after a string; `at` is its opening quote. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at < end ? at + 1 : end;
}

/* Returns the format that a quoted key of the outermost object belongs to. */
static mmd_exchange_format format_of_key(const char *key, size_t length)
{
    static const struct {
        const char *key;
        mmd_exchange_format format;
    } keys[] = {{"\"asset\"", MMD_EXCHANGE_GLTF},       {"\"accessors\"", MMD_EXCHANGE_GLTF},
                {"\"bufferViews\"", MMD_EXCHANGE_GLTF}, {"\"extensionsUsed\"", MMD_EXCHANGE_GLTF},
                {"\"schema\"", MMD_EXCHANGE_RAGDOLL},   {"\"entities\"", MMD_EXCHANGE_RAGDOLL}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strlen(keys[i].key) == length && memcmp(keys[i].key, key, length) == 0)
            return keys[i].format;
    return MMD_EXCHANGE_UNKNOWN;
}

/* Returns the format of the first key of the outermost object that identifies one. */
static mmd_exchange_format detect_text(const char *at, const char *end)
{
    int depth = 0;
    while (at < end) {
        const char *start = at;
        if (*at == '"') {
            at = skip_string(at, end);
            const char *next = skip_blanks(at, end);
            mmd_exchange_format format = MMD_EXCHANGE_UNKNOWN;
            if (depth == 1 && next < end && *next == ':')
                format = format_of_key(start, (size_t)(at - start));
            if (format != MMD_EXCHANGE_UNKNOWN)
                return format;
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    }
    return MMD_EXCHANGE_UNKNOWN;
}

/*
 * Detects the format of a UTF-16 document from its first 1024 characters, so that the reader can report the
 * wrong encoding.
 */
static mmd_exchange_format detect_wide(const char *text, size_t size)
{
    char narrow[1024];
    size_t count = size / 2 < sizeof narrow ? size / 2 : sizeof narrow;
    bool big = json_wide_is_big(text);
    for (size_t i = 0; i < count; i++)
        narrow[i] = text[2 * i + (big ? 0 : 1)] ? '?' : text[2 * i + (big ? 1 : 0)];
    const char *start =
        skip_blanks(narrow + (narrow[0] == '?'), narrow + count); /* after the byte order mark */
    return start < narrow + count && *start == '{' ? detect_text(start, narrow + count)
                                                   : MMD_EXCHANGE_UNKNOWN;
}

mmd_exchange_format mmd_exchange_detect(const void *data, size_t size)
{
    assert(data || size == 0);
    const char *text = data, *end = text + size;
    if (size >= GLB_HEADER && memcmp(text, "glTF", 4) == 0)
        return MMD_EXCHANGE_GLTF;
    if (json_is_wide(text, size))
        return detect_wide(text, size);
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    text = skip_blanks(text, end);
    return text < end && *text == '{' ? detect_text(text, end) : MMD_EXCHANGE_UNKNOWN;
}

/* --------------------------------------------------------------- reading */

/* Allocates an empty document. */
static mmd_exchange *create(mmd_exchange_format format)
{
    mmd_exchange *document = mmd_alloc(sizeof *document);
    if (!document)
        return NULL;
    *document = (mmd_exchange){.format = format, .generator = ""};
    document->kept = mmd_arena_alloc(&document->arena, 1, sizeof *document->kept);
    document->model = mmd_alloc(sizeof *document->model);
    if (document->model)
        *document->model = (mmd_model){0};
    if (document->kept && document->model)
        return document;
    mmd_exchange_destroy(document);
    return NULL;
}

static mmd_status read_gltf(mmd_exchange *document, const void *data, size_t size, mmd_source *source,
                            const char *folder, mmd_error *error)
{
    gltf_file file = {.reader.error = error, .document = document, .source = source, .folder = folder};
    mmd_status status = gltf_open(&file, data, size);
    if (status == MMD_OK)
        status = gltf_read_scene(&file);
    return status == MMD_OK ? gltf_read_physics(&file) : status;
}

static mmd_status read_ragdoll(mmd_exchange *document, const void *data, size_t size, mmd_error *error)
{
    json_reader reader;
    document->arena.limit = gltf_memory_limit(size);
    mmd_status status = json_reader_parse(&reader, data, size, 0, &document->arena, error);
    document->kept->root = reader.root;
    return status == MMD_OK ? ragdoll_read(&reader, document) : status;
}

mmd_status exchange_read_level(const void *data, size_t size, mmd_source *source, const char *folder,
                               uint32_t level, mmd_exchange **result, mmd_error *error)
{
    assert(result);
    assert(data || size == 0);
    *result = NULL;
    mmd_exchange_format format = mmd_exchange_detect(data, size);
    if (format == MMD_EXCHANGE_UNKNOWN)
        return mmd_error_set(error, MMD_ERROR_MAGIC, "file", 0, "neither glTF nor Ragdoll");
    mmd_exchange *document = create(format);
    if (!document)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "file", MMD_NO_OFFSET, "no memory for a document");
    document->kept->level = level;
    mmd_status status = format == MMD_EXCHANGE_GLTF
                            ? read_gltf(document, data, size, source, folder ? folder : "", error)
                            : read_ragdoll(document, data, size, error);
    if (status == MMD_OK)
        status = keep_read(document);
    if (status == MMD_OK)
        status = restore_kept(document, error);
    if (status != MMD_OK) {
        mmd_exchange_destroy(document);
        return status;
    }
    document->model->physscene = document->physscene;
    *result = document;
    return MMD_OK;
}

mmd_status mmd_exchange_read(const void *data, size_t size, mmd_source *source, const char *folder,
                             mmd_exchange **result, mmd_error *error)
{
    assert(result);
    assert(data || size == 0);
    return exchange_read_level(data, size, source, folder, 0, result, error);
}

/* ------------------------------------------------------------------- end */

/* Releases the document's JSON, its buffers and the kept source. */
static void kept_finish(mmd_exchange_kept *kept)
{
    json_decref(kept->root);
    for (uint32_t i = 0; i < kept->buffer_count; i++)
        mmd_buffer_finish(&kept->buffers[i]);
    keep_clear(kept);
}

void mmd_exchange_destroy(mmd_exchange *document)
{
    if (!document)
        return;
    mmd_model_destroy(document->model);
    if (document->physscene)
        mmd_physscene_destroy(document->physscene);
    mmd_source_destroy(document->textures);
    if (document->kept)
        kept_finish(document->kept);
    losses_finish(&document->losses);
    mmd_arena_finish(&document->arena);
    mmd_free(document);
}
