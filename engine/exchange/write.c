/*
 * mmd_exchange_write: chooses what is written.
 *
 * To the source's own format: the document unchanged. To the format of a kept source: that source, unchanged
 * when nothing was edited since, otherwise with the edits. To any other format: written twice. The first
 * output is read back to compute the stamps of the record, the second contains the record.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "gltf/reader.h"
#include "gltf/writer.h"
#include "roundtrip/keep.h"
#include "mmd/format.h"
#include "pmx/merge.h"

/* ---------------------------------------------------------------- the chain */

/*
 * The chain of kept sources down to one of the target's format: the input's own, or that source's own, and so
 * on (PMX → glTF → Ragdoll → PMX). Item numbers and stamps of inner sources are translated into those of the
 * input.
 */
typedef struct kept_chain {
    bool found;
    bool mesh; /* the mesh is unedited */
    mmd_exchange_kept
        kept; /* the source in the target's format, with item numbers of the input; owns nothing */
    mmd_exchange_kept *sidecar; /* record in the sidecar of a PMX in the chain, or NULL */
    uint32_t count;
    kept_document
        opened[KEPT_LEVELS]; /* the documents in the chain; the last one is `kept`, unless that is a PMX */
} kept_chain;

static const mmd_model *model_of(const mmd_exchange_input *input)
{
    return input->document ? input->document->model : input->model;
}

/*
 * Returns whether the mesh is unedited since the record was written. A Ragdoll has no mesh, so conversions
 * from and to it leave the mesh out. If the record has no stamp of morphs, these count as unedited, except
 * for a PMX, where merging finds out.
 */
static bool mesh_unchanged(const mmd_exchange_kept *kept, const mmd_model *model)
{
    return model->origin == MMD_ORIGIN_RAGDOLL || kept->format == MMD_EXCHANGE_RAGDOLL ||
           (stamp_mesh(model) == kept->mesh_stamp &&
            (kept->morph_stamp ? stamp_morphs(model) == kept->morph_stamp
                               : kept->format != MMD_EXCHANGE_PMX));
}

/* ---------------------------------------------------------------- compose */

/*
 * Item maps of two adjacent links: from the inner source to its document, and from that document to the outer
 * one.
 */
typedef struct chain_items {
    const int32_t *inner;
    const uint64_t *inner_stamps;
    const int32_t *outer;
    const uint64_t *outer_stamps;
} chain_items;

/*
 * Returns the outer scene's index of item i of the inner source, or -1. *stamp is 0 when the item was edited
 * in either step or could not be expressed.
 */
static int32_t map_through(const chain_items *items, uint32_t i, bool inner_held, uint64_t now,
                           uint64_t *stamp)
{
    int32_t at = items->inner[i];
    *stamp = items->inner_stamps[i];
    if (at < 0)
        return -1;
    *stamp = items->outer_stamps[at];
    if (items->outer[at] >= 0 && (!inner_held || *stamp != now))
        *stamp = 0;
    return items->outer[at];
}

/* A document in the chain. */
typedef struct chain_link {
    const mmd_physscene *scene;
    const mmd_model *model;
    const mmd_exchange_kept *kept; /* the source that it keeps */
} chain_link;

/* Concatenates the items that the writers of both steps added, as indices of the outer scene. */
static int32_t *map_added_through(const int32_t *inner, uint32_t inner_count, const int32_t *map,
                                  mmd_arena *arena, const int32_t *outer, uint32_t outer_count,
                                  uint32_t *count)
{
    int32_t *made = mmd_arena_alloc(arena, inner_count + (size_t)outer_count, sizeof *made);
    *count = inner_count + outer_count;
    for (uint32_t i = 0; made && i < outer_count; i++)
        made[i] = outer[i];
    for (uint32_t i = 0; made && i < inner_count; i++)
        made[outer_count + i] = inner[i] < 0 ? -1 : map[inner[i]];
    return made;
}

/*
 * Combines two records, inner source → middle document → outer scene, into one from the inner source to the
 * outer scene.
 */
static bool compose(const mmd_exchange_kept *outer, const mmd_physscene *scene, const chain_link *middle,
                    mmd_arena *arena, mmd_exchange_kept *made)
{
    const mmd_exchange_kept *inner = middle->kept;
    *made = *inner;
    made->added_bodies =
        map_added_through(inner->added_bodies, inner->added_body_count, outer->bodies, arena,
                          outer->added_bodies, outer->added_body_count, &made->added_body_count);
    made->added_joints =
        map_added_through(inner->added_joints, inner->added_joint_count, outer->joints, arena,
                          outer->added_joints, outer->added_joint_count, &made->added_joint_count);
    made->bodies = mmd_arena_alloc(arena, inner->body_count, sizeof *made->bodies);
    made->joints = mmd_arena_alloc(arena, inner->joint_count, sizeof *made->joints);
    made->body_stamps = mmd_arena_alloc(arena, inner->body_count, sizeof *made->body_stamps);
    made->joint_stamps = mmd_arena_alloc(arena, inner->joint_count, sizeof *made->joint_stamps);
    if (!made->added_bodies || !made->added_joints || !made->bodies || !made->joints || !made->body_stamps ||
        !made->joint_stamps)
        return false;
    chain_items bodies = {inner->bodies, inner->body_stamps, outer->bodies, outer->body_stamps};
    for (uint32_t i = 0; i < inner->body_count; i++) {
        int32_t at = inner->bodies[i], there = at < 0 ? -1 : outer->bodies[at];
        made->bodies[i] =
            map_through(&bodies, i, keep_body_unchanged(inner, middle->scene, i),
                        there < 0 ? 0 : stamp_body(scene, (uint32_t)there), &made->body_stamps[i]);
    }
    chain_items joints = {inner->joints, inner->joint_stamps, outer->joints, outer->joint_stamps};
    for (uint32_t i = 0; i < inner->joint_count; i++) {
        int32_t at = inner->joints[i], there = at < 0 ? -1 : outer->joints[at];
        made->joints[i] =
            map_through(&joints, i, keep_joint_unchanged(inner, middle->scene, i),
                        there < 0 ? 0 : stamp_joint(scene, (uint32_t)there), &made->joint_stamps[i]);
    }
    bool world = stamp_world(middle->scene) == inner->world_stamp && stamp_world(scene) == outer->world_stamp;
    made->world_stamp = world ? outer->world_stamp : 0;
    return true;
}

