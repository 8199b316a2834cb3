/* Compares the skin pass with the CPU reference in double precision: positions, normals, tangents, UVs. */
#include "made_model.h"
#include "render_support.h"

#include "engine/view/view_internal.h"
#include "mmd/pose.h"
#include "mmd/pose_parts.h"

static const double tolerance = 1e-3;

typedef struct largest {
    double position, normal, tangent, uv;
} largest;

static double random_unit(uint64_t *seed)
{
    return (double)(test_random(seed) >> 11) * 0x1p-53;
}

static double random_between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * random_unit(seed);
}

/* Makes a rotation of up to `degrees` about a random axis. */
static void random_rotation(uint64_t *seed, double degrees, float q[4])
{
    double axis[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        axis[k] = random_between(seed, -1.0, 1.0);
        length += axis[k] * axis[k];
    }
    double half = random_between(seed, 0.0, degrees) * 3.14159265358979323846 / 360.0;
    double scale = length > 1e-9 ? sin(half) / sqrt(length) : 0.0;
    for (int k = 0; k < 3; k++)
        q[k] = (float)(axis[k] * scale);
    q[3] = (float)(length > 1e-9 ? cos(half) : 1.0);
}

static void keep_largest(double *largest_yet, const double *reference, const float *value, int count)
{
    for (int k = 0; k < count; k++) {
        double difference = fabs(reference[k] - (double)value[k]);
        if (!(difference <= *largest_yet)) /* true for NaN */
            *largest_yet = difference;
    }
}

static void move_bones(mmd_actor *actor, uint64_t *seed)
{
    const mmd_model *model = mmd_actor_model(actor);
    for (uint32_t b = 0; b < model->bone_count; b++) {
        float rotation[4], translation[3] = {0.0f, 0.0f, 0.0f};
        random_rotation(seed, 40.0, rotation);
        if (b == 0)
            translation[1] = 3.0f;
        mmd_pose_set_user(mmd_actor_pose(actor), b, translation, rotation);
    }
}

/* Skins the present pose on the GPU and on the CPU, and records the largest differences. */
static void compare_frame(test_scene *scene, mmd_sdef_variant sdef, largest *worst)
{
    uint32_t count = scene->model->vertices.count;
    mmd_skinned_vertex *reference = calloc(count, sizeof *reference);
    float(*positions)[3] = calloc(count, sizeof *positions), (*normals)[3] = calloc(count, sizeof *normals);
    assert_true(reference && positions && normals);
    mmd_pose *pose = mmd_actor_pose(scene->actor);
    mmd_skin_reference(scene->model, mmd_pose_palette(pose), mmd_pose_weights(pose), sdef, NULL, reference);
    ASSERT_OK(view_read_vertices(scene->view, scene->actor, sdef, positions, normals, error));
    for (uint32_t v = 0; v < count; v++) {
        keep_largest(&worst->position, reference[v].position, positions[v], 3);
        keep_largest(&worst->normal, reference[v].normal, normals[v], 3);
    }
    free(reference);
    free(positions);
    free(normals);
}

typedef struct sweep {
    mmd_motion *dance;
    size_t models;
} sweep;

/* Ten frames of the dance with random morphs. In every other frame the bones are rotated at random too. */
#ifdef ODORI_TEST_SLOWLY
enum { FRAMES = 3 };
#else
enum { FRAMES = 10 };
#endif

