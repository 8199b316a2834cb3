/* A picture's plan becomes options before the scene is loaded, and commands and a frame once it is. */
#include "restore.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "command/commands.h"
#include "mmd/source.h"
#include "files/locate.h"
#include "files/png_text.h"
#include "provenance.h"
#include "scene/scene_own.h"

static int tell(const problem *why)
{
    if (why->code != EXIT_DONE)
        message("%s", why->text);
    return why->code;
}

static int read_plan(restored *r, const char *path, const mmd_bytes *bytes)
{
    problem why = {0};
    const text_list nowhere_else = {0};
    const provenance_places places = {path, &nowhere_else};
    char *text = png_text_read(bytes->data, bytes->size, PROVENANCE_KEY);
    if (!text)
        problem_set(&why, EXIT_INPUT, "%s: a picture that does not say how it was made", path);
    else
        r->found = provenance_read(text, &places, &r->arena, &r->plan, &why);
    mmd_free(text);
    return tell(&why);
}

static bool add_inputs(const plan_inputs *inputs, const char *dancers, text_list *list)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (!text_list_add(list, plan_is_dancer(&inputs->items[i]) ? dancers : inputs->items[i].path))
            return false;
    return true;
}

/* Motions of every model, and of one of them alone. */
static bool add_motions(const plan_inputs *inputs, const char *dancers, scene_options *scene)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const plan_input *input = &inputs->items[i];
        own_wish wish = {.kind = OWN_MOTION,
                         .model = input->owner - 1,
                         .path = plan_is_dancer(input) ? dancers : input->path};
        if (!(input->owner ? own_wishes_add(&scene->own, &wish) : text_list_add(&scene->motions, wish.path)))
            return false;
    }
    return true;
}

static bool wants_dancer(const plan *p)
{
    bool wants = plan_is_dancer(&p->camera);
    for (size_t i = 0; i < p->models.count; i++)
        wants |= plan_is_dancer(&p->models.items[i]);
    for (size_t i = 0; i < p->motions.count; i++)
        wants |= plan_is_dancer(&p->motions.items[i]);
    return wants;
}

static int fill_options(restored *r, scene_options *scene, view_options *view, physics_settings *physics)
{
    const plan *p = &r->plan;
    if (wants_dancer(p) && bundled_find(&r->dancer) != EXIT_DONE)
        return EXIT_INPUT;
    scene->files.count = 0;
    if (!add_inputs(&p->models, r->dancer.model, &scene->files) ||
        !add_motions(&p->motions, r->dancer.dance, scene)) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    if (p->camera.given && !scene->camera)
        scene->camera = plan_is_dancer(&p->camera) ? r->dancer.camera : p->camera.path;
    if (p->stage.given && !scene->stage)
        scene->stage = p->stage.path;
    plan_apply(&p->settings, view, scene, physics);
    return EXIT_DONE;
}

int restore_options(restored *r, scene_options *scene, view_options *view, physics_settings *physics)
{
    mmd_bytes bytes = {0};
    int result = EXIT_DONE;
    /* A file that cannot be read is told of when it is loaded. */
    if (scene->files.count == 1 && !locate_is_container(scene->files.items[0]) &&
        locate_read(scene->files.items[0], &bytes, NULL) == MMD_OK && png_is(bytes.data, bytes.size)) {
        result = read_plan(r, scene->files.items[0], &bytes);
        if (result == EXIT_DONE)
            result = fill_options(r, scene, view, physics);
    }
    mmd_bytes_finish(&bytes);
    return result;
}

int restore_session(const restored *r, odori_session *s)
{
    problem why = {0};
    if (!r->found)
        return EXIT_DONE;
    session_go(s, isnan(r->plan.start) ? r->plan.frames[0] : r->plan.start);
    if (!plan_run_commands(&r->plan, s, &why))
        return tell(&why);
    session_go(s, r->plan.frames[0]);
    s->playing = false;
    return EXIT_DONE;
}

void restore_finish(restored *r)
{
    mmd_arena_finish(&r->arena);
    *r = (restored){0};
}
