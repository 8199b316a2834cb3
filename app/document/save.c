/* Lists and saves unsaved edits. Two items never get the same name, because models are often alike. */
#include "save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "autosave.h"
#include "base/message.h"
#include "base/output.h"
#include "base/system.h"
#include "chooser.h"
#include "document.h"
#include "edit/motion_file.h"
#include "edit/pose_file.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "open.h"
#include "scene/bundled.h"
#include "scene/fade.h"

static const char *ending_of(save_kind kind)
{
    return kind == SAVE_POSE ? ".vpd" : ".vmd";
}

/* --- The names that are offered --- */

/* Returns whether a file is one of the bundled dancer's. */
static bool is_bundled(const char *path)
{
    bundled own;
    return bundled_find(&own, NULL) == MMD_OK &&
           (strcmp(path, own.model) == 0 || strcmp(path, own.dance) == 0 || strcmp(path, own.camera) == 0);
}

/* Writes the folder of a path: the nearest one above it that exists, because the path may lead into an
 * archive. Takes the user's documents, or the home folder, where that cannot be written to, and for files of
 * the program. */
static void find_folder(const char *path, char folder[MMD_FILE_PATH_MAX])
{
    platform_info about;
    char at[MMD_FILE_PATH_MAX];
    bool is_own = is_bundled(path);
    snprintf(at, sizeof at, "%s", path);
    do {
        mmd_path_folder(at, folder, MMD_FILE_PATH_MAX);
        snprintf(at, sizeof at, "%s", folder);
    } while ((!platform_stat(folder, &about) || about.kind != PLATFORM_FOLDER) && strcmp(folder, ".") &&
             platform_path_root(folder) < strlen(folder));
    if (is_own || !platform_may_write(folder))
        if (!mmd_user_folder_find("DOCUMENTS", folder) && !mmd_user_folders_home(folder))
            snprintf(folder, MMD_FILE_PATH_MAX, ".");
}

/* Copies a text. One that is too long is cut between characters. Returns the copy. */
static const char *shorten(const char *text, char *out, size_t size)
{
    size_t length = strnlen(text, size);
    if (length == size)
        for (length--; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
    memcpy(out, text, length);
    out[length] = '\0';
    return out;
}

/* Writes the name of a file without folders and ending. */
static void find_stem(const char *path, char *stem, size_t size)
{
    const char *name = mmd_path_name(path), *dot = strrchr(name, '.');
    int length = (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name));
    snprintf(stem, size, "%.*s", length, name);
}

/* Returns the only motion file that moves a model, or NULL when there are several or none. *alone: it moves
 * no other model, and holds neither camera nor light, so that saving to it loses nothing. */
static const scene_motion *find_source(const odori_scene *scene, size_t model, bool *alone)
{
    const scene_motion *found = NULL;
    for (size_t i = 0; i < scene->motion_count; i++) {
        const scene_motion *m = &scene->motions[i];
        bool moves = scene_moves(scene, m, model);
        if (moves && found)
            return NULL;
        if (moves)
            found = m;
    }
    *alone = found && !found->is_of_project && (found->target >= 0 || scene_count_dancers(scene) == 1) &&
             found->motion->camera_key_count + found->motion->light_key_count +
                     found->motion->self_shadow_key_count ==
                 0;
    for (size_t i = 0; *alone && i < scene->motion_count; i++)
        *alone = &scene->motions[i] == found || strcmp(scene->motions[i].path, found->path) != 0;
    return found;
}

/* Returns the file that the camera comes from, or NULL when there is none or when it holds more. */
static const scene_motion *find_camera(const odori_scene *scene)
{
    const scene_motion *found = NULL;
    for (size_t i = 0; i < scene->motion_count; i++)
        if (scene->motions[i].motion->camera_key_count)
            found = &scene->motions[i];
    bool alone = found && !found->is_of_project &&
                 found->motion->bone_track_count + found->motion->morph_track_count == 0;
    return alone ? found : NULL;
}

/* Returns whether a path names a motion file that can be replaced: not a pose, nor one in an archive. */
static bool is_replaceable(const char *path)
{
    platform_info about;
    char folder[MMD_FILE_PATH_MAX], own[MMD_FILE_PATH_MAX];
    find_folder(path, folder);
    mmd_path_folder(path, own, sizeof own);
    const char *ending = strrchr(path, '.');
    return strcmp(folder, own) == 0 && platform_stat(path, &about) && about.kind == PLATFORM_FILE &&
           platform_may_write(path) && ending && strcasecmp(ending, ".vmd") == 0;
}

/* Writes "FOLDER/STEM.ENDING", with "STEM 2" and so on if another item has that name, or if the file exists.
 */
