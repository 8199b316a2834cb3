/* Finds the files that a suite names by paths and patterns. All of them have to be in the folders of the
 * suite. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wildcard.h"
#include "mmd/platform.h"
#include "suite_reader.h"

/* STARS_DEPTH: how many levels of folders ** matches. COMPARED_MAX, ALL_COMPARED_MAX: limits of names that a
 * pattern is compared with, and all patterns of a suite. Folders can contain links to themselves. */
enum { STARS_DEPTH = 8, COMPARED_MAX = 1000000, ALL_COMPARED_MAX = 10 * COMPARED_MAX };

/* The most folders that a pattern may name. The search calls itself for each of them, which takes stack. */
enum { FOLDERS_MAX = 32 };

/* Returns the number of slashes in a path. */
static size_t count_slashes(const char *path)
{
    size_t count = 0;
    for (; *path; path++)
        count += *path == '/';
    return count;
}

/* Returns what separates a folder from names in it: nothing behind a root, because "//name" is a server. */
static const char *slash_behind(const char *folder)
{
    return folder[platform_path_root(folder)] ? "/" : "";
}

/* Checks that a file is where the suite may read and write. */
static bool check_scope(suite_reader *r, const char *given, const char *path)
{
    char why[PATH_WHY_MAX];
    return path_scope_has(&r->suite->scope, path, why) || suite_fail(r, "%.300s %s", given, why);
}

bool suite_input(suite_reader *r, const char *given, scene_input *input)
{
    char path[2 * MMD_FILE_PATH_MAX];
    bool alone = platform_path_root(given) > 0 || strcmp(r->suite->folder, ".") == 0;
    int length = snprintf(path, sizeof path, "%s%s%s", alone ? "" : r->suite->folder,
                          alone ? "" : slash_behind(r->suite->folder), given);
    if (length >= MMD_FILE_PATH_MAX)
        return suite_fail(r, "the path is longer than %d bytes", MMD_FILE_PATH_MAX - 1);
    char *tidied = mmd_arena_text(&r->suite->arena, given, strlen(given));
    if (!tidied)
        return suite_no_memory(r);
    if (path_tidy_foreign(tidied, path))
        return suite_input(r, tidied, input);
    *input = scene_input_named(given, mmd_arena_text(&r->suite->arena, path, strlen(path)));
    if (!input->path)
        return suite_no_memory(r);
    return input->is_dancer || check_scope(r, given, input->path);
}

/* Checks the folder in which a pattern begins to search: the one before the first part with a wildcard. */
static bool check_start(suite_reader *r, const char *pattern)
{
    char start[MMD_FILE_PATH_MAX];
    scene_input input;
    size_t length = strcspn(pattern, "*?[");
    while (length && pattern[length - 1] != '/')
        length--;
    if (length >= sizeof start)
        return suite_fail(r, "the path is too long");
    snprintf(start, sizeof start, "%.*s", (int)length, length ? pattern : "");
    return suite_input(r, length ? start : ".", &input);
}

/* Orders inputs by the bytes of their paths. */
static int by_path(const void *a, const void *b)
{
    return strcmp(((const scene_input *)a)->path, ((const scene_input *)b)->path);
}

size_t suite_room_of(size_t count)
{
    size_t room = 8;
    while (room < count)
        room *= 2;
    return room;
}

/* Makes space for more inputs, by copying them to a larger block of the arena. */
static bool make_room(suite_reader *r, scene_inputs *inputs, size_t more)
{
    if (inputs->items && inputs->count + more <= suite_room_of(inputs->count))
        return true;
    scene_input *items =
        mmd_arena_alloc(&r->suite->arena, suite_room_of(inputs->count + more), sizeof *items);
    if (!items)
        return suite_no_memory(r);
    if (inputs->count)
        memcpy(items, inputs->items, inputs->count * sizeof *items);
    inputs->items = items;
    return true;
}

/* The search for the matches of a pattern. */
typedef struct pattern_search {
    suite_reader *reader;
    const char *pattern;
    scene_inputs *found;
    char path[MMD_FILE_PATH_MAX]; /* the folder that is searched, with a slash behind it, or "" */
    size_t skip;         /* bytes of path before those that the suite would give */
    size_t compared;     /* names that the pattern was compared with */
} pattern_search;

static bool search_from(pattern_search *s, size_t length, const char *pattern, int depth);

/* Adds the path if there is a file, or searches in it for the rest of the pattern. length: of the path before
 * name. */
static bool search_in(pattern_search *s, size_t length, const char *name, const char *rest, int depth)
{
    suite_reader *r = s->reader;
    int wrote = snprintf(s->path + length, sizeof s->path - length, "%s%s", name, *rest ? "/" : "");
    size_t used = length + (size_t)wrote;
    if (used >= sizeof s->path || !path_scope_reaches(&r->suite->scope, s->path) || !platform_exists(s->path))
        return true;
    if (*rest)
        return search_from(s, used, rest, depth);
    char *stored = mmd_arena_text(&r->suite->arena, s->path, used);
    if (!stored || !make_room(r, s->found, 1))
        return suite_no_memory(r);
    s->found->items[s->found->count++] = scene_input_named(stored + s->skip, stored);
    return check_scope(r, stored + s->skip, stored);
}

