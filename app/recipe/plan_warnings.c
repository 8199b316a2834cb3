/*
 * What is amiss with files that a plan could be drawn with all the same. All
 * of it is found again from what is on the stage, so that a scene says the same
 * whoever loaded its files, and whenever.
 */
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "plan_stage.h"

typedef struct warner {
    const plan_stage *stage;
    void (*tell)(void *user, const char *sentence);
    void *user;
} warner;

static void warn(const warner *w, const char *what, const char *name, const char *why)
{
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%s %.480s%s", what, name, why);
    w->tell(w->user, sentence);
}

static void warn_of_texture(const warner *w, const char *name, const char *model)
{
    char why[512];
    snprintf(why, sizeof why, " of %.400s is missing, or no picture", model);
    warn(w, "texture", name, why);
}

/* Without a view it is known which files there are, not whether they are pictures. */
static void warn_of_textures(const warner *w, const stored_model *m, const char *given, const mmd_view *view)
{
    const char *const *names = NULL;
    size_t missing = view && m->in_view ? mmd_view_missing_textures(view, m->model, &names) : 0;
    for (size_t i = 0; i < missing; i++)
        warn_of_texture(w, names[i], given);
    for (size_t i = 0; !(view && m->in_view) && i < m->textures.count; i++)
        if (!*m->textures.items[i].text)
            warn_of_texture(w, m->model->textures[i], given);
}

static void warn_of_models(const warner *w, const mmd_view *view)
{
    const plan *p = w->stage->plan;
    for (size_t i = 0; i < w->stage->scene.model_count; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || w->stage->models[k] == w->stage->models[i];
        const stored_model *m = w->stage->models[i];
        const char *given = w->stage->scene.models[i].path;
        for (size_t k = 0; k <= p->models.count; k++)
            if (w->stage->inputs[k] == m)
                given = k < p->models.count ? p->models.items[k].given : p->stage.given;
        if (!again)
            warn_of_textures(w, m, given, view);
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

/* Camera and light of a motion count wherever they are. */
static bool fits(const odori_scene *scene, const mmd_motion *motion)
{
    bool found = motion_is_for_stage(motion);
    for (size_t i = 0; i < scene->model_count && !found; i++)
        found = !scene->models[i].is_accessory && !scene->models[i].is_backdrop &&
                moves_model(motion, scene->models[i].model);
    return found;
}

static void warn_of_motions(const warner *w)
{
    const plan *p = w->stage->plan;
    const odori_scene *scene = &w->stage->scene;
    for (size_t i = 0, number = 0; i < scene->motion_count; i++) {
        if (scene->motions[i].is_of_project)
            continue;
        bool is_pose = number >= p->motions.count;
        const plan_input *input =
            is_pose ? &p->poses.items[number - p->motions.count] : &p->motions.items[number];
        number++;
        const char *what = is_pose ? "pose" : "motion";
        if (scene->motions[i].motion->cut)
            warn(w, what, input->given, " ends inside a section; its complete keys are used");
        if (!fits(scene, scene->motions[i].motion))
            warn(w, what, input->given, " fits nothing on the stage: no bone or morph has a name of it");
    }
}

static void warn_of_camera(const warner *w)
{
    const char *given = w->stage->plan->camera.given;
    if (w->stage->camera && w->stage->camera->cut)
        warn(w, "camera", given, " ends inside a section; its complete keys are used");
    if (w->stage->camera && !motion_is_for_stage(w->stage->camera))
        warn(w, "camera", given, " has no camera, light or self shadow keys");
}

void plan_stage_warnings(const plan_stage *stage, const mmd_view *view,
                         void (*tell)(void *user, const char *sentence), void *user)
{
    const warner w = {stage, tell, user};
    const char *at = (const char *)stage->attachments.data, *end = at ? at + stage->attachments.size : at;
    warn_of_models(&w, view);
    for (; at < end; at += strlen(at) + 1)
        tell(user, at);
    warn_of_motions(&w);
    warn_of_camera(&w);
}
