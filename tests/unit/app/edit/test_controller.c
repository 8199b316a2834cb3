/* Tests which bone a click on the surface of another bone chooses: on made models, and on those of ../shared.
 */
#include "edit/controller.h"
#include "mmd/format.h"
#include "support.h"

/* --- Made models --- */

enum { BONES_MAX = 16 };

#define SHOWN  (MMD_BONE_ROTATABLE | MMD_BONE_VISIBLE | MMD_BONE_OPERABLE)
#define HIDDEN (MMD_BONE_ROTATABLE | MMD_BONE_OPERABLE)
#define APPEND MMD_BONE_APPEND_ROTATION
#define HELPER (HIDDEN | APPEND)

/* A bone of a made model; the rest is zero. */
typedef struct made_bone {
    const char *name;
    int32_t parent;
    uint16_t flags;
    float position[3];
    int32_t source; /* that it appends, if its flags say so */
    float ratio;
    int32_t target; /* if it is a goal; its links: */
    int32_t links[3];
    uint32_t link_count;
    float axis[3];
    bool unframed, weighs, simulated;
    const char *chosen; /* by a click on its surface */
    const char *above;  /* what is above that */
} made_bone;

/* A model of made bones. One display frame has all that are not unframed. */
typedef struct made_model {
    mmd_model model;
    mmd_bone bones[BONES_MAX];
    mmd_ik_link links[BONES_MAX][3];
    mmd_frame_item items[BONES_MAX];
    mmd_display_frame frame;
    float weight[BONES_MAX][4];
    int32_t vertex_bone[BONES_MAX][4];
    uint8_t simulated[BONES_MAX], ik_on[BONES_MAX];
} made_model;

static void make_model(made_model *m, const made_bone *bones, uint32_t count)
{
    *m = (made_model){0};
    m->model = (mmd_model){.bone_count = count, .bones = m->bones, .frames = &m->frame, .frame_count = 1};
    m->model.vertices = (mmd_vertices){.count = count, .bone = m->vertex_bone, .weight = m->weight};
    m->frame.items = m->items;
    for (uint32_t i = 0; i < count; i++) {
        const made_bone *b = &bones[i];
        m->bones[i] = (mmd_bone){.name = b->name,
                                 .parent = b->parent,
                                 .flags = b->flags,
                                 .append_source = b->source,
                                 .append_ratio = b->ratio,
                                 .ik_target = b->target,
                                 .ik_links = m->links[i],
                                 .ik_link_count = b->link_count};
        memcpy(m->bones[i].position, b->position, sizeof b->position);
        memcpy(m->bones[i].fixed_axis, b->axis, sizeof b->axis);
        for (uint32_t k = 0; k < b->link_count; k++)
            m->links[i][k].bone = b->links[k];
        if (!b->unframed)
            m->items[m->frame.count++] = (mmd_frame_item){.index = (int32_t)i};
        m->vertex_bone[i][0] = (int32_t)i;
        m->weight[i][0] = b->weighs;
        m->simulated[i] = b->simulated;
        m->ik_on[i] = 1;
    }
}

/* Compares what is chosen with the table. */
static void check(const made_model *m, const made_bone *bones)
{
    uint32_t chosen[BONES_MAX];
    const controller_state state = {.ik_on = m->ik_on, .simulated = m->simulated};
    assert_true(controller_choose(&m->model, &state, chosen));
    for (uint32_t i = 0; i < m->model.bone_count; i++) {
        const char *name = m->bones[chosen[i]].name;
        if (bones[i].chosen && strcmp(name, bones[i].chosen) != 0)
            fail_msg("%s leads to %s, not to %s", bones[i].name, name, bones[i].chosen);
        const char *above = m->bones[controller_above(&m->model, chosen, chosen[i])].name;
        if (bones[i].above && strcmp(above, bones[i].above) != 0)
            fail_msg("above %s is %s, not %s", name, above, bones[i].above);
    }
}

static void check_table(const made_bone *bones, uint32_t count)
{
    made_model m;
    make_model(&m, bones, count);
    check(&m, bones);
}
#define CHECK(table) check_table(table, sizeof(table) / sizeof *(table))

/* A leg as most models have it: the surface hangs on copies, which are hidden, and toes on a bone that is
 * not. */
