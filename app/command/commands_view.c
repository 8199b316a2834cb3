/* Commands for what is drawn, and how. */
#include <string.h>

#include "command_group.h"
#include "base/parse.h"

/* Switches one feature of the view on or off; the command's name selects which. */
static bool view_switch(odori_session *s, const command_arguments *a, char *error)
{
    const struct {
        const char *name;
        bool *on;
    } switches[] = {
        {"view.edge", &s->view.edge},
        {"view.grid", &s->view.grid},
        {"view.self-shadow", &s->view.self_shadow},
        {"view.ground-shadow", &s->view.ground_shadow},
        {"view.bodies", &s->view.show_bodies},
        {"view.joints", &s->view.show_joints},
        {"view.contacts", &s->view.show_contacts},
        {"view.bones", &s->view.show_bones},
        {"view.wireframe", &s->view.show_wireframe},
        {"view.normals", &s->view.show_normals},
    };
    (void)error;
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (strcmp(a->name, switches[i].name) == 0)
            *switches[i].on = a->on[0];
    s->changed = true;
    return true;
}

/* Shows models in a debugging style; off returns to the normal picture if that style was on. */
static bool show_surface(odori_session *s, mmd_surface surface, bool on)
{
    if (on)
        s->view.surface = surface;
    else if (s->view.surface == surface)
        s->view.surface = MMD_SURFACE_PICTURE;
    s->changed = true;
    return true;
}

/* Shows models in grey, or returns to the normal picture. */
static bool view_clay(odori_session *s, const command_arguments *a, char *error)
{
    (void)error;
    return show_surface(s, MMD_SURFACE_CLAY, a->on[0]);
}

/* Colours the model by how much a bone moves each vertex. */
static bool view_weights(odori_session *s, const command_arguments *a, char *error)
{
    uint32_t bone;
    if (strcmp(a->word[0], "off") == 0)
        return show_surface(s, MMD_SURFACE_WEIGHTS, false);
    if (!session_find_bone(s, a->word[0], &bone, error))
        return false;
    s->view.weights_actor = (uint32_t)s->selected;
    s->view.weights_bone = bone;
    return show_surface(s, MMD_SURFACE_WEIGHTS, true);
}

/* Colours surfaces by the model, material or bone they belong to. */
static bool view_ids(odori_session *s, const command_arguments *a, char *error)
{
    static const struct {
        const char *name;
        mmd_surface surface;
    } known[] = {
        {"model", MMD_SURFACE_MODELS}, {"material", MMD_SURFACE_MATERIALS}, {"bone", MMD_SURFACE_BONES}};
    if (strcmp(a->word[0], "none") == 0)
        return show_surface(s, s->view.surface, s->view.surface < MMD_SURFACE_MODELS);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(a->word[0], known[i].name) == 0)
            return show_surface(s, known[i].surface, true);
    return refuse_with(error, "\"%.40s\" is not model, material, bone or none", a->word[0]);
}

/* Selects lighting per vertex, as MMD, or per pixel. */
static bool view_shading(odori_session *s, const command_arguments *a, char *error)
{
    bool smooth = strcmp(a->word[0], "smooth") == 0;
    if (!smooth && strcmp(a->word[0], "mmd") != 0)
        return refuse_with(error, "\"%.40s\" is not mmd or smooth", a->word[0]);
    s->view.shading = smooth ? MMD_SHADING_SMOOTH : MMD_SHADING_MMD;
    s->changed = true;
    return true;
}

/* Sets the colour behind the scene, or makes it transparent. */
static bool view_background(odori_session *s, const command_arguments *a, char *error)
{
    float color[4] = {0};
    if (strcmp(a->word[0], "transparent") != 0) {
        if (!parse_color(a->word[0], color))
            return refuse_with(error, "\"%.40s\" is not RRGGBB or transparent", a->word[0]);
        color[3] = 1.0f;
    }
    memcpy(s->view.background, color, sizeof color);
    s->changed = true;
    return true;
}

static const command commands[] = {
    {"view.edge", "s", "on|off", "draws outlines", view_switch, .replay = REPLAY_RUNS},
    {"view.grid", "s", "on|off", "draws the grid and the axes", view_switch, .replay = REPLAY_RUNS},
    {"view.self-shadow", "s", "on|off", "draws shadows of models on each other", view_switch,
     .replay = REPLAY_RUNS},
    {"view.ground-shadow", "s", "on|off", "draws flat shadows on the ground", view_switch,
     .replay = REPLAY_RUNS},
    {"view.shading", "w", "mmd|smooth", "computes light at vertices (mmd) or at pixels", view_shading,
     .replay = REPLAY_RUNS},
    {"view.bodies", "s", "on|off",
     "draws rigid and soft bodies as lines: green follows a bone, red and blue are simulated", view_switch,
     .replay = REPLAY_RUNS},
    {"view.joints", "s", "on|off", "draws the joints of bodies", view_switch, .replay = REPLAY_RUNS},
    {"view.contacts", "s", "on|off", "draws the contacts of bodies", view_switch, .replay = REPLAY_RUNS},
    {"view.bones", "s", "on|off", "draws bones as lines: blue, those of IK orange, hidden ones grey",
     view_switch, .replay = REPLAY_RUNS},
    {"view.wireframe", "s", "on|off", "draws triangles as lines over the picture", view_switch,
     .replay = REPLAY_RUNS},
    {"view.clay", "s", "on|off", "draws models in grey, without materials and outlines", view_clay,
     .replay = REPLAY_RUNS},
    {"view.ids", "w", "model|material|bone|none",
     "colours surfaces by what they belong to; the low four bits of red, green, blue are its index", view_ids,
     .replay = REPLAY_RUNS},
    {"view.normals", "s", "on|off", "draws normals of vertices as lines", view_switch, .replay = REPLAY_RUNS},
    {"view.weights", "w", "BONE|off",
     "colours surfaces by how much a bone moves them: blue little, red all, grey nothing", view_weights,
     .replay = REPLAY_RUNS},
    {"view.background", "w", "RRGGBB|transparent", "colour of the background", view_background,
     .replay = REPLAY_RUNS},
};

const command_group commands_of_view = {commands, sizeof commands / sizeof *commands};
