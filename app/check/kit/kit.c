/*
 * odori capture-kit: writes a folder with which a person who has MMD can draw the pictures of a suite: a
 * project for each scene, a list of frames and instructions. With --render it also contains the pictures that
 * odori draws, for `odori diff` to compare.
 *
 *   DIR/01-name.pmm, 02-…      one project a scene
 *   DIR/frames.txt, README.txt
 *   DIR/frames/<scene>/        for the pictures from MMD: <frame>.png
 *   DIR/expect/<scene>/        pictures drawn by odori
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
#include "base/sandbox.h"
#include "check/check.h"
#include "recipe/confine.h"
#include "recipe/provenance.h"
#include "recipe/draw.h"
#include "scene/options.h"
#include "scene/presence.h"

/* --- Choosing scenes --- */

/* Chooses the wanted scenes and names their projects. MMD draws only whole frames, so others are left out. */
static bool choose_scenes(kit *k, problem *why)
{
    size_t wanted = 0;
    k->scenes = mmd_arena_alloc(&k->arena, k->suite.count, sizeof *k->scenes);
    if (!k->scenes)
        return problem_out_of_memory(why);
    for (size_t i = 0; i < k->suite.count; i++) {
        const suite_scene *p = &k->suite.scenes[i];
        kit_scene *scene = &k->scenes[k->scene_count];
        if (!suite_is_wanted(&k->options->only, p->name))
            continue;
        wanted++;
        *scene = (kit_scene){.scene = p};
        scene->frames = mmd_arena_alloc(&k->arena, p->recipe.frame_count, sizeof *scene->frames);
        if (!scene->frames)
            return problem_out_of_memory(why);
        for (size_t f = 0; f < p->recipe.frame_count; f++) {
            if (p->recipe.frames[f] > floor(p->recipe.frames[f]) || p->recipe.frames[f] > INT32_MAX)
                scene->notes |= KIT_FRACTION;
            else
                scene->frames[scene->frame_count++] = (uint32_t)p->recipe.frames[f];
        }
        if (scene->frame_count)
            k->scene_count++;
        else if (k->suite.count > 1)
            message("%.200s is left out: none of its frames is a whole number", p->name);
    }
    if (!wanted)
        return problem_set(why, EXIT_USAGE, "%s has no scene that matches --only %.200s", k->suite.path,
                           k->options->only.items[0]);
    if (!k->scene_count)
        return problem_set(why, EXIT_INPUT, "%s: MMD draws only whole frames, and no scene has one",
                           k->suite.path);

    /* Numbers of equal length in the names keep the order of the suite. */
    int digits = k->scene_count < 100 ? 2 : k->scene_count < 1000 ? 3 : 5;
    for (size_t i = 0; i < k->scene_count; i++)
        snprintf(k->scenes[i].project, sizeof k->scenes[i].project, "%0*zu-%s.pmm", digits, i + 1,
                 k->scenes[i].scene->folder);
    return true;
}

/* --- A scene --- */

/* Writes the scene's project. */
static bool make_project(kit *k, kit_scene *scene, recipe_stage *stage, problem *why)
{
    mmd_project *project = NULL;
    mmd_buffer file = {0};
    mmd_error error = {0};
    size_t count = stage->scene.model_count;
    const char **paths = mmd_alloc(count * sizeof *paths);
    bool ok = paths || problem_out_of_memory(why);
    if (ok && stage->scene.settings.given)
        ok = problem_set(
            why, EXIT_INPUT,
            "the scene contains an MMD project, which MMD can open directly: remove it from the suite");
    if (ok && scene_count_present(&stage->scene) < count)
        ok = problem_set(
            why, EXIT_INPUT,
            "the scene removes a model, which a kit cannot: leave it out of the scene's models instead");
    for (size_t i = 0; ok && i < count; i++)
        ok = (paths[i] = kit_place_model(k, stage->models[i], why)) != NULL;
    if (ok)
        ok = (project = kit_project(stage, scene, paths, why)) != NULL;
    if (ok) {
        mmd_status status = mmd_pmm_write(project, &file, &error);
        if (status == MMD_ERROR_TEXT) {
            message("%s: names of accessories have characters that CP932 lacks; ? stands for them",
                    scene->project);
            status = MMD_OK;
        }
        ok = status == MMD_OK && !file.failed ? kit_write(k, scene->project, file.data, file.size, why)
                                              : problem_from(why, &error);
    }
    mmd_buffer_finish(&file);
    mmd_project_destroy(project);
    mmd_free(paths);
    return ok;
}

/* Draws the picture to compare with the one from MMD, with its provenance. Beside it writes the ids of each
 * pixel, by which diff locates differences in the model. */
