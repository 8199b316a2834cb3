/* The helper of the sandbox (sandbox_helper.h). Descriptors are passed as described in unix(7). */
#define _GNU_SOURCE
#include "sandbox_helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file_draft.h"
#include "mmd/source.h"
#include "sandbox_system.h"
#include "signals_posix.h"

enum {
    TARGETS_MAX = 64,
    DRAFTS_MAX = 128, /* at a time */
    MODE = 0666       /* no file is made executable */
};

typedef struct target {
    helper_names names;
    dev_t device; /* of the folder */
    ino_t node;
    char folder[MMD_FILE_PATH_MAX]; /* links resolved */
    char begin[NAME_MAX + 1], end[NAME_MAX + 1];
    /* The draft of a single file that was made before the sandbox was entered. */
    atomic_bool is_ready;
    int file, link;
} target;

/* A draft is asked for with one of these and one end of a connection, over which it is answered. */
typedef struct request {
    size_t target;
    mode_t mode;
    char name[MMD_FILE_PATH_MAX]; /* below the target's folder */
} request;

static struct {
    target targets[TARGETS_MAX];
    size_t count;
    int socket;         /* of the processes inside; requests go there */
    pid_t owner, child; /* the process that started the helper, and the helper */
} helper;

/* --- Names --- */

void sandbox_helper_begin(void)
{
    static bool ends;
    if (!ends)
        ends = atexit(sandbox_helper_end) == 0;
    helper.count = 0;
}

bool sandbox_helper_add(helper_names names, const char *folder, const char *begin, const char *end)
{
    struct stat about;
    target *t = &helper.targets[helper.count];
    if (helper.count == TARGETS_MAX || strlen(begin) > NAME_MAX || strlen(end) > NAME_MAX ||
        !realpath(folder, t->folder) || stat(t->folder, &about) != 0)
        return false;
    t->names = names;
    t->device = about.st_dev;
    t->node = about.st_ino;
    strcpy(t->begin, begin);
    strcpy(t->end, end);
    atomic_store(&t->is_ready, false);
    helper.count++;
    return true;
}

size_t sandbox_helper_count(void)
{
    return helper.count;
}

const char *sandbox_helper_folder(size_t i)
{
    return helper.targets[i].folder;
}

/* Returns whether a name is that of a number between the beginning and the end. */
static bool is_numbered(const target *t, const char *name)
{
    size_t begin = strlen(t->begin);
    if (strncmp(name, t->begin, begin) != 0 || (begin == 0 && *name == '.'))
        return false;
    size_t digits = strspn(name + begin, " 0123456789");
    return digits > 0 && strcmp(name + begin + digits, t->end) == 0;
}

/* Returns whether no part of a path is hidden, empty or leads upwards. */
static bool shows(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (*part == '.' || *part == '/' || *part == '\0')
            return false;
    return true;
}

static bool allows(const target *t, const char *name)
{
    return t->names == HELPER_FILE       ? strcmp(name, t->begin) == 0
           : t->names == HELPER_NUMBERED ? is_numbered(t, name)
                                         : t->names == HELPER_NEW && shows(name);
}

/* --- Messages --- */

/* Sends bytes with a descriptor; -1: none. */
static bool send_with(int socket, const void *bytes, size_t size, int passed, int flags)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {.space = {0}};
    struct iovec data = {(void *)(uintptr_t)bytes, size};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (passed >= 0) {
        control.head = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.head), &passed, sizeof passed);
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
    }
    ssize_t sent;
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | flags);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)size;
}

/* Receives bytes, and the descriptor that came with them or -1. Returns the number of bytes; 0: the other end
 * is closed; -1: an error. */
static ssize_t receive_with(int socket, void *bytes, size_t size, int *passed)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {.space = {0}};
    struct iovec data = {bytes, size};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control};
    message.msg_controllen = CMSG_LEN(sizeof(int)); /* room for one descriptor */
    ssize_t got;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    *passed = -1;
    if (got >= 0 && message.msg_controllen >= CMSG_LEN(sizeof(int)) && control.head.cmsg_type == SCM_RIGHTS)
        memcpy(passed, CMSG_DATA(&control.head), sizeof *passed);
    return got;
}

/* --- Inside the sandbox --- */

