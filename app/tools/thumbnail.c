/* odori thumbnail: draws a small square picture that stands for a file, as file managers ask for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/system.h"
#include "base/parse.h"
#include "base/time_limit.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "recipe/confine.h"
#include "recipe/draw.h"
#include "recipe/stage.h"
#include "scene/framing.h"
#include "scene/portrait.h"
#include "tools.h"

enum { SIZE_LEAST = 16, SIZE_MOST = 4096, SIZE_USUAL = 256 };

/* File managers ask for pictures of files that nobody chose to open, so the limits are stricter than those of
 * `shot`. */
#define SECONDS_USUAL 20.0

/* Radians that the camera looks down, and comes from the left: on figures, and on things. */
#define FIGURE_DOWN 0.04
#define FIGURE_LEFT 0.28
#define THING_DOWN  0.35
#define THING_LEFT  0.60

/* Share of the picture that is filled, and on the way there: what is far away is only a few pixels of the
 * picture that it is measured in. */
#define FILLED       0.94
#define FILLED_FIRST 0.7

/* What is smaller than this through a camera of its own is shown from nearer; the picture's side is 2. */
#define SMALL 1.0

/* What is paler than this would not be seen on the white page of a file manager. */
#define PALE 0.86

typedef struct thumbnail_options {
    recipe recipe;
    const char *file;   /* the only argument */
    const char *output; /* path, or "-" */
    const char *uri;    /* of the file, for Thumb::URI; NULL: not asked for */
    uint32_t size;
    bool has_memory; /* --texture-memory was given */
    double seconds;
} thumbnail_options;

/* --- Options --- */

static bool set_size(void *target, const char *value, option_error *error)
{
    uint64_t size;
    if (!parse_whole(value, SIZE_LEAST, SIZE_MOST, &size))
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of pixels from %d to %d", value,
                           SIZE_LEAST, SIZE_MOST);
    ((thumbnail_options *)target)->size = (uint32_t)size;
    return true;
}

static bool set_output(void *target, const char *value, option_error *error)
{
    (void)error;
    ((thumbnail_options *)target)->output = value;
    return true;
}

static bool set_uri(void *target, const char *value, option_error *error)
{
    (void)error;
    ((thumbnail_options *)target)->uri = value;
    return true;
}

static bool set_seconds(void *target, const char *value, option_error *error)
{
    double seconds;
    if (!parse_real(value, &seconds) || seconds < 0.001 || seconds > 1e7)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of seconds from 0.001 to 10000000",
                           value);
    ((thumbnail_options *)target)->seconds = seconds;
    return true;
}

static bool set_memory(void *target, const char *value, option_error *error)
{
    uint64_t mib;
    thumbnail_options *options = target;
    if (!parse_whole(value, 1, 1 << 20, &mib))
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of MiB from 1 to 1048576", value);
    options->recipe.view.texture_memory = mib;
    return options->has_memory = true;
}

static const option thumbnail_table[] = {
    {0, "size", "N", "width and height in pixels, from 16 to 4096 (256)", set_size},
    {'o', NULL, "out.png", "file to write; - is stdout (required)", set_output},
    {0, "uri", "URI", "writes the keys Thumb::URI and Thumb::MTime of the file into the picture", set_uri},
    {0, "texture-memory", "MIB",
     "memory for textures; beyond it they are drawn smaller (64, larger from 513 pixels on)", set_memory},
    {0, "time-limit", "SECONDS", "ends what takes longer (20)", set_seconds},
};

static bool set_file(void *target, const char *value, option_error *error)
{
    thumbnail_options *options = target;
    if (options->file)
        return option_fail(error, EXIT_USAGE, "a thumbnail shows one file, so \"%.60s\" is one too many",
                           value);
    options->file = value;
    return scene_files(&options->recipe.scene, value, error);
}

/* --- What is seen --- */

/* What is drawn of the stage through its camera. */
typedef struct sight {
    portrait_extent extent;
    double covered; /* share of the pixels */
    double pale;    /* how bright the darkest colour channel of those pixels is on average, from 0 to 1 */
} sight;

