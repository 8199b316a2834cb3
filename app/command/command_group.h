/* The command table's row and group types, for the files that implement commands, one per topic. */
#ifndef ODORI_COMMAND_GROUP_H
#define ODORI_COMMAND_GROUP_H

#include "commands.h"
#include "base/tokenize.h"

/* Limit of coordinates, angles, delays and draw orders in commands. */
#define STAGING_FAR 1e6

/* The arguments of a line, read as the spec of its command says. The arrays are indexed by argument. */
typedef struct command_arguments {
    const char *name; /* of the command, for functions that several rows share */
    size_t count;
    const char *word[COMMAND_ARGUMENTS_MAX];
    double number[COMMAND_ARGUMENTS_MAX];
    bool on[COMMAND_ARGUMENTS_MAX];
} command_arguments;

/*
 * What happens to a command in a picture or suite, which may come from anybody. REPLAY_RUNS is for those that
 * change only what is shown: they neither open nor write files, load code, print, quit, nor change what
 * outlives the scene (settings, window, clipboard, sound). Of a command with the letter c, the line that it
 * runs is checked as well. REPLAY_SKIPS is for those that earlier versions recorded in pictures and that
 * change no picture. tests/hostile/test_cli_strangers.c lists the commands of each kind.
 */
typedef enum command_replay { REPLAY_REFUSES, REPLAY_RUNS, REPLAY_SKIPS } command_replay;

typedef struct command {
    const char *name;
    const char *spec; /* One letter per argument: w word, i file that is read, o file that is written, r real
                         number, s on or off, c a command (its line is run, and recorded instead of this one).
                         A leading + stands for one or more words. Arguments after ? are optional. */
    const char *arguments; /* as `help` shows them */
    const char *help;
    bool (*run)(odori_session *s, const command_arguments *a, char *error);
    command_replay replay;
} command;

/* Part of the table: the commands of one topic. */
typedef struct command_group {
    const command *commands;
    size_t count;
} command_group;

/*
 * The groups of this room. Rooms above have groups of their own. main passes all of them, in the order of
 * `help`, to commands_register.
 */
extern const command_group commands_of_actor, commands_of_camera, commands_of_edit, commands_of_key,
    commands_of_motion, commands_of_play, commands_of_physics, commands_of_place, commands_of_plugin,
    commands_of_view;

/* Sets the table of all commands, which must outlive the program's sessions. Must be called once, before
 * any other function of this room. */
void commands_register(const command_group *const *groups, size_t count);

/* Switches physics on or off and simulates from the first frame again, because the state of physics at a
 * frame depends on all frames before it. Returns false with the reason in error (REFUSAL_MAX bytes). */
bool command_start_physics(odori_session *s, bool on, char *error);

#endif
