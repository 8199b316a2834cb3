/* What came of a check: for people on stdout, for programs as results.json, and as an exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/paths.h"
#include "internal.h"
#include "mmd/cursor.h"
#include "mmd/source.h"
#include "mmd/text.h"
#include "base/output.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static const struct {
    const char *status, *key, *said;
} statuses[] = {
    {"pass", "passed", "passed"},
    {"fail", "failed", "failed"},
    {"no baseline", "no_baseline", "without a baseline"},
    {"accepted", "accepted", "accepted"},
    {"error", "errors", "could not be drawn"},
};
enum { STATUSES = sizeof statuses / sizeof *statuses };

json_t *check_summary(const json_t *results)
{
    json_int_t counts[STATUSES] = {0}, warnings = 0;
    json_t *summary = json_object();
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *scene = json_array_get(results, i);
        for (size_t k = 0; k < STATUSES; k++)
            counts[k] += strcmp(text_of(scene, "status"), statuses[k].status) == 0;
        warnings += (json_int_t)json_array_size(json_object_get(scene, "warnings"));
    }
    for (size_t k = 0; k < STATUSES; k++)
        json_object_set_new(summary, statuses[k].key, json_integer(counts[k]));
    json_object_set_new(summary, "warnings", json_integer(warnings));
    return summary;
}

/* What is missing outweighs bad input, bad input a difference. */
int check_exit_code(const json_t *results)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        const char *status = text_of(result, "status");
        int one = EXIT_DONE;
        if (strcmp(status, "fail") == 0 || strcmp(status, "no baseline") == 0)
            one = EXIT_NO;
        else if (strcmp(status, "error") == 0)
            one = (int)json_integer_value(json_object_get(result, "code"));
        code = one > code ? one : code;
    }
    return code;
}

/* Names and sentences may hold what a terminal would obey; a scene's sentence may be long. */
static void put(const char *text)
{
    char clean[4 * 2048], piece[2048];
    for (size_t length; *text; text += length) {
        length = strlen(text) < sizeof piece ? strlen(text) : sizeof piece - 1;
        while (text[length] && length > 1 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--; /* not within a character */
        memcpy(piece, text, length);
        piece[length] = '\0';
        mmd_text_clean(piece, true, clean, sizeof clean);
        fputs(clean, stdout);
    }
}

/* "fail  NAME: TEXT". */
static void print_line(const char *kind, const char *name, const char *text)
{
    put(kind);
    fputs("  ", stdout);
    put(name);
    fputs(": ", stdout);
    put(text);
    putchar('\n');
}

static void print_frames(const json_t *scene)
{
    static const char *const kinds[] = {"fail", "no baseline"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mmd_buffer text = {0};
        check_tell_fold(scene, kinds[i], &text);
        if (text.size && !text.failed)
            print_line(kinds[i], text_of(scene, "name"), (const char *)text.data);
        mmd_buffer_finish(&text);
    }
}

static bool same_error(const json_t *a, const json_t *b)
{
    return strcmp(text_of(b, "status"), "error") == 0 &&
           strcmp(text_of(a, "message"), text_of(b, "message")) == 0;
}

/* Neighbours that could not be drawn for one reason, as one line. Returns how many. */
static size_t print_errors(const json_t *results, size_t first)
{
    const json_t *scene = json_array_get(results, first);
    char name[1200];
    size_t count = 1;
    while (first + count < json_array_size(results) &&
           same_error(scene, json_array_get(results, first + count)))
        count++;
    snprintf(name, sizeof name, count > 1 ? "%.1100s (and %zu more)" : "%.1100s", text_of(scene, "name"),
             count - 1);
    print_line("error", name, text_of(scene, "message"));
    return count;
}

enum { WARNINGS_PRINTED = 4 };

static void print_warnings(const json_t *scene)
{
    const json_t *warnings = json_object_get(scene, "warnings");
    size_t count = json_array_size(warnings);
    for (size_t i = 0; i < count && i < WARNINGS_PRINTED; i++)
        print_line("warning", text_of(scene, "name"), json_string_value(json_array_get(warnings, i)));
    if (count > WARNINGS_PRINTED) {
        char more[64];
        snprintf(more, sizeof more, "and %zu more warning%s", count - WARNINGS_PRINTED,
                 count - WARNINGS_PRINTED == 1 ? "" : "s");
        print_line("warning", text_of(scene, "name"), more);
    }
}

/* Returns how many results it spoke of. */
static size_t print_scene(const json_t *results, size_t place)
{
    const json_t *scene = json_array_get(results, place);
    const char *status = text_of(scene, "status");
    print_warnings(scene);
    print_frames(scene);
    if (strcmp(status, "error") == 0)
        return print_errors(results, place);
    if (strcmp(status, "fail") == 0 && *text_of(scene, "message"))
        print_line("fail", text_of(scene, "name"), text_of(scene, "message"));
    return 1;
}

static void print_summary(const json_t *results)
{
    json_t *summary = check_summary(results);
    json_int_t warnings = json_integer_value(json_object_get(summary, "warnings"));
    printf("%zu scene%s", json_array_size(results), json_array_size(results) == 1 ? "" : "s");
    for (size_t k = 0, said = 0; k < STATUSES; k++) {
        json_int_t count = json_integer_value(json_object_get(summary, statuses[k].key));
        if (count)
            printf("%s%lld %s", said++ ? ", " : ": ", (long long)count, statuses[k].said);
    }
    if (warnings)
        printf("; %lld warning%s", (long long)warnings, warnings == 1 ? "" : "s");
    putchar('\n');
    json_decref(summary);
}

void check_print(const json_t *results)
{
    for (size_t i = 0; i < json_array_size(results);)
        i += print_scene(results, i);
    print_summary(results);
}

static bool write_results(const char *folder, const json_t *whole)
{
    char path[PATH_MAX];
    char *text = json_dumps(whole, JSON_INDENT(1));
    size_t length = text ? strlen(text) : 0;
    if (text)
        text[length] = '\n'; /* in place of its NUL: whole lines only */
    bool ok = text && output_write(path_join(path, folder, "results.json"), text, length + 1);
    free(text);
    return ok;
}

int check_write_report(const char *folder, json_t *whole)
{
    if (!path_make_folder(folder))
        return EXIT_FACILITY;
    bool ok = write_results(folder, whole) && junit_write(folder, whole) && check_page_write(folder, whole);
    return ok ? EXIT_DONE : EXIT_FACILITY;
}
