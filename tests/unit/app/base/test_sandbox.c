/* Tests what a process can and cannot do in the sandbox. Each test enters it in a child, because nothing
 * leads out again. What the kernel does not offer is skipped with the reason. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox.h"

/* Exit codes of children. */
enum { PASSED = 0, FAILED = 1, NO_LANDLOCK = 2, NO_SECCOMP = 3 };

static char root[] = "/tmp/odori-sandbox-XXXXXX";

static void write_file(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("text\n", file);
    fclose(file);
}

static void shell(const char *command)
{
    assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(root));
    assert_int_equal(chdir(root), 0);
    shell("mkdir -p top/model/tex top/beside secret out home/.ssh home/dances a/b/c a/d");
    static const char *const files[] = {
        "top/model/m.pmx", "top/model/tex/t.png", "top/beside/t.png", "secret/planted", "home/.ssh/id_rsa",
        "home/m.pmx",      "home/dances/d.vmd",   "out/old.png",      "a/above.txt",    "a/b/c/p.pmm",
        "a/b/seen.txt",    "a/b/.hidden",         "a/d/m.pmx"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        write_file(files[i]);
    shell("ln -s ../../secret/planted top/model/link.png");
    setenv("HOME", "home", 1);
    return 0;
}

static int tear_down(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "cd / && rm -rf %s", root);
    return system(command);
}

/* Runs a test in a child. A child that fails has said why. */
static void in_child(int (*run)(void))
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        exit(run());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_LANDLOCK)
        test_skip("this kernel has no Landlock");
    if (WEXITSTATUS(status) == NO_SECCOMP)
        test_skip("this kernel has no seccomp, or not for this architecture");
    assert_int_equal(WEXITSTATUS(status), PASSED);
}

/* Returns 0 if a file can be opened, else the error. */
static int opening(const char *path, int flags)
{
    int file = open(path, flags, 0600), code = errno;
    if (file < 0)
        return code;
    close(file);
    return 0;
}

/* Ends the child unless opening a file gives this error; 0: none. */
static void expect(int code, const char *path, int flags)
{
    int got = opening(path, flags);
    if (got == code)
        return;
    fprintf(stderr, "%s: %s instead of %s\n", path, strerror(got), strerror(code));
    _exit(FAILED);
}

static void expect_true(bool is, const char *what)
{
    if (is)
        return;
    fprintf(stderr, "not so: %s\n", what);
    _exit(FAILED);
}

static void enter(void)
{
    if (!strstr(sandbox_enter(), "Landlock"))
        _exit(NO_LANDLOCK);
}

/* --- Reading --- */

static int open_named(void)
{
    sandbox_begin(false);
    sandbox_read_beside("top/model/m.pmx");
    sandbox_read("a/above.txt");
    sandbox_read("none");          /* nothing of a name that is no file stays open */
    sandbox_read_beside("dancer"); /* as the bundled dancer is named */
    enter();
    expect(0, "top/model/m.pmx", O_RDONLY);
    expect(0, "top/model/tex/t.png", O_RDONLY);
    expect(0, "top/beside/t.png", O_RDONLY);
    expect(0, "a/above.txt", O_RDONLY);
    expect(EACCES, "secret/planted", O_RDONLY);
    expect(EACCES, "top/model/link.png", O_RDONLY);
    expect(EACCES, "a/b/c/p.pmm", O_RDONLY);
    expect(EACCES, "home/.ssh/id_rsa", O_RDONLY);
    expect(EACCES, "top/model/m.pmx", O_WRONLY);
    expect(EACCES, "top/model/new", O_WRONLY | O_CREAT);
    expect_true(unlink("top/model/m.pmx") != 0, "a model cannot be removed");
    return PASSED;
}

static void only_named_files_can_be_read(void **state)
{
    (void)state;
    in_child(open_named);
}

static int open_in_home(void)
{
    sandbox_begin(false);
    sandbox_read_beside("home/m.pmx");
    enter();
    expect(0, "home/m.pmx", O_RDONLY);
    expect(0, "home/dances/d.vmd", O_RDONLY);
    expect(EACCES, "home/.ssh/id_rsa", O_RDONLY);
    expect(EACCES, "secret/planted", O_RDONLY);
    return PASSED;
}