/* Plays the dance on a shared model and compares every frame. */
static void check_model(const char *name, void *user)
{
    sweep *all = user;
    if (strncmp(name, "data/models/", 12) != 0)
        return;
    test_scene scene;
    test_scene_open(&scene, name);
    ASSERT_OK(mmd_actor_add_motion(scene.actor, all->dance, error));
    uint64_t seed = 1;
    largest worst = {0};
    for (int frame = 0; frame < FRAMES; frame++) {
        for (uint32_t m = 0; m < scene.model->morph_count; m++)
            mmd_actor_set_morph(scene.actor, m, (float)random_unit(&seed));
        if (frame & 1)
            move_bones(scene.actor, &seed);
        mmd_stage_set_frame(scene.stage, 70.0 * frame + 0.5);
        compare_frame(&scene, frame & 2 ? MMD_SDEF_SLERP : MMD_SDEF_LINEAR, &worst);
    }
    print_message("%-55s %6u vertices: position %.2e, normal %.2e\n", name, scene.model->vertices.count,
                  worst.position, worst.normal);
    test_scene_close(&scene);
    all->models++;
    assert_true(worst.position <= tolerance);
    assert_true(worst.normal <= tolerance);
}

static void every_vertex_of_every_model_is_where_the_reference_puts_it(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    sweep all = {0};
    mmd_bytes bytes = shared_read("data/motions/kishimen.vmd");
    ASSERT_OK(mmd_vmd_read(bytes.data, bytes.size, &all.dance, error));
    mmd_bytes_finish(&bytes);
    shared_each(".pmx", check_model, &all);
    shared_each(".pmd", check_model, &all);
    mmd_motion_destroy(all.dance);
    assert_true(all.models >= 10);
}

/* A model with every deform type, so that the tests do not depend on the shared data. */

enum { BONES = 7, VERTICES = 600, SDEFS = VERTICES, MORPHS = 9, OFFSETS = 150 };

/* Sets a vertex to one of the five deform types with random bones and weights, and some vertices to edge
 * cases. */
static void fill_deform(mmd_model *model, uint32_t v, uint64_t *seed)
{
    mmd_vertices *vertices = &model->vertices;
    vertices->deform[v] = (uint8_t)(v % 5);
    int bones = vertices->deform[v] == MMD_DEFORM_BDEF1                                             ? 1
                : vertices->deform[v] == MMD_DEFORM_BDEF2 || vertices->deform[v] == MMD_DEFORM_SDEF ? 2
                                                                                                    : 4;
    for (int k = 0; k < bones; k++) {
        vertices->bone[v][k] = (int32_t)(test_random(seed) % BONES);
        vertices->weight[v][k] = (float)random_between(seed, 0.1, 1.0);
    }
    if (bones == 1)
        vertices->weight[v][0] = 1.0f;
    if (bones == 2)
        vertices->weight[v][1] = 1.0f - vertices->weight[v][0];
    if (v % 50 == 12) { /* weights with the sum 0: bone 0 alone */
        for (int k = 0; k < bones; k++)
            vertices->weight[v][k] = 0.0f;
    }
    if (v % 50 == 22 || v % 50 == 24) { /* BDEF4 and QDEF with an invalid bone */
        vertices->bone[v][3] = -1;
        vertices->weight[v][3] = 0.5f;
    }
    vertices->sdef_index[v] = (int32_t)v;
    for (int k = 0; k < 3; k++) {
        vertices->sdef[v].c[k] = (float)random_between(seed, -5.0, 5.0);
        vertices->sdef[v].r0[k] = (float)random_between(seed, -5.0, 5.0);
        vertices->sdef[v].r1[k] = (float)random_between(seed, -5.0, 5.0);
    }
}

static void fill_morphs(mmd_model *model, uint64_t *seed)
{
    for (uint32_t m = 0; m < model->morph_count; m++) {
        mmd_morph *morph = &model->morphs[m];
        morph->kind = m % 3 == 0 ? MMD_MORPH_VERTEX : m % 3 == 1 ? MMD_MORPH_UV : MMD_MORPH_ADDITIONAL_UV1;
        morph->count = OFFSETS;
        mmd_vertex_offset *vertex = made_array(model, OFFSETS, sizeof *vertex);
        mmd_uv_offset *uv = made_array(model, OFFSETS, sizeof *uv);
        for (uint32_t i = 0; i < OFFSETS; i++) {
            vertex[i].vertex = uv[i].vertex = (int32_t)(test_random(seed) % model->vertices.count);
            for (int k = 0; k < 3; k++)
                vertex[i].offset[k] = (float)random_between(seed, -1.0, 1.0);
            for (int k = 0; k < 4; k++)
                uv[i].offset[k] = (float)random_between(seed, -1.0, 1.0);
        }
        if (morph->kind == MMD_MORPH_VERTEX)
            morph->offsets.vertex = vertex;
        else
            morph->offsets.uv = uv;
    }
}

