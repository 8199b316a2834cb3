/* The big bow on the back of the obi: two loops of ribbon that go out, turn and come back, a knot over their
 * roots, and two tails down over the skirt. The left half is modelled, the right one is its mirror image. */
#include "bow.h"

#include "bow_ribbon.h"
#include "mesh/spline.h"
#include "tool.h"

/* --- bones --- */

static const vec3 knot = {{0, 12.1f, 1.02f}};
const vec3 bow_loop_heads[BOW_LOOP_BONES + 1] = {
    {{0.12f, 12.12f, 1.06f}}, {{0.80f, 12.42f, 1.40f}}, {{1.46f, 12.72f, 1.72f}}};
const vec3 bow_tail_heads[BOW_TAIL_BONES + 1] = {
    {{0.1f, 11.95f, 1.06f}}, {{0.38f, 10.95f, 1.66f}}, {{0.6f, 9.9f, 2.16f}}, {{0.76f, 8.75f, 2.54f}}};

static const rig_spec knot_bone = {
    "帯結び", "bow", "帯", {{0, 12.1f, 1.02f}}, NULL, {{0, 0, 0.6f}}, .panel = PANEL_CLOTHES};

/* The tails start at the knot, which rotates by half of the trunk's bend, but they hang over the skirt. This
 * bone cancels that half. */
static const rig_spec tail_helper = {.name = "帯尾補助",
                                     .name_en = "bow tail helper",
                                     .parent = "帯結び",
                                     .position = {{0, 12.1f, 1.02f}},
                                     .flags = RIG_HIDDEN | RIG_APPEND_ROTATION,
                                     .source = "上半身",
                                     .ratio = -0.5f,
                                     .panel = PANEL_NONE};

/* Append source of a chain's bones; NULL for none. */
typedef struct chain_row {
    const char *source;
    float ratio;
    unsigned flags;
} chain_row;

static const chain_row loop_rows[BOW_LOOP_BONES] = {{NULL, 0, 0}, {NULL, 0, 0}};
/* The second bone makes room for a leg that moves back, like the skirt below it. */
static const chain_row tail_rows[BOW_TAIL_BONES] = {{"下半身", 0.5f, RIG_APPEND_ROTATION},
                                                    {"左足", 0.25f, RIG_APPEND_ROTATION | RIG_LATE},
                                                    {NULL, 0, RIG_LATE}};

static void add_chain(rig *r, const char *name, const char *name_en, const char *parent, const vec3 *heads,
                      const chain_row *rows, int count)
{
    for (int i = 0; i < count; i++) {
        rig_spec spec = {.name = tool_text(r->arena, "%s%d", name, i + 1),
                         .name_en = tool_text(r->arena, "%s%d_L", name_en, i + 1),
                         .parent = parent,
                         .position = heads[i],
                         .flags = rows[i].flags,
                         .source = rows[i].source,
                         .ratio = rows[i].ratio,
                         .panel = PANEL_CLOTHES};
        if (i + 1 < count)
            spec.tail = tool_text(r->arena, "%s%d", name, i + 2);
        else
            spec.tail_offset = vec3_sub(heads[i + 1], heads[i]);
        rig_add_pair(r, &spec);
        parent = spec.name;
    }
}

void bow_rig(rig *r)
{
    rig_add(r, &knot_bone);
    rig_add(r, &tail_helper);
    add_chain(r, "左帯", "bow loop", knot_bone.name, bow_loop_heads, loop_rows, BOW_LOOP_BONES);
    add_chain(r, "左帯尾", "bow tail", tail_helper.name, bow_tail_heads, tail_rows, BOW_TAIL_BONES);
}

/*
 * Returns weights along a chain: the bone before the first head, then each bone in the middle of its length.
 */
static cage_skin chain_skin(const rig *r, const char *name, int count, float t)
{
    int32_t before = rig_find(r, knot_bone.name);
    float at = t * (float)count + 0.5f;
    int i = (int)at < count ? (int)at : count;
    float blend = i == count ? 1 : at - (float)i;
    int32_t bones[2] = {before, before};
    for (int k = 0; k < 2; k++) {
        int n = i + k > count ? count : i + k;
        if (n > 0)
            bones[k] = rig_find(r, tool_text(r->arena, "%s%d", name, n));
    }
    return bones[0] == bones[1] ? skin1(bones[0]) : skin2(bones[0], bones[1], blend);
}

/* --- loops --- */

/* The path of a loop, seen from above, in a plane that rises outward: distance outward, distance back, and
 * half of the ribbon's width. */
static const float loop_out[] = {0.02f, 0.32f, 0.74f, 1.16f, 1.52f, 1.68f, 1.52f, 1.16f, 0.74f, 0.32f, 0.02f};
static const float loop_back[] = {0.15f,  0.27f,  0.40f,  0.44f,  0.34f, 0.10f,
                                  -0.07f, -0.10f, -0.08f, -0.04f, 0.02f};
static const float loop_wide[] = {0.13f, 0.25f, 0.43f, 0.57f, 0.64f, 0.64f,
                                  0.60f, 0.51f, 0.38f, 0.24f, 0.12f};
enum { LOOP_ROWS = TOOL_COUNT(loop_out), LOOP_STEPS = 15 };

static vec3 loop_centre(float s)
{
    const vec3 out = vec3_normalize(vec3_sub(bow_loop_heads[2], bow_loop_heads[0]));
    vec3 p = vec3_add(knot, vec3_scale(out, spline_at(loop_out, LOOP_ROWS, s)));
    p.z += spline_at(loop_back, LOOP_ROWS, s);
    return p;
}

