/* Tests animated scale: nodes and skinned vertices of animated hierarchies are compared with the product of
 * the file's matrices in double precision (glTF 2.0, 3.5.3 and 3.7.3.3). */
#include "hostile.h"
#include "made_gltf.h"

#include "mmd/cursor.h"
#include "mmd/pose.h"

enum { NODES = 6, POINTS = 4, JOINTS = 3, KEYS = 2 };

static const int8_t parents[NODES] = {-1, 0, 1, 1, 3, -1};
static const uint8_t joints[JOINTS] = {1, 3, 4};

/* Translations, rotations and scales, at rest and as keys. */
typedef struct tree {
    float move[NODES][3], turn[NODES][4], scale[NODES][3];
    float moves[NODES][KEYS][3], turns[NODES][KEYS][4], scales[NODES][KEYS][3];
    float points[POINTS][3], weights[POINTS][4];
    float binds[JOINTS][16];
} tree;

static float random_between(uint64_t *seed, double low, double high)
{
    return (float)(low + (high - low) * (double)(test_random(seed) >> 11) * 0x1p-53);
}

static void random_turn(uint64_t *seed, float q[4])
{
    float square = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = random_between(seed, -1, 1);
        square += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] /= sqrtf(square);
}

/* ------------------------------------------------- the file's own matrices */

typedef struct matrix {
    double at[4][4]; /* columns */
} matrix;

static matrix product(const matrix *a, const matrix *b)
{
    matrix out = {{{0}}};
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            for (int k = 0; k < 4; k++)
                out.at[c][r] += a->at[k][r] * b->at[c][k];
    return out;
}

static matrix local_matrix(const float move[3], const float q[4], const float scale[3])
{
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    matrix m = {{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0},
                 {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0},
                 {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0},
                 {(double)move[0], (double)move[1], (double)move[2], 1}}};
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            m.at[c][r] *= (double)scale[c];
    return m;
}

/* Inverts an affine matrix. */
static matrix inverse(const matrix *m)
{
    const double(*a)[4] = m->at;
    matrix out = {{{0}}};
    double size = 0;
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            int i = (r + 1) % 3, j = (r + 2) % 3, k = (c + 1) % 3, l = (c + 2) % 3;
            out.at[c][r] = a[i][k] * a[j][l] - a[i][l] * a[j][k];
        }
        size += out.at[c][0] * a[0][c];
    }
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) {
            out.at[c][r] /= size;
            out.at[3][r] -= out.at[c][r] * a[3][c];
        }
    out.at[3][3] = 1;
    return out;
}

static void worlds_of(const tree *t, double seconds, bool at_rest, matrix worlds[NODES])
{
    static const float times[KEYS] = {0, 2};
    for (int n = 0; n < NODES; n++) {
        float move[3], turn[4], scale[3];
        const mmd_animation_channel channel = {
            MMD_ANIMATED_ROTATION, MMD_INTERPOLATION_LINEAR, n, KEYS, times, t->turns[n][0]};
        mmd_animation_sample(&channel, seconds, NULL, turn);
        for (int k = 0; k < 3; k++) {
            float way = (float)seconds / 2;
            move[k] = t->moves[n][0][k] + way * (t->moves[n][1][k] - t->moves[n][0][k]);
            scale[k] = t->scales[n][0][k] + way * (t->scales[n][1][k] - t->scales[n][0][k]);
        }
        worlds[n] =
            at_rest ? local_matrix(t->move[n], t->turn[n], t->scale[n]) : local_matrix(move, turn, scale);
        if (parents[n] >= 0)
            worlds[n] = product(&worlds[parents[n]], &worlds[n]);
    }
}

static void transform(const matrix *m, const float p[3], double weight, double sum[3])
{
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 4; k++)
            sum[r] += weight * m->at[k][r] * (k < 3 ? (double)p[k] : 1.0);
}

/* Compares a position of the file (metres, right-handed) with one in units. */
static void expect_at(const double wanted[3], const double found[3], const char *what, int number)
{
    for (int k = 0; k < 3; k++) {
        double units = (k == 2 ? -wanted[k] : wanted[k]) / 0.08;
        if (!(fabs(units - found[k]) <= 1e-5 * (100 + fabs(units))))
            fail_msg("%s %d, axis %d: %.9g where %.9g should be", what, number, k, found[k], units);
    }
}