static mmd_model *every_deform(void)
{
    uint64_t seed = 7;
    mmd_model *model = made_model(&(made_sizes){.vertices = VERTICES,
                                                .indices = 3,
                                                .bones = BONES,
                                                .materials = 1,
                                                .morphs = MORPHS,
                                                .additional_uvs = 1,
                                                .sdefs = SDEFS});
    for (uint32_t v = 0; v < VERTICES; v++) {
        for (int k = 0; k < 3; k++) {
            model->vertices.position[v][k] = (float)random_between(&seed, -10.0, 10.0);
            model->vertices.normal[v][k] = (float)random_between(&seed, -1.0, 1.0);
        }
        for (int k = 0; k < 2; k++)
            model->vertices.uv[v][k] = (float)random_unit(&seed);
        fill_deform(model, v, &seed);
    }
    memset(model->vertices.normal[3], 0, sizeof model->vertices.normal[3]); /* a zero normal stays zero */
    fill_morphs(model, &seed);
    made_finish(model);
    return model;
}

typedef struct bare {
    mmd_gpu *gpu;
    mmd_renderer *renderer;
    mmd_render_mesh *mesh;
    mmd_render_instance *instance;
} bare;

static void open_bare(bare *b, int32_t texture_limit)
{
    memset(b, 0, sizeof *b);
    ASSERT_OK(mmd_gpu_create_headless(NULL, &b->gpu, error));
    if (texture_limit)
        mmd_gpu_limit_texture_size(b->gpu, texture_limit);
    ASSERT_OK(mmd_renderer_create(b->gpu, NULL, &b->renderer, error));
}

static void close_bare(bare *b)
{
    mmd_render_instance_destroy(b->instance);
    mmd_render_mesh_destroy(b->mesh);
    mmd_renderer_destroy(b->renderer);
    mmd_gpu_destroy(b->gpu);
}

/* Skins the made model in a random pose and compares all results. */
static largest compare_made(bare *b, const mmd_model *model, const float (*tangents)[3], bool slerp,
                            uint64_t seed)
{
    mmd_transform palette[BONES] = {0};
    float weights[MORPHS];
    for (int i = 0; i < BONES; i++) {
        random_rotation(&seed, 160.0, palette[i].rotation);
        for (int k = 0; k < 3; k++)
            palette[i].translation[k] = (float)random_between(&seed, -8.0, 8.0);
    }
    for (int i = 0; i < MORPHS; i++)
        weights[i] = (float)random_between(&seed, -0.5, 1.5);
    mmd_render_pose pose = {.palette = (const float(*)[8])palette, .weights = weights, .sdef_slerp = slerp};
    ASSERT_OK(mmd_render_skin(b->instance, &pose, error));
    static float positions[VERTICES][3], normals[VERTICES][3], skinned_tangents[VERTICES][3],
        uvs[VERTICES][2];
    static mmd_skinned_vertex reference[VERTICES];
    ASSERT_OK(mmd_render_read_vertices(b->instance, positions, normals, skinned_tangents, uvs, error));
    mmd_skin_reference(model, palette, weights, slerp ? MMD_SDEF_SLERP : MMD_SDEF_LINEAR, tangents,
                       reference);
    largest worst = {0};
    for (uint32_t v = 0; v < VERTICES; v++) {
        keep_largest(&worst.position, reference[v].position, positions[v], 3);
        keep_largest(&worst.normal, reference[v].normal, normals[v], 3);
        keep_largest(&worst.uv, reference[v].uv, uvs[v], 2);
        if (tangents)
            keep_largest(&worst.tangent, reference[v].tangent, skinned_tangents[v], 3);
    }
    return worst;
}

