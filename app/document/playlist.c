/* Parses playlists. */
#include "playlist.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mmd/cursor.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/tokenize.h"
#include "mmd/text.h"
#include "preferences.h"

enum { WORDS_MAX = 256 }; /* arguments of an entry */

/* Sets an error of a line. */
static mmd_status wrong(mmd_error *error, mmd_status code, size_t line, const char *what, const char *word)
{
    return mmd_error_set(error, code, "playlist", MMD_NO_OFFSET, "line %zu: %s%.80s", line, what, word);
}

/* Returns a path relative to the playlist's folder as one from the current folder, or NULL when out of
 * memory. */
static char *join(odori_playlist *list, const char *folder, const char *path)
{
    const bool is_root = !folder[platform_path_root(folder)]; /* "//name" would be a server */
    size_t size = strlen(folder) + strlen(path) + 2;
    if (platform_path_root(path) || !folder[0])
        return mmd_arena_text(&list->arena, path, strlen(path));
    char *joined = mmd_arena_alloc(&list->arena, size, 1);
    if (joined)
        snprintf(joined, size, "%s%s%s", folder, is_root ? "" : "/", path);
    return joined;
}

/* Does the same with a path that may have been written on another system. */
static const char *resolve(odori_playlist *list, const char *folder, const char *path)
{
    char *joined = join(list, folder, path), *tidied = mmd_arena_text(&list->arena, path, strlen(path));
    if (!joined || !tidied)
        return NULL;
    return path_tidy_foreign(tidied, joined) ? join(list, folder, tidied) : joined;
}

/* Adds a file, or the value of an option if name is not NULL. Returns false when out of memory or, with
 * *known = false, when there is no such option. */
static bool take(const odori_playlist *list, recipe *e, const char *name, const char *value, bool *known)
{
    *known = true;
    if (!value)
        return false;
    if (!name) {
        scene_input input = scene_input_of(value);
        input.kind = list->is_own ? INPUT_FILE : INPUT_LISTED;
        return scene_inputs_add(&e->scene.files, &input);
    }
    if (strcmp(name, "--motion") == 0 || strcmp(name, "--stage-motion") == 0) {
        scene_input motion = scene_input_of(value);
        motion.is_of_stage = strcmp(name, "--stage-motion") == 0;
        return scene_inputs_add_motion(&e->scene.motions, &motion);
    }
    if (strcmp(name, "--pose") == 0)
        return scene_inputs_add_path(&e->scene.poses, value);
    if (strcmp(name, "--camera") == 0)
        e->scene.camera = scene_input_of(value);
    else if (strcmp(name, "--stage") == 0)
        e->scene.stage = scene_input_of(value);
    else if (strcmp(name, "--audio") == 0)
        e->sound.path = value;
    else
        *known = false;
    return *known;
}

/* A line of a playlist, split into arguments. */
typedef struct playlist_line {
    const char *folder;
    size_t number;
    char **words;
    size_t count;
} playlist_line;

static mmd_status fill_entry(odori_playlist *list, const playlist_line *line, recipe *e, mmd_error *error)
{
    for (size_t i = 0; i < line->count; i++) {
        bool known, is_option = strncmp(line->words[i], "--", 2) == 0;
        const char *name = is_option ? line->words[i++] : NULL;
        if (i == line->count)
            return wrong(error, MMD_ERROR_SYNTAX, line->number, "the value is missing after ", name);
        if (name && strcmp(name, "--stage-motion") == 0 && !e->scene.stage.given)
            return wrong(error, MMD_ERROR_SYNTAX, line->number, "no --stage comes before ", name);
        const char *path = resolve(list, line->folder, line->words[i]);
        if (path && !list->is_own && platform_path_is_remote(path, line->folder))
            return wrong(error, MMD_ERROR_REFUSED, line->number,
                         "a file on another computer, which a playlist may not name: ", line->words[i]);
        if (!take(list, e, name, path, &known))
            return known ? wrong(error, MMD_ERROR_MEMORY, line->number, "out of memory", "")
                         : wrong(error, MMD_ERROR_SYNTAX, line->number, "an entry cannot have the option ",
                                 name);
    }
    if (e->scene.files.count == 0)
        return wrong(error, MMD_ERROR_SYNTAX, line->number, "no model or project", "");
    return MMD_OK;
}

static mmd_status add_entry(odori_playlist *list, const playlist_line *line, mmd_error *error)
{
    if (list->count == PLAYLIST_MAX)
        return wrong(error, MMD_ERROR_LIMIT, line->number, "too many entries", "");
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 16;
        recipe *grown = mmd_realloc(list->entries, capacity * sizeof *grown);
        if (!grown)
            return wrong(error, MMD_ERROR_MEMORY, line->number, "out of memory", "");
        list->entries = grown;
        list->capacity = capacity;
    }
    recipe *e = &list->entries[list->count++];
    recipe_init(e, true);
    return fill_entry(list, line, e, error);
}

