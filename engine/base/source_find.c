/*
 * Finding the file that a model means. Models are made on Windows, whose names
 * know no case, and travel through archives and file systems that compose or
 * decompose kana (Unicode normalisation forms, UAX 15).
 */
#include "mmd/source.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

/* How well an entry fits, best last. */
typedef enum match_rank { MATCH_NONE, MATCH_CASELESS, MATCH_CANONICAL, MATCH_EXACT } match_rank;

/* A name of n bytes decomposes into at most 4/3 n characters (U+1F82: three bytes, four characters). */
enum { FORM_MAX = MMD_PATH_MAX * 2 };

typedef struct name_form {
    utf8proc_int32_t characters[FORM_MAX];
    utf8proc_ssize_t count; /* negative: the name is not UTF-8 */
} name_form;

static void make_form(const char *name, bool fold, name_form *form)
{
    utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
    if (fold)
        options |= UTF8PROC_CASEFOLD;
    form->count = utf8proc_decompose((const utf8proc_uint8_t *)name, (utf8proc_ssize_t)strlen(name),
                                     form->characters, FORM_MAX, options);
    if (form->count > FORM_MAX)
        form->count = -1;
}

static bool forms_equal(const name_form *a, const name_form *b)
{
    return a->count >= 0 && a->count == b->count &&
           memcmp(a->characters, b->characters, (size_t)a->count * sizeof a->characters[0]) == 0;
}

/* The search for one part of a path among a folder's entries. */
typedef struct part_search {
    const char *part;
    bool wants_folder;
    name_form canonical, caseless; /* of part */
    match_rank rank;               /* of best */
    char best[MMD_PATH_MAX];
} part_search;

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if (*(const unsigned char *)text >= 0x80)
            return false;
    return true;
}

static match_rank rank_entry(const part_search *search, const char *entry)
{
    name_form form;
    /* ASCII has one form only. */
    if (!is_ascii(entry)) {
        make_form(entry, false, &form);
        if (forms_equal(&form, &search->canonical))
            return MATCH_CANONICAL;
    }
    make_form(entry, true, &form);
    return forms_equal(&form, &search->caseless) ? MATCH_CASELESS : MATCH_NONE;
}

static bool consider_exact(void *user, const char *entry, bool is_folder)
{
    part_search *search = user;
    if (is_folder == search->wants_folder && strcmp(entry, search->part) == 0) {
        strcpy(search->best, entry);
        search->rank = MATCH_EXACT;
    }
    return search->rank != MATCH_EXACT;
}

/* Keeps the better of the entry and the best so far; among equals the first in byte order. */
static bool consider_loose(void *user, const char *entry, bool is_folder)
{
    part_search *search = user;
    if (is_folder != search->wants_folder || strlen(entry) >= sizeof search->best)
        return true;
    match_rank rank = rank_entry(search, entry);
    if (rank == MATCH_NONE || rank < search->rank)
        return true;
    if (rank > search->rank || strcmp(entry, search->best) < 0)
        strcpy(search->best, entry);
    search->rank = rank;
    return true;
}

/* Finds search->part among folder's entries. Most names are exact: those cost no decomposing. */
static bool find_part(mmd_source *source, const char *folder, part_search *search)
{
    search->rank = MATCH_NONE;
    if (!mmd_source_list(source, folder, consider_exact, search))
        return false;
    if (search->rank == MATCH_EXACT)
        return true;
    make_form(search->part, false, &search->canonical);
    make_form(search->part, true, &search->caseless);
    return mmd_source_list(source, folder, consider_loose, search) && search->rank != MATCH_NONE;
}

/* Removes the last part of a path; false where there is none. */
static bool drop_part(char *path)
{
    if (!path[0])
        return false;
    char *slash = strrchr(path, '/');
    *(slash ? slash : path) = '\0';
    return true;
}

/* Puts a part behind a path; false where it does not fit. */
static bool append_part(char path[MMD_PATH_MAX], const char *part, size_t length)
{
    size_t at = strlen(path);
    size_t separator = at ? 1 : 0;
    if (at + separator + length >= MMD_PATH_MAX)
        return false;
    if (separator)
        path[at] = '/';
    memcpy(path + at + separator, part, length);
    path[at + separator + length] = '\0';
    return true;
}

/*
 * The name with `/` only, without empty parts, `.` and `..`. False: it is
 * absolute, leads above the root, names a folder or nothing, or is too long.
 */
static bool normalise(const char *name, char path[MMD_PATH_MAX])
{
    path[0] = '\0';
    bool names_file = false;
    if (name[0] == '/' || name[0] == '\\')
        return false;
    for (const char *part = name; *part;) {
        size_t length = strcspn(part, "/\\");
        names_file = false;
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            if (!drop_part(path))
                return false;
        } else if (length > 0 && !(length == 1 && part[0] == '.')) {
            if (!append_part(path, part, length))
                return false;
            names_file = part[length] == '\0';
        }
        part += length + (part[length] != '\0');
    }
    return names_file;
}

bool mmd_source_find(mmd_source *source, const char *name, char path[MMD_PATH_MAX])
{
    assert(source && name);
    char wanted[MMD_PATH_MAX], found[MMD_PATH_MAX] = "";
    part_search search;
    if (!normalise(name, wanted))
        return false;
    for (char *part = wanted; part;) {
        char *slash = strchr(part, '/');
        if (slash)
            *slash = '\0';
        search.part = part;
        search.wants_folder = slash != NULL;
        if (!find_part(source, found, &search) || !append_part(found, search.best, strlen(search.best)))
            return false;
        part = slash ? slash + 1 : NULL;
    }
    strcpy(path, found);
    return true;
}

bool mmd_source_find_from(mmd_source *source, const char *folder, const char *name, char path[MMD_PATH_MAX])
{
    assert(source && name);
    char joined[2 * MMD_PATH_MAX];
    if (!name[0])
        return false;
    int length = snprintf(joined, sizeof joined, "%s%s%s", folder, folder[0] ? "/" : "", name);
    return length > 0 && (size_t)length < sizeof joined && mmd_source_find(source, joined, path);
}
