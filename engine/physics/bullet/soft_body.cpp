/*
 * Soft bodies of PMX 2.1: their structure, a body in a world, and all bodies of a world. How Bullet's world
 * and solver differ for them is in soft_contacts.hpp.
 */
#include "world.hpp"

#include <BulletSoftBody/btSoftBodyInternals.h>
#include <cassert>
#include <float.h>
#include <math.h>
#include <string.h>

/* ================================================================ structure */

/*
 * The structure of soft bodies (docs/mmd.md 1.1; for the meaning and ranges of the numbers see btSoftBody.h
 * of Bullet 3.24, which PMX 2.1 follows name by name).
 *
 * Links are the edges of the triangles, each once. Bending links join nodes that are link_distance edges
 * apart, found by a walk from every node. Bullet's own search takes memory and time with the square and cube
 * of the nodes, which a hostile file could exploit. For links in random order Bullet's shuffle is used with a
 * seed per body, because Bullet's seed is global.
 */

enum {
    BENDING_DISTANCE_MAX = 16, /* edges */
    BENDING_VISITS_MAX = 1024, /* nodes visited by the walk from one node */
    CLUSTERS_MAX = 256,        /* Bullet compares each with each */
    CLUSTER_WORK_MAX = 20000000,
    CLUSTER_NODES_MAX = 71887, /* Bullet multiplies the index of a node by 29,873 as an int */
    ITERATIONS_MAX = 200,
    SHAPE_ROPE = 1,
    FLAG_BENDING = 1,
    FLAG_CLUSTERS = 2,
    FLAG_SHUFFLE = 4
};

typedef btAlignedObjectArray<int> int_array;

static float between(float value, float low, float high)
{
    return value >= low ? (value <= high ? value : high) : low; /* NaN gives low */
}

