/* The parts on and in the eyes: irises (thin lenses that turn with the eye bones), lashes and brows (blades:
 * closed strips with a sharp edge on either side), and the blush on the cheeks. */
#include <math.h>

#include "head.h"
#include "paint/textures.h"

/* --- blades --- */

/* A section of a blade: its two edges and its thickness between them. */
typedef struct section {
    vec2 edge[2];
    float lift; /* of the edges off the skin */
    float thick;
} section;

enum { UPPER_SECTIONS = 18, LOWER_SECTIONS = 9, BROW_SECTIONS = 9, SPIKE_SECTIONS = 5 };

/* Writes four points for each section: one edge, front, other edge, back. */
static void lay_blade(const head_look *look, const section *s, int count, vec3 *points)
{
    for (int i = 0; i < count; i++) {
        vec2 middle = vec2_lerp(s[i].edge[0], s[i].edge[1], 0.5f);
        points[4 * i] = head_lift(look, s[i].edge[0], s[i].lift);
        points[4 * i + 1] = head_lift(look, middle, s[i].lift + s[i].thick);
        points[4 * i + 2] = head_lift(look, s[i].edge[1], s[i].lift);
        points[4 * i + 3] = head_lift(look, middle, s[i].lift - s[i].thick);
    }
}

/* Adds a blade; from, to: v of its edges, dark at the lid and light at the tips. */
static void add_blade(cage *c, const rig *r, head_layout *layout, int count, float from, float to)
{
    const float v[4] = {from, 0.5f * (from + to), to, 0.5f * (from + to)};
    int32_t first = head_points(c, layout, 4 * count, skin1(rig_find(r, "頭")));
    for (int i = 0; i + 1 < count; i++)
        for (int k = 0; k < 4; k++) {
            int next = (k + 1) % 4;
            float u0 = (float)i / (float)(count - 1), u1 = (float)(i + 1) / (float)(count - 1);
            int32_t a = first + 4 * i;
            const vec2 uv[4] = {{{u0, v[k]}}, {{u0, v[next]}}, {{u1, v[next]}}, {{u1, v[k]}}};
            cage_quad(c, a + k, a + next, a + 4 + next, a + 4 + k, uv, MATERIAL_LASH);
            if (k % 2 == 0)
                cage_set_crease(c, a + k, a + 4 + k, 3);
        }
    for (int end = 0; end < 2; end++) {
        int32_t a = first + end * 4 * (count - 1);
        float u = (float)end;
        const vec2 uv[4] = {{{u, v[0]}}, {{u, v[1]}}, {{u, v[2]}}, {{u, v[3]}}};
        cage_quad(c, a, a + 1, a + 2, a + 3, uv, MATERIAL_LASH);
    }
}

/* Returns the normal to the left of a direction. */
static vec2 across(vec2 direction)
{
    return (vec2){{-direction.y, direction.x}};
}

static vec2 along(vec2 from, vec2 direction, float way)
{
    return vec2_add(from, vec2_scale(direction, way));
}

/* --- lashes --- */

/* Lays out the upper lash: it follows the lid, is thickest before its end, and continues past the corner as a
 * wing. */
static void lay_upper(const head_look *look, vec3 *points)
{
    enum { WING = 4, ON_LID = UPPER_SECTIONS - WING };
    section s[UPPER_SECTIONS];
    const vec2 *lid = look->eye->upper;
    for (int i = 0; i < ON_LID; i++) {
        float t = lerp(0.10f, 1, (float)i / (ON_LID - 1));
        vec2 at = head_curve(lid, HEAD_LID_KEYS, t);
        vec2 up = across(head_curve_direction(lid, HEAD_LID_KEYS, t));
        float height = 0.002f + 0.072f * smoothstep(0.1f, 0.5f, t) + 0.028f * smoothstep(0.5f, 0.92f, t);
        s[i] = (section){
            {along(at, up, -0.014f * smoothstep(0, 0.3f, t)), along(at, up, height)}, 0.010f, 0.012f};
    }
    vec2 base = s[ON_LID - 1].edge[0], tip = s[ON_LID - 1].edge[1];
    vec2 end = vec2_add(lid[HEAD_LID_KEYS - 1], look->eye->wing);
    for (int i = 1; i <= WING; i++) {
        float t = (float)i / WING, bow = 0.025f * mmd_sinf(PI * t);
        vec2 low = vec2_lerp(base, end, 0.98f * t), high = vec2_lerp(tip, end, t);
        low.y -= 0.2f * bow;
        high.y -= bow;
        s[ON_LID - 1 + i] = (section){{low, high}, 0.010f, 0.012f * (1 - 0.8f * t)};
    }
    lay_blade(look, s, UPPER_SECTIONS, points);
}

