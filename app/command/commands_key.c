/* Commands for keys of motions: writing them instead of poses, registering, taking away, saving. */
#include <math.h>

#include "commands_internal.h"
#include "edit/key_edit.h"
#include "scene/keyed.h"
#include "mmd/format.h"
#include "base/output.h"
#include "base/message.h"
#include "edit/pose_file.h"
#include "edit/selection.h"

static mmd_edit *edit_of(odori_session *s, char *error)
{
    mmd_edit *edit = selection_edit(s);
    if (!edit)
        refuse_with(error, "out of memory");
    return edit;
}

static bool key_mode(odori_session *s, const command_arguments *a, char *error)
{
    mmd_edit *edit = edit_of(s, error);
    if (!edit)
        return false;
    keyed_begin(edit, a->on[0]);
    s->changed = true;
    return true;
}

static bool is_any_selected(const odori_session *s)
{
    for (size_t i = 0; i < s->selection.count; i++)
        if (key_edit_has_keys(s->selection.items[i]))
            return true;
    return false;
}

static bool key_set(odori_session *s, const command_arguments *a, char *error)
{
    const key_edit edit = {.kind = KEY_EDIT_SET, .from = s->frame};
    if (a->count == 0 && !is_any_selected(s))
        return key_edit_bones(s, error);
    return key_edit_do(s, &edit, a->count ? a->word[0] : NULL, error);
}

static bool key_remove(odori_session *s, const command_arguments *a, char *error)
{
    const key_edit edit = {.kind = KEY_EDIT_REMOVE, .from = s->frame};
    return key_edit_do(s, &edit, a->count ? a->word[0] : NULL, error);
}

static bool key_delete(odori_session *s, const command_arguments *a, char *error)
{
    const key_edit edit = {.kind = KEY_EDIT_REMOVE, .from = a->number[0]};
    return key_edit_do(s, &edit, a->count > 1 ? a->word[1] : NULL, error);
}

static bool key_move(odori_session *s, const command_arguments *a, char *error)
{
    const key_edit edit = {.kind = KEY_EDIT_MOVE, .from = a->number[0], .to = a->number[1]};
    return key_edit_do(s, &edit, a->count > 2 ? a->word[2] : NULL, error);
}

static bool key_copy(odori_session *s, const command_arguments *a, char *error)
{
    const key_edit edit = {.kind = KEY_EDIT_COPY, .from = a->number[0], .to = a->number[1]};
    return key_edit_do(s, &edit, a->count > 2 ? a->word[2] : NULL, error);
}

static bool key_curve(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const channels[] = {"x", "y", "z", "rotation", "distance", "angle", "all"};
    enum { COUNT = sizeof channels / sizeof *channels };
    size_t channel = token_find(channels, COUNT, a->word[1]);
    if (channel == COUNT)
        return refuse_with(error, "\"%.40s\" is not x, y, z, rotation, distance, angle or all",
                              a->word[1]);
    for (int i = 2; i < 6; i++)
        if (!(a->number[i] >= 0 && a->number[i] <= 127) || a->number[i] != floor(a->number[i]))
            return refuse_with(error, "%g is not a whole number from 0 to 127", a->number[i]);
    const key_edit edit = {.kind = KEY_EDIT_CURVE,
                           .from = a->number[0],
                           .channel = channels[channel],
                           .curve = {(uint8_t)a->number[2], (uint8_t)a->number[3], (uint8_t)a->number[4],
                                     (uint8_t)a->number[5]}};
    return key_edit_do(s, &edit, a->count > 6 ? a->word[6] : NULL, error);
}

static bool key_morph(odori_session *s, const command_arguments *a, char *error)
{
    return key_edit_morph(s, a->word[0], a->count > 1 ? &a->number[1] : NULL, error);
}

static bool key_morph_remove(odori_session *s, const command_arguments *a, char *error)
{
    return key_edit_remove_morph(s, a->word[0], error);
}

/* --- Switches and self shadow --- */

/* bone -1: whether the model is seen. */
typedef struct switch_wish {
    uint32_t model;
    int32_t bone;
    bool on;
} switch_wish;

static mmd_command *make_switch(mmd_edit *edit, const void *wish)
{
    const switch_wish *w = wish;
    return mmd_edit_switch_key_command(edit, w->model, w->bone, w->on);
}

static bool set_switch(odori_session *s, int32_t bone, bool on, char *error)
{
    const switch_wish wish = {.model = (uint32_t)s->selected, .bone = bone, .on = on};
    const mmd_item item = {.kind = MMD_ITEM_SWITCHES, .model = wish.model};
    return key_edit_make(s, item, make_switch, &wish, error);
}

static bool key_show(odori_session *s, const command_arguments *a, char *error)
{
    return session_selected_model(s, error) && set_switch(s, -1, a->on[0], error);
}

static bool key_ik(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone = 0;
    return session_find_bone(s, a->word[0], &bone, error) && set_switch(s, (int32_t)bone, a->on[1], error);
}

static mmd_command *make_shadow(mmd_edit *edit, const void *wish)
{
    return mmd_edit_shadow_key_command(edit, wish);
}

