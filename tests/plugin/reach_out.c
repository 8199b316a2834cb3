/* A plug-in that does what code of a stranger would try in the place of a model's reader: when it is
 * attached, it opens the file that ODORI_PLANTED names, appends to the one that ODORI_CHANGED names, changes
 * its permissions, makes sockets, and attacks the helper of the sandbox. It says on stderr what came of it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mmd/edit.h"

/* Says what came of something that succeeded unless the result is negative. */
static void say(const char *what, long result, const char *done)
{
    fprintf(stderr, "%s: %s\n", what, result >= 0 ? done : strerror(errno));
}

/* Opens the file that a variable names. */
static void try_file(const char *variable, const char *what, const char *how, const char *done)
{
    const char *path = getenv(variable);
    FILE *file = path ? fopen(path, how) : NULL;
    fprintf(stderr, "%s file: %s\n", what, file ? done : strerror(errno));
    if (file)
        fclose(file);
}

/* Changes what Landlock leaves alone: permissions, and sockets that datagrams can be sent from. */
static void try_past_landlock(void)
{
    const char *path = getenv("ODORI_CHANGED");
    int ends[2];
    if (path) {
        struct stat about;
        say("permissions", stat(path, &about) == 0 ? chmod(path, about.st_mode & 07777) : -1, "changed");
        int file = open(path, O_RDONLY | O_TRUNC | O_CLOEXEC);
        say("length", file, "changed");
        if (file >= 0)
            close(file);
    }
    int made = socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    say("datagrams", made, "made");
    if (made == 0) {
        close(ends[0]);
        close(ends[1]);
    }
}

/* Attacks the process that a folder of /proc belongs to, if it is a child of this one. */
static void try_child(const char *folder)
{
    char path[300], text[512] = "";
    struct rlimit limit;
    snprintf(path, sizeof path, "/proc/%s/stat", folder);
    FILE *stat = fopen(path, "r");
    const char *after = stat && fgets(text, sizeof text, stat) ? strrchr(text, ')') : NULL;
    if (stat)
        fclose(stat);
    if (!after || strlen(after) < 4 || strtol(after + 4, NULL, 10) != (long)getpid())
        return;
    pid_t child = (pid_t)strtol(folder, NULL, 10);
    snprintf(path, sizeof path, "/proc/%s/mem", folder);
    int memory = open(path, O_RDONLY | O_CLOEXEC);
    say("memory of the helper", memory, "open");
    say("signal to the helper", kill(child, SIGCONT), "sent");
    say("limits of the helper", prlimit(child, RLIMIT_CPU, NULL, &limit), "read");
    if (memory >= 0)
        close(memory);
}

/* Asks the helper for a draft. ends receives both ends of the connection to it, and thus also the one that
 * only the helper should receive from. */
static bool ask_helper(int helper, int ends[2])
{
    struct {
        size_t target;
        mode_t mode;
        char name[4096];
    } request = {.mode = 0666, .name = "reached.json"};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {.space = {0}};
    int code = -1;
    struct iovec data = {&request, sizeof request};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    message.msg_controllen = sizeof control;
    control.head = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &ends[1], sizeof(int));
    return sendmsg(helper, &message, MSG_NOSIGNAL) >= 0 && recv(ends[0], &code, sizeof code, 0) > 0 &&
           code == 0;
}

/* Tells the helper of messages and takes them away before it comes to them. The connections stay open, so it
 * would wait for ever. */
static void steal_messages(int helper)
{
    enum { LINKS = 100, ROUNDS = 200 };
    static int links[LINKS][2];
    int count = 0, byte;
    while (count < LINKS && ask_helper(helper, links[count]))
        count++;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++)
            send(links[i][0], "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        for (int i = count; i-- > 0;)
            recv(links[i][1], &byte, 1, MSG_DONTWAIT);
    }
    fprintf(stderr, "messages: %s\n", count == LINKS ? "taken" : "refused");
}

/* Attacks the helper, if there is one: the other end of the only connection of this kind. */
static void try_helper(void)
{
    DIR *all = opendir("/proc");
    for (const struct dirent *entry; all && (entry = readdir(all));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            try_child(entry->d_name);
    if (all)
        closedir(all);
    for (int file = 3; file < 100; file++) {
        int kind = 0;
        socklen_t size = sizeof kind;
        if (getsockopt(file, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 && kind == SOCK_SEQPACKET) {
            steal_messages(file);
            return;
        }
    }
}

static bool attach(mmd_edit *edit)
{
    try_file("ODORI_PLANTED", "planted", "r", "read");
    try_file("ODORI_CHANGED", "changed", "a", "written");
    int made = socket(AF_INET, SOCK_STREAM, 0);
    say("socket", made, "made");
    if (made >= 0)
        close(made);
    try_past_landlock();
    try_helper();
    (void)edit;
    return true;
}

const mmd_edit_plugin mmd_edit_plugin_entry;
const mmd_edit_plugin mmd_edit_plugin_entry = {.abi = MMD_EDIT_ABI, .name = "reach_out", .attach = attach};
