/*
 * Tests commands that move, copy and delete keys or change curves, and keys of camera, light, morphs, self
 * shadow and a model's switches: the bytes written, undo to the original file, refusals, and a long random
 * sequence.
 */
#include "support.h"

#include <math.h>

#include "mmd/edit.h"
#include "mmd/format.h"
#include "mmd/text.h"

typedef struct scene {
    mmd_model *model;
    mmd_motion *dance, *camera; /* editable copies */
    mmd_bytes dance_file, camera_file;
    mmd_actor *actor;
    mmd_stage *stage;
    mmd_edit *edit;
    uint64_t blocks;
} scene;

static mmd_bytes load(const char *path)
{
    mmd_bytes bytes = {0};
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    return bytes;
}

static mmd_motion *copy_of(const mmd_bytes *file)
{
    mmd_motion *read, *copy;
    assert_int_equal(mmd_vmd_read(file->data, file->size, &read, NULL), MMD_OK);
    assert_int_equal(mmd_motion_copy(read, &copy, NULL), MMD_OK);
    mmd_motion_destroy(read);
    return copy;
}

static mmd_motion *dance_of(void *context, uint32_t actor, uint32_t part)
{
    (void)actor;
    (void)part;
    return ((scene *)context)->dance;
}

static mmd_motion *camera_of(void *context, mmd_key_kind kind)
{
    (void)kind;
    return ((scene *)context)->camera;
}

static mmd_motion *switches_of(void *context, uint32_t actor)
{
    return dance_of(context, actor, 0);
}

static void begin(scene *s)
{
    *s = (scene){.blocks = mmd_heap_blocks_in_use()};
    mmd_bytes pmx = load(ODORI_BINARY "/dancer/dancer.pmx");
    s->dance_file = load(ODORI_BINARY "/dancer/dance.vmd");
    s->camera_file = load(ODORI_BINARY "/dancer/camera.vmd");
    assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &s->model, NULL), MMD_OK);
    mmd_free(pmx.data);
    s->dance = copy_of(&s->dance_file);
    s->camera = copy_of(&s->camera_file);
    s->actor = mmd_actor_create(s->model);
    s->stage = mmd_stage_create();
    assert_true(s->actor && s->stage);
    assert_int_equal(mmd_actor_add_motion(s->actor, s->dance, NULL), MMD_OK);
    assert_int_equal(mmd_stage_add_actor(s->stage, s->actor, NULL), MMD_OK);
    assert_int_equal(mmd_stage_add_scene_motion(s->stage, s->camera, NULL), MMD_OK);
    mmd_stage_set_frame(s->stage, 0);
    s->edit = mmd_edit_create(s->stage, NULL);
    assert_non_null(s->edit);
    const mmd_edit_keying keying = {.motion = dance_of,
                                    .context = s,
                                    .morph_motion = dance_of,
                                    .scene_motion = camera_of,
                                    .switches_motion = switches_of};
    mmd_edit_set_keying(s->edit, &keying);
}

static void end(scene *s)
{
    mmd_edit_destroy(s->edit);
    mmd_stage_destroy(s->stage);
    mmd_actor_destroy(s->actor);
    mmd_motion_destroy(s->dance);
    mmd_motion_destroy(s->camera);
    mmd_model_destroy(s->model);
    mmd_free(s->dance_file.data);
    mmd_free(s->camera_file.data);
    assert_int_equal(mmd_heap_blocks_in_use(), s->blocks);
}

static void expect_file(const mmd_motion *motion, const mmd_bytes *file)
{
    mmd_buffer out = {0};
    assert_int_equal(mmd_vmd_write(motion, &out, NULL), MMD_OK);
    assert_int_equal(out.size, file->size);
    assert_memory_equal(out.data, file->data, file->size);
    mmd_buffer_finish(&out);
}

/* Undoes everything and checks that the original files are written. */
static void expect_all_undone(scene *s)
{
    while (mmd_edit_undo(s->edit))
        ;
    expect_file(s->dance, &s->dance_file);
    expect_file(s->camera, &s->camera_file);
}

static mmd_item item_of(const scene *s, const char *path)
{
    mmd_item item = mmd_edit_find(s->edit, path);
    if (!item.kind)
        fail_msg("no %s", path);
    return item;
}

