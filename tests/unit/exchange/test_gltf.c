/* Tests the glTF reader: small documents made here, damaged ones, and every shared file. */
#include "hostile.h"
#include "mmd/cursor.h"
#include "mmd/exchange.h"
#include "support.h"

#define UNIT 0.08F

/* ---------------------------------------------------------------- builders */

static void pad(mmd_buffer *out, uint8_t with)
{
    while (out->size % 4)
        mmd_write_u8(out, with);
}

/* Makes a GLB of JSON text and bytes. */
static mmd_buffer make_glb(const char *json, const void *bytes, size_t size)
{
    mmd_buffer text = {0}, out = {0};
    mmd_write_bytes(&text, json, strlen(json));
    pad(&text, ' ');
    uint32_t binary = (uint32_t)(size + 3) / 4 * 4, parts = size ? 28 : 20;
    mmd_write_u32(&out, 0x46546C67);
    mmd_write_u32(&out, 2);
    mmd_write_u32(&out, parts + (uint32_t)text.size + binary);
    mmd_write_u32(&out, (uint32_t)text.size);
    mmd_write_u32(&out, 0x4E4F534A);
    mmd_write_bytes(&out, text.data, text.size);
    if (size) {
        mmd_write_u32(&out, binary);
        mmd_write_u32(&out, 0x004E4942);
        mmd_write_bytes(&out, bytes, size);
        pad(&out, 0);
    }
    mmd_buffer_finish(&text);
    return out;
}

static mmd_exchange *read_with(const char *json, const void *bytes, size_t size)
{
    mmd_buffer glb = make_glb(json, bytes, size);
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    if (mmd_exchange_read(glb.data, glb.size, NULL, NULL, &document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    mmd_buffer_finish(&glb);
    return document;
}

static void assert_near(const float *found, const float *wanted, int count, float off)
{
    for (int i = 0; i < count; i++)
        if (!(fabsf(found[i] - wanted[i]) <= off))
            fail_msg("number %d: %g where %g should be", i, (double)found[i], (double)wanted[i]);
}

/* ----------------------------------------------------------------- nodes */

static void gltf_nodes_become_bones(void **state)
{
    (void)state;
    mmd_exchange *document =
        read_with("{\"asset\":{\"version\":\"2.0\",\"generator\":\"hand\"},\"scene\":0,"
                  "\"scenes\":[{\"nodes\":[1],\"name\":\"stage\"}],\"nodes\":["
                  "{\"name\":\"tip\",\"translation\":[0,1,0]},"
                  "{\"name\":\"base\",\"children\":[2],\"translation\":[0.8,0,0.16],"
                  "\"rotation\":[0,0,0.70710678,0.70710678],\"scale\":[2,2,2]},"
                  "{\"children\":[0],\"matrix\":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0.08,0,0,1]}]}",
                  NULL, 0);
    const mmd_model *model = document->model;
    assert_string_equal(document->generator, "hand");
    assert_string_equal(model->name, "stage");
    assert_int_equal(model->origin, MMD_ORIGIN_GLTF);
    assert_int_equal(model->bone_count, 3);
    assert_string_equal(model->bones[2].name, "#2");
    assert_int_equal(model->bones[0].parent, 2);
    assert_int_equal(model->bones[0].layer, 2);
    assert_int_equal(model->bone_order[0], 1);
    assert_near(model->bones[1].position, (float[3]){10, 0, -2}, 3, 1e-5F);
    /* 0.16 along the rotated X, then 2 along the rotated Y. */
    assert_near(model->bones[2].position, (float[3]){10, 2, -2}, 3, 1e-5F);
    assert_near(model->bones[0].position, (float[3]){-15, 2, -2}, 3, 1e-5F);
    mmd_exchange_destroy(document);
}

static void gltf_reads_chains_of_any_depth(void **state)
{
    (void)state;
    enum { DEPTH = 20000 };
    mmd_buffer text = {0};
    mmd_write_format(&text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i < DEPTH; i++)
        mmd_write_format(&text, "%s{\"translation\":[0,0.08,0],\"children\":[%d]}", i ? "," : "", i + 1);
    mmd_write_format(&text, ",{}]}");
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    if (mmd_exchange_read(text.data, text.size, NULL, NULL, &document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    assert_near(document->model->bones[DEPTH].position, (float[3]){0, DEPTH, 0}, 3, DEPTH * 5e-4F);
    mmd_exchange_destroy(document);
    mmd_buffer_finish(&text);
}

/* ---------------------------------------------------------------- meshes */

static const char triangle_json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"scale\":[%s,1,1]}],"
    "\"materials\":[{\"name\":\"grey\",\"doubleSided\":true,\"alphaMode\":\"BLEND\","
    "\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0,1,0.25]}}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1},\"material\":0}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
    "\"sparse\":{\"count\":1,\"indices\":{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5121},"
    "\"values\":{\"bufferView\":0,\"byteOffset\":40}}},"
    "{\"bufferView\":0,\"byteOffset\":52,\"componentType\":5121,\"normalized\":true,\"count\":3,"
    "\"type\":\"VEC4\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64}],\"buffers\":[{\"byteLength\":64}]}";

/* Counter-clockwise as seen from +Z; the sparse values replace the second corner. */
static mmd_buffer triangle_bytes(void)
{
    mmd_buffer out = {0};
    mmd_write_floats(&out, (const float[9]){0, 0, 0, 9, 9, 9, 0, 0.8F, 0}, 9);
    mmd_write_u32(&out, 1);
    mmd_write_floats(&out, (const float[3]){0.8F, 0, 0}, 3);
    for (int i = 0; i < 3; i++)
        mmd_write_u32(&out, 0xFF00FFFFU);
    return out;
}

static void check_triangle(const char *scale, float x)
{
    mmd_buffer bytes = triangle_bytes();
    char json[2048];
    snprintf(json, sizeof json, triangle_json, scale);
    mmd_exchange *document = read_with(json, bytes.data, bytes.size);
    const mmd_model *model = document->model;
    const mmd_vertices *v = &model->vertices;
    assert_int_equal(v->count, 3);
    assert_near(v->position[1], (float[3]){x, 0, 0}, 3, 1e-5F);
    const float *a = v->position[model->indices[0]], *b = v->position[model->indices[1]],
                *c = v->position[model->indices[2]];
    float turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    assert_true(turn < 0); /* clockwise in front, also if the node mirrors */
    assert_near(v->normal[0], (float[3]){0, 0, -1}, 3, 1e-6F);
    assert_near(v->additional_uv[0][0], (float[4]){1, 1, 0, 1}, 4, 1e-6F);
    const mmd_material *material = &model->materials[0];
    assert_string_equal(material->name, "grey");
    assert_near(material->diffuse, (float[4]){0.735357F, 0, 1, 0.25F}, 4, 1e-5F);
    assert_near(material->ambient, (float[3]){0.294143F, 0, 0.4F}, 3, 1e-5F);
    assert_true(material->flags & MMD_MATERIAL_TWO_SIDED && material->flags & MMD_MATERIAL_VERTEX_COLOR);
    assert_int_equal(material->index_count, 3);
    mmd_exchange_destroy(document);
    mmd_buffer_finish(&bytes);
}

static void gltf_triangles_are_clockwise_with_flat_normals(void **state)
{
    (void)state;
    check_triangle("1", 10);
    check_triangle("-1", -10);
}

static const char skin_json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[5,5,5]},"
    "{\"name\":\"a\",\"translation\":[0,0.8,0],\"children\":[2]},{\"name\":\"b\",\"translation\":[0,0.8,0]}],"
    "\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":3}],"
    "\"meshes\":[{\"weights\":[0.5],\"extras\":{\"targetNames\":[\"smile\"]},\"primitives\":["
    "{\"attributes\":{\"POSITION\":0,\"NORMAL\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"indices\":4,"
    "\"targets\":[{\"POSITION\":5}]},"
    "{\"attributes\":{\"POSITION\":0,\"NORMAL\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2},\"mode\":1,\"indices\":4,"
    "\"targets\":[{\"POSITION\":5}]}]}],"
    "\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}],"
    "\"samplers\":[{\"input\":6,\"output\":7}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":48,\"componentType\":5121,\"normalized\":true,\"count\":3,"
    "\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":60,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"},"
    "{\"bufferView\":0,\"byteOffset\":188,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"},"
    "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
    "\"indices\":{\"bufferView\":0,\"byteOffset\":190,\"componentType\":5121},"
    "\"values\":{\"bufferView\":0,\"byteOffset\":192}}},"
    "{\"bufferView\":0,\"byteOffset\":204,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"byteOffset\":212,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":220}],\"buffers\":[{\"byteLength\":220}]}";

