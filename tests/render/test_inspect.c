/*
 * Inspection: surfaces in colours of ids, weights, wireframes, and the layers of single pixels. Values from
 * the GPU are compared with those computed on the CPU from the model and the pose, and composited they must
 * give the image.
 */
#include "figure_scene.h"
#include "engine/render/arithmetic.h"

#ifdef ODORI_TEST_SLOWLY
enum { STEP = 19, TERMS = 5 };
#else
enum { STEP = 9, TERMS = 40 };
#endif
enum { WIDTH = 121, HEIGHT = 161, LAYERS = 64 };

static mmd_view_layer layers[LAYERS];
static uint32_t ids[WIDTH * HEIGHT][3];

static mmd_view_options plain_options(void)
{
    mmd_view_options options = mmd_default_view_options();
    options.samples = 0;
    return options;
}

static mmd_image picture_of(figure_scene *figure, const mmd_view_options *options)
{
    mmd_image image = {0};
    ASSERT_OK(
        mmd_view_picture(figure->scene.view, figure->scene.stage, options, WIDTH, HEIGHT, &image, error));
    return image;
}

static size_t layers_at(figure_scene *figure, const mmd_view_options *options, uint32_t x, uint32_t y)
{
    const mmd_view_pixel pixel = {.width = WIDTH, .height = HEIGHT, .x = x, .y = y};
    size_t count;
    ASSERT_OK(mmd_view_inspect(figure->scene.view, figure->scene.stage, options, &pixel, layers, LAYERS,
                               &count, error));
    return count;
}

static void assert_near(double a, double b, double tolerance, const char *what)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%s is %g and not %g", what, a, b);
}

/* --- Surfaces --- */

static void colors_of_ids_are_distinct(void **state)
{
    (void)state;
    static bool taken[1 << 12];
    for (uint32_t id = 0; id < 1 << 12; id++) {
        uint8_t rgb[3], next[3];
        mmd_id_color(id, rgb);
        mmd_id_color(id + 1, next);
        uint32_t back = (rgb[0] & 15u) << 8 | (rgb[1] & 15u) << 4 | (rgb[2] & 15u);
        assert_int_equal(back, id);
        assert_false(taken[back]);
        taken[back] = true;
        int apart = 0;
        for (int k = 0; k < 3; k++)
            apart += abs(rgb[k] - next[k]);
        assert_true(apart > 60);
    }
}

/* The image of ids agrees with mmd_view_ids, except for edges, which it does not contain. */
static void surfaces_have_the_colors_of_ids(void **state)
{
    (void)state;
    figure_scene figure;
    open_figure(&figure);
    mmd_stage_set_frame(figure.scene.stage, 20);
    mmd_view_options options = plain_options();
    options.edge = false;
    ASSERT_OK(mmd_view_ids(figure.scene.view, figure.scene.stage, &options, WIDTH, HEIGHT, ids, error));
    for (int kind = 0; kind < 3; kind++) {
        options.surface = (mmd_surface)(MMD_SURFACE_MODELS + kind);
        mmd_image image = picture_of(&figure, &options);
        size_t covered = 0;
        for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
            uint8_t rgb[3] = {255, 255, 255};
            if (ids[i][0] != MMD_VIEW_NO_ID)
                mmd_id_color(ids[i][kind], rgb);
            covered += ids[i][0] != MMD_VIEW_NO_ID;
            assert_memory_equal(image.pixels + 4 * i, rgb, 3);
        }
        assert_true(covered > 500);
        mmd_image_finish(&image);
    }
    close_figure(&figure);
}

/* Named ids have the numbers of mmd_view_ids, and the names of the figure's materials and bones. */
static void named_ids_are_ids_with_names(void **state)
{
    (void)state;
    figure_scene figure;
    open_figure(&figure);
    mmd_model *model = figure.scene.model;
    /* Bones that a body follows, and that one moves. The stage has no physics, so nothing else reads these.
     */
    mmd_rigid_body bodies[] = {{.bone = 2, .mode = 0}, {.bone = 3, .mode = 1}, {.bone = -1, .mode = 1}};
    assert_true(model->body_count == 0 && !model->physscene);
    model->bodies = bodies;
    model->body_count = 3;
    mmd_stage_set_frame(figure.scene.stage, 20);
    mmd_view_options options = plain_options();
    mmd_error refused = {0};
    mmd_ids named;
    ASSERT_OK(mmd_view_ids(figure.scene.view, figure.scene.stage, &options, WIDTH, HEIGHT, ids, error));
    ASSERT_OK(
        mmd_view_named_ids(figure.scene.view, figure.scene.stage, &options, WIDTH, HEIGHT, &named, error));
    assert_true(named.width == WIDTH && named.height == HEIGHT);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
        for (int k = 0; k < 3; k++)
            assert_int_equal(named.ids[i][k], ids[i][k] == MMD_VIEW_NO_ID ? 0 : ids[i][k] + 1);
    assert_int_equal(named.model_count, 1);
    assert_string_equal(named.models[0], model->name);
    assert_int_equal(named.material_count, model->material_count);
    assert_int_equal(named.bone_count, model->bone_count);
    for (uint32_t i = 0; i < model->material_count; i++)
        assert_string_equal(named.materials[i].name, model->materials[i].name);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        assert_string_equal(named.bones[i].name, model->bones[i].name);
        assert_int_equal(named.bones[i].physics, i == 3);
    }
    model->bodies = NULL;
    model->body_count = 0;
    mmd_ids_finish(&named);
    assert_int_equal(mmd_view_named_ids(figure.scene.view, figure.scene.stage, &options, 1u << 20, 1u << 20,
                                        &named, &refused),
                     MMD_ERROR_LIMIT);
    mmd_ids_finish(&named);
    close_figure(&figure);
}

