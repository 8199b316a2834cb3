/*
 * Builds a physics scene whose counts are not known in advance, copies it into one arena at the end and
 * checks it.
 *
 * Texts, meshes and what filters and gravity fields point to are in the document's arena already, which lives
 * as long as the scene.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "exchange_internal.h"

/*
 * Returns the array with room for one element more, which is zeroed. NULL when out of memory; the old array
 * stays valid.
 */
static void *grow(scene_builder *builder, void *items, uint32_t count, uint32_t *room, size_t size)
{
    if (builder->failed)
        return NULL;
    if (count == *room) {
        uint32_t wanted = *room ? *room * 2 : 16;
        void *grown = *room > UINT32_MAX / 2 ? NULL : mmd_realloc(items, wanted * size);
        if (!grown) {
            builder->failed = true;
            return NULL;
        }
        items = grown;
        *room = wanted;
    }
    memset((char *)items + (size_t)count * size, 0, size);
    return items;
}

/*
 * Appends an element to an array of the scene: declares `number`, its index, and sets *out to its address.
 * Makes the calling function return 0 when out of memory.
 */
#define ADD(builder, list, counter, rooms, type, out)                                                        \
    type *grown =                                                                                            \
        grow(builder, (builder)->scene.list, (builder)->scene.counter, &(builder)->rooms, sizeof *grown);    \
    if (!grown)                                                                                              \
        return 0;                                                                                            \
    (builder)->scene.list = grown;                                                                           \
    *(out) = &grown[(builder)->scene.counter];                                                               \
    uint32_t number = (builder)->scene.counter++

/* Appends the file location (node or entity) of a body or joint. */
static mmd_exchange_item *add_item(scene_builder *builder, mmd_exchange_item **items, uint32_t number,
                                   uint32_t *room)
{
    mmd_exchange_item *grown = grow(builder, *items, number, room, sizeof *grown);
    if (!grown)
        return NULL;
    *items = grown;
    grown[number] = (mmd_exchange_item){.node = -1, .entity = ""};
    return &grown[number];
}

uint32_t scene_add_body(scene_builder *builder, mmd_phys_body **body, mmd_exchange_item **item)
{
    assert(builder && body && item);
    *item = add_item(builder, &builder->body_items, builder->scene.body_count, &builder->body_item_room);
    ADD(builder, bodies, body_count, body_room, mmd_phys_body, body);
    (*body)->name = (*body)->path = "";
    (*body)->bone = -1;
    (*body)->gravity_factor = 1;
    (*body)->rest.rotation[3] = (*body)->inertia_rotation[3] = 1;
    (*body)->first_shape = builder->scene.shape_count;
    return number;
}

uint32_t scene_add_shape(scene_builder *builder, mmd_phys_shape **shape)
{
    assert(shape);
    ADD(builder, shapes, shape_count, shape_room, mmd_phys_shape, shape);
    (*shape)->name = (*shape)->path = "";
    (*shape)->mesh = (*shape)->material = (*shape)->filter = -1;
    (*shape)->solid = true;
    (*shape)->frame.rotation[3] = 1;
    return number;
}

uint32_t scene_add_mesh(scene_builder *builder, mmd_phys_mesh **mesh)
{
    ADD(builder, meshes, mesh_count, mesh_room, mmd_phys_mesh, mesh);
    return number;
}

uint32_t scene_add_material(scene_builder *builder, mmd_phys_material **material)
{
    assert(material);
    ADD(builder, materials, material_count, material_room, mmd_phys_material, material);
    **material = mmd_default_phys_material();
    (*material)->name = "";
    return number;
}

uint32_t scene_add_filter(scene_builder *builder, mmd_phys_filter **filter)
{
    assert(filter);
    ADD(builder, filters, filter_count, filter_room, mmd_phys_filter, filter);
    (*filter)->named = true;
    return number;
}

uint32_t scene_add_joint(scene_builder *builder, mmd_phys_joint **joint, mmd_exchange_item **item)
{
    assert(builder && joint && item);
    *item = add_item(builder, &builder->joint_items, builder->scene.joint_count, &builder->joint_item_room);
    ADD(builder, joints, joint_count, joint_room, mmd_phys_joint, joint);
    (*joint)->name = (*joint)->path = "";
    (*joint)->kind = MMD_JOINT_LIMITS_AND_DRIVES;
    (*joint)->body_a = (*joint)->body_b = -1;
    (*joint)->frame_a.rotation[3] = (*joint)->frame_b.rotation[3] = 1;
    (*joint)->first_limit = builder->scene.limit_count;
    (*joint)->first_drive = builder->scene.drive_count;
    return number;
}

uint32_t scene_add_limit(scene_builder *builder, mmd_phys_limit **limit)
{
    ADD(builder, limits, limit_count, limit_room, mmd_phys_limit, limit);
    return number;
}

uint32_t scene_add_drive(scene_builder *builder, mmd_phys_drive **drive)
{
    assert(drive);
    ADD(builder, drives, drive_count, drive_room, mmd_phys_drive, drive);
    (*drive)->enabled = true;
    (*drive)->max_force = INFINITY;
    (*drive)->target.rotation[3] = 1;
    return number;
}

uint32_t scene_add_gravity(scene_builder *builder, mmd_phys_gravity **gravity)
{
    assert(gravity);
    ADD(builder, gravities, gravity_count, gravity_room, mmd_phys_gravity, gravity);
    (*gravity)->body = (*gravity)->shape = -1;
    return number;
}

