/* Physics options as a table, their application to the stage, and warnings about reset bodies. */
#include "physics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/clock.h"
#include "base/parse.h"
#include "base/system.h"
#include "base/time_limit.h"
#include "mmd/elementary.h"
#include "scene.h"
#include "options.h"

/* Limits of warnings about reset bodies per scene, and of names in each. */
enum { TOLD_MAX = 20, NAMES_MAX = 5 };

/* Limit of threads. Separate worlds are stepped in parallel, and scenes seldom have more of them. */
enum { THREADS_MAX = 16 };

#define GRAVITY_MAX 1e6 /* units/s^2 */

static bool bad_value(option_error *error, const char *value, const char *expected)
{
    return option_fail(error, EXIT_USAGE, "\"%.100s\" is not %s", value, expected);
}

static bool set_on(void *target, const char *value, option_error *error)
{
    physics_settings *p = target;
    p->on_given = true;
    return parse_switch(value, &p->on) || bad_value(error, value, "on or off");
}

static bool set_gravity(void *target, const char *value, option_error *error)
{
    physics_settings *p = target;
    float g[3];
    bool fits = parse_reals(value, 3, g);
    for (int k = 0; fits && k < 3; k++)
        fits = fabs((double)g[k]) <= GRAVITY_MAX;
    if (!fits)
        return bad_value(error, value, "three numbers X,Y,Z from -1000000 to 1000000 units/s²");
    memcpy(p->options.gravity, g, sizeof g);
    return p->gravity_given = true;
}

static bool set_ground(void *target, const char *value, option_error *error)
{
    physics_settings *p = target;
    p->ground_given = true;
    return parse_switch(value, &p->options.ground) || bad_value(error, value, "on or off");
}

static bool set_world(void *target, const char *value, option_error *error)
{
    bool shared = strcmp(value, "shared") == 0;
    if (!shared && strcmp(value, "own") != 0)
        return bad_value(error, value, "shared or own");
    ((physics_settings *)target)->options.shared_world = shared;
    return ((physics_settings *)target)->world_given = true;
}

static bool set_rate(void *target, const char *value, option_error *error)
{
    uint64_t rate;
    if (!parse_whole(value, 20, 2000, &rate))
        return bad_value(error, value, "a whole number of steps per second from 20 to 2000");
    ((physics_settings *)target)->options.rate = (uint32_t)rate;
    return ((physics_settings *)target)->rate_given = true;
}

static bool set_lever(void *target, const char *value, option_error *error)
{
    bool stock = strcmp(value, "stock") == 0;
    if (!stock && strcmp(value, "own") != 0)
        return bad_value(error, value, "own or stock");
    ((physics_settings *)target)->options.joint_lever = stock ? MMD_LEVER_STOCK : MMD_LEVER_OWN;
    return ((physics_settings *)target)->lever_given = true;
}

static bool set_cache(void *target, const char *value, option_error *error)
{
    uint64_t mib;
    if (!parse_whole(value, 0, 65536, &mib))
        return bad_value(error, value, "a number of MiB from 0 to 65536");
    ((physics_settings *)target)->options.cache_bytes = (size_t)mib << 20;
    return true;
}

/* The help text shows the default in parentheses. Of the two texts of --physics, the first is for subcommands
 * where it is off by default, the last for those where it is on. */
static const option table[] = {
    {0, "physics", "on|off", "simulates hair and clothes; off: rigid bodies follow their bones (off)",
     set_on},
    {0, "gravity", "X,Y,Z", "gravity in units/s²; -Y is down (0,-98,0)", set_gravity},
    {0, "physics-ground", "on|off", "adds a floor at height 0 that bodies collide with (on)", set_ground},
    {0, "physics-world", "shared|own",
     "shared: models collide with each other; own: each has a world of its own (shared)", set_world},
    {0, "physics-rate", "HZ", "simulation steps per second, 20 to 2000; models are tuned for 60 (60)",
     set_rate},
    {0, "physics-lever", "own|stock",
     "stock: joints pull both bodies at one anchor, as MMD's do; own: each at its own, which holds open joints "
     "together better (stock)",
     set_lever},
    {0, "physics-cache", "MIB",
     "memory for snapshots, so that going back does not simulate from the start (64)", set_cache},
    {0, "physics", "on|off", "simulates hair and clothes; off: rigid bodies follow their bones (on)", set_on},
};

