/*
 * odori convert: converts a model with its physics between formats (mmd/exchange.h). Data that the target
 * format cannot represent is reported, and stored in the target for converting back.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "bake.h"
#include "base/emit.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "base/output.h"
#include "base/sandbox.h"
#include "recipe/confine.h"
#include "recipe/stage.h"
#include "tools.h"

enum { LOSSES_PRINTED = 20 };

typedef struct convert_command {
    const char *files[2]; /* IN and OUT */
    size_t file_count;
    const char *to, *dialect, *report; /* values of the options; NULL: not given */
    bool json;
    text_list motions;
} convert_command;

/* Stores a value that has to be one of a list. */
static bool one_of(const char **to, const char *value, const char *const *allowed, option_error *error)
{
    *to = value;
    for (size_t i = 0; allowed[i]; i++)
        if (strcmp(value, allowed[i]) == 0)
            return true;
    return option_fail(error, EXIT_USAGE, "\"%.60s\" is not one of the values that --help lists", value);
}

static bool set_to(void *target, const char *value, option_error *error)
{
    static const char *const allowed[] = {"khr", "omi", "ragdoll", "pmx", NULL};
    return one_of(&((convert_command *)target)->to, value, allowed, error);
}

static bool set_dialect(void *target, const char *value, option_error *error)
{
    static const char *const allowed[] = {"seed", "current", "newer", NULL};
    return one_of(&((convert_command *)target)->dialect, value, allowed, error);
}

static bool set_motion(void *target, const char *value, option_error *error)
{
    return option_add_text(&((convert_command *)target)->motions, value, error);
}

static bool set_report(void *target, const char *value, option_error *error)
{
    (void)error;
    ((convert_command *)target)->report = value;
    return true;
}

static bool set_json(void *target, const char *value, option_error *error)
{
    (void)value;
    (void)error;
    ((convert_command *)target)->json = true;
    return true;
}

static bool take_file(void *target, const char *value, option_error *error)
{
    convert_command *command = target;
    if (command->file_count == 2)
        return option_fail(error, EXIT_USAGE, "only two files can be given, IN and OUT");
    command->files[command->file_count++] = value;
    return true;
}

static const option convert_table[] = {
    {0, "to", "khr|omi|ragdoll|pmx",
     "target format (by the extension of OUT; physics of a glTF as in IN, or khr)", set_to},
    {0, "dialect", "seed|current|newer",
     "version of the physics extensions: khr seed or current, omi seed or newer (as in IN, or seed)",
     set_dialect},
    {0, "motion", "M.vmd", "writes this motion as the animation of a glTF; later ones override earlier ones",
     set_motion},
    {0, "report", "R.json", "writes all differences between OUT and IN to a JSON file", set_report},
    {0, "json", NULL, "prints the same JSON to stdout", set_json},
};

typedef struct convert_job {
    const convert_command *command;
    const physics_settings *physics;
    const common_options *common;
    mmd_model_file file;
    mmd_bytes sidecar;  /* NAME.physics.json of a PMX */
    bool has_sidecar;   /* there is one, which may be empty */
    mmd_motion *motion; /* baked motion of --motion, or NULL */
    mmd_exchange_options options;
    mmd_exchange_output output;
} convert_job;

/* ---- the target ---- */

/* Returns the extension of a file with its dot, or "". */
static const char *extension_of(const char *path)
{
    const char *dot = strrchr(mmd_path_name(path), '.');
    return dot ? dot : "";
}

/* Returns whether a path has an extension, in any case of letters. */
static bool ends_in(const char *path, const char *extension)
{
    const char *end = extension_of(path);
    size_t i = 0;
    while (extension[i] && (end[i] | 0x20) == (extension[i] | 0x20))
        i++;
    return end[i] == extension[i];
}

/* Returns the format of a file by its extension. */
static mmd_exchange_format format_of_name(const char *path)
{
    static const struct {
        const char *extension;
        mmd_exchange_format format;
    } ends[] = {{".gltf", MMD_EXCHANGE_GLTF},
                {".glb", MMD_EXCHANGE_GLTF},
                {".json", MMD_EXCHANGE_RAGDOLL},
                {".rag", MMD_EXCHANGE_RAGDOLL},
                {".pmx", MMD_EXCHANGE_PMX}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_in(path, ends[i].extension))
            return ends[i].format;
    return MMD_EXCHANGE_UNKNOWN;
}

