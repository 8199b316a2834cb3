/*
 * Tests drawing into the scene of a host program: that equal cameras give equal pictures whatever the host's
 * conventions are, and that dancers and the host's objects hide each other.
 */
#include "host_scene.h"
#include "library_host.h"

/* The figure with a camera and self shadow. */
typedef struct stage_of_host {
    figure_scene figure;
    mmd_motion shadow;
    mmd_self_shadow_key key;
} stage_of_host;

static void open_stage(stage_of_host *opened)
{
    test_scene *scene = &opened->figure.scene;
    open_figure(&opened->figure);
    opened->key = (mmd_self_shadow_key){.value = {1, 0.02f}};
    opened->shadow = (mmd_motion){.self_shadow_keys = &opened->key, .self_shadow_key_count = 1};
    ASSERT_OK(mmd_stage_add_scene_motion(scene->stage, &opened->shadow, error));
    mmd_camera camera = mmd_default_camera();
    camera.distance = -38.0f;
    camera.rotation[0] = -0.25f;
    camera.rotation[1] = 0.45f;
    mmd_stage_set_camera(scene->stage, &camera);
    mmd_stage_set_frame(scene->stage, 67.5);
}

static mmd_view_options every_pass(void)
{
    mmd_view_options options = mmd_default_view_options();
    options.self_shadow = options.ground_shadow = options.grid = true;
    options.ground_shadow_transparent = true;
    return options;
}

/* Draws into a cleared framebuffer and reads it. */
static void draw(const test_scene *scene, const host_frame *frame, const mmd_view_options *options,
                 const mmd_view_host *host, uint8_t *rgba)
{
    ASSERT_OK(mmd_view_draw_into(scene->view, scene->stage, options, host, error));
    host_read(frame, rgba);
}

/* ------------------------------------------------------------- equal cameras */

/* Ways of writing down the same camera. */
enum { RIGHT_HANDED, LEFT_HANDED, METRES, MOVED, INFINITE, REVERSED, FALLING_RANGE, WAYS };
static const char *const ways[WAYS] = {"right-handed", "left-handed", "metres",       "moved",
                                       "infinite",     "reversed",    "falling range"};

static mmd_view_host host_in_a_way(const host_frame *frame, const mmd_stage *stage, int way)
{
    /* a quarter turn about y and a move, and their inverse */
    static const float moved[16] = {0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 3, 4, 5, 1};
    static const float back[16] = {0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 5, -4, -3, 1};
    mmd_view_host host = host_of_camera(frame, stage);
    float eye[3];
    host.clear_color = host.clear_depth = true;
    if (way == LEFT_HANDED) {
        mmd_camera_matrices(mmd_stage_camera(stage), (float)HOST_WIDTH / (float)HOST_HEIGHT, host.view,
                            host.projection, eye);
        host.world[10] = 1.0f;
    } else if (way == METRES) {
        host_set_scale(&host, 0.08f);
    } else if (way == MOVED) {
        host_multiply(moved, host.world, host.world);
        host_multiply(host.view, back, host.view);
    } else if (way == INFINITE) {
        host.projection[10] = -1.0f;
        host.projection[14] = -1.0f;
    } else if (way == REVERSED) {
        host_set_reversed(&host, 0.5f);
    } else if (way == FALLING_RANGE) {
        host.depth_range[0] = 1.0f, host.depth_range[1] = 0.0f;
        host.reversed_depth = true;
    }
    return host;
}

