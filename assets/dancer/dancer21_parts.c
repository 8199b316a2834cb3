/* Surfaces of the second file: sparks (points) around the hair's ribbon, an ornament at the obi (a cord of
 * lines, a bead and a bell), and a sheer scarf behind her shoulders. */
#include "dancer21.h"

#include <math.h>
#include <string.h>

#include "cloth/skirt.h"
#include "mesh/spline.h"
#include "tool.h"

static const vec4 white = {{1, 1, 1, 1}};

/* --- ornament --- */

/* The ornament hangs in front of the skirt's first column on her left. */
static const float ornament_azimuth = 2 * PI / SKIRT_COLUMNS;

vec3 dancer21_cord(float t)
{
    enum { STOPS = 5 };
    const vec3 out = {{0.17f * mmd_sinf(ornament_azimuth), 0, -0.17f * mmd_cosf(ornament_azimuth)}};
    const float heights[STOPS - 2] = {11.15f, 10.65f, 10.15f};
    vec3 stops[STOPS] = {obi_point(ornament_azimuth, 11.98f, 0.05f),
                         obi_point(ornament_azimuth, 11.5f, 0.1f)};
    vec3 p;
    for (int i = 2; i < STOPS; i++)
        stops[i] = vec3_add(skirt_point(ornament_azimuth, heights[i - 2]), out);
    for (int axis = 0; axis < 3; axis++) {
        float values[STOPS];
        for (int i = 0; i < STOPS; i++)
            values[i] = stops[i].raw[axis];
        p.raw[axis] = spline_at(values, STOPS, t);
    }
    return p;
}

/* Lists new bones in the display frame of the clothes. */
static void list_bones(dancer21 *b, uint32_t first)
{
    mmd_model *model = b->model;
    for (uint32_t f = 0; f < model->frame_count; f++) {
        mmd_display_frame *frame = &model->frames[f];
        if (strcmp(frame->name, "服") != 0)
            continue;
        mmd_frame_item *items =
            tool_alloc(&b->d->arena, frame->count + model->bone_count - first, sizeof *items);
        if (frame->count)
            memcpy(items, frame->items, frame->count * sizeof *items);
        for (uint32_t i = first; i < model->bone_count; i++)
            items[frame->count++] = (mmd_frame_item){0, (int32_t)i};
        frame->items = items;
    }
}

void dancer21_rig(dancer21 *b)
{
    const vec3 head = dancer21_cord(0.25f), bead = dancer21_cord(DANCER21_BEAD_AT), end = dancer21_cord(1);
    const rig_spec specs[] = {
        {"飾り紐", "ornament cord", "左スカート1-1", head, NULL, vec3_sub(end, head), RIG_LATE,
         .panel = PANEL_CLOTHES},
        {"緒締",
         "ornament bead",
         "飾り紐",
         bead,
         NULL,
         {{0, 0, 0}},
         RIG_LATE | RIG_MOVES,
         .panel = PANEL_CLOTHES},
        {"鈴", "ornament bell", "飾り紐", end, NULL, {{0, -0.3f, 0}}, RIG_LATE, .panel = PANEL_CLOTHES},
    };
    uint32_t first = b->d->rig.count;
    for (size_t i = 0; i < TOOL_COUNT(specs); i++)
        rig_add(&b->d->rig, &specs[i]);
    b->model->bone_count = b->d->rig.count;
    list_bones(b, first);
}

/* Adds two strands twisted around each other. A line is a face with two different corners. */
static void add_cord(dancer21 *b)
{
    enum { STEPS = 60, STRANDS = 2 };
    mmd_material material = b->model->materials[MATERIAL_GOLD];
    material.name = "飾り紐";
    material.name_en = "ornament cord";
    material.flags = MMD_MATERIAL_LINES | MMD_MATERIAL_VERTEX_COLOR;
    material.texture = material.sphere = material.toon = -1;
    material.sphere_mode = MMD_SPHERE_NONE;
    memset(material.specular, 0, sizeof material.specular);
    dancer21_add_material(b, &material);
    int32_t bone = rig_find(&b->d->rig, "飾り紐");
    for (int strand = 0; strand < STRANDS; strand++) {
        uint32_t before = 0;
        for (int i = 0; i <= STEPS; i++) {
            float t = (float)i / STEPS, turn = 40 * t + PI * (float)strand;
            vec3 p = dancer21_cord(t);
            const vec3 off = {{0.022f * mmd_cosf(turn), 0, 0.022f * mmd_sinf(turn)}};
            const vec4 color = strand ? (vec4){{0.90f, 0.35f, 0.26f, 1}} : (vec4){{0.96f, 0.80f, 0.45f, 1}};
            const dancer21_vertex v = {vec3_add(p, off), {{0, 0, -1}}, {{0.5f, t}}, color, bone};
            uint32_t point = dancer21_add_vertex(b, &v);
            if (i > 0)
                dancer21_add_triangle(b, before, point, before);
            before = point;
        }
    }
}

