/* Draws pictures of a scene, sums of samples and moments (mmd_view_picture_add does the arithmetic), and id
 * pictures. */
#include "draw.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/output.h"
#include "base/parse.h"
#include "base/progress.h"
#include "files/exr.h"
#include "mmd/gpu_objects.h"
#include "mmd/memory.h"
#include "mmd/view_load.h"

#define TABLE(name) name, sizeof name / sizeof *name

int draw_failed(const mmd_error *error)
{
    report(error);
    return EXIT_FACILITY;
}

/* --- A GPU with all models of a scene --- */

mmd_texture_memory screen_texture_memory(const odori_scene *scene)
{
    uint64_t mib = scene->texture_memory ? scene->texture_memory : MMD_TEXTURE_MEMORY_MIB;
    return mmd_texture_memory_of(mib << 20);
}

bool screen_tell_textures(const mmd_texture_memory *t, char *sentence, size_t size)
{
    uint32_t at = mmd_texture_memory_size(t);
    unsigned long long needed = (unsigned long long)(t->held[0] + t->working[0] + (1 << 20) - 1) >> 20;
    if (!t->smaller[at])
        return false;
    int length =
        snprintf(sentence, size, "the textures need %llu MiB, more than --texture-memory %llu: ", needed,
                 (unsigned long long)t->limit >> 20);
    if (mmd_texture_memory_leaves_out(t))
        snprintf(sentence + length, size - (size_t)length,
                 "some are not decoded, the others have sides of up to %d pixels", MMD_IMAGE_SIZE_MAX >> at);
    else
        snprintf(sentence + length, size - (size_t)length,
                 "%llu of them %s drawn smaller, with sides of up to %d pixels",
                 (unsigned long long)t->smaller[at], t->smaller[at] == 1 ? "is" : "are",
                 MMD_IMAGE_SIZE_MAX >> at);
    return true;
}

/* Tests whether a model, or a copy that shares it, is on the stage. */
static bool is_shown(const odori_scene *scene, const mmd_model *model)
{
    for (size_t i = 0; i < scene->model_count; i++)
        if (scene->models[i].model == model && scene_is_present(scene, i))
            return true;
    return false;
}

uint32_t screen_threads(const odori_scene *scene)
{
    return scene->physics.options.threads > 1 ? scene->physics.options.threads - 1 : 0;
}

/* The models of a scene, as a view adds them. Zeroed: none. */
typedef struct screen_models {
    mmd_view_addition *added;
    const char **paths; /* of their files, for messages */
    size_t count, failed;
    mmd_view_adding *adding;
    const mmd_log *log;
} screen_models;

/* Lists the models, and begins to read their textures. view NULL: for a new view. Returns false with the
 * reason in error. Call screen_models_finish in either case. */
static bool screen_models_begin(screen_models *m, const odori_scene *scene, bool with_removed,
                                const mmd_view_addition *more, mmd_view_adding_desc *how,
                                mmd_texture_memory *textures, mmd_error *error)
{
    *m = (screen_models){.added = mmd_alloc((scene->model_count + 1) * sizeof *m->added),
                         .paths = mmd_alloc((scene->model_count + 1) * sizeof *m->paths)};
    *textures = screen_texture_memory(scene);
    if (!m->added || !m->paths) {
        mmd_error_memory(error);
        return false;
    }
    m->paths[0] = ""; /* for an error where there are no models */
    for (size_t i = 0; i < scene->model_count; i++) {
        const scene_model *from = &scene->models[i];
        if (from->is_copy || from->is_empty || !(with_removed || is_shown(scene, from->model)))
            continue;
        m->paths[m->count] = from->path;
        m->added[m->count++] = (mmd_view_addition){from->model, from->textures.source, from->textures.folder,
                                                   mmd_path_name(from->path)};
    }
    if (more) {
        m->paths[m->count] = more->title;
        m->added[m->count++] = *more;
    }
    how->models = m->added;
    how->count = m->count;
    if (mmd_view_adding_create(how, textures, &m->adding, &m->failed, error) == MMD_OK)
        return true;
    mmd_error_set_file(error, m->paths[m->failed]);
    return false;
}

