/*
 * Writes the physics of files. For PMX and PMD models: rigid bodies and joints that have no effect or an
 * unexpected one, and in JSON all bodies and joints. For glTF and Ragdoll files: bodies by kind, shapes,
 * materials, filters, gravity, and each joint with its name in the table of OMI_physics_joint and the states
 * of its six axes.
 */
#include "info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "indices.h"

enum { AXES = 6 }; /* three of translation, then three of rotation */

/* --- PMX and PMD models --- */

/* Names of the numbers in PMX files. The reader rejects other numbers. */
static const char *const pmx_modes[] = {"follows_bone", "physics", "physics_with_bone"};
static const char *const pmx_shapes[] = {"sphere", "box", "capsule"};
static const char *const pmx_joint_kinds[] = {"spring_6dof", "6dof",   "point_to_point",
                                              "cone_twist",  "slider", "hinge"};

#define NAME_OF(names, number) number_name(names, sizeof(names) / sizeof *(names), number)

/* Returns the name of a number, or "?". */
static const char *number_name(const char *const *names, size_t count, uint32_t number)
{
    return number < count ? names[number] : "?";
}

/*
 * Finds bodies that no other body can touch. Counting by group and mask takes linear time in the number of
 * bodies.
 */

/* Number of bodies of a group that collide with another group: count[bodies that move][their group][the other
 * group]. */
typedef struct collision_counts {
    uint32_t count[2][16][16];
} collision_counts;

/* Adds a body to the counts. */
static void add_collisions(collision_counts *m, bool moves, uint8_t group, uint16_t mask)
{
    for (uint32_t other = 0; other < 16; other++)
        m->count[moves][group & 15u][other] += mask >> other & 1u;
}

/* Returns how many bodies a body collides with. Two bodies that physics does not move never collide. */
static uint32_t partners_of(const collision_counts *m, bool moves, const mmd_rigid_body *body)
{
    uint32_t sum = 0, group = body->group & 15u;
    for (uint32_t other = 0; other < 16; other++)
        if (body->mask >> other & 1u)
            sum += m->count[1][other][group] + (moves ? m->count[0][other][group] : 0);
    bool itself = moves && (body->mask >> group & 1u);
    return sum - itself;
}

/* Returns whether physics moves a body. */
static bool is_moved(const mmd_phys_body *body)
{
    return body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
}

/* Returns whether a body can collide. Those of size 0 and those that are not simulated are counted elsewhere.
 */
static bool is_solid(const mmd_physscene *scene, uint32_t i)
{
    const mmd_phys_body *body = &scene->bodies[i];
    return !body->disabled && body->shape_count && scene->shapes[body->first_shape].solid;
}

/* Lists the bodies that no other body can touch. */
static void write_untouched(facts *f, const mmd_model *m)
{
    indices found = {0};
    mmd_physscene scene;
    collision_counts all = {0};
    /* Files with a scene of their own have filters instead of groups. */
    if (!m->physscene && mmd_model_physscene(m, &scene, NULL) == MMD_OK) {
        for (uint32_t i = 0; i < m->body_count; i++)
            if (is_solid(&scene, i))
                add_collisions(&all, is_moved(&scene.bodies[i]), m->bodies[i].group, m->bodies[i].mask);
        for (uint32_t i = 0; i < m->soft_body_count; i++)
            add_collisions(&all, true, m->soft_bodies[i].group, m->soft_bodies[i].mask);
        for (uint32_t i = 0; i < m->body_count; i++)
            if (is_solid(&scene, i) && partners_of(&all, is_moved(&scene.bodies[i]), &m->bodies[i]) == 0)
                indices_add(&found, i);
        mmd_physscene_destroy(&scene);
    }
    facts_list_open(f, "untouched_bodies", "non-colliding bodies", found.count);
    for (size_t i = 0; i < found.count; i++)
        facts_item(f, "%u %.900s", found.items[i], m->bodies[found.items[i]].name);
    facts_list_close(f);
    indices_finish(&found);
}

