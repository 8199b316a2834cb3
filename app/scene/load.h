/*
 * Files read, told apart by content, and put on the stage: those of the command
 * line, of a suite, of a picture, and of a scene that is read again.
 */
#ifndef ODORI_LOAD_H
#define ODORI_LOAD_H

#include "base/options.h"
#include "bundled.h"
#include "scene.h"

/* What an input of scene_options.files brings. */
typedef enum input_kind {
    INPUT_FILE,     /* a file, told apart by its content */
    INPUT_BACKDROP, /* the same for --stage */
    INPUT_COPY      /* another one of a model before it */
} input_kind;

/* A file that is wanted. */
typedef struct scene_input {
    const char *given; /* as it was written down; NULL: none */
    const char *path;  /* where it is from here; an archive or a folder stands for a file in it */
    bool is_dancer;    /* the bundled dancer's, whatever the path */
    input_kind kind;   /* of a model */
    size_t copy_of;    /* INPUT_COPY: the number of that model */
    size_t owner;      /* of a motion: the number of the model that it alone moves, plus 1; 0: every one */
    size_t owner_file; /* the same by the file, of scene_options.files, that brings the model */
    bool is_camera;    /* of a motion: camera and light of it alone count */
} scene_input;

/* Texts are not copied. Items come from mmd_alloc, or from an arena, and then they are not finished. */
typedef struct scene_inputs {
    scene_input *items;
    size_t count;
} scene_inputs;

/* An argument: a path, or BUNDLED_NAME where no file has that name. */
scene_input scene_input_of(const char *argument);

/* A file that a suite or a picture names: BUNDLED_NAME, or a path, and where that is from here. */
scene_input scene_input_named(const char *given, const char *path);
bool scene_inputs_add(scene_inputs *inputs, const scene_input *input); /* false: out of memory */
bool scene_inputs_add_path(scene_inputs *inputs, const char *argument);

/* Adds a motion: one of every model before those that the command line gives to one of them. */
bool scene_inputs_add_motion(scene_inputs *motions, const scene_input *motion);

/* What is said of one model alone (placing.h): of the one that a file brings, or of the scene's by its
 * number. */
typedef enum model_option_kind { MODEL_PLACE, MODEL_DELAY, MODEL_HANG } model_option_kind;
#define MODEL_OF_FILE SIZE_MAX
typedef struct model_option {
    model_option_kind kind;
    size_t file;      /* of scene_options.files */
    size_t model;     /* or MODEL_OF_FILE */
    const char *bone; /* that it hangs on, "右ダミー" or "0:右ダミー" */
    float place[7];   /* units, degrees about X, Y and Z, times its size */
    double delay;     /* frames */
} model_option;

typedef struct model_options {
    model_option *items;
    size_t count;
} model_options;

/* What is on the stage. */
typedef struct scene_options {
    scene_inputs files;   /* models and accessories; motions and poses among them are taken as such */
    scene_inputs motions; /* in the order in which they apply */
    scene_inputs poses;
    scene_input camera, stage;
    model_options own;
    bool is_chosen; /* --model */
    size_t chosen;
    bool is_paired;       /* motions were given between models, as if each moved the one before it */
    size_t motions_after; /* how many files were named before the first of the motions */
    mmd_pose_options pose;
    struct {
        uint32_t actors; /* 0 and 1: none but the first */
        double delay;    /* frames from one to the next */
    } crowd;             /* crowd.h */
} scene_options;

void scene_options_init(scene_options *options);
void scene_options_finish(scene_options *options);

/*
 * Where models and motions are lent from, in place of being read: a store that
 * keeps them from one scene to the next. What is wrong with files that were
 * read long ago is told by whoever lends them, not while the scene is loaded.
 * Files are models and projects then: motions have a list of their own.
 */
typedef struct scene_lender {
    void *user;
    mmd_status (*model)(void *user, const char *path, model_file *file, mmd_error *error);
    mmd_status (*motion)(void *user, const char *path, mmd_motion **motion, mmd_error *error);
} scene_lender;

/*
 * Reads everything. lender NULL: from files. Warnings go to log. Finish the
 * scene in any case. MMD_ERROR_ARGUMENT: options that do not fit the files.
 */
mmd_status scene_load(odori_scene *s, const scene_options *options, const scene_lender *lender,
                      const mmd_log *log, mmd_error *error);

/* Reads a scene's files again, for the same models in the same order; a project is opened as a whole. The
 * scene is only read. The same results. */
mmd_status scene_load_again(const odori_scene *old, const mmd_pose_options *pose, const mmd_log *log,
                            odori_scene *s, mmd_error *error);

/* Checks that one of the files brought a model, for a subcommand that wants one. MMD_ERROR_MAGIC. */
mmd_status scene_check_model(const odori_scene *s, const scene_options *options, const char *subcommand,
                             mmd_error *error);

/* The same for a subcommand that takes one dancer, or one accessory where there is no dancer.
 * MMD_ERROR_ARGUMENT: there are several, and --model does not choose. */
mmd_status scene_check_single(const odori_scene *s, const scene_options *options, const char *subcommand,
                              mmd_error *error);

/*
 * Puts the bundled dancer on the stage: with her dance, unless something there
 * moves models already, and then with its camera, unless there is one; and with
 * the crowd that was asked for. Fills in where her files are; music "": she does
 * not dance her own dance.
 */
mmd_status scene_load_dancer(odori_scene *s, const scene_options *options, bundled *dancer,
                             const mmd_log *log, mmd_error *error);

#endif
