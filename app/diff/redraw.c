/*
 * Draws ids for pictures without an .ids.png file. The odori.scene chunk of a picture describes its scene,
 * which is opened again as `odori check PICTURE.png` does. Nothing is drawn if a model or motion has changed,
 * because the ids would differ. Textures may have changed: repainting them is a usual reason to compare, and
 * ids do not depend on them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "internal.h"
#include "mmd/memory.h"
#include "files/png_text.h"
#include "recipe/provenance.h"
#include "recipe/provenance_compare.h"
#include "recipe/draw.h"

struct diff_redrawer {
    mmd_gpu *gpu;
    mmd_view *view;
    recipe_store store;
    size_t max_models;
    const char *choice; /* of the GPU */
    const mmd_log *log;
    bool opened, has_store, reported;
};

typedef struct redrawing {
    const char *picture;
    char *text; /* of its odori.scene chunk */
    mmd_arena arena;
    recipe recipe;
    recipe_stage stage;
    char changed[512]; /* the first change that affects ids, or "" */
} redrawing;

diff_redrawer *redrawer_create(size_t max_models, const char *gpu, const mmd_log *log)
{
    diff_redrawer *r = mmd_alloc(sizeof *r);
    if (r)
        *r = (diff_redrawer){.log = log, .max_models = max_models, .choice = gpu};
    return r;
}

void redrawer_destroy(diff_redrawer *r)
{
    if (!r)
        return;
    if (r->has_store)
        store_finish(&r->store);
    mmd_view_destroy(r->view);
    mmd_gpu_destroy(r->gpu);
    mmd_free(r);
}

/* Opens OpenGL, once. False: it is not available, so there are no ids; with --gpu the reason is told. */
static bool open_view(diff_redrawer *r)
{
    mmd_error error = {0};
    if (!r->opened) {
        r->opened = true;
        if (screen_create_gpu(r->choice, NULL, &r->gpu, &error) == MMD_OK &&
            mmd_view_create(r->gpu, NULL, &r->view, &error) == MMD_OK) {
            store_init(&r->store, r->view, &(mmd_log){0});
            r->has_store = true;
        } else if (r->choice) {
            report(&error);
        }
    }
    return r->has_store;
}

/* Stores the first change that affects ids, of models and poses. Textures only affect colours. */
static void store_change(void *user, unsigned aspects, const char *sentence)
{
    redrawing *d = user;
    if (!*d->changed && (aspects & (PROVENANCE_POSE | PROVENANCE_OTHER)))
        snprintf(d->changed, sizeof d->changed, "%.500s", sentence);
}

/* Opens the scene of the picture, checks that nothing has changed that affects ids, and draws them. */
static bool draw(diff_redrawer *r, redrawing *d, mmd_ids *ids)
{
    mmd_error error = {0};
    const text_list folders = {0};
    const provenance_search places = {d->picture, &folders, r->max_models, 0, false};
    if (provenance_read(d->text, &places, &d->arena, &d->recipe, &error) != MMD_OK ||
        recipe_open_from_store(&d->stage, &d->recipe, &r->store, &error) != MMD_OK ||
        recipe_show(&d->stage, &error) != MMD_OK) {
        char sentence[PROBLEM_MAX];
        store_change(d, PROVENANCE_OTHER, mmd_error_sentence(&error, sentence, sizeof sentence));
        return false;
    }
    const provenance_listener listener = {
        .tell = store_change, .user = d, .only_files = true, .not_inside = true};
    provenance_files files = {0};
    char *now = NULL;
    if (provenance_files_read(&files, &d->stage.scene, &d->stage, false))
        now = provenance_of_stage(&d->stage, &files, mmd_gpu_get_info(r->gpu));
    provenance_compare(d->text, now, &listener, NULL);
    provenance_files_finish(&files);
    free(now);
    if (*d->changed)
        return false;
    session_go(&d->stage.session, d->recipe.frames[0]);
    return draw_ids(r->view, &d->stage.scene, &d->stage.session.view, d->recipe.size, ids, NULL) == MMD_OK;
}

bool redrawer_ids(diff_redrawer *r, const char *picture, uint32_t width, uint32_t height, mmd_ids *ids)
{
    redrawing d = {.picture = picture, .text = png_text_of_file(picture, PROVENANCE_KEY)};
    bool ok = d.text && open_view(r) && draw(r, &d, ids) && ids->width == width && ids->height == height;
    if (!ok)
        mmd_ids_finish(ids);
    if (*d.changed && !r->reported)
        mmd_log_message(r->log, MMD_LOG_INFO, "the difference cannot be located in the model: %s", d.changed);
    r->reported = r->reported || *d.changed;
    if (d.text && r->has_store)
        recipe_close(&d.stage);
    mmd_arena_finish(&d.arena);
    mmd_free(d.text);
    return ok;
}
