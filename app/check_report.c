/* What came of a check: for people on stdout, for programs as results.json, and as an exit code. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app.h"
#include "check.h"
#include "mmd/source.h"
#include "mmd/text.h"
#include "output.h"

char *check_path(char *text, const char *folder, const char *format, ...)
{
    va_list arguments;
    int used = snprintf(text, PATH_MAX, "%s/", folder);
    if (used >= PATH_MAX)
        return text;
    va_start(arguments, format);
    vsnprintf(text + used, PATH_MAX - (size_t)used, format, arguments);
    va_end(arguments);
    return text;
}

bool check_make_folder(const char *path)
{
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *c = part + 1;; c++) {
        if (*c && *c != '/')
            continue;
        char kept = *c;
        *c = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            message("%s: cannot be made: %s", part, strerror(errno));
            return false;
        }
        *c = kept;
        if (!kept)
            return true;
    }
}

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
    json_int_t counts[STATUSES] = {0};
    json_t *summary = json_object();
    for (size_t i = 0; i < json_array_size(results); i++)
        for (size_t k = 0; k < STATUSES; k++)
            counts[k] += strcmp(text_of(json_array_get(results, i), "status"), statuses[k].status) == 0;
    for (size_t k = 0; k < STATUSES; k++)
        json_object_set_new(summary, statuses[k].key, json_integer(counts[k]));
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

static void put(const char *text)
{
    char clean[2048];
    mmd_text_clean(text, true, clean, sizeof clean);
    fputs(clean, stdout);
}

static void print_frame(const json_t *scene, const json_t *frame)
{
    const char *status = text_of(frame, "status");
    if (strcmp(status, "fail") != 0 && strcmp(status, "no baseline") != 0)
        return;
    put(status);
    fputs("  ", stdout);
    put(text_of(scene, "name"));
    printf("  frame %.9g", json_number_value(json_object_get(frame, "frame")));
    if (*text_of(frame, "why"))
        printf(": %s", text_of(frame, "why"));
    if (*text_of(frame, "stage")) {
        printf("; first stage that differs: %s", text_of(frame, "stage"));
        if (*text_of(frame, "detail"))
            fputs(" (", stdout), put(text_of(frame, "detail")), fputs(")", stdout);
    }
    putchar('\n');
}

void check_print(const json_t *results)
{
    json_t *summary = check_summary(results);
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *scene = json_array_get(results, i), *frames = json_object_get(scene, "frames");
        for (size_t f = 0; f < json_array_size(frames); f++)
            print_frame(scene, json_array_get(frames, f));
        if (strcmp(text_of(scene, "status"), "error") == 0) {
            fputs("error  ", stdout), put(text_of(scene, "name")), fputs(": ", stdout);
            put(text_of(scene, "message"));
            putchar('\n');
        }
    }
    printf("%zu scene%s", json_array_size(results), json_array_size(results) == 1 ? "" : "s");
    for (size_t k = 0, said = 0; k < STATUSES; k++) {
        json_int_t count = json_integer_value(json_object_get(summary, statuses[k].key));
        if (count)
            printf("%s%lld %s", said++ ? ", " : ": ", (long long)count, statuses[k].said);
    }
    putchar('\n');
    json_decref(summary);
}

static bool write_results(const char *folder, const json_t *whole)
{
    char path[PATH_MAX];
    char *text = json_dumps(whole, JSON_INDENT(1));
    size_t length = text ? strlen(text) : 0;
    if (text)
        text[length] = '\n'; /* in place of its NUL: whole lines only */
    bool ok = text && output_write(check_path(path, folder, "results.json"), text, length + 1);
    free(text);
    return ok;
}

int check_write_report(const char *folder, json_t *whole)
{
    if (!check_make_folder(folder))
        return EXIT_FACILITY;
    bool ok = write_results(folder, whole) && junit_write(folder, whole) && check_page_write(folder, whole);
    return ok ? EXIT_DONE : EXIT_FACILITY;
}
