/* Builds the model from the dancer's parts: vertices, faces, display frames. */
#include "dancer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "paint/materials.h"
#include "rig/morphs.h"
#include "tool.h"

/* Vertices made from one point of a cage, one for each combination of UV and material, as a linked list. */
typedef struct split {
    uint32_t vertex;
    int32_t next; /* next in the list; CAGE_NONE for the last */
} split;

typedef struct emitter {
    dancer *d;
    const cage *c;
    const vec3 *normals;
    int32_t *first; /* by point: first element in splits */
    split *splits;
    uint32_t split_count, split_capacity;
} emitter;

static bool same_uv(vec2 a, vec2 b)
{
    return fabsf(a.x - b.x) < 1e-5f && fabsf(a.y - b.y) < 1e-5f;
}

static void put_weight(dancer_vertex *v, int32_t bone, float weight)
{
    int lightest = 0;
    for (int i = 1; i < 4; i++)
        if (v->weight[i] < v->weight[lightest])
            lightest = i;
    if (weight > v->weight[lightest]) {
        v->bone[lightest] = bone;
        v->weight[lightest] = weight;
    }
}

/* Sorts weights in descending order, drops those under half a percent, and normalises the sum to 1. */
static void sort_weights(dancer_vertex *v)
{
    float sum = 0;
    for (int i = 1; i < 4; i++)
        for (int k = i; k > 0 && v->weight[k] > v->weight[k - 1]; k--) {
            float w = v->weight[k];
            int32_t b = v->bone[k];
            v->weight[k] = v->weight[k - 1];
            v->bone[k] = v->bone[k - 1];
            v->weight[k - 1] = w;
            v->bone[k - 1] = b;
        }
    for (int i = 0; i < 4; i++) {
        if (v->weight[i] < 0.005f) {
            v->weight[i] = 0;
            v->bone[i] = -1;
        }
        sum += v->weight[i];
    }
    for (int i = 0; i < 4 && sum > 0; i++)
        v->weight[i] /= sum;
}

static void add_offsets(emitter *e, int32_t point, uint32_t vertex)
{
    for (int m = 0; m < MORPH_COUNT; m++) {
        if (!e->c->morphs[m] || vec3_length(e->c->morphs[m][point]) < 1e-4f)
            continue;
        vec3 o = e->c->morphs[m][point];
        dancer_offset_add(e->d, (morph_id)m, vertex, (const float[4]){o.x, o.y, o.z, 0});
    }
}

static uint32_t add_vertex(emitter *e, const char *part, int32_t point, vec2 uv, uint8_t material)
{
    dancer *d = e->d;
    dancer_vertex *v = TOOL_PUSH(d->vertices, d->vertex_count, d->vertex_capacity);
    *v = (dancer_vertex){.position = e->c->points[point],
                         .normal = e->normals[point],
                         .uv = uv,
                         .edge = e->c->edge[point],
                         .bone = {-1, -1, -1, -1},
                         .material = material};
    for (uint32_t b = 0; b < d->rig.count; b++)
        if (e->c->weights[b] && e->c->weights[b][point] > 0)
            put_weight(v, (int32_t)b, e->c->weights[b][point]);
    sort_weights(v);
    if (v->bone[0] < 0)
        tool_die("%s: the point at (%.3f, %.3f, %.3f) follows no bone", part, (double)v->position.x,
                 (double)v->position.y, (double)v->position.z);
    add_offsets(e, point, d->vertex_count - 1);
    return d->vertex_count - 1;
}

static uint32_t corner_vertex(emitter *e, const char *part, const cage_face *face, int corner)
{
    int32_t point = face->point[corner];
    for (int32_t i = e->first[point]; i != CAGE_NONE; i = e->splits[i].next) {
        const dancer_vertex *v = &e->d->vertices[e->splits[i].vertex];
        if (v->material == face->material && same_uv(v->uv, face->uv[corner]))
            return e->splits[i].vertex;
    }
    uint32_t vertex = add_vertex(e, part, point, face->uv[corner], face->material);
    split *s = TOOL_PUSH(e->splits, e->split_count, e->split_capacity);
    *s = (split){vertex, e->first[point]};
    e->first[point] = (int32_t)e->split_count - 1;
    return vertex;
}

