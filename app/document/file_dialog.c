/* What the dialogs of all systems share (file_dialog.h): the job's life, and texts. */
#include "dialog_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "mmd/elementary.h"
#include "mmd/platform.h"
#include "mmd/text.h"

enum { TEXT_MAX = 512 };

struct file_dialog {
    void (*wake)(void *user);
    void *user;
    dialog_job *job; /* NULL: there is no dialog */
    pthread_t thread;
};

/* --- Requests and answers --- */

/* Copies a text as valid UTF-8, which D-Bus demands. Returns NULL when out of memory. */
static const char *copy_text(mmd_arena *arena, const char *text)
{
    char clean[TEXT_MAX];
    mmd_text_clean(text ? text : "", false, clean, sizeof clean);
    return mmd_arena_text(arena, clean, strlen(clean));
}

static bool copy_filters(const dialog_request *from, mmd_arena *arena, dialog_request *copy)
{
    size_t count = from->filter_count < DIALOG_FILTERS_MAX ? from->filter_count : DIALOG_FILTERS_MAX;
    dialog_filter *filters = mmd_arena_alloc(arena, count, sizeof *filters);
    for (size_t i = 0; filters && i < count; i++) {
        filters[i] = (dialog_filter){copy_text(arena, from->filters[i].name), from->filters[i].kinds};
        if (!filters[i].name)
            return false;
    }
    copy->filters = filters;
    copy->filter_count = count;
    return filters != NULL;
}

bool dialog_request_copy(const dialog_request *from, mmd_arena *arena, dialog_request *copy)
{
    *copy = *from;
    copy->title = copy_text(arena, from->title);
    copy->name = from->name ? copy_text(arena, from->name) : NULL;
    copy->folder = from->folder ? mmd_arena_text(arena, from->folder, strlen(from->folder)) : NULL;
    return copy->title && (copy->name || !from->name) && (copy->folder || !from->folder) &&
           copy_filters(from, arena, copy);
}

bool dialog_answer_add(dialog_answer *answer, const char *path)
{
    if (!path || answer->paths.count == DIALOG_PATHS_MAX) {
        answer->left_out++;
        return true;
    }
    const char *kept = mmd_arena_text(&answer->arena, path, strlen(path));
    return kept && text_list_add(&answer->paths, kept);
}

void dialog_answer_finish(dialog_answer *answer)
{
    text_list_finish(&answer->paths);
    mmd_arena_finish(&answer->arena);
    *answer = (dialog_answer){.state = DIALOG_IDLE};
}

dialog_state dialog_job_fail(dialog_job *j, dialog_state state, const char *why)
{
    snprintf(j->answer.error, sizeof j->answer.error, "%s", why);
    return state;
}

/* --- The job --- */

/* Gives up one share of a job. */
static void drop(dialog_job *j)
{
    pthread_mutex_lock(&j->lock);
    bool is_last = --j->owners == 0;
    pthread_mutex_unlock(&j->lock);
    if (!is_last)
        return;
    dialog_answer_finish(&j->answer);
    mmd_arena_finish(&j->arena);
    pthread_mutex_destroy(&j->lock);
    dialog_job_destroy(j);
}

static void *run(void *user)
{
    dialog_job *j = user;
    dialog_state state = dialog_job_ask(j);
    pthread_mutex_lock(&j->lock);
    j->answer.state = state;
    j->done = true;
    dialog_job_signal(j);
    if (j->wake)
        j->wake(j->user);
    pthread_mutex_unlock(&j->lock);
    drop(j);
    return NULL;
}

static bool is_done(dialog_job *j)
{
    pthread_mutex_lock(&j->lock);
    bool done = j->done;
    pthread_mutex_unlock(&j->lock);
    return done;
}

/* Lets go of the job. A thread that is not done wakes nobody up any more. */
static void leave_job(file_dialog *d, bool done)
{
    dialog_job *j = d->job;
    d->job = NULL;
    if (done) {
        pthread_join(d->thread, NULL);
    } else {
        pthread_mutex_lock(&j->lock);
        j->wake = NULL;
        pthread_mutex_unlock(&j->lock);
        pthread_detach(d->thread);
    }
    drop(j);
}

/* --- The player's side --- */

file_dialog *dialog_create(void (*wake)(void *user), void *user)
{
    file_dialog *d = mmd_alloc(sizeof *d);
    if (d)
        *d = (file_dialog){.wake = wake, .user = user};
    return d;
}

dialog_state dialog_choose(file_dialog *d, const dialog_request *request, char *error)
{
    dialog_state state = DIALOG_FAILED;
    if (d->job) {
        refuse_with(error, "the desktop's file chooser is open already");
        return DIALOG_FAILED;
    }
    dialog_job *j = dialog_job_create(&state, error);
    if (!j) {
        if (state == DIALOG_FAILED)
            refuse_with(error, "out of memory");
        return state;
    }
    pthread_mutex_init(&j->lock, NULL);
    j->wake = d->wake;
    j->user = d->user;
    j->owners = 2;
    if (!dialog_request_copy(request, &j->arena, &j->request) ||
        platform_thread_start(&d->thread, run, j) != 0) {
        j->owners = 1;
        drop(j);
        refuse_with(error, "out of memory");
        return DIALOG_FAILED;
    }
    d->job = j;
    return DIALOG_WAITING;
}

dialog_state dialog_poll(file_dialog *d, dialog_answer *answer)
{
    dialog_job *j = d->job;
    *answer = (dialog_answer){.state = DIALOG_IDLE};
    if (!j)
        return DIALOG_IDLE;
    pthread_mutex_lock(&j->lock);
    bool done = j->done, hangs = clock_seconds() >= j->answers_by;
    if (done) {
        *answer = j->answer;
        j->answer = (dialog_answer){.state = DIALOG_IDLE};
    }
    pthread_mutex_unlock(&j->lock);
    if (!done && !hangs)
        return answer->state = DIALOG_WAITING;
    if (!done) {
        answer->state = DIALOG_MISSING;
        refuse_with(answer->error, "%s", j->silence);
    }
    leave_job(d, done);
    return answer->state;
}

double dialog_wait(const file_dialog *d)
{
    if (!d->job)
        return INFINITY;
    pthread_mutex_lock(&d->job->lock);
    double limit = d->job->done ? INFINITY : d->job->answers_by;
    pthread_mutex_unlock(&d->job->lock);
    return mmd_max(limit - clock_seconds(), 0);
}

void dialog_cancel(file_dialog *d)
{
    if (d->job)
        dialog_job_cancel(d->job);
}

void dialog_destroy(file_dialog *d)
{
    if (!d)
        return;
    dialog_cancel(d);
    if (d->job) {
        dialog_job_wait(d->job);
        leave_job(d, is_done(d->job));
    }
    mmd_free(d);
}
