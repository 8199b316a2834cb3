/* The debug lines of a frame: of the actors that are drawn, in one array that lives on from frame to frame.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/simulation.h"
#include "view_internal.h"

enum { CONTACTS_MAX = 1024 };

/* What an actor's lines are made from. */
typedef struct debug_actor {
    const mmd_stage *stage;
    size_t index;
    debug_scene seen;
    const float *placement; /* lines are made as large as the scene, and grow about this; NULL: they do not */
    float size;
    const mmd_contact *contacts;
    size_t contact_count;
} debug_actor;

/* Bodies and contacts are found out when they are asked for; nothing that a picture shows changes. */
static mmd_stage *asked(const mmd_stage *stage)
{
    return (mmd_stage *)(uintptr_t)stage;
}

/* The model's scene, where physics is off: its bodies stand at their bones then. */
static mmd_status own_scene(view_model *model, const mmd_physscene **scene, mmd_error *error)
{
    mmd_status status = MMD_OK;
    if (!model->has_scene) {
        status = mmd_model_physscene(model->model, &model->scene, error);
        model->has_scene = status == MMD_OK;
    }
    *scene = status == MMD_OK ? &model->scene : NULL;
    return status;
}

static bool make_room_for_bodies(mmd_view *view, size_t bodies)
{
    if (bodies <= view->states_room)
        return true;
    uint8_t *states = mmd_realloc(view->states, bodies);
    if (states)
        view->states = states;
    mmd_transform *places = mmd_realloc(view->body_places, bodies * sizeof *places);
    if (places)
        view->body_places = places;
    if (!states || !places)
        return false;
    view->states_room = bodies;
    return true;
}

/* Room for what is by body and for contacts. */
static mmd_status make_scratch(mmd_view *view, size_t bodies, bool contacts, mmd_error *error)
{
    if (!make_room_for_bodies(view, bodies))
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for bodies");
    if (contacts && !view->contacts)
        view->contacts = mmd_alloc(CONTACTS_MAX * sizeof *view->contacts);
    if (contacts && !view->contacts)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for contacts");
    return MMD_OK;
}

/* Bodies at their bones stand in the model's size, and their scene is of the file's: they are brought back to
 * that, about the model's place, and their lines grow again. */
static void take_size_off(mmd_view *view, const float *placement, debug_actor *actor)
{
    float size =
        sqrtf(placement[0] * placement[0] + placement[1] * placement[1] + placement[2] * placement[2]);
    if (!(size > 0.0f))
        return;
    for (uint32_t b = 0; b < actor->seen.scene->body_count; b++) {
        view->body_places[b] = actor->seen.bodies[b];
        for (int k = 0; k < 3; k++) {
            float *at = &view->body_places[b].translation[k];
            *at = placement[12 + k] + (*at - placement[12 + k]) / size;
        }
    }
    actor->seen.bodies = view->body_places;
    actor->placement = placement;
    actor->size = size;
}

static void put_size_on(const debug_actor *actor, mmd_render_line *lines, size_t count)
{
    for (size_t i = 0; actor->placement && i < count; i++)
        for (int k = 0; k < 3; k++) {
            float origin = actor->placement[12 + k];
            lines[i].from[k] = origin + actor->size * (lines[i].from[k] - origin);
            lines[i].to[k] = origin + actor->size * (lines[i].to[k] - origin);
        }
}

/* A body that could be simulated, and is not, is held. */
static void find_states(mmd_view *view, const mmd_stage *stage, size_t actor, const mmd_physscene *scene)
{
    for (uint32_t b = 0; b < scene->body_count; b++) {
        uint8_t motion = scene->bodies[b].motion;
        bool dynamic = motion == MMD_PHYS_DYNAMIC || motion == MMD_PHYS_DYNAMIC_BONE;
        view->states[b] = dynamic && !mmd_stage_body_simulated(stage, actor, b) ? DEBUG_HELD : 0;
    }
}

static void find_contacts(mmd_view *view, debug_actor *actor)
{
    size_t count = mmd_stage_contacts(asked(actor->stage), actor->index, view->contacts, CONTACTS_MAX);
    actor->contacts = view->contacts;
    actor->contact_count = count < CONTACTS_MAX ? count : CONTACTS_MAX;
}

