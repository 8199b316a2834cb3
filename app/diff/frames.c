/* Frames in rising order: see frames.h. */
#include "frames.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/message.h"
#include "mmd/memory.h"
#include "mmd/source.h"

static int out_of_memory(void)
{
    message("out of memory");
    return EXIT_FACILITY;
}

/* --- Files --- */

static bool has_ending(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcasecmp(name + length - tail, ending) == 0;
}

/* Pictures, but not the ids beside them. */
static bool is_frame_name(const char *name)
{
    static const char *const endings[] = {".png", ".bmp", ".jpg", ".jpeg", ".tga", ".dds",
                                          ".gif", ".psd", ".pic", ".ppm",  ".pgm", ".pnm"};
    if (*name == '.' || has_ending(name, ".ids.png"))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (has_ending(name, endings[i]))
            return true;
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The last number before the ending: 12 of miku_v2_0012.png, 3 of frame3.mp4.png. */
static int64_t number_in(const char *name)
{
    const char *end = strrchr(name, '.');
    if (!end)
        end = name + strlen(name);
    while (end > name && !is_digit(end[-1]))
        end--;
    const char *begin = end;
    while (begin > name && is_digit(begin[-1]))
        begin--;
    if (begin == end || end - begin > 18)
        return -1;
    return strtoll(begin, NULL, 10);
}

static bool add_file(frames *f, const char *folder, const char *name)
{
    frames_file *grown = mmd_realloc(f->files, (f->file_count + 1) * sizeof *grown);
    size_t size = strlen(folder) + strlen(name) + 2;
    if (!grown)
        return false;
    f->files = grown;
    char *path = mmd_alloc(size);
    if (!path)
        return false;
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

static int open_folder(frames *f)
{
    DIR *folder = opendir(f->path);
    if (!folder) {
        message("%s: cannot be read: %s", f->path, strerror(errno));
        return EXIT_INPUT;
    }
    bool ok = true;
    for (struct dirent *entry = readdir(folder); entry && ok; entry = readdir(folder))
        if (is_frame_name(entry->d_name))
            ok = add_file(f, f->path, entry->d_name);
    closedir(folder);
    if (!ok)
        return out_of_memory();
    if (f->file_count == 0) {
        message("%s: there are no pictures in this folder", f->path);
        return EXIT_INPUT;
    }
    qsort(f->files, f->file_count, sizeof *f->files, by_path);
    return EXIT_DONE;
}

/* Whether the first bytes may be read twice: not those of a pipe. */
static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static int open_file(frames *f)
{
    uint8_t head[256];
    if (!is_regular(f->path))
        return add_file(f, "", f->path) ? EXIT_DONE : out_of_memory();
    FILE *file = fopen(f->path, "rb");
    size_t size = file ? fread(head, 1, sizeof head, file) : 0;
    if (!file || ferror(file)) {
        message("%s: cannot be read: %s", f->path, strerror(errno));
        if (file)
            fclose(file);
        return EXIT_INPUT;
    }
    fclose(file);
    if (video_is_one(head, size)) {
        f->kind = FRAMES_VIDEO;
        return video_open(f->path, &f->movie);
    }
    return add_file(f, "", f->path) ? EXIT_DONE : out_of_memory();
}

int frames_open(frames *f, const char *path)
{
    struct stat status;
    *f = (frames){.path = path};
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        f->kind = FRAMES_FOLDER;
        return open_folder(f);
    }
    return open_file(f);
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

/* Sorts by number where every file has one of its own; else leaves the order of names. */
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
 * Of a folder that is held against a video, whose frames count from 0: files
 * that count on from 1 without gaps are the video's in their order.
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

/* --- Going on --- */

int frames_next(frames *f)
{
    f->image = NULL;
    f->position = f->position == SIZE_MAX ? 0 : f->position + 1;
    f->number = f->shift + (int64_t)f->position;
    if (f->kind == FRAMES_VIDEO) {
        int result = video_read(f->movie, &f->image);
        f->ended = !f->image;
        if (result == EXIT_DONE && f->ended && f->position == 0) {
            message("%s: this video has no frames", f->path);
            return EXIT_INPUT;
        }
        return result;
    }
    f->ended = f->position >= f->file_count;
    if (!f->ended && !f->by_order)
        f->number = f->shift + f->files[f->position].number;
    return EXIT_DONE;
}

int picture_load(const char *path, mmd_image *image)
{
    mmd_bytes file = {0};
    mmd_error error = {0};
    mmd_image_finish(image);
    mmd_status status = mmd_file_read(path, &file, &error);
    if (status == MMD_OK)
        status = mmd_image_decode(file.data, file.size, path, image, &error);
    mmd_bytes_finish(&file);
    if (status == MMD_OK)
        return EXIT_DONE;
    mmd_error_set_file(&error, path);
    return report(&error);
}

int frames_load(frames *f)
{
    if (f->image)
        return EXIT_DONE;
    int result = picture_load(f->files[f->position].path, &f->decoded);
    if (result == EXIT_DONE)
        f->image = &f->decoded;
    return result;
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
