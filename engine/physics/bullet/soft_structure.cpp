/*
 * The structure of soft bodies (MMD.md 1.1; meaning and ranges of the numbers:
 * Bullet 3.24, btSoftBody.h, which PMX 2.1 follows name by name).
 *
 * Links are the edges of the triangles, each once. Bending links join nodes
 * that are link_distance edges apart, found by a walk from every node; Bullet's
 * own search takes memory and time of the square and cube of the nodes, which
 * a hostile file could use. Links in random order: Bullet's shuffle with a seed
 * of its own for each body, because Bullet's is one for the whole process.
 */
#include "soft_structure.hpp"

#include <BulletSoftBody/btSoftBodyInternals.h>
#include <float.h>
#include <math.h>

enum {
    BENDING_DISTANCE_MAX = 16, /* edges */
    BENDING_VISITS_MAX = 1024, /* nodes that the walk from one node sees */
    CLUSTERS_MAX = 256,        /* Bullet compares each with each */
    CLUSTER_WORK_MAX = 20000000,
    ITERATIONS_MAX = 200,
    SHAPE_ROPE = 1,
    FLAG_BENDING = 1,
    FLAG_CLUSTERS = 2,
    FLAG_SHUFFLE = 4
};

typedef btAlignedObjectArray<int> int_array;

static float between(float value, float low, float high)
{
    return value >= low ? (value <= high ? value : high) : low; /* NaN: low */
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
    btAlignedObjectArray<btVector3> places;
    btAlignedObjectArray<btScalar> masses;
    places.resize(count);
    masses.resize(count, mass);
    for (int i = 0; i < count; i++)
        places[i].setValue(source->nodes[i][0], source->nodes[i][1], source->nodes[i][2]);
    for (uint32_t i = 0; i < source->pin_count; i++)
        masses[int(source->pins[i])] = 0;
    return new btSoftBody(info, count, &places[0], &masses[0]);
}

/* --------------------------------------------------------- faces and links */

/* An edge, the lower node first, and where it came first. */
struct edge {
    int a, b, place;
};

static bool edge_before(const edge &x, const edge &y)
{
    return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.place < y.place;
}

static bool came_before(const edge &x, const edge &y)
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

/* Each edge once, in the order in which they came. */
static void drop_repeated(btAlignedObjectArray<edge> &edges)
{
    edges.quickSort(edge_before);
    int kept = 0;
    for (int i = 0; i < edges.size(); i++)
        if (i == 0 || edges[i].a != edges[kept - 1].a || edges[i].b != edges[kept - 1].b)
            edges[kept++] = edges[i];
    edges.resize(kept);
    edges.quickSort(came_before);
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

/* A link between two nodes that only their pins move does nothing, and divides by zero in Bullet. */
static bool is_led(const btSoftBody *soft, int a, int b)
{
    return soft->m_nodes[a].m_im == 0 && soft->m_nodes[b].m_im == 0;
}

static void add_links(btSoftBody *soft, const btAlignedObjectArray<edge> &edges)
{
    for (int i = 0; i < edges.size(); i++)
        if (!is_led(soft, edges[i].a, edges[i].b))
            soft->appendLink(edges[i].a, edges[i].b);
}

/* A triangle's nodes in ascending order, and its number. */
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

/* Which triangles are another's other side: cloth drawn with two layers is one layer here, and has normals.
 */
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

/* The neighbours of every node: those of node i are list[first[i]] to list[first[i + 1] - 1]. */
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

/* A walk over nodes in rings: seen[i] is the start whose walk saw i last. */
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
        if (walk.ring[i] <= start || is_led(soft, start, walk.ring[i]))
            continue;
        soft->appendLink(start, walk.ring[i]);
        soft->m_links[soft->m_links.size() - 1].m_bbending = -1; /* of one bit, signed */
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

/* Where a number of the file goes, and the range that Bullet gives it. */
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
 * PMX's numbers 0 to 4; Bullet has put two more in between since. V_Point
 * knows only air from the front in 3.24, though its description says that the
 * normal is turned towards the velocity: what it should be is V_TwoSided.
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
 * Positions are solved as Bullet does by default; the counts of velocity and
 * drift iterations, 0 there, mean links.
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

/* Clusters along a line have no inertia about it, and Bullet divides by it: they do not turn. */
static void mend_inertia(btSoftBody::Cluster *cluster)
{
    btScalar sum = 0;
    for (int i = 0; i < 3; i++)
        sum += cluster->m_locii[i].length2();
    if (!isfinite(sum))
        cluster->m_locii.setValue(0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* Where the file asks for clusters, they collide in place of nodes. */
static void add_clusters(btSoftBody *soft, const mmd_phys_soft_body *source)
{
    int nodes = soft->m_nodes.size();
    int count = count_between(source->cluster_count, 0, nodes < CLUSTERS_MAX ? nodes : CLUSTERS_MAX);
    if (count == 0) /* Bullet: one for each face */
        count = soft->m_faces.size() <= CLUSTERS_MAX ? 0 : CLUSTERS_MAX;
    if (count == 0 && soft->m_faces.size() == 0)
        return;
    soft->generateClusters(count, 1 + CLUSTER_WORK_MAX / (nodes * (count + 1)));
    for (int i = 0; i < soft->m_clusters.size(); i++)
        mend_inertia(soft->m_clusters[i]);
    soft->m_cfg.collisions = btSoftBody::fCollision::CL_RS | btSoftBody::fCollision::CL_SS;
}

/* Not by Bullet's initializeFaceTree, which never ends where the mesh is not of one piece. */
void soft_structure_rebuild_trees(btSoftBody *soft)
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
        soft->m_clusters[i]->m_leaf = nullptr; /* the next step puts it in */
}

btSoftBody *soft_structure_create(btSoftBodyWorldInfo *info, const mmd_phys_soft_body *source)
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
    soft->updateConstants(); /* now, not where the nodes are at the first step */
    soft->m_bUpdateRtCst = false;
    if (soft->m_cfg.kMT > 0 || soft->m_cfg.kVC > 0)
        soft->setPose(soft->m_cfg.kVC > 0, soft->m_cfg.kMT > 0);
    soft_structure_rebuild_trees(soft);
    soft->updateNormals();
    soft->setActivationState(DISABLE_DEACTIVATION);
    return soft;
}
