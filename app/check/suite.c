/*
 * Reads a suite. Tables list the fields of its JSON objects, and any other field is an error. A scene in the
 * file expands to many: every match of "models" is combined with every match of "motions", "poses" and
 * "cameras".
 */
#include "suite.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/parse.h"
#include "base/wildcard.h"
#include "mmd/assemble.h"
#include "mmd/platform.h"
#include "mmd/source.h"
#include "mmd/text.h"
#include "suite_reader.h"

enum { SUITE_ERROR = 1024 };

/* Limits of a camera that stands still: units, degrees. */
enum { CAMERA_FARTHEST = 1000000, CAMERA_MOST_DEGREES = 36000 };

bool suite_fail(suite_reader *r, const char *format, ...)
{
    char why[SUITE_ERROR], path[512] = ""; /* path: "scenes[3].view.msaa" */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    for (size_t i = 0, used = 0; i < r->depth && used < sizeof path; i++) {
        const json_step *step = &r->steps[i];
        int wrote = step->key ? snprintf(path + used, sizeof path - used, "%s%.60s", i ? "." : "", step->key)
                              : snprintf(path + used, sizeof path - used, "[%zu]", step->index);
        used += (size_t)wrote;
    }
    json_position position = json_where(r->text, r->size, r->steps, r->depth);
    return problem_set(r->why, EXIT_INPUT, "%s:%u:%u: %s%s%s", r->suite->path, position.line, position.column,
                       path, *path ? ": " : "", why);
}

bool suite_no_memory(suite_reader *r)
{
    return suite_fail(r, "out of memory");
}

/* --- Scenes --- */

tolerance tolerance_none(void)
{
    return (tolerance){.limits = mmd_default_limits(), .threshold = 2};
}

/* Between Mesa's llvmpipe and softpipe, pictures of the bundled dancer differ by at most 0.00011 (share) and
 * 0.019 (FLIP, without antialiasing). A material darker by 6 % in one channel gives a share of 0.0023 and
 * more. */
other_driver other_driver_default(void)
{
    other_driver d = {.tolerance = tolerance_none(), .edges = 2};
    d.tolerance.threshold = 4;
    d.tolerance.limits.value[MMD_METRIC_SHARE] = 0.0005;
    d.tolerance.limits.value[MMD_METRIC_FLIP] = 0.03;
    return d;
}

bool suite_is_wanted(const text_list *only, const char *name)
{
    for (size_t i = 0; i < only->count; i++)
        if (strcmp(only->items[i], name) == 0 || wildcard_matches(only->items[i], name))
            return true;
    return only->count == 0;
}

void suite_frame_name(double frame, char *name, size_t capacity)
{
    snprintf(name, capacity, "%.15g", frame);
}

void suite_picture_name(const suite_scene *scene, double frame, const char *ending,
                        char name[MMD_FILE_PATH_MAX])
{
    char number[40];
    suite_frame_name(frame, number, sizeof number);
    snprintf(name, MMD_FILE_PATH_MAX, "pictures/%s/%s%s", scene->folder, number, ending);
}

void suite_baseline_path(const suite *s, const char *driver, const suite_scene *scene, double frame,
                         const char *ending, char path[MMD_FILE_PATH_MAX])
{
    char name[40];
    suite_frame_name(frame, name, sizeof name);
    path_join(path, s->baselines, "%s/%s/%s%s", driver, scene->folder, name, ending);
}

/* --- Fields --- */

/* Enters a member or an element, for the path in error messages. False: the file nests too deeply. */
static bool enter(suite_reader *r, json_step step)
{
    if (r->depth == SUITE_DEPTH)
        return suite_fail(r, "the value is nested too deeply");
    r->steps[r->depth++] = step;
    return true;
}

/* A field of an object: its name, its reader, and the offset of the target in the object to fill. */
typedef struct field {
    const char *name;
    bool (*read)(suite_reader *r, const json_t *value, void *target);
    size_t offset;
} field;

/* Reads an object with a table of its fields. Any other field is an error. */
static bool read_object(suite_reader *r, const json_t *value, const field *fields, size_t count, void *target)
{
    const char *key;
    json_t *member;
    if (!json_is_object(value))
        return suite_fail(r, "expected an object");
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        size_t i = 0;
        if (!enter(r, (json_step){.key = key}))
            return false;
        while (i < count && strcmp(fields[i].name, key) != 0)
            i++;
        if (i == count) {
            char names[512] = "";
            for (size_t k = 0, used = 0; k < count && used < sizeof names; k++)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "",
                                         fields[k].name);
            return suite_fail(r, "unknown field; the fields here are %s", names);
        }
        if (!fields[i].read(r, member, (char *)target + fields[i].offset))
            return false;
        r->depth--;
    }
    return true;
}

