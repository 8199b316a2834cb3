#include "png_mutator.h"

#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "json_mutator.h"

enum { SIGNATURE = 8, CHUNK = 12, CHUNKS_MAX = 32, INFLATED_MAX = 1 << 14 };

/* The position of a chunk's data. */
typedef struct chunk {
    size_t at, size;
} chunk;

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Finds the chunks that are complete. Returns their number. */
static size_t find_chunks(const uint8_t *data, size_t size, chunk chunks[CHUNKS_MAX])
{
    size_t count = 0, at = SIGNATURE;
    if (size < SIGNATURE || memcmp(data, "\x89PNG", 4) != 0)
        return 0;
    while (count < CHUNKS_MAX && size - at >= CHUNK) {
        size_t length = get_u32(data + at);
        if (length > size - at - CHUNK)
            break;
        chunks[count++] = (chunk){at + 8, length};
        at += CHUNK + length;
    }
    return count;
}

/* Mutates a zlib stream by its content. Returns the new size; 0: it cannot be decompressed or does not fit.
 */
static size_t mutate_stream(uint8_t *data, size_t size, size_t capacity, unsigned seed, bool is_text)
{
    static uint8_t inflated[INFLATED_MAX];
    uLongf length = sizeof inflated, packed = capacity;
    int result = uncompress(inflated, &length, data, size);
    if (result != Z_OK)
        return 0;
    length = is_text ? json_mutate(inflated, length, sizeof inflated, seed)
                     : LLVMFuzzerMutate(inflated, length, sizeof inflated);
    return compress2(data, &packed, inflated, length, 1) == Z_OK ? packed : 0;
}

/* Mutates the text of a text chunk, whose key ends in NUL. Returns the new size of the chunk's data, or 0. */
static size_t mutate_text(const uint8_t *kind, uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    const uint8_t *end = memchr(data, 0, size);
    size_t begin = end ? (size_t)(end - data) + 1 : size, wanted = 0;
    bool is_packed = memcmp(kind, "zTXt", 4) == 0;
    if (memcmp(kind, "iTXt", 4) == 0) { /* flag, method, language, translated key */
        is_packed = begin < size && data[begin];
        for (begin += 2; wanted < 2 && begin < size; begin++)
            wanted += data[begin] == 0;
    } else {
        begin += is_packed; /* method */
    }
    if (begin >= size)
        return 0;
    size_t length = is_packed ? mutate_stream(data + begin, size - begin, capacity - begin, seed, true)
                              : json_mutate(data + begin, size - begin, capacity - begin, seed);
    return length ? begin + length : 0;
}

/* Mutates the data of a chunk. Returns the new size. */
static size_t mutate_data(const uint8_t *kind, uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    size_t length = 0;
    if (seed % 8 && memcmp(kind, "IDAT", 4) == 0)
        length = mutate_stream(data, size, capacity, seed / 8, false);
    else if (seed % 8 && memcmp(kind + 1, "TXt", 3) == 0)
        length = mutate_text(kind, data, size, capacity, seed / 8);
    else if (seed % 8 && memcmp(kind, "tEXt", 4) == 0)
        length = mutate_text(kind, data, size, capacity, seed / 8);
    return length ? length : LLVMFuzzerMutate(data, size, capacity);
}

/* Replaces a chunk by one with mutated data, twice the same, or none. */
static size_t change_chunk(uint8_t *data, size_t size, size_t capacity, chunk c, unsigned seed)
{
    size_t after = c.at + c.size + 4, rest = size - after, room = capacity - c.at - 4 - rest;
    uint8_t *kept = malloc(rest + 1), *fresh = malloc(room + 1);
    if (kept && fresh) {
        memcpy(kept, data + after, rest);
        memcpy(fresh, data + c.at, c.size);
        size_t length = mutate_data(data + c.at - 4, fresh, c.size, room, seed);
        put_u32(data + c.at - 8, (uint32_t)length);
        memcpy(data + c.at, fresh, length);
        put_u32(data + c.at + length, (uint32_t)crc32(0, data + c.at - 4, (uInt)length + 4));
        memcpy(data + c.at + length + 4, kept, rest);
        size = c.at + length + 4 + rest;
    }
    free(kept);
    free(fresh);
    return size;
}

/* Doubles or removes a chunk. */
static size_t copy_or_remove(uint8_t *data, size_t size, size_t capacity, chunk c, bool remove)
{
    size_t begin = c.at - 8, length = c.size + CHUNK;
    if (remove) {
        memmove(data + begin, data + begin + length, size - begin - length);
        return size - length;
    }
    if (size + length > capacity)
        return size;
    memmove(data + begin + length, data + begin, size - begin);
    return size + length;
}

size_t png_mutate(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    chunk chunks[CHUNKS_MAX];
    size_t count = find_chunks(data, size, chunks);
    if (!count || seed % 16 == 0)
        return LLVMFuzzerMutate(data, size, capacity);
    chunk c = chunks[seed / 256 % count];
    if (seed % 16 < 3)
        return copy_or_remove(data, size, capacity, c, seed % 16 == 1);
    return change_chunk(data, size, capacity, c, seed / 16);
}