enum { OPTION_COUNT = sizeof table / sizeof *table - 1 };

option_group group_of_physics(physics_settings *p)
{
    return (option_group){"physics", p->on ? table + 1 : table, OPTION_COUNT, p};
}

void physics_settings_init(physics_settings *p, bool on)
{
    *p = (physics_settings){.on = on, .options = mmd_default_physics_options()};
}

void physics_take_threads(physics_settings *p, const common_options *common)
{
    unsigned processors = system_core_count();
    uint32_t most = processors > THREADS_MAX ? THREADS_MAX : processors;
    p->options.threads = common->has_threads ? common->threads : most;
    p->options.run_ahead = p->options.threads > 1;
}

/* ------------------------------------------------------------- bodies that were reset */

static const char *name_of(const scene_model *m)
{
    return mmd_path_name(m->given ? m->given : m->path);
}

/* What a warning says: the number of bodies, and the first names. */
typedef struct reset_list {
    uint32_t count;
    char names[240];
    size_t length;
} reset_list;

static void add_name(reset_list *list, const char *name, const char *kind, uint32_t number)
{
    size_t room = sizeof list->names - list->length;
    const char *before = list->count ? ", " : "";
    if (list->count++ >= NAMES_MAX)
        return;
    int written = *name ? snprintf(list->names + list->length, room, "%s%s", before, name)
                        : snprintf(list->names + list->length, room, "%s%s %u", before, kind, number);
    if (written < 0 || (size_t)written >= room) /* drop a name that would be cut within a character */
        list->names[list->length] = '\0';
    else
        list->length += (size_t)written;
}

static void tell(odori_scene *s, const scene_model *m, const reset_list *list, const mmd_reset_bodies *what)
{
    bool one = list->count == 1;
    if (s->reset_sentences++ == TOLD_MAX)
        mmd_log_message(&s->physics_log, MMD_LOG_WARNING, "more bodies were reset; they are not reported");
    if (s->reset_sentences > TOLD_MAX)
        return;
    mmd_log_message(&s->physics_log, MMD_LOG_WARNING,
                    "%s: frame %.10g: %u bod%s left %s and %s reset (%s%s): %s", name_of(m),
                    floor(100 * what->frame + 0.5) / 100, list->count, one ? "y" : "ies",
                    one ? "its position" : "their positions", one ? "was" : "were", list->names,
                    list->count > NAMES_MAX ? ", …" : "", what->reason);
}

static uint32_t soft_count(const mmd_model *model)
{
    return model->physscene ? model->physscene->soft_body_count : model->soft_body_count;
}

static const char *soft_name(const mmd_model *model, uint32_t soft)
{
    return model->physscene ? model->physscene->soft_bodies[soft].name : model->soft_bodies[soft].name;
}

/* Reports reset bodies: each body once, however often loops and seeks repeat it, and all bodies of one moment
 * in one sentence. */
static void on_reset(void *context, const mmd_reset_bodies *what)
{
    odori_scene *s = context;
    reset_list list = {0};
    if (what->actor >= s->model_count) /* an additional dancer of bench */
        return;
    scene_model *m = &s->models[what->actor];
    const mmd_model *model = m->model;
    uint32_t bodies = mmd_model_body_count(model);
    if (!m->reset_told)
        m->reset_told = mmd_arena_alloc(&s->arena, (size_t)bodies + soft_count(model), sizeof *m->reset_told);
    for (uint32_t i = 0; m->reset_told && i < what->body_count + what->soft_count; i++) {
        bool soft = i >= what->body_count;
        uint32_t number = soft ? what->softs[i - what->body_count] : what->bodies[i];
        bool *told = &m->reset_told[soft ? bodies + number : number];
        if (!*told)
            add_name(&list, soft ? soft_name(model, number) : mmd_model_body_name(model, number),
                     soft ? "soft body" : "body", number);
        *told = true;
    }
    if (list.count)
        tell(s, m, &list, what);
}

/* ------------------------------------------------------------- progress of long simulations */

/* Seconds of simulation before a message appears, and the longest pause that still counts as the same
 * simulation. */
#define PATIENCE 5.0
#define PAUSE    2.0

/* Seconds of a single step above which a message appears. */
#define SLOW_STEP 1.0

/* Number of nodes of soft bodies above which a message appears before a world is built, which takes TIME. */
enum { NODES_TOLD = 15000 };

