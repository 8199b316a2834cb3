/* What the files of `odori diff` share: options, metrics, what was found out, and who tells it. */
#ifndef ODORI_DIFF_INTERNAL_H
#define ODORI_DIFF_INTERNAL_H

#include "base/emit.h"
#include "base/options.h"
#include "files/ids.h"
#include "frames.h"
#include "mmd/compare.h"
#include "recipe/provenance_compare.h"

/* --- Options: diff.c --- */

typedef struct diff_rectangle {
    int32_t x, y;
    uint32_t width, height;
    bool keep;
} diff_rectangle;

typedef struct diff_options {
    const char *paths[2];
    size_t path_count;
    bool wanted[MMD_METRIC_COUNT]; /* --metric: those told of */
    mmd_limits limits;             /* from options */
    mmd_compare_options compare;
    diff_rectangle *rectangles;
    size_t rectangle_count;
    const char *mask;    /* a picture, or NULL */
    uint32_t mask_edges; /* 0: none */
    text_list mask_bones;
    bool mask_physics;
    const char *ids;  /* a file or folder, "none"; NULL: beside A, or drawn again */
    const char *json; /* a file, "-" for stdout, NULL for none */
    const char *report;
    int64_t offset;
    bool missing_is_fine;
} diff_options;

/* --- Causes: cause.c --- */

/* The difference within one material or bone, over all frames. */
typedef struct cause_row {
    char *model, *part; /* "" and "": outside of every model */
    uint32_t model_index, part_index;
    bool outside;
    uint64_t pixels, over, sum;
    uint32_t largest;
} cause_row;

/* Rows in order of appearance, which is what report pictures number; order has them by falling sum. */
typedef struct cause_table {
    cause_row *rows;
    size_t count;
    uint32_t *order;
    uint64_t sum;
} cause_table;

/* Adds what the last run found; part is MMD_LABEL_MATERIAL or MMD_LABEL_BONE. */
mmd_status cause_add(cause_table *table, const mmd_compare *compare, const ids_picture *ids, unsigned part,
                     mmd_error *error);
bool cause_sort(cause_table *table); /* false: out of memory */
void cause_finish(cause_table *table);
double cause_share(const cause_table *table, const cause_row *row); /* 0..1 */

/* Returns the row of an id of a picture, or SIZE_MAX. */
size_t cause_find(const cause_table *table, const ids_picture *ids, unsigned part, uint32_t id);

/* Writes "おどり/髪", or what stands for everything else. Returns text. */
const char *cause_name(const cause_row *row, char *text, size_t capacity);

/* --- What the pictures say of how they were made: cause.c --- */

enum { DIFF_MADE_MAX = 16 };

typedef struct diff_made {
    bool known;       /* both pictures have an odori.scene chunk */
    unsigned aspects; /* PROVENANCE_POSE etc. */
    size_t count;     /* of changes, of which the first DIFF_MADE_MAX have their texts */
    char changes[DIFF_MADE_MAX][PROVENANCE_SENTENCE_MAX]; /* "frame: 10 -> 11", from A to B */
} diff_made;

/* Compares what two files say of how they were made; what is no picture of odori's says nothing. */
void made_compare(const char *a, const char *b, diff_made *made);

/* --- Ids that are drawn again: redraw.c --- */

typedef struct diff_redrawer diff_redrawer;

/* Reads, draws and tells nothing before it is asked. log must outlive it. NULL: out of memory. */
diff_redrawer *redrawer_create(const mmd_log *log);
void redrawer_destroy(diff_redrawer *r);

/*
 * Draws the ids of a picture that says how it was made, from the files that it
 * names, if all are there and unchanged. False: there are none; that files are
 * missing or changed is told to the log once.
 */
bool redrawer_ids(diff_redrawer *r, const char *picture, uint32_t width, uint32_t height, ids_picture *ids);

/* --- Kinds of difference: kind.c --- */

