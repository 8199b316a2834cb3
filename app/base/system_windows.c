/*
 * The layer of the system for Windows (system.h), with wide functions throughout. Child processes get their
 * descriptors as the C libraries of Microsoft hand them on: a block in STARTUPINFO with a flag and a handle
 * for each. Nothing else is inherited.
 */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <windows.h>

#include <knownfolders.h>
#include <psapi.h>
#include <shellapi.h>
#include <shlobj.h>

#include "mmd/memory.h"
#include "mmd/platform_windows.h"

/* What processes are ended with: by system_process_kill, and by abort. */
#define KILLED  0xE0000009u
#define ABORTED 0xC0000409u

/* Arguments are taken as they are, without the C library's wildcards. */
extern int _CRT_glob;
int _CRT_glob = 0;

/* -------------------------------------------------------------------- the program */

static char **arguments_given;

/* The code pages of the console before this program, which belong to all programs on it. */
static struct {
    HANDLE shared; /* open in every process of this program on the console */
    wchar_t name[64];
    UINT input, output;
} code_pages;

/* Has the console take and print UTF-8. The first process of this program on it leaves the code pages that it
 * found to the others. */
static void take_console(void)
{
    swprintf(code_pages.name, sizeof code_pages.name / sizeof *code_pages.name, L"Local\\odori-console-%p",
             (void *)GetConsoleWindow());
    code_pages.input = GetConsoleCP();
    code_pages.output = GetConsoleOutputCP();
    code_pages.shared = code_pages.output ? CreateFileMappingW(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0,
                                                               2 * sizeof(UINT), code_pages.name)
                                          : NULL;
    const bool is_first = GetLastError() != ERROR_ALREADY_EXISTS;
    UINT *pages = code_pages.shared ? MapViewOfFile(code_pages.shared, FILE_MAP_WRITE, 0, 0, 0) : NULL;
    if (pages && is_first) {
        pages[0] = code_pages.input;
        pages[1] = code_pages.output;
    } else if (pages && pages[1]) {
        code_pages.input = pages[0];
        code_pages.output = pages[1];
    }
    if (pages)
        UnmapViewOfFile(pages);
    SetConsoleCP(CP_UTF8);
    SetConsoleOutputCP(CP_UTF8);
}

/* Gives the console its code pages back, unless another process of this program still prints there. */
static void leave_console(void)
{
    HANDLE shared = InterlockedExchangePointer(&code_pages.shared, NULL);
    if (!shared)
        return;
    CloseHandle(shared);
    shared = OpenFileMappingW(FILE_MAP_READ, FALSE, code_pages.name);
    if (shared) {
        CloseHandle(shared);
        return;
    }
    SetConsoleCP(code_pages.input);
    SetConsoleOutputCP(code_pages.output);
}

/* Ends the process as a crash would, instead of with a code of its own. */
static void on_abort(int number)
{
    (void)number;
    leave_console();
    TerminateProcess(GetCurrentProcess(), ABORTED);
}

/* Ends the process with the code of an exception that nobody handles, without a debugger or a window. */
static LONG WINAPI on_exception(EXCEPTION_POINTERS *exception)
{
    leave_console();
    TerminateProcess(GetCurrentProcess(), exception->ExceptionRecord->ExceptionCode);
    return EXCEPTION_EXECUTE_HANDLER;
}

static void (*cleaning)(void);
static void remove_all_copies(void);

/* Runs on a thread of the system, which ends the process afterwards. */
static BOOL WINAPI on_console(DWORD event)
{
    (void)event;
    if (cleaning)
        cleaning();
    remove_all_copies();
    leave_console();
    return FALSE;
}

/* Returns the arguments in UTF-8, or NULL when out of memory. They are never freed. */
static char **read_arguments(int *count)
{
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), count);
    char **arguments = wide ? malloc(((size_t)*count + 1) * sizeof *arguments) : NULL;
    for (int i = 0; arguments && i < *count; i++) {
        int size = WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, NULL, 0, NULL, NULL);
        arguments[i] = malloc((size_t)size + 1);
        if (!arguments[i])
            return NULL;
        WideCharToMultiByte(CP_UTF8, 0, wide[i], -1, arguments[i], size, NULL, NULL);
    }
    LocalFree(wide);
    if (arguments)
        arguments[*count] = NULL;
    return arguments;
}

