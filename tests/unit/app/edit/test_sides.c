/* Tests edits of a whole matrix that are mirrored (names of the sides: tests/unit/edit/test_by_hand.c). */
#include "cli.h"

#include <math.h>

/* Runs commands and returns the local matrices of both arms. */
static void arms(const char *commands, double m[2][16])
{
    char lines[1024];
    snprintf(lines, sizeof lines,
             "%sedit.clear\nedit.select /models/#0/bones/右腕\nedit.tell\n"
             "edit.select /models/#0/bones/左腕\nedit.tell\n",
             commands);
    cli_write_text("edit.txt", lines);
    cli_result r = cli_run("dump odori.pmx --physics off --frames 0 --exec edit.txt");
    assert_int_equal(r.code, 0);
    const char *at = r.out;
    for (int k = 0; k < 2; k++) {
        json_error_t error;
        json_t *root = json_loads(at, JSON_DISABLE_EOF_CHECK, &error);
        assert_non_null(root);
        at = strchr(at, '\n') + 1;
        for (size_t i = 0; i < 16; i++)
            m[k][i] = json_number_value(json_array_get(json_object_get(root, "local"), i));
        json_decref(root);
    }
    cli_finish(&r);
}

#define MATRIX "edit.matrix 0 1 0 0 -1 0 0 0 0 0 1 0 -1.5 3 -0.25 1\n"
#define RIGHT  "edit.select /models/#0/bones/右腕\n"

static void a_matrix_is_mirrored(void **state)
{
    (void)state;
    double rest[2][16], m[2][16], back[2][16], again[2][16];
    arms("", rest);
    arms("edit.mirror on\n" RIGHT MATRIX, m);
    static const double wanted[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, -1.5, 3, -0.25, 1};
    for (int k = 0; k < 12; k++) {
        assert_true(fabs(m[0][k] - wanted[k]) < 1e-5);
        assert_true(fabs(m[1][k] - ((k % 4 == 0) != (k / 4 == 0) ? -wanted[k] : wanted[k])) < 1e-5);
    }
    for (int k = 12; k < 15; k++) {
        double way = m[0][k] - rest[0][k], other = m[1][k] - rest[1][k];
        assert_true(fabs(way) > 0.01 && fabs(k == 12 ? way + other : way - other) < 1e-5);
    }
    arms("edit.mirror on\n" RIGHT MATRIX "undo\n", back);
    assert_memory_equal(back, rest, sizeof rest);
    arms("edit.mirror on\n" RIGHT "edit.add /models/#0/bones/左腕\n" MATRIX, again);
    for (int k = 0; k < 16; k++) /* both are selected, so neither is mirrored */
        assert_true(fabs(again[0][k] - wanted[k]) < 1e-5 && fabs(again[1][k] - wanted[k]) < 1e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_is_mirrored),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
