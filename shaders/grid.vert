#version 330 core
// Draws lines of the grid and the axes.
// uses: scene.glsl

layout(location = 0) in vec3 in_position;

void main()
{
    gl_Position = clip_from_world * vec4(in_position, 1.0);
}
