/*
 * Tests the desktop's dialog for choosing files against mock_portal, each test on a session bus of its own:
 * what is asked, every way in which it can answer or fail, and that nobody waits for it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "document/file_dialog.h"
#include "support.h"

#define PATIENCE 20 /* seconds until an answer must have come */

static char folder[64], log_path[96];
static pid_t daemon_id, mock_id;
static sem_t woken;

/* --- The bus and the mock --- */

/* Starts a program that ends with this one, and reads the first line that it prints. Returns its id, or 0 if
 * it printed nothing. */
static pid_t start(const char *const *arguments, char *line, size_t size)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        execvp(arguments[0], (char **)(uintptr_t)arguments);
        _exit(127);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    bool printed = fgets(line, (int)size, in) != NULL;
    fclose(in);
    if (printed)
        return child;
    waitpid(child, NULL, 0);
    return 0;
}

static void stop(pid_t *child)
{
    if (*child) {
        kill(*child, SIGKILL);
        waitpid(*child, NULL, 0);
    }
    *child = 0;
}

/* Starts a session bus whose address is in the environment. */
static int start_bus(void **state)
{
    char path[96], line[512];
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/odori-portal-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(log_path, sizeof log_path, "%s/log", folder);
    snprintf(path, sizeof path, "%s/conf", folder);
    FILE *conf = fopen(path, "w");
    fprintf(conf,
            "<busconfig><type>session</type><listen>unix:path=%s/bus</listen><auth>EXTERNAL</auth>"
            "<policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>"
            "<allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>",
            folder);
    fclose(conf);
    snprintf(path, sizeof path, "--config-file=%s/conf", folder);
    const char *const arguments[] = {"dbus-daemon", path, "--nofork", "--print-address=1", NULL};
    daemon_id = start(arguments, line, sizeof line);
    line[strcspn(line, "\n")] = '\0';
    setenv("DBUS_SESSION_BUS_ADDRESS", daemon_id ? line : "", 1);
    setenv("XDG_RUNTIME_DIR", "/nowhere", 1);
    sem_init(&woken, 0, 0);
    return 0;
}

