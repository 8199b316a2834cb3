/* Loads a scene. The order determines the indices of models: files, copies for a crowd, the backdrop last.
 * Then accessories and models are attached to bones, and motions, poses and the camera follow. */
#include "load.h"

#include <assert.h>
#include <string.h>

#include "base/message.h"
#include "bundled.h"
#include "crowd.h"
#include "files/png_text.h"
#include "media/audio_file.h"
#include "mmd/archive.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "placing.h"
#include "project_scene.h"

/* --- Lists --- */

scene_input scene_input_of(const char *argument)
{
    return (scene_input){.given = argument, .path = argument, .is_dancer = bundled_is_meant(argument)};
}

scene_input scene_input_named(const char *given, const char *path)
{
    return (scene_input){.given = given, .path = path, .is_dancer = strcmp(given, BUNDLED_NAME) == 0};
}

bool scene_inputs_add(scene_inputs *inputs, const scene_input *input)
{
    scene_input *grown = mmd_realloc(inputs->items, (inputs->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    inputs->items = grown;
    grown[inputs->count++] = *input;
    return true;
}

bool scene_inputs_add_path(scene_inputs *inputs, const char *argument)
{
    const scene_input input = scene_input_of(argument);
    return scene_inputs_add(inputs, &input);
}

bool scene_input_is_own(const scene_input *motion)
{
    return motion->owner_file || motion->is_of_stage;
}

bool scene_inputs_add_motion(scene_inputs *motions, const scene_input *motion)
{
    if (!scene_inputs_add(motions, motion))
        return false;
    size_t at = 0, last = motions->count - 1;
    while (at < last && !scene_input_is_own(&motions->items[at]))
        at++;
    if (motion->owner || scene_input_is_own(motion))
        return true;
    memmove(motions->items + at + 1, motions->items + at, (last - at) * sizeof *motions->items);
    motions->items[at] = *motion;
    return true;
}

void scene_options_init(scene_options *options)
{
    *options = (scene_options){0};
}

void scene_options_finish(scene_options *options)
{
    mmd_free(options->files.items);
    mmd_free(options->motions.items);
    mmd_free(options->poses.items);
    mmd_free(options->own.items);
    scene_options_init(options);
}

/* --- One file --- */

/* State of loading a scene. */
typedef struct loading {
    odori_scene *scene;
    const scene_options *options;
    const scene_lender *lender; /* NULL if files are read */
    bool is_known; /* files are known to be models and projects, and their warnings are reported elsewhere */
    const mmd_log *log; /* receives warnings about the scene */
    mmd_log of_files;   /* receives warnings about files; silent if is_known */
    size_t *first;      /* index of the first model of each file, with one more element at the end */
    mmd_error *error;
} loading;

/* Fills error with a message about a file. Returns code. */
static mmd_status fail(mmd_error *error, mmd_status code, const char *path, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 4, 5)))
#endif
    ;
static mmd_status fail(mmd_error *error, mmd_status code, const char *path, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mmd_error_set_v(error, code, "", MMD_NO_OFFSET, format, arguments);
    va_end(arguments);
    mmd_error_set_file(error, path);
    return code;
}

/* The file that an input means: one of the bundled dancer's, or a file in an archive or folder. */
typedef struct meant {
    bundled dancer;
    char chosen[MMD_FILE_PATH_MAX];
    char named[MMD_FILE_PATH_MAX]; /* path as given, followed by the name of the chosen file */
    const char *path, *given;
} meant;

/* Tests whether a file is in the folders that the options allow. */
static mmd_status check_scope(const scene_options *options, const char *path, mmd_error *error)
{
    char why[PATH_WHY_MAX];
    if (!options->scope || path_scope_has(options->scope, path, why))
        return MMD_OK;
    return fail(error, MMD_ERROR_VALUE, path, "%s", why);
}

/* Finds the file that an input means. MMD_ERROR_NOT_FOUND: the bundled dancer is missing, or the archive or
 * folder has no such file. */