/* Returns whether a record has as many bodies and joints as the scene of its source. */
static bool counts_match(const mmd_exchange_kept *kept, const mmd_physscene *scene)
{
    return kept->body_count == scene->body_count && kept->joint_count == scene->joint_count;
}

/* ------------------------------------------------------------------- walk */

/* Returns whether the current source has the target's format and, for a glTF, its dialect. */
static bool is_target_format(const kept_chain *chain, const mmd_exchange_options *options)
{
    if (chain->kept.format != options->format)
        return false;
    return options->format != MMD_EXCHANGE_GLTF || options->dialect == MMD_DIALECT_NONE ||
           chain->opened[chain->count - 1].document->dialect == options->dialect;
}

/* Opens the current kept source, unless it is a PMX. */
static mmd_status open_kept(kept_chain *chain, mmd_error *error)
{
    if (chain->kept.format == MMD_EXCHANGE_PMX)
        return MMD_OK;
    if (chain->count == KEPT_LEVELS)
        return mmd_error_set(error, MMD_ERROR_LIMIT, "source", MMD_NO_OFFSET,
                             "kept sources are nested too deeply");
    mmd_status status = keep_open(&chain->kept, &chain->opened[chain->count], error);
    if (status == MMD_OK)
        chain->count++;
    return status;
}

/* Replaces the current source by the one that it keeps. Returns false when it keeps none that can be used. */
static bool step_through(kept_chain *chain, const mmd_physscene *scene, const chain_link *middle,
                         mmd_arena *arena)
{
    mmd_exchange_kept outer = chain->kept;
    if (middle->kept->format == MMD_EXCHANGE_UNKNOWN || !counts_match(&outer, middle->scene) ||
        !compose(&outer, scene, middle, arena, &chain->kept))
        return false;
    chain->mesh = chain->mesh && mesh_unchanged(middle->kept, middle->model);
    return true;
}

/* Reads the record in the sidecar of a kept PMX. */
static bool read_kept_sidecar(kept_chain *chain, const mmd_physscene *made, mmd_arena *arena)
{
    mmd_buffer text = {0};
    const json_t *json = json_object_get(chain->kept.record, "sidecar");
    bool done = json && json_append(json, false, &text, NULL) == MMD_OK;
    mmd_exchange_input input = {.sidecar = text.data, .sidecar_size = text.size};
    done = done && keep_read_sidecar(&input, made, arena, &chain->sidecar, NULL) == MMD_OK && chain->sidecar;
    mmd_buffer_finish(&text);
    return done;
}

static bool step_through_pmx(kept_chain *chain, const mmd_physscene *scene, mmd_arena *arena)
{
    mmd_model *model = NULL;
    mmd_physscene made = {0};
    bool done = !chain->sidecar &&
                mmd_pmx_read(chain->kept.pmx.data, chain->kept.pmx.size, &model, NULL) == MMD_OK &&
                mmd_model_physscene(model, &made, NULL) == MMD_OK && read_kept_sidecar(chain, &made, arena);
    chain_link link = {&made, model, chain->sidecar};
    done = done && step_through(chain, scene, &link, arena);
    mmd_physscene_destroy(&made);
    mmd_model_destroy(model);
    return done;
}

/* Goes one source deeper. Returns false when there is none. */
static bool step_deeper(kept_chain *chain, const mmd_physscene *scene, mmd_arena *arena)
{
    if (chain->kept.format == MMD_EXCHANGE_PMX)
        return step_through_pmx(chain, scene, arena);
    const mmd_exchange *middle = chain->opened[chain->count - 1].document;
    chain_link link = {middle->physscene, middle->model, middle->kept};
    return chain->count < KEPT_LEVELS && step_through(chain, scene, &link, arena);
}

/* Returns the input's own kept source; NULL: it has none. */
static const mmd_exchange_kept *own_kept(const mmd_exchange_input *input, const mmd_exchange_kept *sidecar)
{
    const mmd_exchange_kept *kept = input->document ? input->document->kept : sidecar;
    return kept && kept->format != MMD_EXCHANGE_UNKNOWN ? kept : NULL;
}

