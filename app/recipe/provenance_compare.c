/*
 * Walks over two chunks at once: files are compared by hash, settings by their path in the chunk
 * ("view.edge"), which also determines what a setting can change. Both texts may come from strangers: values
 * may have any type, size and depth.
 */
#include "provenance_compare.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/hashes.h"

enum { NAME_SHOWN = 300, VALUE_SHOWN = 120, PATH_SIZE = 96, DEPTH_MAX = 8 };

/* Limits against texts of strangers: files that are compared item by item, bytes of packed contents, and
 * pairs of files that are remembered. */
enum { CONTENTS_FILES = 32, CONTENTS_TEXT_MAX = 1 << 20, MEMORY_PAIRS = 256 };

typedef struct comparison {
    const provenance_listener *to;
    size_t count, files; /* files that were compared item by item */
} comparison;

static void say(comparison *c, unsigned aspects, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 3, 4)))
#endif
    ;

static void say(comparison *c, unsigned aspects, const char *format, ...)
{
    char sentence[PROVENANCE_SENTENCE_MAX];
    if (c->count++ >= PROVENANCE_TOLD_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    c->to->tell(c->to->user, aspects, sentence);
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Returns the offset of the UTF-8 character that contains this byte. */
static size_t character_start(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80)
        at--;
    return at;
}

/* Copies at most `shown` bytes of a text from an offset to a single line, with dots for omitted parts. */
static const char *cut(const char *text, size_t from, size_t shown, char *line, size_t capacity)
{
    from = character_start(text, from);
    size_t length = strlen(text + from);
    bool long_one = length > shown;
    if (long_one)
        length = character_start(text + from, shown);
    snprintf(line, capacity, "%s%.*s%s", from ? "..." : "", (int)length, text + from, long_one ? "..." : "");
    for (char *c = line; *c; c++)
        if (*c == '\n')
            *c = ';';
    return line;
}

/* --- Files --- */

/* How a list of files is described: its noun, the member with the name, what a change can alter. */
typedef struct file_words {
    const char *what, *key;
    unsigned aspects;
    bool has_contents;
} file_words;

static const file_words model_words = {"model", "path", PROVENANCE_OTHER, true},
                        stage_words = {"stage", "path", PROVENANCE_OTHER, true},
                        accessory_words = {"accessory", "name", PROVENANCE_OTHER, false},
                        motion_words = {"motion", "path", PROVENANCE_POSE, true},
                        camera_words = {"camera motion", "path", PROVENANCE_POSE, true},
                        background_words = {"background", "path", PROVENANCE_COLOR, false},
                        plugin_words = {"plug-in", "name", PROVENANCE_POSE, false};

/* Returns the first digits of a hash, enough to distinguish two files; "missing" for a file that did not
 * exist. */
static const char *short_hash(const json_t *file, char text[16])
{
    const char *hash = text_of(file, "hash");
    snprintf(text, 16, "%.*s", (int)character_start(hash, strnlen(hash, 8)), hash);
    return *hash ? text : "missing";
}

/* Compares which model a motion moves, if the file is the same. */
static void compare_owner(comparison *c, const file_words *words, const json_t *was, const json_t *now)
{
    const json_t *a = json_object_get(was, "model"), *b = json_object_get(now, "model");
    char before[32] = "every model", after[32] = "every model";
    if (json_equal((json_t *)(uintptr_t)a, (json_t *)(uintptr_t)b) || a == b)
        return;
    if (a)
        snprintf(before, sizeof before, "model %" JSON_INTEGER_FORMAT, json_integer_value(a));
    if (b)
        snprintf(after, sizeof after, "model %" JSON_INTEGER_FORMAT, json_integer_value(b));
    say(c, words->aspects, "%s moves: %s -> %s", words->what, before, after);
}

/* Differences inside of a file, which are told after the file itself. */
typedef struct provenance_inside {
    char hashes[2][64]; /* of both versions */
    digest lists[2];    /* of what the texts say of their contents, which some leave out */
    bool known, alike;  /* alike: they may be versions of one file */
    bool whole;         /* says all that pictures depend on */
    char **sentences;
    unsigned *aspects, all; /* all: of all sentences */
    size_t count, capacity;
    const provenance_listener *to;
} inside;

static void keep_inside(void *user, unsigned aspects, const char *sentence)
{
    inside *in = user;
    in->all |= aspects;
    if (in->count == in->capacity) {
        const size_t capacity = 2 * in->capacity + 8;
        char **sentences = realloc(in->sentences, capacity * sizeof *sentences);
        in->sentences = sentences ? sentences : in->sentences;
        unsigned *more = sentences ? realloc(in->aspects, capacity * sizeof *more) : NULL;
        if (!more)
            return;
        in->aspects = more;
        in->capacity = capacity;
    }
    in->sentences[in->count] = strdup(sentence);
    in->aspects[in->count] = aspects;
    in->count += in->sentences[in->count] != NULL;
}

static double weigh_inside(void *user, contents_id table, const char *name)
{
    const provenance_listener *to = ((const inside *)user)->to;
    return to->weigh ? to->weigh(to->user, table, name) : 0;
}

/* Finds the contents of a file, those of the text unless the listener knows more. */
static bool find_contents(const comparison *c, bool is_first, const json_t *file, contents *found)
{
    const char *text = text_of(file, "contents");
    *found = (contents){0};
    if (strlen(text) > CONTENTS_TEXT_MAX)
        return false;
    if (c->to->contents &&
        c->to->contents(c->to->user, is_first, text_of(file, "path"), text_of(file, "hash"), found))
        return true;
    contents_finish(found);
    return *text && contents_of_text(found, text);
}

static digest list_digest(const json_t *file)
{
    const char *text = text_of(file, "contents");
    return digest_of(text, strlen(text));
}

/* Compares what two versions of a file hold. */
static inside compare_inside(comparison *c, const json_t *was, const json_t *now)
{
    contents a = {0}, b = {0};
    inside in = {.to = c->to};
    const json_t *const sides[] = {was, now};
    for (int i = 0; i < 2; i++) {
        snprintf(in.hashes[i], sizeof in.hashes[i], "%s", text_of(sides[i], "hash"));
        in.lists[i] = list_digest(sides[i]);
    }
    in.known = find_contents(c, true, was, &a) && find_contents(c, false, now, &b);
    if (in.known)
        contents_compare(&a, &b, keep_inside, weigh_inside, &in);
    in.alike = in.known && contents_alike(&a, &b);
    in.whole = in.known && a.whole && b.whole && a.is_motion == b.is_motion;
    contents_finish(&a);
    contents_finish(&b);
    return in;
}

static void finish_inside(inside *in)
{
    for (size_t i = 0; i < in->count; i++)
        free(in->sentences[i]);
    free(in->sentences);
    free(in->aspects);
}

void provenance_memory_finish(provenance_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++)
        finish_inside(&memory->pairs[i]);
    free(memory->pairs);
    *memory = (provenance_memory){0};
}

