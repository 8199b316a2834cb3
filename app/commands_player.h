/* The groups of commands for the window, its mouse and its pictures. */
#ifndef ODORI_COMMANDS_PLAYER_H
#define ODORI_COMMANDS_PLAYER_H

#include "commands_internal.h"

extern const command_group commands_of_handles, commands_of_input, commands_of_panels, commands_of_pictures;

#endif
