/* Finds edits that were not saved, by comparing hashes of what was saved, and writes them to the recovery
 * folder. */
#include "autosave.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "document.h"
#include "scene/edited_motion.h"
#include "mmd/format.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "base/message.h"
#include "base/output.h"
#include "base/tokenize.h"
#include "edit/pose_file.h"
#include "preferences.h"
#include "save.h"

#define FOLDER "recovered"

enum { NOTE_MAX = 4 * MMD_FILE_PATH_MAX }; /* bytes */

static uint64_t hash_of(const mmd_buffer *bytes)
{
    return session_hash(SESSION_HASH_START, bytes->data, bytes->size);
}

/* Computes a hash of the edited pose of a model. Returns whether any bone was edited. */
static bool hash_pose(const odori_session *s, size_t model, uint64_t *hash)
{
    const scene_model *m = &s->scene->models[model];
    static const float nothing[7] = {0, 0, 0, 0, 0, 0, 1};
    bool any = false;
    *hash = session_hash(SESSION_HASH_START, &model, sizeof model);
    for (uint32_t b = 0; b < m->model->bone_count; b++) {
        float v[7];
        mmd_pose_get_user(mmd_actor_pose(m->actor), b, v, v + 3);
        any |= memcmp(v, nothing, sizeof v) != 0;
        *hash = session_hash(*hash, v, sizeof v);
    }
    return any;
}

/* --- Saved poses --- */

void autosave_note_pose(odori_session *s, size_t model)
{
    uint64_t hash;
    if (hash_pose(s, model, &hash))
        session_remember_saved_hash(s, hash);
}

/* --- Writing --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists the files of a folder, sorted by name, which begins with the time. Returns how many names there are;
 * each is to be freed. */
