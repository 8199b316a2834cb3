/* The entry point of the subcommand diff. It takes the arguments after the name and returns the exit code. */
#ifndef ODORI_DIFF_H
#define ODORI_DIFF_H

int diff_main(int argc, char **argv);

#endif