/* Copies a text to the arena of the suite. NULL: out of memory, and the problem is filled. */
static char *copy_string(suite_reader *r, const char *text)
{
    char *copy = mmd_arena_text(&r->suite->arena, text, strlen(text));
    if (!copy)
        suite_no_memory(r);
    return copy;
}

/* Reads a string that is not empty. */
static bool read_text(suite_reader *r, const json_t *value, void *target)
{
    if (!json_is_string(value) || !json_string_length(value))
        return suite_fail(r, "expected a string that is not empty");
    return (*(const char **)target = copy_string(r, json_string_value(value))) != NULL;
}

/* Reads a number from min to max. */
static bool read_number(suite_reader *r, const json_t *value, double min, double max, double *number)
{
    double x = json_number_value(value);
    if (!json_is_number(value) || x < min || x > max)
        return suite_fail(r, "expected a number from %.9g to %.9g", min, max);
    *number = x;
    return true;
}

static bool read_switch(suite_reader *r, const json_t *value, void *target)
{
    *(bool *)target = json_is_true(value);
    return json_is_boolean(value) || suite_fail(r, "expected true or false");
}

/* Reads a difference in levels. */
static bool read_level(suite_reader *r, const json_t *value, void *target)
{
    return read_number(r, value, 0, 255, target);
}

/* Reads a share. */
static bool read_part(suite_reader *r, const json_t *value, void *target)
{
    return read_number(r, value, 0, 1, target);
}

static bool read_decibels(suite_reader *r, const json_t *value, void *target)
{
    return read_number(r, value, 0, 1000, target);
}

static bool read_near(suite_reader *r, const json_t *value, void *target)
{
    double distance = 0;
    if (!read_number(r, value, 0, 64, &distance))
        return false;
    *(uint32_t *)target = (uint32_t)distance;
    return true;
}

/* The fields of a tolerance, and after them that of another driver, which begins with its tolerance. */
static const field limit_fields[] = {
    {"max", read_level, offsetof(tolerance, limits.value[MMD_METRIC_MAX])},
    {"mean", read_level, offsetof(tolerance, limits.value[MMD_METRIC_MEAN])},
    {"p99", read_level, offsetof(tolerance, limits.value[MMD_METRIC_P99])},
    {"share", read_part, offsetof(tolerance, limits.value[MMD_METRIC_SHARE])},
    {"threshold", read_level, offsetof(tolerance, threshold)},
    {"psnr", read_decibels, offsetof(tolerance, limits.value[MMD_METRIC_PSNR])},
    {"ssim", read_part, offsetof(tolerance, limits.value[MMD_METRIC_SSIM])},
    {"flip", read_part, offsetof(tolerance, limits.value[MMD_METRIC_FLIP])},
    {"edges", read_near, offsetof(other_driver, edges)},
};
enum { LIMIT_FIELDS = sizeof limit_fields / sizeof *limit_fields };
static_assert(offsetof(other_driver, tolerance) == 0, "their fields have the same offsets");

static bool read_tolerance(suite_reader *r, const json_t *value, void *target)
{
    return read_object(r, value, limit_fields, LIMIT_FIELDS - 1, target);
}

/* Reads "other_driver": false, true, or an object with limits, which are merged with those before. */
static bool read_other_driver(suite_reader *r, const json_t *value, void *target)
{
    if (!json_is_boolean(value) && !json_is_object(value))
        return suite_fail(r, "expected true, false, or an object with limits");
    ((other_driver *)target)->off = json_is_false(value);
    return json_is_boolean(value) || read_object(r, value, limit_fields, LIMIT_FIELDS, target);
}

/* Reads a string or a list of strings. */
static bool read_texts(suite_reader *r, const json_t *value, suite_files *files)
{
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    files->count = 0;
    files->items = mmd_arena_alloc(&r->suite->arena, count, sizeof *files->items);
    if (!files->items)
        return suite_no_memory(r);
    if (!json_is_array(value)) {
        files->count = 1;
        return read_text(r, value, &files->items[0]);
    }
    for (size_t i = 0; i < count; i++) {
        if (!enter(r, (json_step){.index = i}) ||
            !read_text(r, json_array_get(value, i), &files->items[files->count++]))
            return false;
        r->depth--;
    }
    return true;
}

/* Reads files that are all in one scene. */
static bool read_files(suite_reader *r, const json_t *value, void *target)
{
    ((suite_files *)target)->each = false;
    return read_texts(r, value, target);
}

