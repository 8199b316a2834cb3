/*
 * Tests long random sequences of edits, undos and redos of everything that can be edited: bones (IK goals,
 * appends, fixed axes, glTF nodes with scale), bodies, joints, models, camera, light and nodes; by
 * components, matrices, drags and macros, while keying, with a plug-in's handler in the chain, and while
 * paused. The result is compared, bit for bit, with a replay that leaves out all undone edits.
 *
 * Each edit has a seed of its own, which decides everything about it, including frame, chain and keying. So
 * it is the same whenever it is repeated.
 */
#include "made_gltf.h"

#include <math.h>

#include "engine/edit/edit_internal.h"
#include "mmd/format.h"
#include "mmd/simulation.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SLOW 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define IS_SLOW 1
#endif
#if !defined(IS_SLOW)
#define IS_SLOW 0
#endif

enum { NODES = 6, KEPT = 64, ACTORS = 3, FRAMES = 5, FIRST_FRAME = 98, DRAG = 8 };
enum { LONG_WALK = IS_SLOW ? 6000 : 100000, SHORT_WALK = IS_SLOW ? 800 : 4000 };

/* Counters of edits by kind. */
typedef enum tally {
    TALLY_BONE,
    TALLY_IK_GOAL,
    TALLY_APPEND,
    TALLY_FIXED_AXIS,
    TALLY_PHYSICS_BONE,
    TALLY_GLTF_NODE,
    TALLY_GLTF_SCALE,
    TALLY_BODY,
    TALLY_JOINT,
    TALLY_MODEL,
    TALLY_CAMERA,
    TALLY_LIGHT,
    TALLY_NODE,
    TALLY_KEY,
    TALLY_KEY_REMOVED,
    TALLY_MACRO,
    TALLY_DRAG,
    TALLY_MATRIX,
    TALLY_PLUGIN,
    TALLY_REFUSED,
    TALLIES
} tally;

static const char *const tally_names[TALLIES] = {"bones",
                                                 "IK goals",
                                                 "appends",
                                                 "fixed axes",
                                                 "of physics",
                                                 "glTF nodes",
                                                 "of these scaled",
                                                 "bodies",
                                                 "joints",
                                                 "models",
                                                 "camera",
                                                 "light",
                                                 "nodes",
                                                 "keys",
                                                 "removed keys",
                                                 "macros",
                                                 "drags",
                                                 "matrices",
                                                 "through a plug-in",
                                                 "refused"};

typedef struct walk {
    mmd_model *dancer;
    mmd_exchange *still, *moving; /* glTF without and with animated scale */
    mmd_motion *dance, *scene;
    mmd_actor *actors[ACTORS];
    mmd_stage *stage;
    mmd_edit *edit;
    mmd_item nodes[NODES];
    bool physics;
    size_t counts[TALLIES];
    uint64_t blocks;
} walk;

/* ------------------------------------------------------------- the stage */

static mmd_bytes load(const char *path)
{
    mmd_bytes bytes = {0};
    mmd_error error;
    if (mmd_file_read(path, &bytes, &error) != MMD_OK)
        fail_msg("%s: %s", path, error.message);
    return bytes;
}

/* Makes a root, a rotated child, and a grandchild. */
static mmd_exchange *make_gltf(bool animated)
{
    made_gltf file = {.count = 0};
    char text[1024], moves[256] = "";
    if (animated) {
        int times = made_gltf_floats(&file, (const float[2]){0, 10}, 2, "SCALAR");
        int sizes = made_gltf_floats(&file, (const float[6]){1, 1, 1, 3, 1, 0.5f}, 2, "VEC3");
        snprintf(
            moves, sizeof moves,
            ",\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"scale\"}}],"
            "\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
            times, sizes);
    }
    snprintf(
        text, sizeof text,
        "\"nodes\":[{\"name\":\"%s\",\"children\":[1]},{\"name\":\"turned\",\"translation\":[1,0,0],"
        "\"rotation\":[0.5,0.5,0.5,0.5],\"children\":[2]},{\"name\":\"leaf\",\"translation\":[0,1,0]}]%s",
        animated ? "moving" : "still", moves);
    return made_gltf_read(&file, text);
}