static mmd_buffer skin_bytes(void)
{
    static const uint8_t joints[12] = {0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0};
    static const uint8_t weights[12] = {255, 0, 0, 0, 102, 153, 0, 0, 255, 0, 0, 0};
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    mmd_buffer out = {0};
    mmd_write_floats(&out, (const float[9]){0, 0, 0.8F, 0.8F, 0, 0.8F, 0, 0.8F, 0.8F}, 9);
    mmd_write_bytes(&out, joints, sizeof joints);
    mmd_write_bytes(&out, weights, sizeof weights);
    mmd_write_floats(&out, identity, 16);
    mmd_write_floats(&out, identity, 16);
    mmd_write_u32(&out, 0x00020100U);
    out.data[190] = 2; /* the third index, and the vertex that the target moves */
    mmd_write_floats(&out, (const float[3]){0, 0, 0.08F}, 3);
    mmd_write_floats(&out, (const float[4]){0, 1, 0.5F, 1.5F}, 4);
    return out;
}

static void gltf_skins_and_morphs(void **state)
{
    (void)state;
    mmd_buffer bytes = skin_bytes();
    mmd_exchange *document = read_with(skin_json, bytes.data, bytes.size);
    const mmd_model *model = document->model;
    const mmd_vertices *v = &model->vertices;
    assert_int_equal(v->count, 3); /* both primitives share their vertices */
    assert_int_equal(model->material_count, 2);
    assert_true(model->materials[1].flags & MMD_MATERIAL_LINES);
    assert_near(v->position[0], (float[3]){0, 10, -10}, 3, 1e-4F);
    assert_near(v->position[1], (float[3]){10, 16, -10}, 3, 1e-4F);
    assert_int_equal(v->deform[0], MMD_DEFORM_BDEF1);
    assert_int_equal(v->deform[1], MMD_DEFORM_BDEF2);
    assert_int_equal(v->bone[1][0], 1);
    assert_int_equal(v->bone[1][1], 2);
    assert_near(v->weight[1], (float[2]){0.4F, 0.6F}, 2, 1e-6F);
    /* The mesh's default weight of 0.5 is applied to the vertices; animated weights are relative to it. */
    assert_int_equal(model->morph_count, 1);
    assert_string_equal(model->morphs[0].name, "smile");
    assert_int_equal(model->morphs[0].count, 1);
    assert_near(model->morphs[0].offsets.vertex[0].offset, (float[3]){0, 0, -1}, 3, 1e-6F);
    assert_near(v->position[2], (float[3]){0, 30, -10.5F}, 3, 1e-4F);
    assert_int_equal(document->animations[0].channel_count, 1);
    assert_near(document->animations[0].channels[0].values, (float[2]){0, 1}, 2, 0);
    mmd_exchange_destroy(document);
    mmd_buffer_finish(&bytes);
}