/* Lists joints that do not connect two bodies. */
static void write_unconnected_joints(facts *f, const mmd_model *m)
{
    indices unconnected = {0};
    for (uint32_t i = 0; i < m->joint_count; i++) {
        const mmd_joint *joint = &m->joints[i];
        if (joint->body_a < 0 || joint->body_b < 0 || joint->body_a == joint->body_b)
            indices_add(&unconnected, i);
    }
    facts_list_open(f, "joints_of_no_two_bodies", "unconnected joints", unconnected.count);
    for (size_t k = 0; k < unconnected.count; k++) {
        uint32_t i = unconnected.items[k];
        const mmd_joint *joint = &m->joints[i];
        if (joint->body_a < 0 && joint->body_b < 0)
            facts_item(f, "%u %.400s: has no bodies", i, joint->name);
        else if (joint->body_a == joint->body_b)
            facts_item(f, "%u %.400s: connects %.400s with itself", i, joint->name,
                       m->bodies[joint->body_a].name);
        else
            facts_item(f, "%u %.400s: has no body %c", i, joint->name, joint->body_a < 0 ? 'A' : 'B');
    }
    facts_list_close(f);
    indices_finish(&unconnected);
}

/* Returns the axes, one bit each, whose lower limit is above the upper one, which Bullet treats as free. Each
 * kind of joint only uses the limits of some axes. */
static uint8_t reversed_axes(const mmd_joint *joint)
{
    static const uint8_t limited_axes[] = {0x3f, 0x3f, 0, 0, 0x09, 0x08}; /* by kind */
    uint8_t axes = 0;
    for (unsigned i = 0; i < 3; i++) {
        axes |= (uint8_t)((unsigned)(joint->linear_lower[i] > joint->linear_upper[i]) << i);
        axes |= (uint8_t)((unsigned)(joint->angular_lower[i] > joint->angular_upper[i]) << (i + 3));
    }
    return joint->kind < sizeof limited_axes ? axes & limited_axes[joint->kind] : 0;
}

/* Lists the joints with reversed limits. */
static void write_reversed_limits(facts *f, const mmd_model *m)
{
    static const char *const names[AXES] = {"linear X",  "linear Y",  "linear Z",
                                            "angular X", "angular Y", "angular Z"};
    indices reversed = {0};
    for (uint32_t i = 0; i < m->joint_count; i++)
        if (reversed_axes(&m->joints[i]))
            indices_add(&reversed, i);
    facts_list_open(f, "reversed_limits", "reversed limits (free)", reversed.count);
    for (size_t k = 0; k < reversed.count; k++) {
        const mmd_joint *joint = &m->joints[reversed.items[k]];
        uint8_t axes = reversed_axes(joint);
        char list[128];
        size_t at = 0;
        for (unsigned axis = 0; axis < AXES; axis++)
            if (axes >> axis & 1u)
                at += (size_t)snprintf(list + at, sizeof list - at, "%s %s", at ? "," : "", names[axis]);
        facts_item(f, "%u %.800s:%s", reversed.items[k], joint->name, list);
    }
    facts_list_close(f);
    indices_finish(&reversed);
}