static mmd_key_row row_of(const scene *s, mmd_item item)
{
    switch (item.kind) {
    case MMD_ITEM_BONE:
        return mmd_key_row_of(MMD_KEY_BONE, s->model->bone_key[item.index]);
    case MMD_ITEM_MORPH:
        return mmd_key_row_of(MMD_KEY_MORPH, s->model->morph_key[item.index]);
    case MMD_ITEM_SWITCHES:
        return mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
    case MMD_ITEM_SHADOW:
        return mmd_key_row_of(MMD_KEY_SELF_SHADOW, NULL);
    default:
        return mmd_key_row_of(item.kind == MMD_ITEM_CAMERA ? MMD_KEY_CAMERA : MMD_KEY_LIGHT, NULL);
    }
}

static const mmd_motion *motion_of(const scene *s, mmd_item item)
{
    bool is_stage =
        item.kind == MMD_ITEM_CAMERA || item.kind == MMD_ITEM_LIGHT || item.kind == MMD_ITEM_SHADOW;
    return is_stage ? s->camera : s->dance;
}

static bool get(const scene *s, mmd_item item, uint32_t frame, mmd_stored_key *key)
{
    const mmd_key_row row = row_of(s, item);
    return mmd_motion_get_key(motion_of(s, item), &row, frame, key);
}

static uint32_t key_frame(const scene *s, mmd_item item, uint32_t place)
{
    const mmd_key_row row = row_of(s, item);
    return mmd_motion_key_frame(motion_of(s, item), &row, place);
}

static void refused(const scene *s, const mmd_command *c, const char *why)
{
    assert_null(c);
    if (!strstr(mmd_edit_refusal(s->edit), why))
        fail_msg("\"%s\" is not \"%s\"", mmd_edit_refusal(s->edit), why);
}

/* --- One by one --- */

static void a_moved_key_takes_the_place_of_the_one_there_and_undo_brings_both_back(void **state)
{
    (void)state;
    static const char *const paths[] = {"/models/#0/bones/右腕", "/models/#0/morphs/あ", "/camera"};
    scene s;
    begin(&s);
    for (size_t i = 0; i < 3; i++) {
        mmd_item item = item_of(&s, paths[i]);
        uint32_t from = key_frame(&s, item, 1), to = key_frame(&s, item, 3), last = to + 1;
        mmd_stored_key key, there, at;
        assert_true(get(&s, item, from, &key) && get(&s, item, to, &there));
        mmd_command *c = mmd_edit_move_key_command(s.edit, item, from, to);
        assert_non_null(c);
        assert_true(mmd_command_set(s.edit, c, NULL));
        assert_false(get(&s, item, from, &at));
        assert_true(get(&s, item, to, &at) && at.record == key.record);
        /* Dragged on: the key that was covered is back. */
        const double on[1] = {last}, back[1] = {from};
        assert_true(mmd_command_set(s.edit, c, on));
        assert_true(get(&s, item, to, &at) && at.record == there.record);
        assert_true(get(&s, item, last, &at) && at.record == key.record);
        assert_true(mmd_command_set(s.edit, c, back));
        assert_true(get(&s, item, from, &at) && at.record == key.record);
        assert_true(mmd_command_set(s.edit, c, on));
        assert_true(mmd_edit_add(s.edit, c));
        assert_string_equal(mmd_edit_undo_label(s.edit), "move key");
        expect_all_undone(&s);
        assert_true(mmd_edit_redo(s.edit));
        assert_true(get(&s, item, last, &at) && at.record == key.record);
        expect_all_undone(&s);
    }
    end(&s);
}

static void a_copied_key_is_a_new_record(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_item arm = item_of(&s, "/models/#0/bones/右腕");
    uint32_t from = key_frame(&s, arm, 1), count = s.dance->bone_key_count;
    mmd_stored_key key, copy;
    assert_true(mmd_edit_do(s.edit, mmd_edit_copy_key_command(s.edit, arm, from, 4000)));
    assert_true(get(&s, arm, from, &key) && get(&s, arm, 4000, &copy));
    assert_true(copy.record == MMD_NO_RECORD && key.record != MMD_NO_RECORD);
    assert_memory_equal(copy.as.bone.rotation, key.as.bone.rotation, sizeof key.as.bone.rotation);
    assert_memory_equal(copy.as.bone.curve, key.as.bone.curve, sizeof key.as.bone.curve);
    assert_true(s.dance->bone_key_count == count + 1 && s.dance->last_frame == 4000);
    expect_all_undone(&s);
    assert_int_equal(s.dance->last_frame, 1200);
    end(&s);
}

