#include "scene.h"

#include <string.h>

#include "accessory.h"
#include "base/message.h"
#include "media/audio_file.h"
#include "background.h"
#include "bundled.h"
#include "crowd.h"
#include "edited_motion.h"
#include "mmd/memory.h"
#include "files/locate.h"
#include "project_scene.h"
#include "scene_own.h"

void scene_options_init(scene_options *options)
{
    *options = (scene_options){.pose = mmd_default_pose_options()};
}

void scene_options_finish(scene_options *options)
{
    text_list_finish(&options->files);
    text_list_finish(&options->motions);
    text_list_finish(&options->poses);
    own_wishes_finish(&options->own);
}

bool motion_is_for_models(const mmd_motion *motion)
{
    return motion->bone_track_count || motion->morph_track_count || motion->property_key_count;
}

bool motion_is_for_stage(const mmd_motion *motion)
{
    return motion->camera_key_count || motion->light_key_count || motion->self_shadow_key_count;
}

static bool out_of_memory(void)
{
    message("out of memory");
    return false;
}

bool scene_init(odori_scene *s)
{
    *s = (odori_scene){.stage = mmd_stage_create()};
    physics_settings_init(&s->physics, false);
    s->physics_now = s->physics.options;
    return s->stage || out_of_memory();
}

void scene_finish(odori_scene *s)
{
    mmd_stage_destroy(s->stage);
    for (size_t i = 0; i < s->model_count; i++)
        mmd_actor_destroy(s->models[i].actor);
    for (size_t i = 0; i < s->model_count; i++) {
        if (s->models[i].is_copy)
            continue;
        mmd_source_destroy(s->models[i].textures.source);
        model_file_destroy_model(s->models[i].model, s->models[i].document);
        mmd_vac_destroy(s->models[i].vac);
    }
    for (size_t i = 0; i < s->motion_count; i++) {
        mmd_motion_destroy(s->motions[i].motion);
        mmd_motion_destroy(s->motions[i].mirrored);
    }
    edited_motions_finish(s);
    background_close(s);
    mmd_free(s->models);
    mmd_free(s->motions);
    mmd_arena_finish(&s->arena);
    *s = (odori_scene){0};
}

bool scene_move_actor(const odori_scene *s, mmd_actor *actor)
{
    for (size_t i = 0; i < s->motion_count; i++)
        if (s->motions[i].moves_models && mmd_actor_add_motion(actor, s->motions[i].motion, NULL) != MMD_OK)
            return false;
    return true;
}

static bool is_moved(const scene_model *m)
{
    return !m->is_accessory && !m->is_backdrop;
}

static const char *keep_text(odori_scene *s, const char *text)
{
    return mmd_arena_text(&s->arena, text, strlen(text));
}

/* Once all that can fail has not: the model is there for the scene and for its stage, or for neither. */
static bool fill_model(odori_scene *s, const char *path, const model_file *file,
                       const mmd_pose_options *options, scene_model *m)
{
    m->path = m->given = keep_text(s, path);
    m->actor = m->path && file->textures.source ? mmd_actor_create(file->model, options) : NULL;
    /* Of a glTF's animations the first plays: others are takes of the same nodes. */
    if (m->actor && file->document && file->document->animation_count &&
        mmd_actor_set_animations(m->actor, file->document->animations, 1, NULL) != MMD_OK)
        return false;
    return m->actor && mmd_stage_add_actor(s->stage, m->actor, NULL) == MMD_OK;
}

static bool add_to_stage(odori_scene *s, const char *path, const model_file *file,
                         const mmd_pose_options *options, bool is_backdrop)
{
    scene_model *grown = file->model ? mmd_realloc(s->models, (s->model_count + 1) * sizeof *grown) : NULL;
    scene_model added = {.model = file->model,
                         .textures = file->textures,
                         .vac = file->vac,
                         .document = file->document,
                         .is_accessory = file->model && file->model->origin == MMD_ORIGIN_X,
                         .is_backdrop = is_backdrop};
    if (grown)
        s->models = grown;
    if (!grown || !fill_model(s, path, file, options, &added)) {
        mmd_actor_destroy(added.actor);
        model_file_finish(&(model_file){file->model, file->textures, file->vac, file->document});
        return out_of_memory();
    }
    size_t index = s->model_count++;
    grown[index] = added;
    scene_order(s, s->is_loaded ? index : 0);
    scene_place(s, index);
    return !is_moved(&added) || scene_move_actor(s, added.actor) || out_of_memory();
}

