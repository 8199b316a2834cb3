/* Tests parsing of numbers, writing of JSON, and the figure that tests use. */
#include "support.h"

#include <jansson.h>
#include <math.h>

#include "figure.h"
#include "base/emit.h"
#include "mmd/format.h"
#include "base/parse.h"

static void parse_real_takes_whole_decimal_numbers_only(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {{"0", 0}, {"-1.5", -1.5}, {"+.5", 0.5}, {"5.", 5}, {"1e3", 1000}, {"1E-2", 0.01}, {"007", 7}};
    static const char *const bad[] = {"",    " ",   "1 ",  " 1",   ".",   "e5",   "1e", "1e+",   "0x10",
                                      "inf", "nan", "1,5", "1..2", "--1", "1e5.", "1f", "1e400", "infinity"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = NAN;
        assert_true(parse_real(good[i].text, &value));
        assert_true(value == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = 42;
        if (parse_real(bad[i], &value))
            fail_msg("\"%s\" was taken as %g", bad[i], value);
        assert_true(value == 42);
    }
}

static void parse_frames_includes_both_ends_of_a_range(void **state)
{
    (void)state;
    double *frames = NULL;
    size_t count = 0;
    frames_problem wrong;
    assert_true(parse_frames("7,0:1:0.1,3", &frames, &count, &wrong));
    assert_int_equal(count, 13);
    assert_true(frames[0] == 7 && frames[1] == 0 && frames[12] == 3);
    assert_true(fabs(frames[11] - 1.0) < 1e-12);
    assert_true(parse_frames("0:999999", &frames, &count, &wrong));
    assert_int_equal(count, 1000000);
    assert_false(parse_frames("0:999999,1", &frames, &count, &wrong));
    assert_int_equal(count, 1000000);
    mmd_free(frames);
}

static void parse_frames_names_the_part_that_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part, *why;
    } bad[] = {
        {"1,", "", "is not a number"},
        {"7,x,8", "x", "is not a number"},
        {"7,0:x:2", "x", "is not a number"},
        {"3,5:1,9", "5:1", "ends before it begins"},
        {"3,0:10:0", "0:10:0", "has a step that is not greater than 0"},
        {"0:1:2:3,4", "0:1:2:3", "has more than three numbers (first:last:step)"},
        {"0,-1", "-1", "is below 0"},
        {"1,0:99999999", "0:99999999", "is more than a million frames"},
        {"4294967296", "4294967296", "is greater than the last frame that a motion can have, 4294967295"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double *frames = NULL;
        size_t count = 0;
        frames_problem wrong = {0};
        assert_false(parse_frames(bad[i].text, &frames, &count, &wrong));
        assert_int_equal(wrong.length, strlen(bad[i].part));
        assert_memory_equal(wrong.part, bad[i].part, wrong.length);
        assert_true(wrong.part >= bad[i].text && wrong.part <= bad[i].text + strlen(bad[i].text));
        assert_string_equal(wrong.why, bad[i].why);
        assert_null(frames);
    }
}

static void parse_color_reads_bytes(void **state)
{
    (void)state;
    float rgb[3];
    assert_true(parse_color("FF8000", rgb));
    assert_true(rgb[0] == 1.0f && rgb[1] == 128.0f / 255.0f && rgb[2] == 0.0f);
    assert_true(parse_color("a0b0c0", rgb));
    assert_false(parse_color("#a0b0c", rgb));
    assert_false(parse_color("a0b0c00", rgb));
}

static void parse_whole_knows_its_limits(void **state)
{
    (void)state;
    uint64_t value = 1;
    assert_true(parse_whole("18446744073709551615", 0, UINT64_MAX, &value));
    assert_true(value == UINT64_MAX);
    assert_false(parse_whole("18446744073709551616", 0, UINT64_MAX, &value));
    assert_false(parse_whole("+1", 0, 9, &value));
    assert_false(parse_whole("", 0, 9, &value));
    assert_false(parse_whole("10", 0, 9, &value));
}

static json_t *written(void (*write)(emitter *j))
{
    char *text = NULL;
    size_t size = 0;
    emitter j = {.out = open_memstream(&text, &size)};
    json_error_t error;
    assert_non_null(j.out);
    write(&j);
    fclose(j.out);
    json_t *root = json_loadb(text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!root)
        fail_msg("%s: %s", error.text, text);
    free(text);
    return root;
}

static void write_oddities(emitter *j)
{
    const float values[4] = {NAN, INFINITY, -INFINITY, 0.1f};
    emit_open(j, '{');
    emit_member_floats(j, "values", values, 4);
    emit_member_text(j, "controls", "a\"\\\n\t\x01\x7f/");
    emit_member_text(j, "broken", "\xff\xed\xa0\x80\xc0\x80z");
    emit_member_text(j, "\"key\"", "");
    emit_key(j, "nested");
    emit_open(j, '[');
    emit_open(j, '{');
    emit_close(j, '}');
    emit_open(j, '[');
    emit_close(j, ']');
    emit_null(j);
    emit_bool(j, true);
    emit_whole(j, INT64_MIN);
    emit_close(j, ']');
    emit_close(j, '}');
}

