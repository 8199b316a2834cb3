/*
 * odori capture-kit: what a person with MMD needs to shoot a suite's pictures:
 * a project a scene, a list of frames, what to do; with --render the pictures
 * that odori draws of them, for `odori diff` to compare.
 *
 *   DIR/01-name.pmm, 02-…      one project a scene
 *   DIR/frames.txt, README.txt
 *   DIR/frames/<scene>/        where MMD's pictures go: <frame>.png
 *   DIR/expect/<scene>/        odori's
 *   DIR/models, DIR/motions    copies
 */
#include "kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/paths.h"
#include "check/internal.h"
#include "base/progress.h"
#include "check/check.h"
#include "recipe/provenance.h"
#include "recipe/shot_ids.h"

/* --- Which scenes --- */

/* MMD draws whole frames only. */
static bool choose_frames(kit *k, kit_scene *scene, const plan *p)
{
    *scene = (kit_scene){.plan = p};
    scene->frames = mmd_arena_alloc(&k->arena, p->frame_count, sizeof *scene->frames);
    if (!scene->frames)
        return false;
    for (size_t i = 0; i < p->frame_count; i++) {
        if (p->frames[i] > floor(p->frames[i]) || p->frames[i] > INT32_MAX)
            scene->notes |= KIT_FRACTION;
        else
            scene->frames[scene->frame_count++] = (uint32_t)p->frames[i];
    }
    return true;
}

static int out_of_memory(void)
{
    message("out of memory");
    return EXIT_FACILITY;
}

/* Numbers in front keep the suite's order, all of one length. */
static void name_projects(kit *k)
{
    int digits = k->scene_count < 100 ? 2 : k->scene_count < 1000 ? 3 : 5;
    for (size_t i = 0; i < k->scene_count; i++)
        snprintf(k->scenes[i].project, sizeof k->scenes[i].project, "%0*zu-%s.pmm", digits, i + 1,
                 k->scenes[i].plan->folder);
}

static int choose_scenes(kit *k)
{
    size_t wanted = 0;
    k->scenes = mmd_arena_alloc(&k->arena, k->suite.count, sizeof *k->scenes);
    if (!k->scenes)
        return out_of_memory();
    for (size_t i = 0; i < k->suite.count; i++) {
        const plan *p = &k->suite.plans[i];
        kit_scene *scene = &k->scenes[k->scene_count];
        if (!plan_is_wanted(&k->options->only, p->name))
            continue;
        wanted++;
        if (!choose_frames(k, scene, p))
            return out_of_memory();
        if (scene->frame_count)
            k->scene_count++;
        else if (k->suite.count > 1)
            message("%.200s is left out: none of its frames is a whole number", p->name);
    }
    if (!wanted) {
        message("no scene of %s is called %.200s", k->suite.path, k->options->only.items[0]);
        return EXIT_USAGE;
    }
    if (!k->scene_count) {
        message("%s: MMD draws whole frames, and no scene has one", k->suite.path);
        return EXIT_INPUT;
    }
    name_projects(k);
    return EXIT_DONE;
}

/* --- A scene --- */

static bool write_project(const kit *k, const kit_scene *scene, const mmd_project *project, problem *why)
{
    mmd_buffer file = {0};
    mmd_error error = {0};
    mmd_status status = mmd_pmm_write(project, &file, &error);
    if (status == MMD_ERROR_TEXT) {
        message("%s: some names have letters that CP932 lacks; MMD sees ? there", scene->project);
        status = MMD_OK;
    }
    bool ok = status == MMD_OK && !file.failed ? kit_write(k, scene->project, file.data, file.size, why)
                                               : problem_from(why, &error);
    mmd_buffer_finish(&file);
    return ok;
}

/* Where the plan's camera is, or NULL. */
static const char *camera_path(const kit *k, const plan *p)
{
    if (!p->camera.given)
        return NULL;
    return plan_is_dancer(&p->camera) ? k->store.dancer.camera : p->camera.path;
}

/* The plan's camera is on the stage, but not among its scene's motions. */
static bool read_camera(const kit *k, const plan *p, mmd_motion **camera, problem *why)
{
    const char *path = camera_path(k, p);
    mmd_error error = {0};
    *camera = NULL;
    return !path || motion_read_file(path, camera, &error) == MMD_OK || problem_from(why, &error);
}

static bool make_project(kit *k, kit_scene *scene, plan_stage *stage, problem *why)
{
    mmd_motion *camera = NULL;
    size_t count = stage->scene.model_count;
    const char **paths = mmd_alloc(count * sizeof *paths);
    bool ok = paths || problem_out_of_memory(why);
    if (ok && stage->scene.settings.given)
        ok = problem_set(why, EXIT_INPUT, "a project is among its models: MMD opens that one as it is");
    for (size_t i = 0; ok && i < count; i++)
        ok = (paths[i] = kit_place_model(k, stage->models[i], why)) != NULL;
    ok = ok && read_camera(k, scene->plan, &camera, why);
    mmd_project *project = ok ? kit_project(stage, scene, paths, camera, why) : NULL;
    ok = project && write_project(k, scene, project, why);
    mmd_project_destroy(project);
    mmd_motion_destroy(camera);
    mmd_free(paths);
    return ok;
}

