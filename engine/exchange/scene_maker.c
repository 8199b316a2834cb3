/*
 * A physics scene that grows while a file is read, and its end: everything
 * copied into one arena, checked.
 *
 * Texts, meshes, and what filters and gravity fields point to are in the
 * document's arena already, which lives as long as the scene.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "exchange_internal.h"

/* The array with room for one more than count, that one zeroed; NULL when out of memory, the old one stays.
 */
static void *grow(scene_maker *maker, void *items, uint32_t count, uint32_t *room, size_t size)
{
    if (maker->failed)
        return NULL;
    if (count == *room) {
        uint32_t wanted = *room ? *room * 2 : 16;
        void *grown = *room > UINT32_MAX / 2 ? NULL : mmd_realloc(items, wanted * size);
        if (!grown) {
            maker->failed = true;
            return NULL;
        }
        items = grown;
        *room = wanted;
    }
    memset((char *)items + (size_t)count * size, 0, size);
    return items;
}

/* The number and place of a new element; an array without room gives NULL. */
#define ADD(maker, list, counter, rooms, type, out)                                                          \
    type *grown = grow(maker, (maker)->scene.list, (maker)->scene.counter, &(maker)->rooms, sizeof *grown);  \
    if (!grown)                                                                                              \
        return 0;                                                                                            \
    (maker)->scene.list = grown;                                                                             \
    *(out) = &grown[(maker)->scene.counter];                                                                 \
    uint32_t number = (maker)->scene.counter++

static mmd_exchange_item *add_item(scene_maker *maker, mmd_exchange_item **items, uint32_t number,
                                   uint32_t *room)
{
    mmd_exchange_item *grown = grow(maker, *items, number, room, sizeof *grown);
    if (!grown)
        return NULL;
    *items = grown;
    grown[number] = (mmd_exchange_item){.node = -1, .entity = ""};
    return &grown[number];
}

uint32_t scene_add_body(scene_maker *maker, mmd_phys_body **body, mmd_exchange_item **item)
{
    assert(maker && body && item);
    *item = add_item(maker, &maker->body_items, maker->scene.body_count, &maker->body_item_room);
    ADD(maker, bodies, body_count, body_room, mmd_phys_body, body);
    (*body)->name = (*body)->path = "";
    (*body)->bone = -1;
    (*body)->gravity_factor = 1;
    (*body)->rest.rotation[3] = (*body)->inertia_rotation[3] = 1;
    (*body)->first_shape = maker->scene.shape_count;
    return number;
}

uint32_t scene_add_shape(scene_maker *maker, mmd_phys_shape **shape)
{
    assert(shape);
    ADD(maker, shapes, shape_count, shape_room, mmd_phys_shape, shape);
    (*shape)->name = (*shape)->path = "";
    (*shape)->mesh = (*shape)->material = (*shape)->filter = -1;
    (*shape)->solid = true;
    (*shape)->frame.rotation[3] = 1;
    return number;
}

uint32_t scene_add_mesh(scene_maker *maker, mmd_phys_mesh **mesh)
{
    ADD(maker, meshes, mesh_count, mesh_room, mmd_phys_mesh, mesh);
    return number;
}

uint32_t scene_add_material(scene_maker *maker, mmd_phys_material **material)
{
    assert(material);
    ADD(maker, materials, material_count, material_room, mmd_phys_material, material);
    **material = mmd_default_phys_material();
    (*material)->name = "";
    return number;
}

uint32_t scene_add_filter(scene_maker *maker, mmd_phys_filter **filter)
{
    assert(filter);
    ADD(maker, filters, filter_count, filter_room, mmd_phys_filter, filter);
    (*filter)->named = true;
    return number;
}

uint32_t scene_add_joint(scene_maker *maker, mmd_phys_joint **joint, mmd_exchange_item **item)
{
    assert(maker && joint && item);
    *item = add_item(maker, &maker->joint_items, maker->scene.joint_count, &maker->joint_item_room);
    ADD(maker, joints, joint_count, joint_room, mmd_phys_joint, joint);
    (*joint)->name = (*joint)->path = "";
    (*joint)->kind = MMD_JOINT_LIMITS_AND_DRIVES;
    (*joint)->body_a = (*joint)->body_b = -1;
    (*joint)->frame_a.rotation[3] = (*joint)->frame_b.rotation[3] = 1;
    (*joint)->first_limit = maker->scene.limit_count;
    (*joint)->first_drive = maker->scene.drive_count;
    return number;
}

uint32_t scene_add_limit(scene_maker *maker, mmd_phys_limit **limit)
{
    ADD(maker, limits, limit_count, limit_room, mmd_phys_limit, limit);
    return number;
}

uint32_t scene_add_drive(scene_maker *maker, mmd_phys_drive **drive)
{
    assert(drive);
    ADD(maker, drives, drive_count, drive_room, mmd_phys_drive, drive);
    (*drive)->enabled = true;
    (*drive)->max_force = INFINITY;
    (*drive)->target.rotation[3] = 1;
    return number;
}

uint32_t scene_add_gravity(scene_maker *maker, mmd_phys_gravity **gravity)
{
    assert(gravity);
    ADD(maker, gravities, gravity_count, gravity_room, mmd_phys_gravity, gravity);
    (*gravity)->body = (*gravity)->shape = -1;
    return number;
}

