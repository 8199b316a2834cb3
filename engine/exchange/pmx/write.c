/*
 * pmx_write: a model and a scene as a PMX, 2.0 where that can say it, with its
 * pictures beside it, and NAME.physics.json, which keeps the document that it
 * came from (keep/keep.c).
 */
#include "merge.h"
#include "write.h"

#include <stdio.h>
#include <string.h>

#include "mmd/format.h"
#include "mmd/memory.h"

/* -------------------------------------------------------------- what is shared */

void *target_alloc(pmx_target *target, size_t count, size_t size)
{
    void *memory = target->failed ? NULL : mmd_arena_alloc(&target->arena, count, size);
    target->failed = !memory;
    return memory;
}

const char *target_text(pmx_target *target, const char *text)
{
    char *copy = target->failed ? NULL : mmd_arena_text(&target->arena, text, strlen(text));
    target->failed = !copy;
    return copy ? copy : "";
}

const char *target_name(pmx_target *target, const char *text, const char *kind, uint32_t number)
{
    char made[64];
    if (text[0])
        return text;
    snprintf(made, sizeof made, "%.40s %u", kind, number);
    return target_text(target, made);
}

void target_loss(pmx_target *target, mmd_loss_severity severity, const char *code, const char *kind,
                 uint32_t item, const char *name, const char *field, const char *source, const char *emitted)
{
    char path[LOSS_PATH_MAX];
    if (!target->job->body_stamps)
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

/* NAME.physics.json of NAME.pmx. */
static mmd_exchange_file *add_sidecar(const write_job *job)
{
    char name[MMD_PATH_MAX];
    const char *whole = name_of(job), *end = strrchr(whole, '.');
    int length = end && end > whole ? (int)(end - whole) : (int)strlen(whole);
    snprintf(name, sizeof name, "%.*s.physics.json", length, whole);
    return output_add(job->output, name);
}

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

static mmd_status write_bytes(const write_job *job, const mmd_buffer *bytes, mmd_error *error)
{
    mmd_exchange_file *file = output_add(job->output, name_of(job));
    if (file)
        mmd_write_bytes(&file->data, bytes->data, bytes->size);
    return file && !file->data.failed ? MMD_OK : no_memory(error);
}

/* A PMX, once more. */
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

/* -------------------------------------------------------------- the model */

static bool gravity_differs(const mmd_phys_world *world)
{
    mmd_phys_world usual = mmd_default_phys_world();
    return memcmp(world->gravity, usual.gravity, sizeof usual.gravity) != 0;
}

static void tell_world(pmx_target *target)
{
    const mmd_physscene *scene = target->job->scene;
    if (target->kept)
        return;
    if (gravity_differs(&scene->world) && scene->body_count)
        target_loss(target, MMD_LOSS_APPROXIMATED, "gravity.dropped", "world", 0, "", "gravity", "its own",
                    "98 units/s^2, of whoever plays it");
    if (scene->gravity_count)
        target_loss(target, MMD_LOSS_DROPPED, "gravity.dropped", "world", 0, "", "gravity", "fields", "");
}

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

/* The kept PMX's model, or one of the document's. */
static void write_model(pmx_target *target)
{
    if (target->holds_mesh) {
        target->model = target->job->merge ? target->job->merge->model : *target->kept;
        target->model.body_count = target->model.joint_count = 0;
    } else {
        target_write_model(target);
    }
    if (!target->failed)
        target_choose_filters(target);
    if (!target->failed)
        target_write_physics(target);
    tell_world(target);
}

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
