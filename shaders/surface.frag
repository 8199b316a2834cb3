#version 330 core
// Colours a surface uniformly, by triangle, or by weight. SHADED: lit from the eye. Features as in surface.vert.
// uses: scene.glsl
// uses: lighting.glsl
// uses: line_quad.glsl

uniform vec3 flat_color;
#ifdef TINT
flat in vec3 tint;
#endif
#ifdef HEAT
in float weight;
#endif
#ifdef SHADED
in vec3 normal;
in vec3 position;
#endif
#ifdef TEXTURE
uniform float alpha;
uniform float cutoff; // as in flat.frag
uniform sampler2D diffuse_texture;
in vec2 uv;
#endif

out vec4 color;

#ifdef HEAT
// Maps weights from blue (small) over cyan, green and yellow to red (1). Weight 0 has the flat colour.
vec3 heat(float w)
{
    vec3 ramp = clamp(vec3(4.0 * w - 2.0, 2.0 - abs(4.0 * w - 2.0), 2.0 - 4.0 * w), 0.0, 1.0);
    return mix(flat_color, ramp, smoothstep(0.0, 0.02, w));
}
#endif

void main()
{
#ifdef TEXTURE
    float surface = texture(diffuse_texture, uv).a;
    if (alpha * (cutoff >= 0.0 ? step(cutoff, surface) : surface) < 0.5 / 255.0)
        discard;
#endif
    vec3 rgb = flat_color;
#ifdef TINT
    rgb = tint;
#endif
#ifdef HEAT
    rgb = heat(weight);
#endif
#ifdef SHADED
    vec3 n = direction(normal);
    float facing = abs(dot(n, direction(eye.xyz - position)));
    rgb *= clamp(0.42 + 0.50 * facing + 0.10 * n.y, 0.0, 1.0);
#endif
    color = vec4(rgb, 1.0);
}