static const made_bone leg[] = {
    {"root", -1, SHOWN, .chosen = "root", .above = "root"},
    {"hip", 0, SHOWN, .weighs = true, .chosen = "hip", .above = "root"},
    {"leg", 1, SHOWN, .chosen = "leg goal"},
    {"knee", 2, SHOWN, .chosen = "leg goal"},
    {"foot", 3, SHOWN, .chosen = "leg goal"},
    {"toe", 4, MMD_BONE_ROTATABLE, .unframed = true},
    {"goal's parent", 0, SHOWN, .chosen = "goal's parent"},
    {"leg goal", 6, SHOWN | MMD_BONE_IK, .target = 4, .links = {3, 2}, .link_count = 2,
     .above = "goal's parent"},
    {"toe goal", 7, SHOWN | MMD_BONE_IK, .target = 5, .links = {4}, .link_count = 1, .above = "leg goal"},
    {"leg copy", 1, APPEND, {0}, 2, 1, .unframed = true, .weighs = true, .chosen = "leg goal"},
    {"knee copy", 9, APPEND, {0}, 3, 1, .unframed = true, .weighs = true, .chosen = "leg goal"},
    {"foot copy", 10, APPEND, {0}, 4, 1, .unframed = true, .weighs = true, .chosen = "leg goal"},
    {"toes", 11, SHOWN, .weighs = true, .chosen = "toes", .above = "leg goal"},
    {"half", 9, APPEND, {0}, 3, 0.5f, .unframed = true, .weighs = true, .chosen = "leg goal"},
    {"against", 1, HELPER, {0}, 0, -1, .unframed = true, .weighs = true, .chosen = "hip"},
};

static void legs_and_feet_lead_to_the_goal(void **state)
{
    (void)state;
    CHECK(leg);
    /* The goal that carries the other one counts, whatever their order and length. */
    static const made_bone turned[] = {
        {"toe goal", 1, SHOWN | MMD_BONE_IK, .target = 5, .links = {4, 3, 2}, .link_count = 3},
        {"leg goal", -1, SHOWN | MMD_BONE_IK, .target = 4, .links = {3, 2}, .link_count = 2},
        {"leg", -1, SHOWN, .chosen = "leg goal"},
        {"knee", 2, SHOWN, .chosen = "leg goal"},
        {"foot", 3, SHOWN, .chosen = "leg goal"},
        {"toe", 4, SHOWN, .chosen = "toe goal"},
    };
    CHECK(turned);
}

static void copies_that_are_shown_lead_to_the_goal_too(void **state)
{
    (void)state;
    made_bone shown[sizeof leg / sizeof *leg];
    memcpy(shown, leg, sizeof leg);
    for (int i = 9; i <= 11; i++) {
        shown[i].flags |= SHOWN;
        shown[i].unframed = false;
    }
    CHECK(shown);
}

static void without_ik_legs_lead_to_themselves(void **state)
{
    (void)state;
    made_model m;
    uint32_t chosen[BONES_MAX], by;
    make_model(&m, leg, sizeof leg / sizeof *leg);
    const controller_state off = {.ik_on = m.ik_on}, on = {0};
    m.ik_on[7] = m.ik_on[8] = 0;
    assert_true(controller_choose(&m.model, &off, chosen));
    assert_string_equal(m.bones[chosen[3]].name, "knee");
    assert_string_equal(m.bones[chosen[10]].name, "knee");
    assert_int_equal(controller_of_bone(&m.model, &off, chosen, 3, &by), CONTROLLER_NONE);
    assert_int_equal(controller_of_bone(&m.model, &off, chosen, 10, &by), CONTROLLER_APPEND);
    assert_int_equal(by, 3);
    assert_true(controller_choose(&m.model, &on, chosen));
    assert_int_equal(controller_of_bone(&m.model, &on, chosen, 3, &by), CONTROLLER_IK);
    assert_int_equal(by, 7);
    assert_int_equal(controller_of_bone(&m.model, &on, chosen, 10, &by), CONTROLLER_APPEND);
    assert_int_equal(by, 7); /* what it appends is moved itself */
    assert_int_equal(controller_of_bone(&m.model, &on, chosen, 12, &by), CONTROLLER_NONE);
}

