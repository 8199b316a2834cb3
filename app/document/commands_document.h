/* The groups of commands for files and audio. */
#ifndef ODORI_COMMANDS_DOCUMENT_H
#define ODORI_COMMANDS_DOCUMENT_H

#include "command/command_group.h"

extern const command_group commands_of_audio, commands_of_file, commands_of_files, commands_of_program;

#endif
