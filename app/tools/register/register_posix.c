/*
 * Registering with desktops that follow freedesktop.org: the files that an installation has in share/ are
 * written to the user's folder of data, with the path of this program in them. Their last line says who has
 * written them; others are never replaced or removed.
 */
#include "register.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/system.h"
#include "mmd/cursor.h"
#include "mmd/source.h"
#include "odori_desktop.h" /* made by the build of the files in app/desktop */

const char register_summary[] =
    "Shows this program in the desktop's menu and in \"Open with\" of models, motions, poses and projects, "
    "for\nthis user. An installed odori needs it not. Writes a desktop entry, file types, an entry for "
    "thumbnails and\nan icon to $XDG_DATA_HOME (~/.local/share). Run it again after the program was moved.";
const char unregister_summary[] = "Removes what `odori register` has written.";

static const char mark[] = "Written by `odori register`; `odori unregister` removes it.";

enum { FILES = 4 };

/* A file that is registered. */
typedef struct registered_file {
    const char *path; /* below the folder of data */
    const char *text; /* as it is installed */
    bool is_xml;
    mmd_buffer wanted; /* what is written */
    char full[MMD_FILE_PATH_MAX];
    enum { FILE_MISSING, FILE_SAME, FILE_OWN, FILE_FOREIGN } state;
} registered_file;

/* --- What is written --- */

/* Writes a path as a value of a desktop entry: quoted as a word of a command, or plain. */
static void write_path(mmd_buffer *out, const char *path, bool quoted)
{
    if (quoted)
        mmd_write_u8(out, '"');
    for (; *path; path++) {
        if (quoted && strchr("\"`$\\", *path))
            mmd_write_bytes(out, "\\\\", 2); /* values and commands have backslashes of their own */
        if (quoted && *path == '%')
            mmd_write_u8(out, '%');
        if (*path == '\\')
            mmd_write_u8(out, '\\');
        mmd_write_u8(out, (uint8_t)*path);
    }
    if (quoted)
        mmd_write_u8(out, '"');
}

/* Makes the text of a file: the path stands in the place of the program's name, and the mark at the end. */
static void make_text(registered_file *f, const char *program)
{
    static const char run[] = "Exec=odori ", test[] = "TryExec=odori\n";
    for (const char *line = f->text; *line;) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        if (!f->is_xml && strncmp(line, run, sizeof run - 1) == 0) {
            mmd_write_format(&f->wanted, "Exec=");
            write_path(&f->wanted, program, true);
            mmd_write_bytes(&f->wanted, line + sizeof run - 2, length - (sizeof run - 2));
        } else if (!f->is_xml && strncmp(line, test, sizeof test - 1) == 0) {
            mmd_write_format(&f->wanted, "TryExec=");
            write_path(&f->wanted, program, false);
            mmd_write_u8(&f->wanted, '\n');
        } else {
            mmd_write_bytes(&f->wanted, line, length);
        }
        line += length;
    }
    mmd_write_format(&f->wanted, f->is_xml ? "<!-- %s -->\n" : "# %s\n", mark);
}

/* --- What is there --- */

/* Writes the folder of the user's data. */
static bool find_data(char folder[MMD_FILE_PATH_MAX])
{
    char home[MMD_FILE_PATH_MAX];
    const char *given = getenv("XDG_DATA_HOME");
    if (given && platform_path_root(given))
        return snprintf(folder, MMD_FILE_PATH_MAX, "%s", given) < MMD_FILE_PATH_MAX;
    if (!platform_home(home))
        return false;
    path_join(folder, home, ".local/share");
    return true;
}

/* Returns whether the program is installed for all users: whether its desktop entry lies in a folder that
 * desktops search. Writes the entry's path. */
