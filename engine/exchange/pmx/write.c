/*
 * pmx_write: writes a model and a scene as a PMX, version 2.0 if that is sufficient, with its pictures, and
 * NAME.physics.json, which keeps the document that it came from (roundtrip/keep.c).
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "merge.h"
#include "mmd/format.h"
#include "mmd/memory.h"
#include "write.h"

/* ------------------------------------------------------------- helpers */

void *target_alloc(pmx_target *target, size_t count, size_t size)
{
    assert(target);
    void *memory = target->failed ? NULL : mmd_arena_alloc(&target->arena, count, size);
    target->failed = !memory;
    return memory;
}

const char *target_text(pmx_target *target, const char *text)
{
    assert(target);
    char *copy = target->failed ? NULL : mmd_arena_text(&target->arena, text, strlen(text));
    target->failed = !copy;
    return copy ? copy : "";
}

const char *target_name(pmx_target *target, const char *text, const char *kind, uint32_t number)
{
    assert(target && text);
    char made[64];
    if (text[0])
        return text;
    snprintf(made, sizeof made, "%.40s %u", kind, number);
    return target_text(target, made);
}

void target_loss(pmx_target *target, mmd_loss_severity severity, const char *code, const char *kind,
                 uint32_t item, const char *name, const char *field, const char *source, const char *emitted)
{
    assert(target);
    assert((unsigned)severity <= MMD_LOSS_DROPPED);
    char path[LOSS_PATH_MAX];
    if (!target->job->second_pass)
        return;
    losses_path(path, kind, item, name);
    losses_add(&target->job->output->losses, severity, true, MMD_EXCHANGE_PMX, code, path, field, source,
               emitted);
}

/* ----------------------------------------------------------------- files */

static const char *name_of(const write_job *job)
{
    return job->options && job->options->name && job->options->name[0] ? job->options->name : "model.pmx";
}

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "pmx", MMD_NO_OFFSET, "no memory for the model");
}

/* Adds NAME.physics.json for NAME.pmx to the output. */
static mmd_exchange_file *add_sidecar(const write_job *job)
{
    char name[MMD_PATH_MAX];
    const char *whole = name_of(job), *end = strrchr(whole, '.');
    int length = end && end > whole ? (int)(end - whole) : (int)strlen(whole);
    snprintf(name, sizeof name, "%.*s.physics.json", length, whole);
    return output_add(job->output, name);
}

/* Writes the sidecar. */
static mmd_status write_sidecar(const write_job *job, mmd_error *error)
{
    if (!job->document)
        return MMD_OK;
    json_t *source = json_deep_copy(job->document);
    json_t *kept = source ? keep_json(job, source) : NULL;
    mmd_exchange_file *file = kept ? add_sidecar(job) : NULL;
    mmd_status status = file ? json_append(kept, true, &file->data, error) : no_memory(error);
    json_decref(kept);
    return status;
}

/* Writes the PMX's bytes. */
static mmd_status write_bytes(const write_job *job, const mmd_buffer *bytes, mmd_error *error)
{
    mmd_exchange_file *file = output_add(job->output, name_of(job));
    if (file)
        mmd_write_bytes(&file->data, bytes->data, bytes->size);
    return file && !file->data.failed ? MMD_OK : no_memory(error);
}

/* Writes a PMX input unchanged. */
static mmd_status write_same(const write_job *job, mmd_error *error)
{
    mmd_status status = write_bytes(job, job->pmx, error);
    for (uint32_t i = 0; job->body_items && i < job->scene->body_count; i++)
        job->body_items[i] = (int32_t)i;
    for (uint32_t i = 0; job->joint_items && i < job->scene->joint_count; i++)
        job->joint_items[i] = (int32_t)i;
    const mmd_exchange_input *input = job->input;
    if (status != MMD_OK || !input || !input->sidecar || !input->sidecar_size)
        return status;
    mmd_exchange_file *file = add_sidecar(job);
    if (file)
        mmd_write_bytes(&file->data, input->sidecar, input->sidecar_size);
    return file && !file->data.failed ? MMD_OK : no_memory(error);
}

/* -------------------------------------------------------------- kept PMX */

