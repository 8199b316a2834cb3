#version 330 core
// Applies vertex morphs, then BDEF, SDEF or QDEF (docs/formats.md 7). Runs once a frame by transform feedback.
// The CPU reference is mmd_skin_reference.
// uses: quaternion.glsl
//
// MORPHS, SDEF, SDEF_SLERP, DUAL, UV_MORPHS, TANGENTS: defined if the mesh needs the feature. PLACED: the model has a
// placement. SOFT: soft bodies drive some vertices. SCALED: bones have scale, and all vertices are blended linearly.
// TABLE_BITS: data textures are 2^TABLE_BITS texels wide. BONES: most bones per vertex, 2 or 4. CROWD: one instance
// per copy; the tables of all copies follow each other.
#ifndef TABLE_BITS
#define TABLE_BITS 12
#endif
#ifndef BONES
#define BONES 4
#endif
#ifdef SCALED
#undef SDEF
#undef DUAL
#endif
#ifdef CROWD
#define BONE_TEXEL(texel) (gl_InstanceID * sizes.x + (texel))
#define MORPH_TEXEL(texel) (gl_InstanceID * sizes.y + (texel))
#else
#define BONE_TEXEL(texel) (texel)
#define MORPH_TEXEL(texel) (texel)
#endif

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_weights;
layout(location = 3) in ivec4 in_bones;
layout(location = 4) in ivec4 in_info; // first morph record, number of records, deform type, SDEF record
#ifdef UV_MORPHS
layout(location = 5) in ivec2 in_uv_info; // first UV morph record, number of records
layout(location = 6) in vec2 in_uv;
layout(location = 7) in vec4 in_extra;
#endif
#ifdef TANGENTS
layout(location = 8) in vec3 in_tangent;
#endif

#ifdef SOFT
layout(location = 9) in int in_soft_node; // 0 for none; otherwise 1 + node, negative if its normal is reversed
#endif

uniform sampler2D bones;         // per bone: rotation, translation; SCALED: rows of its matrix
uniform sampler2D displacements; // per record: displacement, morph
uniform sampler2D weights;       // by morph
uniform sampler2D sdef;          // per SDEF vertex: C, R0, R1
uniform sampler2D uv_offsets;    // per record: offset; morph and channel

#ifdef SOFT
uniform sampler2D soft_nodes;    // per node: position and normal in world space
#endif

#ifdef CROWD
uniform ivec2 sizes;       // texels per copy: of bones, of morphs
uniform sampler2D members; // per copy: 1 in y if it has a placement; four columns of it
#elif defined(PLACED)
uniform mat4 placement; // rotation, uniform scale, translation
#endif

#ifdef CROWD
out vec4 out_position;
out vec4 out_normal;
#ifdef UV_MORPHS
out vec4 out_uv;
out vec4 out_extra;
#endif
#else
out vec3 out_position;
out vec3 out_normal;
#ifdef UV_MORPHS
out vec2 out_uv;
out vec4 out_extra;
#endif
#endif
#ifdef TANGENTS
out vec3 out_tangent;
#endif

const int DEFORM_SDEF = 3;
const int DEFORM_QDEF = 4;

struct vertex_input {
    vec3 position, normal, tangent;
};

vec3 direction(vec3 v)
{
    float square = dot(v, v);
    return square > 0.0 ? v * inversesqrt(square) : v;
}

vec4 table(sampler2D from, int index)
{
    return texelFetch(from, ivec2(index & ((1 << TABLE_BITS) - 1), index >> TABLE_BITS), 0);
}

float morph_weight(float index)
{
    return table(weights, MORPH_TEXEL(int(index))).x;
}

#ifdef SCALED
mat3 bone_matrix(int bone)
{
    if (bone < 0)
        return mat3(1.0);
    return transpose(
        mat3(table(bones, BONE_TEXEL(3 * bone)).xyz, table(bones, BONE_TEXEL(3 * bone + 1)).xyz,
             table(bones, BONE_TEXEL(3 * bone + 2)).xyz));
}