/* Finds what is drawn, by a small picture. Returns false with the reason in error. */
static bool look(odori_screen *screen, const odori_session *session, sight *seen, mmd_error *error)
{
    enum { SIDE = 96, LEAST = 8 };
    mmd_image image = {0};
    mmd_view_options view = session->view;
    uint32_t count = 0, bright = 0, low[2] = {SIDE, SIDE}, high[2] = {0, 0};
    view.samples = 1;
    bool ok =
        mmd_view_picture(screen->view, session->scene->stage, &view, SIDE, SIDE, &image, error) == MMD_OK;
    for (uint32_t i = 0; ok && i < SIDE * SIDE; i++) {
        const uint8_t *p = image.pixels + 4 * (size_t)i;
        const uint32_t at[2] = {i % SIDE, SIDE - 1 - i / SIDE};
        if (p[3] < LEAST)
            continue;
        const uint8_t darker = p[0] < p[1] ? p[0] : p[1];
        bright += darker < p[2] ? darker : p[2];
        count++;
        for (int k = 0; k < 2; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] + 1 > high[k] ? at[k] + 1 : high[k];
        }
    }
    mmd_image_finish(&image);
    seen->covered = (double)count / (SIDE * SIDE);
    seen->pale = count ? bright / (255.0 * count) : 0;
    seen->extent = (portrait_extent){2.0 * low[0] / SIDE - 1, 2.0 * low[1] / SIDE - 1,
                                     2.0 * high[0] / SIDE - 1, 2.0 * high[1] / SIDE - 1};
    return ok;
}

static void set_camera(odori_session *session, const mmd_camera *camera)
{
    mmd_stage_set_camera(session->scene->stage, camera);
    session_go(session, session->frame);
}

/* Moves the camera until what is drawn fills the picture. What reaches beyond its borders stays as it is.
 * seen receives what was drawn at first. */
static bool fill(odori_screen *screen, odori_session *session, const mmd_camera *from, sight *seen,
                 mmd_error *error)
{
    enum { LOOKS = 3 };
    mmd_camera camera = *from;
    sight now;
    for (int times = 0; times < LOOKS; times++) {
        set_camera(session, &camera);
        if (!look(screen, session, &now, error))
            return false;
        if (times == 0)
            *seen = now;
        const portrait_extent *e = &now.extent;
        if (!(now.covered > 0) || e->left <= -1 || e->bottom <= -1 || e->right >= 1 || e->top >= 1)
            break;
        portrait_fit(e, times == 0 ? FILLED_FIRST : FILLED, &camera);
    }
    set_camera(session, &camera);
    return true;
}

/* Shows all models from a little aside. Surfaces that only have a back from there are shown from behind, or
 * from below. */
static bool show_all(odori_screen *screen, odori_session *session, double down, double left, mmd_error *error)
{
    static const double turned[] = {0, 3.14159265358979323846, 0};
    sight seen = {0};
    for (size_t i = 0; i < sizeof turned / sizeof *turned && !(seen.covered > 0); i++) {
        mmd_camera camera = mmd_default_camera();
        camera.rotation[0] = (float)(i < 2 ? -down : down);
        camera.rotation[1] = (float)(turned[i] - left);
        camera_fit(session->scene, 1, &camera);
        camera.distance *= 1.1f; /* edges are outside of the vertices */
        if (!fill(screen, session, &camera, &seen, error))
            return false;
    }
    return true;
}

/* Moves nearer along the camera's direction where what it shows is small. */
static bool come_nearer(odori_screen *screen, odori_session *session, mmd_error *error)
{
    sight seen;
    if (!look(screen, session, &seen, error))
        return false;
    const portrait_extent *e = &seen.extent;
    const mmd_camera camera = *mmd_stage_camera(session->scene->stage);
    if (!(seen.covered > 0))
        return show_all(screen, session, FIGURE_DOWN, FIGURE_LEFT, error);
    if (e->right - e->left > SMALL || e->top - e->bottom > SMALL || !camera.perspective)
        return true;
    return fill(screen, session, &camera, &seen, error);
}

/* Goes to the frame at which a motion of the camera shows most of the dancer without being too close. */
static bool show_camera(odori_screen *screen, odori_session *session, const mmd_motion *motion,
                        mmd_error *error)
{
    enum { LOOKS = 8 };
    double best = 0, found = 0;
    for (int i = 0; i < LOOKS; i++) {
        sight seen;
        const double frame = floor((double)motion->last_frame * (2 * i + 1) / (2 * LOOKS));
        session_go(session, frame);
        if (!look(screen, session, &seen, error))
            return false;
        if (seen.covered * (1 - seen.covered) > best) {
            best = seen.covered * (1 - seen.covered);
            found = frame;
        }
    }
    session_go(session, found);
    return come_nearer(screen, session, error);
}

