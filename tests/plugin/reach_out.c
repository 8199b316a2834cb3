/* A plug-in that does what code of a stranger would try in the place of a model's reader: when it is
 * attached, it opens the file that ODORI_PLANTED names, appends to the one that ODORI_CHANGED names, and makes
 * a network socket. It says on stderr what came of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mmd/edit.h"

/* Opens the file that a variable names. */
static void try_file(const char *variable, const char *what, const char *how, const char *done)
{
    const char *path = getenv(variable);
    FILE *file = path ? fopen(path, how) : NULL;
    fprintf(stderr, "%s file: %s\n", what, file ? done : strerror(errno));
    if (file)
        fclose(file);
}

static bool attach(mmd_edit *edit)
{
    try_file("ODORI_PLANTED", "planted", "r", "read");
    try_file("ODORI_CHANGED", "changed", "a", "written");
    int made = socket(AF_INET, SOCK_STREAM, 0);
    fprintf(stderr, "socket: %s\n", made >= 0 ? "made" : strerror(errno));
    if (made >= 0)
        close(made);
    (void)edit;
    return true;
}

const mmd_edit_plugin mmd_edit_plugin_entry;
const mmd_edit_plugin mmd_edit_plugin_entry = {.abi = MMD_EDIT_ABI, .name = "reach_out", .attach = attach};
