#include "folder.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/file_uri.h"
#include "mmd/assemble.h"
#include "mmd/archive.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "mmd/text.h"

enum { CANCEL_INTERVAL = 256 }; /* entries between two looks at whether reading is cancelled */

/* --- Forms of names --- */

/* Folds a text for sorting and searching: NFKC with case folding, which makes cases, full and half width, and
 * composed and decomposed characters alike. Returns NULL when out of memory. */
static const char *fold(mmd_arena *arena, const char *text)
{
    utf8proc_uint8_t *folded = NULL;
    utf8proc_ssize_t length = utf8proc_map((const utf8proc_uint8_t *)text, 0, &folded,
                                           UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE |
                                               UTF8PROC_COMPAT | UTF8PROC_CASEFOLD);
    const char *kept = length >= 0 ? mmd_arena_text(arena, (const char *)folded, (size_t)length)
                                   : mmd_arena_text(arena, text, strlen(text));
    free(folded);
    return kept;
}

/* Sets the name of an entry and its forms. Returns false when out of memory. */
static bool set_names(folder_contents *c, folder_entry *e, const char *name, size_t length)
{
    char label[8 * MMD_PATH_MAX], valid[4 * MMD_PATH_MAX];
    e->name = mmd_arena_text(&c->arena, name, length);
    if (!e->name)
        return false;
    mmd_text_clean(e->name, true, label, sizeof label);
    mmd_text_clean(e->name, false, valid, sizeof valid);
    e->label = strcmp(label, e->name) == 0 ? e->name : mmd_arena_text(&c->arena, label, strlen(label));
    e->folded = fold(&c->arena, valid);
    e->is_hidden = *name == '.';
    return e->label && e->folded;
}

/* Compares folded names. Digits are compared as numbers of any length. */
static int compare_folded(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0");
            b += strspn(b, "0");
            size_t length = strspn(a, "0123456789"), other = strspn(b, "0123456789");
            int order = length != other ? (length < other ? -1 : 1) : memcmp(a, b, length);
            if (order)
                return order;
            a += length;
            b += length;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? 1 : *b ? -1 : 0;
}

static int compare_entries(const void *x, const void *y)
{
    const folder_entry *a = x, *b = y;
    if (a->is_folder != b->is_folder)
        return a->is_folder ? -1 : 1;
    int order = compare_folded(a->folded, b->folded);
    order = order ? order : strcmp(a->folded, b->folded);
    return order ? order : strcmp(a->name, b->name);
}

/* --- Reading --- */

/* A list while it is being read. */
typedef struct reading {
    folder_contents *contents;
    const atomic_bool *cancelled;
    size_t capacity;
} reading;

static bool is_cancelled(const reading *r)
{
    return r->cancelled && atomic_load(r->cancelled);
}

static mmd_status out_of_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

/* Adds an entry. Returns it, or NULL when out of memory. */
static folder_entry *add_entry(reading *r, const char *name, size_t length)
{
    folder_contents *c = r->contents;
    if (c->count == r->capacity) {
        size_t capacity = r->capacity ? 2 * r->capacity : 64;
        folder_entry *grown = mmd_realloc(c->entries, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        c->entries = grown;
        r->capacity = capacity;
    }
    folder_entry *e = &c->entries[c->count];
    *e = (folder_entry){.kind = MMD_NAME_OTHER};
    if (!set_names(c, e, name, length))
        return NULL;
    c->count++;
    return e;
}

/* Returns whether the list is full, and notes that it is cut. */
static bool is_full(reading *r)
{
    r->contents->is_cut |= r->contents->count == FOLDER_ENTRIES_MAX;
    return r->contents->is_cut;
}

/* Adds the entry of a folder that was listed last, whose links are followed. Returns false when out of
 * memory. */
static bool add_of_disk(reading *r, platform_folder *folder, const char *name)
{
    platform_info about;
    if (!platform_folder_stat(folder, &about) ||
        !(about.kind == PLATFORM_FILE || about.kind == PLATFORM_FOLDER)) {
        r->contents->left_out++;
        return true;
    }
    if (is_full(r))
        return true;
    folder_entry *e = add_entry(r, name, strlen(name));
    if (!e)
        return false;
    e->is_folder = about.kind == PLATFORM_FOLDER;
    e->kind = e->is_folder ? MMD_NAME_OTHER : mmd_name_kind_of(name);
    e->size = e->is_folder ? 0 : about.size;
    e->time = about.modified / 1000000000;
    return true;
}

static mmd_status read_disk(reading *r, const char *path, mmd_error *error)
{
    platform_folder *folder = platform_folder_open(path);
    if (!folder)
        return mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "the folder cannot be read: %s",
                             strerror(errno));
    mmd_status status = MMD_OK;
    size_t seen = 0;
    const char *name;
    while (status == MMD_OK && !r->contents->is_cut && (name = platform_folder_next(folder))) {
        if (!add_of_disk(r, folder, name))
            status = out_of_memory(error);
        else if (++seen % CANCEL_INTERVAL == 0 && is_cancelled(r))
            status = mmd_error_set(error, MMD_ERROR_REFUSED, "", MMD_NO_OFFSET, "cancelled");
    }
    platform_folder_close(folder);
    return status;
}