static void equal_cameras_give_equal_pictures(void **state)
{
    (void)state;
    static uint8_t drawn[4 * HOST_PIXELS];
    stage_of_host opened;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = every_pass();
    for (int centers = 0; centers < 2; centers++) {
        mmd_image wanted = {0};
        options.pixel_centers = centers ? MMD_PIXEL_CENTERS_GL : MMD_PIXEL_CENTERS_D3D9;
        for (int way = 0; way < WAYS; way++) {
            /* Axes and grid have equal depths, so other depths choose others of their pixels. */
            options.grid = way < INFINITE;
            ASSERT_OK(mmd_view_picture(scene->view, scene->stage, &options, HOST_WIDTH, HOST_HEIGHT, &wanted,
                                       error));
            host_frame frame;
            if (way == REVERSED && !GLAD_GL_ARB_clip_control)
                continue;
            host_open(&frame, &(host_kind){.float_depth = way == REVERSED});
            mmd_view_host host = host_in_a_way(&frame, scene->stage, way);
            draw(scene, &frame, &options, &host, drawn);
            host_keep(ways[way], drawn);
            host_difference found = host_compare(drawn, wanted.pixels);
            print_message("%s, %s centres: %u pixels differ, %u by more than 2, at most by %u\n", ways[way],
                          centers ? "OpenGL's" : "Direct3D's", found.any, found.more, found.largest);
            if (way == RIGHT_HANDED || way == LEFT_HANDED)
                assert_int_equal(found.any, 0);
            assert_true(found.more <= HOST_PIXELS / 2000);
            host_close(&frame);
        }
        mmd_image_finish(&wanted);
    }
    close_figure(&opened.figure);
}

static void the_manuals_example_draws_in_metres(void **state)
{
    (void)state;
    static uint8_t example[4 * HOST_PIXELS], drawn[4 * HOST_PIXELS];
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = mmd_default_view_options();
    options.pixel_centers = MMD_PIXEL_CENTERS_GL;
    options.self_shadow = true;
    host_open(&frame, &(host_kind){0});
    mmd_view_host host = host_of_camera(&frame, scene->stage);
    host_set_scale(&host, 0.08f);
    host_clear(&frame, host_red, false);
    draw(scene, &frame, &options, &host, drawn);
    host_clear(&frame, host_red, false);
    ASSERT_OK(draw_dancers(scene->view, scene->stage, &host.place, host.view, host.projection, error));
    host_read(&frame, example);
    assert_memory_equal(example, drawn, sizeof drawn);
    uint32_t shown = 0;
    for (int i = 0; i < HOST_PIXELS; i++)
        shown += memcmp(drawn + 4 * i, (const uint8_t[4]){255, 0, 0, 255}, 4) != 0;
    assert_true(shown > HOST_PIXELS / 10);
    host_close(&frame);
    close_figure(&opened.figure);
}

/* Without perspective MMD's edges depend on the camera's distance, here on the size of the picture. */
static void a_camera_without_perspective_is_the_same_without_edges(void **state)
{
    (void)state;
    static uint8_t drawn[4 * HOST_PIXELS];
    stage_of_host opened;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = every_pass();
    mmd_image wanted = {0};
    mmd_camera camera = *mmd_stage_camera(scene->stage);
    camera.perspective = false;
    mmd_stage_set_camera(scene->stage, &camera);
    mmd_stage_set_frame(scene->stage, 67.5);
    options.edge = options.grid = false;
    host_frame frame;
    host_open(&frame, &(host_kind){0});
    for (int falling = 0; falling < 2; falling++) {
        mmd_view_host host = host_in_a_way(&frame, scene->stage, falling ? FALLING_RANGE : RIGHT_HANDED);
        draw(scene, &frame, &options, &host, drawn);
        ASSERT_OK(
            mmd_view_picture(scene->view, scene->stage, &options, HOST_WIDTH, HOST_HEIGHT, &wanted, error));
        host_difference found = host_compare(drawn, wanted.pixels);
        print_message("%u pixels differ, %u by more than 2\n", found.any, found.more);
        assert_true(found.more <= HOST_PIXELS / 2000);
    }
    host_close(&frame);
    mmd_image_finish(&wanted);
    close_figure(&opened.figure);
}

/* Returns the mean width of edges in pixels of a row: pixels that are new with edges, per row that has any.
 */
static double edge_pixels(const test_scene *scene, const host_frame *frame, const mmd_view_host *host)
{
    static uint8_t with[4 * HOST_PIXELS], without[4 * HOST_PIXELS];
    mmd_view_options options = mmd_default_view_options();
    draw(scene, frame, &options, host, with);
    options.edge = false;
    draw(scene, frame, &options, host, without);
    return (double)host_compare(with, without).more;
}

