/*
 * Writes a scene as a Ragdoll dump (docs/formats.md 3 and 4) that Ragdoll's loader `dedump` can load. If the
 * scene came from a dump, directly or through another format, that dump is the base: unedited entities stay
 * unchanged, edited ones get new components. Bodies and joints of the scene are in the dump's order.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "mmd/memory.h"
#include "roundtrip/keep.h"
#include "ragdoll.h"

/* ------------------------------------------------------------ components */

void ragdoll_put(ragdoll_writer *writer, json_t *object, const char *key, json_t *value)
{
    assert(writer);
    if (!object || !value || json_object_set_new(object, key, value) != 0)
        writer->failed = true;
}

void ragdoll_put_component(ragdoll_writer *writer, json_t *components, const char *name, json_t *members)
{
    assert(writer);
    json_t *component = json_object();
    ragdoll_put(writer, component, "type", json_string(name));
    ragdoll_put(writer, component, "members", members);
    ragdoll_put(writer, components, name, component);
}

json_t *ragdoll_values(const char *type, const float *values, size_t count)
{
    assert(values || count == 0);
    return json_pack("{s:s, s:o}", "type", type, "values", json_from_floats(values, count));
}

json_t *ragdoll_entity_value(uint32_t id)
{
    return json_pack("{s:s, s:I}", "type", "Entity", "value", (json_int_t)id);
}

json_t *ragdoll_matrix(const mmd_transform *transform)
{
    mmd_transform placed;
    float columns[16];
    mmd_exchange_to_file(MMD_EXCHANGE_RAGDOLL, transform, &placed);
    mmd_transform_matrix(&placed, columns); /* columns of column vectors are rows of row vectors */
    return ragdoll_values("Matrix44", columns, 16);
}

json_t *ragdoll_components(ragdoll_writer *writer, uint32_t id)
{
    assert(writer);
    char key[16];
    snprintf(key, sizeof key, "%u", id);
    json_t *entity = json_object_get(writer->entities, key);
    if (!entity) {
        entity = json_object();
        ragdoll_put(writer, writer->entities, key, entity);
        ragdoll_put(writer, entity, "id", json_integer((json_int_t)id));
        ragdoll_put(writer, entity, "components", json_object());
    }
    return writer->failed ? NULL : json_object_get(entity, "components");
}

json_t *ragdoll_members(ragdoll_writer *writer, json_t *components, const char *name)
{
    assert(writer);
    json_t *members = json_object_get(json_object_get(components, name), "members");
    if (json_is_object(members))
        return members;
    members = json_object();
    ragdoll_put_component(writer, components, name, members);
    return writer->failed ? NULL : members;
}

/* Returns the path of an item. `|` separates its parts; dedump uses the last but one as the name. */
static json_t *path_of(const char *name, const char *kind)
{
    char path[512];
    int length = snprintf(path, sizeof path, "|odori|physics|%.200s|%s", name, kind);
    char *part = path + strlen("|odori|physics|");
    for (size_t i = 0; i + strlen(kind) + 1 < strlen(part); i++)
        if (part[i] == '|')
            part[i] = '_';
    return length > 0 ? json_text(path) : NULL;
}

void ragdoll_put_common(ragdoll_writer *writer, json_t *components, const char *name, const char *kind,
                        const mmd_transform *rest)
{
    assert(writer);
    static const float ones[3] = {1, 1, 1};
    json_t *named = ragdoll_members(writer, components, "NameComponent");
    ragdoll_put(writer, named, "path", path_of(name, kind));
    ragdoll_put(writer, named, "shortestPath", json_text(name));
    ragdoll_put(writer, named, "value", json_text(name));
    ragdoll_put_component(writer, components, "SceneComponent",
                          json_pack("{s:o}", "entity", ragdoll_entity_value(writer->solver)));
    ragdoll_put_component(writer, components, "RestComponent",
                          json_pack("{s:o}", "matrix", ragdoll_matrix(rest)));
    ragdoll_put_component(writer, components, "ScaleComponent",
                          json_pack("{s:o, s:o}", "absolute", ragdoll_values("Vector3", ones, 3), "value",
                                    ragdoll_values("Vector3", ones, 3)));
}

void ragdoll_loss(ragdoll_writer *writer, mmd_loss_severity severity, const char *code, const char *kind,
                  uint32_t item, const char *name, const char *field, const char *source, const char *emitted)
{
    assert(writer);
    assert((unsigned)severity <= MMD_LOSS_DROPPED);
    char path[LOSS_PATH_MAX];
    if (!writer->job->second_pass)
        return;
    losses_path(path, kind, item, name);
    losses_add(&writer->job->output->losses, severity, true, MMD_EXCHANGE_RAGDOLL, code, path, field, source,
               emitted);
}

