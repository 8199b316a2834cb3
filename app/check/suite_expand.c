/* One scene as written becomes many: every match of "models" with every match of "motions" and "poses". */
#include "suite_parts.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "mmd/source.h"
#include "mmd/text.h"

/* How deep ** looks. */
enum { GLOB_DEPTH = 8, NAME_MAX_BYTES = 1024 };

static bool no_memory(suite_reader *r)
{
    return suite_fail(r, "out of memory");
}

bool suite_input(suite_reader *r, const char *given, plan_input *input)
{
    char path[2 * PATH_MAX];
    bool alone = given[0] == '/' || strcmp(r->suite->folder, ".") == 0;
    int length =
        snprintf(path, sizeof path, "%s%s%s", alone ? "" : r->suite->folder, alone ? "" : "/", given);
    if (length >= PATH_MAX)
        return suite_fail(r, "longer than a path can be (%d bytes)", PATH_MAX - 1);
    *input = (plan_input){.given = given, .path = mmd_arena_text(&r->suite->arena, path, strlen(path))};
    return input->path || no_memory(r);
}

static bool is_pattern(const char *text)
{
    return strpbrk(text, "*?[") != NULL;
}

/* The suite's folder and a slash, with everything quoted that a pattern would take for its own. */
static void quote_folder(const suite_reader *r, char *quoted)
{
    if (strcmp(r->suite->folder, ".") != 0) {
        for (const char *c = r->suite->folder; *c; c++) {
            if (strchr("*?[]\\", *c))
                *quoted++ = '\\';
            *quoted++ = *c;
        }
        *quoted++ = '/';
    }
    *quoted = '\0';
}

/* Adds what a pattern without ** matches to found. */
static bool glob_once(suite_reader *r, const char *pattern, glob_t *found, bool *begun)
{
    char full[4 * PATH_MAX] = "";
    if (pattern[0] != '/')
        quote_folder(r, full);
    size_t used = strlen(full);
    if (strlen(pattern) >= sizeof full - used)
        return suite_fail(r, "longer than a path can be");
    strcpy(full + used, pattern);
    int result = glob(full, GLOB_NOSORT | (*begun ? GLOB_APPEND : 0), NULL, found);
    *begun = true;
    return result != GLOB_NOSPACE || no_memory(r);
}

/* `**` stands for any number of folders: the pattern is tried with 0, 1, 2, … of them. */
static bool glob_all(suite_reader *r, const char *pattern, glob_t *found, bool *begun)
{
    char deeper[2 * PATH_MAX];
    const char *stars = strstr(pattern, "**/");
    if (!stars)
        return glob_once(r, pattern, found, begun);
    if (strlen(pattern) + 2 * GLOB_DEPTH >= sizeof deeper)
        return suite_fail(r, "longer than a path can be");
    for (int depth = 0; depth <= GLOB_DEPTH; depth++) {
        int used = snprintf(deeper, sizeof deeper, "%.*s", (int)(stars - pattern), pattern);
        for (int i = 0; i < depth; i++)
            used += snprintf(deeper + used, sizeof deeper - (size_t)used, "*/");
        snprintf(deeper + used, sizeof deeper - (size_t)used, "%s", stars + 3);
        if (!glob_once(r, deeper, found, begun))
            return false;
    }
    return true;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const plan_input *)a)->path, ((const plan_input *)b)->path);
}

/* Matches in byte order, each once, as they lie below the suite's folder. */
static bool keep_matches(suite_reader *r, const char *pattern, const glob_t *found, plan_inputs *inputs)
{
    bool relative = pattern[0] != '/' && strcmp(r->suite->folder, ".") != 0;
    size_t skip = relative ? strlen(r->suite->folder) + 1 : 0, first = inputs->count;
    for (size_t i = 0; i < found->gl_pathc; i++) {
        const char *path = found->gl_pathv[i];
        char *kept = mmd_arena_text(&r->suite->arena, path, strlen(path));
        if (!kept)
            return no_memory(r);
        inputs->items[inputs->count++] = (plan_input){.given = kept + skip, .path = kept};
    }
    qsort(inputs->items + first, inputs->count - first, sizeof *inputs->items, by_path);
    size_t kept = first;
    for (size_t i = first; i < inputs->count; i++)
        if (kept == first || by_path(&inputs->items[kept - 1], &inputs->items[i]) != 0)
            inputs->items[kept++] = inputs->items[i];
    inputs->count = kept;
    return true;
}