/* --------------------------------------------------------------- the file */

/* Fills a tree with random values. Scales at rest are uniform or mirroring, because rotation below other
 * scales shears, which is only reported. */
static void grow(tree *t, uint64_t *seed)
{
    matrix rest[NODES];
    for (int n = 0; n < NODES; n++) {
        float size = random_between(seed, 0.6, 1.6);
        random_turn(seed, t->turn[n]);
        random_turn(seed, t->turns[n][0]);
        random_turn(seed, t->turns[n][1]);
        for (int k = 0; k < 3; k++) {
            t->move[n][k] = random_between(seed, -1, 1);
            t->scale[n][k] = n % 3 == 1 && k == 0 ? -size : size;
            for (int i = 0; i < KEYS; i++) {
                t->moves[n][i][k] = random_between(seed, -1, 1);
                t->scales[n][i][k] = t->scale[n][k] * random_between(seed, 0.3, 2);
            }
        }
    }
    for (int p = 0; p < POINTS; p++) {
        for (int k = 0; k < 3; k++)
            t->points[p][k] = random_between(seed, -1, 1);
        t->weights[p][0] = p == 0 ? 1 : 0.25f;
        t->weights[p][1] = p == 0 ? 0 : p == 1 ? 0.75f : 0.5f;
        t->weights[p][2] = p < 2 ? 0 : 0.25f;
    }
    worlds_of(t, 0, true, rest);
    for (int j = 0; j < JOINTS; j++) {
        matrix bind = inverse(&rest[joints[j]]);
        for (int k = 0; k < 16; k++)
            t->binds[j][k] = (float)bind.at[k / 4][k % 4];
    }
}

static void write_nodes(const tree *t, mmd_buffer *text)
{
    static const char *const children[NODES] = {"[1]", "[2,3]", NULL, "[4]", NULL, NULL};
    mmd_write_format(text, "\"nodes\":[");
    for (int n = 0; n < NODES; n++) {
        const float *m = t->move[n], *q = t->turn[n], *s = t->scale[n];
        mmd_write_format(text,
                         "{\"mesh\":0,\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g],"
                         "\"scale\":[%.9g,%.9g,%.9g]",
                         (double)m[0], (double)m[1], (double)m[2], (double)q[0], (double)q[1], (double)q[2],
                         (double)q[3], (double)s[0], (double)s[1], (double)s[2]);
        if (children[n])
            mmd_write_format(text, ",\"children\":%s", children[n]);
        mmd_write_format(text, "},");
    }
    mmd_write_format(text, "{\"mesh\":1,\"skin\":0}],");
}

static void write_animation(const tree *t, made_gltf *file, mmd_buffer *text)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    int times = made_gltf_floats(file, (const float[KEYS]){0, 2}, KEYS, "SCALAR");
    mmd_write_format(text, "\"animations\":[{\"channels\":[");
    for (int i = 0; i < 3 * NODES; i++)
        mmd_write_format(text, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", i ? "," : "", i,
                         i / 3, paths[i % 3]);
    mmd_write_format(text, "],\"samplers\":[");
    for (int i = 0; i < 3 * NODES; i++) {
        int n = i / 3;
        const float *values = i % 3 == 0 ? t->moves[n][0] : i % 3 == 1 ? t->turns[n][0] : t->scales[n][0];
        int output = made_gltf_floats(file, values, KEYS, i % 3 == 1 ? "VEC4" : "VEC3");
        mmd_write_format(text, "%s{\"input\":%d,\"output\":%d}", i ? "," : "", times, output);
    }
    mmd_write_format(text, "]}],");
}