/* Limit of frames: one day of motion. */
#define FARTHEST_FRAME (86400.0 * 30.0)

/* Prints one message about a long simulation, unless a progress bar shows it. */
static void on_simulating(void *context, double frame, double goal)
{
    odori_scene *s = context;
    double now = clock_seconds();
    if (now - s->simulating_seen > PAUSE)
        s->simulating_since = now;
    s->simulating_seen = now;
    if (s->simulating_told || now - s->simulating_since < PATIENCE || (s->goal > 0 && system_is_terminal(2)))
        return;
    s->simulating_told = true;
    goal = mmd_max(goal, s->goal);
    mmd_log_message(&s->time_log, MMD_LOG_WARNING,
                    "simulating %.0f s of motion to reach frame %.0f, %.0f s are done; without physics "
                    "(--physics off) it is shown at once",
                    goal / 30, goal, frame / 30);
}

/* Returns the number of joints of a model. */
static uint32_t joint_count(const mmd_model *model)
{
    return model->physscene ? model->physscene->joint_count : model->joint_count;
}

/* Prints one message about physics of which a single step takes long, with the counts that make it slow. */
static void tell_slow_step(odori_scene *s, double seconds)
{
    uint64_t bodies = 0, joints = 0, softs = 0, most = 0;
    const scene_model *largest = NULL;
    char soft[40] = "";
    for (size_t i = 0; i < s->model_count; i++) {
        const mmd_model *model = s->models[i].model;
        if (!scene_is_present(s, i))
            continue;
        uint64_t parts = (uint64_t)mmd_model_body_count(model) + joint_count(model) + soft_count(model);
        bodies += mmd_model_body_count(model);
        joints += joint_count(model);
        softs += soft_count(model);
        if (parts > most)
            largest = &s->models[i];
        most = parts > most ? parts : most;
    }
    s->slow_step_told = true;
    if (!largest)
        return;
    if (softs)
        snprintf(soft, sizeof soft, "%" PRIu64 " soft bodies, ", softs);
    mmd_log_message(&s->time_log, MMD_LOG_WARNING,
                    "the physics of %s%s have %" PRIu64 " rigid bodies, %s%" PRIu64
                    " joints and %zu contacts: one step took %.1f s, and a second of motion has %u steps; "
                    "without physics (--physics off) it is shown at once",
                    name_of(largest), s->model_count > 1 ? " and the other models" : "", bodies, soft, joints,
                    mmd_stage_count_contacts(s->stage), seconds, s->physics_now.rate);
}

/* Looks at the time limit before each step, and measures the step before. */
static void on_step(void *context, double frame, double goal)
{
    odori_scene *s = context;
    double now = clock_seconds(), rate = s->physics_now.rate;
    bool follows =
        frame > s->step_frame && frame - s->step_frame < 30.5 / rate; /* the last call was a step ago */
    if (follows && now - s->step_began > SLOW_STEP && !s->slow_step_told)
        tell_slow_step(s, now - s->step_began);
    s->step_began = now;
    s->step_frame = frame;
    time_limit_check(frame, mmd_max(goal, s->goal));
}

bool physics_runs_on(const odori_scene *s)
{
    bool any = false;
    for (size_t i = 0; i < s->model_count; i++)
        any = any || (scene_is_present(s, i) && mmd_model_has_dynamic_scene(s->models[i].model));
    return any && mmd_stage_physics(s->stage) && mmd_stage_last_frame(s->stage) <= 0;
}

double physics_farthest_frame(void)
{
    return FARTHEST_FRAME;
}

mmd_status physics_check_frame(const odori_scene *s, double frame, mmd_error *error)
{
    bool any = false;
    for (size_t i = 0; i < s->model_count; i++)
        any |= scene_is_present(s, i) &&
               mmd_model_body_count(s->models[i].model) + soft_count(s->models[i].model) > 0;
    if (!any || frame <= FARTHEST_FRAME || !mmd_stage_physics(s->stage))
        return MMD_OK;
    return mmd_error_set(
        error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
        "frame %.10g: physics can only be simulated for a day of motion, up to frame %.0f; use --physics "
        "off for later frames",
        frame, FARTHEST_FRAME);
}

/* ------------------------------------------------------------- starting physics */

