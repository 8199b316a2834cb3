/*
 * Sets OpenGL state only where it differs from what was set last. gpu->cache holds that; what is not known
 * there is set anew. It is forgotten when another program may have drawn in the context, and where objects
 * are deleted, since OpenGL then unbinds them and gives their names to others.
 */
#include <assert.h>
#include <string.h>

#include "gpu_internal.h"

/* What is known: one slot for each call below, and three for each texture unit. */
enum {
    PROGRAM,
    VERTEX_ARRAY,
    ACTIVE_UNIT,
    BLEND_FUNCTION,
    BLEND_EQUATION,
    COLOR_MASK,
    DEPTH_FUNCTION,
    DEPTH_MASK,
    DEPTH_RANGE,
    CLEAR_COLOR,
    CLEAR_DEPTH,
    CLEAR_STENCIL,
    STENCIL_FUNCTION,
    STENCIL_PASS,
    STENCIL_MASK,
    CULLED_FACE,
    FRONT_FACE,
    VIEWPORT,
    SCISSOR,
    POLYGON_OFFSET,
    CLIP_DEPTH,
    CONSTANTS, /* what no drawing changes */
    UNPACKING,
    PACKING,
    TEXTURES,
    BUFFER_TEXTURES = TEXTURES + GPU_UNITS,
    SAMPLERS = BUFFER_TEXTURES + GPU_UNITS,
    SLOTS = SAMPLERS + GPU_UNITS
};
_Static_assert((int)SLOTS <= (int)GPU_CACHE_SLOTS, "every slot has a place");

static const uint64_t one = 1;

/* Keeps values, of which there are at most four, and returns whether they were others or not known. */
static bool changes(mmd_gpu *gpu, int slot, const double values[4])
{
    gpu_cache *cache = &gpu->cache;
    const bool known = cache->known >> slot & 1;
    if (known && memcmp(cache->values[slot], values, sizeof cache->values[slot]) == 0)
        return false;
    memcpy(cache->values[slot], values, sizeof cache->values[slot]);
    cache->known |= one << slot;
    return true;
}

static bool changes_to(mmd_gpu *gpu, int slot, double value)
{
    return changes(gpu, slot, (const double[4]){value});
}

void gpu_forget_state(mmd_gpu *gpu)
{
    assert(gpu);
    gpu->cache.known = 0;
    gpu->cache.switches_known = 0;
}

void mmd_gpu_enter(mmd_gpu *gpu)
{
    assert(gpu);
    if (gpu->exclusive)
        return;
    gpu_forget_state(gpu);
    mmd_error found;
    if (mmd_gpu_check(gpu, "the program draws by itself", &found) != MMD_OK)
        mmd_log_message(&gpu->log, MMD_LOG_WARNING, "%s; it is discarded", found.message);
}

void mmd_gpu_set_exclusive(mmd_gpu *gpu)
{
    assert(gpu && gpu->context);
    gpu->exclusive = true;
}

bool mmd_gpu_is_exclusive(const mmd_gpu *gpu)
{
    assert(gpu);
    return gpu->exclusive;
}

void gpu_forget_bindings(mmd_gpu *gpu)
{
    assert(gpu);
    gpu->cache.known &= (one << TEXTURES) - 1;
    gpu->cache.known &= ~(one << PROGRAM | one << VERTEX_ARRAY);
}

/* ---------------------------------------------------------------- bindings */

void mmd_gpu_use_program(mmd_gpu *gpu, uint32_t program)
{
    if (changes_to(gpu, PROGRAM, program))
        glUseProgram(program);
}

void mmd_gpu_bind_array(mmd_gpu *gpu, uint32_t array)
{
    if (changes_to(gpu, VERTEX_ARRAY, array))
        glBindVertexArray(array);
}

static void select_unit(mmd_gpu *gpu, uint32_t unit)
{
    assert(unit < GPU_UNITS);
    if (changes_to(gpu, ACTIVE_UNIT, unit))
        glActiveTexture(GL_TEXTURE0 + unit);
}

static void bind_sampler(mmd_gpu *gpu, uint32_t unit, uint32_t sampler)
{
    if (changes_to(gpu, SAMPLERS + (int)unit, sampler))
        glBindSampler(unit, sampler);
}