/* Returns what was found before about two versions of a file, or NULL. */
static const inside *remembered(const comparison *c, const json_t *was, const json_t *now)
{
    const provenance_memory *m = c->to->memory;
    const bool some = m && m->count;
    const digest lists[2] = {some ? list_digest(was) : (digest){""}, some ? list_digest(now) : (digest){""}};
    for (size_t i = 0; m && i < m->count; i++)
        if (strcmp(m->pairs[i].hashes[0], text_of(was, "hash")) == 0 &&
            strcmp(m->pairs[i].hashes[1], text_of(now, "hash")) == 0 &&
            digest_equal(&m->pairs[i].lists[0], &lists[0]) && digest_equal(&m->pairs[i].lists[1], &lists[1]))
            return &m->pairs[i];
    return NULL;
}

/* Keeps what was found. Returns whether it belongs to the memory now. */
static bool remember(const comparison *c, const inside *in)
{
    provenance_memory *m = c->to->memory;
    if (m && m->count == MEMORY_PAIRS)
        provenance_memory_finish(m);
    inside *pairs = m ? realloc(m->pairs, (m->count + 1) * sizeof *pairs) : NULL;
    if (!pairs)
        return false;
    pairs[m->count++] = *in;
    m->pairs = pairs;
    return true;
}