void system_begin(int *argc, char ***argv)
{
    int count = 0;
    char **arguments = read_arguments(&count);
    if (arguments) {
        *argc = count;
        *argv = arguments;
    }
    arguments_given = *argv;
    for (int i = 0; i < 3; i++)
        _setmode(i, _O_BINARY);
    take_console();
    atexit(leave_console);
    SetConsoleCtrlHandler(on_console, TRUE);
    /* What crashes ends, and its parent is told; no window waits for somebody to close it. */
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    SetUnhandledExceptionFilter(on_exception);
    signal(SIGABRT, on_abort);
}

const char *const *system_arguments(void)
{
    return (const char *const *)arguments_given;
}

bool system_program_path(char path[MMD_FILE_PATH_MAX])
{
    wchar_t wide[MMD_FILE_PATH_MAX];
    char given[MMD_FILE_PATH_MAX];
    DWORD length = GetModuleFileNameW(NULL, wide, MMD_FILE_PATH_MAX);
    return length > 0 && length < MMD_FILE_PATH_MAX && platform_narrow_path(wide, given) &&
           platform_path_resolve(given, path);
}

bool system_find_folder(system_folder which, char path[MMD_FILE_PATH_MAX])
{
    wchar_t wide[MMD_FILE_PATH_MAX], *known = NULL;
    DWORD length = which == SYSTEM_TEMPORARY
                       ? GetTempPathW(MMD_FILE_PATH_MAX, wide)
                       : GetEnvironmentVariableW(which == SYSTEM_CONFIG ? L"APPDATA" : L"LOCALAPPDATA", wide,
                                                 MMD_FILE_PATH_MAX);
    bool found = length > 0 && length < MMD_FILE_PATH_MAX && platform_narrow_path(wide, path);
    if (!found && which != SYSTEM_TEMPORARY) {
        found =
            SHGetKnownFolderPath(which == SYSTEM_CONFIG ? &FOLDERID_RoamingAppData : &FOLDERID_LocalAppData,
                                 0, NULL, &known) == S_OK &&
            platform_narrow_path(known, path);
        CoTaskMemFree(known);
    }
    size_t end = found ? strlen(path) : 0;
    if (end > platform_path_root(path) && path[end - 1] == '/')
        path[end - 1] = '\0';
    return found;
}

void system_name_tidy(char *name)
{
    size_t length = strlen(name);
    for (char *c = name; *c; c++)
        if ((unsigned char)*c < 0x20 || strchr("<>:\"/\\|?*", *c))
            *c = '_';
    if (length && (name[length - 1] == '.' || name[length - 1] == ' '))
        name[length - 1] = '_';
}

bool system_set_variable(const char *name, const char *value)
{
    wchar_t *wide_name = platform_wide_text(name), *wide_value = platform_wide_text(value ? value : "");
    bool done = wide_name && wide_value && _wputenv_s(wide_name, wide_value) == 0;
    mmd_free(wide_name);
    mmd_free(wide_value);
    return done;
}

bool system_is_japanese(void)
{
    return PRIMARYLANGID(GetUserDefaultUILanguage()) == LANG_JAPANESE;
}

unsigned system_core_count(void)
{
    DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return count < 1 ? 1 : (unsigned)count;
}

static PROCESS_MEMORY_COUNTERS memory_counters(void)
{
    PROCESS_MEMORY_COUNTERS counters = {.cb = sizeof counters};
    K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
    return counters;
}

uint64_t system_memory_in_use(void)
{
    return memory_counters().WorkingSetSize;
}

uint64_t system_memory_peak(void)
{
    return memory_counters().PeakWorkingSetSize;
}

bool system_is_terminal(int file)
{
    HANDLE console = (HANDLE)_get_osfhandle(file);
    DWORD mode;
    return GetConsoleMode(console, &mode) &&
           ((mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) ||
            SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING));
}

/* -------------------------------------------------------------------- the end of the program */

static void (*ringing)(void);

void system_on_end(void (*clean)(void))
{
    cleaning = clean;
}

static void CALLBACK on_timer(void *context, BOOLEAN fired)
{
    (void)context, (void)fired;
    ringing();
}

