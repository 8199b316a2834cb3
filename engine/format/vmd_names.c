/*
 * Numbers for names: a crit-bit tree (D. J. Bernstein, "Crit-bit trees",
 * https://cr.yp.to/critbit.html) over 120 bits. Unlike a hash table it has no
 * bad inputs: no file can make a look-up cost more than one step a bit.
 */
#include "vmd_records.h"

#include <assert.h>

#define NAME_LEAF UINT32_C(0x80000000)

static uint64_t load_u64(const uint8_t *b, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)b[i] << (8 * i);
    return value;
}

/* All bits below the first zero byte; all 64 where there is none. */
static uint64_t mask_before_nul(uint64_t word)
{
    uint64_t zeros = (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
    return (zeros & (0 - zeros)) - 1;
}

vmd_name vmd_name_load(const uint8_t field[VMD_NAME_SIZE])
{
    vmd_name name = {load_u64(field, 8), load_u64(field + 8, 7)};
    uint64_t low_mask = mask_before_nul(name.low);
    if (low_mask != UINT64_MAX)
        return (vmd_name){name.low & low_mask, 0};
    /* The high word's eighth byte is zero, so that its mask is never all ones. */
    return (vmd_name){name.low, name.high & mask_before_nul(name.high)};
}

void vmd_name_store(vmd_name name, uint8_t field[VMD_NAME_SIZE])
{
    for (int i = 0; i < VMD_NAME_SIZE; i++)
        field[i] = (uint8_t)(i < 8 ? name.low >> (8 * i) : name.high >> (8 * (i - 8)));
}

static inline unsigned name_bit(vmd_name name, uint32_t bit)
{
    return (unsigned)((bit < 64 ? name.low >> bit : name.high >> (bit - 64)) & 1);
}

static uint32_t first_difference(vmd_name a, vmd_name b)
{
    uint32_t bit = 0;
    while (name_bit(a, bit) == name_bit(b, bit))
        bit++;
    return bit;
}

uint32_t vmd_names_add(vmd_names *names, vmd_name name)
{
    if (names->count == 0) {
        names->names[0] = name;
        names->root = NAME_LEAF;
        return names->count++;
    }
    uint32_t at = names->root;
    while (!(at & NAME_LEAF))
        at = names->nodes[at].child[name_bit(name, names->nodes[at].bit)];
    uint32_t nearest = at & ~NAME_LEAF;
    vmd_name other = names->names[nearest];
    if (other.low == name.low && other.high == name.high)
        return nearest;

    /* A new node goes where the first differing bit belongs on the way down. */
    uint32_t bit = first_difference(name, other), *link = &names->root;
    while (!(*link & NAME_LEAF) && names->nodes[*link].bit < bit)
        link = &names->nodes[*link].child[name_bit(name, names->nodes[*link].bit)];
    uint32_t number = names->count++;
    assert(number < NAME_LEAF);
    vmd_name_node *node = &names->nodes[number];
    node->bit = bit;
    node->child[name_bit(name, bit)] = NAME_LEAF | number;
    node->child[!name_bit(name, bit)] = *link;
    *link = number;
    names->names[number] = name;
    return number;
}
