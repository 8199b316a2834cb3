/*
 * Comparing two pictures: how far apart they are, where, and in which part of
 * the model. A is the reference, B what is held against it.
 *
 * Everything is computed on the region: A and B laid upon each other at the
 * shift that was found or given, cut to where both are. Alpha: both pictures
 * are laid over the background colour first; RGB below means the result.
 * Where both have alpha it is compared as a fourth channel besides.
 *
 * Differences are in levels, 0 to 255. A pixel that the mask ignores counts
 * nowhere: SSIM leaves out the windows that hold it; FLIP's map is 0 there,
 * though the blur of its neighbours still sees it, as does the search.
 *
 * The same pictures and options give the same numbers on the same machine.
 */
#ifndef MMD_COMPARE_H
#define MMD_COMPARE_H

#include "mmd/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Comparing --- */

/* Where B is laid upon A. */
typedef enum mmd_compare_align {
    MMD_COMPARE_ALIGN_SIZES, /* no shift where the sizes are equal, else the best one */
    MMD_COMPARE_ALIGN_NONE,  /* the shift in the options */
    MMD_COMPARE_ALIGN_SEARCH /* the best shift that a search from coarse to fine finds */
} mmd_compare_align;

/* When alpha is compared. */
typedef enum mmd_compare_alpha {
    MMD_COMPARE_ALPHA_BOTH, /* where both pictures have some */
    MMD_COMPARE_ALPHA_NEVER,
    MMD_COMPARE_ALPHA_ALWAYS
} mmd_compare_alpha;

/* FLIP's default observer: 0.7 m from a screen 0.7 m and 3,840 pixels wide. */
#define MMD_COMPARE_PIXELS_PER_DEGREE 67.0206433f

enum { MMD_COMPARE_SHIFT_MAX = 512 };

typedef struct mmd_compare_options {
    mmd_compare_align align;
    int32_t shift_x, shift_y; /* for ALIGN_NONE: B's pixel (0,0) lies on A's pixel (shift_x, shift_y) */
    uint32_t max_shift; /* how far the search goes, pixels, 0..512; with different sizes, so far beyond all
                           places of the smaller one within the larger one */
    mmd_compare_alpha alpha;
    uint8_t background[3];   /* what transparent pixels lie over */
    uint8_t threshold;       /* a pixel is over it when a channel differs by more levels than this */
    bool ssim, flip;         /* whether to compute them; else they are 0 in the result */
    float pixels_per_degree; /* FLIP's observer; 4 to 400 */
    const uint8_t *mask; /* a byte per pixel of A, rows top first, 0: ignored; or NULL. Read during the run
                            only. */
} mmd_compare_options;

/* Equal sizes unshifted, others searched within 32 pixels; alpha where both have it, black behind; threshold
 * 2; SSIM and FLIP at 67 pixels per degree; no mask. */
mmd_compare_options mmd_default_compare_options(void);

enum {
    MMD_COMPARE_RED,
    MMD_COMPARE_GREEN,
    MMD_COMPARE_BLUE,
    MMD_COMPARE_ALPHA,    /* all zero where alpha is not compared */
    MMD_COMPARE_CHANNELS, /* the values of all compared channels together */
    MMD_COMPARE_PIXELS,   /* per pixel its channels' largest difference */
    MMD_COMPARE_SERIES
};

/* A series of differences in levels. */
typedef struct mmd_compare_levels {
    uint32_t largest;
    uint32_t percentile_99; /* the smallest level that 99 % or more of the values do not exceed */
    double mean;
} mmd_compare_levels;

typedef struct mmd_compare_result {
    /* The region: where it lies in A and in B, its size; the shift: A's coordinates less B's. */
    int32_t shift_x, shift_y;
    uint32_t a_x, a_y, b_x, b_y, width, height;
    bool alpha;      /* whether alpha was compared */
    uint64_t pixels; /* in the region and not ignored. 0: as of equal pictures, all below. */

    mmd_compare_levels levels[MMD_COMPARE_SERIES];
    uint64_t over;     /* pixels over the threshold */
    double share_over; /* over / pixels */

    /* Peak signal-to-noise ratio in dB, of red, green, blue and of the mean of their squared errors: what
     * ffmpeg's psnr filter says of gbrp pictures. INFINITY for equal pictures. */
    double psnr[3], psnr_all;

    /*
     * Structural similarity, 1 for equal pictures: of red, green, blue, the mean of the three ("All" of
     * ffmpeg's ssim filter on gbrp pictures), and of luma (round(0.299 R + 0.587 G + 0.114 B); the filter on
     * gray pictures). Windows of 8 x 8, 4 apart, that hold no ignored pixel; where there is none, one window
     * of all pixels.
     */
    double ssim[3], ssim_all, ssim_luma;

    /*
     * LDR-FLIP, 0 for equal pictures, 1 the most. The mean and the weighted median (values up to it make half
     * of the sum) add up in 32 bits, as NVIDIA's tool does, and so are its numbers to the last digit it
     * prints; at a megapixel they are off by up to 0.001, and from 16 on useless. The exact mean never is: to
     * decide by.
     */
    double flip_mean, flip_weighted_median, flip_max, flip_mean_exact;
} mmd_compare_result;