/* Without perspective edges are as wide as with the default field of view. */
static void edges_are_as_wide_without_perspective(void **state)
{
    (void)state;
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    host_open(&frame, &(host_kind){0});
    mmd_camera camera = mmd_default_camera();
    camera.distance = -45.0f;
    mmd_stage_set_camera(scene->stage, &camera);
    mmd_stage_set_frame(scene->stage, 67.5);
    mmd_view_host far = host_in_a_way(&frame, scene->stage, RIGHT_HANDED), flat = far;
    const float high = (float)(1.0 / (45.0 * tan(15.0 * 3.14159265358979 / 180.0)));
    memset(flat.projection, 0, sizeof flat.projection);
    flat.projection[0] = high * (float)HOST_HEIGHT / (float)HOST_WIDTH;
    flat.projection[5] = high;
    flat.projection[10] = -0.001f;
    flat.projection[14] = -0.5f;
    flat.projection[15] = 1.0f;
    double wanted = edge_pixels(scene, &frame, &far), found = edge_pixels(scene, &frame, &flat);
    print_message("pixels of edges: %.0f with perspective, %.0f without\n", wanted, found);
    assert_true(wanted > 300.0 && fabs(found - wanted) < 0.05 * wanted);
    host_close(&frame);
    close_figure(&opened.figure);
}

/* Where a host does not mirror z, actors are mirrored, and their faces must not be inside out. */
static void a_mirrored_world_mirrors_the_picture(void **state)
{
    (void)state;
    static uint32_t plain[HOST_PIXELS][3], turned[HOST_PIXELS][3];
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = mmd_default_view_options();
    mmd_camera camera = mmd_default_camera();
    options.pixel_centers = MMD_PIXEL_CENTERS_GL;
    camera.distance = -38.0f;
    mmd_stage_set_camera(scene->stage, &camera);
    mmd_stage_set_frame(scene->stage, 67.5);
    host_open(&frame, &(host_kind){0});
    mmd_view_host host = host_of_camera(&frame, scene->stage);
    ASSERT_OK(mmd_view_surfaces_into(scene->view, scene->stage, &options, &host, plain, NULL, error));
    for (int upside_down = 0; upside_down < 2; upside_down++) {
        mmd_view_host mirrored = host;
        if (upside_down)
            mirrored.projection[5] = -mirrored.projection[5];
        else
            mirrored.world[0] = -mirrored.world[0];
        ASSERT_OK(
            mmd_view_surfaces_into(scene->view, scene->stage, &options, &mirrored, turned, NULL, error));
        uint32_t differ = 0, shown = 0;
        for (int y = 0; y < HOST_HEIGHT; y++)
            for (int x = 0; x < HOST_WIDTH; x++) {
                const uint32_t *a = plain[y * HOST_WIDTH + x];
                const uint32_t *b = upside_down ? turned[(HOST_HEIGHT - 1 - y) * HOST_WIDTH + x]
                                                : turned[y * HOST_WIDTH + HOST_WIDTH - 1 - x];
                shown += a[0] != MMD_VIEW_NO_ID;
                differ += a[0] != b[0] || a[1] != b[1];
            }
        print_message("%u pixels shown, %u differ mirrored\n", shown, differ);
        assert_true(shown > HOST_PIXELS / 20 && differ <= shown / 500);
    }
    host_close(&frame);
    close_figure(&opened.figure);
}

/* -------------------------------------------------------------- hiding and hidden */

/* A cube about the figure's right arm and before a leg, in MMD's units with z mirrored. */
static const float cube_place[4] = {-2.6f, 9.0f, 1.2f, 2.4f};

