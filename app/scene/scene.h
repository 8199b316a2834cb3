/*
 * The contents of the stage: models and motions. Models are dancers, which motions of all models move;
 * accessories (.x and .vac); and at most one backdrop, the model of --stage. Of the latter two, only a motion
 * of their own moves a backdrop, and shows or hides an accessory. load.h reads files.
 */
#ifndef ODORI_SCENE_H
#define ODORI_SCENE_H

#include "mmd/actor.h"
#include "mmd/assemble.h"
#include "mmd/format.h"
#include "mmd/log.h"
#include "mmd/project_stage.h"
#include "physics.h"

typedef struct scene_model {
    const char *path;
    const char *given;         /* as given by the user: a path or the bundled dancer's name */
    const char *project;       /* path of the project that brought it and defines its draw order; or NULL */
    const char *project_given; /* that project's path as given */
    mmd_model *model;
    mmd_texture_location textures;
    mmd_actor *actor;
    mmd_vac *vac;           /* placement of an accessory; or NULL */
    mmd_exchange *document; /* glTF or Ragdoll document that owns the model; or NULL */
    bool is_accessory, is_backdrop;
    bool is_lent;     /* model, textures, vac and document belong to a lender (scene_lender) */
    bool is_copy;     /* they belong to an earlier model (crowd.h) */
    bool is_mirrored; /* its motions are mirrored (mirror.h) */
    size_t role;      /* the model whose motions it plays: its own index, or of one that it replaced */
    bool is_beside;   /* it was placed beside the others when it was opened (framing.h), at this x */
    float beside;
    /* it was removed for good (model_edit_bound); it is empty since its files were read again */
    bool is_given_up, is_empty;
    bool has_usual_order; /* scratch of presence.c */
    bool *reset_told;     /* by body, then by soft body: a reset was already reported; NULL: none was */
} scene_model;

typedef struct scene_motion {
    const char *path;
    const char *given;
    mmd_motion *motion;
    /* moves every dancer, including later ones, or the target; otherwise only camera and light are used */
    bool moves_models;
    bool is_camera;       /* only camera and light are used, whatever else is in the file */
    bool is_of_project;   /* it is part of a project file */
    bool is_lent;         /* the motion belongs to a lender */
    bool is_ended;        /* its camera and light are not used (edited_motion_use_on_stage) */
    int64_t target;       /* role of the only model that it moves; -1 for none or for every dancer */
    mmd_motion *mirrored; /* the motion with left and right swapped; NULL until it is needed */
} scene_motion;

/* A motion that a model danced before (fade.h). */
typedef struct faded_motion {
    scene_motion file; /* target is the model */
    mmd_fade fade;     /* as its actor plays it */
    bool is_altered;   /* its keyframes are not those of the file, or it has no file */
} faded_motion;

/* A motion with edited keyframes (edited_motion.h). */
typedef struct edited_motion {
    size_t model;   /* role of the model that plays it; SIZE_MAX for none */
    bool is_stage;  /* it controls the stage's camera and light */
    int64_t source; /* index of the scene's motion that it replaces; -1 for none */
    mmd_motion *motion;
    mmd_motion *mirrored; /* a mirrored copy, as of the last time it was needed (mirror.h) */
} edited_motion;

/* View and physics settings of a project (project_scene.h); of several projects, the last one's. */
typedef struct scene_settings {
    bool given;
    mmd_project_settings project;
    const char *sound; /* sound that starts at frame 0; NULL if there is none or it is missing */
} scene_settings;

