/* Tests ids of pictures: written ones are read back, damaged ones are rejected, and masks follow them. */
#include "mmd/ids.h"
#include "mmd/cursor.h"

#include "damage.h"
#include "folder.h"
#include "mmd/source.h"
#include "support.h"

enum { WIDTH = 4, HEIGHT = 3 };

static const char *const body_materials[] = {"肌", "髪"}, *const hat_materials[] = {"<hat>"};
static const mmd_ids_bone body_bones[] = {{"頭", false}, {"前髪", true}}, hat_bones[] = {{"root", false}};
static const mmd_ids_model models[] = {
    {"踊り子", body_materials, 2, body_bones, 2},
    {"帽子", hat_materials, 1, hat_bones, 1},
};

/* Every second pixel is empty, the others show the body's hair or the hat. */
static void fill(uint32_t (*ids)[3])
{
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const uint32_t hair[3] = {1, 2, 2}, hat[3] = {2, 1, 1}, none[3] = {0};
        memcpy(ids[i], i % 2 ? none : i < 6 ? hair : hat, sizeof none);
    }
}

static void write_sample(mmd_buffer *png)
{
    uint32_t ids[WIDTH * HEIGHT][3];
    fill(ids);
    const mmd_ids_plane plane = {WIDTH, HEIGHT, (const uint32_t(*)[3])ids, models, 2};
    assert_int_equal(mmd_ids_encode(&plane, png, NULL), MMD_OK);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    mmd_buffer png = {0};
    mmd_ids ids;
    write_sample(&png);
    assert_int_equal(mmd_ids_decode(png.data, png.size, WIDTH, HEIGHT, &ids, NULL), MMD_OK);
    assert_int_equal(ids.model_count, 2);
    assert_int_equal(ids.material_count, 3);
    assert_int_equal(ids.bone_count, 3);
    assert_string_equal(ids.models[1], "帽子");
    assert_string_equal(ids.materials[2].name, "<hat>");
    assert_int_equal(ids.materials[2].model, 1);
    assert_true(ids.bones[1].physics);
    assert_false(ids.bones[2].physics);
    /* Indices now count over all models. */
    const uint32_t hair[3] = {1, 2, 2}, hat[3] = {2, 3, 3}, none[3] = {0};
    assert_memory_equal(ids.ids[0], hair, sizeof hair);
    assert_memory_equal(ids.ids[1], none, sizeof none);
    assert_memory_equal(ids.ids[8], hat, sizeof hat);
    mmd_ids_finish(&ids);
    mmd_buffer_finish(&png);
}

/* Ids that are made in memory are the same as those of a file, and names may be any text. */
static void made_ones_equal_read_ones(void **state)
{
    (void)state;
    static const char *const odd[] = {"\"\\\n", "\xe2\x80\xae", "", "\xff"};
    static const char *const same[] = {"\"\\\n", "\xe2\x80\xae", "", "\xef\xbf\xbd"};
    static const mmd_ids_model model = {"m", odd, 4, NULL, 0};
    const uint32_t pixel[1][3] = {{1, 4, 0}};
    const mmd_ids_plane plane = {1, 1, pixel, &model, 1};
    mmd_buffer png = {0}, names = {0};
    mmd_ids made, read;
    assert_int_equal(mmd_ids_make(&plane, &made, NULL), MMD_OK);
    assert_int_equal(mmd_ids_encode(&plane, &png, NULL), MMD_OK);
    assert_int_equal(mmd_ids_decode(png.data, png.size, 1, 1, &read, NULL), MMD_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(made.materials[i].name, same[i]);
        assert_string_equal(read.materials[i].name, same[i]);
    }
    assert_memory_equal(made.ids, read.ids, sizeof pixel);
    assert_int_equal(mmd_ids_names(&plane, &names, NULL), MMD_OK);
    assert_string_equal((const char *)names.data,
                        "{\"models\":[{\"name\":\"m\",\"materials\":[\"\\\"\\\\\\u000a\",\"\\u202e\",\"\","
                        "\"\xef\xbf\xbd\"],\"bones\":[]}]}");
    mmd_buffer_finish(&names);
    mmd_buffer_finish(&png);
    mmd_ids_finish(&read);
    mmd_ids_finish(&made);

    const uint32_t beyond[1][3] = {{1, 5, 0}};
    const mmd_ids_plane bad = {1, 1, beyond, &model, 1};
    assert_int_equal(mmd_ids_make(&bad, &made, NULL), MMD_ERROR_INDEX);
    mmd_ids_finish(&made);
}