/*
 * The kept PMX: finds which of its bodies and joints are as they were written (or were restored in
 * roundtrip/restore.c), which were edited, deleted or added, and writes them all.
 *
 * For each body of the PMX the record has the body of the document that represents it and its stamp. A body
 * without stamp was never written to the document and is retained. If the document's body is gone, so is the
 * PMX's, with its joints.
 */

/* ----------------------------------------------------------------- stamps */

typedef uint64_t stamp_item(const mmd_physscene *scene, uint32_t item);

/*
 * Finds which of count kept items are unchanged: their stamp is that of the record, or of the PMX's own item.
 * Returns whether all are, and the scene has no others.
 */
static bool find_unchanged(const pmx_target *target, const mmd_physscene *own, stamp_item *stamp,
                           uint32_t count, const int32_t *scene_item, const uint64_t *stamps,
                           uint32_t scene_count, bool *unchanged)
{
    const mmd_physscene *scene = target->job->scene;
    uint32_t unchanged_count = 0, matched = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t item = scene_item[i];
        unchanged[i] = item < 0 && stamps[i] == 0;
        if (item >= 0 && item < (int32_t)scene_count) {
            uint64_t now = stamp(scene, (uint32_t)item);
            unchanged[i] = now == stamps[i] || now == stamp(own, i);
            matched++;
        }
        unchanged_count += unchanged[i];
    }
    return unchanged_count == count && matched == scene_count;
}

/* Returns whether the record matches the kept PMX. */
static bool counts_match(const mmd_exchange_kept *kept, const mmd_model *model)
{
    return kept->body_count == model->body_count && kept->joint_count == model->joint_count &&
           (!kept->body_count || (kept->bodies && kept->body_stamps)) &&
           (!kept->joint_count || (kept->joints && kept->joint_stamps));
}

/* Finds unchanged bodies and joints. Returns whether all are. */
static bool find_all_unchanged(pmx_target *target, const mmd_physscene *own)
{
    const mmd_exchange_kept *kept = target->job->kept;
    const mmd_physscene *scene = target->job->scene;
    bool bodies = find_unchanged(target, own, stamp_body, kept->body_count, kept->bodies, kept->body_stamps,
                                 scene->body_count, target->body_unchanged);
    bool joints = find_unchanged(target, own, stamp_joint, kept->joint_count, kept->joints,
                                 kept->joint_stamps, scene->joint_count, target->joint_unchanged);
    return bodies && joints;
}

/*
 * Reads the kept PMX and finds unchanged items. Returns true if everything is unchanged and nothing was
 * added.
 */
static bool target_open_kept(pmx_target *target)
{
    assert(target);
    const write_job *job = target->job;
    const mmd_exchange_kept *kept = job->kept;
    mmd_physscene own;
    if (!kept || kept->format != MMD_EXCHANGE_PMX || !kept->pmx.size ||
        mmd_pmx_read(kept->pmx.data, kept->pmx.size, &target->kept, NULL) != MMD_OK)
        return false;
    target->kept_body = target_alloc(target, target->kept->body_count, sizeof *target->kept_body);
    target->body_unchanged = target_alloc(target, target->kept->body_count, sizeof *target->body_unchanged);
    target->joint_unchanged =
        target_alloc(target, target->kept->joint_count, sizeof *target->joint_unchanged);
    bool whole = counts_match(kept, target->kept);
    if (target->failed || !whole || mmd_model_physscene(target->kept, &own, NULL) != MMD_OK) {
        mmd_model_destroy(target->kept);
        target->kept = NULL;
        return false;
    }
    target->keeps_mesh =
        job->merge ||
        (job->model && kept->mesh_stamp &&
         (job->model->origin == MMD_ORIGIN_RAGDOLL || stamp_mesh(job->model) == kept->mesh_stamp));
    bool all = find_all_unchanged(target, &own);
    mmd_physscene_destroy(&own);
    return all && target->keeps_mesh && !job->merge;
}

/* ---------------------------------------------------------------- bodies */

/* Returns the new index of a bone of the kept PMX; -1: none. */
static int32_t kept_bone(pmx_target *target, int32_t bone)
{
    if (bone < 0)
        return -1;
    if (target->job->merge)
        return target->job->merge->bone_of_kept[bone];
    return target->keeps_mesh ? bone : target_find_bone(target, target->kept->bones[bone].name);
}

