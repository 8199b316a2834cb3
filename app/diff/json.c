/* What `odori diff` found out, as JSON; the report embeds the same. */
#include <string.h>

#include "base/message.h"
#include "internal.h"
#include "json.h"
#include "base/output.h"

static void emit_pair(emitter *j, const char *key, int64_t x, int64_t y)
{
    emit_key(j, key);
    emit_open(j, '[');
    emit_whole(j, x);
    emit_whole(j, y);
    emit_close(j, ']');
}

static void emit_metrics(emitter *j, const diff_findings *f, const mmd_compare_result *r)
{
    for (int m = 0; m < MMD_METRIC_COUNT; m++)
        if (f->options->wanted[m] || mmd_limits_has(&f->options->limits, (mmd_metric)m))
            emit_member_real(j, mmd_metric_name((mmd_metric)m), mmd_metric_value((mmd_metric)m, r));
    if (f->options->compare.ssim)
        emit_member_real(j, "ssim_luma", r->ssim_luma);
    if (f->options->compare.flip) {
        emit_member_real(j, "flip_weighted_median", r->flip_weighted_median);
        emit_member_real(j, "flip_max", r->flip_max);
    }
}

static void emit_frame(emitter *j, const diff_findings *f, const diff_frame *frame)
{
    const mmd_compare_result *r = &frame->result;
    emit_open(j, '{');
    emit_member_whole(j, "frame", frame->number);
    emit_member_text(j, "a", frame->names[0]);
    emit_member_text(j, "b", frame->names[1]);
    emit_member_bool(j, "equal", frame->equal);
    emit_member_bool(j, "ok", frame->good);
    emit_pair(j, "size_a", frame->sizes[0][0], frame->sizes[0][1]);
    emit_pair(j, "size_b", frame->sizes[1][0], frame->sizes[1][1]);
    emit_pair(j, "shift", r->shift_x, r->shift_y);
    emit_key(j, "region");
    emit_open(j, '[');
    emit_whole(j, r->a_x);
    emit_whole(j, r->a_y);
    emit_whole(j, r->width);
    emit_whole(j, r->height);
    emit_close(j, ']');
    emit_member_bool(j, "alpha", r->alpha);
    emit_member_whole(j, "pixels", (int64_t)r->pixels);
    emit_member_whole(j, "over", (int64_t)r->over);
    emit_metrics(j, f, r);
    emit_close(j, '}');
}

static void emit_table(emitter *j, const char *key, const char *part, const cause_table *table)
{
    emit_key(j, key);
    emit_open(j, '[');
    for (size_t i = 0; i < table->count; i++) {
        const cause_row *row = &table->rows[table->order[i]];
        emit_open(j, '{');
        emit_member_whole(j, "row", table->order[i]);
        emit_key(j, "model");
        row->outside ? emit_null(j) : emit_text(j, row->model);
        emit_key(j, part);
        row->outside ? emit_null(j) : emit_text(j, row->part);
        emit_member_real(j, "share", cause_share(table, row));
        emit_member_whole(j, "pixels", (int64_t)row->pixels);
        emit_member_whole(j, "over", (int64_t)row->over);
        emit_member_whole(j, "sum", (int64_t)row->sum);
        emit_member_whole(j, "largest", row->largest);
        emit_close(j, '}');
    }
    emit_close(j, ']');
}

static void emit_nature(emitter *j, const diff_findings *f)
{
    const diff_nature *n = &f->nature;
    char text[256];
    emit_key(j, "kind");
    if (!f->has_nature) {
        emit_null(j);
        return;
    }
    emit_open(j, '{');
    emit_member_text(j, "name", nature_name(n->kind));
    emit_member_text(j, "text", nature_clause(n, text, sizeof text));
    if (n->kind == DIFF_KIND_MOVED)
        emit_pair(j, "moved", n->moved[0], n->moved[1]);
    if (n->has_factor) {
        emit_key(j, "factor");
        emit_open(j, '[');
        for (int k = 0; k < 3; k++)
            emit_real(j, n->factor[k]);
        emit_close(j, ']');
    }
    emit_key(j, "box");
    emit_open(j, '[');
    for (int k = 0; k < 4; k++)
        emit_whole(j, n->box[k]);
    emit_close(j, ']');
    emit_close(j, '}');
}

/* null: the pictures do not say it. */
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

static void emit_summary(emitter *j, const diff_findings *f)
{
    emit_key(j, "summary");
    emit_open(j, '{');
    for (int m = 0; m < MMD_METRIC_COUNT && f->frame_count; m++) {
        if (!f->options->wanted[m] && !mmd_limits_has(&f->options->limits, (mmd_metric)m))
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
}

static void emit_missing(emitter *j, const diff_findings *f)
{
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
    emit_member_whole(j, "exit", f->exit_code);
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
    emit_made(j, &f->made);
    emit_nature(j, f);
    emit_table(j, "materials", "material", &f->materials);
    emit_table(j, "bones", "bone", &f->bones);
    emit_summary(j, f);
    emit_key(j, "frames");
    emit_open(j, '[');
    for (size_t i = 0; i < f->frame_count; i++)
        emit_frame(j, f, &f->frames[i]);
    emit_close(j, ']');
    emit_missing(j, f);
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
