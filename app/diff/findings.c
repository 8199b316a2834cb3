/*
 * Writes the findings of `odori diff`: the verdict with its cause in one line, the rest as text, and all of
 * it as JSON, which the report embeds too.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/output.h"
#include "internal.h"
#include "mmd/memory.h"
#include "mmd/text.h"

enum { ROWS_SHOWN = 12, NUMBERS_SHOWN = 8, FIRST_CHANGES = 4 };

/* --- Metrics --- */

/* Returns the title of a metric: "largest difference". */
static const char *metric_title(mmd_metric m)
{
    static const char *const titles[MMD_METRIC_COUNT] = {
        [MMD_METRIC_MAX] = "largest difference",
        [MMD_METRIC_MEAN] = "mean difference",
        [MMD_METRIC_P99] = "99th percentile",
        [MMD_METRIC_PSNR] = "PSNR",
        [MMD_METRIC_SSIM] = "SSIM",
        [MMD_METRIC_FLIP] = "FLIP, mean",
        [MMD_METRIC_SHARE] = "pixels over",
    };
    return titles[m];
}

/* Writes the value of a metric with its unit: "41 levels", "3.1 %", "38.20 dB". Returns text. */
static const char *metric_format(mmd_metric m, double value, char *text, size_t capacity)
{
    switch (m) {
    case MMD_METRIC_MAX:
    case MMD_METRIC_P99:
        snprintf(text, capacity, "%.0f level%s", value, value == 1 ? "" : "s");
        break;
    case MMD_METRIC_MEAN:
        snprintf(text, capacity, "%.4f levels", value);
        break;
    case MMD_METRIC_PSNR:
        if (isfinite(value))
            snprintf(text, capacity, "%.2f dB", value);
        else
            snprintf(text, capacity, "infinite");
        break;
    case MMD_METRIC_SHARE:
        snprintf(text, capacity, value > 0 && value < 0.0005 ? "%.4f %%" : "%.2f %%", 100 * value);
        break;
    default:
        snprintf(text, capacity, "%.5f", value);
    }
    return text;
}

/* A metric over all frames. */
typedef struct metric_summary {
    double mean; /* over the frames with a finite value; INFINITY if there are none */
    double worst;
    size_t frame; /* index of the first frame with the worst value */
} metric_summary;

/* Summarises a metric over all frames. There has to be at least one. */
static metric_summary findings_summary(const diff_findings *f, mmd_metric m)
{
    metric_summary summary = {0};
    double sum = 0;
    size_t finite = 0;
    for (size_t i = 0; i < f->frame_count; i++) {
        double value = mmd_metric_value(m, &f->frames[i].result);
        bool worse = mmd_metric_high_is_good(m) ? value < summary.worst : value > summary.worst;
        if (i == 0 || worse) {
            summary.worst = value;
            summary.frame = i;
        }
        if (isfinite(value)) {
            sum += value;
            finite++;
        }
    }
    summary.mean = finite ? sum / (double)finite : INFINITY;
    return summary;
}

/* Returns whether a metric is shown, because it is wanted or has a limit. */
static bool is_shown(const diff_findings *f, mmd_metric m)
{
    return f->options->wanted[m] || mmd_limits_has(&f->options->limits, m);
}

/* --- The verdict --- */

/* A text that is cut at its capacity. */
typedef struct line {
    char *text;
    size_t size, capacity;
} line;

