/* Reads pictures, folders and videos as frames in ascending order (frames.h). */
#include "frames.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mmd/memory.h"
#include "mmd/platform.h"
#include "mmd/source.h"

/* --- Files --- */

/* Returns whether a file of a folder is a frame, by its extension. Pictures of ids are not frames. */
static bool is_frame_name(const char *name)
{
    static const char *const endings[] = {".png", ".bmp", ".jpg", ".jpeg", ".tga", ".dds",
                                          ".gif", ".psd", ".pic", ".ppm",  ".pgm", ".pnm"};
    static const char ids[] = ".ids.png";
    size_t length = strlen(name);
    if (*name == '.' || (length >= sizeof ids && strcasecmp(name + length - (sizeof ids - 1), ids) == 0))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t tail = strlen(endings[i]);
        if (length > tail && strcasecmp(name + length - tail, endings[i]) == 0)
            return true;
    }
    return false;
}

/* Returns the last number before the extension, or -1: 12 for miku_v2_0012.png, 4 for frame3.mp4.png. */
static int64_t number_in(const char *name)
{
    static const char digits[] = "0123456789";
    const char *end = strrchr(name, '.');
    if (!end)
        end = name + strlen(name);
    while (end > name && !strchr(digits, end[-1]))
        end--;
    const char *begin = end;
    while (begin > name && strchr(digits, begin[-1]))
        begin--;
    if (begin == end || end - begin > 18)
        return -1;
    return strtoll(begin, NULL, 10);
}

static bool add_file(frames *f, const char *folder, const char *name, problem *why)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    frames_file *grown = mmd_realloc(f->files, (f->file_count + 1) * sizeof *grown);
    if (!grown)
        return problem_out_of_memory(why);
    f->files = grown;
    char *path = mmd_alloc(size);
    if (!path)
        return problem_out_of_memory(why);
    snprintf(path, size, "%s%s%s", folder, *folder && folder[strlen(folder) - 1] != '/' ? "/" : "", name);
    f->files[f->file_count++] = (frames_file){path, number_in(name)};
    return true;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const frames_file *)a)->path, ((const frames_file *)b)->path);
}

static int by_number(const void *a, const void *b)
{
    int64_t x = ((const frames_file *)a)->number, y = ((const frames_file *)b)->number;
    return x == y ? by_path(a, b) : x < y ? -1 : 1;
}

/* Lists the pictures of a folder, sorted by path. */
static bool open_folder(frames *f, problem *why)
{
    platform_folder *folder = platform_folder_open(f->path);
    if (!folder)
        return problem_set(why, EXIT_INPUT, "%s: cannot be read: %s", f->path, strerror(errno));
    bool ok = true;
    for (const char *name; ok && (name = platform_folder_next(folder));)
        if (is_frame_name(name))
            ok = add_file(f, f->path, name, why);
    platform_folder_close(folder);
    if (ok && f->file_count == 0)
        return problem_set(why, EXIT_INPUT, "%s: the folder contains no pictures", f->path);
    if (ok)
        qsort(f->files, f->file_count, sizeof *f->files, by_path);
    return ok;
}

bool frames_open(frames *f, const char *path, problem *why)
{
    platform_info about;
    *f = (frames){.path = path};
    bool there = platform_stat(path, &about);
    if (there && about.kind == PLATFORM_FOLDER) {
        f->kind = FRAMES_FOLDER;
        return open_folder(f, why);
    }
    uint8_t head[256];
    size_t size;
    mmd_error error = {0};
    if (mmd_file_read_head(path, head, sizeof head, &size, &error) != MMD_OK)
        return problem_from(why, &error);
    if (video_is_one(head, size)) {
        f->kind = FRAMES_VIDEO;
        int result = video_open(path, &f->movie);
        return result == EXIT_DONE || problem_set(why, result, "%s", "");
    }
    return add_file(f, "", path, why);
}

