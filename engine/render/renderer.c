/* The renderer: objects that all models share, and the beginning and end of a frame. */
#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "mmd_math.h"
#include "arithmetic.h"
#include "render_internal.h"

enum { TABLE_BITS_MAX = 12, SHADOW_MAP_SIZE = 2048, ANISOTROPY = 16 };

/* The uniform block of scene.glsl in std140 layout. */
typedef struct scene_block {
    float clip_from_world[16], view_from_world[16], shadow_from_world[16];
    float eye[4], to_light[4], shadow[4];
} scene_block;

static const char *const pass_names[MMD_PASS_COUNT] = {"skin", "shadow map", "object", "edge",
                                                       "ground shadow"};

double renderer_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static GLuint create_sampler(GLenum wrap, GLenum min_filter)
{
    GLuint sampler;
    glGenSamplers(1, &sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, (GLint)wrap);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, (GLint)wrap);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, (GLint)min_filter);
    glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return sampler;
}

static mmd_status create_shared_toon(mmd_renderer *renderer, int number, mmd_error *error)
{
    uint8_t column[32][3], pixels[32][4];
    shared_toon_column(number, column);
    for (int row = 0; row < 32; row++) {
        memcpy(pixels[row], column[row], 3);
        pixels[row][3] = 255;
    }
    mmd_image image = {.width = 1, .height = 32, .pixels = pixels[0]};
    return renderer_create_toon(renderer, &image, "shared toon", &renderer->shared_toons[number], error);
}

/* Creates samplers and other objects. Diffuse textures repeat and have smaller levels and an anisotropic
 * filter, the others clamp (docs/mmd.md 6.1). Mesa's software driver is not asked for the filter: it
 * blurs enlarged textures, which no GPU does. */
static mmd_status create_objects(mmd_renderer *renderer, mmd_error *error)
{
    glGenBuffers(1, &renderer->scene_buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->scene_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof(scene_block), NULL, GL_DYNAMIC_DRAW);
    renderer->repeat_sampler = create_sampler(GL_REPEAT, GL_LINEAR_MIPMAP_LINEAR);
    renderer->clamp_sampler = create_sampler(GL_CLAMP_TO_EDGE, GL_LINEAR_MIPMAP_LINEAR);
    if (GLAD_GL_EXT_texture_filter_anisotropic &&
        !strstr(mmd_gpu_get_info(renderer->gpu)->renderer, "llvmpipe")) {
        GLfloat most = 1.0f;
        glGetFloatv(GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, &most);
        glSamplerParameterf(renderer->repeat_sampler, GL_TEXTURE_MAX_ANISOTROPY_EXT,
                            most < ANISOTROPY ? most : ANISOTROPY);
    }
    mmd_status status = mmd_gpu_check(renderer->gpu, "making the renderer", error);
    for (int i = 0; i < 10 && status == MMD_OK; i++)
        status = create_shared_toon(renderer, i, error);
    if (status == MMD_OK)
        status = mmd_gpu_target_resize(renderer->gpu, &renderer->skin_target, 1, 1, 0, error);
    return status == MMD_OK ? renderer_edge_program(renderer, 0, NULL, error) : status;
}

mmd_status mmd_renderer_create(mmd_gpu *gpu, const mmd_log *log, mmd_renderer **result, mmd_error *error)
{
    assert(gpu && result);
    *result = NULL;
    mmd_renderer *renderer = mmd_alloc(sizeof *renderer);
    if (!renderer)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a renderer");
    memset(renderer, 0, sizeof *renderer);
    renderer->gpu = gpu;
    if (log)
        renderer->log = *log;
    int32_t limit = mmd_gpu_get_info(gpu)->max_texture_size;
    while (renderer->table_bits < TABLE_BITS_MAX && (2 << renderer->table_bits) <= limit)
        renderer->table_bits++;
    renderer->shadow_size = limit < SHADOW_MAP_SIZE ? limit : SHADOW_MAP_SIZE;
    mmd_status status = create_objects(renderer, error);
    if (status != MMD_OK) {
        mmd_renderer_destroy(renderer);
        return status;
    }
    *result = renderer;
    return MMD_OK;
}

