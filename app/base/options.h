/*
 * The parser of the command line. Each subcommand describes its options in tables, from which the help is printed
 * too.
 */
#ifndef ODORI_OPTIONS_H
#define ODORI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Why an option was refused, and the exit code. */
typedef struct option_error {
    int exit_code;
    char text[256];
} option_error;

/* Fills the error and returns false. */
bool option_fail(option_error *error, int exit_code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 3, 4)))
#endif
    ;

typedef struct option {
    char letter;      /* 'o' for -o, or 0 */
    const char *name; /* without dashes, or NULL */
    /* Name of the argument in the help, or NULL when the option takes none. "[FILE]" is optional and can only be
     * given as --name=FILE. */
    const char *argument;
    const char *help;
    /* Takes the value, which is NULL when the option has no argument or it was omitted. target is that of the group.
     * False: refused, and error is filled. */
    bool (*set)(void *target, const char *value, option_error *error);
} option;

/* Options under one title of the help, which set fields of one object. */
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
    const char *notes;   /* printed after the options, or NULL */
    const option_group *groups;
    size_t group_count;
    /* Takes an argument that is not an option. */
    bool (*positional)(void *target, const char *value, option_error *error);
    void *positional_target;
} command_line;

enum { OPTIONS_PARSED = -1 };

/*
 * Reads the arguments after the name of the subcommand. Returns OPTIONS_PARSED, or the exit code to end with:
 * EXIT_DONE after printing the help to stdout, another one after reporting an error to stderr.
 */
int options_parse(const command_line *line, int argc, char **argv);

/* Reports an error in the usage with a hint to --help. Returns EXIT_USAGE. */
int options_usage(const command_line *line, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;

/* A list of texts, which are not copied. Zero-initialise it. */
typedef struct text_list {
    const char **items;
    size_t count;
} text_list;
bool text_list_add(text_list *list, const char *text); /* false: out of memory */
void text_list_finish(text_list *list);

/* Setter of an option (option.set) that adds its value to the text_list target. */
bool option_add_text(text_list *list, const char *value, option_error *error);

#endif
