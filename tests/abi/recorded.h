#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
typedef enum mmd_status {
    MMD_OK, MMD_ERROR_IO, MMD_ERROR_NOT_FOUND, MMD_ERROR_MAGIC, MMD_ERROR_VERSION, MMD_ERROR_TRUNCATED, MMD_ERROR_COUNT, MMD_ERROR_INDEX, MMD_ERROR_VALUE, MMD_ERROR_TEXT, MMD_ERROR_SYNTAX, MMD_ERROR_UNSUPPORTED, MMD_ERROR_LIMIT, MMD_ERROR_MEMORY, MMD_ERROR_NO_CONTEXT, MMD_ERROR_GL, MMD_ERROR_ARGUMENT, MMD_ERROR_REFUSED,
        MMD_STATUS_COUNT
} mmd_status;
const char *mmd_status_text(mmd_status status);
const char *mmd_status_name(mmd_status status);
enum { MMD_ERROR_FILE_MAX = 256, MMD_ERROR_SECTION_MAX = 64, MMD_ERROR_MESSAGE_MAX = 256 };
typedef struct mmd_error {
    mmd_status code;
    uint64_t offset;
    char file[MMD_ERROR_FILE_MAX];
    char section[MMD_ERROR_SECTION_MAX];
    char message[MMD_ERROR_MESSAGE_MAX];
} mmd_error;
mmd_status mmd_error_set(mmd_error *error, mmd_status code, const char *section, uint64_t offset,
                         const char *format, ...)
    __attribute__((format(__printf__, 5, 6)))
    ;
mmd_status mmd_error_set_v(mmd_error *error, mmd_status code, const char *section, uint64_t offset,
                           const char *format, va_list arguments);
mmd_status mmd_error_memory(mmd_error *error);
void mmd_error_set_file(mmd_error *error, const char *file);
char *mmd_error_sentence(const mmd_error *error, char *text, size_t capacity);
typedef enum mmd_interpolation {
    MMD_INTERPOLATION_STEP,
    MMD_INTERPOLATION_LINEAR,
    MMD_INTERPOLATION_CUBIC
} mmd_interpolation;
typedef enum mmd_animated {
    MMD_ANIMATED_TRANSLATION,
    MMD_ANIMATED_ROTATION,
    MMD_ANIMATED_SCALE,
    MMD_ANIMATED_WEIGHT
} mmd_animated;
typedef struct mmd_animation_channel {
    uint8_t animated;
    uint8_t interpolation;
    int32_t target;
    uint32_t count;
    const float *times;
    const float *values;
} mmd_animation_channel;
typedef struct mmd_animation {
    const char *name;
    uint32_t channel_count;
    const mmd_animation_channel *channels;
    float seconds;
} mmd_animation;
void mmd_animation_sample(const mmd_animation_channel *channel, double seconds, uint32_t *hint, float *out);
void *mmd_alloc(size_t size);
void *mmd_realloc(void *memory, size_t size);
void mmd_free(void *memory);
uint64_t mmd_heap_allocations(void);
uint64_t mmd_heap_blocks_in_use(void);
typedef struct mmd_buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
   _Bool 
        failed;
} mmd_buffer;
void mmd_buffer_finish(mmd_buffer *buffer);
typedef struct mmd_arena_block mmd_arena_block;
typedef struct mmd_arena {
    mmd_arena_block *block;
    size_t used;
    size_t limit;
} mmd_arena;
_Bool 
    mmd_arena_reserve(mmd_arena *arena, size_t size);
void *mmd_arena_alloc(mmd_arena *arena, size_t count, size_t size);
char *mmd_arena_text(mmd_arena *arena, const char *text, size_t length);
void mmd_arena_finish(mmd_arena *arena);
typedef struct mmd_transform {
    float rotation[4];
    float translation[4];
} mmd_transform;
typedef struct mmd_affine {
    float rows[3][4];
} mmd_affine;
void mmd_transform_matrix(const mmd_transform *transform, float matrix[16]);
void mmd_transform_multiply(const mmd_transform *a, const mmd_transform *b, mmd_transform *out);
void mmd_transform_inverse(const mmd_transform *a, mmd_transform *out);
void mmd_transform_point(const mmd_transform *a, const float p[3], float out[3]);
void mmd_transform_mix(const mmd_transform *a, const mmd_transform *b, float t, mmd_transform *out);
void mmd_rotation_yxz(const float angles[3], float rotation[4]);
typedef enum mmd_damping_policy {
    MMD_DAMPING_PLAIN,
    MMD_DAMPING_ADDITIONAL
} mmd_damping_policy;
typedef enum mmd_joint_lever {
    MMD_LEVER_OWN,
    MMD_LEVER_STOCK
} mmd_joint_lever;
typedef struct mmd_phys_world {
    float gravity[3];
   _Bool 
        ground;
    float ground_height, ground_friction, ground_restitution;
    uint32_t rate;
    uint32_t iterations;
    float joint_erp;
    uint8_t joint_lever;
    uint8_t damping;
   _Bool 
        exact_restitution;
    const char *extras;
} mmd_phys_world;
mmd_phys_world mmd_default_phys_world(void);
mmd_phys_world mmd_default_gltf_world(void);
typedef enum mmd_phys_shape_kind {
    MMD_PHYS_SPHERE,
    MMD_PHYS_BOX,
    MMD_PHYS_CAPSULE,
    MMD_PHYS_CYLINDER,
    MMD_PHYS_HULL,
    MMD_PHYS_MESH,
    MMD_PHYS_PLANE
} mmd_phys_shape_kind;
typedef struct mmd_phys_shape {
    uint8_t kind;
   _Bool 
        trigger;
   _Bool 
        solid;
    mmd_transform frame;
    float size[3];
    int32_t mesh;
    int32_t material;
    int32_t filter;
    const char *name, *path;
} mmd_phys_shape;
typedef struct mmd_phys_mesh {
    uint32_t point_count;
    const float (*points)[3];
    uint32_t index_count;
    const uint32_t *indices;
} mmd_phys_mesh;
typedef enum mmd_combine_mode {
    MMD_COMBINE_UNSPECIFIED,
    MMD_COMBINE_MULTIPLY,
    MMD_COMBINE_MAXIMUM,
    MMD_COMBINE_MINIMUM,
    MMD_COMBINE_AVERAGE
} mmd_combine_mode;
typedef struct mmd_phys_material {
    float static_friction, dynamic_friction, restitution;
    uint8_t friction_combine, restitution_combine;
    const char *name;
} mmd_phys_material;
mmd_phys_material mmd_default_phys_material(void);
typedef struct mmd_phys_filter {
   _Bool 
        named;
    uint8_t group;
    uint16_t mask;
   _Bool 
        has_collide_with;
    uint32_t system_count, collide_count, not_collide_count;
    const uint32_t *systems, *collide_with, *not_collide_with;
} mmd_phys_filter;
struct mmd_physscene;
_Bool 
    mmd_physscene_collides(const struct mmd_physscene *scene, int32_t filter_a, int32_t filter_b);
typedef enum mmd_phys_motion {
    MMD_PHYS_STATIC,
    MMD_PHYS_KINEMATIC,
    MMD_PHYS_DYNAMIC,
    MMD_PHYS_DYNAMIC_BONE
} mmd_phys_motion;
typedef struct mmd_phys_body {
    const char *name, *path;
    uint8_t motion;
   _Bool 
        disabled;
   _Bool 
        can_sleep;
   _Bool 
        ccd;
   _Bool 
        auto_inertia, auto_center;
   _Bool 
        auto_mass;
    mmd_transform rest;
    int32_t bone;
    float mass;
    float inertia[3];
    float inertia_rotation[4];
    float center[3];
    float linear_damping, angular_damping;
    float linear_velocity[3], angular_velocity[3];
    float gravity_factor;
    uint32_t first_shape, shape_count;
} mmd_phys_body;
typedef enum mmd_phys_joint_kind {
    MMD_JOINT_PMX_SPRING = 0,
    MMD_JOINT_PMX_6DOF = 1,
    MMD_JOINT_PMX_POINT = 2,
    MMD_JOINT_PMX_CONE_TWIST = 3,
    MMD_JOINT_PMX_SLIDER = 4,
    MMD_JOINT_PMX_HINGE = 5,
    MMD_JOINT_LIMITS_AND_DRIVES = 6
} mmd_phys_joint_kind;
typedef struct mmd_pmx_joint {
    float linear_lower[3], linear_upper[3], angular_lower[3], angular_upper[3];
    float linear_spring[3], angular_spring[3];
} mmd_pmx_joint;
typedef enum mmd_phys_limit_kind {
    MMD_LIMIT_LINEAR,
    MMD_LIMIT_ANGULAR,
    MMD_LIMIT_ELLIPSE
} mmd_phys_limit_kind;
typedef struct mmd_phys_limit {
    uint8_t kind;
    uint8_t axes;
   _Bool 
        has_min, has_max;
    float min, max, max2;
   _Bool 
        soft;
    float stiffness, damping;
} mmd_phys_limit;
typedef enum mmd_phys_drive_kind {
    MMD_DRIVE_LINEAR,
    MMD_DRIVE_ANGULAR,
    MMD_DRIVE_POSE
} mmd_phys_drive_kind;
typedef struct mmd_phys_drive {
    uint8_t kind;
    uint8_t axis;
   _Bool 
        acceleration;
   _Bool 
        enabled;
    float position_target, velocity_target;
    float stiffness, damping;
    float angular_stiffness, angular_damping;
    float max_force;
    mmd_transform target;
} mmd_phys_drive;
typedef struct mmd_phys_joint {
    const char *name, *path;
    uint8_t kind;
   _Bool 
        collide;
   _Bool 
        disabled;
    int32_t body_a, body_b;
    mmd_transform frame_a, frame_b;
    mmd_pmx_joint pmx;
    float angular_size;
    uint32_t first_limit, limit_count;
    uint32_t first_drive, drive_count;
} mmd_phys_joint;
typedef struct mmd_phys_soft_anchor {
    uint32_t node;
    int32_t body;
   _Bool 
        near_mode;
} mmd_phys_soft_anchor;
typedef struct mmd_phys_soft_body {
    const char *name;
    uint8_t shape;
    uint8_t flags;
    int32_t link_distance, cluster_count;
    int32_t filter;
    float mass, margin;
    int32_t aero_model;
    float config[12], cluster[6];
    int32_t iterations[4];
    float material_config[3];
    uint32_t node_count;
    const float (*nodes)[3];
    uint32_t index_count;
    const uint32_t *indices;
    uint32_t anchor_count, pin_count;
    const mmd_phys_soft_anchor *anchors;
    const uint32_t *pins;
    uint32_t vertex_count;
    const uint32_t *vertices;
    const uint32_t *vertex_node;
} mmd_phys_soft_body;
typedef enum mmd_gravity_kind {
    MMD_GRAVITY_DIRECTIONAL,
    MMD_GRAVITY_POINT,
    MMD_GRAVITY_DISC,
    MMD_GRAVITY_TORUS,
    MMD_GRAVITY_LINE,
    MMD_GRAVITY_SHAPED
} mmd_gravity_kind;
typedef struct mmd_phys_gravity {
    uint8_t kind;
    int32_t body;
    int32_t priority;
   _Bool 
        replace, stop;
    float gravity;
    float direction[3];
    float unit_distance;
    float radius;
    int32_t shape;
    uint32_t point_count;
    const float (*points)[3];
} mmd_phys_gravity;
typedef struct mmd_physscene {
    mmd_phys_world world;
    uint32_t body_count;
    mmd_phys_body *bodies;
    uint32_t shape_count;
    mmd_phys_shape *shapes;
    uint32_t mesh_count;
    mmd_phys_mesh *meshes;
    uint32_t material_count;
    mmd_phys_material *materials;
    uint32_t filter_count;
    mmd_phys_filter *filters;
    uint32_t system_count;
    const char **system_names;
    uint32_t joint_count;
    mmd_phys_joint *joints;
    uint32_t limit_count;
    mmd_phys_limit *limits;
    uint32_t drive_count;
    mmd_phys_drive *drives;
    uint32_t soft_body_count;
    mmd_phys_soft_body *soft_bodies;
    uint32_t gravity_count;
    mmd_phys_gravity *gravities;
    mmd_arena arena;
} mmd_physscene;
void mmd_physscene_destroy(mmd_physscene *scene);
mmd_status mmd_physscene_check(const mmd_physscene *scene, mmd_error *error);
enum { MMD_HULL_POINTS = 400 };
_Bool 
    mmd_hull_triangles(const float (*points)[3], uint32_t count, uint32_t **indices, uint32_t *index_count);
_Bool 
    mmd_mesh_edges(const mmd_phys_mesh *mesh, 
                                              _Bool 
                                                   sharp_only, uint32_t (**edges)[2], uint32_t *edge_count);