mmd_status playlist_parse(const char *text, size_t size, const char *folder, odori_playlist *list,
                          mmd_error *error)
{
    char storage[PLAYLIST_LINE_MAX + 2], *words[WORDS_MAX];
    text = text ? text : ""; /* NULL for an empty file */
    const char *end = text + size;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3; /* byte order mark, which some editors write */
    for (size_t number = 1; text < end; number++) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((stop ? stop : end) - text), count = 0;
        if (length > PLAYLIST_LINE_MAX || memchr(text, '\0', length))
            return wrong(error, MMD_ERROR_LIMIT, number, "the line is too long or contains binary data", "");
        tokenize_result split = tokenize(text, length, storage, words, WORDS_MAX, &count);
        if (split != TOKENIZE_DONE)
            return split == TOKENIZE_TOO_MANY
                       ? wrong(error, MMD_ERROR_LIMIT, number, "too many arguments", "")
                       : wrong(error, MMD_ERROR_SYNTAX, number, "a quote is not closed", "");
        const playlist_line line = {folder, number, words, count};
        mmd_status status = count ? add_entry(list, &line, error) : MMD_OK;
        if (status != MMD_OK)
            return status;
        text = stop ? stop + 1 : end;
    }
    return list->count
               ? MMD_OK
               : mmd_error_set(error, MMD_ERROR_VALUE, "playlist", MMD_NO_OFFSET, "it has no entries");
}

mmd_status playlist_read(const char *path, odori_playlist *list, mmd_error *error)
{
    mmd_bytes bytes = {0};
    char folder[MMD_PATH_MAX];
    mmd_path_folder(path, folder, sizeof folder);
    mmd_status status = mmd_file_read(path, &bytes, error);
    if (status == MMD_OK)
        status = playlist_parse((const char *)bytes.data, bytes.size, strcmp(folder, ".") == 0 ? "" : folder,
                                list, error);
    mmd_bytes_finish(&bytes);
    mmd_error_set_file(error, path);
    return status;
}

void playlist_finish(odori_playlist *list)
{
    for (size_t i = 0; i < list->count; i++)
        recipe_finish(&list->entries[i]);
    mmd_free(list->entries);
    mmd_arena_finish(&list->arena);
    *list = (odori_playlist){0};
}

/* --- The user's own playlist --- */

static const char own_name[] = PLAYLIST_FOLDER ".txt";

mmd_status playlist_read_own(odori_playlist *list, mmd_error *error)
{
    char path[MMD_FILE_PATH_MAX];
    *list = (odori_playlist){.is_own = true};
    bool is_there = preferences_find_state(own_name, path) && platform_exists(path);
    mmd_status status = is_there ? playlist_read(path, list, error) : MMD_OK;
    bool is_empty = status == MMD_ERROR_VALUE && list->count == 0; /* all entries were removed */
    if (status != MMD_OK) {
        playlist_finish(list);
        list->is_own = is_empty;
    }
    list->at = list->count ? list->count - 1 : 0; /* so that the next entry is the first one */
    return is_empty ? MMD_OK : status;
}

/* Locks the state folder, so that no other player changes the own playlist between reading and writing. */
static int lock_own(void)
{
    char folder[MMD_FILE_PATH_MAX];
    return preferences_find_state("", folder) ? preferences_lock(folder) : -1;
}

/* Releases it. */
static void release_own(int lock)
{
    if (lock >= 0)
        close(lock);
}

/* Appends the line of an entry. */
static void write_entry(const char *picture, const char *sound, mmd_buffer *text)
{
    token_quote(picture, text);
    if (sound) {
        mmd_write_format(text, " --audio ");
        token_quote(sound, text);
    }
    mmd_write_format(text, "\n");
}

/* Returns whether a list has an entry with a picture. */
static bool has_picture(const odori_playlist *list, const char *picture)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->entries[i].scene.files.items[0].path, picture) == 0)
            return true;
    return false;
}

/* Follows what another player has written to the own playlist since. */
static bool follow_own(odori_playlist *list, const odori_playlist *written, const char *removed)
{
    for (size_t i = list->count; i-- > 0;)
        if (!has_picture(written, list->entries[i].scene.files.items[0].path))
            playlist_remove(list, i);
    for (size_t i = 0; i < written->count; i++) {
        const char *picture = written->entries[i].scene.files.items[0].path;
        if ((!removed || strcmp(picture, removed) != 0) && !has_picture(list, picture) &&
            !playlist_add_picture(list, picture, written->entries[i].sound.path))
            return false;
    }
    return true;
}

