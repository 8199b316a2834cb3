/*
 * Reports the results of a check: as text on stdout, as junit.xml, as an HTML page, as results.json, and as
 * an exit code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/emit.h"
#include "base/html.h"
#include "base/message.h"
#include "base/output.h"
#include "base/paths.h"
#include "diff/page.h"
#include "internal.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "mmd/source.h"
#include "mmd/text.h"

const char *check_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* --- The frames of a scene as one sentence, since a wrong motion fails in hundreds of frames for one reason
 * --- */

/* Returns the mean difference of a frame. A frame without metrics, whose picture has another size, counts as
 * the worst. */
static double mean_of(const json_t *frame)
{
    const json_t *metrics = json_object_get(frame, "metrics");
    return metrics ? json_number_value(json_object_get(metrics, "mean")) : 256;
}

/* Describes the baseline of another driver: "same scene, other rasteriser (baseline of llvmpipe-…): ". NULL:
 * it is of this one. */
static void describe_driver(const json_t *other, mmd_buffer *text)
{
    if (other)
        mmd_write_format(text, "%sother rasteriser (baseline of %s): ",
                         json_is_true(json_object_get(other, "same_scene")) ? "same scene, " : "",
                         check_text(other, "driver"));
}

/* Describes a frame: "max is 9, at most 4 is allowed (largest 9, mean 0.2, …); first step that differs: …;
 * motion … has changed". Metrics that were not computed are left out. */
void describe_frame(const json_t *frame, mmd_buffer *text)
{
    const json_t *metrics = json_object_get(frame, "metrics"), *changes = json_object_get(frame, "changes");
    const json_t *flip = json_object_get(metrics, "flip");
    const char *status = check_text(frame, "status");
    describe_driver(json_object_get(frame, "other_driver"), text);
    if (strcmp(status, "pass") == 0)
        status = metrics ? "within the tolerance" : "the picture is equal";
    mmd_write_format(text, "%s", *check_text(frame, "why") ? check_text(frame, "why") : status);
    if (metrics)
        mmd_write_format(text, " (largest %lld, mean %.3g, %.3g %% of the pixels by more than %g levels",
                         (long long)json_integer_value(json_object_get(metrics, "max")),
                         json_number_value(json_object_get(metrics, "mean")),
                         100 * json_number_value(json_object_get(metrics, "share")),
                         json_number_value(json_object_get(metrics, "threshold")));
    if (flip)
        mmd_write_format(text, ", FLIP %.3g", json_number_value(flip));
    const json_t *beyond = json_object_get(json_object_get(frame, "other_driver"), "beyond_edges");
    if (json_is_object(beyond))
        mmd_write_format(text, ", %.3g %% beyond edges",
                         100 * json_number_value(json_object_get(beyond, "share")));
    if (metrics)
        mmd_write_format(text, ")");
    if (*check_text(frame, "stage"))
        mmd_write_format(text, "; first step that differs: %s", check_text(frame, "stage"));
    if (*check_text(frame, "detail"))
        mmd_write_format(text, " (%s)", check_text(frame, "detail"));
    if (json_object_get(frame, "unrepeatable")) {
        mmd_write_format(text, "; not repeatable: ");
        repeat_describe(frame, text);
    }
    if (changes && json_array_size(changes) == 0)
        mmd_write_format(text, "; no file and no setting has changed");
    for (size_t i = 0; i < json_array_size(changes); i++)
        mmd_write_format(text, "; %s", json_string_value(json_array_get(changes, i)));
}

/* Describes the frames of a scene that have a status: "3 of 601 frames failed, worst 217: …", with a NUL.
 * Writes nothing when no frame has it. */
static void describe_frames(const json_t *scene, const char *status, mmd_buffer *text)
{
    const json_t *frames = json_object_get(scene, "frames"), *worst = NULL;
    size_t all = json_array_size(frames), of_status = 0;
    bool failed = strcmp(status, "fail") == 0;
    for (size_t i = 0; i < all; i++) {
        const json_t *frame = json_array_get(frames, i);
        if (strcmp(check_text(frame, "status"), status) != 0)
            continue;
        if (of_status++ == 0 || mean_of(frame) > mean_of(worst))
            worst = frame;
    }
    if (!worst)
        return;
    double number = json_number_value(json_object_get(worst, "frame"));
    if (all == 1)
        mmd_write_format(text, "frame %.9g%s", number, failed ? ": " : "");
    else if (failed)
        mmd_write_format(text, "%zu of %zu frames failed, worst %.9g: ", of_status, all, number);
    else
        mmd_write_format(text, "%zu of %zu frames", of_status, all);
    if (failed)
        describe_frame(worst, text);
    mmd_write_u8(text, '\0');
}