static int count_between(int32_t value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* ------------------------------------------------------------------ nodes */

static btSoftBody *create_nodes(btSoftBodyWorldInfo *info, const mmd_phys_soft_body *source)
{
    int count = int(source->node_count);
    float mass = between(source->mass, 0.0f, FLT_MAX) / float(count);
    btAlignedObjectArray<btVector3> positions;
    btAlignedObjectArray<btScalar> masses;
    positions.resize(count);
    masses.resize(count, mass);
    for (int i = 0; i < count; i++)
        positions[i].setValue(source->nodes[i][0], source->nodes[i][1], source->nodes[i][2]);
    for (uint32_t i = 0; i < source->pin_count; i++)
        masses[int(source->pins[i])] = 0;
    return new btSoftBody(info, count, &positions[0], &masses[0]);
}

/* --------------------------------------------------------- faces and links */

/* An edge, the lower node first, and the index of its first appearance. */
struct edge {
    int a, b, place;
};

static bool edge_before(const edge &x, const edge &y)
{
    return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.place < y.place;
}

static bool appeared_before(const edge &x, const edge &y)
{
    return x.place < y.place;
}

static void add_edge(btAlignedObjectArray<edge> &edges, uint32_t a, uint32_t b)
{
    if (a == b)
        return;
    edge e = {int(a < b ? a : b), int(a < b ? b : a), edges.size()};
    edges.push_back(e);
}

/* Removes repeated edges, keeping the order of first appearance. */
static void drop_repeated(btAlignedObjectArray<edge> &edges)
{
    edges.quickSort(edge_before);
    int kept = 0;
    for (int i = 0; i < edges.size(); i++)
        if (i == 0 || edges[i].a != edges[kept - 1].a || edges[i].b != edges[kept - 1].b)
            edges[kept++] = edges[i];
    edges.resize(kept);
    edges.quickSort(appeared_before);
}

static void collect_edges(const mmd_phys_soft_body *source, btAlignedObjectArray<edge> &edges)
{
    uint32_t corners = source->shape == SHAPE_ROPE ? 2 : 3;
    for (uint32_t i = 0; i + corners <= source->index_count; i += corners) {
        const uint32_t *c = source->indices + i;
        for (uint32_t k = 0; k + 1 < corners; k++)
            add_edge(edges, c[k], c[k + 1]);
        if (corners == 3)
            add_edge(edges, c[2], c[0]);
    }
    drop_repeated(edges);
}

/* Tests whether both nodes are pinned. A link between them has no effect, and Bullet would divide by zero. */
static bool are_pinned(const btSoftBody *soft, int a, int b)
{
    return soft->m_nodes[a].m_im == 0 && soft->m_nodes[b].m_im == 0;
}

static void add_links(btSoftBody *soft, const btAlignedObjectArray<edge> &edges)
{
    for (int i = 0; i < edges.size(); i++)
        if (!are_pinned(soft, edges[i].a, edges[i].b))
            soft->appendLink(edges[i].a, edges[i].b);
}

/* A triangle's nodes in ascending order, and its index. */
struct triangle {
    int node[3];
    int number;
};

static bool triangle_before(const triangle &x, const triangle &y)
{
    for (int k = 0; k < 3; k++)
        if (x.node[k] != y.node[k])
            return x.node[k] < y.node[k];
    return x.number < y.number;
}

static void sort_nodes(triangle &t)
{
    if (t.node[0] > t.node[1])
        btSwap(t.node[0], t.node[1]);
    if (t.node[1] > t.node[2])
        btSwap(t.node[1], t.node[2]);
    if (t.node[0] > t.node[1])
        btSwap(t.node[0], t.node[1]);
}

/* Marks triangles that are the other side of an earlier one. Cloth with two layers of triangles is one
 * layer here. */
static void mark_other_sides(const mmd_phys_soft_body *source, btAlignedObjectArray<bool> &other_side)
{
    btAlignedObjectArray<triangle> triangles;
    triangles.resize(int(source->index_count / 3));
    other_side.resize(triangles.size(), false);
    for (int i = 0; i < triangles.size(); i++) {
        const uint32_t *c = source->indices + 3 * i;
        triangle t = {{int(c[0]), int(c[1]), int(c[2])}, i};
        sort_nodes(t);
        triangles[i] = t;
    }
    triangles.quickSort(triangle_before);
    for (int i = 1; i < triangles.size(); i++) {
        const triangle &x = triangles[i - 1], &y = triangles[i];
        if (x.node[0] == y.node[0] && x.node[1] == y.node[1] && x.node[2] == y.node[2])
            other_side[y.number] = true;
    }
}

static void add_faces(btSoftBody *soft, const mmd_phys_soft_body *source)
{
    btAlignedObjectArray<bool> other_side;
    mark_other_sides(source, other_side);
    for (int i = 0; i < other_side.size(); i++) {
        const uint32_t *c = source->indices + 3 * i;
        if (!other_side[i] && c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            soft->appendFace(int(c[0]), int(c[1]), int(c[2]));
    }
}

/* ------------------------------------------------------------ bending links */

/* The neighbours of all nodes. Those of node i are list[first[i]] to list[first[i + 1] - 1]. */
struct neighbours {
    int_array first, list;
};

static void find_neighbours(int count, const btAlignedObjectArray<edge> &edges, neighbours &around)
{
    int_array next;
    around.first.resize(count + 1, 0);
    for (int i = 0; i < edges.size(); i++) {
        around.first[edges[i].a + 1]++;
        around.first[edges[i].b + 1]++;
    }
    for (int i = 0; i < count; i++)
        around.first[i + 1] += around.first[i];
    around.list.resize(2 * edges.size(), 0);
    next.copyFromArray(around.first);
    for (int i = 0; i < edges.size(); i++) {
        around.list[next[edges[i].a]++] = edges[i].b;
        around.list[next[edges[i].b]++] = edges[i].a;
    }
}

/* A walk over nodes in rings. seen[i] is the start of the last walk that visited node i. */
struct ring_walk {
    int_array seen, ring, beyond;
};

static void step_out(const neighbours &around, int start, int *visits, ring_walk &walk)
{
    walk.beyond.resize(0);
    for (int i = 0; i < walk.ring.size() && *visits < BENDING_VISITS_MAX; i++) {
        int node = walk.ring[i];
        for (int k = around.first[node]; k < around.first[node + 1] && *visits < BENDING_VISITS_MAX; k++) {
            int other = around.list[k];
            if (walk.seen[other] == start)
                continue;
            walk.seen[other] = start;
            walk.beyond.push_back(other);
            ++*visits;
        }
    }
    walk.ring.copyFromArray(walk.beyond);
}

static void bend_from(btSoftBody *soft, const neighbours &around, int start, int distance, ring_walk &walk)
{
    int visits = 0;
    walk.ring.resize(0);
    walk.ring.push_back(start);
    walk.seen[start] = start;
    for (int i = 0; i < distance && walk.ring.size(); i++)
        step_out(around, start, &visits, walk);
    for (int i = 0; i < walk.ring.size(); i++) {
        if (walk.ring[i] <= start || are_pinned(soft, start, walk.ring[i]))
            continue;
        soft->appendLink(start, walk.ring[i]);
        soft->m_links[soft->m_links.size() - 1].m_bbending = -1; /* a signed field of one bit */
    }
}

static void add_bending(btSoftBody *soft, const mmd_phys_soft_body *source,
                        const btAlignedObjectArray<edge> &edges)
{
    int count = soft->m_nodes.size();
    neighbours around;
    ring_walk walk;
    if (source->link_distance < 2)
        return;
    find_neighbours(count, edges, around);
    walk.seen.resize(count, -1);
    int distance = count_between(source->link_distance, 2, BENDING_DISTANCE_MAX);
    for (int i = 0; i < count; i++)
        bend_from(soft, around, i, distance, walk);
}

static void shuffle(btSoftBody *soft)
{
    uint32_t random = 243703; /* Bullet's first seed */
    for (int i = 0; i < soft->m_links.size(); i++) {
        random = 1664525u * random + 1013904223u;
        soft->m_links.swap(i, int(random % uint32_t(soft->m_links.size())));
    }
    for (int i = 0; i < soft->m_faces.size(); i++) {
        random = 1664525u * random + 1013904223u;
        soft->m_faces.swap(i, int(random % uint32_t(soft->m_faces.size())));
    }
}

/* ------------------------------------------------------------- its numbers */

/* The field of a number of the file, and the range that Bullet allows. */
struct setting {
    btScalar btSoftBody::Config::*field;
    float low, high;
};

static const setting config_settings[12] = {
    {&btSoftBody::Config::kVCF, 0.0f, FLT_MAX},    {&btSoftBody::Config::kDP, 0.0f, 1.0f},
    {&btSoftBody::Config::kDG, 0.0f, FLT_MAX},     {&btSoftBody::Config::kLF, 0.0f, FLT_MAX},
    {&btSoftBody::Config::kPR, -FLT_MAX, FLT_MAX}, {&btSoftBody::Config::kVC, 0.0f, FLT_MAX},
    {&btSoftBody::Config::kDF, 0.0f, 1.0f},        {&btSoftBody::Config::kMT, 0.0f, 1.0f},
    {&btSoftBody::Config::kCHR, 0.0f, 1.0f},       {&btSoftBody::Config::kKHR, 0.0f, 1.0f},
    {&btSoftBody::Config::kSHR, 0.0f, 1.0f},       {&btSoftBody::Config::kAHR, 0.0f, 1.0f},
};

static const setting cluster_settings[6] = {
    {&btSoftBody::Config::kSRHR_CL, 0.0f, 1.0f},    {&btSoftBody::Config::kSKHR_CL, 0.0f, 1.0f},
    {&btSoftBody::Config::kSSHR_CL, 0.0f, 1.0f},    {&btSoftBody::Config::kSR_SPLT_CL, 0.0f, 1.0f},
    {&btSoftBody::Config::kSK_SPLT_CL, 0.0f, 1.0f}, {&btSoftBody::Config::kSS_SPLT_CL, 0.0f, 1.0f},
};

/*
 * Converts PMX's numbers 0 to 4; Bullet has since added two in between. V_Point of 3.24 handles only air from
 * the front, although its description says that the normal is turned towards the velocity. V_TwoSided does
 * what it should do.
 */
static btSoftBody::eAeroModel::_ aero_model(int32_t number)
{
    static const btSoftBody::eAeroModel::_ models[5] = {
        btSoftBody::eAeroModel::V_TwoSided, btSoftBody::eAeroModel::V_TwoSided,
        btSoftBody::eAeroModel::V_OneSided, btSoftBody::eAeroModel::F_TwoSided,
        btSoftBody::eAeroModel::F_OneSided};
    return models[number >= 0 && number < 5 ? number : 0];
}

/*
 * Sets the solver's iterations. Positions are solved as by Bullet's default; velocity and drift iterations,
 * which are 0 there, act on links.
 */
static void set_iterations(btSoftBody *soft, const mmd_phys_soft_body *source)
{
    btSoftBody::Config &config = soft->m_cfg;
    soft->setSolver(btSoftBody::eSolverPresets::Positions);
    config.m_vsequence.resize(0);
    config.m_dsequence.resize(0);
    config.m_vsequence.push_back(btSoftBody::eVSolver::Linear);
    config.m_dsequence.push_back(btSoftBody::ePSolver::Linear);
    config.viterations = count_between(source->iterations[0], 0, ITERATIONS_MAX);
    config.piterations = count_between(source->iterations[1], 0, ITERATIONS_MAX);
    config.diterations = count_between(source->iterations[2], 0, ITERATIONS_MAX);
    config.citerations = count_between(source->iterations[3], 0, ITERATIONS_MAX);
}

static void set_numbers(btSoftBody *soft, const mmd_phys_soft_body *source)
{
    for (int i = 0; i < 12; i++)
        soft->m_cfg.*config_settings[i].field =
            between(source->config[i], config_settings[i].low, config_settings[i].high);
    for (int i = 0; i < 6; i++)
        soft->m_cfg.*cluster_settings[i].field =
            between(source->cluster[i], cluster_settings[i].low, cluster_settings[i].high);
    soft->m_cfg.aeromodel = aero_model(source->aero_model);
    soft->m_cfg.collisions = btSoftBody::fCollision::SDF_RS | btSoftBody::fCollision::VF_SS;
    set_iterations(soft, source);
    btSoftBody::Material *material = soft->m_materials[0];
    material->m_kLST = between(source->material_config[0], 0.0f, 1.0f);
    material->m_kAST = between(source->material_config[1], 0.0f, 1.0f);
    material->m_kVST = between(source->material_config[2], 0.0f, 1.0f);
    soft->getCollisionShape()->setMargin(between(source->margin, 0.0f, FLT_MAX));
}

/* Fixes clusters along a line, which have no inertia about it, by which Bullet would divide. They do not
 * rotate. */
static void fix_inertia(btSoftBody::Cluster *cluster)
{
    btScalar sum = 0;
    for (int i = 0; i < 3; i++)
        sum += cluster->m_locii[i].length2();
    if (!isfinite(sum))
        cluster->m_locii.setValue(0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* Adds clusters if the file asks for them and there are not too many nodes. They then collide instead of nodes. */
static void add_clusters(btSoftBody *soft, const mmd_phys_soft_body *source)
{
    int nodes = soft->m_nodes.size();
    if (nodes > CLUSTER_NODES_MAX)
        return;
    int count = count_between(source->cluster_count, 0, nodes < CLUSTERS_MAX ? nodes : CLUSTERS_MAX);
    if (count == 0) /* Bullet's meaning: one for each face */
        count = soft->m_faces.size() <= CLUSTERS_MAX ? 0 : CLUSTERS_MAX;
    if (count == 0 && soft->m_faces.size() == 0)
        return;
    soft->generateClusters(count, 1 + CLUSTER_WORK_MAX / (nodes * (count + 1)));
    for (int i = 0; i < soft->m_clusters.size(); i++)
        fix_inertia(soft->m_clusters[i]);
    soft->m_cfg.collisions = btSoftBody::fCollision::CL_RS | btSoftBody::fCollision::CL_SS;
}

/* Rebuilds the trees of nodes, faces and clusters, in the order of their indices, at the present
 * positions. Bullet's initializeFaceTree is not used, because it never ends for meshes that are not
 * connected. */
static void soft_structure_rebuild_trees(btSoftBody *soft)
{
    btScalar margin = soft->getCollisionShape()->getMargin();
    soft->m_ndbvt.clear();
    for (int i = 0; i < soft->m_nodes.size(); i++) {
        btSoftBody::Node &node = soft->m_nodes[i];
        node.m_leaf = soft->m_ndbvt.insert(btDbvtVolume::FromCR(node.m_x, margin), &node);
    }
    soft->m_fdbvt.clear();
    bool faces_collide = soft->m_cfg.collisions & btSoftBody::fCollision::VF_SS;
    for (int i = 0; faces_collide && i < soft->m_faces.size(); i++) {
        btSoftBody::Face &face = soft->m_faces[i];
        face.m_leaf = soft->m_fdbvt.insert(VolumeOf(face, margin), &face);
    }
    soft->m_cdbvt.clear();
    for (int i = 0; i < soft->m_clusters.size(); i++)
        soft->m_clusters[i]->m_leaf = nullptr; /* the next step adds it */
}

/* Creates the btSoftBody of a source with at least one node: at rest, without anchors and not yet in a
 * world. */
static btSoftBody *soft_structure_create(btSoftBodyWorldInfo *info, const mmd_phys_soft_body *source)
{
    btSoftBody *soft = create_nodes(info, source);
    btAlignedObjectArray<edge> edges;
    collect_edges(source, edges);
    add_links(soft, edges);
    if (source->shape != SHAPE_ROPE)
        add_faces(soft, source);
    if (source->flags & FLAG_BENDING)
        add_bending(soft, source, edges);
    if (source->flags & FLAG_SHUFFLE)
        shuffle(soft);
    set_numbers(soft, source);
    if (source->flags & FLAG_CLUSTERS)
        add_clusters(soft, source);
    soft->updateConstants(); /* by the rest positions, not by those at the first step */
    soft->m_bUpdateRtCst = false;
    if (soft->m_cfg.kMT > 0 || soft->m_cfg.kVC > 0)
        soft->setPose(soft->m_cfg.kVC > 0, soft->m_cfg.kMT > 0);
    soft_structure_rebuild_trees(soft);
    soft->updateNormals();
    soft->setActivationState(DISABLE_DEACTIVATION);
    return soft;
}

/* =========================================================== a soft body in a world */

/*
 * Soft bodies in a world: anchors, pins, reading, resetting, state.
 *
 * The state consists of the position, last position, velocity and force of every node. Everything else that
 * Bullet 3.24 holds between steps follows from these (normals, bounds, the pose and the clusters' frames are
 * computed in each step before they are used) or must not be saved (trees, whose boxes are enlarged and so
 * depend on the past), and is rebuilt by restore.
 */

enum { STATE_VECTORS = 4, STATE_FLOATS = 3 * STATE_VECTORS };

/* A node beyond this distance is treated like one that is not finite; floats are too coarse for cloth
 * there. */
static const float node_farthest = 1e6f;

struct soft_body {
    BT_DECLARE_ALIGNED_ALLOCATOR();
    soft_world *world;
    mmd_world_soft *arrays;
    btSoftBody *soft; /* NULL: there are no nodes */
    int group, mask;
    const btRigidBody *holder; /* body of the first anchor, or NULL */
    btTransform from_holder;   /* inverse of its transform at rest */
};

/*
 * Numbers all rigid bodies of the world (user index 3), which orders contacts. Entries may be NULL.
 */
static void soft_bodies_begin(btRigidBody *const *bodies, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bodies[i])
            bodies[i]->setUserIndex3(int(i));
}

/* ------------------------------------------------------------- creation */

/* Adds an anchor. near_mode: the soft body and the rigid body do not collide, so that cloth may start
 * inside the body that holds it. */
static void add_anchor(soft_body *body, const mmd_phys_soft_anchor *anchor, btRigidBody *const *bodies)
{
    btRigidBody *rigid = anchor->body < 0 ? nullptr : bodies[anchor->body];
    int node = int(anchor->node);
    if (!rigid || body->soft->m_nodes[node].m_im == 0) /* pinned: Bullet would divide by zero */
        return;
    body->soft->appendAnchor(node, rigid, anchor->near_mode, 1);
    if (!body->holder) {
        body->holder = rigid;
        body->from_holder = rigid->getWorldTransform().inverse();
    }
}

/* Computes normals for ropes, which have no faces: orthogonal to the rope and as near to -Z as possible. */
static void write_rope_normals(const soft_body *body)
{
    float(*normals)[4] = body->arrays->normals;
    const btSoftBody *soft = body->soft;
    memset(normals, 0, size_t(soft->m_nodes.size()) * sizeof *normals);
    for (int i = 0; i < soft->m_links.size(); i++) {
        const btSoftBody::Link &link = soft->m_links[i];
        if (link.m_bbending)
            continue;
        btVector3 along = link.m_n[1]->m_x - link.m_n[0]->m_x;
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 3; k++)
                normals[link.m_n[end] - &soft->m_nodes[0]][k] += along[k];
    }
    for (int i = 0; i < soft->m_nodes.size(); i++) {
        btVector3 along(normals[i][0], normals[i][1], normals[i][2]), normal(0, 0, -1);
        if (along.length2() > SIMD_EPSILON) {
            along.normalize();
            normal -= along * along.dot(normal);
        }
        normal = normal.length2() > 1e-6f ? normal.normalized() : btVector3(0, 1, 0);
        for (int k = 0; k < 3; k++)
            normals[i][k] = normal[k];
    }
}

static void write_face_normals(const soft_body *body)
{
    for (int i = 0; i < body->soft->m_nodes.size(); i++) {
        const btVector3 &normal = body->soft->m_nodes[i].m_n;
        bool known = normal.length2() > 0.5f; /* else it has no face with an area */
        for (int k = 0; k < 3; k++)
            body->arrays->normals[i][k] = known ? float(normal[k]) : k == 1 ? 1.0f : 0.0f;
        body->arrays->normals[i][3] = 0;
    }
}

static void write_arrays(soft_body *body)
{
    for (int i = 0; i < body->soft->m_nodes.size(); i++) {
        const btVector3 &place = body->soft->m_nodes[i].m_x;
        for (int k = 0; k < 3; k++)
            body->arrays->positions[i][k] = place[k];
        body->arrays->positions[i][3] = 0;
    }
    if (body->arrays->source->shape == SHAPE_ROPE)
        write_rope_normals(body);
    else
        write_face_normals(body);
}

/* Removing and adding again gives the same order of objects in all worlds. */
static void soft_body_remove(soft_body *body)
{
    if (body->soft && body->soft->getBroadphaseHandle())
        body->world->removeSoftBody(body->soft);
}

static void soft_body_add(soft_body *body)
{
    if (body->soft && !body->soft->getBroadphaseHandle())
        body->world->addSoftBody(body->soft, body->group, body->mask);
}

/*
 * Creates a soft body and adds it to the world. arrays must outlive it: its pins are read before each step,
 * positions and normals are written here and after each step. bodies are those of its scene, at rest; anchors
 * to NULL entries are skipped. group and mask are the broadphase's. A body without nodes is legal and has no
 * effect. Values outside of Bullet's ranges are clamped.
 */
static soft_body *soft_body_create(soft_world *world, mmd_world_soft *arrays, btRigidBody *const *bodies,
                                   int group, int mask)
{
    const mmd_phys_soft_body *source = arrays->source;
    soft_body *body = new soft_body{world, arrays, nullptr, group, mask, nullptr, btTransform::getIdentity()};
    if (source->node_count == 0)
        return body;
    body->soft = soft_structure_create(&world->getWorldInfo(), source);
    for (uint32_t i = 0; i < source->anchor_count; i++)
        add_anchor(body, &source->anchors[i], bodies);
    body->soft->updateBounds();
    soft_body_add(body);
    write_arrays(body);
    return body;
}

/* Removes a soft body from the world and frees it, before its rigid bodies are freed. body may be NULL. */
static void soft_body_destroy(soft_body *body)
{
    if (!body)
        return;
    soft_body_remove(body);
    delete body->soft;
    delete body;
}

/* Returns the collision object, whose user pointer and indices belong to the caller; NULL without nodes. */
static btSoftBody *soft_body_object(soft_body *body)
{
    return body->soft;
}

/* --------------------------------------------------------------- the step */

static bool is_near(const btVector3 &place)
{
    return fabsf(place.x()) < node_farthest && fabsf(place.y()) < node_farthest &&
           fabsf(place.z()) < node_farthest; /* false for NaN */
}

static btVector3 pin_position(const soft_body *body, uint32_t pin)
{
    const float *place = body->arrays->pins[pin];
    return btVector3(place[0], place[1], place[2]);
}

/* Gives pinned nodes the velocity with which they reach their pins at the end of the step of dt seconds. */
static void soft_body_before_step(soft_body *body, btScalar dt)
{
    const mmd_phys_soft_body *source = body->arrays->source;
    if (!body->soft)
        return;
    for (uint32_t i = 0; i < source->pin_count; i++) {
        btSoftBody::Node &node = body->soft->m_nodes[int(source->pins[i])];
        btVector3 target = pin_position(body, i);
        node.m_v = is_near(target) ? (target - node.m_x) / dt : btVector3(0, 0, 0);
    }
}

/* Computes the transform from the rest position of the body to its holder's present position. */
static btTransform way_from_rest(const soft_body *body)
{
    btTransform way = btTransform::getIdentity();
    const mmd_phys_soft_body *source = body->arrays->source;
    if (body->holder && is_near(body->holder->getWorldTransform().getOrigin()))
        return body->holder->getWorldTransform() * body->from_holder;
    if (source->pin_count == 0)
        return way;
    const float *rest = source->nodes[source->pins[0]];
    btVector3 moved = pin_position(body, 0) - btVector3(rest[0], rest[1], rest[2]);
    if (is_near(moved))
        way.setOrigin(moved);
    return way;
}

/* Removes everything derived from past positions, after nodes were placed. */
static void forget_past(btSoftBody *soft)
{
    while (soft->m_rcontacts.size())
        soft->m_rcontacts.pop_back();
    while (soft->m_scontacts.size())
        soft->m_scontacts.pop_back();
    for (int i = 0; i < soft->m_clusters.size(); i++) {
        btSoftBody::Cluster *cluster = soft->m_clusters[i];
        cluster->m_nvimpulses = cluster->m_ndimpulses = 0;
        for (int k = 0; k < 2; k++) {
            cluster->m_vimpulses[k].setZero();
            cluster->m_dimpulses[k].setZero();
        }
    }
    soft_structure_rebuild_trees(soft);
    soft->updateNormals();
    soft->updateBounds();
}

static void reset(soft_body *body)
{
    btTransform way = way_from_rest(body);
    for (int i = 0; i < body->soft->m_nodes.size(); i++) {
        btSoftBody::Node &node = body->soft->m_nodes[i];
        const float *rest = body->arrays->source->nodes[i];
        node.m_x = node.m_q = way * btVector3(rest[0], rest[1], rest[2]);
        node.m_v.setZero();
        node.m_f.setZero();
    }
    forget_past(body->soft);
}

void soft_body_place(soft_body *body, const btVector3 &velocity)
{
    assert(body);
    if (!body->soft)
        return;
    for (int i = 0; i < body->soft->m_nodes.size(); i++) {
        btSoftBody::Node &node = body->soft->m_nodes[i];
        const float *place = body->arrays->positions[i];
        node.m_x = node.m_q = btVector3(place[0], place[1], place[2]);
        node.m_v = velocity;
        node.m_f.setZero();
    }
    forget_past(body->soft);
    write_arrays(body);
}

/* Places pinned nodes exactly at their pins. */
static void settle_pins(soft_body *body)
{
    const mmd_phys_soft_body *source = body->arrays->source;
    for (uint32_t i = 0; i < source->pin_count; i++) {
        btVector3 target = pin_position(body, i);
        if (is_near(target))
            body->soft->m_nodes[int(source->pins[i])].m_x = target;
    }
}

/* Writes the arrays. A body with a node that is not finite is reset to its rest shape, at its first
 * anchor's body or its pins. Returns whether it was reset. */
static bool soft_body_after_step(soft_body *body)
{
    if (!body->soft)
        return false;
    settle_pins(body);
    bool lost = false;
    for (int i = 0; i < body->soft->m_nodes.size() && !lost; i++) {
        const btSoftBody::Node &node = body->soft->m_nodes[i];
        lost = !is_near(node.m_x) || !is_near(node.m_v);
    }
    if (lost)
        reset(body);
    write_arrays(body);
    return lost;
}

/* --------------------------------------------------------------- its state */

/*
 * The state of a soft body besides the arrays: bytes without pointers. Restoring sets everything it stores,
 * its trees and bounds included, from these alone; rigid bodies are not read.
 */
static size_t soft_body_state_size(const soft_body *body)
{
    return body->soft ? size_t(body->soft->m_nodes.size()) * STATE_FLOATS * sizeof(float) : 0;
}

static btVector3 *state_vector(btSoftBody::Node &node, int number)
{
    btVector3 *const vectors[STATE_VECTORS] = {&node.m_x, &node.m_q, &node.m_v, &node.m_f};
    return vectors[number];
}

static void soft_body_save(const soft_body *body, uint8_t *state)
{
    for (int i = 0; body->soft && i < body->soft->m_nodes.size(); i++)
        for (int v = 0; v < STATE_VECTORS; v++, state += 3 * sizeof(float)) {
            const btVector3 *vector = state_vector(body->soft->m_nodes[i], v);
            const float numbers[3] = {vector->x(), vector->y(), vector->z()};
            memcpy(state, numbers, sizeof numbers);
        }
}

static void soft_body_restore(soft_body *body, const uint8_t *state)
{
    if (!body->soft)
        return;
    for (int i = 0; i < body->soft->m_nodes.size(); i++)
        for (int v = 0; v < STATE_VECTORS; v++, state += 3 * sizeof(float)) {
            float numbers[3];
            memcpy(numbers, state, sizeof numbers);
            state_vector(body->soft->m_nodes[i], v)->setValue(numbers[0], numbers[1], numbers[2]);
        }
    forget_past(body->soft);
    write_arrays(body);
}

/* =========================================================== all soft bodies of a world */

static bool describe(bullet_world &world, uint32_t number)
{
    mmd_world &common = *world.common;
    bullet_object &object = world.soft_objects[number];
    object.kind = BULLET_SOFT;
    object.world = &world;
    object.scene = common.scenes[common.softs[number].scene];
    object.number = number;
    object.can_move = true;
    return object_set_filter(object, common.softs[number].source->filter, common.arena);
}

/* Lists the rigid bodies of all scenes for anchors; soft bodies use the range of their scene. */
static btRigidBody **list_rigids(const bullet_world &world)
{
    mmd_world &common = *world.common;
    void *memory = mmd_arena_alloc(&common.arena, common.body_count, sizeof(btRigidBody *));
    auto **rigids = static_cast<btRigidBody **>(memory);
    for (uint32_t b = 0; rigids && b < common.body_count; b++)
        rigids[b] = world.bodies[b].rigid;
    return rigids;
}

bool softs_create(bullet_world &world)
{
    mmd_world &common = *world.common;
    if (!world.soft_dynamics)
        return true;
    btRigidBody **rigids = list_rigids(world);
    void *objects = mmd_arena_alloc(&common.arena, common.soft_count, sizeof(bullet_object));
    void *softs = mmd_arena_alloc(&common.arena, common.soft_count, sizeof(soft_body *));
    if (!rigids || !objects || !softs)
        return false;
    world.soft_objects = static_cast<bullet_object *>(objects);
    world.softs = static_cast<soft_body **>(softs);
    soft_bodies_begin(rigids, common.body_count);
    world.soft_dynamics->setGravity(to_bullet(common.settings.gravity));
    for (uint32_t s = 0; s < common.soft_count; s++) {
        if (!describe(world, s))
            return false;
        uint32_t first_body = common.first_body[common.softs[s].scene];
        world.softs[s] = soft_body_create(world.soft_dynamics, &common.softs[s], rigids + first_body, 1, -1);
        if (soft_body_object(world.softs[s]))
            soft_body_object(world.softs[s])->setUserPointer(&world.soft_objects[s]);
    }
    return true;
}

void softs_destroy(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        soft_body_destroy(world.softs[s]);
}

void softs_before_step(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        soft_body_before_step(world.softs[s], world.common->dt);
}

void softs_after_step(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        world.common->softs[s].lost = soft_body_after_step(world.softs[s]);
}

void softs_add(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        soft_body_add(world.softs[s]);
}

void softs_remove(bullet_world &world)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        soft_body_remove(world.softs[s]);
}

size_t softs_state_size(const bullet_world &world)
{
    size_t size = 0;
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++)
        size += soft_body_state_size(world.softs[s]);
    return size;
}

uint8_t *softs_save(const bullet_world &world, uint8_t *state)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++) {
        soft_body_save(world.softs[s], state);
        state += soft_body_state_size(world.softs[s]);
    }
    return state;
}

const uint8_t *softs_restore(bullet_world &world, const uint8_t *state)
{
    for (uint32_t s = 0; world.softs && s < world.common->soft_count; s++) {
        soft_body_restore(world.softs[s], state);
        state += soft_body_state_size(world.softs[s]);
    }
    return state;
}