/* ---------------------------------------------------------------- solver */

/* Writes the world to the solver. */
static void put_solver(ragdoll_writer *writer, json_t *components)
{
    const mmd_phys_world *world = &writer->job->scene->world;
    const float gravity[3] = {CM_PER_UNIT * world->gravity[0], CM_PER_UNIT * world->gravity[1],
                              -CM_PER_UNIT * world->gravity[2]};
    json_t *solver = ragdoll_members(writer, components, "SolverComponent");
    ragdoll_put(writer, solver, "gravity", ragdoll_values("Vector3", gravity, 3));
    ragdoll_put(writer, solver, "useGround", json_boolean(world->ground));
    ragdoll_put(writer, solver, "groundFriction", json_from_float(world->ground_friction));
    ragdoll_put(writer, solver, "groundRestitution", json_from_float(world->ground_restitution));
    ragdoll_put(writer, solver, "spaceMultiplier", json_from_float(1));
    ragdoll_put(writer, solver, "substeps", json_integer(world->rate > 60 ? world->rate / 60 : 1));
    ragdoll_put(writer, solver, "positionIterations", json_integer(world->iterations));
}

/* Writes the solver's other values and its common components. */
static void put_solver_defaults(ragdoll_writer *writer, json_t *components)
{
    json_t *solver =
        json_pack("{s:f, s:f, s:s, s:s, s:b, s:b, s:b, s:b, s:i, s:f, s:i}", "airDensity", 1.0,
                  "bounceThresholdVelocity", 1.0, "collisionDetectionType", "PCM", "type", "TGS", "enabled",
                  1, "enableCCD", 0, "enableEnhancedFriction", 0, "enableStabilisation", 0, "numThreads", 0,
                  "timeMultiplier", 1.0, "velocityIterations", 1);
    mmd_transform rest = {.rotation = {0, 0, 0, 1},
                          .translation = {0, writer->job->scene->world.ground_height, 0, 0}};
    ragdoll_put_component(writer, components, "SolverComponent", solver);
    ragdoll_put_common(writer, components, "scene", "rScene", &rest);
}

/* Writes the source for the way back: a document as JSON, a PMX as base64. */
static void put_kept(ragdoll_writer *writer, json_t *components)
{
    const write_job *job = writer->job;
    json_t *source = NULL;
    if (writer->failed || (!job->document && !(job->pmx && job->pmx->size)))
        return;
    source = job->document ? json_deep_copy(job->document) : keep_base64(job->pmx->data, job->pmx->size);
    writer->failed = writer->failed || !source;
    if (source)
        ragdoll_put_component(writer, components, "MMDComponent", keep_json(job, source));
}

/* ------------------------------------------------------------- beginning */

/* Returns the dump to extend, or NULL. */
static const json_t *base_of(const write_job *job)
{
    if (!job->kept)
        return NULL;
    if (job->source == MMD_EXCHANGE_RAGDOLL)
        return job->kept->root;
    return job->kept->format == MMD_EXCHANGE_RAGDOLL ? job->kept->source : NULL;
}

/*
 * Returns the scene's index of body (joint) i of the base; -1: the target never had it, -2: it was deleted.
 */
static int32_t scene_body_of(const write_job *job, uint32_t i)
{
    if (job->source == MMD_EXCHANGE_RAGDOLL)
        return i < job->scene->body_count ? (int32_t)i : -2;
    if (i >= job->kept->body_count)
        return -1;
    return job->kept->bodies[i] < 0 && job->kept->body_stamps[i] ? -2 : job->kept->bodies[i];
}

static int32_t scene_joint_of(const write_job *job, uint32_t i)
{
    if (job->source == MMD_EXCHANGE_RAGDOLL)
        return i < job->scene->joint_count ? (int32_t)i : -2;
    if (i >= job->kept->joint_count)
        return -1;
    return job->kept->joints[i] < 0 && job->kept->joint_stamps[i] ? -2 : job->kept->joints[i];
}

/*
 * Stores the id of an entity, whose index in the scene is `here`. A deleted item loses its component; returns
 * true when the entity is empty then.
 */