/* Lays out a long spike that leans outward from the lash at t. */
static void lay_spike(const head_look *look, float t, float rise, vec3 *points)
{
    section s[SPIKE_SECTIONS];
    vec2 lean = {{look->eye->spike.x * (1 - 0.5f * rise), look->eye->spike.y * (1 + rise)}};
    vec2 up = across(head_curve_direction(look->eye->upper, HEAD_LID_KEYS, t));
    vec2 root = along(head_curve(look->eye->upper, HEAD_LID_KEYS, t), up, 0.045f);
    for (int i = 0; i < SPIKE_SECTIONS; i++) {
        float way = (float)i / (SPIKE_SECTIONS - 1), wide = 0.13f * vec2_length(lean) * (1 - 0.95f * way);
        vec2 at = along(root, lean, way);
        at.y -= 0.03f * way * (1 - way);
        vec2 side = across(vec2_normalize(lean));
        s[i] = (section){{along(at, side, -wide), along(at, side, wide)}, 0.007f, 0.006f * (1 - 0.6f * way)};
    }
    lay_blade(look, s, SPIKE_SECTIONS, points);
}

static void lay_spike_outer(const head_look *look, vec3 *points)
{
    lay_spike(look, 0.90f, 0, points);
}

static void lay_spike_inner(const head_look *look, vec3 *points)
{
    lay_spike(look, 0.79f, 0.3f, points);
}

/* Lays out the lower lash, a thin line under the outer half. */
static void lay_lower(const head_look *look, vec3 *points)
{
    section s[LOWER_SECTIONS];
    const vec2 *lid = look->eye->lower;
    for (int i = 0; i < LOWER_SECTIONS; i++) {
        float part = (float)i / (LOWER_SECTIONS - 1), t = 0.45f + 0.55f * part;
        vec2 at = head_curve(lid, HEAD_LID_KEYS, t);
        vec2 up = across(head_curve_direction(lid, HEAD_LID_KEYS, t));
        float height = 0.004f + 0.018f * part;
        s[i] = (section){{along(at, up, 0.004f), along(at, up, -height)}, 0.008f, 0.007f};
    }
    lay_blade(look, s, LOWER_SECTIONS, points);
}

/* --- brows --- */

static void lay_brow(const head_look *look, vec3 *points)
{
    section s[BROW_SECTIONS];
    const vec2 *line = look->brow->line;
    for (int i = 0; i < BROW_SECTIONS; i++) {
        float t = (float)i / (BROW_SECTIONS - 1);
        vec2 at = head_curve(line, HEAD_BROW_KEYS, t);
        vec2 up = across(head_curve_direction(line, HEAD_BROW_KEYS, t));
        float half = 0.008f + 0.034f * mmd_sinf(PI * mmd_powf(0.12f + 0.88f * t, 0.7f));
        s[i] = (section){{along(at, up, -half), along(at, up, half)}, 0.008f, 0.008f};
    }
    lay_blade(look, s, BROW_SECTIONS, points);
}

void head_lashes_make(cage *c, const rig *r)
{
    add_blade(c, r, lay_upper, UPPER_SECTIONS, 0, 1);
    add_blade(c, r, lay_spike_outer, SPIKE_SECTIONS, 0, 0.3f);
    add_blade(c, r, lay_spike_inner, SPIKE_SECTIONS, 0, 0.3f);
    add_blade(c, r, lay_lower, LOWER_SECTIONS, 0.4f, 1);
    add_blade(c, r, lay_brow, BROW_SECTIONS, 0.5f, 1);
    cage_mirror(c, r, false);
}

/* --- discs: blush and irises --- */

enum { DISC_SIDES = 32, DISC_RINGS = 5 };

/* Adds the front and the back of a disc, each of rings around a centre; the outermost front and back rings
 * meet in `rim`. */
static void add_disc(cage *c, int32_t first, material_id material, const vec2 *uv)
{
    int32_t side = 1 + (DISC_RINGS - 1) * DISC_SIDES, rim = first + 2 * side;
    for (int face = 0; face < 2; face++)
        for (int ring = 0; ring < DISC_RINGS; ring++)
            for (int k = 0; k < DISC_SIDES; k++) {
                int next = (k + 1) % DISC_SIDES;
                int32_t base = first + face * side, inner = base + 1 + (ring - 1) * DISC_SIDES;
                int32_t outer = ring + 1 < DISC_RINGS ? inner + DISC_SIDES : rim;
                int32_t a = ring ? inner + k : base, b = ring ? inner + next : base;
                const vec2 at[4] = {uv[outer + k - first], uv[outer + next - first], uv[b - first],
                                    uv[a - first]};
                cage_quad(c, outer + k, outer + next, b, ring ? a : CAGE_NONE, at, material);
            }
}

enum { DISC_POINTS = 2 + (2 * DISC_RINGS - 1) * DISC_SIDES };

