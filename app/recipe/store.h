/*
 * Models and motions kept from one recipe to the next, so that a thousand
 * scenes with one model load it once. It keeps what was used last, and lends it
 * to scenes (scene_lender).
 */
#ifndef ODORI_STORE_H
#define ODORI_STORE_H

#include "files/hashes.h"
#include "mmd/view.h"
#include "scene/load.h"

enum { STORE_MODELS = 8, STORE_MOTIONS = 32 };

/* What the store's slots have in common: first of each. */
typedef struct stored_key {
    char *path;    /* NULL: a free slot */
    uint64_t used; /* when it was last wanted */
} stored_key;

/* A model on the stage, and what there is to know of its files. */
typedef struct stored_model {
    stored_key key;
    mmd_model *model;
    texture_place place;
    mmd_vac *vac;           /* or NULL */
    mmd_exchange *document; /* that owns the model, or NULL */
    digest file, contents;
    digest accessory; /* the .x file that a .vac names; "" where there is none */
    texture_digests textures;
    bool in_view;
    bool is_of_project; /* the scene owns model and parts; recipe_close frees the hashes */
} stored_model;

typedef struct stored_motion {
    stored_key key;
    mmd_motion *motion;
    digest file;
} stored_motion;

typedef struct recipe_store {
    mmd_view *view; /* draws the models; NULL where nothing is drawn */
    mmd_log log;
    stored_model models[STORE_MODELS];
    stored_motion motions[STORE_MOTIONS];
    uint64_t now; /* which recipe is on the stage */
} recipe_store;

void store_init(recipe_store *store, mmd_view *view, const mmd_log *log);
void store_finish(recipe_store *store);

/* Begins another recipe: what none wants any more may make room. Returns who lends. */
scene_lender store_begin(recipe_store *store);

/* What was lent; NULL: it was not. */
stored_model *store_find_model(recipe_store *store, const mmd_model *model);
const stored_motion *store_find_motion(const recipe_store *store, const mmd_motion *motion);

/* Fills hashes of model and textures in; false: out of memory. */
bool stored_model_hash(stored_model *m);

#endif