/* Sets whether the mesh is unedited, and the stamp that says so. */
static void kept_chain_set_mesh(kept_chain *chain, bool unchanged, const mmd_exchange_input *input)
{
    assert(chain && input);
    chain->mesh = unchanged;
    chain->kept.mesh_stamp = unchanged ? stamp_mesh(model_of(input)) : 0;
}

/* Returns the glTF that has the current mesh of a kept PMX; NULL: no glTF is in the chain. */
static const mmd_exchange *kept_chain_mesh(const kept_chain *chain, const mmd_exchange_input *input)
{
    assert(chain && input);
    if (input->document && input->document->format == MMD_EXCHANGE_GLTF)
        return input->document;
    const mmd_exchange *last = chain->count ? chain->opened[chain->count - 1].document : NULL;
    return last && last->format == MMD_EXCHANGE_GLTF ? last : NULL;
}

static void kept_chain_finish(kept_chain *chain)
{
    assert(chain);
    while (chain->count > 0)
        keep_close(&chain->opened[--chain->count]);
    if (chain->sidecar)
        keep_clear(chain->sidecar);
    *chain = (kept_chain){0};
}

/*
 * Searches the chain for a source in the target's format. sidecar: of a PMX input, or NULL. Fails with
 * MMD_ERROR_MEMORY only; a source that cannot be read is ignored.
 */
static mmd_status kept_chain_find(kept_chain *chain, const mmd_exchange_input *input,
                                  const mmd_physscene *scene, const mmd_exchange_kept *sidecar,
                                  const mmd_exchange_options *options, mmd_arena *arena, mmd_error *error)
{
    assert(chain && input);
    const mmd_exchange_kept *own = own_kept(input, sidecar);
    mmd_error wrong = {0};
    *chain = (kept_chain){0};
    if (!own)
        return MMD_OK;
    chain->kept = *own;
    chain->mesh = mesh_unchanged(own, model_of(input));
    mmd_status status = open_kept(chain, &wrong);
    while (status == MMD_OK && !is_target_format(chain, options)) {
        if (!step_deeper(chain, scene, arena)) {
            kept_chain_finish(chain);
            return MMD_OK;
        }
        status = open_kept(chain, &wrong);
    }
    if (status != MMD_OK) { /* an unreadable source is ignored */
        kept_chain_finish(chain);
        if (status == MMD_ERROR_MEMORY && error)
            *error = wrong;
        return status == MMD_ERROR_MEMORY ? status : MMD_OK;
    }
    chain->found = true;
    kept_chain_set_mesh(chain, chain->mesh, input);
    return MMD_OK;
}

/* Returns whether the chain has a source of the target's format and nothing was edited since. */
static bool kept_chain_unedited(const kept_chain *chain, const mmd_physscene *scene)
{
    assert(chain);
    return chain->found && chain->mesh && keep_physics_unchanged(&chain->kept, scene);
}

/* --------------------------------------------------------------- conversion */

/* State of a conversion. */
typedef struct conversion {
    mmd_exchange_input input; /* a copy, whose sidecar may be removed */
    mmd_exchange_options options;
    mmd_exchange_output *output;
    mmd_exchange_format source;
    const mmd_model *model;
    const mmd_physscene *scene;
    mmd_physscene pmx_scene, merged; /* scene of a PMX input; the same with its sidecar's source merged in */
    mmd_buffer pmx;
    mmd_exchange_kept *sidecar; /* in arena, or NULL */
    kept_chain chain;
    pmx_merge merge;         /* of a kept PMX whose model was edited; else empty */
    bool unedited;           /* the kept source of the target's format is unedited */
    json_t *document, *base; /* JSON to keep in the target; JSON of a kept glTF that is extended */
    mmd_arena arena;
} conversion;

static mmd_status out_of_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "file", MMD_NO_OFFSET, "no memory for it");
}

/* ------------------------------------------------------------------ source */

/* Reports a sidecar that is broken, no record, or of another model. */
static void report_lost_sidecar(conversion *c)
{
    json_error_t wrong = {.position = 0};
    json_t *json = json_loadb(c->input.sidecar, c->input.sidecar_size, 0, &wrong);
    char what[64] = "belongs to another model";
    if (!json)
        snprintf(what, sizeof what, "is not JSON, error at byte %d", wrong.position);
    else if (!json_object_get(json, "source"))
        snprintf(what, sizeof what, "is not a record of odori");
    json_decref(json);
    losses_add(&c->output->losses, MMD_LOSS_DROPPED, false, MMD_EXCHANGE_PMX, "record.unusable",
               ".physics.json", "", what, "");
}

/*
 * Returns whether a record belongs to another model: none of its bodies and joints is found and the mesh
 * differs.
 */
static bool is_foreign(const mmd_exchange_kept *kept, const mmd_model *model)
{
    uint32_t recorded = 0, found = 0;
    for (uint32_t i = 0; i < kept->body_count; i++) {
        recorded += kept->body_stamps[i] != 0;
        found += kept->bodies[i] >= 0;
    }
    for (uint32_t i = 0; i < kept->joint_count; i++) {
        recorded += kept->joint_stamps[i] != 0;
        found += kept->joints[i] >= 0;
    }
    return recorded > 0 && found == 0 && kept->mesh_stamp != stamp_mesh(model);
}

