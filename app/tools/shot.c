/* odori shot: one frame as a PNG file, without a display. */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "scene/framing.h"
#include "document/audio.h"
#include "command/commands.h"
#include "scene/crowd.h"
#include "base/parse.h"
#include "recipe/provenance.h"
#include "recipe/render_quality.h"
#include "recipe/screen.h"
#include "scene/options.h"
#include "recipe/shot_ids.h"
#include "tools.h"

typedef struct shot_options {
    double frame;
    bool has_frame;
    picture_size size;
    bool has_size;
    const char *output;
    bool ids;
    render_quality quality;
    int argc; /* as given: the picture tells how it was made */
    char **argv;
} shot_options;

static bool set_frame(void *target, const char *value, option_error *error)
{
    shot_options *shot = target;
    double frame;
    if (!parse_real(value, &frame) || frame < 0 || frame > 4294967295.0)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a frame, a number from 0 on", value);
    shot->frame = frame;
    shot->has_frame = true;
    return true;
}

static bool set_size(void *target, const char *value, option_error *error)
{
    ((shot_options *)target)->has_size = true;
    return set_picture_size(&((shot_options *)target)->size, value, error);
}

static bool set_output(void *target, const char *value, option_error *error)
{
    (void)error;
    ((shot_options *)target)->output = value;
    return true;
}

static bool set_ids(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    ((shot_options *)target)->ids = true;
    return true;
}

static const option shot_table[] = {
    {0, "frame", "F", "which frame, a real number, 30 a second (0)", set_frame},
    {0, "size", "WxH", "pixels, each from 1 to 16384 (1280x720)", set_size},
    {'o', NULL, "out.png", "where to; - is stdout (required)", set_output},
    {0, "ids", NULL, "also writes out.ids.png: model, material and bone of each pixel, for diff", set_ids},
};

/* The chunk that lets `odori check` draw the picture again. */
static char *tell_origin(const shot_options *shot, const scene_options *wanted, const odori_session *looked,
                         const odori_screen *screen)
{
    char *text = NULL;
    mmd_buffer *exec = looked->record;
    plan_settings settings = {0};
    provenance_files files = {0};
    plan_settings_given(shot->argc, shot->argv, &settings);
    mmd_write_u8(exec, '\0');
    const provenance_shot origin = {.files = &files,
                                    .settings = &settings,
                                    .wanted = wanted,
                                    .session = looked,
                                    .start = shot->frame,
                                    .exec = exec->failed ? "" : (const char *)exec->data,
                                    .size = shot->size,
                                    .quality = &shot->quality,
                                    .interval = 1,
                                    .gpu = mmd_gpu_get_info(screen->gpu)};
    if (!exec->failed && provenance_files_read(&files, looked->scene))
        text = provenance_of_shot(&origin);
    provenance_files_finish(&files);
    return text;
}

static int draw(const shot_options *shot, const scene_options *wanted, odori_session *looked,
                const mmd_log *log)
{
    odori_screen screen;
    render_canvas canvas = {0};
    const odori_scene *scene = looked->scene;
    int result = screen_open_headless(&screen, scene, log);
    if (result == EXIT_DONE) {
        session_go(looked, shot->has_frame ? shot->frame : looked->frame);
        char *origin = tell_origin(shot, wanted, looked, &screen);
        const mmd_image_text text = {PROVENANCE_KEY, origin};
        const screen_picture picture = {.width = shot->size.width,
                                        .height = shot->size.height,
                                        .path = shot->output,
                                        .bar = true,
                                        .texts = &text,
                                        .text_count = origin ? 1 : 0};
        const render_moment at = {&screen, looked, 1, shot->size.width, shot->size.height};
        if (shot->ids && shot->quality.moments > 1) /* ids are those of the frame: before its last moment */
            result = shot_write_ids(&screen, scene, &looked->view, &picture);
        if (result == EXIT_DONE)
            result = render_quality_write_png(&shot->quality, &at, &picture, &canvas);
        if (shot->ids && shot->quality.moments == 1 && result == EXIT_DONE)
            result = shot_write_ids(&screen, scene, &looked->view, &picture);
        free(origin);
    }
    render_canvas_finish(&canvas);
    screen_finish(&screen);
    return result;
}

