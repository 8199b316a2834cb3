/*
 * Writes the record that a target keeps of its source: the whole source, and for each of its bodies and
 * joints the item of the target that represents it, with its stamp (keep.h).
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gltf/reader.h"
#include "keep.h"
#include "mmd/memory.h"

static const char *const format_names[] = {
    [MMD_EXCHANGE_UNKNOWN] = "",
    [MMD_EXCHANGE_GLTF] = "gltf",
    [MMD_EXCHANGE_RAGDOLL] = "ragdoll",
    [MMD_EXCHANGE_PMX] = "pmx",
};

/* ----------------------------------------------------------------- items */

static json_t *item_stamp(uint64_t stamp)
{
    char text[17];
    stamp_text(stamp, text);
    return json_string(text);
}

/* Appends the entry of an item. stamps is NULL in the first pass, whose record is not used. */
static bool add_item(json_t *list, const int32_t *items, const uint64_t *stamps, uint32_t i, const char *name)
{
    if (!items || items[i] == -1 || (stamps && !stamps[i])) /* stamp 0: not found when read back */
        return json_array_append_new(list, json_null()) == 0;
    json_t *entry =
        json_pack("[I, o, s]", (json_int_t)(uint32_t)items[i], item_stamp(stamps ? stamps[i] : 0), name);
    return json_array_append_new(list, entry) == 0;
}

/* Returns the entries of all bodies. */
static json_t *body_list(const write_job *job)
{
    json_t *list = json_array();
    bool done = list != NULL;
    for (uint32_t i = 0; done && i < job->scene->body_count; i++)
        done = add_item(list, job->body_items, job->body_stamps, i,
                        job->body_names ? job->body_names[i] : job->scene->bodies[i].name);
    if (!done)
        json_decref(list);
    return done ? list : NULL;
}

/* Returns the entries of all joints. */
static json_t *joint_list(const write_job *job)
{
    json_t *list = json_array();
    bool done = list != NULL;
    for (uint32_t i = 0; done && i < job->scene->joint_count; i++)
        done = add_item(list, job->joint_items, job->joint_stamps, i,
                        job->joint_names ? job->joint_names[i] : job->scene->joints[i].name);
    if (!done)
        json_decref(list);
    return done ? list : NULL;
}

/* ------------------------------------------------------------ added items */

/* Returns the number that identifies an item in its file: node, entity id or index. */
static json_int_t item_number(const mmd_exchange_item *items, uint32_t i)
{
    if (!items)
        return i;
    return items[i].node >= 0 ? items[i].node : (json_int_t)strtoull(items[i].entity, NULL, 10);
}

/* Returns flags of the items that are in a list. */
static bool *mark_taken(const int32_t *items, uint32_t count, uint32_t all)
{
    bool *taken = mmd_alloc((all + (size_t)1) * sizeof *taken);
    if (taken)
        memset(taken, 0, all * sizeof *taken);
    for (uint32_t i = 0; taken && i < count; i++)
        if (items[i] >= 0)
            taken[items[i]] = true;
    return taken;
}

/* Returns the entries of items that belong to no item of the source. */
static json_t *added_list(const keep_target *target, bool joints, const int32_t *items, uint32_t count)
{
    const mmd_physscene *scene = target->scene;
    uint32_t all = joints ? scene->joint_count : scene->body_count;
    bool *taken = mark_taken(items, count, all), done = taken != NULL;
    json_t *list = json_array();
    for (uint32_t i = 0; done && i < all; i++) {
        if (taken[i])
            continue;
        json_t *entry =
            json_pack("[I, o, s]", item_number(joints ? target->joint_items : target->body_items, i),
                      item_stamp(joints ? stamp_joint(scene, i) : stamp_body(scene, i)),
                      joints ? scene->joints[i].name : scene->bodies[i].name);
        done = json_array_append_new(list, entry) == 0;
    }
    mmd_free(taken);
    if (!done)
        json_decref(list);
    return done ? list : NULL;
}

json_t *keep_added_items(const keep_target *target, const int32_t *bodies, uint32_t body_count,
                         const int32_t *joints, uint32_t joint_count)
{
    assert(target);
    assert(bodies || body_count == 0);
    assert(joints || joint_count == 0);
    return json_pack("{s:o, s:o}", "bodies", added_list(target, false, bodies, body_count), "joints",
                     added_list(target, true, joints, joint_count));
}

