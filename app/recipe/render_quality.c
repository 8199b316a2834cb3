/* Sums of samples and moments: see render_quality.h; the arithmetic is the engine's (mmd_view_picture_add).
 */
#include "render_quality.h"

#include <jansson.h>
#include <string.h>

#include "base/message.h"
#include "base/output.h"
#include "base/parse.h"
#include "base/progress.h"

#define TABLE(name) name, sizeof name / sizeof *name

/* Moments of a picture: with the most samples their sum has room. */
enum { MOMENTS_MAX = MMD_PICTURE_SAMPLES_MAX / (MMD_SUPERSAMPLE_MAX * MMD_SUPERSAMPLE_MAX) };

/* --- Options --- */

static bool set_bits(void *target, const char *value, option_error *error)
{
    if (strcmp(value, "8") != 0 && strcmp(value, "16") != 0)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not 8 or 16", value);
    ((render_quality *)target)->bits = *value == '8' ? 8 : 16;
    return true;
}

static bool set_count(uint32_t *target, const char *value, uint64_t most, option_error *error)
{
    uint64_t count;
    if (!parse_whole(value, 1, most, &count))
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a whole number from 1 to %u", value,
                           (unsigned)most);
    *target = (uint32_t)count;
    return true;
}

static bool set_supersample(void *target, const char *value, option_error *error)
{
    return set_count(&((render_quality *)target)->supersample, value, MMD_SUPERSAMPLE_MAX, error);
}

static bool set_moments(void *target, const char *value, option_error *error)
{
    return set_count(&((render_quality *)target)->moments, value, MOMENTS_MAX, error);
}

static bool set_shutter(void *target, const char *value, option_error *error)
{
    render_quality *q = target;
    if (!parse_real(value, &q->shutter) || q->shutter < 0 || q->shutter > 360)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not an angle from 0 to 360 degrees", value);
    return q->has_shutter = true;
}

static const option quality_table[] = {
    {0, "bits", "8|16", "of a colour; 16: drawn and blended with 16 too (8)", set_bits},
    {0, "supersample", "N", "draws N times as wide and high and averages, 1 to 8 (1)", set_supersample},
    {0, "motion-blur", "N", "averages N moments of the time that the shutter is open (1)", set_moments},
    {0, "shutter", "DEGREES", "360: open until the next picture; it never is over a camera's cut (180)",
     set_shutter},
};

option_group group_of_quality(render_quality *quality)
{
    return (option_group){"quality", TABLE(quality_table), quality};
}

render_quality render_quality_default(void)
{
    return (render_quality){.bits = 8, .supersample = 1, .moments = 1, .shutter = 180};
}

bool render_quality_is_plain(const render_quality *q)
{
    return q->bits == 8 && q->supersample == 1 && q->moments == 1;
}

static bool read_count(const json_t *value, uint32_t most, uint32_t *count)
{
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 1 || number > (json_int_t)most)
        return !value;
    *count = (uint32_t)number;
    return true;
}

static bool read_number(const json_t *value, double least, double most, double *number)
{
    double given = json_number_value(value);
    if (!json_is_number(value) || !(given >= least && given <= most))
        return !value;
    *number = given;
    return true;
}

bool render_quality_read(const char *chunk, render_quality *q, double *interval)
{
    json_t *root = json_loads(chunk, JSON_REJECT_DUPLICATES, NULL), *value = json_object_get(root, "quality");
    *q = render_quality_default();
    *interval = 1;
    bool ok = !value || json_is_object(value);
    ok = ok && read_count(json_object_get(value, "bits"), 16, &q->bits) && (q->bits == 8 || q->bits == 16) &&
         read_count(json_object_get(value, "supersample"), MMD_SUPERSAMPLE_MAX, &q->supersample) &&
         read_count(json_object_get(value, "motion_blur"), MOMENTS_MAX, &q->moments) &&
         read_number(json_object_get(value, "shutter"), 0, 360, &q->shutter) &&
         read_number(json_object_get(value, "interval"), 0, 1e9, interval);
    json_decref(root);
    return ok;
}

/* --- Shutter --- */

static bool same_camera(const mmd_camera *a, const mmd_camera *b)
{
    float x[8] = {a->distance, a->fov}, y[8] = {b->distance, b->fov};
    memcpy(x + 2, a->position, sizeof a->position);
    memcpy(x + 5, a->rotation, sizeof a->rotation);
    memcpy(y + 2, b->position, sizeof b->position);
    memcpy(y + 5, b->rotation, sizeof b->rotation);
    for (int i = 0; i < 8; i++)
        if (x[i] < y[i] || x[i] > y[i])
            return false;
    return a->perspective == b->perspective;
}

