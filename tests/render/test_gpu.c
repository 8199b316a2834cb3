/* Contexts without a display, and error messages of shaders that do not compile. */
#include <dirent.h>

#include "mmd/cursor.h"
#include "render_support.h"

typedef struct messages {
    char text[4096];
    size_t size;
} messages;

static void keep_message(void *user, mmd_log_level level, const char *text)
{
    (void)level;
    messages *all = user;
    int written = snprintf(all->text + all->size, sizeof all->text - all->size, "%s\n", text);
    if (written > 0 && all->size + (size_t)written < sizeof all->text)
        all->size += (size_t)written;
}

static void a_context_needs_no_display_and_says_what_it_is(void **state)
{
    (void)state;
    messages all = {.size = 0};
    mmd_log log = {.write = keep_message, .user = &all, .level = MMD_LOG_INFO};
    mmd_gpu *gpu;
    ASSERT_OK(mmd_gpu_create_headless(&log, &gpu, error));
    const mmd_gpu_info *info = mmd_gpu_get_info(gpu);
    assert_int_equal(strncmp(info->context, "egl ", 4), 0);
    assert_non_null(strstr(all.text, info->context));
    assert_non_null(strstr(all.text, info->version));
    assert_non_null(strstr(all.text, info->renderer));
    assert_true(info->max_texture_size >= 1024 && info->max_viewport[0] >= 1024);
    mmd_gpu_destroy(gpu);
    mmd_gpu_destroy(NULL);
}

/* Destroying one context does not affect another one. */
static void contexts_follow_each_other(void **state)
{
    (void)state;
    mmd_gpu *first, *second;
    ASSERT_OK(mmd_gpu_create_headless(NULL, &first, error));
    ASSERT_OK(mmd_gpu_create_headless(NULL, &second, error));
    mmd_gpu_destroy(first);
    mmd_gpu_destroy(second);
    ASSERT_OK(mmd_gpu_create_headless(NULL, &first, error));
    uint32_t buffer;
    const uint32_t written[2] = {1, 2};
    uint32_t read[2] = {0, 0};
    mmd_gpu_buffer_desc desc = {.data = written, .size = sizeof written, .label = "two numbers"};
    ASSERT_OK(mmd_gpu_buffer_create(first, &desc, &buffer, error));
    mmd_gpu_buffer_read(first, buffer, 0, sizeof read, read);
    assert_memory_equal(written, read, sizeof read);
    mmd_gpu_buffer_destroy(first, buffer);
    mmd_gpu_destroy(first);
}

/* Line 2 of part.glsl and line 3 of bad.vert are wrong. The messages name file and line. */
static void a_shader_s_errors_name_file_and_line(void **state)
{
    (void)state;
    const mmd_gpu_source part_bad = {"part.glsl", "float f()\n{ return nothing; }\n"};
    const mmd_gpu_source part_good = {"part.glsl", "float f()\n{ return 1.0; }\n"};
    const char *main_text = "#version 330 core\nvoid main()\n{ gl_Position = vec4(f(), EXTRA, 0.0, 1.0); }\n";
    messages all = {.size = 0};
    mmd_log log = {.write = keep_message, .user = &all, .level = MMD_LOG_WARNING};
    mmd_gpu *gpu;
    ASSERT_OK(mmd_gpu_create_headless(&log, &gpu, error));
    uint32_t program;
    mmd_error error = {0};
    mmd_gpu_program_desc desc = {
        .vertex = {.main = {"bad.vert", main_text}, .parts = &part_bad, .part_count = 1},
        .defines = "#define EXTRA 1.0\n",
        .label = "bad"};
    assert_int_equal(mmd_gpu_program_create(gpu, &desc, &program, &error), MMD_ERROR_GL);
    assert_int_equal(program, 0);
    assert_non_null(strstr(all.text, "part.glsl:2("));
    all.size = 0;
    desc.vertex.parts = &part_good;
    desc.defines = NULL;
    assert_int_equal(mmd_gpu_program_create(gpu, &desc, &program, &error), MMD_ERROR_GL);
    assert_non_null(strstr(all.text, "bad.vert:3("));
    mmd_gpu_destroy(gpu);
}

