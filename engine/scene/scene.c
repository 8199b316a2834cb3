/* Opens files and puts them on the stage. */
#include "scene_internal.h"

#include <assert.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/placing.h"

const char *mmd_version(void)
{
    return ODORI_VERSION;
}

mmd_status mmd_scene_create(const mmd_log *log, mmd_scene **result, mmd_error *error)
{
    assert(result);
    mmd_scene *scene = *result = mmd_alloc(sizeof *scene);
    if (!scene)
        return mmd_error_memory(error);
    *scene = (mmd_scene){.log = log ? *log : (mmd_log){0},
                         .stage = mmd_stage_create(),
                         .physics = mmd_default_physics_options(),
                         .physics_on = true,
                         .stale_physics = true,
                         .stale = true,
                         .texture_memory = mmd_texture_memory_of((uint64_t)MMD_TEXTURE_MEMORY_MIB << 20)};
    if (scene->stage)
        return MMD_OK;
    mmd_free(scene);
    *result = NULL;
    return mmd_error_memory(error);
}

void mmd_scene_destroy(mmd_scene *scene)
{
    if (!scene)
        return;
    scene_finish_drawing(scene);
    mmd_stage_destroy(scene->stage);
    for (size_t i = 0; i < scene->model_count; i++)
        mmd_actor_destroy(scene->models[i].actor);
    for (size_t i = 0; i < scene->model_count; i++)
        mmd_model_file_finish(&scene->models[i].file);
    for (size_t i = 0; i < scene->motion_count; i++)
        mmd_motion_destroy(scene->motions[i].own);
    mmd_free(scene->models);
    mmd_free(scene->motions);
    mmd_arena_finish(&scene->arena);
    mmd_free(scene);
}

bool scene_make_room(void **items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    const size_t wanted = *room ? 2 * *room : 4;
    void *grown = mmd_realloc(*items, wanted * size);
    if (!grown)
        return false;
    *items = grown;
    *room = wanted;
    return true;
}

/* --- Models --- */

bool scene_is_dancer(const scene_member *m)
{
    return !m->is_accessory && !m->is_backdrop;
}

/* Returns the last dancer before a model, otherwise the first one; model_count if there is none. */
static size_t find_holder(const mmd_scene *scene, size_t model)
{
    size_t holder = scene->model_count;
    for (size_t i = 0; i < scene->model_count; i++)
        if (i != model && scene_is_dancer(&scene->models[i]) && (i < model || holder == scene->model_count))
            holder = i;
    return holder;
}

/* Attaches an accessory to the bone that its .vac names. */
static void attach(mmd_scene *scene, size_t index, mmd_staging *staging)
{
    const scene_member *m = &scene->models[index];
    const mmd_vac *vac = m->file.vac;
    const size_t holder = find_holder(scene, index);
    if (!vac->bone[0])
        return;
    const scene_member *h = holder < scene->model_count ? &scene->models[holder] : NULL;
    const int32_t bone = h ? mmd_model_find_bone(h->model, vac->bone) : -1;
    if (bone < 0) {
        mmd_log_message(&scene->log, MMD_LOG_WARNING,
                        "%s: there is no bone \"%.100s\" to attach it to; it is placed at the origin",
                        m->path, vac->bone);
        return;
    }
    staging->parent = h->actor;
    staging->parent_bone = bone;
}

/* Returns whether there is an accessory before this one. */
static bool has_accessory_before(const mmd_scene *scene, size_t index)
{
    for (size_t i = 0; i < scene->model_count; i++)
        if (i != index && scene->models[i].is_accessory && (i < index || scene->models[i].is_backdrop))
            return true;
    return false;
}

/* Gives models the order in which they are drawn, as an accessory before others changes it, and the last one
 * its place. Backdrops stay behind. */
