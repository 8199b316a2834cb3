#include "options.h"

#include <string.h>

#include "base/message.h"
#include "base/parse.h"
#include "base/time_limit.h"
#include "placing.h"

#define TABLE(name) name, sizeof name / sizeof *name

static bool bad_value(option_error *error, const char *value, const char *expected)
{
    return option_fail(error, EXIT_USAGE, "\"%.100s\" is not %s", value, expected);
}

/* Scene */

static bool add_path(scene_inputs *inputs, const char *value, option_error *error)
{
    return scene_inputs_add_path(inputs, value) || option_fail(error, EXIT_FACILITY, "out of memory");
}

bool scene_files(void *scene, const char *value, option_error *error)
{
    return add_path(&((scene_options *)scene)->files, value, error);
}

/*
 * Adds --motion. Motions of all models come before those of a single model, whatever their order on the
 * command line. Notes whether motions are named between models, as if each belonged to the model before it
 * (load.h).
 */
static bool add_motion(void *scene, const char *value, option_error *error)
{
    scene_options *options = scene;
    const scene_inputs *motions = &options->motions;
    const scene_input motion = scene_input_of(value);
    if (motions->count == 0 || scene_input_is_own(&motions->items[0]))
        options->motions_after = options->files.count;
    options->is_paired |= options->motions_after > 0 && options->files.count > options->motions_after;
    return scene_inputs_add_motion(&options->motions, &motion) ||
           option_fail(error, EXIT_FACILITY, "out of memory");
}

static bool add_pose(void *scene, const char *value, option_error *error)
{
    return add_path(&((scene_options *)scene)->poses, value, error);
}

static bool set_camera(void *scene, const char *value, option_error *error)
{
    (void)error;
    ((scene_options *)scene)->camera = scene_input_of(value);
    return true;
}

static bool set_stage(void *scene, const char *value, option_error *error)
{
    scene_options *options = scene;
    if (options->stage.given)
        return option_fail(error, EXIT_USAGE, "only one --stage can be given, and it is %.100s already",
                           options->stage.given);
    options->stage = scene_input_of(value);
    return true;
}

static bool add_stage_motion(void *scene, const char *value, option_error *error)
{
    scene_options *options = scene;
    scene_input motion = scene_input_of(value);
    motion.is_of_stage = true;
    if (!options->stage.given)
        return option_fail(error, EXIT_USAGE,
                           "--stage-motion applies to the stage given before it, and there is none");
    return scene_inputs_add_motion(&options->motions, &motion) ||
           option_fail(error, EXIT_FACILITY, "out of memory");
}

/* Checks that an option for a single model comes after a model. */
static bool check_named(const scene_options *options, const char *name, option_error *error)
{
    return options->files.count ||
           option_fail(error, EXIT_USAGE, "%s applies to the model given before it, and there is none", name);
}

static bool add_own(scene_options *options, model_option *own, const char *name, option_error *error)
{
    if (!check_named(options, name, error))
        return false;
    own->file = options->files.count - 1;
    own->model = MODEL_OF_FILE;
    return model_options_add(&options->own, own) || option_fail(error, EXIT_FACILITY, "out of memory");
}

static bool add_own_motion(void *scene, const char *value, option_error *error)
{
    scene_options *options = scene;
    if (!check_named(options, "--own-motion", error) || !add_path(&options->motions, value, error))
        return false;
    options->motions.items[options->motions.count - 1].owner_file = options->files.count;
    return true;
}

static bool add_place(void *scene, const char *value, option_error *error)
{
    model_option own = {.kind = MODEL_PLACE, .placement = {0, 0, 0, 0, 0, 0, 1}};
    bool read = parse_reals(value, 3, own.placement) || parse_reals(value, 6, own.placement) ||
                parse_reals(value, 7, own.placement);
    for (int k = 0; k < 7; k++)
        read = read && own.placement[k] >= -1e6f && own.placement[k] <= 1e6f;
    return (read ||
            bad_value(error, value, "a placement X,Y,Z[,RX,RY,RZ[,SCALE]], each from -1000000 to 1000000")) &&
           add_own(scene, &own, "--place", error);
}

