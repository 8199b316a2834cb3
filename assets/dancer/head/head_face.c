/*
 * Face, skull and neck: a grid over the surface with two holes, the openings of an eye and of the mouth. The
 * holes' rims are bent to the curves of a look, and the grid between them follows like a membrane (Laplace's
 * equation), so that every expression stretches the skin evenly. A bowl behind the eye's rim is the white of
 * the eye; a bag behind the lips is the inside of the mouth.
 */
#include <math.h>
#include <string.h>

#include "head.h"
#include "paint/textures.h"
#include "tool.h"

enum {
    COLUMNS = 17, /* from the front to the back */
    ROWS = 31,    /* from the crown down */
    EYE_LEFT = 3,
    EYE_RIGHT = 9,
    EYE_TOP = 7,
    EYE_MIDDLE = 9,
    EYE_BOTTOM = 11,
    NOSE_BOTTOM = 13,
    MOUTH_RIGHT = 4,
    MOUTH_TOP = 15,
    MOUTH_MIDDLE = 16,
    MOUTH_BOTTOM = 17,
    CHIN = 20,
    JAW = 23,           /* first row under the jaw; the neck follows */
    SKULL = 4,          /* rows above this one never move, */
    BEHIND = 12,        /* and columns beyond this one do not either */
    FRONT_COLUMNS = 12, /* columns with the face's texture */
    LID_STEPS = 2 * (EYE_MIDDLE - EYE_TOP) + EYE_RIGHT - EYE_LEFT,
    LIP_STEPS = MOUTH_RIGHT + 1,
    EYE_RING = 2 * LID_STEPS,
    LIP_RING = 2 * LIP_STEPS + 1, /* points of the half ring, open at x = 0 */
    BOWL_RINGS = 4,
    BAG_RINGS = 4
};

/* Angles of the columns. */
static const float columns[COLUMNS] = {0,     0.036f, 0.080f, 0.13f, 0.24f, 0.35f, 0.46f, 0.57f, 0.69f,
                                       0.80f, 0.98f,  1.20f,  1.45f, 1.75f, 2.15f, 2.62f, PI};

/* Position of the rows: in front their height as seen from the front (0: the same as at the side), at the
 * side the row of the surface. */
static const struct {
    float front_y, side;
} lines[ROWS] = {
    {0, 0},          {0, 0.6f},       {0, 1.4f},       {0, 2.2f},      {0, 2.9f},       {18.34f, 3.4f},
    {18.04f, 3.85f}, {17.80f, 4.25f}, {17.57f, 4.6f},  {17.36f, 5.0f}, {17.17f, 5.4f},  {17.03f, 5.75f},
    {16.92f, 6.05f}, {16.83f, 6.35f}, {16.73f, 6.65f}, {16.62f, 6.9f}, {16.53f, 7.15f}, {16.46f, 7.4f},
    {16.39f, 7.7f},  {16.30f, 8.1f},  {16.21f, 8.5f},  {0, 8.85f},     {0, 9.25f},      {0, 9.75f},
    {0, 10.35f},     {0, 11.0f},      {0, 11.6f},      {0, 12.1f},     {0, 12.6f},      {0, 13.2f},
    {0, 15.0f},
};

typedef struct grid {
    vec2 at[COLUMNS][ROWS]; /* positions on the surface */
} grid;

static bool in_eye(int i, int j)
{
    return i > EYE_LEFT && i < EYE_RIGHT && j > EYE_TOP && j < EYE_BOTTOM;
}

static bool in_mouth(int i, int j)
{
    return i < MOUTH_RIGHT && j == MOUTH_MIDDLE;
}

static bool is_hole(int i, int j)
{
    return in_eye(i, j) || in_mouth(i, j);
}

/* Returns the grid position of a lid's k-th point, from the inner corner along its row (line) to the outer
 * corner. */
static void lid_cell(int line, int k, int *i, int *j)
{
    int side = EYE_MIDDLE - EYE_TOP, way = line < EYE_MIDDLE ? -1 : 1;
    int across = EYE_RIGHT - EYE_LEFT;
    *i = EYE_LEFT + (k < side ? 0 : k > side + across ? across : k - side);
    int rise = k < side ? k : k > side + across ? LID_STEPS - k : side;
    *j = EYE_MIDDLE + way * rise;
}

/* Returns the grid position of the k-th point of the eye's rim: along the upper lid outward, then back along
 * the lower one. */
static void eye_cell(int k, int *i, int *j)
{
    if (k <= LID_STEPS)
        lid_cell(EYE_TOP, k, i, j);
    else
        lid_cell(EYE_BOTTOM, EYE_RING - k, i, j);
}

