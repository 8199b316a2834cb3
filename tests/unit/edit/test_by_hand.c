/* Tests commands for what is set by hand: poses of bones, weights of morphs, outside parents, resets of one
 * item and of a whole actor, and the items of the other side. */
#include "support.h"

#include <math.h>

#include "bone_rig.h"
#include "mmd/edit.h"
#include "mmd/simulation.h"

enum { MODELS = 3 };
enum { ROOT, LEFT, RIGHT, TIP, BONES };
enum { SMILE, WINK_LEFT, WINK_RIGHT, MORPHS };

/* Models of equal bones and morphs. In their motion the smile, which lifts the tip, is 0.25. */
typedef struct scene {
    bone_rig rigs[MODELS];
    mmd_bone_offset lift;
    mmd_stage *stage;
    mmd_edit *edit;
    uint64_t blocks;
} scene;

static void make_rig(bone_rig *rig, mmd_bone_offset *lift)
{
    static const char *const morphs[] = {"笑い", "ウィンク左", "ウィンク右"};
    const float still[3] = {0}, axis[3] = {0, 1, 0};
    assert_int_equal(bone_rig_add(rig, "センター", -1, 0, 0, 0), ROOT);
    assert_int_equal(bone_rig_add(rig, "左足IK", ROOT, 1, 2, 0), LEFT);
    assert_int_equal(bone_rig_add(rig, "右足ＩＫ", ROOT, -1, 2, 0), RIGHT);
    assert_int_equal(bone_rig_add(rig, "先", RIGHT, -1, 5, 0), TIP);
    *lift = (mmd_bone_offset){.bone = TIP, .translation = {0, 10, 0}, .rotation = {0, 0, 0, 1}};
    for (int i = 0; i < MORPHS; i++)
        bone_rig_morph(rig, morphs[i], MMD_MORPH_BONE, lift, 1);
    bone_rig_key(rig, RIGHT, 0, still, axis, 0);
    bone_rig_weight(rig, SMILE, 0, 0.25f);
    bone_rig_start(rig);
}

static void begin(scene *s)
{
    *s = (scene){.blocks = mmd_heap_blocks_in_use()};
    s->stage = mmd_stage_create();
    assert_non_null(s->stage);
    for (int i = 0; i < MODELS; i++) {
        make_rig(&s->rigs[i], &s->lift);
        assert_int_equal(mmd_stage_add_actor(s->stage, s->rigs[i].actor, NULL), MMD_OK);
    }
    mmd_stage_set_frame(s->stage, 0);
    s->edit = mmd_edit_create(s->stage, NULL);
    assert_non_null(s->edit);
}

static void finish(scene *s)
{
    mmd_edit_destroy(s->edit);
    mmd_stage_destroy(s->stage);
    for (int i = 0; i < MODELS; i++)
        bone_rig_finish(&s->rigs[i]);
}

static void end(scene *s)
{
    finish(s);
    assert_int_equal(mmd_heap_blocks_in_use(), s->blocks);
}

static mmd_item bone_of(uint32_t model, uint32_t bone)
{
    return (mmd_item){MMD_ITEM_BONE, model, bone};
}

static mmd_item morph_of(uint32_t model, uint32_t morph)
{
    return (mmd_item){MMD_ITEM_MORPH, model, morph};
}

static mmd_item model_of(uint32_t model)
{
    return (mmd_item){MMD_ITEM_MODEL, model, 0};
}

/* Returns the world position of a bone after all edits so far. */
static void position_of(scene *s, mmd_item bone, double position[3])
{
    double world[16];
    mmd_edit_inclusive(s->edit, bone, world);
    memcpy(position, world + 12, 3 * sizeof *position);
}

static void assert_at(scene *s, mmd_item bone, double x, double y, double z)
{
    double now[3];
    const double wanted[3] = {x, y, z};
    position_of(s, bone, now);
    for (int k = 0; k < 3; k++)
        if (fabs(now[k] - wanted[k]) > 1e-5)
            fail_msg("it is at %g %g %g, not at %g %g %g", now[0], now[1], now[2], x, y, z);
}

static float by_hand(const scene *s, mmd_item morph)
{
    return mmd_actor_morphs_by_hand(mmd_stage_actor(s->stage, morph.model))[morph.index];
}