static mmd_status resolve(const scene_options *options, const scene_input *input, mmd_locate_role role,
                          meant *m, mmd_error *error)
{
    if (input->is_dancer) {
        m->given = BUNDLED_NAME;
        m->path = role == MMD_LOCATE_SCENE || role == MMD_LOCATE_MODEL ? m->dancer.model
                  : role == MMD_LOCATE_CAMERA                          ? m->dancer.camera
                                                                       : m->dancer.dance;
        return bundled_find(&m->dancer, error);
    }
    m->path = m->chosen;
    m->given = input->given;
    const mmd_log log = stderr_log(MMD_LOG_INFO);
    mmd_status status = check_scope(options, input->path, error);
    if (status == MMD_OK)
        status = mmd_locate_choose(input->path, role, &log, m->chosen, error);
    if (status == MMD_OK)
        status = check_scope(options, m->chosen, error);
    if (status != MMD_OK || strcmp(m->chosen, input->path) == 0)
        return status;
    size_t length = strlen(input->path), given = strlen(input->given);
    while (length > 1 && input->path[length - 1] == '/')
        length--;
    while (given > 1 && input->given[given - 1] == '/')
        given--;
    if (given + strlen(m->chosen + length) >= sizeof m->named)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "the path is too long");
    memcpy(m->named, input->given, given);
    strcpy(m->named + given, m->chosen + length);
    m->given = m->named;
    return MMD_OK;
}

static mmd_status add_model(loading *l, const meant *m, const mmd_bytes *bytes, bool is_backdrop)
{
    mmd_model_file file;
    mmd_status status = l->lender ? l->lender->model(l->lender->user, m->path, &file, l->error)
                                  : mmd_model_file_parse(m->path, bytes, &file, l->error);
    mmd_error_set_file(l->error, m->path);
    if (status != MMD_OK)
        return status;
    scene_model what = scene_model_of(m->path, &file);
    what.given = m->given;
    what.is_backdrop = is_backdrop;
    what.is_lent = l->lender != NULL;
    size_t index = l->scene->model_count;
    if (!scene_add_model(l->scene, &what))
        return mmd_error_memory(l->error);
    if (l->scene->models[index].document)
        mmd_losses_log(&l->scene->models[index].document->losses, m->path, &l->of_files);
    return MMD_OK;
}

/* Adds the contents of a project. Its models are read, never lent. */
static mmd_status add_project(loading *l, const meant *m, const mmd_bytes *bytes)
{
    size_t first = l->scene->model_count;
    mmd_status status = project_open(l->scene, m->path, m->given, bytes, l->options, l->log, l->error);
    for (size_t i = first; status == MMD_OK && i < l->scene->model_count; i++)
        if (l->scene->models[i].document)
            mmd_losses_log(&l->scene->models[i].document->losses, l->scene->models[i].path, &l->of_files);
    return status;
}

static mmd_status put_motion(loading *l, const meant *m, mmd_motion *motion, int64_t whom)
{
    motion_report_cut(m->path, motion, &l->of_files);
    if (whom == NO_MODEL && !mmd_motion_is_for_stage(motion))
        mmd_log_message(&l->of_files, MMD_LOG_WARNING, "%s: it has no camera, light or self shadow keyframes",
                        m->path);
    const scene_motion what = {
        .path = m->path, .given = m->given, .motion = motion, .is_lent = l->lender != NULL};
    return scene_add_motion(l->scene, &what, whom) ? MMD_OK : mmd_error_memory(l->error);
}

