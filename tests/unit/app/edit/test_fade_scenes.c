/* Tests fades from one scene to the next: who fades, what is taken over, what pictures are told, and that a
 * repetition of the dance begins without. */
#include "support.h"

#include "edit/session.h"
#include "edit/state_lines.h"
#include "hair_model.h"
#include "mmd/simulation.h"
#include "scene/fade.h"

/* A scene of dancers with hair. Model and motion belong to the test. */
typedef struct dance {
    odori_scene scene;
    mmd_source *source[2];
} dance;

typedef struct stage_parts {
    hair_model hair;
    hair_motion motion;
} stage_parts;

static stage_parts *make_parts(void)
{
    stage_parts *p = mmd_alloc(sizeof *p);
    assert_non_null(p);
    hair_model_make(&p->hair);
    hair_motion_make(&p->motion, 200);
    return p;
}

static void end_parts(stage_parts *p)
{
    hair_model_finish(&p->hair);
    mmd_free(p);
}

/* Makes a scene with models of these paths, moved by the motion of a file (NULL: none), with physics. */
static void make_dance(dance *d, stage_parts *p, const char *const *paths, size_t count, const char *motion)
{
    mmd_physics_options options = mmd_default_physics_options();
    options.run_ahead = false;
    memset(d, 0, sizeof *d);
    assert_true(scene_init(&d->scene));
    for (size_t i = 0; i < count; i++) {
        d->source[i] = mmd_source_memory(NULL, 0);
        const scene_model what = {
            .path = paths[i], .model = &p->hair.model, .textures = {.source = d->source[i]}, .is_lent = true};
        assert_true(scene_add_model(&d->scene, &what));
    }
    const scene_motion what = {.path = motion, .motion = &p->motion.motion, .is_lent = true};
    assert_true(!motion || scene_add_motion(&d->scene, &what, EVERY_MODEL));
    assert_int_equal(mmd_stage_set_physics(d->scene.stage, &options, NULL), MMD_OK);
}

static void end_dance(dance *d)
{
    scene_finish(&d->scene);
    for (int i = 0; i < 2; i++)
        mmd_source_destroy(d->source[i]);
}

static void play_to(dance *d, int last)
{
    for (int frame = 0; frame <= last; frame++)
        mmd_stage_set_frame(d->scene.stage, frame);
}

static const mmd_actor_motion *motions_of(const dance *d, size_t model, size_t *count)
{
    return mmd_actor_motions(d->scene.models[model].actor, count);
}

/* Returns the command lines of the fade, NUL-terminated. Free with mmd_buffer_finish. */
static mmd_buffer lines_of(dance *d)
{
    mmd_buffer lines = {0};
    const mmd_view_options view = mmd_default_view_options();
    odori_session session;
    session_init(&session, &d->scene, &view);
    state_lines_fades(&session, &lines);
    mmd_write_u8(&lines, 0);
    session_finish(&session);
    assert_false(lines.failed);
    return lines;
}

static void a_dancer_of_the_same_file_fades(void **state)
{
    (void)state;
    size_t count;
    mmd_body_start start;
    static const char *const first[] = {"a.pmx", "b.pmx"}, *const second[] = {"c.pmx", "b.pmx"};
    stage_parts *p = make_parts();
    dance from, to;
    make_dance(&from, p, first, 2, "first.vmd");
    make_dance(&to, p, second, 2, "second.vmd");
    mmd_actor_set_delay(from.scene.models[1].actor, 5);
    play_to(&from, 50);
    assert_true(fade_scenes(&to.scene, &from.scene, &(fade_span){0, 30}));
    motions_of(&to, 0, &count);
    assert_int_equal(count, 1);
    const mmd_actor_motion *motions = motions_of(&to, 1, &count);
    assert_int_equal(count, 2);
    assert_false(motions[0].fades_out);
    assert_true(motions[1].fades_out);
    assert_float_equal(motions[1].fade.ahead, 45, 0);
    assert_float_equal(motions[1].fade.ends, 30, 0);
    assert_false(mmd_stage_body_start(to.scene.stage, 0, BODY_1, &start));
    assert_true(mmd_stage_body_start(to.scene.stage, 1, BODY_1, &start));
    mmd_stage_set_frame(to.scene.stage, 0);
    assert_memory_equal(mmd_stage_bodies(to.scene.stage, 1) + BODY_1,
                        mmd_stage_bodies(from.scene.stage, 1) + BODY_1, 3 * sizeof(mmd_transform));
    mmd_buffer lines = lines_of(&to);
    const char *text = (const char *)lines.data;
    assert_non_null(strstr(text, "model.select 1\nmotion.fade-out 1 45 0 30\nbody.start 1 "));
    assert_null(strstr(text, "model.select 0"));
    mmd_buffer_finish(&lines);
    end_dance(&from);
    mmd_stage_set_frame(to.scene.stage, 10); /* nothing of the scene before is needed */
    end_dance(&to);
    end_parts(p);
}