/* Says that two files are different, and what is different in them. rest is appended to the name. */
static void say_file(comparison *c, const file_words *words, const char *rest, const json_t *was,
                     const json_t *now)
{
    char before[16], after[16], a[NAME_SHOWN + 8], b[NAME_SHOWN + 8];
    const char *old_name = text_of(was, words->key), *name = text_of(now, words->key);
    /* What is remembered counts, too, so that what is told does not depend on it. */
    const bool compares = words->has_contents && !c->to->not_inside && c->files++ < CONTENTS_FILES;
    const inside *before_this = compares ? remembered(c, was, now) : NULL;
    const bool same_name = strcmp(old_name, name) == 0;
    inside in = {0};
    if (before_this)
        in = *before_this;
    else if (compares)
        in = compare_inside(c, was, now);
    const bool tells = same_name || in.alike;
    const unsigned aspects = tells && (in.count || in.whole) ? in.all : words->aspects;
    cut(old_name, 0, NAME_SHOWN, a, sizeof a);
    cut(name, 0, NAME_SHOWN, b, sizeof b);
    if (same_name)
        say(c, aspects, "%s %s%s has changed: %s -> %s", words->what, b, rest, short_hash(was, before),
            short_hash(now, after));
    else
        say(c, aspects, "%s: %s -> %s", words->what, a, b);
    for (size_t i = 0; i < in.count && tells; i++)
        say(c, in.aspects[i], "%s", in.sentences[i]);
    if (in.whole && in.count == 0 && tells)
        say(c, 0, "%s %s: nothing has changed that pictures depend on", words->what, b);
    if (!before_this && !(in.known && remember(c, &in)))
        finish_inside(&in);
}

/* Compares two files. Equal bytes under another name count as equal. rest is appended to the name in the
 * sentence. */
static void compare_file(comparison *c, const file_words *words, const char *rest, const json_t *was,
                         const json_t *now)
{
    char a[NAME_SHOWN + 8] = "(none)", b[NAME_SHOWN + 8] = "(none)";
    if (was ? now && strcmp(text_of(was, "hash"), text_of(now, "hash")) == 0 : !now) {
        compare_owner(c, words, was, now);
        return;
    }
    if (was && now) {
        say_file(c, words, rest, was, now);
        return;
    }
    if (was)
        cut(text_of(was, words->key), 0, NAME_SHOWN, a, sizeof a);
    if (now)
        cut(text_of(now, words->key), 0, NAME_SHOWN, b, sizeof b);
    say(c, words->aspects, "%s: %s -> %s", words->what, a, b);
}

static provenance_use use_of(const comparison *c, const json_t *model, const json_t *texture, size_t index)
{
    const char *name = text_of(texture, "name");
    provenance_texture asked = {text_of(model, "path"), text_of(model, "hash"), name, index};
    provenance_use use = {0};
    if (c->to->use && c->to->use(c->to->user, &asked, &use))
        return use;
    return strstr(name, "toon") ? (provenance_use){"toon texture", NULL, PROVENANCE_TOON}
                                : (provenance_use){"texture", NULL, PROVENANCE_COLOR};
}

static void compare_texture(comparison *c, const json_t *model, const json_t *was, const json_t *now,
                            size_t index)
{
    char material[NAME_SHOWN + 8], rest[NAME_SHOWN + 32] = "";
    if (was && now && strcmp(text_of(was, "hash"), text_of(now, "hash")) == 0)
        return;
    provenance_use use = use_of(c, model, was ? was : now, index);
    if (use.material)
        snprintf(rest, sizeof rest, " (material %s)",
                 cut(use.material, 0, NAME_SHOWN, material, sizeof material));
    compare_file(c, &(file_words){use.role, "name", use.aspects, false}, rest, was, now);
}

/* Tests whether an earlier entry has the same file and textures, as copies in a crowd have. */
static bool is_again(const json_t *models, size_t index)
{
    const char *path = text_of(json_array_get(models, index), "path");
    for (size_t i = 0; i < index && i < json_array_size(models); i++)
        if (strcmp(text_of(json_array_get(models, i), "path"), path) == 0)
            return true;
    return false;
}

