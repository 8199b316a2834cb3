/* What a file that has changed does to the scene. */
#ifndef ODORI_RELOAD_APPLY_H
#define ODORI_RELOAD_APPLY_H

#include "command/commands.h"
#include "edit/session.h"

typedef enum watch_change { WATCH_SCENE, WATCH_TEXTURES, WATCH_SOUND } watch_change;

/* What has changed of a session, at least one file. */
typedef struct reload_files {
    watch_change kind;
    size_t model; /* whose textures they are */
    const char *const *paths;
    size_t count;
} reload_files;

/* Begins to read them again; the session's opener has a loader, which tells the rest. False: why in error. */
bool watch_read_again(odori_session *s, const reload_files *files, char error[REFUSAL_MAX]);

/* Says why something was not done, on stderr and in the window's title. */
void watch_tell(odori_session *s, const char *error);

#endif