static void add_triangle(dancer *d, uint8_t material, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        *TOOL_PUSH(d->triangles[material], d->triangle_count[material], d->triangle_capacity[material]) =
            corners[i];
}

static void add_face(emitter *e, const char *part, const cage_face *face)
{
    uint32_t v[4];
    int n = face->point[3] == CAGE_NONE ? 3 : 4;
    for (int k = 0; k < n; k++)
        v[k] = corner_vertex(e, part, face, k);
    const vec3 *p = e->c->points;
    /* Split along the shorter diagonal, which bends less. */
    if (n == 4 && vec3_distance(p[face->point[0]], p[face->point[2]]) >
                      vec3_distance(p[face->point[1]], p[face->point[3]])) {
        add_triangle(e->d, face->material, v[0], v[1], v[3]);
        add_triangle(e->d, face->material, v[1], v[2], v[3]);
        return;
    }
    add_triangle(e->d, face->material, v[0], v[1], v[2]);
    if (n == 4)
        add_triangle(e->d, face->material, v[0], v[2], v[3]);
}

dancer_range dancer_add(dancer *d, const char *part, cage *c)
{
    int open = cage_open_edges(c);
    if (open)
        tool_die("%s: %d open edges", part, open);
    cage_orient(c);
    emitter e = {.d = d, .c = c, .normals = cage_normals(c, &d->arena)};
    uint32_t first = d->vertex_count;
    e.first = tool_alloc(&d->arena, (size_t)c->point_count, sizeof *e.first);
    for (int32_t i = 0; i < c->point_count; i++)
        e.first[i] = CAGE_NONE;
    for (int32_t f = 0; f < c->face_count; f++)
        add_face(&e, part, &c->faces[f]);
    mmd_free(e.splits);
    return (dancer_range){first, d->vertex_count - first};
}

void dancer_offset_add(dancer *d, morph_id morph, uint32_t vertex, const float offset[4])
{
    assert(vertex < d->vertex_count);
    dancer_offset *o = TOOL_PUSH(d->offsets, d->offset_count, d->offset_capacity);
    *o = (dancer_offset){.morph = (uint8_t)morph, .vertex = vertex};
    memcpy(o->offset, offset, sizeof o->offset);
}

vec3 dancer_upright(vec3 up)
{
    assert(fabsf(vec3_length(up) - 1) < 1e-3f);
    return (vec3){{mmd_atan2f(up.z, up.y), 0, -mmd_asinf(clamp(up.x, -1, 1))}};
}

int32_t dancer_body(dancer *d, const mmd_rigid_body *body)
{
    assert(body->bone >= 0 && body->size[0] > 0 && (body->mode == BODY_FOLLOWS || body->mass > 0));
    *TOOL_PUSH(d->bodies, d->body_count, d->body_capacity) = *body;
    return (int32_t)d->body_count - 1;
}

void dancer_joint(dancer *d, const mmd_joint *joint)
{
    assert(joint->body_a != joint->body_b);
    assert(joint->body_a >= 0 && (uint32_t)joint->body_a < d->body_count);
    assert(joint->body_b >= 0 && (uint32_t)joint->body_b < d->body_count);
    *TOOL_PUSH(d->joints, d->joint_count, d->joint_capacity) = *joint;
}

/* Returns the joint between exactly these two bones, in any order, or NULL. */
static const rig_joint *sdef_joint(const rig *r, const dancer_vertex *v)
{
    if (v->weight[2] > 0 || v->weight[1] <= 0)
        return NULL;
    for (uint32_t i = 0; i < r->joint_count; i++) {
        const rig_joint *j = &r->joints[i];
        if ((v->bone[0] == j->bone && v->bone[1] == j->child) ||
            (v->bone[0] == j->child && v->bone[1] == j->bone))
            return j;
    }
    return NULL;
}

