/* Commands for files: opening, reloading, playlists, saving; the settings of scenes that are opened; and
 * `quit`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "chooser.h"
#include "commands_document.h"
#include "document.h"
#include "open_work.h"
#include "open.h"
#include "playlist.h"
#include "recipe/stage.h"
#include "edit/pose_file.h"
#include "autosave.h"
#include "watch.h"
#include "preferences.h"
#include "save.h"
#include "mmd/text.h"

static bool has_playlist(const odori_session *s, char *error)
{
    if (!document_of(s)->playlist || !document_of(s)->playlist->count)
        return refuse_with(error, "there is no playlist; give one with --playlist, open one, or add dances");
    return document_of(s)->opener || refuse_with(error, "only `play` can play a playlist");
}

/* Opens the audio of an entry, or closes that of the entry before if path is NULL. */
static bool open_sound(odori_session *s, const char *path, char *error)
{
    char line[COMMAND_LINE_MAX];
    int length = path ? snprintf(line, sizeof line, "audio.open \"%s\"", path)
                      : snprintf(line, sizeof line, "audio.close");
    if (length >= COMMAND_LINE_MAX)
        return refuse_with(error, "%.200s: the path is too long", path);
    return command_run(s, line, (size_t)length, error);
}

/* Replaces the scene by an entry of the playlist, and goes on playing if the last one was playing. */
static bool play_entry(odori_session *s, size_t at, char *error)
{
    odori_playlist *list = document_of(s)->playlist;
    bool playing = s->playing || s->ended;
    s->has_next = list->count > 1;
    list->at = at; /* set first, so that an entry that cannot be opened is skipped by the next command */
    if (document_of(s)->opener->work)
        return open_work_replace(document_of(s)->opener->work, &list->entries[at], playing, error);
    if (!open_replace(s, &list->entries[at], error))
        return false;
    session_pause(s);
    if (playing)
        session_play(s);
    const char *own = list->entries[at].sound.path;
    return open_sound(s, own ? own : s->scene->settings.sound, error);
}

static bool playlist_next(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    if (!has_playlist(s, error))
        return false;
    if (document_of(s)->playlist->at + 1 == document_of(s)->playlist->count && !s->transport.loop)
        return true; /* it is the last entry */
    return play_entry(s, (document_of(s)->playlist->at + 1) % document_of(s)->playlist->count, error);
}

static bool playlist_previous(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    if (!has_playlist(s, error))
        return false;
    size_t at = document_of(s)->playlist->at;
    if (at == 0 && !s->transport.loop)
        return true;
    return play_entry(s, (at ? at : document_of(s)->playlist->count) - 1, error);
}

/* Goes to the next or previous entry while one plays, otherwise to a camera cut. */
static bool playlist_page(odori_session *s, const command_arguments *a, char *error)
{
    const char *line = a->number[0] < 0 ? "frame.cut -1" : "frame.cut 1";
    if (!s->has_next)
        return command_run(s, line, strlen(line), error);
    return a->number[0] < 0 ? playlist_previous(s, a, error) : playlist_next(s, a, error);
}

static bool playlist_go(odori_session *s, const command_arguments *a, char *error)
{
    if (!has_playlist(s, error))
        return false;
    double number = a->number[0];
    if (number != floor(number) || number < 0 || number >= (double)document_of(s)->playlist->count)
        return refuse_with(error, "there is no entry %g of %zu; the first is 0", number,
                           document_of(s)->playlist->count);
    return play_entry(s, (size_t)number, error);
}

/* Returns the playlist if it can be changed now. A job that loads an entry reads that. */
static odori_playlist *free_playlist(const odori_session *s, char *error)
{
    odori_playlist *list = document_of(s)->playlist;
    if (!list || !document_of(s)->opener)
        refuse_with(error, "only `play` can play a playlist");
    else if (open_work_is_busy(document_of(s)->opener->work))
        refuse_with(error, "another file is being loaded; try again when it is done");
    else
        return list;
    return NULL;
}

