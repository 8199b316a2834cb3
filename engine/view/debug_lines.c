/*
 * Bodies, joints and contacts as lines, without a GPU. Colours of bodies
 * follow the editor that models are made with: green bodies follow their bone,
 * red ones are simulated, blue ones are simulated at their bone's place.
 */
#include "debug_lines.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const uint8_t motion_colors[4][4] = {
    [MMD_PHYS_STATIC] = {120, 120, 120, 255},
    [MMD_PHYS_KINEMATIC] = {20, 150, 50, 255},
    [MMD_PHYS_DYNAMIC] = {225, 40, 40, 255},
    [MMD_PHYS_DYNAMIC_BONE] = {40, 80, 230, 255},
};
static const uint8_t held_color[4] = {235, 150, 0, 255};
static const uint8_t trigger_color[4] = {190, 50, 200, 255};
static const uint8_t axis_colors[3][4] = {{230, 30, 30, 255}, {20, 160, 30, 255}, {30, 60, 240, 255}};
static const uint8_t joint_color[4] = {200, 140, 0, 255};
static const uint8_t apart_color[4] = {255, 0, 0, 255};
static const uint8_t contact_color[4] = {255, 120, 0, 255};
static const uint8_t deep_color[4] = {255, 0, 60, 255};

static const float body_width = 1.25f, joint_width = 2.0f, axis_length = 0.4f;
static const float apart_least = 0.05f; /* units: joints give as much without harm */
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
    if (state & MMD_DEBUG_HELD)
        color = held_color;
    if (shape->trigger)
        color = trigger_color;
    set_color(pen, color);
    for (int k = 0; k < 3 && (state & MMD_DEBUG_ASLEEP); k++)
        pen->color[k] /= 2;
}

size_t mmd_debug_bodies(const mmd_physscene *scene, const mmd_transform *bodies, const uint8_t *states,
                        mmd_render_line *lines, size_t max)
{
    assert(scene && (bodies || !scene->body_count));
    debug_pen pen = pen_on(lines, max);
    for (uint32_t b = 0; b < scene->body_count; b++) {
        const mmd_phys_body *body = &scene->bodies[b];
        for (uint32_t s = 0; s < body->shape_count && !body->disabled; s++) {
            const mmd_phys_shape *shape = &scene->shapes[body->first_shape + s];
            choose_color(body, shape, states ? states[b] : 0, &pen);
            pen.frame = bodies[b];
            debug_shape(&pen, scene, shape);
        }
    }
    return pen.count;
}

/* ----------------------------------------------------------------- joints */

/* How far beyond its limits a number is; where they are reversed, there are none. */
static float beyond(float value, float lower, float upper)
{
    if (lower > upper || (value >= lower && value <= upper))
        return 0.0f;
    return value < lower ? lower - value : value - upper;
}

/* How far the joint's frames are apart where it does not let them be. */
static float violation(const mmd_phys_joint *joint, const mmd_transform *a, const mmd_transform *b)
{
    mmd_transform inverse, t;
    float excess[3];
    mmd_transform_inverse(a, &inverse);
    mmd_transform_multiply(&inverse, b, &t);
    for (int k = 0; k < 3; k++) {
        float at = t.translation[k];
        excess[k] = fabsf(at);
        if (joint->kind == MMD_JOINT_PMX_SPRING || joint->kind == MMD_JOINT_PMX_6DOF)
            excess[k] = beyond(at, joint->pmx.linear_lower[k], joint->pmx.linear_upper[k]);
        else if (joint->kind == MMD_JOINT_PMX_SLIDER && k == 0)
            excess[k] = beyond(at, joint->pmx.linear_lower[0], joint->pmx.linear_upper[0]);
    }
    return sqrtf(excess[0] * excess[0] + excess[1] * excess[1] + excess[2] * excess[2]);
}

static void draw_joint(debug_pen *pen, const mmd_phys_joint *joint, const mmd_transform *a,
                       const mmd_transform *b)
{
    static const float origin[3] = {0.0f, 0.0f, 0.0f};
    mmd_transform world = pen->frame;
    pen->frame = *a;
    pen->width = joint_width;
    for (int axis = 0; axis < 3; axis++) {
        float end[3] = {0.0f, 0.0f, 0.0f};
        end[axis] = axis_length;
        set_color(pen, axis_colors[axis]);
        debug_line(pen, origin, end);
    }
    pen->frame = world;
    bool apart = joint->kind != MMD_JOINT_AXES && violation(joint, a, b) > apart_least;
    set_color(pen, apart ? apart_color : joint_color);
    debug_dot(pen, a->translation, 6.0f);
    pen->width = apart ? 3.0f : joint_width;
    if (memcmp(a->translation, b->translation, 3 * sizeof *a->translation) != 0)
        debug_line(pen, a->translation, b->translation);
}

size_t mmd_debug_joints(const mmd_physscene *scene, const mmd_transform *bodies, mmd_render_line *lines,
                        size_t max)
{
    assert(scene && (bodies || !scene->joint_count));
    debug_pen pen = pen_on(lines, max);
    for (uint32_t j = 0; j < scene->joint_count; j++) {
        mmd_transform a, b;
        if (scene->joints[j].disabled)
            continue;
        mmd_joint_frames(scene, j, bodies, &a, &b);
        draw_joint(&pen, &scene->joints[j], &a, &b);
    }
    return pen.count;
}

/* --------------------------------------------------------------- contacts */

size_t mmd_debug_contacts(const mmd_contact *contacts, size_t count, mmd_render_line *lines, size_t max)
{
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