/* Describes what has changed without failing the scene, by the frame that differs most: "frame 0: within the
 * tolerance (…); model … has changed; …", with a NUL. Writes nothing for a scene that did not pass. */
static void describe_note(const json_t *scene, mmd_buffer *text)
{
    const json_t *frames = json_object_get(scene, "frames"), *worst = NULL;
    for (size_t i = 0; strcmp(check_text(scene, "status"), "pass") == 0 && i < json_array_size(frames); i++) {
        const json_t *frame = json_array_get(frames, i);
        const bool differs = json_object_get(frame, "metrics");
        if ((json_array_size(json_object_get(frame, "changes")) || json_object_get(frame, "other_driver")) &&
            (!worst || (differs && (!json_object_get(worst, "metrics") || mean_of(frame) > mean_of(worst)))))
            worst = frame;
    }
    if (!worst)
        return;
    mmd_write_format(text, "frame %.9g: ", json_number_value(json_object_get(worst, "frame")));
    describe_frame(worst, text);
    mmd_write_u8(text, '\0');
}

/* Returns whether a scene without a baseline has failed. --repeat also tests suites that have none. */
static bool needs_baselines(const json_t *whole)
{
    return !json_object_get(whole, "repeat");
}

/* --- Text on stdout --- */

static const struct {
    const char *status, *key, *text;
} statuses[] = {
    {"pass", "passed", "passed"},
    {"fail", "failed", "failed"},
    {"no baseline", "no_baseline", "without a baseline"},
    {"accepted", "accepted", "accepted"},
    {"error", "errors", "could not be drawn"},
};
enum { STATUSES = sizeof statuses / sizeof *statuses };

/* Counts scenes by status: {"passed":…,"failed":…,"no_baseline":…,"accepted":…,"errors":…,"warnings":…}. With
 * --repeat also "not_repeatable". */
static json_t *summarize(const json_t *whole, const json_t *results)
{
    json_int_t counts[STATUSES] = {0}, warnings = 0, unrepeatable = 0;
    json_t *summary = json_object();
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *scene = json_array_get(results, i);
        for (size_t k = 0; k < STATUSES; k++)
            counts[k] += strcmp(check_text(scene, "status"), statuses[k].status) == 0;
        warnings += (json_int_t)json_array_size(json_object_get(scene, "warnings"));
        unrepeatable += json_is_false(json_object_get(scene, "repeatable"));
    }
    for (size_t k = 0; k < STATUSES; k++)
        json_object_set_new(summary, statuses[k].key, json_integer(counts[k]));
    json_object_set_new(summary, "warnings", json_integer(warnings));
    if (json_object_get(whole, "repeat"))
        json_object_set_new(summary, "not_repeatable", json_integer(unrepeatable));
    return summary;
}

/* Prints a text of any length with its control characters escaped. */
static void put(const char *text)
{
    char clean[4 * 2048], piece[2048];
    for (size_t length; *text; text += length) {
        length = strlen(text) < sizeof piece ? strlen(text) : sizeof piece - 1;
        while (text[length] && length > 1 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--; /* do not cut within a UTF-8 character */
        memcpy(piece, text, length);
        piece[length] = '\0';
        mmd_text_clean(piece, true, clean, sizeof clean);
        fputs(clean, stdout);
    }
}

/* Prints "fail  NAME: TEXT". */
static void print_line(const char *kind, const char *name, const char *text)
{
    put(kind);
    fputs("  ", stdout);
    put(name);
    fputs(": ", stdout);
    put(text);
    putchar('\n');
}

enum { WARNINGS_PRINTED = 4 };

/* Prints the warnings of a scene, what changes it notices, its frames that failed or have no baseline, and
 * what changed without failing. */
static void print_frames(const json_t *scene)
{
    static const char *const kinds[] = {"fail", "no baseline"};
    const char *name = check_text(scene, "name");
    const json_t *warnings = json_object_get(scene, "warnings");
    size_t count = json_array_size(warnings);
    for (size_t i = 0; i < count && i < WARNINGS_PRINTED; i++)
        print_line("warning", name, json_string_value(json_array_get(warnings, i)));
    if (count > WARNINGS_PRINTED) {
        char more[64];
        snprintf(more, sizeof more, "and %zu more warning%s", count - WARNINGS_PRINTED,
                 count - WARNINGS_PRINTED == 1 ? "" : "s");
        print_line("warning", name, more);
    }
    const json_t *sensitivity = json_object_get(scene, "sensitivity");
    for (size_t i = 0; i < json_array_size(sensitivity); i++)
        print_line("notices", name, check_text(json_array_get(sensitivity, i), "text"));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mmd_buffer text = {0};
        describe_frames(scene, kinds[i], &text);
        if (text.size && !text.failed)
            print_line(kinds[i], name, (const char *)text.data);
        mmd_buffer_finish(&text);
    }
    mmd_buffer note = {0};
    describe_note(scene, &note);
    if (note.size && !note.failed)
        print_line("note", name, (const char *)note.data);
    mmd_buffer_finish(&note);
}

