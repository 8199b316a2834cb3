/*
 * Filters of a scene as PMX's 16 groups and masks (FORMATS.md 4).
 *
 * Filters that are groups, or were ones ("mmd.group.3"), become those again.
 * Else each filter is a group, and its mask is the pair test against the
 * others; and a body that joints keep apart from others is one by itself, with
 * those that are kept apart from the same, so that masks say what a PMX joint
 * can not. Groups with equal rows of the table of pairs are one. What is more
 * than 16 joins the group with the most similar row, and a pair then collides
 * if all would have: what must not touch does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/memory.h"
#include "write.h"

enum { GROUPS = 16, SORTS_MAX = 256 };

/* Bodies of one filter that are kept apart from the same bodies. */
typedef struct filter_sort {
    int32_t filter;
    int32_t body; /* one of them; -1: kept apart from none */
} filter_sort;

typedef struct sorting {
    pmx_target *target;
    const mmd_physscene *scene;
    uint32_t count;
    filter_sort sorts[SORTS_MAX];
    uint8_t collide[SORTS_MAX][SORTS_MAX];
    uint8_t joined[SORTS_MAX]; /* the sort that it is one with */
    bool merged[SORTS_MAX];
    uint8_t group[SORTS_MAX];
    uint32_t pair_count; /* of bodies that are kept apart, both ways around, sorted */
    uint32_t (*pairs)[2];
    uint32_t *first_pair;   /* of bodies, and the end */
    uint16_t *sort_of_body; /* SORTS_MAX: none */
    uint16_t *sort_of_filter;
} sorting;

/* ---------------------------------------------------------- PMX's groups */

static bool group_number(const char *name, unsigned *group)
{
    char end;
    return sscanf(name, "mmd.group.%2u%c", group, &end) == 1 && *group < GROUPS;
}

/* A filter of mmd.group.<g> names, or of groups, as what it was. */
static bool filter_group(const mmd_physscene *scene, int32_t number, pmx_filter *made)
{
    if (number < 0)
        return false;
    const mmd_phys_filter *filter = &scene->filters[number];
    unsigned group = filter->group;
    *made = (pmx_filter){.group = filter->group, .mask = filter->mask};
    if (!filter->named)
        return true;
    if (filter->system_count != 1 || !filter->has_collide_with || filter->not_collide_count ||
        !group_number(scene->system_names[filter->systems[0]], &group))
        return false;
    made->group = (uint8_t)group;
    made->mask = 0;
    for (uint32_t i = 0; i < filter->collide_count; i++) {
        const char *name = scene->system_names[filter->collide_with[i]];
        if (group_number(name, &group))
            made->mask |= (uint16_t)(1u << group);
        else if (strcmp(name, "mmd.none") != 0)
            return false;
    }
    return true;
}

static bool matters(const mmd_phys_shape *shape)
{
    return shape->solid && !shape->trigger;
}

/* Where all that touches anything has a group. */
static bool take_groups(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    for (uint32_t i = 0; i < scene->shape_count; i++) {
        const mmd_phys_shape *shape = &scene->shapes[i];
        if (matters(shape) && !filter_group(scene, shape->filter, &target->shape_filters[shape->filter + 1]))
            return false;
    }
    return true;
}

/* Beside bodies of a kept PMX, whose groups stay: a group that none of them has, and all masks let pass. */
static void take_free_group(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    uint32_t used = 0;
    uint8_t group = 0;
    for (uint32_t i = 0; i < target->kept->body_count; i++)
        used |= 1u << target->kept->bodies[i].group;
    while (group < GROUPS - 1 && used >> group & 1)
        group++;
    for (int32_t i = -1; i < (int32_t)scene->filter_count; i++)
        if (!filter_group(scene, i, &target->shape_filters[i + 1]))
            target->shape_filters[i + 1] = (pmx_filter){.group = group, .mask = 0xffff, .merged = i >= 0};
}

/* ------------------------------------------------------- kept apart pairs */

static bool simulated(const mmd_phys_body *body)
{
    return body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
}

