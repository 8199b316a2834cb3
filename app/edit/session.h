/*
 * A session: a scene that is looked at, and everything the command table acts on. Window, single picture and
 * dump draw what is in it.
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

/* The bone that the camera's target follows. Zeroed: none. */
typedef struct session_follow {
    bool on;
    size_t model;
    uint32_t bone;
    float offset[3]; /* of the target from the bone, in the world */
} session_follow;

/* Number of saved motions and poses that are remembered. */
enum { SESSION_SAVED_MAX = 64 };

struct odori_session;

/* Callbacks to the owner that shows the session. */
typedef struct session_host {
    /* Drops all pointers into the scene, which is about to be destroyed or replaced. */
    void (*scene_ends)(struct odori_session *s);
} session_host;

typedef struct odori_session {
    odori_scene *scene;
    mmd_view_options view;
    double frame;              /* the current frame, or the one that is being computed */
    double budget_s;           /* seconds that going to a frame may take at once; 0: no limit */
    double simulated_to;       /* last frame that physics has simulated; earlier frames are fast to reach */
    bool has_bar;              /* shows a progress bar on the terminal where going to a frame takes long */
    bool arrived;              /* the stage is at the frame */
    bool edited_since_start;   /* something changed since physics started, so going back restarts physics */
    double speed;              /* playback speed; 1 is normal */
    odori_transport transport; /* repeats, count-in and tempo */
    bool playing;
    bool by_playback; /* the frame was reached by playback (session_advance), not requested */
    bool ended;       /* playback stopped at the end of the dance: session_take_end */
    bool quit;
    bool is_replayed;   /* runs the commands of a picture or suite, of which only some are allowed
                         (command/command_group.h) */
    char left_out[512]; /* "NAME, " of each that was left out */
    bool is_loading;    /* files are being read in the background; the lists of models and motions must not
                           change */
    bool changed;       /* the picture is out of date; whoever draws it clears this */
    size_t selected;    /* model that bone and morph commands act on */
    bool has_chosen;    /* the user selected it, or opened it last, and has not cleared the selection since */
    session_follow follow;
    bool camera_by_user; /* the user set the camera, which overrides the motion's */
    input_preset preset;
    bool remembers;           /* settings, recent files and states are read and written (preferences.h) */
    bool lists_bindings;      /* the window shows the list of key bindings */
    double aspect;            /* aspect ratio of the window or picture; 0: that of a usual window */
    bool has_next;            /* another dance follows at the end of this one, so it ends rather than loops */
    const session_host *host; /* NULL: no callbacks */
    void *owner;              /* for commands of the owner of the session (document.h); NULL: none */
    panel_settings panels;
    struct panel_log *messages; /* the last messages (base/message.h); NULL: not kept */
    char refused[200]; /* why the last interactive line was refused, in the language of the panels, or "" */
    odori_history history;
    odori_selection selection; /* selected items and the gizmo (selection.h) */
    mmd_buffer *record; /* receives the lines that were run and change what is shown; NULL: not recorded */
    uint64_t saved[SESSION_SAVED_MAX]; /* hashes of saved motions and poses, a ring buffer */
    size_t saved_count;                /* number of hashes ever added */
    double fade_seconds;               /* length of a fade to the next dance in the player; 0: a cut */
    size_t picture_models; /* the first so many models came with a picture, and their state is not stored */
    bool is_own_picture;   /* that picture was written by the player to continue its scene later */
    mmd_buffer as_opened;  /* hashes of the motions and poses that came with it, uint64_t each */
} odori_session;

void session_init(odori_session *s, odori_scene *scene, const mmd_view_options *view);
void session_finish(odori_session *s);

/* Returns whether the panels are in Japanese, by their setting or else by the environment. */
bool session_in_japanese(const odori_session *s);

/* Calls scene_ends of the host. */
void session_end_scene(odori_session *s);

/* Goes to a frame, at least 0, and evaluates the stage, as far as budget_s allows. */
void session_go(odori_session *s, double frame);

/* Continues to the frame where budget_s did not suffice. Returns whether the stage has reached it. */
bool session_arrive(odori_session *s);