static int stop_bus(void **state)
{
    char command[128];
    (void)state;
    stop(&mock_id);
    stop(&daemon_id);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void need_bus(void)
{
    if (!daemon_id)
        test_skip("no dbus-daemon");
}

/* Starts the mock in a mode, with URIs to answer. */
static void start_mock(const char *mode, const char *const *uris)
{
    char line[64];
    const char *arguments[16] = {ODORI_BINARY "/mock_portal", mode, log_path};
    need_bus();
    for (size_t i = 0; uris && uris[i]; i++)
        arguments[3 + i] = uris[i];
    mock_id = start(arguments, line, sizeof line);
    assert_true(mock_id != 0);
}

/* Returns what the mock was asked, until the next call. */
static const char *logged(void)
{
    static char text[8192];
    FILE *in = fopen(log_path, "r");
    size_t size = in ? fread(text, 1, sizeof text - 1, in) : 0;
    text[size] = '\0';
    if (in)
        fclose(in);
    return text;
}

static void assert_logged(const char *line)
{
    char wanted[1024];
    snprintf(wanted, sizeof wanted, "%s\n", line);
    if (!strstr(logged(), wanted))
        fail_msg("\"%s\" is not in:\n%s", line, logged());
}

/* --- Asking --- */

static void wake(void *user)
{
    assert_ptr_equal(user, &woken);
    sem_post(&woken);
}

/* Waits for the answer, of which the player is told by a wake-up. */
static dialog_answer wait_for_answer(file_dialog *d)
{
    struct timespec until;
    dialog_answer answer;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    assert_int_equal(sem_timedwait(&woken, &until), 0);
    assert_true(dialog_poll(d, &answer) > DIALOG_WAITING);
    return answer;
}

/* Asks for a dialog, which must begin, and waits for the answer. */
static dialog_answer ask(const dialog_request *request)
{
    char error[REFUSAL_MAX];
    dialog_answer idle;
    file_dialog *d = dialog_create(wake, &woken);
    assert_non_null(d);
    assert_int_equal(dialog_poll(d, &idle), DIALOG_IDLE);
    assert_int_equal(dialog_choose(d, request, error), DIALOG_WAITING);
    dialog_answer answer = wait_for_answer(d);
    assert_int_equal(dialog_poll(d, &idle), DIALOG_IDLE);
    dialog_destroy(d);
    return answer;
}

/* Asks for a file, and requires a state and a reason. */
static void expect(dialog_state state, const char *why)
{
    const dialog_request request = {.title = "Open"};
    dialog_answer answer = ask(&request);
    if (answer.state != state || !strstr(answer.error, why))
        fail_msg("state %d, \"%s\"", (int)answer.state, answer.error);
    assert_int_equal(answer.paths.count, 0);
    dialog_answer_finish(&answer);
}

/* Asks for a file, and requires that this one is chosen. */
static void expect_file(const char *path)
{
    const dialog_request request = {.title = "Open"};
    dialog_answer answer = ask(&request);
    if (answer.state != DIALOG_CHOSEN)
        fail_msg("state %d, \"%s\"", (int)answer.state, answer.error);
    assert_int_equal(answer.paths.count, 1);
    assert_string_equal(answer.paths.items[0], path);
    dialog_answer_finish(&answer);
}

static const char *const one_uri[] = {"file:///tmp/miku.pmx", NULL};

static void one_file_is_opened(void **state)
{
    static const dialog_filter filters[] = {{"Models", 1u << MMD_NAME_MODEL | 1u << MMD_NAME_INTERCHANGE},
                                            {"Sounds", 1u << MMD_NAME_SOUND},
                                            {"All", 0}};
    const dialog_request request = {.title = "Open \"everything\" \xff",
                                    .filters = filters,
                                    .filter_count = 3,
                                    .folder = "/tmp/\xe6\x97\xa5 \xff",
                                    .parent = 0x1a2b3c};
    (void)state;
    start_mock("answer", one_uri);
    uint64_t blocks = mmd_heap_blocks_in_use();
    dialog_answer answer = ask(&request);
    assert_int_equal(answer.state, DIALOG_CHOSEN);
    assert_int_equal(answer.paths.count, 1);
    assert_int_equal(answer.left_out, 0);
    assert_string_equal(answer.paths.items[0], "/tmp/miku.pmx");
    dialog_answer_finish(&answer);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    assert_logged("OpenFile");
    assert_logged("parent: x11:1a2b3c");
    assert_logged("title: Open \"everything\" \xef\xbf\xbd");
    assert_logged("current_folder: /tmp/\xe6\x97\xa5 \xff\\0");
    assert_logged(
        "filters: [(Models [(0 *.[pP][mM][xX])(0 *.[pP][mM][dD])(0 *.[gG][lL][bB])(0 "
        "*.[gG][lL][tT][fF])])(Sounds [(0 *.[wW][aA][vV])(0 *.[oO][gG][gG])(0 *.[fF][lL][aA][cC])(0 "
        "*.[mM][pP]3)])(All [(0 *)])]");
    assert_null(strstr(logged(), "multiple"));
    assert_null(strstr(logged(), "current_name"));
}

static void several_files_are_opened(void **state)
{
    static const char *const uris[] = {"file:///tmp/two%20words/50%25.vmd",
                                       "file://somewhere/home/%E5%88%9D%E9%9F%B3%E3%83%9F%E3%82%AF.pmx",
                                       "http://example.org/a.pmx",
                                       "file:///tmp/a%00b",
                                       "FILE:/tmp/plain%zz",
                                       "file:",
                                       NULL};
    static const char *const paths[] = {"/tmp/two words/50%.vmd", "/home/初音ミク.pmx", "/tmp/plain%zz"};
    const dialog_request request = {.title = "Open", .multiple = true};
    (void)state;
    start_mock("answer", uris);
    dialog_answer answer = ask(&request);
    assert_int_equal(answer.state, DIALOG_CHOSEN);
    assert_int_equal(answer.paths.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(answer.paths.items[i], paths[i]);
    assert_int_equal(answer.left_out, 3);
    dialog_answer_finish(&answer);
    assert_logged("multiple: 1");
    assert_logged("parent: ");
}

static void a_name_for_saving_is_chosen(void **state)
{
    const dialog_request request = {.kind = DIALOG_SAVE, .title = "Save", .name = "踊り.vmd"};
    (void)state;
    start_mock("answer", one_uri);
    dialog_answer answer = ask(&request);
    assert_int_equal(answer.state, DIALOG_CHOSEN);
    dialog_answer_finish(&answer);
    assert_logged("SaveFile");
    assert_logged("current_name: 踊り.vmd");
}

static void things_that_are_no_files_fail(void **state)
{
    static const char *const uris[] = {"sftp://host/a.pmx", NULL};
    (void)state;
    start_mock("answer", uris);
    expect(DIALOG_FAILED, "not a file on this computer");
}

static void cancelling_is_no_failure(void **state)
{
    (void)state;
    start_mock("cancel", NULL);
    expect(DIALOG_CANCELLED, "");
}

static void a_dialog_that_ends_otherwise_failed(void **state)
{
    (void)state;
    start_mock("error", one_uri);
    expect(DIALOG_FAILED, "chooser failed");
}

static void a_refusal_is_told(void **state)
{
    (void)state;
    start_mock("refuse", NULL);
    expect(DIALOG_FAILED, "not today");
}

static void an_answer_before_the_call_returns_counts(void **state)
{
    (void)state;
    start_mock("early", one_uri);
    expect_file("/tmp/miku.pmx");
}

static void old_portals_answer_from_another_path(void **state)
{
    (void)state;
    start_mock("old", one_uri);
    expect_file("/tmp/miku.pmx");
}

static void answers_of_strangers_do_not_count(void **state)
{
    (void)state;
    start_mock("strange", one_uri);
    expect_file("/tmp/miku.pmx");
}

static void a_portal_may_vanish(void **state)
{
    (void)state;
    start_mock("vanish", NULL);
    expect(DIALOG_FAILED, "has ended");
}

/* --- No portal --- */

static void a_bus_without_a_portal_has_none(void **state)
{
    (void)state;
    need_bus();
    expect(DIALOG_MISSING, "there is no file chooser portal");
}

static void a_portal_without_the_interface_is_none(void **state)
{
    (void)state;
    start_mock("absent", NULL);
    expect(DIALOG_MISSING, "there is no file chooser portal");
}

static void a_silent_portal_is_none_after_a_second(void **state)
{
    (void)state;
    start_mock("silent", NULL);
    double begun = clock_seconds();
    expect(DIALOG_MISSING, "there is no file chooser portal");
    assert_true(clock_seconds() - begun < 12);
}

/* Requires that there is no session bus, which is known at once. */
static void expect_no_bus(void)
{
    char error[REFUSAL_MAX];
    const dialog_request request = {.title = "Open"};
    file_dialog *d = dialog_create(NULL, NULL);
    assert_int_equal(dialog_choose(d, &request, error), DIALOG_MISSING);
    assert_non_null(strstr(error, "no session bus"));
    dialog_destroy(d);
}

static void no_bus_is_ever_started(void **state)
{
    char path[96], address[160];
    (void)state;
    setenv("DBUS_SESSION_BUS_ADDRESS", "autolaunch:", 1);
    expect_no_bus();
    snprintf(path, sizeof path, "%s/started", folder);
    snprintf(address, sizeof address, "unixexec:path=touch,argv1=%s;autolaunch:", path);
    setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
    expect_no_bus();
    assert_int_equal(access(path, F_OK), -1);
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
    expect_no_bus();
    setenv("XDG_RUNTIME_DIR", folder, 1);
    stop(&daemon_id);
    snprintf(path, sizeof path, "%s/bus", folder);
    unlink(path);
    FILE *plain = fopen(path, "w");
    fclose(plain);
    expect_no_bus();
}

static void the_socket_of_the_session_is_found(void **state)
{
    (void)state;
    start_mock("answer", one_uri);
    unsetenv("DBUS_SESSION_BUS_ADDRESS");
    setenv("XDG_RUNTIME_DIR", folder, 1);
    expect_file("/tmp/miku.pmx");
}

static void a_bus_that_does_not_answer_is_none(void **state)
{
    char address[160];
    (void)state;
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path, sizeof name.sun_path, "%s/deaf", folder);
    int deaf = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(deaf, (struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(listen(deaf, 4), 0);
    snprintf(address, sizeof address, "unix:path=%s", name.sun_path);
    setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
    expect(DIALOG_MISSING, "session bus does not answer");
    close(deaf);
    expect(DIALOG_MISSING, "session bus does not answer");
}

static void pause_for(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)}, NULL);
}

