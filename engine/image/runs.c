/* DEFLATE (RFC 1951) in a zlib stream (RFC 1950): blocks with Huffman codes of their own, of bytes and runs.
 */
#include "runs.h"

#include <assert.h>
#include <libdeflate.h>
#include <string.h>

enum {
    RUN_MIN = 3,
    RUN_MAX = 258,
    END_OF_BLOCK = 256,
    FIRST_LENGTH = 257, /* symbol of a run of RUN_MIN */
    BITS_MAX = 15,      /* of a code */
    LENGTH_SYMBOLS = 19,
    LENGTH_BITS_MAX = 7,
};

/* --- Symbols of runs --- */

/* The symbol of a run's length, and the bits that follow its code. */
typedef struct run_symbol {
    uint16_t symbol;
    uint8_t extra, extra_bits;
} run_symbol;

/* Returns the symbol of a run: four for each number of additional bits but 0, which has eight; the longest
 * run has one of its own. */
static run_symbol symbol_of(uint32_t length)
{
    assert(length >= RUN_MIN && length <= RUN_MAX);
    if (length == RUN_MAX)
        return (run_symbol){FIRST_LENGTH + 28, 0, 0};
    uint32_t from = length - RUN_MIN, bits = 0;
    while (from >> bits >= 8)
        bits++;
    return (run_symbol){(uint16_t)(FIRST_LENGTH + 4 * bits + (from >> bits)),
                        (uint8_t)(from & ((1u << bits) - 1)), (uint8_t)bits};
}

/* --- Huffman codes --- */

/* The code of a symbol, its first bit in the lowest place. */
typedef struct huffman_code {
    uint16_t bits;
    uint8_t length;
} huffman_code;

/* Computes the lengths of the best codes for symbols that are used this often; 0 for those that are not.
 * Returns the greatest length. The codes are not limited. */
static uint32_t best_lengths(const uint32_t *uses, size_t count, uint8_t *lengths)
{
    /* Leaves in the order of their weights, then inner nodes, which come in that order by themselves. */
    uint32_t weights[2 * RUNS_SYMBOLS];
    uint16_t parents[2 * RUNS_SYMBOLS], symbols[RUNS_SYMBOLS];
    uint8_t depths[2 * RUNS_SYMBOLS];
    size_t leaves = 0;
    memset(lengths, 0, count);
    for (size_t i = 0; i < count; i++) {
        if (!uses[i])
            continue;
        size_t at = leaves++;
        for (; at > 0 && uses[i] < weights[at - 1]; at--) {
            weights[at] = weights[at - 1];
            symbols[at] = symbols[at - 1];
        }
        weights[at] = uses[i];
        symbols[at] = (uint16_t)i;
    }
    if (leaves == 1)
        lengths[symbols[0]] = 1;
    if (leaves < 2)
        return (uint32_t)leaves;
    size_t leaf = 0, inner = leaves, nodes = leaves;
    for (; nodes < 2 * leaves - 1; nodes++) {
        weights[nodes] = 0;
        for (int k = 0; k < 2; k++) {
            size_t least =
                leaf < leaves && (inner == nodes || weights[leaf] <= weights[inner]) ? leaf++ : inner++;
            weights[nodes] += weights[least];
            parents[least] = (uint16_t)nodes;
        }
    }
    uint32_t longest = 0;
    depths[nodes - 1] = 0;
    for (size_t i = nodes - 1; i-- > 0;) {
        depths[i] = (uint8_t)(depths[parents[i]] + 1);
        if (i < leaves) {
            lengths[symbols[i]] = depths[i];
            longest = depths[i] > longest ? depths[i] : longest;
        }
    }
    return longest;
}

/* Makes codes of at most `most` bits. Where the best ones are longer, the uses are made more even, until they
 * are not. */
static void make_codes(const uint32_t *uses, size_t count, uint32_t most, huffman_code *codes)
{
    uint32_t even[RUNS_SYMBOLS], of_length[BITS_MAX + 1] = {0}, next[BITS_MAX + 1], code = 0;
    uint8_t lengths[RUNS_SYMBOLS];
    memcpy(even, uses, count * sizeof *even);
    while (best_lengths(even, count, lengths) > most)
        for (size_t i = 0; i < count; i++)
            even[i] = (even[i] + 1) / 2;
    for (size_t i = 0; i < count; i++)
        of_length[lengths[i]]++;
    of_length[0] = 0;
    for (uint32_t length = 1; length <= BITS_MAX; length++) {
        code = (code + of_length[length - 1]) << 1;
        next[length] = code;
    }
    for (size_t i = 0; i < count; i++) {
        codes[i] = (huffman_code){.length = lengths[i]};
        uint32_t bits = lengths[i] ? next[lengths[i]]++ : 0;
        for (uint32_t k = 0; k < lengths[i]; k++)
            codes[i].bits = (uint16_t)(codes[i].bits | (bits >> k & 1) << (lengths[i] - 1 - k));
    }
}

/* --- Bits --- */

/* Bits on their way to memory that is large enough. */
typedef struct bit_writer {
    uint8_t *at;
    uint64_t bits;
    uint32_t count;
} bit_writer;

/* Writes at most 32 bits. */
static inline void put(bit_writer *w, uint32_t bits, uint32_t count)
{
    w->bits |= (uint64_t)bits << w->count;
    w->count += count;
    if (w->count < 32)
        return;
    for (int k = 0; k < 4; k++)
        w->at[k] = (uint8_t)(w->bits >> 8 * k);
    w->at += 4;
    w->bits >>= 32;
    w->count -= 32;
}

/* Writes the lengths of the codes of symbols and of the only distance, themselves as Huffman codes, one by
 * one. */
