#include "audio_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "media/audio_file.h"
#include "mmd/assemble.h"
#include "scene/bundled.h"
#include "base/parse.h"
#include "scene/options.h"

static bool set_audio(void *target, const char *value, option_error *error)
{
    (void)error;
    ((audio_options *)target)->path = value;
    return true;
}

static bool set_offset(void *target, const char *value, option_error *error)
{
    double *offset = &((audio_options *)target)->offset;
    return (parse_real(value, offset) && fabs(*offset) <= AUDIO_OFFSET_MAX) ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of seconds from -86400 to 86400", value);
}

static const option sound_table[] = {
    {0, "audio", "A", "plays a WAV, OGG, FLAC or MP3 file, or the only one in an archive; \"none\" for silence",
     set_audio},
    {0, "audio-offset", "SECONDS", "time of the motion at which the sound begins; may be negative (0)", set_offset},
};

option_group group_of_sound(audio_options *options)
{
    return (option_group){"sound", sound_table, sizeof sound_table / sizeof *sound_table, options};
}

const char *audio_of_scene(const odori_scene *scene)
{
    for (size_t i = 0; i < scene->motion_count; i++)
        if (scene->motions[i].moves_models && bundled_is_meant(scene->motions[i].given))
            return BUNDLED_NAME;
    return scene->settings.sound ? scene->settings.sound : "";
}

mmd_status audio_check(const audio_options *options, const mmd_log *log, mmd_error *error)
{
    char path[MMD_FILE_PATH_MAX];
    return audio_choose(options, "", path, log, error);
}

/* Finds the only sound in an archive or folder among the files; NULL if there is none. Motions that belong to
 * a single model are not searched. path has MMD_FILE_PATH_MAX bytes. */
static const char *find_beside(const scene_inputs *files, char *path)
{
    for (size_t i = 0; i < files->count; i++) {
        const scene_input *f = &files->items[i];
        if (!f->is_dancer && !f->owner && !f->owner_file && mmd_locate_only_sound(f->path, path))
            return path;
    }
    return NULL;
}

const char *audio_of_files(const scene_options *files, const odori_scene *scene, char *path)
{
    const char *own = audio_of_scene(scene);
    if (*own || find_beside(&files->files, path))
        return *own ? own : path;
    return find_beside(&files->motions, path) ? path : "";
}

bool audio_files_add(void *target, const char *value, option_error *error)
{
    const audio_files *to = target;
    if (!audio_file_is_sound(value))
        return scene_files(to->scene, value, error);
    if (to->sound->path)
        return option_fail(error, EXIT_USAGE, "only one sound can be played, and %.100s was given already",
                           to->sound->path);
    to->sound->path = value;
    return true;
}

mmd_status audio_choose(const audio_options *options, const char *fallback, char *path, const mmd_log *log,
                        mmd_error *error)
{
    bundled own = {0};
    audio_file *file = NULL;
    mmd_error why = {0};
    const char *meant = options->path ? options->path : fallback;
    if (strcmp(meant, "none") == 0)
        meant = "";
    if (bundled_is_meant(meant)) {
        mmd_status status = bundled_find(&own, error);
        if (status != MMD_OK)
            return status;
        meant = own.music;
    }
    if (*meant &&
        mmd_locate_is_container(meant)) { /* choose a sound inside an archive or folder, as for models */
        const mmd_log messages = stderr_log(MMD_LOG_INFO);
        mmd_status status = mmd_locate_choose(meant, MMD_LOCATE_SOUND, &messages, path, error);
        if (status != MMD_OK)
            return status;
    } else {
        snprintf(path, MMD_FILE_PATH_MAX, "%s", meant);
    }
    mmd_status status = *path ? audio_file_open(path, &file, &why) : MMD_OK;
    audio_file_close(file);
    if (status == MMD_OK)
        return status;
    *path = '\0';
    if (options->path) {
        if (error)
            *error = why;
        return status;
    }
    char sentence[512]; /* the fallback was not asked for, so the dance goes on without it */
    mmd_log_message(log, MMD_LOG_WARNING, "%s", mmd_error_sentence(&why, sentence, sizeof sentence));
    return MMD_OK;
}
