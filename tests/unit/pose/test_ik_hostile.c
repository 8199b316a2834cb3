/*
 * Evaluates IK of models like those of strangers: chains that share links, contain each other or have no
 * links, goals that depend on their own chain, effectors inside of their own chain or shared by two goals, in
 * any order of evaluation. A pose does not depend on what was evaluated before, numbers stay finite, and
 * memory and work stay in proportion.
 */
#include "engine/pose/pose_internal.h"

#include "mmd/format.h"
#include "support.h"

enum { BONES_MOST = 12000, LINKS_MOST = 64000, FRAMES = 3 };

/* ---------------------------------------------------------------- strange models */

typedef struct stranger {
    uint64_t random;
    uint32_t count, link_count;
    mmd_bone bones[BONES_MOST];
    mmd_ik_link links[LINKS_MOST];
    mmd_model *model; /* as read from a PMX of these bones */
} stranger;

static uint32_t below(stranger *s, uint32_t end)
{
    return (uint32_t)(test_random(&s->random) >> 16) % end;
}

static float between(stranger *s, float low, float high)
{
    return low + (high - low) * (float)below(s, 4097) / 4096.0f;
}

static void vector_between(stranger *s, float low, float high, float out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = between(s, low, high);
}

static uint32_t add_bone(stranger *s, int32_t parent)
{
    assert_true(s->count < BONES_MOST);
    mmd_bone *bone = &s->bones[s->count];
    *bone = (mmd_bone){.name = "",
                       .name_en = "",
                       .parent = parent,
                       .flags = MMD_BONE_ROTATABLE | MMD_BONE_MOVABLE,
                       .tail_bone = -1,
                       .append_source = -1,
                       .ik_target = -1};
    vector_between(s, -1.0f, 1.0f, bone->position);
    if (parent >= 0)
        for (int k = 0; k < 3; k++)
            bone->position[k] += s->bones[parent].position[k];
    return s->count++;
}

static void set_ik(stranger *s, uint32_t goal, uint32_t target)
{
    static const int32_t loops[8] = {1, 3, 5, 10, 10, 40, -4, 1 << 30};
    static const float limits[6] = {0.0f, 0.1f, 1.0f, 2.0f, 4.0f, -1.0f};
    mmd_bone *bone = &s->bones[goal];
    bone->flags |= MMD_BONE_IK;
    bone->ik_target = (int32_t)target;
    bone->ik_loops = loops[below(s, 8)];
    bone->ik_limit = limits[below(s, 6)];
    bone->ik_links = &s->links[s->link_count];
    bone->ik_link_count = 0;
}

/* Adds a link to the bone that got IK last. */
static void add_link(stranger *s, uint32_t goal, uint32_t bone)
{
    assert_true(s->link_count < LINKS_MOST);
    mmd_ik_link *link = &s->links[s->link_count++];
    *link = (mmd_ik_link){.bone = (int32_t)bone, .has_limit = below(s, 3) == 0};
    for (int k = 0; k < 3; k++) {
        bool free = below(s, 2);
        link->lower[k] = free ? between(s, -3.0f, 0.5f) : 0.0f;
        link->upper[k] = free ? between(s, -0.5f, 3.0f) : 0.0f;
    }
    s->bones[goal].ik_link_count++;
}

/* Adds links from the effector's parent outward. */
static void link_ancestors(stranger *s, uint32_t goal, uint32_t target, uint32_t most)
{
    int32_t bone = s->bones[target].parent;
    for (uint32_t i = 0; i < most && bone >= 0; i++, bone = s->bones[bone].parent)
        add_link(s, goal, (uint32_t)bone);
}

