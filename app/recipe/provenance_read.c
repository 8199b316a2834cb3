/* Reads the chunk of a picture. The picture may come from a stranger, so every value is checked. */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/paths.h"
#include "provenance.h"
#include "mmd/assemble.h"
#include "mmd/platform.h"

/* Limits of motions and poses for each model that is allowed, and of the parts of a path, each of which is
 * searched. */
enum { MOTIONS_FOR_MODEL = 4, PARTS_MAX = 64 };

typedef struct chunk_reader {
    const provenance_search *places;
    mmd_arena *arena;
    mmd_error *error;
    json_t *hashes; /* of files by path, because a picture may name one file a thousand times */
} chunk_reader;

/* Records an error, unless one was recorded before. Returns false. */
static bool wrong(chunk_reader *r, mmd_status code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 3, 4)))
#endif
    ;
static bool wrong(chunk_reader *r, mmd_status code, const char *format, ...)
{
    va_list arguments;
    if (r->error->code != MMD_OK)
        return false;
    va_start(arguments, format);
    mmd_error_set_v(r->error, code, "", MMD_NO_OFFSET, format, arguments);
    va_end(arguments);
    if (code != MMD_ERROR_MEMORY)
        mmd_error_set_file(r->error, r->places->picture);
    return false;
}

static bool no_memory(chunk_reader *r)
{
    return wrong(r, MMD_ERROR_MEMORY, "out of memory");
}

static bool bad(chunk_reader *r, const char *what)
{
    return wrong(r, MMD_ERROR_VALUE, "the %s chunk has no valid %s", PROVENANCE_KEY, what);
}

static const char *keep(chunk_reader *r, const char *text)
{
    const char *kept = text ? mmd_arena_text(r->arena, text, strlen(text)) : NULL;
    if (text && !kept)
        no_memory(r);
    return kept;
}

/* Search for a file: the first candidate with the right hash wins, otherwise the first that exists. */
typedef struct search {
    json_t *hashes; /* of the chunk_reader */
    const provenance_search *places;
    const char *given;
    digest expected;
    const char *name;     /* the path as given, or an end of it */
    bool only_right;      /* accept only files with the right hash */
    char found[MMD_FILE_PATH_MAX]; /* path of the best candidate so far; "" for none */
    bool right;
    bool is_refused; /* a candidate was not looked at */
} search;

/* Returns whether a path must not be looked at: it is on another computer, and neither the folder that was
 * searched nor the picture lies there. */
static bool is_refused(const provenance_search *places, const char *folder, const char *path)
{
    char own[MMD_FILE_PATH_MAX];
    mmd_path_folder(places->picture, own, sizeof own);
    return !places->is_own && platform_path_is_remote(path, *folder ? folder : own);
}

/* Returns the hash of a file, which is read only once. */
static digest known_digest(json_t *hashes, const char *path)
{
    digest hash = {""};
    const json_t *known = json_object_get(hashes, path);
    if (known) {
        snprintf(hash.text, sizeof hash.text, "%s", json_string_value(known));
        return hash;
    }
    hash = file_digest(path);
    json_object_set_new_nocheck(hashes, path, json_string(hash.text)); /* without memory it is read again */
    return hash;
}

static void try_path(search *s, const char *folder)
{
    char path[MMD_FILE_PATH_MAX];
    const char *slash = folder[platform_path_root(folder)] ? "/" : ""; /* "//name" would be a server */
    int length = snprintf(path, sizeof path, "%s%s%s", folder, slash, s->name);
    if (s->right || length >= (int)sizeof path)
        return;
    if (is_refused(s->places, folder, path)) {
        s->is_refused = true;
        return;
    }
    /* Never open devices and pipes, which a stranger's picture may name: reading them may block forever. */
    if (!mmd_locate_is_file(path))
        return;
    digest hash = known_digest(s->hashes, path);
    s->right = digest_equal(&hash, &s->expected);
    if (s->right || (!*s->found && !s->only_right))
        memcpy(s->found, path, (size_t)length + 1);
}

static void try_folders_above(search *s, const char *picture)
{
    char folder[MMD_FILE_PATH_MAX], above[MMD_FILE_PATH_MAX], full[MMD_FILE_PATH_MAX];
    mmd_path_folder(platform_path_resolve(picture, full) ? full : picture, folder, sizeof folder);
    for (int level = 0; level < 64; level++) {
        try_path(s, folder);
        mmd_path_folder(folder, above, sizeof above);
        if (strcmp(above, folder) == 0 || strcmp(above, ".") == 0)
            return;
        memcpy(folder, above, sizeof folder);
    }
}

static void try_folders(search *s, const text_list *folders)
{
    for (size_t i = 0; i < folders->count; i++)
        try_path(s, folders->items[i]);
}

/* Searches the folders for files that were moved. The longest matching end of the path wins. */
static void try_ends(search *s, const text_list *folders)
{
    s->only_right = true;
    for (const char *slash = strchr(s->given, '/'); slash && !s->right; slash = strchr(slash + 1, '/')) {
        s->name = slash + 1;
        if (*s->name && *s->name != '/' && strncmp(s->name, "../", 3) != 0)
            try_folders(s, folders);
    }
}