typedef struct odori_scene {
    scene_model *models;
    size_t model_count;
    scene_motion *motions;
    size_t motion_count;
    edited_motion *edited;
    size_t edited_count;
    faded_motion *faded; /* in the order in which the actors play them */
    size_t faded_count;
    mmd_stage *stage;
    scene_settings settings;
    /* backgrounds of the project that the settings come from (background.h) */
    struct scene_background **backgrounds;
    uint32_t background_count;
    physics_settings physics;        /* as physics was started (physics.h) */
    mmd_physics_options physics_now; /* including later changes; kept while physics is off */
    mmd_log physics_log;
    mmd_log time_log;                         /* receives warnings that depend on the speed of the machine */
    uint32_t reset_sentences;                 /* number of warnings about reset bodies */
    bool is_mirrored;                         /* camera and light are mirrored (mirror.h) */
    double goal;                              /* frame that a long simulation leads to; 0 if none */
    double simulating_since, simulating_seen; /* seconds of a clock */
    double step_began, step_frame;            /* the step that is being computed: seconds of a clock, frame */
    bool simulating_told, slow_step_told;
    uint64_t texture_memory; /* MiB that textures may take; 0: the default */
    bool is_chosen;          /* --model chose a model */
    size_t chosen;
    bool is_reframed; /* the default camera was made anew since somebody cleared this */
    bool is_framed, framed_tiny, framed_mmd; /* how the default camera was made (framing.h) */
    double framed_aspect;
    bool is_loaded;      /* loading has finished; models added later do not change the others */
    const char *opening; /* command lines that repeat what options did to models; or NULL */
    mmd_arena arena;     /* memory of paths and keys */
} odori_scene;

/* Initialises an empty stage. Returns false if out of memory; call scene_finish in either case. */
bool scene_init(odori_scene *s);
void scene_finish(odori_scene *s);

/*
 * Adds a model. Uses path, model, textures, vac, document, project, is_backdrop and is_lent of `what`; given
 * may be NULL for the path. Texts are copied, except the project's. The scene owns the parts from now on,
 * unless they are lent, even if it fails. A backdrop is drawn first, ignores motions of all models, and has
 * no ground shadow. Returns false if out of memory.
 */
bool scene_add_model(odori_scene *s, const scene_model *what);

/* Copies a text that lives as long as the scene. Returns NULL if out of memory. */
const char *scene_keep_text(odori_scene *s, const char *text);

/* Returns a scene_model with the parts of a file, for scene_add_model. */
scene_model scene_model_of(const char *path, const mmd_model_file *file);

/* Adds a copy of a model that shares everything except its actor, and plays the motions of all models.
 * Returns false if out of memory. */
bool scene_add_copy(odori_scene *s, size_t of);

/* Special values for the model that a motion moves (besides camera and light). */
enum { EVERY_MODEL = -1, NO_MODEL = -2 };

/* Adds a motion. Uses path, given, motion, is_of_project and is_lent of `what`. NO_MODEL: only camera and
 * light are used. Returns false if out of memory. */
bool scene_add_motion(odori_scene *s, const scene_motion *what, int64_t whom);

/* Returns the index of the chosen model, otherwise of the first dancer, otherwise of the first accessory,
 * otherwise of the backdrop, otherwise model_count. Models that were removed (presence.h) do not count here
 * and below. */
size_t scene_main_model(const odori_scene *s);

/* Tests whether motions of all dancers move a model: not an accessory, nor the backdrop. */
bool scene_is_dancer(const scene_model *m);

/* Counts dancers, copies included. */
size_t scene_count_dancers(const odori_scene *s);

/* Counts dancers, or accessories, without the backdrop and copies. first receives the index of the first one,
 * if any. */
size_t scene_count_models(const odori_scene *s, bool accessories, size_t *first);

/* Tests whether there is a model or an accessory besides the backdrop. */
bool scene_has_model(const odori_scene *s);

/* Tests whether a model exists and is on the stage: it was not removed (presence.h). */
bool scene_is_present(const odori_scene *s, size_t model);

/* Returns the model on the stage that has a role; if there is none, the one that had it first. */
size_t scene_holder(const odori_scene *s, size_t role);

/* Returns the index of the last dancer; model_count if there is none. */
size_t scene_last_dancer(const odori_scene *s);

/* Returns the index of the backdrop; model_count if there is none. */
size_t scene_backdrop(const odori_scene *s);

/* Tests whether a motion of the scene moves a model, apart from camera and light. */
bool scene_moves(const odori_scene *s, const scene_motion *motion, size_t model);

/* Warns if the file was truncated. */
void motion_report_cut(const char *path, const mmd_motion *motion, const mmd_log *log);

#endif