/* Returns the format of a value of --to. */
static mmd_exchange_format format_of_to(const char *to)
{
    return strcmp(to, "pmx") == 0       ? MMD_EXCHANGE_PMX
           : strcmp(to, "ragdoll") == 0 ? MMD_EXCHANGE_RAGDOLL
                                        : MMD_EXCHANGE_GLTF;
}

/* Returns whether a glTF gets the OMI extensions rather than the KHR ones: by --to, else by --dialect, else
 * as in IN. */
static bool is_omi(const convert_command *command, const mmd_exchange *document)
{
    if (command->to)
        return strcmp(command->to, "omi") == 0;
    if (command->dialect && strcmp(command->dialect, "seed") != 0)
        return strcmp(command->dialect, "newer") == 0;
    return document && document->dialect >= MMD_DIALECT_OMI_CONSTRAINTS;
}

/* Checks the options together. Returns OPTIONS_PARSED, or an exit code after reporting an error. */
static int check_options(const command_line *line, const convert_command *command)
{
    if (command->file_count < 2)
        return options_usage(line, "two files are needed: one to read and one to write");
    const char *out = command->files[1];
    mmd_exchange_format format = format_of_name(out);
    if (format == MMD_EXCHANGE_UNKNOWN)
        return options_usage(line, "%.200s: the extension is none of .glb, .gltf, .json, .rag and .pmx", out);
    if (command->to && format_of_to(command->to) != format)
        return options_usage(line, "--to %s does not match the extension of %.200s", command->to, out);
    if (command->dialect && format != MMD_EXCHANGE_GLTF)
        return options_usage(line, "--dialect only works with .glb and .gltf");
    if (command->dialect && command->to &&
        strcmp(command->dialect, is_omi(command, NULL) ? "current" : "newer") == 0)
        return options_usage(line, "%s has no dialect %s", command->to, command->dialect);
    if (command->motions.count && format != MMD_EXCHANGE_GLTF)
        return options_usage(line,
                             "--motion only works with .glb and .gltf; for other formats use odori bake");
    return OPTIONS_PARSED;
}

/* Returns the dialect for a glTF: as given, or as in IN if it has the same extensions, or MMD_DIALECT_NONE.
 */
static mmd_dialect dialect_of(const convert_job *job)
{
    const convert_command *command = job->command;
    if (!command->to && !command->dialect)
        return MMD_DIALECT_NONE;
    bool omi = is_omi(command, job->file.document);
    mmd_dialect seed = omi ? MMD_DIALECT_OMI_CONSTRAINTS : MMD_DIALECT_KHR_COLLISION_SHAPES;
    mmd_dialect other = omi ? MMD_DIALECT_OMI_PHYSICS_JOINTS : MMD_DIALECT_KHR_IMPLICIT_SHAPES;
    if (command->dialect)
        return strcmp(command->dialect, "seed") == 0 ? seed : other;
    return job->file.document && job->file.document->dialect == other ? other : seed;
}

/* ---- reading ---- */

/* Reads NAME.physics.json beside a PMX if it exists. */
static bool read_sidecar(convert_job *job, problem *why)
{
    const char *in = job->command->files[0];
    char path[4096];
    mmd_error error = {0};
    if (job->file.document ||
        snprintf(path, sizeof path, "%.*s.physics.json", (int)(strlen(in) - strlen(extension_of(in))), in) >=
            (int)sizeof path ||
        !platform_exists(path))
        return true;
    job->has_sidecar = true;
    return mmd_file_read(path, &job->sidecar, &error) == MMD_OK || problem_from(why, &error);
}

