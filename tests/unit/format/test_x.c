/* Accessories: the models that .x files give, in each of their four forms. */
#include "compare_models.h"
#include "sample_accessories.h"
#include "support.h"
#include "mmd/cursor.h"

#define TEXT     "xof 0303txt 0032\n"
#define TRIANGLE "3;0;0;0;,1;0;0;,0;1;0;;1;3;0,2,1;;"

static mmd_model *read_bytes_ok(const void *data, size_t size)
{
    mmd_model *model = NULL;
    mmd_error error = {0};
    if (mmd_x_read(data, size, &model, &error) != MMD_OK)
        fail_msg("%s at %llu: %s", error.section, (unsigned long long)error.offset, error.message);
    assert_non_null(model);
    return model;
}

static mmd_model *read_ok(const char *text)
{
    return read_bytes_ok(text, strlen(text));
}

static void assert_near(const float *values, const float *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i] - wanted[i]) < 1e-4f))
            fail_msg("value %zu is %g, not %g", i, (double)values[i], (double)wanted[i]);
}

static void assert_position(const mmd_model *model, uint32_t vertex, float x, float y, float z)
{
    assert_true(vertex < model->vertices.count);
    assert_near(model->vertices.position[vertex], (float[3]){x, y, z}, 3);
}

static void assert_normal(const mmd_model *model, uint32_t vertex, float x, float y, float z)
{
    assert_true(vertex < model->vertices.count);
    assert_near(model->vertices.normal[vertex], (float[3]){x, y, z}, 3);
}

static void assert_indices(const mmd_model *model, const uint32_t *wanted, uint32_t count)
{
    assert_int_equal(model->index_count, count);
    assert_memory_equal(model->indices, wanted, count * sizeof *wanted);
}

static void x_shared_quad_reads(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_bytes bytes = shared_read("data/small/test_quad_accessory.x");
    mmd_model *model = read_bytes_ok(bytes.data, bytes.size);
    assert_int_equal(model->origin, MMD_ORIGIN_X);
    assert_true(model->version == 3.3f);
    assert_int_equal(model->vertices.count, 4);
    assert_position(model, 0, -10, -10, 0);
    assert_normal(model, 2, 0, 0, 1);
    assert_near(model->vertices.uv[3], (float[2]){0, 1}, 2);
    assert_indices(model, (uint32_t[]){0, 1, 2, 0, 2, 3}, 6);
    assert_int_equal(model->material_count, 1);
    const mmd_material *material = &model->materials[0];
    assert_near(material->diffuse, (float[4]){0.8f, 0.8f, 0.8f, 1}, 4);
    assert_near(material->specular, (float[3]){0.5f, 0.5f, 0.5f}, 3);
    assert_true(material->specular_power == 10);
    assert_int_equal(material->texture, -1);
    assert_int_equal(model->broken_reference_count, 0);
    mmd_model_destroy(model);
    mmd_bytes_finish(&bytes);
}

static void check_everything(const mmd_model *model)
{
    assert_int_equal(model->vertices.count, 14);
    assert_int_equal(model->index_count, 24);
    assert_int_equal(model->material_count, 4);
    static const uint32_t counts[] = {3, 6, 9, 6};
    for (uint32_t i = 0, first = 0; i < 4; first += counts[i++]) {
        assert_int_equal(model->materials[i].first_index, first);
        assert_int_equal(model->materials[i].index_count, counts[i]);
    }
    assert_string_equal(model->materials[0].name, "ポ悳");
    assert_string_equal(model->materials[1].name, "材質2");
    assert_string_equal(model->materials[2].name, "late");
    assert_int_equal(model->texture_count, 3);
    assert_string_equal(model->textures[0], "tex\\表.bmp");
    assert_string_equal(model->textures[1], "metal.spa");
    assert_string_equal(model->textures[2], "only.sph");
    assert_int_equal(model->materials[2].texture, 0);
    assert_int_equal(model->broken_reference_count, 0);
    assert_int_equal(model->bone_count, 1);
    assert_string_equal(model->bones[0].name, "accessory");
}

static void x_everything_reads_and_the_rest_is_skipped(void **state)
{
    (void)state;
    mmd_model *model = read_ok(sample_x_text());
    check_everything(model);
    /* Rotated by a quarter turn, scaled by two and moved; then scaled by ten. */
    assert_position(model, 0, 10, 20, 50);
    assert_normal(model, 0, -1, 0, 0);
    assert_normal(model, 5, 1, 0, 0);
    assert_near(model->vertices.uv[0], (float[2]){0, 1}, 2);
    /* The second mesh, in the outer frame, with computed normals. Its first position is part of two faces. */
    assert_position(model, 10, 10, 20, 30);
    float root = sqrtf(0.5f);
    assert_normal(model, 10, -root, 0, -root);
    assert_normal(model, 12, 0, 0, -1);
    assert_normal(model, 13, -1, 0, 0);
    mmd_model_destroy(model);
}

