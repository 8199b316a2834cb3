/*
 * Leaf shapes. Sizes are Bullet's own for spheres, boxes, capsules and
 * cylinders, with its default margins, as MMD has them; what tapers is the
 * hull of its two ends; hulls are reduced to their corners. A mesh is its
 * triangles where it never moves, else its hull.
 */
#include "world.hpp"

#include "hulls.hpp"

/* 1 mm in units of 8 cm: how far a hull may stand off what it is the hull of. */
static const btScalar hull_margin = btScalar(0.0125);

static btCollisionShape *make_hull(const point_list &corners)
{
    if (corners.size() == 0)
        return new btEmptyShape;
    auto *hull = new btConvexHullShape(&corners[0].x(), corners.size(), sizeof(btVector3));
    hull->setMargin(hull_margin);
    return hull;
}

static btCollisionShape *make_sphere(bullet_world &, const mmd_physscene &, const mmd_phys_shape &shape, bool)
{
    return new btSphereShape(shape.size[0]);
}

static btCollisionShape *make_box(bullet_world &, const mmd_physscene &, const mmd_phys_shape &shape, bool)
{
    return new btBoxShape(to_bullet(shape.size));
}

/* A tapered capsule is the hull of two spheres, which Bullet has. */
static btCollisionShape *make_capsule(bullet_world &, const mmd_physscene &, const mmd_phys_shape &shape,
                                      bool)
{
    btScalar radius = shape.size[0], length = shape.size[1], top = shape.size[2];
    if (radius == top)
        return new btCapsuleShape(radius, length);
    const btVector3 centers[2] = {btVector3(0, -length / 2, 0), btVector3(0, length / 2, 0)};
    const btScalar radii[2] = {radius, top};
    auto *hull = new btMultiSphereShape(centers, radii, 2);
    hull->setMargin(btMin(hull_margin, btMin(radius, top)));
    return hull;
}

static btCollisionShape *make_cylinder(bullet_world &, const mmd_physscene &, const mmd_phys_shape &shape,
                                       bool)
{
    btScalar radius = shape.size[0], height = shape.size[1], top = shape.size[2];
    if (radius == top)
        return new btCylinderShape(btVector3(radius, height / 2, radius));
    const int sides = 32;
    point_list points, corners;
    for (int i = 0; i < sides; i++) {
        btScalar angle = SIMD_2_PI * btScalar(i) / btScalar(sides), x = btCos(angle), z = btSin(angle);
        points.push_back(btVector3(x * radius, -height / 2, z * radius));
        points.push_back(btVector3(x * top, height / 2, z * top));
    }
    hull_corners(points, corners);
    return make_hull(corners);
}

static btCollisionShape *make_mesh_hull(bullet_world &world, const mmd_physscene &scene,
                                        const mmd_phys_shape &shape, bool)
{
    return make_hull(world.hulls->of(scene.meshes[shape.mesh]).corners);
}

/* Bullet reads the scene's own arrays, and writes to neither. */
static btCollisionShape *make_mesh(bullet_world &world, const mmd_physscene &scene,
                                   const mmd_phys_shape &shape, bool moves)
{
    const mmd_phys_mesh &mesh = scene.meshes[shape.mesh];
    if (moves)
        return make_mesh_hull(world, scene, shape, moves);
    if (mesh.index_count < 3)
        return new btEmptyShape;
    btIndexedMesh part;
    part.m_numTriangles = static_cast<int>(mesh.index_count / 3);
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(mesh.indices);
    part.m_triangleIndexStride = 3 * static_cast<int>(sizeof(uint32_t));
    part.m_numVertices = static_cast<int>(mesh.point_count);
    part.m_vertexBase = reinterpret_cast<const unsigned char *>(mesh.points);
    part.m_vertexStride = 3 * static_cast<int>(sizeof(float));
    auto *triangles = new btTriangleIndexVertexArray;
    triangles->addIndexedMesh(part, PHY_INTEGER);
    world.meshes.push_back(triangles);
    return new btBvhTriangleMeshShape(triangles, true);
}

/*
 * Bullet takes bodies with bounds of over a million units out of the world,
 * unless they are static: a plane that moves ends before.
 */
struct moving_plane final : public btStaticPlaneShape {
    using btStaticPlaneShape::btStaticPlaneShape;
    void getAabb(const btTransform &transform, btVector3 &low, btVector3 &high) const override
    {
        const btVector3 reach(btScalar(2e5), btScalar(2e5), btScalar(2e5));
        low = transform.getOrigin() - reach;
        high = transform.getOrigin() + reach;
    }
};

static btCollisionShape *make_plane(bullet_world &, const mmd_physscene &, const mmd_phys_shape &, bool moves)
{
    const btVector3 up(0, 1, 0);
    if (moves)
        return new moving_plane(up, 0);
    return new btStaticPlaneShape(up, 0);
}

typedef btCollisionShape *make_shape(bullet_world &, const mmd_physscene &, const mmd_phys_shape &,
                                     bool moves);

static make_shape *const makers[] = {make_sphere,    make_box,  make_capsule, make_cylinder,
                                     make_mesh_hull, make_mesh, make_plane};

/* Makes a leaf shape, which the world owns, tagged as this shape of this scene. */
btCollisionShape *shape_create(bullet_world &world, const mmd_physscene &scene, const mmd_phys_shape &shape,
                               bool moves)
{
    static_assert(sizeof makers / sizeof makers[0] == MMD_PHYS_PLANE + 1, "a maker for every kind");
    btCollisionShape *leaf = makers[shape.kind](world, scene, shape, moves);
    world.shapes.push_back(leaf);
    return leaf;
}