void mmd_gpu_bind_texture(mmd_gpu *gpu, uint32_t unit, uint32_t texture, uint32_t sampler)
{
    assert(unit < GPU_UNITS);
    if (changes_to(gpu, TEXTURES + (int)unit, texture)) {
        select_unit(gpu, unit);
        glBindTexture(GL_TEXTURE_2D, texture);
    }
    bind_sampler(gpu, unit, sampler);
}

void mmd_gpu_bind_buffer_texture(mmd_gpu *gpu, uint32_t unit, uint32_t texture)
{
    assert(unit < GPU_UNITS);
    if (changes_to(gpu, BUFFER_TEXTURES + (int)unit, texture)) {
        select_unit(gpu, unit);
        glBindTexture(GL_TEXTURE_BUFFER, texture);
    }
    bind_sampler(gpu, unit, 0);
}

void mmd_gpu_edit_texture(mmd_gpu *gpu, uint32_t texture)
{
    select_unit(gpu, 0);
    if (changes_to(gpu, TEXTURES, texture))
        glBindTexture(GL_TEXTURE_2D, texture);
}

void mmd_gpu_edit_buffer_texture(mmd_gpu *gpu, uint32_t texture)
{
    select_unit(gpu, 0);
    if (changes_to(gpu, BUFFER_TEXTURES, texture))
        glBindTexture(GL_TEXTURE_BUFFER, texture);
}

void mmd_gpu_leave_bindings(mmd_gpu *gpu)
{
    mmd_gpu_bind_array(gpu, 0);
    mmd_gpu_use_program(gpu, 0);
    for (uint32_t unit = 0; unit < GPU_UNITS; unit++)
        bind_sampler(gpu, unit, 0);
    select_unit(gpu, 0);
}

/* ----------------------------------------------------------------- drawing */

void mmd_gpu_switch(mmd_gpu *gpu, uint32_t name, bool on)
{
    const int bit = gpu_switch_bit(name);
    assert(bit >= 0);
    gpu_cache *cache = &gpu->cache;
    const uint64_t mask = one << bit;
    if (cache->switches_known & mask && !(cache->on & mask) == !on)
        return;
    cache->switches_known |= mask;
    cache->on = on ? cache->on | mask : cache->on & ~mask;
    (on ? glEnable : glDisable)(name);
}

void mmd_gpu_blend_function(mmd_gpu *gpu, uint32_t from, uint32_t to, uint32_t from_alpha, uint32_t to_alpha)
{
    if (changes(gpu, BLEND_FUNCTION, (const double[4]){from, to, from_alpha, to_alpha}))
        glBlendFuncSeparate(from, to, from_alpha, to_alpha);
}

void mmd_gpu_depth_function(mmd_gpu *gpu, uint32_t function)
{
    if (changes_to(gpu, DEPTH_FUNCTION, function))
        glDepthFunc(function);
}

void mmd_gpu_write_depth(mmd_gpu *gpu, bool write)
{
    if (changes_to(gpu, DEPTH_MASK, write))
        glDepthMask(write);
}

void mmd_gpu_depth_range(mmd_gpu *gpu, double near, double far)
{
    if (changes(gpu, DEPTH_RANGE, (const double[4]){near, far}))
        glDepthRange(near, far);
}

void mmd_gpu_clear_values(mmd_gpu *gpu, const float rgba[4], double depth)
{
    if (rgba && changes(gpu, CLEAR_COLOR, (const double[4]){rgba[0], rgba[1], rgba[2], rgba[3]}))
        glClearColor(rgba[0], rgba[1], rgba[2], rgba[3]);
    if (changes_to(gpu, CLEAR_DEPTH, depth))
        glClearDepth(depth);
    if (changes_to(gpu, CLEAR_STENCIL, 0))
        glClearStencil(0);
}

void mmd_gpu_stencil(mmd_gpu *gpu, uint32_t function, uint32_t bits, uint32_t pass)
{
    if (changes(gpu, STENCIL_FUNCTION, (const double[4]){function, bits}))
        glStencilFunc(function, (GLint)bits, bits);
    if (changes_to(gpu, STENCIL_PASS, pass))
        glStencilOp(GL_KEEP, GL_KEEP, pass);
}

void mmd_gpu_write_stencil(mmd_gpu *gpu, uint32_t bits)
{
    if (changes_to(gpu, STENCIL_MASK, bits))
        glStencilMask(bits);
}

