/* Compares depth, normals and ids of every pixel with a rasteriser in double precision, which skins by the
 * CPU reference: the test figure with and without perspective, and the bundled dancer with physics. */
#include <unistd.h>

#include "figure_scene.h"
#include "made_model.h"

#include "engine/view/view_internal.h"
#include "mmd/pose.h"
#include "mmd/pose_parts.h"
#include "mmd/simulation.h"

enum { WIDTH = 160, HEIGHT = 200, PIXELS = WIDTH * HEIGHT };

/* --- The rasteriser --- */

/* What a point of the picture shows. */
typedef struct shown {
    bool drawn, has_holes; /* has_holes: a texture decides whether it is drawn */
    uint32_t material, triangle, bone;
    double order; /* depth in clip space: lower is nearer */
    double depth, normal[3];
} shown;

/* A vertex after projection: in pixels from the upper left corner, with z / w and w of clip space. */
typedef struct projected {
    double x, y, z, w, depth, normal[3];
} projected;

typedef struct rasteriser {
    const mmd_model *model;
    const view_model *drawn;
    const mmd_material_values *materials;
    projected *vertices;
} rasteriser;

static double row(const float m[16], int k, const double p[3])
{
    return (double)m[k] * p[0] + (double)m[4 + k] * p[1] + (double)m[8 + k] * p[2] + (double)m[12 + k];
}

/* Skins all vertices and projects them. */
static void project_vertices(rasteriser *r, const test_scene *scene)
{
    float view[16], projection[16];
    mmd_camera_matrices(mmd_stage_camera(scene->stage), (float)WIDTH / (float)HEIGHT, view, projection, NULL);
    uint32_t count = r->model->vertices.count;
    mmd_skinned_vertex *skinned = calloc(count, sizeof *skinned);
    r->vertices = calloc(count, sizeof *r->vertices);
    assert_true(skinned && r->vertices);
    mmd_pose *pose = mmd_actor_pose(scene->actor);
    assert_null(mmd_pose_affine_palette(pose));
    mmd_skin_reference(r->model, mmd_pose_palette(pose), mmd_pose_weights(pose), MMD_SDEF_LINEAR, NULL,
                       skinned);
    for (uint32_t v = 0; v < count; v++) {
        double seen[3], clip[4];
        for (int k = 0; k < 3; k++)
            seen[k] = row(view, k, skinned[v].position);
        for (int k = 0; k < 4; k++)
            clip[k] = row(projection, k, seen);
        projected *p = &r->vertices[v];
        *p = (projected){.x = (clip[0] / clip[3] + 1.0) / 2.0 * WIDTH,
                         .y = (1.0 - clip[1] / clip[3]) / 2.0 * HEIGHT,
                         .z = clip[2] / clip[3],
                         .w = clip[3],
                         .depth = seen[2]};
        memcpy(p->normal, skinned[v].normal, sizeof p->normal);
    }
    free(skinned);
}