/* Opens a PMX input: makes its scene, serialises it and reads its sidecar. */
static mmd_status open_model(conversion *c, mmd_error *error)
{
    c->source = MMD_EXCHANGE_PMX;
    c->model = c->input.model;
    c->scene = &c->pmx_scene;
    mmd_status status = mmd_model_physscene(c->model, &c->pmx_scene, error);
    if (status == MMD_OK)
        status = mmd_pmx_write(c->model, &c->pmx, error);
    if (status == MMD_OK)
        status = keep_read_sidecar(&c->input, c->scene, &c->arena, &c->sidecar, error);
    if (status == MMD_OK && c->sidecar && is_foreign(c->sidecar, c->model)) {
        keep_clear(c->sidecar);
        c->sidecar = NULL;
    }
    if (status == MMD_OK && c->input.sidecar && !c->sidecar)
        report_lost_sidecar(c);
    return status;
}

static mmd_status open_source(conversion *c, mmd_error *error)
{
    if (!c->input.document)
        return open_model(c, error);
    c->source = c->input.document->format;
    c->model = c->input.document->model;
    c->scene = c->input.document->physscene;
    return MMD_OK;
}

static void finish(conversion *c)
{
    json_decref(c->document);
    json_decref(c->base);
    pmx_merge_finish(&c->merge);
    kept_chain_finish(&c->chain);
    if (c->sidecar)
        keep_clear(c->sidecar);
    mmd_physscene_destroy(&c->merged);
    mmd_physscene_destroy(&c->pmx_scene);
    mmd_buffer_finish(&c->pmx);
    mmd_arena_finish(&c->arena);
}

/* ---------------------------------------------------------------- as it is */

static mmd_status put_file(conversion *c, const char *name, const void *data, size_t size, mmd_error *error)
{
    mmd_exchange_file *file = output_add(c->output, name);
    if (file && size)
        mmd_write_bytes(&file->data, data, size);
    return file && !file->data.failed ? MMD_OK : out_of_memory(error);
}

static mmd_status put_json(conversion *c, const char *name, const json_t *json, mmd_error *error)
{
    mmd_exchange_file *file = output_add(c->output, name);
    return file ? json_append(json, true, &file->data, error) : out_of_memory(error);
}

/* Returns whether the output has a file of this name already. */
static bool is_written(const conversion *c, const char *name)
{
    for (uint32_t i = 0; i < c->output->count; i++)
        if (strcmp(c->output->files[i].name, name) == 0)
            return true;
    return false;
}

/*
 * Returns whether a buffer or picture names a file that may be written and is not yet; path receives its
 * name.
 */
static bool names_file(const conversion *c, const json_t *object, char path[MMD_PATH_MAX])
{
    const char *uri = json_string_value(json_object_get(object, "uri"));
    return uri && strncmp(uri, "data:", 5) != 0 && gltf_file_name(uri, path) && path_stays_inside(path) &&
           !is_written(c, path);
}

/* Writes the document's external buffers. */
static mmd_status put_buffers(conversion *c, const mmd_exchange *document, mmd_error *error)
{
    const json_t *list = json_object_get(document->kept->root, "buffers");
    mmd_status status = MMD_OK;
    for (uint32_t i = 0; i < document->kept->buffer_count && status == MMD_OK; i++) {
        const mmd_buffer *bytes = &document->kept->buffers[i];
        char path[MMD_PATH_MAX];
        if (names_file(c, json_array_get(list, i), path))
            status = put_file(c, path, bytes->data, bytes->size, error);
    }
    return status;
}

/* Writes the document's external pictures. */
static mmd_status put_pictures(conversion *c, const mmd_exchange *document, mmd_error *error)
{
    json_t *image;
    size_t i;
    json_array_foreach(json_object_get(document->kept->root, "images"), i, image)
    {
        char path[MMD_PATH_MAX], own[MMD_PATH_MAX];
        mmd_bytes bytes = {0};
        const char *name = keep_picture_name(image, own);
        if (!name || !document->textures || !names_file(c, image, path) ||
            !read_whole_picture(document->textures, name, &bytes))
            continue;
        mmd_status status = put_file(c, path, bytes.data, bytes.size, error);
        mmd_bytes_finish(&bytes);
        if (status != MMD_OK)
            return status;
    }
    return MMD_OK;
}

/*
 * Returns whether all buffers can be written under their own names: none is a GLB's chunk or lies outside of
 * the folder.
 */
static bool can_stay_separate(const mmd_exchange *document)
{
    const json_t *list = json_object_get(document->kept->root, "buffers");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *uri = json_string_value(json_object_get(json_array_get(list, i), "uri"));
        char path[MMD_PATH_MAX];
        if (!uri ||
            (strncmp(uri, "data:", 5) != 0 && !(gltf_file_name(uri, path) && path_stays_inside(path))))
            return false;
    }
    return true;
}

/* Writes the document with all its buffers joined into one, as .glb or .gltf. */
static mmd_status repack(conversion *c, const mmd_exchange *document, mmd_error *error)
{
    write_job job = {.input = &c->input, .options = &c->options, .output = c->output};
    gltf_builder builder = {.job = &job,
                            .root = json_deep_copy(document->kept->root),
                            .base = document,
                            .buffer = document->kept->buffer_count};
    builder.failed = !builder.root;
    mmd_status status = builder.failed ? out_of_memory(error) : gltf_put_out(&builder, error);
    json_decref(builder.root);
    mmd_buffer_finish(&builder.bytes);
    return status;
}

