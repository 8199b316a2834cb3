/* The subcommand play, and its commands for the window, its mouse and its pictures. */
#ifndef ODORI_PLAYER_H
#define ODORI_PLAYER_H

#include "command/command_group.h"

extern const command_group commands_of_handles, commands_of_input, commands_of_panels, commands_of_pictures;

/* Arguments behind the name; returns the exit code. */
int play_main(int argc, char **argv);

#endif