/* Surfaces are red where the bone has the full weight and grey where it has none. */
static void weights_are_a_heat_of_surfaces(void **state)
{
    (void)state;
    figure_scene figure;
    open_figure(&figure);
    mmd_view_options options = plain_options();
    int32_t head = mmd_model_find_bone(figure.scene.model, "頭");
    assert_true(head >= 0);
    options.edge = false;
    ASSERT_OK(mmd_view_ids(figure.scene.view, figure.scene.stage, &options, WIDTH, HEIGHT, ids, error));
    options.surface = MMD_SURFACE_WEIGHTS;
    options.weights_bone = (uint32_t)head;
    mmd_image image = picture_of(&figure, &options);
    size_t red = 0, grey = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        const uint8_t *p = image.pixels + 4 * i;
        if (ids[i][0] == MMD_VIEW_NO_ID)
            continue;
        red += p[0] > 90 && p[1] < 10 && p[2] < 10;
        grey += abs(p[0] - p[1]) < 4 && abs(p[1] - p[2]) < 10;
    }
    assert_true(red > 50);
    assert_true(grey > 500);
    options.weights_actor = 7; /* no actor of this stage */
    mmd_image clay = picture_of(&figure, &options);
    options.surface = MMD_SURFACE_CLAY;
    mmd_image same = picture_of(&figure, &options);
    assert_memory_equal(clay.pixels, same.pixels, (size_t)4 * WIDTH * HEIGHT);
    mmd_image_finish(&image);
    mmd_image_finish(&clay);
    mmd_image_finish(&same);
    close_figure(&figure);
}

/* Wireframes darken the image only where triangles are, and are the same in tiles. */
static void wires_lie_on_surfaces(void **state)
{
    (void)state;
    figure_scene figure;
    open_figure(&figure);
    mmd_view_options options = plain_options();
    options.edge = false;
    ASSERT_OK(mmd_view_ids(figure.scene.view, figure.scene.stage, &options, WIDTH, HEIGHT, ids, error));
    mmd_image before = picture_of(&figure, &options);
    options.show_wireframe = true;
    mmd_image after = picture_of(&figure, &options);
    options.tile = 50;
    mmd_image tiled = picture_of(&figure, &options);
    size_t changed = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        bool differs = memcmp(before.pixels + 4 * i, after.pixels + 4 * i, 4) != 0;
        assert_true(!differs || ids[i][0] != MMD_VIEW_NO_ID);
        changed += differs;
        for (int k = 0; k < 3; k++)
            assert_near(tiled.pixels[4 * i + (size_t)k], after.pixels[4 * i + (size_t)k], 40,
                        "a tile's wire");
    }
    assert_true(changed > 300);
    mmd_image_finish(&before);
    mmd_image_finish(&after);
    mmd_image_finish(&tiled);
    close_figure(&figure);
}

/* --- Pixels --- */

/* Vertices as skinned by the GPU, from which the CPU computes the expected values. */
static float (*positions)[3], (*normals)[3];

static void read_vertices(figure_scene *figure)
{
    size_t size = figure->scene.model->vertices.count * sizeof *positions;
    positions = malloc(size);
    normals = malloc(size);
    assert_true(positions && normals);
    ASSERT_OK(mmd_view_read_stage_vertices(figure->scene.view, figure->scene.stage, 0, MMD_SDEF_LINEAR,
                                           positions, normals, error));
}

