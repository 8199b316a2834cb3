/* Tests the bundled dance and its camera on the bundled dancer's skeleton: planted feet do not move, and the
 * camera keeps its distance from her and sees her. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "dance/dance.h"
#include "dance/dance_phrases.h"
#include "mmd/actor.h"
#include "mmd/format.h"
#include "mmd/text.h"
#include "rig/rig.h"
#include "music/score.h"

enum { PLANTS_MAX = 400, LAST_QUARTER = 4 * SCORE_FRAMES };

static const char *const ankle_names[2] = {"左足首", "右足首"}, *const toe_names[2] = {"左つま先",
                                                                                       "右つま先"};
static const char *const goal_names[2] = {"左足ＩＫ", "右足ＩＫ"};

typedef struct dancing {
    rig rig;
    mmd_arena arena;
    mmd_model model;
    mmd_motion *dance, *camera;
    mmd_actor *actor;
} dancing;

static mmd_motion *read_motion(void (*make)(mmd_buffer *vmd))
{
    mmd_buffer vmd = {0};
    mmd_motion *motion = NULL;
    mmd_error error = {0};
    make(&vmd);
    assert_false(vmd.failed);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, &error), MMD_OK);
    mmd_buffer_finish(&vmd);
    return motion;
}

static int start(void **state)
{
    dancing *d = mmd_alloc(sizeof *d);
    assert_non_null(d);
    memset(d, 0, sizeof *d);
    d->rig.arena = &d->arena;
    rig_body(&d->rig);
    rig_finish(&d->rig);
    d->model.name = d->model.name_en = d->model.comment = d->model.comment_en = "";
    d->model.bones = d->rig.bones;
    d->model.bone_count = d->rig.count;
    mmd_error error = {0};
    assert_int_equal(mmd_model_prepare(&d->model, &error), MMD_OK);
    d->dance = read_motion(dance_make);
    d->camera = read_motion(camera_make);
    d->actor = mmd_actor_create(&d->model);
    assert_non_null(d->actor);
    assert_int_equal(mmd_actor_add_motion(d->actor, d->dance, &error), MMD_OK);
    *state = d;
    return 0;
}

static int stop(void **state)
{
    dancing *d = *state;
    mmd_actor_destroy(d->actor);
    mmd_motion_destroy(d->dance);
    mmd_motion_destroy(d->camera);
    mmd_arena_finish(&d->model.arena);
    mmd_arena_finish(&d->arena);
    mmd_free(d);
    return 0;
}

static const float *bone_at(const dancing *d, const char *name)
{
    int32_t bone = mmd_model_find_bone(&d->model, name);
    assert_true(bone >= 0);
    return mmd_pose_world(mmd_actor_pose(d->actor))[bone].translation;
}

static double distance(const float a[3], const float b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/* Tests */

static void same_bytes_twice(void **state)
{
    (void)state;
    void (*const makers[])(mmd_buffer * vmd) = {dance_make, camera_make};
    for (int i = 0; i < 2; i++) {
        mmd_buffer a = {0}, b = {0};
        makers[i](&a);
        makers[i](&b);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        mmd_buffer_finish(&a);
        mmd_buffer_finish(&b);
    }
}

/* A key before the last key of its bone would be lost. */
static void rows_are_in_order(void **state)
{
    (void)state;
    float move = -1, step = -1, hip = -1;
    for (int e = 0; e < dance_order_count; e++) {
        const dance_phrase *phrase = dance_order[e].phrase;
        for (int i = 0; i < phrase->move_count; i++) {
            assert_true(dance_entry_move(&dance_order[e], i).beat > move);
            move = dance_entry_move(&dance_order[e], i).beat;
        }
        for (int i = 0; i < phrase->hip_count; i++) {
            assert_true(dance_entry_hip(&dance_order[e], i).beat > hip);
            hip = dance_entry_hip(&dance_order[e], i).beat;
        }
        for (int i = 0; i < phrase->step_count; i++) {
            assert_true(dance_entry_step(&dance_order[e], i).beat >= step);
            step = dance_entry_step(&dance_order[e], i).beat;
        }
        int end = dance_order[e].bar + phrase->bars;
        assert_int_equal(end, e + 1 < dance_order_count ? dance_order[e + 1].bar : SCORE_BARS);
    }
}