static void x_vertex_colors_are_kept_and_not_used(void **state)
{
    (void)state;
    mmd_model *model = read_ok(sample_x_text());
    const mmd_vertices *v = &model->vertices;
    assert_int_equal(v->additional_uv_count, 1);
    /* The corners are in the order 0, 4, 3, 2, 1. */
    assert_near(v->additional_uv[0][0], (float[4]){1, 0, 0, 1}, 4);
    assert_near(v->additional_uv[0][1], (float[4]){1, 1, 1, 1}, 4);
    assert_near(v->additional_uv[0][2], (float[4]){0, 0.5f, 0, 0.5f}, 4);
    assert_near(v->additional_uv[0][13], (float[4]){1, 1, 1, 1}, 4);
    for (uint32_t i = 0; i < model->material_count; i++)
        assert_int_equal(model->materials[i].flags & MMD_MATERIAL_VERTEX_COLOR, 0);
    mmd_model_destroy(model);
    model = read_ok(TEXT "Mesh{" TRIANGLE "}");
    assert_int_equal(model->vertices.additional_uv_count, 0);
    mmd_model_destroy(model);
}

static void x_binary_files_say_the_same(void **state)
{
    (void)state;
    mmd_model *text = read_ok(sample_x_text());
    for (uint32_t size = 4; size <= 8; size += 4) {
        mmd_buffer out = {0};
        sample_x_binary(sample_x_text(), size, &out);
        mmd_model *binary = read_bytes_ok(out.data, out.size);
        check_everything(binary);
        assert_models_equal(text, binary);
        mmd_model_destroy(binary);
        mmd_buffer_finish(&out);
    }
    mmd_model_destroy(text);
}

static void x_compressed_files_say_the_same(void **state)
{
    (void)state;
    mmd_buffer grid = {0}, binary = {0}, small = {0};
    sample_x_grid(100, &grid);
    assert_true(grid.size > 8 * 32768);
    mmd_write_u8(&grid, 0);
    grid.size--;
    sample_x_binary((const char *)grid.data, 4, &binary);
    mmd_model *wanted = read_bytes_ok(grid.data, grid.size);
    assert_int_equal(wanted->vertices.count, 10000);
    const mmd_buffer *forms[] = {&grid, &binary};
    for (size_t i = 0; i < 2; i++) {
        small.size = 0;
        sample_x_compressed(forms[i]->data, forms[i]->size, &small);
        assert_true(small.size < forms[i]->size);
        mmd_model *model = read_bytes_ok(small.data, small.size);
        assert_models_equal(wanted, model);
        mmd_model_destroy(model);
    }
    mmd_model_destroy(wanted);
    mmd_buffer_finish(&small);
    mmd_buffer_finish(&binary);
    mmd_buffer_finish(&grid);
}

static void x_faces_become_fans_and_lines_nothing(void **state)
{
    (void)state;
    mmd_model *model = read_ok(TEXT "Mesh{6;0;0;0;,0;1;0;,0;2;0;,1;2;0;,2;1;0;,2;0;0;;"
                                    "4;2;0,1;,6;0,1,2,3,4,5;,1;3;,3;0,3,5;;}");
    assert_indices(model, (uint32_t[]){0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 3, 5}, 15);
    assert_int_equal(model->materials[0].index_count, 15);
    mmd_model_destroy(model);
    model = read_ok(TEXT "Mesh{2;0;0;0;,1;0;0;;1;2;0,1;;}");
    assert_true(model->vertices.count == 0 && model->index_count == 0 && model->material_count == 0);
    mmd_model_destroy(model);
    model = read_ok(TEXT "Mesh{1;0;0;0;;1;0;;MeshNormals{0;1;0;;}}");
    assert_int_equal(model->vertices.count, 0);
    mmd_model_destroy(model);
}

static void x_vertices_split_where_normals_differ_in_value(void **state)
{
    (void)state;
    /*
     * Each corner has its own normal. The first face's normals equal those of the second at shared positions.
     */
    mmd_model *model =
        read_ok(TEXT "Mesh{4;0;0;0;,0;1;0;,1;1;0;,1;0;0;;2;3;0,1,2;,3;0,2,3;;"
                     "MeshNormals{6;0;0;-1;,0;0;-1;,0;0;-2;,0;0;-1;,1;0;0;,0;0;-1;;2;3;0,1,2;,3;3,4,5;;}}");
    assert_int_equal(model->vertices.count, 5);
    assert_indices(model, (uint32_t[]){0, 1, 2, 0, 3, 4}, 6);
    assert_normal(model, 2, 0, 0, -1);
    assert_normal(model, 3, 1, 0, 0);
    mmd_model_destroy(model);
}

