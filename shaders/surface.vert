#version 330 core
// Vertices of the surface modes for modellers (clay, weights, ids).
// uses: scene.glsl
//
// TEXTURE: the material has a texture with alpha. TINT: each triangle has the colour of its last vertex. HEAT:
// vertices have a weight. SHADED: lighting from the eye shows the shape.

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 5) in vec4 in_tint; // a colour, or a weight in x

uniform float point_size;

#ifdef TINT
flat out vec3 tint;
#endif
#ifdef HEAT
out float weight;
#endif
#ifdef SHADED
out vec3 normal;
out vec3 position;
#endif
#ifdef TEXTURE
out vec2 uv;
#endif

invariant gl_Position; // the same in all programs over the same vertices, so that layers in one plane do not fight

void main()
{
    gl_Position = clip_from_world * vec4(in_position, 1.0);
    gl_PointSize = point_size;
#ifdef TINT
    tint = in_tint.rgb;
#endif
#ifdef HEAT
    weight = in_tint.r;
#endif
#ifdef SHADED
    normal = in_normal;
    position = in_position;
#endif
#ifdef TEXTURE
    uv = in_uv;
#endif
}
