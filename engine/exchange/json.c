/*
 * JSON from untrusted files: values with their path from the root (json.h).
 *
 * jansson does not store where a value was in the text. When an error is reported, the text, which is valid
 * JSON by then, is scanned again along the path to the value. That is slow but happens once per document.
 */
#include "json.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values take up to twenty times as much memory as their text, except long strings. */
enum { TEXT_MAX = 1 << 30, VALUES_MAX = 1 << 26, PATH_MAX_BYTES = 512 };

/* --------------------------------------------------------------- parsing */

/* Returns the status for an error code of jansson. */
static mmd_status parse_code(enum json_error_code code)
{
    switch (code) {
    case json_error_stack_overflow:
        return MMD_ERROR_LIMIT;
    case json_error_out_of_memory:
        return MMD_ERROR_MEMORY;
    case json_error_invalid_utf8:
        return MMD_ERROR_TEXT;
    default:
        return MMD_ERROR_SYNTAX;
    }
}

bool json_is_wide(const char *text, size_t size)
{
    assert(text || size == 0);
    return size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0 ||
                         memcmp(text, "{\0", 2) == 0 || memcmp(text, "\0{", 2) == 0);
}

bool json_wide_is_big(const char *text)
{
    assert(text);
    return text[0] == '\xFE' || text[0] == '\0';
}

/* ---------------------------------------------------------- long strings */

/*
 * jansson reads strings byte by byte into a buffer that doubles, and then copies them: a data: URI of 300 MB
 * takes 1.2 GB and many seconds. Long strings without escapes are therefore left out of the text that jansson
 * parses. Each is replaced by a mark, and the mark by the string afterwards, which then is copied only once.
 */

enum { LONG_STRING = 1 << 16, MARK_MAX = 48 };
static const char mark[] = "odori: long string ";

/* A string that is left out of the text. */
typedef struct long_string {
    size_t at, size; /* of what is between its quotes, in the original text */
    bool is_taken;   /* a mark was replaced by it */
} long_string;

typedef struct long_strings {
    long_string *items;
    size_t count;
    bool has_mark; /* the text itself has a string that begins like a mark */
    char *text;    /* the text with marks */
    size_t size;
    bool failed; /* out of memory */
} long_strings;

static size_t write_mark(size_t index, char out[MARK_MAX])
{
    return (size_t)snprintf(out, MARK_MAX, "%s%zu", mark, index);
}

/* Returns whether a byte stands for itself in a JSON string: printable ASCII, no quote, no backslash. */
static inline bool is_plain(char c)
{
    return (c >= ' ' && c <= '~') & (c != '"') & (c != '\\');
}

/* Moves *at behind the string that begins before it. Returns whether it is plain. */
static bool pass_string(const char *text, size_t size, size_t *at)
{
    bool plain = true;
    size_t end = *at;
    while (end < size && is_plain(text[end]))
        end++;
    for (; end < size && text[end] != '"'; end++) {
        plain = false;
        end += text[end] == '\\';
    }
    plain = plain && end < size;
    *at = end < size ? end + 1 : size;
    return plain;
}

