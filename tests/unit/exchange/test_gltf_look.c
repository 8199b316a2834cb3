/* Tests vertices and materials read from glTF: texture coordinates, more than four joints, alpha modes. */
#include "made_gltf.h"
#include "mmd/cursor.h"

enum { CORNERS = 4 };

static const float corners[CORNERS][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const float places[CORNERS][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};

/* Makes one primitive of four points per material, all with the same accessors. */
static mmd_exchange *painted(const char *materials, int count)
{
    made_gltf file = {.count = 0};
    mmd_buffer text = {0};
    float other[CORNERS][2];
    for (int i = 0; i < CORNERS; i++)
        for (int k = 0; k < 2; k++)
            other[i][k] = 10 + places[i][k];
    int position = made_gltf_floats(&file, corners[0], CORNERS, "VEC3");
    int first = made_gltf_floats(&file, places[0], CORNERS, "VEC2");
    int second = made_gltf_floats(&file, other[0], CORNERS, "VEC2");
    mmd_write_format(&text,
                     "\"nodes\":[{\"mesh\":0}],\"images\":[{\"uri\":\"data:image/png;base64,AAAA\"}],"
                     "\"textures\":[{\"source\":0}],\"materials\":[%s],\"meshes\":[{\"primitives\":[",
                     materials);
    for (int i = 0; i < count; i++)
        mmd_write_format(&text,
                         "%s{\"mode\":0,\"material\":%d,\"attributes\":{\"POSITION\":%d,"
                         "\"TEXCOORD_0\":%d,\"TEXCOORD_1\":%d}}",
                         i ? "," : "", i, position, first, second);
    mmd_write_format(&text, "]}]%c", 0);
    mmd_exchange *document = made_gltf_read(&file, (const char *)text.data);
    mmd_buffer_finish(&text);
    return document;
}

static void expect_place(const mmd_model *model, uint32_t vertex, float u, float v)
{
    const float *found = model->vertices.uv[vertex];
    if (!(fabsf(found[0] - u) <= 1e-6f && fabsf(found[1] - v) <= 1e-6f))
        fail_msg("vertex %u: %g %g where %g %g should be", vertex, (double)found[0], (double)found[1],
                 (double)u, (double)v);
}

/* ------------------------------------------------------ texture transforms */

#define TEXTURED(members)  "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0" members "}}}"
#define TRANSFORM(members) ",\"extensions\":{\"KHR_texture_transform\":{" members "}}"

static void texture_transforms_are_in_the_vertices(void **state)
{
    (void)state;
    mmd_exchange *document = painted(
        TEXTURED(TRANSFORM(
            "\"offset\":[0,1],\"rotation\":1.57079632679,\"scale\":[0.5,0."
            "5]")) "," TEXTURED(TRANSFORM("\"offset\":[0,1],\"scale\":[1,-"
                                          "1]")) "," TEXTURED(TRANSFORM("\"texCoord\":1,\"scale\":[2,"
                                                                        "3]")) "," TEXTURED(TRANSFORM("\"rota"
                                                                                                      "tion\""
                                                                                                      ":1."
                                                                                                      "570796"
                                                                                                      "32679,"
                                                                                                      "\"scal"
                                                                                                      "e\":["
                                                                                                      "2,"
                                                                                                      "3]")),
        4);
    const mmd_model *model = document->model;
    assert_int_equal(model->vertices.count,
                     4 * CORNERS); /* none are shared, because all coordinates differ */
    /* The lower left quadrant, rotated clockwise: its top left is at the top right. */
    expect_place(model, 2, 0, 0.5f);
    expect_place(model, 3, 0, 1);
    expect_place(model, 1, 0.5f, 0.5f);
    expect_place(model, 0, 0.5f, 1);
    expect_place(model, CORNERS, 0, 0);
    expect_place(model, CORNERS + 2, 1, 1);
    expect_place(model, 2 * CORNERS, 20, 33);
    expect_place(model, 2 * CORNERS + 2, 22, 30);
    expect_place(model, 3 * CORNERS + 1, 3, -2); /* scaled first, then rotated */
    mmd_exchange_destroy(document);
}

static void vertices_are_shared_by_materials_that_read_them_alike(void **state)
{
    (void)state;
    mmd_exchange *document = painted(
        TEXTURED("") "," TEXTURED(TRANSFORM("\"scale\":[1,1]")) "," TEXTURED(TRANSFORM(
            "\"offset\":[1,0]")) "," TEXTURED(TRANSFORM("\"offset\":[1,0]")) "," TEXTURED(",\"texCoord\":1"),
        5);
    const mmd_model *model = document->model;
    assert_int_equal(model->material_count, 5);
    assert_int_equal(model->vertices.count, 3 * CORNERS);
    expect_place(model, 0, 0, 1);
    expect_place(model, CORNERS, 1, 1);
    expect_place(model, 2 * CORNERS, 10, 11);
    mmd_exchange_destroy(document);
}

/* ----------------------------------------------------------- alpha modes */

#define MODE(mode, alpha, more)                                                                              \
    "{\"alphaMode\":\"" mode "\"" more ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1," alpha "]}}"

