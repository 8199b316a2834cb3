/*
 * Stamps: 64-bit hashes of all that physics reads of a body or joint, and of a model's mesh, to detect on the
 * way back what was not edited.
 *
 * The hash is FNV-1a (Fowler, Noll, Vo; RFC 9923) over the bits of the numbers in a fixed order, without
 * padding and pointers. Referenced items are hashed by their contents, so renumbering other items does not
 * matter. A stamp is never 0, which means none.
 */
#include <assert.h>
#include <string.h>

#include "exchange_internal.h"

static const uint64_t fnv_start = 14695981039346656037U, fnv_prime = 1099511628211U;

static void mix(uint64_t *hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        *hash = (*hash ^ bytes[i]) * fnv_prime;
}

static void mix_number(uint64_t *hash, uint64_t number)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    mix(hash, bytes, sizeof bytes);
}

static void mix_floats(uint64_t *hash, const float *values, size_t count)
{
    mix(hash, values, count * sizeof *values);
}

/* Includes the final NUL, so that "ab", "c" differs from "a", "bc". */
static void mix_text(uint64_t *hash, const char *text)
{
    mix(hash, text, strlen(text) + 1);
}

static void mix_transform(uint64_t *hash, const mmd_transform *transform)
{
    mix_floats(hash, transform->rotation, 4);
    mix_floats(hash, transform->translation, 3);
}

/* Returns the stamp of a hash, which is not 0. */
static uint64_t finished(uint64_t hash)
{
    return hash ? hash : 1;
}

/* ---------------------------------------------------------------- bodies */

static void mix_systems(uint64_t *hash, const mmd_physscene *scene, const uint32_t *systems, uint32_t count)
{
    mix_number(hash, count);
    for (uint32_t i = 0; i < count; i++)
        mix_text(hash, scene->system_names[systems[i]]);
}

static void mix_filter(uint64_t *hash, const mmd_physscene *scene, int32_t index)
{
    mix_number(hash, index < 0);
    if (index < 0)
        return;
    const mmd_phys_filter *filter = &scene->filters[index];
    mix_number(hash, filter->named);
    mix_number(hash, filter->group);
    mix_number(hash, filter->mask);
    mix_number(hash, filter->has_collide_with);
    mix_systems(hash, scene, filter->systems, filter->system_count);
    mix_systems(hash, scene, filter->collide_with, filter->collide_count);
    mix_systems(hash, scene, filter->not_collide_with, filter->not_collide_count);
}

static void mix_material(uint64_t *hash, const mmd_physscene *scene, int32_t index)
{
    mmd_phys_material usual = mmd_default_phys_material();
    const mmd_phys_material *material = index < 0 ? &usual : &scene->materials[index];
    mix_floats(hash, &material->static_friction, 1);
    mix_floats(hash, &material->dynamic_friction, 1);
    mix_floats(hash, &material->restitution, 1);
    mix_number(hash, material->friction_combine);
    mix_number(hash, material->restitution_combine);
}

static void mix_mesh(uint64_t *hash, const mmd_physscene *scene, int32_t index)
{
    if (index < 0)
        return;
    const mmd_phys_mesh *mesh = &scene->meshes[index];
    mix_number(hash, mesh->point_count);
    mix(hash, mesh->points, mesh->point_count * sizeof mesh->points[0]);
    mix_number(hash, mesh->index_count);
    mix(hash, mesh->indices, mesh->index_count * sizeof mesh->indices[0]);
}

static void mix_shape(uint64_t *hash, const mmd_physscene *scene, const mmd_phys_shape *shape)
{
    mix_number(hash, shape->kind);
    mix_number(hash, shape->trigger);
    mix_number(hash, shape->solid);
    mix_transform(hash, &shape->frame);
    mix_floats(hash, shape->size, 3);
    mix_mesh(hash, scene, shape->mesh);
    mix_material(hash, scene, shape->material);
    mix_filter(hash, scene, shape->filter);
}

static void mix_body_flags(uint64_t *hash, const mmd_phys_body *body)
{
    mix_number(hash, body->motion);
    mix_number(hash, body->disabled);
    mix_number(hash, body->can_sleep);
    mix_number(hash, body->ccd);
    mix_number(hash, body->auto_inertia);
    mix_number(hash, body->auto_center);
    mix_number(hash, body->auto_mass);
}

