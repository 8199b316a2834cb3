/* The heap for Bullet's allocations (heap.hpp). */
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

/* Under AddressSanitizer free blocks are poisoned. */
#ifdef HEAP_IS_WATCHED
#include <sanitizer/asan_interface.h>
static void forbid(void *memory, size_t size)
{
    ASAN_POISON_MEMORY_REGION(memory, size);
}
static void allow(void *memory, size_t size)
{
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
}
#else
static void forbid(void *, size_t) {}
static void allow(void *, size_t) {}
#endif

static const size_t header = 16, block_min = 64, chunk_min = 64 * 1024;
static const size_t block_max = SIZE_MAX / 8;

bullet_heap::~bullet_heap()
{
    for (uint32_t i = 0; i < chunk_count_; i++) {
        allow(chunks_[i].begin, static_cast<size_t>(chunks_[i].end - chunks_[i].begin));
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
    forbid(memory, bytes);
    chunks_[chunk_count_++] = {memory, memory + bytes};
    total_ += bytes;
    unused_ = memory;
    return true;
}

/* Rounds up to the next 5, 6, 7 or 8 eighths of a power of two. Returns the index of that size class. */
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

/* Takes memory from the last chunk, or from a new one as large as all before. */
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

void *bullet_heap::take(size_t size)
{
    if (size > block_max)
        return nullptr;
    size += header;
    uint32_t size_class = round_up(&size);
    block *taken = free_[size_class];
    if (taken) {
        free_[size_class] = taken->next;
    } else {
        uint8_t *carved = carve(size);
        if (!carved)
            return nullptr;
        allow(carved, header);
        taken = new (carved) block{nullptr, size_class};
    }
    uint8_t *memory = reinterpret_cast<uint8_t *>(taken) + header;
    allow(memory, size - header);
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

void bullet_heap::give_back(void *memory)
{
    static_assert(sizeof(block) <= header, "a block's header is in front of it");
    auto *given = reinterpret_cast<block *>(static_cast<uint8_t *>(memory) - header);
    size_t eighths = given->size_class % 4 + 5, size = eighths << given->size_class / 4;
    forbid(memory, size - header);
    given->next = free_[given->size_class];
    free_[given->size_class] = given;
}

/* ------------------------------------------------------------ Bullet's hooks */

/* Thread-local, because Bullet's allocator has no context parameter. */
static thread_local bullet_heap *in_use;

heap_scope::heap_scope(bullet_heap &heap) : outer_(in_use)
{
    in_use = &heap;
}

heap_scope::~heap_scope()
{
    in_use = outer_;
}

/* Bullet does not check for NULL. Creating a world catches the exception. A step without memory, which is
 * possible only while the heap still grows, ends the program. */
static void *bullet_alloc(size_t size)
{
    void *memory = in_use ? in_use->take(size) : mmd_alloc(size);
    if (!memory)
        throw std::bad_alloc();
    return memory;
}

/* Memory that is not from the heap was allocated while the world was created, or by Bullet before the
 * hooks were set: by malloc in both cases. */
static void bullet_free(void *memory)
{
    if (in_use && in_use->owns(memory))
        in_use->give_back(memory);
    else
        mmd_free(memory);
}

/* The hooks are set once per process. */
void heap_install()
{
    static const bool installed = [] {
        btAlignedAllocSetCustom(bullet_alloc, bullet_free);
        return true;
    }();
    static_cast<void>(installed);
}