/* Writes a body of the kept PMX. */
static void put_unchanged_body(pmx_target *target, uint32_t number, int32_t scene_item)
{
    mmd_rigid_body *added = target_add_body(target);
    if (!added)
        return;
    *added = target->kept->bodies[number];
    added->bone = kept_bone(target, added->bone);
    if (scene_item >= 0)
        target->body_of[scene_item] = (int32_t)target->model.body_count - 1;
}

static bool are_near(const float *a, const float *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (fabsf(a[i] - b[i]) > 1e-6f * (1 + fabsf(b[i])))
            return false;
    return true;
}

/* Restores the values of an edited body that were not edited. A Ragdoll has neither bones nor mode 2. */
static void restore_unedited(pmx_target *target, uint32_t number, mmd_rigid_body *made)
{
    static const uint8_t sizes[3] = {1, 3, 2};
    const mmd_rigid_body *was = &target->kept->bodies[number];
    made->name_en = was->name_en;
    if (are_near(made->position, was->position, 3))
        memcpy(made->position, was->position, sizeof made->position);
    if (are_near(made->rotation, was->rotation, 3))
        memcpy(made->rotation, was->rotation, sizeof made->rotation);
    if (made->shape == was->shape && made->shape < 3 && are_near(made->size, was->size, sizes[made->shape]))
        memcpy(made->size, was->size, sizeof made->size);
    if (target->job->source != MMD_EXCHANGE_RAGDOLL)
        return;
    made->bone = kept_bone(target, was->bone);
    if (made->mode == 1 && was->mode == 2 && made->bone >= 0)
        made->mode = 2;
}

/* Writes the bodies of the kept PMX that still exist. */
static void put_kept_bodies(pmx_target *target)
{
    const mmd_exchange_kept *kept = target->job->kept;
    for (uint32_t i = 0; i < kept->body_count && !target->failed; i++) {
        int32_t scene_item = kept->bodies[i] < (int32_t)target->job->scene->body_count ? kept->bodies[i] : -1;
        target->kept_body[i] = -1;
        if (target->body_unchanged[i]) {
            put_unchanged_body(target, i, scene_item);
        } else if (scene_item >= 0) {
            target_write_body(target, (uint32_t)scene_item);
            if (!target->failed)
                restore_unedited(target, i, &target->model.bodies[target->model.body_count - 1]);
        } else {
            continue;
        }
        target->kept_body[i] = (int32_t)target->model.body_count - 1;
    }
}

/* Marks items that the other format's writer added, which are not written to the PMX. */
static void mark_added(const pmx_target *target, bool joints, bool *marks)
{
    const mmd_exchange_kept *kept = target->job->kept;
    const mmd_physscene *scene = target->job->scene;
    uint32_t count = joints ? kept->added_joint_count : kept->added_body_count;
    const int32_t *made = joints ? kept->added_joints : kept->added_bodies;
    for (uint32_t i = 0; i < count; i++)
        if (made[i] >= 0 && made[i] < (int32_t)(joints ? scene->joint_count : scene->body_count))
            marks[made[i]] = true;
}

/*
 * Writes bodies that are not the kept PMX's, then parts of compound bodies. Unchanged bodies need no parts.
 */
static void put_other_bodies(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    const mmd_exchange_kept *kept = target->job->kept;
    bool *unchanged = target_alloc(target, scene->body_count, sizeof *unchanged);
    if (!unchanged)
        return;
    for (uint32_t i = 0; target->kept && i < kept->body_count; i++)
        if (target->body_unchanged[i] && kept->bodies[i] >= 0 && kept->bodies[i] < (int32_t)scene->body_count)
            unchanged[kept->bodies[i]] = true;
    if (target->kept)
        mark_added(target, false, unchanged);
    for (uint32_t i = 0; i < scene->body_count && !target->failed; i++)
        if (target->body_of[i] < 0 && !unchanged[i])
            target_write_body(target, i);
    for (uint32_t i = 0; i < scene->body_count && !target->failed; i++)
        if (!unchanged[i])
            target_write_parts(target, i);
}

/* ---------------------------------------------------------------- joints */

