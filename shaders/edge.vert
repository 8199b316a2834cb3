#version 330 core
// Expands a mesh to the inverted hull that draws edges (docs/mmd.md 6.6), and ground shadows (6.8).
// uses: scene.glsl
// uses: crowd.glsl
//
// CROWD: draws members of a crowd, each with a width of its own. GROUND: draws a ground shadow.

#ifndef CROWD
layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
#endif
layout(location = 4) in float in_edge_scale;

#ifdef CROWD
uniform float edge_size;
uniform sampler2D members; // per copy: the width of its edges; four columns of its placement
#ifndef TABLE_BITS
#define TABLE_BITS 12
#endif
#else
uniform float width; // in world units
#endif

#ifdef GROUND
uniform mat4 clip_from_ground; // projects onto the ground first
#else
#define clip_from_ground clip_from_world
#endif

invariant gl_Position; // the same in all programs over the same vertices, so that layers in one plane do not fight

void main()
{
#ifdef CROWD
    vec3 in_position = crowd_value(0).xyz, in_normal = crowd_value(1).xyz;
    int at = 5 * crowd_member();
    float width = texelFetch(members, ivec2(at & ((1 << TABLE_BITS) - 1), at >> TABLE_BITS), 0).x * edge_size;
#endif
    gl_Position = clip_from_ground * vec4(in_position + in_normal * (width * in_edge_scale), 1.0);
}