/* ------------------------------------------------------------- animation */

static const char moving_json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":["
    "{\"rotation\":[0.6,0,0,0.8],\"scale\":[-2,2,2],\"children\":[1]},"
    "{\"translation\":[1,0,0],\"rotation\":[0,0.6,0,0.8],\"children\":[2]},{\"translation\":[0.3,0.5,0.7]}],"
    "\"animations\":[{\"name\":\"turn\",\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"rotation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"translation\"}}],"
    "\"samplers\":[{\"input\":0,\"output\":1},{\"input\":0,\"output\":2}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
    "{\"bufferView\":0,\"byteOffset\":8,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"},"
    "{\"bufferView\":0,\"byteOffset\":40,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64}],\"buffers\":[{\"byteLength\":64}]}";

static void turn(const float q[4], const float p[3], float out[3])
{
    mmd_transform transform = {{q[0], q[1], q[2], q[3]}, {0}};
    mmd_transform_point(&transform, p, out);
}

/* Computes the position of the last node from the file's values, in MMD's space. */
static void place_by_file(const float rotation[4], const float move[3], float out[3])
{
    float p[3];
    turn(rotation, (const float[3]){0.3F, 0.5F, 0.7F}, p);
    for (int k = 0; k < 3; k++)
        p[k] = (p[k] + move[k]) * (k == 0 ? -2.0F : 2.0F);
    turn((const float[4]){0.6F, 0, 0, 0.8F}, p, out);
    for (int k = 0; k < 3; k++)
        out[k] = (k == 2 ? -out[k] : out[k]) / UNIT;
}

static void gltf_animation_moves_as_the_file_says(void **state)
{
    (void)state;
    static const float numbers[16] = {0, 2, 0, 0.6F, 0, 0.8F, 0.48F, 0.6F, 0, 0.64F, 1, 0, 0, 3, -1, 2};
    mmd_exchange *document = read_with(moving_json, numbers, sizeof numbers);
    const mmd_bone *bones = document->model->bones;
    const mmd_animation *animation = &document->animations[0];
    assert_int_equal(document->animation_count, 1);
    assert_int_equal(animation->channel_count, 2);
    assert_true(animation->seconds == 2);
    const mmd_animation_channel raw_turn = {
        MMD_ANIMATED_ROTATION, MMD_INTERPOLATION_LINEAR, 0, 2, numbers, numbers + 2};
    const mmd_animation_channel raw_move = {
        MMD_ANIMATED_TRANSLATION, MMD_INTERPOLATION_LINEAR, 0, 2, numbers, numbers + 10};
    for (int i = 0; i <= 8; i++) {
        double seconds = i * 0.25;
        float rotation[4], move[3], wanted[3], found[3], arm[3], q[4], t[3];
        mmd_animation_sample(&raw_turn, seconds, NULL, rotation);
        mmd_animation_sample(&raw_move, seconds, NULL, move);
        place_by_file(rotation, move, wanted);
        mmd_animation_sample(&animation->channels[0], seconds, NULL, q);
        mmd_animation_sample(&animation->channels[1], seconds, NULL, t);
        for (int k = 0; k < 3; k++)
            arm[k] = bones[2].position[k] - bones[1].position[k];
        turn(q, arm, found);
        for (int k = 0; k < 3; k++)
            found[k] += bones[1].position[k] + t[k];
        assert_near(found, wanted, 3, 1e-4F);
    }
    mmd_exchange_destroy(document);
}

/* -------------------------------------------------------------- pictures */

