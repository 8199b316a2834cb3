/*
 * The dialog of Windows for choosing files (file_dialog.h): IFileOpenDialog and IFileSaveDialog, which run a
 * message loop of their own on the thread that shows them. A timer of that thread looks whether the dialog is
 * to be closed, because it may be closed only there.
 */
#define COBJMACROS
#include "file_dialog.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <shobjidl.h>

#include "mmd/platform.h"
#include "mmd/source.h"

enum {
    CANCEL_INTERVAL = 50, /* milliseconds between two looks at whether the dialog is to be closed */
    END_WAIT = 500,       /* longest wait in milliseconds for the thread when the player ends */
    SPEC_MAX = 1024       /* characters of the patterns of a filter */
};

/* A dialog. It belongs to its thread and to the player together, and the last one frees it. */
typedef struct job {
    pthread_mutex_t lock; /* of what follows */
    int owners;
    bool done;                /* the thread has stored its answer */
    bool cancelled;           /* the dialog is to be closed */
    void (*wake)(void *user); /* NULL: nobody is to be woken up any more */
    void *user;
    HANDLE ended; /* event: the thread has stored its answer */
    /* The thread's own until it is done. */
    mmd_arena arena; /* of the request */
    dialog_request request;
    dialog_answer answer;
} job;

struct file_dialog {
    void (*wake)(void *user);
    void *user;
    job *job; /* NULL: there is no dialog */
    pthread_t thread;
};

/* --- Texts --- */

/* Returns a text in UTF-16, or NULL when out of memory. */
static wchar_t *widen(mmd_arena *arena, const char *text)
{
    int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
    wchar_t *wide = length > 0 ? mmd_arena_alloc(arena, (size_t)length, sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
    return wide;
}

/* Appends the patterns of all endings of a kind: "*.pmx;*.pmd". */
static void add_patterns(mmd_name_kind kind, char spec[SPEC_MAX])
{
    const char *ending;
    for (unsigned i = 0; (ending = mmd_name_kind_ending(kind, i)); i++) {
        size_t used = strlen(spec);
        snprintf(spec + used, SPEC_MAX - used, "%s*.%s", used ? ";" : "", ending);
    }
}

/* --- Showing, on the thread --- */

/* The dialog of this thread, for its timer. */
static _Thread_local struct {
    job *job;
    IFileDialog *dialog;
} shown;

static bool is_cancelled(job *j)
{
    pthread_mutex_lock(&j->lock);
    bool cancelled = j->cancelled;
    pthread_mutex_unlock(&j->lock);
    return cancelled;
}

static void CALLBACK look(HWND window, UINT message_number, UINT_PTR timer, DWORD time)
{
    (void)window, (void)message_number, (void)timer, (void)time;
    if (is_cancelled(shown.job))
        IFileDialog_Close(shown.dialog, HRESULT_FROM_WIN32(ERROR_CANCELLED));
}

/* Sets the filters. The ending of the first one completes names that have none. */
static bool set_filters(IFileDialog *dialog, job *j)
{
    const dialog_request *r = &j->request;
    COMDLG_FILTERSPEC specs[DIALOG_FILTERS_MAX];
    for (size_t i = 0; i < r->filter_count; i++) {
        char spec[SPEC_MAX] = "";
        for (unsigned kind = 0; kind < MMD_NAME_KINDS; kind++)
            if (r->filters[i].kinds & 1u << kind)
                add_patterns((mmd_name_kind)kind, spec);
        specs[i].pszName = widen(&j->arena, r->filters[i].name);
        specs[i].pszSpec = widen(&j->arena, *spec ? spec : "*.*");
        if (!specs[i].pszName || !specs[i].pszSpec)
            return false;
        if (i == 0 && r->kind == DIALOG_SAVE && *spec) {
            spec[strcspn(spec, ";")] = '\0';
            wchar_t *ending = widen(&j->arena, strchr(spec, '.') + 1);
            if (ending)
                IFileDialog_SetDefaultExtension(dialog, ending);
        }
    }
    if (r->filter_count)
        IFileDialog_SetFileTypes(dialog, (UINT)r->filter_count, specs);
    return true;
}

/* Sets the folder in which the dialog begins. One that cannot be found is left to Windows. */
static void set_folder(IFileDialog *dialog, job *j)
{
    IShellItem *folder;
    wchar_t *path = widen(&j->arena, j->request.folder);
    for (wchar_t *c = path; c && *c; c++)
        if (*c == L'/')
            *c = L'\\';
    if (path && SUCCEEDED(SHCreateItemFromParsingName(path, NULL, &IID_IShellItem, (void **)&folder))) {
        IFileDialog_SetFolder(dialog, folder);
        IShellItem_Release(folder);
    }
}

/* Prepares the dialog. Returns false when out of memory. */
static bool prepare(IFileDialog *dialog, job *j)
{
    const dialog_request *r = &j->request;
    FILEOPENDIALOGOPTIONS options = 0;
    wchar_t *title = widen(&j->arena, r->title), *name = r->name ? widen(&j->arena, r->name) : NULL;
    if (!title || (r->name && !name) || !set_filters(dialog, j))
        return false;
    IFileDialog_GetOptions(dialog, &options);
    options |= FOS_FORCEFILESYSTEM | FOS_NOCHANGEDIR | FOS_PATHMUSTEXIST;
    options |= r->kind == DIALOG_OPEN ? FOS_FILEMUSTEXIST : FOS_OVERWRITEPROMPT | FOS_NOREADONLYRETURN;
    options |= r->multiple ? FOS_ALLOWMULTISELECT : 0;
    IFileDialog_SetOptions(dialog, options);
    if (*title)
        IFileDialog_SetTitle(dialog, title);
    if (name)
        IFileDialog_SetFileName(dialog, name);
    if (r->folder)
        set_folder(dialog, j);
    return true;
}

/* Adds a chosen thing to the answer. Returns false when out of memory. */
static bool add_item(dialog_answer *answer, IShellItem *item)
{
    char path[MMD_FILE_PATH_MAX];
    wchar_t *wide = NULL;
    bool is_file =
        SUCCEEDED(IShellItem_GetDisplayName(item, SIGDN_FILESYSPATH, &wide)) &&
        WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide, -1, path, sizeof path, NULL, NULL);
    CoTaskMemFree(wide);
    if (is_file)
        platform_path_tidy(path);
    return dialog_answer_add(answer, is_file ? path : NULL);
}

