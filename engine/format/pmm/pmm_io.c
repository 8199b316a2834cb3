/* Steps of the walk over a project: bytes, texts, counts, tables of members, chained keys. */
#include "load.h"
#include "pmm_io.h"
#include "vmd_records.h"
#include "mmd/text.h"

#include <assert.h>
#include <string.h>

bool pmm_ok(const pmm_io *io)
{
    assert(io);
    return mmd_cursor_ok(&io->cursor);
}

void pmm_section(pmm_io *io, const char *section, int64_t item)
{
    assert(io);
    mmd_cursor_section(&io->cursor, section, item);
}

void pmm_fail(pmm_io *io, mmd_status code, const char *message)
{
    assert(io);
    if (io->out)
        io->cursor.at = io->out->size;
    mmd_cursor_fail(&io->cursor, code, "%s", message);
}

static void pmm_repair(pmm_io *io, uint32_t item, const char *what)
{
    mmd_project *project = io->project;
    if (!project->repairs)
        project->repairs = mmd_arena_alloc(&project->arena, MMD_PROJECT_REPAIR_MAX, sizeof *project->repairs);
    if (!project->repairs) {
        pmm_fail(io, MMD_ERROR_MEMORY, "no memory for the repairs");
        return;
    }
    project->repair_count++;
    if (project->repair_listed < MMD_PROJECT_REPAIR_MAX)
        project->repairs[project->repair_listed++] = (mmd_project_repair){
            .section = io->cursor.section, .model = io->owner, .item = item, .what = what};
}

void pmm_bytes(pmm_io *io, void *data, size_t size)
{
    assert(io);
    if (io->out) {
        mmd_write_bytes(io->out, data, size);
        return;
    }
    const uint8_t *bytes = mmd_read_bytes(&io->cursor, size);
    if (bytes && size)
        memcpy(data, bytes, size);
}

/* ---- texts ---- */

enum { TEXT_ROOM = 3 * PMM_PATH_SIZE + 1 }; /* a byte of CP932 takes at most three bytes in UTF-8 */

/* Decodes a field up to its NUL. Returns the length. */
static size_t decode(const uint8_t *raw, size_t size, char text[TEXT_ROOM])
{
    const uint8_t *end = size ? memchr(raw, 0, size) : NULL;
    size_t length = mmd_utf8_from_cp932(raw, end ? (size_t)(end - raw) : size, text, TEXT_ROOM - 1, NULL);
    assert(length < TEXT_ROOM);
    text[length] = '\0';
    return length;
}

static void read_text(pmm_io *io, mmd_project_text *text, size_t size)
{
    char decoded[TEXT_ROOM];
    *text = (mmd_project_text){.text = "", .raw = mmd_read_bytes(&io->cursor, size)};
    if (!text->raw)
        return;
    text->raw_size = (uint32_t)size;
    size_t length = decode(text->raw, size, decoded);
    if (length == 0)
        return;
    const char *copy = mmd_arena_text(&io->project->arena, decoded, length);
    if (copy)
        text->text = copy;
    else
        pmm_fail(io, MMD_ERROR_MEMORY, "no memory for a text");
}

/* Tests whether the field as it was read still represents the text. */
static bool raw_holds(const mmd_project_text *text, size_t limit)
{
    char decoded[TEXT_ROOM];
    if (!text->raw || text->raw_size > limit)
        return false;
    decode(text->raw, text->raw_size, decoded);
    return strcmp(decoded, text->text) == 0;
}

/* Encodes a text in CP932. Fails and returns 0 if it takes more than limit bytes. */
static size_t encode(pmm_io *io, const mmd_project_text *text, uint8_t *out, size_t limit)
{
    bool lossy = false;
    size_t size = mmd_cp932_from_utf8(text->text, strlen(text->text), out, limit, &lossy);
    io->lossy |= lossy;
    if (size <= limit)
        return size;
    pmm_fail(io, MMD_ERROR_LIMIT, "a text that is longer than its field");
    return 0;
}

