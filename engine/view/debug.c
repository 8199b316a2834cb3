/* Collects the debug lines of a frame from all actors that are drawn, in one array that is reused. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "debug_lines.h"
#include "mmd/simulation.h"
#include "view_internal.h"

/* ------------------------------------------------------------------- meshes */

/* Lines over the mesh for modellers: normals and bones. They are made from the vertices as the GPU skinned
 * them, so that they match the drawn surface. */

#define NORMAL_LENGTH 0.12f /* units */

static const uint8_t normal_color[4] = {0, 120, 255, 130};
static const uint8_t bone_color[4] = {30, 90, 230, 255}, ik_color[4] = {255, 140, 0, 255},
                     unseen_color[4] = {130, 130, 140, 200};

/* The mesh of an actor. */
typedef struct mesh_seen {
    const mmd_model *model;
    const mmd_pose *pose;
    const float *placement;               /* placement of the bones; NULL for none */
    float (*positions)[3], (*normals)[3]; /* in world space */
    const float *eye;
} mesh_seen;

static void set_pen(debug_pen *pen, const uint8_t color[4], float width)
{
    memcpy(pen->color, color, sizeof pen->color);
    pen->width = width;
}

/* Tests whether a vertex faces the camera. Normals behind it would only darken the front. */
static bool faces_eye(const mesh_seen *seen, uint32_t v)
{
    float sum = 0;
    for (int k = 0; k < 3; k++)
        sum += seen->normals[v][k] * (seen->eye[k] - seen->positions[v][k]);
    return sum > 0;
}

static void draw_normals(debug_pen *pen, const mesh_seen *seen)
{
    set_pen(pen, normal_color, 1);
    pen->is_front = true;
    for (uint32_t v = 0; v < seen->model->vertices.count; v++) {
        float tip[3];
        if (!faces_eye(seen, v))
            continue;
        for (int k = 0; k < 3; k++)
            tip[k] = seen->positions[v][k] + NORMAL_LENGTH * seen->normals[v][k];
        debug_line(pen, seen->positions[v], tip);
    }
    pen->is_front = false;
}

static void position_of_bone(const mesh_seen *seen, uint32_t bone, float position[3])
{
    const float *at = mmd_pose_world(seen->pose)[bone].translation, *m = seen->placement;
    for (int k = 0; k < 3; k++)
        position[k] = m ? m[k] * at[0] + m[4 + k] * at[1] + m[8 + k] * at[2] + m[12 + k] : at[k];
}

static void draw_bones(debug_pen *pen, const mesh_seen *seen)
{
    for (uint32_t b = 0; b < seen->model->bone_count; b++) {
        const mmd_bone *bone = &seen->model->bones[b];
        float position[3], parent[3];
        bool is_seen = bone->flags & MMD_BONE_VISIBLE;
        position_of_bone(seen, b, position);
        set_pen(pen,
                bone->flags & MMD_BONE_IK ? ik_color
                : is_seen                 ? bone_color
                                          : unseen_color,
                is_seen ? 2 : 1);
        debug_dot(pen, position, is_seen ? 7 : 4);
        if (bone->parent < 0)
            continue;
        position_of_bone(seen, (uint32_t)bone->parent, parent);
        debug_line(pen, parent, position);
    }
}

static void draw(debug_pen *pen, const mesh_seen *seen, const mmd_view_options *options)
{
    if (options->show_normals)
        draw_normals(pen, seen);
    if (options->show_bones)
        draw_bones(pen, seen);
}

static size_t write(const mesh_seen *seen, const mmd_view_options *options, mmd_render_line *lines,
                    size_t max)
{
    debug_pen pen = {.lines = lines, .max = max, .frame = {.rotation = {0, 0, 0, 1}}};
    draw(&pen, seen, options);
    return pen.count;
}

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for debug lines");
}

static mmd_status append(mmd_view *view, const mesh_seen *seen, const mmd_view_options *options,
                         mmd_error *error)
{
    size_t start = view->line_count, count = write(seen, options, NULL, 0);
    if (count > view->line_room - start) {
        mmd_render_line *grown = mmd_realloc(view->lines, (start + count) * sizeof *grown);
        if (!grown)
            return no_memory(error);
        view->lines = grown;
        view->line_room = start + count;
    }
    if (count)
        view->line_count += write(seen, options, view->lines + start, count);
    return MMD_OK;
}