bool playlist_open_file(odori_session *s, const char *path, char *error)
{
    odori_playlist *list = free_playlist(s, error), fresh = {0};
    mmd_error why = {0};
    char sentence[512];
    if (!list)
        return false;
    if (playlist_read(path, &fresh, &why) != MMD_OK) {
        playlist_finish(&fresh);
        return refuse_with(error, "%.240s", mmd_error_sentence(&why, sentence, sizeof sentence));
    }
    fresh.version = list->version + 1;
    playlist_finish(list);
    *list = fresh;
    if (s->remembers)
        recent_add(path);
    return play_entry(s, 0, error);
}

static bool playlist_open(odori_session *s, const command_arguments *a, char *error)
{
    return playlist_open_file(s, a->word[0], error);
}

/* Returns the playlist if it can be changed now and has entries with these numbers. */
static odori_playlist *find_entries(const odori_session *s, const double *numbers, size_t count, char *error)
{
    odori_playlist *list = has_playlist(s, error) ? free_playlist(s, error) : NULL;
    for (size_t i = 0; list && i < count; i++)
        if (numbers[i] != floor(numbers[i]) || numbers[i] < 0 || numbers[i] >= (double)list->count) {
            refuse_with(error, "there is no entry %g of %zu; the first is 0", numbers[i], list->count);
            return NULL;
        }
    return list;
}

/* Keeps a changed playlist. `removed` is the picture of an entry that was removed, or NULL. */
static bool keep_playlist(odori_session *s, odori_playlist *list, const char *removed, char *error)
{
    bool saved = playlist_save_own(list, removed);
    s->has_next &= list->count > 1;
    if (!s->has_next && list->count)
        list->at = list->count - 1; /* none plays, so the next one is the first */
    s->changed = true;
    return saved || refuse_with(error, "the own playlist cannot be written; its file stays as it is");
}

static bool playlist_take_away(odori_session *s, const command_arguments *a, char *error)
{
    odori_playlist *list = find_entries(s, a->number, 1, error);
    if (!list)
        return false;
    const char *picture = list->entries[(size_t)a->number[0]].scene.files.items[0].path;
    bool is_own = list->is_own;
    playlist_remove(list, (size_t)a->number[0]);
    if (!keep_playlist(s, list, picture, error))
        return false;
    if (is_own)
        playlist_delete_picture(picture);
    return true;
}

static bool playlist_reorder(odori_session *s, const command_arguments *a, char *error)
{
    odori_playlist *list = find_entries(s, a->number, 2, error);
    if (!list)
        return false;
    playlist_move(list, (size_t)a->number[0], (size_t)a->number[1]);
    return keep_playlist(s, list, NULL, error);
}

static bool pose_save(odori_session *s, const command_arguments *a, char *error)
{
    return session_selected_model(s, error) && save_pose(s, s->selected, a->word[0], error);
}

static bool reload(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return watch_read_all(s, error);
}

static bool recent(odori_session *s, const command_arguments *a, char *error)
{
    char path[MMD_FILE_PATH_MAX];
    if (!s->remembers)
        return refuse_with(error, "recent files are only available in `play` without --no-settings");
    if (a->count == 0) {
        for (size_t i = 0; recent_get(i, path); i++) {
            char clean[MMD_FILE_PATH_MAX];
            mmd_text_clean(path, true, clean, sizeof clean);
            fprintf(stderr, "%2zu  %s\n", i, clean);
        }
        return true;
    }
    const char *const paths[] = {path};
    if (a->number[0] < 0 || a->number[0] >= RECENT_MAX || !recent_get((size_t)a->number[0], path))
        return refuse_with(error, "there is no recent file %g", a->number[0]);
    return document_of(s)->opener ? open_files(s, paths, 1, error)
                                  : refuse_with(error, "only `play` can open files");
}

static bool file_open(odori_session *s, const command_arguments *a, char *error)
{
    if (!document_of(s)->opener)
        return refuse_with(error, "only `play` can open files");
    return open_files(s, a->word, a->count, error);
}

/* --- Saving, and the end --- */

/* Returns the list of what is to be saved, or NULL with the reason. */
static save_list *find_list(const odori_session *s, bool is_open, char *error)
{
    save_list *l = document_of(s)->saving;
    if (!l)
        refuse_with(error, "only `play` can save by itself; use motion.save, camera.save and pose.save");
    else if (is_open && !l->shown)
        refuse_with(error, "the list of what is saved is closed; file.save-as opens it");
    return l && (!is_open || l->shown) ? l : NULL;
}