/* Returns the weight with which the stage shows a morph. */
static float shown(scene *s, mmd_item morph)
{
    mmd_stage_set_frame(s->stage, mmd_stage_frame(s->stage));
    return mmd_actor_values(mmd_stage_actor(s->stage, morph.model))->weights[morph.index];
}

/* --- Bones --- */

static const double straight[MMD_BONE_NUMBERS] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
static const double moved[MMD_BONE_NUMBERS] = {3, 4, 5, 0, 0, 0, 1, 1, 1, 1};

static void a_bone_is_posed_and_comes_back(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    double values[MMD_BONE_NUMBERS];
    const double turned[MMD_BONE_NUMBERS] = {3, 4, 5, 0, 0, 1, 0, 1, 1, 1};
    assert_at(&s, bone_of(0, TIP), -1, 7.5, 0);
    mmd_command *c = mmd_edit_bone_command(s.edit, bone_of(0, RIGHT), moved);
    assert_non_null(c);
    assert_at(&s, bone_of(0, TIP), -1, 7.5, 0); /* a command that is created changes nothing */
    assert_true(mmd_command_set(s.edit, c, NULL));
    assert_at(&s, bone_of(0, TIP), 2, 11.5, 5);
    assert_true(mmd_command_set(s.edit, c, turned)); /* half a turn about Z */
    assert_at(&s, bone_of(0, TIP), 2, 0.5, 5);
    assert_true(mmd_edit_add(s.edit, c));
    assert_string_equal(mmd_edit_undo_label(s.edit), "bone");
    assert_true(mmd_edit_undo(s.edit));
    assert_at(&s, bone_of(0, TIP), -1, 7.5, 0);
    assert_true(mmd_edit_redo(s.edit));
    mmd_edit_bone_values(s.edit, bone_of(0, RIGHT), values);
    assert_memory_equal(values, turned, sizeof values);
    assert_at(&s, bone_of(1, TIP), -1, 7.5, 0); /* the other model */
    end(&s);
}

static void a_bone_refuses_what_it_cannot_hold(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    double scaled[MMD_BONE_NUMBERS], broken[MMD_BONE_NUMBERS], values[MMD_BONE_NUMBERS];
    memcpy(scaled, straight, sizeof scaled);
    memcpy(broken, straight, sizeof broken);
    scaled[8] = 2;
    broken[1] = NAN;
    assert_null(mmd_edit_bone_command(s.edit, bone_of(0, RIGHT), scaled));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_BONE_SCALE);
    scaled[8] = 0;
    assert_null(mmd_edit_bone_command(s.edit, bone_of(0, RIGHT), scaled));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_VALUE);
    assert_null(mmd_edit_bone_command(s.edit, bone_of(0, RIGHT), broken));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_NUMBER);
    assert_null(mmd_edit_bone_command(s.edit, bone_of(0, BONES), moved));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_NO_ITEM);
    mmd_command *c = mmd_edit_bone_command(s.edit, bone_of(0, RIGHT), moved);
    assert_true(mmd_command_set(s.edit, c, NULL));
    assert_false(mmd_command_set(s.edit, c, broken)); /* the value before stays */
    mmd_edit_bone_values(s.edit, bone_of(0, RIGHT), values);
    assert_memory_equal(values, moved, sizeof values);
    mmd_command_undo(s.edit, c);
    mmd_edit_bone_values(s.edit, bone_of(0, RIGHT), values);
    assert_memory_equal(values, straight, sizeof values);
    mmd_command_destroy(c);
    end(&s);
}

/* --- Morphs --- */

