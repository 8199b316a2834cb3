/*
 * Tests the OpenGL state of a host program: whatever it has set, the picture is the same, and on demand all
 * of it is as before. The host reads its state by itself here, with a list of its own.
 */
#include <EGL/egl.h>

#include "host_scene.h"
#include "mmd/mmd.h"

/* ------------------------------------------------------------------- hostile */

/* Objects that a hostile host leaves bound. */
typedef struct hostile_objects {
    GLuint array, buffer, textures[4], sampler, feedback;
} hostile_objects;

static const GLenum buffer_targets[] = {
    GL_ARRAY_BUFFER,        GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, GL_PIXEL_PACK_BUFFER,
    GL_PIXEL_UNPACK_BUFFER, GL_UNIFORM_BUFFER,   GL_TEXTURE_BUFFER,    GL_TRANSFORM_FEEDBACK_BUFFER};
static const GLenum texture_targets[4] = {GL_TEXTURE_2D, GL_TEXTURE_BUFFER, GL_TEXTURE_CUBE_MAP,
                                          GL_TEXTURE_2D_ARRAY};
enum { BUFFER_TARGETS = sizeof buffer_targets / sizeof *buffer_targets, USED_UNITS = 10 };

/* Everything that glEnable knows in OpenGL 3.3 core, but what is switched by other calls. */
static const GLenum switches[] = {
    GL_COLOR_LOGIC_OP,
    GL_CULL_FACE,
    GL_DEPTH_CLAMP,
    GL_DEPTH_TEST,
    GL_DITHER,
    GL_FRAMEBUFFER_SRGB,
    GL_LINE_SMOOTH,
    GL_MULTISAMPLE,
    GL_POLYGON_OFFSET_FILL,
    GL_POLYGON_OFFSET_LINE,
    GL_POLYGON_OFFSET_POINT,
    GL_POLYGON_SMOOTH,
    GL_PRIMITIVE_RESTART,
    GL_PROGRAM_POINT_SIZE,
    GL_RASTERIZER_DISCARD,
    GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_SAMPLE_ALPHA_TO_ONE,
    GL_SAMPLE_COVERAGE,
    GL_SAMPLE_MASK,
    GL_SCISSOR_TEST,
    GL_STENCIL_TEST,
    GL_TEXTURE_CUBE_MAP_SEAMLESS,
    GL_CLIP_DISTANCE0,
    GL_CLIP_DISTANCE1,
    GL_CLIP_DISTANCE2,
    GL_CLIP_DISTANCE3,
    GL_CLIP_DISTANCE4,
    GL_CLIP_DISTANCE5,
    GL_CLIP_DISTANCE6,
    GL_CLIP_DISTANCE7,
    GL_SAMPLE_SHADING_ARB,
    GL_PRIMITIVE_RESTART_FIXED_INDEX,
    GL_DEPTH_BOUNDS_TEST_EXT,
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

static void make_objects(hostile_objects *made)
{
    static const uint8_t nothing[4096];
    glGenVertexArrays(1, &made->array);
    glGenBuffers(1, &made->buffer);
    glGenTextures(4, made->textures);
    glGenSamplers(1, &made->sampler);
    glSamplerParameteri(made->sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glSamplerParameteri(made->sampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glSamplerParameteri(made->sampler, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    glBindVertexArray(made->array);
    glBindBuffer(GL_ARRAY_BUFFER, made->buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof nothing, nothing, GL_STATIC_DRAW);
    for (GLuint i = 0; i < 3; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 16, NULL);
        glVertexAttribDivisor(i, 2);
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, made->buffer);
}

static void bind_objects(const host_frame *frame, hostile_objects *made)
{
    for (int i = 0; i < BUFFER_TARGETS; i++)
        glBindBuffer(buffer_targets[i], made->buffer);
    if (GLAD_GL_ARB_transform_feedback2) {
        glGenTransformFeedbacks(1, &made->feedback);
        glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, made->buffer, 128, 64);
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, made->feedback);
    }
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, made->buffer, 256, 512);
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, made->buffer, 64, 32);
    for (GLuint unit = 0; unit < USED_UNITS; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        for (int i = 0; i < 4; i++)
            glBindTexture(texture_targets[i], made->textures[i]);
        glBindSampler(unit, made->sampler);
    }
    glUseProgram(frame->program);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, frame->framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame->resolve);
    glBindRenderbuffer(GL_RENDERBUFFER, frame->resolve_color);
}

static void set_hostile_storage(void)
{
    static const GLenum names[] = {GL_UNPACK_ROW_LENGTH,   GL_UNPACK_SKIP_ROWS,   GL_UNPACK_SKIP_PIXELS,
                                   GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES, GL_PACK_ROW_LENGTH,
                                   GL_PACK_SKIP_ROWS,      GL_PACK_SKIP_PIXELS};
    for (int i = 0; i < 8; i++)
        glPixelStorei(names[i], 3 + i);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
    glPixelStorei(GL_PACK_ALIGNMENT, 2);
    glPixelStorei(GL_UNPACK_SWAP_BYTES, GL_TRUE);
    glPixelStorei(GL_UNPACK_LSB_FIRST, GL_TRUE);
    glPixelStorei(GL_PACK_SWAP_BYTES, GL_TRUE);
    glPixelStorei(GL_PACK_LSB_FIRST, GL_TRUE);
    if (GLAD_GL_MESA_pack_invert)
        glPixelStorei(GL_PACK_INVERT_MESA, GL_TRUE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_TRUE);
}

