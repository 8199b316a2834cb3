/* Looked for when the scene changes, and not while it is looked at. */
#include "file_list.h"

#include <stdio.h>
#include <string.h>

#include "files/locate.h"
#include "preferences.h"

static void add(file_list *l, const char *path)
{
    const char *kept = l->count < FILE_LIST_MAX ? mmd_arena_text(&l->arena, path, strlen(path)) : NULL;
    if (kept)
        l->paths[l->count++] = kept;
}

typedef struct looking {
    file_list *list;
    const char *model;
    char folder[PATH_MAX];
} looking;

static bool visit(void *user, const char *entry, bool is_folder)
{
    looking *l = user;
    char path[2 * PATH_MAX];
    if (is_folder || !locate_is_model_name(entry) || strcmp(mmd_path_name(l->model), entry) == 0)
        return true;
    snprintf(path, sizeof path, "%s/%s", l->folder, entry);
    add(l->list, path);
    return l->list->count < FILE_LIST_MAX / 2;
}

/* In one folder, not in those below it. */
static void add_beside(file_list *list, const scene_model *m)
{
    looking l = {.list = list, .model = m->path};
    mmd_path_folder(m->path, l.folder, sizeof l.folder);
    mmd_source_list(m->textures.source, strcmp(m->textures.folder, ".") == 0 ? "" : m->textures.folder, visit,
                    &l);
}

void file_list_follow(file_list *l, const odori_session *s)
{
    char path[PATH_MAX];
    const char *of = s->scene->model_count ? s->scene->models[0].path : "";
    if (l->models == s->scene->model_count && strcmp(l->of, of) == 0)
        return;
    file_list_finish(l);
    l->models = s->scene->model_count;
    snprintf(l->of, sizeof l->of, "%s", of);
    if (*of && strcmp(s->scene->models[0].given, of) == 0) /* nobody looks for what lies beside the dancer */
        add_beside(l, &s->scene->models[0]);
    l->beside = l->count;
    for (size_t i = 0; s->remembers && recent_get(i, path); i++)
        add(l, path);
}

void file_list_finish(file_list *l)
{
    mmd_arena_finish(&l->arena);
    *l = (file_list){.count = 0};
}
