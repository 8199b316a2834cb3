#include "last.h"

#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "mmd/cursor.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "preferences.h"

/* Copies the next line of a text. */
static const char *take_line(const char *at, const char *end, char *line, size_t size)
{
    const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    size_t length = (size_t)((stop ? stop : end) - at);
    snprintf(line, size, "%.*s", length < size ? (int)length : 0, at);
    return stop ? stop + 1 : end;
}

bool last_scene_find(last_scene *l)
{
    char path[MMD_FILE_PATH_MAX];
    mmd_bytes bytes = {0};
    *l = (last_scene){.name = ""};
    if (!preferences_find_state("last.png", l->picture) || !platform_may_read(l->picture) ||
        !preferences_find_state("last", path) || mmd_file_read(path, &bytes, NULL) != MMD_OK)
        return false;
    const char *at = bytes.data ? (const char *)bytes.data : "", *end = at + bytes.size;
    bool is_text = !memchr(at, '\0', bytes.size);
    if (is_text) {
        at = take_line(at, end, l->name, sizeof l->name);
        take_line(at, end, l->sound, sizeof l->sound);
    }
    mmd_bytes_finish(&bytes);
    return is_text && *l->name;
}

bool last_scene_is_own(const char *path)
{
    char last[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    return (preferences_find_state("last.png", last) && strcmp(path, last) == 0) ||
           (preferences_find_state("playlist/", folder) && strncmp(path, folder, strlen(folder)) == 0);
}

void last_scene_note(const last_scene *l)
{
    char path[MMD_FILE_PATH_MAX];
    mmd_buffer text = {0};
    mmd_write_format(&text, "%s\n%s\n", l->name, l->sound);
    if (!text.failed && preferences_find_state("last", path) && !strchr(l->sound, '\n'))
        output_write(path, text.data, text.size);
    mmd_buffer_finish(&text);
}

void last_scene_forget(void)
{
    char path[MMD_FILE_PATH_MAX];
    if (preferences_find_state("last.png", path))
        platform_remove(path);
    if (preferences_find_state("last", path))
        platform_remove(path);
}
