/*
 * What two pictures say of how they were made (the odori.scene chunks of
 * provenance.h), held against each other: files by their hashes, frame, camera,
 * light, view options, commands, and what drew them. A texture is called toon or
 * sphere by the material that uses it, where the model is still to be found.
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "diff.h"
#include "digest.h"
#include "mmd/memory.h"
#include "mmd/source.h"
#include "model_file.h"
#include "png_text.h"
#include "provenance.h"

/* What is compared, and of which picture the models are looked for. */
typedef struct making {
    diff_made *made;
    const char *picture;
} making;

static void add_change(diff_made *made, unsigned aspect, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

static void add_change(diff_made *made, unsigned aspect, const char *format, ...)
{
    made->aspects |= aspect;
    if (made->count++ >= DIFF_MADE_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(made->changes[made->count - 1], sizeof made->changes[0], format, arguments);
    va_end(arguments);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* --- Textures --- */

/* The model that the chunk names, if its file is there and still that one. */
static bool find_model(const making *m, const json_t *model, model_file *file)
{
    char folder[PATH_MAX], beside[2 * PATH_MAX];
    const char *given = text_of(model, "path"), *hash = text_of(model, "hash");
    mmd_path_folder(m->picture, folder, sizeof folder);
    snprintf(beside, sizeof beside, "%s/%s", folder, given);
    const char *const paths[] = {given, beside};
    for (int i = 0; i < 2 && *given; i++) {
        digest found = file_digest(paths[i]);
        if (*found.text && strcmp(found.text, hash) == 0)
            return model_file_read(paths[i], file, NULL) == MMD_OK;
    }
    return false;
}

typedef struct texture_use {
    const char *role;     /* "toon texture" */
    const char *material; /* the first one that uses it so, or NULL */
    unsigned aspect;
} texture_use;

static texture_use use_of(const mmd_model *model, int32_t texture, const char *name)
{
    static const char *const roles[] = {"toon texture", "texture", "sphere texture"};
    for (int role = 0; role < 3; role++)
        for (uint32_t i = 0; model && i < model->material_count; i++) {
            const mmd_material *one = &model->materials[i];
            int32_t used = role == 0   ? (one->shared_toon ? -1 : one->toon)
                           : role == 1 ? one->texture
                                       : one->sphere;
            if (used == texture)
                return (texture_use){roles[role], one->name, role == 0 ? DIFF_MADE_TOON : DIFF_MADE_COLOR};
        }
    bool toon = !model && strstr(name, "toon") != NULL;
    return (texture_use){roles[!toon], NULL, toon ? DIFF_MADE_TOON : DIFF_MADE_COLOR};
}

static void compare_textures(const making *m, const json_t *a, const json_t *b)
{
    const json_t *was = json_object_get(a, "textures"), *is = json_object_get(b, "textures");
    model_file file = {0};
    bool looked = false;
    for (size_t i = 0; i < json_array_size(was) && i < json_array_size(is); i++) {
        const json_t *one = json_array_get(was, i), *other = json_array_get(is, i);
        const char *name = text_of(one, "name");
        if (strcmp(name, text_of(other, "name")) != 0 ||
            strcmp(text_of(one, "hash"), text_of(other, "hash")) == 0)
            continue;
        if (!looked && !find_model(m, a, &file))
            file.model = NULL;
        looked = true;
        texture_use use = use_of(file.model, (int32_t)i, name);
        add_change(m->made, use.aspect, "%s %s%s%s%s has other content", use.role, name,
                   use.material ? " (material " : "", use.material ? use.material : "",
                   use.material ? ")" : "");
    }
    if (file.model)
        model_file_finish(&file);
}

/* --- Files --- */

static void compare_file(diff_made *made, const char *what, unsigned aspect, const json_t *a, const json_t *b)
{
    const char *was = text_of(a, "path"), *is = text_of(b, "path");
    if (!a && !b)
        return;
    if (!a || !b)
        add_change(made, aspect, "%s %s in %c only", what, a ? was : is, a ? 'A' : 'B');
    else if (strcmp(text_of(a, "hash"), text_of(b, "hash")) == 0)
        return;
    else if (strcmp(was, is) == 0)
        add_change(made, aspect, "%s %s has other content", what, was);
    else
        add_change(made, aspect, "%s %s against %s", what, was, is);
}

static void compare_model(const making *m, const char *what, const json_t *a, const json_t *b)
{
    compare_file(m->made, what, DIFF_MADE_OTHER, a, b);
    if (a && b)
        compare_textures(m, a, b);
}

static void compare_lists(const making *m, const json_t *a, const json_t *b)
{
    const json_t *was = json_object_get(a, "models"), *is = json_object_get(b, "models");
    for (size_t i = 0; i < json_array_size(was) || i < json_array_size(is); i++)
        compare_model(m, "model", json_array_get(was, i), json_array_get(is, i));
    compare_model(m, "stage", json_object_get(a, "stage"), json_object_get(b, "stage"));
    was = json_object_get(a, "motions"), is = json_object_get(b, "motions");
    for (size_t i = 0; i < json_array_size(was) || i < json_array_size(is); i++)
        compare_file(m->made, "motion", DIFF_MADE_POSE, json_array_get(was, i), json_array_get(is, i));
    compare_file(m->made, "camera motion", DIFF_MADE_POSE, json_object_get(a, "camera"),
                 json_object_get(b, "camera"));
}

/* --- Values --- */

/* "0.6, 0.6, 0.6", "on", "10". */
static const char *value_text(const json_t *value, char *text, size_t capacity)
{
    size_t size = 0;
    const char *words = json_string_value(value);
    if (!value || words) {
        snprintf(text, capacity, "%s", words && *words ? words : "none");
        text[strcspn(text, "\n")] = '\0'; /* of commands the first one */
    } else if (json_is_array(value)) {
        text[0] = '\0';
        for (size_t i = 0; i < json_array_size(value) && size < capacity; i++)
            size += (size_t)snprintf(text + size, capacity - size, "%s%.6g", i ? ", " : "",
                                     json_number_value(json_array_get(value, i)));
    } else if (json_is_boolean(value)) {
        snprintf(text, capacity, "%s", json_is_true(value) ? "yes" : "no");
    } else {
        snprintf(text, capacity, "%.6g", json_number_value(value));
    }
    return text;
}

static void compare_value(diff_made *made, const char *what, unsigned aspect, const json_t *a,
                          const json_t *b)
{
    char was[80], is[80];
    if ((!a && !b) || (a && b && json_equal(a, b)))
        return;
    add_change(made, aspect, "%s %s against %s", what, value_text(a, was, sizeof was),
               value_text(b, is, sizeof is));
}

/* What an option changes, where that is one thing. */
static unsigned option_aspect(const char *name)
{
    static const struct {
        const char *name;
        unsigned aspect;
    } known[] = {
        {"shading", DIFF_MADE_COLOR},
        {"background", DIFF_MADE_COLOR},
        {"self_shadow", DIFF_MADE_COLOR},
        {"ground_shadow", DIFF_MADE_COLOR},
        {"edge", DIFF_MADE_EDGES},
        {"msaa", DIFF_MADE_EDGES},
        {"pixel_centers", DIFF_MADE_EDGES},
        {"sdef", DIFF_MADE_POSE},
        {"light_color", DIFF_MADE_LIGHT},
        {"light_dir", DIFF_MADE_LIGHT},
        {"ik", DIFF_MADE_POSE},
        {"ik_step_by_link", DIFF_MADE_POSE},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].aspect;
    return DIFF_MADE_OTHER;
}

/* What a text of commands changes, line by line. */
static unsigned commands_aspect(const char *text)
{
    static const struct {
        const char *begins;
        unsigned aspect;
    } known[] = {{"light.", DIFF_MADE_LIGHT},
                 {"camera.", DIFF_MADE_POSE},
                 {"morph.", DIFF_MADE_POSE},
                 {"bone.", DIFF_MADE_POSE},
                 {"#", 0},
                 {"\n", 0}};
    unsigned aspects = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t i = 0, count = sizeof known / sizeof *known;
        while (i < count && strncmp(text, known[i].begins, strlen(known[i].begins)) != 0)
            i++;
        aspects |= i < count ? known[i].aspect : DIFF_MADE_OTHER;
    }
    return aspects;
}

static void compare_option(diff_made *made, const char *key, const json_t *a, const json_t *b)
{
    char name[64];
    snprintf(name, sizeof name, "--%s", key);
    for (char *c = name; *c; c++)
        if (*c == '_')
            *c = '-';
    compare_value(made, name, option_aspect(key), a, b);
}

static void compare_options(diff_made *made, const json_t *a, const json_t *b)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)a, key, value)
        compare_option(made, key, value, json_object_get(b, key));
    json_object_foreach((json_t *)(uintptr_t)b, key, value) if (!json_object_get(a, key))
        compare_option(made, key, NULL, value);
}