/* Appends to a line. */
static void add(line *l, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;

static void add(line *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(l->text + l->size, l->capacity - l->size, format, arguments);
    va_end(arguments);
    l->size = size < 0 || l->size + (size_t)size >= l->capacity ? l->capacity - 1 : l->size + (size_t)size;
}

/* A frame with the causes of its difference, or with those of all frames. */
typedef struct described {
    const diff_frame *frame;
    bool has_ids;
    const mmd_causes *materials, *bones;
    const diff_nature *nature;
    size_t nature_row;
} described;

/* Appends how many frames differ, the first that fails, and the worst one. */
static void add_frames(line *l, const diff_findings *f)
{
    size_t differing = f->frame_count - f->equal_count;
    size_t missing = f->missing_count;
    if (missing)
        add(l, " %zu frame%s missing;", missing, missing == 1 ? " is" : "s are");
    if (differing == 1)
        add(l, " 1 of %zu frame%s differs, frame %" PRId64 ";", f->frame_count,
            f->frame_count == 1 ? "" : "s", f->frames[f->worst].number);
    else if (differing)
        add(l, " %zu of %zu frames differ, most in frame %" PRId64, differing, f->frame_count,
            f->frames[f->worst].number);
    if (differing > 1 && f->first.found)
        add(l, ", first %sin frame %" PRId64, mmd_limits_any(&f->options->limits) ? "beyond the limits " : "",
            f->frames[f->first.frame].number);
    if (differing > 1)
        add(l, ";");
}

/* Appends where a frame differs, in what way and by how much. */
static void add_difference(line *l, const diff_findings *f, const described *d)
{
    const diff_frame *frame = d->frame;
    char clause[256] = "", sentence[sizeof f->line];
    bool of_largest = d->nature_row == SIZE_MAX || d->materials->order[0] == d->nature_row;
    if (of_largest)
        nature_clause(d->nature, clause, sizeof clause);
    const mmd_difference_facts facts = {
        .a_size = {frame->sizes[0][0], frame->sizes[0][1]},
        .b_size = {frame->sizes[1][0], frame->sizes[1][1]},
        .result = &frame->result,
        .threshold = f->options->compare.threshold,
        .box = d->nature->found.box,
        .materials = d->has_ids ? d->materials : NULL,
        .bones = d->has_ids ? d->bones : NULL,
        .clause = clause,
    };
    add(l, " %s", mmd_difference_sentence(&facts, sentence, sizeof sentence));
}

/* Writes what is different in the first frame that fails. False: out of memory. */
static bool conclude_first(diff_findings *f)
{
    diff_first *first = &f->first;
    line l = {.text = first->line, .capacity = sizeof first->line};
    if (!first->found || !f->sequence)
        return true;
    if (mmd_causes_sort(&first->materials, NULL) != MMD_OK || mmd_causes_sort(&first->bones, NULL) != MMD_OK)
        return false;
    add(&l, "frame %" PRId64 " is the first that %s:", f->frames[first->frame].number,
        mmd_limits_any(&f->options->limits) ? "exceeds the limits" : "differs");
    add_difference(&l, f,
                   &(described){&f->frames[first->frame], first->has_ids, &first->materials, &first->bones,
                                &first->nature, first->nature_row});
    return true;
}

bool findings_conclude(diff_findings *f)
{
    static const char *const words[] = {"equal", "within the limits", "different"};
    line l = {.text = f->line, .capacity = sizeof f->line};
    bool missing = f->missing_count && !f->options->missing_is_fine;
    for (size_t i = 0; i < f->frame_count; i++) {
        f->equal_count += f->frames[i].equal;
        f->bad_count += !f->frames[i].good;
    }
    if (f->bad_count || missing)
        f->verdict = DIFF_DIFFERENT;
    else
        f->verdict = f->equal_count == f->frame_count ? DIFF_EQUAL : DIFF_WITHIN;
    if (mmd_causes_sort(&f->materials, NULL) != MMD_OK || mmd_causes_sort(&f->bones, NULL) != MMD_OK ||
        !conclude_first(f))
        return false;

    f->line[0] = '\0';
    add(&l, "%s", words[f->verdict]);
    if (f->verdict == DIFF_EQUAL)
        return true;
    add(&l, ":");
    if (f->sequence)
        add_frames(&l, f);
    if (f->frame_count && !f->frames[f->worst].equal)
        add_difference(&l, f,
                       &(described){&f->frames[f->worst], f->has_ids, &f->materials, &f->bones, &f->nature,
                                    f->nature_row});
    if (f->line[l.size - 1] == ';')
        f->line[l.size - 1] = '\0';
    return true;
}

/* --- Text --- */

/* Prints a text with its control characters escaped. */
static void print_clean(const char *text)
{
    char clean[4096];
    mmd_text_clean(text, true, clean, sizeof clean);
    fputs(clean, stdout);
}

/* Prints the cause of the first frame that fails, unless the first line is about it. */
static void print_first(const diff_findings *f)
{
    const diff_first *first = &f->first;
    if (!*first->line || f->frame_count - f->equal_count == 1)
        return;
    putchar('\n');
    print_clean(first->line);
    putchar('\n');
    for (size_t i = 0; i < first->made.count && i < FIRST_CHANGES; i++) {
        fputs("  ", stdout);
        print_clean(first->made.changes[i]);
        putchar('\n');
    }
    if (first->made.count > FIRST_CHANGES)
        printf("  and %zu more\n", first->made.count - FIRST_CHANGES);
}

/* Prints the changes between the provenance of the two pictures. */
static void print_made(const diff_made *made)
{
    if (!made->known)
        return;
    if (made->count == 0) {
        puts("\nboth pictures were made with the same settings from the same files");
        return;
    }
    puts("\nchanged files and settings");
    for (size_t i = 0; i < made->count && i < DIFF_MADE_MAX; i++) {
        printf("  ");
        print_clean(made->changes[i]);
        putchar('\n');
    }
    if (made->count > DIFF_MADE_MAX)
        printf("  and %zu more\n", made->count - DIFF_MADE_MAX);
}

/* Prints the difference by material or by bone. */
static void print_table(const mmd_causes *table, const char *title)
{
    char name[1024];
    if (table->sum == 0)
        return;
    printf("\nby %s\n%10s %12s %9s\n", title, "share", "pixels over", "largest");
    for (size_t i = 0; i < table->count; i++) {
        const mmd_cause *row = &table->rows[table->order[i]];
        if (row->sum == 0)
            break;
        if (i == ROWS_SHOWN) {
            puts("       …");
            break;
        }
        printf("%8.2f %% %12" PRIu64 " %9u  ", 100 * mmd_causes_share(table, row), row->over, row->largest);
        print_clean(mmd_cause_name(row, name, sizeof name));
        putchar('\n');
    }
}

/* Prints the metrics of the worst frame, each with its limit. */
static void print_metrics(const diff_findings *f)
{
    const mmd_limits *limits = &f->options->limits;
    const mmd_compare_result *r = &f->frames[f->worst].result;
    if (f->sequence)
        printf("\nframe %" PRId64 ", the worst\n", f->frames[f->worst].number);
    else
        putchar('\n');
    for (int i = 0; i < MMD_METRIC_COUNT; i++) {
        mmd_metric m = (mmd_metric)i;
        char value[64], limit[64], title[64];
        if (!is_shown(f, m))
            continue;
        snprintf(title, sizeof title, "%s", metric_title(m));
        if (m == MMD_METRIC_SHARE)
            snprintf(title, sizeof title, "over %u level%s", f->options->compare.threshold,
                     f->options->compare.threshold == 1 ? "" : "s");
        printf("%-20s %s", title, metric_format(m, mmd_metric_value(m, r), value, sizeof value));
        if (mmd_limits_has(limits, m))
            printf("  (%s %s: %s)", mmd_metric_high_is_good(m) ? "at least" : "at most",
                   metric_format(m, limits->value[m], limit, sizeof limit),
                   mmd_limits_keep(limits, m, r) ? "within" : "exceeded");
        putchar('\n');
    }
}

/* Prints the mean and the worst value of each metric over all frames. */
static void print_summary(const diff_findings *f)
{
    char mean[64], worst[64];
    printf("\n%-20s %-16s %s\n", "all frames", "mean", "worst");
    for (int i = 0; i < MMD_METRIC_COUNT; i++) {
        mmd_metric m = (mmd_metric)i;
        if (!is_shown(f, m))
            continue;
        metric_summary s = findings_summary(f, m);
        /* The mean of whole levels has digits after the point. */
        mmd_metric shown = m == MMD_METRIC_MAX || m == MMD_METRIC_P99 ? MMD_METRIC_MEAN : m;
        printf("%-20s %-16s %s, frame %" PRId64 "\n", metric_title(m),
               metric_format(shown, s.mean, mean, sizeof mean),
               metric_format(m, s.worst, worst, sizeof worst), f->frames[s.frame].number);
    }
}

/* Prints the shift of B if there is one or the sizes differ, and the share of pixels that the masks leave. */
static void print_region(const diff_findings *f)
{
    const diff_frame *frame = &f->frames[f->worst];
    const mmd_compare_result *r = &frame->result;
    uint64_t region = (uint64_t)r->width * r->height;
    char share[32];
    if (memcmp(frame->sizes[0], frame->sizes[1], sizeof frame->sizes[0]) != 0 || r->shift_x || r->shift_y)
        printf("\nA is %ux%u, B is %ux%u, shifted by %d, %d; %ux%u pixels were compared\n",
               frame->sizes[0][0], frame->sizes[0][1], frame->sizes[1][0], frame->sizes[1][1], r->shift_x,
               r->shift_y, r->width, r->height);
    if (r->pixels < region)
        printf("\nthe masks leave %s of the pixels\n",
               mmd_share_text((double)r->pixels / (double)region, share));
}

/* Prints the number of frames, and those that only one input has. */
static void print_frames(const diff_findings *f)
{
    if (f->sequence) {
        printf("\n%zu frame%s: %zu equal, %zu different", f->frame_count, f->frame_count == 1 ? "" : "s",
               f->equal_count, f->frame_count - f->equal_count);
        if (mmd_limits_any(&f->options->limits))
            printf(", %zu beyond the limits", f->bad_count);
        putchar('\n');
        if (f->rates[0] > 0 && f->rates[1] > 0 && f->rates[0] != f->rates[1])
            printf("A has %g frame%s per second, B has %g; frames were paired one by one\n", f->rates[0],
                   f->rates[0] > 1 || f->rates[0] < 1 ? "s" : "", f->rates[1]);
    }
    for (int side = 0; side < 2; side++) {
        size_t count = 0;
        for (size_t i = 0; i < f->missing_count; i++) {
            if (f->missing[i].missing != side)
                continue;
            if (count++ == 0)
                printf("\nmissing in %c: ", side ? 'B' : 'A');
            if (count <= NUMBERS_SHOWN)
                printf("%s%" PRId64, count > 1 ? ", " : "", f->missing[i].number);
        }
        if (count > NUMBERS_SHOWN)
            printf(" and %zu more", count - NUMBERS_SHOWN);
        if (count)
            putchar('\n');
    }
}

void findings_print(const diff_findings *f)
{
    print_clean(f->line);
    putchar('\n');
    print_frames(f);
    if (f->frame_count == 0)
        return;
    print_region(f);
    if (f->verdict == DIFF_EQUAL)
        return;
    print_first(f);
    print_made(&f->made);
    print_table(&f->materials, "material");
    print_table(&f->bones, "bone");
    print_metrics(f);
    if (f->sequence)
        print_summary(f);
}

/* --- JSON --- */

/* Emits a list of whole numbers. */
static void emit_numbers(emitter *j, const char *key, const int64_t *numbers, size_t count)
{
    emit_key(j, key);
    emit_open(j, '[');
    for (size_t i = 0; i < count; i++)
        emit_whole(j, numbers[i]);
    emit_close(j, ']');
}

/* Emits the sizes, the alignment and the metrics of a frame. */
static void emit_frame(emitter *j, const diff_findings *f, const diff_frame *frame)
{
    const mmd_compare_result *r = &frame->result;
    emit_open(j, '{');
    emit_member_whole(j, "frame", frame->number);
    emit_member_text(j, "a", frame->names[0]);
    emit_member_text(j, "b", frame->names[1]);
    emit_member_bool(j, "equal", frame->equal);
    emit_member_bool(j, "ok", frame->good);
    emit_numbers(j, "size_a", (const int64_t[]){frame->sizes[0][0], frame->sizes[0][1]}, 2);
    emit_numbers(j, "size_b", (const int64_t[]){frame->sizes[1][0], frame->sizes[1][1]}, 2);
    emit_numbers(j, "shift", (const int64_t[]){r->shift_x, r->shift_y}, 2);
    emit_numbers(j, "region", (const int64_t[]){r->a_x, r->a_y, r->width, r->height}, 4);
    emit_member_bool(j, "alpha", r->alpha);
    emit_member_whole(j, "pixels", (int64_t)r->pixels);
    emit_member_whole(j, "over", (int64_t)r->over);
    for (int m = 0; m < MMD_METRIC_COUNT; m++)
        if (is_shown(f, (mmd_metric)m))
            emit_member_real(j, mmd_metric_name((mmd_metric)m), mmd_metric_value((mmd_metric)m, r));
    if (f->options->compare.ssim)
        emit_member_real(j, "ssim_luma", r->ssim_luma);
    if (f->options->compare.flip) {
        emit_member_real(j, "flip_weighted_median", r->flip_weighted_median);
        emit_member_real(j, "flip_max", r->flip_max);
    }
    emit_close(j, '}');
}

/* Emits the difference by material or by bone. */
static void emit_table(emitter *j, const char *key, const char *part, const mmd_causes *table)
{
    emit_key(j, key);
    emit_open(j, '[');
    for (size_t i = 0; i < table->count; i++) {
        const mmd_cause *row = &table->rows[table->order[i]];
        emit_open(j, '{');
        emit_member_whole(j, "row", table->order[i]);
        emit_key(j, "model");
        row->outside ? emit_null(j) : emit_text(j, row->model);
        emit_key(j, part);
        row->outside ? emit_null(j) : emit_text(j, row->part);
        emit_member_real(j, "share", mmd_causes_share(table, row));
        emit_member_whole(j, "pixels", (int64_t)row->pixels);
        emit_member_whole(j, "over", (int64_t)row->over);
        emit_member_whole(j, "sum", (int64_t)row->sum);
        emit_member_whole(j, "largest", row->largest);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

/* Emits the changes of provenance; null when they are unknown. */
static void emit_made(emitter *j, const diff_made *made)
{
    emit_key(j, "made");
    if (!made->known) {
        emit_null(j);
        return;
    }
    emit_open(j, '{');
    emit_member_whole(j, "changes", (int64_t)made->count);
    emit_key(j, "texts");
    emit_open(j, '[');
    for (size_t i = 0; i < made->count && i < DIFF_MADE_MAX; i++)
        emit_text(j, made->changes[i]);
    emit_close(j, ']');
    emit_close(j, '}');
}

/* Emits the first frame of a sequence that fails, with its causes; null if there is none. */
static void emit_first(emitter *j, const diff_findings *f)
{
    const diff_first *first = &f->first;
    emit_key(j, "first");
    if (!*first->line) {
        emit_null(j);
        return;
    }
    emit_open(j, '{');
    emit_member_whole(j, "frame", f->frames[first->frame].number);
    emit_member_text(j, "text", first->line);
    emit_made(j, &first->made);
    emit_table(j, "materials", "material", &first->materials);
    emit_table(j, "bones", "bone", &first->bones);
    emit_close(j, '}');
}

/* Emits the changes of provenance (null when unknown) and the kind of difference (null when it was not looked
 * for). */
static void emit_cause(emitter *j, const diff_findings *f)
{
    const diff_nature *n = &f->nature;
    char text[256];
    emit_made(j, &f->made);
    emit_key(j, "kind");
    if (!f->has_nature) {
        emit_null(j);
        return;
    }
    emit_open(j, '{');
    emit_member_text(j, "name", nature_name(n));
    emit_member_text(j, "text", nature_clause(n, text, sizeof text));
    if (n->found.kind == MMD_DIFFERENCE_MOVED)
        emit_numbers(j, "moved", (const int64_t[]){n->found.moved[0], n->found.moved[1]}, 2);
    if (n->found.has_factor) {
        emit_key(j, "factor");
        emit_open(j, '[');
        for (int k = 0; k < 3; k++)
            emit_real(j, n->found.factor[k]);
        emit_close(j, ']');
    }
    emit_numbers(j, "box",
                 (const int64_t[]){n->found.box[0], n->found.box[1], n->found.box[2], n->found.box[3]}, 4);
    emit_close(j, '}');
}

/* Emits the limits, each with the number of frames beyond it. */
static void emit_limits(emitter *j, const diff_findings *f)
{
    const mmd_limits *limits = &f->options->limits;
    emit_key(j, "limits");
    emit_open(j, '[');
    for (int m = 0; m < MMD_METRIC_COUNT; m++) {
        size_t broken = 0;
        if (!mmd_limits_has(limits, (mmd_metric)m))
            continue;
        for (size_t i = 0; i < f->frame_count; i++)
            broken += !mmd_limits_keep(limits, (mmd_metric)m, &f->frames[i].result);
        emit_open(j, '{');
        emit_member_text(j, "metric", mmd_metric_name((mmd_metric)m));
        emit_member_real(j, mmd_metric_high_is_good((mmd_metric)m) ? "min" : "max", limits->value[m]);
        emit_member_whole(j, "frames_beyond", (int64_t)broken);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

/* Emits the summary of each metric, the frames, and the frames that only one input has. */
static void emit_frames(emitter *j, const diff_findings *f)
{
    emit_key(j, "summary");
    emit_open(j, '{');
    for (int m = 0; m < MMD_METRIC_COUNT && f->frame_count; m++) {
        if (!is_shown(f, (mmd_metric)m))
            continue;
        metric_summary s = findings_summary(f, (mmd_metric)m);
        emit_key(j, mmd_metric_name((mmd_metric)m));
        emit_open(j, '{');
        emit_member_real(j, "mean", s.mean);
        emit_member_real(j, "worst", s.worst);
        emit_member_whole(j, "frame", f->frames[s.frame].number);
        emit_close(j, '}');
    }
    emit_close(j, '}');
    emit_key(j, "frames");
    emit_open(j, '[');
    for (size_t i = 0; i < f->frame_count; i++)
        emit_frame(j, f, &f->frames[i]);
    emit_close(j, ']');
    emit_key(j, "missing");
    emit_open(j, '[');
    for (size_t i = 0; i < f->missing_count; i++) {
        emit_open(j, '{');
        emit_member_text(j, "in", f->missing[i].missing ? "b" : "a");
        emit_member_whole(j, "frame", f->missing[i].number);
        emit_member_text(j, "other", f->missing[i].name);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

void findings_emit(emitter *j, const diff_findings *f)
{
    static const char *const verdicts[] = {"equal", "within", "different"};
    emit_open(j, '{');
    emit_member_text(j, "verdict", verdicts[f->verdict]);
    emit_member_whole(j, "exit", f->verdict == DIFF_DIFFERENT ? EXIT_NO : EXIT_DONE);
    emit_member_text(j, "text", f->line);
    emit_member_text(j, "a", f->options->paths[0]);
    emit_member_text(j, "b", f->options->paths[1]);
    emit_member_bool(j, "sequence", f->sequence);
    emit_member_bool(j, "ids", f->has_ids);
    emit_member_whole(j, "threshold", f->options->compare.threshold);
    emit_limits(j, f);
    emit_key(j, "worst");
    if (f->frame_count)
        emit_whole(j, f->frames[f->worst].number);
    else
        emit_null(j);
    emit_first(j, f);
    emit_cause(j, f);
    emit_table(j, "materials", "material", &f->materials);
    emit_table(j, "bones", "bone", &f->bones);
    emit_frames(j, f);
    emit_close(j, '}');
}

bool findings_write_json(const diff_findings *f, const char *path)
{
    output out;
    if (!output_open(&out, path))
        return false;
    emitter j = {.out = out.stream};
    findings_emit(&j, f);
    putc('\n', out.stream);
    return output_commit(&out);
}

void findings_finish(diff_findings *f)
{
    for (size_t i = 0; i < f->frame_count; i++) {
        mmd_free(f->frames[i].names[0]);
        mmd_free(f->frames[i].names[1]);
    }
    for (size_t i = 0; i < f->missing_count; i++)
        mmd_free(f->missing[i].name);
    mmd_free(f->frames);
    mmd_free(f->missing);
    mmd_causes_finish(&f->materials);
    mmd_causes_finish(&f->bones);
    mmd_causes_finish(&f->first.materials);
    mmd_causes_finish(&f->first.bones);
    *f = (diff_findings){0};
}
