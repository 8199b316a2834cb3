/*
 * PMX's six kinds of joints as Bullet's constraints (MMD.md 1.1 and 5.4; the
 * fields of 2.1's kinds are those of the table there).
 *
 * Limits go to Bullet as they are: it measures the negative of the true
 * angle, so [low, high] admits true angles from -high to -low, as in MMD.
 */
#include "world.hpp"

/*
 * Bullet's joint of six axes, pushing body A at A's own anchor where Bullet,
 * without the frame offset, pushes it at B's. Everything else of its rows
 * stays. Both anchors are the same while the joint is closed; one that is open
 * turned A rather than pull B after it.
 */
template <typename stock> class own_lever final : public stock
{
  public:
    using stock::stock;

    /* Rows of the linear axes are the first, in order; only those that push have one. */
    void getInfo2(btTypedConstraint::btConstraintInfo2 *info) override
    {
        stock::getInfo2(info);
        const btTransform &anchor = this->m_calculatedTransformA;
        btVector3 lever = anchor.getOrigin() - this->m_rbA.getCenterOfMassPosition();
        btScalar *turning = info->m_J1angularAxis;
        for (int axis = 0; axis < 3; axis++) {
            if (!this->m_linearLimits.needApplyForce(axis))
                continue;
            btVector3 turn = lever.cross(anchor.getBasis().getColumn(axis));
            for (int k = 0; k < 3; k++)
                turning[k] = turn[k];
            turning += info->rowskip;
        }
    }
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

/* 2.75 had no frame offset; the error that a step takes back is the world's, on all six axes. */
static void set_6dof(btGeneric6DofConstraint &joint, const joint_parts &parts)
{
    const mmd_pmx_joint &n = parts.numbers;
    joint.setUseFrameOffset(false);
    joint.setLinearLowerLimit(to_bullet(n.linear_lower));
    joint.setLinearUpperLimit(to_bullet(n.linear_upper));
    joint.setAngularLowerLimit(to_bullet(n.angular_lower));
    joint.setAngularUpperLimit(to_bullet(n.angular_upper));
    for (int axis = 0; axis < 6; axis++)
        joint.setParam(BT_CONSTRAINT_STOP_ERP, parts.settings.joint_erp, axis);
}

template <typename stock> static stock *make_axes(const joint_parts &parts)
{
    if (parts.settings.joint_lever == MMD_LEVER_STOCK)
        return new stock(parts.a, parts.b, parts.frame_a, parts.frame_b, true);
    return new own_lever<stock>(parts.a, parts.b, parts.frame_a, parts.frame_b, true);
}

/* A spring of stiffness 0 would be a row of the solver that may not push: the same without it. */
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
            joint->setDamping(axis + 3, 1 / parts.angular_size); /* of the speed that Bullet makes of it */
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

static make_pmx_joint *const makers[] = {make_spring,     make_6dof,   make_point,
                                         make_cone_twist, make_slider, make_hinge};

/* Frames are in the centres of mass. The caller owns what it gets. */
btTypedConstraint *pmx_joint_create(const mmd_phys_world &settings, const mmd_phys_joint &joint,
                                    btRigidBody &a, btRigidBody &b, const btTransform &frame_in_a,
                                    const btTransform &frame_in_b)
{
    static_assert(sizeof makers / sizeof makers[0] == MMD_JOINT_AXES, "a maker for every kind of PMX's");
    return makers[joint.kind]({settings, joint.pmx, a, b, frame_in_a, frame_in_b, joint.angular_size});
}