/* Plays the motions and bakes them to plain bones. */
static bool bake_motions(convert_job *job, const mmd_log *log, problem *why)
{
    const convert_command *command = job->command;
    const recipe_opening how = {.subcommand = "convert", .needs = NEEDS_ONE_MODEL, .log = log};
    recipe wanted;
    recipe_stage stage = {0};
    mmd_error error = {0};
    recipe_init(&wanted, true);
    wanted.physics = *job->physics;
    bool added = scene_inputs_add_path(&wanted.scene.files, command->files[0]);
    for (size_t i = 0; added && i < command->motions.count; i++)
        added = scene_inputs_add_path(&wanted.scene.motions, command->motions.items[i]);
    bool ok = added || problem_out_of_memory(why);
    if (ok)
        ok = recipe_open(&stage, &wanted, &how, &error) == MMD_OK || problem_from(why, &error);
    if (ok)
        ok = baking_plain(&stage.scene, &stage.scene.models[scene_main_model(&stage.scene)], job->physics->on,
                          &job->motion, why);
    recipe_close(&stage);
    recipe_finish(&wanted);
    return ok;
}

/* Reads IN with all its parts, and makes the files of the output in memory. */
static bool convert(convert_job *job, problem *why)
{
    const convert_command *command = job->command;
    mmd_error error = {0};
    const mmd_log messages = stderr_log(MMD_LOG_INFO);
    mmd_log log = stderr_log(job->common->log_level);
    if (mmd_model_file_choose(command->files[0], &messages, &job->file, &error) != MMD_OK)
        return problem_from(why, &error);
    if (command->motions.count && job->file.document)
        return problem_set(why, EXIT_USAGE, "%s: --motion only works with PMX and PMD models",
                           command->files[0]);
    if (!read_sidecar(job, why) || (command->motions.count && !bake_motions(job, &log, why)))
        return false;

    const char *out = command->files[1];
    const void *sidecar = job->has_sidecar && !job->sidecar.size ? (const void *)"" : job->sidecar.data;
    const mmd_exchange_input input = {.document = job->file.document,
                                      .model = job->file.document ? NULL : job->file.model,
                                      .sidecar = sidecar,
                                      .sidecar_size = job->sidecar.size,
                                      .motion = job->motion,
                                      .textures = job->file.textures.source,
                                      .folder = job->file.textures.folder};
    job->options = (mmd_exchange_options){
        .format = format_of_name(out), .binary = ends_in(out, ".glb"), .name = mmd_path_name(out)};
    if (job->options.format == MMD_EXCHANGE_GLTF)
        job->options.dialect = dialect_of(job);
    if (mmd_exchange_write(&input, &job->options, &job->output, &error) == MMD_OK)
        return true;
    mmd_error_set_file(&error, out);
    return problem_from(why, &error);
}

/* ---- writing ---- */

/* Writes the path of a file beside OUT. False: it is too long. */
static bool path_beside(const convert_job *job, const char *name, char path[4096])
{
    char folder[4096];
    mmd_path_folder(job->command->files[1], folder, sizeof folder);
    return snprintf(path, 4096, "%s%s%s", folder, folder[platform_path_root(folder)] ? "/" : "", name) < 4096;
}

/* Returns whether a file that exists is left as it is. That applies to pictures, which may be the originals
 * of the ones to write. */
static bool is_kept(const convert_job *job, const mmd_exchange_file *file)
{
    static const char *const own[] = {".bin", ".physics.json"};
    size_t length = strlen(file->name);
    char path[4096];
    mmd_bytes there = {0};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (length > strlen(own[i]) && strcmp(file->name + length - strlen(own[i]), own[i]) == 0)
            return false;
    if (!path_beside(job, file->name, path) || !platform_exists(path))
        return false;
    bool is_read = mmd_file_read(path, &there, NULL) == MMD_OK;
    if (!is_read || there.size != file->data.size || memcmp(there.data, file->data.data, there.size) != 0)
        message("%s: exists already%s and is not overwritten", path, is_read ? " with other contents" : "");
    mmd_bytes_finish(&there);
    return true;
}

/* Writes a file beside OUT, and creates the folders in its name. Where the sandbox does not let it, its
 * helper does (sandbox_helper.h). */
