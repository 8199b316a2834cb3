/* Tests the reasons for refused edits: their codes and their text in both languages. */
#include "support.h"

#include "edit/refusals.h"

#define CLAUSE(name, clause) clause,
static const char *const clauses[MMD_REFUSAL_COUNT] = {MMD_REFUSALS(CLAUSE)};
#undef CLAUSE

static void every_refusal_is_said_in_japanese_with_the_same_names(void **state)
{
    (void)state;
    for (int code = MMD_REFUSAL_OWN + 1; code < MMD_REFUSAL_COUNT; code++) {
        const char *other = refusal_in_japanese((mmd_refusal)code);
        assert_true(*clauses[code] != '\0');
        if (!other)
            fail_msg("no Japanese for: %s", clauses[code]);
        assert_int_equal(strstr(clauses[code], "{1}") != NULL, strstr(other, "{1}") != NULL);
        assert_int_equal(strstr(clauses[code], "{2}") != NULL, strstr(other, "{2}") != NULL);
        assert_int_equal(strstr(clauses[code], "{item}") != NULL, strstr(other, "{item}") != NULL);
    }
    assert_null(refusal_in_japanese(MMD_REFUSAL_NONE));
    assert_null(refusal_in_japanese(MMD_REFUSAL_OWN));
}

static void a_refusal_has_a_code_and_names(void **state)
{
    (void)state;
    char text[256], small[12];
    mmd_edit *edit = mmd_edit_create(NULL, NULL);
    assert_int_equal(mmd_edit_refusal_code(edit), MMD_REFUSAL_NONE);
    mmd_edit_refuse_as(edit, MMD_REFUSAL_IK, "右足ＩＫ", "右足");
    assert_string_equal(mmd_edit_refusal(edit), "it is moved by IK; move 右足ＩＫ instead");
    assert_int_equal(mmd_edit_refusal_code(edit), MMD_REFUSAL_IK);
    mmd_edit_refusal_in(edit, "{2}, {1}; {3}", NULL, text, sizeof text);
    assert_string_equal(text, "右足, 右足ＩＫ; {3}");
    mmd_edit_refusal_in(edit, "{1}", NULL, small, sizeof small);
    assert_string_equal(small, "右足Ｉ"); /* no half letter */
    mmd_edit_refuse(edit, "the %s says no", "studio");
    assert_int_equal(mmd_edit_refusal_code(edit), MMD_REFUSAL_OWN);
    assert_string_equal(mmd_edit_refusal(edit), "the studio says no");
    assert_null(mmd_edit_transform3d(edit, (mmd_item){.kind = MMD_ITEM_CAMERA}));
    assert_int_equal(mmd_edit_refusal_code(edit), MMD_REFUSAL_NO_ITEM);
    mmd_edit_refuse_item(edit, MMD_REFUSAL_READ_ONLY, (mmd_item){.kind = MMD_ITEM_CAMERA}, NULL, NULL);
    assert_string_equal(mmd_edit_refusal(edit), "it is read-only"); /* there is no stage, and so no camera */
    mmd_edit_destroy(edit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_refusal_is_said_in_japanese_with_the_same_names),
        cmocka_unit_test(a_refusal_has_a_code_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
