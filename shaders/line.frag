#version 330 core
// Colours a line or dot, with edges that fade over one pixel.

uniform float opacity;

flat in vec4 line_color;
flat in float half_width;
noperspective in vec2 beside;

out vec4 color;

void main()
{
    float inside = clamp(half_width + 0.5 - length(beside), 0.0, 1.0);
    color = vec4(line_color.rgb, line_color.a * opacity * inside);
    if (color.a < 0.5 / 255.0)
        discard;
}
