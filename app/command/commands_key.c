/*
 * Commands for keyframes of motions: switching between editing keyframes and editing poses, setting, removing
 * and saving keyframes, and whole keyframes in one line, which pictures use for keyframes that are in no file
 * (state_lines.h) and scripts use to set keyframes.
 */
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "command_group.h"
#include "edit/key_edit.h"
#include "edit/motion_file.h"
#include "edit/key_rest.h"
#include "edit/selection.h"
#include "edit/state_lines.h"
#include "mmd/format.h"
#include "mmd/memory.h"
#include "scene/edited_motion.h"

/* Switches between edits that write keyframes and edits that change the pose. */
static bool key_mode(odori_session *s, const command_arguments *a, char *error)
{
    mmd_edit *edit = selection_edit(s);
    if (!edit)
        return refuse_with(error, "out of memory");
    edited_motion_begin(edit, a->on[0]);
    s->changed = true;
    return true;
}

/* Sets keyframes of the selection or of the named item; of all edited bones where there is neither. */
static bool key_set(odori_session *s, const command_arguments *a, char *error)
{
    const key_edit edit = {.kind = KEY_EDIT_SET, .from = s->frame};
    bool any = a->count > 0;
    for (size_t i = 0; i < s->selection.count && !any; i++)
        any = key_edit_has_keys(s->selection.items[i]);
    return any ? key_edit_do(s, &edit, a->count ? a->word[0] : NULL, error) : key_edit_bones(s, error);
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

/* Sets the interpolation curve of channels of a keyframe. */
static bool key_curve(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const channels[] = {"x", "y", "z", "rotation", "distance", "angle", "all"};
    enum { COUNT = sizeof channels / sizeof *channels };
    size_t channel = token_find(channels, COUNT, a->word[1]);
    if (channel == COUNT)
        return refuse_with(error, "\"%.40s\" is not x, y, z, rotation, distance, angle or all", a->word[1]);
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

/* A switch keyframe that a command asks for. */
typedef struct switch_request {
    uint32_t model;
    int32_t bone; /* -1: whether the model is visible */
    bool on;
} switch_request;

static mmd_command *make_switch(mmd_edit *edit, const void *request)
{
    const switch_request *w = request;
    return mmd_edit_switch_key_command(edit, w->model, w->bone, w->on);
}

/* Sets a keyframe that turns one switch and holds the current values of the others. */
static bool set_switch(odori_session *s, int32_t bone, bool on, char *error)
{
    const switch_request request = {.model = (uint32_t)s->selected, .bone = bone, .on = on};
    const mmd_item item = {.kind = MMD_ITEM_SWITCHES, .model = request.model};
    return key_edit_make(s, item, make_switch, &request, error);
}

/* Sets a keyframe that shows or hides the selected model. */
static bool key_show(odori_session *s, const command_arguments *a, char *error)
{
    return session_selected_model(s, error) && set_switch(s, -1, a->on[0], error);
}

/* Sets a keyframe that turns the IK of a bone on or off. */
static bool key_ik(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone = 0;
    return session_find_bone(s, a->word[0], &bone, error) && set_switch(s, (int32_t)bone, a->on[1], error);
}

static mmd_command *make_shadow(mmd_edit *edit, const void *request)
{
    return mmd_edit_shadow_key_command(edit, request);
}

/* Sets a keyframe of self shadow. A distance that is not given stays. */
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

static bool motion_save(odori_session *s, const command_arguments *a, char *error)
{
    return session_selected_model(s, error) && motion_file_save(s, s->selected, a->word[0], error);
}

static bool camera_save(odori_session *s, const command_arguments *a, char *error)
{
    return motion_file_save_stage(s, a->word[0], error);
}

/* ----------------------------------------------- whole keyframes in a line */

/* Limit of the frames of keyframes: more than a day of motion. */
#define LAST_FRAME 1e8
/* Limit of a rotation's length, which files do not always keep at 1. */
#define LENGTH_MAX 1e3

/* Reads the frame of a keyframe. Returns false with the reason in error. */
static bool read_frame(double number, uint32_t *frame, char *error)
{
    if (!(number >= 0 && number <= LAST_FRAME) || number != floor(number))
        return refuse_with(error, "%g is not the frame of a keyframe: a whole number from 0", number);
    *frame = (uint32_t)number;
    return true;
}

/* Returns the value of a lower-case hexadecimal digit, -1 for any other character. */
static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Reads curves of eight hexadecimal digits each: x1 y1 x2 y2, from 0 to 127. */
static bool read_curves(const char *word, mmd_curve *curves, size_t count, char *error)
{
    bool sound = strlen(word) == 8 * count;
    for (size_t i = 0; sound && i < count; i++) {
        uint8_t numbers[4];
        for (size_t k = 0; k < 4; k++) {
            int high = digit_of(word[8 * i + 2 * k]), low = digit_of(word[8 * i + 2 * k + 1]);
            sound &= high >= 0 && high < 8 && low >= 0;
            numbers[k] = (uint8_t)(16 * (high & 7) + (low & 15));
        }
        curves[i] = (mmd_curve){numbers[0], numbers[1], numbers[2], numbers[3]};
    }
    return sound ||
           refuse_with(error, "\"%.60s\" is not %zu curves of eight hexadecimal digits, 00 to 7f each", word,
                       count);
}

static void copy_numbers(const double *numbers, size_t count, float *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)numbers[i];
}

static bool find_bone(const odori_session *s, const char *name, mmd_item *item, char *error)
{
    uint32_t bone = 0;
    bool found = session_find_bone(s, name, &bone, error);
    *item = (mmd_item){.kind = MMD_ITEM_BONE, .model = (uint32_t)s->selected, .index = bone};
    return found;
}

static bool find_morph(const odori_session *s, const char *name, mmd_item *item, char *error)
{
    const scene_model *m = session_selected_model(s, error);
    int32_t morph = m ? mmd_model_find_morph(m->model, name) : -1;
    if (m && morph < 0)
        session_refuse_name(s, s->selected, "morph", name, error);
    *item = (mmd_item){.kind = MMD_ITEM_MORPH, .model = (uint32_t)s->selected, .index = (uint32_t)morph};
    return morph >= 0;
}

/* Puts a keyframe, or removes it where key is NULL, as one step of undo. */
static bool change(odori_session *s, mmd_item item, uint32_t frame, const mmd_stored_key *key, char *error)
{
    mmd_edit *edit = selection_edit(s);
    if (!edit)
        return refuse_with(error, "out of memory");
    bool was_keying = mmd_edit_is_keying(edit);
    edited_motion_begin(edit, true);
    mmd_command *made = key ? mmd_edit_put_key_command(edit, item, frame, key)
                            : mmd_edit_remove_key_command(edit, item, frame);
    bool done = mmd_edit_do(edit, made);
    if (!done)
        refuse_with(error, "%s", *mmd_edit_refusal(edit) ? mmd_edit_refusal(edit) : "out of memory");
    edited_motion_begin(edit, was_keying);
    if (done)
        session_touch(s);
    s->arrived = s->arrived && !done; /* evaluated when the frame is next needed, not after each line of a
                                         long script */
    s->changed = true;
    return done;
}

/* Sets a whole keyframe of a bone. The rotation is stored as given and need not have a length of 1. */
static bool put_bone(odori_session *s, const command_arguments *a, char *error)
{
    mmd_item item;
    uint32_t frame = 0;
    mmd_stored_key key = {.as.bone = {.physics_off = !a->on[10]}};
    double length = 0;
    for (int k = 0; k < 4; k++)
        length += a->number[5 + k] * a->number[5 + k];
    if (!find_bone(s, a->word[0], &item, error) || !read_frame(a->number[1], &frame, error) ||
        !read_curves(a->word[9], key.as.bone.curve, 4, error))
        return false;
    if (!(length <= LENGTH_MAX * LENGTH_MAX))
        return refuse_with(error, "the rotation is not a quaternion of a length near 1");
    copy_numbers(a->number + 2, 3, key.as.bone.translation);
    copy_numbers(a->number + 5, 4, key.as.bone.rotation);
    return change(s, item, frame, &key, error);
}

/* Sets a whole keyframe of a morph. */
static bool put_morph(odori_session *s, const command_arguments *a, char *error)
{
    mmd_item item;
    uint32_t frame = 0;
    const mmd_stored_key key = {.as.weight = (float)a->number[2]};
    return find_morph(s, a->word[0], &item, error) && read_frame(a->number[1], &frame, error) &&
           change(s, item, frame, &key, error);
}

/* Sets a whole keyframe of the camera, in the units of files. */
static bool put_camera(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t frame = 0;
    mmd_stored_key key = {.as.camera.value.perspective = a->on[10]};
    mmd_camera *camera = &key.as.camera.value;
    if (!read_frame(a->number[0], &frame, error) || !read_curves(a->word[9], key.as.camera.curve, 6, error))
        return false;
    copy_numbers(a->number + 1, 1, &camera->distance);
    copy_numbers(a->number + 2, 3, camera->position);
    copy_numbers(a->number + 5, 3, camera->rotation);
    copy_numbers(a->number + 8, 1, &camera->fov);
    return change(s, (mmd_item){.kind = MMD_ITEM_CAMERA}, frame, &key, error);
}

/* Sets a whole keyframe of the light. */
static bool put_light(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t frame = 0;
    mmd_stored_key key = {.as.weight = 0};
    memset(&key, 0, sizeof key);
    copy_numbers(a->number + 1, 3, key.as.light.value.color);
    copy_numbers(a->number + 4, 3, key.as.light.value.direction);
    return read_frame(a->number[0], &frame, error) &&
           change(s, (mmd_item){.kind = MMD_ITEM_LIGHT}, frame, &key, error);
}

/* Sets a whole keyframe of self shadow. The distance is that of files, not the number MMD shows. */
static bool put_shadow(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t frame = 0;
    const double mode = a->number[1];
    const mmd_stored_key key = {.as.self_shadow.value = {mode == 1   ? 1
                                                         : mode == 2 ? 2
                                                                     : 0,
                                                         (float)a->number[2]}};
    if (!(mode >= 0 && mode <= 2) || mode != floor(mode))
        return refuse_with(error, "%g is not 0 (off), 1 or 2", mode);
    return read_frame(a->number[0], &frame, error) &&
           change(s, (mmd_item){.kind = MMD_ITEM_SHADOW}, frame, &key, error);
}

/* Reads switches of forty-two hexadecimal digits each: the name field of the file, and its byte. */
static bool read_switches(const char *word, mmd_ik_switch *switches, uint32_t *count, char *error)
{
    enum { BYTES = sizeof switches->name + 1 };
    size_t length = strlen(word);
    bool sound = length % (2 * BYTES) == 0 && length / (2 * BYTES) <= STATE_LINES_SWITCHES;
    for (size_t i = 0; sound && i < length / 2; i++) {
        int high = digit_of(word[2 * i]), low = digit_of(word[2 * i + 1]);
        mmd_ik_switch *to = &switches[i / BYTES];
        sound = high >= 0 && low >= 0;
        *(i % BYTES < sizeof to->name ? &to->name[i % BYTES] : &to->on) =
            (uint8_t)(16 * (high & 15) + (low & 15));
    }
    *count = (uint32_t)(length / (2 * BYTES));
    return sound || refuse_with(error, "\"%.60s\" is not up to %d switches of %d hexadecimal digits each",
                                word, STATE_LINES_SWITCHES, 2 * BYTES);
}

/* Sets a whole keyframe of display and IK. Visibility is a byte, because files may hold any. */
static bool put_switches(odori_session *s, const command_arguments *a, char *error)
{
    mmd_ik_switch switches[STATE_LINES_SWITCHES];
    uint32_t frame = 0;
    mmd_stored_key key = {.as.property = {.switches = switches}};
    if (!(a->number[1] >= 0 && a->number[1] <= 255) || a->number[1] != floor(a->number[1]))
        return refuse_with(error, "%g is not 0 or 1", a->number[1]);
    key.as.property.visible = (uint8_t)a->number[1];
    return session_selected_model(s, error) && read_frame(a->number[0], &frame, error) &&
           (a->count < 3 || read_switches(a->word[2], switches, &key.as.property.switch_count, error)) &&
           change(s, (mmd_item){.kind = MMD_ITEM_SWITCHES, .model = (uint32_t)s->selected}, frame, &key,
                  error);
}

/* Adds switches to an existing keyframe, since a line is too short for all bones of a large model. */
static bool add_switches(odori_session *s, mmd_item item, uint32_t frame, const char *word, char *error)
{
    mmd_key_row row;
    mmd_stored_key key;
    mmd_ik_switch added[STATE_LINES_SWITCHES];
    uint32_t count;
    const mmd_motion *motion = edited_motion_of(s->scene, item, &row);
    if (!motion || !mmd_motion_get_key(motion, &row, frame, &key)) {
        char named[SESSION_NAME_MAX];
        session_item_name(s, item, named);
        return refuse_with(error, "%s has no keyframe at frame %u", named, frame);
    }
    if (!read_switches(word, added, &count, error))
        return false;
    uint32_t had = key.as.property.switch_count;
    if (had > UINT16_MAX)
        return refuse_with(error, "the keyframe has more than %d switches", UINT16_MAX);
    mmd_ik_switch *all = mmd_alloc(((size_t)had + count) * sizeof *all);
    if (!all)
        return refuse_with(error, "out of memory");
    if (had)
        memcpy(all, key.as.property.switches, had * sizeof *all);
    memcpy(all + had, added, count * sizeof *all);
    key.as.property.switches = all;
    key.as.property.switch_count = had + count;
    bool done = change(s, item, frame, &key, error);
    mmd_free(all);
    return done;
}

/* Adds IK switches to a keyframe of display and IK. */
static bool more_switches(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t frame = 0;
    return session_selected_model(s, error) && read_frame(a->number[0], &frame, error) &&
           add_switches(s, (mmd_item){.kind = MMD_ITEM_SWITCHES, .model = (uint32_t)s->selected}, frame,
                        a->word[1], error);
}

/* Removes a whole keyframe: of a bone or a morph by its name, of the camera, light or self shadow, or of
 * the selected model's switches. */
static bool drop_key(odori_session *s, const command_arguments *a, char *error)
{
    static const struct {
        const char *name;
        mmd_item_kind kind;
    } kinds[] = {{"key.drop.bone", MMD_ITEM_BONE},     {"key.drop.morph", MMD_ITEM_MORPH},
                 {"key.drop.camera", MMD_ITEM_CAMERA}, {"key.drop.light", MMD_ITEM_LIGHT},
                 {"key.drop.shadow", MMD_ITEM_SHADOW}, {"key.drop.switches", MMD_ITEM_SWITCHES}};
    mmd_item item = {0};
    uint32_t frame = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(a->name, kinds[i].name) == 0)
            item.kind = kinds[i].kind;
    bool is_named = item.kind == MMD_ITEM_BONE || item.kind == MMD_ITEM_MORPH;
    if (item.kind == MMD_ITEM_BONE && !find_bone(s, a->word[0], &item, error))
        return false;
    if (item.kind == MMD_ITEM_MORPH && !find_morph(s, a->word[0], &item, error))
        return false;
    if (item.kind == MMD_ITEM_SWITCHES) {
        if (!session_selected_model(s, error))
            return false;
        item.model = (uint32_t)s->selected;
    }
    return read_frame(a->number[is_named], &frame, error) && change(s, item, frame, NULL, error);
}

