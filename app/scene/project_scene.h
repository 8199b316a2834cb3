/*
 * MMD's projects as scenes: models and accessories with their keys and how
 * they are drawn, camera, light, self shadow, and what the project keeps of
 * the view and of time (scene_settings).
 */
#ifndef ODORI_PROJECT_SCENE_H
#define ODORI_PROJECT_SCENE_H

#include "mmd/project.h"
#include "scene.h"

/*
 * Adds all that is in a project's bytes to the scene. Files that are not where
 * the project looks (project_files.h) or cannot be read are warned of, the rest
 * is there all the same: MMD_ERROR_VALUE where not one model or accessory is
 * left. Models keep their order, accessories follow in the order they are
 * drawn.
 */
mmd_status project_open(odori_scene *s, const char *path, const char *given, const mmd_bytes *bytes,
                        const mmd_pose_options *options, const mmd_log *log, mmd_error *error);

#endif