static double dot(const float a[3], const float b[3])
{
    return (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
}

/* Interpolates a vector of the corners of a layer. */
static void interpolate(const mmd_view_layer *layer, float (*of)[3], float result[3])
{
    for (int k = 0; k < 3; k++) {
        result[k] = 0;
        for (int i = 0; i < 3; i++)
            result[k] += layer->parts[i] * of[layer->corners[i]][k];
    }
}

/* Returns the position in the toon texture as docs/mmd.md 6.3 and 6.7 define it, from half of the cosine
 * between normal and light: at vertices, which interpolating the normal equals, or of the unit normal of the
 * pixel. */
static double toon_place_of(const mmd_view_layer *layer, const float light[3], bool of_pixel)
{
    float normal[3];
    interpolate(layer, normals, normal);
    double length = sqrt(dot(light, light)) * (of_pixel ? sqrt(dot(normal, normal)) : 1);
    return 0.5 + 0.5 * dot(normal, light) / length;
}

static double highlight_at(const float position[3], const float normal[3], double normal_length,
                           const float light[3], const float eye[3], double power)
{
    double length = sqrt(dot(light, light));
    float to_eye[3], halfway[3];
    for (int k = 0; k < 3; k++)
        to_eye[k] = eye[k] - position[k];
    double away = sqrt(dot(to_eye, to_eye));
    for (int k = 0; k < 3; k++)
        halfway[k] = (float)((double)to_eye[k] / away - (double)light[k] / length);
    double cosine = dot(normal, halfway) / sqrt(dot(halfway, halfway)) / normal_length;
    return pow(fmax(0, cosine), power);
}

static double highlight_of(const mmd_view_layer *layer, const float light[3], const float eye[3],
                           double power, bool of_pixel)
{
    float position[3], normal[3];
    double sum = 0;
    interpolate(layer, positions, position);
    interpolate(layer, normals, normal);
    if (of_pixel)
        return highlight_at(position, normal, sqrt(dot(normal, normal)), light, eye, power);
    for (int i = 0; i < 3; i++) {
        uint32_t v = layer->corners[i];
        sum += (double)layer->parts[i] * highlight_at(positions[v], normals[v], 1, light, eye, power);
    }
    return sum;
}

/* Computes a material's colour from its terms (docs/mmd.md 6.3 to 6.7). */
static void color_of(const mmd_view_layer *layer, const mmd_model *model, const float light_color[3],
                     bool shadowed, double rgb[3])
{
    const mmd_render_sample *s = &layer->sample;
    const mmd_material *material = &model->materials[layer->material];
    bool adds = material->sphere >= 0 && material->sphere_mode == MMD_SPHERE_ADD;
    uint8_t column[32][3];
    shared_toon_column(material->shared_toon ? material->toon : 9, column);
    for (int k = 0; k < 3; k++) {
        double value = (double)s->base_color[k] * (double)s->texture[k] * (shadowed ? 1 : (double)s->toon[k]);
        value = adds ? value + (double)s->sphere[k] : value * (double)s->sphere[k];
        double dark = value * column[31][k] / 256.0;
        value = shadowed ? dark + (value - dark) * (double)s->light : value;
        double specular = (double)material->specular[k] * (double)light_color[k] * (double)s->highlight;
        rgb[k] = value + specular * (double)s->light;
    }
}

/* Checks the terms of a layer (toon, highlight, colour) against those computed on the CPU. */
static void check_terms(figure_scene *figure, const mmd_view_layer *layer, bool self_shadow)
{
    const mmd_model *model = figure->scene.model;
    const mmd_material *material = &model->materials[layer->material];
    const mmd_light *light = mmd_stage_light(figure->scene.stage);
    float view[16], projection[16], eye[3];
    double rgb[3], sum = 0;
    mmd_camera_matrices(mmd_stage_camera(figure->scene.stage), 1, view, projection, eye);
    for (int i = 0; i < 3; i++)
        sum += (double)layer->parts[i];
    assert_near(sum, 1, 1e-5, "the sum of parts");
    assert_near((double)layer->sample.toon_place, toon_place_of(layer, light->direction, self_shadow), 2e-3,
                "the toon's place");
    if (material->specular_power > 0 && dot(material->specular, material->specular) > 0)
        assert_near((double)layer->sample.highlight,
                    highlight_of(layer, light->direction, eye, (double)material->specular_power, self_shadow),
                    4e-3, "the highlight");
    if (!self_shadow)
        assert_near((double)layer->sample.light, 1, 0, "light without self shadow");
    color_of(layer, model, light->color, self_shadow && material->flags & MMD_MATERIAL_RECEIVES_SHADOW, rgb);
    for (int k = 0; k < 3; k++)
        assert_near((double)layer->sample.color[k], rgb[k], 3e-3, "a colour by its terms");
}

/* Blends all layers and returns the largest difference from the pixel. */
static double error_of_pixel(const mmd_view_layer *layer, size_t count, const uint8_t *pixel)
{
    double rgb[3] = {1, 1, 1}, shares = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        double alpha = fmin((double)layer[i].sample.color[3], 1);
        shares += (double)layer[i].share;
        for (int k = 0; k < 3 && layer[i].drawn; k++)
            rgb[k] += alpha * (fmin(fmax((double)layer[i].sample.color[k], 0), 1) - rgb[k]);
    }
    assert_true(shares <= 1.00001);
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(pixel[k] - 255 * rgb[k]));
    return most;
}

