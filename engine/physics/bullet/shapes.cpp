/*
 * Leaf shapes, convex hulls of meshes, and masses of bodies.
 */
#include "world.hpp"

#include <LinearMath/btConvexHullComputer.h>

/* A solid of uniform density: its volume, its centre and its second moments about the centre. */
struct solid {
    btScalar volume = 0;
    btVector3 center = btVector3(0, 0, 0);
    btMatrix3x3 moments = btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0);
};

static btMatrix3x3 outer(const btVector3 &a, const btVector3 &b)
{
    return btMatrix3x3(a.x() * b.x(), a.x() * b.y(), a.x() * b.z(), a.y() * b.x(), a.y() * b.y(),
                       a.y() * b.z(), a.z() * b.x(), a.z() * b.y(), a.z() * b.z());
}

static btMatrix3x3 diagonal(btScalar x, btScalar y, btScalar z)
{
    return btMatrix3x3(x, 0, 0, 0, y, 0, 0, 0, z);
}

/* ------------------------------------------------------- solids of hulls */

/* Adds the tetrahedron between the origin and a triangle. Both sums are about the origin. */
static void add_tetrahedron(solid &s, const btVector3 &a, const btVector3 &b, const btVector3 &c)
{
    btScalar six = a.dot(b.cross(c));
    btVector3 sum = a + b + c;
    s.volume += six / 6;
    s.center += sum * (six / 24);
    s.moments += (outer(sum, sum) + outer(a, a) + outer(b, b) + outer(c, c)) * (six / 120);
}

static void add_face(solid &s, const btConvexHullComputer &hull, int face, const btVector3 &middle)
{
    const btConvexHullComputer::Edge *first = &hull.edges[hull.faces[face]];
    btVector3 a = hull.vertices[first->getSourceVertex()] - middle;
    const btConvexHullComputer::Edge *edge = first->getNextEdgeOfFace();
    for (; edge->getTargetVertex() != first->getSourceVertex(); edge = edge->getNextEdgeOfFace())
        add_tetrahedron(s, a, hull.vertices[edge->getSourceVertex()] - middle,
                        hull.vertices[edge->getTargetVertex()] - middle);
}

/* Computes the solid of a hull. A hull without volume gives an empty solid. */
static solid solid_hull(const btConvexHullComputer &hull)
{
    solid s;
    btVector3 middle(0, 0, 0);
    for (int i = 0; i < hull.vertices.size(); i++)
        middle += hull.vertices[i] / btScalar(hull.vertices.size());
    for (int f = 0; f < hull.faces.size(); f++)
        add_face(s, hull, f, middle);
    if (s.volume < 0) { /* the faces have the opposite orientation */
        s.volume = -s.volume;
        s.center = -s.center;
        s.moments = s.moments * btScalar(-1);
    }
    if (!(s.volume > 0))
        return solid();
    s.center /= s.volume;
    s.moments = s.moments - outer(s.center, s.center) * s.volume;
    s.center += middle;
    return s;
}

/* ------------------------------------------------------------------ hulls */

/* Hulls are computed by Bullet (O. Tammo, btConvexHullComputer, after Preparata and Hong, 1977). */
typedef btAlignedObjectArray<btVector3> point_list;

struct mesh_hull {
    BT_DECLARE_ALIGNED_ALLOCATOR();
    point_list corners; /* corners for collisions: at most hull_corners_max */
    solid weight;       /* solid of the whole hull */
};

/*
 * Limit of the corners of a hull, because Bullet visits all of them for every contact. If there are more,
 * those are used that are farthest in as many evenly spread directions. A sphere then deviates by at most 0.4
 * % of its radius.
 */
static const int hull_corners_max = 1024;

static void compute(btConvexHullComputer &computer, const point_list &points)
{
    computer.compute(&points[0].x(), static_cast<int>(sizeof(btVector3)), points.size(), 0, 0);
}

/* Returns direction i of count on a Fibonacci spiral. */
static btVector3 direction(int i, int count)
{
    btScalar y = 1 - 2 * (btScalar(i) + btScalar(0.5)) / btScalar(count);
    btScalar across = btSqrt(btMax(btScalar(0), 1 - y * y)), turn = btScalar(2.39996323) * btScalar(i);
    return btVector3(across * btCos(turn), y, across * btSin(turn));
}

