/*
 * odori render: draws many frames without a display, to PNG files with the same bytes as those of `shot`, or
 * to a video. While a picture is drawn, physics runs ahead and the pictures before are compressed on other
 * threads. This file has the command line, the list of pictures and the drawing of PNG files. video.c draws
 * videos, parts.c joins parts.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/output.h"
#include "base/parse.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "base/time_limit.h"
#include "command/commands.h"
#include "files/exr.h"
#include "files/png_text.h"
#include "mmd/memory.h"
#include "recipe/confine.h"
#include "recipe/draw.h"
#include "render.h"
#include "scene/crowd.h"
#include "tools/tools.h"

#define FRAME_MAX    4294967295.0
#define PICTURES_MAX 1e6
#define SHARDS_MAX   1000000
#define NEAR         1e-6  /* tolerance in pictures, since ranges are typed with few digits */
#define RUN_FRAMES   300.0 /* frames of a scene that only physics moves, without --frames */

/* --- Options of ranges and shards --- */

/* Reads up to three numbers that are separated by colons. Returns their number, or 0 when the text is
 * something else. */
static size_t split(const char *value, double numbers[3])
{
    size_t count = 0;
    for (const char *at = value;; at++) {
        char text[40];
        size_t length = strcspn(at, ":");
        if (count == 3 || length >= sizeof text)
            return 0;
        memcpy(text, at, length);
        text[length] = '\0';
        if (!parse_real(text, &numbers[count++]))
            return 0;
        at += length;
        if (!*at)
            return count;
    }
}

static bool set_frames(void *target, const char *value, option_error *error)
{
    render_range *r = target;
    double numbers[3] = {0, 0, 1};
    size_t count = split(value, numbers);
    if (count == 1)
        numbers[1] = numbers[0];
    if (count && numbers[0] >= 0 && numbers[1] < numbers[0])
        return option_fail(error, EXIT_USAGE,
                           "\"%.60s\" is not a range of frames: the first is greater than the last", value);
    if (!count || numbers[0] < 0 || numbers[1] > FRAME_MAX || numbers[2] <= 0)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a range of frames A:B or A:B:STEP", value);
    r->first = numbers[0];
    r->last = numbers[1];
    r->step = numbers[2];
    return r->given = true;
}

static bool set_rate(void *target, const char *value, option_error *error)
{
    double *rate = &((render_range *)target)->rate;
    return (parse_real(value, rate) && *rate >= 0.1 && *rate <= 10000) ||
           option_fail(error, EXIT_USAGE,
                       "\"%.60s\" is not a number of pictures per second from 0.1 to 10000", value);
}

static bool set_shard(void *target, const char *value, option_error *error)
{
    render_shard *s = target;
    char first[16];
    const char *slash = strchr(value, '/');
    size_t length = slash ? (size_t)(slash - value) : sizeof first;
    if (length < sizeof first) {
        memcpy(first, value, length);
        first[length] = '\0';
        if (parse_whole(slash + 1, 1, SHARDS_MAX, &s->of) && parse_whole(first, 1, s->of, &s->number))
            return true;
    }
    return option_fail(error, EXIT_USAGE, "\"%.40s\" is not a part I/N with I from 1 to N", value);
}

/* --- Lists of pictures --- */

/* Returns whether a number has no fraction. */
static bool is_whole_number(double x)
{
    return x >= floor(x) && x <= floor(x);
}

/* Returns the pictures of a range. count is 0 when present are none or too many. */
static picture_list picture_list_of(const render_range *r)
{
    picture_list list = {.first = r->first, .step = r->step, .rate = r->rate};
    double last = r->last;
    if (r->rate > 0) {
        list.first = ceil(r->first * r->rate / 30.0 - NEAR);
        last = floor(r->last * r->rate / 30.0 + NEAR);
    }
    double count = floor((last - list.first) / list.step + NEAR) + 1;
    list.numbered_by_frame = is_whole_number(list.first) && is_whole_number(list.step);
    list.count = count >= 1 && count <= PICTURES_MAX ? (size_t)count : 0;
    return list;
}

double picture_list_frame(const picture_list *list, size_t i)
{
    double at = list->first + (double)i * list->step;
    return list->rate > 0 ? at * 30.0 / list->rate : at;
}