bool scene_add_copy(odori_scene *s, size_t of, const mmd_pose_options *options)
{
    scene_model *grown = mmd_realloc(s->models, (s->model_count + 1) * sizeof *grown);
    if (!grown)
        return out_of_memory();
    s->models = grown;
    scene_model *first = &grown[of], added = *first;
    const model_file file = {first->model, first->textures, NULL, first->document};
    added.actor = NULL;
    added.vac = NULL;
    added.put_back = NULL;
    added.is_mirrored = false;
    added.is_copy = true;
    added.project = NULL; /* which knows nothing of it */
    if (!fill_model(s, first->path, &file, options, &added)) {
        mmd_actor_destroy(added.actor);
        return out_of_memory();
    }
    added.given = first->given;
    size_t index = s->model_count++;
    grown[index] = added;
    scene_order(s, s->is_loaded ? index : 0);
    return !is_moved(&added) || scene_move_actor(s, added.actor) || out_of_memory();
}

bool scene_add_placed(odori_scene *s, const char *path, const model_file *file,
                      const mmd_pose_options *options)
{
    return add_to_stage(s, path, file, options, false);
}

bool scene_add_model(odori_scene *s, const char *path, mmd_model *model, const texture_place *textures,
                     const mmd_pose_options *options)
{
    return add_to_stage(s, path, &(model_file){model, *textures, NULL, NULL}, options, false);
}

bool scene_add_backdrop(odori_scene *s, const char *path, const model_file *file,
                        const mmd_pose_options *options)
{
    if (!add_to_stage(s, path, file, options, true))
        return false;
    size_t last = s->model_count - 1;
    mmd_staging staging = *mmd_stage_staging(s->stage, last);
    staging.ground_shadow = false;
    mmd_stage_set_staging(s->stage, last, &staging);
    return true;
}

bool scene_has_model(const odori_scene *s)
{
    for (size_t i = 0; i < s->model_count; i++)
        if (!s->models[i].is_backdrop)
            return true;
    return false;
}

static bool keep_motion(odori_scene *s, const char *path, mmd_motion *motion, bool moves_models)
{
    scene_motion *grown = motion ? mmd_realloc(s->motions, (s->motion_count + 1) * sizeof *grown) : NULL;
    if (!grown) {
        mmd_motion_destroy(motion);
        return out_of_memory();
    }
    s->motions = grown;
    path = keep_text(s, path);
    grown[s->motion_count++] =
        (scene_motion){path ? path : "", path ? path : "", motion, moves_models, false, -1, NULL};
    return path != NULL || out_of_memory();
}

bool scene_add_motion(odori_scene *s, const char *path, mmd_motion *motion)
{
    if (!keep_motion(s, path, motion, motion && motion_is_for_models(motion)))
        return false;
    if (motion_is_for_stage(motion) && mmd_stage_add_scene_motion(s->stage, motion, NULL) != MMD_OK)
        return out_of_memory();
    for (size_t i = 0; motion_is_for_models(motion) && i < s->model_count; i++)
        if (is_moved(&s->models[i]) && mmd_actor_add_motion(s->models[i].actor, motion, NULL) != MMD_OK)
            return out_of_memory();
    return true;
}

bool scene_add_motion_to(odori_scene *s, const char *path, mmd_motion *motion, size_t model)
{
    if (!keep_motion(s, path, motion, false))
        return false;
    if (motion_is_for_stage(motion) && mmd_stage_add_scene_motion(s->stage, motion, NULL) != MMD_OK)
        return out_of_memory();
    if (motion_is_for_models(motion))
        s->motions[s->motion_count - 1].target = (int64_t)model;
    return !motion_is_for_models(motion) ||
           mmd_actor_add_motion(s->models[model].actor, motion, NULL) == MMD_OK || out_of_memory();
}

bool scene_add_camera(odori_scene *s, const char *path, mmd_motion *motion)
{
    return keep_motion(s, path, motion, false) &&
           (mmd_stage_add_scene_motion(s->stage, motion, NULL) == MMD_OK || out_of_memory());
}

