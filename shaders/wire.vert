#version 330 core
// Corners of triangles, each on its own, so that pixels know how far the sides
// are. Vertices come from the element buffer, by number: nothing is shared.
// uses: scene.glsl

uniform usamplerBuffer elements;
uniform samplerBuffer vertices;
uniform int first;  // number of the first element
uniform int stride; // numbers that a vertex has; its first three are its place

out vec3 corners; // 1 at one's own corner, 0 at the others

void main()
{
    int at = stride * int(texelFetch(elements, gl_VertexID).r);
    vec3 place;
    for (int k = 0; k < 3; k++)
        place[k] = texelFetch(vertices, at + k).r;
    corners = vec3(0.0);
    corners[(gl_VertexID - first) % 3] = 1.0;
    gl_Position = clip_from_world * vec4(place, 1.0);
}
