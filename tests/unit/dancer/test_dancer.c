/* Tests the bundled dancer's models: valid, closed, with standard names, and generated reproducibly. */
#include "support.h"

#include <sys/wait.h>

#include "dancer.h"
#include "dancer21.h"
#include "mmd/format.h"
#include "mmd/text.h"
#include "paint/textures.h"
#include "shells.h"

static void make_pmx(mmd_buffer *pmx)
{
    dancer d;
    mmd_model model;
    mmd_error error;
    dancer_make(&d);
    dancer_model(&d, &model);
    assert_int_equal(mmd_pmx_write(&model, pmx, &error), MMD_OK);
    dancer_finish(&d);
}

static mmd_model *read_pmx(mmd_buffer *pmx)
{
    mmd_model *model;
    mmd_error error;
    if (mmd_pmx_read(pmx->data, pmx->size, &model, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    return model;
}

/* Generates one dancer for all tests. */
static int make(void **state)
{
    mmd_buffer pmx = {0};
    make_pmx(&pmx);
    *state = read_pmx(&pmx);
    mmd_buffer_finish(&pmx);
    return 0;
}

static int destroy(void **state)
{
    mmd_model_destroy(*state);
    return 0;
}

static void dancer_is_the_same_every_time(void **state)
{
    mmd_buffer a = {0}, b = {0};
    (void)state;
    make_pmx(&a);
    make_pmx(&b);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    mmd_buffer_finish(&a);
    mmd_buffer_finish(&b);
}

static void dancer_reads_back_without_a_complaint(void **state)
{
    const mmd_model *m = *state;
    assert_int_equal(m->broken_reference_count, 0);
    assert_true(m->version == 2.0f);
    assert_true(m->vertices.count >= 8000 && m->vertices.count < 60000);
    assert_int_equal(m->soft_body_count, 0);
}

static void surfaces_are_closed(void **state)
{
    shells s;
    shells_find(*state, &s);
    print_message("%u surfaces\n", s.count);
    assert_int_equal(s.open_edges, 0);
    assert_int_equal(s.crowded_edges, 0);
    assert_true(s.count < SHELLS_MAX);
    shells_finish(&s);
}

static double dot(const float a[3], const float b[3])
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

static void face_normal(const mmd_model *m, const uint32_t corner[3], float normal[3])
{
    const float *a = m->vertices.position[corner[0]], *b = m->vertices.position[corner[1]],
                *c = m->vertices.position[corner[2]];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
    }
}

static uint32_t faces_against_normals(const mmd_model *m, const mmd_material *material)
{
    uint32_t against = 0, end = material->first_index + material->index_count;
    for (uint32_t i = material->first_index; i < end; i += 3) {
        float n[3];
        double sum = 0;
        face_normal(m, m->indices + i, n);
        for (int k = 0; k < 3; k++)
            sum += dot(n, m->vertices.normal[m->indices[i + (uint32_t)k]]);
        against += sum < 0;
    }
    return against;
}

/* Normals have unit length, and few faces point away from the normals of their corners. Only materials with
 * an outline are tested, because lashes, lids and the like have the normals of the face behind them. */
static void normals_point_outward(void **state)
{
    const mmd_model *m = *state;
    uint32_t against = 0;
    for (uint32_t i = 0; i < m->vertices.count; i++)
        assert_true(fabs(dot(m->vertices.normal[i], m->vertices.normal[i]) - 1) < 1e-3);
    for (uint32_t i = 0; i < m->material_count; i++)
        if (m->materials[i].flags & MMD_MATERIAL_EDGE)
            against += faces_against_normals(m, &m->materials[i]);
    print_message("%u of %u faces turn away from their normals\n", against, m->index_count / 3);
    assert_true(against < m->index_count / 3 / 200);
}

static void no_face_is_a_line(void **state)
{
    const mmd_model *m = *state;
    for (uint32_t i = 0; i < m->index_count; i += 3) {
        float n[3];
        face_normal(m, m->indices + i, n);
        assert_true(dot(n, n) > 1e-16);
    }
}

static void weights_are_sound(void **state)
{
    const mmd_model *m = *state;
    for (uint32_t i = 0; i < m->vertices.count; i++) {
        float sum = 0;
        for (int k = 0; k < 4; k++) {
            float w = m->vertices.weight[i][k];
            assert_true(w >= 0 && w <= 1);
            assert_true(w == 0 || m->vertices.bone[i][k] >= 0);
            sum += w;
        }
        assert_true(fabsf(sum - 1) < 1e-5f);
        for (int k = 0; k < 2; k++) {
            assert_true(isfinite(m->vertices.uv[i][k]));
            assert_true(fabsf(m->vertices.uv[i][k]) <= 64);
        }
    }
}

/* Bones that a dance for a semi-standard model may use. */
static void standard_bones_are_there(void **state)
{
    static const char *const names[] = {
        "全ての親", "センター", "グルーブ", "腰", "上半身", "上半身2", "首", "頭", "両目", "下半身",
    };
    static const char *const pairs[] = {
        "目",     "肩P",    "肩",     "腕",     "腕捩",       "ひじ",   "手捩",   "手首",   "ダミー",
        "握り",   "親指０", "親指１", "親指２", "人指１",     "人指２", "人指３", "中指１", "中指２",
        "中指３", "薬指１", "薬指２", "薬指３", "小指１",     "小指２", "小指３", "足",     "ひざ",
        "足首",   "つま先", "足IK親", "足ＩＫ", "つま先ＩＫ", "足D",    "ひざD",  "足首D",  "足先EX",
    };
    const mmd_model *m = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mmd_model_find_bone(m, names[i]) < 0)
            fail_msg("no %s", names[i]);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int side = 0; side < 2; side++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", side ? "右" : "左", pairs[i]);
            if (mmd_model_find_bone(m, name) < 0)
                fail_msg("no %s", name);
        }
}

