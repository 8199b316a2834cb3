#include "options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "mmd/memory.h"
#include "mmd/platform.h"

bool option_fail(option_error *error, int exit_code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    error->exit_code = exit_code;
    return false;
}

bool text_list_add(text_list *list, const char *text)
{
    const char **grown = mmd_realloc(list->items, (list->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    list->items = grown;
    list->items[list->count++] = text;
    return true;
}

void text_list_finish(text_list *list)
{
    mmd_free(list->items);
    *list = (text_list){0};
}

bool option_add_text(text_list *list, const char *value, option_error *error)
{
    return text_list_add(list, value) || option_fail(error, EXIT_FACILITY, "out of memory");
}

/* Prints the line of one option: its name and argument in the left column, the help in the right one. */
static void print_option(const option *o)
{
    char left[64];
    int used = 0;
    if (o->letter)
        used = snprintf(left, sizeof left, "-%c%s", o->letter, o->name ? ", " : "");
    if (o->name)
        used += snprintf(left + used, sizeof left - (size_t)used, "--%s", o->name);
    if (o->argument)
        snprintf(left + used, sizeof left - (size_t)used, " %s", o->argument);
    /* A name that is too long for the left column has its help on the next line. */
    if (strlen(left) > 30)
        printf("  %s\n  %-30s  %s\n", left, "", o->help);
    else
        printf("  %-30s  %s\n", left, o->help);
}

static void print_help(const command_line *line)
{
    printf("usage: odori %s %s\n\n%s\n", line->name, line->usage, line->summary);
    for (size_t g = 0; g < line->group_count; g++) {
        printf("\n%s\n", line->groups[g].title);
        for (size_t i = 0; i < line->groups[g].count; i++)
            print_option(&line->groups[g].options[i]);
    }
    printf("  %-30s  %s\n", "--help", "prints this help; values in parentheses are the defaults");
    if (line->notes)
        printf("\n%s\n", line->notes);
}

int options_usage(const command_line *line, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    message("%s (see odori %s --help)", text, line->name);
    return EXIT_USAGE;
}

/* Finds --NAME in the groups. *target becomes the target of its group. NULL: there is none. */
static const option *find_long(const command_line *line, const char *name, size_t length, void **target)
{
    for (size_t g = 0; g < line->group_count; g++) {
        const option_group *group = &line->groups[g];
        for (size_t i = 0; i < group->count; i++) {
            const option *o = &group->options[i];
            if (o->name && strlen(o->name) == length && memcmp(o->name, name, length) == 0) {
                *target = group->target;
                return o;
            }
        }
    }
    return NULL;
}

/* Finds -LETTER in the groups, as find_long does. */
static const option *find_short(const command_line *line, char letter, void **target)
{
    for (size_t g = 0; g < line->group_count; g++) {
        const option_group *group = &line->groups[g];
        for (size_t i = 0; i < group->count; i++) {
            if (group->options[i].letter == letter) {
                *target = group->target;
                return &group->options[i];
            }
        }
    }
    return NULL;
}

/* Reports that a setter refused the value of an option, and returns the exit code. */
static int refused(const command_line *line, const option_error *error, const char *argument)
{
    if (error->exit_code == EXIT_USAGE)
        return options_usage(line, "%s: %s", argument, error->text);
    message("%s: %s", argument, error->text);
    return error->exit_code;
}

static int no_such_option(const command_line *line, const char *argument)
{
    return options_usage(line, "unknown option %s", argument);
}

/* Returns whether an argument is an option rather than the value of the option before it: a dash before anything but
 * a number. A lone dash is a value (stdin or stdout). */
static bool looks_like_option(const char *argument)
{
    return argument[0] == '-' && argument[1] && !strchr(".0123456789", argument[1]);
}

/* Returns whether the value of an option is a path, by the name of its argument in the help. */
static bool is_path(const char *argument)
{
    static const char *const words[] = {"FILE", "DIR", "PATH", "PICTURE", ".vmd", ".vpd", ".json", ".png"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(argument, words[i]))
            return true;
    return false;
}

/* Reads the option at argv[*at] and moves *at to its last argument. */
static int parse_option(const command_line *line, int argc, char **argv, int *at)
{
    char *argument = argv[*at], *value = NULL;
    const option *o;
    void *target = NULL;
    if (argument[1] == '-') {
        size_t length = strcspn(argument + 2, "=");
        o = find_long(line, argument + 2, length, &target);
        if (argument[2 + length] == '=')
            value = argument + 2 + length + 1;
    } else {
        o = find_short(line, argument[1], &target);
        if (argument[2])
            value = argument + 2;
    }
    if (!o)
        return no_such_option(line, argument);
    char shown[64];
    snprintf(shown, sizeof shown, o->name && argument[1] == '-' ? "--%s" : "-%.1s",
             o->name && argument[1] == '-' ? o->name : argument + 1);
    if (!o->argument && value)
        return options_usage(line, "%s takes no value", shown);
    if (o->argument && *o->argument != '[' && !value) {
        if (*at + 1 >= argc || looks_like_option(argv[*at + 1]))
            return options_usage(line, "%s needs a value: %s", shown, o->argument);
        value = argv[++*at];
    }
    if (value && is_path(o->argument))
        platform_path_tidy(value);
    option_error error = {0};
    if (!o->set(target, value, &error))
        return refused(line, &error, shown);
    return OPTIONS_PARSED;
}

/* Returns whether --help is given. It takes precedence over everything else on the line, including mistakes. */
static bool wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

int options_parse(const command_line *line, int argc, char **argv)
{
    if (wants_help(argc, argv)) {
        print_help(line);
        return EXIT_DONE;
    }
    bool only_positional = false;
    for (int i = 0; i < argc; i++) {
        if (!only_positional && strcmp(argv[i], "--") == 0) {
            only_positional = true;
        } else if (!only_positional && argv[i][0] == '-' && argv[i][1]) {
            int result = parse_option(line, argc, argv, &i);
            if (result != OPTIONS_PARSED)
                return result;
        } else {
            option_error error = {0};
            platform_path_tidy(argv[i]);
            if (!line->positional(line->positional_target, argv[i], &error))
                return refused(line, &error, argv[i]);
        }
    }
    return OPTIONS_PARSED;
}
