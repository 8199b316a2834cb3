/* Folders at which looking for files can begin: those of the user, disks, and folders of recent files. */
#ifndef ODORI_PLACES_H
#define ODORI_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "mmd/memory.h"

typedef enum place_kind {
    PLACE_MODEL, /* the folder of the model */
    PLACE_HOME,
    PLACE_DESKTOP,
    PLACE_DOCUMENTS,
    PLACE_DOWNLOADS,
    PLACE_MUSIC,
    PLACE_PICTURES,
    PLACE_VIDEOS,
    PLACE_ROOT,
    PLACE_MEDIUM, /* a disk that the desktop has mounted, or a drive of Windows */
    PLACE_RECENT, /* a folder of a recent file */
} place_kind;

typedef struct place {
    place_kind kind;
    const char *path;
    const char *label; /* last part of the path, to be shown */
} place;

enum { PLACES_MAX = 64 };

typedef struct places {
    place items[PLACES_MAX];
    size_t count;
    mmd_arena arena;
} places;

/* Finds the places that exist, each folder once, in the order of their kinds. `model`: path of a model; NULL:
 * there is none. `recent`: also folders of recent files. Any thread. Finish them. */
void places_find(const char *model, bool recent, places *found);
void places_finish(places *found);

/* Adds a place if it exists and there is room. */
void places_add(places *found, place_kind kind, const char *path);

/* Adds the root and the disks of this system. */
void places_add_system(places *found);

/* Adds the disks in a folder in which a desktop mounts them. Not on Windows. */
void places_add_disks(places *found, const char *folder);

#endif
