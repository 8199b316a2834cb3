/*
 * Tests edits, keys, undo, macros and a change of stage with each allocation failing in turn, alone or with
 * all later ones: nothing crashes, a refused edit changes nothing, and every edit that was made can be
 * undone.
 */
#include "support.h"

#include <stdlib.h>

#include "figure.h"
#include "edit/history.h"
#include "engine/edit/edit_internal.h"
#include "mmd/cursor.h"
#include "mmd/format.h"
#include "mmd/simulation.h"
#include "edit/plugins.h"

/* --- Failing allocations (the linker's --wrap) --- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static struct {
    bool armed, for_good; /* for_good: all later allocations fail too */
    size_t left;          /* allocations until one fails */
    size_t failed;
} memory;

static bool fails(void)
{
    if (!memory.armed || (memory.left && --memory.left))
        return false;
    memory.failed++;
    memory.armed = memory.for_good;
    return true;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

/* --- The scene --- */

typedef struct scene {
    mmd_model *model;
    mmd_motion *source, *keyed;
    mmd_actor *actor;
    mmd_stage *stage;
} scene;

/* Removes all tracks but those of the arms, because the dance is written thousands of times. */
static void keep_arms(mmd_motion *dance, const mmd_model *model)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < dance->bone_track_count; i++)
        for (int side = 0; side < 2; side++)
            if (!memcmp(dance->bone_tracks[i].name, model->bone_key[BONE_ARM + side], 15))
                dance->bone_tracks[kept++] = dance->bone_tracks[i];
    assert_int_equal(kept, 2);
    dance->bone_track_count = kept;
    dance->morph_track_count = 0;
}

static scene make_scene(void)
{
    scene s = {0};
    mmd_buffer file = {0};
    assert_true(figure_make_model(&file));
    assert_int_equal(mmd_pmx_read(file.data, file.size, &s.model, NULL), MMD_OK);
    mmd_buffer_finish(&file);
    file = (mmd_buffer){0};
    assert_true(figure_make_dance(&file));
    assert_int_equal(mmd_vmd_read(file.data, file.size, &s.source, NULL), MMD_OK);
    mmd_buffer_finish(&file);
    keep_arms(s.source, s.model);
    assert_int_equal(mmd_motion_copy(s.source, &s.keyed, NULL), MMD_OK);
    s.actor = mmd_actor_create(s.model);
    s.stage = mmd_stage_create();
    assert_true(s.actor && s.stage);
    assert_int_equal(mmd_actor_add_motion(s.actor, s.keyed, NULL), MMD_OK);
    assert_int_equal(mmd_stage_add_actor(s.stage, s.actor, NULL), MMD_OK);
    assert_int_equal(mmd_stage_add_scene_motion(s.stage, s.keyed, NULL), MMD_OK);
    mmd_stage_set_frame(s.stage, 17);
    return s;
}

static void finish_scene(scene *s)
{
    mmd_stage_destroy(s->stage);
    mmd_actor_destroy(s->actor);
    mmd_motion_destroy(s->source);
    mmd_motion_destroy(s->keyed);
    mmd_model_destroy(s->model);
}

/* Returns all state that edits can change, as bytes. */
static mmd_buffer state_of(const scene *s, mmd_edit *edit)
{
    mmd_buffer out = {0};
    bool armed = memory.armed;
    memory.armed = false;
    assert_int_equal(mmd_vmd_write(s->keyed, &out, NULL), MMD_OK);
    for (uint32_t b = 0; b < s->model->bone_count; b++) {
        float v[7];
        mmd_pose_get_user(mmd_actor_pose(s->actor), b, v, v + 3);
        mmd_write_bytes(&out, v, sizeof v);
    }
    const mmd_staging *staging = mmd_stage_staging(s->stage, 0);
    mmd_write_bytes(&out, staging->position, sizeof staging->position);
    mmd_write_bytes(&out, staging->rotation, sizeof staging->rotation);
    mmd_write_bytes(&out, &staging->scale, sizeof staging->scale);
    const mmd_camera *camera = mmd_stage_camera(s->stage);
    mmd_write_bytes(&out, camera->position, sizeof camera->position);
    mmd_write_bytes(&out, mmd_stage_light(s->stage)->direction, 3 * sizeof(float));
    const mmd_item node = mmd_edit_find(edit, "/nodes/desk");
    mmd_op ops[MMD_OPS_MAX];
    size_t count = node.kind ? mmd_edit_ops(edit, node, ops) : 0;
    for (size_t i = 0; i < count; i++)
        mmd_write_bytes(&out, ops[i].value, sizeof ops[i].value);
    memory.armed = armed;
    return out;
}

