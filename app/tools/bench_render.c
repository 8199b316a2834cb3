/*
 * odori bench --render. The stages of a picture are measured one after the other, with a wait for OpenGL
 * after drawing. Then the same pictures are made as render makes them, with all stages at once on all
 * threads. PNG files are written to memory, and nothing is kept of the video.
 */
#include "bench_render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/emit.h"
#include "base/message.h"
#include "base/progress.h"
#include "base/system.h"
#include "base/time_limit.h"
#include "media/video.h"
#include "mmd/gpu_objects.h"
#include "mmd/memory.h"
#include "recipe/draw.h"
#include "recipe/picture_queue.h"
#include "recipe/provenance.h"

/* The stages, in their order. */
enum { EVALUATE, ORIGIN, DRAW, READ, COMPRESS, WRITE, STAGES };

static const struct {
    const char *key, *unit;
} stages[STAGES] = {
    {"evaluate_us", "us, poses, and physics that did not run ahead"},
    {"origin_us", "us, the text that says how the picture was made"},
    {"draw_us", "us, until the GPU has finished"},
    {"read_us", "us, moving the pixels to memory"},
    {"compress_us", "us, as PNG with --png-level 1"},
    {"write_us", "us, to a file in memory"},
};

/* Pictures that were made as render makes them. */
typedef struct bench_run {
    double picture_ms, cpu_ms; /* per picture; without the CPU time of ffmpeg */
    double allocations;        /* heap allocations per picture, by odori */
    size_t bytes;              /* of all files */
    bool known;
} bench_run;

/* What is measured. */
typedef struct render_bench {
    recipe_stage *stage;
    size_t frames;
    odori_screen screen;
    provenance_files files;
    draw_quality quality;
    FILE *file; /* in memory, for all pictures one after the other */
    mmd_image image;
    mmd_buffer png;
    double *times; /* frames of each stage */
    video_writer *video;
    bench_run *run;
} render_bench;

static char *origin_of(const render_bench *b)
{
    const provenance_shot origin = {.files = &b->files,
                                    .settings = &b->stage->recipe.settings,
                                    .session = &b->stage->session,
                                    .exec = "",
                                    .size = b->stage->size,
                                    .quality = &b->quality,
                                    .interval = 1,
                                    .gpu = mmd_gpu_get_info(b->screen.gpu),
                                    .textures = &b->screen.textures};
    return provenance_write(&origin);
}

/* Notes the time of a stage, and begins the next one. */
static void end_stage(render_bench *b, int stage, size_t i, double *start)
{
    double now = clock_seconds();
    b->times[(size_t)stage * b->frames + i] = 1e6 * (now - *start);
    *start = clock_seconds();
}

static bool write_png(render_bench *b, const mmd_buffer *png)
{
    rewind(b->file);
    return fwrite(png->data, 1, png->size, b->file) == png->size && fflush(b->file) == 0;
}

/* Measures the stages of a picture. Returns an exit code. */
static int measure_stages(render_bench *b, size_t i)
{
    mmd_error error = {0};
    odori_session *s = &b->stage->session;
    mmd_stage *stage = b->stage->scene.stage;
    const uint32_t width = b->stage->size.width, height = b->stage->size.height;
    double start = clock_seconds();
    session_go(s, (double)i);
    end_stage(b, EVALUATE, i, &start);
    char *text = origin_of(b);
    const mmd_image_text chunk = {PROVENANCE_KEY, text};
    end_stage(b, ORIGIN, i, &start);
    bool ok = mmd_view_picture_begin(b->screen.view, stage, &s->view, width, height, &error) == MMD_OK;
    mmd_gpu_finish(b->screen.gpu);
    end_stage(b, DRAW, i, &start);
    ok = ok && mmd_view_picture_take(b->screen.view, &b->image, &error) == MMD_OK;
    end_stage(b, READ, i, &start);
    b->png.size = 0;
    const draw_canvas canvas = {.image = b->image};
    ok = ok && draw_encode_png(&b->quality, &canvas, s->view.background[3] < 1.0f, &chunk, text ? 1 : 0,
                               &b->png, &error) == MMD_OK;
    end_stage(b, COMPRESS, i, &start);
    bool written = !ok || write_png(b, &b->png);
    end_stage(b, WRITE, i, &start);
    free(text);
    if (!written)
        message("a file in memory cannot be written");
    return ok ? written ? EXIT_DONE : EXIT_FACILITY : draw_failed(&error);
}