void pmm_string(pmm_io *io, mmd_project_text *text)
{
    assert(io && text);
    if (!io->out) {
        read_text(io, text, mmd_read_u8(&io->cursor));
        return;
    }
    uint8_t encoded[PMM_NAME_MAX];
    bool raw = raw_holds(text, PMM_NAME_MAX);
    size_t size = raw ? text->raw_size : encode(io, text, encoded, sizeof encoded);
    mmd_write_u8(io->out, (uint8_t)size);
    mmd_write_bytes(io->out, raw ? text->raw : encoded, size);
}

void pmm_fixed(pmm_io *io, mmd_project_text *text, size_t size)
{
    assert(io && text);
    assert(size <= PMM_PATH_SIZE);
    if (!io->out) {
        read_text(io, text, size);
        return;
    }
    uint8_t encoded[PMM_PATH_SIZE];
    bool raw = text->raw_size == size && raw_holds(text, size);
    size_t used = raw ? size : encode(io, text, encoded, size - 1);
    mmd_write_bytes(io->out, raw ? text->raw : encoded, used);
    mmd_write_zeros(io->out, size - used);
}

/* ---- counts and memory ---- */

void pmm_count(pmm_io *io, uint32_t *count, size_t min_size)
{
    assert(io);
    if (!io->out) {
        *count = mmd_cursor_count(&io->cursor, min_size);
        return;
    }
    assert(*count <= INT32_MAX);
    mmd_write_i32(io->out, (int32_t)*count);
}

void pmm_count8(pmm_io *io, uint32_t *count, size_t min_size)
{
    assert(io);
    if (!io->out) {
        *count = mmd_cursor_check_count(&io->cursor, mmd_read_u8(&io->cursor), min_size);
        return;
    }
    assert(*count <= UINT8_MAX);
    mmd_write_u8(io->out, (uint8_t)*count);
}

void *pmm_room(pmm_io *io, void *there, uint32_t *count, size_t size)
{
    assert(io);
    if (io->out)
        return there;
    void *room = pmm_ok(io) ? mmd_arena_alloc(&io->project->arena, *count, size) : NULL;
    if (!room) {
        *count = 0;
        pmm_fail(io, MMD_ERROR_MEMORY, "no memory for the records");
    }
    return room;
}

void *pmm_scratch(pmm_io *io, size_t count, size_t size)
{
    assert(io);
    if (!pmm_ok(io))
        return NULL;
    void *memory = mmd_arena_alloc(&io->scratch, count, size);
    if (!memory)
        pmm_fail(io, MMD_ERROR_MEMORY, "no memory for the records");
    return memory;
}

void pmm_fields(pmm_io *io, const pmm_field *fields, size_t count, void *object)
{
    assert(io);
    for (size_t i = 0; i < count; i++)
        pmm_bytes(io, (uint8_t *)object + fields[i].offset, fields[i].size);
}

/* ---- chained keys ---- */

/*
 * Keys in a project file are chained. Each list (a bone's, the camera's) has a first record, whose number is
 * the list's own (docs/mmd.md 1.7). Further records of all lists follow in any order, each with its number
 * and the numbers of the previous and next key, 0 at the end. Reading follows the chains forward. Writing
 * builds the chains again, with the numbers and in the order that were read.
 */

enum { FIRST_HEAD = 12, RECORD_HEAD = 16, FRAME = 0, PREVIOUS = 4, NEXT = 8 };

static mmd_project_key *key_at(const pmm_key_kind *kind, const pmm_list *list, uint32_t i)
{
    return (mmd_project_key *)((uint8_t *)list->keys + i * kind->key_size);
}

/* ---- reading keys ---- */

/* Where the records are, and the order in which the chains reach them. */
typedef struct chains {
    const uint8_t *first,
        *records; /* first records: frame, previous, next; other records also have their number in front */
    uint32_t list_count, record_count;
    size_t first_size, record_size;
    uint64_t *numbers; /* number << 32 | record, ascending */
    uint8_t *reached;  /* by record */
    uint32_t *order;   /* records, list by list */
    uint32_t order_count;
    bool bad_link;
} chains;

