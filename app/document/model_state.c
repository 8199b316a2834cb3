#include "model_state.h"

#include <math.h>
#include <string.h>

#include "mmd/cursor.h"
#include "mmd/simulation.h"
#include "base/parse.h"
#include "edit/state_lines.h"
#include "base/tokenize.h"

const char *const model_state_commands[] = {"morph.set",     "material.show", "model.place", "model.opacity",
                                            "model.visible", "model.shadow",  "physics",     NULL};

static void write_morphs(const odori_session *s, size_t i, mmd_buffer *out)
{
    const mmd_model *model = s->scene->models[i].model;
    for (uint32_t k = 0; k < model->morph_count; k++) {
        float weight = history_weight(&s->history, i, k);
        bool is_first = mmd_model_find_morph(model, model->morphs[k].name) == (int32_t)k;
        if (isnan(weight) || !is_first)
            continue;
        mmd_write_format(out, "morph.set ");
        token_quote(model->morphs[k].name, out);
        mmd_write_format(out, " %.9g\n", (double)weight);
    }
}

/* As everything stands that nobody has moved. */
static bool is_placed(const mmd_staging *staging)
{
    const mmd_staging plain = mmd_default_staging();
    return memcmp(staging->position, plain.position, sizeof plain.position) != 0 ||
           memcmp(staging->rotation, plain.rotation, sizeof plain.rotation) != 0 ||
           staging->scale != plain.scale;
}

static void write_staging(const odori_session *s, size_t i, mmd_buffer *out)
{
    const mmd_staging *staging = mmd_stage_staging(s->scene->stage, i);
    if (s->scene->models[i].project || staging->parent || mmd_stage_has_staging_keys(s->scene->stage, i))
        return;
    if (is_placed(staging)) {
        mmd_write_format(out, "model.place");
        for (int k = 0; k < 3; k++)
            mmd_write_format(out, " %.9g", (double)staging->position[k]);
        for (int k = 0; k < 3; k++)
            mmd_write_format(out, " %.9g", (double)staging->rotation[k] / DEGREE);
        mmd_write_format(out, " %.9g\n", (double)staging->scale);
    }
    if (staging->opacity != 1.0f)
        mmd_write_format(out, "model.opacity %.9g\n", (double)staging->opacity);
    if (!staging->visible)
        mmd_write_format(out, "model.visible off\n");
    if (!staging->self_shadow && !staging->ground_shadow)
        mmd_write_format(out, "model.shadow off\n");
}

void model_state_write(const odori_session *s, size_t i, mmd_buffer *out)
{
    bool is_main = scene_main_model(s->scene) == i;
    write_staging(s, i, out);
    state_lines_materials(&s->scene->models[i], out);
    write_morphs(s, i, out);
    if (is_main && !s->scene->physics.on_given && s->scene->physics.on && !mmd_stage_physics(s->scene->stage))
        mmd_write_format(out, "physics off\n");
}

bool model_state_applies(const odori_session *s, size_t i, const char *line)
{
    if (strncmp(line, "physics", 7) == 0)
        return !s->scene->physics.on_given && scene_main_model(s->scene) == i;
    return strncmp(line, "model.place", 11) != 0 || !is_placed(mmd_stage_staging(s->scene->stage, i));
}
