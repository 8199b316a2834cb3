/* Why something is not edited: a clause, which of them it is, and what it is about, so that it can be said in
 * another language. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "edit_internal.h"

/* Whole letters of UTF-8 alone, where it is cut. */
static void copy(char *out, size_t size, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--;
    }
    if (length)
        memcpy(out, text, length);
    out[length] = '\0';
}

static void write(const mmd_edit *edit, const char *text, char *out, size_t size)
{
    size_t length = 0;
    while (*text && length + 1 < size) {
        bool is_name = text[0] == '{' && (text[1] == '1' || text[1] == '2') && text[2] == '}';
        if (is_name) {
            copy(out + length, size - length, edit->refusal_names[text[1] - '1']);
            length += strlen(out + length);
            text += 3;
        } else {
            out[length++] = *text++;
        }
    }
    out[length] = '\0';
}

void mmd_edit_refuse(mmd_edit *edit, const char *format, ...)
{
    assert(edit);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(edit->refusal, sizeof edit->refusal, format, arguments);
    va_end(arguments);
    edit->refusal_code = MMD_REFUSAL_OWN;
}

void mmd_edit_refuse_as(mmd_edit *edit, mmd_refusal code, const char *first, const char *second)
{
    assert(edit);
#define CLAUSE(name, clause) clause,
    static const char *const clauses[MMD_REFUSAL_COUNT] = {MMD_REFUSALS(CLAUSE)};
#undef CLAUSE
    assert(code > MMD_REFUSAL_OWN && code < MMD_REFUSAL_COUNT);
    copy(edit->refusal_names[0], REFUSAL_NAME_MAX, first);
    copy(edit->refusal_names[1], REFUSAL_NAME_MAX, second);
    write(edit, clauses[code], edit->refusal, sizeof edit->refusal);
    edit->refusal_code = code;
}

const char *mmd_edit_refusal(const mmd_edit *edit)
{
    assert(edit);
    return edit->refusal;
}

mmd_refusal mmd_edit_refusal_code(const mmd_edit *edit)
{
    assert(edit);
    return edit->refusal[0] ? edit->refusal_code : MMD_REFUSAL_NONE;
}

void mmd_edit_refusal_in(const mmd_edit *edit, const char *text, char *out, size_t size)
{
    assert(edit && text && out);
    assert(size);
    write(edit, text, out, size);
}
