/*
 * odori render: many frames, without a display, as PNG files that have the same
 * bytes as those of `shot`, or as a video. Physics runs ahead on a thread of
 * its own while a picture is drawn.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "audio.h"
#include "check.h"
#include "commands.h"
#include "home_view.h"
#include "parse.h"
#include "progress.h"
#include "provenance.h"
#include "screen.h"
#include "setup.h"
#include "video_write.h"

#define FRAME_MAX    4294967295.0
#define PICTURES_MAX 1e6
#define RUN_FRAMES   300.0 /* of a scene that only physics moves, where nobody says how long */
#define NEAR         1e-6  /* of a picture: ranges are typed with few digits */

typedef struct render_options {
    double first, last, step; /* frames; of --fps, step counts pictures */
    bool has_frames;
    double rate; /* pictures a second; 0: not given */
    picture_size size;
    bool has_size;
    const char *output;
    audio_options sound;
    char sound_path[PATH_MAX]; /* "": none */
    int argc;                  /* as given: pictures tell how they were made */
    char **argv;
} render_options;

/* --- Options --- */

static bool set_frames(void *target, const char *value, option_error *error)
{
    render_options *r = target;
    char text[3][40];
    double numbers[3] = {0, 0, 1};
    size_t count = 0;
    bool fits = true;
    for (const char *at = value; fits; at++) {
        size_t length = strcspn(at, ":");
        fits = count < 3 && length < sizeof *text;
        if (fits) {
            memcpy(text[count], at, length);
            text[count][length] = '\0';
            fits = parse_real(text[count], &numbers[count]);
            count++;
        }
        at += length;
        if (!*at)
            break;
    }
    if (count == 1)
        numbers[1] = numbers[0];
    if (!fits || numbers[0] < 0 || numbers[1] < numbers[0] || numbers[1] > FRAME_MAX || numbers[2] <= 0)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a range of frames A:B or A:B:STEP", value);
    r->first = numbers[0];
    r->last = numbers[1];
    r->step = numbers[2];
    return r->has_frames = true;
}

static bool set_rate(void *target, const char *value, option_error *error)
{
    double *rate = &((render_options *)target)->rate;
    return (parse_real(value, rate) && *rate >= 0.1 && *rate <= 10000) ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of pictures a second from 0.1 to 10000",
                       value);
}

static bool set_size(void *target, const char *value, option_error *error)
{
    ((render_options *)target)->has_size = true;
    return set_picture_size(&((render_options *)target)->size, value, error);
}

static bool set_output(void *target, const char *value, option_error *error)
{
    (void)error;
    ((render_options *)target)->output = value;
    return true;
}

static const option render_table[] = {
    {0, "frames", "A:B[:STEP]",
     "which, both ends included, 30 a second (all of the motion, or 10 s of physics alone)", set_frames},
    {0, "fps", "N", "draws the times n/N s between A and B; STEP counts pictures then (30)", set_rate},
    {0, "size", "WxH", "pixels, each from 1 to 16384 (1280x720)", set_size},
    {'o', NULL, "dir/%05d.png", "where to; a name like out.mp4 makes a video with ffmpeg (required)",
     set_output},
};

/* --- Which pictures --- */

typedef struct picture_list {
    double first, step; /* frames; where rate is given, numbers of pictures */
    double rate;        /* 0: not given */
    size_t count;
    bool numbered_by_frame; /* else each by its place in the list */
} picture_list;

static bool is_whole(double x)
{
    return x >= floor(x) && x <= floor(x);
}

/* The list of a range, or none (count 0) where there would be too many, or none. */
static picture_list list_pictures(const render_options *r)
{
    picture_list list = {.first = r->first, .step = r->step, .rate = r->rate};
    double last = r->last;
    if (r->rate > 0) {
        list.first = ceil(r->first * r->rate / 30.0 - NEAR);
        last = floor(r->last * r->rate / 30.0 + NEAR);
    }
    double count = floor((last - list.first) / list.step + NEAR) + 1;
    list.numbered_by_frame = is_whole(list.first) && is_whole(list.step);
    list.count = count >= 1 && count <= PICTURES_MAX ? (size_t)count : 0;
    return list;
}

static double frame_of(const picture_list *list, size_t i)
{
    double at = list->first + (double)i * list->step;
    return list->rate > 0 ? at * 30.0 / list->rate : at;
}

static unsigned long long number_of(const picture_list *list, size_t i)
{
    return list->numbered_by_frame ? (unsigned long long)(list->first + (double)i * list->step) : i;
}

/* Pictures a second of a video. */
static double rate_of(const picture_list *list)
{
    return (list->rate > 0 ? list->rate : 30.0) / list->step;
}

/* --- Names --- */

/* "dir/%05d.png": its one place for a number. */
typedef struct name_pattern {
    size_t before, behind; /* characters before the %, and from where it goes on */
    unsigned width;
    bool zeros;
} name_pattern;

