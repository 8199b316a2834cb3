#include "background.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mmd/elementary.h"
#include "placing.h"
#include "base/message.h"
#include "base/system.h"
#include "files/hashes.h"
#include "mmd/assemble.h"
#include "mmd/image.h"
#include "scene.h"
#include "media/video.h"

/* Limit of pictures that are read and skipped one after the other; beyond it the video is opened again at the
 * wanted picture. */
enum { READ_ON_MOST = 300 };

struct scene_background {
    const char *path;
    mmd_image image;        /* decoded background picture */
    video *movie;           /* open background video; NULL before it is needed */
    FILE *unpacked;         /* copy of a video from an archive, as an unnamed file */
    const mmd_image *frame; /* picture of the video that was read last */
    size_t at;              /* 1 + its index; 0 if none was read */
    uint64_t serial;        /* number that identifies a picture to the renderer */
    bool is_video, has_failed, has_ended;
};

typedef struct scene_background scene_background;

static const mmd_image *still(void *user, double frame, uint64_t *version)
{
    scene_background *b = user;
    (void)frame;
    *version = b->serial;
    return b->image.pixels ? &b->image : NULL;
}

/* Returns a path that ffmpeg can open. A video in an archive is copied to an unnamed file. */
static const char *path_for_ffmpeg(scene_background *b, char unpacked[MMD_FILE_PATH_MAX])
{
    char archive[MMD_FILE_PATH_MAX];
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    if (!mmd_locate_archive(b->path, archive))
        return b->path;
    if (!b->unpacked && mmd_locate_read(b->path, &bytes, &error) == MMD_OK &&
        (b->unpacked = system_scratch_file()) != NULL &&
        (fwrite(bytes.data, 1, bytes.size, b->unpacked) != bytes.size || fflush(b->unpacked) != 0)) {
        fclose(b->unpacked);
        b->unpacked = NULL;
    }
    mmd_bytes_finish(&bytes);
    return b->unpacked && system_scratch_path(b->unpacked, unpacked) ? unpacked : NULL;
}

/* Opens the video at a picture. */
static bool begin_at(scene_background *b, size_t first)
{
    char unpacked[MMD_FILE_PATH_MAX];
    const char *path = path_for_ffmpeg(b, unpacked);
    video_close(b->movie);
    b->movie = NULL;
    b->frame = NULL;
    b->has_ended = false;
    b->at = first;
    if (!path)
        message("%s: cannot be unpacked", b->path);
    b->has_failed = !path || video_open_at(path, b->path, first, &b->movie) != EXIT_DONE;
    if (b->has_failed) {
        video_close(b->movie);
        b->movie = NULL;
    }
    return !b->has_failed;
}

/* Reads the video up to a picture, or to its last one. */
static void read_to(scene_background *b, size_t wanted)
{
    size_t next = b->frame ? b->at + 1 : b->at;
    while (!b->has_failed && !b->has_ended && (!b->frame || b->at < wanted)) {
        const mmd_image *image;
        b->has_failed = video_read(b->movie, &image) != EXIT_DONE;
        b->has_ended = !image;
        if (image) {
            b->frame = image;
            b->at = next++;
        }
    }
}

static const mmd_image *moving(void *user, double frame, uint64_t *version)
{
    scene_background *b = user;
    if (b->has_failed || (!b->movie && !begin_at(b, 0)))
        return NULL;
    const video_info *info = video_get_info(b->movie);
    double rate = info->rate > 0 ? info->rate : 30;
    double number = mmd_min(mmd_max(floor(frame * rate / 30 + 1e-6), 0), 1e9);
    size_t wanted = (size_t)number;
    if (info->frames && wanted >= info->frames)
        wanted = info->frames - 1;
    bool is_behind = b->frame && wanted < b->at, is_far = !b->has_ended && wanted > b->at + READ_ON_MOST;
    if ((is_behind || is_far) && !begin_at(b, wanted))
        return NULL;
    read_to(b, wanted);
    /* the video is shorter than it claims; show its last picture */
    if (!b->frame && !b->has_failed && begin_at(b, 0))
        read_to(b, wanted);
    *version = b->serial + b->at;
    return b->frame;
}

