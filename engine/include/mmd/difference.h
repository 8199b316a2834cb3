/*
 * Says how and where two pictures differ: the kind of difference, the materials and bones that show it, and a
 * sentence about both. A is the reference, B the picture that is compared with it (compare.h).
 *
 * mmd_compare_pictures is enough for most programs. Its verdict is that of `odori diff A B` with the same
 * limits.
 *
 * A comparison and what belongs to it may be used by one thread at a time.
 */
#ifndef MMD_DIFFERENCE_H
#define MMD_DIFFERENCE_H

#include "mmd/ids.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- The kind of a difference --- */

typedef enum mmd_difference_kind {
    MMD_DIFFERENCE_UNKNOWN, /* none of the others; also of equal pictures */
    MMD_DIFFERENCE_MOVED,   /* B is A shifted by some pixels */
    MMD_DIFFERENCE_EDGES,   /* along edges only: antialiasing, outlines */
    MMD_DIFFERENCE_COLOR,   /* the same shapes in other colours */
    MMD_DIFFERENCE_TOON     /* a part of the surface in other colours, as if it were lit differently */
} mmd_difference_kind;

typedef struct mmd_difference {
    mmd_difference_kind kind;
    int32_t moved[2]; /* MOVED: pixels from A to B */
    bool has_factor;  /* COLOR, TOON: B is A times factor where it differs */
    double factor[3]; /* for red, green, blue */
    double changed;   /* COLOR, TOON: share of the pixels of the material that differ, 0 to 1 */
    uint32_t box[4];  /* x, y in A, width, height: bounding box of all that differs; 0 if nothing does */
    /* With ids: the id of the material with at least half of the difference, of whose pixels all of the above
     * but the box is; 0 is what shows no model. UINT32_MAX: no material has that much, and all pixels were
     * examined. */
    uint32_t material;
} mmd_difference;

/*
 * Guesses the kind of difference of the last run of a comparison from its pixels. a is the whole picture A;
 * ids, with its size, or NULL are those of A. Only after a successful run. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_difference_find(const mmd_compare *compare, const mmd_image *a, const mmd_ids *ids,
                               mmd_difference *difference, mmd_error *error);

/* Returns the kind's name for files: "moved", "edges", "color", "toon", "unknown". */
const char *mmd_difference_kind_name(mmd_difference_kind kind);

/* Writes a clause for messages, cut at capacity: "moved by about 3, 0 pixels"; "" for an unknown kind.
 * Returns text. */
const char *mmd_difference_clause(const mmd_difference *difference, char *text, size_t capacity);

/* --- Its causes: by model, material or bone --- */

/* The difference within one model, material or bone, in one or more pictures. */
typedef struct mmd_cause {
    char *model, *part; /* names; part is "" in a table by model, and both are outside of every model */
    uint32_t model_index, part_index; /* index of the part within its model */
    bool outside;                     /* the pixels that show no model */
    uint64_t pixels, over, sum;       /* as in mmd_label_share */
    uint32_t largest;                 /* levels */
} mmd_cause;

/* A table of causes. Zeroed is valid and empty; finish it with mmd_causes_finish. */
typedef struct mmd_causes {
    mmd_cause *rows; /* in order of appearance */
    size_t count;
    uint32_t *order; /* indices of the rows by descending sum, then ascending; after mmd_causes_sort */
    uint64_t sum;
} mmd_causes;

/* Adds the difference of the last run of a comparison. part is one of MMD_LABEL_*; ids have A's size. Fails
 * with MMD_ERROR_MEMORY, after which only mmd_causes_finish may be called. */
mmd_status mmd_causes_add(mmd_causes *causes, const mmd_compare *compare, const mmd_ids *ids, unsigned part,
                          mmd_error *error);

/* Fills in the order. Fails with MMD_ERROR_MEMORY. */
mmd_status mmd_causes_sort(mmd_causes *causes, mmd_error *error);
void mmd_causes_finish(mmd_causes *causes);