static void x_normals_that_are_missing_are_computed(void **state)
{
    (void)state;
    static const struct {
        const char *normals;
        uint32_t broken;
    } cases[] = {
        {"", 0},
        {"MeshNormals{0;0;}", 0},
        {"MeshNormals{1;1;0;0;;1;2;0,0;;}", 0},
        {"MeshNormals{1;1;0;0;;1;3;7,7,7;;}", 3},
        {"MeshNormals{1;0;0;0;;1;3;0,0,0;;}", 0},
        {"MeshNormals{1;1.#QNAN0;-1.#IND00;nan;;1;3;0,0,0;;}", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, TEXT "Mesh{" TRIANGLE "%s}", cases[i].normals);
        mmd_model *model = read_ok(text);
        assert_int_equal(model->vertices.count, 3);
        assert_normal(model, 0, 0, 0, 1 - 2 * (float)(model->vertices.position[1][1] > 0));
        assert_int_equal(model->broken_reference_count, cases[i].broken);
        mmd_model_destroy(model);
    }
    /* Without a list of faces, normals belong to the positions if there are equally many. */
    mmd_model *model = read_ok(TEXT "Mesh{" TRIANGLE "MeshNormals{3;1;0;0;,0;1;0;,0;0;1;;0;;}}");
    assert_normal(model, 0, 1, 0, 0);
    assert_normal(model, 1, 0, 0, 1);
    mmd_model_destroy(model);
    /* A face without area. */
    model = read_ok(TEXT "Mesh{3;0;0;0;,1;0;0;,2;0;0;;1;3;0,1,2;;}");
    assert_normal(model, 0, 0, 1, 0);
    mmd_model_destroy(model);
}

/* A square on the floor and a small upright triangle share their first position, with angles of 90 and 45
 * degrees there; another triangle meets them in the same place, but in a position of its own; and a triangle
 * without area adds nothing. */
static void x_normals_are_weighted_by_the_angle_of_a_corner(void **state)
{
    (void)state;
    mmd_model *model = read_ok(TEXT "Mesh{9;0;0;0;,0;0;4;,4;0;4;,4;0;0;,1;0;0;,1;1;0;,0;0;0;,0;4;0;,0;4;4;;"
                                    "4;4;0,1,2,3;,3;0,4,5;,3;0,1,1;,3;6,8,7;;}");
    float length = sqrtf(5.0f);
    float up = model->vertices.normal[1][1]; /* 1 or -1, as polygons are taken */
    assert_normal(model, 0, 0, 2 * up / length, up / length);
    assert_normal(model, 1, 0, up, 0);
    assert_normal(model, 6, -up, 0, 0);
    mmd_model_destroy(model);
}

static void x_normals_turn_with_stretched_and_mirrored_frames(void **state)
{
    (void)state;
    mmd_model *model = read_ok(TEXT "Frame{FrameTransformMatrix{-2,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;}"
                                    "Mesh{" TRIANGLE "MeshNormals{1;1;1;0;;1;3;0,0,0;;}}}");
    float length = sqrtf(1.25f);
    assert_normal(model, 0, -0.5f / length, 1 / length, 0);
    assert_position(model, 2, -20, 0, 0);
    mmd_model_destroy(model);
}

static void x_a_frames_matrix_may_stand_behind_its_mesh(void **state)
{
    (void)state;
    mmd_model *model = read_ok(TEXT "Frame a{Frame{Mesh{" TRIANGLE "}}"
                                    "FrameTransformMatrix{1,0,0,0,0,1,0,0,0,0,1,0,0,5,0,1;;}}");
    assert_position(model, 0, 0, 50, 0);
    mmd_model_destroy(model);
}

static void x_frames_nest_as_deep_as_they_like(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    mmd_buffer out = {0};
    mmd_write_format(&out, TEXT);
    for (int i = 0; i < DEPTH; i++)
        mmd_write_format(&out, "Frame f%06d { ", i);
    mmd_write_format(&out, "Mesh{" TRIANGLE "}");
    for (int i = 0; i < DEPTH; i++)
        mmd_write_format(&out, "}");
    mmd_model *model = read_bytes_ok(out.data, out.size);
    assert_int_equal(model->index_count, 3);
    mmd_model_destroy(model);
    mmd_buffer_finish(&out);
}

