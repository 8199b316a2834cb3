/*
 * What the program needs of the operating system beyond files (mmd/platform.h): its own path and folders,
 * child processes and pipes, the end of the program, timers, plug-ins. Behind it is system_posix.c or
 * system_windows.c. Rooms that need more of a system have a file for each: window_posix.c,
 * folder_watch_linux.c, file_dialog_windows.c. A file whose name ends in _posix, _linux, _windows or _other
 * (not Linux) is compiled there alone (third_party/cmake/OdoriPlatform.cmake); other files have no #ifdef for
 * systems.
 *
 * Functions that fail return false, -1 or NULL with errno set, unless they say otherwise. Paths as in
 * mmd/platform.h.
 */
#ifndef ODORI_SYSTEM_H
#define ODORI_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "mmd/platform.h"

/* -------------------------------------------------------------------- the program */

/*
 * Prepares the process: on Windows UTF-8 in the console, until the program ends, and in the arguments, and
 * binary standard streams; with glibc freed memory is kept. Call it first in main. It may replace *argv by
 * one that lives as long as the process.
 */
void system_begin(int *argc, char ***argv);

/* Returns the arguments of the program, which end with NULL, as system_begin left them. */
const char *const *system_arguments(void);

/* Writes the path of the running program, links resolved. */
bool system_program_path(char path[MMD_FILE_PATH_MAX]);

/* Folders of the user. On Linux those of the XDG specification, on Windows known folders. */
typedef enum system_folder {
    SYSTEM_CONFIG, /* settings: ~/.config, %APPDATA% */
    SYSTEM_STATE,  /* what a program remembers: ~/.local/state, %LOCALAPPDATA% */
    SYSTEM_CACHE,  /* ~/.cache, %LOCALAPPDATA% */
    SYSTEM_TEMPORARY
} system_folder;

/* Writes the path of a folder, which need not exist yet. Returns false if there is none. */
bool system_find_folder(system_folder which, char path[MMD_FILE_PATH_MAX]);

/* Replaces the characters that names of files cannot have here by '_'. */
void system_name_tidy(char *name);

/* Sets a variable of the environment; NULL removes it. */
bool system_set_variable(const char *name, const char *value);

unsigned system_core_count(void);

/* Returns whether the user interface of the system is in Japanese; false where only the environment tells. */
bool system_is_japanese(void);

/* Returns the bytes of memory that this process has in use now, and at most so far; 0 where unknown. */
uint64_t system_memory_in_use(void);
uint64_t system_memory_peak(void);

/* Returns whether a descriptor (0, 1, 2) is a terminal that understands escape sequences. */
bool system_is_terminal(int file);

/* -------------------------------------------------------------------- the end of the program */

/* Has a function called when a signal or the console ends the program, before it ends. The function may call
 * what a handler of a signal may call: platform_remove, platform_remove_folder, system_write, system_exit.
 * Ignored signals stay ignored. Calling it again changes nothing. */
void system_on_end(void (*clean)(void));

/* Has a function called on a timer (a signal, or a thread of its own) in so many seconds; 0: not at all.
 * There is one timer. The function may call what a handler of a signal may call. */
void system_set_timer(double seconds, void (*ring)(void));

/* Has writes to a pipe that nobody reads fail rather than end the program. */
void system_ignore_broken_pipes(void);

/* Writes all bytes to a descriptor, and ends the process without cleaning up. A handler of a signal may call
 * them. */
bool system_write(int file, const void *data, size_t size);
_Noreturn void system_exit(int code);

/* Waits. */
void system_sleep(double seconds);

/* -------------------------------------------------------------------- streams */

/* Opens an unnamed file for reading and writing that is gone when it is closed, in memory where the system
 * can. */
FILE *system_scratch_file(void);

/* Writes the path under which a child process opens a scratch file, whose contents were flushed. It is valid
 * until the file is closed. On Windows it is that of a copy, which a killed process leaves to the next one
 * that makes a copy. */
bool system_scratch_path(FILE *file, char path[MMD_FILE_PATH_MAX]);

/* Returns a second descriptor of a file, above the standard ones and not inherited, or -1. */
int system_duplicate(int file);

/* Gives a file a second name. Fails where the file system does not support that. */
bool system_link(const char *path, const char *name);

/* Locks a folder against system_lock_folder of other processes of this user until the descriptor is closed,
 * without waiting. Returns -1 with EWOULDBLOCK if another one has it locked, and with another error where
 * that is not supported. */
int system_lock_folder(const char *path);

/* A stream that collects what is written to it. system_memory_close closes the stream and returns the text,
 * which ends with NUL and which the caller frees with free, or NULL when out of memory. */
typedef struct system_memory {
    FILE *stream; /* NULL: it could not be opened */
    char *text;
    size_t size; /* without the NUL; set by system_memory_close */
} system_memory;

bool system_memory_open(system_memory *memory);
char *system_memory_close(system_memory *memory);

/* -------------------------------------------------------------------- child processes */

/* Makes a pipe whose ends are not inherited: ends[0] is read, ends[1] written. */
bool system_pipe(int ends[2]);

/* Waits until one of several descriptors of pipes can be read or has ended, at most so many seconds (below 0:
 * for ever). ready[i] tells which; descriptors below 0 are skipped. Returns false with errno set when waiting
 * fails; being interrupted by a signal is no failure. */
bool system_wait_readable(const int files[], bool ready[], size_t count, double seconds);

/* A child process. Zeroed: none. */
typedef struct system_process {
    intptr_t id; /* a process number, or a handle of Windows */
} system_process;

enum { SYSTEM_FILES = 5 };

/* How a program is started. Zero-initialise, then set files. */
typedef struct system_start {
    int files[SYSTEM_FILES]; /* its descriptors 0 to 4; -1: /dev/null for 0 to 2, none above */
    const char *folder;      /* its current folder; NULL: this one */
    /* With a low priority; system_process_kill ends what it has started, too. */
    bool background;
    uint64_t memory_max;    /* bytes; 0: no limit */
    unsigned computing_max; /* seconds; 0: no limit */
} system_start;

/* Starts a program, searched in PATH if its name has no '/'. arguments end with NULL. No signal is blocked in
 * it, and SIGPIPE ends it. */
bool system_process_start(system_process *process, const char *const arguments[], const system_start *how);

/* What an exit code is when somebody else ended the process. After a crash it is the number of another signal
 * below 0. */
enum { SYSTEM_KILLED = -9, SYSTEM_TERMINATED = -15, SYSTEM_LOST = -1000 };

/* Waits for the end. Returns its exit code, or a number below 0 if it crashed, was killed, or was no child.
 * Zeroes the process. */
int system_process_wait(system_process *process);

/* Returns whether it has ended, with *code as above, without waiting. Zeroes it then. */
bool system_process_has_ended(system_process *process, int *code);

/* Ends it at once. It must be waited for afterwards. A handler of a signal may call it. Does nothing for
 * none. */
void system_process_kill(const system_process *process);

/* Returns the name under which a child process opens its descriptor 3 or 4 as a file: "/dev/fd/3". Returns
 * false where the system has none; a path must be given instead. */
bool system_file_name(int file, char name[32]);

/* How a person gets ffmpeg here, as the end of a message. */
extern const char system_ffmpeg_advice[];

/* -------------------------------------------------------------------- plug-ins */

/* Loads a shared library. Returns NULL with the reason in error. */
void *system_library_open(const char *path, char *error, size_t capacity);
void *system_library_symbol(void *library, const char *name);
void system_library_close(void *library);

/* The ending of shared libraries: ".so", ".dll". */
extern const char system_library_ending[];

#endif
