#include "message.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mmd/elementary.h"
#include "mmd/platform.h"
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

/* Returns where the path that a text begins with ends: before a blank, or where the sentence goes on. Paths
 * can have blanks, so a blank alone does not end it if there is another folder behind it. */
static size_t path_length(const char *text, char quote)
{
    static const char *const ends[] = {": ", "; ", ", ", " (", "\n"};
    const char quotes[] = {quote, '\0'};
    size_t length = quote ? strcspn(text, quotes) : strlen(text);
    for (size_t i = 0; !quote && i < sizeof ends / sizeof *ends; i++) {
        const char *end = strstr(text, ends[i]);
        if (end && (size_t)(end - text) < length)
            length = (size_t)(end - text);
    }
    return length;
}

/* Returns whether a path begins at a place of a text: with its root, ./ or ../ behind a blank, a quote or a
 * bracket. At the beginning of a message it can be any word that has a slash. */
static bool is_path(const char *text, const char *at)
{
    bool begins = at == text || strchr(" \"(", at[-1]);
    size_t root = platform_path_root(at);
    if (at == text && at[strcspn(at, " :\"/")] == '/')
        return true;
    return begins &&
           ((root > 0 && at[root] != ' ') || strncmp(at, "./", 2) == 0 || strncmp(at, "../", 3) == 0);
}

bool message_brief(const char *text, char *out, size_t size)
{
    size_t n = 0;
    const char *at = text;
    while (*at && n + 1 < size) {
        char quote = at > text && at[-1] == '"' ? '"' : '\0';
        size_t length = is_path(text, at) ? path_length(at, quote) : 0, name = length;
        while (name > 0 && at[name - 1] != '/')
            name--;
        if (name < length) /* a folder, which ends in a slash, stays */
            at += name;
        out[n++] = *at++;
    }
    for (bool cuts = (*at & 0xc0) == 0x80; cuts && n > 0; n--) /* a character is shown whole or not at all */
        cuts = (out[n - 1] & 0xc0) == 0x80;
    out[n] = '\0';
    return strcmp(text, out) != 0;
}

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

/* Seconds for which messages of a kind are shown; 0: until they are closed, or never. */
static double time_of(message_kind kind)
{
    return kind == MESSAGE_NEWS ? 5 : kind == MESSAGE_WARNING || kind == MESSAGE_REFUSAL ? 8 : 0;
}

/* Writes a message to the ring buffer and passes it on to the log behind it (mmd_log.write). A warning loses
 * nothing that the user had. */
static void write_both(void *user, mmd_log_level level, const char *text)
{
    panel_log *log = user;
    panel_log_put(log,
                  level == MMD_LOG_ERROR     ? MESSAGE_ERROR
                  : level == MMD_LOG_WARNING ? MESSAGE_WARNING
                                             : MESSAGE_LOG,
                  text);
    log->behind.write(log->behind.user, level, text);
}

mmd_log panel_log_start(panel_log *log, const mmd_log *behind)
{
    memset(log->entries, 0, sizeof log->entries);
    log->count = 0;
    log->changes = 0;
    log->behind = *behind;
    atomic_flag_clear(&log->lock);
    return (mmd_log){.write = write_both, .user = log, .level = behind->level};
}

/* Returns the number of stored messages. */
static size_t stored(const panel_log *log)
{
    return log->count < PANEL_LOG_LINES ? log->count : PANEL_LOG_LINES;
}

/* Returns whether a warning is stored. Files are read again with each file that is opened. */
static bool was_told(const panel_log *log, const char *text)
{
    for (size_t i = 0; i < stored(log); i++)
        if (log->entries[i].kind == MESSAGE_WARNING && strcmp(log->entries[i].text, text) == 0)
            return true;
    return false;
}

void panel_log_put(panel_log *log, message_kind kind, const char *text)
{
    char clean[PANEL_LOG_LINE_MAX];
    mmd_text_clean(text, true, clean, sizeof clean);
    lock(log);
    panel_log_entry *last = log->count ? &log->entries[(log->count - 1) % PANEL_LOG_LINES] : NULL;
    if (kind == MESSAGE_WARNING && was_told(log, clean)) {
        unlock(log);
        return;
    }
    if (!last || strcmp(last->text, clean) != 0) {
        last = &log->entries[log->count++ % PANEL_LOG_LINES];
        memcpy(last->text, clean, sizeof clean);
    }
    last->kind = kind;
    last->is_open = kind >= MESSAGE_NEWS;
    last->ends = 0;
    log->changes += last->is_open;
    unlock(log);
}

void panel_log_add(panel_log *log, const char *text)
{
    panel_log_put(log, MESSAGE_EDIT, text);
}

/* Prints a message to stderr and adds it. */
static void put_line(panel_log *log, message_kind kind, const char *format, va_list arguments)
{
    char text[2 * PANEL_LOG_LINE_MAX];
    vsnprintf(text, sizeof text, format, arguments);
    message("%s", text);
    if (log)
        panel_log_put(log, kind, text);
}

void panel_log_report(panel_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_line(log, MESSAGE_ERROR, format, arguments);
    va_end(arguments);
}

void panel_log_refuse(panel_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_line(log, MESSAGE_REFUSAL, format, arguments);
    va_end(arguments);
}

void panel_log_tell(panel_log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_line(log, MESSAGE_NEWS, format, arguments);
    va_end(arguments);
}

size_t panel_log_messages(panel_log *log, panel_message messages[PANEL_LOG_LINES])
{
    lock(log);
    size_t count = stored(log);
    for (size_t i = 0; i < count; i++) {
        size_t number = log->count - count + i;
        const panel_log_entry *entry = &log->entries[number % PANEL_LOG_LINES];
        messages[i] = (panel_message){entry->text, entry->kind, number, entry->is_open};
    }
    unlock(log);
    return count;
}

double panel_log_expire(panel_log *log, double now)
{
    double next = INFINITY;
    lock(log);
    for (size_t i = 0; i < stored(log); i++) {
        panel_log_entry *entry = &log->entries[i];
        if (!entry->is_open || time_of(entry->kind) <= 0)
            continue;
        if (entry->ends <= 0)
            entry->ends = now + time_of(entry->kind);
        entry->is_open = now < entry->ends;
        log->changes += !entry->is_open;
        if (entry->is_open)
            next = mmd_min(next, entry->ends - now);
    }
    unlock(log);
    return next;
}

unsigned panel_log_changes(panel_log *log)
{
    lock(log);
    unsigned changes = log->changes;
    unlock(log);
    return changes;
}

bool panel_log_close(panel_log *log, size_t number)
{
    lock(log);
    panel_log_entry *entry = &log->entries[number % PANEL_LOG_LINES];
    bool was_open = number < log->count && number + stored(log) >= log->count && entry->is_open;
    if (was_open)
        entry->is_open = false;
    log->changes += was_open;
    unlock(log);
    return was_open;
}

/* Closes all messages if one of them is of this kind or a graver one. */
static bool close_from(panel_log *log, message_kind kind)
{
    bool any = false;
    lock(log);
    for (size_t i = 0; i < stored(log); i++)
        any = any || (log->entries[i].is_open && log->entries[i].kind >= kind);
    for (size_t i = 0; i < stored(log) && any; i++)
        log->entries[i].is_open = false;
    log->changes += any;
    unlock(log);
    return any;
}

bool panel_log_close_all(panel_log *log)
{
    return close_from(log, MESSAGE_NEWS);
}

bool panel_log_close_errors(panel_log *log)
{
    return close_from(log, MESSAGE_ERROR);
}
