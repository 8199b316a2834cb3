/* The groups of commands for files and audio. */
#ifndef ODORI_COMMANDS_DOCUMENT_H
#define ODORI_COMMANDS_DOCUMENT_H

#include "command/command_group.h"

/* Plays a playlist from its first entry (playlist.open). Returns false with the reason in error (REFUSAL_MAX
 * bytes). */
bool playlist_open_file(odori_session *s, const char *path, char *error);

extern const command_group commands_of_audio, commands_of_file, commands_of_files, commands_of_program;

#endif
