/* The difference by material and by bone, added up over frames. Parts are told apart by model and index. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "mmd/memory.h"
#include "base/parse.h"

static const ids_part *part_of(const ids_picture *ids, unsigned part, uint32_t id)
{
    if (id == 0)
        return NULL;
    return part == MMD_LABEL_MATERIAL ? &ids->materials[id - 1] : &ids->bones[id - 1];
}

size_t cause_find(const cause_table *table, const ids_picture *ids, unsigned part, uint32_t id)
{
    const ids_part *p = part_of(ids, part, id);
    for (size_t i = 0; i < table->count; i++) {
        const cause_row *row = &table->rows[i];
        if (!p && row->outside)
            return i;
        if (p && !row->outside && row->model_index == p->model && row->part_index == p->index &&
            strcmp(row->part, p->name) == 0 && strcmp(row->model, ids->models[p->model]) == 0)
            return i;
    }
    return SIZE_MAX;
}

static cause_row *add_row(cause_table *table, const ids_picture *ids, const ids_part *p)
{
    cause_row *grown = mmd_realloc(table->rows, (table->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    table->rows = grown;
    cause_row row = {.outside = !p,
                     .model = copy_text(p ? ids->models[p->model] : ""),
                     .part = copy_text(p ? p->name : ""),
                     .model_index = p ? p->model : 0,
                     .part_index = p ? p->index : 0};
    table->rows[table->count] = row;
    if (row.model && row.part)
        return &table->rows[table->count++];
    mmd_free(row.model);
    mmd_free(row.part);
    return NULL;
}

static bool add_share(cause_table *table, const ids_picture *ids, unsigned part, const mmd_label_share *share)
{
    uint32_t id = share->ids[part == MMD_LABEL_MATERIAL ? 1 : 2];
    size_t found = cause_find(table, ids, part, id);
    cause_row *row = found != SIZE_MAX ? &table->rows[found] : add_row(table, ids, part_of(ids, part, id));
    if (!row)
        return false;
    row->pixels += share->pixels;
    row->over += share->over;
    row->sum += share->sum;
    row->largest = share->largest > row->largest ? share->largest : row->largest;
    table->sum += share->sum;
    return true;
}

mmd_status cause_add(cause_table *table, const mmd_compare *compare, const ids_picture *ids, unsigned part,
                     mmd_error *error)
{
    mmd_label_plane labels = {ids->width, ids->height, (const uint32_t(*)[3])ids->ids};
    size_t capacity = (part == MMD_LABEL_MATERIAL ? ids->material_count : ids->bone_count) + 1, count = 0;
    mmd_label_share *shares = mmd_alloc(capacity * sizeof *shares);
    mmd_status status = shares ? mmd_compare_by_label(compare, &labels, part, shares, capacity, &count, error)
                               : MMD_ERROR_MEMORY;
    for (size_t i = 0; i < count && status == MMD_OK; i++)
        if (!add_share(table, ids, part, &shares[i]))
            status = MMD_ERROR_MEMORY;
    mmd_free(shares);
    if (status == MMD_ERROR_MEMORY)
        mmd_error_set(error, status, "", MMD_NO_OFFSET, "for the table of causes");
    return status;
}

/* The largest sum first, then as they appeared. */
static bool comes_before(const cause_table *table, uint32_t a, uint32_t b)
{
    uint64_t x = table->rows[a].sum, y = table->rows[b].sum;
    return x != y ? x > y : a < b;
}

bool cause_sort(cause_table *table)
{
    mmd_free(table->order);
    table->order = mmd_alloc(table->count * sizeof *table->order);
    if (!table->order)
        return false;
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t at = i;
        for (; at > 0 && comes_before(table, i, table->order[at - 1]); at--)
            table->order[at] = table->order[at - 1];
        table->order[at] = i;
    }
    return true;
}

void cause_finish(cause_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        mmd_free(table->rows[i].model);
        mmd_free(table->rows[i].part);
    }
    mmd_free(table->rows);
    mmd_free(table->order);
    *table = (cause_table){0};
}

double cause_share(const cause_table *table, const cause_row *row)
{
    return table->sum ? (double)row->sum / (double)table->sum : 0;
}

const char *cause_name(const cause_row *row, char *text, size_t capacity)
{
    if (row->outside)
        snprintf(text, capacity, "(outside of every model)");
    else
        snprintf(text, capacity, "%s/%s", row->model, row->part);
    return text;
}
