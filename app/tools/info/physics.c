/*
 * What `odori info` says of single rigid bodies and joints: those that do
 * nothing or not what one thinks, by name, and in JSON all of them.
 */
#include <stdio.h>
#include <string.h>

#include "indices.h"
#include "info.h"

/* PMX's numbers as text; readers let no others through. */
static const char *const mode_names[] = {"follows_bone", "physics", "physics_with_bone"};
static const char *const shape_names[] = {"sphere", "box", "capsule"};
static const char *const kind_names[] = {"spring_6dof", "6dof",   "point_to_point",
                                         "cone_twist",  "slider", "hinge"};

#define NAME_OF(names, number) name_of(names, sizeof(names) / sizeof *(names), number)

static const char *name_of(const char *const *names, size_t count, uint32_t number)
{
    return number < count ? names[number] : "?";
}

typedef struct listed_items {
    const mmd_model *model;
    const indices *list;
} listed_items;

/* Bodies that no other can touch: the sums over masks take the time of one walk, however many bodies. */

/* How many bodies of a group collide with a group: [of those that move][their group][the other]. */
typedef struct meetings {
    uint32_t count[2][16][16];
} meetings;

static void add_meetings(meetings *m, bool moves, uint8_t group, uint16_t mask)
{
    for (uint32_t other = 0; other < 16; other++)
        m->count[moves][group & 15u][other] += mask >> other & 1u;
}

/* Two that physics does not move never collide. */
static uint32_t partners_of(const meetings *m, bool moves, const mmd_rigid_body *body)
{
    uint32_t sum = 0, group = body->group & 15u;
    for (uint32_t other = 0; other < 16; other++)
        if (body->mask >> other & 1u)
            sum += m->count[1][other][group] + (moves ? m->count[0][other][group] : 0);
    bool itself = moves && (body->mask >> group & 1u);
    return sum - itself;
}

static bool is_moved(const mmd_phys_body *body)
{
    return body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
}

/* Those of size zero and those left out are counted elsewhere. */
static bool is_solid(const mmd_physscene *scene, uint32_t i)
{
    const mmd_phys_body *body = &scene->bodies[i];
    return !body->disabled && body->shape_count && scene->shapes[body->first_shape].solid;
}

static void find_untouched(const mmd_model *m, const mmd_physscene *scene, indices *found)
{
    meetings all = {0};
    for (uint32_t i = 0; i < m->body_count; i++)
        if (is_solid(scene, i))
            add_meetings(&all, is_moved(&scene->bodies[i]), m->bodies[i].group, m->bodies[i].mask);
    for (uint32_t i = 0; i < m->soft_body_count; i++)
        add_meetings(&all, true, m->soft_bodies[i].group, m->soft_bodies[i].mask);
    for (uint32_t i = 0; i < m->body_count; i++)
        if (is_solid(scene, i) && partners_of(&all, is_moved(&scene->bodies[i]), &m->bodies[i]) == 0)
            indices_add(found, i);
}

static const char *body_text(const void *user, size_t index, char *buffer, size_t capacity)
{
    const listed_items *l = user;
    uint32_t i = l->list->items[index];
    snprintf(buffer, capacity, "%u %.900s", i, l->model->bodies[i].name);
    return buffer;
}

static void write_untouched(facts *f, const mmd_model *m)
{
    indices found = {0};
    mmd_physscene scene;
    /* What importers bring has filters of its own. */
    if (!m->physscene && mmd_model_physscene(m, &scene, NULL) == MMD_OK) {
        find_untouched(m, &scene, &found);
        mmd_physscene_destroy(&scene);
    }
    listed_items user = {m, &found};
    facts_write_list(
        f, &(facts_list){"untouched_bodies", "bodies no other touches", found.count, body_text, &user});
    indices_finish(&found);
}

/* Joints that join no two bodies. */

static const char *body_name(const mmd_model *m, int32_t body)
{
    return body >= 0 ? m->bodies[body].name : "";
}

static bool joins_two(const mmd_joint *joint)
{
    return joint->body_a >= 0 && joint->body_b >= 0 && joint->body_a != joint->body_b;
}

static const char *joint_text(const void *user, size_t index, char *buffer, size_t capacity)
{
    const listed_items *l = user;
    uint32_t i = l->list->items[index];
    const mmd_joint *joint = &l->model->joints[i];
    if (joint->body_a < 0 && joint->body_b < 0)
        snprintf(buffer, capacity, "%u %.400s: has no bodies", i, joint->name);
    else if (joint->body_a == joint->body_b)
        snprintf(buffer, capacity, "%u %.400s: joins %.400s with itself", i, joint->name,
                 body_name(l->model, joint->body_a));
    else
        snprintf(buffer, capacity, "%u %.400s: has no body %c", i, joint->name,
                 joint->body_a < 0 ? 'A' : 'B');
    return buffer;
}

