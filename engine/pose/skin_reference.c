/*
 * Skinning on the CPU in double precision, the reference for shaders/skin.vert. The equations are in
 * docs/formats.md 7, the choices among them in docs/mmd.md choice 8.
 */
#include "mmd/pose.h"
#include "mmd/pose_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"

typedef struct vec {
    double x, y, z;
} vec;

typedef struct quat {
    double x, y, z, w;
} quat;

/* Columns of a 3x4 matrix. */
typedef struct affine {
    vec x, y, z, t;
} affine;

static vec vec_of(const float v[3])
{
    return (vec){v[0], v[1], v[2]};
}
static vec add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static vec sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static vec scale(vec a, double s)
{
    return (vec){a.x * s, a.y * s, a.z * s};
}
static double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Normalises; a zero vector is returned unchanged. */
static vec normalize(vec a)
{
    double length = sqrt(dot(a, a));
    return length > 0.0 ? scale(a, 1.0 / length) : a;
}

static quat quat_of(const float q[4])
{
    return (quat){q[0], q[1], q[2], q[3]};
}
static double quat_dot(quat a, quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

static quat quat_mix(quat a, double wa, quat b, double wb)
{
    return (quat){a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb};
}

static quat quat_product(quat a, quat b)
{
    return (quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* Rotates v by q, which may have any length but 0. */
static vec rotate(quat q, vec v)
{
    vec u = {q.x, q.y, q.z};
    vec t = scale(cross(u, v), 2.0 / quat_dot(q, q));
    return add(add(v, scale(t, q.w)), cross(u, t));
}

static affine affine_of(const mmd_transform *transform)
{
    quat q = quat_of(transform->rotation);
    return (affine){rotate(q, (vec){1, 0, 0}), rotate(q, (vec){0, 1, 0}), rotate(q, (vec){0, 0, 1}),
                    vec_of(transform->translation)};
}

static void accumulate(affine *sum, affine m, double weight)
{
    sum->x = add(sum->x, scale(m.x, weight));
    sum->y = add(sum->y, scale(m.y, weight));
    sum->z = add(sum->z, scale(m.z, weight));
    sum->t = add(sum->t, scale(m.t, weight));
}

static vec apply_direction(const affine *m, vec v)
{
    return add(add(scale(m->x, v.x), scale(m->y, v.y)), scale(m->z, v.z));
}

static vec apply_point(const affine *m, vec v)
{
    return add(apply_direction(m, v), m->t);
}

/* Transforms a normal by the cofactor matrix of bones with scale, which has the direction of the inverse
 * transpose and needs no division. */
static vec apply_scaled_normal(const affine *m, vec n)
{
    vec cx = cross(m->y, m->z), cy = cross(m->z, m->x), cz = cross(m->x, m->y);
    vec result = add(add(scale(cx, n.x), scale(cy, n.y)), scale(cz, n.z));
    return scale(normalize(result), dot(m->x, cx) < 0.0 ? -1.0 : 1.0);
}

typedef struct vertex_in {
    vec position, normal, tangent;
    const int32_t *bone;
    const float *weight;
} vertex_in;

typedef struct vertex_out {
    vec position, normal, tangent;
} vertex_out;

static const mmd_transform rest = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};

/* Skin transforms by bone: rigid, or affine, in which case every vertex is blended linearly. */
typedef struct bone_maps {
    const mmd_transform *rigid;
    const mmd_affine *affine; /* or NULL */
} bone_maps;

/* Returns a bone's skin transform; the identity for no bone. */
static const mmd_transform *bone_transform(const mmd_transform *palette, int32_t bone)
{
    return bone >= 0 ? &palette[bone] : &rest;
}

static vec column_of(const mmd_affine *m, int c)
{
    return (vec){m->rows[0][c], m->rows[1][c], m->rows[2][c]};
}

static affine affine_of_bone(const bone_maps *maps, int32_t bone)
{
    if (!maps->affine || bone < 0)
        return affine_of(bone_transform(maps->rigid, bone));
    const mmd_affine *m = &maps->affine[bone];
    return (affine){column_of(m, 0), column_of(m, 1), column_of(m, 2), column_of(m, 3)};
}

static vertex_out skin_linear(const bone_maps *maps, const vertex_in *in)
{
    affine m = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        if (in->bone[k] < 0 || in->weight[k] == 0.0f)
            continue;
        accumulate(&m, affine_of_bone(maps, in->bone[k]), in->weight[k]);
        sum += in->weight[k];
    }
    if (sum == 0.0) {
        m = affine_of_bone(maps, in->bone[0]);
    } else {
        double s = 1.0 / sum;
        m = (affine){scale(m.x, s), scale(m.y, s), scale(m.z, s), scale(m.t, s)};
    }
    vec normal = maps->affine ? apply_scaled_normal(&m, in->normal) : apply_direction(&m, in->normal);
    return (vertex_out){apply_point(&m, in->position), normal, apply_direction(&m, in->tangent)};
}

static quat blend_slerp(quat a, quat b, double t)
{
    double cosine = quat_dot(a, b);
    if (cosine < 0.0) {
        b = quat_mix(b, -1.0, b, 0.0);
        cosine = -cosine;
    }
    double angle = mmd_acos(mmd_min(cosine, 1.0)), sine = mmd_sin(angle);
    return sine < 1e-6 ? quat_mix(a, 1.0 - t, b, t)
                       : quat_mix(a, mmd_sin((1.0 - t) * angle) / sine, b, mmd_sin(t * angle) / sine);
}

static quat blend_linear(quat a, double wa, quat b, double wb)
{
    return quat_mix(a, wa, b, quat_dot(a, b) < 0.0 ? -wb : wb);
}

static vertex_out skin_sdef(const mmd_transform *palette, const vertex_in *in, const mmd_sdef *sdef,
                            mmd_sdef_variant variant)
{
    const mmd_transform *t0 = bone_transform(palette, in->bone[0]),
                        *t1 = bone_transform(palette, in->bone[1]);
    double w0 = in->weight[0], w1 = in->weight[1];
    quat q0 = quat_of(t0->rotation), q1 = quat_of(t1->rotation);
    quat q = variant == MMD_SDEF_SLERP ? blend_slerp(q0, q1, w1) : blend_linear(q0, w0, q1, w1);
    affine m0 = affine_of(t0), m1 = affine_of(t1);
    vec c = vec_of(sdef->c), r = sub(vec_of(sdef->r0), vec_of(sdef->r1));
    vec center = add(scale(apply_point(&m0, c), w0), scale(apply_point(&m1, c), w1));
    vec extra = scale(sub(apply_direction(&m0, r), apply_direction(&m1, r)), 0.5 * w0 * w1);
    return (vertex_out){add(add(center, rotate(q, sub(in->position, c))), extra), rotate(q, in->normal),
                        rotate(q, in->tangent)};
}

static vertex_out skin_dual(const mmd_transform *palette, const vertex_in *in)
{
    quat real = {0, 0, 0, 0}, dual = {0, 0, 0, 0};
    for (int k = 0; k < 4; k++) {
        if (in->bone[k] < 0 || in->weight[k] == 0.0f)
            continue;
        const mmd_transform *t = &palette[in->bone[k]];
        quat q = quat_of(t->rotation);
        quat e = quat_product(
            (quat){0.5 * t->translation[0], 0.5 * t->translation[1], 0.5 * t->translation[2], 0}, q);
        double w = quat_dot(q, real) < 0.0 ? -in->weight[k] : in->weight[k];
        real = quat_mix(real, 1.0, q, w);
        dual = quat_mix(dual, 1.0, e, w);
    }
    double square = quat_dot(real, real);
    if (square == 0.0) {
        affine m = affine_of(bone_transform(palette, in->bone[0]));
        return (vertex_out){apply_point(&m, in->position), apply_direction(&m, in->normal),
                            apply_direction(&m, in->tangent)};
    }
    quat inverse = {-real.x / square, -real.y / square, -real.z / square, real.w / square};
    quat t = quat_product(dual, inverse);
    vec translation = {2.0 * t.x, 2.0 * t.y, 2.0 * t.z};
    return (vertex_out){add(rotate(real, in->position), translation), rotate(real, in->normal),
                        rotate(real, in->tangent)};
}

/* Applies morphs to positions and UVs, in the model's order. */
static void apply_morphs(const mmd_model *model, const float *weights, mmd_skinned_vertex *out)
{
    for (uint32_t m = 0; m < model->morph_count; m++) {
        const mmd_morph *morph = &model->morphs[m];
        double w = weights[m];
        if (w == 0.0)
            continue;
        if (morph->kind == MMD_MORPH_VERTEX) {
            for (uint32_t i = 0; i < morph->count; i++)
                for (int k = 0; k < 3; k++)
                    out[morph->offsets.vertex[i].vertex].position[k] +=
                        w * morph->offsets.vertex[i].offset[k];
        } else if (morph->kind >= MMD_MORPH_UV && morph->kind < MMD_MORPH_MATERIAL) {
            for (uint32_t i = 0; i < morph->count; i++) {
                const mmd_uv_offset *offset = &morph->offsets.uv[i];
                mmd_skinned_vertex *vertex = &out[offset->vertex];
                int channels = morph->kind == MMD_MORPH_UV ? 2 : 4;
                double *uv = morph->kind == MMD_MORPH_UV ? vertex->uv : vertex->extra[morph->kind - 4];
                for (int k = 0; k < channels; k++)
                    uv[k] += w * offset->offset[k];
            }
        }
    }
}

static void load_rest(const mmd_vertices *vertices, mmd_skinned_vertex *out)
{
    for (uint32_t v = 0; v < vertices->count; v++) {
        memset(&out[v], 0, sizeof out[v]);
        for (int k = 0; k < 3; k++)
            out[v].position[k] = vertices->position[v][k];
        for (int k = 0; k < 2; k++)
            out[v].uv[k] = vertices->uv[v][k];
        for (uint32_t a = 0; a < vertices->additional_uv_count; a++)
            for (int k = 0; k < 4; k++)
                out[v].extra[a][k] = vertices->additional_uv[a][v][k];
    }
}

static void store(vec from, double out[3])
{
    out[0] = from.x;
    out[1] = from.y;
    out[2] = from.z;
}

static void skin(const mmd_model *model, const bone_maps *maps, const float *weights, mmd_sdef_variant sdef,
                 const float (*tangents)[3], mmd_skinned_vertex *out)
{
    const mmd_vertices *vertices = &model->vertices;
    load_rest(vertices, out);
    apply_morphs(model, weights, out);
    for (uint32_t v = 0; v < vertices->count; v++) {
        const double *p = out[v].position;
        vertex_in in = {.position = {p[0], p[1], p[2]},
                        .normal = vec_of(vertices->normal[v]),
                        .bone = vertices->bone[v],
                        .weight = vertices->weight[v]};
        if (tangents)
            in.tangent = vec_of(tangents[v]);
        vertex_out result;
        if (vertices->deform[v] == MMD_DEFORM_SDEF && !maps->affine)
            result = skin_sdef(maps->rigid, &in, &vertices->sdef[vertices->sdef_index[v]], sdef);
        else if (vertices->deform[v] == MMD_DEFORM_QDEF && !maps->affine)
            result = skin_dual(maps->rigid, &in);
        else
            result = skin_linear(maps, &in);
        store(result.position, out[v].position);
        store(result.normal, out[v].normal);
        store(normalize(result.tangent), out[v].tangent);
    }
}

void mmd_skin_reference(const mmd_model *model, const mmd_transform *palette, const float *weights,
                        mmd_sdef_variant sdef, const float (*tangents)[3], mmd_skinned_vertex *out)
{
    assert(model);
    skin(model, &(bone_maps){.rigid = palette}, weights, sdef, tangents, out);
}

void mmd_pose_skin(const mmd_model *model, const mmd_pose *pose, mmd_sdef_variant sdef,
                   const float (*tangents)[3], mmd_skinned_vertex *out)
{
    assert(model && pose);
    const bone_maps maps = {mmd_pose_palette(pose), mmd_pose_affine_palette(pose)};
    skin(model, &maps, mmd_pose_weights(pose), sdef, tangents, out);
}
