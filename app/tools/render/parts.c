/*
 * Parts of videos (parts.h), which are FFV1 in Matroska files, with their description as a line of text in a tag.
 * Also render --join, which joins the parts of shards, in any order, to the result of a single run.
 */
#include "parts.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/output.h"
#include "files/png_text.h"
#include "media/video.h"
#include "mmd/memory.h"
#include "mmd/platform.h"
#include "render.h"

enum { TEXT_MAX = 1100, TOTAL_MAX = 1000000, SIDE_MAX = 16384 };

/* Numbers have enough digits to be restored exactly. */
void render_part_write(const render_part *p, char text[TEXT_MAX])
{
    snprintf(text, TEXT_MAX, "part 1 %zu %zu %zu %.17g %.17g %u %u %u %d %.17g %s %s %s", p->first, p->count,
             p->total, p->rate, p->start, p->width, p->height, p->bits, p->alpha, p->offset, p->made.text,
             p->gl.text, p->sound);
}

/* Returns whether the numbers of a description are within their limits. */
static bool is_valid(const render_part *p)
{
    return p->total && p->total <= TOTAL_MAX && p->count && p->first < p->total &&
           p->count <= p->total - p->first && p->rate > 0 && p->rate < 1e6 && p->start >= 0 &&
           p->start < 1e9 && p->offset > -1e6 && p->offset < 1e6 && p->width && p->width <= SIDE_MAX &&
           p->height && p->height <= SIDE_MAX && (p->bits == 8 || p->bits == 16);
}

/* Reads a description. False: it is not valid. */
static bool read_text(const char *text, render_part *p)
{
    int alpha = 0, end = 0;
    *p = (render_part){0};
    int count =
        sscanf(text, "part 1 %zu %zu %zu %lf %lf %" SCNu32 " %" SCNu32 " %" SCNu32 " %d %lf %32s %32s%n",
               &p->first, &p->count, &p->total, &p->rate, &p->start, &p->width, &p->height, &p->bits, &alpha,
               &p->offset, p->made.text, p->gl.text, &end);
    p->alpha = alpha != 0;
    if (count != 12 || !is_valid(p))
        return false;
    snprintf(p->sound, sizeof p->sound, "%s", text[end] == ' ' ? text + end + 1 : "");
    return true;
}

int render_part_read(const char *path, bool quiet, render_part *part)
{
    char tag[VIDEO_TAG_MAX];
    if (!platform_may_read(path)) {
        message("%s: cannot be read: %s", path, strerror(errno));
        return EXIT_INPUT;
    }
    int result = video_read_tag(path, tag);
    if (result != EXIT_DONE)
        return result;
    if (*tag && read_text(tag, part)) {
        snprintf(part->path, sizeof part->path, "%s", path);
        return EXIT_DONE;
    }
    if (!quiet)
        message("%s: not a part of a video made by odori render --shard", path);
    return EXIT_INPUT;
}

/* Compares numbers that were written with enough digits to be restored exactly. */
static bool same(double a, double b)
{
    return a >= b && a <= b;
}

bool render_part_fits(const render_part *a, const render_part *b)
{
    return a->total == b->total && same(a->rate, b->rate) && same(a->start, b->start) &&
           a->width == b->width && a->height == b->height && a->bits == b->bits && a->alpha == b->alpha &&
           digest_equal(&a->made, &b->made);
}

video_kind render_part_kind(const render_part *p)
{
    return (video_kind){.width = p->width,
                        .height = p->height,
                        .rate = p->rate,
                        .alpha = p->alpha,
                        .bits = p->bits,
                        .sound = {.path = ""}};
}

/* --- Lists --- */

bool part_list_add(part_list *list, const render_part *part)
{
    render_part *grown = mmd_realloc(list->items, (list->count + 1) * sizeof *grown);
    if (!grown) {
        message("out of memory");
        return false;
    }
    list->items = grown;
    grown[list->count++] = *part;
    return true;
}

void part_list_finish(part_list *list)
{
    mmd_free(list->items);
    *list = (part_list){0};
}