static void write_meshes(const tree *t, made_gltf *file, mmd_buffer *text)
{
    uint8_t used[POINTS][4];
    for (int p = 0; p < POINTS; p++)
        memcpy(used[p], (const uint8_t[4]){0, 1, 2, 0}, 4);
    int points = made_gltf_floats(file, t->points[0], POINTS, "VEC3");
    int bones = made_gltf_bytes(file, used[0], POINTS, "VEC4");
    int weights = made_gltf_floats(file, t->weights[0], POINTS, "VEC4");
    int binds = made_gltf_floats(file, t->binds[0], JOINTS, "MAT4");
    mmd_write_format(text,
                     "\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":%d}}]},"
                     "{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":%d,\"JOINTS_0\":%d,"
                     "\"WEIGHTS_0\":%d}}]}],\"skins\":[{\"joints\":[1,3,4],\"inverseBindMatrices\":%d}]",
                     points, points, bones, weights, binds);
}

static mmd_buffer write_tree(const tree *t, bool animated)
{
    made_gltf file = {.count = 0};
    mmd_buffer text = {0};
    write_nodes(t, &text);
    if (animated)
        write_animation(t, &file, &text);
    write_meshes(t, &file, &text);
    mmd_write_u8(&text, 0);
    mmd_buffer glb = made_gltf_glb(&file, (const char *)text.data);
    mmd_buffer_finish(&text);
    return glb;
}

static mmd_exchange *plant(const tree *t, bool animated)
{
    mmd_buffer glb = write_tree(t, animated);
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    if (mmd_exchange_read(glb.data, glb.size, NULL, NULL, &document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    mmd_buffer_finish(&glb);
    return document;
}

/* ------------------------------------------------------------- comparing */

static void expect_vertices(const tree *t, const matrix worlds[NODES], const mmd_skinned_vertex *found)
{
    for (int n = 0; n < NODES; n++)
        for (int p = 0; p < POINTS; p++) {
            double wanted[3] = {0};
            transform(&worlds[n], t->points[p], 1, wanted);
            expect_at(wanted, found[n * POINTS + p].position, "vertex", n * POINTS + p);
        }
    for (int p = 0; p < POINTS; p++) {
        double wanted[3] = {0};
        for (int j = 0; j < JOINTS; j++) {
            matrix bind, way;
            for (int k = 0; k < 16; k++)
                bind.at[k / 4][k % 4] = (double)t->binds[j][k];
            way = product(&worlds[joints[j]], &bind);
            transform(&way, t->points[p], (double)t->weights[p][j], wanted);
        }
        expect_at(wanted, found[NODES * POINTS + p].position, "skinned vertex", p);
    }
}

typedef struct player {
    mmd_pose *pose;
    mmd_clip *clip;
    mmd_pose_values values;
    mmd_arena arena;
} player;

static void open_player(player *p, const mmd_exchange *document)
{
    *p =
        (player){.pose = mmd_pose_create(document->model), .clip = mmd_clip_create(document->model, NULL, 0)};
    assert_true(p->pose && p->clip);
    assert_true(mmd_clip_animate(p->clip, document->animations, document->animation_count));
    assert_true(mmd_pose_values_init(&p->values, document->model, &p->arena));
}

static void close_player(player *p)
{
    mmd_clip_destroy(p->clip);
    mmd_pose_destroy(p->pose);
    mmd_arena_finish(&p->arena);
}

static void play(player *p, double seconds)
{
    mmd_clip_sample(p->clip, 30 * seconds, &p->values);
    mmd_pose_evaluate(p->pose, &p->values, NULL);
    mmd_pose_finish(p->pose);
}

static void compare_tree(uint64_t seed)
{
    static const double moments[] = {0, 0.7, 1.5, 2};
    tree t = {0};
    player p;
    mmd_skinned_vertex found[(NODES + 1) * POINTS];
    grow(&t, &seed);
    mmd_exchange *document = plant(&t, true);
    assert_true(document->model->has_scale);
    assert_int_equal(document->model->vertices.count, (NODES + 1) * POINTS);
    assert_null(made_gltf_loss(document, "animation.shear"));
    open_player(&p, document);
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        matrix worlds[NODES];
        worlds_of(&t, moments[i], false, worlds);
        play(&p, moments[i]);
        mmd_pose_skin(document->model, p.pose, MMD_SDEF_LINEAR, NULL, found);
        expect_vertices(&t, worlds, found);
        for (int n = 0; n < NODES; n++) {
            const float *at = mmd_pose_world(p.pose)[n].translation;
            expect_at(worlds[n].at[3], (const double[3]){(double)at[0], (double)at[1], (double)at[2]}, "bone",
                      n);
        }
    }
    close_player(&p);
    mmd_exchange_destroy(document);
}

static void scaled_hierarchies_are_where_the_files_matrices_say(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++)
        compare_tree(seed);
}