static void lasts_as_long_as_the_music(void **state)
{
    const dancing *d = *state;
    assert_int_equal(d->dance->last_frame, SCORE_FRAMES);
    assert_int_equal(d->camera->last_frame, SCORE_FRAMES);
    for (uint32_t i = 0; i < d->dance->bone_track_count; i++) {
        const mmd_bone_track *track = &d->dance->bone_tracks[i];
        assert_int_equal(track->frames[0], 0);
        assert_int_equal(track->frames[track->count - 1], SCORE_FRAMES);
    }
}

/* No two keys at one frame, unit quaternions, weights from 0 to 1. */
static void keys_are_clean(void **state)
{
    const dancing *d = *state;
    for (uint32_t i = 0; i < d->dance->bone_track_count; i++) {
        const mmd_bone_track *track = &d->dance->bone_tracks[i];
        for (uint32_t k = 0; k < track->count; k++) {
            const float *q = track->keys[k].rotation;
            assert_float_equal(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-4f);
            assert_true(k == 0 || track->frames[k] > track->frames[k - 1]);
        }
    }
    for (uint32_t i = 0; i < d->dance->morph_track_count; i++) {
        const mmd_morph_track *track = &d->dance->morph_tracks[i];
        for (uint32_t k = 0; k < track->count; k++) {
            assert_true(track->weights[k] >= 0 && track->weights[k] <= 1);
            assert_true(k == 0 || track->frames[k] > track->frames[k - 1]);
        }
    }
}

static void every_bone_is_on_the_skeleton(void **state)
{
    const dancing *d = *state;
    for (uint32_t i = 0; i < d->dance->bone_track_count; i++) {
        bool found = false;
        for (uint32_t b = 0; b < d->model.bone_count && !found; b++) {
            uint8_t key[MMD_NAME_KEY_SIZE];
            mmd_name_key_from_utf8(d->model.bones[b].name, key, NULL, NULL);
            found = memcmp(key, d->dance->bone_tracks[i].name, sizeof key) == 0;
        }
        assert_true(found);
    }
}

static void a_planted_foot_has_equal_keys(void **state)
{
    const dancing *d = *state;
    dance_plant plants[PLANTS_MAX];
    size_t count = dance_plants(plants, PLANTS_MAX);
    assert_in_range(count, 20, PLANTS_MAX - 1);
    for (size_t i = 0; i < count; i++) {
        uint8_t name[MMD_NAME_KEY_SIZE];
        mmd_name_key_from_utf8(goal_names[plants[i].foot], name, NULL, NULL);
        const mmd_bone_track *track = mmd_motion_find_bone(d->dance, name);
        int32_t first = mmd_key_search(track->frames, track->count, plants[i].from, NULL);
        int32_t last = mmd_key_search(track->frames, track->count, plants[i].to, NULL);
        assert_int_equal(track->frames[first], plants[i].from);
        assert_int_equal(track->frames[last], plants[i].to);
        for (int32_t k = first + 1; k <= last; k++) {
            assert_memory_equal(track->keys[k].translation, track->keys[first].translation,
                                3 * sizeof(float));
            assert_memory_equal(track->keys[k].rotation, track->keys[first].rotation, 4 * sizeof(float));
        }
    }
}

/* One foot is planted at any time except in a jump. */
static void she_does_not_float(void **state)
{
    (void)state;
    dance_plant plants[PLANTS_MAX];
    size_t count = dance_plants(plants, PLANTS_MAX);
    int in_the_air = 0;
    for (int frame = 0; frame <= SCORE_FRAMES; frame++) {
        bool stands = false;
        for (size_t i = 0; i < count; i++)
            stands = stands || (plants[i].from <= frame && frame <= plants[i].to);
        in_the_air = stands ? 0 : in_the_air + 1;
        assert_true(in_the_air <= 8);
    }
}