static bool write_beside(const convert_job *job, const mmd_exchange_file *file, problem *why)
{
    char path[4096], above[4096], folder[MMD_PATH_MAX];
    if (!path_beside(job, file->name, path))
        return problem_set(why, EXIT_FACILITY, "%s: the path is too long", file->name);
    for (const char *slash = strchr(file->name, '/'); slash; slash = strchr(slash + 1, '/')) {
        int length = (int)(slash - file->name);
        if (length >= (int)sizeof folder)
            return problem_set(why, EXIT_FACILITY, "%s: the path is too long", file->name);
        memcpy(folder, file->name, (size_t)length);
        folder[length] = '\0';
        if (!path_beside(job, folder, above) ||
            (!platform_make_folder(above, 0777) && errno != EEXIST && errno != EACCES))
            return problem_set(why, EXIT_FACILITY, "%s: the folder cannot be created: %s", above,
                               strerror(errno));
    }
    return output_write(path, file->data.data, file->data.size) || problem_set(why, EXIT_FACILITY, "%s", "");
}

/* Writes all files, the main one last, so that it only exists if all others do. */
static bool write_files(const convert_job *job, problem *why)
{
    const mmd_buffer *main_file = &job->output.files[0].data;
    for (uint32_t i = job->output.count; i-- > 1;)
        if (!is_kept(job, &job->output.files[i]) && !write_beside(job, &job->output.files[i], why))
            return false;
    return output_write(job->command->files[1], main_file->data, main_file->size) ||
           problem_set(why, EXIT_FACILITY, "%s", "");
}

/* ---- reporting losses ---- */

static const char *const severities[] = {"info", "approx", "dropped"};

/* Returns the losses of reading (direction 0) or of writing (1). */
static const mmd_losses *losses_of(const convert_job *job, int direction)
{
    static const mmd_losses none;
    if (direction)
        return &job->output.losses;
    return job->file.document ? &job->file.document->losses : &none;
}

/* Prints the losses that were dropped or approximated, and counts those that only are notes. */
static void print_losses(const convert_job *job)
{
    uint32_t printed = 0, left = 0, counts[3] = {0};
    for (int severity = MMD_LOSS_DROPPED; severity >= MMD_LOSS_INFO; severity--)
        for (int direction = 0; direction < 2; direction++) {
            const mmd_losses *losses = losses_of(job, direction);
            char text[MMD_LOSS_TEXT_MAX];
            counts[severity] += losses->left_out[severity];
            left += losses->left_out[severity];
            for (uint32_t i = 0; i < losses->count; i++) {
                if (losses->items[i].severity != severity)
                    continue;
                counts[severity]++;
                if (severity == MMD_LOSS_INFO || printed == LOSSES_PRINTED)
                    left++;
                else
                    message("%s", mmd_loss_text(&losses->items[i], text));
                printed += severity != MMD_LOSS_INFO && printed < LOSSES_PRINTED;
            }
        }
    if (left)
        message("and %u more (--report R.json lists all of them)", left);
    message("%s: %u file%s, %u dropped, %u approximated, %u noted", job->command->files[1], job->output.count,
            job->output.count == 1 ? "" : "s", counts[MMD_LOSS_DROPPED], counts[MMD_LOSS_APPROXIMATED],
            counts[MMD_LOSS_INFO]);
}

/* Writes a loss as JSON. */
static void emit_loss(emitter *j, const mmd_loss *loss)
{
    static const char *const formats[] = {"", "gltf", "ragdoll", "pmx"};
    emit_open(j, '{');
    emit_member_text(j, "severity", severities[loss->severity]);
    emit_member_text(j, "format", formats[loss->format]);
    emit_member_text(j, "direction", loss->writing ? "write" : "read");
    emit_member_text(j, "path", loss->path);
    emit_member_text(j, "field", loss->field);
    emit_member_text(j, "source", loss->source);
    emit_member_text(j, "emitted", loss->emitted);
    emit_member_text(j, "code", loss->code);
    emit_close(j, '}');
}

/* Writes the report with all losses as JSON. */
static void emit_report(const convert_job *job, FILE *out)
{
    emitter j = {.out = out};
    emit_open(&j, '{');
    emit_member_text(&j, "input", job->command->files[0]);
    emit_member_text(&j, "output", job->command->files[1]);
    emit_key(&j, "files");
    emit_open(&j, '[');
    for (uint32_t i = 0; i < job->output.count; i++)
        emit_text(&j, job->output.files[i].name);
    emit_close(&j, ']');
    emit_key(&j, "losses");
    emit_open(&j, '[');
    for (int direction = 0; direction < 2; direction++)
        for (uint32_t i = 0; i < losses_of(job, direction)->count; i++)
            emit_loss(&j, &losses_of(job, direction)->items[i]);
    emit_close(&j, ']');
    emit_key(&j, "more_losses"); /* losses that are not in the list, by severity */
    emit_open(&j, '{');
    for (int severity = MMD_LOSS_INFO; severity <= MMD_LOSS_DROPPED; severity++)
        emit_member_whole(&j, severities[severity],
                          losses_of(job, 0)->left_out[severity] +
                              (uint64_t)job->output.losses.left_out[severity]);
    emit_close(&j, '}');
    emit_close(&j, '}');
    fputc('\n', out);
}