mmd_status motion_read_bytes(const mmd_bytes *bytes, mmd_motion **motion, mmd_error *error)
{
    mmd_vpd *pose;
    mmd_status status;
    *motion = NULL;
    switch (mmd_file_detect(bytes->data, bytes->size)) {
    case MMD_FILE_VMD:
        return mmd_vmd_read(bytes->data, bytes->size, motion, error);
    case MMD_FILE_VPD:
        status = mmd_vpd_read(bytes->data, bytes->size, &pose, error);
        if (status != MMD_OK)
            return status;
        *motion = mmd_vpd_to_motion(pose);
        mmd_vpd_destroy(pose);
        return *motion ? MMD_OK : mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    case MMD_FILE_PMX:
    case MMD_FILE_PMD:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "a model, where a motion (VMD) or a pose (VPD) is wanted");
    case MMD_FILE_X:
    case MMD_FILE_VAC:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "an accessory, where a motion (VMD) or a pose (VPD) is wanted");
    case MMD_FILE_PMM:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "a project, where a motion (VMD) or a pose (VPD) is wanted");
    default:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "", MMD_NO_OFFSET,
                             "neither a motion (VMD) nor a pose (VPD)");
    }
}

mmd_status motion_read_file(const char *path, mmd_motion **motion, mmd_error *error)
{
    mmd_bytes bytes = {0};
    mmd_status status = locate_read(path, &bytes, error);
    if (status == MMD_OK)
        status = motion_read_bytes(&bytes, motion, error);
    mmd_bytes_finish(&bytes);
    mmd_error_set_file(error, path);
    return status;
}

void motion_report_cut(const char *path, const mmd_motion *motion, const mmd_log *log)
{
    if (motion->cut)
        mmd_log_message(log, MMD_LOG_WARNING,
                        "%s: the file ends inside a section; its complete keys are used", path);
}

/* What a path stands for: one of the bundled dancer's, or a file of an archive or a folder. */
typedef struct meant {
    bundled own;
    char chosen[PATH_MAX];
    const char *path;
    bool is_dancer;
} meant;

/*
 * The bundled dancer's name, where no file has it, means her; hers is the one
 * of m's own paths that is meant. Not EXIT_DONE, and told: she is not to be
 * found, or the archive or folder has no such file.
 */
static int resolve(const char *given, locate_role role, meant *m, const char *hers)
{
    mmd_error error = {0};
    m->is_dancer = bundled_is_meant(given);
    m->path = m->is_dancer ? hers : m->chosen;
    if (m->is_dancer)
        return bundled_find(&m->own) == EXIT_DONE ? EXIT_DONE : EXIT_INPUT;
    return locate_choose(given, role, m->chosen, &error) == MMD_OK ? EXIT_DONE : report(&error);
}

/* Reads what a path stands for. */
static int read_meant(const char *given, locate_role role, meant *m, mmd_motion **motion, const mmd_log *log)
{
    mmd_error error = {0};
    int result = resolve(given, role, m, role == LOCATE_CAMERA ? m->own.camera : m->own.dance);
    if (result != EXIT_DONE)
        return result;
    if (motion_read_file(m->path, motion, &error) != MMD_OK)
        return report(&error);
    motion_report_cut(m->path, *motion, log);
    return EXIT_DONE;
}

/* The last motion is called as it was given. */
static int name_motion(odori_scene *s, const meant *m, bool added)
{
    if (added && m->is_dancer)
        s->motions[s->motion_count - 1].given = BUNDLED_NAME;
    return added ? EXIT_DONE : EXIT_FACILITY;
}

static int load_motion(odori_scene *s, const char *given, locate_role role, const mmd_log *log)
{
    meant m;
    mmd_motion *motion;
    int result = read_meant(given, role, &m, &motion, log);
    return result == EXIT_DONE ? name_motion(s, &m, scene_add_motion(s, m.path, motion)) : result;
}

/* --own-motion. */
static int load_own(odori_scene *s, const scene_options *options, const size_t *first, const mmd_log *log)
{
    int result = EXIT_DONE;
    for (size_t i = 0; i < options->own.count && result == EXIT_DONE; i++) {
        meant m;
        mmd_motion *motion;
        size_t model;
        if (options->own.items[i].kind != OWN_MOTION)
            continue;
        result = own_model(s, options, first, &options->own.items[i], &model);
        if (result == EXIT_DONE)
            result = read_meant(options->own.items[i].path, LOCATE_MOTION, &m, &motion, log);
        if (result == EXIT_DONE)
            result = name_motion(s, &m, scene_add_motion_to(s, m.path, motion, model));
    }
    return result;
}

