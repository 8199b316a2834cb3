/* Lists files to open. Folders are only read when the scene changes. */
#include "file_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mmd/assemble.h"
#include "preferences.h"

/* Appends a path, if there is room. */
static void add(file_list *l, const char *path)
{
    const char *copy = l->count < FILE_LIST_MAX ? mmd_arena_text(&l->arena, path, strlen(path)) : NULL;
    if (copy)
        l->paths[l->count++] = copy;
}

/* The search through the folder of a model. */
typedef struct folder_search {
    file_list *list;
    const char *model;
    char folder[MMD_FILE_PATH_MAX];
} folder_search;

/* Appends a model file of the folder. Returns false to end the search when half of the list is used. */
static bool visit(void *user, const char *entry, bool is_folder)
{
    folder_search *l = user;
    char path[2 * MMD_FILE_PATH_MAX];
    if (is_folder || mmd_name_kind_of(entry) != MMD_NAME_MODEL || strcmp(mmd_path_name(l->model), entry) == 0)
        return true;
    snprintf(path, sizeof path, "%s/%s", l->folder, entry);
    add(l->list, path);
    return l->list->count < FILE_LIST_MAX / 2;
}

/* Compares two paths by name, in any case. */
static int by_name(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int order = strcasecmp(x, y);
    return order ? order : strcmp(x, y);
}

/* Appends the model files in the folder of a model, without those in subfolders, sorted by name. */
static void add_beside(file_list *list, const scene_model *m)
{
    folder_search l = {.list = list, .model = m->path};
    mmd_path_folder(m->path, l.folder, sizeof l.folder);
    mmd_source_list(m->textures.source, strcmp(m->textures.folder, ".") == 0 ? "" : m->textures.folder, visit,
                    &l);
    qsort(list->paths, list->count, sizeof *list->paths, by_name);
}

void file_list_follow(file_list *l, const odori_session *s)
{
    char path[MMD_FILE_PATH_MAX];
    size_t main = scene_main_model(s->scene);
    const char *of = main < s->scene->model_count ? s->scene->models[main].path : "";
    if (l->models == s->scene->model_count && strcmp(l->of, of) == 0)
        return;
    file_list_finish(l);
    l->models = s->scene->model_count;
    snprintf(l->of, sizeof l->of, "%s", of);
    if (*of &&
        strcmp(s->scene->models[main].given, of) == 0) /* the bundled dancer's folder has nothing to open */
        add_beside(l, &s->scene->models[main]);
    l->beside = l->count;
    for (size_t i = 0; s->remembers && recent_get(i, path); i++)
        add(l, path);
}

void file_list_finish(file_list *l)
{
    mmd_arena_finish(&l->arena);
    *l = (file_list){.count = 0};
}