bool playlist_save_own(odori_playlist *list, const char *removed)
{
    char path[MMD_FILE_PATH_MAX];
    mmd_buffer text = {0};
    odori_playlist written;
    if (!list->is_own)
        return true;
    int lock = lock_own();
    bool saved = preferences_find_state(own_name, path) && playlist_read_own(&written, NULL) == MMD_OK;
    if (!saved) {
        release_own(lock);
        return false;
    }
    saved = follow_own(list, &written, removed);
    playlist_finish(&written);
    for (size_t i = 0; i < list->count; i++)
        write_entry(list->entries[i].scene.files.items[0].path, list->entries[i].sound.path, &text);
    saved = saved && !text.failed && output_write(path, text.data, text.size);
    release_own(lock);
    mmd_buffer_finish(&text);
    return saved;
}

/* Appends an entry to the file of the own playlist, which is locked. */
static bool append_own(const char *picture, const char *sound)
{
    char path[MMD_FILE_PATH_MAX];
    mmd_bytes before = {0};
    mmd_buffer text = {0};
    if (!preferences_find_state(own_name, path) ||
        (platform_exists(path) && mmd_file_read(path, &before, NULL) != MMD_OK))
        return false;
    if (before.size)
        mmd_write_bytes(&text, before.data, before.size);
    if (before.size && before.data[before.size - 1] != '\n')
        mmd_write_u8(&text, '\n');
    write_entry(picture, sound, &text);
    bool written = !text.failed && output_write(path, text.data, text.size);
    mmd_bytes_finish(&before);
    mmd_buffer_finish(&text);
    return written;
}

bool playlist_append_own(const char *picture, const char *sound)
{
    int lock = lock_own();
    bool written = append_own(picture, sound);
    release_own(lock);
    return written;
}

bool playlist_add_picture(odori_playlist *list, const char *path, const char *sound)
{
    char audio[] = "--audio";
    char *words[] = {(char *)path, audio, (char *)sound};
    const playlist_line line = {"", list->count + 1, words, sound ? 3 : 1};
    mmd_error error = {0};
    bool own = list->is_own;
    size_t before = list->count;
    list->is_own = true; /* the picture is one of odori, whatever the list is */
    bool added = add_entry(list, &line, &error) == MMD_OK;
    list->is_own = own;
    if (!added && list->count > before)
        recipe_finish(&list->entries[--list->count]);
    list->version++;
    return added;
}

void playlist_remove(odori_playlist *list, size_t index)
{
    recipe_finish(&list->entries[index]);
    list->count--;
    memmove(&list->entries[index], &list->entries[index + 1], (list->count - index) * sizeof *list->entries);
    if (list->at >= index && list->at > 0)
        list->at--;
    list->version++;
}

void playlist_delete_picture(const char *picture)
{
    char folder[MMD_FILE_PATH_MAX];
    if (preferences_find_state(PLAYLIST_FOLDER "/", folder) && strncmp(picture, folder, strlen(folder)) == 0)
        platform_remove(picture);
}

void playlist_move(odori_playlist *list, size_t from, size_t to)
{
    recipe moved = list->entries[from], *e = list->entries;
    if (from < to)
        memmove(&e[from], &e[from + 1], (to - from) * sizeof *e);
    else
        memmove(&e[to + 1], &e[to], (from - to) * sizeof *e);
    e[to] = moved;
    if (list->at == from)
        list->at = to;
    else if (from < list->at && list->at <= to)
        list->at--;
    else if (to <= list->at && list->at < from)
        list->at++;
    list->version++;
}

/* Appends the name of a file without its ending. */
static void append_stem(const char *path, char *label, size_t size)
{
    char clean[PLAYLIST_LABEL_MAX];
    mmd_text_clean(mmd_path_name(path), true, clean, sizeof clean);
    char *dot = strrchr(clean, '.');
    if (dot && dot != clean)
        *dot = '\0';
    size_t length = strlen(label);
    snprintf(label + length, size - length, "%s", clean);
}

void playlist_label(const odori_playlist *list, size_t index, char label[PLAYLIST_LABEL_MAX])
{
    const scene_options *scene = &list->entries[index].scene;
    label[0] = '\0';
    append_stem(scene->files.items[0].path, label, PLAYLIST_LABEL_MAX);
    if (!scene->motions.count)
        return;
    size_t length = strlen(label);
    snprintf(label + length, PLAYLIST_LABEL_MAX - length, " - ");
    append_stem(scene->motions.items[scene->motions.count - 1].path, label, PLAYLIST_LABEL_MAX);
}
