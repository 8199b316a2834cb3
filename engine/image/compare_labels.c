/*
 * Groups differences by label in a hash table (open addressing, doubled when half full) with one row per
 * label, then sorts.
 */
#include "compare_parts.h"
#include "mmd/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct table {
    mmd_label_share *rows; /* empty if pixels is 0 */
    size_t capacity, used; /* capacity is a power of two */
} table;

/* Mixes the three ids by multiplication and shift; the start is FNV's offset basis. */
static size_t hash(const uint32_t ids[3])
{
    uint64_t h = 0xcbf29ce484222325u;
    for (int i = 0; i < 3; i++) {
        h = (h ^ ids[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return (size_t)h;
}

static bool same_ids(const uint32_t a[3], const uint32_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Returns the row of a label, or the empty row where it belongs. */
static mmd_label_share *find(const table *t, const uint32_t ids[3])
{
    size_t at = hash(ids) & (t->capacity - 1);
    while (t->rows[at].pixels && !same_ids(t->rows[at].ids, ids))
        at = (at + 1) & (t->capacity - 1);
    return &t->rows[at];
}

static bool make_table(table *t, size_t capacity)
{
    *t = (table){mmd_alloc(capacity * sizeof *t->rows), capacity, 0};
    if (t->rows)
        memset(t->rows, 0, capacity * sizeof *t->rows);
    return t->rows;
}

/* Doubles the table. Returns false when out of memory. */
static bool grow(table *t)
{
    table larger;
    if (!make_table(&larger, t->capacity * 2))
        return false;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->rows[i].pixels)
            *find(&larger, t->rows[i].ids) = t->rows[i];
    larger.used = t->used;
    mmd_free(t->rows);
    *t = larger;
    return true;
}

/* Adds a pixel to its label's row. Returns false when out of memory. */
static bool add(table *t, const uint32_t ids[3], uint8_t level, bool over)
{
    mmd_label_share *row = find(t, ids);
    if (!row->pixels) {
        if (t->used * 2 >= t->capacity) {
            if (!grow(t))
                return false;
            row = find(t, ids);
        }
        memcpy(row->ids, ids, sizeof row->ids);
        t->used++;
    }
    row->pixels++;
    row->over += over;
    row->sum += level;
    row->largest = level > row->largest ? level : row->largest;
    return true;
}

/* Adds a row of pixels. Ids of parts that are not grouped by become 0. */
static bool add_row(table *t, const compare_last *last, const mmd_label_plane *labels, unsigned parts,
                    uint32_t y)
{
    const mmd_compare_result *r = last->result;
    const uint32_t(*ids)[3] = labels->ids + (size_t)(y + r->a_y) * labels->width + r->a_x;
    const uint8_t *difference = last->difference + (size_t)y * r->width;
    const uint8_t *mask = compare_row_mask(last->region, y);
    for (uint32_t x = 0; x < r->width; x++) {
        uint32_t key[3];
        for (int i = 0; i < 3; i++)
            key[i] = parts >> i & 1 ? ids[x][i] : 0;
        if ((!mask || mask[x]) && !add(t, key, difference[x], difference[x] > last->threshold))
            return false;
    }
    return true;
}

/* Returns -1, 0 or 1 if a is less than, equal to or greater than b. */
static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Compares rows by descending sum, over and pixels, then ascending ids. */
static int by_share(const void *p, const void *q)
{
    const mmd_label_share *a = p, *b = q;
    int way = order(b->sum, a->sum);
    way = way ? way : order(b->over, a->over);
    way = way ? way : order(b->pixels, a->pixels);
    for (int i = 0; i < 3 && !way; i++)
        way = order(a->ids[i], b->ids[i]);
    return way;
}

/* Moves the used rows to the front, computes their shares and sorts them. */
static void finish_rows(table *t)
{
    size_t count = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->rows[i].pixels) {
            sum += t->rows[i].sum;
            t->rows[count++] = t->rows[i];
        }
    for (size_t i = 0; i < count; i++)
        t->rows[i].share = sum ? (double)t->rows[i].sum / (double)sum : 0;
    qsort(t->rows, count, sizeof *t->rows, by_share);
}

mmd_status mmd_compare_by_label(const mmd_compare *compare, const mmd_label_plane *labels, unsigned parts,
                                mmd_label_share *rows, size_t capacity, size_t *count, mmd_error *error)
{
    assert(compare);
    assert(rows || capacity == 0);
    compare_last last = compare_last_run(compare);
    assert(last.region && parts > 0 && parts < 8);
    assert(labels->width == last.a_width && labels->height == last.a_height);
    table t;
    bool done = make_table(&t, 256);
    for (uint32_t y = 0; done && y < last.result->height; y++)
        done = add_row(&t, &last, labels, parts, y);
    if (done) {
        finish_rows(&t);
        *count = t.used;
        size_t shown = t.used < capacity ? t.used : capacity;
        if (shown)
            memcpy(rows, t.rows, shown * sizeof *rows);
    }
    mmd_free(t.rows);
    return done
               ? MMD_OK
               : mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a table of labels");
}