/* --- Opening --- */

static bool read_picture(scene_background *b, const char *project, const mmd_log *log)
{
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    mmd_status status = mmd_locate_read(b->path, &bytes, &error);
    if (status == MMD_OK)
        b->serial = (uint64_t)digest_short(bytes.data, bytes.size) << 32;
    if (status == MMD_OK && video_is_one(bytes.data, bytes.size)) {
        b->is_video = true;
        mmd_bytes_finish(&bytes);
        return true;
    }
    if (status == MMD_OK)
        status = mmd_image_decode(bytes.data, bytes.size, b->path, &b->image, &error);
    mmd_bytes_finish(&bytes);
    if (status == MMD_OK)
        return true;
    char sentence[512];
    mmd_error_set_file(&error, b->path);
    mmd_log_message(log, MMD_LOG_WARNING, "%s", mmd_error_sentence(&error, sentence, sizeof sentence));
    mmd_log_message(log, MMD_LOG_WARNING, "%s: the background is left empty", project);
    return false;
}

/* Finds one background of the project and creates it. *b is NULL if there is none. Returns false if out of
 * memory. */
static bool open_one(odori_scene *s, mmd_project_folders *places, const mmd_project_background *from,
                     const char *what, const char *name, const mmd_log *log, scene_background **b)
{
    char path[MMD_FILE_PATH_MAX];
    *b = NULL;
    if (!*from->path.text)
        return true;
    if (!mmd_project_find(places, from->path.text, path)) {
        mmd_log_message(log, MMD_LOG_WARNING,
                        "%s: the background %s \"%.300s\" %s, so the background is empty", name, what,
                        from->path.text, mmd_project_missing(places));
        return true;
    }
    scene_background *made = mmd_arena_alloc(&s->arena, 1, sizeof *made);
    const char *kept = made ? mmd_arena_text(&s->arena, path, strlen(path)) : NULL;
    if (!kept)
        return false;
    made->path = kept;
    if (read_picture(made, name, log))
        *b = made;
    return true;
}

static float scale_of(const mmd_project_background *from)
{
    float scale = mmd_bounded((double)from->scale);
    return scale > 0 ? scale : 1;
}

bool background_open(odori_scene *s, mmd_project_folders *places, const mmd_project *project,
                     const char *name, const mmd_log *log)
{
    const mmd_project_background *from[] = {project->image_on ? &project->image : NULL,
                                            project->avi_on ? &project->avi : NULL};
    static const char *const what[] = {"picture", "video"};
    uint32_t count = 0;
    background_close(s);
    mmd_background_picture *shown = mmd_arena_alloc(&s->arena, 2, sizeof *shown);
    scene_background **items = mmd_arena_alloc(&s->arena, 2, sizeof *items);
    if (!shown || !items)
        return false;
    for (int i = 0; i < 2; i++) {
        scene_background *b = NULL;
        if (from[i] && !open_one(s, places, from[i], what[i], name, log, &b))
            return false;
        if (!b)
            continue;
        shown[count] = (mmd_background_picture){.picture = b->is_video ? moving : still,
                                                .user = b,
                                                .left = (float)from[i]->x,
                                                .top = (float)from[i]->y,
                                                .scale = scale_of(from[i]),
                                                .width = s->settings.project.width,
                                                .height = s->settings.project.height};
        items[count++] = b;
    }
    s->backgrounds = items;
    s->background_count = count;
    mmd_stage_set_background_pictures(s->stage, shown, count);
    return true;
}

const char *background_path(const odori_scene *s, uint32_t index)
{
    return index < s->background_count ? s->backgrounds[index]->path : NULL;
}

void background_close(odori_scene *s)
{
    for (uint32_t i = 0; i < s->background_count; i++) {
        scene_background *b = s->backgrounds[i];
        video_close(b->movie);
        mmd_image_finish(&b->image);
        if (b->unpacked)
            fclose(b->unpacked);
    }
    s->background_count = 0;
}