static void curves_of_chosen_channels_change_and_no_others(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_item camera = item_of(&s, "/camera");
    uint32_t frame = key_frame(&s, camera, 2), channel = MMD_CAMERA_DISTANCE;
    mmd_stored_key before, after;
    assert_true(get(&s, camera, frame, &before));
    mmd_command *c = mmd_edit_curve_command(s.edit, camera, frame, 1u << channel, (mmd_curve){1, 2, 3, 4});
    const double v[4] = {10, 20, 30, 127}, high[4] = {10, 20, 30, 128}, part[4] = {0.5, 0, 0, 0};
    assert_true(mmd_command_set(s.edit, c, NULL) && mmd_command_set(s.edit, c, v));
    assert_false(mmd_command_set(s.edit, c, high) || mmd_command_set(s.edit, c, part));
    assert_true(mmd_edit_add(s.edit, c));
    assert_true(get(&s, camera, frame, &after));
    for (uint32_t i = 0; i < MMD_CAMERA_CHANNELS; i++) {
        const mmd_curve set = {10, 20, 30, 127};
        const mmd_curve *wanted = i == channel ? &set : &before.as.camera.curve[i];
        assert_memory_equal(&after.as.camera.curve[i], wanted, sizeof *wanted);
    }
    /* In the saved file at most four of the key's 61 bytes differ. */
    mmd_buffer out = {0};
    size_t others = 0;
    assert_int_equal(mmd_vmd_write(s.camera, &out, NULL), MMD_OK);
    assert_int_equal(out.size, s.camera_file.size);
    for (size_t i = 0; i < out.size; i++)
        others += out.data[i] != s.camera_file.data[i];
    assert_in_range(others, 1, 4);
    mmd_buffer_finish(&out);
    expect_all_undone(&s);
    end(&s);
}

static void edits_of_camera_and_light_write_keys_while_keying(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_item camera = item_of(&s, "/camera"), light = item_of(&s, "/light");
    const double place[3] = {1, 12, -3}, ray[3] = {0, -1, 0.25};
    mmd_stage_set_frame(s.stage, 333);
    mmd_camera seen = *mmd_stage_camera(s.stage);
    mmd_camera hand = seen;
    hand.distance = -77;
    mmd_stage_set_camera(s.stage, &hand);
    mmd_transform3d *object = mmd_edit_edit_transform3d(s.edit, camera, MMD_HINT_TRANSLATE);
    assert_true(mmd_edit_do(s.edit, mmd_transform3d_command(s.edit, object, MMD_TRANSLATION, place)));
    mmd_transform3d_destroy(object);
    object = mmd_edit_edit_transform3d(s.edit, light, MMD_HINT_TRANSLATE);
    assert_true(mmd_edit_do(s.edit, mmd_transform3d_command(s.edit, object, MMD_TRANSLATION, ray)));
    mmd_transform3d_destroy(object);
    mmd_stored_key key;
    assert_true(get(&s, camera, 333, &key) && key.as.camera.value.position[1] == 12.0f);
    assert_true(key.as.camera.value.distance == -77.0f && !mmd_stage_camera_by_hand(s.stage));
    assert_true(mmd_stage_camera(s.stage)->position[2] == -3.0f);
    assert_true(get(&s, light, 333, &key) && key.as.light.value.direction[2] == 0.25f);
    assert_true(mmd_stage_light(s.stage)->direction[2] == 0.25f);
    expect_all_undone(&s);
    assert_true(mmd_stage_camera_by_hand(s.stage) && mmd_stage_camera(s.stage)->distance == -77.0f);
    /* A whole matrix moves the camera to it. */
    double m[16], landed[16];
    mmd_edit_local(s.edit, camera, m);
    m[12] += 2;
    object = mmd_edit_transform3d(s.edit, camera);
    assert_true(mmd_edit_do(s.edit, mmd_transform3d_matrix_command(s.edit, object, m)));
    mmd_transform3d_destroy(object);
    mmd_edit_local(s.edit, camera, landed);
    for (int k = 0; k < 16; k++)
        assert_true(fabs(m[k] - landed[k]) < 1e-4);
    expect_all_undone(&s);
    end(&s);
}