/* Returns the grid position of the lips' k-th point: along the upper lip outward, the corner, then back along
 * the lower one. */
static void lip_cell(int k, int *i, int *j)
{
    *i = k < LIP_STEPS ? k : 2 * LIP_STEPS - k;
    *j = k < LIP_STEPS ? MOUTH_TOP : k > LIP_STEPS ? MOUTH_BOTTOM : MOUTH_MIDDLE;
    *i = *i > MOUTH_RIGHT ? MOUTH_RIGHT : *i;
}

/*
 * Returns the position of a lid's k-th point along its curve. The sides of the hole are parts of the lids;
 * where these meet in an arch, the sides stay close to the corners, or the skin below would have to turn
 * over.
 */
static float lid_way(const head_look *look, int k)
{
    const float side = (float)(EYE_MIDDLE - EYE_TOP) / LID_STEPS, huddled = 0.05f;
    float t = (float)k / LID_STEPS, from_end = mmd_minf(t, 1 - t);
    float squeezed =
        from_end < side ? from_end * huddled / side : lerp(huddled, 0.5f, (from_end - side) / (0.5f - side));
    return lerp(t, t < 0.5f ? squeezed : 1 - squeezed, look->eye->closed);
}

static vec2 eye_rim(const head_look *look, int k)
{
    return k <= LID_STEPS ? head_curve(look->eye->upper, HEAD_LID_KEYS, lid_way(look, k))
                          : head_curve(look->eye->lower, HEAD_LID_KEYS, lid_way(look, EYE_RING - k));
}

static vec2 lip_rim(const head_look *look, int k)
{
    const float side = 0.94f; /* the side of the hole is short too */
    int step = k <= LIP_STEPS ? k : 2 * LIP_STEPS - k;
    float t = step == LIP_STEPS ? 1 : side * (float)step / (LIP_STEPS - 1);
    return head_curve(k <= LIP_STEPS ? look->mouth->upper : look->mouth->lower, HEAD_LIP_KEYS, t);
}

/* --- the membrane --- */

typedef struct bend {
    vec2 move[COLUMNS][ROWS];
    bool fixed[COLUMNS][ROWS];
} bend;

static void pull(bend *b, const grid *g, int i, int j, vec2 to)
{
    b->move[i][j] = vec2_sub(to, g->at[i][j]);
    b->fixed[i][j] = true;
}

/* Moves the rims to the look's curves and keeps nose, skull and neck where they are. */
static void fix_points(bend *b, const grid *g, const head_look *look)
{
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < ROWS; j++)
            b->fixed[i][j] = j < SKULL || j > CHIN || i > BEHIND || (i == 0 && j <= NOSE_BOTTOM);
    for (int k = 0; k < EYE_RING; k++) {
        int i, j;
        eye_cell(k, &i, &j);
        pull(b, g, i, j, head_find(look, eye_rim(look, k)));
    }
    for (int k = 0; k < LIP_RING; k++) {
        int i, j;
        lip_cell(k, &i, &j);
        pull(b, g, i, j, head_find(look, lip_rim(look, k)));
    }
}

/* Returns whether a point moves with the lid because it lies right below the eye: the paint along the lid
 * must not stretch. */
static bool is_lower_lid(int i, int j)
{
    return i >= EYE_LEFT && i <= EYE_RIGHT && j == EYE_BOTTOM;
}

static void relax_point(bend *b, int i, int j)
{
    static const int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    vec2 sum = (vec2){{0}};
    float count = 0;
    for (int k = 0; k < 4; k++) {
        int x = i + ways[k][0], y = j + ways[k][1];
        bool mirrored = x < 0;
        x = mirrored ? 1 : x;
        if (is_hole(x, y))
            continue;
        vec2 move = b->move[x][y];
        move.x = mirrored ? -move.x : move.x;
        float weight = is_lower_lid(x, y) ? 40 : 1;
        sum = vec2_add(sum, vec2_scale(move, weight));
        count += weight;
    }
    if (j == EYE_TOP - 1)
        count += 2; /* weight of the lid's fold, which moves less than the rest */
    b->move[i][j] = vec2_scale(sum, 1 / count);
    if (i == 0)
        b->move[i][j].x = 0;
}