static void a_weight_by_hand_takes_the_motions_place(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    const mmd_item smile = morph_of(0, SMILE);
    assert_true(isnan(by_hand(&s, smile)));
    assert_true(shown(&s, smile) == 0.25f);
    assert_at(&s, bone_of(0, TIP), -1, 7.5, 0);
    assert_true(mmd_edit_do(s.edit, mmd_edit_morph_command(s.edit, smile, 1)));
    assert_at(&s, bone_of(0, TIP), -1, 15, 0); /* also where the first thing read is a bone */
    assert_true(mmd_edit_do(s.edit, mmd_edit_morph_command(s.edit, smile, 0.5f)));
    assert_true(shown(&s, smile) == 0.5f && shown(&s, morph_of(1, SMILE)) == 0.25f);
    assert_string_equal(mmd_edit_undo_label(s.edit), "morph");
    assert_true(mmd_edit_do(s.edit, mmd_edit_release_command(s.edit, smile)));
    assert_true(isnan(by_hand(&s, smile)) && shown(&s, smile) == 0.25f);
    static const float before[] = {0.5f, 1};
    for (int i = 0; i < 2; i++) {
        assert_true(mmd_edit_undo(s.edit));
        assert_true(by_hand(&s, smile) == before[i]);
    }
    assert_true(mmd_edit_undo(s.edit));
    assert_true(isnan(by_hand(&s, smile)));
    assert_at(&s, bone_of(0, TIP), -1, 7.5, 0);
    while (mmd_edit_redo(s.edit))
        ;
    assert_true(isnan(by_hand(&s, smile)) && mmd_edit_history_steps(s.edit) == 3);
    end(&s);
}

static void a_dragged_weight_is_one_step(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    const mmd_item wink = morph_of(0, WINK_LEFT);
    mmd_command *c = mmd_edit_morph_command(s.edit, wink, 0.1f);
    assert_true(mmd_edit_do(s.edit, c));
    for (int i = 2; i <= 8; i++)
        assert_true(mmd_command_set(s.edit, c, &(double){i / 8.0}));
    assert_false(mmd_command_set(s.edit, c, &(double){INFINITY}));
    assert_true(by_hand(&s, wink) == 1);
    assert_true(mmd_edit_undo(s.edit));
    assert_true(isnan(by_hand(&s, wink)));
    assert_true(mmd_edit_redo(s.edit));
    assert_true(by_hand(&s, wink) == 1);
    assert_int_equal(mmd_edit_history_steps(s.edit), 1);
    assert_null(mmd_edit_morph_command(s.edit, bone_of(0, TIP), 1));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_KEY_WEIGHT);
    assert_null(mmd_edit_morph_command(s.edit, morph_of(0, MORPHS), 1));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_NO_ITEM);
    assert_null(mmd_edit_morph_command(s.edit, wink, INFINITY));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_NUMBER);
    end(&s);
}

/* --- Outside parents --- */

static size_t parents_of(const scene *s, mmd_item item)
{
    size_t count;
    int32_t bone = item.kind == MMD_ITEM_MODEL ? MMD_WHOLE_ACTOR : (int32_t)item.index;
    mmd_stage_outside_keys(s->stage, item.model, bone, &count);
    return count;
}

static void a_bone_is_attached_and_comes_back(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    const mmd_item root = bone_of(1, ROOT), hand = bone_of(0, RIGHT), other = bone_of(0, LEFT);
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, root, hand)));
    assert_at(&s, root, -1, 2, 0);
    assert_string_equal(mmd_edit_undo_label(s.edit), "outside parent");
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, root, other)));
    assert_at(&s, root, 1, 2, 0);
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, root, (mmd_item){0})));
    assert_at(&s, root, 0, 0, 0);
    assert_true(mmd_edit_is_attached_by_hand(s.edit, root)); /* to nothing */
    assert_true(mmd_edit_undo(s.edit) && mmd_edit_undo(s.edit));
    assert_at(&s, root, -1, 2, 0);
    assert_true(mmd_edit_is_attached_by_hand(s.edit, root));
    assert_true(mmd_edit_undo(s.edit));
    assert_at(&s, root, 0, 0, 0);
    assert_false(mmd_edit_is_attached_by_hand(s.edit, root));
    while (mmd_edit_redo(s.edit))
        ;
    assert_true(mmd_edit_is_attached_by_hand(s.edit, root) && parents_of(&s, root) == 0);
    end(&s);
}