/* --- Metrics by name, and limits of them --- */

typedef enum mmd_metric {
    MMD_METRIC_MAX,   /* levels: the largest difference of all channels */
    MMD_METRIC_MEAN,  /* levels */
    MMD_METRIC_P99,   /* levels */
    MMD_METRIC_PSNR,  /* dB */
    MMD_METRIC_SSIM,  /* 0..1 */
    MMD_METRIC_FLIP,  /* 0..1, the mean */
    MMD_METRIC_SHARE, /* 0..1 of the pixels: those over the threshold */
    MMD_METRIC_COUNT
} mmd_metric;

/* "max", "psnr": as options and JSON call it. */
const char *mmd_metric_name(mmd_metric metric);

/* The metric of a name; MMD_METRIC_COUNT: there is none. */
mmd_metric mmd_metric_named(const char *name);

/* Whether equal pictures have the highest value, so that a limit is the least that is allowed. */
bool mmd_metric_high_is_good(mmd_metric metric);

/* The largest number that a limit can reasonably be: 255 levels, 1, 1000 dB. */
double mmd_metric_largest(mmd_metric metric);

/* Of a comparison; FLIP and SSIM are 0 where they were not computed. */
double mmd_metric_value(mmd_metric metric, const mmd_compare_result *result);

/* What is allowed of each metric; NaN: not asked for. A value on the limit is good. */
typedef struct mmd_limits {
    double value[MMD_METRIC_COUNT];
} mmd_limits;

/* Asks for nothing. */
mmd_limits mmd_default_limits(void);
bool mmd_limits_any(const mmd_limits *limits);
bool mmd_limits_has(const mmd_limits *limits, mmd_metric metric);
bool mmd_limits_keep(const mmd_limits *limits, mmd_metric metric, const mmd_compare_result *result);

/* A comparison with its memory, which serves any number of pairs one after the other. Not for two threads at
 * a time. */
typedef struct mmd_compare mmd_compare;

/* NULL: out of memory. Free with mmd_compare_destroy (NULL is allowed). */
mmd_compare *mmd_compare_create(void);
void mmd_compare_destroy(mmd_compare *compare);

/*
 * Compares. A and B are not empty; the mask, where there is one, has A's size; none of them is kept. The heap
 * is used only where the pictures are larger than any pair before.
 * MMD_ERROR_VALUE: the given shift leaves no region. MMD_ERROR_MEMORY. After an error there are no planes.
 */
mmd_status mmd_compare_run(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                           const mmd_compare_options *options, mmd_compare_result *result, mmd_error *error);

/*
 * What the last run saw, width * height values of the region, rows top first; the object's, valid until its
 * next run. NULL after a failed run, or before the first. Ignored pixels are 0.
 */
const uint8_t *mmd_compare_difference(const mmd_compare *compare); /* largest of the channels' levels */
const float *mmd_compare_flip(const mmd_compare *compare); /* 0..1; NULL also where FLIP was not computed */

/* The region of A or B as it was compared: RGB over the background, opaque; to be lain side by side. The
 * caller finishes the picture. After a run that succeeded. MMD_ERROR_MEMORY. */
mmd_status mmd_compare_region_a(const mmd_compare *compare, mmd_image *picture, mmd_error *error);
mmd_status mmd_compare_region_b(const mmd_compare *compare, mmd_image *picture, mmd_error *error);

/* --- Heat maps --- */

