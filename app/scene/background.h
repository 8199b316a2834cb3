/*
 * The picture and the video that a project has behind its models (背景画像,
 * 背景AVI): found when the project is opened, decoded when they are drawn.
 */
#ifndef ODORI_BACKGROUND_H
#define ODORI_BACKGROUND_H

#include "mmd/actor.h"
#include "mmd/log.h"
#include "mmd/project.h"
#include "files/project_files.h"

struct odori_scene;

/*
 * Puts behind the scene's stage what the project says: the picture first, the
 * video over it. What is not there, or is neither, is warned of and left out. A
 * video begins at frame 0 in its own pace; behind its end the last picture
 * stays. False: out of memory.
 */
bool background_open(struct odori_scene *scene, const project_places *places, const mmd_project *project,
                     const char *name, const mmd_log *log);

/* Paths of what was found, in the order they are drawn; NULL: there are no more. */
const char *background_path(const struct odori_scene *scene, uint32_t index);

/* Frees what was decoded; the stage must be gone, or draw no more. */
void background_close(struct odori_scene *scene);

#endif
