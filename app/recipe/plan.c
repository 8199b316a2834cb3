/* A plan's settings, checked and applied by the tables of the command line; names for files. */
#include "plan.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "scene/bundled.h"

tolerance tolerance_none(void)
{
    return (tolerance){.limits = mmd_default_limits(), .threshold = 2};
}

static const option *find_option(const option_group *group, const char *name)
{
    for (size_t i = 0; i < group->count; i++)
        if (group->options[i].name && strcmp(group->options[i].name, name) == 0)
            return &group->options[i];
    return NULL;
}

static bool set_option(const option_group *groups, size_t count, const plan_setting *setting,
                       option_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const option *o = find_option(&groups[i], setting->name);
        if (o)
            return o->set(groups[i].target, setting->value, error);
    }
    return option_fail(error, EXIT_INPUT, "there is no such setting");
}

/* The same tables that the command line is read by. */
static bool apply(const plan_setting *setting, view_options *view, scene_options *scene,
                  physics_settings *physics, option_error *error)
{
    const option_group groups[] = {group_of_view(view), group_of_pose(scene), group_of_physics(physics)};
    return set_option(groups, sizeof groups / sizeof *groups, setting, error);
}

bool plan_set(plan_settings *settings, const char *name, const char *value, option_error *error)
{
    view_options view;
    scene_options scene;
    physics_settings physics;
    plan_setting setting = {name, value};
    view_options_init(&view);
    scene_options_init(&scene);
    physics_settings_init(&physics, true);
    if (!apply(&setting, &view, &scene, &physics, error))
        return false;
    for (size_t i = 0; i < settings->count; i++) {
        if (strcmp(settings->items[i].name, name) == 0) {
            settings->items[i] = setting;
            return true;
        }
    }
    if (settings->count == PLAN_SETTINGS_MAX)
        return option_fail(error, EXIT_INPUT, "more than %d settings", PLAN_SETTINGS_MAX);
    settings->items[settings->count++] = setting;
    return true;
}

bool plan_is_physics(const char *name)
{
    physics_settings physics = {0};
    const option_group group = group_of_physics(&physics);
    return find_option(&group, name) != NULL;
}

void plan_settings_given(int argc, char **argv, plan_settings *settings)
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
        plan_settings one = {0};
        if (!plan_set(&one, name, value, &error))
            continue;
        argv[i][length] = '\0'; /* "--edge" of "--edge=off": the name has to outlive this */
        plan_set(settings, argv[i] + 2, value, &error);
    }
}

void plan_apply(const plan_settings *settings, view_options *view, scene_options *scene,
                physics_settings *physics)
{
    option_error ignored = {0};
    for (size_t i = 0; i < settings->count; i++)
        apply(&settings->items[i], view, scene, physics, &ignored);
}

bool plan_is_wanted(const text_list *only, const char *name)
{
    for (size_t i = 0; i < only->count; i++)
        if (strcmp(only->items[i], name) == 0 || fnmatch(only->items[i], name, 0) == 0)
            return true;
    return only->count == 0;
}

bool plan_is_dancer(const plan_input *input)
{
    return input->given && strcmp(input->given, BUNDLED_NAME) == 0;
}

static bool may_be_in_a_name(unsigned char c)
{
    return c >= 0x20 && c != 0x7f && !strchr("/\\:*?\"<>|", c);
}

enum { FOLDER_LONGEST = 180, HASH_KEPT = 8 };

void plan_folder_name(const char *name, char *folder, size_t capacity)
{
    size_t length = 0, longest = capacity - 1 < FOLDER_LONGEST ? capacity - 1 : FOLDER_LONGEST;
    for (const char *c = name; *c && length < longest; c++)
        folder[length++] = may_be_in_a_name((unsigned char)*c) ? *c : '_';
    folder[length] = '\0';
    if (strlen(name) > longest) {
        size_t cut = longest - HASH_KEPT - 1;
        while (cut > 0 && ((unsigned char)folder[cut] & 0xc0) == 0x80)
            cut--; /* not within a character */
        snprintf(folder + cut, capacity - cut, "-%.*s", HASH_KEPT, digest_of(name, strlen(name)).text);
    }
    if (folder[0] == '.')
        folder[0] = '_';
}

void plan_frame_name(double frame, char *name, size_t capacity)
{
    snprintf(name, capacity, "%.15g", frame);
}