/* Returns the new index of a body of the kept PMX. */
static int32_t new_body_number(const pmx_target *target, int32_t kept_body)
{
    return kept_body < 0 ? -1 : target->kept_body[kept_body];
}

/* Writes a joint of the kept PMX. */
static void put_unchanged_joint(pmx_target *target, uint32_t number, int32_t scene_item)
{
    mmd_joint joint = target->kept->joints[number];
    int32_t a = new_body_number(target, joint.body_a), b = new_body_number(target, joint.body_b);
    if ((joint.body_a >= 0 && a < 0) || (joint.body_b >= 0 && b < 0))
        return; /* deleted with its body */
    mmd_joint *added = target_add_joint(target);
    if (!added)
        return;
    *added = joint;
    added->body_a = a;
    added->body_b = b;
    if (scene_item >= 0)
        target->joint_of[scene_item] = (int32_t)target->model.joint_count - 1;
}

static void restore_unedited_joint(const mmd_joint *was, mmd_joint *made)
{
    made->name_en = was->name_en;
    if (are_near(made->position, was->position, 3))
        memcpy(made->position, was->position, sizeof made->position);
    if (are_near(made->rotation, was->rotation, 3))
        memcpy(made->rotation, was->rotation, sizeof made->rotation);
}

/* Writes the joints of the kept PMX that still exist. */
static void put_kept_joints(pmx_target *target)
{
    const mmd_exchange_kept *kept = target->job->kept;
    for (uint32_t i = 0; i < kept->joint_count && !target->failed; i++) {
        int32_t scene_item =
            kept->joints[i] < (int32_t)target->job->scene->joint_count ? kept->joints[i] : -1;
        if (target->joint_unchanged[i]) {
            put_unchanged_joint(target, i, scene_item);
        } else if (scene_item >= 0) {
            target_write_joint(target, (uint32_t)scene_item);
            if (!target->failed)
                restore_unedited_joint(&target->kept->joints[i],
                                       &target->model.joints[target->model.joint_count - 1]);
        }
    }
}

/* Writes joints that are not the kept PMX's; those deleted with a body are not written again. */
static void put_other_joints(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    const mmd_exchange_kept *kept = target->job->kept;
    bool *matched = target_alloc(target, scene->joint_count, sizeof *matched);
    for (uint32_t i = 0; matched && target->kept && i < kept->joint_count; i++)
        if (kept->joints[i] >= 0 && kept->joints[i] < (int32_t)scene->joint_count)
            matched[kept->joints[i]] = true;
    if (matched && target->kept)
        mark_added(target, true, matched);
    for (uint32_t i = 0; matched && i < scene->joint_count && !target->failed; i++)
        if (!matched[i])
            target_write_joint(target, i);
}

/* ---------------------------------------------------- references to bodies */

/* Renumbers the bodies of impulse morphs. */
static void remap_impulses(pmx_target *target)
{
    mmd_model *model = &target->model;
    mmd_morph *morphs = target_alloc(target, model->morph_count, sizeof *morphs);
    if (!morphs)
        return;
    for (uint32_t i = 0; i < model->morph_count; i++) {
        morphs[i] = model->morphs[i];
        if (morphs[i].kind != MMD_MORPH_IMPULSE)
            continue;
        mmd_impulse_offset *offsets = target_alloc(target, morphs[i].count, sizeof *offsets);
        for (uint32_t k = 0; offsets && k < morphs[i].count; k++) {
            offsets[k] = morphs[i].offsets.impulse[k];
            offsets[k].body = new_body_number(target, offsets[k].body);
        }
        if (offsets)
            morphs[i].offsets.impulse = offsets;
    }
    model->morphs = morphs;
}

/* Renumbers the bodies of soft bodies' anchors. */
static void remap_anchors(pmx_target *target)
{
    mmd_model *model = &target->model;
    mmd_soft_body *softs = target_alloc(target, model->soft_body_count, sizeof *softs);
    if (!softs)
        return;
    for (uint32_t i = 0; i < model->soft_body_count; i++) {
        softs[i] = model->soft_bodies[i];
        mmd_soft_anchor *anchors = target_alloc(target, softs[i].anchor_count, sizeof *anchors);
        for (uint32_t k = 0; anchors && k < softs[i].anchor_count; k++) {
            anchors[k] = softs[i].anchors[k];
            anchors[k].body = new_body_number(target, anchors[k].body);
        }
        if (anchors)
            softs[i].anchors = anchors;
    }
    model->soft_bodies = softs;
}

