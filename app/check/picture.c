/* check picture.png: what a picture says of itself is drawn again and held against it. */
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "internal.h"
#include "mmd/memory.h"
#include "mmd/source.h"
#include "base/output.h"
#include "files/png_text.h"
#include "recipe/provenance.h"
#include "recipe/provenance_compare.h"
#include "recipe/render_quality.h"

typedef struct redrawer {
    const check_options *options;
    mmd_gpu *gpu;
    mmd_view *view;
    plan_store store;
    judge judge;
} redrawer;

/* One picture at work. */
typedef struct redrawing {
    const char *path;
    mmd_image was, now;
    char *text, *origin; /* of its chunk, and of what is drawn now */
    plan plan;
    plan_stage stage;
    mmd_arena arena;
} redrawing;

static bool read_origin(const redrawer *r, redrawing *p, problem *why)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    const provenance_places places = {p->path, &r->options->folders};
    bool ok = mmd_file_read(p->path, &bytes, &error) == MMD_OK &&
              mmd_image_decode(bytes.data, bytes.size, p->path, &p->was, &error) == MMD_OK;
    mmd_error_set_file(&error, p->path);
    p->text = ok ? png_text_read(bytes.data, bytes.size, PROVENANCE_KEY) : NULL;
    mmd_bytes_finish(&bytes);
    if (!ok)
        return problem_from(why, &error);
    if (!p->text)
        return problem_set(why, EXIT_INPUT, "%s: does not say how it was made (no %s chunk)", p->path,
                           PROVENANCE_KEY);
    return provenance_read(p->text, &places, &p->arena, &p->plan, why) &&
           (check_override(r->options, &p->plan, &p->arena) ||
            problem_out_of_memory(why));
}

static void tell_change(void *user, unsigned aspects, const char *sentence)
{
    (void)aspects;
    message("%s: %s", ((const redrawing *)user)->path, sentence);
}

/* Files, settings, whatever drew it: all that is not as the picture says. */
static bool tell_changes(const redrawer *r, redrawing *p, problem *why)
{
    const provenance_listener listener = {.tell = tell_change, .user = p};
    p->origin = provenance_of_plan(&p->stage, p->plan.frames[0], mmd_gpu_get_info(r->gpu));
    if (!p->origin)
        return problem_out_of_memory(why);
    provenance_compare(p->text, p->origin, &listener, NULL);
    return true;
}

/* As finely as it was. */
static bool draw_quality(redrawer *r, redrawing *p, problem *why)
{
    render_quality quality;
    render_canvas canvas = {0};
    odori_screen screen = {r->gpu, r->view};
    render_moment at = {.screen = &screen,
                        .session = &p->stage.session,
                        .width = p->plan.size.width,
                        .height = p->plan.size.height};
    if (!render_quality_read(p->text, &quality, &at.interval))
        return problem_set(why, EXIT_INPUT, "%s: its %s chunk has no valid quality", p->path, PROVENANCE_KEY);
    bool ok =
        render_quality_draw(&quality, &at, &canvas) == EXIT_DONE && render_canvas_image(&quality, &canvas);
    if (ok) {
        p->now = canvas.image;
        canvas.image = (mmd_image){0};
    } else {
        problem_set(why, EXIT_FACILITY, "%s: cannot be drawn", p->path);
    }
    render_canvas_finish(&canvas);
    return ok;
}

static bool draw_again(redrawer *r, redrawing *p, problem *why)
{
    if (!plan_stage_open(&r->store, &p->plan, &p->stage, why) || !plan_stage_show(&r->store, &p->stage, why))
        return false;
    plan_stage_go(&p->stage, p->plan.frames[0]);
    if (!tell_changes(r, p, why))
        return false;
    return draw_quality(r, p, why);
}

static bool write_again(const redrawer *r, redrawing *p, problem *why)
{
    mmd_buffer png = {0};
    mmd_error error = {0};
    if (!r->options->output)
        return true;
    const mmd_image_text text = {PROVENANCE_KEY, p->origin};
    const mmd_png_options options = {
        .alpha = p->stage.session.view.background[3] < 1.0f, .texts = &text, .text_count = 1};
    bool ok = mmd_png_write(&p->now, &options, &png, &error) == MMD_OK || problem_from(why, &error);
    if (ok && !output_write(r->options->output, png.data, png.size))
        ok = problem_set(why, EXIT_FACILITY, "%s: not written", r->options->output);
    mmd_buffer_finish(&png);
    return ok;
}

static void say(const redrawing *p, const judgement *j)
{
    printf("%s: %s", p->path, j->equal ? "equal" : j->passed ? "within the tolerance" : "different");
    if (*j->why)
        printf(": %s", j->why);
    if (j->compared)
        printf(" (%.4g %% of the pixels by more than %g levels, largest %u)", 100 * j->result.share_over,
               p->plan.tolerance.threshold, j->result.levels[MMD_COMPARE_CHANNELS].largest);
    putchar('\n');
}

static int check_one(redrawer *r, const char *path)
{
    redrawing p = {.path = path};
    judgement j = {0};
    problem why = {0};
    bool ok = read_origin(r, &p, &why);
    p.plan.tolerance = r->options->tolerance;
    ok = ok && draw_again(r, &p, &why) && write_again(r, &p, &why) &&
         judge_pictures(&r->judge, &p.was, &p.now, NULL, &p.plan, &j, &why);
    if (ok)
        say(&p, &j);
    else
        message("%s", why.text);
    plan_stage_close(&p.stage);
    mmd_image_finish(&p.was);
    mmd_image_finish(&p.now);
    mmd_arena_finish(&p.arena);
    mmd_free(p.text);
    free(p.origin);
    return !ok ? why.code : j.passed ? EXIT_DONE : EXIT_NO;
}

static int open_redrawer(redrawer *r)
{
    mmd_error error = {0};
    problem why = {0};
    mmd_log log = stderr_log(r->options->log_level);
    if (mmd_gpu_create_headless(&log, &r->gpu, &error) != MMD_OK ||
        mmd_view_create(r->gpu, &log, &r->view, &error) != MMD_OK) {
        report(&error);
        return EXIT_FACILITY;
    }
    plan_store_init(&r->store, r->view, &log);
    const judge_words words = {"the picture", "drawn again it has", ""};
    return judge_init(&r->judge, &words, &why) ? EXIT_DONE : why.code;
}

int check_pictures(const check_options *options)
{
    redrawer r = {.options = options};
    int result = open_redrawer(&r);
    for (size_t i = 0; r.judge.compare && i < options->files.count; i++) {
        int one = check_one(&r, options->files.items[i]);
        result = one > result ? one : result;
    }
    plan_store_finish(&r.store);
    judge_finish(&r.judge);
    mmd_view_destroy(r.view);
    mmd_gpu_destroy(r.gpu);
    return result;
}
