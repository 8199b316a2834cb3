/*
 * The part of the library's interface that the package uses, copied from the headers without their comments. cffi reads
 * it, so it has no directives. A test compares every declaration with the headers: tests/python/test_declarations.py.
 */

/* In mmd/status.h a macro makes it an enum, which has the same size. */
typedef unsigned mmd_status;

/* mmd/status.h */
const char *mmd_status_name(mmd_status status);
enum { MMD_ERROR_FILE_MAX = 256, MMD_ERROR_SECTION_MAX = 64, MMD_ERROR_MESSAGE_MAX = 256 };
typedef struct mmd_error {
    mmd_status code;
    uint64_t offset;
    char file[MMD_ERROR_FILE_MAX];
    char section[MMD_ERROR_SECTION_MAX];
    char message[MMD_ERROR_MESSAGE_MAX];
} mmd_error;
char *mmd_error_sentence(const mmd_error *error, char *text, size_t capacity);

/* mmd/log.h */
typedef enum mmd_log_level { MMD_LOG_ERROR, MMD_LOG_WARNING, MMD_LOG_INFO, MMD_LOG_DEBUG } mmd_log_level;
typedef struct mmd_log {
    void (*write)(void *user, mmd_log_level level, const char *text);
    void *user;
    mmd_log_level level;
} mmd_log;

/* mmd/image.h */
typedef struct mmd_image {
    uint32_t width, height;
    uint8_t *pixels;
    bool has_alpha;
} mmd_image;
void mmd_image_finish(mmd_image *image);
mmd_status mmd_image_init(mmd_image *image, uint32_t width, uint32_t height, mmd_error *error);
mmd_status mmd_image_read(const char *path, mmd_image *image, mmd_error *error);
mmd_status mmd_image_write(const char *path, const mmd_image *image, mmd_error *error);

/* mmd/memory.h */
uint64_t mmd_heap_blocks_in_use(void);
typedef struct mmd_arena_block mmd_arena_block;
typedef struct mmd_arena {
    mmd_arena_block *block;
    size_t used;
    size_t limit;
} mmd_arena;

/* mmd/compare.h */
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
typedef struct mmd_compare_options {
    mmd_compare_align align;
    int32_t shift_x, shift_y;
    uint32_t max_shift;
    mmd_compare_alpha alpha;
    uint8_t background[3];
    uint8_t threshold;
    bool ssim, flip;
    float pixels_per_degree;
    const uint8_t *mask;
    bool lends;
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
    bool alpha;
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
double mmd_metric_largest(mmd_metric metric);
double mmd_metric_value(mmd_metric metric, const mmd_compare_result *result);
typedef struct mmd_limits {
    double value[MMD_METRIC_COUNT];
} mmd_limits;
mmd_limits mmd_default_limits(void);
typedef struct mmd_compare mmd_compare;
mmd_compare *mmd_compare_create(void);
void mmd_compare_destroy(mmd_compare *compare);
mmd_status mmd_compare_run(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                           const mmd_compare_options *options, mmd_compare_result *result, mmd_error *error);
const uint8_t *mmd_compare_difference(const mmd_compare *compare);
mmd_status mmd_heat_from_levels(const uint8_t *plane, uint32_t width, uint32_t height, float scale,
                                mmd_image *picture, mmd_error *error);

/* mmd/ids.h */
typedef struct mmd_ids_part {
    const char *name;
    uint32_t model, index;
    bool physics;
} mmd_ids_part;
typedef struct mmd_ids {
    uint32_t width, height;
    uint32_t (*ids)[3];
    const char **models;
    mmd_ids_part *materials, *bones;
    size_t model_count, material_count, bone_count;
    mmd_arena arena;
} mmd_ids;
mmd_status mmd_ids_write(const char *path, const mmd_ids *ids, mmd_error *error);
void mmd_ids_finish(mmd_ids *ids);

/* mmd/difference.h */
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
    bool has_factor;
    double factor[3];
    double changed;
    uint32_t box[4];
    uint32_t material;
} mmd_difference;
const char *mmd_difference_kind_name(mmd_difference_kind kind);
typedef struct mmd_cause {
    char *model, *part;
    uint32_t model_index, part_index;
    bool outside;
    uint64_t pixels, over, sum;
    uint32_t largest;
} mmd_cause;
typedef struct mmd_causes {
    mmd_cause *rows;
    size_t count;
    uint32_t *order;
    uint64_t sum;
} mmd_causes;
enum { MMD_VERDICT_TEXT_MAX = 1024 };
typedef struct mmd_verdict {
    bool equal;
    bool passed;
    mmd_compare_result result;
    mmd_difference difference;
    mmd_causes models, materials, bones;
    char exceeded[MMD_VERDICT_TEXT_MAX];
    char why[MMD_VERDICT_TEXT_MAX];
} mmd_verdict;
void mmd_verdict_finish(mmd_verdict *verdict);
mmd_status mmd_compare_pictures(const mmd_image *a, const mmd_image *b, const mmd_limits *limits,
                                mmd_verdict *verdict, mmd_error *error);

/* mmd/pose.h */
typedef enum mmd_sdef_variant { MMD_SDEF_LINEAR, MMD_SDEF_SLERP } mmd_sdef_variant;

