#version 330 core
// Vertices of the wireframe.
// uses: scene.glsl

layout(location = 0) in vec3 in_position;

void main()
{
    gl_Position = clip_from_world * vec4(in_position, 1.0);
}
