/* Texts in the clipboard, and what is pasted. */
#include "clipboard.h"

#include <stdio.h>
#include <string.h>

#include "base/file_uri.h"
#include "clipboard_read.h"
#include "command/commands.h"
#include "document/document.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/text.h"
#include "document/open.h"
#include "player_internal.h"
#include "edit/pose_file.h"
#include "window.h"

enum { TEXT_MAX = 16 << 20, PATHS_MAX = 256 }; /* limits of what is pasted */

static bool refuse(char *error, const char *why)
{
    snprintf(error, REFUSAL_MAX, "%s", why);
    return false;
}

bool clipboard_put_text(odori_session *s, const char *text, char *error)
{
    if (!player_window(s))
        return refuse(error, "the clipboard needs the window of `play`");
    window_put_text(player_window(s), text);
    return true;
}

/* Returns whether a text is a pose file (VPD). */
static bool is_pose(const char *text)
{
    return strncmp(text, "Vocaloid Pose Data file", 23) == 0;
}

/* Applies a pose. pose_paste reads CP932, as in files, so the text is converted. */
static bool paste_pose(odori_session *s, const char *text, char *error)
{
    size_t length = strlen(text), size = mmd_cp932_from_utf8(text, length, NULL, 0, NULL);
    uint8_t *bytes = mmd_alloc(size + 1);
    if (!bytes)
        return refuse(error, "out of memory");
    mmd_cp932_from_utf8(text, length, bytes, size, NULL);
    bool pasted = pose_paste(s, bytes, size, error);
    mmd_free(bytes);
    return pasted;
}

/* Reads a path or a file URI. is_text: of a text, which may come from a web page, not of copied files.
 * Returns false unless it is the path of an existing file; error changes if there is another reason. */
static bool path_of(const char *line, size_t length, bool is_text, char path[MMD_FILE_PATH_MAX], char *error)
{
    if (file_uri_is(line, length)) {
        if (!file_uri_path(line, length, path))
            return false;
    } else if (snprintf(path, MMD_FILE_PATH_MAX, "%.*s", (int)length, line) >= MMD_FILE_PATH_MAX) {
        return false;
    } else {
        clipboard_tidy_path(path);
    }
    platform_info info;
    if (is_text && platform_path_is_remote(path, ""))
        return refuse(error,
                      "a text in the clipboard may not name files on another computer; copy the files");
    return platform_stat(path, &info);
}

/* Returns whether a line is one that file managers write before their list of files, or a comment of a list
 * of URIs (RFC 2483). */
static bool is_header(const char *line, size_t length)
{
    if (*line == '#')
        return true;
    static const char *const headers[] = {"copy", "cut", "x-special/nautilus-clipboard"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (length == strlen(headers[i]) && strncmp(line, headers[i], length) == 0)
            return true;
    return false;
}

/* Collects the files that a text names, one in each line. Returns false with the reason in error if a line is
 * not the path of a file. */
static bool list_files(const char *text, bool is_text, mmd_arena *arena, text_list *paths, char *error)
{
    char path[MMD_FILE_PATH_MAX];
    refuse(error, "the clipboard contains neither a pose (VPD) nor paths of existing files");
    for (; *text; text += strspn(text, "\r\n")) {
        size_t length = strcspn(text, "\r\n");
        if (length && !is_header(text, length)) {
            const char *copy = path_of(text, length, is_text, path, error)
                                   ? mmd_arena_text(arena, path, strlen(path))
                                   : NULL;
            if (!copy || paths->count == PATHS_MAX || !text_list_add(paths, copy))
                return false;
        }
        text += length;
    }
    return paths->count > 0;
}

static bool paste_files(odori_session *s, const char *text, bool is_text, char *error)
{
    mmd_arena arena = {0};
    text_list paths = {0};
    bool opened = false;
    bool listed = list_files(text, is_text, &arena, &paths, error);
    if (listed && !document_of(s)->opener)
        refuse(error, "only `play` can open files");
    else if (listed)
        opened = open_files(s, paths.items, paths.count, error);
    text_list_finish(&paths);
    mmd_arena_finish(&arena);
    return opened;
}

/* Pastes the text that GLFW reads. */
static bool paste_text(odori_session *s, char *error)
{
    const char *text = player_window(s) ? window_get_text(player_window(s)) : NULL;
    if (!text || !*text || strnlen(text, TEXT_MAX) == TEXT_MAX)
        return refuse(error, "the clipboard contains no text");
    return is_pose(text) ? paste_pose(s, text, error) : paste_files(s, text, true, error);
}

bool clipboard_paste(odori_session *s, char *error)
{
    const player_parts *player = player_of(s);
    return (player && clipboard_reader_begin(player->clipboard)) || paste_text(s, error);
}

void clipboard_poll(odori_session *s)
{
    mmd_buffer files;
    char error[REFUSAL_MAX] = "";
    bool pasted = true;
    switch (clipboard_reader_poll(player_of(s)->clipboard, &files)) {
    case CLIPBOARD_FILES:
        pasted = paste_files(s, (const char *)files.data, false, error);
        break;
    case CLIPBOARD_OTHER:
        pasted = paste_text(s, error);
        break;
    case CLIPBOARD_SILENT:
        pasted = refuse(error, "the program that owns the clipboard does not answer");
        break;
    case CLIPBOARD_IDLE:
    case CLIPBOARD_WAITING:
        break;
    }
    mmd_buffer_finish(&files);
    if (!pasted)
        panel_log_report(s->messages, "%s", error);
}
