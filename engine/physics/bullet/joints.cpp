/*
 * The joints of all scenes, in order: their frames relative to the centres of mass, and the bodies that
 * joints exclude from colliding.
 */
#include "world.hpp"

#include "axes_joint.hpp"

/* ------------------------------------------------------------ PMX's joints */

/*
 * The six kinds of PMX joints as Bullet's constraints (docs/mmd.md 1.1 and 5.4, with a table of the fields of
 * PMX 2.1's kinds).
 *
 * Limits are passed to Bullet unchanged. Bullet measures the negative of the true angle, so [low, high]
 * admits true angles from -high to -low, as in MMD.
 */

/* The share of a motor's way to its limit that it covers in a step: Bullet 2.75's world setting, where Bullet
 * 3 uses the joint's. */
static const btScalar motor_erp = btScalar(0.2);

/*
 * Bullet's joint of six axes, with Bullet 2.75's two shares of error correction: one for axes at a limit, one
 * for motors near a limit. Optionally (MMD_LEVER_OWN) body A is pushed at A's own anchor, where Bullet
 * without the frame offset pushes it at B's. Both anchors coincide while the joint is closed; with Bullet's
 * lever an open joint turns A instead of pulling B after it.
 */
template <typename stock> class pmx_axes final : public stock
{
  public:
    pmx_axes(btRigidBody &a, btRigidBody &b, const btTransform &frame_a, const btTransform &frame_b,
             btScalar limit_erp, bool own_lever)
        : stock(a, b, frame_a, frame_b, true), per_motor_erp_(limit_erp / motor_erp), own_lever_(own_lever)
    {
    }

    /* The rows of the linear axes come first, in order. Only axes that push have one. */
    void getInfo2(btTypedConstraint::btConstraintInfo2 *info) override
    {
        stock::getInfo2(info);
        int row = 0;
        const btTransform &anchor = this->m_calculatedTransformA;
        btVector3 lever = anchor.getOrigin() - this->m_rbA.getCenterOfMassPosition();
        for (int axis = 0; axis < 3; axis++) {
            if (!this->m_linearLimits.needApplyForce(axis))
                continue;
            if (this->m_linearLimits.m_currentLimit[axis])
                info->m_constraintError[row] *= per_motor_erp_;
            btVector3 turn = lever.cross(anchor.getBasis().getColumn(axis));
            for (int k = 0; own_lever_ && k < 3; k++)
                info->m_J1angularAxis[row + k] = turn[k];
            row += info->rowskip;
        }
        for (const btRotationalLimitMotor &limit : this->m_angularLimits) {
            if (!limit.needApplyTorques())
                continue;
            if (limit.m_currentLimit)
                info->m_constraintError[row] *= per_motor_erp_;
            row += info->rowskip;
        }
    }

  private:
    btScalar per_motor_erp_;
    bool own_lever_;
};

struct joint_parts {
    const mmd_phys_world &settings;
    const mmd_pmx_joint &numbers;
    btRigidBody &a, &b;
    const btTransform &frame_a, &frame_b;
    float angular_size;
};

static bool is_on(float flag)
{
    return flag != 0.0f;
}

/* Sets the limits of six axes. Bullet 2.75 has no frame offset. */
static void set_6dof(btGeneric6DofConstraint &joint, const joint_parts &parts)
{
    const mmd_pmx_joint &n = parts.numbers;
    joint.setUseFrameOffset(false);
    joint.setLinearLowerLimit(to_bullet(n.linear_lower));
    joint.setLinearUpperLimit(to_bullet(n.linear_upper));
    joint.setAngularLowerLimit(to_bullet(n.angular_lower));
    joint.setAngularUpperLimit(to_bullet(n.angular_upper));
    for (int axis = 0; axis < 6; axis++)
        joint.setParam(BT_CONSTRAINT_STOP_ERP, motor_erp, axis);
}

template <typename stock> static stock *make_axes(const joint_parts &parts)
{
    return new pmx_axes<stock>(parts.a, parts.b, parts.frame_a, parts.frame_b, parts.settings.joint_erp,
                               parts.settings.joint_lever == MMD_LEVER_OWN);
}

/* Enables a spring. A stiffness of 0 would only add a solver row without effect. */
static void set_spring(btGeneric6DofSpringConstraint &joint, int axis, float stiffness)
{
    if (stiffness == 0.0f)
        return;
    joint.enableSpring(axis, true);
    joint.setStiffness(axis, stiffness);
}

static btTypedConstraint *make_spring(const joint_parts &parts)
{
    auto *joint = make_axes<btGeneric6DofSpringConstraint>(parts);
    set_6dof(*joint, parts);
    for (int axis = 0; axis < 3; axis++) {
        set_spring(*joint, axis, parts.numbers.linear_spring[axis]);
        set_spring(*joint, axis + 3, parts.numbers.angular_spring[axis]);
        if (parts.angular_size > 0 && joint->isSpringEnabled(axis + 3)) {
            joint->setStiffness(axis + 3, parts.numbers.angular_spring[axis] * parts.angular_size);
            joint->setDamping(axis + 3, 1 / parts.angular_size); /* scales the speed that Bullet derives from
                                                                    the stiffness */
        }
    }
    return joint;
}

static btTypedConstraint *make_6dof(const joint_parts &parts)
{
    auto *joint = make_axes<btGeneric6DofConstraint>(parts);
    set_6dof(*joint, parts);
    return joint;
}

