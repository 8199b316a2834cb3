/*
 * Numbers keys by their first appearance: open addressing with linear probing
 * in a table that is at least half empty, so that it stays linear in time. The
 * hash starts from where the table lies in memory, so that no file can be made
 * in which all keys meet in one slot.
 */
#include "distinct.h"

#include "mmd/memory.h"

#include <assert.h>
#include <string.h>

bool distinct_init(distinct *table, uint32_t most)
{
    assert(table);
    *table = (distinct){0};
    if (most >= UINT32_C(1) << 30)
        return false;
    uint32_t slots = 2;
    while (slots < most * 2)
        slots *= 2;
    table->mask = slots - 1;
    table->slots = mmd_alloc(slots * sizeof *table->slots);
    table->keys = mmd_alloc(most * sizeof *table->keys);
    if (!table->slots || !table->keys)
        return false;
    memset(table->slots, 0, slots * sizeof *table->slots);
    table->seed = (uint64_t)(uintptr_t)table->slots * UINT64_C(0xbf58476d1ce4e5b9);
    return true;
}

void distinct_finish(distinct *table)
{
    assert(table);
    mmd_free(table->slots);
    mmd_free(table->keys);
    *table = (distinct){0};
}

/* Multiplied and folded, so that numbers that differ in few bits lie far apart. */
static uint32_t hash_of(const distinct *table, const distinct_key *key)
{
    uint64_t hash = table->seed;
    for (int i = 0; i < 3; i++) {
        hash = (hash ^ key->word[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

uint32_t distinct_number(distinct *table, distinct_key key)
{
    assert(table);
    uint32_t slot = hash_of(table, &key) & table->mask;
    for (; table->slots[slot]; slot = (slot + 1) & table->mask) {
        uint32_t number = table->slots[slot] - 1;
        if (memcmp(&table->keys[number], &key, sizeof key) == 0)
            return number;
    }
    table->keys[table->count] = key;
    table->slots[slot] = ++table->count;
    return table->count - 1;
}