void system_set_timer(double seconds, void (*ring)(void))
{
    static HANDLE timer;
    double milliseconds = ceil(1000 * seconds);
    if (timer)
        (void)!DeleteTimerQueueTimer(NULL, timer, NULL);
    timer = NULL;
    if (!(seconds > 0))
        return; /* the old one may be about to ring */
    ringing = ring;
    CreateTimerQueueTimer(&timer, NULL, on_timer, NULL,
                          milliseconds < 4e9 ? (DWORD)milliseconds : INFINITE - 1, 0, WT_EXECUTEONLYONCE);
}

void system_ignore_broken_pipes(void) {}

bool system_write(int file, const void *data, size_t size)
{
    enum { PIECE = 1 << 20 };
    const char *at = data;
    while (size > 0) {
        int wrote = _write(file, at, size < PIECE ? (unsigned)size : PIECE);
        if (wrote <= 0)
            return false;
        at += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

_Noreturn void system_exit(int code)
{
    leave_console();
    TerminateProcess(GetCurrentProcess(), (UINT)code);
    for (;;)
        Sleep(INFINITE);
}

void system_sleep(double seconds)
{
    Sleep((DWORD)ceil(1000 * fmin(fmax(seconds, 0), 4e6)));
}

/* -------------------------------------------------------------------- streams */

/* Writes the folder of temporary files, with a separator at its end. */
static bool find_temporary(wchar_t folder[MAX_PATH + 1])
{
    const DWORD length = GetTempPathW(MAX_PATH + 1, folder);
    return length > 0 && length <= MAX_PATH;
}

/* Creates a file in the folder of temporary ones, "odori-KIND-NUMBER.tmp". shared: what others may do
 * meanwhile. flags: FILE_FLAG_DELETE_ON_CLOSE or 0. Returns a handle or INVALID_HANDLE_VALUE. */
static HANDLE create_temporary(wchar_t path[MMD_FILE_PATH_MAX], const wchar_t *kind, DWORD shared,
                               DWORD flags)
{
    wchar_t folder[MAX_PATH + 1];
    uint64_t number;
    if (!find_temporary(folder) || !platform_random(&number, sizeof number))
        return INVALID_HANDLE_VALUE;
    _snwprintf(path, MMD_FILE_PATH_MAX, L"%lsodori-%ls-%016I64x.tmp", folder, kind, number);
    return CreateFileW(path, GENERIC_READ | GENERIC_WRITE | (flags ? DELETE : 0), shared, NULL, CREATE_NEW,
                       FILE_ATTRIBUTE_TEMPORARY | flags, NULL);
}

/*
 * Copies of scratch files that child processes can open, since they cannot open a file that is gone when it
 * is closed. They are removed at the end, or when another file takes the place of the stream. Until then this
 * process has them open, so that nobody else removes them; those of a process that was killed are removed by
 * the next one that makes a copy.
 */
enum { COPIES_MAX = 64 };

static struct {
    SRWLOCK lock;
    bool is_registered;
    struct {
        FILE *of; /* NULL: this one is free */
        HANDLE open;
        wchar_t path[MMD_FILE_PATH_MAX];
    } items[COPIES_MAX];
} copies = {.lock = SRWLOCK_INIT};

/* Removes the copies of a stream; NULL: all. */
static void remove_copies(const FILE *of)
{
    AcquireSRWLockExclusive(&copies.lock);
    for (size_t i = 0; i < COPIES_MAX; i++) {
        if (!copies.items[i].of || (of && copies.items[i].of != of))
            continue;
        CloseHandle(copies.items[i].open);
        DeleteFileW(copies.items[i].path);
        copies.items[i].of = NULL;
    }
    ReleaseSRWLockExclusive(&copies.lock);
}

static void remove_all_copies(void)
{
    remove_copies(NULL);
}

/* Removes the copies that killed processes have left. Those of running ones cannot be removed. */
static void remove_left_copies(void)
{
    wchar_t folder[MAX_PATH + 1], path[2 * MAX_PATH + 1];
    WIN32_FIND_DATAW found;
    if (!find_temporary(folder))
        return;
    _snwprintf(path, sizeof path / sizeof *path, L"%lsodori-copy-*.tmp", folder);
    HANDLE list = FindFirstFileW(path, &found);
    for (bool more = list != INVALID_HANDLE_VALUE; more; more = FindNextFileW(list, &found)) {
        _snwprintf(path, sizeof path / sizeof *path, L"%ls%ls", folder, found.cFileName);
        DeleteFileW(path);
    }
    if (list != INVALID_HANDLE_VALUE)
        FindClose(list);
}

FILE *system_scratch_file(void)
{
    wchar_t path[MMD_FILE_PATH_MAX];
    HANDLE handle = create_temporary(path, L"scratch", FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                     FILE_FLAG_DELETE_ON_CLOSE);
    int file = handle == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)handle, _O_RDWR | _O_BINARY);
    FILE *stream = file < 0 ? NULL : _fdopen(file, "w+b");
    if (handle == INVALID_HANDLE_VALUE)
        platform_fail();
    else if (file < 0)
        CloseHandle(handle);
    else if (!stream)
        _close(file);
    if (stream)
        remove_copies(stream);
    return stream;
}