/* Compares random poses of the made model under a texture size limit, with or without tangents. */
static void check_made(int32_t texture_limit, bool with_tangents)
{
    mmd_model *model = every_deform();
    static float tangents[VERTICES][3];
    uint64_t seed = 3;
    for (uint32_t v = 0; v < VERTICES; v++)
        for (int k = 0; k < 3; k++)
            tangents[v][k] = (float)random_between(&seed, -1.0, 1.0);
    const float(*given)[3] = with_tangents ? (const float(*)[3])tangents : NULL;
    mmd_render_material_textures none = {0};
    bare b;
    open_bare(&b, texture_limit);
    mmd_render_mesh_desc desc = {.model = model, .materials = &none, .tangents = given};
    ASSERT_OK(mmd_render_mesh_create(b.renderer, &desc, &b.mesh, error));
    ASSERT_OK(mmd_render_instance_create(b.mesh, &b.instance, error));
    for (uint64_t pose = 0; pose < 8; pose++) {
        largest worst = compare_made(&b, model, given, pose & 1, 100 + pose);
        print_message("pose %d: position %.2e, normal %.2e, tangent %.2e, uv %.2e\n", (int)pose,
                      worst.position, worst.normal, worst.tangent, worst.uv);
        assert_true(worst.position <= tolerance);
        assert_true(worst.normal <= tolerance);
        assert_true(worst.tangent <= tolerance);
        assert_true(worst.uv <= 1e-5);
    }
    close_bare(&b);
    made_destroy(model);
}

static void mesh_without_vertices_is_legal(void **state)
{
    (void)state;
    mmd_model empty = {.name = "", .name_en = "", .comment = "", .comment_en = ""};
    bare b;
    open_bare(&b, 0);
    mmd_render_mesh_desc desc = {.model = &empty};
    ASSERT_OK(mmd_render_mesh_create(b.renderer, &desc, &b.mesh, error));
    ASSERT_OK(mmd_render_instance_create(b.mesh, &b.instance, error));
    mmd_render_pose pose = {0};
    ASSERT_OK(mmd_render_skin(b.instance, &pose, error));
    float untouched[1][3] = {{1, 2, 3}};
    ASSERT_OK(mmd_render_read_vertices(b.instance, untouched, NULL, NULL, NULL, error));
    assert_memory_equal(untouched, ((float[3]){1, 2, 3}), sizeof untouched);
    close_bare(&b);
}

static void every_deform_agrees_with_the_reference(void **state)
{
    (void)state;
    check_made(0, false);
}

/* Makes a pose of random rotations and scales, some of them none and some flat. All deforms are then blended
 * linearly. */
static void set_scales(mmd_pose *pose, const mmd_model *model, mmd_pose_values *values, uint64_t seed)
{
    mmd_pose_values_reset(values, model);
    for (int b = 0; b < BONES; b++) {
        random_rotation(&seed, 160.0, values->bones[b].rotation);
        for (int k = 0; k < 6; k++)
            values->scales[b][k] = (float)random_between(&seed, k < 3 ? 0.2 : -0.1, k < 3 ? 2.5 : 0.1);
    }
    memset(values->scales[BONES - 1], 0, sizeof values->scales[0]);
    for (int m = 0; m < MORPHS; m++)
        values->weights[m] = (float)random_between(&seed, -0.5, 1.5);
    mmd_pose_evaluate(pose, values, NULL);
    mmd_pose_finish(pose);
}

