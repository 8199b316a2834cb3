/* The command line of odori check, which compares the scenes of a suite with their baselines, or pictures
 * with the same pictures drawn again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/parse.h"
#include "base/paths.h"
#include "base/sandbox.h"
#include "base/system.h"
#include "base/time_limit.h"
#include "check.h"
#include "command/commands.h"
#include "files/png_text.h"
#include "recipe/confine.h"
#include "recipe/draw.h"
#include "internal.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"

static bool add_file(void *target, const char *value, option_error *error)
{
    return option_add_text(&((check_options *)target)->files, value, error);
}

static bool add_only(void *target, const char *value, option_error *error)
{
    return option_add_text(&((check_options *)target)->only, value, error);
}

static bool add_folder(void *target, const char *value, option_error *error)
{
    return option_add_text(&((check_options *)target)->folders, value, error);
}

static bool add_root(void *target, const char *value, option_error *error)
{
    return option_add_text(&((check_options *)target)->roots, value, error);
}

static bool set_baselines(void *target, const char *value, option_error *error)
{
    (void)error;
    ((check_options *)target)->baselines = value;
    return true;
}

static bool set_max_models(void *target, const char *value, option_error *error)
{
    return scene_set_max_models(&((check_options *)target)->max_models, value, error);
}

static bool set_report(void *target, const char *value, option_error *error)
{
    ((check_options *)target)->report = value;
    return *value || option_fail(error, EXIT_USAGE, "the name of a folder is missing");
}

static bool set_output(void *target, const char *value, option_error *error)
{
    (void)error;
    ((check_options *)target)->output = value;
    return true;
}

static bool set_accept(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((check_options *)target)->accept = true;
}

static bool set_accept_from(void *target, const char *value, option_error *error)
{
    ((check_options *)target)->accept_from = value;
    return *value || option_fail(error, EXIT_USAGE, "the name of a folder is missing");
}

static bool set_keep_inputs(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((check_options *)target)->keep_inputs = true;
}

static bool set_fresh(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((check_options *)target)->fresh = true;
}

static bool set_json(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((check_options *)target)->json = true;
}

static bool set_merge(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((check_options *)target)->merge = true;
}

static bool set_summary(void *target, const char *value, option_error *error)
{
    ((check_options *)target)->summary = value;
    return *value || option_fail(error, EXIT_USAGE, "the name of a file is missing");
}

static bool set_times(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((check_options *)target)->times = true;
}

static bool set_sensitivity(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((check_options *)target)->sensitivity = true;
}

static bool set_strict(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((check_options *)target)->strict = true;
}

static bool set_jobs(void *target, const char *value, option_error *error)
{
    uint64_t jobs;
    if (!parse_whole(value, 1, 256, &jobs))
        return option_fail(error, EXIT_USAGE, "\"%.40s\" is not a number of processes from 1 to 256", value);
    ((check_options *)target)->jobs = (uint32_t)jobs;
    return true;
}

static bool set_repeat(void *target, const char *value, option_error *error)
{
    uint64_t rounds;
    if (!parse_whole(value, 2, 1000, &rounds))
        return option_fail(error, EXIT_USAGE, "\"%.40s\" is not a number of rounds from 2 to 1000", value);
    ((check_options *)target)->repeat = (uint32_t)rounds;
    return true;
}

static bool set_shard(void *target, const char *value, option_error *error)
{
    check_options *options = target;
    char first[16];
    const char *slash = strchr(value, '/');
    uint64_t shard, shards;
    size_t length = slash ? (size_t)(slash - value) : sizeof first;
    if (length < sizeof first) {
        memcpy(first, value, length);
        first[length] = '\0';
        if (parse_whole(slash + 1, 1, 1000000, &shards) && parse_whole(first, 1, shards, &shard)) {
            options->shard = (uint32_t)shard;
            options->shards = (uint32_t)shards;
            return true;
        }
    }
    return option_fail(error, EXIT_USAGE, "\"%.40s\" is not a part I/N with I from 1 to N", value);
}

static bool set_tolerance(void *target, const char *value, option_error *error)
{
    return tolerance_parse(&((check_options *)target)->tolerance, value, error);
}

static const option suite_table[] = {
    {0, "accept", NULL, "replaces the baselines by the pictures that were drawn", set_accept},
    {0, "accept-from", "DIR", "replaces the baselines by the pictures of a report, without drawing",
     set_accept_from},
    {0, "keep-inputs", NULL,
     "with --accept, also stores what models and motions hold, by which later checks count what has changed",
     set_keep_inputs},
    {0, "only", "NAME", "only scenes whose name matches NAME; * and ? are wildcards (may be repeated)",
     add_only},
    {0, "root", "DIR",
     "the suite may also name files in DIR, besides those in its repository (may be repeated)", add_root},
    {0, "baselines", "DIR", "folder of the baselines, instead of the one that the suite names",
     set_baselines},
    {0, "strict", NULL, "treats warnings as failures, as \"strict\" in the suite does", set_strict},
    {0, "report", "DIR", "writes index.html, junit.xml, results.json and all pictures to DIR", set_report},
    {0, "summary", "FILE.md",
     "writes a table of the pictures that did not pass, the worst first, as Markdown", set_summary},
    {0, "times", NULL, "adds the seconds of each scene to junit.xml and results.json", set_times},
    {0, "sensitivity", NULL, "searches how small a change of a model each scene notices, without baselines",
     set_sensitivity},
    {0, "jobs", "N", "number of processes that draw; it never changes the results (1)", set_jobs},
    {0, "repeat", "N", "draws each scene N times, and names what is not the same every time", set_repeat},
    {0, "shard", "I/N", "draws only the I-th of N parts of the suite", set_shard},
    {0, "fresh", NULL, "starts again instead of continuing an interrupted run with this report", set_fresh},
    {0, "merge", NULL, "joins the reports DIR... of all shards into the one of --report", set_merge},
    {0, "json", NULL, "prints results.json to stdout", set_json},
};

static const option picture_table[] = {
    {0, "folder", "DIR", "folder to search for the files of the picture (may be repeated)", add_folder},
    {0, "tolerance", "max=N,...", "limits as in a suite: max, mean, p99, share, threshold, psnr, ssim, flip",
     set_tolerance},
    {0, "max-models", "N", "the most models that a picture or a scene of a suite may have (256)",
     set_max_models},
    {'o', NULL, "out.png", "writes the newly drawn picture to a file", set_output},
};

/* --- Choosing scenes --- */

