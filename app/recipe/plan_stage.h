/*
 * A plan put on the stage. Models and motions are kept from one plan to the
 * next in a store, so that a thousand scenes with one model load it once.
 */
#ifndef ODORI_PLAN_STAGE_H
#define ODORI_PLAN_STAGE_H

#include "base/message.h"
#include "scene/bundled.h"
#include "files/hashes.h"
#include "mmd/cursor.h"
#include "plan.h"
#include "edit/session.h"

enum { STORE_MODELS = 8, STORE_MOTIONS = 32 };

/* What the store's places have in common: first of each. */
typedef struct stored_key {
    char *path;    /* NULL: a free place */
    uint64_t used; /* when it was last wanted */
} stored_key;

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
    bool is_of_project; /* the scene owns the model; the place is the stage's own, not the store's */
} stored_model;

typedef struct stored_motion {
    stored_key key;
    mmd_motion *motion;
    digest file;
} stored_motion;

typedef struct plan_store {
    mmd_view *view; /* draws the models; NULL where nothing is drawn */
    mmd_log log;
    bundled dancer; /* paths, once somebody wanted them */
    stored_model models[STORE_MODELS];
    stored_motion motions[STORE_MOTIONS];
    uint64_t now;
} plan_store;

void plan_store_init(plan_store *store, mmd_view *view, const mmd_log *log);
void plan_store_finish(plan_store *store);

/* A file of an archive or a folder that stands for it in a plan. */
typedef struct chosen_input {
    const plan_input *input;
    const char *given; /* with the file's name behind */
} chosen_input;

/* A plan on the stage. The store lends its models and motions to the scene. */
typedef struct plan_stage {
    const plan *plan;
    odori_scene scene;
    odori_session session;
    scene_options scene_options;
    view_options view;
    physics_settings physics;
    const mmd_log *log;
    bool has_session;
    mmd_view *view_of_store;  /* where models of projects have to be taken out */
    stored_model **models;    /* one a model of the scene: of the plan's models, then its stage */
    stored_model **inputs;    /* one a model of the plan, then its stage; a project's first, or NULL */
    digest *projects;         /* by the same number: of the project's file; "": it is a model */
    digest *motions;          /* hashes of the files: motions, then poses, then the camera */
    size_t motion_count;      /* of them so far */
    const mmd_motion *camera; /* the plan's, or NULL */
    mmd_buffer attachments;   /* what accessories that found no bone said, each with its NUL */
    mmd_buffer reset_bodies;  /* the same of bodies that physics reset while frames were gone to */
    chosen_input *chosen;     /* of inputs that are archives or folders */
    size_t chosen_count;
    mmd_arena arena; /* of their names */
} plan_stage;

/* How an input was given, with the name of the file that was taken of an archive or folder. */
const char *plan_stage_given(const plan_stage *stage, const plan_input *input);

/*
 * What is amiss with a plan's files, though it can be drawn: textures that are
 * missing, motions that fit nothing or were cut, accessories without their
 * bone; one sentence each, told to tell. They depend on the plan alone, not on
 * what else was drawn before. After plan_stage_show; view: the store's.
 */
void plan_stage_warnings(const plan_stage *stage, const mmd_view *view,
                         void (*tell)(void *user, const char *sentence), void *user);

/* The same of bodies that were put back, after all frames were gone to. */
void plan_stage_put_back(const plan_stage *stage, void (*tell)(void *user, const char *sentence), void *user);

/* False: the problem says why. Close it in any case. The plan must outlive the stage. */
bool plan_stage_open(plan_store *store, const plan *p, plan_stage *stage, problem *why);
void plan_stage_close(plan_stage *stage);

/* Runs the plan's commands, line by line as --exec does; those that write files, load code or print are passed
 * over: a plan may come from anybody. */
bool plan_run_commands(const plan *p, odori_session *session, problem *why);

/* Makes all of its models drawable. */
bool plan_stage_show(plan_store *store, plan_stage *stage, problem *why);

/* Goes to a frame of the plan with the plan's light, and what its commands did. */
void plan_stage_go(plan_stage *stage, double frame);

#endif
