/* Sound as the command line and scenes name it: which file is meant, and which belongs to a scene. */
#ifndef ODORI_AUDIO_OPTIONS_H
#define ODORI_AUDIO_OPTIONS_H

#include "base/options.h"
#include "scene/load.h"

#define AUDIO_OFFSET_MAX 86400.0 /* seconds: a day */

/* What the command line says of sound. */
typedef struct audio_options {
    const char *path; /* NULL: not given; "none": silence; BUNDLED_NAME: the bundled music */
    double offset;    /* seconds of the dance at which the sound begins; may be below 0 */
} audio_options;

option_group group_of_sound(audio_options *options);

/*
 * Finds the file that is meant: that of the options, else the fallback; "" for
 * silence. Sees that it can be played; a fallback that cannot is warned of and
 * left out. Errors of locate_choose and audio_file_open. path: PATH_MAX bytes.
 */
mmd_status audio_choose(const audio_options *options, const char *fallback, char *path, const mmd_log *log,
                        mmd_error *error);

/* The scene's own sound, else the only one in an archive or a folder of those that were given, else "": as
 * audio_choose takes its fallback. path: room for it. */
const char *audio_of_files(const scene_options *files, const odori_scene *scene, char *path);

/* For arguments that are no options: files of a scene, but a sound among them, told by its content, is meant
 * as
 * --audio. */
typedef struct audio_files {
    scene_options *scene;
    audio_options *sound;
} audio_files;
bool audio_files_add(void *audio_files, const char *value, option_error *error);

/* The same where nothing is heard: it has to be a sound all the same. */
mmd_status audio_check(const audio_options *options, const mmd_log *log, mmd_error *error);

/* What belongs to a scene: the bundled music to her dance, named as a file (BUNDLED_NAME), a project's WAVE,
 * else "". */
const char *audio_of_scene(const odori_scene *scene);

#endif
