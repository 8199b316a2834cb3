#include "stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "command/commands.h"
#include "draw.h"
#include "mmd/memory.h"
#include "scene/crowd.h"
#include "scene/framing.h"
#include "simulation_key.h"

/* --- Opening --- */

/* Loads the files, and adds the bundled dancer if no file is a model and none is required. */
static mmd_status load(recipe_stage *s, const recipe_opening *how, const scene_lender *lender,
                       mmd_error *error)
{
    const scene_options *wanted = &s->recipe.scene;
    mmd_status status = scene_load(&s->scene, wanted, lender, how->log, error);
    if (status != MMD_OK)
        return status;
    switch (how->needs) {
    case NEEDS_MODEL:
        return scene_check_model(&s->scene, wanted, how->subcommand, error);
    case NEEDS_ONE_MODEL:
        return scene_check_single(&s->scene, wanted, how->subcommand, error);
    case NEEDS_NOTHING:
        break;
    }
    if (lender || scene_has_model(&s->scene))
        return MMD_OK;
    return scene_load_dancer(&s->scene, wanted, &s->dancer, how->log, error);
}

/* Chooses the sound: from the options, otherwise the bundled dancer's, otherwise the scene's, otherwise the
 * only one in an archive or folder that was given. */
static mmd_status choose_sound(recipe_stage *s, const mmd_log *log, mmd_error *error)
{
    char beside[MMD_FILE_PATH_MAX];
    const char *own =
        *s->dancer.music ? s->dancer.music : audio_of_files(&s->recipe.scene, &s->scene, beside);
    return audio_choose(&s->recipe.sound, own, s->sound, log, error);
}

void stage_look_pale(const recipe *r, mmd_view_options *view)
{
    static const float pale[4] = {0.88f, 0.91f, 0.96f, 1};
    if (!r->view.background)
        memcpy(view->background, pale, sizeof view->background);
    /* A stage model receives self shadow. A ground shadow on it would draw the same shadow twice. */
    if (!r->view.ground_shadow && !(r->scene.stage.given && view->self_shadow))
        view->ground_shadow = true;
}

/* Returns the view options: from the command line, otherwise from a project. If the bundled dancer was added,
 * the background is pale so that her white clothes stand out. */
static mmd_view_options view_of(const recipe_stage *s)
{
    mmd_view_options view = view_options_seen(&s->recipe.view, &s->scene);
    if (*s->dancer.model)
        stage_look_pale(&s->recipe, &view);
    return view;
}

static void start_session(recipe_stage *s, const recipe_opening *how)
{
    const scene_settings *settings = &s->scene.settings;
    s->size = s->recipe.size;
    if (settings->given && !s->recipe.has_size)
        s->size = (picture_size){settings->project.width, settings->project.height};
    double aspect = how->for_window ? HOME_ASPECT : (double)s->size.width / s->size.height;
    mmd_view_options seen = view_of(s);
    frame_scene(&s->scene, aspect, how->for_window, how->mmd_camera, &s->recipe.view, &seen);
    session_init(&s->session, &s->scene, &seen);
    s->session.aspect = how->for_window ? 0 : aspect;
    s->has_session = true;
}

mmd_status recipe_open(recipe_stage *s, const recipe *r, const recipe_opening *how, mmd_error *error)
{
    *s = (recipe_stage){.recipe = *r};
    mmd_status status = load(s, how, NULL, error);
    s->scene.texture_memory = s->recipe.view.texture_memory;
    if (status == MMD_OK)
        status = physics_start(&s->scene, &s->recipe.physics, how->log, error);
    if (status == MMD_OK && how->with_sound)
        status = choose_sound(s, how->log, error);
    if (status == MMD_OK)
        start_session(s, how);
    return status;
}

/* Keeps a warning. Warnings about files of the store can be recomputed, but these cannot. */
static void keep_sentence(const mmd_log *log, mmd_buffer *kept, mmd_log_level level, const char *text)
{
    mmd_log_message(log, level, "%s", text);
    mmd_write_bytes(kept, text, strlen(text) + 1);
}

static void keep_attachment(void *user, mmd_log_level level, const char *text)
{
    recipe_stage *s = user;
    keep_sentence(&s->store->log, &s->attachments, level, text);
}