static int open_below_home(void)
{
    sandbox_begin(false);
    sandbox_read_beside("home/dances/d.vmd");
    enter();
    expect(0, "home/dances/d.vmd", O_RDONLY);
    expect(EACCES, "home/m.pmx", O_RDONLY);
    expect(EACCES, "home/.ssh/id_rsa", O_RDONLY);
    return PASSED;
}

static void hidden_files_of_the_home_folder_stay_closed(void **state)
{
    (void)state;
    in_child(open_in_home);
    in_child(open_below_home);
}

static int open_around_project(void)
{
    sandbox_begin(false);
    sandbox_read_around("a/b/c/p.pmm");
    enter();
    expect(0, "a/b/c/p.pmm", O_RDONLY);
    expect(0, "a/above.txt", O_RDONLY);
    expect(EACCES, "secret/planted", O_RDONLY);
    return PASSED;
}

/* The home folder of this test is a/b, so the project's second folder above holds it. */
static int open_around_project_in_home(void)
{
    setenv("HOME", "a/b", 1);
    sandbox_begin(false);
    sandbox_read_around("a/b/c/p.pmm");
    enter();
    expect(0, "a/b/c/p.pmm", O_RDONLY);
    expect(0, "a/b/seen.txt", O_RDONLY);
    expect(EACCES, "a/b/.hidden", O_RDONLY);
    expect(0, "a/above.txt", O_RDONLY);
    expect(EACCES, "top/model/m.pmx", O_RDONLY);
    return PASSED;
}

static int open_beside_home(void)
{
    setenv("HOME", "a/b", 1);
    sandbox_begin(false);
    sandbox_read_beside("a/d/m.pmx");
    enter();
    expect(0, "a/d/m.pmx", O_RDONLY);
    expect(0, "a/above.txt", O_RDONLY);
    expect(0, "a", O_RDONLY | O_DIRECTORY);
    expect(EACCES, "a/b/seen.txt", O_RDONLY);
    expect(EACCES, "a/b/.hidden", O_RDONLY);
    return PASSED;
}

static int open_above_home(void)
{
    setenv("HOME", "a/b", 1);
    sandbox_begin(false);
    sandbox_read_beside("a/above.txt");
    enter();
    expect(0, "a/above.txt", O_RDONLY);
    expect(EACCES, "a/b/.hidden", O_RDONLY);
    expect(EACCES, "a/b/seen.txt", O_RDONLY);
    return PASSED;
}

static void no_folder_above_the_home_folder_opens_it(void **state)
{
    (void)state;
    in_child(open_around_project_in_home);
    in_child(open_above_home);
    in_child(open_beside_home);
}

static void projects_reach_two_folders_above(void **state)
{
    (void)state;
    in_child(open_around_project);
}

static int open_link(void)
{
    sandbox_begin(false);
    sandbox_read_beside("top/model/link.png");
    enter();
    expect(0, "top/model/link.png", O_RDONLY);
    expect(0, "top/model/m.pmx", O_RDONLY);
    return PASSED;
}

static void a_named_link_leads_to_its_file(void **state)
{
    (void)state;
    in_child(open_link);
}

static int open_archive(void)
{
    sandbox_begin(false);
    sandbox_read_beside("top/model/m.pmx/inside/x.pmx"); /* as if m.pmx were an archive */
    enter();
    expect(0, "top/model/m.pmx", O_RDONLY);
    expect(EACCES, "secret/planted", O_RDONLY);
    return PASSED;
}

static void a_path_into_an_archive_means_the_archive(void **state)
{
    (void)state;
    in_child(open_archive);
}

/* --- Writing --- */

static int write_out(void)
{
    sandbox_begin(false);
    sandbox_write("out/new.png");
    sandbox_write("-");
    enter();
    expect(0, "out/new.part", O_WRONLY | O_CREAT | O_EXCL);
    expect_true(rename("out/new.part", "out/old.png") == 0, "a file is replaced");
    expect(0, "out/old.png", O_RDWR | O_TRUNC);
    expect_true(mkdir("out/deeper", 0700) == 0, "a folder is created");
    expect(0, "/dev/null", O_RDWR);
    expect(EACCES, "secret/new", O_WRONLY | O_CREAT);
    expect(EACCES, "secret/planted", O_WRONLY);
    expect_true(rename("out/old.png", "secret/moved") != 0, "a file is not moved out");
    return PASSED;
}

