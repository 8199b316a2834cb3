/* The entry points of the subcommands check and capture-kit. They take the arguments after the name and
 * return the exit code. */
#ifndef ODORI_CHECK_H
#define ODORI_CHECK_H

int check_main(int argc, char **argv);
int capture_kit_main(int argc, char **argv);

#endif
