/* Formats log messages and passes them to the callback. */
#include "mmd/log.h"

#include <stdarg.h>
#include <stdio.h>

void mmd_log_message(const mmd_log *log, mmd_log_level level, const char *format, ...)
{
    if (!log || !log->write || level > log->level)
        return;
    char text[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    log->write(log->user, level, text);
}