static void grid_bend(grid *g, const head_look *look)
{
    bend b;
    memset(&b, 0, sizeof b);
    fix_points(&b, g, look);
    for (int round = 0; round < 300; round++)
        for (int i = 0; i < COLUMNS; i++)
            for (int j = 0; j < ROWS; j++)
                if (!b.fixed[i][j] && !is_hole(i, j))
                    relax_point(&b, i, j);
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < ROWS; j++)
            g->at[i][j] = vec2_add(g->at[i][j], b.move[i][j]);
}

static void grid_start(grid *g)
{
    for (int j = 0; j < ROWS; j++) {
        float side = lines[j].side, front = side;
        if (lines[j].front_y > 0)
            front = head_find(&head_looks[0], (vec2){{0, lines[j].front_y}}).y;
        for (int i = 0; i < COLUMNS; i++) {
            float t = mmd_minf(columns[i] / (0.5f * PI), 1);
            g->at[i][j] = (vec2){{columns[i], lerp(front, side, t * t)}};
        }
    }
}

/* --- places --- */

/* Indices of the shell's points. */
typedef struct face_map {
    int32_t grid[COLUMNS][ROWS]; /* CAGE_NONE in holes; row 0 is one point */
    int32_t bottom, bowl, bowl_middle, bag, bag_middle, count;
} face_map;

static face_map map_points(void)
{
    face_map m = {.count = 1};
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++)
            m.grid[i][j] = j == 0 ? 0 : is_hole(i, j) ? CAGE_NONE : m.count++;
    m.bottom = m.count++;
    m.bowl = m.count;
    m.bowl_middle = m.bowl + BOWL_RINGS * EYE_RING;
    m.bag = m.bowl_middle + 1;
    m.bag_middle = m.bag + BAG_RINGS * LIP_RING;
    m.count = m.bag_middle + 1;
    return m;
}

/* Returns where the k-th point of the eye's rim would be if the eye were never smaller than at rest. */
static vec2 open_rim(const head_look *look, int k)
{
    vec2 rest = eye_rim(&head_looks[0], k), now = eye_rim(look, k);
    bool wider = k <= LID_STEPS ? now.y > rest.y : now.y < rest.y;
    return wider && look->eye->closed <= 0 ? now : rest;
}

/* Lays out the bowl. The first ring lies right behind the lids and closes with them. The others move only for
 * an eye that opens wide, so that the lid's shadow on them moves with it. */
static void lay_bowl(const head_look *look, vec3 *points)
{
    static const float sizes[BOWL_RINGS] = {0, 1, 0.74f, 0.38f};
    const vec2 middle = {{0.68f, 17.36f}};
    const float bowl_depth = 0.105f;
    for (int k = 0; k < EYE_RING; k++) {
        points[k] = head_lift(look, eye_rim(look, k), -0.05f);
        vec2 rim = open_rim(look, k);
        for (int ring = 1; ring < BOWL_RINGS; ring++)
            points[ring * EYE_RING + k] = head_ball(vec2_lerp(middle, rim, sizes[ring]), bowl_depth);
    }
    points[BOWL_RINGS * EYE_RING] = head_ball(middle, bowl_depth);
}

/* Lays out the bag. The first ring behind the lips follows them and closes with them, so that nothing shows
 * through the closed mouth from the side; then the bag goes back, always a little larger than the opening. */
static void lay_bag(const head_look *look, vec3 *points)
{
    const head_mouth *mouth = look->mouth;
    vec2 corner = mouth->upper[HEAD_LIP_KEYS - 1];
    vec2 middle = {{0, 0.5f * (mouth->upper[0].y + mouth->lower[0].y)}};
    float width = corner.x + 0.05f, height = 0.5f * (mouth->upper[0].y - mouth->lower[0].y) + 0.05f;
    static const float depths[BAG_RINGS] = {0, 0.14f, 0.34f, 0.55f};
    static const float sizes[BAG_RINGS] = {0, 1, 1.05f, 0.7f};
    float open = smoothstep(0.03f, 0.10f, mouth->upper[0].y - mouth->lower[0].y);
    for (int k = 0; k < LIP_RING; k++) {
        vec3 rim = head_lift(look, lip_rim(look, k), 0);
        float opposite = lip_rim(look, LIP_RING - 1 - k).y, shut = 0.48f * (1 - open);
        float angle = PI * ((float)k / (LIP_RING - 1) - 0.5f);
        points[k] = vec3_add(rim, (vec3){{0, shut * (opposite - rim.y), 0.02f + 0.03f * open}});
        for (int ring = 1; ring < BAG_RINGS; ring++)
            points[ring * LIP_RING + k] = (vec3){{sizes[ring] * width * mmd_cosf(angle),
                                                  middle.y - sizes[ring] * height * mmd_sinf(angle),
                                                  -1.52f + 0.12f * mmd_cosf(angle) + depths[ring]}};
    }
    points[BAG_RINGS * LIP_RING] = (vec3){{0, middle.y, -0.90f}};
}