static void x_materials_of_faces_are_mended(void **state)
{
    (void)state;
    static const char mesh[] =
        TEXT "Mesh{3;0;0;0;,1;0;0;,0;1;0;;3;3;0,1,2;,3;0,2,1;,3;1,0,2;;MeshMaterialList{%s}}";
    static const struct {
        const char *list;
        uint32_t counts[3], materials, broken;
    } cases[] = {
        {"1;1;0;Material a{1;1;1;1;;1;1;1;1;;1;1;1;;}", {9}, 1, 0},
        {"2;2;0,1;Material a{1;1;1;1;;1;1;1;1;;1;1;1;;}{a}", {3, 6}, 2, 0},
        {"2;3;0,5,1;Material a{1;1;1;1;;1;1;1;1;;1;1;1;;}{a}", {6, 3}, 2, 1},
        {"1;3;0,0,0;{nowhere}", {9}, 1, 1},
        {"0;0;", {9}, 1, 0},
        {"1;3;0,0,0;", {9}, 1, 0},
        {"3;3;2,1,0;{}{a}Material a{1;1;1;1;;1;1;1;1;;1;1;1;;}", {6, 3}, 2, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, mesh, cases[i].list);
        mmd_model *model = read_ok(text);
        assert_int_equal(model->material_count, cases[i].materials);
        for (uint32_t k = 0; k < cases[i].materials; k++)
            assert_int_equal(model->materials[k].index_count, cases[i].counts[k]);
        assert_int_equal(model->broken_reference_count, cases[i].broken);
        mmd_model_destroy(model);
    }
}

static void x_materials_are_pmx_materials(void **state)
{
    (void)state;
    mmd_model *model = read_ok(sample_x_text());
    const mmd_material *m = &model->materials[0];
    assert_near(m->diffuse, (float[4]){1, 0.5f, 0.25f, 0.75f}, 4);
    assert_near(m->specular, (float[3]){0.1f, 0.2f, 0.3f}, 3);
    assert_near(m->ambient, (float[3]){0.05f, 0.06f, 0.07f}, 3);
    assert_true(m->specular_power == 8);
    assert_int_equal(m->flags,
                     MMD_MATERIAL_GROUND_SHADOW | MMD_MATERIAL_CASTS_SHADOW | MMD_MATERIAL_RECEIVES_SHADOW);
    assert_true(m->toon == -1 && !m->shared_toon && m->edge_color[3] == 1);
    assert_true(m->texture == 0 && m->sphere == 1 && m->sphere_mode == MMD_SPHERE_ADD);
    m++;
    assert_true(m->texture == -1 && m->sphere == 2 && m->sphere_mode == MMD_SPHERE_MULTIPLY);
    mmd_model_destroy(model);
    model = read_ok(TEXT "Mesh{" TRIANGLE "MeshMaterialList{1;1;0;Material{1;1;1;0.98;;1;1;1;1;;1;1;1;;}}}");
    assert_int_equal(model->materials[0].flags & MMD_MATERIAL_CASTS_SHADOW, 0);
    mmd_model_destroy(model);
}

static void x_texture_names_read_in_every_spelling(void **state)
{
    (void)state;
    static const struct {
        const char *text, *texture, *sphere;
    } cases[] = {
        {"TextureFilename{\"a.bmp\";}", "a.bmp", NULL},
        {"TextureFilename{a.bmp;}", "a.bmp", NULL},
        {"textureFileName { \"01.png \" ; }", "01.png", NULL},
        {"TextureFilename{\"x\\y.bmp\";}", "x\\y.bmp", NULL},
        {"TextureFilename{\"x\\\\y.bmp\";}", "x\\y.bmp", NULL},
        {"TextureFilename{\"\x83\x5c\\\\\x83\x5c.bmp\";}", "ソ\\ソ.bmp", NULL},
        {"TextureFilename{\"a{b}.bmp\";}", "a{b}.bmp", NULL},
        {"TextureFilename{\"a.bmp*b.SPH\";}", "a.bmp", "b.SPH"},
        {"TextureFilename{\"b.spa*a.bmp\";}", "a.bmp", "b.spa"},
        {"TextureFilename{\"*b.spa\";}", NULL, "b.spa"},
        {"TextureFilename{\"\";}", NULL, NULL},
        {"TextureFilename{}", NULL, NULL},
        {"NormalmapFilename{\"n.bmp\";}", NULL, NULL},
        {"TextureFilename{\"a.bmp\";}TextureFilename{\"c.bmp\";}", "a.bmp", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 TEXT "Mesh{" TRIANGLE "MeshMaterialList{1;1;0;Material{1;1;1;1;;1;1;1;1;;1;1;1;;%s}}}",
                 cases[i].text);
        mmd_model *model = read_ok(text);
        const mmd_material *m = &model->materials[0];
        assert_int_equal(m->texture >= 0, cases[i].texture != NULL);
        assert_int_equal(m->sphere >= 0, cases[i].sphere != NULL);
        if (cases[i].texture)
            assert_string_equal(model->textures[m->texture], cases[i].texture);
        if (cases[i].sphere)
            assert_string_equal(model->textures[m->sphere], cases[i].sphere);
        mmd_model_destroy(model);
    }
}