/* Reads files of which each makes a scene. */
static bool read_each(suite_reader *r, const json_t *value, void *target)
{
    ((suite_files *)target)->each = true;
    return read_texts(r, value, target);
}

/* Reads motions by the index of the model that they move: {"0": "a.vmd", "1": ["b.vmd", "face.vmd"]}. */
static bool read_own(suite_reader *r, const json_t *value, void *target)
{
    written_scene *scene = target;
    const char *key;
    json_t *member;
    size_t count = 0;
    uint64_t model;
    if (!json_is_object(value))
        return suite_fail(r, "expected an object with motions by the number of the model");
    json_object_foreach((json_t *)(uintptr_t)value, key, member) count +=
        json_is_array(member) ? json_array_size(member) : 1;
    suite_own *own = mmd_arena_alloc(&r->suite->arena, count, sizeof *own);
    if (!own)
        return suite_no_memory(r);
    scene->own = own;
    scene->own_count = 0;
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        suite_files files = {0};
        if (!enter(r, (json_step){.key = key}))
            return false;
        if (!parse_whole(key, 0, 1 << 20, &model))
            return suite_fail(r, "expected the number of a model (the first is 0)");
        if (!read_texts(r, member, &files))
            return false;
        for (size_t i = 0; i < files.count; i++)
            own[scene->own_count++] = (suite_own){files.items[i], (size_t)model};
        r->depth--;
    }
    return true;
}

/* Reads three numbers from -most to most. */
static bool read_three(suite_reader *r, const json_t *value, double most, double numbers[3])
{
    if (!json_is_array(value) || json_array_size(value) != 3)
        return suite_fail(r, "expected a list of three numbers");
    for (size_t i = 0; i < 3; i++) {
        if (!enter(r, (json_step){.index = i}) ||
            !read_number(r, json_array_get(value, i), -most, most, &numbers[i]))
            return false;
        r->depth--;
    }
    return true;
}

static bool read_target(suite_reader *r, const json_t *value, void *target)
{
    return read_three(r, value, CAMERA_FARTHEST, target);
}

static bool read_angle(suite_reader *r, const json_t *value, void *target)
{
    return read_three(r, value, CAMERA_MOST_DEGREES, target);
}

static bool read_distance(suite_reader *r, const json_t *value, void *target)
{
    return read_number(r, value, -CAMERA_FARTHEST, CAMERA_FARTHEST, target);
}

static bool read_fov(suite_reader *r, const json_t *value, void *target)
{
    return read_number(r, value, 1, 179, target);
}

/* Reads a camera that stands still. names: object with the names of those before it as keys. */
static bool read_still_camera(suite_reader *r, const json_t *value, json_t *names, suite_camera *camera)
{
    static const field fields[] = {
        {"name", read_text, offsetof(suite_camera, name)},
        {"target", read_target, offsetof(suite_camera, target)},
        {"angle", read_angle, offsetof(suite_camera, angle)},
        {"distance", read_distance, offsetof(suite_camera, distance)},
        {"fov", read_fov, offsetof(suite_camera, fov)},
        {"orthographic", read_switch, offsetof(suite_camera, orthographic)},
    };
    *camera = (suite_camera){.fov = 30, .distance = NAN};
    if (!read_object(r, value, fields, sizeof fields / sizeof *fields, camera))
        return false;
    if (!camera->name || isnan(camera->distance))
        return suite_fail(r, "the camera has no %s", camera->name ? "distance" : "name");
    if (json_object_get(names, camera->name)) {
        enter(r, (json_step){.key = "name"});
        return suite_fail(r, "there are two cameras with the name %.200s", camera->name);
    }
    return json_object_set_new_nocheck(names, camera->name, json_true()) == 0 || suite_no_memory(r);
}

/* Reads the elements of a list of cameras: paths, patterns and objects. */
static bool read_camera_list(suite_reader *r, const json_t *value, json_t *names, suite_camera *cameras)
{
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *item = json_array_get(value, i);
        if (!enter(r, (json_step){.index = i}))
            return false;
        if (!json_is_string(item) && !json_is_object(item))
            return suite_fail(r, "expected a file, or an object with the name and the distance of a camera");
        if (!(json_is_string(item) ? read_text(r, item, &cameras[i].files)
                                   : read_still_camera(r, item, names, &cameras[i])))
            return false;
        r->depth--;
    }
    return true;
}

/* Reads a camera that all scenes have. */
static bool read_camera(suite_reader *r, const json_t *value, void *target)
{
    suite_camera *camera = mmd_arena_alloc(&r->suite->arena, 1, sizeof *camera);
    *(suite_cameras *)target = (suite_cameras){.items = camera, .count = 1};
    return camera ? read_text(r, value, &camera->files) : suite_no_memory(r);
}

