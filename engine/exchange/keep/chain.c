/*
 * What an input keeps of the target's format: its own source, or that of its
 * source, and so on (PMX → glTF → Ragdoll → PMX). Maps and stamps of what lies
 * deeper are put into the input's own numbers on the way.
 */
#include <assert.h>
#include <string.h>

#include "chain.h"
#include "mmd/format.h"

static const mmd_model *model_of(const mmd_exchange_input *input)
{
    return input->document ? input->document->model : input->model;
}

/*
 * A Ragdoll has no mesh: what is made of it, and made into it, says nothing of
 * one. Older records have no stamp of morphs; of a PMX, the merge will see.
 */
static bool mesh_held(const mmd_exchange_kept *kept, const mmd_model *model)
{
    return model->origin == MMD_ORIGIN_RAGDOLL || kept->format == MMD_EXCHANGE_RAGDOLL ||
           (stamp_mesh(model) == kept->mesh_stamp &&
            (kept->morph_stamp ? stamp_morphs(model) == kept->morph_stamp
                               : kept->format != MMD_EXCHANGE_PMX));
}

/* ---------------------------------------------------------------- compose */

/* One kind of items: of a source in its document, and of that document in the outer one. */
typedef struct chain_items {
    const int32_t *inner;
    const uint64_t *inner_stamps;
    const int32_t *outer;
    const uint64_t *outer_stamps;
} chain_items;

/* Where the outer scene has item i, and whether anything happened to it; stamp 0: yes, or it is not said. */
static int32_t through(const chain_items *items, uint32_t i, bool inner_held, uint64_t now, uint64_t *stamp)
{
    int32_t at = items->inner[i];
    *stamp = items->inner_stamps[i];
    if (at < 0)
        return -1;
    *stamp = items->outer_stamps[at];
    if (items->outer[at] >= 0 && (!inner_held || *stamp != now))
        *stamp = 0;
    return items->outer[at];
}

/* A source on the way. */
typedef struct chain_link {
    const mmd_physscene *scene;
    const mmd_model *model;
    const mmd_exchange_kept *kept; /* by it */
} chain_link;

/* What writers made besides, on both ways. */
static int32_t *made_through(const int32_t *inner, uint32_t inner_count, const int32_t *map, mmd_arena *arena,
                             const int32_t *outer, uint32_t outer_count, uint32_t *count)
{
    int32_t *made = mmd_arena_alloc(arena, inner_count + (size_t)outer_count, sizeof *made);
    *count = inner_count + outer_count;
    for (uint32_t i = 0; made && i < outer_count; i++)
        made[i] = outer[i];
    for (uint32_t i = 0; made && i < inner_count; i++)
        made[outer_count + i] = inner[i] < 0 ? -1 : map[inner[i]];
    return made;
}

static bool compose(const mmd_exchange_kept *outer, const mmd_physscene *scene, const chain_link *middle,
                    mmd_arena *arena, mmd_exchange_kept *made)
{
    const mmd_exchange_kept *inner = middle->kept;
    *made = *inner;
    made->made_bodies = made_through(inner->made_bodies, inner->made_body_count, outer->bodies, arena,
                                     outer->made_bodies, outer->made_body_count, &made->made_body_count);
    made->made_joints = made_through(inner->made_joints, inner->made_joint_count, outer->joints, arena,
                                     outer->made_joints, outer->made_joint_count, &made->made_joint_count);
    made->bodies = mmd_arena_alloc(arena, inner->body_count, sizeof *made->bodies);
    made->joints = mmd_arena_alloc(arena, inner->joint_count, sizeof *made->joints);
    made->body_stamps = mmd_arena_alloc(arena, inner->body_count, sizeof *made->body_stamps);
    made->joint_stamps = mmd_arena_alloc(arena, inner->joint_count, sizeof *made->joint_stamps);
    if (!made->made_bodies || !made->made_joints || !made->bodies || !made->joints || !made->body_stamps ||
        !made->joint_stamps)
        return false;
    chain_items bodies = {inner->bodies, inner->body_stamps, outer->bodies, outer->body_stamps};
    for (uint32_t i = 0; i < inner->body_count; i++) {
        int32_t at = inner->bodies[i], there = at < 0 ? -1 : outer->bodies[at];
        made->bodies[i] = through(&bodies, i, keep_body_held(inner, middle->scene, i),
                                  there < 0 ? 0 : stamp_body(scene, (uint32_t)there), &made->body_stamps[i]);
    }
    chain_items joints = {inner->joints, inner->joint_stamps, outer->joints, outer->joint_stamps};
    for (uint32_t i = 0; i < inner->joint_count; i++) {
        int32_t at = inner->joints[i], there = at < 0 ? -1 : outer->joints[at];
        made->joints[i] =
            through(&joints, i, keep_joint_held(inner, middle->scene, i),
                    there < 0 ? 0 : stamp_joint(scene, (uint32_t)there), &made->joint_stamps[i]);
    }
    bool world = stamp_world(middle->scene) == inner->world_stamp && stamp_world(scene) == outer->world_stamp;
    made->world_stamp = world ? outer->world_stamp : 0;
    return true;
}

/* The record's numbers, checked against the source that it is said to be of. */
static bool fits(const mmd_exchange_kept *kept, const mmd_physscene *scene)
{
    return kept->body_count == scene->body_count && kept->joint_count == scene->joint_count;
}

/* ------------------------------------------------------------------- walk */

static bool is_wanted(const kept_chain *chain, const mmd_exchange_options *options)
{
    if (chain->kept.format != options->format)
        return false;
    return options->format != MMD_EXCHANGE_GLTF || options->dialect == MMD_DIALECT_NONE ||
           chain->opened[chain->count - 1].document->dialect == options->dialect;
}

