/*
 * check --accept-from: takes the pictures of a report as baselines, without drawing. The report may come from
 * anybody: its results.json chooses among the scenes and frames of the suite, and all paths are computed from
 * these. First everything is checked; then all files are written under hidden names; then they take the
 * places of the old ones, which come back if one of them cannot.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/emit.h"
#include "base/message.h"
#include "base/paths.h"
#include "base/time_limit.h"
#include "files/png_text.h"
#include "file_set.h"
#include "internal.h"
#include "mmd/image.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "mmd/text.h"
#include "recipe/pipeline_hashes.h"

/* Limits of the sizes of files of a report, in bytes. A picture may have so many besides its pixels. */
enum { RESULTS_MAX = 1 << 28, HASHES_MAX = 1 << 28, PICTURE_TEXT_MAX = 1 << 26, FRAMES_LISTED = 8 };

/* A picture that becomes a baseline. */
typedef struct acceptance {
    size_t scene; /* index in the suite */
    double frame;
    digest picture, hashes; /* of the two files of the report */
} acceptance;

typedef struct acceptor {
    const check_options *options;
    const suite *suite;
    char folder[MMD_FILE_PATH_MAX]; /* of the report, with links resolved */
    const char *driver;             /* of the report */
    const json_t *results;          /* of the report */
    json_t *by_name;                /* scenes of the report by their names */
    recipe_store store;             /* without a view */
    acceptance *list;
    size_t count, room;
    json_t *accepted, *refused, *left; /* what is told: objects with "name", and "frames" or "why" */
    size_t passed, already;            /* scenes: that passed, or whose pictures are baselines already */
    bool lacks_picture;                /* a scene that is meant has no picture to accept */
} acceptor;

/* --- Files of the report --- */

/* Fills the problem with an error in the report. Returns false. */
static bool fail_results(const acceptor *a, const char *what, problem *why)
{
    return problem_set(why, EXIT_INPUT, "%s/results.json: %s", a->options->accept_from, what);
}

/* Reads a file of the report, which must not be a link or reached by one. */
static bool read_part(const acceptor *a, const char *name, uint64_t most, mmd_bytes *bytes, problem *why)
{
    char path[MMD_FILE_PATH_MAX], resolved[MMD_FILE_PATH_MAX];
    platform_info about;
    mmd_error error = {0};
    path_join(path, a->folder, "%s", name);
    if (strlen(a->folder) + 1 + strlen(name) >= sizeof path || !platform_stat_link(path, &about))
        return problem_set(why, EXIT_INPUT, "%s/%.1000s is missing from the report", a->options->accept_from,
                           name);
    if (!platform_path_resolve(path, resolved) || strcmp(path, resolved) != 0 || about.kind != PLATFORM_FILE)
        return problem_set(why, EXIT_INPUT, "%s/%.1000s is a link or no regular file",
                           a->options->accept_from, name);
    if (about.size > most)
        return problem_set(why, EXIT_INPUT, "%s/%.1000s is larger than %llu bytes", a->options->accept_from,
                           name, (unsigned long long)most);
    return mmd_file_read(path, bytes, &error) == MMD_OK || problem_from(why, &error);
}

/* Returns whether the name of a driver is one that check gives, which is safe as that of a folder. */
static bool is_driver(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!islower((unsigned char)name[i]) && !isdigit((unsigned char)name[i]) && name[i] != '-')
            return false;
    return length > 0 && length < DRIVER_NAME_MAX;
}

/* Checks that the report is of this suite. */
static bool check_head(acceptor *a, problem *why)
{
    const json_t *results = a->results;
    const char *name = mmd_path_name(a->suite->path);
    if (json_integer_value(json_object_get(results, "format")) != 1 ||
        !json_is_array(json_object_get(results, "scenes")))
        return fail_results(a, "not a report of odori check", why);
    if (strcmp(check_text(results, "suite_hash"), a->suite->content.text) != 0)
        return problem_set(
            why, EXIT_INPUT,
            "%s/results.json: the report is of another suite (%.200s), or %.200s or the options were "
            "changed since; nothing was accepted",
            a->options->accept_from, check_text(results, "suite"), name);
    a->driver = check_text(results, "driver");
    return is_driver(a->driver) || fail_results(a, "it names no OpenGL driver", why);
}

