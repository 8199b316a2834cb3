/* Files that exist only while they are open. */
#ifndef ODORI_SCRATCH_H
#define ODORI_SCRATCH_H

#include <stdio.h>

/* Opens an empty file for writing and reading. It is in memory where the system can do that, because the
 * sandbox (sandbox.h) gives up the folder of temporary files. NULL with errno set: it cannot be created. */
FILE *scratch_file(void);

#endif
