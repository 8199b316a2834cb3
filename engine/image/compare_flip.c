/*
 * LDR-FLIP. P. Andersson, J. Nilsson, T. Akenine-Moller, M. Oskarsson, K. Astrom, M. D. Fairchild: FLIP: A
 * Difference Evaluator for Alternating Images (HPG 2020). Constants are those of the paper and of NVIDIA's
 * tool (NVlabs/flip).
 *
 * Both pictures are converted to YCxCz, blurred by the contrast sensitivity of the eye, and compared by HyAB
 * in Hunt-adjusted Lab. Differences of edges and points in Y increase the result. All filters are separable:
 * one Gaussian each for Y and Cx, the sum of two for Cz, a Gaussian across a derivative for the features. A
 * ring buffer holds only the horizontally filtered rows that the vertical filters need. The picture is
 * processed in strips so narrow that the ring stays in the cache. Rows of a strip around which both pictures
 * are equal are 0 and skipped.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "compare_parts.h"
#include "mmd/elementary.h"

/* ----------------------------------------------------------- means of error */

/*
 * Statistics of a FLIP map as in NVIDIA's tool (NVlabs/flip, tool/pooling.h): the mean; the weighted median,
 * which is the value up to which the sorted values make up half of the sum; the maximum. The tool sums in
 * 32-bit floats, and so does this code, in order to give equal numbers. The exact mean is computed in
 * addition.
 *
 * Values are sorted by their bits in three radix passes (positive floats are ordered like integers). Zeros,
 * which fill most maps, are left out, as they add nothing.
 */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = 3 };

/* The values of a map. */
typedef struct values {
    uint64_t pixels;
    size_t count; /* number of values in sorted, without zeros */
    float *sorted, *spare;
    float sum, max;
    double exact_sum;
} values;

/* Returns one radix digit of a value's bits. */
static uint32_t digit_of(float value, int pass)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> (pass * DIGIT_BITS) & (DIGITS - 1);
}

/* Sorts by one digit, stably, from `sorted` to `spare`, and swaps the two. */
static void sort_pass(values *v, int pass)
{
    size_t starts[DIGITS] = {0}, at = 0;
    for (size_t i = 0; i < v->count; i++)
        starts[digit_of(v->sorted[i], pass)]++;
    for (int i = 0; i < DIGITS; i++) {
        size_t count = starts[i];
        starts[i] = at;
        at += count;
    }
    for (size_t i = 0; i < v->count; i++)
        v->spare[starts[digit_of(v->sorted[i], pass)]++] = v->sorted[i];
    float *swap = v->sorted;
    v->sorted = v->spare;
    v->spare = swap;
}

/* Sets ignored pixels of the map to 0 and collects the values of the others. */
static void collect_values(const compare_region *region, float *map, values *v)
{
    size_t size = (size_t)region->width * region->height;
    for (size_t i = 0; i < size; i++) {
        if (region->mask && !region->mask[i]) {
            map[i] = 0;
            continue;
        }
        v->pixels++;
        if (map[i] > 0) {
            v->sorted[v->count++] = map[i];
            v->sum += map[i];
            v->exact_sum += (double)map[i];
            v->max = map[i] > v->max ? map[i] : v->max;
        }
    }
}

/* Sorts the values and returns the one at which their sum exceeds half of the total. */
static float weighted_median(values *v)
{
    for (int pass = 0; pass < PASSES; pass++)
        sort_pass(v, pass);
    float sum = 0;
    for (size_t i = 0; i < v->count; i++) {
        sum += v->sorted[i];
        if (sum > 0.5f * v->sum)
            return v->sorted[i];
    }
    return 0;
}

/* Returns the bytes of scratch memory for compare_flip_pool. */
static size_t compare_flip_pool_scratch(uint32_t width, uint32_t height)
{
    return (size_t)width * height * 2 * sizeof(float);
}

/* Computes the statistics of a map. */
static void compare_flip_pool(const compare_region *region, float *map, float *scratch,
                              mmd_compare_result *result)
{
    assert(region && result);
    values v = {.sorted = scratch, .spare = scratch + (size_t)region->width * region->height};
    collect_values(region, map, &v);
    result->flip_mean = v.pixels ? (double)(v.sum / (float)v.pixels) : 0;
    result->flip_mean_exact = v.pixels ? v.exact_sum / (double)v.pixels : 0;
    result->flip_weighted_median = (double)weighted_median(&v);
    result->flip_max = (double)v.max;
}