void info_physics(facts *f, const mmd_model *m)
{
    emitter *j = &f->json;
    write_untouched(f, m);
    write_unconnected_joints(f, m);
    write_reversed_limits(f, m);
    if (!f->as_json)
        return;
    emit_key(j, "bodies");
    emit_open(j, '[');
    for (uint32_t i = 0; i < m->body_count; i++) {
        const mmd_rigid_body *body = &m->bodies[i];
        emit_open(j, '{');
        emit_member_whole(j, "index", i);
        emit_member_text(j, "name", body->name);
        emit_member_whole(j, "bone", body->bone);
        emit_member_text(j, "bone_name", body->bone >= 0 ? m->bones[body->bone].name : "");
        emit_member_text(j, "mode", NAME_OF(pmx_modes, body->mode));
        emit_member_text(j, "shape", NAME_OF(pmx_shapes, body->shape));
        emit_member_floats(j, "size", body->size, 3);
        emit_member_real(j, "mass", (double)body->mass);
        emit_member_whole(j, "group", body->group);
        emit_member_whole(j, "mask", body->mask);
        emit_close(j, '}');
    }
    emit_close(j, ']');
    emit_key(j, "joints");
    emit_open(j, '[');
    for (uint32_t i = 0; i < m->joint_count; i++) {
        const mmd_joint *joint = &m->joints[i];
        emit_open(j, '{');
        emit_member_whole(j, "index", i);
        emit_member_text(j, "name", joint->name);
        emit_member_text(j, "kind", NAME_OF(pmx_joint_kinds, joint->kind));
        emit_member_whole(j, "body_a", joint->body_a);
        emit_member_whole(j, "body_b", joint->body_b);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

/* --- glTF and Ragdoll files --- */

/* Length of a unit of MMD in metres. */
#define METRES 0.08

enum { MATERIALS_SHOWN = 12 }; /* limit up to which text lists materials */

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* ----------------------------------------------------------------- bodies */

typedef enum body_kind { BODY_STATIC, BODY_KINEMATIC, BODY_DYNAMIC, BODY_TRIGGER, BODY_OFF } body_kind;

static const kind_name body_kinds[] = {{"static", "static"},
                                       {"kinematic", "kinematic"},
                                       {"dynamic", "dynamic"},
                                       {"trigger", "triggers only"},
                                       {"disabled", "not simulated"}};

static const kind_name shape_kinds[] = {{"sphere", "spheres"},     {"box", "boxes"},  {"capsule", "capsules"},
                                        {"cylinder", "cylinders"}, {"hull", "hulls"}, {"mesh", "meshes"},
                                        {"plane", "planes"}};

/* Returns the kind of a body. A body that is not dynamic and only has trigger shapes is a trigger. */
static body_kind kind_of_body(const mmd_physscene *scene, const mmd_phys_body *body)
{
    uint32_t triggers = 0;
    for (uint32_t i = 0; i < body->shape_count; i++)
        triggers += scene->shapes[body->first_shape + i].trigger;
    if (body->disabled)
        return BODY_OFF;
    if (body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE)
        return BODY_DYNAMIC;
    if (triggers && triggers == body->shape_count)
        return BODY_TRIGGER;
    return body->motion == MMD_PHYS_STATIC ? BODY_STATIC : BODY_KINEMATIC;
}

/* Writes the counts of bodies and shapes by kind. */
static void write_bodies(facts *f, const mmd_physscene *scene)
{
    uint32_t kinds[COUNT_OF(body_kinds)] = {0}, shapes[COUNT_OF(shape_kinds)] = {0};
    for (uint32_t i = 0; i < scene->body_count; i++)
        kinds[kind_of_body(scene, &scene->bodies[i])]++;
    for (uint32_t i = 0; i < scene->shape_count; i++)
        shapes[scene->shapes[i].kind]++;
    info_write_kinds(f, "body_kinds", "bodies by kind", body_kinds, kinds, COUNT_OF(body_kinds));
    info_write_kinds(f, "shape_kinds", "shapes", shape_kinds, shapes, COUNT_OF(shape_kinds));
}

/* Writes a body with its shapes as JSON. */
static void emit_body(emitter *j, const mmd_physscene *scene, uint32_t index, const mmd_model *model)
{
    const mmd_phys_body *body = &scene->bodies[index];
    emit_open(j, '{');
    emit_member_whole(j, "index", index);
    emit_member_text(j, "name", body->name);
    emit_member_whole(j, "bone", body->bone);
    emit_member_text(j, "bone_name", body->bone >= 0 ? model->bones[body->bone].name : "");
    emit_member_text(j, "kind", body_kinds[kind_of_body(scene, body)].key);
    if (!body->auto_mass)
        emit_member_real(j, "mass", (double)body->mass);
    emit_member_real(j, "gravity_factor", (double)body->gravity_factor);
    emit_key(j, "shapes");
    emit_open(j, '[');
    for (uint32_t i = 0; i < body->shape_count; i++) {
        const mmd_phys_shape *shape = &scene->shapes[body->first_shape + i];
        emit_open(j, '{');
        emit_member_text(j, "kind", shape_kinds[shape->kind].key);
        emit_member_bool(j, "trigger", shape->trigger);
        emit_member_floats(j, "size", shape->size, 3);
        emit_member_whole(j, "material", shape->material);
        emit_member_whole(j, "filter", shape->filter);
        emit_close(j, '}');
    }
    emit_close(j, ']');
    emit_close(j, '}');
}

/* ----------------------------------------------------------------- joints */

typedef enum axis_state { AXIS_FREE, AXIS_LIMITED, AXIS_LOCKED } axis_state;

static const char *const axis_states[] = {"free", "limited", "locked"};
static const char *const axis_names[AXES] = {"X", "Y", "Z", "RX", "RY", "RZ"};

/* The names in the table of OMI_physics_joint, and JOINT_GENERIC for all others. */
typedef enum joint_name { JOINT_FIXED, JOINT_PIN, JOINT_HINGE, JOINT_SLIDER, JOINT_GENERIC } joint_name;

static const kind_name joint_names[] = {{"fixed", "Fixed/Weld"},
                                        {"pin", "Pin"},
                                        {"hinge", "Hinge"},
                                        {"slider", "Slider"},
                                        {"generic", "generic"}};

/* Returns whether a limit locks its axes: a single axis by equal bounds, several axes by a maximum of 0. */
static bool locks(const mmd_phys_limit *limit)
{
    bool one = (limit->axes & (limit->axes - 1u)) == 0;
    return limit->has_max && (one ? limit->has_min && limit->max <= limit->min : limit->max <= 0) &&
           !limit->soft;
}

/* Sets the state of an axis, unless it is more restricted already. */
static void restrict_axis(axis_state states[AXES], unsigned axis, bool is_locked)
{
    axis_state state = is_locked ? AXIS_LOCKED : AXIS_LIMITED;
    if (state > states[axis])
        states[axis] = state;
}

/* Finds the states of the six axes of a joint. */
static void find_states(const mmd_physscene *scene, const mmd_phys_joint *joint, axis_state states[AXES])
{
    memset(states, 0, AXES * sizeof *states);
    for (uint32_t i = 0; i < joint->limit_count; i++) {
        const mmd_phys_limit *limit = &scene->limits[joint->first_limit + i];
        if (limit->kind == MMD_LIMIT_ELLIPSE) {
            /* The swing about Y and Z has a bound for each. */
            restrict_axis(states, 4, limit->max <= 0);
            restrict_axis(states, 5, limit->max2 <= 0);
            continue;
        }
        for (unsigned axis = 0; (limit->has_min || limit->has_max) && axis < 3; axis++)
            if (limit->axes >> axis & 1u)
                restrict_axis(states, axis + (limit->kind == MMD_LIMIT_ANGULAR ? 3 : 0), locks(limit));
    }
}

/* Returns how many of three axes are in a state. *at becomes the last of them. */
static int count_state(const axis_state *states, axis_state state, int *at)
{
    int count = 0;
    for (int k = 0; k < 3; k++) {
        if (states[k] != state)
            continue;
        count++;
        *at = k;
    }
    return count;
}

/* Returns the name of a joint with these axes. */
static joint_name name_of(const axis_state states[AXES])
{
    int linear = 0, angular = 0, any = 0;
    int limited = count_state(states, AXIS_LIMITED, &linear), locked = count_state(states, AXIS_LOCKED, &any);
    int turning = count_state(states + 3, AXIS_LIMITED, &angular),
        fixed = count_state(states + 3, AXIS_LOCKED, &any), free = count_state(states + 3, AXIS_FREE, &any);
    if (locked == 3)
        return fixed == 3                   ? JOINT_FIXED
               : free == 3                  ? JOINT_PIN
               : fixed == 2 && turning == 1 ? JOINT_HINGE
                                            : JOINT_GENERIC;
    bool slides = locked == 2 && limited == 1;
    bool about_it = fixed == 2 && turning == 1 && angular == linear;
    return slides && (fixed == 3 || about_it) ? JOINT_SLIDER : JOINT_GENERIC;
}

/* Returns what a joint would be if its free axes were limited, since the table requires limits that many
 * files omit. */
static const char *similar_to(const axis_state states[AXES])
{
    axis_state limited[AXES];
    if (name_of(states) != JOINT_GENERIC)
        return "";
    for (int axis = 0; axis < AXES; axis++)
        limited[axis] = states[axis] == AXIS_FREE ? AXIS_LIMITED : states[axis];
    joint_name name = name_of(limited);
    return name == JOINT_HINGE    ? " (a hinge without limits)"
           : name == JOINT_SLIDER ? " (a slider without limits)"
                                  : "";
}

/* Returns the name of a body of a joint. A negative index is the world. */
static const char *end_name(const mmd_physscene *scene, int32_t body)
{
    return body < 0 ? "the world" : scene->bodies[body].name;
}

/* Writes the counts of joints by name, and in text a line for each: "7 Hinge_2: Hinge, BodyA to BodyB;
 * limited RX; locked X Y Z RY RZ; 1 drive". */
static void write_joints(facts *f, const mmd_physscene *scene)
{
    uint32_t counts[COUNT_OF(joint_names)] = {0};
    axis_state states[AXES];
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        find_states(scene, &scene->joints[i], states);
        counts[name_of(states)]++;
    }
    info_write_kinds(f, "joint_names", "joints by name", joint_names, counts, COUNT_OF(joint_names));
    if (f->as_json)
        return;
    facts_list_open(f, "joints", "joints", scene->joint_count);
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const mmd_phys_joint *joint = &scene->joints[i];
        char axes[128] = "", driven[32] = "";
        size_t at = 0;
        find_states(scene, joint, states);
        for (int state = AXIS_LOCKED; state >= AXIS_FREE; state--)
            for (int axis = 0, listed = 0; axis < AXES; axis++) {
                if ((int)states[axis] != state)
                    continue;
                if (!listed++)
                    at += (size_t)snprintf(axes + at, sizeof axes - at, "; %s", axis_states[state]);
                at += (size_t)snprintf(axes + at, sizeof axes - at, " %s", axis_names[axis]);
            }
        uint32_t drives = 0; /* drives that have an effect */
        for (uint32_t k = 0; k < joint->drive_count; k++) {
            const mmd_phys_drive *d = &scene->drives[joint->first_drive + k];
            drives += d->enabled && (d->stiffness > 0 || d->damping > 0 || d->angular_stiffness > 0 ||
                                     d->angular_damping > 0);
        }
        if (drives)
            snprintf(driven, sizeof driven, "; %u drive%s", drives, drives == 1 ? "" : "s");
        facts_item(f, "%u %.200s: %s%s, %.200s to %.200s%s%s", i, joint->name,
                   joint_names[name_of(states)].title, similar_to(states), end_name(scene, joint->body_a),
                   end_name(scene, joint->body_b), axes, driven);
    }
    facts_list_close(f);
}

