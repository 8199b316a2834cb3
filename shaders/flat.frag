#version 330 core
// One colour.

uniform vec4 flat_color;

out vec4 color;

void main()
{
    color = flat_color;
}