/* Returns whether a colon follows, which makes the string before it a key. */
static bool is_key(const char *text, size_t size, size_t at)
{
    while (at < size && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
        at++;
    return at < size && text[at] == ':';
}

static void add_long_string(long_strings *strings, size_t at, size_t size)
{
    bool is_full = (strings->count & (strings->count - 1)) == 0; /* room for 1, 2, 4, 8 ... */
    size_t room = strings->count ? 2 * strings->count : 1;
    long_string *grown = is_full ? mmd_realloc(strings->items, room * sizeof *grown) : strings->items;
    strings->failed = strings->failed || !grown;
    if (!grown)
        return;
    strings->items = grown;
    grown[strings->count++] = (long_string){.at = at, .size = size};
}

/* Lists the long strings that are values and have no escapes. */
static void list_long_strings(const char *text, size_t size, long_strings *strings)
{
    const char *quote;
    for (size_t at = 0; at < size && (quote = memchr(text + at, '"', size - at));) {
        size_t start = (size_t)(quote - text) + 1, length = sizeof mark - 1;
        at = start;
        bool plain = pass_string(text, size, &at);
        if (at - start > length && memcmp(text + start, mark, length) == 0)
            strings->has_mark = true;
        if (plain && at - 1 - start >= LONG_STRING && !is_key(text, size, at))
            add_long_string(strings, start, at - 1 - start);
    }
}

/* Returns the size of the text without the long strings. */
static size_t left_without(const long_strings *strings, size_t size)
{
    for (size_t i = 0; i < strings->count; i++)
        size -= strings->items[i].size;
    return size;
}

/* Writes the text with marks in place of the long strings. */
static void mark_long_strings(const char *text, size_t size, long_strings *strings)
{
    size_t from = 0;
    strings->text = mmd_alloc(left_without(strings, size) + strings->count * MARK_MAX);
    strings->failed = !strings->text;
    for (size_t i = 0; strings->text && i <= strings->count; i++) {
        size_t end = i < strings->count ? strings->items[i].at : size;
        memcpy(strings->text + strings->size, text + from, end - from);
        strings->size += end - from;
        if (i == strings->count)
            break;
        strings->size += write_mark(i, strings->text + strings->size);
        from = end + strings->items[i].size;
    }
}

/* Returns the offset in the original text for one in the text with marks. */
static size_t original_offset(const long_strings *strings, size_t at)
{
    for (size_t i = 0; i < strings->count; i++) {
        char written[MARK_MAX];
        size_t length = write_mark(i, written);
        if (at < strings->items[i].at + length)
            break;
        at += strings->items[i].size - length;
    }
    return at;
}

/* Returns the long string for a mark, as a new value; NULL for any other value, or when out of memory. Each
 * is given out once, so that a file that writes marks of its own does not multiply them. */
static json_t *take_long_string(long_strings *strings, const char *text, const json_t *value)
{
    const char *found = json_string_value(value);
    if (!found || strncmp(found, mark, sizeof mark - 1) != 0)
        return NULL;
    unsigned long index = strtoul(found + sizeof mark - 1, NULL, 10);
    if (index >= strings->count || strings->items[index].is_taken)
        return NULL;
    strings->items[index].is_taken = true;
    json_t *string = json_stringn_nocheck(text + strings->items[index].at, strings->items[index].size);
    strings->failed = strings->failed || !string;
    return string;
}

/* Puts the long strings in the place of their marks, below a value. jansson has limited the depth. */
static void put_long_strings(long_strings *strings, const char *text, json_t *value)
{
    const char *key;
    void *next;
    json_t *item, *string;
    size_t index;
    json_object_foreach_safe(value, next, key, item)
    {
        if ((string = take_long_string(strings, text, item)))
            json_object_set_new_nocheck(value, key, string);
        else
            put_long_strings(strings, text, item);
    }
    json_array_foreach(value, index, item)
    {
        if ((string = take_long_string(strings, text, item)))
            json_array_set_new(value, index, string);
        else
            put_long_strings(strings, text, item);
    }
}

/* Parses a text like json_loadb, with little more memory than its values take. *at is the offset of an error.
 * Sets *too_long and returns NULL if there is more than VALUES_MAX besides long strings. */
static json_t *load_text(const char *text, size_t size, json_error_t *wrong, size_t *at, bool *too_long)
{
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL;
    long_strings strings = {0};
    json_t *root = NULL;
    list_long_strings(text, size, &strings);
    *too_long = left_without(&strings, size) > VALUES_MAX;
    if (*too_long) {
        mmd_free(strings.items);
        return NULL;
    }
    if (strings.count && !strings.has_mark && !strings.failed)
        mark_long_strings(text, size, &strings);
    if (!strings.failed)
        root = strings.text ? json_loadb(strings.text, strings.size, flags, wrong)
                            : json_loadb(text, size, flags, wrong);
    *at = root || strings.failed || wrong->position < 0 ? 0 : (size_t)wrong->position;
    if (strings.text)
        *at = original_offset(&strings, *at);
    if (root && strings.text)
        put_long_strings(&strings, text, root);
    if (strings.failed) {
        json_decref(root);
        root = NULL;
        *wrong = (json_error_t){.text = "no memory for it"};
        wrong->text[JSON_ERROR_TEXT_LENGTH - 1] = (char)json_error_out_of_memory;
    }
    mmd_free(strings.items);
    mmd_free(strings.text);
    return root;
}

mmd_status json_reader_parse(json_reader *reader, const char *text, size_t size, uint64_t base,
                             mmd_arena *arena, mmd_error *error)
{
    assert(reader);
    assert(text || size == 0);
    if (size >= 3 &&
        memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* UTF-8 byte order mark, written by some editors */
        text += 3;
        size -= 3;
        base += 3;
    }
    while (size > 0 && !text[size - 1]) /* some writers pad the JSON chunk of a GLB with NULs */
        size--;
    *reader = (json_reader){.text = text, .size = size, .base = base, .error = error, .arena = arena};
    if (size > TEXT_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "JSON", base, "%zu bytes of JSON are too many", size);
    if (json_is_wide(text, size))
        return mmd_error_set(error, MMD_ERROR_TEXT, "JSON", base, "is UTF-16, where JSON is UTF-8");
    const char *nul = memchr(text, 0, size); /* jansson accepts them */
    if (nul)
        return mmd_error_set(error, MMD_ERROR_SYNTAX, "JSON", base + (uint64_t)(nul - text), "a NUL byte");
    json_error_t wrong;
    size_t at;
    bool too_long;
    reader->root = load_text(text, size, &wrong, &at, &too_long);
    if (reader->root)
        return MMD_OK;
    if (too_long)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "JSON", base,
                             "more than %d MiB of JSON besides data: URIs", VALUES_MAX >> 20);
    return mmd_error_set(error, parse_code(json_error_code(&wrong)), "JSON", base + (at < size ? at : size),
                         "%s", wrong.text);
}