/* Returns whether the last entry is the folder with this name. */
static bool is_last_folder(const folder_contents *c, const char *name, size_t length)
{
    const folder_entry *last = c->count ? &c->entries[c->count - 1] : NULL;
    return last && last->is_folder && strlen(last->name) == length && memcmp(last->name, name, length) == 0;
}

/* Adds a file of an archive, or the folder that it is in. `name` is what follows the listed folder. Files are
 * sorted by bytes, so all of one folder follow one another. Returns false when out of memory. */
static bool add_of_archive(reading *r, const char *name, const mmd_archive_file *file)
{
    size_t length = strcspn(name, "/");
    bool is_folder = name[length] == '/';
    if ((is_folder && is_last_folder(r->contents, name, length)) || is_full(r))
        return true;
    folder_entry *e = add_entry(r, name, length);
    if (!e)
        return false;
    e->is_folder = is_folder;
    if (is_folder)
        return true;
    e->kind = mmd_name_kind_of(name);
    if (e->kind == MMD_NAME_ARCHIVE)
        e->kind = MMD_NAME_OTHER; /* one in another cannot be opened */
    e->size = file->size;
    e->is_encrypted = file->encrypted;
    return true;
}

/* Lists the folder `inner` of an archive; "" is its root. */
static mmd_status read_archive(reading *r, const char *path, const char *inner, mmd_error *error)
{
    size_t count, length = strlen(inner);
    folder_contents *c = r->contents;
    mmd_status status = mmd_archive_open_shared(path, &c->archive, error);
    if (status != MMD_OK)
        return status;
    c->in_archive = true;
    const mmd_archive_file *files = mmd_archive_files(c->archive, &count);
    for (size_t i = 0; i < count; i++) {
        const char *name = files[i].name;
        bool is_inside = length == 0 || (strncmp(name, inner, length) == 0 && name[length] == '/');
        if (is_inside && !add_of_archive(r, name + (length ? length + 1 : 0), &files[i]))
            return out_of_memory(error);
    }
    if (length && c->count == 0)
        return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "the archive has no such folder");
    c->left_out = mmd_archive_left_out(c->archive);
    return MMD_OK;
}

/* Notes that pictures in an archive or beside a model are its textures, so that they do not hide the model.
 */
static void note_textures(folder_contents *c)
{
    bool has_model = c->in_archive;
    for (size_t i = 0; i < c->count && !has_model; i++)
        has_model = c->entries[i].kind == MMD_NAME_MODEL || c->entries[i].kind == MMD_NAME_ACCESSORY;
    for (size_t i = 0; i < c->count && has_model; i++)
        if (c->entries[i].kind == MMD_NAME_PICTURE)
            c->entries[i].kind = MMD_NAME_TEXTURE;
}

/* Lists a folder of the file system, or the archive that the path is or leads into. */
static mmd_status read_any(reading *r, const char *path, mmd_error *error)
{
    platform_info about;
    char archive[MMD_FILE_PATH_MAX];
    bool is_there = platform_stat(path, &about);
    if (is_there && about.kind == PLATFORM_FOLDER)
        return read_disk(r, path, error);
    if (mmd_locate_archive(path, archive)) {
        const char *inner = path + strlen(archive);
        return read_archive(r, archive, inner + strspn(inner, "/"), error);
    }
    if (is_there)
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "it is neither a folder nor an archive");
    return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "there is no such folder");
}

mmd_status folder_read(const char *path, const atomic_bool *cancelled, folder_contents *contents,
                       mmd_error *error)
{
    reading r = {.contents = contents, .cancelled = cancelled};
    size_t length = strlen(path), root = platform_path_root(path);
    *contents = (folder_contents){.count = 0};
    while (length > root && length > 1 && path[length - 1] == '/')
        length--;
    mmd_status status = MMD_OK;
    if (length >= sizeof contents->path) {
        status = mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "the path is too long");
    } else {
        memcpy(contents->path, path, length);
        contents->path[length] = '\0';
        status = read_any(&r, contents->path, error);
    }
    note_textures(contents);
    if (status == MMD_OK && contents->count)
        qsort(contents->entries, contents->count, sizeof *contents->entries, compare_entries);
    mmd_error_set_file(error, path);
    return status;
}