static const uint8_t *record_links(const chains *c, uint32_t record)
{
    return c->records + record * c->record_size + 4;
}

static uint32_t record_number(const chains *c, uint32_t record)
{
    return load_u32(c->records + record * c->record_size);
}

/* Returns the first record with this number; UINT32_MAX if there is none. */
static uint32_t find_number(const chains *c, uint32_t number)
{
    uint32_t low = 0, high = c->record_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->numbers[middle] >> 32 < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->record_count && c->numbers[low] >> 32 == number ? (uint32_t)c->numbers[low] : UINT32_MAX;
}

static bool chains_init(pmm_io *io, chains *c)
{
    uint64_t *scratch = pmm_scratch(io, c->record_count, sizeof *scratch);
    c->numbers = pmm_scratch(io, c->record_count, sizeof *c->numbers);
    c->reached = pmm_scratch(io, c->record_count, sizeof *c->reached);
    c->order = pmm_scratch(io, c->record_count, sizeof *c->order);
    if (!pmm_ok(io))
        return false;
    for (uint32_t i = 0; i < c->record_count; i++)
        c->numbers[i] = vmd_pack(record_number(c, i), i);
    vmd_sort(c->numbers, scratch, c->record_count);
    return true;
}

/* Follows a list's chain from its first record. Returns the number of keys. */
static uint32_t follow(pmm_io *io, chains *c, uint32_t list)
{
    const uint8_t *links = c->first + list * c->first_size;
    uint32_t count = 1, previous = list;
    c->bad_link |= load_u32(links + PREVIOUS) > INT32_MAX;
    for (uint32_t next; (next = load_u32(links + NEXT)) != 0; count++) {
        uint32_t record = next >= c->list_count && next <= INT32_MAX ? find_number(c, next) : UINT32_MAX;
        if (record == UINT32_MAX || c->reached[record]) {
            pmm_repair(io, list,
                       record == UINT32_MAX ? "a chain that leads nowhere"
                                            : "a chain that runs into keys that are taken");
            break;
        }
        links = record_links(c, record);
        c->bad_link |= load_u32(links + PREVIOUS) != previous;
        c->reached[record] = 1;
        c->order[c->order_count++] = record;
        previous = next;
    }
    return count;
}

static void read_frame(pmm_io *io, const uint8_t *links, mmd_project_key *key)
{
    key->frame = load_u32(links + FRAME);
    if (key->frame > INT32_MAX)
        pmm_fail(io, MMD_ERROR_VALUE, "a key at a frame below 0");
}

/* Reads the payload, temporarily moving io's cursor there. */
static void read_payload(pmm_io *io, const pmm_key_kind *kind, const uint8_t *payload, mmd_project_key *key)
{
    size_t at = io->cursor.at;
    io->cursor.at = (size_t)(payload - io->cursor.data);
    kind->payload(io, key);
    if (!pmm_ok(io))
        return;
    assert(io->cursor.data + io->cursor.at == payload + kind->payload_size);
    io->cursor.at = at;
}

/* Sorts the keys of a list whose frames are not ascending; equal frames keep their order. */
static void sort_list(pmm_io *io, const pmm_key_kind *kind, pmm_list *list, uint32_t number)
{
    uint32_t sorted = 1;
    while (sorted < list->count && key_at(kind, list, sorted - 1)->frame <= key_at(kind, list, sorted)->frame)
        sorted++;
    if (sorted == list->count)
        return;
    pmm_repair(io, number, "keys that are not in the order of their frames");
    uint64_t *order = pmm_scratch(io, list->count, sizeof *order);
    uint64_t *spare = pmm_scratch(io, list->count, sizeof *spare);
    uint8_t *copy = pmm_scratch(io, list->count, kind->key_size);
    if (!pmm_ok(io))
        return;
    for (uint32_t i = 0; i < list->count; i++)
        order[i] = vmd_pack(key_at(kind, list, i)->frame, i);
    vmd_sort(order, spare, list->count);
    memcpy(copy, list->keys, list->count * kind->key_size);
    for (uint32_t i = 0; i < list->count; i++)
        memcpy(key_at(kind, list, i), copy + (uint32_t)order[i] * kind->key_size, kind->key_size);
}