/* Whose each pixel is, beside the picture: diff tells by it where a difference is. */
static bool render_ids(kit *k, const kit_scene *scene, plan_stage *stage, const char *place, problem *why)
{
    char path[PATH_MAX];
    odori_screen screen = {.gpu = k->gpu, .view = k->view};
    const screen_picture picture = {.width = scene->plan->size.width,
                                    .height = scene->plan->size.height,
                                    .path = path_join(path, k->options->output, "%s", place)};
    int result = shot_write_ids(&screen, &stage->scene, &stage->session.view, &picture);
    return result == EXIT_DONE || problem_set(why, result, "no picture of ids beside %.800s", path);
}

/* The picture that MMD's is compared with, told how it was made. */
static bool render_frame(kit *k, const kit_scene *scene, plan_stage *stage, uint32_t frame, problem *why)
{
    char place[PATH_MAX];
    mmd_image image = {0};
    mmd_buffer png = {0};
    mmd_error error = {0};
    const picture_size *size = &scene->plan->size;
    plan_stage_go(stage, frame);
    char *origin = provenance_of_plan(stage, frame, mmd_gpu_get_info(k->gpu));
    const mmd_image_text text = {PROVENANCE_KEY, origin};
    const mmd_png_options options = {
        .alpha = stage->session.view.background[3] < 1.0f, .texts = &text, .text_count = origin ? 1 : 0};
    bool ok = (mmd_view_picture(k->view, stage->scene.stage, &stage->session.view, size->width, size->height,
                                &image, &error) == MMD_OK &&
               mmd_png_write(&image, &options, &png, &error) == MMD_OK) ||
              problem_from(why, &error);
    snprintf(place, sizeof place, "expect/%s/%u.png", scene->plan->folder, frame);
    ok = ok && kit_write(k, place, png.data, png.size, why) && render_ids(k, scene, stage, place, why);
    free(origin);
    mmd_buffer_finish(&png);
    mmd_image_finish(&image);
    return ok;
}

static bool render(kit *k, const kit_scene *scene, plan_stage *stage, problem *why)
{
    bool ok = !k->options->render || plan_stage_show(&k->store, stage, why);
    for (size_t i = 0; k->options->render && ok && i < scene->frame_count; i++)
        ok = render_frame(k, scene, stage, scene->frames[i], why);
    return ok;
}

static bool make_frames_folder(const kit *k, const kit_scene *scene, problem *why)
{
    char path[PATH_MAX];
    return path_make_folder(path_join(path, k->options->output, "frames/%s", scene->plan->folder)) ||
           problem_set(why, EXIT_FACILITY, "%.800s cannot be made", path);
}

static void tell_warning(void *user, const char *sentence)
{
    message("warning: %.200s: %s", (const char *)user, sentence);
}

static int make_scene(kit *k, kit_scene *scene)
{
    plan_stage stage;
    problem why = {0};
    bool ok = plan_stage_open(&k->store, scene->plan, &stage, &why) && make_project(k, scene, &stage, &why) &&
              kit_copy_motions(k, &stage.scene, camera_path(k, scene->plan), &why) &&
              render(k, scene, &stage, &why) && make_frames_folder(k, scene, &why);
    if (ok && k->options->log_level >= MMD_LOG_WARNING)
        plan_stage_warnings(&stage, k->view, tell_warning, (void *)(uintptr_t)scene->plan->name);
    if (!ok)
        message("%.200s: %s", scene->plan->name, why.text);
    plan_stage_close(&stage);
    return ok ? EXIT_DONE : why.code;
}

/* --- The kit --- */

static int open_gpu(kit *k, const mmd_log *log)
{
    mmd_error error = {0};
    if (!k->options->render)
        return EXIT_DONE;
    if (mmd_gpu_create_headless(log, &k->gpu, &error) == MMD_OK &&
        mmd_view_create(k->gpu, log, &k->view, &error) == MMD_OK)
        return EXIT_DONE;
    report(&error);
    return EXIT_FACILITY;
}

static int make_scenes(kit *k)
{
    progress bar = progress_start(k->scene_count);
    int result = EXIT_DONE;
    for (size_t i = 0; i < k->scene_count && result == EXIT_DONE; i++) {
        result = make_scene(k, &k->scenes[i]);
        progress_show(&bar, i + 1);
    }
    progress_finish(&bar);
    return result;
}

static int write_texts(const kit *k)
{
    problem why = {0};
    if (kit_write_texts(k, &why))
        return EXIT_DONE;
    message("%s", why.text);
    return why.code;
}