/* Returns the share of a row in the sum of all, 0 to 1. */
double mmd_causes_share(const mmd_causes *causes, const mmd_cause *row);

/* Returns the index of the row for an id of a picture (mmd_ids.ids), or SIZE_MAX. */
size_t mmd_causes_find(const mmd_causes *causes, const mmd_ids *ids, unsigned part, uint32_t id);

/* Writes the name of a row ("踊り子/髪", or a text for pixels outside of all models), cut at capacity.
 * Returns text. */
const char *mmd_cause_name(const mmd_cause *row, char *text, size_t capacity);

/* --- Sentences --- */

/* Writes a share as "3.1 %", with more digits for small values, so that only 0 is written as 0. Returns text.
 */
const char *mmd_share_text(double share, char text[32]);

/* What a sentence is about. */
typedef struct mmd_difference_facts {
    uint32_t a_size[2], b_size[2]; /* width, height */
    const mmd_compare_result *result;
    uint8_t threshold;                   /* of the options */
    const uint32_t *box;                 /* mmd_difference.box; not used with causes */
    const mmd_causes *materials, *bones; /* sorted; NULL without ids */
    const char *clause; /* mmd_difference_clause of pixels that these facts are about, or "" */
} mmd_difference_facts;

/*
 * Writes where and how pictures differ, cut at capacity: "98.3 % of the difference is in material 髪 of
 * 踊り子 (bone 頭: 97.0 %): a toon difference: 41 % of its pixels; 3.1 % of the pixels differ by over 2
 * levels, the largest by 60 levels". Names are as they are; mmd_text_clean makes them safe for a terminal.
 * Returns text.
 */
const char *mmd_difference_sentence(const mmd_difference_facts *facts, char *text, size_t capacity);

/* --- Verdicts --- */

enum { MMD_VERDICT_TEXT_MAX = 1024 };

/* What a comparison has found. Zeroed is valid and empty; finish it with mmd_verdict_finish. */
typedef struct mmd_verdict {
    bool equal;  /* the sizes and all compared pixels are equal */
    bool passed; /* equal, or within the limits if there are any */
    mmd_compare_result result;
    mmd_difference difference;
    mmd_causes models, materials, bones; /* sorted; with ids, if the pictures differ */
    char exceeded[MMD_VERDICT_TEXT_MAX]; /* "max is 41, at most 4 is allowed; …", or "" */
    char why[MMD_VERDICT_TEXT_MAX];      /* one line, safe for a terminal: "equal", "within the limits: …",
                                            "different: 98.3 % of the difference is in material …" */
} mmd_verdict;

void mmd_verdict_finish(mmd_verdict *verdict);

typedef struct mmd_verdict_options {
    mmd_compare_options compare;
    mmd_limits limits;  /* without any, pictures have to be equal */
    const mmd_ids *ids; /* of A, with its size; NULL: none, so causes are not looked for */
} mmd_verdict_options;

/* Returns the defaults of compare.h, no limits and no ids. */
mmd_verdict_options mmd_default_verdict_options(void);

/*
 * Compares two pictures and judges them. What verdict holds is freed first, so that it may be used again. The
 * planes of the comparison stay until its next run. Fails with the errors of mmd_compare_run, and with
 * MMD_ERROR_VALUE if the mask ignores everything or a limit is on a metric that the options leave out. The
 * verdict is empty then.
 */
mmd_status mmd_compare_judge(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                             const mmd_verdict_options *options, mmd_verdict *verdict, mmd_error *error);

/*
 * Compares two pictures that are not empty with the default options, and judges them by limits (NULL: they
 * have to be equal). Computing all metrics takes about half a second for a picture of a megapixel;
 * mmd_compare_judge can leave out SSIM and FLIP. Fails like mmd_compare_judge. May be called from any thread.
 */
mmd_status mmd_compare_pictures(const mmd_image *a, const mmd_image *b, const mmd_limits *limits,
                                mmd_verdict *verdict, mmd_error *error);

#ifdef __cplusplus
}
#endif

#endif
