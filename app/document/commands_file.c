/* Commands for files: what is opened, playlists, poses; and the end of the program. */
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

static bool has_playlist(const odori_session *s, char *error)
{
    if (!document_of(s)->playlist)
        return refuse_with(error, "there is no playlist");
    return document_of(s)->opener || refuse_with(error, "playlists are played by play alone");
}

/* The sound of an entry, or its project's; without one that of the entry before ends. */
static bool open_sound(odori_session *s, const char *path, char *error)
{
    char line[COMMAND_LINE_MAX];
    int length = path ? snprintf(line, sizeof line, "audio.open \"%s\"", path)
                      : snprintf(line, sizeof line, "audio.close");
    if (length >= COMMAND_LINE_MAX)
        return refuse_with(error, "%.200s: the path is too long", path);
    return command_run(s, line, (size_t)length, error);
}

static bool play_entry(odori_session *s, size_t at, char *error)
{
    odori_playlist *list = document_of(s)->playlist;
    bool playing = s->playing || s->ended;
    list->at = at; /* one that cannot be opened is behind whoever goes on */
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
        return true; /* the last one */
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
        return refuse_with(error, "there is no entry %g of %zu, the first is 0", number,
                           document_of(s)->playlist->count);
    return play_entry(s, (size_t)number, error);
}

static bool refuse_error(const mmd_error *why, char *error)
{
    char sentence[512];
    return refuse_with(error, "%.250s", mmd_error_sentence(why, sentence, sizeof sentence));
}

/* Names that CP932 lacks are told of; the rest of the pose is worth having. */
static bool pose_save(odori_session *s, const command_arguments *a, char *error)
{
    mmd_buffer out = {0};
    mmd_error why = {0};
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    mmd_status status = pose_file_make(m->actor, false, &out, &why);
    if (status == MMD_ERROR_TEXT)
        panel_log_tell(s->messages, "%s: some names cannot be said in a pose's letters and became ?",
                       a->word[0]);
    uint32_t scaled = pose_file_lost_scales(m->actor);
    if (scaled)
        panel_log_tell(s->messages, "%s: a pose holds no scale; bones that have one: %u", a->word[0], scaled);
    bool saved = (status == MMD_OK || status == MMD_ERROR_TEXT || refuse_error(&why, error)) &&
                 (output_write(a->word[0], out.data, out.size) ||
                  refuse_with(error, "%.200s: not written", a->word[0]));
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
        return refuse_with(error, "recent files are not looked at");
    if (a->count == 0) {
        for (size_t i = 0; recent_get(i, path); i++)
            fprintf(stderr, "%2zu  %s\n", i, path);
        return true;
    }
    const char *const paths[] = {path};
    if (a->number[0] < 0 || a->number[0] >= RECENT_MAX || !recent_get((size_t)a->number[0], path))
        return refuse_with(error, "there is no recent file %g", a->number[0]);
    return document_of(s)->opener ? open_files(s, paths, 1, error)
                                  : refuse_with(error, "files are opened by play alone");
}

static bool file_open(odori_session *s, const command_arguments *a, char *error)
{
    if (!document_of(s)->opener)
        return refuse_with(error, "files are opened by play alone");
    return open_files(s, a->word, a->count, error);
}

static bool quit(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    s->quit = true;
    return true;
}

static const command commands[] = {
    {"playlist.next", "", "", "the next entry; after the last the first, unless play.loop is off (play)",
     playlist_next},
    {"playlist.previous", "", "", "the entry before (play)", playlist_previous},
    {"pose.save", "w", "FILE.vpd", "the model's pose, as its motion and edits say it", pose_save},
    {"recent", "?r", "[NUMBER]", "lists files that were opened, or opens one again; the last is 0 (play)",
     recent},
    {"reload", "", "", "reads the scene's files again; those that change are read again anyway (play)",
     reload},
    {"playlist.go", "r", "NUMBER", "an entry; the first is 0 (play)", playlist_go},
};

const command_group commands_of_file = {commands, sizeof commands / sizeof *commands};

static const command program[] = {
    {"file.open", "+", "PATH...",
     "adds models, accessories and motions; a project or a picture takes the scene's place (play)",
     file_open},
    {"quit", "", "", "ends the program (play)", quit},
};

const command_group commands_of_program = {program, sizeof program / sizeof *program};
