/*
 * Registering with Windows, for this user, below HKEY_CURRENT_USER\Software: a class for each type of file,
 * which "Open with" offers, and the program itself with what it can open, for Settings, Default apps. The
 * program that opens a type by default stays the default.
 */
#include "register.h"

#include <windows.h>

#include <shlobj.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "base/message.h"
#include "base/system.h"
#include "mmd/memory.h"
#include "mmd/platform_windows.h"

const char register_summary[] =
    "Shows this program in \"Open with\" of models, motions, poses and projects, and in Settings, Default "
    "apps,\nfor this user. Other programs stay the default. Writes to HKEY_CURRENT_USER\\Software in the "
    "registry.\nRun it again after the program was moved.";
const char unregister_summary[] = "Removes what `odori register` has written.";

static const struct {
    const wchar_t *ending, *title;
} types[] = {
    {L".pmx", L"MikuMikuDance model"},   {L".pmd", L"MikuMikuDance model (old format)"},
    {L".vmd", L"MikuMikuDance motion"},  {L".vpd", L"MikuMikuDance pose"},
    {L".pmm", L"MikuMikuDance project"}, {L".vac", L"MikuMikuDance accessory settings"},
    {L".x", L"DirectX model"},           {L".glb", L"glTF model"},
    {L".gltf", L"glTF model"},           {L".rag", L"Ragdoll scene"},
};
enum { TYPES = sizeof types / sizeof *types, KEY_SIZE = 512, VALUE_SIZE = 2 * MMD_FILE_PATH_MAX };

static const wchar_t classes[] = L"Software\\Classes", programs[] = L"Software\\RegisteredApplications",
                     own[] = L"Software\\odori", capabilities[] = L"Software\\odori\\Capabilities",
                     created[] =
                         L"Software\\odori\\Created"; /* a value for each key of others that was missing */

/* One run of register or unregister. */
typedef struct registering {
    bool is_trial;
    size_t changes;
    LSTATUS status;         /* of the first change that failed */
    const wchar_t *program; /* its path */
    const wchar_t *name;    /* of its file */
} registering;

/* Prints a change: the key, the name of the value, or "" for that without a name, and what is done. */
static void tell(const registering *r, const wchar_t *key, const wchar_t *value, const char *does)
{
    char text[2][4 * KEY_SIZE] = {"", ""};
    platform_narrow_text(key, text[0], sizeof text[0]);
    if (value)
        platform_narrow_text(value, text[1], sizeof text[1]);
    printf("HKEY_CURRENT_USER\\%s%s%s: %s%s\n", text[0], value && *value ? ", " : "", text[1],
           r->is_trial ? "would be " : "", does);
}

/* Returns whether a value has a text already. */
static bool has_text(const wchar_t *key, const wchar_t *value, const wchar_t *text)
{
    static wchar_t old[VALUE_SIZE];
    DWORD size = sizeof old;
    return RegGetValueW(HKEY_CURRENT_USER, key, value, RRF_RT_REG_SZ, NULL, old, &size) == ERROR_SUCCESS &&
           wcscmp(old, text) == 0;
}

/* Sets a value of a key, whose parts may be in `key` and `below`. */
static void set(registering *r, const wchar_t *key, const wchar_t *below, const wchar_t *value,
                const wchar_t *text)
{
    wchar_t path[KEY_SIZE];
    if (r->status != ERROR_SUCCESS)
        return;
    swprintf(path, KEY_SIZE, L"%ls%ls%ls", key, *below ? L"\\" : L"", below);
    if (has_text(path, value, text))
        return;
    if (!r->is_trial)
        r->status = RegSetKeyValueW(HKEY_CURRENT_USER, path, value, REG_SZ, text,
                                    (DWORD)((wcslen(text) + 1) * sizeof *text));
    if (r->status != ERROR_SUCCESS)
        return;
    r->changes++;
    tell(r, path, value, "written");
}

/* Notes that a key, which other programs use too, is missing and about to be created. */
static void note_missing(registering *r, const wchar_t *key)
{
    HKEY there;
    if (RegOpenKeyExW(HKEY_CURRENT_USER, key, 0, KEY_READ, &there) == ERROR_SUCCESS)
        RegCloseKey(there);
    else
        set(r, created, L"", key, L"");
}

/* Writes how Explorer opens a file with the program. */
static void set_command(registering *r, const wchar_t *class)
{
    static wchar_t command[VALUE_SIZE], icon[VALUE_SIZE];
    swprintf(command, VALUE_SIZE, L"\"%ls\" play --first-page \"%%1\"", r->program);
    swprintf(icon, VALUE_SIZE, L"\"%ls\",0", r->program);
    set(r, class, L"shell\\open\\command", L"", command);
    set(r, class, L"DefaultIcon", L"", icon);
}