/* Room for more inputs, in a new place: arenas do not grow what they gave. */
static bool make_room(suite_reader *r, plan_inputs *inputs, size_t more)
{
    plan_input *items = mmd_arena_alloc(&r->suite->arena, inputs->count + more, sizeof *items);
    if (!items)
        return no_memory(r);
    if (inputs->count)
        memcpy(items, inputs->items, inputs->count * sizeof *items);
    inputs->items = items;
    return true;
}

static bool add_pattern(suite_reader *r, const char *pattern, plan_inputs *inputs)
{
    glob_t found;
    bool begun = false, ok = glob_all(r, pattern, &found, &begun);
    if (ok && found.gl_pathc == 0)
        ok = suite_fail(r, "no file matches %.300s", pattern);
    ok = ok && make_room(r, inputs, found.gl_pathc) && keep_matches(r, pattern, &found, inputs);
    if (begun)
        globfree(&found);
    return ok;
}

static bool find_files(suite_reader *r, const suite_files *files, plan_inputs *inputs)
{
    *inputs = (plan_inputs){0};
    for (size_t i = 0; i < files->count; i++) {
        const char *given = files->items[i];
        if (is_pattern(given)) {
            if (!add_pattern(r, given, inputs))
                return false;
        } else if (!make_room(r, inputs, 1) || !suite_input(r, given, &inputs->items[inputs->count++])) {
            return false;
        }
    }
    return true;
}

/* What a name's placeholders stand for. */
typedef struct naming {
    const char *key;
    const plan_input *input; /* NULL: nothing */
    bool folder;             /* its folder's name, not its own */
    bool varies;
} naming;

/* "a/miku.pmx": "miku", or "a". */
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

static const naming *find_naming(const naming *names, size_t count, const char *at)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(names[i].key);
        if (strncmp(at + 1, names[i].key, length) == 0 && at[1 + length] == '}')
            return &names[i];
    }
    return NULL;
}

/* Puts stems into placeholders; what varies and has none is appended. */
static bool make_name(suite_reader *r, const char *pattern, const naming *names, size_t count, plan *p)
{
    char name[NAME_MAX_BYTES], text[PATH_MAX];
    size_t used = 0;
    bool named[8] = {false};
    for (const char *c = pattern; *c && used < sizeof name - 1;) {
        const naming *n = *c == '{' ? find_naming(names, count, c) : NULL;
        if (!n) {
            name[used++] = *c++;
            continue;
        }
        stem(n, text, sizeof text);
        named[n - names] = true;
        c += strlen(n->key) + 2;
        used += (size_t)snprintf(name + used, sizeof name - used, "%s", text);
    }
    /* Of {model} and {model_folder}, neighbours in the table, one is enough. */
    for (size_t i = 0; i < count && used < sizeof name; i += 2) {
        if (!names[i].varies || named[i] || named[i + 1])
            continue;
        stem(&names[i], text, sizeof text);
        used += (size_t)snprintf(name + used, sizeof name - used, "-%s", text);
    }
    if (used >= sizeof name)
        return suite_fail(r, "a name longer than %d bytes", NAME_MAX_BYTES - 1);
    name[used] = '\0';
    char clean[4 * NAME_MAX_BYTES], folder[256];
    mmd_text_clean(name, false, clean, sizeof clean); /* names of files may be any bytes */
    plan_folder_name(clean, folder, sizeof folder);
    p->name = mmd_arena_text(&r->suite->arena, clean, strlen(clean));
    p->folder = mmd_arena_text(&r->suite->arena, folder, strlen(folder));
    return (p->name && p->folder) || no_memory(r);
}