/* --------------------------------------------------------------------- FLIP */

/* Constants of the paper: exponent of HyAB, the two numbers of the error remapping, and the width of a
 * feature in degrees. */
static const float qc = 0.7f, pc = 0.4f, pt = 0.95f, feature_width = 0.082f;
static const double pi = 3.14159265358979;

enum { RADIUS_MAX = 64, STRIP = 256 };

/* --- Filters --- */

/* Half of a symmetric filter. weight[k] applies to both neighbours at distance k. */
typedef struct kernel {
    float weight[RADIUS_MAX + 1];
} kernel;

typedef struct filters {
    int spatial_radius, feature_radius;
    kernel y, cx, cz[2]; /* the sum of the two filters for cz is formed in two dimensions */
    kernel smooth, edge, point;
} filters;

/* Fills a kernel with exp(-pi^2 x^2 / b) * height at whole pixels and returns the sum over both halves. */
static double fill_gaussian(kernel *to, int radius, double b, double height, double pixels_per_degree)
{
    double sum = 0;
    for (int k = 0; k <= radius; k++) {
        double x = k / pixels_per_degree, value = height * mmd_exp(-pi * pi * x * x / b);
        to->weight[k] = (float)value;
        sum += k ? 2 * value : value;
    }
    return sum;
}

static void scale_kernel(kernel *to, int radius, double factor)
{
    for (int k = 0; k <= radius; k++)
        to->weight[k] = (float)(to->weight[k] * factor);
}

/* Fills the filters of contrast sensitivity, a sqrt(pi / b) exp(-pi^2 x^2 / b) with the constants of the
 * paper's table 1. */
static void fill_spatial(filters *f, double pixels_per_degree)
{
    static const double a[2] = {34.1, 13.5}, b[2] = {0.04, 0.025};
    f->spatial_radius = (int)ceil(3 * sqrt(b[0] / (2 * pi * pi)) * pixels_per_degree);
    int radius = f->spatial_radius;
    scale_kernel(&f->y, radius, 1 / fill_gaussian(&f->y, radius, 0.0047, 1, pixels_per_degree));
    scale_kernel(&f->cx, radius, 1 / fill_gaussian(&f->cx, radius, 0.0053, 1, pixels_per_degree));
    double squares = 0;
    for (int i = 0; i < 2; i++) {
        double height = sqrt(a[i] * sqrt(pi / b[i]));
        double sum = fill_gaussian(&f->cz[i], radius, b[i], height, pixels_per_degree);
        squares += sum * sum;
    }
    for (int i = 0; i < 2; i++)
        scale_kernel(&f->cz[i], radius, 1 / sqrt(squares));
}

/* Fills the feature filters: a Gaussian and its derivatives, whose positive and negative weights each sum to
 * 1. */
static void fill_features(filters *f, double pixels_per_degree)
{
    double deviation = 0.5 * (double)feature_width * pixels_per_degree;
    f->feature_radius = (int)ceil(3 * deviation);
    double smooth = 0, edge = 0, rise = 0, fall = 0, point[RADIUS_MAX + 1];
    for (int k = 0; k <= f->feature_radius; k++) {
        double times = k ? 2 : 1, g = mmd_exp(-k * k / (2 * deviation * deviation));
        point[k] = (k * k / (deviation * deviation) - 1) * g;
        f->smooth.weight[k] = (float)g;
        f->edge.weight[k] = (float)(k * g);
        smooth += times * g;
        edge += k * g;
        *(point[k] > 0 ? &rise : &fall) += times * fabs(point[k]);
    }
    scale_kernel(&f->smooth, f->feature_radius, 1 / smooth);
    scale_kernel(&f->edge, f->feature_radius, 1 / edge);
    for (int k = 0; k <= f->feature_radius; k++)
        f->point.weight[k] = (float)(point[k] / (point[k] > 0 ? rise : fall));
}

static filters make_filters(float pixels_per_degree)
{
    filters f;
    memset(&f, 0, sizeof f);
    fill_spatial(&f, (double)pixels_per_degree);
    fill_features(&f, (double)pixels_per_degree);
    return f;
}

static int largest_radius(const filters *f)
{
    return f->spatial_radius > f->feature_radius ? f->spatial_radius : f->feature_radius;
}

/* --- Colour --- */

typedef struct triple {
    float x, y, z;
} triple;