static bool add_delay(void *scene, const char *value, option_error *error)
{
    model_option own = {.kind = MODEL_DELAY};
    bool read = parse_real(value, &own.delay) && own.delay >= -1e6 && own.delay <= 1e6;
    return (read || bad_value(error, value, "a number of frames from -1000000 to 1000000")) &&
           add_own(scene, &own, "--delay", error);
}

static bool add_hang(void *scene, const char *value, option_error *error)
{
    return add_own(scene, &(model_option){.kind = MODEL_HANG, .bone = value}, "--hang", error);
}

static const option scene_table[] = {
    {0, "motion", "M.vmd",
     "motion of every model, and of the camera and light if it has such keyframes (may be repeated)",
     add_motion},
    {0, "pose", "P.vpd", "pose that overrides the motions of its bones and morphs (may be repeated)",
     add_pose},
    {0, "camera", "C.vmd", "takes camera and light from this motion instead of the others", set_camera},
    {0, "own-motion", "M.vmd",
     "motion of only the model given before it, overrides --motion (may be repeated)", add_own_motion},
    {0, "place", "X,Y,Z[,RX,RY,RZ[,SCALE]]",
     "position (units), rotation (degrees) and scale of the model given before it", add_place},
    {0, "hang", "BONE|N:BONE",
     "attaches the model given before it to a bone of the previous model (or of model N)", add_hang},
    {0, "delay", "FRAMES", "delays the motions of the model given before it", add_delay},
    {0, "stage", "S", "scenery: an accessory (.x, .vac) or a model, drawn first and not moved by --motion",
     set_stage},
    {0, "stage-motion", "M.vmd", "motion of only the stage given before it (may be repeated)",
     add_stage_motion},
};

option_group group_of_scene(scene_options *options)
{
    return (option_group){"scene", TABLE(scene_table), options};
}

static bool set_model(void *scene, const char *value, option_error *error)
{
    scene_options *options = scene;
    uint64_t number;
    if (!parse_whole(value, 0, 1 << 20, &number))
        return bad_value(error, value, "the number of a model (the first is 0)");
    options->is_chosen = true;
    options->chosen = (size_t)number;
    return true;
}

static const option choice_table[] = {
    {0, "model", "N", "which of several models; the first one given is 0", set_model},
};

option_group group_of_choice(scene_options *options)
{
    return (option_group){"several models", TABLE(choice_table), options};
}

int options_parse_with_model(const command_line *line, int argc, char **argv, const scene_options *scene)
{
    int result = options_parse(line, argc, argv);
    if (result == OPTIONS_PARSED && scene->files.count == 0)
        return options_usage(line, "no model was given");
    return result;
}

/* View */

bool set_picture_size(picture_size *size, const char *value, option_error *error)
{
    return parse_size(value, &size->width, &size->height) ||
           bad_value(error, value, "a size like 1280x720, both from 1 to 16384");
}

static bool set_background(void *view, const char *value, option_error *error)
{
    view_options *options = view;
    options->background = true;
    if (strcmp(value, "transparent") == 0) {
        memset(options->view.background, 0, sizeof options->view.background);
        return true;
    }
    if (!parse_color(value, options->view.background))
        return bad_value(error, value, "six hexadecimal digits (RRGGBB) or transparent");
    options->view.background[3] = 1.0f;
    return true;
}

static bool set_background_picture(void *view, const char *value, option_error *error)
{
    return parse_switch(value, &((view_options *)view)->view.background_pictures) ||
           bad_value(error, value, "on or off");
}

static bool set_grid(void *view, const char *value, option_error *error)
{
    ((view_options *)view)->grid = true;
    return parse_switch(value, &((view_options *)view)->view.grid) || bad_value(error, value, "on or off");
}

static bool set_edge(void *view, const char *value, option_error *error)
{
    return parse_switch(value, &((view_options *)view)->view.edge) || bad_value(error, value, "on or off");
}

static bool set_ground_shadow(void *view, const char *value, option_error *error)
{
    ((view_options *)view)->ground_shadow = true;
    return parse_switch(value, &((view_options *)view)->view.ground_shadow) ||
           bad_value(error, value, "on or off");
}