/* --camera: what the file says of camera and light, over what motions say. Its bones, if any, are not meant.
 */
static int load_camera(odori_scene *s, const char *given, const mmd_log *log)
{
    meant m;
    mmd_motion *motion;
    int result = read_meant(given, LOCATE_CAMERA, &m, &motion, log);
    if (result != EXIT_DONE)
        return result;
    if (!motion_is_for_stage(motion))
        mmd_log_message(log, MMD_LOG_WARNING, "%s: no camera, light or self shadow keys in it", m.path);
    return name_motion(s, &m, scene_add_camera(s, m.path, motion));
}

static int add_model_bytes(odori_scene *s, const char *path, const mmd_bytes *bytes,
                           const mmd_pose_options *options)
{
    model_file file;
    mmd_error error = {0};
    if (model_file_parse(path, bytes, &file, &error) != MMD_OK)
        return report(&error);
    return scene_add_placed(s, path, &file, options) ? EXIT_DONE : EXIT_FACILITY;
}

static int add_motion_bytes(odori_scene *s, const char *path, const mmd_bytes *bytes, const mmd_log *log)
{
    mmd_motion *motion;
    mmd_error error = {0};
    if (motion_read_bytes(bytes, &motion, &error) != MMD_OK) {
        mmd_error_set_file(&error, path);
        return report(&error);
    }
    motion_report_cut(path, motion, log);
    return scene_add_motion(s, path, motion) ? EXIT_DONE : EXIT_FACILITY;
}

static int refuse_sound(const char *path)
{
    message("%s: a sound, where a model is wanted; --audio takes it", path);
    return EXIT_INPUT;
}

int scene_add_file(odori_scene *s, const char *given, const mmd_pose_options *options, const mmd_log *log)
{
    meant m;
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    int result = resolve(given, LOCATE_SCENE, &m, m.own.model);
    if (result != EXIT_DONE)
        return result;
    if (locate_read(m.path, &bytes, &error) != MMD_OK) {
        mmd_error_set_file(&error, m.path);
        return report(&error);
    }
    switch (mmd_file_detect(bytes.data, bytes.size)) {
    case MMD_FILE_VMD:
    case MMD_FILE_VPD:
        result = add_motion_bytes(s, m.path, &bytes, log);
        break;
    case MMD_FILE_PMM:
        result = project_open(s, m.path, &bytes, options, log);
        break;
    default:
        result = audio_is_sound(bytes.data, bytes.size) ? refuse_sound(m.path)
                                                        : add_model_bytes(s, m.path, &bytes, options);
    }
    if (result == EXIT_DONE && m.is_dancer)
        s->models[s->model_count - 1].given = BUNDLED_NAME;
    mmd_bytes_finish(&bytes);
    return result;
}

/* The stage is the last of the models, so that others keep the numbers of their places on the command line.
 */
static int load_stage(odori_scene *s, const scene_options *options, const mmd_log *log)
{
    meant m;
    model_file file;
    mmd_error error = {0};
    int result = resolve(options->stage, LOCATE_MODEL, &m, m.own.model);
    if (result != EXIT_DONE)
        return result;
    if (model_file_read(m.path, &file, &error) != MMD_OK)
        return report(&error);
    model_tell_losses(m.path, file.document, log);
    if (!scene_add_backdrop(s, m.path, &file, &options->pose))
        return EXIT_FACILITY;
    if (m.is_dancer)
        s->models[s->model_count - 1].given = BUNDLED_NAME;
    return EXIT_DONE;
}

static int load_list(odori_scene *s, const text_list *list, locate_role role, const mmd_log *log)
{
    int result = EXIT_DONE;
    for (size_t i = 0; i < list->count && result == EXIT_DONE; i++)
        result = load_motion(s, list->items[i], role, log);
    return result;
}

