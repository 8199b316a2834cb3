#version 330 core
// One colour; with TEXTURE, times the texture's alpha, and nothing where that is 0. With a cutoff of 0 or
// more the texture's alpha is 1, or below the cutoff 0.
// GROUND: what lies on the ground or below it throws no shadow there: a floor
// that may throw one would be all shadow.

uniform vec4 flat_color;
#ifdef TEXTURE
uniform sampler2D diffuse_texture;
uniform float cutoff;
in vec2 uv;
#endif
#ifdef GROUND
in float height;
#endif

out vec4 color;

void main()
{
#ifdef GROUND
    if (height < 0.005)
        discard;
#endif
    color = flat_color;
#ifdef TEXTURE
    float surface = texture(diffuse_texture, uv).a;
    color.a *= cutoff >= 0.0 ? step(cutoff, surface) : surface;
    if (color.a < 0.5 / 255.0)
        discard;
#endif
}