vec3 bone_translation(int bone)
{
    if (bone < 0)
        return vec3(0.0);
    return vec3(table(bones, BONE_TEXEL(3 * bone)).w, table(bones, BONE_TEXEL(3 * bone + 1)).w,
                table(bones, BONE_TEXEL(3 * bone + 2)).w);
}
#else
vec4 bone_rotation(int bone)
{
    return bone < 0 ? vec4(0.0, 0.0, 0.0, 1.0) : table(bones, BONE_TEXEL(2 * bone));
}

vec3 bone_translation(int bone)
{
    return bone < 0 ? vec3(0.0) : table(bones, BONE_TEXEL(2 * bone + 1)).xyz;
}

mat3 bone_matrix(int bone)
{
    return quat_matrix(bone_rotation(bone));
}
#endif

vertex_input rigid(vertex_input v, vec4 q, vec3 t)
{
    return vertex_input(quat_rotate(q, v.position) + t, quat_rotate(q, v.normal), quat_rotate(q, v.tangent));
}

vertex_input skin_linear(vertex_input v)
{
    mat3 m = mat3(0.0);
    vec3 t = vec3(0.0);
    float sum = 0.0;
    for (int i = 0; i < BONES; i++) {
        // Skip missing bones (-1) and weights of 0.
        if (in_bones[i] < 0 || in_weights[i] == 0.0)
            continue;
        m += in_weights[i] * bone_matrix(in_bones[i]);
        t += in_weights[i] * bone_translation(in_bones[i]);
        sum += in_weights[i];
    }
#ifdef SCALED
    if (sum == 0.0) {
        m = bone_matrix(in_bones[0]);
        t = bone_translation(in_bones[0]);
        sum = 1.0;
    }
#else
    if (sum == 0.0)
        return rigid(v, bone_rotation(in_bones[0]), bone_translation(in_bones[0]));
#endif
    m /= sum;
    vec3 n = m * v.normal;
#ifdef SCALED
    // The cofactors have the direction of the inverse transpose.
    vec3 c0 = cross(m[1], m[2]), c1 = cross(m[2], m[0]), c2 = cross(m[0], m[1]);
    n = direction(c0 * v.normal.x + c1 * v.normal.y + c2 * v.normal.z) * (dot(m[0], c0) < 0.0 ? -1.0 : 1.0);
#endif
    return vertex_input(m * v.position + t / sum, n, m * v.tangent);
}

#ifdef SDEF
vec4 blend(vec4 a, float wa, vec4 b, float wb)
{
#ifdef SDEF_SLERP
    b = dot(a, b) < 0.0 ? -b : b;
    float angle = 2.0 * atan(length(a - b), length(a + b)); // acos(dot) is inaccurate near 1
    float sine = sin(angle);
    if (sine < 1e-6)
        return (1.0 - wb) * a + wb * b;
    return (sin((1.0 - wb) * angle) * a + sin(wb * angle) * b) / sine;
#else
    return wa * a + (dot(a, b) < 0.0 ? -wb : wb) * b;
#endif
}

// Equation 4 of docs/formats.md 7.
vertex_input skin_sdef(vertex_input v)
{
    vec4 q0 = bone_rotation(in_bones[0]), q1 = bone_rotation(in_bones[1]);
    float w0 = in_weights[0], w1 = in_weights[1];
    vec3 c = table(sdef, 3 * in_info.w).xyz;
    vec3 r = table(sdef, 3 * in_info.w + 1).xyz - table(sdef, 3 * in_info.w + 2).xyz;
    vec3 center = w0 * (quat_rotate(q0, c) + bone_translation(in_bones[0]))
                + w1 * (quat_rotate(q1, c) + bone_translation(in_bones[1]));
    vec3 extra = 0.5 * w0 * w1 * (quat_rotate(q0, r) - quat_rotate(q1, r));
    vertex_input turned = rigid(vertex_input(v.position - c, v.normal, v.tangent), blend(q0, w0, q1, w1), vec3(0.0));
    return vertex_input(center + turned.position + extra, turned.normal, turned.tangent);
}
#endif

