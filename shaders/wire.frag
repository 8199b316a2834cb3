#version 330 core
// Draws the sides of a triangle: a dark line with a light rim, visible on any background. Lines fade where
// triangles are as small as the lines.

uniform float scale; // pixels per unit of width

in vec3 corners;

out vec4 color;

const vec3 INK = vec3(0.03, 0.07, 0.20), RIM = vec3(1.0);

void main()
{
    vec3 a_pixel = vec3(length(vec2(dFdx(corners.x), dFdy(corners.x))),
                        length(vec2(dFdx(corners.y), dFdy(corners.y))),
                        length(vec2(dFdx(corners.z), dFdy(corners.z))));
    vec3 away = corners / max(a_pixel, vec3(1e-6)) / scale;
    float distance = min(away.x, min(away.y, away.z));
    float height = 1.0 / max(max(a_pixel.x, a_pixel.y), max(a_pixel.z, 1e-6)) / scale;
    float ink = 1.0 - smoothstep(0.1, 0.95, distance), rim = 1.0 - smoothstep(0.8, 2.2, distance);
    float room = smoothstep(1.0, 9.0, height);
    float line = ink * mix(0.30, 0.85, room), light = rim * 0.35 * room * (1.0 - line);
    color = vec4((INK * line + RIM * light) / max(line + light, 1e-4), line + light);
    if (color.a < 0.5 / 255.0)
        discard;
}
