/* Opens a recipe: loads its files, starts physics, creates a session and runs the recipe's commands. play,
 * shot, render, dump, bench, bake, check, diff and opening files in the player all use it. */
#ifndef ODORI_STAGE_H
#define ODORI_STAGE_H

#include "edit/session.h"
#include "files/hashes.h"
#include "mmd/cursor.h"
#include "mmd/source.h"
#include "recipe.h"
#include "store.h"

typedef enum recipe_needs {
    NEEDS_NOTHING,  /* without a model, the bundled dancer is added */
    NEEDS_MODEL,    /* at least one model */
    NEEDS_ONE_MODEL /* exactly one model, unless --model chooses one */
} recipe_needs;

/* Options of recipe_open. */
typedef struct recipe_opening {
    const char *subcommand; /* name for messages */
    recipe_needs needs;
    const mmd_log *log;
    bool for_window; /* frame the camera for HOME_ASPECT, and get close to tiny models */
    /* use MMD's default camera for a crowd instead of framing it, so that timings stay comparable */
    bool mmd_camera;
    bool with_sound; /* choose the sound */
} recipe_opening;

typedef struct recipe_stage {
    recipe recipe; /* a copy; its lists belong to the caller */
    odori_scene scene;
    odori_session session;
    picture_size size;    /* from the recipe or a project */
    bundled dancer;       /* model is "" unless she was added; music is "" unless her own dance plays */
    char sound[MMD_FILE_PATH_MAX]; /* path of the sound that plays along; "" for none */
    bool has_session;
    /* For a stage opened from a store: */
    recipe_store *store;           /* or NULL */
    stored_simulation *simulation; /* that this stage goes on from and adds to; or NULL */
    stored_model **models;         /* one for each model of the scene */
    mmd_texture_memory textures;   /* after recipe_show */
    mmd_buffer attachments;        /* warnings of accessories whose bone is missing, each NUL-terminated */
    mmd_buffer resets;             /* warnings of bodies that physics reset, each NUL-terminated */
    mmd_arena arena;               /* memory of models of projects */
} recipe_stage;

/*
 * Loads all files of a recipe, starts physics, and creates a session at frame 0. Texts and lists of the
 * recipe must outlive the stage, and neither may be moved. Call recipe_close in either case. Errors of
 * scene_load and physics_start.
 */
mmd_status recipe_open(recipe_stage *s, const recipe *r, const recipe_opening *how, mmd_error *error);

/*
 * Applies the recipe's settings, opens it with models and motions from a store, and calls recipe_begin.
 * Physics has no extra threads, because scenes are drawn in parallel by processes. Warnings are available
 * from recipe_tell_warnings.
 */
mmd_status recipe_open_from_store(recipe_stage *s, const recipe *r, recipe_store *store, mmd_error *error);

void recipe_close(recipe_stage *s);

/* Sets the look of the bundled scene, a pale background and a ground shadow, where the recipe has no options
 * for them. */
void stage_look_pale(const recipe *r, mmd_view_options *view);

/* Returns the frame at which the recipe's commands run. */
double recipe_start_frame(const recipe_stage *s);

/*
 * Goes to a frame, applies the light options over the motions' light, and runs the recipe's commands. Only
 * those that change what is shown are allowed, because a recipe may come from anybody: others are refused, or
 * left out with a warning if earlier versions recorded them. A frame that physics would take too long to
 * reach is MMD_ERROR_ARGUMENT, or MMD_ERROR_VALUE if a suite or picture asks for it. A refused command is
 * MMD_ERROR_VALUE, with its line.
 */
mmd_status recipe_begin(recipe_stage *s, double frame, mmd_error *error);

/* Does the same for the player, from the recipe's start frame. A dance starts playing; a picture stays paused
 * at its frame. */
mmd_status recipe_begin_playing(recipe_stage *s, mmd_error *error);

/* Uploads all models of a stage opened from a store, so that they can be drawn. */
mmd_status recipe_show(recipe_stage *s, mmd_error *error);

/*
 * Reports problems of a stage that do not prevent drawing it: missing textures, motions that match nothing or
 * were truncated, accessories whose bone is missing; one sentence each. The result depends on the recipe
 * only, not on what was drawn before. Call it after recipe_show. view: the store's, or NULL.
 */
typedef void recipe_tell(void *user, const char *sentence);
void recipe_tell_warnings(const recipe_stage *s, const mmd_view *view, recipe_tell *tell, void *user);

/* Reports bodies that physics reset. Call it after all frames have been visited. */
void recipe_tell_resets(const recipe_stage *s, recipe_tell *tell, void *user);

#endif