static void expect_alpha(const mmd_material *material, bool cuts, float cutoff, float alpha)
{
    assert_int_equal(material->cuts_alpha, cuts);
    assert_float_equal(material->alpha_cutoff, cutoff, 1e-6);
    assert_float_equal(material->diffuse[3], alpha, 1e-6);
}

static void modes_of_alpha_are_cutoffs(void **state)
{
    (void)state;
    mmd_exchange *document = painted(
        "{}," MODE("BLEND", "0.25", "") "," MODE("OPAQUE", "0.25", "") "," MODE("MASK", "1", "") "," MODE(
            "MASK", "0.8",
            ",\"alphaCutoff\":0.2") "," MODE("MASK", "0.4",
                                             "") "," MODE("MASK", "0",
                                                          ",\"alphaCutoff\":0") "," MODE("MASK", "0", ""),
        8);
    const mmd_material *materials = document->model->materials;
    expect_alpha(&materials[0], true, 0, 1);
    expect_alpha(&materials[1], false, 0, 0.25f);
    expect_alpha(&materials[2], true, 0, 1);
    expect_alpha(&materials[3], true, 0.5f, 1);
    expect_alpha(&materials[4], true, 0.25f, 1);
    assert_float_equal(materials[5].diffuse[3], 0, 0); /* below the cutoff without any texture */
    expect_alpha(&materials[6], true, 0, 1);
    assert_float_equal(materials[7].diffuse[3], 0, 0);
    mmd_exchange_destroy(document);
}

/* ------------------------------------------------------------------ joints */

/* Makes three vertices with up to twelve joints, each of which is a root. */
static mmd_exchange *skinned(const uint8_t joints[3][3][4], const float weights[3][3][4], int sets)
{
    made_gltf file = {.count = 0};
    mmd_buffer text = {0};
    mmd_write_format(&text, "\"nodes\":[{\"mesh\":0,\"skin\":0}");
    for (int i = 0; i < 12; i++)
        mmd_write_format(&text, ",{}");
    mmd_write_format(&text, "],\"skins\":[{\"joints\":[1,2,3,4,5,6,7,8,9,10,11,12]}],\"meshes\":[{"
                            "\"primitives\":[{\"mode\":0,\"attributes\":{");
    for (int s = 0; s < sets; s++) {
        uint8_t bones[3][4];
        float shares[3][4];
        for (int v = 0; v < 3; v++) {
            memcpy(bones[v], joints[v][s], sizeof bones[v]);
            memcpy(shares[v], weights[v][s], sizeof shares[v]);
        }
        int first = made_gltf_bytes(&file, bones[0], 3, "VEC4");
        int second = made_gltf_floats(&file, shares[0], 3, "VEC4");
        mmd_write_format(&text, "\"JOINTS_%d\":%d,\"WEIGHTS_%d\":%d,", s, first, s, second);
    }
    mmd_write_format(&text, "\"POSITION\":%d}}]}]%c", made_gltf_floats(&file, corners[0], 3, "VEC3"), 0);
    mmd_exchange *document = made_gltf_read(&file, (const char *)text.data);
    mmd_buffer_finish(&text);
    return document;
}

static float weight_of(const mmd_model *model, uint32_t vertex, int32_t bone)
{
    for (int k = 0; k < 4; k++)
        if (model->vertices.bone[vertex][k] == bone)
            return model->vertices.weight[vertex][k];
    return 0;
}