/* mmd/surface.h */
typedef enum mmd_surface {
    MMD_SURFACE_PICTURE,
    MMD_SURFACE_CLAY,
    MMD_SURFACE_WEIGHTS,
    MMD_SURFACE_MODELS,
    MMD_SURFACE_MATERIALS,
    MMD_SURFACE_BONES
} mmd_surface;

/* mmd/physics.h */
typedef enum mmd_physics_backend { MMD_PHYSICS_NULL, MMD_PHYSICS_BULLET } mmd_physics_backend;

/* mmd/simulation.h */
typedef struct mmd_physics_options {
    mmd_physics_backend backend;
    uint32_t rate;
    uint32_t iterations;
    float gravity[3];
    float joint_erp;
    uint8_t joint_lever;
    uint8_t damping;
    bool exact_restitution;
    bool ground;
    bool shared_world;
    bool joined_mode_2;
    bool run_ahead;
    uint32_t threads;
    size_t cache_bytes;
} mmd_physics_options;
mmd_physics_options mmd_default_physics_options(void);

/* mmd/view.h */
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
    bool checkerboard;
    bool background_pictures;
    bool edge;
    bool grid;
    bool self_shadow;
    bool ground_shadow;
    float ground_shadow_brightness;
    bool ground_shadow_transparent;
    uint32_t samples;
    mmd_pixel_centers pixel_centers;
    mmd_sdef_variant sdef;
    mmd_shading shading;
    bool mip_maps;
    bool show_bodies;
    bool show_joints;
    bool show_contacts;
    bool show_bones;
    bool show_wireframe;
    bool show_normals;
    mmd_surface surface;
    bool each_actor;
    uint32_t weights_actor, weights_bone;
    uint32_t tile;
} mmd_view_options;
typedef struct mmd_view mmd_view;
typedef struct mmd_stage mmd_stage;
mmd_status mmd_view_named_ids(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              uint32_t width, uint32_t height, mmd_ids *ids, mmd_error *error);

/* mmd/mmd.h */
const char *mmd_version(void);
typedef struct mmd_scene mmd_scene;
mmd_status mmd_scene_create(const mmd_log *log, mmd_scene **scene, mmd_error *error);
void mmd_scene_destroy(mmd_scene *scene);
mmd_status mmd_scene_open(mmd_scene *scene, const char *path, mmd_error *error);
mmd_status mmd_scene_open_model(mmd_scene *scene, const char *path, size_t *model, mmd_error *error);
mmd_status mmd_scene_open_backdrop(mmd_scene *scene, const char *path, size_t *model, mmd_error *error);
mmd_status mmd_scene_open_motion(mmd_scene *scene, const char *path, size_t model, mmd_error *error);
mmd_status mmd_scene_open_camera(mmd_scene *scene, const char *path, mmd_error *error);
size_t mmd_scene_model_count(const mmd_scene *scene);
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
mmd_status mmd_scene_set_frame(mmd_scene *scene, double frame, mmd_error *error);
double mmd_scene_frame(const mmd_scene *scene);
double mmd_scene_last_frame(const mmd_scene *scene);
bool mmd_scene_set_bone(mmd_scene *scene, size_t model, size_t bone, const float translation[3],
                        const float rotation[4]);
bool mmd_scene_set_morph(mmd_scene *scene, size_t model, size_t morph, float weight);
float mmd_scene_morph_weight(const mmd_scene *scene, size_t model, size_t morph);
bool mmd_scene_bone_matrices(const mmd_scene *scene, size_t model, float (*matrices)[16]);
bool mmd_scene_place(mmd_scene *scene, size_t model, const float position[3], const float rotation[3],
                     float scale);
bool mmd_scene_show(mmd_scene *scene, size_t model, bool shown);
typedef struct mmd_look {
    float target[3];
    float angle[3];
    float distance;
    float fov;
    bool orthographic;
} mmd_look;
mmd_look mmd_scene_look(const mmd_scene *scene);
bool mmd_scene_look_from(mmd_scene *scene, const mmd_look *look);
bool mmd_scene_fit(const mmd_scene *scene, double aspect, mmd_look *look);
bool mmd_scene_set_light(mmd_scene *scene, const float color[3], const float direction[3]);
mmd_status mmd_scene_upload(mmd_scene *scene, mmd_error *error);
mmd_view_options mmd_scene_view_options(const mmd_scene *scene);
mmd_status mmd_scene_picture(mmd_scene *scene, const mmd_view_options *options, uint32_t width,
                             uint32_t height, mmd_image *image, mmd_error *error);
mmd_status mmd_scene_ids(mmd_scene *scene, const mmd_view_options *options, uint32_t width, uint32_t height,
                         uint32_t (*ids)[3], mmd_error *error);
size_t mmd_scene_missing_textures(const mmd_scene *scene, size_t model, const char *const **names);

/* EGL 1.5, for the contexts of stages (_context.py) */
void *eglGetCurrentDisplay(void);
void *eglGetCurrentContext(void);
void *eglGetCurrentSurface(int32_t which);
unsigned eglMakeCurrent(void *display, void *draw, void *read, void *context);
