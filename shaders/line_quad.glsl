// Names of a vertex's values in fragment shaders of lines. Between the two stages is line_quad.geom, in which a name
// cannot be an input and an output.
#ifdef LINES
#define uv quad_uv
#define normal quad_normal
#define position quad_position
#define sphere_uv quad_sphere_uv
#define toon_uv quad_toon_uv
#define highlight quad_highlight
#define lit_color quad_lit_color
#define vertex_color quad_vertex_color
#define shadow_position quad_shadow_position
#define height quad_height
#define tint quad_tint
#define weight quad_weight
#define bone quad_bone
#define surface_geometry quad_surface_geometry
#endif
