/* Recipes. Settings are checked and applied with the option tables of the command line. */
#include "recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "files/png_text.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"
#include "provenance.h"

void recipe_init(recipe *r, bool physics)
{
    *r = (recipe){.size = {1280, 720}, .start = NAN, .exec = ""};
    scene_options_init(&r->scene);
    view_options_init(&r->view);
    physics_settings_init(&r->physics, physics);
}

void recipe_finish(recipe *r)
{
    scene_options_finish(&r->scene);
    mmd_arena_finish(&r->arena);
}

bool recipe_set_size(recipe *r, const char *value, option_error *error)
{
    r->has_size = true;
    return set_picture_size(&r->size, value, error);
}

static bool add_inputs(const scene_inputs *from, scene_inputs *to)
{
    for (size_t i = 0; i < from->count; i++)
        if (!scene_inputs_add(to, &from->items[i]))
            return false;
    return true;
}

bool recipe_add_files(recipe *r, const recipe *from)
{
    const bool has_stage = r->scene.stage.given != NULL; /* motions of the other one are left out */
    if (!r->scene.camera.given)
        r->scene.camera = from->scene.camera;
    if (!has_stage)
        r->scene.stage = from->scene.stage;
    bool ok = add_inputs(&from->scene.files, &r->scene.files);
    for (size_t i = 0; ok && i < from->scene.motions.count; i++)
        if (!(has_stage && from->scene.motions.items[i].is_of_stage))
            ok = scene_inputs_add_motion(&r->scene.motions, &from->scene.motions.items[i]);
    return ok && add_inputs(&from->scene.poses, &r->scene.poses);
}

/* --- Settings --- */

static const option *find_option(const option_group *group, const char *name)
{
    for (size_t i = 0; i < group->count; i++)
        if (group->options[i].name && strcmp(group->options[i].name, name) == 0)
            return &group->options[i];
    return NULL;
}

static bool set_option(const option_group *groups, size_t count, const recipe_setting *setting,
                       option_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const option *o = find_option(&groups[i], setting->name);
        if (o)
            return o->set(groups[i].target, setting->value, error);
    }
    if (strncmp(setting->name, "ik", 2) == 0) /* "ik" and "ik_step_by_link" of earlier versions */
        return option_fail(error, EXIT_INPUT,
                           "IK is MMD's own and has no settings any more: remove this one");
    return option_fail(error, EXIT_INPUT, "unknown setting");
}

/* Parses one setting with the option tables of the command line. */
static bool apply(const recipe_setting *setting, view_options *view, physics_settings *physics,
                  option_error *error)
{
    const option_group groups[] = {group_of_view(view), group_of_physics(physics)};
    return set_option(groups, sizeof groups / sizeof *groups, setting, error);
}

bool recipe_set(recipe_settings *settings, const char *name, const char *value, option_error *error)
{
    view_options view;
    physics_settings physics;
    recipe_setting setting = {name, value};
    view_options_init(&view);
    physics_settings_init(&physics, true);
    if (!apply(&setting, &view, &physics, error))
        return false;
    for (size_t i = 0; i < settings->count; i++) {
        if (strcmp(settings->items[i].name, name) == 0) {
            settings->items[i] = setting;
            return true;
        }
    }
    if (settings->count == RECIPE_SETTINGS_MAX)
        return option_fail(error, EXIT_INPUT, "more than %d settings", RECIPE_SETTINGS_MAX);
    settings->items[settings->count++] = setting;
    return true;
}

bool recipe_may_have(const recipe_settings *settings, uint64_t most, option_error *error)
{
    recipe r = {0};
    view_options_init(&r.view);
    recipe_apply(&r, settings);
    if (r.view.texture_memory <= MMD_TEXTURE_MEMORY_MIB || r.view.texture_memory <= most)
        return true;
    return option_fail(error, EXIT_INPUT,
                       "more memory for textures than a file may ask for; --texture-memory %llu allows it",
                       (unsigned long long)r.view.texture_memory);
}

bool recipe_is_physics(const char *name)
{
    physics_settings physics = {0};
    const option_group group = group_of_physics(&physics);
    return find_option(&group, name) != NULL;
}

void recipe_list_settings(int argc, char **argv, recipe_settings *settings)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char name[64];
        option_error error = {0};
        size_t length = strcspn(argv[i], "=");
        if (strncmp(argv[i], "--", 2) != 0 || length - 2 >= sizeof name)
            continue;
        memcpy(name, argv[i] + 2, length - 2);
        name[length - 2] = '\0';
        const char *value = argv[i][length] ? argv[i] + length + 1 : i + 1 < argc ? argv[i + 1] : "";
        recipe_settings one = {0};
        if (!recipe_set(&one, name, value, &error))
            continue;
        argv[i][length] = '\0'; /* cut "--edge=off" so that the name ends here; it outlives this call */
        recipe_set(settings, argv[i] + 2, value, &error);
    }
}

void recipe_apply(recipe *r, const recipe_settings *settings)
{
    option_error ignored = {0};
    for (size_t i = 0; i < settings->count; i++)
        apply(&settings->items[i], &r->view, &r->physics, &ignored);
}

/* --- A picture in place of models --- */

/* Replaces the recipe's only file by the contents of a picture. */
static mmd_status take(recipe *r, const recipe *picture, mmd_error *error)
{
    r->scene.files.count = 0;
    if (!recipe_add_files(r, picture))
        return mmd_error_memory(error);
    recipe_apply(r, &picture->settings);
    r->frames = picture->frames;
    r->frame_count = picture->frame_count;
    r->start = picture->start;
    r->exec = picture->exec;
    r->picture = picture->picture;
    r->scene.most_models = picture->scene.most_models;
    return MMD_OK;
}

mmd_status recipe_take_picture(recipe *r, bool is_own, mmd_error *error)
{
    bool may_be = r->scene.files.count == 1 && r->scene.files.items[0].kind == INPUT_FILE;
    const char *path = may_be ? r->scene.files.items[0].path : NULL;
    const text_list nowhere_else = {0};
    mmd_bytes bytes = {0};
    mmd_status status = MMD_OK;
    /* Errors of reading are reported later, when the file is loaded. */
    if (path && !mmd_locate_is_container(path) && mmd_locate_read(path, &bytes, NULL) == MMD_OK &&
        png_is(bytes.data, bytes.size)) {
        recipe picture;
        char *text = png_text_read(bytes.data, bytes.size, PROVENANCE_KEY);
        if (text) {
            const provenance_search search = {path, &nowhere_else, r->scene.most_models,
                                              r->view.texture_memory, is_own};
            status = provenance_read(text, &search, &r->arena, &picture, error);
        } else {
            status =
                mmd_error_set(error, MMD_ERROR_VALUE, "", MMD_NO_OFFSET,
                              "the picture has no scene to open: it was not made by odori, or edited since");
            mmd_error_set_file(error, path);
        }
        if (status == MMD_OK)
            status = take(r, &picture, error);
        mmd_free(text);
    }
    mmd_bytes_finish(&bytes);
    return status;
}