static bool is_installed(const char *program, char entry[MMD_FILE_PATH_MAX])
{
    static const char place[] = "/share/applications/odori.desktop";
    const char *given = getenv("XDG_DATA_DIRS"), *end = strstr(program, "/bin/odori");
    if (!end || strcmp(end, "/bin/odori") != 0)
        return false;
    const size_t prefix = (size_t)(end - program);
    snprintf(entry, MMD_FILE_PATH_MAX, "%.*s%s", (int)prefix, program, place);
    for (const char *folder = given && *given ? given : "/usr/local/share:/usr/share"; *folder;) {
        size_t length = strcspn(folder, ":");
        const char *next = folder + length + (folder[length] == ':');
        while (length > 1 && folder[length - 1] == '/')
            length--;
        if (length == prefix + strlen("/share") && strncmp(folder, entry, length) == 0 &&
            platform_exists(entry))
            return true;
        folder = next;
    }
    return false;
}

/* Finds out whose file is at the path. */
static void look(registered_file *f)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    mmd_status status = mmd_file_read(f->full, &bytes, &error);
    f->state = status == MMD_ERROR_NOT_FOUND ? FILE_MISSING : FILE_FOREIGN;
    if (status == MMD_OK && bytes.size == f->wanted.size &&
        memcmp(bytes.data, f->wanted.data, bytes.size) == 0)
        f->state = FILE_SAME;
    for (size_t i = 0; status == MMD_OK && f->state == FILE_FOREIGN && i + sizeof mark - 1 <= bytes.size; i++)
        if (memcmp((const char *)bytes.data + i, mark, sizeof mark - 1) == 0)
            f->state = FILE_OWN;
    mmd_bytes_finish(&bytes);
}

/* --- Changes --- */