/* The scene as it is simulated, else as the model has it; and its edges, found when they are first needed. */
static mmd_status find_scene(view_model *model, debug_actor *actor, mmd_error *error)
{
    mmd_status status = MMD_OK;
    actor->seen.scene = mmd_stage_physscene(actor->stage, actor->index);
    if (!actor->seen.scene)
        status = own_scene(model, &actor->seen.scene, error);
    if (status == MMD_OK && !model->edges)
        status = debug_edges_create(actor->seen.scene, &model->edges, error);
    actor->seen.edges = model->edges;
    return status;
}

static mmd_status look_at(mmd_view *view, const view_drawn *drawn, const mmd_view_options *options,
                          debug_actor *actor, mmd_error *error)
{
    view_model *model = view_find_model(view, mmd_actor_model(mmd_stage_actor(actor->stage, drawn->actor)));
    mmd_status status = find_scene(model, actor, error);
    if (status == MMD_OK)
        status = make_scratch(view, actor->seen.scene->body_count, options->show_contacts, error);
    if (status != MMD_OK)
        return status;
    actor->seen.bodies = mmd_stage_bodies(asked(actor->stage), drawn->actor);
    actor->seen.states = view->states;
    if (!actor->seen.bodies && actor->seen.scene->body_count)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for bodies");
    if (actor->seen.scene != &model->scene)
        find_states(view, actor->stage, drawn->actor, actor->seen.scene);
    else if (actor->seen.scene->body_count)
        memset(view->states, 0, actor->seen.scene->body_count);
    if (actor->seen.scene == &model->scene && drawn->placed)
        take_size_off(view, drawn->placement, actor);
    if (options->show_contacts)
        find_contacts(view, actor);
    return MMD_OK;
}

/* Bodies, and soft ones where they are simulated. */
static size_t write_bodies(const debug_actor *actor, mmd_render_line *lines, size_t room)
{
    size_t count = debug_bodies(&actor->seen, lines, room);
    for (uint32_t i = 0; i < actor->seen.scene->soft_body_count; i++) {
        const float(*positions)[4] = mmd_stage_soft_positions(actor->stage, actor->index, i);
        size_t used = count < room ? count : room;
        if (positions)
            count +=
                debug_soft_body(&actor->seen, i, positions, room > used ? lines + used : NULL, room - used);
    }
    return count;
}

/* Writes what there is room for, and returns how many there are. */
static size_t write_lines(const debug_actor *actor, const mmd_view_options *options, mmd_render_line *lines,
                          size_t room)
{
    size_t count = 0;
    if (options->show_bodies)
        count += write_bodies(actor, lines, room);
    size_t used = count < room ? count : room;
    if (options->show_joints)
        count += debug_joints(&actor->seen, room > used ? lines + used : NULL, room - used);
    used = count < room ? count : room;
    put_size_on(actor, lines, used);
    if (options->show_contacts)
        count += debug_contacts(actor->contacts, actor->contact_count, room > used ? lines + used : NULL,
                                room - used);
    return count;
}

static mmd_status add_actor(mmd_view *view, const mmd_stage *stage, const view_drawn *drawn,
                            const mmd_view_options *options, mmd_error *error)
{
    debug_actor actor = {.stage = stage, .index = drawn->actor};
    mmd_status status = look_at(view, drawn, options, &actor, error);
    if (status != MMD_OK)
        return status;
    size_t start = view->line_count, room = view->line_room - start;
    size_t count = write_lines(&actor, options, room ? view->lines + start : NULL, room);
    if (count > room) {
        mmd_render_line *grown = mmd_realloc(view->lines, 2 * (start + count) * sizeof *grown);
        if (!grown)
            return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for debug lines");
        view->lines = grown;
        view->line_room = 2 * (start + count);
        write_lines(&actor, options, grown + start, count);
    }
    view->line_count += count;
    return MMD_OK;
}

mmd_status view_prepare_lines(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              mmd_error *error)
{
    assert(view && options);
    mmd_status status = MMD_OK;
    view->line_count = 0;
    bool physics = options->show_bodies || options->show_joints || options->show_contacts;
    for (size_t i = 0; physics && i < view->drawn_count && status == MMD_OK; i++)
        status = add_actor(view, stage, &view->drawn[i], options, error);
    return status == MMD_OK ? view_add_mesh_lines(view, stage, options, error) : status;
}

void view_finish_lines(mmd_view *view)
{
    assert(view);
    mmd_free(view->lines);
    mmd_free(view->states);
    mmd_free(view->body_places);
    mmd_free(view->contacts);
}