/* ------------------------------------------------------------- edits */

static void scale_by_hand(mmd_pose *pose, uint64_t *seed, float hand[NODES][3])
{
    for (int n = 0; n < NODES; n++) {
        for (int k = 0; k < 3; k++)
            hand[n][k] = n == 2 ? 1 : random_between(seed, 0.3, 3);
        assert_true(mmd_pose_set_user_scale(pose, (uint32_t)n, hand[n]));
    }
}

/* Computes the nodes' matrices as if the file had these scales too. */
static void worlds_by_hand(const tree *t, double seconds, bool animated, const float hand[NODES][3],
                           matrix worlds[NODES])
{
    tree scaled = *t;
    for (int n = 0; n < NODES; n++)
        for (int k = 0; k < 3; k++) {
            scaled.scale[n][k] *= hand[n][k];
            for (int i = 0; i < KEYS; i++)
                scaled.scales[n][i][k] *= hand[n][k];
        }
    worlds_of(&scaled, seconds, !animated, worlds);
}

static void compare_by_hand(uint64_t seed, bool animated)
{
    tree t = {0};
    player p;
    float hand[NODES][3];
    matrix worlds[NODES];
    mmd_skinned_vertex before[(NODES + 1) * POINTS], found[(NODES + 1) * POINTS];
    mmd_transform palette[NODES];
    grow(&t, &seed);
    mmd_exchange *document = plant(&t, animated);
    assert_true(document->model->has_scale == animated && document->model->node_rotations);
    open_player(&p, document);
    play(&p, 0.7);
    memcpy(palette, mmd_pose_palette(p.pose), sizeof palette);
    mmd_pose_skin(document->model, p.pose, MMD_SDEF_LINEAR, NULL, before);
    assert_true((mmd_pose_affine_palette(p.pose) != NULL) == animated);
    scale_by_hand(p.pose, &seed, hand);
    play(&p, 0.7);
    worlds_by_hand(&t, 0.7, animated, (const float(*)[3])hand, worlds);
    mmd_pose_skin(document->model, p.pose, MMD_SDEF_LINEAR, NULL, found);
    expect_vertices(&t, worlds, found);
    for (uint32_t n = 0; n < NODES; n++)
        assert_true(mmd_pose_set_user_scale(p.pose, n, (const float[3]){1, 1, 1}));
    play(&p, 0.7);
    mmd_pose_skin(document->model, p.pose, MMD_SDEF_LINEAR, NULL, found);
    assert_memory_equal(found, before, sizeof found);
    assert_memory_equal(palette, mmd_pose_palette(p.pose), sizeof palette);
    assert_true((mmd_pose_affine_palette(p.pose) != NULL) == animated);
    close_player(&p);
    mmd_exchange_destroy(document);
}

/* Scaling a node by an edit equals that scale in the file, animated or not. Undoing it restores every bit. */
static void nodes_scaled_by_hand_are_where_a_file_would_have_them(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        compare_by_hand(seed, true);
        compare_by_hand(seed, false);
    }
}

/* ------------------------------------------------------- small files */

/* Makes a parent with two keys of scale, or a child with two keys of rotation; the points belong to the
 * child. */
static mmd_exchange *grown_by(const char *node, const char *path, int width, const float *keys)
{
    static const float points[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    made_gltf file = {.count = 0};
    char text[1024];
    int times = made_gltf_floats(&file, (const float[2]){0, 1}, 2, "SCALAR");
    int values = made_gltf_floats(&file, keys, 2, width == 4 ? "VEC4" : "VEC3");
    int mesh = made_gltf_floats(&file, points[0], 3, "VEC3");
    snprintf(text, sizeof text,
             "\"nodes\":[{%s\"children\":[1]},{\"mesh\":0,\"translation\":[1,0,0]}],"
             "\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":%d}}]}],"
             "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":%d,\"path\":\"%s\"}}],"
             "\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
             node, mesh, width == 4, path, times, values);
    return made_gltf_read(&file, text);
}

