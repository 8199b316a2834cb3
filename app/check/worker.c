/*
 * The worker process of a check. It has an OpenGL context of its own and draws the scenes that the parent
 * requests. The pictures depend on the scene alone, not on the worker that draws it or on the scenes before.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/paths.h"
#include "base/time_limit.h"
#include "internal.h"
#include "mmd/elementary.h"
#include "scene/background.h"
#include "check.h"
#include "diff/pair.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/text.h"
#include "files/png_text.h"
#include "recipe/draw.h"
#include "recipe/provenance.h"
#include "recipe/provenance_compare.h"
#include "recipe/pipeline_hashes.h"

/* The thumbnail of a scene in the report: pictures side by side. */
typedef struct panes {
    mmd_image strip; /* empty: none yet */
    double score;    /* how much the pictures of the strip differ */
} panes;

enum { PANE_WIDTH = 200, PANE_HEIGHT = 150, PANES = 3 };
#define OPENING_SECONDS 10.0        /* least time limit of opening OpenGL */
#define HEAT_SCALE      (1.0f / 64) /* a difference of 64 levels has the full brightness */

typedef struct worker {
    const check_run *run;
    mmd_gpu *gpu;
    mmd_view *view;
    recipe_store store;
    judge judge;
    provenance_memory memory; /* of differences inside of files */
    char driver[DRIVER_NAME_MAX];
    FILE *out;
    int late;         /* descriptor of the pipe for the sentence about the time limit */
    json_t *warnings; /* of opening OpenGL, which are the parent's to print; NULL: before and after that */
} worker;

/* Baselines whose files of hashes are missing or damaged. */
typedef struct hash_problem {
    size_t count;
    double first; /* the first frame with the problem */
} hash_problem;

/* The scene that is being drawn. */
typedef struct scene_work {
    worker *worker;
    const suite_scene *scene;
    char of[DRIVER_NAME_MAX]; /* the driver whose baseline the frame is compared with */
    recipe_stage stage;
    provenance_files files;
    json_t *frames;
    const char *status; /* the worst of the frames so far */
    panes panes;
    json_t *warnings;
    hash_problem missing, damaged;
    char *origin; /* provenance of the frame that is being drawn */
    problem why;
} scene_work;

/* Writes the name of the driver: the first word of the renderer and the version, such as
 * "llvmpipe-4-5-core-profile-mesa-22-3-6". */
static void driver_name(const mmd_gpu_info *info, char *name, size_t capacity)
{
    char raw[256];
    size_t word = strcspn(info->renderer, " ("), length = 0;
    snprintf(raw, sizeof raw, "%.*s %s", (int)word, info->renderer, info->version);
    for (const char *c = raw; *c && length + 1 < capacity; c++) {
        if (isalnum((unsigned char)*c))
            name[length++] = (char)tolower((unsigned char)*c);
        else if (length && name[length - 1] != '-')
            name[length++] = '-';
    }
    name[length] = '\0';
}

/* --- Files --- */

json_t *clean_text(const char *text)
{
    char clean[4096];
    mmd_text_clean(text, false, clean, sizeof clean);
    return json_string(clean);
}

/* Writes the path of a file that belongs to the baseline of a frame. */
static void baseline_path(const scene_work *s, double frame, const char *ending, char path[MMD_FILE_PATH_MAX])
{
    suite_baseline_path(s->worker->run->suite, s->worker->driver, s->scene, frame, ending, path);
}

/* Does the same for the baseline that the frame is compared with, which may be of another driver. */
static void compared_path(const scene_work *s, double frame, const char *ending, char path[MMD_FILE_PATH_MAX])
{
    suite_baseline_path(s->worker->run->suite, s->of, s->scene, frame, ending, path);
}

/* Chooses the baseline to compare a frame with: that of this driver, else the nearest one. */
static void choose_baseline(scene_work *s, double frame)
{
    const worker *w = s->worker;
    char path[MMD_FILE_PATH_MAX];
    strcpy(s->of, w->driver);
    compared_path(s, frame, ".png", path);
    if (!platform_exists(path) && !s->scene->other_driver.off &&
        !nearest_driver(w->run->suite, w->driver, mmd_gpu_get_info(w->gpu)->vendor, s->scene, frame, s->of))
        strcpy(s->of, w->driver);
}

/* Returns whether that baseline is of another driver. */
static bool is_of_other(const scene_work *s)
{
    return strcmp(s->of, s->worker->driver) != 0;
}

/* Writes a file and creates the folders above it. */
static bool write_file(scene_work *s, const char *path, const void *data, size_t size)
{
    char folder[MMD_FILE_PATH_MAX];
    mmd_error error = {0};
    mmd_path_folder(path, folder, sizeof folder);
    if (!path_make_folder(folder))
        return problem_set(&s->why, EXIT_FACILITY, "%s: the folder cannot be created", folder);
    if (mmd_file_write(path, data, size, &error) == MMD_OK)
        return true;
    return problem_set(&s->why, EXIT_FACILITY, "%s: %s", path, error.message);
}

