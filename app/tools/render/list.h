/* Which pictures `render` draws, what they are called, and which of them are a part's. */
#ifndef ODORI_RENDER_LIST_H
#define ODORI_RENDER_LIST_H

#include <stdint.h>

#include "base/options.h"

/* What --frames and --fps say. */
typedef struct render_range {
    double first, last, step; /* frames; of --fps, step counts pictures */
    double rate;              /* pictures a second; 0: not given */
    bool given;
} render_range;

/* Setters; target is the range. */
bool render_set_frames(void *target, const char *value, option_error *error);
bool render_set_rate(void *target, const char *value, option_error *error);

typedef struct picture_list {
    double first, step; /* frames; where rate is given, numbers of pictures */
    double rate;        /* 0: not given */
    size_t count;
    bool numbered_by_frame; /* else each by its place in the list */
} picture_list;

/* The list of a range, or none (count 0) where there would be too many, or none. */
picture_list picture_list_of(const render_range *range);

double picture_list_frame(const picture_list *list, size_t i);
unsigned long long picture_list_number(const picture_list *list, size_t i);

/* Pictures a second of a video, and frames from one to the next. */
double picture_list_rate(const picture_list *list);
double picture_list_interval(const picture_list *list);

/* "I/N": the I-th of N parts, each a run of neighbours. Zeroed: all of it. */
typedef struct render_shard {
    uint64_t number, of;
} render_shard;
bool render_set_shard(void *target, const char *value, option_error *error);
void render_shard_cut(const render_shard *shard, size_t count, size_t *from, size_t *to);

/* "dir/%05d.png": its one place for a number. */
typedef struct name_pattern {
    const char *text;
    size_t before, behind; /* characters before the %, and from where it goes on */
    unsigned width;
    bool zeros;
} name_pattern;

/* text must outlive the pattern. */
bool name_pattern_parse(const char *text, name_pattern *p);
void name_pattern_make(const name_pattern *p, unsigned long long number, char *name, size_t capacity);

/* Whether a name without folders is one of the pattern's, and of which number. */
bool name_pattern_number(const name_pattern *p, const char *name, unsigned long long *number);

#endif