static void standard_morphs_are_there(void **state)
{
    static const char *const names[] = {
        "まばたき", "笑い",   "ウィンク", "なごみ", "びっくり", "じと目", "あ", "い", "う",   "え",
        "お",       "にやり", "真面目",   "困る",   "にこり",   "怒り",   "上", "下", "照れ", "にっこり"};
    const mmd_model *m = *state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int32_t morph = mmd_model_find_morph(m, names[i]);
        if (morph < 0)
            fail_msg("no %s", names[i]);
        if (m->morphs[morph].count == 0)
            fail_msg("%s does nothing", names[i]);
    }
}

/* Names differ within the 15 bytes that a VMD stores, and none is cut. */
static void names_fit_into_motions(void **state)
{
    const mmd_model *m = *state;
    for (uint32_t i = 0; i < m->bone_count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (memcmp(m->bone_key[i], m->bone_key[j], 15) == 0)
                fail_msg("%s and %s are one in a VMD", m->bones[i].name, m->bones[j].name);
    for (uint32_t i = 0; i < m->morph_count; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_memory_not_equal(m->morph_key[i], m->morph_key[j], 15);
}

static void left_and_right_mirror_each_other(void **state)
{
    const mmd_model *m = *state;
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < m->bone_count; i++) {
        char name[64];
        if (strncmp(m->bones[i].name, "左", strlen("左")) != 0)
            continue;
        snprintf(name, sizeof name, "右%s", m->bones[i].name + strlen("左"));
        int32_t other = mmd_model_find_bone(m, name);
        if (other < 0)
            fail_msg("no %s", name);
        const float *a = m->bones[i].position, *b = m->bones[other].position;
        if (a[0] != -b[0] || a[1] != b[1] || a[2] != b[2])
            fail_msg("%s is no mirror image of %s", name, m->bones[i].name);
        pairs++;
    }
    assert_true(pairs > 40);
}

static uint32_t count_deform(const mmd_model *m, mmd_deform deform, const char *bone)
{
    int32_t index = mmd_model_find_bone(m, bone);
    uint32_t count = 0;
    assert_true(index >= 0);
    for (uint32_t i = 0; i < m->vertices.count; i++)
        for (int k = 0; k < 4; k++)
            count += m->vertices.deform[i] == deform && m->vertices.weight[i][k] > 0 &&
                     m->vertices.bone[i][k] == index;
    return count;
}

static void elbows_and_knees_bend_by_sdef(void **state)
{
    static const char *const bones[] = {"左ひじ", "右ひじ", "左ひざD", "右ひざD"};
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++)
        assert_true(count_deform(*state, MMD_DEFORM_SDEF, bones[i]) >= 48);
}