/* Notes where the models of each file begin, and behind the last where they end. */
static int load_files(odori_scene *s, const scene_options *options, size_t *first, const mmd_log *log)
{
    int result = EXIT_DONE;
    for (size_t i = 0; i < options->files.count && result == EXIT_DONE; i++) {
        first[i] = s->model_count;
        result = scene_add_file(s, options->files.items[i], &options->pose, log);
        for (size_t k = first[i]; result == EXIT_DONE && k < s->model_count; k++)
            model_tell_losses(s->models[k].path, s->models[k].document, log);
    }
    first[options->files.count] = s->model_count;
    return result == EXIT_DONE && !crowd_add(s, options) ? EXIT_FACILITY : result;
}

/* --model: one that is there. */
static int choose(odori_scene *s, const scene_options *options)
{
    s->is_chosen = options->is_chosen && options->chosen < s->model_count;
    s->chosen = s->is_chosen ? options->chosen : 0;
    if (s->is_chosen == options->is_chosen)
        return EXIT_DONE;
    message("there is no model %zu; there %s %zu, the first is 0", options->chosen,
            s->model_count == 1 ? "is" : "are", s->model_count);
    return EXIT_USAGE;
}

static int load_all(odori_scene *s, const scene_options *options, size_t *first, const mmd_log *log)
{
    int result = load_files(s, options, first, log);
    if (result == EXIT_DONE && options->stage)
        result = load_stage(s, options, log);
    if (result == EXIT_DONE)
        result = choose(s, options);
    if (result == EXIT_DONE)
        scene_attach(s, log);
    if (result == EXIT_DONE)
        result = crowd_place(s, options, first);
    if (result == EXIT_DONE)
        result = load_list(s, &options->motions, LOCATE_MOTION, log);
    if (result == EXIT_DONE)
        result = load_own(s, options, first, log);
    if (result == EXIT_DONE)
        result = load_list(s, &options->poses, LOCATE_POSE, log);
    if (result == EXIT_DONE && options->camera)
        result = load_camera(s, options->camera, log);
    return result == EXIT_DONE && !crowd_finish(s, options) ? EXIT_FACILITY : result;
}

int scene_load(odori_scene *s, const scene_options *options, const mmd_log *log)
{
    if (!scene_init(s))
        return EXIT_FACILITY;
    size_t *first = mmd_alloc((options->files.count + 1) * sizeof *first);
    int result = first || out_of_memory() ? load_all(s, options, first, log) : EXIT_FACILITY;
    mmd_free(first);
    if (result == EXIT_DONE)
        own_warn_of_pairs(s, options, log);
    s->is_loaded = true;
    return result;
}

/* How many there are without the backdrop; first: the first one, if there is any. */
static size_t count_models(const odori_scene *s, bool accessories, size_t *first)
{
    size_t count = 0;
    for (size_t i = 0; i < s->model_count; i++)
        if (!s->models[i].is_backdrop && !s->models[i].is_copy && s->models[i].is_accessory == accessories &&
            count++ == 0)
            *first = i;
    return count;
}

size_t scene_last_dancer(const odori_scene *s)
{
    for (size_t i = s->model_count; i > 0; i--)
        if (is_moved(&s->models[i - 1]))
            return i - 1;
    return s->model_count;
}

size_t scene_main_model(const odori_scene *s)
{
    size_t first = 0;
    if (s->is_chosen)
        return s->chosen;
    if (count_models(s, false, &first) == 0)
        count_models(s, true, &first);
    return first;
}

int scene_load_with_model(odori_scene *s, const scene_options *options, const char *subcommand,
                          const mmd_log *log)
{
    int result = scene_load(s, options, log);
    if (result != EXIT_DONE || scene_has_model(s))
        return result;
    message("%s: a motion or a pose, where %s wants a model", options->files.items[0], subcommand);
    return EXIT_INPUT;
}

int scene_load_single(odori_scene *s, const scene_options *options, const char *subcommand,
                      const mmd_log *log)
{
    int result = scene_load_with_model(s, options, subcommand, log);
    if (result != EXIT_DONE || s->is_chosen)
        return result;
    size_t first, count = count_models(s, false, &first);
    if (count == 0)
        count = count_models(s, true, &first);
    if (count == 1)
        return EXIT_DONE;
    message("%s takes one model, not %zu (see odori %s --help)", subcommand, count, subcommand);
    return EXIT_USAGE;
}