/* Writes a file. Returns an exit code. */
static int add(const registered_file *f, bool is_trial)
{
    char folder[MMD_FILE_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", f->full);
    *strrchr(folder, '/') = '\0';
    if (f->state == FILE_SAME) {
        printf("%s: registered already\n", f->full);
        return EXIT_DONE;
    }
    if (!is_trial && (!path_make_folder(folder) || !output_write(f->full, f->wanted.data, f->wanted.size)))
        return EXIT_FACILITY;
    printf("%s: %s\n", f->full, is_trial ? "would be written" : "written");
    return EXIT_DONE;
}

/* Removes a file. Returns an exit code. */
static int take_away(const registered_file *f, bool is_trial)
{
    if (f->state == FILE_MISSING)
        return EXIT_DONE;
    if (f->state == FILE_FOREIGN) {
        message("%s: not written by `odori register`, so it stays", f->full);
        return EXIT_DONE;
    }
    if (!is_trial && !platform_remove(f->full)) {
        message("%s: cannot be removed: %s", f->full, strerror(errno));
        return EXIT_FACILITY;
    }
    printf("%s: %s\n", f->full, is_trial ? "would be removed" : "removed");
    return EXIT_DONE;
}

/* Removes the folders of a file, below that of data, as far as they are empty. */
static void remove_folders(const registered_file *f)
{
    char folder[MMD_FILE_PATH_MAX];
    snprintf(folder, sizeof folder, "%s", f->full);
    const size_t data = strlen(f->full) - strlen(f->path);
    for (char *slash; (slash = strrchr(folder, '/')) != NULL && (size_t)(slash - folder) >= data;) {
        *slash = '\0';
        if (!platform_remove_folder(folder))
            return;
    }
}

/* Has the programs that keep the desktop's lists read the files. adds: tells what does not work without them.
 */
static void update_databases(const char *data, bool adds)
{
    static const char *const programs[][4] = {
        {"update-mime-database", "mime", "files are not recognised", "shared-mime-info"},
        {"update-desktop-database", "applications", "\"Open with\" may not show odori", "desktop-file-utils"},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char folder[MMD_FILE_PATH_MAX];
        system_process process = {0};
        const system_start how = {.files = {-1, -1, -1, -1, -1}};
        const char *const arguments[] = {programs[i][0], path_join(folder, data, "%s", programs[i][1]), NULL};
        if (!platform_exists(folder))
            continue;
        if (!system_process_start(&process, arguments, &how) && adds)
            message("%s is not installed, so %s: install %s and run `odori register` again", programs[i][0],
                    programs[i][2], programs[i][3]);
        else if (process.id && system_process_wait(&process) != 0)
            message("%s %s failed", programs[i][0], folder);
    }
}

/* Returns whether a folder has nothing but an entry of this name. */
static bool has_only(const char *path, const char *name)
{
    platform_folder *folder = platform_folder_open(path);
    bool only = folder != NULL;
    for (const char *entry; only && (entry = platform_folder_next(folder)) != NULL;)
        only = strcmp(entry, name) == 0;
    platform_folder_close(folder);
    return only;
}

/* Removes the lists that the programs have made where no file is left that they could be of, and the folders
 * around them. */
static void remove_databases(const char *data)
{
    static const char *const lists[] = {"XMLnamespaces", "aliases",   "generic-icons", "globs",
                                        "globs2",        "icons",     "magic",         "mime.cache",
                                        "subclasses",    "treemagic", "types",         "version"};
    static const char *const folders[] = {"mime/application", "mime/model", "mime", "applications"};
    char path[MMD_FILE_PATH_MAX];
    for (size_t i = 0;
         i < sizeof lists / sizeof *lists && !platform_exists(path_join(path, data, "mime/packages")); i++)
        platform_remove(path_join(path, data, "mime/%s", lists[i]));
    if (has_only(path_join(path, data, "applications"), "mimeinfo.cache"))
        platform_remove(path_join(path, data, "applications/mimeinfo.cache"));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        platform_remove_folder(path_join(path, data, "%s", folders[i]));
}

/* Looks at all files, and changes them. Returns an exit code. */
static int change(registered_file *files, const char *program, const char *data, bool adds, bool is_trial)
{
    size_t changes = 0;
    for (size_t i = 0; i < FILES; i++) {
        make_text(&files[i], program);
        if (files[i].wanted.failed) {
            message("out of memory");
            return EXIT_FACILITY;
        }
        path_join(files[i].full, data, "%s", files[i].path);
        look(&files[i]);
        changes +=
            adds ? files[i].state != FILE_SAME : files[i].state == FILE_SAME || files[i].state == FILE_OWN;
        if (adds && files[i].state == FILE_FOREIGN) {
            message("%s: not written by `odori register`; move it away first", files[i].full);
            return EXIT_FACILITY;
        }
    }
    int result = EXIT_DONE;
    for (size_t i = 0; i < FILES && result == EXIT_DONE; i++)
        result = adds ? add(&files[i], is_trial) : take_away(&files[i], is_trial);
    if (!adds && !changes)
        printf("nothing is registered in %s\n", data);
    if ((adds || changes) && !is_trial)
        update_databases(data, adds);
    for (size_t i = 0; !adds && !is_trial && i < FILES; i++)
        if (files[i].state == FILE_SAME || files[i].state == FILE_OWN)
            remove_folders(&files[i]);
    if (!adds && changes && !is_trial)
        remove_databases(data);
    return result;
}

int register_change(bool adds, bool is_trial)
{
    registered_file files[FILES] = {
        {.path = "applications/odori.desktop", .text = odori_desktop},
        {.path = "mime/packages/odori.xml", .text = odori_xml, .is_xml = true},
        {.path = "thumbnailers/odori.thumbnailer", .text = odori_thumbnailer},
        {.path = "icons/hicolor/scalable/apps/odori.svg", .text = odori_svg, .is_xml = true},
    };
    char program[MMD_FILE_PATH_MAX], data[MMD_FILE_PATH_MAX], entry[MMD_FILE_PATH_MAX];
    if (!system_program_path(program) || !find_data(data)) {
        message("the path of the program or the home folder is not known");
        return EXIT_FACILITY;
    }
    for (const char *c = program; *c; c++)
        if ((unsigned char)*c < ' ') {
            message("the path of the program has a character that desktop entries cannot have");
            return EXIT_FACILITY;
        }
    if (adds && is_installed(program, entry)) {
        printf("%s: this program is installed, so nothing needs to be registered\n", entry);
        return EXIT_DONE;
    }
    int result = change(files, program, data, adds, is_trial);
    for (size_t i = 0; i < FILES; i++)
        mmd_buffer_finish(&files[i].wanted);
    return result;
}