static void add_nodes(walk *w)
{
    mmd_op ops[3] = {mmd_op_make(MMD_OP_ROTATE, "turn"), mmd_op_make(MMD_OP_TRANSLATE, "move"),
                     mmd_op_make(MMD_OP_SCALE, "size")};
    mmd_op matrix = mmd_op_make(MMD_OP_MATRIX, "matrix");
    static const size_t counts[3] = {0, 3, 1};
    for (int i = 0; i < NODES; i++) {
        mmd_item parent = i ? w->nodes[i - 1] : (mmd_item){.kind = MMD_ITEM_STAGE};
        const mmd_op *made = i % 3 == 0 ? NULL : i % 3 == 1 ? ops : &matrix;
        assert_int_equal(edit_add_node(w->edit, parent, "node", made, counts[i % 3], &w->nodes[i], NULL),
                         MMD_OK);
    }
}

static void read_dancer(walk *w)
{
    mmd_bytes pmx = load(ODORI_BINARY "/dancer/dancer.pmx"), vmd = load(ODORI_BINARY "/dancer/dance.vmd");
    assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &w->dancer, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &w->dance, NULL), MMD_OK);
    mmd_free(pmx.data);
    mmd_free(vmd.data);
}

static void begin(walk *w, bool physics, size_t steps)
{
    *w = (walk){.physics = physics, .blocks = mmd_heap_blocks_in_use()};
    read_dancer(w);
    w->still = make_gltf(false);
    w->moving = make_gltf(true);
    assert_int_equal(mmd_motion_copy(NULL, &w->scene, NULL), MMD_OK);
    const mmd_model *models[ACTORS] = {w->dancer, w->still->model, w->moving->model};
    w->stage = mmd_stage_create();
    for (int i = 0; i < ACTORS; i++) {
        w->actors[i] = mmd_actor_create(models[i]);
        assert_non_null(w->actors[i]);
        assert_int_equal(mmd_stage_add_actor(w->stage, w->actors[i], NULL), MMD_OK);
    }
    assert_int_equal(mmd_actor_add_motion(w->actors[0], w->dance, NULL), MMD_OK);
    assert_int_equal(
        mmd_actor_set_animations(w->actors[2], w->moving->animations, w->moving->animation_count, NULL),
        MMD_OK);
    assert_int_equal(mmd_stage_add_scene_motion(w->stage, w->scene, NULL), MMD_OK);
    mmd_physics_options options = mmd_default_physics_options();
    options.run_ahead = false;
    assert_int_equal(mmd_stage_set_physics(w->stage, physics ? &options : NULL, NULL), MMD_OK);
    mmd_edit_options kept = mmd_default_edit_options();
    kept.history_steps = steps;
    kept.history_bytes = (size_t)1 << 30;
    kept.paused = physics;
    w->edit = mmd_edit_create(w->stage, &kept);
    assert_non_null(w->edit);
    add_nodes(w);
}

static void end(walk *w)
{
    mmd_edit_destroy(w->edit);
    mmd_stage_destroy(w->stage);
    for (int i = 0; i < ACTORS; i++)
        mmd_actor_destroy(w->actors[i]);
    mmd_motion_destroy(w->dance);
    mmd_motion_destroy(w->scene);
    mmd_exchange_destroy(w->still);
    mmd_exchange_destroy(w->moving);
    mmd_model_destroy(w->dancer);
    assert_int_equal(mmd_heap_blocks_in_use(), w->blocks);
}

static const mmd_model *model_of(const walk *w, mmd_item item)
{
    return mmd_actor_model(w->actors[item.model]);
}

