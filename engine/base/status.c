/* Names and texts of status codes, and errors. */
#include "mmd/status.h"
#include "mmd/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const char *mmd_status_text(mmd_status status)
{
    static const char *const texts[] = {
#define MMD_STATUS_TEXT(name, text) text,
        MMD_STATUS_LIST(MMD_STATUS_TEXT)
#undef MMD_STATUS_TEXT
    };
    return (unsigned)status < MMD_STATUS_COUNT ? texts[status] : "unknown status";
}

const char *mmd_status_name(mmd_status status)
{
    static const char *const names[] = {
#define MMD_STATUS_NAME(name, text) "MMD_" #name,
        MMD_STATUS_LIST(MMD_STATUS_NAME)
#undef MMD_STATUS_NAME
    };
    return (unsigned)status < MMD_STATUS_COUNT ? names[status] : "unknown status";
}

/* Copies text into a field of fixed size, cut if it does not fit. */
static void set_field(char *field, size_t capacity, const char *text)
{
    snprintf(field, capacity, "%s", text ? text : "");
}

mmd_status mmd_error_set_v(mmd_error *error, mmd_status code, const char *section, uint64_t offset,
                           const char *format, va_list arguments)
{
    if (!error)
        return code;
    error->code = code;
    error->offset = offset;
    error->file[0] = '\0';
    set_field(error->section, sizeof error->section, section);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    return code;
}

mmd_status mmd_error_set(mmd_error *error, mmd_status code, const char *section, uint64_t offset,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    mmd_error_set_v(error, code, section, offset, format, arguments);
    va_end(arguments);
    return code;
}

mmd_status mmd_error_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
}

void mmd_error_set_file(mmd_error *error, const char *file)
{
    if (error && !error->file[0])
        set_field(error->file, sizeof error->file, file);
}

char *mmd_error_sentence(const mmd_error *error, char *text, size_t capacity)
{
    assert(error);
    assert(text || capacity == 0);
    char raw[MMD_ERROR_FILE_MAX + MMD_ERROR_SECTION_MAX + MMD_ERROR_MESSAGE_MAX + 64];
    int at = 0;
    if (error->file[0])
        at += snprintf(raw + at, sizeof raw - (size_t)at, "%s: ", error->file);
    if (error->section[0])
        at += snprintf(raw + at, sizeof raw - (size_t)at, "%s%s", error->section,
                       error->offset == MMD_NO_OFFSET ? ": " : " ");
    if (error->offset != MMD_NO_OFFSET)
        at +=
            snprintf(raw + at, sizeof raw - (size_t)at, "at byte %llu: ", (unsigned long long)error->offset);
    snprintf(raw + at, sizeof raw - (size_t)at, "%s",
             error->message[0] ? error->message : mmd_status_text(error->code));
    if (capacity)
        mmd_text_clean(raw, true, text, capacity);
    return text;
}