/* Prints consecutive scenes that could not be drawn for the same reason as one line. Returns their number. */
static size_t print_errors(const json_t *results, size_t first)
{
    const json_t *scene = json_array_get(results, first);
    char name[1200];
    size_t count = 1;
    for (; first + count < json_array_size(results); count++) {
        const json_t *next = json_array_get(results, first + count);
        if (strcmp(check_text(next, "status"), "error") != 0 ||
            strcmp(check_text(scene, "message"), check_text(next, "message")) != 0)
            break;
    }
    snprintf(name, sizeof name, count > 1 ? "%.1100s (and %zu more)" : "%.1100s", check_text(scene, "name"),
             count - 1);
    print_line("error", name, check_text(scene, "message"));
    return count;
}

/* Prints the scenes that did not pass, and the summary. */
static void print_results(const json_t *whole, const json_t *results)
{
    for (size_t i = 0, printed; i < json_array_size(results); i += printed) {
        const json_t *scene = json_array_get(results, i);
        const char *status = check_text(scene, "status");
        print_frames(scene);
        printed = 1;
        if (strcmp(status, "error") == 0)
            printed = print_errors(results, i);
        else if (strcmp(status, "fail") == 0 && *check_text(scene, "message"))
            print_line("fail", check_text(scene, "name"), check_text(scene, "message"));
    }
    const json_t *summary = json_object_get(whole, "summary");
    json_int_t warnings = json_integer_value(json_object_get(summary, "warnings"));
    json_int_t rounds = json_integer_value(json_object_get(whole, "repeat"));
    printf("%zu scene%s", json_array_size(results), json_array_size(results) == 1 ? "" : "s");
    for (size_t k = 0, listed = 0; k < STATUSES; k++) {
        json_int_t count = json_integer_value(json_object_get(summary, statuses[k].key));
        if (count)
            printf("%s%lld %s", listed++ ? ", " : ": ", (long long)count, statuses[k].text);
    }
    if (warnings)
        printf("; %lld warning%s", (long long)warnings, warnings == 1 ? "" : "s");
    if (rounds)
        printf("; %lld not repeatable in %lld rounds",
               (long long)json_integer_value(json_object_get(summary, "not_repeatable")), (long long)rounds);
    putchar('\n');
}

/* --- JUnit XML for CI systems: one test case per scene, with times only for --times, because they differ
 * between runs --- */

enum { FRAMES_LISTED = 20 };

/* Writes UTF-8 as XML. XML 1.0 allows neither control characters except tab and line ends nor U+FFFE and
 * U+FFFF, not even as entities. Characters that change the direction of text become spaces, too. */
static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        uint32_t control;
        size_t size = mmd_text_control(text, &control);
        unsigned char c = (unsigned char)*text;
        const char *entity = c == '&'   ? "&amp;"
                             : c == '<' ? "&lt;"
                             : c == '>' ? "&gt;"
                             : c == '"' ? "&quot;"
                                        : NULL;
        if (entity) {
            fputs(entity, out);
        } else if (strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0) {
            putc(' ', out);
            text += 2;
        } else if (size == 0) {
            putc(c, out);
        } else {
            putc(c == '\n' ? '\n' : ' ', out);
            text += size - 1;
        }
    }
}

/* Writes an XML attribute. */
static void put_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    put_escaped(out, text);
    putc('"', out);
}