/* ----------------------------------------------------------------- keying */

static mmd_motion *bone_motion(void *context, uint32_t actor, uint32_t index)
{
    (void)index;
    return actor == 0 ? ((walk *)context)->dance : NULL;
}

static mmd_motion *scene_motion(void *context, mmd_key_kind kind)
{
    (void)kind;
    return ((walk *)context)->scene;
}

static void key_on(walk *w, bool on)
{
    const mmd_edit_keying keying = {
        .motion = bone_motion, .context = w, .morph_motion = bone_motion, .scene_motion = scene_motion};
    mmd_edit_set_keying(w->edit, on ? &keying : NULL);
}

/* --------------------------------------------------------------- a plug-in */

/* A handler that wraps the objects of the next one and halves translations. */
typedef struct halved {
    mmd_transform3d *inner;
} halved;

static void halved_matrix(void *self, mmd_edit *edit, double m[16])
{
    mmd_transform3d_matrix(edit, ((halved *)self)->inner, m);
}

static void halved_exclusive(void *self, mmd_edit *edit, double m[16])
{
    mmd_transform3d_exclusive(edit, ((halved *)self)->inner, m);
}

static bool halved_get(void *self, mmd_edit *edit, mmd_component component, double v[3])
{
    return mmd_transform3d_get(edit, ((halved *)self)->inner, component, v);
}

static mmd_command *halved_command(void *self, mmd_edit *edit, mmd_component component, const double v[3])
{
    double less[3];
    for (int k = 0; k < 3; k++)
        less[k] = component == MMD_TRANSLATION ? v[k] / 2 : v[k];
    return mmd_transform3d_command(edit, ((halved *)self)->inner, component, less);
}

static void halved_destroy(void *self)
{
    mmd_transform3d_destroy(((halved *)self)->inner);
}

static mmd_transform3d *halved_edit(void *context, mmd_edit *edit, const mmd_handler_link *link,
                                    mmd_item item, mmd_edit_hint hint)
{
    static const mmd_transform3d_table table = {.matrix = halved_matrix,
                                                .exclusive = halved_exclusive,
                                                .get = halved_get,
                                                .command = halved_command,
                                                .destroy = halved_destroy};
    (void)context;
    mmd_transform3d *inner = mmd_edit_next_edit_transform3d(edit, link, item, hint);
    mmd_transform3d *object = inner ? mmd_transform3d_create(&table, sizeof(halved), item) : NULL;
    if (object)
        *(halved *)mmd_transform3d_self(object) = (halved){.inner = inner};
    return object;
}

static const mmd_handler plugin = {.name = "halved", .edit_transform3d = halved_edit};

/*
 * Changes the chain in a quarter of the cases: adds the plug-in, or replaces or removes a standard handler.
 */
static bool change_chain(walk *w, uint64_t *seed)
{
    switch (test_random(seed) % 16) {
    case 0:
        return mmd_edit_add_handler(w->edit, NULL, &plugin, NULL);
    case 1:
        return mmd_edit_add_handler(w->edit, "common", &plugin, NULL);
    case 2:
        return mmd_edit_replace_handler(w->edit, "matrix", &plugin, NULL);
    case 3:
        return mmd_edit_remove_handler(w->edit, "common");
    default:
        return false;
    }
}

/* ------------------------------------------------------------------ edits */

static uint32_t below(uint64_t *seed, uint32_t count)
{
    return (uint32_t)(test_random(seed) % count);
}

static double real(uint64_t *seed, double low, double high)
{
    return low + (high - low) * (double)(test_random(seed) >> 11) / 9007199254740992.0;
}