/* Shows what a motion or a pose does to the bundled dancer. */
static bool show_motion(odori_screen *screen, odori_session *session, mmd_error *error)
{
    const odori_scene *scene = session->scene;
    const mmd_motion *motion = scene->motions[0].motion;
    const size_t dancer = scene_main_model(scene);
    mmd_camera camera = mmd_default_camera();
    if (!mmd_motion_is_for_models(motion) && motion->camera_key_count)
        return show_camera(screen, session, motion, error);
    session_go(session, portrait_frame(scene, dancer, motion));
    if (motion->bone_key_count || !motion->morph_key_count ||
        !portrait_of_head(scene->models[dancer].model, &camera))
        return show_all(screen, session, FIGURE_DOWN, FIGURE_LEFT, error);
    set_camera(session, &camera);
    return true;
}

static bool show_model(odori_screen *screen, odori_session *session, mmd_error *error)
{
    const scene_model *m = &session->scene->models[0];
    mmd_camera camera = mmd_default_camera();
    sight seen;
    if (m->document)
        return fill(screen, session, mmd_stage_default_camera(session->scene->stage), &seen, error);
    camera.rotation[0] = (float)-FIGURE_DOWN;
    camera.rotation[1] = (float)-FIGURE_LEFT;
    if (m->is_accessory || !portrait_of_head(m->model, &camera))
        return show_all(screen, session, THING_DOWN, THING_LEFT, error);
    set_camera(session, &camera);
    return true;
}

/* Points the camera at what is to be seen of the file, at the frame that shows it: a project through its own
 * camera. */
static bool show(odori_screen *screen, recipe_stage *stage, mmd_error *error)
{
    odori_session *session = &stage->session;
    if (stage->scene.settings.given) {
        session_go(session, stage->scene.settings.project.frame);
        return come_nearer(screen, session, error);
    }
    return *stage->dancer.model && stage->scene.motion_count ? show_motion(screen, session, error)
                                                             : show_model(screen, session, error);
}

/* --- The picture --- */

/* Returns how many samples a pixel has along each side: many where they are few in all. */
static uint32_t samples_along(const thumbnail_options *options, const odori_session *session)
{
    if (session->view.show_bodies) /* lines are one sample wide */
        return 1;
    return options->size <= 256 ? 4 : options->size <= 1024 ? 2 : 1;
}

/* Writes the picture. modified: the time of the file's last change, for Thumb::MTime. Returns an exit code.
 */
static int draw(const thumbnail_options *options, recipe_stage *stage, odori_screen *screen,
                const char *modified)
{
    static const float backdrop[4] = {0x9f / 255.0f, 0xb0 / 255.0f, 0xc3 / 255.0f, 1}; /* as of glTF files */
    mmd_error error = {0};
    sight seen;
    draw_canvas canvas = {0};
    draw_quality quality = draw_quality_default();
    const mmd_image_text texts[] = {{"Thumb::URI", options->uri}, {"Thumb::MTime", modified}};
    const screen_picture picture = {.width = options->size,
                                    .height = options->size,
                                    .path = options->output,
                                    .texts = texts,
                                    .text_count = options->uri ? 2 : 0};
    const draw_moment at = {screen, &stage->session, 1, options->size, options->size};
    if (!show(screen, stage, &error) || !look(screen, &stage->session, &seen, &error))
        return draw_failed(&error);
    if (!(seen.covered > 0)) {
        message("%s: there is nothing to see in it", options->file);
        return EXIT_INPUT;
    }
    quality.level = MMD_PNG_USUAL;
    quality.supersample = samples_along(options, &stage->session);
    if (quality.supersample == 1)
        stage->session.view.samples = 4;
    if (seen.pale > PALE)
        memcpy(stage->session.view.background, backdrop, sizeof backdrop);
    const int result = draw_write_png(&quality, &at, &picture, &canvas);
    draw_canvas_finish(&canvas);
    return result;
}

/* Opens the file and draws it. Returns an exit code. */
static int make(const thumbnail_options *options, const common_options *common, const char *modified)
{
    recipe_stage stage;
    odori_screen screen = {0};
    mmd_error error = {0};
    mmd_log log = stderr_log(common->log_level);
    const recipe_opening how = {.subcommand = "thumbnail", .needs = NEEDS_NOTHING, .log = &log};
    int result = EXIT_DONE;
    if (recipe_open(&stage, &options->recipe, &how, &error) != MMD_OK ||
        recipe_begin(&stage, recipe_start_frame(&stage), &error) != MMD_OK)
        result = report(&error);
    else
        result = screen_open_headless(&screen, &stage.scene, NULL, &log, &error)
                     ? draw(options, &stage, &screen, modified)
                     : draw_failed(&error);
    screen_finish(&screen);
    recipe_close(&stage);
    return result;
}