static void a_texture_over_the_limit_is_refused(void **state)
{
    (void)state;
    mmd_gpu *gpu;
    ASSERT_OK(mmd_gpu_create_headless(NULL, &gpu, error));
    mmd_gpu_limit_texture_size(gpu, 64);
    mmd_gpu_texture_desc desc = {.width = 65, .height = 1, .format = MMD_GPU_RGBA8, .label = "a wide one"};
    uint32_t texture;
    mmd_error error = {0};
    assert_int_equal(mmd_gpu_texture_create(gpu, &desc, &texture, &error), MMD_ERROR_LIMIT);
    assert_string_equal(error.message,
                        "a wide one needs a texture of 65 x 1, but this GPU allows at most 64 x 64");
    mmd_gpu_destroy(gpu);
}

/* An image over the size limit is halved until it fits and is drawn, with a message. */
static void a_picture_over_the_texture_limit_is_made_smaller(void **state)
{
    (void)state;
    messages all = {.size = 0};
    mmd_log log = {.write = keep_message, .user = &all, .level = MMD_LOG_WARNING};
    mmd_gpu *gpu;
    mmd_renderer *renderer;
    ASSERT_OK(mmd_gpu_create_headless(NULL, &gpu, error));
    mmd_gpu_limit_texture_size(gpu, 64);
    ASSERT_OK(mmd_renderer_create(gpu, &log, &renderer, error));
    mmd_image image = {0};
    ASSERT_OK(mmd_image_init(&image, 300, 40, error));
    memset(image.pixels, 255, (size_t)4 * 300 * 40);
    mmd_render_texture texture = {0};
    mmd_render_picture picture;
    mmd_render_picture_init(&picture, &image);
    assert_null(image.pixels);
    ASSERT_OK(mmd_render_texture_create(renderer, &picture, "wide.png", &texture, error));
    assert_true(texture.white && texture.min_alpha == 255);
    assert_string_equal(all.text, "wide.png: 300 x 40 is over this GPU's 64 x 64; drawn as 64 x 64\n");
    mmd_render_texture_destroy(renderer, &texture);
    mmd_render_picture_finish(&picture);
    mmd_renderer_destroy(renderer);
    mmd_gpu_destroy(gpu);
}

/* Returns whether a shader places the vertices of meshes. */
static bool places_meshes(const char *name)
{
    const char *ending = strrchr(name, '.');
    return ending && (strcmp(ending, ".vert") == 0 || strcmp(ending, ".geom") == 0) &&
           strcmp(name, "skin.vert") != 0 && strcmp(name, "grid.vert") != 0 &&
           strcmp(name, "line.vert") != 0 && strcmp(name, "background.vert") != 0;
}

/* All drivers of this machine give equal depths without it, so pictures would not show that it is missing. */
static void positions_are_invariant(void **state)
{
    (void)state;
    int checked = 0;
    DIR *folder = opendir(ODORI_SOURCE "/shaders");
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[512];
        mmd_buffer text = {0};
        mmd_bytes file = {0};
        if (!places_meshes(entry->d_name))
            continue;
        snprintf(path, sizeof path, ODORI_SOURCE "/shaders/%s", entry->d_name);
        ASSERT_OK(mmd_file_read(path, &file, error));
        mmd_write_bytes(&text, file.data, file.size);
        mmd_write_u8(&text, 0);
        if (!strstr((const char *)text.data, "\ninvariant gl_Position;"))
            fail_msg("%s: gl_Position is not invariant", entry->d_name);
        checked++;
        mmd_buffer_finish(&text);
        mmd_bytes_finish(&file);
    }
    closedir(folder);
    assert_int_equal(checked, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_needs_no_display_and_says_what_it_is),
        cmocka_unit_test(contexts_follow_each_other),
        cmocka_unit_test(a_shader_s_errors_name_file_and_line),
        cmocka_unit_test(a_texture_over_the_limit_is_refused),
        cmocka_unit_test(a_picture_over_the_texture_limit_is_made_smaller),
        cmocka_unit_test(positions_are_invariant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
