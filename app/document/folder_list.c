#include "folder_list.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "mmd/platform.h"

/*
 * The reading of a folder. It belongs to its thread and to the list together, and the last one frees it: a
 * thread that hangs on a dead disk cannot be waited for.
 */
typedef struct folder_job {
    pthread_mutex_t lock; /* of what follows */
    int owners;
    bool done;
    void (*wake)(void *user); /* NULL once the list is gone */
    void *user;
    /* The thread's own until it is done. */
    atomic_bool cancelled;
    char path[MMD_FILE_PATH_MAX], model[MMD_FILE_PATH_MAX];
    bool recent;
    mmd_status status;
    mmd_error error;
    folder_contents contents;
    places places;
} folder_job;

struct folder_list {
    void (*wake)(void *user);
    void *user;
    folder_job *job; /* NULL: nothing is read */
    folder_contents contents;
    places places;
    bool has_contents, has_places;
    char error[512];
};

/* Gives up one share of a job. */
static void drop(folder_job *job)
{
    pthread_mutex_lock(&job->lock);
    bool is_last = --job->owners == 0;
    pthread_mutex_unlock(&job->lock);
    if (!is_last)
        return;
    folder_contents_finish(&job->contents);
    places_finish(&job->places);
    pthread_mutex_destroy(&job->lock);
    mmd_free(job);
}

static void *run(void *user)
{
    folder_job *job = user;
    places_find(*job->model ? job->model : NULL, job->recent, &job->places);
    job->status = folder_read(job->path, &job->cancelled, &job->contents, &job->error);
    pthread_mutex_lock(&job->lock);
    job->done = true;
    if (job->wake)
        job->wake(job->user);
    pthread_mutex_unlock(&job->lock);
    drop(job);
    return NULL;
}

/* Gives up the job of a list, which then wakes nobody up any more. */
static void give_up(folder_list *list)
{
    folder_job *job = list->job;
    list->job = NULL;
    if (!job)
        return;
    atomic_store(&job->cancelled, true);
    pthread_mutex_lock(&job->lock);
    job->wake = NULL;
    pthread_mutex_unlock(&job->lock);
    drop(job);
}

folder_list *folder_list_create(void (*wake)(void *user), void *user)
{
    folder_list *list = mmd_alloc(sizeof *list);
    if (list)
        *list = (folder_list){.wake = wake, .user = user};
    return list;
}

void folder_list_destroy(folder_list *list)
{
    if (!list)
        return;
    give_up(list);
    folder_contents_finish(&list->contents);
    places_finish(&list->places);
    mmd_free(list);
}

/* Starts the thread of a job. Nobody joins it. */
static bool start(folder_job *job)
{
    pthread_t thread;
    bool started = platform_thread_start(&thread, run, job) == 0;
    if (started)
        pthread_detach(thread);
    return started;
}

bool folder_list_go(folder_list *list, const char *path, const char *model, bool recent)
{
    folder_job *job = mmd_alloc(sizeof *job);
    give_up(list);
    if (!job)
        return false;
    *job = (folder_job){.owners = 2, .wake = list->wake, .user = list->user, .recent = recent};
    pthread_mutex_init(&job->lock, NULL);
    snprintf(job->path, sizeof job->path, "%s", path);
    snprintf(job->model, sizeof job->model, "%s", model ? model : "");
    if (!start(job)) {
        job->owners = 1;
        drop(job);
        return false;
    }
    list->job = job;
    return true;
}

bool folder_list_is_busy(const folder_list *list)
{
    return list->job != NULL;
}

/* Takes what a finished job has read. A folder that could not be read leaves the last one. */
static void take(folder_list *list, folder_job *job)
{
    places_finish(&list->places);
    list->places = job->places;
    list->has_places = true;
    job->places = (places){.count = 0};
    list->error[0] = '\0';
    if (job->status != MMD_OK) {
        mmd_error_sentence(&job->error, list->error, sizeof list->error);
        return;
    }
    folder_contents_finish(&list->contents);
    list->contents = job->contents;
    list->has_contents = true;
    job->contents = (folder_contents){.count = 0};
}

bool folder_list_poll(folder_list *list, folder_view *view)
{
    folder_job *job = list->job;
    bool done = false;
    if (job) {
        pthread_mutex_lock(&job->lock);
        done = job->done;
        pthread_mutex_unlock(&job->lock);
    }
    if (done) {
        take(list, job);
        give_up(list);
    }
    *view = (folder_view){.contents = list->has_contents ? &list->contents : NULL,
                          .places = list->has_places ? &list->places : NULL,
                          .error = list->error};
    return done;
}