/* Reads the results of the report. root: receives what to free. */
static bool read_results(acceptor *a, json_t **root, problem *why)
{
    mmd_bytes bytes = {0};
    json_error_t syntax;
    if (!platform_path_resolve(a->options->accept_from, a->folder))
        return problem_set(why, EXIT_INPUT, "%s: cannot be read: %s", a->options->accept_from,
                           strerror(errno));
    if (!read_part(a, "results.json", RESULTS_MAX, &bytes, why))
        return false;
    *root = json_loadb((const char *)bytes.data, bytes.size, JSON_REJECT_DUPLICATES, &syntax);
    mmd_bytes_finish(&bytes);
    a->results = *root;
    if (!*root)
        return fail_results(a, syntax.text, why);
    if (!check_head(a, why))
        return false;
    const json_t *scenes = json_object_get(a->results, "scenes");
    for (size_t i = 0; i < json_array_size(scenes); i++) {
        json_t *scene = json_array_get(scenes, i);
        const char *name = check_text(scene, "name");
        if (!*name || json_object_get(a->by_name, name))
            return fail_results(a, "a scene has no name, or that of another one", why);
        if (json_object_set(a->by_name, name, scene) != 0)
            return problem_out_of_memory(why);
    }
    return true;
}

/* --- What is told --- */

/* Adds a scene that is not accepted to a list, with the reason. Returns true. */
static bool tell(json_t *list, const char *name, const char *why)
{
    char clean[PROBLEM_MAX];
    mmd_text_clean(why, false, clean, sizeof clean);
    json_array_append_new(list, json_pack("{ss ss}", "name", name, "why", clean));
    return true;
}

/* --- Frames --- */

/* Checks that a picture is one, of the size of its scene, and that the hashes belong to it. */
static bool check_picture(const suite_scene *scene, const mmd_bytes *png, const mmd_bytes *text, problem *why)
{
    const picture_size *size = &scene->recipe.size;
    mmd_image image = {0};
    mmd_image_info info;
    mmd_error error = {0};
    json_t *hashes = json_loadb((const char *)text->data, text->size, JSON_REJECT_DUPLICATES, NULL);
    bool ok = png_is(png->data, png->size) &&
              mmd_image_read_info(png->data, png->size, "the picture", &info, &error) == MMD_OK &&
              info.width == size->width && info.height == size->height &&
              mmd_image_decode(png->data, png->size, "the picture", &image, &error) == MMD_OK;
    if (!ok)
        problem_set(why, EXIT_INPUT, "its picture is damaged, or not of %ux%u pixels", size->width,
                    size->height);
    else if (!hashes || !pipeline_hashes_whole(hashes) ||
             strcmp(check_text(hashes, "image"),
                    digest_of(image.pixels, (size_t)4 * image.width * image.height).text) != 0)
        ok = problem_set(why, EXIT_INPUT,
                         "the hashes beside its picture are damaged or belong to another one");
    mmd_image_finish(&image);
    json_decref(hashes);
    return ok;
}

/* Reads one of the two files of a frame. Its name in the results has to be its own. */
static bool read_named(const acceptor *a, const suite_scene *scene, const json_t *frame, double number,
                       const char *key, const char *ending, uint64_t most, mmd_bytes *bytes, problem *why)
{
    char name[MMD_FILE_PATH_MAX];
    suite_picture_name(scene, number, ending, name);
    if (!*check_text(frame, key))
        return problem_set(why, EXIT_INPUT, "the report has no %s of it; draw it again", key);
    if (strcmp(check_text(frame, key), name) != 0)
        return problem_set(why, EXIT_INPUT, "the report names %.400s, which is not its own %.400s",
                           check_text(frame, key), name);
    return read_part(a, name, most, bytes, why);
}

/* Reads both files of a frame. */
static bool read_frame(const acceptor *a, const suite_scene *scene, const json_t *frame, double number,
                       mmd_bytes *png, mmd_bytes *hashes, problem *why)
{
    const picture_size *size = &scene->recipe.size;
    uint64_t most = PICTURE_TEXT_MAX + (uint64_t)8 * size->width * size->height;
    return read_named(a, scene, frame, number, "picture", ".png", most, png, why) &&
           read_named(a, scene, frame, number, "hashes", ".json", HASHES_MAX, hashes, why);
}

/* Returns whether a file has these bytes. */
static bool has_bytes(const char *path, const mmd_bytes *bytes)
{
    mmd_bytes there = {0};
    bool same = mmd_file_read(path, &there, NULL) == MMD_OK && there.size == bytes->size &&
                memcmp(there.data, bytes->data, bytes->size) == 0;
    mmd_bytes_finish(&there);
    return same;
}

/* Checks that the baseline is still the one that the picture was compared with. already: it is the picture
 * itself. */
