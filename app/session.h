/*
 * A scene being looked at: what the command table acts on. Whoever shows it
 * (window, single picture, dump) draws what stands here.
 */
#ifndef ODORI_SESSION_H
#define ODORI_SESSION_H

#include "mmd/view.h"
#include "history.h"
#include "scene.h"

/* One degree. */
#define RADIANS (3.14159265358979323846 / 180.0)

struct odori_opener;

typedef struct odori_session {
    odori_scene *scene;
    mmd_view_options view;
    double frame;
    bool playing;
    bool quit;
    bool changed;    /* something that a picture shows; the shower clears it */
    size_t selected; /* model that bone and morph commands look in */
    odori_history history;
    mmd_buffer *record;          /* lines that the command table ran are appended; NULL: not wanted */
    struct odori_opener *opener; /* opens files (opener.h); NULL: the scene stays who it is */
} odori_session;

void session_init(odori_session *s, odori_scene *scene, const mmd_view_options *view);
void session_finish(odori_session *s);

/* Goes to a frame, at least 0, and evaluates the stage. */
void session_go(odori_session *s, double frame);

/* Lets time pass; starts again at the end of the motion. */
void session_advance(odori_session *s, double seconds);

/* Camera work: takes the camera that is seen from the motion's hands and moves it. Degrees; units; a factor.
 */
void session_orbit(odori_session *s, double right, double down);
void session_pan(odori_session *s, double right, double up);
void session_zoom(odori_session *s, double factor);

#endif
