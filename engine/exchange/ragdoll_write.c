/*
 * A scene as a Ragdoll dump (FORMATS.md 3 and 4), such as the seed's own
 * dedump rebuilds. Where the scene came from a dump, directly or by way of
 * another format, that dump is the beginning: what nobody edited stays as it
 * was, word for word, and what was edited has the components that say it
 * replaced. Bodies and joints of the scene are the dump's in its own order.
 */
#include <stdio.h>
#include <string.h>

#include "mmd/memory.h"
#include "ragdoll_writer.h"

/* ------------------------------------------------------------ components */

void ragdoll_put(ragdoll_writer *writer, json_t *object, const char *key, json_t *value)
{
    if (!object || !value || json_object_set_new(object, key, value) != 0)
        writer->failed = true;
}

void ragdoll_put_component(ragdoll_writer *writer, json_t *components, const char *name, json_t *members)
{
    json_t *component = json_object();
    ragdoll_put(writer, component, "type", json_string(name));
    ragdoll_put(writer, component, "members", members);
    ragdoll_put(writer, components, name, component);
}

json_t *ragdoll_values(const char *type, const float *values, size_t count)
{
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
    json_t *members = json_object_get(json_object_get(components, name), "members");
    if (json_is_object(members))
        return members;
    members = json_object();
    ragdoll_put_component(writer, components, name, members);
    return writer->failed ? NULL : members;
}

/* `|` parts paths: dedump takes the last but one of them as the name. */
static json_t *path_of(const char *name, const char *kind)
{
    char path[512];
    int length = snprintf(path, sizeof path, "|odori|physics|%.200s|%s", name, kind);
    char *part = path + strlen("|odori|physics|");
    for (size_t i = 0; i + strlen(kind) + 1 < strlen(part); i++)
        if (part[i] == '|')
            part[i] = '_';
    json_t *text = length > 0 ? json_string(path) : NULL;
    return text ? text : json_sprintf("|odori|physics|%s|%s", kind, kind); /* cut within a letter */
}

void ragdoll_put_common(ragdoll_writer *writer, json_t *components, const char *name, const char *kind,
                        const mmd_transform *rest)
{
    static const float ones[3] = {1, 1, 1};
    json_t *named = ragdoll_members(writer, components, "NameComponent");
    ragdoll_put(writer, named, "path", path_of(name, kind));
    ragdoll_put(writer, named, "shortestPath", json_string(name));
    ragdoll_put(writer, named, "value", json_string(name));
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
    char path[160];
    if (!writer->job->body_stamps)
        return;
    snprintf(path, sizeof path, "%s %u (%.100s)", kind, item, name);
    losses_add(&writer->job->output->losses, severity, true, MMD_EXCHANGE_RAGDOLL, code, path, field, source,
               emitted);
}

/* ---------------------------------------------------------------- solver */

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

static void put_solver_rest(ragdoll_writer *writer, json_t *components)
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