static void only_folders_of_targets_can_be_written(void **state)
{
    (void)state;
    in_child(write_out);
}

static int write_to_new_folders(void)
{
    sandbox_begin(false);
    sandbox_write_folder("fresh/full");
    sandbox_write_folder("fresh/empty/deep");
    enter();
    expect(0, "fresh/full/file", O_WRONLY | O_CREAT);
    expect(0, "fresh/empty/deep/file", O_WRONLY | O_CREAT);
    expect_true(unlink("fresh/empty/deep/file") == 0, "a file is removed");
    return PASSED;
}

static void created_folders_vanish_unless_something_was_written(void **state)
{
    (void)state;
    in_child(write_to_new_folders);
    assert_int_equal(access("fresh/full/file", F_OK), 0);
    assert_int_not_equal(access("fresh/empty", F_OK), 0);
}

/* --- What the process starts --- */

static void *open_planted(void *result)
{
    *(int *)result = opening("secret/planted", O_RDONLY);
    return NULL;
}

static int start_others(void)
{
    pthread_t thread;
    int code = 0;
    sandbox_begin(false);
    sandbox_read("a");
    enter();
    expect_true(system("cat a/above.txt >/dev/null") == 0, "a program of the system reads a named file");
    expect_true(system("cat secret/planted >/dev/null 2>&1") != 0, "it cannot read another");
    expect_true(pthread_create(&thread, NULL, open_planted, &code) == 0, "a thread starts");
    pthread_join(thread, NULL);
    expect_true(code == EACCES, "a thread cannot read another file");
    return PASSED;
}

static void threads_and_programs_are_bound_too(void **state)
{
    (void)state;
    in_child(start_others);
}

/* --- Sockets --- */

static void expect_socket(int family, bool refused)
{
    int made = socket(family, SOCK_DGRAM, 0), code = errno;
    if (made >= 0)
        close(made);
    if (refused && (made >= 0 || code != EPERM)) {
        fprintf(stderr, "socket of family %d: %s\n", family, made >= 0 ? "created" : strerror(code));
        _exit(FAILED);
    }
}

static int make_sockets(void)
{
    int pair[2];
    sandbox_begin(false);
    if (!strstr(sandbox_enter(), "seccomp"))
        return NO_SECCOMP;
    expect_socket(AF_INET, true);
    expect_socket(AF_INET6, true);
    expect_socket(AF_NETLINK, true);
    expect_socket(AF_UNIX, !sandbox_has_untried_driver());
    expect_true(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "a connected pair is made");
    return PASSED;
}

static void no_network_socket_can_be_made(void **state)
{
    (void)state;
    in_child(make_sockets);
}

/* --- Off --- */

static int stay_out(void)
{
    sandbox_read("a");
    sandbox_write_folder("unwanted");
    expect_true(*sandbox_enter() == '\0', "nothing is given up");
    expect(0, "secret/planted", O_RDONLY);
    expect_true(access("unwanted", F_OK) != 0, "no folder is created");
    return PASSED;
}

static void without_beginning_nothing_is_given_up(void **state)
{
    (void)state;
    in_child(stay_out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_named_files_can_be_read),
        cmocka_unit_test(hidden_files_of_the_home_folder_stay_closed),
        cmocka_unit_test(no_folder_above_the_home_folder_opens_it),
        cmocka_unit_test(projects_reach_two_folders_above),
        cmocka_unit_test(a_named_link_leads_to_its_file),
        cmocka_unit_test(a_path_into_an_archive_means_the_archive),
        cmocka_unit_test(only_folders_of_targets_can_be_written),
        cmocka_unit_test(created_folders_vanish_unless_something_was_written),
        cmocka_unit_test(threads_and_programs_are_bound_too),
        cmocka_unit_test(no_network_socket_can_be_made),
        cmocka_unit_test(without_beginning_nothing_is_given_up),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
