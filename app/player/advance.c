#include "advance.h"

#include "base/clock.h"
#include "base/message.h"
#include "command/commands.h"
#include "document/audio.h"
#include "document/document.h"

bool advance_is_moving(const odori_session *s)
{
    return s->playing && session_last_frame(s) > 0;
}

/* Returns by how many seconds to advance playback: up to the position of the audio if it is playing,
 * otherwise by the time that has passed. Both are limited by the speed of physics. */
static double next_step(const rate_governor *governor, const odori_session *s, double now, double passed)
{
    double audible, possible = rate_governor_speed(governor), step = rate_governor_step(governor, passed);
    const audio_moment moment = {.now = now,
                                 .pace = possible,
                                 .seam = session_seam(s),
                                 .plays = session_runs(s) && advance_is_moving(s)};
    if (!audio_lead(document_of(s)->audio, s, &moment, &audible))
        return step;
    audible /= s->speed;
    return possible < 1 ? rate_governor_step(governor, audible) : audible;
}

void advance_session(rate_governor *governor, odori_session *s, double now, double passed)
{
    double step = next_step(governor, s, now, passed), started = clock_seconds();
    bool moves = s->playing && s->arrived;
    double gone = session_advance(s, step);
    audio_led(document_of(s)->audio, s, gone);
    if (s->ended && s->has_next)
        command_format(s,
                       "playlist.next"); /* which plays on, because the dance has ended and was not paused */
    session_take_end(s);
    if (moves && rate_governor_note(governor, step, clock_seconds() - started))
        panel_log_tell(s->messages, "physics is slower than real time: playback slows down");
}