/* The worst errors of planted feet, in units. */
typedef struct standing {
    double goal;  /* distance of the ankle from its goal */
    double slide; /* distance of ankle or toe from where the foot was planted */
    double toe;   /* vertical distance of the toe from its rest height */
} standing;

static const float *place(mmd_actor *actor, const char *name)
{
    int32_t bone = mmd_model_find_bone(mmd_actor_model(actor), name);
    assert_true(bone >= 0);
    return mmd_pose_world(mmd_actor_pose(actor))[bone].translation;
}

static void watch_plant(mmd_actor *actor, const dance_plant *plant, standing *worst)
{
    int side = plant->foot;
    float ankle[3] = {0}, toe[3] = {0};
    const mmd_model *model = mmd_actor_model(actor);
    float rest = model->bones[mmd_model_find_bone(model, toe_names[side])].position[1];
    for (int quarter = 4 * plant->from; quarter <= 4 * plant->to; quarter++) {
        mmd_actor_set_frame(actor, quarter / 4.0);
        const float *ankle_now = place(actor, ankle_names[side]), *toe_now = place(actor, toe_names[side]);
        if (quarter == 4 * plant->from) {
            memcpy(ankle, ankle_now, sizeof ankle);
            memcpy(toe, toe_now, sizeof toe);
        }
        worst->goal = fmax(worst->goal, distance(ankle_now, place(actor, goal_names[side])));
        worst->slide = fmax(worst->slide, fmax(distance(ankle_now, ankle), distance(toe_now, toe)));
        worst->toe = fmax(worst->toe, fabs((double)toe_now[1] - (double)rest));
    }
}

static standing watch_feet(mmd_actor *actor, const char *name)
{
    dance_plant plants[PLANTS_MAX];
    size_t count = dance_plants(plants, PLANTS_MAX);
    standing worst = {0};
    for (size_t i = 0; i < count; i++)
        watch_plant(actor, &plants[i], &worst);
    print_message("%s, %zu planted feet: ankle to goal %.4f, slide %.4f, toe's height %.4f\n", name, count,
                  worst.goal, worst.slide, worst.toe);
    return worst;
}

static void a_planted_foot_stands(void **state)
{
    const dancing *d = *state;
    standing worst = watch_feet(d->actor, "the dancer");
    assert_true(worst.goal < 0.05 && worst.slide < 0.05 && worst.toe < 0.05);
}

/* The dance also works on models that it was not made for; one has legs longer by a quarter. */
static void a_planted_foot_stands_on_other_models_too(void **state)
{
    static const char *const names[] = {"data/models/miku/初音ミク.pmx",
                                        "data/models/mmt/mmt_test_model.pmx"};
    const dancing *d = *state;
    REQUIRE_SHARED();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mmd_bytes file = shared_read(names[i]);
        mmd_model *model;
        mmd_error error;
        assert_int_equal(mmd_pmx_read(file.data, file.size, &model, &error), MMD_OK);
        mmd_actor *actor = mmd_actor_create(model);
        assert_non_null(actor);
        assert_int_equal(mmd_actor_add_motion(actor, d->dance, &error), MMD_OK);
        standing worst = watch_feet(actor, names[i]);
        /* MMD's IK stops as far from the goal on the model with longer legs. */
        assert_true(worst.goal < 0.3 && worst.slide < 0.3 && worst.toe < 0.05);
        mmd_actor_destroy(actor);
        mmd_model_destroy(model);
        mmd_bytes_finish(&file);
    }
}

/* The ankle's X axis stays level, so that neither edge of the sole sinks: 3 degrees are 0.02 units. */
static void a_planted_sole_is_flat(void **state)
{
    dancing *d = *state;
    dance_plant plants[PLANTS_MAX];
    size_t count = dance_plants(plants, PLANTS_MAX);
    for (size_t i = 0; i < count; i++) {
        int32_t ankle = mmd_model_find_bone(&d->model, ankle_names[plants[i].foot]);
        for (int quarter = 4 * plants[i].from; quarter <= 4 * plants[i].to; quarter++) {
            mmd_actor_set_frame(d->actor, quarter / 4.0);
            const float *q = mmd_pose_world(mmd_actor_pose(d->actor))[ankle].rotation;
            float rise = 2 * (q[0] * q[1] + q[3] * q[2]);
            assert_true(fabsf(rise) < 0.0523f);
        }
    }
}