/* Asks the desktop for the name of the only item. Where it has no dialog, the list stays. */
static bool ask_desktop(save_list *l, odori_session *s, char *error)
{
    bool is_missing = true;
    bool asked =
        chooser_is_likely(document_of(s)->chooser) && save_list_ask(l, s, 0, true, &is_missing, error);
    if (asked || !is_missing)
        save_list_close(l);
    return asked || is_missing;
}

/* Saves what was edited to the files that it was saved to before, or shows the list. A single item is saved
 * under another name by the desktop's dialog. */
static bool file_save(odori_session *s, const command_arguments *a, char *error)
{
    save_list *l = find_list(s, false, error);
    if (!l || !save_list_open(l, s, false, error))
        return false;
    if (!l->shown && strcmp(a->name, "file.save-as") == 0 && !save_list_offer(l, s, error))
        return false;
    if (!l->shown)
        panel_log_tell(s->messages, "everything is saved");
    else if (strcmp(a->name, "file.save") == 0)
        return !save_list_is_known(l) || save_list_write(l, s, error);
    else if (l->count == 1)
        return ask_desktop(l, s, error);
    return true;
}

static bool save_name(odori_session *s, const command_arguments *a, char *error)
{
    save_list *l = find_list(s, true, error);
    double number = a->number[0];
    if (l && (number != floor(number) || number < 0 || number >= (double)l->count))
        return refuse_with(error, "there is no item %g; the list has %zu, numbered from 0", number, l->count);
    bool is_missing;
    if (l && strcmp(a->name, "save.name") == 0 && a->count == 1)
        return save_list_ask(l, s, (size_t)number, false, &is_missing, error);
    if (l && strcmp(a->name, "save.take") == 0)
        l->items[(size_t)number].taken = a->on[1];
    else if (!l || !save_list_name(l, (size_t)number, a->word[1], error))
        return false;
    s->changed = true;
    return true;
}

static bool save_write(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    save_list *l = find_list(s, true, error);
    bool closes = l && l->closes;
    if (!l || !save_list_write(l, s, error))
        return false;
    s->quit |= closes;
    return true;
}

static bool save_close(odori_session *s, const command_arguments *a, char *error)
{
    save_list *l = find_list(s, true, error);
    if (!l)
        return false;
    if (strcmp(a->name, "save.discard") == 0)
        l->discards = s->quit = true;
    save_list_close(l);
    s->changed = true;
    return true;
}

/* Puts another file in the place of a model, or asks for that file. */
static bool model_replace(odori_session *s, const command_arguments *a, char *error)
{
    chooser_aim aim = {.replaces = true};
    if (!document_of(s)->opener)
        return refuse_with(error, "only `play` can open files");
    if (!session_find_model(s, a->word[0], &aim.model, error))
        return false;
    if (a->count > 1)
        return open_in_place_of(s, aim.model, a->word[1], error);
    snprintf(aim.path, sizeof aim.path, "%s", s->scene->models[aim.model].path);
    return chooser_ask_for(s, &aim, error);
}

static bool quit(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    s->quit = true;
    return true;
}

/* Quits, or shows the list first if there are unsaved edits. Without memory for the list it quits, and they
 * are recovered. */
static bool quit_ask(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    save_list *l = document_of(s)->has_window ? document_of(s)->saving : NULL;
    if (l && !(l->shown && l->closes))
        save_list_open(l, s, true, error);
    s->quit = !l || !l->shown;
    return true;
}