/* Reads what was chosen. Returns false when out of memory. */
static bool read_results(IFileDialog *dialog, job *j)
{
    IShellItem *item = NULL;
    IShellItemArray *items = NULL;
    DWORD count = 0;
    bool read = true;
    if (j->request.kind == DIALOG_SAVE) {
        if (SUCCEEDED(IFileDialog_GetResult(dialog, &item))) {
            read = add_item(&j->answer, item);
            IShellItem_Release(item);
        }
        return read;
    }
    if (FAILED(IFileOpenDialog_GetResults((IFileOpenDialog *)(void *)dialog, &items)))
        return true;
    IShellItemArray_GetCount(items, &count);
    for (DWORD i = 0; read && i < count; i++)
        if (SUCCEEDED(IShellItemArray_GetItemAt(items, i, &item))) {
            read = add_item(&j->answer, item);
            IShellItem_Release(item);
        }
    IShellItemArray_Release(items);
    return read;
}

/* Ends with a state and its reason. */
static dialog_state end(job *j, dialog_state state, const char *why)
{
    snprintf(j->answer.error, sizeof j->answer.error, "%s", why);
    return state;
}

/* Shows a dialog until the user has answered. */
static dialog_state show(IFileDialog *dialog, job *j)
{
    char why[REFUSAL_MAX];
    if (!prepare(dialog, j))
        return end(j, DIALOG_FAILED, "out of memory");
    shown.job = j;
    shown.dialog = dialog;
    UINT_PTR timer = SetTimer(NULL, 0, CANCEL_INTERVAL, look);
    HRESULT result = is_cancelled(j) ? HRESULT_FROM_WIN32(ERROR_CANCELLED)
                                     : IFileDialog_Show(dialog, (HWND)j->request.parent);
    KillTimer(NULL, timer);
    if (result == HRESULT_FROM_WIN32(ERROR_CANCELLED))
        return DIALOG_CANCELLED;
    if (FAILED(result)) {
        snprintf(why, sizeof why, "the desktop's file chooser failed: error 0x%08lx", (unsigned long)result);
        return end(j, DIALOG_FAILED, why);
    }
    if (!read_results(dialog, j))
        return end(j, DIALOG_FAILED, "out of memory");
    return j->answer.paths.count ? DIALOG_CHOSEN
                                 : end(j, DIALOG_FAILED, "what was chosen is not a file on this computer");
}

/* Creates the dialog and shows it. */
static dialog_state ask(job *j)
{
    IFileDialog *dialog = NULL;
    bool saves = j->request.kind == DIALOG_SAVE;
    if (FAILED(CoInitializeEx(NULL, COINIT_APARTMENTTHREADED | COINIT_DISABLE_OLE1DDE)))
        return end(j, DIALOG_MISSING, "there is no file chooser: COM does not start");
    dialog_state state = DIALOG_MISSING;
    if (SUCCEEDED(CoCreateInstance(saves ? &CLSID_FileSaveDialog : &CLSID_FileOpenDialog, NULL,
                                   CLSCTX_INPROC_SERVER, saves ? &IID_IFileSaveDialog : &IID_IFileOpenDialog,
                                   (void **)&dialog))) {
        state = show(dialog, j);
        IFileDialog_Release(dialog);
    } else {
        end(j, state, "there is no file chooser");
    }
    CoUninitialize();
    return state;
}

