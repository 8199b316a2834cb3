/* What `register` and `unregister` do on a system: register_posix.c, register_windows.c. */
#ifndef ODORI_REGISTER_H
#define ODORI_REGISTER_H

#include <stdbool.h>

extern const char register_summary[], unregister_summary[]; /* for --help */

/*
 * Tells the desktop of this user which files the program opens, or takes that back. Prints each change to
 * stdout; with is_trial it prints only. What is registered already stays as it is. Returns an exit code.
 */
int register_change(bool adds, bool is_trial);

#endif