/* Fills in the keys of a list: the first one, then the others in order. */
static void fill_list(pmm_io *io, const pmm_key_kind *kind, const chains *c, uint32_t list, uint32_t from,
                      pmm_list *keys)
{
    const uint8_t *links = c->first + list * c->first_size;
    pmm_section(io, kind->section, list);
    for (uint32_t i = 0; i < keys->count && pmm_ok(io); i++) {
        mmd_project_key *key = key_at(kind, keys, i);
        *key = (mmd_project_key){.number = (int32_t)load_u32(links + PREVIOUS), .record = MMD_NO_RECORD};
        if (key->number <= 0)
            key->number = MMD_PROJECT_NO_NUMBER;
        if (i > 0) {
            key->record = c->order[from + i - 1];
            key->number = (int32_t)record_number(c, key->record);
            links = record_links(c, key->record);
        }
        read_frame(io, links, key);
        read_payload(io, kind, links + FIRST_HEAD, key);
    }
    if (pmm_ok(io))
        sort_list(io, kind, keys, list);
}

static void read_lists(pmm_io *io, const pmm_key_kind *kind, chains *c, pmm_list *lists)
{
    for (uint32_t i = 0; i < c->list_count && pmm_ok(io); i++)
        lists[i].count = follow(io, c, i);
    if (c->bad_link)
        pmm_repair(io, 0, "links back that do not match the links forward");
    if (c->order_count < c->record_count)
        pmm_repair(io, c->record_count - c->order_count, "records that no chain reaches");
    uint32_t total = c->list_count + c->order_count;
    uint8_t *keys = pmm_room(io, NULL, &total, kind->key_size);
    for (uint32_t i = 0, from = 0; i < c->list_count && pmm_ok(io); i++) {
        lists[i].keys = keys;
        fill_list(io, kind, c, i, from, &lists[i]);
        from += lists[i].count - 1;
        keys += lists[i].count * kind->key_size;
    }
}

static void keys_read(pmm_io *io, const pmm_key_kind *kind, pmm_list *lists, uint32_t list_count)
{
    chains c = {.list_count = list_count,
                .first_size = FIRST_HEAD + kind->payload_size,
                .record_size = RECORD_HEAD + kind->payload_size};
    c.first = mmd_read_bytes(&io->cursor, list_count * c.first_size);
    c.record_count = mmd_cursor_count(&io->cursor, c.record_size);
    c.records = mmd_read_bytes(&io->cursor, c.record_count * c.record_size);
    if (pmm_ok(io) && chains_init(io, &c))
        read_lists(io, kind, &c, lists);
}

/* ---- writing keys ---- */

/* A record to write: which key of which list. */
typedef struct pending {
    uint32_t list, key;
} pending;

typedef struct numbering {
    uint32_t count;
    pending *keys;     /* all keys except the first ones, list by list */
    uint64_t *order;   /* number of the record read << 32 | index in keys, ascending */
    uint64_t *spare;   /* scratch for sorting */
    uint32_t *numbers; /* by index in keys */
} numbering;

/* Tests whether all numbers that were read can be kept: no duplicates, and none that belongs to a list.
 * *highest receives the highest number, or that of the last list. */
static bool numbers_hold(numbering *n, uint32_t list_count, uint32_t *highest)
{
    uint32_t kept = 0;
    *highest = list_count ? list_count - 1 : 0;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->numbers[i] != UINT32_MAX)
            n->order[kept++] = n->numbers[i];
    vmd_sort(n->order, n->spare, kept);
    for (uint32_t i = 0; i < kept; i++)
        if (n->order[i] < list_count || n->order[i] == 0 || (i > 0 && n->order[i] == n->order[i - 1]))
            return false;
    if (kept)
        *highest = (uint32_t)n->order[kept - 1];
    return *highest <= INT32_MAX && n->count - kept <= INT32_MAX - *highest;
}