static bool map_entity(json_t *components, const char *name, int32_t here, uint32_t id, uint32_t count,
                       uint32_t *ids)
{
    if (here >= 0 && (uint32_t)here < count)
        ids[here] = id;
    if (here != -2)
        return false;
    json_object_del(components, name);
    return !json_object_get(components, "RigidComponent") && !json_object_get(components, "JointComponent");
}

/* Maps the base's entities to the scene's bodies and joints, and removes deleted ones. */
static void map_base(ragdoll_writer *writer)
{
    const write_job *job = writer->job;
    const char *key;
    json_t *value;
    void *next;
    uint32_t bodies = 0, joints = 0;
    json_object_foreach_safe(writer->entities, next, key, value)
    {
        json_t *components = json_object_get(value, "components");
        unsigned id = 0;
        sscanf(key, "%10u", &id);
        writer->next = id >= writer->next && id < UINT32_MAX / 2 ? id + 1 : writer->next;
        bool solver = json_object_get(components, "SolverComponent") != NULL, gone = false;
        if (solver)
            writer->solver = writer->solver ? writer->solver : id;
        else if (json_object_get(components, "RigidComponent"))
            gone = map_entity(components, "RigidComponent", scene_body_of(job, bodies++), id,
                              job->scene->body_count, writer->body_ids);
        if (json_object_get(components, "JointComponent"))
            gone = map_entity(components, "JointComponent", scene_joint_of(job, joints++), id,
                              job->scene->joint_count, writer->joint_ids);
        if (gone && !solver)
            json_object_del(writer->entities, key);
    }
}

/* Reads the source again, to detect edits, if it is the dump that is written. */
static void read_before(ragdoll_writer *writer)
{
    mmd_buffer text = {0};
    if (writer->job->source == MMD_EXCHANGE_RAGDOLL &&
        json_append(writer->root, false, &text, NULL) == MMD_OK)
        mmd_exchange_read(text.data, text.size, NULL, NULL, &writer->before, NULL);
    mmd_buffer_finish(&text);
}

static const char *name_of(const write_job *job)
{
    return job->options && job->options->name ? job->options->name : "ragdoll.json";
}

/* Copies the base or creates an empty dump. */
static void begin(ragdoll_writer *writer)
{
    const json_t *base = base_of(writer->job);
    writer->next = 1;
    if (base) {
        writer->root = json_deep_copy(base);
        writer->entities = json_object_get(writer->root, "entities");
        writer->failed = !writer->entities;
        if (!writer->failed) {
            map_base(writer);
            read_before(writer);
        }
        return;
    }
    writer->solver = 1048576;
    writer->root = json_pack("{s:s, s:{s:s, s:s}, s:{s:s, s:s, s:s}, s:{}}", "schema", "ragdoll-1.0", "info",
                             "mayaVersion", "", "ragdollVersion", "2021.03.29", "ui", "description", "",
                             "filename", name_of(writer->job), "thumbnail", "", "entities");
    writer->entities = json_object_get(writer->root, "entities");
    writer->failed = !writer->entities;
}

/* Marks bodies and joints that are unchanged in the base. */
static void mark_unchanged(const ragdoll_writer *writer, bool *bodies, bool *joints)
{
    const write_job *job = writer->job;
    const mmd_physscene *before = writer->before ? writer->before->physscene : NULL, *scene = job->scene;
    for (uint32_t i = 0; before && i < scene->body_count; i++)
        bodies[i] = i < before->body_count && stamp_body(before, i) == stamp_body(scene, i);
    for (uint32_t i = 0; before && i < scene->joint_count; i++)
        joints[i] = i < before->joint_count && stamp_joint(before, i) == stamp_joint(scene, i);
    if (before || !base_of(job) || job->source == MMD_EXCHANGE_RAGDOLL)
        return;
    for (uint32_t i = 0; i < job->kept->body_count; i++)
        if (keep_body_unchanged(job->kept, scene, i))
            bodies[job->kept->bodies[i]] = writer->body_ids[job->kept->bodies[i]] != 0;
    for (uint32_t i = 0; i < job->kept->joint_count; i++)
        if (keep_joint_unchanged(job->kept, scene, i))
            joints[job->kept->joints[i]] = writer->joint_ids[job->kept->joints[i]] != 0;
}

/* ------------------------------------------------------------------- all */

/* Returns whether the base's world is unchanged. */
static bool world_unchanged(const ragdoll_writer *writer)
{
    if (!writer->before)
        return base_of(writer->job) && stamp_world(writer->job->scene) == writer->job->kept->world_stamp;
    const mmd_phys_world *a = &writer->before->physscene->world, *b = &writer->job->scene->world;
    return memcmp(a->gravity, b->gravity, sizeof a->gravity) == 0 && a->ground == b->ground &&
           a->ground_friction == b->ground_friction && a->ground_restitution == b->ground_restitution &&
           a->rate == b->rate && a->iterations == b->iterations;
}

