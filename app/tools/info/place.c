/* What `odori info` says of archives and folders: which files are in them. */
#include <stdio.h>

#include "info.h"

static void describe_size(uint64_t size, char *text, size_t capacity)
{
    if (size < 10000)
        snprintf(text, capacity, "%u bytes", (unsigned)size);
    else if (size < 10000000)
        snprintf(text, capacity, "%.0f kB", (double)size / 1e3);
    else
        snprintf(text, capacity, "%.0f MB", (double)size / 1e6);
}

static const char *file_text(const void *user, size_t index, char *buffer, size_t capacity)
{
    const locate_contents *c = user;
    char size[32];
    describe_size(c->files[index].size, size, sizeof size);
    snprintf(buffer, capacity, "%.900s (%s%s)", c->files[index].name, size,
             c->files[index].encrypted ? ", encrypted" : "");
    return buffer;
}

static void emit_files(emitter *j, const locate_contents *c)
{
    emit_key(j, "contents");
    emit_open(j, '[');
    for (size_t i = 0; i < c->count; i++) {
        emit_open(j, '{');
        emit_member_text(j, "name", c->files[i].name);
        emit_member_whole(j, "size", (int64_t)c->files[i].size);
        if (c->files[i].encrypted)
            emit_member_bool(j, "encrypted", true);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

void info_place(facts *f, const locate_contents *contents)
{
    uint64_t total = 0;
    char size[32];
    const facts_list list = {"contents", "files", contents->count, file_text, contents};
    for (size_t i = 0; i < contents->count; i++)
        total += contents->files[i].size;
    describe_size(total, size, sizeof size);
    facts_text(f, "kind", "kind", contents->is_archive ? "archive" : "folder");
    if (f->as_json) {
        emit_member_whole(&f->json, "size", (int64_t)total);
        emit_files(&f->json, contents);
    } else {
        facts_text(f, "size", "unpacked", size);
        facts_write_list(f, &list);
    }
    if (contents->left_out)
        facts_whole(f, "left_out", "entries without a place", (int64_t)contents->left_out);
}