static void json_is_valid_whatever_is_written(void **state)
{
    (void)state;
    json_t *root = written(write_oddities), *values = json_object_get(root, "values");
    for (size_t i = 0; i < 3; i++)
        assert_true(json_is_null(json_array_get(values, i)));
    assert_true((float)json_number_value(json_array_get(values, 3)) == 0.1f);
    assert_string_equal(json_string_value(json_object_get(root, "controls")), "a\"\\\n\t\x01\x7f/");
    assert_non_null(strstr(json_string_value(json_object_get(root, "broken")), "\xef\xbf\xbd"));
    assert_int_equal(json_array_size(json_object_get(root, "nested")), 5);
    assert_non_null(json_object_get(root, "\"key\""));
    json_decref(root);
}

/* Tests over random bit patterns that nine digits reproduce every float. */
static uint64_t seed = 1;
static float written_float;
static void write_float(emitter *j)
{
    emit_real(j, (double)written_float);
}

static void json_numbers_give_the_same_float_back(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        uint32_t bits = (uint32_t)test_random(&seed);
        memcpy(&written_float, &bits, sizeof bits);
        if (!isfinite(written_float))
            continue;
        json_t *root = written(write_float);
        assert_true((float)json_number_value(root) == written_float);
        json_decref(root);
    }
}

static mmd_model *made_figure(void)
{
    mmd_buffer pmx = {0};
    mmd_model *model = NULL;
    assert_true(figure_make_model(&pmx));
    assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    mmd_buffer_finish(&pmx);
    return model;
}

static void figure_is_the_same_every_time(void **state)
{
    (void)state;
    mmd_buffer a = {0}, b = {0};
    assert_true(figure_make_model(&a) && figure_make_model(&b));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    mmd_buffer_finish(&a);
    mmd_buffer_finish(&b);
    assert_true(figure_make_dance(&a) && figure_make_dance(&b));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    mmd_buffer_finish(&a);
    mmd_buffer_finish(&b);
}

static void figure_has_sound_vertices(void **state)
{
    (void)state;
    mmd_model *m = made_figure();
    assert_int_equal(m->broken_reference_count, 0);
    assert_in_range(m->vertices.count, 1000, 20000);
    for (uint32_t i = 0; i < m->vertices.count; i++) {
        const float *p = m->vertices.position[i], *n = m->vertices.normal[i];
        float sum = 0;
        for (int k = 0; k < 4; k++)
            sum += m->vertices.weight[i][k];
        assert_true(fabsf(p[0]) < 7 && p[1] > -0.5f && p[1] < 22 && fabsf(p[2]) < 5);
        assert_true(fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-3f);
        assert_true(fabsf(sum - 1) < 1e-4f);
    }
    mmd_model_destroy(m);
}

/* The materials with an edge are closed: every edge of a triangle has one in the opposite direction. */
typedef struct half_edge {
    uint32_t from, to;
} half_edge;

static int compare_edges(const void *a, const void *b)
{
    const half_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static void figure_has_no_open_edges_in_its_body(void **state)
{
    (void)state;
    mmd_model *m = made_figure();
    for (uint32_t i = 0; i < m->material_count; i++) {
        const mmd_material *material = &m->materials[i];
        if (!(material->flags & MMD_MATERIAL_EDGE))
            continue;
        half_edge *edges = mmd_alloc(material->index_count * sizeof *edges);
        const uint32_t *index = m->indices + material->first_index;
        for (uint32_t k = 0; k < material->index_count; k++)
            edges[k] = (half_edge){index[k], index[k % 3 == 2 ? k - 2 : k + 1]};
        qsort(edges, material->index_count, sizeof *edges, compare_edges);
        uint32_t open = 0;
        for (uint32_t k = 0; k < material->index_count; k++) {
            half_edge back = {edges[k].to, edges[k].from};
            open += !bsearch(&back, edges, material->index_count, sizeof *edges, compare_edges);
        }
        if (open)
            fail_msg("%s has %u open edges", material->name_en, open);
        mmd_free(edges);
    }
    mmd_model_destroy(m);
}

static void figure_dances_in_a_loop(void **state)
{
    (void)state;
    mmd_buffer vmd = {0};
    mmd_motion *motion = NULL;
    assert_true(figure_make_dance(&vmd));
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, NULL), MMD_OK);
    mmd_buffer_finish(&vmd);
    assert_int_equal(motion->last_frame, 240);
    assert_int_equal(motion->bone_track_count, 22);
    for (uint32_t i = 0; i < motion->bone_track_count; i++) {
        const mmd_bone_track *track = &motion->bone_tracks[i];
        const mmd_bone_key *first = &track->keys[0], *last = &track->keys[track->count - 1];
        float dot = 0;
        for (int k = 0; k < 4; k++)
            dot += first->rotation[k] * last->rotation[k];
        assert_true(fabsf(dot) > 0.9999f);
        for (int k = 0; k < 3; k++)
            assert_true(fabsf(first->translation[k] - last->translation[k]) < 0.01f);
    }
    mmd_motion_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parse_real_takes_whole_decimal_numbers_only),
        cmocka_unit_test(parse_frames_includes_both_ends_of_a_range),
        cmocka_unit_test(parse_frames_names_the_part_that_is_wrong),
        cmocka_unit_test(parse_color_reads_bytes),
        cmocka_unit_test(parse_whole_knows_its_limits),
        cmocka_unit_test(json_is_valid_whatever_is_written),
        cmocka_unit_test(json_numbers_give_the_same_float_back),
        cmocka_unit_test(figure_is_the_same_every_time),
        cmocka_unit_test(figure_has_sound_vertices),
        cmocka_unit_test(figure_has_no_open_edges_in_its_body),
        cmocka_unit_test(figure_dances_in_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