/* Writes what a file has to another one. */
static bool copy_to(HANDLE to, int file)
{
    enum { PIECE = 65536 };
    char bytes[PIECE];
    size_t got;
    DWORD wrote;
    for (uint64_t at = 0; platform_read_at(file, bytes, sizeof bytes, at, &got); at += got) {
        if (got == 0)
            return true;
        if (!WriteFile(to, bytes, (DWORD)got, &wrote, NULL) || wrote != got)
            return platform_fail();
    }
    return false;
}

/* Makes a copy of a file at a place. Returns false with nothing left of it. */
static bool make_copy(size_t place, FILE *file)
{
    wchar_t *path = copies.items[place].path;
    HANDLE copy = create_temporary(path, L"copy", FILE_SHARE_READ | FILE_SHARE_WRITE, 0), open;
    if (copy == INVALID_HANDLE_VALUE)
        return platform_fail();
    /* Readers that let nobody write meanwhile can open it only while this process does not write. */
    bool done = copy_to(copy, _fileno(file));
    open = done ? CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0,
                              NULL)
                : INVALID_HANDLE_VALUE;
    CloseHandle(copy);
    if (open == INVALID_HANDLE_VALUE) {
        DeleteFileW(path);
        return false;
    }
    copies.items[place].of = file;
    copies.items[place].open = open;
    return true;
}

bool system_scratch_path(FILE *file, char path[MMD_FILE_PATH_MAX])
{
    size_t place = COPIES_MAX;
    AcquireSRWLockExclusive(&copies.lock);
    if (!copies.is_registered) {
        copies.is_registered = atexit(remove_all_copies) == 0;
        remove_left_copies();
    }
    for (size_t i = 0; i < COPIES_MAX && (place == COPIES_MAX || !copies.items[place].of); i++)
        if (copies.items[i].of == file || (!copies.items[i].of && place == COPIES_MAX))
            place = i;
    const bool done = place < COPIES_MAX && (copies.items[place].of || make_copy(place, file)) &&
                      platform_narrow_path(copies.items[place].path, path);
    ReleaseSRWLockExclusive(&copies.lock);
    return done;
}

int system_duplicate(int file)
{
    enum { STANDARD = 3 };
    int below[STANDARD], count = 0, copy = _dup(file);
    while (copy >= 0 && copy < STANDARD && count < STANDARD) {
        below[count++] = copy;
        copy = _dup(file);
    }
    while (count > 0)
        _close(below[--count]);
    return copy;
}

bool system_link(const char *path, const char *name)
{
    wchar_t *from = platform_long_path(path), *to = platform_long_path(name);
    bool done = from && to && (CreateHardLinkW(to, from, NULL) || platform_fail());
    mmd_free(from);
    mmd_free(to);
    return done;
}

/* A handle of the folder itself that shares no writing would be a lock, too, but then nobody could rename
 * files into the folder: Windows opens it for writing meanwhile (Wine does not). So a file elsewhere stands
 * for it. */
