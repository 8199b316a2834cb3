/* VAC files: the placement of an accessory. */
#include "hostile.h"
#include "support.h"

#define SIX                                                                                                  \
    "\x83\x7d\x83\x43\x83\x4e\r\ntool\\\x95\x5c.x\r\n1.5\r\n0.0,-1.0, "                                      \
    "0.5\r\n90,-180.0,+1e1\r\n\x89\x45\x8e\xe8\r\n"

static mmd_vac *read_ok(const char *text)
{
    mmd_vac *vac = NULL;
    mmd_error error = {0};
    if (mmd_vac_read(text, strlen(text), &vac, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    assert_non_null(vac);
    return vac;
}

static void assert_near(const float values[3], float x, float y, float z)
{
    const float wanted[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        assert_true(fabsf(values[k] - wanted[k]) < 1e-6f);
}

static void check_six(const mmd_vac *vac)
{
    assert_string_equal(vac->name, "マイク");
    assert_string_equal(vac->file, "tool\\表.x");
    assert_true(vac->scale == 1.5f);
    assert_near(vac->position, 0, -1, 0.5f);
    assert_near(vac->rotation, 1.5707963f, -3.1415927f, 0.17453293f);
    assert_string_equal(vac->bone, "右手");
}

static void vac_six_lines_read(void **state)
{
    (void)state;
    mmd_vac *vac = read_ok(SIX);
    check_six(vac);
    mmd_vac_destroy(vac);
    vac = read_ok(SIX "and more\n\n");
    check_six(vac);
    mmd_vac_destroy(vac);
    mmd_vac_destroy(NULL);
}

static void vac_shared_file_reads(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_bytes bytes = shared_read("data/small/test_quad_accessory.vac");
    assert_int_equal(mmd_file_detect(bytes.data, bytes.size), MMD_FILE_VAC);
    mmd_vac *vac = NULL;
    assert_int_equal(mmd_vac_read(bytes.data, bytes.size, &vac, NULL), MMD_OK);
    assert_string_equal(vac->name, "test_quad");
    assert_string_equal(vac->file, "test_quad_accessory.x");
    assert_true(vac->scale == 1.5f);
    assert_near(vac->position, 0, -1, 0.5f);
    assert_near(vac->rotation, 1.5707963f, 0, 0);
    assert_string_equal(vac->bone, "center");
    mmd_vac_destroy(vac);
    mmd_bytes_finish(&bytes);
}

static void vac_missing_and_wrong_lines_take_defaults(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float scale, position[3], rotation_x;
        const char *bone;
    } cases[] = {
        {"\na.x", 1, {0, 0, 0}, 0, ""},
        {"n\n a.x \n", 1, {0, 0, 0}, 0, ""},
        {"n\ra.x\r2\r1,2", 2, {1, 2, 0}, 0, ""},
        {"n\na.x\nx\n1,x,3,4\n,\nb", 1, {1, 0, 3}, 0, "b"},
        {"n\na.x\n0.5 ; half\n 1 , 2 ,3\n180\n\n", 0.5f, {1, 2, 3}, 3.1415927f, ""},
        {"n\na.x\n1e99\n-1e99,1,1\n\n \tc d\t\n", 1, {0, 1, 1}, 0, "c d"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mmd_vac *vac = read_ok(cases[i].text);
        assert_string_equal(vac->file, "a.x");
        assert_true(vac->scale == cases[i].scale);
        assert_near(vac->position, cases[i].position[0], cases[i].position[1], cases[i].position[2]);
        assert_near(vac->rotation, cases[i].rotation_x, 0, 0);
        assert_string_equal(vac->bone, cases[i].bone);
        mmd_vac_destroy(vac);
    }
}

static void vac_without_a_file_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "name", "name\n", "name\n \t\n1\n", "name\n\x81"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mmd_vac *vac = (mmd_vac *)&vac;
        mmd_error error = {0};
        assert_int_equal(mmd_vac_read(texts[i], strlen(texts[i]), &vac, &error), MMD_ERROR_SYNTAX);
        assert_null(vac);
        assert_string_equal(error.section, "file");
        assert_non_null(strstr(error.message, "line 2"));
    }
}

static void vac_is_told_by_its_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        mmd_file_kind kind;
    } cases[] = {
        {SIX, MMD_FILE_VAC},
        {"\na.X", MMD_FILE_VAC},
        {"a\r\nb.x \t\r\n .5\r\n", MMD_FILE_VAC},
        {"a\rb.x\r\r", MMD_FILE_VAC},
        {"a\n.x\n1", MMD_FILE_UNKNOWN},
        {"a\nb.x\nc", MMD_FILE_UNKNOWN},
        {"a\nb.vmd\n1", MMD_FILE_UNKNOWN},
        {"a", MMD_FILE_UNKNOWN},
        {"a\n", MMD_FILE_UNKNOWN},
        {"xof 0303txt 0032\na.x\n1", MMD_FILE_X},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(mmd_file_detect(cases[i].text, strlen(cases[i].text)), cases[i].kind);
    assert_int_equal(mmd_file_detect("a\nb.x\n1\n\0", 9), MMD_FILE_UNKNOWN);
}

static mmd_status try_vac(const uint8_t *data, size_t size, const hostile_totals *totals, mmd_error *error)
{
    (void)totals;
    mmd_vac *vac = NULL;
    mmd_file_detect(data, size);
    mmd_status status = mmd_vac_read(data, size, &vac, error);
    assert_int_equal(status == MMD_OK, vac != NULL);
    if (vac) {
        assert_true(vac->file[0] && isfinite(vac->scale) && vac->arena.used <= 8 * size + 65536);
        for (int k = 0; k < 3; k++)
            assert_true(isfinite(vac->position[k]) && isfinite(vac->rotation[k]));
    }
    mmd_vac_destroy(vac);
    return status;
}

static void vac_survives_damage(void **state)
{
    (void)state;
    hostile_totals totals = {0};
    hostile_bytes((const uint8_t *)SIX, strlen(SIX), try_vac, &totals);
    hostile_report("VAC", &totals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vac_six_lines_read),
        cmocka_unit_test(vac_shared_file_reads),
        cmocka_unit_test(vac_missing_and_wrong_lines_take_defaults),
        cmocka_unit_test(vac_without_a_file_is_refused),
        cmocka_unit_test(vac_is_told_by_its_lines),
        cmocka_unit_test(vac_survives_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