static void a_parent_that_grows_takes_its_child_along(void **state)
{
    (void)state;
    mmd_exchange *document = grown_by("", "scale", 3, (const float[6]){1, 1, 1, 3, 1, 0.5f});
    static const double wanted[3][3] = {{6, 0, 0}, {3, 1, 0}, {3, 0, 0.5}};
    mmd_skinned_vertex found[3];
    player p;
    open_player(&p, document);
    play(&p, 1);
    mmd_pose_skin(document->model, p.pose, MMD_SDEF_LINEAR, NULL, found);
    for (int i = 0; i < 3; i++)
        expect_at(wanted[i], found[i].position, "vertex", i);
    const mmd_transform *child = &mmd_pose_world(p.pose)[1];
    /* the position scales, and there is no rotation */
    assert_float_equal(child->translation[0], 3 / 0.08, 1e-4);
    assert_float_equal(child->rotation[3], 1, 0);
    close_player(&p);
    mmd_exchange_destroy(document);
}

/* Physics overrides the child's transform; its size still follows the parent. */
static void physics_moves_bones_of_scale_rigidly(void **state)
{
    (void)state;
    mmd_exchange *document = grown_by("", "scale", 3, (const float[6]){2, 2, 2, 2, 2, 2});
    static const double wanted[3][3] = {{4, 5, 0}, {2, 3, 0}, {4, 3, 2}};
    static const mmd_transform quarter = {{0, 0, 0.70710678f, 0.70710678f}, {50, 37.5f, 0, 0}};
    mmd_skinned_vertex found[3];
    player p;
    open_player(&p, document);
    mmd_clip_sample(p.clip, 0, &p.values);
    mmd_pose_evaluate(p.pose, &p.values, NULL);
    mmd_pose_override(p.pose, 1, &quarter, false);
    mmd_pose_finish(p.pose);
    mmd_pose_skin(document->model, p.pose, MMD_SDEF_LINEAR, NULL, found);
    for (int i = 0; i < 3; i++)
        expect_at(wanted[i], found[i].position, "vertex", i);
    close_player(&p);
    mmd_exchange_destroy(document);
}

static void keys_of_one_are_no_scale(void **state)
{
    (void)state;
    mmd_exchange *document =
        grown_by("\"scale\":[2,3,4],", "scale", 3, (const float[6]){2, 3, 4, 2.000001f, 3, 4});
    assert_false(document->model->has_scale);
    player p;
    open_player(&p, document);
    assert_null(p.values.scales);
    play(&p, 0.5);
    assert_null(mmd_pose_affine_palette(p.pose));
    close_player(&p);
    mmd_exchange_destroy(document);
}

/* Nodes that appear: scale 0 at rest and at the first key, visible at the second. */
static void nodes_grow_out_of_nothing(void **state)
{
    (void)state;
    static const char *const rests[] = {"\"scale\":[0,0,0],", "\"scale\":[1e-7,0,-1e-7],"};
    static const double wanted[3][3] = {{4, 0, 0}, {2, 2, 0}, {2, 0, -2}}, none[3] = {0};
    for (int i = 0; i < 2; i++) {
        mmd_exchange *document = grown_by(rests[i], "scale", 3, (const float[6]){0, 0, 0, 2, 2, -2});
        mmd_skinned_vertex found[3];
        player p;
        assert_non_null(made_gltf_loss(document, "animation.scale_at_rest"));
        open_player(&p, document);
        play(&p, 1);
        mmd_pose_skin(document->model, p.pose, MMD_SDEF_LINEAR, NULL, found);
        for (int v = 0; v < 3; v++)
            expect_at(wanted[v], found[v].position, "vertex", v);
        play(&p, 0);
        mmd_pose_skin(document->model, p.pose, MMD_SDEF_LINEAR, NULL, found);
        for (int v = 0; v < 3; v++)
            expect_at(none, found[v].position, "vertex", v);
        close_player(&p);
        mmd_exchange_destroy(document);
    }
}

