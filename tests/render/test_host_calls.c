/*
 * Tests what the library asks of the driver: no state is set to what it is, errors are asked for once in a
 * frame, and state that is taken for known is what the driver has.
 */
#include <glad/gl.h>

#include "figure_scene.h"
#include "host_scene.h"
#include "mmd/gpu_objects.h"
#include "squares.h"

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

static void draw_figure(figure_scene *figure, const mmd_view_options *options, double frame, mmd_image *image)
{
    mmd_stage_set_frame(figure->scene.stage, frame);
    ASSERT_OK(
        mmd_view_picture(figure->scene.view, figure->scene.stage, options, WIDTH, HEIGHT, image, error));
}

/* Checks what one picture has asked of the driver. */
static void check_calls(void)
{
    print_message("%u calls, %u of them repeat what is set, %u ask for errors\n", seen.calls, seen.repeated,
                  seen.errors);
    assert_true(seen.calls > 20);
    assert_int_equal(seen.repeated, 0);
    assert_true(seen.errors <= 2); /* after drawing and after reading */
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
    draw_figure(&figure, &options, 0.0, &image);
    for (int frame = 1; frame <= 3; frame++) {
        count_calls();
        draw_figure(&figure, &options, 5.0 * frame, &image);
        check_calls();
    }
    /* The same where a picture is read while the next one is drawn. */
    for (int frame = 4; frame <= 7; frame++) {
        count_calls();
        mmd_stage_set_frame(figure.scene.stage, 5.0 * frame);
        ASSERT_OK(
            mmd_view_picture_begin(figure.scene.view, figure.scene.stage, &options, WIDTH, HEIGHT, error));
        if (frame == 4)
            continue;
        ASSERT_OK(mmd_view_picture_take(figure.scene.view, &image, error));
        check_calls();
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

/* Links, and whether something was asked of a shader or program, since begin_counting_links. */
static uint32_t links, links_after_question;
static bool asked;
static PFNGLLINKPROGRAMPROC real_link;
static PFNGLGETPROGRAMIVPROC real_program;
static PFNGLGETUNIFORMLOCATIONPROC real_location;

static void GLAD_API_PTR counted_link(GLuint program)
{
    links++;
    links_after_question += asked;
    real_link(program);
}

static void GLAD_API_PTR noted_program(GLuint program, GLenum name, GLint *value)
{
    asked = true;
    real_program(program, name, value);
}

static GLint GLAD_API_PTR noted_location(GLuint program, const GLchar *name)
{
    asked = true;
    return real_location(program, name);
}

static void begin_counting_links(void)
{
    links = links_after_question = 0;
    asked = false;
    real_link = glad_glLinkProgram, glad_glLinkProgram = counted_link;
    real_program = glad_glGetProgramiv, glad_glGetProgramiv = noted_program;
    real_location = glad_glGetUniformLocation, glad_glGetUniformLocation = noted_location;
}

static void end_counting_links(void)
{
    glad_glLinkProgram = real_link;
    glad_glGetProgramiv = real_program;
    glad_glGetUniformLocation = real_location;
}

/*
 * Self shadow comes and goes, the light goes out, and morphs tint a material, let it fade, appear, and take
 * its highlight.
 */
static void no_program_is_linked_in_the_midst_of_a_dance(void **state)
{
    (void)state;
    static const uint8_t half[16] = {255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 20, 9, 9, 9, 255};
    const float dark[3] = {0.0f, 0.0f, 0.0f};
    mmd_model *model = squares(2, 1, 4);
    mmd_material_offset offsets[4] = {{.operation = 1}, {.operation = 1}, {.operation = 1}, {.operation = 1}};
    mmd_buffer png = {0};
    mmd_memory_file file = small_png("half.png", half, &png);
    mmd_self_shadow_key keys[3] = {{.frame = 0}, {.frame = 6, .value = {1, 0.02f}}, {.frame = 12}};
    mmd_motion shadow = {.self_shadow_keys = keys, .self_shadow_key_count = 3};
    mmd_view_options options = mmd_default_view_options();
    mmd_image image = {0};
    test_scene scene;
    model->textures[0] = "half.png";
    for (uint32_t m = 0; m < 2; m++) {
        model->materials[m].texture = 0;
        model->materials[m].flags = MMD_MATERIAL_RECEIVES_SHADOW | MMD_MATERIAL_CASTS_SHADOW |
                                    MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_EDGE;
        set_color(&model->materials[m], 1.0f, 1.0f, 1.0f, m ? 0.0f : 1.0f);
    }
    offsets[0].material = -1; /* of all */
    offsets[0].values.texture_factor[0] = 0.2f;
    offsets[1].values.diffuse[3] = -0.99f;
    offsets[2].values.diffuse[3] = 0.7f, offsets[2].material = 1;
    offsets[3].values.specular[1] = 0.5f, offsets[3].values.specular_power = 10.0f;
    for (uint32_t m = 0; m < 4; m++) {
        model->morphs[m].kind = MMD_MORPH_MATERIAL;
        model->morphs[m].count = 1;
        model->morphs[m].offsets.material = &offsets[m];
    }
    options.self_shadow = options.ground_shadow = options.grid = true;
    test_scene_open_made(&scene, model, &file, 1);
    ASSERT_OK(mmd_stage_add_scene_motion(scene.stage, &shadow, error));
    ASSERT_OK(mmd_view_picture(scene.view, scene.stage, &options, SIZE, SIZE, &image, error));
    begin_counting_links();
    for (int frame = 1; frame < 32; frame++) {
        mmd_stage_set_frame(scene.stage, frame);
        for (uint32_t m = 0; m < 4; m++)
            mmd_actor_set_morph(scene.actor, m, frame >> m & 1 ? 1.0f : 0.0f);
        if (frame == 24)
            mmd_stage_set_light_color(scene.stage, dark);
        ASSERT_OK(mmd_view_picture(scene.view, scene.stage, &options, SIZE, SIZE, &image, error));
    }
    assert_int_equal(links, 0);
    /* Links are counted: the first picture in another way needs some, all of which begin before any is
     * awaited. */
    asked = false;
    options.shading = MMD_SHADING_SMOOTH;
    ASSERT_OK(mmd_view_picture(scene.view, scene.stage, &options, SIZE, SIZE, &image, error));
    print_message("%u programs for smooth shading\n", links);
    assert_true(links > 1);
    assert_int_equal(links_after_question, 0);
    end_counting_links();
    mmd_image_finish(&image);
    test_scene_close(&scene);
    mmd_buffer_finish(&png);
    made_destroy(model);
}

/* The type of the indices that were drawn last, and how often other formats were read than all drivers give.
 */
static GLenum index_type;
static uint32_t other_formats;
static PFNGLDRAWRANGEELEMENTSPROC real_draw;
static PFNGLREADPIXELSPROC real_pixels;

static void GLAD_API_PTR noted_draw(GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type,
                                    const void *indices)
{
    index_type = type;
    real_draw(mode, start, end, count, type, indices);
}

static void GLAD_API_PTR noted_pixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                                      GLenum type, void *pixels)
{
    other_formats += format != GL_RGBA && format != GL_RGBA_INTEGER;
    real_pixels(x, y, width, height, format, type, pixels);
}

/* Index 65,535 restarts primitives with some drivers, so it is none of 16 bits. */
static void models_of_65536_vertices_have_larger_indices(void **state)
{
    (void)state;
    static uint32_t ids[SIZE * SIZE][3];
    const mmd_view_options options = mmd_default_view_options();
    for (uint32_t count = 65535; count <= 65536; count++) {
        mmd_model *model =
            made_model(&(made_sizes){.vertices = count, .indices = 6, .bones = 1, .materials = 1});
        test_scene scene;
        mmd_image image = {0};
        made_square(model, count - 4, 0, -4.0f, 6.0f, 0.0f, 8.0f);
        model->materials[0].index_count = 6;
        made_finish(model);
        test_scene_open_made(&scene, model, NULL, 0);
        real_draw = glad_glDrawRangeElements, glad_glDrawRangeElements = noted_draw;
        real_pixels = glad_glReadPixels, glad_glReadPixels = noted_pixels;
        draw(&scene, &options, &image);
        assert_int_equal(index_type, count == 65535 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT);
        ASSERT_OK(mmd_view_ids(scene.view, scene.stage, &options, SIZE, SIZE, ids, error));
        assert_int_equal(other_formats, 0);
        assert_int_equal(ids[SIZE * SIZE / 2 + SIZE / 2][1], 0); /* the material */
        glad_glDrawRangeElements = real_draw, glad_glReadPixels = real_pixels;
        mmd_image_finish(&image);
        test_scene_close(&scene);
        made_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_set_nothing_twice),
        cmocka_unit_test(frames_of_a_host_set_state_once),
        cmocka_unit_test(no_program_is_linked_in_the_midst_of_a_dance),
        cmocka_unit_test(bindings_are_forgotten_where_an_object_is_deleted),
        cmocka_unit_test(models_of_65536_vertices_have_larger_indices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
