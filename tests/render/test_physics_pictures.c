/* Physics in images: a frame has the same bytes however it was reached, and the bundled dancer's skirt stays
 * outside her legs. */
#include "render_support.h"

#include <unistd.h>

#include "mmd/simulation.h"

enum { WIDTH = 300, HEIGHT = 400 };

typedef struct dancer_stage {
    test_scene scene;
    mmd_motion *dance;
} dancer_stage;

static void read_file(const char *name, mmd_bytes *bytes)
{
    char path[1024];
    snprintf(path, sizeof path, ODORI_BINARY "/dancer/%s", name);
    ASSERT_OK(mmd_file_read(path, bytes, error));
}

/* Opens the bundled dancer with her dance. Skips the test if the build did not generate her. */
static void open_dancer(dancer_stage *d, const mmd_physics_options *options)
{
    mmd_bytes model = {0}, motion = {0};
    if (access(ODORI_BINARY "/dancer/dance.vmd", R_OK) != 0)
        test_skip("the build made no dancer");
    read_file("dancer.pmx", &model);
    read_file("dance.vmd", &motion);
    test_scene_open_gpu(&d->scene);
    ASSERT_OK(mmd_model_read(model.data, model.size, &d->scene.model, error));
    ASSERT_OK(mmd_vmd_read(motion.data, motion.size, &d->dance, error));
    d->scene.source = mmd_source_folder(ODORI_BINARY "/dancer");
    test_scene_stage(&d->scene);
    ASSERT_OK(mmd_actor_add_motion(d->scene.actor, d->dance, error));
    ASSERT_OK(mmd_view_add_model(d->scene.view, d->scene.model, d->scene.source, "", error));
    if (options)
        ASSERT_OK(mmd_stage_set_physics(d->scene.stage, options, error));
    mmd_bytes_finish(&motion);
    mmd_bytes_finish(&model);
}

static void close_dancer(dancer_stage *d)
{
    test_scene_close(&d->scene);
    mmd_motion_destroy(d->dance);
}

/* Returns the image of a frame as a PNG. */
static mmd_buffer picture(dancer_stage *d, double frame)
{
    mmd_image image = {0};
    mmd_buffer png = {0};
    mmd_view_options options = mmd_default_view_options();
    mmd_stage_set_frame(d->scene.stage, frame);
    ASSERT_OK(mmd_view_picture(d->scene.view, d->scene.stage, &options, WIDTH, HEIGHT, &image, error));
    ASSERT_OK(mmd_png_write(&image, &(mmd_png_options){0}, &png, error));
    mmd_image_finish(&image);
    return png;
}

static bool is_same(const mmd_buffer *a, const mmd_buffer *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static void pictures_are_the_same_however_one_got_there(void **state)
{
    (void)state;
    static const double rates[] = {24, 30, 60, 144};
    mmd_physics_options options = mmd_default_physics_options();
    dancer_stage d;
    options.run_ahead = false;
    open_dancer(&d, &options);
    mmd_buffer sought = picture(&d, 300), back = picture(&d, 75), still = {0};
    for (int i = 0; i < 8; i++) {
        options.run_ahead = i % 2;
        options.shared_world = i < 4;
        options.threads = (uint32_t)i / 2;
        options.cache_bytes = i == 5 ? 0 : options.cache_bytes;
        ASSERT_OK(mmd_stage_set_physics(d.scene.stage, &options, error));
        for (int k = 0; k < 10 * rates[i / 2]; k++)
            mmd_stage_set_frame(d.scene.stage, k * 30 / rates[i / 2]);
        mmd_buffer played = picture(&d, 300), earlier = picture(&d, 75);
        assert_true(is_same(&played, &sought));
        assert_true(is_same(&earlier, &back));
        mmd_buffer_finish(&played);
        mmd_buffer_finish(&earlier);
    }
    ASSERT_OK(mmd_stage_set_physics(d.scene.stage, NULL, error));
    still = picture(&d, 300);
    assert_false(is_same(&still, &sought));
    mmd_buffer_finish(&still);
    mmd_buffer_finish(&back);
    mmd_buffer_finish(&sought);
    close_dancer(&d);
}

/* Returns the distance of a point from the line through two points. */
static double from_line(const float p[3], const float a[3], const float b[3])
{
    double along = 0, length = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        along += (double)(p[k] - a[k]) * (double)(b[k] - a[k]);
        length += (double)(b[k] - a[k]) * (double)(b[k] - a[k]);
    }
    double t = fmin(fmax(along / length, 0), 1);
    for (int k = 0; k < 3; k++)
        sum += pow((double)p[k] - (double)a[k] - t * (double)(b[k] - a[k]), 2);
    return sqrt(sum);
}

static const float *bone_at(dancer_stage *d, const char *name)
{
    int32_t bone = mmd_model_find_bone(d->scene.model, name);
    assert_true(bone >= 0);
    return mmd_pose_world(mmd_actor_pose(d->scene.actor))[bone].translation;
}

/* The bones of the hem stay outside the thighs and below the waist during the whole dance, so the skirt does
 * not fold over. */
static void the_skirt_hangs_outside_of_the_legs(void **state)
{
    (void)state;
    mmd_physics_options options = mmd_default_physics_options();
    dancer_stage d;
    double nearest = 100, highest = -100;
    uint32_t hems = 0;
    open_dancer(&d, &options);
    for (int frame = 0; frame <= 1200; frame++) {
        mmd_stage_set_frame(d.scene.stage, frame);
        const float *waist = bone_at(&d, "下半身");
        hems = 0;
        for (uint32_t b = 0; b < d.scene.model->bone_count; b++) {
            if (!strstr(d.scene.model->bones[b].name, "スカート3"))
                continue;
            const float *hem = mmd_pose_world(mmd_actor_pose(d.scene.actor))[b].translation;
            nearest = fmin(nearest, from_line(hem, bone_at(&d, "左足"), bone_at(&d, "左ひざ")));
            nearest = fmin(nearest, from_line(hem, bone_at(&d, "右足"), bone_at(&d, "右ひざ")));
            highest = fmax(highest, (double)(hem[1] - waist[1]));
            hems++;
        }
    }
    print_message("the hem is %.2f from the thighs' middles at least, %.2f above the waist at most\n",
                  nearest, highest);
    assert_true(hems > 0);
    assert_true(nearest > 0.6);
    assert_true(highest < -0.4);
    assert_int_equal(mmd_stage_physics_report(d.scene.stage).reset_bodies, 0);
    close_dancer(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_the_same_however_one_got_there),
        cmocka_unit_test(the_skirt_hangs_outside_of_the_legs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