static mmd_status put_document(conversion *c, const mmd_exchange *document, mmd_error *error)
{
    if (document->format == MMD_EXCHANGE_RAGDOLL)
        return put_json(c, c->options.name, document->kept->root, error);
    if (c->options.binary || !can_stay_separate(document))
        return repack(c, document, error);
    mmd_status status = put_json(c, c->options.name, document->kept->root, error);
    if (status == MMD_OK)
        status = put_buffers(c, document, error);
    return status == MMD_OK ? put_pictures(c, document, error) : status;
}

/* Derives the sidecar's name: "a.pmx" → "a.physics.json". */
static void sidecar_name(const conversion *c, char name[MMD_PATH_MAX])
{
    const char *main = c->options.name, *dot = strrchr(main, '.');
    snprintf(name, MMD_PATH_MAX, "%.*s.physics.json",
             (int)(dot && dot > main ? dot - main : (int)strlen(main)), main);
}

/* Writes a PMX input unchanged, with its sidecar. */
static mmd_status put_pmx(conversion *c, mmd_error *error)
{
    char name[MMD_PATH_MAX];
    mmd_status status = put_file(c, c->options.name, c->pmx.data, c->pmx.size, error);
    if (status != MMD_OK || !c->sidecar)
        return status;
    sidecar_name(c, name);
    return put_file(c, name, c->input.sidecar, c->input.sidecar_size, error);
}

/* Writes the sidecar that the kept PMX had. */
static mmd_status put_kept_sidecar(conversion *c, mmd_error *error)
{
    const json_t *sidecar = json_object_get(c->chain.kept.record, "sidecar");
    char name[MMD_PATH_MAX];
    sidecar_name(c, name);
    return sidecar ? put_json(c, name, sidecar, error) : MMD_OK;
}

/* Writes the kept document unchanged. (A kept PMX is written by pmx_write, which adds its pictures.) */
static mmd_status put_kept(conversion *c, mmd_error *error)
{
    return put_document(c, c->chain.opened[c->chain.count - 1].document, error);
}

/* --------------------------------------------------------------- converted */

void keep_baseline_finish(keep_baseline *base)
{
    assert(base);
    json_decref(base->added_items);
    mmd_exchange_destroy(base->document);
    mmd_physscene_destroy(&base->pmx_scene);
    mmd_model_destroy(base->model);
    mmd_arena_finish(&base->arena);
    *base = (keep_baseline){0};
}

/* Reads the first output back, without looking at what it keeps. */
static mmd_status read_document(const mmd_exchange_output *output, keep_baseline *back, mmd_error *error)
{
    mmd_memory_file *files = mmd_alloc((output->count + (size_t)1) * sizeof *files);
    for (uint32_t i = 0; files && i < output->count; i++)
        files[i] =
            (mmd_memory_file){output->files[i].name, output->files[i].data.data, output->files[i].data.size};
    mmd_source *source = files ? mmd_source_memory(files, output->count) : NULL;
    mmd_status status = source ? exchange_read_level(output->files[0].data.data, output->files[0].data.size,
                                                     source, "", KEPT_LEVELS, &back->document, error)
                               : out_of_memory(error);
    if (status == MMD_OK)
        back->scene = back->document->physscene;
    mmd_source_destroy(source); /* pictures are not needed */
    mmd_free(files);
    return status;
}

/* Reads the first output, a PMX, back. */
static mmd_status read_pmx(const mmd_exchange_output *output, keep_baseline *back, mmd_error *error)
{
    mmd_status status =
        mmd_pmx_read(output->files[0].data.data, output->files[0].data.size, &back->model, error);
    back->scene = &back->pmx_scene;
    return status == MMD_OK ? mmd_model_physscene(back->model, &back->pmx_scene, error) : status;
}

/* Finds the source's bodies and joints in the scene that was read back. Items of a PMX are indices. */
static bool find_items(const conversion *c, const write_job *job, keep_baseline *back)
{
    const mmd_exchange *document = back->document;
    if (document)
        return keep_find_items(document->bodies, back->scene->body_count, job->body_items,
                               c->scene->body_count, back->bodies) &&
               keep_find_items(document->joints, back->scene->joint_count, job->joint_items,
                               c->scene->joint_count, back->joints);
    for (uint32_t i = 0; i < c->scene->body_count; i++)
        back->bodies[i] = job->body_items[i] < (int64_t)back->scene->body_count ? job->body_items[i] : -1;
    for (uint32_t i = 0; i < c->scene->joint_count; i++)
        back->joints[i] = job->joint_items[i] < (int64_t)back->scene->joint_count ? job->joint_items[i] : -1;
    return true;
}

