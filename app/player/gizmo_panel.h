/* What panels show of a selection. */
#ifndef ODORI_GIZMO_PANEL_H
#define ODORI_GIZMO_PANEL_H

#include "gizmo_mouse.h"
#include "ui/edit.h"

/* Fills out for a picture of that size; texts of labels hold until the next edit. */
void gizmo_panel_fill(odori_session *s, const gizmo_mouse_view *view, ui_edit *out);

#endif
