#version 330 core
// Places a background picture in the framebuffer.

uniform vec4 place; // in clip space: left, top, right, bottom

out vec2 uv;

void main()
{
    uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(place.xy, place.zw, uv), 0.0, 1.0);
}
