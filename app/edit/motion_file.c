#include "motion_file.h"

#include "base/message.h"
#include "base/output.h"
#include "mmd/cursor.h"
#include "mmd/format.h"
#include "pose_file.h"
#include "scene/edited_motion.h"

/* Writes a motion to a file. status: whether it could be converted to out, else why says the reason. */
static bool save(const char *path, mmd_status status, const mmd_buffer *out, const mmd_error *why,
                 char *error)
{
    char sentence[512];
    if (status != MMD_OK)
        return refuse_with(error, "%.250s", mmd_error_sentence(why, sentence, sizeof sentence));
    return output_write(path, out->data, out->size) || refuse_with(error, "%.200s cannot be written", path);
}

/* Tests whether an actor mixes motions by weights. */
static bool has_weights(const mmd_actor *actor)
{
    size_t count;
    const mmd_actor_motion *motions = mmd_actor_motions(actor, &count);
    for (size_t i = 0; i < count; i++)
        if (!motions[i].fades_out && motions[i].weight < 1)
            return true;
    return false;
}

bool motion_file_save(odori_session *s, size_t model, const char *path, char *error)
{
    mmd_buffer out = {0};
    mmd_error why = {0};
    if (!edited_motion_played(s->scene, model, 0))
        return refuse_with(error,
                           "there is nothing to save: the model has no motion, and no keyframe was set");
    uint32_t scaled = pose_file_lost_scales(s->scene->models[model].actor);
    if (scaled)
        panel_log_report(s->messages, "%s: a motion holds no scale; bones that lose theirs: %u", path,
                         scaled);
    if (has_weights(s->scene->models[model].actor))
        panel_log_report(s->messages,
                         "%s: a motion holds no weights; the motions are merged as with weight 1", path);
    mmd_status status = edited_motion_write(s->scene, model, &out, &why);
    bool done = save(path, status, &out, &why, error);
    /* Each motion of the model is now part of the saved file, so none of them needs recovery. */
    const mmd_motion *motion;
    for (size_t i = 0; done && (motion = edited_motion_played(s->scene, model, i)) != NULL; i++) {
        mmd_buffer own = {0};
        if (mmd_vmd_write(motion, &own, NULL) == MMD_OK)
            session_remember_saved(s, &own);
        mmd_buffer_finish(&own);
    }
    mmd_buffer_finish(&out);
    return done;
}

bool motion_file_save_stage(odori_session *s, const char *path, char *error)
{
    mmd_buffer out = {0};
    mmd_error why = {0};
    bool any;
    mmd_status status = edited_motion_write_stage(s->scene, &out, &any, &why);
    bool done =
        any ? save(path, status, &out, &why, error)
            : refuse_with(error, "there is nothing to save: camera, light and self shadow have no keyframes");
    if (done)
        session_remember_saved(s, &out);
    mmd_buffer_finish(&out);
    return done;
}