/* Orders parts by their first picture. */
static int by_first(const void *a, const void *b)
{
    const render_part *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

bool render_parts_sort(part_list *parts, size_t from, size_t to, size_t *missing)
{
    if (parts->count)
        qsort(parts->items, parts->count, sizeof *parts->items, by_first);
    *missing = from;
    for (size_t i = 0; i < parts->count && parts->items[i].first <= *missing; i++) {
        size_t end = parts->items[i].first + parts->items[i].count;
        *missing = end > *missing ? end : *missing;
    }
    return *missing >= to;
}

/* --- Joining --- */

/* The state of copying parts to a video. */
typedef struct part_copy {
    video_writer *writer;
    progress bar;
    size_t from, at, to; /* pictures: the first, the next, the end */
} part_copy;

/* Copies the pictures of a part from copy->at on. Returns an exit code. */
static int copy_pictures(part_copy *copy, const render_part *part, video *in)
{
    int result = EXIT_DONE;
    for (size_t i = part->first; i < part->first + part->count && copy->at < copy->to && result == EXIT_DONE;
         i++) {
        const void *pixels;
        result = video_read_pixels(in, &pixels);
        if (result == EXIT_DONE && !pixels) {
            message("%s: the part is incomplete: draw it again", part->path);
            result = EXIT_INPUT;
        }
        if (result == EXIT_DONE && i == copy->at) { /* otherwise it was in the part before too */
            result = video_write(copy->writer, pixels);
            progress_show(&copy->bar, ++copy->at - copy->from);
        }
    }
    return result;
}

/* Copies the wanted pictures of a part to the video. Returns an exit code. */
static int copy_part(part_copy *copy, const render_part *part)
{
    video *in;
    if (part->first + part->count <= copy->at || copy->at >= copy->to)
        return EXIT_DONE;
    int result = video_open_as(part->path, part->bits, &in);
    if (result == EXIT_DONE) {
        const video_info *info = video_get_info(in);
        if (info->width != part->width || info->height != part->height) {
            message("%s: the pictures do not have the size in the description of the part", part->path);
            result = EXIT_INPUT;
        }
    }
    if (result == EXIT_DONE)
        result = copy_pictures(copy, part, in);
    video_close(in);
    return result;
}

int render_parts_join(const part_list *parts, size_t from, size_t to, const char *out, const video_kind *kind)
{
    part_copy copy = {.bar = progress_start(to - from), .from = from, .at = from, .to = to};
    int result = video_write_open(&copy.writer, out, kind);
    for (size_t i = 0; i < parts->count && result == EXIT_DONE; i++)
        result = copy_part(&copy, &parts->items[i]);
    progress_finish(&copy.bar);
    return video_write_end(copy.writer, result);
}

/* --- render --join of videos --- */

/* Reads the descriptions of all parts and checks that they belong together. Returns an exit code. */
static int read_parts(const scene_inputs *names, part_list *parts)
{
    int result = EXIT_DONE;
    for (size_t i = 0; i < names->count && result == EXIT_DONE; i++) {
        render_part part;
        result = render_part_read(names->items[i].path, false, &part);
        if (result == EXIT_DONE && i > 0 && !render_part_fits(&part, &parts->items[0])) {
            message("%s: the part belongs to another video than %s, or was drawn with other settings",
                    names->items[i].path, names->items[0].path);
            result = EXIT_INPUT;
        }
        if (result == EXIT_DONE && i > 0 && !digest_equal(&part.gl, &parts->items[0].gl))
            message("%s: the part was drawn with another OpenGL driver than %s, so pictures can differ slightly",
                    names->items[i].path, names->items[0].path);
        if (result == EXIT_DONE && !part_list_add(parts, &part))
            result = EXIT_FACILITY;
    }
    return result;
}

/* Chooses the sound of the command line, or that of the parts. Returns an exit code. */
static int choose_sound(const render_options *r, const render_part *part, video_sound *sound,
                        char path[MMD_FILE_PATH_MAX])
{
    audio_options wanted = r->recipe.sound;
    mmd_error error = {0};
    if (!wanted.path)
        wanted = (audio_options){.path = part->sound, .offset = part->offset};
    *path = '\0';
    int result = EXIT_DONE;
    if (*wanted.path && audio_choose(&wanted, "", path, &(mmd_log){0}, &error) != MMD_OK)
        result = report(&error);
    *sound = (video_sound){.path = path,
                           .offset = wanted.offset,
                           .start = part->start,
                           .length = (double)part->total / part->rate};
    return result;
}

/* Writes the video of sorted parts that have all pictures. Returns an exit code. */
static int join_sorted(const render_options *r, const part_list *parts)
{
    char path[MMD_FILE_PATH_MAX];
    const render_part *any = &parts->items[0];
    video_kind kind = render_part_kind(any);
    kind.codec = r->video;
    kind.encoder = r->encoder;
    int result = video_codec_check(r->video, r->output, any->alpha, any->bits);
    if (result == EXIT_DONE)
        result = choose_sound(r, any, &kind.sound, path);
    return result == EXIT_DONE ? render_parts_join(parts, 0, any->total, r->output, &kind) : result;
}

/* Joins parts to a video. Returns an exit code. */
static int join_video(const render_options *r, const scene_inputs *names)
{
    part_list parts = {0};
    size_t missing;
    int result = read_parts(names, &parts);
    if (result == EXIT_DONE && !render_parts_sort(&parts, 0, parts.items[0].total, &missing)) {
        message("picture %zu of %zu is in none of the parts: draw the missing part", missing + 1,
                parts.items[0].total);
        result = EXIT_INPUT;
    }
    if (result == EXIT_DONE)
        result = render_make_folder(r->output);
    if (result == EXIT_DONE)
        result = join_sorted(r, &parts);
    part_list_finish(&parts);
    return result;
}

/* --- render --join of PNG files --- */

typedef struct joined_picture {
    unsigned long long number;
    char *path; /* from mmd_alloc */
} joined_picture;

/* The pictures of all folders that are joined. */
typedef struct picture_join {
    name_pattern pattern;
    joined_picture *pictures;
    size_t count, capacity;
    digest made; /* digest of how the first picture was made */
} picture_join;

/* Appends a picture to the list. False: out of memory. */
static bool add_picture(picture_join *join, const char *folder, const char *name, unsigned long long number)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    if (join->count == join->capacity) {
        size_t capacity = join->capacity ? 2 * join->capacity : 256;
        joined_picture *grown = mmd_realloc(join->pictures, capacity * sizeof *grown);
        if (!grown)
            return false;
        join->pictures = grown;
        join->capacity = capacity;
    }
    char *path = mmd_alloc(size);
    if (!path)
        return false;
    snprintf(path, size, "%s/%s", folder, name);
    join->pictures[join->count++] = (joined_picture){number, path};
    return true;
}