/* The three pictures that tell who hides whom, and the distance of the cube. */
typedef struct hiding {
    uint8_t dancer[4 * HOST_PIXELS], cube[4 * HOST_PIXELS], both[4 * HOST_PIXELS];
    float depth[HOST_PIXELS]; /* of the cube, as in the buffer, top row first */
    uint32_t ids[HOST_PIXELS][3];
    mmd_view_surface surfaces[HOST_PIXELS];
} hiding;

/* Draws the three pictures. scale: units of the host's world per MMD unit. Depth only without multisampling.
 */
static void draw_hiding(const test_scene *scene, const host_frame *frame, const mmd_view_host *host,
                        float scale, hiding *made)
{
    static float depth[HOST_PIXELS];
    mmd_view_options options = mmd_default_view_options();
    float cube[4];
    options.pixel_centers = MMD_PIXEL_CENTERS_GL;
    options.self_shadow = true;
    for (int i = 0; i < 4; i++)
        cube[i] = scale * cube_place[i];
    cube[2] *= host->world[10] > 0.0f ? -1.0f : 1.0f;
    host_clear(frame, host_red, host->reversed_depth);
    draw(scene, frame, &options, host, made->dancer);
    host_clear(frame, host_red, host->reversed_depth);
    host_cube(frame, host, cube);
    host_read(frame, made->cube);
    if (!frame->kind.samples)
        host_read_depth(frame, depth);
    for (int y = 0; y < HOST_HEIGHT; y++)
        memcpy(made->depth + (size_t)HOST_WIDTH * y, depth + (size_t)HOST_WIDTH * (HOST_HEIGHT - 1 - y),
               HOST_WIDTH * sizeof *depth);
    draw(scene, frame, &options, host, made->both);
    ASSERT_OK(
        mmd_view_surfaces_into(scene->view, scene->stage, &options, host, made->ids, made->surfaces, error));
}

/* Returns the distance along the view axis, in units of the host's world, of a value of the depth buffer. */
static double distance_of(const mmd_view_host *host, float depth)
{
    double ndc = (depth - host->depth_range[0]) / (double)(host->depth_range[1] - host->depth_range[0]);
    if (!host->zero_to_one_depth)
        ndc = 2.0 * ndc - 1.0;
    return host->projection[14] / (ndc - (double)(host->projection[10] * host->projection[11]));
}

/* Counts of pixels: where nobody, the cube, or the dancer is in front, and where the picture disagrees. */
typedef struct verdict {
    uint32_t red, cube, dancer, hidden, wrong, doubtful;
} verdict;

/* Compares the picture of both with what distances say. A pixel is doubtful where distances are equal, and
 * where a blended part of the dancer is before the cube. */
static verdict judge(const hiding *made, const mmd_view_host *host, float scale)
{
    verdict v = {0};
    for (int i = 0; i < HOST_PIXELS; i++) {
        const uint8_t *both = made->both + 4 * i;
        bool has_cube = made->depth[i] != (host->reversed_depth ? 0.0f : 1.0f);
        bool has_dancer = made->ids[i][0] != MMD_VIEW_NO_ID;
        double cube = has_cube ? distance_of(host, made->depth[i]) / scale : 1e9;
        double dancer = has_dancer ? (double)made->surfaces[i].depth : 1e9;
        if (!has_cube && !has_dancer) {
            v.red++;
            v.wrong += memcmp(both, (const uint8_t[4]){255, 0, 0, 255}, 4) != 0;
        } else if (fabs(cube - dancer) < 0.02) {
            v.doubtful++;
        } else if (cube < dancer) {
            v.cube++;
            v.hidden += has_dancer;
            v.wrong += memcmp(both, made->cube + 4 * i, 4) != 0;
        } else {
            bool same = memcmp(both, made->dancer + 4 * i, 4) == 0;
            v.dancer++;
            v.doubtful += !same && has_cube;
            v.wrong += !same && !has_cube;
        }
    }
    return v;
}

/* Ways of drawing the scene with the cube. */
enum { PLAIN, IN_METRES, WITH_REVERSED_DEPTH, WITH_LEFT_HANDED_WORLD, IN_A_DEPTH_RANGE, SCENES };
static const char *const scenes[SCENES] = {"scene", "scene-metres", "scene-reversed", "scene-left-handed",
                                           "scene-depth-range"};

