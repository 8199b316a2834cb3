/* odori info: prints the contents of files, and the problems in them. */
#include "info.h"

#include <stdio.h>

#include "base/message.h"
#include "recipe/confine.h"
#include "scene/bundled.h"
#include "scene/scene.h"
#include "scene/options.h"
#include "tools/tools.h"

typedef struct info_options {
    text_list files;
    bool as_json, gpus;
} info_options;

static bool add_file(void *target, const char *value, option_error *error)
{
    return option_add_text(&((info_options *)target)->files, value, error);
}

static bool set_json(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    ((info_options *)target)->as_json = true;
    return true;
}

static bool set_gpus(void *target, const char *value, option_error *error)
{
    (void)value, (void)error;
    return ((info_options *)target)->gpus = true;
}

static const option info_table[] = {
    {0, "json", NULL, "prints JSON", set_json},
    {0, "gpus", NULL, "lists the GPUs that --gpu of shot and others can choose, instead of files", set_gpus},
};

/* The contents of a file, which are one of these, or the error that prevented reading it. */
typedef struct info_file {
    const char *path;
    mmd_model *model;           /* owned by interchange if that has a document */
    mmd_model_file interchange; /* glTF or Ragdoll */
    mmd_motion *motion;
    mmd_vpd *pose;
    mmd_vac *vac;
    mmd_project *project;
    mmd_locate_contents contents; /* of an archive or a folder */
    bool is_container;
    mmd_error error;
} info_file;

/* Reads a file of any supported type. On failure file->error names the file. */
static mmd_status read_file(info_file *file)
{
    mmd_bytes bytes = {0};
    mmd_error *error = &file->error;
    if (mmd_locate_is_container(file->path)) {
        mmd_status status = mmd_locate_contents_read(file->path, &file->contents, error);
        file->is_container = status == MMD_OK;
        return status;
    }
    mmd_status status = mmd_locate_read(file->path, &bytes, error);
    if (status == MMD_OK) {
        switch (mmd_file_detect(bytes.data, bytes.size)) {
        case MMD_FILE_VMD:
            status = mmd_vmd_read(bytes.data, bytes.size, &file->motion, error);
            break;
        case MMD_FILE_VPD:
            status = mmd_vpd_read(bytes.data, bytes.size, &file->pose, error);
            break;
        case MMD_FILE_VAC:
            status = mmd_vac_read(bytes.data, bytes.size, &file->vac, error);
            break;
        case MMD_FILE_PMM:
            status = mmd_pmm_read(bytes.data, bytes.size, &file->project, error);
            break;
        default:
            if (mmd_exchange_detect(bytes.data, bytes.size) == MMD_EXCHANGE_UNKNOWN) {
                status = mmd_model_read(bytes.data, bytes.size, &file->model, error);
            } else {
                status = mmd_model_file_parse(file->path, &bytes, &file->interchange, error);
                file->model = file->interchange.model;
            }
        }
    }
    mmd_bytes_finish(&bytes);
    mmd_error_set_file(error, file->path);
    return status;
}

/* Writes the contents of a file. False: out of memory. */
static bool write_file(facts *f, const info_file *file)
{
    bool ok = true;
    char sentence[1024];
    bool is_read =
        file->model || file->motion || file->pose || file->project || file->vac || file->is_container;
    if (!is_read && !f->as_json)
        return true; /* reported on stderr already */
    facts_open(f, NULL, file->path);
    if (f->as_json)
        emit_member_text(&f->json, "file", file->path);
    if (file->interchange.document) {
        info_exchange(f, file->interchange.document, &file->interchange.textures);
    } else if (file->model || file->vac) { /* their textures are beside them */
        mmd_texture_location textures =
            mmd_textures_beside(file->path, file->vac ? MMD_NAMED_ACCESSORY : MMD_NAMED_PICTURES);
        ok = textures.source != NULL;
        if (ok && file->vac)
            info_vac(f, file->vac, &textures);
        else if (ok)
            info_model(f, file->model, &textures);
        mmd_source_destroy(textures.source);
    } else if (file->motion) {
        info_motion(f, file->motion);
    } else if (file->pose) {
        info_pose(f, file->pose);
    } else if (file->project) {
        info_project(f, file->project);
    } else if (file->is_container) {
        info_container(f, &file->contents);
    } else {
        emit_member_text(&f->json, "error", mmd_error_sentence(&file->error, sentence, sizeof sentence));
    }
    facts_close(f);
    return ok;
}