int system_lock_folder(const char *path)
{
    wchar_t folder[MAX_PATH + 1], name[MMD_FILE_PATH_MAX];
    platform_info info;
    if (!platform_stat(path, &info))
        return -1;
    if (info.kind != PLATFORM_FOLDER || !find_temporary(folder)) {
        errno = info.kind != PLATFORM_FOLDER ? ENOTDIR : ENOENT;
        return -1;
    }
    _snwprintf(name, MMD_FILE_PATH_MAX, L"%lsodori-%08I64x-%016I64x.lock", folder, info.device, info.node);
    HANDLE handle = CreateFileW(name, GENERIC_WRITE, 0, NULL, OPEN_ALWAYS,
                                FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        const bool is_locked = GetLastError() == ERROR_SHARING_VIOLATION;
        platform_fail();
        errno = is_locked ? EWOULDBLOCK : errno;
        return -1;
    }
    int file = _open_osfhandle((intptr_t)handle, _O_RDONLY | _O_NOINHERIT);
    if (file < 0)
        CloseHandle(handle);
    return file;
}

bool system_memory_open(system_memory *memory)
{
    *memory = (system_memory){.stream = system_scratch_file()};
    return memory->stream != NULL;
}

char *system_memory_close(system_memory *memory)
{
    char *text = NULL;
    if (!memory->stream)
        return NULL;
    if (fflush(memory->stream) == 0 && !ferror(memory->stream)) {
        int64_t size = _ftelli64(memory->stream);
        size_t got = 0;
        text = size < 0 ? NULL : malloc((size_t)size + 1);
        if (text && (!platform_read_at(_fileno(memory->stream), text, (size_t)size, 0, &got) ||
                     got != (size_t)size)) {
            free(text);
            text = NULL;
        }
        if (text) {
            text[got] = '\0';
            memory->size = got;
        }
    }
    fclose(memory->stream);
    memory->stream = NULL;
    return text;
}

/* -------------------------------------------------------------------- pipes */

bool system_pipe(int ends[2])
{
    enum { CAPACITY = 1 << 20 };
    return _pipe(ends, CAPACITY, _O_BINARY | _O_NOINHERIT) == 0;
}

/* Returns whether a pipe can be read, or has ended. */
static bool is_readable(int file)
{
    DWORD available = 0;
    return !PeekNamedPipe((HANDLE)_get_osfhandle(file), NULL, 0, NULL, &available, NULL) || available > 0;
}

bool system_wait_readable(const int files[], bool ready[], size_t count, double seconds)
{
    enum { QUICK = 200, SOON = 1000 }; /* looks without a pause, and looks with a short one */
    const ULONGLONG begun = GetTickCount64();
    bool found = false;
    for (unsigned looks = 0; !found; looks++) {
        for (size_t i = 0; i < count; i++) {
            ready[i] = files[i] >= 0 && is_readable(files[i]);
            found |= ready[i];
        }
        if (found || (seconds >= 0 && (double)(GetTickCount64() - begun) >= 1000 * seconds))
            break;
        Sleep(looks < QUICK ? 0 : looks < SOON ? 1 : 10);
    }
    return true;
}

/* -------------------------------------------------------------------- child processes */

/* The groups of processes that were started in the background. */
enum { GROUPS_MAX = 64 };

static struct {
    SRWLOCK lock;
    struct {
        intptr_t id;
        HANDLE job;
    } items[GROUPS_MAX];
} groups = {.lock = SRWLOCK_INIT};

static void keep_group(intptr_t id, HANDLE job)
{
    size_t i = 0;
    AcquireSRWLockExclusive(&groups.lock);
    while (i < GROUPS_MAX && groups.items[i].job)
        i++;
    if (i < GROUPS_MAX) {
        groups.items[i].id = id;
        groups.items[i].job = job;
    } else {
        CloseHandle(job);
    }
    ReleaseSRWLockExclusive(&groups.lock);
}

/* Forgets the group of a process that has ended. */
static void drop_group(intptr_t id)
{
    AcquireSRWLockExclusive(&groups.lock);
    for (size_t i = 0; i < GROUPS_MAX; i++) {
        if (!groups.items[i].job || groups.items[i].id != id)
            continue;
        CloseHandle(groups.items[i].job);
        groups.items[i].job = NULL;
    }
    ReleaseSRWLockExclusive(&groups.lock);
}

/* Creates a group with the limits of a start, or returns NULL if there is none to be. */
static HANDLE create_group(const system_start *how)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    if (!how->background && !how->memory_max && !how->computing_max)
        return NULL;
    HANDLE job = CreateJobObjectW(NULL, NULL);
    if (how->memory_max) {
        limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
        limits.ProcessMemoryLimit = (SIZE_T)how->memory_max;
    }
    if (how->computing_max) {
        limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_TIME;
        limits.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart =
            (LONGLONG)how->computing_max * 10000000;
    }
    if (job)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

