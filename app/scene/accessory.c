#include "accessory.h"

#include <math.h>


/* Further than anything is placed: sums of such numbers stay finite. */
#define FAR 1e6

float scene_bounded(double value)
{
    if (isnan(value))
        return 0;
    return (float)(value < -FAR ? -FAR : value > FAR ? FAR : value);
}

static void set_order(odori_scene *s, size_t index, int32_t order)
{
    mmd_staging staging = *mmd_stage_staging(s->stage, index);
    staging.draw_order = order;
    mmd_stage_set_staging(s->stage, index, &staging);
}

static int32_t order_of(const scene_model *m, bool is_first_accessory)
{
    if (m->is_backdrop)
        return ORDER_BACKDROP;
    if (!m->is_accessory)
        return ORDER_MODEL;
    return is_first_accessory ? ORDER_FIRST_ACCESSORY : ORDER_ACCESSORY;
}

void scene_order(odori_scene *s, size_t from)
{
    bool first = true;
    for (size_t i = 0; i < s->model_count; i++) /* a stage that is an accessory is the first one */
        first = first && !(s->models[i].is_backdrop && s->models[i].is_accessory);
    for (size_t i = 0; i < s->model_count; i++) {
        const scene_model *m = &s->models[i];
        if (i >= from && !m->project)
            set_order(s, i, order_of(m, first));
        first = first && !m->is_accessory;
    }
}

void scene_place(odori_scene *s, size_t index)
{
    const mmd_vac *vac = s->models[index].vac;
    if (!vac)
        return;
    mmd_staging staging = *mmd_stage_staging(s->stage, index);
    staging.scale = scene_bounded((double)vac->scale);
    for (int k = 0; k < 3; k++) {
        staging.position[k] = scene_bounded((double)vac->position[k]);
        staging.rotation[k] = scene_bounded((double)vac->rotation[k]);
    }
    mmd_stage_set_staging(s->stage, index, &staging);
}

/* Whose bone is meant; model_count: there is no dancer. */
static size_t holder_of(const odori_scene *s, size_t accessory)
{
    size_t holder = s->model_count;
    for (size_t i = 0; i < s->model_count; i++) {
        const scene_model *m = &s->models[i];
        if (!m->is_accessory && !m->is_backdrop && (i < accessory || holder == s->model_count))
            holder = i;
    }
    return holder;
}

static void attach(odori_scene *s, size_t index, const mmd_log *log)
{
    const scene_model *m = &s->models[index];
    size_t holder = holder_of(s, index);
    if (holder == s->model_count) {
        mmd_log_message(log, MMD_LOG_WARNING, "%s: no model is there whose bone \"%.100s\" could hold it",
                        m->path, m->vac->bone);
        return;
    }
    const scene_model *h = &s->models[holder];
    int32_t bone = mmd_model_find_bone(h->model, m->vac->bone);
    if (bone < 0) {
        mmd_log_message(log, MMD_LOG_WARNING, "%s: %s has no bone \"%.100s\"; it stands at the origin",
                        m->path, h->path, m->vac->bone);
        return;
    }
    mmd_staging staging = *mmd_stage_staging(s->stage, index);
    staging.parent = h->actor;
    staging.parent_bone = bone;
    mmd_stage_set_staging(s->stage, index, &staging);
}

void scene_attach_one(odori_scene *s, size_t index, const mmd_log *log)
{
    const scene_model *m = &s->models[index];
    if (m->vac && m->vac->bone[0] && !m->project)
        attach(s, index, log);
}

void scene_attach(odori_scene *s, const mmd_log *log)
{
    for (size_t i = 0; i < s->model_count; i++)
        scene_attach_one(s, i, log);
}
