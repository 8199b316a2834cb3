#version 330 core
// Expands lines of any width to strips of two triangles, and dots (equal end points) to squares.
// uses: scene.glsl

layout(location = 0) in vec3 in_from; // per line
layout(location = 1) in vec3 in_to;
layout(location = 2) in vec4 in_color;
layout(location = 3) in float in_width;
layout(location = 4) in float in_faint;

uniform vec2 pixel; // size of a pixel in clip space
uniform float scale; // pixels per unit of width
uniform float behind; // 1 to draw hidden parts
uniform float rim;   // how much wider a dark rim is on either side; 0 for the line itself

const vec3 RIM_COLOR = vec3(0.06, 0.06, 0.1);

flat out vec4 line_color;
flat out float half_width;      // in pixels
noperspective out vec2 beside;  // distance from the centre line, in pixels

const float NEAREST = 0.05; // parts behind the eye are clipped here

void main()
{
    vec4 from = clip_from_world * vec4(in_from, 1.0), to = clip_from_world * vec4(in_to, 1.0);
    line_color = rim > 0.0 ? vec4(RIM_COLOR, in_color.a) : in_color;
    line_color.a *= mix(1.0, in_faint, behind);
    half_width = 0.5 * max(1.0, in_width * scale) + rim * max(1.0, scale);
    beside = vec2(0.0);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // outside of the picture
    if (from.w < NEAREST && to.w < NEAREST)
        return;
    if (from.w < NEAREST)
        from = mix(from, to, (NEAREST - from.w) / (to.w - from.w));
    else if (to.w < NEAREST)
        to = mix(to, from, (NEAREST - to.w) / (from.w - to.w));
    vec2 along = (to.xy / to.w - from.xy / from.w) / pixel;
    float pixels = length(along);
    bool is_dot = in_from == in_to;
    vec2 right = is_dot || pixels == 0.0 ? vec2(1.0, 0.0) : along / pixels;
    vec2 corner = 2.0 * vec2(gl_VertexID & 1, gl_VertexID >> 1) - 1.0;
    float reach = half_width + 0.5; // half a pixel more for fading
    beside = vec2(is_dot ? corner.x : 0.0, corner.y) * reach;
    gl_Position = corner.x < 0.0 ? from : to;
    gl_Position.xy += (beside.x * right + beside.y * vec2(-right.y, right.x)) * pixel * gl_Position.w;
}