/* Searches a file by the path as given. */
static void search_given(search *s)
{
    s->name = s->given;
    try_path(s, "");
    if (platform_path_root(s->given) == 0) {
        try_folders_above(s, s->places->picture);
        try_folders(s, s->places->folders);
    }
    try_ends(s, s->places->folders);
}

static bool find_file(chunk_reader *r, const digest *expected, scene_input *input)
{
    search s = {.hashes = r->hashes, .places = r->places, .given = input->given, .expected = *expected};
    search_given(&s);
    char *tidied = *s.found ? NULL : mmd_arena_text(r->arena, input->given, strlen(input->given));
    if (tidied && path_tidy_foreign(tidied, input->given)) {
        input->given = s.given = tidied;
        s.only_right = false;
        search_given(&s);
    }
    platform_info about;
    if (!*s.found && s.is_refused)
        return wrong(r, MMD_ERROR_REFUSED,
                     "a picture may not name files on another computer, unless it lies there itself: %.120s",
                     input->given);
    if (!*s.found && platform_stat(input->given, &about) && about.kind != PLATFORM_FILE)
        return bad(r, "file");
    input->path = keep(r, *s.found ? s.found : input->given);
    return input->path != NULL;
}

static bool read_file(chunk_reader *r, const json_t *value, scene_input *input)
{
    digest expected;
    const char *path = json_string_value(json_object_get(value, "path")),
               *hash = json_string_value(json_object_get(value, "hash"));
    if (!path || !*path || !hash || strlen(hash) >= sizeof expected.text)
        return bad(r, "file");
    size_t parts = 1;
    for (const char *c = path; *c; c++)
        parts += *c == '/' || *c == '\\';
    if (parts > PARTS_MAX)
        return wrong(r, MMD_ERROR_LIMIT, "the picture names a file in more than %d folders", PARTS_MAX);
    strcpy(expected.text, hash);
    input->given = keep(r, path);
    if (!input->given)
        return false;
    *input = scene_input_named(input->given, input->given);
    return input->is_dancer || find_file(r, &expected, input);
}

static bool read_files(chunk_reader *r, const json_t *list, const char *what, size_t most, input_kind kind,
                       scene_inputs *inputs)
{
    if (!json_is_array(list))
        return bad(r, what);
    if (json_array_size(list) > most)
        return wrong(r, MMD_ERROR_LIMIT, "the picture has more than %zu %s; --max-models N allows more", most,
                     what);
    inputs->items = mmd_arena_alloc(r->arena, json_array_size(list), sizeof *inputs->items);
    if (!inputs->items)
        return no_memory(r);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_file(r, json_array_get(list, i), &inputs->items[i]))
            return false;
        inputs->items[inputs->count++].kind = kind;
    }
    return true;
}

/* Reads which motions move a single model only. */
static bool read_owners(chunk_reader *r, const json_t *list, scene_inputs *motions)
{
    for (size_t i = 0; i < motions->count; i++) {
        const json_t *model = json_object_get(json_array_get(list, i), "model");
        json_int_t number = json_integer_value(model);
        if (!model)
            continue;
        if (!json_is_integer(model) || number < 0 || number >= 1 << 20)
            return bad(r, "motion");
        motions->items[i].owner = (size_t)number + 1;
    }
    return true;
}

static bool read_frame(chunk_reader *r, const json_t *value, const char *what, double *frame)
{
    double x = json_number_value(value);
    *frame = x;
    return (json_is_number(value) && x >= 0 && x <= 4294967295.0) || bad(r, what);
}

static bool read_size(chunk_reader *r, const json_t *value, picture_size *size)
{
    double width = json_number_value(json_array_get(value, 0)),
           height = json_number_value(json_array_get(value, 1));
    if (!(width >= 1 && width <= 16384 && height >= 1 && height <= 16384))
        return bad(r, "size");
    *size = (picture_size){(uint32_t)width, (uint32_t)height};
    return true;
}

static bool read_view(chunk_reader *r, const json_t *view, recipe_settings *settings)
{
    const char *key;
    json_t *value;
    if (!json_is_object(view))
        return bad(r, "view");
    json_object_foreach((json_t *)(uintptr_t)view, key, value)
    {
        option_error error = {0};
        const char *text = keep(r, json_string_value(value));
        char *name = mmd_arena_text(r->arena, key, strlen(key));
        for (char *c = name; c && *c; c++)
            if (*c == '_')
                *c = '-';
        if (!text || !name)
            return bad(r, "view");
        if (!recipe_set(settings, name, text, &error))
            return wrong(r, MMD_ERROR_VALUE, "%s %s: %s", name, text, error.text);
    }
    option_error error = {0};
    return recipe_may_have(settings, r->places->texture_memory, &error) ||
           wrong(r, MMD_ERROR_LIMIT, "%s", error.text);
}