void folder_contents_finish(folder_contents *c)
{
    mmd_archive_close(c->archive);
    mmd_free(c->entries);
    mmd_arena_finish(&c->arena);
    *c = (folder_contents){.count = 0};
}

bool folder_entry_path(const folder_contents *c, const folder_entry *e, char path[MMD_FILE_PATH_MAX])
{
    size_t length = strlen(c->path);
    const char *between = length && c->path[length - 1] == '/' ? "" : "/"; /* it ends the root alone */
    return snprintf(path, MMD_FILE_PATH_MAX, "%s%s%s", c->path, between, e->name) < MMD_FILE_PATH_MAX;
}

/* --- The filter --- */

/* Returns whether a filter lets an entry through, whatever its name. */
static bool has_kind(const folder_entry *e, const folder_filter *filter)
{
    return (filter->hidden || !e->is_hidden) &&
           (filter->kinds == 0 || e->is_folder || e->kind == MMD_NAME_ARCHIVE ||
            filter->kinds & 1u << e->kind);
}

size_t folder_filter_apply(const folder_contents *c, const folder_filter *filter, uint32_t *shown)
{
    mmd_arena arena = {0};
    char valid[4 * MMD_PATH_MAX];
    size_t count = 0;
    mmd_text_clean(filter->text ? filter->text : "", false, valid, sizeof valid);
    const char *wanted = fold(&arena, valid);
    for (size_t i = 0; wanted && i < c->count; i++)
        if (has_kind(&c->entries[i], filter) && strstr(c->entries[i].folded, wanted))
            shown[count++] = (uint32_t)i;
    mmd_arena_finish(&arena);
    return count;
}

/* --- Paths --- */

bool folder_parent(const char *path, char parent[MMD_FILE_PATH_MAX])
{
    size_t length = strlen(path), root = platform_path_root(path);
    if (root + strspn(path + root, "/") == length) /* nothing is above the root */
        return false;
    while (length > root && path[length - 1] == '/')
        length--;
    while (length > root && path[length - 1] != '/')
        length--;
    while (length > root && path[length - 1] == '/')
        length--;
    if (length == 0 || length >= MMD_FILE_PATH_MAX)
        return false;
    memcpy(parent, path, length);
    parent[length] = '\0';
    return true;
}

/* Removes "." and ".." and double slashes from an absolute path. */
static void normalise(char *path)
{
    char *start = path + platform_path_root(path), *out = start;
    for (const char *part = start; *part;) {
        part += strspn(part, "/");
        size_t length = strcspn(part, "/");
        if (length == 2 && strncmp(part, "..", 2) == 0) {
            while (out > start && *--out != '/') {
                /* drops the last part */
            }
        } else if (length > 0 && !(length == 1 && *part == '.')) {
            if (out > start)
                *out++ = '/';
            memmove(out, part, length);
            out += length;
        }
        part += length;
    }
    *out = '\0';
}

/* Writes what a typed text begins with: the home folder, another folder, or nothing. Returns the rest of the
 * text, or NULL if it cannot be. */
static const char *begin_typed(const char *text, const char *folder, char path[MMD_FILE_PATH_MAX])
{
    *path = '\0';
    if (platform_path_root(text))
        return text;
    if (*text == '~' && (text[1] == '/' || text[1] == '\0'))
        return mmd_user_folders_home(path) ? text + 1 : NULL;
    return snprintf(path, MMD_FILE_PATH_MAX, "%s/", folder) < MMD_FILE_PATH_MAX ? text : NULL;
}

bool folder_typed(const char *text, const char *folder, char path[MMD_FILE_PATH_MAX])
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    if (length == 0)
        return false;
    if (file_uri_is(text, length)) {
        if (!file_uri_path(text, length, path))
            return false;
    } else {
        char typed[MMD_FILE_PATH_MAX];
        if (snprintf(typed, sizeof typed, "%.*s", (int)length, text) >= MMD_FILE_PATH_MAX)
            return false;
        platform_path_tidy(typed);
        const char *rest = begin_typed(typed, folder, path);
        size_t used = rest ? strlen(path) : 0;
        if (!rest ||
            snprintf(path + used, MMD_FILE_PATH_MAX - used, "%s", rest) >= (int)(MMD_FILE_PATH_MAX - used))
            return false;
    }
    if (!platform_path_root(path))
        return false;
    normalise(path);
    return true;
}