/* Writes a picture to a PNG file. */
static bool write_png(scene_work *s, const char *path, const mmd_image *image, const mmd_png_options *options)
{
    mmd_buffer png = {0};
    mmd_error error = {0};
    bool ok = mmd_png_write(image, options, &png, &error) == MMD_OK ? write_file(s, path, png.data, png.size)
                                                                    : problem_from(&s->why, &error);
    mmd_buffer_finish(&png);
    return ok;
}

/* Writes a picture into the report, if there is one, and stores its name in the result of the frame. */
static bool report_picture(scene_work *s, json_t *frame, const char *key, const char *ending,
                           const mmd_image *image, const mmd_png_options *options)
{
    char name[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
    const char *report_folder = s->worker->run->options->report;
    if (!report_folder)
        return true;
    suite_picture_name(s->scene, json_number_value(json_object_get(frame, "frame")), ending, name);
    json_object_set_new(frame, key, json_string(name));
    return write_png(s, path_join(path, report_folder, "%s", name), image, options);
}

/* Returns the hashes as the text of a file. NULL: out of memory. */
static char *hashes_text(const json_t *hashes)
{
    return hashes ? json_dumps(hashes, JSON_INDENT(1)) : NULL;
}

/* Writes what --accept-from needs of a frame that did not pass into the report: the hashes beside the new
 * baseline with their digest, and the digest of the old baseline, if there is one. */
static bool report_acceptable(scene_work *s, json_t *frame, double number, const json_t *hashes)
{
    char name[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
    char *text = hashes_text(hashes);
    suite_picture_name(s->scene, number, ".json", name);
    json_object_set_new(frame, "hashes", json_string(name));
    path_join(path, s->worker->run->options->report, "%s", name);
    bool ok = text ? write_file(s, path, text, strlen(text)) : problem_out_of_memory(&s->why);
    json_object_set_new(frame, "hashes_hash", json_string(text ? digest_of(text, strlen(text)).text : ""));
    free(text);
    baseline_path(s, number, ".png", path);
    digest old = file_digest(path);
    if (*old.text)
        json_object_set_new(frame, "baseline_hash", json_string(old.text));
    return ok;
}

/* Writes the picture of a frame into the report, with its digest in the result. */
static bool report_drawn(scene_work *s, json_t *frame, double number, const mmd_image *drawn,
                         const mmd_png_options *png)
{
    char name[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
    const char *report_folder = s->worker->run->options->report;
    if (!report_folder)
        return true;
    suite_picture_name(s->scene, number, ".png", name);
    path_join(path, report_folder, "%s", name);
    if (!report_picture(s, frame, "picture", ".png", drawn, png))
        return false;
    json_object_set_new(frame, "picture_hash", json_string(file_digest(path).text));
    return true;
}

/* Removes the files that an earlier run wrote for a frame that differed then. */
static void remove_difference(const scene_work *s, double number)
{
    static const char *const endings[] = {".baseline.png", ".heat.png", ".json", ".js"};
    char name[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
    const char *report_folder = s->worker->run->options->report;
    for (size_t i = 0; report_folder && i < sizeof endings / sizeof *endings; i++) {
        suite_picture_name(s->scene, number, endings[i], name);
        platform_remove(path_join(path, report_folder, "%s", name));
    }
}

/* --- Panes --- */

/* Scales a picture down by averaging, over a white background, into the columns of `to` from left on. */
static void shrink(const mmd_image *from, mmd_image *to, uint32_t left, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++) {
        uint32_t y0 = (uint32_t)((uint64_t)y * from->height / height),
                 y1 = (uint32_t)((uint64_t)(y + 1) * from->height / height);
        for (uint32_t x = 0; x < width; x++) {
            uint32_t x0 = (uint32_t)((uint64_t)x * from->width / width),
                     x1 = (uint32_t)((uint64_t)(x + 1) * from->width / width);
            uint64_t sum[3] = {0}, count = 0;
            for (uint32_t v = y0; v < y1 || v == y0; v++) {
                for (uint32_t u = x0; u < x1 || u == x0; u++, count++) {
                    const uint8_t *p = from->pixels + 4 * ((size_t)v * from->width + u);
                    for (int k = 0; k < 3; k++)
                        sum[k] += (uint32_t)(p[k] * p[3] + 255 * (255 - p[3])) / 255;
                }
            }
            uint8_t *out = to->pixels + 4 * ((size_t)y * to->width + left + x);
            for (int k = 0; k < 3; k++)
                out[k] = (uint8_t)(sum[k] / count);
            out[3] = 255;
        }
    }
}

/* Builds the thumbnail of one to three pictures, unless the current one shows a larger difference. */
static bool show_panes(scene_work *s, double score, const mmd_image *drawn, const mmd_image *baseline,
                       const mmd_image *heat)
{
    const mmd_image *pictures[PANES], *first;
    mmd_image *strip = &s->panes.strip;
    size_t count = 0;
    if (!s->worker->run->options->report || (strip->width && score <= s->panes.score))
        return true;
    if (baseline && baseline->width)
        pictures[count++] = baseline;
    pictures[count++] = drawn;
    if (heat && heat->width)
        pictures[count++] = heat;
    s->panes.score = score;
    first = pictures[0];
    double scale =
        mmd_min(1, mmd_min((double)PANE_WIDTH / first->width, (double)PANE_HEIGHT / first->height));
    uint32_t width = (uint32_t)mmd_max(1, first->width * scale),
             height = (uint32_t)mmd_max(1, first->height * scale);
    mmd_image_finish(strip);
    if (mmd_image_init(strip, width * (uint32_t)count, height, NULL) != MMD_OK)
        return problem_out_of_memory(&s->why);
    for (size_t i = 0; i < count; i++)
        shrink(pictures[i], strip, width * (uint32_t)i, width, height);
    return true;
}

/* Writes the thumbnail into the report, if there is one, and stores its name in the result. */
static bool write_panes(scene_work *s, json_t *result)
{
    char name[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
    if (!s->panes.strip.width)
        return true;
    snprintf(name, sizeof name, "thumbs/%s.png", s->scene->folder);
    json_object_set_new(result, "thumb", json_string(name));
    return write_png(s, path_join(path, s->worker->run->options->report, "%s", name), &s->panes.strip,
                     &(mmd_png_options){0});
}

/* --- Frames --- */

/* Sets the status of a frame, and that of the scene if this one is worse. */
static void set_status(scene_work *s, json_t *frame, const char *status)
{
    static const char *const order[] = {"pass", "accepted", "no baseline", "fail", "error"};
    int now = 0, before = 0;
    for (int i = 0; i < 5; i++) {
        now = strcmp(order[i], status) == 0 ? i : now;
        before = strcmp(order[i], s->status) == 0 ? i : before;
    }
    json_object_set_new(frame, "status", json_string(status));
    s->status = order[now > before ? now : before];
}

static void count_problem(hash_problem *found, double number)
{
    if (found->count++ == 0)
        found->first = number;
}

/* Returns the hashes of the rendering steps of the current frame. NULL: the problem of the scene is set. */
static json_t *hash_pipeline(scene_work *s, const mmd_image *drawn)
{
    mmd_error error = {0};
    json_t *hashes = pipeline_hashes_of(s->worker->view, &s->stage, drawn, &error);
    if (!hashes)
        problem_from(&s->why, &error);
    return hashes;
}

/* Reads the hashes beside a baseline. NULL: they are missing or damaged, which is counted for a warning. */
static json_t *load_hashes(scene_work *s, double number)
{
    char path[MMD_FILE_PATH_MAX];
    compared_path(s, number, ".json", path);
    mmd_bytes bytes = {0};
    json_t *hashes = NULL;
    if (mmd_file_read(path, &bytes, NULL) == MMD_OK)
        hashes = json_loadb((const char *)bytes.data, bytes.size, 0, NULL);
    mmd_bytes_finish(&bytes);
    if (hashes && pipeline_hashes_whole(hashes))
        return hashes;
    json_decref(hashes);
    count_problem(platform_exists(path) ? &s->damaged : &s->missing, number);
    return NULL;
}

/* Stores the name of the first rendering step whose hashes differ from those beside the baseline. */
static void store_stage(scene_work *s, json_t *frame, const json_t *before, const json_t *now)
{
    char detail[512] = "";
    const char *stage = pipeline_hashes_first(before, now, &s->stage, detail, sizeof detail);
    if (!*stage) {
        stage = "baseline";
        snprintf(detail, sizeof detail, "the hashes beside the baseline belong to another picture");
    }
    json_object_set_new(frame, "stage", json_string(stage));
    if (*detail)
        json_object_set_new(frame, "detail", clean_text(detail));
}

static void add_sentence(void *list, const char *sentence)
{
    json_array_append_new(list, clean_text(sentence));
}

/* The changes of a frame while they are found. */
typedef struct change_list {
    const scene_work *work;
    json_t *sentences;
} change_list;

static void add_change(void *list, unsigned aspects, const char *sentence)
{
    const change_list *changes = list;
    (void)aspects;
    /* Which driver the baseline is of is told anyway. */
    if (!is_of_other(changes->work) || strncmp(sentence, "gl.", strlen("gl.")) != 0)
        add_sentence(changes->sentences, sentence);
}

static bool find_contents(void *list, bool is_first, const char *path, const char *hash, contents *found)
{
    const scene_work *s = ((change_list *)list)->work;
    (void)path;
    return kept_find(s->worker->run->suite, &s->stage, is_first, hash, found);
}

/* Stores which inputs and settings have changed since the baseline was drawn, by the data stored in both
 * pictures. Of pictures that count as equal, only files are of interest. */
static void store_changes(scene_work *s, json_t *frame, double number, bool equal)
{
    char path[MMD_FILE_PATH_MAX];
    compared_path(s, number, ".png", path);
    char *was = png_text_of_file(path, PROVENANCE_KEY);
    if (was && !(equal && s->origin && strcmp(was, s->origin) == 0)) {
        change_list list = {s, json_array()};
        provenance_compare(was, s->origin,
                           &(provenance_listener){.tell = add_change,
                                                  .contents = find_contents,
                                                  .memory = &s->worker->memory,
                                                  .user = &list,
                                                  .only_files = equal},
                           NULL);
        if (!equal || json_array_size(list.sentences))
            json_object_set(frame, "changes", list.sentences);
        json_decref(list.sentences);
    }
    mmd_free(was);
}

/* Writes the heat map and the baseline of a frame that differs into the report. */
static bool show_difference(scene_work *s, json_t *frame, const judgement *j, const mmd_image *baseline,
                            const mmd_image *drawn)
{
    mmd_image heat = {0};
    const uint8_t *plane = j->compared ? mmd_compare_difference(s->worker->judge.compare) : NULL;
    mmd_error error = {0};
    mmd_png_options fast = {.level = MMD_PNG_FAST, .alpha = baseline->has_alpha};
    bool ok = (!plane ||
               mmd_heat_from_levels(plane, j->result.width, j->result.height, HEAT_SCALE, &heat, &error) ==
                   MMD_OK ||
               problem_from(&s->why, &error)) &&
              show_panes(s, j->compared ? 1 + j->result.levels[MMD_COMPARE_CHANNELS].mean : 1000, drawn,
                         baseline, &heat);
    if (ok && !j->passed) {
        ok = report_picture(s, frame, "baseline", ".baseline.png", baseline, &fast);
        fast.alpha = false;
        ok = ok && (!plane || report_picture(s, frame, "heat", ".heat.png", &heat, &fast));
    }
    mmd_image_finish(&heat);
    return ok;
}

/* Draws the ids of the current frame. False: there are none, as for a picture that has another size. */
static bool draw_frame_ids(scene_work *s, const mmd_image *drawn, mmd_ids *ids)
{
    const picture_size size = s->stage.size;
    if (size.width != drawn->width || size.height != drawn->height)
        return false;
    bool ok = draw_ids(s->worker->view, &s->stage.scene, &s->stage.session.view, size, ids, NULL) == MMD_OK;
    if (!ok)
        mmd_ids_finish(ids);
    return ok;
}

/* Writes what the page shows of a frame that failed into the report, and stores the material with most of the
 * difference. */
static bool report_difference(scene_work *s, json_t *frame, const mmd_image *baseline, const mmd_image *drawn)
{
    judge *j = &s->worker->judge;
    const mmd_compare_options options = judge_options(j, baseline, drawn, s->scene);
    const double number = json_number_value(json_object_get(frame, "frame"));
    char name[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX], material[DIFF_PAIR_MATERIAL_MAX];
    mmd_ids ids = {0};
    mmd_buffer script = {0};
    mmd_error error = {0};
    const bool has_ids = draw_frame_ids(s, drawn, &ids);
    const diff_pair pair = {.a = baseline,
                            .b = drawn,
                            .names = {"the baseline", "the new picture"},
                            .number = number,
                            .compare = &options,
                            .limits = &s->scene->tolerance.limits,
                            .mask = options.mask ? &j->mask : NULL,
                            .ids = has_ids ? &ids : NULL};
    bool ok = diff_pair_write(j->compare, &pair, &script, material, &error) == MMD_OK ||
              problem_from(&s->why, &error);
    suite_picture_name(s->scene, number, ".js", name);
    ok = ok && write_file(s, path_join(path, s->worker->run->options->report, "%s", name), script.data,
                          script.size);
    if (ok) {
        json_object_set_new(frame, "difference", json_string(name));
        if (*material)
            json_object_set_new(frame, "material", clean_text(material));
    }
    mmd_buffer_finish(&script);
    mmd_ids_finish(&ids);
    return ok;
}

/* Judges a frame of the scene against a baseline. */
static bool judge_frame(scene_work *s, const mmd_image *baseline, const mmd_image *drawn, judgement *j)
{
    return judge_drawn(&s->worker->judge,
                       &(judge_frame_input){.view = s->worker->view,
                                            .stage = &s->stage,
                                            .scene = s->scene,
                                            .baseline = baseline,
                                            .drawn = drawn,
                                            .other = is_of_other(s)},
                       j, &s->why);
}

/* Judges whether a frame shows the same scene as its baseline of another driver: all steps before drawing are
 * equal. Drivers may round differently where they skin vertices. Of another scene, only an equal picture
 * passes. Returns the answer. */
static bool judge_scene(const scene_work *s, json_t *frame, const json_t *before, const json_t *now,
                        judgement *j)
{
    char detail[512];
    const char *stage =
        before ? pipeline_hashes_first(before, now, &s->stage, detail, sizeof detail) : "unknown";
    const bool same = !*stage || strcmp(stage, "vertices") == 0 || strcmp(stage, "image") == 0;
    if (!same && !j->equal) {
        j->passed = false;
        snprintf(j->why, sizeof j->why,
                 before ? "it is not the scene of its baseline"
                        : "whether it is the scene of its baseline is unknown");
    }
    json_t *other = json_pack("{so sb sI}", "driver", clean_text(s->of), "same_scene", same, "edges",
                              (json_int_t)s->scene->other_driver.edges);
    if (j->has_beyond)
        json_object_set_new(other, "beyond_edges", judgement_metrics_beyond(j));
    json_object_set_new(frame, "other_driver", other);
    return same;
}

/* Compares a frame with its baseline and stores the result. */
static bool compare_with_baseline(scene_work *s, json_t *frame, double number, const mmd_image *drawn,
                                  const mmd_image *baseline)
{
    judgement j;
    if (!judge_frame(s, baseline, drawn, &j))
        return false;
    const bool other = is_of_other(s), report = s->worker->run->options->report;
    json_t *before = load_hashes(s, number), *now = NULL;
    bool ok = !(other || (!j.equal && (before || report))) || (now = hash_pipeline(s, drawn));
    const bool only_drawing = ok && other && judge_scene(s, frame, before, now, &j);
    set_status(s, frame, j.passed ? "pass" : "fail");
    if (j.compared)
        json_object_set_new(frame, "metrics", judgement_metrics(&j));
    if (!j.passed)
        json_object_set_new(frame, "why", json_string(j.why));
    /* Without both hashes, the first rendering step that differs is unknown. */
    if (ok && !j.equal && !only_drawing && now && before)
        store_stage(s, frame, before, now);
    if (ok && !j.passed && report)
        ok = report_acceptable(s, frame, number, now);
    if (ok)
        store_changes(s, frame, number, j.equal || (only_drawing && j.passed));
    if (ok)
        ok = j.equal ? show_panes(s, 0, drawn, NULL, NULL) : show_difference(s, frame, &j, baseline, drawn);
    if (ok && report && !j.passed && j.compared)
        ok = report_difference(s, frame, baseline, drawn);
    json_decref(before);
    json_decref(now);
    return ok;
}

/* Compares a frame with its baseline if there is one. */
static bool check_frame(scene_work *s, json_t *frame, double number, const mmd_image *drawn)
{
    char path[MMD_FILE_PATH_MAX];
    mmd_image baseline = {0};
    mmd_error error = {0};
    choose_baseline(s, number);
    compared_path(s, number, ".png", path);
    bool ok;
    if (mmd_image_read(path, &baseline, &error) == MMD_OK) {
        ok = compare_with_baseline(s, frame, number, drawn, &baseline);
    } else if (error.code == MMD_ERROR_NOT_FOUND) {
        set_status(s, frame, "no baseline");
        json_t *now = s->worker->run->options->report ? hash_pipeline(s, drawn) : NULL;
        ok = (!s->worker->run->options->report || (now && report_acceptable(s, frame, number, now))) &&
             show_panes(s, 2000, drawn, NULL, NULL);
        json_decref(now);
    } else {
        ok = problem_from(&s->why, &error);
    }
    mmd_image_finish(&baseline);
    return ok;
}

/* Writes the picture of a frame and its hashes as the new baseline. */
static bool accept_frame(scene_work *s, json_t *frame, double number, const mmd_image *drawn,
                         const mmd_png_options *png)
{
    char path[MMD_FILE_PATH_MAX];
    judgement j; /* of the picture with itself, which checks the masks */
    strcpy(s->of, s->worker->driver);
    if (!judge_frame(s, drawn, drawn, &j))
        return false;
    set_status(s, frame, "accepted");
    baseline_path(s, number, ".png", path);
    if (!write_png(s, path, drawn, png))
        return false;
    json_t *hashes = hash_pipeline(s, drawn);
    char *text = hashes_text(hashes);
    baseline_path(s, number, ".json", path);
    bool ok = text && write_file(s, path, text, strlen(text));
    free(text);
    json_decref(hashes);
    if (!ok)
        return problem_out_of_memory(&s->why);
    return show_panes(s, 0, drawn, NULL, NULL);
}

/* Draws a frame, and checks or accepts it. */
static bool draw_frame(scene_work *s, double number, mmd_image *image)
{
    bool accepting = s->worker->run->options->accept;
    json_t *frame = json_object();
    json_object_set_new(frame, "frame", json_real(number));
    json_array_append_new(s->frames, frame);
    remove_difference(s, number);
    mmd_error error = {0};
    session_go(&s->stage.session, number);
    if (mmd_view_picture(s->worker->view, s->stage.scene.stage, &s->stage.session.view, s->stage.size.width,
                         s->stage.size.height, image, &error) != MMD_OK)
        return problem_from(&s->why, &error);
    char *origin = provenance_of_stage(&s->stage, &s->files, mmd_gpu_get_info(s->worker->gpu));
    s->origin = origin;
    const mmd_image_text text = {PROVENANCE_KEY, origin};
    const mmd_png_options png = {.alpha = s->stage.session.view.background[3] < 1.0f,
                                 .level = accepting ? MMD_PNG_USUAL : MMD_PNG_FAST,
                                 .texts = &text,
                                 .text_count = origin ? 1 : 0};
    /* Later rounds are compared with these hashes. */
    json_t *hashes = s->worker->run->options->repeat > 1 ? hash_pipeline(s, image) : NULL;
    if (hashes)
        json_object_set_new(frame, "pipeline", hashes);
    bool ok =
        (accepting ? accept_frame(s, frame, number, image, &png) : check_frame(s, frame, number, image)) &&
        report_drawn(s, frame, number, image, &png);
    s->origin = NULL;
    free(origin);
    return ok;
}

/* --- Warnings --- */

/* Adds a warning about baselines whose hashes are missing or damaged. */
static void warn_of_hashes(scene_work *s, const hash_problem *found, const char *what)
{
    char sentence[256], first[40];
    if (!found->count)
        return;
    suite_frame_name(found->first, first, sizeof first);
    if (s->scene->recipe.frame_count == 1)
        snprintf(sentence, sizeof sentence, "the hashes beside the baseline are %s", what);
    else
        snprintf(sentence, sizeof sentence,
                 "the hashes beside %zu of %zu baselines are %s, the first one is frame %s", found->count,
                 s->scene->recipe.frame_count, what, first);
    add_sentence(s->warnings, sentence);
}

/* --- Scenes --- */

/* Adds the path and the digest of a file to a stream. */
static void add_file_digest(digest_stream *stream, const char *path)
{
    digest_add_text(stream, path);
    digest_add_text(stream, file_digest(path).text);
}

/* Returns the key of a scene, a digest of program, driver, suite, inputs and baselines. Equal keys mean equal
 * results. */
static digest scene_key(scene_work *s)
{
    const suite_scene *p = s->scene;
    digest_stream stream = digest_begin();
    digest_add_text(&stream, s->worker->run->program.text);
    digest_add_text(&stream, s->worker->driver);
    digest_add_text(&stream, s->worker->run->suite->content.text);
    digest_add_text(&stream, p->name);
    for (size_t i = 0; i < s->stage.scene.model_count; i++) {
        digest_add_text(&stream, s->stage.models[i]->file.text);
        digest_add_text(&stream,
                        s->stage.models[i]->contents.text); /* files that a placement file refers to */
        digest_add_text(&stream, s->stage.models[i]->textures.all.text);
    }
    for (size_t i = 0; i < s->files.model_count; i++)
        digest_add_text(&stream, s->files.models[i].file.hash.text); /* includes projects */
    for (uint32_t i = 0; background_path(&s->stage.scene, i); i++)
        add_file_digest(&stream, background_path(&s->stage.scene, i));
    for (size_t i = 0; i < s->files.motion_count; i++)
        digest_add_text(&stream, s->files.motions[i].file.hash.text);
    digest_add_text(&stream, s->files.camera.hash.text);
    for (size_t i = 0; i < p->masks.count; i++)
        if (p->masks.items[i].kind == SUITE_MASK_PICTURE)
            add_file_digest(&stream, p->masks.items[i].picture.path);
    for (size_t i = 0; i < p->recipe.frame_count; i++) {
        char path[MMD_FILE_PATH_MAX];
        choose_baseline(s, p->recipe.frames[i]);
        compared_path(s, p->recipe.frames[i], ".png", path);
        add_file_digest(&stream, path);
        compared_path(s, p->recipe.frames[i], ".json", path);
        add_file_digest(&stream, path);
    }
    return digest_end(&stream);
}

/* Checks that no link leads the baselines of a scene out of where the suite may read and write. */
static bool check_baselines(scene_work *s)
{
    static const char *const endings[] = {".png", ".json"};
    char path[MMD_FILE_PATH_MAX], why[PATH_WHY_MAX];
    for (size_t i = 0; i < 2 * s->scene->recipe.frame_count; i++) {
        baseline_path(s, s->scene->recipe.frames[i / 2], endings[i % 2], path);
        if (!path_scope_has(&s->worker->run->suite->scope, path, why))
            return problem_set(&s->why, EXIT_INPUT, "%.800s: %.1200s", path, why);
    }
    return true;
}

/* Returns the result of a scene as an object of results.json. */
static json_t *scene_result(scene_work *s, size_t index, const digest *key)
{
    json_t *result =
        json_pack("{sI ss ss ss so}", "index", (json_int_t)index, "name", s->scene->name, "folder",
                  s->scene->folder, "status", s->status, "frames", json_incref(s->frames));
    if (s->why.code == EXIT_DONE)
        write_panes(s, result);
    if (s->why.code != EXIT_DONE) {
        json_object_set_new(result, "status", json_string("error"));
        json_object_set_new(result, "code", json_integer(s->why.code));
        json_object_set_new(result, "message", clean_text(s->why.text));
    }
    if (json_array_size(s->warnings)) {
        json_object_set(result, "warnings", s->warnings);
        if (s->worker->run->suite->strict && s->why.code == EXIT_DONE)
            json_object_set_new(result, "message", json_string("warnings count as failures (strict)"));
    }
    if (s->files.models)
        json_object_set_new(result, "inputs", check_inputs(&s->stage, &s->files));
    json_object_set_new(result, "key", json_string(key->text));
    return result;
}

/* Writes a reply to the parent. */
static void reply(worker *w, char kind, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT);
    fprintf(w->out, "%c%s\n", kind, text ? text : "{}");
    fflush(w->out);
    free(text);
}

/* Starts the clock of a scene or of opening OpenGL. */
static void start_clock(const worker *w, double seconds)
{
    time_limit_start(&(time_limit){.seconds = seconds, .code = CHECK_LATE, .sentence = w->late});
}

/* Draws and checks the frames of a scene that was opened. */
static void draw_frames(scene_work *s)
{
    const worker *w = s->worker;
    mmd_error error = {0};
    mmd_image image = {0};
    if (recipe_show(&s->stage, &error) != MMD_OK) {
        char sentence[PROBLEM_MAX];
        problem_set(&s->why, EXIT_FACILITY, "%s", mmd_error_sentence(&error, sentence, sizeof sentence));
        return;
    }
    recipe_tell_warnings(&s->stage, w->view, add_sentence, s->warnings);
    /* A strict suite accepts no baseline with warnings. */
    bool refused = w->run->options->accept && w->run->suite->strict && json_array_size(s->warnings);
    bool drawing = !refused && (!w->run->options->accept || !w->run->options->keep_inputs ||
                                kept_write(w->run->suite, &s->stage, &s->why));
    for (size_t i = 0; i < s->scene->recipe.frame_count && drawing; i++) {
        drawing = draw_frame(s, s->scene->recipe.frames[i], &image);
        fputs("P\n", w->out);
        fflush(w->out);
    }
    mmd_image_finish(&image);
    recipe_tell_resets(&s->stage, add_sentence, s->warnings);
}

/* Draws and checks a scene, unless its key equals that of the stored result. Writes the reply. */
static void draw_scene(worker *w, size_t index, const char *done_key)
{
    scene_work s = {.worker = w,
                    .scene = &w->run->suite->scenes[index],
                    .frames = json_array(),
                    .warnings = json_array(),
                    .status = "pass"};
    digest key = {""};
    mmd_error error = {0};
    const double began = clock_seconds();
    start_clock(w, w->run->options->common->time_limit);
    for (size_t i = 0; i < s.scene->recipe.frame_count; i++)
        time_limit_aim(s.scene->recipe.frames[i]);
    if (!check_baselines(&s)) {
        s.status = "error";
    } else if (recipe_open_from_store(&s.stage, &s.scene->recipe, &w->store, &error) != MMD_OK) {
        problem_from(&s.why, &error);
    } else if (!provenance_files_read(&s.files, &s.stage.scene, &s.stage, false)) {
        problem_out_of_memory(&s.why);
    } else {
        key = scene_key(&s);
        if (strcmp(key.text, done_key) == 0) {
            fputs("S\n", w->out);
            fflush(w->out);
            goto done;
        }
        draw_frames(&s);
    }
    warn_of_hashes(&s, &s.missing, "missing");
    warn_of_hashes(&s, &s.damaged, "damaged");
    /* In a strict suite, warnings count as failures. */
    if (w->run->suite->strict && json_array_size(s.warnings) && strcmp(s.status, "error") != 0)
        s.status = "fail";
    json_t *result = scene_result(&s, index, &key);
    if (w->run->options->times)
        json_object_set_new(result, "seconds", json_real(clock_seconds() - began));
    reply(w, 'R', result);
    json_decref(result);
done:
    time_limit_stop();
    mmd_image_finish(&s.panes.strip);
    provenance_files_finish(&s.files);
    recipe_close(&s.stage);
    json_decref(s.warnings);
    json_decref(s.frames);
}

/* --- Later rounds of --repeat --- */

/* Returns the frames of a scene in the first round. NULL: it could not be drawn, or not in time. */
static const json_t *first_frames(const check_run *run, size_t index)
{
    size_t low = 0, high = run->chosen_count;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        *(run->chosen[middle] <= index ? &low : &high) = middle;
    }
    const json_t *scene = json_array_get(run->first, low);
    const json_t *frames = json_object_get(scene, "frames");
    return json_array_size(frames) == 0 || strcmp(check_text(scene, "status"), "error") == 0 ? NULL : frames;
}

/* Draws a frame again, and adds it to those of the scene if a stage differs from the first round. */
static bool draw_frame_again(scene_work *s, const json_t *first, mmd_image *image)
{
    const double number = json_number_value(json_object_get(first, "frame"));
    const json_t *before = json_object_get(first, "pipeline");
    char detail[512] = "";
    mmd_error error = {0};
    session_go(&s->stage.session, number);
    if (mmd_view_picture(s->worker->view, s->stage.scene.stage, &s->stage.session.view, s->stage.size.width,
                         s->stage.size.height, image, &error) != MMD_OK)
        return problem_from(&s->why, &error);
    json_t *now = before ? hash_pipeline(s, image) : NULL;
    if (!now)
        return s->why.code == EXIT_DONE;
    const char *stage = pipeline_hashes_first(before, now, &s->stage, detail, sizeof detail);
    if (*stage)
        json_array_append_new(s->frames, json_pack("{sf ss so}", "frame", number, "stage", stage, "detail",
                                                   clean_text(detail)));
    json_decref(now);
    return true;
}

/* Draws a scene again and compares its stages with those of the first round. Reads and writes neither
 * baselines nor the report. Writes the reply. */
static void draw_scene_again(worker *w, size_t index)
{
    scene_work s = {.worker = w, .scene = &w->run->suite->scenes[index], .frames = json_array()};
    const json_t *first = first_frames(w->run, index);
    mmd_error error = {0};
    mmd_image image = {0};
    start_clock(w, w->run->options->common->time_limit);
    for (size_t i = 0; i < s.scene->recipe.frame_count; i++)
        time_limit_aim(s.scene->recipe.frames[i]);
    bool ok = !first || (recipe_open_from_store(&s.stage, &s.scene->recipe, &w->store, &error) == MMD_OK &&
                         recipe_show(&s.stage, &error) == MMD_OK);
    if (!ok)
        problem_from(&s.why, &error);
    for (size_t i = 0; ok && i < json_array_size(first); i++) {
        ok = draw_frame_again(&s, json_array_get(first, i), &image);
        fputs("P\n", w->out);
        fflush(w->out);
    }
    json_t *result = json_pack("{sI ss ss sO}", "index", (json_int_t)index, "name", s.scene->name, "status",
                               ok ? "pass" : "error", "frames", s.frames);
    if (!ok)
        json_object_set_new(result, "message", clean_text(s.why.text));
    reply(w, 'R', result);
    json_decref(result);
    time_limit_stop();
    mmd_image_finish(&image);
    if (first)
        recipe_close(&s.stage);
    json_decref(s.frames);
}

/* Returns whether the search found an item to change. */
static bool has_item(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_object_get(json_array_get(list, i), "item"))
            return true;
    return false;
}

/* Searches how small changes a scene notices. Writes the reply. */
static void try_scene(worker *w, size_t index)
{
    const suite_scene *scene = &w->run->suite->scenes[index];
    problem why = {0};
    bool noticed;
    const double began = clock_seconds();
    start_clock(w, w->run->options->common->time_limit);
    json_t *list = check_sensitivity(scene, w->view, &w->store, &w->judge, &noticed, &why);
    time_limit_stop();
    const char *status = why.code != EXIT_DONE ? "error" : noticed ? "pass" : "fail";
    json_t *result = json_pack("{sI ss ss ss s[] so}", "index", (json_int_t)index, "name", scene->name,
                               "folder", scene->folder, "status", status, "frames", "sensitivity", list);
    if (why.code != EXIT_DONE) {
        json_object_set_new(result, "code", json_integer(why.code));
        json_object_set_new(result, "message", clean_text(why.text));
    } else if (!noticed) {
        json_object_set_new(result, "message",
                            json_string(has_item(list)
                                            ? "it notices nothing"
                                            : "it shows nothing that can be changed (not models of "
                                              "projects, nor glTF models with physics)"));
    }
    if (w->run->options->times)
        json_object_set_new(result, "seconds", json_real(clock_seconds() - began));
    reply(w, 'R', result);
    json_decref(result);
}

bool check_open_view(const common_options *common, const mmd_log *log, mmd_gpu **gpu, mmd_view **view,
                     problem *why)
{
    mmd_error error = {0};
    if (screen_create_gpu(common->gpu, log, gpu, &error) != MMD_OK ||
        mmd_view_create(*gpu, log, view, &error) != MMD_OK) {
        char sentence[PROBLEM_MAX];
        mmd_error_sentence(&error, sentence, sizeof sentence);
        return problem_set(why, EXIT_FACILITY, "%s", sentence);
    }
    return true;
}

/* Keeps warnings of opening OpenGL, which are the same in all workers, and prints other messages. */
static void write_message(void *user, mmd_log_level level, const char *text)
{
    worker *w = user;
    if (w->warnings && level == MMD_LOG_WARNING)
        json_array_append_new(w->warnings, clean_text(text));
    else
        stderr_log(level).write(NULL, level, text);
}

void check_worker(const check_run *run, FILE *in, FILE *out, int late)
{
    static const judge_texts texts = {"the baseline", "the picture", "it is not equal to its baseline"};
    worker w = {.run = run, .out = out, .late = late, .warnings = json_array()};
    const mmd_log log = {.write = write_message, .user = &w, .level = run->options->common->log_level};
    problem why = {0};
    char line[64], key[40];
    size_t index;
    json_t *hello;
    if (run->options->common->time_limit > 0)
        start_clock(&w, mmd_max(run->options->common->time_limit, OPENING_SECONDS));
    bool ok = check_open_view(run->options->common, &log, &w.gpu, &w.view, &why) &&
              judge_init(&w.judge, &texts, &why);
    store_init(&w.store, w.view, &log);
    if (ok) {
        const mmd_gpu_info *info = mmd_gpu_get_info(w.gpu);
        driver_name(info, w.driver, sizeof w.driver);
        hello =
            json_pack("{ss ss ss}", "driver", w.driver, "renderer", info->renderer, "version", info->version);
    } else {
        hello = json_pack("{si ss}", "code", why.code, "message", why.text);
    }
    time_limit_stop();
    json_object_set_new(hello, "warnings", w.warnings);
    w.warnings = NULL;
    reply(&w, 'H', hello);
    json_decref(hello);
    while (ok && fgets(line, sizeof line, in)) {
        if (sscanf(line, "%zu %39s", &index, key) != 2 || index >= run->suite->count)
            continue;
        if (run->options->sensitivity)
            try_scene(&w, index);
        else if (run->round > 1)
            draw_scene_again(&w, index);
        else
            draw_scene(&w, index, key);
    }
    provenance_memory_finish(&w.memory);
    store_finish(&w.store);
    judge_finish(&w.judge);
    mmd_view_destroy(w.view);
    mmd_gpu_destroy(w.gpu);
}
