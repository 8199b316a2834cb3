#version 330 core
// Gives the corners of a triangle barycentric coordinates, from which pixels find their distance to its sides.

layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

out vec3 corners;

invariant gl_Position; // as in the vertex stage

void main()
{
    for (int i = 0; i < 3; i++) {
        corners = vec3(0.0);
        corners[i] = 1.0;
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
}