static bool same(const mmd_buffer *a, const mmd_buffer *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* --- Deeds: edits that return true, or false if refused --- */

typedef struct trial {
    scene s, other; /* other: replaces the first scene */
    mmd_edit *edit;
} trial;

static mmd_motion *motion_of(void *context, uint32_t actor, uint32_t bone)
{
    (void)actor, (void)bone;
    return ((scene *)context)->keyed;
}

static mmd_motion *motion_of_scene(void *context, mmd_key_kind kind)
{
    (void)kind;
    return motion_of(context, 0, 0);
}

static mmd_motion *motion_of_model(void *context, uint32_t actor)
{
    return motion_of(context, actor, 0);
}

static bool set(trial *t, const char *path, mmd_edit_hint hint, mmd_component component, double x)
{
    const double values[3] = {x, component == MMD_SCALE ? x : 2, component == MMD_SCALE ? x : 3};
    mmd_item item = mmd_edit_find(t->edit, path);
    mmd_transform3d *object = mmd_edit_edit_transform3d(t->edit, item, hint);
    mmd_command *made = object ? mmd_transform3d_command(t->edit, object, component, values) : NULL;
    mmd_transform3d_destroy(object);
    return mmd_edit_do(t->edit, made);
}

static bool turn_arm(trial *t)
{
    return set(t, "/models/#0/bones/右腕", MMD_HINT_ROTATE, MMD_ROTATION, 10);
}

static bool move_model(trial *t)
{
    return set(t, "/models/#0", MMD_HINT_TRANSLATE, MMD_TRANSLATION, 4);
}

static bool pivot_model(trial *t)
{
    return set(t, "/models/#0", MMD_HINT_ROTATE_PIVOT, MMD_ROTATE_PIVOT, 1);
}

static bool move_camera(trial *t)
{
    return set(t, "/camera", MMD_HINT_TRANSLATE, MMD_TRANSLATION, 5);
}

static bool turn_light(trial *t)
{
    return set(t, "/light", MMD_HINT_TRANSLATE, MMD_TRANSLATION, 1);
}

static bool scale_node(trial *t)
{
    return set(t, "/nodes/desk", MMD_HINT_SCALE, MMD_SCALE, 2);
}

static bool set_matrix(trial *t)
{
    static const double m[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, -1, 3, 0, 1};
    mmd_item item = mmd_edit_find(t->edit, "/models/#0/bones/頭");
    mmd_transform3d *object = mmd_edit_transform3d(t->edit, item);
    mmd_command *made = object ? mmd_transform3d_matrix_command(t->edit, object, m) : NULL;
    mmd_transform3d_destroy(object);
    return mmd_edit_do(t->edit, made);
}

static bool keyed(trial *t, bool (*deed)(trial *t))
{
    const mmd_edit_keying keying = {.motion = motion_of,
                                    .context = &t->s,
                                    .morph_motion = motion_of,
                                    .scene_motion = motion_of_scene,
                                    .switches_motion = motion_of_model};
    mmd_edit_set_keying(t->edit, &keying);
    bool done = deed(t);
    mmd_edit_set_keying(t->edit, NULL);
    return done;
}

static bool key_arm(trial *t)
{
    return keyed(t, turn_arm);
}

static bool register_arm_now(trial *t)
{
    return mmd_edit_do(t->edit,
                       mmd_edit_key_command(t->edit, mmd_edit_find(t->edit, "/models/#0/bones/左腕")));
}

static bool register_arm(trial *t)
{
    return keyed(t, register_arm_now);
}

static bool unkey_arm_now(trial *t)
{
    return mmd_edit_do(t->edit,
                       mmd_edit_unkey_command(t->edit, mmd_edit_find(t->edit, "/models/#0/bones/右腕")));
}

static bool unkey_arm(trial *t)
{
    return keyed(t, unkey_arm_now);
}

/* --- Commands for keys --- */

static mmd_item find(const trial *t, const char *path)
{
    return mmd_edit_find(t->edit, path);
}

/* Returns the frame of the first key of a bone. */
static uint32_t first_key(const trial *t, mmd_item bone)
{
    const mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, t->s.model->bone_key[bone.index]);
    return mmd_motion_key_frame(t->s.keyed, &row, 0);
}