static void x_punctuation_and_case_are_free(void **state)
{
    (void)state;
    static const char *const texts[] = {
        TEXT "Mesh{3;0;0;0;,1;0;0;,0;1;0;;1;3;0,2,1;;}",
        "xof 0303txt 0064 mesh a b {3 0 0 0 1 0 0 0 1 0 1 3 0 2 1}",
        TEXT "MESH\t\r\n{;;3,,0.0,0.,.0;;;1e0;+0;-0;#;9\r0;1;0;//9\r\n,;1.000;3;0;2;1}",
        TEXT "Mesh <3D82AB44-62DA-11cf-AB39-0020AF71E433>{<x>3;0;0;0;1;0;0;0;1;0f;1;3;0;2;1;5;\"x\";}\x1a\0",
        TEXT "{Mesh}Unknown 3 { { } } Mesh{3;0;0;0;,1;0;0;,0;1;0;;1;3;0,2,1;;{a}>}",
        TEXT "Mesh \x83\x7b{3;0;0;0;,1;0;0;,0;1;0;;1;3;0,2,1;;}",
    };
    mmd_model *wanted = read_ok(texts[0]);
    for (size_t i = 1; i < sizeof texts / sizeof *texts; i++) {
        mmd_model *model = read_ok(texts[i]);
        assert_models_equal(wanted, model);
        mmd_model_destroy(model);
    }
    mmd_model_destroy(wanted);
}

static void check_shared(const mmd_model *model)
{
    assert_int_equal(model->vertices.count, 6);
    assert_indices(model, (uint32_t[]){0, 1, 2, 3, 4, 5}, 6);
    assert_int_equal(model->material_count, 2);
    assert_string_equal(model->materials[1].name, "red");
    assert_position(model, 0, 10, 0, 0);
    assert_position(model, 2, 20, 0, 0);
    assert_position(model, 3, 20, 0, 0);
    assert_position(model, 5, 10, 0, 0);
    assert_normal(model, 0, 0, 0, -1);
    assert_normal(model, 3, 0, 0, 1);
    assert_near(model->vertices.uv[4], (float[2]){0.5f, 1}, 2);
    assert_near(model->vertices.additional_uv[0][3], (float[4]){1, 64.0f / 255, 0, 128.0f / 255}, 4);
    assert_int_equal(model->broken_reference_count, 0);
}

static void x_frames_name_meshes_and_meshes_bring_packed_data(void **state)
{
    (void)state;
    mmd_buffer binary = {0}, small = {0};
    mmd_model *text = read_ok(sample_x_shared_text());
    check_shared(text);
    sample_x_binary(sample_x_shared_text(), 4, &binary);
    sample_x_compressed(binary.data, binary.size, &small);
    const mmd_buffer *forms[] = {&binary, &small};
    for (size_t i = 0; i < 2; i++) {
        mmd_model *model = read_bytes_ok(forms[i]->data, forms[i]->size);
        assert_models_equal(text, model);
        mmd_model_destroy(model);
    }
    mmd_model_destroy(text);
    mmd_buffer_finish(&small);
    mmd_buffer_finish(&binary);
}

#define MATRIX(x) "FrameTransformMatrix{1,0,0,0,0,1,0,0,0,0,1,0," x ",0,0,1;;}"

/* A mesh outside frames is drawn where frames refer to it. A mesh in a frame is drawn there and once more for
 * each reference. */
static void x_meshes_stand_wherever_frames_name_them(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t count;
        float x[3]; /* x of each copy's first vertex, before scaling by ten */
        uint32_t broken;
    } cases[] = {
        {TEXT "Mesh m{" TRIANGLE "}Frame{" MATRIX("2") "{m}}", 1, {2}, 0},
        {TEXT "Mesh m{" TRIANGLE "}Frame{{m}" MATRIX("2") "{m}}Frame{" MATRIX("3") "{m}}", 3, {2, 2, 3}, 0},
        {TEXT "Frame{" MATRIX("2") "Mesh m{" TRIANGLE "}}Frame{" MATRIX("3") "{m}}", 2, {2, 3}, 0},
        {TEXT "Frame{" MATRIX("2") "{m}}Frame{" MATRIX("3") "Mesh m{" TRIANGLE "}}", 2, {3, 2}, 0},
        {TEXT "Frame{" MATRIX("2") "Frame{" MATRIX("3") "{m}}}Mesh m{" TRIANGLE "}", 1, {5}, 0},
        {TEXT "Mesh m{" TRIANGLE "}{m}", 1, {0}, 0},
        {TEXT "Mesh m{" TRIANGLE "}Frame f{{nowhere}{}}", 1, {0}, 1},
        {TEXT "Mesh m{" TRIANGLE "}Frame f{" MATRIX("2") "{f}{a}}AnimationSet a{}", 1, {0}, 0},
        {TEXT "Mesh m{" TRIANGLE "}Mesh m{" TRIANGLE "}Frame f{" MATRIX("2") "{m}}", 2, {2, 0}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mmd_model *model = read_ok(cases[i].text);
        assert_int_equal(model->index_count, 3 * cases[i].count);
        for (uint32_t k = 0; k < cases[i].count; k++)
            assert_position(model, 3 * k, 10 * cases[i].x[k], 0, 0);
        assert_int_equal(model->broken_reference_count, cases[i].broken);
        mmd_model_destroy(model);
    }
}

