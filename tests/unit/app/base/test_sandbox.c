/* Tests what a process can and cannot do in the sandbox. Each test enters it in a child, because nothing
 * leads out again. What the kernel does not offer is skipped with the reason. */
#define _DEFAULT_SOURCE
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"
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

/* The user's settings say that what lies beside top/model belongs to others. They can be read again inside.
 */
static int open_beside_downloads(void)
{
    char text[256];
    assert_int_equal(mkdir("config", 0700), 0);
    FILE *file = fopen("config/user-dirs.dirs", "w");
    assert_non_null(file);
    snprintf(text, sizeof text, "XDG_DOWNLOAD_DIR=\"%s/top\"\n", root);
    fputs(text, file);
    fclose(file);
    setenv("XDG_CONFIG_HOME", "config", 1);
    sandbox_begin(false);
    sandbox_read_beside("top/model/m.pmx");
    enter();
    expect(0, "top/model/tex/t.png", O_RDONLY);
    expect(EACCES, "top/beside/t.png", O_RDONLY);
    expect(0, "config/user-dirs.dirs", O_RDONLY);
    return PASSED;
}

static void nothing_beside_is_open_in_a_folder_of_the_user(void **state)
{
    (void)state;
    in_child(open_beside_downloads);
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

/* --- The home folder --- */

/* What a process sends to its helper (sandbox_helper_linux.c). */
typedef struct request {
    size_t target;
    mode_t mode;
    char name[MMD_FILE_PATH_MAX];
} request;

/* Returns the connection with the helper, or that of a draft while there are any. */
static int find_connection(void)
{
    for (int file = 3; file < 64; file++) {
        int type = 0;
        socklen_t size = sizeof type;
        if (getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET)
            return file;
    }
    return -1;
}

/* Asks the helper for a draft, as code of a stranger would. Returns what the helper answers. */
static int ask_helper(size_t target, const char *name, size_t size)
{
    request r = {.target = target, .mode = 0777};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {.space = {0}};
    struct iovec data = {&r, size};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    int ends[2], code = -1, connection = find_connection();
    snprintf(r.name, sizeof r.name, "%s", name);
    expect_true(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "a pair");
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    control.head = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &ends[1], sizeof ends[1]);
    expect_true(sendmsg(connection, &message, MSG_NOSIGNAL) == (ssize_t)size, "a request is sent");
    close(ends[1]);
    expect_true(recv(ends[0], &code, sizeof code, 0) == sizeof code, "an answer");
    close(ends[0]);
    return code;
}

static void expect_answer(int code, size_t target, const char *name)
{
    int got = ask_helper(target, name, sizeof(request));
    if (got == code)
        return;
    fprintf(stderr, "%zu %s: %s instead of %s\n", target, name, strerror(got), strerror(code));
    _exit(FAILED);
}

static bool writes(const char *path)
{
    return output_write(path, "text", 4);
}

static int write_at_home(void)
{
    struct stat before, after;
    sandbox_begin(false);
    sandbox_write("home/old.png");
    sandbox_write_numbered("home/f-", ".png");
    sandbox_write("home/none/new.png");
    enter();
    expect_true(stat("home/old.png", &before) == 0 && writes("home/old.png") &&
                    stat("home/old.png", &after) == 0 && before.st_ino != after.st_ino,
                "a file is replaced");
    expect(0, "home/old.png", O_RDONLY);
    expect_true(writes("home/old.png"), "a file is replaced twice");
    expect_true(writes("home/f-0012.png"), "a numbered file is written");
    expect_true(!writes("home/f-x.png"), "a file without a number is not");
    expect_true(!writes("home/f-1.png.sh"), "nor one with another ending");
    expect_true(!writes("home/m.pmx"), "nor one that was not named");
    expect_true(!writes("home/.bashrc"), "nor a hidden one");
    expect_true(!writes("home/none/new.png"), "nor one in a folder that does not exist");
    expect(EACCES, "home/.ssh/id_rsa", O_RDONLY);
    expect(EACCES, "home/m.pmx", O_RDONLY);
    expect(EACCES, "home/.bashrc", O_WRONLY | O_CREAT);
    expect(EACCES, "home/old2.png", O_WRONLY | O_CREAT);
    expect_true(unlink("home/m.pmx") != 0, "a file is not removed");
    expect_true(rename("home/old.png", "home/.bashrc") != 0, "a file is not renamed");
    expect_true(link("home/old.png", "home/.bashrc") != 0, "a file gets no other name");
    return PASSED;
}

static void only_named_files_of_the_home_folder_can_be_written(void **state)
{
    (void)state;
    write_file("home/old.png");
    in_child(write_at_home);
    assert_int_not_equal(access("home/.bashrc", F_OK), 0);
    assert_int_equal(access("home/f-0012.png", F_OK), 0);
}

