#version 330 core
// The inverted hull of an edge (MMD.md 6.6).
// uses: scene.glsl

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 4) in float in_edge_scale;

uniform float width; // in the world

void main()
{
    gl_Position = clip_from_world * vec4(in_position + in_normal * (width * in_edge_scale), 1.0);
}