/* The source, for the way back: a document as it is, a PMX file as base64; and what the dump says of each. */
static json_t *stamps(const uint64_t *values, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < count; i++) {
        char text[17];
        stamp_text(values[i], text);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

static void put_kept(ragdoll_writer *writer, json_t *components)
{
    const write_job *job = writer->job;
    bool pmx = job->pmx && job->pmx->size;
    json_t *members = pmx || job->document ? json_object() : NULL;
    if (!members)
        return;
    ragdoll_put(writer, members, "format", json_string(pmx ? "pmx" : "gltf"));
    if (pmx) {
        mmd_buffer text = {0};
        json_base64_encode(job->pmx->data, job->pmx->size, &text);
        writer->failed = writer->failed || text.failed;
        ragdoll_put(writer, members, "source", json_stringn((const char *)text.data, text.size));
        mmd_buffer_finish(&text);
    } else {
        ragdoll_put(writer, members, "source", json_deep_copy(job->document));
    }
    if (job->body_stamps)
        ragdoll_put(writer, members, "bodies", stamps(job->body_stamps, job->scene->body_count));
    if (job->joint_stamps)
        ragdoll_put(writer, members, "joints", stamps(job->joint_stamps, job->scene->joint_count));
    if (job->body_stamps)
        ragdoll_put(writer, members, "mesh", stamps(&job->mesh_stamp, 1));
    ragdoll_put_component(writer, components, "MMDComponent", members);
}

/* ------------------------------------------------------------- beginning */

static const json_t *base_of(const write_job *job)
{
    if (!job->kept)
        return NULL;
    if (job->source == MMD_EXCHANGE_RAGDOLL)
        return job->kept->root;
    return job->kept->format == MMD_EXCHANGE_RAGDOLL ? job->kept->source : NULL;
}

/* Ids of the base's bodies and joints, in its order, which is the scene's. */
static void list_base(ragdoll_writer *writer)
{
    const char *key;
    json_t *value;
    uint32_t bodies = 0, joints = 0;
    json_object_foreach(writer->entities, key, value)
    {
        json_t *components = json_object_get(value, "components");
        unsigned id = 0;
        sscanf(key, "%10u", &id);
        writer->next = id >= writer->next && id < UINT32_MAX / 2 ? id + 1 : writer->next;
        bool solver = json_object_get(components, "SolverComponent") != NULL;
        if (solver)
            writer->solver = id;
        else if (json_object_get(components, "RigidComponent") && bodies < writer->job->scene->body_count)
            writer->body_ids[bodies++] = id;
        if (json_object_get(components, "JointComponent") && joints < writer->job->scene->joint_count)
            writer->joint_ids[joints++] = id;
    }
}

/* The source as it was read, to see what was edited since; only where it is this very dump. */
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

static void begin(ragdoll_writer *writer)
{
    const json_t *base = base_of(writer->job);
    writer->next = 1;
    if (base) {
        writer->root = json_deep_copy(base);
        writer->entities = json_object_get(writer->root, "entities");
        writer->failed = !writer->entities;
        if (!writer->failed) {
            list_base(writer);
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

static bool body_held(const ragdoll_writer *writer, uint32_t body)
{
    const write_job *job = writer->job;
    if (!writer->body_ids[body])
        return false;
    if (writer->before)
        return body < writer->before->physscene->body_count &&
               stamp_body(writer->before->physscene, body) == stamp_body(job->scene, body);
    return job->kept && body < job->kept->body_count && job->kept->body_stamps &&
           job->kept->body_stamps[body] == stamp_body(job->scene, body);
}

static bool joint_held(const ragdoll_writer *writer, uint32_t joint)
{
    const write_job *job = writer->job;
    if (!writer->joint_ids[joint])
        return false;
    if (writer->before)
        return joint < writer->before->physscene->joint_count &&
               stamp_joint(writer->before->physscene, joint) == stamp_joint(job->scene, joint);
    return job->kept && joint < job->kept->joint_count && job->kept->joint_stamps &&
           job->kept->joint_stamps[joint] == stamp_joint(job->scene, joint);
}

/* ------------------------------------------------------------------- all */

static bool world_held(const ragdoll_writer *writer)
{
    if (!writer->before)
        return base_of(writer->job) != NULL;
    const mmd_phys_world *a = &writer->before->physscene->world, *b = &writer->job->scene->world;
    return memcmp(a->gravity, b->gravity, sizeof a->gravity) == 0 && a->ground == b->ground &&
           a->ground_friction == b->ground_friction && a->ground_restitution == b->ground_restitution &&
           a->rate == b->rate && a->iterations == b->iterations;
}

static void put_all(ragdoll_writer *writer)
{
    const mmd_physscene *scene = writer->job->scene;
    json_t *components = writer->solver ? ragdoll_components(writer, writer->solver) : NULL;
    if (components && !base_of(writer->job))
        put_solver_rest(writer, components);
    if (components && !world_held(writer))
        put_solver(writer, components);
    if (components)
        put_kept(writer, components);
    bool *held = mmd_alloc((scene->body_count + (size_t)1) * sizeof *held);
    writer->failed = writer->failed || !held;
    for (uint32_t i = 0; !writer->failed && i < scene->body_count; i++) {
        held[i] = body_held(writer, i);
        writer->body_ids[i] = writer->body_ids[i] ? writer->body_ids[i] : writer->next++;
    }
    for (uint32_t i = 0; !writer->failed && i < scene->body_count; i++)
        if (!held[i])
            ragdoll_write_body(writer, i);
    for (uint32_t i = 0; !writer->failed && i < scene->joint_count; i++) {
        if (joint_held(writer, i))
            continue;
        writer->joint_ids[i] = writer->joint_ids[i] ? writer->joint_ids[i] : writer->next++;
        ragdoll_write_joint(writer, i);
    }
    mmd_free(held);
}

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