/* Compares two models. Textures are compared only if the model is the same, because another model has other
 * textures anyway. */
static void compare_model(comparison *c, const file_words *words, const json_t *was, const json_t *now,
                          bool is_known)
{
    compare_file(c, words, "", was, now);
    if (!was || !now ||
        (strcmp(text_of(was, "path"), text_of(now, "path")) != 0 &&
         strcmp(text_of(was, "hash"), text_of(now, "hash")) != 0))
        return;
    const json_t *old_x = json_object_get(was, "accessory"), *x = json_object_get(now, "accessory");
    if (old_x && x) /* older pictures do not record it */
        compare_file(c, &accessory_words, "", old_x, x);
    const json_t *a = json_object_get(was, "textures"), *b = json_object_get(now, "textures");
    if (is_known && (json_array_size(a) == 0 || json_array_size(b) == 0))
        return;
    for (size_t i = 0; i < json_array_size(a) || i < json_array_size(b); i++)
        compare_texture(c, was, json_array_get(a, i), json_array_get(b, i), i);
}

static void compare_files(comparison *c, const json_t *was, const json_t *now)
{
    const json_t *a = json_object_get(was, "models"), *b = json_object_get(now, "models");
    for (size_t i = 0; i < json_array_size(a) || i < json_array_size(b); i++)
        compare_model(c, &model_words, json_array_get(a, i), json_array_get(b, i),
                      is_again(a, i) && is_again(b, i));
    compare_model(c, &stage_words, json_object_get(was, "stage"), json_object_get(now, "stage"), false);
    a = json_object_get(was, "motions"), b = json_object_get(now, "motions");
    for (size_t i = 0; i < json_array_size(a) || i < json_array_size(b); i++)
        compare_file(c, &motion_words, "", json_array_get(a, i), json_array_get(b, i));
    compare_file(c, &camera_words, "", json_object_get(was, "camera"), json_object_get(now, "camera"));
    a = json_object_get(was, "backgrounds"), b = json_object_get(now, "backgrounds");
    for (size_t i = 0; i < json_array_size(a) || i < json_array_size(b); i++)
        compare_file(c, &background_words, "", json_array_get(a, i), json_array_get(b, i));
    a = json_object_get(was, "plugins"), b = json_object_get(now, "plugins");
    for (size_t i = 0; i < json_array_size(a) || i < json_array_size(b); i++)
        compare_file(c, &plugin_words, "", json_array_get(a, i), json_array_get(b, i));
}

/* --- What settings can change --- */

/* Returns what a setting, or an object of settings, can change, by its path. */
static unsigned aspects_of(const char *path)
{
    static const struct {
        const char *path;
        unsigned aspects;
    } known[] = {
        {"frame", PROVENANCE_POSE},
        {"size", PROVENANCE_POSE},
        {"physics", PROVENANCE_POSE},
        {"camera", PROVENANCE_POSE},
        {"light", PROVENANCE_LIGHT},
        {"view.shading", PROVENANCE_COLOR},
        {"view.mip_maps", PROVENANCE_COLOR},
        {"view.background", PROVENANCE_COLOR},
        {"view.self_shadow", PROVENANCE_COLOR},
        {"view.ground_shadow", PROVENANCE_COLOR},
        {"view.edge", PROVENANCE_EDGES},
        {"view.msaa", PROVENANCE_EDGES},
        {"view.pixel_centers", PROVENANCE_EDGES},
        {"view.sdef", PROVENANCE_POSE},
        {"view.texture_memory", PROVENANCE_COLOR},
        {"view.light_color", PROVENANCE_LIGHT},
        {"view.light_dir", PROVENANCE_LIGHT},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].path);
        if (strncmp(path, known[i].path, length) == 0 && (path[length] == '\0' || path[length] == '.'))
            return known[i].aspects;
    }
    return PROVENANCE_OTHER;
}

