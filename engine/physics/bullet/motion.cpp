/*
 * A step's way in and out. What is led stands where the last step left it
 * while contacts and joints are looked at, has the velocity that takes it to
 * its target, and is put there exactly at the end: so everything that a step
 * looks at is of one moment.
 */
#include "world.hpp"

#include <cmath>
#include <cstring>

static void drive(const bullet_world &world, uint32_t number)
{
    mmd_world &common = *world.common;
    const bullet_body &body = world.bodies[number];
    mmd_velocity &velocity = common.velocities[number];
    mmd_transform_velocity(&common.transforms[number], &common.targets[number], common.dt, &velocity);
    btVector3 linear = to_bullet(velocity.linear);
    if (!body.com_is_frame) {
        btTransform target = to_bullet(common.targets[number]);
        linear = (target * body.com.getOrigin() - body.rigid->getWorldTransform().getOrigin()) / common.dt;
    }
    body.rigid->setLinearVelocity(linear);
    body.rigid->setAngularVelocity(to_bullet(velocity.angular));
}

void driven_set_velocities(bullet_world &world)
{
    for (int i = 0; i < world.driven.size(); i++)
        drive(world, world.driven[i]);
}

static void land(const bullet_world &world, uint32_t number)
{
    mmd_world &common = *world.common;
    mmd_transform &transform = common.transforms[number];
    const mmd_transform &target = common.targets[number];
    if (!std::memcmp(&transform, &target, sizeof target))
        return;
    transform = target;
    const bullet_body &body = world.bodies[number];
    btTransform frame = to_bullet(target);
    body.rigid->setWorldTransform(body.com_is_frame ? frame : frame * body.com);
    body.rigid->setInterpolationWorldTransform(body.rigid->getWorldTransform());
    sensor_follow(world, body);
}

static bool is_finite(const btVector3 &v)
{
    return std::isfinite(v.x() + v.y() + v.z());
}

bool body_is_finite(const bullet_body &body)
{
    const btTransform &t = body.rigid->getWorldTransform();
    return is_finite(t.getOrigin()) && is_finite(body.rigid->getLinearVelocity()) &&
           is_finite(body.rigid->getAngularVelocity()) &&
           is_finite(t.getBasis()[0] + t.getBasis()[1] + t.getBasis()[2]);
}

/* The arrays still hold where the body was last; it stays there, and starts anew. */
static void freeze(bullet_world &world, uint32_t number)
{
    bullet_body &body = world.bodies[number];
    world.common->velocities[number] = mmd_velocity();
    body_set_from_arrays(world, number);
    body_forget_contacts(world, body);
    if (body.rigid->getActivationState() == DISABLE_SIMULATION)
        body.rigid->forceActivationState(body.source->can_sleep ? ACTIVE_TAG : DISABLE_DEACTIVATION);
}

static void write(const btTransform &frame, mmd_transform &out)
{
    btQuaternion q;
    frame.getBasis().getRotation(q);
    const btVector3 &t = frame.getOrigin();
    out = {{q.x(), q.y(), q.z(), q.w()}, {t.x(), t.y(), t.z(), 0.0f}};
}

void body_read(const bullet_world &world, uint32_t number)
{
    const bullet_body &body = world.bodies[number];
    const btTransform &com = body.rigid->getWorldTransform();
    const btVector3 &angular = body.rigid->getAngularVelocity();
    btVector3 linear = body.rigid->getLinearVelocity();
    if (body.com_is_frame) {
        write(com, world.common->transforms[number]);
    } else {
        btTransform frame = com * body.com_inverse;
        linear += angular.cross(frame.getOrigin() - com.getOrigin());
        write(frame, world.common->transforms[number]);
    }
    world.common->velocities[number] = {{linear.x(), linear.y(), linear.z(), 0.0f},
                                        {angular.x(), angular.y(), angular.z(), 0.0f}};
}

void bodies_land(bullet_world &world)
{
    for (int i = 0; i < world.driven.size(); i++)
        land(world, world.driven[i]);
    for (int i = 0; i < world.movers.size(); i++) {
        uint32_t number = world.movers[i];
        bullet_body &body = world.bodies[number];
        if (world.common->held[number])
            continue;
        if (!body_is_finite(body))
            freeze(world, number);
        body_read(world, number);
        sensor_follow(world, body);
    }
}
