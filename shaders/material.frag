#version 330 core
// Colours a material's pixels (docs/mmd.md 6.3 to 6.7): base colour, texture, sphere, toon or self shadow, specular,
// in MMD's order, in gamma space.
// uses: scene.glsl
// uses: lighting.glsl
// uses: line_quad.glsl
//
// Features as in material.vert, and SPHERE_ADD: the sphere map is added; FACTORS: morphs changed texture factors;
// ALPHA_TEST: alpha can reach 0; ALPHA_CUT: alpha of textures and vertices decides whether a pixel is drawn;
// LINES: draws lines.

uniform vec4 base_color; // saturated; of an accessory: the unlit part, not saturated
uniform vec3 light_diffuse;
uniform vec3 specular;
uniform float specular_power;
#ifdef ALPHA_CUT
uniform float cutoff;
#endif
#ifdef TEXTURE
uniform sampler2D diffuse_texture;
in vec2 uv;
#endif
#if defined(SPHERE) || defined(SUB_TEXTURE)
uniform sampler2D sphere_texture;
#endif
#ifdef TOON
uniform sampler2D toon_texture;
uniform vec3 toon_shade; // bottom left texel of the toon
#endif
#ifdef VERTEX_COLOR
in vec4 vertex_color;
#endif
#ifdef SELF_SHADOW
uniform sampler2D shadow_map;
in vec4 shadow_position;
#endif
#ifdef FACTORS
uniform vec4 factor_multiply[3]; // texture, sphere, toon
uniform vec4 factor_add[3];
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
#if defined(ACCESSORY) && !defined(SMOOTH)
in vec3 lit_color;
#endif

out vec4 color;

// Applies a morph's factors to a texture colour. none: the neutral colour (docs/mmd.md 6.4).
vec3 with_factors(vec3 rgb, int kind, float none)
{
#ifdef FACTORS
    vec4 m = factor_multiply[kind], a = factor_add[kind];
    return mix(vec3(none), rgb * m.rgb + a.rgb, m.a + a.a);
#else
    return rgb;
#endif
}

#ifdef SELF_SHADOW
// Returns how much light is not shadowed (docs/mmd.md 6.7). Outside of the map there is no shadow.
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

// Texture colours of the pixel, with factors of morphs.
struct samples {
    vec4 surface, sphere;
    vec3 toon;
};

// Applies toon, texture and sphere in MMD's order: an added sphere is not darkened by the toon.
vec3 textured(vec3 rgb, samples s)
{
#if defined(TOON) && !defined(SELF_SHADOW)
    rgb *= s.toon;
#endif
#ifdef VERTEX_COLOR
    rgb *= vertex_color.rgb;
#endif
#ifdef TEXTURE
    rgb *= s.surface.rgb;
#endif
#ifdef SPHERE_ADD
    rgb += s.sphere.rgb;
#elif defined(SPHERE) || defined(SUB_TEXTURE)
    rgb *= s.sphere.rgb;
#endif
    return rgb;
}

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
#ifdef SMOOTH
#if defined(SPHERE) && !defined(SUB_TEXTURE)
    vec2 sphere_uv = sphere_place(n);
#endif
#ifdef ACCESSORY
    vec3 lit_color = accessory_color(base_color.rgb, light_diffuse, n);
#endif
#endif
#endif

    samples s = samples(vec4(1.0), vec4(1.0), vec3(1.0));
#ifdef TEXTURE
    s.surface = texture(diffuse_texture, uv);
    s.surface.rgb = with_factors(s.surface.rgb, 0, 1.0);
#endif
#if defined(SPHERE) || defined(SUB_TEXTURE)
    s.sphere = texture(sphere_texture, sphere_uv);
#ifdef SPHERE_ADD
    s.sphere.rgb = with_factors(s.sphere.rgb, 1, 0.0);
#else
    s.sphere.rgb = with_factors(s.sphere.rgb, 1, 1.0);
#endif
#endif
#if defined(TOON) && !defined(SELF_SHADOW)
    s.toon = texture(toon_texture, toon_uv).rgb;
#endif
#ifdef ALPHA_CUT
    float surface = s.surface.a * s.sphere.a;
#ifdef VERTEX_COLOR
    surface *= vertex_color.a;
#endif
    color.a = surface < cutoff ? 0.0 : base_color.a;
#else
    color.a = base_color.a * s.surface.a * s.sphere.a;
#ifdef VERTEX_COLOR
    color.a *= vertex_color.a;
#endif
#endif

#ifdef ACCESSORY
    color.rgb = textured(lit_color, s);
#else
    color.rgb = textured(base_color.rgb, s);
#endif
#ifdef SELF_SHADOW
#ifdef ACCESSORY
    vec3 dark = textured(clamp(base_color.rgb, 0.0, 1.0), s);
#else
    vec3 dark = color.rgb;
#endif
    float light = visibility(dot(n, to_light.xyz));
#ifdef TOON
    dark *= with_factors(toon_shade, 2, 1.0);
#endif
    color.rgb = mix(dark, color.rgb, light);
#else
    const float light = 1.0;
#endif
#ifdef SPECULAR
    color.rgb += specular * highlight * light;
#endif
#ifdef ALPHA_TEST
    if (color.a < 0.5 / 255.0)
        discard;
#endif
}