/* An arm along X with twist bones; a finger that bends about a fixed axis; a bone that makes a fist. */
static void twist_bones_lead_to_the_arm_and_fingers_to_themselves(void **state)
{
    (void)state;
    static const made_bone arm[] = {
        {"shoulder", -1, SHOWN, .weighs = true},
        {"arm", 0, SHOWN, {1}, .weighs = true, .chosen = "arm", .above = "shoulder"},
        {"twist", 1, SHOWN | MMD_BONE_FIXED_AXIS, {2}, .axis = {1, 0.1f}, .weighs = true, .chosen = "arm"},
        {"twist part", 1, HELPER, {2}, 2, 0.5f, .unframed = true, .chosen = "arm"},
        {"elbow", 2, SHOWN, {3}, .weighs = true, .chosen = "elbow", .above = "arm"},
        {"hand", 4, SHOWN, {5}, .weighs = true, .chosen = "hand", .above = "elbow"},
        {"fist", 5, SHOWN, {5.2f}, .chosen = "fist"},
        {"finger", 5, SHOWN | APPEND, {6}, 6, 1, .weighs = true, .chosen = "finger", .above = "hand"},
        {"tip",
         7,
         SHOWN | MMD_BONE_FIXED_AXIS,
         {7},
         .axis = {0, 0, 1},
         .weighs = true,
         .chosen = "tip",
         .above = "finger"},
        {"nail", 8, 0, {8}, .weighs = true, .chosen = "tip", .above = "finger"},
        {"end", 8, SHOWN, {8}, .unframed = true, .weighs = true, .chosen = "tip"},
    };
    CHECK(arm);
}

static void one_eye_leads_to_both(void **state)
{
    (void)state;
    static const made_bone head[] = {
        {"neck", -1, SHOWN, .weighs = true},
        {"head", 0, SHOWN, .weighs = true, .chosen = "head", .above = "neck"},
        {"eyes", 1, SHOWN, {0, 2}, .chosen = "eyes", .above = "head"},
        {"left eye", 1, SHOWN | APPEND, {1, 2}, 2, 1, .weighs = true, .chosen = "eyes"},
        {"pupil", 3, HELPER, {1, 2}, 3, 0, .weighs = true, .chosen = "eyes"},
        {"glint", 3, SHOWN, {1, 2}, .weighs = true, .chosen = "glint", .above = "eyes"},
        {"right eye", 1, SHOWN | APPEND, {-1, 2}, 2, 1, .weighs = true, .chosen = "eyes"},
        {"brow", 1, SHOWN | APPEND, {1, 3}, 2, 1, .weighs = true, .chosen = "brow"}, /* has no other side */
        {"hat", 1, SHOWN, {0, 4}, .weighs = true, .chosen = "hat"},
        {"left ear", 1, SHOWN | APPEND, {2}, 8, 1, .weighs = true, .chosen = "left ear"}, /* the hat is seen
                                                                                           */
        {"right ear", 1, SHOWN | APPEND, {-2}, 8, 1, .weighs = true, .chosen = "right ear"},
    };
    CHECK(head);
}

/* Hair with a goal that physics moves; it begins with a bone that follows the head. */
static const made_bone hair[] = {
    {"head", -1, SHOWN, .weighs = true, .chosen = "head"},
    {"hair 1", 0, SHOWN, .weighs = true, .chosen = "hair 1", .above = "head"},
    {"hair 2", 1, SHOWN, .weighs = true, .simulated = true, .chosen = "hair 1"},
    {"hair 3", 2, SHOWN, .weighs = true, .simulated = true, .chosen = "hair 1"},
    {"hair goal", 0, SHOWN | MMD_BONE_IK, .target = 3, .links = {2}, .link_count = 1, .unframed = true},
};

static void hair_leads_to_its_parent_or_without_physics_to_its_goal(void **state)
{
    (void)state;
    CHECK(hair);
    made_model m;
    uint32_t chosen[BONES_MAX], by;
    make_model(&m, hair, 5);
    const controller_state physics = {.simulated = m.simulated}, still = {0};
    assert_true(controller_choose(&m.model, &physics, chosen));
    assert_int_equal(controller_of_bone(&m.model, &physics, chosen, 3, &by), CONTROLLER_PHYSICS);
    assert_int_equal(by, 1);
    assert_true(controller_choose(&m.model, &still, chosen));
    assert_int_equal(chosen[3], 4);
}

static void frames_decide_only_where_there_are_some(void **state)
{
    (void)state;
    static const made_bone cloth[] = {
        {"body", -1, SHOWN, .weighs = true, .chosen = "body"},
        {"cloth", 0, SHOWN, .unframed = true, .weighs = true, .chosen = "body"},
        {"sleeve", 1, SHOWN | APPEND, {1}, 0, 1, .unframed = true, .weighs = true, .chosen = "body"},
    };
    CHECK(cloth);
    made_bone alone[4] = {cloth[0], cloth[1], cloth[2]};
    alone[3] = (made_bone){
        "twist", 1, SHOWN | MMD_BONE_FIXED_AXIS, {3}, .axis = {1}, .unframed = true, .chosen = "cloth"};
    alone[0].unframed = true;
    alone[1].chosen = "cloth";
    alone[2].chosen = "sleeve";
    CHECK(alone);
}