/* A distance that is not said stays. */
static bool key_shadow(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const modes[] = {"0", "1", "2"};
    mmd_self_shadow shadow = *mmd_stage_self_shadow(s->scene->stage);
    size_t mode = token_find(modes, 3, a->word[0]);
    if (mode == 3)
        return refuse_with(error, "\"%.40s\" is not 0 (off), 1 or 2", a->word[0]);
    if (a->count > 1 && !(a->number[1] >= 0 && a->number[1] <= 9999))
        return refuse_with(error, "a distance of %g is not from 0 to 9999", a->number[1]);
    shadow.mode = (uint8_t)mode;
    if (a->count > 1)
        shadow.distance = (float)((10000 - a->number[1]) / 100000);
    return key_edit_make(s, (mmd_item){.kind = MMD_ITEM_SHADOW}, make_shadow, &shadow, error);
}

/* --- Files --- */

static bool save(const char *path, mmd_status status, const mmd_buffer *out, const mmd_error *why,
                 char *error)
{
    char sentence[512];
    if (status != MMD_OK)
        return refuse_with(error, "%.250s", mmd_error_sentence(why, sentence, sizeof sentence));
    return output_write(path, out->data, out->size) ||
           refuse_with(error, "%.200s cannot be written", path);
}

/* Each of the model's motions is safe in the file that all of them made. */
static void note_saved(odori_session *s)
{
    const mmd_motion *motion;
    for (size_t i = 0; (motion = keyed_played(s->scene, s->selected, i)) != NULL; i++) {
        mmd_buffer own = {0};
        if (mmd_vmd_write(motion, &own, NULL) == MMD_OK)
            session_note_saved(s, &own);
        mmd_buffer_finish(&own);
    }
}

static bool motion_save(odori_session *s, const command_arguments *a, char *error)
{
    mmd_buffer out = {0};
    mmd_error why = {0};
    if (!session_selected_model(s, error))
        return false;
    if (!keyed_played(s->scene, s->selected, 0))
        return refuse_with(error, "no motion moves the model, and none of its bones was keyed");
    uint32_t scaled = pose_file_lost_scales(s->scene->models[s->selected].actor);
    if (scaled)
        panel_log_tell(s->messages, "%s: a motion holds no scale; bones that have one: %u", a->word[0],
                       scaled);
    mmd_status status = keyed_write(s->scene, s->selected, &out, &why);
    bool done = save(a->word[0], status, &out, &why, error);
    if (done)
        note_saved(s);
    mmd_buffer_finish(&out);
    return done;
}

static bool camera_save(odori_session *s, const command_arguments *a, char *error)
{
    mmd_buffer out = {0};
    mmd_error why = {0};
    bool any;
    mmd_status status = keyed_scene_write(s->scene, &out, &any, &why);
    bool done = any ? save(a->word[0], status, &out, &why, error)
                    : refuse_with(error, "there are no keys of camera, light or shadow");
    if (done)
        session_note_saved(s, &out);
    mmd_buffer_finish(&out);
    return done;
}

static const command commands[] = {
    {"key.mode", "s", "on|off",
     "edits of bones, morphs, camera and light write keys of motions at this frame, not the pose or the view",
     key_mode},
    {"key.set", "?w", "[PATH]",
     "keys at this frame of what is selected (bones, morphs, camera, light, /shadow, /models/NAME/switches), "
     "or of all bones that were edited",
     key_set},
    {"key.remove", "?w", "[PATH]", "takes the keys of what is selected at this frame away", key_remove},
    {"key.delete", "r?w", "FRAME [PATH]", "the same at another one", key_delete},
    {"key.move", "rr?w", "FROM TO [PATH]",
     "takes the keys of what is selected to another frame; PATH: of this item alone", key_move},
    {"key.copy", "rr?w", "FROM TO [PATH]", "copies them there", key_copy},
    {"key.curve", "rwrrrr?w", "FRAME CHANNEL X1 Y1 X2 Y2 [PATH]",
     "the curve that leads to their key: of x, y, z, rotation, distance, angle or all; 0 to 127", key_curve},
    {"key.morph", "w?r", "NAME [WEIGHT]", "a key of a morph at this frame", key_morph},
    {"key.morph.remove", "w", "NAME", "takes it away", key_morph_remove},
    {"key.show", "s", "on|off", "a key at this frame from which on the model is seen, or not", key_show},
    {"key.ik", "ws", "BONE on|off",
     "the same of the IK of a bone; such a key has all of the model's, and whether it is seen", key_ik},
    {"key.shadow", "w?r", "MODE [DISTANCE]",
     "a key of self shadow: 0 off, 1 or 2; how far it reaches, 0 to 9999 as MMD shows it", key_shadow},
    {"motion.save", "w", "FILE.vmd",
     "the model's motion with its keys as they were edited; of several, all of them in one", motion_save},
    {"camera.save", "w", "FILE.vmd", "camera, light and shadow with their keys as they were edited",
     camera_save},
};

const command_group commands_of_key = {commands, sizeof commands / sizeof *commands};
