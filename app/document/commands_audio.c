/* Commands for audio. */
#include <math.h>

#include "audio.h"
#include "commands_document.h"
#include "document.h"
#include "base/message.h"

/* Returns whether the session can play audio; otherwise writes why not. */
static bool is_played(const odori_session *s, char *error)
{
    return document_of(s)->audio || refuse_with(error, "only `play` can play audio");
}

static bool open_file(odori_session *s, const command_arguments *a, char *error)
{
    return is_played(s, error) && audio_open(document_of(s)->audio, a->word[0], error);
}

static bool close_file(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    if (!is_played(s, error))
        return false;
    audio_shut(document_of(s)->audio);
    return true;
}

static bool set_offset(odori_session *s, const command_arguments *a, char *error)
{
    if (!is_played(s, error))
        return false;
    if (fabs(a->number[0]) > AUDIO_OFFSET_MAX)
        return refuse_with(error, "an offset of %g seconds is more than a day", a->number[0]);
    audio_set_offset(document_of(s)->audio, a->number[0]);
    return true;
}

/* Shifts the offset while the audio plays, rounded to milliseconds. */
static bool shift_offset(odori_session *s, const command_arguments *a, char *error)
{
    if (!is_played(s, error))
        return false;
    double offset = round(1000 * (audio_offset(document_of(s)->audio) + a->number[0])) / 1000;
    if (!(fabs(offset) <= AUDIO_OFFSET_MAX))
        return refuse_with(error, "an offset of %g seconds is more than a day", offset);
    audio_set_offset(document_of(s)->audio, offset);
    panel_log_tell(s->messages, "the audio starts at %.2f s of the scene", offset);
    return true;
}

static bool set_volume(odori_session *s, const command_arguments *a, char *error)
{
    if (!is_played(s, error))
        return false;
    if (a->number[0] < 0 || a->number[0] > AUDIO_VOLUME_MAX)
        return refuse_with(error, "the volume %g is not between 0 and %g", a->number[0], AUDIO_VOLUME_MAX);
    audio_set_volume(document_of(s)->audio, a->number[0]);
    return true;
}

static bool set_mute(odori_session *s, const command_arguments *a, char *error)
{
    if (!is_played(s, error))
        return false;
    audio_set_mute(document_of(s)->audio, a->on[0]);
    return true;
}

static const command commands[] = {
    {"audio.open", "i", "FILE", "plays a WAV, OGG, FLAC or MP3 file with the scene (play)", open_file,
     .replay = REPLAY_REFUSES},
    {"audio.close", "", "", "closes the audio file (play)", close_file, .replay = REPLAY_REFUSES},
    {"audio.offset", "r", "SECONDS", "time of the scene at which the audio starts; may be negative (play)",
     set_offset, .replay = REPLAY_REFUSES},
    {"audio.shift", "r", "SECONDS", "starts the audio later, or earlier if negative (play)", shift_offset,
     .replay = REPLAY_REFUSES},
    {"audio.volume", "r", "FACTOR", "volume from 0 to 4; 1 is that of the file (play)", set_volume,
     .replay = REPLAY_REFUSES},
    {"audio.mute", "s", "on|off", "mutes the audio, which still sets the pace (play)", set_mute,
     .replay = REPLAY_REFUSES},
};

const command_group commands_of_audio = {commands, sizeof commands / sizeof *commands};
