/*
 * The hand. The wrist's six points widen to a palm; where it ends, four quads
 * side by side become the fingers, which share the edges between them as
 * webs. The thumb grows out of the palm's front side.
 */
#include "body.h"

#include <string.h>

#include "paint/textures.h"
#include "tool.h"

enum { FINGERS = 4, WEBS = FINGERS + 1, SECTIONS = 7, CORNERS = 4 };

static const vec2 plain = {{0.5f, 0.5f}};

/* A section of a digit: its bone, the position along that bone, half the width and height, and how far it
 * droops. */
typedef struct section {
    int digit;
    float along; /* 0: start of the bone, 1: its end */
    float wide, high, droop;
    /* weight of the previous bone (for the first one: the wrist), so that a joint bends half way */
    float before;
} section;

static const section finger_sections[SECTIONS] = {
    {0, 0.38f, 0.114f, 0.110f, -0.004f, 0.15f}, {0, 0.72f, 0.106f, 0.100f, 0.0f, 0.0f},
    {1, 0.0f, 0.104f, 0.102f, 0.0f, 0.5f},      {1, 0.5f, 0.096f, 0.090f, 0.010f, 0.0f},
    {2, 0.0f, 0.092f, 0.088f, 0.018f, 0.5f},    {2, 0.55f, 0.080f, 0.070f, 0.034f, 0.0f},
    {2, 1.06f, 0.040f, 0.034f, 0.056f, 0.0f},
};
static const section thumb_sections[SECTIONS] = {
    {0, 0.62f, 0.130f, 0.138f, 0.0f, 0.15f},  {0, 0.90f, 0.118f, 0.126f, 0.0f, 0.0f},
    {1, 0.14f, 0.112f, 0.114f, 0.0f, 0.4f},   {1, 0.5f, 0.106f, 0.100f, 0.0f, 0.0f},
    {2, 0.0f, 0.106f, 0.096f, 0.0f, 0.5f},    {2, 0.55f, 0.096f, 0.080f, 0.006f, 0.0f},
    {2, 1.10f, 0.046f, 0.036f, 0.022f, 0.0f},
};

/* The axes of a digit: along it, across it (from the front to the back), and toward the nail. */
typedef struct digit_frame {
    int32_t wrist, bones[3];
    vec3 starts[4]; /* of the three bones, and the end of the last one */
    vec3 across, nail;
} digit_frame;

static digit_frame find_digit(const rig *r, const char *name, const char *const digits[3], vec3 nail)
{
    digit_frame f = {.wrist = rig_find(r, "左手首")};
    for (int i = 0; i < 3; i++) {
        f.bones[i] = rig_find(r, tool_text(r->arena, "%s%s", name, digits[i]));
        f.starts[i] = rig_at(r, r->bones[f.bones[i]].name);
    }
    const float *end = r->bones[f.bones[2]].tail_offset;
    f.starts[3] = vec3_add(f.starts[2], (vec3){{end[0], end[1], end[2]}});
    vec3 along = vec3_normalize(vec3_sub(f.starts[3], f.starts[0]));
    f.across = vec3_normalize(vec3_cross(along, nail));
    f.nail = vec3_cross(f.across, along);
    return f;
}