/* --- The job --- */

/* Gives up one share of a job. */
static void drop(job *j)
{
    pthread_mutex_lock(&j->lock);
    bool is_last = --j->owners == 0;
    pthread_mutex_unlock(&j->lock);
    if (!is_last)
        return;
    dialog_answer_finish(&j->answer);
    mmd_arena_finish(&j->arena);
    if (j->ended)
        CloseHandle(j->ended);
    pthread_mutex_destroy(&j->lock);
    mmd_free(j);
}

static void *run(void *user)
{
    job *j = user;
    dialog_state state = ask(j);
    pthread_mutex_lock(&j->lock);
    j->answer.state = j->cancelled ? DIALOG_CANCELLED : state;
    j->done = true;
    SetEvent(j->ended);
    if (j->wake)
        j->wake(j->user);
    pthread_mutex_unlock(&j->lock);
    drop(j);
    return NULL;
}

/* Creates a job with one owner. Returns NULL when out of memory. */
static job *create_job(const file_dialog *d)
{
    job *j = mmd_alloc(sizeof *j);
    if (!j)
        return NULL;
    *j = (job){.owners = 1, .wake = d->wake, .user = d->user, .ended = CreateEventW(NULL, TRUE, FALSE, NULL)};
    pthread_mutex_init(&j->lock, NULL);
    if (j->ended)
        return j;
    drop(j);
    return NULL;
}

/* Lets go of the job. A thread that is not done wakes nobody up any more. */
static void leave_job(file_dialog *d, bool done)
{
    job *j = d->job;
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

bool dialog_is_likely(void)
{
    return true;
}

dialog_state dialog_choose(file_dialog *d, const dialog_request *request, char *error)
{
    if (d->job) {
        refuse_with(error, "the desktop's file chooser is open already");
        return DIALOG_FAILED;
    }
    job *j = create_job(d);
    bool started = j && dialog_request_copy(request, &j->arena, &j->request);
    if (started) {
        j->owners++;
        started = platform_thread_start(&d->thread, run, j) == 0;
        j->owners -= !started;
    }
    if (!started) {
        if (j)
            drop(j);
        refuse_with(error, "out of memory");
        return DIALOG_FAILED;
    }
    d->job = j;
    return DIALOG_WAITING;
}

dialog_state dialog_poll(file_dialog *d, dialog_answer *answer)
{
    job *j = d->job;
    *answer = (dialog_answer){.state = DIALOG_IDLE};
    if (!j)
        return DIALOG_IDLE;
    pthread_mutex_lock(&j->lock);
    bool done = j->done;
    if (done) {
        *answer = j->answer;
        j->answer = (dialog_answer){.state = DIALOG_IDLE};
    }
    pthread_mutex_unlock(&j->lock);
    if (!done)
        return answer->state = DIALOG_WAITING;
    leave_job(d, true);
    return answer->state;
}

double dialog_wait(const file_dialog *d)
{
    (void)d;
    return INFINITY;
}

void dialog_cancel(file_dialog *d)
{
    if (!d->job)
        return;
    pthread_mutex_lock(&d->job->lock);
    d->job->cancelled = true;
    pthread_mutex_unlock(&d->job->lock);
}

/* Waits until the thread is done. Meanwhile this thread answers what the dialog sends to its window. Returns
 * whether the thread is done. */
static bool wait_for_end(job *j)
{
    const ULONGLONG last = GetTickCount64() + END_WAIT;
    for (ULONGLONG now; (now = GetTickCount64()) < last;) {
        MSG ignored;
        DWORD which = MsgWaitForMultipleObjects(1, &j->ended, FALSE, (DWORD)(last - now), QS_SENDMESSAGE);
        if (which != WAIT_OBJECT_0 + 1)
            break;
        PeekMessageW(&ignored, NULL, 0, 0, PM_NOREMOVE | PM_QS_SENDMESSAGE);
    }
    pthread_mutex_lock(&j->lock);
    bool done = j->done;
    pthread_mutex_unlock(&j->lock);
    return done;
}

void dialog_destroy(file_dialog *d)
{
    if (!d)
        return;
    dialog_cancel(d);
    if (d->job)
        leave_job(d, wait_for_end(d->job));
    mmd_free(d);
}
