/* Commands for keys, mouse and window. */
#include <stdio.h>
#include <string.h>

#include "player.h"
#include "document/document.h"
#include "inspect.h"
#include "document/bindings.h"
#include "document/open_work.h"
#include "document/open.h"
#include "player_internal.h"
#include "window.h"

/* What is switched on and off: the command that does it, and whether it is on. */
typedef struct command_switch {
    const char *name;
    bool (*is_on)(const odori_session *s);
} command_switch;

#define VIEW_SWITCH(field)                                                                                   \
    static bool is_##field(const odori_session *s)                                                           \
    {                                                                                                        \
        return s->view.field;                                                                                \
    }

VIEW_SWITCH(edge)
VIEW_SWITCH(grid)
VIEW_SWITCH(self_shadow)
VIEW_SWITCH(ground_shadow)
VIEW_SWITCH(show_bodies)
VIEW_SWITCH(show_joints)
VIEW_SWITCH(show_contacts)
VIEW_SWITCH(show_bones)
VIEW_SWITCH(show_wireframe)
VIEW_SWITCH(show_normals)

static bool is_clay(const odori_session *s)
{
    return s->view.surface == MMD_SURFACE_CLAY;
}

static bool loops(const odori_session *s)
{
    return s->transport.loop;
}

static bool follows(const odori_session *s)
{
    return s->follow.on;
}

static bool has_perspective(const odori_session *s)
{
    return mmd_stage_camera(s->scene->stage)->perspective;
}

static bool is_mirrored(const odori_session *s)
{
    return s->scene->is_mirrored;
}

static bool lists_keys(const odori_session *s)
{
    return s->lists_keys;
}

static bool is_full(const odori_session *s)
{
    return player_window(s) && window_is_full(player_window(s));
}

static bool edits_both_sides(const odori_session *s)
{
    return s->selection.mirrors;
}

static bool snaps(const odori_session *s)
{
    return s->selection.snaps;
}

static bool is_sheet(const odori_session *s)
{
    return s->panels.sheet;
}

static const command_switch switches[] = {
    {"edit.mirror", edits_both_sides},
    {"gizmo.snap", snaps},
    {"play.loop", loops},
    {"play.mirror", is_mirrored},
    {"camera.follow", follows},
    {"camera.perspective", has_perspective},
    {"view.edge", is_edge},
    {"view.grid", is_grid},
    {"view.self-shadow", is_self_shadow},
    {"view.ground-shadow", is_ground_shadow},
    {"view.bodies", is_show_bodies},
    {"view.joints", is_show_joints},
    {"view.contacts", is_show_contacts},
    {"view.bones", is_show_bones},
    {"view.wireframe", is_show_wireframe},
    {"view.normals", is_show_normals},
    {"view.clay", is_clay},
    {"panels.sheet", is_sheet},
    {"keys", lists_keys},
    {"window.full", is_full},
};

/* Runs the command that says which, so that what is recorded means the same wherever it is repeated. */
static bool toggle(odori_session *s, const command_arguments *a, char *error)
{
    char line[64];
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (strcmp(a->word[0], switches[i].name) != 0)
            continue;
        int length = snprintf(line, sizeof line, "%s %s", a->word[0], switches[i].is_on(s) ? "off" : "on");
        return command_run(s, line, (size_t)length, error);
    }
    return refuse_with(error, "\"%.60s\" is nothing that is on or off", a->word[0]);
}

static bool keys(odori_session *s, const command_arguments *a, char *error)
{
    char text[6144];
    if (!document_of(s)->bindings)
        return refuse_with(error, "there are keys in play alone");
    s->lists_keys = a->on[0];
    s->changed = true;
    if (!s->lists_keys)
        return true;
    bindings_text(document_of(s)->bindings, text, sizeof text);
    fputs(text, stderr);
    return true;
}

static bool preset(odori_session *s, const command_arguments *a, char *error)
{
    bool left = strcmp(a->word[0], "left") == 0;
    if (!left && strcmp(a->word[0], "mmd") != 0)
        return refuse_with(error, "\"%.40s\" is not mmd or left", a->word[0]);
    s->preset = left ? INPUT_LEFT : INPUT_MMD;
    return true;
}

static bool has_window(const odori_session *s, char *error)
{
    return player_window(s) || refuse_with(error, "there is no window");
}

static bool window_full(odori_session *s, const command_arguments *a, char *error)
{
    if (!has_window(s, error))
        return false;
    window_set_full(player_window(s), a->on[0]);
    s->changed = true;
    return true;
}

static bool window_vsync(odori_session *s, const command_arguments *a, char *error)
{
    if (!has_window(s, error))
        return false;
    window_set_vsync(player_window(s), a->on[0]);
    return true;
}

static bool window_size(odori_session *s, const command_arguments *a, char *error)
{
    for (int k = 0; k < 2; k++)
        if (a->number[k] < 1 || a->number[k] > 16384)
            return refuse_with(error, "%g is not between 1 and 16384", a->number[k]);
    if (!has_window(s, error))
        return false;
    window_set_size(player_window(s), (uint32_t)a->number[0], (uint32_t)a->number[1]);
    return true;
}

static bool escape(odori_session *s, const command_arguments *a, char *error)
{
    (void)a, (void)error;
    if (s->lists_keys)
        s->lists_keys = false;
    else if (player_inspection(s))
        inspect_close(s);
    else if (document_of(s)->opener && open_work_cancel(document_of(s)->opener->work))
        s->changed = true;
    else if (s->selection.count)
        selection_clear(&s->selection);
    else if (player_window(s) && window_is_full(player_window(s)))
        window_set_full(player_window(s), false);
    else
        s->quit = true;
    s->changed = true;
    return true;
}

static const command commands[] = {
    {"toggle", "c", "COMMAND", "switches what a command switches: on where it is off", toggle},
    {"keys", "s", "on|off", "lists the keys, or not any more (play)", keys},
    {"input.preset", "w", "mmd|left", "the right button turns the camera, or the left one", preset},
    {"window.full", "s", "on|off", "the whole screen (play)", window_full},
    {"window.vsync", "s", "on|off", "pictures wait for the display (play)", window_vsync},
    {"window.size", "rr", "WIDTH HEIGHT", "of the window (play)", window_size},
    {"escape", "", "",
     "closes what lies over the picture, else stops what is being opened, else leaves the full screen, else ends "
     "the program (play)",
     escape},
};

const command_group commands_of_input = {commands, sizeof commands / sizeof *commands};
