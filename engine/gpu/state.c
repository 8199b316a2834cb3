/*
 * Saves, restores and resets the OpenGL state that the library changes, for programs that draw by themselves
 * in the same context. The comment on mmd_gpu_state lists that state.
 */
#include <assert.h>
#include <string.h>

#include "gpu_internal.h"

/* Vertex attributes whose current value the library sets: DRAW_EXTRA and SKIN_EXTRA of render. */
static const GLuint attributes[] = {3, 7};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

/* What glEnable switches, and whether it is on while the library draws. */
typedef struct state_switch {
    GLenum name;
    bool on;
} state_switch;

static const state_switch switches[] = {
    {GL_COLOR_LOGIC_OP, false},
    {GL_CULL_FACE, false},
    {GL_DEPTH_CLAMP, false},
    {GL_DEPTH_TEST, true},
    {GL_DITHER, false},
    {GL_FRAMEBUFFER_SRGB, false},
    {GL_LINE_SMOOTH, false},
    {GL_MULTISAMPLE, true},
    {GL_POLYGON_OFFSET_FILL, false},
    {GL_POLYGON_OFFSET_LINE, false},
    {GL_POLYGON_OFFSET_POINT, false},
    {GL_POLYGON_SMOOTH, false},
    {GL_PRIMITIVE_RESTART, false},
    {GL_PROGRAM_POINT_SIZE, true},
    {GL_RASTERIZER_DISCARD, false},
    {GL_SAMPLE_ALPHA_TO_COVERAGE, false},
    {GL_SAMPLE_ALPHA_TO_ONE, false},
    {GL_SAMPLE_COVERAGE, false},
    {GL_SAMPLE_MASK, false},
    {GL_SCISSOR_TEST, false},
    {GL_STENCIL_TEST, false},
    {GL_CLIP_DISTANCE0, false},
    {GL_CLIP_DISTANCE1, false},
    {GL_CLIP_DISTANCE2, false},
    {GL_CLIP_DISTANCE3, false},
    {GL_CLIP_DISTANCE4, false},
    {GL_CLIP_DISTANCE5, false},
    {GL_CLIP_DISTANCE6, false},
    {GL_CLIP_DISTANCE7, false},
    /* these come with extensions */
    {GL_SAMPLE_SHADING_ARB, false},
    {GL_PRIMITIVE_RESTART_FIXED_INDEX, false},
    {GL_DEPTH_BOUNDS_TEST_EXT, false},
};
enum { SWITCHES = sizeof switches / sizeof *switches };

static bool has_switch(GLenum name)
{
    if (name == GL_SAMPLE_SHADING_ARB)
        return GLAD_GL_ARB_sample_shading;
    if (name == GL_DEPTH_BOUNDS_TEST_EXT)
        return GLAD_GL_EXT_depth_bounds_test;
    return name != GL_PRIMITIVE_RESTART_FIXED_INDEX || GLAD_GL_ARB_ES3_compatibility;
}

/* Parameters of pixel storage, and their values while the library copies pixels. */
typedef struct storage {
    GLenum name;
    GLint value;
} storage;

static const storage unpacking[] = {
    {GL_UNPACK_ALIGNMENT, 1},   {GL_UNPACK_ROW_LENGTH, 0},   {GL_UNPACK_SKIP_ROWS, 0},
    {GL_UNPACK_SKIP_PIXELS, 0}, {GL_UNPACK_IMAGE_HEIGHT, 0}, {GL_UNPACK_SKIP_IMAGES, 0},
    {GL_UNPACK_SWAP_BYTES, 0},  {GL_UNPACK_LSB_FIRST, 0},
};
static const storage packing[] = {
    {GL_PACK_ALIGNMENT, 1},  {GL_PACK_ROW_LENGTH, 0}, {GL_PACK_SKIP_ROWS, 0},   {GL_PACK_SKIP_PIXELS, 0},
    {GL_PACK_SWAP_BYTES, 0}, {GL_PACK_LSB_FIRST, 0},  {GL_PACK_INVERT_MESA, 0}, /* the last one, since it
                                                                                   comes with an extension */
};
enum { UNPACKING = sizeof unpacking / sizeof *unpacking, PACKING = sizeof packing / sizeof *packing };

/* Returns how many parameters of packing the context has. */
static int packing_count(void)
{
    return GLAD_GL_MESA_pack_invert ? PACKING : PACKING - 1;
}

