/*
 * Compares two pictures: how much they differ, where, and in which part of the model. A is the reference, B
 * the picture that is compared with it.
 *
 * Everything is computed on the region: the part where A and B overlap after B has been shifted by the given
 * or detected offset. Both pictures are first composited over the background colour, and RGB below means the
 * result. If both have alpha, alpha is compared as a fourth channel.
 *
 * Differences are in levels, 0 to 255. Masked-out pixels do not count. SSIM leaves out the windows that
 * contain one. FLIP's map is 0 there, although the blur of neighbouring pixels still reads them, as does the
 * search for the shift.
 *
 * The same pictures and options give the same numbers on the same machine.
 */
#ifndef MMD_COMPARE_H
#define MMD_COMPARE_H

#include "mmd/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Comparison --- */

/* How the shift of B relative to A is chosen. */
typedef enum mmd_compare_align {
    MMD_COMPARE_ALIGN_SIZES, /* no shift if the sizes are equal, otherwise as ALIGN_SEARCH */
    MMD_COMPARE_ALIGN_NONE,  /* the shift given in the options */
    MMD_COMPARE_ALIGN_SEARCH /* the best shift found by a coarse-to-fine search */
} mmd_compare_align;

/* When alpha is compared. */
typedef enum mmd_compare_alpha {
    MMD_COMPARE_ALPHA_BOTH, /* if both pictures have transparent pixels */
    MMD_COMPARE_ALPHA_NEVER,
    MMD_COMPARE_ALPHA_ALWAYS,
    MMD_COMPARE_ALPHA_IGNORE /* never, and colours are taken as they are, not over the background: MMD's PNGs
                                have the whole picture in them */
} mmd_compare_alpha;

/* FLIP's default observer: 0.7 m from a screen that is 0.7 m and 3,840 pixels wide. */
#define MMD_COMPARE_PIXELS_PER_DEGREE 67.0206433f

enum { MMD_COMPARE_SHIFT_MAX = 512 };

typedef struct mmd_compare_options {
    mmd_compare_align align;
    int32_t shift_x, shift_y; /* for ALIGN_NONE: pixel (0,0) of B lies on pixel (shift_x, shift_y) of A */
    uint32_t max_shift;       /* search radius in pixels, 0..512; with different sizes, how far beyond all
                                 positions of the smaller picture inside the larger one */
    mmd_compare_alpha alpha;
    uint8_t background[3];   /* colour behind transparent pixels */
    uint8_t threshold;       /* a pixel exceeds it if one of its channels differs by more levels than this */
    bool ssim, flip;         /* whether to compute them; otherwise they are 0 in the result */
    float pixels_per_degree; /* FLIP's observer, 4 to 400 */
    const uint8_t *mask;     /* one byte per pixel of A, top row first, 0 means ignored; or NULL. Only read
                                during the run. */
    bool lends;              /* opaque pictures are not copied: their pixels have to stay unchanged as long as
                                results of the run are asked for */
} mmd_compare_options;

/* Returns the default: no shift for equal sizes, else a search within 32 pixels; alpha if both have it, black
 * background; threshold 2; SSIM and FLIP at 67 pixels per degree; no mask. */
mmd_compare_options mmd_default_compare_options(void);

enum {
    MMD_COMPARE_RED,
    MMD_COMPARE_GREEN,
    MMD_COMPARE_BLUE,
    MMD_COMPARE_ALPHA,    /* all zero if alpha was not compared */
    MMD_COMPARE_CHANNELS, /* the values of all compared channels together */
    MMD_COMPARE_PIXELS,   /* per pixel, the largest difference of its channels */
    MMD_COMPARE_SERIES
};

/* Statistics of a series of differences, in levels. */
typedef struct mmd_compare_levels {
    uint32_t largest;
    uint32_t percentile_99; /* the smallest level that at least 99 % of the values do not exceed */
    double mean;
} mmd_compare_levels;

typedef struct mmd_compare_result {
    /* The region: its position in A and in B and its size. The shift is A's coordinates minus B's. */
    int32_t shift_x, shift_y;
    uint32_t a_x, a_y, b_x, b_y, width, height;
    bool alpha;      /* whether alpha was compared */
    uint64_t pixels; /* compared pixels of the region; 0: all values below are those of equal pictures */

    mmd_compare_levels levels[MMD_COMPARE_SERIES];
    uint64_t over;     /* pixels over the threshold */
    double share_over; /* over / pixels */

    /* Peak signal-to-noise ratio in dB of red, green, blue and of the mean of their squared errors, as
     * ffmpeg's psnr filter computes it for gbrp pictures. INFINITY for equal pictures. */
    double psnr[3], psnr_all;

    /*
     * Structural similarity, 1 for equal pictures: of red, green and blue, of their mean ("All" of ffmpeg's
     * ssim filter for gbrp pictures), and of luma (round(0.299 R + 0.587 G + 0.114 B); the filter for gray
     * pictures). It uses windows of 8 x 8 pixels every 4 pixels that contain no ignored pixel. If there is
     * none, one window of all pixels is used.
     */
    double ssim[3], ssim_all, ssim_luma;

    /*
     * LDR-FLIP, 0 for equal pictures, at most 1. The mean and the weighted median (the value below which lies
     * half of the sum) are accumulated in 32-bit floats like NVIDIA's tool, so they equal its output to the
     * last printed digit. Their error reaches 0.001 at one megapixel, and from 16 megapixels on they are
     * useless. flip_mean_exact is accurate at any size; decisions should use it.
     */
    double flip_mean, flip_weighted_median, flip_max, flip_mean_exact;
} mmd_compare_result;

