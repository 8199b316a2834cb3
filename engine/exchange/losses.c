/*
 * The list of losses: values that were read or written differently from the source. Also the output of a
 * conversion, tests of file names, and reading pictures that are copied.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "exchange_internal.h"
#include "mmd/image.h"

enum { LOSSES_MAX = 10000 };

/* Makes room for one more loss. Returns false when out of memory. */
static bool make_room(mmd_losses *losses)
{
    if (losses->count < losses->capacity)
        return true;
    uint32_t capacity = losses->capacity ? losses->capacity * 2 : 16;
    mmd_loss *items = mmd_realloc(losses->items, capacity * sizeof *items);
    if (!items)
        return false;
    losses->items = items;
    losses->capacity = capacity;
    return true;
}

/* Copies a text into the list's arena; "" when it is NULL, empty or memory ran out. */
static const char *copy(mmd_losses *losses, const char *text)
{
    const char *stored = text && *text ? mmd_arena_text(&losses->arena, text, strlen(text)) : NULL;
    return stored ? stored : "";
}

void losses_add(mmd_losses *losses, mmd_loss_severity severity, bool writing, mmd_exchange_format format,
                const char *code, const char *path, const char *field, const char *source,
                const char *emitted)
{
    assert(losses && code);
    assert((unsigned)severity <= MMD_LOSS_DROPPED);
    if (losses->count >= LOSSES_MAX || !make_room(losses)) {
        losses->left_out[severity] += losses->left_out[severity] < UINT32_MAX;
        return;
    }
    losses->items[losses->count++] = (mmd_loss){
        .severity = (uint8_t)severity,
        .writing = writing,
        .format = (uint8_t)format,
        .code = code,
        .path = copy(losses, path),
        .field = copy(losses, field),
        .source = copy(losses, source),
        .emitted = copy(losses, emitted),
    };
}

void losses_add_at(mmd_losses *losses, mmd_loss_severity severity, mmd_exchange_format format,
                   const char *code, const json_ref *ref, const char *field, const char *emitted)
{
    assert(losses && ref);
    assert((unsigned)severity <= MMD_LOSS_DROPPED);
    char path[256];
    json_ref_path(ref, path, sizeof path);
    mmd_buffer text = {0};
    const char *source = "";
    if (ref->value && json_append(ref->value, false, &text, NULL) == MMD_OK) {
        mmd_write_u8(&text, 0);
        if (!text.failed)
            source = (const char *)text.data;
    }
    losses_add(losses, severity, false, format, code, path, field, source, emitted);
    mmd_buffer_finish(&text);
}

void losses_finish(mmd_losses *losses)
{
    assert(losses);
    mmd_free(losses->items);
    mmd_arena_finish(&losses->arena);
    *losses = (mmd_losses){0};
}

void losses_path(char path[LOSS_PATH_MAX], const char *kind, uint32_t item, const char *name)
{
    assert(path && kind && name);
    int length = strcmp(kind, "world") == 0 ? snprintf(path, LOSS_PATH_MAX, "%s", kind)
                                            : snprintf(path, LOSS_PATH_MAX, "%.32s %u", kind, item);
    if (*name)
        snprintf(path + length, LOSS_PATH_MAX - (size_t)length, " (%.100s)", name);
}

/* ------------------------------------------------------------------- output */

/* The files that a conversion produces. */

/* Limit of files per conversion: a model, its buffer, its pictures. */
enum { OUTPUT_MAX = 4096 };

mmd_exchange_file *output_add(mmd_exchange_output *output, const char *name)
{
    assert(output);
    if (!output->files)
        output->files = mmd_arena_alloc(&output->arena, OUTPUT_MAX, sizeof *output->files);
    char *stored = mmd_arena_text(&output->arena, name, strlen(name));
    if (!output->files || !stored || output->count == OUTPUT_MAX)
        return NULL;
    mmd_exchange_file *file = &output->files[output->count++];
    *file = (mmd_exchange_file){.name = stored};
    return file;
}

void mmd_exchange_output_finish(mmd_exchange_output *output)
{
    assert(output);
    for (uint32_t i = 0; i < output->count; i++)
        mmd_buffer_finish(&output->files[i].data);
    losses_finish(&output->losses);
    mmd_arena_finish(&output->arena);
    *output = (mmd_exchange_output){0};
}

/* ------------------------------------------------------------------ paths */

bool path_stays_inside(const char *name)
{
    assert(name);
    if (!*name || *name == '/' || strchr(name, '\\') || strchr(name, ':'))
        return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (*part == '/' || !*part || strncmp(part, "../", 3) == 0 || strcmp(part, "..") == 0)
            return false;
    }
    return true;
}

const char *path_in_source(const char *path)
{
    assert(path);
    while (strncmp(path, "../", 3) == 0 || strncmp(path, "./", 2) == 0)
        path += path[1] == '.' ? 3 : 2;
    return path;
}

/* --------------------------------------------------------------- pictures */

bool read_whole_picture(mmd_source *source, const char *path, mmd_bytes *bytes)
{
    assert(source && path && bytes);
    bool is_whole = mmd_source_read(source, path, bytes, NULL) == MMD_OK &&
                    mmd_image_verify(bytes->data, bytes->size, path, NULL) == MMD_OK;
    if (!is_whole)
        mmd_bytes_finish(bytes);
    return is_whole;
}

const char *mmd_loss_text(const mmd_loss *loss, char text[MMD_LOSS_TEXT_MAX])
{
    static const char *const severities[] = {"info", "approximated", "dropped"};
    snprintf(text, MMD_LOSS_TEXT_MAX, "%s (%s) %.300s%s%.100s%s%.200s%s%.200s", loss->code,
             severities[loss->severity], loss->path, *loss->field ? ": " : "", loss->field,
             *loss->source ? " " : "", loss->source, *loss->emitted ? " -> " : "", loss->emitted);
    return text;
}

void mmd_losses_log(const mmd_losses *losses, const char *path, const mmd_log *log)
{
    enum { TOLD = 10 };
    assert(losses && path);
    uint64_t count = (uint64_t)losses->left_out[MMD_LOSS_APPROXIMATED] + losses->left_out[MMD_LOSS_DROPPED];
    uint32_t told = 0;
    for (uint32_t i = 0; i < losses->count; i++) {
        char text[MMD_LOSS_TEXT_MAX];
        if (losses->items[i].severity == MMD_LOSS_INFO)
            continue;
        count++;
        if (told == TOLD)
            continue;
        told++;
        mmd_log_message(log, MMD_LOG_WARNING, "%s: %s", path, mmd_loss_text(&losses->items[i], text));
    }
    if (count > told)
        mmd_log_message(log, MMD_LOG_WARNING, "%s: %llu further losses; odori info lists all of them", path,
                        (unsigned long long)(count - told));
}