static void others_do_not_fade(void **state)
{
    (void)state;
    size_t count;
    static const char *const first[] = {"a.pmx"}, *const second[] = {"other.pmx"};
    stage_parts *p = make_parts();
    dance from, to;
    make_dance(&from, p, first, 1, "first.vmd");
    make_dance(&to, p, second, 1, "second.vmd");
    play_to(&from, 10);
    assert_false(fade_scenes(&to.scene, &from.scene, &(fade_span){0, 30}));
    motions_of(&to, 0, &count);
    assert_int_equal(count, 1);
    assert_false(fade_end(&to.scene));
    end_dance(&from);
    end_dance(&to);
    end_parts(p);
}

static void a_fade_that_is_not_over_goes_on(void **state)
{
    (void)state;
    size_t count;
    static const char *const paths[] = {"a.pmx"};
    stage_parts *p = make_parts();
    dance one, two, three;
    make_dance(&one, p, paths, 1, "one.vmd");
    make_dance(&two, p, paths, 1, "two.vmd");
    make_dance(&three, p, paths, 1, "three.vmd");
    play_to(&one, 40);
    assert_true(fade_scenes(&two.scene, &one.scene, &(fade_span){0, 30}));
    assert_int_equal(mmd_actor_set_weight(two.scene.models[0].actor, 0, 0.5f, NULL), MMD_OK);
    play_to(&two, 12);
    assert_true(fade_scenes(&three.scene, &two.scene, &(fade_span){0, 60}));
    const mmd_actor_motion *motions = motions_of(&three, 0, &count);
    assert_int_equal(count, 3);
    assert_float_equal(motions[1].fade.ahead, 52, 0);
    assert_float_equal(motions[1].fade.begins, -12, 0);
    assert_float_equal(motions[1].fade.ends, 18, 0);
    assert_float_equal(motions[2].fade.ahead, 12, 0);
    assert_float_equal(motions[2].weight, 0.5, 0);
    mmd_stage_set_frame(three.scene.stage, 0);
    const mmd_transform *now = mmd_actor_values(three.scene.models[0].actor)->bones,
                        *was = mmd_actor_values(two.scene.models[0].actor)->bones;
    for (int k = 0; k < 3; k++)
        assert_float_equal(now[HAIR_CENTER].translation[k], was[HAIR_CENTER].translation[k], 1e-5);
    double dot = 0;
    for (int k = 0; k < 4; k++)
        dot += (double)now[HAIR_CENTER].rotation[k] * (double)was[HAIR_CENTER].rotation[k];
    assert_float_equal(fabs(dot), 1, 1e-5);
    mmd_buffer lines = lines_of(&three);
    assert_non_null(strstr((const char *)lines.data, "model.select 0\nmotion.fade-out 1 52 -12 18\n"
                                                     "motion.weight 1 0.5\nmotion.fade-out 1 12 0 60\n"));
    mmd_buffer_finish(&lines);
    end_dance(&one);
    end_dance(&two);
    end_dance(&three);
    end_parts(p);
}

/* A project begins with its own frame. There the dance is the one before, and its end was played up to there,
 * so that hair has followed it. */
