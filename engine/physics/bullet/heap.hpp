/*
 * Memory for Bullet's allocations while a world is in use. Its arrays grow with what happens (contacts,
 * pairs, rows of the solver, nodes of trees), and some functions create arrays in each step. All of that
 * comes from blocks that the world reserved at its creation, and returns to them. When they are used up, the
 * reserve is doubled.
 *
 * Blocks have four sizes per doubling, each with a list of free blocks (D. Knuth, The Art of Computer
 * Programming 1, 2.5; the size classes are those of J. Evans' jemalloc, 2006). Blocks are not split or
 * joined, because a world requests the same few sizes again and again.
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
    /* Frees all blocks, returned or not. */
    ~bullet_heap();

    /* Reserves a chunk of so many bytes. Returns false when out of memory. */
    bool reserve(size_t bytes);

    /* Returns a block aligned to 16 bytes, or NULL when out of memory. */
    void *take(size_t size);
    bool owns(const void *memory) const;
    void give_back(void *memory);

  private:
    struct block {
        block *next; /* next free block of the class */
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
    size_t total_ = 0;          /* bytes of all chunks */
    uint8_t *unused_ = nullptr; /* in the last chunk */
};

/*
 * During the lifetime of a heap_scope Bullet's allocations on this thread come from the heap, and what it
 * frees returns there if it came from it. Every function that enters an existing world has one.
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

/* Directs Bullet's allocations to the engine. May be called repeatedly, on any thread. */
void heap_install();

#endif