static mmd_status add_actor(mmd_view *view, const mmd_stage *stage, const view_drawn *drawn,
                            const mmd_view_options *options, mmd_error *error)
{
    mmd_actor *actor = mmd_stage_actor(stage, drawn->actor);
    mesh_seen seen = {.model = mmd_actor_model(actor),
                      .pose = mmd_actor_pose(actor),
                      .placement = drawn->placed ? drawn->placement : NULL,
                      .eye = view->scene.eye};
    uint32_t count = seen.model->vertices.count;
    if (!options->show_normals)
        return append(view, &seen, options, error);
    float(*both)[3] = mmd_alloc(2 * (size_t)count * sizeof *both);
    if (!both)
        return no_memory(error);
    seen.positions = both;
    seen.normals = both + count;
    mmd_status status =
        mmd_render_read_vertices(drawn->instance, seen.positions, seen.normals, NULL, NULL, error);
    if (status == MMD_OK)
        status = append(view, &seen, options, error);
    mmd_free(both);
    return status;
}

/* Appends the lines of meshes and bones after those of physics. Waits for the GPU. */
static mmd_status view_add_mesh_lines(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                      mmd_error *error)
{
    assert(view && options);
    mmd_status status = MMD_OK;
    if (!options->show_normals && !options->show_bones)
        return MMD_OK;
    for (size_t i = 0; i < view->drawn_count && status == MMD_OK; i++)
        status = add_actor(view, stage, &view->drawn[i], options, error);
    return status;
}

/* ----------------------------------------------------- all lines of a frame */

enum { CONTACTS_MAX = 1024 };

/* What an actor's lines are made from. */
typedef struct debug_actor {
    const mmd_stage *stage;
    size_t index;
    debug_scene seen;
    const float *placement; /* transform that scales lines to the actor's size; NULL if they already fit */
    float size;
    const mmd_contact *contacts;
    size_t contact_count;
} debug_actor;

/* Returns the stage without const: bodies and contacts are computed on demand, which does not change the
 * picture. */
static mmd_stage *asked(const mmd_stage *stage)
{
    return (mmd_stage *)(uintptr_t)stage;
}

/* Returns the model's own physics scene, for the time that physics is off and bodies follow their bones. */
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
    mmd_transform *places = mmd_realloc(view->body_transforms, bodies * sizeof *places);
    if (places)
        view->body_transforms = places;
    if (!states || !places)
        return false;
    view->states_room = bodies;
    return true;
}

/* Allocates scratch memory for the bodies of an actor and for contacts. */
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

/* Bodies at their bones are in the model's current size, but their scene is in the size of the file. Scales
 * the transforms back about the model's placement; the lines are scaled again when they are drawn. */
static void take_size_off(mmd_view *view, const float *placement, debug_actor *actor)
{
    float size =
        sqrtf(placement[0] * placement[0] + placement[1] * placement[1] + placement[2] * placement[2]);
    if (!(size > 0.0f))
        return;
    for (uint32_t b = 0; b < actor->seen.scene->body_count; b++) {
        view->body_transforms[b] = actor->seen.bodies[b];
        for (int k = 0; k < 3; k++) {
            float *at = &view->body_transforms[b].translation[k];
            *at = placement[12 + k] + (*at - placement[12 + k]) / size;
        }
    }
    actor->seen.bodies = view->body_transforms;
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

/* Marks bodies as held that could be simulated but are not. */
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

/* Finds the scene as it is simulated, otherwise the model's own, and its edges, which are computed when first
 * needed. */
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

/* Writes bodies, and soft bodies while they are simulated. */
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

/* Writes as many lines as there is room for, and returns how many there are. */
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

static mmd_status debug_add_actor(mmd_view *view, const mmd_stage *stage, const view_drawn *drawn,
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
        status = debug_add_actor(view, stage, &view->drawn[i], options, error);
    return status == MMD_OK ? view_add_mesh_lines(view, stage, options, error) : status;
}

void view_finish_lines(mmd_view *view)
{
    assert(view);
    mmd_free(view->lines);
    mmd_free(view->states);
    mmd_free(view->body_transforms);
    mmd_free(view->contacts);
}