/* Reads cameras of which each makes a scene: a path or a pattern, or a list. */
static bool read_cameras(suite_reader *r, const json_t *value, void *target)
{
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;
    suite_camera *cameras = mmd_arena_alloc(&r->suite->arena, count, sizeof *cameras);
    *(suite_cameras *)target = (suite_cameras){cameras, count, true};
    if (!cameras)
        return suite_no_memory(r);
    if (json_is_string(value))
        return read_text(r, value, &cameras->files);
    if (!json_is_array(value))
        return suite_fail(r, "expected a file, or a list of files and objects");
    json_t *names = json_object();
    const bool ok = read_camera_list(r, value, names, cameras);
    json_decref(names);
    return ok;
}

/* Reads lines of commands: a string or a list of strings. */
static bool read_exec(suite_reader *r, const json_t *value, void *target)
{
    suite_files lines = {0};
    size_t size = 1;
    if (!read_texts(r, value, &lines))
        return false;
    for (size_t i = 0; i < lines.count; i++)
        size += strlen(lines.items[i]) + 1;
    char *text = mmd_arena_alloc(&r->suite->arena, size, 1);
    if (!text)
        return suite_no_memory(r);
    *(const char **)target = text;
    for (size_t i = 0; i < lines.count; i++)
        text += sprintf(text, "%s\n", lines.items[i]);
    return true;
}

/* Appends frames to the list of a scene. Its space doubles, because the arena keeps the lists before. */
static bool add_frames(suite_reader *r, recipe *p, const double *frames, size_t count)
{
    size_t used = p->frame_count, room = suite_room_of(used + count);
    if (count > FRAMES_MAX - used)
        return suite_fail(r, "a scene has at most %d frames", FRAMES_MAX);
    if (used == 0 || room > suite_room_of(used)) {
        double *grown = mmd_arena_alloc(&r->suite->arena, room, sizeof *grown);
        if (!grown)
            return suite_no_memory(r);
        if (used)
            memcpy(grown, p->frames, used * sizeof *grown);
        p->frames = grown;
    }
    memcpy(p->frames + used, frames, count * sizeof *frames);
    p->frame_count = used + count;
    return true;
}

/* Appends a frame, or the frames of "A:B:STEP". */
static bool read_frame(suite_reader *r, const json_t *value, recipe *p)
{
    double frame = json_number_value(value), *frames = NULL;
    if (json_is_string(value)) {
        size_t count = 0;
        frames_problem bad;
        if (!parse_frames(json_string_value(value), &frames, &count, &bad))
            return suite_fail(r, "\"%.*s\" %s", (int)bad.length, bad.part, bad.why);
        bool ok = add_frames(r, p, frames, count);
        mmd_free(frames);
        return ok;
    }
    if (!json_is_number(value))
        return suite_fail(r, "expected frames: a number, \"A:B:STEP\", or a list of them");
    if (frame < 0 || frame > 4294967295.0)
        return suite_fail(r, "%.9g is not a frame from 0 to 4294967295", frame);
    return add_frames(r, p, &frame, 1);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Reads frames and sorts them, each once, since pictures are named after them. */
static bool read_frames(suite_reader *r, const json_t *value, void *target)
{
    recipe *p = target;
    p->frame_count = 0;
    size_t count = json_is_array(value) ? json_array_size(value) : 0, unique = 0;
    if (!json_is_array(value) && !read_frame(r, value, p))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!enter(r, (json_step){.index = i}) || !read_frame(r, json_array_get(value, i), p))
            return false;
        r->depth--;
    }
    if (p->frame_count == 0)
        return suite_fail(r, "the list of frames is empty");
    qsort(p->frames, p->frame_count, sizeof *p->frames, by_value);
    for (size_t i = 0; i < p->frame_count; i++)
        if (unique == 0 || p->frames[i] > p->frames[unique - 1])
            p->frames[unique++] = p->frames[i];
    p->frame_count = unique;
    return true;
}

/* Reads a list of count whole numbers. */
static bool read_wholes(suite_reader *r, const json_t *value, size_t count, double min, int32_t *numbers)
{
    bool ok = json_is_array(value) && json_array_size(value) == count;
    for (size_t i = 0; ok && i < count; i++) {
        const json_t *item = json_array_get(value, i);
        double x = json_number_value(item);
        ok = json_is_integer(item) && x >= min && x <= 16384;
        numbers[i] = ok ? (int32_t)x : 0;
    }
    return ok || suite_fail(r, "expected %zu whole numbers from %g to 16384", count, min);
}