/* Single integers, in the order of saved_state.integers. */
static const GLenum integers[] = {
    GL_CURRENT_PROGRAM,
    GL_VERTEX_ARRAY_BINDING,
    GL_ARRAY_BUFFER_BINDING,
    GL_COPY_READ_BUFFER, /* of the same value as its binding in later versions */
    GL_PIXEL_PACK_BUFFER_BINDING,
    GL_PIXEL_UNPACK_BUFFER_BINDING,
    GL_UNIFORM_BUFFER_BINDING,
    GL_TRANSFORM_FEEDBACK_BUFFER_BINDING,
    GL_DRAW_FRAMEBUFFER_BINDING,
    GL_READ_FRAMEBUFFER_BINDING,
    GL_RENDERBUFFER_BINDING,
    GL_ACTIVE_TEXTURE,
    GL_DEPTH_FUNC,
    GL_DEPTH_WRITEMASK,
    GL_CULL_FACE_MODE,
    GL_FRONT_FACE,
    GL_BLEND_SRC_RGB,
    GL_BLEND_DST_RGB,
    GL_BLEND_SRC_ALPHA,
    GL_BLEND_DST_ALPHA,
    GL_BLEND_EQUATION_RGB,
    GL_BLEND_EQUATION_ALPHA,
    GL_STENCIL_CLEAR_VALUE,
    GL_PROVOKING_VERTEX,
    GL_CLAMP_READ_COLOR,
    GL_FRAGMENT_SHADER_DERIVATIVE_HINT,
};
enum {
    PROGRAM,
    VERTEX_ARRAY,
    ARRAY_BUFFER,
    COPY_READ_BUFFER,
    PACK_BUFFER,
    UNPACK_BUFFER,
    UNIFORM_BUFFER,
    FEEDBACK_BUFFER,
    DRAW_FRAMEBUFFER,
    READ_FRAMEBUFFER,
    RENDERBUFFER,
    ACTIVE_TEXTURE,
    DEPTH_FUNC,
    DEPTH_MASK,
    CULL_FACE_MODE,
    FRONT_FACE,
    BLEND_SRC_RGB,
    BLEND_DST_RGB,
    BLEND_SRC_ALPHA,
    BLEND_DST_ALPHA,
    BLEND_EQUATION_RGB,
    BLEND_EQUATION_ALPHA,
    CLEAR_STENCIL,
    PROVOKING_VERTEX,
    CLAMP_READ,
    DERIVATIVE_HINT,
    INTEGERS
};
_Static_assert(sizeof integers / sizeof *integers == INTEGERS, "every integer has an index");

/* Stencil state of one side of faces. */
typedef struct stencil_side {
    GLint function, reference, value_mask, write_mask, fail, depth_fail, pass;
} stencil_side;

/* A buffer that is bound to index 0. size 0: the whole buffer. */
typedef struct indexed_buffer {
    GLint64 start, size;
    GLint name;
} indexed_buffer;

typedef struct saved_state {
    indexed_buffer uniform, feedback;
    GLdouble depth_range[2], clear_depth;
    GLfloat clear_color[4], offset_factor, offset_units, offset_clamp, point_fade;
    GLfloat attributes[ATTRIBUTES][4];
    GLint integers[INTEGERS], unpacking[UNPACKING], packing[PACKING];
    GLint viewport[4], scissor[4], polygon_mode[2];
    GLint clip_origin, clip_depth, feedback_object;
    stencil_side front, back;
    struct {
        GLint texture, buffer_texture, sampler;
    } units[GPU_UNITS];
    uint32_t on;    /* bits, by switch */
    uint32_t blend; /* bits, by draw buffer */
    GLboolean color_mask[GPU_DRAW_BUFFERS_MAX][4];
} saved_state;
_Static_assert(sizeof(saved_state) <= sizeof(mmd_gpu_state), "the state fits into what the caller provides");
_Static_assert(SWITCHES <= 32, "every switch has a bit");

/* ------------------------------------------------------------------ saving */