static void bones_that_lead_nowhere_lead_to_themselves(void **state)
{
    (void)state;
    static const made_bone lost[] = {
        {"hidden", -1, 0, .unframed = true, .chosen = "hidden", .above = "hidden"},
        {"flying", -1, SHOWN, .simulated = true, .chosen = "flying"},
        {"leaf", 0, SHOWN, .simulated = true, .chosen = "leaf"},
        {"one", -1, HELPER, {0}, 4, 1, .chosen = "one"}, /* each appends the other */
        {"two", -1, HELPER, {0}, 3, 1, .chosen = "two"},
        {"braid", 8, SHOWN, .chosen = "braid goal"}, /* its goal hangs on itself */
        {"braid goal", 5, MMD_BONE_IK | SHOWN, .target = 5, .unframed = true, .chosen = "braid goal",
         .above = "head"},
        {"wrong", 99, 0, {0}, 99, 1, .chosen = "wrong"},
        {"head", -1, SHOWN, .chosen = "head"},
    };
    CHECK(lost);
}

/* --- The models of ../shared --- */

/* A surface, and what a click on it chooses with physics. */
typedef struct real_row {
    const char *surface, *chosen;
} real_row;

static const struct {
    const char *file;
    real_row rows[20];
} real_models[] = {
    {"data/models/tda/Tda式初音ミク_デフォ服ver.pmx",
     {{"右足D", "右足ＩＫ"},
      {"左ひざD", "左足ＩＫ"},
      {"左足首D", "左足ＩＫ"},
      {"左足先EX", "左足先EX"},
      {"右腕", "右腕"},
      {"右腕捩", "右腕"},
      {"右腕捩2", "右腕"},
      {"右手捩3", "右ひじ"},
      {"右手首", "右手首"},
      {"右人指３", "右人指３"},
      {"右髪１", "右髪１"},
      {"右髪８", "右髪１"},
      {"前髪１_２", "頭"},
      {"スカート_2_7", "下半身"},
      {"頭", "頭"},
      {"右目戻", "両目"},
      {"ﾈｸﾀｲ４", "上半身2"},
      {"右袖", "右袖"}}},
    {"data/models/alicia/Alicia_solid.pmx",
     {{"左足", "左足ＩＫ"},
      {"左ひざ回転", "左足ＩＫ"},
      {"左足首", "左足ＩＫ"},
      {"左つま先", "左つま先ＩＫ"},
      {"左腕回転", "左腕"},
      {"左腕捩", "左腕"},
      {"左手捩回転２", "左ひじ"},
      {"左手首回転", "左手首"},
      {"左中指２", "左中指２"},
      {"三つ編み３", "頭"},
      {"スカート１＿２", "上半身"},
      {"左目", "両目"},
      {"左目元光", "左目光"}}},
    {"data/models/tumi/ミクさん.pmx",
     {{"左足DS", "左足ＩＫ"},
      {"左ひざD2", "左足ＩＫ"},
      {"左足首D", "左足ＩＫ"},
      {"左腕S", "左腕"},
      {"左ひじS", "左ひじ"},
      {"左手首S", "左手首"},
      {"左親指２", "左親指２"},
      {"左ツインテ11", "頭"},
      {"左スカート6-2", "下半身"},
      {"右目", "両目"}}},
    {"data/models/ganyu/甘雨.pmx",
     {{"右足首D", "右足ＩＫ"},
      {"右腕捩1", "右腕"},
      {"右小指３", "右小指３"},
      {"左目", "両目"},
      {"下半身", "下半身"}}},
    {"data/models/yw/yw_test_model.pmx", {{"右ひざD", "右足ＩＫ"}, {"右腕捩", "右腕"}, {"頭", "頭"}}},
    {"data/models/mmt/mmt_test_model.pmx",
     {{"左足D", "左足ＩＫ"}, {"左手捩", "左ひじ"}, {"左手首", "左手首"}}},
    {"data/models/miku/初音ミク.pmx",
     {{"左足", "左足ＩＫ"},
      {"左足首", "左足ＩＫ"},
      {"左髪６", "頭"},
      {"左ｽｶｰﾄ前", "下半身"},
      {"左目", "両目"},
      {"左人指３", "左人指３"}}},
    {"data/models/pmd/Miku_Hatsune_Ver2.pmd",
     {{"右ひざ", "右足ＩＫ"}, {"右腕捩3", "右腕"}, {"右手捩", "右ひじ"}, {"右髪２", "頭"}, {"右目", "両目"}}},
    {"data/models/pmd/Rin_Kagamine.pmd", {{"左足首", "左足ＩＫ"}, {"右リボン", "頭"}, {"左目", "両目"}}},
    {"data/models/test_hair_physics.pmx", {{"右髪１", "右髪１"}, {"右髪８", "右髪１"}}},
};

