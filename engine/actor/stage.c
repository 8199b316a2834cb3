/* The stage: actors in draw order, camera, light, and a time. */
#include "mmd/actor.h"

#include <assert.h>
#include <string.h>

struct mmd_stage {
    mmd_actor **actors;
    size_t actor_count;
    const mmd_motion **motions; /* of camera, light and self shadow */
    size_t motion_count;
    double frame;
    bool camera_by_hand, color_by_hand, direction_by_hand;
    mmd_camera camera;
    mmd_light light;
    mmd_self_shadow self_shadow;
};

mmd_stage *mmd_stage_create(void)
{
    mmd_stage *stage = mmd_alloc(sizeof *stage);
    if (stage)
        *stage = (mmd_stage){.camera = mmd_default_camera(),
                             .light = mmd_default_light(),
                             .self_shadow = mmd_default_self_shadow()};
    return stage;
}

void mmd_stage_destroy(mmd_stage *stage)
{
    if (!stage)
        return;
    mmd_free(stage->actors);
    mmd_free(stage->motions);
    mmd_free(stage);
}

mmd_status mmd_stage_add_actor(mmd_stage *stage, mmd_actor *actor, mmd_error *error)
{
    mmd_actor **actors = mmd_realloc(stage->actors, (stage->actor_count + 1) * sizeof *actors);
    if (!actors)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    stage->actors = actors;
    actors[stage->actor_count++] = actor;
    return MMD_OK;
}

size_t mmd_stage_actor_count(const mmd_stage *stage)
{
    return stage->actor_count;
}

mmd_actor *mmd_stage_actor(const mmd_stage *stage, size_t index)
{
    assert(index < stage->actor_count);
    return stage->actors[index];
}

/* Camera and light at the stage's frame, where they are not set by hand; the last motion with such keys
 * counts. */
static void sample_scene(mmd_stage *stage)
{
    if (!stage->camera_by_hand)
        stage->camera = mmd_default_camera();
    mmd_light light = mmd_default_light();
    stage->self_shadow = mmd_default_self_shadow();
    for (size_t i = 0; i < stage->motion_count; i++) {
        if (!stage->camera_by_hand)
            mmd_motion_camera(stage->motions[i], stage->frame, &stage->camera);
        mmd_motion_light(stage->motions[i], stage->frame, &light);
        mmd_motion_self_shadow(stage->motions[i], stage->frame, &stage->self_shadow);
    }
    if (!stage->color_by_hand)
        memcpy(stage->light.color, light.color, sizeof light.color);
    if (!stage->direction_by_hand)
        memcpy(stage->light.direction, light.direction, sizeof light.direction);
}

mmd_status mmd_stage_add_scene_motion(mmd_stage *stage, const mmd_motion *motion, mmd_error *error)
{
    const mmd_motion **motions = mmd_realloc(stage->motions, (stage->motion_count + 1) * sizeof *motions);
    if (!motions)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "out of memory");
    stage->motions = motions;
    motions[stage->motion_count++] = motion;
    sample_scene(stage);
    return MMD_OK;
}

void mmd_stage_set_camera(mmd_stage *stage, const mmd_camera *camera)
{
    stage->camera_by_hand = camera != NULL;
    if (camera)
        stage->camera = *camera;
    else
        sample_scene(stage);
}

void mmd_stage_set_light_color(mmd_stage *stage, const float color[3])
{
    stage->color_by_hand = color != NULL;
    if (color)
        memcpy(stage->light.color, color, sizeof stage->light.color);
    else
        sample_scene(stage);
}

void mmd_stage_set_light_direction(mmd_stage *stage, const float direction[3])
{
    stage->direction_by_hand = direction != NULL;
    if (direction)
        memcpy(stage->light.direction, direction, sizeof stage->light.direction);
    else
        sample_scene(stage);
}

void mmd_stage_set_frame(mmd_stage *stage, double frame)
{
    stage->frame = frame;
    for (size_t i = 0; i < stage->actor_count; i++)
        mmd_actor_set_frame(stage->actors[i], frame);
    sample_scene(stage);
}

double mmd_stage_frame(const mmd_stage *stage)
{
    return stage->frame;
}

double mmd_stage_last_frame(const mmd_stage *stage)
{
    double last = 0.0;
    for (size_t i = 0; i < stage->actor_count; i++) {
        double frame = mmd_actor_last_frame(stage->actors[i]);
        last = frame > last ? frame : last;
    }
    for (size_t i = 0; i < stage->motion_count; i++)
        last = (double)stage->motions[i]->last_frame > last ? (double)stage->motions[i]->last_frame : last;
    return last;
}

const mmd_camera *mmd_stage_camera(const mmd_stage *stage)
{
    return &stage->camera;
}
const mmd_light *mmd_stage_light(const mmd_stage *stage)
{
    return &stage->light;
}
const mmd_self_shadow *mmd_stage_self_shadow(const mmd_stage *stage)
{
    return &stage->self_shadow;
}

bool mmd_stage_has_camera_motion(const mmd_stage *stage)
{
    for (size_t i = 0; i < stage->motion_count; i++)
        if (stage->motions[i]->camera_key_count)
            return true;
    return false;
}
