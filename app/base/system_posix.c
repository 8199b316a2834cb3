/*
 * The layer of the system for POSIX (system.h), with what Linux offers besides. memfd_create, pipe2, prlimit
 * and the child's folder need _GNU_SOURCE, which changes the meaning of other functions in other files.
 */
#define _GNU_SOURCE
#include "system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "signals_posix.h"

extern char **environ;

/* -------------------------------------------------------------------- the program */

static char **arguments_given;

/*
 * Makes the C library keep freed memory instead of returning it to the kernel. A software GL driver allocates
 * and frees the same megabytes in every frame; keeping them saves a sixth of the frame (measured on
 * llvmpipe). All threads take from one store, so that what one of them has freed, such as decoded textures,
 * serves the others. Addresses for most of what a scene with textures takes are reserved at once, so that
 * their memory may come in huge pages: in small ones, first writes are a third of a model's first frame.
 */
static void keep_freed_memory(void)
{
#if defined(__GLIBC__)
    enum { KEPT = 256 << 20, RESERVED = 240 << 20 };
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TRIM_THRESHOLD, KEPT);
    mallopt(M_MMAP_THRESHOLD, KEPT);
#if defined(MADV_HUGEPAGE)
    char *reserved = malloc(RESERVED);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (reserved)
        madvise(reserved + (page - (uintptr_t)reserved % page), RESERVED - page, MADV_HUGEPAGE);
    free(reserved);
#endif
#endif
}

void system_begin(int *argc, char ***argv)
{
    (void)argc;
    keep_freed_memory();
    arguments_given = *argv;
}

const char *const *system_arguments(void)
{
    return (const char *const *)arguments_given;
}

bool system_program_path(char path[MMD_FILE_PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, MMD_FILE_PATH_MAX - 1);
    if (length <= 0)
        return false;
    path[length] = '\0';
    return true;
}

bool system_find_folder(system_folder which, char path[MMD_FILE_PATH_MAX])
{
    static const struct {
        const char *variable, *below_home;
    } places[] = {
        [SYSTEM_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
        [SYSTEM_STATE] = {"XDG_STATE_HOME", ".local/state"},
        [SYSTEM_CACHE] = {"XDG_CACHE_HOME", ".cache"},
        [SYSTEM_TEMPORARY] = {"TMPDIR", NULL},
    };
    const char *given = getenv(places[which].variable), *below = places[which].below_home,
               *home = getenv("HOME");
    if (given && *given == '/') /* the XDG specification has relative ones ignored */
        return snprintf(path, MMD_FILE_PATH_MAX, "%s", given) < MMD_FILE_PATH_MAX;
    if (!below)
        return snprintf(path, MMD_FILE_PATH_MAX, "/tmp") > 0;
    return home && *home == '/' &&
           snprintf(path, MMD_FILE_PATH_MAX, "%s/%s", home, below) < MMD_FILE_PATH_MAX;
}

void system_name_tidy(char *name)
{
    while ((name = strchr(name, '/')))
        *name++ = '_';
}

bool system_set_variable(const char *name, const char *value)
{
    return (value ? setenv(name, value, 1) : unsetenv(name)) == 0;
}

bool system_is_japanese(void)
{
    return false;
}

unsigned system_core_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}

uint64_t system_memory_in_use(void)
{
    unsigned long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &all, &resident) != 2)
        resident = 0;
    fclose(file);
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t system_memory_peak(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

bool system_is_terminal(int file)
{
    return isatty(file) != 0;
}

/* -------------------------------------------------------------------- the end of the program */

static void (*cleaning)(void);
static void (*ringing)(void);

static void clean_and_end(int number)
{
    cleaning();
    signal(number, SIG_DFL);
    raise(number);
}

void system_on_end(void (*clean)(void))
{
    struct sigaction action = {.sa_handler = clean_and_end}, old;
    cleaning = clean;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ENDING_SIGNAL_COUNT; i++)
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(ending_signals[i], &action, NULL);
}

static void on_timer(int number)
{
    (void)number;
    ringing();
}

