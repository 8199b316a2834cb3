/*
 * Memory for what Bullet allocates while a world is in use. Its arrays grow with contacts, pairs, rows of the
 * solver and nodes of trees, and some functions create temporary arrays in each step. All of that comes from
 * blocks which the world reserved at creation, so that a step allocates no heap memory. If they run out, the
 * same amount is reserved again.
 *
 * There are four block sizes per power of two, each with a free list (D. Knuth, The Art of Computer
 * Programming 1, 2.5; the sizes are those of J. Evans' jemalloc, 2006). Blocks are not split or merged,
 * because a world requests the same few sizes again and again.
 */
#ifndef MMD_PHYSICS_BULLET_HEAP_HPP
#define MMD_PHYSICS_BULLET_HEAP_HPP

#include <cstddef>
#include <cstdint>

class bullet_heap
{
  public:
    bullet_heap() = default;
    bullet_heap(const bullet_heap &) = delete;
    bullet_heap &operator=(const bullet_heap &) = delete;
    /* Frees all blocks, whether released or not. */
    ~bullet_heap();

    /* Reserves a chunk of this many bytes. Returns false when out of memory. */
    bool reserve(size_t bytes);

    /* Returns a block aligned to 16 bytes, or NULL when out of memory. */
    void *allocate(size_t size);
    bool owns(const void *memory) const;
    void release(void *memory);

  private:
    struct block {
        block *next; /* next free block of its class */
        uint32_t size_class;
    };
    struct chunk {
        uint8_t *begin, *end;
    };
    static uint32_t round_up(size_t *size);
    uint8_t *carve(size_t size);

    enum { CLASSES = 4 * 64, CHUNKS_MAX = 48 };
    block *free_[CLASSES] = {};
    chunk chunks_[CHUNKS_MAX] = {};
    uint32_t chunk_count_ = 0;
    size_t total_ = 0;          /* size of all chunks */
    uint8_t *unused_ = nullptr; /* unused rest of the last chunk */
};

/*
 * While an object of this class exists, Bullet's allocations on this thread use the heap, and its frees
 * return blocks to it if they belong to it. Every function that enters an existing world creates one.
 */
class heap_scope
{
  public:
    explicit heap_scope(bullet_heap &heap);
    heap_scope(const heap_scope &) = delete;
    heap_scope &operator=(const heap_scope &) = delete;
    ~heap_scope();

  private:
    bullet_heap *outer_;
};

/* Redirects Bullet's allocations to the engine. May be called repeatedly, on any thread. */
void heap_install();

#endif
