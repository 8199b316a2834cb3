/* The convex hulls of a scene's meshes, made once for all bodies that have them. */
#ifndef MMD_PHYSICS_HULLS_HPP
#define MMD_PHYSICS_HULLS_HPP

#include <btBulletDynamicsCommon.h>

#include "mass.hpp"

typedef btAlignedObjectArray<btVector3> point_list;

struct mesh_hull {
    BT_DECLARE_ALIGNED_ALLOCATOR();
    point_list corners; /* what collides: at most hull_corners_max */
    solid weight;       /* of the whole hull */
};

/* Hulls by mesh, for as long as bodies are made. */
class hull_cache
{
  public:
    hull_cache() = default;
    hull_cache(const hull_cache &) = delete;
    hull_cache &operator=(const hull_cache &) = delete;
    ~hull_cache();
    const mesh_hull &of(const mmd_phys_mesh &mesh);

  private:
    btHashMap<btHashPtr, mesh_hull *> hulls_;
};

/*
 * Bullet looks at every corner of a hull for every contact of it. Of more than
 * this, those stay that lie farthest in as many directions, evenly spread: a
 * ball is then nowhere flatter than by 0.4 % of its radius.
 */
const int hull_corners_max = 1024;

/* The corners of the hull of points; all points where it has no volume. */
void hull_corners(const point_list &points, point_list &corners);

#endif