/* Returns twice the area of a, b and x, y: positive if they turn clockwise on the screen. */
static double turn(const projected *a, const projected *b, double x, double y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

/* The bone with the highest weight of a vertex. */
static uint32_t dominant(const mmd_vertices *vertices, uint32_t v)
{
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (vertices->bone[v][i] >= 0 && vertices->weight[v][i] > vertices->weight[v][best])
            best = i;
    return vertices->bone[v][best] < 0 ? 0 : (uint32_t)vertices->bone[v][best];
}

/* Draws a triangle of a material over what is shown, at the points that lie dx, dy within each pixel. */
static void draw_triangle(const rasteriser *r, uint32_t m, uint32_t triangle, double dx, double dy,
                          shown *out)
{
    const uint32_t *corners = r->model->indices + 3 * (size_t)triangle;
    const projected *v[3];
    double low[2] = {1e30, 1e30}, high[2] = {-1e30, -1e30};
    for (int i = 0; i < 3; i++) {
        v[i] = &r->vertices[corners[i]];
        assert_true(v[i]->w > 0.0); /* all is in front of the eye */
        low[0] = fmin(low[0], v[i]->x), high[0] = fmax(high[0], v[i]->x);
        low[1] = fmin(low[1], v[i]->y), high[1] = fmax(high[1], v[i]->y);
    }
    double area = turn(v[0], v[1], v[2]->x, v[2]->y);
    if (fabs(area) < 1e-12 || (area < 0.0 && !(r->model->materials[m].flags & MMD_MATERIAL_TWO_SIDED)))
        return;
    const mmd_render_texture *texture = r->model->materials[m].texture < 0
                                            ? NULL
                                            : &r->drawn->textures.textures[r->model->materials[m].texture];
    for (int y = (int)fmax(0, floor(low[1] - dy)); y < HEIGHT && y + dy <= high[1]; y++) {
        for (int x = (int)fmax(0, floor(low[0] - dx)); x < WIDTH && x + dx <= high[0]; x++) {
            double part[3], sum = 0.0, z = 0.0;
            bool inside = true;
            for (int i = 0; i < 3; i++) {
                part[i] = turn(v[(i + 1) % 3], v[(i + 2) % 3], x + dx, y + dy) / area;
                inside = inside && part[i] >= 0.0;
                z += part[i] * v[i]->z;
            }
            shown *s = &out[y * WIDTH + x];
            if (!inside || (s->drawn && z > s->order))
                continue;
            *s = (shown){.drawn = true,
                         .has_holes = texture && texture->id && texture->min_alpha < 255,
                         .material = m,
                         .triangle = triangle,
                         .bone = dominant(&r->model->vertices, corners[2]),
                         .order = z};
            for (int i = 0; i < 3; i++)
                sum += part[i] / v[i]->w;
            for (int i = 0; i < 3; i++) {
                double share = part[i] / v[i]->w / sum;
                s->depth += share * v[i]->depth;
                for (int k = 0; k < 3; k++)
                    s->normal[k] += share * v[i]->normal[k];
            }
        }
    }
}

static void rasterise(const rasteriser *r, double dx, double dy, shown *out)
{
    memset(out, 0, PIXELS * sizeof *out);
    for (uint32_t m = 0; m < r->model->material_count; m++) {
        const mmd_material *material = &r->model->materials[m];
        if (r->materials[m].diffuse[3] < 0.5f / 255.0f)
            continue;
        for (uint32_t i = 0; i + 2 < material->index_count; i += 3)
            draw_triangle(r, m, (material->first_index + i) / 3, dx, dy, out);
    }
}

/* --- Comparing --- */

typedef struct tally {
    int drawn, inner, holes, wrong_ids; /* pixels; inner: those that are not at an edge of a triangle */
    int differently_drawn;
    double depth, angle; /* the largest relative error, and degrees */
} tally;

/* Returns whether five points near the middle of a pixel show one triangle. */
static bool is_inner(shown *const samples[5], int i)
{
    for (int s = 1; s < 5; s++)
        if (samples[s][i].drawn != samples[0][i].drawn || samples[s][i].material != samples[0][i].material ||
            samples[s][i].triangle != samples[0][i].triangle)
            return false;
    return true;
}

static void compare_pixel(const shown *expected, const uint32_t id[3], const mmd_view_surface *surface,
                          tally *t)
{
    double length = 0.0, apart = 0.0;
    if (!expected->drawn) {
        t->differently_drawn +=
            id[0] != MMD_VIEW_NO_ID || surface->depth != 0.0f || surface->normal[0] != 0.0f;
        return;
    }
    if (id[0] != 0 || id[1] != expected->material || id[2] != expected->bone) {
        t->wrong_ids++;
        return;
    }
    t->depth = fmax(t->depth, fabs((double)surface->depth - expected->depth) / fabs(expected->depth));
    for (int k = 0; k < 3; k++)
        length += expected->normal[k] * expected->normal[k];
    for (int k = 0; k < 3; k++)
        apart += pow((double)surface->normal[k] - expected->normal[k] / sqrt(length), 2.0);
    t->angle = fmax(t->angle, 2.0 * asin(fmin(sqrt(apart) / 2.0, 1.0)) * 180.0 / 3.14159265358979323846);
}

/* Compares the picture of the stage with the rasteriser's. */
static tally compare(test_scene *scene, mmd_pixel_centers centers)
{
    static uint32_t ids[PIXELS][3];
    static mmd_view_surface surfaces[PIXELS];
    mmd_view_options options = mmd_default_view_options();
    options.edge = false;
    options.pixel_centers = centers;
    ASSERT_OK(mmd_view_surfaces(scene->view, scene->stage, &options, WIDTH, HEIGHT, ids, surfaces, error));
    rasteriser r = {.model = scene->model,
                    .drawn = scene->view->models[0],
                    .materials = mmd_pose_materials(mmd_actor_pose(scene->actor))};
    project_vertices(&r, scene);
    shown *samples[5];
    /* Direct3D 9 samples a pixel where OpenGL's pixels have their upper left corner. Points 1/64 pixel away
     * tell edges, since drivers round vertices to 1/256 pixel. */
    const double middle = centers == MMD_PIXEL_CENTERS_GL ? 0.5 : 0.0, aside = 1.0 / 64.0;
    const double moved[5][2] = {{0, 0}, {aside, aside}, {-aside, aside}, {aside, -aside}, {-aside, -aside}};
    for (int s = 0; s < 5; s++) {
        samples[s] = calloc(PIXELS, sizeof **samples);
        assert_non_null(samples[s]);
        rasterise(&r, middle + moved[s][0], middle + moved[s][1], samples[s]);
    }
    tally t = {0};
    for (int i = 0; i < PIXELS; i++) {
        t.drawn += samples[0][i].drawn;
        t.holes += samples[0][i].has_holes;
        if (!samples[0][i].has_holes && is_inner(samples, i)) {
            t.inner += samples[0][i].drawn;
            compare_pixel(&samples[0][i], ids[i], &surfaces[i], &t);
        }
    }
    for (int s = 0; s < 5; s++)
        free(samples[s]);
    free(r.vertices);
    print_message(
        "%d pixels drawn, %d inside of triangles, %d with holes: %d with other ids, %d drawn by one only, "
        "depth within %.1e, normals within %.1e degrees\n",
        t.drawn, t.inner, t.holes, t.wrong_ids, t.differently_drawn, t.depth, t.angle);
    return t;
}

static void assert_near(const tally *t)
{
    assert_true(t->drawn > 1500 && t->inner > t->drawn / 2);
    assert_true(t->wrong_ids <= t->inner / 500); /* surfaces that lie in each other */
    assert_int_equal(t->differently_drawn, 0);
    assert_true(t->depth < 1e-5);
    assert_true(t->angle < 0.01);
}

static void the_figure_is_where_the_reference_has_her(void **state)
{
    (void)state;
    figure_scene figure;
    open_figure(&figure);
    mmd_stage_set_frame(figure.scene.stage, 40.0);
    tally t = compare(&figure.scene, MMD_PIXEL_CENTERS_GL);
    assert_near(&t);
    t = compare(&figure.scene, MMD_PIXEL_CENTERS_D3D9);
    assert_near(&t);
    mmd_camera camera = *mmd_stage_camera(figure.scene.stage);
    camera.perspective = false;
    mmd_stage_set_camera(figure.scene.stage, &camera);
    t = compare(&figure.scene, MMD_PIXEL_CENTERS_GL);
    assert_near(&t);
    close_figure(&figure);
}

static void the_dancer_is_where_the_reference_has_her(void **state)
{
    (void)state;
    test_scene scene;
    mmd_motion *dance = NULL;
    mmd_bytes model = {0}, motion = {0};
    if (access(ODORI_BINARY "/dancer/dance.vmd", R_OK) != 0)
        test_skip("the build made no dancer");
    ASSERT_OK(mmd_file_read(ODORI_BINARY "/dancer/dancer.pmx", &model, error));
    ASSERT_OK(mmd_file_read(ODORI_BINARY "/dancer/dance.vmd", &motion, error));
    test_scene_open_gpu(&scene);
    ASSERT_OK(mmd_model_read(model.data, model.size, &scene.model, error));
    ASSERT_OK(mmd_vmd_read(motion.data, motion.size, &dance, error));
    scene.source = mmd_source_folder(ODORI_BINARY "/dancer");
    test_scene_stage(&scene);
    ASSERT_OK(mmd_actor_add_motion(scene.actor, dance, error));
    ASSERT_OK(mmd_view_add_model(scene.view, scene.model, scene.source, "", error));
    mmd_physics_options physics = mmd_default_physics_options();
    ASSERT_OK(mmd_stage_set_physics(scene.stage, &physics, error));
    mmd_stage_set_frame(scene.stage, 50.0);
    tally t = compare(&scene, MMD_PIXEL_CENTERS_GL);
    assert_near(&t);
    test_scene_close(&scene);
    mmd_motion_destroy(dance);
    mmd_bytes_finish(&motion);
    mmd_bytes_finish(&model);
}

/* Tiles and repetition give the same bytes, and edges are part of the planes as of the ids. */
static void planes_are_the_same_in_tiles(void **state)
{
    (void)state;
    static uint32_t ids[3][PIXELS][3];
    static mmd_view_surface surfaces[2][PIXELS];
    figure_scene figure;
    mmd_view_options options = mmd_default_view_options();
    open_figure(&figure);
    mmd_stage_set_frame(figure.scene.stage, 40.0);
    mmd_view *view = figure.scene.view;
    mmd_stage *stage = figure.scene.stage;
    for (int i = 0; i < 2; i++)
        ASSERT_OK(mmd_view_surfaces(view, stage, &options, WIDTH, HEIGHT, ids[i], surfaces[i], error));
    assert_memory_equal(surfaces[0], surfaces[1], sizeof *surfaces);
    ASSERT_OK(mmd_view_ids(view, stage, &options, WIDTH, HEIGHT, ids[2], error));
    assert_memory_equal(ids[0], ids[2], sizeof *ids);
    options.tile = 90;
    ASSERT_OK(mmd_view_surfaces(view, stage, &options, WIDTH, HEIGHT, ids[1], surfaces[1], error));
    int other = 0;
    double depth = 0.0;
    for (int i = 0; i < PIXELS; i++) {
        bool same = memcmp(ids[0][i], ids[1][i], sizeof ids[0][i]) == 0;
        other += !same;
        if (same && surfaces[0][i].depth > 0.0f)
            depth = fmax(depth, fabs((double)surfaces[1][i].depth / (double)surfaces[0][i].depth - 1.0));
    }
    print_message("in tiles: %d pixels with other ids, depth within %.1e\n", other, depth);
    assert_true(other <= 8 && depth < 1e-2);
    options.tile = 0;
    options.edge = false;
    ASSERT_OK(mmd_view_surfaces(view, stage, &options, WIDTH, HEIGHT, ids[1], surfaces[1], error));
    int outline = 0;
    for (int i = 0; i < PIXELS; i++)
        outline += ids[0][i][0] == 0 && ids[1][i][0] == MMD_VIEW_NO_ID && surfaces[0][i].depth > 0.0f;
    assert_true(outline > 100);
    close_figure(&figure);
}

/* A material with alpha 0 is not there, and one that is nearly invisible is. */
static void what_is_transparent_does_not_count(void **state)
{
    (void)state;
    static uint32_t ids[PIXELS][3];
    static mmd_view_surface surfaces[PIXELS];
    const float alphas[] = {0.001f, 0.003f, 1.0f};
    for (int i = 0; i < 3; i++) {
        mmd_model *model = made_model(&(made_sizes){.vertices = 4, .indices = 6, .bones = 1, .materials = 1});
        made_square(model, 0, 0, -50.0f, -40.0f, 0.0f, 100.0f);
        for (int v = 0; v < 4; v++)
            model->vertices.normal[v][2] = -3.0f; /* of any length */
        model->materials[0].index_count = 6;
        model->materials[0].diffuse[3] = alphas[i];
        made_finish(model);
        test_scene scene;
        test_scene_open_made(&scene, model, NULL, 0);
        mmd_view_options options = mmd_default_view_options();
        ASSERT_OK(mmd_view_surfaces(scene.view, scene.stage, &options, WIDTH, HEIGHT, ids, surfaces, error));
        const mmd_view_surface *middle = &surfaces[HEIGHT / 2 * WIDTH + WIDTH / 2];
        assert_int_equal(ids[HEIGHT / 2 * WIDTH + WIDTH / 2][0], i == 0 ? MMD_VIEW_NO_ID : 0);
        assert_true(i == 0 ? middle->depth == 0.0f : fabsf(middle->depth - 45.0f) < 1e-4f);
        assert_true(i == 0 || (middle->normal[2] == -1.0f && middle->normal[0] == 0.0f));
        test_scene_close(&scene);
        made_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figure_is_where_the_reference_has_her),
        cmocka_unit_test(the_dancer_is_where_the_reference_has_her),
        cmocka_unit_test(planes_are_the_same_in_tiles),
        cmocka_unit_test(what_is_transparent_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