static void no_toe_goes_under_the_floor(void **state)
{
    dancing *d = *state;
    for (int quarter = 0; quarter <= LAST_QUARTER; quarter++) {
        mmd_actor_set_frame(d->actor, quarter / 4.0);
        for (int side = 0; side < 2; side++)
            assert_true(bone_at(d, toe_names[side])[1] > -0.05f);
    }
}

/* Returns the sum of some morphs' weights at a frame. */
static float weight_of(const dancing *d, const char *const *names, int count, double frame)
{
    float sum = 0;
    for (int i = 0; i < count; i++) {
        uint8_t name[MMD_NAME_KEY_SIZE];
        mmd_name_key_from_utf8(names[i], name, NULL, NULL);
        const mmd_morph_track *track = mmd_motion_find_morph(d->dance, name);
        assert_non_null(track);
        int32_t k = mmd_key_search(track->frames, track->count, frame, NULL);
        float weight = track->weights[k];
        if (k + 1 < (int32_t)track->count) {
            float t = (float)(frame - track->frames[k]) / (float)(track->frames[k + 1] - track->frames[k]);
            weight += t * (track->weights[k + 1] - weight);
        }
        sum += weight;
    }
    return sum;
}

/* Two morphs that each close the eyes would push the lids through the cheeks, and two vowels the lips. */
static void eyes_and_lips_do_one_thing_at_a_time(void **state)
{
    static const char *const eyes[] = {"まばたき", "笑い", "ウィンク"};
    static const char *const lips[] = {"あ", "い", "う", "え", "お"};
    for (int frame = 0; frame <= SCORE_FRAMES; frame++) {
        assert_true(weight_of(*state, eyes, 3, frame) <= 1.01f);
        assert_true(weight_of(*state, lips, 5, frame) <= 1.01f);
    }
}

static void lips_follow_the_melody(void **state)
{
    static const char *const lips[] = {"", "あ", "い", "う", "え", "お"};
    for (size_t i = 0; i < score_melody_count; i++) {
        const score_note *note = &score_melody[i];
        double middle = SCORE_BEAT_FRAMES * ((double)note->beat + 0.5 * (double)note->length);
        if (note->vowel != VOWEL_NONE)
            assert_true(weight_of(*state, &lips[note->vowel], 1, middle) > 0.35f);
    }
}

/* Camera */

static void camera_has_cuts(void **state)
{
    const dancing *d = *state;
    int cuts = 0;
    for (uint32_t i = 0; i < d->camera->camera_key_count; i++) {
        const mmd_camera_key *key = &d->camera->camera_keys[i];
        assert_true(key->value.fov >= 25 && key->value.fov <= 40 && key->value.fov == floorf(key->value.fov));
        if (i && key->frame == key[-1].frame + 1)
            cuts++;
        assert_true(i == 0 || key->frame > key[-1].frame);
    }
    assert_true(cuts >= 11);
}

/* Properties of a camera's picture. */
typedef struct look {
    float height; /* height of the picture, in units, at the camera's target */
    float to_camera[3];
} look;

static look look_of(const mmd_camera *camera)
{
    float eye[3];
    look l = {2 * -camera->distance * tanf(camera->fov * 3.14159265f / 360), {0}};
    mmd_camera_matrices(camera, 16.0f / 9, NULL, NULL, eye);
    for (int i = 0; i < 3; i++)
        l.to_camera[i] = (eye[i] - camera->position[i]) / -camera->distance;
    return l;
}

/* A cut to nearly the same picture looks like a mistake: each turns by 30 degrees at least, or changes the
 * size by a factor of 1.4. */