/* Lets the helper create a draft. Returns 0 or an errno value. */
static int ask(size_t index, const char *name, mode_t mode, file_draft *draft)
{
    int ends[2], code = EIO, made = -1;
    request r = {.target = index, .mode = mode};
    if (snprintf(r.name, sizeof r.name, "%s", name) >= (int)sizeof r.name)
        return ENAMETOOLONG;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return errno;
    bool sent = send_with(helper.socket, &r, sizeof r, ends[1], 0);
    close(ends[1]);
    if (sent && receive_with(ends[0], &code, sizeof code, &made) == sizeof code && code == 0 && made >= 0) {
        draft->file = made;
        draft->link = fcntl(ends[0], F_DUPFD_CLOEXEC, 3); /* 0 means none */
        code = draft->link < 0 ? errno : 0;
    } else if (code == 0) {
        code = EIO;
    }
    close(ends[0]);
    if (code != 0 && made >= 0)
        close(made);
    return code;
}

/* Finds the target that a path belongs to, and its name below the target's folder. Returns NULL if there is
 * none. */
static target *find_target(const char *path, const char **name)
{
    for (const char *at = mmd_path_name(path);;) {
        char folder[MMD_FILE_PATH_MAX];
        struct stat about;
        if (snprintf(folder, sizeof folder, "%.*s", (int)(at - path), path) >= (int)sizeof folder)
            return NULL;
        bool exists = stat(at == path ? "." : folder, &about) == 0;
        for (size_t i = 0; exists && i < helper.count; i++) {
            target *t = &helper.targets[i];
            if (t->device == about.st_dev && t->node == about.st_ino && allows(t, *name = at))
                return t;
        }
        if (at == path)
            return NULL;
        for (at--; at > path && at[-1] != '/';)
            at--;
    }
}

/* Opens a draft through the helper (file_draft_helper). */
static int open_draft(file_draft *draft, const char *path, mode_t mode)
{
    const char *name;
    target *t = find_target(path, &name);
    if (!t)
        return FILE_DRAFT_OWN;
    if (mode != MODE || !atomic_exchange(&t->is_ready, false))
        return ask((size_t)(t - helper.targets), name, mode, draft);
    draft->file = t->file;
    draft->link = t->link;
    return 0;
}

/* Lets the helper put a draft in place or drop it. Returns 0 or an errno value. A handler of a signal may
 * call it. */
static int end_draft(int link, bool keeps)
{
    int code = EIO, none;
    char byte = (char)keeps;
    if (!send_with(link, &byte, 1, -1, 0) || receive_with(link, &code, sizeof code, &none) != sizeof code)
        code = EIO;
    return code;
}

/* Makes the drafts of single files, and leaves them open to this process and ffmpeg. */
static void make_ready(void)
{
    for (size_t i = 0; i < helper.count; i++) {
        target *t = &helper.targets[i];
        file_draft draft;
        char self[64];
        if (t->names != HELPER_FILE || ask(i, t->begin, MODE, &draft) != 0)
            continue;
        snprintf(self, sizeof self, "/proc/self/fd/%d", draft.file);
        sandbox_system_allow(self, MAY_READ | MAY_WRITE);
        t->file = draft.file;
        t->link = draft.link;
        atomic_store(&t->is_ready, true);
    }
}

/* --- Outside of the sandbox --- */

/* A draft of the process inside. */
typedef struct held_draft {
    file_draft draft;
    bool is_new;                  /* replaces nothing */
    int link, folder;             /* link -1: this one is free */
    char path[MMD_FILE_PATH_MAX]; /* through the descriptor of the folder */
} held_draft;

static held_draft held[DRAFTS_MAX];

/* Opens the folder of a name below a target's, where missing folders are created. Writes where in the name
 * its last part begins. Returns a descriptor, or -1 with errno set. */