static void lay_face(const head_look *look, vec3 *points)
{
    face_map m = map_points();
    grid g;
    grid_start(&g);
    grid_bend(&g, &head_looks[0]);
    if (look != &head_looks[0])
        grid_bend(&g, look);
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++)
            if (m.grid[i][j] != CAGE_NONE)
                points[m.grid[i][j]] = head_surface(look, g.at[i][j]);
    points[m.bottom] = (vec3){{0, 14.9f, 0.1f}};
    lay_bowl(look, points + m.bowl);
    lay_bag(look, points + m.bag);
    for (int j = 0; j < ROWS; j++)
        points[m.grid[0][j] == CAGE_NONE ? 0 : m.grid[0][j]].x = 0;
}

/* --- faces --- */

/* Provisional UVs: v marks the faces under the jaw until head_face_uv sets the real ones. */
static const vec2 in_light[4] = {{{0, 0}}}, under_jaw[4] = {{{0, 1}}, {{0, 1}}, {{0, 1}}, {{0, 1}}};

/* Adds a quad, or a triangle if two neighbouring corners are one point. */
static void face(cage *c, const int32_t corners[4], const vec2 mark[4], material_id material)
{
    int32_t a = corners[0], b = corners[1], d = corners[2], e = corners[3];
    if (a == b)
        cage_quad(c, b, d, e, CAGE_NONE, mark, material);
    else if (d == e)
        cage_quad(c, a, b, d, CAGE_NONE, mark, material);
    else
        cage_quad(c, a, b, d, e, mark, material);
}

static void grid_face(cage *c, const face_map *m, int i, int j)
{
    int32_t below[2] = {m->bottom, m->bottom};
    if (j + 1 < ROWS) {
        below[0] = m->grid[i][j + 1];
        below[1] = m->grid[i + 1][j + 1];
    }
    face(c, (int32_t[]){m->grid[i][j], m->grid[i + 1][j], below[1], below[0]}, j < JAW ? in_light : under_jaw,
         i < FRONT_COLUMNS && j < JAW ? MATERIAL_FACE : MATERIAL_SKIN);
}

static void add_grid(cage *c, const face_map *m)
{
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i + 1 < COLUMNS; i++) {
            bool eye = i >= EYE_LEFT && i < EYE_RIGHT && j >= EYE_TOP && j < EYE_BOTTOM;
            bool mouth = i < MOUTH_RIGHT && j >= MOUTH_TOP && j < MOUTH_BOTTOM;
            if (!eye && !mouth)
                grid_face(c, m, i, j);
        }
}

/* Adds rings of count points, one behind the other; the last one closes on a point. */
static void add_bag(cage *c, const int32_t *rim, int32_t first, int rings, int count, bool closed,
                    material_id material)
{
    int32_t middle = first + rings * count;
    for (int ring = -1; ring < rings; ring++)
        for (int k = 0; k < (closed ? count : count - 1); k++) {
            int next = (k + 1) % count;
            int32_t here = first + ring * count, there = here + count;
            int32_t a = ring < 0 ? rim[k] : here + k, b = ring < 0 ? rim[next] : here + next;
            int32_t d = ring + 1 < rings ? there + next : middle, e = ring + 1 < rings ? there + k : middle;
            face(c, (int32_t[]){a, b, d, e}, in_light, material);
        }
}

static void add_holes(cage *c, const face_map *m)
{
    int32_t eye[EYE_RING], lips[LIP_RING];
    int i, j;
    for (int k = 0; k < EYE_RING; k++) {
        eye_cell(k, &i, &j);
        eye[k] = m->grid[i][j];
    }
    for (int k = 0; k < LIP_RING; k++) {
        lip_cell(k, &i, &j);
        lips[k] = m->grid[i][j];
    }
    add_bag(c, eye, m->bowl, BOWL_RINGS, EYE_RING, true, MATERIAL_WHITE);
    add_bag(c, lips, m->bag, BAG_RINGS, LIP_RING, false, MATERIAL_MOUTH);
    for (int k = 0; k < EYE_RING; k++)
        cage_set_crease(c, eye[k], eye[(k + 1) % EYE_RING], 2);
    for (int k = 0; k + 1 < LIP_RING; k++)
        for (int ring = 0; ring < 2; ring++)
            cage_set_crease(c, ring ? m->bag + k : lips[k], ring ? m->bag + k + 1 : lips[k + 1], 2);
}

