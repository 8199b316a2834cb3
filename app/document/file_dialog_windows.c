/*
 * The dialog of Windows for choosing files (file_dialog.h): IFileOpenDialog and IFileSaveDialog, which run a
 * message loop of their own on the thread that shows them. A timer of that thread looks whether the dialog is
 * to be closed, because it may be closed only there.
 */
#define COBJMACROS
#include "dialog_job.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <shobjidl.h>

#include "mmd/platform_windows.h"
#include "mmd/source.h"

enum {
    CANCEL_INTERVAL = 50, /* milliseconds between two looks at whether the dialog is to be closed */
    END_WAIT = 500,       /* longest wait in milliseconds for the thread when the player ends */
    SPEC_MAX = 1024       /* characters of the patterns of a filter */
};

/* A dialog. */
typedef struct shell_job {
    dialog_job shared;
    bool cancelled; /* the dialog is to be closed; of the lock */
    HANDLE ended;   /* event: the thread has stored its answer */
} shell_job;

/* --- Texts --- */

/* Returns a text in UTF-16 that lives as long as the request, or NULL when out of memory. Frees the one that
 * is given. */
static wchar_t *keep(dialog_job *j, wchar_t *wide)
{
    const size_t length = wide ? wcslen(wide) + 1 : 0;
    wchar_t *kept = wide ? mmd_arena_alloc(&j->arena, length, sizeof *kept) : NULL;
    if (kept)
        memcpy(kept, wide, length * sizeof *wide);
    mmd_free(wide);
    return kept;
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
    dialog_job *job;
    IFileDialog *dialog;
} shown;

static bool is_cancelled(dialog_job *j)
{
    pthread_mutex_lock(&j->lock);
    bool cancelled = ((shell_job *)j)->cancelled;
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
static bool set_filters(IFileDialog *dialog, dialog_job *j)
{
    const dialog_request *r = &j->request;
    COMDLG_FILTERSPEC specs[DIALOG_FILTERS_MAX];
    for (size_t i = 0; i < r->filter_count; i++) {
        char spec[SPEC_MAX] = "";
        for (unsigned kind = 0; kind < MMD_NAME_KINDS; kind++)
            if (r->filters[i].kinds & 1u << kind)
                add_patterns((mmd_name_kind)kind, spec);
        specs[i].pszName = keep(j, platform_wide_text(r->filters[i].name));
        specs[i].pszSpec = keep(j, platform_wide_text(*spec ? spec : "*.*"));
        if (!specs[i].pszName || !specs[i].pszSpec)
            return false;
        if (i == 0 && r->kind == DIALOG_SAVE && *spec) {
            spec[strcspn(spec, ";")] = '\0';
            wchar_t *ending = keep(j, platform_wide_text(strchr(spec, '.') + 1));
            if (ending)
                IFileDialog_SetDefaultExtension(dialog, ending);
        }
    }
    if (r->filter_count)
        IFileDialog_SetFileTypes(dialog, (UINT)r->filter_count, specs);
    return true;
}

/* Sets the folder in which the dialog begins. One that cannot be found is left to Windows. */
static void set_folder(IFileDialog *dialog, dialog_job *j)
{
    IShellItem *folder;
    wchar_t *path = keep(j, platform_wide_path(j->request.folder));
    if (path && SUCCEEDED(SHCreateItemFromParsingName(path, NULL, &IID_IShellItem, (void **)&folder))) {
        IFileDialog_SetFolder(dialog, folder);
        IShellItem_Release(folder);
    }
}

/* Prepares the dialog. Returns false when out of memory. */
static bool prepare(IFileDialog *dialog, dialog_job *j)
{
    const dialog_request *r = &j->request;
    FILEOPENDIALOGOPTIONS options = 0;
    wchar_t *title = keep(j, platform_wide_text(r->title)),
            *name = r->name ? keep(j, platform_wide_text(r->name)) : NULL;
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
    bool is_file = SUCCEEDED(IShellItem_GetDisplayName(item, SIGDN_FILESYSPATH, &wide)) &&
                   platform_narrow_path(wide, path);
    CoTaskMemFree(wide);
    return dialog_answer_add(answer, is_file ? path : NULL);
}

/* Reads what was chosen. Returns false when out of memory. */
static bool read_results(IFileDialog *dialog, dialog_job *j)
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

/* Shows a dialog until the user has answered. */
static dialog_state show(IFileDialog *dialog, dialog_job *j)
{
    char why[REFUSAL_MAX];
    if (!prepare(dialog, j))
        return dialog_job_fail(j, DIALOG_FAILED, "out of memory");
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
        return dialog_job_fail(j, DIALOG_FAILED, why);
    }
    if (!read_results(dialog, j))
        return dialog_job_fail(j, DIALOG_FAILED, "out of memory");
    return j->answer.paths.count
               ? DIALOG_CHOSEN
               : dialog_job_fail(j, DIALOG_FAILED, "what was chosen is not a file on this computer");
}

dialog_state dialog_job_ask(dialog_job *j)
{
    IFileDialog *dialog = NULL;
    bool saves = j->request.kind == DIALOG_SAVE;
    if (FAILED(CoInitializeEx(NULL, COINIT_APARTMENTTHREADED | COINIT_DISABLE_OLE1DDE)))
        return dialog_job_fail(j, DIALOG_MISSING, "there is no file chooser: COM does not start");
    dialog_state state = DIALOG_MISSING;
    if (SUCCEEDED(CoCreateInstance(saves ? &CLSID_FileSaveDialog : &CLSID_FileOpenDialog, NULL,
                                   CLSCTX_INPROC_SERVER, saves ? &IID_IFileSaveDialog : &IID_IFileOpenDialog,
                                   (void **)&dialog))) {
        state = show(dialog, j);
        IFileDialog_Release(dialog);
    } else {
        dialog_job_fail(j, state, "there is no file chooser");
    }
    CoUninitialize();
    return is_cancelled(j) ? DIALOG_CANCELLED : state;
}

/* --- The job --- */

dialog_job *dialog_job_create(dialog_state *state, char *error)
{
    (void)state, (void)error;
    shell_job *j = mmd_alloc(sizeof *j);
    if (!j)
        return NULL;
    *j = (shell_job){.shared.answers_by = INFINITY, .ended = CreateEventW(NULL, TRUE, FALSE, NULL)};
    if (j->ended)
        return &j->shared;
    mmd_free(j);
    return NULL;
}

void dialog_job_destroy(dialog_job *j)
{
    CloseHandle(((shell_job *)j)->ended);
    mmd_free(j);
}

void dialog_job_cancel(dialog_job *j)
{
    pthread_mutex_lock(&j->lock);
    ((shell_job *)j)->cancelled = true;
    pthread_mutex_unlock(&j->lock);
}

void dialog_job_signal(dialog_job *j)
{
    SetEvent(((shell_job *)j)->ended);
}

/* Meanwhile this thread answers what the dialog sends to its window. */
void dialog_job_wait(dialog_job *j)
{
    const ULONGLONG last = GetTickCount64() + END_WAIT;
    for (ULONGLONG now; (now = GetTickCount64()) < last;) {
        MSG ignored;
        DWORD which = MsgWaitForMultipleObjects(1, &((shell_job *)j)->ended, FALSE, (DWORD)(last - now),
                                                QS_SENDMESSAGE);
        if (which != WAIT_OBJECT_0 + 1)
            break;
        PeekMessageW(&ignored, NULL, 0, 0, PM_NOREMOVE | PM_QS_SENDMESSAGE);
    }
}

bool dialog_is_likely(void)
{
    return true;
}