static void save_buffers(saved_state *s)
{
    const GLenum uniform[3] = {GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE};
    const GLenum feedback[3] = {GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER_START,
                                GL_TRANSFORM_FEEDBACK_BUFFER_SIZE};
    glGetIntegeri_v(uniform[0], 0, &s->uniform.name);
    glGetInteger64i_v(uniform[1], 0, &s->uniform.start);
    glGetInteger64i_v(uniform[2], 0, &s->uniform.size);
    if (GLAD_GL_ARB_transform_feedback2) {
        /* The library draws with object 0, whose buffer it changes. */
        glGetIntegerv(GL_TRANSFORM_FEEDBACK_BINDING, &s->feedback_object);
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    }
    glGetIntegeri_v(feedback[0], 0, &s->feedback.name);
    glGetInteger64i_v(feedback[1], 0, &s->feedback.start);
    glGetInteger64i_v(feedback[2], 0, &s->feedback.size);
}

static void save_units(saved_state *s)
{
    for (GLuint unit = 0; unit < GPU_UNITS; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &s->units[unit].texture);
        glGetIntegerv(GL_TEXTURE_BINDING_BUFFER, &s->units[unit].buffer_texture);
        glGetIntegerv(GL_SAMPLER_BINDING, &s->units[unit].sampler);
    }
    glActiveTexture((GLenum)s->integers[ACTIVE_TEXTURE]);
}

static void save_stencil(saved_state *s)
{
    glGetIntegerv(GL_STENCIL_FUNC, &s->front.function);
    glGetIntegerv(GL_STENCIL_REF, &s->front.reference);
    glGetIntegerv(GL_STENCIL_VALUE_MASK, &s->front.value_mask);
    glGetIntegerv(GL_STENCIL_WRITEMASK, &s->front.write_mask);
    glGetIntegerv(GL_STENCIL_FAIL, &s->front.fail);
    glGetIntegerv(GL_STENCIL_PASS_DEPTH_FAIL, &s->front.depth_fail);
    glGetIntegerv(GL_STENCIL_PASS_DEPTH_PASS, &s->front.pass);
    glGetIntegerv(GL_STENCIL_BACK_FUNC, &s->back.function);
    glGetIntegerv(GL_STENCIL_BACK_REF, &s->back.reference);
    glGetIntegerv(GL_STENCIL_BACK_VALUE_MASK, &s->back.value_mask);
    glGetIntegerv(GL_STENCIL_BACK_WRITEMASK, &s->back.write_mask);
    glGetIntegerv(GL_STENCIL_BACK_FAIL, &s->back.fail);
    glGetIntegerv(GL_STENCIL_BACK_PASS_DEPTH_FAIL, &s->back.depth_fail);
    glGetIntegerv(GL_STENCIL_BACK_PASS_DEPTH_PASS, &s->back.pass);
}

static void save_drawing(const mmd_gpu *gpu, saved_state *s)
{
    for (GLuint i = 0; i < SWITCHES; i++)
        if (has_switch(switches[i].name) && glIsEnabled(switches[i].name))
            s->on |= 1u << i;
    for (GLuint i = 0; i < (GLuint)gpu->draw_buffers; i++) {
        if (glIsEnabledi(GL_BLEND, i))
            s->blend |= 1u << i;
        glGetBooleani_v(GL_COLOR_WRITEMASK, i, s->color_mask[i]);
    }
    glGetIntegerv(GL_VIEWPORT, s->viewport);
    glGetIntegerv(GL_SCISSOR_BOX, s->scissor);
    glGetIntegerv(GL_POLYGON_MODE, s->polygon_mode);
    glGetDoublev(GL_DEPTH_RANGE, s->depth_range);
    glGetDoublev(GL_DEPTH_CLEAR_VALUE, &s->clear_depth);
    glGetFloatv(GL_COLOR_CLEAR_VALUE, s->clear_color);
    glGetFloatv(GL_POLYGON_OFFSET_FACTOR, &s->offset_factor);
    glGetFloatv(GL_POLYGON_OFFSET_UNITS, &s->offset_units);
    if (GLAD_GL_ARB_polygon_offset_clamp)
        glGetFloatv(GL_POLYGON_OFFSET_CLAMP, &s->offset_clamp);
    glGetFloatv(GL_POINT_FADE_THRESHOLD_SIZE, &s->point_fade);
    if (GLAD_GL_ARB_clip_control) {
        glGetIntegerv(GL_CLIP_ORIGIN, &s->clip_origin);
        glGetIntegerv(GL_CLIP_DEPTH_MODE, &s->clip_depth);
    }
    for (GLuint i = 0; i < ATTRIBUTES; i++)
        glGetVertexAttribfv(attributes[i], GL_CURRENT_VERTEX_ATTRIB, s->attributes[i]);
}

