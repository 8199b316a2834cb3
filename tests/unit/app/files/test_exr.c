/* Tests planes in OpenEXR files: what is written, by the library itself; ids and masks that are read; files
 * of other programs; damaged ones. */
#include "files/exr.h"

#include "damage.h"
#include "exr_channel.h"
#include "support.h"

#include "mmd/cursor.h"

enum { WIDTH = 5, HEIGHT = 19 }; /* more rows than a chunk of ZIP has */

static const char *const materials[] = {"肌", "髪"}, *const hat_materials[] = {"<hat>"};
static const ids_model_bone bones[] = {{"頭", false}, {"前髪", true}}, hat_bones[] = {{"root", false}};
static const ids_model models[] = {{"踊り子", materials, 2, bones, 2},
                                   {"帽子", hat_materials, 1, hat_bones, 1}};

/* --- Writing --- */

static uint32_t ids[WIDTH * HEIGHT][3];
static mmd_view_surface surfaces[WIDTH * HEIGHT];

/* Every third pixel is empty, the others show the body's hair or the hat. */
static void write_sample(unsigned kinds, mmd_buffer *exr)
{
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const uint32_t all[3][3] = {{1, 2, 2}, {2, 1, 1}, {0}};
        memcpy(ids[i], all[i % 3], sizeof ids[i]);
        surfaces[i] = (mmd_view_surface){{0.25f * (float)i, -1.0f, 1e-6f}, 40.0f + (float)i / 7.0f};
        if (i % 3 == 2)
            surfaces[i] = (mmd_view_surface){{0}, EXR_NO_DEPTH};
    }
    const ids_plane plane = {WIDTH, HEIGHT, (const uint32_t(*)[3])ids, models, 2};
    const exr_planes planes = {kinds, &plane, surfaces, "{\"frame\":3}"};
    assert_int_equal(exr_write(&planes, exr, NULL), MMD_OK);
}

/* --- What the library reads --- */

static void the_channels_are_as_documented(void **state)
{
    (void)state;
    static float values[WIDTH * HEIGHT];
    static uint32_t numbers[WIDTH * HEIGHT];
    mmd_buffer exr = {0}, again = {0};
    write_sample(EXR_DEPTH | EXR_NORMALS | EXR_IDS, &exr);
    write_sample(EXR_DEPTH | EXR_NORMALS | EXR_IDS, &again);
    assert_int_equal(exr.size, again.size);
    assert_memory_equal(exr.data, again.data, exr.size);
    exr_memory file = {exr.data, exr.size};
    exr_context_t context = exr_open_memory(&file);
    exr_read_channel(context, "Z", EXR_PIXEL_FLOAT, values);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_memory_equal(&values[i], &surfaces[i].depth, 4);
    static const char *const normals[] = {"N.X", "N.Y", "N.Z"}, *const numbered[] = {
                                                                    "id.model", "id.material", "id.bone"};
    for (int k = 0; k < 3; k++) {
        exr_read_channel(context, normals[k], EXR_PIXEL_FLOAT, values);
        exr_read_channel(context, numbered[k], EXR_PIXEL_UINT, numbers);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            assert_memory_equal(&values[i], &surfaces[i].normal[k], 4);
            assert_int_equal(numbers[i], ids[i][k]);
        }
    }
    int32_t length;
    const char *text;
    assert_int_equal(exr_attr_get_string(context, 0, "odori.ids", &length, &text), EXR_ERR_SUCCESS);
    assert_non_null(strstr(text, "踊り子"));
    assert_int_equal(exr_attr_get_string(context, 0, "odori.scene", &length, &text), EXR_ERR_SUCCESS);
    assert_string_equal(text, "{\"frame\":3}");
    exr_finish(&context);
    mmd_buffer_finish(&exr);
    mmd_buffer_finish(&again);
}