/* No morph moves an additional UV, because three.js's reader (mmd-parser on npm) fails on those. */
static void it_has_a_morph_of_every_kind_that_every_reader_knows(void **state)
{
    static const uint8_t kinds[] = {MMD_MORPH_GROUP, MMD_MORPH_VERTEX, MMD_MORPH_BONE, MMD_MORPH_UV,
                                    MMD_MORPH_MATERIAL};
    const mmd_model *m = *state;
    for (uint32_t i = 0; i < m->morph_count; i++)
        if (!memchr(kinds, m->morphs[i].kind, sizeof kinds))
            fail_msg("the morph %s is of kind %d", m->morphs[i].name, m->morphs[i].kind);
    for (size_t k = 0; k < sizeof kinds; k++) {
        uint32_t offsets = 0;
        for (uint32_t i = 0; i < m->morph_count; i++)
            offsets += m->morphs[i].kind == kinds[k] ? m->morphs[i].count : 0;
        if (offsets == 0)
            fail_msg("no morph of kind %d does anything", kinds[k]);
    }
}

static void textures_are_painted_and_used(void **state)
{
    const mmd_model *m = *state;
    bool used[128] = {false};
    assert_true(texture_count <= 128);
    for (uint32_t i = 0; i < m->texture_count; i++) {
        size_t t = 0;
        while (t < texture_count && strcmp(texture_table[t].name, m->textures[i]) != 0)
            t++;
        if (t == texture_count)
            fail_msg("nobody paints %s", m->textures[i]);
        used[t] = true;
    }
    for (size_t t = 0; t < texture_count; t++)
        if (!used[t])
            fail_msg("no material uses %s", texture_table[t].name);
    for (uint32_t i = 0; i < m->material_count; i++)
        if (m->materials[i].index_count == 0)
            fail_msg("the material %s has no faces", m->materials[i].name);
}

/* Returns whether a chain of joints leads from the body to one that follows its bone. */
static bool hangs_on_something(const mmd_model *m, uint32_t body)
{
    bool reached[1024] = {false};
    assert_true(m->body_count <= 1024);
    reached[body] = true;
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t j = 0; j < m->joint_count; j++) {
            int32_t a = m->joints[j].body_a, b = m->joints[j].body_b;
            grew |= reached[a] != reached[b];
            reached[a] = reached[b] = reached[a] || reached[b];
        }
    }
    for (uint32_t i = 0; i < m->body_count; i++)
        if (reached[i] && m->bodies[i].mode == 0)
            return true;
    return false;
}

static void bodies_hang_together(void **state)
{
    const mmd_model *m = *state;
    assert_true(m->body_count >= 30 && m->joint_count >= 20);
    for (uint32_t j = 0; j < m->joint_count; j++)
        assert_true(m->joints[j].body_a >= 0 && m->joints[j].body_b >= 0 &&
                    m->joints[j].body_a != m->joints[j].body_b);
    for (uint32_t i = 0; i < m->body_count; i++) {
        const mmd_rigid_body *b = &m->bodies[i];
        assert_true(b->bone >= 0 && b->shape <= 2 && b->mode <= 2 && b->group < 16);
        assert_true(b->size[0] > 0 && (b->shape == 0 || b->size[1] > 0));
        assert_true(b->mode == 0 || b->mass > 0);
        if (b->mode != 0 && !hangs_on_something(m, i))
            fail_msg("%s falls", b->name);
    }
}

/* Generates and reads the second model: the same dancer with the features of PMX 2.1. */
static mmd_model *read_second(void)
{
    dancer d;
    mmd_model model, *result;
    mmd_buffer pmx = {0};
    mmd_error error;
    dancer_make(&d);
    dancer_model(&d, &model);
    dancer21_model(&d, &model);
    assert_int_equal(mmd_pmx_write(&model, &pmx, &error), MMD_OK);
    dancer_finish(&d);
    result = read_pmx(&pmx);
    mmd_buffer_finish(&pmx);
    return result;
}

