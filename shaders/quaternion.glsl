// Quaternions (x, y, z, w).

vec4 quat_multiply(vec4 a, vec4 b)
{
    return vec4(cross(a.xyz, b.xyz) + a.w * b.xyz + b.w * a.xyz, a.w * b.w - dot(a.xyz, b.xyz));
}

vec4 quat_conjugate(vec4 q)
{
    return vec4(-q.xyz, q.w);
}

// Rotates v by q, which may have any length but 0.
vec3 quat_rotate(vec4 q, vec3 v)
{
    vec3 t = cross(q.xyz, v) * (2.0 / dot(q, q));
    return v + q.w * t + cross(q.xyz, t);
}

// Returns the rotation matrix of q, which may have any length but 0.
mat3 quat_matrix(vec4 q)
{
    vec4 s = q * (2.0 / dot(q, q));
    vec3 xx = q.xyz * s.xyz;
    vec3 xy = vec3(q.x * s.y, q.x * s.z, q.y * s.z); // xy, xz, yz
    vec3 w = q.w * s.xyz;
    return mat3(1.0 - (xx.y + xx.z), xy.x + w.z, xy.y - w.y,
                xy.x - w.z, 1.0 - (xx.x + xx.z), xy.z + w.x,
                xy.y + w.y, xy.z - w.x, 1.0 - (xx.x + xx.y));
}