static void a_scene_that_begins_later_fades_there(void **state)
{
    (void)state;
    size_t count;
    mmd_body_start start;
    static const char *const paths[] = {"a.pmx"};
    stage_parts *p = make_parts();
    dance from, to;
    make_dance(&from, p, paths, 1, "first.vmd");
    make_dance(&to, p, paths, 1, "second.vmd");
    play_to(&from, 130);
    assert_true(fade_scenes(&to.scene, &from.scene, &(fade_span){60, 30}));
    const mmd_actor_motion *motions = motions_of(&to, 0, &count);
    assert_int_equal(count, 2);
    assert_float_equal(motions[1].fade.ahead, 70, 0);
    assert_float_equal(motions[1].fade.begins, 60, 0);
    assert_float_equal(motions[1].fade.ends, 90, 0);
    assert_false(mmd_stage_body_start(to.scene.stage, 0, BODY_1, &start));
    mmd_stage_set_frame(to.scene.stage, 60);
    const mmd_transform *now = mmd_actor_values(to.scene.models[0].actor)->bones,
                        *was = mmd_actor_values(from.scene.models[0].actor)->bones;
    for (int k = 0; k < 3; k++) {
        assert_float_equal(now[HAIR_CENTER].translation[k], was[HAIR_CENTER].translation[k], 1e-5);
        assert_float_equal(mmd_stage_bodies(to.scene.stage, 0)[BODY_1].translation[k],
                           mmd_stage_bodies(from.scene.stage, 0)[BODY_1].translation[k], 0.3);
    }
    mmd_buffer lines = lines_of(&to);
    assert_non_null(strstr((const char *)lines.data, "model.select 0\nmotion.fade-out 1 70 60 90\n"));
    mmd_buffer_finish(&lines);
    end_dance(&from);
    end_dance(&to);
    end_parts(p);
}

/* A dancer that stood still fades from rest; there is no file that a picture could name. */
static void a_dancer_without_a_motion_fades_from_rest(void **state)
{
    (void)state;
    static const char *const paths[] = {"a.pmx"};
    stage_parts *p = make_parts();
    dance from, to;
    make_dance(&from, p, paths, 1, NULL);
    make_dance(&to, p, paths, 1, "dance.vmd");
    play_to(&from, 3);
    assert_true(fade_scenes(&to.scene, &from.scene, &(fade_span){0, 30}));
    assert_int_equal(to.scene.faded_count, 1);
    assert_true(to.scene.faded[0].is_altered);
    mmd_stage_set_frame(to.scene.stage, 0);
    const mmd_transform *now = mmd_actor_values(to.scene.models[0].actor)->bones;
    for (int k = 0; k < 3; k++)
        assert_float_equal(now[HAIR_CENTER].translation[k], 0, 0);
    end_dance(&from);
    end_dance(&to);
    end_parts(p);
}

static void a_repetition_begins_without(void **state)
{
    (void)state;
    size_t count;
    mmd_body_start start;
    static const char *const paths[] = {"a.pmx"};
    const mmd_view_options view = mmd_default_view_options();
    stage_parts *p = make_parts();
    dance from, to;
    odori_session session;
    make_dance(&from, p, paths, 1, "first.vmd");
    make_dance(&to, p, paths, 1, "second.vmd");
    play_to(&from, 20);
    assert_true(fade_scenes(&to.scene, &from.scene, &(fade_span){0, 30}));
    session_init(&session, &to.scene, &view);
    session_go(&session, 0);
    session_play(&session);
    session_advance(&session, 198.0 / 30);
    motions_of(&to, 0, &count);
    assert_int_equal(count, 2);
    session_advance(&session, 4.0 / 30);
    assert_true(session.frame < 5);
    motions_of(&to, 0, &count);
    assert_int_equal(count, 1);
    assert_int_equal(to.scene.faded_count, 0);
    assert_false(mmd_stage_body_start(to.scene.stage, 0, BODY_1, &start));
    session_finish(&session);
    end_dance(&from);
    end_dance(&to);
    end_parts(p);
}

static void all_blocks_come_back(void **state)
{
    uint64_t before = mmd_heap_blocks_in_use();
    a_fade_that_is_not_over_goes_on(state);
    a_repetition_begins_without(state);
    assert_int_equal(mmd_heap_blocks_in_use(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dancer_of_the_same_file_fades),
        cmocka_unit_test(others_do_not_fade),
        cmocka_unit_test(a_fade_that_is_not_over_goes_on),
        cmocka_unit_test(a_scene_that_begins_later_fades_there),
        cmocka_unit_test(a_dancer_without_a_motion_fades_from_rest),
        cmocka_unit_test(a_repetition_begins_without),
        cmocka_unit_test(all_blocks_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
