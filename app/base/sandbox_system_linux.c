/*
 * The sandbox of Linux: Landlock for files (Linux 5.13), seccomp for sockets. The calls and numbers are those
 * of linux/landlock.h, which many systems have in an older version than their kernel. See landlock(7),
 * seccomp(2), and "Landlock: unprivileged access control" in the kernel's documentation.
 */
#define _GNU_SOURCE
#include "sandbox_system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- Landlock --- */

/* The numbers of the calls, the same on every architecture. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { ASK_VERSION = 1, RULE_PATH_BENEATH = 1 };

enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4,
    FS_REMOVE_FILE = 1 << 5,
    FS_MAKE_DIR = 1 << 7,
    FS_MAKE_REG = 1 << 8,
    FS_REFER = 1 << 13,     /* since version 2 */
    FS_TRUNCATE = 1 << 14,  /* 3 */
    FS_IOCTL_DEV = 1 << 15, /* 5 */
    NET_ALL = 3,            /* 4: binding and connecting of TCP */
    SCOPE_ALL = 3           /* 6: abstract sockets, signals */
};

/* Everything of version 1, then what each version added. */
enum { FS_FIRST = (1 << 13) - 1 };

/* Rights that apply to files; the others apply to folders only. */
enum { FS_OF_FILES = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV };

typedef struct ruleset_attributes {
    uint64_t files, net, scoped;
} ruleset_attributes;

typedef struct __attribute__((packed)) path_beneath {
    uint64_t allowed;
    int32_t parent;
} path_beneath;

static struct {
    long version; /* of Landlock; 0 or less: there is none */
    int ruleset;
    uint64_t handled; /* rights that the ruleset takes away unless a rule gives them */
} landlock = {.ruleset = -1};

bool sandbox_system_begin(void)
{
    landlock.version = syscall(CREATE_RULESET, NULL, (size_t)0, ASK_VERSION);
    if (landlock.version < 1)
        return false;
    landlock.handled = FS_FIRST | (landlock.version >= 2 ? FS_REFER : 0) |
                       (landlock.version >= 3 ? FS_TRUNCATE : 0) | (landlock.version >= 5 ? FS_IOCTL_DEV : 0);
    const ruleset_attributes attributes = {landlock.handled, NET_ALL, SCOPE_ALL};
    size_t size = landlock.version >= 6   ? sizeof attributes
                  : landlock.version >= 4 ? offsetof(ruleset_attributes, scoped)
                                          : offsetof(ruleset_attributes, net);
    landlock.ruleset = (int)syscall(CREATE_RULESET, &attributes, size, 0);
    return landlock.ruleset >= 0;
}

static uint64_t rights_of(unsigned may)
{
    uint64_t rights = 0;
    if (may & MAY_READ)
        rights |= FS_READ_FILE | FS_READ_DIR;
    if (may & MAY_WRITE)
        rights |= FS_WRITE_FILE | FS_TRUNCATE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG |
                  FS_REFER;
    if (may & MAY_EXECUTE)
        rights |= FS_EXECUTE;
    if (may & MAY_DEVICE)
        rights |= FS_READ_FILE | FS_READ_DIR | FS_WRITE_FILE | FS_IOCTL_DEV;
    if (may & MAY_LIST)
        rights |= FS_READ_DIR;
    return rights;
}

void sandbox_system_allow(const char *path, unsigned may)
{
    struct stat about;
    if (landlock.ruleset < 0)
        return;
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return;
    path_beneath rule = {rights_of(may) & landlock.handled, file};
    if (fstat(file, &about) == 0) {
        if (!S_ISDIR(about.st_mode))
            rule.allowed &= FS_OF_FILES;
        if (rule.allowed)
            syscall(ADD_RULE, landlock.ruleset, RULE_PATH_BENEATH, &rule, 0);
    }
    close(file);
}

/* --- seccomp --- */

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64 && defined(AUDIT_ARCH_RISCV64)
#define OWN_ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#if defined(OWN_ARCHITECTURE)

/* LeakSanitizer watches its own process with ptrace. */
#if defined(__SANITIZE_ADDRESS__)
#define NEEDS_PTRACE 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NEEDS_PTRACE 1
#endif
#endif

/* Calls that the headers of many systems do not have yet. The numbers are the same on every architecture. */
enum {
    OPENAT2 = 437,
    PIDFD_GETFD = 438,
    FCHMODAT2 = 452,
    SETXATTRAT = 463,
    REMOVEXATTRAT = 466,
    FILE_SETATTR = 469
};

