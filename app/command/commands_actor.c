/* Commands for bones, morphs and models. */
#include <math.h>
#include <string.h>

#include "command_group.h"
#include "edit/key_edit.h"
#include "mmd/elementary.h"
#include "scene/mirror.h"
#include "mmd/simulation.h"
#include "edit/model_edit.h"
#include "edit/stage_edit.h"
#include "base/parse.h"

#define SCALE_LEAST 1e-3
#define SCALE_MOST  1e3

enum { MODEL_NAME_MOST = 200 }; /* bytes */

/* --- Bones and morphs --- */

/* Edits a bone as one step of undo and evaluates the frame again. */
static bool edit_bone(odori_session *s, uint32_t bone, const float t[3], const float r[4], char *error)
{
    history_begin(&s->history);
    if (!history_bone(&s->history, s->selected, bone, t, r))
        return refuse_with(error, "%s", history_refusal(&s->history));
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* Converts degrees about X, then Y, then Z to a quaternion. As matrices on column vectors this is Rz Ry
 * Rx, the order XYZ of Maya and UFE. */
static void quaternion_from_degrees(const double degrees[3], float q[4])
{
    double sx, cx, sy, cy, sz, cz;
    mmd_sincos(degrees[0] * DEGREE / 2, &sx, &cx);
    mmd_sincos(degrees[1] * DEGREE / 2, &sy, &cy);
    mmd_sincos(degrees[2] * DEGREE / 2, &sz, &cz);
    q[0] = (float)(cz * cy * sx - sz * sy * cx);
    q[1] = (float)(cz * sy * cx + sz * cy * sx);
    q[2] = (float)(sz * cy * cx - cz * sy * sx);
    q[3] = (float)(cz * cy * cx + sz * sy * sx);
}

/* Sets the user's rotation of a bone; its translation stays. */
static bool bone_rotate(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone;
    float t[3], r[4];
    if (!session_find_bone(s, a->word[0], &bone, error))
        return false;
    mmd_pose_get_user(mmd_actor_pose(s->scene->models[s->selected].actor), bone, t, r);
    quaternion_from_degrees(a->number + 1, r);
    return edit_bone(s, bone, t, r, error);
}

/* Sets the user's translation of a bone; its rotation stays. */
static bool bone_translate(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone;
    float t[3], r[4];
    if (!session_find_bone(s, a->word[0], &bone, error))
        return false;
    mmd_pose_get_user(mmd_actor_pose(s->scene->models[s->selected].actor), bone, t, r);
    for (int i = 0; i < 3; i++)
        t[i] = (float)a->number[i + 1];
    return edit_bone(s, bone, t, r, error);
}

/* Sets the user's scale of a bone made from a glTF node. */
static bool bone_scale(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone;
    float scale[3];
    if (!session_find_bone(s, a->word[0], &bone, error))
        return false;
    if (!mmd_pose_can_scale(mmd_actor_pose(s->scene->models[s->selected].actor))) {
        char named[SESSION_NAME_MAX];
        session_item_name(s, (mmd_item){.kind = MMD_ITEM_BONE, .model = (uint32_t)s->selected, .index = bone},
                          named);
        return refuse_with(error, "%s cannot be scaled: bones have no scale; nodes of a glTF do", named);
    }
    for (int k = 0; k < 3; k++) {
        scale[k] = (float)a->number[k + 1];
        if (!(a->number[k + 1] >= SCALE_LEAST && a->number[k + 1] <= SCALE_MOST))
            return refuse_with(error, "%g is not a size from 0.001 to 1000", a->number[k + 1]);
    }
    history_begin(&s->history);
    if (!history_bone_scale(&s->history, s->selected, bone, scale))
        return refuse_with(error, "out of memory");
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* Sets all morphs of the name, as MMD does. */
static bool morph_set(odori_session *s, const command_arguments *a, char *error)
{
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    bool found = false;
    if (key_edit_is_on(s))
        return key_edit_morph(s, a->word[0], &a->number[1], error);
    history_begin(&s->history);
    for (uint32_t i = 0; i < m->model->morph_count; i++) {
        if (strcmp(m->model->morphs[i].name, a->word[0]) != 0)
            continue;
        found = true;
        if (!history_morph(&s->history, s->selected, i, (float)a->number[1]))
            return refuse_with(error, "%s", history_refusal(&s->history));
    }
    session_touch(s);
    session_go(s, s->frame);
    return found || session_refuse_name(s, s->selected, "morph", a->word[0], error);
}

/* Lets the motion control all morphs again. */
static bool morph_reset(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    const float *weights = mmd_actor_morphs_by_hand(m->actor);
    history_begin(&s->history);
    for (uint32_t i = 0; i < m->model->morph_count; i++)
        if (!isnan(weights[i]) && !history_morph(&s->history, s->selected, i, NAN))
            return refuse_with(error, "out of memory");
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* Lets the motion control one morph again. */
static bool morph_free(odori_session *s, const command_arguments *a, char *error)
{
    const scene_model *m = session_selected_model(s, error);
    if (!m)
        return false;
    bool found = false;
    const float *weights = mmd_actor_morphs_by_hand(m->actor);
    history_begin(&s->history);
    for (uint32_t i = 0; i < m->model->morph_count; i++) {
        if (strcmp(m->model->morphs[i].name, a->word[0]) != 0)
            continue;
        found = true;
        if (!isnan(weights[i]) && !history_morph(&s->history, s->selected, i, NAN))
            return refuse_with(error, "out of memory");
    }
    session_touch(s);
    session_go(s, s->frame);
    return found || session_refuse_name(s, s->selected, "morph", a->word[0], error);
}

/* Starts or ends joining: while it is on, all edits form one step of undo, which the first of them begins. */
static bool edit_join(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->history.joins = false;
    history_begin(&s->history);
    s->history.joins = a->on[0];
    return true;
}

static bool model_select(odori_session *s, const command_arguments *a, char *error)
{
    size_t model;
    if (!session_model_numbered(s, a->number[0], &model, error))
        return false;
    s->selected = model;
    s->has_chosen = !s->is_replayed; /* lines of pictures select each model in turn */
    return true;
}

/* --- The list of models --- */

/* Returns whether the default camera is shown, and not one of a motion or by hand. */
static bool shows_default_camera(const odori_session *s)
{
    return !s->camera_by_user && !session_camera_motion(s);
}

/* Follows a change of the list of models. Where that moves the default camera, it is recorded for pictures,
 * which have set the camera that was made when the files were opened. */
static void models_changed(odori_session *s, model_edit_seen *before)
{
    const mmd_camera *c = mmd_stage_default_camera(s->scene->stage);
    bool has_changed = s->scene->is_reframed;
    s->scene->is_reframed = false;
    model_edit_follow(s, before);
    if (!has_changed || !s->record || !shows_default_camera(s))
        return;
    mmd_write_format(s->record, "camera.set %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", (double)c->distance,
                     (double)c->position[0], (double)c->position[1], (double)c->position[2],
                     (double)c->rotation[0], (double)c->rotation[1], (double)c->rotation[2], (double)c->fov);
}

static bool model_remove(odori_session *s, const command_arguments *a, char *error)
{
    size_t model;
    if (!session_find_model(s, a->word[0], &model, error))
        return false;
    model_edit_seen seen = model_edit_look(s);
    selection_cancel_drag(s);
    history_begin(&s->history);
    bool removed = model_edit_remove(s, model) || refuse_with(error, "out of memory");
    models_changed(s, &seen);
    session_go(s, s->frame);
    return removed;
}

/* Returns whether a text can be the name of a model: not empty, and without control characters. */
static bool is_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            return false;
    return *name != '\0' && strlen(name) <= MODEL_NAME_MOST;
}

static bool model_rename(odori_session *s, const command_arguments *a, char *error)
{
    size_t model;
    if (!session_find_model(s, a->word[0], &model, error))
        return false;
    if (!is_name(a->word[1]))
        return refuse_with(error, "a name has 1 to %d bytes and no control characters", MODEL_NAME_MOST);
    history_begin(&s->history);
    if (!model_edit_rename(s, model, a->word[1]))
        return refuse_with(error, "out of memory");
    s->changed = true;
    return true;
}

/* --- Placement and drawing of the selected model --- */

/* Copies the staging of the selected model. Returns false if there is no model. */
static bool get_staging(const odori_session *s, mmd_staging *staging, char *error)
{
    if (!session_selected_model(s, error))
        return false;
    *staging = *mmd_stage_staging(s->scene->stage, s->selected);
    return true;
}

/* Sets values (MMD_STAGED_...) of the staging of the selected model. Other values of a project's accessory
 * keep their keyframes. This is not a step of undo. */
static bool set_staged(odori_session *s, uint32_t what, const mmd_staging *staging)
{
    mmd_stage_set_staged(s->scene->stage, s->selected, what, staging);
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* Places the selected model as a step of undo. */
static bool model_place(odori_session *s, const command_arguments *a, char *error)
{
    if (!session_selected_model(s, error))
        return false;
    for (int i = 0; i < 7; i++)
        if (fabs(a->number[i]) > STAGING_FAR)
            return refuse_with(error, "%g is out of range: the limit is a million", a->number[i]);
    stage_edit_place_model(s, s->selected, a->number);
    return true;
}

/* Attaches the selected model to a bone of another model, or detaches it where the bone is "". */
static bool model_attach(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    size_t holder = 0;
    if (!get_staging(s, &staging, error) || !session_model_numbered(s, a->number[0], &holder, error))
        return false;
    if (holder == s->selected) {
        char named[SESSION_NAME_MAX];
        session_model_name(s, holder, named);
        return refuse_with(error, "%s cannot be attached to its own bone", named);
    }
    const scene_model *m = &s->scene->models[holder];
    staging.parent = a->word[1][0] ? m->actor : NULL;
    staging.parent_bone = a->word[1][0] ? mmd_model_find_bone(m->model, a->word[1]) : -1;
    if (staging.parent && staging.parent_bone < 0)
        return session_refuse_name(s, holder, "bone", a->word[1], error);
    return set_staged(s, MMD_STAGED_PARENT, &staging);
}

static bool model_opacity(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    if (a->number[0] < 0 || a->number[0] > 1)
        return refuse_with(error, "an opacity of %g is not between 0 and 1", a->number[0]);
    if (!get_staging(s, &staging, error))
        return false;
    staging.opacity = (float)a->number[0];
    return set_staged(s, MMD_STAGED_OPACITY, &staging);
}

/* Shows or hides the selected model, or another one. Keyframes of a project's accessory stay. */
static bool model_visible(odori_session *s, const command_arguments *a, char *error)
{
    size_t model = s->selected;
    if (a->count > 1 ? !session_find_model(s, a->word[1], &model, error) : !session_selected_model(s, error))
        return false;
    mmd_stage_set_visible(s->scene->stage, model, a->on[0]);
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

static bool model_additive(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    if (!get_staging(s, &staging, error))
        return false;
    staging.additive = a->on[0];
    return set_staged(s, MMD_STAGED_ADDITIVE, &staging);
}

/* Switches self shadow and ground shadow together. */
static bool model_shadow(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    if (!get_staging(s, &staging, error))
        return false;
    staging.self_shadow = staging.ground_shadow = a->on[0];
    return set_staged(s, MMD_STAGED_SHADOWS, &staging);
}

static bool model_order(odori_session *s, const command_arguments *a, char *error)
{
    mmd_staging staging;
    if (a->number[0] != floor(a->number[0]) || fabs(a->number[0]) > STAGING_FAR)
        return refuse_with(error, "%g is not a whole number between -1000000 and 1000000", a->number[0]);
    if (!get_staging(s, &staging, error))
        return false;
    staging.draw_order = (int32_t)a->number[0];
    return set_staged(s, MMD_STAGED_ORDER, &staging);
}

/* --- Bones attached to other models (外部親), and delayed models --- */

/* Finds the bone that is attached; "" means the whole model (MMD_WHOLE_ACTOR). */
static bool find_attached(const odori_session *s, const char *name, int32_t *bone, char *error)
{
    uint32_t found = 0;
    if (!session_selected_model(s, error) || (*name && !session_find_bone(s, name, &found, error)))
        return false;
    *bone = *name ? (int32_t)found : MMD_WHOLE_ACTOR;
    return true;
}

/* Reads the parent model and its bone from the arguments; "none" gives a bone of -1. */
static bool find_parent(const odori_session *s, const command_arguments *a, history_parent *parent,
                        char *error)
{
    double number;
    *parent = (history_parent){0, -1};
    if (a->count == 2 && strcmp(a->word[1], "none") == 0)
        return true;
    if (a->count != 3 || !parse_real(a->word[1], &number))
        return refuse_with(
            error,
            "model.parent takes `none`, or the number of a model and the name of its bone, not \"%.40s\"",
            a->word[1]);
    if (!session_model_numbered(s, number, &parent->model, error))
        return false;
    parent->bone = mmd_model_find_bone(s->scene->models[parent->model].model, a->word[2]);
    return parent->bone >= 0 || session_refuse_name(s, parent->model, "bone", a->word[2], error);
}

/* Sets the outside parent of a bone, or of the whole model, as a step of undo. */
static bool model_parent(odori_session *s, const command_arguments *a, char *error)
{
    int32_t bone;
    history_parent parent;
    if (!find_attached(s, a->word[0], &bone, error) || !find_parent(s, a, &parent, error))
        return false;
    history_begin(&s->history);
    if (!history_attach(&s->history, s->selected, bone, &parent))
        return refuse_with(error, "%s", history_refusal(&s->history));
    session_touch(s);
    session_go(s, s->frame);
    return true;
}

/* Delays the motions of the selected model. Physics restarts, because all its states change. */
static bool model_delay(odori_session *s, const command_arguments *a, char *error)
{
    if (fabs(a->number[0]) > STAGING_FAR)
        return refuse_with(error, "a delay of %g frames is out of range: the limit is a million",
                           a->number[0]);
    if (!session_selected_model(s, error))
        return false;
    mmd_actor_set_delay(s->scene->models[s->selected].actor, a->number[0]);
    session_restart(s);
    session_go(s, s->frame);
    return true;
}

/* Undoes or redoes a step. */
static void step(odori_session *s, bool (*moves)(odori_history *h))
{
    model_edit_seen seen = model_edit_look(s);
    bool done = moves(&s->history);
    if (done) {
        mirror_again(s->scene); /* mirrored motions are made again from the changed keyframes */
        session_touch(s);
    }
    models_changed(s, &seen);
    if (done)
        session_go(s, s->frame);
}

/* Undoes one step. An empty history is no error, because a key may be pressed at any time. */
static bool undo(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    selection_cancel_drag(s); /* an unfinished drag is not a step yet */
    step(s, history_undo);
    return true;
}

/* Redoes one step. Nothing to redo is no error. */
static bool redo(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    selection_cancel_drag(s);
    step(s, history_redo);
    return true;
}

static const command commands[] = {
    {"bone.rotate", "wrrr", "NAME X Y Z",
     "rotates a bone: degrees about X, then Y, then Z; replaces the last rotation", bone_rotate,
     .replay = REPLAY_RUNS},
    {"bone.translate", "wrrr", "NAME X Y Z", "moves a bone: units; replaces the last move", bone_translate,
     .replay = REPLAY_RUNS},
    {"bone.scale", "wrrr", "NAME X Y Z",
     "scales a node of a glTF along its own axes; other bones have no scale", bone_scale,
     .replay = REPLAY_RUNS},
    {"morph.set", "wr", "NAME WEIGHT", "sets the weight of a morph, whatever the motion says", morph_set,
     .replay = REPLAY_RUNS},
    {"morph.reset", "", "", "lets the motion control all morphs again", morph_reset, .replay = REPLAY_RUNS},
    {"morph.free", "w", "NAME", "lets the motion control this morph again", morph_free,
     .replay = REPLAY_RUNS},
    {"model.select", "r", "NUMBER",
     "selects the model that bone, morph and model commands act on; the first is 0", model_select,
     .replay = REPLAY_RUNS},
    {"model.remove", "w", "NUMBER|NAME", "takes a model off the stage; the others keep their numbers",
     model_remove, .replay = REPLAY_RUNS},
    {"model.rename", "ww", "NUMBER|NAME NEW", "shows a model under another name; its file stays as it is",
     model_rename, .replay = REPLAY_RUNS},
    {"model.place", "rrrrrrr", "X Y Z RX RY RZ SCALE", "position in units, rotation in degrees, scale factor",
     model_place, .replay = REPLAY_RUNS},
    {"model.attach", "rw", "MODEL BONE", "attaches it to a bone of another model; \"\": detaches it",
     model_attach, .replay = REPLAY_RUNS},
    {"model.opacity", "r", "ALPHA", "opacity, 0 to 1", model_opacity, .replay = REPLAY_RUNS},
    {"model.visible", "s?w", "on|off [NUMBER|NAME]",
     "draws the model, or another one, and its shadows, or hides it", model_visible, .replay = REPLAY_RUNS},
    {"model.order", "r", "N",
     "draw order, lower first: the stage -2, the first accessory -1, models 0, other accessories 1",
     model_order, .replay = REPLAY_RUNS},
    {"model.additive", "s", "on|off", "adds its colours to what is behind it", model_additive,
     .replay = REPLAY_RUNS},
    {"model.shadow", "s", "on|off", "casts and receives shadows", model_shadow, .replay = REPLAY_RUNS},
    {"model.parent", "ww?w", "BONE MODEL PARENT-BONE | BONE none",
     "attaches a bone to a bone of another model (外部親); \"\": the whole model", model_parent,
     .replay = REPLAY_RUNS},
    {"model.delay", "r", "FRAMES", "starts its motions so many frames later, or earlier where negative",
     model_delay, .replay = REPLAY_RUNS},
    {"undo", "", "", "undoes the last edit", undo, .replay = REPLAY_RUNS},
    {"redo", "", "", "redoes the edit that was undone last", redo, .replay = REPLAY_RUNS},
    {"edit.join", "s", "on|off", "joins the edits that follow into one step of undo, as a drag does",
     edit_join, .replay = REPLAY_RUNS},
};

const command_group commands_of_actor = {commands, sizeof commands / sizeof *commands};