/* Whether the joint keeps two from touching that else would. */
static bool keeps_apart(const pmx_target *target, const mmd_phys_joint *joint)
{
    const mmd_physscene *scene = target->job->scene;
    if (joint->collide || joint->disabled || joint->body_a < 0 || joint->body_b < 0)
        return false;
    const mmd_phys_body *a = &scene->bodies[joint->body_a], *b = &scene->bodies[joint->body_b];
    const mmd_phys_shape *of_a = target->largest[joint->body_a], *of_b = target->largest[joint->body_b];
    return of_a && of_b && (simulated(a) || simulated(b)) && matters(of_a) && matters(of_b) &&
           mmd_physscene_collides(scene, of_a->filter, of_b->filter);
}

static int compare_pairs(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void find_pairs(sorting *s)
{
    const mmd_physscene *scene = s->scene;
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const mmd_phys_joint *joint = &scene->joints[i];
        if (!keeps_apart(s->target, joint))
            continue;
        uint32_t a = (uint32_t)joint->body_a, b = (uint32_t)joint->body_b;
        memcpy(s->pairs[s->pair_count++], (uint32_t[2]){a, b}, sizeof s->pairs[0]);
        memcpy(s->pairs[s->pair_count++], (uint32_t[2]){b, a}, sizeof s->pairs[0]);
    }
    qsort(s->pairs, s->pair_count, sizeof s->pairs[0], compare_pairs);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->pair_count; i++)
        if (!kept || compare_pairs(s->pairs[i], s->pairs[kept - 1]) != 0)
            memmove(s->pairs[kept++], s->pairs[i], sizeof s->pairs[0]);
    s->pair_count = kept;
    for (uint32_t body = 0, at = 0; body <= scene->body_count; body++) {
        while (at < kept && s->pairs[at][0] < body)
            at++;
        s->first_pair[body] = at;
    }
}

static bool same_pairs(const sorting *s, uint32_t a, uint32_t b)
{
    uint32_t count = s->first_pair[a + 1] - s->first_pair[a];
    if (s->first_pair[b + 1] - s->first_pair[b] != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (s->pairs[s->first_pair[a] + i][1] != s->pairs[s->first_pair[b] + i][1])
            return false;
    return true;
}

static bool kept_apart(const sorting *s, int32_t a, int32_t b)
{
    if (a < 0 || b < 0)
        return false;
    for (uint32_t i = s->first_pair[a]; i < s->first_pair[a + 1]; i++)
        if (s->pairs[i][1] == (uint32_t)b)
            return true;
    return false;
}

/* ----------------------------------------------------------------- sorts */

static uint16_t add_sort(sorting *s, int32_t filter, int32_t body)
{
    if (s->count == SORTS_MAX)
        return SORTS_MAX;
    s->sorts[s->count] = (filter_sort){filter, body};
    return (uint16_t)s->count++;
}

static void sort_filter(sorting *s, const mmd_phys_shape *shape)
{
    uint16_t *number = &s->sort_of_filter[shape->filter + 1];
    if (matters(shape) && *number == SORTS_MAX)
        *number = add_sort(s, shape->filter, -1);
}

/* Of bodies that are kept apart from none, and of the parts of those that have some. */
static void sort_filters(sorting *s)
{
    const mmd_physscene *scene = s->scene;
    for (uint32_t i = 0; i <= scene->filter_count; i++)
        s->sort_of_filter[i] = SORTS_MAX;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const mmd_phys_body *body = &scene->bodies[i];
        const mmd_phys_shape *largest = s->target->largest[i];
        bool free = s->first_pair[i] == s->first_pair[i + 1];
        for (uint32_t k = 0; k < body->shape_count; k++) {
            const mmd_phys_shape *shape = &scene->shapes[body->first_shape + k];
            if (free || shape->filter != largest->filter)
                sort_filter(s, shape);
        }
    }
}

static uint16_t sort_apart(sorting *s, uint32_t body, int32_t filter)
{
    for (uint16_t i = 0; i < s->count; i++)
        if (s->sorts[i].body >= 0 && s->sorts[i].filter == filter &&
            same_pairs(s, (uint32_t)s->sorts[i].body, body))
            return i;
    return add_sort(s, filter, (int32_t)body);
}

static void sort_bodies(sorting *s)
{
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        const mmd_phys_shape *shape = s->target->largest[i];
        s->sort_of_body[i] = shape && matters(shape) ? s->sort_of_filter[shape->filter + 1] : SORTS_MAX;
        if (shape && s->first_pair[i] < s->first_pair[i + 1]) {
            uint16_t apart = sort_apart(s, i, shape->filter);
            s->sort_of_body[i] = apart < SORTS_MAX ? apart : s->sort_of_body[i];
        }
    }
}

