/* Adds up differences by model, material or bone, over any number of pictures (difference.h). */
#include "mmd/difference.h"
#include "mmd/memory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Returns the position of a part's id in the ids of a pixel. */
static size_t id_of(unsigned part)
{
    assert(part == MMD_LABEL_MODEL || part == MMD_LABEL_MATERIAL || part == MMD_LABEL_BONE);
    return part == MMD_LABEL_MODEL ? 0 : part == MMD_LABEL_MATERIAL ? 1 : 2;
}

/* Returns what an id, which is not 0, stands for. A model is a part of itself without a name. */
static mmd_ids_part part_of(const mmd_ids *ids, unsigned part, uint32_t id)
{
    if (part == MMD_LABEL_MODEL)
        return (mmd_ids_part){.name = "", .model = id - 1};
    return part == MMD_LABEL_MATERIAL ? ids->materials[id - 1] : ids->bones[id - 1];
}

size_t mmd_causes_find(const mmd_causes *causes, const mmd_ids *ids, unsigned part, uint32_t id)
{
    assert(causes && ids);
    const mmd_ids_part p = id ? part_of(ids, part, id) : (mmd_ids_part){0};
    for (size_t i = 0; i < causes->count; i++) {
        const mmd_cause *row = &causes->rows[i];
        if (!id && row->outside)
            return i;
        if (id && !row->outside && row->model_index == p.model && row->part_index == p.index &&
            strcmp(row->part, p.name) == 0 && strcmp(row->model, ids->models[p.model]) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* Copies a text for mmd_free. Returns NULL when out of memory. */
static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = mmd_alloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

/* Appends a row for an id; 0 is the outside. Returns NULL when out of memory. */
static mmd_cause *add_row(mmd_causes *causes, const mmd_ids *ids, unsigned part, uint32_t id)
{
    mmd_cause *grown = mmd_realloc(causes->rows, (causes->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    causes->rows = grown;
    const mmd_ids_part p = id ? part_of(ids, part, id) : (mmd_ids_part){.name = ""};
    mmd_cause row = {.outside = !id,
                     .model = copy_text(id ? ids->models[p.model] : ""),
                     .part = copy_text(p.name),
                     .model_index = p.model,
                     .part_index = p.index};
    causes->rows[causes->count] = row;
    if (row.model && row.part)
        return &causes->rows[causes->count++];
    mmd_free(row.model);
    mmd_free(row.part);
    return NULL;
}

/* Adds the difference within a model, material or bone to its row. Returns false when out of memory. */
static bool add_share(mmd_causes *causes, const mmd_ids *ids, unsigned part, const mmd_label_share *share)
{
    uint32_t id = share->ids[id_of(part)];
    size_t found = mmd_causes_find(causes, ids, part, id);
    mmd_cause *row = found != SIZE_MAX ? &causes->rows[found] : add_row(causes, ids, part, id);
    if (!row)
        return false;
    row->pixels += share->pixels;
    row->over += share->over;
    row->sum += share->sum;
    row->largest = share->largest > row->largest ? share->largest : row->largest;
    causes->sum += share->sum;
    return true;
}

mmd_status mmd_causes_add(mmd_causes *causes, const mmd_compare *compare, const mmd_ids *ids, unsigned part,
                          mmd_error *error)
{
    assert(causes && compare && ids);
    const size_t counts[] = {ids->model_count, ids->material_count, ids->bone_count};
    const size_t capacity = counts[id_of(part)] + 1;
    const mmd_label_plane labels = mmd_ids_labels(ids);
    size_t count = 0;
    mmd_label_share *shares = mmd_alloc(capacity * sizeof *shares);
    mmd_status status = shares ? mmd_compare_by_label(compare, &labels, part, shares, capacity, &count, error)
                               : mmd_error_memory(error);
    for (size_t i = 0; i < count && status == MMD_OK; i++)
        if (!add_share(causes, ids, part, &shares[i]))
            status = mmd_error_memory(error);
    mmd_free(shares);
    return status;
}

/* Returns whether row a comes before row b: by descending sum, then by order of appearance. */
static bool comes_before(const mmd_causes *causes, uint32_t a, uint32_t b)
{
    uint64_t x = causes->rows[a].sum, y = causes->rows[b].sum;
    return x != y ? x > y : a < b;
}

mmd_status mmd_causes_sort(mmd_causes *causes, mmd_error *error)
{
    assert(causes);
    mmd_free(causes->order);
    causes->order = mmd_alloc(causes->count * sizeof *causes->order);
    if (!causes->order)
        return mmd_error_memory(error);
    /* By insertion, because rows were mostly added in this order. */
    for (uint32_t i = 0; i < causes->count; i++) {
        uint32_t at = i;
        for (; at > 0 && comes_before(causes, i, causes->order[at - 1]); at--)
            causes->order[at] = causes->order[at - 1];
        causes->order[at] = i;
    }
    return MMD_OK;
}

void mmd_causes_finish(mmd_causes *causes)
{
    assert(causes);
    for (size_t i = 0; i < causes->count; i++) {
        mmd_free(causes->rows[i].model);
        mmd_free(causes->rows[i].part);
    }
    mmd_free(causes->rows);
    mmd_free(causes->order);
    *causes = (mmd_causes){0};
}

double mmd_causes_share(const mmd_causes *causes, const mmd_cause *row)
{
    assert(causes && row);
    return causes->sum ? (double)row->sum / (double)causes->sum : 0;
}

const char *mmd_cause_name(const mmd_cause *row, char *text, size_t capacity)
{
    assert(row && text);
    if (row->outside)
        snprintf(text, capacity, "(outside of all models)");
    else
        snprintf(text, capacity, "%s%s%s", row->model, *row->part ? "/" : "", row->part);
    return text;
}
