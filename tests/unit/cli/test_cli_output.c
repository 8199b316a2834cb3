/* Files that the program writes: whole or not at all, whatever ends it. */
#include "cli.h"

#define DUMP ODORI_BINARY "/odori dump odori.pmx --motion odori.vmd --what bones --frames "

/* Killed in the middle it leaves nothing, since the file has no name yet: on file systems that have such
 * files. */
static void killed_it_leaves_nothing(void **state)
{
    (void)state;
    cli_shell("case $(stat -f -c %T .) in ext2/ext3|xfs|btrfs|tmpfs) ;; *) exit 0 ;; esac; " DUMP
              "0:900000 -o early.json & sleep 0.5; kill -9 $! || exit 1; wait; ! ls | grep early");
}

/* What is there is replaced only by what is whole; a link stays a link. */
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