static void registered_camera_and_morph_keys_hold_what_is_seen(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_item camera = item_of(&s, "/camera"), morph = item_of(&s, "/models/#0/morphs/あ");
    mmd_stage_set_frame(s.stage, 111);
    mmd_camera seen = *mmd_stage_camera(s.stage);
    float weight = mmd_actor_values(s.actor)->weights[morph.index];
    assert_true(mmd_edit_do(s.edit, mmd_edit_key_command(s.edit, camera)));
    assert_true(mmd_edit_do(s.edit, mmd_edit_key_command(s.edit, morph)));
    mmd_stored_key key;
    assert_true(get(&s, camera, 111, &key) && key.as.camera.value.distance == seen.distance);
    assert_true(key.as.camera.value.fov == roundf(seen.fov) && key.as.camera.curve[3].x1 == 20);
    assert_true(get(&s, morph, 111, &key) && key.as.weight == weight);
    mmd_command *c = mmd_edit_morph_key_command(s.edit, morph, 0.25f);
    const double v[1] = {0.75};
    assert_true(mmd_command_set(s.edit, c, NULL) && mmd_command_set(s.edit, c, v));
    assert_true(mmd_edit_add(s.edit, c));
    mmd_stage_set_frame(s.stage, 111);
    assert_true(mmd_actor_values(s.actor)->weights[morph.index] == 0.75f);
    assert_true(mmd_edit_do(s.edit, mmd_edit_unkey_command(s.edit, morph)));
    assert_false(get(&s, morph, 111, &key));
    expect_all_undone(&s);
    end(&s);
}

/* Returns the switch of a key with a name, or NULL. */
static const mmd_ik_switch *switch_named(const mmd_stored_key *key, const char *name)
{
    uint8_t wanted[MMD_NAME_KEY_SIZE], is[MMD_NAME_KEY_SIZE];
    mmd_name_key_from_utf8(name, wanted, NULL, NULL);
    for (uint32_t i = 0; i < key->as.property.switch_count; i++) {
        const mmd_ik_switch *s = &key->as.property.switches[i];
        mmd_name_key_from_field(s->name, sizeof s->name, is);
        if (memcmp(is, wanted, sizeof is) == 0)
            return s;
    }
    return NULL;
}

static uint32_t count_iks(const scene *s)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < s->model->bone_count; b++)
        count += (s->model->bones[b].flags & MMD_BONE_IK) != 0;
    return count;
}

static void a_key_of_one_switch_has_all_of_the_model_as_they_hold(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_item item = item_of(&s, "/models/#0/switches"), right = item_of(&s, "/models/#0/bones/右足ＩＫ"),
             left = item_of(&s, "/models/#0/bones/左足ＩＫ");
    char path[64];
    assert_true(mmd_edit_path(s.edit, item, path, sizeof path) < sizeof path);
    assert_non_null(strstr(path, "/switches"));
    assert_true(mmd_item_equal(mmd_edit_find(s.edit, path), item));
    assert_true(mmd_item_equal(mmd_edit_parent(s.edit, item), item_of(&s, "/models/#0")));
    mmd_stage_set_frame(s.stage, 30);
    assert_true(mmd_edit_do(s.edit, mmd_edit_switch_key_command(s.edit, 0, (int32_t)right.index, false)));
    mmd_stage_set_frame(s.stage, 60);
    assert_true(mmd_edit_do(s.edit, mmd_edit_switch_key_command(s.edit, 0, -1, false)));
    assert_true(mmd_edit_do(s.edit, mmd_edit_switch_key_command(s.edit, 0, (int32_t)left.index, false)));
    mmd_stored_key key;
    assert_true(get(&s, item, 30, &key) && key.as.property.visible == 1);
    assert_int_equal(key.as.property.switch_count, count_iks(&s));
    assert_int_equal(switch_named(&key, "右足ＩＫ")->on, 0);
    assert_int_equal(switch_named(&key, "左足ＩＫ")->on, 1);
    assert_true(get(&s, item, 60, &key) && key.as.property.visible == 0);
    assert_int_equal(key.as.property.switch_count, count_iks(&s));
    assert_true(!switch_named(&key, "右足ＩＫ")->on && !switch_named(&key, "左足ＩＫ")->on);
    /* The actor has these switches. */
    mmd_stage_set_frame(s.stage, 60);
    assert_false(mmd_actor_values(s.actor)->visible || mmd_actor_values(s.actor)->ik_on[left.index]);
    mmd_stage_set_frame(s.stage, 45);
    assert_true(mmd_actor_values(s.actor)->visible && mmd_actor_values(s.actor)->ik_on[left.index]);
    assert_false(mmd_actor_values(s.actor)->ik_on[right.index]);
    expect_all_undone(&s);
    mmd_stage_set_frame(s.stage, 60);
    assert_true(mmd_actor_values(s.actor)->visible && mmd_actor_values(s.actor)->ik_on[right.index]);
    end(&s);
}