static void offer_beside(const save_list *l, const char *path, const char *stem, save_item *item)
{
    enum { TRIES = 1000 };
    char folder[MMD_FILE_PATH_MAX], number[16] = "";
    platform_info about;
    bool used = true;
    find_folder(path, folder);
    for (int i = 2; used && i < TRIES; i++) {
        int length =
            snprintf(item->path, sizeof item->path, "%s/%s%s%s", folder, stem, number, ending_of(item->kind));
        if (length >= (int)sizeof item->path) /* the folder's path is too long: beside the present folder */
            snprintf(item->path, sizeof item->path, "%s%s%s", stem, number, ending_of(item->kind));
        used = platform_stat_link(item->path, &about);
        for (size_t k = 0; k < l->count; k++)
            used = used || strcmp(l->items[k].path, item->path) == 0;
        snprintf(number, sizeof number, " %d", i);
    }
}

/* Writes the key of an item and the file that it is saved to first. */
static void offer(const save_list *l, odori_session *s, save_item *item)
{
    const odori_scene *scene = s->scene;
    char stem[256], name[2 * sizeof stem], short_stem[100], short_name[100];
    bool alone = true;
    const scene_motion *source = item->kind == SAVE_CAMERA   ? find_camera(scene)
                                 : item->kind == SAVE_MOTION ? find_source(scene, item->model, &alone)
                                                             : NULL;
    autosave_origin origin;
    bool is_recovered = source && autosave_find_origin(source->path, &origin);
    if (is_recovered && !*origin.file)
        source = NULL;
    const char *beside = source && is_recovered ? origin.file
                         : source               ? source->path
                         : scene->model_count   ? scene->models[item->model].path
                                                : "camera";
    find_stem(beside, stem, sizeof stem);
    if (item->kind == SAVE_CAMERA)
        snprintf(name, sizeof name, "camera");
    else if (source)
        snprintf(name, sizeof name, "%s (%s)", shorten(stem, short_stem, sizeof short_stem),
                 shorten(item->name, short_name, sizeof short_name));
    else
        snprintf(name, sizeof name, "%s", shorten(stem, short_stem, sizeof short_stem));
    system_name_tidy(name); /* which may be that of a model */
    snprintf(item->key, sizeof item->key, "%d %s %s", item->kind, item->name, beside);
    if (source && alone && !is_recovered && is_replaceable(source->path))
        snprintf(item->path, sizeof item->path, "%s", source->path);
    else
        offer_beside(l, beside, name, item);
}

/* --- The list --- */

/* Returns the file that an item was saved to before, or NULL. */
static const char *find_known(const save_list *l, const save_item *item)
{
    for (size_t i = 0; i < l->known_count; i++)
        if (strcmp(l->known[i].key, item->key) == 0)
            return l->known[i].path;
    return NULL;
}

static void note_replaced(save_item *item)
{
    platform_info about;
    item->replaces = platform_stat_link(item->path, &about);
}

/* Appends an item. Returns false when out of memory. */
static bool add(save_list *l, odori_session *s, save_kind kind, size_t model)
{
    save_item *items = mmd_realloc(l->items, (l->count + 1) * sizeof *items);
    if (!items)
        return false;
    l->items = items;
    save_item *item = &l->items[l->count];
    *item = (save_item){.kind = kind, .model = model, .taken = true};
    if (kind != SAVE_CAMERA)
        session_model_name(s, model, item->name);
    offer(l, s, item);
    const char *known = find_known(l, item);
    item->is_known = known != NULL;
    if (known)
        snprintf(item->path, sizeof item->path, "%s", known);
    note_replaced(item);
    l->count++;
    return true;
}

/* Returns whether a motion of a model is to be saved. One that was recovered needs it, although nothing is
 * lost when the player ends. */
static bool has_motion(const odori_session *s, size_t model, bool closes)
{
    return scene_is_present(s->scene, model) &&
           (autosave_has_motion(s, model) || (!closes && autosave_plays_recovered(s, model)));
}

bool save_list_open(save_list *l, odori_session *s, bool closes, char *error)
{
    bool fits = true;
    save_list_close(l);
    for (size_t i = 0; fits && i < s->scene->model_count; i++)
        fits = !has_motion(s, i, closes) || add(l, s, SAVE_MOTION, i);
    fits = fits && (!autosave_has_camera(s) || add(l, s, SAVE_CAMERA, 0));
    for (size_t i = 0; fits && i < s->scene->model_count; i++)
        fits = !scene_is_present(s->scene, i) || !autosave_has_pose(s, i) || add(l, s, SAVE_POSE, i);
    if (!fits) {
        save_list_close(l);
        return refuse_with(error, "out of memory");
    }
    l->closes = closes;
    l->shown = l->count > 0;
    s->changed = true;
    return true;
}