static void what_scale_cannot_say_is_told(void **state)
{
    (void)state;
    static const float turns[8] = {0, 0, 0, 1, 0, 0, 0.6f, 0.8f}, still[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    const char *uneven = "\"scale\":[2,1,1],";
    mmd_exchange *document = grown_by(uneven, "rotation", 4, turns);
    const mmd_loss *loss = made_gltf_loss(document, "animation.shear");
    assert_non_null(loss);
    assert_int_equal(loss->severity, MMD_LOSS_APPROXIMATED);
    assert_string_equal(loss->path, "animations[0].channels[0]");
    mmd_exchange_destroy(document);
    document = grown_by(uneven, "rotation", 4, still);
    assert_null(made_gltf_loss(document, "animation.shear"));
    mmd_exchange_destroy(document);
    document = grown_by("\"scale\":[2,2,2],", "rotation", 4, turns);
    assert_null(made_gltf_loss(document, "animation.shear"));
    mmd_exchange_destroy(document);
}

static void scales_out_of_all_bounds_are_refused(void **state)
{
    (void)state;
    static const float times[2] = {0, 1};
    static const float keys[18] = {0, 0, 0, 1, 1, 1, 1e30f, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0};
    made_gltf file = {.count = 0};
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    made_gltf_floats(&file, times, 2, "SCALAR");
    made_gltf_floats(&file, keys, 6, "VEC3");
    mmd_buffer glb =
        made_gltf_glb(&file, "\"nodes\":[{\"scale\":[1,1,1]}],\"animations\":[{\"channels\":[{\"sampler\":0,"
                             "\"target\":{\"node\":0,\"path\":\"scale\"}}],\"samplers\":[{\"input\":0,"
                             "\"output\":1,\"interpolation\":\"CUBICSPLINE\"}]}]");
    assert_int_equal(mmd_exchange_read(glb.data, glb.size, NULL, NULL, &document, &error), MMD_ERROR_VALUE);
    assert_string_equal(error.section, "animations[0].samplers[0]");
    assert_null(document);
    mmd_buffer_finish(&glb);
}

/* Reads, poses and skins a damaged file. */
static mmd_status try_scaled(const uint8_t *data, size_t size, const hostile_totals *totals, mmd_error *error)
{
    mmd_exchange *document = NULL;
    mmd_status status = mmd_exchange_read(data, size, NULL, NULL, &document, error);
    if (status != MMD_OK || !hostile_now(size, totals)) {
        mmd_exchange_destroy(document);
        return status;
    }
    player p;
    uint32_t count = document->model->vertices.count;
    mmd_skinned_vertex *found = calloc(count ? count : 1, sizeof *found);
    assert_non_null(found);
    open_player(&p, document);
    play(&p, 1.3);
    mmd_pose_skin(document->model, p.pose, MMD_SDEF_LINEAR, NULL, found);
    close_player(&p);
    free(found);
    mmd_exchange_destroy(document);
    return status;
}

static void scaled_files_survive_damage(void **state)
{
    (void)state;
    hostile_totals totals = {0};
    tree t = {0};
    uint64_t seed = 3;
    grow(&t, &seed);
    mmd_buffer glb = write_tree(&t, true);
    hostile_bytes(glb.data, glb.size, try_scaled, &totals);
    mmd_buffer_finish(&glb);
    hostile_report("glTF with scale", &totals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaled_hierarchies_are_where_the_files_matrices_say),
        cmocka_unit_test(nodes_scaled_by_hand_are_where_a_file_would_have_them),
        cmocka_unit_test(a_parent_that_grows_takes_its_child_along),
        cmocka_unit_test(physics_moves_bones_of_scale_rigidly),
        cmocka_unit_test(keys_of_one_are_no_scale),
        cmocka_unit_test(nodes_grow_out_of_nothing),
        cmocka_unit_test(what_scale_cannot_say_is_told),
        cmocka_unit_test(scales_out_of_all_bounds_are_refused),
        cmocka_unit_test(scaled_files_survive_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
