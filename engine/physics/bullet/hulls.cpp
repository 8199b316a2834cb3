/* See hulls.hpp. The hull is Bullet's (O. Tammo, btConvexHullComputer, after Preparata and Hong, 1977). */
#include "hulls.hpp"

#include <LinearMath/btConvexHullComputer.h>

static void compute(btConvexHullComputer &computer, const point_list &points)
{
    computer.compute(&points[0].x(), static_cast<int>(sizeof(btVector3)), points.size(), 0, 0);
}

/* Direction i of count, on a Fibonacci spiral. */
static btVector3 direction(int i, int count)
{
    btScalar y = 1 - 2 * (btScalar(i) + btScalar(0.5)) / btScalar(count);
    btScalar across = btSqrt(btMax(btScalar(0), 1 - y * y)), turn = btScalar(2.39996323) * btScalar(i);
    return btVector3(across * btCos(turn), y, across * btSin(turn));
}

/* Leaves the farthest points, in their order. */
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

void hull_corners(const point_list &points, point_list &corners)
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
