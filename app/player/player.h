/* The subcommand `play`, and the commands for its window, mouse, panels and pictures. */
#ifndef ODORI_PLAYER_H
#define ODORI_PLAYER_H

#include <stdbool.h>

#include "command/command_group.h"

extern const command_group commands_of_handles, commands_of_input, commands_of_panels, commands_of_pictures;

/* Runs `play` with the arguments after its name. Returns the exit code. */
int play_main(int argc, char **argv);

/* Returns whether an argument is a file that Explorer hands over without a subcommand, because it was dropped
 * on the program's icon, or the program was chosen to open it. */
bool play_is_handed(const char *argument);

/* Opens the player with files, or at its first page if there are none. Without a display prints how the
 * program is used. Returns the exit code. */
int play_first_page(int count, char **files);

#endif