/* Writes the bones as PMX and reads them. */
static void finish_model(stranger *s)
{
    mmd_model made = {.version = 2.0f,
                      .name = "",
                      .name_en = "",
                      .comment = "",
                      .comment_en = "",
                      .bone_count = s->count,
                      .bones = s->bones};
    mmd_buffer pmx = {0};
    mmd_error error = {.message = ""};
    if (mmd_pmx_write(&made, &pmx, &error) != MMD_OK ||
        mmd_pmx_read(pmx.data, pmx.size, &s->model, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    mmd_buffer_finish(&pmx);
}

/* ------------------------------------------------------------------- two poses */

typedef struct frame {
    mmd_arena arena;
    mmd_pose_values values, previous;
} frame;

static void random_rotation(stranger *s, float out[4])
{
    float axis[3];
    vector_between(s, -1.0f, 1.0f, axis);
    quat_set(axis[0], axis[1], axis[2], between(s, 0.2f, 2.0f), out);
    quat_normalize(out);
}

static void random_values(stranger *s, mmd_pose_values *values)
{
    for (uint32_t b = 0; b < s->model->bone_count; b++) {
        if (below(s, 3))
            random_rotation(s, values->bones[b].rotation);
        if (below(s, 3) == 0)
            vector_between(s, -1.0f, 1.0f, values->bones[b].translation);
        values->ik_on[b] = below(s, 8) != 0;
    }
}

/* Sets the same edits, external parents and results of physics on both poses. */
static void disturb(stranger *s, mmd_pose *const poses[2], bool physics)
{
    for (uint32_t b = 0; b < s->model->bone_count; b++) {
        mmd_transform at = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
        uint32_t what = below(s, 24);
        bool rotation_only = below(s, 2);
        random_rotation(s, at.rotation);
        vector_between(s, -2.0f, 2.0f, at.translation);
        for (int i = 0; i < 2; i++) {
            if (physics)
                mmd_pose_override(poses[i], b, what == 0 ? &at : NULL, rotation_only);
            else if (what == 1)
                mmd_pose_set_user(poses[i], b, at.translation, at.rotation);
            else if (what >= 22)
                mmd_pose_set_external_parent(poses[i], b, what == 22 ? &at : NULL);
        }
    }
}

static void expect_same(const mmd_pose *used, const mmd_pose *other, const char *name)
{
    for (uint32_t b = 0; b < used->model->bone_count; b++) {
        const mmd_transform *world = &used->world[b];
        if (memcmp(used->state[b].local, other->state[b].local, sizeof used->state[b].local) != 0 ||
            memcmp(world, &other->world[b], sizeof *world) != 0 ||
            memcmp(&used->palette[b], &other->palette[b], sizeof *used->palette) != 0)
            fail_msg("%s: bone %u of %u differs", name, (unsigned)b, (unsigned)used->model->bone_count);
        if (!isfinite(quat_dot(world->rotation, world->rotation) + length3(world->translation)))
            fail_msg("%s: bone %u of %u is not finite", name, (unsigned)b, (unsigned)used->model->bone_count);
    }
}

/* Evaluates frames of a model in two poses, one of which evaluates other frames in between. Frees the model.
 * Returns the number of solvers. */
static uint32_t compare(stranger *s, const char *name)
{
    finish_model(s);
    const mmd_model *model = s->model;
    mmd_pose *poses[2] = {mmd_pose_create(model), mmd_pose_create(model)};
    assert_true(poses[0] && poses[1]);
    size_t most = 65536 + 1600 * (size_t)model->bone_count + 640 * (size_t)s->link_count;
    if (poses[0]->arena.used > most)
        fail_msg("%s: %zu bytes", name, poses[0]->arena.used);
    uint32_t solvers = poses[0]->solver_count;
    for (int f = 0; f < FRAMES; f++) {
        frame now = {0};
        assert_true(mmd_pose_values_init(&now.values, model, &now.arena) &&
                    mmd_pose_values_init(&now.previous, model, &now.arena));
        random_values(s, &now.values);
        random_values(s, &now.previous);
        if (f)
            disturb(s, poses, false);
        mmd_pose_evaluate(poses[0], &now.previous, &now.values);
        mmd_pose_finish(poses[0]);
        for (int i = 0; i < 2; i++)
            mmd_pose_evaluate(poses[i], &now.values, &now.previous);
        if (f)
            disturb(s, poses, true);
        for (int i = 0; i < 2; i++)
            mmd_pose_finish(poses[i]);
        expect_same(poses[0], poses[1], name);
        mmd_arena_finish(&now.arena);
    }
    mmd_pose_destroy(poses[0]);
    mmd_pose_destroy(poses[1]);
    mmd_model_destroy(s->model);
    return solvers;
}

static stranger *stranger_create(uint64_t seed)
{
    stranger *s = malloc(sizeof *s);
    assert_non_null(s);
    s->random = seed;
    s->count = s->link_count = 0;
    return s;
}

/* -------------------------------------------------------------- made on purpose */

/* Adds a chain of bones and returns the last one. */
static uint32_t add_chain(stranger *s, int32_t parent, uint32_t length)
{
    uint32_t last = add_bone(s, parent);
    for (uint32_t i = 1; i < length; i++)
        last = add_bone(s, (int32_t)last);
    return last;
}

static void shared_links_and_targets(stranger *s)
{
    uint32_t root = add_bone(s, -1), tip = add_chain(s, (int32_t)root, 6), other = add_chain(s, 4, 3);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t goal = add_bone(s, (int32_t)root);
        set_ik(s, goal, i % 3 ? tip : other); /* two goals for one effector; links in both chains */
        link_ancestors(s, goal, i % 3 ? tip : other, 2 + i);
    }
}

static void chains_inside_of_chains(stranger *s)
{
    uint32_t tip = add_chain(s, -1, 20);
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t target = i % 2 ? tip - i : tip, goal = add_bone(s, i % 3 ? 0 : -1);
        set_ik(s, goal, target);
        link_ancestors(s, goal, target, 3 * i);
    }
}

