/*
 * Shows another world to later rounds of `odori check --repeat`, for tests: LD_PRELOAD this. From the round
 * ODORI_TEST_ROUND on,
 *   - files whose names end in ODORI_TEST_OLD are those at the path ODORI_TEST_NEW, and
 *   - with ODORI_TEST_FLOAT, bodies of Bullet fall no more.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int rounds, is_later;

/* Stores the function that this library hides in a pointer to it. */
static void find(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    memcpy(function, &found, sizeof found);
}

typedef void handler(int);

/* Counts the rounds: each begins with this, so that a worker that ends does not end the check. */
static handler *count_round(const char *name, int number, handler *given)
{
    handler *(*real)(int, handler *);
    const char *from = getenv("ODORI_TEST_ROUND");
    find(name, &real);
    rounds += number == SIGPIPE && given == SIG_IGN;
    is_later = from && rounds >= atoi(from);
    return real(number, given);
}

/* Both names of signal, since it depends on the standard that a file asks for which one is called. */
handler *rounds_signal(int number, handler *given) __asm__("signal");
handler *rounds_signal(int number, handler *given)
{
    return count_round("signal", number, given);
}

handler *rounds_sysv_signal(int number, handler *given) __asm__("__sysv_signal");
handler *rounds_sysv_signal(int number, handler *given)
{
    return count_round("__sysv_signal", number, given);
}

/* Returns the path that this process sees in the place of another. */
static const char *seen(const char *path)
{
    const char *old = getenv("ODORI_TEST_OLD"), *now = getenv("ODORI_TEST_NEW");
    const size_t length = strlen(path), end = old ? strlen(old) : 0;
    return is_later && end && now && length >= end && strcmp(path + length - end, old) == 0 ? now : path;
}

/* Opens a file by the function of this name. */
static int open_seen(const char *name, const char *path, int flags, va_list rest)
{
    int (*real)(const char *, int, ...);
    const int mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, int) : 0;
    find(name, &real);
    return real(seen(path), flags, mode);
}

int rounds_open(const char *path, int flags, ...) __asm__("open");
int rounds_open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const int file = open_seen("open", path, flags, rest);
    va_end(rest);
    return file;
}

int rounds_open64(const char *path, int flags, ...) __asm__("open64");
int rounds_open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const int file = open_seen("open64", path, flags, rest);
    va_end(rest);
    return file;
}

/* Hides btRigidBody::applyGravity. */
void rounds_apply_gravity(void *body) __asm__("_ZN11btRigidBody12applyGravityEv");
void rounds_apply_gravity(void *body)
{
    void (*real)(void *);
    find("_ZN11btRigidBody12applyGravityEv", &real);
    if (!is_later || !getenv("ODORI_TEST_FLOAT"))
        real(body);
}
