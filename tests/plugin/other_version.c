/* A plug-in built for another version of the interface. Its attach function must never be called. */
#include <stdlib.h>

#include "mmd/edit.h"

static bool attach(mmd_edit *edit)
{
    (void)edit;
    abort();
}

const mmd_edit_plugin mmd_edit_plugin_entry;
const mmd_edit_plugin mmd_edit_plugin_entry = {.abi = MMD_EDIT_ABI + 1, .name = "other", .attach = attach};
