// Vertices of a crowd: posed copies of one mesh, skinned in one pass, one copy after the other. An instanced
// draw reads the copy of its instance; attributes that skinning does not change come from the mesh.
#ifdef CROWD
uniform samplerBuffer crowd_vertices; // per vertex: position; normal; with UV morphs: UV; extra
uniform ivec3 crowd;                  // first copy to draw; vertices per copy; texels per vertex

int crowd_member()
{
    return crowd.x + gl_InstanceID;
}

vec4 crowd_value(int number)
{
    return texelFetch(crowd_vertices, (crowd_member() * crowd.y + gl_VertexID) * crowd.z + number);
}
#endif