typedef enum mmd_deform {
    MMD_DEFORM_BDEF1 = 0,
    MMD_DEFORM_BDEF2 = 1,
    MMD_DEFORM_BDEF4 = 2,
    MMD_DEFORM_SDEF = 3,
    MMD_DEFORM_QDEF = 4
} mmd_deform;
typedef struct mmd_sdef {
    float c[3], r0[3], r1[3];
} mmd_sdef;
typedef struct mmd_vertices {
    uint32_t count;
    uint32_t additional_uv_count;
    float (*position)[3];
    float (*normal)[3];
    float (*uv)[2];
    float (*additional_uv[4])[4];
    uint8_t *deform;
    int32_t (*bone)[4];
    float (*weight)[4];
    float *edge_scale;
    int32_t *sdef_index;
    mmd_sdef *sdef;
    uint32_t sdef_count;
} mmd_vertices;
enum mmd_material_flag {
    MMD_MATERIAL_TWO_SIDED = 0x01,
    MMD_MATERIAL_GROUND_SHADOW = 0x02,
    MMD_MATERIAL_CASTS_SHADOW = 0x04,
    MMD_MATERIAL_RECEIVES_SHADOW = 0x08,
    MMD_MATERIAL_EDGE = 0x10,
    MMD_MATERIAL_VERTEX_COLOR = 0x20,
    MMD_MATERIAL_POINTS = 0x40,
    MMD_MATERIAL_LINES = 0x80
};
typedef enum mmd_sphere_mode {
    MMD_SPHERE_NONE = 0,
    MMD_SPHERE_MULTIPLY = 1,
    MMD_SPHERE_ADD = 2,
    MMD_SPHERE_SUB_TEXTURE = 3
} mmd_sphere_mode;
typedef struct mmd_material {
    const char *name, *name_en, *memo;
    float diffuse[4];
    float specular[3];
    float specular_power;
    float ambient[3];
    float edge_color[4];
    float edge_size;
    uint8_t flags;
    uint8_t sphere_mode;
   _Bool 
        shared_toon;
    int32_t texture, sphere;
    int32_t toon;
   _Bool 
        cuts_alpha;
    float alpha_cutoff;
    uint32_t first_index;
    uint32_t index_count;
} mmd_material;
enum mmd_bone_flag {
    MMD_BONE_TAIL_IS_BONE = 0x0001,
    MMD_BONE_ROTATABLE = 0x0002,
    MMD_BONE_MOVABLE = 0x0004,
    MMD_BONE_VISIBLE = 0x0008,
    MMD_BONE_OPERABLE = 0x0010,
    MMD_BONE_IK = 0x0020,
    MMD_BONE_APPEND_LOCAL = 0x0080,
    MMD_BONE_APPEND_ROTATION = 0x0100,
    MMD_BONE_APPEND_TRANSLATION = 0x0200,
    MMD_BONE_FIXED_AXIS = 0x0400,
    MMD_BONE_LOCAL_AXIS = 0x0800,
    MMD_BONE_AFTER_PHYSICS = 0x1000,
    MMD_BONE_EXTERNAL_PARENT = 0x2000
};
typedef struct mmd_ik_link {
    int32_t bone;
   _Bool 
        has_limit;
    float lower[3], upper[3];
} mmd_ik_link;
typedef struct mmd_bone {
    const char *name, *name_en;
    float position[3];
    int32_t parent;
    int32_t layer;
    uint16_t flags;
   _Bool 
        internal;
    int32_t tail_bone;
    float tail_offset[3];
    int32_t append_source;
    float append_ratio;
    float fixed_axis[3];
    float local_x[3], local_z[3];
    int32_t external_key;
    int32_t ik_target;
    int32_t ik_loops;
    float ik_limit;
    uint32_t ik_link_count;
    const mmd_ik_link *ik_links;
} mmd_bone;
static inline 
             _Bool 
                  mmd_bone_appends(const mmd_bone *bone)
{
    return (bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION)) &&
           bone->append_source >= 0;
}
typedef enum mmd_morph_kind {
    MMD_MORPH_GROUP = 0,
    MMD_MORPH_VERTEX = 1,
    MMD_MORPH_BONE = 2,
    MMD_MORPH_UV = 3,
    MMD_MORPH_ADDITIONAL_UV1 = 4,
    MMD_MORPH_MATERIAL = 8,
    MMD_MORPH_FLIP = 9,
    MMD_MORPH_IMPULSE = 10
} mmd_morph_kind;
typedef struct mmd_group_offset {
    int32_t morph;
    float ratio;
} mmd_group_offset;
typedef struct mmd_vertex_offset {
    int32_t vertex;
    float offset[3];
} mmd_vertex_offset;
typedef struct mmd_bone_offset {
    int32_t bone;
    float translation[3];
    float rotation[4];
} mmd_bone_offset;
typedef struct mmd_uv_offset {
    int32_t vertex;
    float offset[4];
} mmd_uv_offset;
typedef struct mmd_material_values {
    float diffuse[4];
    float specular[3];
    float specular_power;
    float ambient[3];
    float edge_color[4];
    float edge_size;
    float texture_factor[4], sphere_factor[4], toon_factor[4];
} mmd_material_values;
typedef struct mmd_material_offset {
    int32_t material;
    uint8_t operation;
    mmd_material_values values;
} mmd_material_offset;
typedef struct mmd_impulse_offset {
    int32_t body;
   _Bool 
        local;
    float velocity[3], torque[3];
} mmd_impulse_offset;
typedef struct mmd_morph {
    const char *name, *name_en;
    uint8_t panel;
    uint8_t kind;
    uint32_t count;
    union {
        const mmd_group_offset *group;
        const mmd_vertex_offset *vertex;
        const mmd_bone_offset *bone;
        const mmd_uv_offset *uv;
        const mmd_material_offset *material;
        const mmd_impulse_offset *impulse;
    } offsets;
} mmd_morph;
typedef struct mmd_frame_item {
    uint8_t kind;
    int32_t index;
} mmd_frame_item;
typedef struct mmd_display_frame {
    const char *name, *name_en;
    uint8_t special;
    uint32_t count;
    const mmd_frame_item *items;
} mmd_display_frame;
typedef struct mmd_rigid_body {
    const char *name, *name_en;
    int32_t bone;
    uint8_t group;
    uint16_t mask;
    uint8_t shape;
    float size[3], position[3], rotation[3];
    float mass, linear_damping, angular_damping, restitution, friction;
    uint8_t mode;
} mmd_rigid_body;
typedef struct mmd_joint {
    const char *name, *name_en;
    uint8_t kind;
    int32_t body_a, body_b;
    float position[3], rotation[3];
    float linear_lower[3], linear_upper[3], angular_lower[3], angular_upper[3];
    float linear_spring[3], angular_spring[3];
} mmd_joint;
typedef struct mmd_soft_anchor {
    int32_t body, vertex;
    uint8_t near_mode;
} mmd_soft_anchor;
typedef struct mmd_soft_body {
    const char *name, *name_en;
    uint8_t shape;
    int32_t material;
    uint8_t group;
    uint16_t mask;
    uint8_t flags;
    int32_t link_distance, cluster_count;
    float mass, margin;
    int32_t aero_model;
    float config[12];
    float cluster[6];
    int32_t iterations[4];
    float material_config[3];
    uint32_t anchor_count, pin_count;
    const mmd_soft_anchor *anchors;
    const int32_t *pins;
} mmd_soft_body;
typedef struct mmd_broken_reference {
    char section[16];
    uint32_t item;
    char field[24];
    int64_t value;
} mmd_broken_reference;
enum { MMD_BROKEN_REFERENCE_MAX = 256 };
typedef enum mmd_model_origin {
    MMD_ORIGIN_MADE,
    MMD_ORIGIN_PMX,
    MMD_ORIGIN_PMD,
    MMD_ORIGIN_X,
    MMD_ORIGIN_GLTF,
    MMD_ORIGIN_RAGDOLL
} mmd_model_origin;
static inline 
             _Bool 
                  mmd_origin_is_mmd(mmd_model_origin origin)
{
    return origin == MMD_ORIGIN_PMX || origin == MMD_ORIGIN_PMD || origin == MMD_ORIGIN_MADE;
}
typedef struct mmd_pmx_layout {
    uint8_t encoding;
    uint8_t vertex_index_size, texture_index_size, material_index_size, bone_index_size, morph_index_size,
        body_index_size;
    uint8_t globals_count;
    const uint8_t *extra_globals;
   _Bool 
        hard_space;
   _Bool 
        no_soft_bodies;
    uint32_t trailing_size;
    const uint8_t *trailing;
} mmd_pmx_layout;
typedef struct mmd_model {
    mmd_model_origin origin;
    float version;
    mmd_pmx_layout layout;
    const char *name, *name_en, *comment, *comment_en;
    mmd_vertices vertices;
    uint32_t index_count;
    uint32_t *indices;
    uint32_t texture_count;
    const char **textures;
    uint32_t material_count;
    mmd_material *materials;
    uint32_t bone_count;
    mmd_bone *bones;
    uint32_t pmd_ik_count;
    int32_t *pmd_ik_bones;
    uint32_t morph_count;
    mmd_morph *morphs;
    uint32_t frame_count;
    mmd_display_frame *frames;
    uint32_t body_count;
    mmd_rigid_body *bodies;
    uint32_t joint_count;
    mmd_joint *joints;
    uint32_t soft_body_count;
    mmd_soft_body *soft_bodies;
   _Bool 
        has_scale;
    float (*node_rotations)[4];
    const mmd_physscene *physscene;
    uint32_t broken_reference_count;
    uint32_t broken_reference_listed;
    mmd_broken_reference *broken_references;
    int32_t *bone_level;
    uint32_t *bone_order;
    uint32_t bone_order_before;
    uint32_t *bone_rank;
    uint8_t (*bone_key)[15];
    uint8_t (*morph_key)[15];
    mmd_arena arena;
} mmd_model;
mmd_status mmd_model_prepare(mmd_model *model, mmd_error *error);
int32_t mmd_model_parent_cycle(const mmd_model *model, uint32_t bone, uint32_t *marks);
mmd_status mmd_model_physscene(const mmd_model *model, mmd_physscene *scene, mmd_error *error);
void mmd_model_destroy(mmd_model *model);
int32_t mmd_model_find_bone(const mmd_model *model, const char *name);
int32_t mmd_model_find_morph(const mmd_model *model, const char *name);
uint32_t mmd_model_body_count(const mmd_model *model);
const char *mmd_model_body_name(const mmd_model *model, uint32_t body);
int32_t mmd_model_body_bone(const mmd_model *model, uint32_t body);
_Bool 
    mmd_model_bone_is_driven(const mmd_model *model, int32_t bone);
_Bool 
    mmd_model_has_dynamic_scene(const mmd_model *model);
void mmd_material_rest_values(const mmd_material *material, mmd_material_values *values);
typedef struct mmd_curve {
    uint8_t x1, y1, x2, y2;
} mmd_curve;
static inline 
             _Bool 
                  mmd_curve_is_linear(mmd_curve c)
{
    return c.x1 == c.y1 && c.x2 == c.y2;
}
float mmd_curve_value(mmd_curve curve, float u);
enum { MMD_CHANNEL_X, MMD_CHANNEL_Y, MMD_CHANNEL_Z, MMD_CHANNEL_ROTATION };
typedef struct mmd_bone_key {
    float translation[3];
    float rotation[4];
    mmd_curve curve[4];
   _Bool 
        physics_off;
} mmd_bone_key;
typedef struct mmd_vmd_records {
    uint32_t count;
    const uint8_t *bytes;
} mmd_vmd_records;
typedef struct mmd_bone_track {
    uint8_t name[15];
    uint32_t count;
    uint32_t *frames;
    mmd_bone_key *keys;
    uint32_t *records;
    uint32_t room;
} mmd_bone_track;
typedef struct mmd_morph_track {
    uint8_t name[15];
    uint32_t count;
    uint32_t *frames;
    float *weights;
    uint32_t *records;
    uint32_t room;
} mmd_morph_track;
enum {
    MMD_CAMERA_X,
    MMD_CAMERA_Y,
    MMD_CAMERA_Z,
    MMD_CAMERA_ROTATION,
    MMD_CAMERA_DISTANCE,
    MMD_CAMERA_FOV,
    MMD_CAMERA_CHANNELS
};
typedef struct mmd_camera {
    float distance;
    float position[3];
    float rotation[3];
    float fov;
   _Bool 
        perspective;
} mmd_camera;
typedef struct mmd_camera_key {
    uint32_t frame, record;
    mmd_camera value;
    mmd_curve curve[MMD_CAMERA_CHANNELS];
} mmd_camera_key;
typedef struct mmd_light {
    float color[3];
    float direction[3];
} mmd_light;
typedef struct mmd_light_key {
    uint32_t frame, record;
    mmd_light value;
} mmd_light_key;
typedef struct mmd_self_shadow {
    uint8_t mode;
    float distance;
} mmd_self_shadow;
typedef struct mmd_self_shadow_key {
    uint32_t frame, record;
    mmd_self_shadow value;
} mmd_self_shadow_key;
typedef struct mmd_ik_switch {
    uint8_t name[20];
    uint8_t on;
} mmd_ik_switch;
typedef struct mmd_property_key {
    uint32_t frame, record;
    uint8_t visible;
    uint32_t switch_count;
    mmd_ik_switch *switches;
} mmd_property_key;
typedef struct mmd_motion {
    uint8_t model_name[20];
    uint8_t header[30];
    uint8_t model_name_size;
    uint8_t section_count;
   _Bool 
        cut;
    uint32_t bone_track_count;
    mmd_bone_track *bone_tracks;
    uint32_t morph_track_count;
    mmd_morph_track *morph_tracks;
    uint32_t bone_key_count, morph_key_count;
    uint32_t camera_key_count;
    mmd_camera_key *camera_keys;
    uint32_t light_key_count;
    mmd_light_key *light_keys;
    uint32_t self_shadow_key_count;
    mmd_self_shadow_key *self_shadow_keys;
    uint32_t property_key_count;
    mmd_property_key *property_keys;
    mmd_vmd_records bone_records, morph_records, camera_records, light_records, self_shadow_records;
    uint32_t trailing_size;
    const uint8_t *trailing;
    uint32_t last_frame;
    uint32_t bone_track_capacity, morph_track_capacity;
    uint32_t camera_capacity, light_capacity, self_shadow_capacity, property_capacity;
    mmd_arena arena;
} mmd_motion;
void mmd_motion_destroy(mmd_motion *motion);
mmd_status mmd_motion_mirror(const mmd_motion *motion, mmd_motion **result, mmd_error *error);
const mmd_bone_track *mmd_motion_find_bone(const mmd_motion *motion, const uint8_t name[15]);
const mmd_morph_track *mmd_motion_find_morph(const mmd_motion *motion, const uint8_t name[15]);
int32_t mmd_key_search(const uint32_t *frames, uint32_t count, double frame, uint32_t *hint);
mmd_camera mmd_default_camera(void);
mmd_light mmd_default_light(void);
mmd_self_shadow mmd_default_self_shadow(void);
_Bool 
    mmd_motion_camera(const mmd_motion *motion, double frame, mmd_camera *value);
_Bool 
    mmd_motion_light(const mmd_motion *motion, double frame, mmd_light *value);
_Bool 
    mmd_motion_self_shadow(const mmd_motion *motion, double frame, mmd_self_shadow *value);
_Bool 
    mmd_motion_visible(const mmd_motion *motion, double frame);
_Bool 
    mmd_motion_ik_on(const mmd_motion *motion, const uint8_t name[15], double frame);
void mmd_camera_matrices(const mmd_camera *camera, float aspect, float view[16], float projection[16],
                         float eye[3]);
typedef struct mmd_pose_values {
    mmd_transform *bones;
    float *weights;
    uint8_t *ik_on;
    uint8_t *physics_off;
    float (*scales)[6];
   _Bool 
        visible;
} mmd_pose_values;
_Bool 
    mmd_pose_values_init(mmd_pose_values *values, const mmd_model *model, mmd_arena *arena);
void mmd_pose_values_reset(mmd_pose_values *values, const mmd_model *model);
void mmd_pose_values_mix(mmd_pose_values *values, const mmd_pose_values *with, float weight,
                         const mmd_model *model);
typedef struct mmd_fade {
    double ahead;
    double begins;
    double ends;
} mmd_fade;
float mmd_fade_weight(const mmd_fade *fade, double frame);
typedef struct mmd_pose mmd_pose;
mmd_pose *mmd_pose_create(const mmd_model *model);
void mmd_pose_destroy(mmd_pose *pose);
_Bool 
    mmd_pose_needs_previous(const mmd_pose *pose);
void mmd_pose_evaluate(mmd_pose *pose, const mmd_pose_values *values, const mmd_pose_values *previous);
void mmd_pose_finish(mmd_pose *pose);
const mmd_transform *mmd_pose_world(const mmd_pose *pose);
const mmd_transform *mmd_pose_palette(const mmd_pose *pose);
const mmd_affine *mmd_pose_affine_palette(const mmd_pose *pose);
const float *mmd_pose_weights(const mmd_pose *pose);
const mmd_material_values *mmd_pose_materials(const mmd_pose *pose);
typedef struct mmd_material_adds {
    float texture[4], sphere[4], toon[4];
} mmd_material_adds;
const mmd_material_adds *mmd_pose_material_adds(const mmd_pose *pose);
void mmd_pose_set_user(mmd_pose *pose, uint32_t bone, const float translation[3], const float rotation[4]);
void mmd_pose_get_user(const mmd_pose *pose, uint32_t bone, float translation[3], float rotation[4]);
_Bool 
    mmd_pose_can_scale(const mmd_pose *pose);
_Bool 
    mmd_pose_set_user_scale(mmd_pose *pose, uint32_t bone, const float scale[3]);
void mmd_pose_get_user_scale(const mmd_pose *pose, uint32_t bone, float scale[3]);
void mmd_pose_bone_matrix(const mmd_pose *pose, uint32_t bone, float matrix[16]);
void mmd_pose_set_external_parent(mmd_pose *pose, uint32_t bone, const mmd_transform *world);
void mmd_pose_override(mmd_pose *pose, uint32_t bone, const mmd_transform *world, 
                                                                                 _Bool 
                                                                                      rotation_only);
typedef struct mmd_clip mmd_clip;
mmd_clip *mmd_clip_create(const mmd_model *model, const mmd_motion *const *motions, size_t motion_count);
mmd_clip *mmd_clip_create_weighted(const mmd_model *model, const mmd_motion *const *motions,
                                   const float *weights, size_t motion_count);
void mmd_clip_destroy(mmd_clip *clip);
_Bool 
    mmd_clip_animate(mmd_clip *clip, const mmd_animation *animations, uint32_t count);
void mmd_clip_sample(mmd_clip *clip, double frame, mmd_pose_values *values);
typedef struct mmd_skinned_vertex {
    double position[3], normal[3], tangent[3];
    double uv[2];
    double extra[4][4];
} mmd_skinned_vertex;
typedef enum mmd_sdef_variant { MMD_SDEF_LINEAR, MMD_SDEF_SLERP } mmd_sdef_variant;
void mmd_pose_skin(const mmd_model *model, const mmd_pose *pose, mmd_sdef_variant sdef,
                   const float (*tangents)[3], mmd_skinned_vertex *out);
typedef struct mmd_actor mmd_actor;
mmd_actor *mmd_actor_create(const mmd_model *model);
void mmd_actor_destroy(mmd_actor *actor);
mmd_status mmd_actor_add_motion(mmd_actor *actor, const mmd_motion *motion, mmd_error *error);
mmd_status mmd_actor_replace_motion(mmd_actor *actor, const mmd_motion *motion, const mmd_motion *by,
                                    mmd_error *error);
typedef struct mmd_actor_motion {
    const mmd_motion *motion;
    float weight;
   _Bool 
        fades_out;
    mmd_fade fade;
} mmd_actor_motion;
const mmd_actor_motion *mmd_actor_motions(const mmd_actor *actor, size_t *count);
mmd_status mmd_actor_set_weight(mmd_actor *actor, size_t index, float weight, mmd_error *error);
mmd_status mmd_actor_fade_out(mmd_actor *actor, size_t index, const mmd_fade *fade, mmd_error *error);
mmd_status mmd_actor_end_fades(mmd_actor *actor, mmd_error *error);
mmd_status mmd_actor_take_motions(mmd_actor *actor, const mmd_actor *from, mmd_error *error);
mmd_status mmd_actor_rebind(mmd_actor *actor, mmd_error *error);
mmd_status mmd_actor_set_animations(mmd_actor *actor, const mmd_animation *animations, uint32_t count,
                                    mmd_error *error);