static void fill_table(sorting *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k <= i; k++) {
            const filter_sort *a = &s->sorts[i], *b = &s->sorts[k];
            bool collide =
                mmd_physscene_collides(s->scene, a->filter, b->filter) && !kept_apart(s, a->body, b->body);
            s->collide[i][k] = s->collide[k][i] = collide;
        }
}

/* ---------------------------------------------------------------- groups */

/* How often b, in a's place, would say otherwise. */
static uint32_t difference(const sorting *s, uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < s->count; i++)
        sum += s->collide[a][i] != s->collide[b][i];
    return sum;
}

static void join(sorting *s, uint32_t sort, uint32_t to)
{
    s->joined[sort] = (uint8_t)to;
    for (uint32_t i = 0; i < s->count; i++)
        s->collide[to][i] = s->collide[i][to] = s->collide[to][i] && s->collide[sort][i];
    s->collide[to][to] = s->collide[to][to] && s->collide[sort][to];
}

static void make_groups(sorting *s)
{
    uint32_t groups = 0, leaders[GROUPS];
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t best = UINT32_MAX, nearest = 0;
        for (uint32_t k = 0; k < groups && best > 0; k++) {
            uint32_t found = difference(s, i, leaders[k]);
            if (found < best) {
                best = found;
                nearest = leaders[k];
            }
        }
        s->joined[i] = (uint8_t)i;
        if (best == 0) {
            s->joined[i] = (uint8_t)nearest;
        } else if (groups < GROUPS) {
            s->group[i] = (uint8_t)groups;
            leaders[groups++] = i;
        } else {
            s->merged[i] = s->merged[nearest] = true;
            join(s, i, nearest);
        }
    }
}

/* Bits of groups that nobody is in are set: what is added later collides. */
static pmx_filter filter_of_sort(const sorting *s, uint16_t sort)
{
    if (sort >= SORTS_MAX)
        return (pmx_filter){.group = 0, .mask = 0xffff, .merged = s->count == SORTS_MAX};
    uint8_t leader = s->joined[sort];
    pmx_filter made = {.group = s->group[leader], .mask = 0xffff, .merged = s->merged[sort]};
    for (uint32_t i = 0; i < s->count; i++)
        if (s->joined[i] == i && !s->collide[leader][i])
            made.mask &= (uint16_t) ~(1u << s->group[i]);
    return made;
}

static void sort_all(sorting *s)
{
    find_pairs(s);
    sort_filters(s);
    sort_bodies(s);
    fill_table(s);
    make_groups(s);
    for (uint32_t i = 0; i <= s->scene->filter_count; i++)
        s->target->shape_filters[i] = filter_of_sort(s, s->sort_of_filter[i]);
    for (uint32_t i = 0; i < s->scene->body_count; i++)
        s->target->body_filters[i] = filter_of_sort(s, s->sort_of_body[i]);
}

static void sort_scene(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    sorting *s = target_alloc(target, 1, sizeof *s);
    if (!s)
        return;
    s->target = target;
    s->scene = scene;
    s->pairs = target_alloc(target, (size_t)scene->joint_count * 2, sizeof *s->pairs);
    s->first_pair = target_alloc(target, (size_t)scene->body_count + 2, sizeof *s->first_pair);
    s->sort_of_body = target_alloc(target, scene->body_count, sizeof *s->sort_of_body);
    s->sort_of_filter = target_alloc(target, (size_t)scene->filter_count + 1, sizeof *s->sort_of_filter);
    if (!target->failed)
        sort_all(s);
}

void target_choose_filters(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    target->body_filters = target_alloc(target, scene->body_count, sizeof *target->body_filters);
    target->shape_filters =
        target_alloc(target, (size_t)scene->filter_count + 1, sizeof *target->shape_filters);
    if (target->failed)
        return;
    if (target->kept)
        take_free_group(target);
    else if (!take_groups(target)) {
        sort_scene(target);
        return;
    }
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const mmd_phys_shape *shape = target->largest[i];
        target->body_filters[i] =
            shape ? target->shape_filters[shape->filter + 1] : (pmx_filter){.mask = 0xffff};
    }
}
