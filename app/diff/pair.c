/* Adds a compared pair of pictures to the findings, and writes the difference of a single pair for the page.
 */
#include "pair.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/system.h"
#include "internal.h"
#include "mmd/memory.h"
#include "report.h"

/* --- Adding a pair to the findings --- */

void findings_judge(diff_findings *found, diff_frame *frame)
{
    const mmd_limits *limits = &found->options->limits;
    frame->equal = memcmp(frame->sizes[0], frame->sizes[1], sizeof frame->sizes[0]) == 0 &&
                   frame->result.levels[MMD_COMPARE_PIXELS].largest == 0;
    frame->good = frame->equal || mmd_limits_any(limits);
    for (int m = 0; m < MMD_METRIC_COUNT && mmd_limits_any(limits); m++)
        frame->good = frame->good && mmd_limits_keep(limits, (mmd_metric)m, &frame->result);
    found->pixels += frame->result.pixels;
}

/* Returns the row of a material's id, or SIZE_MAX for UINT32_MAX. */
static size_t row_of(const report_frame *compared, const mmd_causes *materials, uint32_t material)
{
    return material == UINT32_MAX ? SIZE_MAX
                                  : mmd_causes_find(materials, compared->ids, MMD_LABEL_MATERIAL, material);
}

/* Returns whether a frame is worse: it differs and the other is equal, or its mean difference is larger. */
static bool is_worse(const diff_frame *frame, const diff_frame *than)
{
    if (frame->equal != than->equal)
        return !frame->equal;
    return frame->result.levels[MMD_COMPARE_CHANNELS].mean > than->result.levels[MMD_COMPARE_CHANNELS].mean;
}

/* Adds the difference of a frame to tables by material and by bone, if there are ids. */
static mmd_status add_to_tables(const report_frame *compared, mmd_causes *materials, mmd_causes *bones,
                                mmd_error *error)
{
    mmd_status status = MMD_OK;
    if (compared->ids)
        status = mmd_causes_add(materials, compared->compare, compared->ids, MMD_LABEL_MATERIAL, error);
    if (compared->ids && status == MMD_OK)
        status = mmd_causes_add(bones, compared->compare, compared->ids, MMD_LABEL_BONE, error);
    return status;
}

/* Notes the causes of a frame if it is the worst so far, or the first that fails. */
static mmd_status note_frame(diff_findings *found, const report_frame *compared, mmd_error *error)
{
    const diff_frame *frame = compared->frame;
    diff_first *first = &found->first;
    size_t index = (size_t)(frame - found->frames);
    bool is_worst = index == 0 || is_worse(frame, &found->frames[found->worst]);
    bool is_first = !frame->good && !first->found;
    diff_nature nature = {.found.material = UINT32_MAX};
    bool differs = frame->result.levels[MMD_COMPARE_PIXELS].largest > 0;
    mmd_status status = MMD_OK;
    if ((is_worst || is_first) && differs)
        status = mmd_difference_find(compared->compare, compared->a, compared->ids, &nature.found, error);
    if (is_worst)
        found->worst = index;
    if (is_worst && differs) {
        found->nature = nature;
        found->has_nature = status == MMD_OK;
        found->nature_row = row_of(compared, &found->materials, nature.found.material);
    }
    if (is_first && status == MMD_OK) {
        *first =
            (diff_first){.found = true, .has_ids = compared->ids != NULL, .frame = index, .nature = nature};
        status = add_to_tables(compared, &first->materials, &first->bones, error);
        first->nature_row = row_of(compared, &first->materials, nature.found.material);
    }
    return status;
}

mmd_status findings_add_causes(diff_findings *found, const report_frame *compared, diff_report *report,
                               mmd_error *error)
{
    mmd_status status = add_to_tables(compared, &found->materials, &found->bones, error);
    if (status == MMD_OK)
        status = note_frame(found, compared, error);
    if (status == MMD_OK && report)
        status = report_add(report, compared, error);
    return status;
}

/* --- The difference of a single pair --- */