static bool screen_models_put(screen_models *m, mmd_view *view, mmd_error *error)
{
    if (mmd_view_adding_put(m->adding, view, &m->failed, error) == MMD_OK)
        return true;
    mmd_error_set_file(error, m->paths[m->failed]);
    return false;
}

static void screen_models_finish(screen_models *m, mmd_view *view)
{
    mmd_view_adding_destroy(m->adding, view);
    mmd_free(m->added);
    mmd_free(m->paths);
}

bool screen_add_models(mmd_view *view, const odori_scene *scene, bool with_removed,
                       const mmd_view_addition *more, mmd_texture_memory *textures, mmd_error *error)
{
    screen_models models;
    mmd_view_adding_desc how = {.view = view, .threads = screen_threads(scene)};
    bool done = screen_models_begin(&models, scene, with_removed, more, &how, textures, error) &&
                screen_models_put(&models, view, error);
    screen_models_finish(&models, view);
    return done;
}

/* Returns the seconds since a time, which becomes now. */
static double lap(double *since)
{
    double before = *since;
    *since = clock_seconds();
    return *since - before;
}

/* Begins to read the textures of a scene. */
static bool read_scene(odori_screen *s, const odori_scene *scene, bool with_removed, bool arrives,
                       const mmd_log *log, mmd_error *error)
{
    const double started = clock_seconds();
    const uint32_t threads = screen_threads(scene);
    mmd_view_adding_desc how = {.threads = arrives && !threads ? 1 : threads, .arrives = arrives, .log = log};
    *s = (odori_screen){.models = mmd_alloc(sizeof *s->models)};
    if (!s->models) {
        mmd_error_memory(error);
        return false;
    }
    bool done = screen_models_begin(s->models, scene, with_removed, NULL, &how, &s->textures, error);
    s->models->log = log;
    s->times.measure = clock_seconds() - started;
    return done;
}

/* The context of a screen. */
typedef struct screen_context {
    mmd_gpu_loader loader; /* of the current context; NULL: a new one is created */
    const char *choice;    /* of its GPU */
} screen_context;

/* Creates a view, and with it a context unless there is one. */
static bool open_view(odori_screen *s, screen_context from, const mmd_log *log, mmd_error *error)
{
    double started = clock_seconds();
    bool done = (from.loader ? mmd_gpu_create_current(from.loader, log, &s->gpu, error)
                             : screen_create_gpu(from.choice, log, &s->gpu, error)) == MMD_OK;
    s->times.context = lap(&started);
    if (done)
        done = mmd_view_create(s->gpu, log, &s->view, error) == MMD_OK;
    s->times.view = lap(&started);
    return done;
}

/* Ends the reading of textures, whether all of them have arrived or not. */
static void end_models(odori_screen *s)
{
    if (s->models)
        screen_models_finish(s->models, s->view);
    mmd_free(s->models);
    s->models = NULL;
}

/* Ends the reading after all textures have arrived. */
static void conclude_models(odori_screen *s)
{
    char sentence[512];
    if (screen_tell_textures(&s->textures, sentence, sizeof sentence))
        mmd_log_message(s->models->log, MMD_LOG_WARNING, "%s", sentence);
    end_models(s);
}

/* Does all steps. */
static bool open_screen(odori_screen *s, const odori_scene *scene, screen_context from, const mmd_log *log,
                        mmd_error *error)
{
    bool done =
        read_scene(s, scene, from.loader != NULL, false, log, error) && open_view(s, from, log, error);
    double started = clock_seconds();
    if (done)
        done = screen_models_put(s->models, s->view, error);
    s->times.models = lap(&started);
    if (done)
        conclude_models(s);
    return done;
}

bool screen_read(odori_screen *s, const odori_scene *scene, const mmd_log *log, mmd_error *error)
{
    return read_scene(s, scene, true, true, log, error);
}

bool screen_open_in_steps(odori_screen *s, mmd_gpu_loader loader, const mmd_log *log, mmd_error *error)
{
    return open_view(s, (screen_context){.loader = loader}, log, error);
}

bool screen_arrive(odori_screen *s, double seconds, bool *changed, mmd_error *error)
{
    uint32_t arrived = 0;
    *changed = false;
    if (!s->models)
        return true;
    screen_models *m = s->models;
    const double started = clock_seconds();
    bool done = mmd_view_adding_arrive(m->adding, s->view, seconds, &arrived, &m->failed, error) == MMD_OK;
    s->times.models += clock_seconds() - started;
    *changed = arrived > 0;
    if (!done)
        mmd_error_set_file(error, m->paths[m->failed]);
    else if (mmd_view_adding_is_done(m->adding))
        conclude_models(s);
    return done;
}