/* ------------------------------------------------------------ references */

json_ref json_ref_root(const json_reader *reader)
{
    assert(reader);
    return (json_ref){.value = reader->root};
}

json_ref json_ref_member(const json_ref *of, const char *key)
{
    assert(of);
    return (json_ref){.value = json_object_get(of->value, key), .parent = of, .key = key};
}

json_ref json_ref_element(const json_ref *of, size_t index)
{
    assert(of);
    return (json_ref){.value = json_array_get(of->value, index), .parent = of, .index = index};
}

size_t json_ref_count(const json_ref *array)
{
    assert(array);
    return json_array_size(array->value);
}

/* Returns the number of steps from the root to a value. */
static size_t ref_depth(const json_ref *ref)
{
    size_t depth = 0;
    while (ref->parent) {
        ref = ref->parent;
        depth++;
    }
    return depth;
}

/* Returns the reference on the path that is `step` steps below the root. */
static const json_ref *ref_ancestor(const json_ref *ref, size_t depth, size_t step)
{
    while (depth-- > step)
        ref = ref->parent;
    return ref;
}

void json_ref_path(const json_ref *ref, char *path, size_t capacity)
{
    assert(ref && path);
    size_t depth = ref_depth(ref), used = 0;
    path[0] = '\0';
    for (size_t step = 1; step <= depth && used < capacity; step++) {
        const json_ref *at = ref_ancestor(ref, depth, step);
        int written = at->key ? snprintf(path + used, capacity - used, "%s%s", used ? "." : "", at->key)
                              : snprintf(path + used, capacity - used, "[%zu]", at->index);
        if (written < 0)
            break;
        used += (size_t)written;
    }
}

/* Returns whether a byte continues a UTF-8 character. */
static bool continues_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Shortens a path that does not fit: keeps its beginning and its end, and cuts between characters. */
static void shorten(const char *path, char section[MMD_ERROR_SECTION_MAX])
{
    enum { HEAD = 18, DOTS = 2, TAIL = MMD_ERROR_SECTION_MAX - 1 - HEAD - DOTS };
    size_t length = strlen(path), head = HEAD;
    if (length < MMD_ERROR_SECTION_MAX) {
        memcpy(section, path, length + 1);
        return;
    }
    while (head > 0 && continues_character(path[head]))
        head--;
    const char *tail = path + length - TAIL;
    while (continues_character(*tail))
        tail++;
    snprintf(section, MMD_ERROR_SECTION_MAX, "%.*s..%s", (int)head, path, tail);
}