/* Adds four points: front and upper, back and upper, back and lower, front and lower. */
static void add_section(body_build *b, const digit_frame *f, const section *s, int32_t points[CORNERS])
{
    static const float sides[CORNERS][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    vec3 step = vec3_sub(f->starts[s->digit + 1], f->starts[s->digit]);
    vec3 middle = vec3_add(f->starts[s->digit], vec3_scale(step, s->along));
    middle = vec3_sub(middle, vec3_scale(f->nail, s->droop));
    cage_skin skin = skin1(f->bones[s->digit]);
    if (s->before > 0)
        skin = skin2(s->digit > 0 ? f->bones[s->digit - 1] : f->wrist, f->bones[s->digit], 1 - s->before);
    for (int k = 0; k < CORNERS; k++) {
        vec3 p = vec3_add(middle, vec3_scale(f->across, sides[k][0] * s->wide * 0.75f));
        p = vec3_add(p, vec3_scale(f->nail, sides[k][1] * s->high * 0.75f));
        points[k] = cage_point(&b->c, p, skin);
        b->c.edge[points[k]] = 0.6f;
    }
}

/* Maps the nail's picture to the last face on the upper side. */
static void paint_nail(cage *c, int face)
{
    const float x = TEXTURE_NAIL_SIZE, left = TEXTURE_NAIL_U, top = TEXTURE_NAIL_V;
    const vec2 uv[4] = {{{left, top + x}}, {{left + x, top + x}}, {{left + x, top}}, {{left, top}}};
    memcpy(c->faces[face].uv, uv, sizeof uv);
}

static void add_digit(body_build *b, const digit_frame *f, const section sections[SECTIONS],
                      const int32_t base[CORNERS])
{
    static const float u[CORNERS + 1] = {0.5f, 0.5f, 0.5f, 0.5f, 0.5f};
    int32_t rings[SECTIONS + 1][CORNERS];
    for (int k = 0; k < CORNERS; k++)
        rings[0][k] = base[k];
    for (int i = 0; i < SECTIONS; i++) {
        add_section(b, f, &sections[i], rings[i + 1]);
        body_bridge(&b->c, rings[i], rings[i + 1],
                    &(body_strip){u, 0.5f, 0.5f, CORNERS, true, MATERIAL_SKIN});
    }
    paint_nail(&b->c, b->c.face_count - CORNERS);
    const int32_t *tip = rings[SECTIONS];
    body_plain_quad(&b->c, tip[0], tip[1], tip[2], tip[3], plain, MATERIAL_SKIN);
}

/* Adds a point of the palm: position along the arm, across it, and z. */
static int32_t palm_point(body_build *b, float along, float up, float z)
{
    return cage_point(&b->c, rig_on_arm(along, up, z), skin1(rig_find(b->r, "左手首")));
}

/* Adds the six points of a flat ring; at: half its thickness, and its front and back ends. */
static void palm_ring(body_build *b, const float at[4], int32_t ring[ARM_SIDES])
{
    float along = at[0], thick = at[1], front = at[2], back = at[3], middle = 0.5f * (front + back);
    ring[ARM_BOTTOM] = palm_point(b, along, -1.15f * thick, middle);
    ring[ARM_BOTTOM_BACK] = palm_point(b, along, -0.6f * thick, back);
    ring[ARM_TOP_BACK] = palm_point(b, along, 0.6f * thick, back);
    ring[ARM_TOP] = palm_point(b, along, thick, middle);
    ring[ARM_TOP_FRONT] = palm_point(b, along, 0.6f * thick, front);
    ring[ARM_BOTTOM_FRONT] = palm_point(b, along, -0.6f * thick, front);
}

static const char *const finger_names[FINGERS] = {"左人指", "左中指", "左薬指", "左小指"};

/* The webs: position along the arm on the back of the hand and in the palm, z, and half the thickness there.
 * The first and the last are the edges of the hand. */
static const float webs[WEBS][4] = {
    {5.86f, 5.88f, -0.270f, 0.082f}, {5.98f, 6.01f, -0.050f, 0.092f}, {6.01f, 6.04f, 0.205f, 0.094f},
    {5.95f, 5.98f, 0.442f, 0.088f},  {5.80f, 5.82f, 0.630f, 0.072f},
};

/* The palm's side of a web folds with the finger beside it. */
static void add_webs(body_build *b, int32_t upper[WEBS], int32_t lower[WEBS])
{
    int32_t wrist = rig_find(b->r, "左手首");
    for (int i = 0; i < WEBS; i++) {
        const char *finger = finger_names[i < FINGERS ? i : FINGERS - 1];
        int32_t bone = rig_find(b->r, tool_text(b->r->arena, "%s１", finger));
        upper[i] = palm_point(b, webs[i][0], webs[i][3], webs[i][2]);
        lower[i] = palm_point(b, webs[i][1], -webs[i][3], webs[i][2]);
        cage_set_skin(&b->c, lower[i], skin2(wrist, bone, 0.35f));
    }
}

/* Turns two quads into four: joins a row of three points to one of five, with a triangle at either end. */
static void split_row(cage *c, const int32_t three[3], const int32_t five[WEBS])
{
    for (int side = 0; side < 2; side++) {
        int outer = side ? 2 : 0, first = side ? 4 : 0, second = side ? 3 : 1;
        const vec2 uv[4] = {plain, plain, plain, plain};
        cage_quad(c, three[outer], five[first], five[second], CAGE_NONE, uv, MATERIAL_SKIN);
        body_plain_quad(c, three[outer], five[second], five[2], three[1], plain, MATERIAL_SKIN);
    }
}

/* Adds the faces between two rings of the palm, without the front one where the thumb grows. */
static void palm_strip(body_build *b, const int32_t *a, const int32_t *z, bool thumb)
{
    for (int i = 0; i < ARM_SIDES; i++) {
        int j = (i + 1) % ARM_SIDES;
        if (!thumb || i != ARM_TOP_FRONT)
            body_plain_quad(&b->c, a[i], a[j], z[j], z[i], plain, MATERIAL_SKIN);
    }
}

static void add_thumb(body_build *b, const int32_t *a, const int32_t *z)
{
    static const char *const digits[3] = {"０", "１", "２"};
    /* The nail looks forward and up: the thumb stands across the other fingers. */
    vec3 nail = vec3_normalize(vec3_sub(rig_on_arm(0.55f, 0.75f, -0.35f), rig_on_arm(0, 0, 0)));
    digit_frame f = find_digit(b->r, "左親指", digits, nail);
    const int32_t base[CORNERS] = {a[ARM_TOP_FRONT], z[ARM_TOP_FRONT], z[ARM_BOTTOM_FRONT],
                                   a[ARM_BOTTOM_FRONT]};
    for (int k = 0; k < CORNERS; k++)
        cage_set_skin(&b->c, base[k], skin2(rig_find(b->r, "左手首"), f.bones[0], 0.25f));
    add_digit(b, &f, thumb_sections, base);
}

static void add_fingers(body_build *b, const int32_t upper[WEBS], const int32_t lower[WEBS])
{
    static const char *const digits[3] = {"１", "２", "３"};
    vec3 nail = vec3_sub(rig_on_arm(0, 1, 0), rig_on_arm(0, 0, 0));
    for (int i = 0; i < FINGERS; i++) {
        digit_frame f = find_digit(b->r, finger_names[i], digits, nail);
        const int32_t base[CORNERS] = {upper[i], upper[i + 1], lower[i + 1], lower[i]};
        add_digit(b, &f, finger_sections, base);
    }
}

void body_hand(body_build *b, const int32_t wrist[ARM_SIDES])
{
    static const float rings[2][4] = {{5.31f, 0.160f, -0.235f, 0.385f}, {5.62f, 0.150f, -0.21f, 0.52f}};
    int32_t heel[ARM_SIDES], palm[ARM_SIDES], upper[WEBS], lower[WEBS];
    palm_ring(b, rings[0], heel);
    palm_ring(b, rings[1], palm);
    add_webs(b, upper, lower);
    palm_strip(b, wrist, heel, false);
    palm_strip(b, heel, palm, true);
    const int32_t top[3] = {palm[ARM_TOP_FRONT], palm[ARM_TOP], palm[ARM_TOP_BACK]};
    const int32_t bottom[3] = {palm[ARM_BOTTOM_FRONT], palm[ARM_BOTTOM], palm[ARM_BOTTOM_BACK]};
    split_row(&b->c, top, upper);
    split_row(&b->c, bottom, lower);
    body_plain_quad(&b->c, top[0], upper[0], lower[0], bottom[0], plain, MATERIAL_SKIN);
    body_plain_quad(&b->c, top[2], upper[4], lower[4], bottom[2], plain, MATERIAL_SKIN);
    add_fingers(b, upper, lower);
    add_thumb(b, heel, palm);
}
