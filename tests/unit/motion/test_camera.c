/* The camera: MMD's values, interpolation between keyframes, and the matrices. */
#include "sample_motions.h"
#include "support.h"

#include <jansson.h>

/* ---- Sampling ---- */

static mmd_motion *read_shared_motion(const char *name)
{
    mmd_bytes bytes = shared_read(name);
    mmd_motion *motion = NULL;
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return motion;
}

/* Returns the largest difference of the camera at a frame from MMD's. */
static double difference(const mmd_motion *motion, const json_t *frame)
{
    mmd_camera camera;
    assert_true(mmd_motion_camera(motion, json_number_value(json_object_get(frame, "frame")), &camera));
    const json_t *current = json_object_get(frame, "current");
    const json_t *position = json_object_get(current, "position"),
                 *rotation = json_object_get(current, "rotation");
    double worst = fabs(camera.distance - json_number_value(json_object_get(current, "distance")));
    for (size_t i = 0; i < 3; i++) {
        worst = fmax(worst, fabs(camera.position[i] - json_number_value(json_array_get(position, i))));
        worst = fmax(worst, fabs(camera.rotation[i] - json_number_value(json_array_get(rotation, i))));
    }
    return worst;
}

static void camera_is_where_mmd_had_it_in_every_frame_of_its_dump(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    char path[4096];
    json_t *oracle =
        json_load_file(shared_path("oracle/mmd932_camera_isolated.json", path, sizeof path), 0, NULL);
    assert_non_null(oracle);
    mmd_motion *motion = read_shared_motion("data/motions/camera_isolated.vmd");
    const json_t *frames = json_object_get(oracle, "frames");
    double worst = 0.0;
    for (size_t i = 0; i < json_array_size(frames); i++)
        worst = fmax(worst, difference(motion, json_array_get(frames, i)));
    print_message("%zu frames, largest difference %g\n", json_array_size(frames), worst);
    assert_int_equal(json_array_size(frames), 37);
    /* The dump has nine digits. */
    assert_true(worst <= 1e-5);
    mmd_motion_destroy(motion);
    json_decref(oracle);
}

static mmd_camera_key key_at(uint32_t frame, float distance, bool perspective)
{
    mmd_camera_key key = {.frame = frame, .record = MMD_NO_RECORD, .value = mmd_default_camera()};
    key.value.distance = distance;
    key.value.perspective = perspective;
    return key;
}

static float distance_at(const mmd_motion *motion, double frame)
{
    mmd_camera camera = {0};
    assert_true(mmd_motion_camera(motion, frame, &camera));
    return camera.distance;
}

static void camera_holds_before_its_first_key_and_after_its_last(void **state)
{
    (void)state;
    mmd_camera_key keys[2] = {key_at(10, -5, true), key_at(20, -9, true)};
    mmd_motion motion = {.camera_keys = keys, .camera_key_count = 2};
    assert_true(distance_at(&motion, -1e300) == -5.0f);
    assert_true(distance_at(&motion, 0) == -5.0f);
    assert_true(distance_at(&motion, NAN) == -5.0f);
    assert_true(distance_at(&motion, 10) == -5.0f);
    assert_true(distance_at(&motion, 12.5) == -6.0f);
    assert_true(distance_at(&motion, 20) == -9.0f);
    assert_true(distance_at(&motion, INFINITY) == -9.0f);
}

static void camera_keys_one_frame_apart_are_a_cut(void **state)
{
    (void)state;
    mmd_camera_key keys[3] = {key_at(10, -5, true), key_at(11, -9, true), key_at(13, -1, true)};
    mmd_motion motion = {.camera_keys = keys, .camera_key_count = 3};
    assert_true(distance_at(&motion, 10.999) == -5.0f);
    assert_true(distance_at(&motion, 11) == -9.0f);
    assert_true(distance_at(&motion, 12) == -5.0f);
}

static void camera_keys_of_one_frame_the_last_wins(void **state)
{
    (void)state;
    mmd_camera_key keys[3] = {key_at(0, -5, true), key_at(0, -7, true), key_at(10, -17, true)};
    mmd_motion motion = {.camera_keys = keys, .camera_key_count = 3};
    assert_true(distance_at(&motion, 0) == -7.0f);
    assert_true(distance_at(&motion, 5) == -12.0f);
}

