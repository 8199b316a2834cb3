/* What a soft body is made of: nodes, links, faces, clusters and its numbers. Private to soft bodies. */
#ifndef MMD_PHYSICS_SOFT_STRUCTURE_HPP
#define MMD_PHYSICS_SOFT_STRUCTURE_HPP

#include <BulletSoftBody/btSoftBody.h>

#include "mmd/physscene.h"

/* The btSoftBody of source with at least one node, at rest, without anchors and not yet in a world. */
btSoftBody *soft_structure_create(btSoftBodyWorldInfo *info, const mmd_phys_soft_body *source);

/* Trees of nodes, faces and clusters made anew, in the order of their numbers, where the nodes are now. */
void soft_structure_rebuild_trees(btSoftBody *soft);

#endif
