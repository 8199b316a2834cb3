/* What panels show, taken from a session. */
#ifndef ODORI_PANEL_SCENE_H
#define ODORI_PANEL_SCENE_H

#include "document/file_list.h"
#include "ui/key_view.h"
#include "base/message.h"
#include "recipe/screen.h"
#include "edit/session.h"
#include "ui/ui.h"

/* Zero-initialise. */
typedef struct panel_scene {
    ui_model *models;
    size_t model_room;
    /* The timeline's marks, and of what scene they are. */
    ui_marks marks;
    uint32_t *cuts;
    size_t marks_of[3]; /* motions, the first and the last of them */
    double marks_last;
    /* What pictures cost, over a moment. */
    double since, draw_seconds;
    unsigned pictures;
    double steps_before, poses_before;
    ui_statistics statistics;
    const char *log[PANEL_LOG_LINES];
    file_list files;
    key_view sheet;
} panel_scene;

void panel_scene_finish(panel_scene *p);

/* A picture was drawn, which took so long. */
void panel_scene_note_picture(panel_scene *p, const odori_session *s, double seconds);

/* Fills out, whose pointers hold until something of the session changes. False: out of memory. */
bool panel_scene_fill(panel_scene *p, odori_session *s, const odori_screen *screen, ui_scene *out);

#endif