/* The goal hangs from its own chain or is its effector; the effector is a link; a link is its own effector's
 * descendant; a link twice. */
static void loops(stranger *s)
{
    uint32_t tip = add_chain(s, -1, 8);
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t goal = i < 5 ? add_bone(s, (int32_t)(tip - i)) : tip - i,
                 target = i == 6 ? goal : tip - i % 3;
        set_ik(s, goal, target);
        link_ancestors(s, goal, target, 4);
        add_link(s, goal, target);
        add_link(s, goal, goal);
        add_link(s, goal, 2);
        add_link(s, goal, tip);
    }
}

static void no_links(stranger *s)
{
    uint32_t tip = add_chain(s, -1, 5);
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t goal = add_bone(s, -1);
        set_ik(s, goal, tip);
        link_ancestors(s, goal, tip, i % 2);
    }
}

/* Adds chains with a number of links each. The third link is what the chain hangs from, as do others. */
static void add_chains(stranger *s, uint32_t chains, uint32_t links)
{
    for (uint32_t i = 0; i < chains; i++) {
        uint32_t tip = add_chain(s, i ? (int32_t)below(s, i < 10 ? 4 * i : 40) : -1, 3),
                 goal = add_bone(s, -1);
        set_ik(s, goal, tip);
        link_ancestors(s, goal, tip, links);
    }
}

static void thousands_of_chains(stranger *s)
{
    add_chains(s, 2500, 2);
}

/* More of them than the budget allows have dependents. */
static void thousands_that_share_links(stranger *s)
{
    add_chains(s, 2500, 3);
}

/* Every bone of a long chain is a goal that moves the whole chain: more than the budget allows. */
static void over_the_budget(stranger *s)
{
    uint32_t tip = add_chain(s, -1, 3000);
    for (uint32_t i = 0; i < 3000; i++) {
        set_ik(s, i, tip);
        add_link(s, i, i % 2);
    }
}

static void made_on_purpose(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*make)(stranger *s);
    } cases[] = {{"shared links and targets", shared_links_and_targets},
                 {"chains inside of chains", chains_inside_of_chains},
                 {"loops", loops},
                 {"no links", no_links},
                 {"thousands of chains", thousands_of_chains},
                 {"thousands that share links", thousands_that_share_links},
                 {"over the budget", over_the_budget}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t seed = 0; seed < (i < 4 ? 20 : 1); seed++) {
            stranger *s = stranger_create(1000 * i + seed);
            cases[i].make(s);
            assert_true(compare(s, cases[i].name) > 0);
            free(s);
        }
}