static mmd_item any_bone(walk *w, uint64_t *seed)
{
    static const uint32_t wanted[] = {MMD_BONE_IK, MMD_BONE_FIXED_AXIS,
                                      MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION};
    mmd_item item = {.kind = MMD_ITEM_BONE, .index = below(seed, w->dancer->bone_count)};
    uint32_t choice = below(seed, 8);
    while (choice < 3 && !(w->dancer->bones[item.index].flags & wanted[choice]))
        item.index = (item.index + 1) % w->dancer->bone_count;
    return item;
}

/* Picks an item. Bodies and joints are rare, because editing them restarts physics. */
static mmd_item any_item(walk *w, uint64_t *seed)
{
    uint32_t choice = below(seed, 16);
    mmd_item item = {.kind = MMD_ITEM_BONE, .model = 1 + below(seed, ACTORS - 1)};
    if (choice < 3) {
        item.index = below(seed, model_of(w, item)->bone_count);
        return item;
    }
    if (choice < 9)
        return any_bone(w, seed);
    switch (choice) {
    case 9:
        return (mmd_item){.kind = MMD_ITEM_MODEL, .model = below(seed, ACTORS)};
    case 10:
        return (mmd_item){.kind = MMD_ITEM_CAMERA};
    case 11:
        return (mmd_item){.kind = MMD_ITEM_LIGHT};
    case 12:
        return (mmd_item){.kind = MMD_ITEM_BODY, .index = below(seed, w->dancer->body_count)};
    case 13:
        return (mmd_item){.kind = MMD_ITEM_JOINT, .index = below(seed, w->dancer->joint_count)};
    default:
        return w->nodes[below(seed, NODES)];
    }
}

static bool is_of_physics(const walk *w, mmd_item item)
{
    const mmd_physscene *physics = w->physics ? mmd_stage_physscene(w->stage, item.model) : NULL;
    for (uint32_t b = 0; physics && b < physics->body_count; b++)
        if (physics->bodies[b].bone == (int32_t)item.index &&
            mmd_stage_body_simulated(w->stage, item.model, b))
            return true;
    return false;
}

static tally tally_of_bone(const walk *w, mmd_item item, mmd_component component)
{
    uint32_t flags = model_of(w, item)->bones[item.index].flags;
    if (item.model > 0)
        return component == MMD_SCALE ? TALLY_GLTF_SCALE : TALLY_GLTF_NODE;
    if (is_of_physics(w, item))
        return TALLY_PHYSICS_BONE;
    if (flags & MMD_BONE_IK)
        return TALLY_IK_GOAL;
    if (flags & MMD_BONE_FIXED_AXIS)
        return TALLY_FIXED_AXIS;
    return flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION) ? TALLY_APPEND : TALLY_BONE;
}

static void count_edit(walk *w, mmd_item item, mmd_component component)
{
    static const tally kinds[MMD_ITEM_KINDS] = {
        [MMD_ITEM_MODEL] = TALLY_MODEL,   [MMD_ITEM_BODY] = TALLY_BODY,   [MMD_ITEM_JOINT] = TALLY_JOINT,
        [MMD_ITEM_CAMERA] = TALLY_CAMERA, [MMD_ITEM_LIGHT] = TALLY_LIGHT, [MMD_ITEM_NODE] = TALLY_NODE};
    w->counts[item.kind == MMD_ITEM_BONE ? tally_of_bone(w, item, component) : kinds[item.kind]]++;
}

/* Passes a command to the history; returns false if it was refused, which is no step. */
static bool take(walk *w, mmd_command *c, bool done)
{
    assert_true(mmd_edit_add(w->edit, c));
    w->counts[TALLY_REFUSED] += !done;
    return done;
}

