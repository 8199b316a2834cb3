/* How large textures are decoded, in which order, and how often their files are read. No OpenGL. */
#include "engine/view/view_internal.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "support.h"

enum { FILES = 4, SIDE = 512, MIB = 1 << 20 };

/* A source that records which files are read, and likes to be read backwards. */
typedef struct recorder {
    mmd_bytes files[FILES];
    char read[64];
    bool has_no_memory;
} recorder;

static const char *const names[FILES] = {"a.png", "b.png", "c.png", "d.bmp"};

static mmd_status read_file(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    recorder *r = self;
    if (r->has_no_memory)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a file");
    for (size_t i = 0; i < FILES; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        strncat(r->read, name, 1);
        bytes->size = r->files[i].size;
        bytes->data = mmd_alloc(bytes->size);
        memcpy(bytes->data, r->files[i].data, bytes->size);
        return MMD_OK;
    }
    return mmd_error_set(error, MMD_ERROR_NOT_FOUND, "", MMD_NO_OFFSET, "no such file");
}

static bool list_files(void *self, const char *folder,
                       bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    (void)self;
    for (size_t i = 0; !folder[0] && i < FILES && visit(user, names[i], false); i++)
        continue;
    return !folder[0];
}

static void backwards(void *self, const char *const *paths, size_t count, uint32_t *order)
{
    (void)self;
    (void)paths;
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)(count - 1 - i);
}

/* A set of textures of the files, some of them by two names. */
typedef struct scene {
    recorder recorder;
    mmd_source *source;
    mmd_model model;
    mmd_material materials[6];
    mmd_arena arena;
    texture_set set;
    texture_origin origin;
    mmd_log log;
    char told[1024];
} scene;

static void tell(void *user, mmd_log_level level, const char *text)
{
    scene *s = user;
    (void)level;
    strncat(strcat(s->told, text), "\n", sizeof s->told - strlen(s->told) - 1);
}

static void make_files(recorder *r)
{
    mmd_image image;
    uint64_t seed = 9;
    const mmd_png_options options = {.alpha = true};
    assert_int_equal(mmd_image_init(&image, SIDE, SIDE, NULL), MMD_OK);
    for (size_t i = 0; i < (size_t)SIDE * SIDE * 4; i++)
        image.pixels[i] = (uint8_t)test_random(&seed);
    for (size_t i = 0; i < 3; i++) {
        mmd_buffer png = {0};
        image.pixels[0] = (uint8_t)i;
        assert_int_equal(mmd_png_write(&image, &options, &png, NULL), MMD_OK);
        r->files[i] = (mmd_bytes){png.data, png.size};
    }
    mmd_buffer bmp = {0};
    mmd_write_bytes(&bmp, "BM\0\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0\0\2\0\0\0\2\0\0\1\0\40\0", 30);
    for (size_t i = bmp.size; i < 54 + (size_t)SIDE * SIDE * 4; i++)
        mmd_write_u8(&bmp, (uint8_t)(i < 54 ? 0 : i));
    r->files[3] = (mmd_bytes){bmp.data, bmp.size};
    mmd_image_finish(&image);
}

static void scene_make(scene *s)
{
    static const mmd_source_ops ops = {read_file, list_files, NULL};
    static const char *textures[] = {"a.png", "b.png", "A.PNG", "none.png", "c.png", "d.bmp"};
    *s = (scene){
        .model = {.textures = textures, .texture_count = 6, .materials = s->materials, .material_count = 6}};
    make_files(&s->recorder);
    s->source = mmd_source_create(&ops, &s->recorder);
    mmd_source_set_planner(s->source, backwards);
    for (int32_t i = 0; i < 6; i++)
        s->materials[i] = (mmd_material){.texture = i, .sphere = -1, .toon = -1};
    s->model.name = "model";
    s->log = (mmd_log){tell, s, MMD_LOG_WARNING};
    s->origin = (texture_origin){&s->model, s->source, "", "title", &s->log};
    assert_int_equal(texture_set_init(&s->set, &s->model, &s->arena, NULL), MMD_OK);
}

static void scene_finish(scene *s)
{
    texture_set_forget_pictures(&s->set);
    mmd_arena_finish(&s->arena);
    mmd_source_destroy(s->source);
    for (size_t i = 0; i < FILES; i++)
        mmd_bytes_finish(&s->recorder.files[i]);
}

