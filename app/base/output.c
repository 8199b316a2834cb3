#include "output.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "file_draft.h"
#include "mmd/source.h"
#include "sandbox_helper.h"
#include "system.h"

static bool fail(const output *out, int code)
{
    message("%s: cannot be written: %s", out->path, strerror(code));
    return false;
}

/* Resolves links in the path, so that the file behind a link is replaced and the link stays. */
static bool resolve(output *out)
{
    char resolved[MMD_FILE_PATH_MAX];
    const char *target = platform_path_resolve(out->path, resolved) ? resolved : out->path;
    if (strlen(target) >= sizeof out->target) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(out->target, target, strlen(target) + 1);
    return true;
}

/* --- Drafts with a hidden name, which a signal removes --- */

enum { GUARDED_MAX = 8 };

static struct {
    atomic_bool taken, shown; /* shown: path is complete */
    char path[sizeof((output *)0)->temporary];
} guarded[GUARDED_MAX];

/* Folders that output_create_folder created, outermost first. Processes that are forked leave them to the
 * one that created them. */
enum { CREATED_MAX = 64 };

static struct {
    uint64_t owner; /* a process */
    atomic_int count;
    char *path[CREATED_MAX];
} created;

/* Removes the folders in which nothing was written. */
static void remove_empty(void)
{
    for (int i = atomic_load(&created.count); created.owner == platform_process_number() && i > 0; i--)
        platform_remove_folder(created.path[i - 1]);
}

void output_remove_guarded(void)
{
    for (size_t i = 0; i < GUARDED_MAX; i++)
        if (atomic_load(&guarded[i].shown))
            platform_remove(guarded[i].path);
    remove_empty();
    sandbox_helper_end();
}

static void guard_file(const char *path)
{
    size_t i = 0;
    while (i < GUARDED_MAX && atomic_exchange(&guarded[i].taken, true))
        i++;
    if (i == GUARDED_MAX)
        return;
    snprintf(guarded[i].path, sizeof guarded[i].path, "%s", path);
    atomic_store(&guarded[i].shown, true);
    system_on_end(output_remove_guarded);
}

static void release_file(const char *path)
{
    for (size_t i = 0; *path && i < GUARDED_MAX; i++) {
        if (!atomic_load(&guarded[i].shown) || strcmp(guarded[i].path, path) != 0)
            continue;
        atomic_store(&guarded[i].shown, false);
        atomic_store(&guarded[i].taken, false);
    }
}

bool output_create_folder(const char *path)
{
    static bool removes;
    int count = created.owner == platform_process_number() ? atomic_load(&created.count) : 0;
    char *kept = count < CREATED_MAX ? strdup(path) : NULL;
    if (!removes)
        removes = atexit(remove_empty) == 0;
    platform_hold_signals();
    bool ok = kept && platform_make_folder(path, 0777);
    if (ok) {
        created.owner = platform_process_number();
        created.path[count] = kept;
        atomic_store(&created.count, count + 1);
        system_on_end(output_remove_guarded);
    }
    platform_release_signals();
    if (!ok)
        free(kept);
    return ok;
}

/* --- Opening --- */

/* Creates the incomplete file. False: errno tells why. */
static bool open_draft(output *out)
{
    file_draft draft;
    platform_hold_signals();
    bool ok = file_draft_open(&draft, out->target, 0666);
    if (ok && *draft.temporary)
        guard_file(draft.temporary);
    else if (ok && draft.link > 0)
        system_on_end(output_remove_guarded);
    int number = errno;
    platform_release_signals();
    errno = number;
    if (!ok)
        return false;
    out->draft = draft.file;
    out->link = draft.link;
    memcpy(out->temporary, draft.temporary, sizeof out->temporary);
    int copy = system_duplicate(draft.file);
    out->stream = copy < 0 ? NULL : fdopen(copy, "wb");
    if (!out->stream && copy >= 0)
        close(copy);
    return out->stream != NULL;
}

/* Opens a pipe or a device for writing. */
static FILE *open_special(const char *path)
{
    int file = platform_open(path, PLATFORM_WRITE | PLATFORM_WAIT, 0);
    FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
    if (!stream && file >= 0)
        close(file);
    return stream;
}

/* Returns the incomplete file and forgets it. */
static file_draft take_draft(output *out)
{
    file_draft draft = {.file = out->draft, .link = out->link};
    memcpy(draft.temporary, out->temporary, sizeof draft.temporary);
    out->draft = -1;
    out->link = 0;
    *out->temporary = '\0';
    return draft;
}

static void drop_draft(output *out)
{
    file_draft draft = take_draft(out);
    char name[sizeof draft.temporary];
    memcpy(name, draft.temporary, sizeof name);
    file_draft_drop(&draft);
    release_file(name);
}

bool output_open(output *out, const char *path)
{
    *out = (output){.path = path, .draft = -1};
    if (strcmp(path, "-") == 0) {
        out->stream = stdout;
        return true;
    }
    platform_info about;
    bool exists = platform_stat(path, &about);
    if (exists && about.kind == PLATFORM_FOLDER)
        return fail(out, EISDIR);
    if (!resolve(out))
        return fail(out, errno);
    if (exists && about.kind != PLATFORM_FILE)
        out->stream = open_special(out->target);
    else if (!open_draft(out))
        drop_draft(out);
    return out->stream || fail(out, errno);
}

bool output_commit(output *out)
{
    bool ok = !ferror(out->stream) && fflush(out->stream) == 0;
    int code = errno;
    if (out->stream == stdout)
        return ok || fail(out, code);
    if (fclose(out->stream) != 0 && ok) {
        ok = false;
        code = errno;
    }
    out->stream = NULL;
    if (out->draft < 0)
        return ok || fail(out, code);
    if (!ok) {
        drop_draft(out);
        return fail(out, code);
    }
    file_draft draft = take_draft(out);
    char name[sizeof draft.temporary];
    memcpy(name, draft.temporary, sizeof name);
    ok = file_draft_finish(&draft, out->target);
    code = errno;
    release_file(name);
    return ok || fail(out, code);
}

void output_drop(output *out)
{
    if (!out->stream || out->stream == stdout)
        return;
    fclose(out->stream);
    out->stream = NULL;
    drop_draft(out);
}

void output_sweep(const char *folder)
{
    file_draft_sweep(folder);
}

bool output_write(const char *path, const void *data, size_t size)
{
    output out;
    if (!output_open(&out, path))
        return false;
    fwrite(data, 1, size, out.stream);
    return output_commit(&out);
}