/* Finds the index of the model that a motion moves, or EVERY_MODEL, or NO_MODEL. */
static mmd_status find_moved(loading *l, const scene_input *input, const char *path, int64_t *whom)
{
    size_t model = input->is_of_stage ? scene_backdrop(l->scene)
                   : input->owner     ? input->owner - 1
                                      : MODEL_OF_FILE;
    *whom = input->is_camera ? NO_MODEL : EVERY_MODEL;
    if (!input->owner && !scene_input_is_own(input))
        return MMD_OK;
    assert(!input->is_of_stage || model < l->scene->model_count);
    if (model != MODEL_OF_FILE && model >= l->scene->model_count)
        return fail(l->error, MMD_ERROR_VALUE, path,
                    "it moves model %zu, but there %s only %zu (the first is 0)", model,
                    l->scene->model_count == 1 ? "is" : "are", l->scene->model_count);
    mmd_status status = placing_find_model(l->scene, l->options, l->first, "--own-motion",
                                           input->owner_file - 1, &model, l->error);
    *whom = (int64_t)model;
    return status;
}

/* Tests that an option gives a model a motion that can act on it. Accessories are only shown and hidden. */
static mmd_status check_moved(const loading *l, const scene_input *input, const mmd_motion *motion,
                              int64_t whom)
{
    if (!scene_input_is_own(input) || !l->scene->models[whom].is_accessory || motion->property_key_count)
        return MMD_OK;
    return fail(l->error, MMD_ERROR_ARGUMENT, l->scene->models[whom].path,
                "%s only shows and hides accessories, and %.200s has no keyframes for that",
                input->is_of_stage ? "--stage-motion" : "--own-motion", input->given);
}

static mmd_status add_motion(loading *l, const scene_input *input, mmd_locate_role role)
{
    meant m;
    int64_t whom;
    mmd_motion *motion;
    mmd_status status = resolve(l->options, input, role, &m, l->error);
    if (status == MMD_OK)
        status = find_moved(l, input, m.path, &whom);
    if (status == MMD_OK)
        status = l->lender ? l->lender->motion(l->lender->user, m.path, &motion, l->error)
                           : mmd_motion_file_read(m.path, &motion, l->error);
    if (status != MMD_OK)
        return status;
    status = check_moved(l, input, motion, whom);
    if (status == MMD_OK)
        return put_motion(l, &m, motion, whom);
    if (!l->lender)
        mmd_motion_destroy(motion);
    return status;
}

static mmd_status add_file(loading *l, const scene_input *input)
{
    meant m;
    mmd_bytes bytes = {0};
    mmd_motion *motion;
    bool is_backdrop = input->kind == INPUT_BACKDROP,
         only_models = is_backdrop || l->is_known || input->kind == INPUT_MODEL;
    mmd_status status =
        resolve(l->options, input, only_models ? MMD_LOCATE_MODEL : MMD_LOCATE_SCENE, &m, l->error);
    if (status == MMD_OK)
        status = mmd_locate_read(m.path, &bytes, l->error);
    if (status != MMD_OK)
        return status;
    mmd_file_kind kind = mmd_file_detect(bytes.data, bytes.size);
    if (kind == MMD_FILE_PMM && input->kind == INPUT_LISTED) {
        status = fail(l->error, MMD_ERROR_MAGIC, m.path, "a project instead of a model; open it by itself");
    } else if (kind == MMD_FILE_PMM && !is_backdrop) {
        status = add_project(l, &m, &bytes);
    } else if ((kind == MMD_FILE_VMD || kind == MMD_FILE_VPD) && !only_models) {
        status = mmd_motion_file_parse(&bytes, &motion, l->error);
        mmd_error_set_file(l->error, m.path);
        if (status == MMD_OK)
            status = put_motion(l, &m, motion, EVERY_MODEL);
    } else if (!only_models && audio_is_sound(bytes.data, bytes.size)) {
        status = fail(l->error, MMD_ERROR_MAGIC, m.path, "a sound instead of a model; give it with --audio");
    } else if (png_is(bytes.data, bytes.size)) {
        status = fail(l->error, MMD_ERROR_MAGIC, m.path,
                      "a picture instead of a model; play opens the scene of a picture by itself");
    } else {
        status = add_model(l, &m, &bytes, is_backdrop);
    }
    mmd_bytes_finish(&bytes);
    return status;
}

