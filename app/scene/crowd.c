/*
 * The formation of a crowd. The first model stands in the middle of the front row, wherever it was placed.
 * Rows behind it alternately have one place more and one place fewer, so that each dancer looks between two
 * of the row in front. The spacing, in both directions, is the model's width or depth at rest, whichever is
 * larger.
 */
#include "crowd.h"

#include <math.h>

#include "mmd/cursor.h"
#include "mmd/elementary.h"
#include "mmd/memory.h"
#include "base/parse.h"
#include "base/message.h"
#include "placing.h"

enum { ACTORS_MAX = 1000 };

/* Units. Used for models without a size. */
static const double spacing_least = 1.0;

static bool set_actors(void *target, const char *value, option_error *error)
{
    uint64_t count;
    if (!parse_whole(value, 1, ACTORS_MAX, &count))
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of actors from 1 to %d", value,
                           ACTORS_MAX);
    ((scene_options *)target)->crowd.actors = (uint32_t)count;
    return true;
}

static bool set_delay(void *target, const char *value, option_error *error)
{
    double frames;
    if (!parse_real(value, &frames) || !(fabs(frames) <= 1e6))
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of frames from -1000000 to 1000000",
                           value);
    ((scene_options *)target)->crowd.delay = frames;
    return true;
}

static const option crowd_table[] = {
    {0, "actors", "N", "shows the first model N times, in rows; each has a physics world of its own (1)",
     set_actors},
    {0, "actors-delay", "FRAMES", "delay of the motion of each copy after the one before it (0)", set_delay},
};

option_group group_of_crowd(scene_options *options)
{
    return (option_group){"crowd", crowd_table, sizeof crowd_table / sizeof *crowd_table, options};
}

bool crowd_add(odori_scene *s, const scene_options *options)
{
    size_t first = scene_main_model(s);
    for (uint32_t i = 1; s->model_count && i < options->crowd.actors; i++)
        if (!scene_add_copy(s, first))
            return false;
    return true;
}

/* ---------------------------------------------------------------- formation */

static double width_of(const mmd_model *model)
{
    const mmd_vertices *vertices = &model->vertices;
    float low[3] = {INFINITY, 0, INFINITY}, high[3] = {-INFINITY, 0, -INFINITY};
    for (uint32_t v = 0; v < vertices->count; v++) {
        for (int k = 0; k < 3; k += 2) {
            low[k] = mmd_minf(low[k], vertices->position[v][k]);
            high[k] = mmd_maxf(high[k], vertices->position[v][k]);
        }
    }
    double width = mmd_max((double)high[0] - (double)low[0], (double)high[2] - (double)low[2]);
    return width >= spacing_least && isfinite(width) ? width : spacing_least;
}

/* Returns the number of places in the front row: the largest odd number whose square is not above the number
 * of dancers. */
static uint32_t front_of(uint32_t actors)
{
    uint32_t front = 1;
    while ((front + 2) * (front + 2) <= actors)
        front += 2;
    return front;
}

/*
 * Finds the place of a dancer in the formation. Rows are filled from the middle, alternating right and left.
 */
static void find_place(uint32_t number, uint32_t actors, double *across, uint32_t *row)
{
    uint32_t front = front_of(actors), places = front;
    for (*row = 0; number >= places; ++*row) {
        number -= places;
        places = *row % 2 ? front : front + 1;
    }
    double step = (double)((number + 1) / 2);
    *across = *row % 2 ? ((double)(number / 2) + 0.5) * (number % 2 ? -1 : 1) : number % 2 ? step : -step;
}

/* Returns a placement relative to the first model's: across to its left and right, and back, with its
 * rotation and scale. */
static model_option place_of(const model_option *first, double across, double back)
{
    model_option o = *first;
    double sine, cosine;
    mmd_sincos((double)first->placement[4] * 3.14159265358979323846 / 180.0, &sine, &cosine);
    across *= fabs((double)first->placement[6]);
    back *= fabs((double)first->placement[6]);
    o.placement[0] += (float)(across * cosine + back * sine);
    o.placement[2] += (float)(back * cosine - across * sine);
    o.file = 0;
    return o;
}

/* Tests whether an option concerns the first model, which is the first model of the first file that brings
 * any. */
static bool is_of_first(const scene_options *options, const model_option *o, size_t first,
                        const size_t *files)
{
    return o->model == MODEL_OF_FILE
               ? o->file < options->files.count && files[o->file] == first && files[o->file + 1] > first
               : o->model == first;
}

static bool add_copies(const odori_scene *s, const scene_options *options, const model_option *placement,
                       double delay, model_options *all)
{
    size_t first = scene_main_model(s);
    double width = width_of(s->models[first].model);
    uint32_t number = 0;
    for (size_t i = 0; i < s->model_count; i++) {
        double across;
        uint32_t row;
        if (!s->models[i].is_copy)
            continue;
        find_place(++number, options->crowd.actors, &across, &row);
        model_option at = place_of(placement, width * across, width * row);
        at.model = i;
        model_option later = {
            .kind = MODEL_DELAY, .model = i, .delay = delay + number * options->crowd.delay};
        if (!model_options_add(all, &at) || (later.delay != 0 && !model_options_add(all, &later)))
            return false;
    }
    return true;
}