static bool render_frame(kit *k, const kit_scene *scene, recipe_stage *stage, uint32_t frame, problem *why)
{
    char target[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
    mmd_image image = {0};
    mmd_buffer png = {0};
    mmd_error error = {0};
    const picture_size *size = &scene->scene->recipe.size;
    session_go(&stage->session, frame);
    provenance_files files = {0};
    char *origin = NULL;
    if (provenance_files_read(&files, &stage->scene, stage, false))
        origin = provenance_of_stage(stage, &files, mmd_gpu_get_info(k->gpu));
    provenance_files_finish(&files);
    const mmd_image_text text = {PROVENANCE_KEY, origin};
    const mmd_png_options options = {
        .alpha = stage->session.view.background[3] < 1.0f, .texts = &text, .text_count = origin ? 1 : 0};
    bool ok = (mmd_view_picture(k->view, stage->scene.stage, &stage->session.view, size->width, size->height,
                                &image, &error) == MMD_OK &&
               mmd_png_write(&image, &options, &png, &error) == MMD_OK) ||
              problem_from(why, &error);
    snprintf(target, sizeof target, "expect/%s/%u.png", scene->scene->folder, frame);
    ok = ok && kit_write(k, target, png.data, png.size, why);
    if (ok) {
        odori_screen screen = {.gpu = k->gpu, .view = k->view};
        const screen_picture picture = {.width = size->width,
                                        .height = size->height,
                                        .path = path_join(path, k->options->output, "%s", target)};
        int result = draw_write_ids(&screen, &stage->scene, &stage->session.view, &picture);
        ok = result == EXIT_DONE ||
             problem_set(why, result, "the picture of ids beside %.800s cannot be written", path);
    }
    free(origin);
    mmd_buffer_finish(&png);
    mmd_image_finish(&image);
    return ok;
}

/* Prints a warning about a scene, whose name is user. */
static void print_warning(void *user, const char *sentence)
{
    message("warning: %.200s: %s", (const char *)user, sentence);
}

/* Writes a scene: its project, motions, expected pictures, and the folder for the pictures from MMD. */
static bool make_scene(kit *k, kit_scene *scene, problem *result)
{
    char path[MMD_FILE_PATH_MAX];
    recipe_stage stage;
    problem why = {0};
    mmd_error error = {0};
    bool ok = recipe_open_from_store(&stage, &scene->scene->recipe, &k->store, &error) == MMD_OK ||
              problem_from(&why, &error);
    ok = ok && make_project(k, scene, &stage, &why) && kit_copy_motions(k, &stage.scene, &why);
    if (ok && k->options->render && recipe_show(&stage, &error) != MMD_OK)
        ok = problem_from(&why, &error);
    for (size_t i = 0; k->options->render && ok && i < scene->frame_count; i++)
        ok = render_frame(k, scene, &stage, scene->frames[i], &why);
    if (ok && !path_make_folder(path_join(path, k->options->output, "frames/%s", scene->scene->folder)))
        ok = problem_set(&why, EXIT_FACILITY, "%.800s: the folder cannot be created", path);
    if (ok && k->options->common.log_level >= MMD_LOG_WARNING)
        recipe_tell_warnings(&stage, k->view, print_warning, (void *)(uintptr_t)scene->scene->name);
    if (!ok)
        problem_set(result, why.code, "%.200s: %s", scene->scene->name, why.text);
    recipe_close(&stage);
    return ok;
}

/* --- The kit --- */

static bool make_scenes(kit *k, problem *why)
{
    progress bar = progress_start(k->scene_count);
    bool ok = true;
    for (size_t i = 0; i < k->scene_count && ok; i++) {
        ok = make_scene(k, &k->scenes[i], why);
        progress_show(&bar, i + 1);
    }
    progress_finish(&bar);
    return ok;
}

/* Prints what was written. */
static bool print_done(const kit *k, problem *why)
{
    size_t frames = 0;
    for (size_t i = 0; i < k->scene_count; i++)
        frames += k->scenes[i].frame_count;
    if (!*k->base)
        message("the models have only the folder / in common; use --copy to gather them");
    printf("%zu project%s with %zu frame%s written to %s; in them %s is %s (see README.txt)\n",
           k->scene_count, k->scene_count == 1 ? "" : "s", frames, frames == 1 ? "" : "s", k->options->output,
           k->options->root, *k->base ? k->base : "/");
    return (fflush(stdout) == 0 && !ferror(stdout)) ||
           problem_set(why, EXIT_FACILITY, "stdout: cannot be written");
}

/* Keeps the files that the suite and the command line name, and gives up all others. */
static void enter_sandbox(const kit *k)
{
    confine_begin(&k->options->common, k->options->render);
    for (size_t i = 0; i < k->suite.count; i++)
        confine_recipe(&k->suite.scenes[i].recipe);
    sandbox_write_folder(k->options->output);
    confine_enter(&k->options->common);
}

/* Writes the kit of a suite. Returns an exit code. */
static int make_kit(const kit_options *options)
{
    kit k = {.options = options};
    mmd_log log = stderr_log(options->common.log_level);
    problem why = {0};
    const suite_opening how = {.path = options->files.items[0],
                               .roots = &options->suite_roots,
                               .option = "--suite-root",
                               .max_models = options->max_models};
    bool ok = suite_read(&k.suite, &how, &why) && choose_scenes(&k, &why) && kit_find_base(&k, &why);
    if (ok)
        enter_sandbox(&k);
    if (ok && !path_make_folder(options->output))
        ok = problem_set(&why, EXIT_FACILITY, "%s", "");
    if (ok && options->render)
        ok = check_open_view(&options->common, &log, &k.gpu, &k.view, &why);
    store_init(&k.store, k.view, &log);
    ok = ok && make_scenes(&k, &why) && kit_write_texts(&k, &why) && print_done(&k, &why);
    store_finish(&k.store);
    mmd_view_destroy(k.view);
    mmd_gpu_destroy(k.gpu);
    mmd_arena_finish(&k.arena);
    suite_finish(&k.suite);
    return ok ? EXIT_DONE : problem_report(&why);
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
    return *value || option_fail(error, EXIT_USAGE, "the name of a folder is missing");
}

static bool set_root(void *target, const char *value, option_error *error)
{
    return kit_set_root(target, value, error);
}

static bool add_suite_root(void *target, const char *value, option_error *error)
{
    return option_add_text(&((kit_options *)target)->suite_roots, value, error);
}

static bool set_max_models(void *target, const char *value, option_error *error)
{
    return scene_set_max_models(&((kit_options *)target)->max_models, value, error);
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
    const option_group group = group_of_all(&((kit_options *)target)->common);
    size_t i = 0;
    while (strcmp(group.options[i].name, "log") != 0)
        i++;
    return group.options[i].set(group.target, value, error);
}

static const option kit_table[] = {
    {'o', NULL, "DIR", "folder to write to; replaces earlier files, but not pictures from MMD (required)",
     set_output},
    {0, "root", "PATH", "absolute Windows path of the folder with the models, for MMD (" KIT_DRIVE "\\)",
     set_root},
    {0, "suite-root", "DIR",
     "the suite may also name files in DIR, besides those in its repository (may be repeated)",
     add_suite_root},
    {0, "max-models", "N", "the most models that a scene of the suite may have (256)", set_max_models},
    {0, "copy", NULL, "copies models, textures and motions into the kit; check that their licences allow it",
     set_copy},
    {0, "render", NULL, "draws the same frames to DIR/expect, to compare with the pictures from MMD",
     set_render},
    {0, "only", "NAME", "only scenes whose name matches NAME; * and ? are wildcards (may be repeated)",
     add_only},
    {0, "log", "LEVEL", "least severe messages to print: error, warning, info or debug (warning)", set_log},
};

int capture_kit_main(int argc, char **argv)
{
    kit_options options = {.root = KIT_DRIVE, .common = default_common_options()};
    const option_group groups[] = {{"kit", kit_table, sizeof kit_table / sizeof *kit_table, &options},
                                   group_of_gpu(&options.common),
                                   group_of_sandbox(&options.common)};
    const command_line line = {
        .name = "capture-kit",
        .usage = "SUITE.json [options] -o DIR",
        .summary =
            "Writes a folder with which a person who has MikuMikuDance can draw the pictures of a suite: a\n"
            "project for each scene, the list of frames, and README.txt in English and Japanese.",
        .notes = "--root is the Windows path of the folder of the suite, or of its nearest parent that "
                 "contains all\n"
                 "models (with --copy: of DIR). To compare afterwards: odori diff DIR/expect/SCENE "
                 "DIR/frames/SCENE",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = add_file,
        .positional_target = &options,
    };
    int result = options_parse(&line, argc, argv);
    if (result == OPTIONS_PARSED && options.files.count != 1)
        result =
            options_usage(&line, options.files.count ? "only one suite can be given" : "no suite was given");
    else if (result == OPTIONS_PARSED && options.output && strlen(options.output) >= CHECK_FOLDER_MAX)
        result =
            options_usage(&line, "-o: the path of the folder is longer than %d bytes", CHECK_FOLDER_MAX - 1);
    else if (result == OPTIONS_PARSED && !options.output)
        result = options_usage(&line, "no output folder was given: -o DIR");
    else if (result == OPTIONS_PARSED)
        result = make_kit(&options);
    text_list_finish(&options.files);
    text_list_finish(&options.only);
    text_list_finish(&options.suite_roots);
    return result;
}