/* Sets a command several times, as a drag does. A refused value leaves the one before. */
static bool drag(trial *t, mmd_command *made, const double *values, size_t count, size_t numbers)
{
    if (!made)
        return false;
    if (!mmd_command_set(t->edit, made, NULL)) {
        mmd_command_destroy(made);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        mmd_command_set(t->edit, made, values + i * numbers);
    return mmd_edit_add(t->edit, made);
}

static bool move_key_now(trial *t)
{
    const mmd_item arm = find(t, "/models/#0/bones/左腕");
    static const double frames[] = {900, 1000, 5};
    return drag(t, mmd_edit_move_key_command(t->edit, arm, first_key(t, arm), 800), frames, 3, 1);
}

static bool move_key(trial *t)
{
    return keyed(t, move_key_now);
}

static bool copy_key_now(trial *t)
{
    const mmd_item arm = find(t, "/models/#0/bones/左腕");
    static const double frames[] = {3000, 4000};
    return drag(t, mmd_edit_copy_key_command(t->edit, arm, first_key(t, arm), 2000), frames, 2, 1);
}

static bool copy_key(trial *t)
{
    return keyed(t, copy_key_now);
}

static bool curve_key_now(trial *t)
{
    const mmd_item arm = find(t, "/models/#0/bones/左腕");
    static const double curves[] = {1, 2, 3, 4, 127, 0, 0, 127};
    const mmd_curve first = {10, 20, 30, 40};
    return drag(t, mmd_edit_curve_command(t->edit, arm, first_key(t, arm), 15, first), curves, 2, 4);
}

static bool curve_key(trial *t)
{
    return keyed(t, curve_key_now);
}

/* Undoes a step of which a part was refused, as the program does. */
static void give_up(trial *t, const char *label, size_t done)
{
    if (done && mmd_edit_undo_label(t->edit) && !strcmp(mmd_edit_undo_label(t->edit), label))
        mmd_edit_undo(t->edit);
}

/* Adds and removes the only key of a row, so that the row comes and goes. */
static bool put_key_now(trial *t)
{
    const mmd_stored_key key = {.as.bone.rotation = {0, 0, 0, 1}};
    const mmd_item root = find(t, "/models/#0/bones/全ての親");
    mmd_edit_begin(t->edit, "put and remove");
    bool put = mmd_edit_do(t->edit, mmd_edit_put_key_command(t->edit, root, 40, &key));
    bool all = put && mmd_edit_do(t->edit, mmd_edit_remove_key_command(t->edit, root, 40));
    mmd_edit_end(t->edit);
    if (!all)
        give_up(t, "put and remove", put);
    return all;
}

static bool put_key(trial *t)
{
    return keyed(t, put_key_now);
}

static bool key_morph_now(trial *t)
{
    static const double weights[] = {0.5, 0.75};
    return drag(t, mmd_edit_morph_key_command(t->edit, find(t, "/models/#0/morphs/あ"), 0.25f), weights, 2,
                1);
}

static bool key_morph(trial *t)
{
    return keyed(t, key_morph_now);
}

static bool key_camera_now(trial *t)
{
    return mmd_edit_do(t->edit, mmd_edit_key_command(t->edit, find(t, "/camera")));
}

static bool key_camera(trial *t)
{
    return keyed(t, key_camera_now);
}

static bool key_light_now(trial *t)
{
    return mmd_edit_do(t->edit, mmd_edit_key_command(t->edit, find(t, "/light")));
}

static bool key_light(trial *t)
{
    return keyed(t, key_light_now);
}

static bool move_camera_key_now(trial *t)
{
    static const double frames[] = {60, 90};
    return drag(t, mmd_edit_move_key_command(t->edit, find(t, "/camera"), 17, 30), frames, 2, 1);
}

static bool move_camera_key(trial *t)
{
    return keyed(t, move_camera_key_now);
}

static bool key_switches_now(trial *t)
{
    return mmd_edit_do(t->edit, mmd_edit_switch_key_command(t->edit, 0, -1, false));
}

static bool key_switches(trial *t)
{
    return keyed(t, key_switches_now);
}

static bool key_shadow_now(trial *t)
{
    return mmd_edit_do(t->edit, mmd_edit_shadow_key_command(t->edit, &(mmd_self_shadow){1, 0.01f}));
}

static bool key_shadow(trial *t)
{
    return keyed(t, key_shadow_now);
}

/* Makes several edits in one step. */
static bool macro(trial *t)
{
    size_t done = 0;
    bool all = true;
    bool (*const parts[])(trial *) = {turn_arm, move_model, key_arm};
    mmd_edit_begin(t->edit, "macro");
    for (size_t i = 0; i < 3 && all; i++) {
        all = parts[i](t);
        done += all;
    }
    mmd_edit_end(t->edit);
    if (!all)
        give_up(t, "macro", done);
    return all;
}

static bool undo_and_redo(trial *t)
{
    return mmd_edit_undo(t->edit) && mmd_edit_undo(t->edit) && mmd_edit_redo(t->edit) &&
           mmd_edit_redo(t->edit);
}

static void observer(void *context, mmd_edit *edit, const mmd_item *items, size_t count)
{
    (void)context, (void)edit, (void)items;
    assert_true(count > 0);
}

static bool observe(trial *t)
{
    return mmd_edit_observe(t->edit, observer, t);
}

static bool (*const deeds[])(trial *) = {
    observe,    turn_arm,     move_model, pivot_model,  move_camera, turn_light, scale_node,
    set_matrix, register_arm, key_arm,    unkey_arm,    macro,       macro,      undo_and_redo,
    move_key,   copy_key,     curve_key,  put_key,      key_morph,   key_camera, move_camera_key,
    key_light,  key_switches, key_shadow, undo_and_redo};

/* --- With the n-th allocation failing --- */

/* Returns whether later deeds may still be refused; after a single failure they may not. */
static bool is_watched(void)
{
    return memory.for_good || memory.failed == 0;
}

static void run_deeds(trial *t)
{
    mmd_buffer before = state_of(&t->s, t->edit);
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        /* several steps, so it may stop half-way */
        bool watched = is_watched(), is_walk = deeds[i] == undo_and_redo;
        bool done = deeds[i](t);
        mmd_buffer after = watched ? state_of(&t->s, t->edit) : (mmd_buffer){0};
        if (!done && watched && !is_walk && !same(&before, &after))
            fail_msg("deed %zu was refused, and half of it is done", i);
        mmd_buffer_finish(&before);
        before = after;
    }
    mmd_buffer_finish(&before);
}