static void camera_perspective_is_the_earlier_keys(void **state)
{
    (void)state;
    mmd_camera_key keys[2] = {key_at(0, -5, false), key_at(10, -5, true)};
    mmd_motion motion = {.camera_keys = keys, .camera_key_count = 2};
    mmd_camera camera;
    assert_true(mmd_motion_camera(&motion, 9.9, &camera) && !camera.perspective);
    assert_true(mmd_motion_camera(&motion, 10, &camera) && camera.perspective);
}

static void camera_channels_follow_their_own_curves_of_the_later_key(void **state)
{
    (void)state;
    mmd_camera_key keys[2] = {key_at(0, 0, true), key_at(8, 1, true)};
    for (int i = 0; i < 3; i++) {
        keys[0].value.position[i] = keys[0].value.rotation[i] = 0.0f;
        keys[1].value.position[i] = keys[1].value.rotation[i] = 1.0f;
    }
    keys[0].value.fov = 0.0f;
    keys[1].value.fov = 1.0f;
    mmd_motion motion = {.camera_keys = keys, .camera_key_count = 2};
    for (int channel = 0; channel < MMD_CAMERA_CHANNELS; channel++) {
        memset(keys[0].curve, 77, sizeof keys[0].curve); /* the earlier keyframe's curves do not apply */
        for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
            keys[1].curve[i] = SAMPLE_LINEAR;
        keys[1].curve[channel] = SAMPLE_STEEP;
        mmd_camera c;
        assert_true(mmd_motion_camera(&motion, 2, &c));
        const float seen[MMD_CAMERA_CHANNELS] = {c.position[0], c.position[1], c.position[2],
                                                 c.rotation[0], c.distance,    c.fov};
        for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
            assert_true(seen[i] == (i == channel ? mmd_curve_value(SAMPLE_STEEP, 0.25f) : 0.25f));
        assert_true(c.rotation[1] == c.rotation[0] && c.rotation[2] == c.rotation[0]);
    }
}

static void angles_are_not_wrapped(void **state)
{
    (void)state;
    mmd_camera_key keys[2] = {key_at(0, 0, true), key_at(10, 0, true)};
    keys[1].value.rotation[1] = 8.0f;
    mmd_motion motion = {.camera_keys = keys, .camera_key_count = 2};
    mmd_camera camera;
    assert_true(mmd_motion_camera(&motion, 5, &camera));
    assert_true(camera.rotation[1] == 4.0f);
}

static void scene_values_are_left_alone_without_keys(void **state)
{
    (void)state;
    mmd_motion motion = {0};
    mmd_camera camera = mmd_default_camera();
    mmd_light light = mmd_default_light();
    mmd_self_shadow shadow = mmd_default_self_shadow();
    assert_false(mmd_motion_camera(&motion, 0, &camera));
    assert_false(mmd_motion_light(&motion, 0, &light));
    assert_false(mmd_motion_self_shadow(&motion, 0, &shadow));
    assert_true(camera.distance == -45.0f && camera.position[1] == 10.0f && camera.fov == 30.0f &&
                camera.perspective);
    assert_true(light.color[0] == 0.6f && light.direction[1] == -1.0f);
    assert_true(shadow.mode == 1 && fabsf(10000.0f - 100000.0f * shadow.distance - 8875.0f) < 0.01f);
}

static void light_is_mixed_and_shadow_mode_steps(void **state)
{
    (void)state;
    mmd_light_key lights[2] = {{.frame = 0}, {.frame = 4, .value = {{1, 0.5f, 0}, {-2, 4, 8}}}};
    mmd_self_shadow_key shadows[2] = {{.frame = 0, .value = {2, 0.0f}}, {.frame = 4, .value = {1, 1.0f}}};
    mmd_motion motion = {
        .light_keys = lights, .light_key_count = 2, .self_shadow_keys = shadows, .self_shadow_key_count = 2};
    mmd_light light;
    mmd_self_shadow shadow;
    assert_true(mmd_motion_light(&motion, 1, &light));
    assert_true(light.color[0] == 0.25f && light.color[1] == 0.125f && light.direction[2] == 2.0f);
    assert_true(mmd_motion_self_shadow(&motion, 3, &shadow));
    assert_true(shadow.mode == 2 && shadow.distance == 0.75f);
    assert_true(mmd_motion_self_shadow(&motion, 4, &shadow));
    assert_true(shadow.mode == 1 && shadow.distance == 1.0f);
}

/* ---- Matrices ---- */