/* Switches of other names in the file's key, and its bytes, are kept. */
static void a_switch_of_a_key_that_is_there_changes_alone(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_item item = item_of(&s, "/models/#0/switches"), right = item_of(&s, "/models/#0/bones/右足ＩＫ");
    mmd_ik_switch others[2] = {{"nobody", 7}, {"nobody", 0}};
    const mmd_stored_key made = {.as.property = {.visible = 5, .switch_count = 2, .switches = others}};
    assert_true(mmd_edit_do(s.edit, mmd_edit_put_key_command(s.edit, item, 12, &made)));
    memset(others, 0xff, sizeof others); /* the command has copied them */
    mmd_stage_set_frame(s.stage, 12);
    assert_true(mmd_edit_do(s.edit, mmd_edit_switch_key_command(s.edit, 0, (int32_t)right.index, false)));
    assert_true(mmd_edit_do(s.edit, mmd_edit_move_key_command(s.edit, item, 12, 13)));
    assert_true(mmd_edit_undo(s.edit) && mmd_edit_undo(s.edit) && mmd_edit_redo(s.edit) &&
                mmd_edit_redo(s.edit));
    mmd_stored_key key;
    assert_true(get(&s, item, 13, &key) && key.as.property.visible == 5);
    assert_int_equal(key.as.property.switch_count, 3);
    assert_true(key.as.property.switches[0].on == 7 && key.as.property.switches[1].on == 0);
    assert_int_equal(switch_named(&key, "右足ＩＫ")->on, 0);
    expect_all_undone(&s);
    end(&s);
}

static void keys_of_self_shadow_are_seen_at_once(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_item shadow = item_of(&s, "/shadow");
    mmd_stage_set_frame(s.stage, 30);
    assert_true(mmd_edit_do(s.edit, mmd_edit_shadow_key_command(s.edit, &(mmd_self_shadow){2, 0.05f})));
    assert_true(mmd_stage_self_shadow(s.stage)->mode == 2 &&
                mmd_stage_self_shadow(s.stage)->distance == 0.05f);
    mmd_stage_set_frame(s.stage, 90);
    assert_true(mmd_edit_do(s.edit, mmd_edit_key_command(s.edit, shadow)));
    mmd_stored_key key;
    assert_true(get(&s, shadow, 90, &key) && key.as.self_shadow.value.mode == 2);
    assert_true(key.as.self_shadow.value.distance == 0.05f);
    assert_true(mmd_edit_do(s.edit, mmd_edit_unkey_command(s.edit, shadow)));
    assert_false(get(&s, shadow, 90, &key));
    expect_all_undone(&s);
    assert_int_equal(mmd_stage_self_shadow(s.stage)->mode, 1);
    end(&s);
}

