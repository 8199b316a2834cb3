/*
 * The snapshot of the session that the panels show (ui_scene). It points to data of the scene. Only the marks
 * of the timeline (once for each scene) and the statistics (twice a second) are computed.
 */
#ifndef ODORI_PANEL_SCENE_H
#define ODORI_PANEL_SCENE_H

#include "base/message.h"
#include "document/autosave.h"
#include "document/file_list.h"
#include "document/last.h"
#include "document/playlist.h"
#include "edit/session.h"
#include "mmd/source.h"
#include "recipe/draw.h"
#include "ui/key_view.h"
#include "ui/ui.h"

/* What the snapshots of one window need between frames. Zero-initialise. */
typedef struct panel_scene {
    ui_model *models;
    ui_motion motions[UI_MOTIONS_MAX]; /* of the selected model */
    size_t model_room;
    /* Marks of the timeline, and what they were computed from. */
    ui_marks marks;
    uint32_t *cuts;
    size_t marks_of[3]; /* number of motions, addresses of the first and the last one */
    double marks_last;  /* last frame */
    /* Statistics of the present interval. */
    double since, draw_seconds;        /* its start, seconds spent drawing */
    unsigned pictures;                 /* frames drawn */
    double steps_before, poses_before; /* totals of physics at its start */
    ui_statistics statistics;
    panel_message log[PANEL_LOG_LINES];
    file_list files;
    key_view sheet;
    char (*kept)[MMD_FILE_PATH_MAX]; /* for the first page */
    const char *kept_paths[AUTOSAVE_LISTED];
    size_t kept_count;
    last_scene last; /* for the first page; name "": none */
    bool looked_for_last;
    char (*labels)[PLAYLIST_LABEL_MAX]; /* of the entries of the playlist, and pointers to them */
    const char **dances;
    size_t dance_count;
    unsigned dances_of; /* version of the playlist */
} panel_scene;

void panel_scene_finish(panel_scene *p);

/* Counts a frame that took `seconds` to draw, and updates the statistics at the end of an interval. */
void panel_scene_note_picture(panel_scene *p, const odori_session *s, double seconds);

/* Fills the snapshot. Its pointers are valid until the session changes. Returns false when out of memory. */
bool panel_scene_fill(panel_scene *p, odori_session *s, const odori_screen *screen, ui_scene *out);

#endif