bool save_list_offer(save_list *l, odori_session *s, char *error)
{
    const size_t model = s->selected;
    save_list_close(l);
    if (model >= s->scene->model_count || !scene_is_present(s->scene, model))
        return true;
    bool moves = fade_count_motions(s->scene, model) > 0;
    if ((moves && !add(l, s, SAVE_MOTION, model)) || !add(l, s, SAVE_POSE, model)) {
        save_list_close(l);
        return refuse_with(error, "out of memory");
    }
    l->items[l->count - 1].taken = !moves;
    l->shown = s->changed = true;
    return true;
}

bool save_list_is_known(const save_list *l)
{
    bool known = l->count > 0;
    for (size_t i = 0; i < l->count; i++)
        known = known && l->items[i].is_known;
    return known;
}

bool save_list_name(save_list *l, size_t item, const char *path, char *error)
{
    if (item >= l->count)
        return refuse_with(error, "there is no item %zu to save; the list has %zu, numbered from 0", item,
                           l->count);
    save_item *named = &l->items[item];
    const char *name = mmd_path_name(path), *ending = strrchr(name, '.') ? "" : ending_of(named->kind);
    char whole[MMD_FILE_PATH_MAX];
    autosave_origin origin;
    if (autosave_find_origin(path, &origin))
        return refuse_with(
            error, "that folder is for what was not saved, and what is in it is deleted after a while; "
                   "choose another one");
    if (!*name || snprintf(whole, sizeof whole, "%s%s", path, ending) >= (int)sizeof whole)
        return refuse_with(error, "\"%.200s\" is not the name of a file", path);
    for (size_t i = 0; i < l->count; i++)
        if (i != item && strcmp(l->items[i].path, whole) == 0)
            return refuse_with(error, "%.200s is already the file of another item", whole);
    memcpy(named->path, whole, sizeof whole);
    named->is_known = true;
    note_replaced(named);
    return true;
}

/* --- Names from the desktop's dialog --- */

/* Returns the number of the item that the dialog was opened for, or the number of items. */
static size_t find_asked(const save_list *l)
{
    size_t i = 0;
    while (i < l->count && !(l->asked && strcmp(l->items[i].key, l->asked) == 0))
        i++;
    return i;
}

/* Saves the item alone under the name that it has now. If the file exists and the dialog has not asked about
 * it, because the name has got an ending since, the list is shown, which says so. */
static bool write_alone(save_list *l, odori_session *s, size_t item, const char *chosen, char *error)
{
    if (l->items[item].replaces && strcmp(l->items[item].path, chosen) != 0)
        return true;
    for (size_t i = 0; i < l->count; i++)
        l->items[i].taken = i == item;
    return save_list_write(l, s, error);
}

/* Opens the list that the dialog was opened from: of what is unsaved, or, where everything is saved, of what
 * can be saved under another name. */
static bool open_for_asked(save_list *l, odori_session *s, char *error)
{
    return save_list_open(l, s, false, error) && (l->count || save_list_offer(l, s, error));
}

/* Takes the name that was chosen. */
static bool take_chosen(save_list *l, odori_session *s, const char *path, char *error)
{
    bool writes = l->asked_writes && !l->shown;
    if (writes && !open_for_asked(l, s, error))
        return false;
    size_t item = find_asked(l);
    if (item == l->count)
        return refuse_with(error, "%.200s: there is nothing to save there any more", mmd_path_name(path));
    return save_list_name(l, item, path, error) && (!writes || write_alone(l, s, item, path, error));
}

/* Takes the answer of the dialog. Where it failed, the list takes its place. */
static void take_answer(odori_session *s, const dialog_answer *answer)
{
    char error[REFUSAL_MAX];
    save_list *l = document_of(s)->saving;
    bool taken = answer->state == DIALOG_CANCELLED;
    memcpy(error, answer->error, sizeof error);
    if (answer->state == DIALOG_CHOSEN)
        taken = take_chosen(l, s, answer->paths.items[0], error);
    else if (!taken && l->asked_writes && !l->shown)
        taken = open_for_asked(l, s, error) && answer->state == DIALOG_MISSING;
    if (!taken)
        panel_log_report(s->messages, "%s", error);
    s->changed = true;
}