static const command commands[] = {
    {"playlist.next", "", "",
     "plays the next entry; after the last one the first, unless play.loop is off (play)", playlist_next,
     .replay = REPLAY_REFUSES},
    {"playlist.previous", "", "", "plays the previous entry (play)", playlist_previous,
     .replay = REPLAY_REFUSES},
    {"playlist.page", "r", "1|-1",
     "plays the next or previous entry; without a playlist goes to a camera cut (play)", playlist_page,
     .replay = REPLAY_REFUSES},
    {"pose.save", "o", "FILE.vpd", "saves the pose of the model, as shown", pose_save,
     .replay = REPLAY_SKIPS},
    {"recent", "?r", "[NUMBER]", "lists recent files, or opens one; the last is 0 (play)", recent,
     .replay = REPLAY_REFUSES},
    {"reload", "", "", "reloads all files of the scene; changed files are reloaded automatically (play)",
     reload, .replay = REPLAY_REFUSES},
    {"playlist.open", "w", "FILE", "plays another playlist from its first entry (play)", playlist_open,
     .replay = REPLAY_REFUSES},
    {"playlist.remove", "r", "NUMBER", "removes an entry; the first is 0 (play)", playlist_take_away,
     .replay = REPLAY_REFUSES},
    {"playlist.move", "rr", "FROM TO", "moves an entry to another place of the list; the first is 0 (play)",
     playlist_reorder, .replay = REPLAY_REFUSES},
    {"playlist.go", "r", "NUMBER", "plays an entry; the first is 0 (play)", playlist_go,
     .replay = REPLAY_REFUSES},
};

const command_group commands_of_file = {commands, sizeof commands / sizeof *commands};

/* Sets the look of models, now and for those that are opened later. */
static bool view_look(odori_session *s, const command_arguments *a, char *error)
{
    const file_opener *o = document_of(s)->opener;
    bool pale = strcmp(a->word[0], "pale") == 0;
    if (!pale && strcmp(a->word[0], "mmd") != 0)
        return refuse_with(error, "\"%.40s\" is not mmd or pale", a->word[0]);
    if (!o)
        return refuse_with(error, "only `play` has this setting; use view.background and view.ground-shadow");
    s->panels.pale = pale;
    if (pale) {
        stage_look_pale(o->recipe, &s->view);
    } else {
        const mmd_view_options plain = mmd_default_view_options();
        memcpy(s->view.background, plain.background, sizeof plain.background);
        s->view.ground_shadow = plain.ground_shadow;
    }
    s->changed = true;
    return true;
}

static bool play_continue(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->panels.continues = a->on[0];
    s->changed = true;
    return true;
}

static const command program[] = {
    {"play.continue", "s", "on|off",
     "models begin at the frame at which they were left, not at the start (play)", play_continue,
     .replay = REPLAY_REFUSES},
    {"view.look", "w", "mmd|pale",
     "MMD's white background, or a pale one with a ground shadow, also for scenes opened later (play)",
     view_look, .replay = REPLAY_REFUSES},
    {"file.open", "+", "PATH...",
     "adds models, accessories and motions; a project or a picture replaces the scene (play)", file_open,
     .replay = REPLAY_REFUSES},
    {"file.save", "", "",
     "saves edited motions, camera and poses; asks for names that it does not know (play)", file_save,
     .replay = REPLAY_REFUSES},
    {"file.save-as", "", "",
     "shows the list of what is unsaved, with the names of its files; asks the desktop where it is one "
     "(play)",
     file_save, .replay = REPLAY_REFUSES},
    {"save.name", "r?w", "NUMBER [FILE]",
     "changes the file of an item of that list, or asks for it in the desktop's dialog; the first is 0 "
     "(play)",
     save_name, .replay = REPLAY_REFUSES},
    {"save.take", "rs", "NUMBER on|off", "saves an item of the list, or leaves it out (play)", save_name,
     .replay = REPLAY_REFUSES},
    {"save.write", "", "", "saves the items of the list (play)", save_write, .replay = REPLAY_REFUSES},
    {"save.discard", "", "", "ends the program without unsaved edits (play)", save_close,
     .replay = REPLAY_REFUSES},
    {"save.close", "", "", "closes the list without saving (play)", save_close, .replay = REPLAY_REFUSES},
    {"model.replace", "w?w", "NUMBER|NAME [FILE]",
     "puts another file in its place, or asks for it: with its motions, placement, order and edits of the "
     "same names (play)",
     model_replace, .replay = REPLAY_REFUSES},
    {"quit", "", "", "ends the program; unsaved edits are recovered (play)", quit, .replay = REPLAY_SKIPS},
    {"quit.ask", "", "", "ends the program, after asking where there are unsaved edits (play)", quit_ask,
     .replay = REPLAY_SKIPS},
};

const command_group commands_of_program = {program, sizeof program / sizeof *program};