/* Skins a pose with scaled bones and compares. Normals of flat bones are ignored. */
static largest compare_scaled(bare *b, const mmd_model *model, const mmd_pose *pose)
{
    static float positions[VERTICES][3], normals[VERTICES][3];
    static mmd_skinned_vertex reference[VERTICES];
    mmd_render_pose drawn = {.affine = (const float(*)[12])mmd_pose_affine_palette(pose),
                             .weights = mmd_pose_weights(pose)};
    ASSERT_OK(mmd_render_skin(b->instance, &drawn, error));
    ASSERT_OK(mmd_render_read_vertices(b->instance, positions, normals, NULL, NULL, error));
    mmd_pose_skin(model, pose, MMD_SDEF_LINEAR, NULL, reference);
    largest worst = {0};
    for (uint32_t v = 0; v < VERTICES; v++) {
        keep_largest(&worst.position, reference[v].position, positions[v], 3);
        double length = 0.0; /* the direction of normals of flat bones is arbitrary */
        for (int k = 0; k < 3; k++)
            length += reference[v].normal[k] * reference[v].normal[k];
        bool flat = false;
        for (int k = 0; k < 4; k++)
            flat = flat || model->vertices.bone[v][k] == BONES - 1;
        if (length > 0.5 && !flat)
            keep_largest(&worst.normal, reference[v].normal, normals[v], 3);
    }
    return worst;
}

static void scaled_bones_agree_with_the_reference(void **state)
{
    (void)state;
    mmd_model *model = every_deform();
    mmd_render_material_textures none = {0};
    mmd_pose_values values;
    mmd_arena arena = {0};
    bare b;
    model->has_scale = true;
    for (int i = 1; i < BONES - 1; i++)
        model->bones[i].parent = i / 2;
    mmd_pose *pose = mmd_pose_create(model);
    assert_true(pose && mmd_pose_values_init(&values, model, &arena));
    open_bare(&b, 64);
    mmd_render_mesh_desc desc = {.model = model, .materials = &none};
    ASSERT_OK(mmd_render_mesh_create(b.renderer, &desc, &b.mesh, error));
    ASSERT_OK(mmd_render_instance_create(b.mesh, &b.instance, error));
    for (uint64_t seed = 1; seed <= 8; seed++) {
        set_scales(pose, model, &values, seed);
        largest worst = compare_scaled(&b, model, pose);
        print_message("scaled %d: position %.2e, normal %.2e\n", (int)seed, worst.position, worst.normal);
        assert_true(worst.position <= tolerance);
        assert_true(worst.normal <= tolerance);
    }
    close_bare(&b);
    mmd_pose_destroy(pose);
    mmd_arena_finish(&arena);
    made_destroy(model);
}

/* Compares a pose after the user has scaled all bones (scaled) or none. */
static largest compare_by_hand(bare *b, const mmd_model *model, mmd_pose *pose, mmd_pose_values *values,
                               bool scaled, uint64_t seed)
{
    static float positions[VERTICES][3], normals[VERTICES][3];
    static mmd_skinned_vertex reference[VERTICES];
    mmd_pose_values_reset(values, model);
    for (uint32_t i = 0; i < BONES; i++) {
        float size[3] = {1, 1, 1};
        random_rotation(&seed, 160.0, values->bones[i].rotation);
        for (int k = 0; k < 3 && scaled; k++)
            size[k] = (float)random_between(&seed, 0.4, 2.5);
        assert_true(mmd_pose_set_user_scale(pose, i, size));
    }
    mmd_pose_evaluate(pose, values, NULL);
    mmd_pose_finish(pose);
    mmd_render_pose drawn = {.palette = (const float(*)[8])mmd_pose_palette(pose),
                             .affine = (const float(*)[12])mmd_pose_affine_palette(pose),
                             .weights = mmd_pose_weights(pose)};
    assert_true((drawn.affine != NULL) == scaled);
    ASSERT_OK(mmd_render_skin(b->instance, &drawn, error));
    ASSERT_OK(mmd_render_read_vertices(b->instance, positions, normals, NULL, NULL, error));
    mmd_pose_skin(model, pose, MMD_SDEF_LINEAR, NULL, reference);
    largest worst = {0};
    for (uint32_t v = 0; v < VERTICES; v++) {
        keep_largest(&worst.position, reference[v].position, positions[v], 3);
        keep_largest(&worst.normal, reference[v].normal, normals[v], 3);
    }
    return worst;
}