/* Makes a vertex SDEF. It rotates about C, the point of the limb's axis nearest to the vertex, with R0 = R1 =
 * C, so that the cross-section keeps its shape when the joint bends. */
static void make_sdef(mmd_vertices *to, uint32_t i, const dancer_vertex *v, const rig_joint *joint)
{
    vec3 out = vec3_sub(v->position, joint->pivot);
    vec3 c = vec3_add(joint->pivot, vec3_scale(joint->axis, vec3_dot(out, joint->axis)));
    mmd_sdef *s = &to->sdef[to->sdef_count];
    memcpy(s->c, c.raw, sizeof s->c);
    memcpy(s->r0, c.raw, sizeof s->r0);
    memcpy(s->r1, c.raw, sizeof s->r1);
    to->sdef_index[i] = (int32_t)to->sdef_count++;
    to->deform[i] = MMD_DEFORM_SDEF;
}

static uint8_t plain_deform(const dancer_vertex *v)
{
    return v->weight[1] <= 0 ? MMD_DEFORM_BDEF1 : v->weight[2] <= 0 ? MMD_DEFORM_BDEF2 : MMD_DEFORM_BDEF4;
}

static void make_vertex(dancer *d, mmd_vertices *to, uint32_t i)
{
    const dancer_vertex *v = &d->vertices[i];
    memcpy(to->position[i], v->position.raw, sizeof to->position[i]);
    memcpy(to->normal[i], v->normal.raw, sizeof to->normal[i]);
    memcpy(to->uv[i], v->uv.raw, sizeof to->uv[i]);
    memcpy(to->additional_uv[0][i], v->extra_uv, sizeof v->extra_uv);
    memcpy(to->bone[i], v->bone, sizeof v->bone);
    memcpy(to->weight[i], v->weight, sizeof v->weight);
    to->edge_scale[i] = v->edge;
    to->sdef_index[i] = -1;
    to->deform[i] = plain_deform(v);
    const rig_joint *joint = sdef_joint(&d->rig, v);
    if (joint)
        make_sdef(to, i, v, joint);
}

static void make_vertices(dancer *d, mmd_vertices *to)
{
    size_t n = d->vertex_count;
    *to = (mmd_vertices){.count = d->vertex_count, .additional_uv_count = 1};
    to->position = tool_alloc(&d->arena, n, sizeof *to->position);
    to->normal = tool_alloc(&d->arena, n, sizeof *to->normal);
    to->uv = tool_alloc(&d->arena, n, sizeof *to->uv);
    to->additional_uv[0] = tool_alloc(&d->arena, n, sizeof *to->additional_uv[0]);
    to->deform = tool_alloc(&d->arena, n, sizeof *to->deform);
    to->bone = tool_alloc(&d->arena, n, sizeof *to->bone);
    to->weight = tool_alloc(&d->arena, n, sizeof *to->weight);
    to->edge_scale = tool_alloc(&d->arena, n, sizeof *to->edge_scale);
    to->sdef_index = tool_alloc(&d->arena, n, sizeof *to->sdef_index);
    to->sdef = tool_alloc(&d->arena, n, sizeof *to->sdef);
    for (uint32_t i = 0; i < d->vertex_count; i++)
        make_vertex(d, to, i);
}

static void make_faces(dancer *d, mmd_model *model)
{
    uint32_t at = 0;
    for (int m = 0; m < MATERIAL_COUNT; m++)
        model->index_count += d->triangle_count[m];
    model->indices = tool_alloc(&d->arena, model->index_count, sizeof *model->indices);
    for (int m = 0; m < MATERIAL_COUNT; m++) {
        model->materials[m].first_index = at;
        model->materials[m].index_count = d->triangle_count[m];
        if (d->triangle_count[m])
            memcpy(model->indices + at, d->triangles[m], d->triangle_count[m] * sizeof *model->indices);
        at += d->triangle_count[m];
    }
}