static void keep_reset(void *user, mmd_log_level level, const char *text)
{
    recipe_stage *s = user;
    keep_sentence(&s->store->log, &s->resets, level, text);
}

/*
 * Connects each model of the scene with its hashes: those of the store, or new ones for models of projects.
 */
static bool know_models(recipe_stage *s)
{
    s->models = mmd_alloc((s->scene.model_count + 1) * sizeof *s->models);
    for (size_t i = 0; s->models && i <= s->scene.model_count; i++)
        s->models[i] = NULL;
    for (size_t i = 0; s->models && i < s->scene.model_count; i++) {
        const scene_model *from = &s->scene.models[i];
        stored_model *m = s->models[i] = store_find_model(s->store, from->model);
        if (m)
            continue;
        m = s->models[i] = mmd_arena_alloc(&s->arena, 1, sizeof *m);
        if (!m)
            return false;
        *m = (stored_model){.key = {.path = (char *)(uintptr_t)from->path},
                            .model = from->model,
                            .location = from->textures,
                            .vac = from->vac,
                            .file = file_digest(from->path),
                            .is_of_project = true};
        if (!stored_model_hash(m))
            return false;
    }
    return s->models != NULL;
}

/* Goes on from what an earlier scene of equal contents simulated. */
static void take_simulation(recipe_stage *s)
{
    mmd_buffer key = {0};
    if (simulation_key_write(s, &key))
        s->simulation = store_lend_simulation(s->store, (const char *)key.data);
    mmd_buffer_finish(&key);
    if (!s->simulation)
        return;
    mmd_stage_set_frame(s->scene.stage, 0);
    s->session.simulated_to = mmd_stage_take_simulated(s->scene.stage, s->simulation->states);
}

mmd_status recipe_open_from_store(recipe_stage *s, const recipe *r, recipe_store *store, mmd_error *error)
{
    *s = (recipe_stage){.recipe = *r, .store = store};
    const scene_lender lender = store_begin(store);
    const mmd_log log = {keep_attachment, s, MMD_LOG_WARNING}, resets = {keep_reset, s, MMD_LOG_WARNING};
    const recipe_opening how = {.log = &log};
    recipe_apply(&s->recipe, &r->settings);
    s->recipe.physics.options.threads = 0;
    s->recipe.physics.options.run_ahead = false;
    mmd_status status = load(s, &how, &lender, error);
    s->scene.texture_memory = s->recipe.view.texture_memory;
    if (status == MMD_OK && !know_models(s))
        status = mmd_error_memory(error);
    if (status == MMD_OK)
        status = physics_start(&s->scene, &s->recipe.physics, &resets, error);
    s->scene.time_log = store->log; /* results must not depend on the machine */
    if (status != MMD_OK)
        return status;
    start_session(s, &how);
    take_simulation(s);
    return recipe_begin(s, recipe_start_frame(s), error);
}

void recipe_close(recipe_stage *s)
{
    if (s->simulation) {
        mmd_stage_return_simulated(s->scene.stage, s->simulation->states);
        s->simulation->is_lent = false;
    }
    if (s->has_session)
        session_finish(&s->session);
    for (size_t i = 0; s->models && i < s->scene.model_count; i++) {
        stored_model *m = s->models[i];
        if (!m || !m->is_of_project)
            continue;
        if (m->in_view)
            mmd_view_remove_model(s->store->view, m->model);
        texture_digests_finish(&m->textures);
    }
    scene_finish(&s->scene);
    mmd_buffer_finish(&s->attachments);
    mmd_buffer_finish(&s->resets);
    mmd_arena_finish(&s->arena);
    mmd_free(s->models);
    *s = (recipe_stage){0};
}

/* --- Beginning --- */

double recipe_start_frame(const recipe_stage *s)
{
    if (!isnan(s->recipe.start))
        return s->recipe.start;
    return s->recipe.frame_count ? s->recipe.frames[0] : s->scene.settings.project.frame;
}