static bool moves_models(const odori_scene *s)
{
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].moves_models)
            return true;
    return false;
}

static bool moves_camera(const odori_scene *s)
{
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].motion->camera_key_count)
            return true;
    return false;
}

mmd_status scene_load_dancer(odori_scene *s, const scene_options *options, bundled *dancer,
                             const mmd_log *log, mmd_error *error)
{
    loading l = {.scene = s, .options = options, .log = log, .of_files = *log, .error = error};
    const scene_input model = {.given = dancer->model, .path = dancer->model},
                      dance = {.given = dancer->dance, .path = dancer->dance},
                      camera = {.given = dancer->camera, .path = dancer->camera};
    mmd_status status = bundled_find(dancer, error);
    if (status == MMD_OK)
        status = add_file(&l, &model);
    if (status == MMD_OK && moves_models(s)) {
        dancer->music[0] = '\0';
    } else if (status == MMD_OK) {
        bool has_camera = moves_camera(s);
        status = add_file(&l, &dance);
        if (status == MMD_OK && !has_camera)
            status = add_file(&l, &camera);
    }
    return status == MMD_OK ? crowd_of_bundled(s, options, error) : status;
}

/* --- Loading a scene --- */

/* Makes a model of only names: its own, and those of the bones of another one, because others may be attached
 * to them. Returns NULL if out of memory. */
static mmd_model *make_empty(const mmd_model *of)
{
    mmd_model *m = mmd_alloc(sizeof *m);
    if (!m)
        return NULL;
    *m = (mmd_model){.origin = of->origin, .name_en = "", .comment = "", .comment_en = ""};
    m->name = mmd_arena_text(&m->arena, of->name, strlen(of->name));
    m->bones = mmd_arena_alloc(&m->arena, of->bone_count, sizeof *m->bones);
    bool all = m->name && m->bones;
    for (uint32_t i = 0; all && i < of->bone_count; i++) {
        m->bones[i] =
            (mmd_bone){.name_en = "", .parent = -1, .tail_bone = -1, .append_source = -1, .ik_target = -1};
        m->bones[i].name = mmd_arena_text(&m->arena, of->bones[i].name, strlen(of->bones[i].name));
        all = m->bones[i].name != NULL;
    }
    m->bone_count = all ? of->bone_count : 0;
    if (all && mmd_model_prepare(m, NULL) == MMD_OK)
        return m;
    mmd_model_destroy(m);
    return NULL;
}

static mmd_status add_empty(loading *l, const scene_input *input)
{
    const scene_model what = {.path = input->path,
                              .given = input->given,
                              .model = make_empty(input->emptied->model),
                              .textures = {.source = mmd_source_memory(NULL, 0)},
                              .is_backdrop = input->emptied->is_backdrop,
                              .is_given_up = true,
                              .is_empty = true};
    return scene_add_model(l->scene, &what) ? MMD_OK : mmd_error_memory(l->error);
}

static mmd_status add_input(loading *l, const scene_input *input)
{
    if (input->kind == INPUT_EMPTY)
        return add_empty(l, input);
    if (input->kind != INPUT_COPY)
        return add_file(l, input);
    return scene_add_copy(l->scene, input->copy_of) ? MMD_OK : mmd_error_memory(l->error);
}

/* Tests whether the scene may have so many models. */
static mmd_status check_count(const scene_options *options, size_t count, mmd_error *error)
{
    if (!options->most_models || count <= options->most_models)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                         "the scene has more than %zu models; --max-models N allows more",
                         options->most_models);
}

static mmd_status add_files(loading *l)
{
    const scene_inputs *files = &l->options->files;
    mmd_status checked = check_count(l->options, files->count, l->error);
    if (checked != MMD_OK)
        return checked;
    for (size_t i = 0; i < files->count; i++) {
        l->first[i] = l->scene->model_count;
        mmd_status status = add_input(l, &files->items[i]);
        if (status == MMD_OK)
            status = check_count(l->options, l->scene->model_count, l->error);
        if (status != MMD_OK)
            return status;
    }
    l->first[files->count] = l->scene->model_count;
    return crowd_add(l->scene, l->options) ? MMD_OK : mmd_error_memory(l->error);
}