/* --- Metrics by name, and their limits --- */

typedef enum mmd_metric {
    MMD_METRIC_MAX,   /* levels, the largest difference of all channels */
    MMD_METRIC_MEAN,  /* levels */
    MMD_METRIC_P99,   /* levels */
    MMD_METRIC_PSNR,  /* dB */
    MMD_METRIC_SSIM,  /* 0..1 */
    MMD_METRIC_FLIP,  /* 0..1, the mean */
    MMD_METRIC_SHARE, /* 0..1, share of pixels over the threshold */
    MMD_METRIC_COUNT
} mmd_metric;

/* Returns the metric's name in options and JSON: "max", "psnr". */
const char *mmd_metric_name(mmd_metric metric);

/* Returns the metric with this name, or MMD_METRIC_COUNT if there is none. */
mmd_metric mmd_metric_named(const char *name);

/* Returns whether equal pictures have the highest value, so that a limit is a minimum. */
bool mmd_metric_high_is_good(mmd_metric metric);

/* Returns the largest sensible limit: 255 levels, 1, or 1000 dB. */
double mmd_metric_largest(mmd_metric metric);

/* Returns the value of a metric in a result. FLIP and SSIM are 0 if they were not computed. */
double mmd_metric_value(mmd_metric metric, const mmd_compare_result *result);

/* The limit of each metric, NaN for none. A value equal to the limit passes. */
typedef struct mmd_limits {
    double value[MMD_METRIC_COUNT];
} mmd_limits;

/* Returns limits that are all NaN. */
mmd_limits mmd_default_limits(void);
/* Return whether any limit is set, and whether that of a metric is. */
bool mmd_limits_any(const mmd_limits *limits);
bool mmd_limits_has(const mmd_limits *limits, mmd_metric metric);
/* Returns whether the result is within the limit of a metric. */
bool mmd_limits_keep(const mmd_limits *limits, mmd_metric metric, const mmd_compare_result *result);
/* Returns whether the result is within all limits. Appends a clause to text for each that it exceeds: "max is
 * 41, at most 4 is allowed". They are separated by "; ", each begins with where ("" or "beyond edges "), and
 * all are cut at capacity, which includes what text holds already. */
bool mmd_limits_explain(const mmd_limits *limits, const mmd_compare_result *result, const char *where,
                        char *text, size_t capacity);

/* A comparison with working memory that is reused for any number of pairs. May be used by one thread at a
 * time. */
typedef struct mmd_compare mmd_compare;

/* Creates a comparison for mmd_compare_destroy (NULL is allowed there). Returns NULL when out of memory. */
mmd_compare *mmd_compare_create(void);
void mmd_compare_destroy(mmd_compare *compare);

/*
 * Compares two pictures that are not empty. The mask, if given, has A's size. Nothing is retained unless the
 * options lend the pictures. Memory is allocated only for pictures larger than any pair before. Fails with
 * MMD_ERROR_VALUE if the given shift leaves no region and with MMD_ERROR_MEMORY. There are no planes after an
 * error.
 */
mmd_status mmd_compare_run(mmd_compare *compare, const mmd_image *a, const mmd_image *b,
                           const mmd_compare_options *options, mmd_compare_result *result, mmd_error *error);

/*
 * Return planes of the last run: width * height values of the region, top row first. They belong to the
 * comparison and are valid until its next run. NULL after a failed run and before the first. Ignored pixels
 * are 0.
 */
const uint8_t *mmd_compare_difference(const mmd_compare *compare); /* largest difference of the channels */
const float *mmd_compare_flip(const mmd_compare *compare); /* 0..1; also NULL if FLIP was not computed */

/* Copy the region of A or B as it was compared (RGB over the background, opaque) to a picture that the caller
 * finishes, for showing both side by side. Only after a successful run. Fail with MMD_ERROR_MEMORY. */
mmd_status mmd_compare_region_a(const mmd_compare *compare, mmd_image *picture, mmd_error *error);
mmd_status mmd_compare_region_b(const mmd_compare *compare, mmd_image *picture, mmd_error *error);

/* --- Heat maps --- */

/*
 * Draws a plane as an opaque picture with the magma colour map (Smith and van der Walt, 2015, CC0): from
 * black over purple and orange to pale yellow for level * scale from 0 to 1 (clamped, NaN as 0), interpolated
 * linearly between 18 equidistant colours. Scale 1 / 255 shows all levels, 1 / 16 shows small differences.
 * The caller finishes the picture. Fails with MMD_ERROR_LIMIT and MMD_ERROR_MEMORY.
 */