static const uint8_t many_joints[3][3][4] = {{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}},
                                             {{0, 1, 0, 0}, {2, 0, 0, 0}, {0}},
                                             {{0, 0, 0, 0}, {7, 0, 0, 0}, {0}}};
static const float many_weights[3][3][4] = {
    {{0.05f, 0.2f, 0.1f, 0.05f}, {0.3f, 0.02f, 0.15f, 0.03f}, {0.1f, 0, 0, 0}},
    {{0.5f, 0.25f, 0, 0}, {0.25f, 0, 0, 0}, {0}},
    {{0}, {0.5f, 0, 0, 0}, {0}}};

static void the_heaviest_four_joints_count(void **state)
{
    (void)state;
    mmd_exchange *document = skinned(many_joints, many_weights, 2);
    const mmd_model *model = document->model;
    /* 0.3, 0.2, 0.15 and 0.1 of a sum of 0.9; bones are joints + 1. */
    assert_float_equal(weight_of(model, 0, 5), 0.3 / 0.75, 1e-6);
    assert_float_equal(weight_of(model, 0, 2), 0.2 / 0.75, 1e-6);
    assert_float_equal(weight_of(model, 0, 7), 0.15 / 0.75, 1e-6);
    assert_float_equal(weight_of(model, 0, 3), 0.1 / 0.75, 1e-6);
    assert_float_equal(weight_of(model, 1, 1), 0.5, 1e-6);
    assert_float_equal(weight_of(model, 1, 3), 0.25, 1e-6);
    assert_int_equal(model->vertices.deform[2], MMD_DEFORM_BDEF1);
    assert_int_equal(model->vertices.bone[2][0], 8);
    const mmd_loss *loss = made_gltf_loss(document, "skin.influences");
    assert_non_null(loss);
    assert_int_equal(loss->severity, MMD_LOSS_APPROXIMATED);
    assert_string_equal(loss->path, "meshes[0].primitives[0].attributes.JOINTS_1");
    assert_string_equal(loss->emitted, "0.167");
    mmd_exchange_destroy(document);
    document = skinned(many_joints, many_weights, 3);
    assert_string_equal(made_gltf_loss(document, "skin.influences")->emitted, "0.25");
    mmd_exchange_destroy(document);
}

/* The rest pose of the nodes differs from the pose in which the vertices were bound. */
static void another_bind_pose_is_told(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        made_gltf file = {.count = 0};
        char text[512];
        const float weights[3][4] = {{1}, {1}, {1}};
        const uint8_t bones[3][4] = {{0}};
        int joints = made_gltf_bytes(&file, bones[0], 3, "VEC4");
        int shares = made_gltf_floats(&file, weights[0], 3, "VEC4");
        int points = made_gltf_floats(&file, corners[0], 3, "VEC3");
        snprintf(text, sizeof text,
                 "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"translation\":[1,0,0]},{\"translation\":[%d,0,0]}],"
                 "\"skins\":[{\"joints\":[1,2]}],\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{"
                 "\"POSITION\":%d,\"JOINTS_0\":%d,\"WEIGHTS_0\":%d}}]}]",
                 1 + apart, points, joints, shares);
        mmd_exchange *document = made_gltf_read(&file, text);
        assert_int_equal(made_gltf_loss(document, "skin.bind_pose") != NULL, apart);
        mmd_exchange_destroy(document);
    }
}

static void joints_that_all_fit_are_no_loss(void **state)
{
    (void)state;
    uint8_t joints[3][3][4];
    float weights[3][3][4];
    for (int v = 0; v < 3; v++) {
        memcpy(joints[v], many_joints[1 + v % 2], sizeof joints[v]);
        memcpy(weights[v], many_weights[1 + v % 2], sizeof weights[v]);
    }
    mmd_exchange *document = skinned((const uint8_t(*)[3][4])joints, (const float(*)[3][4])weights, 2);
    assert_null(made_gltf_loss(document, "skin.influences"));
    assert_float_equal(weight_of(document->model, 0, 3), 0.25, 1e-6);
    mmd_exchange_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texture_transforms_are_in_the_vertices),
        cmocka_unit_test(vertices_are_shared_by_materials_that_read_them_alike),
        cmocka_unit_test(modes_of_alpha_are_cutoffs),
        cmocka_unit_test(the_heaviest_four_joints_count),
        cmocka_unit_test(joints_that_all_fit_are_no_loss),
        cmocka_unit_test(another_bind_pose_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