/* --------------------------------------------------------- finding bytes */

/* A position in valid JSON. */
typedef struct scanner {
    const char *text;
    size_t size, at;
} scanner;

/* Returns the next byte; NUL at the end. */
static char peek(const scanner *s)
{
    return s->at < s->size ? s->text[s->at] : '\0';
}

static void skip_blanks(scanner *s)
{
    while (s->at < s->size && strchr(" \t\r\n", s->text[s->at]) && s->text[s->at])
        s->at++;
}

static void skip_string(scanner *s)
{
    for (s->at++; s->at < s->size && s->text[s->at] != '"'; s->at++)
        if (s->text[s->at] == '\\')
            s->at++;
    s->at++;
}

/* Advances past a whole value, without recursion. */
static void skip_value(scanner *s)
{
    size_t depth = 0;
    do {
        skip_blanks(s);
        char c = peek(s);
        if (c == '"') {
            skip_string(s);
        } else if (c == '{' || c == '[') {
            depth++;
            s->at++;
        } else if (c == '}' || c == ']') {
            depth--;
            s->at++;
        } else if (depth > 0 && (c == ',' || c == ':')) {
            s->at++;
        } else {
            while (s->at < s->size && !strchr(",]}: \t\r\n", s->text[s->at]))
                s->at++;
        }
        if (depth > 0)
            skip_blanks(s);
    } while (depth > 0 && s->at < s->size);
}

/* Returns whether a quoted string, which may contain escapes, is the key. */
static bool string_is(const char *quoted, size_t length, const char *key)
{
    if (length >= 2 && !memchr(quoted, '\\', length))
        return strlen(key) == length - 2 && memcmp(quoted + 1, key, length - 2) == 0;
    json_t *string = json_loadb(quoted, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    bool same = string && json_is_string(string) && strcmp(json_string_value(string), key) == 0;
    json_decref(string);
    return same;
}

/*
 * Moves from an object or array to one of its elements. Returns false when it has no such element; the
 * position is undefined then.
 */
static bool enter(scanner *s, const char *key, size_t index)
{
    char close = key ? '}' : ']';
    if (peek(s) != (key ? '{' : '['))
        return false;
    s->at++;
    for (size_t i = 0; s->at < s->size; i++) {
        skip_blanks(s);
        if (peek(s) == close)
            return false;
        bool found = !key && i == index;
        if (key) {
            size_t start = s->at;
            skip_string(s);
            found = s->at <= s->size && string_is(s->text + start, s->at - start, key);
            skip_blanks(s);
            s->at++; /* the colon */
            skip_blanks(s);
        }
        if (found)
            return true;
        skip_value(s);
        skip_blanks(s);
        if (peek(s) == ',')
            s->at++;
    }
    return false;
}

/* Returns the byte offset of a value, or of the innermost existing container when the value is absent. */
static uint64_t ref_offset(const json_reader *reader, const json_ref *ref)
{
    scanner s = {reader->text, reader->size, 0};
    skip_blanks(&s);
    size_t depth = ref_depth(ref), found = s.at;
    for (size_t step = 1; step <= depth; step++) {
        const json_ref *at = ref_ancestor(ref, depth, step);
        if (!enter(&s, at->key, at->index))
            break;
        found = s.at;
    }
    return reader->base + found;
}

mmd_status json_reader_note(json_reader *reader, mmd_status status)
{
    assert(reader);
    if (json_reader_ok(reader))
        reader->status = status;
    return reader->status;
}

mmd_status json_ref_fail(json_reader *reader, const json_ref *ref, mmd_status code, const char *format, ...)
{
    assert(reader && ref);
    assert(code != MMD_OK);
    if (!json_reader_ok(reader))
        return reader->status;
    reader->status = code;
    if (!reader->error)
        return code;
    char path[PATH_MAX_BYTES], section[MMD_ERROR_SECTION_MAX];
    json_ref_path(ref, path, sizeof path);
    shorten(path[0] ? path : "document", section);
    va_list arguments;
    va_start(arguments, format);
    mmd_error_set_v(reader->error, code, section, ref_offset(reader, ref), format, arguments);
    va_end(arguments);
    return code;
}

/* --------------------------------------------------------------- reading */

/* Returns the type of a value in words, for messages. */
static const char *kind_name(const json_t *value)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number",  [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null",
    };
    return value ? names[json_typeof(value)] : "nothing";
}

