/*
 * Writes the report of `odori diff`: the page, filled with the findings as JSON and with pictures as PNG in
 * data: URIs. A stored frame consists of A, B, a picture of planes (red: difference in levels, green: FLIP,
 * blue: 0 where masked), and two pictures with the rows of the tables by cause (red and green: 1 + row, 0 for
 * none).
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/html.h"
#include "mmd/memory.h"
#include "base/paths.h"
#include "base/system.h"
#include "page.h"

enum { WORST_MAX = 8, REGULAR_MAX = 24 };
static const size_t stored_bytes_max = (size_t)64 << 20; /* of PNG files; further frames are dropped */

enum { PICTURE_A, PICTURE_B, PICTURE_PLANES, PICTURE_MATERIALS, PICTURE_BONES, PICTURE_COUNT };

typedef struct stored_frame {
    size_t index; /* index among the compared frames */
    double score;
    bool worst, regular; /* why it is stored */
    mmd_buffer pictures[PICTURE_COUNT];
} stored_frame;

struct diff_report {
    stored_frame frames[WORST_MAX + REGULAR_MAX + 1];
    size_t count;
    size_t added, every; /* frames so far; every `every`-th one is stored as a regular one */
};

diff_report *report_create(void)
{
    diff_report *r = mmd_alloc(sizeof *r);
    if (r)
        *r = (diff_report){.every = 1};
    return r;
}

static void finish_frame(stored_frame *frame)
{
    for (int i = 0; i < PICTURE_COUNT; i++)
        mmd_buffer_finish(&frame->pictures[i]);
    *frame = (stored_frame){0};
}

void report_destroy(diff_report *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->count; i++)
        finish_frame(&r->frames[i]);
    mmd_free(r);
}

/* --- Pictures --- */

static mmd_status encode(const mmd_image *image, mmd_buffer *png, mmd_error *error)
{
    return mmd_png_write(image, &(mmd_png_options){.level = MMD_PNG_FAST}, png, error);
}

/* Encodes the compared regions of A and B. */
static mmd_status encode_regions(const report_frame *from, stored_frame *to, mmd_error *error)
{
    mmd_image image = {0};
    mmd_status status = mmd_compare_region_a(from->compare, &image, error);
    if (status == MMD_OK)
        status = encode(&image, &to->pictures[PICTURE_A], error);
    mmd_image_finish(&image);
    if (status != MMD_OK || from->frame->equal)
        return status; /* B is stored only if it differs */
    status = mmd_compare_region_b(from->compare, &image, error);
    if (status == MMD_OK)
        status = encode(&image, &to->pictures[PICTURE_B], error);
    mmd_image_finish(&image);
    return status;
}

/* Returns whether a pixel of the region is not masked. */
static bool is_compared(const report_frame *from, uint32_t x, uint32_t y)
{
    const mmd_compare_result *r = &from->frame->result;
    return !from->mask || from->mask->pixels[(size_t)(y + r->a_y) * from->mask->width + x + r->a_x];
}

/* Encodes the picture with difference, FLIP and mask. */
static mmd_status encode_planes(const report_frame *from, stored_frame *to, mmd_error *error)
{
    const mmd_compare_result *r = &from->frame->result;
    const uint8_t *difference = mmd_compare_difference(from->compare);
    const float *flip = mmd_compare_flip(from->compare);
    mmd_image image = {0};
    mmd_status status = mmd_image_init(&image, r->width, r->height, error);
    for (uint32_t y = 0; y < r->height && status == MMD_OK; y++) {
        for (uint32_t x = 0; x < r->width; x++) {
            size_t i = (size_t)y * r->width + x;
            image.pixels[4 * i] = difference[i];
            image.pixels[4 * i + 1] = flip ? (uint8_t)(flip[i] * 255.0f + 0.5f) : 0;
            image.pixels[4 * i + 2] = is_compared(from, x, y) ? 255 : 0;
            image.pixels[4 * i + 3] = 255;
        }
    }
    if (status == MMD_OK)
        status = encode(&image, &to->pictures[PICTURE_PLANES], error);
    mmd_image_finish(&image);
    return status;
}