/* Reduces the corners to the farthest ones, in their order. */
static void reduce(point_list &corners)
{
    btAlignedObjectArray<bool> stays;
    stays.resize(corners.size(), false);
    for (int i = 0; i < hull_corners_max; i++) {
        btScalar along;
        stays[static_cast<int>(direction(i, hull_corners_max).maxDot(&corners[0], corners.size(), along))] =
            true;
    }
    int used = 0;
    for (int i = 0; i < corners.size(); i++)
        if (stays[i])
            corners[used++] = corners[i];
    corners.resize(used);
}

static void take_corners(const btConvexHullComputer &computer, const point_list &points, point_list &corners)
{
    corners = computer.vertices.size() ? computer.vertices : points;
    if (corners.size() > hull_corners_max)
        reduce(corners);
}

/* Computes the corners of the hull of points; all points if it has no volume. */
static void hull_corners(const point_list &points, point_list &corners)
{
    btConvexHullComputer computer;
    if (points.size())
        compute(computer, points);
    take_corners(computer, points, corners);
}

static void make_hull(const mmd_phys_mesh &mesh, mesh_hull &hull)
{
    btConvexHullComputer computer;
    point_list points;
    points.reserve(static_cast<int>(mesh.point_count));
    for (uint32_t i = 0; i < mesh.point_count; i++)
        points.push_back(btVector3(mesh.points[i][0], mesh.points[i][1], mesh.points[i][2]));
    if (points.size())
        compute(computer, points);
    take_corners(computer, points, hull.corners);
    hull.weight = points.size() < 4 ? solid() : solid_hull(computer);
}

const mesh_hull &hull_cache::of(const mmd_phys_mesh &mesh)
{
    btHashPtr key(&mesh);
    mesh_hull **known = hulls_.find(key);
    if (known)
        return **known;
    auto *made = new mesh_hull;
    hulls_.insert(key, made);
    make_hull(mesh, *made);
    return *made;
}

hull_cache::~hull_cache()
{
    for (int i = 0; i < hulls_.size(); i++)
        delete *hulls_.getAtIndex(i);
}

/* ----------------------------------------------------------------- leaves */

/*
 * Leaf shapes. Sizes and default margins are Bullet's for spheres, boxes, capsules and cylinders, as in MMD.
 * A tapered cylinder is the hull of its two ends. Hulls are reduced to their corners. A mesh is its triangles
 * if the body never moves, else its hull.
 */

/* Margin of hulls: 1 mm in units of 8 cm. */
static const btScalar hull_margin = btScalar(0.0125);

static btCollisionShape *make_hull_shape(const point_list &corners)
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

/* Makes a box. Bullet 3 gives thin ones a smaller margin, Bullet 2.75 does not. */
static btCollisionShape *make_box(bullet_world &world, const mmd_physscene &, const mmd_phys_shape &shape,
                                  bool)
{
    auto *box = new btBoxShape(to_bullet(shape.size));
    if (like_mmd(world))
        box->setMargin(CONVEX_DISTANCE_MARGIN);
    return box;
}

/* Bullet's capsule with Bullet 2.75's box around it, which is larger by the margin of convex shapes on all
 * sides. The inertia is that of the box, and the distance at which contacts begin depends on it. Bullet 3
 * leaves the margin out, which is much for thin capsules. */
struct mmd_capsule final : btCapsuleShape {
    using btCapsuleShape::btCapsuleShape;
    void calculateLocalInertia(btScalar mass, btVector3 &inertia) const override
    {
        btScalar across = 2 * (getRadius() + CONVEX_DISTANCE_MARGIN), along = across + 2 * getHalfHeight();
        btScalar thin = across * across, both = thin + along * along;
        inertia = mass / 12 * btVector3(both, 2 * thin, both);
    }
    void getAabb(const btTransform &place, btVector3 &low, btVector3 &high) const override
    {
        const btVector3 margin(CONVEX_DISTANCE_MARGIN, CONVEX_DISTANCE_MARGIN, CONVEX_DISTANCE_MARGIN);
        btCapsuleShape::getAabb(place, low, high);
        btVector3 more = place.getBasis().absolute() * margin;
        low -= more;
        high += more;
    }
};

/* Makes a capsule; a tapered one is the hull of two spheres, which Bullet supports. */
static btCollisionShape *make_capsule(bullet_world &world, const mmd_physscene &, const mmd_phys_shape &shape,
                                      bool)
{
    btScalar radius = shape.size[0], length = shape.size[1], top = shape.size[2];
    if (radius == top)
        return like_mmd(world) ? static_cast<btCollisionShape *>(new mmd_capsule(radius, length))
                               : new btCapsuleShape(radius, length);
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
    return make_hull_shape(corners);
}