/* Adds keyframes at rest at frame 0 to what has none there. */
static bool rest_first(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return key_rest(s, error);
}

/* --- The table --- */

static const command commands[] = {
    {"key.mode", "s", "on|off",
     "edit.…, morph.set, camera.set, light.color and light.direction write keyframes at this frame, not the "
     "pose "
     "or the view",
     key_mode, .replay = REPLAY_RUNS},
    {"key.set", "?w", "[PATH]",
     "sets keyframes of the selection at this frame (bones, morphs, camera, light, /shadow, "
     "/models/NAME/switches), or of all edited bones",
     key_set, .replay = REPLAY_RUNS},
    {"key.remove", "?w", "[PATH]", "removes the keyframes of the selection at this frame", key_remove,
     .replay = REPLAY_RUNS},
    {"key.delete", "r?w", "FRAME [PATH]", "removes them at another frame", key_delete, .replay = REPLAY_RUNS},
    {"key.move", "rr?w", "FROM TO [PATH]",
     "moves the keyframes of the selection to another frame; PATH: of this item alone", key_move,
     .replay = REPLAY_RUNS},
    {"key.copy", "rr?w", "FROM TO [PATH]", "copies them to another frame", key_copy, .replay = REPLAY_RUNS},
    {"key.curve", "rwrrrr?w", "FRAME CHANNEL X1 Y1 X2 Y2 [PATH]",
     "sets the curve that leads to a keyframe: of x, y, z, rotation, distance, angle or all; 0 to 127",
     key_curve, .replay = REPLAY_RUNS},
    {"key.morph", "w?r", "NAME [WEIGHT]", "sets a keyframe of a morph at this frame", key_morph,
     .replay = REPLAY_RUNS},
    {"key.morph.remove", "w", "NAME", "removes the keyframe of a morph at this frame", key_morph_remove,
     .replay = REPLAY_RUNS},
    {"key.show", "s", "on|off", "sets a keyframe that shows or hides the model from this frame on", key_show,
     .replay = REPLAY_RUNS},
    {"key.ik", "ws", "BONE on|off",
     "sets one that turns the IK of a bone on or off; it holds all switches of the model", key_ik,
     .replay = REPLAY_RUNS},
    {"key.shadow", "w?r", "MODE [DISTANCE]",
     "sets a keyframe of self shadow: 0 off, 1 or 2; its range, 0 to 9999 as MMD shows it", key_shadow,
     .replay = REPLAY_RUNS},
    {"key.rest", "", "",
     "adds keyframes at rest at frame 0 to bones and morphs that have keyframes but none there, as MMD "
     "starts",
     rest_first, .replay = REPLAY_RUNS},
    {"motion.save", "o", "FILE.vmd",
     "saves the motion of the model with the edited keyframes; several motions are merged", motion_save,
     .replay = REPLAY_SKIPS},
    {"camera.save", "o", "FILE.vmd", "saves camera, light and self shadow with the edited keyframes",
     camera_save, .replay = REPLAY_SKIPS},
    {"key.put.bone", "wrrrrrrrrws", "NAME FRAME X Y Z QX QY QZ QW CURVES PHYSICS",
     "sets a whole keyframe: units, a quaternion, curves as hexadecimal digits, physics on or off", put_bone,
     .replay = REPLAY_RUNS},
    {"key.put.morph", "wrr", "NAME FRAME WEIGHT", "sets one of a morph", put_morph, .replay = REPLAY_RUNS},
    {"key.put.camera", "rrrrrrrrrws", "FRAME DISTANCE X Y Z RX RY RZ FOV CURVES PERSPECTIVE",
     "sets one of the camera, angles in radians", put_camera, .replay = REPLAY_RUNS},
    {"key.put.light", "rrrrrrr", "FRAME R G B X Y Z", "sets one of the light", put_light,
     .replay = REPLAY_RUNS},
    {"key.put.shadow", "rrr", "FRAME MODE DISTANCE", "sets one of self shadow, the distance as in files",
     put_shadow, .replay = REPLAY_RUNS},
    {"key.put.switches", "rr?w", "FRAME VISIBLE [SWITCHES]",
     "sets one of display and IK: names and bytes of the file as hexadecimal digits", put_switches,
     .replay = REPLAY_RUNS},
    {"key.more.switches", "rw", "FRAME SWITCHES", "adds IK switches to a keyframe of display and IK",
     more_switches, .replay = REPLAY_RUNS},
    {"key.drop.bone", "wr", "NAME FRAME", "removes a whole keyframe of a bone", drop_key,
     .replay = REPLAY_RUNS},
    {"key.drop.morph", "wr", "NAME FRAME", "removes one of a morph", drop_key, .replay = REPLAY_RUNS},
    {"key.drop.camera", "r", "FRAME", "removes one of the camera", drop_key, .replay = REPLAY_RUNS},
    {"key.drop.light", "r", "FRAME", "removes one of the light", drop_key, .replay = REPLAY_RUNS},
    {"key.drop.shadow", "r", "FRAME", "removes one of self shadow", drop_key, .replay = REPLAY_RUNS},
    {"key.drop.switches", "r", "FRAME", "removes one of display and IK", drop_key, .replay = REPLAY_RUNS},
};

const command_group commands_of_key = {commands, sizeof commands / sizeof *commands};
