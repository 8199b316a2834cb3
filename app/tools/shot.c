/* odori shot: draws one frame to a PNG file, without a display. */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "command/commands.h"
#include "scene/crowd.h"
#include "base/parse.h"
#include "base/sandbox.h"
#include "base/time_limit.h"
#include "files/exr.h"
#include "recipe/confine.h"
#include "recipe/provenance.h"
#include "recipe/stage.h"
#include "tools.h"

typedef struct shot_options {
    recipe recipe;
    double frame;
    bool has_frame;
    const char *output; /* path, or "-" */
    bool ids;           /* --ids: also write the ids of the pixels */
    unsigned planes;    /* --aov: planes to write beside the picture, or 0 */
    draw_quality quality;
} shot_options;

static bool set_frame(void *target, const char *value, option_error *error)
{
    shot_options *shot = target;
    double frame;
    if (!parse_real(value, &frame) || frame < 0 || frame > 4294967295.0)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a frame (a number that is not negative)", value);
    shot->frame = frame;
    shot->has_frame = true;
    return true;
}

static bool set_size(void *target, const char *value, option_error *error)
{
    return recipe_set_size(&((shot_options *)target)->recipe, value, error);
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

static bool set_planes(void *target, const char *value, option_error *error)
{
    return draw_set_planes(&((shot_options *)target)->planes, value, error);
}

static const option shot_table[] = {
    {0, "frame", "F", "frame to draw, may be a fraction; there are 30 per second (0)", set_frame},
    {0, "size", "WxH", "size in pixels, each from 1 to 16384 (1280x720)", set_size},
    {'o', NULL, "out.png", "file to write; - is stdout (required)", set_output},
    {0, "ids", NULL, "also writes out.ids.png, the model, material and bone of each pixel, for diff",
     set_ids},
    {0, "aov", "depth,normals,ids", "also writes these planes of the picture to out.exr", set_planes},
};

/* Returns the provenance, by which `odori check` can draw the picture again, to be freed with free. NULL: out
 * of memory. */
static char *make_provenance(const shot_options *shot, const recipe_stage *stage, double start,
                             const odori_screen *screen)
{
    char *text = NULL;
    mmd_buffer *exec = stage->session.record;
    provenance_files files = {0};
    mmd_write_u8(exec, '\0');
    const provenance_shot origin = {.files = &files,
                                    .settings = &stage->recipe.settings,
                                    .session = &stage->session,
                                    .start = start,
                                    .exec = exec->failed ? "" : (const char *)exec->data,
                                    .size = stage->size,
                                    .quality = &shot->quality,
                                    .interval = 1,
                                    .gpu = mmd_gpu_get_info(screen->gpu),
                                    .textures = &screen->textures};
    if (!exec->failed && provenance_files_read(&files, &stage->scene, NULL, false))
        text = provenance_write(&origin);
    provenance_files_finish(&files);
    return text;
}

/* Draws and writes the picture, its ids with --ids, and planes with --aov. Planes, and with motion blur the
 * ids, are drawn first, at the frame itself, because the last moment is later. Returns an exit code. */
static int draw(const shot_options *shot, recipe_stage *stage, double start, odori_screen *screen)
{
    draw_canvas canvas = {0};
    odori_session *session = &stage->session;
    session_go(session, shot->has_frame ? shot->frame : session->frame);
    char *origin = make_provenance(shot, stage, start, screen);
    const mmd_image_text text = {PROVENANCE_KEY, origin};
    const screen_picture picture = {.width = stage->size.width,
                                    .height = stage->size.height,
                                    .path = shot->output,
                                    .bar = true,
                                    .texts = &text,
                                    .text_count = origin ? 1 : 0};
    const draw_moment at = {screen, session, 1, stage->size.width, stage->size.height};
    int result = EXIT_DONE;
    if (shot->ids && shot->quality.moments > 1)
        result = draw_write_ids(screen, &stage->scene, &session->view, &picture);
    if (shot->planes && result == EXIT_DONE)
        result = draw_write_planes(screen, &stage->scene, &session->view, &picture, shot->planes);
    if (result == EXIT_DONE)
        result = draw_write_png(&shot->quality, &at, &picture, &canvas);
    if (shot->ids && shot->quality.moments == 1 && result == EXIT_DONE)
        result = draw_write_ids(screen, &stage->scene, &session->view, &picture);
    free(origin);
    draw_canvas_finish(&canvas);
    return result;
}

/* Opens the scene, runs the commands and draws the picture. Returns an exit code. */
static int shoot(const shot_options *shot, const common_options *common)
{
    recipe_stage stage;
    odori_screen screen = {0};
    mmd_buffer commands = {0};
    mmd_error error = {0};
    mmd_log log = stderr_log(common->log_level);
    const recipe_opening how = {.subcommand = "shot", .needs = NEEDS_MODEL, .log = &log};
    int result = EXIT_DONE;
    if (recipe_open(&stage, &shot->recipe, &how, &error) != MMD_OK) {
        result = report(&error);
    } else {
        const double start = shot->has_frame ? shot->frame : recipe_start_frame(&stage);
        stage.session.record = &commands;
        stage.session.has_bar = true;
        result = recipe_begin(&stage, start, &error) == MMD_OK ? commands_begin(&stage.session, common)
                                                               : report(&error);
        if (result == EXIT_DONE)
            result = screen_open_headless(&screen, &stage.scene, common->gpu, &log, &error)
                         ? draw(shot, &stage, start, &screen)
                         : draw_failed(&error);
    }
    screen_finish(&screen);
    recipe_close(&stage);
    mmd_buffer_finish(&commands);
    return result;
}

/* Keeps the files that the command line names, and gives up all others. planes: of --aov. */
static void enter_sandbox(const shot_options *shot, common_options *common, const char *planes)
{
    char ids[4096];
    confine_begin(common, true);
    confine_recipe(&shot->recipe);
    confine_commands(common);
    sandbox_write(shot->output);
    if (shot->ids && mmd_ids_path_beside(shot->output, ids, sizeof ids))
        sandbox_write(ids);
    if (shot->planes)
        sandbox_write(planes);
    confine_enter(common);
}

int shot_main(int argc, char **argv)
{
    char planes[4096] = "";
    shot_options shot = {.quality = draw_quality_default()};
    recipe *wanted = &shot.recipe;
    common_options common = default_common_options();
    recipe_init(wanted, true);
    const option_group groups[] = {
        {"picture", shot_table, sizeof shot_table / sizeof *shot_table, &shot},
        group_of_quality(&shot.quality),
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
    const command_line line = {
        .name = "shot",
        .usage = "MODEL...|PROJECT.pmm [options] --frame F [--size WxH] -o out.png",
        .summary = "Draws one frame to a PNG file: RGB, or RGBA with --background transparent. Needs no display.",
        .notes = "The camera is that of --camera, else of a motion with camera keyframes, else MMD's default.\n"
                 "A scene of only glTF or Ragdoll files is fitted into the picture on a bluish grey background.\n"
                 "Their rigid bodies that have no mesh are drawn as lines.\n"
                 "A project sets its own camera, view, physics, frame and size. Options override them.\n"
                 "Physics is simulated from frame 0, so the picture is the same as when playing up to the frame.\n"
                 "--audio has no effect. It is accepted so that the options of play can be reused.\n"
                 "MODEL can be \"dancer\" for the bundled dancer, unless a file has that name.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = scene_files,
        .positional_target = &wanted->scene,
    };
    int result = options_parse_with_model(&line, argc, argv, &wanted->scene);
    if (result == OPTIONS_PARSED && !shot.output)
        result = options_usage(&line, "no output file was given: -o out.png");
    if (result == OPTIONS_PARSED && shot.ids && strcmp(shot.output, "-") == 0)
        result = options_usage(&line, "--ids cannot write beside stdout: give a file, -o out.png");
    if (result == OPTIONS_PARSED && shot.planes && !exr_path_beside(shot.output, planes, sizeof planes))
        result = options_usage(&line, "--aov writes an EXR file beside the picture: give a PNG, -o out.png");
    if (result == OPTIONS_PARSED && shot.planes && strcmp(shot.output, "-") == 0)
        result = options_usage(&line, "--aov cannot write beside stdout: give a file, -o out.png");
    if (result == OPTIONS_PARSED && shot.quality.has_shutter && shot.quality.moments == 1)
        result = options_usage(&line, "--shutter needs --motion-blur");
    if (result == OPTIONS_PARSED) {
        mmd_error error = {0};
        mmd_log log = stderr_log(common.log_level);
        start_time_limit(&common);
        time_limit_aim(shot.frame);
        enter_sandbox(&shot, &common, planes);
        recipe_list_settings(argc, argv, &wanted->settings);
        physics_take_threads(&wanted->physics, &common);
        result = audio_check(&wanted->sound, &log, &error) == MMD_OK ? shoot(&shot, &common) : report(&error);
    }
    recipe_finish(wanted);
    common_options_finish(&common);
    return result;
}
