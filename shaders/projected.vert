#version 330 core
// Transforms vertices by one matrix: into the self-shadow map, or lines onto the ground.
// uses: crowd.glsl
//
// TEXTURE: the material has a texture with alpha. CROWD: draws members of a crowd.

#ifndef CROWD
layout(location = 0) in vec3 in_position;
#endif
layout(location = 2) in vec2 in_uv;

uniform mat4 clip_from_skinned;

#ifdef TEXTURE
out vec2 uv;
#endif

invariant gl_Position; // the same in all programs over the same vertices, so that layers in one plane do not fight

void main()
{
#ifdef CROWD
    vec3 in_position = crowd_value(0).xyz;
#endif
    gl_Position = clip_from_skinned * vec4(in_position, 1.0);
#ifdef TEXTURE
    uv = in_uv;
#ifdef CROWD
    if (crowd.z > 2)
        uv = crowd_value(2).xy;
#endif
#endif
}
