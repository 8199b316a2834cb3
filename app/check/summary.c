/*
 * check --summary: a short text in Markdown for a merge request or the page of a CI job. It has a row for
 * each picture that did not pass, the worst first, with what is known of the cause and links into the report.
 * Texts may come from file names, so everything that Markdown gives a meaning is escaped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/output.h"
#include "base/paths.h"
#include "internal.h"
#include "mmd/cursor.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "mmd/text.h"

/* SUMMARY_MAX: bytes of the whole text. END_MAX: of what follows the table. CAUSE_MAX: of one description. */
enum { SUMMARY_MAX = 64 << 10, END_MAX = 256, CAUSE_MAX = 1500 };
enum { NO_BASELINE = 1 }; /* a rank */

/* A row of the table: a frame, or a scene that could not be drawn. */
typedef struct summary_row {
    const json_t *scene, *frame; /* frame: NULL for a scene without any */
    int rank;
    double mean;
    size_t index;
} summary_row;

typedef struct summary_rows {
    summary_row *items;
    size_t count;
} summary_rows;

/* --- Rows --- */

/* Returns the place of a status among those that did not pass; -1 for one that did. */
static int rank_of(const char *status)
{
    static const char *const order[] = {"error", "no baseline", "fail"};
    for (int i = 0; i < 3; i++)
        if (strcmp(status, order[i]) == 0)
            return i;
    return -1;
}

/* Adds the rows of a scene: its frames that did not pass, or the scene itself if there are none. */
static void add_rows(summary_rows *rows, const json_t *scene, bool needs_baselines)
{
    const json_t *frames = json_object_get(scene, "frames");
    const int rank = rank_of(check_text(scene, "status"));
    const size_t first = rows->count;
    for (size_t i = 0; i < json_array_size(frames) && rank != 0; i++) {
        const json_t *frame = json_array_get(frames, i), *metrics = json_object_get(frame, "metrics");
        const double mean = metrics ? json_number_value(json_object_get(metrics, "mean")) : 256;
        int own = rank_of(check_text(frame, "status"));
        if (own == NO_BASELINE && !needs_baselines)
            own = -1;
        if (own >= 0)
            rows->items[rows->count] = (summary_row){scene, frame, own, mean, rows->count};
        rows->count += own >= 0;
    }
    if (rows->count == first && rank >= 0 && (rank != NO_BASELINE || needs_baselines)) {
        rows->items[rows->count] = (summary_row){scene, NULL, rank, 256, rows->count};
        rows->count++;
    }
}

/* Orders rows by rank, then by descending mean difference, then as in the suite. */
static int compare_rows(const void *a, const void *b)
{
    const summary_row *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->mean > y->mean || x->mean < y->mean)
        return x->mean > y->mean ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* Lists all rows, the worst first. False: out of memory. */
static bool list_rows(const json_t *whole, summary_rows *rows)
{
    const json_t *results = json_object_get(whole, "scenes");
    size_t most = json_array_size(results);
    for (size_t i = 0; i < json_array_size(results); i++)
        most += json_array_size(json_object_get(json_array_get(results, i), "frames"));
    *rows = (summary_rows){mmd_alloc(most * sizeof *rows->items), 0};
    for (size_t i = 0; rows->items && i < json_array_size(results); i++)
        add_rows(rows, json_array_get(results, i), !json_object_get(whole, "repeat"));
    if (rows->items)
        qsort(rows->items, rows->count, sizeof *rows->items, compare_rows);
    return rows->items != NULL;
}

/* --- Text --- */

/* Writes a text with Markdown's characters escaped, and control characters as spaces. */
static void put_text(mmd_buffer *out, const char *text)
{
    while (*text) {
        uint32_t control;
        const size_t size = mmd_text_control(text, &control);
        if (size) {
            mmd_write_u8(out, ' ');
            text += size;
            continue;
        }
        if (*text == '<' || *text == '&')
            mmd_write_format(out, "%s", *text == '<' ? "&lt;" : "&amp;");
        else if (strchr("\\`*_{}[]()#!|~>", *text))
            mmd_write_format(out, "\\%c", *text);
        else
            mmd_write_u8(out, (uint8_t)*text);
        text++;
    }
}

