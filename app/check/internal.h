/* Types and functions that the files of odori check share. */
#ifndef ODORI_CHECK_INTERNAL_H
#define ODORI_CHECK_INTERNAL_H

#include <jansson.h>

#include "mmd/compare.h"
#include "mmd/source.h"
#include "recipe/contents.h"
#include "recipe/provenance.h"
#include "recipe/stage.h"
#include "suite.h"

typedef struct check_options {
    text_list files; /* a suite, or pictures, or with merge the folders of reports */
    text_list only;
    text_list folders; /* folders to search for the files of pictures */
    text_list roots;   /* folders that the suite may name files in, too */
    const char *report, *output, *baselines, *accept_from, *summary;
    bool accept, fresh, json, merge, strict, times;
    bool sensitivity;        /* searches the smallest changes that scenes notice, instead of checking */
    bool keep_inputs;        /* with accept: stores what the models and motions hold beside the baselines */
    size_t max_models;       /* that a picture or a scene may have; 0: SCENE_MODELS_MOST */
    uint64_t texture_memory; /* MiB that it may ask for */
    uint32_t jobs, shard, shards; /* shard counts from 1 */
    uint32_t repeat;              /* rounds in which every scene is drawn; 1: --repeat was not given */
    tolerance tolerance;          /* for pictures, not for suites */
    const common_options *common;
    recipe_settings
        settings;     /* view and pose options of the command line, which override those of every scene */
    const char *exec; /* commands of --exec, run after those of each scene; "" for none */
} check_options;

/* Adds the settings and commands of the command line to a recipe. False: out of memory. */
bool check_override(const check_options *options, recipe *p, mmd_arena *arena);

/* A run over a suite. Parent and workers share it and do not change it. */
typedef struct check_run {
    const check_options *options;
    const suite *suite;
    const size_t *chosen;       /* indices of the scenes to draw, ascending */
    size_t chosen_count, total; /* total: number of scenes before sharding */
    digest program;             /* of the executable */
    uint32_t round;             /* from 1 to options->repeat */
    const json_t *first; /* the results of the first round, in the order of chosen; NULL in that round */
} check_run;

/* --- Judging a picture: judge.c --- */

typedef struct judgement {
    bool passed, equal;
    bool compared; /* result is filled: the sizes are equal but the pictures differ */
    mmd_compare_result result;
    double threshold; /* levels: share is that of pixels that differ by more */
    bool has_beyond;
    mmd_compare_result beyond; /* has_beyond: of the pixels that are not near edges */
    char why[640];             /* which limits are exceeded */
} judgement;

/* How messages call the two pictures. */
typedef struct judge_texts {
    const char *was, *now, *unequal; /* unequal: the message when no limits are set */
} judge_texts;

typedef struct judge {
    judge_texts texts;
    mmd_compare *compare; /* holds the difference plane of the last pair */
    mmd_mask mask;
} judge;

bool judge_init(judge *j, const judge_texts *texts, problem *why);
void judge_finish(judge *j);

/*
 * Compares a picture with its baseline. labels: model, material and bone of each pixel of the drawn picture,
 * for masks of edges. When labels is NULL, steps in the colours of the baseline are taken for edges. False:
 * the pictures cannot be compared, and the problem is filled.
 */
bool judge_pictures(judge *j, const mmd_image *baseline, const mmd_image *drawn,
                    const mmd_label_plane *labels, const suite_scene *p, judgement *result, problem *why);

/* Returns how the pictures of a scene are compared. The judge's mask has to be that of the pictures. */
mmd_compare_options judge_options(const judge *j, const mmd_image *baseline, const mmd_image *drawn,
                                  const suite_scene *p);

/* Compares a picture with a baseline of the same scene that another driver drew, by the tolerance for that.
 * labels may not be NULL. */
bool judge_other_driver(judge *j, const mmd_image *baseline, const mmd_image *drawn,
                        const mmd_label_plane *labels, const suite_scene *p, judgement *result, problem *why);

/* A frame to judge: the scene is still at it, and in the view. */
typedef struct judge_frame_input {
    mmd_view *view;
    const recipe_stage *stage;
    const suite_scene *scene;
    const mmd_image *baseline, *drawn;
    bool other; /* the baseline is of another driver */
} judge_frame_input;

/* Judges a frame. Draws the ids of the scene if a mask or another driver needs the edges of models and
 * materials. */
bool judge_drawn(judge *j, const judge_frame_input *frame, judgement *result, problem *why);

/* Returns the metrics of a judgement as a JSON object, or null when the pictures were not compared. */
json_t *judgement_metrics(const judgement *result);

/* Returns those of the pixels that are not near edges, or null when all of them are. */
json_t *judgement_metrics_beyond(const judgement *result);

/* Reads "max=4,share=0.01", the value of --tolerance. */
bool tolerance_parse(tolerance *t, const char *text, option_error *error);

/* --- The baseline of another driver: nearest.c --- */

enum { DRIVER_NAME_MAX = 128 };

/* Finds the driver that is nearest to this one (same vendor, then any) of those that have a baseline of a
 * frame. Returns whether there is one. */
bool nearest_driver(const suite *s, const char *driver, const char *vendor, const suite_scene *scene,
                    double frame, char found[DRIVER_NAME_MAX]);

