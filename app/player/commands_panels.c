/* Commands for the player's panels, and for materials, which nothing else shows and hides. */
#include <math.h>
#include <string.h>

#include "player.h"

/* Scales of texts that can still be read, or still fit a window. */
#define SCALE_MIN 0.5
#define SCALE_MAX 4.0

static bool panels(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->panels.shown = a->on[0];
    s->changed = true;
    return true;
}

static bool panels_timeline(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->panels.no_timeline = !a->on[0];
    s->changed = true;
    return true;
}

static bool panels_sheet(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->panels.sheet = a->on[0];
    s->changed = true;
    return true;
}

static bool panels_toggle(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    s->panels.shown = !s->panels.shown;
    s->changed = true;
    return true;
}

static bool panels_page(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const names[PANEL_PAGES] = {
        [PANEL_MODELS] = "models", [PANEL_MORPHS] = "morphs",         [PANEL_BONES] = "bones",
        [PANEL_EDIT] = "edit",     [PANEL_MATERIALS] = "materials",   [PANEL_PHYSICS] = "physics",
        [PANEL_VIEW] = "view",     [PANEL_STATISTICS] = "statistics", [PANEL_LOG] = "log",
    };
    size_t page = token_find(names, PANEL_PAGES, a->word[0]);
    if (page == PANEL_PAGES)
        return refuse_with(error,
                              "\"%.40s\" is no page; there are models, morphs, bones, edit, materials, "
                              "physics, view, statistics and log",
                              a->word[0]);
    s->panels.page = (panel_page)page;
    s->panels.shown = s->changed = true;
    return true;
}

static bool panels_language(odori_session *s, const command_arguments *a, char *error)
{
    static const char *const names[] = {"auto", "en", "ja"};
    size_t language = token_find(names, 3, a->word[0]);
    if (language == 3)
        return refuse_with(error, "\"%.40s\" is not auto, en or ja", a->word[0]);
    s->panels.language = (panel_language)language;
    s->changed = true;
    return true;
}

static bool panels_scale(odori_session *s, const command_arguments *a, char *error)
{
    if (a->number[0] != 0 && (a->number[0] < SCALE_MIN || a->number[0] > SCALE_MAX))
        return refuse_with(error, "a scale of %g is not 0 or from %g to %g", a->number[0], SCALE_MIN,
                              SCALE_MAX);
    s->panels.scale = a->number[0];
    s->changed = true;
    return true;
}

static bool panels_passes(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    s->panels.passes = a->on[0];
    s->changed = true;
    return true;
}

/* Materials of the selected model. */

static const scene_model *selected(const odori_session *s, char *error)
{
    if (s->selected < s->scene->model_count)
        return &s->scene->models[s->selected];
    refuse_with(error, "there is no model");
    return NULL;
}

static const scene_model *find_material(const odori_session *s, double number, uint32_t *material,
                                        char *error)
{
    const scene_model *m = selected(s, error);
    if (!m)
        return NULL;
    if (number != floor(number) || number < 0 || number >= m->model->material_count) {
        refuse_with(error, "there is no material %g; there are %u, the first is 0", number,
                       m->model->material_count);
        return NULL;
    }
    *material = (uint32_t)number;
    return m;
}

static bool material_show(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t material;
    const scene_model *m = find_material(s, a->number[0], &material, error);
    if (!m)
        return false;
    mmd_actor_hide_material(m->actor, material, !a->on[1]);
    s->changed = true;
    return true;
}

static bool material_solo(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t material;
    const scene_model *m = find_material(s, a->number[0], &material, error);
    if (!m)
        return false;
    for (uint32_t i = 0; i < m->model->material_count; i++)
        mmd_actor_hide_material(m->actor, i, i != material);
    s->changed = true;
    return true;
}

static bool material_all(odori_session *s, const command_arguments *a, char *error)
{
    const scene_model *m = selected(s, error);
    if (!m)
        return false;
    for (uint32_t i = 0; i < m->model->material_count; i++)
        mmd_actor_hide_material(m->actor, i, !a->on[0]);
    s->changed = true;
    return true;
}

static const command commands[] = {
    {"material.show", "rs", "NUMBER on|off", "draws a material, or not; the first of the model is 0",
     material_show},
    {"material.solo", "r", "NUMBER", "draws this one alone", material_solo},
    {"material.all", "s", "on|off", "draws all, or none", material_all},
    {"panels", "s", "on|off", "models, morphs, bones … beside the picture (play)", panels},
    {"panels.toggle", "", "", "shows them, or hides them", panels_toggle},
    {"panels.timeline", "s", "on|off", "the timeline where the pointer moves (play)", panels_timeline},
    {"panels.sheet", "s", "on|off", "keys of what is selected above the timeline, and their curves (play)",
     panels_sheet},
    {"panels.page", "w", "models|morphs|bones|edit|materials|physics|view|statistics|log",
     "shows them, at this page", panels_page},
    {"panels.language", "w", "auto|en|ja", "of their texts; auto: the environment's", panels_language},
    {"panels.scale", "r", "FACTOR", "size of their texts, 0.5 to 4; 0: the display's", panels_scale},
    {"panels.passes", "s", "on|off", "statistics of each pass of drawing, which make it slower",
     panels_passes},
};

const command_group commands_of_panels = {commands, sizeof commands / sizeof *commands};