static void place(mmd_scene *scene)
{
    const size_t last = scene->model_count - 1;
    for (size_t i = 0; i <= last; i++) {
        const scene_member *m = &scene->models[i];
        mmd_staging staging = *mmd_stage_staging(scene->stage, i);
        const int32_t order =
            mmd_usual_order(m->is_accessory, m->is_backdrop, !has_accessory_before(scene, i));
        if (m->is_of_project || (i < last && staging.draw_order == order))
            continue;
        staging.draw_order = order;
        if (i == last && m->file.vac) {
            mmd_vac_place(m->file.vac, &staging);
            attach(scene, i, &staging);
        }
        if (m->is_backdrop)
            staging.ground_shadow = false;
        mmd_stage_set_staging(scene->stage, i, &staging);
    }
    for (size_t i = 0; i < last; i++)
        if (scene->models[i].is_backdrop)
            mmd_stage_set_place(scene->stage, i, last);
}

/* Gives an actor the motions of all dancers. */
static mmd_status give_motions(const mmd_scene *scene, mmd_actor *actor, mmd_error *error)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; status == MMD_OK && i < scene->motion_count; i++)
        if (scene->motions[i].model == MMD_ALL_DANCERS && scene->motions[i].moves_models)
            status = mmd_actor_add_motion(actor, scene->motions[i].motion, error);
    return status;
}

/* Puts a model on the stage, and gives it its motions and its first animation. Takes over what it has only
 * when it succeeds. */
static mmd_status add(mmd_scene *scene, scene_member *m, mmd_error *error)
{
    const mmd_exchange *document = m->file.document;
    if (!scene_make_room((void **)&scene->models, scene->model_count, &scene->model_room,
                         sizeof *scene->models))
        return mmd_error_memory(error);
    m->is_accessory = m->model->origin == MMD_ORIGIN_X;
    m->path = mmd_arena_text(&scene->arena, m->path, strlen(m->path));
    m->folder = mmd_arena_text(&scene->arena, m->folder, strlen(m->folder));
    m->actor = m->path && m->folder ? mmd_actor_create(m->model) : NULL;
    mmd_status status = m->actor ? MMD_OK : mmd_error_memory(error);
    if (status == MMD_OK && document && document->animation_count)
        status = mmd_actor_set_animations(m->actor, document->animations, 1, error);
    if (status == MMD_OK && scene_is_dancer(m))
        status = give_motions(scene, m->actor, error);
    if (status == MMD_OK)
        status = mmd_stage_add_actor(scene->stage, m->actor, error);
    if (status != MMD_OK) {
        mmd_actor_destroy(m->actor);
        return status;
    }
    scene->models[scene->model_count++] = *m;
    place(scene);
    scene_frame_exchange(scene);
    scene->stale = scene->stale_physics = true;
    return MMD_OK;
}

mmd_status scene_add_file(mmd_scene *scene, const char *path, mmd_model_file *file, scene_role role,
                          size_t *index, mmd_error *error)
{
    scene_member m = {.model = file->model,
                      .file = *file,
                      .textures = file->textures.source,
                      .folder = file->textures.folder,
                      .path = path,
                      .is_backdrop = role == ROLE_BACKDROP,
                      .is_of_project = role == ROLE_OF_PROJECT};
    if (file->document)
        mmd_losses_log(&file->document->losses, path, &scene->log);
    mmd_status status = add(scene, &m, error);
    if (status != MMD_OK)
        mmd_model_file_finish(file);
    else if (index)
        *index = scene->model_count - 1;
    return status;
}

mmd_status mmd_scene_add_model(mmd_scene *scene, const mmd_model *model, mmd_source *textures,
                               const char *folder, size_t *index, mmd_error *error)
{
    assert(scene && model && folder);
    scene_member m = {.model = model, .textures = textures, .folder = folder, .path = ""};
    mmd_status status = add(scene, &m, error);
    if (status == MMD_OK && index)
        *index = scene->model_count - 1;
    return status;
}
