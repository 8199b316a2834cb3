/* Tests where actors are placed on the stage: on bones of other placed actors, and by keys. */
#include "support.h"

#include "mmd/actor.h"

/* A model of one bone at (0, 10, 0). */
typedef struct stand {
    mmd_bone bone;
    mmd_model model;
    mmd_actor *actor;
} stand;

static void make_stand(stand *s)
{
    s->bone = (mmd_bone){.name = "右手首",
                         .name_en = "",
                         .position = {0, 10, 0},
                         .parent = -1,
                         .tail_bone = -1,
                         .append_source = -1,
                         .ik_target = -1};
    s->model = (mmd_model){
        .name = "", .name_en = "", .comment = "", .comment_en = "", .bone_count = 1, .bones = &s->bone};
    assert_int_equal(mmd_model_prepare(&s->model, NULL), MMD_OK);
    s->actor = mmd_actor_create(&s->model);
    assert_non_null(s->actor);
    mmd_actor_set_frame(s->actor, 0);
}

enum { STANDS = 3 };

typedef struct places {
    stand stands[STANDS];
    mmd_stage *stage;
} places;

static void open_places(places *p)
{
    p->stage = mmd_stage_create();
    assert_non_null(p->stage);
    for (int i = 0; i < STANDS; i++) {
        make_stand(&p->stands[i]);
        assert_int_equal(mmd_stage_add_actor(p->stage, p->stands[i].actor, NULL), MMD_OK);
    }
}

static void close_places(places *p)
{
    mmd_stage_destroy(p->stage);
    for (int i = 0; i < STANDS; i++) {
        mmd_actor_destroy(p->stands[i].actor);
        mmd_arena_finish(&p->stands[i].model.arena);
    }
}

static void place(places *p, size_t index, float x, float turn_y, float scale, int parent)
{
    mmd_staging s = mmd_default_staging();
    s.position[0] = x;
    s.rotation[1] = turn_y;
    s.scale = scale;
    if (parent >= 0) {
        s.parent = p->stands[parent].actor;
        s.parent_bone = 0;
    }
    mmd_stage_set_staging(p->stage, index, &s);
}

/* Checks the world position of the actor's point (1, 0, 0). */
static void assert_tip(const places *p, size_t index, double x, double y, double z)
{
    float m[16];
    mmd_stage_placement(p->stage, index, m);
    assert_float_equal(m[12] + m[0], x, 1e-4);
    assert_float_equal(m[13] + m[1], y, 1e-4);
    assert_float_equal(m[14] + m[2], z, 1e-4);
}

static const float quarter = 1.57079632679f;

static void what_is_held_goes_where_its_holder_is_placed(void **state)
{
    (void)state;
    places p;
    float m[16];
    open_places(&p);
    place(&p, 1, 2, 0, 1, 0);
    assert_tip(&p, 1, 3, 10, 0); /* the bone, an offset of 2, and the point */
    place(&p, 0, 100, 0, 1, -1);
    assert_tip(&p, 1, 103, 10, 0);
    place(&p, 0, 100, quarter, 1, -1); /* x becomes -z */
    assert_tip(&p, 1, 100, 10, -3);
    place(&p, 0, 100, quarter, 2, -1);
    assert_tip(&p, 1, 100, 20, -6);
    place(&p, 2, 1, 0, 1, 1); /* the second is the parent of the third */
    assert_tip(&p, 2, 100, 2 * (10 + 10), -2 * (2 + 1 + 1));
    assert_true(mmd_stage_placement(p.stage, 2, m));
    close_places(&p);
}

static void a_parent_that_is_not_on_the_stage_stands_at_the_origin(void **state)
{
    (void)state;
    places p;
    stand other;
    open_places(&p);
    make_stand(&other);
    mmd_staging s = mmd_default_staging();
    s.parent = other.actor;
    s.parent_bone = 0;
    mmd_stage_set_staging(p.stage, 0, &s);
    assert_tip(&p, 0, 1, 10, 0);
    close_places(&p);
    mmd_actor_destroy(other.actor);
    mmd_arena_finish(&other.model.arena);
}