/* ------------------------------------------------------------------------ random */

/* Adds what does not concern IK alone: append sources, fixed and local axes, bones after physics. With
 * any_order, parents and sources may come later. */
static void decorate(stranger *s, uint32_t b, bool any_order)
{
    mmd_bone *bone = &s->bones[b];
    if (below(s, 6) == 0 && b > 0) {
        bone->flags |=
            below(s, 2) ? MMD_BONE_APPEND_ROTATION : MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION;
        bone->flags |= below(s, 5) ? 0 : MMD_BONE_APPEND_LOCAL;
        bone->append_source = (int32_t)below(s, any_order ? s->count : b);
        bone->append_ratio = between(s, -1.0f, 2.0f);
    }
    if (below(s, 10) == 0) {
        bone->flags |= MMD_BONE_FIXED_AXIS;
        vector_between(s, -1.0f, 1.0f, bone->fixed_axis);
    }
    if (below(s, 10) == 0) {
        bone->flags |= MMD_BONE_LOCAL_AXIS;
        vector_between(s, -1.0f, 1.0f, bone->local_x);
        vector_between(s, -1.0f, 1.0f, bone->local_z);
    }
    if (any_order) {
        bone->layer = (int32_t)below(s, 4) - 1;
        bone->flags |= below(s, 9) ? 0 : MMD_BONE_AFTER_PHYSICS;
    } else if (bone->parent >= 0) { /* not before the parent and the source */
        const mmd_bone *parent = &s->bones[bone->parent];
        const mmd_bone *source = bone->append_source >= 0 ? &s->bones[bone->append_source] : parent;
        bone->layer = (parent->layer > source->layer ? parent->layer : source->layer) + !below(s, 5);
        bone->flags |= (parent->flags | source->flags) & MMD_BONE_AFTER_PHYSICS;
        bone->flags |= below(s, 30) ? 0 : MMD_BONE_AFTER_PHYSICS;
    }
}

/* Links are ancestors of the effector, some left out, some not ancestors at all. */
static void add_random_ik(stranger *s, uint32_t goal)
{
    uint32_t target = below(s, s->count), most = below(s, 8);
    int32_t bone = s->bones[target].parent;
    set_ik(s, goal, target);
    for (uint32_t i = 0; i < most; i++) {
        if (below(s, 8) == 0)
            add_link(s, goal, below(s, s->count));
        if (bone >= 0 && below(s, 6))
            add_link(s, goal, (uint32_t)bone);
        if (bone >= 0)
            bone = s->bones[bone].parent;
    }
}

static void random_models(void **state)
{
    (void)state;
#ifdef ODORI_TEST_SLOWLY
    enum { MODELS = 300 };
#else
    enum { MODELS = 3000 };
#endif
    uint32_t solvers = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        char name[32];
        snprintf(name, sizeof name, "model %u", (unsigned)seed);
        stranger *s = stranger_create(seed);
        uint32_t count = 3 + below(s, 120), rare = 2 + below(s, 6);
        bool any_order = seed % 5 == 0, legs = seed % 2;
        add_bone(s, -1);
        while (s->count < count) {
            /* Chains near the root, which are often independent, or any tree. */
            int32_t parent = (int32_t)below(s, legs && s->count > 8 && below(s, 4) == 0 ? 8 : s->count);
            add_bone(s, legs && below(s, 3) ? (int32_t)s->count - 1 : parent);
        }
        for (uint32_t b = 0; b < s->count; b++)
            decorate(s, b, any_order);
        for (uint32_t b = 0; b < s->count; b++)
            if (below(s, rare) == 0)
                add_random_ik(s, b);
        solvers += compare(s, name);
        free(s);
    }
    assert_true(solvers > MODELS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(made_on_purpose),
        cmocka_unit_test(random_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