void mmd_actor_set_frame(mmd_actor *actor, double frame);
const mmd_model *mmd_actor_model(const mmd_actor *actor);
mmd_pose *mmd_actor_pose(mmd_actor *actor);
_Bool 
    mmd_actor_visible(const mmd_actor *actor);
const mmd_pose_values *mmd_actor_values(const mmd_actor *actor);
void mmd_actor_set_morph(mmd_actor *actor, uint32_t morph, float weight);
const float *mmd_actor_morphs_by_hand(const mmd_actor *actor);
void mmd_actor_hide_material(mmd_actor *actor, uint32_t material, 
                                                                 _Bool 
                                                                      hidden);
const uint8_t *mmd_actor_hidden(const mmd_actor *actor);
void mmd_actor_set_delay(mmd_actor *actor, double frames);
double mmd_actor_delay(const mmd_actor *actor);
double mmd_actor_last_frame(const mmd_actor *actor);
typedef struct mmd_stage mmd_stage;
mmd_stage *mmd_stage_create(void);
void mmd_stage_destroy(mmd_stage *stage);
mmd_status mmd_stage_add_actor(mmd_stage *stage, mmd_actor *actor, mmd_error *error);
size_t mmd_stage_actor_count(const mmd_stage *stage);
mmd_actor *mmd_stage_actor(const mmd_stage *stage, size_t index);
void mmd_stage_set_present(mmd_stage *stage, size_t index, 
                                                          _Bool 
                                                               present);
_Bool 
    mmd_stage_is_present(const mmd_stage *stage, size_t index);
void mmd_stage_set_place(mmd_stage *stage, size_t index, size_t place);
size_t mmd_stage_place(const mmd_stage *stage, size_t index);
mmd_status mmd_stage_set_name(mmd_stage *stage, size_t index, const char *name, mmd_error *error);
const char *mmd_stage_name(const mmd_stage *stage, size_t index);
typedef struct mmd_staging {
   _Bool 
        visible;
    int32_t draw_order;
   _Bool 
        additive;
   _Bool 
        self_shadow;
   _Bool 
        ground_shadow;
    float opacity;
    float edge_scale;
    float position[3];
    float rotation[3];
    float scale;
    mmd_actor *parent;
    int32_t parent_bone;
} mmd_staging;
mmd_staging mmd_default_staging(void);
void mmd_stage_set_staging(mmd_stage *stage, size_t index, const mmd_staging *staging);
typedef struct mmd_staging_key {
    uint32_t frame;
    mmd_staging staging;
} mmd_staging_key;
void mmd_stage_set_staging_keys(mmd_stage *stage, size_t index, const mmd_staging_key *keys, size_t count);
void mmd_stage_set_visible(mmd_stage *stage, size_t index, 
                                                          _Bool 
                                                               visible);
_Bool 
    mmd_stage_is_hidden(const mmd_stage *stage, size_t index);
enum {
    MMD_STAGED_OPACITY = 1,
    MMD_STAGED_ORDER = 2,
    MMD_STAGED_ADDITIVE = 4,
    MMD_STAGED_SHADOWS = 8,
    MMD_STAGED_PARENT = 16
};
void mmd_stage_set_staged(mmd_stage *stage, size_t index, uint32_t what, const mmd_staging *staging);
uint32_t mmd_stage_staged_by_hand(const mmd_stage *stage, size_t index);
const mmd_staging *mmd_stage_staging(const mmd_stage *stage, size_t index);
_Bool 
    mmd_stage_has_staging_keys(const mmd_stage *stage, size_t index);
enum { MMD_WHOLE_ACTOR = -1 };
typedef struct mmd_outside_key {
    uint32_t frame;
    mmd_actor *parent;
    int32_t parent_bone;
} mmd_outside_key;
mmd_status mmd_stage_set_outside_parent(mmd_stage *stage, size_t index, int32_t bone, mmd_actor *parent,
                                        int32_t parent_bone, mmd_error *error);
mmd_status mmd_stage_set_outside_keys(mmd_stage *stage, size_t index, int32_t bone,
                                      const mmd_outside_key *keys, size_t count, mmd_error *error);
const mmd_outside_key *mmd_stage_outside_keys(const mmd_stage *stage, size_t index, int32_t bone,
                                              size_t *count);
_Bool 
    mmd_stage_has_outside_parents(const mmd_stage *stage, size_t index);
_Bool 
    mmd_stage_actor_visible(const mmd_stage *stage, size_t index);
_Bool 
    mmd_stage_placement(const mmd_stage *stage, size_t index, float matrix[16]);
const uint32_t *mmd_stage_draw_order(const mmd_stage *stage);
mmd_status mmd_stage_add_scene_motion(mmd_stage *stage, const mmd_motion *motion, mmd_error *error);
void mmd_stage_replace_scene_motion(mmd_stage *stage, const mmd_motion *motion, const mmd_motion *by);
void mmd_stage_remove_scene_motion(mmd_stage *stage, const mmd_motion *motion);
const mmd_motion *const *mmd_stage_scene_motions(const mmd_stage *stage, size_t *count);
mmd_status mmd_stage_set_camera_follow(mmd_stage *stage, const mmd_motion *motion,
                                       const mmd_outside_key *keys, size_t count, mmd_error *error);
_Bool 
    mmd_stage_camera_follows(const mmd_stage *stage, float offset[3]);
struct mmd_image;
typedef struct mmd_background_picture {
    const struct mmd_image *(*picture)(void *user, double frame, uint64_t *version);
    void *user;
    float left, top, scale;
    uint32_t width, height;
} mmd_background_picture;
enum { MMD_BACKGROUND_PICTURES_MAX = 2 };
void mmd_stage_set_background_pictures(mmd_stage *stage, const mmd_background_picture *pictures,
                                       uint32_t count);
const mmd_background_picture *mmd_stage_background_pictures(const mmd_stage *stage, uint32_t *count);
void mmd_stage_set_default_camera(mmd_stage *stage, const mmd_camera *camera);
const mmd_camera *mmd_stage_default_camera(const mmd_stage *stage);
void mmd_stage_set_camera(mmd_stage *stage, const mmd_camera *camera);
void mmd_stage_set_light_color(mmd_stage *stage, const float color[3]);
void mmd_stage_set_light_direction(mmd_stage *stage, const float direction[3]);
const mmd_camera *mmd_stage_camera_by_hand(const mmd_stage *stage);
const float *mmd_stage_light_direction_by_hand(const mmd_stage *stage);
const float *mmd_stage_light_color_by_hand(const mmd_stage *stage);
void mmd_stage_set_threads(mmd_stage *stage, uint32_t threads);
void mmd_stage_set_frame(mmd_stage *stage, double frame);
double mmd_stage_frame(const mmd_stage *stage);
double mmd_stage_last_frame(const mmd_stage *stage);
const mmd_camera *mmd_stage_camera(const mmd_stage *stage);
const mmd_light *mmd_stage_light(const mmd_stage *stage);
const mmd_self_shadow *mmd_stage_self_shadow(const mmd_stage *stage);
enum { MMD_FILE_PATH_MAX = 4096 };
typedef struct mmd_bytes {
    uint8_t *data;
    size_t size;
} mmd_bytes;
void mmd_bytes_finish(mmd_bytes *bytes);
mmd_status mmd_file_open(const char *path, int *file, mmd_error *error);
mmd_status mmd_file_read_head(const char *path, void *head, size_t capacity, size_t *size, mmd_error *error);
mmd_status mmd_file_read(const char *path, mmd_bytes *bytes, mmd_error *error);
mmd_status mmd_file_write(const char *path, const void *data, size_t size, mmd_error *error);
typedef struct mmd_source mmd_source;
typedef struct mmd_source_ops {
    mmd_status (*read)(void *self, const char *name, mmd_bytes *bytes, mmd_error *error);
   _Bool 
        (*list)(void *self, const char *folder, 
                                                _Bool 
                                                     (*visit)(void *user, const char *entry, 
                                                                                             _Bool 
                                                                                                  is_folder),
                 void *user);
    void (*destroy)(void *self);
} mmd_source_ops;
mmd_source *mmd_source_create(const mmd_source_ops *ops, void *self);
mmd_source *mmd_source_folder(const char *path);
typedef struct mmd_memory_file {
    const char *name;
    const void *data;
    size_t size;
} mmd_memory_file;
mmd_source *mmd_source_memory(const mmd_memory_file *files, size_t count);
void mmd_source_destroy(mmd_source *source);
mmd_status mmd_source_read(mmd_source *source, const char *name, mmd_bytes *bytes, mmd_error *error);
_Bool 
    mmd_source_list(mmd_source *source, const char *folder,
                    _Bool 
                         (*visit)(void *user, const char *entry, 
                                                                 _Bool 
                                                                      is_folder), void *user);
void mmd_source_plan(mmd_source *source, const char *const *names, size_t count, uint32_t *order);
typedef void mmd_source_planner(void *self, const char *const *names, size_t count, uint32_t *order);
void mmd_source_set_planner(mmd_source *source, mmd_source_planner *planner);
enum { MMD_PATH_MAX = 1024 };
_Bool 
    mmd_source_find(mmd_source *source, const char *name, char path[MMD_PATH_MAX]);
void mmd_source_forget(mmd_source *source);
_Bool 
    mmd_source_find_from(mmd_source *source, const char *folder, const char *name, char path[MMD_PATH_MAX]);
mmd_status mmd_source_look_up(mmd_source *source, const char *folder, const char *name,
                              char path[MMD_PATH_MAX], mmd_error *error);
typedef mmd_status mmd_source_permit(void *self, const char *folder, const char *name, const char *path,
                                     mmd_error *error);
void mmd_source_set_permit(mmd_source *source, mmd_source_permit *permit);
void mmd_source_set_own(mmd_source *source, const char *folder);
void mmd_path_folder(const char *path, char *folder, size_t capacity);
const char *mmd_path_name(const char *path);
_Bool 
    mmd_path_is_inside(const char *path, const char *folder);
enum {
    MMD_ARCHIVE_HEAD = 512,
    MMD_ARCHIVE_ENTRIES_MAX = 65536,
    MMD_ARCHIVE_ENTRY_MAX = 1 << 30,
    MMD_ARCHIVE_ENTRY_RATIO = 100,
    MMD_ARCHIVE_ENTRY_FROM = 1 << 29,
    MMD_ARCHIVE_TOTAL_MAX_GIB = 8,
    MMD_ARCHIVE_RATIO_MAX =
        1200,
    MMD_ARCHIVE_RATIO_FROM = 1 << 28,
    MMD_ARCHIVE_LARGE_RATIO_MAX = 200,
    MMD_ARCHIVE_LARGE_FROM_GIB = 2,
    MMD_ARCHIVE_KEPT_MAX =
        1 << 28,
};
typedef struct mmd_archive mmd_archive;
_Bool 
    mmd_archive_is(const void *head, size_t size);
mmd_status mmd_archive_open(const char *path, mmd_archive **archive, mmd_error *error);
void mmd_archive_close(mmd_archive *archive);
mmd_status mmd_archive_open_shared(const char *path, mmd_archive **archive, mmd_error *error);
void mmd_archives_hold(void);
void mmd_archives_release(void);
typedef struct mmd_archive_work {
    uint64_t passes;
    uint64_t reads;
} mmd_archive_work;
mmd_archive_work mmd_archive_get_work(mmd_archive *archive);
uint64_t mmd_archives_kept(void);
mmd_status mmd_archive_open_memory(const void *data, size_t size, mmd_archive **archive, mmd_error *error);
typedef struct mmd_archive_file {
    const char *name;
    uint64_t size;
    uint32_t index;
   _Bool 
        encrypted;
} mmd_archive_file;
const mmd_archive_file *mmd_archive_files(const mmd_archive *archive, size_t *count);
size_t mmd_archive_left_out(const mmd_archive *archive);
mmd_source *mmd_source_archive(mmd_archive *archive);
mmd_status mmd_archive_read_file(mmd_archive *archive, const mmd_archive_file *file, mmd_bytes *bytes,
                                 mmd_error *error);
_Bool 
    mmd_archive_name_is_utf8(const char *text);
_Bool 
    mmd_archive_name_clean(const char *name, 
                                             _Bool 
                                                  cp932, char clean[MMD_PATH_MAX]);
typedef enum mmd_log_level { MMD_LOG_ERROR, MMD_LOG_WARNING, MMD_LOG_INFO, MMD_LOG_DEBUG } mmd_log_level;
typedef struct mmd_log {
    void (*write)(void *user, mmd_log_level level, const char *text);
    void *user;
    mmd_log_level level;
} mmd_log;
void mmd_log_message(const mmd_log *log, mmd_log_level level, const char *format, ...)
    __attribute__((format(__printf__, 3, 4)))
    ;
typedef enum mmd_exchange_format {
    MMD_EXCHANGE_UNKNOWN,
    MMD_EXCHANGE_GLTF,
    MMD_EXCHANGE_RAGDOLL,
    MMD_EXCHANGE_PMX
} mmd_exchange_format;
typedef enum mmd_dialect {
    MMD_DIALECT_NONE,
    MMD_DIALECT_KHR_COLLISION_SHAPES,
    MMD_DIALECT_KHR_IMPLICIT_SHAPES,
    MMD_DIALECT_OMI_CONSTRAINTS,
    MMD_DIALECT_OMI_PHYSICS_JOINTS
} mmd_dialect;
mmd_exchange_format mmd_exchange_detect(const void *data, size_t size);
typedef enum mmd_loss_severity { MMD_LOSS_INFO, MMD_LOSS_APPROXIMATED, MMD_LOSS_DROPPED } mmd_loss_severity;
typedef struct mmd_loss {
    uint8_t severity;
   _Bool 
        writing;
    uint8_t format;
    const char *code;
    const char *path;
    const char *field;
    const char *source;
    const char *emitted;
} mmd_loss;
typedef struct mmd_losses {
    uint32_t count, capacity;
    uint32_t left_out[3];
    mmd_loss *items;
    mmd_arena arena;
} mmd_losses;
enum { MMD_LOSS_TEXT_MAX = 1024 };
const char *mmd_loss_text(const mmd_loss *loss, char text[MMD_LOSS_TEXT_MAX]);
void mmd_losses_log(const mmd_losses *losses, const char *path, const mmd_log *log);
typedef struct mmd_exchange_item {
    int32_t node;
    const char *entity;
} mmd_exchange_item;
typedef struct mmd_exchange {
    mmd_exchange_format format;
    mmd_dialect dialect;
    const char *generator;
    mmd_model *model;
    mmd_physscene *physscene;
    uint32_t animation_count;
    const mmd_animation *animations;
    mmd_source *textures;
    const mmd_exchange_item *bodies, *joints;
    mmd_losses losses;
    struct mmd_exchange_kept *kept;
    mmd_arena arena;
} mmd_exchange;
mmd_status mmd_exchange_read(const void *data, size_t size, mmd_source *source, const char *folder,
                             mmd_exchange **result, mmd_error *error);
void mmd_exchange_destroy(mmd_exchange *document);
uint32_t mmd_exchange_list_size(const mmd_exchange *document, const char *list);
typedef void mmd_rule_function(void *context, const char *path, const char *what);
void mmd_exchange_check_omi(const mmd_exchange *document, mmd_rule_function *function, void *context);
void mmd_exchange_to_file(mmd_exchange_format format, const mmd_transform *from, mmd_transform *to);
void mmd_exchange_from_file(mmd_exchange_format format, const mmd_transform *from, mmd_transform *to);
typedef struct mmd_exchange_input {
    const mmd_exchange *document;
    const mmd_model *model;
    const void *sidecar;
    size_t sidecar_size;
    const mmd_motion *motion;
    mmd_source *textures;
    const char *folder;
} mmd_exchange_input;
typedef struct mmd_exchange_options {
    mmd_exchange_format format;
    mmd_dialect dialect;
   _Bool 
        binary;
    const char *name;
} mmd_exchange_options;
typedef struct mmd_exchange_file {
    const char *name;
    mmd_buffer data;
} mmd_exchange_file;
typedef struct mmd_exchange_output {
    uint32_t count;
    mmd_exchange_file *files;
    mmd_losses losses;
    mmd_arena arena;
} mmd_exchange_output;
mmd_status mmd_exchange_write(const mmd_exchange_input *input, const mmd_exchange_options *options,
                              mmd_exchange_output *output, mmd_error *error);