bool frames_find_first(const char *path, char first[MMD_FILE_PATH_MAX])
{
    platform_info about;
    frames f;
    problem why = {0};
    if (!platform_stat(path, &about))
        return false;
    if (about.kind != PLATFORM_FOLDER)
        return snprintf(first, MMD_FILE_PATH_MAX, "%s", path) < MMD_FILE_PATH_MAX;
    bool found = frames_open(&f, path, &why) &&
                 snprintf(first, MMD_FILE_PATH_MAX, "%s", f.files[0].path) < MMD_FILE_PATH_MAX;
    frames_finish(&f);
    return found;
}

void frames_finish(frames *f)
{
    for (size_t i = 0; i < f->file_count; i++)
        mmd_free(f->files[i].path);
    mmd_free(f->files);
    video_close(f->movie);
    mmd_image_finish(&f->decoded);
    *f = (frames){0};
}

/* --- Pairing --- */

/* Sorts files by number if all numbers are unique, otherwise by name. Returns whether they are sorted by
 * number. */
static bool sort_by_number(frames *f)
{
    qsort(f->files, f->file_count, sizeof *f->files, by_number);
    bool good = f->file_count > 0 && f->files[0].number >= 0;
    for (size_t i = 1; i < f->file_count && good; i++)
        good = f->files[i].number != f->files[i - 1].number;
    if (!good)
        qsort(f->files, f->file_count, sizeof *f->files, by_path);
    return good;
}

/*
 * Returns the number of the file that corresponds to frame 0 of a video: 1 if the files of the folder are
 * numbered from 1 without gaps, otherwise 0.
 */
static int64_t first_of_video(const frames *f)
{
    int64_t first = f->files[0].number, last = f->files[f->file_count - 1].number;
    return first == 1 && last - first + 1 == (int64_t)f->file_count ? 1 : 0;
}

void frames_agree(frames *a, frames *b, int64_t offset)
{
    bool numbers = true;
    frames *const both[] = {a, b};
    for (int i = 0; i < 2; i++)
        if (both[i]->kind != FRAMES_VIDEO && !sort_by_number(both[i]))
            numbers = false;
    if (a->kind == FRAMES_PICTURE || (a->kind == FRAMES_VIDEO && b->kind == FRAMES_VIDEO))
        numbers = false;
    a->by_order = b->by_order = !numbers;
    if (numbers && a->kind == FRAMES_VIDEO)
        a->shift = first_of_video(b);
    if (numbers && b->kind == FRAMES_VIDEO)
        b->shift = first_of_video(a);
    b->shift += offset;
    a->position = b->position = SIZE_MAX;
}

/* --- Reading --- */

bool frames_next(frames *f, problem *why)
{
    f->image = NULL;
    f->position = f->position == SIZE_MAX ? 0 : f->position + 1;
    f->number = f->shift + (int64_t)f->position;
    if (f->kind == FRAMES_VIDEO) {
        int result = video_read(f->movie, &f->image);
        f->ended = !f->image;
        if (result != EXIT_DONE)
            return problem_set(why, result, "%s", "");
        if (f->ended && f->position == 0)
            return problem_set(why, EXIT_INPUT, "%s: the video has no frames", f->path);
        return true;
    }
    f->ended = f->position >= f->file_count;
    if (!f->ended && !f->by_order)
        f->number = f->shift + f->files[f->position].number;
    return true;
}

bool frames_load(frames *f, problem *why)
{
    mmd_error error = {0};
    if (f->image)
        return true;
    if (mmd_image_read(f->files[f->position].path, &f->decoded, &error) != MMD_OK)
        return problem_from(why, &error);
    f->image = &f->decoded;
    return true;
}

const char *frames_name(const frames *f, char *text, size_t capacity)
{
    if (f->kind == FRAMES_VIDEO)
        snprintf(text, capacity, "%s frame %zu", f->path, f->position);
    else
        snprintf(text, capacity, "%s", f->files[f->position].path);
    return text;
}

const char *frames_file_path(const frames *f)
{
    return f->kind == FRAMES_VIDEO ? NULL : f->files[f->position].path;
}

size_t frames_count(const frames *f)
{
    return f->kind == FRAMES_VIDEO ? video_get_info(f->movie)->frames : f->file_count;
}
