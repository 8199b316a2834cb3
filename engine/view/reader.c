/*
 * Reads the textures of loads ahead of whoever takes them, on threads and on that of the taker. Files are
 * read one at a time in the order of the loads, because sources may be archives; decoding runs in parallel.
 * What is read and not yet uploaded is limited, so threads do not multiply the memory that textures take.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "mmd/pool.h"
#include "view_internal.h"

/* Bytes of pictures that are being decoded or wait for the upload. Two may be larger, so that one is decoded
 * while another is uploaded, but not beyond the second limit. A single one that is beyond it is read by the
 * taker, with no other beside it but those that wait.
 */
enum { AHEAD_USUAL = 24 << 20, AHEAD_MAX = 64 << 20 };

/* The same where models are shown meanwhile, and drawing them keeps the taker from uploading. */
enum { AHEAD_ARRIVING = 256 << 20 };

struct mmd_view_reader {
    pthread_mutex_t mutex; /* of all below, and of `reading` of the sets while the reader exists */
    pthread_cond_t changed;
    mmd_view_load **loads;
    reader_part *parts; /* of the loads */
    size_t count;
    size_t part;    /* the next texture to begin: its set, */
    uint32_t place; /* and its place in the set's order */
    uint64_t ahead, ahead_max;
    uint64_t ahead_usual;
    uint32_t ahead_count; /* number of these pictures */
    bool stops;
    mmd_pool *pool; /* of the taker; NULL until it is wanted */
    uint32_t worker_count;
    mmd_worker *workers[];
};

/* A texture that is being decoded. */
typedef struct reader_item {
    texture_set *set;
    uint32_t texture;
    uint64_t working;
    mmd_bytes bytes;
} reader_item;

/* Returns whether there is room for decoding another picture. */
static bool has_room(const mmd_view_reader *r, uint64_t working)
{
    uint64_t whole = r->ahead + working;
    return !r->ahead || (whole <= r->ahead_max && (r->ahead_count < 2 || whole <= r->ahead_usual));
}

/* Begins the next texture that has to be decoded. in_any_case: also if there is no room for it. Returns false
 * if there is none. The mutex is locked. */
static bool begin(mmd_view_reader *r, bool in_any_case, reader_item *item)
{
    while (r->part < r->count) {
        const reader_part *part = &r->parts[r->part];
        if (r->place == part->set->count) {
            r->part++;
            r->place = 0;
            continue;
        }
        uint32_t t = part->set->order[r->place];
        if (part->set->reading[t] != TEXTURE_UNREAD) {
            r->place++;
            continue;
        }
        *item = (reader_item){.set = part->set, .texture = t, .working = texture_set_working(part->set, t)};
        if (!in_any_case && !has_room(r, item->working))
            return false;
        r->place++;
        if (texture_set_fetch(item->set, t, part->source, &item->bytes)) {
            r->ahead += item->working;
            r->ahead_count++;
            return true;
        }
        item->set->reading[t] = TEXTURE_READ;
        pthread_cond_broadcast(&r->changed);
    }
    return false;
}

/* Decodes a texture. The mutex is locked before and after, but not meanwhile. */
static void finish(mmd_view_reader *r, reader_item *item)
{
    pthread_mutex_unlock(&r->mutex);
    double start = view_seconds();
    texture_set_decode(item->set, item->texture, &item->bytes);
    double taken = view_seconds() - start;
    pthread_mutex_lock(&r->mutex);
    item->set->decode_seconds += taken;
    const uint64_t waiting = texture_set_waiting(item->set, item->texture);
    r->ahead = r->ahead - item->working + waiting;
    r->ahead_count -= !waiting;
    item->set->reading[item->texture] = TEXTURE_READ;
    pthread_cond_broadcast(&r->changed);
}

/* Job of a worker: reads until all textures are begun. */
static void read_ahead(void *context)
{
    mmd_view_reader *r = context;
    reader_item item;
    pthread_mutex_lock(&r->mutex);
    while (!r->stops && r->part < r->count) {
        if (begin(r, false, &item))
            finish(r, &item);
        else if (r->part < r->count)
            pthread_cond_wait(&r->changed, &r->mutex);
    }
    pthread_mutex_unlock(&r->mutex);
}