unsigned long long picture_list_number(const picture_list *list, size_t i)
{
    return list->numbered_by_frame ? (unsigned long long)(list->first + (double)i * list->step) : i;
}

double picture_list_rate(const picture_list *list)
{
    return (list->rate > 0 ? list->rate : 30.0) / list->step;
}

double picture_list_interval(const picture_list *list)
{
    return list->rate > 0 ? list->step * 30.0 / list->rate : list->step;
}

/* Returns the range of pictures of a shard in *from and *to. */
static void cut_shard(const render_shard *shard, size_t count, size_t *from, size_t *to)
{
    *from = shard->of ? (size_t)(count * (shard->number - 1) / shard->of) : 0;
    *to = shard->of ? (size_t)(count * shard->number / shard->of) : count;
}

/* --- Names of files --- */

bool name_pattern_parse(const char *text, name_pattern *p)
{
    const char *percent = strchr(text, '%'), *at = percent ? percent + 1 : NULL;
    if (!percent || strchr(at, '%'))
        return false;
    *p = (name_pattern){.text = text, .before = (size_t)(percent - text), .zeros = *at == '0'};
    for (; *at >= '0' && *at <= '9' && p->width < 100; at++)
        p->width = 10 * p->width + (unsigned)(*at - '0');
    p->behind = (size_t)(at + 1 - text);
    return *at == 'd' && p->width <= 20;
}

void name_pattern_make(const name_pattern *p, unsigned long long number, char *name, size_t capacity)
{
    char digits[32];
    snprintf(digits, sizeof digits, p->zeros ? "%0*llu" : "%*llu", (int)p->width, number);
    snprintf(name, capacity, "%.*s%s%s", (int)p->before, p->text, digits, p->text + p->behind);
}

bool name_pattern_number(const name_pattern *p, const char *name, unsigned long long *number)
{
    char made[4096];
    const char *slash = strrchr(p->text, '/');
    size_t folder = slash ? (size_t)(slash + 1 - p->text) : 0;
    if (folder > p->before || strncmp(name, p->text + folder, p->before - folder) != 0)
        return false;
    const char *digits = name + (p->before - folder);
    digits += strspn(digits, " ");
    *number = 0;
    for (int i = 0; i < 18 && *digits >= '0' && *digits <= '9'; i++)
        *number = 10 * *number + (unsigned long long)(*digits++ - '0');
    name_pattern_make(p, *number, made, sizeof made);
    return strcmp(made + folder, name) == 0;
}

/* --- Options --- */

static bool set_size(void *target, const char *value, option_error *error)
{
    return recipe_set_size(&((render_options *)target)->recipe, value, error);
}

static bool set_output(void *target, const char *value, option_error *error)
{
    (void)error;
    ((render_options *)target)->output = value;
    return true;
}

static bool set_codec(void *target, const char *value, option_error *error)
{
    ((render_options *)target)->codec = value;
    return video_codec_named(value) ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is not a codec; odori render --codecs lists them",
                       value);
}

static bool set_codecs(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((render_options *)target)->codecs = true;
}

static bool set_resume(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((render_options *)target)->resume = true;
}

static bool set_join(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((render_options *)target)->join = true;
}

static bool set_planes(void *target, const char *value, option_error *error)
{
    return draw_set_planes(&((render_options *)target)->planes, value, error);
}

static const option range_table[] = {
    {0, "frames", "A:B[:STEP]",
     "frames to draw, both ends included, 30 per second (the whole motion, or 10 s of physics)", set_frames},
    {0, "fps", "N", "pictures per second; STEP then counts pictures instead of frames (30)", set_rate},
};

static const option render_table[] = {
    {0, "size", "WxH", "size in pixels, each from 1 to 16384 (1280x720)", set_size},
    {'o', NULL, "dir/%05d.png",
     "file names of the pictures; a name like out.mp4 writes a video with ffmpeg (required)", set_output},
    {0, "codec", "h264|vp9|prores|ffv1|mpeg4", "codec of a video (by the extension of its name)", set_codec},
    {0, "codecs", NULL, "lists the codecs, their file types, and whether they are installed", set_codecs},
    {0, "aov", "depth,normals,ids", "also writes these planes of each picture to dir/%05d.exr", set_planes},
    {0, "resume", NULL, "keeps existing pictures that were drawn with the same settings", set_resume},
    {0, "join", NULL, "joins the parts PART.mkv... to a video, or DIR... to one folder", set_join},
};