mmd_status mmd_heat_from_levels(const uint8_t *plane, uint32_t width, uint32_t height, float scale,
                                mmd_image *picture, mmd_error *error);

/* --- Labels: which part of a model a pixel shows --- */

enum { MMD_LABEL_MODEL = 1, MMD_LABEL_MATERIAL = 2, MMD_LABEL_BONE = 4 };

/* Three ids per pixel of A (model, material, dominant bone: MMD_LABEL_* bits 0, 1, 2), top row first, in the
 * caller's memory. Only their equality matters here. */
typedef struct mmd_label_plane {
    uint32_t width, height;
    const uint32_t (*ids)[3];
} mmd_label_plane;

typedef struct mmd_label_share {
    uint32_t ids[3];  /* ids of parts that were not asked for are 0 */
    uint64_t pixels;  /* compared pixels with these ids */
    uint64_t over;    /* number of these over the threshold */
    uint64_t sum;     /* sum of the pixels' differences in levels */
    double share;     /* share of the total sum, 0..1; 0 if the pictures are equal */
    uint32_t largest; /* levels */
} mmd_label_share;

/*
 * Groups the last run's difference by label. Pixels with equal ids in the given parts (MMD_LABEL_* combined,
 * at least one) form one row. Rows are sorted by descending sum, over and pixels, then by ascending ids.
 * Writes the first capacity rows and sets *count to the number of all rows. labels has A's size. Only after a
 * successful run. Allocates memory in proportion to the number of labels. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_compare_by_label(const mmd_compare *compare, const mmd_label_plane *labels, unsigned parts,
                                mmd_label_share *rows, size_t capacity, size_t *count, mmd_error *error);

/* --- Masks: one byte per pixel, 0 means ignored --- */

/* Zeroed is valid and empty. */
typedef struct mmd_mask {
    uint32_t width, height;
    uint8_t *pixels; /* width * height; the mask of mmd_compare_options */
} mmd_mask;

/* Makes a mask of this size that ignores nothing: all pixels are 255. The memory of a mask that has this size
 * already is used again, so it has to be zeroed before the first call. Fails with MMD_ERROR_MEMORY. */
mmd_status mmd_mask_init(mmd_mask *mask, uint32_t width, uint32_t height, mmd_error *error);
void mmd_mask_finish(mmd_mask *mask);

/* What the functions below do with the pixels they select: set them to 0, or set all others to 0. */
typedef enum mmd_mask_action { MMD_MASK_REMOVE, MMD_MASK_KEEP } mmd_mask_action;

/* Selects the pixels of a rectangle, which may extend beyond the mask. */
void mmd_mask_rectangle(mmd_mask *mask, int32_t x, int32_t y, uint32_t width, uint32_t height,
                        mmd_mask_action action);

/*
 * Selects the dark pixels of a picture of the mask's size: red, green and blue below 128, or alpha below 128.
 */
void mmd_mask_picture(mmd_mask *mask, const mmd_image *picture, mmd_mask_action action);

/* Selects the pixels that have exactly this RGB colour in both pictures, such as a common background. Alpha
 * is ignored. The pictures have the mask's size. */
void mmd_mask_color(mmd_mask *mask, const mmd_image *a, const mmd_image *b, const uint8_t rgb[3],
                    mmd_mask_action action);

/* Selects the pixels whose id of one part (one of MMD_LABEL_*) is among count ids in ascending order, such as
 * the bones that physics moves. labels has the mask's size. */
void mmd_mask_labels(mmd_mask *mask, const mmd_label_plane *labels, unsigned part, const uint32_t *ids,
                     size_t count, mmd_mask_action action);

/*
 * Selects the pixels near a geometric edge. An edge pixel is one whose ids in the given parts differ from
 * those of its right or lower neighbour, and that neighbour. Pixels less than distance away from one in x and
 * in y are selected: distance 1 selects the edge pixels, 0 none. MMD_LABEL_BONE has no effect, as bones do
 * not make geometric edges. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_mask_edges(mmd_mask *mask, const mmd_label_plane *labels, unsigned parts, uint32_t distance,
                          mmd_mask_action action, mmd_error *error);

/* Selects likewise the pixels near a step in a picture of the mask's size: where a channel (alpha included)
 * differs from that of the right or lower neighbour by more than `levels`. */
mmd_status mmd_mask_steps(mmd_mask *mask, const mmd_image *picture, uint8_t levels, uint32_t distance,
                          mmd_mask_action action, mmd_error *error);

/* Selects the pixels near a geometric edge of models and materials, or if labels is NULL near a step in the
 * picture. Fails with MMD_ERROR_MEMORY. */
mmd_status mmd_mask_edges_or_steps(mmd_mask *mask, const mmd_label_plane *labels, const mmd_image *picture,
                                   uint8_t levels, uint32_t distance, mmd_mask_action action,
                                   mmd_error *error);

#ifdef __cplusplus
}
#endif

#endif
