#include <string.h>

#include "mmd/view.h"

/* Draws dancers into a scene in metres: place is the program's framebuffer and viewport, eye_from_world and
 * clip_from_eye are the matrices that it draws everything else with. */
static inline mmd_status draw_dancers(mmd_view *view, const mmd_stage *stage, const mmd_view_place *place,
                                      const float eye_from_world[16], const float clip_from_eye[16],
                                      mmd_error *error)
{
    mmd_view_options options = mmd_default_view_options();
    mmd_view_host host = mmd_default_view_host();
    options.pixel_centers = MMD_PIXEL_CENTERS_GL; /* exactly where the matrices say */
    options.self_shadow = true;
    host.place = *place;
    memcpy(host.view, eye_from_world, sizeof host.view);
    memcpy(host.projection, clip_from_eye, sizeof host.projection);
    host.world[0] = host.world[5] = 0.08f; /* MMD's unit is 8 cm */
    host.world[10] = -0.08f;               /* and its z points the other way */
    host.restore_state = true;
    return mmd_view_draw_into(view, stage, &options, &host, error);
}