void mmd_exchange_output_finish(mmd_exchange_output *output);
typedef enum mmd_file_kind {
    MMD_FILE_UNKNOWN,
    MMD_FILE_PMX,
    MMD_FILE_PMD,
    MMD_FILE_VMD,
    MMD_FILE_VPD,
    MMD_FILE_PMM,
    MMD_FILE_X,
    MMD_FILE_VAC
} mmd_file_kind;
mmd_file_kind mmd_file_detect(const void *data, size_t size);
enum { MMD_MODEL_MEMORY_FACTOR = 16, MMD_MODEL_MEMORY_EXTRA = 64 * 1024 };
mmd_status mmd_pmx_read(const void *data, size_t size, mmd_model **result, mmd_error *error);
mmd_status mmd_pmx_write(const mmd_model *model, mmd_buffer *out, mmd_error *error);
mmd_status mmd_pmd_read(const void *data, size_t size, mmd_model **result, mmd_error *error);
enum { MMD_X_TEXT_MAX = 64 * 1024 * 1024, MMD_X_TEXT_RATIO = 256 };
mmd_status mmd_x_read(const void *data, size_t size, mmd_model **result, mmd_error *error);
typedef struct mmd_vac {
    const char *name;
    const char *file;
    float scale;
    float position[3];
    float rotation[3];
    const char *bone;
    mmd_arena arena;
} mmd_vac;
mmd_status mmd_vac_read(const void *data, size_t size, mmd_vac **result, mmd_error *error);
void mmd_vac_destroy(mmd_vac *vac);
mmd_status mmd_model_read(const void *data, size_t size, mmd_model **result, mmd_error *error);
mmd_status mmd_vmd_read(const void *data, size_t size, mmd_motion **result, mmd_error *error);
mmd_status mmd_vmd_write(const mmd_motion *motion, mmd_buffer *out, mmd_error *error);
typedef struct mmd_vpd_bone {
    const char *name;
    float translation[3];
    float rotation[4];
} mmd_vpd_bone;
typedef struct mmd_vpd_morph {
    const char *name;
    float weight;
} mmd_vpd_morph;
typedef struct mmd_vpd {
    const char *model;
    uint32_t bone_count;
    mmd_vpd_bone *bones;
    uint32_t morph_count;
    mmd_vpd_morph *morphs;
    uint32_t raw_size;
    const uint8_t *raw;
    mmd_arena arena;
} mmd_vpd;
mmd_status mmd_vpd_read(const void *data, size_t size, mmd_vpd **result, mmd_error *error);
mmd_status mmd_vpd_write(const mmd_vpd *vpd, mmd_buffer *out, mmd_error *error);
void mmd_vpd_destroy(mmd_vpd *vpd);
mmd_motion *mmd_vpd_to_motion(const mmd_vpd *vpd);
typedef struct mmd_project_text {
    const char *text;
    const uint8_t *raw;
    uint32_t raw_size;
} mmd_project_text;
typedef struct mmd_project_key {
    uint32_t frame;
    int32_t number;
    uint32_t record;
} mmd_project_key;
enum { MMD_PROJECT_NO_NUMBER = -1 };
typedef struct mmd_project_bone_key {
    mmd_project_key at;
    mmd_curve curves[4];
    float translation[3];
    float rotation[4];
    uint8_t selected, physics_off;
} mmd_project_bone_key;
typedef struct mmd_project_bone {
    mmd_project_text name;
    uint32_t key_count;
    mmd_project_bone_key *keys;
    float translation[3];
    float rotation[4];
    uint8_t unregistered, physics_off, row_selected;
    uint8_t unknown[4];
} mmd_project_bone;
typedef struct mmd_project_morph_key {
    mmd_project_key at;
    float weight;
    uint8_t selected;
} mmd_project_morph_key;
typedef struct mmd_project_morph {
    mmd_project_text name;
    uint32_t key_count;
    mmd_project_morph_key *keys;
    float weight;
} mmd_project_morph;
typedef struct mmd_project_parent {
    int32_t model, bone;
} mmd_project_parent;
typedef struct mmd_project_parent_state {
    int32_t begin, end;
    mmd_project_parent parent;
} mmd_project_parent_state;
typedef struct mmd_project_config_key {
    mmd_project_key at;
    uint8_t visible, selected;
    uint8_t *ik;
    mmd_project_parent *parents;
} mmd_project_config_key;
typedef struct mmd_project_model {
    uint8_t number;
    mmd_project_text list_name;
    mmd_project_text name, name_en, path;
    uint8_t row_count;
    uint32_t bone_count;
    mmd_project_bone *bones;
    uint32_t morph_count;
    mmd_project_morph *morphs;
    uint32_t ik_count;
    int32_t *ik_bones;
    uint32_t parent_count;
    int32_t *parent_bones;
    uint8_t draw_order, visible;
    int32_t selected_bone;
    int32_t selected_morphs[4];
    uint8_t frame_count;
    uint8_t *frame_open;
    int32_t scroll, last_frame;
    uint32_t config_count;
    mmd_project_config_key *configs;
    uint8_t *ik;
    mmd_project_parent_state *parents;
    uint8_t add_blend;
    float edge_width;
    uint8_t self_shadow, calc_order;
    uint8_t selector_number;
    int32_t selector;
} mmd_project_model;
typedef struct mmd_project_camera_key {
    mmd_project_key at;
    float distance;
    float position[3];
    float rotation[3];
    mmd_project_parent follow;
    mmd_curve curves[MMD_CAMERA_CHANNELS];
    uint8_t orthographic;
    int32_t fov;
    uint8_t selected;
} mmd_project_camera_key;
typedef struct mmd_project_camera_state {
    float eye[3], target[3], rotation[3];
    uint8_t orthographic;
} mmd_project_camera_state;
typedef struct mmd_project_light_key {
    mmd_project_key at;
    float color[3], direction[3];
    uint8_t selected;
} mmd_project_light_key;
typedef struct mmd_project_light_state {
    float color[3], direction[3];
} mmd_project_light_state;
typedef struct mmd_project_accessory_key {
    mmd_project_key at;
    uint8_t visibility;
    mmd_project_parent parent;
    float position[3], rotation[3], scale;
    uint8_t shadow, selected;
} mmd_project_accessory_key;
typedef struct mmd_project_accessory_state {
    uint8_t visibility;
    mmd_project_parent parent;
    float rotation[3], scale, position[3];
    uint8_t shadow;
} mmd_project_accessory_state;
typedef struct mmd_project_accessory {
    mmd_project_text list_name;
    uint8_t number;
    mmd_project_text name, path;
    uint8_t draw_order;
    uint32_t key_count;
    mmd_project_accessory_key *keys;
    mmd_project_accessory_state state;
    uint8_t add_blend;
} mmd_project_accessory;
typedef struct mmd_project_gravity_key {
    mmd_project_key at;
    uint8_t noise_on;
    int32_t noise;
    float acceleration;
    float direction[3];
    uint8_t selected;
} mmd_project_gravity_key;
typedef struct mmd_project_gravity_state {
    float acceleration;
    int32_t noise;
    float direction[3];
    uint8_t noise_on;
} mmd_project_gravity_state;
typedef struct mmd_project_shadow_key {
    mmd_project_key at;
    uint8_t mode;
    float distance;
    uint8_t selected;
} mmd_project_shadow_key;
typedef struct mmd_project_background {
    int32_t x, y;
    float scale;
    mmd_project_text path;
} mmd_project_background;
enum {
    MMD_PROJECT_PHYSICS_OFF,
    MMD_PROJECT_PHYSICS_ALWAYS,
    MMD_PROJECT_PHYSICS_SWITCHED,
    MMD_PROJECT_PHYSICS_TRACED
};
typedef struct mmd_project_repair {
    const char *section;
    int32_t model;
    uint32_t item;
    const char *what;
} mmd_project_repair;
enum { MMD_PROJECT_REPAIR_MAX = 64, MMD_PROJECT_MODEL_MAX = 255 };
typedef struct mmd_project {
    uint8_t magic[30];
    int32_t view_width, view_height, pane_width;
    float edit_fov;
    uint8_t editing_camera;
    uint8_t panels_open[6];
    uint8_t selected_model;
    uint32_t model_count;
    mmd_project_model *models;
    uint32_t camera_count;
    mmd_project_camera_key *camera_keys;
    mmd_project_camera_state camera;
    uint32_t light_count;
    mmd_project_light_key *light_keys;
    mmd_project_light_state light;
    uint8_t selected_accessory;
    int32_t accessory_scroll;
    uint32_t accessory_count;
    mmd_project_accessory *accessories;
    int32_t frame, frame_scroll, frame_thumb, bone_operation;
    uint8_t look_at, repeat, from_on, to_on;
    int32_t from, to;
    uint8_t wave_on;
    mmd_project_text wave;
    mmd_project_background avi;
    int32_t avi_on;
    mmd_project_background image;
    uint8_t image_on;
    uint8_t show_information, show_axis, show_ground_shadow;
    float fps_limit;
    int32_t capture_mode;
    uint8_t end_1;
    uint8_t unknown_1[27];
    int32_t accessories_after_models;
    float ground_shadow_brightness;
    uint8_t ground_shadow_transparent;
    uint8_t physics_mode;
    mmd_project_gravity_state gravity;
    uint32_t gravity_count;
    mmd_project_gravity_key *gravity_keys;
    uint8_t self_shadow_on;
    float self_shadow_distance;
    uint32_t shadow_count;
    mmd_project_shadow_key *shadow_keys;
    int32_t edge_color[3];
    uint8_t black_background;
    mmd_project_parent camera_follow;
    float unknown_matrix[16];
    uint8_t view_follow, unknown_flag, physics_ground;
    int32_t frame_box;
   _Bool 
        has_selectors;
    uint8_t selectors_on;
    uint32_t trailing_size;
    const uint8_t *trailing;
    uint32_t repair_count;
    uint32_t repair_listed;
    mmd_project_repair *repairs;
    mmd_arena arena;
} mmd_project;
enum { MMD_PROJECT_MEMORY_FACTOR = 8, MMD_PROJECT_MEMORY_EXTRA = 64 * 1024 };
uint32_t mmd_project_version(const mmd_project *project);
mmd_status mmd_pmm_read(const void *data, size_t size, mmd_project **result, mmd_error *error);
mmd_status mmd_pmm_write(const mmd_project *project, mmd_buffer *out, mmd_error *error);
void mmd_project_destroy(mmd_project *project);
mmd_project *mmd_project_create(void);
mmd_status mmd_project_add_model(mmd_project *project, const mmd_model *model, const mmd_motion *motion,
                                 const char *path, mmd_error *error);
mmd_status mmd_project_add_accessory(mmd_project *project, const char *name, const char *path,
                                     const mmd_project_accessory_key *keys, uint32_t key_count,
                                     mmd_error *error);
mmd_status mmd_project_set_scene(mmd_project *project, const mmd_motion *motion, mmd_error *error);
mmd_status mmd_project_set_names(mmd_project *project, uint32_t number, const mmd_model *model,
                                 mmd_error *error);
mmd_motion *mmd_project_model_motion(const mmd_project_model *model);
mmd_motion *mmd_project_scene_motion(const mmd_project *project);
typedef enum mmd_name_kind {
    MMD_NAME_MODEL,
    MMD_NAME_ACCESSORY,
    MMD_NAME_INTERCHANGE,
    MMD_NAME_PROJECT,
    MMD_NAME_MOTION,
    MMD_NAME_POSE,
    MMD_NAME_SOUND,
    MMD_NAME_PICTURE,
    MMD_NAME_PLAYLIST,
    MMD_NAME_TEXTURE,
    MMD_NAME_ARCHIVE,
    MMD_NAME_OTHER,
    MMD_NAME_KINDS
} mmd_name_kind;
mmd_name_kind mmd_name_kind_of(const char *name);
const char *mmd_name_kind_ending(mmd_name_kind kind, unsigned i);
typedef enum mmd_locate_role {
    MMD_LOCATE_SCENE,
    MMD_LOCATE_MODEL,
    MMD_LOCATE_MOTION,
    MMD_LOCATE_CAMERA,
    MMD_LOCATE_POSE,
    MMD_LOCATE_SOUND,
} mmd_locate_role;
mmd_status mmd_locate_read(const char *path, mmd_bytes *bytes, mmd_error *error);
_Bool 
    mmd_locate_archive(const char *path, char archive[MMD_FILE_PATH_MAX]);
_Bool 
    mmd_locate_is_file(const char *path);
_Bool 
    mmd_locate_is_container(const char *path);
mmd_status mmd_locate_open_source(const char *path, mmd_source **source, char folder[MMD_PATH_MAX],
                                  mmd_error *error);
mmd_status mmd_locate_choose(const char *path, mmd_locate_role role, const mmd_log *log,
                             char chosen[MMD_FILE_PATH_MAX], mmd_error *error);
_Bool 
    mmd_locate_only_sound(const char *path, char chosen[MMD_FILE_PATH_MAX]);
typedef struct mmd_locate_file {
    const char *name;
    uint64_t size;
   _Bool 
        encrypted;
} mmd_locate_file;
typedef struct mmd_locate_contents {
    mmd_locate_file *files;
    size_t count, capacity;
    size_t left_out;
   _Bool 
        is_archive;
   _Bool 
        failed;
    mmd_arena arena;
} mmd_locate_contents;
mmd_status mmd_locate_contents_read(const char *path, mmd_locate_contents *contents, mmd_error *error);
void mmd_locate_contents_finish(mmd_locate_contents *contents);
mmd_status mmd_locate_sort(const char *path, const mmd_log *log, mmd_arena *arena, const char ***paths,
                           size_t *count, mmd_error *error);
typedef enum mmd_named_files {
    MMD_NAMED_PICTURES,
    MMD_NAMED_ACCESSORY,
    MMD_NAMED_BUFFERS,
} mmd_named_files;
typedef struct mmd_texture_location {
    mmd_source *source;
    char folder[MMD_PATH_MAX];
} mmd_texture_location;
mmd_texture_location mmd_textures_beside(const char *model_path, mmd_named_files also);
_Bool 
    mmd_textures_root(const mmd_texture_location *location, const char *model_path,
                       char root[MMD_FILE_PATH_MAX]);
mmd_status mmd_textures_find(const mmd_texture_location *location, const char *name, char path[MMD_PATH_MAX],
                             mmd_error *error);
_Bool 
    mmd_textures_decode(const mmd_texture_location *location, const char *path, mmd_error *error);
typedef struct mmd_texture_file {
    const char *path;
    const char *why;
   _Bool 
        is_refused;
   _Bool 
        is_missing;
   _Bool 
        is_too_large;
    uint32_t first;
} mmd_texture_file;
typedef struct mmd_texture_files {
    mmd_texture_file *items;
    uint32_t *order;
    uint32_t count;
    mmd_arena arena;
} mmd_texture_files;
_Bool 
    mmd_texture_files_find(mmd_texture_files *files, const mmd_model *model,
                            const mmd_texture_location *location);
void mmd_texture_files_finish(mmd_texture_files *files);
typedef struct mmd_model_file {
    mmd_model *model;
    mmd_texture_location textures;
    mmd_vac *vac;
    mmd_exchange *document;
} mmd_model_file;
mmd_status mmd_model_file_read(const char *path, mmd_model_file *file, mmd_error *error);
mmd_status mmd_model_file_choose(const char *path, const mmd_log *log, mmd_model_file *file,
                                 mmd_error *error);
mmd_status mmd_model_file_parse(const char *path, const mmd_bytes *bytes, mmd_model_file *file,
                                mmd_error *error);
void mmd_model_file_finish(mmd_model_file *file);
void mmd_model_file_destroy_model(mmd_model *model, mmd_exchange *document);
mmd_status mmd_motion_file_read(const char *path, mmd_motion **motion, mmd_error *error);
mmd_status mmd_motion_file_parse(const mmd_bytes *bytes, mmd_motion **motion, mmd_error *error);
_Bool 
    mmd_motion_is_for_models(const mmd_motion *motion);
_Bool 
    mmd_motion_is_for_stage(const mmd_motion *motion);
_Bool 
    mmd_motion_is_dance(const mmd_motion *motion);
enum { MMD_PROJECT_LEVELS = 3, MMD_PROJECT_WHY_MAX = 2048 };
typedef struct mmd_project_folders {
    mmd_source *sources[MMD_PROJECT_LEVELS];
    char folders[MMD_PROJECT_LEVELS][MMD_FILE_PATH_MAX];
    int count;
    mmd_source *archive;
    char outer[MMD_FILE_PATH_MAX];
   _Bool 
        (*permit)(const void *user, const char *path, char why[MMD_PROJECT_WHY_MAX]);
    const void *permit_user;
    char why[MMD_PROJECT_WHY_MAX];
} mmd_project_folders;
_Bool 
    mmd_project_folders_init(mmd_project_folders *places, const char *project);
void mmd_project_folders_finish(mmd_project_folders *places);
_Bool 
    mmd_project_find(mmd_project_folders *places, const char *name, char path[MMD_FILE_PATH_MAX]);
