/*
 * The command table, which maps names to handlers. Key bindings, the mouse, --exec and tests all use it.
 *
 * A line consists of words separated by blanks. Double quotes keep blanks inside a word, with \" and \\ as
 * escapes. # starts a comment.
 */
#ifndef ODORI_COMMANDS_H
#define ODORI_COMMANDS_H

#include "base/options.h"
#include "base/message.h"
#include "edit/session.h"

enum { COMMAND_ARGUMENTS_MAX = 16, COMMAND_LINE_MAX = 1024 };

/* Runs one line of length bytes. Returns false when it is refused, with the reason in error (REFUSAL_MAX
 * bytes). */
bool command_run(odori_session *s, const char *line, size_t length, char *error);

/* Runs a line that the user gave interactively. A refusal is reported as a message and stored in the
 * session until the next line. */
void command_by_hand(odori_session *s, const char *line);

/* Formats a line and runs it with command_by_hand. */
void command_format(odori_session *s, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(__printf__, 2, 3)))
#endif
    ;

/* Makes physics settings made by commands before the first frame apply from the start: restarts physics
 * and goes to the session's frame again, so that a picture does not depend on the frame at which the
 * commands ran. Returns false with the reason in error. */
bool commands_apply_from_start(odori_session *s, char error[REFUSAL_MAX]);

/* Applies the edits of the command line: loads plug-ins, then runs the files of --exec. Returns the exit
 * code. */
struct common_options;
int commands_begin(odori_session *s, const struct common_options *common);

/* Appends stdin up to its end. Returns false if out of memory. */
bool commands_read_stdin(mmd_buffer *text);

/* Calls visit for each file that a line of the text reads or writes. Runs nothing. */
void commands_list_files(const char *text, size_t size,
                         void (*visit)(void *user, const char *path, bool is_written), void *user);

#endif