/* What the stage had before the first edit are keys, as those of a project. */
static void a_released_bone_has_what_it_was_given(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    const mmd_item root = bone_of(1, ROOT);
    const mmd_outside_key given[] = {{0, s.rigs[0].actor, LEFT}, {10, NULL, -1}, {20, s.rigs[0].actor, TIP}};
    assert_int_equal(mmd_stage_set_outside_keys(s.stage, 1, ROOT, given, 3, NULL), MMD_OK);
    assert_true(mmd_edit_do(s.edit, mmd_edit_release_command(s.edit, root))); /* nothing is by hand */
    assert_int_equal(parents_of(&s, root), 3);
    assert_false(mmd_edit_is_attached_by_hand(s.edit, root));
    for (int i = 0; i < 2; i++)
        assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, root, bone_of(0, i ? RIGHT : ROOT))));
    assert_int_equal(parents_of(&s, root), 1);
    assert_true(mmd_edit_do(s.edit, mmd_edit_release_command(s.edit, root)));
    assert_false(mmd_edit_is_attached_by_hand(s.edit, root));
    size_t count;
    const mmd_outside_key *keys = mmd_stage_outside_keys(s.stage, 1, ROOT, &count);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(keys[i].frame, given[i].frame);
        assert_ptr_equal(keys[i].parent, given[i].parent);
        assert_true(!given[i].parent || keys[i].parent_bone == given[i].parent_bone);
    }
    assert_true(mmd_edit_undo(s.edit));
    assert_at(&s, root, -1, 2, 0);
    assert_true(mmd_edit_is_attached_by_hand(s.edit, root));
    assert_true(mmd_edit_undo(s.edit) && mmd_edit_undo(s.edit) && mmd_edit_undo(s.edit));
    assert_int_equal(parents_of(&s, root), 3);
    while (mmd_edit_redo(s.edit))
        ;
    assert_int_equal(parents_of(&s, root), 3);
    assert_false(mmd_edit_is_attached_by_hand(s.edit, root));
    end(&s);
}

static void rings_and_strangers_are_refused(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    const mmd_item root = bone_of(1, ROOT), hand = bone_of(0, RIGHT);
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, root, hand)));
    mmd_command *ring = mmd_edit_attach_command(s.edit, hand, bone_of(1, TIP));
    assert_non_null(ring);
    assert_false(mmd_edit_do(s.edit, ring));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_PARENT_RING);
    assert_string_equal(mmd_edit_refusal(s.edit),
                        "the other model is attached to this one already, so neither could be placed first");
    assert_false(mmd_edit_is_attached_by_hand(s.edit, hand));
    assert_int_equal(mmd_edit_history_steps(s.edit), 1);
    assert_null(mmd_edit_attach_command(s.edit, morph_of(0, SMILE), hand));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_PARENT_ITEM);
    assert_null(mmd_edit_attach_command(s.edit, root, model_of(0)));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_PARENT_ITEM);
    assert_null(mmd_edit_attach_command(s.edit, root, bone_of(0, BONES)));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_NO_ITEM);
    assert_null(mmd_edit_attach_command(s.edit, root, bone_of(MODELS, ROOT)));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_NO_ITEM);
    end(&s);
}

/* A ring that is closed while the edit is undone: the bone has no parent after redo, instead of an endless
 * way. */
static void redo_meets_a_ring_that_was_closed_since(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    const mmd_item root = bone_of(1, ROOT);
    assert_int_equal(mmd_stage_set_outside_parent(s.stage, 1, ROOT, s.rigs[2].actor, TIP, NULL), MMD_OK);
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, root, bone_of(0, RIGHT))));
    assert_true(mmd_edit_undo(s.edit));
    assert_int_equal(mmd_stage_set_outside_parent(s.stage, 0, ROOT, s.rigs[1].actor, TIP, NULL), MMD_OK);
    assert_true(mmd_edit_redo(s.edit));
    assert_int_equal(parents_of(&s, root), 0);
    assert_true(mmd_edit_is_attached_by_hand(s.edit, root));
    assert_true(mmd_edit_undo(s.edit));
    assert_int_equal(parents_of(&s, root), 1);
    assert_false(mmd_edit_is_attached_by_hand(s.edit, root));
    end(&s);
}

/* --- Resets --- */