const char *mmd_project_missing(const mmd_project_folders *places);
_Bool 
    mmd_project_find_sound(mmd_project_folders *places, const mmd_project *project, const char *project_path,
                            const mmd_log *log, char path[MMD_FILE_PATH_MAX]);
enum { MMD_USER_FOLDERS_MAX = 64 };
typedef struct mmd_user_folder {
    uint64_t device, node;
} mmd_user_folder;
typedef struct mmd_user_folders {
    mmd_user_folder items[MMD_USER_FOLDERS_MAX];
    size_t count;
} mmd_user_folders;
void mmd_user_folders_find(mmd_user_folders *folders);
_Bool 
    mmd_user_folders_has(const mmd_user_folders *folders, const char *path);
_Bool 
    mmd_user_folders_home(char path[MMD_FILE_PATH_MAX]);
_Bool 
    mmd_user_folders_account(char path[MMD_FILE_PATH_MAX]);
_Bool 
    mmd_user_folders_settings(const char *home, char path[MMD_FILE_PATH_MAX]);
_Bool 
    mmd_user_folder_find(const char *name, char path[MMD_FILE_PATH_MAX]);
typedef enum mmd_bake_obstacle {
    MMD_BAKE_NONE,
    MMD_BAKE_FIXED_AXIS,
    MMD_BAKE_NO_NAME,
    MMD_BAKE_NAME_TAKEN,
    MMD_BAKE_INTERNAL
} mmd_bake_obstacle;
typedef struct mmd_bake_options {
    float position_error;
    float rotation_error;
   _Bool 
        curves;
   _Bool 
        physics_off;
    uint32_t first_frame;
    uint32_t window;
} mmd_bake_options;
mmd_bake_options mmd_default_bake_options(void);
typedef struct mmd_bake mmd_bake;
mmd_bake *mmd_bake_create(const mmd_model *model, const mmd_motion *const *motions, size_t motion_count,
                          const mmd_bake_options *options);
void mmd_bake_destroy(mmd_bake *bake);
mmd_status mmd_bake_frame(mmd_bake *bake, const mmd_transform *world, const mmd_pose_values *values,
                          mmd_error *error);
mmd_status mmd_bake_finish(mmd_bake *bake, mmd_motion **motion, mmd_error *error);
mmd_bake_obstacle mmd_bake_bone_obstacle(const mmd_bake *bake, uint32_t bone);
float mmd_bake_rotation_limit(const mmd_bake *bake, uint32_t bone);
enum { MMD_IMAGE_SIZE_MAX = 16384 };
typedef struct mmd_image {
    uint32_t width, height;
    uint8_t *pixels;
   _Bool 
        has_alpha;
} mmd_image;
void mmd_image_finish(mmd_image *image);
mmd_status mmd_image_init(mmd_image *image, uint32_t width, uint32_t height, mmd_error *error);
typedef struct mmd_image16 {
    uint32_t width, height;
    uint16_t *pixels;
} mmd_image16;
void mmd_image16_finish(mmd_image16 *image);
mmd_status mmd_image16_init(mmd_image16 *image, uint32_t width, uint32_t height, mmd_error *error);
enum { MMD_IMAGE_WHOLE_MAX = (1024 + 64) << 20 };
mmd_status mmd_image_decode(const void *data, size_t size, const char *name, mmd_image *image,
                            mmd_error *error);
mmd_status mmd_image_read(const char *path, mmd_image *image, mmd_error *error);
typedef struct mmd_image_info {
    uint32_t width, height;
   _Bool 
        by_rows;
   _Bool 
        plain;
   _Bool 
        interlaced;
    uint64_t working;
    uint64_t joining;
    uint64_t unpacking;
    uint64_t file;
} mmd_image_info;
mmd_status mmd_image_read_info(const void *data, size_t size, const char *name, mmd_image_info *info,
                               mmd_error *error);
uint64_t mmd_image_memory(const mmd_image_info *info, uint32_t halvings);
mmd_status mmd_image_decode_reduced(const void *data, size_t size, const char *name, uint32_t halvings,
                                    mmd_image *image, mmd_error *error);
uint64_t mmd_image_cost(const mmd_image_info *info);
mmd_status mmd_png_decode_strictly(const void *data, size_t size, const char *name, uint32_t halvings,
                                   mmd_image *image, mmd_error *error);
mmd_status mmd_image_verify(const void *data, size_t size, const char *name, mmd_error *error);
typedef struct mmd_image_text {
    const char *key, *text;
} mmd_image_text;
enum { MMD_PNG_STORED = -1, MMD_PNG_USUAL = 0, MMD_PNG_FAST = 1, MMD_PNG_LEVEL_MAX = 9 };
typedef struct mmd_png_options {
   _Bool 
        alpha;
    int level;
    const mmd_image_text *texts;
    size_t text_count;
    void (*on_row)(void *user, uint32_t rows);
    void *user;
} mmd_png_options;
mmd_status mmd_png_write(const mmd_image *image, const mmd_png_options *options, mmd_buffer *out,
                         mmd_error *error);
mmd_status mmd_png_write16(const mmd_image16 *image, const mmd_png_options *options, mmd_buffer *out,
                           mmd_error *error);
mmd_status mmd_image_write(const char *path, const mmd_image *image, mmd_error *error);
_Bool 
    mmd_image_has_ending(const char *name);
_Bool 
    mmd_image_is_picture(const void *data, size_t size, const char *name, uint64_t *budget);
typedef enum mmd_compare_align {
    MMD_COMPARE_ALIGN_SIZES,
    MMD_COMPARE_ALIGN_NONE,
    MMD_COMPARE_ALIGN_SEARCH
} mmd_compare_align;
typedef enum mmd_compare_alpha {
    MMD_COMPARE_ALPHA_BOTH,
    MMD_COMPARE_ALPHA_NEVER,
    MMD_COMPARE_ALPHA_ALWAYS,
    MMD_COMPARE_ALPHA_IGNORE
} mmd_compare_alpha;
enum { MMD_COMPARE_SHIFT_MAX = 512 };
typedef struct mmd_compare_options {
    mmd_compare_align align;
    int32_t shift_x, shift_y;
    uint32_t max_shift;
    mmd_compare_alpha alpha;
    uint8_t background[3];
    uint8_t threshold;
   _Bool 
        ssim, flip;
    float pixels_per_degree;
    const uint8_t *mask;
   _Bool 
        lends;
} mmd_compare_options;
mmd_compare_options mmd_default_compare_options(void);
enum {
    MMD_COMPARE_RED,
    MMD_COMPARE_GREEN,
    MMD_COMPARE_BLUE,
    MMD_COMPARE_ALPHA,
    MMD_COMPARE_CHANNELS,
    MMD_COMPARE_PIXELS,
    MMD_COMPARE_SERIES
};
typedef struct mmd_compare_levels {
    uint32_t largest;
    uint32_t percentile_99;
    double mean;
} mmd_compare_levels;
typedef struct mmd_compare_result {
    int32_t shift_x, shift_y;
    uint32_t a_x, a_y, b_x, b_y, width, height;
   _Bool 
        alpha;
    uint64_t pixels;
    mmd_compare_levels levels[MMD_COMPARE_SERIES];
    uint64_t over;
    double share_over;
    double psnr[3], psnr_all;
    double ssim[3], ssim_all, ssim_luma;
    double flip_mean, flip_weighted_median, flip_max, flip_mean_exact;
} mmd_compare_result;
typedef enum mmd_metric {
    MMD_METRIC_MAX,
    MMD_METRIC_MEAN,
    MMD_METRIC_P99,
    MMD_METRIC_PSNR,
    MMD_METRIC_SSIM,
    MMD_METRIC_FLIP,
    MMD_METRIC_SHARE,
    MMD_METRIC_COUNT
} mmd_metric;
const char *mmd_metric_name(mmd_metric metric);
mmd_metric mmd_metric_named(const char *name);
_Bool 
    mmd_metric_high_is_good(mmd_metric metric);
double mmd_metric_largest(mmd_metric metric);
double mmd_metric_value(mmd_metric metric, const mmd_compare_result *result);
typedef struct mmd_limits {
    double value[MMD_METRIC_COUNT];
} mmd_limits;
mmd_limits mmd_default_limits(void);
_Bool 
    mmd_limits_any(const mmd_limits *limits);
_Bool 
    mmd_limits_has(const mmd_limits *limits, mmd_metric metric);
_Bool 
    mmd_limits_keep(const mmd_limits *limits, mmd_metric metric, const mmd_compare_result *result);
_Bool 
    mmd_limits_explain(const mmd_limits *limits, const mmd_compare_result *result, const char *where,
                        char *text, size_t capacity);
typedef struct mmd_compare mmd_compare;
mmd_compare *mmd_compare_create(void);
void mmd_compare_destroy(mmd_compare *compare);
mmd_status mmd_compare_run(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                           const mmd_compare_options *options, mmd_compare_result *result, mmd_error *error);
const uint8_t *mmd_compare_difference(const mmd_compare *compare);
const float *mmd_compare_flip(const mmd_compare *compare);
mmd_status mmd_compare_region_a(const mmd_compare *compare, mmd_image *picture, mmd_error *error);
mmd_status mmd_compare_region_b(const mmd_compare *compare, mmd_image *picture, mmd_error *error);
mmd_status mmd_heat_from_levels(const uint8_t *plane, uint32_t width, uint32_t height, float scale,
                                mmd_image *picture, mmd_error *error);
enum { MMD_LABEL_MODEL = 1, MMD_LABEL_MATERIAL = 2, MMD_LABEL_BONE = 4 };
typedef struct mmd_label_plane {
    uint32_t width, height;
    const uint32_t (*ids)[3];
} mmd_label_plane;
typedef struct mmd_label_share {
    uint32_t ids[3];
    uint64_t pixels;
    uint64_t over;
    uint64_t sum;
    double share;
    uint32_t largest;
} mmd_label_share;
mmd_status mmd_compare_by_label(const mmd_compare *compare, const mmd_label_plane *labels, unsigned parts,
                                mmd_label_share *rows, size_t capacity, size_t *count, mmd_error *error);
typedef struct mmd_mask {
    uint32_t width, height;
    uint8_t *pixels;
} mmd_mask;
mmd_status mmd_mask_init(mmd_mask *mask, uint32_t width, uint32_t height, mmd_error *error);
void mmd_mask_finish(mmd_mask *mask);
typedef enum mmd_mask_action { MMD_MASK_REMOVE, MMD_MASK_KEEP } mmd_mask_action;
void mmd_mask_rectangle(mmd_mask *mask, int32_t x, int32_t y, uint32_t width, uint32_t height,
                        mmd_mask_action action);
void mmd_mask_picture(mmd_mask *mask, const mmd_image *picture, mmd_mask_action action);
void mmd_mask_color(mmd_mask *mask, const mmd_image *a, const mmd_image *b, const uint8_t rgb[3],
                    mmd_mask_action action);
void mmd_mask_labels(mmd_mask *mask, const mmd_label_plane *labels, unsigned part, const uint32_t *ids,
                     size_t count, mmd_mask_action action);
mmd_status mmd_mask_edges(mmd_mask *mask, const mmd_label_plane *labels, unsigned parts, uint32_t distance,
                          mmd_mask_action action, mmd_error *error);
mmd_status mmd_mask_steps(mmd_mask *mask, const mmd_image *picture, uint8_t levels, uint32_t distance,
                          mmd_mask_action action, mmd_error *error);
mmd_status mmd_mask_edges_or_steps(mmd_mask *mask, const mmd_label_plane *labels, const mmd_image *picture,
                                   uint8_t levels, uint32_t distance, mmd_mask_action action,
                                   mmd_error *error);
typedef struct mmd_ids_part {
    const char *name;
    uint32_t model, index;
   _Bool 
        physics;
} mmd_ids_part;
typedef struct mmd_ids {
    uint32_t width, height;
    uint32_t (*ids)[3];
    const char **models;
    mmd_ids_part *materials, *bones;
    size_t model_count, material_count, bone_count;
    mmd_arena arena;
} mmd_ids;
mmd_status mmd_ids_decode(const void *data, size_t size, uint32_t width, uint32_t height, mmd_ids *ids,
                          mmd_error *error);
mmd_status mmd_ids_read(const char *path, uint32_t width, uint32_t height, mmd_ids *ids, mmd_error *error);
void mmd_ids_finish(mmd_ids *ids);
mmd_status mmd_ids_apply_names(mmd_ids *ids, const char *names, mmd_error *error);
static inline mmd_label_plane mmd_ids_labels(const mmd_ids *ids)
{
    const mmd_label_plane labels = {ids->width, ids->height, (const uint32_t(*)[3])ids->ids};
    return labels;
}
_Bool 
    mmd_ids_path_beside(const char *picture, char *path, size_t capacity);
typedef struct mmd_ids_choice {
    unsigned part;
    const char *const *names;
    size_t name_count;
   _Bool 
        physics;
} mmd_ids_choice;
mmd_status mmd_mask_ids(mmd_mask *mask, const mmd_ids *ids, const mmd_ids_choice *choice,
                        mmd_mask_action action, mmd_error *error);
mmd_status mmd_ids_write(const char *path, const mmd_ids *ids, mmd_error *error);
typedef struct mmd_ids_bone {
    const char *name;
   _Bool 
        physics;
} mmd_ids_bone;
typedef struct mmd_ids_model {
    const char *name;
    const char *const *materials;
    size_t material_count;
    const mmd_ids_bone *bones;
    size_t bone_count;
} mmd_ids_model;
typedef struct mmd_ids_plane {
    uint32_t width, height;
    const uint32_t (*ids)[3];
    const mmd_ids_model *models;
    size_t model_count;
} mmd_ids_plane;
mmd_status mmd_ids_make(const mmd_ids_plane *plane, mmd_ids *ids, mmd_error *error);
mmd_status mmd_ids_encode(const mmd_ids_plane *plane, mmd_buffer *png, mmd_error *error);
mmd_status mmd_ids_names(const mmd_ids_plane *plane, mmd_buffer *json, mmd_error *error);
typedef enum mmd_difference_kind {
    MMD_DIFFERENCE_UNKNOWN,
    MMD_DIFFERENCE_MOVED,
    MMD_DIFFERENCE_EDGES,
    MMD_DIFFERENCE_COLOR,
    MMD_DIFFERENCE_TOON
} mmd_difference_kind;
typedef struct mmd_difference {
    mmd_difference_kind kind;
    int32_t moved[2];
   _Bool 
        has_factor;
    double factor[3];
    double changed;
    uint32_t box[4];
    uint32_t material;
} mmd_difference;
mmd_status mmd_difference_find(const mmd_compare *compare, const mmd_image *a, const mmd_ids *ids,
                               mmd_difference *difference, mmd_error *error);
const char *mmd_difference_kind_name(mmd_difference_kind kind);
const char *mmd_difference_clause(const mmd_difference *difference, char *text, size_t capacity);
typedef struct mmd_cause {
    char *model, *part;
    uint32_t model_index, part_index;
   _Bool 
        outside;
    uint64_t pixels, over, sum;
    uint32_t largest;
} mmd_cause;
typedef struct mmd_causes {
    mmd_cause *rows;
    size_t count;
    uint32_t *order;
    uint64_t sum;
} mmd_causes;
mmd_status mmd_causes_add(mmd_causes *causes, const mmd_compare *compare, const mmd_ids *ids, unsigned part,
                          mmd_error *error);
mmd_status mmd_causes_sort(mmd_causes *causes, mmd_error *error);
void mmd_causes_finish(mmd_causes *causes);
double mmd_causes_share(const mmd_causes *causes, const mmd_cause *row);
size_t mmd_causes_find(const mmd_causes *causes, const mmd_ids *ids, unsigned part, uint32_t id);
const char *mmd_cause_name(const mmd_cause *row, char *text, size_t capacity);
const char *mmd_share_text(double share, char text[32]);
typedef struct mmd_difference_facts {
    uint32_t a_size[2], b_size[2];
    const mmd_compare_result *result;
    uint8_t threshold;
    const uint32_t *box;
    const mmd_causes *materials, *bones;
    const char *clause;
} mmd_difference_facts;
const char *mmd_difference_sentence(const mmd_difference_facts *facts, char *text, size_t capacity);
enum { MMD_VERDICT_TEXT_MAX = 1024 };
typedef struct mmd_verdict {
   _Bool 
        equal;
   _Bool 
        passed;
    mmd_compare_result result;
    mmd_difference difference;
    mmd_causes models, materials, bones;
    char exceeded[MMD_VERDICT_TEXT_MAX];
    char why[MMD_VERDICT_TEXT_MAX];
} mmd_verdict;
void mmd_verdict_finish(mmd_verdict *verdict);
typedef struct mmd_verdict_options {
    mmd_compare_options compare;
    mmd_limits limits;
    const mmd_ids *ids;
} mmd_verdict_options;
mmd_verdict_options mmd_default_verdict_options(void);
mmd_status mmd_compare_judge(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                             const mmd_verdict_options *options, mmd_verdict *verdict, mmd_error *error);
mmd_status mmd_compare_pictures(const mmd_image *a, const mmd_image *b, const mmd_limits *limits,
                                mmd_verdict *verdict, mmd_error *error);