/* A posed copy changes from rigid to scaled bones and back. */
static void bones_scaled_by_hand_agree_with_the_reference(void **state)
{
    (void)state;
    mmd_model *model = every_deform();
    mmd_render_material_textures none = {0};
    mmd_pose_values values;
    mmd_arena arena = {0};
    bare b;
    model->origin = MMD_ORIGIN_GLTF;
    mmd_pose *pose = mmd_pose_create(model);
    assert_true(pose && mmd_pose_values_init(&values, model, &arena));
    open_bare(&b, 64);
    mmd_render_mesh_desc desc = {.model = model, .materials = &none};
    ASSERT_OK(mmd_render_mesh_create(b.renderer, &desc, &b.mesh, error));
    ASSERT_OK(mmd_render_instance_create(b.mesh, &b.instance, error));
    for (uint64_t seed = 1; seed <= 6; seed++) {
        largest worst = compare_by_hand(&b, model, pose, &values, seed % 3 > 0, seed);
        print_message("by hand %d: position %.2e, normal %.2e\n", (int)seed, worst.position, worst.normal);
        assert_true(worst.position <= tolerance);
        assert_true(worst.normal <= tolerance);
    }
    close_bare(&b);
    mmd_pose_destroy(pose);
    mmd_arena_finish(&arena);
    made_destroy(model);
}

static void tangents_are_skinned_too(void **state)
{
    (void)state;
    check_made(0, true);
}

static void tables_of_many_rows_agree_with_the_reference(void **state)
{
    (void)state;
    check_made(64, false);
}

static void a_table_over_the_texture_limit_is_refused(void **state)
{
    (void)state;
    mmd_model *model = every_deform();
    mmd_render_material_textures none = {0};
    bare b;
    open_bare(&b, 32); /* as high as a shared toon; tables have rows of 32 texels */
    mmd_gpu_limit_texture_size(b.gpu, 8); /* 256 texels, but there are 450 vertex morph records */
    mmd_render_mesh_desc desc = {.model = model, .materials = &none};
    mmd_error error = {0};
    assert_int_equal(mmd_render_mesh_create(b.renderer, &desc, &b.mesh, &error), MMD_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "450 vertex morph records"));
    assert_null(b.mesh);
    close_bare(&b);
    made_destroy(model);
}

static void an_unchanged_pose_is_not_uploaded_again(void **state)
{
    (void)state;
    mmd_model *model = every_deform();
    mmd_render_material_textures none = {0};
    bare b;
    open_bare(&b, 0);
    mmd_render_mesh_desc desc = {.model = model, .materials = &none};
    ASSERT_OK(mmd_render_mesh_create(b.renderer, &desc, &b.mesh, error));
    ASSERT_OK(mmd_render_instance_create(b.mesh, &b.instance, error));
    compare_made(&b, model, NULL, false, 5);
    uint64_t uploaded = mmd_renderer_get_statistics(b.renderer).upload_bytes;
    assert_int_equal(uploaded, 32 * BONES + 4 * MORPHS);
    largest worst = compare_made(&b, model, NULL, false, 5);
    assert_true(worst.position <= tolerance);
    assert_int_equal(mmd_renderer_get_statistics(b.renderer).upload_bytes, uploaded);
    close_bare(&b);
    made_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh_without_vertices_is_legal),
        cmocka_unit_test(every_deform_agrees_with_the_reference),
        cmocka_unit_test(scaled_bones_agree_with_the_reference),
        cmocka_unit_test(bones_scaled_by_hand_agree_with_the_reference),
        cmocka_unit_test(tangents_are_skinned_too),
        cmocka_unit_test(tables_of_many_rows_agree_with_the_reference),
        cmocka_unit_test(a_table_over_the_texture_limit_is_refused),
        cmocka_unit_test(an_unchanged_pose_is_not_uploaded_again),
        cmocka_unit_test(every_vertex_of_every_model_is_where_the_reference_puts_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