static mmd_status add_motions(loading *l, const scene_inputs *inputs, mmd_locate_role role)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; i < inputs->count && status == MMD_OK; i++)
        status = add_motion(l, &inputs->items[i], role);
    return status;
}

/* Selects the model of --model. Fails if there is no such model. */
static mmd_status choose(loading *l)
{
    odori_scene *s = l->scene;
    const scene_options *options = l->options;
    s->is_chosen = options->is_chosen && options->chosen < s->model_count;
    s->chosen = s->is_chosen ? options->chosen : 0;
    if (s->is_chosen == options->is_chosen)
        return MMD_OK;
    return mmd_error_set(l->error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                         "there is no model %zu; there %s only %zu (the first is 0)", options->chosen,
                         s->model_count == 1 ? "is" : "are", s->model_count);
}

/* Loads everything. The backdrop comes last, so that the other models are numbered as on the command line. */
static mmd_status load_all(loading *l)
{
    const scene_options *options = l->options;
    mmd_status status = add_files(l);
    if (status == MMD_OK && options->stage.given) {
        scene_input stage = options->stage;
        stage.kind = INPUT_BACKDROP;
        status = add_file(l, &stage);
    }
    if (status == MMD_OK)
        status = choose(l);
    if (status == MMD_OK)
        scene_attach(l->scene, l->log);
    if (status == MMD_OK)
        status = crowd_place(l->scene, options, l->first, l->error);
    if (status == MMD_OK)
        status = add_motions(l, &options->motions, MMD_LOCATE_MOTION);
    if (status == MMD_OK)
        status = add_motions(l, &options->poses, MMD_LOCATE_POSE);
    if (status == MMD_OK && options->camera.given) {
        scene_input camera = options->camera;
        camera.is_camera = true;
        status = add_motion(l, &camera, MMD_LOCATE_CAMERA);
    }
    if (status == MMD_OK && !crowd_finish(l->scene, options))
        status = mmd_error_memory(l->error);
    return status;
}

/* Warns if a --motion is named after each model, as if it belonged to that model only. */
static void warn_of_pairs(const loading *l)
{
    size_t dancers = 0;
    for (size_t i = 0; i < l->scene->model_count; i++)
        dancers += !l->scene->models[i].is_accessory && !l->scene->models[i].is_backdrop;
    if (l->options->is_paired && dancers > 1)
        mmd_log_message(
            l->log, MMD_LOG_WARNING,
            "each --motion moves all models, and later ones override earlier ones; use --own-motion to "
            "move only the model given before it");
}

static mmd_status load(odori_scene *s, const scene_options *options, const scene_lender *lender,
                       bool is_known, const mmd_log *log, mmd_error *error)
{
    loading l = {.scene = s,
                 .options = options,
                 .lender = lender,
                 .is_known = is_known,
                 .log = log,
                 .of_files = is_known ? (mmd_log){0} : *log,
                 .error = error};
    l.first = mmd_alloc((options->files.count + 1) * sizeof *l.first);
    mmd_archives_hold();
    mmd_status status = scene_init(s) && l.first ? load_all(&l) : mmd_error_memory(error);
    mmd_archives_release();
    mmd_free(l.first);
    if (status == MMD_OK)
        warn_of_pairs(&l);
    s->is_loaded = true;
    return status;
}

mmd_status scene_load(odori_scene *s, const scene_options *options, const scene_lender *lender,
                      const mmd_log *log, mmd_error *error)
{
    return load(s, options, lender, lender != NULL, log, error);
}

/* --- Reading a scene again --- */

/* Returns the index of the model that a copy shares its parts with. */
static size_t original_of(const odori_scene *s, size_t copy)
{
    size_t i = 0;
    while (i < copy && s->models[i].model != s->models[copy].model)
        i++;
    return i;
}