static bool begin_trial(trial *t)
{
    const mmd_op ops[] = {mmd_op_make(MMD_OP_TRANSLATE, "translate"), mmd_op_make(MMD_OP_SCALE, "scale")};
    mmd_op desk[2] = {ops[0], ops[1]};
    mmd_item node;
    for (int k = 0; k < 3; k++)
        desk[1].value[k] = 1;
    t->edit = mmd_edit_create(t->s.stage, NULL);
    return t->edit &&
           edit_add_node(t->edit, (mmd_item){.kind = MMD_ITEM_STAGE}, "desk", desk, 2, &node, NULL) == MMD_OK;
}

/* Returns whether an allocation failed. If none did, all have been tried. */
static bool one_trial(const scene *s, size_t n, bool for_good)
{
    trial t = {.s = *s};
    memory.failed = 0;
    memory.left = n;
    memory.for_good = for_good;
    memory.armed = true;
    if (begin_trial(&t)) {
        memory.armed = false;
        mmd_buffer start = state_of(&t.s, t.edit);
        memory.armed = memory.failed == 0 || for_good;
        run_deeds(&t);
        memory.armed = false; /* undo either allocates nothing or has memory again */
        while (mmd_edit_undo(t.edit))
            ;
        mmd_stage_set_frame(t.s.stage, 17);
        mmd_buffer back = state_of(&t.s, t.edit);
        if (!same(&start, &back))
            fail_msg("with allocation %zu failing%s, all undone is not what it was", n,
                     for_good ? " and all after it" : "");
        mmd_buffer_finish(&start);
        mmd_buffer_finish(&back);
    }
    memory.armed = false;
    mmd_edit_destroy(t.edit);
    return memory.failed > 0;
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    scene s = make_scene();
    for (int for_good = 0; for_good < 2; for_good++) {
        size_t n = 1;
        while (one_trial(&s, n, for_good))
            n++;
        print_message("%zu allocations failed%s\n", n - 1, for_good ? ", each with all after it" : "");
        assert_true(n > 30);
    }
    finish_scene(&s);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* --- Another stage --- */

static bool is_there(void *context, mmd_item *item)
{
    (void)context;
    return item->kind != MMD_ITEM_BONE || item->index < 1000;
}

static void a_stage_may_change_with_memory_out(void **state)
{
    (void)state;
    for (size_t n = 1;; n++) {
        uint64_t blocks = mmd_heap_blocks_in_use();
        trial t = {.s = make_scene(), .other = make_scene()};
        const mmd_edit_map map = {.stage = t.other.stage, .item = is_there};
        assert_true(begin_trial(&t));
        assert_true(turn_arm(&t) && move_model(&t) && pivot_model(&t) && set_matrix(&t) && scale_node(&t));
        memory.failed = 0;
        memory.left = n;
        memory.for_good = false;
        memory.armed = true;
        size_t gone = mmd_edit_move(t.edit, &map);
        memory.armed = false;
        bool failed = memory.failed > 0;
        assert_int_equal(gone, 0);
        assert_int_equal(mmd_edit_history_steps(t.edit), 5);
        assert_ptr_equal(mmd_edit_stage(t.edit), t.other.stage);
        while (mmd_edit_undo(t.edit))
            ;
        mmd_edit_destroy(t.edit);
        finish_scene(&t.s);
        finish_scene(&t.other);
        assert_int_equal(mmd_heap_blocks_in_use(), blocks);
        if (!failed)
            break;
    }
}

/* --- The program's history: morphs, poses and outside parents --- */

/* Stubs: there are no plug-ins. */
void plugins_close(odori_plugins *p)
{
    assert_null(p);
}

void plugins_attach(const odori_plugins *p, mmd_edit *edit)
{
    (void)edit;
    assert_null(p);
}

typedef struct by_hand {
    float weight, turn[4];
    size_t keys; /* number of outside parent keys */
    bool is_hung;
} by_hand;

static by_hand by_hand_of(const odori_history *h)
{
    float moved[3];
    const mmd_actor *actor = h->scene->models[0].actor;
    by_hand now = {.weight = mmd_actor_morphs_by_hand(actor)[MORPH_SMILE],
                   .is_hung = history_has_attached(h, 0, BONE_HEAD)};
    mmd_pose_get_user(mmd_actor_pose(h->scene->models[0].actor), BONE_HEAD, moved, now.turn);
    mmd_stage_outside_keys(h->scene->stage, 0, BONE_HEAD, &now.keys);
    return now;
}

static bool is_same_by_hand(by_hand a, by_hand b)
{
    return memcmp(&a.weight, &b.weight, sizeof a.weight) == 0 && memcmp(a.turn, b.turn, sizeof a.turn) == 0 &&
           a.keys == b.keys && a.is_hung == b.is_hung;
}

/* Does the n-th deed; returns false if it was refused. */
static bool do_by_hand(odori_history *h, int n)
{
    static const float nowhere[3] = {0}, turned[4] = {0, 0.6f, 0, 0.8f};
    const history_parent other = {.model = 1, .bone = BONE_WRIST};
    const mmd_item whole = {.kind = MMD_ITEM_MODEL}, head = {.kind = MMD_ITEM_BONE, .index = BONE_HEAD};
    mmd_edit *edit = history_edit(h);
    if (!edit)
        return false;
    if (n != 2) /* deed 2 continues the step of deed 1 */
        history_begin(h);
    switch (n) {
    case 0:
        return history_bone(h, 0, BONE_HEAD, nowhere, turned);
    case 1:
    case 2:
        return history_morph(h, 0, MORPH_SMILE, n == 1 ? 0.5f : 0.75f);
    case 3:
        return history_attach(h, 0, BONE_HEAD, &other);
    case 4:
    case 7:
    case 9:
        return history_undo(h);
    case 6:
        return history_take(h, mmd_edit_reset_command(edit, whole));
    case 10:
        return history_take(h, mmd_edit_release_command(edit, head));
    default:
        return history_redo(h);
    }
}

static bool one_walk_by_hand(odori_scene *s, size_t n, bool for_good)
{
    odori_history h;
    history_init(&h, s);
    const by_hand start = by_hand_of(&h);
    memory.failed = 0;
    memory.left = n;
    memory.for_good = for_good;
    memory.armed = true;
    for (int i = 0; i <= 10; i++) {
        const by_hand before = by_hand_of(&h);
        if (!do_by_hand(&h, i) && !is_same_by_hand(before, by_hand_of(&h)))
            fail_msg("deed %d by hand was refused, and half of it is done", i);
    }
    memory.armed = false;
    while (history_undo(&h))
        ;
    if (!is_same_by_hand(start, by_hand_of(&h)))
        fail_msg("with allocation %zu failing, what was by hand is not undone", n);
    history_finish(&h);
    return memory.failed > 0;
}

static void what_is_by_hand_survives_it_too(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    scene first = make_scene(), second = make_scene();
    assert_int_equal(mmd_stage_add_actor(first.stage, second.actor, NULL), MMD_OK);
    scene_model models[2] = {{.model = first.model, .actor = first.actor},
                             {.model = second.model, .actor = second.actor}};
    odori_scene s = {.stage = first.stage, .models = models, .model_count = 2};
    for (int for_good = 0; for_good < 2; for_good++) {
        size_t n = 1;
        while (one_walk_by_hand(&s, n, for_good))
            n++;
        assert_true(n > 10);
    }
    mmd_arena_finish(&s.arena);
    finish_scene(&first);
    finish_scene(&second);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(a_stage_may_change_with_memory_out),
        cmocka_unit_test(what_is_by_hand_survives_it_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