void system_set_timer(double seconds, void (*ring)(void))
{
    const struct itimerval after = {
        .it_value = {(time_t)seconds, (suseconds_t)(1e6 * (seconds - floor(seconds)))}};
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    if (seconds > 0) {
        ringing = ring;
        sigemptyset(&action.sa_mask);
        sigaction(SIGALRM, &action, NULL);
    }
    setitimer(ITIMER_REAL, &after, NULL);
}

void system_ignore_broken_pipes(void)
{
    signal(SIGPIPE, SIG_IGN);
}

bool system_write(int file, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t wrote = write(file, at, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        at += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

_Noreturn void system_exit(int code)
{
    _exit(code);
}

void system_sleep(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

/* -------------------------------------------------------------------- streams */

FILE *system_scratch_file(void)
{
#if defined(MFD_CLOEXEC)
    int memory = memfd_create("odori", 0); /* child processes inherit it, for system_scratch_path */
    FILE *file = memory < 0 ? NULL : fdopen(memory, "w+b");
    if (file)
        return file;
    if (memory >= 0)
        close(memory);
#endif
    return tmpfile();
}

bool system_scratch_path(FILE *file, char path[MMD_FILE_PATH_MAX])
{
    return snprintf(path, MMD_FILE_PATH_MAX, "/dev/fd/%d", fileno(file)) > 0;
}

int system_duplicate(int file)
{
    return fcntl(file, F_DUPFD_CLOEXEC, 3);
}

bool system_link(const char *path, const char *name)
{
    return link(path, name) == 0;
}

int system_lock_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 || platform_lock(folder))
        return folder;
    int number = errno;
    close(folder);
    errno = number;
    return -1;
}

bool system_memory_open(system_memory *memory)
{
    *memory = (system_memory){0};
    memory->stream = open_memstream(&memory->text, &memory->size);
    return memory->stream != NULL;
}

char *system_memory_close(system_memory *memory)
{
    char *text = NULL;
    if (memory->stream) {
        int failed = ferror(memory->stream);
        if (fclose(memory->stream) == 0 && !failed)
            text = memory->text;
        else
            free(memory->text);
    }
    memory->stream = NULL;
    memory->text = NULL;
    return text;
}

/* -------------------------------------------------------------------- pipes */

bool system_pipe(int ends[2])
{
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC) == 0;
#else
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
#endif
}

bool system_wait_readable(const int files[], bool ready[], size_t count, double seconds)
{
    enum { FEW = 64 };
    struct pollfd few[FEW], *polls = count <= FEW ? few : malloc(count * sizeof *polls);
    if (!polls)
        return false;
    for (size_t i = 0; i < count; i++)
        polls[i] = (struct pollfd){.fd = files[i], .events = POLLIN};
    double milliseconds = ceil(seconds * 1000);
    int result = poll(polls, (nfds_t)count,
                      seconds < 0          ? -1
                      : milliseconds > 1e9 ? 1000000000
                                           : (int)milliseconds);
    int number = errno;
    for (size_t i = 0; i < count; i++)
        ready[i] = result > 0 && polls[i].revents != 0;
    if (polls != few)
        free(polls);
    errno = number;
    return result >= 0 || number == EINTR;
}

/* -------------------------------------------------------------------- child processes */

/* Adds what the first descriptors of a program are. files: copies above all of those, so that none is
 * overwritten before it is copied. */
static int add_files(posix_spawn_file_actions_t *actions, const int files[SYSTEM_FILES], const char *folder)
{
    int code = 0;
    for (int i = 0; i < SYSTEM_FILES && code == 0; i++) {
        if (files[i] >= 0)
            code = posix_spawn_file_actions_adddup2(actions, files[i], i);
        else if (i < 3)
            code = posix_spawn_file_actions_addopen(actions, i, "/dev/null", i == 0 ? O_RDONLY : O_WRONLY, 0);
    }
#if defined(__linux__)
    if (folder && code == 0)
        code = posix_spawn_file_actions_addchdir_np(actions, folder);
#else
    if (folder)
        code = ENOSYS;
#endif
    return code;
}

