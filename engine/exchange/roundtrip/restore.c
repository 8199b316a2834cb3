/*
 * Restores a kept source after a reader: bodies, joints and the world that were not edited get the source's
 * values; edited ones get the file's (restore_scene.c). Model and mesh stay the file's, so bones are looked
 * up there: node i is bone i in our files; a Ragdoll's bones are its bodies.
 *
 * Afterwards the record's stamps are those of the restored scene, so that it counts as unedited when it is
 * written again.
 */
#include <assert.h>
#include <string.h>

#include "keep.h"
#include "mmd/format.h"

/* The opened source and its scene. */
typedef struct source_scene {
    kept_document opened;
    mmd_model *model; /* of a PMX */
    mmd_physscene pmx_scene;
    const mmd_model *bones;
    const mmd_physscene *scene;
} source_scene;

static void source_close(source_scene *source)
{
    mmd_physscene_destroy(&source->pmx_scene);
    mmd_model_destroy(source->model);
    keep_close(&source->opened);
}

static mmd_status source_open(const mmd_exchange_kept *kept, source_scene *source, mmd_error *error)
{
    *source = (source_scene){.scene = &source->pmx_scene};
    if (kept->format != MMD_EXCHANGE_PMX) {
        mmd_status status = keep_open(kept, &source->opened, error);
        if (status != MMD_OK)
            return status;
        source->scene = source->opened.document->physscene;
        source->bones = source->opened.document->model;
        return MMD_OK;
    }
    mmd_status status = mmd_pmx_read(kept->pmx.data, kept->pmx.size, &source->model, error);
    if (status == MMD_OK)
        status = mmd_model_physscene(source->model, &source->pmx_scene, error);
    source->bones = source->model;
    return status;
}

/* ----------------------------------------------------------------- bones */

/* Returns a bone of the source in the file's model: by index and name, else by name; -1: none. */
static int32_t find_same_bone(const mmd_model *here, const mmd_model *there, int32_t bone)
{
    bool same = bone >= 0 && (uint32_t)bone < here->bone_count && (uint32_t)bone < there->bone_count &&
                strcmp(here->bones[bone].name, there->bones[bone].name) == 0;
    bool there_is = bone >= 0 && (uint32_t)bone < there->bone_count;
    return same ? bone : there_is ? mmd_model_find_bone(here, there->bones[bone].name) : -1;
}

/* Changes "physics with the bone's position" to full physics in a Ragdoll, whose bones have no parents. */
static void detach_from_bone(const mmd_exchange *document, mmd_phys_body *body)
{
    if (document->format == MMD_EXCHANGE_RAGDOLL && body->motion == MMD_PHYS_DYNAMIC_BONE)
        body->motion = MMD_PHYS_DYNAMIC;
}

/* Sets the bones of all bodies of the merged scene. */
static void assign_bones(const mmd_exchange *document, const source_scene *source, restore_job *job)
{
    for (uint32_t i = 0; i < job->scene->body_count; i++) {
        mmd_phys_body *body = &job->scene->bodies[i];
        int32_t from = job->body_from[i], at = from < 0 ? -1 : job->kept->bodies[from];
        if (from < 0)
            continue; /* added in the file: has its bone already */
        int32_t own = at < 0 ? -1 : job->found->bodies[at].bone;
        int32_t bone = document->format == MMD_EXCHANGE_GLTF
                           ? find_same_bone(document->model, source->bones, job->source->bodies[from].bone)
                           : -1;
        body->bone = bone >= 0 ? bone : own;
        detach_from_bone(document, body);
    }
}

/* ----------------------------------------------------------------- items */

/* Rearranges nodes and entities in the order of the merged scene. */
static bool reorder_items(const mmd_exchange_item *found, const int32_t *of, uint32_t found_count,
                          uint32_t count, mmd_arena *arena, const mmd_exchange_item **result)
{
    mmd_exchange_item *items = mmd_arena_alloc(arena, count, sizeof *items);
    for (uint32_t i = 0; items && i < count; i++)
        items[i] = (mmd_exchange_item){.node = -1, .entity = ""};
    for (uint32_t i = 0; items && i < found_count; i++)
        if (of[i] >= 0)
            items[of[i]] = found[i];
    *result = items;
    return items != NULL;
}

void restore_update_stamps(const restore_job *job, mmd_exchange_kept *kept)
{
    assert(job && kept);
    const mmd_physscene *scene = job->scene;
    for (uint32_t i = 0; i < kept->body_count; i++) {
        if (job->body_slot[i] == UINT32_MAX)
            continue;
        kept->body_stamps[i] = job->body_unchanged[i] ? stamp_body(scene, job->body_slot[i]) : 0;
    }
    for (uint32_t i = 0; i < kept->joint_count; i++) {
        if (job->joint_slot[i] == UINT32_MAX)
            continue;
        kept->joint_stamps[i] =
            job->joint_unchanged[i] || kept->joints[i] < 0 ? stamp_joint(scene, job->joint_slot[i]) : 0;
    }
    for (uint32_t i = 0; i < kept->body_count; i++)
        kept->bodies[i] = job->body_slot[i] == UINT32_MAX ? -1 : (int32_t)job->body_slot[i];
    for (uint32_t i = 0; i < kept->joint_count; i++)
        kept->joints[i] = job->joint_slot[i] == UINT32_MAX ? -1 : (int32_t)job->joint_slot[i];
    kept->added_body_count = kept->added_joint_count = 0; /* they were omitted */
    kept->added_edited = false;
    kept->world_stamp = job->world_unchanged ? stamp_world(scene) : 0;
}