static const option shard_table[] = {
    {0, "shard", "I/N", "draws only the I-th of N parts; parts of a video are lossless: -o part.mkv",
     set_shard},
};

/* --- A picture --- */

char *render_origin(const render_job *job)
{
    const render_options *r = job->options;
    const provenance_shot origin = {.files = &job->files,
                                    .settings = &r->recipe.settings,
                                    .session = job->session,
                                    .start = picture_list_frame(&job->pictures, 0),
                                    .exec = job->exec,
                                    .size = job->stage->size,
                                    .quality = &r->quality,
                                    .interval = picture_list_interval(&job->pictures),
                                    .gpu = mmd_gpu_get_info(job->screen.gpu),
                                    .textures = &job->screen.textures};
    return provenance_write(&origin);
}

int render_begin_queue(render_job *job, picture_queue_def def)
{
    def.quality = &job->options->quality;
    def.size = job->stage->size;
    def.threads = job->options->recipe.physics.options.threads;
    job->queue = picture_queue_create(&def);
    if (job->queue)
        return EXIT_DONE;
    message("out of memory");
    return EXIT_FACILITY;
}

int render_draw_picture(render_job *job, const char *path, char *text)
{
    const draw_moment at = {.screen = &job->screen,
                            .session = job->session,
                            .interval = picture_list_interval(&job->pictures),
                            .width = job->stage->size.width,
                            .height = job->stage->size.height};
    return picture_queue_draw(job->queue, &at, path, text);
}

int render_end_queue(render_job *job, int result)
{
    if (!job->queue)
        return result;
    int drained = picture_queue_drain(job->queue, &job->screen);
    picture_queue_destroy(job->queue);
    job->queue = NULL;
    return result != EXIT_DONE ? result : drained;
}

void render_count(render_job *job)
{
    progress_show(&job->bar, ++job->done);
}

int render_make_folder(const char *path)
{
    char folder[4096];
    mmd_path_folder(path, folder, sizeof folder);
    return path_make_folder(folder) ? EXIT_DONE : EXIT_FACILITY;
}

/* --- PNG files --- */

/* Returns whether a PNG is complete: it ends with the chunk "IEND" and its checksum. */
static bool is_whole_png(const mmd_bytes *png)
{
    static const uint8_t end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
    return png->size > sizeof end && memcmp(png->data + png->size - sizeof end, end, sizeof end) == 0;
}

/* Returns whether a file is a complete picture with this provenance, so that it need not be drawn again. */
static bool is_drawn_already(const char *path, const char *origin)
{
    mmd_bytes png = {0};
    char *text = NULL;
    if (mmd_file_read(path, &png, NULL) == MMD_OK && png_is(png.data, png.size) && is_whole_png(&png))
        text = png_text_read(png.data, png.size, PROVENANCE_KEY);
    bool made = text && strcmp(text, origin) == 0;
    mmd_free(text);
    mmd_bytes_finish(&png);
    return made;
}

/* Compresses a picture (picture_queue_def.work). */
static bool compress(void *user, queued_picture *p)
{
    const render_job *job = user;
    return queued_picture_compress(p, &job->options->quality);
}

/* Writes the file of a picture (picture_queue_def.deliver). */
static int write_file(void *user, queued_picture *p)
{
    if (p->failed)
        return draw_failed(&p->error);
    if (!output_write(p->path, p->png.data, p->png.size))
        return EXIT_FACILITY;
    render_count(user);
    return EXIT_DONE;
}

/* Draws the i-th picture, unless --resume finds its file present, and its planes in any case. Returns an exit
 * code. */