static bool set_self_shadow(void *view, const char *value, option_error *error)
{
    ((view_options *)view)->self_shadow = true;
    return parse_switch(value, &((view_options *)view)->view.self_shadow) ||
           bad_value(error, value, "on or off");
}

static bool set_mip_maps(void *view, const char *value, option_error *error)
{
    return parse_switch(value, &((view_options *)view)->view.mip_maps) ||
           bad_value(error, value, "on or off");
}

static bool set_shading(void *view, const char *value, option_error *error)
{
    if (strcmp(value, "mmd") != 0 && strcmp(value, "smooth") != 0)
        return bad_value(error, value, "mmd or smooth");
    ((view_options *)view)->view.shading = strcmp(value, "mmd") == 0 ? MMD_SHADING_MMD : MMD_SHADING_SMOOTH;
    return true;
}

static bool set_msaa(void *view, const char *value, option_error *error)
{
    uint64_t samples;
    if (!parse_whole(value, 0, 64, &samples))
        return bad_value(error, value, "a number of samples from 0 to 64");
    ((view_options *)view)->view.samples = (uint32_t)samples;
    ((view_options *)view)->samples = true;
    return true;
}

static bool set_light_color(void *view, const char *value, option_error *error)
{
    view_options *options = view;
    if (!parse_reals(value, 3, options->light.color))
        return bad_value(error, value, "three numbers R,G,B");
    options->light_color = true;
    return true;
}

static bool set_light_direction(void *view, const char *value, option_error *error)
{
    view_options *options = view;
    float d[3];
    if (!parse_reals(value, 3, d) || (d[0] == 0.0f && d[1] == 0.0f && d[2] == 0.0f))
        return bad_value(error, value, "a direction X,Y,Z other than 0,0,0");
    memcpy(options->light.direction, d, sizeof d);
    options->light_direction = true;
    return true;
}

static bool set_pixel_centers(void *view, const char *value, option_error *error)
{
    if (strcmp(value, "d3d9") != 0 && strcmp(value, "gl") != 0)
        return bad_value(error, value, "d3d9 or gl");
    ((view_options *)view)->view.pixel_centers =
        strcmp(value, "gl") == 0 ? MMD_PIXEL_CENTERS_GL : MMD_PIXEL_CENTERS_D3D9;
    return true;
}

static bool parse_sdef(const char *value, mmd_sdef_variant *sdef, option_error *error)
{
    if (strcmp(value, "linear") != 0 && strcmp(value, "slerp") != 0)
        return bad_value(error, value, "linear or slerp");
    *sdef = strcmp(value, "slerp") == 0 ? MMD_SDEF_SLERP : MMD_SDEF_LINEAR;
    return true;
}

static bool set_view_sdef(void *view, const char *value, option_error *error)
{
    return parse_sdef(value, &((view_options *)view)->view.sdef, error);
}

/* Returns the setting that a name in the list of --show switches on; NULL for an unknown name. */
static bool *shown(mmd_view_options *view, const char *name, size_t length)
{
    struct {
        const char *name;
        bool *on;
    } known[] = {
        {"bodies", &view->show_bodies}, {"joints", &view->show_joints}, {"contacts", &view->show_contacts}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0)
            return known[i].on;
    return NULL;
}

static bool set_show(void *view, const char *value, option_error *error)
{
    mmd_view_options *options = &((view_options *)view)->view;
    options->show_bodies = options->show_joints = options->show_contacts = false;
    if (strcmp(value, "none") == 0)
        return true;
    for (const char *name = value;; name++) {
        size_t length = strcspn(name, ",");
        bool *on = shown(options, name, length);
        if (!on)
            return bad_value(error, value,
                             "none or a list of bodies, joints and contacts, separated by commas");
        *on = true;
        name += length;
        if (!*name)
            return true;
    }
}

static bool set_texture_memory(void *view, const char *value, option_error *error)
{
    return parse_whole(value, 1, 1 << 20, &((view_options *)view)->texture_memory) ||
           bad_value(error, value, "a number of MiB from 1 to 1048576");
}

