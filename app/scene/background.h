/* The background picture and video (背景画像, 背景AVI) of a project. They are found when the project is
 * opened and decoded when they are drawn. */
#ifndef ODORI_BACKGROUND_H
#define ODORI_BACKGROUND_H

#include "mmd/actor.h"
#include "mmd/assemble.h"
#include "mmd/log.h"
#include "mmd/project.h"

struct odori_scene;

/*
 * Adds the project's background to the scene's stage: the picture first, the video over it. A file that is
 * missing or cannot be decoded causes a warning and is left out. A video starts at frame 0 at its own rate;
 * after its end the last picture stays. Returns false if out of memory.
 */
bool background_open(struct odori_scene *scene, mmd_project_folders *places, const mmd_project *project,
                     const char *name, const mmd_log *log);

/* Returns the path of a background file, in drawing order; NULL after the last. */
const char *background_path(const struct odori_scene *scene, uint32_t index);

/* Frees the decoded pictures. The stage must not be drawn afterwards. */
void background_close(struct odori_scene *scene);

#endif
