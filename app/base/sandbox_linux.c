/* The sandbox on Linux (sandbox.h). The types of entries of folders (d_type) need _DEFAULT_SOURCE. */
#define _DEFAULT_SOURCE
#include "sandbox.h"

#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "mmd/assemble.h"
#include "mmd/source.h"
#include "output.h"
#include "paths.h"
#include "sandbox_helper.h"
#include "sandbox_system.h"
#include "system.h"

enum {
    SECRETS_MAX = 128,
    FILES_MAX = 4096 /* files of a folder that get a rule each */
};

typedef struct folder_ids {
    mmd_user_folder items[SECRETS_MAX];
    size_t count;
} folder_ids;

static struct {
    bool wanted; /* sandbox_begin was called */
    bool begun;  /* files can be restricted */
    /* The home folder, and that of the account, where Mesa keeps its files whatever HOME says. "/": none */
    char home[MMD_FILE_PATH_MAX], account[MMD_FILE_PATH_MAX];
    mmd_user_folders gathering;
    folder_ids secret; /* the root, the home folders and those above them */
    folder_ids listed; /* those of them whose entries were added */
    bool has_warned;
} list;

/* Allows everything in a folder, or a file. */
static void allow(const char *path, unsigned may)
{
    if (list.begun)
        sandbox_system_allow(path, may);
}

