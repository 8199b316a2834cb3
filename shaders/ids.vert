#version 330 core
// Vertices of the id pass: materials, and their edges as edge.vert draws them.
// uses: scene.glsl
//
// TEXTURE: the material has a texture with alpha. GEOMETRY: normal and depth are written too.

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
#ifdef GEOMETRY
out vec4 surface_geometry; // normal in world space, not of unit length; distance along the view axis
#endif

invariant gl_Position; // the same in all programs over the same vertices, so that layers in one plane do not fight

void main()
{
    vec4 position = vec4(in_position + in_normal * (width * in_edge_scale), 1.0);
    gl_Position = clip_from_world * position;
    gl_PointSize = point_size;
    bone = in_bone;
#ifdef TEXTURE
    uv = in_uv;
#endif
#ifdef GEOMETRY
    surface_geometry = vec4(in_normal, (view_from_world * position).z);
#endif
}
