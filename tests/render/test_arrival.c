/* Models that are shown before their textures: what is drawn first, meanwhile and last
 * (mmd_view_adding_arrive). */
#include "squares.h"

#include "mmd/gpu_objects.h"
#include "mmd/view_load.h"

enum { MATERIALS = 6, FILES = 4 };

/* Fields of the pictures, row by row from the top. */
static const uint8_t opaque[16] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 90, 60, 30, 255},
                     with_holes[16] = {255, 0, 0, 255, 0, 255, 0, 0, 0, 0, 255, 160, 255, 255, 0, 0},
                     dark[16] = {40, 80, 120, 255, 120, 80, 40, 255, 10, 20, 30, 255, 60, 60, 60, 255},
                     toon[16] = {200, 220, 160, 255, 200, 220, 160, 255,
                                 120, 90,  200, 255, 120, 90,  200, 255};

/* A model whose materials use pictures in every way: two that are missing or broken, too. */
static mmd_model *make_model(void)
{
    static const char *const names[] = {"opaque.png", "holes.png", "dark.png",
                                        "toon.png",   "none.png",  "broken.png"};
    mmd_model *model = made_model(&(made_sizes){.vertices = 4 * MATERIALS,
                                                .indices = 6 * MATERIALS,
                                                .bones = 1,
                                                .materials = MATERIALS,
                                                .textures = sizeof names / sizeof *names});
    memcpy(model->textures, names, sizeof names);
    for (uint32_t i = 0; i < MATERIALS; i++) {
        made_square(model, 4 * i, 6 * i, -4.0f + 2.6f * (float)(i % 3), i < 3 ? 6.0f : 10.0f, 0.0f, 2.5f);
        mmd_material *material = &model->materials[i];
        material->first_index = 6 * i;
        material->index_count = 6;
        material->flags |= MMD_MATERIAL_TWO_SIDED | MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_EDGE;
        material->edge_size = 1.0f;
        material->texture = i == 5 ? 0 : (int32_t)i;
    }
    model->materials[2].sphere = 1;
    model->materials[2].sphere_mode = MMD_SPHERE_MULTIPLY;
    model->materials[3].texture = 5;
    model->materials[3].toon = 3;
    model->materials[5].sphere = 2;
    model->materials[5].sphere_mode = MMD_SPHERE_ADD;
    model->materials[5].toon = 3;
    made_finish(model);
    return model;
}

/* A view of that model, on a stage. */
typedef struct arrival {
    mmd_gpu *gpu;
    mmd_view *view;
    mmd_view_adding *adding;
    mmd_source *source;
    mmd_model *model;
    mmd_actor *actor;
    mmd_stage *stage;
    mmd_gpu_target target;
    char told[2048];
} arrival;

static void note(void *user, mmd_log_level level, const char *text)
{
    arrival *a = user;
    size_t length = strlen(a->told);
    if (level <= MMD_LOG_WARNING)
        snprintf(a->told + length, sizeof a->told - length, "%s\n", text);
}

/* Opens the view and begins to read from a source. */
static void open_from(arrival *a, mmd_source *source, uint32_t threads, bool arrives)
{
    const mmd_log log = {.write = note, .user = a, .level = MMD_LOG_WARNING};
    mmd_texture_memory memory = mmd_texture_memory_of(1 << 30);
    size_t failed;
    *a = (arrival){.model = make_model(), .source = source, .stage = mmd_stage_create()};
    a->actor = mmd_actor_create(a->model);
    assert_true(a->source && a->actor && a->stage);
    ASSERT_OK(mmd_stage_add_actor(a->stage, a->actor, error));
    set_camera(a->stage);
    const mmd_view_addition added = {a->model, a->source, "", "squares"};
    const mmd_view_adding_desc desc = {
        .models = &added, .count = 1, .threads = threads, .arrives = arrives, .log = &log};
    ASSERT_OK(mmd_view_adding_create(&desc, &memory, &a->adding, &failed, error));
    ASSERT_OK(mmd_gpu_create_headless(&log, &a->gpu, error));
    ASSERT_OK(mmd_view_create(a->gpu, &log, &a->view, error));
}

/* The pictures, but for the missing one. */
static mmd_memory_file files[FILES + 1] = {[FILES] = {"broken.png", "no picture", 10}};
static mmd_buffer pngs[FILES];

static int make_files(void **state)
{
    static const uint8_t *const fields[FILES] = {opaque, with_holes, dark, toon};
    static const char *const names[FILES] = {"opaque.png", "holes.png", "dark.png", "toon.png"};
    (void)state;
    for (int i = 0; i < FILES; i++)
        files[i] = small_png(names[i], fields[i], &pngs[i]);
    return 0;
}