/* Allocates the job's item lists and the baseline's arrays, filled with -1. */
static bool allocate(const conversion *c, write_job *job, keep_baseline *back)
{
    uint32_t bodies = c->scene->body_count, joints = c->scene->joint_count;
    uint32_t morphs = c->model ? c->model->morph_count : 0;
    mmd_arena *arena = &back->arena;
    job->body_items = mmd_arena_alloc(arena, bodies, sizeof *job->body_items);
    job->joint_items = mmd_arena_alloc(arena, joints, sizeof *job->joint_items);
    back->bodies = mmd_arena_alloc(arena, bodies, sizeof *back->bodies);
    back->joints = mmd_arena_alloc(arena, joints, sizeof *back->joints);
    back->morphs = job->morph_items = mmd_arena_alloc(arena, morphs, sizeof *back->morphs);
    back->body_stamps = mmd_arena_alloc(arena, bodies, sizeof *back->body_stamps);
    back->joint_stamps = mmd_arena_alloc(arena, joints, sizeof *back->joint_stamps);
    back->body_names = mmd_arena_alloc(arena, bodies, sizeof *back->body_names);
    back->joint_names = mmd_arena_alloc(arena, joints, sizeof *back->joint_names);
    bool done = job->body_items && job->joint_items && back->bodies && back->joints && back->morphs &&
                back->body_stamps && back->joint_stamps && back->body_names && back->joint_names;
    for (uint32_t i = 0; done && i < bodies; i++)
        job->body_items[i] = -1;
    for (uint32_t i = 0; done && i < joints; i++)
        job->joint_items[i] = -1;
    for (uint32_t i = 0; done && i < morphs; i++)
        back->morphs[i] = -1;
    return done;
}

/* Computes the stamps and names of all items as read back from the first output. */
static bool take_stamps(const conversion *c, keep_baseline *back)
{
    const mmd_physscene *scene = back->scene;
    keep_target target = {.scene = scene,
                          .body_items = back->document ? back->document->bodies : NULL,
                          .joint_items = back->document ? back->document->joints : NULL};
    for (uint32_t i = 0; i < c->scene->body_count; i++) {
        int32_t at = back->bodies[i];
        back->body_stamps[i] = at < 0 ? 0 : stamp_body(scene, (uint32_t)at);
        back->body_names[i] = at < 0 ? "" : scene->bodies[at].name;
    }
    for (uint32_t i = 0; i < c->scene->joint_count; i++) {
        int32_t at = back->joints[i];
        back->joint_stamps[i] = at < 0 ? 0 : stamp_joint(scene, (uint32_t)at);
        back->joint_names[i] = at < 0 ? "" : scene->joints[at].name;
    }
    back->added_items =
        keep_added_items(&target, back->bodies, c->scene->body_count, back->joints, c->scene->joint_count);
    return back->added_items != NULL;
}

static mmd_status write_target(const write_job *job, mmd_error *error)
{
    switch (job->options->format) {
    case MMD_EXCHANGE_GLTF:
        return gltf_write(job, error);
    case MMD_EXCHANGE_RAGDOLL:
        return ragdoll_write(job, error);
    default:
        return pmx_write(job, error);
    }
}

/* Writes the first time, without the record, reads the output back and computes the stamps. */
static mmd_status write_first(conversion *c, write_job *job, keep_baseline *back, mmd_error *error)
{
    mmd_exchange_output output = {0};
    job->output = &output;
    mmd_status status = write_target(job, error);
    if (status == MMD_OK)
        status = c->options.format == MMD_EXCHANGE_PMX ? read_pmx(&output, back, error)
                                                       : read_document(&output, back, error);
    if (status == MMD_OK && !(find_items(c, job, back) && take_stamps(c, back)))
        status = out_of_memory(error);
    mmd_exchange_output_finish(&output);
    return status;
}

/* Writes the second time, with the record and its stamps. */
static mmd_status write_second(conversion *c, write_job *job, const keep_baseline *back, mmd_error *error)
{
    job->output = c->output;
    job->pmx = c->source == MMD_EXCHANGE_PMX ? &c->pmx : NULL;
    job->document = c->document;
    job->keeps = c->input.document;
    job->second_pass = true;
    job->body_stamps = back->body_stamps;
    job->joint_stamps = back->joint_stamps;
    job->body_names = back->body_names;
    job->joint_names = back->joint_names;
    job->added_items = back->added_items;
    job->mesh_stamp = stamp_mesh(back->document ? back->document->model : back->model);
    job->world_stamp = stamp_world(back->scene);
    job->morph_stamp = stamp_morphs(back->document ? back->document->model : back->model);
    return write_target(job, error);
}

/*
 * Chooses what the target keeps: the input's document, without what that keeps in turn when a source of the
 * target's format was found. A PMX target keeps it whole, because it replaces its own document.
 */
static bool prepare(conversion *c)
{
    const mmd_exchange *document = c->input.document;
    if (c->chain.found && c->chain.kept.format == MMD_EXCHANGE_GLTF) {
        c->base = keep_self_contained(&c->chain.kept);
        c->chain.kept.source = c->base;
        if (!c->base)
            return false;
    }
    if (c->chain.found)
        c->input.sidecar = NULL;
    bool strip = c->chain.found && c->options.format != MMD_EXCHANGE_PMX;
    if (document && !c->unedited)
        c->document = strip ? keep_strip(document) : json_incref(document->kept->root);
    return !document || c->unedited || c->document;
}

/*
 * Returns the source that the writer extends: the input's own document when it has the target's format (a
 * glTF in another dialect), else the kept one.
 */
static const mmd_exchange_kept *kept_for_writer(const conversion *c)
{
    if (c->source == c->options.format && c->input.document)
        return c->input.document->kept;
    return c->chain.found ? &c->chain.kept : NULL;
}

