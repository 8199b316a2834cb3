/* The debug lines of a frame: of the actors that are drawn, in one array that lives on from frame to frame.
 */
#include <string.h>

#include "mmd/simulation.h"
#include "view_internal.h"

enum { CONTACTS_MAX = 1024 };

/* What an actor's lines are made from. */
typedef struct debug_actor {
    const mmd_physscene *scene;
    const mmd_transform *bodies;
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

/* Room for bytes by body and for contacts. */
static mmd_status make_scratch(mmd_view *view, size_t bodies, bool contacts, mmd_error *error)
{
    if (bodies > view->states_room) {
        uint8_t *grown = mmd_realloc(view->states, bodies);
        if (!grown)
            return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for bodies");
        view->states = grown;
        view->states_room = bodies;
    }
    if (contacts && !view->contacts)
        view->contacts = mmd_alloc(CONTACTS_MAX * sizeof *view->contacts);
    if (contacts && !view->contacts)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for contacts");
    return MMD_OK;
}

/* A body that could be simulated, and is not, is held. */
static void find_states(mmd_view *view, const mmd_stage *stage, size_t actor, const mmd_physscene *scene)
{
    for (uint32_t b = 0; b < scene->body_count; b++) {
        uint8_t motion = scene->bodies[b].motion;
        bool dynamic = motion == MMD_PHYS_DYNAMIC || motion == MMD_PHYS_DYNAMIC_BONE;
        view->states[b] = dynamic && !mmd_stage_body_simulated(stage, actor, b) ? MMD_DEBUG_HELD : 0;
    }
}

static mmd_status look_at(mmd_view *view, const mmd_stage *stage, size_t index,
                          const mmd_view_options *options, debug_actor *actor, mmd_error *error)
{
    view_model *model = view_find_model(view, mmd_actor_model(mmd_stage_actor(stage, index)));
    mmd_status status = MMD_OK;
    *actor = (debug_actor){.scene = mmd_stage_physscene(stage, index)};
    bool simulated = actor->scene != NULL;
    if (!simulated)
        status = own_scene(model, &actor->scene, error);
    if (status == MMD_OK)
        status = make_scratch(view, actor->scene->body_count, options->show_contacts, error);
    if (status != MMD_OK)
        return status;
    actor->bodies = mmd_stage_bodies(asked(stage), index);
    if (!actor->bodies && actor->scene->body_count)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for bodies");
    if (simulated)
        find_states(view, stage, index, actor->scene);
    else if (actor->scene->body_count)
        memset(view->states, 0, actor->scene->body_count);
    if (options->show_contacts) {
        size_t count = mmd_stage_contacts(asked(stage), index, view->contacts, CONTACTS_MAX);
        actor->contacts = view->contacts;
        actor->contact_count = count < CONTACTS_MAX ? count : CONTACTS_MAX;
    }
    return MMD_OK;
}

/* Writes what there is room for, and returns how many there are. */
static size_t write_lines(const mmd_view *view, const debug_actor *actor, const mmd_view_options *options,
                          mmd_render_line *lines, size_t room)
{
    size_t count = 0;
    if (options->show_bodies)
        count += mmd_debug_bodies(actor->scene, actor->bodies, view->states, lines, room);
    size_t used = count < room ? count : room;
    if (options->show_joints)
        count +=
            mmd_debug_joints(actor->scene, actor->bodies, room > used ? lines + used : NULL, room - used);
    used = count < room ? count : room;
    if (options->show_contacts)
        count += mmd_debug_contacts(actor->contacts, actor->contact_count, room > used ? lines + used : NULL,
                                    room - used);
    return count;
}

static mmd_status add_actor(mmd_view *view, const mmd_stage *stage, size_t index,
                            const mmd_view_options *options, mmd_error *error)
{
    debug_actor actor;
    mmd_status status = look_at(view, stage, index, options, &actor, error);
    if (status != MMD_OK)
        return status;
    size_t start = view->line_count, room = view->line_room - start;
    size_t count = write_lines(view, &actor, options, room ? view->lines + start : NULL, room);
    if (count > room) {
        mmd_render_line *grown = mmd_realloc(view->lines, 2 * (start + count) * sizeof *grown);
        if (!grown)
            return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for debug lines");
        view->lines = grown;
        view->line_room = 2 * (start + count);
        write_lines(view, &actor, options, grown + start, count);
    }
    view->line_count += count;
    return MMD_OK;
}

mmd_status view_prepare_lines(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              mmd_error *error)
{
    mmd_status status = MMD_OK;
    view->line_count = 0;
    if (!options->show_bodies && !options->show_joints && !options->show_contacts)
        return MMD_OK;
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++)
        status = add_actor(view, stage, view->drawn[i].actor, options, error);
    return status;
}

void view_finish_lines(mmd_view *view)
{
    mmd_free(view->lines);
    mmd_free(view->states);
    mmd_free(view->contacts);
}