/* Writes the points' positions in the unit circle, in the disc's order; which: 1 in front, -1 behind, 0 on
 * the rim. */
static void disc_unit(vec2 *unit, int *which)
{
    int n = 0;
    for (int face = 0; face < 2; face++) {
        which[n] = 1 - 2 * face;
        unit[n++] = (vec2){{0}};
        for (int ring = 1; ring < DISC_RINGS; ring++)
            for (int k = 0; k < DISC_SIDES; k++, n++) {
                float angle = 2 * PI * (float)k / DISC_SIDES, size = (float)ring / DISC_RINGS;
                which[n] = 1 - 2 * face;
                unit[n] = (vec2){{size * mmd_cosf(angle), size * mmd_sinf(angle)}};
            }
    }
    for (int k = 0; k < DISC_SIDES; k++, n++) {
        float angle = 2 * PI * (float)k / DISC_SIDES;
        which[n] = 0;
        unit[n] = (vec2){{mmd_cosf(angle), mmd_sinf(angle)}};
    }
}

static void lay_blush(const head_look *look, vec3 *points)
{
    vec2 unit[DISC_POINTS];
    int which[DISC_POINTS];
    disc_unit(unit, which);
    for (int i = 0; i < DISC_POINTS; i++) {
        vec2 xy = {{0.90f + 0.42f * unit[i].x, 16.80f + 0.23f * unit[i].y}};
        float dome = 1 - vec2_dot(unit[i], unit[i]);
        points[i] = head_lift(look, xy, 0.012f + 0.006f * dome * (float)which[i]);
    }
}

void head_blush_make(cage *c, const rig *r)
{
    vec2 uv[DISC_POINTS];
    int which[DISC_POINTS];
    disc_unit(uv, which);
    for (int i = 0; i < DISC_POINTS; i++)
        uv[i] = (vec2){{0.5f + 0.5f * uv[i].x, 0.5f - 0.5f * uv[i].y}};
    int32_t first = head_points(c, lay_blush, DISC_POINTS, skin1(rig_find(r, "頭")));
    add_disc(c, first, MATERIAL_BLUSH, uv);
    cage_mirror(c, r, false);
}

/* The ball's centre lies behind and inside of the eye bone, and the ball is taller than wide. So the iris is
 * flatter than the circle it turns on, stays near the lids, and still passes under their outer corner. */
vec3 head_ball(vec2 xy, float depth)
{
    const vec3 middle = {{0.36f, 17.38f, -0.15f}};
    const float radius = 1.215f - depth, flat = 0.5f;
    float dx = xy.x - middle.x, dy = flat * (xy.y - middle.y);
    float square = mmd_maxf(radius * radius - dx * dx - dy * dy, 0);
    return (vec3){{xy.x, xy.y, middle.z - sqrtf(square)}};
}

/* Adds an eye's iris. Its picture is not mirrored, because the light comes from one side. */
static void add_iris(cage *c, const rig *r, int side)
{
    const vec2 middle = {{0.68f, 17.36f}}, size = {{0.38f, 0.475f}};
    vec2 uv[DISC_POINTS];
    int which[DISC_POINTS];
    int32_t first = c->point_count;
    disc_unit(uv, which);
    for (int i = 0; i < DISC_POINTS; i++) {
        vec2 xy = {{middle.x + (float)side * size.x * uv[i].x, middle.y + size.y * uv[i].y}};
        vec3 p = head_ball(xy, which[i] > 0 ? 0 : 0.03f);
        p.x *= (float)side;
        cage_point(c, p, skin1(rig_side(r, side, "目")));
        uv[i] = (vec2){{0.5f + TEXTURE_IRIS_RADIUS * uv[i].x, 0.5f - TEXTURE_IRIS_RADIUS * uv[i].y}};
    }
    add_disc(c, first, MATERIAL_IRIS, uv);
}

/* Adds the morph 瞳小, which shrinks the pupil and the highlights and leaves the rim where it is. */
static void shrink_pupil(dancer *d, uint32_t vertex)
{
    vec2 out = vec2_sub(d->vertices[vertex].uv, (vec2){{0.5f, 0.5f}});
    float r = mmd_minf(vec2_length(out) / TEXTURE_IRIS_RADIUS, 1);
    vec2 move = vec2_scale(out, 0.85f * (1 - r));
    if (vec2_length(move) > 1e-5f)
        dancer_offset_add(d, MORPH_PUPIL_SMALL, vertex, (const float[4]){move.x, move.y, 0, 0});
}

void head_irises_add(dancer *d)
{
    cage c;
    cage_init(&c, &d->arena);
    add_iris(&c, &d->rig, 1);
    add_iris(&c, &d->rig, -1);
    dancer_range range = dancer_add(d, "irises", &c);
    for (uint32_t i = 0; i < range.count; i++)
        shrink_pupil(d, range.first + i);
}