/* Sets up the job and writes the first time. */
static mmd_status convert_first(conversion *c, write_job *job, keep_baseline *back, mmd_error *error)
{
    *job = (write_job){.input = &c->input,
                       .options = &c->options,
                       .model = c->model,
                       .scene = c->scene,
                       .source = c->source,
                       .kept = kept_for_writer(c),
                       .merge = c->merge.changed ? &c->merge : NULL};
    if (!allocate(c, job, back) || !prepare(c))
        return out_of_memory(error);
    return write_first(c, job, back, error);
}

static mmd_status convert(conversion *c, mmd_error *error)
{
    keep_baseline back = {0};
    write_job job;
    mmd_status status = convert_first(c, &job, &back, error);
    if (status == MMD_OK)
        status = write_second(c, &job, &back, error);
    if (status == MMD_OK && c->unedited)
        status = put_kept_sidecar(c, error);
    keep_baseline_finish(&back);
    return status;
}

/* --------------------------------------------------------------------- all */

/* Returns whether the target has the source's own format and dialect. */
static bool is_same(const conversion *c)
{
    if (c->source != c->options.format)
        return false;
    return c->source != MMD_EXCHANGE_GLTF || c->options.dialect == MMD_DIALECT_NONE ||
           c->options.dialect == c->input.document->dialect;
}

/* Merges the edits of a PMX into the scene of the source that its sidecar keeps. */
static mmd_status restore_sidecar(conversion *c, mmd_error *error)
{
    const mmd_exchange *kept = c->chain.opened[0].document;
    const keep_origin origin = {.document = kept};
    keep_baseline base = {0};
    restore_job job = {.kept = c->sidecar,
                       .source = kept->physscene,
                       .found = c->scene,
                       .format = MMD_EXCHANGE_PMX,
                       .scene = &c->merged};
    if (job.source->body_count != job.kept->body_count || job.source->joint_count != job.kept->joint_count)
        return MMD_ERROR_COUNT;
    mmd_status status = keep_baseline_make(&origin, MMD_EXCHANGE_PMX, MMD_DIALECT_NONE, &base, error);
    if (status == MMD_ERROR_MEMORY)
        return status;
    job.base = status == MMD_OK ? &base : NULL;
    status = restore_scene(&job, error);
    if (status == MMD_OK) {
        restore_update_stamps(&job, c->sidecar);
        for (uint32_t i = 0; i < c->merged.body_count; i++)
            c->merged.bodies[i].bone = -1;
        for (uint32_t i = 0; i < c->pmx_scene.body_count; i++)
            if (job.body_of[i] >= 0)
                c->merged.bodies[job.body_of[i]].bone = c->pmx_scene.bodies[i].bone;
        c->scene = &c->merged;
    }
    keep_baseline_finish(&base);
    return status;
}

/*
 * Restores the sidecar's source for a PMX that goes back to another format, which mmd_exchange_read does for
 * other inputs. Then searches the chain again, for the restored scene.
 */
static mmd_status merge(conversion *c, mmd_error *error)
{
    if (c->input.document || !c->chain.found || c->chain.kept.format == MMD_EXCHANGE_PMX)
        return MMD_OK;
    mmd_status status = restore_sidecar(c, error);
    kept_chain_finish(&c->chain);
    if (status != MMD_OK && status != MMD_ERROR_MEMORY) { /* the sidecar belongs to another model */
        report_lost_sidecar(c);
        return MMD_OK;
    }
    if (status != MMD_OK)
        return status;
    return kept_chain_find(&c->chain, &c->input, c->scene, c->sidecar, &c->options, &c->arena, error);
}

/*
 * Returns whether the input is a glTF that keeps a glTF. A conversion between dialects changes only shapes
 * and joints, so a file without them looks as if it had the target's dialect already.
 */
static bool keeps_dialect(const conversion *c)
{
    return c->source == MMD_EXCHANGE_GLTF && c->options.dialect != MMD_DIALECT_NONE &&
           c->input.document->kept->format == MMD_EXCHANGE_GLTF;
}

/* Writes the input unchanged. */
static mmd_status put_own(conversion *c, mmd_error *error)
{
    return c->input.document ? put_document(c, c->input.document, error) : put_pmx(c, error);
}

/* Reports that the model was rebuilt instead of restored. */
static void report_remade(conversion *c, const char *why)
{
    losses_add(&c->output->losses, MMD_LOSS_DROPPED, true, c->options.format, "model.remade", "model",
               "source", why, "rebuilt from this file");
}

/*
 * Checks whether the mesh of a PMX that goes back to a glTF is unedited, apart from rounding. If it was
 * edited, the glTF's mesh is rebuilt.
 */
static mmd_status check_model_unchanged(conversion *c, mmd_error *error)
{
    if (!c->chain.found || c->chain.mesh || c->chain.kept.format != MMD_EXCHANGE_GLTF)
        return MMD_OK;
    const keep_origin origin = {.document = c->chain.opened[0].document, .mesh = true};
    keep_baseline base = {0};
    mmd_status status = keep_baseline_make(&origin, MMD_EXCHANGE_PMX, MMD_DIALECT_NONE, &base, error);
    bool same = status == MMD_OK && pmx_same_model(c->model, base.model);
    keep_baseline_finish(&base);
    if (status == MMD_ERROR_MEMORY)
        return status;
    if (same)
        kept_chain_set_mesh(&c->chain, true, &c->input);
    else
        report_remade(c, "a mesh that was edited");
    return MMD_OK;
}