static void files_are_read_and_written(void **state)
{
    (void)state;
    char folder[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX + 16];
    mmd_buffer png = {0};
    mmd_error error = {0};
    mmd_ids ids;
    test_folder_make(folder);
    snprintf(path, sizeof path, "%s/a.ids.png", folder);
    write_sample(&png);
    assert_int_equal(mmd_file_write(path, png.data, png.size, NULL), MMD_OK);
    assert_int_equal(mmd_ids_read(path, WIDTH, HEIGHT, &ids, NULL), MMD_OK);
    assert_string_equal(ids.materials[0].name, "肌");

    /* Writing what was read gives the same file. */
    mmd_bytes again = {0};
    assert_int_equal(mmd_ids_write(path, &ids, NULL), MMD_OK);
    assert_int_equal(mmd_file_read(path, &again, NULL), MMD_OK);
    assert_int_equal(again.size, png.size);
    assert_memory_equal(again.data, png.data, png.size);
    mmd_bytes_finish(&again);
    assert_int_equal(mmd_ids_write("/nowhere/x.ids.png", &ids, &error), MMD_ERROR_IO);
    assert_string_equal(error.file, "/nowhere/x.ids.png");
    mmd_ids_finish(&ids);
    error = (mmd_error){0};
    assert_int_equal(mmd_ids_read(path, WIDTH, 1, &ids, &error), MMD_ERROR_VALUE);
    assert_string_equal(error.file, path);
    mmd_ids_finish(&ids);
    test_folder_remove(folder);
    assert_int_equal(mmd_ids_read(path, WIDTH, HEIGHT, &ids, &error), MMD_ERROR_NOT_FOUND);
    mmd_ids_finish(&ids);
    mmd_buffer_finish(&png);
}

/* --- Masks --- */

static void assert_choice(const mmd_ids_choice *choice, mmd_mask_action action, const char *expected)
{
    mmd_buffer png = {0};
    mmd_mask mask = {0};
    mmd_ids ids;
    write_sample(&png);
    assert_int_equal(mmd_ids_decode(png.data, png.size, WIDTH, HEIGHT, &ids, NULL), MMD_OK);
    assert_int_equal(mmd_mask_init(&mask, WIDTH, HEIGHT, NULL), MMD_OK);
    assert_int_equal(mmd_mask_ids(&mask, &ids, choice, action, NULL), MMD_OK);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(mask.pixels[i], expected[i] == '#' ? 255 : 0);
    /* A mask is begun again with all pixels. */
    assert_int_equal(mmd_mask_init(&mask, WIDTH, HEIGHT, NULL), MMD_OK);
    for (size_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(mask.pixels[i], 255);
    mmd_mask_finish(&mask);
    mmd_ids_finish(&ids);
    mmd_buffer_finish(&png);
    assert_int_equal(mmd_heap_blocks_in_use(), 0);
}

static void masks_follow_names(void **state)
{
    (void)state;
    static const char *const names[] = {"<hat>", "髪", "帽子", "root"};
    const mmd_ids_choice hat = {.part = MMD_LABEL_MATERIAL, .names = names, .name_count = 1};
    const mmd_ids_choice both = {.part = MMD_LABEL_MATERIAL, .names = names, .name_count = 2};
    const mmd_ids_choice model = {.part = MMD_LABEL_MODEL, .names = names + 2, .name_count = 1};
    const mmd_ids_choice physics = {.part = MMD_LABEL_BONE, .physics = true};
    const mmd_ids_choice bones = {
        .part = MMD_LABEL_BONE, .names = names + 3, .name_count = 1, .physics = true};
    assert_choice(&hat, MMD_MASK_REMOVE, "######.#.#.#");
    assert_choice(&hat, MMD_MASK_KEEP, "......#.#.#.");
    assert_choice(&both, MMD_MASK_KEEP, "#.#.#.#.#.#.");
    assert_choice(&model, MMD_MASK_KEEP, "......#.#.#.");
    assert_choice(&physics, MMD_MASK_KEEP, "#.#.#.......");
    assert_choice(&bones, MMD_MASK_KEEP, "#.#.#.#.#.#.");
}

static void names_that_nothing_has_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"<hat>", "尻尾"};
    const mmd_ids_choice choice = {.part = MMD_LABEL_MATERIAL, .names = names, .name_count = 2};
    mmd_buffer png = {0};
    mmd_mask mask = {0};
    mmd_error error = {0};
    mmd_ids ids;
    write_sample(&png);
    assert_int_equal(mmd_ids_decode(png.data, png.size, WIDTH, HEIGHT, &ids, NULL), MMD_OK);
    assert_int_equal(mmd_mask_init(&mask, WIDTH, HEIGHT, NULL), MMD_OK);
    assert_int_equal(mmd_mask_ids(&mask, &ids, &choice, MMD_MASK_KEEP, &error), MMD_ERROR_NOT_FOUND);
    assert_string_equal(error.message, "no model in A has a material \"尻尾\"");
    assert_int_equal(mask.pixels[1], 255);
    mmd_mask_finish(&mask);
    mmd_ids_finish(&ids);
    mmd_buffer_finish(&png);
}