/* Sets up the recipe: no physics, a transparent background, and textures as small as the picture allows. */
static void prepare(thumbnail_options *options)
{
    recipe *r = &options->recipe;
    view_options *view = &r->view;
    r->size = (picture_size){options->size, options->size};
    r->has_size = true;
    view->background = view->grid = view->ground_shadow = true;
    memset(view->view.background, 0, sizeof view->view.background);
    view->view.background_pictures = false;
    if (!options->has_memory)
        view->texture_memory = options->size <= 512    ? 64
                               : options->size <= 1024 ? 256
                                                       : MMD_TEXTURE_MEMORY_MIB;
}

/*
 * Chooses Mesa's software driver unless the environment chooses another: the picture is the same on all
 * machines, the sandbox has been tried with it, and no sleeping graphics card is woken for a file that is
 * only listed. Returns whether it is the only driver that will be loaded.
 */
static bool choose_driver(void)
{
    static const char mesa[] = "/usr/share/glvnd/egl_vendor.d/50_mesa.json";
    if (getenv("LIBGL_ALWAYS_SOFTWARE") || getenv("__EGL_VENDOR_LIBRARY_FILENAMES"))
        return false;
    system_set_variable("LIBGL_ALWAYS_SOFTWARE", "1");
    return platform_may_read(mesa) && system_set_variable("__EGL_VENDOR_LIBRARY_FILENAMES", mesa);
}

/*
 * Opens the output where it is an empty file already, and lets stdout lead there: services of file managers
 * make the file and keep it open, so another one in its place would not be seen. Returns false if the file is
 * to be written as usual.
 */
static bool fill_empty_file(const char *path)
{
    platform_info about;
    if (strcmp(path, "-") == 0 || !platform_stat(path, &about) || about.kind != PLATFORM_FILE ||
        about.size != 0)
        return false;
    const int file = platform_open(path, PLATFORM_WRITE, 0);
    const bool leads = file >= 0 && dup2(file, STDOUT_FILENO) >= 0;
    if (file >= 0 && file != STDOUT_FILENO)
        close(file);
    return leads;
}

int thumbnail_main(int argc, char **argv)
{
    thumbnail_options options = {.size = SIZE_USUAL, .seconds = SECONDS_USUAL};
    common_options common = default_common_options();
    common.log_level = MMD_LOG_ERROR;
    recipe_init(&options.recipe, false);
    const option_group groups[] = {
        {"picture", thumbnail_table, sizeof thumbnail_table / sizeof *thumbnail_table, &options},
        group_of_sandbox(&common),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "thumbnail",
        .usage = "FILE [--size N] -o out.png",
        .summary = "Draws a small square picture that stands for a file, with a transparent background: head "
                   "and shoulders\n"
                   "of a figure; all of anything else; a motion or pose on the bundled dancer; a project "
                   "through its\n"
                   "camera. Of an archive or folder it shows the model that play opens. Needs no display.",
        .notes = "Physics is off. Mesa's software driver draws, in the sandbox, unless LIBGL_ALWAYS_SOFTWARE "
                 "is set.\n"
                 "An empty out.png that is there already is filled, as services of file managers need it.\n"
                 "Only errors are printed (--log error).",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = set_file,
        .positional_target = &options,
    };
    int result = options_parse(&line, argc, argv);
    if (result == OPTIONS_PARSED && !options.file)
        result = options_usage(&line, "no file was given");
    if (result == OPTIONS_PARSED && !options.output)
        result = options_usage(&line, "no output file was given: -o out.png");
    if (result == OPTIONS_PARSED) {
        platform_info about;
        char modified[32];
        warn_exec_has_no_effect(&common, line.name);
        prepare(&options);
        if (choose_driver() && common.sandbox == SANDBOX_DEFAULT)
            common.sandbox = SANDBOX_ON;
        if (fill_empty_file(options.output))
            options.output = "-";
        snprintf(modified, sizeof modified, "%lld",
                 platform_stat(options.file, &about) ? (long long)(about.modified / 1000000000) : 0);
        common.time_limit = options.seconds;
        start_time_limit(&common);
        confine(&options.recipe, &common, options.output, true);
        result = make(&options, &common, modified);
    }
    recipe_finish(&options.recipe);
    common_options_finish(&common);
    return result;
}