/* A text that grows. failed: with errno set. */
typedef struct wide_text {
    wchar_t *text;
    size_t length, room;
    bool failed;
} wide_text;

static void put(wide_text *t, wchar_t c)
{
    if (t->length == t->room) {
        size_t room = t->room ? 2 * t->room : 256;
        wchar_t *grown = mmd_realloc(t->text, room * sizeof *grown);
        t->failed |= !grown;
        errno = grown ? errno : ENOMEM;
        t->text = grown ? grown : t->text;
        t->room = grown ? room : t->room;
    }
    if (!t->failed)
        t->text[t->length++] = c;
}

/* Adds an argument as CommandLineToArgvW takes it apart: backslashes before a quote are doubled. */
static void put_argument(wide_text *t, const wchar_t *argument)
{
    size_t slashes = 0;
    if (t->length)
        put(t, L' ');
    put(t, L'"');
    for (; *argument; argument++) {
        for (size_t i = 0; *argument == L'"' && i < slashes + 1; i++)
            put(t, L'\\');
        slashes = *argument == L'\\' ? slashes + 1 : 0;
        put(t, *argument);
    }
    while (slashes-- > 0)
        put(t, L'\\');
    put(t, L'"');
}

/* Makes a command line of arguments. Returns NULL with errno set. */
static wchar_t *make_command(const char *const arguments[])
{
    wide_text line = {0};
    for (size_t i = 0; arguments[i]; i++) {
        wchar_t *wide = platform_wide_text(arguments[i]);
        line.failed |= !wide;
        if (wide)
            put_argument(&line, wide);
        mmd_free(wide);
    }
    put(&line, L'\0');
    if (!line.failed)
        return line.text;
    const int number = errno;
    mmd_free(line.text);
    errno = number;
    return NULL;
}

/* Searches folders for a program, as `name` with ".exe" or, if that has an ending, as it is. "ffmpeg-6.1" has
 * none, but the system takes ".1" for one. Returns the length of the path, or 0. */
static DWORD search_program(const wchar_t *folders, const wchar_t *name, wchar_t found[MMD_FILE_PATH_MAX])
{
    wchar_t whole[MMD_FILE_PATH_MAX];
    const int length = swprintf(whole, MMD_FILE_PATH_MAX, L"%ls.exe", name);
    const DWORD size = length > 0 ? SearchPathW(folders, whole, NULL, MMD_FILE_PATH_MAX, found, NULL) : 0;
    return size == 0 && wcschr(name, L'.') ? SearchPathW(folders, name, NULL, MMD_FILE_PATH_MAX, found, NULL)
                                           : size;
}

/* Finds a program: at its path, or by its name beside this program and in PATH, but not in the current
 * folder. Returns a path from mmd_alloc, or NULL with errno set. */
static wchar_t *find_program(const char *name)
{
    enum { PATHS_MAX = 32767 };
    char own[MMD_FILE_PATH_MAX] = "", folder[MMD_FILE_PATH_MAX] = "";
    wchar_t *wide = platform_wide_path(name);
    if (!wide || strchr(name, '/'))
        return wide;
    if (system_program_path(own))
        mmd_path_folder(own, folder, sizeof folder);
    wchar_t *beside = platform_wide_path(folder), *found = mmd_alloc(MMD_FILE_PATH_MAX * sizeof *found);
    wchar_t *paths = mmd_alloc(PATHS_MAX * sizeof *paths);
    DWORD length = 0;
    if (beside && found && paths) {
        if (GetEnvironmentVariableW(L"PATH", paths, PATHS_MAX) == 0)
            *paths = L'\0';
        length = search_program(beside, wide, found);
        if (length == 0)
            length = search_program(paths, wide, found);
    }
    errno = beside && found && paths ? ENOENT : ENOMEM;
    mmd_free(wide);
    mmd_free(beside);
    mmd_free(paths);
    if (length > 0 && length < MMD_FILE_PATH_MAX)
        return found;
    mmd_free(found);
    return NULL;
}

/* The descriptors of a child process. */
typedef struct child_files {
    HANDLE handles[SYSTEM_FILES], unique[SYSTEM_FILES];
    size_t unique_count;
    /* What the C library reads: the number of descriptors, a flag of each, a handle of each. */
    unsigned char block[sizeof(int) + SYSTEM_FILES * (1 + sizeof(HANDLE))];
} child_files;