/* Returns the FNV-1a hash of a name. */
static uint32_t name_hash(const char *name)
{
    uint32_t hash = 2166136261U;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619U;
    return hash;
}

/* Returns the hash slot of a name, or the free slot where it belongs. */
static uint32_t *find_slot(const scene_builder *builder, const char *name)
{
    uint32_t at = name_hash(name) % builder->system_slot_count;
    while (builder->system_slots[at] &&
           strcmp(builder->scene.system_names[builder->system_slots[at] - 1], name) != 0)
        at = (at + 1) % builder->system_slot_count;
    return &builder->system_slots[at];
}

/* Grows the hash table so that at most half of its slots are used. Returns false when out of memory. */
static bool grow_slots(scene_builder *builder)
{
    if (builder->failed || builder->scene.system_count < builder->system_slot_count / 2)
        return !builder->failed;
    uint32_t count = builder->system_slot_count ? 2 * builder->system_slot_count : 32;
    uint32_t *slots = mmd_alloc(count * sizeof *slots);
    builder->failed = !slots;
    if (!slots)
        return false;
    memset(slots, 0, count * sizeof *slots);
    mmd_free(builder->system_slots);
    builder->system_slots = slots;
    builder->system_slot_count = count;
    for (uint32_t i = 0; i < builder->scene.system_count; i++)
        *find_slot(builder, builder->scene.system_names[i]) = i + 1;
    return true;
}

uint32_t scene_system(scene_builder *builder, const char *name)
{
    assert(builder);
    if (!grow_slots(builder))
        return 0;
    uint32_t *slot = find_slot(builder, name);
    if (*slot)
        return *slot - 1;
    const char **names = grow(builder, builder->scene.system_names, builder->scene.system_count,
                              &builder->system_room, sizeof *names);
    if (!names)
        return 0;
    builder->scene.system_names = names;
    names[builder->scene.system_count] = name;
    *slot = builder->scene.system_count + 1;
    return builder->scene.system_count++;
}

/* Copies a heap array into the arena and frees it. */
static void *move_to_arena(scene_builder *builder, mmd_arena *arena, void *items, uint32_t count, size_t size)
{
    void *stored = mmd_arena_alloc(arena, count, size);
    if (!stored)
        builder->failed = true;
    else if (count)
        memcpy(stored, items, count * size);
    mmd_free(items);
    return stored;
}

static void move_all_to_arena(scene_builder *builder, mmd_exchange *document)
{
    mmd_physscene *scene = &builder->scene;
    mmd_arena *arena = &scene->arena;
    scene->bodies = move_to_arena(builder, arena, scene->bodies, scene->body_count, sizeof *scene->bodies);
    scene->shapes = move_to_arena(builder, arena, scene->shapes, scene->shape_count, sizeof *scene->shapes);
    scene->meshes = move_to_arena(builder, arena, scene->meshes, scene->mesh_count, sizeof *scene->meshes);
    scene->materials =
        move_to_arena(builder, arena, scene->materials, scene->material_count, sizeof *scene->materials);
    scene->filters =
        move_to_arena(builder, arena, scene->filters, scene->filter_count, sizeof *scene->filters);
    scene->joints = move_to_arena(builder, arena, scene->joints, scene->joint_count, sizeof *scene->joints);
    scene->limits = move_to_arena(builder, arena, scene->limits, scene->limit_count, sizeof *scene->limits);
    scene->drives = move_to_arena(builder, arena, scene->drives, scene->drive_count, sizeof *scene->drives);
    scene->gravities =
        move_to_arena(builder, arena, scene->gravities, scene->gravity_count, sizeof *scene->gravities);
    scene->system_names =
        move_to_arena(builder, arena, scene->system_names, scene->system_count, sizeof *scene->system_names);
    document->bodies =
        move_to_arena(builder, arena, builder->body_items, scene->body_count, sizeof *document->bodies);
    document->joints =
        move_to_arena(builder, arena, builder->joint_items, scene->joint_count, sizeof *document->joints);
    builder->body_items = builder->joint_items = NULL;
    mmd_free(builder->system_slots);
    builder->system_slots = NULL;
}

mmd_status scene_builder_finish(scene_builder *builder, mmd_exchange *document, mmd_error *error)
{
    assert(builder && document);
    bool failed = builder->failed;
    move_all_to_arena(builder, document);
    mmd_physscene *scene = mmd_arena_alloc(&document->arena, 1, sizeof *scene);
    if (failed || builder->failed || !scene) {
        mmd_physscene_destroy(&builder->scene);
        return mmd_error_set(error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET, "no memory for %u bodies",
                             builder->scene.body_count);
    }
    *scene = builder->scene;
    builder->scene = (mmd_physscene){0};
    document->physscene = scene; /* mmd_exchange_destroy frees its arena */
    return mmd_physscene_check(scene, error);
}

void scene_builder_discard(scene_builder *builder)
{
    assert(builder);
    mmd_physscene *scene = &builder->scene;
    void *items[] = {scene->bodies,        scene->shapes,       scene->meshes,       scene->materials,
                     scene->filters,       scene->joints,       scene->limits,       scene->drives,
                     scene->gravities,     scene->system_names, builder->body_items, builder->joint_items,
                     builder->system_slots};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        mmd_free(items[i]);
    mmd_arena_finish(&scene->arena);
    *builder = (scene_builder){0};
}