void mmd_renderer_destroy(mmd_renderer *renderer)
{
    if (!renderer)
        return;
    renderer_destroy_programs(renderer);
    renderer_destroy_surfaces(renderer);
    renderer_destroy_wires(renderer);
    renderer_destroy_inspect(renderer);
    glDeleteSamplers(1, &renderer->repeat_sampler);
    glDeleteSamplers(1, &renderer->clamp_sampler);
    for (int i = 0; i < 10; i++)
        mmd_render_texture_destroy(renderer, &renderer->shared_toons[i]);
    mmd_gpu_target_finish(renderer->gpu, &renderer->skin_target);
    renderer_destroy_shadow_map(renderer);
    glDeleteBuffers(1, &renderer->scene_buffer);
    glDeleteBuffers(1, &renderer->grid_buffer);
    mmd_gpu_array_destroy(renderer->gpu, renderer->grid_array);
    glDeleteBuffers(1, &renderer->line_buffer);
    mmd_gpu_array_destroy(renderer->gpu, renderer->line_array);
    mmd_gpu_array_destroy(renderer->gpu, renderer->background_array);
    mmd_free(renderer);
}

mmd_render_texture mmd_renderer_shared_toon(const mmd_renderer *renderer, int number)
{
    assert(renderer && number >= 0 && number < 10);
    return renderer->shared_toons[number];
}

/* Replaces a zero light direction by MMD's default. */
static void mend_light(float direction[3])
{
    const float fallback[3] = {-0.5f, -1.0f, 0.5f};
    if (!(dot3(direction, direction) > 0.0f))
        memcpy(direction, fallback, sizeof fallback);
}

static void light_towards(const float direction[3], float to_light[4])
{
    float length = sqrtf(dot3(direction, direction));
    for (int k = 0; k < 3; k++)
        to_light[k] = -direction[k] / length;
    to_light[3] = 0.0f;
}

/* Applies pixel centres, and the window of the picture that the framebuffer shows. */
static void place_pixels(const mmd_render_scene *scene, uint32_t width, uint32_t height, float placed[16])
{
    const picture_window window = {
        scene->picture_width, scene->picture_height, scene->left, scene->top, width, height};
    memcpy(placed, scene->projection, sizeof scene->projection);
    if (scene->d3d9_centers)
        mmd_shift_pixel_centers(placed, scene->picture_width, scene->picture_height, placed);
    if (width != scene->picture_width || height != scene->picture_height || scene->left || scene->top)
        window_projection(placed, &window, placed);
}

/* Converts the map's clip space (-w to w) to texture coordinates (0 to w). */
static void clip_to_texture(float matrix[16])
{
    for (int column = 0; column < 4; column++)
        for (int k = 0; k < 2; k++)
            matrix[4 * column + k] = 0.5f * (matrix[4 * column + k] + matrix[4 * column + 3]);
}

static void fill_shadow(mmd_renderer *renderer, scene_block *block)
{
    const mmd_render_scene *scene = &renderer->scene;
    float to_map[16] = {0};
    if (scene->self_shadow) {
        self_shadow_matrix(scene->view, scene->eye, scene->light_direction, scene->self_shadow,
                           scene->shadow_distance, to_map);
        block->shadow[0] = scene->self_shadow == 2 ? 8000.0f : 1500.0f;
        block->shadow[1] = scene->self_shadow == 2 ? 1.0f : 0.0f;
    }
    renderer_prepare_shadows(renderer, block->clip_from_world, to_map);
    clip_to_texture(to_map);
    memcpy(block->shadow_from_world, to_map, sizeof to_map);
}

static void fill_scene(mmd_renderer *renderer, scene_block *block)
{
    const mmd_render_scene *scene = &renderer->scene;
    float projection[16];
    place_pixels(scene, renderer->width, renderer->height, projection);
    memset(block, 0, sizeof *block);
    matrix_multiply(projection, scene->view, block->clip_from_world);
    memcpy(block->view_from_world, scene->view, sizeof block->view_from_world);
    memcpy(block->eye, scene->eye, sizeof scene->eye);
    light_towards(scene->light_direction, block->to_light);
    fill_shadow(renderer, block);
}

/* Sets blending. Colours in the target are multiplied by alpha, and alpha is coverage: over an opaque
 * background this equals MMD's blending, over a transparent one it can be converted to straight alpha. */
