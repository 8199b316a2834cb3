/* Expands a scene as given in a suite to many: one for each combination of the files that vary, each with a
 * name of its own. */
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "mmd/source.h"
#include "mmd/text.h"
#include "suite_reader.h"

enum { SUITE_SCENES_MAX = 50000, NAME_MAX_BYTES = 1024 };

enum { FOLDER_LONGEST = 180, HASH_KEPT = 8 };

/* Writes a name in a form that is valid for a folder on every system. Characters that are not allowed become
 * `_`, and a long name is cut and ends in a hash. */
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
    const char *text;         /* replaced by this text instead; NULL: by that of the file */
} naming;

/* Writes the text for a placeholder: for "a/miku.pmx" it is "miku", or "a" with folder. */
static void stem(const naming *n, char *text, size_t capacity)
{
    char folder[MMD_FILE_PATH_MAX];
    snprintf(text, capacity, "%s", n->text ? n->text : "");
    if (n->text || !n->input)
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
    char name[NAME_MAX_BYTES], text[MMD_FILE_PATH_MAX];
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
        return suite_fail(
            r,
            "there are two scenes with the name %.200s (a name can contain {model}, {model_folder}, "
            "{motion}, {motion_folder}, {pose}, {pose_folder}, {camera}, {camera_folder})",
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

/* A camera of a scene. */
typedef struct chosen_camera {
    scene_input input; /* its file; all zero: none */
    const char *name;  /* of one that stands still; NULL: it has a file */
    const char *exec;  /* the commands of the scene, after those that set a camera that stands still */
    unsigned lead;     /* how many lines set it */
} chosen_camera;

/* A scene as given in the suite, with its files. */
typedef struct expansion {
    const written_scene *from;
    scene_inputs models, motions, poses;
    scene_input stage;
    chosen_camera *cameras; /* at least one, which may be no camera */
    size_t camera_count;
} expansion;

/* Adds a camera. The list doubles. */
static bool add_camera(suite_reader *r, expansion *e, const chosen_camera *camera)
{
    if (e->camera_count == 0 || e->camera_count == suite_room_of(e->camera_count)) {
        chosen_camera *grown =
            mmd_arena_alloc(&r->suite->arena, suite_room_of(e->camera_count + 1), sizeof *grown);
        if (!grown)
            return suite_no_memory(r);
        if (e->camera_count)
            memcpy(grown, e->cameras, e->camera_count * sizeof *grown);
        e->cameras = grown;
    }
    e->cameras[e->camera_count++] = *camera;
    return true;
}

/* Adds a camera that stands still: commands that set it before the first frame. */
static bool add_still_camera(suite_reader *r, expansion *e, const suite_camera *camera)
{
    char set[512];
    const char *exec = e->from->scene.recipe.exec;
    const double *target = camera->target, *angle = camera->angle;
    /* Motions and commands have negative distances in front of the target. */
    snprintf(set, sizeof set, "camera.set %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n%s", 0 - camera->distance,
             target[0], target[1], target[2], angle[0] * DEGREE, angle[1] * DEGREE, angle[2] * DEGREE,
             camera->fov, camera->orthographic ? "camera.perspective off\n" : "");
    char *lines = mmd_arena_alloc(&r->suite->arena, strlen(set) + strlen(exec) + 1, 1);
    if (!lines)
        return suite_no_memory(r);
    sprintf(lines, "%s%s", set, exec);
    return add_camera(
        r, e, &(chosen_camera){.name = camera->name, .exec = lines, .lead = camera->orthographic ? 2 : 1});
}

/* Finds the cameras of a scene. */
static bool find_cameras(suite_reader *r, expansion *e)
{
    const suite_cameras *given = &e->from->cameras;
    const char *exec = e->from->scene.recipe.exec;
    for (size_t i = 0; i < given->count; i++) {
        const suite_camera *camera = &given->items[i];
        const char *path = camera->files;
        scene_inputs found = {0};
        scene_input alone;
        bool ok = true;
        if (!path)
            ok = add_still_camera(r, e, camera);
        else if (given->each)
            ok = suite_find_files(r, &(suite_files){&path, 1, true}, &found);
        else if ((ok = suite_input(r, path, &alone)))
            found = (scene_inputs){&alone, 1};
        for (size_t k = 0; ok && k < found.count; k++)
            ok = add_camera(r, e, &(chosen_camera){.input = found.items[k], .exec = exec});
        if (!ok)
            return false;
    }
    return e->camera_count || add_camera(r, e, &(chosen_camera){.exec = exec});
}

/* Adds a scene with one combination of the files that vary, given by their indices. */
static bool add_combination(suite_reader *r, const expansion *e, size_t model, size_t motion, size_t pose,
                            const chosen_camera *camera)
{
    const written_scene *from = e->from;
    suite_scene p = from->scene;
    scene_options *on = &p.recipe.scene;
    on->stage = e->stage;
    on->files = chosen(&e->models, from->models.each, model);
    on->motions = chosen(&e->motions, from->motions.each, motion);
    on->poses = chosen(&e->poses, from->poses.each, pose);
    on->camera = camera->input;
    p.recipe.exec = camera->exec;
    p.recipe.exec_lead = camera->lead;
    if (!add_own(r, from, &on->motions))
        return false;
    const scene_input *first_model = on->files.count ? on->files.items : NULL;
    const scene_input *first_motion = on->motions.count ? on->motions.items : NULL;
    const scene_input *first_pose = on->poses.count ? on->poses.items : NULL;
    const scene_input *file = camera->input.given ? &camera->input : NULL;
    const naming names[] = {
        {"model", first_model, false, from->models.each, NULL},
        {"model_folder", first_model, true, false, NULL},
        {"motion", first_motion, false, from->motions.each, NULL},
        {"motion_folder", first_motion, true, false, NULL},
        {"pose", first_pose, false, from->poses.each, NULL},
        {"pose_folder", first_pose, true, false, NULL},
        {"camera", file, false, from->cameras.each, camera->name},
        {"camera_folder", file, true, false, NULL},
    };
    return make_name(r, from->scene.name, names, sizeof names / sizeof *names, &p) && add_scene(r, &p);
}

bool suite_expand(suite_reader *r, const written_scene *from)
{
    expansion e = {.from = from};
    if (!suite_find_files(r, &from->models, &e.models) || !suite_find_files(r, &from->motions, &e.motions) ||
        !suite_find_files(r, &from->poses, &e.poses) || !find_cameras(r, &e) ||
        (from->stage && !suite_input(r, from->stage, &e.stage)))
        return false;
    if (!from->models.each && e.models.count > r->max_models)
        return suite_fail(r, "the scene has more than %zu models; --max-models N allows more", r->max_models);
    for (size_t i = 0; i < choices(&e.models, from->models.each); i++)
        for (size_t j = 0; j < choices(&e.motions, from->motions.each); j++)
            for (size_t k = 0; k < choices(&e.poses, from->poses.each); k++)
                for (size_t c = 0; c < e.camera_count; c++)
                    if (!add_combination(r, &e, i, j, k, &e.cameras[c]))
                        return false;
    return true;
}
