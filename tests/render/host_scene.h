/*
 * A host program for tests: a framebuffer, a lit cube, and matrices of its own. host_open makes the
 * framebuffer, host_cube draws the cube into it, host_read reads it. ODORI_KEEP_PICTURES=FOLDER keeps what
 * host_keep is given, for looking at.
 */
#ifndef ODORI_HOST_SCENE_H
#define ODORI_HOST_SCENE_H

#include <glad/gl.h>

#include "figure_scene.h"

enum { HOST_WIDTH = 320, HOST_HEIGHT = 240, HOST_PIXELS = HOST_WIDTH * HOST_HEIGHT };

/* Properties of a host's framebuffer. Zeroed: RGBA8, depth 24, stencil 8, one sample. */
typedef struct host_kind {
    GLenum color;       /* 0: GL_RGBA8 */
    bool float_depth;   /* GL_DEPTH32F_STENCIL8 */
    GLsizei samples;    /* 0: no multisampling */
    bool second_buffer; /* a second colour attachment that is drawn to */
} host_kind;

typedef struct host_frame {
    host_kind kind;
    GLuint framebuffer, color, depth, second, resolve, resolve_color;
    GLuint program, array, buffer;
} host_frame;

/* Returns whether a host can have four samples per pixel, which OpenGL 3.3 guarantees but softpipe has not.
 * Reports that they are skipped if not. */
static inline bool host_has_samples(const mmd_gpu *gpu)
{
    const bool has = mmd_gpu_get_info(gpu)->max_samples >= 4;
    if (!has)
        test_skip_part("this driver draws one sample per pixel");
    return has;
}

static inline GLuint host_renderbuffer(GLenum format, GLsizei samples, GLenum attachment)
{
    GLuint name;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, HOST_WIDTH, HOST_HEIGHT);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, name);
    return name;
}

static inline GLuint host_compile(GLenum kind, const char *text)
{
    GLuint shader = glCreateShader(kind);
    GLint done = 0;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    assert_true(done);
    return shader;
}

/* Makes the program and the 36 corners of the cube. */
static inline void host_make_cube(host_frame *host)
{
    static const char vertex[] = "#version 330 core\n"
                                 "layout(location = 0) in vec3 place;\n"
                                 "layout(location = 1) in vec3 normal;\n"
                                 "uniform mat4 clip;\n"
                                 "uniform vec4 cube;\n"
                                 "out float light;\n"
                                 "void main() {\n"
                                 "    gl_Position = clip * vec4(cube.xyz + cube.w * place, 1.0);\n"
                                 "    light = 0.6 + 0.4 * dot(normal, normalize(vec3(1.0, 3.0, 2.0)));\n"
                                 "}\n";
    static const char fragment[] = "#version 330 core\n"
                                   "in float light;\n"
                                   "layout(location = 0) out vec4 color;\n"
                                   "void main() { color = vec4(0.2 * light, 0.5 * light, light, 1.0); }\n";
    static const float corner[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
    float vertices[36][6] = {{0}};
    for (int side = 0; side < 6; side++)
        for (int i = 0; i < 6; i++) {
            float *to = vertices[6 * side + i];
            int axis = side / 2;
            to[axis] = to[3 + axis] = side % 2 ? 1.0f : -1.0f;
            to[(axis + 1) % 3] = corner[i][0];
            to[(axis + 2) % 3] = corner[i][1];
        }
    GLuint shaders[2] = {host_compile(GL_VERTEX_SHADER, vertex), host_compile(GL_FRAGMENT_SHADER, fragment)};
    host->program = glCreateProgram();
    for (int i = 0; i < 2; i++) {
        glAttachShader(host->program, shaders[i]);
        glDeleteShader(shaders[i]);
    }
    glLinkProgram(host->program);
    glGenVertexArrays(1, &host->array);
    glBindVertexArray(host->array);
    glGenBuffers(1, &host->buffer);
    glBindBuffer(GL_ARRAY_BUFFER, host->buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof vertices, vertices, GL_STATIC_DRAW);
    for (GLuint i = 0; i < 2; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, 24, (const void *)(uintptr_t)(12 * i));
    }
    glBindVertexArray(0);
}