/* Adds a ball: a short tube, subdivided. */
static void add_ball(dancer21 *b, vec3 centre, float radius, const char *bone, vec4 color)
{
    enum { ROWS = 3, SIDES = 6 };
    cage_section sections[ROWS];
    cage c;
    int32_t index = rig_find(&b->d->rig, bone);
    cage_init(&c, &b->d->arena);
    for (int i = 0; i < ROWS; i++) {
        float angle = 0.9f * (float)(i - 1), wide = 1.15f * radius * mmd_cosf(angle);
        sections[i] =
            (cage_section){.centre = {{centre.x, centre.y + 1.15f * radius * mmd_sinf(angle), centre.z}},
                           .x = {{wide, 0, 0}},
                           .y = {{0, 0, wide}},
                           .v = 0.7f - 0.25f * (float)i,
                           .skin = skin1(index),
                           .material = MATERIAL_GOLD};
    }
    cage_tube(&c, sections, ROWS, SIDES, 0.4f);
    cage fine = cage_subdivide(&c, 1, &b->d->arena);
    cage_orient(&fine);
    const vec3 *normals = cage_normals(&fine, &b->d->arena);
    uint32_t first = b->model->vertices.count;
    for (int32_t i = 0; i < fine.point_count; i++) {
        float v = 0.5f - 0.35f * normals[i].y;
        dancer21_add_vertex(b, &(dancer21_vertex){fine.points[i], normals[i], {{0.5f, v}}, color, index});
    }
    for (int32_t f = 0; f < fine.face_count; f++) { /* after a subdivision all faces are quads */
        const int32_t *p = fine.faces[f].point;
        dancer21_add_triangle(b, first + (uint32_t)p[0], first + (uint32_t)p[1], first + (uint32_t)p[2]);
        dancer21_add_triangle(b, first + (uint32_t)p[0], first + (uint32_t)p[2], first + (uint32_t)p[3]);
    }
}

static void add_ornament(dancer21 *b)
{
    mmd_material material = b->model->materials[MATERIAL_GOLD];
    const vec3 end = dancer21_cord(1);
    add_cord(b);
    material.name = "鈴";
    material.name_en = "bell";
    material.flags |= MMD_MATERIAL_VERTEX_COLOR;
    dancer21_add_material(b, &material);
    add_ball(b, dancer21_cord(DANCER21_BEAD_AT), 0.065f, "緒締", (vec4){{1, 0.52f, 0.46f, 1}});
    add_ball(b, (vec3){{end.x, end.y - 0.1f, end.z}}, 0.12f, "鈴", white);
}

/* --- sparks --- */

/* Returns the middle of the ribbon that ties the hair. */
static vec3 ribbon_middle(const dancer *d)
{
    vec3 low = {{1e9f, 1e9f, 1e9f}}, high = {{-1e9f, -1e9f, -1e9f}};
    for (uint32_t i = 0; i < d->vertex_count; i++)
        if (d->vertices[i].material == MATERIAL_RIBBON) {
            low = vec3_min(low, d->vertices[i].position);
            high = vec3_max(high, d->vertices[i].position);
        }
    if (low.x > high.x)
        return rig_at(&d->rig, "両目");
    return vec3_scale(vec3_add(low, high), 0.5f);
}

