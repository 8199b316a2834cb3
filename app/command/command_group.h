/* Rows of the command table, for the files that implement them, one a topic. */
#ifndef ODORI_COMMAND_GROUP_H
#define ODORI_COMMAND_GROUP_H

#include "commands.h"
#include "base/tokenize.h"

/* Numbers of places and orders are no larger. */
#define STAGING_FAR 1e6

/* The arguments of a line, each read as its command's spec says. */
typedef struct command_arguments {
    const char *name; /* the command's, for functions that several rows share */
    size_t count;
    const char *word[COMMAND_ARGUMENTS_MAX];
    double number[COMMAND_ARGUMENTS_MAX];
    bool on[COMMAND_ARGUMENTS_MAX];
} command_arguments;

typedef struct command {
    const char *name;
    const char *spec; /* one letter an argument: w word, r real number, s on or off, c a command, whose line
                         is run, and recorded in this one's place; + one word or more;
                         all behind a ? may be left out */
    const char *arguments; /* as help shows them */
    const char *help;
    bool (*run)(odori_session *s, const command_arguments *a, char *error);
} command;

/* A topic's part of the table. */
typedef struct command_group {
    const command *commands;
    size_t count;
} command_group;

/*
 * The groups of this room. Rooms above have their own; main gives all of them,
 * in the order of `help`, to commands_register.
 */
extern const command_group commands_of_actor, commands_of_camera, commands_of_edit, commands_of_key,
    commands_of_play, commands_of_physics, commands_of_place, commands_of_plugin, commands_of_view;

/* Sets the table of all commands, which must outlive the program's sessions. To be called once, before
 * others. */
void commands_register(const command_group *const *groups, size_t count);

/* Starts physics from the first frame on, as everything is that physics makes of a frame. */
bool command_start_physics(odori_session *s, bool on, char *error);

#endif