/* Sets a component, once or several times as in a drag, some of which may be refused. */
static bool edit_component(walk *w, uint64_t *seed, mmd_item item)
{
    static const mmd_edit_hint hints[] = {MMD_HINT_TRANSLATE, MMD_HINT_ROTATE, MMD_HINT_SCALE,
                                          MMD_HINT_ROTATE_PIVOT, MMD_HINT_SCALE_PIVOT};
    mmd_component component = (mmd_component)below(seed, MMD_COMPONENTS);
    uint32_t sets = below(seed, 3) ? 1 : 2 + below(seed, DRAG);
    double v[3];
    for (int k = 0; k < 3; k++)
        v[k] = component == MMD_SCALE ? real(seed, 0.5, 2) : real(seed, -90, 90);
    mmd_transform3d *object = mmd_edit_edit_transform3d(w->edit, item, hints[component]);
    mmd_command *c = object ? mmd_transform3d_command(w->edit, object, component, v) : NULL;
    if (object)
        item = mmd_transform3d_item(object);
    mmd_transform3d_destroy(object);
    if (!c) {
        w->counts[TALLY_REFUSED]++;
        return false;
    }
    bool done = mmd_command_set(w->edit, c, NULL);
    w->counts[TALLY_DRAG] += sets > 1;
    while (--sets) {
        v[below(seed, 3)] *= below(seed, 8) ? 0.9 : -1e3; /* a negative size, or far away */
        done = mmd_command_set(w->edit, c, v) || done;
    }
    if (done)
        count_edit(w, item, component);
    return take(w, c, done);
}

/* Sets a matrix slightly moved. With physics this leaves out bones and bodies, whose matrices depend on
 * earlier frames. */
static bool edit_matrix(walk *w, uint64_t *seed, mmd_item item)
{
    double m[16], off[3] = {real(seed, -1, 1), real(seed, -1, 1), real(seed, -1, 1)};
    if (w->physics && (item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_BODY))
        return false;
    mmd_transform3d *object = mmd_edit_transform3d(w->edit, item);
    mmd_edit_local(w->edit, item, m);
    for (int k = 0; k < 3; k++)
        m[12 + k] += off[k];
    mmd_command *c = object ? mmd_transform3d_matrix_command(w->edit, object, m) : NULL;
    mmd_transform3d_destroy(object);
    if (!c) {
        w->counts[TALLY_REFUSED]++;
        return false;
    }
    bool done = mmd_command_set(w->edit, c, NULL);
    w->counts[TALLY_MATRIX] += done;
    return take(w, c, done);
}

/* Makes a command that sets, deletes, moves or copies a key, or changes its curve. */
static mmd_command *make_key_command(walk *w, uint64_t *seed, mmd_item item, bool *removes)
{
    uint32_t frame = FIRST_FRAME + below(seed, FRAMES), to = FIRST_FRAME + below(seed, FRAMES);
    uint32_t choice = below(seed, 6);
    uint8_t curve[4] = {0};
    for (int k = 0; k < 4; k++)
        curve[k] = (uint8_t)below(seed, 128);
    *removes = choice == 1;
    switch (choice) {
    case 0:
        return mmd_edit_move_key_command(w->edit, item, frame, to);
    case 1:
        return mmd_edit_unkey_command(w->edit, item);
    case 2:
        return mmd_edit_copy_key_command(w->edit, item, frame, to);
    case 3:
        return mmd_edit_curve_command(w->edit, item, frame, 1 + below(seed, 7),
                                      (mmd_curve){curve[0], curve[1], curve[2], curve[3]});
    default:
        return item.kind == MMD_ITEM_MORPH
                   ? mmd_edit_morph_key_command(w->edit, item, (float)real(seed, 0, 1))
                   : mmd_edit_key_command(w->edit, item);
    }
}

static bool edit_keys(walk *w, uint64_t *seed, mmd_item item)
{
    bool removes;
    if (item.kind == MMD_ITEM_MODEL || item.kind >= MMD_ITEM_NODE)
        item = (mmd_item){.kind = MMD_ITEM_MORPH, .index = below(seed, w->dancer->morph_count)};
    mmd_command *c = make_key_command(w, seed, item, &removes);
    if (!c) {
        w->counts[TALLY_REFUSED]++;
        return false;
    }
    bool done = mmd_command_set(w->edit, c, NULL);
    w->counts[removes ? TALLY_KEY_REMOVED : TALLY_KEY] += done;
    return take(w, c, done);
}