/* Reads a size: [1280,720] or "1280x720". */
static bool read_size(suite_reader *r, const json_t *value, void *target)
{
    int32_t numbers[2] = {0};
    picture_size *size = target;
    option_error error = {0};
    if (json_is_string(value))
        return set_picture_size(size, json_string_value(value), &error) || suite_fail(r, "%s", error.text);
    if (!read_wholes(r, value, 2, 1, numbers))
        return false;
    *size = (picture_size){(uint32_t)numbers[0], (uint32_t)numbers[1]};
    return true;
}

/* Writes the value of a setting as on the command line: true is "on", [1,0,0] is "1,0,0". */
static bool setting_text(suite_reader *r, const json_t *value, char *text, size_t capacity)
{
    size_t used = 0;
    if (json_is_boolean(value))
        return snprintf(text, capacity, "%s", json_is_true(value) ? "on" : "off") > 0;
    if (json_is_number(value))
        return snprintf(text, capacity, "%.9g", json_number_value(value)) > 0;
    if (!json_is_array(value) || json_array_size(value) > 8)
        return suite_fail(r, "expected a string, a number, true, false or a list of at most 8 numbers");
    text[0] = '\0';
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *item = json_array_get(value, i);
        if (!json_is_number(item))
            return suite_fail(r, "expected a list of numbers");
        used +=
            (size_t)snprintf(text + used, capacity - used, "%s%.9g", i ? "," : "", json_number_value(item));
    }
    return true;
}

/* Reads options of view and pose, whose names are those of the command line. */
static bool read_settings(suite_reader *r, const json_t *value, void *target)
{
    const char *key;
    json_t *member;
    if (!json_is_object(value))
        return suite_fail(r, "expected an object");
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        char numbers[256]; /* eight of them at most */
        const char *text = json_is_string(member) ? json_string_value(member) : numbers;
        option_error error = {0};
        if (!enter(r, (json_step){.key = key}))
            return false;
        if (strcmp(key, "gravity") == 0 || strncmp(key, "physics", strlen("physics")) == 0)
            return suite_fail(r, "physics settings belong in \"physics\", not in \"view\"");
        if (text == numbers && !setting_text(r, member, numbers, sizeof numbers))
            return false;
        char *name = copy_string(r, key), *stored = copy_string(r, text);
        if (!name || !stored)
            return false;
        for (char *c = name; *c; c++)
            if (*c == '_')
                *c = '-';
        if (!recipe_set(target, name, stored, &error))
            return suite_fail(r, "%s", error.text);
        if (!recipe_may_have(target, r->texture_memory, &error))
            return suite_fail(r, "%s", error.text);
        r->depth--;
    }
    return true;
}

/* Sets an option of the physics to a value as on the command line. */
static bool give_physics(suite_reader *r, const char *name, const char *text, recipe_settings *settings)
{
    option_error error = {0};
    char *stored = copy_string(r, text);
    return stored && (recipe_set(settings, name, stored, &error) || suite_fail(r, "%s", error.text));
}

/* Reads a vector of three numbers in units/s². */
static bool read_gravity(suite_reader *r, const json_t *value, void *target)
{
    char text[256];
    bool fits = json_is_array(value) && json_array_size(value) == 3;
    for (size_t i = 0; fits && i < 3; i++)
        fits = json_is_number(json_array_get(value, i));
    if (!fits)
        return suite_fail(r, "expected three numbers in units/s², such as [0,-98,0] of MMD");
    return setting_text(r, value, text, sizeof text) && give_physics(r, "gravity", text, target);
}

static bool read_ground(suite_reader *r, const json_t *value, void *target)
{
    bool on;
    return read_switch(r, value, &on) && give_physics(r, "physics-ground", on ? "on" : "off", target);
}

static bool read_world(suite_reader *r, const json_t *value, void *target)
{
    const char *text = json_string_value(value);
    if (!text || (strcmp(text, "shared") != 0 && strcmp(text, "own") != 0))
        return suite_fail(r, "expected \"shared\" or \"own\"");
    return give_physics(r, "physics-world", text, target);
}

static bool read_rate(suite_reader *r, const json_t *value, void *target)
{
    char text[32];
    double rate = json_number_value(value);
    if (!json_is_number(value) || rate < 20 || rate > 2000 || rate > floor(rate))
        return suite_fail(r, "expected a whole number of steps per second from 20 to 2000");
    snprintf(text, sizeof text, "%.0f", rate);
    return give_physics(r, "physics-rate", text, target);
}

