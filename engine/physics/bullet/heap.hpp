/*
 * What Bullet allocates while a world is in use. Its arrays grow with what
 * happens (contacts, pairs, rows of the solver, nodes of trees), and some
 * functions make arrays of their own in each step. All of that comes from
 * blocks that the world took when it was made, and goes back to them; when
 * they are full, as much again is taken.
 *
 * Blocks come in sizes of four to a doubling, each with a list of free ones
 * (D. Knuth, The Art of Computer Programming 1, 2.5; the classes are those of
 * J. Evans' jemalloc, 2006). Nothing is split or joined: a world asks for the
 * same few sizes again and again.
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
    /* All blocks are gone with it, given back or not. */
    ~bullet_heap();

    /* Takes a chunk of so many bytes; false: out of memory. */
    bool reserve(size_t bytes);

    /* Aligned to 16 bytes. NULL: out of memory. */
    void *take(size_t size);
    bool owns(const void *memory) const;
    void give_back(void *memory);

  private:
    struct block {
        block *next; /* of its class, while it is free */
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
    size_t total_ = 0;          /* of all chunks */
    uint8_t *unused_ = nullptr; /* of the last chunk */
};

/*
 * While one of these lives, what Bullet allocates on this thread comes from
 * the heap, and what it frees goes back there if it came from it. Every way
 * into a world that has been made has one.
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

/* Bullet's allocations are the engine's from here on. As often as one likes, on any thread. */
void heap_install();

#endif