/* Returns the number of each id in pictures of the report: 1 + row, or 0. NULL: out of memory. */
static uint16_t *number_rows(const mmd_ids *ids, unsigned part, const mmd_causes *table)
{
    size_t count = part == MMD_LABEL_MATERIAL ? ids->material_count : ids->bone_count;
    uint16_t *numbers = mmd_alloc((count + 1) * sizeof *numbers);
    for (size_t i = 0; numbers && i <= count; i++) {
        size_t row = mmd_causes_find(table, ids, part, (uint32_t)i);
        numbers[i] = row < UINT16_MAX ? (uint16_t)(row + 1) : 0;
    }
    return numbers;
}

/* Encodes the picture with the rows of a table by cause. */
static mmd_status encode_rows(const report_frame *from, unsigned part, mmd_buffer *png, mmd_error *error)
{
    const mmd_compare_result *r = &from->frame->result;
    bool materials = part == MMD_LABEL_MATERIAL;
    uint16_t *numbers = number_rows(from->ids, part, materials ? from->materials : from->bones);
    mmd_image image = {0};
    if (!numbers)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "while writing the report");
    mmd_status status = mmd_image_init(&image, r->width, r->height, error);
    for (uint32_t y = 0; y < r->height && status == MMD_OK; y++) {
        for (uint32_t x = 0; x < r->width; x++) {
            size_t at = (size_t)(y + r->a_y) * from->ids->width + x + r->a_x;
            uint16_t number = numbers[from->ids->ids[at][materials ? 1 : 2]];
            uint8_t *p = image.pixels + 4 * ((size_t)y * r->width + x);
            p[0] = (uint8_t)(number >> 8);
            p[1] = (uint8_t)number;
            p[3] = 255;
        }
    }
    if (status == MMD_OK)
        status = encode(&image, png, error);
    mmd_image_finish(&image);
    mmd_free(numbers);
    return status;
}

static mmd_status encode_frame(const report_frame *from, stored_frame *to, mmd_error *error)
{
    mmd_status status = encode_regions(from, to, error);
    if (status == MMD_OK)
        status = encode_planes(from, to, error);
    if (status == MMD_OK && from->ids)
        status = encode_rows(from, MMD_LABEL_MATERIAL, &to->pictures[PICTURE_MATERIALS], error);
    if (status == MMD_OK && from->ids)
        status = encode_rows(from, MMD_LABEL_BONE, &to->pictures[PICTURE_BONES], error);
    return status;
}

/* --- Choosing frames --- */

/* Returns the size of all stored PNG files. */
static size_t bytes_of(const diff_report *r)
{
    size_t bytes = 0;
    for (size_t i = 0; i < r->count; i++)
        for (int k = 0; k < PICTURE_COUNT; k++)
            bytes += r->frames[i].pictures[k].size;
    return bytes;
}

/* Returns the number of stored frames that are among the worst, or that are regular. */
static size_t count_of(const diff_report *r, bool worst)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++)
        count += worst ? r->frames[i].worst : r->frames[i].regular;
    return count;
}

/* Returns the frame with the lowest score among the worst ones, or NULL. */
static stored_frame *least_worst(diff_report *r)
{
    stored_frame *least = NULL;
    for (size_t i = 0; i < r->count; i++)
        if (r->frames[i].worst && (!least || r->frames[i].score < least->score))
            least = &r->frames[i];
    return least;
}

/* Keeps only every second one of the regular frames. */
static void thin_out(diff_report *r)
{
    r->every *= 2;
    for (size_t i = 0; i < r->count; i++)
        r->frames[i].regular = r->frames[i].index % r->every == 0;
}

/* Removes frames that are neither among the worst nor regular. */
static void drop_unwanted(diff_report *r)
{
    size_t stored = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (r->frames[i].worst || r->frames[i].regular)
            r->frames[stored++] = r->frames[i];
        else
            finish_frame(&r->frames[i]);
    }
    r->count = stored;
}