/* Searches for the names in a folder that match the first part of a pattern. all: for folders that **
 * matches, which are searched for the same pattern again. */
static bool search_folder(pattern_search *s, size_t length, const char *pattern, size_t part, bool all,
                          int depth)
{
    char why[PATH_WHY_MAX], one[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    suite_reader *r = s->reader;
    const char *rest = pattern + part + (pattern[part] == '/');
    const char *entry;
    bool ok = true;
    snprintf(one, sizeof one, "%.*s", (int)part, pattern);
    snprintf(folder, sizeof folder, "%.*s", length ? (int)length : 1, length ? s->path : ".");
    platform_folder *names = path_scope_has(&r->suite->scope, folder, why) /* links may lead outside */
                                 ? platform_folder_open(folder)
                                 : NULL;
    while (ok && names && (entry = platform_folder_next(names))) {
        if (++s->compared > COMPARED_MAX || ++r->compared > ALL_COMPARED_MAX)
            ok =
                suite_fail(r, "%s%.300s is compared with more than %d names",
                           s->compared > COMPARED_MAX ? "the pattern " : "with those before it, the pattern ",
                           s->pattern, s->compared > COMPARED_MAX ? COMPARED_MAX : ALL_COMPARED_MAX);
        else if (all && *entry != '.')
            ok = search_in(s, length, entry, pattern, depth + 1);
        else if (!all && wildcard_matches_shown(one, entry))
            ok = search_in(s, length, entry, rest, 0);
    }
    platform_folder_close(names);
    return ok;
}

/* Searches a folder for what matches a pattern. length: of the folder's path. depth: of the folders that the
 * ** at the front of the pattern has matched. */
static bool search_from(pattern_search *s, size_t length, const char *pattern, int depth)
{
    size_t part = strcspn(pattern, "/");
    char name[MMD_FILE_PATH_MAX];
    if (pattern[part] == '/' && strncmp(pattern, "**/", strlen("**/")) == 0)
        return search_from(s, length, pattern + part + 1, 0) &&
               (depth == STARS_DEPTH || search_folder(s, length, pattern, part, true, depth));
    if (strcspn(pattern, "*?[") < part)
        return search_folder(s, length, pattern, part, false, depth);
    snprintf(name, sizeof name, "%.*s", (int)part, pattern);
    return search_in(s, length, name, pattern + part + (pattern[part] == '/'), 0);
}

/* Adds the matches of a pattern, in the order of their bytes, each once, with paths relative to the folder of
 * the suite. */
static bool add_pattern(suite_reader *r, const char *pattern, scene_inputs *inputs)
{
    bool relative = platform_path_root(pattern) == 0 && strcmp(r->suite->folder, ".") != 0;
    pattern_search s = {.reader = r, .pattern = pattern, .found = inputs};
    size_t first = inputs->count, wild = strcspn(pattern, "*?[");
    if (!check_start(r, pattern))
        return false;
    if (strlen(r->suite->folder) + 1 + strlen(pattern) >= MMD_FILE_PATH_MAX)
        return suite_fail(r, "the path is longer than %d bytes", MMD_FILE_PATH_MAX - 1);
    if (count_slashes(pattern) > FOLDERS_MAX)
        return suite_fail(r, "a pattern names more than %d folders", FOLDERS_MAX);
    if (strstr(pattern + wild, "../"))
        return suite_fail(r, "the pattern %.300s has .. after a wildcard", pattern);
    if (relative)
        s.skip =
            (size_t)snprintf(s.path, sizeof s.path, "%s%s", r->suite->folder, slash_behind(r->suite->folder));
    if (!search_from(&s, s.skip, pattern, 0))
        return false;
    if (inputs->count == first)
        return suite_fail(r, "no file matches the pattern %.300s", pattern);
    qsort(inputs->items + first, inputs->count - first, sizeof *inputs->items, by_path);
    size_t unique = first;
    for (size_t i = first; i < inputs->count; i++)
        if (unique == first || by_path(&inputs->items[unique - 1], &inputs->items[i]) != 0)
            inputs->items[unique++] = inputs->items[i];
    inputs->count = unique;
    return true;
}

bool suite_find_files(suite_reader *r, const suite_files *files, scene_inputs *inputs)
{
    *inputs = (scene_inputs){0};
    for (size_t i = 0; i < files->count; i++) {
        const char *given = files->items[i];
        bool is_pattern = strpbrk(given, "*?[") != NULL;
        if (is_pattern ? !add_pattern(r, given, inputs)
                       : !make_room(r, inputs, 1) || !suite_input(r, given, &inputs->items[inputs->count++]))
            return false;
    }
    return true;
}