/* Turns the outline off around eyes and lips, where skin folds; nose and cheeks keep it. */
static void set_edges(cage *c, const face_map *m)
{
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) {
            bool eye = i > 1 && i <= EYE_RIGHT && j >= EYE_TOP - 1 && j <= EYE_BOTTOM + 1;
            bool mouth = i <= MOUTH_RIGHT + 1 && j >= MOUTH_TOP && j <= MOUTH_BOTTOM + 1;
            if (m->grid[i][j] != CAGE_NONE && (eye || mouth))
                c->edge[m->grid[i][j]] = 0;
        }
}

/* Sets the skin weights of the neck, from the head's bone down to the trunk's. */
static void skin_neck(cage *c, const rig *r)
{
    int32_t head = rig_find(r, "頭"), neck = rig_find(r, "首"), trunk = rig_find(r, "上半身2");
    face_map m = map_points();
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) {
            int32_t p = m.grid[i][j];
            float v = lines[j].side;
            if (p != CAGE_NONE && v > 11)
                cage_set_skin(c, p,
                              v < 13 ? skin2(head, neck, (v - 11) / 2) : skin2(neck, trunk, (v - 13) / 2));
        }
    cage_set_skin(c, m.bottom, skin1(trunk));
}

int32_t head_points(cage *c, head_layout *layout, int count, cage_skin skin)
{
    int32_t first = c->point_count;
    vec3 *rest = tool_alloc(c->arena, (size_t)count, sizeof *rest);
    vec3 *shown = tool_alloc(c->arena, (size_t)count, sizeof *shown);
    layout(&head_looks[0], rest);
    for (int i = 0; i < count; i++)
        cage_point(c, rest[i], skin);
    for (int look = 1; look < head_look_count; look++) {
        layout(&head_looks[look], shown);
        for (int i = 0; i < count; i++) {
            vec3 offset = vec3_sub(shown[i], rest[i]);
            if (vec3_length(offset) > 1e-4f)
                cage_set_morph(c, first + i, head_looks[look].morph, offset);
        }
    }
    return first;
}

/* Returns the UV of a point of the face. Towards the sides the picture ends in plain skin. */
static vec2 face_uv(vec3 p)
{
    float angle = mmd_atan2f(fabsf(p.x), 0.1f - p.z);
    float out = smoothstep(to_radians(58), to_radians(80), angle);
    float x = p.x + out * (copysignf(1.95f, p.x) - p.x);
    return (vec2){{0.5f + x / TEXTURE_FACE_SIZE, (TEXTURE_FACE_TOP - p.y) / TEXTURE_FACE_SIZE}};
}

/* Returns how far a point of the skin lies in the painted shadow of the jaw, which reaches down the throat
 * and ends before the nape. 0.5 is the shadow's edge. */
static float jaw_shadow(vec3 p)
{
    float end = 15.80f + 0.75f * smoothstep(-0.45f, 0.55f, p.z);
    return clamp(0.5f + (p.y - end) / 0.5f, 0, 1);
}

static vec2 shell_uv(vec3 p, bool shaded, material_id material)
{
    switch (material) {
    case MATERIAL_FACE:
        return face_uv(p);
    case MATERIAL_WHITE:
        return (vec2){{(fabsf(p.x) - 0.2f) / 0.97f, (17.84f - p.y) / 0.97f}};
    case MATERIAL_MOUTH:
        return (vec2){{0.5f + p.x, lerp(0.28f, 0.59f, mmd_minf(mmd_maxf((p.z + 1.5f) / 0.5f, 0), 1))}};
    default:
        return (vec2){{0.5f, lerp(2 * TEXTURE_SKIN_SHADE, 0, shaded ? jaw_shadow(p) : 0)}};
    }
}

void head_face_uv(cage *c)
{
    for (int32_t f = 0; f < c->face_count; f++) {
        cage_face *at = &c->faces[f];
        for (int k = 0; k < 4; k++)
            if (at->point[k] != CAGE_NONE)
                at->uv[k] = shell_uv(c->points[at->point[k]], at->uv[k].y > 0.5f, (material_id)at->material);
    }
}

void head_face_make(cage *c, const rig *r)
{
    face_map m = map_points();
    head_points(c, lay_face, m.count, skin1(rig_find(r, "頭")));
    skin_neck(c, r);
    add_grid(c, &m);
    add_holes(c, &m);
    set_edges(c, &m);
    cage_mirror(c, r, false);
}
