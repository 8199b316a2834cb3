/* What a file that has changed does to the scene. */
#ifndef ODORI_RELOAD_APPLY_H
#define ODORI_RELOAD_APPLY_H

#include "command/commands.h"
#include "edit/session.h"

typedef enum reload_change { RELOAD_SCENE, RELOAD_TEXTURES, RELOAD_SOUND } reload_change;

/* What has changed of a session, at least one file. */
typedef struct reload_files {
    reload_change kind;
    size_t model; /* whose textures they are */
    const char *const *paths;
    size_t count;
} reload_files;

/* Begins to read them again; the session's opener has a loader, which tells the rest. False: why in error. */
bool reload_apply(odori_session *s, const reload_files *files, char error[REFUSAL_MAX]);

/* Says why something was not done, on stderr and in the window's title. */
void reload_tell(odori_session *s, const char *error);

#endif