void view_reader_take(mmd_view_reader *r, texture_set *set, uint32_t texture)
{
    assert(r && set);
    reader_item item;
    pthread_mutex_lock(&r->mutex);
    while (set->reading[texture] != TEXTURE_READ) {
        if (begin(r, set->reading[texture] == TEXTURE_UNREAD, &item))
            finish(r, &item);
        else if (set->reading[texture] == TEXTURE_BEGUN)
            pthread_cond_wait(&r->changed, &r->mutex);
    }
    pthread_mutex_unlock(&r->mutex);
}

bool view_reader_has(mmd_view_reader *r, const texture_set *set, uint32_t texture)
{
    assert(r && set);
    pthread_mutex_lock(&r->mutex);
    bool has = set->reading[texture] == TEXTURE_READ || !r->worker_count;
    pthread_mutex_unlock(&r->mutex);
    return has;
}

/* Returns how much may be read ahead, at most `most`, so that textures, what is read, and what the upload or
 * a texture beyond the room takes besides stay within the scene's limit. */
static uint64_t room_of(const mmd_texture_memory *memory, uint64_t most)
{
    const uint32_t size = mmd_texture_memory_size(memory);
    const uint64_t needed = memory->held[size] + memory->working[size];
    const uint64_t rest = memory->limit > needed ? memory->limit - needed : 0;
    return rest < most ? rest : most;
}

void view_reader_read_far(mmd_view_reader *r, const mmd_texture_memory *memory)
{
    assert(r && memory);
    pthread_mutex_lock(&r->mutex);
    r->ahead_max = r->ahead_usual = room_of(memory, AHEAD_ARRIVING);
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
}

void view_reader_release(mmd_view_reader *r, uint64_t bytes)
{
    assert(r);
    pthread_mutex_lock(&r->mutex);
    r->ahead -= bytes;
    r->ahead_count -= bytes > 0;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
}

mmd_pool *view_reader_pool(mmd_view_reader *r)
{
    assert(r);
    if (!r->pool && r->worker_count)
        r->pool = mmd_pool_create(r->worker_count);
    return r->pool;
}

mmd_status mmd_view_reader_create(mmd_view_load *const *loads, size_t count, const mmd_texture_memory *memory,
                                  uint32_t threads, mmd_view_reader **result, mmd_error *error)
{
    assert((loads || count == 0) && memory && result);
    mmd_view_reader *r = mmd_alloc(sizeof *r + threads * sizeof(mmd_worker *));
    *result = NULL;
    if (r)
        *r = (mmd_view_reader){.loads = mmd_alloc(count * sizeof(mmd_view_load *)),
                               .parts = mmd_alloc(count * sizeof *r->parts),
                               .ahead_max = room_of(memory, AHEAD_MAX),
                               .ahead_usual = AHEAD_USUAL};
    if (!r || !r->loads || !r->parts) {
        if (r) {
            mmd_free(r->loads);
            mmd_free(r->parts);
        }
        mmd_free(r);
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for reading textures");
    }
    pthread_mutex_init(&r->mutex, NULL);
    pthread_cond_init(&r->changed, NULL);
    for (; r->count < count; r->count++) {
        r->loads[r->count] = loads[r->count];
        r->parts[r->count] = view_load_set_reader(loads[r->count], r);
    }
    while (r->worker_count < threads && (r->workers[r->worker_count] = mmd_worker_create()) != NULL)
        mmd_worker_start(r->workers[r->worker_count++], read_ahead, r);
    *result = r;
    return MMD_OK;
}

void mmd_view_reader_destroy(mmd_view_reader *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->mutex);
    r->stops = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
    for (uint32_t i = 0; i < r->worker_count; i++)
        mmd_worker_destroy(r->workers[i]);
    for (size_t i = 0; i < r->count; i++)
        view_load_set_reader(r->loads[i], NULL);
    mmd_pool_destroy(r->pool);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->mutex);
    mmd_free(r->loads);
    mmd_free(r->parts);
    mmd_free(r);
}