static const option view_table[] = {
    {0, "background", "RRGGBB|transparent", "background colour (ffffff; 9fb0c3 for glTF and Ragdoll files)",
     set_background},
    {0, "background-picture", "on|off", "shows the background picture or video of a project (on)",
     set_background_picture},
    {0, "grid", "on|off", "shows the grid and the axes (off)", set_grid},
    {0, "edge", "on|off", "draws outlines (on)", set_edge},
    {0, "ground-shadow", "on|off", "draws flat shadows on the ground (off)", set_ground_shadow},
    {0, "self-shadow", "on|off", "draws self shadow in the mode that the motion sets, or in mode 1 (off)",
     set_self_shadow},
    {0, "shading", "mmd|smooth", "computes light per vertex, as MMD, or per pixel (mmd)", set_shading},
    {0, "mip-maps", "on|off",
     "smooths textures that are drawn small, as MMD unless its menu says otherwise (on)", set_mip_maps},
    {0, "msaa", "N", "antialiasing samples per pixel; 0 and 1: none, as in MMD's output (0)", set_msaa},
    {0, "light-color", "R,G,B", "light colour, each 0 to 1, instead of the motion's (0.6,0.6,0.6)",
     set_light_color},
    {0, "light-dir", "X,Y,Z", "direction in which the light shines, instead of the motion's (-0.5,-1,0.5)",
     set_light_direction},
    {0, "pixel-centers", "d3d9|gl", "where pixels are sampled: as MMD, or as OpenGL (d3d9)",
     set_pixel_centers},
    {0, "sdef", "linear|slerp", "how SDEF vertices blend rotations: as MMD, or by slerp (linear)",
     set_view_sdef},
    {0, "show", "LIST", "draws physics as lines: any of bodies,joints,contacts, or none (none)", set_show},
    {0, "texture-memory", "MIB", "memory for textures; beyond it they are drawn smaller (1024)",
     set_texture_memory},
};

option_group group_of_view(view_options *options)
{
    return (option_group){"view", TABLE(view_table), options};
}

static bool set_sdef(void *sdef, const char *value, option_error *error)
{
    return parse_sdef(value, sdef, error);
}

static const option sdef_table[] = {
    {0, "sdef", "linear|slerp", "how SDEF vertices blend rotations: as MMD, or by slerp (linear)", set_sdef},
};

option_group group_of_sdef(mmd_sdef_variant *sdef)
{
    return (option_group){"skinning", TABLE(sdef_table), sdef};
}

bool scene_set_max_models(size_t *most, const char *value, option_error *error)
{
    uint64_t count;
    if (!parse_whole(value, 1, 1000000, &count))
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of models from 1 to 1000000", value);
    *most = (size_t)count;
    return true;
}

void view_options_init(view_options *options)
{
    *options = (view_options){.view = mmd_default_view_options(),
                              .light = mmd_default_light(),
                              .texture_memory = MMD_TEXTURE_MEMORY_MIB};
}

mmd_view_options view_options_seen(const view_options *options, const odori_scene *s)
{
    const mmd_view_options *given = &options->view;
    mmd_view_options view = *given;
    if (!s->settings.given)
        return view;
    mmd_view_options_take_project(&view, &s->settings.project);
    if (options->grid)
        view.grid = given->grid;
    if (options->self_shadow)
        view.self_shadow = given->self_shadow;
    if (options->ground_shadow)
        view.ground_shadow = given->ground_shadow;
    if (options->background)
        memcpy(view.background, given->background, sizeof view.background);
    return view;
}

void view_options_apply(const view_options *options, mmd_stage *stage)
{
    if (options->light_color)
        mmd_stage_set_light_color(stage, options->light.color);
    if (options->light_direction)
        mmd_stage_set_light_direction(stage, options->light.direction);
}

/* All subcommands */

static bool add_exec(void *common, const char *value, option_error *error)
{
    return option_add_text(&((common_options *)common)->exec, value, error);
}

static bool add_plugin(void *common, const char *value, option_error *error)
{
    return option_add_text(&((common_options *)common)->plugins, value, error);
}