bool check_override(const check_options *options, recipe *p, mmd_arena *arena)
{
    option_error ignored = {0};
    for (size_t i = 0; i < options->settings.count; i++)
        recipe_set(&p->settings, options->settings.items[i].name, options->settings.items[i].value, &ignored);
    if (!*options->exec)
        return true;
    char *exec = mmd_arena_alloc(arena, strlen(p->exec) + strlen(options->exec) + 2, 1);
    if (exec)
        sprintf(exec, "%s\n%s", p->exec, options->exec);
    p->exec = exec;
    return exec != NULL;
}

/* Applies the options of the command line to all scenes. They become part of the digest of the suite, since
 * interrupted runs and shards with other options must not be combined. */
static bool override_suite(suite *s, const check_options *options, problem *why)
{
    if (options->settings.count == 0 && !*options->exec && !options->strict)
        return true;
    digest_stream stream = digest_begin();
    digest_add_text(&stream, s->content.text);
    for (size_t i = 0; i < options->settings.count; i++) {
        digest_add_text(&stream, options->settings.items[i].name);
        digest_add_text(&stream, options->settings.items[i].value);
    }
    digest_add_text(&stream, options->exec);
    digest_add_text(&stream, options->strict ? "strict" : "");
    s->content = digest_end(&stream);
    s->strict = s->strict || options->strict;
    for (size_t i = 0; i < s->count; i++)
        if (!check_override(options, &s->scenes[i].recipe, &s->arena))
            return problem_out_of_memory(why);
    return true;
}

static void list_option(json_t *list, const char *name, const char *value)
{
    char text[MMD_FILE_PATH_MAX + 64];
    snprintf(text, sizeof text, "--%s=%s", name, value);
    json_array_append_new(list, clean_text(text));
}