static bool edit_item(walk *w, uint64_t *seed)
{
    mmd_item item = any_item(w, seed);
    bool keys = below(seed, 6) == 0, done;
    uint32_t choice = below(seed, 6);
    if (keys)
        key_on(w, true);
    if (keys && choice < 3)
        done = edit_keys(w, seed, item);
    else
        done = choice == 5 ? edit_matrix(w, seed, item) : edit_component(w, seed, item);
    key_on(w, false);
    return done;
}

/* Makes one step; returns false if all of it was refused. */
static bool any_edit(walk *w, uint64_t *seed)
{
    bool macro = below(seed, 8) == 0, done = false;
    if (!w->physics)
        mmd_stage_set_frame(w->stage, FIRST_FRAME + below(seed, FRAMES));
    bool plugged = change_chain(w, seed);
    if (macro)
        mmd_edit_begin(w->edit, "macro");
    for (uint32_t i = macro ? 2 + below(seed, 3) : 1; i > 0; i--)
        done |= edit_item(w, seed);
    if (macro)
        mmd_edit_end(w->edit);
    w->counts[TALLY_MACRO] += macro && done;
    w->counts[TALLY_PLUGIN] += plugged && done;
    if (plugged)
        assert_true(mmd_edit_set_chain(w->edit, NULL, NULL, 0));
    return done;
}

/* ------------------------------------------------------------------ state */

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 1099511628211u;
    return hash;
}