/* Opens a socket whose queue is full, so that connecting to it hangs: a bus that was stopped. */
static void make_full_bus(int ends[3])
{
    char address[160];
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path, sizeof name.sun_path, "%s/full", folder);
    ends[0] = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(ends[0], (struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(listen(ends[0], 0), 0);
    for (int i = 1; i < 3; i++) {
        ends[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        int result = connect(ends[i], (struct sockaddr *)&name, sizeof name);
        assert_true(result == 0 ? i == 1 : i == 2 && errno == EAGAIN);
    }
    snprintf(address, sizeof address, "unix:path=%s", name.sun_path);
    setenv("DBUS_SESSION_BUS_ADDRESS", address, 1);
}

static void a_bus_that_hangs_delays_nothing(void **state)
{
    int ends[3];
    char error[REFUSAL_MAX];
    const dialog_request request = {.title = "Open"};
    dialog_answer answer;
    (void)state;
    make_full_bus(ends);
    file_dialog *d = dialog_create(wake, &woken);
    double begun = clock_seconds();
    assert_int_equal(dialog_choose(d, &request, error), DIALOG_WAITING);
    assert_true(clock_seconds() - begun < 1);
    double wait = dialog_wait(d); /* which nobody ends earlier */
    assert_true(wait > 0 && wait < PATIENCE);
    pause_for(wait);
    assert_int_equal(dialog_poll(d, &answer), DIALOG_MISSING);
    assert_non_null(strstr(answer.error, "session bus does not answer"));
    dialog_answer_finish(&answer);
    assert_true(isinf(dialog_wait(d)));
    /* Ending while another one hangs. */
    assert_int_equal(dialog_choose(d, &request, error), DIALOG_WAITING);
    begun = clock_seconds();
    dialog_destroy(d);
    assert_true(clock_seconds() - begun < 5);
    for (int i = 0; i < 3; i++)
        close(ends[i]);
    pause_for(0.2); /* the threads end, and wake nobody up */
    assert_int_equal(sem_trywait(&woken), -1);
}

/* --- While it waits --- */

/* Returns how often the other threads of this program have slept so far. */
static long sleeps(void)
{
    long sum = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; (task = readdir(tasks));) {
        char path[300], line[128];
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        FILE *in = task->d_name[0] == '.' || atoi(task->d_name) == getpid() ? NULL : fopen(path, "r");
        for (long count; in && fgets(line, sizeof line, in);)
            if (sscanf(line, "voluntary_ctxt_switches: %ld", &count) == 1)
                sum += count;
        if (in)
            fclose(in);
    }
    closedir(tasks);
    return sum;
}

/* Asks for a dialog that nobody answers, and waits until it is open. */
static file_dialog *open_unanswered(void)
{
    char error[REFUSAL_MAX];
    const dialog_request request = {.title = "Open"};
    file_dialog *d = dialog_create(wake, &woken);
    assert_int_equal(dialog_choose(d, &request, error), DIALOG_WAITING);
    for (int i = 0; !strstr(logged(), "handle_token") && i < PATIENCE * 100; i++)
        pause_for(0.01);
    assert_logged("OpenFile");
    return d;
}

/* Waits until the mock was told to close the dialog. */
static void assert_closed(void)
{
    for (int i = 0; !strstr(logged(), "Close") && i < PATIENCE * 100; i++)
        pause_for(0.01);
    assert_logged("Close");
}

static void waiting_wakes_nobody_up(void **state)
{
    char error[REFUSAL_MAX];
    const dialog_request request = {.title = "Open"};
    dialog_answer answer;
    (void)state;
    start_mock("wait", NULL);
    file_dialog *d = open_unanswered();
    pause_for(0.3);
    long before = sleeps();
    assert_true(before > 0);
    for (int i = 0; i < 10; i++) {
        pause_for(0.05);
        assert_int_equal(dialog_poll(d, &answer), DIALOG_WAITING);
    }
    assert_int_equal(sleeps(), before);
    assert_int_equal(dialog_choose(d, &request, error), DIALOG_FAILED);
    assert_non_null(strstr(error, "open already"));
    dialog_destroy(d);
    assert_closed();
}

static void a_cancelled_dialog_is_closed_and_another_opens(void **state)
{
    char error[REFUSAL_MAX];
    const dialog_request request = {.title = "Open"};
    (void)state;
    start_mock("wait", NULL);
    file_dialog *d = open_unanswered();
    dialog_cancel(d);
    dialog_answer answer = wait_for_answer(d);
    assert_int_equal(answer.state, DIALOG_CANCELLED);
    dialog_answer_finish(&answer);
    assert_closed();
    stop(&mock_id);
    start_mock("answer", one_uri);
    assert_int_equal(dialog_choose(d, &request, error), DIALOG_WAITING);
    answer = wait_for_answer(d);
    assert_int_equal(answer.state, DIALOG_CHOSEN);
    dialog_answer_finish(&answer);
    dialog_destroy(d);
}

static void a_bus_may_end(void **state)
{
    (void)state;
    start_mock("wait", NULL);
    file_dialog *d = open_unanswered();
    stop(&daemon_id);
    dialog_answer answer = wait_for_answer(d);
    assert_int_equal(answer.state, DIALOG_FAILED);
    assert_non_null(strstr(answer.error, "session bus has ended"));
    dialog_answer_finish(&answer);
    dialog_destroy(d);
}

#define ON_A_BUS(test) cmocka_unit_test_setup_teardown(test, start_bus, stop_bus)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_A_BUS(one_file_is_opened),
        ON_A_BUS(several_files_are_opened),
        ON_A_BUS(a_name_for_saving_is_chosen),
        ON_A_BUS(things_that_are_no_files_fail),
        ON_A_BUS(cancelling_is_no_failure),
        ON_A_BUS(a_dialog_that_ends_otherwise_failed),
        ON_A_BUS(a_refusal_is_told),
        ON_A_BUS(an_answer_before_the_call_returns_counts),
        ON_A_BUS(old_portals_answer_from_another_path),
        ON_A_BUS(answers_of_strangers_do_not_count),
        ON_A_BUS(a_portal_may_vanish),
        ON_A_BUS(a_bus_without_a_portal_has_none),
        ON_A_BUS(a_portal_without_the_interface_is_none),
        ON_A_BUS(a_silent_portal_is_none_after_a_second),
        ON_A_BUS(no_bus_is_ever_started),
        ON_A_BUS(the_socket_of_the_session_is_found),
        ON_A_BUS(a_bus_that_does_not_answer_is_none),
        ON_A_BUS(a_bus_that_hangs_delays_nothing),
        ON_A_BUS(waiting_wakes_nobody_up),
        ON_A_BUS(a_cancelled_dialog_is_closed_and_another_opens),
        ON_A_BUS(a_bus_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