/* Replaces the document's scene by the merged one. */
static mmd_status replace_scene(mmd_exchange *document, restore_job *job, mmd_error *error)
{
    mmd_physscene *scene = job->scene;
    const mmd_exchange_item *bodies, *joints;
    bool done = reorder_items(document->bodies, job->body_of, job->found->body_count, scene->body_count,
                              &scene->arena, &bodies) &&
                reorder_items(document->joints, job->joint_of, job->found->joint_count, scene->joint_count,
                              &scene->arena, &joints);
    if (!done) {
        mmd_physscene_destroy(scene);
        return mmd_error_set(error, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET, "no memory for its items");
    }
    restore_update_stamps(job, document->kept);
    mmd_physscene old = *document->physscene;
    *document->physscene = *scene;
    document->bodies = bodies;
    document->joints = joints;
    mmd_physscene_destroy(&old);
    return MMD_OK;
}

/* ------------------------------------------------------------------- all */

/* Returns whether a record has as many items as its source. */
static bool counts_match(const mmd_exchange_kept *kept, const mmd_physscene *source)
{
    return source->body_count == kept->body_count && source->joint_count == kept->joint_count;
}

/* Reports a record that cannot be used and removes it. */
static mmd_status report_unusable_record(mmd_exchange *document)
{
    losses_add(&document->losses, MMD_LOSS_DROPPED, false, document->format, "record.unusable",
               document->format == MMD_EXCHANGE_GLTF ? "extras.mmd" : "MMDComponent", "source", "", "");
    keep_clear(document->kept);
    document->kept->lost = true;
    return MMD_OK;
}

/*
 * Makes the baseline of an edited document. Returns false when out of memory. If it cannot be made, the
 * source is used instead.
 */
static bool make_baseline(const mmd_exchange *document, const source_scene *source, keep_baseline *base,
                          restore_job *job)
{
    const mmd_exchange_kept *kept = document->kept;
    const keep_origin origin = {.document = source->opened.document,
                                .model = source->model,
                                .sidecar = json_object_get(kept->record, "sidecar")};
    if (keep_physics_unchanged(kept, document->physscene))
        return true;
    mmd_status status = keep_baseline_make(&origin, document->format, document->dialect, base, NULL);
    job->base = status == MMD_OK ? base : NULL;
    return status != MMD_ERROR_MEMORY;
}

/*
 * Keeps all physics of the source for a glTF without physics of any dialect: a program that does not know the
 * extensions removed them, the user did not.
 */
static void keep_stripped_physics(mmd_exchange *document)
{
    mmd_exchange_kept *kept = document->kept;
    bool had_items = false;
    if (document->format != MMD_EXCHANGE_GLTF || document->dialect != MMD_DIALECT_NONE ||
        document->physscene->body_count || document->physscene->joint_count)
        return;
    for (uint32_t i = 0; i < kept->body_count; i++) {
        had_items = had_items || kept->body_stamps[i];
        kept->bodies[i] = -1;
        kept->body_stamps[i] = 0;
    }
    for (uint32_t i = 0; i < kept->joint_count; i++) {
        had_items = had_items || kept->joint_stamps[i];
        kept->joints[i] = -1;
        kept->joint_stamps[i] = 0;
    }
    kept->world_stamp = stamp_world(document->physscene);
    if (had_items)
        losses_add(&document->losses, MMD_LOSS_INFO, false, document->format, "physics.restored",
                   "extensionsUsed", "", "none", "as they were when the file was written");
}

mmd_status restore_kept(mmd_exchange *document, mmd_error *error)
{
    assert(document);
    mmd_exchange_kept *kept = document->kept;
    source_scene source;
    mmd_error wrong = {0};
    if (kept->format == MMD_EXCHANGE_UNKNOWN)
        return MMD_OK;
    mmd_status status = source_open(kept, &source, &wrong);
    mmd_physscene scene = {0};
    restore_job job = {.kept = kept,
                       .source = source.scene,
                       .found = document->physscene,
                       .format = document->format,
                       .scene = &scene};
    keep_baseline base = {0};
    if (status == MMD_OK && !counts_match(kept, source.scene))
        status = MMD_ERROR_VALUE;
    if (status == MMD_OK) {
        keep_stripped_physics(document);
        if (!make_baseline(document, &source, &base, &job))
            status = mmd_error_set(&wrong, MMD_ERROR_MEMORY, "physics", MMD_NO_OFFSET, "no memory for it");
    }
    if (status == MMD_OK)
        status = restore_scene(&job, &wrong);
    if (status == MMD_OK) {
        assign_bones(document, &source, &job);
        status = replace_scene(document, &job, &wrong);
    }
    keep_baseline_finish(&base);
    source_close(&source);
    if (status == MMD_OK)
        return MMD_OK;
    if (status != MMD_ERROR_MEMORY)
        return report_unusable_record(document);
    if (error)
        *error = wrong;
    return status;
}