static mmd_status wrong_kind(json_reader *reader, const json_ref *ref, const char *wanted)
{
    return json_ref_fail(reader, ref, MMD_ERROR_VALUE, "%s instead of %s", kind_name(ref->value), wanted);
}

static mmd_status read_number(json_reader *reader, const json_ref *ref, float min, float max, float *out)
{
    if (!json_is_number(ref->value))
        return wrong_kind(reader, ref, "a number");
    double value = json_number_value(ref->value);
    if (!(fabs(value) <= (double)FLT_MAX))
        return json_ref_fail(reader, ref, MMD_ERROR_VALUE, "%g is too large", value);
    if (value < (double)min || value > (double)max)
        return json_ref_fail(reader, ref, MMD_ERROR_VALUE, "%g is outside of %g to %g", value, (double)min,
                             (double)max);
    *out = (float)value;
    return MMD_OK;
}

mmd_status json_read_float(json_reader *reader, const json_ref *of, const char *key, float fallback,
                           float min, float max, float *out)
{
    assert(reader && of && out);
    json_ref ref = json_ref_member(of, key);
    *out = fallback;
    return json_reader_ok(reader) && ref.value ? read_number(reader, &ref, min, max, out) : reader->status;
}

mmd_status json_read_bool(json_reader *reader, const json_ref *of, const char *key, bool fallback, bool *out)
{
    assert(reader && of && out);
    json_ref ref = json_ref_member(of, key);
    *out = fallback;
    if (!json_reader_ok(reader) || !ref.value)
        return reader->status;
    if (!json_is_boolean(ref.value))
        return wrong_kind(reader, &ref, "a boolean");
    *out = json_is_true(ref.value);
    return MMD_OK;
}

mmd_status json_read_floats(json_reader *reader, const json_ref *of, const char *key, size_t count,
                            const float *fallback, float *out)
{
    assert(reader && of);
    json_ref array = json_ref_member(of, key);
    if (fallback)
        memmove(out, fallback, count * sizeof *out);
    else
        memset(out, 0, count * sizeof *out);
    if (!json_reader_ok(reader) || (!array.value && fallback))
        return reader->status;
    if (!json_is_array(array.value))
        return wrong_kind(reader, &array, "an array of numbers");
    if (json_ref_count(&array) != count)
        return json_ref_fail(reader, &array, MMD_ERROR_VALUE, "%zu numbers instead of %zu",
                             json_ref_count(&array), count);
    for (size_t i = 0; i < count; i++) {
        json_ref element = json_ref_element(&array, i);
        mmd_status status = read_number(reader, &element, -FLT_MAX, FLT_MAX, &out[i]);
        if (status != MMD_OK)
            return status;
    }
    return MMD_OK;
}

/* Returns whether a value is a whole number; 3.0 is one. */
static bool whole_number(const json_t *value, double *out)
{
    *out = json_number_value(value);
    return json_is_number(value) && floor(*out) == *out;
}

mmd_status json_read_index(json_reader *reader, const json_ref *of, const char *key, size_t limit,
                           int32_t *out)
{
    assert(reader && of && out);
    json_ref ref = json_ref_member(of, key);
    double value;
    *out = -1;
    if (!json_reader_ok(reader) || !ref.value)
        return reader->status;
    if (!whole_number(ref.value, &value))
        return wrong_kind(reader, &ref, "an index");
    if (value < 0 || value >= (double)limit || value > INT32_MAX)
        return json_ref_fail(reader, &ref, MMD_ERROR_INDEX, "index %.0f, but there are %zu", value, limit);
    *out = (int32_t)value;
    return MMD_OK;
}