/* Opens what is kept now, where it is a document. */
static mmd_status open_kept(kept_chain *chain, mmd_error *error)
{
    if (chain->kept.format == MMD_EXCHANGE_PMX)
        return MMD_OK;
    if (chain->count == KEPT_LEVELS)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "source", MMD_NO_OFFSET,
                             "sources too deep in each other");
    mmd_status status = keep_open(&chain->kept, &chain->opened[chain->count], error);
    if (status == MMD_OK)
        chain->count++;
    return status;
}

static bool go_through(kept_chain *chain, const mmd_physscene *scene, const chain_link *middle,
                       mmd_arena *arena)
{
    mmd_exchange_kept outer = chain->kept;
    if (middle->kept->format == MMD_EXCHANGE_UNKNOWN || !fits(&outer, middle->scene) ||
        !compose(&outer, scene, middle, arena, &chain->kept))
        return false;
    chain->mesh = chain->mesh && mesh_held(middle->kept, middle->model);
    return true;
}

/* A PMX keeps what its sidecar does. */
static bool read_link(kept_chain *chain, const mmd_physscene *made, mmd_arena *arena)
{
    mmd_buffer text = {0};
    const json_t *json = json_object_get(chain->kept.record, "sidecar");
    bool done = json && json_append(json, false, &text, NULL) == MMD_OK;
    mmd_exchange_input input = {.sidecar = text.data, .sidecar_size = text.size};
    done = done && keep_read_sidecar(&input, made, arena, &chain->sidecar, NULL) == MMD_OK && chain->sidecar;
    mmd_buffer_finish(&text);
    return done;
}

static bool go_through_pmx(kept_chain *chain, const mmd_physscene *scene, mmd_arena *arena)
{
    mmd_model *model = NULL;
    mmd_physscene made = {0};
    bool done = !chain->sidecar &&
                mmd_pmx_read(chain->kept.pmx.data, chain->kept.pmx.size, &model, NULL) == MMD_OK &&
                mmd_model_physscene(model, &made, NULL) == MMD_OK && read_link(chain, &made, arena);
    chain_link link = {&made, model, chain->sidecar};
    done = done && go_through(chain, scene, &link, arena);
    mmd_physscene_destroy(&made);
    mmd_model_destroy(model);
    return done;
}

/* One source deeper; false: there is none that helps. */
static bool go_deeper(kept_chain *chain, const mmd_physscene *scene, mmd_arena *arena)
{
    if (chain->kept.format == MMD_EXCHANGE_PMX)
        return go_through_pmx(chain, scene, arena);
    const mmd_exchange *middle = chain->opened[chain->count - 1].document;
    chain_link link = {middle->physscene, middle->model, middle->kept};
    return chain->count < KEPT_LEVELS && go_through(chain, scene, &link, arena);
}

static const mmd_exchange_kept *own_kept(const mmd_exchange_input *input, const mmd_exchange_kept *sidecar)
{
    const mmd_exchange_kept *kept = input->document ? input->document->kept : sidecar;
    return kept && kept->format != MMD_EXCHANGE_UNKNOWN ? kept : NULL;
}

void kept_chain_set_mesh(kept_chain *chain, bool held, const mmd_exchange_input *input)
{
    assert(chain && input);
    chain->mesh = held;
    chain->kept.mesh_stamp = held ? stamp_mesh(model_of(input)) : 0;
}

const mmd_exchange *kept_chain_mesh(const kept_chain *chain, const mmd_exchange_input *input)
{
    assert(chain && input);
    if (input->document && input->document->format == MMD_EXCHANGE_GLTF)
        return input->document;
    const mmd_exchange *last = chain->count ? chain->opened[chain->count - 1].document : NULL;
    return last && last->format == MMD_EXCHANGE_GLTF ? last : NULL;
}

mmd_status kept_chain_find(kept_chain *chain, const mmd_exchange_input *input, const mmd_physscene *scene,
                           const mmd_exchange_kept *sidecar, const mmd_exchange_options *options,
                           mmd_arena *arena, mmd_error *error)
{
    assert(chain && input);
    const mmd_exchange_kept *own = own_kept(input, sidecar);
    mmd_error wrong = {0};
    *chain = (kept_chain){0};
    if (!own)
        return MMD_OK;
    chain->kept = *own;
    chain->mesh = mesh_held(own, model_of(input));
    mmd_status status = open_kept(chain, &wrong);
    while (status == MMD_OK && !is_wanted(chain, options)) {
        if (!go_deeper(chain, scene, arena)) {
            kept_chain_finish(chain);
            return MMD_OK;
        }
        status = open_kept(chain, &wrong);
    }
    if (status != MMD_OK) { /* what cannot be read again is of no use */
        kept_chain_finish(chain);
        if (status == MMD_ERROR_MEMORY && error)
            *error = wrong;
        return status == MMD_ERROR_MEMORY ? status : MMD_OK;
    }
    chain->found = true;
    kept_chain_set_mesh(chain, chain->mesh, input);
    return MMD_OK;
}

void kept_chain_finish(kept_chain *chain)
{
    assert(chain);
    while (chain->count > 0)
        keep_close(&chain->opened[--chain->count]);
    if (chain->sidecar)
        keep_forget(chain->sidecar);
    *chain = (kept_chain){0};
}

bool kept_chain_unedited(const kept_chain *chain, const mmd_physscene *scene)
{
    assert(chain);
    return chain->found && chain->mesh && keep_physics_held(&chain->kept, scene);
}