bool save_list_ask(save_list *l, odori_session *s, size_t item, bool writes, bool *is_missing, char *error)
{
    char folder[MMD_FILE_PATH_MAX], whole[MMD_FILE_PATH_MAX];
    const save_item *asked = &l->items[item];
    const bool japanese = session_in_japanese(s), is_pose = asked->kind == SAVE_POSE;
    const dialog_filter filter = {is_pose    ? japanese ? "ポーズ" : "Poses"
                                  : japanese ? "モーション"
                                             : "Motions",
                                  1u << (is_pose ? MMD_NAME_POSE : MMD_NAME_MOTION)};
    mmd_path_folder(asked->path, folder, sizeof folder);
    const dialog_request request = {.kind = DIALOG_SAVE,
                                    .filters = &filter,
                                    .filter_count = 1,
                                    .folder = platform_path_resolve(folder, whole) ? whole : NULL,
                                    .name = mmd_path_name(asked->path)};
    char *key = strdup(asked->key);
    dialog_state state = key ? chooser_ask(s, &request, take_answer, error) : DIALOG_FAILED;
    if (!key)
        refuse_with(error, "out of memory");
    *is_missing = state == DIALOG_MISSING;
    if (state != DIALOG_WAITING) {
        free(key);
        return false;
    }
    free(l->asked);
    l->asked = key;
    l->asked_writes = writes;
    return true;
}

/* --- Writing --- */

/* Remembers the file that an item was saved to. Without memory it is asked for again. */
static void remember(save_list *l, const save_item *item)
{
    save_memory *at = NULL;
    for (size_t i = 0; i < l->known_count && !at; i++)
        if (strcmp(l->known[i].key, item->key) == 0)
            at = &l->known[i];
    if (!at) {
        save_memory *known = mmd_realloc(l->known, (l->known_count + 1) * sizeof *known);
        char *key = known ? strdup(item->key) : NULL;
        l->known = known ? known : l->known;
        if (!key)
            return;
        at = &l->known[l->known_count++];
        *at = (save_memory){.key = key};
    }
    free(at->path);
    at->path = strdup(item->path);
}

bool save_pose(odori_session *s, size_t model, const char *path, char *error)
{
    mmd_buffer out = {0};
    mmd_error why = {0};
    char sentence[512];
    mmd_actor *actor = s->scene->models[model].actor;
    mmd_status status = pose_file_make(actor, false, &out, &why);
    if (status == MMD_ERROR_TEXT)
        panel_log_report(s->messages,
                         "%s: some names have characters that VPD files (CP932) cannot store; they became ?",
                         path);
    uint32_t scaled = pose_file_lost_scales(actor);
    if (scaled)
        panel_log_report(s->messages, "%s: VPD files cannot store scale; bones that lose it: %u", path,
                         scaled);
    bool saved = status == MMD_OK || status == MMD_ERROR_TEXT ||
                 refuse_with(error, "%.250s", mmd_error_sentence(&why, sentence, sizeof sentence));
    saved = saved &&
            (output_write(path, out.data, out.size) || refuse_with(error, "%.200s: cannot be written", path));
    mmd_buffer_finish(&out);
    if (saved)
        autosave_note_pose(s, model);
    return saved;
}

static bool write_item(odori_session *s, const save_item *item, char *error)
{
    if (item->kind != SAVE_CAMERA && !scene_is_present(s->scene, item->model))
        return refuse_with(error, "%.100s was removed", item->name);
    switch (item->kind) {
    case SAVE_MOTION:
        return motion_file_save(s, item->model, item->path, error);
    case SAVE_CAMERA:
        return motion_file_save_stage(s, item->path, error);
    case SAVE_POSE:
        return save_pose(s, item->model, item->path, error);
    }
    return false;
}

bool save_list_write(save_list *l, odori_session *s, char *error)
{
    size_t done = 0;
    bool saved = true;
    while (saved && done < l->count) {
        save_item *item = &l->items[done];
        saved = !item->taken || write_item(s, item, error);
        if (saved && item->taken) {
            remember(l, item);
            panel_log_tell(s->messages, "saved %s", item->path);
        }
        done += saved;
    }
    memmove(l->items, l->items + done, (l->count - done) * sizeof *l->items);
    l->count -= done;
    s->changed = true;
    if (saved)
        save_list_close(l);
    return saved;
}

void save_list_close(save_list *l)
{
    mmd_free(l->items);
    l->items = NULL;
    l->count = 0;
    l->shown = l->closes = false;
}

void save_list_finish(save_list *l)
{
    save_list_close(l);
    for (size_t i = 0; i < l->known_count; i++) {
        free(l->known[i].key);
        free(l->known[i].path);
    }
    mmd_free(l->known);
    free(l->asked);
    *l = (save_list){0};
}