/* Makes copies of descriptors that a child process can inherit. */
static bool open_files(child_files *f, const int files[SYSTEM_FILES])
{
    enum { OPEN = 0x01, PIPE = 0x08, DEVICE = 0x40 };
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    const int count = SYSTEM_FILES;
    unsigned char *flags = f->block + sizeof count, *handles = flags + SYSTEM_FILES;
    bool ok = true;
    *f = (child_files){0};
    memcpy(f->block, &count, sizeof count);
    for (int i = 0; ok && i < SYSTEM_FILES; i++) {
        HANDLE handle = INVALID_HANDLE_VALUE, own = GetCurrentProcess();
        /* Of a closed descriptor -1, of a standard one without a stream -2. The system takes these numbers
         * for this process and this thread. */
        const intptr_t number = files[i] >= 0 ? _get_osfhandle(files[i]) : -2;
        if (number != -2)
            ok = number != -1
                     ? DuplicateHandle(own, (HANDLE)number, own, &handle, 0, TRUE, DUPLICATE_SAME_ACCESS) != 0
                     : (SetLastError(ERROR_INVALID_HANDLE), false);
        else if (i < 3)
            handle = CreateFileW(L"NUL", i == 0 ? GENERIC_READ : GENERIC_WRITE,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, NULL);
        f->handles[i] = handle;
        memcpy(handles + (size_t)i * sizeof handle, &handle, sizeof handle);
        if (handle == INVALID_HANDLE_VALUE)
            continue;
        DWORD type = GetFileType(handle);
        flags[i] = (unsigned char)(OPEN | (type == FILE_TYPE_PIPE   ? PIPE
                                           : type == FILE_TYPE_CHAR ? DEVICE
                                                                    : 0));
        f->unique[f->unique_count++] = handle;
    }
    return ok || platform_fail();
}

static void close_files(const child_files *f)
{
    for (size_t i = 0; i < f->unique_count; i++)
        CloseHandle(f->unique[i]);
}

/* Starts a program that was found. */
static bool start_found(system_process *process, const wchar_t *program, wchar_t *command, child_files *files,
                        const system_start *how)
{
    STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start,
                                            .dwFlags = STARTF_USESTDHANDLES,
                                            .hStdInput = files->handles[0],
                                            .hStdOutput = files->handles[1],
                                            .hStdError = files->handles[2],
                                            .cbReserved2 = sizeof files->block,
                                            .lpReserved2 = files->block}};
    PROCESS_INFORMATION made;
    SIZE_T size = 0;
    wchar_t *folder = how->folder ? platform_wide_path(how->folder) : NULL;
    DWORD flags = EXTENDED_STARTUPINFO_PRESENT | CREATE_SUSPENDED |
                  (how->background ? BELOW_NORMAL_PRIORITY_CLASS : 0) |
                  (GetConsoleWindow() ? 0 : CREATE_NO_WINDOW);
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    start.lpAttributeList = mmd_alloc(size);
    bool ok = folder || !how->folder;
    if (ok && !start.lpAttributeList) {
        errno = ENOMEM;
        ok = false;
    }
    ok = ok && (InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size) || platform_fail());
    if (ok) {
        ok = (UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                        files->unique, files->unique_count * sizeof *files->unique, NULL,
                                        NULL) &&
              CreateProcessW(program, command, NULL, NULL, TRUE, flags, NULL, folder, &start.StartupInfo,
                             &made)) ||
             platform_fail();
        DeleteProcThreadAttributeList(start.lpAttributeList);
    }
    const int number = errno;
    mmd_free(start.lpAttributeList);
    mmd_free(folder);
    errno = number;
    if (!ok)
        return false;
    process->id = (intptr_t)made.hProcess;
    HANDLE job = create_group(how);
    if (job && AssignProcessToJobObject(job, made.hProcess))
        keep_group(process->id, job);
    else if (job)
        CloseHandle(job);
    ResumeThread(made.hThread);
    CloseHandle(made.hThread);
    return true;
}