/* Runs command lines. lead: how many of them nobody wrote. is_still: physics does not depend on them. */
static mmd_status run_lines(odori_session *session, const char *lines, unsigned lead, bool is_still,
                            mmd_error *error)
{
    char refused[REFUSAL_MAX], section[32];
    const char *line = lines;
    for (unsigned number = 1; *line; number++) {
        size_t length = strcspn(line, "\n");
        if (!command_run(session, line, length, refused)) {
            snprintf(section, sizeof section, "exec, line %u", number > lead ? number - lead : number);
            return mmd_error_set(error, MMD_ERROR_VALUE, section, MMD_NO_OFFSET, "%s", refused);
        }
        line += length + (line[length] == '\n');
    }
    if (!*lines || is_still || commands_apply_from_start(session, refused))
        return MMD_OK;
    return mmd_error_set(error, MMD_ERROR_MEMORY, "exec", MMD_NO_OFFSET, "%s", refused);
}

/* Warns of the commands that were left out. */
static void tell_left_out(recipe_stage *s)
{
    const char *names = s->session.left_out;
    char sentence[1024];
    snprintf(sentence, sizeof sentence,
             "%.300s%scommands that do not change what is shown were left out: %.*s",
             s->recipe.picture ? s->recipe.picture : "", s->recipe.picture ? ": " : "",
             (int)strlen(names) - 2, names);
    if (s->store)
        keep_sentence(&s->store->log, &s->attachments, MMD_LOG_WARNING, sentence);
    else
        message("%s", sentence);
}

mmd_status recipe_begin(recipe_stage *s, double frame, mmd_error *error)
{
    mmd_status status = physics_check_frame(&s->scene, frame, error);
    for (size_t i = 0; status == MMD_OK && i < s->recipe.frame_count; i++)
        status = physics_check_frame(&s->scene, s->recipe.frames[i], error);
    if (status != MMD_OK && error && (s->store || s->recipe.picture))
        error->code = MMD_ERROR_VALUE; /* a file asks for it, not an option */
    if (status != MMD_OK)
        return status;
    session_go(&s->session, frame);
    view_options_apply(&s->recipe.view, s->scene.stage);
    session_go(&s->session, s->session.frame);
    s->session.is_replayed = true;
    status = run_lines(&s->session, s->recipe.exec, s->recipe.exec_lead, s->simulation != NULL, error);
    s->session.is_replayed = false;
    if (status != MMD_OK && s->recipe.picture)
        mmd_error_set_file(error, s->recipe.picture);
    if (*s->session.left_out)
        tell_left_out(s);
    return status;
}

mmd_status recipe_begin_playing(recipe_stage *s, mmd_error *error)
{
    s->session.playing = true;
    mmd_status status = recipe_begin(s, recipe_start_frame(s), error);
    if (status == MMD_OK && s->recipe.picture) {
        session_go(&s->session, s->recipe.frames[0]);
        s->session.playing = false;
    }
    return status;
}

mmd_status recipe_show(recipe_stage *s, mmd_error *error)
{
    mmd_error why = {0};
    bool shown = screen_add_models(s->store->view, &s->scene, false, NULL, &s->textures, &why);
    for (size_t i = 0; i < s->scene.model_count; i++)
        s->models[i]->in_view = true; /* removing one that was not added does nothing */
    if (!shown && error)
        *error = why;
    return shown ? MMD_OK : why.code;
}

/* --- Warnings --- */

enum { TEXTURES_TOLD = 20 }; /* of a model, by name */

typedef struct warner {
    const recipe_stage *stage;
    recipe_tell *tell;
    void *user;
} warner;

static void warn(const warner *w, const char *what, const char *name, const char *why)
{
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%s %.480s%s", what, name, why);
    w->tell(w->user, sentence);
}

static void warn_of_texture(const warner *w, const stored_model *m, const char *name, const char *model)
{
    char path[MMD_PATH_MAX], why[512];
    mmd_error error = {0};
    mmd_status status = mmd_textures_find(&m->location, name, path, &error);
    snprintf(why, sizeof why, " of %.200s is %s", model,
             status == MMD_ERROR_REFUSED ? error.message
             : status == MMD_OK          ? "not a picture, or too large to decode"
                                         : "missing or not a picture");
    warn(w, "texture", name, why);
}

static void warn_of_rest(const warner *w, size_t count, const char *model)
{
    char why[512];
    snprintf(why, sizeof why, "%zu further textures of %.400s are missing or not pictures, or too large",
             count, model);
    w->tell(w->user, why);
}

