/* Deals the scenes of a run to the workers: those that simulate the same to one worker, in ascending order of
 * their frames, so that it simulates them once (recipe/simulation_key.h). */
#ifndef ODORI_CHECK_DEAL_H
#define ODORI_CHECK_DEAL_H

#include "internal.h"

/* Scenes that one worker draws, one after another: from..to of deal.order. */
typedef struct deal_piece {
    size_t from, to; /* what is left */
    bool is_taken;
} deal_piece;

typedef struct deal {
    size_t *order; /* indices of run->chosen */
    deal_piece *pieces;
    size_t piece_count;
    size_t left; /* scenes that were not dealt */
} deal;

#define DEAL_NO_PIECE SIZE_MAX

/* Divides the chosen scenes into pieces, in the opposite order in even rounds. False: out of memory.
 * deal_finish has to be called in any case. */
bool deal_init(deal *d, const check_run *run, size_t workers);
void deal_finish(deal *d);

/*
 * Returns the next scene for a worker, as an index of run->chosen; at least one has to be left. piece is that
 * of the worker, DEAL_NO_PIECE at first. After its last scene it takes the longest piece that nobody has,
 * else half of what another one has left.
 */
size_t deal_next(deal *d, size_t *piece);

#endif
