/* Uses a document as a program does, and checks what such use relies on: valid indices and ranges, finite
 * numbers. */
#include "exchange_use.h"

#include <math.h>

#include "fuzz.h"
#include "mmd/physics.h"

/* Larger scenes are not simulated, because a single step takes too long. */
enum { BODIES_MAX = 24, JOINTS_MAX = 48, POINTS_MAX = 500, STEPS = 3 };

static bool finite_numbers(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return false;
    return true;
}

static bool index_or_none(int32_t index, uint32_t count)
{
    return index >= -1 && (index < 0 || (uint32_t)index < count);
}

/* Checks that numbers of vertices are finite and bone indices valid. */
static void use_vertices(const mmd_model *model)
{
    const mmd_vertices *v = &model->vertices;
    for (uint32_t i = 0; i < v->count; i++) {
        REQUIRE(finite_numbers(v->position[i], 3));
        REQUIRE(finite_numbers(v->normal[i], 3));
        REQUIRE(finite_numbers(v->uv[i], 2));
        REQUIRE(finite_numbers(v->weight[i], 4));
        REQUIRE(v->additional_uv_count == 0 || finite_numbers(v->additional_uv[0][i], 4));
        for (int k = 0; k < 4; k++)
            REQUIRE(index_or_none(v->bone[i][k], model->bone_count));
    }
    for (uint32_t i = 0; i < model->index_count; i++)
        REQUIRE(model->indices[i] < v->count);
}

/* Checks materials, bones and morphs: valid indices, finite numbers, consecutive index ranges. */
static void use_parts(const mmd_model *model)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < model->material_count; i++) {
        const mmd_material *material = &model->materials[i];
        REQUIRE(material->first_index == next);
        next += material->index_count;
        REQUIRE(index_or_none(material->texture, model->texture_count));
        REQUIRE(finite_numbers(material->diffuse, 4) && finite_numbers(material->ambient, 3));
    }
    REQUIRE(next == model->index_count);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        REQUIRE(index_or_none(model->bones[i].parent, model->bone_count));
        REQUIRE(model->bones[i].name && finite_numbers(model->bones[i].position, 3));
        REQUIRE(model->bone_order[i] < model->bone_count);
    }
    for (uint32_t i = 0; i < model->morph_count; i++) {
        const mmd_morph *morph = &model->morphs[i];
        REQUIRE(morph->kind == MMD_MORPH_VERTEX);
        for (uint32_t k = 0; k < morph->count; k++) {
            REQUIRE(morph->offsets.vertex[k].vertex >= 0);
            REQUIRE((uint32_t)morph->offsets.vertex[k].vertex < model->vertices.count);
            REQUIRE(finite_numbers(morph->offsets.vertex[k].offset, 3));
        }
    }
}

static void use_channel(const mmd_model *model, const mmd_animation_channel *channel, float seconds)
{
    float out[8] = {0};
    bool weight = channel->animated == MMD_ANIMATED_WEIGHT;
    REQUIRE(channel->target >= 0 && channel->count > 0);
    REQUIRE((uint32_t)channel->target < (weight ? model->morph_count : model->bone_count));
    for (int i = -1; i <= 8; i++)
        mmd_animation_sample(channel, (double)seconds * i / 7.0, NULL, out);
    REQUIRE(finite_numbers(out, 8));
}

static void use_animations(const mmd_exchange *document)
{
    for (uint32_t i = 0; i < document->animation_count; i++) {
        const mmd_animation *animation = &document->animations[i];
        for (uint32_t k = 0; k < animation->channel_count; k++)
            use_channel(document->model, &animation->channels[k], animation->seconds);
    }
}

static void use_textures(const mmd_exchange *document)
{
    for (uint32_t i = 0; i < document->model->texture_count && document->textures; i++) {
        char path[MMD_PATH_MAX];
        mmd_bytes bytes;
        mmd_error error;
        if (mmd_source_find(document->textures, document->model->textures[i], path) &&
            mmd_source_read(document->textures, path, &bytes, &error) == MMD_OK)
            mmd_bytes_finish(&bytes);
    }
}

