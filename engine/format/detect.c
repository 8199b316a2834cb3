/* Detects the kind of a file from its first bytes or lines, and reads models of any kind. */
#include "mmd/format.h"

#include <assert.h>
#include <string.h>

static bool starts_with(const void *data, size_t size, const char *magic)
{
    size_t length = strlen(magic);
    return size >= length && memcmp(data, magic, length) == 0;
}

/* Returns the next line of the text, without its line break. */
static size_t take_line(const char **text, size_t *left)
{
    size_t length = 0;
    while (length < *left && (*text)[length] != '\n' && (*text)[length] != '\r')
        length++;
    size_t next = length + (length < *left);
    if (next < *left && (*text)[length] == '\r' && (*text)[next] == '\n')
        next++;
    *text += next;
    *left -= next;
    return length;
}

/* Tests whether the lines are: a name, the name of an .x file, and a number or nothing. */
static bool is_vac(const void *data, size_t size)
{
    enum { LINES_MAX = 1024 };
    const char *text = data;
    size_t left = size < LINES_MAX ? size : LINES_MAX;
    if (size == 0 || memchr(text, 0, left))
        return false;
    take_line(&text, &left);
    const char *file = text;
    size_t length = take_line(&text, &left);
    while (length && (file[length - 1] == ' ' || file[length - 1] == '\t'))
        length--;
    if (length < 3 || file[length - 2] != '.' || (file[length - 1] | 0x20) != 'x')
        return false;
    while (left && (*text == ' ' || *text == '\t'))
        text++, left--;
    return left == 0 || strchr("+-.0123456789\r\n", *text);
}

mmd_file_kind mmd_file_detect(const void *data, size_t size)
{
    assert(data || size == 0);
    /* Treat PMX 1.0 ("Pmx ") as PMX, so that the reader can report the unknown version. */
    if (starts_with(data, size, "PMX") || starts_with(data, size, "Pmx "))
        return MMD_FILE_PMX;
    if (starts_with(data, size, "Pmd"))
        return MMD_FILE_PMD;
    if (starts_with(data, size, "Vocaloid Motion Data"))
        return MMD_FILE_VMD;
    if (starts_with(data, size, "Vocaloid Pose Data"))
        return MMD_FILE_VPD;
    if (starts_with(data, size, "Polygon Movie maker "))
        return MMD_FILE_PMM;
    if (starts_with(data, size, "xof "))
        return MMD_FILE_X;
    if (is_vac(data, size))
        return MMD_FILE_VAC;
    return MMD_FILE_UNKNOWN;
}

mmd_status mmd_model_read(const void *data, size_t size, mmd_model **result, mmd_error *error)
{
    assert(result && (data || size == 0));
    *result = NULL;
    switch (mmd_file_detect(data, size)) {
    case MMD_FILE_PMX:
        return mmd_pmx_read(data, size, result, error);
    case MMD_FILE_PMD:
        return mmd_pmd_read(data, size, result, error);
    case MMD_FILE_X:
        return mmd_x_read(data, size, result, error);
    case MMD_FILE_VMD:
    case MMD_FILE_VPD:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "header", 0, "a motion or a pose instead of a model");
    case MMD_FILE_PMM:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "header", 0, "a project instead of a model");
    default:
        return mmd_error_set(error, MMD_ERROR_MAGIC, "header", 0, "no model: neither PMX nor PMD nor X");
    }
}