static bool add_plan(suite_reader *r, const plan *p)
{
    suite *s = r->suite;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->plans[i].folder, p->folder) == 0)
            return suite_fail(r,
                              "a second scene with the name %.200s (names may hold {model}, {model_folder}, "
                              "{motion}, {motion_folder}, {pose}, {pose_folder})",
                              p->name);
    if (s->count == SUITE_SCENES_MAX)
        return suite_fail(r, "more than %d scenes", SUITE_SCENES_MAX);
    if ((s->count & (s->count - 1)) == 0) { /* at 0, 1, 2, 4, …: twice the room */
        plan *grown = mmd_arena_alloc(&s->arena, s->count ? 2 * s->count : 1, sizeof *grown);
        if (!grown)
            return no_memory(r);
        if (s->count)
            memcpy(grown, s->plans, s->count * sizeof *grown);
        s->plans = grown;
    }
    s->plans[s->count++] = *p;
    return true;
}

/* The files of one scene of many: one of them, or all. */
static plan_inputs chosen(const plan_inputs *inputs, bool each, size_t index)
{
    return each && inputs->count ? (plan_inputs){inputs->items + index, 1} : *inputs;
}

static size_t choices(const plan_inputs *inputs, bool each)
{
    return each && inputs->count ? inputs->count : 1;
}

static bool add_choice(suite_reader *r, const suite_scene *scene, plan *p)
{
    const plan_input *model = p->models.count ? p->models.items : NULL;
    const plan_input *motion = p->motions.count ? p->motions.items : NULL;
    const plan_input *pose = p->poses.count ? p->poses.items : NULL;
    const naming names[] = {
        {"model", model, false, scene->models.each},    {"model_folder", model, true, false},
        {"motion", motion, false, scene->motions.each}, {"motion_folder", motion, true, false},
        {"pose", pose, false, scene->poses.each},       {"pose_folder", pose, true, false},
    };
    return make_name(r, scene->plan.name, names, sizeof names / sizeof *names, p) && add_plan(r, p);
}

/* All motions of a scene: those of every model, and those of one behind them. */
static bool add_own(suite_reader *r, const suite_scene *scene, plan_inputs *motions)
{
    size_t shared = motions->count;
    plan_input *all;
    if (scene->own_count == 0)
        return true;
    all = mmd_arena_alloc(&r->suite->arena, shared + scene->own_count, sizeof *all);
    if (!all)
        return no_memory(r);
    if (shared)
        memcpy(all, motions->items, shared * sizeof *all);
    for (size_t i = 0; i < scene->own_count; i++) {
        if (!suite_input(r, scene->own[i].motion, &all[shared + i]))
            return false;
        all[shared + i].owner = scene->own[i].model + 1;
    }
    *motions = (plan_inputs){all, shared + scene->own_count};
    return true;
}

bool suite_expand(suite_reader *r, const suite_scene *scene)
{
    plan_inputs models, motions, poses;
    plan p = scene->plan;
    if (!find_files(r, &scene->models, &models) || !find_files(r, &scene->motions, &motions) ||
        !find_files(r, &scene->poses, &poses) ||
        (scene->camera && !suite_input(r, scene->camera, &p.camera)) ||
        (scene->stage && !suite_input(r, scene->stage, &p.stage)))
        return false;
    for (size_t i = 0; i < choices(&models, scene->models.each); i++) {
        for (size_t j = 0; j < choices(&motions, scene->motions.each); j++) {
            for (size_t k = 0; k < choices(&poses, scene->poses.each); k++) {
                p.models = chosen(&models, scene->models.each, i);
                p.motions = chosen(&motions, scene->motions.each, j);
                p.poses = chosen(&poses, scene->poses.each, k);
                if (!add_own(r, scene, &p.motions) || !add_choice(r, scene, &p))
                    return false;
            }
        }
    }
    return true;
}