/* Find the model that bone, morph and model commands act on, and a bone of it by its name. Return NULL or
 * false if there is none, with the reason in error (REFUSAL_MAX bytes). */
const scene_model *session_selected_model(const odori_session *s, char *error);
bool session_find_bone(const odori_session *s, const char *name, uint32_t *bone, char *error);

/* Find a model on the stage by its number on the command line, or by its number or name (a number comes
 * first). Return false if there is none, with the reason in error. */
bool session_model_numbered(const odori_session *s, double number, size_t *index, char *error);
bool session_find_model(const odori_session *s, const char *word, size_t *index, char *error);

/* Write names for messages: of a model, with its number where several have that name ("初音ミク (2nd
 * model)"), and of any item ("右腕 of 初音ミク", mmd_edit_describe). */
enum { SESSION_NAME_MAX = 256 };
void session_model_name(const odori_session *s, size_t model, char name[SESSION_NAME_MAX]);
void session_item_name(odori_session *s, mmd_item item, char name[SESSION_NAME_MAX]);

/* Refuses because a model has no part (what: "bone", "morph") of a name. Returns false. */
bool session_refuse_name(const odori_session *s, size_t model, const char *what, const char *name,
                         char *error);

/* session_touch notes that something that affects physics was changed by hand, before the frame is
 * evaluated again. session_restart restarts physics because of such a change. */
void session_touch(odori_session *s);
void session_restart(odori_session *s);

/* Returns the frame at which playback wraps: the end of the motion, or a very far one if only physics
 * moves anything. 0: nothing moves. */
double session_last_frame(const odori_session *s);

/*
 * Advances playback by seconds of the clock, times the speed, as the transport says. Time stands still while
 * a far frame is being computed, and during a count-in. Returns the number of frames advanced, those across a
 * repeat included.
 */
double session_advance(odori_session *s, double seconds);

/* Finds the next jump of playback from the session's frame. */
transport_seam session_seam(const odori_session *s);

/* Start and stop playback. A start at the very end is one from the beginning. */
void session_play(odori_session *s);
void session_pause(odori_session *s);

/* Removes the fade from the dance before, if the scene begins with one: it then begins with its own poses. */
void session_end_fade(odori_session *s);

/* Returns whether a dance reached its end since the last call, while another one follows (has_next). */
bool session_take_end(odori_session *s);

/* Tests whether the dance is running: it plays, and no count-in is left. It may still wait for a frame to
 * be computed. */
bool session_runs(const odori_session *s);

/* Remembers that a motion of these bytes, or a pose of this hash, was saved, so that it needs no recovery
 * while it is unchanged. */
void session_remember_saved(odori_session *s, const mmd_buffer *bytes);
void session_remember_saved_hash(odori_session *s, uint64_t hash);

/* Remembers likewise, without a limit, the hash of a motion or pose that came with a picture. */
void session_remember_opened_hash(odori_session *s, uint64_t hash);

/* Tests whether a hash was remembered; and computes the hash of bytes, continuing from another hash. */
bool session_was_saved(const odori_session *s, uint64_t hash);
#define SESSION_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t session_hash(uint64_t from, const void *data, size_t size);

/* Returns the motion whose camera keyframes apply, the last with any; NULL if there is none. */
const mmd_motion *session_camera_motion(const odori_session *s);

/* session_set_camera sets the user's camera and ends following a bone; NULL returns to the motion's
 * camera. session_move_camera sets it and keeps following. */
void session_set_camera(odori_session *s, const mmd_camera *camera);
void session_move_camera(odori_session *s, const mmd_camera *camera);

/* Follows a bone with the camera at the present distance and angles, with the bone in the centre of the
 * picture. */
void session_follow_bone(odori_session *s, size_t model, uint32_t bone);

/* Moves the camera to the bone it follows, for callers that set the stage's frame without session_go. */
void session_place_camera(odori_session *s);

/* Camera work: take the visible camera over from the motion and move it. Degrees, units, or a factor. */
void session_orbit(odori_session *s, double right, double down);
void session_pan(odori_session *s, double right, double up);
void session_zoom(odori_session *s, double factor);
void session_turn(odori_session *s, double x, double y); /* to these angles, not by them */

#endif
