// What a frame sets once for all programs.
layout(std140) uniform Scene {
    mat4 clip_from_world; // pixel centres and the part of the picture included
    mat4 view_from_world;
    mat4 shadow_from_world; // x, y: place in the self-shadow map; z: depth there; all times w
    vec4 eye;
    vec4 to_light;          // of unit length
    vec4 shadow;            // x: how fast depth darkens; y: 1 where it does so by the place in the map, else 0
};
