/* Saves motions with edited keyframes as VMD files. */
#ifndef ODORI_MOTION_FILE_H
#define ODORI_MOTION_FILE_H

#include "session.h"

/* Saves the motions of a model, merged into one. Returns false with the reason in error (REFUSAL_MAX bytes),
 * also when the model has no motion and no keyframe. */
bool motion_file_save(odori_session *s, size_t model, const char *path, char *error);

/* Saves the keyframes of camera, light and self shadow. Returns false likewise. */
bool motion_file_save_stage(odori_session *s, const char *path, char *error);

#endif
