// Uniforms that are set once per frame for all programs.
layout(std140) uniform Scene {
    mat4 clip_from_world; // includes pixel centres and the window of the picture
    mat4 view_from_world;
    mat4 shadow_from_world; // x, y: position in the self-shadow map; z: depth; all times w
    vec4 eye;
    vec4 to_light;          // of unit length
    vec4 shadow;            // x: darkening per depth; y: 1 if it depends on the position in the map, else 0
};
