/* The signals that people, systems and time limits end programs with. The program's files for POSIX use this
 * list too.
 */
#ifndef MMD_BASE_SIGNALS_POSIX_H
#define MMD_BASE_SIGNALS_POSIX_H

#include <signal.h>

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM};
enum { ENDING_SIGNAL_COUNT = sizeof ending_signals / sizeof *ending_signals };

#endif