static mmd_view_host host_of_scene(const host_frame *frame, const mmd_stage *stage, int which)
{
    mmd_view_host host =
        host_in_a_way(frame, stage, which == WITH_LEFT_HANDED_WORLD ? LEFT_HANDED : RIGHT_HANDED);
    host.clear_color = host.clear_depth = false;
    if (which == IN_METRES)
        host_set_scale(&host, 0.08f);
    if (which == WITH_REVERSED_DEPTH)
        host_set_reversed(&host, 0.5f);
    if (which == IN_A_DEPTH_RANGE)
        host.depth_range[0] = 0.25f, host.depth_range[1] = 0.75f;
    return host;
}

static void dancers_hide_and_are_hidden_by_the_hosts_objects(void **state)
{
    (void)state;
    static hiding made;
    stage_of_host opened;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    for (int which = 0; which < SCENES; which++) {
        const float scale = which == IN_METRES ? 0.08f : 1.0f;
        host_frame frame;
        if (which == WITH_REVERSED_DEPTH && !GLAD_GL_ARB_clip_control)
            continue;
        host_open(&frame, &(host_kind){.float_depth = which == WITH_REVERSED_DEPTH});
        mmd_view_host host = host_of_scene(&frame, scene->stage, which);
        draw_hiding(scene, &frame, &host, scale, &made);
        host_keep(scenes[which], made.both);
        verdict v = judge(&made, &host, scale);
        print_message("%s: red %u, cube %u (hides her at %u), dancer %u; wrong %u, doubtful %u\n",
                      scenes[which], v.red, v.cube, v.hidden, v.dancer, v.wrong, v.doubtful);
        assert_int_equal(v.wrong, 0);
        assert_true(v.red > HOST_PIXELS / 2 && v.cube > 500 && v.hidden > 100 && v.dancer > 2000);
        assert_true(v.doubtful < 60);
        host_close(&frame);
    }
    close_figure(&opened.figure);
}

/* The top of a large cube is a floor at y = 0, the plane of ground shadows. */
static void ground_shadows_lie_on_the_hosts_floor(void **state)
{
    (void)state;
    static uint8_t with[4 * HOST_PIXELS], without[4 * HOST_PIXELS];
    static const float floor[4] = {0.0f, -14.0f, 0.0f, 14.0f};
    static const int kinds[3] = {RIGHT_HANDED, REVERSED, FALLING_RANGE};
    uint32_t shadows[3] = {0};
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = mmd_default_view_options();
    for (int i = 0; i < 3; i++) {
        if (kinds[i] == REVERSED && !GLAD_GL_ARB_clip_control)
            continue;
        host_open(&frame, &(host_kind){.float_depth = kinds[i] == REVERSED});
        mmd_view_host host = host_in_a_way(&frame, scene->stage, kinds[i]);
        host.clear_color = host.clear_depth = false;
        for (int shadow = 0; shadow < 2; shadow++) {
            options.ground_shadow = shadow;
            host_clear(&frame, host_red, host.reversed_depth);
            host_cube(&frame, &host, floor);
            draw(scene, &frame, &options, &host, shadow ? with : without);
        }
        host_keep(i ? i == 1 ? "floor-reversed" : "floor-falling" : "floor", with);
        shadows[i] = host_compare(with, without).more;
        print_message("%s: %u pixels in shadow\n", ways[kinds[i]], shadows[i]);
        assert_true(shadows[i] > 1200 && abs((int)shadows[i] - (int)shadows[0]) < 20);
        host_close(&frame);
    }
    close_figure(&opened.figure);
}

/* Tests whether the 3 x 3 pixels about a pixel show the same. */
static bool is_inside(const uint8_t *rgba, int i)
{
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            if (memcmp(rgba + 4 * i, rgba + 4 * (i + y * HOST_WIDTH + x), 3) != 0)
                return false;
    return true;
}

