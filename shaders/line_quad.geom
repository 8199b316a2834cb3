#version 330 core
// Draws lines as quads, because drivers differ in which pixels their own lines cover and how wide these may be.
// A quad extends along y if the line is rather horizontal, else along x, so each column (or row) that the line crosses
// has as many pixels as the line is wide.
//
// Features as in the vertex shaders of materials, surfaces, ids and shadows, whose outputs are passed on under the
// names that line_quad.glsl gives them in fragment shaders.

layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;

uniform vec2 line_reach; // half of a line's width in clip space, along x and y

#ifdef TEXTURE
in vec2 uv[2];
out vec2 quad_uv;
#endif
#if defined(SMOOTH) || defined(SELF_SHADOW) || defined(SHADED)
in vec3 normal[2];
in vec3 position[2];
out vec3 quad_normal;
out vec3 quad_position;
#endif
#if defined(SUB_TEXTURE) || (defined(SPHERE) && !defined(SMOOTH))
in vec2 sphere_uv[2];
out vec2 quad_sphere_uv;
#endif
#if defined(TOON) && !defined(SMOOTH) && !defined(SELF_SHADOW)
in vec2 toon_uv[2];
out vec2 quad_toon_uv;
#endif
#if defined(SPECULAR) && !defined(SMOOTH) && !defined(SELF_SHADOW)
in float highlight[2];
out float quad_highlight;
#endif
#if defined(ACCESSORY) && !defined(SMOOTH)
in vec3 lit_color[2];
out vec3 quad_lit_color;
#endif
#ifdef VERTEX_COLOR
in vec4 vertex_color[2];
out vec4 quad_vertex_color;
#endif
#ifdef SELF_SHADOW
in vec4 shadow_position[2];
out vec4 quad_shadow_position;
#endif
#ifdef GROUND
in float height[2];
out float quad_height;
#endif
#ifdef TINT
flat in vec3 tint[2];
flat out vec3 quad_tint;
#endif
#ifdef HEAT
in float weight[2];
out float quad_weight;
#endif
#ifdef IDS
flat in uint bone[2];
flat out uint quad_bone;
#endif
#ifdef GEOMETRY
in vec4 surface_geometry[2];
out vec4 quad_surface_geometry;
#endif

invariant gl_Position; // as in the vertex stage

void emit(int end, vec2 aside)
{
#ifdef TEXTURE
    quad_uv = uv[end];
#endif
#if defined(SMOOTH) || defined(SELF_SHADOW) || defined(SHADED)
    quad_normal = normal[end];
    quad_position = position[end];
#endif
#if defined(SUB_TEXTURE) || (defined(SPHERE) && !defined(SMOOTH))
    quad_sphere_uv = sphere_uv[end];
#endif
#if defined(TOON) && !defined(SMOOTH) && !defined(SELF_SHADOW)
    quad_toon_uv = toon_uv[end];
#endif
#if defined(SPECULAR) && !defined(SMOOTH) && !defined(SELF_SHADOW)
    quad_highlight = highlight[end];
#endif
#if defined(ACCESSORY) && !defined(SMOOTH)
    quad_lit_color = lit_color[end];
#endif
#ifdef VERTEX_COLOR
    quad_vertex_color = vertex_color[end];
#endif
#ifdef SELF_SHADOW
    quad_shadow_position = shadow_position[end];
#endif
#ifdef GROUND
    quad_height = height[end];
#endif
#ifdef TINT
    quad_tint = tint[1]; // of the last vertex, as that of a triangle
#endif
#ifdef HEAT
    quad_weight = weight[end];
#endif
#ifdef IDS
    quad_bone = bone[1];
#endif
#ifdef GEOMETRY
    quad_surface_geometry = surface_geometry[end];
#endif
    gl_Position = gl_in[end].gl_Position;
    gl_Position.xy += aside * gl_Position.w;
    EmitVertex();
}

void main()
{
    vec4 from = gl_in[0].gl_Position, to = gl_in[1].gl_Position;
    // The direction in the picture, except for its sign, also of lines that end behind the eye.
    vec2 along = abs(to.xy * from.w - from.xy * to.w) / line_reach;
    vec2 aside = along.x >= along.y ? vec2(0.0, line_reach.y) : vec2(line_reach.x, 0.0);
    emit(0, -aside);
    emit(0, aside);
    emit(1, -aside);
    emit(1, aside);
}
