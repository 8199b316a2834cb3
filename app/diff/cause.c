/*
 * Finds the cause of a difference: sums it up by material and by bone over all frames, and compares the provenance of
 * the two pictures.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/parse.h"
#include "files/hashes.h"
#include "files/png_text.h"
#include "internal.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "recipe/provenance.h"

/* --- By material and bone --- */

/* Returns the material or bone of an id, or NULL for pixels outside of all models. */
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

/* Appends a row for a material or bone, or for the outside when p is NULL. NULL: out of memory. */
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

/* Adds the difference within a material or bone to its row. False: out of memory. */
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
        mmd_error_set(error, status, "", MMD_NO_OFFSET, "while adding up the difference by material and bone");
    return status;
}

/* Returns whether row a comes before row b: by descending sum, then by order of appearance. */
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
        snprintf(text, capacity, "(outside of all models)");
    else
        snprintf(text, capacity, "%s/%s", row->model, row->part);
    return text;
}

/*
 * --- Provenance ---
 *
 * provenance_compare compares the texts of both files. If the model can still be found, a changed texture is named by
 * its role (toon, sphere) in the material that uses it.
 */

/* The state of a comparison, with the model that was looked up last. */
typedef struct making {
    diff_made *made;
    const char *picture;             /* A */
    const char *pictures[2];         /* A and B */
    const cause_table *tables[2];    /* of materials and of bones */
    char path[PATH_MAX], hash[sizeof((digest *)0)->text]; /* of the model, as in the picture */
    mmd_model_file file;                                      /* without a model: it was not found */
} making;

static void add_change(void *user, unsigned aspects, const char *sentence)
{
    diff_made *made = ((making *)user)->made;
    made->aspects |= aspects;
    if (made->count < DIFF_MADE_MAX)
        snprintf(made->changes[made->count], sizeof made->changes[0], "%s", sentence);
    made->count++;
}

/* --- Textures --- */

static void close_model(making *m)
{
    if (m->file.model)
        mmd_model_file_finish(&m->file);
    m->file = (mmd_model_file){0};
}

/* Reads the model at a path, relative to the current folder or to the picture, if it exists and has the hash. */
static void find_model(making *m, const char *given, const char *hash)
{
    char folder[PATH_MAX], beside[2 * PATH_MAX];
    close_model(m);
    snprintf(m->path, sizeof m->path, "%s", given);
    snprintf(m->hash, sizeof m->hash, "%s", hash);
    mmd_path_folder(m->picture, folder, sizeof folder);
    snprintf(beside, sizeof beside, "%s/%s", folder, given);
    const char *const paths[] = {given, beside};
    const mmd_log log = stderr_log(MMD_LOG_INFO);
    for (int i = 0; i < 2 && *given && !m->file.model; i++) {
        digest found = file_digest(paths[i]);
        if (*found.text && strcmp(found.text, hash) == 0 &&
            mmd_model_file_choose(paths[i], &log, &m->file, NULL) != MMD_OK)
            m->file = (mmd_model_file){0};
    }
}

/* Finds the material that uses a texture, and the role of the texture (provenance_listener.use). */
static bool find_use(void *user, const provenance_texture *texture, provenance_use *use)
{
    static const char *const roles[] = {"toon texture", "texture", "sphere texture"};
    making *m = user;
    if (strcmp(m->path, texture->model_path) != 0 || strcmp(m->hash, texture->model_hash) != 0)
        find_model(m, texture->model_path, texture->model_hash);
    const mmd_model *model = m->file.model;
    for (int role = 0; model && role < 3; role++)
        for (uint32_t i = 0; i < model->material_count; i++) {
            const mmd_material *one = &model->materials[i];
            int32_t used = role == 0   ? (one->shared_toon ? -1 : one->toon)
                           : role == 1 ? one->texture
                                       : one->sphere;
            if (used >= 0 && (size_t)used == texture->index) {
                *use =
                    (provenance_use){roles[role], one->name, role == 0 ? PROVENANCE_TOON : PROVENANCE_COLOR};
                return true;
            }
        }
    return false;
}

/* --- Contents of files --- */

/* Lists what a model or motion holds. Returns false if it cannot be read. */
static bool list_file(const char *path, contents *found)
{
    mmd_model_file file = {0};
    mmd_motion *motion = NULL;
    bool ok = false;
    const mmd_log log = stderr_log(MMD_LOG_INFO);
    if (mmd_motion_file_read(path, &motion, NULL) == MMD_OK) {
        ok = contents_of_motion(found, motion, true);
        mmd_motion_destroy(motion);
    } else if (mmd_model_file_choose(path, &log, &file, NULL) == MMD_OK) {
        ok = contents_of_model(found, file.model, true);
        mmd_model_file_finish(&file);
    }
    return ok;
}

/* Lists what a file of a picture holds, if it still exists with the same contents (provenance_listener.contents). */
static bool find_contents(void *user, bool is_first, const char *path, const char *hash, contents *found)
{
    const making *m = user;
    char folder[PATH_MAX], beside[2 * PATH_MAX];
    mmd_path_folder(m->pictures[is_first ? 0 : 1], folder, sizeof folder);
    snprintf(beside, sizeof beside, "%s/%s", folder, path);
    const char *const paths[] = {path, beside};
    for (int i = 0; i < 2 && *path && *hash; i++)
        if (strcmp(file_digest(paths[i]).text, hash) == 0)
            return list_file(paths[i], found);
    return false;
}

/* Returns the share of a material or bone in the difference of the pictures (contents_weigh). */
static double weigh_item(void *user, contents_id id, const char *name)
{
    const cause_table *table = ((const making *)user)->tables[id == CONTENTS_MATERIALS ? 0 : 1];
    double weight = 0;
    if (id != CONTENTS_MATERIALS && id != CONTENTS_BONES)
        return 0;
    for (size_t i = 0; i < table->count; i++)
        if (!table->rows[i].outside && strcmp(table->rows[i].part, name) == 0)
            weight += cause_share(table, &table->rows[i]);
    return weight;
}

/* --- The pictures --- */

void made_compare(const char *a, const char *b, const cause_table *materials, const cause_table *bones,
                  diff_made *made)
{
    *made = (diff_made){0};
    making m = {.made = made, .picture = a, .pictures = {a, b}, .tables = {materials, bones}};
    const provenance_listener listener = {
        .tell = add_change, .use = find_use, .contents = find_contents, .weigh = weigh_item, .user = &m,
        .with_state = true};
    char *was = png_text_of_file(a, PROVENANCE_KEY), *is = was ? png_text_of_file(b, PROVENANCE_KEY) : NULL;
    made->count = provenance_compare(was, is, &listener, &made->known);
    close_model(&m);
    mmd_free(was);
    mmd_free(is);
}