/* Lists the options that --accept-from has to have, too, for the report to be of the same suite. */
static json_t *list_options(const check_options *options)
{
    json_t *list = json_array();
    const text_list *exec = &options->common->exec;
    if (options->strict)
        json_array_append_new(list, json_string("--strict"));
    for (size_t i = 0; i < options->settings.count; i++)
        list_option(list, options->settings.items[i].name, options->settings.items[i].value);
    for (size_t i = 0; i < exec->count; i++)
        list_option(list, "exec", exec->items[i]);
    for (size_t i = 0; i < options->roots.count; i++)
        list_option(list, "root", options->roots.items[i]);
    if (options->baselines)
        list_option(list, "baselines", options->baselines);
    return list;
}

/* Reports the results of a run: writes the report, prints to stdout, and sets the exit code. */
static bool report_run(const check_run *run, json_t *about, json_t *results, int *code, problem *why)
{
    char shard[32];
    const check_options *options = run->options;
    json_t *whole = json_pack("{si ss ss ss sI}", "format", 1, "odori", ODORI_VERSION, "suite",
                              mmd_path_name(run->suite->path), "suite_hash", run->suite->content.text,
                              "total", (json_int_t)run->total);
    json_object_update(whole, about);
    json_object_set_new(whole, "options", list_options(options));
    if (options->shards > 1) {
        snprintf(shard, sizeof shard, "%u/%u", options->shard, options->shards);
        json_object_set_new(whole, "shard", json_string(shard));
    }
    if (options->repeat > 1)
        json_object_set_new(whole, "repeat", json_integer(options->repeat));
    bool ok = check_report(options, options->report, whole, results, code, why);
    json_decref(whole);
    return ok;
}

/* Draws the scenes that the options choose. Sets code to the exit code of the results. */
static bool run_chosen(const check_options *options, const suite *s, int *code, problem *why)
{
    size_t *chosen = mmd_alloc(s->count * sizeof *chosen), count = 0;
    if (!chosen)
        return problem_out_of_memory(why);
    for (size_t i = 0; i < s->count; i++)
        if (suite_is_wanted(&options->only, s->scenes[i].name))
            chosen[count++] = i;
    /* Consecutive scenes share models, so a shard is a range of them. */
    size_t from = count * (options->shard - 1) / options->shards,
           to = count * options->shard / options->shards;
    char program[MMD_FILE_PATH_MAX] = "";
    system_program_path(program);
    const check_run run = {.options = options,
                           .suite = s,
                           .chosen = chosen + from,
                           .chosen_count = to - from,
                           .total = count,
                           .program = file_digest(program),
                           .round = 1};
    bool ok = true;
    if (count == 0)
        ok = problem_set(why, EXIT_USAGE, "%s has no scene that matches --only %.200s", s->path,
                         options->only.items[0]);
    else if (options->report && !path_make_folder(options->report))
        ok = problem_set(why, EXIT_FACILITY, "%s", "");
    json_t *results = json_array(), *about = json_object();
    ok = ok && check_run_all(&run, results, about, why);
    /* --merge sorts scenes by their index among all that were chosen before sharding. */
    for (size_t i = 0; i < json_array_size(results); i++) {
        json_t *scene = json_array_get(results, i);
        json_object_del(scene, "index");
        json_object_set_new(scene, "place", json_integer((json_int_t)(from + i)));
    }
    ok = ok && report_run(&run, about, results, code, why);
    json_decref(results);
    json_decref(about);
    mmd_free(chosen);
    return ok;
}

/*
 * --- Folders that a report must not be written to ---
 *
 * A report overwrites files with fixed names, so its folder must not contain the suite, its inputs or its
 * baselines.
 */

/* The folder of the report, which is compared with those of all inputs. */
typedef struct guarded {
    const char *given;
    char path[MMD_FILE_PATH_MAX],
        last[MMD_FILE_PATH_MAX]; /* last: the folder of the previous input, which often is the same */
    problem *why;
} guarded;