/* Describes a loaded scene as options again. Texts belong to the scene. Returns false if out of memory. */
static bool describe(const odori_scene *s, scene_options *options)
{
    const char *project = NULL; /* a project's models are adjacent and are described by the project */
    bool ok = true;
    for (size_t i = 0; i < s->model_count && ok; i++) {
        const scene_model *m = &s->models[i];
        bool is_known = m->project && project && strcmp(m->project, project) == 0;
        project = m->project;
        if (is_known)
            continue;
        scene_input input = {.given = project ? m->project_given : m->given,
                             .path = project ? project : m->path};
        input.kind = m->is_copy ? INPUT_COPY : m->is_backdrop ? INPUT_BACKDROP : INPUT_FILE;
        input.copy_of = m->is_copy ? original_of(s, i) : 0;
        if (m->is_given_up) {
            input.kind = INPUT_EMPTY;
            input.emptied = m;
        }
        ok = scene_inputs_add(&options->files, &input);
    }
    for (size_t i = 0; i < s->motion_count && ok; i++) {
        const scene_motion *m = &s->motions[i];
        scene_input input = {.given = m->given, .path = m->path};
        input.owner = m->target >= 0 ? (size_t)m->target + 1 : 0;
        input.is_camera = m->is_camera;
        ok = m->is_of_project || scene_inputs_add(&options->motions, &input);
    }
    return ok;
}

/* Gives models that replaced others the motions of those. Returns false if out of memory. */
static bool take_roles(odori_scene *s)
{
    bool all = true;
    for (size_t i = 0; i < s->model_count; i++)
        if (s->models[i].role != i && s->models[i].role < s->model_count)
            all &= mmd_actor_take_motions(s->models[i].actor, s->models[s->models[i].role].actor, NULL) ==
                   MMD_OK;
    return all;
}

mmd_status scene_load_again(const odori_scene *old, const mmd_log *log, odori_scene *s, mmd_error *error)
{
    scene_options options = {0};
    mmd_status status = MMD_ERROR_MEMORY;
    *s = (odori_scene){0};
    if (describe(old, &options))
        status = load(s, &options, NULL, true, log, error);
    scene_options_finish(&options);
    if (status == MMD_OK && !crowd_move(s))
        status = MMD_ERROR_MEMORY;
    if (status == MMD_ERROR_MEMORY)
        return mmd_error_memory(error);
    for (size_t i = 0; i < s->model_count && i < old->model_count; i++) {
        s->models[i].is_beside = old->models[i].is_beside;
        s->models[i].beside = old->models[i].beside;
        s->models[i].role = old->models[i].role;
        mmd_stage_set_place(s->stage, i, mmd_stage_place(old->stage, i));
    }
    if (!take_roles(s))
        return mmd_error_memory(error);
    s->is_chosen = old->is_chosen;
    s->chosen = old->chosen;
    if (status == MMD_OK && old->opening)
        s->opening = mmd_arena_text(&s->arena, old->opening, strlen(old->opening));
    return status;
}

/* --- Requirements of subcommands --- */

mmd_status scene_check_model(const odori_scene *s, const scene_options *options, const char *subcommand,
                             mmd_error *error)
{
    if (scene_has_model(s))
        return MMD_OK;
    return fail(error, MMD_ERROR_MAGIC, options->files.items[0].path,
                "a motion or a pose, but %s needs a model", subcommand);
}

mmd_status scene_check_single(const odori_scene *s, const scene_options *options, const char *subcommand,
                              mmd_error *error)
{
    size_t first, count;
    mmd_status status = scene_check_model(s, options, subcommand, error);
    if (status != MMD_OK || s->is_chosen)
        return status;
    count = scene_count_models(s, false, &first);
    if (count == 0)
        count = scene_count_models(s, true, &first);
    if (count == 1)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                         "%s works with one model, not %zu (see odori %s --help)", subcommand, count,
                         subcommand);
}