static void add(registering *r)
{
    wchar_t key[KEY_SIZE], class[64];
    swprintf(key, KEY_SIZE, L"%ls\\Applications", classes);
    note_missing(r, key);
    swprintf(key, KEY_SIZE, L"%ls\\Applications\\%ls", classes, r->name);
    set(r, key, L"", L"FriendlyAppName", L"odori");
    set_command(r, key);
    for (size_t i = 0; i < TYPES; i++)
        set(r, key, L"SupportedTypes", types[i].ending, L"");
    set(r, capabilities, L"", L"ApplicationName", L"odori");
    set(r, capabilities, L"", L"ApplicationDescription", L"Plays MikuMikuDance models and motions");
    for (size_t i = 0; i < TYPES; i++) {
        swprintf(class, 64, L"odori%ls", types[i].ending);
        swprintf(key, KEY_SIZE, L"%ls\\%ls", classes, class);
        set(r, key, L"", L"", types[i].title);
        set_command(r, key);
        swprintf(key, KEY_SIZE, L"%ls\\%ls", classes, types[i].ending);
        note_missing(r, key);
        swprintf(key, KEY_SIZE, L"%ls\\%ls\\OpenWithProgids", classes, types[i].ending);
        note_missing(r, key);
        set(r, key, L"", class, L"");
        set(r, capabilities, L"FileAssociations", types[i].ending, class);
    }
    note_missing(r, programs);
    set(r, programs, L"", L"odori", capabilities);
}

/* Removes a key with all below it. */
static void remove_tree(registering *r, const wchar_t *key)
{
    HKEY there;
    if (r->status != ERROR_SUCCESS ||
        RegOpenKeyExW(HKEY_CURRENT_USER, key, 0, KEY_READ, &there) != ERROR_SUCCESS)
        return;
    RegCloseKey(there);
    if (!r->is_trial)
        r->status = RegDeleteTreeW(HKEY_CURRENT_USER, key);
    if (r->status != ERROR_SUCCESS)
        return;
    r->changes++;
    tell(r, key, NULL, "removed");
}

/* Removes a key in which nothing is. */
static void remove_if_empty(const registering *r, const wchar_t *key)
{
    HKEY there;
    DWORD keys = 1, values = 1;
    if (r->is_trial || RegOpenKeyExW(HKEY_CURRENT_USER, key, 0, KEY_READ, &there) != ERROR_SUCCESS)
        return;
    RegQueryInfoKeyW(there, NULL, NULL, NULL, &keys, NULL, NULL, &values, NULL, NULL, NULL, NULL);
    RegCloseKey(there);
    if (keys == 0 && values == 0)
        RegDeleteKeyW(HKEY_CURRENT_USER, key);
}

/* Removes a key of others if register has created it and nothing is in it any more. */
static void remove_created(const registering *r, const wchar_t *key)
{
    if (has_text(created, key, L""))
        remove_if_empty(r, key);
}

/* Removes a value that has a text. */
static void remove_value(registering *r, const wchar_t *key, const wchar_t *value, const wchar_t *text)
{
    if (r->status != ERROR_SUCCESS || !has_text(key, value, text))
        return;
    if (!r->is_trial)
        r->status = RegDeleteKeyValueW(HKEY_CURRENT_USER, key, value);
    if (r->status != ERROR_SUCCESS)
        return;
    r->changes++;
    tell(r, key, value, "removed");
}

static void take_away(registering *r)
{
    wchar_t key[KEY_SIZE], class[64];
    remove_value(r, programs, L"odori", capabilities);
    remove_created(r, programs);
    remove_tree(r, capabilities);
    for (size_t i = 0; i < TYPES; i++) {
        swprintf(class, 64, L"odori%ls", types[i].ending);
        swprintf(key, KEY_SIZE, L"%ls\\%ls\\OpenWithProgids", classes, types[i].ending);
        remove_value(r, key, class, L"");
        remove_created(r, key);
        swprintf(key, KEY_SIZE, L"%ls\\%ls", classes, types[i].ending);
        remove_created(r, key);
        swprintf(key, KEY_SIZE, L"%ls\\%ls", classes, class);
        remove_tree(r, key);
    }
    swprintf(key, KEY_SIZE, L"%ls\\Applications\\%ls", classes, r->name);
    remove_tree(r, key);
    swprintf(key, KEY_SIZE, L"%ls\\Applications", classes);
    remove_created(r, key);
    remove_tree(r, created);
    remove_if_empty(r, own);
}

int register_change(bool adds, bool is_trial)
{
    static registering r;
    char program[MMD_FILE_PATH_MAX];
    r.is_trial = is_trial;
    wchar_t *wide = system_program_path(program) ? platform_wide_path(program) : NULL;
    if (!wide) {
        message("the path of the program is not known");
        return EXIT_FACILITY;
    }
    r.program = wide;
    const wchar_t *name = wcsrchr(r.program, L'\\');
    r.name = name ? name + 1 : r.program;
    if (adds)
        add(&r);
    else
        take_away(&r);
    mmd_free(wide);
    if (r.status != ERROR_SUCCESS) {
        message("the registry cannot be changed: error %ld", (long)r.status);
        return EXIT_FACILITY;
    }
    if (!r.changes)
        printf(adds ? "everything is registered already\n" : "nothing is registered\n");
    else if (!is_trial)
        SHChangeNotify(SHCNE_ASSOCCHANGED, SHCNF_IDLIST, NULL, NULL);
    return EXIT_DONE;
}
