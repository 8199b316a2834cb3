/* Loads files, whose kind is recognised by content, and puts them on the stage: files of the command line, of
 * a suite, of a picture, and of a scene that is read again. */
#ifndef ODORI_LOAD_H
#define ODORI_LOAD_H

#include "base/options.h"
#include "base/paths.h"
#include "bundled.h"
#include "scene.h"

/* Kinds of inputs in scene_options.files. */
typedef enum input_kind {
    INPUT_FILE,     /* a file, recognised by content */
    INPUT_LISTED,   /* the same, named by a playlist: neither a project nor a picture */
    INPUT_MODEL,    /* a model, an accessory or a project, named by a picture */
    INPUT_BACKDROP, /* a file given by --stage */
    INPUT_COPY,     /* a copy of an earlier model */
    INPUT_EMPTY     /* nothing but the bones of a model that was removed for good, to keep its number */
} input_kind;

/* A file to load. */
typedef struct scene_input {
    const char *given;          /* as it was given; NULL if there is no input */
    const char *path;           /* path from the current folder; an archive or folder means a file in it */
    bool is_dancer;             /* one of the bundled dancer's files; path is ignored */
    input_kind kind;            /* kind, for models */
    size_t copy_of;             /* index of the copied model, for INPUT_COPY */
    const scene_model *emptied; /* that model, for INPUT_EMPTY */
    size_t owner;               /* for motions: 1 + index of the only model it moves; 0 for all */
    /* for motions: 1 + index in scene_options.files of the file with the only model it moves; 0 for none */
    size_t owner_file;
    bool is_of_stage; /* for motions: it moves only the model of --stage, which there must be */
    bool is_camera;   /* for motions: use only its camera and light */
} scene_input;

/* A list of inputs. Texts are not copied. Items are allocated with mmd_alloc, or in an arena, in which case
 * the list must not be finished. */
typedef struct scene_inputs {
    scene_input *items;
    size_t count;
} scene_inputs;

/* Returns the input for an argument: a path, or BUNDLED_NAME if no file has that name. */
scene_input scene_input_of(const char *argument);

/* Returns the input for a file named in a suite or picture: BUNDLED_NAME, or the given name and its path from
 * the current folder. */
scene_input scene_input_named(const char *given, const char *path);
bool scene_inputs_add(scene_inputs *inputs, const scene_input *input); /* returns false if out of memory */
bool scene_inputs_add_path(scene_inputs *inputs, const char *argument);

/* Tests whether an option named a single model that a motion moves. */
bool scene_input_is_own(const scene_input *motion);

/* Adds a motion. Motions of all models are kept before those for which scene_input_is_own is true. */
bool scene_inputs_add_motion(scene_inputs *motions, const scene_input *motion);

/*
 * An option for a single model (placing.h): the model that a file brings, or a model of the scene by index.
 */
typedef enum model_option_kind { MODEL_PLACE, MODEL_DELAY, MODEL_HANG } model_option_kind;
#define MODEL_OF_FILE SIZE_MAX
typedef struct model_option {
    model_option_kind kind;
    size_t file;        /* index in scene_options.files */
    size_t model;       /* index in the scene, or MODEL_OF_FILE */
    const char *bone;   /* bone to hang on: "右ダミー", or "0:右ダミー" with the model's index */
    float placement[7]; /* position in units, degrees about X, Y and Z, scale */
    double delay;       /* in frames */
} model_option;

typedef struct model_options {
    model_option *items;
    size_t count;
} model_options;

/* The most models that a picture, suite or playlist may bring, unless the command line allows more. */
enum { SCENE_MODELS_MOST = 256 };

/* Contents of the stage. */
typedef struct scene_options {
    scene_inputs files;   /* models and accessories; motions and poses among them are recognised */
    scene_inputs motions; /* in the order in which they apply */
    scene_inputs poses;
    scene_input camera, stage;
    model_options own;
    const path_scope *scope; /* folders that all files have to be in, also a project's; NULL: anywhere */
    size_t most_models;      /* more than so many models in files are an error; 0: no limit */
    bool is_chosen;          /* --model was given */
    size_t chosen;
    bool is_paired;       /* motions were given between models, as if each belonged to the model before it */
    size_t motions_after; /* number of files named before the first motion */
    struct {
        uint32_t actors; /* number of dancers including the first; 0 and 1 mean no copies */
        double delay;    /* frames from one dancer to the next */
    } crowd;             /* see crowd.h */
} scene_options;

void scene_options_init(scene_options *options);
void scene_options_finish(scene_options *options);

/*
 * Lends models and motions instead of reading files: a store that keeps them between scenes. Warnings about
 * files are reported by the lender, not while the scene is loaded. files then has only models and projects;
 * motions are in their own list.
 */
typedef struct scene_lender {
    void *user;
    mmd_status (*model)(void *user, const char *path, mmd_model_file *file, mmd_error *error);
    mmd_status (*motion)(void *user, const char *path, mmd_motion **motion, mmd_error *error);
} scene_lender;

/* Loads everything. lender may be NULL: files are read. Warnings go to log. Call scene_finish in either case.
 * MMD_ERROR_ARGUMENT: options that do not fit the files. */
mmd_status scene_load(odori_scene *s, const scene_options *options, const scene_lender *lender,
                      const mmd_log *log, mmd_error *error);

/* Reads the files of a scene again into s, for the same models in the same order; a project is opened as a
 * whole. old is not changed. Same results as scene_load. */
mmd_status scene_load_again(const odori_scene *old, const mmd_log *log, odori_scene *s, mmd_error *error);

/* Checks that the files brought a model, for subcommands that need one. MMD_ERROR_MAGIC if not. */
mmd_status scene_check_model(const odori_scene *s, const scene_options *options, const char *subcommand,
                             mmd_error *error);

/* Checks that there is one dancer, or one accessory and no dancer. MMD_ERROR_ARGUMENT if there are several
 * and --model does not choose. */
mmd_status scene_check_single(const odori_scene *s, const scene_options *options, const char *subcommand,
                              mmd_error *error);

/*
 * Adds the bundled dancer. She plays her own dance unless a motion already moves models, and then with its
 * camera unless there is another; the crowd options apply. dancer receives the paths of her files; music is
 * "" if she does not dance her own dance.
 */
mmd_status scene_load_dancer(odori_scene *s, const scene_options *options, bundled *dancer,
                             const mmd_log *log, mmd_error *error);

#endif
