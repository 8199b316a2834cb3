/*
 * Edits, keys, steps, macros and another stage with every allocation failing,
 * one after the other, and all from one on: nothing crashes, what is refused
 * has changed nothing, and everything that was done can be undone.
 */
#include "support.h"

#include <stdlib.h>

#include "figure.h"
#include "mmd/edit.h"
#include "mmd/format.h"
#include "mmd/simulation.h"

/* --- Memory that is out (the linker's --wrap) --- */

void *__real_malloc(size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *memory, size_t size);

static struct {
    bool armed, for_good; /* for_good: all from there on */
    size_t left;          /* until one fails */
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

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

/* --- What is edited --- */

typedef struct scene {
    mmd_model *model;
    mmd_motion *source, *keyed;
    mmd_actor *actor;
    mmd_stage *stage;
} scene;

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
    assert_int_equal(mmd_motion_copy(s.source, &s.keyed, NULL), MMD_OK);
    s.actor = mmd_actor_create(s.model, NULL);
    s.stage = mmd_stage_create();
    assert_true(s.actor && s.stage);
    assert_int_equal(mmd_actor_add_motion(s.actor, s.keyed, NULL), MMD_OK);
    assert_int_equal(mmd_stage_add_actor(s.stage, s.actor, NULL), MMD_OK);
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

/* All that edits change, as bytes. */
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

/* --- Deeds: true, or refused --- */

typedef struct trial {
    scene s, other; /* other: that takes the place of the first */
    mmd_edit *edit;
    size_t refused;
} trial;

static mmd_motion *motion_of(void *context, uint32_t actor, uint32_t bone)
{
    (void)actor, (void)bone;
    return ((scene *)context)->keyed;
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
    const mmd_edit_keying keying = {.motion = motion_of, .context = &t->s};
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

/* Several in one step: where one is refused, all are taken back, as the program does. */
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
    if (!all && done && mmd_edit_undo_label(t->edit) && !strcmp(mmd_edit_undo_label(t->edit), "macro"))
        mmd_edit_undo(t->edit);
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

static bool (*const deeds[])(trial *) = {observe,    turn_arm,   move_model, pivot_model,  move_camera,
                                         turn_light, scale_node, set_matrix, register_arm, key_arm,
                                         unkey_arm,  macro,      macro,      undo_and_redo};

/* --- With the n-th allocation failing --- */

static void run_deeds(trial *t)
{
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        mmd_buffer before = state_of(&t->s, t->edit);
        bool is_walk = deeds[i] == undo_and_redo; /* of several steps */
        if (!deeds[i](t)) {
            mmd_buffer after = state_of(&t->s, t->edit);
            t->refused++;
            if (!is_walk && !same(&before, &after))
                fail_msg("deed %zu was refused, and half of it is done", i);
            mmd_buffer_finish(&after);
        }
        mmd_buffer_finish(&before);
    }
}

static bool begin_trial(trial *t)
{
    const mmd_op ops[] = {mmd_op_make(MMD_OP_TRANSLATE, "translate"), mmd_op_make(MMD_OP_SCALE, "scale")};
    mmd_op desk[2] = {ops[0], ops[1]};
    mmd_item node;
    for (int k = 0; k < 3; k++)
        desk[1].value[k] = 1;
    t->edit = mmd_edit_create(t->s.stage, NULL);
    return t->edit && mmd_edit_add_node(t->edit, (mmd_item){.kind = MMD_ITEM_STAGE}, "desk", desk, 2, &node,
                                        NULL) == MMD_OK;
}

/* Returns whether an allocation failed: if not, all were tried. */
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
        memory.armed = false; /* what goes back needs none, or has it again */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(a_stage_may_change_with_memory_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
