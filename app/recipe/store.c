#include "store.h"

#include <string.h>

#include "base/parse.h"
#include "contents.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "provenance.h"

void store_init(recipe_store *store, mmd_view *view, const mmd_log *log)
{
    *store = (recipe_store){.view = view, .log = *log};
}

static void drop_model(recipe_store *store, stored_model *m)
{
    if (m->in_view)
        mmd_view_remove_model(store->view, m->model);
    mmd_source_destroy(m->location.source);
    mmd_model_file_destroy_model(m->model, m->document);
    mmd_vac_destroy(m->vac);
    texture_digests_finish(&m->textures);
    mmd_free(m->listed);
    mmd_free(m->key.path);
    *m = (stored_model){0};
}

static void drop_motion(stored_motion *m)
{
    mmd_motion_destroy(m->motion);
    mmd_free(m->listed);
    mmd_free(m->key.path);
    *m = (stored_motion){0};
}

static void drop_simulation(stored_simulation *s)
{
    mmd_simulated_destroy(s->states);
    mmd_free(s->key.path);
    *s = (stored_simulation){0};
}

void store_finish(recipe_store *store)
{
    for (size_t i = 0; i < STORE_MODELS; i++)
        drop_model(store, &store->models[i]);
    for (size_t i = 0; i < STORE_MOTIONS; i++)
        drop_motion(&store->motions[i]);
    for (size_t i = 0; i < STORE_SIMULATIONS; i++)
        drop_simulation(&store->simulations[i]);
}

bool stored_model_hash(stored_model *m)
{
    m->contents = model_digest(m->model);
    if (m->vac)
        m->accessory = accessory_digest(m->key.path, m->vac);
    return texture_digests_read(&m->textures, m->model, &m->location);
}

static mmd_status read_model(stored_model *m, mmd_error *error)
{
    mmd_bytes bytes = {0};
    mmd_model_file file = {0};
    mmd_status status = mmd_locate_read(m->key.path, &bytes, error);
    if (status == MMD_OK) {
        m->file = digest_of(bytes.data, bytes.size);
        status = mmd_model_file_parse(m->key.path, &bytes, &file, error);
    }
    mmd_bytes_finish(&bytes);
    mmd_error_set_file(error, m->key.path);
    if (status != MMD_OK)
        return status;
    m->model = file.model;
    m->document = file.document;
    m->location = file.textures;
    m->vac = file.vac;
    m->listed = contents_text_of_model(m->model, PROVENANCE_MODEL_CONTENTS);
    return stored_model_hash(m) ? MMD_OK : mmd_error_memory(error);
}

/* --- Slots --- */

typedef struct slot_list {
    void *slots; /* each begins with a stored_key */
    size_t count, size;
    const char *what;
} slot_list;

static bool holds(const stored_key *key, const char *path)
{
    return key->path && strcmp(key->path, path) == 0;
}

/* Returns the slot of this path, or one that may be reused: a free one, or the least recently used that the
 * current recipe does not need. NULL if all are in use. */
static void *find_slot(const recipe_store *store, const slot_list *list, const char *path, mmd_error *error)
{
    stored_key *oldest = list->slots;
    for (size_t i = 0; i < list->count; i++) {
        stored_key *key = (stored_key *)(void *)((char *)list->slots + i * list->size);
        if (holds(key, path))
            return key;
        if (key->used < oldest->used)
            oldest = key;
    }
    if (!oldest->path || oldest->used < store->now)
        return oldest;
    mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET, "the scene has more than %zu different %s",
                  list->count, list->what);
    return NULL;
}

static mmd_status lend_model(void *user, const char *path, mmd_model_file *file, mmd_error *error)
{
    recipe_store *store = user;
    const slot_list list = {store->models, STORE_MODELS, sizeof *store->models, "models"};
    stored_model *m = find_slot(store, &list, path, error);
    if (!m)
        return MMD_ERROR_LIMIT;
    if (!holds(&m->key, path)) {
        drop_model(store, m);
        m->key.path = copy_text(path);
        mmd_status status = m->key.path ? read_model(m, error) : mmd_error_memory(error);
        if (status != MMD_OK) {
            drop_model(store, m);
            return status;
        }
    }
    m->serial = m->serial ? m->serial : ++store->serial;
    m->key.used = store->now;
    *file = (mmd_model_file){m->model, m->location, m->vac, m->document};
    return MMD_OK;
}

static mmd_status lend_motion(void *user, const char *path, mmd_motion **motion, mmd_error *error)
{
    recipe_store *store = user;
    const slot_list list = {store->motions, STORE_MOTIONS, sizeof *store->motions, "motions"};
    stored_motion *m = find_slot(store, &list, path, error);
    if (!m)
        return MMD_ERROR_LIMIT;
    if (!holds(&m->key, path)) {
        drop_motion(m);
        m->key.path = copy_text(path);
        m->file = file_digest(path);
        mmd_status status =
            m->key.path ? mmd_motion_file_read(path, &m->motion, error) : mmd_error_memory(error);
        if (status != MMD_OK) {
            drop_motion(m);
            return status;
        }
        m->listed = contents_text_of_motion(m->motion, PROVENANCE_MOTION_CONTENTS);
    }
    m->serial = m->serial ? m->serial : ++store->serial;
    m->key.used = store->now;
    *motion = m->motion;
    return MMD_OK;
}

stored_simulation *store_lend_simulation(recipe_store *store, const char *key)
{
    stored_simulation *found = NULL;
    for (size_t i = 0; i < STORE_SIMULATIONS; i++) {
        stored_simulation *s = &store->simulations[i];
        if (holds(&s->key, key))
            found = s;
    }
    for (size_t i = 0; i < STORE_SIMULATIONS && !(found && holds(&found->key, key)); i++) {
        stored_simulation *s = &store->simulations[i];
        if (!s->is_lent && (!found || s->key.used < found->key.used))
            found = s;
    }
    if (!found || found->is_lent)
        return NULL;
    if (!holds(&found->key, key)) {
        drop_simulation(found);
        *found = (stored_simulation){.key.path = copy_text(key), .states = mmd_simulated_create()};
    }
    if (!found->key.path || !found->states) {
        drop_simulation(found);
        return NULL;
    }
    found->key.used = store->now;
    found->is_lent = true;
    return found;
}

scene_lender store_begin(recipe_store *store)
{
    store->now++;
    return (scene_lender){store, lend_model, lend_motion};
}

stored_model *store_find_model(recipe_store *store, const mmd_model *model)
{
    for (size_t i = 0; i < STORE_MODELS; i++)
        if (model && store->models[i].model == model)
            return &store->models[i];
    return NULL;
}

const stored_motion *store_find_motion(const recipe_store *store, const mmd_motion *motion)
{
    for (size_t i = 0; i < STORE_MOTIONS; i++)
        if (motion && store->motions[i].motion == motion)
            return &store->motions[i];
    return NULL;
}
