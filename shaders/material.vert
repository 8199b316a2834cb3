#version 330 core
// Vertices of a material: lighting per vertex (docs/mmd.md 6.3), or the inputs of lighting per pixel.
// uses: scene.glsl
// uses: lighting.glsl
// uses: crowd.glsl
//
// TEXTURE, SPHERE, SUB_TEXTURE, TOON, SPECULAR, VERTEX_COLOR, POINTS: defined if the material has the feature.
// SELF_SHADOW: it receives self shadow; toon and highlight are per pixel. ACCESSORY: coloured as an accessory. SMOOTH:
// lighting per pixel. CROWD: draws members of a crowd.

#ifndef CROWD
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
#endif
layout(location = 2) in vec2 in_uv;
layout(location = 3) in vec4 in_extra; // additional UV 1

uniform vec4 base_color;
uniform vec3 light_diffuse;
uniform float specular_power;
uniform float point_size;

// Interpolated outputs. Unused ones do not exist, because each has a cost per triangle.
#ifdef TEXTURE
out vec2 uv;
#endif
#if defined(SMOOTH) || defined(SELF_SHADOW)
out vec3 normal;
out vec3 position;
#else
#ifdef TOON
out vec2 toon_uv;
#endif
#ifdef SPECULAR
out float highlight;
#endif
#endif
#if defined(SUB_TEXTURE) || (defined(SPHERE) && !defined(SMOOTH))
out vec2 sphere_uv;
#endif
#if defined(ACCESSORY) && !defined(SMOOTH)
out vec3 lit_color;
#endif
#ifdef VERTEX_COLOR
out vec4 vertex_color;
#endif
#ifdef SELF_SHADOW
out vec4 shadow_position;
#endif

invariant gl_Position; // the same in all programs over the same vertices, so that layers in one plane do not fight

void main()
{
#ifdef CROWD
    vec3 in_position = crowd_value(0).xyz, in_normal = crowd_value(1).xyz;
#endif
    gl_Position = clip_from_world * vec4(in_position, 1.0);
#ifdef POINTS
    gl_PointSize = point_size;
#endif
#ifdef TEXTURE
    uv = in_uv;
#ifdef CROWD
    if (crowd.z > 2)
        uv = crowd_value(2).xy;
#endif
#endif
#if defined(SMOOTH) || defined(SELF_SHADOW)
    normal = in_normal;
    position = in_position;
#else
#ifdef TOON
    toon_uv = toon_place(in_normal);
#endif
#ifdef SPECULAR
    highlight = highlight_at(in_position, in_normal, specular_power);
#endif
#endif
#if defined(SPHERE) && !defined(SMOOTH)
    sphere_uv = sphere_place(in_normal);
#endif
#if defined(ACCESSORY) && !defined(SMOOTH)
    lit_color = accessory_color(base_color.rgb, light_diffuse, in_normal);
#endif
#ifdef CROWD
    vec4 extra = crowd.z > 2 ? crowd_value(3) : in_extra;
#else
    vec4 extra = in_extra;
#endif
#ifdef SUB_TEXTURE
    sphere_uv = extra.xy;
#endif
#ifdef VERTEX_COLOR
    vertex_color = extra;
#endif
#ifdef SELF_SHADOW
    shadow_position = shadow_from_world * vec4(in_position, 1.0);
#endif
}
