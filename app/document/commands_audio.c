/* Commands for sound. */
#include <math.h>

#include "audio.h"
#include "commands_document.h"
#include "document.h"
#include "base/message.h"

static bool is_played(const odori_session *s, char *error)
{
    return document_of(s)->audio || refuse_with(error, "sound is played by play alone");
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
        return refuse_with(error, "%g seconds are more than a day", a->number[0]);
    audio_set_offset(document_of(s)->audio, a->number[0]);
    return true;
}

/* By ear: a little earlier, a little later, while it plays. */
static bool shift_offset(odori_session *s, const command_arguments *a, char *error)
{
    if (!is_played(s, error))
        return false;
    double offset = round(1000 * (audio_offset(document_of(s)->audio) + a->number[0])) / 1000;
    if (!(fabs(offset) <= AUDIO_OFFSET_MAX))
        return refuse_with(error, "%g seconds are more than a day", offset);
    audio_set_offset(document_of(s)->audio, offset);
    panel_log_tell(s->messages, "the sound begins at %.2f s of the dance", offset);
    return true;
}

static bool set_volume(odori_session *s, const command_arguments *a, char *error)
{
    if (!is_played(s, error))
        return false;
    if (a->number[0] < 0 || a->number[0] > AUDIO_VOLUME_MAX)
        return refuse_with(error, "a volume of %g is not between 0 and %g", a->number[0], AUDIO_VOLUME_MAX);
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
    {"audio.open", "w", "FILE", "a WAV, OGG, FLAC or MP3 plays along, in place of the last one (play)",
     open_file},
    {"audio.close", "", "", "it plays no more", close_file},
    {"audio.offset", "r", "SECONDS", "of the dance, at which the sound begins; may be below 0", set_offset},
    {"audio.shift", "r", "SECONDS", "the sound comes later by so much, or earlier", shift_offset},
    {"audio.volume", "r", "FACTOR", "0 to 4, 1 as it is in the file", set_volume},
    {"audio.mute", "s", "on|off", "silent; it is the clock all the same", set_mute},
};

const command_group commands_of_audio = {commands, sizeof commands / sizeof *commands};