/* --- Inputs of scenes: inputs.c --- */

/*
 * Returns the files that a scene is made of, as a list of objects in results.json: {"path","hash"}, of models
 * also "textures" and "contents". Paths are as given in the suite, without the folders of what a project
 * names, so that they are the same on every machine.
 */
json_t *check_inputs(const recipe_stage *stage, const provenance_files *files);

/* Returns whether a scene is still made of the same files, without drawing it and without OpenGL. If not, the
 * sentence says which has changed. store: without a view. */
bool check_inputs_same(const suite_scene *scene, const json_t *before, recipe_store *store, problem *why);

/* --- Kept inputs: kept.c --- */

/* Writes what the models and motions of a stage hold beside the baselines of its suite. */
bool kept_write(const suite *s, const recipe_stage *stage, problem *why);

/* Finds what a file with this hash holds: one that was kept with a baseline, or one of the stage. Returns
 * false if there is none; contents_finish in either case. */
bool kept_find(const suite *s, const recipe_stage *stage, bool is_baseline, const char *hash,
               contents *found);

/* --- Drawing scenes: worker.c --- */

/* Creates a view without a window. False: EXIT_FACILITY in the problem. Both have to be destroyed in any
 * case. */
bool check_open_view(const common_options *common, const mmd_log *log, mmd_gpu **gpu, mmd_view **view,
                     problem *why);

/*
 * Runs a worker process, which reads requests from in and writes replies to out until the end of in. A
 * request is a line "INDEX KEY", with the index of a scene and the key of its stored result or "-". Replies
 * are lines: `H{…}` once at the start, the OpenGL driver or the error that prevents drawing; `P` for each
 * finished picture; `S` when the stored result is still valid; `R{…}` with the result of a scene. When a
 * scene reaches the time limit, the worker writes the sentence about it to another pipe, whose descriptor is
 * late, and ends with the code CHECK_LATE.
 */
enum { CHECK_LATE = 100 };
void check_worker(const check_run *run, FILE *in, FILE *out, int late);

/* Returns a sentence as a JSON string. It may contain names of files, which can have any bytes. */
json_t *clean_text(const char *text);

/* --- What is not repeatable: repeat.c --- */

/* Adds to the result of a scene in the first round what a later round of it says: the frames that differ,
 * each with its first stage that does, or that it could not be drawn. The earliest round that differs stays.
 */
void repeat_join(json_t *scene, const json_t *again, uint32_t round);

/* Ends the rounds of a scene: removes the hashes that they were compared by, and makes a scene that is not
 * repeatable a failure, with a sentence about it. */
void repeat_end(json_t *scene);

/* Describes a frame that is not repeatable: "round 2 differs, first step that differs: textures (miku)".
 * Writes nothing for another one. */
void repeat_describe(const json_t *frame, mmd_buffer *text);

/* --- The smallest changes that scenes notice: sensitivity.c --- */

/*
 * Searches for each kind of change the smallest one of a model of the scene that its tolerance notices,
 * compared with the scene as it is. Returns a list for results.json, also when it fails and fills the
 * problem. Sets noticed to whether there is any such change. The scene must not be open.
 */
json_t *check_sensitivity(const suite_scene *scene, mmd_view *view, recipe_store *store, judge *j,
                          bool *noticed, problem *why);

/* --- Running: run.c --- */

/* Draws the chosen scenes of the suite, with --repeat in all rounds. Appends one object per scene to results,
 * in the order of chosen, also when it fails. about receives the driver, renderer and version of OpenGL. */
bool check_run_all(const check_run *run, json_t *results, json_t *about, problem *why);

/* --- Reporting: report.c --- */

/* Returns the text under a key of an object, or "". */
const char *check_text(const json_t *object, const char *key);

/* Reports results: adds them and a summary to whole, writes results.json, junit.xml and index.html into
 * folder (unless it is NULL), and prints whole as JSON or the scenes that did not pass. Sets code to the exit
 * code. */
bool check_report(const check_options *options, const char *folder, json_t *whole, json_t *results, int *code,
                  problem *why);

/* Describes a frame that did not pass in one sentence. */
void describe_frame(const json_t *frame, mmd_buffer *text);

/* Writes the Markdown of --summary: a row for each picture that did not pass, with links into the report
 * (NULL: none). */
bool check_write_summary(const check_options *options, const char *report, const json_t *whole, problem *why);

/* --- Other ways to check: accept.c, merge.c, picture.c --- */

/* Takes pictures of the report of --accept-from as baselines, without drawing. Sets code to the exit code. */
bool check_accept_from(const check_options *options, const suite *s, int *code, problem *why);

/* Joins the reports of shards. Sets code to the exit code. */
bool check_merge(const check_options *options, int *code, problem *why);

/* Draws pictures again from the data stored in them, compares and prints a line for each. Returns the highest
 * exit code. */
int check_pictures(const check_options *options);

/* Limit of the length of folder paths in bytes, which leaves space for the names of scenes and frames in
 * MMD_FILE_PATH_MAX. */
enum { CHECK_FOLDER_MAX = MMD_FILE_PATH_MAX - 512 };

#endif