static int finish_files(void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++)
        mmd_buffer_finish(&pngs[i]);
    return 0;
}

static void begin_view(arrival *a, bool has_files, uint32_t threads, bool arrives)
{
    open_from(a, mmd_source_memory(files, has_files ? FILES + 1 : 0), threads, arrives);
}

/* Opens a view with all textures that there are. */
static void open_complete(arrival *a, bool has_files)
{
    size_t failed;
    begin_view(a, has_files, 0, false);
    ASSERT_OK(mmd_view_adding_put(a->adding, a->view, &failed, error));
}

/* Lets textures arrive for a time. Returns in how many steps. */
static uint32_t wait_for(arrival *a, double seconds)
{
    uint32_t arrived;
    size_t failed;
    ASSERT_OK(mmd_view_adding_arrive(a->adding, a->view, seconds, &arrived, &failed, error));
    return arrived;
}

/* Opens a view that shows the model before any texture. */
static void open_early(arrival *a)
{
    begin_view(a, true, 1, true);
    assert_int_equal(wait_for(a, 0), 0);
    assert_false(mmd_view_adding_is_done(a->adding));
}

static void end_view(arrival *a)
{
    mmd_view_adding_destroy(a->adding, a->view);
    mmd_gpu_target_finish(a->gpu, &a->target);
    mmd_stage_destroy(a->stage);
    mmd_actor_destroy(a->actor);
    mmd_view_destroy(a->view);
    mmd_gpu_destroy(a->gpu);
    mmd_source_destroy(a->source);
    made_destroy(a->model);
}

typedef struct drawing {
    uint8_t pixels[4 * SIZE * SIZE];
} drawing;

static mmd_view_options options_of(void)
{
    mmd_view_options options = mmd_default_view_options();
    options.background[0] = 0.5f;
    options.ground_shadow = true;
    return options;
}

/* Draws as a window does. */
static void draw_window(arrival *a, drawing *d)
{
    const mmd_view_options options = options_of();
    ASSERT_OK(mmd_gpu_target_resize(a->gpu, &a->target, SIZE, SIZE, 0, error));
    ASSERT_OK(mmd_view_draw(a->view, a->stage, &options, a->target.framebuffer, SIZE, SIZE, error));
    mmd_gpu_target_read(a->gpu, &a->target, d->pixels);
}

static void draw_picture(arrival *a, drawing *d)
{
    const mmd_view_options options = options_of();
    mmd_image image = {0};
    ASSERT_OK(mmd_view_picture(a->view, a->stage, &options, SIZE, SIZE, &image, error));
    memcpy(d->pixels, image.pixels, sizeof d->pixels);
    mmd_image_finish(&image);
}

static void expect_equal(const drawing *a, const drawing *b)
{
    assert_memory_equal(a->pixels, b->pixels, sizeof a->pixels);
}

static void the_first_picture_is_without_textures_and_the_last_complete(void **state)
{
    (void)state;
    arrival bare, complete, a;
    drawing without, with, drawn;
    open_complete(&bare, false);
    draw_window(&bare, &without);
    open_complete(&complete, true);
    draw_window(&complete, &with);
    assert_memory_not_equal(with.pixels, without.pixels, sizeof with.pixels);

    open_early(&a);
    draw_window(&a, &drawn);
    expect_equal(&drawn, &without);
    assert_int_equal(wait_for(&a, 0), 0);
    /* Drawn after every step, so that what is prepared for few textures is not kept for more. */
    drawing before = drawn;
    int changes = 0;
    for (uint32_t steps = 0; !mmd_view_adding_is_done(a.adding); before = drawn) {
        steps += wait_for(&a, 1e-6);
        assert_true(steps <= MATERIALS + 1); /* one for each texture, and the last one */
        draw_window(&a, &drawn);
        changes += memcmp(drawn.pixels, before.pixels, sizeof drawn.pixels) != 0;
    }
    assert_int_equal(changes, FILES); /* each picture shows as soon as it is there */
    expect_equal(&drawn, &with);
    draw_window(&a, &drawn);
    expect_equal(&drawn, &with);
    assert_int_equal(wait_for(&a, INFINITY), 0);
    assert_string_equal(a.told, complete.told);
    assert_non_null(strstr(a.told, "none.png"));
    assert_non_null(strstr(a.told, "broken.png"));
    assert_int_equal(mmd_view_missing_textures(a.view, a.model, NULL), 2);
    end_view(&a);
    end_view(&complete);
    end_view(&bare);
}

