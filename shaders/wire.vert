#version 330 core
// Vertices of the wireframe.
// uses: scene.glsl

layout(location = 0) in vec3 in_position;

invariant gl_Position; // the same in all programs over the same vertices, so that layers in one plane do not fight

void main()
{
    gl_Position = clip_from_world * vec4(in_position, 1.0);
}