static void set_state(const mmd_renderer *renderer)
{
    mmd_gpu_reset_state(renderer->gpu);
    if (renderer->scene.hosted)
        mmd_gpu_mask_other_buffers(renderer->gpu);
    mmd_gpu_blend_function(renderer->gpu, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE,
                           GL_ONE_MINUS_SRC_ALPHA);
    renderer_set_target(renderer);
}

GLenum renderer_depth_function(const mmd_renderer *renderer, GLenum function)
{
    assert(renderer);
    if (!renderer->scene.reversed_depth)
        return function;
    if (function == GL_GREATER)
        return GL_LESS;
    return function == GL_LESS ? GL_GREATER : GL_GEQUAL;
}

void renderer_set_polygon_offset(const mmd_renderer *renderer, float factor, float units)
{
    assert(renderer);
    const float sign = renderer->scene.reversed_depth ? -1.0f : 1.0f;
    mmd_gpu_switch(renderer->gpu, GL_POLYGON_OFFSET_FILL, true);
    mmd_gpu_polygon_offset(renderer->gpu, sign * factor, sign * units);
}

GLfloat renderer_far_depth(const mmd_renderer *renderer)
{
    assert(renderer);
    return renderer->scene.reversed_depth ? 0.0f : 1.0f;
}

void renderer_set_target(const mmd_renderer *renderer)
{
    assert(renderer);
    const mmd_render_scene *scene = &renderer->scene;
    const GLsizei width = (GLsizei)renderer->width, height = (GLsizei)renderer->height;
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->framebuffer);
    mmd_gpu_viewport(renderer->gpu, scene->target_left, scene->target_bottom, width, height);
    mmd_gpu_depth_function(renderer->gpu, renderer_depth_function(renderer, GL_LEQUAL));
    /* MMD's left-handed space is drawn without mirroring. */
    mmd_gpu_front_face(renderer->gpu, scene->mirrored ? GL_CCW : GL_CW);
    if (scene->zero_to_one_depth)
        mmd_gpu_zero_to_one_depth(renderer->gpu, true);
    if (!scene->hosted)
        return;
    mmd_gpu_depth_range(renderer->gpu, (GLdouble)scene->depth_range[0], (GLdouble)scene->depth_range[1]);
    mmd_gpu_scissor(renderer->gpu, scene->target_left, scene->target_bottom, width, height);
}

void renderer_begin_capture(const mmd_renderer *renderer, GLuint vertices)
{
    assert(renderer);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer->skin_target.framebuffer);
    mmd_gpu_switch(renderer->gpu, GL_RASTERIZER_DISCARD, true);
    if (GLAD_GL_ARB_transform_feedback2)
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, vertices);
    glBeginTransformFeedback(GL_POINTS);
}

void renderer_end_capture(const mmd_renderer *renderer)
{
    assert(renderer);
    glEndTransformFeedback();
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    mmd_gpu_switch(renderer->gpu, GL_RASTERIZER_DISCARD, false);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* Unbinds everything and closes an open pass. After an error, a self-shadow map may have been left open. */
static void leave_frame(mmd_renderer *renderer)
{
    if (renderer->in_pass)
        mmd_render_shadow_map_end(renderer);
    mmd_gpu_leave_bindings(renderer->gpu);
    mmd_gpu_switch(renderer->gpu, GL_CULL_FACE, false);
    mmd_gpu_switch(renderer->gpu, GL_PROGRAM_POINT_SIZE, false);
    if (renderer->scene.hosted)
        mmd_gpu_write_colors(renderer->gpu);
}

void mmd_render_begin(mmd_renderer *renderer, const mmd_render_scene *scene, uint32_t framebuffer,
                      uint32_t width, uint32_t height)
{
    assert(renderer && scene && width && height && scene->picture_width && scene->picture_height);
    assert(scene->self_shadow <= 2);
    assert(!scene->zero_to_one_depth || mmd_gpu_has_clip_control(renderer->gpu));
    assert(!renderer->in_pass);
    if (scene->no_mip_maps != renderer->scene.no_mip_maps) {
        const GLint filter = scene->no_mip_maps ? GL_LINEAR : GL_LINEAR_MIPMAP_LINEAR;
        glSamplerParameteri(renderer->repeat_sampler, GL_TEXTURE_MIN_FILTER, filter);
        glSamplerParameteri(renderer->clamp_sampler, GL_TEXTURE_MIN_FILTER, filter);
    }
    renderer->scene = *scene;
    mend_light(renderer->scene.light_direction);
    renderer->framebuffer = framebuffer;
    renderer->width = width, renderer->height = height;
    scene_block block;
    fill_scene(renderer, &block);
    glBindBuffer(GL_UNIFORM_BUFFER, renderer->scene_buffer);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof block, &block);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, renderer->scene_buffer);
    set_state(renderer);
}

