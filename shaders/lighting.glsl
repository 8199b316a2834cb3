// Lighting of a surface (docs/mmd.md 6.3), at vertices as in MMD, or at pixels. Needs scene.glsl.

// Returns the unit vector in a direction, or zero for zero, of which normalize() is undefined.
vec3 direction(vec3 v)
{
    float square = dot(v, v);
    return square > 0.0 ? v * inversesqrt(square) : v;
}

vec2 sphere_place(vec3 normal)
{
    vec2 n = (mat3(view_from_world) * normal).xy;
    return vec2(0.5 + 0.5 * n.x, 0.5 - 0.5 * n.y);
}

// Returns the place in the toon texture: down it, 0 facing the light and 1 facing away; across it, along the view's
// horizontal direction that is perpendicular to the light.
vec2 toon_place(vec3 normal)
{
    vec3 light = mat3(view_from_world) * to_light.xyz;
    vec3 across = direction(vec3(light.z, 0.0, -light.x));
    return 0.5 + 0.5 * vec2(dot(mat3(view_from_world) * normal, across), -dot(normal, to_light.xyz));
}

float highlight_at(vec3 position, vec3 normal, float power)
{
    vec3 halfway = direction(to_light.xyz + direction(eye.xyz - position));
    return pow(max(0.0, dot(normal, halfway)), power);
}

// Returns an accessory's colour (docs/mmd.md 6.10): the unlit part plus what the light adds.
vec3 accessory_color(vec3 dark, vec3 diffuse, vec3 normal)
{
    return clamp(dark + diffuse * max(0.0, dot(normal, to_light.xyz)), 0.0, 1.0);
}
