/*
 * The snapshot of the selection that the panels show (ui_edit): strokes of the gizmo, marks of selected
 * items, and their numbers.
 */
#ifndef ODORI_PANEL_EDIT_H
#define ODORI_PANEL_EDIT_H

#include "edit/session.h"
#include "gizmo_mouse.h"
#include "ui/edit.h"

/* Fills the snapshot of the selection for a window of this size. Its labels are valid until the next edit. */
void panel_edit_fill(odori_session *s, const gizmo_mouse_view *view, ui_edit *out);

#endif
