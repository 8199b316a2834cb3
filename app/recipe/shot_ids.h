/* The picture of ids beside a picture of shot: NAME.ids.png, as ids.h says. */
#ifndef ODORI_SHOT_IDS_H
#define ODORI_SHOT_IDS_H

#include "plan.h"
#include "screen.h"

/* Appends the PNG of the ids of the stage as it stands: what ids_decode reads. Errors of mmd_view_ids,
 * ids_write.
 */
mmd_status shot_ids_png(mmd_view *view, const odori_scene *scene, const mmd_view_options *options,
                        picture_size size, mmd_buffer *png, mmd_error *error);

/* Draws and writes the ids of the stage as it stands. EXIT_DONE, or the exit code of what it reported. */
int shot_write_ids(odori_screen *s, const odori_scene *scene, const mmd_view_options *options,
                   const screen_picture *picture);

#endif