/* ------------------------------------------------------- a glTF's buffers */

json_t *keep_base64(const void *data, size_t size)
{
    assert(data || size == 0);
    mmd_buffer text = {0};
    json_base64_encode(data, size, &text);
    json_t *json = text.failed ? NULL : json_stringn(size ? (const char *)text.data : "", text.size);
    mmd_buffer_finish(&text);
    return json;
}

/* Returns whether a buffer or picture is a data: URI. */
static bool has_data_uri(const json_t *entry)
{
    const char *uri = json_string_value(json_object_get(entry, "uri"));
    return uri && strncmp(uri, "data:", 5) == 0;
}

/* Returns the buffers as base64; null for those that the document contains. */
static json_t *buffer_list(const mmd_exchange *document)
{
    const json_t *buffers = json_object_get(document->kept->root, "buffers");
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < document->kept->buffer_count; i++) {
        const mmd_buffer *bytes = &document->kept->buffers[i];
        json_t *entry =
            has_data_uri(json_array_get(buffers, i)) ? json_null() : keep_base64(bytes->data, bytes->size);
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

const char *keep_picture_name(const json_t *image, char path[MMD_PATH_MAX])
{
    const char *uri = json_string_value(json_object_get(image, "uri"));
    if (!uri || has_data_uri(image) || json_object_get(image, "bufferView") || !gltf_file_name(uri, path))
        return NULL;
    return path_in_source(path);
}

/* Returns the external pictures that can be decoded, as base64. */
static json_t *picture_list(const mmd_exchange *document)
{
    json_t *files = json_object(), *image;
    size_t i;
    json_array_foreach(json_object_get(document->kept->root, "images"), i, image)
    {
        char path[MMD_PATH_MAX];
        mmd_bytes bytes = {0};
        const char *name = keep_picture_name(image, path);
        if (!name || !document->textures || json_object_get(files, name) ||
            !read_whole_picture(document->textures, name, &bytes))
            continue;
        int failed = json_object_set_new(files, name, keep_base64(bytes.data, bytes.size));
        mmd_bytes_finish(&bytes);
        if (failed) {
            json_decref(files);
            return NULL;
        }
    }
    return files;
}

/* ---------------------------------------------------------------- record */

static bool set_member(json_t *record, const char *key, json_t *value)
{
    return json_object_set_new(record, key, value) == 0;
}

/* Adds buffers and pictures of a glTF, or the sidecar of a PMX. */
static bool add_attachments(const write_job *job, json_t *record)
{
    const mmd_exchange *document = job->keeps;
    if (document && document->format == MMD_EXCHANGE_GLTF)
        return set_member(record, "buffers", buffer_list(document)) &&
               set_member(record, "files", picture_list(document));
    if (!document && job->input && job->input->sidecar) {
        json_t *sidecar = json_loadb(job->input->sidecar, job->input->sidecar_size, 0, NULL);
        return !sidecar || set_member(record, "sidecar", sidecar);
    }
    return true;
}

json_t *keep_json(const struct write_job *job, json_t *source)
{
    assert(job);
    bool pmx = job->pmx && job->pmx->size;
    mmd_exchange_format format = job->keeps ? job->keeps->format : pmx ? MMD_EXCHANGE_PMX : job->source;
    json_t *record = json_object();
    bool done = record && set_member(record, "format", json_string(format_names[format]));
    if (!set_member(record, "source", source)) /* takes ownership in any case */
        done = false;
    done = done && add_attachments(job, record) && set_member(record, "bodies", body_list(job)) &&
           set_member(record, "joints", joint_list(job)) &&
           set_member(record, "mesh", item_stamp(job->mesh_stamp)) &&
           set_member(record, "world", item_stamp(job->world_stamp)) &&
           set_member(record, "morphs", item_stamp(job->morph_stamp)) &&
           (!job->added_items || set_member(record, "made", json_deep_copy(job->added_items)));
    if (done)
        return record;
    json_decref(record);
    return NULL;
}