static bool check_baseline(const acceptor *a, const suite_scene *scene, const json_t *frame, double number,
                           const mmd_bytes *png, const mmd_bytes *hashes, bool *already, problem *why)
{
    static const char *const endings[] = {".png", ".json"};
    char paths[2][MMD_FILE_PATH_MAX], outside[PATH_WHY_MAX];
    for (int i = 0; i < 2; i++) {
        suite_baseline_path(a->suite, a->driver, scene, number, endings[i], paths[i]);
        if (!path_scope_has(&a->suite->scope, paths[i], outside))
            return problem_set(why, EXIT_INPUT, "%.800s: %.1000s", paths[i], outside);
    }
    *already = has_bytes(paths[0], png) && has_bytes(paths[1], hashes);
    digest is = file_digest(paths[0]);
    return *already || strcmp(is.text, check_text(frame, "baseline_hash")) == 0 ||
           problem_set(why, EXIT_INPUT, "its baseline has changed since the report was made");
}

/* Adds a picture to those that become baselines. */
static bool add_acceptance(acceptor *a, const acceptance *one, problem *why)
{
    if (a->count == a->room) {
        size_t room = a->room ? 2 * a->room : 64;
        acceptance *grown = mmd_realloc(a->list, room * sizeof *grown);
        if (!grown)
            return problem_out_of_memory(why);
        a->list = grown;
        a->room = room;
    }
    a->list[a->count++] = *one;
    return true;
}

/* Checks a frame that did not pass, and adds it unless it is the baseline already. */
static bool check_frame(acceptor *a, size_t index, const json_t *frame, double number, bool *added,
                        problem *why)
{
    const suite_scene *scene = &a->suite->scenes[index];
    mmd_bytes png = {0}, hashes = {0};
    bool already = false;
    bool ok = read_frame(a, scene, frame, number, &png, &hashes, why);
    if (ok) {
        acceptance one = {.scene = index,
                          .frame = number,
                          .picture = digest_of(png.data, png.size),
                          .hashes = digest_of(hashes.data, hashes.size)};
        if (strcmp(one.picture.text, check_text(frame, "picture_hash")) != 0)
            ok = problem_set(why, EXIT_INPUT, "its picture is not the one that the report was made with");
        else if (strcmp(one.hashes.text, check_text(frame, "hashes_hash")) != 0)
            ok = problem_set(why, EXIT_INPUT,
                             "the hashes beside its picture are damaged or belong to another one");
        ok = ok && check_picture(scene, &png, &hashes, why) &&
             check_baseline(a, scene, frame, number, &png, &hashes, &already, why) &&
             (already || add_acceptance(a, &one, why));
        *added = ok && !already;
    }
    mmd_bytes_finish(&png);
    mmd_bytes_finish(&hashes);
    return ok;
}

/* --- Scenes --- */

/* Returns whether a frame has a picture to accept. */
static bool is_open(const json_t *frame)
{
    const char *status = check_text(frame, "status");
    return strcmp(status, "fail") == 0 || strcmp(status, "no baseline") == 0;
}

/* Checks the frames of a scene that did not pass. frames: receives the numbers of those to accept. */
static bool check_frames(acceptor *a, size_t index, const json_t *result, json_t *frames, problem *why)
{
    const suite_scene *scene = &a->suite->scenes[index];
    const json_t *list = json_object_get(result, "frames");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *frame = json_array_get(list, i);
        double number = json_number_value(json_object_get(frame, "frame"));
        bool added = false;
        if (!is_open(frame))
            continue;
        if (i >= scene->recipe.frame_count || number < scene->recipe.frames[i] ||
            number > scene->recipe.frames[i])
            return problem_set(why, EXIT_INPUT, "the report has other frames than the suite");
        problem one = {0};
        if (!check_frame(a, index, frame, scene->recipe.frames[i], &added, &one))
            return problem_set(why, one.code, "frame %.9g: %.1900s", number, one.text);
        if (added)
            json_array_append_new(frames, json_real(number));
    }
    return true;
}

/* Returns why a scene of the report cannot be accepted at all; NULL: it can. */
static const char *obstacle(const acceptor *a, const json_t *result, char text[PROBLEM_MAX])
{
    const json_t *frames = json_object_get(result, "frames");
    size_t open = 0;
    for (size_t i = 0; i < json_array_size(frames); i++)
        open += is_open(json_array_get(frames, i));
    snprintf(text, PROBLEM_MAX, "it could not be drawn: %.1800s", check_text(result, "message"));
    if (strcmp(check_text(result, "status"), "error") == 0)
        return text;
    if (a->suite->strict && json_array_size(json_object_get(result, "warnings")))
        return "it has warnings, and the suite is strict";
    if (json_is_false(json_object_get(result, "repeatable")))
        return "it is not repeatable, so no picture could be its baseline";
    snprintf(text, PROBLEM_MAX, "no frame of it has another picture: %.1800s", check_text(result, "message"));
    return open == 0 && strcmp(check_text(result, "status"), "fail") == 0 ? text : NULL;
}