/* Starts a program with no signal blocked or SIGPIPE ignored. Returns 0 or an errno value. */
static int spawn(pid_t *id, const char *const arguments[], const int files[SYSTEM_FILES],
                 const system_start *how)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, piped;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        sigemptyset(&none);
        sigemptyset(&piped);
        sigaddset(&piped, SIGPIPE);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &piped);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                      (how->background ? POSIX_SPAWN_SETPGROUP : 0)));
        code = add_files(&actions, files, how->folder);
        if (code == 0) /* posix_spawnp does not modify the arguments. */
            code = posix_spawnp(id, arguments[0], &actions, &attributes, (char *const *)(uintptr_t)arguments,
                                environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Sets what a child process may use. */
static void limit(pid_t id, const system_start *how)
{
    enum { NICENESS = 10 };
    if (how->background)
        setpriority(PRIO_PROCESS, (id_t)id, NICENESS);
#if defined(__linux__)
    const struct rlimit memory = {.rlim_cur = how->memory_max, .rlim_max = how->memory_max};
    const struct rlimit computing = {.rlim_cur = how->computing_max, .rlim_max = how->computing_max + 1};
    if (how->memory_max)
        prlimit(id, RLIMIT_AS, &memory, NULL);
    if (how->computing_max)
        prlimit(id, RLIMIT_CPU, &computing, NULL);
#endif
}

bool system_process_start(system_process *process, const char *const arguments[], const system_start *how)
{
    enum { HIGH = 16 };
    int copies[SYSTEM_FILES], code = 0;
    pid_t id = 0;
    *process = (system_process){0};
    for (int i = 0; i < SYSTEM_FILES; i++) {
        copies[i] = how->files[i] < 0 ? -1 : fcntl(how->files[i], F_DUPFD_CLOEXEC, HIGH);
        if (how->files[i] >= 0 && copies[i] < 0 && code == 0)
            code = errno;
    }
    if (code == 0)
        code = spawn(&id, arguments, copies, how);
    for (int i = 0; i < SYSTEM_FILES; i++)
        if (copies[i] >= 0)
            close(copies[i]);
    if (code != 0) {
        errno = code;
        return false;
    }
    limit(id, how);
    process->id = id;
    return true;
}

/* Turns a status of waitpid into an exit code. */
static int code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : WIFSIGNALED(status) ? -WTERMSIG(status) : SYSTEM_LOST;
}

int system_process_wait(system_process *process)
{
    int status = 0;
    pid_t id = (pid_t)process->id, ended = -1;
    *process = (system_process){0};
    if (id > 0)
        while ((ended = waitpid(id, &status, 0)) < 0 && errno == EINTR)
            continue;
    return ended == id ? code_of(status) : SYSTEM_LOST;
}

bool system_process_has_ended(system_process *process, int *code)
{
    int status = 0;
    pid_t id = (pid_t)process->id, ended = id > 0 ? waitpid(id, &status, WNOHANG) : -1;
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    *code = ended == id ? code_of(status) : SYSTEM_LOST;
    *process = (system_process){0};
    return true;
}

void system_process_kill(const system_process *process)
{
    /* There is a group of this number if the process was started in the background. */
    if (process->id > 0 && kill(-(pid_t)process->id, SIGKILL) != 0)
        kill((pid_t)process->id, SIGKILL);
}

bool system_file_name(int file, char name[32])
{
    return snprintf(name, 32, "/dev/fd/%d", file) > 0;
}

const char system_ffmpeg_advice[] = "on Debian: apt-get install ffmpeg";

/* -------------------------------------------------------------------- plug-ins */

const char system_library_ending[] = ".so";

void *system_library_open(const char *path, char *error, size_t capacity)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        snprintf(error, capacity, "%s", dlerror());
    return library;
}

void *system_library_symbol(void *library, const char *name)
{
    return dlsym(library, name);
}

void system_library_close(void *library)
{
    dlclose(library);
}