mmd_status mmd_motion_copy(const mmd_motion *motion, mmd_motion **result, mmd_error *error);
typedef enum mmd_key_kind {
    MMD_KEY_BONE,
    MMD_KEY_MORPH,
    MMD_KEY_CAMERA,
    MMD_KEY_LIGHT,
    MMD_KEY_SELF_SHADOW,
    MMD_KEY_PROPERTY,
    MMD_KEY_KINDS
} mmd_key_kind;
typedef struct mmd_key_row {
    mmd_key_kind kind;
    uint8_t name[15];
} mmd_key_row;
mmd_key_row mmd_key_row_of(mmd_key_kind kind, const uint8_t *name);
typedef struct mmd_stored_key {
    uint32_t record;
    union {
        mmd_bone_key bone;
        float weight;
        mmd_camera_key camera;
        mmd_light_key light;
        mmd_self_shadow_key self_shadow;
        mmd_property_key property;
    } as;
} mmd_stored_key;
_Bool 
    mmd_motion_get_key(const mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                        mmd_stored_key *key);
mmd_status mmd_motion_set_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_stored_key *key, 
                                                        _Bool 
                                                             *moved, mmd_error *error);
mmd_status mmd_motion_add_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame,
                              const mmd_stored_key *key, 
                                                        _Bool 
                                                             *moved, mmd_error *error);
_Bool 
    mmd_motion_remove_key(mmd_motion *motion, const mmd_key_row *row, uint32_t frame, 
                                                                                      _Bool 
                                                                                           *moved);
uint32_t mmd_motion_count_keys(const mmd_motion *motion, const mmd_key_row *row);
uint32_t mmd_motion_key_frame(const mmd_motion *motion, const mmd_key_row *row, uint32_t index);
typedef struct mmd_stored_bone_key {
    uint32_t record;
    mmd_bone_key key;
} mmd_stored_bone_key;
_Bool 
    mmd_motion_get_bone_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                             mmd_stored_bone_key *key);
mmd_status mmd_motion_set_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                   const mmd_stored_bone_key *key, 
                                                                  _Bool 
                                                                       *moved, mmd_error *error);
_Bool 
    mmd_motion_remove_bone_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, 
                                                                                           _Bool 
                                                                                                *moved);
_Bool 
    mmd_motion_get_morph_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                              uint32_t *record, float *weight);
mmd_status mmd_motion_set_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                                    uint32_t record, float weight, 
                                                                  _Bool 
                                                                       *moved, mmd_error *error);
_Bool 
    mmd_motion_remove_morph_key(mmd_motion *motion, const uint8_t name[15], uint32_t frame, 
                                                                                            _Bool 
                                                                                                 *moved);
mmd_curve *mmd_key_curves(mmd_key_kind kind, mmd_stored_key *key, uint32_t *count);
mmd_curve mmd_default_curve(void);
typedef struct mmd_edit mmd_edit;
typedef enum mmd_item_kind {
    MMD_ITEM_NONE = 0,
    MMD_ITEM_STAGE,
    MMD_ITEM_MODEL,
    MMD_ITEM_BONE,
    MMD_ITEM_BODY,
    MMD_ITEM_JOINT,
    MMD_ITEM_CAMERA,
    MMD_ITEM_LIGHT,
    MMD_ITEM_NODE,
    MMD_ITEM_MORPH,
    MMD_ITEM_SWITCHES,
    MMD_ITEM_SHADOW,
    MMD_ITEM_KINDS
} mmd_item_kind;
typedef struct mmd_item {
    uint32_t kind;
    uint32_t model;
    uint32_t index;
} mmd_item;
_Bool 
    mmd_item_equal(mmd_item a, mmd_item b);
mmd_item mmd_edit_find(mmd_edit *edit, const char *path);
size_t mmd_edit_path(mmd_edit *edit, mmd_item item, char *text, size_t capacity);
typedef struct mmd_item_texts {
    const char *items[MMD_ITEM_KINDS];
    const char *same_name;
} mmd_item_texts;
size_t mmd_edit_describe(const mmd_edit *edit, mmd_item item, const mmd_item_texts *texts, char *text,
                         size_t capacity);
_Bool 
    mmd_edit_has(const mmd_edit *edit, mmd_item item);
mmd_item mmd_edit_parent(const mmd_edit *edit, mmd_item item);
typedef enum mmd_op_kind {
    MMD_OP_TRANSLATE,
    MMD_OP_ROTATE,
    MMD_OP_ORIENT,
    MMD_OP_CAMERA_ROTATION,
    MMD_OP_SCALE,
    MMD_OP_MATRIX
} mmd_op_kind;
enum { MMD_OP_NAME_MAX = 40, MMD_OPS_MAX = 32, MMD_OP_NUMBERS_MAX = 16 };
typedef struct mmd_op {
    uint8_t kind;
   _Bool 
        inverse;
   _Bool 
        read_only;
    char name[MMD_OP_NAME_MAX];
    double value[MMD_OP_NUMBERS_MAX];
} mmd_op;
int mmd_op_numbers(mmd_op_kind kind);
mmd_op mmd_op_make(mmd_op_kind kind, const char *name);
void mmd_op_matrix(const mmd_op *op, double matrix[16]);
size_t mmd_edit_ops(mmd_edit *edit, mmd_item item, mmd_op ops[MMD_OPS_MAX]);
_Bool 
    mmd_edit_write_op(mmd_edit *edit, mmd_item item, const char *name, const double *value);
void mmd_edit_local(mmd_edit *edit, mmd_item item, double matrix[16]);
void mmd_edit_exclusive(mmd_edit *edit, mmd_item item, double matrix[16]);
void mmd_edit_inclusive(mmd_edit *edit, mmd_item item, double matrix[16]);
typedef struct mmd_command mmd_command;
struct mmd_edit_map;
typedef struct mmd_command_table {
    const char *label;
   _Bool 
        (*set)(void *self, mmd_edit *edit, const double *values);
    void (*undo)(void *self, mmd_edit *edit);
   _Bool 
        (*redo)(void *self, mmd_edit *edit);
    void (*destroy)(void *self);
    size_t (*bytes)(const void *self);
   _Bool 
        (*remap)(void *self, mmd_edit *edit, const struct mmd_edit_map *map);
} mmd_command_table;
mmd_command *mmd_command_create(const mmd_command_table *table, size_t size);
void mmd_command_destroy(mmd_command *command);
void *mmd_command_self(mmd_command *command);
const char *mmd_command_label(const mmd_command *command);
_Bool 
    mmd_command_set(mmd_edit *edit, mmd_command *command, const double *values);
void mmd_command_undo(mmd_edit *edit, mmd_command *command);
_Bool 
    mmd_command_redo(mmd_edit *edit, mmd_command *command);
typedef enum mmd_edit_hint {
    MMD_HINT_NONE,
    MMD_HINT_TRANSLATE,
    MMD_HINT_ROTATE,
    MMD_HINT_SCALE,
    MMD_HINT_ROTATE_PIVOT,
    MMD_HINT_SCALE_PIVOT
} mmd_edit_hint;
typedef enum mmd_component {
    MMD_TRANSLATION,
    MMD_ROTATION,
    MMD_SCALE,
    MMD_ROTATE_PIVOT,
    MMD_SCALE_PIVOT,
    MMD_COMPONENTS
} mmd_component;
typedef struct mmd_transform3d mmd_transform3d;
typedef struct mmd_transform3d_table {
    void (*matrix)(void *self, mmd_edit *edit, double matrix[16]);
    void (*exclusive)(void *self, mmd_edit *edit, double matrix[16]);
   _Bool 
        (*get)(void *self, mmd_edit *edit, mmd_component component, double values[3]);
    mmd_command *(*command)(void *self, mmd_edit *edit, mmd_component component, const double values[3]);
    mmd_command *(*set_matrix)(void *self, mmd_edit *edit, const double matrix[16]);
    void (*destroy)(void *self);
} mmd_transform3d_table;
mmd_transform3d *mmd_transform3d_create(const mmd_transform3d_table *table, size_t size, mmd_item item);
void mmd_transform3d_destroy(mmd_transform3d *object);
void *mmd_transform3d_self(mmd_transform3d *object);
mmd_item mmd_transform3d_item(const mmd_transform3d *object);
void mmd_transform3d_matrix(mmd_edit *edit, mmd_transform3d *object, double matrix[16]);
void mmd_transform3d_exclusive(mmd_edit *edit, mmd_transform3d *object, double matrix[16]);
void mmd_transform3d_inclusive(mmd_edit *edit, mmd_transform3d *object,
                               double matrix[16]);
_Bool 
    mmd_transform3d_get(mmd_edit *edit, mmd_transform3d *object, mmd_component component, double values[3]);
mmd_command *mmd_transform3d_command(mmd_edit *edit, mmd_transform3d *object, mmd_component component,
                                     const double values[3]);
mmd_command *mmd_transform3d_matrix_command(mmd_edit *edit, mmd_transform3d *object, const double matrix[16]);
enum { MMD_BONE_NUMBERS = 10 };
void mmd_edit_bone_values(const mmd_edit *edit, mmd_item bone, double values[MMD_BONE_NUMBERS]);
mmd_command *mmd_edit_bone_command(mmd_edit *edit, mmd_item bone, const double values[MMD_BONE_NUMBERS]);
mmd_command *mmd_edit_morph_command(mmd_edit *edit, mmd_item morph, float weight);
mmd_command *mmd_edit_attach_command(mmd_edit *edit, mmd_item item, mmd_item parent);
_Bool 
    mmd_edit_is_attached_by_hand(const mmd_edit *edit, mmd_item item);
mmd_command *mmd_edit_release_command(mmd_edit *edit, mmd_item item);
mmd_command *mmd_edit_reset_command(mmd_edit *edit, mmd_item item);
enum { MMD_MIRROR_NAME_MAX = 256 };
_Bool 
    mmd_edit_mirror_name(const char *name, char out[MMD_MIRROR_NAME_MAX]);
mmd_item mmd_edit_mirrored(const mmd_edit *edit, mmd_item item);
typedef struct mmd_edit_keying {
    mmd_motion *(*motion)(void *context, uint32_t actor, uint32_t bone);
    void *context;
    mmd_motion *(*morph_motion)(void *context, uint32_t actor, uint32_t morph);
    mmd_motion *(*scene_motion)(void *context, mmd_key_kind kind);
    mmd_motion *(*switches_motion)(void *context, uint32_t actor);
} mmd_edit_keying;
void mmd_edit_set_keying(mmd_edit *edit, const mmd_edit_keying *keying);
_Bool 
    mmd_edit_is_keying(const mmd_edit *edit);
_Bool 
    mmd_edit_key_motions(mmd_edit *edit, mmd_motion *const *motions, size_t count);
_Bool 
    mmd_edit_key_frame(mmd_edit *edit, mmd_item item, double at, uint32_t *frame);
mmd_command *mmd_edit_key_command(mmd_edit *edit, mmd_item item);
mmd_command *mmd_edit_unkey_command(mmd_edit *edit, mmd_item item);
mmd_command *mmd_edit_remove_key_command(mmd_edit *edit, mmd_item item, uint32_t frame);
mmd_command *mmd_edit_move_key_command(mmd_edit *edit, mmd_item item, uint32_t from, uint32_t to);
mmd_command *mmd_edit_copy_key_command(mmd_edit *edit, mmd_item item, uint32_t from, uint32_t to);
mmd_command *mmd_edit_curve_command(mmd_edit *edit, mmd_item item, uint32_t frame, uint32_t channels,
                                    mmd_curve curve);
mmd_command *mmd_edit_put_key_command(mmd_edit *edit, mmd_item item, uint32_t frame,
                                      const mmd_stored_key *key);
mmd_command *mmd_edit_morph_key_command(mmd_edit *edit, mmd_item morph, float weight);
mmd_command *mmd_edit_camera_key_command(mmd_edit *edit, const mmd_camera *camera);
mmd_command *mmd_edit_light_key_command(mmd_edit *edit, const mmd_light *light);
mmd_command *mmd_edit_switch_key_command(mmd_edit *edit, uint32_t model, int32_t bone, 
                                                                                      _Bool 
                                                                                           on);
mmd_command *mmd_edit_shadow_key_command(mmd_edit *edit, const mmd_self_shadow *shadow);
typedef struct mmd_handler_link mmd_handler_link;
typedef struct mmd_handler {
    const char *name;
    mmd_transform3d *(*transform3d)(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                    mmd_item item);
    mmd_transform3d *(*edit_transform3d)(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                         mmd_item item, mmd_edit_hint hint);
    void (*destroy)(void *context);
} mmd_handler;
mmd_transform3d *mmd_edit_next_transform3d(mmd_edit *edit, const mmd_handler_link *link, mmd_item item);
mmd_transform3d *mmd_edit_next_edit_transform3d(mmd_edit *edit, const mmd_handler_link *link, mmd_item item,
                                                mmd_edit_hint hint);
const char *mmd_edit_handler_name(const mmd_edit *edit, size_t index);
_Bool 
    mmd_edit_add_handler(mmd_edit *edit, const char *before, const mmd_handler *handler, void *context);
_Bool 
    mmd_edit_replace_handler(mmd_edit *edit, const char *name, const mmd_handler *handler, void *context);
_Bool 
    mmd_edit_remove_handler(mmd_edit *edit, const char *name);
_Bool 
    mmd_edit_set_chain(mmd_edit *edit, const mmd_handler *const *handlers, void *const *contexts,
                        size_t count);
mmd_transform3d *mmd_edit_transform3d(mmd_edit *edit, mmd_item item);
mmd_transform3d *mmd_edit_read_transform3d(mmd_edit *edit, mmd_item item);
mmd_transform3d *mmd_edit_edit_transform3d(mmd_edit *edit, mmd_item item, mmd_edit_hint hint);
mmd_transform3d *mmd_edit_op_transform3d(mmd_edit *edit, mmd_item item, const char *name);
typedef enum mmd_refusal { MMD_REFUSAL_NONE, MMD_REFUSAL_OWN, MMD_REFUSAL_MEMORY, MMD_REFUSAL_NO_ITEM, MMD_REFUSAL_READ_ONLY, MMD_REFUSAL_NO_OP, MMD_REFUSAL_BURIED, MMD_REFUSAL_MATRIX, MMD_REFUSAL_VALUE, MMD_REFUSAL_NUMBER, MMD_REFUSAL_NOTHING, MMD_REFUSAL_NO_TRANSLATION, MMD_REFUSAL_NO_ROTATION, MMD_REFUSAL_NO_SCALE, MMD_REFUSAL_NO_PIVOT, MMD_REFUSAL_PHYSICS, MMD_REFUSAL_IK, MMD_REFUSAL_FIXED_AXIS, MMD_REFUSAL_BONE_SCALE, MMD_REFUSAL_BONE_PIVOT, MMD_REFUSAL_NODE_PIVOT, MMD_REFUSAL_PROJECT, MMD_REFUSAL_PHYSICS_PLACE, MMD_REFUSAL_DARK, MMD_REFUSAL_KEY_ITEM, MMD_REFUSAL_KEY_MOTION, MMD_REFUSAL_KEY_MIRRORED, MMD_REFUSAL_KEY_PART_OF_FRAME, MMD_REFUSAL_KEY_FRAME, MMD_REFUSAL_KEY_NONE, MMD_REFUSAL_KEY_KIND, MMD_REFUSAL_KEY_MATRIX, MMD_REFUSAL_KEY_SCALE, MMD_REFUSAL_KEY_WEIGHT, MMD_REFUSAL_CURVE_NUMBER, MMD_REFUSAL_CURVE_MORPH, MMD_REFUSAL_CURVE_LIGHT, MMD_REFUSAL_CURVE_BONE, MMD_REFUSAL_CURVE_CAMERA, MMD_REFUSAL_CURVE_SWITCHES, MMD_REFUSAL_KEY_SWITCH, MMD_REFUSAL_KEY_SHADOW, MMD_REFUSAL_PARENT_ITEM, MMD_REFUSAL_PARENT_RING, MMD_REFUSAL_COUNT } mmd_refusal;
const char *mmd_edit_refusal(const mmd_edit *edit);
mmd_refusal mmd_edit_refusal_code(const mmd_edit *edit);
void mmd_edit_refusal_in(const mmd_edit *edit, const char *text, const mmd_item_texts *texts, char *out,
                         size_t size);
