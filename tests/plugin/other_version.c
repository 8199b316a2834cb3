/* What a plug-in is that was made for another version of the interface: it is never asked to attach. */
#include <stdlib.h>

#include "mmd/edit.h"

static bool attach(mmd_edit *edit)
{
    (void)edit;
    abort();
}

const mmd_edit_plugin mmd_edit_plugin_entry;
const mmd_edit_plugin mmd_edit_plugin_entry = {.abi = MMD_EDIT_ABI + 1, .name = "other", .attach = attach};