/* Clears buffers. rgba is not premultiplied, and NULL unless colours are cleared. */
static void clear(const mmd_renderer *renderer, GLbitfield buffers, const float rgba[4])
{
    const mmd_render_scene *scene = &renderer->scene;
    float premultiplied[4];
    for (int k = 0; rgba && k < 4; k++)
        premultiplied[k] = k < 3 ? rgba[k] * rgba[3] : rgba[3];
    mmd_gpu_scissor(renderer->gpu, scene->target_left, scene->target_bottom, (GLsizei)renderer->width,
                    (GLsizei)renderer->height);
    mmd_gpu_clear_values(renderer->gpu, rgba ? premultiplied : NULL, (GLdouble)renderer_far_depth(renderer));
    glClear(buffers);
    if (!scene->hosted)
        mmd_gpu_switch(renderer->gpu, GL_SCISSOR_TEST, false);
}

void mmd_render_clear(mmd_renderer *renderer, const float rgba[4])
{
    assert(renderer && rgba);
    clear(renderer, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, rgba);
}

void mmd_render_clear_color(mmd_renderer *renderer, const float rgba[4])
{
    assert(renderer && rgba);
    clear(renderer, GL_COLOR_BUFFER_BIT, rgba);
}

void mmd_render_clear_depth(mmd_renderer *renderer)
{
    assert(renderer);
    clear(renderer, GL_DEPTH_BUFFER_BIT, NULL);
}

void mmd_render_clear_stencil(mmd_renderer *renderer)
{
    assert(renderer);
    mmd_gpu_write_stencil(renderer->gpu, renderer->scene.hosted ? renderer->scene.stencil_bits : 0xff);
    clear(renderer, GL_STENCIL_BUFFER_BIT, NULL);
}

mmd_status mmd_render_end(mmd_renderer *renderer, mmd_error *error)
{
    assert(renderer);
    leave_frame(renderer);
    return mmd_gpu_check(renderer->gpu, "drawing a frame", error);
}

mmd_render_statistics mmd_renderer_get_statistics(const mmd_renderer *renderer)
{
    assert(renderer);
    return renderer->statistics;
}

void mmd_renderer_reset_statistics(mmd_renderer *renderer)
{
    assert(renderer);
    memset(&renderer->statistics, 0, sizeof renderer->statistics);
}

uint32_t mmd_renderer_largest_target(const mmd_renderer *renderer)
{
    assert(renderer);
    return mmd_gpu_largest_target(renderer->gpu);
}

const char *mmd_render_pass_name(mmd_render_pass pass)
{
    assert((unsigned)pass < MMD_PASS_COUNT);
    return pass_names[pass];
}

void mmd_renderer_measure(mmd_renderer *renderer, bool measure)
{
    assert(renderer);
    renderer->measure = measure;
}

void renderer_pass_begin(mmd_renderer *renderer, mmd_render_pass pass)
{
    assert(!renderer->in_pass);
    renderer->in_pass = true;
    mmd_gpu_push_group(renderer->gpu, pass_names[pass]);
    if (!renderer->measure)
        return;
    mmd_gpu_finish(renderer->gpu);
    renderer->pass_start = renderer_microseconds();
}

void renderer_pass_end(mmd_renderer *renderer, mmd_render_pass pass)
{
    assert(renderer);
    assert(pass < MMD_PASS_COUNT);
    if (!renderer->in_pass)
        return;
    renderer->in_pass = false;
    mmd_gpu_pop_group(renderer->gpu);
    if (!renderer->measure)
        return;
    mmd_gpu_finish(renderer->gpu);
    renderer->statistics.pass_us[pass] += renderer_microseconds() - renderer->pass_start;
}