static void a_whole_actor_returns_to_its_motions(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    const mmd_item one = model_of(1);
    mmd_staging placed = mmd_default_staging();
    placed.position[0] = 7;
    mmd_stage_set_staging(s.stage, 1, &placed);
    mmd_edit_begin(s.edit, "all");
    for (uint32_t i = LEFT; i <= RIGHT; i++)
        assert_true(mmd_edit_do(s.edit, mmd_edit_bone_command(s.edit, bone_of(1, i), moved)));
    for (uint32_t i = 0; i < MORPHS; i++)
        assert_true(mmd_edit_do(s.edit, mmd_edit_morph_command(s.edit, morph_of(1, i), 0)));
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, one, bone_of(0, LEFT))));
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, bone_of(1, TIP), bone_of(0, RIGHT))));
    assert_true(mmd_edit_do(s.edit, mmd_edit_bone_command(s.edit, bone_of(0, TIP), moved)));
    mmd_edit_end(s.edit);
    for (int i = 0; i < 2; i++) { /* the second time there is nothing to take back */
        assert_true(mmd_edit_do(s.edit, mmd_edit_reset_command(s.edit, one)));
        double values[MMD_BONE_NUMBERS];
        for (uint32_t b = 0; b < BONES; b++) {
            mmd_edit_bone_values(s.edit, bone_of(1, b), values);
            assert_memory_equal(values, straight, sizeof values);
        }
        for (uint32_t m = 0; m < MORPHS; m++)
            assert_true(isnan(by_hand(&s, morph_of(1, m))));
        assert_int_equal(parents_of(&s, one) + parents_of(&s, bone_of(1, TIP)), 0);
        assert_at(&s, bone_of(1, TIP), 6, 7.5, 0); /* where it is placed, with the motion's smile */
        mmd_edit_bone_values(s.edit, bone_of(0, TIP), values);
        assert_memory_equal(values, moved, sizeof values); /* of the other model */
        assert_string_equal(mmd_edit_undo_label(s.edit), "reset");
    }
    assert_true(mmd_edit_undo(s.edit) && mmd_edit_undo(s.edit));
    for (uint32_t m = 0; m < MORPHS; m++)
        assert_true(by_hand(&s, morph_of(1, m)) == 0);
    assert_int_equal(parents_of(&s, one), 1);
    assert_int_equal(parents_of(&s, bone_of(1, TIP)), 1);
    assert_true(mmd_edit_redo(s.edit));
    assert_at(&s, bone_of(1, TIP), 6, 7.5, 0);
    while (mmd_edit_undo(s.edit))
        ;
    assert_at(&s, bone_of(1, TIP), 6, 7.5, 0);
    end(&s);
}

static void single_items_are_reset(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    const mmd_item camera = {.kind = MMD_ITEM_CAMERA}, light = {.kind = MMD_ITEM_LIGHT};
    mmd_camera view = mmd_default_camera();
    const float color[3] = {0.1f, 0.2f, 0.3f};
    double values[MMD_BONE_NUMBERS];
    view.distance = -12;
    mmd_stage_set_camera(s.stage, &view);
    mmd_stage_set_light_color(s.stage, color); /* the direction is not by hand, and stays so */
    assert_true(mmd_edit_do(s.edit, mmd_edit_bone_command(s.edit, bone_of(0, RIGHT), moved)));
    assert_true(mmd_edit_do(s.edit, mmd_edit_morph_command(s.edit, morph_of(0, SMILE), 1)));
    const mmd_item items[] = {bone_of(0, RIGHT), morph_of(0, SMILE), camera, light};
    for (size_t i = 0; i < 4; i++) {
        mmd_command *c = mmd_edit_reset_command(s.edit, items[i]);
        assert_true(mmd_edit_do(s.edit, c));
        assert_true(mmd_command_set(s.edit, c, NULL)); /* once more */
    }
    mmd_edit_bone_values(s.edit, bone_of(0, RIGHT), values);
    assert_memory_equal(values, straight, sizeof values);
    assert_true(isnan(by_hand(&s, morph_of(0, SMILE))));
    assert_null(mmd_stage_camera_by_hand(s.stage));
    assert_null(mmd_stage_light_color_by_hand(s.stage));
    for (size_t i = 0; i < 4; i++)
        assert_true(mmd_edit_undo(s.edit));
    mmd_edit_bone_values(s.edit, bone_of(0, RIGHT), values);
    assert_memory_equal(values, moved, sizeof values);
    assert_true(by_hand(&s, morph_of(0, SMILE)) == 1);
    assert_memory_equal(mmd_stage_camera_by_hand(s.stage), &view, sizeof view);
    assert_memory_equal(mmd_stage_light_color_by_hand(s.stage), color, sizeof color);
    assert_null(mmd_stage_light_direction_by_hand(s.stage));
    assert_null(mmd_edit_reset_command(s.edit, (mmd_item){.kind = MMD_ITEM_STAGE}));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_NOTHING);
    assert_null(mmd_edit_reset_command(s.edit, model_of(MODELS)));
    assert_int_equal(mmd_edit_refusal_code(s.edit), MMD_REFUSAL_NO_ITEM);
    end(&s);
}