static void only_wanted_planes_are_written(void **state)
{
    (void)state;
    static const struct {
        unsigned kinds;
        int channels;
    } cases[] = {{EXR_DEPTH, 1}, {EXR_NORMALS, 3}, {EXR_IDS, 3}, {EXR_DEPTH | EXR_IDS, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mmd_buffer exr = {0};
        const exr_attr_chlist_t *channels;
        ids_picture read;
        write_sample(cases[i].kinds, &exr);
        exr_memory file = {exr.data, exr.size};
        exr_context_t context = exr_open_memory(&file);
        assert_int_equal(exr_get_channels(context, 0, &channels), EXR_ERR_SUCCESS);
        assert_int_equal(channels->num_channels, cases[i].channels);
        exr_finish(&context);
        assert_int_equal(exr_read_ids(exr.data, exr.size, WIDTH, HEIGHT, &read, NULL),
                         cases[i].kinds & EXR_IDS ? MMD_OK : MMD_ERROR_MAGIC);
        ids_finish(&read);
        mmd_buffer_finish(&exr);
    }
}

/* --- Reading --- */

static void ids_are_read_as_from_a_picture(void **state)
{
    (void)state;
    mmd_buffer exr = {0};
    ids_picture read;
    write_sample(EXR_DEPTH | EXR_IDS, &exr);
    assert_int_equal(exr_read_ids(exr.data, exr.size, WIDTH, HEIGHT, &read, NULL), MMD_OK);
    assert_int_equal(read.material_count, 3);
    assert_string_equal(read.materials[2].name, "<hat>");
    assert_true(read.bones[1].physics);
    const uint32_t all[3][3] = {{1, 2, 2}, {2, 3, 3}, {0}};
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_memory_equal(read.ids[i], all[i % 3], sizeof all[0]);
    ids_finish(&read);
    assert_int_equal(exr_read_ids(exr.data, exr.size, WIDTH, HEIGHT - 1, &read, NULL), MMD_ERROR_VALUE);
    ids_finish(&read);
    assert_int_equal(exr_read_ids("no exr", 6, 1, 1, &read, NULL), MMD_ERROR_MAGIC);
    ids_finish(&read);
    mmd_buffer_finish(&exr);
}

static void a_mask_is_black_where_nothing_is_shown(void **state)
{
    (void)state;
    static const unsigned kinds[] = {EXR_DEPTH, EXR_NORMALS, EXR_IDS, EXR_DEPTH | EXR_NORMALS | EXR_IDS};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        mmd_buffer exr = {0};
        mmd_image mask;
        write_sample(kinds[k], &exr);
        assert_int_equal(exr_read_mask(exr.data, exr.size, &mask, NULL), MMD_OK);
        assert_int_equal(mask.width, WIDTH);
        assert_int_equal(mask.height, HEIGHT);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            assert_int_equal(mask.pixels[4 * i + 1], i % 3 == 2 ? 0 : 255);
            assert_int_equal(mask.pixels[4 * i + 3], 255);
        }
        mmd_image_finish(&mask);
        mmd_buffer_finish(&exr);
    }
}

/* --- Files of others --- */

static int64_t store(exr_const_context_t context, void *user, const void *bytes, uint64_t size,
                     uint64_t offset, exr_stream_error_func_ptr_t report)
{
    mmd_buffer *buffer = user;
    (void)context, (void)report;
    if (offset + size > buffer->size)
        mmd_write_zeros(buffer, (size_t)(offset + size) - buffer->size);
    memcpy(buffer->data + offset, bytes, size);
    return (int64_t)size;
}

typedef struct stranger_file {
    exr_compression_t compression;
    exr_storage_t storage;
    int parts, width, height, channels, sampling;
    const float *alpha,
        *red; /* values of two half channels, "A" and "main.R"; else channels named c0, c1 … */
} stranger_file;

