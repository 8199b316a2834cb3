/* Tests which of several motions receives a key, where the edit picks it (mmd_edit_key_motions). */
#include "support.h"

#include "bone_rig.h"
#include "mmd/edit.h"

enum { ROOT, ARM, BONES };
enum { FIRST, SECOND, MOTIONS };

/* A model that plays a motion which may not be modified and has keys of ARM, then two that may be. */
typedef struct scene {
    bone_rig rig;
    mmd_bone_offset lift;
    mmd_motion *motions[MOTIONS];
    mmd_stage *stage;
    mmd_edit *edit;
    uint64_t blocks;
} scene;

static const mmd_item root = {MMD_ITEM_BONE, 0, ROOT}, arm = {MMD_ITEM_BONE, 0, ARM},
                      smile = {MMD_ITEM_MORPH, 0, 0}, camera = {.kind = MMD_ITEM_CAMERA};

static void begin(scene *s)
{
    const float still[3] = {0}, axis[3] = {0, 1, 0};
    *s = (scene){.blocks = mmd_heap_blocks_in_use()};
    bone_rig_add(&s->rig, "センター", -1, 0, 0, 0);
    bone_rig_add(&s->rig, "右腕", ROOT, 0, 1, 0);
    bone_rig_key(&s->rig, ARM, 0, still, axis, 0);
    s->lift = (mmd_bone_offset){.bone = ARM, .translation = {0, 1, 0}, .rotation = {0, 0, 0, 1}};
    bone_rig_morph(&s->rig, "笑い", MMD_MORPH_BONE, &s->lift, 1);
    bone_rig_start(&s->rig);
    s->stage = mmd_stage_create();
    for (int i = 0; i < MOTIONS; i++) {
        assert_int_equal(mmd_motion_copy(NULL, &s->motions[i], NULL), MMD_OK);
        assert_int_equal(mmd_actor_add_motion(s->rig.actor, s->motions[i], NULL), MMD_OK);
        assert_int_equal(mmd_stage_add_scene_motion(s->stage, s->motions[i], NULL), MMD_OK);
    }
    assert_int_equal(mmd_stage_add_actor(s->stage, s->rig.actor, NULL), MMD_OK);
    mmd_stage_set_frame(s->stage, 10);
    s->edit = mmd_edit_create(s->stage, NULL);
    assert_non_null(s->edit);
    assert_true(mmd_edit_key_motions(s->edit, s->motions, MOTIONS));
}

static void end(scene *s)
{
    mmd_edit_destroy(s->edit);
    mmd_stage_destroy(s->stage);
    bone_rig_finish(&s->rig);
    for (int i = 0; i < MOTIONS; i++)
        mmd_motion_destroy(s->motions[i]);
    assert_int_equal(mmd_heap_blocks_in_use(), s->blocks);
}

/* Returns how many keys of bones, morphs and the camera a motion has. */
static size_t keys_of(const scene *s, int motion)
{
    const mmd_motion *m = s->motions[motion];
    return m->bone_key_count + m->morph_key_count + m->camera_key_count;
}

static void assert_keys(const scene *s, size_t first, size_t second)
{
    assert_int_equal(keys_of(s, FIRST), first);
    assert_int_equal(keys_of(s, SECOND), second);
}

static bool key(scene *s, mmd_item item)
{
    return mmd_edit_do(s->edit, mmd_edit_key_command(s->edit, item));
}

static void new_keys_go_to_the_last_motion(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    assert_true(mmd_edit_is_keying(s.edit));
    assert_true(key(&s, root));
    assert_keys(&s, 0, 1);
    assert_true(key(&s, smile));
    assert_keys(&s, 0, 2);
    assert_true(key(&s, camera));
    assert_keys(&s, 0, 3);
    while (mmd_edit_undo(s.edit))
        ;
    assert_keys(&s, 0, 0);
    end(&s);
}

static void keys_go_where_the_item_has_some(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_motion *first = s.motions[FIRST];
    assert_true(mmd_edit_key_motions(s.edit, &first, 1)); /* SECOND has no keys yet */
    assert_true(key(&s, root) && key(&s, smile) && key(&s, camera));
    assert_keys(&s, 3, 0);
    assert_true(mmd_edit_key_motions(s.edit, s.motions, MOTIONS));
    mmd_stage_set_frame(s.stage, 20);
    assert_true(key(&s, root) && key(&s, smile) && key(&s, camera));
    assert_keys(&s, 6, 0);
    end(&s);
}

static void keys_that_would_be_hidden_are_refused(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    assert_false(key(&s, arm)); /* the motion that has its keys may not be modified */
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_KEY_MOTION);
    assert_keys(&s, 0, 0);
    assert_int_equal(mmd_actor_set_weight(s.rig.actor, 0, 0, NULL), MMD_OK);
    assert_true(key(&s, arm)); /* it is not played any more */
    assert_keys(&s, 0, 1);
    assert_int_equal(mmd_actor_set_weight(s.rig.actor, 2, 0, NULL), MMD_OK);
    assert_true(key(&s, root));
    assert_keys(&s, 1, 1);
    assert_true(mmd_edit_key_motions(s.edit, NULL, 0));
    assert_false(key(&s, root));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_KEY_MOTION);
    mmd_edit_set_keying(s.edit, NULL);
    assert_false(mmd_edit_is_keying(s.edit));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_keys_go_to_the_last_motion),
        cmocka_unit_test(keys_go_where_the_item_has_some),
        cmocka_unit_test(keys_that_would_be_hidden_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
