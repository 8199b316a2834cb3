/* Hashes each step of the pipeline, and finds the first step that differs between two lists of hashes. */
#include "pipeline_hashes.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "mmd/memory.h"
#include "mmd/simulation.h"

enum { SHORT_DIGITS = 8, DIGEST_DIGITS = 32 };

static digest settings_digest(const recipe *p)
{
    digest_stream stream = digest_begin();
    const uint32_t size[] = {p->size.width, p->size.height};
    digest_add(&stream, size, sizeof size);
    for (size_t i = 0; i < p->settings.count; i++) {
        digest_add_text(&stream, p->settings.items[i].name);
        digest_add_text(&stream, p->settings.items[i].value);
    }
    digest_add_text(&stream, p->exec);
    for (size_t i = 0; i < p->scene.motions.count; i++)
        if (p->scene.motions.items[i].owner)
            digest_add(&stream, &p->scene.motions.items[i].owner, sizeof p->scene.motions.items[i].owner);
    return digest_end(&stream);
}

/* Hashes field by field, because padding bytes are undefined. */
static digest camera_digest(const mmd_stage *stage)
{
    const mmd_camera *camera = mmd_stage_camera(stage);
    const mmd_light *light = mmd_stage_light(stage);
    const mmd_self_shadow *shadow = mmd_stage_self_shadow(stage);
    const float numbers[] = {camera->distance, camera->fov, camera->perspective ? 1.0f : 0.0f,
                             (float)shadow->mode, shadow->distance};
    digest_stream stream = digest_begin();
    digest_add(&stream, numbers, sizeof numbers);
    digest_add(&stream, camera->position, sizeof camera->position);
    digest_add(&stream, camera->rotation, sizeof camera->rotation);
    digest_add(&stream, light->color, sizeof light->color);
    digest_add(&stream, light->direction, sizeof light->direction);
    return digest_end(&stream);
}

static digest motion_digest(const mmd_actor *actor)
{
    const mmd_model *model = mmd_actor_model(actor);
    const mmd_pose_values *values = mmd_actor_values(actor);
    const uint8_t visible = mmd_actor_visible(actor);
    digest_stream stream = digest_begin();
    digest_add(&stream, values->bones, model->bone_count * sizeof *values->bones);
    if (values->scales)
        digest_add(&stream, values->scales, model->bone_count * sizeof *values->scales);
    digest_add(&stream, values->weights, model->morph_count * sizeof *values->weights);
    digest_add(&stream, values->ik_on, model->bone_count);
    digest_add(&stream, &visible, 1);
    return digest_end(&stream);
}

static digest morphs_digest(mmd_actor *actor)
{
    const mmd_model *model = mmd_actor_model(actor);
    const mmd_pose *pose = mmd_actor_pose(actor);
    digest_stream stream = digest_begin();
    digest_add(&stream, mmd_pose_weights(pose), model->morph_count * sizeof(float));
    digest_add(&stream, mmd_pose_materials(pose), model->material_count * sizeof(mmd_material_values));
    digest_add(&stream, mmd_pose_material_adds(pose), model->material_count * sizeof(mmd_material_adds));
    return digest_end(&stream);
}

/* Hashes bodies and nodes of soft bodies at the current frame. Returns false if physics is off or the model
 * has none. */
static bool physics_digest(const recipe_stage *stage, size_t index, digest *d)
{
    mmd_stage *on = stage->scene.stage;
    const mmd_physscene *scene = mmd_stage_physscene(on, index);
    if (!scene)
        return false;
    digest_stream stream = digest_begin();
    digest_add(&stream, mmd_stage_bodies(on, index), scene->body_count * sizeof(mmd_transform));
    for (uint32_t i = 0; i < scene->soft_body_count; i++)
        digest_add(&stream, mmd_stage_soft_positions(on, index, i),
                   scene->soft_bodies[i].node_count * 4 * sizeof(float));
    *d = digest_end(&stream);
    return true;
}

/* Returns eight hexadecimal digits per bone. NULL if out of memory. */
static char *bone_hashes(const mmd_transform *transforms, uint32_t count)
{
    char *text = mmd_alloc((size_t)SHORT_DIGITS * count + 1);
    if (!text)
        return NULL;
    *text = '\0';
    for (uint32_t i = 0; i < count; i++)
        snprintf(text + (size_t)SHORT_DIGITS * i, SHORT_DIGITS + 1, "%08x",
                 digest_short(&transforms[i], sizeof transforms[i]));
    return text;
}