/* Writes a file of one row of halves; files that are refused by their header have no pixels. */
static void write_stranger(const stranger_file *s, mmd_buffer *exr)
{
    exr_context_t context = NULL;
    exr_context_initializer_t how = EXR_DEFAULT_CONTEXT_INITIALIZER;
    how.user_data = exr;
    how.write_fn = store;
    assert_int_equal(exr_start_write(&context, "stranger.exr", EXR_WRITE_FILE_DIRECTLY, &how),
                     EXR_ERR_SUCCESS);
    for (int part = 0; part < s->parts; part++) {
        char name[16];
        int index;
        snprintf(name, sizeof name, "part%d", part);
        assert_int_equal(exr_add_part(context, name, s->storage, &index), EXR_ERR_SUCCESS);
        assert_int_equal(
            exr_initialize_required_attr_simple(context, part, s->width, s->height, s->compression),
            EXR_ERR_SUCCESS);
        if (s->storage == EXR_STORAGE_TILED)
            assert_int_equal(
                exr_set_tile_descriptor(context, part, 32, 32, EXR_TILE_ONE_LEVEL, EXR_TILE_ROUND_DOWN),
                EXR_ERR_SUCCESS);
        for (int c = 0; c < s->channels; c++) {
            snprintf(name, sizeof name, "c%d", c);
            const char *channel = s->alpha ? (c ? "main.R" : "A") : name;
            assert_int_equal(exr_add_channel(context, part, channel,
                                             s->alpha ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF,
                                             EXR_PERCEPTUALLY_LINEAR, s->sampling, s->sampling),
                             EXR_ERR_SUCCESS);
        }
    }
    assert_int_equal(exr_write_header(context), EXR_ERR_SUCCESS);
    if (s->alpha) {
        exr_encode_pipeline_t encoder = EXR_ENCODE_PIPELINE_INITIALIZER;
        exr_chunk_info_t chunk = {0};
        assert_int_equal(exr_write_scanline_chunk_info(context, 0, 0, &chunk), EXR_ERR_SUCCESS);
        assert_int_equal(exr_encoding_initialize(context, 0, &chunk, &encoder), EXR_ERR_SUCCESS);
        for (int c = 0; c < 2; c++) {
            encoder.channels[c].encode_from_ptr = (const uint8_t *)(c ? s->red : s->alpha);
            encoder.channels[c].user_pixel_stride = 4;
            encoder.channels[c].user_line_stride = 4 * s->width;
            encoder.channels[c].user_bytes_per_element = 4;
            encoder.channels[c].user_data_type = EXR_PIXEL_FLOAT;
        }
        assert_int_equal(exr_encoding_choose_default_routines(context, 0, &encoder), EXR_ERR_SUCCESS);
        assert_int_equal(exr_encoding_run(context, 0, &encoder), EXR_ERR_SUCCESS);
        exr_encoding_destroy(context, &encoder);
    }
    exr_finish(&context);
}

