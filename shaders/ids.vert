#version 330 core
// Vertices of the id pass: materials, and their edges as edge.vert draws them.
// uses: scene.glsl
//
// TEXTURE: the material has a texture with alpha.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 4) in float in_edge_scale;
layout(location = 5) in uint in_bone; // dominant bone

uniform float width; // of the edge, in world units
uniform float point_size;

flat out uint bone;
#ifdef TEXTURE
out vec2 uv;
#endif

void main()
{
    gl_Position = clip_from_world * vec4(in_position + in_normal * (width * in_edge_scale), 1.0);
    gl_PointSize = point_size;
    bone = in_bone;
#ifdef TEXTURE
    uv = in_uv;
#endif
}