static void what_cannot_be_done_says_why(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_item arm = item_of(&s, "/models/#0/bones/右腕"), morph = item_of(&s, "/models/#0/morphs/あ"),
             camera = item_of(&s, "/camera"), light = item_of(&s, "/light"),
             model = item_of(&s, "/models/#0");
    const mmd_curve curve = {0, 0, 127, 127};
    uint32_t frame = key_frame(&s, arm, 0), free = 1;
    mmd_stored_key ignored;
    while (get(&s, camera, free, &ignored))
        free++;
    refused(&s, mmd_edit_move_key_command(s.edit, camera, free, 5), "no keyframe at frame");
    refused(&s, mmd_edit_copy_key_command(s.edit, camera, free, 5), "no keyframe at frame");
    refused(&s, mmd_edit_remove_key_command(s.edit, camera, free), "no keyframe at frame");
    refused(&s, mmd_edit_curve_command(s.edit, camera, free, 1, curve), "no keyframe at frame");
    refused(&s, mmd_edit_curve_command(s.edit, morph, 0, 1, curve), "have no curves");
    refused(&s, mmd_edit_curve_command(s.edit, light, 0, 1, curve), "have no curves");
    refused(&s, mmd_edit_curve_command(s.edit, arm, frame, 1 << 4, curve), "no such curve");
    refused(&s, mmd_edit_curve_command(s.edit, arm, frame, 1, (mmd_curve){0, 0, 128, 0}), "from 0 to 127");
    refused(&s, mmd_edit_key_command(s.edit, model), "only bones, morphs, camera, light");
    refused(&s, mmd_edit_switch_key_command(s.edit, 0, (int32_t)arm.index, true),
            "右腕 of おどり is not an IK bone");
    refused(&s, mmd_edit_switch_key_command(s.edit, 0, 99999, true), "is not an IK bone");
    refused(&s, mmd_edit_switch_key_command(s.edit, 1, -1, true), "have keyframes");
    refused(&s, mmd_edit_shadow_key_command(s.edit, &(mmd_self_shadow){3, 0}), "modes of self shadow");
    refused(&s, mmd_edit_shadow_key_command(s.edit, &(mmd_self_shadow){1, NAN}), "modes of self shadow");
    refused(&s, mmd_edit_curve_command(s.edit, item_of(&s, "/shadow"), 0, 1, curve), "have no curves");
    refused(&s, mmd_edit_curve_command(s.edit, item_of(&s, "/models/#0/switches"), 0, 1, curve),
            "have no curves");
    refused(&s, mmd_edit_morph_key_command(s.edit, arm, 1), "only morphs");
    refused(&s, mmd_edit_morph_key_command(s.edit, morph, NAN), "not finite");
    const mmd_camera nowhere = {.distance = -45, .position = {0, INFINITY, 0}, .fov = 30};
    assert_false(mmd_edit_do(s.edit, mmd_edit_camera_key_command(s.edit, &nowhere)));
    refused(&s, NULL, "not finite");
    assert_false(mmd_edit_do(s.edit, mmd_edit_light_key_command(s.edit, &(mmd_light){.color = {NAN}})));
    refused(&s, NULL, "not finite");
    mmd_stage_set_frame(s.stage, 10.5);
    refused(&s, mmd_edit_key_command(s.edit, camera), "whole frames");
    refused(&s, mmd_edit_key_command(s.edit, morph), "whole frames");
    mmd_edit_set_keying(s.edit, NULL);
    refused(&s, mmd_edit_move_key_command(s.edit, camera, 0, 5), "no motion to write keyframes");
    assert_int_equal(mmd_edit_history_steps(s.edit), 0);
    expect_all_undone(&s);
    end(&s);
}

/* A file may hold several keys at a frame. The effective one is removed, and undo puts it back after the
 * others. */
static void one_of_several_keys_of_a_frame_comes_back(void **state)
{
    (void)state;
    scene s;
    begin(&s);
    mmd_item arm = item_of(&s, "/models/#0/bones/右腕");
    const mmd_key_row row = row_of(&s, arm);
    uint32_t frame = key_frame(&s, arm, 2);
    mmd_stored_key first, key;
    assert_true(get(&s, arm, frame, &first));
    key = first;
    key.record = MMD_NO_RECORD;
    key.as.bone.translation[0] = 5;
    assert_int_equal(mmd_motion_add_key(s.dance, &row, frame, &key, NULL, NULL), MMD_OK);
    mmd_buffer before = {0}, after = {0};
    assert_int_equal(mmd_vmd_write(s.dance, &before, NULL), MMD_OK);
    assert_true(mmd_edit_do(s.edit, mmd_edit_remove_key_command(s.edit, arm, frame)));
    assert_true(get(&s, arm, frame, &key) && key.record == first.record);
    assert_true(mmd_edit_do(s.edit, mmd_edit_move_key_command(s.edit, arm, frame, 3)));
    assert_true(mmd_edit_undo(s.edit) && mmd_edit_undo(s.edit));
    assert_int_equal(mmd_vmd_write(s.dance, &after, NULL), MMD_OK);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.data, after.data, before.size);
    mmd_buffer_finish(&before);
    mmd_buffer_finish(&after);
    end(&s);
}

/* --- A random walk --- */

enum { EDITS = 5000, KEPT = 64, FRAMES = 1300 };

/* Picks an item; switches and shadow have no key in the files. */
static mmd_item any_item(const scene *s, uint64_t *seed)
{
    switch (test_random(seed) % 8) {
    case 6:
        return (mmd_item){.kind = MMD_ITEM_SWITCHES};
    case 7:
        return (mmd_item){.kind = MMD_ITEM_SHADOW};
    case 0:
        return (mmd_item){.kind = MMD_ITEM_CAMERA};
    case 1:
        return (mmd_item){.kind = MMD_ITEM_LIGHT};
    case 2:
    case 3:
        return (mmd_item){.kind = MMD_ITEM_MORPH,
                          .index = (uint32_t)(test_random(seed) % s->model->morph_count)};
    default:
        return (mmd_item){.kind = MMD_ITEM_BONE,
                          .index = (uint32_t)(test_random(seed) % s->model->bone_count)};
    }
}

