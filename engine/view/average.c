/*
 * Pictures that are averages: drawn several times as large, at one moment or at many, summed tile by tile and
 * divided once. This is a box filter over a regular grid of samples. No picture of the full size is ever
 * stored.
 */
#include <assert.h>
#include <string.h>

#include "view_internal.h"

/*
 * Limit of a tile's side in pixels. Software OpenGL draws this size well, and it takes 128 MiB with 16 bits.
 */
enum { TILE_SIDE = 4096 };

mmd_status mmd_picture_sum_begin(mmd_picture_sum *sum, uint32_t width, uint32_t height, bool deep,
                                 mmd_error *error)
{
    assert(sum);
    size_t size = (size_t)width * height * 4 * sizeof *sum->sums;
    if (!width || !height || width > MMD_IMAGE_SIZE_MAX || height > MMD_IMAGE_SIZE_MAX)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                             "a picture of %u x %u, and pictures go from 1 x 1 to %d x %d", width, height,
                             MMD_IMAGE_SIZE_MAX, MMD_IMAGE_SIZE_MAX);
    if (!sum->sums || sum->width != width || sum->height != height) {
        mmd_picture_sum_finish(sum);
        sum->sums = mmd_alloc(size);
        if (!sum->sums)
            return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET,
                                 "no memory for the sum of pictures of %u x %u", width, height);
    }
    memset(sum->sums, 0, size);
    *sum = (mmd_picture_sum){.width = width, .height = height, .sums = sum->sums, .deep = deep};
    return MMD_OK;
}

void mmd_picture_sum_finish(mmd_picture_sum *sum)
{
    assert(sum);
    mmd_free(sum->sums);
    *sum = (mmd_picture_sum){0};
}

/* --- Drawing --- */

typedef struct average_job {
    mmd_view *view;
    const mmd_view_options *options;
    view_tiling tiling;
    uint32_t times;
    mmd_picture_sum *sum;
    void *room; /* pixels of one tile */
} average_job;

/* MMD's pixel centres are off by half a pixel, which would be half a pixel of the enlarged picture. Adds the
 * rest, so that the picture does not move. */
static void center_samples(average_job *job)
{
    float *projection = job->view->scene.projection;
    if (!job->view->scene.d3d9_centers)
        return;
    for (int column = 0; column < 4; column++) {
        float w = projection[4 * column + 3] * (float)(job->times - 1);
        projection[4 * column + 0] += w / (float)job->tiling.width;
        projection[4 * column + 1] -= w / (float)job->tiling.height;
    }
}

/* Adds count samples of a row to the sums of the pixels they belong to. first is the index of the first
 * sample. */
static void add_row(const average_job *job, const void *row, uint32_t first, uint32_t count, uint32_t *sums)
{
    const uint8_t *bytes = row;
    const uint16_t *words = row;
    uint32_t part = first % job->times;
    uint32_t *to = sums + (size_t)4 * (first / job->times);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 4; k++)
            to[k] += job->sum->deep ? words[4 * i + k] : bytes[4 * i + k];
        if (++part == job->times) {
            part = 0;
            to += 4;
        }
    }
}

/* Adds the kept part of a tile, whose rows are stored bottom first. */
static void add_tile(const average_job *job, uint32_t x, uint32_t y)
{
    const view_tiling *t = &job->tiling;
    size_t pixel = job->sum->deep ? 8 : 4, stride = (size_t)t->target_width * pixel;
    uint32_t wide = t->width - x < t->wide ? t->width - x : t->wide;
    uint32_t high = t->height - y < t->high ? t->height - y : t->high;
    for (uint32_t row = 0; row < high; row++) {
        size_t from = (size_t)(t->above + t->high - 1 - row) * stride + t->beside * pixel;
        uint32_t *sums = job->sum->sums + (size_t)4 * job->sum->width * ((y + row) / job->times);
        add_row(job, (const unsigned char *)job->room + from, x, wide, sums);
    }
}

static mmd_status draw_tile(const average_job *job, uint32_t x, uint32_t y, mmd_error *error)
{
    mmd_view *view = job->view;
    view_window window = view_tile_window(&job->tiling, view->target.framebuffer, x, y);
    mmd_status status = view_draw_window(view, job->options, &window, error);
    if (status != MMD_OK)
        return status;
    if (job->sum->deep)
        mmd_gpu_target_read_deep(view->gpu, &view->target, job->room);
    else
        mmd_gpu_target_read(view->gpu, &view->target, job->room);
    status = mmd_gpu_check(view->gpu, "reading a picture", error);
    if (status == MMD_OK)
        add_tile(job, x, y);
    return status;
}