static btTypedConstraint *make_point(const joint_parts &parts)
{
    auto *joint =
        new btPoint2PointConstraint(parts.a, parts.b, parts.frame_a.getOrigin(), parts.frame_b.getOrigin());
    joint->setParam(BT_CONSTRAINT_ERP, parts.settings.joint_erp);
    return joint;
}

static btTypedConstraint *make_cone_twist(const joint_parts &parts)
{
    const mmd_pmx_joint &n = parts.numbers;
    auto *joint = new btConeTwistConstraint(parts.a, parts.b, parts.frame_a, parts.frame_b);
    joint->setLimit(n.angular_lower[2], n.angular_lower[1], n.angular_lower[0], n.linear_spring[0],
                    n.linear_spring[1], n.linear_spring[2]);
    joint->setDamping(n.linear_lower[0]);
    joint->setFixThresh(n.linear_upper[0]);
    for (int axis = 0; axis < 3; axis++)
        joint->setParam(BT_CONSTRAINT_STOP_ERP, parts.settings.joint_erp, axis);
    if (is_on(n.linear_lower[2])) {
        float q[4];
        mmd_rotation_yxz(n.angular_spring, q);
        joint->enableMotor(true);
        joint->setMaxMotorImpulse(n.linear_upper[2]);
        joint->setMotorTargetInConstraintSpace(btQuaternion(q[0], q[1], q[2], q[3]));
    }
    return joint;
}

static btTypedConstraint *make_slider(const joint_parts &parts)
{
    const mmd_pmx_joint &n = parts.numbers;
    auto *joint = new btSliderConstraint(parts.a, parts.b, parts.frame_a, parts.frame_b, true);
    joint->setLowerLinLimit(n.linear_lower[0]);
    joint->setUpperLinLimit(n.linear_upper[0]);
    joint->setLowerAngLimit(n.angular_lower[0]);
    joint->setUpperAngLimit(n.angular_upper[0]);
    joint->setPoweredLinMotor(is_on(n.linear_spring[0]));
    joint->setTargetLinMotorVelocity(n.linear_spring[1]);
    joint->setMaxLinMotorForce(n.linear_spring[2]);
    joint->setPoweredAngMotor(is_on(n.angular_spring[0]));
    joint->setTargetAngMotorVelocity(n.angular_spring[1]);
    joint->setMaxAngMotorForce(n.angular_spring[2]);
    return joint;
}

static btTypedConstraint *make_hinge(const joint_parts &parts)
{
    const mmd_pmx_joint &n = parts.numbers;
    auto *joint = new btHingeConstraint(parts.a, parts.b, parts.frame_a, parts.frame_b);
    joint->setLimit(n.angular_lower[0], n.angular_upper[0], n.linear_spring[0], n.linear_spring[1],
                    n.linear_spring[2]);
    joint->enableAngularMotor(is_on(n.angular_spring[0]), n.angular_spring[1], n.angular_spring[2]);
    joint->setParam(BT_CONSTRAINT_STOP_ERP, parts.settings.joint_erp, 5);
    return joint;
}

typedef btTypedConstraint *make_pmx_joint(const joint_parts &parts);

static make_pmx_joint *const builders[] = {make_spring,     make_6dof,   make_point,
                                           make_cone_twist, make_slider, make_hinge};

/* Creates the constraint of a PMX joint, with frames relative to the centres of mass. The caller owns it. */
static btTypedConstraint *pmx_joint_create(const mmd_phys_world &settings, const mmd_phys_joint &joint,
                                           btRigidBody &a, btRigidBody &b, const btTransform &frame_in_a,
                                           const btTransform &frame_in_b)
{
    static_assert(sizeof builders / sizeof builders[0] == MMD_JOINT_LIMITS_AND_DRIVES,
                  "a builder for every kind of PMX joint");
    return builders[joint.kind]({settings, joint.pmx, a, b, frame_in_a, frame_in_b, joint.angular_size});
}

/* ----------------------------------------------------- joints of all scenes */

static uint32_t body_number(const bullet_world &world, uint32_t scene, int32_t body)
{
    return world.common->first_body[scene] + static_cast<uint32_t>(body);
}

/* An end of a joint: its body, or the body that stands for the world, and the frame relative to the centre
 * of mass. */
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
    if (joint.kind == MMD_JOINT_LIMITS_AND_DRIVES)
        return axes_joint_create(scene, joint, *a.rigid, *b.rigid, a.frame, b.frame);
    return pmx_joint_create(world.common->settings, joint, *a.rigid, *b.rigid, a.frame, b.frame);
}

/* ------------------------------------------------------- excluded collisions */

static bool keeps_apart(const mmd_phys_joint &joint)
{
    return !joint.collide && !joint.disabled && joint.body_a >= 0 && joint.body_b >= 0;
}

/* Calls visit(a, b) for both orders of the bodies of every joint that excludes their collision. */
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
            if (world.joints[j].constraint && source.kind == MMD_JOINT_LIMITS_AND_DRIVES)
                world.axes_joints.push_back(j);
        }
    return true;
}

void joints_destroy(bullet_world &world)
{
    for (uint32_t j = 0; world.joints && j < world.common->joint_count; j++)
        delete world.joints[j].constraint;
}

/* -------------------------------------------------- state of joints */

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
