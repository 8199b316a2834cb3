#include "refusal.h"

#include <stdarg.h>
#include <stdio.h>

bool refuse_with(char *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, REFUSAL_MAX, format, arguments);
    va_end(arguments);
    return false;
}
