#include "deal.h"

#include <stdlib.h>
#include <string.h>

/* What decides the order. */
typedef struct dealt_scene {
    size_t index;     /* of run->chosen */
    digest simulated; /* of what scenes that simulate the same have in common */
    double last;      /* the last frame */
} dealt_scene;

static void add_inputs(digest_stream *stream, const scene_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        digest_add_text(stream, inputs->items[i].path ? inputs->items[i].path : "");
    digest_add_text(stream, "");
}

/* Scenes of equal digests may differ in what they simulate, which the worker notices. */
static dealt_scene describe(const check_run *run, size_t index)
{
    const recipe *r = &run->suite->scenes[run->chosen[index]].recipe;
    digest_stream stream = digest_begin();
    add_inputs(&stream, &r->scene.files);
    add_inputs(&stream, &r->scene.motions);
    add_inputs(&stream, &r->scene.poses);
    digest_add_text(&stream, r->scene.stage.given ? r->scene.stage.path : "");
    for (size_t i = 0; i < r->settings.count; i++) {
        if (!recipe_is_physics(r->settings.items[i].name))
            continue;
        digest_add_text(&stream, r->settings.items[i].name);
        digest_add_text(&stream, r->settings.items[i].value);
    }
    return (dealt_scene){.index = index,
                         .simulated = digest_end(&stream),
                         .last = r->frame_count ? r->frames[r->frame_count - 1] : 0};
}

static int by_simulation(const void *a, const void *b)
{
    const dealt_scene *x = a, *y = b;
    int order = strcmp(x->simulated.text, y->simulated.text);
    if (order == 0)
        order = (x->last > y->last) - (x->last < y->last);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

bool deal_init(deal *d, const check_run *run, size_t workers)
{
    const size_t count = run->chosen_count;
    *d = (deal){.left = count};
    dealt_scene *scenes = mmd_alloc(count * sizeof *scenes);
    d->order = mmd_alloc(count * sizeof *d->order);
    d->pieces = mmd_alloc((2 * count + workers) * sizeof *d->pieces); /* each split leaves a scene for both */
    for (size_t i = 0; scenes && i < count; i++)
        scenes[i] = describe(run, i);
    if (scenes && d->order && d->pieces)
        qsort(scenes, count, sizeof *scenes, by_simulation);
    for (size_t i = 0; scenes && run->round % 2 == 0 && i < count / 2; i++) {
        const dealt_scene last = scenes[count - 1 - i]; /* even rounds begin with the last scene */
        scenes[count - 1 - i] = scenes[i];
        scenes[i] = last;
    }
    for (size_t i = 0; scenes && d->order && d->pieces && i < count; i++) {
        d->order[i] = scenes[i].index;
        if (i == 0 || !digest_equal(&scenes[i].simulated, &scenes[i - 1].simulated))
            d->pieces[d->piece_count++] = (deal_piece){.from = i};
        d->pieces[d->piece_count - 1].to = i + 1;
    }
    mmd_free(scenes);
    return scenes && d->order && d->pieces;
}

void deal_finish(deal *d)
{
    mmd_free(d->order);
    mmd_free(d->pieces);
}

static size_t left_of(const deal_piece *p)
{
    return p->to - p->from;
}

/* Returns the piece with the most left, of those that nobody has, or of all; the first one of several. */
static size_t longest(const deal *d, bool is_free)
{
    size_t best = DEAL_NO_PIECE;
    for (size_t i = 0; i < d->piece_count; i++) {
        const deal_piece *p = &d->pieces[i];
        if (left_of(p) && !(is_free && p->is_taken) &&
            (best == DEAL_NO_PIECE || left_of(p) > left_of(&d->pieces[best])))
            best = i;
    }
    return best;
}

size_t deal_next(deal *d, size_t *piece)
{
    if (*piece == DEAL_NO_PIECE || !left_of(&d->pieces[*piece])) {
        *piece = longest(d, true);
        if (*piece == DEAL_NO_PIECE) {
            deal_piece *shared = &d->pieces[longest(d, false)];
            size_t middle = shared->from + left_of(shared) / 2;
            d->pieces[d->piece_count] = (deal_piece){.from = middle, .to = shared->to};
            shared->to = middle;
            *piece = d->piece_count++;
        }
        d->pieces[*piece].is_taken = true;
    }
    d->left--;
    return d->order[d->pieces[*piece].from++];
}
