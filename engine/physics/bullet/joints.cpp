/*
 * Joints of all scenes, in order: frames seen from the centres of mass, and
 * who must not collide because a joint says so.
 */
#include "world.hpp"

#include "axes_joint.hpp"

static uint32_t body_number(const bullet_world &world, uint32_t scene, int32_t body)
{
    return world.common->first_body[scene] + static_cast<uint32_t>(body);
}

/* An end of a joint: its body, or the one that stands for the world; and the frame in its centre of mass. */
struct joint_end {
    btRigidBody *rigid;
    btTransform frame;
    bool can_move;
};

static joint_end find_end(const bullet_world &world, uint32_t scene, int32_t body, const mmd_transform &frame)
{
    if (body < 0)
        return {world.fixed, to_bullet(frame), false};
    const bullet_body &found = world.bodies[body_number(world, scene, body)];
    return {found.rigid, found.rigid ? found.com_inverse * to_bullet(frame) : to_bullet(frame),
            found.solid.can_move};
}

static btTypedConstraint *make_joint(const bullet_world &world, const mmd_physscene &scene,
                                     uint32_t scene_number, const mmd_phys_joint &joint)
{
    if (joint.disabled)
        return nullptr;
    joint_end a = find_end(world, scene_number, joint.body_a, joint.frame_a);
    joint_end b = find_end(world, scene_number, joint.body_b, joint.frame_b);
    if (!a.rigid || !b.rigid || !(a.can_move || b.can_move))
        return nullptr;
    if (joint.kind == MMD_JOINT_AXES)
        return axes_joint_create(scene, joint, *a.rigid, *b.rigid, a.frame, b.frame);
    return pmx_joint_create(world.common->settings, joint, *a.rigid, *b.rigid, a.frame, b.frame);
}

/* ------------------------------------------------------- who is kept apart */

static bool keeps_apart(const mmd_phys_joint &joint)
{
    return !joint.collide && !joint.disabled && joint.body_a >= 0 && joint.body_b >= 0;
}

/* Calls visit(a, b) for both orders of the two bodies of every joint that keeps them apart. */
template <typename visitor> static void each_apart(const bullet_world &world, visitor visit)
{
    const mmd_world &common = *world.common;
    for (uint32_t s = 0; s < common.scene_count; s++)
        for (uint32_t j = 0; j < common.scenes[s]->joint_count; j++) {
            const mmd_phys_joint &joint = common.scenes[s]->joints[j];
            if (!keeps_apart(joint))
                continue;
            uint32_t a = body_number(world, s, joint.body_a), b = body_number(world, s, joint.body_b);
            visit(a, b);
            visit(b, a);
        }
}

static bool list_apart(bullet_world &world)
{
    uint32_t total = 0;
    each_apart(world, [&](uint32_t a, uint32_t) {
        world.bodies[a].apart_count++;
        total++;
    });
    auto *list = static_cast<uint32_t *>(mmd_arena_alloc(&world.common->arena, total, sizeof(uint32_t)));
    if (!list)
        return false;
    for (uint32_t b = 0; b < world.common->body_count; b++) {
        world.bodies[b].apart = list;
        list += world.bodies[b].apart_count;
        world.bodies[b].apart_count = 0;
    }
    each_apart(world, [&](uint32_t a, uint32_t b) {
        bullet_body &body = world.bodies[a];
        const_cast<uint32_t *>(body.apart)[body.apart_count++] = b;
    });
    return true;
}

bool joints_create(bullet_world &world)
{
    mmd_world &common = *world.common;
    world.joints =
        static_cast<bullet_joint *>(mmd_arena_alloc(&common.arena, common.joint_count, sizeof(bullet_joint)));
    if (!world.joints || !list_apart(world))
        return false;
    for (uint32_t s = 0; s < common.scene_count; s++)
        for (uint32_t j = common.first_joint[s]; j < common.first_joint[s + 1]; j++) {
            const mmd_phys_joint &source = common.scenes[s]->joints[j - common.first_joint[s]];
            world.joints[j] = {make_joint(world, *common.scenes[s], s, source), &source};
            if (world.joints[j].constraint && source.kind == MMD_JOINT_AXES)
                world.axes_joints.push_back(j);
        }
    return true;
}

void joints_destroy(bullet_world &world)
{
    for (uint32_t j = 0; world.joints && j < world.common->joint_count; j++)
        delete world.joints[j].constraint;
}

/* -------------------------------------------------- what joints remember */

size_t joints_state_size(const bullet_world &world)
{
    size_t size = 0;
    for (int i = 0; i < world.axes_joints.size(); i++)
        size += axes_joint_state_size(*world.joints[world.axes_joints[i]].source);
    return size;
}

uint8_t *joints_save(const bullet_world &world, uint8_t *state)
{
    for (int i = 0; i < world.axes_joints.size(); i++) {
        const bullet_joint &joint = world.joints[world.axes_joints[i]];
        axes_joint_save(*joint.constraint, state);
        state += axes_joint_state_size(*joint.source);
    }
    return state;
}

const uint8_t *joints_restore(bullet_world &world, const uint8_t *state)
{
    for (int i = 0; i < world.axes_joints.size(); i++) {
        const bullet_joint &joint = world.joints[world.axes_joints[i]];
        axes_joint_restore(*joint.constraint, state);
        state += axes_joint_state_size(*joint.source);
    }
    return state;
}
