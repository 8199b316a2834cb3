/* odori check: what its files share. */
#ifndef ODORI_CHECK_INTERNAL_H
#define ODORI_CHECK_INTERNAL_H

#include <jansson.h>

#include "mmd/compare.h"
#include "recipe/stage.h"
#include "suite.h"

typedef struct check_options {
    text_list files; /* a suite, or pictures; with merge, folders of reports */
    text_list only;
    text_list folders; /* where files of pictures may be */
    const char *report, *output;
    bool accept, fresh, json, merge, strict;
    uint32_t jobs, shard, shards; /* shard from 1 */
    tolerance tolerance;          /* of pictures */
    mmd_log_level log_level;
    recipe_settings settings; /* view and pose options of the command line: over every scene's */
    const char *exec;         /* commands of --exec, behind every scene's; "" for none */
} check_options;

/* Puts the command line's settings and commands over a recipe's. False: out of memory. */
bool check_override(const check_options *options, recipe *p, mmd_arena *arena);

/* A run over a suite, as its workers see it. */
typedef struct check_run {
    const check_options *options;
    const suite *suite;
    const size_t *chosen;       /* numbers of the scenes to draw, rising */
    size_t chosen_count, total; /* total: before sharding */
    digest program;
} check_run;

/* --- Judging a picture: judge.c --- */

typedef struct judgement {
    bool passed, equal;
    bool compared; /* result is filled: the sizes are equal, the pictures are not */
    mmd_compare_result result;
    double threshold; /* levels that a pixel of its share differs by more than */
    char why[640];    /* what limits were broken */
} judgement;

/* What a judge calls the two pictures. */
typedef struct judge_words {
    const char *was, *now, *unequal;
} judge_words;

typedef struct judge {
    judge_words words;
    mmd_compare *compare; /* its difference plane is the last pair's */
    mmd_mask mask;
} judge;

bool judge_init(judge *j, const judge_words *words, problem *why);
void judge_finish(judge *j);

/*
 * Holds a picture against its baseline. labels: whose each pixel of the drawn
 * one is, for masks of edges; NULL: steps in the baseline are taken for edges.
 * False: the problem says why it cannot be judged.
 */
bool judge_pictures(judge *j, const mmd_image *baseline, const mmd_image *drawn,
                    const mmd_label_plane *labels, const suite_scene *p, judgement *result, problem *why);

/* Returns the numbers of a judgement, as JSON. */
json_t *judgement_metrics(const judgement *result);

/* "max=4,share=0.01" for --tolerance. */
bool tolerance_parse(tolerance *t, const char *text, option_error *error);

/* --- Drawing scenes: worker.c --- */

/* Makes what draws, and a store of models on it. EXIT_FACILITY. Destroy all in any case. */
bool check_open_view(mmd_log_level level, mmd_gpu **gpu, mmd_view **view, recipe_store *store, problem *why);

/*
 * A worker process: reads lines "INDEX KEY" (KEY: that of a stored result, or
 * "-"), writes lines: `H{…}` once, what draws, or why nothing can; `P` a
 * picture is done; `S` the stored result still holds; `R{…}` a scene's result.
 * Returns at the end of input.
 */
void check_worker(const check_run *run, FILE *in, FILE *out);

/* --- Running: run.c --- */

/* Runs the suite's chosen scenes. results gets one object a scene in their order, also where it fails. */
bool check_run_all(const check_run *run, json_t *results, json_t *about, problem *why);

/* --- Reporting: report.c --- */

/* Tells results: adds them and a summary to whole, writes results.json, junit.xml and index.html into folder
 * (NULL: nowhere), and prints either the whole as JSON or what did not pass. code: what the results mean. */
bool check_tell(const check_options *options, const char *folder, json_t *whole, json_t *results, int *code,
                problem *why);

/* --- Other ways to check: merge.c, picture.c --- */

/* Joins reports of shards. code: what the results mean. */
bool check_merge(const check_options *options, int *code, problem *why);

/* Draws pictures again from what they say of themselves; prints what came of each. Returns the worst exit
 * code. */
int check_pictures(const check_options *options);

/* Folders that files are named below have fewer bytes than this: scenes' and frames' names fit behind them.
 */
enum { CHECK_FOLDER_MAX = PATH_MAX - 512 };

#endif