/* Fills the problem with why the report cannot be written there. Returns false. */
static bool refuse(const guarded *g, const char *what, const char *path)
{
    return problem_set(g->why, EXIT_USAGE, "--report %.400s %s %.800s; give the report a folder of its own",
                       g->given, what, path);
}

/* Checks that the report would not overwrite an input file or be written to its folder. */
static bool guard_file(guarded *g, const char *path)
{
    char folder[MMD_FILE_PATH_MAX], resolved[MMD_FILE_PATH_MAX];
    if (strlen(path) >= sizeof folder)
        return true;
    mmd_path_folder(path, folder, sizeof folder);
    if (strcmp(folder, g->last) != 0) {
        snprintf(g->last, sizeof g->last, "%s", folder);
        if (platform_path_resolve(folder, resolved) && strcmp(resolved, g->path) == 0)
            return refuse(g, "is the folder of the input", path);
    }
    if (strcmp(mmd_path_name(path), mmd_path_name(g->path)) == 0 && platform_path_resolve(path, resolved) &&
        strcmp(resolved, g->path) == 0)
        return refuse(g, "is the input", path);
    return true;
}

/* Checks the inputs of a scene, except the bundled dancer. */
static bool guard_inputs(guarded *g, const scene_input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (inputs[i].given && !inputs[i].is_dancer && !guard_file(g, inputs[i].path))
            return false;
    return true;
}

/*
 * Checks that the report would be written neither into the baselines, nor over an input, nor among the files
 * of the suite or its scenes. Also checks that paths below the folders are not too long.
 */
static bool guard(const check_options *options, const suite *s, problem *why)
{
    guarded g = {.given = options->report, .why = why};
    char baselines[MMD_FILE_PATH_MAX];
    if (strlen(s->baselines) >= CHECK_FOLDER_MAX)
        return problem_set(
            why, EXIT_INPUT,
            "%.400s: the path of its folder of baselines is longer than %d bytes; move the suite", s->path,
            CHECK_FOLDER_MAX - 1);
    if (!options->report)
        return true;
    if (strlen(options->report) >= CHECK_FOLDER_MAX || !path_resolve(options->report, g.path))
        return problem_set(why, EXIT_USAGE,
                           "--report: the path of the folder is longer than %d bytes, or leads nowhere",
                           CHECK_FOLDER_MAX - 1);
    if (path_resolve(s->baselines, baselines) && mmd_path_is_inside(g.path, baselines))
        return refuse(&g, "is inside the folder of the baselines,", s->baselines);
    bool ok = guard_file(&g, s->path);
    for (size_t i = 0; i < s->count && ok; i++) {
        const suite_scene *p = &s->scenes[i];
        ok = guard_inputs(&g, p->recipe.scene.files.items, p->recipe.scene.files.count) &&
             guard_inputs(&g, p->recipe.scene.motions.items, p->recipe.scene.motions.count) &&
             guard_inputs(&g, p->recipe.scene.poses.items, p->recipe.scene.poses.count) &&
             guard_inputs(&g, &p->recipe.scene.camera, 1) && guard_inputs(&g, &p->recipe.scene.stage, 1);
        for (size_t k = 0; k < p->masks.count && ok; k++)
            ok = guard_inputs(&g, &p->masks.items[k].picture, 1);
    }
    return ok;
}

/* --- Running --- */

/* Keeps the files that the suite and the command line name, and gives up all others. */
static void enter_sandbox(const check_options *options, const suite *s)
{
    confine_begin(options->common, !options->accept_from);
    sandbox_read(s->path);
    /* Baselines may be links to anywhere in the folders of the suite. */
    for (size_t i = 0; i < s->scope.folders.count; i++)
        sandbox_read(s->scope.folders.items[i]);
    for (size_t i = 0; i < s->count; i++) {
        const suite_scene *p = &s->scenes[i];
        confine_recipe(&p->recipe);
        for (size_t k = 0; k < p->masks.count; k++)
            if (p->masks.items[k].picture.given)
                sandbox_read(p->masks.items[k].picture.path);
    }
    if (options->accept_from)
        sandbox_read(options->accept_from);
    if (options->accept || options->accept_from)
        sandbox_write_folder(s->baselines);
    else
        sandbox_read(s->baselines);
    if (options->report)
        sandbox_write_folder(options->report);
    if (options->summary)
        sandbox_write(options->summary);
    confine_enter(options->common);
}