/* Adds the pictures of a folder whose names match the pattern. Returns an exit code. */
static int read_folder(picture_join *join, const char *path)
{
    platform_folder *folder = platform_folder_open(path);
    size_t before = join->count;
    bool memory = true;
    if (!folder) {
        message("%s: cannot be read as a folder of pictures: %s", path, strerror(errno));
        return EXIT_INPUT;
    }
    for (const char *name; memory && (name = platform_folder_next(folder));) {
        unsigned long long number;
        if (name_pattern_number(&join->pattern, name, &number))
            memory = add_picture(join, path, name, number);
    }
    platform_folder_close(folder);
    if (!memory) {
        message("out of memory");
        return EXIT_FACILITY;
    }
    if (join->count > before)
        return EXIT_DONE;
    message("%s: the folder has no picture with a name like %s", path, mmd_path_name(join->pattern.text));
    return EXIT_INPUT;
}

static int by_number(const void *a, const void *b)
{
    const joined_picture *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Checks that the numbers have equal steps, since a missing shard leaves a gap. Returns an exit code. */
static int check_numbers(const picture_join *join)
{
    unsigned long long step = 0;
    for (size_t i = 1; i < join->count; i++) {
        unsigned long long further = join->pictures[i].number - join->pictures[i - 1].number;
        step = further && (!step || further < step) ? further : step;
    }
    for (size_t i = 1; i < join->count; i++) {
        if (join->pictures[i].number - join->pictures[i - 1].number <= step)
            continue;
        message("picture %llu is in none of the parts: draw the missing part", join->pictures[i - 1].number + step);
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}

/* Returns a digest of how a picture was made, without its frame and the driver, or "" when that is not stored. */
static digest hash_made(const mmd_bytes *png)
{
    char *text = png_is(png->data, png->size) ? png_text_read(png->data, png->size, PROVENANCE_KEY) : NULL;
    json_t *root = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    static const char *const moment[] = {"frame", "start", "state", "gl"};
    for (size_t i = 0; i < sizeof moment / sizeof *moment; i++)
        json_object_del(root, moment[i]);
    char *rest = root ? json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    digest made = rest ? digest_of(rest, strlen(rest)) : (digest){""};
    free(rest);
    json_decref(root);
    mmd_free(text);
    return made;
}

/* Returns whether two paths lead to the same file. */
static bool is_same_file(const char *a, const char *b)
{
    platform_info x, y;
    return platform_stat(a, &x) && platform_stat(b, &y) && platform_is_same(&x, &y);
}

/* Copies a picture. If the one before has the same number, both have to be equal. Returns an exit code. */
static int copy_picture(picture_join *join, size_t i, mmd_bytes *before)
{
    char name[4096];
    mmd_error error = {0};
    mmd_bytes png = {0};
    const joined_picture *p = &join->pictures[i];
    if (mmd_file_read(p->path, &png, &error) != MMD_OK)
        return report(&error);
    digest made = hash_made(&png);
    bool twice = i > 0 && p->number == join->pictures[i - 1].number;
    int result = EXIT_DONE;
    name_pattern_make(&join->pattern, p->number, name, sizeof name);
    if (i == 0)
        join->made = made;
    if (!*made.text || !digest_equal(&made, &join->made)) {
        message("%s: the picture was drawn with other settings than %s", p->path, join->pictures[0].path);
        result = EXIT_INPUT;
    } else if (twice && (png.size != before->size || memcmp(png.data, before->data, png.size) != 0)) {
        message("%s: the picture differs from %s, which has the same number", p->path, join->pictures[i - 1].path);
        result = EXIT_INPUT;
    } else if (!twice && !is_same_file(p->path, name) && !output_write(name, png.data, png.size)) {
        result = EXIT_FACILITY;
    }
    mmd_bytes_finish(before);
    *before = png;
    return result;
}

/* Copies all pictures, in the order of their numbers. Returns an exit code. */
static int copy_files(picture_join *join)
{
    mmd_bytes before = {0};
    int result = EXIT_DONE;
    progress bar = progress_start(join->count);
    for (size_t i = 0; i < join->count && result == EXIT_DONE; i++) {
        result = copy_picture(join, i, &before);
        progress_show(&bar, i + 1);
    }
    progress_finish(&bar);
    mmd_bytes_finish(&before);
    return result;
}

/* Joins folders of pictures to one folder. Returns an exit code. */
static int join_pngs(const render_options *r, const scene_inputs *folders)
{
    picture_join join = {0};
    int result = EXIT_DONE;
    name_pattern_parse(r->output, &join.pattern);
    for (size_t i = 0; i < folders->count && result == EXIT_DONE; i++)
        result = read_folder(&join, folders->items[i].path);
    if (result == EXIT_DONE) {
        qsort(join.pictures, join.count, sizeof *join.pictures, by_number);
        result = check_numbers(&join);
    }
    if (result == EXIT_DONE)
        result = render_make_folder(r->output);
    if (result == EXIT_DONE)
        result = copy_files(&join);
    for (size_t i = 0; i < join.count; i++)
        mmd_free(join.pictures[i].path);
    mmd_free(join.pictures);
    return result;
}

int render_join(const render_options *r, const scene_inputs *parts)
{
    return r->video ? join_video(r, parts) : join_pngs(r, parts);
}
