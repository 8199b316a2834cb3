/*
 * A scene being looked at: what the command table acts on. Whoever shows it
 * (window, single picture, dump) draws what stands here.
 */
#ifndef ODORI_SESSION_H
#define ODORI_SESSION_H

#include "mmd/view.h"
#include "history.h"
#include "mmd/cursor.h"
#include "panel_settings.h"
#include "scene/scene.h"
#include "selection.h"
#include "transport.h"

struct panel_log;

/* Mouse button layout: MMD (right orbits), or left orbits, as in most viewers. */
typedef enum input_preset { INPUT_MMD, INPUT_LEFT } input_preset;

/* The bone that the camera's target stays on. Zeroed: none. */
typedef struct session_follow {
    bool on;
    size_t model;
    uint32_t bone;
    float offset[3]; /* of the target from it, in the world */
} session_follow;

/* Number of saved motions and poses that are remembered. */
enum { SESSION_SAVED_MAX = 64 };

struct odori_session;

/* What a session asks of whoever shows it. */
typedef struct session_host {
    /* Lets go of everything that points into the scene, which is about to be destroyed or replaced. */
    void (*scene_ends)(struct odori_session *s);
} session_host;

typedef struct odori_session {
    odori_scene *scene;
    mmd_view_options view;
    double frame;              /* where it is, or is going to */
    double budget_s;           /* seconds that going to a frame may take at once; 0: as long as it takes */
    double simulated_to;       /* last frame that physics has simulated; frames before it are fast to reach */
    bool has_bar;              /* shows a progress bar on the terminal where going to a frame takes long */
    bool arrived;              /* the stage is at the frame */
    bool edited_since_start;   /* something was changed since physics began: going back, it begins anew */
    double speed;              /* seconds of the dance a second: 1, as it was made */
    odori_transport transport; /* what is repeated, and how */
    bool playing;
    bool by_time; /* its frame is where time led (session_advance), and nobody asked for it */
    bool ended;   /* the dance came to its end and stopped there: session_take_end */
    bool quit;
    bool is_retold; /* commands of a picture or a suite run: those that reach out of the scene are passed over
                     */
    bool changed;   /* the picture is out of date; whoever draws it clears this */
    size_t selected; /* model that bone and morph commands look in */
    session_follow follow;
    bool camera_by_user; /* the user set the camera: the motion's does not count */
    input_preset preset;
    bool remembers;           /* settings, recent files and states are read and written (preferences.h) */
    bool lists_keys;          /* the window shows the list of key bindings */
    double aspect;            /* width to height of the window or picture; 0: a window's usual */
    bool has_next;            /* another dance waits for the end of this one: it ends rather than loops */
    const session_host *host; /* NULL: nobody is told of anything */
    void *owner;              /* for commands of whoever shows the session (document.h); NULL: nothing */
    panel_settings panels;
    struct panel_log *messages; /* the last ones (base/message.h); NULL: nobody keeps them */
    char refused[200]; /* why the last line by hand did nothing, in the language of the panels, or "" */
    odori_history history;
    odori_selection selection;         /* what is edited, and the gizmo (selection.h) */
    mmd_buffer *record;                /* lines that the command table ran are appended; NULL: not wanted */
    uint64_t saved[SESSION_SAVED_MAX]; /* hashes of motions and poses that were, in a ring */
    size_t saved_count;                /* ever */
} odori_session;

void session_init(odori_session *s, odori_scene *scene, const mmd_view_options *view);
void session_finish(odori_session *s);

/* Tells the host that the session's scene ends. */
void session_end_scene(odori_session *s);

/* Goes to a frame, at least 0, and evaluates the stage; as far as budget_s lasts. */
void session_go(odori_session *s, double frame);

/* Goes on to the frame where budget_s did not last; true: the stage is there. */
bool session_arrive(odori_session *s);

/* Find the model that bone, morph and model commands mean, and a bone of it by its name; without one NULL or
 * false, and why in error (REFUSAL_MAX bytes). */
const scene_model *session_selected_model(const odori_session *s, char *error);
bool session_find_bone(const odori_session *s, const char *name, uint32_t *bone, char *error);

/* Tell the session that something that physics feels was changed by hand, before the frame is gone to again;
 * or physics begins anew because of it. */
void session_touch(odori_session *s);
void session_restart(odori_session *s);

/* Returns the frame at which playing starts again: where the motion ends, or, where physics alone moves
 * anything, one that nobody waits for. 0: nothing moves. */
double session_last_frame(const odori_session *s);

/*
 * Lets seconds of a clock pass, times the speed for the dance, which goes on as
 * its transport says. Time stands still until a frame far away is reached, and
 * until a count-in is over. Returns the frames that it went on by, those across
 * a seam of the transport included.
 */
double session_advance(odori_session *s, double seconds);

/* Finds where the dance leaps next, from the session's frame on. */
transport_seam session_seam(const odori_session *s);

/* Start and stop playing. A start at the very end is one from the beginning. */
void session_play(odori_session *s);
void session_pause(odori_session *s);

/* Tells whether a dance came to its end, where another waits (has_next), since this was asked last: the next
 * one may begin. */
bool session_take_end(odori_session *s);

/* Tells whether time passes for the dance, but for a frame that is not reached yet: it plays, and is counted
 * in. */
bool session_runs(const odori_session *s);

/* Remembers that these bytes of a motion, or this hash of a pose, were saved: they need no recovery as long
 * as they stay the same. */
void session_note_saved(odori_session *s, const mmd_buffer *bytes);
void session_note_saved_hash(odori_session *s, uint64_t hash);

/* Tells whether that was noted of the hash; and the hash of some bytes, which may go on from another. */
bool session_was_saved(const odori_session *s, uint64_t hash);
#define SESSION_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t session_hash(uint64_t from, const void *data, size_t size);

/* Returns the motion whose camera keys count: the last with any; NULL: there is none. */
const mmd_motion *session_camera_motion(const odori_session *s);

/* session_set_camera sets the user's camera, and ends following a bone; NULL gives it back to the motion.
 * session_move_camera sets it and goes on following. */
void session_set_camera(odori_session *s, const mmd_camera *camera);
void session_move_camera(odori_session *s, const mmd_camera *camera);

/* Keeps the camera that is seen as far from a bone as it is and as it is turned, with the bone amid the
 * picture, wherever that goes. */
void session_follow_bone(odori_session *s, size_t model, uint32_t bone);

/* Brings the camera to the bone that it follows, for whoever sets the stage's frame without session_go. */
void session_place_camera(odori_session *s);

/* Camera work: takes the camera that is seen from the motion's hands and moves it. Degrees; units; a factor.
 */
void session_orbit(odori_session *s, double right, double down);
void session_pan(odori_session *s, double right, double up);
void session_zoom(odori_session *s, double factor);
void session_turn(odori_session *s, double x, double y); /* to these angles, not by them */

#endif
