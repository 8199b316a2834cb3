#include "glb_mutator.h"

#include <string.h>

#include "fuzz.h"
#include "json_mutator.h"

enum { HEADER = 12, CHUNK = 8, PARTS = HEADER + CHUNK, LIES = 16 };

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Returns the size of the first chunk, or 0 if there is none. */
static size_t json_size(const uint8_t *data, size_t size)
{
    if (size < PARTS || memcmp(data, "glTF", 4) != 0)
        return 0;
    size_t length = get_u32(data + HEADER);
    return length <= size - PARTS ? length : 0;
}

/* Changes the first chunk and moves the data behind it. The lengths stay correct. */
static size_t change_json(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    size_t old = json_size(data, size), rest = size - PARTS - old, room = (capacity - PARTS - rest) / 4 * 4;
    if (room < old)
        return LLVMFuzzerMutate(data, size, capacity);
    uint8_t *text = malloc(room), *kept = malloc(rest + 1);
    if (text && kept) {
        memcpy(text, data + PARTS, old);
        memcpy(kept, data + PARTS + old, rest);
        size_t length = json_mutate(text, old, room, seed);
        size_t padded = (length + 3) / 4 * 4;
        memset(data + PARTS, ' ', padded);
        memcpy(data + PARTS, text, length);
        memcpy(data + PARTS + padded, kept, rest);
        size = PARTS + padded + rest;
        put_u32(data + 8, (uint32_t)size);
        put_u32(data + HEADER, (uint32_t)padded);
    }
    free(text);
    free(kept);
    return size;
}

/* Overwrites one length with a wrong one. */
static size_t lie(uint8_t *data, size_t size, unsigned seed)
{
    static const uint32_t lies[] = {0, 1, 3, 4, 12, 20, 0x7FFFFFFF, 0x80000000U, 0xFFFFFFFFU, 0xFFFFFFECU};
    size_t second = PARTS + json_size(data, size);
    size_t at = seed % 3 == 0 ? 8 : seed % 3 == 1 ? HEADER : second;
    if (at + 4 <= size)
        put_u32(data + at, lies[seed / 3 % (sizeof lies / sizeof lies[0])]);
    return size;
}

size_t glb_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    size_t json = json_size(data, size), binary = PARTS + json + CHUNK;
    unsigned way = seed % LIES;
    if (size < 4 || memcmp(data, "glTF", 4) != 0)
        return json_mutate(data, size, capacity, seed);
    if (!json || way == 0)
        return LLVMFuzzerMutate(data, size, capacity);
    if (way == 1)
        return lie(data, size, seed / LIES);
    if (way < 6 && binary < size)
        return binary + LLVMFuzzerMutate(data + binary, size - binary, size - binary);
    return change_json(data, size, capacity, seed / LIES);
}