/* Every type of D3DDECLTYPE as texture coordinates behind another element. The words are encoded by hand. */
static void x_packed_numbers_have_seventeen_types(void **state)
{
    (void)state;
    static const struct {
        uint32_t words[4], count;
        float u, v;
    } types[] = {
        {{0x3e800000}, 1, 0.25f, 0},
        {{0x3e800000, 0xbf800000}, 2, 0.25f, -1},
        {{0x3e800000, 0xbf800000}, 3, 0.25f, -1},
        {{0x3e800000, 0x7fc00000}, 4, 0.25f, 0}, /* not a number */
        {{0x80ff4000}, 1, 1, 64.0f / 255},
        {{0x04030201}, 1, 1, 2},
        {{0xfffe0001}, 1, 1, -2},
        {{0xfffe0001, 7}, 2, 1, -2},
        {{0x000033ff}, 1, 1, 0.2f},
        {{0x80017fff}, 1, 1, -1},
        {{0x80017fff, 9}, 2, 1, -1},
        {{0x3333ffff}, 1, 1, 0.2f},
        {{0x3333ffff, 9}, 2, 1, 0.2f},
        {{5 | 7 << 10}, 1, 5, 7},
        {{511 | 513 << 10}, 1, 1, -1},
        {{0x3c003800}, 1, 0.5f, 1},
        {{0xc0000001, 3}, 2, 5.9604645e-08f, -2},
    };
    for (uint32_t type = 0; type < sizeof types / sizeof *types; type++) {
        mmd_buffer out = {0};
        mmd_write_format(&out, TEXT "Mesh{" TRIANGLE "DeclData{2;0;0;1;0;,%u;0;5;0;;%u;", type,
                         3 * (1 + types[type].count));
        for (int vertex = 0; vertex < 3; vertex++) {
            mmd_write_format(&out, "%d,", vertex);
            for (uint32_t k = 0; k < types[type].count; k++)
                mmd_write_format(&out, "%u,", types[type].words[k]);
        }
        mmd_write_format(&out, ";}}");
        mmd_model *model = read_bytes_ok(out.data, out.size);
        for (int vertex = 0; vertex < 3; vertex++)
            assert_near(model->vertices.uv[vertex], (float[2]){types[type].u, types[type].v}, 2);
        mmd_model_destroy(model);
        mmd_buffer_finish(&out);
    }
}

/* Normal 1 0 0, size, two colours, texture coordinates of 2 and 1 numbers: D3DFVF 0x400002f2. */
static void x_vertex_formats_tell_what_lies_where(void **state)
{
    (void)state;
    static const char record[] = "1065353216,0,0, 9, 4278190335,4294967295, 1056964608,1048576000, 7,";
    char text[1024];
    snprintf(text, sizeof text, TEXT "Mesh{" TRIANGLE "FVFData{%u;27;%s%s%s;}}", 0x000c02f2u, record, record,
             record);
    mmd_model *model = read_ok(text);
    assert_normal(model, 1, 1, 0, 0);
    assert_near(model->vertices.uv[1], (float[2]){0.5f, 0.25f}, 2);
    assert_near(model->vertices.additional_uv[0][1], (float[4]){0, 0, 1, 1}, 4);
    mmd_model_destroy(model);
}

/* A mesh's own lists take precedence, wherever they are. With too few records the remaining vertices keep
 * their values. Unknown layouts are skipped. */
static void x_packed_data_give_way(void **state)
{
    (void)state;
#define NORMAL "1;2;0;3;0;;"
    static const struct {
        const char *members;
        float normals[3][3]; /* by position; the triangle's own normal is 0 0 1 */
    } cases[] = {
        {"DeclData{" NORMAL "9;1065353216,0,0,1065353216,0,0,1065353216,0,0;}",
         {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}},
        {"DeclData{" NORMAL "4;1065353216,0,0,1065353216;}", {{1, 0, 0}, {0, 0, 1}, {0, 0, 1}}},
        {"DeclData{" NORMAL "12;1065353216,0,0,1065353216,0,0,1065353216,0,0,1,2,3;}",
         {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}},
        {"DeclData{" NORMAL "3;1065353216,0,0;}MeshNormals{1;0;1;0;;1;3;0,0,0;;}",
         {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}}},
        {"MeshNormals{1;0;1;0;;1;3;0,0,0;;}DeclData{" NORMAL "3;1065353216,0,0;}",
         {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}}},
        {"DeclData{" NORMAL "3;1065353216,0,0;}DeclData{" NORMAL "3;0,1065353216,0;}",
         {{1, 0, 0}, {0, 0, 1}, {0, 0, 1}}},
        {"DeclData{2;17;0;0;0;,2;0;3;0;;3;1065353216,0,0;}", {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}},
        {"DeclData{1;2;0;3;1;;3;1065353216,0,0;}", {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}},
        {"DeclData{0;0;}FVFData{0;0;}FVFData{3840;2;1,1;}", {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, TEXT "Mesh{3;0;0;0;,1;0;0;,0;1;0;;1;3;0,1,2;;%s}", cases[i].members);
        mmd_model *model = read_ok(text);
        assert_int_equal(model->vertices.count, 3);
        for (uint32_t k = 0; k < 3; k++)
            assert_near(model->vertices.normal[k], cases[i].normals[k], 3);
        mmd_model_destroy(model);
    }
}

