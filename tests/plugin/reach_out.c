/* A plug-in that does what code of a stranger would try in the place of a model's reader: when it is
 * attached, it opens the file that ODORI_PLANTED names and makes a network socket, and says on stderr what
 * came of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mmd/edit.h"

static bool attach(mmd_edit *edit)
{
    const char *planted = getenv("ODORI_PLANTED");
    FILE *file = planted ? fopen(planted, "r") : NULL;
    fprintf(stderr, "planted file: %s\n", file ? "read" : strerror(errno));
    if (file)
        fclose(file);
    int made = socket(AF_INET, SOCK_STREAM, 0);
    fprintf(stderr, "socket: %s\n", made >= 0 ? "made" : strerror(errno));
    if (made >= 0)
        close(made);
    (void)edit;
    return true;
}

const mmd_edit_plugin mmd_edit_plugin_entry;
const mmd_edit_plugin mmd_edit_plugin_entry = {.abi = MMD_EDIT_ABI, .name = "reach_out", .attach = attach};
