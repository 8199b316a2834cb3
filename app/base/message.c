#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mmd/text.h"

enum { MESSAGE_MAX = 2000 };

/* Prints one line with control characters escaped, so that names from files cannot control the terminal. */
static void print_clean(const char *prefix, const char *text)
{
    char clean[4 * MESSAGE_MAX];
    mmd_text_clean(text, true, clean, sizeof clean);
    fprintf(stderr, "odori: %s%s\n", prefix, clean);
}

void message(const char *format, ...)
{
    char text[MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_clean("", text);
}

/* Returns the exit code for a status of the engine. */
static int code_of(mmd_status status)
{
    if (status == MMD_ERROR_ARGUMENT)
        return EXIT_USAGE;
    bool facility = status == MMD_ERROR_MEMORY || status == MMD_ERROR_NO_CONTEXT || status == MMD_ERROR_GL;
    return facility ? EXIT_FACILITY : EXIT_INPUT;
}

int report(const mmd_error *error)
{
    char text[MESSAGE_MAX];
    fprintf(stderr, "odori: %s\n", mmd_error_sentence(error, text, sizeof text));
    return code_of(error->code);
}

bool problem_set(problem *p, int code, const char *format, ...)
{
    va_list arguments;
    if (p->code != EXIT_DONE)
        return false;
    va_start(arguments, format);
    vsnprintf(p->text, sizeof p->text, format, arguments);
    va_end(arguments);
    p->code = code;
    return false;
}

bool problem_from(problem *p, const mmd_error *error)
{
    char sentence[PROBLEM_MAX];
    return problem_set(p, code_of(error->code), "%s", mmd_error_sentence(error, sentence, sizeof sentence));
}

bool problem_out_of_memory(problem *p)
{
    return problem_set(p, EXIT_FACILITY, "out of memory");
}

int problem_report(const problem *p)
{
    if (*p->text)
        message("%s", p->text);
    return p->code;
}

bool refuse_with(char *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, REFUSAL_MAX, format, arguments);
    va_end(arguments);
    return false;
}

static void write_stderr(void *user, mmd_log_level level, const char *text)
{
    static const char *const prefixes[] = {"error: ", "warning: ", "", "debug: "};
    (void)user;
    print_clean(prefixes[level], text);
}

mmd_log stderr_log(mmd_log_level level)
{
    return (mmd_log){.write = write_stderr, .level = level};
}

/* --- The panels' log, a ring buffer of lines --- */

/* Spins until the lock is free. It is only ever held for copying one line. */
static void lock(panel_log *log)
{
    while (atomic_flag_test_and_set_explicit(&log->lock, memory_order_acquire))
        ;
}

static void unlock(panel_log *log)
{
    atomic_flag_clear_explicit(&log->lock, memory_order_release);
}

/* Writes a message to the ring buffer and passes it on to the log behind it (mmd_log.write). */
static void write_both(void *user, mmd_log_level level, const char *text)
{
    panel_log *log = user;
    panel_log_add(log, text);
    log->behind.write(log->behind.user, level, text);
}

mmd_log panel_log_start(panel_log *log, const mmd_log *behind)
{
    memset(log->lines, 0, sizeof log->lines);
    log->count = 0;
    log->behind = *behind;
    atomic_flag_clear(&log->lock);
    return (mmd_log){.write = write_both, .user = log, .level = behind->level};
}

void panel_log_add(panel_log *log, const char *text)
{
    char clean[PANEL_LOG_LINE_MAX];
    mmd_text_clean(text, true, clean, sizeof clean);
    lock(log);
    const char *last = log->count ? log->lines[(log->count - 1) % PANEL_LOG_LINES] : "";
    if (strcmp(last, clean) != 0) {
        memcpy(log->lines[log->count % PANEL_LOG_LINES], clean, sizeof clean);
        log->count++;
    }
    unlock(log);
}

void panel_log_report(panel_log *log, const char *format, ...)
{
    char text[2 * PANEL_LOG_LINE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message("%s", text);
    if (log)
        panel_log_add(log, text);
}

size_t panel_log_lines(panel_log *log, const char *lines[PANEL_LOG_LINES])
{
    lock(log);
    size_t stored = log->count < PANEL_LOG_LINES ? log->count : PANEL_LOG_LINES;
    for (size_t i = 0; i < stored; i++)
        lines[i] = log->lines[(log->count - stored + i) % PANEL_LOG_LINES];
    unlock(log);
    return stored;
}