/* Measures and decodes all textures within a limit. Returns what they take. */
static mmd_texture_memory read_all(scene *s, uint64_t limit)
{
    mmd_texture_memory memory = mmd_texture_memory_of(limit);
    assert_int_equal(texture_set_measure(&s->set, &s->origin, &s->arena, &memory, NULL), MMD_OK);
    s->set.size = mmd_texture_memory_size(&memory);
    for (uint32_t i = 0; i < s->set.count; i++)
        assert_int_equal(texture_set_read(&s->set, s->set.order[i], &s->origin, NULL), MMD_OK);
    return memory;
}

static void files_are_read_once_in_the_order_of_the_source(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    scene s;
    scene_make(&s);
    mmd_texture_memory memory = read_all(&s, 100 * MIB);
    assert_string_equal(s.recorder.read, "dcba");
    assert_int_equal(memory.smaller[mmd_texture_memory_size(&memory)], 0);
    assert_in_range(memory.held[0], 4 * SIDE * SIDE * 16 / 3, 4 * SIDE * SIDE * 16 / 3 + 100);
    for (uint32_t t = 0; t < 6; t++)
        assert_int_equal(s.set.pictures[t].image.width,
                         t == 2 || t == 3 ? 0 : SIDE); /* known already, and missing */
    assert_string_equal(s.told, "model: texture none.png: there is no such file\n");
    scene_finish(&s);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void a_texture_without_memory_is_an_error(void **state)
{
    (void)state;
    scene s;
    mmd_error error = {0};
    scene_make(&s);
    s.recorder.has_no_memory = true;
    mmd_texture_memory memory = mmd_texture_memory_of(100 * MIB);
    assert_int_equal(texture_set_measure(&s.set, &s.origin, &s.arena, &memory, NULL), MMD_OK);
    assert_int_equal(texture_set_read(&s.set, s.set.order[0], &s.origin, &error), MMD_ERROR_MEMORY);
    assert_int_equal(error.code, MMD_ERROR_MEMORY);
    scene_finish(&s);
}

static void textures_are_halved_until_they_fit(void **state)
{
    (void)state;
    /* Four textures take 5.3 MiB with their levels, at half the size 1.3 MiB, at a quarter 0.3 MiB; decoding
     * the BMP takes its file and its pixels, 1 MiB each, and what it is reduced to. */
    static const struct {
        uint64_t limit;
        uint32_t side;
    } cases[] = {{8 * MIB, SIDE}, {7 * MIB, SIDE / 2}, {4 * MIB, SIDE / 2}, {3 * MIB, SIDE / 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s;
        scene_make(&s);
        mmd_texture_memory memory = read_all(&s, cases[i].limit);
        uint32_t size = mmd_texture_memory_size(&memory);
        assert_int_equal(memory.smaller[size], cases[i].side < SIDE ? 4 : 0);
        assert_true(memory.held[size] + memory.working[size] <= cases[i].limit);
        for (uint32_t t = 0; t < 6; t++)
            if (s.set.pictures[t].image.width)
                assert_int_equal(s.set.pictures[t].image.width, cases[i].side);
        scene_finish(&s);
    }
}

/* A PNG is read row by row, however small the limit is; a BMP of 1 MiB has a file of 1 MiB. */
static void pictures_that_cannot_be_reduced_are_refused(void **state)
{
    (void)state;
    scene s;
    scene_make(&s);
    mmd_texture_memory memory = read_all(&s, MIB);
    assert_int_equal(memory.smaller[mmd_texture_memory_size(&memory)], 3);
    assert_non_null(s.set.pictures[0].image.pixels);
    assert_non_null(s.set.pictures[4].image.pixels);
    assert_null(s.set.pictures[5].image.pixels);
    assert_non_null(strstr(s.told, "texture d.bmp: 512 x 512 pixels in a format that is decoded as a whole"));
    scene_finish(&s);
}

static bool leaves_out(uint64_t limit, const mmd_image_info *picture)
{
    const mmd_texture_memory memory = mmd_texture_memory_of(limit);
    return mmd_texture_memory_check(&memory, picture, NULL) == MMD_ERROR_LIMIT;
}

/* What takes more than half of the limit is drawn, as long as it fits. */
static void pictures_are_drawn_if_they_fit(void **state)
{
    (void)state;
    const mmd_image_info jpeg = {.width = 10000, .height = 5000, .working = 450000000, .file = 20000000};
    const mmd_image_info passes = {
        .width = 8192, .height = 8192, .by_rows = true, .interlaced = true, .working = 400000};
    mmd_texture_memory memory = mmd_texture_memory_of((uint64_t)1 << 30);
    assert_false(leaves_out(memory.limit, &jpeg));
    assert_true(leaves_out(600 * (uint64_t)MIB, &jpeg));
    assert_false(leaves_out(MIB, &passes));
    mmd_texture_memory_add(&memory, &passes);
    assert_int_equal(mmd_texture_memory_size(&memory), 0);
    mmd_texture_memory_add(&memory, &jpeg);
    uint32_t size = mmd_texture_memory_size(&memory);
    assert_true(size < 3 && memory.held[size] + memory.working[size] <= memory.limit);
}

/* The sizes depend on the sums alone, so on no order, and more textures never make one larger. */
static void sizes_depend_on_sums(void **state)
{
    (void)state;
    const mmd_image_info large = {.width = 16384, .height = 16384, .by_rows = true, .working = 1 << 19};
    const mmd_image_info odd = {.width = 3000, .height = 7, .working = 84000};
    mmd_texture_memory one = mmd_texture_memory_of((uint64_t)1 << 30), all = one, other = one;
    for (int i = 0; i < 8; i++)
        mmd_texture_memory_add(&one, &large);
    mmd_texture_memory_add(&other, &odd);
    texture_memory_sum(&all, &other);
    texture_memory_sum(&all, &one);
    texture_memory_sum(&other, &one);
    assert_memory_equal(&all, &other, sizeof all);
    assert_int_equal(mmd_texture_memory_size(&all), 2); /* 4096 */
    assert_int_equal(all.smaller[2], 8);
    for (uint32_t i = 1; i < MMD_TEXTURE_SIZES; i++)
        assert_true(all.held[i] <= all.held[i - 1]);
    assert_int_equal(texture_halvings(&odd, 14), 12);
    assert_int_equal(texture_halvings(&odd, 0), 0);
    other.limit = 1;
    assert_int_equal(mmd_texture_memory_size(&other), MMD_TEXTURE_SIZES - 1);
}

/* A copy of a picture is decoded and uploaded with the first one, and reported with it. */
static void equal_pictures_are_decoded_once(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    for (int damaged = 0; damaged < 2; damaged++) {
        scene s;
        scene_make(&s);
        s.recorder.files[0].size = damaged ? 1000 : s.recorder.files[0].size;
        mmd_bytes_finish(&s.recorder.files[2]);
        s.recorder.files[2] = (mmd_bytes){mmd_alloc(s.recorder.files[0].size), s.recorder.files[0].size};
        memcpy(s.recorder.files[2].data, s.recorder.files[0].data, s.recorder.files[0].size);
        mmd_texture_memory memory = read_all(&s, 100 * MIB);
        assert_string_equal(s.recorder.read, "dcba");
        assert_in_range(memory.held[0], 3 * SIDE * SIDE * 16 / 3, 3 * SIDE * SIDE * 16 / 3 + 100);
        assert_int_equal(s.set.same[4], 0);
        assert_null(s.set.pictures[4].image.pixels);
        assert_int_equal(s.set.pictures[0].image.pixels == NULL, damaged);
        assert_non_null(s.set.pictures[1].image.pixels);
        assert_int_equal(strstr(s.told, "texture a.png: ") != NULL, damaged);
        assert_int_equal(strstr(s.told, "texture c.png: its bytes are those of another") != NULL, damaged);
        scene_finish(&s);
    }
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* Sixteen PNGs of 16384 x 16384 pixels take 32 GiB to decode, and so do 16384 of 512 x 512. */
static void the_largest_are_not_opened_where_decoding_takes_long(void **state)
{
    (void)state;
    const mmd_image_info large = {.width = 16384, .height = 16384, .by_rows = true, .working = 1 << 30};
    const mmd_image_info medium = {.width = 512, .height = 512, .by_rows = true, .working = 1 << 20};
    const mmd_image_info small = {.width = 512, .height = 511, .by_rows = true, .working = 512 * 511 * 4};
    const uint64_t limits[] = {MIB, (uint64_t)1 << 30, (uint64_t)3 << 29};
    mmd_error error = {0};
    for (size_t i = 0; i < 3; i++) {
        mmd_texture_memory memory = mmd_texture_memory_of(limits[i]);
        for (int k = 0; k < (i < 2 ? 12 : 18); k++)
            mmd_texture_memory_add(&memory, &large);
        assert_int_equal(mmd_texture_memory_check(&memory, &large, NULL), MMD_OK);
        assert_false(mmd_texture_memory_leaves_out(&memory));
        mmd_texture_memory_add(&memory, &small);
        assert_int_equal(mmd_texture_memory_check(&memory, &large, &error), MMD_ERROR_LIMIT);
        assert_non_null(strstr(error.message, "one of the largest (16384 x 16384 pixels)"));
        assert_int_equal(mmd_texture_memory_check(&memory, &small, NULL), MMD_OK);
        assert_int_equal(mmd_texture_memory_check(&memory, &medium, NULL), MMD_OK);
        assert_true(mmd_texture_memory_leaves_out(&memory));
    }
    scene s;
    scene_make(&s);
    mmd_texture_memory memory = mmd_texture_memory_of(100 * MIB);
    for (int k = 0; k < 12288; k++)
        mmd_texture_memory_add(&memory, &medium);
    mmd_texture_memory_add(&memory, &small);
    assert_int_equal(mmd_texture_memory_check(&memory, &medium, NULL), MMD_ERROR_LIMIT);
    assert_int_equal(texture_set_measure(&s.set, &s.origin, &s.arena, &memory, NULL), MMD_OK);
    s.set.opened = texture_memory_opened(&memory);
    for (uint32_t i = 0; i < s.set.count; i++)
        assert_int_equal(texture_set_read(&s.set, s.set.order[i], &s.origin, NULL), MMD_OK);
    for (uint32_t i = 0; i < s.set.count; i++)
        assert_null(s.set.pictures[i].image.pixels);
    assert_int_equal(s.set.missing_count, 5);
    assert_non_null(strstr(s.told, "texture c.png: not decoded, because all pictures together"));
    scene_finish(&s);
}

/* Reads all textures with a reader. Returns what was told. */
static void read_with_threads(uint32_t threads, bool with_memory, char told[1024], char read[64])
{
    scene s;
    mmd_view_load *load;
    mmd_view_reader *reader;
    mmd_texture_memory memory = mmd_texture_memory_of(100 * MIB);
    scene_make(&s);
    s.recorder.files[1].data[25] = 7; /* no kind of colours */
    assert_int_equal(mmd_view_load_create(&s.model, s.source, "", &s.log, &load, NULL), MMD_OK);
    assert_int_equal(mmd_view_load_measure(load, &memory, NULL), MMD_OK);
    mmd_view_load_limit(load, &memory);
    s.recorder.has_no_memory = !with_memory;
    assert_int_equal(mmd_view_reader_create(&load, 1, &memory, threads, &reader, NULL), MMD_OK);
    mmd_status status = MMD_OK;
    for (bool more = true; more && status == MMD_OK;)
        status = mmd_view_load_read(load, &more, NULL);
    assert_int_equal(status, MMD_OK);
    assert_true(mmd_view_load_is_ready(load));
    mmd_view_reader_destroy(reader);
    mmd_view_load_destroy(NULL, load);
    snprintf(told, 1024, "%s", s.told);
    snprintf(read, 64, "%s", s.recorder.read);
    scene_finish(&s);
}

static void threads_change_neither_order_nor_messages(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    char told[1024], read[64], first[1024];
    read_with_threads(0, true, first, read);
    assert_string_equal(read, "dcba");
    assert_non_null(strstr(first, "texture b.png: "));
    for (uint32_t threads = 1; threads <= 8; threads *= 2) {
        read_with_threads(threads, false, told, read); /* the files are kept in memory */
        assert_string_equal(read, "dcba");
        assert_string_equal(told, first);
    }
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* Destroys a reader that nobody takes anything from. */
static void a_reader_can_end_early(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    for (uint32_t threads = 0; threads <= 4; threads += 2) {
        scene s;
        mmd_view_load *load;
        mmd_view_reader *reader;
        mmd_texture_memory memory = mmd_texture_memory_of(100 * MIB);
        scene_make(&s);
        assert_int_equal(mmd_view_load_create(&s.model, s.source, "", NULL, &load, NULL), MMD_OK);
        assert_int_equal(mmd_view_load_measure(load, &memory, NULL), MMD_OK);
        mmd_view_load_limit(load, &memory);
        assert_int_equal(mmd_view_reader_create(&load, 1, &memory, threads, &reader, NULL), MMD_OK);
        if (!threads) /* none will ever be read by another */
            assert_true(mmd_view_load_is_ready(load));
        mmd_view_reader_destroy(reader);
        mmd_view_load_destroy(NULL, load);
        scene_finish(&s);
    }
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read_once_in_the_order_of_the_source),
        cmocka_unit_test(a_texture_without_memory_is_an_error),
        cmocka_unit_test(textures_are_halved_until_they_fit),
        cmocka_unit_test(pictures_that_cannot_be_reduced_are_refused),
        cmocka_unit_test(pictures_are_drawn_if_they_fit),
        cmocka_unit_test(sizes_depend_on_sums),
        cmocka_unit_test(equal_pictures_are_decoded_once),
        cmocka_unit_test(the_largest_are_not_opened_where_decoding_takes_long),
        cmocka_unit_test(threads_change_neither_order_nor_messages),
        cmocka_unit_test(a_reader_can_end_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