static btCollisionShape *make_mesh_hull(bullet_world &world, const mmd_physscene &scene,
                                        const mmd_phys_shape &shape, bool)
{
    return make_hull_shape(world.hulls->of(scene.meshes[shape.mesh]).corners);
}

/* Makes a mesh shape. Bullet reads the scene's arrays directly. */
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
 * A plane that moves. Bullet removes bodies with bounds of over a million units from the world unless they
 * are static, so its bounds are limited.
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

static make_shape *const builders[] = {make_sphere,    make_box,  make_capsule, make_cylinder,
                                       make_mesh_hull, make_mesh, make_plane};

/* Makes a leaf shape, which the world owns. */
btCollisionShape *shape_create(bullet_world &world, const mmd_physscene &scene, const mmd_phys_shape &shape,
                               bool moves)
{
    static_assert(sizeof builders / sizeof builders[0] == MMD_PHYS_PLANE + 1, "a builder for every kind");
    btCollisionShape *leaf = builders[shape.kind](world, scene, shape, moves);
    world.shapes.push_back(leaf);
    return leaf;
}

/* ------------------------------------------------------------------- mass */

/*
 * Mass, centre of mass and inertia from solids of uniform density.
 *
 * A solid has a volume, a centre and second moments about the centre (the integral of x x^T). They add up and
 * are moved by the parallel axis theorem. Those of a hull are summed over the tetrahedra from its centre to
 * its faces (D. Eberly, "Polyhedral mass properties", 2002).
 */

/* 1,000 kg/m^3 in units of 8 cm. */
static const btScalar density = btScalar(1000.0 * 0.08 * 0.08 * 0.08);

static solid solid_box(const btScalar h[3])
{
    solid s;
    s.volume = 8 * h[0] * h[1] * h[2];
    s.moments = diagonal(h[0] * h[0], h[1] * h[1], h[2] * h[2]) * (s.volume / 3);
    return s;
}

/* Computes the solid of a cylinder along Y, of a sphere cut in two at its ends (capped), or of both. */
static solid solid_round(btScalar r, btScalar length, bool capped, bool tube)
{
    btScalar cylinder = tube ? SIMD_PI * r * r * length : 0;
    btScalar ball = capped ? SIMD_PI * r * r * r * 4 / 3 : 0;
    btScalar across = cylinder * r * r / 4 + ball * r * r / 5;
    btScalar along = cylinder * length * length / 12 +
                     ball * (r * r / 5 + length * length / 4 + length * r * btScalar(0.375));
    solid s;
    s.volume = cylinder + ball;
    s.moments = diagonal(across, along, across);
    return s;
}

/* Computes the solid of a tapered shape from rings of points over its ends: discs, or spheres if it is
 * capped. */
static solid solid_tapered(const mmd_phys_shape &shape, bool capped)
{
    const int sides = 32, rings = capped ? 16 : 1;
    btAlignedObjectArray<btVector3> points;
    for (int end = 0; end < 2; end++)
        for (int ring = 0; ring <= rings; ring++)
            for (int side = 0; side < sides; side++) {
                btScalar radius = shape.size[end ? 2 : 0],
                         turn = SIMD_2_PI * btScalar(side) / btScalar(sides);
                btScalar tilt = SIMD_PI * btScalar(ring) / btScalar(rings);
                btScalar across = capped ? btSin(tilt) * radius : radius;
                btScalar up =
                    (end ? shape.size[1] : -shape.size[1]) / 2 + (capped ? btCos(tilt) * radius : 0);
                points.push_back(btVector3(across * btCos(turn), up, across * btSin(turn)));
            }
    btConvexHullComputer hull;
    hull.compute(&points[0].x(), static_cast<int>(sizeof(btVector3)), points.size(), 0, 0);
    return solid_hull(hull);
}

