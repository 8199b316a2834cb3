/*
 * Reads the record that a target keeps of its source (keep.c) and finds which body and joint of the target
 * represents which of the source: by the item's number; if its stamp differs, by the stamp, because programs
 * renumber items that they do not change; and by name.
 *
 * A record that is broken, or does not belong to the file any more, is a loss and not an error; the file is
 * then read by itself.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "keep.h"
#include "mmd/format.h"
#include "mmd/memory.h"

/* ----------------------------------------------------------------- names */

bool keep_names_init(keep_names *names, uint32_t count)
{
    assert(names);
    *names = (keep_names){.count = count, .list = mmd_alloc((count + (size_t)1) * sizeof *names->list)};
    return names->list != NULL;
}

/* Compares by name, then by item. */
static int compare_names(const void *left, const void *right)
{
    const keep_name_entry *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->item > b->item) - (a->item < b->item);
}

void keep_names_sort(keep_names *names)
{
    assert(names);
    qsort(names->list, names->count, sizeof *names->list, compare_names);
    for (uint32_t i = 0; i < names->count; i++)
        names->list[i].next = i;
}

int32_t keep_names_find(const keep_names *names, const char *name, const bool *taken)
{
    assert(names && name && taken);
    uint32_t low = 0, high = names->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(names->list[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == names->count)
        return -1;
    uint32_t at = names->list[low].next;
    while (at < names->count && strcmp(names->list[at].name, name) == 0 && taken[names->list[at].item])
        at++;
    names->list[low].next = at;
    bool found = at < names->count && strcmp(names->list[at].name, name) == 0;
    return found ? (int32_t)names->list[at].item : -1;
}

void keep_names_finish(keep_names *names)
{
    assert(names);
    mmd_free(names->list);
    *names = (keep_names){0};
}

/* ------------------------------------------------------------------ maps */

/* A number (node, id, stamp) and the item that has it; sorted by number. */
typedef struct keep_key {
    uint64_t key;
    uint32_t item;
} keep_key;

/* Index of one kind of a target's items, to search for those of the source. */
typedef struct item_index {
    uint32_t count;
    keep_key *names, *stamps; /* sorted; names: by node or id; NULL: items are identified by index */
    uint64_t *stamp_of;       /* per item */
    bool *taken;
    keep_names by_item_name; /* by name */
    const char *(*name_of)(const mmd_physscene *scene, uint32_t item);
    const mmd_physscene *scene;
} item_index;

static int compare_keys(const void *left, const void *right)
{
    const keep_key *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->item < b->item ? -1 : a->item > b->item;
}

/* Returns the first position whose key is not less than `key`. */
static uint32_t lower_bound(const keep_key *keys, uint32_t count, uint64_t key)
{
    uint32_t low = 0;
    while (count > 0) {
        uint32_t half = count / 2;
        if (keys[low + half].key < key) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

static const char *body_name(const mmd_physscene *scene, uint32_t item)
{
    return scene->bodies[item].name;
}

static const char *joint_name(const mmd_physscene *scene, uint32_t item)
{
    return scene->joints[item].name;
}

static void item_index_finish(item_index *lookup)
{
    mmd_free(lookup->names);
    mmd_free(lookup->stamps);
    mmd_free(lookup->stamp_of);
    mmd_free(lookup->taken);
    keep_names_finish(&lookup->by_item_name);
    *lookup = (item_index){0};
}

/* Returns the number that identifies an item: node or entity id. */
static uint64_t name_key(const mmd_exchange_item *item)
{
    return item->node >= 0   ? (uint64_t)item->node
           : item->entity[0] ? strtoull(item->entity, NULL, 10)
                             : UINT64_MAX;
}

/* Builds the index. items NULL: items are identified by index. Returns false when out of memory. */
static bool item_index_init(item_index *lookup, const mmd_physscene *scene, const mmd_exchange_item *items,
                            bool joints)
{
    uint32_t count = joints ? scene->joint_count : scene->body_count;
    *lookup = (item_index){.count = count, .scene = scene, .name_of = joints ? joint_name : body_name};
    size_t room = count + (size_t)1;
    lookup->names = items ? mmd_alloc(room * sizeof *lookup->names) : NULL;
    lookup->stamps = mmd_alloc(room * sizeof *lookup->stamps);
    lookup->stamp_of = mmd_alloc(room * sizeof *lookup->stamp_of);
    lookup->taken = mmd_alloc(room);
    if ((items && !lookup->names) || !lookup->stamps || !lookup->stamp_of || !lookup->taken ||
        !keep_names_init(&lookup->by_item_name, count)) {
        item_index_finish(lookup);
        return false;
    }
    memset(lookup->taken, 0, room);
    for (uint32_t i = 0; i < count; i++) {
        lookup->stamp_of[i] = joints ? stamp_joint(scene, i) : stamp_body(scene, i);
        lookup->stamps[i] = (keep_key){lookup->stamp_of[i], i};
        lookup->by_item_name.list[i] = (keep_name_entry){.name = lookup->name_of(scene, i), .item = i};
        if (items)
            lookup->names[i] = (keep_key){name_key(&items[i]), i};
    }
    qsort(lookup->stamps, count, sizeof *lookup->stamps, compare_keys);
    keep_names_sort(&lookup->by_item_name);
    if (items)
        qsort(lookup->names, count, sizeof *lookup->names, compare_keys);
    return true;
}

/* Returns the item with a number; -1: none. */
static int32_t numbered_item(const item_index *lookup, uint64_t number)
{
    if (!lookup->names)
        return number < lookup->count ? (int32_t)number : -1;
    uint32_t at = lower_bound(lookup->names, lookup->count, number);
    return at < lookup->count && lookup->names[at].key == number ? (int32_t)lookup->names[at].item : -1;
}

bool keep_find_items(const mmd_exchange_item *items, uint32_t count, const int32_t *wanted,
                     uint32_t wanted_count, int32_t *found)
{
    assert(items || count == 0);
    assert(wanted || wanted_count == 0);
    keep_key *keys = mmd_alloc((count + (size_t)1) * sizeof *keys);
    if (!keys)
        return false;
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (keep_key){name_key(&items[i]), i};
    qsort(keys, count, sizeof *keys, compare_keys);
    item_index lookup = {.count = count, .names = keys};
    for (uint32_t i = 0; i < wanted_count; i++)
        found[i] = wanted[i] == -1 ? -1 : numbered_item(&lookup, (uint32_t)wanted[i]);
    mmd_free(keys);
    return true;
}

/* Returns an item with a stamp that is not taken yet; -1: none. */
static int32_t stamped_item(const item_index *lookup, uint64_t stamp)
{
    for (uint32_t i = lower_bound(lookup->stamps, lookup->count, stamp);
         i < lookup->count && lookup->stamps[i].key == stamp; i++)
        if (!lookup->taken[lookup->stamps[i].item])
            return (int32_t)lookup->stamps[i].item;
    return -1;
}

/* An entry of the record. */
typedef struct keep_entry {
    bool present; /* the target had the item */
    uint64_t number, stamp;
    const char *name;
} keep_entry;

/* Reads an entry. Returns false when the record is broken. */
static bool read_entry(const json_t *list, uint32_t i, keep_entry *entry)
{
    const json_t *json = json_array_get(list, i), *number = json_array_get(json, 0);
    *entry = (keep_entry){.present = !json_is_null(json), .name = json_string_value(json_array_get(json, 2))};
    if (!entry->present)
        return true;
    if (!json_is_integer(number) || json_integer_value(number) < 0 || !entry->name)
        return false;
    entry->number = (uint64_t)json_integer_value(number);
    return stamp_value(json_array_get(json, 1), &entry->stamp);
}

/* Assigns an item and marks it as taken. */
static void assign_item(item_index *lookup, int32_t item, int32_t *to)
{
    *to = item;
    if (item >= 0)
        lookup->taken[item] = true;
}

/*
 * Rounds of matching: same number and stamp (unchanged); same stamp (renumbered); same number and name
 * (edited); same name (renumbered and edited); same number (renamed and edited).
 */
enum { MATCH_NUMBER_AND_STAMP, MATCH_STAMP, MATCH_NUMBER_AND_NAME, MATCH_NAME, MATCH_NUMBER, MATCH_ROUNDS };

/* Returns the item that matches an entry in a round; -1: none. */
static int32_t find_item(const item_index *lookup, const keep_entry *entry, int round)
{
    if (round == MATCH_STAMP)
        return stamped_item(lookup, entry->stamp);
    if (round == MATCH_NAME)
        return keep_names_find(&lookup->by_item_name, entry->name, lookup->taken);
    int32_t item = numbered_item(lookup, entry->number);
    if (item < 0 || lookup->taken[item])
        return -1;
    bool same = round == MATCH_NUMBER_AND_STAMP
                    ? lookup->stamp_of[item] == entry->stamp
                    : strcmp(lookup->name_of(lookup->scene, (uint32_t)item), entry->name) == 0;
    return same || round == MATCH_NUMBER ? item : -1;
}

/* Assigns items to the entries of a list, in several rounds. Returns false when the record is broken. */
static bool match_rounds(item_index *lookup, const json_t *list, uint32_t count, int rounds, int32_t *items,
                         uint64_t *stamps)
{
    for (int round = 0; round < rounds; round++)
        for (uint32_t i = 0; i < count; i++) {
            keep_entry entry;
            if (!read_entry(list, i, &entry))
                return false;
            stamps[i] = entry.stamp;
            if (entry.present && items[i] < 0)
                assign_item(lookup, find_item(lookup, &entry, round), &items[i]);
        }
    return true;
}

/* The maps of a record for one kind of items. */
typedef struct keep_map {
    const json_t *list, *added;
    uint32_t count, added_count;
    int32_t *items, *added_indices;
    uint64_t *stamps, *added_stamps;
    bool added_edited;
} keep_map;

static bool allocate_map(keep_map *map, mmd_arena *arena)
{
    map->count = (uint32_t)json_array_size(map->list);
    map->added_count = (uint32_t)json_array_size(map->added);
    map->items = mmd_arena_alloc(arena, map->count, sizeof *map->items);
    map->stamps = mmd_arena_alloc(arena, map->count, sizeof *map->stamps);
    map->added_indices = mmd_arena_alloc(arena, map->added_count, sizeof *map->added_indices);
    map->added_stamps = mmd_arena_alloc(arena, map->added_count, sizeof *map->added_stamps);
    for (uint32_t i = 0; map->items && i < map->count; i++)
        map->items[i] = -1;
    for (uint32_t i = 0; map->added_indices && i < map->added_count; i++)
        map->added_indices[i] = -1;
    return map->items && map->stamps && map->added_indices && map->added_stamps;
}

/* Matches all entries: weak matches by name and number come last, after the items that the writer added. */
static mmd_status match_items(const mmd_physscene *scene, const mmd_exchange_item *items, bool joints,
                              keep_map *map, mmd_arena *arena)
{
    item_index lookup;
    if (!json_is_array(map->list))
        return MMD_ERROR_VALUE;
    if (!allocate_map(map, arena) || !item_index_init(&lookup, scene, items, joints))
        return MMD_ERROR_MEMORY;
    bool done = match_rounds(&lookup, map->list, map->count, MATCH_NAME, map->items, map->stamps) &&
                match_rounds(&lookup, map->added, map->added_count, MATCH_ROUNDS - 1, map->added_indices,
                             map->added_stamps) &&
                match_rounds(&lookup, map->list, map->count, MATCH_ROUNDS, map->items, map->stamps);
    for (uint32_t i = 0; i < map->added_count; i++)
        map->added_edited =
            map->added_edited ||
            (map->added_indices[i] >= 0 && lookup.stamp_of[map->added_indices[i]] != map->added_stamps[i]);
    item_index_finish(&lookup);
    return done ? MMD_OK : MMD_ERROR_VALUE;
}

/* ---------------------------------------------------------------- source */

/* Returns the format of the source. */
static mmd_exchange_format format_of(const json_t *record)
{
    const char *name = json_string_value(json_object_get(record, "format"));
    if (!name)
        return MMD_EXCHANGE_UNKNOWN;
    return strcmp(name, "pmx") == 0       ? MMD_EXCHANGE_PMX
           : strcmp(name, "gltf") == 0    ? MMD_EXCHANGE_GLTF
           : strcmp(name, "ragdoll") == 0 ? MMD_EXCHANGE_RAGDOLL
                                          : MMD_EXCHANGE_UNKNOWN;
}

/* Reads a non-negative integer; an absent one is 0. */
static bool read_unsigned(const json_t *json, uint64_t *value)
{
    *value = json_is_integer(json) && json_integer_value(json) >= 0 ? (uint64_t)json_integer_value(json) : 0;
    return !json || (json_is_integer(json) && json_integer_value(json) >= 0);
}

/* Copies a PMX that is in a buffer view (older files). */
static bool copy_view(mmd_exchange_kept *kept, const json_t *index)
{
    uint64_t number, buffer, at, size;
    if (!json_is_integer(index) || !read_unsigned(index, &number))
        return false;
    const json_t *view = json_array_get(json_object_get(kept->root, "bufferViews"), (size_t)number);
    if (!view || !read_unsigned(json_object_get(view, "buffer"), &buffer) ||
        !read_unsigned(json_object_get(view, "byteOffset"), &at) ||
        !read_unsigned(json_object_get(view, "byteLength"), &size) || buffer >= kept->buffer_count)
        return false;
    const mmd_buffer *bytes = &kept->buffers[buffer];
    if (at > bytes->size || size > bytes->size - at)
        return false;
    mmd_write_bytes(&kept->pmx, bytes->data + at, (size_t)size);
    return !kept->pmx.failed;
}

/* Reads a PMX source. */
static bool read_pmx(mmd_exchange_kept *kept, const json_t *source)
{
    const json_t *view = json_object_get(source, "bufferView");
    if (view)
        return copy_view(kept, view);
    const char *text = json_string_value(source);
    return text && json_base64_decode(text, json_string_length(source), &kept->pmx, NULL) == MMD_OK;
}

/* Reads the source and the stamps of the model and the world. */
static bool read_source(mmd_exchange_kept *kept, json_t *record)
{
    json_t *source = json_object_get(record, "source");
    kept->format = format_of(record);
    kept->record = json_incref(record);
    stamp_value(json_object_get(record, "mesh"), &kept->mesh_stamp);
    stamp_value(json_object_get(record, "world"), &kept->world_stamp);
    stamp_value(json_object_get(record, "morphs"), &kept->morph_stamp);
    if (kept->format == MMD_EXCHANGE_PMX)
        return read_pmx(kept, source) && mmd_file_detect(kept->pmx.data, kept->pmx.size) == MMD_FILE_PMX;
    if (kept->format == MMD_EXCHANGE_UNKNOWN || !json_is_object(source))
        return false;
    kept->source = json_incref(source);
    return true;
}

void keep_clear(mmd_exchange_kept *kept)
{
    assert(kept);
    json_decref(kept->source);
    json_decref(kept->record);
    mmd_buffer_finish(&kept->pmx);
    kept->source = kept->record = NULL;
    kept->format = MMD_EXCHANGE_UNKNOWN;
    kept->body_count = kept->joint_count = kept->added_body_count = kept->added_joint_count = 0;
    kept->bodies = kept->joints = kept->added_bodies = kept->added_joints = NULL;
    kept->body_stamps = kept->joint_stamps = kept->added_body_stamps = kept->added_joint_stamps = NULL;
    kept->added_edited = false;
    kept->mesh_stamp = kept->world_stamp = kept->morph_stamp = 0;
}

/* Reads a record; on failure nothing is kept. */
static mmd_status read_record(mmd_exchange_kept *kept, json_t *record, const mmd_physscene *scene,
                              const mmd_exchange_item *bodies, const mmd_exchange_item *joints,
                              mmd_arena *arena)
{
    const json_t *added = json_object_get(record, "made");
    keep_map body = {.list = json_object_get(record, "bodies"), .added = json_object_get(added, "bodies")};
    keep_map joint = {.list = json_object_get(record, "joints"), .added = json_object_get(added, "joints")};
    mmd_status status = read_source(kept, record) ? MMD_OK : MMD_ERROR_VALUE;
    if (status == MMD_OK)
        status = match_items(scene, bodies, false, &body, arena);
    if (status == MMD_OK)
        status = match_items(scene, joints, true, &joint, arena);
    if (status != MMD_OK) {
        keep_clear(kept);
        return status;
    }
    kept->body_count = body.count;
    kept->bodies = body.items;
    kept->body_stamps = body.stamps;
    kept->added_body_count = body.added_count;
    kept->added_bodies = body.added_indices;
    kept->added_body_stamps = body.added_stamps;
    kept->joint_count = joint.count;
    kept->joints = joint.items;
    kept->joint_stamps = joint.stamps;
    kept->added_joint_count = joint.added_count;
    kept->added_joints = joint.added_indices;
    kept->added_joint_stamps = joint.added_stamps;
    kept->added_edited = body.added_edited || joint.added_edited;
    return MMD_OK;
}

/* --------------------------------------------------------------- readers */

/* Returns the record of a Ragdoll dump. */
static json_t *solver_record(const json_t *root)
{
    const char *key;
    json_t *entity;
    json_object_foreach(json_object_get(root, "entities"), key, entity)
    {
        const json_t *components = json_object_get(entity, "components");
        if (json_object_get(components, "SolverComponent"))
            return json_object_get(json_object_get(components, "MMDComponent"), "members");
    }
    return NULL;
}

static json_t *find_record(const mmd_exchange *document)
{
    const json_t *root = document->kept->root;
    json_t *record = document->format == MMD_EXCHANGE_GLTF
                         ? json_object_get(json_object_get(root, "extras"), "mmd")
                         : solver_record(root);
    return json_object_get(record, "source") ? record : NULL;
}

/* Returns whether a glTF's materials show that it was made from a PMX. */
static bool names_pmx_source(const mmd_exchange *document)
{
    const json_t *material;
    size_t i;
    json_array_foreach(json_object_get(document->kept->root, "materials"), i, material)
    {
        if (json_is_object(json_object_get(json_object_get(material, "extras"), "mmd")))
            return document->format == MMD_EXCHANGE_GLTF;
    }
    return false;
}

mmd_status keep_read(mmd_exchange *document)
{
    assert(document);
    mmd_exchange_kept *kept = document->kept;
    json_t *record = kept->level < KEPT_LEVELS ? find_record(document) : NULL;
    if (!record && kept->level < KEPT_LEVELS && names_pmx_source(document)) {
        kept->lost = true;
        losses_add(&document->losses, MMD_LOSS_DROPPED, false, document->format, "record.unusable",
                   "extras.mmd", "source", "missing: another program removed it", "");
    }
    if (!record)
        return MMD_OK;
    static const mmd_exchange_item none;
    mmd_status status =
        read_record(kept, record, document->physscene, document->bodies ? document->bodies : &none,
                    document->joints ? document->joints : &none, &document->arena);
    if (status == MMD_ERROR_VALUE) {
        kept->lost = true;
        losses_add(&document->losses, MMD_LOSS_DROPPED, false, document->format, "record.unusable",
                   document->format == MMD_EXCHANGE_GLTF ? "extras.mmd" : "MMDComponent", "source", "", "");
    }
    return status == MMD_ERROR_VALUE ? MMD_OK : status;
}

mmd_status keep_read_sidecar(const mmd_exchange_input *input, const mmd_physscene *scene, mmd_arena *arena,
                             mmd_exchange_kept **result, mmd_error *error)
{
    assert(input && arena && result);
    *result = NULL;
    mmd_exchange_kept *kept = mmd_arena_alloc(arena, 1, sizeof *kept);
    json_t *record = input->sidecar && kept ? json_loadb(input->sidecar, input->sidecar_size, 0, NULL) : NULL;
    mmd_status status = kept ? MMD_OK : MMD_ERROR_MEMORY;
    if (json_is_object(record)) {
        status = read_record(kept, record, scene, NULL, NULL, arena);
        if (status == MMD_OK)
            *result = kept;
    }
    json_decref(record);
    if (status == MMD_ERROR_MEMORY)
        return mmd_error_set(error, status, "sidecar", MMD_NO_OFFSET, "no memory for the sidecar");
    return MMD_OK;
}

/* --------------------------------------------------------------- reopened */

/* Sets uri to a data: URI of base64 text, if there is any. */
static bool set_data_uri(json_t *object, const char *mime, const json_t *text)
{
    if (!json_is_string(text) || !json_is_object(object))
        return true;
    return json_object_set_new(object, "uri",
                               json_sprintf("data:%s;base64,%s", mime, json_string_value(text))) == 0;
}

/* Replaces a list of the root by a copy and returns it; NULL: there is none. */
static json_t *copy_list(json_t *root, const char *key)
{
    json_t *list = json_deep_copy(json_object_get(root, key));
    return list && json_object_set_new(root, key, list) == 0 ? list : NULL;
}

/* Returns the source with its buffers as data: URIs. */
static json_t *embed_buffers(const mmd_exchange_kept *kept)
{
    json_t *copy = json_copy(kept->source);
    const json_t *bytes = json_object_get(kept->record, "buffers");
    if (!copy || !json_array_size(bytes))
        return copy;
    json_t *buffers = copy_list(copy, "buffers");
    bool done = true;
    for (size_t i = 0; done && i < json_array_size(buffers); i++)
        done = set_data_uri(json_array_get(buffers, i), "application/octet-stream", json_array_get(bytes, i));
    if (done)
        return copy;
    json_decref(copy);
    return NULL;
}

json_t *keep_self_contained(const mmd_exchange_kept *kept)
{
    assert(kept);
    json_t *copy = embed_buffers(kept), *image;
    const json_t *files = json_object_get(kept->record, "files");
    size_t i;
    if (!copy || !json_object_size(files))
        return copy;
    json_array_foreach(copy_list(copy, "images"), i, image)
    {
        char path[MMD_PATH_MAX];
        const char *name = keep_picture_name(image, path);
        const char *mime = json_string_value(json_object_get(image, "mimeType"));
        if (name && !set_data_uri(image, mime ? mime : "image/png", json_object_get(files, name))) {
            json_decref(copy);
            return NULL;
        }
    }
    return copy;
}

/* Returns a copy of the root without extras.mmd. */
static json_t *strip_gltf(json_t *root)
{
    json_t *copy = json_copy(root), *extras = json_copy(json_object_get(root, "extras"));
    if (!copy || !json_is_object(extras) || !json_object_get(extras, "mmd")) {
        json_decref(extras);
        return copy;
    }
    json_object_del(extras, "mmd");
    bool some = json_object_size(extras) > 0;
    int failed = some ? json_object_set(copy, "extras", extras) : json_object_del(copy, "extras");
    json_decref(extras);
    if (!failed)
        return copy;
    json_decref(copy);
    return NULL;
}

json_t *keep_strip(const mmd_exchange *document)
{
    assert(document);
    if (document->format == MMD_EXCHANGE_GLTF)
        return strip_gltf(document->kept->root);
    json_t *copy = json_deep_copy(document->kept->root), *entity;
    const char *key;
    json_object_foreach(json_object_get(copy, "entities"), key, entity)
    {
        json_t *components = json_object_get(entity, "components");
        if (json_object_get(components, "SolverComponent"))
            json_object_del(components, "MMDComponent");
    }
    return copy;
}

/* Opens the kept pictures as a source of files. */
static bool open_files(const mmd_exchange_kept *kept, kept_document *opened)
{
    json_t *files = json_object_get(kept->record, "files"), *value;
    size_t room = json_object_size(files) + 1;
    const char *name;
    opened->list = mmd_alloc(room * sizeof *opened->list);
    opened->bytes = mmd_alloc(room * sizeof *opened->bytes);
    if (!opened->list || !opened->bytes)
        return false;
    json_object_foreach(files, name, value)
    {
        mmd_buffer *bytes = &opened->bytes[opened->file_count];
        const char *text = json_string_value(value);
        *bytes = (mmd_buffer){0};
        if (text && json_base64_decode(text, json_string_length(value), bytes, NULL) == MMD_OK)
            opened->list[opened->file_count++] = (mmd_memory_file){name, bytes->data, bytes->size};
        else
            mmd_buffer_finish(bytes);
    }
    opened->files = mmd_source_memory(opened->list, opened->file_count);
    return opened->files != NULL;
}

mmd_status keep_open(const mmd_exchange_kept *kept, kept_document *opened, mmd_error *error)
{
    assert(kept && opened);
    *opened = (kept_document){0};
    if (!kept->source)
        return mmd_error_set(error, MMD_ERROR_VALUE, "source", MMD_NO_OFFSET, "no document is kept");
    mmd_buffer text = {0};
    json_t *source = embed_buffers(kept);
    mmd_status status = source ? json_append(source, false, &text, error) : MMD_ERROR_MEMORY;
    json_decref(source);
    if (status == MMD_OK && !open_files(kept, opened))
        status = mmd_error_set(error, MMD_ERROR_MEMORY, "source", MMD_NO_OFFSET, "no memory for its files");
    if (status == MMD_OK)
        status = exchange_read_level(text.data, text.size, opened->files, "", kept->level + 1,
                                     &opened->document, error);
    mmd_buffer_finish(&text);
    if (status == MMD_OK && opened->document->format != kept->format)
        status =
            mmd_error_set(error, MMD_ERROR_VALUE, "source", 0, "not in the format that the record names");
    if (status != MMD_OK) {
        keep_close(opened);
        return status;
    }
    json_decref(opened->document->kept->root); /* the original JSON, with the names of its buffers */
    opened->document->kept->root = json_incref(kept->source);
    return MMD_OK;
}

void keep_close(kept_document *opened)
{
    assert(opened);
    mmd_exchange_destroy(opened->document);
    mmd_source_destroy(opened->files);
    for (uint32_t i = 0; i < opened->file_count; i++)
        mmd_buffer_finish(&opened->bytes[i]);
    mmd_free(opened->list);
    mmd_free(opened->bytes);
    *opened = (kept_document){0};
}

/* ----------------------------------------------------------------- stamps */

bool keep_body_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene, uint32_t body)
{
    assert(kept && scene);
    assert(body < kept->body_count);
    int32_t at = kept->bodies[body];
    return at >= 0 && (uint32_t)at < scene->body_count &&
           stamp_body(scene, (uint32_t)at) == kept->body_stamps[body];
}

bool keep_joint_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene, uint32_t joint)
{
    assert(kept && scene);
    assert(joint < kept->joint_count);
    int32_t at = kept->joints[joint];
    return at >= 0 && (uint32_t)at < scene->joint_count &&
           stamp_joint(scene, (uint32_t)at) == kept->joint_stamps[joint];
}

/* Returns how many items of a list exist. */
static uint32_t count_present(const int32_t *items, uint32_t count)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < count; i++)
        there += items[i] >= 0;
    return there;
}

/*
 * Returns whether all items are unchanged and nothing was added or deleted. Items that the target never had
 * count as unchanged.
 */
static bool all_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene)
{
    uint32_t bodies = count_present(kept->added_bodies, kept->added_body_count);
    uint32_t joints = count_present(kept->added_joints, kept->added_joint_count);
    for (uint32_t i = 0; i < kept->body_count; i++) {
        bool never_written = kept->bodies[i] < 0 && kept->body_stamps[i] == 0;
        if (!never_written && !keep_body_unchanged(kept, scene, i))
            return false;
        bodies += !never_written;
    }
    for (uint32_t i = 0; i < kept->joint_count; i++) {
        bool never_written = kept->joints[i] < 0 && kept->joint_stamps[i] == 0;
        if (!never_written && !keep_joint_unchanged(kept, scene, i))
            return false;
        joints += !never_written;
    }
    return bodies == scene->body_count && joints == scene->joint_count;
}

bool keep_physics_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene)
{
    assert(kept && scene);
    return !kept->added_edited && stamp_world(scene) == kept->world_stamp && all_unchanged(kept, scene);
}
