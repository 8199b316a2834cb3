#version 330 core
// Writes model, material and bone of a pixel. GEOMETRY: also its normal and depth. LINES: draws lines.
// uses: line_quad.glsl

uniform uvec2 owner; // model, material
flat in uint bone;
#ifdef TEXTURE
uniform float alpha;
uniform float cutoff; // as in flat.frag
uniform sampler2D diffuse_texture;
in vec2 uv;
#endif

layout(location = 0) out uvec4 ids;
#ifdef GEOMETRY
in vec4 surface_geometry;
layout(location = 1) out vec4 geometry;
#endif

void main()
{
#ifdef TEXTURE
    float surface = texture(diffuse_texture, uv).a;
    if (alpha * (cutoff >= 0.0 ? step(cutoff, surface) : surface) < 0.5 / 255.0)
        discard;
#endif
    ids = uvec4(owner, bone, 0u);
#ifdef GEOMETRY
    geometry = surface_geometry;
#endif
}
