#version 330 core
// Corners of triangles, fetched separately so that pixels get barycentric coordinates. Vertices are read by index
// from the element buffer.
// uses: scene.glsl

uniform usamplerBuffer elements;
uniform samplerBuffer vertices;
uniform int first;  // index of the first element
uniform int stride; // floats per vertex; the first three are its position

out vec3 corners; // barycentric coordinates

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