static int open_folder(const target *t, char *name, const char **last)
{
    int folder = open(t->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (char *slash; folder >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
        *slash = '\0';
        mkdirat(folder, name, 0777);
        int below = openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(folder);
        folder = below;
    }
    *last = name;
    return folder;
}

static bool is_taken(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* Opens a draft for a request. Returns 0 or an errno value. */
static int hold(held_draft *h, request *r)
{
    const char *name;
    const target *t = &helper.targets[r->target];
    int code = 0;
    h->folder = open_folder(t, r->name, &name);
    if (h->folder < 0)
        return errno;
    h->is_new = t->names == HELPER_NEW;
    if (snprintf(h->path, sizeof h->path, "/proc/self/fd/%d/%s", h->folder, name) >= (int)sizeof h->path)
        code = ENAMETOOLONG;
    else if (h->is_new && is_taken(h->path))
        code = EEXIST;
    else if (!file_draft_open(&h->draft, h->path, r->mode & MODE))
        code = errno;
    if (code != 0)
        close(h->folder);
    return code;
}

/* Returns whether a descriptor from inside is one end of a connection of the kind that ask makes. Others
 * could stay readable for ever. */
static bool is_link(int file)
{
    int family = 0, kind = 0;
    socklen_t size = sizeof family;
    return getsockopt(file, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family == AF_UNIX &&
           getsockopt(file, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 && kind == SOCK_SEQPACKET;
}

/* Answers a request. Returns false when there is nobody left who could send one. */
static bool answer(int socket)
{
    request r;
    int link, code = EACCES;
    ssize_t got = receive_with(socket, &r, sizeof r, &link);
    held_draft *h = held;
    while (h < held + DRAFTS_MAX && h->link >= 0)
        h++;
    if (h == held + DRAFTS_MAX)
        code = EMFILE;
    else if (got == sizeof r && r.target < helper.count && memchr(r.name, '\0', sizeof r.name) &&
             allows(&helper.targets[r.target], r.name))
        code = is_link(link) ? hold(h, &r) : EINVAL;
    if (code == 0)
        h->link = link;
    if (link >= 0)
        send_with(link, &code, sizeof code, code == 0 ? h->draft.file : -1, MSG_DONTWAIT);
    if (code != 0 && link >= 0)
        close(link);
    return got != 0;
}

/* Puts a draft in place or drops it, as the process inside asks, or because that has ended. It does not wait:
 * a process inside could have kept this end of the connection, too, and received first. */
static void end_held(held_draft *h)
{
    char keeps = 0;
    int code = 0;
    struct stat about;
    ssize_t got = recv(h->link, &keeps, 1, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    bool exists = lstat(h->path, &about) == 0;
    if (got != 1 || !keeps) {
        file_draft_drop(&h->draft);
    } else if (exists && (h->is_new || !(S_ISREG(about.st_mode) || S_ISLNK(about.st_mode)))) {
        file_draft_drop(&h->draft);
        code = EEXIST;
    } else if (!file_draft_finish(&h->draft, h->path)) {
        code = errno;
    }
    if (got == 1)
        send_with(h->link, &code, sizeof code, -1, MSG_DONTWAIT);
    close(h->folder);
    close(h->link);
    h->link = -1;
}

/* Serves until the process inside says so, or has ended and all those that it started. */
static _Noreturn void serve(int socket)
{
    static struct pollfd polls[DRAFTS_MAX + 1];
    for (size_t i = 0; i < DRAFTS_MAX; i++)
        held[i].link = -1;
    do {
        polls[DRAFTS_MAX] = (struct pollfd){.fd = socket, .events = POLLIN};
        for (size_t i = 0; i < DRAFTS_MAX; i++)
            polls[i] = (struct pollfd){.fd = held[i].link, .events = POLLIN};
        while (poll(polls, DRAFTS_MAX + 1, -1) < 0)
            continue;
        for (size_t i = 0; i < DRAFTS_MAX; i++)
            if (polls[i].revents)
                end_held(&held[i]);
    } while (!polls[DRAFTS_MAX].revents || answer(socket));
    for (size_t i = 0; i < DRAFTS_MAX; i++)
        if (held[i].link >= 0)
            file_draft_drop(&held[i].draft);
    for (size_t i = helper.count; i-- > 0;)
        if (helper.targets[i].names == HELPER_EMPTY)
            rmdir(helper.targets[i].folder);
    _exit(0);
}

/* Gives up all that the new process shares with the one inside but the socket: files, pipes that others wait
 * for, the terminal and its signals. It has to outlive the other to clear up after it. Returns the socket. */
static int leave(int socket)
{
    int nothing = open("/dev/null", O_RDWR);
    setsid();
    for (size_t i = 0; i < ENDING_SIGNAL_COUNT; i++)
        signal(ending_signals[i], SIG_IGN);
    for (int i = 0; i < 3; i++)
        if (dup2(nothing, i) != i)
            close(i);
    if (dup2(socket, 3) != 3 || chdir("/") != 0)
        _exit(1);
    syscall(SYS_close_range, 4, ~0U, 0);
    return 3;
}

bool sandbox_helper_start(void)
{
    static const file_draft_helper functions = {open_draft, end_draft};
    int ends[2];
    if (helper.count == 0)
        return true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0)
        serve(leave(ends[1]));
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return false;
    }
    helper.socket = ends[0];
    helper.owner = getpid();
    helper.child = child;
    make_ready();
    file_draft_set_helper(&functions);
    return true;
}

void sandbox_helper_end(void)
{
    if (helper.child <= 0 || helper.owner != getpid())
        return;
    shutdown(helper.socket, SHUT_RDWR); /* also for processes that were forked */
    while (waitpid(helper.child, NULL, 0) < 0 && errno == EINTR)
        continue;
    helper.child = 0;
}