static bool set_seed(void *common, const char *value, option_error *error)
{
    return parse_whole(value, 0, UINT64_MAX, &((common_options *)common)->seed) ||
           bad_value(error, value, "a whole number");
}

static bool set_threads(void *common, const char *value, option_error *error)
{
    uint64_t threads;
    if (!parse_whole(value, 0, 1024, &threads))
        return bad_value(error, value, "a number of threads from 0 to 1024");
    ((common_options *)common)->threads = (uint32_t)threads;
    ((common_options *)common)->has_threads = true;
    return true;
}

static bool set_log(void *common, const char *value, option_error *error)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(value, names[i]) == 0) {
            ((common_options *)common)->log_level = (mmd_log_level)i;
            return true;
        }
    }
    return bad_value(error, value, "error, warning, info or debug");
}

static const option common_table[] = {
    {0, "exec", "FILE|-", "runs the commands in a file before the first frame; - is stdin (may be repeated)",
     add_exec},
    {0, "plugin", "FILE.so",
     "loads a plugin with edit handlers (mmd/edit.h) before the commands (may be repeated)", add_plugin},
    {0, "seed", "N", "seed of random numbers; this version uses none", set_seed},
    {0, "threads", "N",
     "threads of physics and textures; they never change the results (number of processors)", set_threads},
    {0, "log", "LEVEL", "least severe messages to print: error, warning, info or debug (warning)", set_log},
};

option_group group_of_all(common_options *options)
{
    return (option_group){"all subcommands", TABLE(common_table), options};
}

static bool set_time_limit(void *common, const char *value, option_error *error)
{
    double seconds;
    if (!parse_real(value, &seconds) || seconds < 0.001 || seconds > 1e7)
        return bad_value(error, value, "a number of seconds from 0.001 to 10000000");
    ((common_options *)common)->time_limit = seconds;
    return true;
}

static const option time_table[] = {
    {0, "time-limit", "SECONDS",
     "ends what takes longer, with a sentence that names the frame that was reached (none)", set_time_limit},
};

option_group group_of_time(common_options *options)
{
    return (option_group){"time", TABLE(time_table), options};
}

static bool set_sandbox(void *common, const char *value, option_error *error)
{
    if (strcmp(value, "on") != 0 && strcmp(value, "off") != 0)
        return bad_value(error, value, "on or off");
    ((common_options *)common)->sandbox = strcmp(value, "on") == 0 ? SANDBOX_ON : SANDBOX_OFF;
    return true;
}

static const option sandbox_table[] = {
    {0, "sandbox", "on|off",
     "gives up unnamed files and the network where the system can (on; off with NVIDIA's driver)",
     set_sandbox},
};

option_group group_of_sandbox(common_options *options)
{
    return (option_group){"safety", TABLE(sandbox_table), options};
}

static bool set_gpu(void *common, const char *value, option_error *error)
{
    ((common_options *)common)->gpu = value;
    return *value || option_fail(error, EXIT_USAGE, "the name of a GPU is empty");
}

static const option gpu_table[] = {
    {0, "gpu", "N|NAME|software",
     "draws on this GPU: its number or a part of its name, as `odori info --gpus` lists them, or software "
     "for "
     "the processor (the first GPU)",
     set_gpu},
};

option_group group_of_gpu(common_options *options)
{
    return (option_group){"graphics", TABLE(gpu_table), options};
}

void start_time_limit(const common_options *options)
{
    time_limit_start(&(time_limit){.seconds = options->time_limit, .code = EXIT_INPUT});
}

common_options default_common_options(void)
{
    return (common_options){.log_level = MMD_LOG_WARNING};
}

void warn_exec_has_no_effect(const common_options *options, const char *subcommand)
{
    if (options->exec.count)
        message("--exec has no effect: %s runs no commands", subcommand);
    if (options->plugins.count)
        message("--plugin has no effect: %s edits nothing", subcommand);
}

void common_options_finish(common_options *options)
{
    text_list_finish(&options->exec);
    text_list_finish(&options->plugins);
    mmd_buffer_finish(&options->stdin_text);
}