static mmd_model *read_model(const char *file)
{
    mmd_model *model = NULL;
    mmd_bytes bytes = shared_read(file);
    assert_int_equal(mmd_model_read(bytes.data, bytes.size, &model, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    return model;
}

/* Chooses with the bodies of the file that physics moves. */
static uint32_t *choose(const mmd_model *model)
{
    uint8_t *simulated = calloc(model->bone_count + 1, 1);
    uint32_t *chosen = calloc(model->bone_count + 1, sizeof *chosen);
    for (uint32_t i = 0; i < model->body_count; i++)
        if (model->bodies[i].mode && model->bodies[i].bone >= 0)
            simulated[model->bodies[i].bone] = 1;
    const controller_state state = {.simulated = simulated};
    assert_true(controller_choose(model, &state, chosen));
    free(simulated);
    return chosen;
}

static void real_models_lead_to_what_animators_move(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (size_t i = 0; i < sizeof real_models / sizeof *real_models; i++) {
        mmd_model *model = read_model(real_models[i].file);
        uint32_t *chosen = choose(model);
        for (const real_row *row = real_models[i].rows; row->surface; row++) {
            int32_t bone = mmd_model_find_bone(model, row->surface);
            if (bone < 0)
                fail_msg("%s has no %s", real_models[i].file, row->surface);
            const char *name = model->bones[chosen[bone]].name;
            if (strcmp(name, row->chosen) != 0)
                fail_msg("%s: %s leads to %s, not to %s", real_models[i].file, row->surface, name,
                         row->chosen);
        }
        free(chosen);
        mmd_model_destroy(model);
    }
}

/* Whatever is clicked can be moved: it is visible, operable, not moved by IK or physics; and above every bone
 * is an end. */
static void check_all(const char *file, void *user)
{
    size_t *checked = user;
    mmd_model *model = NULL;
    mmd_bytes bytes = shared_read(file);
    bool is_read = mmd_model_read(bytes.data, bytes.size, &model, NULL) == MMD_OK;
    mmd_bytes_finish(&bytes);
    if (!is_read)
        return;
    uint32_t *chosen = choose(model);
    for (uint32_t b = 0; b < model->bone_count; b++) {
        const mmd_bone *bone = &model->bones[chosen[b]];
        if (chosen[b] != b && !(bone->flags & MMD_BONE_VISIBLE && bone->flags & MMD_BONE_OPERABLE))
            fail_msg("%s: %s leads to %s, which is hidden", file, model->bones[b].name, bone->name);
        uint32_t at = chosen[b], steps = 0;
        while (controller_above(model, chosen, at) != at && steps++ <= model->bone_count)
            at = controller_above(model, chosen, at);
        assert_true(steps <= model->bone_count);
    }
    free(chosen);
    mmd_model_destroy(model);
    (*checked)++;
}

static void every_choice_of_every_model_can_be_moved(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    size_t checked = 0;
    shared_each(".pmx", check_all, &checked);
    shared_each(".pmd", check_all, &checked);
    assert_true(checked >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs_and_feet_lead_to_the_goal),
        cmocka_unit_test(copies_that_are_shown_lead_to_the_goal_too),
        cmocka_unit_test(without_ik_legs_lead_to_themselves),
        cmocka_unit_test(twist_bones_lead_to_the_arm_and_fingers_to_themselves),
        cmocka_unit_test(one_eye_leads_to_both),
        cmocka_unit_test(hair_leads_to_its_parent_or_without_physics_to_its_goal),
        cmocka_unit_test(frames_decide_only_where_there_are_some),
        cmocka_unit_test(bones_that_lead_nowhere_lead_to_themselves),
        cmocka_unit_test(real_models_lead_to_what_animators_move),
        cmocka_unit_test(every_choice_of_every_model_can_be_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