static void transform(const float m[16], const float v[4], float out[4])
{
    for (int row = 0; row < 4; row++) {
        out[row] = 0.0f;
        for (int column = 0; column < 4; column++)
            out[row] += m[4 * column + row] * v[column];
    }
}

/* Computes the normalised device coordinates of a world position. */
static void project(const mmd_camera *camera, float aspect, float x, float y, float z, float ndc[3])
{
    float view[16], projection[16], seen[4], clip[4];
    mmd_camera_matrices(camera, aspect, view, projection, NULL);
    transform(view, (float[4]){x, y, z, 1.0f}, seen);
    transform(projection, seen, clip);
    for (int i = 0; i < 3; i++)
        ndc[i] = clip[i] / clip[3];
}

static mmd_camera random_camera(uint64_t *seed)
{
    mmd_camera camera = mmd_default_camera();
    float *values[7] = {&camera.position[0], &camera.position[1], &camera.position[2], &camera.rotation[0],
                        &camera.rotation[1], &camera.rotation[2], &camera.distance};
    for (int i = 0; i < 7; i++)
        *values[i] = 10.0f * ((float)(test_random(seed) >> 40) / 16777216.0f - 0.5f);
    return camera;
}

static void eye_is_where_mmd_says_and_where_the_view_has_its_origin(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int i = 0; i < 1000; i++) {
        mmd_camera camera = random_camera(&seed);
        float view[16], eye[3], origin[4];
        mmd_camera_matrices(&camera, 1.0f, view, NULL, eye);
        /* docs/mmd.md 3.6, with the angles as MMD shows them. */
        double distance = -camera.distance, x = -camera.rotation[0], y = camera.rotation[1];
        const double wanted[3] = {camera.position[0] + distance * sin(y) * cos(x),
                                  camera.position[1] + distance * sin(x),
                                  camera.position[2] - distance * cos(y) * cos(x)};
        transform(view, (float[4]){eye[0], eye[1], eye[2], 1.0f}, origin);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(eye[k] - wanted[k]) < 1e-5);
            assert_true(fabsf(origin[k]) < 1e-5f);
        }
    }
}

static void view_is_a_rigid_left_handed_motion(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 1000; i++) {
        mmd_camera camera = random_camera(&seed);
        float m[16], target[4];
        mmd_camera_matrices(&camera, 1.0f, m, NULL, NULL);
        double determinant = (double)m[0] * ((double)m[5] * m[10] - (double)m[9] * m[6]) -
                             (double)m[4] * ((double)m[1] * m[10] - (double)m[9] * m[2]) +
                             (double)m[8] * ((double)m[1] * m[6] - (double)m[5] * m[2]);
        assert_true(fabs(determinant - 1.0) < 1e-5);
        transform(m, (float[4]){camera.position[0], camera.position[1], camera.position[2], 1.0f}, target);
        assert_true(fabsf(target[0]) < 1e-5f && fabsf(target[1]) < 1e-5f);
        assert_true(fabsf(target[2] + camera.distance) < 1e-5f);
    }
}

static void right_stays_right_and_up_stays_up_and_near_is_nearer(void **state)
{
    (void)state;
    for (int perspective = 0; perspective < 2; perspective++) {
        mmd_camera camera = mmd_default_camera();
        camera.perspective = perspective;
        float target[3], right[3], up[3], far[3];
        project(&camera, 2.0f, 0, 10, 0, target);
        project(&camera, 2.0f, 5, 10, 0, right);
        project(&camera, 2.0f, 0, 15, 0, up);
        project(&camera, 2.0f, 0, 10, 5, far);
        assert_true(fabsf(target[0]) < 1e-6f && fabsf(target[1]) < 1e-6f);
        assert_true(right[0] > 0.01f && fabsf(right[1]) < 1e-6f);
        assert_true(up[1] > 0.01f && fabsf(up[0]) < 1e-6f);
        assert_true(far[2] > target[2]);
        /* A unit is as wide as high, also in a window that is twice as wide as high. */
        assert_true(fabsf(up[1] / right[0] - 2.0f) < 1e-5f);
    }
}

/* Angles as MMD shows them: a positive X looks down from above. A positive roll rotates the image by Rz of
 * docs/mmd.md. */