/* Checks a scene of the suite that is in the report. False: no memory; everything else is told. */
static bool check_scene(acceptor *a, size_t index, const json_t *result, problem *why)
{
    const suite_scene *scene = &a->suite->scenes[index];
    const char *status = check_text(result, "status");
    char text[PROBLEM_MAX];
    if (strcmp(status, "pass") == 0 || strcmp(status, "accepted") == 0) {
        a->passed++;
        return true;
    }
    if (!suite_is_wanted(&a->options->only, scene->name))
        return tell(a->left, scene->name, "--only does not name it");
    const char *against = obstacle(a, result, text);
    if (against) {
        a->lacks_picture = true;
        return tell(a->left, scene->name, against);
    }
    problem one = {0};
    json_t *frames = json_array();
    bool ok = check_inputs_same(scene, json_object_get(result, "inputs"), &a->store, &one) &&
              check_frames(a, index, result, frames, &one);
    if (!ok)
        tell(a->refused, scene->name, one.text);
    else if (json_array_size(frames))
        json_array_append_new(a->accepted, json_pack("{ss sO}", "name", scene->name, "frames", frames));
    else
        a->already++;
    json_decref(frames);
    return one.code != EXIT_FACILITY || problem_set(why, one.code, "%s", one.text);
}

/* Checks that each --only names a scene of the suite that is in the report. */
static bool check_only(const acceptor *a, problem *why)
{
    for (size_t i = 0; i < a->options->only.count; i++) {
        text_list one = {.items = &a->options->only.items[i], .count = 1};
        bool in_suite = false, in_report = false;
        for (size_t k = 0; k < a->suite->count && !in_report; k++) {
            const char *name = a->suite->scenes[k].name;
            if (!suite_is_wanted(&one, name))
                continue;
            in_suite = true;
            in_report = json_object_get(a->by_name, name) != NULL;
        }
        if (!in_report)
            return problem_set(why, EXIT_USAGE, "%s has no scene that matches --only %.200s",
                               in_suite ? a->options->accept_from : a->suite->path,
                               a->options->only.items[i]);
    }
    return true;
}

/* Tells of scenes of the report that did not pass and are not in the suite any more, such as those of a model
 * that is gone. */
static void refuse_gone(acceptor *a)
{
    json_t *names = json_object();
    const char *name;
    json_t *result;
    for (size_t i = 0; i < a->suite->count; i++)
        json_object_set_new(names, a->suite->scenes[i].name, json_true());
    json_object_foreach(a->by_name, name, result)
    {
        const char *status = check_text(result, "status");
        if (!json_object_get(names, name) && strcmp(status, "pass") != 0 &&
            suite_is_wanted(&a->options->only, name))
            tell(a->refused, name, "the suite has no such scene any more");
    }
    json_decref(names);
}

/* Checks all scenes. */
static bool check_scenes(acceptor *a, problem *why)
{
    for (size_t i = 0; i < a->suite->count; i++) {
        const json_t *result = json_object_get(a->by_name, a->suite->scenes[i].name);
        if (result && !check_scene(a, i, result, why))
            return false;
    }
    refuse_gone(a);
    return true;
}

/* --- Writing --- */

