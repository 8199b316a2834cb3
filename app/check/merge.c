/* check --merge: reports of shards become the report of the whole, as if nobody had cut it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/paths.h"
#include "internal.h"
#include "mmd/source.h"

typedef struct merged {
    const char *folder; /* the whole report's */
    json_t *whole;      /* of the first shard, for what all have in common */
    json_t **scenes;    /* by index */
    size_t total;
    size_t shards; /* so many the suite was cut into; 0: unknown, or not cut */
    bool *came;    /* of each shard, from 0 */
} merged;

enum { SHARDS_MAX = 1000000 };

static int cannot(const char *folder, const char *what)
{
    message("%s/results.json: %s", folder, what);
    return EXIT_INPUT;
}

/* Both names are of one file system or two: a second name for the file, else a copy. */
static bool take_file(const char *from, const char *to)
{
    char folder[PATH_MAX];
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    mmd_path_folder(to, folder, sizeof folder);
    struct stat source, target;
    if (!path_make_folder(folder))
        return false;
    /* Merged into one of its parts, or a second time. */
    if (stat(from, &source) == 0 && stat(to, &target) == 0 && source.st_dev == target.st_dev &&
        source.st_ino == target.st_ino)
        return true;
    unlink(to);
    if (link(from, to) == 0)
        return true;
    bool ok = mmd_file_read(from, &bytes, &error) == MMD_OK &&
              mmd_file_write(to, bytes.data, bytes.size, &error) == MMD_OK;
    mmd_bytes_finish(&bytes);
    if (!ok)
        report(&error);
    return ok;
}

/* Whether a name leads out of the folder it is of. */
static bool leads_out(const char *name)
{
    bool out = name[0] == '/';
    for (const char *part = name; part && !out; part = strchr(part, '/')) {
        part += *part == '/';
        out = strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0');
    }
    return out;
}

/* What results.json names lies below its folder; a name that leads out of it is not followed, nor kept. */
static bool take_named(const merged *m, const char *from, json_t *object, const char *key)
{
    const char *name = json_string_value(json_object_get(object, key));
    char source[PATH_MAX], target[PATH_MAX];
    if (!name || leads_out(name)) {
        json_object_del(object, key);
        return true;
    }
    if (strlen(name) + strlen(from) + 2 > PATH_MAX || strlen(name) + strlen(m->folder) + 2 > PATH_MAX) {
        cannot(from, "a picture with a name longer than a path can be");
        return false;
    }
    return take_file(path_join(source, from, "%s", name), path_join(target, m->folder, "%s", name));
}

static bool take_pictures(const merged *m, const char *from, json_t *scene)
{
    static const char *const keys[] = {"picture", "baseline", "heat"};
    const json_t *frames = json_object_get(scene, "frames");
    bool ok = take_named(m, from, scene, "thumb");
    for (size_t i = 0; ok && i < json_array_size(frames); i++)
        for (size_t k = 0; ok && k < sizeof keys / sizeof *keys; k++)
            ok = take_named(m, from, json_array_get(frames, i), keys[k]);
    return ok;
}

static bool same(const json_t *a, const json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key)) == 1;
}

/* A shard without scenes, where there are more shards than scenes, knows no driver. */
static bool drew(const json_t *root)
{
    return json_object_get(root, "driver") != NULL;
}

/* The first shard says what all have to agree on. */
static int begin(merged *m, const char *folder, const json_t *root)
{
    if (m->whole) {
        if (!same(root, m->whole, "suite_hash") || !same(root, m->whole, "total"))
            return cannot(folder, "of another suite, or of another state of it");
        if ((drew(root) && drew(m->whole) && !same(root, m->whole, "driver")) ||
            !same(root, m->whole, "odori"))
            return cannot(folder, "drawn by another driver or another odori");
        if (!drew(m->whole)) {
            json_decref(m->whole);
            m->whole = json_copy((json_t *)(uintptr_t)root);
        }
        return EXIT_DONE;
    }
    json_int_t total = json_integer_value(json_object_get(root, "total"));
    if (total < 1 || total > 50000)
        return cannot(folder, "no number of scenes");
    m->total = (size_t)total;
    m->whole = json_copy((json_t *)(uintptr_t)root);
    m->scenes = calloc(m->total, sizeof *m->scenes);
    if (m->scenes && m->whole)
        return EXIT_DONE;
    message("out of memory");
    return EXIT_FACILITY;
}