static solid solid_of(const mmd_physscene &scene, const mmd_phys_shape &shape, hull_cache &hulls)
{
    bool tapers = shape.size[0] != shape.size[2];
    switch (shape.kind) {
    case MMD_PHYS_SPHERE:
        return solid_round(shape.size[0], 0, true, false);
    case MMD_PHYS_BOX:
        return solid_box(shape.size);
    case MMD_PHYS_CAPSULE:
        return tapers ? solid_tapered(shape, true) : solid_round(shape.size[0], shape.size[1], true, true);
    case MMD_PHYS_CYLINDER:
        return tapers ? solid_tapered(shape, false) : solid_round(shape.size[0], shape.size[1], false, true);
    case MMD_PHYS_HULL:
    case MMD_PHYS_MESH:
        return hulls.of(scene.meshes[shape.mesh]).weight;
    default:
        return solid();
    }
}

/* ------------------------------------------------------------ mass of bodies */

/* Adds up the body's shapes in its frame, with moments about their centre. Triggers have no mass. */
static solid sum_solids(const mmd_physscene &scene, const mmd_phys_body &body, hull_cache &hulls)
{
    solid sum;
    for (uint32_t i = 0; i < body.shape_count; i++) {
        const mmd_phys_shape &shape = scene.shapes[body.first_shape + i];
        if (shape.trigger)
            continue;
        solid one = solid_of(scene, shape, hulls);
        const float *q = shape.frame.rotation, *t = shape.frame.translation;
        btMatrix3x3 turn(btQuaternion(q[0], q[1], q[2], q[3]));
        btVector3 center = turn * one.center + btVector3(t[0], t[1], t[2]);
        sum.volume += one.volume;
        sum.center += center * one.volume;
        sum.moments += turn * one.moments * turn.transpose() + outer(center, center) * one.volume;
    }
    if (!(sum.volume > 0))
        return solid();
    sum.center /= sum.volume;
    sum.moments = sum.moments - outer(sum.center, sum.center) * sum.volume;
    return sum;
}

static bool is_identity(const mmd_transform &t)
{
    return t.rotation[3] == 1.0f && t.translation[0] == 0.0f && t.translation[1] == 0.0f &&
           t.translation[2] == 0.0f;
}

/* Tests whether a body has a single shape at its centre of mass, as nearly all PMX bodies do. */
static bool is_plain(const mmd_physscene &scene, const mmd_phys_body &body, const btVector3 &center)
{
    return body.shape_count == 1 && center.isZero() && is_identity(scene.shapes[body.first_shape].frame) &&
           scene.shapes[body.first_shape].kind <= MMD_PHYS_CYLINDER;
}

/* Computes principal axes and moments of inertia of the solid, scaled to the body's mass, about its centre
 * of mass. */
static void principal_inertia(const solid &sum, mass_properties &properties)
{
    if (!(sum.volume > 0))
        return;
    btVector3 off = sum.center - properties.center;
    btMatrix3x3 moments = (sum.moments + outer(off, off) * sum.volume) * (properties.mass / sum.volume);
    btScalar trace = moments[0][0] + moments[1][1] + moments[2][2];
    btMatrix3x3 tensor = diagonal(trace, trace, trace) - moments, axes;
    tensor.diagonalize(axes, btScalar(1e-6), 40);
    axes.getRotation(properties.rotation);
    properties.inertia.setValue(tensor[0][0], tensor[1][1], tensor[2][2]);
}

mass_properties mass_of(const mmd_physscene &scene, const mmd_phys_body &body,
                        btCollisionShape *const *leaves, hull_cache &hulls)
{
    mass_properties properties = {body.mass, btVector3(0, 0, 0), btQuaternion(0, 0, 0, 1),
                                  btVector3(0, 0, 0)};
    bool plain = is_plain(scene, body,
                          body.auto_center ? properties.center
                                           : btVector3(body.center[0], body.center[1], body.center[2]));
    solid sum;
    if (body.auto_mass || body.auto_center || (body.auto_inertia && !plain))
        sum = sum_solids(scene, body, hulls);
    if (body.auto_mass)
        properties.mass = sum.volume > 0 ? sum.volume * density : 1;
    properties.center =
        body.auto_center ? sum.center : btVector3(body.center[0], body.center[1], body.center[2]);
    if (!body.auto_inertia) {
        const float *q = body.inertia_rotation;
        properties.rotation.setValue(q[0], q[1], q[2], q[3]);
        properties.inertia.setValue(body.inertia[0], body.inertia[1], body.inertia[2]);
    } else if (properties.mass > 0 && plain) {
        leaves[0]->calculateLocalInertia(properties.mass, properties.inertia);
    } else if (properties.mass > 0) {
        principal_inertia(sum, properties);
    }
    return properties;
}