static int ask_for_others(void)
{
    sandbox_begin(false);
    sandbox_write("home/named.png");
    sandbox_write_numbered("home/f-", ".png");
    sandbox_write_new_beside("home/named.png");
    enter();
    expect_true(writes("home/named.png"), "the draft that was ready is written");
    expect_answer(0, 0, "named.png");
    expect_answer(EACCES, 0, ".bashrc");
    expect_answer(EACCES, 0, "dances/../.bashrc");
    expect_answer(EACCES, 1, "f-.png");
    expect_answer(EACCES, 1, "f-1/../../.bashrc");
    expect_answer(0, 2, "new.bin");
    expect_answer(0, 2, "made/new.bin");
    expect_answer(EEXIST, 2, "m.pmx");
    expect_answer(EACCES, 2, ".bashrc");
    expect_answer(EACCES, 2, ".ssh/new");
    expect_answer(EACCES, 2, "dances/.hidden");
    expect_answer(EACCES, 2, "dances/../../secret/new");
    expect_answer(EACCES, 2, "/etc/new");
    expect_answer(EACCES, 2, "dances//new");
    expect_answer(EACCES, 2, "");
    expect_answer(ENOTDIR, 2, "link/new"); /* leads to .ssh */
    expect_answer(EACCES, 3, "named.png");
    expect_answer(EACCES, (size_t)-1, "named.png");
    expect_true(ask_helper(0, "named.png", sizeof(size_t)) == EACCES, "a request that was cut is refused");
    return PASSED;
}

static void the_helper_refuses_other_names(void **state)
{
    (void)state;
    shell("ln -s .ssh home/link");
    in_child(ask_for_others);
    shell("test -z \"$(find home -name 'new*' -o -name '.mmd*')\"");
    shell("rm -r home/link home/made home/named.png");
}

/* The helper keeps no pipe open for which others wait, and ignores the keys that end a program. */
static int look_at_helper(void)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    sandbox_begin(false);
    sandbox_write("home/named.png");
    enter();
    signal(SIGINT, SIG_IGN);
    kill(0, SIGINT);
    close(ends[1]);
    alarm(20);
    expect_true(read(ends[0], &byte, 1) == 0, "the helper holds no pipe");
    expect_true(writes("home/named.png"), "the helper is there");
    raise(SIGKILL);
    return FAILED;
}

static void the_helper_ends_with_the_program(void **state)
{
    int status;
    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* the helper becomes a child of this process */
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        exit(look_at_helper());
    }
    alarm(30);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_LANDLOCK)
        test_skip("this kernel has no Landlock");
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
    assert_true(wait(&status) > 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(wait(&status), -1);
    alarm(0);
    shell("rm home/named.png && test -z \"$(find home -name '.mmd*')\"");
}

/* Without a helper the folder stays open. */
static int write_without_helper(void)
{
    struct rlimit before, scarce;
    sandbox_begin(false);
    sandbox_write("home/named.png");
    /* One descriptor is left, which is too few for a connection. */
    int next = dup(0);
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    scarce = before;
    scarce.rlim_cur = (rlim_t)next + 1;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &scarce), 0);
    enter();
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    expect_true(find_connection() < 0, "there is no helper");
    expect_true(writes("home/named.png"), "a file is written");
    return PASSED;
}

static void without_a_helper_files_are_written_too(void **state)
{
    (void)state;
    in_child(write_without_helper);
    shell("rm home/named.png");
}

static int read_of_many(void)
{
    sandbox_begin(false);
    sandbox_read_beside("many/7.pmx");
    enter();
    expect(0, "many/7.pmx", O_RDONLY);
    expect(0, "many/folder/d.vmd", O_RDONLY);
    expect(EACCES, "many/8.pmx", O_RDONLY);
    expect(EACCES, "many/.ssh/id_rsa", O_RDONLY);
    return PASSED;
}

static void of_many_files_only_the_named_ones_stay_open(void **state)
{
    (void)state;
    shell("mkdir -p many/folder many/.ssh && touch many/.ssh/id_rsa many/folder/d.vmd && cd many && "
          "seq -f '%g.pmx' 4200 | xargs touch");
    setenv("HOME", "many", 1);
    in_child(read_of_many);
    setenv("HOME", "home", 1);
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
        cmocka_unit_test(nothing_beside_is_open_in_a_folder_of_the_user),
        cmocka_unit_test(a_named_link_leads_to_its_file),
        cmocka_unit_test(a_path_into_an_archive_means_the_archive),
        cmocka_unit_test(only_folders_of_targets_can_be_written),
        cmocka_unit_test(created_folders_vanish_unless_something_was_written),
        cmocka_unit_test(only_named_files_of_the_home_folder_can_be_written),
        cmocka_unit_test(the_helper_refuses_other_names),
        cmocka_unit_test(the_helper_ends_with_the_program),
        cmocka_unit_test(without_a_helper_files_are_written_too),
        cmocka_unit_test(of_many_files_only_the_named_ones_stay_open),
        cmocka_unit_test(threads_and_programs_are_bound_too),
        cmocka_unit_test(no_network_socket_can_be_made),
        cmocka_unit_test(without_beginning_nothing_is_given_up),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