static const struct {
    const char *name, *name_en;
} panels[PANEL_NONE] = {
    [PANEL_ROOT] = {"Root", "Root"},
    [PANEL_CENTER] = {"センター", "Center"},
    [PANEL_IK] = {"ＩＫ", "IK"},
    [PANEL_UPPER] = {"体(上)", "Upper body"},
    [PANEL_ARM] = {"腕", "Arms"},
    [PANEL_FINGER] = {"指", "Fingers"},
    [PANEL_LOWER] = {"体(下)", "Lower body"},
    [PANEL_HAIR] = {"髪", "Hair"},
    [PANEL_CLOTHES] = {"服", "Clothes"},
};

static mmd_display_frame bone_frame(dancer *d, rig_panel panel)
{
    mmd_frame_item *items = tool_alloc(&d->arena, d->rig.count, sizeof *items);
    mmd_display_frame frame = {panels[panel].name, panels[panel].name_en, panel == PANEL_ROOT, 0, items};
    for (uint32_t b = 0; b < d->rig.count; b++)
        if (d->rig.panels[b] == panel)
            items[frame.count++] = (mmd_frame_item){0, (int32_t)b};
    return frame;
}

static mmd_display_frame morph_frame(dancer *d)
{
    mmd_frame_item *items = tool_alloc(&d->arena, MORPH_COUNT, sizeof *items);
    for (int i = 0; i < MORPH_COUNT; i++)
        items[i] = (mmd_frame_item){1, i};
    return (mmd_display_frame){"表情", "Exp", 1, MORPH_COUNT, items};
}

/* Fills in the display frames in MMD's order: root, expressions, then the others. */
static void make_frames(dancer *d, mmd_model *model)
{
    model->frames = tool_alloc(&d->arena, PANEL_NONE + 1, sizeof *model->frames);
    model->frames[model->frame_count++] = bone_frame(d, PANEL_ROOT);
    model->frames[model->frame_count++] = morph_frame(d);
    for (int p = PANEL_ROOT + 1; p < PANEL_NONE; p++)
        model->frames[model->frame_count++] = bone_frame(d, (rig_panel)p);
}

void dancer_model(dancer *d, mmd_model *model)
{
    *model = (mmd_model){
        .origin = MMD_ORIGIN_MADE,
        .version = 2.0f,
        .name = "おどり",
        .name_en = "Odori",
        .comment = "odori に付属する踊り子です。プログラムで作られています。\r\n"
                   "利用条件は odori と同じ MIT License です。",
        .comment_en = "The dancer that comes with odori, made by a program.\r\n"
                      "MIT License, as odori itself.",
        .bone_count = d->rig.count,
        .bones = d->rig.bones,
        .body_count = d->body_count,
        .bodies = d->bodies,
        .joint_count = d->joint_count,
        .joints = d->joints,
    };
    materials_make(d, model);
    make_vertices(d, &model->vertices);
    make_faces(d, model);
    morphs_make(d, model);
    make_frames(d, model);
}

void dancer_make(dancer *d)
{
    *d = (dancer){0};
    d->rig.arena = &d->arena;
    rig_body(&d->rig);
    hair_rig(&d->rig);
    skirt_rig(&d->rig);
    bow_rig(&d->rig);
    rig_finish(&d->rig);
    head_add(d);
    body_add(d);
    hair_add(d);
    skirt_add(d);
    bow_add(d);
    body_physics(d);
    hair_physics(d);
    skirt_physics(d);
    bow_physics(d);
}

void dancer_finish(dancer *d)
{
    for (int m = 0; m < MATERIAL_COUNT; m++)
        mmd_free(d->triangles[m]);
    mmd_free(d->vertices);
    mmd_free(d->offsets);
    mmd_free(d->bodies);
    mmd_free(d->joints);
    mmd_arena_finish(&d->arena);
}
