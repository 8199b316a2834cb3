/* Rotations for the generator. */
#include "vector.h"

#include <assert.h>
#include <float.h>

vec3 vec3_rotate(vec3 v, float angle, vec3 axis)
{
    float sine, cosine;
    mmd_sincosf(angle, &sine, &cosine);
    vec3 k = vec3_normalize(axis);
    /* Rodrigues' formula */
    vec3 turned = vec3_add(vec3_scale(v, cosine), vec3_scale(vec3_cross(k, v), sine));
    return vec3_add(turned, vec3_scale(k, vec3_dot(k, v) * (1.0f - cosine)));
}

quat quat_about(float angle, vec3 axis)
{
    float sine, cosine;
    mmd_sincosf(angle * 0.5f, &sine, &cosine);
    vec3 k = vec3_scale(vec3_normalize(axis), sine);
    return (quat){{k.x, k.y, k.z, cosine}};
}

quat quat_between(vec3 from, vec3 to)
{
    float cosine = vec3_dot(from, to);
    assert(cosine > -1.0f + FLT_EPSILON);
    if (cosine >= 1.0f - FLT_EPSILON)
        return QUAT_IDENTITY;
    vec3 axis = vec3_cross(from, to);
    return quat_normalize((quat){{axis.x, axis.y, axis.z, 1.0f + cosine}});
}

quat quat_mul(quat a, quat b)
{
    return (quat){
        {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
         a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z}};
}

static float dot(quat a, quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

quat quat_normalize(quat q)
{
    float length = sqrtf(dot(q, q));
    return length > 0.0f ? (quat){{q.x / length, q.y / length, q.z / length, q.w / length}} : QUAT_IDENTITY;
}

vec3 quat_rotate(quat q, vec3 v)
{
    vec3 u = {{q.x, q.y, q.z}};
    vec3 t = vec3_scale(vec3_cross(u, v), 2.0f);
    return vec3_add(vec3_add(v, vec3_scale(t, q.w)), vec3_cross(u, t));
}

quat quat_slerp(quat a, quat b, float t)
{
    float cosine = dot(a, b);
    if (fabsf(cosine) >= 1.0f)
        return a;
    if (cosine < 0.0f) {
        a = vec4_scale(a, -1.0f);
        cosine = -cosine;
    }
    float sine = sqrtf(1.0f - cosine * cosine);
    if (sine < 0.001f) /* nearly equal: the chord, without a division by zero */
        return vec4_add(a, vec4_scale(vec4_add(b, vec4_scale(a, -1.0f)), t));
    float angle = mmd_acosf(cosine);
    quat sum = vec4_add(vec4_scale(a, mmd_sinf((1.0f - t) * angle)), vec4_scale(b, mmd_sinf(t * angle)));
    return vec4_scale(sum, 1.0f / sine);
}