static void set_hostile_tests(void)
{
    glViewport(7, 5, 33, 21);
    glScissor(3, 4, 20, 10);
    glDepthFunc(GL_NEVER);
    glDepthMask(GL_FALSE);
    glDepthRange(0.5, 0.6);
    glClearDepth(0.25);
    glClearColor(0.1f, 0.2f, 0.3f, 0.4f);
    glClearStencil(0x33);
    glStencilFuncSeparate(GL_FRONT, GL_NEVER, 3, 0x0f);
    glStencilFuncSeparate(GL_BACK, GL_GREATER, 5, 0xf0);
    glStencilOpSeparate(GL_FRONT, GL_INVERT, GL_INCR, GL_DECR);
    glStencilOpSeparate(GL_BACK, GL_ZERO, GL_REPLACE, GL_INCR_WRAP);
    glStencilMaskSeparate(GL_FRONT, 0x11);
    glStencilMaskSeparate(GL_BACK, 0x22);
    glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
    glColorMaski(1, GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
}

static void set_hostile_drawing(void)
{
    static const float odd[4] = {0.9f, 0.8f, 0.7f, 0.6f};
    glDisable(GL_BLEND);
    glEnablei(GL_BLEND, 1);
    glBlendColor(0.3f, 0.4f, 0.5f, 0.6f);
    glBlendFuncSeparate(GL_DST_COLOR, GL_CONSTANT_ALPHA, GL_ZERO, GL_SRC_ALPHA_SATURATE);
    glBlendEquationSeparate(GL_MIN, GL_FUNC_REVERSE_SUBTRACT);
    glLogicOp(GL_XOR);
    glCullFace(GL_FRONT_AND_BACK);
    glFrontFace(GL_CCW);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    if (GLAD_GL_ARB_polygon_offset_clamp)
        glPolygonOffsetClamp(3.0f, 70.0f, 0.01f);
    else
        glPolygonOffset(3.0f, 70.0f);
    if (GLAD_GL_EXT_depth_bounds_test)
        glDepthBoundsEXT(0.0, 0.001);
    glHint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, GL_NICEST);
    glPrimitiveRestartIndex(0);
    glProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
    GLint flags = 0;
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    glLineWidth(flags & GL_CONTEXT_FLAG_FORWARD_COMPATIBLE_BIT ? 0.5f : 2.0f);
    glPointSize(9.0f);
    glPointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, 50.0f);
    glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
    glSampleCoverage(0.25f, GL_TRUE);
    glSampleMaski(0, 0x2);
    for (GLuint i = 0; i < 16; i++)
        glVertexAttrib4fv(i, odd);
    if (GLAD_GL_ARB_clip_control)
        glClipControl(GL_UPPER_LEFT, GL_ZERO_TO_ONE);
    if (GLAD_GL_ARB_sample_shading)
        glMinSampleShadingARB(1.0f);
}

