/*
 * odori render: many frames, without a display, as PNG files that have the same
 * bytes as those of `shot`, or as a video. Physics runs ahead on a thread of
 * its own while a picture is drawn. What is said on the command line is here;
 * render_draw.c and render_video.c draw, render_join.c joins parts.
 */
#include <string.h>

#include "base/message.h"
#include "scene/camera_fit.h"
#include "command/commands.h"
#include "scene/crowd.h"
#include "scene/home_view.h"
#include "render.h"
#include "tools/tools.h"

#define RUN_FRAMES 300.0 /* of a scene that only physics moves, where nobody says how long */

/* --- Options --- */

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

static bool set_codec(void *target, const char *value, option_error *error)
{
    ((render_options *)target)->codec = value;
    return video_codec_named(value) ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is no codec; odori render --codecs lists them", value);
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

static const option range_table[] = {
    {0, "frames", "A:B[:STEP]",
     "which, both ends included, 30 a second (all of the motion, or 10 s of physics alone)",
     render_set_frames},
    {0, "fps", "N", "draws the times n/N s between A and B; STEP counts pictures then (30)", render_set_rate},
};

static const option render_table[] = {
    {0, "size", "WxH", "pixels, each from 1 to 16384 (1280x720)", set_size},
    {'o', NULL, "dir/%05d.png", "where to; a name like out.mp4 makes a video with ffmpeg (required)",
     set_output},
    {0, "codec", "h264|vp9|prores|ffv1|mpeg4", "of a video (as the name ends)", set_codec},
    {0, "codecs", NULL, "lists codecs, their files, and what of them is installed", set_codecs},
    {0, "resume", NULL, "keeps pictures that are there already and were made in the same way", set_resume},
    {0, "join", NULL, "joins parts: PART.mkv... to a video, or DIR... to a folder", set_join},
};

static const option shard_table[] = {
    {0, "shard", "I/N", "only the I-th of N parts; of a video: -o part.mkv, without loss", render_set_shard},
};

/* --- The scene --- */

static int draw(render_job *job, const mmd_log *log)
{
    int result = screen_open_headless(&job->screen, job->session->scene, log);
    if (result == EXIT_DONE && !provenance_files_read(&job->files, job->session->scene)) {
        message("out of memory");
        result = EXIT_FACILITY;
    }
    if (result == EXIT_DONE) {
        job->bar = progress_start(job->to - job->from);
        result = job->options->video ? render_video(job) : render_pngs(job);
    }
    provenance_files_finish(&job->files);
    render_canvas_finish(&job->canvas);
    screen_finish(&job->screen);
    return result;
}

/* What was not asked for is a project's, and the motion's. */
static void take_settings(render_options *r, const odori_scene *scene)
{
    if (scene->settings.given && !r->has_size)
        r->size = (picture_size){scene->settings.width, scene->settings.height};
    if (!r->range.given)
        r->range.last = physics_runs_on(scene) ? RUN_FRAMES : mmd_stage_last_frame(scene->stage);
}

/* Commands run at the first frame of all, in every part. */
static int render_session(render_options *r, const scene_options *wanted, odori_session *session,
                          const common_options *common, const mmd_log *log)
{
    render_job job = {
        .options = r, .wanted = wanted, .session = session, .pictures = picture_list_of(&r->range)};
    if (!job.pictures.count) {
        message("--frames: no picture lies in this range, or more than a million do");
        return EXIT_USAGE;
    }
    render_shard_cut(&r->shard, job.pictures.count, &job.from, &job.to);
    if (job.from == job.to) {
        message("--shard: there are %zu pictures, and none for this part", job.pictures.count);
        return EXIT_DONE;
    }
    plan_settings_given(r->argc, r->argv, &job.settings);
    session_go(session, picture_list_frame(&job.pictures, 0));
    int result = commands_begin(session, common);
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
    char beside[PATH_MAX];
    odori_scene scene;
    odori_session session;
    mmd_buffer commands = {0};
    mmd_log log = stderr_log(common->log_level);
    int result = scene_load_with_model(&scene, wanted, "render", &log);
    if (result == EXIT_DONE)
        result = physics_start(&scene, physics, &log);
    if (result == EXIT_DONE) {
        take_settings(r, &scene);
        result = physics_check_frame(&scene, r->range.given ? r->range.last : 0);
    }
    if (result == EXIT_DONE)
        result = audio_choose(&r->sound, audio_of_files(wanted, &scene, beside), r->sound_path);
    if (result == EXIT_DONE) {
        mmd_view_options seen = view_options_seen(view, &scene);
        double aspect = (double)r->size.width / r->size.height;
        home_view(&scene, aspect, view, &seen);
        camera_fit_home(&scene, aspect, false);
        session_init(&session, &scene, &seen);
        session.aspect = aspect;
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

/* --- The command line as a whole --- */

static int check_shard(const command_line *line, const render_options *r)
{
    if (r->shard.of && r->join)
        return options_usage(line, "--join takes parts, and makes all of it: no --shard");
    if (!r->shard.of || !r->video)
        return OPTIONS_PARSED;
    if (strcmp(video_container_of(r->output), "matroska") != 0)
        return options_usage(line, "a part of a video is kept without loss until --join: -o part.mkv");
    if (r->codec && strcmp(r->codec, "ffv1") != 0)
        return options_usage(line, "--codec is for --join: a part of a video is ffv1");
    return OPTIONS_PARSED;
}

/* What is wrong with the options; OPTIONS_PARSED where nothing is. Fills the codec in. */
static int check_render(const command_line *line, render_options *r)
{
    name_pattern pattern;
    if (!r->output)
        return options_usage(line, "no output was given: -o dir/%%05d.png");
    r->video = video_codec_of(r->output);
    if (!r->video && !name_pattern_parse(r->output, &pattern))
        return options_usage(line,
                             "-o: \"%.100s\" is no video's name (.mp4, .mkv, .webm, .mov, .avi) and has no "
                             "place for a number, like dir/%%05d.png",
                             r->output);
    if (r->codec && !r->video)
        return options_usage(line, "--codec is for videos: -o out.mp4");
    if (r->range.rate > 0 && (r->range.step < 1 || r->range.step > (double)(long long)r->range.step))
        return options_usage(line, "with --fps the STEP of --frames counts pictures: a whole number");
    if (r->quality.has_shutter && r->quality.moments == 1)
        return options_usage(line, "--shutter says how long --motion-blur lasts: give that, too");
    if (r->video && (r->codec || r->shard.of))
        r->video = video_codec_named(r->codec ? r->codec : "ffv1");
    return check_shard(line, r);
}

/* What can be known before a model is loaded. */
static int check_video(render_options *r, const view_options *view)
{
    if (!r->video)
        return EXIT_DONE;
    bool alpha = !r->join && view->background && view->view.background[3] < 1.0f;
    int result = video_codec_check(r->video, r->output, alpha, r->join ? 8 : r->quality.bits);
    return result == EXIT_DONE ? video_codec_find_encoder(r->video, &r->encoder) : result;
}

static int parse(const command_line *line, render_options *r, const scene_options *scene)
{
    int result = options_parse(line, r->argc, r->argv);
    if (result != OPTIONS_PARSED)
        return result;
    if (r->codecs)
        return video_codec_list();
    if (scene->files.count == 0)
        return options_usage(line, r->join ? "no parts were given" : "no model was given");
    return check_render(line, r);
}

int render_main(int argc, char **argv)
{
    render_options r = {.range = {.step = 1},
                        .quality = render_quality_default(),
                        .size = {1280, 720},
                        .argc = argc,
                        .argv = argv};
    scene_options scene;
    view_options view;
    physics_settings physics;
    common_options common = default_common_options();
    scene_options_init(&scene);
    view_options_init(&view);
    physics_settings_init(&physics, true);
    const option_group groups[] = {
        {"pictures", range_table, sizeof range_table / sizeof *range_table, &r.range},
        {"output", render_table, sizeof render_table / sizeof *render_table, &r},
        {"parts", shard_table, sizeof shard_table / sizeof *shard_table, &r.shard},
        group_of_quality(&r.quality),
        group_of_scene(&scene),
        group_of_crowd(&scene),
        group_of_sound(&r.sound),
        group_of_pose(&scene),
        group_of_view(&view),
        group_of_physics(&physics),
        group_of_all(&common),
    };
    audio_files files = {&scene, &r.sound};
    const command_line line = {
        .name = "render",
        .usage = "MODEL...|PROJECT.pmm [SOUND] [options] --frames A:B[:STEP] [--fps N] -o dir/%05d.png",
        .summary =
            "Draws many frames to PNG files, the same bytes as `shot` makes of each, or to a video. No "
            "display is\nneeded.",
        .notes =
            "%05d becomes the number of the frame; with --fps that of the picture, counted from time 0; "
            "where frames\nare not whole, the picture's place in the list. The folder is made.\n"
            "--background transparent makes RGBA, and videos with transparency where their codec has any "
            "(--codecs).\n"
            "--resume of a video keeps a minute's drawing at a time in out.mp4.parts until it is done.\n"
            "Parts of --shard may be drawn on several machines; joined they are what one run makes:\n"
            "  odori render MODEL --frames 0:999 --shard 1/2 -o a.mkv     and 2/2 -o b.mkv elsewhere\n"
            "  odori render --join a.mkv b.mkv -o out.mp4                 or: --join DIR... -o dir/%05d.png\n"
            "Samples and moments are averaged as they stand, in gamma space, as --msaa's are. Pictures of 16 "
            "bits\n"
            "are drawn with them; rounded to 8 they are those of 8 bits, but for steps that blending rounded "
            "there.\n"
            "A video has the sound of --audio at its own place, to the sample, else the project's, the bundled "
            "dance's,\nor the only one in an archive or a folder that was given. A SOUND without an option is "
            "that of --audio.\n"
            "Where only physics of a file of interchange moves anything, 10 s are drawn without --frames.\n"
            "Commands of --exec run at the first frame, and hold from the start under physics.\n"
            "What is drawn at a time does not depend on --fps or on where A lies, physics included.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = audio_files_add,
        .positional_target = &files,
    };
    int result = parse(&line, &r, &scene);
    if (result == OPTIONS_PARSED) {
        result = check_video(&r, &view);
        if (result == EXIT_DONE && r.join)
            result = render_join(&r, &scene.files);
        else if (result == EXIT_DONE) {
            physics_take_threads(&physics, &common);
            result = render(&r, &scene, &view, &physics, &common);
        }
    }
    scene_options_finish(&scene);
    common_options_finish(&common);
    return result;
}