bool screen_is_complete(const odori_screen *s)
{
    return !s->models;
}

bool screen_complete(odori_screen *s, mmd_error *error)
{
    bool changed;
    return screen_arrive(s, INFINITY, &changed, error);
}

mmd_status screen_create_gpu(const char *choice, const mmd_log *log, mmd_gpu **gpu, mmd_error *error)
{
    mmd_status status = mmd_gpu_create_on(choice, log, gpu, error);
    if (status == MMD_OK)
        mmd_gpu_set_exclusive(*gpu);
    return status;
}

bool screen_open_headless(odori_screen *s, const odori_scene *scene, const char *choice, const mmd_log *log,
                          mmd_error *error)
{
    return open_screen(s, scene, (screen_context){.choice = choice}, log, error);
}

bool screen_open_current(odori_screen *s, const odori_scene *scene, mmd_gpu_loader loader, const mmd_log *log,
                         mmd_error *error)
{
    return open_screen(s, scene, (screen_context){.loader = loader}, log, error);
}

void screen_tell_context(const odori_screen *s, const mmd_log *log)
{
    const mmd_gpu_info *gpu = mmd_gpu_get_info(s->gpu);
    if (log->level < MMD_LOG_INFO)
        message("OpenGL %s on %s (%s)", gpu->version, gpu->renderer, gpu->context);
}

void screen_finish(odori_screen *s)
{
    end_models(s);
    mmd_view_destroy(s->view);
    mmd_gpu_destroy(s->gpu);
    *s = (odori_screen){0};
}

/* --- Pictures --- */

/* Progress of a picture. Drawing and writing take about equal time, so each row counts twice. */
typedef struct picture_progress {
    progress bar;
    uint32_t height;
} picture_progress;

static void show_row(void *user, uint32_t rows)
{
    picture_progress *p = user;
    progress_show(&p->bar, (size_t)p->height + rows);
}

int screen_write_png(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                     const screen_picture *picture, mmd_image *image)
{
    mmd_error error = {0};
    mmd_buffer png = {0};
    picture_progress done = {progress_start(2 * (size_t)picture->height), picture->height};
    mmd_png_options png_options = {.alpha = options->background[3] < 1.0f,
                                   .level = picture->level,
                                   .texts = picture->texts,
                                   .text_count = picture->text_count,
                                   .on_row = picture->bar ? show_row : NULL,
                                   .user = &done};
    bool ok = mmd_view_picture(s->view, scene->stage, options, picture->width, picture->height, image,
                               &error) == MMD_OK &&
              mmd_png_write(image, &png_options, &png, &error) == MMD_OK;
    progress_finish(&done.bar);
    int result = EXIT_DONE;
    if (!ok)
        result = draw_failed(&error);
    else if (!output_write(picture->path, png.data, png.size))
        result = EXIT_FACILITY;
    mmd_buffer_finish(&png);
    return result;
}

/* Limit of moments per picture, so that sums fit even with the highest supersampling. */
enum { MOMENTS_MAX = MMD_PICTURE_SAMPLES_MAX / (MMD_SUPERSAMPLE_MAX * MMD_SUPERSAMPLE_MAX) };

/* --- Quality: options and chunk --- */

static bool set_bits(void *target, const char *value, option_error *error)
{
    if (strcmp(value, "8") != 0 && strcmp(value, "16") != 0)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not 8 or 16", value);
    ((draw_quality *)target)->bits = *value == '8' ? 8 : 16;
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
    return set_count(&((draw_quality *)target)->supersample, value, MMD_SUPERSAMPLE_MAX, error);
}

static bool set_moments(void *target, const char *value, option_error *error)
{
    return set_count(&((draw_quality *)target)->moments, value, MOMENTS_MAX, error);
}

static bool set_shutter(void *target, const char *value, option_error *error)
{
    draw_quality *q = target;
    if (!parse_real(value, &q->shutter) || q->shutter < 0 || q->shutter > 360)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not an angle from 0 to 360 degrees", value);
    return q->has_shutter = true;
}