/* Returns what a text of commands can change, line by line. */
static unsigned commands_aspects(const char *text)
{
    static const struct {
        const char *begins;
        unsigned aspects;
    } known[] = {{"light.", PROVENANCE_LIGHT},
                 {"camera.", PROVENANCE_POSE},
                 {"morph.", PROVENANCE_POSE},
                 {"bone.", PROVENANCE_POSE},
                 {"key.", PROVENANCE_POSE},
                 {"body.place ", PROVENANCE_POSE},
                 {"joint.place ", PROVENANCE_POSE},
                 {"model.parent ", PROVENANCE_POSE},
                 {"model.delay ", PROVENANCE_POSE},
                 {"model.select ", 0},
                 {"#", 0},
                 {"\n", 0}};
    unsigned aspects = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t i = 0, count = sizeof known / sizeof *known;
        while (i < count && strncmp(text, known[i].begins, strlen(known[i].begins)) != 0)
            i++;
        aspects |= i < count ? known[i].aspects : PROVENANCE_OTHER;
    }
    return aspects;
}

/* --- Values --- */

static bool is_nothing(const json_t *value)
{
    return !value || (json_is_string(value) && !*json_string_value(value));
}

/* Compares values. Numbers are compared with nine digits, as they were written; 1 equals 1.0. */
static bool same_value(const json_t *a, const json_t *b)
{
    if ((is_nothing(a) && is_nothing(b)) || (a && b && json_equal(a, b) == 1))
        return true;
    if (!json_is_array(a) || !json_is_array(b) || json_array_size(a) != json_array_size(b))
        return json_is_number(a) && json_is_number(b) && (json_is_real(a) || json_is_real(b)) &&
               !(json_number_value(a) < json_number_value(b)) &&
               !(json_number_value(a) > json_number_value(b));
    for (size_t i = 0; i < json_array_size(a); i++) {
        const json_t *one = json_array_get(a, i), *other = json_array_get(b, i);
        if (json_is_array(one) || !same_value(one, other))
            return false;
    }
    return true;
}

/* Returns a value as JSON, or (plain) with texts unquoted. Free it with free(); NULL if out of memory. */
static char *dump_value(const json_t *value, bool plain)
{
    if (is_nothing(value))
        return strdup("(none)");
    if (plain && json_is_string(value))
        return strdup(json_string_value(value));
    return json_dumps(value, JSON_ENCODE_ANY | JSON_SORT_KEYS | (plain ? 0 : JSON_COMPACT) |
                                 JSON_REAL_PRECISION(plain ? 6 : 9));
}

/* Returns a value as people read it: commands without the last line break, lists without brackets, yes and
 * no. */
static char *plain_text(const json_t *value)
{
    if (json_is_boolean(value))
        return strdup(json_is_true(value) ? "yes" : "no");
    char number[40];
    snprintf(number, sizeof number, "%.6g", json_number_value(value));
    if (json_is_number(value))
        return strdup(number);
    char *text = dump_value(value, true);
    size_t length = text ? strlen(text) : 0;
    if (json_is_array(value) && length > 2) {
        memmove(text, text + 1, length - 2);
        text[length -= 2] = '\0';
    }
    while (length > 1 && text[length - 1] == '\n')
        text[--length] = '\0';
    return text;
}

static void say_change(comparison *c, const char *path, unsigned aspects, const char *was, const char *now)
{
    enum { BEFORE = 40 }; /* bytes of common context shown before a difference in long values */
    char a[VALUE_SHOWN + 8], b[VALUE_SHOWN + 8];
    size_t common = 0, from = 0;
    while (was[common] && was[common] == now[common])
        common++;
    if (common > VALUE_SHOWN - BEFORE && (strlen(was) > VALUE_SHOWN || strlen(now) > VALUE_SHOWN))
        from = common - BEFORE;
    say(c, aspects, "%s: %s -> %s", path, cut(was, from, VALUE_SHOWN, a, sizeof a),
        cut(now, from, VALUE_SHOWN, b, sizeof b));
}

