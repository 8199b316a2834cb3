/*
 * play --mascot: the dancer on the desktop, in a window without a frame that stays above others and takes the
 * mouse only where she is. It has no panels. The left button drags it, the right one opens a menu of a few
 * lines (ui_menu_frame), the wheel changes its size. She dances in front of a camera of her own, which shows
 * the room of the whole dance (scene/dance_box.h) with the floor at the lower edge.
 */
#ifndef ODORI_MASCOT_H
#define ODORI_MASCOT_H

#include "document/document.h"
#include "recipe/stage.h"
#include "scene/dance_box.h"

typedef struct odori_mascot odori_mascot;

/* Pictures a second: as many as a motion has frames. */
enum { MASCOT_FPS = 30 };

/* What the command line asks for. Zeroed: no mascot. */
typedef struct mascot_plan {
    bool wanted;
    picture_size size; /* of the window; 0 by 0: chosen by the box and the monitor */
    uint64_t fps;      /* most pictures a second; 0: MASCOT_FPS */
    dance_box box;     /* set by mascot_measure */
} mascot_plan;

/* Finds the room of the dance. Call it before the session goes to a frame, because physics starts again. */
mmd_status mascot_measure(mascot_plan *plan, odori_scene *scene, mmd_error *error);

/* Sets the session's camera, and its background and ground shadow where no option did. Call it before --exec.
 */
void mascot_dress(const mascot_plan *plan, recipe_stage *stage);

/* Shows the stage until the user quits. Returns the exit code. */
int mascot_play(document *own, recipe_stage *stage, const mascot_plan *plan, const mmd_log *log);

/*
 * Handle events of window.c: GLFW's number of a button, a pixel of the window, the name of a key. Those that
 * return true have consumed the event. NULL takes no events.
 */
bool mascot_take_button(odori_mascot *m, int button, bool down, const double pixel[2]);
bool mascot_take_move(odori_mascot *m, const double pixel[2]);
bool mascot_take_wheel(odori_mascot *m, double notches);
bool mascot_take_key(odori_mascot *m, const char *name);
void mascot_close_menu(odori_mascot *m);

/* Returns whether a key may run a command: those for time, sound and the end. NULL allows all. */
bool mascot_allows(const odori_mascot *m, const char *command);

#endif