static size_t list_names(const char *folder, char *names[RECOVERED_MAX * 4])
{
    size_t count = 0;
    platform_folder *listing = platform_folder_open(folder);
    for (const char *name; listing && count < RECOVERED_MAX * 4 && (name = platform_folder_next(listing));)
        if (*name != '.' && (names[count] = strdup(name)))
            count++;
    platform_folder_close(listing);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

/* Writes the path of the note about a recovered file. Returns false if it is too long. */
static bool find_note(const char *folder, const char *name, char path[MMD_FILE_PATH_MAX])
{
    return snprintf(path, MMD_FILE_PATH_MAX, "%s/.%s.of", folder, name) < MMD_FILE_PATH_MAX;
}

/* Returns whether a file is a draft of a player that still runs, this one included: such a player holds a
 * lock on it, which the system releases when the player ends in any way. */
static bool is_in_use(const char *path)
{
    int file = platform_open(path, PLATFORM_READ | PLATFORM_NO_LINK, 0);
    bool in_use = file >= 0 && !platform_lock(file) && errno == EWOULDBLOCK;
    if (file >= 0)
        close(file);
    return in_use;
}

/* Deletes the oldest files beyond RECOVERED_MAX, but no drafts of players that still run. */
static void delete_old(const char *folder)
{
    char *names[RECOVERED_MAX * 4], path[MMD_FILE_PATH_MAX];
    size_t count = list_names(folder, names);
    for (size_t i = 0; i < count; i++) {
        bool is_old = i + RECOVERED_MAX < count &&
                      snprintf(path, sizeof path, "%s/%s", folder, names[i]) < MMD_FILE_PATH_MAX &&
                      !is_in_use(path);
        if (is_old)
            platform_remove(path);
        if (is_old && find_note(folder, names[i], path))
            platform_remove(path);
        free(names[i]);
    }
}

size_t autosave_list(char paths[AUTOSAVE_LISTED][MMD_FILE_PATH_MAX])
{
    char *names[RECOVERED_MAX * 4], folder[MMD_FILE_PATH_MAX];
    size_t listed = 0, count = preferences_find_state(FOLDER, folder) ? list_names(folder, names) : 0;
    for (size_t i = count; i > 0; i--) {
        if (listed < AUTOSAVE_LISTED)
            listed += snprintf(paths[listed], MMD_FILE_PATH_MAX, "%s/%s", folder, names[i - 1]) <
                          MMD_FILE_PATH_MAX &&
                      !is_in_use(paths[listed]);
        free(names[i - 1]);
    }
    return listed;
}

/* Writes the name of a recovery file: the time, and the file name of `path` without extension. */
static void name_file(const char *path, char *name, size_t size)
{
    char stamp[32], base[128];
    time_t now = time(NULL);
    struct tm parts;
    const char *last = mmd_path_name(path), *dot = strrchr(last, '.');
    int length = (int)(dot && dot > last ? (size_t)(dot - last) : strlen(last));
    if (!localtime_r(&now, &parts) || !strftime(stamp, sizeof stamp, "%Y-%m-%dT%H-%M-%S", &parts))
        snprintf(stamp, sizeof stamp, "%lld", (long long)now);
    snprintf(base, sizeof base, "%.*s", length < 100 ? length : 100, last);
    snprintf(name, size, FOLDER "/%s %s", stamp, base);
}

/* Frees a draft's path and releases its lock. */
static void forget_draft(autosave_drafts *d, size_t i)
{
    free(d->paths[i]);
    if (d->locks[i] >= 0)
        close(d->locks[i]);
}

/* Deletes drafts, from one on. */
static void drop_drafts(autosave_drafts *d, size_t first, size_t end)
{
    char folder[MMD_FILE_PATH_MAX], note[MMD_FILE_PATH_MAX];
    for (size_t i = first; i < end; i++) {
        platform_remove(d->paths[i]);
        mmd_path_folder(d->paths[i], folder, sizeof folder);
        if (find_note(folder, mmd_path_name(d->paths[i]), note))
            platform_remove(note);
        forget_draft(d, i);
    }
    memmove(d->paths + first, d->paths + end, (d->count - end) * sizeof *d->paths);
    memmove(d->locks + first, d->locks + end, (d->count - end) * sizeof *d->locks);
    d->count -= end - first;
}

/* Forgets the drafts, which stay in the folder. */
static void leave_drafts(autosave_drafts *d)
{
    for (size_t i = 0; i < d->count; i++)
        forget_draft(d, i);
    d->count = 0;
}

/* --- Where recovered files come from --- */

bool autosave_find_origin(const char *path, autosave_origin *origin)
{
    char folder[MMD_FILE_PATH_MAX], own[MMD_FILE_PATH_MAX], kept[MMD_FILE_PATH_MAX], note[MMD_FILE_PATH_MAX],
        storage[NOTE_MAX + 2];
    char *words[4];
    size_t count = 0;
    mmd_bytes bytes = {0};
    *origin = (autosave_origin){.model = ""};
    mmd_path_folder(path, folder, sizeof folder);
    if (!preferences_find_state(FOLDER, own) || !platform_path_resolve(own, kept) ||
        !platform_path_resolve(folder, own) || strcmp(own, kept) != 0)
        return false;
    if (find_note(kept, mmd_path_name(path), note) && mmd_file_read(note, &bytes, NULL) == MMD_OK &&
        bytes.size <= NOTE_MAX && !memchr(bytes.data, '\0', bytes.size) &&
        tokenize((const char *)bytes.data, bytes.size, storage, words, 4, &count) == TOKENIZE_DONE)
        for (size_t i = 0; i + 1 < count; i += 2) {
            bool is_model = strcmp(words[i], "model") == 0;
            snprintf(is_model ? origin->model : origin->file, MMD_FILE_PATH_MAX, "%s", words[i + 1]);
        }
    mmd_bytes_finish(&bytes);
    return true;
}

/* Appends a path, made absolute, to a note. */
static void note_path(const char *key, const char *path, mmd_buffer *note)
{
    char present[MMD_FILE_PATH_MAX], whole[2 * MMD_FILE_PATH_MAX];
    if (!path)
        return;
    bool is_relative = !platform_path_root(path) && platform_current_folder(present);
    snprintf(whole, sizeof whole, is_relative ? "%s/%s" : "%s%s", is_relative ? present : "", path);
    mmd_write_format(note, "%s ", key);
    token_quote(whole, note);
    mmd_write_format(note, " ");
}

/* Writes the note about a recovered file. It can be missing, so errors are ignored. */
static void write_note(const char *written, const char *model, const char *file)
{
    char folder[MMD_FILE_PATH_MAX], path[MMD_FILE_PATH_MAX];
    mmd_buffer note = {0};
    note_path("model", model, &note);
    note_path("file", file, &note);
    mmd_path_folder(written, folder, sizeof folder);
    if (!note.failed && note.size && find_note(folder, mmd_path_name(written), path))
        output_write(path, note.data, note.size);
    mmd_buffer_finish(&note);
}

/* What is recovered of a model, or of the camera. */
typedef struct recovered {
    const char *model; /* its path; NULL: it is the camera */
    const char *file;  /* that was edited; NULL: there was none */
    const char *ending;
} recovered;

/* Adds a draft that was written. */
static void add_draft(autosave_drafts *d, const char *path, const recovered *what, const char *file)
{
    d->paths[d->count] = strdup(path);
    if (d->paths[d->count]) {
        d->locks[d->count] = preferences_lock(path);
        d->count++;
    }
    write_note(path, what->model, file);
}

/* Writes a recovery file and reports it. Of edits to a file that was recovered itself, it is named after the
 * first one. */
static void write_recovered(odori_session *s, const recovered *what, const mmd_buffer *bytes)
{
    autosave_origin before;
    const char *file = what->file;
    if (file && autosave_find_origin(file, &before))
        file = *before.file ? before.file : NULL;
    const char *path = !what->model ? "camera" : file ? file : what->model;
    char name[256], written[MMD_FILE_PATH_MAX];
    autosave_drafts *d = document_of(s)->drafts;
    name_file(path, name, sizeof name);
    if (d && d->writes && d->count - d->older >= RECOVERED_MAX)
        return;
    bool is_written = !bytes->failed && preferences_write_new(name, what->ending, bytes, written);
    if (d)
        d->fails |= !is_written;
    if (d && d->writes) {
        if (is_written)
            add_draft(d, written, what, file);
        return;
    }
    if (!is_written) {
        panel_log_report(s->messages, "unsaved edits of %s could not be written to the recovery folder",
                         mmd_path_name(path));
        return;
    }
    panel_log_tell(s->messages, "unsaved edits were written to %s", written);
    write_note(written, what->model, file);
}

/* --- Unsaved edits --- */

/* Returns whether an edited motion is equal to its file, or empty if it has none. */
static bool are_same(const odori_scene *scene, const edited_motion *k, const mmd_buffer *bytes)
{
    mmd_buffer source = {0};
    if (k->source < 0)
        return motion_is_empty(k->motion);
    bool same = mmd_vmd_write(scene->motions[k->source].motion, &source, NULL) == MMD_OK &&
                hash_of(&source) == hash_of(bytes);
    mmd_buffer_finish(&source);
    return same;
}

/* Returns whether a motion of a model has unsaved edits, and writes it to `out`. */
static bool is_motion_unsaved(const odori_session *s, const edited_motion *k, mmd_buffer *out)
{
    return !k->is_stage && scene_holder(s->scene, k->model) < s->scene->model_count &&
           mmd_vmd_write(k->motion, out, NULL) == MMD_OK && !session_was_saved(s, hash_of(out)) &&
           !are_same(s->scene, k, out);
}

/* Returns whether camera, light or self-shadow have unsaved edits, and writes them to `out`. Those of all
 * motions form one file, as camera.save writes it. */
static bool is_stage_unsaved(const odori_session *s, mmd_buffer *out)
{
    bool any = false, edited = false;
    for (size_t i = 0; i < s->scene->edited_count && !edited; i++) {
        const edited_motion *k = &s->scene->edited[i];
        mmd_buffer one = {0};
        edited =
            k->is_stage && mmd_vmd_write(k->motion, &one, NULL) == MMD_OK && !are_same(s->scene, k, &one);
        mmd_buffer_finish(&one);
    }
    return edited && edited_motion_write_stage(s->scene, out, &any, NULL) == MMD_OK && any &&
           !session_was_saved(s, hash_of(out));
}

static bool is_pose_unsaved(const odori_session *s, size_t model)
{
    uint64_t hash;
    return hash_pose(s, model, &hash) && !session_was_saved(s, hash);
}

bool autosave_has_pose(const odori_session *s, size_t model)
{
    return scene_is_present(s->scene, model) && is_pose_unsaved(s, model);
}

bool autosave_has_motion(const odori_session *s, size_t model)
{
    bool found = false;
    for (size_t i = 0; scene_is_present(s->scene, model) && !found && i < s->scene->edited_count; i++) {
        mmd_buffer out = {0};
        found = s->scene->edited[i].model == s->scene->models[model].role &&
                is_motion_unsaved(s, &s->scene->edited[i], &out);
        mmd_buffer_finish(&out);
    }
    return found;
}

bool autosave_plays_recovered(const odori_session *s, size_t model)
{
    bool found = false;
    autosave_origin origin;
    for (size_t i = 0; scene_is_present(s->scene, model) && !found && i < s->scene->motion_count; i++) {
        const scene_motion *m = &s->scene->motions[i];
        bool is_edited = false;
        mmd_buffer out = {0};
        for (size_t k = 0; k < s->scene->edited_count; k++) /* then autosave_has_motion answers */
            is_edited = is_edited || s->scene->edited[k].source == (int64_t)i;
        found = !is_edited && scene_moves(s->scene, m, model) && autosave_find_origin(m->path, &origin) &&
                mmd_vmd_write(m->motion, &out, NULL) == MMD_OK && !session_was_saved(s, hash_of(&out));
        mmd_buffer_finish(&out);
    }
    return found;
}

bool autosave_has_camera(const odori_session *s)
{
    mmd_buffer out = {0};
    bool found = is_stage_unsaved(s, &out);
    mmd_buffer_finish(&out);
    return found;
}

static bool is_any_unsaved(const odori_session *s)
{
    bool found = autosave_has_camera(s);
    for (size_t i = 0; !found && i < s->scene->model_count; i++)
        found = autosave_has_pose(s, i) || autosave_has_motion(s, i);
    return found;
}

bool autosave_is_due(autosave_watch *w, const odori_session *s)
{
    const odori_history *h = &s->history;
    const autosave_watch now = {.scene = s->scene,
                                .edit = h->edit,
                                .changes = h->changes,
                                .saved_count = s->saved_count,
                                .is_due = w->is_due};
    bool is_same = w->scene == now.scene && w->edit == now.edit && w->changes == now.changes &&
                   w->saved_count == now.saved_count;
    if (is_same || h->joins || s->selection.drag.on)
        return w->is_due;
    *w = now;
    w->is_due = is_any_unsaved(s);
    return w->is_due;
}

/* --- Pictures --- */

void autosave_note_picture(odori_session *s)
{
    mmd_buffer out = {0};
    uint64_t hash;
    mmd_buffer_finish(&s->as_opened);
    s->picture_models = s->scene->model_count;
    for (size_t i = 0; i < s->scene->model_count; i++)
        if (hash_pose(s, i, &hash))
            session_remember_opened_hash(s, hash);
    for (size_t i = 0; i < s->scene->edited_count; i++) {
        if (is_motion_unsaved(s, &s->scene->edited[i], &out))
            session_remember_opened_hash(s, hash_of(&out));
        mmd_buffer_finish(&out);
    }
    if (is_stage_unsaved(s, &out))
        session_remember_opened_hash(s, hash_of(&out));
    mmd_buffer_finish(&out);
}

/* --- Recovery --- */

static void recover_motion(odori_session *s, const edited_motion *k)
{
    mmd_buffer out = {0};
    if (is_motion_unsaved(s, k, &out)) {
        const recovered what = {.model = s->scene->models[scene_holder(s->scene, k->model)].path,
                                .file = k->source >= 0 ? s->scene->motions[k->source].path : NULL,
                                .ending = "vmd"};
        write_recovered(s, &what, &out);
    }
    mmd_buffer_finish(&out);
}

static void recover_stage(odori_session *s)
{
    mmd_buffer out = {0};
    if (is_stage_unsaved(s, &out)) {
        recovered what = {.ending = "vmd"};
        for (size_t i = 0; i < s->scene->motion_count; i++)
            if (s->scene->motions[i].motion->camera_key_count)
                what.file = s->scene->motions[i].path;
        write_recovered(s, &what, &out);
    }
    mmd_buffer_finish(&out);
}

static void recover_pose(odori_session *s, size_t model)
{
    mmd_buffer out = {0};
    /* A model that was removed is recovered, too, but not one that another has replaced. */
    size_t holder = scene_holder(s->scene, s->scene->models[model].role);
    bool is_replaced = !scene_is_present(s->scene, model) && scene_is_present(s->scene, holder);
    if (is_replaced || !is_pose_unsaved(s, model))
        return;
    mmd_status status = pose_file_make(s->scene->models[model].actor, false, &out, NULL);
    if (status == MMD_OK || status == MMD_ERROR_TEXT)
        write_recovered(s, &(recovered){.model = s->scene->models[model].path, .ending = "vpd"}, &out);
    mmd_buffer_finish(&out);
}

static void recover_all(odori_session *s)
{
    for (size_t i = 0; i < s->scene->edited_count; i++)
        recover_motion(s, &s->scene->edited[i]);
    recover_stage(s);
    for (size_t i = 0; i < s->scene->model_count; i++)
        recover_pose(s, i);
}

void autosave_keep(odori_session *s)
{
    autosave_drafts *d = document_of(s)->drafts;
    if (!d || !s->remembers || !document_of(s)->has_window)
        return;
    d->older = d->count;
    d->writes = true;
    d->fails = false;
    recover_all(s);
    d->writes = false;
    if (d->fails) /* perhaps the disk is full: older drafts are better than none */
        drop_drafts(d, d->older, d->count);
    else
        drop_drafts(d, 0, d->older);
}

/* Tests whether unsaved edits are to be recovered. */
static bool is_recovering(const odori_session *s)
{
    const save_list *list = document_of(s)->saving;
    return s->remembers && document_of(s)->has_window && !(list && list->discards);
}

void autosave_write_given_up(odori_session *s)
{
    for (size_t i = 0; is_recovering(s) && i < s->scene->model_count; i++)
        if (s->scene->models[i].is_given_up && !s->scene->models[i].is_empty)
            recover_pose(s, i);
}

void autosave_write(odori_session *s)
{
    char folder[MMD_FILE_PATH_MAX];
    autosave_drafts *d = document_of(s)->drafts;
    bool writes = is_recovering(s);
    if (d)
        d->fails = false;
    if (writes)
        recover_all(s);
    if (d && d->fails)
        leave_drafts(d);
    else if (d)
        drop_drafts(d, 0, d->count);
    if (writes && preferences_find_state(FOLDER, folder))
        delete_old(folder);
}