/* Writes all bodies and joints. */
static void target_write_physics(pmx_target *target)
{
    assert(target);
    const mmd_physscene *scene = target->job->scene;
    for (uint32_t i = 0; i < scene->body_count; i++)
        target->body_of[i] = -1;
    for (uint32_t i = 0; i < scene->joint_count; i++)
        target->joint_of[i] = -1;
    if (target->kept)
        put_kept_bodies(target);
    put_other_bodies(target);
    if (target->kept)
        put_kept_joints(target);
    put_other_joints(target);
    if (target->kept && target->keeps_mesh && !target->failed) {
        remap_impulses(target);
        remap_anchors(target);
    }
}

/* -------------------------------------------------------------- the model */

static bool gravity_differs(const mmd_phys_world *world)
{
    mmd_phys_world usual = mmd_default_phys_world();
    return memcmp(world->gravity, usual.gravity, sizeof usual.gravity) != 0;
}

/* Reports gravity, which a PMX cannot hold. */
static void report_world_losses(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    if (target->kept)
        return;
    if (gravity_differs(&scene->world) && scene->body_count)
        target_loss(target, MMD_LOSS_APPROXIMATED, "gravity.dropped", "world", 0, "", "gravity", "its own",
                    "98 units/s^2, set by the player");
    if (scene->gravity_count)
        target_loss(target, MMD_LOSS_DROPPED, "gravity.dropped", "world", 0, "", "gravity", "fields", "");
}

/* Allocates the maps and finds each body's largest shape. */
static void begin(pmx_target *target)
{
    const write_job *job = target->job;
    const mmd_physscene *scene = job->scene;
    target->anchor = -1;
    target->body_of =
        job->body_items ? job->body_items : target_alloc(target, scene->body_count, sizeof *target->body_of);
    target->joint_of = job->joint_items ? job->joint_items
                                        : target_alloc(target, scene->joint_count, sizeof *target->joint_of);
    target->largest = target_alloc(target, scene->body_count, sizeof *target->largest);
    for (uint32_t i = 0; target->largest && i < scene->body_count; i++)
        target->largest[i] = target_largest_shape(scene, &scene->bodies[i]);
}

/* Writes the model: the kept PMX's or a new one. */
static void write_model(pmx_target *target)
{
    if (target->keeps_mesh) {
        target->model = target->job->merge ? target->job->merge->model : *target->kept;
        target->model.body_count = target->model.joint_count = 0;
    } else {
        target_write_model(target);
    }
    if (!target->failed)
        target_choose_filters(target);
    if (!target->failed)
        target_write_physics(target);
    report_world_losses(target);
}

/* Writes the file; verbatim: the kept PMX's bytes. */
static mmd_status output(pmx_target *target, bool verbatim, mmd_error *error)
{
    const write_job *job = target->job;
    mmd_exchange_file *file = target->failed ? NULL : output_add(job->output, name_of(job));
    if (!file)
        return no_memory(error);
    target_write_pictures(target);
    if (target->failed)
        return no_memory(error);
    if (!verbatim)
        return mmd_pmx_write(&target->model, &file->data, error);
    mmd_write_bytes(&file->data, job->kept->pmx.data, job->kept->pmx.size);
    return file->data.failed ? no_memory(error) : MMD_OK;
}

mmd_status pmx_write(const write_job *job, mmd_error *error)
{
    assert(job);
    pmx_target target = {.job = job};
    if (job->source == MMD_EXCHANGE_PMX && job->pmx && job->pmx->size)
        return write_same(job, error);
    begin(&target);
    bool verbatim = !target.failed && target_open_kept(&target);
    if (!target.failed)
        write_model(&target);
    mmd_status status = output(&target, verbatim, error);
    if (status == MMD_OK)
        status = write_sidecar(job, error);
    mmd_model_destroy(target.kept);
    mmd_arena_finish(&target.arena);
    return status;
}