static int print_done(const kit *k)
{
    size_t frames = 0;
    for (size_t i = 0; i < k->scene_count; i++)
        frames += k->scenes[i].frame_count;
    if (!*k->base)
        message("the models have no folder in common but /: --copy gathers them");
    printf("%zu project%s, %zu frame%s in %s; %s stands for %s there (README.txt)\n", k->scene_count,
           k->scene_count == 1 ? "" : "s", frames, frames == 1 ? "" : "s", k->options->output,
           k->options->root, *k->base ? k->base : "/");
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_DONE;
    message("stdout: cannot be written");
    return EXIT_FACILITY;
}

static int make_kit(const kit_options *options)
{
    kit k = {.options = options};
    mmd_log log = stderr_log(options->log_level);
    int result = suite_read(&k.suite, options->files.items[0]);
    if (result == EXIT_DONE)
        result = choose_scenes(&k);
    if (result == EXIT_DONE)
        result = kit_find_base(&k);
    if (result == EXIT_DONE && !path_make_folder(options->output))
        result = EXIT_FACILITY;
    if (result == EXIT_DONE)
        result = open_gpu(&k, &log);
    plan_store_init(&k.store, k.view, &log);
    if (result == EXIT_DONE)
        result = make_scenes(&k);
    if (result == EXIT_DONE)
        result = write_texts(&k);
    if (result == EXIT_DONE)
        result = print_done(&k);
    plan_store_finish(&k.store);
    mmd_view_destroy(k.view);
    mmd_gpu_destroy(k.gpu);
    mmd_arena_finish(&k.arena);
    suite_finish(&k.suite);
    return result;
}

/* --- The command line --- */

static bool add_file(void *target, const char *value, option_error *error)
{
    return option_add_text(&((kit_options *)target)->files, value, error);
}

static bool add_only(void *target, const char *value, option_error *error)
{
    return option_add_text(&((kit_options *)target)->only, value, error);
}

static bool set_output(void *target, const char *value, option_error *error)
{
    ((kit_options *)target)->output = value;
    return *value || option_fail(error, EXIT_USAGE, "no folder");
}

static bool set_root(void *target, const char *value, option_error *error)
{
    return kit_set_root(target, value, error);
}

static bool set_copy(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((kit_options *)target)->copy = true;
}

static bool set_render(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((kit_options *)target)->render = true;
}

static bool set_log(void *target, const char *value, option_error *error)
{
    common_options common = default_common_options();
    option_group group = group_of_all(&common);
    for (size_t i = 0; i < group.count; i++)
        if (strcmp(group.options[i].name, "log") == 0 && !group.options[i].set(&common, value, error))
            return false;
    ((kit_options *)target)->log_level = common.log_level;
    return true;
}

static const option kit_table[] = {
    {'o', NULL, "DIR", "where to; files that are there are replaced, MMD's pictures stay (required)",
     set_output},
    {0, "root", "PATH", "an absolute Windows path (" KIT_DRIVE "\\), below which MMD finds the models",
     set_root},
    {0, "copy", NULL, "copies models, textures and motions into the kit: mind their licences", set_copy},
    {0, "render", NULL, "draws the same frames into DIR/expect, to compare MMD's with", set_render},
    {0, "only", "NAME", "scenes of this name, or that match this pattern (may be repeated)", add_only},
    {0, "log", "LEVEL", "error, warning, info or debug (warning)", set_log},
};

int capture_kit_main(int argc, char **argv)
{
    kit_options options = {.root = KIT_DRIVE, .log_level = MMD_LOG_WARNING};
    const option_group groups[] = {{"kit", kit_table, sizeof kit_table / sizeof *kit_table, &options}};
    const command_line line = {
        .name = "capture-kit",
        .usage = "SUITE.json [options] -o DIR",
        .summary =
            "Writes what a person with MikuMikuDance needs to shoot the pictures of a suite: a project a\n"
            "scene, the list of frames, and README.txt, in English and Japanese.",
        .notes =
            "The root stands for the suite's folder, or for the nearest one above that has all models; with\n"
            "--copy for DIR. Then: odori diff DIR/expect/SCENE DIR/frames/SCENE",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = add_file,
        .positional_target = &options,
    };
    int result = options_parse(&line, argc, argv);
    if (result == OPTIONS_PARSED && options.files.count != 1)
        result = options_usage(&line, options.files.count ? "one suite at a time" : "no suite was given");
    else if (result == OPTIONS_PARSED && options.output && strlen(options.output) >= CHECK_FOLDER_MAX)
        result = options_usage(&line, "-o: a folder with over %d bytes is too long", CHECK_FOLDER_MAX - 1);
    else if (result == OPTIONS_PARSED && !options.output)
        result = options_usage(&line, "no output was given: -o DIR");
    else if (result == OPTIONS_PARSED)
        result = make_kit(&options);
    text_list_finish(&options.files);
    text_list_finish(&options.only);
    return result;
}
