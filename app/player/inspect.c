/* Inspects a pixel: the view lists its layers, and model and pose give names and values for the JSON output.
 */
#include "inspect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clipboard.h"
#include "command/commands.h"
#include "document/document.h"
#include "base/emit.h"
#include "base/system.h"
#include "ui/inspection.h"
#include "mmd/memory.h"
#include "document/open.h"
#include "player_internal.h"
#include "window.h"

static const char *texture_name(const mmd_model *model, int32_t texture)
{
    return texture >= 0 && (uint32_t)texture < model->texture_count ? model->textures[texture] : "";
}

/* Returns the position of an actor in the drawing order. */
static size_t order_of(const mmd_stage *stage, uint32_t actor)
{
    size_t at = 0;
    while (at + 1 < mmd_stage_actor_count(stage) && mmd_stage_draw_order(stage)[at] != actor)
        at++;
    return at;
}

static void emit_flags(emitter *e, uint8_t flags)
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

static void emit_material(emitter *e, const scene_model *m, uint32_t index)
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
    emit_flags(e, material->flags);
}

static void emit_bones(emitter *e, const mmd_model *model, const inspect_weight *weights, size_t count)
{
    emit_key(e, "bones");
    emit_open(e, '[');
    for (size_t i = 0; i < count; i++) {
        emit_open(e, '{');
        emit_member_whole(e, "bone", weights[i].bone);
        emit_member_text(e, "name",
                         weights[i].bone < model->bone_count ? model->bones[weights[i].bone].name : "");
        emit_member_real(e, "weight", (double)weights[i].weight);
        emit_close(e, '}');
    }
    emit_close(e, ']');
}

/* Writes the corners of the triangle, with their share of the pixel and their weights. */
static void emit_corners(emitter *e, const mmd_model *model, const mmd_view_layer *layer)
{
    static const char *const deforms[] = {"BDEF1", "BDEF2", "BDEF4", "SDEF", "QDEF"};
    emit_key(e, "corners");
    emit_open(e, '[');
    for (int i = 0; i < 3; i++) {
        inspect_weight weights[INSPECT_BONES];
        size_t count = inspect_corner(model, layer->corners[i], weights);
        uint8_t deform = model->vertices.deform[layer->corners[i]];
        emit_open(e, '{');
        emit_member_whole(e, "vertex", layer->corners[i]);
        emit_member_real(e, "part", (double)layer->parts[i]);
        emit_member_text(e, "deform", deform < 5 ? deforms[deform] : "");
        emit_bones(e, model, weights, count);
        emit_close(e, '}');
    }
    emit_close(e, ']');
}

/* Writes what the colour of a layer was computed from. */
static void emit_terms(emitter *e, const mmd_render_sample *sample)
{
    emit_member_floats(e, "base_color", sample->base_color, 4);
    emit_member_floats(e, "texture_color", sample->texture, 4);
    emit_member_floats(e, "sphere_color", sample->sphere, 4);
    emit_member_real(e, "toon_place", (double)sample->toon_place);
    emit_member_floats(e, "toon_color", sample->toon, 3);
    emit_member_real(e, "light", (double)sample->light);
    emit_member_real(e, "highlight", (double)sample->highlight);
}

/* Normalises a vector; a zero vector stays zero. */
static void unit(const float v[3], float out[3])
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        out[k] = length > 0 ? v[k] / length : 0;
}

static void emit_layer(emitter *e, const mmd_model *model, const mmd_view_layer *layer)
{
    float normal[3];
    inspect_weight weights[INSPECT_BONES];
    unit(layer->normal, normal);
    emit_open(e, '{');
    emit_member_whole(e, "model", layer->actor);
    emit_member_whole(e, "material", layer->material);
    emit_member_text(e, "material_name", model->materials[layer->material].name);
    emit_member_bool(e, "edge", layer->edge);
    emit_member_whole(e, "triangle", layer->triangle);
    emit_member_bool(e, "drawn", layer->drawn);
    emit_member_real(e, "share", (double)layer->share);
    emit_member_real(e, "depth", (double)layer->sample.depth);
    emit_member_floats(e, "color", layer->sample.color, 4);
    if (!layer->edge)
        emit_terms(e, &layer->sample);
    emit_member_floats(e, "position", layer->position, 3);
    emit_member_floats(e, "normal", normal, 3);
    emit_member_floats(e, "uv", layer->uv, 2);
    emit_bones(e, model, weights, inspect_weights(model, layer, weights));
    emit_corners(e, model, layer);
    emit_close(e, '}');
}