static void put_lengths(bit_writer *w, const huffman_code *codes, size_t count)
{
    static const uint8_t order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint32_t uses[LENGTH_SYMBOLS] = {0};
    huffman_code lengths[LENGTH_SYMBOLS];
    for (size_t i = 0; i < count; i++)
        uses[codes[i].length]++;
    uses[1]++; /* of the distance */
    make_codes(uses, LENGTH_SYMBOLS, LENGTH_BITS_MAX, lengths);
    put(w, (uint32_t)count - 257, 5);
    put(w, 0, 5);
    put(w, LENGTH_SYMBOLS - 4, 4);
    for (size_t i = 0; i < LENGTH_SYMBOLS; i++)
        put(w, lengths[order[i]].length, 3);
    for (size_t i = 0; i < count; i++)
        put(w, lengths[codes[i].length].bits, lengths[codes[i].length].length);
    put(w, lengths[1].bits, lengths[1].length);
}

/* --- Blocks --- */

/* Writes the tokens as a block. */
static void end_block(runs *r, bool is_last)
{
    enum { HEADER = 512, EACH = 3, REST = 16 };
    huffman_code codes[RUNS_SYMBOLS];
    struct {
        uint32_t bits, count;
    } whole[256 + RUN_MAX + 1]; /* by token: its code, additional bits and the distance, which is a 0 */
    r->uses[END_OF_BLOCK] = 1;
    make_codes(r->uses, RUNS_SYMBOLS, BITS_MAX, codes);
    for (uint32_t i = 0; i < 256; i++) {
        whole[i].bits = codes[i].bits;
        whole[i].count = codes[i].length;
    }
    for (uint32_t length = RUN_MIN; length <= RUN_MAX; length++) {
        const run_symbol s = symbol_of(length);
        whole[256 + length].bits = codes[s.symbol].bits | (uint32_t)s.extra << codes[s.symbol].length;
        whole[256 + length].count = (uint32_t)codes[s.symbol].length + s.extra_bits + 1;
    }
    mmd_buffer_reserve(r->out, HEADER + EACH * r->token_count + REST);
    if (!r->out->failed) {
        bit_writer w = {r->out->data + r->out->size, r->bits, r->bit_count};
        put(&w, is_last ? 5 : 4, 3);
        put_lengths(&w, codes, RUNS_SYMBOLS);
        for (size_t i = 0; i < r->token_count; i++)
            put(&w, whole[r->tokens[i]].bits, whole[r->tokens[i]].count);
        put(&w, codes[END_OF_BLOCK].bits, codes[END_OF_BLOCK].length);
        r->bits = w.bits;
        r->bit_count = w.count;
        r->out->size = (size_t)(w.at - r->out->data);
    }
    r->token_count = 0;
    memset(r->uses, 0, sizeof r->uses);
}

static void add_byte(runs *r, uint8_t byte)
{
    if (r->token_count == RUNS_TOKENS)
        end_block(r, false);
    r->tokens[r->token_count++] = byte;
    r->uses[byte]++;
}

/* Adds repetitions of the byte before. */
static void add_run(runs *r, uint8_t byte, size_t count)
{
    while (count >= RUN_MIN) {
        uint32_t length = count < RUN_MAX ? (uint32_t)count : RUN_MAX;
        if (r->token_count == RUNS_TOKENS)
            end_block(r, false);
        r->tokens[r->token_count++] = (uint16_t)(256 + length);
        r->uses[symbol_of(length).symbol]++;
        count -= length;
    }
    for (; count > 0; count--)
        add_byte(r, byte);
}

void runs_begin(runs *r, mmd_buffer *out)
{
    assert(r && out);
    r->out = out;
    r->adler = 1;
    r->bits = 0;
    r->bit_count = 0;
    r->token_count = 0;
    memset(r->uses, 0, sizeof r->uses);
    mmd_write_u8(out, 0x78); /* DEFLATE with a window of 32 KiB, */
    mmd_write_u8(out, 0x01); /* by the fastest algorithm */
}

/* Returns how many bytes from `at` on are equal to the first. */
static size_t run_at(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *start = at;
    uint64_t eight, same = UINT64_C(0x0101010101010101) * *at;
    for (; end - at >= 8; at += 8) {
        memcpy(&eight, at, sizeof eight);
        if (eight != same)
            break;
    }
    while (at < end && *at == *start)
        at++;
    return (size_t)(at - start);
}

void runs_add(runs *r, const uint8_t *bytes, size_t size)
{
    assert(r && (bytes || !size));
    const uint8_t *at = bytes, *end = bytes + size;
    while (at < end) {
        add_byte(r, *at);
        if (end - at > RUN_MIN && at[1] == at[0] && at[2] == at[0] && at[3] == at[0]) {
            size_t same = run_at(at, end);
            add_run(r, *at, same - 1);
            at += same;
        } else {
            at++;
        }
    }
    r->adler = libdeflate_adler32(r->adler, bytes, size);
}

void runs_add_zeros(runs *r, size_t count)
{
    assert(r);
    enum { ADLER_BASE = 65521 };
    if (!count)
        return;
    add_byte(r, 0);
    add_run(r, 0, count - 1);
    uint64_t sum = r->adler & 0xffff, sums = r->adler >> 16;
    r->adler = (uint32_t)((sums + sum * (count % ADLER_BASE)) % ADLER_BASE << 16 | sum);
}

void runs_end(runs *r)
{
    assert(r);
    end_block(r, true);
    for (; r->bit_count > 0; r->bit_count -= r->bit_count < 8 ? r->bit_count : 8) {
        mmd_write_u8(r->out, (uint8_t)r->bits);
        r->bits >>= 8;
    }
    for (int k = 3; k >= 0; k--)
        mmd_write_u8(r->out, (uint8_t)(r->adler >> 8 * k));
}
