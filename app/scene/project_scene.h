/* Opens MMD projects as scenes: models and accessories with their keyframes and draw settings, camera, light,
 * self shadow, and the project's view and time settings (scene_settings). */
#ifndef ODORI_PROJECT_SCENE_H
#define ODORI_PROJECT_SCENE_H

#include "mmd/project.h"
#include "load.h"
#include "scene.h"

/*
 * Adds the contents of a project to the scene. Files that are missing (mmd_project_find) or unreadable cause
 * warnings; MMD_ERROR_VALUE if no model or accessory remains. Models keep their order; accessories follow in
 * drawing order.
 */
mmd_status project_open(odori_scene *s, const char *path, const char *given, const mmd_bytes *bytes,
                        const scene_options *options, const mmd_log *log, mmd_error *error);

#endif