/* Takes settings of the project where no option was given. */
static void take_project(physics_settings *p, const scene_settings *settings)
{
    const mmd_project_settings *project = &settings->project;
    if (!settings->given)
        return;
    if (!p->on_given && !project->physics)
        p->on = false;
    if (!p->gravity_given)
        memcpy(p->options.gravity, project->gravity, sizeof project->gravity);
    if (!p->ground_given)
        p->options.ground = project->physics_ground;
}

/* Takes settings of the first model with a world of its own where no option was given. */
static void take_document(physics_settings *p, const odori_scene *s)
{
    const mmd_physscene *scene = NULL;
    for (size_t i = 0; i < s->model_count && !scene; i++)
        scene = s->models[i].model->physscene;
    if (!scene)
        return;
    const mmd_physics_options given = p->options;
    mmd_physics_options_take(&p->options, &scene->world);
    if (p->rate_given)
        p->options.rate = given.rate;
    if (p->gravity_given)
        memcpy(p->options.gravity, given.gravity, sizeof given.gravity);
    if (p->ground_given)
        p->options.ground = given.ground;
    if (p->lever_given)
        p->options.joint_lever = given.joint_lever;
}

/* Gives copies of a crowd separate worlds, which threads can share. They stand too far apart to touch each
 * other. */
static void take_crowd(physics_settings *p, const odori_scene *s)
{
    bool copies = false;
    for (size_t i = 0; i < s->model_count; i++)
        copies |= s->models[i].is_copy;
    if (copies && !p->world_given)
        p->options.shared_world = false;
}

/* Estimates the number of nodes of a model's soft bodies. Those of a PMX lie where its triangles meet: half
 * as many as there are triangles. */
static uint64_t count_nodes(const mmd_model *m)
{
    uint64_t count = 0;
    for (uint32_t i = 0; m->physscene && i < m->physscene->soft_body_count; i++)
        count += m->physscene->soft_bodies[i].node_count;
    for (uint32_t i = 0; !m->physscene && i < m->soft_body_count; i++) {
        int32_t material = m->soft_bodies[i].material;
        count += material >= 0 && (uint32_t)material < m->material_count
                     ? m->materials[material].index_count / 6
                     : 0;
    }
    return count;
}

/* Tells before a world is built that this takes long. */
static void tell_building(const odori_scene *s)
{
    uint64_t nodes = 0, most = 0;
    size_t largest = 0;
    for (size_t i = 0; i < s->model_count; i++) {
        uint64_t count = scene_is_present(s, i) ? count_nodes(s->models[i].model) : 0;
        largest = count > most ? i : largest;
        most = count > most ? count : most;
        nodes += count;
    }
    if (nodes >= NODES_TOLD)
        mmd_log_message(&s->time_log, MMD_LOG_WARNING,
                        "the physics of %s%s have soft bodies of about %" PRIu64
                        " nodes, which take seconds to prepare; use --physics off to show it at once",
                        name_of(&s->models[largest]), nodes > most ? " and the other models" : "", nodes);
}

mmd_status physics_switch(odori_scene *s, const mmd_physics_options *options, mmd_error *error)
{
    if (options)
        tell_building(s);
    mmd_status status = mmd_stage_set_physics(s->stage, options, error);
    if (status == MMD_OK)
        physics_follow(s);
    return status;
}

void physics_follow(odori_scene *s)
{
    mmd_stage_on_reset_bodies(s->stage, on_reset, s);
    mmd_stage_on_simulating(s->stage, on_simulating, s);
    mmd_stage_on_step(s->stage, on_step, s);
}

mmd_status physics_start(odori_scene *s, const physics_settings *wanted, const mmd_log *log, mmd_error *error)
{
    s->physics = *wanted;
    s->physics_log = s->time_log = *log;
    take_document(&s->physics, s);
    take_project(&s->physics, &s->settings);
    take_crowd(&s->physics, s);
    mmd_stage_set_threads(s->stage, s->physics.options.threads ? s->physics.options.threads - 1 : 0);
    s->physics_now = s->physics.options;
    const mmd_project_settings *project = &s->settings.project;
    bool has_keys = s->settings.given && !s->physics.gravity_given;
    mmd_status status = mmd_stage_set_gravity_keys(s->stage, has_keys ? project->gravity_keys : NULL,
                                                   project->gravity_key_count, error);
    return status != MMD_OK ? status : physics_switch(s, s->physics.on ? &s->physics.options : NULL, error);
}