static void other_kinds_are_refused(void **state)
{
    (void)state;
    static const struct {
        stranger_file file;
        mmd_status status;
        const char *text;
    } cases[] = {
        {{EXR_COMPRESSION_PIZ, EXR_STORAGE_SCANLINE, 1, 8, 8, 1, 1, NULL, NULL},
         MMD_ERROR_UNSUPPORTED,
         "compression"},
        {{EXR_COMPRESSION_ZIP, EXR_STORAGE_TILED, 1, 8, 8, 1, 1, NULL, NULL}, MMD_ERROR_UNSUPPORTED, "tiles"},
        {{EXR_COMPRESSION_ZIP, EXR_STORAGE_SCANLINE, 2, 8, 8, 1, 1, NULL, NULL},
         MMD_ERROR_UNSUPPORTED,
         "parts"},
        {{EXR_COMPRESSION_ZIP, EXR_STORAGE_SCANLINE, 1, 8, 8, 1, 2, NULL, NULL},
         MMD_ERROR_UNSUPPORTED,
         "samples"},
        {{EXR_COMPRESSION_ZIP, EXR_STORAGE_SCANLINE, 1, 8, 8, 65, 1, NULL, NULL},
         MMD_ERROR_LIMIT,
         "65 channels"},
        {{EXR_COMPRESSION_ZIP, EXR_STORAGE_SCANLINE, 1, 16384, 8, 20, 1, NULL, NULL},
         MMD_ERROR_LIMIT,
         "fewer channels"},
        {{EXR_COMPRESSION_ZIP, EXR_STORAGE_SCANLINE, 1, 8, 8, 1, 1, NULL, NULL}, MMD_ERROR_SYNTAX, "damaged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mmd_buffer exr = {0};
        mmd_image mask;
        mmd_error error = {0};
        write_stranger(&cases[i].file, &exr);
        assert_int_equal(exr_read_mask(exr.data, exr.size, &mask, &error), cases[i].status);
        if (!strstr(error.message, cases[i].text))
            fail_msg("no \"%s\" in: %s", cases[i].text, error.message);
        mmd_image_finish(&mask);
        mmd_buffer_finish(&exr);
    }
}

static void a_picture_too_large_takes_no_memory(void **state)
{
    (void)state;
    const stranger_file large = {
        EXR_COMPRESSION_ZIP, EXR_STORAGE_SCANLINE, 1, 60000, 60000, 1, 1, NULL, NULL};
    mmd_buffer exr = {0};
    mmd_image mask;
    mmd_error error = {0};
    write_stranger(&large, &exr);
    uint64_t blocks = mmd_heap_blocks_in_use();
    assert_true(exr_read_mask(exr.data, exr.size, &mask, &error) != MMD_OK);
    assert_true(error.message[0] && !mask.pixels);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    mmd_image_finish(&mask);
    mmd_buffer_finish(&exr);
}

static void alpha_of_others_masks_too(void **state)
{
    (void)state;
    const float alpha[4] = {1, 0, 0.5f, 1}, red[4] = {0, 1, 2, NAN};
    const uint8_t shown[4] = {0, 0, 255, 0};
    const stranger_file file = {EXR_COMPRESSION_RLE, EXR_STORAGE_SCANLINE, 1, 4, 1, 2, 1, alpha, red};
    mmd_buffer exr = {0};
    mmd_image mask;
    write_stranger(&file, &exr);
    assert_int_equal(exr_read_mask(exr.data, exr.size, &mask, NULL), MMD_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(mask.pixels[4 * i], shown[i]);
    mmd_image_finish(&mask);
    mmd_buffer_finish(&exr);
}

/* --- Damage --- */

static void try_damaged(const uint8_t *data, size_t size, void *user)
{
    ids_picture read;
    mmd_image mask;
    mmd_error error = {0};
    size_t *refused = user;
    uint64_t blocks = mmd_heap_blocks_in_use();
    if (exr_read_ids(data, size, WIDTH, HEIGHT, &read, &error) != MMD_OK) {
        assert_true(error.message[0] && error.section[0]);
        (*refused)++;
    }
    ids_finish(&read);
    error = (mmd_error){0};
    if (exr_read_mask(data, size, &mask, &error) != MMD_OK)
        assert_true(error.message[0]);
    mmd_image_finish(&mask);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void damaged_ones_are_read_or_refused(void **state)
{
    (void)state;
    mmd_buffer exr = {0};
    size_t refused = 0;
    write_sample(EXR_DEPTH | EXR_IDS, &exr);
    size_t tried = damage_each(exr.data, exr.size, try_damaged, &refused);
    print_message("%zu bytes: %zu of %zu damaged copies refused\n", exr.size, refused, tried);
    assert_true(refused > tried / 4 && refused < tried);
    mmd_buffer_finish(&exr);
}

static void the_name_beside_a_picture(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"a.png", "a.exr"}, {"x.y/b", "x.y/b.exr"}, {"d/c.d.bmp", "d/c.d.exr"}, {"d/.png", "d/.png.exr"}};
    char path[32];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_true(exr_path_beside(pairs[i][0], path, sizeof path));
        assert_string_equal(path, pairs[i][1]);
    }
    assert_false(exr_path_beside("a.exr", path, sizeof path));
    assert_false(exr_path_beside("a.png", path, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_channels_are_as_documented),
        cmocka_unit_test(only_wanted_planes_are_written),
        cmocka_unit_test(ids_are_read_as_from_a_picture),
        cmocka_unit_test(a_mask_is_black_where_nothing_is_shown),
        cmocka_unit_test(other_kinds_are_refused),
        cmocka_unit_test(a_picture_too_large_takes_no_memory),
        cmocka_unit_test(alpha_of_others_masks_too),
        cmocka_unit_test(damaged_ones_are_read_or_refused),
        cmocka_unit_test(the_name_beside_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
