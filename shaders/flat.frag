#version 330 core
// One colour; with TEXTURE, times the texture's alpha, and nothing where that is 0.

uniform vec4 flat_color;
#ifdef TEXTURE
uniform sampler2D diffuse_texture;
in vec2 uv;
#endif

out vec4 color;

void main()
{
    color = flat_color;
#ifdef TEXTURE
    color.a *= texture(diffuse_texture, uv).a;
    if (color.a < 0.5 / 255.0)
        discard;
#endif
}
