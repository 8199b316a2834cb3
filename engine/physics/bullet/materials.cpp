/*
 * Materials of shapes.
 *
 * Bullet multiplies the friction and restitution of two objects. That is
 * PMX's rule, so that bodies whose shapes all have one such material are left
 * to it; contacts of all others are given their numbers by a callback as they
 * are made, from the very shapes that touch.
 *
 * Bullet brakes what is going to touch in this step, so that it touches at the
 * step's end, and takes that off its bounce. What may bounce is therefore left
 * alone until it has touched, where a scene asks for exact bounces.
 *
 * Bullet has one friction. Where a contact has two, they are kept in its user
 * data, and before each step it gets the one that fits its slip: Coulomb's
 * law as KHR_physics_rigid_bodies words it. What lands slips as well, and
 * sticks where friction at rest takes its slip while it lands; else what is
 * put onto a slope from a hair's breadth above would never come to rest there.
 */
#include "materials.hpp"

#include "world.hpp"

#include <cstring>

namespace
{

/* Says in an object's second user index that its shapes point at bullet_shapes. */
const int bound = 0x6d6d64;

/* What slips less than 8 mm/s is at rest. */
const btScalar at_rest = btScalar(0.1);

mmd_phys_material material_of(const mmd_physscene &scene, const mmd_phys_shape &shape)
{
    return shape.material < 0 ? mmd_default_phys_material() : scene.materials[shape.material];
}

/* The material of what touches: its leaf shape's, as a triangle is part of a mesh; or the object's own
 * numbers. */
mmd_phys_material touching_material(const btCollisionObjectWrapper *wrap)
{
    const btCollisionObject &object = *wrap->getCollisionObject();
    for (; wrap && object.getUserIndex2() == bound; wrap = wrap->m_parent) {
        auto *leaf = static_cast<const bullet_shape *>(wrap->getCollisionShape()->getUserPointer());
        if (leaf)
            return material_of(*leaf->scene, *leaf->source);
    }
    mmd_phys_material own = mmd_default_phys_material();
    own.static_friction = own.dynamic_friction = object.getFriction();
    own.restitution = object.getRestitution();
    return own;
}

btScalar combine(btScalar a, btScalar b, uint8_t mode_a, uint8_t mode_b)
{
    switch (btMax(mode_a, mode_b)) {
    case MMD_COMBINE_MULTIPLY:
        return a * b;
    case MMD_COMBINE_MAXIMUM:
        return btMax(a, b);
    case MMD_COMBINE_MINIMUM:
        return btMin(a, b);
    default:
        return (a + b) / 2;
    }
}

/* The two frictions of a contact in the pointer that Bullet keeps with it. */
struct frictions {
    float at_rest, in_motion;
};
static_assert(sizeof(frictions) == sizeof(void *), "two numbers have to fit into a pointer");

btVector3 velocity_at(const btCollisionObject *object, const btVector3 &point)
{
    const btRigidBody *body = btRigidBody::upcast(object);
    return body ? body->getVelocityInLocalPoint(point - body->getCenterOfMassPosition()) : btVector3(0, 0, 0);
}

void choose_friction(const btCollisionObject *a, const btCollisionObject *b, btManifoldPoint &point)
{
    if (!point.m_userPersistentData)
        return;
    frictions two;
    std::memcpy(&two, &point.m_userPersistentData, sizeof two);
    btVector3 slip =
        velocity_at(a, point.getPositionWorldOnA()) - velocity_at(b, point.getPositionWorldOnB());
    btScalar landing = -slip.dot(point.m_normalWorldOnB);
    slip += point.m_normalWorldOnB * landing;
    btScalar held = btMax(at_rest, landing * two.at_rest);
    point.m_combinedFriction = slip.length2() < held * held ? two.at_rest : two.in_motion;
}

/* Called for new points, and for those that are found again. */
bool contact_added(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int,
                   const btCollisionObjectWrapper *b, int, int)
{
    const btCollisionObject *object_a = a->getCollisionObject(), *object_b = b->getCollisionObject();
    if (object_a->getUserIndex2() != bound && object_b->getUserIndex2() != bound)
        return false;
    mmd_phys_material of_a = touching_material(a), of_b = touching_material(b);
    uint8_t mode_a = of_a.friction_combine, mode_b = of_b.friction_combine;
    frictions two = {combine(of_a.static_friction, of_b.static_friction, mode_a, mode_b),
                     combine(of_a.dynamic_friction, of_b.dynamic_friction, mode_a, mode_b)};
    point.m_combinedFriction = two.in_motion;
    point.m_combinedRestitution =
        combine(of_a.restitution, of_b.restitution, of_a.restitution_combine, of_b.restitution_combine);
    point.m_userPersistentData = nullptr;
    if (two.at_rest != two.in_motion)
        std::memcpy(&point.m_userPersistentData, &two, sizeof two);
    choose_friction(object_a, object_b, point);
    return false;
}

/* Whether Bullet's own rule says the same of a material. */
bool is_plain(const mmd_phys_material &material)
{
    return material.friction_combine == MMD_COMBINE_MULTIPLY &&
           material.restitution_combine == MMD_COMBINE_MULTIPLY &&
           material.static_friction == material.dynamic_friction;
}

bool all_are_plain(const mmd_physscene &scene, const mmd_phys_body &body)
{
    const mmd_phys_shape *shapes = scene.shapes + body.first_shape;
    for (uint32_t i = 0; i < body.shape_count; i++) {
        if (shapes[i].material != shapes[0].material || !is_plain(material_of(scene, shapes[i])))
            return false;
    }
    return true;
}

/* Whether anything of the body may bounce. */
bool bounces(const mmd_physscene &scene, const mmd_phys_body &body)
{
    for (uint32_t i = 0; i < body.shape_count; i++) {
        if (material_of(scene, scene.shapes[body.first_shape + i]).restitution > 0)
            return true;
    }
    return false;
}

bool is_bound(const btPersistentManifold &manifold)
{
    return manifold.getBody0()->getUserIndex2() == bound || manifold.getBody1()->getUserIndex2() == bound;
}

} // namespace

void materials_install()
{
    static const bool installed = [] {
        gContactAddedCallback = contact_added;
        return true;
    }();
    static_cast<void>(installed);
}

void materials_bind(btCollisionObject &object, const mmd_physscene &scene, const mmd_phys_body &body,
                    bool exact_restitution)
{
    if (body.shape_count == 0)
        return;
    mmd_phys_material first = material_of(scene, scene.shapes[body.first_shape]);
    object.setFriction(first.dynamic_friction);
    object.setRestitution(first.restitution);
    object.setUserIndex2(bound);
    if (exact_restitution && bounces(scene, body))
        object.setContactProcessingThreshold(0);
    if (!all_are_plain(scene, body))
        object.setCollisionFlags(object.getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
}

void materials_update(btDispatcher &dispatcher)
{
    for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
        btPersistentManifold *manifold = dispatcher.getManifoldByIndexInternal(i);
        if (!is_bound(*manifold))
            continue;
        for (int k = 0; k < manifold->getNumContacts(); k++)
            choose_friction(manifold->getBody0(), manifold->getBody1(), manifold->getContactPoint(k));
    }
}

bool materials_differ(const mmd_physscene &scene)
{
    for (uint32_t i = 0; i < scene.material_count; i++) {
        if (scene.materials[i].static_friction != scene.materials[i].dynamic_friction)
            return true;
    }
    return false;
}