void mmd_edit_refuse(mmd_edit *edit, const char *format, ...)
    __attribute__((format(__printf__, 2, 3)))
    ;
void mmd_edit_refuse_as(mmd_edit *edit, mmd_refusal code, const char *first, const char *second);
void mmd_edit_refuse_item(mmd_edit *edit, mmd_refusal code, mmd_item item, const char *first,
                          const char *second);
_Bool 
    mmd_edit_add(mmd_edit *edit, mmd_command *command);
_Bool 
    mmd_edit_add_to_last(mmd_edit *edit, mmd_command *command);
_Bool 
    mmd_edit_is_of_last_step(const mmd_edit *edit, const mmd_command *command);
_Bool 
    mmd_edit_do(mmd_edit *edit, mmd_command *command);
_Bool 
    mmd_edit_do_in_last(mmd_edit *edit, mmd_command *command);
void mmd_edit_begin(mmd_edit *edit, const char *label);
void mmd_edit_end(mmd_edit *edit);
_Bool 
    mmd_edit_undo(mmd_edit *edit);
_Bool 
    mmd_edit_redo(mmd_edit *edit);
const char *mmd_edit_undo_label(const mmd_edit *edit);
const char *mmd_edit_redo_label(const mmd_edit *edit);
void mmd_edit_clear_history(mmd_edit *edit);
void mmd_edit_forget_steps(mmd_edit *edit, size_t count);
typedef struct mmd_edit_visited {
    const mmd_command_table *table;
    const void *self;
    size_t step;
   _Bool 
        is_done;
} mmd_edit_visited;
void mmd_edit_visit_commands(const mmd_edit *edit,
                             void (*visit)(void *context, const mmd_edit_visited *command), void *context);
typedef struct mmd_edit_map {
    mmd_stage *stage;
   _Bool 
        (*item)(void *context, mmd_item *item);
    void (*undone)(void *context, mmd_edit *edit);
    void *context;
} mmd_edit_map;
size_t mmd_edit_move(mmd_edit *edit, const mmd_edit_map *map);
_Bool 
    mmd_edit_map_item(const mmd_edit_map *map, mmd_item *item);
_Bool 
    mmd_command_remap(mmd_edit *edit, mmd_command *command, const mmd_edit_map *map);
size_t mmd_edit_history_steps(const mmd_edit *edit);
size_t mmd_edit_history_bytes(const mmd_edit *edit);
typedef void mmd_edit_observer(void *context, mmd_edit *edit, const mmd_item *items, size_t count);
_Bool 
    mmd_edit_observe(mmd_edit *edit, mmd_edit_observer *observer, void *context);
void mmd_edit_unobserve(mmd_edit *edit, mmd_edit_observer *observer, void *context);
void mmd_edit_changed(mmd_edit *edit, mmd_item item);
typedef struct mmd_edit_plugin {
    uint32_t abi;
    const char *name;
   _Bool 
        (*attach)(mmd_edit *edit);
} mmd_edit_plugin;
typedef struct mmd_edit_options {
   _Bool 
        paused;
   _Bool 
        redirect_ik;
    size_t history_steps;
    size_t history_bytes;
    void *user;
} mmd_edit_options;
mmd_edit_options mmd_default_edit_options(void);
mmd_edit *mmd_edit_create(mmd_stage *stage, const mmd_edit_options *options);
void mmd_edit_destroy(mmd_edit *edit);
void mmd_edit_set_options(mmd_edit *edit, const mmd_edit_options *options);
const mmd_edit_options *mmd_edit_get_options(const mmd_edit *edit);
mmd_stage *mmd_edit_stage(const mmd_edit *edit);
typedef struct mmd_box {
    float low[3], high[3];
} mmd_box;
mmd_box mmd_empty_box(void);
_Bool 
    mmd_box_is_empty(const mmd_box *box);
_Bool 
    mmd_box_is_there(const mmd_box *box);
void mmd_box_add_point(mmd_box *box, const float point[3]);
void mmd_box_add(mmd_box *box, const mmd_box *other);
float mmd_box_size(const mmd_box *box);
_Bool 
    mmd_stage_add_box(const mmd_stage *stage, size_t index, 
                                                            _Bool 
                                                                 posed, mmd_box *box);
void mmd_camera_fit(const mmd_box *box, double aspect, double filled, mmd_camera *camera);
typedef struct mmd_framed {
    const mmd_model *model;
    const mmd_animation *animation;
} mmd_framed;
_Bool 
    mmd_camera_frame(const mmd_framed *models, size_t count, double aspect, mmd_camera *camera);
typedef struct mmd_gpu mmd_gpu;
typedef void (*mmd_gpu_function)(void);
typedef mmd_gpu_function (*mmd_gpu_loader)(const char *name);
mmd_status mmd_gpu_create_headless(const mmd_log *log, mmd_gpu **result, mmd_error *error);
mmd_status mmd_gpu_create_current(mmd_gpu_loader loader, const mmd_log *log, mmd_gpu **result,
                                  mmd_error *error);
void mmd_gpu_destroy(mmd_gpu *gpu);
typedef struct mmd_gpu_info {
    const char *vendor, *renderer, *version, *context;
    int32_t max_texture_size, max_samples, max_viewport[2];
} mmd_gpu_info;
const mmd_gpu_info *mmd_gpu_get_info(const mmd_gpu *gpu);
void mmd_gpu_limit_texture_size(mmd_gpu *gpu, int32_t size);
typedef struct mmd_gpu_state {
    int64_t values[160];
} mmd_gpu_state;
void mmd_gpu_save_state(mmd_gpu *gpu, mmd_gpu_state *state);
void mmd_gpu_restore_state(mmd_gpu *gpu, const mmd_gpu_state *state);
typedef struct mmd_world mmd_world;
typedef enum mmd_physics_backend { MMD_PHYSICS_NULL, MMD_PHYSICS_BULLET } mmd_physics_backend;
typedef struct mmd_velocity {
    float linear[4], angular[4];
} mmd_velocity;
void mmd_phys_start_velocity(const mmd_phys_body *body, mmd_velocity *velocity);
mmd_status mmd_world_create(mmd_physics_backend backend, const mmd_phys_world *settings,
                            const mmd_physscene *const *scenes, size_t scene_count, mmd_world **world,
                            mmd_error *error);
void mmd_world_destroy(mmd_world *world);
uint32_t mmd_world_body_count(const mmd_world *world);
uint32_t mmd_world_first_soft_body(const mmd_world *world, size_t scene);
void mmd_world_set_targets(mmd_world *world, const mmd_transform *targets);
void mmd_world_set_held(mmd_world *world, const uint8_t *held);
void mmd_world_place(mmd_world *world, uint32_t count, const uint32_t *bodies,
                     const mmd_transform *transforms, const mmd_velocity *velocities);
void mmd_world_correct(mmd_world *world, uint32_t count, const uint32_t *bodies, const float (*positions)[4]);
void mmd_world_place_soft(mmd_world *world, uint32_t soft, const float (*positions)[4],
                          const float velocity[3]);
typedef struct mmd_impulse {
    uint32_t body;
   _Bool 
        local;
   _Bool 
        stop;
    float linear[3], angular[3];
} mmd_impulse;
void mmd_world_impulse(mmd_world *world, uint32_t count, const mmd_impulse *impulses);
void mmd_world_set_pins(mmd_world *world, uint32_t soft, const float (*positions)[3]);
void mmd_world_set_gravity(mmd_world *world, const float gravity[3]);
void mmd_world_set_ground(mmd_world *world, 
                                           _Bool 
                                                on);
void mmd_world_step(mmd_world *world);
const mmd_transform *mmd_world_transforms(const mmd_world *world);
const mmd_velocity *mmd_world_velocities(const mmd_world *world);
const float (*mmd_world_soft_positions(const mmd_world *world, uint32_t soft))[4];
const float (*mmd_world_soft_normals(const mmd_world *world, uint32_t soft))[4];
_Bool 
    mmd_world_soft_was_lost(const mmd_world *world, uint32_t soft);
typedef struct mmd_contact {
    uint32_t body_a, body_b;
    float position[3];
    float normal[3];
    float depth;
    float impulse;
} mmd_contact;
size_t mmd_world_contacts(const mmd_world *world, mmd_contact *contacts, size_t max);
typedef struct mmd_trigger_event {
    uint32_t trigger, other;
   _Bool 
        begins;
} mmd_trigger_event;
size_t mmd_world_trigger_events(const mmd_world *world, mmd_trigger_event *events, size_t max);
void mmd_joint_frames(const mmd_physscene *scene, uint32_t joint, const mmd_transform *bodies,
                      mmd_transform *frame_a, mmd_transform *frame_b);
typedef struct mmd_joint_excess {
    float linear;
    float angular;
} mmd_joint_excess;
mmd_joint_excess mmd_joint_find_excess(const mmd_physscene *scene, uint32_t joint,
                                       const mmd_transform *frame_a, const mmd_transform *frame_b);
size_t mmd_world_state_size(const mmd_world *world);
void mmd_world_save(const mmd_world *world, void *state);
void mmd_world_restore(mmd_world *world, const void *state);
typedef struct mmd_physics_options {
    mmd_physics_backend backend;
    uint32_t rate;
    uint32_t iterations;
    float gravity[3];
    float joint_erp;
    uint8_t joint_lever;
    uint8_t damping;
   _Bool 
        exact_restitution;
   _Bool 
        ground;
   _Bool 
        shared_world;
   _Bool 
        joined_mode_2;
   _Bool 
        run_ahead;
    uint32_t threads;
    size_t cache_bytes;
} mmd_physics_options;
mmd_physics_options mmd_default_physics_options(void);
void mmd_physics_options_take(mmd_physics_options *options, const mmd_phys_world *world);
mmd_status mmd_stage_set_physics(mmd_stage *stage, const mmd_physics_options *options, mmd_error *error);
const mmd_physics_options *mmd_stage_physics(const mmd_stage *stage);
void mmd_stage_set_gravity(mmd_stage *stage, const float gravity[3]);
void mmd_stage_set_ground(mmd_stage *stage, 
                                           _Bool 
                                                on);
typedef struct mmd_gravity_key {
    uint32_t frame;
    float strength, direction[3];
} mmd_gravity_key;
mmd_status mmd_stage_set_gravity_keys(mmd_stage *stage, const mmd_gravity_key *keys, size_t count,
                                      mmd_error *error);
_Bool 
    mmd_stage_has_gravity_keys(const mmd_stage *stage);
void mmd_stage_gravity_at(const mmd_stage *stage, double frame, float gravity[3]);
const mmd_transform *mmd_stage_bodies(mmd_stage *stage, size_t actor);
const mmd_physscene *mmd_stage_physscene(const mmd_stage *stage, size_t actor);
_Bool 
    mmd_stage_body_simulated(const mmd_stage *stage, size_t actor, uint32_t body);
typedef struct mmd_body_transform {
    mmd_transform rest;
    float scale[3];
} mmd_body_transform;
mmd_status mmd_stage_place_body(mmd_stage *stage, size_t actor, uint32_t body,
                                const mmd_body_transform *transform, mmd_error *error);
mmd_status mmd_stage_place_joint(mmd_stage *stage, size_t actor, uint32_t joint,
                                 const mmd_transform *transform, mmd_error *error);
_Bool 
    mmd_stage_body_transform(mmd_stage *stage, size_t actor, uint32_t body, mmd_body_transform *transform);
_Bool 
    mmd_stage_joint_transform(mmd_stage *stage, size_t actor, uint32_t joint, mmd_transform *transform);
typedef struct mmd_body_start {
    mmd_transform transform;
    mmd_velocity velocity;
} mmd_body_start;
mmd_status mmd_stage_start_body(mmd_stage *stage, size_t actor, uint32_t body, const mmd_body_start *start,
                                mmd_error *error);
_Bool 
    mmd_stage_body_start(const mmd_stage *stage, size_t actor, uint32_t body, mmd_body_start *start);
void mmd_stage_clear_starts(mmd_stage *stage, size_t actor);
_Bool 
    mmd_stage_take_starts(mmd_stage *stage, size_t actor, mmd_body_start *starts);
const float (*mmd_stage_soft_positions(const mmd_stage *stage, size_t actor, uint32_t soft))[4];
const float (*mmd_stage_soft_normals(const mmd_stage *stage, size_t actor, uint32_t soft))[4];
size_t mmd_stage_contacts(mmd_stage *stage, size_t actor, mmd_contact *contacts, size_t max);
typedef struct mmd_physics_report {
    uint64_t steps;
    uint64_t replayed;
    uint64_t reset_bodies;
   _Bool 
        repeats;
    uint32_t snapshots;
    size_t snapshot_bytes;
    double step_seconds;
    double pose_seconds;
} mmd_physics_report;
mmd_physics_report mmd_stage_physics_report(mmd_stage *stage);
typedef struct mmd_reset_bodies {
    size_t actor;
    double frame;
    const char *reason;
    uint32_t body_count, soft_count;
    const uint32_t *bodies, *softs;
} mmd_reset_bodies;
typedef void mmd_reset_bodies_function(void *context, const mmd_reset_bodies *what);
void mmd_stage_on_reset_bodies(mmd_stage *stage, mmd_reset_bodies_function *function, void *context);
typedef struct mmd_stage_trigger_event {
    double frame;
    size_t trigger_actor, other_actor;
    uint32_t trigger, other;
   _Bool 
        begins;
} mmd_stage_trigger_event;
typedef void mmd_trigger_function(void *context, const mmd_stage_trigger_event *what);
void mmd_stage_on_trigger(mmd_stage *stage, mmd_trigger_function *function, void *context);
typedef void mmd_simulating_function(void *context, double frame, double goal);
void mmd_stage_on_simulating(mmd_stage *stage, mmd_simulating_function *function, void *context);
void mmd_stage_on_step(mmd_stage *stage, mmd_simulating_function *function, void *context);
size_t mmd_stage_count_contacts(const mmd_stage *stage);
typedef struct mmd_simulated mmd_simulated;
mmd_simulated *mmd_simulated_create(void);
void mmd_simulated_destroy(mmd_simulated *states);
double mmd_stage_take_simulated(mmd_stage *stage, mmd_simulated *states);
void mmd_stage_return_simulated(mmd_stage *stage, mmd_simulated *states);
void mmd_stage_settle(mmd_stage *stage);
typedef enum mmd_surface {
    MMD_SURFACE_PICTURE,
    MMD_SURFACE_CLAY,
    MMD_SURFACE_WEIGHTS,
    MMD_SURFACE_MODELS,
    MMD_SURFACE_MATERIALS,
    MMD_SURFACE_BONES
} mmd_surface;
void mmd_id_color(uint32_t id, uint8_t rgb[3]);
typedef struct mmd_render_sample {
   _Bool 
        covers;
    float depth;
    float color[4];
    float base_color[4];
    float texture[4], sphere[4], toon[4];
    float toon_place;
    float light;
    float highlight;
} mmd_render_sample;
typedef enum mmd_pixel_centers {
    MMD_PIXEL_CENTERS_D3D9,
    MMD_PIXEL_CENTERS_GL
} mmd_pixel_centers;
typedef enum mmd_shading {
    MMD_SHADING_MMD,
    MMD_SHADING_SMOOTH
} mmd_shading;
typedef struct mmd_view_options {
    float background[4];
   _Bool 
        checkerboard;
   _Bool 
        background_pictures;
   _Bool 
        edge;
   _Bool 
        grid;
   _Bool 
        self_shadow;
   _Bool 
        ground_shadow;
    float ground_shadow_brightness;
   _Bool 
        ground_shadow_transparent;
    uint32_t samples;
    mmd_pixel_centers pixel_centers;
    mmd_sdef_variant sdef;
    mmd_shading shading;
   _Bool 
        mip_maps;
   _Bool 
        show_bodies;
   _Bool 
        show_joints;
   _Bool 
        show_contacts;
   _Bool 
        show_bones;
   _Bool 
        show_wireframe;
   _Bool 
        show_normals;
    mmd_surface surface;
   _Bool 
        each_actor;
    uint32_t weights_actor, weights_bone;
    uint32_t tile;
} mmd_view_options;
mmd_view_options mmd_default_view_options(void);
enum {
    MMD_TEXTURE_MEMORY_MIB = 1024,
    MMD_TEXTURE_SIZES = 15,
    MMD_TEXTURE_WORTH = 16,
    MMD_TEXTURE_DECODED = 24
};
typedef struct mmd_texture_memory {
    uint64_t limit;
    uint64_t held[MMD_TEXTURE_SIZES], working[MMD_TEXTURE_SIZES], smaller[MMD_TEXTURE_SIZES];
    uint64_t decoded[MMD_TEXTURE_SIZES];
    uint64_t refused;
    uint64_t kept;
} mmd_texture_memory;
mmd_texture_memory mmd_texture_memory_of(uint64_t limit);
void mmd_texture_memory_add(mmd_texture_memory *memory, const mmd_image_info *info);
uint32_t mmd_texture_memory_size(const mmd_texture_memory *memory);
_Bool 
    mmd_texture_memory_alike(const mmd_texture_memory *a, const mmd_texture_memory *b);