static void gltf_pictures_are_one_source(void **state)
{
    (void)state;
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0}],\"buffers\":[{\"byteLength\":36,"
        "\"uri\":\"a%20b.bin\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0},"
        "{\"attributes\":{\"POSITION\":0},\"material\":1},{\"attributes\":{\"POSITION\":0},\"material\":2}]}]"
        ","
        "\"images\":[{\"uri\":\"data:image/png;base64,iVBORw==\"},{\"uri\":\"../tex/skin.png\"},"
        "{\"uri\":\"none.png\"}],"
        "\"textures\":[{\"source\":0},{\"source\":1},{\"source\":2}],\"materials\":["
        "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":1}}},"
        "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}},"
        "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":2}}}]}";
    static const float numbers[9] = {0};
    const mmd_memory_file files[] = {{"scene/a b.bin", numbers, sizeof numbers}, {"tex/skin.png", "skin", 4}};
    mmd_source *source = mmd_source_memory(files, 2);
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    if (mmd_exchange_read(json, strlen(json), source, "scene", &document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    assert_int_equal(document->model->texture_count, 3);
    assert_int_equal(document->model->materials[0].texture, 0);
    assert_string_equal(document->model->textures[1], "image 0.png");
    assert_int_equal(document->losses.count, 1);
    assert_string_equal(document->losses.items[0].code, "ref.dangling");
    char path[MMD_PATH_MAX];
    mmd_bytes bytes = {0};
    assert_true(mmd_source_find_from(document->textures, "", document->model->textures[0], path));
    assert_int_equal(mmd_source_read(document->textures, path, &bytes, NULL), MMD_OK);
    assert_int_equal(bytes.size, 4);
    assert_memory_equal(bytes.data, "skin", 4);
    mmd_bytes_finish(&bytes);
    assert_int_equal(mmd_source_read(document->textures, "image 0.png", &bytes, NULL), MMD_OK);
    assert_memory_equal(bytes.data, "\x89PNG", 4);
    mmd_bytes_finish(&bytes);
    assert_int_equal(mmd_source_read(document->textures, "none.png", &bytes, NULL), MMD_ERROR_NOT_FOUND);
    mmd_exchange_destroy(document);
    mmd_source_destroy(source);
}

/* --------------------------------------------------------------- hostile */

#define ASSET "\"asset\":{\"version\":\"2.0\"},"
#define MESH                                                                                                 \
    ASSET "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
#define FLOATS "\"componentType\":5126,\"type\":\"VEC3\","
#define DATA12 "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAA\"}]"

#define BALL(radius)                                                                                         \
    "{" ASSET "\"nodes\":[{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"motion\":{},\"collider\":"        \
    "{\"shape\":0}}}}],\"extensions\":{\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"sphere\","          \
    "\"sphere\":{\"radius\":" radius "}}]}}}"

typedef struct wrong_file {
    const char *json;
    mmd_status status;
    const char *section;
} wrong_file;

static const wrong_file wrong_files[] = {
    {"", MMD_ERROR_MAGIC, "file"},
    {"{\"hello\":1}", MMD_ERROR_MAGIC, "file"},
    {"{\"asset\":{\"version\":\"2.0\"}", MMD_ERROR_SYNTAX, "JSON"},
    {"{\"asset\":{},\"asset\":{}}", MMD_ERROR_SYNTAX, "JSON"},
    {"{\"asset\":7}", MMD_ERROR_VALUE, "asset"},
    {"{\"asset\":{\"version\":\"1.0\"}}", MMD_ERROR_VERSION, "asset"},
    {"{" ASSET "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}", MMD_ERROR_UNSUPPORTED,
     "extensionsRequired[0]"},
    {"{" ASSET "\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}", MMD_ERROR_VALUE, "nodes[0]"},
    {"{" ASSET "\"nodes\":[{\"children\":[0]}]}", MMD_ERROR_VALUE, "nodes[0]"},
    {"{" ASSET "\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]}", MMD_ERROR_VALUE,
     "nodes[1].children[0]"},
    {"{" ASSET "\"nodes\":[{\"children\":[9]}]}", MMD_ERROR_INDEX, "nodes[0].children[0]"},
    {"{" ASSET "\"nodes\":[{\"children\":[-1]}]}", MMD_ERROR_INDEX, "nodes[0].children[0]"},
    {"{" ASSET "\"nodes\":[{\"translation\":[1e308,0,0]}]}", MMD_ERROR_VALUE, "nodes[0].translation[0]"},
    {"{" ASSET "\"nodes\":[{\"translation\":[1e999,0,0]}]}", MMD_ERROR_SYNTAX, "JSON"},
    {"{" ASSET "\"nodes\":[{\"scale\":[1e38,1,1],\"children\":[1]},{\"scale\":[1e38,1,1]}]}", MMD_ERROR_VALUE,
     "nodes[0]"},
    {"{" ASSET "\"nodes\":[{\"mesh\":0}]}", MMD_ERROR_INDEX, "nodes[0].mesh"},
    {"{" ASSET "\"nodes\":[5]}", MMD_ERROR_VALUE, "nodes[0]"},
    {"{" ASSET "\"scene\":1,\"scenes\":[{}]}", MMD_ERROR_INDEX, "scene"},
    {"{" ASSET "\"buffers\":[{\"byteLength\":13,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAA\"}]}",
     MMD_ERROR_TRUNCATED, "buffers[0]"},
    {"{" ASSET "\"buffers\":[{\"byteLength\":3,\"uri\":\"data:;base64,AA*A\"}]}", MMD_ERROR_VALUE,
     "buffers[0].uri"},
    {"{" ASSET "\"buffers\":[{\"byteLength\":3,\"uri\":\"x.bin\"}]}", MMD_ERROR_NOT_FOUND, "buffers[0].uri"},
    {"{" ASSET "\"buffers\":[{\"byteLength\":3,\"uri\":\"file:///etc/passwd\"}]}", MMD_ERROR_NOT_FOUND,
     "buffers[0].uri"},
    {"{" MESH "\"accessors\":[{\"bufferView\":0," FLOATS "\"count\":2}],\"bufferViews\":[{\"buffer\":0,"
     "\"byteLength\":12}]," DATA12 "}",
     MMD_ERROR_TRUNCATED, "accessors[0]"},
    {"{" MESH "\"accessors\":[{\"bufferView\":0,\"byteOffset\":4294967295," FLOATS
     "\"count\":1}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}]," DATA12 "}",
     MMD_ERROR_TRUNCATED, "accessors[0]"},
    {"{" MESH "\"accessors\":[{\"bufferView\":0," FLOATS "\"count\":1}],\"bufferViews\":[{\"buffer\":0,"
     "\"byteOffset\":4,\"byteLength\":12}]," DATA12 "}",
     MMD_ERROR_TRUNCATED, "bufferViews[0]"},
    {"{" MESH "\"accessors\":[{" FLOATS "\"count\":2000000000}]}", MMD_ERROR_LIMIT, "accessors[0]"},
    {"{" MESH "\"accessors\":[{" FLOATS "\"count\":8000000}]}", MMD_ERROR_LIMIT, "accessors[0]"},
    {"{" ASSET "\"nodes\":[{\"children\":[1]},7]}", MMD_ERROR_VALUE, "nodes[1]"},
    {"{" ASSET "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"weights\":[3e38],\"primitives\":[{\"attributes\":{"
     "\"POSITION\":0},\"mode\":0,\"targets\":[{\"POSITION\":0}]}]}],\"accessors\":[{\"bufferView\":0," FLOATS
     "\"count\":1}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],\"buffers\":[{\"byteLength\":12,"
     "\"uri\":\"data:;base64,AAAgQQAAAAAAAAAA\"}]}",
     MMD_ERROR_VALUE, "meshes[0]"},
    {BALL("1e30"), MMD_ERROR_VALUE, "nodes[0].extensions.KHR_physics_rigid_bodies"},
    {BALL("3e38"), MMD_ERROR_VALUE, "nodes[0].extensions.KHR_physics_rigid_bodies"},
    {"{" MESH "\"accessors\":[{" FLOATS "\"count\":-1}]}", MMD_ERROR_VALUE, "accessors[0].count"},
    {"{" MESH "\"accessors\":[{" FLOATS "\"count\":3,\"bufferView\":7}]}", MMD_ERROR_INDEX,
     "accessors[0].bufferView"},
    {"{" MESH "\"accessors\":[{\"componentType\":5124,\"type\":\"VEC3\",\"count\":3}]}", MMD_ERROR_VALUE,
     "accessors[0]"},
    {"{" MESH "\"accessors\":[]}", MMD_ERROR_INDEX, "meshes[0].primitives[0].attributes.POSITION"},
    {"{" ASSET "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
     "\"indices\":1}]}],\"accessors\":[{" FLOATS "\"count\":3},{\"bufferView\":0,\"componentType\":5125,"
     "\"type\":\"SCALAR\",\"count\":3}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":12}],"
     "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:;base64,AAAAAAAAAAAAAAAP\"}]}",
     MMD_ERROR_INDEX, "meshes[0].primitives[0].indices"},
};