/* Merges edits of the model into the kept PMX, when the target is one. */
static mmd_status merge_model(conversion *c, mmd_error *error)
{
    const mmd_exchange_kept *kept = &c->chain.kept;
    if (!c->input.document)
        return check_model_unchanged(c, error);
    if (c->options.format != MMD_EXCHANGE_PMX)
        return MMD_OK;
    const mmd_exchange *found = c->chain.found ? kept_chain_mesh(&c->chain, &c->input) : NULL;
    if (c->chain.found && c->chain.mesh)
        return MMD_OK;
    mmd_error wrong = {0};
    mmd_status status = found ? pmx_merge_make(&c->merge, kept, found, &wrong) : MMD_ERROR_VALUE;
    if (status == MMD_OK && !c->merge.changed) {
        pmx_merge_finish(&c->merge);
        kept_chain_set_mesh(&c->chain, true, &c->input);
    }
    if (status == MMD_ERROR_MEMORY) {
        *error = wrong;
        return status;
    }
    if (status != MMD_OK && c->chain.found)
        report_remade(c, "the kept PMX does not match this file");
    else if (status != MMD_OK && c->input.document->kept->lost)
        report_remade(c, "an unusable record");
    return MMD_OK;
}

/* Chooses between writing the input, writing the kept source and converting. */
static mmd_status write_any(conversion *c, mmd_error *error)
{
    mmd_status status = open_source(c, error);
    if (status != MMD_OK)
        return status;
    bool same = is_same(c);
    if (same && !keeps_dialect(c))
        return put_own(c, error);
    status = kept_chain_find(&c->chain, &c->input, c->scene, c->sidecar, &c->options, &c->arena, error);
    if (status == MMD_OK)
        status = merge_model(c, error);
    if (status != MMD_OK)
        return status;
    c->unedited = kept_chain_unedited(&c->chain, c->scene);
    if (c->unedited && c->options.format != MMD_EXCHANGE_PMX)
        return put_kept(c, error);
    if (same)
        return put_own(c, error);
    status = c->unedited ? MMD_OK : merge(c, error);
    return status == MMD_OK ? convert(c, error) : status;
}

/* Returns the default name of the main file. */
static const char *usual_name(const mmd_exchange_options *options)
{
    switch (options->format) {
    case MMD_EXCHANGE_RAGDOLL:
        return "ragdoll.json";
    case MMD_EXCHANGE_PMX:
        return "model.pmx";
    default:
        return options->binary ? "scene.glb" : "scene.gltf";
    }
}

mmd_status mmd_exchange_write(const mmd_exchange_input *input, const mmd_exchange_options *options,
                              mmd_exchange_output *output, mmd_error *error)
{
    assert(input && options && output);
    conversion c = {.input = *input, .options = *options, .output = output};
    *output = (mmd_exchange_output){0};
    if (!c.options.name)
        c.options.name = usual_name(options);
    mmd_status status = write_any(&c, error);
    finish(&c);
    if (status != MMD_OK)
        mmd_exchange_output_finish(output);
    return status;
}

/* ------------------------------------------------------------------- bases */

/*
 * Returns the model without mesh, materials, morphs, display frames and soft bodies, which physics does not
 * use.
 */
static mmd_model copy_without_mesh(const mmd_model *model)
{
    mmd_model bare = *model;
    bare.vertices = (mmd_vertices){0};
    bare.index_count = bare.texture_count = bare.material_count = bare.morph_count = bare.frame_count = 0;
    bare.soft_body_count = 0;
    return bare;
}

mmd_status keep_baseline_make(const keep_origin *origin, mmd_exchange_format format, mmd_dialect dialect,
                              keep_baseline *base, mmd_error *error)
{
    assert(origin && base);
    mmd_exchange_output output = {0};
    mmd_buffer sidecar = {0};
    mmd_exchange document;
    mmd_model model;
    conversion c = {.options = {.format = format, .dialect = dialect, .binary = true},
                    .output = &output,
                    .input = {.document = origin->document,
                              .model = origin->model,
                              .textures = origin->textures,
                              .folder = ""}};
    write_job job;
    *base = (keep_baseline){0};
    c.options.name = usual_name(&c.options);
    if (!origin->mesh) {
        model = copy_without_mesh(origin->document ? origin->document->model : origin->model);
        c.input.model = origin->document ? NULL : &model;
    }
    if (!origin->mesh && origin->document) {
        document = *origin->document;
        document.model = &model;
        document.textures = NULL;
        c.input.document = &document;
    }
    mmd_status status = origin->sidecar ? json_append(origin->sidecar, false, &sidecar, error) : MMD_OK;
    c.input.sidecar = sidecar.data;
    c.input.sidecar_size = sidecar.size;
    if (status == MMD_OK)
        status = open_source(&c, error);
    if (status == MMD_OK)
        status = kept_chain_find(&c.chain, &c.input, c.scene, c.sidecar, &c.options, &c.arena, error);
    if (status == MMD_OK && !kept_chain_unedited(&c.chain, c.scene))
        status = merge(&c, error);
    if (status == MMD_OK && origin->mesh)
        status = merge_model(&c, error);
    if (status == MMD_OK)
        status = convert_first(&c, &job, base, error);
    finish(&c);
    mmd_exchange_output_finish(&output);
    mmd_buffer_finish(&sidecar);
    if (status != MMD_OK)
        keep_baseline_finish(base);
    return status;
}
