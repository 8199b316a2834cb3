/*
 * Search for the file that a model refers to. Models are made on Windows, where names ignore case, and pass
 * through archives and file systems that compose or decompose kana (Unicode normalisation forms, UAX 15).
 *
 * A folder is listed when it is first looked into, and its entries are sorted three times: by name, by
 * canonical form and by form without case. So a search takes a few comparisons, whatever the names.
 */
#include "source_entries.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

typedef struct source_entry {
    const char *name;
    const char *canonical; /* NULL: the name is ASCII, which has only one form, or not UTF-8 */
    const char *caseless;  /* NULL: not UTF-8 */
    bool is_folder;
    source_folder *inside; /* of a folder; NULL: not listed yet */
} source_entry;

/* The orders of a folder's entries, best match first. */
typedef enum entry_order { ORDER_EXACT, ORDER_CANONICAL, ORDER_CASELESS, ORDER_COUNT } entry_order;

struct source_folder {
    source_entry **sorted[ORDER_COUNT]; /* those that have such a form; of equal forms the first name first */
    size_t counts[ORDER_COUNT];
};

/* ------------------------------------------------------------------- forms */

/* A name of n bytes decomposes into at most 4/3 n characters (U+1F82: three bytes, four characters). */
enum { FORM_MAX = MMD_PATH_MAX * 2 };

/* Room for the form of a name: characters, then the same in UTF-8. */
typedef union name_form {
    utf8proc_int32_t characters[FORM_MAX + 1];
    char text[(FORM_MAX + 1) * sizeof(utf8proc_int32_t)];
} name_form;

/* Decomposes a name, optionally with case folding. Returns the form, or NULL if the name is not UTF-8. */
static const char *make_form(const char *name, bool fold, name_form *form)
{
    utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
    if (fold)
        options |= UTF8PROC_CASEFOLD;
    utf8proc_ssize_t count = utf8proc_decompose(
        (const utf8proc_uint8_t *)name, (utf8proc_ssize_t)strlen(name), form->characters, FORM_MAX, options);
    if (count < 0 || count > FORM_MAX || utf8proc_reencode(form->characters, count, options) < 0)
        return NULL;
    return form->text;
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if (*(const unsigned char *)text >= 0x80)
            return false;
    return true;
}

static const char *form_of(const source_entry *entry, entry_order order)
{
    return order == ORDER_EXACT ? entry->name : order == ORDER_CANONICAL ? entry->canonical : entry->caseless;
}

/* ----------------------------------------------------------------- listing */

/* The entries of a folder while it is listed. */
typedef struct listing {
    mmd_arena *arena; /* of the names */
    source_entry *entries;
    size_t count, capacity;
    size_t most; /* entries that may be listed */
    bool failed; /* out of memory */
    bool is_full;
} listing;

static bool keep_form(mmd_arena *arena, const char *name, bool fold, const char **kept)
{
    name_form form;
    const char *made = make_form(name, fold, &form);
    *kept = made ? mmd_arena_text(arena, made, strlen(made)) : NULL;
    return *kept || !made;
}

/* Adds an entry to the listing. */
static bool add_entry(void *user, const char *name, bool is_folder)
{
    listing *l = user;
    size_t length = strlen(name);
    if (length >= MMD_PATH_MAX)
        return true;
    l->is_full = l->count == l->most;
    if (l->is_full)
        return false;
    if (l->count == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : 64;
        source_entry *grown = mmd_realloc(l->entries, capacity * sizeof *grown);
        if (!grown) {
            l->failed = true;
            return false;
        }
        l->entries = grown;
        l->capacity = capacity;
    }
    source_entry *entry = &l->entries[l->count++];
    *entry = (source_entry){.name = mmd_arena_text(l->arena, name, length), .is_folder = is_folder};
    l->failed = !entry->name || (!is_ascii(name) && !keep_form(l->arena, name, false, &entry->canonical)) ||
                !keep_form(l->arena, name, true, &entry->caseless);
    return !l->failed;
}

static int compare_in(entry_order order, const void *a, const void *b)
{
    const source_entry *x = *(const source_entry *const *)a, *y = *(const source_entry *const *)b;
    if (x->is_folder != y->is_folder)
        return x->is_folder ? 1 : -1;
    int forms = strcmp(form_of(x, order), form_of(y, order));
    return forms ? forms : strcmp(x->name, y->name);
}

static int compare_exact(const void *a, const void *b)
{
    return compare_in(ORDER_EXACT, a, b);
}

static int compare_canonical(const void *a, const void *b)
{
    return compare_in(ORDER_CANONICAL, a, b);
}

static int compare_caseless(const void *a, const void *b)
{
    return compare_in(ORDER_CASELESS, a, b);
}

/* Makes one order of the entries. Returns false if out of memory. */
static bool sort_entries(source_folder *folder, entry_order order, mmd_arena *arena, source_entry *entries,
                         size_t count)
{
    static int (*const compare[ORDER_COUNT])(const void *, const void *) = {compare_exact, compare_canonical,
                                                                            compare_caseless};
    source_entry **sorted = mmd_arena_alloc(arena, count, sizeof *sorted);
    size_t used = 0;
    for (size_t i = 0; sorted && i < count; i++)
        if (form_of(&entries[i], order))
            sorted[used++] = &entries[i];
    if (used)
        qsort(sorted, used, sizeof *sorted, compare[order]);
    folder->sorted[order] = sorted;
    folder->counts[order] = used;
    return sorted != NULL;
}