/* Three points every 20 bytes, the last without padding, end exactly at the end of view and buffer. A fourth
 * is too many. */
static void gltf_reads_what_ends_with_its_view_and_refuses_one_more(void **state)
{
    (void)state;
    static const char json[] =
        "{" ASSET "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
        "\"accessors\":[{\"bufferView\":0," FLOATS "\"count\":%d},"
        "{\"bufferView\":1,\"byteOffset\":1,\"componentType\":5121,\"type\":\"SCALAR\",\"count\":%d}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":4,\"byteLength\":52,\"byteStride\":20},"
        "{\"buffer\":0,\"byteLength\":4}],\"buffers\":[{\"byteLength\":56}]}";
    static const struct {
        int positions, indices;
        const char *section, *message;
    } cases[] = {{3, 3, NULL, NULL},
                 {4, 3, "accessors[0]", "4 elements need 72 bytes of a view of 52"},
                 {3, 4, "accessors[1]", "4 elements need 5 bytes of a view of 4"}};
    uint8_t bytes[56] = {0, 0, 1, 2};
    for (int i = 0; i < 9; i++)
        memcpy(bytes + 4 + 20 * (i / 3) + 4 * (i % 3), &(float){i == 4 || i == 6 ? 1.0F : 0.0F},
               sizeof(float));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[sizeof json];
        snprintf(text, sizeof text, json, cases[i].positions, cases[i].indices);
        mmd_buffer glb = make_glb(text, bytes, sizeof bytes);
        mmd_exchange *document = NULL;
        mmd_error error = {0};
        mmd_status status = mmd_exchange_read(glb.data, glb.size, NULL, NULL, &document, &error);
        if (cases[i].section) {
            assert_int_equal(status, MMD_ERROR_TRUNCATED);
            assert_string_equal(error.section, cases[i].section);
            assert_string_equal(error.message, cases[i].message);
        } else {
            assert_int_equal(status, MMD_OK);
            assert_int_equal(document->model->vertices.count, 3);
            assert_int_equal(document->model->index_count, 3);
        }
        mmd_exchange_destroy(document);
        mmd_buffer_finish(&glb);
    }
}