/* Writes a sentence of describe_frame or describe_frames, and frees it. */
static void put_buffer(FILE *out, mmd_buffer *text)
{
    mmd_write_u8(text, '\0');
    if (!text->failed)
        put_escaped(out, (const char *)text->data);
    mmd_buffer_finish(text);
}

/* Returns whether a frame of a scene that did not pass is one of the reasons. */
static bool is_listed(const json_t *frame)
{
    const char *status = check_text(frame, "status");
    return strcmp(status, "fail") == 0 || strcmp(status, "no baseline") == 0 ||
           json_object_get(frame, "unrepeatable");
}

/* Writes the first FRAMES_LISTED frames that did not pass. The worst one is in the message. */
static void put_frames(FILE *out, const json_t *frames)
{
    size_t listed = 0, left = 0;
    for (size_t i = 0; i < json_array_size(frames); i++) {
        const json_t *frame = json_array_get(frames, i);
        if (!is_listed(frame))
            continue;
        if (listed++ >= FRAMES_LISTED) {
            left++;
            continue;
        }
        mmd_buffer text = {0};
        fprintf(out, "frame %.9g: ", json_number_value(json_object_get(frame, "frame")));
        describe_frame(frame, &text);
        put_buffer(out, &text);
        putc('\n', out);
    }
    if (left)
        fprintf(out, "and %zu more frame%s\n", left, left == 1 ? "" : "s");
}

/* Writes <failure> for pictures that differ, or <error> for a scene that could not be drawn, with a summary
 * as the message. */
static void put_failure(FILE *out, const json_t *scene)
{
    const char *message = check_text(scene, "message"), *status = check_text(scene, "status");
    const char *kind = strcmp(status, "error") == 0 ? "error" : "failure";
    mmd_buffer text = {0};
    if (strcmp(status, "no baseline") == 0)
        mmd_write_format(&text, "no baseline: ");
    if (*message)
        mmd_write_format(&text, "%s", message);
    else
        describe_frames(scene, status, &text);
    fprintf(out, "    <%s message=\"", kind);
    put_buffer(out, &text);
    fputs("\">", out);
    put_frames(out, json_object_get(scene, "frames"));
    fprintf(out, "</%s>\n", kind);
}

/* Returns whether a name of a file can stand in a line of its own. Merged results may be a stranger's. */
static bool is_plain_name(const char *name)
{
    uint32_t control;
    for (const char *at = name; *at; at++)
        if (mmd_text_control(at, &control))
            return false;
    return *name && !strstr(name, "]]");
}

/* Writes the line that attaches a file of the report, if the object names one. */
static void put_attachment(FILE *out, const char *folder, const json_t *object, const char *key)
{
    char path[MMD_FILE_PATH_MAX];
    const char *name = check_text(object, key);
    if (!is_plain_name(name) || !is_plain_name(folder))
        return;
    fputs("[[ATTACHMENT|", out);
    put_escaped(out, path_join(path, folder, "%s", name));
    fputs("]]\n", out);
}

/* Attaches the strip of a scene that did not pass, and the pictures of its first frames, in the way that
 * Jenkins and GitLab read: a line for each, with the path as --report was given. GitLab shows the first one.
 */
static void put_attachments(FILE *out, const char *folder, const json_t *scene)
{
    static const char *const keys[] = {"baseline", "picture", "heat"};
    const json_t *frames = json_object_get(scene, "frames");
    size_t listed = 0;
    putc('\n', out);
    put_attachment(out, folder, scene, "thumb");
    for (size_t i = 0; i < json_array_size(frames) && listed < FRAMES_LISTED; i++) {
        const json_t *frame = json_array_get(frames, i);
        if (!is_listed(frame))
            continue;
        listed++;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            put_attachment(out, folder, frame, keys[k]);
    }
}

/* Writes what a scene has to say besides its failure: warnings, what changed without failing, and the names
 * of its pictures if it failed. */
static void put_remarks(FILE *out, const char *folder, const json_t *scene, bool fine, mmd_buffer *note)
{
    const json_t *warnings = json_object_get(scene, "warnings");
    fputs("    <system-out>", out);
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        fputs("warning: ", out);
        put_escaped(out, json_string_value(json_array_get(warnings, i)));
        putc('\n', out);
    }
    if (note->size) {
        fputs("note: ", out);
        put_buffer(out, note);
        putc('\n', out);
    }
    if (!fine)
        put_attachments(out, folder, scene);
    fputs("</system-out>\n", out);
}

