#version 330 core
// A picture behind everything, at any place of the framebuffer.

uniform vec4 place; // in clip space: left, top, right, bottom

out vec2 uv;

void main()
{
    uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(place.xy, place.zw, uv), 0.0, 1.0);
}