/* Limits whose lower end is above the upper: Bullet leaves such an axis free. */

enum { AXES = 6 }; /* three to go along, three to turn about */

/* The axes whose limits a kind of joint reads; the others' fields mean something else or nothing
 * (MMD.md 1.1). */
static const uint8_t limited_axes[] = {0x3f, 0x3f, 0, 0, 0x09, 0x08};

static uint8_t reversed_axes(const mmd_joint *joint)
{
    uint8_t axes = 0;
    for (unsigned i = 0; i < 3; i++) {
        axes |= (uint8_t)((unsigned)(joint->linear_lower[i] > joint->linear_upper[i]) << i);
        axes |= (uint8_t)((unsigned)(joint->angular_lower[i] > joint->angular_upper[i]) << (i + 3));
    }
    return joint->kind < sizeof limited_axes ? axes & limited_axes[joint->kind] : 0;
}

static const char *reversed_text(const void *user, size_t index, char *buffer, size_t capacity)
{
    static const char *const axis_names[AXES] = {"linear X",  "linear Y",  "linear Z",
                                                 "angular X", "angular Y", "angular Z"};
    const listed_items *l = user;
    uint32_t i = l->list->items[index];
    const mmd_joint *joint = &l->model->joints[i];
    uint8_t axes = reversed_axes(joint);
    size_t at = (size_t)snprintf(buffer, capacity, "%u %.800s:", i, joint->name);
    for (unsigned k = 0; k < AXES && at < capacity; k++)
        if (axes >> k & 1u)
            at += (size_t)snprintf(buffer + at, capacity - at, "%s %s",
                                   (axes & ((1u << k) - 1u)) != 0 ? "," : "", axis_names[k]);
    return buffer;
}

static void write_joint_problems(facts *f, const mmd_model *m)
{
    indices alone = {0}, reversed = {0};
    listed_items alone_user = {m, &alone}, reversed_user = {m, &reversed};
    for (uint32_t i = 0; i < m->joint_count; i++) {
        if (!joins_two(&m->joints[i]))
            indices_add(&alone, i);
        if (reversed_axes(&m->joints[i]))
            indices_add(&reversed, i);
    }
    facts_write_list(f, &(facts_list){"joints_of_no_two_bodies", "joints of no two bodies", alone.count,
                                      joint_text, &alone_user});
    facts_write_list(f, &(facts_list){"reversed_limits", "reversed limits: free", reversed.count,
                                      reversed_text, &reversed_user});
    indices_finish(&alone);
    indices_finish(&reversed);
}

/* All of them, for programs. */

static void emit_body(emitter *j, const mmd_model *m, uint32_t index)
{
    const mmd_rigid_body *body = &m->bodies[index];
    emit_open(j, '{');
    emit_member_whole(j, "index", index);
    emit_member_text(j, "name", body->name);
    emit_member_whole(j, "bone", body->bone);
    emit_member_text(j, "bone_name", body->bone >= 0 ? m->bones[body->bone].name : "");
    emit_member_text(j, "mode", NAME_OF(mode_names, body->mode));
    emit_member_text(j, "shape", NAME_OF(shape_names, body->shape));
    emit_member_floats(j, "size", body->size, 3);
    emit_member_real(j, "mass", (double)body->mass);
    emit_member_whole(j, "group", body->group);
    emit_member_whole(j, "mask", body->mask);
    emit_close(j, '}');
}

static void emit_joint(emitter *j, const mmd_model *m, uint32_t index)
{
    const mmd_joint *joint = &m->joints[index];
    emit_open(j, '{');
    emit_member_whole(j, "index", index);
    emit_member_text(j, "name", joint->name);
    emit_member_text(j, "kind", NAME_OF(kind_names, joint->kind));
    emit_member_whole(j, "body_a", joint->body_a);
    emit_member_whole(j, "body_b", joint->body_b);
    emit_close(j, '}');
}

static void emit_all(emitter *j, const char *key, const mmd_model *m, uint32_t count,
                     void (*emit_one)(emitter *, const mmd_model *, uint32_t))
{
    emit_key(j, key);
    emit_open(j, '[');
    for (uint32_t i = 0; i < count; i++)
        emit_one(j, m, i);
    emit_close(j, ']');
}

void info_physics(facts *f, const mmd_model *m)
{
    write_untouched(f, m);
    write_joint_problems(f, m);
    if (!f->as_json)
        return;
    emit_all(&f->json, "bodies", m, m->body_count, emit_body);
    emit_all(&f->json, "joints", m, m->joint_count, emit_joint);
}