/* --- Pictures as render makes them --- */

static bool compress(void *user, queued_picture *p)
{
    const render_bench *b = user;
    return queued_picture_compress(p, &b->quality);
}

static int deliver_png(void *user, queued_picture *p)
{
    render_bench *b = user;
    if (p->failed)
        return draw_failed(&p->error);
    b->run->bytes += p->png.size;
    return write_png(b, &p->png) ? EXIT_DONE : EXIT_FACILITY;
}

static bool encode(void *user, queued_picture *p)
{
    const render_bench *b = user;
    return video_write(b->video, p->canvas.image.pixels) == EXIT_DONE;
}

static int deliver_to_video(void *user, queued_picture *p)
{
    (void)user;
    return p->failed ? EXIT_FACILITY : EXIT_DONE;
}

/* Draws all pictures through a queue. Returns an exit code. */
static int draw_all(render_bench *b, picture_queue *queue)
{
    int result = EXIT_DONE;
    odori_session *s = &b->stage->session;
    const draw_moment at = {&b->screen, s, 1, b->stage->size.width, b->stage->size.height};
    for (size_t i = 0; i < b->frames && result == EXIT_DONE; i++) {
        time_limit_check((double)i, (double)b->frames);
        session_go(s, (double)i);
        result = picture_queue_draw(queue, &at, "", b->video ? NULL : origin_of(b));
    }
    return result == EXIT_DONE ? picture_queue_drain(queue, &b->screen) : result;
}

/* Measures pictures that a queue takes. Returns an exit code. */
static int measure_run(render_bench *b, picture_queue_def def, bench_run *run)
{
    def.user = b;
    def.quality = &b->quality;
    def.size = b->stage->size;
    def.threads = b->stage->recipe.physics.options.threads;
    picture_queue *queue = picture_queue_create(&def);
    if (!queue) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    b->run = run;
    double start = clock_seconds(), cpu = bench_cpu_ms();
    uint64_t allocations = mmd_heap_allocations();
    int result = draw_all(b, queue);
    run->allocations = (double)(mmd_heap_allocations() - allocations) / (double)b->frames;
    picture_queue_destroy(queue);
    if (b->video) {
        result = video_write_end(b->video, result);
        b->video = NULL;
    }
    run->picture_ms = 1e3 * (clock_seconds() - start) / (double)b->frames;
    run->cpu_ms = (bench_cpu_ms() - cpu) / (double)b->frames;
    run->known = result == EXIT_DONE;
    return result;
}

/* Measures a video, if ffmpeg is installed. Returns an exit code. */
static int measure_video(render_bench *b, bench_run *run)
{
    video_kind kind = {.width = b->stage->size.width,
                       .height = b->stage->size.height,
                       .rate = 30,
                       .bits = 8,
                       .codec = video_codec_named("h264"),
                       .sound = {.path = ""}};
    if (video_codec_find_encoder(kind.codec, &kind.encoder) != EXIT_DONE)
        return EXIT_DONE; /* it has said so */
    int result = video_write_open(&b->video, NULL, &kind);
    if (result != EXIT_DONE) {
        result = video_write_end(b->video, result);
        b->video = NULL;
        return result;
    }
    return measure_run(b, (picture_queue_def){.work = encode, .deliver = deliver_to_video, .in_order = true},
                       run);
}

/* --- Results --- */

static void write_row(emitter *j, bool as_json, const char *key, double value, bool known, const char *unit)
{
    if (!as_json && known)
        printf("%-24s %10.*f %s\n", key, *unit ? 3 : 0, value, unit);
    else if (!as_json)
        printf("%-24s %10s\n", key, "-");
    else if (known)
        emit_member_real(j, key, value);
    else
        emit_key(j, key), emit_null(j);
}

