/* Actors that are off the stage: the others move as if they had never been there, and as before once they are
 * back. One that takes the place of another has its bodies where the other had them. */
#include "hair_model.h"
#include "support.h"

#include "mmd/memory.h"
#include "mmd/simulation.h"

enum { MOST = 3 };

typedef struct scene {
    hair_model *hair;
    hair_motion *sway;
    mmd_stage *stage;
    mmd_actor *actors[MOST];
    size_t count;
} scene;

/* Makes a stage of actors with these delays, which share a world and push each other. */
static void make(scene *s, size_t count, const double *delays)
{
    *s = (scene){.hair = mmd_alloc(sizeof *s->hair), .sway = mmd_alloc(sizeof *s->sway), .count = count};
    assert_true(s->hair && s->sway);
    hair_model_make(s->hair);
    hair_motion_make(s->sway, 300);
    s->stage = mmd_stage_create();
    assert_non_null(s->stage);
    for (size_t i = 0; i < count; i++) {
        s->actors[i] = mmd_actor_create(&s->hair->model);
        assert_non_null(s->actors[i]);
        assert_int_equal(mmd_actor_add_motion(s->actors[i], &s->sway->motion, NULL), MMD_OK);
        mmd_actor_set_delay(s->actors[i], delays[i]);
        assert_int_equal(mmd_stage_add_actor(s->stage, s->actors[i], NULL), MMD_OK);
    }
    mmd_physics_options options = mmd_default_physics_options();
    options.run_ahead = false;
    assert_true(options.shared_world);
    assert_int_equal(mmd_stage_set_physics(s->stage, &options, NULL), MMD_OK);
}

static void finish(scene *s)
{
    mmd_stage_destroy(s->stage);
    for (size_t i = 0; i < s->count; i++)
        mmd_actor_destroy(s->actors[i]);
    hair_model_finish(s->hair);
    mmd_free(s->hair);
    mmd_free(s->sway);
}

/* Tests whether an actor has the same bodies in both scenes, at the frames of both. */
static bool same(scene *a, size_t actor, scene *b, size_t other)
{
    return memcmp(mmd_stage_bodies(a->stage, actor), mmd_stage_bodies(b->stage, other),
                  HAIR_BODIES * sizeof(mmd_transform)) == 0;
}

static void go(scene *s, double frame)
{
    mmd_stage_set_frame(s->stage, frame);
}

static void what_is_off_the_stage_was_never_there(void **state)
{
    (void)state;
    scene all, alone, untouched;
    const double delays[MOST] = {0, 3, 6};
    make(&all, MOST, delays);
    make(&untouched, MOST, delays);
    make(&alone, 1, delays + 1);
    go(&all, 40);
    go(&untouched, 40);
    go(&alone, 40);
    assert_false(same(&all, 1, &alone, 0)); /* they touch each other */
    mmd_stage_set_present(all.stage, 0, false);
    mmd_stage_set_present(all.stage, 2, false);
    assert_false(mmd_stage_is_present(all.stage, 0));
    assert_false(mmd_stage_actor_visible(all.stage, 2));
    assert_true(mmd_stage_last_frame(all.stage) <= mmd_stage_last_frame(alone.stage));
    go(&all, 40);
    assert_true(same(&all, 1, &alone, 0));
    assert_null(mmd_stage_physscene(all.stage, 0));
    mmd_stage_set_present(all.stage, 0, true);
    mmd_stage_set_present(all.stage, 2, true);
    go(&all, 40);
    for (size_t i = 0; i < MOST; i++)
        assert_true(same(&all, i, &untouched, i));
    finish(&all);
    finish(&untouched);
    finish(&alone);
}

static void one_takes_the_place_of_another(void **state)
{
    (void)state;
    scene all, other;
    const double delays[MOST] = {0, 3, 6}, swapped[2] = {6, 3};
    make(&all, MOST, delays);
    make(&other, 2, swapped);
    mmd_stage_set_present(all.stage, 0, false);
    mmd_stage_set_place(all.stage, 2, 0);
    assert_int_equal(mmd_stage_place(all.stage, 2), 0);
    go(&all, 40);
    go(&other, 40);
    assert_true(same(&all, 2, &other, 0));
    assert_true(same(&all, 1, &other, 1));
    const uint32_t *order = mmd_stage_draw_order(all.stage);
    assert_int_equal(order[0] + order[1], 2); /* the one that is off, and the one in its place */
    assert_int_equal(order[2], 1);
    mmd_stage_set_place(all.stage, 2, 2);
    go(&all, 40);
    assert_false(same(&all, 1, &other, 1)); /* another order of bodies gives other last bits */
    finish(&all);
    finish(&other);
}

static void what_is_attached_to_an_actor_off_the_stage_hangs_on_nothing(void **state)
{
    (void)state;
    scene both, alone;
    const double delays[2] = {0, 0};
    float placement[16];
    make(&both, 2, delays);
    make(&alone, 1, delays);
    mmd_staging staging = *mmd_stage_staging(both.stage, 1);
    staging.parent = both.actors[0];
    staging.parent_bone = HAIR_HEAD;
    mmd_stage_set_staging(both.stage, 1, &staging);
    go(&both, 20);
    assert_true(mmd_stage_placement(both.stage, 1, placement));
    mmd_stage_set_present(both.stage, 0, false);
    go(&both, 20);
    go(&alone, 20);
    assert_false(mmd_stage_placement(both.stage, 1, placement));
    assert_true(same(&both, 1, &alone, 0));
    staging.parent = NULL;
    mmd_stage_set_staging(both.stage, 1, &staging);
    assert_int_equal(
        mmd_stage_set_outside_parent(both.stage, 1, MMD_WHOLE_ACTOR, both.actors[0], HAIR_HEAD, NULL),
        MMD_OK);
    go(&both, 20);
    assert_true(same(&both, 1, &alone, 0));
    mmd_stage_set_present(both.stage, 0, true);
    go(&both, 20);
    assert_false(same(&both, 1, &alone, 0));
    finish(&both);
    finish(&alone);
}

static void actors_have_names_of_their_own(void **state)
{
    (void)state;
    scene one;
    const double delays[1] = {0};
    make(&one, 1, delays);
    assert_string_equal(mmd_stage_name(one.stage, 0), one.hair->model.name);
    assert_int_equal(mmd_stage_set_name(one.stage, 0, "Rin", NULL), MMD_OK);
    assert_string_equal(mmd_stage_name(one.stage, 0), "Rin");
    assert_int_equal(mmd_stage_set_name(one.stage, 0, NULL, NULL), MMD_OK);
    assert_string_equal(mmd_stage_name(one.stage, 0), one.hair->model.name);
    finish(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_off_the_stage_was_never_there),
        cmocka_unit_test(one_takes_the_place_of_another),
        cmocka_unit_test(what_is_attached_to_an_actor_off_the_stage_hangs_on_nothing),
        cmocka_unit_test(actors_have_names_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
