/* The subcommand diff: arguments behind its name; returns the exit code. */
#ifndef ODORI_DIFF_H
#define ODORI_DIFF_H

int diff_main(int argc, char **argv);

#endif