static bool read_lever(suite_reader *r, const json_t *value, void *target)
{
    const char *text = json_string_value(value);
    if (!text || (strcmp(text, "own") != 0 && strcmp(text, "stock") != 0))
        return suite_fail(r, "expected \"own\" or \"stock\"");
    return give_physics(r, "physics-lever", text, target);
}

/* Reads "physics": true or false, or an object with options, which switches it on. */
static bool read_physics(suite_reader *r, const json_t *value, void *target)
{
    static const field fields[] = {
        {"gravity", read_gravity, 0}, {"ground", read_ground, 0}, {"world", read_world, 0},
        {"rate", read_rate, 0},       {"lever", read_lever, 0},
    };
    if (!json_is_boolean(value) && !json_is_object(value))
        return suite_fail(
            r, "expected true, false, or an object with any of gravity, ground, world, rate and lever");
    return give_physics(r, "physics", json_is_false(value) ? "off" : "on", target) &&
           (json_is_boolean(value) || read_object(r, value, fields, sizeof fields / sizeof *fields, target));
}

static bool read_mask_rectangle(suite_reader *r, const json_t *value, void *target)
{
    suite_mask *mask = target;
    mask->kind = SUITE_MASK_RECTANGLE;
    return read_wholes(r, value, 4, 0, mask->rectangle);
}

static bool read_mask_picture(suite_reader *r, const json_t *value, void *target)
{
    suite_mask *mask = target;
    const char *given = NULL;
    mask->kind = SUITE_MASK_PICTURE;
    return read_text(r, value, &given) && suite_input(r, given, &mask->picture);
}

static bool read_mask_edges(suite_reader *r, const json_t *value, void *target)
{
    suite_mask *mask = target;
    double distance = 0;
    mask->kind = SUITE_MASK_EDGES;
    if (!read_number(r, value, 1, 64, &distance))
        return false;
    mask->edges = (uint32_t)distance;
    return true;
}

static bool read_keep(suite_reader *r, const json_t *value, void *target)
{
    return read_switch(r, value, &((suite_mask *)target)->keep);
}

/* Reads a list of masks, each of which has exactly one kind. */
static bool read_masks(suite_reader *r, const json_t *value, void *target)
{
    static const field fields[] = {
        {"rect", read_mask_rectangle, 0},
        {"picture", read_mask_picture, 0},
        {"edges", read_mask_edges, 0},
        {"keep", read_keep, 0},
    };
    suite_masks *masks = target;
    if (!json_is_array(value))
        return suite_fail(r, "expected a list");
    *masks =
        (suite_masks){mmd_arena_alloc(&r->suite->arena, json_array_size(value), sizeof *masks->items), 0};
    if (!masks->items)
        return suite_no_memory(r);
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *mask = json_array_get(value, i);
        size_t kinds = (json_object_get(mask, "rect") != NULL) + (json_object_get(mask, "picture") != NULL) +
                       (json_object_get(mask, "edges") != NULL);
        if (!enter(r, (json_step){.index = i}) ||
            !read_object(r, mask, fields, sizeof fields / sizeof *fields, &masks->items[masks->count++]))
            return false;
        if (kinds != 1)
            return suite_fail(r, "expected exactly one of rect, picture and edges");
        r->depth--;
    }
    return true;
}

#define SCENE(member) offsetof(written_scene, member)
/* The fields of a scene, and of the defaults, which must not have a name. */
static const field scene_fields[] = {
    {"name", read_text, SCENE(scene.name)},
    {"model", read_files, SCENE(models)},
    {"models", read_each, SCENE(models)},
    {"motion", read_files, SCENE(motions)},
    {"motions", read_each, SCENE(motions)},
    {"own_motion", read_own, 0},
    {"pose", read_files, SCENE(poses)},
    {"poses", read_each, SCENE(poses)},
    {"camera", read_camera, SCENE(cameras)},
    {"cameras", read_cameras, SCENE(cameras)},
    {"stage", read_text, SCENE(stage)},
    {"stage_motion", read_files, SCENE(stage_motions)},
    {"frames", read_frames, SCENE(scene.recipe)},
    {"size", read_size, SCENE(scene.recipe.size)},
    {"view", read_settings, SCENE(scene.recipe.settings)},
    {"physics", read_physics, SCENE(scene.recipe.settings)},
    {"exec", read_exec, SCENE(scene.recipe.exec)},
    {"tolerance", read_tolerance, SCENE(scene.tolerance)},
    {"other_driver", read_other_driver, SCENE(scene.other_driver)},
    {"mask", read_masks, SCENE(scene.masks)},
};

