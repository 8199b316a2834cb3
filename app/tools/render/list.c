/* Ranges, numbers and names: see render_list.h. */
#include "list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/parse.h"

#define FRAME_MAX    4294967295.0
#define PICTURES_MAX 1e6
#define SHARDS_MAX   1000000
#define NEAR         1e-6 /* of a picture: ranges are typed with few digits */

/* --- Options --- */

/* Up to three numbers with colons between; how many, 0: it is none such. */
static size_t split(const char *value, double numbers[3])
{
    size_t count = 0;
    for (const char *at = value;; at++) {
        char text[40];
        size_t length = strcspn(at, ":");
        if (count == 3 || length >= sizeof text)
            return 0;
        memcpy(text, at, length);
        text[length] = '\0';
        if (!parse_real(text, &numbers[count++]))
            return 0;
        at += length;
        if (!*at)
            return count;
    }
}

bool render_set_frames(void *target, const char *value, option_error *error)
{
    render_range *r = target;
    double numbers[3] = {0, 0, 1};
    size_t count = split(value, numbers);
    if (count == 1)
        numbers[1] = numbers[0];
    if (count && numbers[0] >= 0 && numbers[1] < numbers[0])
        return option_fail(error, EXIT_USAGE, "\"%.60s\": a range of frames begins with the smaller one",
                           value);
    if (!count || numbers[0] < 0 || numbers[1] > FRAME_MAX || numbers[2] <= 0)
        return option_fail(error, EXIT_USAGE, "\"%.60s\" is not a range of frames A:B or A:B:STEP", value);
    r->first = numbers[0];
    r->last = numbers[1];
    r->step = numbers[2];
    return r->given = true;
}

bool render_set_rate(void *target, const char *value, option_error *error)
{
    double *rate = &((render_range *)target)->rate;
    return (parse_real(value, rate) && *rate >= 0.1 && *rate <= 10000) ||
           option_fail(error, EXIT_USAGE, "\"%.60s\" is not a number of pictures a second from 0.1 to 10000",
                       value);
}

bool render_set_shard(void *target, const char *value, option_error *error)
{
    render_shard *s = target;
    char first[16];
    const char *slash = strchr(value, '/');
    size_t length = slash ? (size_t)(slash - value) : sizeof first;
    if (length < sizeof first) {
        memcpy(first, value, length);
        first[length] = '\0';
        if (parse_whole(slash + 1, 1, SHARDS_MAX, &s->of) && parse_whole(first, 1, s->of, &s->number))
            return true;
    }
    return option_fail(error, EXIT_USAGE, "\"%.40s\" is not I/N, I from 1 to N", value);
}

/* --- Lists --- */

static bool is_whole(double x)
{
    return x >= floor(x) && x <= floor(x);
}

picture_list picture_list_of(const render_range *r)
{
    picture_list list = {.first = r->first, .step = r->step, .rate = r->rate};
    double last = r->last;
    if (r->rate > 0) {
        list.first = ceil(r->first * r->rate / 30.0 - NEAR);
        last = floor(r->last * r->rate / 30.0 + NEAR);
    }
    double count = floor((last - list.first) / list.step + NEAR) + 1;
    list.numbered_by_frame = is_whole(list.first) && is_whole(list.step);
    list.count = count >= 1 && count <= PICTURES_MAX ? (size_t)count : 0;
    return list;
}

double picture_list_frame(const picture_list *list, size_t i)
{
    double at = list->first + (double)i * list->step;
    return list->rate > 0 ? at * 30.0 / list->rate : at;
}

unsigned long long picture_list_number(const picture_list *list, size_t i)
{
    return list->numbered_by_frame ? (unsigned long long)(list->first + (double)i * list->step) : i;
}

double picture_list_rate(const picture_list *list)
{
    return (list->rate > 0 ? list->rate : 30.0) / list->step;
}

double picture_list_interval(const picture_list *list)
{
    return list->rate > 0 ? list->step * 30.0 / list->rate : list->step;
}

void render_shard_cut(const render_shard *shard, size_t count, size_t *from, size_t *to)
{
    *from = shard->of ? (size_t)(count * (shard->number - 1) / shard->of) : 0;
    *to = shard->of ? (size_t)(count * shard->number / shard->of) : count;
}

/* --- Names --- */

bool name_pattern_parse(const char *text, name_pattern *p)
{
    const char *percent = strchr(text, '%'), *at = percent ? percent + 1 : NULL;
    if (!percent || strchr(at, '%'))
        return false;
    *p = (name_pattern){.text = text, .before = (size_t)(percent - text), .zeros = *at == '0'};
    for (; *at >= '0' && *at <= '9' && p->width < 100; at++)
        p->width = 10 * p->width + (unsigned)(*at - '0');
    p->behind = (size_t)(at + 1 - text);
    return *at == 'd' && p->width <= 20;
}

void name_pattern_make(const name_pattern *p, unsigned long long number, char *name, size_t capacity)
{
    char digits[32];
    snprintf(digits, sizeof digits, p->zeros ? "%0*llu" : "%*llu", (int)p->width, number);
    snprintf(name, capacity, "%.*s%s%s", (int)p->before, p->text, digits, p->text + p->behind);
}

bool name_pattern_number(const name_pattern *p, const char *name, unsigned long long *number)
{
    char made[4096];
    const char *slash = strrchr(p->text, '/');
    size_t folder = slash ? (size_t)(slash + 1 - p->text) : 0;
    if (folder > p->before || strncmp(name, p->text + folder, p->before - folder) != 0)
        return false;
    const char *digits = name + (p->before - folder);
    digits += strspn(digits, " ");
    *number = 0;
    for (int i = 0; i < 18 && *digits >= '0' && *digits <= '9'; i++)
        *number = 10 * *number + (unsigned long long)(*digits++ - '0');
    name_pattern_make(p, *number, made, sizeof made);
    return strcmp(made + folder, name) == 0;
}
