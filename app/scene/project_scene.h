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
 * the project looks (project_files.h) or cannot be read are told of, the rest
 * is there all the same: the exit code is that of a bad file where not one
 * model or accessory is left. Models keep their order, accessories follow in
 * the order they are drawn.
 */
int project_open(odori_scene *s, const char *path, const mmd_bytes *bytes, const mmd_pose_options *options,
                 const mmd_log *log);

/* Whose bones a project's numbers mean: models[i] is the scene's number of its model i, or NOT_THERE. */
#define PROJECT_NOT_THERE SIZE_MAX
typedef struct project_models {
    const mmd_project *project;
    const size_t *models;
} project_models;

/* The actor and bone that a project's parent means; none: NULL and -1, and true. False: it is in the file,
 * but not here. */
bool project_find_parent(const odori_scene *s, const project_models *models, const mmd_project_parent *parent,
                         mmd_actor **actor, int32_t *bone);

/* Once all models are there: lets their bones hang as their keys in the project say. False: out of memory. */
bool project_hang_models(odori_scene *s, const project_models *models, const mmd_log *log);

/* Lets the scene's accessory (the last model) stand as its keys in the project say. False: out of memory. */
bool project_stage_accessory(odori_scene *s, const project_models *models,
                             const mmd_project_accessory *accessory, const mmd_log *log);

#endif
