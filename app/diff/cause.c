/* Finds the cause of a difference: compares the provenance of the two pictures, and says what kind of
 * difference that makes. */
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

/*
 * --- Provenance ---
 *
 * provenance_compare compares the texts of both files. If the model can still be found, a changed texture is
 * named by its role (toon, sphere) in the material that uses it.
 */

/* The state of a comparison, with the model that was looked up last. */
typedef struct making {
    diff_made *made;
    const char *picture;                                  /* A */
    const char *pictures[2];                              /* A and B */
    const mmd_causes *tables[2];                          /* of materials and of bones */
    char path[MMD_FILE_PATH_MAX], hash[sizeof((digest *)0)->text]; /* of the model, as in the picture */
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

/* Reads the model at a path, relative to the current folder or to the picture, if it exists and has the hash.
 */
static void find_model(making *m, const char *given, const char *hash)
{
    char folder[MMD_FILE_PATH_MAX], beside[2 * MMD_FILE_PATH_MAX];
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

/* Lists what a file of a picture holds, if it still exists with the same contents
 * (provenance_listener.contents). */
static bool find_contents(void *user, bool is_first, const char *path, const char *hash, contents *found)
{
    const making *m = user;
    char folder[MMD_FILE_PATH_MAX], beside[2 * MMD_FILE_PATH_MAX];
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
    const mmd_causes *table = ((const making *)user)->tables[id == CONTENTS_MATERIALS ? 0 : 1];
    double weight = 0;
    if (id != CONTENTS_MATERIALS && id != CONTENTS_BONES)
        return 0;
    for (size_t i = 0; i < table->count; i++)
        if (!table->rows[i].outside && strcmp(table->rows[i].part, name) == 0)
            weight += mmd_causes_share(table, &table->rows[i]);
    return weight;
}

/* --- The pictures --- */

void made_compare(const char *a, const char *b, const mmd_causes *materials, const mmd_causes *bones,
                  diff_made *made)
{
    *made = (diff_made){0};
    making m = {.made = made, .picture = a, .pictures = {a, b}, .tables = {materials, bones}};
    const provenance_listener listener = {.tell = add_change,
                                          .use = find_use,
                                          .contents = find_contents,
                                          .weigh = weigh_item,
                                          .user = &m,
                                          .with_state = true};
    char *was = png_text_of_file(a, PROVENANCE_KEY), *is = was ? png_text_of_file(b, PROVENANCE_KEY) : NULL;
    made->count = provenance_compare(was, is, &listener, &made->known);
    close_model(&m);
    mmd_free(was);
    mmd_free(is);
}

/* --- What is known from it of the kind of difference --- */

void nature_tell(diff_nature *n, const diff_made *made)
{
    if (!made->known || made->count == 0)
        return;
    /* A shift, or that only edges differ, is more specific than another pose. */
    mmd_difference_kind *kind = &n->found.kind;
    bool specific = *kind == MMD_DIFFERENCE_MOVED || *kind == MMD_DIFFERENCE_EDGES;
    n->known_aspects = made->aspects;
    if (made->aspects == PROVENANCE_TOON)
        *kind = MMD_DIFFERENCE_TOON;
    else if (made->aspects == PROVENANCE_COLOR || made->aspects == PROVENANCE_LIGHT)
        *kind = MMD_DIFFERENCE_COLOR;
    else if (made->aspects == PROVENANCE_EDGES)
        *kind = MMD_DIFFERENCE_EDGES;
    else if (made->aspects != PROVENANCE_POSE || specific)
        n->known_aspects = 0;
}

const char *nature_name(const diff_nature *n)
{
    return n->known_aspects == PROVENANCE_POSE ? "pose" : mmd_difference_kind_name(n->found.kind);
}

const char *nature_clause(const diff_nature *n, char *text, size_t capacity)
{
    const mmd_difference *found = &n->found;
    const char *color = NULL;
    if (n->known_aspects == PROVENANCE_LIGHT)
        color = "a light difference";
    else if (n->known_aspects == PROVENANCE_COLOR)
        color = "a colour or texture difference";
    if (n->known_aspects == PROVENANCE_POSE)
        snprintf(text, capacity, "another pose or view");
    else if (color && found->has_factor)
        snprintf(text, capacity, "%s: times %.2f, %.2f, %.2f", color, found->factor[0], found->factor[1],
                 found->factor[2]);
    else if (color)
        snprintf(text, capacity, "%s", color);
    else
        mmd_difference_clause(found, text, capacity);
    return text;
}