static bool parse_pattern(const char *text, name_pattern *p)
{
    const char *percent = strchr(text, '%'), *at = percent ? percent + 1 : NULL;
    if (!percent || strchr(at, '%'))
        return false;
    *p = (name_pattern){.before = (size_t)(percent - text), .zeros = *at == '0'};
    for (; *at >= '0' && *at <= '9' && p->width < 100; at++)
        p->width = 10 * p->width + (unsigned)(*at - '0');
    p->behind = (size_t)(at + 1 - text);
    return *at == 'd' && p->width <= 20;
}

static void make_name(const char *text, const name_pattern *p, unsigned long long number, char *name,
                      size_t capacity)
{
    char digits[32];
    snprintf(digits, sizeof digits, p->zeros ? "%0*llu" : "%*llu", (int)p->width, number);
    snprintf(name, capacity, "%.*s%s%s", (int)p->before, text, digits, text + p->behind);
}

/* --- Drawing --- */

typedef struct render_job {
    const render_options *options;
    const scene_options *wanted;
    odori_session *session;
    picture_list pictures;
    odori_screen screen;
    provenance_files files;
    plan_settings settings;
    const char *exec;
    mmd_image image;
    progress bar;
} render_job;

static int draw_png(render_job *job, size_t i, const name_pattern *pattern)
{
    char path[4096];
    const render_options *r = job->options;
    const provenance_shot origin = {.files = &job->files,
                                    .settings = &job->settings,
                                    .wanted = job->wanted,
                                    .session = job->session,
                                    .start = frame_of(&job->pictures, 0),
                                    .exec = job->exec,
                                    .size = r->size,
                                    .gpu = mmd_gpu_get_info(job->screen.gpu)};
    char *text = provenance_of_shot(&origin);
    const mmd_image_text chunk = {PROVENANCE_KEY, text};
    make_name(r->output, pattern, number_of(&job->pictures, i), path, sizeof path);
    const screen_picture picture = {.width = r->size.width,
                                    .height = r->size.height,
                                    .path = path,
                                    .texts = &chunk,
                                    .text_count = text ? 1 : 0};
    int result =
        screen_write_png(&job->screen, job->session->scene, &job->session->view, &picture, &job->image);
    free(text);
    return result;
}

static int make_folder_of(const char *output)
{
    char folder[4096];
    mmd_path_folder(output, folder, sizeof folder);
    if (check_make_folder(folder))
        return EXIT_DONE;
    return EXIT_FACILITY;
}

static int draw_pngs(render_job *job)
{
    name_pattern pattern;
    parse_pattern(job->options->output, &pattern);
    int result = make_folder_of(job->options->output);
    if (result == EXIT_DONE && !provenance_files_read(&job->files, job->session->scene)) {
        message("out of memory");
        result = EXIT_FACILITY;
    }
    for (size_t i = 0; i < job->pictures.count && result == EXIT_DONE; i++) {
        session_go(job->session, frame_of(&job->pictures, i));
        result = draw_png(job, i, &pattern);
        progress_show(&job->bar, i + 1);
    }
    return result;
}

static int draw_video(render_job *job)
{
    video_writer writer;
    mmd_error error = {0};
    const picture_size size = job->options->size;
    double rate = rate_of(&job->pictures);
    const video_kind kind = {.width = size.width,
                             .height = size.height,
                             .rate = rate,
                             .sound = {.path = job->options->sound_path,
                                       .offset = job->options->sound.offset,
                                       .start = frame_of(&job->pictures, 0) / 30.0,
                                       .length = (double)job->pictures.count / rate}};
    int result = video_write_open(&writer, job->options->output, &kind);
    for (size_t i = 0; i < job->pictures.count && result == EXIT_DONE; i++) {
        session_go(job->session, frame_of(&job->pictures, i));
        if (mmd_view_picture(job->screen.view, job->session->scene->stage, &job->session->view, size.width,
                             size.height, &job->image, &error) != MMD_OK) {
            report(&error);
            result = EXIT_FACILITY;
        } else {
            result = video_write(&writer, &job->image);
        }
        progress_show(&job->bar, i + 1);
    }
    int finished = video_write_finish(&writer);
    if (finished != EXIT_DONE || result != EXIT_DONE)
        remove(job->options->output);
    return result != EXIT_DONE ? result : finished;
}

static int draw(render_job *job, const mmd_log *log)
{
    int result = screen_open_headless(&job->screen, job->session->scene, log);
    if (result == EXIT_DONE) {
        job->bar = progress_start(job->pictures.count);
        result = video_is_name(job->options->output) ? draw_video(job) : draw_pngs(job);
        progress_finish(&job->bar);
    }
    provenance_files_finish(&job->files);
    mmd_image_finish(&job->image);
    screen_finish(&job->screen);
    return result;
}

