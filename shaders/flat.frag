#version 330 core
// Draws one colour. TEXTURE: multiplies it by the texture's alpha, and discards pixels where that is 0; with a
// cutoff of 0 or more, alpha is 0 below the cutoff and 1 from there on.
// LINES: draws lines.
// uses: line_quad.glsl

uniform vec4 flat_color;
#ifdef TEXTURE
uniform sampler2D diffuse_texture;
uniform float cutoff;
in vec2 uv;
#endif

out vec4 color;

void main()
{
    color = flat_color;
#ifdef TEXTURE
    float surface = texture(diffuse_texture, uv).a; // before any discard, behind which its level is undefined
    color.a *= cutoff >= 0.0 ? step(cutoff, surface) : surface;
    if (color.a < 0.5 / 255.0)
        discard;
#endif
}