#ifdef DUAL
vertex_input skin_dual(vertex_input v)
{
    vec4 real = vec4(0.0), dual = vec4(0.0);
    for (int i = 0; i < BONES; i++) {
        if (in_bones[i] < 0 || in_weights[i] == 0.0)
            continue;
        vec4 q = bone_rotation(in_bones[i]);
        vec4 e = quat_multiply(vec4(0.5 * bone_translation(in_bones[i]), 0.0), q);
        float w = dot(q, real) < 0.0 ? -in_weights[i] : in_weights[i];
        real += w * q;
        dual += w * e;
    }
    float square = dot(real, real);
    if (square == 0.0)
        return rigid(v, bone_rotation(in_bones[0]), bone_translation(in_bones[0]));
    vec3 t = 2.0 * quat_multiply(dual, quat_conjugate(real)).xyz / square;
    return rigid(v, real, t);
}
#endif

void main()
{
    vec3 position = in_position;
#ifdef MORPHS
    for (int i = 0; i < in_info.y; i++) {
        vec4 record = table(displacements, in_info.x + i);
        position += morph_weight(record.w) * record.xyz;
    }
#endif
#ifdef UV_MORPHS
    vec4 uv = vec4(in_uv, 0.0, 0.0), extra = in_extra;
    for (int i = 0; i < in_uv_info.y; i++) {
        vec4 offset = table(uv_offsets, 2 * (in_uv_info.x + i));
        vec2 target = table(uv_offsets, 2 * (in_uv_info.x + i) + 1).xy;
        vec4 change = morph_weight(target.x) * offset;
        if (target.y < 0.5)
            uv += change;
        else
            extra += change;
    }
#ifdef CROWD
    out_uv = uv;
#else
    out_uv = uv.xy;
#endif
    out_extra = extra;
#endif

    vertex_input v = vertex_input(position, in_normal, vec3(0.0));
#ifdef TANGENTS
    v.tangent = in_tangent;
#endif
    vertex_input result;
#ifdef SDEF
    if (in_info.z == DEFORM_SDEF)
        result = skin_sdef(v);
    else
#endif
#ifdef DUAL
    if (in_info.z == DEFORM_QDEF)
        result = skin_dual(v);
    else
#endif
        result = skin_linear(v);

#ifdef CROWD
    int member = 5 * gl_InstanceID;
    if (table(members, member).y > 0.0) {
        mat3 turn =
            mat3(table(members, member + 1).xyz, table(members, member + 2).xyz, table(members, member + 3).xyz);
        vec3 place = table(members, member + 4).xyz;
        vec3 normal = turn * result.normal * inversesqrt(dot(turn[0], turn[0]));
        result = vertex_input(turn * result.position + place, normal, turn * result.tangent);
    }
#elif defined(PLACED)
    mat3 turn = mat3(placement);
    vec3 normal = turn * result.normal * inversesqrt(dot(turn[0], turn[0]));
    result = vertex_input(turn * result.position + placement[3].xyz, normal, turn * result.tangent);
#endif
#ifdef SOFT
    if (in_soft_node != 0) {
        int node = 2 * (abs(in_soft_node) - 1);
        result.position = table(soft_nodes, node).xyz;
        result.normal = float(sign(in_soft_node)) * direction(table(soft_nodes, node + 1).xyz);
    }
#endif
#ifdef CROWD
    out_position = vec4(result.position, 1.0);
    out_normal = vec4(result.normal, 0.0);
#else
    out_position = result.position;
    out_normal = result.normal;
#endif
#ifdef TANGENTS
    out_tangent = direction(result.tangent);
#endif
}
