#include "title.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mmd/simulation.h"

enum { BEATS_A_BAR = 4 };

static void add(char *title, size_t size, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
static void add(char *title, size_t size, const char *format, ...)
{
    size_t length = strlen(title);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(title + length, size - length, format, arguments);
    va_end(arguments);
}

/* As musicians count: bars and beats from 1 on. Before the first there is none. */
static void add_beat(const odori_session *s, char *title, size_t size)
{
    if (s->transport.bpm <= 0)
        return;
    double beat = transport_beat(&s->transport, s->frame);
    if (beat >= 1)
        add(title, size, " - beat %.0f.%.0f", floor((beat - 1) / BEATS_A_BAR) + 1,
            fmod(beat - 1, BEATS_A_BAR) + 1);
}

static void add_repeat(const odori_transport *t, char *title, size_t size)
{
    if (!isnan(t->a) && !isnan(t->b))
        add(title, size, " - repeats %.0f to %.0f", t->a, t->b);
    else if (!isnan(t->a))
        add(title, size, " - A at %.0f", t->a);
    else if (!isnan(t->b))
        add(title, size, " - B at %.0f", t->b);
}

static void add_time(const title_facts *facts, char *title, size_t size)
{
    const odori_session *s = facts->session;
    if (!s->playing)
        add(title, size, " - paused");
    else if (s->transport.count_left > 0)
        add(title, size, " - in %.0f", ceil(s->transport.count_left));
    else if (facts->fps >= 0)
        add(title, size, " - %.0f fps", facts->fps);
    if (session_runs(s) && facts->pace < 1)
        add(title, size, " - physics is slow: %.0f %% of the speed", 100 * facts->pace);
}

void title_write(const title_facts *facts, char *title, size_t size)
{
    const odori_session *s = facts->session;
    snprintf(title, size, "%.200s%s", facts->name, facts->unsaved ? "*" : "");
    if (!s->arrived) {
        add(title, size, " - simulating… frame %.0f of %.0f", mmd_stage_frame(s->scene->stage), s->frame);
        return;
    }
    add(title, size, " - frame %.0f", s->frame);
    add_beat(s, title, size);
    if (s->speed < 1 || s->speed > 1)
        add(title, size, " - %gx", s->speed);
    add_repeat(&s->transport, title, size);
    add_time(facts, title, size);
}