static int draw_png(render_job *job, size_t i, const name_pattern *pattern, size_t *present)
{
    char path[4096];
    int result = EXIT_DONE;
    const render_options *r = job->options;
    session_go(job->session, picture_list_frame(&job->pictures, i));
    char *text = render_origin(job);
    name_pattern_make(pattern, picture_list_number(&job->pictures, i), path, sizeof path);
    if (r->planes) {
        const mmd_image_text chunk = {PROVENANCE_KEY, text};
        const screen_picture picture = {.width = job->stage->size.width,
                                        .height = job->stage->size.height,
                                        .path = path,
                                        .texts = &chunk,
                                        .text_count = text ? 1 : 0};
        result =
            draw_write_planes(&job->screen, &job->stage->scene, &job->session->view, &picture, r->planes);
    }
    if (result == EXIT_DONE && !(r->resume && text && is_drawn_already(path, text)))
        return render_draw_picture(job, path, text);
    free(text);
    if (result == EXIT_DONE) {
        ++*present;
        progress_skip(&job->bar, 1);
        render_count(job);
    }
    return result;
}

/* Draws all pictures of this part to PNG files. Returns an exit code. */
static int draw_pngs(render_job *job)
{
    name_pattern pattern;
    size_t present = 0;
    const picture_queue_def def = {.user = job, .work = compress, .deliver = write_file};
    name_pattern_parse(job->options->output, &pattern);
    int result = render_make_folder(job->options->output);
    if (result == EXIT_DONE)
        result = render_begin_queue(job, def);
    for (size_t i = job->from; i < job->to && result == EXIT_DONE; i++)
        result = draw_png(job, i, &pattern, &present);
    result = render_end_queue(job, result);
    progress_finish(&job->bar);
    if (present && result == EXIT_DONE)
        message("%zu of %zu pictures existed already and were kept", present, job->to - job->from);
    return result;
}

/* --- The scene --- */

/* Opens OpenGL and draws the pictures of this part. Returns an exit code. */
static int draw(render_job *job, const char *gpu, const mmd_log *log)
{
    mmd_error error = {0};
    int result = EXIT_DONE;
    if (!screen_open_headless(&job->screen, &job->stage->scene, gpu, log, &error)) {
        result = draw_failed(&error);
    } else if (!provenance_files_read(&job->files, &job->stage->scene, NULL, false)) {
        message("out of memory");
        result = EXIT_FACILITY;
    } else {
        job->bar = progress_start(job->to - job->from);
        result = job->options->video ? render_video(job) : draw_pngs(job);
    }
    provenance_files_finish(&job->files);
    screen_finish(&job->screen);
    return result;
}

/* Lists the pictures of this part, of --frames or of the whole motion. Returns an exit code. */
static int list_pictures(render_job *job)
{
    const render_options *r = job->options;
    const odori_scene *scene = &job->stage->scene;
    render_range range = r->range;
    if (!range.given)
        range.last = physics_runs_on(scene) ? RUN_FRAMES : mmd_stage_last_frame(scene->stage);
    job->pictures = picture_list_of(&range);
    if (!job->pictures.count) {
        if (range.given)
            message("--frames: the range contains no picture, or more than a million");
        else
            message("the motions end at frame %.0f, after more than a million pictures: choose fewer with "
                    "--frames A:B",
                    range.last);
        return EXIT_USAGE;
    }
    cut_shard(&r->shard, job->pictures.count, &job->from, &job->to);
    if (job->from < job->to)
        time_limit_aim(picture_list_frame(&job->pictures, job->to - 1));
    else
        message("--shard: this part is empty, because there are only %zu pictures", job->pictures.count);
    return EXIT_DONE;
}

/* Goes to the first frame of all parts and runs the commands present. Returns an exit code. */
static int begin(render_job *job, const common_options *common)
{
    mmd_buffer *commands = job->session->record;
    mmd_error error = {0};
    int result = recipe_begin(job->stage, picture_list_frame(&job->pictures, 0), &error) == MMD_OK
                     ? commands_begin(job->session, common)
                     : report(&error);
    mmd_write_u8(commands, '\0');
    if (result == EXIT_DONE && commands->failed) {
        message("out of memory");
        result = EXIT_FACILITY;
    }
    job->exec = (const char *)commands->data;
    return result;
}

