/*
 * Saving what was edited: a list of the motions, the camera and the poses that have unsaved edits, each with
 * the file that it would be saved to. The player shows the list as a page, where names are changed and items
 * are left out. A name that was used once is used again without asking.
 */
#ifndef ODORI_SAVE_H
#define ODORI_SAVE_H

#include "edit/session.h"
#include "mmd/source.h"

typedef enum save_kind { SAVE_MOTION, SAVE_CAMERA, SAVE_POSE } save_kind;

typedef struct save_item {
    save_kind kind;
    size_t model;                                        /* of a motion or pose */
    char name[SESSION_NAME_MAX];                         /* of that model; "" of the camera */
    char key[SESSION_NAME_MAX + MMD_FILE_PATH_MAX + 16]; /* identifies it from one list to the next */
    char path[MMD_FILE_PATH_MAX];                        /* the file that it is saved to */
    bool taken;                                          /* it is saved; not when the user leaves it out */
    bool replaces;                                       /* there is such a file already */
    bool is_known; /* it was saved to this file before, or the user has named it */
} save_item;

/* The file that the item of a key was saved to; NULL: not known for want of memory. */
typedef struct save_memory {
    char *key, *path;
} save_memory;

/* Zeroed: closed, and no name is known. */
typedef struct save_list {
    bool shown;
    bool closes;   /* the player ends after saving */
    bool discards; /* the player ends without keeping unsaved edits */
    save_item *items;
    size_t count;
    save_memory *known;
    size_t known_count;
    char *asked;       /* key of the item for which the desktop's dialog was opened; NULL: of none yet */
    bool asked_writes; /* it is saved when the dialog is answered; otherwise only its name is changed */
} save_list;

/* Lists what is unsaved, and shows the list if there is anything. closes: the player is to end. Returns false
 * when out of memory, with the reason in error (REFUSAL_MAX bytes). */
bool save_list_open(save_list *l, odori_session *s, bool closes, char *error);

/* Lists what can be saved under another name although it has no unsaved edits: the motion of the selected
 * model and its pose, of which one is taken. Returns false when out of memory, with the reason in error. */
bool save_list_offer(save_list *l, odori_session *s, char *error);

/* Returns whether all items have a name that was used before, so that nothing has to be asked. */
bool save_list_is_known(const save_list *l);

/* Changes the file of an item. One without an ending gets that of its kind. Returns false with the reason. */
bool save_list_name(save_list *l, size_t item, const char *path, char *error);

/*
 * Asks for the file of an item in the desktop's dialog. With `writes` the item is saved there, and if there
 * is no dialog after all, the list is shown. Returns false with the reason in error (REFUSAL_MAX bytes);
 * *is_missing then says whether that is because there is no dialog.
 */
bool save_list_ask(save_list *l, odori_session *s, size_t item, bool writes, bool *is_missing, char *error);

/* Saves the items that are taken, and closes the list. An item that cannot be saved ends it, with the reason
 * in error: then the list stays open with that item and those after it. Returns whether all were saved. */
bool save_list_write(save_list *l, odori_session *s, char *error);

/* Saves the pose of a model, motion and edits together, as a VPD file. Returns false with the reason. */
bool save_pose(odori_session *s, size_t model, const char *path, char *error);

/* Closes the list without saving. */
void save_list_close(save_list *l);

/* Frees the list and the names that were used. */
void save_list_finish(save_list *l);

#endif