/* Frame and size that were not asked for are a project's, if there is one. */
static void take_settings(shot_options *shot, const scene_settings *project)
{
    if (project->given && !shot->has_frame)
        shot->frame = project->frame;
    if (project->given && !shot->has_size)
        shot->size = (picture_size){project->width, project->height};
}

static int shoot(shot_options *shot, const scene_options *scene_wanted, const view_options *view,
                 const physics_settings *physics, const common_options *common)
{
    odori_scene scene;
    odori_session session;
    mmd_buffer commands = {0};
    mmd_log log = stderr_log(common->log_level);
    int result = scene_load_with_model(&scene, scene_wanted, "shot", &log);
    if (result == EXIT_DONE)
        result = physics_start(&scene, physics, &log);
    if (result == EXIT_DONE)
        result = physics_check_frame(&scene, shot->frame);
    if (result == EXIT_DONE) {
        mmd_view_options seen = view_options_seen(view, &scene);
        take_settings(shot, &scene.settings);
        double aspect = (double)shot->size.width / shot->size.height;
        frame_interchange(&scene, aspect, view, &seen);
        frame_crowd_or_tiny(&scene, aspect, false);
        session_init(&session, &scene, &seen);
        session.aspect = aspect;
        session.record = &commands;
        session.has_bar = true;
        session_go(&session, shot->frame);
        view_options_apply(view, scene.stage);
        result = commands_begin(&session, common);
        if (result == EXIT_DONE)
            result = draw(shot, scene_wanted, &session, &log);
        session_finish(&session);
    }
    mmd_buffer_finish(&commands);
    scene_finish(&scene);
    return result;
}

int shot_main(int argc, char **argv)
{
    shot_options shot = {.size = {1280, 720}, .quality = render_quality_default(), .argc = argc, .argv = argv};
    scene_options scene;
    view_options view;
    physics_settings physics;
    audio_options sound = {0};
    common_options common = default_common_options();
    scene_options_init(&scene);
    view_options_init(&view);
    physics_settings_init(&physics, true);
    const option_group groups[] = {
        {"picture", shot_table, sizeof shot_table / sizeof *shot_table, &shot},
        group_of_quality(&shot.quality),
        group_of_scene(&scene),
        group_of_crowd(&scene),
        group_of_sound(&sound),
        group_of_pose(&scene),
        group_of_view(&view),
        group_of_physics(&physics),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "shot",
        .usage = "MODEL...|PROJECT.pmm [options] --frame F [--size WxH] -o out.png",
        .summary = "Draws one frame to a PNG file: RGB, or RGBA with --background transparent. No display is "
                   "needed.",
        .notes =
            "The camera is that of --camera, else of a motion with camera keys, else MMD's default.\n"
            "Scenes of files of interchange alone (.gltf, .glb, Ragdoll .json) are framed instead, before a "
            "bluish grey;\nbodies of theirs without any mesh are shown as lines.\n"
            "A project brings its own camera, view, physics, frame and size, where no option says "
            "otherwise.\n"
            "Physics is simulated from the first frame on: a frame is what playing up to it shows.\n"
            "--audio is accepted, so that the options of play can be given: a picture has no sound.\n"
            "MODEL may be \"dancer\", the bundled one, where no file has that name.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = scene_files,
        .positional_target = &scene,
    };
    int result = options_parse_with_model(&line, argc, argv, &scene);
    if (result == OPTIONS_PARSED && !shot.output)
        result = options_usage(&line, "no output was given: -o out.png");
    if (result == OPTIONS_PARSED && shot.ids && strcmp(shot.output, "-") == 0)
        result = options_usage(&line, "--ids needs a picture with a name: -o out.png");
    if (result == OPTIONS_PARSED && shot.quality.has_shutter && shot.quality.moments == 1)
        result = options_usage(&line, "--shutter says how long --motion-blur lasts: give that, too");
    if (result == OPTIONS_PARSED) {
        physics_take_threads(&physics, &common);
        result = audio_check(&sound);
        if (result == EXIT_DONE)
            result = shoot(&shot, &scene, &view, &physics, &common);
    }
    scene_options_finish(&scene);
    common_options_finish(&common);
    return result;
}
