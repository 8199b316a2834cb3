/* Growing arrays and tables of names for the reader of accessories. */
#include "x_reader.h"

void *x_alloc(x_reader *reader, size_t count, size_t size)
{
    mmd_cursor *cursor = &reader->base.cursor;
    if (!mmd_cursor_ok(cursor))
        return NULL;
    void *memory = mmd_arena_alloc(&reader->scratch, count, size);
    if (!memory)
        mmd_cursor_fail(cursor, MMD_ERROR_MEMORY, "no memory for %zu times %zu bytes", count, size);
    return memory;
}

void *x_array_add(x_reader *reader, x_array *array, size_t size)
{
    enum { FIRST_BYTES = 64 };
    if (array->count == array->capacity) {
        uint32_t first = size < FIRST_BYTES ? (uint32_t)(FIRST_BYTES / size) : 1;
        uint32_t capacity = array->capacity ? 2 * array->capacity : first;
        void *items = x_alloc(reader, capacity, size);
        if (!items)
            return NULL;
        if (array->count)
            memcpy(items, array->items, array->count * size);
        array->items = items;
        array->capacity = capacity;
    }
    return (char *)array->items + size * array->count++;
}

static uint32_t hash_bytes(x_span span)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < span.size; i++)
        hash = (hash ^ span.text[i]) * 16777619u;
    return hash;
}

/* The slot of the name, or the empty one where it would stand. There is always an empty one. */
static uint32_t find_slot(const x_names *names, x_span name)
{
    const x_name *entries = names->entries.items;
    uint32_t slot = hash_bytes(name) & (names->slot_count - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->slot_count - 1)) {
        x_span other = entries[names->slots[slot] - 1].name;
        if (other.size == name.size && memcmp(other.text, name.text, name.size) == 0)
            break;
    }
    return slot;
}

int64_t x_names_find(const x_names *names, x_span name)
{
    if (names->slot_count == 0 || name.size == 0)
        return -1;
    uint32_t found = names->slots[find_slot(names, name)];
    const x_name *entries = names->entries.items;
    return found ? (int64_t)entries[found - 1].value : -1;
}

static bool grow_slots(x_reader *reader, x_names *names)
{
    uint32_t count = names->slot_count ? 2 * names->slot_count : 16;
    uint32_t *slots = x_alloc(reader, count, sizeof *slots);
    if (!slots)
        return false;
    names->slots = slots;
    names->slot_count = count;
    const x_name *entries = names->entries.items;
    for (uint32_t i = 0; i < names->entries.count; i++)
        slots[find_slot(names, entries[i].name)] = i + 1;
    return true;
}

void x_names_add(x_reader *reader, x_names *names, x_span name, uint32_t value)
{
    if (name.size == 0 || (2 * names->entries.count >= names->slot_count && !grow_slots(reader, names)))
        return;
    uint32_t slot = find_slot(names, name);
    x_name *entry = names->slots[slot] ? NULL : x_array_add(reader, &names->entries, sizeof *entry);
    if (!entry)
        return;
    *entry = (x_name){name, value};
    names->slots[slot] = names->entries.count;
}
