/*
 * Materials and collision filters of a glTF (FORMATS.md 4, Filters). PMX's
 * groups become systems "mmd.group.<g>": a body is in its own and collides with
 * those of its mask; one that collides with nothing names a system that
 * nobody is in, as readers take an empty list for all.
 */
#include <stdio.h>

#include "write_physics.h"

static void put_mode(phys_writer *writer, json_t *material, const char *key, uint8_t mode)
{
    static const char *const modes[] = {[MMD_COMBINE_MULTIPLY] = "multiply",
                                        [MMD_COMBINE_MAXIMUM] = "maximum",
                                        [MMD_COMBINE_MINIMUM] = "minimum",
                                        [MMD_COMBINE_AVERAGE] = "average"};
    if (mode != MMD_COMBINE_UNSPECIFIED)
        gltf_put(writer->builder, material, key, json_string(modes[mode]));
}

int32_t phys_write_material(phys_writer *writer, int32_t material)
{
    if (material < 0)
        return -1;
    const mmd_phys_material *from = &writer->scene->materials[material];
    json_t *made = json_pack("{s:o, s:o, s:o}", "staticFriction", json_from_float(from->static_friction),
                             "dynamicFriction", json_from_float(from->dynamic_friction), "restitution",
                             json_from_float(from->restitution));
    put_mode(writer, made, "frictionCombine", from->friction_combine);
    put_mode(writer, made, "restitutionCombine", from->restitution_combine);
    if (from->name && from->name[0])
        gltf_put(writer->builder, made, "name", json_text(from->name));
    return phys_intern(writer, &writer->materials, made);
}

/* --------------------------------------------------------------- filters */

static json_t *group_name(int group)
{
    char name[24];
    snprintf(name, sizeof name, "mmd.group.%d", group);
    return json_string(name);
}

static json_t *groups_of(uint16_t mask)
{
    json_t *list = json_array();
    for (int group = 0; group < 16; group++)
        if (mask >> group & 1)
            json_array_append_new(list, group_name(group));
    if (mask == 0)
        json_array_append_new(list, json_string("mmd.none"));
    return list;
}

static json_t *names_of(const mmd_physscene *scene, const uint32_t *systems, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(list, json_text(scene->system_names[systems[i]]));
    return list;
}

/* Of collide_with and not_collide_with a file may say one: what of the first the second leaves. */
static json_t *left_names(phys_writer *writer, const mmd_phys_filter *filter)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < filter->collide_count; i++) {
        bool left = true;
        for (uint32_t k = 0; k < filter->not_collide_count; k++)
            left = left && filter->not_collide_with[k] != filter->collide_with[i];
        if (left)
            json_array_append_new(list, json_text(writer->scene->system_names[filter->collide_with[i]]));
    }
    phys_lose(writer, MMD_LOSS_APPROXIMATED, "filter.merged", "notCollideWithSystems", "both lists", "one");
    return list;
}

static json_t *named_filter(phys_writer *writer, const mmd_phys_filter *filter)
{
    gltf_builder *builder = writer->builder;
    const mmd_physscene *scene = writer->scene;
    json_t *made = json_object();
    if (filter->system_count)
        gltf_put(builder, made, "collisionSystems", names_of(scene, filter->systems, filter->system_count));
    if (filter->has_collide_with && filter->not_collide_count)
        gltf_put(builder, made, "collideWithSystems", left_names(writer, filter));
    else if (filter->has_collide_with)
        gltf_put(builder, made, "collideWithSystems",
                 names_of(scene, filter->collide_with, filter->collide_count));
    else if (filter->not_collide_count)
        gltf_put(builder, made, "notCollideWithSystems",
                 names_of(scene, filter->not_collide_with, filter->not_collide_count));
    return made;
}

int32_t phys_write_filter(phys_writer *writer, int32_t filter)
{
    if (filter < 0)
        return -1;
    const mmd_phys_filter *from = &writer->scene->filters[filter];
    json_t *made = from->named ? named_filter(writer, from)
                               : json_pack("{s:[o], s:o}", "collisionSystems", group_name(from->group),
                                           "collideWithSystems", groups_of(from->mask));
    return phys_intern(writer, &writer->filters, made);
}
