#include "sandbox.h"

#include <dirent.h>
#include <glob.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mmd/source.h"
#include "paths.h"
#include "sandbox_system.h"

enum { CREATED_MAX = 64 };

static struct {
    bool wanted; /* sandbox_begin was called */
    bool begun;  /* files can be restricted */
    /* The folders that were added last. Suites add the same ones again and again. */
    char last[PATH_MAX], last_beside[PATH_MAX];
    char account[PATH_MAX]; /* home folder of the user's account; "/": it has none */
    /* Folders that sandbox_write_folder created, outermost first. */
    char *created[CREATED_MAX];
    int created_count;
} list;

/* Allows everything in a folder, or a file. */
static void allow(const char *path, unsigned may)
{
    if (list.begun)
        sandbox_system_allow(path, may);
}

static void allow_below(const char *folder, const char *name, unsigned may)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
        allow(path, may);
}

/* --- The system, drivers and ffmpeg --- */

/* Allows every path of a variable such as LD_LIBRARY_PATH. */
static void allow_listed(const char *variable)
{
    const char *value = getenv(variable);
    while (value && *value) {
        size_t length = strcspn(value, ": ");
        char path[PATH_MAX];
        if (length > 0 && snprintf(path, sizeof path, "%.*s", (int)length, value) < (int)sizeof path)
            allow(path, MAY_READ);
        value += length + (value[length] != '\0');
    }
}

static void allow_matching(const char *pattern, unsigned may)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            allow(found.gl_pathv[i], may);
    globfree(&found);
}

/* Allows a program and the libraries that were installed with it, wherever PATH leads to it. */
static void allow_program(const char *name)
{
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        char path[PATH_MAX], program[PATH_MAX], folder[PATH_MAX];
        int size = snprintf(path, sizeof path, "%.*s/%s", (int)length, folders, name);
        if (length > 0 && size < (int)sizeof path && access(path, X_OK) == 0 && realpath(path, program)) {
            allow(path, MAY_READ | MAY_EXECUTE);
            mmd_path_folder(program, folder, sizeof folder);
            allow_below(folder, "../lib", MAY_READ);
            return;
        }
        folders += length + (folders[length] != '\0');
    }
}

/* Allows the program itself, and what is installed with it. */
static void allow_own_program(void)
{
    char program[PATH_MAX], folder[PATH_MAX];
    if (!path_of_program(program))
        return;
    mmd_path_folder(program, folder, sizeof folder);
    allow(program, MAY_READ | MAY_EXECUTE);
    allow(folder, MAY_LIST); /* textures are looked up from the folder above the model's */
    allow_below(folder, "dancer", MAY_READ);
    allow_below(folder, "../share/odori", MAY_READ);
    allow_below(folder, "../lib/odori", MAY_READ);
#if defined(ODORI_COVERAGE)
    allow(folder, MAY_READ | MAY_WRITE); /* counters are written when the program ends */
#endif
}

/* Notes the home folder that the user's account has. Mesa keeps its files there, whatever HOME says. */
static void find_account(void)
{
    const struct passwd *user = getpwuid(getuid());
    bool found = user && user->pw_dir && *user->pw_dir;
    if (snprintf(list.account, sizeof list.account, "%s", found ? user->pw_dir : "/") >=
        (int)sizeof list.account)
        strcpy(list.account, "/");
}

static const char *home_folder(void)
{
    const char *home = getenv("HOME");
    return home && *home ? home : list.account;
}

/* Allows the folder of a driver's compiled shaders. Drivers do not report when they cannot create it, and
 * compile anew in each run, so it is created. */
static void allow_cache(const char *parent, const char *name)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", parent, name) >= (int)sizeof path)
        return;
    mkdir(parent, 0700);
    mkdir(path, 0700);
    allow(path, MAY_READ | MAY_WRITE);
}

/* Allows Mesa's caches, whose names depend on its version. */
static void allow_mesa_caches(const char *caches)
{
    allow_cache(caches, "mesa_shader_cache");
    allow_cache(caches, "mesa_shader_cache_db");
}

static void allow_caches(void)
{
    const char *given = getenv("MESA_SHADER_CACHE_DIR"), *base = getenv("XDG_CACHE_HOME"),
               *nvidia = getenv("__GL_SHADER_DISK_CACHE_PATH"), *home = home_folder();
    const char *const homes[] = {list.account, home};
    char caches[PATH_MAX] = "";
    if (given && *given)
        allow_mesa_caches(given);
    if (base && *base && snprintf(caches, sizeof caches, "%s", base) < (int)sizeof caches)
        allow_mesa_caches(caches);
    for (size_t i = 0; !(base && *base) && i < sizeof homes / sizeof *homes; i++)
        if (snprintf(caches, sizeof caches, "%s/.cache", homes[i]) < (int)sizeof caches)
            allow_mesa_caches(caches);
    if (!sandbox_has_untried_driver())
        return;
    allow_cache(home, ".nv");
    allow_cache(caches, "nvidia");
    if (nvidia && *nvidia)
        allow(nvidia, MAY_READ | MAY_WRITE);
}

