// Vertices of a crowd: posed copies of one mesh, skinned in one pass, one copy after the other. An instanced
// draw reads the copy of its instance; attributes that never change are the mesh's own.
#ifdef CROWD
uniform samplerBuffer crowd_vertices; // a vertex: position; normal; where there are UV morphs UV; extra
uniform ivec3 crowd;                  // the first copy that is drawn; vertices of a copy; texels of a vertex

int crowd_member()
{
    return crowd.x + gl_InstanceID;
}

vec4 crowd_value(int number)
{
    return texelFetch(crowd_vertices, (crowd_member() * crowd.y + gl_VertexID) * crowd.z + number);
}
#endif