/* What was not asked for is a project's, and the motion's. */
static void take_settings(render_options *r, const odori_scene *scene)
{
    if (scene->settings.given && !r->has_size)
        r->size = (picture_size){scene->settings.width, scene->settings.height};
    if (!r->has_frames)
        r->last = physics_runs_on(scene) ? RUN_FRAMES : mmd_stage_last_frame(scene->stage);
}

static int render_session(render_options *r, const scene_options *wanted, odori_session *session,
                          const common_options *common, const mmd_log *log)
{
    render_job job = {.options = r, .wanted = wanted, .session = session, .pictures = list_pictures(r)};
    if (!job.pictures.count) {
        message("--frames: no picture lies in this range, or more than a million do");
        return EXIT_USAGE;
    }
    plan_settings_given(r->argc, r->argv, &job.settings);
    session_go(session, frame_of(&job.pictures, 0));
    int result = commands_execute(session, &common->exec);
    mmd_write_u8(session->record, '\0');
    if (result == EXIT_DONE && session->record->failed) {
        message("out of memory");
        result = EXIT_FACILITY;
    }
    job.exec = (const char *)session->record->data;
    return result == EXIT_DONE ? draw(&job, log) : result;
}

static int render(render_options *r, const scene_options *wanted, const view_options *view,
                  const physics_settings *physics, const common_options *common)
{
    odori_scene scene;
    odori_session session;
    mmd_buffer commands = {0};
    mmd_log log = stderr_log(common->log_level);
    int result = scene_load_with_model(&scene, wanted, "render", &log);
    if (result == EXIT_DONE)
        result = physics_start(&scene, physics, &log);
    if (result == EXIT_DONE) {
        take_settings(r, &scene);
        result = physics_check_frame(&scene, r->has_frames ? r->last : 0);
    }
    if (result == EXIT_DONE) {
        result = audio_choose(&r->sound, audio_of_scene(&scene), r->sound_path);
    }
    if (result == EXIT_DONE) {
        mmd_view_options seen = view_options_seen(view, &scene);
        home_view(&scene, (double)r->size.width / r->size.height, view, &seen);
        session_init(&session, &scene, &seen);
        session.record = &commands;
        session.has_bar = true;
        view_options_apply(view, scene.stage);
        result = render_session(r, wanted, &session, common, &log);
        session_finish(&session);
    }
    mmd_buffer_finish(&commands);
    scene_finish(&scene);
    return result;
}

/* What is wrong with the options as a whole; OPTIONS_PARSED where nothing is. */
static int check_render(const command_line *line, const render_options *r)
{
    name_pattern pattern;
    if (!r->output)
        return options_usage(line, "no output was given: -o dir/%%05d.png");
    if (!video_is_name(r->output) && !parse_pattern(r->output, &pattern))
        return options_usage(line,
                             "-o: \"%.100s\" is no video's name (.mp4, .mkv, .webm, .mov, .avi) and has no "
                             "place for a number, like dir/%%05d.png",
                             r->output);
    if (r->rate > 0 && !is_whole(r->step))
        return options_usage(line, "with --fps the STEP of --frames counts pictures: a whole number");
    return OPTIONS_PARSED;
}

int render_main(int argc, char **argv)
{
    render_options r = {.size = {1280, 720}, .step = 1, .argc = argc, .argv = argv};
    scene_options scene;
    view_options view;
    physics_settings physics;
    common_options common = default_common_options();
    scene_options_init(&scene);
    view_options_init(&view);
    physics_settings_init(&physics, true);
    const option_group groups[] = {
        {"pictures", render_table, sizeof render_table / sizeof *render_table, &r},
        group_of_scene(&scene),
        group_of_sound(&r.sound),
        group_of_pose(&scene),
        group_of_view(&view),
        group_of_physics(&physics),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "render",
        .usage = "MODEL...|PROJECT.pmm [options] --frames A:B[:STEP] [--fps N] -o dir/%05d.png",
        .summary =
            "Draws many frames to PNG files, the same bytes as `shot` makes of each, or to a video. No "
            "display is\nneeded.",
        .notes =
            "%05d becomes the number of the frame; with --fps that of the picture, counted from time 0; "
            "where frames\nare not whole, the picture's place in the list. The folder is made.\n"
            "A video has the sound of --audio at its own place, to the sample; the bundled dance its music.\n"
            "Where only physics of a file of interchange moves anything, 10 s are drawn without --frames.\n"
            "Commands of --exec run at the first frame, and hold from the start under physics.\n"
            "What is drawn at a time does not depend on --fps or on where A lies, physics included.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = scene_files,
        .positional_target = &scene,
    };
    int result = options_parse_with_model(&line, argc, argv, &scene);
    if (result == OPTIONS_PARSED)
        result = check_render(&line, &r);
    if (result == OPTIONS_PARSED) {
        physics_take_threads(&physics, &common);
        result = render(&r, &scene, &view, &physics, &common);
    }
    scene_options_finish(&scene);
    common_options_finish(&common);
    return result;
}
