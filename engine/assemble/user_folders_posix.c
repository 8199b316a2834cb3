/* The folders in which a user gathers files, by their usual names and by user-dirs.dirs (XDG). */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mmd/platform.h"
#include "user_folders.h"

enum { SETTINGS_SIZE_MAX = 65536, ACCOUNT_SIZE = 4096 };

/* Reads the path of a line of user-dirs.dirs, such as XDG_MUSIC_DIR="$HOME/Music". The value is absolute or
 * begins with $HOME, and a backslash escapes a character (xdg-user-dirs 0.18). name: "MUSIC", or NULL for any
 * line. Returns false for another line. */
static bool read_line(const char *line, const char *name, const char *home, char path[MMD_FILE_PATH_MAX])
{
    size_t used = 0;
    const char *at = strstr(line, "_DIR=\"");
    if (!at || strncmp(line, "XDG_", 4) != 0 ||
        (name && (strncmp(line + 4, name, strlen(name)) != 0 || line + 4 + strlen(name) != at)))
        return false;
    at = strchr(at, '"') + 1;
    if (strncmp(at, "$HOME", 5) == 0) {
        used = (size_t)snprintf(path, MMD_FILE_PATH_MAX, "%s", home);
        at += 5;
    }
    for (; *at && *at != '"' && used + 1 < MMD_FILE_PATH_MAX; at++) {
        at += *at == '\\' && at[1];
        path[used++] = *at;
    }
    if (used >= MMD_FILE_PATH_MAX || *at != '"')
        return false;
    path[used] = '\0';
    return true;
}

/* Reads the user's account. Returns NULL if there is none. */
static const struct passwd *read_account(struct passwd *entry, char text[ACCOUNT_SIZE])
{
    struct passwd *user = NULL;
    return getpwuid_r(getuid(), entry, text, ACCOUNT_SIZE, &user) == 0 ? user : NULL;
}

bool mmd_user_folders_account(char path[MMD_FILE_PATH_MAX])
{
    char text[ACCOUNT_SIZE];
    struct passwd entry;
    const struct passwd *user = read_account(&entry, text);
    return user && user->pw_dir && *user->pw_dir &&
           snprintf(path, MMD_FILE_PATH_MAX, "%s", user->pw_dir) < MMD_FILE_PATH_MAX;
}

bool mmd_user_folders_settings(const char *home, char path[MMD_FILE_PATH_MAX])
{
    const char *config = getenv("XDG_CONFIG_HOME");
    int length = config && *config ? snprintf(path, MMD_FILE_PATH_MAX, "%s/user-dirs.dirs", config)
                                   : snprintf(path, MMD_FILE_PATH_MAX, "%s/.config/user-dirs.dirs", home);
    return length < MMD_FILE_PATH_MAX;
}

/* Reads the user's settings, user-dirs.dirs. Returns its text, which the caller frees, or NULL if there is
 * none.
 */
static char *read_settings(const char *home)
{
    char path[MMD_FILE_PATH_MAX], *text = NULL;
    mmd_bytes bytes = {0};
    platform_info about;
    if (mmd_user_folders_settings(home, path) && platform_stat(path, &about) &&
        about.size <= SETTINGS_SIZE_MAX && mmd_file_read(path, &bytes, NULL) == MMD_OK) {
        text = mmd_alloc(bytes.size + 1);
        if (text) {
            memcpy(text, bytes.data, bytes.size);
            text[bytes.size] = '\0';
        }
    }
    mmd_bytes_finish(&bytes);
    return text;
}

/* Adds the folders that the user's settings name. */
static void add_folders_of_settings(mmd_user_folders *folders, const char *home)
{
    char path[MMD_FILE_PATH_MAX], *text = read_settings(home), *rest = text;
    for (char *line; rest && (line = strtok_r(rest, "\n", &rest));)
        if (read_line(line + strspn(line, " \t"), NULL, home, path))
            user_folders_add(folders, path);
    mmd_free(text);
}

/* Writes the usual path of a folder, or that of the settings, of which the last line counts. */
static void name_folder(const char *name, const char *home, char path[MMD_FILE_PATH_MAX])
{
    static const struct {
        const char *name, *usual;
    } known[] = {{"DESKTOP", "Desktop"}, {"DOCUMENTS", "Documents"}, {"DOWNLOAD", "Downloads"},
                 {"MUSIC", "Music"},     {"PICTURES", "Pictures"},   {"VIDEOS", "Videos"}};
    char found[MMD_FILE_PATH_MAX], *text = read_settings(home), *rest = text;
    *path = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0 &&
            snprintf(path, MMD_FILE_PATH_MAX, "%s/%s", home, known[i].usual) >= MMD_FILE_PATH_MAX)
            *path = '\0';
    for (char *line; rest && (line = strtok_r(rest, "\n", &rest));)
        if (read_line(line + strspn(line, " \t"), name, home, found))
            memcpy(path, found, strlen(found) + 1);
    mmd_free(text);
}

bool mmd_user_folder_find(const char *name, char path[MMD_FILE_PATH_MAX])
{
    char home[MMD_FILE_PATH_MAX];
    platform_info about, own;
    if (!mmd_user_folders_home(home))
        return false;
    name_folder(name, home, path);
    if (path[0] != '/' || !platform_stat(path, &about) || about.kind != PLATFORM_FOLDER)
        return false;
    return !platform_stat(home, &own) || !platform_is_same(&own, &about);
}

static void add_folders_of_home(mmd_user_folders *folders, const char *home)
{
    static const char *const names[] = {"Desktop", "Downloads", "Documents", "Pictures",
                                        "Music",   "Videos",    "Templates", "Public"};
    user_folders_add(folders, home);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[MMD_FILE_PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", home, names[i]) < (int)sizeof path)
            user_folders_add(folders, path);
    }
    add_folders_of_settings(folders, home);
}

/* Adds the folders in which disks of a user appear. */
static void add_disks_of(mmd_user_folders *folders, const char *user)
{
    static const char *const places[] = {"/media", "/run/media"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char path[MMD_FILE_PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", places[i], user) < (int)sizeof path)
            user_folders_add(folders, path);
    }
}

/* Adds the folders of the user as the system knows them, which $HOME and $USER need not name. */
static void add_folders_of_user(mmd_user_folders *folders)
{
    char text[ACCOUNT_SIZE], home[MMD_FILE_PATH_MAX];
    struct passwd entry;
    const struct passwd *user = read_account(&entry, text);
    if (user && user->pw_name)
        add_disks_of(folders, user->pw_name);
    if (mmd_user_folders_account(home))
        add_folders_of_home(folders, home);
}

void mmd_user_folders_find(mmd_user_folders *folders)
{
    char home[MMD_FILE_PATH_MAX];
    const char *temporary = getenv("TMPDIR"), *user = getenv("USER");
    static const char *const shared[] = {"/", "/tmp", "/var/tmp", "/mnt", "/media", "/run/media"};
    *folders = (mmd_user_folders){.count = 0};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        user_folders_add(folders, shared[i]);
    if (user && *user)
        add_disks_of(folders, user);
    if (temporary && *temporary)
        user_folders_add(folders, temporary);
    if (mmd_user_folders_home(home))
        add_folders_of_home(folders, home);
    add_folders_of_user(folders);
}