static const char script_begin[] = "odoriDifference(", script_end[] = ");\n";

/* Compares the pair and adds it to the findings, which have space for one frame. */
static mmd_status compare_pair(mmd_compare *compare, const diff_pair *pair, diff_findings *found,
                               diff_report *report, mmd_error *error)
{
    diff_frame *frame = found->frames;
    const report_frame compared = {.compare = compare,
                                   .frame = frame,
                                   .a = pair->a,
                                   .ids = pair->ids,
                                   .materials = &found->materials,
                                   .bones = &found->bones,
                                   .mask = pair->mask};
    *frame = (diff_frame){
        .number = (int64_t)pair->number,
        .names = {copy_text(pair->names[0]), copy_text(pair->names[1])},
        .sizes = {{pair->a->width, pair->a->height}, {pair->b->width, pair->b->height}},
    };
    found->frame_count = 1;
    if (!frame->names[0] || !frame->names[1])
        return MMD_ERROR_MEMORY;
    mmd_status status =
        mmd_compare_run(compare, pair->a, pair->b, &found->options->compare, &frame->result, error);
    if (status != MMD_OK)
        return status;
    findings_judge(found, frame);
    status = findings_add_causes(found, &compared, report, error);
    return status == MMD_OK && !findings_conclude(found) ? MMD_ERROR_MEMORY : status;
}

/* Appends the script with the data of the page. */
static mmd_status write_script(const diff_report *report, const diff_findings *found, mmd_buffer *out)
{
    system_memory memory;
    if (system_memory_open(&memory))
        report_emit(&(emitter){.out = memory.stream}, report, found);
    char *data = system_memory_close(&memory);
    if (data) {
        mmd_write_bytes(out, script_begin, sizeof script_begin - 1);
        mmd_write_bytes(out, data, memory.size);
        mmd_write_bytes(out, script_end, sizeof script_end - 1);
    }
    const bool ok = data && !out->failed;
    free(data);
    return ok ? MMD_OK : MMD_ERROR_MEMORY;
}

mmd_status diff_pair_write(mmd_compare *compare, const diff_pair *pair, mmd_buffer *out,
                           char material[DIFF_PAIR_MATERIAL_MAX], mmd_error *error)
{
    diff_options options = {
        .paths = {pair->names[0], pair->names[1]}, .limits = *pair->limits, .compare = *pair->compare};
    diff_findings found = {.options = &options,
                           .frames = mmd_alloc(sizeof *found.frames),
                           .has_ids = pair->ids != NULL,
                           .nature_row = SIZE_MAX};
    diff_report *report = report_create();
    for (int m = 0; m < MMD_METRIC_COUNT; m++)
        options.wanted[m] = true;
    options.compare.ssim = options.compare.flip = true;
    material[0] = '\0';
    mmd_status status =
        found.frames && report ? compare_pair(compare, pair, &found, report, error) : MMD_ERROR_MEMORY;
    if (status == MMD_OK)
        status = write_script(report, &found, out);
    if (status == MMD_OK && found.materials.count && found.materials.sum) {
        const mmd_cause *row = &found.materials.rows[found.materials.order[0]];
        if (!row->outside)
            snprintf(material, DIFF_PAIR_MATERIAL_MAX, "%.500s of %.500s", row->part, row->model);
    }
    report_destroy(report);
    findings_finish(&found);
    if (status == MMD_ERROR_MEMORY)
        mmd_error_set(error, status, "", MMD_NO_OFFSET, "while writing the difference of two pictures");
    return status;
}

bool diff_pair_is_script(const void *script, size_t size)
{
    const size_t begin = sizeof script_begin - 1, end = sizeof script_end - 1;
    const char *text = script;
    if (size < begin + end || memcmp(text, script_begin, begin) != 0 ||
        memcmp(text + size - end, script_end, end) != 0)
        return false;
    json_t *data = json_loadb(text + begin, size - begin - end, JSON_REJECT_DUPLICATES, NULL);
    const bool ok = json_is_object(data);
    json_decref(data);
    return ok;
}