static bool set_png_level(void *target, const char *value, option_error *error)
{
    draw_quality *q = target;
    uint64_t level;
    if (!parse_whole(value, 0, MMD_PNG_LEVEL_MAX, &level))
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a whole number from 0 to %d", value,
                           MMD_PNG_LEVEL_MAX);
    q->level = level ? (int)level : MMD_PNG_STORED;
    return q->has_level = true;
}

static const option quality_table[] = {
    {0, "bits", "8|16", "bits per colour channel of the file; 16 also draws and blends with 16 (8)",
     set_bits},
    {0, "supersample", "N", "draws N times as wide and high, and averages the pixels, 1 to 8 (1)",
     set_supersample},
    {0, "motion-blur", "N", "averages N pictures from the time that the shutter is open (1)", set_moments},
    {0, "shutter", "DEGREES",
     "how long the shutter is open; 360: until the next picture; it closes at camera cuts (180)",
     set_shutter},
    {0, "png-level", "0..9",
     "compression of PNG files: 0 none, 1 fast, 9 smallest; the pixels are the same (1)", set_png_level},
};

option_group group_of_quality(draw_quality *quality)
{
    return (option_group){"quality", TABLE(quality_table), quality};
}

draw_quality draw_quality_default(void)
{
    return (draw_quality){.bits = 8, .supersample = 1, .moments = 1, .shutter = 180, .level = MMD_PNG_FAST};
}

bool draw_quality_is_plain(const draw_quality *q)
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

