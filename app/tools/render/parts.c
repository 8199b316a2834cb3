/* Parts of videos: see render_part.h. They are FFV1 in Matroska; what they say is one line of words. */
#include "parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "mmd/memory.h"
#include "media/video.h"

enum { TEXT_MAX = 1100, TOTAL_MAX = 1000000, SIDE_MAX = 16384 };

/* The same numbers come out as went in. */
void render_part_write(const render_part *p, char text[TEXT_MAX])
{
    snprintf(text, TEXT_MAX, "part 1 %zu %zu %zu %.17g %.17g %u %u %u %d %.17g %s %s %s", p->first, p->count,
             p->total, p->rate, p->start, p->width, p->height, p->bits, p->alpha, p->offset, p->made.text,
             p->gl.text, p->sound);
}

static bool is_sound(const render_part *p)
{
    return p->total && p->total <= TOTAL_MAX && p->count && p->first < p->total &&
           p->count <= p->total - p->first && p->rate > 0 && p->rate < 1e6 && p->start >= 0 &&
           p->start < 1e9 && p->offset > -1e6 && p->offset < 1e6 && p->width && p->width <= SIDE_MAX &&
           p->height && p->height <= SIDE_MAX && (p->bits == 8 || p->bits == 16);
}

static bool read_text(const char *text, render_part *p)
{
    int alpha = 0, end = 0;
    *p = (render_part){0};
    int count =
        sscanf(text, "part 1 %zu %zu %zu %lf %lf %" SCNu32 " %" SCNu32 " %" SCNu32 " %d %lf %32s %32s%n",
               &p->first, &p->count, &p->total, &p->rate, &p->start, &p->width, &p->height, &p->bits, &alpha,
               &p->offset, p->made.text, p->gl.text, &end);
    p->alpha = alpha != 0;
    if (count != 12 || !is_sound(p))
        return false;
    snprintf(p->sound, sizeof p->sound, "%s", text[end] == ' ' ? text + end + 1 : "");
    return true;
}

int render_part_read(const char *path, bool quiet, render_part *part)
{
    char tag[VIDEO_TAG_MAX];
    if (access(path, R_OK) != 0) {
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
        message("%s: no part of a video that odori render --shard made", path);
    return EXIT_INPUT;
}

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

static int by_place(const void *a, const void *b)
{
    const render_part *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

bool render_parts_sort(part_list *parts, size_t from, size_t to, size_t *missing)
{
    if (parts->count)
        qsort(parts->items, parts->count, sizeof *parts->items, by_place);
    *missing = from;
    for (size_t i = 0; i < parts->count && parts->items[i].first <= *missing; i++) {
        size_t end = parts->items[i].first + parts->items[i].count;
        *missing = end > *missing ? end : *missing;
    }
    return *missing >= to;
}

/* --- Joining --- */

typedef struct part_copy {
    video_writer *writer;
    progress bar;
    size_t from, at, to; /* pictures: the first, the next, the end */
} part_copy;

/* The part's pictures from copy->at on. */
static int copy_pictures(part_copy *copy, const render_part *part, video *in)
{
    int result = EXIT_DONE;
    for (size_t i = part->first; i < part->first + part->count && copy->at < copy->to && result == EXIT_DONE;
         i++) {
        const void *pixels;
        result = video_read_pixels(in, &pixels);
        if (result == EXIT_DONE && !pixels) {
            message("%s: it has fewer pictures than it says", part->path);
            result = EXIT_INPUT;
        }
        if (result == EXIT_DONE && i == copy->at) { /* else it was in the part before, too */
            result = video_write(copy->writer, pixels);
            progress_show(&copy->bar, ++copy->at - copy->from);
        }
    }
    return result;
}

static int copy_part(part_copy *copy, const render_part *part)
{
    video *in;
    if (part->first + part->count <= copy->at || copy->at >= copy->to)
        return EXIT_DONE;
    int result = video_open_as(part->path, part->bits, &in);
    if (result == EXIT_DONE) {
        const video_info *info = video_get_info(in);
        if (info->width != part->width || info->height != part->height) {
            message("%s: its pictures have another size than it says", part->path);
            result = EXIT_INPUT;
        }
    }
    if (result == EXIT_DONE)
        result = copy_pictures(copy, part, in);
    video_close(in);
    return result;
}

int render_parts_join(const part_list *parts, size_t from, size_t to, const char *output,
                      const video_kind *kind)
{
    part_copy copy = {.bar = progress_start(to - from), .from = from, .at = from, .to = to};
    int result = video_write_open(&copy.writer, output, kind);
    for (size_t i = 0; i < parts->count && result == EXIT_DONE; i++)
        result = copy_part(&copy, &parts->items[i]);
    progress_finish(&copy.bar);
    return video_write_end(copy.writer, result);
}
