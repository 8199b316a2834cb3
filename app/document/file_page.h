/*
 * The player's own page of files, for desktops without a dialog: a folder or archive with its entries, a
 * filter by typing, and which entries are picked. It is operated by commands; the panels draw its rows.
 */
#ifndef ODORI_FILE_PAGE_H
#define ODORI_FILE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chooser_aim.h"
#include "edit/session.h"
#include "mmd/assemble.h"
#include "mmd/image.h"

/* An entry that the filter lets through. */
typedef struct file_row {
    const char *label; /* UTF-8 */
    uint64_t size;     /* bytes */
    int64_t time;      /* seconds since 1970; 0: not known */
    mmd_name_kind kind;
    bool is_folder, is_picked;
    uint32_t entry; /* in the folder */
} file_row;

/* A folder at which looking for files can begin. */
typedef struct file_place {
    int kind; /* place_kind of places.h */
    const char *path, *label;
} file_place;

struct folder_list;
struct thumbnails;

/* In place of the number of a picture: there is none of this file. */
#define FILE_PAGE_NO_PICTURE UINT32_MAX

typedef struct file_page {
    bool shown;
    bool all;                       /* also files that cannot be opened, and hidden ones */
    char filter[128];               /* part of the names that are shown */
    char folder[MMD_FILE_PATH_MAX]; /* that is shown or being read */
    bool is_busy;                   /* it is being read */
    bool descends;                  /* if it is an archive's and has but one folder, that is shown instead */
    bool has_others;                /* it has entries, even if none of them is shown */
    const char *error;              /* why it cannot be read; "": it can */
    file_row *rows;
    size_t count, picked;
    size_t last; /* row that was picked last; count: none */
    file_place *places;
    size_t place_count;
    unsigned version; /* changes with the rows */
    chooser_aim aim;  /* what the file is for */
    struct folder_list *list;
    /* Small pictures of entries. Whoever shows them (the player) has them as textures. */
    bool has_pictures;  /* some of the rows can have one */
    uint32_t *pictures; /* by entry: the player's number of the picture; 0: not known yet; NULL: no folder */
    size_t picture_count;        /* entries of the folder */
    unsigned pictures_of;        /* changes when all numbers were forgotten */
    size_t seen_first, seen_end; /* rows that were visible last */
    unsigned seen_version;       /* of the rows then */
    bool asks_again;             /* the number of a picture was forgotten since */
    struct thumbnails *thumbnails;
} file_page;

/* Creates a page that is not shown. `wake` is as for folder_list_create. Returns NULL when out of memory. */
file_page *file_page_create(void (*wake)(void *user), void *user);
void file_page_destroy(file_page *p); /* does nothing when NULL */

/* Shows the page at the folder where it was, or at that of the model. Returns false with the reason in error
 * (REFUSAL_MAX bytes). */
bool file_page_show(file_page *p, odori_session *s, const chooser_aim *aim, char *error);

/* Asks for the pictures of rows `first` to `end` - 1, which are visible. Others are not made. */
void file_page_see(file_page *p, size_t first, size_t end);

/* Takes a picture that has come: its entry, and the image, which the caller has to finish. Returns false when
 * there is none. p may be NULL. */
bool file_page_take_picture(file_page *p, uint32_t *entry, mmd_image *image);

/* Sets the number of an entry's picture, or 0 to forget it. */
void file_page_set_picture(file_page *p, uint32_t entry, uint32_t number);

/* Takes over what was read meanwhile. Does nothing when NULL. To be called once in each turn of the player.
 */
void file_page_poll(file_page *p, odori_session *s);

#endif
