/* Types and functions that the files of odori diff share: options, metrics, findings and their output. */
#ifndef ODORI_DIFF_INTERNAL_H
#define ODORI_DIFF_INTERNAL_H

#include "base/emit.h"
#include "base/options.h"
#include "frames.h"
#include "mmd/difference.h"
#include "recipe/provenance_compare.h"

/* --- Options: diff.c --- */

/* A rectangle of A in pixels that is masked, or with keep the only part that is compared. */
typedef struct diff_rectangle {
    int32_t x, y;
    uint32_t width, height;
    bool keep;
} diff_rectangle;

typedef struct diff_options {
    const char *paths[2];
    size_t path_count;
    bool wanted[MMD_METRIC_COUNT]; /* metrics to show, of --metric */
    mmd_limits limits;             /* of the options --max-... and --min-... */
    mmd_compare_options compare;
    diff_rectangle *rectangles;
    size_t rectangle_count;
    const char *mask;    /* path of a picture, or NULL */
    uint32_t mask_edges; /* distance in pixels, 0: no mask at edges */
    text_list mask_materials, keep_materials, mask_bones;
    bool mask_physics;
    const char *gpu;   /* that draws missing ids (common_options) */
    size_t max_models; /* of the scene that ids are drawn of; 0: SCENE_MODELS_MOST */
    const char *ids;   /* a file, a folder or "none"; NULL: the ids beside A, or drawn again */
    const char *json;  /* a file, "-" for stdout, NULL for none */
    const char *report;
    int64_t offset; /* added to the frame numbers of B */
    bool missing_is_fine;
} diff_options;

/* --- Provenance of the two pictures: cause.c --- */

enum { DIFF_MADE_MAX = 24 };

/* How the scenes and settings of the two pictures differ. */
typedef struct diff_made {
    bool known;       /* both pictures have an odori.scene chunk */
    unsigned aspects; /* PROVENANCE_… bits of what has changed */
    size_t count;     /* number of changes, of which the first DIFF_MADE_MAX are in changes */
    char changes[DIFF_MADE_MAX][PROVENANCE_SENTENCE_MAX]; /* "frame: 10 -> 11", from A to B */
} diff_made;

/* Compares the provenance of two pictures. known becomes false unless both have one. Differences inside of
 * files are ranked by the difference of the materials and bones that they concern. */
void made_compare(const char *a, const char *b, const mmd_causes *materials, const mmd_causes *bones,
                  diff_made *made);

/* --- Drawing missing ids: redraw.c --- */

typedef struct diff_redrawer diff_redrawer;

/* Creates a redrawer of scenes of at most so many models (0: SCENE_MODELS_MOST), which opens OpenGL only when
 * ids are requested. log must outlive it. NULL: out of memory. */
diff_redrawer *redrawer_create(size_t max_models, const char *gpu, const mmd_log *log);
void redrawer_destroy(diff_redrawer *r);

/*
 * Draws the ids of a picture from its provenance, if all files in it exist and are unchanged. False: there
 * are no ids. The first missing or changed file is reported to the log, once.
 */
bool redrawer_ids(diff_redrawer *r, const char *picture, uint32_t width, uint32_t height, mmd_ids *ids);

/* --- Kinds of difference: cause.c --- */

/* The kind of a difference. */
typedef struct diff_nature {
    mmd_difference found;   /* as guessed from the pixels; the provenance may have changed its kind */
    unsigned known_aspects; /* aspects that the provenance gives as the cause, of PROVENANCE_POSE, … one
                               alone; 0: the kind was guessed from pixels */
} diff_nature;

/* Replaces the guess when the provenance shows that only one aspect has changed. */
void nature_tell(diff_nature *nature, const diff_made *made);

/* Return the name for JSON ("toon"), and a clause for messages ("a toon difference …") or "". */
const char *nature_name(const diff_nature *nature);
const char *nature_clause(const diff_nature *nature, char *text, size_t capacity);

/* --- Masks: mask.c --- */

/* Returns whether any option asks for a mask. */
bool mask_wanted(const diff_options *options);

/* Returns whether any of them selects materials or bones by ids. */
bool mask_needs_ids(const diff_options *options);

/* Builds the mask for a pair, with the size of A. picture: that of --mask, or NULL. ids can be NULL. */
bool mask_make(const diff_options *options, const mmd_image *a, const mmd_image *picture, const mmd_ids *ids,
               mmd_mask *mask, problem *why);

/* --- Findings --- */

typedef struct diff_frame {
    int64_t number;
    char *names[2];
    uint32_t sizes[2][2];
    bool equal; /* the sizes and all compared pixels are equal */
    bool good;  /* within the limits, or equal when there are no limits */
    mmd_compare_result result;
} diff_frame;

typedef struct diff_missing {
    int64_t number;
    char *name;  /* of the frame on the other side */
    int missing; /* the side that lacks it: 0 A, 1 B */
} diff_missing;

typedef enum diff_verdict { DIFF_EQUAL, DIFF_WITHIN, DIFF_DIFFERENT } diff_verdict;

/* The first frame that fails: that differs, or with limits the first beyond them. */
typedef struct diff_first {
    bool found, has_ids;
    size_t frame;                /* its index */
    mmd_causes materials, bones; /* of this frame alone */
    diff_nature nature;          /* as of the worst frame below */
    size_t nature_row;
    diff_made made;
    char line[1024]; /* what is different, in one line; "" if there is no such frame or no sequence */
} diff_first;

typedef struct diff_findings {
    const diff_options *options;
    bool sequence;
    double rates[2]; /* of videos, in frames per second; otherwise 0 */
    diff_frame *frames;
    size_t frame_count;
    diff_missing *missing;
    size_t missing_count;
    bool has_ids;
    mmd_causes materials, bones;
    size_t worst;       /* index of the frame with the largest mean difference */
    diff_nature nature; /* of the worst frame, or of the material with most of its difference */
    bool has_nature;
    diff_made made;    /* of the pictures of the worst frame */
    size_t nature_row; /* index of that material in materials; SIZE_MAX: nature is of all pixels */
    diff_first first;
    size_t equal_count, bad_count;
    uint64_t pixels; /* compared, over all frames */
    diff_verdict verdict;
    char line[1024]; /* the verdict with its cause, in one line */
} diff_findings;

/* Compares A and B frame by frame, and writes the output that the options ask for. log receives notes.
 * (run.c) */
bool diff_run(const diff_options *options, const mmd_log *log, bool *different, problem *why);

/* --- Output: findings.c --- */

/* Counts frames, sorts causes, and writes the verdict to f->line. False: out of memory. */
bool findings_conclude(diff_findings *f);

/* Prints the findings as text to stdout. */
void findings_print(const diff_findings *f);

/* Writes the findings as JSON to a file ("-": stdout). False: it failed, which was reported. */
bool findings_write_json(const diff_findings *f, const char *path);

/* Emits the findings as a JSON object. */
void findings_emit(emitter *j, const diff_findings *f);
void findings_finish(diff_findings *f);

#endif