static void a_cut_is_worth_it(void **state)
{
    const dancing *d = *state;
    for (uint32_t i = 1; i < d->camera->camera_key_count; i++) {
        const mmd_camera_key *key = &d->camera->camera_keys[i];
        if (key->frame != key[-1].frame + 1)
            continue;
        look a = look_of(&key[-1].value), b = look_of(&key->value);
        float zoom = fmaxf(a.height, b.height) / fminf(a.height, b.height), cosine = 0;
        for (int k = 0; k < 3; k++)
            cosine += a.to_camera[k] * b.to_camera[k];
        if (zoom < 1.4f && cosine > 0.8660f)
            fail_msg("the cut to frame %u: %.1f degrees, size %.2f", key->frame,
                     acos((double)cosine) * 180 / 3.14159265, (double)zoom);
    }
}

/*
 * Hair and skirt reach two units from their bones, so a distance of five from every bone is outside of her.
 */
static void camera_keeps_its_distance(void **state)
{
    dancing *d = *state;
    for (int frame = 0; frame <= SCORE_FRAMES; frame++) {
        mmd_camera camera;
        float eye[3];
        assert_true(mmd_motion_camera(d->camera, frame, &camera));
        mmd_camera_matrices(&camera, 16.0f / 9, NULL, NULL, eye);
        assert_true(eye[1] > 0.5f);
        mmd_actor_set_frame(d->actor, frame);
        const mmd_transform *world = mmd_pose_world(mmd_actor_pose(d->actor));
        for (uint32_t b = 0; b < d->model.bone_count; b++)
            assert_true(distance(world[b].translation, eye) > 5);
    }
}

static bool in_picture(const mmd_camera *camera, const float point[3], float margin)
{
    float view[16], projection[16], seen[4], clip[4];
    const float at[4] = {point[0], point[1], point[2], 1};
    mmd_camera_matrices(camera, 16.0f / 9, view, projection, NULL);
    for (int i = 0; i < 4; i++)
        seen[i] = view[i] * at[0] + view[4 + i] * at[1] + view[8 + i] * at[2] + view[12 + i] * at[3];
    for (int i = 0; i < 4; i++)
        clip[i] = projection[i] * seen[0] + projection[4 + i] * seen[1] + projection[8 + i] * seen[2] +
                  projection[12 + i] * seen[3];
    return clip[3] > 0.5f && fabsf(clip[0]) < margin * clip[3] && fabsf(clip[1]) < margin * clip[3];
}

static void camera_sees_her_head(void **state)
{
    dancing *d = *state;
    for (int frame = 0; frame <= SCORE_FRAMES; frame++) {
        mmd_camera camera;
        assert_true(mmd_motion_camera(d->camera, frame, &camera));
        mmd_actor_set_frame(d->actor, frame);
        const float *head = bone_at(d, "頭");
        const float crown[3] = {head[0], head[1] + 4.2f, head[2]};
        assert_true(in_picture(&camera, head, 0.95f));
        assert_true(in_picture(&camera, crown, 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_twice),
        cmocka_unit_test(rows_are_in_order),
        cmocka_unit_test(lasts_as_long_as_the_music),
        cmocka_unit_test(keys_are_clean),
        cmocka_unit_test(every_bone_is_on_the_skeleton),
        cmocka_unit_test(a_planted_foot_has_equal_keys),
        cmocka_unit_test(she_does_not_float),
        cmocka_unit_test(a_planted_foot_stands),
        cmocka_unit_test(a_planted_foot_stands_on_other_models_too),
        cmocka_unit_test(a_planted_sole_is_flat),
        cmocka_unit_test(no_toe_goes_under_the_floor),
        cmocka_unit_test(eyes_and_lips_do_one_thing_at_a_time),
        cmocka_unit_test(lips_follow_the_melody),
        cmocka_unit_test(camera_has_cuts),
        cmocka_unit_test(a_cut_is_worth_it),
        cmocka_unit_test(camera_keeps_its_distance),
        cmocka_unit_test(camera_sees_her_head),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