/* ---- the subcommand ---- */

/* Keeps the files that the command line names, and gives up all others. */
static void enter_sandbox(const convert_command *command, const common_options *common)
{
    char beside[MMD_FILE_PATH_MAX];
    const char *out = command->files[1], *name = mmd_path_name(out), *dot = strrchr(name, '.');
    int stem = (int)(dot && dot > name ? dot - out : (int)strlen(out));
    confine_begin(common, false);
    confine_scene(command->files[0]);
    for (size_t i = 0; i < command->motions.count; i++)
        sandbox_read(command->motions.items[i]);
    sandbox_write(out);
    if (snprintf(beside, sizeof beside, "%.*s.bin", stem, out) < (int)sizeof beside)
        sandbox_write(beside);
    if (snprintf(beside, sizeof beside, "%.*s.physics.json", stem, out) < (int)sizeof beside)
        sandbox_write(beside);
    if (command->report)
        sandbox_write(command->report);
    sandbox_write_new_beside(out); /* pictures, and buffers with names of their own */
    confine_enter(common);
}

/* Converts, and reports the losses. */
static bool run(convert_job *job, problem *why)
{
    output out;
    bool ok = convert(job, why) && write_files(job, why);
    if (ok)
        print_losses(job);
    if (ok && job->command->json)
        emit_report(job, stdout);
    if (ok && job->command->report) {
        ok = output_open(&out, job->command->report);
        if (ok) {
            emit_report(job, out.stream);
            ok = output_commit(&out);
        }
        if (!ok)
            problem_set(why, EXIT_FACILITY, "%s", "");
    }
    mmd_exchange_output_finish(&job->output);
    mmd_motion_destroy(job->motion);
    mmd_bytes_finish(&job->sidecar);
    mmd_model_file_finish(&job->file);
    return ok;
}

int convert_main(int argc, char **argv)
{
    convert_command command = {.file_count = 0};
    physics_settings physics;
    common_options common = default_common_options();
    physics_settings_init(&physics, false);
    const option_group groups[] = {
        {"convert", convert_table, sizeof convert_table / sizeof *convert_table, &command},
        group_of_physics(&physics),
        group_of_sandbox(&common),
        group_of_all(&common),
    };
    const command_line line = {
        .name = "convert",
        .usage = "IN OUT [options]",
        .summary = "Converts a model and its physics between PMX (PMD, .x), glTF and Ragdoll JSON.",
        .notes = "OUT is .glb, .gltf (with its buffer and pictures beside it), .json or .rag (Ragdoll), or "
                 ".pmx (with\n"
                 "its pictures where it names them). Data that the format of OUT cannot store is listed on "
                 "stderr and in\n"
                 "--report. OUT also contains a copy of IN, so that converting back restores everything bit "
                 "for bit\n"
                 "that was not edited in between. For a PMX the copy is NAME.physics.json beside it: keep "
                 "the two\n"
                 "together. Edits by other programs are used; numbers that they only rounded are not edits.",
        .groups = groups,
        .group_count = sizeof groups / sizeof *groups,
        .positional = take_file,
        .positional_target = &command,
    };
    int result = options_parse(&line, argc, argv);
    if (result == OPTIONS_PARSED)
        result = check_options(&line, &command);
    if (result == OPTIONS_PARSED) {
        convert_job job = {.command = &command, .physics = &physics, .common = &common};
        physics_take_threads(&physics, &common);
        warn_exec_has_no_effect(&common, "convert");
        enter_sandbox(&command, &common);
        problem why = {0};
        result = run(&job, &why) ? EXIT_DONE : problem_report(&why);
    }
    text_list_finish(&command.motions);
    common_options_finish(&common);
    return result;
}