/* Returns the frame of an existing key, or any frame if there is none. */
static uint32_t any_key(const scene *s, mmd_item item, uint64_t *seed)
{
    const mmd_key_row row = row_of(s, item);
    uint32_t count = mmd_motion_count_keys(motion_of(s, item), &row);
    uint64_t which = test_random(seed);
    return count ? key_frame(s, item, (uint32_t)(which % count)) : (uint32_t)(which % FRAMES);
}

/* Returns an IK bone, or -1 for visibility. */
static int32_t any_switch(const scene *s, uint64_t bits)
{
    uint32_t skip = (uint32_t)(bits & 7), count = s->model->bone_count;
    for (uint32_t b = 0; b < count; b++)
        if ((s->model->bones[b].flags & MMD_BONE_IK) && skip-- == 0)
            return (int32_t)b;
    return -1;
}

static mmd_command *any_command(scene *s, uint64_t *seed)
{
    mmd_item item = any_item(s, seed);
    uint32_t from = any_key(s, item, seed), to = (uint32_t)(test_random(seed) % FRAMES);
    uint64_t which = test_random(seed) % 7, bits = test_random(seed);
    const mmd_curve curve = {bits & 127, bits >> 8 & 127, bits >> 16 & 127, bits >> 24 & 127};
    if (test_random(seed) % 4 == 0)
        to = any_key(s, item, seed);
    switch (which) {
    case 0:
        return mmd_edit_copy_key_command(s->edit, item, from, to);
    case 1:
        return mmd_edit_remove_key_command(s->edit, item, from);
    case 2:
        return mmd_edit_curve_command(s->edit, item, from, 1u + (uint32_t)(bits >> 32) % 15u, curve);
    case 3:
        mmd_stage_set_frame(s->stage, to);
        if (item.kind == MMD_ITEM_MORPH)
            return mmd_edit_morph_key_command(s->edit, item, (float)(bits % 100) / 100);
        return mmd_edit_key_command(s->edit, item);
    case 4: {
        const mmd_camera camera = {.distance = -(float)(bits % 90),
                                   .position = {(float)(bits >> 8 & 15), 10, 0},
                                   .rotation = {0, (float)(bits >> 16 & 3), 0},
                                   .fov = 20 + (float)(bits >> 24 & 31),
                                   .perspective = true};
        const mmd_light light = {{(float)(bits & 63) / 64, 0.5f, 0.5f}, {0.5f, -1, (float)(bits >> 8 & 7)}};
        mmd_stage_set_frame(s->stage, to);
        if (item.kind == MMD_ITEM_SWITCHES)
            return mmd_edit_switch_key_command(s->edit, 0, any_switch(s, bits), bits >> 9 & 1);
        if (item.kind == MMD_ITEM_SHADOW)
            return mmd_edit_shadow_key_command(s->edit,
                                               &(mmd_self_shadow){bits % 3, (float)(bits >> 8 & 63) / 640});
        return item.kind == MMD_ITEM_LIGHT ? mmd_edit_light_key_command(s->edit, &light)
                                           : mmd_edit_camera_key_command(s->edit, &camera);
    }
    default:
        return mmd_edit_move_key_command(s->edit, item, from, to);
    }
}

/* Makes a step of one or more edits; moved or copied keys are dragged. Returns false if all were refused. */
static bool any_edit(scene *s, uint64_t *seed)
{
    uint64_t count = test_random(seed) % 4 ? 1 : 3;
    bool done = false;
    mmd_edit_begin(s->edit, "several");
    while (count--) {
        mmd_command *c = any_command(s, seed);
        uint64_t sets = test_random(seed) % 3, to = test_random(seed) % FRAMES;
        if (!c || !mmd_command_set(s->edit, c, NULL)) {
            mmd_command_destroy(c);
            continue;
        }
        const char *label = mmd_command_label(c);
        bool goes = strcmp(label, "move key") == 0 || strcmp(label, "copy key") == 0;
        for (; goes && sets; sets--) {
            const double v[1] = {(double)((to + sets * 7) % FRAMES)};
            assert_true(mmd_command_set(s->edit, c, v));
        }
        assert_true(mmd_edit_add(s->edit, c));
        done = true;
    }
    mmd_edit_end(s->edit);
    return done;
}

