// What a frame sets once for all programs.
layout(std140) uniform Scene {
    mat4 clip_from_world; // pixel centres included
    mat4 view_from_world;
    vec4 eye;
    vec4 to_light;        // of unit length
};