static void enter_sandbox_of_merge(const check_options *options)
{
    confine_begin(options->common, false);
    for (size_t i = 0; i < options->files.count; i++)
        sandbox_read(options->files.items[i]);
    sandbox_write_folder(options->report);
    if (options->summary)
        sandbox_write(options->summary);
    confine_enter(options->common);
}

/* Reads and checks a suite. Returns an exit code. */
static int check_suite(const check_options *options)
{
    suite s;
    int code = EXIT_DONE;
    problem why = {0};
    const suite_opening how = {.path = options->files.items[0],
                               .roots = &options->roots,
                               .option = "--root",
                               .baselines = options->baselines,
                               .max_models = options->max_models,
                               .texture_memory = options->texture_memory};
    time_limit_start(&(time_limit){.seconds = options->common->time_limit, .code = EXIT_NO});
    bool ok = suite_read(&s, &how, &why) && guard(options, &s, &why) && override_suite(&s, options, &why);
    if (!options->accept_from)
        time_limit_stop(); /* each scene has a limit of its own */
    if (ok)
        enter_sandbox(options, &s);
    ok = ok && (options->accept_from ? check_accept_from(options, &s, &code, &why)
                                     : run_chosen(options, &s, &code, &why));
    suite_finish(&s);
    return ok ? code : problem_report(&why);
}

/* Returns whether a file is a PNG picture, by its content. */
static bool is_picture(const char *path)
{
    unsigned char head[8];
    size_t got;
    return mmd_file_read_head(path, head, sizeof head, &got, NULL) == MMD_OK && png_is(head, got);
}

/* Returns an option that --accept-from has no use for, or NULL. */
static const char *without_drawing(const check_options *options)
{
    return options->accept       ? "--accept"
           : options->merge      ? "--merge"
           : options->report     ? "--report"
           : options->shards > 1 ? "--shard"
           : options->summary    ? "--summary"
           : options->output     ? "-o"
                                 : NULL;
}

/* Returns whether the arguments ask for something that --repeat can do more than once. */
static bool repeats(const check_options *options)
{
    return !options->accept && !options->accept_from && !options->merge &&
           !is_picture(options->files.items[0]);
}

/* Returns an option that --sensitivity has no use for, or NULL. */
static const char *without_baselines(const check_options *options)
{
    return options->accept        ? "--accept"
           : options->accept_from ? "--accept-from"
           : options->merge       ? "--merge"
           : options->report      ? "--report"
           : options->summary     ? "--summary"
           : options->output      ? "-o"
           : options->repeat > 1  ? "--repeat"
                                  : NULL;
}

/* Merges reports, checks pictures or checks a suite, whichever the arguments ask for. */
static int check(const command_line *line, const check_options *options)
{
    if (options->files.count == 0)
        return options_usage(line, options->merge ? "no reports of shards were given"
                                                  : "neither a suite nor a picture was given");
    if (options->accept_from && without_drawing(options))
        return options_usage(line, "--accept-from draws nothing, so it does not go with %s",
                             without_drawing(options));
    if (options->repeat > 1 && !repeats(options))
        return options_usage(
            line, "--repeat needs a suite, and goes with neither --accept, --accept-from nor --merge");
    if (options->sensitivity && without_baselines(options))
        return options_usage(line, "--sensitivity compares with no baselines, so it does not go with %s",
                             without_baselines(options));
    if (options->merge) {
        int code = EXIT_DONE;
        problem why = {0};
        if (!options->report)
            return options_usage(line, "--merge needs --report DIR for the joined report");
        if (strlen(options->report) >= CHECK_FOLDER_MAX)
            return options_usage(line, "--report: the path of the folder is longer than %d bytes",
                                 CHECK_FOLDER_MAX - 1);
        enter_sandbox_of_merge(options);
        return check_merge(options, &code, &why) ? code : problem_report(&why);
    }
    if (is_picture(options->files.items[0])) {
        if (options->accept_from)
            return options_usage(line, "--accept-from needs a suite, not a picture");
        if (options->sensitivity)
            return options_usage(line, "--sensitivity needs a suite, not a picture");
        if (options->output && options->files.count > 1)
            return options_usage(line, "-o works with one picture only");
        return check_pictures(options);
    }
    if (options->files.count > 1)
        return options_usage(line, "only one suite can be checked at a time");
    if (options->keep_inputs && !options->accept)
        return options_usage(line, "--keep-inputs needs --accept");
    return check_suite(options);
}

