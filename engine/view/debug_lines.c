/*
 * Bodies, joints and contacts as lines, without a GPU. Colours of bodies
 * follow the editor that models are made with: green bodies follow their bone,
 * red ones are simulated, blue ones are simulated at their bone's place. All
 * colours are neither light nor dark, so that they are seen on white and on
 * black.
 */
#include "debug_lines.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const uint8_t motion_colors[4][4] = {
    [MMD_PHYS_STATIC] = {130, 130, 135, 255},
    [MMD_PHYS_KINEMATIC] = {30, 165, 65, 255},
    [MMD_PHYS_DYNAMIC] = {240, 50, 50, 255},
    [MMD_PHYS_DYNAMIC_BONE] = {60, 115, 255, 255},
};
static const uint8_t held_color[4] = {240, 150, 0, 255};
static const uint8_t soft_color[4] = {0, 165, 180, 255};
static const uint8_t trigger_color[4] = {200, 65, 215, 255};
static const uint8_t axis_colors[3][4] = {{235, 45, 45, 255}, {30, 165, 50, 255}, {60, 100, 255, 255}};
static const uint8_t joint_color[4] = {225, 145, 0, 255};
static const uint8_t apart_color[4] = {255, 0, 0, 255};
static const uint8_t contact_color[4] = {255, 125, 0, 255};
static const uint8_t deep_color[4] = {255, 0, 80, 255};

static const float body_width = 1.5f, soft_width = 1.0f, joint_width = 2.0f, apart_width = 3.0f;
static const float axis_length = 0.4f;
static const float apart_least = 0.05f,
                   turned_least = 0.05f; /* units, radians: joints give as much unharmed */
static const float deep_least = 0.1f, normal_length = 0.6f;

static debug_pen pen_on(mmd_render_line *lines, size_t max)
{
    assert(lines || !max);
    return (debug_pen){
        .lines = lines, .max = max, .frame = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}}, .width = body_width};
}

static void set_color(debug_pen *pen, const uint8_t color[4])
{
    memcpy(pen->color, color, sizeof pen->color);
}

/* ----------------------------------------------------------------- bodies */

static void choose_color(const mmd_phys_body *body, const mmd_phys_shape *shape, uint8_t state,
                         debug_pen *pen)
{
    const uint8_t *color = motion_colors[body->motion];
    if (state & DEBUG_HELD)
        color = held_color;
    if (shape->trigger)
        color = trigger_color;
    set_color(pen, color);
    for (int k = 0; k < 3 && (state & DEBUG_ASLEEP); k++)
        pen->color[k] /= 2;
}

size_t debug_bodies(const debug_scene *seen, mmd_render_line *lines, size_t max)
{
    assert(lines || max == 0);
    assert(seen && seen->scene && seen->edges && (seen->bodies || !seen->scene->body_count));
    const mmd_physscene *scene = seen->scene;
    debug_pen pen = pen_on(lines, max);
    for (uint32_t b = 0; b < scene->body_count; b++) {
        const mmd_phys_body *body = &scene->bodies[b];
        for (uint32_t s = 0; s < body->shape_count && !body->disabled; s++) {
            const mmd_phys_shape *shape = &scene->shapes[body->first_shape + s];
            choose_color(body, shape, seen->states ? seen->states[b] : 0, &pen);
            pen.frame = seen->bodies[b];
            debug_shape(&pen, seen, body, shape);
        }
    }
    return pen.count;
}

size_t debug_soft_body(const debug_scene *seen, uint32_t soft, const float (*positions)[4],
                       mmd_render_line *lines, size_t max)
{
    assert(lines || max == 0);
    assert(seen && seen->scene && seen->edges && soft < seen->scene->soft_body_count && positions);
    const mmd_phys_soft_body *body = &seen->scene->soft_bodies[soft];
    const debug_edge_list *list = debug_edges_of_soft(seen->edges, soft);
    debug_pen pen = pen_on(lines, max);
    pen.width = soft_width;
    set_color(&pen, soft_color);
    for (uint32_t i = 0; i < list->count; i++)
        debug_line(&pen, positions[list->edges[i][0]], positions[list->edges[i][1]]);
    set_color(&pen, motion_colors[MMD_PHYS_KINEMATIC]);
    for (uint32_t i = 0; i < body->pin_count; i++)
        debug_dot(&pen, positions[body->pins[i]], 5.0f);
    set_color(&pen, joint_color);
    for (uint32_t i = 0; i < body->anchor_count; i++)
        debug_dot(&pen, positions[body->anchors[i].node], 5.0f);
    return pen.count;
}

/* ----------------------------------------------------------------- joints */

static void draw_axes(debug_pen *pen, const mmd_transform *frame, const uint8_t colors[3][4], float length)
{
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    mmd_transform world = pen->frame;
    pen->frame = *frame;
    for (int axis = 0; axis < 3; axis++) {
        float end[3] = {0.0f, 0.0f, 0.0f};
        end[axis] = length;
        set_color(pen, colors[axis]);
        debug_line(pen, origin, end);
    }
    pen->frame = world;
}

static void draw_joint(debug_pen *pen, const mmd_physscene *scene, uint32_t joint, const mmd_transform *a,
                       const mmd_transform *b)
{
    static const uint8_t turned_colors[3][4] = {{255, 0, 0, 255}, {255, 0, 0, 255}, {255, 0, 0, 255}};
    mmd_joint_excess excess = mmd_joint_find_excess(scene, joint, a, b);
    bool apart = excess.linear > apart_least, turned = excess.angular > turned_least;
    pen->width = joint_width;
    draw_axes(pen, a, axis_colors, axis_length);
    pen->width = apart || turned ? apart_width : joint_width;
    if (turned)
        draw_axes(pen, b, turned_colors, 1.5f * axis_length);
    set_color(pen, apart || turned ? apart_color : joint_color);
    debug_dot(pen, a->translation, apart || turned ? 8.0f : 6.0f);
    if (memcmp(a->translation, b->translation, 3 * sizeof *a->translation) != 0)
        debug_line(pen, a->translation, b->translation);
}

size_t debug_joints(const debug_scene *seen, mmd_render_line *lines, size_t max)
{
    assert(lines || max == 0);
    assert(seen && seen->scene && (seen->bodies || !seen->scene->joint_count));
    const mmd_physscene *scene = seen->scene;
    debug_pen pen = pen_on(lines, max);
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        mmd_transform a, b;
        if (scene->joints[j].disabled)
            continue;
        mmd_joint_frames(scene, j, seen->bodies, &a, &b);
        draw_joint(&pen, scene, j, &a, &b);
    }
    return pen.count;
}

/* --------------------------------------------------------------- contacts */

size_t debug_contacts(const mmd_contact *contacts, size_t count, mmd_render_line *lines, size_t max)
{
    assert(lines || max == 0);
    assert(contacts || !count);
    debug_pen pen = pen_on(lines, max);
    for (size_t i = 0; i < count; i++) {
        const mmd_contact *contact = &contacts[i];
        float tip[3];
        for (int k = 0; k < 3; k++)
            tip[k] = contact->position[k] + normal_length * contact->normal[k];
        set_color(&pen, contact->depth > deep_least ? deep_color : contact_color);
        debug_dot(&pen, contact->position, 6.0f);
        debug_line(&pen, contact->position, tip);
    }
    return pen.count;
}
