/* The subcommand `play`, and the commands for its window, mouse, panels and pictures. */
#ifndef ODORI_PLAYER_H
#define ODORI_PLAYER_H

#include "command/command_group.h"

extern const command_group commands_of_handles, commands_of_input, commands_of_panels, commands_of_pictures;

/* Runs `play` with the arguments after its name. Returns the exit code. */
int play_main(int argc, char **argv);

/* Opens the player at its first page. Without a display prints how the program is used. Returns the exit
 * code. */
int play_first_page(void);

#endif