/* Allows what OpenGL drivers open. */
static void allow_drivers(void)
{
    static const char *const variables[] = {
        "LIBGL_DRIVERS_PATH",        "GBM_BACKENDS_PATH",
        "__EGL_VENDOR_LIBRARY_DIRS", "__EGL_VENDOR_LIBRARY_FILENAMES",
        "VK_DRIVER_FILES",           "VK_ICD_FILENAMES",
    };
    static const char *const devices[] = {"/dev/dri", "/dev/nvidia*", "/dev/dxg", "/dev/kfd", "/dev/mali*"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        allow_listed(variables[i]);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        allow_matching(devices[i], MAY_DEVICE);
    allow_below(home_folder(), ".drirc", MAY_READ);
    allow_caches();
}

static void allow_system(void)
{
    static const char *const programs[] = {
        "/usr",    "/bin", "/sbin",      "/lib",       "/lib32", "/lib64",
        "/libx32", "/opt", "/nix/store", "/gnu/store", "/snap",  "/run/opengl-driver",
    };
    static const char *const files[] = {"/etc", "/proc", "/sys", "/dev/urandom", "/dev/random"};
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        allow(programs[i], MAY_READ | MAY_EXECUTE);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        allow(files[i], MAY_READ);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        allow(devices[i], MAY_DEVICE);
    if (access("/.flatpak-info", F_OK) == 0)
        allow("/app", MAY_READ | MAY_EXECUTE);
    allow_listed("LD_LIBRARY_PATH");
    allow_listed("LD_PRELOAD");
    allow_program("ffmpeg");
    allow_program("ffprobe");
    allow_own_program();
}

bool sandbox_has_untried_driver(void)
{
    return access("/dev/nvidiactl", F_OK) == 0;
}

void sandbox_begin(bool draws)
{
    list.wanted = true;
    find_account();
    list.begun = sandbox_system_begin();
    list.last[0] = list.last_beside[0] = '\0';
    allow_system();
    if (draws && list.begun)
        allow_drivers();
}

/* --- Reading --- */

static bool is_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool is_home(const char *folder)
{
    return is_same(folder, home_folder()) || is_same(folder, list.account);
}

/* Returns whether a folder is another one or lies above it, links resolved. */
static bool holds(const char *folder, const char *other)
{
    char outer[PATH_MAX], inner[PATH_MAX];
    if (!realpath(folder, outer) || !realpath(other, inner))
        return false;
    size_t length = strlen(outer);
    return strncmp(outer, inner, length) == 0 &&
           (inner[length] == '/' || inner[length] == '\0' || outer[length - 1] == '/');
}

/* Returns whether a folder holds hidden files that are nobody's business: the home folder and those above it.
 */
static bool has_secrets(const char *folder)
{
    return is_same(folder, "/") || holds(folder, home_folder()) || holds(folder, list.account);
}

/* Returns whether folders beside each other in this one do not belong together. */
static bool is_gathering(const char *folder)
{
    static const char *const names[] = {"Desktop", "Downloads", "Documents", "Pictures",
                                        "Music",   "Videos",    "Templates", "Public"};
    bool is =
        is_home(folder) || is_same(folder, "/") || is_same(folder, "/tmp") || is_same(folder, "/var/tmp");
    for (size_t i = 0; i < sizeof names / sizeof *names && !is; i++) {
        char path[PATH_MAX];
        is = snprintf(path, sizeof path, "%s/%s", home_folder(), names[i]) < (int)sizeof path &&
             is_same(folder, path);
    }
    return is;
}

/* Allows everything in a folder whose names do not begin with a dot, except the home folder. */
static void read_what_shows(const char *folder)
{
    char path[PATH_MAX];
    DIR *entries = opendir(folder);
    allow(folder, MAY_LIST);
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        if (entry->d_name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path &&
            !has_secrets(path))
            allow(path, MAY_READ);
    if (entries)
        closedir(entries);
}

static void read_folder(const char *folder)
{
    if (!list.begun || strcmp(folder, list.last) == 0)
        return;
    snprintf(list.last, sizeof list.last, "%s", folder);
    if (has_secrets(folder))
        read_what_shows(folder);
    else
        allow(folder, MAY_READ);
}

/*
 * Cuts parts off the end of a path until it exists: a path into an archive becomes the archive's. Returns
 * false if there is nothing to read: only a folder is left of the path.
 */
static bool find_existing(const char *path, char existing[PATH_MAX], struct stat *about)
{
    char above[PATH_MAX];
    bool is_cut = false;
    if (snprintf(existing, PATH_MAX, "%s", path) >= PATH_MAX)
        return false;
    while (stat(existing, about) != 0) {
        mmd_path_folder(existing, above, sizeof above);
        if (strcmp(above, existing) == 0)
            return false;
        memcpy(existing, above, sizeof above);
        is_cut = true;
    }
    return !is_cut || !S_ISDIR(about->st_mode);
}

void sandbox_read(const char *path)
{
    char existing[PATH_MAX];
    struct stat about;
    if (!list.begun || !find_existing(path, existing, &about))
        return;
    if (S_ISDIR(about.st_mode))
        read_folder(existing);
    else
        allow(existing, MAY_READ);
}

/* Adds the folder of a file. For a link that means the folder of the link and that of the file. folder
 * receives the latter, links resolved. Returns false if nothing is left to do. */
static bool read_own_folder(const char *path, char folder[PATH_MAX])
{
    char existing[PATH_MAX], own[PATH_MAX], real[PATH_MAX];
    struct stat about;
    if (!list.begun || !find_existing(path, existing, &about) || !realpath(existing, real))
        return false;
    sandbox_read(existing);
    snprintf(folder, PATH_MAX, "%s", real);
    if (!S_ISDIR(about.st_mode)) {
        mmd_path_folder(existing, own, sizeof own);
        read_folder(own);
        mmd_path_folder(real, folder, PATH_MAX);
    }
    read_folder(folder);
    return true;
}

void sandbox_read_beside(const char *path)
{
    char folder[PATH_MAX], above[PATH_MAX];
    if (!read_own_folder(path, folder) || strcmp(folder, list.last_beside) == 0)
        return;
    memcpy(list.last_beside, folder, sizeof folder);
    mmd_path_folder(folder, above, sizeof above);
    if (!is_gathering(folder) && !is_gathering(above))
        read_folder(above);
}

void sandbox_read_around(const char *path)
{
    char folder[PATH_MAX], above[PATH_MAX];
    if (!read_own_folder(path, folder))
        return;
    for (int level = 0; level < 2; level++) {
        mmd_path_folder(folder, above, sizeof above);
        if (is_same(above, "/"))
            return;
        memcpy(folder, above, sizeof above);
        read_folder(folder);
    }
}

/* --- Writing --- */

/* Removes the folders in which nothing was written. */
static void remove_empty(void)
{
    while (list.created_count > 0) {
        char *folder = list.created[--list.created_count];
        rmdir(folder);
        free(folder);
    }
}

/* Creates a folder and its missing parents, and notes them. */
static void create_folder(const char *folder)
{
    char above[PATH_MAX];
    struct stat about;
    if (stat(folder, &about) == 0)
        return;
    mmd_path_folder(folder, above, sizeof above);
    if (strcmp(above, folder) != 0)
        create_folder(above);
    if (list.created_count == 0)
        allow(above, MAY_CLEAR);
    char *kept = list.created_count < CREATED_MAX ? strdup(folder) : NULL;
    if (kept && mkdir(folder, 0777) == 0)
        list.created[list.created_count++] = kept;
    else
        free(kept);
}

void sandbox_write_folder(const char *folder)
{
    static bool removes;
    if (!list.begun)
        return;
    create_folder(folder);
    if (list.created_count > 0 && !removes)
        removes = atexit(remove_empty) == 0;
    allow(folder, MAY_READ | MAY_WRITE);
}

void sandbox_write_subfolder(const char *folder)
{
    char own[PATH_MAX], above[PATH_MAX];
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    if (snprintf(own, sizeof own, "%.*s", (int)length, folder) >= (int)sizeof own)
        return;
    mmd_path_folder(own, above, sizeof above);
    if (access(above, F_OK) == 0)
        sandbox_write_folder(own);
}

void sandbox_write(const char *path)
{
    char real[PATH_MAX], folder[PATH_MAX];
    struct stat about;
    if (!list.begun || strcmp(path, "-") == 0)
        return;
    bool exists = stat(path, &about) == 0;
    if (exists && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
        allow(path, MAY_DEVICE);
        return;
    }
    mmd_path_folder(exists && realpath(path, real) ? real : path, folder, sizeof folder);
    allow(folder, MAY_READ | MAY_WRITE);
}

/* --- Entering --- */

const char *sandbox_enter(void)
{
    bool wanted = list.wanted;
    list.wanted = list.begun = false;
    return wanted ? sandbox_system_enter(sandbox_has_untried_driver()) : "";
}
