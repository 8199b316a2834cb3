#include "support.h"

#include "mmd/platform.h"

static unsigned skips;

void test_skip_part(const char *why, ...)
{
    char text[512];
    va_list list;
    va_start(list, why);
    vsnprintf(text, sizeof text, why, list);
    va_end(list);
    print_message("skipped: %s\n", text);
    skips++;
}

int test_exit_code(int failed)
{
    enum { SKIPPED = 77 };
    if (failed || !skips)
        return failed != 0;
    return SKIPPED;
}

bool shared_exists(void)
{
    platform_info about;
    return platform_stat(ODORI_SHARED "/data", &about) && about.kind == PLATFORM_FOLDER;
}

const char *shared_path(const char *name, char *text, size_t capacity)
{
    snprintf(text, capacity, "%s/%s", ODORI_SHARED, name);
    return text;
}

mmd_bytes shared_read(const char *name)
{
    char path[4096];
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    if (mmd_file_read(shared_path(name, path, sizeof path), &bytes, &error) != MMD_OK)
        fail_msg("%s: %s", path, error.message);
    return bytes;
}

typedef struct name_list {
    char **names;
    size_t count, capacity;
} name_list;

/*
 * Collects the names of files that end in `ending` in a folder and its subfolders. Hidden files are skipped.
 */
static void collect(const char *folder, const char *ending, name_list *list)
{
    char path[4096];
    platform_folder *listing = platform_folder_open(shared_path(folder, path, sizeof path));
    for (const char *entry; listing && (entry = platform_folder_next(listing));) {
        char name[2048];
        platform_info about;
        if (entry[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", folder, entry);
        if (!platform_folder_stat(listing, &about))
            continue;
        if (about.kind == PLATFORM_FOLDER) {
            collect(name, ending, list);
            continue;
        }
        size_t length = strlen(name), tail = strlen(ending);
        if (length < tail || strcmp(name + length - tail, ending) != 0)
            continue;
        if (list->count == list->capacity) {
            list->capacity = list->capacity ? 2 * list->capacity : 64;
            list->names = realloc(list->names, list->capacity * sizeof *list->names);
            assert_non_null(list->names);
        }
        list->names[list->count++] = strdup(name);
    }
    platform_folder_close(listing);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t shared_each(const char *ending, void (*visit)(const char *name, void *user), void *user)
{
    name_list list = {0};
    if (!shared_exists())
        test_skip_part("no %s", ODORI_SHARED);
    collect("data", ending, &list);
    if (list.count)
        qsort(list.names, list.count, sizeof *list.names, compare_names);
    for (size_t i = 0; i < list.count; i++) {
        visit(list.names[i], user);
        free(list.names[i]);
    }
    free(list.names);
    return list.count;
}

uint64_t test_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
