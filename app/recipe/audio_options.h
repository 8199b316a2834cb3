/* Sound options of the command line and of scenes: choosing the sound file that plays. */
#ifndef ODORI_AUDIO_OPTIONS_H
#define ODORI_AUDIO_OPTIONS_H

#include "base/options.h"
#include "mmd/source.h"
#include "scene/load.h"

#define AUDIO_OFFSET_MAX 86400.0 /* seconds; one day */

/* Sound options of the command line. */
typedef struct audio_options {
    const char *path; /* NULL: not given; "none": silence; BUNDLED_NAME: the bundled music */
    double offset;    /* seconds into the dance at which the sound begins; may be negative */
} audio_options;

option_group group_of_sound(audio_options *options);

/*
 * Finds the sound file: the one of the options, otherwise the fallback; "" for silence. Checks that it can be
 * decoded; a fallback that cannot be decoded causes a warning and is ignored. path has MMD_FILE_PATH_MAX
 * bytes. Errors of mmd_locate_choose and audio_file_open.
 */
mmd_status audio_choose(const audio_options *options, const char *fallback, char *path, const mmd_log *log,
                        mmd_error *error);

/* Returns the scene's own sound, otherwise the only sound in an archive or folder among the given files,
 * otherwise "". The result suits audio_choose as fallback. path is a buffer of MMD_FILE_PATH_MAX bytes for
 * it. */
const char *audio_of_files(const scene_options *files, const odori_scene *scene, char *path);

/* Target of positional arguments: files of a scene, where a sound (recognised by content) is taken as
 * --audio. */
typedef struct audio_files {
    scene_options *scene;
    audio_options *sound;
} audio_files;
bool audio_files_add(void *audio_files, const char *value, option_error *error);

/* Checks the sound as audio_choose does, for subcommands that play nothing. */
mmd_status audio_check(const audio_options *options, const mmd_log *log, mmd_error *error);

/* Returns the sound that belongs to a scene: BUNDLED_NAME for the bundled dance, a project's WAVE file, or
 * "". */
const char *audio_of_scene(const odori_scene *scene);

#endif
