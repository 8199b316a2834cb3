/* Commands for files: opening, reloading, playlists, poses; and `quit`. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/message.h"
#include "commands_document.h"
#include "document.h"
#include "open_work.h"
#include "open.h"
#include "base/output.h"
#include "playlist.h"
#include "edit/pose_file.h"
#include "autosave.h"
#include "watch.h"
#include "preferences.h"
#include "mmd/text.h"

static bool has_playlist(const odori_session *s, char *error)
{
    if (!document_of(s)->playlist)
        return refuse_with(error, "there is no playlist; give one with --playlist");
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

static bool refuse_error(const mmd_error *why, char *error)
{
    char sentence[512];
    return refuse_with(error, "%.250s", mmd_error_sentence(why, sentence, sizeof sentence));
}

/* Saves the pose of the selected model. Names with characters that CP932 lacks are reported, and the file is
 * written all the same. */
static bool pose_save(odori_session *s, const command_arguments *a, char *error)
{
    mmd_buffer out = {0};
    mmd_error why = {0};
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    mmd_status status = pose_file_make(m->actor, false, &out, &why);
    if (status == MMD_ERROR_TEXT)
        panel_log_report(s->messages,
                         "%s: some names have characters that VPD files (CP932) cannot store; they became ?",
                         a->word[0]);
    uint32_t scaled = pose_file_lost_scales(m->actor);
    if (scaled)
        panel_log_report(s->messages, "%s: VPD files cannot store scale; bones that lose it: %u", a->word[0],
                         scaled);
    bool saved = (status == MMD_OK || status == MMD_ERROR_TEXT || refuse_error(&why, error)) &&
                 (output_write(a->word[0], out.data, out.size) ||
                  refuse_with(error, "%.200s: cannot be written", a->word[0]));
    mmd_buffer_finish(&out);
    if (saved)
        autosave_note_pose(s, s->selected);
    return saved;
}

static bool reload(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return watch_read_all(s, error);
}

static bool recent(odori_session *s, const command_arguments *a, char *error)
{
    char path[PATH_MAX];
    if (!s->remembers)
        return refuse_with(error, "recent files are only available in `play` without --no-settings");
    if (a->count == 0) {
        for (size_t i = 0; recent_get(i, path); i++) {
            char clean[PATH_MAX];
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

/* Puts another file in the place of a model. */
static bool model_replace(odori_session *s, const command_arguments *a, char *error)
{
    size_t model;
    if (!document_of(s)->opener)
        return refuse_with(error, "only `play` can open files");
    if (open_work_is_busy(document_of(s)->opener->work))
        return refuse_with(error, "another file is being loaded; try again when it is done");
    selection_cancel_drag(s);
    return session_find_model(s, a->word[0], &model, error) && open_in_place_of(s, model, a->word[1], error);
}

static bool quit(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    s->quit = true;
    return true;
}

static const command commands[] = {
    {"playlist.next", "", "",
     "plays the next entry; after the last one the first, unless play.loop is off (play)", playlist_next,
     .replay = REPLAY_REFUSES},
    {"playlist.previous", "", "", "plays the previous entry (play)", playlist_previous,
     .replay = REPLAY_REFUSES},
    {"pose.save", "o", "FILE.vpd", "saves the pose of the model, as shown", pose_save,
     .replay = REPLAY_SKIPS},
    {"recent", "?r", "[NUMBER]", "lists recent files, or opens one; the last is 0 (play)", recent,
     .replay = REPLAY_REFUSES},
    {"reload", "", "", "reloads all files of the scene; changed files are reloaded automatically (play)",
     reload, .replay = REPLAY_REFUSES},
    {"playlist.go", "r", "NUMBER", "plays an entry; the first is 0 (play)", playlist_go,
     .replay = REPLAY_REFUSES},
};

const command_group commands_of_file = {commands, sizeof commands / sizeof *commands};

static const command program[] = {
    {"file.open", "+", "PATH...",
     "adds models, accessories and motions; a project or a picture replaces the scene (play)", file_open,
     .replay = REPLAY_REFUSES},
    {"model.replace", "ww", "NUMBER|NAME FILE",
     "puts another file in its place: with its motions, placement, order and edits of the same names (play)",
     model_replace, .replay = REPLAY_REFUSES},
    {"quit", "", "", "ends the program (play)", quit, .replay = REPLAY_SKIPS},
};

const command_group commands_of_program = {program, sizeof program / sizeof *program};