static void pictures_and_ids_wait_for_textures(void **state)
{
    (void)state;
    static uint32_t ids[SIZE * SIZE][3], wanted_ids[SIZE * SIZE][3];
    const mmd_view_options options = options_of();
    arrival complete, a;
    drawing wanted, drawn;
    mmd_image image = {0};
    open_complete(&complete, true);
    draw_picture(&complete, &wanted);
    ASSERT_OK(mmd_view_ids(complete.view, complete.stage, &options, SIZE, SIZE, wanted_ids, error));
    draw_window(&complete, &drawn);

    open_early(&a);
    draw_picture(&a, &drawn);
    expect_equal(&drawn, &wanted);
    assert_true(mmd_view_adding_is_done(a.adding));
    end_view(&a);
    open_early(&a);
    draw_window(&a, &drawn);
    ASSERT_OK(mmd_view_picture_begin(a.view, a.stage, &options, SIZE, SIZE, error));
    ASSERT_OK(mmd_view_picture_take(a.view, &image, error));
    assert_memory_equal(image.pixels, wanted.pixels, sizeof wanted.pixels);
    mmd_image_finish(&image);
    end_view(&a);
    open_early(&a);
    ASSERT_OK(mmd_view_ids(a.view, a.stage, &options, SIZE, SIZE, ids, error));
    assert_memory_equal(ids, wanted_ids, sizeof ids);
    draw_picture(&a, &drawn);
    expect_equal(&drawn, &wanted);
    end_view(&a);
    open_early(&a);
    size_t failed;
    ASSERT_OK(mmd_view_adding_put(a.adding, a.view, &failed, error)); /* waits likewise */
    assert_true(mmd_view_adding_is_done(a.adding));
    draw_picture(&a, &drawn);
    expect_equal(&drawn, &wanted);
    end_view(&a);
    end_view(&complete);
}

static void models_can_go_before_their_textures(void **state)
{
    (void)state;
    arrival bare, a;
    drawing without, drawn;
    open_complete(&bare, false);
    draw_window(&bare, &without);
    end_view(&bare);

    open_early(&a);
    mmd_view_remove_model(a.view, a.model);
    assert_true(mmd_view_adding_is_done(a.adding));
    draw_window(&a, &drawn);
    end_view(&a);

    open_early(&a); /* the adding ends early: what has come stays */
    mmd_view_adding_destroy(a.adding, a.view);
    a.adding = NULL;
    draw_window(&a, &drawn);
    expect_equal(&drawn, &without);
    draw_picture(&a, &drawn);
    end_view(&a);

    begin_view(&a, true, 1, true); /* nothing was shown */
    end_view(&a);
    open_early(&a);
    end_view(&a);
}

static mmd_status read_without_memory(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    (void)self, (void)bytes;
    return mmd_error_set(error, MMD_ERROR_MEMORY, name, MMD_NO_OFFSET, "no memory");
}

static bool list_one(void *self, const char *folder,
                     bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    (void)self;
    return *folder ? false : visit(user, "opaque.png", false) || true;
}

static void what_fails_fails_again(void **state)
{
    (void)state;
    static const mmd_source_ops ops = {read_without_memory, list_one, NULL};
    arrival a;
    mmd_error error = {0};
    mmd_image image = {0};
    drawing drawn;
    uint32_t arrived;
    size_t failed;
    const mmd_view_options options = options_of();
    open_from(&a, mmd_source_create(&ops, NULL), 1, true);
    assert_int_equal(wait_for(&a, 0), 0);
    draw_window(&a, &drawn);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(mmd_view_adding_arrive(a.adding, a.view, INFINITY, &arrived, &failed, &error),
                         MMD_ERROR_MEMORY);
        assert_int_equal(error.code, MMD_ERROR_MEMORY);
        error = (mmd_error){0};
        assert_int_equal(failed, 0);
        assert_int_equal(mmd_view_picture(a.view, a.stage, &options, SIZE, SIZE, &image, &error),
                         MMD_ERROR_MEMORY);
    }
    mmd_image_finish(&image);
    draw_window(&a, &drawn);
    mmd_view_remove_model(a.view, a.model);
    draw_window(&a, &drawn);
    end_view(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_picture_is_without_textures_and_the_last_complete),
        cmocka_unit_test(pictures_and_ids_wait_for_textures),
        cmocka_unit_test(models_can_go_before_their_textures),
        cmocka_unit_test(what_fails_fails_again),
    };
    return cmocka_run_group_tests(tests, make_files, finish_files);
}
