/* Caches models and motions between recipes, so that a thousand scenes with one model load it once. The store
 * owns them and lends them to scenes (scene_lender). The least recently used entries are freed first. */
#ifndef ODORI_STORE_H
#define ODORI_STORE_H

#include "files/hashes.h"
#include "mmd/simulation.h"
#include "mmd/view.h"
#include "scene/load.h"

enum { STORE_MODELS = 8, STORE_MOTIONS = 32, STORE_SIMULATIONS = 2 };

/* Common head of the store's slots. */
typedef struct stored_key {
    char *path;    /* NULL for a free slot */
    uint64_t used; /* number of the recipe that last used it */
} stored_key;

/* A cached model, with what belongs to its files. */
typedef struct stored_model {
    stored_key key;
    mmd_model *model;
    mmd_texture_location location;
    mmd_vac *vac;           /* or NULL */
    mmd_exchange *document; /* document that owns the model (glTF, Ragdoll), or NULL */
    uint64_t serial;        /* another number each time that a file is read */
    digest file, contents;
    char *listed;     /* packed contents for pictures (contents.h), or NULL */
    digest accessory; /* hash of the .x file that a .vac names; "" if there is none */
    texture_digests textures;
    bool in_view;
    bool is_of_project; /* the scene owns model and parts; recipe_close frees the hashes */
} stored_model;

typedef struct stored_motion {
    stored_key key;
    mmd_motion *motion;
    uint64_t serial;
    digest file;
    char *listed; /* as of a model */
} stored_motion;

/* What scenes of equal contents simulated. */
typedef struct stored_simulation {
    stored_key key; /* its path is a key (simulation_key.h) */
    mmd_simulated *states;
    bool is_lent; /* a stage that is open has it */
} stored_simulation;

typedef struct recipe_store {
    mmd_view *view; /* view that draws the models; NULL if nothing is drawn */
    mmd_log log;
    stored_model models[STORE_MODELS];
    stored_motion motions[STORE_MOTIONS];
    stored_simulation simulations[STORE_SIMULATIONS];
    uint64_t serial; /* the last one that was given */
    uint64_t now;    /* number of the current recipe */
} recipe_store;

void store_init(recipe_store *store, mmd_view *view, const mmd_log *log);
void store_finish(recipe_store *store);

/* Starts the next recipe: entries that it does not use may be freed. Returns the lender for scene_load. */
scene_lender store_begin(recipe_store *store);

/* Return the entry that was lent; NULL for anything else. */
stored_model *store_find_model(recipe_store *store, const mmd_model *model);
const stored_motion *store_find_motion(const recipe_store *store, const mmd_motion *motion);

/* Lends what scenes of this key simulated, which is empty for the first one, until is_lent is cleared.
 * Returns NULL if it is lent already, or out of memory. */
stored_simulation *store_lend_simulation(recipe_store *store, const char *key);

/* Computes the hashes of the model and its textures. Returns false if out of memory. */
bool stored_model_hash(stored_model *m);

#endif
