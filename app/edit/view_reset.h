/* Camera and light back to what motions say of them, as a step of undo. */
#ifndef ODORI_VIEW_RESET_H
#define ODORI_VIEW_RESET_H

#include "mmd/edit.h"

/* item: the camera or the light, which is nobody's hand's any more. It takes no values. NULL: out of memory. */
mmd_command *view_reset_command(mmd_item item);

#endif
