/*
 * The nearest baseline: where the driver that draws has no baseline of a frame, that of another driver is
 * taken, one of the same vendor if there is one. Which that is depends only on the folder of the baselines.
 */
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "files/png_text.h"
#include "internal.h"
#include "mmd/memory.h"
#include "mmd/platform.h"

/* How near a driver is; more is nearer. */
typedef struct nearness {
    bool same_vendor;
    size_t shared; /* characters with which both names begin */
} nearness;

/* Returns whether a baseline was drawn by a driver of this vendor, by the data stored in it. */
static bool is_of_vendor(const char *picture, const char *vendor)
{
    char *text = png_text_of_file(picture, PROVENANCE_KEY);
    json_t *origin = text ? json_loads(text, 0, NULL) : NULL;
    const char *was = json_string_value(json_object_get(json_object_get(origin, "gl"), "vendor"));
    const bool same = was && strcmp(was, vendor) == 0;
    json_decref(origin);
    mmd_free(text);
    return same;
}

/* Returns whether a driver has both files of a baseline, in places that the suite may read. */
static bool has_baseline(const suite *s, const char *driver, const suite_scene *scene, double frame,
                         char picture[MMD_FILE_PATH_MAX])
{
    char hashes[MMD_FILE_PATH_MAX], why[PATH_WHY_MAX];
    suite_baseline_path(s, driver, scene, frame, ".png", picture);
    suite_baseline_path(s, driver, scene, frame, ".json", hashes);
    return platform_exists(picture) && platform_exists(hashes) && path_scope_has(&s->scope, picture, why) &&
           path_scope_has(&s->scope, hashes, why);
}

static size_t shared_beginning(const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of drivers that may have baselines. */
typedef struct driver_names {
    char **items;
    size_t count;
} driver_names;

/* Lists the folders of baselines in the order of their names. Returns false when out of memory. */
static bool list_drivers(const char *baselines, driver_names *names, mmd_arena *arena)
{
    platform_folder *folder = platform_folder_open(baselines);
    bool ok = true;
    *names = (driver_names){0};
    for (const char *name; ok && folder && (name = platform_folder_next(folder));) {
        if (*name == '.' || strlen(name) >= DRIVER_NAME_MAX)
            continue;
        if ((names->count & (names->count - 1)) == 0) { /* doubles at 0, 1, 2, 4, … */
            char **grown = mmd_realloc(names->items, (names->count ? 2 * names->count : 1) * sizeof *grown);
            ok = grown != NULL;
            names->items = ok ? grown : names->items;
        }
        char *kept = ok ? mmd_arena_text(arena, name, strlen(name)) : NULL;
        ok = kept != NULL;
        if (ok)
            names->items[names->count++] = kept;
    }
    platform_folder_close(folder);
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, by_name);
    return ok;
}

bool nearest_driver(const suite *s, const char *driver, const char *vendor, const suite_scene *scene,
                    double frame, char found[DRIVER_NAME_MAX])
{
    driver_names names;
    mmd_arena arena = {0};
    nearness best = {0};
    *found = '\0';
    const bool listed = list_drivers(s->baselines, &names, &arena);
    for (size_t i = 0; listed && i < names.count; i++) {
        const char *name = names.items[i];
        char picture[MMD_FILE_PATH_MAX];
        if (strcmp(name, driver) == 0 || !has_baseline(s, name, scene, frame, picture))
            continue;
        const nearness one = {is_of_vendor(picture, vendor), shared_beginning(name, driver)};
        const bool nearer = one.same_vendor != best.same_vendor ? one.same_vendor : one.shared > best.shared;
        if (*found && !nearer)
            continue;
        best = one;
        strcpy(found, name);
    }
    mmd_free(names.items);
    mmd_arena_finish(&arena);
    return *found;
}