/* Writes the members of the front layer. */
static void emit_front(emitter *e, const odori_session *s, const mmd_view_layer *front)
{
    const scene_model *m = &s->scene->models[front->actor];
    inspect_weight weights[INSPECT_BONES];
    emit_member_whole(e, "model", front->actor);
    emit_member_text(e, "file", m->path);
    emit_member_whole(e, "draw_order", (int64_t)order_of(s->scene->stage, front->actor));
    emit_material(e, m, front->material);
    if (!inspect_weights(m->model, front, weights) || weights[0].bone >= m->model->bone_count)
        return;
    emit_member_whole(e, "bone", weights[0].bone);
    emit_member_text(e, "bone_name", m->model->bones[weights[0].bone].name);
}

/* Writes an error and returns false. */
static bool refuse(char *error, const char *why)
{
    snprintf(error, REFUSAL_MAX, "%s", why);
    return false;
}

/* Prints an inspected pixel as a line of JSON. */
static void emit_pixel(const odori_session *s, const odori_inspection *seen, FILE *out)
{
    emitter e = {.out = out};
    const mmd_view_layer *front = inspect_front(seen);
    emit_open(&e, '{');
    if (front)
        emit_front(&e, s, front);
    emit_key(&e, "layers");
    emit_open(&e, '[');
    for (size_t i = 0; i < seen->count; i++)
        emit_layer(&e, s->scene->models[seen->layers[i].actor].model, &seen->layers[i]);
    emit_close(&e, ']');
    emit_close(&e, '}');
    fputc('\n', out);
    fflush(out);
}

bool inspect_copy(odori_session *s, char *error)
{
    system_memory memory;
    if (!player_inspection(s))
        return refuse(error, "no pixel was inspected; use `view.inspect X Y` first");
    if (!system_memory_open(&memory))
        return refuse(error, "out of memory");
    emit_pixel(s, player_inspection(s), memory.stream);
    char *text = system_memory_close(&memory);
    bool put = text ? clipboard_put_text(s, text, error) : refuse(error, "out of memory");
    free(text);
    return put;
}

void inspect_close(odori_session *s)
{
    player_parts *player = player_of(s);
    if (player) {
        mmd_free(player->inspection);
        player->inspection = NULL;
    }
    s->changed = true;
}

bool inspect_pixel(odori_session *s, double x, double y, char *error)
{
    mmd_error why = {0};
    const gizmo_mouse_view view = player_view(s);
    if (!document_of(s)->opener || !document_of(s)->opener->screen || view.width == 0)
        return refuse(error, "there is no window: use `play`");
    if (!(x >= 0 && x < view.width && y >= 0 && y < view.height))
        return refuse(error, "the pixel is outside of the picture");
    odori_inspection *seen = mmd_alloc(sizeof *seen);
    if (!seen)
        return refuse(error, "out of memory");
    inspect_close(s);
    player_of(s)->inspection = seen; /* player_of is not NULL, since there is a window */
    seen->count = 0;
    seen->pixel =
        (mmd_view_pixel){.width = view.width, .height = view.height, .x = (uint32_t)x, .y = (uint32_t)y};
    if (mmd_view_inspect(document_of(s)->opener->screen->view, s->scene->stage, &s->view, &seen->pixel,
                         seen->layers, INSPECT_LAYERS, &seen->count, &why) != MMD_OK) {
        inspect_close(s);
        return refuse(error, why.message);
    }
    emit_pixel(s, seen, stdout);
    return true;
}