/* Sets "physics" or one of its members through the command-line option of that name. */
static bool set_physics(chunk_reader *r, const char *name, const char *text, recipe_settings *settings)
{
    option_error error = {0};
    const char *kept = keep(r, text);
    return (kept && recipe_set(settings, name, kept, &error)) || bad(r, "physics");
}

static bool read_gravity(chunk_reader *r, const json_t *gravity, recipe_settings *settings)
{
    char text[96];
    bool fits = json_array_size(gravity) == 3;
    if (json_is_string(gravity) && strcmp(json_string_value(gravity), PROVENANCE_OF_PROJECT) == 0)
        return true;
    for (size_t i = 0; fits && i < 3; i++)
        fits = json_is_number(json_array_get(gravity, i));
    snprintf(text, sizeof text, "%.9g,%.9g,%.9g", json_number_value(json_array_get(gravity, 0)),
             json_number_value(json_array_get(gravity, 1)), json_number_value(json_array_get(gravity, 2)));
    return fits ? set_physics(r, "gravity", text, settings) : bad(r, "physics");
}

/*
 * Reads a member of "physics". An unknown member is an error, because ignoring it would draw another picture.
 */
static bool read_physics_member(chunk_reader *r, const char *key, const json_t *value,
                                recipe_settings *settings)
{
    char rate[32];
    if (strcmp(key, "gravity") == 0)
        return read_gravity(r, value, settings);
    if (strcmp(key, "ground") == 0)
        return set_physics(r, "physics-ground", json_string_value(value), settings);
    if (strcmp(key, "world") == 0)
        return set_physics(r, "physics-world", json_string_value(value), settings);
    if (strcmp(key, "lever") == 0)
        return set_physics(r, "physics-lever", json_string_value(value), settings);
    if (strcmp(key, "rate") != 0)
        return wrong(r, MMD_ERROR_VALUE,
                     "the %s chunk has the physics setting \"%.60s\", which this version does not know",
                     PROVENANCE_KEY, key);
    snprintf(rate, sizeof rate, "%lld", (long long)json_integer_value(value));
    return set_physics(r, "physics-rate", rate, settings);
}

/* Reads "physics". If it is missing, physics was off; without "lever", joints used Bullet's levers. */
static bool read_physics(chunk_reader *r, const json_t *physics, recipe_settings *settings)
{
    const char *key;
    json_t *value;
    if (!json_is_object(physics))
        return set_physics(r, "physics", physics ? json_string_value(physics) : "off", settings);
    bool ok = set_physics(r, "physics", "on", settings) &&
              (json_object_get(physics, "lever") || set_physics(r, "physics-lever", "stock", settings));
    json_object_foreach((json_t *)(uintptr_t)physics, key, value) ok =
        ok && read_physics_member(r, key, value, settings);
    return ok;
}

static bool read_recipe(chunk_reader *r, const json_t *root, recipe *p)
{
    const json_t *camera = json_object_get(root, "camera"), *start = json_object_get(root, "start"),
                 *stage = json_object_get(root, "stage");
    const char *exec = json_string_value(json_object_get(root, "exec"));
    recipe_init(p, true);
    p->scene.most_models = r->places->most_models ? r->places->most_models : SCENE_MODELS_MOST;
    p->picture = keep(r, r->places->picture);
    p->has_size = true;
    p->frame_count = 1;
    p->frames = mmd_arena_alloc(r->arena, 1, sizeof *p->frames);
    p->exec = keep(r, exec ? exec : "");
    if (!p->frames || !p->exec || !p->picture)
        return no_memory(r);
    if (json_integer_value(json_object_get(root, "format")) != 1)
        return bad(r, "format that this version knows");
    return read_files(r, json_object_get(root, "models"), "models", p->scene.most_models, INPUT_MODEL,
                      &p->scene.files) &&
           (p->scene.files.count > 0 || bad(r, "model")) &&
           read_files(r, json_object_get(root, "motions"), "motions",
                      MOTIONS_FOR_MODEL * p->scene.most_models, INPUT_FILE, &p->scene.motions) &&
           read_owners(r, json_object_get(root, "motions"), &p->scene.motions) &&
           (!stage || read_file(r, stage, &p->scene.stage)) &&
           (!camera || read_file(r, camera, &p->scene.camera)) &&
           read_frame(r, json_object_get(root, "frame"), "frame", &p->frames[0]) &&
           (!start || read_frame(r, start, "start", &p->start)) &&
           read_size(r, json_object_get(root, "size"), &p->size) &&
           read_view(r, json_object_get(root, "view"), &p->settings) &&
           read_physics(r, json_object_get(root, "physics"), &p->settings);
}

mmd_status provenance_read(const char *text, const provenance_search *places, mmd_arena *arena, recipe *r,
                           mmd_error *error)
{
    mmd_error own = {0};
    chunk_reader reader = {places, arena, &own, json_object()};
    json_error_t syntax;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &syntax);
    bool ok = root ? read_recipe(&reader, root, r) : bad(&reader, "JSON");
    json_decref(root);
    json_decref(reader.hashes);
    if (!ok && error)
        *error = own;
    return ok ? MMD_OK : own.code;
}