bool draw_quality_read(const char *chunk, draw_quality *q, double *interval)
{
    json_t *root = json_loads(chunk, JSON_REJECT_DUPLICATES, NULL), *value = json_object_get(root, "quality");
    *q = draw_quality_default();
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

/*
 * Returns the frame at which the shutter that opens at `frame` closes: at most length frames later, and
 * before the next camera cut. A cut is a pair of different keys one frame apart; the picture changes at the
 * later one.
 */
static double shutter_closes(const odori_session *s, double frame, double length)
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

/* --- Sums of samples and moments --- */

void draw_canvas_finish(draw_canvas *canvas)
{
    mmd_picture_sum_finish(&canvas->sum);
    mmd_image_finish(&canvas->image);
    mmd_image16_finish(&canvas->image16);
    *canvas = (draw_canvas){0};
}

static bool draw_plain(const draw_moment *at, mmd_image *image, mmd_error *error)
{
    return mmd_view_picture(at->screen->view, at->session->scene->stage, &at->session->view, at->width,
                            at->height, image, error) == MMD_OK;
}

/* Adds up the moments of a picture. The first moment is the picture's own frame, so that a single moment
 * equals a picture without blur. */
static bool add_moments(const draw_quality *q, const draw_moment *at, mmd_picture_sum *sum, progress *bar,
                        mmd_error *error)
{
    odori_session *s = at->session;
    double frame = s->frame;
    double open = shutter_closes(s, frame, at->interval * q->shutter / 360) - frame;
    uint32_t count =
        open > 0 ? q->moments : 1; /* one is enough if the shutter is closed: all would be equal */
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

static bool draw_average(const draw_quality *q, const draw_moment *at, draw_canvas *canvas, progress *bar,
                         mmd_error *error)
{
    mmd_picture_sum *sum = &canvas->sum;
    bool opaque = at->session->view.background[3] >= 1.0f;
    if (mmd_picture_sum_begin(sum, at->width, at->height, q->bits == 16, error) != MMD_OK ||
        !add_moments(q, at, sum, bar, error))
        return false;
    return (q->bits == 16 ? mmd_picture_sum_image16(sum, opaque, &canvas->image16, error)
                          : mmd_picture_sum_image(sum, opaque, &canvas->image, error)) == MMD_OK;
}

bool draw_picture(const draw_quality *q, const draw_moment *at, draw_canvas *canvas, mmd_error *error)
{
    return draw_quality_is_plain(q) ? draw_plain(at, &canvas->image, error)
                                    : draw_average(q, at, canvas, NULL, error);
}

bool draw_begin(const draw_quality *q, const draw_moment *at, draw_canvas *canvas, mmd_error *error)
{
    if (!draw_quality_is_plain(q))
        return draw_average(q, at, canvas, NULL, error);
    return mmd_view_picture_begin(at->screen->view, at->session->scene->stage, &at->session->view, at->width,
                                  at->height, error) == MMD_OK;
}

bool draw_end(const draw_quality *q, const odori_screen *screen, draw_canvas *canvas, mmd_error *error)
{
    return !draw_quality_is_plain(q) || mmd_view_picture_take(screen->view, &canvas->image, error) == MMD_OK;
}

const mmd_image *draw_canvas_image(const draw_quality *q, draw_canvas *canvas)
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

mmd_status draw_encode_png(const draw_quality *q, const draw_canvas *canvas, bool alpha,
                           const mmd_image_text *texts, size_t text_count, mmd_buffer *png, mmd_error *error)
{
    const mmd_png_options options = {
        .alpha = alpha, .level = q->level, .texts = texts, .text_count = text_count};
    return q->bits == 16 ? mmd_png_write16(&canvas->image16, &options, png, error)
                         : mmd_png_write(&canvas->image, &options, png, error);
}

static int write_average(const draw_quality *q, const draw_moment *at, const screen_picture *picture,
                         draw_canvas *canvas)
{
    mmd_error error = {0};
    mmd_buffer png = {0};
    progress bar = progress_start(q->moments);
    bool ok = draw_average(q, at, canvas, picture->bar ? &bar : NULL, &error) &&
              draw_encode_png(q, canvas, at->session->view.background[3] < 1.0f, picture->texts,
                              picture->text_count, &png, &error) == MMD_OK;
    progress_finish(&bar);
    int result = ok ? EXIT_DONE : draw_failed(&error);
    if (ok && !output_write(picture->path, png.data, png.size))
        result = EXIT_FACILITY;
    mmd_buffer_finish(&png);
    return result;
}

int draw_write_png(const draw_quality *q, const draw_moment *at, const screen_picture *picture,
                   draw_canvas *canvas)
{
    if (!draw_quality_is_plain(q))
        return write_average(q, at, picture, canvas);
    screen_picture leveled = *picture;
    leveled.level = q->level;
    return screen_write_png(at->screen, at->session->scene, &at->session->view, &leveled, &canvas->image);
}

/* --- Ids --- */

/* Fills in the names of a model's materials and bones. Returns false if out of memory. */
static bool name_model(const scene_model *m, mmd_arena *arena, mmd_ids_model *names)
{
    const mmd_model *model = m->model;
    const char **materials = mmd_arena_alloc(arena, model->material_count, sizeof *materials);
    mmd_ids_bone *bones = mmd_arena_alloc(arena, model->bone_count, sizeof *bones);
    if (!materials || !bones)
        return false;
    for (uint32_t i = 0; i < model->material_count; i++)
        materials[i] = model->materials[i].name;
    for (uint32_t i = 0; i < model->bone_count; i++)
        bones[i] = (mmd_ids_bone){model->bones[i].name, mmd_model_bone_is_driven(model, (int32_t)i)};
    *names = (mmd_ids_model){.name = *model->name ? model->name : mmd_path_name(m->path),
                             .materials = materials,
                             .material_count = model->material_count,
                             .bones = bones,
                             .bone_count = model->bone_count};
    return true;
}

/* Draws ids with their names, and surfaces unless they are NULL. */
static mmd_status fill_ids(mmd_view *view, const odori_scene *scene, const mmd_view_options *options,
                           picture_size size, mmd_arena *arena, mmd_ids_plane *plane,
                           mmd_view_surface *surfaces, mmd_error *error)
{
    size_t count = (size_t)size.width * size.height;
    uint32_t(*ids)[3] = mmd_arena_alloc(arena, count, sizeof *ids);
    mmd_ids_model *models = mmd_arena_alloc(arena, scene->model_count, sizeof *models);
    bool ok = ids && models;
    for (size_t i = 0; ok && i < scene->model_count; i++)
        ok = name_model(&scene->models[i], arena, &models[i]);
    if (!ok)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "while drawing the picture of ids");
    mmd_status status =
        mmd_view_surfaces(view, scene->stage, options, size.width, size.height, ids, surfaces, error);
    if (status != MMD_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            ids[i][k] = ids[i][k] == MMD_VIEW_NO_ID ? 0 : ids[i][k] + 1;
    *plane = (mmd_ids_plane){.width = size.width,
                             .height = size.height,
                             .ids = (const uint32_t(*)[3])ids,
                             .models = models,
                             .model_count = scene->model_count};
    return MMD_OK;
}

mmd_status draw_ids(mmd_view *view, const odori_scene *scene, const mmd_view_options *options,
                    picture_size size, mmd_ids *ids, mmd_error *error)
{
    mmd_arena arena = {0};
    mmd_ids_plane plane;
    *ids = (mmd_ids){0};
    mmd_status status = fill_ids(view, scene, options, size, &arena, &plane, NULL, error);
    if (status == MMD_OK)
        status = mmd_ids_make(&plane, ids, error);
    mmd_arena_finish(&arena);
    return status;
}

int draw_write_ids(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                   const screen_picture *picture)
{
    char path[4096];
    mmd_error error = {0};
    mmd_buffer png = {0};
    mmd_arena arena = {0};
    mmd_ids_plane plane;
    int result = EXIT_DONE;
    const picture_size size = {picture->width, picture->height};
    mmd_status status = fill_ids(s->view, scene, options, size, &arena, &plane, NULL, &error);
    if (status == MMD_OK)
        status = mmd_ids_encode(&plane, &png, &error);
    if (status != MMD_OK) {
        report(&error);
        result = EXIT_FACILITY;
    } else if (!mmd_ids_path_beside(picture->path, path, sizeof path)) {
        message("%s: the path is too long", picture->path);
        result = EXIT_FACILITY;
    } else if (!output_write(path, png.data, png.size)) {
        result = EXIT_FACILITY;
    }
    mmd_arena_finish(&arena);
    mmd_buffer_finish(&png);
    return result;
}

/* --- Planes --- */

bool draw_set_planes(unsigned *kinds, const char *value, option_error *error)
{
    static const char *const names[] = {"depth", "normals", "ids"};
    static const unsigned bits[] = {EXR_DEPTH, EXR_NORMALS, EXR_IDS};
    *kinds = 0;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ","), i = 0;
        while (i < 3 && (strlen(names[i]) != length || strncmp(at, names[i], length) != 0))
            i++;
        if (i == 3)
            return option_fail(error, EXIT_USAGE, "\"%.*s\" is not depth, normals or ids",
                               (int)(length < 60 ? length : 60), at);
        *kinds |= bits[i];
        at += length;
        if (!*at)
            return true;
    }
}