static void x_without_a_mesh_is_an_empty_model(void **state)
{
    (void)state;
    mmd_model *model = read_ok(TEXT);
    assert_true(model->vertices.count == 0 && model->material_count == 0 && model->bone_count == 1);
    mmd_model_destroy(model);
}

static void x_errors_name_the_section_the_line_and_the_byte(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        mmd_status status;
        uint64_t offset;
        const char *section, *words;
    } cases[] = {
        {"xof", MMD_ERROR_MAGIC, 0, "header", "xof"},
        {"xof 0303txt", MMD_ERROR_TRUNCATED, 0, "header", "16"},
        {"xof 0401txt 0032", MMD_ERROR_VERSION, 16, "header", "0401"},
        {"xof 0303com 0032", MMD_ERROR_UNSUPPORTED, 16, "header", "txt, bin"},
        {"xof 0303txt 0016", MMD_ERROR_VALUE, 16, "header", "0032 nor 0064"},
        {TEXT "\n}", MMD_ERROR_SYNTAX, 18, "objects", "line 3"},
        {TEXT "Frame a {\n", MMD_ERROR_TRUNCATED, 27, "frame 0", "`}'"},
        {TEXT "Frame a \"b\" {\n}", MMD_ERROR_SYNTAX, 25, "objects", "line 2: `{'"},
        {TEXT "Mesh {\n3;0;0;0;\n}", MMD_ERROR_COUNT, 25, "mesh 0", "3"},
        {TEXT "Mesh {\n1;0;0;x;\n1;1;0; }", MMD_ERROR_SYNTAX, 30, "mesh 0", "line 3: a number"},
        {TEXT "Mesh {\n1;0;0;0;\n-1;1;0; }", MMD_ERROR_SYNTAX, 33, "mesh 0", "line 4: a whole number"},
        {TEXT "Mesh {\n1;0;0;0;\n4294967296;1;0; }", MMD_ERROR_SYNTAX, 33, "mesh 0", "whole"},
        {TEXT "Mesh {\n1;0;0;0;\n1;3;0,0,1;;}", MMD_ERROR_INDEX, 31, "mesh 0", "vertex 1"},
        {TEXT "Mesh {\n1;0;0;0;\n1;3;0,0,0;;", MMD_ERROR_TRUNCATED, 44, "mesh 0", "`}'"},
        {TEXT "Material {\n1;1;1;;", MMD_ERROR_TRUNCATED, 35, "material 0", "a number"},
        {TEXT "Material {1;1;1;1;1;1;1;1;1;1;1;TextureFilename{\"a", MMD_ERROR_TRUNCATED, 65, "material 0",
         "quote"},
        {TEXT "Material {1;1;1;1;1;1;1;1;1;1;1;TextureFilename{{", MMD_ERROR_SYNTAX, 65, "material 0",
         "a texture's name"},
        {TEXT "template a { { }", MMD_ERROR_TRUNCATED, 33, "objects", "`}'"},
        {"xof 0303bin 0032\xff\xff", MMD_ERROR_SYNTAX, 16, "objects", "65535"},
        {"xof 0303tzip0032\xff\xff\xff", MMD_ERROR_TRUNCATED, 16, "header", "4 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mmd_model *model = (mmd_model *)&model;
        mmd_error error = {0};
        mmd_status status = mmd_x_read(cases[i].text, strlen(cases[i].text), &model, &error);
        if (status != cases[i].status || error.offset != cases[i].offset ||
            strcmp(error.section, cases[i].section) != 0 || !strstr(error.message, cases[i].words))
            fail_msg("case %zu: %s, %s at %llu: %s", i, mmd_status_name(status), error.section,
                     (unsigned long long)error.offset, error.message);
        assert_null(model);
        assert_int_equal(mmd_x_read(cases[i].text, strlen(cases[i].text), &model, NULL), status);
    }
}