/* The planes are model, material and bone from top to bottom; R is the high byte. */
static void the_planes_lie_as_documented(void **state)
{
    (void)state;
    mmd_buffer png = {0};
    mmd_image image = {0};
    uint32_t ids[WIDTH * HEIGHT][3] = {{0x010203, 0x040506, 0x070809}};
    const mmd_ids_plane plane = {WIDTH, HEIGHT, (const uint32_t(*)[3])ids, models, 2};
    assert_int_equal(mmd_ids_encode(&plane, &png, NULL), MMD_OK);
    assert_int_equal(mmd_image_decode(png.data, png.size, NULL, &image, NULL), MMD_OK);
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, 3 * HEIGHT);
    for (uint8_t part = 0; part < 3; part++) {
        const uint8_t expected[] = {(uint8_t)(3 * part + 1), (uint8_t)(3 * part + 2),
                                    (uint8_t)(3 * part + 3)};
        assert_memory_equal(image.pixels + (size_t)4 * WIDTH * HEIGHT * part, expected, 3);
    }
    assert_int_equal(png.data[25], 2); /* RGB */
    mmd_image_finish(&image);
    mmd_buffer_finish(&png);
}

static mmd_status try_size(const mmd_buffer *png, uint32_t width, uint32_t height)
{
    mmd_ids ids;
    mmd_status status = mmd_ids_decode(png->data, png->size, width, height, &ids, NULL);
    mmd_ids_finish(&ids);
    return status;
}

static void another_size_is_refused(void **state)
{
    (void)state;
    mmd_buffer png = {0};
    write_sample(&png);
    assert_int_equal(try_size(&png, WIDTH, HEIGHT), MMD_OK);
    assert_int_equal(try_size(&png, WIDTH + 1, HEIGHT), MMD_ERROR_VALUE);
    assert_int_equal(try_size(&png, WIDTH, HEIGHT + 1), MMD_ERROR_VALUE);
    mmd_buffer_finish(&png);
}

