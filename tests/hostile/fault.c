/*
 * fault [-n] FOLDER FAULT STEP COMMAND...: runs a command and lets something go wrong when it, or a process
 * that it started, is about to change a file below the folder (absolute, without links) for the STEPth time.
 * FAULT:
 *
 *     none                    nothing; only counts the steps
 *     full                    this step and all that need space after it fail, as on a full disk
 *     readonly                this step and all after it fail, as in a folder that cannot be written
 *     TERM INT HUP KILL       the command gets this signal; INT goes to its whole process group, as by Ctrl-C
 *
 * -n: files without a name (O_TMPFILE) cannot be created, as on some file systems. Writes the number of steps
 * to the file $FAULT_STEPS. Ends with the exit code of the command, or 128 and the number of the signal that
 * ended it. Needs no rights: the kernel asks this program at each system call (seccomp_unotify(2)). Exit code
 * 77: it cannot.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SKIPPED = 77 };
enum effect { WRITES, CREATES, REMOVES };

/* Which argument of a system call is the file that it changes, and the folder that its path is relative to.
 */
static const struct call {
    long number;
    int descriptor, path; /* index of the argument; -1 for none */
    enum effect effect;
} calls[] = {
#ifdef SYS_open
    {SYS_open, -1, 0, CREATES},           {SYS_creat, -1, 0, CREATES},    {SYS_link, -1, 1, CREATES},
    {SYS_rename, -1, 0, REMOVES},         {SYS_unlink, -1, 0, REMOVES},   {SYS_rmdir, -1, 0, REMOVES},
    {SYS_mkdir, -1, 0, CREATES},
#endif
#ifdef SYS_renameat
    {SYS_renameat, 0, 1, REMOVES},
#endif
    {SYS_openat, 0, 1, CREATES},          {SYS_linkat, 2, 3, CREATES},    {SYS_renameat2, 0, 1, REMOVES},
    {SYS_unlinkat, 0, 1, REMOVES},        {SYS_mkdirat, 0, 1, CREATES},   {SYS_write, 0, -1, WRITES},
    {SYS_writev, 0, -1, WRITES},          {SYS_pwrite64, 0, -1, WRITES},  {SYS_pwritev, 0, -1, WRITES},
    {SYS_fallocate, 0, -1, WRITES},       {SYS_ftruncate, 0, -1, WRITES}, {SYS_sendfile, 0, -1, WRITES},
    {SYS_copy_file_range, 2, -1, WRITES},
};
enum { CALLS = sizeof calls / sizeof *calls };

static struct {
    const char *folder, *fault;
    bool without_unnamed;
    unsigned long step, steps;
    pid_t command;
} job;

/* --- In the command's process --- */

/* Makes the kernel ask about the calls. Returns the descriptor for the questions, or -1. */
static int install_filter(void)
{
    struct sock_filter code[CALLS + 3];
    size_t n = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < CALLS; i++)
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number,
                                                 (uint8_t)(CALLS - i), 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    struct sock_fprog program = {(unsigned short)n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

union control {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
};

/* Sends a descriptor, or receives one where it is -1. Returns it, or -1. */
static int pass(int socket, int descriptor)
{
    char byte = 0;
    union control control = {.bytes = {0}};
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    if (descriptor >= 0) {
        control.head = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.head), &descriptor, sizeof descriptor);
        return sendmsg(socket, &message, 0) == 1 ? descriptor : -1;
    }
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || message.msg_controllen < CMSG_LEN(sizeof(int)))
        return -1;
    memcpy(&descriptor, CMSG_DATA(&control.head), sizeof descriptor);
    return descriptor;
}