mmd_status json_read_u32(json_reader *reader, const json_ref *of, const char *key, uint32_t fallback,
                         uint32_t max, uint32_t *out)
{
    assert(reader && of && out);
    json_ref ref = json_ref_member(of, key);
    double value;
    *out = fallback;
    if (!json_reader_ok(reader) || !ref.value)
        return reader->status;
    if (!whole_number(ref.value, &value))
        return wrong_kind(reader, &ref, "an integer");
    if (value < 0 || value > (double)max)
        return json_ref_fail(reader, &ref, MMD_ERROR_VALUE, "%.0f is outside of 0 to %u", value, max);
    *out = (uint32_t)value;
    return MMD_OK;
}

mmd_status json_view_text(json_reader *reader, const json_ref *of, const char *key, const char **out)
{
    assert(reader && of && out);
    json_ref ref = json_ref_member(of, key);
    *out = "";
    if (!json_reader_ok(reader) || !ref.value)
        return reader->status;
    if (!json_is_string(ref.value))
        return wrong_kind(reader, &ref, "a string");
    const char *text = json_string_value(ref.value);
    size_t length = json_string_length(ref.value);
    if (memchr(text, 0, length))
        return json_ref_fail(reader, &ref, MMD_ERROR_TEXT, "a string that contains a NUL");
    *out = text;
    return MMD_OK;
}

mmd_status json_read_text(json_reader *reader, const json_ref *of, const char *key, const char **out)
{
    assert(reader && of && out);
    json_ref ref = json_ref_member(of, key);
    json_view_text(reader, of, key, out);
    if (!json_reader_ok(reader) || !ref.value)
        return reader->status;
    const char *copy = mmd_arena_text(reader->arena, *out, json_string_length(ref.value));
    *out = copy ? copy : "";
    return copy ? MMD_OK : json_ref_fail(reader, &ref, MMD_ERROR_MEMORY, "no memory for a text");
}

mmd_status json_read_kind(json_reader *reader, const json_ref *of, const char *key, json_type kind,
                          json_ref *out)
{
    assert(reader && of && out);
    *out = json_ref_member(of, key);
    if (out->value && json_typeof(out->value) != kind)
        wrong_kind(reader, out, kind == JSON_OBJECT ? "an object" : "an array");
    return reader->status;
}

/* --------------------------------------------------------------- writing */

/* Returns the length in bytes of the UTF-8 character that starts with a byte. */
static size_t character_length(unsigned char lead)
{
    return lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

json_t *json_text(const char *text)
{
    json_t *made = json_string(text);
    if (made)
        return made;
    mmd_buffer mended = {0};
    for (size_t left = strlen(text), length; left > 0; text += length, left -= length) {
        length = character_length((unsigned char)*text);
        json_t *character = length <= left ? json_stringn(text, length) : NULL;
        length = character ? length : 1;
        mmd_write_bytes(&mended, character ? text : "?", length);
        json_decref(character);
    }
    made = mended.failed ? NULL : json_stringn((const char *)mended.data, mended.size);
    mmd_buffer_finish(&mended);
    return made;
}

json_t *json_from_float(float value)
{
    if (isnan(value))
        return json_string("NaN");
    if (isinf(value))
        return json_string(value > 0 ? "Infinity" : "-Infinity");
    if (value == floorf(value) && fabsf(value) < 1e9F && !(value == 0 && signbit(value)))
        return json_integer((json_int_t)value);
    char text[32];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value)
            break;
    }
    double real = strtod(text, NULL);
    return json_real((float)real == value ? real : (double)value);
}