/* Opens the scene, lists the pictures, runs the commands and draws. Returns an exit code. */
static int render(const render_options *r, const common_options *common)
{
    recipe_stage stage;
    mmd_buffer commands = {0};
    mmd_error error = {0};
    mmd_log log = stderr_log(common->log_level);
    const recipe_opening how = {
        .subcommand = "render", .needs = NEEDS_MODEL, .log = &log, .with_sound = true};
    int result = EXIT_DONE;
    if (recipe_open(&stage, &r->recipe, &how, &error) != MMD_OK ||
        physics_check_frame(&stage.scene, r->range.given ? r->range.last : 0, &error) != MMD_OK) {
        result = report(&error);
    } else {
        render_job job = {.options = r, .stage = &stage, .session = &stage.session};
        stage.session.record = &commands;
        stage.session.has_bar = true;
        result = list_pictures(&job);
        if (result == EXIT_DONE && job.from < job.to)
            result = begin(&job, common);
        if (result == EXIT_DONE && job.from < job.to)
            result = draw(&job, common->gpu, &log);
    }
    recipe_close(&stage);
    mmd_buffer_finish(&commands);
    return result;
}

/* --- The subcommand --- */

/* Checks the options of shards. Returns OPTIONS_PARSED, or an exit code after reporting an error. */
static int check_shard(const command_line *line, const render_options *r)
{
    if (r->shard.of && r->join)
        return options_usage(line, "--join and --shard cannot be combined: --join needs all parts");
    if (!r->shard.of || !r->video)
        return OPTIONS_PARSED;
    if (strcmp(video_container_of(r->output), "matroska") != 0)
        return options_usage(line,
                             "parts of a video are lossless and have to be Matroska files: -o part.mkv");
    if (r->codec && strcmp(r->codec, "ffv1") != 0)
        return options_usage(line, "parts of a video always have the codec ffv1: give --codec to --join");
    return OPTIONS_PARSED;
}

/* Checks the options together and chooses the codec. Returns OPTIONS_PARSED, or an exit code after reporting
 * an error. */
static int check_render(const command_line *line, render_options *r)
{
    name_pattern pattern;
    char planes[4096];
    if (!r->output)
        return options_usage(line, "no output was given: -o dir/%%05d.png");
    r->video = video_codec_of(r->output);
    if (!r->video && !name_pattern_parse(r->output, &pattern))
        return options_usage(line,
                             "-o: \"%.100s\" is neither a video (.mp4, .mkv, .webm, .mov, .avi) nor a name "
                             "with a number, like dir/%%05d.png",
                             r->output);
    if (r->codec && !r->video)
        return options_usage(line, "--codec needs a video as the output: -o out.mp4");
    if (r->planes && (r->video || r->join || !exr_path_beside(r->output, planes, sizeof planes) ||
                      !name_pattern_parse(planes, &pattern)))
        return options_usage(line,
                             "--aov writes EXR files beside PNG files that are drawn: -o dir/%%05d.png");
    if (r->range.rate > 0 && (r->range.step < 1 || r->range.step > (double)(long long)r->range.step))
        return options_usage(line, "with --fps the STEP of --frames has to be a whole number of pictures");
    if (r->quality.has_level && (r->video || r->join))
        return options_usage(line, "--png-level needs PNG files that are drawn: -o dir/%%05d.png");
    if (r->quality.has_shutter && r->quality.moments == 1)
        return options_usage(line, "--shutter needs --motion-blur");
    if (r->video && (r->codec || r->shard.of))
        r->video = video_codec_named(r->codec ? r->codec : "ffv1");
    return check_shard(line, r);
}

/* Checks codec and encoder before a model is loaded. Returns an exit code. */
static int check_video(render_options *r)
{
    if (!r->video)
        return EXIT_DONE;
    const view_options *view = &r->recipe.view;
    bool alpha = !r->join && view->background && view->view.background[3] < 1.0f;
    int result = video_codec_check(r->video, r->output, alpha, r->join ? 8 : r->quality.bits);
    return result == EXIT_DONE ? video_codec_find_encoder(r->video, &r->encoder) : result;
}

/* Reads the command line, and prints the codecs for --codecs. Returns OPTIONS_PARSED or an exit code. */
static int parse(const command_line *line, int argc, char **argv, render_options *r)
{
    int result = options_parse(line, argc, argv);
    if (result != OPTIONS_PARSED)
        return result;
    if (r->codecs)
        return video_codec_list();
    if (r->recipe.scene.files.count == 0)
        return options_usage(line, r->join ? "no parts were given" : "no model was given");
    return check_render(line, r);
}