static bool vertices_digest(mmd_view *view, const recipe_stage *stage, size_t index, digest *d,
                            mmd_error *error)
{
    size_t count = stage->scene.models[index].model->vertices.count;
    mmd_sdef_variant sdef = stage->session.view.sdef;
    float(*positions)[3] = mmd_alloc(2 * count * sizeof *positions), (*normals)[3] = positions + count;
    mmd_status status = MMD_ERROR_MEMORY;
    if (positions)
        status =
            mmd_view_read_stage_vertices(view, stage->scene.stage, index, sdef, positions, normals, error);
    else
        mmd_error_memory(error);
    if (status == MMD_OK)
        *d = digest_of(positions, 2 * count * sizeof *positions);
    mmd_free(positions);
    return status == MMD_OK;
}

static json_t *model_hashes(mmd_view *view, const recipe_stage *stage, size_t index, mmd_error *error)
{
    mmd_actor *actor = stage->scene.models[index].actor;
    const stored_model *stored = stage->models[index];
    uint32_t bones = mmd_actor_model(actor)->bone_count;
    const mmd_transform *world = mmd_pose_world(mmd_actor_pose(actor));
    digest vertices, motion = motion_digest(actor), morphs = morphs_digest(actor),
                     whole = digest_of(world, bones * sizeof *world);
    if (!vertices_digest(view, stage, index, &vertices, error))
        return NULL;
    char *local_bones = bone_hashes(mmd_actor_values(actor)->bones, bones),
         *world_bones = bone_hashes(world, bones);
    json_t *object = NULL;
    if (local_bones && world_bones)
        object = json_pack("{ss ss ss ss ss ss ss ss}", "model", stored->contents.text, "textures",
                           stored->textures.all.text, "motion", motion.text, "bones", whole.text, "morphs",
                           morphs.text, "vertices", vertices.text, "motion_by_bone", local_bones,
                           "bones_by_bone", world_bones);
    digest physics;
    if (object && physics_digest(stage, index, &physics))
        json_object_set_new(object, "physics", json_string(physics.text));
    if (!object)
        mmd_error_memory(error);
    mmd_free(local_bones);
    mmd_free(world_bones);
    return object;
}

json_t *pipeline_hashes_of(mmd_view *view, const recipe_stage *stage, const mmd_image *image,
                           mmd_error *error)
{
    digest settings = settings_digest(&stage->recipe), camera = camera_digest(stage->scene.stage),
           pixels = digest_of(image->pixels, (size_t)4 * image->width * image->height);
    json_t *models = json_array();
    for (size_t i = 0; i < stage->scene.model_count; i++) {
        if (!scene_is_present(&stage->scene, i))
            continue;
        json_t *one = model_hashes(view, stage, i, error);
        if (!one) {
            json_decref(models);
            return NULL;
        }
        json_array_append_new(models, one);
    }
    json_t *object = json_pack("{si ss ss ss so}", "format", 1, "settings", settings.text, "camera",
                               camera.text, "image", pixels.text, "models", models);
    if (!object)
        mmd_error_memory(error);
    return object;
}

/* Comparison */

static const struct {
    const char *name;
    const char *by_bone; /* member that holds the short hashes of bones */
    bool of_models;
    bool may_lack; /* the step may be missing */
} stages[] = {
    {"settings", NULL, false, false}, {"model", NULL, true, false},
    {"textures", NULL, true, false},  {"motion", "motion_by_bone", true, false},
    {"camera", NULL, false, false},   {"bones", "bones_by_bone", true, false},
    {"physics", NULL, true, true},    {"morphs", NULL, true, false},
    {"vertices", NULL, true, false},  {"image", NULL, false, false},
};

static bool is_digest(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && strlen(text) == DIGEST_DIGITS && strspn(text, "0123456789abcdef") == DIGEST_DIGITS;
}

static bool is_list_of_bones(const json_t *model, const char *key)
{
    const char *text = json_string_value(json_object_get(model, key));
    return text && strlen(text) % SHORT_DIGITS == 0 && text[strspn(text, "0123456789abcdef")] == '\0';
}