static mmd_status draw_tiles(const average_job *job, mmd_error *error)
{
    const view_tiling *t = &job->tiling;
    mmd_status status = MMD_OK;
    for (uint32_t y = 0; y < t->height && status == MMD_OK; y += t->high)
        for (uint32_t x = 0; x < t->width && status == MMD_OK; x += t->wide)
            status = draw_tile(job, x, y, error);
    return status;
}

static mmd_status make_target(const average_job *job, mmd_error *error)
{
    const view_tiling *t = &job->tiling;
    mmd_view *view = job->view;
    return job->sum->deep ? mmd_gpu_target_resize_deep(view->gpu, &view->target, t->target_width,
                                                       t->target_height, job->options->samples, error)
                          : mmd_gpu_target_resize(view->gpu, &view->target, t->target_width, t->target_height,
                                                  job->options->samples, error);
}

mmd_status mmd_view_picture_add(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                uint32_t times, mmd_picture_sum *sum, mmd_error *error)
{
    assert(view && stage && options && sum && sum->sums);
    assert(times >= 1 && times <= MMD_SUPERSAMPLE_MAX &&
           sum->samples <= MMD_PICTURE_SAMPLES_MAX - times * times);
    uint32_t width = sum->width * times, height = sum->height * times;
    uint32_t side = options->tile ? options->tile : TILE_SIDE;
    average_job job = {.view = view,
                       .options = options,
                       .tiling = view_plan_tiles(view, side, width, height),
                       .times = times,
                       .sum = sum};
    size_t size = (size_t)job.tiling.target_width * job.tiling.target_height * (sum->deep ? 8 : 4);
    mmd_status status = view_prepare(view, stage, options, &(view_frame){width, height, NULL}, error);
    if (status == MMD_OK)
        status = make_target(&job, error);
    if (status != MMD_OK)
        return status;
    job.room = mmd_alloc(size);
    if (!job.room)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a picture's tiles");
    view->scene.samples_across = times;
    center_samples(&job);
    status = draw_tiles(&job, error);
    mmd_free(job.room);
    sum->samples += times * times;
    return status;
}

/* --- Dividing --- */

/* Divides the sums of a pixel into values from 0 to most, rounding once. Unless opaque, divides the colours
 * by alpha. */
static void divide(const mmd_picture_sum *sum, const uint32_t *from, bool opaque, uint64_t most,
                   uint32_t to[4])
{
    uint64_t all = (uint64_t)sum->samples * (sum->deep ? 65535 : 255), by = opaque ? all : from[3];
    to[3] = (uint32_t)(opaque ? most : (from[3] * most + all / 2) / all);
    for (int k = 0; k < 3; k++) {
        uint64_t value = by ? (from[k] * most + by / 2) / by : 0;
        to[k] = (uint32_t)(value < most ? value : most);
    }
}

mmd_status mmd_picture_sum_image(const mmd_picture_sum *sum, bool opaque, mmd_image *image, mmd_error *error)
{
    assert(sum && sum->sums && sum->samples && image);
    mmd_status status = MMD_OK;
    if (image->width != sum->width || image->height != sum->height || !image->pixels) {
        mmd_image_finish(image);
        status = mmd_image_init(image, sum->width, sum->height, error);
    }
    size_t count = status == MMD_OK ? (size_t)sum->width * sum->height : 0;
    image->has_alpha = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel[4];
        divide(sum, sum->sums + 4 * i, opaque, 255, pixel);
        for (size_t k = 0; k < 4; k++)
            image->pixels[4 * i + k] = (uint8_t)pixel[k];
        image->has_alpha |= pixel[3] != 255;
    }
    return status;
}

mmd_status mmd_picture_sum_image16(const mmd_picture_sum *sum, bool opaque, mmd_image16 *image,
                                   mmd_error *error)
{
    assert(sum && sum->sums && sum->samples && image);
    mmd_status status = MMD_OK;
    if (image->width != sum->width || image->height != sum->height || !image->pixels) {
        mmd_image16_finish(image);
        status = mmd_image16_init(image, sum->width, sum->height, error);
    }
    size_t count = status == MMD_OK ? (size_t)sum->width * sum->height : 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t pixel[4];
        divide(sum, sum->sums + 4 * i, opaque, 65535, pixel);
        for (size_t k = 0; k < 4; k++)
            image->pixels[4 * i + k] = (uint16_t)pixel[k];
    }
    return status;
}