uint64_t stamp_body(const mmd_physscene *scene, uint32_t index)
{
    assert(scene);
    assert(index < scene->body_count);
    const mmd_phys_body *body = &scene->bodies[index];
    uint64_t hash = fnv_start;
    mix_text(&hash, body->name);
    mix_body_flags(&hash, body);
    mix_transform(&hash, &body->rest);
    mix_floats(&hash, &body->mass, 1);
    mix_floats(&hash, body->inertia, 3);
    mix_floats(&hash, body->inertia_rotation, 4);
    mix_floats(&hash, body->center, 3);
    mix_floats(&hash, &body->linear_damping, 1);
    mix_floats(&hash, &body->angular_damping, 1);
    mix_floats(&hash, body->linear_velocity, 3);
    mix_floats(&hash, body->angular_velocity, 3);
    mix_floats(&hash, &body->gravity_factor, 1);
    mix_number(&hash, body->shape_count);
    for (uint32_t i = 0; i < body->shape_count; i++)
        mix_shape(&hash, scene, &scene->shapes[body->first_shape + i]);
    return finished(hash);
}

/* ---------------------------------------------------------------- joints */

static void mix_limit(uint64_t *hash, const mmd_phys_limit *limit)
{
    mix_number(hash, limit->kind);
    mix_number(hash, limit->axes);
    mix_number(hash, limit->has_min);
    mix_number(hash, limit->has_max);
    mix_number(hash, limit->soft);
    const float numbers[5] = {limit->min, limit->max, limit->max2, limit->stiffness, limit->damping};
    mix_floats(hash, numbers, 5);
}

static void mix_drive(uint64_t *hash, const mmd_phys_drive *drive)
{
    mix_number(hash, drive->kind);
    mix_number(hash, drive->axis);
    mix_number(hash, drive->acceleration);
    mix_number(hash, drive->enabled);
    const float numbers[7] = {drive->position_target, drive->velocity_target, drive->stiffness,
                              drive->damping,         drive->max_force,       drive->angular_stiffness,
                              drive->angular_damping};
    mix_floats(hash, numbers, 7);
    mix_transform(hash, &drive->target);
}

/* Hashes a body that a joint is attached to, by name and rest transform. */
static void mix_attached_body(uint64_t *hash, const mmd_physscene *scene, int32_t body)
{
    mix_number(hash, body < 0);
    if (body < 0)
        return;
    mix_text(hash, scene->bodies[body].name);
    mix_transform(hash, &scene->bodies[body].rest);
}

static void mix_pmx(uint64_t *hash, const mmd_pmx_joint *pmx)
{
    const float *const numbers[6] = {pmx->linear_lower,  pmx->linear_upper,  pmx->angular_lower,
                                     pmx->angular_upper, pmx->linear_spring, pmx->angular_spring};
    for (int i = 0; i < 6; i++)
        mix_floats(hash, numbers[i], 3);
}

uint64_t stamp_joint(const mmd_physscene *scene, uint32_t index)
{
    assert(scene);
    assert(index < scene->joint_count);
    const mmd_phys_joint *joint = &scene->joints[index];
    uint64_t hash = fnv_start;
    mix_text(&hash, joint->name);
    mix_number(&hash, joint->kind);
    mix_number(&hash, joint->collide);
    mix_number(&hash, joint->disabled);
    mix_attached_body(&hash, scene, joint->body_a);
    mix_attached_body(&hash, scene, joint->body_b);
    mix_transform(&hash, &joint->frame_a);
    mix_transform(&hash, &joint->frame_b);
    mix_pmx(&hash, &joint->pmx);
    mix_floats(&hash, &joint->angular_size, 1);
    mix_number(&hash, joint->limit_count);
    for (uint32_t i = 0; i < joint->limit_count; i++)
        mix_limit(&hash, &scene->limits[joint->first_limit + i]);
    mix_number(&hash, joint->drive_count);
    for (uint32_t i = 0; i < joint->drive_count; i++)
        mix_drive(&hash, &scene->drives[joint->first_drive + i]);
    return finished(hash);
}

/* ----------------------------------------------------------------- world */

static void mix_gravity(uint64_t *hash, const mmd_physscene *scene, const mmd_phys_gravity *gravity)
{
    mix_number(hash, gravity->kind);
    mix_attached_body(hash, scene, gravity->body);
    mix_number(hash, (uint64_t)(int64_t)gravity->priority);
    mix_number(hash, gravity->replace);
    mix_number(hash, gravity->stop);
    mix_floats(hash, &gravity->gravity, 1);
    mix_floats(hash, gravity->direction, 3);
    mix_floats(hash, &gravity->unit_distance, 1);
    mix_floats(hash, &gravity->radius, 1);
    if (gravity->shape >= 0)
        mix_shape(hash, scene, &scene->shapes[gravity->shape]);
    mix_number(hash, gravity->point_count);
    mix(hash, gravity->points, gravity->point_count * sizeof gravity->points[0]);
}

