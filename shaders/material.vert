#version 330 core
// A material's vertices without self shadow: lighting per vertex (MMD.md 6.3).
// uses: scene.glsl
//
// TEXTURE, SPHERE, SUB_TEXTURE, TOON, SPECULAR, VERTEX_COLOR, POINTS: defined
// where the material has such.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 3) in vec4 in_extra; // additional UV 1

uniform float specular_power;
uniform float point_size;

// What pixels interpolate; outputs of an unused kind do not exist, since every one costs per triangle.
#ifdef TEXTURE
out vec2 uv;
#endif
#if defined(SPHERE) || defined(SUB_TEXTURE)
out vec2 sphere_uv;
#endif
#ifdef TOON
out float toon_v;
#endif
#ifdef SPECULAR
out float highlight;
#endif
#ifdef VERTEX_COLOR
out vec4 vertex_color;
#endif

void main()
{
    gl_Position = clip_from_world * vec4(in_position, 1.0);
#ifdef POINTS
    gl_PointSize = point_size;
#endif
#ifdef TEXTURE
    uv = in_uv;
#endif
#ifdef SPHERE
    vec2 n = (mat3(view_from_world) * in_normal).xy;
    sphere_uv = vec2(0.5 + 0.5 * n.x, 0.5 - 0.5 * n.y);
#endif
#ifdef SUB_TEXTURE
    sphere_uv = in_extra.xy;
#endif
#ifdef TOON
    toon_v = 0.5 - 0.5 * dot(in_normal, to_light.xyz);
#endif
#ifdef SPECULAR
    vec3 halfway = normalize(to_light.xyz + normalize(eye.xyz - in_position));
    highlight = pow(max(0.0, dot(in_normal, halfway)), specular_power);
#endif
#ifdef VERTEX_COLOR
    vertex_color = in_extra;
#endif
}