/* Reads the fields of a scene or of the defaults, over the values that scene has already. */
static bool read_fields(suite_reader *r, const json_t *value, written_scene *scene)
{
    static const char *const pairs[][2] = {
        {"model", "models"}, {"motion", "motions"}, {"pose", "poses"}, {"camera", "cameras"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (json_object_get(value, pairs[i][0]) && json_object_get(value, pairs[i][1]))
            return suite_fail(r, "%s (all in one scene) and %s (one scene for each) cannot be combined",
                              pairs[i][0], pairs[i][1]);
    return read_object(r, value, scene_fields, sizeof scene_fields / sizeof *scene_fields, scene);
}

typedef struct suite_fields {
    const char *schema, *comment, *baselines;
    bool strict;
    const json_t *defaults, *scenes;
} suite_fields;

/* Stores a value that is read later. */
static bool store_value(suite_reader *r, const json_t *value, void *target)
{
    (void)r;
    *(const json_t **)target = value;
    return true;
}

/* Reads the defaults and all scenes, and expands these. */
static bool read_scenes(suite_reader *r, const suite_fields *fields)
{
    static double first_frame[] = {0};
    written_scene defaults = {
        .scene = {.tolerance = tolerance_none(), .other_driver = other_driver_default()}};
    recipe_init(&defaults.scene.recipe, true);
    defaults.scene.recipe.scene.scope = &r->suite->scope;
    defaults.scene.recipe.scene.most_models = r->max_models;
    defaults.scene.recipe.frames = first_frame;
    defaults.scene.recipe.frame_count = 1;
    defaults.scene.recipe.has_size = true;
    if (fields->defaults) {
        enter(r, (json_step){.key = "defaults"});
        if (!read_fields(r, fields->defaults, &defaults))
            return false;
        if (defaults.scene.name)
            return suite_fail(r, "defaults must not have a name, because every scene needs its own");
        r->depth--;
    }
    if (!fields->scenes)
        return suite_fail(r, "the field \"scenes\" is missing");
    enter(r, (json_step){.key = "scenes"});
    if (!json_is_array(fields->scenes) || json_array_size(fields->scenes) == 0)
        return suite_fail(r, "expected a list of at least one scene");
    for (size_t i = 0; i < json_array_size(fields->scenes); i++) {
        written_scene scene = defaults;
        if (!enter(r, (json_step){.index = i}) || !read_fields(r, json_array_get(fields->scenes, i), &scene))
            return false;
        if (!scene.scene.name)
            return suite_fail(r, "the scene has no name");
        if (scene.models.count == 0)
            return suite_fail(r, "the scene has no model");
        if (scene.stage_motions.count && !scene.stage)
            return suite_fail(r, "stage_motion moves the stage, but the scene has no stage");
        if (!suite_expand(r, &scene))
            return false;
        r->depth--;
    }
    r->depth--;
    return true;
}

/* Reads the suite from its root object. */
static bool read_root(suite_reader *r, const json_t *root)
{
    static const field fields[] = {
        {"$schema", read_text, offsetof(suite_fields, schema)},
        {"comment", read_text, offsetof(suite_fields, comment)},
        {"baselines", read_text, offsetof(suite_fields, baselines)},
        {"strict", read_switch, offsetof(suite_fields, strict)},
        {"defaults", store_value, offsetof(suite_fields, defaults)},
        {"scenes", store_value, offsetof(suite_fields, scenes)},
    };
    suite_fields read = {.baselines = "baselines"};
    scene_input baselines;
    if (!read_object(r, root, fields, sizeof fields / sizeof *fields, &read) ||
        (!r->suite->baselines && !suite_input(r, read.baselines, &baselines)))
        return false;
    if (!r->suite->baselines)
        r->suite->baselines = baselines.path;
    r->suite->strict = read.strict;
    return read_scenes(r, &read);
}

/* Returns the offset at which a syntax error begins. The library reports how far it has read and the
 * unexpected token, so the length of the token is subtracted. A byte that is not part of a token has not been
 * read yet. */
static size_t wrong_byte(const json_error_t *error, const mmd_bytes *bytes)
{
    static const char *const unread[] = {"control character", "unexpected newline", "unable to decode"};
    size_t position = error->position > 0 ? (size_t)error->position : 0;
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        if (strncmp(error->text, unread[i], strlen(unread[i])) == 0)
            return position;
    const char *near = strstr(error->text, " near '");
    const char *token = near ? near + strlen(" near '") : "";
    size_t length = strlen(token);
    length -= length > 0; /* the closing quote */
    bool found = length > 0 && length <= position && position <= bytes->size &&
                 memcmp(bytes->data + position - length, token, length) == 0;
    return found ? position - length : position ? position - 1 : 0;
}

/* Fills the problem with the position and the reason of a syntax error. The columns that the library reports
 * are wrong after line feeds, and some of its messages name flags of its interface. */
static bool fail_bad_json(const suite *s, const mmd_bytes *bytes, const json_error_t *error, problem *result)
{
    const char *why = error->text;
    size_t offset = wrong_byte(error, bytes);
    switch (json_error_code(error)) {
    case json_error_premature_end_of_input:
        offset = bytes->size;
        why = "the file ends in the middle of a value";
        break;
    case json_error_null_character:
    case json_error_null_byte_in_key:
        why = "a string contains \\u0000, which is not allowed";
        break;
    default:
        if (offset < bytes->size && bytes->data[offset] == '\0')
            why = "a NUL byte is not valid JSON";
        break;
    }
    if (bytes->size == 0)
        why = "the file is empty";
    json_position position = json_position_at((const char *)bytes->data, bytes->size, offset);
    return problem_set(result, EXIT_INPUT, "%s:%u:%u: %s", s->path, position.line, position.column, why);
}

/* Tests whether a path is that of the root of a file system. */
static bool is_root(const char *path)
{
    return !path[platform_path_root(path)];
}

/* Tests whether a folder has an entry .git and is neither the root of the file system nor the home folder,
 * where some people keep their settings in a repository. */
static bool is_repository(const char *folder)
{
    char given[MMD_FILE_PATH_MAX], home[MMD_FILE_PATH_MAX], git[MMD_FILE_PATH_MAX];
    platform_info about;
    bool is_home =
        mmd_user_folders_home(given) && platform_path_resolve(given, home) && strcmp(folder, home) == 0;
    return !is_home && !is_root(folder) && snprintf(git, sizeof git, "%s/.git", folder) < MMD_FILE_PATH_MAX &&
           platform_stat_link(git, &about);
}

/* Finds the folders in which the suite may read and write. */
static bool find_scope(suite *s, const suite_opening *how, problem *why)
{
    char own[MMD_FILE_PATH_MAX], folder[MMD_FILE_PATH_MAX], above[MMD_FILE_PATH_MAX];
    platform_info about;
    if (!platform_path_resolve(s->folder, own))
        return problem_set(why, EXIT_INPUT, "%s: cannot be read: %s", s->path, strerror(errno));
    strcpy(folder, own);
    while (!is_repository(folder) && !is_root(folder)) {
        mmd_path_folder(folder, above, sizeof above);
        strcpy(folder, above);
    }
    s->scope.option = how->option;
    if (!path_scope_add(&s->scope, is_root(folder) ? own : folder, &s->arena))
        return problem_out_of_memory(why);
    for (size_t i = 0; i < how->roots->count; i++) {
        const char *root = how->roots->items[i];
        if (!platform_stat(root, &about) || about.kind != PLATFORM_FOLDER ||
            !path_scope_add(&s->scope, root, &s->arena))
            return problem_set(why, EXIT_USAGE, "%s %.800s: there is no such folder", how->option, root);
    }
    if (how->baselines && !path_scope_add(&s->scope, how->baselines, &s->arena))
        return problem_set(why, EXIT_USAGE, "--baselines %.800s: the path leads nowhere", how->baselines);
    return true;
}

bool suite_read(suite *s, const suite_opening *how, problem *why)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    json_error_t json_error;
    const char *path = how->path;
    *s = (suite){.path = path, .baselines = how->baselines};
    mmd_path_folder(path, s->folder, sizeof s->folder);
    if (mmd_file_read(path, &bytes, &error) != MMD_OK) {
        mmd_error_set_file(&error, path);
        return problem_from(why, &error);
    }
    suite_reader reader = {.suite = s, .text = (const char *)bytes.data, .size = bytes.size, .why = why};
    reader.texture_memory = how->texture_memory;
    reader.max_models = how->max_models ? how->max_models : SCENE_MODELS_MOST;
    s->content = digest_of(bytes.data, bytes.size);
    if (!find_scope(s, how, why)) {
        mmd_bytes_finish(&bytes);
        return false;
    }
    json_t *root = json_loadb(reader.text, bytes.size, JSON_REJECT_DUPLICATES, &json_error);
    reader.folders = json_object();
    bool ok = root ? read_root(&reader, root) : fail_bad_json(s, &bytes, &json_error, why);
    json_decref(reader.folders);
    json_decref(root);
    mmd_bytes_finish(&bytes);
    return ok;
}

void suite_finish(suite *s)
{
    text_list_finish(&s->scope.folders);
    mmd_arena_finish(&s->arena);
    *s = (suite){0};
}