static uint64_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static uint32_t u32_at(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Hashes a motion's records independently of the order of new bone and morph records, which depends on the
 * order in which tracks were made. */
static uint64_t digest(const mmd_motion *motion)
{
    static const size_t sizes[2] = {111, 23};
    mmd_buffer out = {0};
    uint64_t sum = 0;
    size_t at = 50;
    assert_int_equal(mmd_vmd_write(motion, &out, NULL), MMD_OK);
    for (int section = 0; section < 2; section++) {
        uint32_t count = u32_at(out.data + at);
        at += 4;
        for (uint32_t i = 0; i < count; i++, at += sizes[section])
            sum += hash_of(out.data + at, sizes[section]) * (uint64_t)(section + 1);
    }
    sum ^= hash_of(out.data + at, out.size - at);
    mmd_buffer_finish(&out);
    return sum;
}

static void a_random_walk_over_keys_equals_its_replay_bit_for_bit(void **state)
{
    (void)state;
    uint64_t seed = 20261121, *made = mmd_alloc(EDITS * sizeof *made);
    scene s;
    begin(&s);
    mmd_edit_options options = mmd_default_edit_options();
    options.history_steps = KEPT;
    mmd_edit_set_options(s.edit, &options);
    size_t count = 0, standing = 0, undos = 0, redos = 0, most_bytes = 0;
    for (int i = 0; i < EDITS; i++) {
        uint64_t choice = test_random(&seed) % 8;
        if (choice < 2 && mmd_edit_undo_label(s.edit)) {
            assert_true(mmd_edit_undo(s.edit));
            standing--;
            undos++;
        } else if (choice == 2 && mmd_edit_redo_label(s.edit)) {
            assert_true(mmd_edit_redo(s.edit));
            standing++;
            redos++;
        } else {
            uint64_t own = test_random(&seed), used = own;
            if (any_edit(&s, &used)) {
                made[standing++] = own;
                count++;
            }
        }
        if (i % 100 == 0 && mmd_edit_history_bytes(s.edit) > most_bytes)
            most_bytes = mmd_edit_history_bytes(s.edit);
    }
    uint64_t dance = digest(s.dance), camera = digest(s.camera);
    uint32_t keys = s.dance->bone_key_count + s.dance->morph_key_count, views = s.camera->camera_key_count;
    size_t arena = s.dance->arena.used + s.camera->arena.used;
    end(&s);
    begin(&s);
    for (size_t i = 0; i < standing; i++) {
        uint64_t own = made[i];
        any_edit(&s, &own);
    }
    print_message(
        "%d steps: %zu undos, %zu redos, %zu edits stand of %zu; %u and %u keys; %zu bytes of history, "
        "%zu of motions at most\n",
        EDITS, undos, redos, standing, count, keys, views, most_bytes, arena);
    assert_true(digest(s.dance) == dance && digest(s.camera) == camera);
    assert_true(undos > EDITS / 20 && redos > 100 && most_bytes < (size_t)KEPT * 8192);
    end(&s);
    mmd_free(made);
}

/* With unlimited history, all edits can be undone. */
static void all_of_a_walk_undone_is_the_very_file(void **state)
{
    (void)state;
    uint64_t seed = 5;
    scene s;
    begin(&s);
    for (int i = 0; i < 400; i++)
        any_edit(&s, &seed);
    assert_true(mmd_edit_history_steps(s.edit) > 200);
    uint64_t dance = digest(s.dance), camera = digest(s.camera);
    expect_all_undone(&s);
    while (mmd_edit_redo(s.edit))
        ;
    assert_true(digest(s.dance) == dance && digest(s.camera) == camera);
    expect_all_undone(&s);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moved_key_takes_the_place_of_the_one_there_and_undo_brings_both_back),
        cmocka_unit_test(a_copied_key_is_a_new_record),
        cmocka_unit_test(curves_of_chosen_channels_change_and_no_others),
        cmocka_unit_test(edits_of_camera_and_light_write_keys_while_keying),
        cmocka_unit_test(registered_camera_and_morph_keys_hold_what_is_seen),
        cmocka_unit_test(a_key_of_one_switch_has_all_of_the_model_as_they_hold),
        cmocka_unit_test(a_switch_of_a_key_that_is_there_changes_alone),
        cmocka_unit_test(keys_of_self_shadow_are_seen_at_once),
        cmocka_unit_test(what_cannot_be_done_says_why),
        cmocka_unit_test(one_of_several_keys_of_a_frame_comes_back),
        cmocka_unit_test(a_random_walk_over_keys_equals_its_replay_bit_for_bit),
        cmocka_unit_test(all_of_a_walk_undone_is_the_very_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