void mmd_gpu_cull(mmd_gpu *gpu, uint32_t face)
{
    if (changes_to(gpu, CULLED_FACE, face))
        glCullFace(face);
}

void mmd_gpu_front_face(mmd_gpu *gpu, uint32_t order)
{
    if (changes_to(gpu, FRONT_FACE, order))
        glFrontFace(order);
}

void mmd_gpu_viewport(mmd_gpu *gpu, int32_t left, int32_t bottom, int32_t width, int32_t height)
{
    if (changes(gpu, VIEWPORT, (const double[4]){left, bottom, width, height}))
        glViewport(left, bottom, width, height);
}

void mmd_gpu_scissor(mmd_gpu *gpu, int32_t left, int32_t bottom, int32_t width, int32_t height)
{
    mmd_gpu_switch(gpu, GL_SCISSOR_TEST, true);
    if (changes(gpu, SCISSOR, (const double[4]){left, bottom, width, height}))
        glScissor(left, bottom, width, height);
}

void mmd_gpu_polygon_offset(mmd_gpu *gpu, float factor, float units)
{
    if (changes(gpu, POLYGON_OFFSET, (const double[4]){factor, units}))
        glPolygonOffset(factor, units);
}

bool mmd_gpu_has_clip_control(const mmd_gpu *gpu)
{
    assert(gpu);
    (void)gpu;
    return GLAD_GL_ARB_clip_control;
}

void mmd_gpu_zero_to_one_depth(mmd_gpu *gpu, bool zero_to_one)
{
    assert(!zero_to_one || mmd_gpu_has_clip_control(gpu));
    if (mmd_gpu_has_clip_control(gpu) && changes_to(gpu, CLIP_DEPTH, zero_to_one))
        glClipControl(GL_LOWER_LEFT, zero_to_one ? GL_ZERO_TO_ONE : GL_NEGATIVE_ONE_TO_ONE);
}

void mmd_gpu_mask_other_buffers(mmd_gpu *gpu)
{
    assert(gpu);
    for (GLuint i = 1; i < (GLuint)gpu->draw_buffers; i++)
        glColorMaski(i, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    gpu->cache.known &= ~(one << COLOR_MASK);
}

void mmd_gpu_write_colors(mmd_gpu *gpu)
{
    if (changes_to(gpu, COLOR_MASK, 1))
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void mmd_gpu_reset_state(mmd_gpu *gpu)
{
    assert(gpu);
    if (!gpu->exclusive)
        gpu_forget_state(gpu);
    gpu_reset_switches(gpu);
    mmd_gpu_switch(gpu, GL_BLEND, false);
    mmd_gpu_blend_function(gpu, GL_ONE, GL_ZERO, GL_ONE, GL_ZERO);
    mmd_gpu_write_colors(gpu);
    mmd_gpu_depth_function(gpu, GL_LEQUAL);
    mmd_gpu_write_depth(gpu, true);
    mmd_gpu_depth_range(gpu, 0.0, 1.0);
    mmd_gpu_clear_values(gpu, NULL, 1.0);
    mmd_gpu_stencil(gpu, GL_ALWAYS, ~0u, GL_KEEP);
    mmd_gpu_write_stencil(gpu, ~0u);
    mmd_gpu_cull(gpu, GL_BACK);
    mmd_gpu_front_face(gpu, GL_CCW);
    mmd_gpu_polygon_offset(gpu, 0.0f, 0.0f);
    mmd_gpu_zero_to_one_depth(gpu, false);
    if (!changes_to(gpu, CONSTANTS, 0))
        return;
    glBlendEquation(GL_FUNC_ADD);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glProvokingVertex(GL_LAST_VERTEX_CONVENTION);
    glHint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, GL_DONT_CARE); /* wire.frag */
    glPointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, 1.0f);
}

/* ----------------------------------------------------------- pixel storage */

/* Another program sets these whenever it copies pixels, also between calls that know of no others. */
void mmd_gpu_begin_read(mmd_gpu *gpu)
{
    assert(gpu);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    if (changes_to(gpu, PACKING, 0) || !gpu->exclusive)
        gpu_set_packing();
}

void mmd_gpu_begin_upload(mmd_gpu *gpu)
{
    assert(gpu);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    if (changes_to(gpu, UNPACKING, 0) || !gpu->exclusive)
        gpu_set_unpacking();
}
