#include "file_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "base/system.h"
#include "mmd/source.h"

struct file_set_item {
    char *target;      /* links resolved */
    char *fresh, *old; /* hidden names of the new file and of the old one */
    bool has_old;
};

/* Holds signals that end the program. */
static void begin(file_set *set)
{
    if (!set->is_begun)
        platform_hold_signals();
    set->is_begun = true;
}

/* Returns the path of a hidden file beside another one. NULL: it is too long, or out of memory. */
static char *hidden_beside(file_set *set, const char *target, const char *ending)
{
    char folder[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
    mmd_path_folder(target, folder, sizeof folder);
    int length = snprintf(path, sizeof path, "%s/.%s%s", folder, mmd_path_name(target), ending);
    return length < MMD_FILE_PATH_MAX ? mmd_arena_text(&set->arena, path, (size_t)length) : NULL;
}

/* Adds an item. The list doubles at 0, 1, 2, 4, … */
static file_set_item *add_item(file_set *set, const char *target)
{
    file_set_item item = {.target = mmd_arena_text(&set->arena, target, strlen(target)),
                          .fresh = hidden_beside(set, target, ".new"),
                          .old = hidden_beside(set, target, ".old")};
    if (!item.target || !item.fresh || !item.old)
        return NULL;
    if ((set->count & (set->count - 1)) == 0) {
        file_set_item *grown = mmd_arena_alloc(&set->arena, set->count ? 2 * set->count : 1, sizeof *grown);
        if (!grown)
            return NULL;
        if (set->count)
            memcpy(grown, set->items, set->count * sizeof *grown);
        set->items = grown;
    }
    set->items[set->count] = item;
    return &set->items[set->count++];
}

bool file_set_add(file_set *set, const char *target, const void *data, size_t size, problem *why)
{
    char resolved[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    mmd_error error = {0};
    begin(set);
    mmd_path_folder(target, folder, sizeof folder);
    if (!path_make_folder(folder) || !path_resolve(target, resolved))
        return problem_set(why, EXIT_FACILITY, "%s: cannot be written", target);
    const file_set_item *item = add_item(set, resolved);
    if (!item)
        return problem_out_of_memory(why);
    platform_remove(item->fresh); /* of a run that was killed; and no link is followed */
    return mmd_file_write(item->fresh, data, size, &error) == MMD_OK ||
           problem_set(why, EXIT_FACILITY, "%s: %s", target, error.message);
}

/* Keeps the old file under its hidden name. Returns false with errno set. */
static bool keep_old(file_set_item *item)
{
    platform_info about;
    platform_remove(item->old);
    if (!platform_stat_link(item->target, &about))
        return errno == ENOENT;
    if (about.kind != PLATFORM_FILE) {
        errno = about.kind == PLATFORM_FOLDER ? EISDIR : EINVAL;
        return false;
    }
    /* Some file systems have no links. There the target is missing for a moment. */
    item->has_old = system_link(item->target, item->old) || platform_replace(item->target, item->old);
    return item->has_old;
}

static int by_target(const void *a, const void *b)
{
    return strcmp(((const file_set_item *)a)->target, ((const file_set_item *)b)->target);
}

/* Checks that no two files are to take one place, which links can lead to. They would lose the old file. */
static bool check_targets(file_set *set, problem *why)
{
    if (set->count)
        qsort(set->items, set->count, sizeof *set->items, by_target);
    for (size_t i = 1; i < set->count; i++)
        if (by_target(&set->items[i - 1], &set->items[i]) == 0)
            return problem_set(why, EXIT_INPUT,
                               "%s: links lead to it from several files that are to be replaced; nothing was",
                               set->items[i].target);
    return true;
}

bool file_set_finish(file_set *set, problem *why)
{
    if (!check_targets(set, why))
        return false;
    for (size_t i = 0; i < set->count; i++) {
        file_set_item *item = &set->items[i];
        if (keep_old(item) && platform_replace(item->fresh, item->target))
            continue;
        problem_set(why, EXIT_FACILITY, "%s: cannot be replaced: %s; nothing was", item->target,
                    strerror(errno));
        if (item->has_old)
            platform_replace(item->old, item->target);
        while (i-- > 0) {
            item = &set->items[i];
            if (item->has_old)
                platform_replace(item->old, item->target);
            else
                platform_remove(item->target);
        }
        return false;
    }
    return true;
}

void file_set_end(file_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        char folder[MMD_FILE_PATH_MAX];
        platform_remove(set->items[i].fresh);
        platform_remove(set->items[i].old);
        mmd_path_folder(set->items[i].target, folder, sizeof folder);
        platform_remove_folder(folder); /* only if it is empty */
    }
    if (set->is_begun)
        platform_release_signals();
    mmd_arena_finish(&set->arena);
    *set = (file_set){0};
}