/*
 * Lists a folder, given by its path in the source, and adds its entries to a count. Fails with
 * MMD_ERROR_NOT_FOUND, MMD_ERROR_LIMIT and MMD_ERROR_MEMORY.
 */
static mmd_status list_folder(mmd_arena *arena, size_t *listed, mmd_source *source, const char *path,
                              source_folder **result)
{
    listing l = {.arena = arena, .most = SOURCE_ENTRIES_MAX - *listed};
    if (l.most == 0)
        return MMD_ERROR_LIMIT;
    bool there = mmd_source_list(source, path, add_entry, &l);
    source_folder *folder = there ? mmd_arena_alloc(l.arena, 1, sizeof *folder) : NULL;
    source_entry *kept = there ? mmd_arena_alloc(l.arena, l.count, sizeof *kept) : NULL;
    bool made = folder && kept && !l.failed && !l.is_full;
    *listed += l.count;
    if (made && l.count)
        memcpy(kept, l.entries, l.count * sizeof *kept);
    for (int order = 0; made && order < ORDER_COUNT; order++)
        made = sort_entries(folder, (entry_order)order, l.arena, kept, l.count);
    mmd_free(l.entries);
    if (made)
        *result = folder;
    return made ? MMD_OK : l.is_full ? MMD_ERROR_LIMIT : there ? MMD_ERROR_MEMORY : MMD_ERROR_NOT_FOUND;
}

/* ---------------------------------------------------------------- searching */

/* Returns the first entry of an order with this form, or NULL. */
static source_entry *first_with(const source_folder *folder, entry_order order, const char *form,
                                bool is_folder)
{
    size_t low = 0, high = folder->counts[order];
    source_entry *const *sorted = folder->sorted[order];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const source_entry *entry = sorted[middle];
        bool before = entry->is_folder != is_folder ? is_folder : strcmp(form_of(entry, order), form) < 0;
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < folder->counts[order] && sorted[low]->is_folder == is_folder &&
                 strcmp(form_of(sorted[low], order), form) == 0;
    return found ? sorted[low] : NULL;
}

/* Returns the entry that fits a part of a path best, or NULL. */
static source_entry *find_part(const source_folder *folder, const char *part, bool is_folder)
{
    name_form form;
    source_entry *entry = first_with(folder, ORDER_EXACT, part, is_folder);
    for (int order = ORDER_CANONICAL; !entry && order < ORDER_COUNT; order++) {
        const char *made = make_form(part, order == ORDER_CASELESS, &form);
        if (!made)
            break;
        entry = first_with(folder, (entry_order)order, made, is_folder);
    }
    return entry;
}

mmd_status source_entries_find(source_entries *entries, mmd_source *source, const char *own, const char *path,
                               char found[MMD_PATH_MAX], mmd_error *error)
{
    assert(entries && source && path && found);
    source_folder **inside = &entries->root;
    mmd_status status = MMD_OK;
    size_t used = own ? strlen(own) : 0, *listed = &entries->listed;
    const char *begin = path;
    found[0] = '\0';
    if (own && strncmp(path, own, used) == 0 && path[used] == '/' && used < MMD_PATH_MAX) {
        memcpy(found, own, used + 1);
        inside = &entries->own;
        listed = &entries->own_listed;
        begin = path + used + 1;
    } else {
        used = 0;
    }
    for (const char *at = begin; *at && status == MMD_OK;) {
        char part[MMD_PATH_MAX];
        size_t length = strcspn(at, "/");
        bool is_folder = at[length] == '/';
        source_entry *entry = NULL;
        if (!*inside)
            status = list_folder(&entries->arena, listed, source, found, inside);
        if (status == MMD_OK && length < sizeof part) {
            memcpy(part, at, length);
            part[length] = '\0';
            entry = find_part(*inside, part, is_folder);
        }
        size_t more = entry ? strlen(entry->name) + (used > 0) : 0;
        if (!entry || used + more >= MMD_PATH_MAX) {
            status = status == MMD_OK ? MMD_ERROR_NOT_FOUND : status;
            break;
        }
        if (used)
            found[used] = '/';
        memcpy(found + used + (used > 0), entry->name, strlen(entry->name) + 1);
        used += more;
        inside = &entry->inside;
        at += length + is_folder;
    }
    if (status == MMD_ERROR_MEMORY)
        return mmd_error_memory(error);
    if (status == MMD_ERROR_LIMIT)
        return mmd_error_set(error, status, "", MMD_NO_OFFSET,
                             "not looked for, because the folders with the files hold more than %d entries",
                             SOURCE_ENTRIES_MAX);
    return status == MMD_OK
               ? MMD_OK
               : mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "there is no such file");
}

void source_entries_finish(source_entries *entries)
{
    assert(entries);
    mmd_arena_finish(&entries->arena);
    *entries = (source_entries){0};
}
