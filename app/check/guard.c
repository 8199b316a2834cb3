/*
 * Where a report must not be written. A report replaces whole files of fixed
 * names, so its folder has to be its own: not one that a suite, its inputs or
 * its baselines lie in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "internal.h"
#include "mmd/source.h"

/* Links followed as far as the path leads; what is not there yet stays as it was written. False: too long. */
static bool resolve(const char *path, char resolved[PATH_MAX])
{
    char there[PATH_MAX], folder[PATH_MAX];
    if (realpath(path, resolved))
        return true;
    if (strlen(path) >= sizeof there)
        return false;
    snprintf(there, sizeof there, "%s", path);
    size_t length = strlen(there);
    while (length > 1 && there[length - 1] == '/')
        there[--length] = '\0';
    const char *name = mmd_path_name(there);
    mmd_path_folder(there, folder, sizeof folder);
    if (strcmp(folder, there) == 0 || !resolve(folder, resolved))
        return false;
    size_t used = strlen(resolved);
    return snprintf(resolved + used, PATH_MAX - used, "%s%s", used && resolved[used - 1] == '/' ? "" : "/",
                    name) < (int)(PATH_MAX - used);
}

/* The place that is guarded. */
typedef struct guard {
    const char *given;
    char path[PATH_MAX], last[PATH_MAX]; /* last: the folder asked for last; scenes share theirs */
} guard;

static int refuse(const guard *g, const char *what, const char *path)
{
    message("--report %.400s %s %.800s; a report has a folder of its own", g->given, what, path);
    return EXIT_USAGE;
}

static bool is_or_lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static int guard_baselines(const guard *g, const suite *s)
{
    char folder[PATH_MAX];
    return resolve(s->baselines, folder) && is_or_lies_in(g->path, folder)
               ? refuse(g, "lies in the folder of the baselines,", s->baselines)
               : EXIT_DONE;
}

/* A file of the suite's, or the folder that one lies in. */
static int guard_file(guard *g, const char *path)
{
    char folder[PATH_MAX], resolved[PATH_MAX];
    if (strlen(path) >= sizeof folder)
        return EXIT_DONE;
    mmd_path_folder(path, folder, sizeof folder);
    if (strcmp(folder, g->last) != 0) {
        snprintf(g->last, sizeof g->last, "%s", folder);
        if (realpath(folder, resolved) && strcmp(resolved, g->path) == 0)
            return refuse(g, "is the folder of", path);
    }
    if (strcmp(mmd_path_name(path), mmd_path_name(g->path)) == 0 && realpath(path, resolved) &&
        strcmp(resolved, g->path) == 0)
        return refuse(g, "is an input:", path);
    return EXIT_DONE;
}

static int guard_input(guard *g, const plan_input *input)
{
    return input->given && !plan_is_dancer(input) ? guard_file(g, input->path) : EXIT_DONE;
}

static int guard_inputs(guard *g, const plan_inputs *inputs)
{
    int result = EXIT_DONE;
    for (size_t i = 0; i < inputs->count && result == EXIT_DONE; i++)
        result = guard_input(g, &inputs->items[i]);
    return result;
}

static int guard_plan(guard *g, const plan *p)
{
    int result = guard_inputs(g, &p->models);
    if (result == EXIT_DONE)
        result = guard_inputs(g, &p->motions);
    if (result == EXIT_DONE)
        result = guard_inputs(g, &p->poses);
    if (result == EXIT_DONE)
        result = guard_input(g, &p->camera);
    if (result == EXIT_DONE)
        result = guard_input(g, &p->stage);
    for (size_t i = 0; i < p->masks.count && result == EXIT_DONE; i++)
        result = guard_input(g, &p->masks.items[i].picture);
    return result;
}

static int guard_report(const char *report, const suite *s)
{
    guard g = {.given = report};
    if (strlen(report) >= CHECK_FOLDER_MAX || !resolve(report, g.path)) {
        message("--report: a folder with over %d bytes is too long", CHECK_FOLDER_MAX - 1);
        return EXIT_USAGE;
    }
    int result = guard_baselines(&g, s);
    if (result == EXIT_DONE)
        result = guard_file(&g, s->path);
    for (size_t i = 0; i < s->count && result == EXIT_DONE; i++)
        result = guard_plan(&g, &s->plans[i]);
    return result;
}

int check_guard(const check_options *options, const suite *s)
{
    if (strlen(s->baselines) >= CHECK_FOLDER_MAX) {
        message("%.400s: its folder of baselines has a path with over %d bytes, which is too long", s->path,
                CHECK_FOLDER_MAX - 1);
        return EXIT_INPUT;
    }
    return options->report ? guard_report(options->report, s) : EXIT_DONE;
}
