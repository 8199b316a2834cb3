/*
 * A recipe on the stage: its files loaded, physics started, a session that sees
 * it, and what its commands edit. play, shot, render, dump, bench, bake, check,
 * diff and the player's opening of files all come by here.
 */
#ifndef ODORI_STAGE_H
#define ODORI_STAGE_H

#include "edit/session.h"
#include "files/hashes.h"
#include "mmd/cursor.h"
#include "recipe.h"
#include "store.h"

typedef enum recipe_needs {
    NEEDS_NOTHING,  /* the bundled dancer dances where there is no model */
    NEEDS_MODEL,    /* at least one */
    NEEDS_ONE_MODEL /* exactly one, unless --model chooses */
} recipe_needs;

/* How a recipe is opened. */
typedef struct recipe_opening {
    const char *subcommand; /* named in messages */
    recipe_needs needs;
    const mmd_log *log;
    bool for_window; /* framed for HOME_ASPECT, tiny models too */
    bool mmd_camera; /* a crowd is seen by MMD's default camera, not framed: times stay comparable */
    bool with_sound; /* chooses what is heard */
} recipe_opening;

typedef struct recipe_stage {
    recipe recipe; /* a copy, whose lists stay the caller's */
    odori_scene scene;
    odori_session session;
    picture_size size;    /* the recipe's, or a project's */
    bundled dancer;       /* model "" unless she was added for want of one; music "": not to her own dance */
    char sound[PATH_MAX]; /* that plays along; "": none */
    bool has_session;
    /* Of a stage from a store: */
    recipe_store *store;    /* or NULL */
    stored_model **models;  /* one a model of the scene */
    mmd_buffer attachments; /* what accessories that found no bone said, each with its NUL */
    mmd_buffer resets;      /* the same of bodies that physics reset while frames were gone to */
    mmd_arena arena;        /* of models of projects */
} recipe_stage;

/*
 * Loads all that a recipe names, starts physics, and makes a session that looks
 * at frame 0. Texts and lists of the recipe must outlive the stage; neither may
 * move. Close it in any case. Errors of scene_load and physics_start.
 */
mmd_status recipe_open(recipe_stage *s, const recipe *r, const recipe_opening *how, mmd_error *error);

/*
 * The same of a recipe that puts its settings in first, with models and motions
 * of a store; physics has no threads of its own, since scenes are drawn side by
 * side by processes. Then begins it. What is amiss with its files is told by
 * recipe_tell_warnings.
 */
mmd_status recipe_open_from_store(recipe_stage *s, const recipe *r, recipe_store *store, mmd_error *error);

void recipe_close(recipe_stage *s);

/* The frame that a recipe begins at: where its commands run. */
double recipe_start_frame(const recipe_stage *s);

/*
 * Goes to a frame, puts the light of the options over the motions', and runs the
 * recipe's own commands, but those that write files, load code or print: a
 * recipe may come from anybody. MMD_ERROR_ARGUMENT, or MMD_ERROR_VALUE where a
 * suite or a picture says it: a frame that physics would take too long to reach.
 * MMD_ERROR_VALUE, too: a command that is refused, with its line.
 */
mmd_status recipe_begin(recipe_stage *s, double frame, mmd_error *error);

/* The same for a player, from the recipe's start: a dance plays from there, a picture stands still at its
 * frame. */
mmd_status recipe_begin_playing(recipe_stage *s, mmd_error *error);

/* Makes all models of a stage from a store drawable. */
mmd_status recipe_show(recipe_stage *s, mmd_error *error);

/*
 * Tells what is amiss with the files of a stage from a store, though it can be
 * drawn: textures that are missing, motions that fit nothing or were cut,
 * accessories without their bone; one sentence each. They depend on the recipe
 * alone, not on what else was drawn before. After recipe_show; view: the
 * store's, or NULL.
 */
typedef void recipe_tell(void *user, const char *sentence);
void recipe_tell_warnings(const recipe_stage *s, const mmd_view *view, recipe_tell *tell, void *user);

/* The same of bodies that physics reset, after all frames were gone to. */
void recipe_tell_resets(const recipe_stage *s, recipe_tell *tell, void *user);

#endif