/* FNV-1a. */
static uint32_t name_hash(const char *name)
{
    uint32_t hash = 2166136261U;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619U;
    return hash;
}

/* The slot of a name, or the free one where it would be. */
static uint32_t *find_slot(const scene_maker *maker, const char *name)
{
    uint32_t at = name_hash(name) % maker->system_slot_count;
    while (maker->system_slots[at] &&
           strcmp(maker->scene.system_names[maker->system_slots[at] - 1], name) != 0)
        at = (at + 1) % maker->system_slot_count;
    return &maker->system_slots[at];
}

/* At most half of the slots are taken. */
static bool grow_slots(scene_maker *maker)
{
    if (maker->failed || maker->scene.system_count < maker->system_slot_count / 2)
        return !maker->failed;
    uint32_t count = maker->system_slot_count ? 2 * maker->system_slot_count : 32;
    uint32_t *slots = mmd_alloc(count * sizeof *slots);
    maker->failed = !slots;
    if (!slots)
        return false;
    memset(slots, 0, count * sizeof *slots);
    mmd_free(maker->system_slots);
    maker->system_slots = slots;
    maker->system_slot_count = count;
    for (uint32_t i = 0; i < maker->scene.system_count; i++)
        *find_slot(maker, maker->scene.system_names[i]) = i + 1;
    return true;
}

uint32_t scene_system(scene_maker *maker, const char *name)
{
    assert(maker);
    if (!grow_slots(maker))
        return 0;
    uint32_t *slot = find_slot(maker, name);
    if (*slot)
        return *slot - 1;
    const char **names =
        grow(maker, maker->scene.system_names, maker->scene.system_count, &maker->system_room, sizeof *names);
    if (!names)
        return 0;
    maker->scene.system_names = names;
    names[maker->scene.system_count] = name;
    *slot = maker->scene.system_count + 1;
    return maker->scene.system_count++;
}

/* Moves an array of the heap into the arena. */
static void *settle(scene_maker *maker, mmd_arena *arena, void *items, uint32_t count, size_t size)
{
    void *kept = mmd_arena_alloc(arena, count, size);
    if (!kept)
        maker->failed = true;
    else if (count)
        memcpy(kept, items, count * size);
    mmd_free(items);
    return kept;
}

static void settle_all(scene_maker *maker, mmd_exchange *document)
{
    mmd_physscene *scene = &maker->scene;
    mmd_arena *arena = &scene->arena;
    scene->bodies = settle(maker, arena, scene->bodies, scene->body_count, sizeof *scene->bodies);
    scene->shapes = settle(maker, arena, scene->shapes, scene->shape_count, sizeof *scene->shapes);
    scene->meshes = settle(maker, arena, scene->meshes, scene->mesh_count, sizeof *scene->meshes);
    scene->materials =
        settle(maker, arena, scene->materials, scene->material_count, sizeof *scene->materials);
    scene->filters = settle(maker, arena, scene->filters, scene->filter_count, sizeof *scene->filters);
    scene->joints = settle(maker, arena, scene->joints, scene->joint_count, sizeof *scene->joints);
    scene->limits = settle(maker, arena, scene->limits, scene->limit_count, sizeof *scene->limits);
    scene->drives = settle(maker, arena, scene->drives, scene->drive_count, sizeof *scene->drives);
    scene->gravities = settle(maker, arena, scene->gravities, scene->gravity_count, sizeof *scene->gravities);
    scene->system_names =
        settle(maker, arena, scene->system_names, scene->system_count, sizeof *scene->system_names);
    document->bodies = settle(maker, arena, maker->body_items, scene->body_count, sizeof *document->bodies);
    document->joints = settle(maker, arena, maker->joint_items, scene->joint_count, sizeof *document->joints);
    maker->body_items = maker->joint_items = NULL;
    mmd_free(maker->system_slots);
    maker->system_slots = NULL;
}

mmd_status scene_maker_finish(scene_maker *maker, mmd_exchange *document, mmd_error *error)
{
    assert(maker && document);
    bool failed = maker->failed;
    settle_all(maker, document);
    mmd_physscene *scene = mmd_arena_alloc(&document->arena, 1, sizeof *scene);
    if (failed || maker->failed || !scene) {
        mmd_physscene_destroy(&maker->scene);
        return mmd_error_set(error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET, "no memory for %u bodies",
                             maker->scene.body_count);
    }
    *scene = maker->scene;
    maker->scene = (mmd_physscene){0};
    document->physscene = scene; /* mmd_exchange_destroy gives its arena back */
    return mmd_physscene_check(scene, error);
}

void scene_maker_abandon(scene_maker *maker)
{
    assert(maker);
    mmd_physscene *scene = &maker->scene;
    void *items[] = {scene->bodies,      scene->shapes,       scene->meshes,     scene->materials,
                     scene->filters,     scene->joints,       scene->limits,     scene->drives,
                     scene->gravities,   scene->system_names, maker->body_items, maker->joint_items,
                     maker->system_slots};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        mmd_free(items[i]);
    mmd_arena_finish(&scene->arena);
    *maker = (scene_maker){0};
}
