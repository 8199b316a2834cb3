/*
 * What two pictures say of themselves, held against each other: files by their
 * hashes, settings by their values. Both texts may come from anybody.
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provenance.h"

enum { VALUE_MAX = 160, VALUE_SHOWN = 120 };

typedef struct comparison {
    void (*tell)(void *user, const char *sentence);
    void *user;
    size_t count;
} comparison;

static void say(comparison *c, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static void say(comparison *c, const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    c->count++;
    c->tell(c->user, sentence);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* --- Files --- */

/* What identifies a file in a list, and what it is called in sentences. */
typedef struct file_words {
    const char *what, *key;
} file_words;

static const file_words model_words = {"model", "path"}, stage_words = {"stage", "path"},
                        motion_words = {"motion", "path"}, camera_words = {"camera", "path"},
                        texture_words = {"texture", "name"}, accessory_words = {"accessory", "name"};

/* Enough of a hash to tell two apart; "missing" for that of a file that was not there. */
static const char *short_hash(const json_t *file, char text[16])
{
    const char *hash = text_of(file, "hash");
    snprintf(text, 16, "%.8s", *hash ? hash : "missing");
    return text;
}

/* The same bytes under another name are the same. */
static void compare_file(comparison *c, const file_words *words, const json_t *was, const json_t *now)
{
    char before[16], after[16];
    const char *old_name = text_of(was, words->key), *name = text_of(now, words->key);
    if (!was && !now)
        return;
    if (!was)
        say(c, "%s %.300s: was not there", words->what, name);
    else if (!now)
        say(c, "%s %.300s: is not there any more", words->what, old_name);
    else if (strcmp(text_of(was, "hash"), text_of(now, "hash")) == 0)
        return;
    else if (strcmp(old_name, name) != 0)
        say(c, "%s: %.300s -> %.300s", words->what, old_name, name);
    else
        say(c, "%s %.300s has changed: %s -> %s", words->what, name, short_hash(was, before),
            short_hash(now, after));
}

static void compare_lists(comparison *c, const file_words *words, const json_t *was, const json_t *now)
{
    size_t a = json_array_size(was), b = json_array_size(now);
    for (size_t i = 0; i < a || i < b; i++)
        compare_file(c, words, json_array_get(was, i), json_array_get(now, i));
}

/* A model that is another one has other textures too; that goes without saying. */
static void compare_model(comparison *c, const file_words *words, const json_t *was, const json_t *now)
{
    compare_file(c, words, was, now);
    if (!was || !now || strcmp(text_of(was, "path"), text_of(now, "path")) != 0)
        return;
    const json_t *old_x = json_object_get(was, "accessory"), *x = json_object_get(now, "accessory");
    if (old_x && x) /* before it was written down, nobody knew */
        compare_file(c, &accessory_words, old_x, x);
    compare_lists(c, &texture_words, json_object_get(was, "textures"), json_object_get(now, "textures"));
}

static void compare_files(comparison *c, const json_t *was, const json_t *now)
{
    const json_t *a = json_object_get(was, "models"), *b = json_object_get(now, "models");
    for (size_t i = 0; i < json_array_size(a) || i < json_array_size(b); i++)
        compare_model(c, &model_words, json_array_get(a, i), json_array_get(b, i));
    compare_model(c, &stage_words, json_object_get(was, "stage"), json_object_get(now, "stage"));
    compare_lists(c, &motion_words, json_object_get(was, "motions"), json_object_get(now, "motions"));
    compare_file(c, &camera_words, json_object_get(was, "camera"), json_object_get(now, "camera"));
}

/* --- Settings --- */

/* A value as people read it: texts without quotes, lists as they are. */
static void show_value(const json_t *value, char text[VALUE_MAX])
{
    char *dumped = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    const char *shown = json_is_string(value) ? json_string_value(value) : dumped ? dumped : "(not there)";
    size_t length = strlen(shown);
    while (length && shown[length - 1] == '\n')
        length--; /* of commands */
    snprintf(text, VALUE_MAX, "%.*s%s",
             length > VALUE_SHOWN ? VALUE_SHOWN
             : length             ? (int)length
                                  : 6,
             length ? shown : "(none)", length > VALUE_SHOWN ? "..." : "");
    for (char *c = text; *c; c++)
        if (*c == '\n')
            *c = ';';
    free(dumped);
}

/* Nine digits are kept of numbers, as they were written. */
static bool same_value(const json_t *a, const json_t *b)
{
    return (!a && !b) || json_equal(a, b) == 1 ||
           (json_is_number(a) && json_is_number(b) && !(json_number_value(a) < json_number_value(b)) &&
            !(json_number_value(a) > json_number_value(b)));
}

static void compare_value(comparison *c, const char *group, const char *name, const json_t *was,
                          const json_t *now)
{
    char before[VALUE_MAX], after[VALUE_MAX];
    if (same_value(was, now))
        return;
    show_value(was, before);
    show_value(now, after);
    say(c, "%s%s%.60s: %s -> %s", group, *group ? "." : "", name, before, after);
}

/* All members of both objects, each once. */
static void compare_members(comparison *c, const char *group, const json_t *was, const json_t *now)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)was, key, value)
        compare_value(c, group, key, value, json_object_get(now, key));
    json_object_foreach((json_t *)(uintptr_t)now, key, value)
    {
        if (!json_object_get(was, key))
            compare_value(c, group, key, NULL, value);
    }
}

static void compare_named(comparison *c, const json_t *was, const json_t *now, const char *const *names,
                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        compare_value(c, "", names[i], json_object_get(was, names[i]), json_object_get(now, names[i]));
}

/* Camera and light follow from all that was told before this; alone they say that the program has changed. */
static void compare_state(comparison *c, const json_t *was, const json_t *now)
{
    static const char *const groups[] = {"camera", "light"};
    const json_t *a = json_object_get(was, "state"), *b = json_object_get(now, "state");
    for (size_t i = 0; a && b && i < sizeof groups / sizeof *groups; i++)
        compare_members(c, groups[i], json_object_get(a, groups[i]), json_object_get(b, groups[i]));
}

static void compare_all(comparison *c, const json_t *was, const json_t *now)
{
    static const char *const settings[] = {"frame", "start", "size", "exec", "physics"};
    compare_files(c, was, now);
    compare_named(c, was, now, settings, sizeof settings / sizeof *settings);
    compare_members(c, "view", json_object_get(was, "view"), json_object_get(now, "view"));
    if (c->count == 0)
        compare_state(c, was, now);
    compare_members(c, "gl", json_object_get(was, "gl"), json_object_get(now, "gl"));
    compare_value(c, "", "odori", json_object_get(was, "odori"), json_object_get(now, "odori"));
}

size_t provenance_compare(const char *was, const char *now, void (*tell)(void *user, const char *sentence),
                          void *user)
{
    comparison c = {tell, user, 0};
    json_t *a = was ? json_loads(was, 0, NULL) : NULL, *b = now ? json_loads(now, 0, NULL) : NULL;
    if (json_is_object(a) && json_is_object(b))
        compare_all(&c, a, b);
    json_decref(a);
    json_decref(b);
    return c.count;
}
