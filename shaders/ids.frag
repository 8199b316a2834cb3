#version 330 core
// Writes model, material and bone of a pixel.

uniform uvec2 owner; // model, material
flat in uint bone;
#ifdef TEXTURE
uniform float alpha;
uniform float cutoff; // as in flat.frag
uniform sampler2D diffuse_texture;
in vec2 uv;
#endif

out uvec4 ids;

void main()
{
#ifdef TEXTURE
    float surface = texture(diffuse_texture, uv).a;
    if (alpha * (cutoff >= 0.0 ? step(cutoff, surface) : surface) < 0.5 / 255.0)
        discard;
#endif
    ids = uvec4(owner, bone, 0u);
}