/*
 * Calls with which a process reaches others, other file systems or the kernel, and those that change a file
 * past Landlock: its permissions, owner, times and attributes, and before version 3 its length. io_uring can
 * create sockets past the filter. The flags of openat2 are out of the filter's sight.
 */
static const unsigned refused_calls[] = {
#if defined(SYS_chmod)
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
    SYS_fchmod,
    SYS_fchmodat,
    FCHMODAT2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SETXATTRAT,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    SYS_truncate,
    OPENAT2,
    PIDFD_GETFD,
#if !defined(NEEDS_PTRACE)
    SYS_ptrace,
#endif
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_io_uring_setup,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_open_by_handle_at,
};
enum { REFUSED_CALLS = sizeof refused_calls / sizeof *refused_calls };

/* Calls of the other 32-bit interface of x86_64 have this bit. */
#define X32_BIT 0x40000000u

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define ALLOW       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
/* Goes on with the next instruction if the value that was loaded is equal, otherwise skips some. */
#define UNLESS_SKIP(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))
#define MASK(bits)                BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (bits))

/* The kind of a socket without its flags. */
#define SOCKET_KIND 0xfu

/* Refuses to empty a file that is not opened for writing, which Landlock permits before version 3. */
#define GUARD_OPEN(call, flags)                                                                              \
    UNLESS_SKIP(call, 6), LOAD(args[flags]), MASK(O_TRUNC | O_ACCMODE),                                      \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_TRUNC | O_RDONLY, 1, 0), UNLESS_SKIP(O_TRUNC | O_ACCMODE, 1),  \
        REFUSE, ALLOW

/* Returns whether the filter is installed. It looks at the low halves of arguments, as the kernel's own code
 * for int arguments does. */
static bool install_filter(bool local_sockets)
{
    const struct sock_filter first[] = {
        LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0), REFUSE,
        LOAD(nr),   BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1),          REFUSE,
    };
    const struct sock_filter last[] = {
        /* Sockets, except perhaps those between processes of this machine. Connected pairs lead nowhere, but
           those of datagrams, which can be sent to any name. */
        UNLESS_SKIP(SYS_socket, 4),
        LOAD(args[0]),
        UNLESS_SKIP(AF_UNIX, 1),
        BPF_STMT(BPF_RET | BPF_K, local_sockets ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM),
        REFUSE,
        UNLESS_SKIP(SYS_socketpair, 8),
        LOAD(args[0]),
        UNLESS_SKIP(AF_UNIX, 5),
        LOAD(args[1]),
        MASK(SOCKET_KIND),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 1, 0),
        UNLESS_SKIP(SOCK_SEQPACKET, 1),
        ALLOW,
        REFUSE,
        GUARD_OPEN(SYS_openat, 2),
#if defined(SYS_open)
        GUARD_OPEN(SYS_open, 1),
#endif
        /* Limits of other processes: one of CPU time would end them. */
        UNLESS_SKIP(SYS_prlimit64, 4),
        LOAD(args[0]),
        UNLESS_SKIP(0, 1),
        ALLOW,
        REFUSE,
        /* Typing into the terminal. */
        UNLESS_SKIP(SYS_ioctl, 5),
        LOAD(args[1]),
        UNLESS_SKIP(TIOCSTI, 1),
        REFUSE,
        UNLESS_SKIP(TIOCLINUX, 1),
        REFUSE,
        ALLOW,
    };
    enum { FIRST = sizeof first / sizeof *first, LAST = sizeof last / sizeof *last };
    struct sock_filter code[FIRST + 2 * REFUSED_CALLS + LAST];
    size_t count = FIRST;
    memcpy(code, first, sizeof first);
    for (size_t i = 0; i < REFUSED_CALLS; i++) {
        code[count++] = (struct sock_filter)UNLESS_SKIP(refused_calls[i], 1);
        code[count++] = (struct sock_filter)REFUSE;
    }
    memcpy(code + count, last, sizeof last);
    const struct sock_fprog program = {(unsigned short)(count + LAST), code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

static bool install_filter(bool local_sockets)
{
    (void)local_sockets;
    return false;
}

#endif

/* --- Entering --- */

const char *sandbox_system_enter(bool local_sockets)
{
    static char how[64];
    bool files = false, may = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (landlock.ruleset >= 0) {
        files = may && syscall(RESTRICT_SELF, landlock.ruleset, 0) == 0;
        close(landlock.ruleset);
        landlock.ruleset = -1;
    }
    bool sockets = may && install_filter(local_sockets);
    *how = '\0';
    if (files)
        snprintf(how, sizeof how, "Landlock %ld%s", landlock.version, sockets ? ", " : "");
    if (sockets)
        strcat(how, "seccomp");
    return how;
}
