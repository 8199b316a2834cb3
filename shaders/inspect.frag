#version 330 core
// Outputs the values from which material.frag computes a pixel, under the same names. visibility() is a copy of
// the function there; tests compare the two by computing the colour from these values.
// uses: scene.glsl
// uses: lighting.glsl

uniform float specular_power;
#ifdef TEXTURE
uniform sampler2D diffuse_texture;
in vec2 uv;
#endif
#if defined(SPHERE) || defined(SUB_TEXTURE)
uniform sampler2D sphere_texture;
#endif
#ifdef TOON
uniform sampler2D toon_texture;
#endif
#ifdef SELF_SHADOW
uniform sampler2D shadow_map;
in vec4 shadow_position;
#endif
#if defined(SMOOTH) || defined(SELF_SHADOW)
in vec3 normal;
in vec3 position;
#else
#ifdef TOON
in vec2 toon_uv;
#endif
#ifdef SPECULAR
in float highlight;
#endif
#endif
#if defined(SUB_TEXTURE) || (defined(SPHERE) && !defined(SMOOTH))
in vec2 sphere_uv;
#endif

layout(location = 0) out vec4 terms; // toon coordinate, highlight, visibility of the light
layout(location = 1) out vec4 surface;
layout(location = 2) out vec4 sphere;
layout(location = 3) out vec4 toon;

#ifdef SELF_SHADOW
float visibility(float facing)
{
    vec3 at = shadow_position.xyz / shadow_position.w;
    if (shadow_position.w <= 0.0 || at.xy != clamp(at.xy, 0.0, 1.0))
        return 1.0;
    float depth = max(at.z - textureLod(shadow_map, at.xy, 0.0).r, 0.0);
    float light = 1.0 - clamp(depth * shadow.x * mix(1.0, 1.0 - at.y, shadow.y) - 0.3, 0.0, 1.0);
#ifndef ACCESSORY
    light = min(light, clamp(3.0 * facing, 0.0, 1.0));
#endif
    return light;
}
#endif

void main()
{
#if defined(SMOOTH) || defined(SELF_SHADOW)
    vec3 n = direction(normal);
#ifdef TOON
    vec2 toon_uv = toon_place(n);
#endif
#ifdef SPECULAR
    float highlight = highlight_at(position, n, specular_power);
#endif
#if defined(SMOOTH) && defined(SPHERE) && !defined(SUB_TEXTURE)
    vec2 sphere_uv = sphere_place(n);
#endif
#endif
    terms = vec4(0.0, 0.0, 1.0, 1.0);
    surface = sphere = toon = vec4(1.0);
#ifdef TOON
    terms.x = toon_uv.y;
    toon = texture(toon_texture, toon_uv);
#endif
#ifdef SPECULAR
    terms.y = highlight;
#endif
#ifdef SELF_SHADOW
    terms.z = visibility(dot(n, to_light.xyz));
#endif
#ifdef TEXTURE
    surface = texture(diffuse_texture, uv);
#endif
#if defined(SPHERE) || defined(SUB_TEXTURE)
    sphere = texture(sphere_texture, sphere_uv);
#endif
}