static void gltf_says_what_is_wrong_and_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_files / sizeof wrong_files[0]; i++) {
        const wrong_file *wrong = &wrong_files[i];
        mmd_exchange *document = NULL;
        mmd_error error = {0};
        mmd_status status =
            mmd_exchange_read(wrong->json, strlen(wrong->json), NULL, NULL, &document, &error);
        assert_null(document);
        bool same =
            status == wrong->status && (!wrong->section || strcmp(error.section, wrong->section) == 0);
        if (!same || error.offset > strlen(wrong->json))
            fail_msg("%s: %s in \"%s\" at %llu: %s", wrong->json, mmd_status_name(status), error.section,
                     (unsigned long long)error.offset, error.message);
    }
}

static void gltf_errors_name_their_byte(void **state)
{
    (void)state;
    static const char json[] = "{" ASSET " \"extras\": {\"a\\\"\": [1, {\"nodes\": 2}, \"}\"]},\n"
                               " \"nod\\u0065s\" : [ {\"name\":\"[,\"}, {\"scale\" : [1, 2, \"x\"]} ] }";
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    assert_int_equal(mmd_exchange_read(json, strlen(json), NULL, NULL, &document, &error), MMD_ERROR_VALUE);
    assert_string_equal(error.section, "nodes[1].scale[2]");
    assert_int_equal(error.offset, strstr(json, "\"x\"") - json);
}

/* jansson skips NUL bytes as if they were absent, and the search for a position must still end. */
static void gltf_refuses_nul_bytes(void **state)
{
    (void)state;
    static const char inside[] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":1\0,\"name\":2}]}";
    static const char behind[] = "{\"asset\":{\"version\":\"2.0\"}}\0\0";
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    assert_int_equal(mmd_exchange_read(inside, sizeof inside - 1, NULL, NULL, &document, &error),
                     MMD_ERROR_SYNTAX);
    assert_int_equal(error.offset, strlen(inside));
    assert_int_equal(mmd_exchange_read(behind, sizeof behind, NULL, NULL, &document, &error), MMD_OK);
    mmd_exchange_destroy(document);
}

/* UTF-16 with and without a byte order mark, as PowerShell writes it, in both byte orders. */
static void gltf_says_that_utf_16_is_none(void **state)
{
    (void)state;
    static const char json[] = "\xFF {\"asset\":{\"version\":\"2.0\"}}",
                      dump[] = "\xFF{\"schema\":\"ragdoll-1.0\"}";
    for (int i = 0; i < 8; i++) {
        const char *text = i & 4 ? dump : json;
        char wide[2 * sizeof json] = {0};
        size_t size = 2 * strlen(text);
        for (size_t k = 0; text[k]; k++)
            wide[2 * k + (i & 1)] = text[k];
        wide[1 - (i & 1)] = '\xFE';
        const char *start = i & 2 ? strchr(text, '{') : text;
        size_t skip = 2 * (size_t)(start - text);
        mmd_exchange *document = NULL;
        mmd_error error = {0};
        assert_int_equal(mmd_exchange_detect(wide + skip, size - skip),
                         i & 4 ? MMD_EXCHANGE_RAGDOLL : MMD_EXCHANGE_GLTF);
        assert_int_equal(mmd_exchange_read(wide + skip, size - skip, NULL, NULL, &document, &error),
                         MMD_ERROR_TEXT);
        assert_string_equal(error.message, "is UTF-16, where JSON is UTF-8");
    }
}

#define FAR_KEYS(time, place)                                                                                \
    "{" ASSET "\"nodes\":[{}],\"animations\":[{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"         \
    "\"path\":\"translation\"}}],\"samplers\":[{\"input\":0,\"output\":1}]}],\"accessors\":["                \
    "{\"bufferView\":0,\"componentType\":5126,\"type\":\"SCALAR\",\"count\":1},{\"bufferView\":1," FLOATS    \
    "\"count\":1}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":4},{\"buffer\":1,\"byteLength\":12}],"      \
    "\"buffers\":[{\"byteLength\":4,\"uri\":\"data:;base64," time "\"},{\"byteLength\":12,\"uri\":"          \
    "\"data:;base64," place "\"}]}"

/* 3e38 m overflow as units, and 3e38 s as frames. */
static void gltf_refuses_keys_that_are_out_of_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *json, *section, *message;
    } files[] = {{FAR_KEYS("AACAPw==", "AACAPwAAAAAAAAAA"), NULL, NULL},
                 {FAR_KEYS("AACAPw==", "AACAP5mWYX8AAAAA"), "animations[0].samplers[0]",
                  "the translation of key 0 is too large"},
                 {FAR_KEYS("mZZhfw==", "AACAPwAAAAAAAAAA"), "animations[0].samplers[0].input", "seconds"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        mmd_exchange *document = NULL;
        mmd_error error = {0};
        mmd_status status =
            mmd_exchange_read(files[i].json, strlen(files[i].json), NULL, NULL, &document, &error);
        assert_int_equal(status, files[i].section ? MMD_ERROR_VALUE : MMD_OK);
        mmd_exchange_destroy(document);
        if (!files[i].section)
            continue;
        assert_string_equal(error.section, files[i].section);
        assert_non_null(strstr(error.message, files[i].message));
    }
}