/* Writes a path as that of a link. */
static void put_path(mmd_buffer *out, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/";
    for (; *path; path++)
        mmd_write_format(out, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
}

/* Writes a link to a file of the report, or a picture, if there is such a file. */
static void put_link(mmd_buffer *out, const char *mark, const char *text, const char *folder,
                     const json_t *object, const char *key)
{
    const char *name = check_text(object, key);
    if (!*name || !*folder)
        return;
    mmd_write_format(out, "%s[%s](", mark, text);
    put_path(out, folder);
    mmd_write_u8(out, '/');
    put_path(out, name);
    mmd_write_format(out, ") ");
}

/* Writes what is known of the cause, cut where it is too long. */
static void put_cause(mmd_buffer *out, const summary_row *row)
{
    mmd_buffer text = {0};
    const char *message = check_text(row->scene, "message");
    if (row->frame)
        describe_frame(row->frame, &text);
    if (*message)
        mmd_write_format(&text, "%s%s", row->frame ? "; " : "", message);
    mmd_write_u8(&text, '\0');
    if (!text.failed && text.size > CAUSE_MAX) {
        size_t end = CAUSE_MAX;
        while ((text.data[end] & 0xc0) == 0x80)
            end--; /* do not cut within a UTF-8 character */
        memcpy(text.data + end, "...", sizeof "...");
    }
    if (!text.failed)
        put_text(out, (const char *)text.data);
    mmd_buffer_finish(&text);
}

/* Writes a row of the table. The strip of a scene shows its worst picture. */
static void put_row(mmd_buffer *out, const summary_row *row, const char *folder, bool has_strip)
{
    mmd_write_format(out, "| ");
    put_text(out, check_text(row->scene, "name"));
    if (row->frame)
        mmd_write_format(out, ", frame %.9g", json_number_value(json_object_get(row->frame, "frame")));
    mmd_write_format(out, " | ");
    put_cause(out, row);
    mmd_write_format(out, " | ");
    if (has_strip)
        put_link(out, "!", "before, after, difference", folder, row->scene, "thumb");
    put_link(out, "", "before", folder, row->frame, "baseline");
    put_link(out, "", "after", folder, row->frame, "picture");
    put_link(out, "", "difference", folder, row->frame, "heat");
    mmd_write_format(out, "|\n");
}

/* Returns whether a row is the first one of its scene. */
static bool is_first(const summary_rows *rows, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (rows->items[i].scene == rows->items[index].scene)
            return false;
    return true;
}

/* Writes the rows that there is room for, and how many are left. */
static void put_table(mmd_buffer *out, const summary_rows *rows, const char *folder)
{
    size_t done = 0;
    if (rows->count)
        mmd_write_format(out, "\n| picture | difference | |\n|---|---|---|\n");
    for (; done < rows->count; done++) {
        const size_t before = out->size;
        put_row(out, &rows->items[done], folder, is_first(rows, done));
        if (out->size > SUMMARY_MAX - END_MAX) {
            out->size = before;
            break;
        }
    }
    if (done < rows->count)
        mmd_write_format(out, "\n%zu more pictures did not pass.\n", rows->count - done);
}

/* --- The file --- */

/* Writes the path that leads from the folder of a file to the report. "": there is none, or it is not known.
 */
static void lead_to_report(const char *file, const char *report, char path[MMD_FILE_PATH_MAX])
{
    char from[MMD_FILE_PATH_MAX], to[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX];
    size_t same = 0, used = 0;
    mmd_path_folder(file, folder, sizeof folder);
    path[0] = '\0';
    if (!report || !path_resolve(folder, from) || !path_resolve(report, to) ||
        platform_path_root(from) != platform_path_root(to) ||
        strncmp(from, to, platform_path_root(from)) != 0) /* on another disk of Windows */
        return;
    for (size_t i = 0; from[i] == to[i] || !from[i] || !to[i]; i++) {
        if ((!from[i] || from[i] == '/') && (!to[i] || to[i] == '/'))
            same = i;
        if (!from[i] || !to[i])
            break;
    }
    for (const char *c = from + same; *c && used + 4 < MMD_FILE_PATH_MAX; c++)
        if (*c == '/' && c[1])
            used += (size_t)snprintf(path + used, MMD_FILE_PATH_MAX - used, "../");
    const char *rest = to + same + (to[same] == '/');
    snprintf(path + used, MMD_FILE_PATH_MAX - used, "%s", *rest ? rest : ".");
    used = strlen(path);
    if (used > 3 && strcmp(path + used - 2, "/.") == 0)
        path[used - 2] = '\0'; /* "../." */
}

bool check_write_summary(const check_options *options, const char *report, const json_t *whole, problem *why)
{
    static const char *const counts[][2] = {{"passed", "passed"},
                                            {"failed", "failed"},
                                            {"no_baseline", "without a baseline"},
                                            {"accepted", "accepted"},
                                            {"errors", "could not be drawn"}};
    const json_t *scenes = json_object_get(whole, "scenes"), *summary = json_object_get(whole, "summary");
    char folder[MMD_FILE_PATH_MAX];
    mmd_buffer out = {0};
    summary_rows rows;
    if (!list_rows(whole, &rows))
        return problem_out_of_memory(why);
    lead_to_report(options->summary, report, folder);
    mmd_write_format(&out, "**");
    put_text(&out, check_text(whole, "suite"));
    mmd_write_format(&out, "**: %zu scene%s", json_array_size(scenes),
                     json_array_size(scenes) == 1 ? "" : "s");
    for (size_t i = 0, listed = 0; i < sizeof counts / sizeof *counts; i++) {
        const json_int_t count = json_integer_value(json_object_get(summary, counts[i][0]));
        if (count)
            mmd_write_format(&out, "%s%lld %s", listed++ ? ", " : ": ", (long long)count, counts[i][1]);
    }
    if (json_object_get(whole, "repeat"))
        mmd_write_format(&out, "; %lld not repeatable in %lld rounds",
                         (long long)json_integer_value(json_object_get(summary, "not_repeatable")),
                         (long long)json_integer_value(json_object_get(whole, "repeat")));
    mmd_write_format(&out, "\n");
    put_table(&out, &rows, folder);
    mmd_free(rows.items);
    bool ok = !out.failed && output_write(options->summary, out.data, out.size);
    if (!ok)
        problem_set(why, EXIT_FACILITY, "%s", "");
    mmd_buffer_finish(&out);
    return ok;
}