/* Which shard it is: "2/3". One that does not say is the whole. */
static int note_shard(merged *m, const char *folder, const json_t *root)
{
    const char *text = json_string_value(json_object_get(root, "shard"));
    unsigned long shard, shards;
    if (!text || m->total == 0)
        return EXIT_DONE;
    if (sscanf(text, "%lu/%lu", &shard, &shards) != 2 || shard < 1 || shard > shards || shards > SHARDS_MAX)
        return cannot(folder, "no part like 2/3");
    if (!m->came) {
        m->came = calloc(shards, sizeof *m->came);
        m->shards = shards;
    }
    if (!m->came) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    if (shards != m->shards)
        return cannot(folder, "cut into another number of parts than the report before it");
    m->came[shard - 1] = true;
    return EXIT_DONE;
}

static int add_scenes(merged *m, const char *folder, json_t *root)
{
    const json_t *scenes = json_object_get(root, "scenes");
    for (size_t i = 0; i < json_array_size(scenes); i++) {
        json_t *scene = json_array_get(scenes, i);
        json_int_t place = json_integer_value(json_object_get(scene, "place"));
        if (!json_is_object(scene) || place < 0 || (size_t)place >= m->total)
            return cannot(folder, "a scene without its place");
        if (m->scenes[place])
            return cannot(folder, "a scene that another report has too");
        if (!take_pictures(m, folder, scene))
            return EXIT_FACILITY;
        m->scenes[place] = json_incref(scene);
    }
    return EXIT_DONE;
}

static int add_report(merged *m, const char *folder)
{
    char path[PATH_MAX];
    json_error_t error;
    json_t *root = json_load_file(path_join(path, folder, "results.json"), JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return cannot(folder, error.text);
    int result = json_integer_value(json_object_get(root, "format")) == 1
                     ? begin(m, folder, root)
                     : cannot(folder, "no report of check");
    if (result == EXIT_DONE)
        result = note_shard(m, folder, root);
    if (result == EXIT_DONE)
        result = add_scenes(m, folder, root);
    json_decref(root);
    return result;
}

/* The shard that a place belongs to, from 0; as check.c cuts them. */
static size_t shard_of(const merged *m, size_t place)
{
    size_t shard = place * m->shards / m->total;
    while (shard + 1 < m->shards && m->total * (shard + 1) / m->shards <= place)
        shard++;
    return shard;
}

/* A shard that never came is not forgotten. */
static json_t *missing_scene(const merged *m, size_t place)
{
    char name[64], why[128] = "none of the reports has it";
    snprintf(name, sizeof name, "scene %zu", place + 1);
    if (m->shards && !m->came[shard_of(m, place)])
        snprintf(why, sizeof why, "none of the reports has it: shard %zu/%zu is missing",
                 shard_of(m, place) + 1, m->shards);
    return json_pack("{sI ss ss ss s[] si ss}", "place", (json_int_t)place, "name", name, "folder", "",
                     "status", "error", "frames", "code", EXIT_INPUT, "message", why);
}

/* "shards 2, 5 of 8 are missing". */
static void tell_missing_shards(const merged *m)
{
    char list[1024] = "";
    size_t used = 0, missing = 0;
    for (size_t i = 0; i < m->shards; i++) {
        if (m->came[i])
            continue;
        if (used < sizeof list - 64)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%zu", missing ? ", " : "", i + 1);
        else if (list[used - 1] != '.')
            used += (size_t)snprintf(list + used, sizeof list - used, ", ...");
        missing++;
    }
    if (missing)
        message("shard%s %s of %zu %s missing", missing == 1 ? "" : "s", list, m->shards,
                missing == 1 ? "is" : "are");
}

static int finish(merged *m, const check_options *options)
{
    json_t *scenes = json_array();
    for (size_t i = 0; i < m->total; i++)
        json_array_append_new(scenes, m->scenes[i] ? json_incref(m->scenes[i]) : missing_scene(m, i));
    tell_missing_shards(m);
    json_object_del(m->whole, "shard");
    json_object_set_new(m->whole, "summary", check_summary(scenes));
    json_object_set(m->whole, "scenes", scenes);
    int result = check_write_report(m->folder, m->whole);
    if (result == EXIT_DONE && options->json)
        json_dumpf(m->whole, stdout, JSON_INDENT(1)), putchar('\n');
    else if (result == EXIT_DONE)
        check_print(scenes);
    if (result == EXIT_DONE)
        result = check_exit_code(scenes);
    json_decref(scenes);
    return result;
}

int check_merge(const check_options *options)
{
    merged m = {.folder = options->report};
    int result = path_make_folder(m.folder) ? EXIT_DONE : EXIT_FACILITY;
    for (size_t i = 0; i < options->files.count && result == EXIT_DONE; i++)
        result = add_report(&m, options->files.items[i]);
    if (result == EXIT_DONE)
        result = finish(&m, options);
    for (size_t i = 0; m.scenes && i < m.total; i++)
        json_decref(m.scenes[i]);
    free(m.scenes);
    free(m.came);
    json_decref(m.whole);
    return result;
}