/* Draws planes and appends them as EXR. */
static mmd_status draw_planes(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                              const screen_picture *picture, unsigned kinds, mmd_buffer *exr,
                              mmd_error *error)
{
    mmd_arena arena = {0};
    mmd_ids_plane ids;
    const picture_size size = {picture->width, picture->height};
    size_t count = (size_t)size.width * size.height;
    mmd_view_surface *surfaces = mmd_arena_alloc(&arena, count, sizeof *surfaces);
    mmd_status status = MMD_OK;
    if (!surfaces)
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "while drawing depth and normals");
    if (status == MMD_OK)
        status = fill_ids(s->view, scene, options, size, &arena, &ids, surfaces, error);
    for (size_t i = 0; i < count && status == MMD_OK; i++)
        if (!ids.ids[i][0])
            surfaces[i].depth = EXR_NO_DEPTH;
    if (status == MMD_OK) {
        const exr_planes planes = {.kinds = kinds,
                                   .ids = &ids,
                                   .surfaces = surfaces,
                                   .origin = picture->text_count ? picture->texts[0].text : NULL};
        status = exr_write(&planes, exr, error);
    }
    mmd_arena_finish(&arena);
    return status;
}

int draw_write_planes(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                      const screen_picture *picture, unsigned kinds)
{
    char path[4096];
    mmd_error error = {0};
    mmd_buffer exr = {0};
    int result = EXIT_DONE;
    if (!exr_path_beside(picture->path, path, sizeof path)) {
        message("%s: the path is too long", picture->path);
        result = EXIT_FACILITY;
    } else if (draw_planes(s, scene, options, picture, kinds, &exr, &error) != MMD_OK) {
        result = draw_failed(&error);
    } else if (!output_write(path, exr.data, exr.size)) {
        result = EXIT_FACILITY;
    }
    mmd_buffer_finish(&exr);
    return result;
}