static mmd_status read_with(const char *names, bool alpha, uint32_t id)
{
    mmd_buffer png = {0};
    mmd_image image = {0};
    mmd_ids ids;
    assert_int_equal(mmd_image_init(&image, 1, 3, NULL), MMD_OK);
    image.pixels[2] = (uint8_t)(id ? 1 : 0);
    image.pixels[6] = (uint8_t)id;
    const mmd_image_text text = {"odori.ids", names};
    const mmd_png_options options = {.alpha = alpha, .texts = &text, .text_count = names ? 1 : 0};
    assert_int_equal(mmd_png_write(&image, &options, &png, NULL), MMD_OK);
    mmd_status status = mmd_ids_decode(png.data, png.size, 1, 1, &ids, NULL);
    mmd_ids_finish(&ids);
    mmd_image_finish(&image);
    mmd_buffer_finish(&png);
    return status;
}

static void other_pictures_are_refused(void **state)
{
    (void)state;
    static const char good[] = "{\"models\":[{\"name\":\"a\",\"materials\":[\"m\"],\"bones\":[]}]}";
    assert_int_equal(read_with(good, false, 0), MMD_OK);
    assert_int_equal(read_with(good, false, 1), MMD_OK);
    assert_int_equal(read_with(good, false, 2), MMD_ERROR_INDEX);
    assert_int_equal(read_with(good, true, 0), MMD_ERROR_MAGIC);
    assert_int_equal(read_with(NULL, false, 0), MMD_ERROR_MAGIC);
    assert_int_equal(read_with("{\"models\":[", false, 0), MMD_ERROR_SYNTAX);
    assert_int_equal(read_with("{}", false, 0), MMD_ERROR_SYNTAX);
    assert_int_equal(read_with("{\"models\":[7]}", false, 0), MMD_ERROR_SYNTAX);
    assert_int_equal(read_with("{\"models\":[{\"name\":\"a\",\"bones\":[{}]}]}", false, 0), MMD_ERROR_SYNTAX);
}

static void more_parts_than_a_scene_has_are_refused(void **state)
{
    (void)state;
    mmd_buffer names = {0};
    mmd_write_format(&names, "{\"models\":[{\"name\":\"a\",\"materials\":[\"m\"");
    for (int i = 0; i < 65536; i++)
        mmd_write_format(&names, ",\"m\"");
    mmd_write_format(&names, "]}]}");
    mmd_write_u8(&names, 0);
    assert_int_equal(read_with((const char *)names.data, false, 0), MMD_ERROR_LIMIT);
    mmd_buffer_finish(&names);
}

static void try_damaged(const uint8_t *data, size_t size, void *user)
{
    mmd_ids ids;
    mmd_error error = {0};
    size_t *refused = user;
    if (mmd_ids_decode(data, size, WIDTH, HEIGHT, &ids, &error) != MMD_OK) {
        assert_true(error.message[0] && error.section[0]);
        (*refused)++;
    }
    mmd_ids_finish(&ids);
}

static void damaged_ones_are_read_or_refused(void **state)
{
    (void)state;
    mmd_buffer png = {0};
    size_t refused = 0;
    write_sample(&png);
    uint64_t blocks = mmd_heap_blocks_in_use();
    size_t tried = damage_each(png.data, png.size, try_damaged, &refused);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    assert_true(refused > tried / 2 && refused < tried);
    mmd_buffer_finish(&png);
}

static void the_name_beside_a_picture(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"a.png", "a.ids.png"},
                                           {"x.y/b", "x.y/b.ids.png"},
                                           {"d/c.d.bmp", "d/c.d.ids.png"},
                                           {"d/.png", "d/.png.ids.png"}};
    char path[32];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_true(mmd_ids_path_beside(pairs[i][0], path, sizeof path));
        assert_string_equal(path, pairs[i][1]);
    }
    assert_false(mmd_ids_path_beside("a.png", path, 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(made_ones_equal_read_ones),
        cmocka_unit_test(files_are_read_and_written),
        cmocka_unit_test(masks_follow_names),
        cmocka_unit_test(names_that_nothing_has_are_refused),
        cmocka_unit_test(the_planes_lie_as_documented),
        cmocka_unit_test(another_size_is_refused),
        cmocka_unit_test(other_pictures_are_refused),
        cmocka_unit_test(more_parts_than_a_scene_has_are_refused),
        cmocka_unit_test(damaged_ones_are_read_or_refused),
        cmocka_unit_test(the_name_beside_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
