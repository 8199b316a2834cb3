/* check --merge: joins reports of shards into the report of the whole, as if nobody had cut it. */
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

static bool cannot(const char *folder, const char *what, problem *why)
{
    return problem_set(why, EXIT_INPUT, "%s/results.json: %s", folder, what);
}

/* Takes a picture that results.json names below its folder over into the whole report: as a second name for
 * the file, or as a copy on another file system. A name that leads out of the folder is neither followed nor
 * kept. */
static bool take_named(const merged *m, const char *from, json_t *object, const char *key, problem *why)
{
    const char *name = json_string_value(json_object_get(object, key));
    char source[PATH_MAX], target[PATH_MAX], folder[PATH_MAX];
    bool leads_out = name && name[0] == '/';
    for (const char *part = name; part && !leads_out; part = strchr(part, '/')) {
        part += *part == '/';
        leads_out = strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0');
    }
    if (!name || leads_out) {
        json_object_del(object, key);
        return true;
    }
    if (strlen(name) + strlen(from) + 2 > PATH_MAX || strlen(name) + strlen(m->folder) + 2 > PATH_MAX)
        return problem_set(why, EXIT_FACILITY,
                           "%s/results.json: a picture with a name longer than a path can be", from);
    path_join(source, from, "%s", name);
    path_join(target, m->folder, "%s", name);
    mmd_path_folder(target, folder, sizeof folder);
    if (!path_make_folder(folder))
        return problem_set(why, EXIT_FACILITY, "%s", "");

    /* It is the same file where reports are merged into one of them, or a second time. */
    struct stat is, was;
    if (stat(source, &is) == 0 && stat(target, &was) == 0 && is.st_dev == was.st_dev &&
        is.st_ino == was.st_ino)
        return true;
    unlink(target);
    if (link(source, target) == 0)
        return true;
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    bool ok = mmd_file_read(source, &bytes, &error) == MMD_OK &&
              mmd_file_write(target, bytes.data, bytes.size, &error) == MMD_OK;
    mmd_bytes_finish(&bytes);
    char sentence[PROBLEM_MAX];
    return ok || problem_set(why, EXIT_FACILITY, "%s", mmd_error_sentence(&error, sentence, sizeof sentence));
}

static bool same(const json_t *a, const json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key)) == 1;
}

/* Tells whether a shard drew anything. One without scenes, where there are more shards than scenes, knows no
 * driver. */
static bool drew(const json_t *root)
{
    return json_object_get(root, "driver") != NULL;
}

/* Takes from the first shard what all have to agree on, and checks that the others do. */
static bool take_head(merged *m, const char *folder, const json_t *root, problem *why)
{
    json_int_t total = json_integer_value(json_object_get(root, "total"));
    if (json_integer_value(json_object_get(root, "format")) != 1)
        return cannot(folder, "no report of check", why);
    if (!m->whole) {
        if (total < 1 || total > 50000)
            return cannot(folder, "no number of scenes", why);
        m->total = (size_t)total;
        m->whole = json_copy((json_t *)(uintptr_t)root);
        m->scenes = calloc(m->total, sizeof *m->scenes);
        return (m->scenes && m->whole) || problem_out_of_memory(why);
    }
    if (!same(root, m->whole, "suite_hash") || !same(root, m->whole, "total"))
        return cannot(folder, "of another suite, or of another state of it", why);
    if ((drew(root) && drew(m->whole) && !same(root, m->whole, "driver")) || !same(root, m->whole, "odori"))
        return cannot(folder, "drawn by another driver or another odori", why);
    if (!drew(m->whole)) {
        json_decref(m->whole);
        m->whole = json_copy((json_t *)(uintptr_t)root);
    }
    return true;
}

/* Notes which shard a report is: "2/3". One that does not say is the whole. */
static bool note_shard(merged *m, const char *folder, const json_t *root, problem *why)
{
    const char *text = json_string_value(json_object_get(root, "shard"));
    unsigned long shard, shards;
    if (!text || m->total == 0)
        return true;
    if (sscanf(text, "%lu/%lu", &shard, &shards) != 2 || shard < 1 || shard > shards || shards > SHARDS_MAX)
        return cannot(folder, "no part like 2/3", why);
    if (!m->came) {
        m->came = calloc(shards, sizeof *m->came);
        m->shards = shards;
    }
    if (!m->came)
        return problem_out_of_memory(why);
    if (shards != m->shards)
        return cannot(folder, "cut into another number of parts than the report before it", why);
    m->came[shard - 1] = true;
    return true;
}

/* Takes the scenes of a report, with their pictures. */
static bool take_scenes(merged *m, const char *folder, const json_t *root, problem *why)
{
    static const char *const keys[] = {"picture", "baseline", "heat"};
    const json_t *scenes = json_object_get(root, "scenes");
    for (size_t i = 0; i < json_array_size(scenes); i++) {
        json_t *scene = json_array_get(scenes, i);
        json_int_t place = json_integer_value(json_object_get(scene, "place"));
        if (!json_is_object(scene) || place < 0 || (size_t)place >= m->total)
            return cannot(folder, "a scene without its place", why);
        if (m->scenes[place])
            return cannot(folder, "a scene that another report has too", why);
        const json_t *frames = json_object_get(scene, "frames");
        bool ok = take_named(m, folder, scene, "thumb", why);
        for (size_t f = 0; ok && f < json_array_size(frames); f++)
            for (size_t k = 0; ok && k < sizeof keys / sizeof *keys; k++)
                ok = take_named(m, folder, json_array_get(frames, f), keys[k], why);
        if (!ok)
            return false;
        m->scenes[place] = json_incref(scene);
    }
    return true;
}

static bool add_report(merged *m, const char *folder, problem *why)
{
    char path[PATH_MAX];
    json_error_t error;
    json_t *root = json_load_file(path_join(path, folder, "results.json"), JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return cannot(folder, error.text, why);
    bool ok = take_head(m, folder, root, why) && note_shard(m, folder, root, why) &&
              take_scenes(m, folder, root, why);
    json_decref(root);
    return ok;
}

/* Finds the shard that a place belongs to, from 0, as check.c cuts them. */
static size_t shard_of(const merged *m, size_t place)
{
    size_t shard = place * m->shards / m->total;
    while (shard + 1 < m->shards && m->total * (shard + 1) / m->shards <= place)
        shard++;
    return shard;
}

/* Makes the result of a scene that no report has: a shard that never came is not forgotten. */
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

/* Says "shards 2, 5 of 8 are missing". */
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

bool check_merge(const check_options *options, int *code, problem *why)
{
    merged m = {.folder = options->report};
    bool ok = path_make_folder(m.folder) || problem_set(why, EXIT_FACILITY, "%s", "");
    for (size_t i = 0; i < options->files.count && ok; i++)
        ok = add_report(&m, options->files.items[i], why);
    if (ok) {
        json_t *scenes = json_array();
        for (size_t i = 0; i < m.total; i++)
            json_array_append_new(scenes, m.scenes[i] ? json_incref(m.scenes[i]) : missing_scene(&m, i));
        tell_missing_shards(&m);
        json_object_del(m.whole, "shard");
        ok = check_tell(options, m.folder, m.whole, scenes, code, why);
        json_decref(scenes);
    }
    for (size_t i = 0; m.scenes && i < m.total; i++)
        json_decref(m.scenes[i]);
    free(m.scenes);
    free(m.came);
    json_decref(m.whole);
    return ok;
}
