#define _GNU_SOURCE /* pipe2 */
#include "folder_watch_system.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "mmd/memory.h"
#include "mmd/platform.h"

/* What is reported of a folder: files that are written, made, renamed, deleted or given another time, and its
 * own end. */
#define EVENTS                                                                                               \
    (IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |          \
     IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

typedef struct system_watch {
    folder_watch shared;
    pthread_t thread;
    int ends[2];  /* pipe: closing the second end ends the thread */
    int queue;    /* of the system's events */
    int *numbers; /* of the folders that are watched */
    size_t count, room;
} system_watch;

/* Returns whether a folder is on a file system that others can change without the system's knowledge. */
static bool is_remote(const char *folder)
{
    /* linux/magic.h and the manual page of statfs: nfs, smb, smb2, cifs, fuse, 9p, afs, ceph, coda, ncp. */
    static const uint32_t kinds[] = {0x6969,     0x517b,     0xfe534d42, 0xff534d42, 0x65735546,
                                     0x01021997, 0x5346414f, 0x00c36400, 0x73757245, 0x564c};
    struct statfs s;
    if (statfs(folder, &s) != 0)
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if ((uint32_t)s.f_type == kinds[i])
            return true;
    return false;
}

/* Reads the events that wait. Returns whether one of them tells of a change. */
static bool read_events(system_watch *w)
{
    bool any = false;
    _Alignas(struct inotify_event) char bytes[4096];
    ssize_t size = read(w->queue, bytes, sizeof bytes);
    const struct inotify_event *e;
    for (ssize_t at = 0; at + (ssize_t)sizeof *e <= size; at += (ssize_t)(sizeof *e + e->len)) {
        e = (const struct inotify_event *)(const void *)(bytes + at);
        if (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_Q_OVERFLOW))
            atomic_store(&w->shared.misses, true);
        any = any || !(e->mask & IN_IGNORED); /* of a folder that is not watched any more */
    }
    return any;
}

static void *run(void *user)
{
    system_watch *w = user;
    struct pollfd polled[2] = {{.fd = w->ends[0], .events = POLLIN}, {.fd = w->queue, .events = POLLIN}};
    while (poll(polled, 2, -1) > 0 && !polled[0].revents && !(polled[1].revents & (POLLERR | POLLNVAL)))
        if (read_events(w))
            folder_watch_stir(&w->shared);
    return NULL;
}

static void close_all(const system_watch *w)
{
    const int all[] = {w->ends[0], w->ends[1], w->queue};
    for (size_t i = 0; i < 3; i++)
        if (all[i] >= 0)
            close(all[i]);
}

folder_watch *folder_watch_create(void (*wake)(void *user), void *user)
{
    system_watch *w = mmd_alloc(sizeof *w);
    if (!w)
        return NULL;
    *w = (system_watch){.shared = {.wake = wake, .user = user}, .ends = {-1, -1}};
    w->queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (w->queue >= 0 && pipe2(w->ends, O_CLOEXEC) == 0 && platform_thread_start(&w->thread, run, w) == 0)
        return &w->shared;
    close_all(w);
    mmd_free(w);
    return NULL;
}

void folder_watch_destroy(folder_watch *watch)
{
    system_watch *w = (system_watch *)watch;
    if (!w)
        return;
    close(w->ends[1]);
    w->ends[1] = -1;
    pthread_join(w->thread, NULL);
    close_all(w);
    mmd_free(w->numbers);
    mmd_free(w);
}

void folder_watch_clear(folder_watch *watch)
{
    system_watch *w = (system_watch *)watch;
    for (size_t i = 0; i < w->count; i++)
        inotify_rm_watch(w->queue, w->numbers[i]);
    w->count = 0;
    atomic_store(&w->shared.misses, false);
}

/* Stores the number of a folder, unless it is stored already. Returns false when out of memory. */
static bool store(system_watch *w, int number)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->numbers[i] == number)
            return true;
    if (w->count == w->room) {
        size_t room = w->room ? 2 * w->room : 8;
        int *grown = mmd_realloc(w->numbers, room * sizeof *grown);
        if (!grown)
            return false;
        w->numbers = grown;
        w->room = room;
    }
    w->numbers[w->count++] = number;
    return true;
}

bool folder_watch_add_folder(folder_watch *watch, const char *folder)
{
    system_watch *w = (system_watch *)watch;
    int number = is_remote(folder) ? -1 : inotify_add_watch(w->queue, folder, EVENTS);
    return number >= 0 && store(w, number);
}
