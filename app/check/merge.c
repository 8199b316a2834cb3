/* check --merge: joins the reports of shards into the report that a run without shards would write. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string.h>

#include "base/message.h"
#include "base/paths.h"
#include "diff/pair.h"
#include "internal.h"
#include "mmd/platform.h"
#include "mmd/source.h"

typedef struct merged {
    const char *folder; /* of the joined report */
    json_t *whole;      /* the first report, for the fields that all shards share */
    json_t **scenes;    /* by the index of the scene in the suite; NULL: not in any report */
    size_t total;
    size_t shards;  /* number of shards; 0: unknown, or the suite was not divided */
    bool *received; /* whether the report of each shard, from 0, was read */
} merged;

enum { SHARDS_MAX = 1000000 };

/* Fills the problem with an error in the results of a folder. Returns false. */
static bool fail_report(const char *folder, const char *what, problem *why)
{
    return problem_set(why, EXIT_INPUT, "%s/results.json: %s", folder, what);
}

/* Returns whether a name leads out of a folder, also by links. */
static bool leads_out(const char *folder, const char *name)
{
    char path[MMD_FILE_PATH_MAX], root[MMD_FILE_PATH_MAX], resolved[MMD_FILE_PATH_MAX];
    return !*name || platform_path_root(name) > 0 || !path_resolve(folder, root) ||
           !path_resolve(path_join(path, folder, "%s", name), resolved) ||
           !mmd_path_is_inside(resolved, root);
}

/* Returns whether a name ends in ".js", as those of scripts do and of nothing else. */
static bool names_script(const char *name)
{
    const size_t length = strlen(name);
    return length >= 3 && strcmp(name + length - 3, ".js") == 0;
}

/* Imports a file that results.json names into the joined report. Removed from the result and not followed are
 * names that lead out of the folder, and those of scripts that do more than pass data to the page. */
static bool import_picture(const merged *m, const char *from, json_t *object, const char *key, problem *why)
{
    const char *name = json_string_value(json_object_get(object, key));
    const bool script = strcmp(key, "difference") == 0;
    char source[MMD_FILE_PATH_MAX], target[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    if (!name || names_script(name) != script || leads_out(m->folder, name) || leads_out(from, name)) {
        json_object_del(object, key);
        return true;
    }
    if (strlen(name) + strlen(from) + 2 > MMD_FILE_PATH_MAX ||
        strlen(name) + strlen(m->folder) + 2 > MMD_FILE_PATH_MAX)
        return problem_set(why, EXIT_FACILITY, "%s/results.json: the path of a picture is too long", from);
    path_join(source, from, "%s", name);
    path_join(target, m->folder, "%s", name);
    mmd_path_folder(target, folder, sizeof folder);
    if (!path_make_folder(folder))
        return problem_set(why, EXIT_FACILITY, "%s", "");

    mmd_bytes bytes = {0};
    mmd_error error = {0};
    char sentence[PROBLEM_MAX];
    bool ok = mmd_file_read(source, &bytes, &error) == MMD_OK;
    /* The files are the same when reports are merged into one of them, or merged again. */
    platform_info is, was;
    const bool same =
        platform_stat(source, &is) && platform_stat(target, &was) && platform_is_same(&is, &was);
    if (ok && script && !diff_pair_is_script(bytes.data, bytes.size))
        json_object_del(object, key);
    else if (ok && !same)
        ok = mmd_file_write(target, bytes.data, bytes.size, &error) == MMD_OK;
    mmd_bytes_finish(&bytes);
    return ok || problem_set(why, EXIT_FACILITY, "%s", mmd_error_sentence(&error, sentence, sizeof sentence));
}

/* Returns whether two objects have the same value under a key. */
static bool same(const json_t *a, const json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key)) == 1;
}

/* Returns whether a shard drew anything. A shard without scenes has no driver in its report; that happens
 * when there are more shards than scenes. */
static bool drew(const json_t *root)
{
    return json_object_get(root, "driver") != NULL;
}

/* Stores the common fields of the first shard, and checks that the other shards have the same. */
static bool check_head(merged *m, const char *folder, const json_t *root, problem *why)
{
    json_int_t total = json_integer_value(json_object_get(root, "total"));
    if (json_integer_value(json_object_get(root, "format")) != 1)
        return fail_report(folder, "not a report of odori check", why);
    if (!m->whole) {
        if (total < 1 || total > 50000)
            return fail_report(folder, "the number of scenes is missing or not from 1 to 50000", why);
        m->total = (size_t)total;
        m->whole = json_copy((json_t *)(uintptr_t)root);
        m->scenes = calloc(m->total, sizeof *m->scenes);
        return (m->scenes && m->whole) || problem_out_of_memory(why);
    }
    if (!same(root, m->whole, "suite_hash") || !same(root, m->whole, "total"))
        return fail_report(
            folder, "the report is of another suite, or the suite was changed between the reports", why);
    if ((drew(root) && drew(m->whole) && !same(root, m->whole, "driver")) || !same(root, m->whole, "odori"))
        return fail_report(
            folder, "the pictures were drawn with another OpenGL driver or another version of odori", why);
    if (json_integer_value(json_object_get(root, "repeat")) !=
        json_integer_value(json_object_get(m->whole, "repeat")))
        return fail_report(folder, "the scenes were drawn in another number of rounds (--repeat)", why);
    if (!drew(m->whole)) {
        json_decref(m->whole);
        m->whole = json_copy((json_t *)(uintptr_t)root);
    }
    return true;
}