_Bool 
    mmd_texture_memory_leaves_out(const mmd_texture_memory *memory);
mmd_status mmd_texture_memory_check(const mmd_texture_memory *memory, const mmd_image_info *info,
                                    mmd_error *error);
typedef struct mmd_view mmd_view;
mmd_status mmd_view_create(mmd_gpu *gpu, const mmd_log *log, mmd_view **result, mmd_error *error);
void mmd_view_destroy(mmd_view *view);
mmd_status mmd_view_add_model(mmd_view *view, const mmd_model *model, mmd_source *source, const char *folder,
                              mmd_error *error);
typedef struct mmd_view_addition {
    const mmd_model *model;
    mmd_source *source;
    const char *folder;
    const char *title;
} mmd_view_addition;
mmd_status mmd_view_add_models(mmd_view *view, const mmd_view_addition *models, size_t count,
                               mmd_texture_memory *memory, size_t *failed, mmd_error *error);
void mmd_view_remove_model(mmd_view *view, const mmd_model *model);
size_t mmd_view_missing_textures(const mmd_view *view, const mmd_model *model, const char *const **names);
mmd_status mmd_view_draw(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                         uint32_t framebuffer, uint32_t width, uint32_t height, mmd_error *error);
typedef struct mmd_view_place {
    uint32_t framebuffer, left, bottom, width, height;
} mmd_view_place;
mmd_status mmd_view_draw_in(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            const mmd_view_place *place, mmd_error *error);
typedef struct mmd_view_host {
    mmd_view_place place;
    float view[16];
    float projection[16];
    float world[16];
   _Bool 
        zero_to_one_depth;
   _Bool 
        reversed_depth;
    float depth_range[2];
   _Bool 
        clear_color;
   _Bool 
        clear_depth;
    uint8_t stencil_bits;
   _Bool 
        restore_state;
} mmd_view_host;
mmd_view_host mmd_default_view_host(void);
mmd_status mmd_view_draw_into(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              const mmd_view_host *host, mmd_error *error);
mmd_status mmd_view_picture(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            uint32_t width, uint32_t height, mmd_image *image, mmd_error *error);
enum { MMD_VIEW_PICTURES = 2 };
mmd_status mmd_view_picture_begin(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                  uint32_t width, uint32_t height, mmd_error *error);
mmd_status mmd_view_picture_take(mmd_view *view, mmd_image *image, mmd_error *error);
typedef struct mmd_picture_sum {
    uint32_t width, height;
    uint32_t *sums;
    uint32_t samples;
   _Bool 
        deep;
} mmd_picture_sum;
enum { MMD_PICTURE_SAMPLES_MAX = 65536, MMD_SUPERSAMPLE_MAX = 8 };
mmd_status mmd_picture_sum_begin(mmd_picture_sum *sum, uint32_t width, uint32_t height, 
                                                                                       _Bool 
                                                                                            deep,
                                 mmd_error *error);
void mmd_picture_sum_finish(mmd_picture_sum *sum);
mmd_status mmd_view_picture_add(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                uint32_t times, mmd_picture_sum *sum, mmd_error *error);
mmd_status mmd_picture_sum_image(const mmd_picture_sum *sum, 
                                                            _Bool 
                                                                 opaque, mmd_image *image, mmd_error *error);
mmd_status mmd_picture_sum_image16(const mmd_picture_sum *sum, 
                                                              _Bool 
                                                                   opaque, mmd_image16 *image,
                                   mmd_error *error);
mmd_status mmd_view_ids(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                        uint32_t width, uint32_t height, uint32_t (*ids)[3], mmd_error *error);
mmd_status mmd_view_named_ids(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              uint32_t width, uint32_t height, mmd_ids *ids, mmd_error *error);
typedef struct mmd_view_surface {
    float normal[3];
    float depth;
} mmd_view_surface;
mmd_status mmd_view_surfaces(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                             uint32_t width, uint32_t height, uint32_t (*ids)[3], mmd_view_surface *surfaces,
                             mmd_error *error);
mmd_status mmd_view_surfaces_into(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                  const mmd_view_host *host, uint32_t (*ids)[3], mmd_view_surface *surfaces,
                                  mmd_error *error);
typedef struct mmd_view_pixel {
    uint32_t width, height, x, y;
} mmd_view_pixel;
typedef struct mmd_view_layer {
    uint32_t actor, material, triangle;
   _Bool 
        edge;
    uint32_t corners[3];
    float parts[3];
    float position[3], normal[3], uv[2];
    mmd_render_sample sample;
   _Bool 
        drawn;
    float share;
} mmd_view_layer;
mmd_status mmd_view_inspect(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            const mmd_view_pixel *pixel, mmd_view_layer *layers, size_t max, size_t *count,
                            mmd_error *error);
mmd_status mmd_view_read_stage_vertices(mmd_view *view, const mmd_stage *stage, size_t actor,
                                        mmd_sdef_variant sdef, float (*positions)[3], float (*normals)[3],
                                        mmd_error *error);
mmd_status mmd_soft_skin_reference(const mmd_stage *stage, size_t actor, mmd_skinned_vertex *vertices,
                                   mmd_error *error);
enum { MMD_VIEW_PASSES = 5 };
const char *mmd_view_pass_name(int pass);
void mmd_view_measure(mmd_view *view, 
                                     _Bool 
                                          measure);
typedef struct mmd_view_statistics {
    double upload_us;
    uint64_t upload_bytes;
    uint32_t draw_calls;
    double pass_us[MMD_VIEW_PASSES];
} mmd_view_statistics;
mmd_view_statistics mmd_view_get_statistics(const mmd_view *view);
const char *mmd_version(void);
typedef struct mmd_scene mmd_scene;
mmd_status mmd_scene_create(const mmd_log *log, mmd_scene **scene, mmd_error *error);
void mmd_scene_destroy(mmd_scene *scene);
mmd_status mmd_scene_open(mmd_scene *scene, const char *path, mmd_error *error);
mmd_status mmd_scene_open_model(mmd_scene *scene, const char *path, size_t *model, mmd_error *error);
mmd_status mmd_scene_open_backdrop(mmd_scene *scene, const char *path, size_t *model, mmd_error *error);
mmd_status mmd_scene_open_motion(mmd_scene *scene, const char *path, size_t model, mmd_error *error);
mmd_status mmd_scene_open_camera(mmd_scene *scene, const char *path, mmd_error *error);
mmd_status mmd_scene_add_model(mmd_scene *scene, const mmd_model *model, mmd_source *textures,
                               const char *folder, size_t *index, mmd_error *error);
mmd_status mmd_scene_add_motion(mmd_scene *scene, const mmd_motion *motion, size_t model, mmd_error *error);
size_t mmd_scene_model_count(const mmd_scene *scene);
const mmd_model *mmd_scene_model(const mmd_scene *scene, size_t model);
mmd_actor *mmd_scene_actor(const mmd_scene *scene, size_t model);
mmd_stage *mmd_scene_stage(const mmd_scene *scene);
mmd_view *mmd_scene_view(const mmd_scene *scene);
const char *mmd_scene_name(const mmd_scene *scene, size_t model);
const char *mmd_scene_path(const mmd_scene *scene, size_t model);
size_t mmd_scene_bone_count(const mmd_scene *scene, size_t model);
const char *mmd_scene_bone_name(const mmd_scene *scene, size_t model, size_t bone);
int32_t mmd_scene_find_bone(const mmd_scene *scene, size_t model, const char *name);
size_t mmd_scene_morph_count(const mmd_scene *scene, size_t model);
const char *mmd_scene_morph_name(const mmd_scene *scene, size_t model, size_t morph);
int32_t mmd_scene_find_morph(const mmd_scene *scene, size_t model, const char *name);
size_t mmd_scene_material_count(const mmd_scene *scene, size_t model);
const char *mmd_scene_material_name(const mmd_scene *scene, size_t model, size_t material);
mmd_status mmd_scene_set_physics(mmd_scene *scene, const mmd_physics_options *options, mmd_error *error);
enum { MMD_SCENE_FRAMES = 10000000 };
mmd_status mmd_scene_set_frame(mmd_scene *scene, double frame, mmd_error *error);
double mmd_scene_frame(const mmd_scene *scene);
double mmd_scene_last_frame(const mmd_scene *scene);
_Bool 
    mmd_scene_set_bone(mmd_scene *scene, size_t model, size_t bone, const float translation[3],
                        const float rotation[4]);
_Bool 
    mmd_scene_set_morph(mmd_scene *scene, size_t model, size_t morph, float weight);
float mmd_scene_morph_weight(const mmd_scene *scene, size_t model, size_t morph);
_Bool 
    mmd_scene_bone_matrix(const mmd_scene *scene, size_t model, size_t bone, float matrix[16]);
_Bool 
    mmd_scene_bone_matrices(const mmd_scene *scene, size_t model, float (*matrices)[16]);
_Bool 
    mmd_scene_place(mmd_scene *scene, size_t model, const float position[3], const float rotation[3],
                     float scale);
_Bool 
    mmd_scene_show(mmd_scene *scene, size_t model, 
                                                   _Bool 
                                                        shown);
typedef struct mmd_look {
    float target[3];
    float angle[3];
    float distance;
    float fov;
   _Bool 
        orthographic;
} mmd_look;
mmd_look mmd_scene_look(const mmd_scene *scene);
_Bool 
    mmd_scene_look_from(mmd_scene *scene, const mmd_look *look);
_Bool 
    mmd_scene_fit(const mmd_scene *scene, double aspect, mmd_look *look);
_Bool 
    mmd_scene_set_light(mmd_scene *scene, const float color[3], const float direction[3]);
mmd_status mmd_scene_use_context(mmd_scene *scene, mmd_gpu_loader loader, mmd_error *error);
mmd_status mmd_scene_upload(mmd_scene *scene, mmd_error *error);
mmd_view_options mmd_scene_view_options(const mmd_scene *scene);
mmd_status mmd_scene_picture(mmd_scene *scene, const mmd_view_options *options, uint32_t width,
                             uint32_t height, mmd_image *image, mmd_error *error);
mmd_status mmd_scene_draw(mmd_scene *scene, const mmd_view_options *options, uint32_t framebuffer,
                          uint32_t width, uint32_t height, mmd_error *error);
mmd_status mmd_scene_draw_into(mmd_scene *scene, const mmd_view_options *options, const mmd_view_host *host,
                               mmd_error *error);
mmd_status mmd_scene_ids(mmd_scene *scene, const mmd_view_options *options, uint32_t width, uint32_t height,
                         uint32_t (*ids)[3], mmd_error *error);
size_t mmd_scene_missing_textures(const mmd_scene *scene, size_t model, const char *const **names);
typedef struct mmd_project_owner {
    void *user;
    mmd_status (*add_model)(void *user, const char *path, mmd_model_file *file, size_t *index,
                            mmd_error *error);
    mmd_status (*add_motion)(void *user, mmd_motion *motion, size_t index, mmd_error *error);
} mmd_project_owner;
mmd_status mmd_project_put_on_stage(mmd_project *project, const char *path, mmd_project_folders *folders,
                                    mmd_stage *stage, const mmd_project_owner *owner, mmd_arena *arena,
                                    const mmd_log *log, mmd_error *error);
typedef struct mmd_project_settings {
   _Bool 
        grid, self_shadow, ground_shadow, ground_shadow_transparent, black;
    float ground_shadow_brightness;
    double frame;
    uint32_t width, height;
   _Bool 
        physics, physics_ground;
    float gravity[3];
    const mmd_gravity_key *gravity_keys;
    size_t gravity_key_count;
} mmd_project_settings;
_Bool 
    mmd_project_get_settings(const mmd_project *project, mmd_arena *arena, mmd_project_settings *settings);
enum {
    MMD_ORDER_BACKDROP = -2,
    MMD_ORDER_FIRST_ACCESSORY = -1,
    MMD_ORDER_MODEL = 0,
    MMD_ORDER_ACCESSORY = 1,
};
int32_t mmd_usual_order(
                       _Bool 
                            is_accessory, 
                                          _Bool 
                                               is_backdrop, 
                                                            _Bool 
                                                                 is_first);
float mmd_bounded(double value);
void mmd_vac_place(const mmd_vac *vac, mmd_staging *staging);
void mmd_view_options_take_exchange(mmd_view_options *options, 
                                                              _Bool 
                                                                   has_vertices);
void mmd_view_options_take_project(mmd_view_options *options, const mmd_project_settings *project);
static inline mmd_curve mmd_curve_linear(void)
{
    mmd_curve curve = {20, 20, 107, 107};
    return curve;
}
void mmd_bone_key_between(const mmd_bone_key *a, const mmd_bone_key *b, float u, mmd_transform *out);
float mmd_rotation_angle(const float a[4], const float b[4]);
typedef struct mmd_reduce_limits {
    float translation;
    float rotation;
    const float *shares;
   _Bool 
        curves;
} mmd_reduce_limits;
uint32_t mmd_reduce_keys(const mmd_transform *samples, uint32_t count, const mmd_reduce_limits *limits,
                         uint32_t *indices, mmd_bone_key *keys);
size_t mmd_utf8_from_cp932(const uint8_t *text, size_t size, char *out, size_t capacity, 
                                                                                        _Bool 
                                                                                             *lossy);
size_t mmd_cp932_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity, 
                                                                                        _Bool 
                                                                                             *lossy);
size_t mmd_text_clean(const char *text, 
                                       _Bool 
                                            escape_controls, char *out, size_t capacity);
size_t mmd_text_control(const char *text, uint32_t *character);
enum { MMD_NAME_KEY_SIZE = 15 };
void mmd_name_key_from_utf8(const char *name, uint8_t key[MMD_NAME_KEY_SIZE], 
                                                                             _Bool 
                                                                                  *lossy, 
                                                                                          _Bool 
                                                                                               *cut);
void mmd_name_key_from_field(const uint8_t *field, size_t size, uint8_t key[MMD_NAME_KEY_SIZE]);
typedef struct mmd_view_load mmd_view_load;
enum { MMD_VIEW_LOAD_AHEAD = 512 << 20 };
mmd_status mmd_view_load_create(const mmd_model *model, mmd_source *source, const char *folder,
                                const mmd_log *log, mmd_view_load **load, mmd_error *error);
void mmd_view_load_set_title(mmd_view_load *load, const char *title);
mmd_status mmd_view_load_measure(mmd_view_load *load, mmd_texture_memory *memory, mmd_error *error);
void mmd_view_load_limit(mmd_view_load *load, const mmd_texture_memory *memory);
void mmd_view_measure_textures(const mmd_view *view, const mmd_model *except, mmd_texture_memory *memory);
uint32_t mmd_view_load_total(const mmd_view_load *load);
mmd_status mmd_view_load_read(mmd_view_load *load, 
                                                  _Bool 
                                                       *more, mmd_error *error);
typedef struct mmd_view_reader mmd_view_reader;
mmd_status mmd_view_reader_create(mmd_view_load *const *loads, size_t count, const mmd_texture_memory *memory,
                                  uint32_t threads, mmd_view_reader **reader, mmd_error *error);
void mmd_view_reader_destroy(mmd_view_reader *reader);
_Bool 
    mmd_view_load_is_ready(const mmd_view_load *load);
mmd_status mmd_view_load_step(mmd_view *view, mmd_view_load *load, 
                                                                  _Bool 
                                                                       *done, mmd_error *error);
void mmd_view_load_destroy(mmd_view *view, mmd_view_load *load);
typedef struct mmd_view_adding mmd_view_adding;
typedef struct mmd_view_adding_desc {
    const mmd_view_addition
        *models;
    size_t count;
    const mmd_view *view;
    uint32_t threads;
   _Bool 
        arrives;
    const mmd_log *log;
} mmd_view_adding_desc;
mmd_status mmd_view_adding_create(const mmd_view_adding_desc *desc, mmd_texture_memory *memory,
                                  mmd_view_adding **adding, size_t *failed, mmd_error *error);
mmd_status mmd_view_adding_put(mmd_view_adding *adding, mmd_view *view, size_t *failed, mmd_error *error);
mmd_status mmd_view_adding_arrive(mmd_view_adding *adding, mmd_view *view, double seconds, uint32_t *arrived,
                                  size_t *failed, mmd_error *error);
_Bool 
    mmd_view_adding_is_done(const mmd_view_adding *adding);
void mmd_view_adding_destroy(mmd_view_adding *adding, mmd_view *view);
