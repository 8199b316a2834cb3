/* check PICTURE.png: draws a picture again from the data stored in it, and compares the two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "mmd/memory.h"
#include "base/message.h"
#include "base/output.h"
#include "base/sandbox.h"
#include "base/time_limit.h"
#include "files/png_text.h"
#include "recipe/confine.h"
#include "recipe/provenance.h"
#include "recipe/provenance_compare.h"
#include "recipe/draw.h"
#include "mmd/text.h"
#include "worker_process.h"

typedef struct redrawer {
    const check_options *options;
    mmd_gpu *gpu;
    mmd_view *view;
    recipe_store store;
    judge judge;
} redrawer;

/* The picture that is being checked. */
typedef struct redrawing {
    const char *path;
    mmd_image was, now;
    char *text, *origin; /* the provenance in the file, and that of the new picture */
    suite_scene scene;
    recipe_stage stage;
    mmd_arena arena;
    bool has_changes; /* besides the driver */
} redrawing;

/* Reads the picture and the recipe in its chunk. */
static bool read_origin(const redrawer *r, redrawing *p, problem *why)
{
    mmd_error error = {0};
    const check_options *options = r->options;
    const provenance_search places = {p->path, &options->folders, options->max_models,
                                      options->texture_memory, false};
    if (mmd_image_read(p->path, &p->was, &error) != MMD_OK)
        return problem_from(why, &error);
    p->text = png_text_of_file(p->path, PROVENANCE_KEY);
    if (!p->text)
        return problem_set(why, EXIT_INPUT,
                           "%s: the picture cannot be drawn again, because it has no %s chunk", p->path,
                           PROVENANCE_KEY);
    if (provenance_read(p->text, &places, &p->arena, &p->scene.recipe, &error) != MMD_OK)
        return problem_from(why, &error);
    p->scene.tolerance = r->options->tolerance;
    p->scene.other_driver = other_driver_default();
    return check_override(r->options, &p->scene.recipe, &p->arena) || problem_out_of_memory(why);
}

/* Prints a change since the picture was drawn (provenance_listener.tell). */
static void print_change(void *user, unsigned aspects, const char *sentence)
{
    redrawing *p = user;
    (void)aspects;
    p->has_changes = p->has_changes || strncmp(sentence, "gl.", strlen("gl.")) != 0;
    message("%s: %s", p->path, sentence);
}

/* Opens the scene of the picture, reports files, settings and drivers that have changed since it was drawn,
 * and draws the scene with the quality of the picture. */
static bool draw_again(redrawer *r, redrawing *p, problem *why)
{
    const provenance_listener listener = {.tell = print_change, .user = p};
    draw_quality quality;
    draw_canvas canvas = {0};
    odori_screen screen = {.gpu = r->gpu, .view = r->view};
    draw_moment at = {.screen = &screen,
                      .session = &p->stage.session,
                      .width = p->scene.recipe.size.width,
                      .height = p->scene.recipe.size.height};
    provenance_files files = {0};
    mmd_error error = {0};
    if (recipe_open_from_store(&p->stage, &p->scene.recipe, &r->store, &error) != MMD_OK ||
        recipe_show(&p->stage, &error) != MMD_OK)
        return problem_from(why, &error);
    session_go(&p->stage.session, p->scene.recipe.frames[0]);
    if (provenance_files_read(&files, &p->stage.scene, &p->stage, false))
        p->origin = provenance_of_stage(&p->stage, &files, mmd_gpu_get_info(r->gpu));
    provenance_files_finish(&files);
    if (!p->origin)
        return problem_out_of_memory(why);
    provenance_compare(p->text, p->origin, &listener, NULL);

    if (!draw_quality_read(p->text, &quality, &at.interval))
        return problem_set(why, EXIT_INPUT, "%s: the quality in its %s chunk is not valid", p->path,
                           PROVENANCE_KEY);
    bool ok = draw_picture(&quality, &at, &canvas, &error) && draw_canvas_image(&quality, &canvas);
    if (ok) {
        p->now = canvas.image;
        canvas.image = (mmd_image){0};
    } else {
        problem_set(why, EXIT_FACILITY, "%s: cannot be drawn", p->path);
    }
    draw_canvas_finish(&canvas);
    return ok;
}

/* Writes the new picture when -o is given. */
static bool write_again(const redrawer *r, redrawing *p, problem *why)
{
    mmd_buffer png = {0};
    mmd_error error = {0};
    if (!r->options->output)
        return true;
    const mmd_image_text text = {PROVENANCE_KEY, p->origin};
    const mmd_png_options options = {.alpha = p->stage.session.view.background[3] < 1.0f,
                                     .level = MMD_PNG_FAST,
                                     .texts = &text,
                                     .text_count = 1};
    bool ok = mmd_png_write(&p->now, &options, &png, &error) == MMD_OK || problem_from(why, &error);
    if (ok && !output_write(r->options->output, png.data, png.size))
        ok = problem_set(why, EXIT_FACILITY, "%s: the picture was not written", r->options->output);
    mmd_buffer_finish(&png);
    return ok;
}