/* Appends the files of --exec to a text that ends with a NUL. "-" is stdin. */
static bool read_exec(const text_list *files, mmd_buffer *text, problem *why)
{
    for (size_t i = 0; i < files->count; i++) {
        mmd_bytes bytes = {0};
        mmd_error error = {0};
        if (strcmp(files->items[i], "-") == 0)
            commands_read_stdin(text);
        else if (mmd_file_read(files->items[i], &bytes, &error) == MMD_OK)
            mmd_write_bytes(text, bytes.data, bytes.size);
        else
            return problem_from(why, &error);
        mmd_write_u8(text, '\n');
        mmd_bytes_finish(&bytes);
    }
    mmd_write_u8(text, '\0');
    return !text->failed || problem_out_of_memory(why);
}

/* Runs the subcommand with the options of the command line. Returns the exit code. */
static int check_with(const command_line *line, check_options *options, const common_options *common)
{
    problem why = {0};
    mmd_buffer exec = {0};
    int result = EXIT_DONE;
    if (read_exec(&common->exec, &exec, &why)) {
        options->exec = (const char *)exec.data;
        options->common = common;
        result = check(line, options);
        if (fflush(stdout) != 0 || ferror(stdout))
            problem_set(&why, EXIT_FACILITY, "stdout: cannot be written");
    }
    if (why.code != EXIT_DONE)
        result = problem_report(&why);
    mmd_buffer_finish(&exec);
    return result;
}

int check_main(int argc, char **argv)
{
    check_options options = {.jobs = 1, .shard = 1, .shards = 1, .repeat = 1, .tolerance = tolerance_none()};
    scene_options scene;
    view_options view;
    physics_settings physics;
    common_options common = default_common_options();
    scene_options_init(&scene);
    view_options_init(&view);
    physics_settings_init(&physics, true);
    const option_group groups[] = {
        {"suite", suite_table, sizeof suite_table / sizeof *suite_table, &options},
        {"pictures", picture_table, sizeof picture_table / sizeof *picture_table, &options},
        group_of_view(&view),
        group_of_physics(&physics),
        group_of_time(&common),
        group_of_gpu(&common),
        group_of_sandbox(&common),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "check",
        .usage = "SUITE.json [options] | PICTURE.png... | --merge DIR... --report DIR",
        .summary = "Draws the scenes of a suite and compares them with their baselines, which are in a "
                   "folder named\n"
                   "after the OpenGL driver. Given pictures made by odori, draws them again from the data "
                   "stored in\n"
                   "them and compares. Needs no display.",
        .notes =
            "Options of pose, view and physics override those of every scene. Commands of --exec run after\n"
            "those of each scene.\n"
            "A suite reads and writes only files below the nearest folder with .git above it, else below its "
            "own\n"
            "folder, and below those of --root. --time-limit is that of each scene or picture.\n"
            "Where the OpenGL driver has no baseline, that of the nearest one (same vendor, then any) is "
            "taken, with\n"
            "the tolerance \"other_driver\".\n"
            "Exit code 1: a picture differs or has no baseline. 3: a file of a scene cannot be read.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = add_file,
        .positional_target = &options,
    };
    int result = options_parse(&line, argc, argv);
    if (result == OPTIONS_PARSED) {
        recipe_list_settings(argc, argv, &options.settings);
        options.texture_memory = view.texture_memory;
        result = check_with(&line, &options, &common);
    }
    scene_options_finish(&scene);
    common_options_finish(&common);
    text_list *const lists[] = {&options.files, &options.only, &options.folders, &options.roots};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        text_list_finish(lists[i]);
    return result;
}