/* A cut: keys a frame apart that say something else; the picture changes at the later one (MMD.md 3.6). */
double render_shutter_closes(const odori_session *s, double frame, double length)
{
    const mmd_motion *motion = s->camera_by_user ? NULL : session_camera_motion(s);
    double closes = frame + length;
    for (uint32_t i = 1; motion && i < motion->camera_key_count; i++) {
        const mmd_camera_key *a = &motion->camera_keys[i - 1], *b = &motion->camera_keys[i];
        double at = (double)b->frame;
        if (at >= closes)
            break;
        if (at > frame && b->frame - a->frame <= 1 && !same_camera(&a->value, &b->value))
            return at;
    }
    return closes;
}

/* --- Drawing --- */

void render_canvas_finish(render_canvas *canvas)
{
    mmd_picture_sum_finish(&canvas->sum);
    mmd_image_finish(&canvas->image);
    mmd_image16_finish(&canvas->image16);
    *canvas = (render_canvas){0};
}

static bool draw_plain(const render_moment *at, mmd_image *image, mmd_error *error)
{
    return mmd_view_picture(at->screen->view, at->session->scene->stage, &at->session->view, at->width,
                            at->height, image, error) == MMD_OK;
}

/* The first moment is the picture's own frame, so that one alone is the picture without blur. */
static bool add_moments(const render_quality *q, const render_moment *at, mmd_picture_sum *sum, progress *bar,
                        mmd_error *error)
{
    odori_session *s = at->session;
    double frame = s->frame;
    double open = render_shutter_closes(s, frame, at->interval * q->shutter / 360) - frame;
    uint32_t count = open > 0 ? q->moments : 1; /* which would all be the same */
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            session_go(s, frame + open * i / count);
        if (mmd_view_picture_add(at->screen->view, s->scene->stage, &s->view, q->supersample, sum, error) !=
            MMD_OK)
            return false;
        if (bar)
            progress_show(bar, i + 1);
    }
    return true;
}

static bool draw_average(const render_quality *q, const render_moment *at, render_canvas *canvas,
                         progress *bar, mmd_error *error)
{
    mmd_picture_sum *sum = &canvas->sum;
    bool opaque = at->session->view.background[3] >= 1.0f;
    if (mmd_picture_sum_begin(sum, at->width, at->height, q->bits == 16, error) != MMD_OK ||
        !add_moments(q, at, sum, bar, error))
        return false;
    return (q->bits == 16 ? mmd_picture_sum_image16(sum, opaque, &canvas->image16, error)
                          : mmd_picture_sum_image(sum, opaque, &canvas->image, error)) == MMD_OK;
}

static int cannot_draw(const mmd_error *error)
{
    report(error);
    return EXIT_FACILITY;
}

int render_quality_draw(const render_quality *q, const render_moment *at, render_canvas *canvas)
{
    mmd_error error = {0};
    bool drawn = render_quality_is_plain(q) ? draw_plain(at, &canvas->image, &error)
                                            : draw_average(q, at, canvas, NULL, &error);
    return drawn ? EXIT_DONE : cannot_draw(&error);
}

const mmd_image *render_canvas_image(const render_quality *q, render_canvas *canvas)
{
    mmd_image *image = &canvas->image;
    const mmd_image16 *deep = &canvas->image16;
    if (q->bits == 8)
        return image;
    mmd_image_finish(image);
    if (mmd_image_init(image, deep->width, deep->height, NULL) != MMD_OK)
        return NULL;
    size_t count = (size_t)deep->width * deep->height;
    image->has_alpha = false;
    for (size_t i = 0; i < 4 * count; i++)
        image->pixels[i] = (uint8_t)(deep->pixels[i] >> 8);
    for (size_t i = 0; i < count && !image->has_alpha; i++)
        image->has_alpha = image->pixels[4 * i + 3] != 255;
    return image;
}

static int write_average(const render_quality *q, const render_moment *at, const screen_picture *picture,
                         render_canvas *canvas)
{
    mmd_error error = {0};
    mmd_buffer png = {0};
    progress bar = progress_start(q->moments);
    const mmd_png_options options = {.alpha = at->session->view.background[3] < 1.0f,
                                     .texts = picture->texts,
                                     .text_count = picture->text_count};
    bool ok = draw_average(q, at, canvas, picture->bar ? &bar : NULL, &error);
    if (ok)
        ok = (q->bits == 16 ? mmd_png_write16(&canvas->image16, &options, &png, &error)
                            : mmd_png_write(&canvas->image, &options, &png, &error)) == MMD_OK;
    progress_finish(&bar);
    int result = ok ? EXIT_DONE : cannot_draw(&error);
    if (ok && !output_write(picture->path, png.data, png.size))
        result = EXIT_FACILITY;
    mmd_buffer_finish(&png);
    return result;
}

int render_quality_write_png(const render_quality *q, const render_moment *at, const screen_picture *picture,
                             render_canvas *canvas)
{
    if (!render_quality_is_plain(q))
        return write_average(q, at, picture, canvas);
    return screen_write_png(at->screen, at->session->scene, &at->session->view, picture, &canvas->image);
}