/* Writes the limits of a joint as JSON. Bounds that it lacks become null. */
static void emit_limits(emitter *j, const mmd_physscene *scene, const mmd_phys_joint *joint)
{
    static const char *const kinds[] = {"linear", "angular", "ellipse"};
    emit_key(j, "limits");
    emit_open(j, '[');
    for (uint32_t i = 0; i < joint->limit_count; i++) {
        const mmd_phys_limit *limit = &scene->limits[joint->first_limit + i];
        emit_open(j, '{');
        emit_member_text(j, "kind", kinds[limit->kind]);
        emit_member_whole(j, "axes", limit->axes);
        emit_member_real(j, "min", limit->has_min ? (double)limit->min : -INFINITY);
        emit_member_real(j, "max", limit->has_max ? (double)limit->max : INFINITY);
        if (limit->kind == MMD_LIMIT_ELLIPSE)
            emit_member_real(j, "max2", (double)limit->max2);
        if (limit->soft) {
            emit_member_real(j, "stiffness", (double)limit->stiffness);
            emit_member_real(j, "damping", (double)limit->damping);
        }
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

/* Writes the drives of a joint as JSON. */
static void emit_drives(emitter *j, const mmd_physscene *scene, const mmd_phys_joint *joint)
{
    static const char *const kinds[] = {"linear", "angular", "pose"};
    emit_key(j, "drives");
    emit_open(j, '[');
    for (uint32_t i = 0; i < joint->drive_count; i++) {
        const mmd_phys_drive *drive = &scene->drives[joint->first_drive + i];
        emit_open(j, '{');
        emit_member_text(j, "kind", kinds[drive->kind]);
        if (drive->kind != MMD_DRIVE_POSE)
            emit_member_whole(j, "axis", drive->axis);
        emit_member_bool(j, "acceleration", drive->acceleration);
        emit_member_bool(j, "enabled", drive->enabled);
        emit_member_real(j, "position_target", (double)drive->position_target);
        emit_member_real(j, "velocity_target", (double)drive->velocity_target);
        emit_member_real(j, "stiffness", (double)drive->stiffness);
        emit_member_real(j, "damping", (double)drive->damping);
        emit_member_real(j, "max_force", (double)drive->max_force);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

/* Writes a joint with its axes, limits and drives as JSON. */
static void emit_joint(emitter *j, const mmd_physscene *scene, uint32_t index)
{
    const mmd_phys_joint *joint = &scene->joints[index];
    axis_state states[AXES];
    find_states(scene, joint, states);
    emit_open(j, '{');
    emit_member_whole(j, "index", index);
    emit_member_text(j, "name", joint->name);
    emit_member_text(j, "kind", joint_names[name_of(states)].key);
    emit_member_whole(j, "body_a", joint->body_a);
    emit_member_whole(j, "body_b", joint->body_b);
    emit_member_bool(j, "collide", joint->collide);
    emit_member_bool(j, "disabled", joint->disabled);
    emit_key(j, "axes");
    emit_open(j, '{');
    for (int axis = 0; axis < AXES; axis++)
        emit_member_text(j, axis_names[axis], axis_states[states[axis]]);
    emit_close(j, '}');
    emit_limits(j, scene, joint);
    emit_drives(j, scene, joint);
    emit_close(j, '}');
}

/* ------------------------------------------------------------------ world */

/* Writes gravity, ground, rate, materials and filters. */
static void write_world(facts *f, const mmd_physscene *scene)
{
    const float *g = scene->world.gravity;
    char text[160];
    if (f->as_json)
        emit_member_floats(&f->json, "gravity", g, 3);
    snprintf(text, sizeof text, "%.6g,%.6g,%.6g units/s² (%.6g m/s²)", (double)g[0] + 0.0, (double)g[1] + 0.0,
             (double)g[2] + 0.0,
             METRES * sqrt((double)g[0] * g[0] + (double)g[1] * g[1] + (double)g[2] * g[2]));
    if (!f->as_json)
        facts_text(f, "gravity", "gravity", text);
    facts_whole(f, "gravity_fields", "gravity fields", scene->gravity_count);
    facts_bool(f, "ground", "infinite ground", scene->world.ground);
    facts_whole(f, "rate", "steps per second", scene->world.rate);
    if (f->as_json || scene->material_count <= MATERIALS_SHOWN) {
        facts_list_open(f, "physics_materials", "materials", scene->material_count);
        for (uint32_t i = 0; i < scene->material_count; i++) {
            const mmd_phys_material *m = &scene->materials[i];
            facts_item(f, "%u%s%.400s: friction %.4g static, %.4g dynamic; restitution %.4g", i,
                       *m->name ? " " : "", m->name, (double)m->static_friction, (double)m->dynamic_friction,
                       (double)m->restitution);
        }
        facts_list_close(f);
    } else {
        facts_whole(f, "physics_materials", "materials", scene->material_count);
    }
    facts_whole(f, "filters", "collision filters", scene->filter_count);
    facts_list_open(f, "collision_systems", "collision systems", scene->system_count);
    for (uint32_t i = 0; i < scene->system_count; i++)
        facts_item_text(f, scene->system_names[i]);
    facts_list_close(f);
}

void info_scene(facts *f, const mmd_physscene *scene, const mmd_model *model)
{
    facts_open(f, "physics", "physics");
    write_world(f, scene);
    write_bodies(f, scene);
    write_joints(f, scene);
    facts_close(f);
    if (!f->as_json)
        return;
    emit_key(&f->json, "bodies");
    emit_open(&f->json, '[');
    for (uint32_t i = 0; i < scene->body_count; i++)
        emit_body(&f->json, scene, i, model);
    emit_close(&f->json, ']');
    emit_key(&f->json, "joints");
    emit_open(&f->json, '[');
    for (uint32_t i = 0; i < scene->joint_count; i++)
        emit_joint(&f->json, scene, i);
    emit_close(&f->json, ']');
}