/* Sets every state to another value than OpenGL's first, and to one with which nothing could be drawn. */
static void make_hostile(const host_frame *frame, hostile_objects *made)
{
    memset(made, 0, sizeof *made);
    make_objects(made);
    bind_objects(frame, made);
    set_hostile_storage();
    set_hostile_tests();
    set_hostile_drawing();
    for (int i = 0; i < SWITCHES; i++) {
        bool on_at_first = switches[i] == GL_DITHER || switches[i] == GL_MULTISAMPLE;
        bool on = !on_at_first && switches[i] != GL_DEPTH_TEST && switches[i] != GL_PROGRAM_POINT_SIZE;
        if (has_switch(switches[i]))
            (on ? glEnable : glDisable)(switches[i]);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Sets what reading pictures needs. */
static void end_hostile(mmd_gpu *gpu, const hostile_objects *made)
{
    mmd_gpu_reset_state(gpu);
    mmd_gpu_begin_read(gpu);
    mmd_gpu_begin_upload(gpu);
    glBindVertexArray(0);
    if (GLAD_GL_ARB_transform_feedback2) {
        glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
        glDeleteTransformFeedbacks(1, &made->feedback);
    }
    glDeleteVertexArrays(1, &made->array);
    glDeleteBuffers(1, &made->buffer);
    glDeleteTextures(4, made->textures);
    glDeleteSamplers(1, &made->sampler);
    for (GLuint unit = 0; unit < USED_UNITS; unit++)
        glBindSampler(unit, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* ------------------------------------------------------------------- reading */

/* Values that one call returns, and how many there are. */
typedef struct state_name {
    GLenum name;
    int count;
    const char *text;
} state_name;

#define STATE(name, count)                                                                                   \
    {                                                                                                        \
        name, count, #name                                                                                   \
    }
static const state_name states[] = {
    STATE(GL_CURRENT_PROGRAM, 1),
    STATE(GL_VERTEX_ARRAY_BINDING, 1),
    STATE(GL_ELEMENT_ARRAY_BUFFER_BINDING, 1),
    STATE(GL_ARRAY_BUFFER_BINDING, 1),
    STATE(GL_COPY_READ_BUFFER, 1),
    STATE(GL_COPY_WRITE_BUFFER, 1),
    STATE(GL_PIXEL_PACK_BUFFER_BINDING, 1),
    STATE(GL_PIXEL_UNPACK_BUFFER_BINDING, 1),
    STATE(GL_UNIFORM_BUFFER_BINDING, 1),
    STATE(GL_TEXTURE_BUFFER, 1),
    STATE(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 1),
    STATE(GL_DRAW_FRAMEBUFFER_BINDING, 1),
    STATE(GL_READ_FRAMEBUFFER_BINDING, 1),
    STATE(GL_RENDERBUFFER_BINDING, 1),
    STATE(GL_ACTIVE_TEXTURE, 1),
    STATE(GL_VIEWPORT, 4),
    STATE(GL_SCISSOR_BOX, 4),
    STATE(GL_DEPTH_FUNC, 1),
    STATE(GL_DEPTH_WRITEMASK, 1),
    STATE(GL_DEPTH_RANGE, 2),
    STATE(GL_DEPTH_CLEAR_VALUE, 1),
    STATE(GL_COLOR_CLEAR_VALUE, 4),
    STATE(GL_STENCIL_CLEAR_VALUE, 1),
    STATE(GL_STENCIL_FUNC, 1),
    STATE(GL_STENCIL_REF, 1),
    STATE(GL_STENCIL_VALUE_MASK, 1),
    STATE(GL_STENCIL_WRITEMASK, 1),
    STATE(GL_STENCIL_FAIL, 1),
    STATE(GL_STENCIL_PASS_DEPTH_FAIL, 1),
    STATE(GL_STENCIL_PASS_DEPTH_PASS, 1),
    STATE(GL_STENCIL_BACK_FUNC, 1),
    STATE(GL_STENCIL_BACK_REF, 1),
    STATE(GL_STENCIL_BACK_VALUE_MASK, 1),
    STATE(GL_STENCIL_BACK_WRITEMASK, 1),
    STATE(GL_STENCIL_BACK_FAIL, 1),
    STATE(GL_STENCIL_BACK_PASS_DEPTH_FAIL, 1),
    STATE(GL_STENCIL_BACK_PASS_DEPTH_PASS, 1),
    STATE(GL_BLEND_COLOR, 4),
    STATE(GL_BLEND_SRC_RGB, 1),
    STATE(GL_BLEND_DST_RGB, 1),
    STATE(GL_BLEND_SRC_ALPHA, 1),
    STATE(GL_BLEND_DST_ALPHA, 1),
    STATE(GL_BLEND_EQUATION_RGB, 1),
    STATE(GL_BLEND_EQUATION_ALPHA, 1),
    STATE(GL_LOGIC_OP_MODE, 1),
    STATE(GL_CULL_FACE_MODE, 1),
    STATE(GL_FRONT_FACE, 1),
    STATE(GL_POLYGON_MODE, 1),
    STATE(GL_POLYGON_OFFSET_FACTOR, 1),
    STATE(GL_POLYGON_OFFSET_UNITS, 1),
    STATE(GL_PRIMITIVE_RESTART_INDEX, 1),
    STATE(GL_PROVOKING_VERTEX, 1),
    STATE(GL_LINE_WIDTH, 1),
    STATE(GL_POINT_SIZE, 1),
    STATE(GL_POINT_FADE_THRESHOLD_SIZE, 1),
    STATE(GL_POINT_SPRITE_COORD_ORIGIN, 1),
    STATE(GL_SAMPLE_COVERAGE_VALUE, 1),
    STATE(GL_SAMPLE_COVERAGE_INVERT, 1),
    STATE(GL_UNPACK_ALIGNMENT, 1),
    STATE(GL_UNPACK_ROW_LENGTH, 1),
    STATE(GL_UNPACK_SKIP_ROWS, 1),
    STATE(GL_UNPACK_SKIP_PIXELS, 1),
    STATE(GL_UNPACK_IMAGE_HEIGHT, 1),
    STATE(GL_UNPACK_SKIP_IMAGES, 1),
    STATE(GL_UNPACK_SWAP_BYTES, 1),
    STATE(GL_UNPACK_LSB_FIRST, 1),
    STATE(GL_PACK_ALIGNMENT, 1),
    STATE(GL_PACK_ROW_LENGTH, 1),
    STATE(GL_PACK_SKIP_ROWS, 1),
    STATE(GL_PACK_SKIP_PIXELS, 1),
    STATE(GL_PACK_SWAP_BYTES, 1),
    STATE(GL_PACK_LSB_FIRST, 1),
    STATE(GL_CLAMP_READ_COLOR, 1),
    STATE(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, 1),
    STATE(GL_POLYGON_OFFSET_CLAMP, 1),
    STATE(GL_PACK_INVERT_MESA, 1),
    STATE(GL_CLIP_ORIGIN, 1),
    STATE(GL_CLIP_DEPTH_MODE, 1),
    STATE(GL_TRANSFORM_FEEDBACK_BINDING, 1),
};
enum { STATES = sizeof states / sizeof *states, VALUES_MAX = 512 };

static bool has_state(GLenum name)
{
    if (name == GL_CLIP_ORIGIN || name == GL_CLIP_DEPTH_MODE)
        return GLAD_GL_ARB_clip_control;
    if (name == GL_POLYGON_OFFSET_CLAMP)
        return GLAD_GL_ARB_polygon_offset_clamp;
    if (name == GL_PACK_INVERT_MESA)
        return GLAD_GL_MESA_pack_invert;
    return name != GL_TRANSFORM_FEEDBACK_BINDING || GLAD_GL_ARB_transform_feedback2;
}

/* All values, with a description of each. */
typedef struct snapshot {
    int count;
    double values[VALUES_MAX];
    char names[VALUES_MAX][64];
} snapshot;

static void add(snapshot *s, double value, const char *name, int index)
{
    assert_true(s->count < VALUES_MAX);
    snprintf(s->names[s->count], sizeof s->names[0], "%s %d", name, index);
    s->values[s->count++] = value;
}

static void add_units(snapshot *s)
{
    static const GLenum bindings[4] = {GL_TEXTURE_BINDING_2D, GL_TEXTURE_BINDING_BUFFER,
                                       GL_TEXTURE_BINDING_CUBE_MAP, GL_TEXTURE_BINDING_2D_ARRAY};
    GLint active, value;
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (int unit = 0; unit < USED_UNITS; unit++) {
        glActiveTexture(GL_TEXTURE0 + (GLuint)unit);
        for (int i = 0; i < 4; i++) {
            glGetIntegerv(bindings[i], &value);
            add(s, value, "texture of unit", 10 * unit + i);
        }
        glGetIntegerv(GL_SAMPLER_BINDING, &value);
        add(s, value, "sampler of unit", unit);
    }
    glActiveTexture((GLenum)active);
}

static void add_indexed(snapshot *s)
{
    static const GLenum names[2][3] = {
        {GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE},
        {GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER_START,
         GL_TRANSFORM_FEEDBACK_BUFFER_SIZE}};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            GLint64 value = 0;
            glGetInteger64i_v(names[i][k], 0, &value);
            add(s, (double)value, i ? "indexed feedback buffer" : "indexed uniform buffer", k);
        }
    for (GLuint i = 0; i < 8; i++) {
        GLboolean mask[4];
        glGetBooleani_v(GL_COLOR_WRITEMASK, i, mask);
        for (int k = 0; k < 4; k++)
            add(s, mask[k], "colour mask", (int)(10 * i) + k);
        add(s, glIsEnabledi(GL_BLEND, i), "blending", (int)i);
    }
}

static void read_state(snapshot *s)
{
    s->count = 0;
    for (int i = 0; i < STATES; i++) {
        GLdouble values[4] = {0};
        if (has_state(states[i].name))
            glGetDoublev(states[i].name, values);
        for (int k = 0; k < states[i].count; k++)
            add(s, values[k], states[i].text, k);
    }
    for (int i = 0; i < SWITCHES; i++)
        if (has_switch(switches[i]))
            add(s, glIsEnabled(switches[i]), "switch", (int)switches[i]);
    add_units(s);
    add_indexed(s);
    GLint sample_mask = 0;
    glGetIntegeri_v(GL_SAMPLE_MASK_VALUE, 0, &sample_mask);
    add(s, sample_mask, "sample mask", 0);
    for (int i = 1; i < 8; i++) {
        GLdouble value[4];
        glGetVertexAttribdv((GLuint)i, GL_CURRENT_VERTEX_ATTRIB, value);
        for (int k = 0; k < 4; k++)
            add(s, value[k], "attribute", 10 * i + k);
    }
    /* The state of objects that stay bound. */
    for (int i = 0; i < 8; i++) {
        GLint on = 0, divisor = 0;
        glGetVertexAttribiv((GLuint)i, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &on);
        glGetVertexAttribiv((GLuint)i, GL_VERTEX_ATTRIB_ARRAY_DIVISOR, &divisor);
        add(s, on + 10 * divisor, "attribute of the vertex array", i);
    }
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void assert_same_state(const snapshot *before, const snapshot *after)
{
    int different = 0;
    assert_int_equal(before->count, after->count);
    for (int i = 0; i < before->count; i++)
        if (before->values[i] != after->values[i]) {
            print_message("%s was %g and is %g\n", before->names[i], before->values[i], after->values[i]);
            different++;
        }
    print_message("%d values compared, %d differ\n", before->count, different);
    assert_int_equal(different, 0);
}

/* --------------------------------------------------------------------- tests */

/* The figure, a framebuffer, and the pictures of a host that leaves every state as OpenGL has it. */
typedef struct hostile_scene {
    figure_scene figure;
    host_frame frame;
    mmd_motion shadow;
    mmd_self_shadow_key key;
    mmd_view_options options;
    mmd_view_host host;
    uint8_t clean[4 * HOST_PIXELS], drawn[4 * HOST_PIXELS];
    snapshot before, after;
} hostile_scene;

static hostile_scene *open_hostile(GLsizei samples)
{
    hostile_scene *opened = calloc(1, sizeof *opened);
    assert_non_null(opened);
    test_scene *scene = &opened->figure.scene;
    open_figure(&opened->figure);
    opened->key = (mmd_self_shadow_key){.value = {2, 0.02f}};
    opened->shadow = (mmd_motion){.self_shadow_keys = &opened->key, .self_shadow_key_count = 1};
    ASSERT_OK(mmd_stage_add_scene_motion(scene->stage, &opened->shadow, error));
    mmd_stage_set_frame(scene->stage, 67.5);
    opened->options = mmd_default_view_options();
    opened->options.self_shadow = opened->options.ground_shadow = opened->options.grid = true;
    opened->options.ground_shadow_transparent = opened->options.show_bones = true;
    opened->options.show_wireframe = true;
    host_open(&opened->frame, &(host_kind){.samples = samples});
    opened->host = host_of_camera(&opened->frame, scene->stage);
    opened->host.clear_color = opened->host.clear_depth = opened->host.restore_state = true;
    ASSERT_OK(mmd_view_draw_into(scene->view, scene->stage, &opened->options, &opened->host, error));
    host_read(&opened->frame, opened->clean);
    return opened;
}

static void close_hostile(hostile_scene *opened)
{
    host_close(&opened->frame);
    close_figure(&opened->figure);
    free(opened);
}

static void a_hostile_host_gets_the_same_picture_and_its_state_back(void **state)
{
    (void)state;
    for (GLsizei samples = 0, most = 4; samples <= most; samples += 4) {
        hostile_scene *opened = open_hostile(samples);
        const test_scene *scene = &opened->figure.scene;
        if (!samples && !host_has_samples(scene->gpu))
            most = 0;
        hostile_objects objects;
        make_hostile(&opened->frame, &objects);
        /* Another frame, so that everything is uploaded and skinned again. */
        mmd_stage_set_frame(scene->stage, 10.0);
        ASSERT_OK(mmd_view_draw_into(scene->view, scene->stage, &opened->options, &opened->host, error));
        mmd_stage_set_frame(scene->stage, 67.5);
        read_state(&opened->before);
        ASSERT_OK(mmd_view_draw_into(scene->view, scene->stage, &opened->options, &opened->host, error));
        read_state(&opened->after);
        assert_same_state(&opened->before, &opened->after);
        end_hostile(scene->gpu, &objects);
        host_read(&opened->frame, opened->drawn);
        host_keep(samples ? "hostile-msaa" : "hostile", opened->drawn);
        host_difference found = host_compare(opened->clean, opened->drawn);
        print_message("%u pixels differ from those of a clean context\n", found.any);
        assert_memory_equal(opened->clean, opened->drawn, sizeof opened->clean);
        assert_int_equal(scene->log.warnings, 0);
        close_hostile(opened);
    }
}

/* Switches that are off whenever a material is drawn. What some of them do depends on the driver, as
 * dithering. */
static const GLenum never_on[] = {
    GL_COLOR_LOGIC_OP,
    GL_DEPTH_CLAMP,
    GL_DITHER,
    GL_FRAMEBUFFER_SRGB,
    GL_LINE_SMOOTH,
    GL_POLYGON_OFFSET_LINE,
    GL_POLYGON_OFFSET_POINT,
    GL_POLYGON_SMOOTH,
    GL_PRIMITIVE_RESTART,
    GL_RASTERIZER_DISCARD,
    GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_SAMPLE_ALPHA_TO_ONE,
    GL_SAMPLE_COVERAGE,
    GL_SAMPLE_MASK,
    GL_CLIP_DISTANCE0,
    GL_CLIP_DISTANCE7,
    GL_SAMPLE_SHADING_ARB,
    GL_PRIMITIVE_RESTART_FIXED_INDEX,
    GL_DEPTH_BOUNDS_TEST_EXT,
};

static uint32_t checked_draws;
static PFNGLDRAWRANGEELEMENTSPROC real_draw;

static void GLAD_API_PTR check_draw(GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                                    const void *indices)
{
    GLfloat range[2];
    GLint polygons[2];
    checked_draws++;
    for (size_t i = 0; i < sizeof never_on / sizeof *never_on; i++)
        if (has_switch(never_on[i]) && glIsEnabled(never_on[i]))
            fail_msg("the switch 0x%04x is on", never_on[i]);
    glGetFloatv(GL_DEPTH_RANGE, range);
    glGetIntegerv(GL_POLYGON_MODE, polygons);
    assert_true(range[0] == 0.0f && range[1] == 1.0f);
    assert_int_equal(polygons[0], GL_FILL);
    real_draw(mode, start, end, count, type, indices);
}

/* Also in the frames after the first one, and where nothing is given back. */
static void materials_are_drawn_in_the_same_state(void **state)
{
    (void)state;
    enum { FRAMES = 3 };
    hostile_scene *opened = open_hostile(0);
    const test_scene *scene = &opened->figure.scene;
    hostile_objects objects[FRAMES];
    opened->host.restore_state = false;
    checked_draws = 0;
    for (int i = 0; i < FRAMES; i++) {
        make_hostile(&opened->frame, &objects[i]);
        glEnable(GL_DITHER); /* as it is at first */
        real_draw = glad_glDrawRangeElements, glad_glDrawRangeElements = check_draw;
        ASSERT_OK(mmd_view_draw_into(scene->view, scene->stage, &opened->options, &opened->host, error));
        glad_glDrawRangeElements = real_draw;
    }
    assert_true(checked_draws > 10 * FRAMES);
    for (int i = 0; i < FRAMES; i++)
        end_hostile(scene->gpu, &objects[i]);
    host_read(&opened->frame, opened->drawn);
    assert_memory_equal(opened->clean, opened->drawn, sizeof opened->clean);
    close_hostile(opened);
}

static void models_are_uploaded_between_frames_of_a_hostile_host(void **state)
{
    (void)state;
    hostile_scene *opened = open_hostile(0);
    const test_scene *scene = &opened->figure.scene;
    hostile_objects objects;
    mmd_gpu_state saved;
    mmd_view *other;
    mmd_memory_file files[FIGURE_TEXTURES];
    for (int i = 0; i < FIGURE_TEXTURES; i++)
        files[i] = (mmd_memory_file){figure_texture_names[i], opened->figure.textures[i].data,
                                     opened->figure.textures[i].size};
    mmd_source *source = mmd_source_memory(files, FIGURE_TEXTURES);
    make_hostile(&opened->frame, &objects);
    read_state(&opened->before);
    mmd_gpu_save_state(scene->gpu, &saved);
    ASSERT_OK(mmd_view_create(scene->gpu, NULL, &other, error));
    mmd_gpu_restore_state(scene->gpu, &saved);
    mmd_gpu_save_state(scene->gpu, &saved);
    ASSERT_OK(mmd_view_add_model(other, scene->model, source, "", error));
    mmd_gpu_restore_state(scene->gpu, &saved);
    ASSERT_OK(mmd_view_draw_into(other, scene->stage, &opened->options, &opened->host, error));
    mmd_gpu_save_state(scene->gpu, &saved);
    mmd_view_destroy(other);
    mmd_gpu_restore_state(scene->gpu, &saved);
    read_state(&opened->after);
    assert_same_state(&opened->before, &opened->after);
    end_hostile(scene->gpu, &objects);
    host_read(&opened->frame, opened->drawn);
    assert_memory_equal(opened->clean, opened->drawn, sizeof opened->clean);
    mmd_source_destroy(source);
    close_hostile(opened);
}

static void pictures_and_ids_do_not_depend_on_a_hostile_host(void **state)
{
    (void)state;
    static uint32_t ids[2][HOST_PIXELS][3];
    static mmd_view_surface surfaces[2][HOST_PIXELS];
    hostile_scene *opened = open_hostile(0);
    const test_scene *scene = &opened->figure.scene;
    hostile_objects objects;
    mmd_image pictures[2] = {{0}, {0}};
    opened->options.samples = 4;
    for (int hostile = 0; hostile < 2; hostile++) {
        /* Every call comes from a hostile host, not from what the call before has left. */
        for (int call = 0; call < 2; call++) {
            if (hostile)
                make_hostile(&opened->frame, &objects);
            if (call)
                ASSERT_OK(mmd_view_surfaces_into(scene->view, scene->stage, &opened->options, &opened->host,
                                                 ids[hostile], surfaces[hostile], error));
            else
                ASSERT_OK(mmd_view_picture(scene->view, scene->stage, &opened->options, HOST_WIDTH,
                                           HOST_HEIGHT, &pictures[hostile], error));
            if (hostile)
                end_hostile(scene->gpu, &objects);
        }
    }
    assert_memory_equal(pictures[0].pixels, pictures[1].pixels, 4 * HOST_PIXELS);
    assert_memory_equal(ids[0], ids[1], sizeof ids[0]);
    assert_memory_equal(surfaces[0], surfaces[1], sizeof surfaces[0]);
    mmd_image_finish(&pictures[0]);
    mmd_image_finish(&pictures[1]);
    close_hostile(opened);
}

/* Forward-compatible contexts refuse lines wider than a pixel, which larger pictures of the grid want. */
static void larger_pictures_are_averaged_in_every_context(void **state)
{
    (void)state;
    hostile_scene *opened = open_hostile(0);
    const test_scene *scene = &opened->figure.scene;
    mmd_picture_sum sum = {0};
    mmd_image image = {0};
    ASSERT_OK(mmd_picture_sum_begin(&sum, HOST_WIDTH, HOST_HEIGHT, false, error));
    ASSERT_OK(mmd_view_picture_add(scene->view, scene->stage, &opened->options, 2, &sum, error));
    ASSERT_OK(mmd_picture_sum_image(&sum, true, &image, error));
    host_difference found = host_compare(image.pixels, opened->clean);
    print_message("%u pixels are smoother\n", found.any);
    assert_true(found.any > 500 && found.more < HOST_PIXELS / 4);
    mmd_picture_sum_finish(&sum);
    mmd_image_finish(&image);
    close_hostile(opened);
}

/* Functions that read from the driver, replaced by ones that count. */
static uint32_t reads;
static PFNGLGETINTEGERVPROC real_integer;
static PFNGLGETFLOATVPROC real_float;
static PFNGLISENABLEDPROC real_enabled;
static PFNGLGETUNIFORMLOCATIONPROC real_location;

static void GLAD_API_PTR count_integer(GLenum name, GLint *value)
{
    reads++;
    real_integer(name, value);
}

static void GLAD_API_PTR count_float(GLenum name, GLfloat *value)
{
    reads++;
    real_float(name, value);
}

static GLboolean GLAD_API_PTR count_enabled(GLenum name)
{
    reads++;
    return real_enabled(name);
}

static GLint GLAD_API_PTR count_location(GLuint program, const GLchar *name)
{
    reads++;
    return real_location(program, name);
}

static void nothing_is_read_unless_the_state_is_restored(void **state)
{
    (void)state;
    hostile_scene *opened = open_hostile(0);
    const test_scene *scene = &opened->figure.scene;
    opened->options.show_wireframe = false;
    real_integer = glad_glGetIntegerv, real_float = glad_glGetFloatv;
    real_enabled = glad_glIsEnabled, real_location = glad_glGetUniformLocation;
    glad_glGetIntegerv = count_integer, glad_glGetFloatv = count_float;
    glad_glIsEnabled = count_enabled, glad_glGetUniformLocation = count_location;
    for (int restore = 0; restore < 2; restore++) {
        reads = 0;
        opened->host.restore_state = restore;
        mmd_stage_set_frame(scene->stage, 20.0 + restore);
        ASSERT_OK(mmd_view_draw_into(scene->view, scene->stage, &opened->options, &opened->host, error));
        print_message("%u values read %s\n", reads, restore ? "to restore them" : "otherwise");
        assert_true(restore ? reads > 60 : reads == 0);
    }
    glad_glGetIntegerv = real_integer, glad_glGetFloatv = real_float;
    glad_glIsEnabled = real_enabled, glad_glGetUniformLocation = real_location;
    close_hostile(opened);
}

static void errors_of_the_host_are_not_taken_for_the_librarys(void **state)
{
    (void)state;
    hostile_scene *opened = open_hostile(0);
    test_scene *scene = &opened->figure.scene;
    glEnable(GL_VIEWPORT); /* no name of a switch */
    ASSERT_OK(mmd_view_draw_into(scene->view, scene->stage, &opened->options, &opened->host, error));
    assert_non_null(strstr(scene->log.last, "discarded"));
    assert_int_equal(glGetError(), GL_NO_ERROR);
    mmd_image image = {0};
    for (int way = 0; way < 4; way++) { /* all of which need a target of another size */
        const uint32_t side = 20 + (uint32_t)way;
        mmd_picture_sum sum = {0};
        uint32_t ids[24][24][3];
        scene->log.last[0] = '\0';
        glEnable(GL_VIEWPORT);
        if (way == 0) {
            ASSERT_OK(
                mmd_view_picture(scene->view, scene->stage, &opened->options, side, side, &image, error));
        } else if (way == 1) {
            ASSERT_OK(mmd_view_picture_begin(scene->view, scene->stage, &opened->options, side, side, error));
            ASSERT_OK(mmd_view_picture_take(scene->view, &image, error));
        } else if (way == 2) {
            ASSERT_OK(mmd_picture_sum_begin(&sum, side, side, false, error));
            ASSERT_OK(mmd_view_picture_add(scene->view, scene->stage, &opened->options, 1, &sum, error));
            mmd_picture_sum_finish(&sum);
        } else {
            ASSERT_OK(mmd_view_ids(scene->view, scene->stage, &opened->options, side, side, ids[0], error));
        }
        assert_non_null(strstr(scene->log.last, "discarded"));
    }
    mmd_image_finish(&image);
    close_hostile(opened);
}

static void depth_from_zero_needs_a_newer_context(void **state)
{
    (void)state;
    hostile_scene *opened = open_hostile(0);
    const test_scene *scene = &opened->figure.scene;
    int has = GLAD_GL_ARB_clip_control;
    mmd_error error = {0};
    opened->host.zero_to_one_depth = true;
    GLAD_GL_ARB_clip_control = 0;
    assert_int_equal(mmd_view_draw_into(scene->view, scene->stage, &opened->options, &opened->host, &error),
                     MMD_ERROR_UNSUPPORTED);
    GLAD_GL_ARB_clip_control = has;
    host_read(&opened->frame, opened->drawn);
    assert_memory_equal(opened->clean, opened->drawn, sizeof opened->clean);
    close_hostile(opened);
}

/* Requires that drawing is refused for a reason with these words, and that nothing was drawn. */
static void require_refused(hostile_scene *opened, const mmd_view_host *host, const char *words)
{
    const test_scene *scene = &opened->figure.scene;
    mmd_error error = {0};
    assert_int_equal(mmd_view_draw_into(scene->view, scene->stage, &opened->options, host, &error),
                     MMD_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, words));
    host_read(&opened->frame, opened->drawn);
    assert_memory_equal(opened->clean, opened->drawn, sizeof opened->clean);
}

static void requests_that_cannot_be_drawn_are_refused(void **state)
{
    (void)state;
    hostile_scene *opened = open_hostile(0);
    const mmd_view_host usual = opened->host;
    mmd_view_host host = usual;
    host.place.height = 0;
    require_refused(opened, &host, "rectangle");
    host = usual;
    host.world[5] *= 2;
    require_refused(opened, &host, "alike");
    host = usual;
    host.view[4] += 0.5f; /* sheared */
    require_refused(opened, &host, "alike");
    host = usual;
    host.projection[0] = NAN;
    require_refused(opened, &host, "finite");
    memset(host.world, 0, sizeof host.world);
    require_refused(opened, &host, "finite");
    close_hostile(opened);
}

static uint32_t messages;

static void GLAD_API_PTR own_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                     const GLchar *text, const void *user)
{
    (void)source, (void)type, (void)id, (void)severity, (void)length, (void)text, (void)user;
    messages++;
}

static void the_hosts_debug_callback_stays(void **state)
{
    (void)state;
    test_scene owner;
    mmd_gpu *gpu;
    void *callback = NULL;
    test_scene_open_gpu(&owner);
    glDebugMessageCallback(own_message, NULL);
    ASSERT_OK(mmd_gpu_create_current((mmd_gpu_loader)eglGetProcAddress, NULL, &gpu, error));
    glGetPointerv(GL_DEBUG_CALLBACK_FUNCTION, &callback);
    assert_true(callback == (void *)(uintptr_t)own_message);
    mmd_gpu_destroy(gpu);
    glDebugMessageCallback(NULL, NULL);
    ASSERT_OK(mmd_gpu_create_current((mmd_gpu_loader)eglGetProcAddress, NULL, &gpu, error));
    glDebugMessageCallback(own_message, NULL); /* later than the library's */
    mmd_gpu_destroy(gpu);
    messages = 0;
    glEnable(GL_DEBUG_OUTPUT);
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1, GL_DEBUG_SEVERITY_HIGH, -1,
                         "from the host");
    assert_int_equal(messages, 1);
    test_scene_close(&owner);
}

typedef struct kept_messages {
    char text[1024];
} kept_messages;

static void keep_message(void *user, mmd_log_level level, const char *text)
{
    (void)level;
    kept_messages *kept = user;
    const size_t used = strlen(kept->text);
    snprintf(kept->text + used, sizeof kept->text - used, "%s\n", text);
}

/* A message comes while the call that it is about runs, so that a debugger stops there. */
static void debug_messages_are_synchronous_and_without_groups(void **state)
{
    (void)state;
    kept_messages kept = {""};
    const mmd_log logs[2] = {{.write = keep_message, .user = &kept, .level = MMD_LOG_INFO},
                             {.write = keep_message, .user = &kept, .level = MMD_LOG_DEBUG}};
    for (int debug = 0; debug < 2; debug++) {
        mmd_gpu *gpu;
        GLint flags = 0;
        ASSERT_OK(mmd_gpu_create_headless(&logs[debug], &gpu, error));
        glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
        assert_int_equal(!(flags & GL_CONTEXT_FLAG_DEBUG_BIT), !debug);
        assert_int_equal(glIsEnabled(GL_DEBUG_OUTPUT_SYNCHRONOUS), debug);
        kept.text[0] = '\0';
        mmd_gpu_push_group(gpu, "a pass");
        glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1,
                             GL_DEBUG_SEVERITY_NOTIFICATION, -1, "a mark");
        mmd_gpu_pop_group(gpu);
        assert_string_equal(kept.text, "");
        glEnable(GL_VIEWPORT); /* no name of a switch */
        if (debug)
            assert_non_null(strstr(kept.text, "OpenGL: "));
        mmd_gpu_destroy(gpu);
    }
}

