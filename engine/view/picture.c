/*
 * Draws pictures and ids of any size: at once if the GPU can, otherwise in tiles. A tile is a window of the
 * picture's clip space with a border around the part that is kept, so that points and lines whose centre is
 * outside are not lost.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "view_internal.h"

enum { MARGIN = 64 };

/* Returns the side of a tile: at most what the GPU can draw, and at most `wanted`. */
static uint32_t tile_side(uint32_t picture, uint32_t most, uint32_t wanted)
{
    if (picture <= most && (!wanted || picture <= wanted))
        return picture;
    uint32_t side = most > 2 * MARGIN ? most - 2 * MARGIN : 1;
    return wanted && wanted < side ? wanted : side;
}

/* Limit of a tile's side. Depth and samples of a larger one would take gigabytes. */
enum { TILE_MOST = 8192 };

view_tiling view_plan_tiles(const mmd_view *view, uint32_t wanted, uint32_t width, uint32_t height)
{
    assert(view);
    uint32_t most = mmd_renderer_largest_target(view->renderer);
    if (most > TILE_MOST)
        most = TILE_MOST;
    view_tiling t = {.width = width,
                     .height = height,
                     .wide = tile_side(width, most, wanted),
                     .high = tile_side(height, most, wanted)};
    t.beside = t.wide < width ? MARGIN : 0;
    t.above = t.high < height ? MARGIN : 0;
    t.target_width = t.wide + 2 * t.beside;
    t.target_height = t.high + 2 * t.above;
    return t;
}

view_window view_tile_window(const view_tiling *t, uint32_t framebuffer, uint32_t x, uint32_t y)
{
    assert(t);
    return (view_window){.framebuffer = framebuffer,
                         .width = t->target_width,
                         .height = t->target_height,
                         .left = (int32_t)x - (int32_t)t->beside,
                         .top = (int32_t)y - (int32_t)t->above,
                         .first = x == 0 && y == 0};
}

/*
 * Copies the kept part of a tile, whose rows are stored bottom first, into a picture with the top row first.
 */
static void put_tile(const view_tiling *t, uint32_t x, uint32_t y, const void *tile, void *picture,
                     size_t pixel)
{
    size_t stride = (size_t)t->target_width * pixel;
    uint32_t wide = t->width - x < t->wide ? t->width - x : t->wide;
    uint32_t high = t->height - y < t->high ? t->height - y : t->high;
    for (uint32_t row = 0; row < high; row++) {
        size_t from = (size_t)(t->above + t->high - 1 - row) * stride + t->beside * pixel;
        size_t to = ((size_t)(y + row) * t->width + x) * pixel;
        memcpy((unsigned char *)picture + to, (const unsigned char *)tile + from, wide * pixel);
    }
}

/* Reverses the order of rows. */
static void flip(void *picture, uint32_t width, uint32_t height, size_t pixel)
{
    unsigned char *rows = picture, buffer[4096];
    size_t row = pixel * width;
    for (uint32_t y = 0; y < height / 2; y++) {
        unsigned char *top = rows + y * row, *bottom = rows + (height - 1 - y) * row;
        for (size_t at = 0; at < row; at += sizeof buffer) {
            size_t size = row - at < sizeof buffer ? row - at : sizeof buffer;
            memcpy(buffer, top + at, size);
            memcpy(top + at, bottom + at, size);
            memcpy(bottom + at, buffer, size);
        }
    }
}

/* Copies RGBA and reverses the order of the rows. */
static void copy_flipped(const uint8_t *from, mmd_image *image)
{
    const size_t row = (size_t)4 * image->width;
    for (uint32_t y = 0; y < image->height; y++)
        memcpy(image->pixels + y * row, from + (image->height - 1 - y) * row, row);
}

/* Finishes a picture that was read from OpenGL. Over an opaque background sets alpha to 1, whatever 8-bit
 * blending made of it. Otherwise divides colours by alpha. */
static void finish_pixels(mmd_image *image, bool opaque)
{
    static const uint8_t alpha[4] = {0, 0, 0, 255};
    size_t count = (size_t)image->width * image->height;
    uint8_t *pixels = image->pixels;
    uint32_t mask, color, common;
    memcpy(&mask, alpha, sizeof mask);
    common = mask;
    for (size_t i = 0; i < count; i++) {
        memcpy(&color, pixels + 4 * i, sizeof color);
        common &= color;
        color |= opaque ? mask : 0;
        memcpy(pixels + 4 * i, &color, sizeof color);
    }
    image->has_alpha = !opaque && common != mask;
    if (image->has_alpha)
        mmd_unpremultiply(pixels, count);
}

static mmd_status check_size(uint32_t width, uint32_t height, mmd_error *error)
{
    if (width && height && width <= MMD_IMAGE_SIZE_MAX && height <= MMD_IMAGE_SIZE_MAX)
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_LIMIT, "", MMD_NO_OFFSET,
                         "a picture of %u x %u, and pictures go from 1 x 1 to %d x %d", width, height,
                         MMD_IMAGE_SIZE_MAX, MMD_IMAGE_SIZE_MAX);
}