/* --- Another stage --- */

/* The other stage has the models in the other order; TIP is not there. */
static bool find_there(void *context, mmd_item *item)
{
    (void)context;
    assert_in_range(item->model, 0, 1);
    item->model = 1 - item->model;
    return item->kind != MMD_ITEM_BONE || item->index != TIP;
}

static void what_is_by_hand_moves_to_another_stage(void **state)
{
    (void)state;
    scene s, other;
    begin(&s);
    begin(&other);
    mmd_edit_options options = *mmd_edit_get_options(s.edit);
    options.history_steps = 3;
    mmd_edit_set_options(s.edit, &options);
    const mmd_item root = bone_of(1, ROOT), left = bone_of(1, LEFT);
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, left, bone_of(0, LEFT)))); /* forgotten */
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, root, bone_of(0, TIP))));
    assert_true(mmd_edit_do(s.edit, mmd_edit_attach_command(s.edit, root, bone_of(0, RIGHT))));
    mmd_edit_begin(s.edit, "rest");
    assert_true(mmd_edit_do(s.edit, mmd_edit_morph_command(s.edit, morph_of(0, SMILE), 1)));
    assert_true(mmd_edit_do(s.edit, mmd_edit_bone_command(s.edit, bone_of(0, TIP), moved)));
    assert_true(mmd_edit_do(s.edit, mmd_edit_bone_command(s.edit, bone_of(0, ROOT), moved)));
    assert_true(mmd_edit_do(s.edit, mmd_edit_reset_command(s.edit, model_of(0))));
    mmd_edit_end(s.edit);
    assert_int_equal(mmd_edit_history_steps(s.edit), 3);
    const mmd_edit_map map = {.stage = other.stage, .item = find_there};
    /* both attachments that know TIP, as what they set or what was there before, and the bone's own pose */
    assert_int_equal(mmd_edit_move(s.edit, &map), 3);
    mmd_edit *edit = other.edit;
    other.edit = s.edit;
    s.edit = edit;
    assert_int_equal(parents_of(&other, bone_of(0, LEFT)), 1);
    assert_true(mmd_edit_is_attached_by_hand(other.edit, bone_of(0, LEFT)));
    assert_false(mmd_edit_is_attached_by_hand(other.edit, left));
    assert_true(isnan(by_hand(&other, morph_of(1, SMILE))));
    assert_true(mmd_edit_undo(other.edit));
    assert_true(isnan(by_hand(&other, morph_of(1, SMILE))));
    assert_true(mmd_edit_redo(other.edit));
    assert_int_equal(mmd_edit_history_steps(other.edit), 1);
    assert_true(mmd_edit_do(other.edit, mmd_edit_release_command(other.edit, bone_of(0, LEFT))));
    assert_int_equal(parents_of(&other, bone_of(0, LEFT)), 0);
    finish(&other);
    end(&s);
}

/* --- The other side --- */

static void names_of_either_side_have_the_others(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"右腕", "左腕"},
        {"右足ＩＫ", "左足ＩＫ"},
        {"スカート_右1", "スカート_左1"},
        {"arm_L", "arm_R"},
        {"arm.l", "arm.r"},
        {"L arm", "R arm"},
        {"腕Ｌ", "腕Ｒ"},
        {"armL", "armR"},
        {"Skirt_L1", "Skirt_R1"},
        {"LeftArm", "RightArm"},
        {"mixamorig:LeftArm", "mixamorig:RightArm"},
        {"arm left", "arm right"},
        {"leftArm", "rightArm"},
        {"J_Bip_L_UpperArm", "J_Bip_R_UpperArm"},
        {"ARM_LEFT", "ARM_RIGHT"},
        {"Ｌｅｆｔ腕", "Ｒｉｇｈｔ腕"},
        {"HandLeft", "HandRight"},
    };
    char out[MMD_MIRROR_NAME_MAX];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int k = 0; k < 2; k++) {
            if (!mmd_edit_mirror_name(pairs[i][k], out))
                fail_msg("%s is of no side", pairs[i][k]);
            assert_string_equal(out, pairs[i][!k]);
        }
}