/* Reports missing textures: the first ones and how many more there are. Without a view, PNG and JPEG files
 * are not decoded to see whether they are damaged. */
static void warn_of_textures(const warner *w, const mmd_view *view)
{
    const odori_scene *scene = &w->stage->scene;
    for (size_t i = 0; i < scene->model_count; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || (w->stage->models[k] == w->stage->models[i] && scene_is_present(scene, k));
        if (again || !scene_is_present(scene, i))
            continue;
        const stored_model *m = w->stage->models[i];
        const char *given = m->is_of_project ? scene->models[i].path : scene->models[i].given;
        const char *const *names = NULL;
        bool is_drawn = view && m->in_view;
        size_t missing = is_drawn ? mmd_view_missing_textures(view, m->model, &names) : 0;
        for (size_t k = 0; k < missing && k < TEXTURES_TOLD; k++)
            warn_of_texture(w, m, names[k], given);
        for (size_t k = 0; !is_drawn && k < m->textures.count; k++)
            if (!*m->textures.items[k].text && missing++ < TEXTURES_TOLD)
                warn_of_texture(w, m, m->model->textures[k], given);
        if (missing > TEXTURES_TOLD)
            warn_of_rest(w, missing - TEXTURES_TOLD, given);
    }
}

static bool moves_model(const mmd_motion *motion, const mmd_model *model)
{
    for (uint32_t i = 0; i < model->bone_count; i++)
        if (model->bone_key[i][0] && mmd_motion_find_bone(motion, model->bone_key[i]))
            return true;
    for (uint32_t i = 0; i < model->morph_count; i++)
        if (model->morph_key[i][0] && mmd_motion_find_morph(motion, model->morph_key[i]))
            return true;
    return motion->property_key_count > 0;
}

/* Tests whether a motion has any effect on the scene. Camera and light always have. */
static bool fits(const odori_scene *scene, const scene_motion *m)
{
    bool found = mmd_motion_is_for_stage(m->motion);
    for (size_t i = 0; i < scene->model_count && !found; i++)
        found = scene_is_present(scene, i) && scene_moves(scene, m, i) &&
                moves_model(m->motion, scene->models[i].model);
    return found;
}

static void warn_of_misfit(const warner *w, const char *what, const scene_motion *m)
{
    char why[512] = " has no effect: no model has a bone or morph with one of its names";
    if (m->target >= 0)
        snprintf(why, sizeof why, " has no effect: %.300s has no bone or morph with one of its names",
                 w->stage->scene.models[m->target].given);
    warn(w, what, m->given, why);
}

static void warn_of_motions(const warner *w)
{
    const odori_scene *scene = &w->stage->scene;
    for (size_t i = 0, number = 0; i < scene->motion_count; i++) {
        const scene_motion *m = &scene->motions[i];
        if (m->is_of_project)
            continue;
        bool is_pose = number++ >= w->stage->recipe.scene.motions.count;
        const char *what = m->is_camera ? "camera" : is_pose ? "pose" : "motion";
        if (m->motion->cut)
            warn(w, what, m->given, " is truncated; its complete keyframes are used");
        if (m->is_camera && !mmd_motion_is_for_stage(m->motion))
            warn(w, what, m->given, " has no camera, light or self shadow keyframes");
        if (!m->is_camera && !fits(scene, m))
            warn_of_misfit(w, what, m);
    }
}

static void tell_kept(const mmd_buffer *kept, recipe_tell *tell, void *user)
{
    if (!kept->data || kept->failed)
        return;
    for (size_t at = 0; at < kept->size; at += strlen((const char *)kept->data + at) + 1)
        tell(user, (const char *)kept->data + at);
}

void recipe_tell_warnings(const recipe_stage *s, const mmd_view *view, recipe_tell *tell, void *user)
{
    const warner w = {s, tell, user};
    char sentence[512];
    warn_of_textures(&w, view);
    if (view && screen_tell_textures(&s->textures, sentence, sizeof sentence))
        tell(user, sentence);
    tell_kept(&s->attachments, tell, user);
    warn_of_motions(&w);
}

void recipe_tell_resets(const recipe_stage *s, recipe_tell *tell, void *user)
{
    tell_kept(&s->resets, tell, user);
}
