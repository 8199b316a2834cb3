/* Expands a scene as given in a suite to many: one for each combination of the files that vary, each with a name of
 * its own. */
#include <stdio.h>
#include <string.h>

#include "mmd/source.h"
#include "mmd/text.h"
#include "suite_reader.h"

enum { SUITE_SCENES_MAX = 50000, NAME_MAX_BYTES = 1024 };

enum { FOLDER_LONGEST = 180, HASH_KEPT = 8 };

/* Writes a name in a form that is valid for a folder on every system. Characters that are not allowed become `_`,
 * and a long name is cut and ends in a hash. */
static void folder_name(const char *name, char *folder, size_t capacity)
{
    size_t length = 0, longest = capacity - 1 < FOLDER_LONGEST ? capacity - 1 : FOLDER_LONGEST;
    for (const char *c = name; *c && length < longest; c++) {
        bool allowed = (unsigned char)*c >= 0x20 && *c != 0x7f && !strchr("/\\:*?\"<>|", *c);
        folder[length++] = allowed ? *c : '_';
    }
    folder[length] = '\0';
    if (strlen(name) > longest) {
        size_t cut = longest - HASH_KEPT - 1;
        while (cut > 0 && ((unsigned char)folder[cut] & 0xc0) == 0x80)
            cut--; /* do not cut within a UTF-8 character */
        snprintf(folder + cut, capacity - cut, "-%.*s", HASH_KEPT, digest_of(name, strlen(name)).text);
    }
    if (folder[0] == '.')
        folder[0] = '_';
}

/* A placeholder in the name of a scene. */
typedef struct naming {
    const char *key;
    const scene_input *input; /* file that it is replaced by the name of; NULL: none */
    bool folder;              /* replaced by the name of its folder instead */
    bool varies;              /* the scene is multiplied by this file */
} naming;

/* Writes the text for a placeholder: for "a/miku.pmx" it is "miku", or "a" with folder. */
static void stem(const naming *n, char *text, size_t capacity)
{
    char folder[PATH_MAX];
    text[0] = '\0';
    if (!n->input)
        return;
    if (n->folder) {
        mmd_path_folder(n->input->path, folder, sizeof folder);
        snprintf(text, capacity, "%s", mmd_path_name(folder));
        return;
    }
    snprintf(text, capacity, "%s", mmd_path_name(n->input->given));
    char *dot = strrchr(text, '.');
    if (dot && dot != text)
        *dot = '\0';
}

/* Replaces the placeholders in the name of a scene. Files that vary and have no placeholder are appended. */
static bool make_name(suite_reader *r, const char *pattern, const naming *names, size_t count, suite_scene *p)
{
    char name[NAME_MAX_BYTES], text[PATH_MAX];
    size_t used = 0;
    bool named[8] = {false};
    for (const char *c = pattern; *c && used < sizeof name - 1;) {
        size_t n = *c == '{' ? 0 : count;
        while (n < count && (strncmp(c + 1, names[n].key, strlen(names[n].key)) != 0 ||
                             c[1 + strlen(names[n].key)] != '}'))
            n++;
        if (n == count) {
            name[used++] = *c++;
            continue;
        }
        stem(&names[n], text, sizeof text);
        named[n] = true;
        c += strlen(names[n].key) + 2;
        used += (size_t)snprintf(name + used, sizeof name - used, "%s", text);
    }
    /* One of {model} and {model_folder}, which follow each other in the table, is enough. */
    for (size_t i = 0; i < count && used < sizeof name; i += 2) {
        if (!names[i].varies || named[i] || named[i + 1])
            continue;
        stem(&names[i], text, sizeof text);
        used += (size_t)snprintf(name + used, sizeof name - used, "-%s", text);
    }
    if (used >= sizeof name)
        return suite_fail(r, "the name is longer than %d bytes", NAME_MAX_BYTES - 1);
    name[used] = '\0';
    char clean[4 * NAME_MAX_BYTES], folder[256];
    mmd_text_clean(name, false, clean, sizeof clean); /* names of files can have any bytes */
    folder_name(clean, folder, sizeof folder);
    p->name = mmd_arena_text(&r->suite->arena, clean, strlen(clean));
    p->folder = mmd_arena_text(&r->suite->arena, folder, strlen(folder));
    return (p->name && p->folder) || suite_no_memory(r);
}