static void a_ring_of_parents_ends(void **state)
{
    (void)state;
    places p;
    float m[16];
    open_places(&p);
    for (int i = 0; i < STANDS; i++)
        place(&p, (size_t)i, 1, 0, 1, (i + 1) % STANDS);
    for (size_t i = 0; i < STANDS; i++) {
        assert_true(mmd_stage_placement(p.stage, i, m));
        assert_true(m[13] <= 10 * STANDS);
    }
    close_places(&p);
}

static void keys_move_what_is_staged(void **state)
{
    (void)state;
    places p;
    open_places(&p);
    mmd_staging_key keys[3];
    for (int i = 0; i < 3; i++)
        keys[i] = (mmd_staging_key){.frame = 10 * (uint32_t)i + 10, .staging = mmd_default_staging()};
    keys[0].staging.position[0] = 4;
    keys[0].staging.ground_shadow = false;
    keys[1].staging.position[0] = 8;
    keys[1].staging.opacity = 0.5f;
    keys[1].staging.draw_order = 7;
    keys[2].staging.visible = false;
    keys[2].staging.parent = p.stands[0].actor;
    keys[2].staging.parent_bone = 0;
    mmd_stage_set_staging_keys(p.stage, 1, keys, 3);
    assert_float_equal(mmd_stage_last_frame(p.stage), 30, 0);
    mmd_stage_set_frame(p.stage, 0);
    assert_tip(&p, 1, 5, 0, 0);
    mmd_stage_set_frame(p.stage, 12.5);
    const mmd_staging *now = mmd_stage_staging(p.stage, 1);
    assert_float_equal(now->position[0], 5, 1e-6);
    assert_float_equal(now->opacity, 0.875, 1e-6);
    assert_false(now->ground_shadow);
    assert_int_equal(now->draw_order, 0);
    mmd_stage_set_frame(p.stage, 25); /* a change of parent is not interpolated */
    assert_float_equal(now->position[0], 8, 0);
    assert_float_equal(now->opacity, 0.75, 1e-6);
    assert_int_equal(mmd_stage_draw_order(p.stage)[2], 1);
    mmd_stage_set_frame(p.stage, 30);
    assert_tip(&p, 1, 1, 10, 0);
    assert_false(mmd_stage_actor_visible(p.stage, 1));
    mmd_stage_set_frame(p.stage, 1e9);
    assert_false(now->visible);
    mmd_stage_set_frame(p.stage, 20); /* independent of the frame before */
    assert_float_equal(now->opacity, 0.5, 0);
    mmd_stage_set_visible(p.stage, 1, false); /* hidden by hand, which keeps the keys */
    assert_true(mmd_stage_is_hidden(p.stage, 1));
    for (int frame = 0; frame <= 30; frame += 10) {
        mmd_stage_set_frame(p.stage, frame);
        assert_false(mmd_stage_actor_visible(p.stage, 1));
    }
    mmd_stage_set_visible(p.stage, 1, true);
    assert_false(mmd_stage_is_hidden(p.stage, 1));
    assert_false(mmd_stage_actor_visible(p.stage, 1)); /* frame 30: the last key hides it */
    mmd_stage_set_frame(p.stage, 12.5);
    assert_true(mmd_stage_actor_visible(p.stage, 1));
    assert_float_equal(now->position[0], 5, 1e-6);
    mmd_stage_set_visible(p.stage, 1, false);
    place(&p, 1, 3, 0, 1, -1); /* set directly, which removes the keys and shows it */
    assert_true(mmd_stage_actor_visible(p.stage, 1));
    mmd_stage_set_visible(p.stage, 1, false); /* the same without keys */
    assert_true(mmd_stage_is_hidden(p.stage, 1) && !mmd_stage_actor_visible(p.stage, 1));
    mmd_stage_set_visible(p.stage, 1, true);
    mmd_stage_set_frame(p.stage, 30);
    assert_tip(&p, 1, 4, 0, 0);
    assert_float_equal(mmd_stage_last_frame(p.stage), 0, 0);
    close_places(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_goes_where_its_holder_is_placed),
        cmocka_unit_test(a_parent_that_is_not_on_the_stage_stands_at_the_origin),
        cmocka_unit_test(a_ring_of_parents_ends),
        cmocka_unit_test(keys_move_what_is_staged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