static void second_has_all_that_2_1_adds(void **state)
{
    mmd_model *m = read_second();
    uint32_t kinds[MMD_MORPH_IMPULSE + 1] = {0}, joints[6] = {0}, flags = 0;
    (void)state;
    assert_true(m->version > 2.0f);
    assert_int_equal(m->broken_reference_count, 0);
    assert_true(count_deform(m, MMD_DEFORM_QDEF, "左手捩2") > 100);
    assert_true(count_deform(m, MMD_DEFORM_QDEF, "右手捩2") > 100);
    assert_int_equal(m->vertices.additional_uv_count, 4);
    for (uint32_t i = 0; i < m->morph_count; i++)
        kinds[m->morphs[i].kind] += m->morphs[i].count;
    for (int kind = 0; kind <= MMD_MORPH_IMPULSE; kind++)
        if (kinds[kind] == 0)
            fail_msg("no morph of kind %d", kind);
    for (uint32_t i = 0; i < m->joint_count; i++)
        joints[m->joints[i].kind]++;
    for (int kind = 0; kind < 6; kind++)
        if (joints[kind] == 0)
            fail_msg("no joint of kind %d", kind);
    for (uint32_t i = 0; i < m->material_count; i++)
        flags |= m->materials[i].flags;
    assert_true((flags & MMD_MATERIAL_VERTEX_COLOR) && (flags & MMD_MATERIAL_POINTS) &&
                (flags & MMD_MATERIAL_LINES));
    assert_true(m->soft_body_count > 0 && m->soft_bodies[0].anchor_count > 0 &&
                m->soft_bodies[0].pin_count > 0);
    mmd_model_destroy(m);
}

static void second_moves_like_the_first(void **state)
{
    const mmd_model *first = *state;
    mmd_model *second = read_second();
    assert_true(second->bone_count >= first->bone_count);
    for (uint32_t i = 0; i < first->bone_count; i++)
        assert_string_equal(first->bones[i].name, second->bones[i].name);
    for (uint32_t i = 0; i < first->morph_count; i++)
        assert_string_equal(first->morphs[i].name, second->morphs[i].name);
    mmd_model_destroy(second);
}

/* Runs the generator; returns its exit code, and its output in said. */
static int run_generator(const char *arguments, char *said, size_t size)
{
    char command[1024];
    snprintf(command, sizeof command, "%s/odori_dancer %s 2>&1", ODORI_BINARY, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(said, 1, size - 1, pipe);
    said[length] = 0;
    return WEXITSTATUS(pclose(pipe));
}

static void generator_says_what_is_wrong(void **state)
{
    char said[512];
    (void)state;
    assert_int_equal(run_generator("", said, sizeof said), 2);
    assert_non_null(strstr(said, "usage"));
    assert_int_equal(run_generator("--help", said, sizeof said), 2);
    assert_int_equal(run_generator("/dev/null/dancer", said, sizeof said), 1);
    assert_non_null(strstr(said, "/dev/null/dancer: "));
    assert_int_equal(run_generator("/dev/null", said, sizeof said), 1);
    assert_non_null(strstr(said, "/dev/null/dancer.pmx: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dancer_is_the_same_every_time),
        cmocka_unit_test(dancer_reads_back_without_a_complaint),
        cmocka_unit_test(surfaces_are_closed),
        cmocka_unit_test(normals_point_outward),
        cmocka_unit_test(no_face_is_a_line),
        cmocka_unit_test(weights_are_sound),
        cmocka_unit_test(standard_bones_are_there),
        cmocka_unit_test(standard_morphs_are_there),
        cmocka_unit_test(names_fit_into_motions),
        cmocka_unit_test(left_and_right_mirror_each_other),
        cmocka_unit_test(elbows_and_knees_bend_by_sdef),
        cmocka_unit_test(it_has_a_morph_of_every_kind_that_every_reader_knows),
        cmocka_unit_test(textures_are_painted_and_used),
        cmocka_unit_test(bodies_hang_together),
        cmocka_unit_test(second_has_all_that_2_1_adds),
        cmocka_unit_test(second_moves_like_the_first),
        cmocka_unit_test(generator_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, make, destroy);
}