/* Allocates the pixels of a tile. room is NULL if the picture itself can hold them. */
static mmd_status tile_room(const view_tiling *t, size_t pixel, void **room, mmd_error *error)
{
    *room = NULL;
    if (!t->beside && !t->above)
        return MMD_OK;
    *room = mmd_alloc((size_t)t->target_width * t->target_height * pixel);
    return *room
               ? MMD_OK
               : mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for a picture's tiles");
}

/* Draws a tile and reads it into the picture; as the only one, with the bottom row first. */
static mmd_status draw_tile(mmd_view *view, const mmd_view_options *options, const view_tiling *t, uint32_t x,
                            uint32_t y, void *room, mmd_image *image, mmd_error *error)
{
    view_window window = view_tile_window(t, view->target.framebuffer, x, y);
    mmd_status status = view_draw_window(view, options, &window, error);
    if (status != MMD_OK)
        return status;
    mmd_gpu_target_read(view->gpu, &view->target, room ? room : image->pixels);
    if (room)
        put_tile(t, x, y, room, image->pixels, 4);
    return mmd_gpu_check(view->gpu, "reading a picture", error);
}

static mmd_status draw_tiles(mmd_view *view, const mmd_view_options *options, const view_tiling *t,
                             mmd_image *image, mmd_error *error)
{
    void *room;
    mmd_status status = tile_room(t, 4, &room, error);
    for (uint32_t y = 0; y < t->height && status == MMD_OK; y += t->high)
        for (uint32_t x = 0; x < t->width && status == MMD_OK; x += t->wide)
            status = draw_tile(view, options, t, x, y, room, image, error);
    mmd_free(room);
    return status;
}

mmd_status mmd_view_picture(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                            uint32_t width, uint32_t height, mmd_image *image, mmd_error *error)
{
    assert(view && stage && options && image);
    mmd_status status = check_size(width, height, error);
    if (status == MMD_OK && (image->width != width || image->height != height || !image->pixels)) {
        mmd_image_finish(image);
        status = mmd_image_init(image, width, height, error);
    }
    if (status != MMD_OK)
        return status;
    view_tiling t = view_plan_tiles(view, options->tile, width, height);
    status = view_prepare(view, stage, options, &(view_frame){width, height, NULL}, error);
    if (status == MMD_OK)
        status = mmd_gpu_target_resize(view->gpu, &view->target, t.target_width, t.target_height,
                                       options->samples, error);
    if (status == MMD_OK)
        status = draw_tiles(view, options, &t, image, error);
    if (status != MMD_OK)
        return status;
    if (!t.beside && !t.above)
        flip(image->pixels, width, height, 4);
    finish_pixels(image, options->background[3] >= 1.0f);
    return MMD_OK;
}

/* --- Pictures that are read while the next one is drawn --- */

/* Draws the only tile of a picture and begins to read it. */
static mmd_status draw_and_read(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                const view_tiling *t, view_reading *reading, mmd_error *error)
{
    view_window window;
    mmd_status status = view_prepare(view, stage, options, &(view_frame){t->width, t->height, NULL}, error);
    if (status == MMD_OK)
        status = mmd_gpu_target_resize(view->gpu, &view->target, t->target_width, t->target_height,
                                       options->samples, error);
    window = view_tile_window(t, view->target.framebuffer, 0, 0);
    if (status == MMD_OK)
        status = view_draw_window(view, options, &window, error);
    if (status == MMD_OK)
        status = mmd_gpu_target_read_begin(view->gpu, &view->target, &reading->readback, error);
    return status;
}

mmd_status mmd_view_picture_begin(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                  uint32_t width, uint32_t height, mmd_error *error)
{
    assert(view && stage && options && view->reading_count < MMD_VIEW_PICTURES);
    view_reading *reading = &view->readings[(view->first_reading + view->reading_count) % MMD_VIEW_PICTURES];
    mmd_status status = check_size(width, height, error);
    if (status != MMD_OK)
        return status;
    const view_tiling t = view_plan_tiles(view, options->tile, width, height);
    if (t.beside || t.above)
        status = mmd_view_picture(view, stage, options, width, height, &reading->image, error);
    else
        status = draw_and_read(view, stage, options, &t, reading, error);
    reading->width = width;
    reading->height = height;
    reading->opaque = options->background[3] >= 1.0f;
    view->reading_count += status == MMD_OK;
    if (status != MMD_OK)
        mmd_image_finish(&reading->image); /* or it would be taken instead of the next picture */
    return status;
}