/* Requires that the frontmost drawn layer has the actor and material of the id pass. */
static void check_front(const mmd_view_layer *layer, size_t count, const uint32_t id[3])
{
    while (count > 0 && !layer[count - 1].drawn)
        count--;
    if (id[0] == MMD_VIEW_NO_ID) {
        assert_int_equal(count, 0);
        return;
    }
    assert_true(count > 0);
    assert_int_equal(layer[count - 1].actor, id[0]);
    assert_int_equal(layer[count - 1].material, id[1]);
}

/* Checks the layers of a grid of pixels against the image and the ids. */
static void check_pixels(figure_scene *figure, const mmd_view_options *options)
{
    size_t terms = 0, apart = 0;
    mmd_image image = picture_of(figure, options);
    ASSERT_OK(mmd_view_ids(figure->scene.view, figure->scene.stage, options, WIDTH, HEIGHT, ids, error));
    read_vertices(figure);
    for (uint32_t y = 1; y < HEIGHT; y += STEP)
        for (uint32_t x = 1; x < WIDTH; x += STEP) {
            size_t at = (size_t)y * WIDTH + x, count = layers_at(figure, options, x, y);
            assert_true(count < LAYERS);
            double error = error_of_pixel(layers, count, image.pixels + 4 * at);
            apart += error > 1;
            assert_near(error, 0, 8, "a pixel by its layers");
            check_front(layers, count, ids[at]);
            for (size_t i = 0; i < count; i++)
                if (!layers[i].edge && ++terms)
                    check_terms(figure, &layers[i], options->self_shadow);
        }
    assert_true(terms > TERMS);
    assert_true(apart <= 2); /* a texture between two mipmap levels may be read from the other one */
    free(positions);
    free(normals);
    mmd_image_finish(&image);
}

static void layers_give_the_picture(void **state)
{
    (void)state;
    figure_scene figure;
    open_figure(&figure);
    mmd_stage_set_frame(figure.scene.stage, 40);
    mmd_view_options options = plain_options();
    check_pixels(&figure, &options);
    options.pixel_centers = MMD_PIXEL_CENTERS_GL;
    check_pixels(&figure, &options);
    close_figure(&figure);
}

static void layers_give_the_picture_under_self_shadow(void **state)
{
    (void)state;
    figure_scene figure;
    open_figure(&figure);
    mmd_self_shadow_key key = {.value = {1, 0.01f}};
    mmd_motion shadow = {.self_shadow_keys = &key, .self_shadow_key_count = 1};
    ASSERT_OK(mmd_stage_add_scene_motion(figure.scene.stage, &shadow, error));
    mmd_stage_set_frame(figure.scene.stage, 40);
    mmd_view_options options = plain_options();
    options.self_shadow = true;
    check_pixels(&figure, &options);
    close_figure(&figure);
}

static void the_last_layers_are_kept(void **state)
{
    (void)state;
    figure_scene figure;
    open_figure(&figure);
    mmd_view_options options = plain_options();
    const mmd_view_pixel pixel = {.width = WIDTH, .height = HEIGHT, .x = WIDTH / 2, .y = HEIGHT / 2};
    size_t all = layers_at(&figure, &options, pixel.x, pixel.y), count;
    assert_true(all > 1);
    mmd_view_layer last = layers[all - 1], one;
    ASSERT_OK(
        mmd_view_inspect(figure.scene.view, figure.scene.stage, &options, &pixel, &one, 1, &count, error));
    assert_int_equal(count, 1);
    assert_int_equal(one.triangle, last.triangle);
    assert_int_equal(one.material, last.material);
    close_figure(&figure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colors_of_ids_are_distinct),
        cmocka_unit_test(surfaces_have_the_colors_of_ids),
        cmocka_unit_test(named_ids_are_ids_with_names),
        cmocka_unit_test(weights_are_a_heat_of_surfaces),
        cmocka_unit_test(wires_lie_on_surfaces),
        cmocka_unit_test(layers_give_the_picture),
        cmocka_unit_test(layers_give_the_picture_under_self_shadow),
        cmocka_unit_test(the_last_layers_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