/* Rejects a skin of many joints on many nodes. */
static void gltf_refuses_work_without_end(void **state)
{
    (void)state;
    mmd_buffer text = {0};
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    mmd_write_format(&text, "{" ASSET "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                            "\"accessors\":[{" FLOATS "\"count\":3}],\"skins\":[{\"joints\":[0");
    for (int i = 0; i < 30000; i++)
        mmd_write_format(&text, ",0");
    mmd_write_format(&text, "]}],\"nodes\":[{}");
    for (int i = 0; i < 20000; i++)
        mmd_write_format(&text, ",{\"mesh\":0,\"skin\":0}");
    mmd_write_format(&text, "]}");
    assert_int_equal(mmd_exchange_read(text.data, text.size, NULL, NULL, &document, &error), MMD_ERROR_LIMIT);
    assert_string_equal(error.section, "meshes[0].primitives[0]");
    mmd_buffer_finish(&text);
}

/* Buffers may share a file, but not multiply its size. */
static void gltf_refuses_to_read_a_file_over_and_over(void **state)
{
    (void)state;
    enum { MANY = 80 };
    const size_t size = 1 << 20;
    for (int buffers = 2; buffers <= MANY; buffers += MANY - 2) {
        mmd_buffer text = {0};
        mmd_exchange *document = NULL;
        mmd_error error = {0};
        const mmd_memory_file files[] = {{"a.bin", calloc(size, 1), size}};
        mmd_source *source = mmd_source_memory(files, 1);
        mmd_write_format(&text, "{" ASSET "\"buffers\":[{\"byteLength\":9,\"uri\":\"a.bin\"}");
        for (int i = 1; i < buffers; i++)
            mmd_write_format(&text, ",{\"byteLength\":9,\"uri\":\"%s\"}", i % 2 ? "./a.bin" : "%61.bin");
        mmd_write_format(&text, "]}");
        mmd_status status = mmd_exchange_read(text.data, text.size, source, NULL, &document, &error);
        assert_int_equal(status, buffers == MANY ? MMD_ERROR_LIMIT : MMD_OK);
        if (status != MMD_OK)
            assert_string_equal(error.section, "buffers[65].uri");
        mmd_exchange_destroy(document);
        mmd_source_destroy(source);
        mmd_buffer_finish(&text);
        free((void *)(uintptr_t)files[0].data);
    }
}

/* Rejects a mesh of 100,000 vertices on 84 nodes. */
static void gltf_refuses_too_many_vertices(void **state)
{
    (void)state;
    mmd_buffer text = {0};
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    mmd_write_format(&text, "{" ASSET "\"accessors\":[{" FLOATS "\"count\":100000}],\"meshes\":[{"
                            "\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":0}}]}],\"nodes\":[{}");
    for (int i = 0; i < 84; i++)
        mmd_write_format(&text, ",{\"mesh\":0}");
    mmd_write_format(&text, "]}");
    assert_int_equal(mmd_exchange_read(text.data, text.size, NULL, NULL, &document, &error), MMD_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than 8388608 vertices in total"));
    mmd_buffer_finish(&text);
}

/* Nodes may share a collision mesh, but each has its cost. */
static void gltf_refuses_a_large_collision_mesh_on_many_nodes(void **state)
{
    (void)state;
    enum { POINTS = 60000, MOST = 139 }; /* MOST: 16 Mi by the points and indices of the mesh */
    float(*points)[3] = calloc(POINTS, sizeof *points);
    for (int i = 0; i < POINTS; i++) {
        points[i][0] = (float)(i % 3 == 1) + (float)(i / 3);
        points[i][1] = (float)(i % 3 == 2);
    }
    const mmd_memory_file files[] = {{"a.bin", points, POINTS * sizeof *points}};
    for (int nodes = MOST; nodes <= MOST + 1; nodes++) {
        mmd_buffer text = {0};
        mmd_exchange *document = NULL;
        mmd_error error = {0};
        mmd_source *source = mmd_source_memory(files, 1);
        mmd_write_format(
            &text,
            "{" ASSET "\"buffers\":[{\"byteLength\":%d,\"uri\":\"a.bin\"}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],\"accessors\":[{\"bufferView\":0,"
            "\"type\":\"VEC3\",\"componentType\":5126,\"count\":%d}],"
            "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
            "\"extensionsUsed\":[\"KHR_physics_rigid_bodies\"],\"extensions\":{"
            "\"KHR_collision_shapes\":{\"shapes\":[{\"type\":\"trimesh\",\"trimesh\":{\"mesh\":0}}]},"
            "\"KHR_physics_rigid_bodies\":{}},\"nodes\":[{}",
            POINTS * 12, POINTS * 12, POINTS);
        for (int i = 0; i < nodes; i++)
            mmd_write_format(&text,
                             ",{\"extensions\":{\"KHR_physics_rigid_bodies\":{\"collider\":{\"shape\":0}}}}");
        mmd_write_format(&text, "]}");
        mmd_status status = mmd_exchange_read(text.data, text.size, source, NULL, &document, &error);
        if (status != (nodes > MOST ? MMD_ERROR_LIMIT : MMD_OK))
            fail_msg("%d nodes: %s: %s", nodes, error.section, error.message);
        mmd_exchange_destroy(document);
        mmd_source_destroy(source);
        mmd_buffer_finish(&text);
    }
    free(points);
}