/* Returns whether another OpenGL driver drew the picture, of the same files with the same settings. */
static bool is_of_other(const redrawing *p)
{
    json_t *was = json_loads(p->text, 0, NULL), *now = json_loads(p->origin, 0, NULL);
    const bool other =
        !p->has_changes && json_equal(json_object_get(was, "gl"), json_object_get(now, "gl")) == 0;
    json_decref(was);
    json_decref(now);
    return other;
}

/* Prints the result of a picture. */
static void print_judgement(const redrawing *p, const judgement *j, bool other)
{
    char name[MMD_FILE_PATH_MAX];
    mmd_text_clean(p->path, true, name, sizeof name);
    printf("%s: %s%s", name, other && !j->equal ? "same scene, other rasteriser: " : "",
           j->equal    ? "equal"
           : j->passed ? "within the tolerance"
                       : "different");
    if (*j->why)
        printf(": %s", j->why);
    if (j->compared)
        printf(" (%.4g %% of the pixels by more than %g levels, largest %u)", 100 * j->result.share_over,
               j->threshold, j->result.levels[MMD_COMPARE_CHANNELS].largest);
    putchar('\n');
}

/* Checks a picture and prints the result. Returns an exit code. */
static int check_one(redrawer *r, const char *path)
{
    redrawing p = {.path = path};
    judgement j = {0};
    problem why = {0};
    bool ok = read_origin(r, &p, &why) && draw_again(r, &p, &why) && write_again(r, &p, &why);
    const bool other = ok && !mmd_limits_any(&r->options->tolerance.limits) && is_of_other(&p);
    ok = ok && judge_drawn(&r->judge,
                           &(judge_frame_input){.view = r->view,
                                                .stage = &p.stage,
                                                .scene = &p.scene,
                                                .baseline = &p.was,
                                                .drawn = &p.now,
                                                .other = other},
                           &j, &why);
    if (ok)
        print_judgement(&p, &j, other);
    else
        problem_report(&why);
    recipe_close(&p.stage);
    mmd_image_finish(&p.was);
    mmd_image_finish(&p.now);
    mmd_arena_finish(&p.arena);
    mmd_free(p.text);
    free(p.origin);
    return !ok ? why.code : j.passed ? EXIT_DONE : EXIT_NO;
}

/* Checks some of the pictures. Returns the highest exit code. */
static int check_range(const check_options *options, size_t from, size_t to)
{
    static const judge_texts texts = {"the picture", "drawn again it has", ""};
    redrawer r = {.options = options};
    const mmd_log log = stderr_log(options->common->log_level);
    problem why = {0};
    int result = EXIT_DONE;
    if (!check_open_view(options->common, &log, &r.gpu, &r.view, &why) || !judge_init(&r.judge, &texts, &why))
        result = problem_report(&why);
    store_init(&r.store, r.view, &log);
    for (size_t i = from; r.judge.compare && i < to; i++) {
        int one = check_one(&r, options->files.items[i]);
        result = one > result ? one : result;
    }
    store_finish(&r.store);
    judge_finish(&r.judge);
    mmd_view_destroy(r.view);
    mmd_gpu_destroy(r.gpu);
    return result;
}

/* Checks a picture within the time limit, which may end this process. */
static int check_limited(const check_options *options, size_t i)
{
    time_limit_start(&(time_limit){
        .seconds = options->common->time_limit, .code = EXIT_NO, .about = options->files.items[i]});
    return check_range(options, i, i + 1);
}

/* Checks a picture in a process of its own, which the time limit may end. Returns its exit code. */
static int check_apart(const check_options *options, size_t i)
{
    const int code = worker_process_apart(check_limited, options, i);
    if (code >= 0)
        return code;
    message("%s: the drawing process ended before it was done", options->files.items[i]);
    return EXIT_FACILITY;
}

/* Keeps the files that the pictures and the command line name, and gives up all others. */
static void enter_sandbox(const check_options *options)
{
    confine_begin(options->common, true);
    for (size_t i = 0; i < options->files.count; i++) {
        sandbox_read(options->files.items[i]);
        confine_picture(options->files.items[i], &options->folders);
    }
    if (options->output)
        sandbox_write(options->output);
    confine_enter(options->common);
}

int check_pictures(const check_options *options)
{
    int result = EXIT_DONE;
    enter_sandbox(options);
    if (!(options->common->time_limit > 0))
        return check_range(options, 0, options->files.count);
    for (size_t i = 0; i < options->files.count; i++) {
        int one = check_apart(options, i);
        result = one > result ? one : result;
    }
    return result;
}