void mmd_gpu_save_state(mmd_gpu *gpu, mmd_gpu_state *state)
{
    assert(gpu && state);
    saved_state s = {0};
    for (int i = 0; i < INTEGERS; i++)
        glGetIntegerv(integers[i], &s.integers[i]);
    for (int i = 0; i < UNPACKING; i++)
        glGetIntegerv(unpacking[i].name, &s.unpacking[i]);
    for (int i = 0; i < packing_count(); i++)
        glGetIntegerv(packing[i].name, &s.packing[i]);
    save_buffers(&s);
    save_units(&s);
    save_stencil(&s);
    save_drawing(gpu, &s);
    memcpy(state, &s, sizeof s);
}

/* --------------------------------------------------------------- restoring */

/* Binds an object, or none if it was deleted since. */
static GLuint buffer_if_exists(GLint name)
{
    return glIsBuffer((GLuint)name) ? (GLuint)name : 0;
}

static void restore_index(GLenum target, const indexed_buffer *buffer)
{
    GLuint name = buffer_if_exists(buffer->name);
    if (name && buffer->size > 0)
        glBindBufferRange(target, 0, name, (GLintptr)buffer->start, (GLsizeiptr)buffer->size);
    else
        glBindBufferBase(target, 0, name);
}

static void restore_buffers(const saved_state *s)
{
    restore_index(GL_UNIFORM_BUFFER, &s->uniform);
    glBindBuffer(GL_UNIFORM_BUFFER, buffer_if_exists(s->integers[UNIFORM_BUFFER]));
    restore_index(GL_TRANSFORM_FEEDBACK_BUFFER, &s->feedback);
    if (GLAD_GL_ARB_transform_feedback2 && glIsTransformFeedback((GLuint)s->feedback_object))
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, (GLuint)s->feedback_object);
    glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer_if_exists(s->integers[FEEDBACK_BUFFER]));
    glBindBuffer(GL_ARRAY_BUFFER, buffer_if_exists(s->integers[ARRAY_BUFFER]));
    glBindBuffer(GL_COPY_READ_BUFFER, buffer_if_exists(s->integers[COPY_READ_BUFFER]));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer_if_exists(s->integers[PACK_BUFFER]));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_if_exists(s->integers[UNPACK_BUFFER]));
}

static void restore_bindings(const saved_state *s)
{
    const GLuint program = (GLuint)s->integers[PROGRAM], array = (GLuint)s->integers[VERTEX_ARRAY];
    const GLuint draw = (GLuint)s->integers[DRAW_FRAMEBUFFER], read = (GLuint)s->integers[READ_FRAMEBUFFER];
    const GLuint renderbuffer = (GLuint)s->integers[RENDERBUFFER];
    glUseProgram(glIsProgram(program) ? program : 0);
    glBindVertexArray(glIsVertexArray(array) ? array : 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, glIsFramebuffer(draw) ? draw : 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, glIsFramebuffer(read) ? read : 0);
    glBindRenderbuffer(GL_RENDERBUFFER, glIsRenderbuffer(renderbuffer) ? renderbuffer : 0);
    restore_buffers(s);
    for (GLuint unit = 0; unit < GPU_UNITS; unit++) {
        const GLuint texture = (GLuint)s->units[unit].texture, sampler = (GLuint)s->units[unit].sampler;
        const GLuint buffer_texture = (GLuint)s->units[unit].buffer_texture;
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(GL_TEXTURE_2D, glIsTexture(texture) ? texture : 0);
        glBindTexture(GL_TEXTURE_BUFFER, glIsTexture(buffer_texture) ? buffer_texture : 0);
        glBindSampler(unit, glIsSampler(sampler) ? sampler : 0);
    }
    glActiveTexture((GLenum)s->integers[ACTIVE_TEXTURE]);
}

static void restore_stencil(GLenum face, const stencil_side *side)
{
    glStencilFuncSeparate(face, (GLenum)side->function, side->reference, (GLuint)side->value_mask);
    glStencilMaskSeparate(face, (GLuint)side->write_mask);
    glStencilOpSeparate(face, (GLenum)side->fail, (GLenum)side->depth_fail, (GLenum)side->pass);
}

static void set_switch(GLenum name, bool on)
{
    if (on)
        glEnable(name);
    else
        glDisable(name);
}

