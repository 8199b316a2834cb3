/* Commands for keys of motions: writing them instead of poses, registering, taking away, saving. */
#include <stdlib.h>
#include <string.h>

#include "commands_internal.h"
#include "keyed.h"
#include "mmd/format.h"
#include "output.h"
#include "panel_log.h"
#include "pose_file.h"
#include "selection.h"

static mmd_edit *edit_of(odori_session *s, char *error)
{
    mmd_edit *edit = selection_edit(s);
    if (!edit)
        command_refuse(error, "out of memory");
    return edit;
}

static bool key_mode(odori_session *s, const command_arguments *a, char *error)
{
    mmd_edit *edit = edit_of(s, error);
    if (!edit)
        return false;
    keyed_begin(s->scene, edit, a->on[0]);
    s->changed = true;
    return true;
}

static bool is_edited(const mmd_pose *pose, uint32_t bone)
{
    float t[3], r[4];
    mmd_pose_get_user(pose, bone, t, r);
    return t[0] != 0.0f || t[1] != 0.0f || t[2] != 0.0f || r[0] != 0.0f || r[1] != 0.0f || r[2] != 0.0f ||
           r[3] != 1.0f;
}

/* Selected bones; without any, those of the model that were edited. */
static bool each_bone(odori_session *s, mmd_edit *edit, bool edited_too,
                      mmd_command *(*make)(mmd_edit *edit, mmd_item bone), size_t *done)
{
    bool selected = false;
    for (size_t i = 0; i < s->selection.count; i++) {
        mmd_item item = s->selection.items[i];
        if (item.kind != MMD_ITEM_BONE)
            continue;
        selected = true;
        if (!mmd_edit_do(edit, make(edit, item)))
            return false;
        ++*done;
    }
    if (selected || !edited_too || s->selected >= s->scene->model_count)
        return true;
    const mmd_actor *actor = s->scene->models[s->selected].actor;
    for (uint32_t b = 0; b < mmd_actor_model(actor)->bone_count; b++) {
        mmd_item item = {.kind = MMD_ITEM_BONE, .model = (uint32_t)s->selected, .index = b};
        if (!is_edited(mmd_actor_pose(s->scene->models[s->selected].actor), b))
            continue;
        if (!mmd_edit_do(edit, make(edit, item)))
            return false;
        ++*done;
    }
    return true;
}

/* Keys of all of them are one step; where one is refused, none is written. */
static bool key_all(odori_session *s, bool edited_too, const char *label,
                    mmd_command *(*make)(mmd_edit *edit, mmd_item bone), char *error)
{
    mmd_edit *edit = edit_of(s, error);
    size_t done = 0;
    if (!edit)
        return false;
    bool was_keying = mmd_edit_is_keying(edit);
    keyed_begin(s->scene, edit, true);
    mmd_edit_begin(edit, label);
    bool all = each_bone(s, edit, edited_too, make, &done);
    if (!all)
        command_refuse(error, "%s", *mmd_edit_refusal(edit) ? mmd_edit_refusal(edit) : "out of memory");
    mmd_edit_end(edit);
    if (!all && done)
        mmd_edit_undo(edit);
    keyed_begin(s->scene, edit, was_keying);
    if (all && !done)
        all = command_refuse(error, edited_too ? "no bone is selected, and none of the model was edited"
                                               : "no bone is selected; `edit.select PATH` does");
    session_touch(s);
    session_go(s, s->frame);
    return all;
}

static bool key_set(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return key_all(s, true, "register keys", mmd_edit_key_command, error);
}

static bool key_remove(odori_session *s, const command_arguments *a, char *error)
{
    (void)a;
    return key_all(s, false, "remove keys", mmd_edit_unkey_command, error);
}

static bool motion_save(odori_session *s, const command_arguments *a, char *error)
{
    mmd_buffer out = {0};
    mmd_error why = {0};
    char sentence[512];
    if (!command_selected_model(s, error))
        return false;
    const mmd_motion *motion = keyed_motion(s->scene, s->selected);
    if (!motion)
        return command_refuse(error, "no motion moves the model, and none of its bones was keyed");
    uint32_t scaled = pose_file_lost_scales(s->scene->models[s->selected].actor);
    if (scaled)
        panel_log_tell(s->messages, "%s: a motion holds no scale, and %u of the model's bones have one", a->word[0],
                       scaled);
    bool done = mmd_vmd_write(motion, &out, &why) == MMD_OK;
    if (!done)
        command_refuse(error, "%.250s", mmd_error_sentence(&why, sentence, sizeof sentence));
    else if (!output_write(a->word[0], out.data, out.size))
        done = command_refuse(error, "%.200s cannot be written", a->word[0]);
    mmd_buffer_finish(&out);
    return done;
}

static const command commands[] = {
    {"key.mode", "s", "on|off", "edits of bones write keys of the motion at this frame, not the pose",
     key_mode},
    {"key.set", "", "",
     "keys at this frame: the bones that are selected, or all that were edited, as they are posed", key_set},
    {"key.remove", "", "", "takes the keys of the selected bones at this frame away", key_remove},
    {"motion.save", "w", "FILE.vmd", "the model's motion with its keys as they were edited", motion_save},
};

const command_group commands_of_key = {commands, sizeof commands / sizeof *commands};
