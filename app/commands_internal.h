/* For commands.c and the files of its table, one a topic. */
#ifndef ODORI_COMMANDS_INTERNAL_H
#define ODORI_COMMANDS_INTERNAL_H

#include "commands.h"

/* Numbers of places and orders are no larger. */
#define STAGING_FAR 1e6

/* The arguments of a line, each read as its command's spec says. */
typedef struct command_arguments {
    size_t count;
    const char *word[COMMAND_ARGUMENTS_MAX];
    double number[COMMAND_ARGUMENTS_MAX];
    bool on[COMMAND_ARGUMENTS_MAX];
} command_arguments;

typedef struct command {
    const char *name;
    const char *spec;      /* one letter an argument: w word, r real number, s on or off; + one word or more;
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

extern const command_group commands_of_input, commands_of_clipboard, commands_of_file, commands_of_actor, commands_of_camera,
    commands_of_edit, commands_of_key, commands_of_play, commands_of_physics, commands_of_panels, commands_of_view, commands_of_audio,
    commands_of_plugin, commands_of_handles, commands_of_key_lines, commands_of_place;

/* Writes why a command was not run to error (COMMAND_ERROR_MAX bytes); returns false. */
bool command_refuse(char *error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Index of a word in a list, or count. */
size_t command_find_word(const char *const *list, size_t count, const char *word);

/* The model that bone, morph and model commands mean, and a bone of it by its name; without one NULL or
 * false, and why in error. */
const scene_model *command_selected_model(const odori_session *s, char *error);
bool command_find_bone(const odori_session *s, const char *name, uint32_t *bone, char *error);

/* `toggle COMMAND`: runs another line, which is recorded in its place. */
bool command_toggle(odori_session *s, const command_arguments *a, char *error);

/* Physics begins from the first frame on, as everything is that physics makes of a frame. */
bool command_start_physics(odori_session *s, bool on, char *error);

#endif