static void allow_below(const char *folder, const char *name, unsigned may)
{
    char path[MMD_FILE_PATH_MAX];
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
        char path[MMD_FILE_PATH_MAX];
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
        char path[MMD_FILE_PATH_MAX], program[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
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
    char program[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    if (!system_program_path(program))
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

/* Allows the folder of a driver's compiled shaders. Drivers do not report when they cannot create it, and
 * compile anew in each run, so it is created. */
static void allow_cache(const char *parent, const char *name)
{
    char path[MMD_FILE_PATH_MAX];
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
               *nvidia = getenv("__GL_SHADER_DISK_CACHE_PATH"), *home = list.home;
    bool has_base = base && *base;
    char caches[MMD_FILE_PATH_MAX];
    if (given && *given)
        allow_mesa_caches(given);
    if (snprintf(caches, sizeof caches, "%s%s", has_base ? base : list.account, has_base ? "" : "/.cache") <
            (int)sizeof caches &&
        !(given && *given))
        allow_mesa_caches(caches);
    if (snprintf(caches, sizeof caches, "%s%s", has_base ? base : home, has_base ? "" : "/.cache") >=
        (int)sizeof caches)
        return;
    allow_below(caches, "mesa_shader_cache", MAY_READ | MAY_WRITE);
    allow_below(caches, "mesa_shader_cache_db", MAY_READ | MAY_WRITE);
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
    allow_below(list.home, ".drirc", MAY_READ);
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

/* Allows the settings that say what the user's folders are. Models are read by them, too. */
static void allow_settings(const char *home)
{
    char path[MMD_FILE_PATH_MAX];
    if (mmd_user_folders_settings(home, path))
        allow(path, MAY_READ);
}

/* --- Folders with secrets --- */

static bool has_id(const folder_ids *ids, const struct stat *folder)
{
    for (size_t i = 0; i < ids->count; i++)
        if (ids->items[i].device == folder->st_dev && ids->items[i].node == folder->st_ino)
            return true;
    return false;
}

static void add_id(folder_ids *ids, const struct stat *folder)
{
    if (ids->count < SECRETS_MAX && !has_id(ids, folder))
        ids->items[ids->count++] = (mmd_user_folder){folder->st_dev, folder->st_ino};
}

/* Notes a folder and those above it, links resolved. */
static void add_secret(const char *path)
{
    char folder[MMD_FILE_PATH_MAX], above[MMD_FILE_PATH_MAX];
    struct stat about;
    if (!realpath(path, folder))
        return;
    while (stat(folder, &about) == 0) {
        add_id(&list.secret, &about);
        mmd_path_folder(folder, above, sizeof above);
        if (strcmp(above, folder) == 0)
            return;
        memcpy(folder, above, sizeof above);
    }
}

/* --- Beginning --- */

bool sandbox_has_untried_driver(void)
{
    return access("/dev/nvidiactl", F_OK) == 0;
}

void sandbox_begin(bool draws)
{
    list.wanted = true;
    if (!mmd_user_folders_account(list.account))
        strcpy(list.account, "/");
    if (!mmd_user_folders_home(list.home))
        strcpy(list.home, "/");
    list.begun = sandbox_system_begin();
    list.secret.count = list.listed.count = 0;
    list.has_warned = false;
    sandbox_helper_begin();
    add_secret("/");
    add_secret(list.home);
    add_secret(list.account);
    mmd_user_folders_find(&list.gathering);
    allow_system();
    allow_settings(list.home);
    allow_settings(list.account);
    if (draws && list.begun)
        allow_drivers();
}

/* --- Reading --- */

static bool is_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Returns whether a folder holds hidden files that are nobody's business: the home folder and those above it.
 */
static bool has_secrets(const char *folder)
{
    struct stat about;
    return stat(folder, &about) == 0 && has_id(&list.secret, &about);
}

/* Returns whether a folder has more files than rules should be made for. */
static bool has_many_files(DIR *entries)
{
    size_t count = 0;
    for (const struct dirent *entry; count <= FILES_MAX && (entry = readdir(entries));)
        count += entry->d_type != DT_DIR;
    rewinddir(entries);
    return count > FILES_MAX;
}

/* Allows everything in a folder whose names do not begin with a dot, except the home folder. Of a folder with
 * many files, only the folders in it. */
static void read_what_shows(const char *folder)
{
    char path[MMD_FILE_PATH_MAX];
    struct stat about;
    if (stat(folder, &about) != 0 || has_id(&list.listed, &about))
        return;
    add_id(&list.listed, &about);
    allow(folder, MAY_LIST);
    DIR *entries = opendir(folder);
    bool skips_files = entries && has_many_files(entries);
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        if (entry->d_name[0] != '.' && (entry->d_type == DT_DIR || !skips_files) &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path &&
            (entry->d_type == DT_REG || !has_secrets(path)))
            allow(path, MAY_READ);
    if (entries)
        closedir(entries);
}

static void read_folder(const char *folder)
{
    if (has_secrets(folder))
        read_what_shows(folder);
    else
        allow(folder, MAY_READ);
}

/*
 * Cuts parts off the end of a path until it exists: a path into an archive becomes the archive's. Returns
 * false if there is nothing to read: only a folder is left of the path.
 */
static bool find_existing(const char *path, char existing[MMD_FILE_PATH_MAX], struct stat *about)
{
    char above[MMD_FILE_PATH_MAX];
    bool is_cut = false;
    if (snprintf(existing, MMD_FILE_PATH_MAX, "%s", path) >= MMD_FILE_PATH_MAX)
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
    char existing[MMD_FILE_PATH_MAX];
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
static bool read_own_folder(const char *path, char folder[MMD_FILE_PATH_MAX])
{
    char existing[MMD_FILE_PATH_MAX], own[MMD_FILE_PATH_MAX], real[MMD_FILE_PATH_MAX];
    struct stat about;
    if (!list.begun || !find_existing(path, existing, &about) || !realpath(existing, real))
        return false;
    sandbox_read(existing);
    snprintf(folder, MMD_FILE_PATH_MAX, "%s", real);
    if (!S_ISDIR(about.st_mode)) {
        mmd_path_folder(existing, own, sizeof own);
        read_folder(own);
        mmd_path_folder(real, folder, MMD_FILE_PATH_MAX);
    }
    read_folder(folder);
    return true;
}

void sandbox_read_beside(const char *path)
{
    char folder[MMD_FILE_PATH_MAX], above[MMD_FILE_PATH_MAX];
    if (!read_own_folder(path, folder))
        return;
    mmd_path_folder(folder, above, sizeof above);
    if (!mmd_user_folders_has(&list.gathering, folder) && !mmd_user_folders_has(&list.gathering, above))
        read_folder(above);
}

void sandbox_read_around(const char *path)
{
    char folder[MMD_FILE_PATH_MAX], above[MMD_FILE_PATH_MAX];
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

/* Allows everything in a folder, also where that includes hidden files: a right holds for all below a folder.
 */
static void open_folder(const char *folder)
{
    char real[MMD_FILE_PATH_MAX];
    if (!list.has_warned && has_secrets(folder)) {
        message("warning: the sandbox leaves %s open, hidden files too, because the output goes there; "
                "write into a folder of its own",
                realpath(folder, real) ? real : folder);
        list.has_warned = true;
    }
    allow(folder, MAY_READ | MAY_WRITE);
}

/* Lets files be written in a folder: everything there, or only these names where there are secrets. */
static void write_names(helper_names names, const char *folder, const char *begin, const char *end)
{
    if (!has_secrets(folder) || !sandbox_helper_add(names, folder, begin, end))
        open_folder(folder);
}

/* Lets a folder be removed at the end if it is empty. A right would hold for all below the folder above. */
static void clear_folder(const char *folder)
{
    sandbox_helper_add(HELPER_EMPTY, folder, "", "");
}

/* Creates a folder and its missing parents, and notes them. */
static void create_folder(const char *folder)
{
    char above[MMD_FILE_PATH_MAX];
    struct stat about;
    if (stat(folder, &about) == 0)
        return;
    mmd_path_folder(folder, above, sizeof above);
    if (strcmp(above, folder) != 0)
        create_folder(above);
    if (output_create_folder(folder))
        clear_folder(folder);
}

void sandbox_create_folder(const char *folder)
{
    if (list.begun)
        create_folder(folder);
}

void sandbox_create_subfolder(const char *folder)
{
    if (list.begun && output_create_folder(folder))
        clear_folder(folder);
}

void sandbox_write_folder(const char *folder)
{
    sandbox_create_folder(folder);
    if (list.begun)
        open_folder(folder);
}

void sandbox_write_temporary(const char *folder)
{
    sandbox_write_folder(folder);
    if (list.begun)
        clear_folder(folder);
}

void sandbox_write(const char *path)
{
    char real[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    struct stat about;
    if (!list.begun || strcmp(path, "-") == 0)
        return;
    bool exists = stat(path, &about) == 0;
    if (exists && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
        allow(path, MAY_DEVICE);
        return;
    }
    path = exists && realpath(path, real) ? real : path;
    mmd_path_folder(path, folder, sizeof folder);
    write_names(HELPER_FILE, folder, mmd_path_name(path), "");
    if (exists && !S_ISDIR(about.st_mode))
        allow(path, MAY_READ);
}

void sandbox_write_numbered(const char *begin, const char *end)
{
    char folder[MMD_FILE_PATH_MAX], pattern[MMD_FILE_PATH_MAX];
    if (!list.begun)
        return;
    mmd_path_folder(begin, folder, sizeof folder);
    sandbox_create_folder(folder);
    write_names(HELPER_NUMBERED, folder, mmd_path_name(begin), end);
    if (has_secrets(folder) && snprintf(pattern, sizeof pattern, "%s*%s", begin, end) < (int)sizeof pattern)
        allow_matching(pattern, MAY_READ);
}

void sandbox_write_new_beside(const char *path)
{
    char folder[MMD_FILE_PATH_MAX];
    mmd_path_folder(path, folder, sizeof folder);
    if (!list.begun || !has_secrets(folder))
        return;
    read_what_shows(folder);
    write_names(HELPER_NEW, folder, "", "");
}

/* --- Entering --- */

const char *sandbox_enter(void)
{
    bool wanted = list.wanted;
    if (list.begun && !sandbox_helper_start())
        for (size_t i = 0; i < sandbox_helper_count(); i++) /* includes folders that are written anyway */
            open_folder(sandbox_helper_folder(i));
    list.wanted = list.begun = false;
    return wanted ? sandbox_system_enter(sandbox_has_untried_driver()) : "";
}
