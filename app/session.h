/*
 * A scene being looked at: what the command table acts on. Whoever shows it
 * (window, single picture, dump) draws what stands here.
 */
#ifndef ODORI_SESSION_H
#define ODORI_SESSION_H

#include "mmd/view.h"
#include "history.h"
#include "panel_settings.h"
#include "scene.h"
#include "selection.h"
#include "transport.h"

/* One degree. */
#define RADIANS (3.14159265358979323846 / 180.0)

struct odori_keys;
struct odori_opener;
struct panel_log;
struct odori_playlist;
struct odori_window;
struct odori_audio;
struct odori_inspection;
struct audio_memory;

/* Whose mouse: MMD's right button turns; or the left one, as in most viewers. */
typedef enum input_preset { INPUT_MMD, INPUT_LEFT } input_preset;

/* The bone that the camera's target stays on. Zeroed: none. */
typedef struct session_follow {
    bool on;
    size_t model;
    uint32_t bone;
    float offset[3]; /* of the target from it, in the world */
} session_follow;

/* What was saved that is remembered (recovery.h). */
enum { SESSION_SAVED_MAX = 64 };

typedef struct odori_session {
    odori_scene *scene;
    mmd_view_options view;
    double frame;              /* where it is, or is going to */
    double patience;           /* seconds that going to a frame may take at once; 0: as long as it takes */
    double simulated_to;       /* physics has been up to this frame: any before it is near */
    bool has_bar;              /* where it takes long, with a progress bar on the terminal */
    bool arrived;              /* the stage is at the frame */
    bool by_hand;              /* something was changed since physics began: going back, it begins anew */
    double speed;              /* seconds of the dance a second: 1, as it was made */
    odori_transport transport; /* what is repeated, and how */
    bool playing;
    bool by_time;              /* its frame is where time led (session_advance), and nobody asked for it */
    bool ended; /* the dance came to its end and stopped there: session_take_end */
    bool quit;
    bool is_retold;  /* commands that a picture or a suite tells of run: none of them reaches out of the scene */
    bool changed;    /* something that a picture shows; the shower clears it */
    size_t selected; /* model that bone and morph commands look in */
    session_follow follow;
    bool own_camera; /* the camera is by hand: the motion's does not count */
    input_preset preset;
    bool remembers;                /* settings, recent files and states are read and written (settings.h) */
    bool lists_keys;                 /* the window is to show what keys there are */
    const struct odori_keys *keys;   /* keys.h; NULL: there are none */
    struct odori_playlist *playlist; /* playlist.h; NULL: there is none */
    struct odori_window *window;     /* that shows it; NULL: none does */
    double aspect;                   /* width to height of pictures without one; 0: a window's usual */
    panel_settings panels;
    struct odori_inspection *inspection; /* of a pixel (inspect.h); NULL: none is looked at */
    struct panel_log *messages; /* the last ones (panel_log.h); NULL: nobody keeps them */
    char refused[200];          /* why the last line by hand did nothing, in the language of the panels, or "" */
    odori_history history;
    odori_selection selection;   /* what is edited, and the gizmo (selection.h) */
    mmd_buffer *record;          /* lines that the command table ran are appended; NULL: not wanted */
    struct odori_opener *opener; /* opens files (opener.h); NULL: the scene stays who it is */
    struct odori_audio *audio;   /* plays along (audio.h); NULL: nothing does */
    uint64_t saved[SESSION_SAVED_MAX]; /* hashes of motions and poses that were, in a ring */
    size_t saved_count;                /* ever */
    struct audio_memory *heard;  /* offsets that are kept (audio_memory.h); NULL: none are */
} odori_session;

void session_init(odori_session *s, odori_scene *scene, const mmd_view_options *view);
void session_finish(odori_session *s);

/* What was seen of a pixel, in a scene that goes. */
void session_forget_inspection(odori_session *s);

/* Goes to a frame, at least 0, and evaluates the stage; as far as patience lasts. */
void session_go(odori_session *s, double frame);

/* Goes on to the frame where patience did not last; true: the stage is there. */
bool session_arrive(odori_session *s);

/* Something that physics feels was changed by hand, before the frame is gone to again; or physics begins anew
 * because of it. */
void session_touch(odori_session *s);
void session_restart(odori_session *s);

/* Frame at which playing starts again: where the motion ends, or, where physics alone moves anything, one
 * that nobody waits for. 0: nothing moves. */
double session_last_frame(const odori_session *s);

/*
 * Lets seconds of a clock pass, times the speed for the dance, which goes on as
 * its transport says. Time stands still until a frame far away is reached, and
 * until a count-in is over. Returns the frames that it went on by, those across
 * a seam of the transport included.
 */
double session_advance(odori_session *s, double seconds);

/* Where the dance leaps next, from the session's frame on. */
transport_seam session_seam(const odori_session *s);

/* Starts and stops playing. A start at the very end is one from the beginning. */
void session_play(odori_session *s);
void session_pause(odori_session *s);

/* Whether a dance came to its end, where there is a playlist, since this was asked last: the next one may
 * begin. */
bool session_take_end(odori_session *s);

/* Whether time passes for the dance, but for a frame that is not reached yet: it plays, and is counted in. */
bool session_runs(const odori_session *s);

/* The motion whose camera keys count: the last with any; NULL: there is none. */
const mmd_motion *session_camera_motion(const odori_session *s);

/* The camera by hand, from here on; or NULL, the motion's. The first ends following, too. */
void session_set_camera(odori_session *s, const mmd_camera *camera);
void session_move_camera(odori_session *s, const mmd_camera *camera);

/* The camera that is seen stays as far from a bone as it is and as it is turned, with the bone amid the
 * picture, wherever that goes. */
void session_follow_bone(odori_session *s, size_t model, uint32_t bone);

/* Whoever sets the stage's frame without session_go: the camera comes to the bone that it follows. */
void session_place_camera(odori_session *s);

/* Camera work: takes the camera that is seen from the motion's hands and moves it. Degrees; units; a factor.
 */
void session_orbit(odori_session *s, double right, double down);
void session_pan(odori_session *s, double right, double up);
void session_zoom(odori_session *s, double factor);
void session_turn(odori_session *s, double x, double y); /* to these angles, not by them */

#endif