/* Compares two values that are not objects. Shows them as JSON if they would look alike as plain text. */
static void compare_leaf(comparison *c, const char *path, unsigned aspects, const json_t *was,
                         const json_t *now)
{
    if (same_value(was, now))
        return;
    char *a = plain_text(was), *b = plain_text(now);
    if (a && b && strcmp(a, b) == 0) {
        free(a);
        free(b);
        a = dump_value(was, false), b = dump_value(now, false);
    }
    say_change(c, path, aspects, a ? a : "?", b ? b : "?");
    free(a);
    free(b);
}

static void compare_members(comparison *c, const char *path, int depth, const json_t *was, const json_t *now);

/* Compares settings, or objects of settings, either of which may be missing. */
static void compare_value(comparison *c, const char *path, int depth, const json_t *was, const json_t *now)
{
    bool objects = (json_is_object(was) || !was) && (json_is_object(now) || !now);
    if (objects && depth < DEPTH_MAX)
        compare_members(c, path, depth, was, now);
    else
        compare_leaf(c, path, aspects_of(path), was, now);
}

static void compare_member(comparison *c, const char *path, int depth, const char *key, const json_t *was,
                           const json_t *now)
{
    char inner[2 * PATH_SIZE], whole[4 * PATH_SIZE];
    cut(key, 0, PATH_SIZE, inner, sizeof inner);
    snprintf(whole, sizeof whole, "%s%s%s", path, *path ? "." : "", inner);
    cut(whole, 0, PATH_SIZE, inner, sizeof inner);
    compare_value(c, inner, depth + 1, was, now);
}

/* Compares all members of both objects, each once. */
static void compare_members(comparison *c, const char *path, int depth, const json_t *was, const json_t *now)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)was, key, value)
        compare_member(c, path, depth, key, value, json_object_get(now, key));
    json_object_foreach((json_t *)(uintptr_t)now, key, value)
    {
        if (!json_object_get(was, key))
            compare_member(c, path, depth, key, NULL, value);
    }
}

/* --- The walk --- */

/* Adds the lever to pictures that are older than the option: they used Bullet's. */
static void tell_lever(json_t *root)
{
    json_t *physics = json_object_get(root, "physics");
    if (json_is_object(physics) && !json_object_get(physics, "lever"))
        json_object_set_new(physics, "lever", json_string("stock"));
}

static void compare_named(comparison *c, const json_t *was, const json_t *now, const char *const *names,
                          size_t count)
{
    for (size_t i = 0; i < count; i++)
        compare_value(c, names[i], 0, json_object_get(was, names[i]), json_object_get(now, names[i]));
}

static void compare_all(comparison *c, const json_t *was, const json_t *now)
{
    static const char *const settings[] = {"frame", "start", "size"}, *const groups[] = {"physics", "view"},
                             *const state[] = {"camera", "light"}, *const drawn[] = {"gl", "odori"};
    compare_files(c, was, now);
    if (c->to->only_files)
        return;
    compare_named(c, was, now, settings, sizeof settings / sizeof *settings);
    compare_leaf(c, "exec", commands_aspects(text_of(was, "exec")) | commands_aspects(text_of(now, "exec")),
                 json_object_get(was, "exec"), json_object_get(now, "exec"));
    compare_named(c, was, now, groups, sizeof groups / sizeof *groups);
    /* Camera and light follow from the other differences. If nothing else differs, the program itself has
     * changed. */
    const json_t *old_state = json_object_get(was, "state"), *new_state = json_object_get(now, "state");
    if (old_state && new_state && (c->count == 0 || c->to->with_state))
        compare_named(c, old_state, new_state, state, sizeof state / sizeof *state);
    compare_named(c, was, now, drawn, sizeof drawn / sizeof *drawn);
}

size_t provenance_compare(const char *was, const char *now, const provenance_listener *listener, bool *known)
{
    comparison c = {.to = listener};
    json_t *a = was ? json_loads(was, 0, NULL) : NULL, *b = a && now ? json_loads(now, 0, NULL) : NULL;
    bool both = json_is_object(a) && json_is_object(b);
    if (both) {
        tell_lever(a);
        tell_lever(b);
        compare_all(&c, a, b);
    }
    if (known)
        *known = both;
    json_decref(a);
    json_decref(b);
    return c.count;
}