/* Writes what a motion or a pose moves that a model lacks. */
static void write_match(facts *f, const info_file *model, const info_file *motion)
{
    mmd_motion *made = motion->pose ? mmd_vpd_to_motion(motion->pose) : NULL;
    const mmd_motion *moves = motion->motion ? motion->motion : made;
    if (moves && mmd_motion_is_for_models(moves)) {
        char title[2100];
        snprintf(title, sizeof title, "%.1000s on %.1000s", motion->path, model->path);
        facts_open(f, NULL, title);
        if (f->as_json) {
            emit_member_text(&f->json, "model", model->path);
            emit_member_text(&f->json, "motion", motion->path);
        }
        info_match(f, model->model, moves);
        facts_close(f);
    }
    mmd_motion_destroy(made);
}

/* Writes the contents of all files, and how each motion matches each model. */
static bool write_all(const info_file *files, size_t count, bool as_json, problem *why)
{
    facts f = {.as_json = as_json, .json = {.out = stdout}};
    if (as_json) {
        emit_open(&f.json, '{');
        emit_key(&f.json, "files");
        emit_open(&f.json, '[');
    }
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = write_file(&f, &files[i]) || problem_out_of_memory(why);
    if (as_json) {
        emit_close(&f.json, ']');
        emit_key(&f.json, "matches");
        emit_open(&f.json, '[');
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; files[i].model && k < count; k++)
            if (files[k].motion || files[k].pose)
                write_match(&f, &files[i], &files[k]);
    if (as_json) {
        emit_close(&f.json, ']');
        emit_close(&f.json, '}');
        putchar('\n');
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        return problem_set(why, EXIT_FACILITY, "stdout: cannot be written");
    return ok;
}

/* Reads all files and writes their contents. Returns the exit code. */
static int run_info(const info_options *options)
{
    size_t count = options->files.count;
    int result = EXIT_DONE;
    bundled own;
    problem why = {0};
    info_file *files = mmd_alloc(count * sizeof *files);
    if (!files) {
        problem_out_of_memory(&why);
        return problem_report(&why);
    }
    for (size_t i = 0; i < count; i++) {
        files[i] = (info_file){.path = options->files.items[i]};
        mmd_error error = {0};
        if (!bundled_is_meant(files[i].path))
            continue;
        if (bundled_find(&own, &error) == MMD_OK)
            files[i].path = own.model;
        else
            report(&error);
    }
    /* A file that cannot be read is reported, and the others are still written. */
    for (size_t i = 0; i < count; i++) {
        int one = read_file(&files[i]) == MMD_OK ? EXIT_DONE : report(&files[i].error);
        result = result == EXIT_DONE ? one : result;
    }
    if (!write_all(files, count, options->as_json, &why)) {
        int written = problem_report(&why);
        result = result == EXIT_DONE ? written : result;
    }
    for (size_t i = 0; i < count; i++) {
        if (files[i].interchange.document)
            mmd_model_file_finish(&files[i].interchange);
        else
            mmd_model_destroy(files[i].model);
        mmd_motion_destroy(files[i].motion);
        mmd_vpd_destroy(files[i].pose);
        mmd_vac_destroy(files[i].vac);
        mmd_project_destroy(files[i].project);
        mmd_locate_contents_finish(&files[i].contents);
    }
    mmd_free(files);
    return result;
}

int info_main(int argc, char **argv)
{
    info_options options = {0};
    common_options common = default_common_options();
    const option_group groups[] = {
        {"info", info_table, sizeof info_table / sizeof *info_table, &options},
        group_of_sandbox(&common),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "info",
        .usage = "FILE...|--gpus [--json]",
        .summary = "Prints the contents of models, accessories, motions, poses, projects, glTF and Ragdoll "
                   "files, archives\n"
                   "and folders, and the problems in them. Given a model and a motion, it also lists the "
                   "bones and morphs\n"
                   "that the motion moves and the model lacks.",
        .notes = "The exit code is 0 if all files could be read, even if there are problems in them. A file "
                 "that cannot\n"
                 "be read is reported on stderr (and in the JSON), and the others are still printed. The "
                 "exit code is\n"
                 "then that of the first unreadable file.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = add_file,
        .positional_target = &options,
    };
    int result = options_parse(&line, argc, argv);
    if (result == OPTIONS_PARSED && options.gpus && options.files.count)
        result = options_usage(&line, "--gpus takes no files");
    else if (result == OPTIONS_PARSED && options.gpus)
        result = info_gpus(options.as_json);
    else if (result == OPTIONS_PARSED && options.files.count == 0)
        result = options_usage(&line, "no file was given");
    else if (result == OPTIONS_PARSED) {
        warn_exec_has_no_effect(&common, line.name);
        confine_begin(&common, false);
        for (size_t i = 0; i < options.files.count; i++)
            confine_scene(options.files.items[i]);
        confine_enter(&common);
        result = run_info(&options);
    }
    text_list_finish(&options.files);
    common_options_finish(&common);
    return result;
}