static _Noreturn void run(int socket, char **arguments)
{
    setpgid(0, 0);
    int questions = install_filter();
    if (questions < 0 || pass(socket, questions) < 0)
        _exit(SKIPPED);
    close(questions);
    close(socket);
    execvp(arguments[0], arguments);
    fprintf(stderr, "fault: %s: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

/* --- Which file a call changes --- */

/* Reads a path from the memory of a process. */
static void read_path(pid_t process, uint64_t address, char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/mem", process);
    int memory = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t got = memory < 0 ? 0 : pread(memory, path, PATH_MAX - 1, (off_t)address);
    path[got > 0 ? got : 0] = '\0';
    if (memory >= 0)
        close(memory);
}

/* Reads what an open file, or with descriptor AT_FDCWD the current folder, of a process is. */
static void read_descriptor(pid_t process, int descriptor, char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, descriptor == AT_FDCWD ? "/proc/%d/cwd" : "/proc/%d/fd/%d", process,
             descriptor);
    ssize_t got = readlink(name, path, PATH_MAX - 1);
    path[got > 0 ? got : 0] = '\0';
}

static bool is_below(const char *path)
{
    size_t length = strlen(job.folder);
    return strncmp(path, job.folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Returns whether a call changes something in the folder. */
static bool concerns_folder(const struct call *call, const struct seccomp_notif *asked)
{
    char path[PATH_MAX], base[PATH_MAX];
    pid_t process = (pid_t)asked->pid;
    const __u64 *arguments = asked->data.args;
    int descriptor = call->descriptor < 0 ? AT_FDCWD : (int)arguments[call->descriptor], number;
    if (call->path < 0) {
        read_descriptor(process, descriptor, path);
        return is_below(path);
    }
    if (call->number == SYS_openat && !(arguments[2] & (O_ACCMODE | O_CREAT)))
        return false;
#ifdef SYS_open
    if (call->number == SYS_open && !(arguments[1] & (O_ACCMODE | O_CREAT)))
        return false;
#endif
    read_path(process, arguments[call->path], path);
    if (sscanf(path, "/dev/fd/%d", &number) == 1 || sscanf(path, "/proc/self/fd/%d", &number) == 1)
        read_descriptor(process, number, path);
    if (*path == '/')
        return is_below(path);
    read_descriptor(process, descriptor, base);
    return is_below(base);
}

/* --- Answers --- */

static bool is_unnamed(const struct call *call, const struct seccomp_notif *asked)
{
    uint64_t unnamed = O_TMPFILE & ~O_DIRECTORY;
    return call->number == SYS_openat && (asked->data.args[2] & unnamed) != 0;
}

/* Returns whether a thread belongs to the command itself. */
static bool is_command(pid_t thread)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d", job.command, thread);
    return access(path, F_OK) == 0;
}

/* Sends the signal of this step. Returns whether the one who asks is gone, and never does what it asked for.
 */
static bool send_signal(const struct seccomp_notif *asked)
{
    static const struct {
        const char *name;
        int number;
    } signals[] = {{"TERM", SIGTERM}, {"INT", SIGINT}, {"HUP", SIGHUP}, {"KILL", SIGKILL}};
    bool own = is_command((pid_t)asked->pid);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (strcmp(job.fault, signals[i].name) != 0)
            continue;
        kill(signals[i].number == SIGINT ? -job.command : job.command, signals[i].number);
        return own && signals[i].number == SIGKILL;
    }
    return false;
}

enum { GONE = -1 };

/* Returns the error of a call, 0 to let it go on, or GONE. */
static int decide(const struct call *call, const struct seccomp_notif *asked)
{
    if (!concerns_folder(call, asked))
        return 0;
    if (job.without_unnamed && is_unnamed(call, asked))
        return EOPNOTSUPP;
    if (++job.steps < job.step)
        return 0;
    if (strcmp(job.fault, "full") == 0)
        return call->effect == REMOVES ? 0 : ENOSPC;
    if (strcmp(job.fault, "readonly") == 0)
        return EROFS;
    return job.steps == job.step && send_signal(asked) ? GONE : 0;
}

/* Answers a question. False: there is none. */
static bool answer(int questions)
{
    union {
        struct seccomp_notif asked;
        char space[512];
    } in;
    union {
        struct seccomp_notif_resp told;
        char space[512];
    } out;
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    if (ioctl(questions, SECCOMP_IOCTL_NOTIF_RECV, &in) != 0)
        return errno == EINTR || errno == ENOENT;
    out.told.id = in.asked.id;
    out.told.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    for (size_t i = 0; i < CALLS; i++) {
        if (calls[i].number != in.asked.data.nr)
            continue;
        int code = decide(&calls[i], &in.asked);
        if (code == GONE)
            return true;
        out.told.error = -code;
        out.told.flags = code ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    ioctl(questions, SECCOMP_IOCTL_NOTIF_SEND, &out); /* fails if the process was ended meanwhile */
    return true;
}

/* Answers until the command and all that it started have ended. Returns its exit code. */
static int supervise(int questions)
{
    int status = 0;
    struct pollfd waiting = {.fd = questions, .events = POLLIN};
    while (poll(&waiting, 1, -1) >= 0 || errno == EINTR) {
        if (waiting.revents & POLLHUP)
            break;
        if ((waiting.revents & POLLIN) && !answer(questions))
            break;
    }
    if (waitpid(job.command, &status, 0) < 0)
        return SKIPPED;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    int sockets[2], at = 1;
    job.without_unnamed = argc > 1 && strcmp(argv[1], "-n") == 0;
    at += job.without_unnamed;
    if (argc < at + 4 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return 2;
    job.folder = argv[at];
    job.fault = argv[at + 1];
    job.step = strtoul(argv[at + 2], NULL, 10);
    job.command = fork();
    if (job.command == 0)
        run(sockets[1], argv + at + 3);
    close(sockets[1]);
    int questions = job.command < 0 ? -1 : pass(sockets[0], -1);
    if (questions < 0) {
        fprintf(stderr, "fault: the kernel has no seccomp_unotify\n");
        return SKIPPED;
    }
    int code = supervise(questions);
    const char *counted = getenv("FAULT_STEPS");
    FILE *file = counted ? fopen(counted, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", job.steps);
        fclose(file);
    }
    return code;
}