/* The first drawing makes the view, also where there is no model yet. */
static void an_empty_scene_gives_the_state_back(void **state)
{
    (void)state;
    test_scene owner;
    mmd_scene *scene;
    GLint program, unit;
    mmd_view_host host = mmd_default_view_host();
    test_scene_open_gpu(&owner);
    ASSERT_OK(mmd_scene_create(NULL, &scene, error));
    ASSERT_OK(mmd_scene_use_context(scene, (mmd_gpu_loader)eglGetProcAddress, error));
    assert_int_equal(mmd_scene_draw_into(scene, NULL, &host, NULL), MMD_ERROR_ARGUMENT); /* no rectangle */
    host.place = (mmd_view_place){.width = 16, .height = 16};
    host.restore_state = true;
    glUseProgram(0);
    glActiveTexture(GL_TEXTURE5);
    ASSERT_OK(mmd_scene_draw_into(scene, NULL, &host, error));
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &unit);
    assert_int_equal(program, 0);
    assert_int_equal(unit, GL_TEXTURE5);
    mmd_scene_destroy(scene);
    test_scene_close(&owner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hostile_host_gets_the_same_picture_and_its_state_back),
        cmocka_unit_test(materials_are_drawn_in_the_same_state),
        cmocka_unit_test(models_are_uploaded_between_frames_of_a_hostile_host),
        cmocka_unit_test(pictures_and_ids_do_not_depend_on_a_hostile_host),
        cmocka_unit_test(larger_pictures_are_averaged_in_every_context),
        cmocka_unit_test(nothing_is_read_unless_the_state_is_restored),
        cmocka_unit_test(errors_of_the_host_are_not_taken_for_the_librarys),
        cmocka_unit_test(depth_from_zero_needs_a_newer_context),
        cmocka_unit_test(requests_that_cannot_be_drawn_are_refused),
        cmocka_unit_test(the_hosts_debug_callback_stays),
        cmocka_unit_test(debug_messages_are_synchronous_and_without_groups),
        cmocka_unit_test(an_empty_scene_gives_the_state_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