static void compare_group(diff_made *made, const char *what, unsigned aspect, const json_t *a,
                          const json_t *b)
{
    char name[96];
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)a, key, value)
    {
        snprintf(name, sizeof name, "%s %s", what, key);
        compare_value(made, name, aspect, value, json_object_get(b, key));
    }
}

static void compare_scenes(const making *m, const json_t *a, const json_t *b)
{
    diff_made *made = m->made;
    const json_t *was = json_object_get(a, "state"), *is = json_object_get(b, "state");
    compare_value(made, "frame", DIFF_MADE_POSE, json_object_get(a, "frame"), json_object_get(b, "frame"));
    compare_value(made, "start at frame", DIFF_MADE_OTHER, json_object_get(a, "start"),
                  json_object_get(b, "start"));
    compare_lists(m, a, b);
    compare_group(made, "camera", DIFF_MADE_POSE, json_object_get(was, "camera"),
                  json_object_get(is, "camera"));
    compare_group(made, "light", DIFF_MADE_LIGHT, json_object_get(was, "light"),
                  json_object_get(is, "light"));
    compare_options(made, json_object_get(a, "view"), json_object_get(b, "view"));
    compare_value(made, "commands", commands_aspect(text_of(a, "exec")) | commands_aspect(text_of(b, "exec")),
                  json_object_get(a, "exec"), json_object_get(b, "exec"));
    compare_value(made, "physics", DIFF_MADE_POSE, json_object_get(a, "physics"),
                  json_object_get(b, "physics"));
    compare_value(made, "size", DIFF_MADE_POSE, json_object_get(a, "size"), json_object_get(b, "size"));
    compare_value(made, "odori", DIFF_MADE_OTHER, json_object_get(a, "odori"), json_object_get(b, "odori"));
    compare_group(made, "GL", DIFF_MADE_OTHER, json_object_get(a, "gl"), json_object_get(b, "gl"));
}

static json_t *read_scene(const char *path)
{
    mmd_bytes bytes = {0};
    if (mmd_file_read(path, &bytes, NULL) != MMD_OK)
        return NULL;
    char *text = png_text_read(bytes.data, bytes.size, PROVENANCE_KEY);
    json_t *root = text ? json_loads(text, 0, NULL) : NULL;
    mmd_free(text);
    mmd_bytes_finish(&bytes);
    return root;
}

void made_compare(const char *a, const char *b, diff_made *made)
{
    *made = (diff_made){0};
    json_t *was = read_scene(a), *is = was ? read_scene(b) : NULL;
    made->known = json_is_object(was) && json_is_object(is);
    if (made->known)
        compare_scenes(&(making){made, a}, was, is);
    json_decref(was);
    json_decref(is);
}
