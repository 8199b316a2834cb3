/*
 * One parser for the command line: a subcommand says in tables which options
 * it has; help is printed from the same tables.
 */
#ifndef ODORI_OPTIONS_H
#define ODORI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Why an option was refused. */
typedef struct option_error {
    int exit_code;
    char text[256];
} option_error;

/* Fills the error and returns false. */
bool option_fail(option_error *error, int exit_code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

typedef struct option {
    char letter;          /* 'o' for -o, or 0 */
    const char *name;     /* without dashes, or NULL */
    /* What help calls it; NULL: takes none. "[FILE]": may be left out, given only as --name=FILE. */
    const char *argument;
    const char *help;
    /* value is NULL for an option without (or with a left out) argument. False: refused, error filled. */
    bool (*set)(void *target, const char *value, option_error *error);
} option;

typedef struct option_group {
    const char *title;
    const option *options;
    size_t count;
    void *target;
} option_group;

typedef struct command_line {
    const char *name;    /* "shot" */
    const char *usage;   /* "MODEL [options] -o out.png" */
    const char *summary; /* one sentence */
    const char *notes;   /* printed behind the options, or NULL */
    const option_group *groups;
    size_t group_count;
    /* Takes an argument that is no option. */
    bool (*positional)(void *target, const char *value, option_error *error);
    void *positional_target;
} command_line;

enum { OPTIONS_PARSED = -1 };

/*
 * Reads the arguments behind the subcommand's name. OPTIONS_PARSED, or the
 * exit code to end with: help was printed to stdout, or what is wrong to stderr.
 */
int options_parse(const command_line *line, int argc, char **argv);

/* Says what is wrong with the usage as a whole, with the hint to --help. Returns EXIT_USAGE. */
int options_usage(const command_line *line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* A list of arguments; texts are not copied. Zero-initialise. */
typedef struct text_list {
    const char **items;
    size_t count;
} text_list;
bool text_list_add(text_list *list, const char *text); /* false: out of memory */
void text_list_finish(text_list *list);

/* Setter for an option that adds its value to a text_list. target: the list. */
bool option_add_text(text_list *list, const char *value, option_error *error);

#endif
