#include "message.h"

#include <stdarg.h>
#include <stdio.h>

#include "mmd/text.h"

enum { MESSAGE_MAX = 2000 };

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

int report(const mmd_error *error)
{
    char text[MESSAGE_MAX];
    fprintf(stderr, "odori: %s\n", mmd_error_sentence(error, text, sizeof text));
    switch (error->code) {
    case MMD_ERROR_MEMORY:
    case MMD_ERROR_NO_CONTEXT:
    case MMD_ERROR_GL:
        return EXIT_FACILITY;
    default:
        return EXIT_INPUT;
    }
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