mmd_status mmd_view_picture_take(mmd_view *view, mmd_image *image, mmd_error *error)
{
    assert(view && image && view->reading_count > 0);
    view_reading *reading = &view->readings[view->first_reading];
    view->first_reading = (view->first_reading + 1) % MMD_VIEW_PICTURES;
    view->reading_count--;
    if (reading->image.pixels) {
        mmd_image_finish(image);
        *image = reading->image;
        reading->image = (mmd_image){0};
        return MMD_OK;
    }
    if (image->width != reading->width || image->height != reading->height || !image->pixels) {
        mmd_image_finish(image);
        mmd_status status = mmd_image_init(image, reading->width, reading->height, error);
        if (status != MMD_OK)
            return status;
    }
    const uint8_t *pixels = mmd_gpu_readback_map(view->gpu, &reading->readback);
    if (!pixels)
        return mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET,
                             "the driver gives no pixels of a picture");
    copy_flipped(pixels, image);
    if (!mmd_gpu_readback_unmap(view->gpu, &reading->readback))
        return mmd_error_set(error, MMD_ERROR_GL, "", MMD_NO_OFFSET,
                             "the driver lost the pixels of a picture");
    finish_pixels(image, reading->opaque);
    return MMD_OK;
}

void view_finish_readings(mmd_view *view)
{
    for (int i = 0; i < MMD_VIEW_PICTURES; i++) {
        mmd_gpu_readback_finish(view->gpu, &view->readings[i].readback);
        mmd_image_finish(&view->readings[i].image);
    }
}

/* --- Ids and surfaces --- */

/* Makes normals of unit length, or zero where they have no direction. */
static void finish_surfaces(mmd_view_surface *surfaces, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float *n = surfaces[i].normal;
        double x = (double)n[0], y = (double)n[1], z = (double)n[2], length = sqrt(x * x + y * y + z * z);
        double scale = length > 1e-12 && isfinite(length) ? 1.0 / length : 0.0;
        for (int k = 0; k < 3; k++)
            n[k] = scale > 0.0 ? (float)((double)n[k] * scale) : 0.0f;
    }
}

/* A picture of ids, and where wanted of surfaces. room is for a tile of either, or NULL. */
typedef struct id_planes {
    uint32_t (*ids)[3];
    mmd_view_surface *surfaces;
    void *room;
} id_planes;

/* Moves what was read from the target to its place in the picture. */
static void put_plane(const view_tiling *t, uint32_t x, uint32_t y, const id_planes *planes, void *picture,
                      size_t pixel)
{
    if (planes->room)
        put_tile(t, x, y, planes->room, picture, pixel);
    else
        flip(picture, t->width, t->height, pixel);
}

static mmd_status draw_id_tile(mmd_view *view, const view_tiling *t, uint32_t x, uint32_t y,
                               const id_planes *planes, mmd_error *error)
{
    _Static_assert(sizeof(mmd_view_surface) == sizeof(float[4]), "a surface is what the GPU writes");
    view_window window = view_tile_window(t, view->id_target.framebuffer, x, y);
    void *room = planes->room;
    mmd_status status = view_draw_id_window(view, &window, error);
    if (status == MMD_OK)
        status =
            mmd_render_id_target_read(view->renderer, &view->id_target, room ? room : planes->ids, error);
    if (status != MMD_OK)
        return status;
    put_plane(t, x, y, planes, planes->ids, sizeof *planes->ids);
    if (planes->surfaces) {
        mmd_render_id_target_read_geometry(view->renderer, &view->id_target,
                                           room ? room : (void *)planes->surfaces);
        put_plane(t, x, y, planes, planes->surfaces, sizeof *planes->surfaces);
    }
    return mmd_gpu_check(view->gpu, "reading ids", error);
}

mmd_status mmd_view_ids(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                        uint32_t width, uint32_t height, uint32_t (*ids)[3], mmd_error *error)
{
    return mmd_view_surfaces(view, stage, options, width, height, ids, NULL, error);
}

mmd_status mmd_view_surfaces(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                             uint32_t width, uint32_t height, uint32_t (*ids)[3], mmd_view_surface *surfaces,
                             mmd_error *error)
{
    const view_frame frame = {width, height, NULL};
    return view_draw_surfaces(view, stage, options, &frame, ids, surfaces, error);
}

mmd_status view_draw_surfaces(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              const view_frame *frame, uint32_t (*ids)[3], mmd_view_surface *surfaces,
                              mmd_error *error)
{
    assert(view && stage && options && frame && ids);
    const uint32_t width = frame->width, height = frame->height;
    mmd_status status = check_size(width, height, error);
    if (status != MMD_OK)
        return status;
    view_tiling t = view_plan_tiles(view, options->tile, width, height);
    id_planes planes = {.ids = ids, .surfaces = surfaces};
    status = view_prepare(view, stage, options, frame, error);
    if (status == MMD_OK)
        status = mmd_render_id_target_resize(view->renderer, &view->id_target, t.target_width,
                                             t.target_height, surfaces != NULL, error);
    if (status == MMD_OK)
        status = tile_room(&t, surfaces ? sizeof *surfaces : sizeof *ids, &planes.room, error);
    for (uint32_t y = 0; y < height && status == MMD_OK; y += t.high)
        for (uint32_t x = 0; x < width && status == MMD_OK; x += t.wide)
            status = draw_id_tile(view, &t, x, y, &planes, error);
    if (surfaces && status == MMD_OK)
        finish_surfaces(surfaces, (size_t)width * height);
    mmd_free(planes.room);
    return status;
}