/* Writes the test case of a scene, with its failure, its warnings and its note. */
static void put_case(FILE *out, const char *folder, const json_t *whole, const json_t *scene)
{
    const char *status = check_text(scene, "status");
    const json_t *warnings = json_object_get(scene, "warnings");
    const bool skipped = strcmp(status, "no baseline") == 0 && !needs_baselines(whole);
    const bool fine = strcmp(status, "pass") == 0 || strcmp(status, "accepted") == 0 || skipped;
    mmd_buffer note = {0};
    describe_note(scene, &note);
    fputs("  <testcase", out);
    put_attribute(out, "classname", check_text(whole, "suite"));
    put_attribute(out, "name", check_text(scene, "name"));
    if (json_object_get(scene, "seconds"))
        fprintf(out, " time=\"%.3f\"", json_number_value(json_object_get(scene, "seconds")));
    if (fine && !skipped && !warnings && !note.size) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    if (skipped)
        fputs("    <skipped message=\"no baseline\"/>\n", out);
    if (!fine)
        put_failure(out, scene);
    if (!fine || warnings || note.size)
        put_remarks(out, folder, scene, fine, &note);
    fputs("  </testcase>\n", out);
}

/* Writes junit.xml. False: it failed, which was reported. */
static bool write_junit(const char *folder, const json_t *whole)
{
    char path[MMD_FILE_PATH_MAX];
    output out;
    const json_t *scenes = json_object_get(whole, "scenes"), *summary = json_object_get(whole, "summary");
    const char *name = check_text(whole, "suite");
    if (!output_open(&out, path_join(path, folder, "junit.xml")))
        return false;
    const json_int_t missing = json_integer_value(json_object_get(summary, "no_baseline"));
    const json_int_t failures =
        json_integer_value(json_object_get(summary, "failed")) + (needs_baselines(whole) ? missing : 0);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite", out.stream);
    put_attribute(out.stream, "name", name);
    fprintf(out.stream, " tests=\"%zu\" failures=\"%lld\" errors=\"%lld\"", json_array_size(scenes),
            (long long)failures, (long long)json_integer_value(json_object_get(summary, "errors")));
    if (!needs_baselines(whole))
        fprintf(out.stream, " skipped=\"%lld\"", (long long)missing);
    fputs(">\n", out.stream);
    for (size_t i = 0; i < json_array_size(scenes); i++)
        put_case(out.stream, folder, whole, json_array_get(scenes, i));
    fputs("</testsuite>\n", out.stream);
    return output_commit(&out);
}

/*
 * --- The page ---
 *
 * index.html is the page of reports, filled with the results, the worst scene first. Thumbnails of the first
 * scenes are embedded. Those of further scenes are loaded from the folder, which keeps the page small for
 * suites of thousands of scenes. What is shown of a difference is loaded when it is opened.
 */

enum { THUMBS_INSIDE = 200 };

typedef struct ranked {
    const json_t *scene;
    int rank;
    double mean;
    size_t index;
} ranked;

/* Returns the rank of a scene in the page: by status, then by its worst frame. */
static ranked rank(const json_t *scene, size_t index)
{
    static const char *const order[] = {"error", "no baseline", "fail", "accepted", "pass"};
    const json_t *frames = json_object_get(scene, "frames");
    ranked r = {.scene = scene, .index = index};
    for (int i = 0; i < 5; i++)
        if (strcmp(check_text(scene, "status"), order[i]) == 0)
            r.rank = i;
    for (size_t i = 0; i < json_array_size(frames); i++) {
        const json_t *metrics = json_object_get(json_array_get(frames, i), "metrics");
        double mean = json_number_value(json_object_get(metrics, "mean"));
        r.mean = mean > r.mean ? mean : r.mean;
    }
    return r;
}

/* Orders scenes by rank, then by descending mean difference, then by their order in the suite. */
static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->mean > y->mean || x->mean < y->mean)
        return x->mean > y->mean ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* Returns the models of a scene, as its inputs name them, each once. */