/* Adds points in a ball, distributed by the golden angle, alternately nearer and farther. */
static void add_sparks(dancer21 *b)
{
    enum { SPARKS = 48, TINTS = 3 };
    static const vec4 tints[TINTS] = {{{1, 0.95f, 0.75f, 1}}, {{1, 0.80f, 0.82f, 0.9f}}, {{1, 1, 1, 0.9f}}};
    const mmd_material material = {
        .name = "煌めき",
        .name_en = "sparks",
        .memo = "",
        .diffuse = {1, 1, 1, 0.95f},
        .ambient = {0.4f, 0.4f, 0.4f},
        .edge_color = {1, 1, 1, 1},
        .edge_size = 4, /* point size in pixels */
        .flags = MMD_MATERIAL_POINTS | MMD_MATERIAL_VERTEX_COLOR | MMD_MATERIAL_TWO_SIDED,
        .texture = -1,
        .sphere = -1,
        .toon = -1,
    };
    const vec3 middle = ribbon_middle(b->d);
    uint32_t first = b->model->vertices.count;
    int32_t bone = rig_find(&b->d->rig, "頭");
    dancer21_add_material(b, &material);
    for (int i = 0; i < SPARKS; i++) {
        float y = 1 - 2 * ((float)i + 0.5f) / SPARKS, turn = 2.3999632f * (float)i;
        float wide = sqrtf(1 - y * y), far = 1.05f + 0.25f * (float)(i * 7 % 5);
        const vec3 out = {{wide * mmd_cosf(turn), y, wide * mmd_sinf(turn)}};
        const dancer21_vertex v = {
            vec3_add(middle, vec3_scale(out, far)), out, {{0, 0}}, tints[i % TINTS], bone};
        dancer21_add_vertex(b, &v);
    }
    for (uint32_t i = 0; i < SPARKS; i += 3)
        dancer21_add_triangle(b, first + i, first + i + 1, first + i + 2);
}

/* --- scarf --- */

/* Returns a point of the scarf: s from -1, her right end, to 1; w across it from -1 to 1. The ends rise and
 * wave. */
static vec3 scarf_point(float s, float w)
{
    float end = s * s * s * s;
    float wide = 0.55f - 0.15f * s * s, lean = 0.35f * mmd_sinf(4 * s);
    vec3 p = {{3.3f * s - 0.3f * s * end, 13.3f + 3.2f * s * s + 0.9f * end, 2.0f - 1.3f * s * s}};
    p.x += 0.15f * mmd_sinf(11 * s) * s * s;
    p.z += 0.25f * mmd_sinf(10 * fabsf(s)) * s * s;
    p.y += wide * w * mmd_cosf(lean);
    p.z += wide * w * mmd_sinf(lean) - 0.1f * (1 - w * w);
    return p;
}

static vec3 scarf_normal(float s, float w)
{
    const float step = 0.01f;
    vec3 along = vec3_sub(scarf_point(s + step, w), scarf_point(s - step, w));
    vec3 across = vec3_sub(scarf_point(s, w + step), scarf_point(s, w - step));
    return vec3_normalize(vec3_cross(along, across));
}

static void add_scarf_vertices(dancer21 *b)
{
    int32_t bone = rig_find(&b->d->rig, "上半身2");
    for (int i = 0; i < DANCER21_SCARF_ROWS; i++)
        for (int k = 0; k < DANCER21_SCARF_ACROSS; k++) {
            float s = 2 * (float)i / (DANCER21_SCARF_ROWS - 1) - 1;
            float w = 2 * (float)k / (DANCER21_SCARF_ACROSS - 1) - 1;
            /* factor for fading at the ends, and for the change from cream to rose */
            float end = s * s * s * s;
            const vec4 color = {{1, 0.97f - 0.3f * s * s, 0.92f - 0.2f * s * s, 1 - 0.7f * end}};
            const dancer21_vertex v = {
                scarf_point(s, w), scarf_normal(s, w), {{0.5f + 0.5f * s, 0.5f + 0.5f * w}}, color, bone};
            dancer21_add_vertex(b, &v);
        }
}

static int32_t add_scarf(dancer21 *b, uint32_t *first)
{
    mmd_material material = b->model->materials[MATERIAL_BOW];
    material.name = "羽衣";
    material.name_en = "scarf";
    material.texture = material.sphere = material.toon = -1;
    material.sphere_mode = MMD_SPHERE_NONE;
    material.diffuse[3] = 0.85f;
    material.edge_size = 0;
    material.flags = MMD_MATERIAL_TWO_SIDED | MMD_MATERIAL_VERTEX_COLOR;
    int32_t index = dancer21_add_material(b, &material);
    *first = b->model->vertices.count;
    add_scarf_vertices(b);
    for (uint32_t i = 0; i + 1 < DANCER21_SCARF_ROWS; i++)
        for (uint32_t k = 0; k + 1 < DANCER21_SCARF_ACROSS; k++) {
            uint32_t at = *first + i * DANCER21_SCARF_ACROSS + k, next = at + DANCER21_SCARF_ACROSS;
            dancer21_add_triangle(b, at, next, next + 1);
            dancer21_add_triangle(b, at, next + 1, at + 1);
        }
    return index;
}

int32_t dancer21_surfaces(dancer21 *b, uint32_t *scarf)
{
    add_ornament(b);
    add_sparks(b);
    return add_scarf(b, scarf);
}