static void write_results(render_bench *b, const bench_run *png, const bench_run *film, bool as_json)
{
    emitter j = {.out = stdout};
    double medians[STAGES];
    for (int k = 0; k < STAGES; k++)
        medians[k] = bench_median(b->times + (size_t)k * b->frames, b->frames);
    if (as_json)
        emit_open(&j, '{');
    for (int k = 0; k < STAGES; k++)
        write_row(&j, as_json, stages[k].key, medians[k], true, stages[k].unit);
    write_row(&j, as_json, "png_picture_ms", png->picture_ms, png->known, "ms, with all stages at once");
    write_row(&j, as_json, "png_cpu_ms", png->cpu_ms, png->known, "ms CPU time of all threads");
    write_row(&j, as_json, "png_per_second", 1e3 / png->picture_ms, png->known, "");
    write_row(&j, as_json, "png_bytes", (double)(png->bytes / b->frames), png->known, "");
    write_row(&j, as_json, "png_heap_allocs", png->allocations, png->known, "per picture, by odori");
    write_row(&j, as_json, "video_picture_ms", film->picture_ms, film->known,
              "ms, H.264 by ffmpeg until it ends");
    write_row(&j, as_json, "video_cpu_ms", film->cpu_ms, film->known,
              "ms CPU time of all threads, without ffmpeg");
    write_row(&j, as_json, "video_per_second", 1e3 / film->picture_ms, film->known, "");
    write_row(&j, as_json, "video_heap_allocs", film->allocations, film->known, "per picture, by odori");
    write_row(&j, as_json, "frames", (double)b->frames, true, "");
    write_row(&j, as_json, "width", b->stage->size.width, true, "");
    write_row(&j, as_json, "height", b->stage->size.height, true, "");
    write_row(&j, as_json, "threads", b->stage->recipe.physics.options.threads, true, "");
    const char *renderer = mmd_gpu_get_info(b->screen.gpu)->renderer;
    if (as_json) {
        emit_member_text(&j, "gl_renderer", renderer);
        emit_close(&j, '}');
        putchar('\n');
    } else {
        printf("%-24s %s\n", "gl_renderer", renderer);
    }
}

/* Measures everything with an open screen. Returns an exit code. */
static int measure_all(render_bench *b, bool as_json)
{
    bench_run png = {0}, film = {0};
    int result = EXIT_DONE;
    progress bar = progress_start(b->frames);
    for (size_t i = 0; i < b->frames && result == EXIT_DONE; i++) {
        time_limit_check((double)i, (double)b->frames);
        result = measure_stages(b, i);
        progress_show(&bar, i + 1);
    }
    progress_finish(&bar);
    if (result == EXIT_DONE)
        result = measure_run(b, (picture_queue_def){.work = compress, .deliver = deliver_png}, &png);
    if (result == EXIT_DONE)
        result = measure_video(b, &film);
    if (result == EXIT_DONE)
        write_results(b, &png, &film, as_json);
    return result;
}

int bench_render(recipe_stage *stage, const bench_render_options *options, const mmd_log *log)
{
    mmd_error error = {0};
    render_bench b = {.stage = stage, .frames = options->frames, .quality = draw_quality_default()};
    int result = EXIT_DONE;
    time_limit_aim((double)(b.frames - 1));
    b.times = mmd_alloc(STAGES * b.frames * sizeof *b.times);
    b.file = system_scratch_file();
    if (!screen_open_headless(&b.screen, &stage->scene, options->gpu, log, &error)) {
        result = draw_failed(&error);
    } else if (!b.times || !b.file || !provenance_files_read(&b.files, &stage->scene, NULL, false)) {
        message("out of memory");
        result = EXIT_FACILITY;
    } else {
        result = measure_all(&b, options->as_json);
    }
    screen_finish(&b.screen);
    provenance_files_finish(&b.files);
    mmd_image_finish(&b.image);
    mmd_buffer_finish(&b.png);
    mmd_free(b.times);
    if (b.file)
        fclose(b.file);
    return result;
}
