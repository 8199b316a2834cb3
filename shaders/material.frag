#version 330 core
// A material's pixels without self shadow (MMD.md 6.3 to 6.5): base colour,
// texture, sphere, toon, specular, in MMD's order, in gamma space.
//
// TEXTURE, SPHERE, SUB_TEXTURE, TOON, SPECULAR, VERTEX_COLOR as in
// material.vert; SPHERE_ADD: the sphere adds; FACTORS: morphs changed factors;
// ALPHA_TEST: some pixel's alpha can reach 0.

uniform vec4 base_color; // saturated
uniform vec3 specular;
#ifdef TEXTURE
uniform sampler2D diffuse_texture;
in vec2 uv;
#endif
#if defined(SPHERE) || defined(SUB_TEXTURE)
uniform sampler2D sphere_texture;
in vec2 sphere_uv;
#endif
#ifdef TOON
uniform sampler2D toon_texture;
in float toon_v;
#endif
#ifdef SPECULAR
in float highlight;
#endif
#ifdef VERTEX_COLOR
in vec4 vertex_color;
#endif
#ifdef FACTORS
uniform vec4 factor_multiply[3]; // texture, sphere, toon
uniform vec4 factor_add[3];
#endif

out vec4 color;

// A texture's colour under a morph's factors; none is what "no texture" would be (MMD.md 6.4).
vec3 with_factors(vec3 rgb, int kind, float none)
{
#ifdef FACTORS
    vec4 m = factor_multiply[kind], a = factor_add[kind];
    return mix(vec3(none), rgb * m.rgb + a.rgb, m.a + a.a);
#else
    return rgb;
#endif
}

void main()
{
    color = base_color;
#ifdef VERTEX_COLOR
    color *= vertex_color;
#endif
#ifdef TEXTURE
    vec4 t = texture(diffuse_texture, uv);
    color *= vec4(with_factors(t.rgb, 0, 1.0), t.a);
#endif
#if defined(SPHERE) || defined(SUB_TEXTURE)
    vec4 s = texture(sphere_texture, sphere_uv);
#ifdef SPHERE_ADD
    color.rgb += with_factors(s.rgb, 1, 0.0);
#else
    color.rgb *= with_factors(s.rgb, 1, 1.0);
#endif
    color.a *= s.a;
#endif
#ifdef TOON
    color.rgb *= with_factors(texture(toon_texture, vec2(0.0, toon_v)).rgb, 2, 1.0);
#endif
#ifdef SPECULAR
    color.rgb += specular * highlight;
#endif
#ifdef ALPHA_TEST
    if (color.a < 0.5 / 255.0)
        discard;
#endif
}
