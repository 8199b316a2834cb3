/* Materials and collision filters of a glTF: KHR's, and the same words in OMI_physics_body. */
#include <math.h>
#include <string.h>

#include "physics.h"

static const struct {
    const char *text;
    mmd_combine_mode mode;
} combine_modes[] = {{"average", MMD_COMBINE_AVERAGE},
                     {"minimum", MMD_COMBINE_MINIMUM},
                     {"maximum", MMD_COMBINE_MAXIMUM},
                     {"multiply", MMD_COMBINE_MULTIPLY}};

/* A mode that nobody knows is as good as none. */
static mmd_status read_combine(phys_reader *reader, const json_spot *of, const char *key, uint8_t *mode)
{
    const char *text = "";
    mmd_status status = json_read_text(&reader->file->reader, of, key, &text);
    *mode = MMD_COMBINE_UNSPECIFIED;
    if (status || !*text)
        return status;
    for (size_t i = 0; i < sizeof combine_modes / sizeof combine_modes[0]; i++) {
        if (strcmp(text, combine_modes[i].text) == 0) {
            *mode = (uint8_t)combine_modes[i].mode;
            return MMD_OK;
        }
    }
    json_spot at = json_spot_member(of, key);
    return phys_lost(reader, MMD_LOSS_DROPPED, "combine.dropped", &at, key, "");
}

static mmd_status read_material(phys_reader *reader, const json_spot *spot)
{
    const json_reader *json = &reader->file->reader;
    mmd_phys_material *material = NULL;
    scene_add_material(&reader->maker, &material);
    if (reader->maker.failed)
        return phys_no_memory(reader);
    mmd_phys_material fallback = mmd_default_phys_material();
    mmd_status status = json_read_float(json, spot, "staticFriction", fallback.static_friction, 0, INFINITY,
                                        &material->static_friction);
    if (!status)
        status = json_read_float(json, spot, "dynamicFriction", fallback.dynamic_friction, 0, INFINITY,
                                 &material->dynamic_friction);
    if (!status)
        status = json_read_float(json, spot, "restitution", fallback.restitution, 0, INFINITY,
                                 &material->restitution);
    if (!status)
        status = read_combine(reader, spot, "frictionCombine", &material->friction_combine);
    if (!status)
        status = read_combine(reader, spot, "restitutionCombine", &material->restitution_combine);
    return status ? status : json_read_text(json, spot, "name", &material->name);
}

mmd_status phys_read_materials(phys_reader *reader)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; i < json_spot_count(&reader->materials) && !status; i++) {
        json_spot spot = json_spot_element(&reader->materials, i);
        status = read_material(reader, &spot);
    }
    return status;
}

static mmd_status read_systems(phys_reader *reader, const json_spot *of, const char *key,
                               const uint32_t **systems, uint32_t *count, bool *given)
{
    const json_reader *json = &reader->file->reader;
    json_spot list;
    mmd_status status = json_read_kind(json, of, key, JSON_ARRAY, &list);
    if (status)
        return status;
    *given = list.value != NULL;
    *count = (uint32_t)json_spot_count(&list);
    uint32_t *numbers = mmd_arena_alloc(json->arena, *count, sizeof *numbers);
    if (!numbers)
        return phys_no_memory(reader);
    for (uint32_t i = 0; i < *count; i++) {
        json_spot entry = json_spot_element(&list, i);
        if (!json_is_string(entry.value))
            return json_spot_fail(json, &entry, MMD_ERROR_VALUE, "no name of a collision system");
        const char *name =
            mmd_arena_text(json->arena, json_string_value(entry.value), json_string_length(entry.value));
        if (!name)
            return phys_no_memory(reader);
        numbers[i] = scene_system(&reader->maker, name);
    }
    *systems = numbers;
    return reader->maker.failed ? phys_no_memory(reader) : MMD_OK;
}

mmd_status phys_read_filters(phys_reader *reader)
{
    mmd_status status = MMD_OK;
    for (size_t i = 0; i < json_spot_count(&reader->filters) && !status; i++) {
        json_spot spot = json_spot_element(&reader->filters, i);
        mmd_phys_filter *filter = NULL;
        bool given;
        scene_add_filter(&reader->maker, &filter);
        if (reader->maker.failed)
            return phys_no_memory(reader);
        status =
            read_systems(reader, &spot, "collisionSystems", &filter->systems, &filter->system_count, &given);
        if (!status)
            status = read_systems(reader, &spot, "collideWithSystems", &filter->collide_with,
                                  &filter->collide_count, &filter->has_collide_with);
        if (!status)
            status = read_systems(reader, &spot, "notCollideWithSystems", &filter->not_collide_with,
                                  &filter->not_collide_count, &given);
    }
    return status;
}