/* Converts linear sRGB to XYZ divided by the white point D65. */
static triple white_xyz(float r, float g, float b)
{
    static const float wx = 1.052156925f, wz = 0.918357670f; /* reciprocal of the white point; y is 1 */
    static const float m[3][3] = {
        {10135552.0f / 24577794.0f, 8788810.0f / 24577794.0f, 4435075.0f / 24577794.0f},
        {2613072.0f / 12288897.0f, 8788810.0f / 12288897.0f, 887015.0f / 12288897.0f},
        {1425312.0f / 73733382.0f, 8788810.0f / 73733382.0f, 70074185.0f / 73733382.0f}};
    return (triple){(m[0][0] * r + m[0][1] * g + m[0][2] * b) * wx, m[1][0] * r + m[1][1] * g + m[1][2] * b,
                    (m[2][0] * r + m[2][1] * g + m[2][2] * b) * wz};
}

static float clamp_unit(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

/* Converts back to linear sRGB, clamped to the displayable range. */
static triple linear_rgb(triple white)
{
    static const float wx = 0.950428545f, wz = 1.088900371f;
    float x = white.x * wx, y = white.y, z = white.z * wz;
    return (triple){clamp_unit(3.241003275f * x - 1.537398934f * y - 0.498615861f * z),
                    clamp_unit(-0.969224334f * x + 1.875930071f * y + 0.041554224f * z),
                    clamp_unit(0.055639423f * x - 0.204011202f * y + 1.057148933f * z)};
}

/* The nonlinearity of CIELAB. */
static float lab_curve(float t)
{
    static const float delta = 6.0f / 29.0f;
    return t > delta * delta * delta ? mmd_cbrtf(t) : t / (3 * delta * delta) + 4.0f / 29.0f;
}

/* Converts to CIELAB with Hunt's adjustment, which reduces chroma in dark colours. */
static triple hunt_lab(triple rgb)
{
    triple white = white_xyz(rgb.x, rgb.y, rgb.z);
    float fx = lab_curve(white.x), fy = lab_curve(white.y), fz = lab_curve(white.z);
    float lightness = 116 * fy - 16, hunt = 0.01f * lightness;
    return (triple){lightness, hunt * (500 * (fx - fy)), hunt * (200 * (fy - fz))};
}

/* Returns the HyAB distance: city block in lightness, Euclidean in chroma. */
static float hyab(triple p, triple q)
{
    float a = p.y - q.y, b = p.z - q.z;
    return fabsf(p.x - q.x) + sqrtf(a * a + b * b);
}

/* Returns the largest possible difference, that of green and blue, to the power of qc. */
static float largest_difference(void)
{
    return mmd_powf(hyab(hunt_lab((triple){0, 1, 0}), hunt_lab((triple){0, 0, 1})), qc);
}

/* --- Rows --- */

enum { Y, CX, CZ1, CZ2, SMOOTH, EDGE, POINT, FILTERED }; /* planes after the horizontal filters */
/* planes after the vertical filters */
enum { OUT_Y, OUT_CX, OUT_CZ, EDGE_X, POINT_X, EDGE_Y, POINT_Y, FINISHED };

typedef struct work {
    const compare_region *region;
    filters filters;
    int radius;
    uint32_t left, width; /* columns of the strip */
    uint32_t ring_rows;
    float linear[256]; /* linear values of 8-bit sRGB */
    float *padded[3];  /* one row of Y, X - Y, Y - Z with `radius` more pixels at both ends */
    float *ring;       /* [picture][row modulo ring_rows][FILTERED][width] */
    float *finished;   /* [picture][FINISHED][width] */
    uint8_t *differs;  /* per row: RGB differs in or near the strip */
    uint32_t next;     /* the first row not yet filtered horizontally */
    float largest;     /* the colour difference that maps to 1 */
} work;

/* Return a plane's row in the ring, and a finished row. */
static float *ring_row(const work *w, int picture, uint32_t y, int plane)
{
    size_t row = (size_t)(unsigned)picture * w->ring_rows + y % w->ring_rows;
    return w->ring + (row * FILTERED + (unsigned)plane) * w->width;
}

static float *finished_row(const work *w, int picture, int plane)
{
    return w->finished + (size_t)(unsigned)(picture * FINISHED + plane) * w->width;
}

/* Add weight (p + q), or weight (q - p): the contribution of two neighbours at equal distance. */
static void add_sum(float *restrict out, const float *p, const float *q, float weight, uint32_t count)
{
    for (uint32_t x = 0; x < count; x++)
        out[x] += weight * (p[x] + q[x]);
}

static void add_slope(float *restrict out, const float *p, const float *q, float weight, uint32_t count)
{
    for (uint32_t x = 0; x < count; x++)
        out[x] += weight * (q[x] - p[x]);
}

static void add_center(float *restrict out, const float *p, float weight, uint32_t count)
{
    for (uint32_t x = 0; x < count; x++)
        out[x] += weight * p[x];
}

static void set_center(float *restrict out, const float *p, float weight, uint32_t count)
{
    for (uint32_t x = 0; x < count; x++)
        out[x] = weight * p[x];
}

/* Filters a padded row horizontally. padded points to the first pixel of the strip. */
static void filter_row(float *out, const float *padded, const kernel *half, int radius, uint32_t count)
{
    set_center(out, padded, half->weight[0], count);
    for (int k = 1; k <= radius; k++)
        add_sum(out, padded - k, padded + k, half->weight[k], count);
}

/* Filters a padded row horizontally with an antisymmetric kernel. */
static void slope_row(float *out, const float *padded, const kernel *half, int radius, uint32_t count)
{
    set_center(out, padded, 0, count);
    for (int k = 1; k <= radius; k++)
        add_slope(out, padded - k, padded + k, half->weight[k], count);
}

/* Return the range of the strip's columns, extended by the filters' radius within the picture. */
static uint32_t first_column(const work *w)
{
    return w->left > (unsigned)w->radius ? w->left - (unsigned)w->radius : 0;
}

static uint32_t end_column(const work *w)
{
    uint32_t end = w->left + w->width + (unsigned)w->radius;
    return end < w->region->width ? end : w->region->width;
}

/* Repeats the first and last column beyond the picture. */
static void fill_margins(const work *w, float *row)
{
    int first = (int)first_column(w) - (int)w->left, last = (int)end_column(w) - (int)w->left - 1;
    for (int x = -w->radius; x < first; x++)
        row[x] = row[first];
    for (int x = last + 1; x < (int)w->width + w->radius; x++)
        row[x] = row[last];
}

/* Converts a row to YCxCz differences in the padded rows. */
static void convert_row(work *w, const uint8_t *row)
{
    uint32_t end = end_column(w);
    for (uint32_t x = first_column(w); x < end; x++) {
        const uint8_t *rgb = row + 4 * (size_t)x;
        triple white = white_xyz(w->linear[rgb[0]], w->linear[rgb[1]], w->linear[rgb[2]]);
        ptrdiff_t to = (ptrdiff_t)x - w->left;
        w->padded[0][to] = white.y;
        w->padded[1][to] = white.x - white.y;
        w->padded[2][to] = white.y - white.z;
    }
    for (int i = 0; i < 3; i++)
        fill_margins(w, w->padded[i]);
}

/* Filters a row of one picture horizontally into the ring. */
static void filter_sideways(work *w, int picture, uint32_t y)
{
    const filters *f = &w->filters;
    int spatial = f->spatial_radius, feature = f->feature_radius;
    convert_row(w, picture ? compare_row_b(w->region, y) : compare_row_a(w->region, y));
    filter_row(ring_row(w, picture, y, Y), w->padded[0], &f->y, spatial, w->width);
    filter_row(ring_row(w, picture, y, CX), w->padded[1], &f->cx, spatial, w->width);
    filter_row(ring_row(w, picture, y, CZ1), w->padded[2], &f->cz[0], spatial, w->width);
    filter_row(ring_row(w, picture, y, CZ2), w->padded[2], &f->cz[1], spatial, w->width);
    filter_row(ring_row(w, picture, y, SMOOTH), w->padded[0], &f->smooth, feature, w->width);
    slope_row(ring_row(w, picture, y, EDGE), w->padded[0], &f->edge, feature, w->width);
    filter_row(ring_row(w, picture, y, POINT), w->padded[0], &f->point, feature, w->width);
}

/* Return the row k above or below, clamped to the picture. */
static uint32_t row_above(uint32_t y, int k)
{
    return y > (unsigned)k ? y - (unsigned)k : 0;
}

static uint32_t row_below(const work *w, uint32_t y, int k)
{
    uint32_t below = y + (unsigned)k;
    return below < w->region->height ? below : w->region->height - 1;
}

/* A vertical filter from a plane of the ring, added to a finished plane. */
typedef struct vertical {
    int from, to, radius;
    const kernel *half;
    bool slope;
} vertical;

/* Applies a vertical filter for row y. Rows beyond the picture repeat its first or last row. */
static void filter_downwards(const work *w, int picture, uint32_t y, const vertical *v)
{
    float *out = finished_row(w, picture, v->to);
    if (!v->slope)
        add_center(out, ring_row(w, picture, y, v->from), v->half->weight[0], w->width);
    for (int k = 1; k <= v->radius; k++) {
        const float *above = ring_row(w, picture, row_above(y, k), v->from);
        const float *below = ring_row(w, picture, row_below(w, y, k), v->from);
        (v->slope ? add_slope : add_sum)(out, above, below, v->half->weight[k], w->width);
    }
}

/* Applies all vertical filters for a row of one picture. */
static void finish_row(work *w, int picture, uint32_t y)
{
    const filters *f = &w->filters;
    const vertical all[] = {
        {Y, OUT_Y, f->spatial_radius, &f->y, false},
        {CX, OUT_CX, f->spatial_radius, &f->cx, false},
        {CZ1, OUT_CZ, f->spatial_radius, &f->cz[0], false},
        {CZ2, OUT_CZ, f->spatial_radius, &f->cz[1], false},
        {EDGE, EDGE_X, f->feature_radius, &f->smooth, false},
        {POINT, POINT_X, f->feature_radius, &f->smooth, false},
        {SMOOTH, EDGE_Y, f->feature_radius, &f->edge, true},
        {SMOOTH, POINT_Y, f->feature_radius, &f->point, false},
    };
    memset(finished_row(w, picture, 0), 0, sizeof(float) * FINISHED * w->width);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        filter_downwards(w, picture, y, &all[i]);
}

/* --- Differences --- */

/* The filtered values of a picture at a pixel. */
typedef struct sample {
    float y, cx, cz, edge_x, edge_y, point_x, point_y;
} sample;

static sample sample_at(const float *finished, uint32_t width, uint32_t x)
{
    const float *p = finished + x;
    size_t n = width;
    return (sample){.y = p[OUT_Y * n],
                    .cx = p[OUT_CX * n],
                    .cz = p[OUT_CZ * n],
                    .edge_x = p[EDGE_X * n],
                    .edge_y = p[EDGE_Y * n],
                    .point_x = p[POINT_X * n],
                    .point_y = p[POINT_Y * n]};
}

/* Returns the colour difference in 0..1. Differences up to pc of the largest are mapped to 0..pt, the others
 * to the rest. */
static float color_difference(const sample *a, const sample *b, float largest)
{
    if (a->y == b->y && a->cx == b->cx && a->cz == b->cz)
        return 0;
    triple p = hunt_lab(linear_rgb((triple){a->y + a->cx, a->y, a->y - a->cz}));
    triple q = hunt_lab(linear_rgb((triple){b->y + b->cx, b->y, b->y - b->cz}));
    float difference = mmd_powf(hyab(p, q), qc), bend = pc * largest;
    if (difference < bend)
        return difference * (pt / bend);
    return pt + (difference - bend) / (largest - bend) * (1 - pt);
}

/* Returns the difference of edge and point strength, usually in 0..1. */
static float feature_difference(const sample *a, const sample *b)
{
    float edge = sqrtf(a->edge_x * a->edge_x + a->edge_y * a->edge_y) -
                 sqrtf(b->edge_x * b->edge_x + b->edge_y * b->edge_y);
    float point = sqrtf(a->point_x * a->point_x + a->point_y * a->point_y) -
                  sqrtf(b->point_x * b->point_x + b->point_y * b->point_y);
    return sqrtf(0.70710678f * mmd_maxf(fabsf(edge), fabsf(point))); /* qf = 0.5 */
}

/* Computes FLIP of a row: the colour difference raised by the feature difference. */
static void difference_row(const work *w, float *plane)
{
    const float *a = finished_row(w, 0, 0), *b = finished_row(w, 1, 0);
    for (uint32_t x = 0; x < w->width; x++) {
        sample p = sample_at(a, w->width, x), q = sample_at(b, w->width, x);
        float color = color_difference(&p, &q, w->largest);
        plane[x] = color > 0 ? clamp_unit(mmd_powf(color, 1 - feature_difference(&p, &q))) : 0;
    }
}

static bool rgb_differs(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    unsigned bits = 0;
    for (size_t i = 0; i < (size_t)count * 4; i += 4)
        bits |= (unsigned)((a[i] ^ b[i]) | (a[i + 1] ^ b[i + 1]) | (a[i + 2] ^ b[i + 2]));
    return bits != 0;
}

/* Returns whether the pictures differ in a row that the filters of row y reach. */
static bool differs_around(const work *w, uint32_t y)
{
    uint32_t last = row_below(w, y, w->radius);
    for (uint32_t row = row_above(y, w->radius); row <= last; row++)
        if (w->differs[row])
            return true;
    return false;
}

/* Computes a row of the strip. Rows below that the filters need are added to the ring first. */
static void fill_plane_row(work *w, uint32_t y, float *plane)
{
    uint32_t first = row_above(y, w->radius), last = row_below(w, y, w->radius);
    for (uint32_t row = first > w->next ? first : w->next; row <= last; row++)
        for (int picture = 0; picture < 2; picture++)
            filter_sideways(w, picture, row);
    w->next = last + 1;
    for (int picture = 0; picture < 2; picture++)
        finish_row(w, picture, y);
    difference_row(w, plane);
}

/* Notes for each row whether RGB differs in the strip's extended columns. */
static void find_differences(work *w)
{
    uint32_t first = first_column(w), end = end_column(w);
    for (uint32_t y = 0; y < w->region->height; y++)
        w->differs[y] = rgb_differs(compare_row_a(w->region, y) + 4 * (size_t)first,
                                    compare_row_b(w->region, y) + 4 * (size_t)first, end - first);
}

/* Computes the map of a strip, skipping rows without differences nearby. */
static void fill_strip(work *w, float *plane)
{
    w->next = 0;
    find_differences(w);
    for (uint32_t y = 0; y < w->region->height; y++, plane += w->region->width)
        if (differs_around(w, y))
            fill_plane_row(w, y, plane);
        else
            memset(plane, 0, sizeof *plane * w->width);
}

static void fill_plane(work *w, float *plane)
{
    uint32_t width = w->region->width;
    for (w->left = 0; w->left < width; w->left += STRIP) {
        w->width = width - w->left < STRIP ? width - w->left : STRIP;
        fill_strip(w, plane + w->left);
    }
}

/* --- The metric --- */

static size_t padded_length(int radius)
{
    return STRIP + 2 * (size_t)(unsigned)radius;
}

/* Returns the scratch memory of the padded rows, the finished rows and the ring, in floats. */
static size_t count_floats(int radius)
{
    size_t ring_rows = 2 * (size_t)(unsigned)radius + 1;
    return 3 * padded_length(radius) + 2 * (ring_rows * FILTERED + FINISHED) * STRIP;
}

size_t compare_flip_scratch(uint32_t width, uint32_t height, float pixels_per_degree)
{
    filters f = make_filters(pixels_per_degree);
    size_t map = count_floats(largest_radius(&f)) * sizeof(float) + height;
    size_t pool = compare_flip_pool_scratch(width, height);
    return map > pool ? map : pool;
}

/* Fills the table of linear values by the sRGB transfer function. */
static void fill_linear(float *table)
{
    for (int i = 0; i < 256; i++) {
        float value = (float)i / 255.0f;
        table[i] = value <= 0.04045f ? value / 12.92f : mmd_powf((value + 0.055f) / 1.055f, 2.4f);
    }
}

/* Distributes the scratch memory and prepares tables. */
static void begin_work(work *w, const compare_region *region, float pixels_per_degree, void *scratch)
{
    *w = (work){.region = region, .filters = make_filters(pixels_per_degree)};
    w->radius = largest_radius(&w->filters);
    w->ring_rows = 2 * (unsigned)w->radius + 1;
    w->largest = largest_difference();
    fill_linear(w->linear);
    float *at = scratch;
    for (int i = 0; i < 3; i++, at += padded_length(w->radius))
        w->padded[i] = at + w->radius;
    w->finished = at;
    w->ring = w->finished + (size_t)2 * FINISHED * STRIP;
    w->differs = (uint8_t *)((float *)scratch + count_floats(w->radius));
}

void compare_flip(const compare_region *region, float pixels_per_degree, void *scratch, float *plane,
                  mmd_compare_result *result)
{
    assert(region && result);
    work w;
    begin_work(&w, region, pixels_per_degree, scratch);
    fill_plane(&w, plane);
    compare_flip_pool(region, plane, scratch, result);
}