json_t *json_from_floats(const float *values, size_t count)
{
    assert(values || count == 0);
    json_t *array = json_array();
    for (size_t i = 0; array && i < count; i++)
        if (json_array_append_new(array, json_from_float(values[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

bool json_float_value(const json_t *json, float *value)
{
    if (json_is_number(json)) {
        double number = json_number_value(json);
        *value = (float)number;
        return fabs(number) <= (double)FLT_MAX;
    }
    const char *text = json_string_value(json);
    if (!text)
        return false;
    bool nan = strcmp(text, "NaN") == 0, above = strcmp(text, "Infinity") == 0;
    if (!nan && !above && strcmp(text, "-Infinity") != 0)
        return false;
    *value = nan ? NAN : above ? INFINITY : -INFINITY;
    return true;
}

/*
 * Returns how many significant digits the reals of a document need to read back unchanged, at least `digits`:
 * 9 are enough for values from json_from_float.
 */
static int digits_needed(const json_t *json, int digits)
{
    static const int steps[] = {9, 15, 16, 17};
    if (json_is_real(json)) {
        char text[64];
        double value = json_real_value(json);
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            snprintf(text, sizeof text, "%.*g", steps[i], value);
            if (strtod(text, NULL) == value)
                return steps[i] > digits ? steps[i] : digits;
        }
        return 17;
    }
    for (size_t i = 0; i < json_array_size(json) && digits < 17; i++)
        digits = digits_needed(json_array_get(json, i), digits);
    if (json_is_object(json)) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)json, key, value) digits = digits_needed(value, digits);
    }
    return digits;
}

static int append_bytes(const char *bytes, size_t size, void *user)
{
    mmd_buffer *out = user;
    mmd_write_bytes(out, bytes, size);
    return out->failed ? -1 : 0;
}

mmd_status json_append(const json_t *json, bool pretty, mmd_buffer *out, mmd_error *error)
{
    size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits_needed(json, 9));
    flags |= pretty ? JSON_INDENT(2) : JSON_COMPACT;
    if (json_dump_callback(json, append_bytes, out, flags) != 0)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "JSON", MMD_NO_OFFSET, "no memory for the text");
    return MMD_OK;
}

/* ---------------------------------------------------------------- base64 */

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The value of each base64 character plus one; 0 for other characters. */
static const uint8_t sextets[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64};

static mmd_status bad_base64(mmd_error *error, size_t at, const char *what)
{
    return mmd_error_set(error, MMD_ERROR_VALUE, "base64", at, "%s", what);
}

mmd_status json_base64_decode(const char *text, size_t length, mmd_buffer *out, mmd_error *error)
{
    assert(out);
    assert(text || length == 0);
    if (length % 4 != 0)
        return bad_base64(error, length, "the length of the text is not a multiple of four");
    size_t padding = 0;
    while (padding < 2 && padding < length && text[length - 1 - padding] == '=')
        padding++;
    mmd_buffer_reserve(out, length / 4 * 3);
    if (out->failed)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "base64", MMD_NO_OFFSET, "no memory for its bytes");
    for (size_t at = 0; at < length; at += 4) {
        size_t digits = at + 4 == length ? 4 - padding : 4;
        uint32_t bits = 0;
        for (size_t i = 0; i < 4; i++) {
            uint8_t value = i < digits ? sextets[(uint8_t)text[at + i]] : 1;
            if (value == 0)
                return bad_base64(error, at + i, "a character that is not base64");
            bits = bits << 6 | (uint32_t)(value - 1);
        }
        if (bits & ((1U << (4 - digits) * 8) - 1))
            return bad_base64(error, at, "unused bits after the last byte are not zero");
        for (size_t i = 0; i + 1 < digits; i++)
            out->data[out->size++] = (uint8_t)(bits >> (16 - 8 * i));
    }
    return MMD_OK;
}

void json_base64_encode(const void *data, size_t size, mmd_buffer *out)
{
    assert(out);
    assert(data || size == 0);
    const uint8_t *bytes = data;
    mmd_buffer_reserve(out, (size + 2) / 3 * 4);
    for (size_t at = 0; at < size; at += 3) {
        size_t left = size - at;
        uint32_t bits = (uint32_t)bytes[at] << 16;
        bits |= left > 1 ? (uint32_t)bytes[at + 1] << 8 : 0;
        bits |= left > 2 ? bytes[at + 2] : 0;
        const char digits[4] = {alphabet[bits >> 18], alphabet[bits >> 12 & 63],
                                left > 1 ? alphabet[bits >> 6 & 63] : '=',
                                left > 2 ? alphabet[bits & 63] : '='};
        mmd_write_bytes(out, digits, sizeof digits);
    }
}