/* Drops frames beyond the limits of number and size, but never the last one. */
static void drop_beyond_limits(diff_report *r)
{
    if (count_of(r, true) > WORST_MAX)
        least_worst(r)->worst = false;
    if (count_of(r, false) > REGULAR_MAX)
        thin_out(r);
    drop_unwanted(r);
    while (r->count > 1 && bytes_of(r) > stored_bytes_max) {
        if (count_of(r, false) > 1)
            thin_out(r);
        else if (count_of(r, true) > 1)
            least_worst(r)->worst = false;
        else
            break;
        drop_unwanted(r);
    }
}

mmd_status report_add(diff_report *r, const report_frame *from, mmd_error *error)
{
    const diff_frame *frame = from->frame;
    stored_frame stored = {.index = r->added++,
                           .score = frame->result.levels[MMD_COMPARE_CHANNELS].mean + (frame->equal ? 0 : 1)};
    stored.regular = stored.index % r->every == 0;
    stored.worst = !frame->equal && (count_of(r, true) < WORST_MAX || stored.score > least_worst(r)->score);
    if (!stored.regular && !stored.worst)
        return MMD_OK;
    mmd_status status = encode_frame(from, &stored, error);
    if (status != MMD_OK) {
        finish_frame(&stored);
        return status;
    }
    r->frames[r->count++] = stored;
    drop_beyond_limits(r);
    return MMD_OK;
}

/* --- Writing --- */

static int by_index(const void *a, const void *b)
{
    size_t x = (*(const stored_frame *const *)a)->index, y = (*(const stored_frame *const *)b)->index;
    return x < y ? -1 : x > y;
}

void report_emit(emitter *j, const diff_report *r, const diff_findings *findings)
{
    static const char *const keys[] = {"a", "b", "planes", "materials", "bones"};
    const stored_frame *sorted[sizeof r->frames / sizeof *r->frames];
    for (size_t i = 0; i < r->count; i++)
        sorted[i] = &r->frames[i];
    qsort(sorted, r->count, sizeof *sorted, by_index);
    emit_open(j, '{');
    emit_member_whole(j, "every", (int64_t)r->every);
    emit_member_whole(j, "worst_count", (int64_t)count_of(r, true));
    emit_key(j, "findings");
    findings_emit(j, findings);
    emit_key(j, "kept");
    emit_open(j, '[');
    for (size_t i = 0; i < r->count; i++) {
        emit_open(j, '{');
        emit_member_whole(j, "index", (int64_t)sorted[i]->index);
        emit_member_bool(j, "worst", sorted[i]->worst);
        for (int k = 0; k < PICTURE_COUNT; k++) {
            const mmd_buffer *png = &sorted[i]->pictures[k];
            if (!png->size)
                continue;
            emit_key(j, keys[k]);
            putc('"', j->out);
            html_put_png(j->out, png->data, png->size);
            putc('"', j->out);
            j->comma = true;
        }
        emit_close(j, '}');
    }
    emit_close(j, ']');
    emit_close(j, '}');
}

bool report_write(const diff_report *r, const diff_findings *findings, const char *folder, problem *why)
{
    char *data = NULL;
    system_memory memory;
    const size_t path_size = strlen(folder) + sizeof "/index.html";
    if (!path_make_subfolder(folder))
        return problem_set(why, EXIT_FACILITY, "%s", "");
    char *path = mmd_alloc(path_size);
    if (path && system_memory_open(&memory)) {
        report_emit(&(emitter){.out = memory.stream}, r, findings);
        data = system_memory_close(&memory);
    }
    bool ok = data != NULL;
    if (!ok) {
        problem_out_of_memory(why);
    } else {
        snprintf(path, path_size, "%s/index.html", folder);
        ok = page_write(path, data, false) || problem_set(why, EXIT_FACILITY, "%s", "");
    }
    free(data);
    mmd_free(path);
    return ok;
}