static void other_names_have_no_side(void **state)
{
    (void)state;
    static const char *const names[] = {"センター", "頭",    "全ての親", "Lower",    "COL",   "bright",
                                        "leftover", "cleft", "Ribbon",   "ﾈｸﾀｲＩＫ", "Upper", "Roll",
                                        "",         "\xe5",  "\xef\xbc", "BALL"};
    char out[MMD_MIRROR_NAME_MAX], name[400];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mmd_edit_mirror_name(names[i], out))
            fail_msg("%s became %s", names[i], out);
    memset(name, 'a', sizeof name);
    memcpy(name, "L_", 2);
    name[sizeof name - 1] = '\0';
    assert_false(mmd_edit_mirror_name(name, out));
}

static void bones_and_morphs_find_their_twins(void **state)
{
    (void)state;
    static const char *const names[] = {"センター", "右足IK", "左足ＩＫ", "右目",
                                        "両目",     "arm_L",  "左腕",     "右腕"};
    static const int32_t twins[] = {-1, 2, 1, -1, -1, -1, 7, 6};
    bone_rig rig = {0};
    for (uint32_t i = 0; i < 8; i++)
        bone_rig_add(&rig, names[i], (int32_t)i - 1, 0, 0, 0);
    mmd_bone_offset none = {.rotation = {0, 0, 0, 1}};
    bone_rig_morph(&rig, "ウィンク右", MMD_MORPH_BONE, &none, 1);
    bone_rig_morph(&rig, "笑い", MMD_MORPH_BONE, &none, 1);
    bone_rig_morph(&rig, "ウィンク左", MMD_MORPH_BONE, &none, 1);
    bone_rig_start(&rig);
    mmd_stage *stage = mmd_stage_create();
    assert_int_equal(mmd_stage_add_actor(stage, rig.actor, NULL), MMD_OK);
    mmd_edit *edit = mmd_edit_create(stage, NULL);
    for (uint32_t i = 0; i < 8; i++) {
        const mmd_item found = mmd_edit_mirrored(edit, bone_of(0, i));
        assert_int_equal(found.kind, twins[i] < 0 ? MMD_ITEM_NONE : MMD_ITEM_BONE);
        assert_int_equal(found.index, twins[i] < 0 ? 0 : twins[i]);
    }
    assert_true(mmd_item_equal(mmd_edit_mirrored(edit, morph_of(0, 0)), morph_of(0, 2)));
    assert_true(mmd_item_equal(mmd_edit_mirrored(edit, morph_of(0, 2)), morph_of(0, 0)));
    assert_int_equal(mmd_edit_mirrored(edit, morph_of(0, 1)).kind, MMD_ITEM_NONE);
    assert_int_equal(mmd_edit_mirrored(edit, model_of(0)).kind, MMD_ITEM_NONE);
    assert_int_equal(mmd_edit_mirrored(edit, bone_of(0, 8)).kind, MMD_ITEM_NONE);
    mmd_edit_destroy(edit);
    mmd_stage_destroy(stage);
    bone_rig_finish(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bone_is_posed_and_comes_back),
        cmocka_unit_test(a_bone_refuses_what_it_cannot_hold),
        cmocka_unit_test(a_weight_by_hand_takes_the_motions_place),
        cmocka_unit_test(a_dragged_weight_is_one_step),
        cmocka_unit_test(a_bone_is_attached_and_comes_back),
        cmocka_unit_test(a_released_bone_has_what_it_was_given),
        cmocka_unit_test(rings_and_strangers_are_refused),
        cmocka_unit_test(redo_meets_a_ring_that_was_closed_since),
        cmocka_unit_test(a_whole_actor_returns_to_its_motions),
        cmocka_unit_test(single_items_are_reset),
        cmocka_unit_test(what_is_by_hand_moves_to_another_stage),
        cmocka_unit_test(names_of_either_side_have_the_others),
        cmocka_unit_test(other_names_have_no_side),
        cmocka_unit_test(bones_and_morphs_find_their_twins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
