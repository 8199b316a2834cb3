/*
 * The command table: one name, one handler. Keys, mouse, --exec and tests all
 * go through it.
 *
 * A line is words with blanks between; double quotes hold blanks together,
 * with \" and \\ inside; # starts a comment.
 */
#ifndef ODORI_COMMANDS_H
#define ODORI_COMMANDS_H

#include "base/options.h"
#include "base/message.h"
#include "edit/session.h"

enum { COMMAND_ARGUMENTS_MAX = 16, COMMAND_LINE_MAX = 1024 };

/* Runs one line of length bytes. False: refused, and why in error (REFUSAL_MAX bytes). */
bool command_run(odori_session *s, const char *line, size_t length, char *error);

/* Runs a line that a person gave: a refusal is reported as a message, and kept in the session until the next
 * line. */
void command_by_hand(odori_session *s, const char *line);

/* Formats a line and runs it likewise. */
void command_format(odori_session *s, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Lets what commands before the first frame have set hold from the start: physics begins anew and comes to
 * the session's frame again, so that a picture does not depend on the frame they ran at. False: why in error.
 */
bool commands_hold_from_start(odori_session *s, char error[REFUSAL_MAX]);

/* Does what the command line says of edits: plug-ins first, then those files. Returns the exit code. */
struct common_options;
int commands_begin(odori_session *s, const struct common_options *common);

#endif