/* Adds a scene to the suite. The name of its folder has to be unique. */
static bool add_scene(suite_reader *r, const suite_scene *p)
{
    suite *s = r->suite;
    if (json_object_get(r->folders, p->folder))
        return suite_fail(r,
                          "there are two scenes with the name %.200s (a name can contain {model}, {model_folder}, "
                          "{motion}, {motion_folder}, {pose}, {pose_folder})",
                          p->name);
    if (json_object_set_new_nocheck(r->folders, p->folder, json_true()) != 0)
        return suite_no_memory(r);
    if (s->count == SUITE_SCENES_MAX)
        return suite_fail(r, "the suite has more than %d scenes", SUITE_SCENES_MAX);
    if ((s->count & (s->count - 1)) == 0) { /* the capacity doubles at 0, 1, 2, 4, … */
        suite_scene *grown = mmd_arena_alloc(&s->arena, s->count ? 2 * s->count : 1, sizeof *grown);
        if (!grown)
            return suite_no_memory(r);
        if (s->count)
            memcpy(grown, s->scenes, s->count * sizeof *grown);
        s->scenes = grown;
    }
    s->scenes[s->count++] = *p;
    return true;
}

/* Returns the files of one expanded scene: the one with the index, or all of them. */
static scene_inputs chosen(const scene_inputs *inputs, bool each, size_t index)
{
    return each && inputs->count ? (scene_inputs){inputs->items + index, 1} : *inputs;
}

/* Returns the number of scenes that a list of files expands to. */
static size_t choices(const scene_inputs *inputs, bool each)
{
    return each && inputs->count ? inputs->count : 1;
}

/* Appends the motions of single models and of the stage to those of all models. */
static bool add_own(suite_reader *r, const written_scene *from, scene_inputs *motions)
{
    size_t count = motions->count;
    scene_input *all;
    if (from->own_count + from->stage_motions.count == 0)
        return true;
    all = mmd_arena_alloc(&r->suite->arena, count + from->own_count + from->stage_motions.count, sizeof *all);
    if (!all)
        return suite_no_memory(r);
    if (count)
        memcpy(all, motions->items, count * sizeof *all);
    for (size_t i = 0; i < from->own_count; i++, count++) {
        if (!suite_input(r, from->own[i].motion, &all[count]))
            return false;
        all[count].owner = from->own[i].model + 1;
    }
    for (size_t i = 0; i < from->stage_motions.count; i++, count++) {
        if (!suite_input(r, from->stage_motions.items[i], &all[count]))
            return false;
        all[count].is_of_stage = true;
    }
    *motions = (scene_inputs){all, count};
    return true;
}

bool suite_expand(suite_reader *r, const written_scene *from)
{
    scene_inputs models, motions, poses;
    suite_scene p = from->scene;
    scene_options *on = &p.recipe.scene;
    if (!suite_find_files(r, &from->models, &models) || !suite_find_files(r, &from->motions, &motions) ||
        !suite_find_files(r, &from->poses, &poses) ||
        (from->camera && !suite_input(r, from->camera, &on->camera)) ||
        (from->stage && !suite_input(r, from->stage, &on->stage)))
        return false;
    if (!from->models.each && models.count > r->max_models)
        return suite_fail(r, "the scene has more than %zu models; --max-models N allows more", r->max_models);
    for (size_t i = 0; i < choices(&models, from->models.each); i++) {
        for (size_t j = 0; j < choices(&motions, from->motions.each); j++) {
            for (size_t k = 0; k < choices(&poses, from->poses.each); k++) {
                on->files = chosen(&models, from->models.each, i);
                on->motions = chosen(&motions, from->motions.each, j);
                on->poses = chosen(&poses, from->poses.each, k);
                if (!add_own(r, from, &on->motions))
                    return false;
                const scene_input *model = on->files.count ? on->files.items : NULL;
                const scene_input *motion = on->motions.count ? on->motions.items : NULL;
                const scene_input *pose = on->poses.count ? on->poses.items : NULL;
                const naming names[] = {
                    {"model", model, false, from->models.each},    {"model_folder", model, true, false},
                    {"motion", motion, false, from->motions.each}, {"motion_folder", motion, true, false},
                    {"pose", pose, false, from->poses.each},       {"pose_folder", pose, true, false},
                };
                if (!make_name(r, from->scene.name, names, sizeof names / sizeof *names, &p) ||
                    !add_scene(r, &p))
                    return false;
            }
        }
    }
    return true;
}
