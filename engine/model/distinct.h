/* Numbering things that are alike: filters, materials and welded vertices of a model's physics. */
#ifndef MMD_MODEL_DISTINCT_H
#define MMD_MODEL_DISTINCT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct distinct_key {
    uint32_t word[3];
} distinct_key;

typedef struct distinct {
    uint64_t seed;      /* of the hash: differs from run to run, which the numbers do not show */
    uint32_t mask;      /* slots - 1 */
    uint32_t count;     /* different keys so far */
    uint32_t *slots;    /* number + 1 of the key there, or 0 */
    distinct_key *keys; /* by number */
} distinct;

/* Makes room for `most` keys. False when out of memory; finish is then still right. */
bool distinct_init(distinct *table, uint32_t most);
void distinct_finish(distinct *table);

/* The number of a key, in the order of first appearance from 0. */
uint32_t distinct_number(distinct *table, distinct_key key);

#endif