static ribbon_section loop_section(const rig *r, float s)
{
    const vec3 rise = vec3_normalize(vec3_sub(bow_loop_heads[2], bow_loop_heads[0]));
    vec3 along = vec3_normalize(vec3_sub(loop_centre(s + 0.01f), loop_centre(s - 0.01f)));
    vec3 up = vec3_normalize((vec3){{-rise.y, rise.x, 0.12f}});
    vec3 out = vec3_normalize(vec3_cross(along, up));
    float wide = spline_at(loop_wide, LOOP_ROWS, s);
    float outward = spline_at(loop_out, LOOP_ROWS, s) / 1.66f;
    return (ribbon_section){
        .centre = loop_centre(s),
        .across = vec3_scale(up, wide),
        .out = out,
        .thick = 0.06f,
        .belly = wide * (0.12f + 0.3f * smoothstep(0.6f, 1, outward)),
        .gather = 0.05f * smoothstep(0, 0.3f, outward) * (1 - smoothstep(0.25f, 0.75f, outward)),
        .v = 0.04f + 0.72f * (s < 0.5f ? 2 * s : 2 - 2 * s),
        .edge = 1,
        .skin = chain_skin(r, "左帯", BOW_LOOP_BONES, outward),
    };
}

static void add_loops(dancer *d)
{
    cage c;
    ribbon_section sections[LOOP_STEPS];
    cage_init(&c, &d->arena);
    for (int i = 0; i < LOOP_STEPS; i++)
        sections[i] = loop_section(&d->rig, (float)i / (LOOP_STEPS - 1));
    ribbon_sweep(&c, sections, LOOP_STEPS, MATERIAL_BOW);
    cage_mirror(&c, &d->rig, false);
    cage fine = cage_subdivide(&c, 1, &d->arena);
    dancer_add(d, "bow loops", &fine);
}

/* --- tails --- */

enum { TAIL_STEPS = 10 };

static vec3 tail_centre(float t)
{
    vec3 p;
    for (int axis = 0; axis < 3; axis++) {
        float values[BOW_TAIL_BONES + 1];
        for (int i = 0; i <= BOW_TAIL_BONES; i++)
            values[i] = bow_tail_heads[i].raw[axis];
        p.raw[axis] = spline_at(values, BOW_TAIL_BONES + 1, t);
    }
    return p;
}

static ribbon_section tail_section(const rig *r, float t)
{
    vec3 along = vec3_normalize(vec3_sub(tail_centre(t + 0.02f), tail_centre(t - 0.02f)));
    vec3 across = vec3_normalize((vec3){{1, 0.1f, -0.3f * t}});
    vec3 out = vec3_normalize(vec3_cross(along, across));
    if (out.z < 0)
        out = vec3_negate(out);
    float wide = 0.12f + 0.3f * smoothstep(0, 0.6f, t);
    return (ribbon_section){
        .centre = tail_centre(t),
        .across = vec3_scale(across, wide),
        .out = out,
        .thick = 0.05f,
        .belly = 0.05f,
        .gather = 0.035f * (1 - smoothstep(0, 0.4f, t)),
        .cut = vec3_scale(along, 0.3f * smoothstep(0.8f, 1, t)),
        .v = t,
        .edge = 1,
        .skin = chain_skin(r, "左帯尾", BOW_TAIL_BONES, t),
    };
}

static void add_tails(dancer *d)
{
    cage c;
    ribbon_section sections[TAIL_STEPS];
    cage_init(&c, &d->arena);
    for (int i = 0; i < TAIL_STEPS; i++)
        sections[i] = tail_section(&d->rig, (float)i / (TAIL_STEPS - 1));
    ribbon_sweep(&c, sections, TAIL_STEPS, MATERIAL_BOW);
    cage_mirror(&c, &d->rig, false);
    cage fine = cage_subdivide(&c, 1, &d->arena);
    dancer_add(d, "bow tails", &fine);
}

/* --- knot --- */

static void add_knot(dancer *d)
{
    static const struct {
        float y, wide, deep;
    } rows[] = {{0.30f, 0.16f, 0.16f},
                {0.26f, 0.23f, 0.23f},
                {0.0f, 0.25f, 0.27f},
                {-0.26f, 0.23f, 0.23f},
                {-0.33f, 0.18f, 0.17f}};
    enum { ROWS = TOOL_COUNT(rows), SIDES = 12 };
    cage_section sections[ROWS];
    cage c;
    cage_init(&c, &d->arena);
    for (int i = 0; i < ROWS; i++)
        sections[i] = (cage_section){
            .centre = {{0, knot.y + rows[i].y, knot.z + 0.06f}},
            .x = {{rows[i].wide, 0, 0}},
            .y = {{0, 0, rows[i].deep}},
            .square = 0.35f,
            .v = 0.05f + 0.1f * (float)i,
            .skin = skin1(rig_find(&d->rig, knot_bone.name)),
            .material = MATERIAL_BOW,
        };
    cage_tube(&c, sections, ROWS, SIDES, 0.2f);
    cage fine = cage_subdivide(&c, 1, &d->arena);
    dancer_add(d, "bow knot", &fine);
}

void bow_add(dancer *d)
{
    add_loops(d);
    add_tails(d);
    add_knot(d);
}