/* Records which shard a report belongs to, such as "2/3". A report without it covers the whole suite. */
static bool record_shard(merged *m, const char *folder, const json_t *root, problem *why)
{
    const char *text = json_string_value(json_object_get(root, "shard"));
    unsigned long shard, shards;
    if (!text || m->total == 0)
        return true;
    if (sscanf(text, "%lu/%lu", &shard, &shards) != 2 || shard < 1 || shard > shards || shards > SHARDS_MAX)
        return fail_report(folder, "\"shard\" is not a part like 2/3", why);
    if (!m->received) {
        m->received = calloc(shards, sizeof *m->received);
        m->shards = shards;
    }
    if (!m->received)
        return problem_out_of_memory(why);
    if (shards != m->shards)
        return fail_report(folder, "the number of shards differs from the reports before it", why);
    m->received[shard - 1] = true;
    return true;
}

/* Imports the scenes of a report with their pictures. */
static bool import_scenes(merged *m, const char *folder, const json_t *root, problem *why)
{
    static const char *const keys[] = {"picture", "baseline", "heat", "hashes", "difference"};
    const json_t *scenes = json_object_get(root, "scenes");
    for (size_t i = 0; i < json_array_size(scenes); i++) {
        json_t *scene = json_array_get(scenes, i);
        json_int_t index = json_integer_value(json_object_get(scene, "place"));
        if (!json_is_object(scene) || index < 0 || (size_t)index >= m->total)
            return fail_report(folder, "a scene has no valid \"place\"", why);
        if (m->scenes[index])
            return fail_report(folder, "a scene is also in another report; give each shard once", why);
        const json_t *frames = json_object_get(scene, "frames");
        bool ok = import_picture(m, folder, scene, "thumb", why);
        for (size_t f = 0; ok && f < json_array_size(frames); f++)
            for (size_t k = 0; ok && k < sizeof keys / sizeof *keys; k++)
                ok = import_picture(m, folder, json_array_get(frames, f), keys[k], why);
        if (!ok)
            return false;
        m->scenes[index] = json_incref(scene);
    }
    return true;
}

/* Reads the results of a shard and merges them. */
static bool add_report(merged *m, const char *folder, problem *why)
{
    char path[MMD_FILE_PATH_MAX];
    json_error_t syntax;
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    if (mmd_file_read(path_join(path, folder, "results.json"), &bytes, &error) != MMD_OK)
        return problem_from(why, &error);
    json_t *root = json_loadb((const char *)bytes.data, bytes.size, JSON_REJECT_DUPLICATES, &syntax);
    mmd_bytes_finish(&bytes);
    if (!root)
        return fail_report(folder, syntax.text, why);
    bool ok = check_head(m, folder, root, why) && record_shard(m, folder, root, why) &&
              import_scenes(m, folder, root, why);
    json_decref(root);
    return ok;
}

/* Returns the shard, from 0, that contains a scene. check.c divides the suite in the same way. */
static size_t shard_of(const merged *m, size_t index)
{
    size_t shard = index * m->shards / m->total;
    while (shard + 1 < m->shards && m->total * (shard + 1) / m->shards <= index)
        shard++;
    return shard;
}

/* Returns an error as the result of a scene that no report contains, so that a missing shard is noticed. */
static json_t *missing_scene(const merged *m, size_t index)
{
    char name[64], why[128] = "it is in none of the reports";
    snprintf(name, sizeof name, "scene %zu", index + 1);
    if (m->shards && !m->received[shard_of(m, index)])
        snprintf(why, sizeof why, "it is in none of the reports: shard %zu/%zu is missing",
                 shard_of(m, index) + 1, m->shards);
    return json_pack("{sI ss ss ss s[] si ss}", "place", (json_int_t)index, "name", name, "folder", "",
                     "status", "error", "frames", "code", EXIT_INPUT, "message", why);
}

/* Prints "shards 2, 5 of 8 are missing". */
static void print_missing_shards(const merged *m)
{
    char list[1024] = "";
    size_t used = 0, missing = 0;
    for (size_t i = 0; i < m->shards; i++) {
        if (m->received[i])
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
        print_missing_shards(&m);
        json_object_del(m.whole, "shard");
        ok = check_report(options, m.folder, m.whole, scenes, code, why);
        json_decref(scenes);
    }
    for (size_t i = 0; m.scenes && i < m.total; i++)
        json_decref(m.scenes[i]);
    free(m.scenes);
    free(m.received);
    json_decref(m.whole);
    return ok;
}