static inline void host_open(host_frame *host, const host_kind *kind)
{
    const GLenum color = kind->color ? kind->color : GL_RGBA8;
    const GLenum both[2] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    memset(host, 0, sizeof *host);
    host->kind = *kind;
    glGenFramebuffers(1, &host->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, host->framebuffer);
    host->color = host_renderbuffer(color, kind->samples, GL_COLOR_ATTACHMENT0);
    host->depth = host_renderbuffer(kind->float_depth ? GL_DEPTH32F_STENCIL8 : GL_DEPTH24_STENCIL8,
                                    kind->samples, GL_DEPTH_STENCIL_ATTACHMENT);
    if (kind->second_buffer) {
        host->second = host_renderbuffer(color, kind->samples, GL_COLOR_ATTACHMENT1);
        glDrawBuffers(2, both);
    }
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glGenFramebuffers(1, &host->resolve);
    glBindFramebuffer(GL_FRAMEBUFFER, host->resolve);
    host->resolve_color = host_renderbuffer(color, 0, GL_COLOR_ATTACHMENT0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    host_make_cube(host);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static inline void host_close(host_frame *host)
{
    const GLuint framebuffers[2] = {host->framebuffer, host->resolve};
    const GLuint renderbuffers[4] = {host->color, host->depth, host->second, host->resolve_color};
    glDeleteFramebuffers(2, framebuffers);
    glDeleteRenderbuffers(4, renderbuffers);
    glDeleteProgram(host->program);
    glDeleteVertexArrays(1, &host->array);
    glDeleteBuffers(1, &host->buffer);
}

/* Sets the state that the host draws with. */
static inline void host_begin(const host_frame *host)
{
    glBindFramebuffer(GL_FRAMEBUFFER, host->framebuffer);
    glViewport(0, 0, HOST_WIDTH, HOST_HEIGHT);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glStencilMask(0xff);
}

/* Clears colour, depth (far) and stencil (0x55). */
static inline void host_clear(const host_frame *host, const float rgba[4], bool reversed)
{
    host_begin(host);
    glClearColor(rgba[0], rgba[1], rgba[2], rgba[3]);
    glClearDepth(reversed ? 0.0 : 1.0);
    glClearStencil(0x55);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static const float host_red[4] = {1.0f, 0.0f, 0.0f, 1.0f};

static inline void host_multiply(const float a[16], const float b[16], float out[16])
{
    float made[16];
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += (double)a[4 * k + row] * (double)b[4 * column + k];
            made[4 * column + row] = (float)sum;
        }
    memcpy(out, made, sizeof made);
}

/* Draws a cube at a place in the host's world, with half its side in cube[3], by the matrices of `as`. */
static inline void host_cube(const host_frame *host, const mmd_view_host *as, const float cube[4])
{
    float clip[16];
    host_begin(host);
    host_multiply(as->projection, as->view, clip);
    if (GLAD_GL_ARB_clip_control)
        glClipControl(GL_LOWER_LEFT, as->zero_to_one_depth ? GL_ZERO_TO_ONE : GL_NEGATIVE_ONE_TO_ONE);
    glDepthRange((double)as->depth_range[0], (double)as->depth_range[1]);
    glDepthFunc(as->reversed_depth ? GL_GREATER : GL_LESS);
    glUseProgram(host->program);
    glUniformMatrix4fv(glGetUniformLocation(host->program, "clip"), 1, GL_FALSE, clip);
    glUniform4fv(glGetUniformLocation(host->program, "cube"), 1, cube);
    glBindVertexArray(host->array);
    glDrawArrays(GL_TRIANGLES, 0, 36);
    glBindVertexArray(0);
    if (GLAD_GL_ARB_clip_control)
        glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    glDepthRange(0.0, 1.0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Reads colours, resolved to one sample; the row at the top first. */
static inline void host_read(const host_frame *host, uint8_t *rgba)
{
    uint8_t *row = malloc(4 * HOST_WIDTH);
    assert_non_null(row);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, host->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, host->resolve);
    glBlitFramebuffer(0, 0, HOST_WIDTH, HOST_HEIGHT, 0, 0, HOST_WIDTH, HOST_HEIGHT, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, host->resolve);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, HOST_WIDTH, HOST_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    for (int y = 0; y < HOST_HEIGHT / 2; y++) {
        uint8_t *top = rgba + (size_t)4 * HOST_WIDTH * y;
        uint8_t *bottom = rgba + (size_t)4 * HOST_WIDTH * (HOST_HEIGHT - 1 - y);
        memcpy(row, top, 4 * HOST_WIDTH);
        memcpy(top, bottom, 4 * HOST_WIDTH);
        memcpy(bottom, row, 4 * HOST_WIDTH);
    }
    free(row);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Reads depth or stencil of a framebuffer without multisampling; the row at the bottom first. */
static inline void host_read_depth(const host_frame *host, float *depth)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, host->framebuffer);
    glReadPixels(0, 0, HOST_WIDTH, HOST_HEIGHT, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
}

static inline void host_read_stencil(const host_frame *host, uint8_t *stencil)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, host->framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, HOST_WIDTH, HOST_HEIGHT, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, stencil);
}

/* Writes a picture to the folder that the environment names, if it does. */
static inline void host_keep(const char *name, const uint8_t *rgba)
{
    const char *folder = getenv("ODORI_KEEP_PICTURES");
    char path[1024];
    if (!folder)
        return;
    mmd_buffer png = {0};
    mmd_image image = {.width = HOST_WIDTH, .height = HOST_HEIGHT, .pixels = (uint8_t *)(uintptr_t)rgba};
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    ASSERT_OK(mmd_png_write(&image, &(mmd_png_options){0}, &png, error));
    ASSERT_OK(mmd_file_write(path, png.data, png.size, error));
    mmd_buffer_finish(&png);
}

/* How two pictures differ: pixels that do at all, those by more than 2 levels, and the largest difference. */
typedef struct host_difference {
    uint32_t any, more, largest;
} host_difference;

static inline host_difference host_compare(const uint8_t *a, const uint8_t *b)
{
    host_difference found = {0};
    for (int i = 0; i < HOST_PIXELS; i++) {
        uint32_t largest = 0;
        for (int k = 0; k < 3; k++) {
            uint32_t by = (uint32_t)abs(a[4 * i + k] - b[4 * i + k]);
            largest = by > largest ? by : largest;
        }
        found.any += largest > 0;
        found.more += largest > 2;
        found.largest = largest > found.largest ? largest : found.largest;
    }
    return found;
}

/* Returns a host with the framebuffer, and the stage's camera as matrices of OpenGL: right-handed, looking
 * along -Z, in a world in which z is mirrored. */
static inline mmd_view_host host_of_camera(const host_frame *frame, const mmd_stage *stage)
{
    mmd_view_host host = mmd_default_view_host();
    float eye[3];
    host.place =
        (mmd_view_place){.framebuffer = frame->framebuffer, .width = HOST_WIDTH, .height = HOST_HEIGHT};
    mmd_camera_matrices(mmd_stage_camera(stage), (float)HOST_WIDTH / (float)HOST_HEIGHT, host.view,
                        host.projection, eye);
    for (int i = 0; i < 4; i++) {
        host.view[8 + i] = -host.view[8 + i];
        host.projection[8 + i] = -host.projection[8 + i];
    }
    for (int i = 2; i < 16; i += 4)
        host.view[i] = -host.view[i];
    return host;
}

/* Makes a world of which 1 unit is `scale` times one of MMD's: its matrices and its clipping planes. */
static inline void host_set_scale(mmd_view_host *host, float scale)
{
    for (int i = 0; i < 16; i++)
        host->world[i] *= i < 12 ? scale : 1.0f;
    for (int i = 12; i < 15; i++)
        host->view[i] *= scale;
    host->projection[14] *= scale;
}

/* Gives a projection with perspective an infinite far plane, and depth that falls from 1 to 0. */
static inline void host_set_reversed(mmd_view_host *host, float near)
{
    host->projection[10] = 0.0f;
    host->projection[14] = near;
    host->zero_to_one_depth = host->reversed_depth = true;
}

#endif