static void a_multisampled_framebuffer_shows_the_same_smoother(void **state)
{
    (void)state;
    static hiding plain, smooth;
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    host_open(&frame, &(host_kind){0});
    mmd_view_host host = host_of_scene(&frame, scene->stage, PLAIN);
    draw_hiding(scene, &frame, &host, 1.0f, &plain);
    host_close(&frame);
    if (!host_has_samples(scene->gpu)) {
        close_figure(&opened.figure);
        return;
    }
    host_open(&frame, &(host_kind){.samples = 4});
    host = host_of_scene(&frame, scene->stage, PLAIN);
    draw_hiding(scene, &frame, &host, 1.0f, &smooth);
    host_keep("scene-msaa", smooth.both);
    uint32_t inside = 0, wrong = 0;
    for (int y = 1; y < HOST_HEIGHT - 1; y++)
        for (int x = 1; x < HOST_WIDTH - 1; x++) {
            int i = y * HOST_WIDTH + x;
            if (!is_inside(plain.both, i))
                continue;
            inside++;
            for (int k = 0; k < 3; k++)
                wrong += abs(plain.both[4 * i + k] - smooth.both[4 * i + k]) > 2;
        }
    host_difference found = host_compare(plain.both, smooth.both);
    print_message("%u pixels inside of areas, %u values differ there; %u pixels differ in all\n", inside,
                  wrong, found.any);
    assert_true(inside > HOST_PIXELS / 2 && wrong < inside / 1000);
    assert_true(found.any > 500); /* edges are smooth */
    host_close(&frame);
    close_figure(&opened.figure);
}

/* ------------------------------------------------------- what is left alone */

static void nothing_outside_of_the_rectangle_changes(void **state)
{
    (void)state;
    static uint8_t before[4 * HOST_PIXELS], after[4 * HOST_PIXELS];
    static float depth_before[HOST_PIXELS], depth_after[HOST_PIXELS];
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = every_pass();
    host_open(&frame, &(host_kind){0});
    mmd_view_host host = host_of_camera(&frame, scene->stage);
    host_clear(&frame, host_red, false);
    host_cube(&frame, &host, cube_place);
    host_read(&frame, before);
    host_read_depth(&frame, depth_before);
    host.place.left = 100, host.place.bottom = 60;
    host.place.width = 120, host.place.height = 90;
    host.clear_color = host.clear_depth = true;
    draw(scene, &frame, &options, &host, after);
    host_read_depth(&frame, depth_after);
    uint32_t outside = 0, inside = 0;
    for (int y = 0; y < HOST_HEIGHT; y++)
        for (int x = 0; x < HOST_WIDTH; x++) {
            int i = y * HOST_WIDTH + x, from_bottom = HOST_HEIGHT - 1 - y, d = from_bottom * HOST_WIDTH + x;
            bool is_in = x >= 100 && x < 220 && from_bottom >= 60 && from_bottom < 150;
            bool changed = memcmp(before + 4 * i, after + 4 * i, 4) != 0 || depth_before[d] != depth_after[d];
            *(is_in ? &inside : &outside) += changed;
        }
    print_message("%u pixels changed inside of the rectangle, %u outside\n", inside, outside);
    assert_int_equal(outside, 0);
    assert_true(inside > 120 * 90 / 2);
    host_close(&frame);
    close_figure(&opened.figure);
}

/* Counts pixels whose stencil differs in the masked bits from what host_clear sets. */
static uint32_t changed_stencil(const host_frame *frame, uint8_t mask)
{
    static uint8_t stencil[HOST_PIXELS];
    uint32_t changed = 0;
    host_read_stencil(frame, stencil);
    for (int i = 0; i < HOST_PIXELS; i++)
        changed += (stencil[i] & mask) != (0x55 & mask);
    return changed;
}

