/* Results of physics at the stage's frame: bodies, nodes of soft bodies, contacts. */
#include "simulation_internal.h"

#include <assert.h>
#include <string.h>

/* Returns an actor's simulation; NULL without physics, or before the first frame. */
static const sim_actor *actor_at(const mmd_stage *stage, size_t actor)
{
    assert(actor < stage->actor_count);
    const simulation *s = stage->physics;
    return s && s->drawn && !s->actors[actor].absent ? &s->actors[actor] : NULL;
}

/* Splits the placement of an actor into a rigid transform and a scale. */
static bool rigid_placement(const mmd_stage *stage, size_t actor, mmd_transform *placement, float *size)
{
    float matrix[16];
    bool placed = mmd_stage_placement(stage, actor, matrix);
    if (placed)
        stage_rigid_part(matrix, placement);
    *size = placed ? length3(matrix) : 1.0f;
    return placed;
}

/* Computes a body's transform at rest. Returns its bone, or -1. */
static int32_t body_at_rest(const mmd_model *model, uint32_t body, mmd_transform *rest)
{
    if (model->physscene) {
        *rest = model->physscene->bodies[body].rest;
        return model->physscene->bodies[body].bone;
    }
    const mmd_rigid_body *b = &model->bodies[body];
    *rest = (mmd_transform){.translation = {b->position[0], b->position[1], b->position[2]}};
    mmd_rotation_yxz(b->rotation, rest->rotation);
    return b->bone;
}

/* Computes the transforms of bodies that follow their bones, without physics. NULL when out of memory. */
static const mmd_transform *bodies_at_bones(mmd_stage *stage, size_t actor)
{
    stage_entry *entry = &stage->entries[actor];
    const mmd_model *model = entry->actor->model;
    const mmd_transform *world = mmd_pose_world(entry->actor->pose);
    uint32_t count = model->physscene ? model->physscene->body_count : model->body_count;
    mmd_transform placement;
    float size;
    bool placed = rigid_placement(stage, actor, &placement, &size);
    if (!entry->bodies_at_bones)
        entry->bodies_at_bones = mmd_alloc(count * sizeof *entry->bodies_at_bones);
    if (!entry->bodies_at_bones)
        return NULL;
    for (uint32_t b = 0; b < count; b++) {
        mmd_transform *out = &entry->bodies_at_bones[b];
        int32_t bone = body_at_rest(model, b, out);
        const mmd_transform *placed_at = placed_body(entry->placed_parts, b);
        *out = placed_at ? *placed_at : *out;
        for (int k = 0; bone >= 0 && k < 3; k++)
            out->translation[k] -= model->bones[bone].position[k];
        if (bone >= 0)
            mmd_transform_multiply(&world[bone], out, out);
        for (int k = 0; placed && k < 3; k++)
            out->translation[k] *= size;
        if (placed)
            mmd_transform_multiply(&placement, out, out);
    }
    return entry->bodies_at_bones;
}

const mmd_transform *mmd_stage_bodies(mmd_stage *stage, size_t actor)
{
    assert(stage);
    const sim_actor *a = actor_at(stage, actor);
    return a ? stage->physics->drawn_bodies + a->first_body : bodies_at_bones(stage, actor);
}

const mmd_physscene *mmd_stage_physscene(const mmd_stage *stage, size_t actor)
{
    assert(actor < stage->actor_count);
    const sim_actor *a = stage->physics ? &stage->physics->actors[actor] : NULL;
    return a && a->has_world ? &a->scene : NULL;
}

bool mmd_stage_body_simulated(const mmd_stage *stage, size_t actor, uint32_t body)
{
    assert(stage);
    const sim_actor *a = actor_at(stage, actor);
    assert(!a || body < a->body_count);
    return a && stage->physics->drawn_simulated[a->first_body + body];
}

/* Returns the index of a soft body's first node in the arrays over all nodes. */
static uint32_t first_node(const sim_actor *a, uint32_t soft)
{
    uint32_t node = a->first_node;
    assert(soft < a->scene.soft_body_count);
    for (uint32_t k = 0; k < soft; k++)
        node += a->scene.soft_bodies[k].node_count;
    return node;
}

const float (*mmd_stage_soft_positions(const mmd_stage *stage, size_t actor, uint32_t soft))[4]
{
    const sim_actor *a = actor_at(stage, actor);
    return a ? (const float(*)[4])stage->physics->drawn_positions + first_node(a, soft) : NULL;
}

const float (*mmd_stage_soft_normals(const mmd_stage *stage, size_t actor, uint32_t soft))[4]
{
    const sim_actor *a = actor_at(stage, actor);
    return a ? (const float(*)[4])stage->physics->drawn_normals + first_node(a, soft) : NULL;
}

/* Starts storing contacts at the first request. Without memory there are none. */
static bool want_contacts(mmd_stage *stage)
{
    simulation *s = stage->physics;
    simulation_settle(s);
    for (uint32_t i = 0; !s->wants_contacts && i < s->ring_size; i++) {
        if (!s->ring[i].contacts)
            s->ring[i].contacts = mmd_alloc(SIM_CONTACTS_MAX * sizeof *s->ring[i].contacts);
        if (!s->ring[i].contacts)
            return false;
    }
    s->wants_contacts = true;
    step_cache_reach_with_contacts(stage);
    return true;
}

/* Converts a body's index over all actors to that in an actor. */
static uint32_t own_index(const sim_actor *a, uint32_t body)
{
    if (body == MMD_GROUND)
        return MMD_GROUND;
    return body >= a->first_body && body - a->first_body < a->body_count ? body - a->first_body : MMD_OTHER;
}

static bool is_own(uint32_t body)
{
    return body != MMD_GROUND && body != MMD_OTHER;
}

size_t mmd_stage_contacts(mmd_stage *stage, size_t actor, mmd_contact *contacts, size_t max)
{
    assert(stage);
    assert(contacts || max == 0);
    const sim_actor *a = actor_at(stage, actor);
    size_t count = 0;
    if (!a || stage->physics->pending || !want_contacts(stage))
        return 0;
    const sim_state *state = step_cache_state(stage->physics, stage->physics->low);
    for (uint32_t i = 0; i < state->contact_count; i++) {
        mmd_contact contact = state->contacts[i];
        contact.body_a = own_index(a, contact.body_a);
        contact.body_b = own_index(a, contact.body_b);
        if (!is_own(contact.body_a) && !is_own(contact.body_b))
            continue;
        if (count < max)
            contacts[count] = contact;
        count++;
    }
    return count;
}
