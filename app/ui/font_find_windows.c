/*
 * Finds a font on Windows. A font file in the folder "fonts" beside the program comes first. Then the
 * registry's lists of fonts, that of all users and that of this one, are searched for well-known Japanese
 * fonts. They name the file of each font: "Meiryo & Meiryo Italic & Meiryo UI & ... (TrueType)" is
 * meiryo.ttc, where the third font is Meiryo UI.
 */
#include "font_find.h"

#include <windows.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/paths.h"
#include "base/system.h"
#include "mmd/platform.h"
#include "mmd/platform_windows.h"

/* The best font first, those without kana last. */
static const char *const wanted_fonts[] = {
    "Yu Gothic UI Regular", "Meiryo UI", "Yu Gothic Medium", "Meiryo",      "BIZ UDPGothic", "MS UI Gothic",
    "MS PGothic",           "MS Gothic", "Noto Sans CJK JP", "IPAexGothic", "IPAPGothic",    "VL PGothic",
    "TakaoPGothic",         "Segoe UI",  "Tahoma",           "Arial",       "DejaVu Sans",
};
enum { WANTED = sizeof wanted_fonts / sizeof *wanted_fonts };

static const wchar_t font_list[] = L"Software\\Microsoft\\Windows NT\\CurrentVersion\\Fonts";

enum { NAME_MAX_UTF8 = 1024 };

/* The font that was found: its place in wanted_fonts, its file and its number there. */
typedef struct found_font {
    size_t rank; /* WANTED: none */
    char file[MMD_FILE_PATH_MAX];
    int index;
} found_font;

/* Returns the place of a font in wanted_fonts, or WANTED. */
static size_t rank_of(const char *name, size_t length)
{
    static const char regular[] = " Regular";
    const size_t ending = sizeof regular - 1;
    for (size_t i = 0; i < WANTED; i++) {
        const size_t wanted = strlen(wanted_fonts[i]);
        if (strncmp(name, wanted_fonts[i], wanted) == 0 &&
            (length == wanted || (length == wanted + ending && strncmp(name + wanted, regular, ending) == 0)))
            return i;
    }
    return WANTED;
}

/* Keeps a font of a file if it is better than the one that was found before. name is that of the registry. */
static void consider(found_font *found, const char *name, const char *file)
{
    size_t length = strcspn(name, "(");
    while (length > 0 && name[length - 1] == ' ')
        length--;
    const char *end = name + length;
    for (int index = 0; name < end; index++) {
        const char *next = strstr(name, " & ");
        const char *stop = next && next < end ? next : end;
        const size_t rank = rank_of(name, (size_t)(stop - name));
        if (rank < found->rank) {
            found->rank = rank;
            found->index = index;
            snprintf(found->file, sizeof found->file, "%s", file);
        }
        name = stop < end ? stop + strlen(" & ") : end;
    }
}

/* Considers the fonts of a list of the registry. */
static void search_list(HKEY root, found_font *found)
{
    HKEY list;
    wchar_t name[512], file[512];
    char name_text[NAME_MAX_UTF8], file_path[MMD_FILE_PATH_MAX];
    if (RegOpenKeyExW(root, font_list, 0, KEY_READ, &list) != ERROR_SUCCESS)
        return;
    for (DWORD i = 0;; i++) {
        DWORD name_length = 512, size = sizeof file - sizeof *file, type;
        const LSTATUS status = RegEnumValueW(list, i, name, &name_length, NULL, &type, (BYTE *)file, &size);
        if (status == ERROR_NO_MORE_ITEMS)
            break;
        if (status != ERROR_SUCCESS || type != REG_SZ)
            continue;
        file[size / sizeof *file] = L'\0';
        if (platform_narrow_text(name, name_text, sizeof name_text) && platform_narrow_path(file, file_path))
            consider(found, name_text, file_path);
    }
    RegCloseKey(list);
}

/* Writes the first font file by name in the folder beside the program. Returns false if there is none. */
static bool find_beside_program(char path[MMD_FILE_PATH_MAX])
{
    static const char *const endings[] = {".ttf", ".ttc", ".otf"};
    char folder[MMD_FILE_PATH_MAX], first[NAME_MAX_UTF8] = "";
    if (!system_program_path(path))
        return false;
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    *slash = '\0';
    path_join(folder, path, "fonts");
    platform_folder *list = platform_folder_open(folder);
    if (!list)
        return false;
    for (const char *name; (name = platform_folder_next(list)) != NULL;) {
        const char *dot = strrchr(name, '.');
        for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
            if (strcasecmp(dot, endings[i]) == 0 && strlen(name) < sizeof first &&
                (!*first || strcmp(name, first) < 0))
                strcpy(first, name);
    }
    platform_folder_close(list);
    path_join(path, folder, "%s", first);
    return *first != '\0';
}

int ui_find_font(char *path, size_t capacity, int *index)
{
    found_font found = {.rank = WANTED};
    char full[MMD_FILE_PATH_MAX] = "", folder[MMD_FILE_PATH_MAX];
    if (!find_beside_program(full)) {
        search_list(HKEY_LOCAL_MACHINE, &found);
        search_list(HKEY_CURRENT_USER, &found);
        if (found.rank == WANTED)
            return 0;
        const char *windows = getenv("WINDIR");
        path_join(folder, windows ? windows : "C:/Windows", "Fonts");
        platform_path_tidy(folder);
        if (platform_path_root(found.file))
            snprintf(full, sizeof full, "%s", found.file);
        else
            path_join(full, folder, "%s", found.file);
    }
    *index = found.index;
    return snprintf(path, capacity, "%s", full) < (int)capacity;
}
