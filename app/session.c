#include "session.h"

#include <math.h>

#define RADIANS (3.14159265358979323846 / 180.0)

void session_init(odori_session *s, odori_scene *scene, const mmd_view_options *view)
{
    *s = (odori_session){.scene = scene, .view = *view, .changed = true};
    history_init(&s->history, scene);
}

void session_finish(odori_session *s)
{
    history_finish(&s->history);
}

void session_go(odori_session *s, double frame)
{
    s->frame = frame > 0 ? frame : 0;
    s->changed = true;
    mmd_stage_set_frame(s->scene->stage, s->frame);
}

void session_advance(odori_session *s, double seconds)
{
    double last = mmd_stage_last_frame(s->scene->stage);
    if (!s->playing || last <= 0)
        return;
    double frame = s->frame + 30.0 * seconds;
    session_go(s, frame <= last ? frame : fmod(frame, last));
}

static void set_camera(odori_session *s, const mmd_camera *camera)
{
    mmd_stage_set_camera(s->scene->stage, camera);
    session_go(s, s->frame);
}

void session_orbit(odori_session *s, double right, double down)
{
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    camera.rotation[0] -= (float)(down * RADIANS);
    camera.rotation[1] -= (float)(right * RADIANS);
    set_camera(s, &camera);
}

/* What is seen moves right and up, so the target moves the other way along the camera's own axes. */
void session_pan(odori_session *s, double right, double up)
{
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    float view[16];
    mmd_camera_matrices(&camera, 1.0f, view, NULL, NULL);
    for (int i = 0; i < 3; i++)
        camera.position[i] -= (float)right * view[4 * i] + (float)up * view[4 * i + 1];
    set_camera(s, &camera);
}

void session_zoom(odori_session *s, double factor)
{
    mmd_camera camera = *mmd_stage_camera(s->scene->stage);
    camera.distance = (float)(camera.distance * factor);
    set_camera(s, &camera);
}