/*
 * The plane as an opaque picture in magma (Smith and van der Walt, 2015, CC0): black over purple and orange
 * to pale yellow for a level times scale of 0..1 (clamped; NaN as 0). 18 colours at equal distances, straight
 * between them. Scale 1 / 255 shows all levels, 1 / 16 shows small ones. The caller finishes the picture.
 * MMD_ERROR_LIMIT, MMD_ERROR_MEMORY.
 */
mmd_status mmd_heat_from_levels(const uint8_t *plane, uint32_t width, uint32_t height, float scale,
                                mmd_image *picture, mmd_error *error);

/* --- Labels: which part of the model a pixel shows --- */

enum { MMD_LABEL_MODEL = 1, MMD_LABEL_MATERIAL = 2, MMD_LABEL_BONE = 4 };

/* Three ids per pixel of A (model, material, dominant bone: MMD_LABEL_* bits 0, 1, 2), rows top first. What
 * they mean is the caller's business; the caller's memory. */
typedef struct mmd_label_plane {
    uint32_t width, height;
    const uint32_t (*ids)[3];
} mmd_label_plane;

typedef struct mmd_label_share {
    uint32_t ids[3];  /* those not in parts are 0 */
    uint64_t pixels;  /* compared pixels with these ids */
    uint64_t over;    /* of them over the threshold */
    uint64_t sum;     /* of the pixels' differences, levels */
    double share;     /* of the whole sum, 0..1; 0 where the pictures are equal */
    uint32_t largest; /* levels */
} mmd_label_share;

/*
 * The last run's difference by label: the pixels with equal ids in the given parts (MMD_LABEL_* together, at
 * least one) make one row. Rows by falling sum, then over, then pixels, then rising ids. Fills the first
 * capacity rows and returns the number of all in *count. labels has A's size. Uses the heap, for as many rows
 * as there are labels. MMD_ERROR_MEMORY. After a run that succeeded.
 */
mmd_status mmd_compare_by_label(const mmd_compare *compare, const mmd_label_plane *labels, unsigned parts,
                                mmd_label_share *rows, size_t capacity, size_t *count, mmd_error *error);

/* --- Masks: a byte per pixel, 0 ignored; start with all 255 --- */

typedef struct mmd_mask {
    uint32_t width, height;
    uint8_t *pixels; /* width * height, the caller's */
} mmd_mask;

/* What becomes of the pixels that a function below names: set to 0, or all others are. */
typedef enum mmd_mask_action { MMD_MASK_REMOVE, MMD_MASK_KEEP } mmd_mask_action;

/* Names the pixels of a rectangle, which may reach beyond the mask. */
void mmd_mask_rectangle(mmd_mask *mask, int32_t x, int32_t y, uint32_t width, uint32_t height,
                        mmd_mask_action action);

/* Names the pixels that are dark in a picture of the mask's size: red, green and blue below 128, or alpha
 * below 128. */
void mmd_mask_picture(mmd_mask *mask, const mmd_image *picture, mmd_mask_action action);

/* Names the pixels that have exactly this colour (RGB, whatever the alpha) in both pictures, of the mask's
 * size: what is background in both. */
void mmd_mask_color(mmd_mask *mask, const mmd_image *a, const mmd_image *b, const uint8_t rgb[3],
                    mmd_mask_action action);

/* Names the pixels whose part (one of MMD_LABEL_*) is among count ids; for what physics drives, its bones.
 * ids in rising order. labels has the mask's size. */
void mmd_mask_labels(mmd_mask *mask, const mmd_label_plane *labels, unsigned part, const uint32_t *ids,
                     size_t count, mmd_mask_action action);

/*
 * Names the pixels near a geometric edge: those fewer than distance pixels (both ways, so a square) from one
 * whose ids in the given parts differ from its right or lower neighbour's, or from the neighbour itself.
 * Distance 1 names the two pixels at the edge, 0 none. MMD_LABEL_BONE has no part in geometric edges. Uses
 * the heap. MMD_ERROR_MEMORY.
 */
mmd_status mmd_mask_edges(mmd_mask *mask, const mmd_label_plane *labels, unsigned parts, uint32_t distance,
                          mmd_mask_action action, mmd_error *error);

/* Likewise, near a step in a picture: where a channel (alpha too) differs from the right or lower neighbour's
 * by more than levels. The picture has the mask's size. */
mmd_status mmd_mask_steps(mmd_mask *mask, const mmd_image *picture, uint8_t levels, uint32_t distance,
                          mmd_mask_action action, mmd_error *error);

#ifdef __cplusplus
}
#endif

#endif
