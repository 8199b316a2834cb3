/*
 * Tests what the library asks of the driver: no state is set to what it is, errors are asked for once in a
 * frame, and state that is taken for known is what the driver has.
 */
#include <glad/gl.h>

#include "figure_scene.h"
#include "host_scene.h"
#include "mmd/gpu_objects.h"

/* Calls since the last count_calls, and values that they have set. */
static struct {
    uint32_t calls, repeated, errors;
    uint32_t count;
    struct {
        uint64_t key, value;
    } set[256];
} seen;

/* Counts a call that sets a value of a state. */
static void note(uint64_t state, uint64_t key, uint64_t value)
{
    const uint64_t whole = state << 48 | key;
    seen.calls++;
    for (uint32_t i = 0; i < seen.count; i++) {
        if (seen.set[i].key != whole)
            continue;
        if (seen.set[i].value == value)
            seen.repeated++;
        seen.set[i].value = value;
        return;
    }
    assert_true(seen.count < sizeof seen.set / sizeof *seen.set);
    seen.set[seen.count].key = whole;
    seen.set[seen.count++].value = value;
}

static GLenum unit;

/* Defines a function that takes the place of the driver's, notes the call and passes it on. */
#define COUNTED(name, parameters, arguments, key, value)                                                     \
    static __typeof__(glad_##name) real_##name;                                                              \
    static void GLAD_API_PTR counted_##name parameters                                                       \
    {                                                                                                        \
        note(__LINE__, key, value);                                                                          \
        real_##name arguments;                                                                               \
    }

COUNTED(glUseProgram, (GLuint program), (program), 0, program)
COUNTED(glBindVertexArray, (GLuint array), (array), 0, array)
COUNTED(glBindTexture, (GLenum target, GLuint texture), (target, texture), (uint64_t)unit << 16 | target,
        texture)
COUNTED(glBindSampler, (GLuint at, GLuint sampler), (at, sampler), at, sampler)
COUNTED(glBlendFuncSeparate, (GLenum a, GLenum b, GLenum c, GLenum d), (a, b, c, d), 0,
        (uint64_t)a << 48 | (uint64_t)b << 32 | (uint64_t)c << 16 | d)
COUNTED(glDepthFunc, (GLenum function), (function), 0, function)
COUNTED(glDepthMask, (GLboolean on), (on), 0, on)
COUNTED(glCullFace, (GLenum face), (face), 0, face)
COUNTED(glFrontFace, (GLenum order), (order), 0, order)
COUNTED(glPixelStorei, (GLenum name, GLint value), (name, value), name, (uint64_t)value)
COUNTED(glActiveTexture, (GLenum name), (name), 0, unit = name)

/* Both note the state of the same switch. */
enum { SWITCH = 1 };
static PFNGLENABLEPROC real_enable;
static PFNGLDISABLEPROC real_disable;
static PFNGLGETERRORPROC real_error;

static void GLAD_API_PTR counted_enable(GLenum name)
{
    note(SWITCH, name, 1);
    real_enable(name);
}

static void GLAD_API_PTR counted_disable(GLenum name)
{
    note(SWITCH, name, 0);
    real_disable(name);
}

static GLenum GLAD_API_PTR counted_error(void)
{
    seen.errors++;
    return real_error();
}

#define EACH(DO)                                                                                             \
    DO(glUseProgram)                                                                                         \
    DO(glBindVertexArray)                                                                                    \
    DO(glBindTexture)                                                                                        \
    DO(glBindSampler)                                                                                        \
    DO(glBlendFuncSeparate)                                                                                  \
    DO(glDepthFunc) DO(glDepthMask) DO(glCullFace) DO(glFrontFace) DO(glPixelStorei) DO(glActiveTexture)
#define REPLACE(name)  real_##name = glad_##name, glad_##name = counted_##name;
#define PUT_BACK(name) glad_##name = real_##name;

static void begin_counting(void)
{
    memset(&seen, 0, sizeof seen);
    unit = 0;
    real_enable = glad_glEnable, glad_glEnable = counted_enable;
    real_disable = glad_glDisable, glad_glDisable = counted_disable;
    real_error = glad_glGetError, glad_glGetError = counted_error;
    EACH(REPLACE)
}

static void end_counting(void)
{
    glad_glEnable = real_enable, glad_glDisable = real_disable, glad_glGetError = real_error;
    EACH(PUT_BACK)
}

/* Forgets the numbers of calls, but not what they have set. */
static void count_calls(void)
{
    seen.calls = seen.repeated = seen.errors = 0;
}

enum { WIDTH = 160, HEIGHT = 120 };

static void draw(figure_scene *figure, const mmd_view_options *options, double frame, mmd_image *image)
{
    mmd_stage_set_frame(figure->scene.stage, frame);
    ASSERT_OK(
        mmd_view_picture(figure->scene.view, figure->scene.stage, options, WIDTH, HEIGHT, image, error));
}

static void pictures_set_nothing_twice(void **state)
{
    (void)state;
    figure_scene figure;
    mmd_image image = {0};
    mmd_view_options options = mmd_default_view_options();
    options.grid = options.ground_shadow = options.self_shadow = true;
    open_figure(&figure);
    mmd_gpu_set_exclusive(figure.scene.gpu);
    begin_counting();
    draw(&figure, &options, 0.0, &image);
    for (int frame = 1; frame <= 3; frame++) {
        count_calls();
        draw(&figure, &options, 5.0 * frame, &image);
        print_message("%u calls, %u of them repeat what is set, %u ask for errors\n", seen.calls,
                      seen.repeated, seen.errors);
        assert_true(seen.calls > 20);
        assert_int_equal(seen.repeated, 0);
        assert_true(seen.errors <= 2); /* after drawing and after reading */
    }
    end_counting();
    mmd_image_finish(&image);
    close_figure(&figure);
}

/* In a context of others, state is set anew in each frame, but not more than that. */
static void frames_of_a_host_set_state_once(void **state)
{
    (void)state;
    figure_scene figure;
    host_frame frame;
    mmd_view_options options = mmd_default_view_options();
    open_figure(&figure);
    host_open(&frame, &(host_kind){0});
    begin_counting();
    for (int i = 0; i < 3; i++) {
        count_calls();
        mmd_stage_set_frame(figure.scene.stage, 5.0 * i);
        ASSERT_OK(mmd_view_draw(figure.scene.view, figure.scene.stage, &options, frame.framebuffer,
                                HOST_WIDTH, HOST_HEIGHT, error));
        print_message("%u calls, %u of them repeat what is set, %u ask for errors\n", seen.calls,
                      seen.repeated, seen.errors);
    }
    assert_true(seen.repeated <= 60); /* states and pixel storage, once */
    assert_int_equal(seen.errors, 2); /* the host's, and those of the frame */
    end_counting();
    host_close(&frame);
    close_figure(&figure);
}

/* OpenGL unbinds what is deleted, and may give its name to another object. */
static void bindings_are_forgotten_where_an_object_is_deleted(void **state)
{
    (void)state;
    test_scene scene;
    uint32_t names[2];
    const uint8_t pixel[4] = {255, 255, 255, 255};
    const mmd_gpu_texture_desc desc = {
        .width = 1, .height = 1, .format = MMD_GPU_RGBA8, .data = pixel, .label = "a pixel"};
    test_scene_open_gpu(&scene);
    mmd_gpu_set_exclusive(scene.gpu);
    for (int i = 0; i < 2; i++)
        ASSERT_OK(mmd_gpu_texture_create(scene.gpu, &desc, &names[i], error));
    mmd_gpu_bind_texture(scene.gpu, 3, names[0], 0);
    begin_counting();
    mmd_gpu_bind_texture(scene.gpu, 3, names[0], 0);
    assert_int_equal(seen.calls, 0);
    mmd_gpu_texture_destroy(scene.gpu, names[1]);
    mmd_gpu_bind_texture(scene.gpu, 3, names[0], 0);
    assert_int_equal(seen.calls, 2); /* texture and sampler */
    end_counting();
    mmd_gpu_texture_destroy(scene.gpu, names[0]);
    test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_set_nothing_twice),
        cmocka_unit_test(frames_of_a_host_set_state_once),
        cmocka_unit_test(bindings_are_forgotten_where_an_object_is_deleted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