uint64_t stamp_world(const mmd_physscene *scene)
{
    assert(scene);
    const mmd_phys_world *world = &scene->world;
    uint64_t hash = fnv_start;
    mix_floats(&hash, world->gravity, 3);
    mix_number(&hash, world->ground);
    mix_floats(&hash, &world->ground_height, 1);
    mix_floats(&hash, &world->ground_friction, 1);
    mix_floats(&hash, &world->ground_restitution, 1);
    mix_number(&hash, world->rate);
    mix_number(&hash, world->iterations);
    mix_floats(&hash, &world->joint_erp, 1);
    mix_number(&hash, world->damping);
    mix_number(&hash, world->exact_restitution);
    for (uint32_t i = 0; i < scene->gravity_count; i++)
        mix_gravity(&hash, scene, &scene->gravities[i]);
    return finished(hash);
}

/* ------------------------------------------------------------------ mesh */

static void mix_vertices(uint64_t *hash, const mmd_vertices *vertices)
{
    mix_number(hash, vertices->count);
    mix(hash, vertices->position, vertices->count * sizeof vertices->position[0]);
    mix(hash, vertices->normal, vertices->count * sizeof vertices->normal[0]);
    mix(hash, vertices->uv, vertices->count * sizeof vertices->uv[0]);
    mix(hash, vertices->deform, vertices->count * sizeof vertices->deform[0]);
    mix(hash, vertices->bone, vertices->count * sizeof vertices->bone[0]);
    mix(hash, vertices->weight, vertices->count * sizeof vertices->weight[0]);
    mix_number(hash, vertices->additional_uv_count);
    for (uint32_t i = 0; i < vertices->additional_uv_count; i++)
        mix(hash, vertices->additional_uv[i], vertices->count * sizeof vertices->additional_uv[i][0]);
}

static void mix_model_materials(uint64_t *hash, const mmd_model *model)
{
    mix_number(hash, model->material_count);
    for (uint32_t i = 0; i < model->material_count; i++) {
        const mmd_material *material = &model->materials[i];
        mix_text(hash, material->name);
        mix_floats(hash, material->diffuse, 4);
        mix_floats(hash, material->specular, 3);
        mix_floats(hash, &material->specular_power, 1);
        mix_floats(hash, material->ambient, 3);
        mix_number(hash, material->flags);
        mix_text(hash, material->texture < 0 ? "" : model->textures[material->texture]);
        mix_number(hash, material->first_index);
        mix_number(hash, material->index_count);
    }
}

static void mix_bones(uint64_t *hash, const mmd_model *model)
{
    mix_number(hash, model->bone_count);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        const mmd_bone *bone = &model->bones[i];
        mix_text(hash, bone->name);
        mix_floats(hash, bone->position, 3);
        mix_number(hash, (uint64_t)(int64_t)bone->parent);
    }
}

uint64_t stamp_mesh(const mmd_model *model)
{
    assert(model);
    uint64_t hash = fnv_start;
    mix_vertices(&hash, &model->vertices);
    mix_number(&hash, model->index_count);
    mix(&hash, model->indices, model->index_count * sizeof model->indices[0]);
    mix_model_materials(&hash, model);
    mix_bones(&hash, model);
    return finished(hash);
}

uint64_t stamp_morphs(const mmd_model *model)
{
    assert(model);
    uint64_t hash = fnv_start;
    mix_number(&hash, model->morph_count);
    for (uint32_t i = 0; i < model->morph_count; i++) {
        const mmd_morph *morph = &model->morphs[i];
        mix_text(&hash, morph->name);
        mix_number(&hash, morph->kind);
        mix_number(&hash, morph->count);
        for (uint32_t k = 0; morph->kind == MMD_MORPH_VERTEX && k < morph->count; k++) {
            mix_number(&hash, (uint64_t)morph->offsets.vertex[k].vertex);
            mix_floats(&hash, morph->offsets.vertex[k].offset, 3);
        }
    }
    return finished(hash);
}

/* ------------------------------------------------------------------ text */

void stamp_text(uint64_t stamp, char text[17])
{
    assert(text);
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++)
        text[i] = digits[(stamp >> (60 - 4 * i)) & 15];
    text[16] = 0;
}

bool stamp_value(const json_t *json, uint64_t *stamp)
{
    assert(stamp);
    static const char digits[] = "0123456789abcdef";
    const char *text = json_string_value(json);
    if (!text || strlen(text) != 16)
        return false;
    uint64_t value = 0;
    for (int i = 0; i < 16; i++) {
        const char *digit = strchr(digits, text[i]);
        if (!digit)
            return false;
        value = value << 4 | (uint64_t)(digit - digits);
    }
    *stamp = value;
    return value != 0;
}
