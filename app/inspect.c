/* Who a pixel belongs to comes from the id pass; what is said of them from model and pose. */
#include "inspect.h"

#include <stdio.h>

#include "commands.h"
#include "emit.h"
#include "mmd/memory.h"
#include "opener.h"
#include "window.h"

static const char *texture_name(const mmd_model *model, int32_t texture)
{
    return texture >= 0 && (uint32_t)texture < model->texture_count ? model->textures[texture] : "";
}

static size_t order_of(const mmd_stage *stage, uint32_t actor)
{
    size_t at = 0;
    while (at + 1 < mmd_stage_actor_count(stage) && mmd_stage_draw_order(stage)[at] != actor)
        at++;
    return at;
}

static void tell_flags(emitter *e, uint8_t flags)
{
    static const struct {
        const char *name;
        uint8_t bit;
    } known[] = {{"two_sided", MMD_MATERIAL_TWO_SIDED},
                 {"ground_shadow", MMD_MATERIAL_GROUND_SHADOW},
                 {"casts_shadow", MMD_MATERIAL_CASTS_SHADOW},
                 {"receives_shadow", MMD_MATERIAL_RECEIVES_SHADOW},
                 {"edge", MMD_MATERIAL_EDGE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        emit_member_bool(e, known[i].name, (flags & known[i].bit) != 0);
}

static void tell_material(emitter *e, const scene_model *m, uint32_t index)
{
    const mmd_material *material = &m->model->materials[index];
    const mmd_material_values *values = &mmd_pose_materials(mmd_actor_pose(m->actor))[index];
    emit_member_whole(e, "material", index);
    emit_member_text(e, "material_name", material->name);
    emit_member_text(e, "texture", texture_name(m->model, material->texture));
    emit_member_text(e, "sphere", texture_name(m->model, material->sphere));
    if (material->shared_toon)
        emit_member_whole(e, "shared_toon", material->toon + 1);
    else
        emit_member_text(e, "toon", texture_name(m->model, material->toon));
    emit_member_real(e, "alpha", (double)values->diffuse[3]);
    tell_flags(e, material->flags);
}

static void tell(const odori_session *s, const uint32_t id[3])
{
    emitter e = {.out = stdout};
    emit_open(&e, '{');
    if (id[0] != MMD_VIEW_NO_ID && id[0] < s->scene->model_count) {
        const scene_model *m = &s->scene->models[id[0]];
        emit_member_whole(&e, "model", id[0]);
        emit_member_text(&e, "file", m->path);
        emit_member_whole(&e, "draw_order", (int64_t)order_of(s->scene->stage, id[0]));
        if (id[1] < m->model->material_count)
            tell_material(&e, m, id[1]);
        if (id[2] < m->model->bone_count) {
            emit_member_whole(&e, "bone", id[2]);
            emit_member_text(&e, "bone_name", m->model->bones[id[2]].name);
        }
    }
    emit_close(&e, '}');
    putchar('\n');
    fflush(stdout);
}

static bool refuse(char *error, const char *why)
{
    snprintf(error, COMMAND_ERROR_MAX, "%s", why);
    return false;
}

bool inspect_pixel(odori_session *s, double x, double y, char *error)
{
    uint32_t width = 0, height = 0;
    mmd_error why = {0};
    if (s->opener && s->opener->screen && s->window)
        window_pixels(s->window, &width, &height);
    if (width == 0 || height == 0)
        return refuse(error, "there is no window to look at");
    if (!(x >= 0 && x < width && y >= 0 && y < height))
        return refuse(error, "that is outside of the window");
    uint32_t(*ids)[3] = mmd_alloc((size_t)width * height * sizeof *ids);
    if (!ids)
        return refuse(error, "out of memory");
    bool drawn =
        mmd_view_ids(s->opener->screen->view, s->scene->stage, &s->view, width, height, ids, &why) == MMD_OK;
    if (drawn)
        tell(s, ids[(size_t)y * width + (size_t)x]);
    mmd_free(ids);
    s->changed = true;
    return drawn || refuse(error, why.message);
}
