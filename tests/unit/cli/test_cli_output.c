/* Tests that output files are complete or absent, whatever ends the program. */
#include "cli.h"

#define DUMP ODORI_BINARY "/odori dump odori.pmx --motion odori.vmd --what bones --frames "

/* Killed in the middle, the program leaves no file, because the file has no name yet. Only some file systems
 * support that. */
static void killed_it_leaves_nothing(void **state)
{
    (void)state;
    cli_shell("case $(stat -f -c %T .) in ext2/ext3|xfs|btrfs|tmpfs) ;; *) exit 0 ;; esac; " DUMP
              "0:900000 -o early.json & sleep 0.5; kill -9 $! || exit 1; wait; ! ls | grep early");
}

/* An existing file is replaced only by a complete one, and a link stays a link. */
static void whole_it_replaces(void **state)
{
    (void)state;
    cli_shell("echo before > there.json; ln -sf there.json link.json");
    cli_shell(DUMP
              "0:900000 -o there.json & sleep 0.5; kill -9 $! || exit 1; wait; grep -q before there.json");
    cli_shell(DUMP "0:2 -o link.json; test -h link.json && grep -q frames there.json");
    cli_shell(DUMP "0:2 -o fresh.json; cmp fresh.json there.json && ! ls | grep fresh.json.part");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_it_leaves_nothing),
        cmocka_unit_test(whole_it_replaces),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