typedef enum diff_kind {
    DIFF_KIND_UNKNOWN,
    DIFF_KIND_MOVED, /* B is A some pixels aside */
    DIFF_KIND_EDGES, /* along edges only: antialiasing, outlines */
    DIFF_KIND_COLOR, /* the same shape in other colours */
    DIFF_KIND_TOON,  /* part of it in other colours */
    DIFF_KIND_POSE   /* another pose, motion or view: only where the pictures say so */
} diff_kind;

typedef struct diff_nature {
    diff_kind kind;
    int32_t moved[2]; /* MOVED: pixels from A to B */
    bool has_factor;  /* COLOR, TOON: B is A times factor where it differs */
    double factor[3]; /* of red, green, blue */
    double changed;   /* share of the pixels of the part that differ */
    uint32_t box[4];  /* x, y in A, width, height: around all that differs */
    unsigned told;    /* what the pictures say it is, PROVENANCE_ bits; 0: found by looking */
} diff_nature;

/* What was compared, for telling its kind. */
typedef struct nature_input {
    const mmd_compare *compare;
    const mmd_compare_result *result;
    const mmd_image *a;     /* whole */
    const ids_picture *ids; /* or NULL */
    uint32_t material;      /* with ids: the id whose pixels count; UINT32_MAX: all */
    uint8_t threshold;
} nature_input;
mmd_status nature_find(const nature_input *input, diff_nature *nature, mmd_error *error);

/* Replaces the guess where the pictures say what alone is different between them. */
void nature_tell(diff_nature *nature, const diff_made *made);

/* Return the name in JSON ("toon"), and a clause for people ("a toon difference …") or "". */
const char *nature_name(diff_kind kind);
const char *nature_clause(const diff_nature *nature, char *text, size_t capacity);

/* --- Masks: mask.c --- */

/* Tells whether any option asks for a mask. */
bool mask_wanted(const diff_options *options);

/* Makes the mask of A's size for a pair. picture: of --mask, or NULL; ids or NULL. */
bool mask_make(const diff_options *options, const mmd_image *a, const mmd_image *picture,
               const ids_picture *ids, mmd_mask *mask, problem *why);

/* --- What was found out --- */

typedef struct diff_frame {
    int64_t number;
    char *names[2];
    uint32_t sizes[2][2];
    bool equal; /* sizes, and every compared pixel */
    bool good;  /* within the limits, or equal where there are none */
    mmd_compare_result result;
} diff_frame;

typedef struct diff_missing {
    int64_t number;
    char *name;  /* of the frame that is there */
    int missing; /* where there is none: 0 A, 1 B */
} diff_missing;

typedef enum diff_verdict { DIFF_EQUAL, DIFF_WITHIN, DIFF_DIFFERENT } diff_verdict;

typedef struct diff_findings {
    const diff_options *options;
    bool sequence;
    double rates[2]; /* of videos, frames a second; else 0 */
    diff_frame *frames;
    size_t frame_count;
    diff_missing *missing;
    size_t missing_count;
    bool has_ids;
    cause_table materials, bones;
    size_t worst;       /* index of the frame with the largest mean difference */
    diff_nature nature; /* of the worst frame, or of its foremost material there */
    bool has_nature;
    diff_made made;    /* of the worst frame's pictures */
    size_t nature_row; /* that material in materials; SIZE_MAX: all pixels were looked at */
    size_t equal_count, bad_count;
    uint64_t pixels; /* compared, over all frames */
    diff_verdict verdict;
    char line[1024]; /* the verdict with its cause, one line */
} diff_findings;

/* Opens both, compares frame after frame, writes what was asked for. log: for notes. run.c. */
bool diff_run(const diff_options *options, const mmd_log *log, bool *different, problem *why);

/* --- Telling: tell.c --- */

/* Adds up frames and causes, and words the verdict. */
bool findings_conclude(diff_findings *f); /* false: out of memory */
void findings_print(const diff_findings *f);
bool findings_write_json(const diff_findings *f, const char *path);
void findings_emit(emitter *j, const diff_findings *f); /* the same, within something else */
void findings_finish(diff_findings *f);

#endif
