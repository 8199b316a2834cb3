/* Shared by the files about the user's folders. */
#ifndef MMD_ASSEMBLE_USER_FOLDERS_H
#define MMD_ASSEMBLE_USER_FOLDERS_H

#include "mmd/assemble.h"

/* Adds a folder if it exists and there is room. */
void user_folders_add(mmd_user_folders *folders, const char *path);

#endif