bool pipeline_hashes_whole(const json_t *hashes)
{
    const json_t *models = json_object_get(hashes, "models");
    bool whole = json_is_array(models) && json_integer_value(json_object_get(hashes, "format")) == 1;
    for (size_t i = 0; whole && i < sizeof stages / sizeof *stages; i++) {
        whole = stages[i].of_models || is_digest(hashes, stages[i].name);
        for (size_t m = 0; whole && stages[i].of_models && m < json_array_size(models); m++) {
            const json_t *model = json_array_get(models, m);
            whole = (is_digest(model, stages[i].name) ||
                     (stages[i].may_lack && !json_object_get(model, stages[i].name))) &&
                    (!stages[i].by_bone || is_list_of_bones(model, stages[i].by_bone));
        }
    }
    return whole;
}

static bool same_member(const json_t *a, const json_t *b, const char *key)
{
    const char *x = json_string_value(json_object_get(a, key)),
               *y = json_string_value(json_object_get(b, key));
    return x && y ? strcmp(x, y) == 0 : !json_object_get(a, key) && !json_object_get(b, key);
}

/* Finds the first bone that differs, in evaluation order, since its descendants differ because of it. Writes
 * a description to detail. Returns its index, or -1. */
static int32_t tell_bone(const json_t *a, const json_t *b, const char *key, const scene_model *m,
                         char *detail, size_t capacity)
{
    const char *x = json_string_value(json_object_get(a, key)),
               *y = json_string_value(json_object_get(b, key));
    size_t length = (size_t)SHORT_DIGITS * m->model->bone_count, used = strlen(detail), differ = 0;
    int32_t first = -1;
    if (!x || !y || strlen(x) != length || strlen(y) != length)
        return first;
    for (uint32_t i = 0; i < m->model->bone_count; i++) {
        uint32_t bone = m->model->bone_order[i];
        size_t at = (size_t)SHORT_DIGITS * bone;
        if (memcmp(x + at, y + at, SHORT_DIGITS) == 0)
            continue;
        differ++;
        if (first < 0)
            first = (int32_t)bone;
    }
    if (first >= 0)
        snprintf(detail + used, capacity - used, "; first bone: %s (of %zu that differ)",
                 m->model->bones[first].name, differ);
    return first;
}

/* Returns the model of an element of the list, which has no removed models. */
static const scene_model *model_at(const odori_scene *s, size_t element)
{
    size_t i = 0;
    for (; i + 1 < s->model_count && (!scene_is_present(s, i) || element > 0); i++)
        element -= scene_is_present(s, i);
    return &s->models[i];
}

/* Returns the index of the first model that differs in a step, or -1. */
static int differing_model(const json_t *a, const json_t *b, const char *key)
{
    for (size_t i = 0; i < json_array_size(a); i++)
        if (!same_member(json_array_get(a, i), json_array_get(b, i), key))
            return (int)i;
    return -1;
}

const char *pipeline_hashes_first(const json_t *before, const json_t *now, const recipe_stage *stage,
                                  char *detail, size_t capacity)
{
    const json_t *a = json_object_get(before, "models"), *b = json_object_get(now, "models");
    detail[0] = '\0';
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        if (!stages[i].of_models) {
            if (!same_member(before, now, stages[i].name))
                return stages[i].name;
            continue;
        }
        if (json_array_size(a) != json_array_size(b))
            return "model";
        int differs = differing_model(a, b, stages[i].name);
        if (differs < 0)
            continue;
        const scene_model *m = model_at(&stage->scene, (size_t)differs);
        snprintf(detail, capacity, "%s", m->model->name[0] ? m->model->name : mmd_path_name(m->path));
        const json_t *was = json_array_get(a, (size_t)differs), *is = json_array_get(b, (size_t)differs);
        int32_t bone = stages[i].by_bone ? tell_bone(was, is, stages[i].by_bone, m, detail, capacity) : -1;
        /* If a bone is driven by physics and the motion's part is unchanged, its rigid body is the cause. */
        bool by_physics = strcmp(stages[i].name, "bones") == 0 && mmd_model_bone_is_driven(m->model, bone) &&
                          !same_member(was, is, "physics");
        return by_physics ? "physics" : stages[i].name;
    }
    return "";
}