static void ground_shadows_use_their_stencil_bits_alone(void **state)
{
    (void)state;
    static uint8_t shadows[3][4 * HOST_PIXELS];
    static const uint8_t bits[3] = {0x80, 0x01, 0};
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = every_pass();
    host_open(&frame, &(host_kind){0});
    mmd_view_host host = host_of_camera(&frame, scene->stage);
    for (int i = 0; i < 3; i++) {
        host.stencil_bits = bits[i];
        host_clear(&frame, host_red, false);
        draw(scene, &frame, &options, &host, shadows[i]);
        assert_int_equal(changed_stencil(&frame, (uint8_t)~bits[i]), 0);
        print_message("bits 0x%02x: %u pixels have other ones\n", bits[i], changed_stencil(&frame, bits[i]));
        assert_true(!bits[i] || changed_stencil(&frame, bits[i]) > 200);
    }
    host_keep("ground-shadow", shadows[0]);
    assert_memory_equal(shadows[0], shadows[1], sizeof shadows[0]);
    /* Without a bit, overlapping parts darken twice. */
    assert_true(host_compare(shadows[0], shadows[2]).more > 50);
    options.ground_shadow = false;
    host.stencil_bits = 0xff;
    host_clear(&frame, host_red, false);
    draw(scene, &frame, &options, &host, shadows[0]);
    assert_int_equal(changed_stencil(&frame, 0xff), 0);
    host_close(&frame);
    close_figure(&opened.figure);
}

static void colours_are_gamma_encoded_in_srgb_framebuffers(void **state)
{
    (void)state;
    static uint8_t plain[4 * HOST_PIXELS], srgb[4 * HOST_PIXELS];
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = every_pass();
    for (int i = 0; i < 2; i++) {
        host_open(&frame, &(host_kind){.color = i ? GL_SRGB8_ALPHA8 : GL_RGBA8});
        mmd_view_host host = host_in_a_way(&frame, scene->stage, RIGHT_HANDED);
        glEnable(GL_FRAMEBUFFER_SRGB);
        draw(scene, &frame, &options, &host, i ? srgb : plain);
        host_close(&frame);
    }
    assert_memory_equal(plain, srgb, sizeof plain);
    close_figure(&opened.figure);
}

static void a_transparent_layer_composites_to_the_opaque_picture(void **state)
{
    (void)state;
    static uint8_t layer[4 * HOST_PIXELS], opaque[4 * HOST_PIXELS];
    static const float none[4] = {0};
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = mmd_default_view_options();
    options.ground_shadow = options.ground_shadow_transparent = true;
    host_open(&frame, &(host_kind){0});
    mmd_view_host host = host_of_camera(&frame, scene->stage);
    host_clear(&frame, host_red, false);
    draw(scene, &frame, &options, &host, opaque);
    host_clear(&frame, none, false);
    draw(scene, &frame, &options, &host, layer);
    host_keep("layer", layer);
    uint32_t blended = 0, changed_alpha = 0;
    for (int i = 0; i < HOST_PIXELS; i++) {
        uint8_t *pixel = layer + 4 * i, alpha = pixel[3];
        blended += alpha > 0 && alpha < 255;
        changed_alpha += opaque[4 * i + 3] < 254;
        pixel[0] = (uint8_t)(pixel[0] + 255 - alpha);
    }
    host_difference found = host_compare(layer, opaque);
    print_message("%u blended pixels, %u differ, at most by %u\n", blended, found.any, found.largest);
    assert_true(blended > 200);
    assert_int_equal(changed_alpha, 0);
    assert_true(found.largest <= 3);
    host_close(&frame);
    close_figure(&opened.figure);
}

static void only_the_first_draw_buffer_is_written(void **state)
{
    (void)state;
    static uint8_t second[4 * HOST_PIXELS];
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = every_pass();
    host_open(&frame, &(host_kind){.second_buffer = true});
    mmd_view_host host = host_of_camera(&frame, scene->stage);
    host.clear_color = true;
    host_clear(&frame, host_red, false);
    draw(scene, &frame, &options, &host, second);
    assert_true(second[1] == 255); /* the first one has the white background */
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame.framebuffer);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(0, 0, HOST_WIDTH, HOST_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, second);
    for (int i = 0; i < HOST_PIXELS; i++)
        assert_memory_equal(second + 4 * i, ((const uint8_t[4]){255, 0, 0, 255}), 4);
    host_close(&frame);
    close_figure(&opened.figure);
}