static uint32_t count_at(const mmd_buffer *file, size_t at)
{
    const uint8_t *b = file->data + at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Hashes the bytes of the file, or, unless in_order, its bone and morph keys independently of their order,
 * because new rows are in the order of their first edit. */
static uint64_t hash_motion(uint64_t hash, const mmd_motion *motion, bool in_order)
{
    static const size_t sizes[2] = {111, 23};
    mmd_buffer out = {0};
    size_t at = 50;
    assert_int_equal(mmd_vmd_write(motion, &out, NULL), MMD_OK);
    for (int k = 0; k < 2 && !in_order; k++) {
        uint32_t count = count_at(&out, at);
        uint64_t sum = count;
        at += 4;
        for (uint32_t i = 0; i < count; i++, at += sizes[k])
            sum += hash_bytes(14695981039346656037u, out.data + at, sizes[k]);
        hash = hash_bytes(hash, &sum, sizeof sum);
    }
    at = in_order ? 0 : at;
    hash = hash_bytes(hash, out.data + at, out.size - at);
    mmd_buffer_finish(&out);
    return hash;
}

/* Hashes the ops of an item; with physics only writable ones, because the others depend on earlier frames. */
static uint64_t hash_item(walk *w, uint64_t hash, mmd_item item)
{
    mmd_op ops[MMD_OPS_MAX];
    size_t count = mmd_edit_ops(w->edit, item, ops);
    for (size_t i = 0; i < count; i++)
        if (!w->physics || !ops[i].read_only)
            hash = hash_bytes(hash, &ops[i], sizeof ops[i]);
    return hash;
}

static uint64_t hash_actor(walk *w, uint64_t hash, uint32_t a)
{
    mmd_item item = {.kind = MMD_ITEM_MODEL, .model = a};
    const mmd_model *model = model_of(w, item);
    const uint32_t counts[MMD_ITEM_KINDS] = {[MMD_ITEM_MODEL] = 1,
                                             [MMD_ITEM_BONE] = model->bone_count,
                                             [MMD_ITEM_BODY] = model->body_count,
                                             [MMD_ITEM_JOINT] = model->joint_count};
    for (item.kind = MMD_ITEM_MODEL; item.kind <= MMD_ITEM_JOINT; item.kind++)
        for (item.index = 0; item.index < counts[item.kind]; item.index++) {
            mmd_body_transform body;
            mmd_transform joint;
            bool by_hand =
                (item.kind == MMD_ITEM_BODY && mmd_stage_body_transform(w->stage, a, item.index, &body)) ||
                (item.kind == MMD_ITEM_JOINT && mmd_stage_joint_transform(w->stage, a, item.index, &joint));
            hash = hash_bytes(hash_item(w, hash, item), &by_hand, sizeof by_hand);
        }
    const mmd_staging *s = mmd_stage_staging(w->stage, a);
    hash = hash_bytes(hash, s->position, sizeof s->position);
    hash = hash_bytes(hash, s->rotation, sizeof s->rotation);
    return hash_bytes(hash, &s->scale, sizeof s->scale);
}

/* Hashes what is drawn: the matrices of bones at the current frame. */
static uint64_t hash_poses(walk *w, uint64_t hash)
{
    for (int a = 0; a < ACTORS && !w->physics; a++)
        for (uint32_t b = 0; b < mmd_actor_model(w->actors[a])->bone_count; b++) {
            float m[16];
            mmd_pose_bone_matrix(mmd_actor_pose(w->actors[a]), b, m);
            hash = hash_bytes(hash, m, sizeof m);
        }
    for (int a = 0; a < ACTORS; a++) {
        bool scaled = mmd_pose_affine_palette(mmd_actor_pose(w->actors[a])) != NULL;
        hash = hash_bytes(hash, &scaled, sizeof scaled);
    }
    return hash;
}

/* Hashes every op of every item, overrides, keys and poses. */
static uint64_t digest(walk *w, bool in_order)
{
    uint64_t hash = 1469598103934665603u;
    if (!w->physics)
        mmd_stage_set_frame(w->stage, FIRST_FRAME + 2);
    for (uint32_t a = 0; a < ACTORS; a++)
        hash = hash_actor(w, hash, a);
    for (int i = 0; i < NODES; i++)
        hash = hash_item(w, hash, w->nodes[i]);
    hash = hash_item(w, hash, (mmd_item){.kind = MMD_ITEM_CAMERA});
    hash = hash_item(w, hash, (mmd_item){.kind = MMD_ITEM_LIGHT});
    const bool by_hand[3] = {mmd_stage_camera_by_hand(w->stage) != NULL,
                             mmd_stage_light_direction_by_hand(w->stage) != NULL,
                             mmd_stage_light_color_by_hand(w->stage) != NULL};
    hash = hash_bytes(hash, by_hand, sizeof by_hand);
    hash = hash_poses(w, hash);
    return hash_motion(hash_motion(hash, w->dance, in_order), w->scene, in_order);
}

/* ------------------------------------------------------------------ walks */

typedef struct trail {
    uint64_t *made; /* seeds of the edits in effect, then of undone ones */
    size_t standing, edits, undos, redos, most_steps, most_bytes;
    uint64_t most_blocks[2]; /* in the first half and in the second */
} trail;

static void step(walk *w, trail *t, uint64_t *seed)
{
    uint64_t choice = test_random(seed) % 8;
    if (choice == 0 && mmd_edit_undo_label(w->edit)) {
        assert_true(mmd_edit_undo(w->edit));
        t->standing--;
        t->undos++;
    } else if (choice == 1 && mmd_edit_redo_label(w->edit)) {
        assert_true(mmd_edit_redo(w->edit));
        t->standing++;
        t->redos++;
    } else {
        uint64_t own = test_random(seed), used = own;
        if (any_edit(w, &used)) {
            t->made[t->standing++] = own;
            t->edits++;
        }
    }
}

static void go(walk *w, trail *t, uint64_t seed, int steps)
{
    t->made = mmd_alloc((size_t)steps * sizeof *t->made);
    assert_non_null(t->made);
    w->blocks++;
    for (int i = 0; i < steps; i++) {
        step(w, t, &seed);
        size_t count = mmd_edit_history_steps(w->edit);
        uint64_t blocks = mmd_heap_blocks_in_use(), *most = &t->most_blocks[i >= steps / 2];
        t->most_steps = count > t->most_steps ? count : t->most_steps;
        *most = blocks > *most ? blocks : *most;
        if (i % 100 == 0 && mmd_edit_history_bytes(w->edit) > t->most_bytes)
            t->most_bytes = mmd_edit_history_bytes(w->edit);
    }
}

static void print_totals(const walk *w, const trail *t, int steps)
{
    print_message(
        "%d steps: %zu undos, %zu redos, %zu edits stand of %zu; %zu steps and %zu bytes kept at most\n",
        steps, t->undos, t->redos, t->standing, t->edits, t->most_steps, t->most_bytes);
    for (int i = 0; i < TALLIES; i++)
        print_message("%s%s %zu", i ? ", " : "", tally_names[i], w->counts[i]);
    print_message("\n");
}

/* Compares a random sequence with a replay of the edits that remain. */
static void compare_with_replay(uint64_t seed, bool physics, int steps, walk *totals, trail *t)
{
    walk w;
    begin(&w, physics, KEPT);
    go(&w, t, seed, steps);
    uint64_t walked = digest(&w, false);
    memcpy(totals->counts, w.counts, sizeof totals->counts);
    end(&w);
    begin(&w, physics, KEPT);
    for (size_t i = 0; i < t->standing; i++) {
        uint64_t own = t->made[i];
        any_edit(&w, &own);
    }
    uint64_t replayed = digest(&w, false);
    end(&w);
    mmd_free(t->made);
    print_totals(totals, t, steps);
    assert_true(walked == replayed);
    assert_true(t->undos > (size_t)steps / 20 && t->most_steps == KEPT && t->most_bytes < KEPT * 8192);
    assert_true(t->most_blocks[1] < t->most_blocks[0] + 4 * KEPT);
}

static void a_random_walk_equals_its_replay_bit_for_bit(void **state)
{
    (void)state;
    walk totals = {.physics = false};
    trail t = {.standing = 0};
    compare_with_replay(20260101, false, LONG_WALK, &totals, &t);
    for (int i = 0; i < TALLIES; i++)
        assert_true(i == TALLY_PHYSICS_BONE || totals.counts[i] > 0);
}

/* Paused at a frame, bones moved by physics can be edited. */
static void a_walk_while_physics_stands_equals_its_replay(void **state)
{
    (void)state;
    walk totals = {.physics = true};
    trail t = {.standing = 0};
    compare_with_replay(7, true, SHORT_WALK, &totals, &t);
    assert_true(totals.counts[TALLY_PHYSICS_BONE] > 0);
}

/* Undoing all restores the stage including its keys, and redoing all restores the result. */
static void a_walk_undone_leaves_nothing_behind(void **state)
{
    (void)state;
    walk w;
    trail t = {.standing = 0};
    begin(&w, false, SHORT_WALK);
    uint64_t start = digest(&w, true);
    go(&w, &t, 99, SHORT_WALK);
    for (int round = 0; round < 2; round++) {
        while (mmd_edit_redo(w.edit))
            ;
        uint64_t done = digest(&w, true);
        while (mmd_edit_undo(w.edit))
            ;
        assert_true(digest(&w, true) == start);
        while (mmd_edit_redo(w.edit))
            ;
        assert_true(digest(&w, true) == done);
    }
    while (mmd_edit_undo(w.edit))
        ;
    assert_true(digest(&w, true) == start);
    mmd_free(t.made);
    w.blocks--;
    print_totals(&w, &t, SHORT_WALK);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_walk_equals_its_replay_bit_for_bit),
        cmocka_unit_test(a_walk_while_physics_stands_equals_its_replay),
        cmocka_unit_test(a_walk_undone_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
