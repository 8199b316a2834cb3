/*
 * Vectors, rotations and interpolation for the generator. Only operations that IEEE 754 rounds exactly and
 * the engine's elementary functions are used, so the dancer is the same bytes with every compiler, C library
 * and processor.
 */
#ifndef DANCER_VECTOR_H
#define DANCER_VECTOR_H

#include <math.h>

#include "mmd/elementary.h"

#define PI 3.14159265f

typedef union vec2 {
    float raw[2];
    struct {
        float x, y;
    };
} vec2;

typedef union vec3 {
    float raw[3];
    struct {
        float x, y, z;
    };
} vec3;

typedef union vec4 {
    float raw[4];
    struct {
        float x, y, z, w;
    };
    struct {
        float r, g, b, a;
    };
} vec4;

/* A rotation: a unit quaternion. */
typedef vec4 quat;

/* ------------------------------------------------------------------- numbers */

static inline float to_radians(float degrees)
{
    return degrees * PI / 180.0f;
}

static inline float to_degrees(float radians)
{
    return radians * 180.0f / PI;
}

static inline float clamp(float value, float low, float high)
{
    return mmd_minf(mmd_maxf(value, low), high);
}

/* Interpolates from a to b. t may be outside of 0 to 1. */
static inline float lerp(float a, float b, float t)
{
    return a + t * (b - a);
}

/* Returns 0 up to `low`, 1 from `high` on, and a smooth step between them. low may be above high. */
static inline float smoothstep(float low, float high, float value)
{
    float t = clamp((value - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/* ------------------------------------------------- vectors of two and of four */

static inline vec2 vec2_add(vec2 a, vec2 b)
{
    return (vec2){{a.x + b.x, a.y + b.y}};
}

static inline vec2 vec2_sub(vec2 a, vec2 b)
{
    return (vec2){{a.x - b.x, a.y - b.y}};
}

static inline vec2 vec2_mul(vec2 a, vec2 b)
{
    return (vec2){{a.x * b.x, a.y * b.y}};
}

static inline vec2 vec2_scale(vec2 v, float factor)
{
    return (vec2){{v.x * factor, v.y * factor}};
}

static inline float vec2_dot(vec2 a, vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static inline float vec2_length(vec2 v)
{
    return sqrtf(vec2_dot(v, v));
}

static inline float vec2_distance(vec2 a, vec2 b)
{
    return vec2_length(vec2_sub(a, b));
}

/* Returns the vector of length 1. A zero stays zero. */
static inline vec2 vec2_normalize(vec2 v)
{
    float length = vec2_length(v);
    return length == 0.0f ? (vec2){{0}} : vec2_scale(v, 1.0f / length);
}

static inline vec2 vec2_lerp(vec2 a, vec2 b, float t)
{
    return (vec2){{lerp(a.x, b.x, t), lerp(a.y, b.y, t)}};
}

static inline vec2 vec2_min(vec2 a, vec2 b)
{
    return (vec2){{mmd_minf(a.x, b.x), mmd_minf(a.y, b.y)}};
}

static inline vec2 vec2_max(vec2 a, vec2 b)
{
    return (vec2){{mmd_maxf(a.x, b.x), mmd_maxf(a.y, b.y)}};
}

static inline vec4 vec4_add(vec4 a, vec4 b)
{
    return (vec4){{a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}};
}

static inline vec4 vec4_scale(vec4 v, float factor)
{
    return (vec4){{v.x * factor, v.y * factor, v.z * factor, v.w * factor}};
}

/* ---------------------------------------------------------- vectors of three */

static inline vec3 vec3_add(vec3 a, vec3 b)
{
    return (vec3){{a.x + b.x, a.y + b.y, a.z + b.z}};
}

static inline vec3 vec3_sub(vec3 a, vec3 b)
{
    return (vec3){{a.x - b.x, a.y - b.y, a.z - b.z}};
}

static inline vec3 vec3_mul(vec3 a, vec3 b)
{
    return (vec3){{a.x * b.x, a.y * b.y, a.z * b.z}};
}

static inline vec3 vec3_scale(vec3 v, float factor)
{
    return (vec3){{v.x * factor, v.y * factor, v.z * factor}};
}

static inline vec3 vec3_negate(vec3 v)
{
    return (vec3){{-v.x, -v.y, -v.z}};
}

static inline float vec3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 vec3_cross(vec3 a, vec3 b)
{
    return (vec3){{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}};
}

static inline float vec3_length(vec3 v)
{
    return sqrtf(vec3_dot(v, v));
}

static inline float vec3_distance(vec3 a, vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

/* Returns the vector of length 1. A zero stays zero. */
static inline vec3 vec3_normalize(vec3 v)
{
    float length = vec3_length(v);
    return length == 0.0f ? (vec3){{0}} : vec3_scale(v, 1.0f / length);
}

static inline vec3 vec3_lerp(vec3 a, vec3 b, float t)
{
    return (vec3){{lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t)}};
}

static inline vec3 vec3_min(vec3 a, vec3 b)
{
    return (vec3){{mmd_minf(a.x, b.x), mmd_minf(a.y, b.y), mmd_minf(a.z, b.z)}};
}

static inline vec3 vec3_max(vec3 a, vec3 b)
{
    return (vec3){{mmd_maxf(a.x, b.x), mmd_maxf(a.y, b.y), mmd_maxf(a.z, b.z)}};
}

/* Rotates v about an axis of any length, by radians. */
vec3 vec3_rotate(vec3 v, float angle, vec3 axis);

/* ----------------------------------------------------------------- rotations */

#define QUAT_IDENTITY ((quat){{0, 0, 0, 1}})

/* Returns the rotation about an axis of any length, by radians. */
quat quat_about(float angle, vec3 axis);

/* Returns the shortest rotation from one unit vector to another, which must not be opposite. */
quat quat_between(vec3 from, vec3 to);

/* Returns the rotation that applies b first. */
quat quat_mul(quat a, quat b);

/* Returns the inverse of a rotation. */
static inline quat quat_inverse(quat q)
{
    return (quat){{-q.x, -q.y, -q.z, q.w}};
}

/* Returns a quaternion of length 1. A zero becomes the identity. */
quat quat_normalize(quat q);

vec3 quat_rotate(quat q, vec3 v);

/* Interpolates along the shorter arc, t from 0 (a, or its negative) to 1 (b). */
quat quat_slerp(quat a, quat b, float t);

#endif