/* Adds the two files of a baseline to those that take their places together. */
static bool stage_acceptance(const acceptor *a, const acceptance *one, file_set *set, problem *why)
{
    static const char *const endings[] = {".png", ".json"};
    const digest *const digests[] = {&one->picture, &one->hashes};
    const suite_scene *scene = &a->suite->scenes[one->scene];
    bool ok = true;
    for (int i = 0; ok && i < 2; i++) {
        char name[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
        mmd_bytes bytes = {0};
        suite_picture_name(scene, one->frame, endings[i], name);
        suite_baseline_path(a->suite, a->driver, scene, one->frame, endings[i], path);
        ok = read_part(a, name, UINT32_MAX, &bytes, why);
        if (ok && strcmp(digest_of(bytes.data, bytes.size).text, digests[i]->text) != 0)
            ok = problem_set(why, EXIT_INPUT, "%s/%s: the file changes while it is read",
                             a->options->accept_from, name);
        ok = ok && file_set_add(set, path, bytes.data, bytes.size, why);
        mmd_bytes_finish(&bytes);
    }
    return ok;
}

/* Writes all baselines, or none. The time limit does not end the program in between. */
static bool write_baselines(const acceptor *a, problem *why)
{
    file_set set = {0};
    bool ok = true;
    time_limit_stop();
    for (size_t i = 0; ok && i < a->count; i++)
        ok = stage_acceptance(a, &a->list[i], &set, why);
    ok = ok && file_set_finish(&set, why);
    file_set_end(&set);
    return ok;
}

/* --- Telling --- */

/* Prints a line about a scene. */
static void print_scene(const char *kind, const char *name, const char *text)
{
    char clean[4 * PROBLEM_MAX];
    printf("%s  ", kind);
    mmd_text_clean(name, true, clean, sizeof clean);
    printf("%s: ", clean);
    mmd_text_clean(text, true, clean, sizeof clean);
    puts(clean);
}

/* Prints the scenes that were accepted, with their frames. */
static void print_accepted(const json_t *accepted)
{
    for (size_t i = 0; i < json_array_size(accepted); i++) {
        const json_t *scene = json_array_get(accepted, i), *frames = json_object_get(scene, "frames");
        size_t count = json_array_size(frames), used = 0;
        char text[512];
        used = (size_t)snprintf(text, sizeof text, "frame%s", count == 1 ? "" : "s");
        for (size_t k = 0; k < count && k < FRAMES_LISTED; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s %.9g", k ? "," : "",
                                     json_number_value(json_array_get(frames, k)));
        if (count > FRAMES_LISTED)
            snprintf(text + used, sizeof text - used, " and %zu more", count - FRAMES_LISTED);
        print_scene("accepted", check_text(scene, "name"), text);
    }
}

/* Prints the scenes of a list with their reasons. */
static void print_reasons(const char *kind, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        print_scene(kind, check_text(json_array_get(list, i), "name"),
                    check_text(json_array_get(list, i), "why"));
}

/* Prints what was accepted and what was not, as text or as JSON. */
static void print_all(const acceptor *a, bool written)
{
    const size_t accepted = written ? json_array_size(a->accepted) : 0;
    if (a->options->json) {
        json_t *none = json_array();
        json_t *whole = json_pack("{si ss ss ss sO sO sO sI sI}", "format", 1, "odori", ODORI_VERSION,
                                  "suite", mmd_path_name(a->suite->path), "driver", a->driver, "accepted",
                                  written ? a->accepted : none, "refused", a->refused, "left", a->left,
                                  "passed", (json_int_t)a->passed, "already", (json_int_t)a->already);
        char *text = json_dumps(whole, JSON_INDENT(1));
        emit_json(stdout, text ? text : "{}");
        putchar('\n');
        free(text);
        json_decref(whole);
        json_decref(none);
        return;
    }
    if (written)
        print_accepted(a->accepted);
    print_reasons("refused", a->refused);
    print_reasons("not accepted", a->left);
    printf("%zu accepted", accepted);
    if (a->already)
        printf(", %zu accepted already", a->already);
    if (json_array_size(a->refused))
        printf(", %zu refused", json_array_size(a->refused));
    if (json_array_size(a->left))
        printf(", %zu not accepted", json_array_size(a->left));
    printf(", %zu passed\n", a->passed);
}

bool check_accept_from(const check_options *options, const suite *s, int *code, problem *why)
{
    const mmd_log log = stderr_log(options->common->log_level);
    acceptor a = {.options = options,
                  .suite = s,
                  .by_name = json_object(),
                  .accepted = json_array(),
                  .refused = json_array(),
                  .left = json_array()};
    json_t *root = NULL;
    store_init(&a.store, NULL, &log);
    bool ok = read_results(&a, &root, why) && check_only(&a, why) && check_scenes(&a, why);
    const json_t *first = json_array_get(a.refused, 0);
    ok = ok && (first || write_baselines(&a, why));
    if (ok)
        print_all(&a, !first);
    if (ok && first)
        ok =
            problem_set(why, EXIT_INPUT, "%.400s: nothing was accepted, %zu scene%s refused: %.200s: %.1000s",
                        options->accept_from, json_array_size(a.refused),
                        json_array_size(a.refused) == 1 ? " is" : "s are", check_text(first, "name"),
                        check_text(first, "why"));
    *code = a.lacks_picture ? EXIT_NO : EXIT_DONE;
    store_finish(&a.store);
    mmd_free(a.list);
    json_decref(a.by_name);
    json_decref(a.accepted);
    json_decref(a.refused);
    json_decref(a.left);
    json_decref(root);
    return ok;
}