/* Reads the placement and delay that options give the first model. */
static void read_first(const odori_scene *s, const scene_options *options, const size_t *files,
                       model_option *placement, double *delay)
{
    for (size_t i = 0; i < options->own.count; i++) {
        const model_option *o = &options->own.items[i];
        if (!is_of_first(options, o, scene_main_model(s), files))
            continue;
        if (o->kind == MODEL_PLACE)
            *placement = *o;
        else if (o->kind == MODEL_DELAY)
            *delay = o->delay;
    }
}

mmd_status crowd_place(odori_scene *s, const scene_options *options, const size_t *files, mmd_error *error)
{
    if (options->crowd.actors < 2 || !s->model_count)
        return placing_apply(s, options, files, error);
    scene_options all = *options;
    model_option placement = {.kind = MODEL_PLACE, .placement = {0, 0, 0, 0, 0, 0, 1}};
    double delay = 0;
    bool ok = true;
    read_first(s, options, files, &placement, &delay);
    all.own = (model_options){0};
    for (size_t i = 0; i < options->own.count && ok; i++)
        ok = model_options_add(&all.own, &options->own.items[i]);
    ok = ok && add_copies(s, options, &placement, delay, &all.own);
    mmd_status status = ok ? placing_apply(s, &all, files, error) : mmd_error_memory(error);
    mmd_free(all.own.items);
    return status;
}

/* ---------------------------------------------------------------- motions and draw order */

static bool move_like(const odori_scene *s, size_t first, mmd_actor *actor)
{
    for (size_t i = 0; i < s->motion_count; i++)
        if (!s->motions[i].moves_models && s->motions[i].target == (int64_t)first &&
            mmd_actor_add_motion(actor, s->motions[i].motion, NULL) != MMD_OK)
            return false;
    return true;
}

static void set_order(odori_scene *s, size_t index, int32_t change)
{
    mmd_staging staging = *mmd_stage_staging(s->stage, index);
    staging.draw_order += change;
    mmd_stage_set_staging(s->stage, index, &staging);
}

/* Orders rows so that the back is drawn first, because translucent parts in front show who is behind. What is
 * drawn before models stays before them. */
static void order_rows(odori_scene *s, uint32_t actors)
{
    uint32_t number = 0, row = 0;
    double across;
    find_place(actors - 1, actors, &across, &row);
    int32_t rows = (int32_t)row;
    for (size_t i = 0; i < s->model_count; i++) {
        if (s->models[i].is_copy) {
            find_place(++number, actors, &across, &row);
            set_order(s, i, -(int32_t)row);
        } else if (mmd_stage_staging(s->stage, i)->draw_order < 0) {
            set_order(s, i, -rows);
        }
    }
}

bool crowd_move(odori_scene *s)
{
    size_t first = scene_main_model(s);
    bool ok = true;
    for (size_t i = 0; i < s->model_count && ok; i++)
        ok = !s->models[i].is_copy || move_like(s, first, s->models[i].actor);
    return ok;
}

/* Records the draw order as commands, so that a picture can repeat it. */
static bool keep_order(odori_scene *s)
{
    mmd_buffer lines = {0};
    mmd_write_format(&lines, "%s", s->opening ? s->opening : "");
    for (size_t i = 0; i < s->model_count; i++)
        if (s->models[i].is_copy)
            mmd_write_format(&lines, "model.select %zu\nmodel.order %d\n", i,
                             (int)mmd_stage_staging(s->stage, i)->draw_order);
    mmd_write_format(&lines, "model.select %zu\n", scene_main_model(s));
    s->opening = lines.failed ? NULL : mmd_arena_text(&s->arena, (const char *)lines.data, lines.size);
    mmd_buffer_finish(&lines);
    return s->opening != NULL;
}

bool crowd_finish(odori_scene *s, const scene_options *options)
{
    if (options->crowd.actors < 2 || !s->model_count)
        return true;
    order_rows(s, options->crowd.actors);
    return crowd_move(s) && keep_order(s);
}

mmd_status crowd_of_bundled(odori_scene *s, const scene_options *options, mmd_error *error)
{
    const size_t files[] = {0, s->model_count};
    scene_options alone = *options;
    alone.own = (model_options){0};
    mmd_status status = MMD_ERROR_MEMORY;
    if (crowd_add(s, options))
        status = crowd_place(s, &alone, files, error);
    if (status == MMD_OK && !crowd_finish(s, options))
        status = MMD_ERROR_MEMORY;
    return status == MMD_ERROR_MEMORY ? mmd_error_set(error, status, "", MMD_NO_OFFSET, "out of memory")
                                      : status;
}