static void take_rule(void *context, const char *path, const char *what)
{
    (void)context;
    REQUIRE(path[0] && what[0]);
}

static bool is_small(const mmd_physscene *scene)
{
    uint32_t points = 0;
    for (uint32_t i = 0; i < scene->mesh_count && points <= POINTS_MAX; i++)
        points += scene->meshes[i].point_count + scene->meshes[i].index_count;
    return scene->body_count > 0 && scene->body_count <= BODIES_MAX && scene->joint_count <= JOINTS_MAX &&
           scene->shape_count <= 2 * BODIES_MAX && scene->limit_count <= 4 * JOINTS_MAX &&
           scene->gravity_count <= BODIES_MAX && points <= POINTS_MAX;
}

/* Steps a small scene a few times, and requires finite transforms. */
static void simulate(const mmd_physscene *scene)
{
    mmd_world *world = NULL;
    mmd_error error;
    REQUIRE(mmd_world_create(MMD_PHYSICS_BULLET, &scene->world, &scene, 1, &world, &error) == MMD_OK);
    for (int step = 0; step < STEPS; step++)
        mmd_world_step(world);
    const mmd_transform *transforms = mmd_world_transforms(world);
    for (uint32_t i = 0; i < scene->body_count; i++)
        REQUIRE(finite_numbers(transforms[i].rotation, 4) && finite_numbers(transforms[i].translation, 3));
    mmd_world_destroy(world);
}

/* Writes a document in one format. It may be too large for the format, or have nothing that fits in it. */
static void write(const mmd_exchange_input *input, mmd_exchange_format format, mmd_dialect dialect,
                  bool binary)
{
    const mmd_exchange_options options = {
        .format = format, .dialect = dialect, .binary = binary, .name = "file"};
    mmd_exchange_output output;
    mmd_error error = {0};
    if (mmd_exchange_write(input, &options, &output, &error) == MMD_OK)
        REQUIRE(output.count > 0 && output.files[0].data.size > 0);
    else
        REQUIRE(output.count == 0 && error.message[0]);
    mmd_exchange_output_finish(&output);
}

static void write_all(const mmd_exchange *document)
{
    const mmd_exchange_input input = {.document = document, .folder = ""};
    write(&input, MMD_EXCHANGE_GLTF, MMD_DIALECT_NONE, true);
    write(&input, MMD_EXCHANGE_GLTF, MMD_DIALECT_OMI_PHYSICS_JOINTS, false);
    write(&input, MMD_EXCHANGE_RAGDOLL, MMD_DIALECT_NONE, false);
    write(&input, MMD_EXCHANGE_PMX, MMD_DIALECT_NONE, false);
}

/* Checks everything in a document. */
static void use_document(const mmd_exchange *document, exchange_depth depth)
{
    const mmd_physscene *scene = document->physscene;
    mmd_error error;
    REQUIRE(document->model && scene && document->generator);
    REQUIRE(mmd_physscene_check(scene, &error) == MMD_OK);
    for (uint32_t i = 0; i < scene->body_count; i++)
        REQUIRE(index_or_none(scene->bodies[i].bone, document->model->bone_count));
    use_vertices(document->model);
    use_parts(document->model);
    use_animations(document);
    use_textures(document);
    mmd_exchange_check_omi(document, take_rule, NULL);
    if (depth == EXCHANGE_CONVERT && is_small(scene))
        simulate(scene);
    if (depth == EXCHANGE_CONVERT)
        write_all(document);
}

void exchange_use(const uint8_t *data, size_t size, exchange_depth depth)
{
    static mmd_source *source;
    static uint8_t bytes[64];
    static const mmd_memory_file file = {.name = "b.bin", .data = bytes, .size = sizeof bytes};
    if (!source)
        source = mmd_source_memory(&file, 1);
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    REQUIRE(source);
    if (mmd_exchange_read(data, size, source, "", &document, &error) == MMD_OK)
        use_document(document, depth);
    else
        REQUIRE(!document && error.message[0] && error.section[0]);
    mmd_exchange_destroy(document);
    mmd_source_forget(source); /* it keeps what it listed */
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
}
