#version 330 core
// The picture as it is: no light falls on it.

uniform sampler2D picture;

in vec2 uv;

out vec4 color;

void main()
{
    color = texture(picture, uv);
}