/* Assigns every key a number: its own, or the next free one. */
static void number_keys(numbering *n, uint32_t list_count)
{
    uint32_t highest;
    bool keep = numbers_hold(n, list_count, &highest);
    if (!keep)
        highest = list_count ? list_count - 1 : 0;
    for (uint32_t i = 0; i < n->count; i++)
        if (!keep || n->numbers[i] == UINT32_MAX)
            n->numbers[i] = ++highest;
}

static bool numbering_init(pmm_io *io, const pmm_key_kind *kind, const pmm_list *lists, uint32_t list_count,
                           numbering *n)
{
    for (uint32_t i = 0; i < list_count; i++)
        n->count += lists[i].count - 1;
    n->keys = pmm_scratch(io, n->count, sizeof *n->keys);
    n->order = pmm_scratch(io, n->count, sizeof *n->order);
    n->spare = pmm_scratch(io, n->count, sizeof *n->spare);
    n->numbers = pmm_scratch(io, n->count, sizeof *n->numbers);
    if (!pmm_ok(io))
        return false;
    for (uint32_t i = 0, at = 0; i < list_count; i++)
        for (uint32_t k = 1; k < lists[i].count; k++, at++) {
            n->keys[at] = (pending){i, k};
            n->numbers[at] = (uint32_t)key_at(kind, &lists[i], k)->number;
        }
    number_keys(n, list_count);
    for (uint32_t i = 0; i < n->count; i++)
        n->order[i] = vmd_pack(key_at(kind, &lists[n->keys[i].list], n->keys[i].key)->record, i);
    vmd_sort(n->order, n->spare, n->count);
    return true;
}

static void write_key(pmm_io *io, const pmm_key_kind *kind, mmd_project_key *key, uint32_t previous,
                      uint32_t next)
{
    assert(key->frame <= INT32_MAX);
    mmd_write_u32(io->out, key->frame);
    mmd_write_u32(io->out, previous);
    mmd_write_u32(io->out, next);
    kind->payload(io, key);
}

static void write_record(pmm_io *io, const pmm_key_kind *kind, const pmm_list *lists, const numbering *n,
                         uint32_t index)
{
    /* Neighbours in a list are neighbours in n. */
    pending p = n->keys[index];
    const pmm_list *list = &lists[p.list];
    mmd_write_u32(io->out, n->numbers[index]);
    write_key(io, kind, key_at(kind, list, p.key), p.key > 1 ? n->numbers[index - 1] : p.list,
              p.key + 1 < list->count ? n->numbers[index + 1] : 0);
}

static void keys_write(pmm_io *io, const pmm_key_kind *kind, const pmm_list *lists, uint32_t list_count)
{
    numbering n = {0};
    if (!numbering_init(io, kind, lists, list_count, &n))
        return;
    for (uint32_t i = 0, index = 0; i < list_count; i++) {
        assert(lists[i].count > 0);
        mmd_project_key *first = key_at(kind, &lists[i], 0);
        uint32_t previous = first->record == MMD_NO_RECORD && first->number > 0 ? (uint32_t)first->number : 0;
        write_key(io, kind, first, previous, lists[i].count > 1 ? n.numbers[index] : 0);
        index += lists[i].count - 1;
    }
    pmm_count(io, &n.count, 1);
    for (uint32_t i = 0; i < n.count; i++)
        write_record(io, kind, lists, &n, (uint32_t)n.order[i]);
}

void pmm_keys(pmm_io *io, const pmm_key_kind *kind, pmm_list *lists, uint32_t list_count)
{
    assert(io && kind);
    pmm_section(io, kind->section, -1);
    if (io->out)
        keys_write(io, kind, lists, list_count);
    else
        keys_read(io, kind, lists, list_count);
}
