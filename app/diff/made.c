/*
 * What two pictures say of how they were made, for diff: read from both files,
 * compared by provenance_compare. A texture is called toon or sphere by the
 * material that uses it, where the model is still to be found.
 */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "internal.h"
#include "files/hashes.h"
#include "mmd/memory.h"
#include "mmd/source.h"
#include "files/model_file.h"
#include "files/png_text.h"
#include "recipe/provenance.h"

/* What is compared, of which picture models are looked for, and the last one that was. */
typedef struct making {
    diff_made *made;
    const char *picture;
    char path[PATH_MAX], hash[sizeof((digest *)0)->text]; /* as the picture has them */
    model_file file;                                      /* without a model: there is none */
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

static void forget_model(making *m)
{
    if (m->file.model)
        model_file_finish(&m->file);
    m->file = (model_file){0};
}

/* The model of that path, from here or from the picture, if it is there and still that one. */
static void find_model(making *m, const char *given, const char *hash)
{
    char folder[PATH_MAX], beside[2 * PATH_MAX];
    forget_model(m);
    snprintf(m->path, sizeof m->path, "%s", given);
    snprintf(m->hash, sizeof m->hash, "%s", hash);
    mmd_path_folder(m->picture, folder, sizeof folder);
    snprintf(beside, sizeof beside, "%s/%s", folder, given);
    const char *const paths[] = {given, beside};
    for (int i = 0; i < 2 && *given && !m->file.model; i++) {
        digest found = file_digest(paths[i]);
        if (*found.text && strcmp(found.text, hash) == 0 &&
            model_file_read(paths[i], &m->file, NULL) != MMD_OK)
            m->file = (model_file){0};
    }
}

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

/* --- The pictures --- */

static char *read_scene(const char *path)
{
    mmd_bytes bytes = {0};
    if (mmd_file_read(path, &bytes, NULL) != MMD_OK)
        return NULL;
    char *text = png_text_read(bytes.data, bytes.size, PROVENANCE_KEY);
    mmd_bytes_finish(&bytes);
    return text;
}

void made_compare(const char *a, const char *b, diff_made *made)
{
    *made = (diff_made){0};
    making m = {.made = made, .picture = a};
    const provenance_listener listener = {
        .tell = add_change, .use = find_use, .user = &m, .with_state = true};
    char *was = read_scene(a), *is = was ? read_scene(b) : NULL;
    made->count = provenance_compare(was, is, &listener, &made->known);
    forget_model(&m);
    mmd_free(was);
    mmd_free(is);
}