static void gltf_refuses_text_that_is_too_deep(void **state)
{
    (void)state;
    mmd_buffer text = {0};
    mmd_write_format(&text, "{" ASSET "\"extras\":");
    for (int i = 0; i < 100000; i++)
        mmd_write_u8(&text, '[');
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    assert_int_equal(mmd_exchange_read(text.data, text.size, NULL, NULL, &document, &error), MMD_ERROR_LIMIT);
    mmd_buffer_finish(&text);
}

static mmd_status try_gltf(const uint8_t *data, size_t size, const hostile_totals *totals, mmd_error *error)
{
    (void)totals;
    mmd_exchange *document = NULL;
    mmd_status status = mmd_exchange_read(data, size, NULL, NULL, &document, error);
    assert_true((status == MMD_OK) == (document != NULL));
    mmd_exchange_destroy(document);
    return status;
}

static void gltf_survives_damage(void **state)
{
    (void)state;
    hostile_totals totals = {0};
    mmd_buffer bytes = skin_bytes(), glb = make_glb(skin_json, bytes.data, bytes.size);
    hostile_bytes(glb.data, glb.size, try_gltf, &totals);
    mmd_buffer_finish(&glb);
    mmd_buffer_finish(&bytes);
    static const float numbers[16] = {0, 2, 0, 0.6F, 0, 0.8F, 0.48F, 0.6F, 0, 0.64F, 1, 0, 0, 3, -1, 2};
    glb = make_glb(moving_json, numbers, sizeof numbers);
    hostile_bytes(glb.data, glb.size, try_gltf, &totals);
    mmd_buffer_finish(&glb);
    hostile_report("glTF", &totals);
}

/* ---------------------------------------------------------------- shared */

typedef struct shared_run {
    size_t files, nodes, vertices, bodies, joints;
} shared_run;

static void read_shared(const char *name, void *user)
{
    shared_run *run = user;
    char path[512], folder[512];
    mmd_error error = {0};
    mmd_exchange *document = NULL;
    mmd_bytes bytes = shared_read(name);
    mmd_path_folder(shared_path(name, path, sizeof path), folder, sizeof folder);
    mmd_source *source = mmd_source_folder(folder);
    assert_int_equal(mmd_exchange_detect(bytes.data, bytes.size), MMD_EXCHANGE_GLTF);
    if (mmd_exchange_read(bytes.data, bytes.size, source, "", &document, &error) != MMD_OK)
        fail_msg("%s: %s: %s", name, error.section, error.message);
    const mmd_model *model = document->model;
    assert_true(model->bone_count > 0 && document->physscene);
    for (uint32_t i = 0; i < model->vertices.count; i++)
        for (int k = 0; k < 4; k++)
            assert_true(model->vertices.bone[i][k] < (int32_t)model->bone_count);
    for (uint32_t i = 0; i < model->index_count; i++)
        assert_true(model->indices[i] < model->vertices.count);
    run->files++;
    run->nodes += model->bone_count;
    run->vertices += model->vertices.count;
    run->bodies += document->physscene->body_count;
    run->joints += document->physscene->joint_count;
    mmd_exchange_destroy(document);
    mmd_source_destroy(source);
    mmd_bytes_finish(&bytes);
}

static void gltf_reads_every_shared_file(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    uint64_t blocks = mmd_heap_blocks_in_use();
    shared_run run = {0};
    size_t count = shared_each(".gltf", read_shared, &run) + shared_each(".glb", read_shared, &run);
    print_message("%zu of %zu files: %zu nodes, %zu vertices, %zu bodies, %zu joints\n", run.files, count,
                  run.nodes, run.vertices, run.bodies, run.joints);
    assert_true(run.files == count && count > 0);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gltf_nodes_become_bones),
        cmocka_unit_test(gltf_reads_chains_of_any_depth),
        cmocka_unit_test(gltf_triangles_are_clockwise_with_flat_normals),
        cmocka_unit_test(gltf_skins_and_morphs),
        cmocka_unit_test(gltf_animation_moves_as_the_file_says),
        cmocka_unit_test(gltf_pictures_are_one_source),
        cmocka_unit_test(gltf_reads_what_ends_with_its_view_and_refuses_one_more),
        cmocka_unit_test(gltf_says_what_is_wrong_and_where),
        cmocka_unit_test(gltf_errors_name_their_byte),
        cmocka_unit_test(gltf_refuses_nul_bytes),
        cmocka_unit_test(gltf_says_that_utf_16_is_none),
        cmocka_unit_test(gltf_refuses_keys_that_are_out_of_bounds),
        cmocka_unit_test(gltf_refuses_work_without_end),
        cmocka_unit_test(gltf_refuses_to_read_a_file_over_and_over),
        cmocka_unit_test(gltf_refuses_too_many_vertices),
        cmocka_unit_test(gltf_refuses_a_large_collision_mesh_on_many_nodes),
        cmocka_unit_test(gltf_refuses_text_that_is_too_deep),
        cmocka_unit_test(gltf_survives_damage),
        cmocka_unit_test(gltf_reads_every_shared_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