static json_t *models_of(const json_t *scene)
{
    const json_t *inputs = json_object_get(scene, "inputs");
    json_t *models = json_array();
    for (size_t i = 0; i < json_array_size(inputs); i++) {
        json_t *input = json_array_get(inputs, i), *path = json_object_get(input, "path");
        bool listed = !json_object_get(input, "textures"); /* only models have textures */
        for (size_t k = 0; k < json_array_size(models); k++)
            listed = listed || json_equal(json_array_get(models, k), path) == 1;
        if (!listed)
            json_array_append(models, path);
    }
    return models;
}

/* Returns the data of the page: the results with the worst scene first, and the embedded thumbnails. */
static json_t *page_data(const char *folder, const json_t *whole)
{
    const json_t *scenes = json_object_get(whole, "scenes");
    size_t count = json_array_size(scenes);
    ranked *list = mmd_alloc(count * sizeof *list);
    json_t *data = json_copy((json_t *)(uintptr_t)whole), *sorted = json_array();
    for (size_t i = 0; list && i < count; i++)
        list[i] = rank(json_array_get(scenes, i), i);
    if (list)
        qsort(list, count, sizeof *list, compare_ranked);
    for (size_t i = 0; list && i < count; i++) {
        char path[MMD_FILE_PATH_MAX], *uri = NULL;
        mmd_bytes bytes = {0};
        json_t *copy = json_copy((json_t *)(uintptr_t)list[i].scene);
        json_object_set_new(copy, "models", models_of(copy));
        json_object_del(copy, "inputs"); /* the page has no use for the others */
        json_object_del(copy, "inside"); /* merged results may be a stranger's, and name a page elsewhere */
        const char *thumb = json_string_value(json_object_get(copy, "thumb"));
        if (thumb && i < THUMBS_INSIDE &&
            mmd_file_read(path_join(path, folder, "%s", thumb), &bytes, NULL) == MMD_OK)
            uri = html_png_text(bytes.data, bytes.size);
        if (uri)
            json_object_set_new(copy, "inside", json_string_nocheck(uri));
        free(uri);
        mmd_bytes_finish(&bytes);
        json_array_append_new(sorted, copy);
    }
    mmd_free(list);
    json_object_set_new(data, "scenes", sorted);
    return data;
}

/* Writes index.html. False: it failed, which was reported. */
static bool write_page(const char *folder, const json_t *whole)
{
    char path[MMD_FILE_PATH_MAX];
    json_t *data = page_data(folder, whole);
    char *json = data ? json_dumps(data, JSON_COMPACT) : NULL;
    bool ok = json && page_write(path_join(path, folder, "index.html"), json, true);
    free(json);
    json_decref(data);
    return ok;
}

/* --- The report --- */

/* Writes results.json, junit.xml and index.html. */
static bool write_report(const char *folder, json_t *whole, problem *why)
{
    char path[MMD_FILE_PATH_MAX];
    if (!path_make_folder(folder))
        return problem_set(why, EXIT_FACILITY, "%s", "");
    char *text = json_dumps(whole, JSON_INDENT(1));
    size_t length = text ? strlen(text) : 0;
    if (text)
        text[length] = '\n'; /* replaces the NUL: the file ends with a line feed */
    bool ok = text && output_write(path_join(path, folder, "results.json"), text, length + 1);
    free(text);
    return (ok && write_junit(folder, whole) && write_page(folder, whole)) ||
           problem_set(why, EXIT_FACILITY, "%s", "");
}

bool check_report(const check_options *options, const char *folder, json_t *whole, json_t *results, int *code,
                  problem *why)
{
    json_object_set_new(whole, "summary", summarize(whole, results));
    json_object_set(whole, "scenes", results);
    if ((folder && !write_report(folder, whole, why)) ||
        (options->summary && !check_write_summary(options, folder, whole, why)))
        return false;
    if (options->json) {
        char *text = json_dumps(whole, JSON_INDENT(1));
        if (text)
            emit_json(stdout, text);
        putchar('\n');
        free(text);
    } else {
        print_results(whole, results);
    }
    /* A missing facility outweighs an unreadable input, which outweighs a difference. */
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        const char *status = check_text(result, "status");
        int one = EXIT_DONE;
        if (strcmp(status, "fail") == 0 || (strcmp(status, "no baseline") == 0 && needs_baselines(whole)))
            one = EXIT_NO;
        else if (strcmp(status, "error") == 0)
            one = (int)json_integer_value(json_object_get(result, "code"));
        *code = one > *code ? one : *code;
    }
    return true;
}
