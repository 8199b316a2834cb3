/* Writes the contents of MMD projects. */
#include <stdio.h>
#include <string.h>

#include "info.h"

/* Writes a model of the project. */
static void write_model(facts *f, const mmd_project_model *m)
{
    char title[128];
    int64_t bone_keys = 0, morph_keys = 0; /* every track has at least one, at frame 0 */
    for (uint32_t i = 0; i < m->bone_count; i++)
        bone_keys += m->bones[i].key_count;
    for (uint32_t i = 0; i < m->morph_count; i++)
        morph_keys += m->morphs[i].key_count;
    snprintf(title, sizeof title, "model %u", m->number);
    facts_open(f, NULL, title);
    facts_text(f, "name", "name", m->name.text);
    facts_text(f, "name_en", "English name", m->name_en.text);
    facts_text(f, "path", "path", m->path.text);
    facts_whole(f, "bones", "bones", m->bone_count);
    facts_whole(f, "bone_keys", "bone keyframes", bone_keys);
    facts_whole(f, "morphs", "morphs", m->morph_count);
    facts_whole(f, "morph_keys", "morph keyframes", morph_keys);
    facts_whole(f, "property_keys", "property keyframes", m->config_count);
    facts_whole(f, "last_frame", "last frame", m->last_frame);
    facts_whole(f, "draw_order", "drawing order", m->draw_order);
    facts_whole(f, "calc_order", "calculation order", m->calc_order);
    facts_bool(f, "visible", "visible", m->visible);
    facts_real(f, "edge_width", "edge width", (double)m->edge_width);
    facts_bool(f, "self_shadow", "self shadow", m->self_shadow);
    facts_bool(f, "additive", "additive", m->add_blend);
    facts_close(f);
}

/* Writes an accessory of the project. */
static void write_accessory(facts *f, const mmd_project_accessory *a)
{
    char title[128];
    snprintf(title, sizeof title, "accessory %u", a->number);
    facts_open(f, NULL, title);
    facts_text(f, "name", "name", a->name.text);
    facts_text(f, "path", "path", a->path.text);
    facts_whole(f, "keys", "keyframes", a->key_count);
    facts_whole(f, "draw_order", "drawing order", a->draw_order);
    facts_close(f);
}

/* Writes the numbers of models, accessories and keyframes. */
static void write_counts(facts *f, const mmd_project *p)
{
    int64_t follow_keys = 0;
    for (uint32_t i = 0; i < p->camera_count; i++)
        follow_keys += p->camera_keys[i].follow.model >= 0;
    facts_open(f, "counts", "counts");
    facts_whole(f, "models", "models", p->model_count);
    facts_whole(f, "accessories", "accessories", p->accessory_count);
    facts_whole(f, "camera_keys", "camera keyframes", p->camera_count);
    facts_whole(f, "follow_keys", "follow keyframes", follow_keys);
    facts_whole(f, "light_keys", "light keyframes", p->light_count);
    facts_whole(f, "self_shadow_keys", "self shadow keyframes", p->shadow_count);
    facts_whole(f, "gravity_keys", "gravity keyframes", p->gravity_count);
    facts_whole(f, "repairs", "repaired keyframe lists", p->repair_count);
    facts_whole(f, "trailing_bytes", "bytes after the end", p->trailing_size);
    facts_close(f);
}

/* Writes the settings of the view and the physics. */
static void write_view(facts *f, const mmd_project *p)
{
    static const char *const physics_modes[] = {"off", "always", "on/off mode", "trace mode"};
    facts_open(f, "view", "view");
    facts_whole(f, "width", "width", p->view_width);
    facts_whole(f, "height", "height", p->view_height);
    facts_bool(f, "information", "caption", p->show_information);
    facts_bool(f, "grid", "grid and axes", p->show_axis);
    facts_bool(f, "black_background", "black background", p->black_background);
    facts_bool(f, "ground_shadow", "ground shadow", p->show_ground_shadow);
    facts_real(f, "ground_shadow_brightness", "ground shadow brightness",
               (double)p->ground_shadow_brightness);
    facts_bool(f, "self_shadow", "self shadow", p->self_shadow_on);
    facts_real(f, "fps_limit", "frames per second", (double)p->fps_limit);
    facts_text(f, "physics", "physics", p->physics_mode < 4 ? physics_modes[p->physics_mode] : "unknown");
    facts_real(f, "gravity", "gravity", (double)p->gravity.acceleration);
    facts_bool(f, "physics_ground", "physics floor", p->physics_ground);
    facts_close(f);
}

void info_project(facts *f, const mmd_project *p)
{
    facts_text(f, "kind", "kind", mmd_project_version(p) == 1 ? "PMM 1" : "PMM 2");
    write_counts(f, p);
    write_view(f, p);
    facts_whole(f, "frame", "current frame", p->frame);
    if (p->from_on)
        facts_whole(f, "from", "plays from", p->from);
    if (p->to_on)
        facts_whole(f, "to", "plays to", p->to);
    facts_text(f, "wave", "sound", p->wave.text);
    facts_text(f, "background_video", "background video", p->avi.path.text);
    facts_bool(f, "background_video_shown", "video shown", p->avi_on);
    facts_text(f, "background_picture", "background picture", p->image.path.text);
    facts_bool(f, "background_picture_shown", "picture shown", p->image_on);

    /* Models and accessories are arrays in JSON and consecutive groups in text. */
    if (f->as_json) {
        emit_key(&f->json, "models");
        emit_open(&f->json, '[');
    }
    for (uint32_t i = 0; i < p->model_count; i++)
        write_model(f, &p->models[i]);
    if (f->as_json) {
        emit_close(&f->json, ']');
        emit_key(&f->json, "accessories");
        emit_open(&f->json, '[');
    }
    for (uint32_t i = 0; i < p->accessory_count; i++)
        write_accessory(f, &p->accessories[i]);
    if (f->as_json)
        emit_close(&f->json, ']');
}