static void angles_turn_the_view_as_mmd_does(void **state)
{
    (void)state;
    mmd_camera camera = mmd_default_camera();
    float eye[3], view[16], seen[4];
    camera.rotation[0] = -0.5f;
    mmd_camera_matrices(&camera, 1.0f, NULL, NULL, eye);
    assert_true(eye[1] > 10.0f);
    camera = mmd_default_camera();
    camera.rotation[2] = 0.5f;
    mmd_camera_matrices(&camera, 1.0f, view, NULL, NULL);
    transform(view, (float[4]){1, 10, 0, 1}, seen);
    assert_true(fabsf(seen[0] - cosf(0.5f)) < 1e-5f && fabsf(seen[1] - sinf(0.5f)) < 1e-5f);
}

static void field_of_view_is_vertical(void **state)
{
    (void)state;
    mmd_camera camera = mmd_default_camera();
    float ndc[3];
    float top = 45.0f * tanf(15.0f * 3.14159265f / 180.0f);
    for (float aspect = 0.5f; aspect <= 2.0f; aspect *= 2.0f) {
        project(&camera, aspect, top * aspect, 10 + top, 0, ndc);
        assert_true(fabsf(ndc[0] - 1.0f) < 1e-5f && fabsf(ndc[1] - 1.0f) < 1e-5f);
    }
}

static void depth_spans_near_to_far(void **state)
{
    (void)state;
    mmd_camera camera = mmd_default_camera();
    camera.distance = 0.0f; /* valid: the eye is at the target */
    float ndc[3];
    project(&camera, 1.0f, 0, 10, 0.5f, ndc);
    assert_true(fabsf(ndc[2] + 1.0f) < 1e-5f);
    project(&camera, 1.0f, 0, 10, 10000.0f, ndc);
    assert_true(fabsf(ndc[2] - 1.0f) < 1e-5f);
}

static void parallel_view_shows_as_many_units_as_the_distance_on_its_longer_side(void **state)
{
    (void)state;
    mmd_camera camera = mmd_default_camera();
    camera.perspective = false;
    float ndc[3];
    project(&camera, 2.0f, 22.5f, 10, 7, ndc);
    assert_true(fabsf(ndc[0] - 1.0f) < 1e-5f);
    project(&camera, 0.5f, 0, 10 + 22.5f, -7, ndc);
    assert_true(fabsf(ndc[1] - 1.0f) < 1e-5f);
}

static void strange_cameras_still_have_finite_matrices(void **state)
{
    (void)state;
    static const float strange[] = {0.0f, -10.0f, 180.0f, 1000.0f, 4294967295.0f, NAN};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        for (int perspective = 0; perspective < 2; perspective++) {
            mmd_camera camera = mmd_default_camera();
            camera.fov = strange[i];
            camera.distance = i % 2 ? 0.0f : 20.0f;
            camera.perspective = perspective;
            float view[16], projection[16], eye[3];
            mmd_camera_matrices(&camera, 1.0f, view, projection, eye);
            for (int k = 0; k < 16; k++)
                assert_true(isfinite(view[k]) && isfinite(projection[k]));
            assert_true(projection[0] > 0.0f && projection[5] > 0.0f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(camera_is_where_mmd_had_it_in_every_frame_of_its_dump),
        cmocka_unit_test(camera_holds_before_its_first_key_and_after_its_last),
        cmocka_unit_test(camera_keys_one_frame_apart_are_a_cut),
        cmocka_unit_test(camera_keys_of_one_frame_the_last_wins),
        cmocka_unit_test(camera_perspective_is_the_earlier_keys),
        cmocka_unit_test(camera_channels_follow_their_own_curves_of_the_later_key),
        cmocka_unit_test(angles_are_not_wrapped),
        cmocka_unit_test(scene_values_are_left_alone_without_keys),
        cmocka_unit_test(light_is_mixed_and_shadow_mode_steps),
        cmocka_unit_test(eye_is_where_mmd_says_and_where_the_view_has_its_origin),
        cmocka_unit_test(view_is_a_rigid_left_handed_motion),
        cmocka_unit_test(right_stays_right_and_up_stays_up_and_near_is_nearer),
        cmocka_unit_test(angles_turn_the_view_as_mmd_does),
        cmocka_unit_test(field_of_view_is_vertical),
        cmocka_unit_test(depth_spans_near_to_far),
        cmocka_unit_test(parallel_view_shows_as_many_units_as_the_distance_on_its_longer_side),
        cmocka_unit_test(strange_cameras_still_have_finite_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