bool system_process_start(system_process *process, const char *const arguments[], const system_start *how)
{
    child_files files;
    *process = (system_process){0};
    bool ok = open_files(&files, how->files);
    wchar_t *program = ok ? find_program(arguments[0]) : NULL,
            *command = program ? make_command(arguments) : NULL;
    ok = command && start_found(process, program, command, &files, how);
    const int number = errno;
    close_files(&files);
    mmd_free(program);
    mmd_free(command);
    errno = number;
    return ok;
}

/* Turns an exit code of Windows into one of the program, or that of the signal which other systems have. */
static int code_of(DWORD code)
{
    static const struct {
        DWORD code;
        int number;
    } known[] = {
        {KILLED, SYSTEM_KILLED},
        {STATUS_CONTROL_C_EXIT, SYSTEM_TERMINATED},
        {ERROR_NOT_ENOUGH_QUOTA, -24}, /* the limit of computing time: SIGXCPU */
        {ABORTED, -6},
        {STATUS_ILLEGAL_INSTRUCTION, -4},
        {STATUS_INTEGER_DIVIDE_BY_ZERO, -8},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            return known[i].number;
    return code >= 0xC0000000 ? -SIGSEGV : (int)code;
}

/* Closes the handle of a process that has ended. Returns its exit code. */
static int finish(intptr_t id)
{
    DWORD code = 0;
    bool known = GetExitCodeProcess((HANDLE)id, &code) != 0;
    drop_group(id);
    CloseHandle((HANDLE)id);
    return known ? code_of(code) : SYSTEM_LOST;
}

int system_process_wait(system_process *process)
{
    intptr_t id = process->id;
    *process = (system_process){0};
    if (!id || WaitForSingleObject((HANDLE)id, INFINITE) != WAIT_OBJECT_0)
        return SYSTEM_LOST;
    return finish(id);
}

bool system_process_has_ended(system_process *process, int *code)
{
    intptr_t id = process->id;
    *code = SYSTEM_LOST;
    if (id && WaitForSingleObject((HANDLE)id, 0) == WAIT_TIMEOUT)
        return false;
    if (id)
        *code = finish(id);
    *process = (system_process){0};
    return true;
}

void system_process_kill(const system_process *process)
{
    bool is_group = false;
    if (!process->id)
        return;
    AcquireSRWLockExclusive(&groups.lock);
    for (size_t i = 0; i < GROUPS_MAX; i++)
        if (groups.items[i].job && groups.items[i].id == process->id)
            is_group = TerminateJobObject(groups.items[i].job, KILLED) != 0;
    ReleaseSRWLockExclusive(&groups.lock);
    if (!is_group)
        TerminateProcess((HANDLE)process->id, KILLED);
}

bool system_file_name(int file, char name[32])
{
    (void)file;
    *name = '\0';
    return false;
}

const char system_ffmpeg_advice[] = "put ffmpeg.exe and ffprobe.exe beside odori.exe, or in a folder of PATH";

/* -------------------------------------------------------------------- plug-ins */

const char system_library_ending[] = ".dll";

void *system_library_open(const char *path, char *error, size_t capacity)
{
    char whole[MMD_FILE_PATH_MAX];
    wchar_t *wide = platform_wide_path(platform_path_resolve(path, whole) ? whole : path), text[512] = L"";
    HMODULE library = wide ? LoadLibraryExW(wide, NULL, LOAD_WITH_ALTERED_SEARCH_PATH) : NULL;
    DWORD number = GetLastError();
    mmd_free(wide);
    if (library)
        return (void *)library;
    if (number == ERROR_BAD_EXE_FORMAT) { /* the system's sentence has a gap */
        snprintf(error, capacity, "%s: cannot be loaded: it is no library for 64-bit Windows", path);
        return NULL;
    }
    FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK,
                   NULL, number, 0, text, sizeof text / sizeof *text, NULL);
    char sentence[3 * sizeof text / sizeof *text] = "";
    platform_narrow_text(text, sentence, sizeof sentence);
    sentence[strcspn(sentence, "\r\n")] = '\0';
    snprintf(error, capacity, "%s: cannot be loaded: %s", path, sentence);
    return NULL;
}

void *system_library_symbol(void *library, const char *name)
{
    FARPROC found = GetProcAddress((HMODULE)library, name);
    void *symbol;
    memcpy(&symbol, &found, sizeof symbol);
    return symbol;
}

void system_library_close(void *library)
{
    FreeLibrary((HMODULE)library);
}
