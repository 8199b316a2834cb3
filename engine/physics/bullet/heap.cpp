/* The block allocator for Bullet; see heap.hpp. */
#include "heap.hpp"

#include "mmd/memory.h"

#include <LinearMath/btAlignedAllocator.h>
#include <cassert>

#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define HEAP_IS_WATCHED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEAP_IS_WATCHED
#endif
#endif

/* With AddressSanitizer, free blocks are poisoned so that any access is reported. */
#ifdef HEAP_IS_WATCHED
#include <sanitizer/asan_interface.h>
static void poison(void *memory, size_t size)
{
    ASAN_POISON_MEMORY_REGION(memory, size);
}
static void unpoison(void *memory, size_t size)
{
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
}
#else
static void poison(void *, size_t) {}
static void unpoison(void *, size_t) {}
#endif

static const size_t header = 16, block_min = 64, chunk_min = 64 * 1024;
static const size_t block_max = SIZE_MAX / 8;

bullet_heap::~bullet_heap()
{
    for (uint32_t i = 0; i < chunk_count_; i++) {
        unpoison(chunks_[i].begin, static_cast<size_t>(chunks_[i].end - chunks_[i].begin));
        mmd_free(chunks_[i].begin);
    }
}

bool bullet_heap::reserve(size_t bytes)
{
    if (chunk_count_ == CHUNKS_MAX)
        return false;
    auto *memory = static_cast<uint8_t *>(mmd_alloc(bytes));
    if (!memory)
        return false;
    poison(memory, bytes);
    chunks_[chunk_count_++] = {memory, memory + bytes};
    total_ += bytes;
    unused_ = memory;
    return true;
}

/* Rounds up to 5, 6, 7 or 8 eighths of a power of two and returns the index of that size. */
uint32_t bullet_heap::round_up(size_t *size)
{
    assert(size);
    size_t rest = *size < block_min ? block_min : *size;
    uint32_t power = 0;
    for (size_t left = rest - 1; left >> 3; left >>= 1)
        power++;
    size_t eighths = ((rest - 1) >> power) + 1; /* 5 to 8 */
    *size = eighths << power;
    return 4 * power + static_cast<uint32_t>(eighths - 5);
}

/* Returns unused memory of the last chunk, or of a new one as large as all others together. */
uint8_t *bullet_heap::carve(size_t size)
{
    size_t left = chunk_count_ ? static_cast<size_t>(chunks_[chunk_count_ - 1].end - unused_) : 0;
    size_t more = total_ < chunk_min ? chunk_min : total_;
    if (left < size && !reserve(more < size ? size : more))
        return nullptr;
    uint8_t *carved = unused_;
    unused_ += size;
    return carved;
}

void *bullet_heap::allocate(size_t size)
{
    if (size > block_max)
        return nullptr;
    size += header;
    uint32_t size_class = round_up(&size);
    block *chosen = free_[size_class];
    if (chosen) {
        free_[size_class] = chosen->next;
    } else {
        uint8_t *carved = carve(size);
        if (!carved)
            return nullptr;
        unpoison(carved, header);
        chosen = new (carved) block{nullptr, size_class};
    }
    uint8_t *memory = reinterpret_cast<uint8_t *>(chosen) + header;
    unpoison(memory, size - header);
    return memory;
}

bool bullet_heap::owns(const void *memory) const
{
    auto *byte = static_cast<const uint8_t *>(memory);
    for (uint32_t i = 0; i < chunk_count_; i++)
        if (byte >= chunks_[i].begin && byte < chunks_[i].end)
            return true;
    return false;
}

void bullet_heap::release(void *memory)
{
    static_assert(sizeof(block) <= header, "a block's header is in front of it");
    auto *given = reinterpret_cast<block *>(static_cast<uint8_t *>(memory) - header);
    size_t eighths = given->size_class % 4 + 5, size = eighths << given->size_class / 4;
    poison(memory, size - header);
    given->next = free_[given->size_class];
    free_[given->size_class] = given;
}

/* ------------------------------------------------------------ Bullet's hooks */

/* The heap of the current scope. A thread-local variable, because Bullet's allocator functions have no
 * context. */
static thread_local bullet_heap *in_use;

heap_scope::heap_scope(bullet_heap &heap) : outer_(in_use)
{
    in_use = &heap;
}

heap_scope::~heap_scope()
{
    in_use = outer_;
}

/* Bullet does not check for NULL, so running out of memory throws. The creation of a world catches this.
 * During a step, which allocates only while the world still grows, it ends the program. */
static void *bullet_alloc(size_t size)
{
    void *memory = in_use ? in_use->allocate(size) : mmd_alloc(size);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}

/* Memory outside of the heap was allocated before the scope, or by Bullet before heap_install: by malloc in
 * both cases. */
static void bullet_free(void *memory)
{
    if (in_use && in_use->owns(memory))
        in_use->release(memory);
    else
        mmd_free(memory);
}

/* The static variable makes this happen once per process. */
void heap_install()
{
    static const bool installed = [] {
        btAlignedAllocSetCustom(bullet_alloc, bullet_free);
        return true;
    }();
    static_cast<void>(installed);
}