static void restore_blending(const mmd_gpu *gpu, const saved_state *s)
{
    const GLint *i = s->integers;
    glBlendFuncSeparate((GLenum)i[BLEND_SRC_RGB], (GLenum)i[BLEND_DST_RGB], (GLenum)i[BLEND_SRC_ALPHA],
                        (GLenum)i[BLEND_DST_ALPHA]);
    glBlendEquationSeparate((GLenum)i[BLEND_EQUATION_RGB], (GLenum)i[BLEND_EQUATION_ALPHA]);
    for (GLuint k = 0; k < (GLuint)gpu->draw_buffers; k++) {
        const GLboolean *mask = s->color_mask[k];
        if (s->blend & 1u << k)
            glEnablei(GL_BLEND, k);
        else
            glDisablei(GL_BLEND, k);
        glColorMaski(k, mask[0], mask[1], mask[2], mask[3]);
    }
}

static void restore_drawing(const saved_state *s)
{
    const GLint *i = s->integers;
    for (GLuint k = 0; k < SWITCHES; k++)
        if (has_switch(switches[k].name))
            set_switch(switches[k].name, s->on & 1u << k);
    glDepthFunc((GLenum)i[DEPTH_FUNC]);
    glDepthMask((GLboolean)i[DEPTH_MASK]);
    glCullFace((GLenum)i[CULL_FACE_MODE]);
    glFrontFace((GLenum)i[FRONT_FACE]);
    glClearStencil(i[CLEAR_STENCIL]);
    glProvokingVertex((GLenum)i[PROVOKING_VERTEX]);
    glClampColor(GL_CLAMP_READ_COLOR, (GLenum)i[CLAMP_READ]);
    glHint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, (GLenum)i[DERIVATIVE_HINT]);
    glViewport(s->viewport[0], s->viewport[1], s->viewport[2], s->viewport[3]);
    glScissor(s->scissor[0], s->scissor[1], s->scissor[2], s->scissor[3]);
    glPolygonMode(GL_FRONT_AND_BACK, (GLenum)s->polygon_mode[0]);
    glDepthRange(s->depth_range[0], s->depth_range[1]);
    glClearDepth(s->clear_depth);
    glClearColor(s->clear_color[0], s->clear_color[1], s->clear_color[2], s->clear_color[3]);
    if (GLAD_GL_ARB_polygon_offset_clamp)
        glPolygonOffsetClamp(s->offset_factor, s->offset_units, s->offset_clamp);
    else
        glPolygonOffset(s->offset_factor, s->offset_units);
    glPointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, s->point_fade);
    if (GLAD_GL_ARB_clip_control)
        glClipControl((GLenum)s->clip_origin, (GLenum)s->clip_depth);
    for (GLuint k = 0; k < ATTRIBUTES; k++)
        glVertexAttrib4fv(attributes[k], s->attributes[k]);
}

void mmd_gpu_restore_state(mmd_gpu *gpu, const mmd_gpu_state *state)
{
    assert(gpu && state);
    saved_state s;
    memcpy(&s, state, sizeof s);
    restore_bindings(&s);
    for (int i = 0; i < UNPACKING; i++)
        glPixelStorei(unpacking[i].name, s.unpacking[i]);
    for (int i = 0; i < packing_count(); i++)
        glPixelStorei(packing[i].name, s.packing[i]);
    restore_stencil(GL_FRONT, &s.front);
    restore_stencil(GL_BACK, &s.back);
    restore_blending(gpu, &s);
    restore_drawing(&s);
    gpu_forget_state(gpu);
}

/* --------------------------------------------------------------- resetting */

/* The bit above those of the table is GL_BLEND's, which is saved by draw buffer. */
int gpu_switch_bit(GLenum name)
{
    for (int k = 0; k < SWITCHES; k++)
        if (switches[k].name == name)
            return k;
    return name == GL_BLEND ? SWITCHES : -1;
}

void gpu_reset_switches(mmd_gpu *gpu)
{
    assert(gpu);
    for (int k = 0; k < SWITCHES; k++)
        if (has_switch(switches[k].name))
            mmd_gpu_switch(gpu, switches[k].name, switches[k].on);
}

void gpu_set_packing(void)
{
    for (int i = 0; i < packing_count(); i++)
        glPixelStorei(packing[i].name, packing[i].value);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FIXED_ONLY);
}

void gpu_set_unpacking(void)
{
    for (int i = 0; i < UNPACKING; i++)
        glPixelStorei(unpacking[i].name, unpacking[i].value);
}