/* Assigns ids to new items and returns all ids to the caller. */
static void assign_ids(ragdoll_writer *writer)
{
    const write_job *job = writer->job;
    for (uint32_t i = 0; i < job->scene->body_count; i++) {
        writer->body_ids[i] = writer->body_ids[i] ? writer->body_ids[i] : writer->next++;
        if (job->body_items)
            job->body_items[i] = (int32_t)writer->body_ids[i];
    }
    for (uint32_t i = 0; i < job->scene->joint_count; i++) {
        writer->joint_ids[i] = writer->joint_ids[i] ? writer->joint_ids[i] : writer->next++;
        if (job->joint_items)
            job->joint_items[i] = (int32_t)writer->joint_ids[i];
    }
}

/* Writes everything that changed. */
static void put_all(ragdoll_writer *writer)
{
    const mmd_physscene *scene = writer->job->scene;
    json_t *components = writer->solver ? ragdoll_components(writer, writer->solver) : NULL;
    if (components && !base_of(writer->job))
        put_solver_defaults(writer, components);
    if (components && !world_unchanged(writer))
        put_solver(writer, components);
    uint32_t bodies = scene->body_count, joints = scene->joint_count;
    bool *unchanged = mmd_alloc((bodies + joints + (size_t)1) * sizeof *unchanged);
    writer->failed = writer->failed || !unchanged;
    if (!writer->failed) {
        memset(unchanged, 0, (bodies + (size_t)joints) * sizeof *unchanged);
        mark_unchanged(writer, unchanged, unchanged + bodies);
    }
    assign_ids(writer);
    for (uint32_t i = 0; !writer->failed && i < bodies; i++)
        if (!unchanged[i])
            ragdoll_write_body(writer, i);
    for (uint32_t i = 0; !writer->failed && i < joints; i++)
        if (!unchanged[bodies + i])
            ragdoll_write_joint(writer, i);
    if (components)
        put_kept(writer, components);
    for (uint32_t i = 0; i < scene->soft_body_count; i++)
        ragdoll_loss(writer, MMD_LOSS_DROPPED, "soft_body.dropped", "soft body", i,
                     scene->soft_bodies[i].name, "shape", "", "");
    mmd_free(unchanged);
}

/* Writes the counts that a new dump contains. */
static void put_counts(ragdoll_writer *writer)
{
    json_t *info = json_object_get(writer->root, "info");
    json_int_t count = (json_int_t)json_object_size(writer->entities);
    if (base_of(writer->job))
        return;
    ragdoll_put(writer, info, "entitiesCount", json_integer(count));
    ragdoll_put(writer, info, "registryAlive", json_integer(count));
    ragdoll_put(writer, info, "registrySize", json_integer(count));
    ragdoll_put(writer, info, "serialisationTimeMs", json_integer(0));
    ragdoll_put(writer, info, "timestamp", json_integer(0));
}

static mmd_status output(ragdoll_writer *writer, mmd_error *error)
{
    const write_job *job = writer->job;
    mmd_exchange_file *file = writer->failed ? NULL : output_add(job->output, name_of(job));
    if (!file)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "ragdoll", MMD_NO_OFFSET, "no memory for the dump");
    return json_append(writer->root, true, &file->data, error);
}

mmd_status ragdoll_write(const write_job *job, mmd_error *error)
{
    assert(job);
    ragdoll_writer writer = {.job = job};
    size_t bodies = (job->scene->body_count + (size_t)1) * sizeof(uint32_t);
    size_t joints = (job->scene->joint_count + (size_t)1) * sizeof(uint32_t);
    writer.body_ids = mmd_alloc(bodies);
    writer.joint_ids = mmd_alloc(joints);
    writer.failed = !writer.body_ids || !writer.joint_ids;
    if (!writer.failed) {
        memset(writer.body_ids, 0, bodies);
        memset(writer.joint_ids, 0, joints);
        begin(&writer);
    }
    if (!writer.failed)
        put_all(&writer);
    if (!writer.failed)
        put_counts(&writer);
    mmd_status status = output(&writer, error);
    mmd_exchange_destroy(writer.before);
    json_decref(writer.root);
    mmd_free(writer.body_ids);
    mmd_free(writer.joint_ids);
    return status;
}