/* ------------------------------------------------------------------- planes */

static void ids_of_the_same_camera_are_the_same(void **state)
{
    (void)state;
    static uint32_t wanted[HOST_PIXELS][3], found[HOST_PIXELS][3];
    static mmd_view_surface wanted_surfaces[HOST_PIXELS], surfaces[HOST_PIXELS];
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = mmd_default_view_options();
    ASSERT_OK(mmd_view_surfaces(scene->view, scene->stage, &options, HOST_WIDTH, HOST_HEIGHT, wanted,
                                wanted_surfaces, error));
    for (int way = 0; way < WAYS; way++) {
        if (way == REVERSED && !GLAD_GL_ARB_clip_control)
            continue;
        host_open(&frame, &(host_kind){0});
        mmd_view_host host = host_in_a_way(&frame, scene->stage, way);
        options.tile = way == METRES ? 100 : 0;
        ASSERT_OK(mmd_view_surfaces_into(scene->view, scene->stage, &options, &host, found, surfaces, error));
        uint32_t differ = 0;
        double farthest = 0.0;
        for (int i = 0; i < HOST_PIXELS; i++) {
            bool same = memcmp(wanted[i], found[i], sizeof *found) == 0;
            differ += !same;
            if (same)
                farthest = fmax(farthest, fabs((double)(wanted_surfaces[i].depth - surfaces[i].depth)));
        }
        print_message("%s: %u ids differ, depth at most by %g\n", ways[way], differ, farthest);
        assert_true(differ <= (way == RIGHT_HANDED || way == LEFT_HANDED ? 0 : HOST_PIXELS / 2000));
        assert_true(farthest < 0.01);
        host_close(&frame);
    }
    close_figure(&opened.figure);
}

static void a_frame_takes_nothing_from_the_heap(void **state)
{
    (void)state;
    stage_of_host opened;
    host_frame frame;
    open_stage(&opened);
    const test_scene *scene = &opened.figure.scene;
    mmd_view_options options = every_pass();
    host_open(&frame, &(host_kind){0});
    mmd_view_host host = host_of_camera(&frame, scene->stage);
    host.restore_state = true;
    ASSERT_OK(mmd_view_draw_into(scene->view, scene->stage, &options, &host, error));
    uint64_t before = mmd_heap_allocations();
    for (int i = 0; i < 3; i++) {
        mmd_stage_set_frame(scene->stage, 70.0 + i);
        ASSERT_OK(mmd_view_draw_into(scene->view, scene->stage, &options, &host, error));
    }
    assert_int_equal(mmd_heap_allocations(), before);
    host_close(&frame);
    close_figure(&opened.figure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_cameras_give_equal_pictures),
        cmocka_unit_test(the_manuals_example_draws_in_metres),
        cmocka_unit_test(a_camera_without_perspective_is_the_same_without_edges),
        cmocka_unit_test(edges_are_as_wide_without_perspective),
        cmocka_unit_test(a_mirrored_world_mirrors_the_picture),
        cmocka_unit_test(dancers_hide_and_are_hidden_by_the_hosts_objects),
        cmocka_unit_test(ground_shadows_lie_on_the_hosts_floor),
        cmocka_unit_test(a_multisampled_framebuffer_shows_the_same_smoother),
        cmocka_unit_test(nothing_outside_of_the_rectangle_changes),
        cmocka_unit_test(ground_shadows_use_their_stencil_bits_alone),
        cmocka_unit_test(colours_are_gamma_encoded_in_srgb_framebuffers),
        cmocka_unit_test(a_transparent_layer_composites_to_the_opaque_picture),
        cmocka_unit_test(only_the_first_draw_buffer_is_written),
        cmocka_unit_test(ids_of_the_same_camera_are_the_same),
        cmocka_unit_test(a_frame_takes_nothing_from_the_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