static void x_errors_of_compressed_files_name_the_block(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t byte;
        mmd_status status;
        uint64_t offset;
        const char *section, *words;
    } cases[] = {
        {18, 1, MMD_ERROR_TRUNCATED, 0, "compressed block 1", "2 bytes"}, /* size of the whole text */
        {21, 0x90, MMD_ERROR_VALUE, 24, "compressed block 0", "a block of"},
        {22, 1, MMD_ERROR_VALUE, 20, "compressed block 0", "damaged"},
        {24, 'K', MMD_ERROR_SYNTAX, 0, "compressed block 0", "CK"},
        {26, 0xff, MMD_ERROR_VALUE, 20, "compressed block 0", "damaged"},
        {20, 0, MMD_ERROR_TRUNCATED, 0, "compressed block 1", "2 bytes"}, /* size of the block's text */
    };
    mmd_buffer out = {0};
    sample_x_compressed(sample_x_text(), strlen(sample_x_text()), &out);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mmd_model *model;
        mmd_error error = {0};
        uint8_t kept = out.data[cases[i].at];
        out.data[cases[i].at] = cases[i].byte;
        mmd_status status = mmd_x_read(out.data, out.size, &model, &error);
        if (status != cases[i].status || strcmp(error.section, cases[i].section) != 0 ||
            !strstr(error.message, cases[i].words) || (cases[i].offset && error.offset != cases[i].offset))
            fail_msg("case %zu: %s, %s at %llu: %s", i, mmd_status_name(status), error.section,
                     (unsigned long long)error.offset, error.message);
        out.data[cases[i].at] = kept;
    }
    mmd_buffer_finish(&out);
}

/* A text that consists of line ends compresses a thousand to one. */
static void x_compressed_too_well_is_refused(void **state)
{
    (void)state;
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    memset(text, '\n', SIZE);
    memcpy(text, TEXT, strlen(TEXT));
    mmd_buffer out = {0};
    sample_x_compressed(text, SIZE, &out);
    mmd_model *model;
    mmd_error error = {0};
    assert_true(out.size < SIZE / MMD_X_TEXT_RATIO);
    assert_int_equal(mmd_x_read(out.data, out.size, &model, &error), MMD_ERROR_LIMIT);
    assert_string_equal(error.section, "compressed block 13");
    mmd_buffer_finish(&out);
    free(text);
}

static void x_reads_as_a_model_by_content_and_writes_as_pmx(void **state)
{
    (void)state;
    const char *text = sample_x_text();
    mmd_model *model = NULL, *again = NULL;
    assert_int_equal(mmd_file_detect(text, strlen(text)), MMD_FILE_X);
    assert_int_equal(mmd_model_read(text, strlen(text), &model, NULL), MMD_OK);
    assert_int_equal(model->origin, MMD_ORIGIN_X);
    mmd_buffer out = {0};
    assert_int_equal(mmd_pmx_write(model, &out, NULL), MMD_OK);
    assert_int_equal(mmd_pmx_read(out.data, out.size, &again, NULL), MMD_OK);
    assert_true(again->version == 2.0f);
    assert_int_equal(again->vertices.count, model->vertices.count);
    mmd_model_destroy(again);
    mmd_model_destroy(model);
    mmd_buffer_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(x_shared_quad_reads),
        cmocka_unit_test(x_everything_reads_and_the_rest_is_skipped),
        cmocka_unit_test(x_vertex_colors_are_kept_and_not_used),
        cmocka_unit_test(x_binary_files_say_the_same),
        cmocka_unit_test(x_compressed_files_say_the_same),
        cmocka_unit_test(x_faces_become_fans_and_lines_nothing),
        cmocka_unit_test(x_vertices_split_where_normals_differ_in_value),
        cmocka_unit_test(x_normals_that_are_missing_are_computed),
        cmocka_unit_test(x_normals_are_weighted_by_the_angle_of_a_corner),
        cmocka_unit_test(x_normals_turn_with_stretched_and_mirrored_frames),
        cmocka_unit_test(x_a_frames_matrix_may_stand_behind_its_mesh),
        cmocka_unit_test(x_frames_nest_as_deep_as_they_like),
        cmocka_unit_test(x_materials_of_faces_are_mended),
        cmocka_unit_test(x_materials_are_pmx_materials),
        cmocka_unit_test(x_texture_names_read_in_every_spelling),
        cmocka_unit_test(x_punctuation_and_case_are_free),
        cmocka_unit_test(x_frames_name_meshes_and_meshes_bring_packed_data),
        cmocka_unit_test(x_meshes_stand_wherever_frames_name_them),
        cmocka_unit_test(x_packed_numbers_have_seventeen_types),
        cmocka_unit_test(x_vertex_formats_tell_what_lies_where),
        cmocka_unit_test(x_packed_data_give_way),
        cmocka_unit_test(x_without_a_mesh_is_an_empty_model),
        cmocka_unit_test(x_errors_name_the_section_the_line_and_the_byte),
        cmocka_unit_test(x_errors_of_compressed_files_name_the_block),
        cmocka_unit_test(x_compressed_too_well_is_refused),
        cmocka_unit_test(x_reads_as_a_model_by_content_and_writes_as_pmx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