/* Keeps the files that the command line names, and gives up all others. */
static void enter_sandbox(const render_options *r, common_options *common)
{
    char path[4096], planes[4096];
    name_pattern pattern;
    confine_begin(common, !r->join);
    confine_recipe(&r->recipe);
    confine_commands(common);
    if (r->video) {
        mmd_path_folder(r->output, path, sizeof path);
        sandbox_create_folder(path);
        sandbox_write(r->output);
    } else if (name_pattern_parse(r->output, &pattern)) {
        snprintf(path, sizeof path, "%.*s", (int)pattern.before, r->output);
        sandbox_write_numbered(path, r->output + pattern.behind);
        if (r->planes && exr_path_beside(r->output, planes, sizeof planes) &&
            name_pattern_parse(planes, &pattern))
            sandbox_write_numbered(path, planes + pattern.behind);
    }
    if (r->video && r->resume && snprintf(path, sizeof path, "%s.parts", r->output) < (int)sizeof path)
        sandbox_write_temporary(path);
    confine_enter(common);
}

/* Joins parts or draws, under the limits that the options set. Returns an exit code. */
static int run(render_options *r, common_options *common)
{
    start_time_limit(common);
    enter_sandbox(r, common);
    int result = check_video(r);
    if (result != EXIT_DONE)
        return result;
    if (r->join)
        return render_join(r, &r->recipe.scene.files);
    physics_take_threads(&r->recipe.physics, common);
    return render(r, common);
}

int render_main(int argc, char **argv)
{
    render_options r = {.range = {.step = 1}, .quality = draw_quality_default()};
    recipe *wanted = &r.recipe;
    common_options common = default_common_options();
    recipe_init(wanted, true);
    const option_group groups[] = {
        {"pictures", range_table, sizeof range_table / sizeof *range_table, &r.range},
        {"output", render_table, sizeof render_table / sizeof *render_table, &r},
        {"parts", shard_table, sizeof shard_table / sizeof *shard_table, &r.shard},
        group_of_quality(&r.quality),
        group_of_scene(&wanted->scene),
        group_of_crowd(&wanted->scene),
        group_of_sound(&wanted->sound),
        group_of_view(&wanted->view),
        group_of_physics(&wanted->physics),
        group_of_time(&common),
        group_of_gpu(&common),
        group_of_sandbox(&common),
        group_of_all(&common),
    };
    audio_files files = {&wanted->scene, &wanted->sound};
    const command_line line = {
        .name = "render",
        .usage = "MODEL...|PROJECT.pmm [SOUND] [options] --frames A:B[:STEP] [--fps N] -o dir/%05d.png",
        .summary =
            "Draws many frames to PNG files, with the same bytes as `shot` writes, or to a video. Needs no "
            "display.",
        .notes =
            "%05d is replaced by the number of the frame, or with --fps by the number of the picture, "
            "counted "
            "from\ntime 0. When frame numbers are not whole, pictures are numbered from 0. Missing folders "
            "are "
            "created.\n"
            "--background transparent writes RGBA, and videos with transparency if the codec supports it "
            "(--codecs).\n"
            "--resume of a video stores finished minutes in out.mp4.parts until the video is complete.\n"
            "Parts of --shard can be drawn on several machines. Joined, they equal the result of a single "
            "run:\n"
            "  odori render MODEL --frames 0:999 --shard 1/2 -o a.mkv     and 2/2 -o b.mkv elsewhere\n"
            "  odori render --join a.mkv b.mkv -o out.mp4                 or: --join DIR... -o dir/%05d.png\n"
            "--supersample and --motion-blur average gamma-encoded colours, as --msaa does.\n"
            "The sound of a video is --audio (or a SOUND given without an option), else that of the project, "
            "of "
            "the\nbundled dance, or the only sound in an archive or folder that was given.\n"
            "A scene that only the physics of a glTF or Ragdoll file moves is drawn for 10 s unless --frames "
            "is "
            "given.\n"
            "Commands of --exec run at the first frame. Physics starts at frame 0 and is simulated up to it, "
            "with\n"
            "the settings that the commands make. The picture of a time does not depend on --fps or on A.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = audio_files_add,
        .positional_target = &files,
    };
    int result = parse(&line, argc, argv, &r);
    if (result == OPTIONS_PARSED) {
        recipe_list_settings(argc, argv, &wanted->settings);
        result = run(&r, &common);
    }
    recipe_finish(wanted);
    common_options_finish(&common);
    return result;
}
