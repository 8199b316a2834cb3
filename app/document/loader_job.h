/* For open_work.c: a job, and what its thread does. */
#ifndef ODORI_LOADER_JOB_H
#define ODORI_LOADER_JOB_H

#include <stdatomic.h>

#include "command/commands.h"
#include "document.h"
#include "mmd/view_load.h"
#include "open.h"

typedef enum job_kind {
    JOB_FILES,    /* that join the scene, or take its place */
    JOB_SCENE,    /* files that take its place */
    JOB_AGAIN,    /* the scene's own */
    JOB_TEXTURES, /* of one of its models */
} job_kind;

/* A model on its way to the GPU. */
typedef struct job_load {
    const mmd_model *model;
    const char *path;
    mmd_view_load *load;
} job_load;

typedef struct open_job {
    job_kind kind;
    text_list paths; /* what is opened, or what has changed */
    mmd_arena arena; /* of the paths */
    /* Of whoever starts it; the thread reads them. */
    const odori_scene
        *live; /* of which the list of files alone is looked at, and textures by number `model` */
    const scene_options *files;
    const char *audio;
    bool plays, remembers;
    size_t model, selected;
    mmd_view_options view;
    mmd_buffer lines;
    document document; /* of the session below: it opens files, and nothing else */
    file_opener opener;
    /* Between the two. */
    atomic_bool stops;     /* nobody wants it any more */
    atomic_bool is_read;   /* loads are the starter's from here on, and so is is_made */
    atomic_bool is_near;   /* the scene is where the dance is */
    atomic_bool is_enough; /* no more simulating */
    atomic_bool is_over;   /* all is the starter's */
    _Atomic double goal;   /* where the dance is */
    _Atomic double part;   /* of the work, that is done */
    /* Of the thread, then the starter's. */
    odori_scene scene;
    odori_session session;
    bool has_scene; /* both stand */
    open_result result;
    texture_place place; /* of JOB_TEXTURES */
    job_load *loads;
    size_t load_count, uploaded;
    bool has_no_base;              /* the scene's own files cannot be read again */
    bool is_made;                  /* else error says why not */
    bool is_put;                   /* its models are the scene's */
    char error[REFUSAL_MAX]; /* made, too: of some of the files */
} open_job;

/* Paths are copied; there is at least one. NULL: out of memory. */
open_job *job_create(job_kind kind, const char *const *paths, size_t count);
bool job_add(open_job *j, const char *const *paths, size_t count);
void job_destroy(open_job *j); /* its loads are destroyed before */

/* For a worker: a open_job. */
void job_run(void *context);

/* It cannot be done: why. */
void job_refuse(open_job *j, mmd_error *why, const char *path);

/* How far it is, 0 to 1. */
double job_part(const open_job *j);

#endif
