/*
 * The nearest baseline: where the driver that draws has no baseline of a frame, that of another driver is
 * taken, one of the same vendor if there is one. Which that is depends only on the folder of the baselines.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "files/png_text.h"
#include "internal.h"
#include "mmd/memory.h"

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
    return access(picture, F_OK) == 0 && access(hashes, F_OK) == 0 &&
           path_scope_has(&s->scope, picture, why) && path_scope_has(&s->scope, hashes, why);
}

static size_t shared_beginning(const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int may_be_driver(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strlen(entry->d_name) < DRIVER_NAME_MAX;
}

bool nearest_driver(const suite *s, const char *driver, const char *vendor, const suite_scene *scene,
                    double frame, char found[DRIVER_NAME_MAX])
{
    struct dirent **entries = NULL;
    const int count = scandir(s->baselines, &entries, may_be_driver, by_name);
    nearness best = {0};
    *found = '\0';
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
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
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return *found;
}
