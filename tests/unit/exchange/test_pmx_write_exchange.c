/*
 * Tests conversion of documents to PMX: every file of ../shared/data becomes a PMX without broken references,
 * with the same bodies, joints and colliding pairs, which moves equally if no loss was reported. Small scenes
 * made here test what those files lack. Figures are printed when ODORI_MEASURE is set.
 */
#include "engine/exchange/exchange_internal.h"
#include "every_joint.h"
#include "mmd/exchange.h"
#include "mmd/format.h"
#include "mmd/image.h"
#include "mmd/physics.h"
#include "phys_scenes.h"
#include "support.h"

#define HELPER "odori.helper: "

static const double pi = 3.14159265358979;

/* A converted file and what was read from it. */
typedef struct converted {
    mmd_exchange_output output;
    mmd_model *model;
    mmd_physscene scene;
} converted;

static void read_back(converted *made, const char *name)
{
    mmd_error error = {0};
    const mmd_buffer *data = &made->output.files[0].data;
    if (mmd_pmx_read(data->data, data->size, &made->model, &error) != MMD_OK)
        fail_msg("%s: %s: %s", name, error.section, error.message);
    if (made->model->broken_reference_count)
        fail_msg("%s: %u broken references: %s %s", name, made->model->broken_reference_count,
                 made->model->broken_references[0].section, made->model->broken_references[0].field);
    assert_int_equal(mmd_model_physscene(made->model, &made->scene, &error), MMD_OK);
    if (mmd_physscene_check(&made->scene, &error) != MMD_OK)
        fail_msg("%s: %s: %s", name, error.section, error.message);
}

static converted convert(const mmd_exchange *document, const char *name)
{
    converted made = {0};
    mmd_error error = {0};
    mmd_exchange_input input = {.document = document};
    mmd_exchange_options options = {.format = MMD_EXCHANGE_PMX, .name = "out.pmx"};
    if (mmd_exchange_write(&input, &options, &made.output, &error) != MMD_OK)
        fail_msg("%s: %s: %s", name, error.section, error.message);
    assert_string_equal(made.output.files[0].name, "out.pmx");
    read_back(&made, name);
    return made;
}

/* Converts a scene without a document. */
static converted convert_scene(const mmd_physscene *scene)
{
    converted made = {0};
    mmd_error error = {0};
    const uint64_t stamps[PHYS_SCENE_ROOM] = {0};
    mmd_exchange_input input = {.document = NULL};
    mmd_exchange_options options = {.format = MMD_EXCHANGE_PMX, .name = "out.pmx"};
    write_job job = {.input = &input,
                     .options = &options,
                     .scene = scene,
                     .second_pass = true,
                     .body_stamps = stamps,
                     .joint_stamps = stamps,
                     .output = &made.output};
    assert_int_equal(pmx_write(&job, &error), MMD_OK);
    read_back(&made, "a scene");
    return made;
}

static void finish(converted *made)
{
    mmd_physscene_destroy(&made->scene);
    mmd_model_destroy(made->model);
    mmd_exchange_output_finish(&made->output);
}

static bool is_lost(const converted *made, const char *code)
{
    for (uint32_t i = 0; i < made->output.losses.count; i++)
        if (strcmp(made->output.losses.items[i].code, code) == 0)
            return true;
    return false;
}

/* Returns whether there are no losses, except of the world's gravity, which both scenes have here, and of the
 * body that represents the world. */
static bool is_exact(const converted *made)
{
    for (uint32_t i = 0; i < made->output.losses.count; i++) {
        const mmd_loss *loss = &made->output.losses.items[i];
        if (strcmp(loss->code, "joint.world") != 0 && strncmp(loss->path, "world", 5) != 0)
            return false;
    }
    return true;
}

static bool is_helper(const mmd_rigid_body *body)
{
    return strncmp(body->name, HELPER, strlen(HELPER)) == 0;
}

static uint32_t helper_count(const mmd_model *model)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->body_count; i++)
        count += is_helper(&model->bodies[i]);
    return count;
}

/* ---------------------------------------------------------- what is equal */

/* Returns the shape of a body that has exactly one, else NULL. */
static const mmd_phys_shape *only_shape(const mmd_physscene *scene, uint32_t body)
{
    const mmd_phys_body *of = &scene->bodies[body];
    return of->shape_count == 1 ? &scene->shapes[of->first_shape] : NULL;
}

/* Returns whether PMX has such a shape. */
static bool is_pmx_shape(const mmd_phys_shape *shape)
{
    return shape->kind == MMD_PHYS_SPHERE || shape->kind == MMD_PHYS_BOX ||
           (shape->kind == MMD_PHYS_CAPSULE && shape->size[0] == shape->size[2]);
}

static double turn_between(const float a[4], const float b[4])
{
    double same = 0, other = 0;
    for (int k = 0; k < 4; k++) {
        same = fmax(same, fabs((double)a[k] - (double)b[k]));
        other = fmax(other, fabs((double)a[k] + (double)b[k]));
    }
    return fmin(same, other);
}

static double place_between(const float a[4], const float b[4])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow((double)a[k] - (double)b[k], 2);
    return sqrt(sum);
}

static void expect_bodies(const mmd_physscene *scene, const converted *made, const char *name)
{
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const mmd_phys_shape *shape = only_shape(scene, i);
        const mmd_phys_body *body = &made->scene.bodies[i];
        if (!shape || !is_pmx_shape(shape))
            continue;
        mmd_transform place;
        mmd_transform_multiply(&scene->bodies[i].rest, &shape->frame, &place);
        double size =
            fmax(1, sqrt(pow((double)place.translation[0], 2) + pow((double)place.translation[1], 2) +
                         pow((double)place.translation[2], 2)));
        if (place_between(place.translation, body->rest.translation) > 1e-5 * size ||
            turn_between(place.rotation, body->rest.rotation) > 1e-5)
            fail_msg("%s: body %u stands elsewhere", name, i);
        const mmd_phys_shape *own = &made->scene.shapes[body->first_shape];
        assert_int_equal(own->kind, shape->kind);
        for (int k = 0; k < (own->kind == MMD_PHYS_BOX ? 3 : own->kind == MMD_PHYS_CAPSULE ? 2 : 1); k++)
            assert_true(own->size[k] == shape->size[k]);
        bool disabled = scene->bodies[i].disabled;
        assert_int_equal(body->motion == MMD_PHYS_DYNAMIC,
                         scene->bodies[i].motion == MMD_PHYS_DYNAMIC && !disabled);
        assert_int_equal(body->motion == MMD_PHYS_KINEMATIC,
                         scene->bodies[i].motion == MMD_PHYS_KINEMATIC || disabled);
    }
}

static bool kept_apart(const mmd_physscene *scene, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const mmd_phys_joint *joint = &scene->joints[i];
        bool these = (joint->body_a == (int32_t)a && joint->body_b == (int32_t)b) ||
                     (joint->body_a == (int32_t)b && joint->body_b == (int32_t)a);
        if (these && !joint->collide && !joint->disabled)
            return true;
    }
    return false;
}

static bool moves(const mmd_phys_body *body)
{
    return body->motion == MMD_PHYS_DYNAMIC || body->motion == MMD_PHYS_DYNAMIC_BONE;
}

static void expect_pairs(const mmd_physscene *scene, const converted *made, const char *name)
{
    if (is_lost(made, "filter.merged") || is_lost(made, "joint.collision"))
        return;
    for (uint32_t a = 0; a < scene->body_count; a++)
        for (uint32_t b = 0; b < a; b++) {
            const mmd_phys_shape *of_a = only_shape(scene, a), *of_b = only_shape(scene, b);
            if (!of_a || !of_b || (!moves(&scene->bodies[a]) && !moves(&scene->bodies[b])))
                continue;
            bool touch = of_a->solid && of_b->solid && !of_a->trigger && !of_b->trigger &&
                         !scene->bodies[a].disabled && !scene->bodies[b].disabled &&
                         mmd_physscene_collides(scene, of_a->filter, of_b->filter) &&
                         !kept_apart(scene, a, b);
            const mmd_rigid_body *x = &made->model->bodies[a], *y = &made->model->bodies[b];
            bool now = (x->mask >> y->group & 1) && (y->mask >> x->group & 1);
            if (touch != now)
                fail_msg("%s: bodies %u and %u: %s", name, a, b, now ? "collide now" : "do not collide now");
        }
}

static bool is_put_out(const converted *made, const char *name)
{
    for (uint32_t i = 0; i < made->output.count; i++)
        if (strcmp(made->output.files[i].name, name) == 0)
            return true;
    return false;
}

/* Checks that textures are written as PNG where the PMX expects them, or are reported as missing. */
static void expect_pictures(const converted *made, const char *name)
{
    for (uint32_t i = 0; i < made->model->texture_count; i++)
        if (!is_put_out(made, made->model->textures[i]) && !is_lost(made, "ref.dangling"))
            fail_msg("%s: no %s", name, made->model->textures[i]);
    for (uint32_t i = 1; i < made->output.count; i++) {
        const mmd_exchange_file *file = &made->output.files[i];
        bool png = file->data.size > 8 && memcmp(file->data.data, "\x89PNG", 4) == 0;
        assert_true(png || strcmp(file->name, "out.physics.json") == 0);
        assert_true(strstr(file->name, "..") == NULL && file->name[0] != '/');
    }
}

/* ------------------------------------------------------------- simulation */

/* Returns the largest distance, in units, of bodies with one shape in two scenes, and in *early that of the
 * first fifth of a second. After that, falling bodies may hit something, and the result is chaotic. */
static double largest_difference(const mmd_physscene *scene, const mmd_physscene *other, double seconds,
                                 uint32_t *worst, double *early)
{
    mmd_world *worlds[2] = {NULL};
    const mmd_physscene *const scenes[2] = {scene, other};
    double largest = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            mmd_world_create(MMD_PHYSICS_BULLET, &scene->world, &scenes[i], 1, &worlds[i], &(mmd_error){0}),
            MMD_OK);
    for (uint32_t step = 0; step < seconds * scene->world.rate; step++) {
        *early = step == scene->world.rate / 5 ? largest : *early;
        mmd_world_step(worlds[0]);
        mmd_world_step(worlds[1]);
        for (uint32_t i = 0; i < scene->body_count; i++) {
            const mmd_phys_shape *shape = only_shape(scene, i);
            mmd_transform place = mmd_world_transforms(worlds[0])[i];
            const mmd_transform *now = &mmd_world_transforms(worlds[1])[i];
            if (!shape || !is_pmx_shape(shape) || scene->bodies[i].disabled)
                continue;
            mmd_transform_multiply(&place, &shape->frame, &place);
            double apart = place_between(place.translation, now->translation);
            assert_true(isfinite(apart));
            if (apart > largest) {
                largest = apart;
                *worst = i;
            }
        }
    }
    mmd_world_destroy(worlds[0]);
    mmd_world_destroy(worlds[1]);
    return largest;
}

/* Makes materials combine as in PMX, so that they cause no difference. */
static void multiply_materials(mmd_physscene *scene)
{
    mmd_phys_material *materials =
        mmd_arena_alloc(&scene->arena, (size_t)scene->material_count + 1, sizeof *materials);
    assert_non_null(materials);
    for (uint32_t i = 0; i <= scene->material_count; i++) {
        materials[i] = i < scene->material_count ? scene->materials[i] : mmd_default_phys_material();
        materials[i].friction_combine = materials[i].restitution_combine = MMD_COMBINE_MULTIPLY;
    }
    for (uint32_t i = 0; i < scene->shape_count; i++)
        if (scene->shapes[i].material < 0)
            scene->shapes[i].material = (int32_t)scene->material_count;
    scene->materials = materials;
    scene->material_count++;
}

static void measure(const mmd_physscene *scene, const converted *made, const char *name)
{
    uint32_t worst = 0;
    double seconds = getenv("ODORI_MEASURE") ? 10 : 0.25; /* later differences are printed, not checked */
    double early = 0, largest = largest_difference(scene, &made->scene, seconds, &worst, &early);
    if (getenv("ODORI_MEASURE")) {
        const char *last = "";
        print_message("    %-64s %8.4g, 10 s: %8.4g (body %u)", name, early, largest, worst);
        for (uint32_t i = 0; i < made->output.losses.count; i++) {
            const char *code = made->output.losses.items[i].code;
            bool printed = false;
            for (uint32_t k = 0; k < i; k++)
                printed = printed || strcmp(made->output.losses.items[k].code, code) == 0;
            if (!printed)
                print_message(" %s", code);
            last = code;
        }
        print_message("%s\n", *last ? "" : " nothing lost");
    }
    if (is_exact(made) && early > 0.05)
        fail_msg("%s: %g units apart, and nothing was lost", name, early);
}

/* ------------------------------------------------------------- the files */

typedef struct file_counts {
    uint32_t files, bodies, joints, helpers;
    bool simulate;
} file_counts;

static bool is_ours(const char *name)
{
    static const char *const folders[] = {"data/khr_seed/", "data/khr_current/", "data/omi/",
                                          "data/ragdoll/"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

static void check_file(const char *name, void *user)
{
    file_counts *counts = user;
    char folder[512], full[1024];
    if (!is_ours(name))
        return;
    mmd_bytes bytes = shared_read(name);
    snprintf(folder, sizeof folder, "%s", name);
    *strrchr(folder, '/') = 0;
    mmd_source *source = mmd_source_folder(shared_path(folder, full, sizeof full));
    mmd_exchange *document = NULL;
    if (mmd_exchange_read(bytes.data, bytes.size, source, "", &document, NULL) == MMD_OK) {
        if (counts->simulate)
            multiply_materials(document->physscene);
        converted made = convert(document, name);
        uint32_t helpers = helper_count(made.model);
        assert_int_equal(made.model->body_count, document->physscene->body_count + helpers);
        assert_int_equal(made.model->joint_count, document->physscene->joint_count);
        expect_bodies(document->physscene, &made, name);
        expect_pairs(document->physscene, &made, name);
        expect_pictures(&made, name);
        if (counts->simulate)
            measure(document->physscene, &made, name);
        counts->files++;
        counts->bodies += document->physscene->body_count;
        counts->joints += document->physscene->joint_count;
        counts->helpers += helpers;
        finish(&made);
    }
    mmd_exchange_destroy(document);
    mmd_source_destroy(source);
    mmd_bytes_finish(&bytes);
}

static void each_file(file_counts *counts)
{
    static const char *const endings[] = {".gltf", ".glb", ".json", ".rag"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        shared_each(endings[i], check_file, counts);
    if (getenv("ODORI_MEASURE"))
        print_message("    %u files, %u bodies, %u joints, %u helpers\n", counts->files, counts->bodies,
                      counts->joints, counts->helpers);
    assert_true(counts->files > 90);
}

static void pmx_of_every_file_says_the_same(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    uint64_t blocks = mmd_heap_blocks_in_use();
    each_file(&(file_counts){.simulate = false});
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void pmx_of_every_file_moves_alike_where_nothing_was_lost(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    each_file(&(file_counts){.simulate = true});
}

/* ------------------------------------------------------------- made here */

/* Returns the twist of body 1 about an axis, after a torque about it. */
static double pushed(const mmd_physscene *scene, int axis, float torque)
{
    mmd_phys_world settings = mmd_default_gltf_world();
    mmd_world *world = NULL;
    memset(settings.gravity, 0, sizeof settings.gravity);
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &settings, &scene, 1, &world, &(mmd_error){0}),
                     MMD_OK);
    mmd_impulse impulse = {.body = 1};
    impulse.angular[axis] = torque;
    for (int i = 0; i < 600; i++) {
        mmd_world_impulse(world, 1, &impulse);
        mmd_world_step(world);
    }
    const float *q = mmd_world_transforms(world)[1].rotation;
    double angle = 2 * atan2((double)q[axis], (double)q[3]);
    mmd_world_destroy(world);
    return angle > pi ? angle - 2 * pi : angle;
}

/* Makes a body on a hinge about one of its axes, fixed to a static body. */
static void make_hinge(phys_builder *builder, int axis, float low, float high)
{
    phys_begin(builder);
    phys_body(builder, MMD_PHYS_STATIC, 0, 0, 0, 0);
    phys_sphere(builder, 0.05f);
    phys_body(builder, MMD_PHYS_DYNAMIC, 0, 1, 0, 1);
    phys_box(builder, 0.2f, 0.3f, 0.4f);
    phys_joint(builder, 0, 1, 0, 1, 0);
    phys_limit(builder, MMD_LIMIT_LINEAR, 7, 0, 0);
    phys_limit(builder, MMD_LIMIT_ANGULAR, (uint8_t)(7 & ~(1 << axis)), 0, 0);
    phys_limit(builder, MMD_LIMIT_ANGULAR, (uint8_t)(1 << axis), low, high);
}

static void expect_angle(double angle, double wanted, const char *what, int axis)
{
    if (fabs(angle - wanted) > 0.02)
        fail_msg("%s about axis %d: %g instead of %g", what, axis, angle, wanted);
}

static void hinges_stop_where_they_did(void **state)
{
    (void)state;
    static const float ranges[3][2] = {{-0.3f, 0.7f}, {-2.5f, 2.0f}, {0.2f, 0.5f}};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 3; i++) {
            phys_builder builder;
            make_hinge(&builder, axis, ranges[i][0], ranges[i][1]);
            converted made = convert_scene(&builder.scene);
            float push = 3;
            expect_angle(pushed(&builder.scene, axis, push), (double)ranges[i][1], "the scene, up", axis);
            expect_angle(pushed(&made.scene, axis, push), (double)ranges[i][1], "the PMX, up", axis);
            expect_angle(pushed(&made.scene, axis, -push), (double)ranges[i][0], "the PMX, down", axis);
            assert_int_equal(made.model->joint_count, 1);
            finish(&made);
        }
}

/* Returns the position along an axis, in metres, after a force along it. */
static double slid(const mmd_physscene *scene, int axis, float force)
{
    mmd_phys_world settings = mmd_default_gltf_world();
    mmd_world *world = NULL;
    memset(settings.gravity, 0, sizeof settings.gravity);
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &settings, &scene, 1, &world, &(mmd_error){0}),
                     MMD_OK);
    mmd_impulse impulse = {.body = 1};
    impulse.linear[axis] = force;
    for (int i = 0; i < 600; i++) {
        mmd_world_impulse(world, 1, &impulse);
        mmd_world_step(world);
    }
    float place = mmd_world_transforms(world)[1].translation[axis];
    mmd_world_destroy(world);
    return (double)place * 0.08;
}

/* At rest the joint's frames are 0.1 m apart along the axis. */
static void sliders_stop_where_they_did(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        phys_builder builder;
        phys_begin(&builder);
        phys_body(&builder, MMD_PHYS_STATIC, 0, 0, 0, 0);
        phys_sphere(&builder, 0.01f);
        phys_body(&builder, MMD_PHYS_DYNAMIC, 0, 0, 0, 1);
        phys_box(&builder, 0.2f, 0.3f, 0.4f)->filter = 0;
        mmd_phys_joint *joint = phys_joint(&builder, 0, 1, 0, 0, 0);
        joint->frame_b.translation[axis] += METRES(0.1f);
        phys_limit(&builder, MMD_LIMIT_LINEAR, (uint8_t)(7 & ~(1 << axis)), 0, 0);
        phys_limit(&builder, MMD_LIMIT_LINEAR, (uint8_t)(1 << axis), -0.2f, 0.5f);
        phys_limit(&builder, MMD_LIMIT_ANGULAR, 7, 0, 0);
        builder.scene.filter_count = 1;
        builder.filters[0] = (mmd_phys_filter){.named = true, .has_collide_with = true};
        converted made = convert_scene(&builder.scene);
        for (int side = -1; side < 2; side += 2) {
            double wanted = side < 0 ? -0.3 : 0.4;
            assert_true(fabs(slid(&builder.scene, axis, 5.0f * (float)side) - wanted) < 0.01);
            if (fabs(slid(&made.scene, axis, 5.0f * (float)side) - wanted) > 0.01)
                fail_msg("axis %d: %g instead of %g", axis, slid(&made.scene, axis, 5.0f * (float)side),
                         wanted);
        }
        finish(&made);
    }
}

static void groups_of_pmx_become_those_again(void **state)
{
    (void)state;
    static const char *names[] = {"mmd.group.0", "mmd.group.7", "mmd.group.15", "mmd.none"};
    static const uint32_t systems[] = {0, 1, 2, 3};
    phys_builder builder;
    phys_begin(&builder);
    for (int i = 0; i < 3; i++) {
        phys_body(&builder, MMD_PHYS_DYNAMIC, (float)i, 0, 0, 1);
        phys_sphere(&builder, 0.1f)->filter = i;
    }
    builder.scene.system_count = 4;
    builder.scene.system_names = names;
    builder.scene.filter_count = 3;
    builder.filters[0] = (mmd_phys_filter){.named = true,
                                           .system_count = 1,
                                           .systems = &systems[1],
                                           .has_collide_with = true,
                                           .collide_count = 2,
                                           .collide_with = &systems[1]};
    builder.filters[1] = builder.filters[0];
    builder.filters[1].systems = &systems[2];
    builder.filters[1].collide_count = 1;
    builder.filters[1].collide_with = &systems[3];
    builder.filters[2] = builder.filters[1];
    builder.filters[2].systems = &systems[0];
    builder.filters[2].collide_with = &systems[0];
    converted made = convert_scene(&builder.scene);
    static const uint8_t groups[] = {7, 15, 0};
    static const uint16_t masks[] = {1u << 7 | 1u << 15, 0, 1};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(made.model->bodies[i].group, groups[i]);
        assert_int_equal(made.model->bodies[i].mask, masks[i]);
    }
    assert_false(is_lost(&made, "filter.merged"));
    finish(&made);
}

/* Makes a chain of touching links, each excluded from colliding with the next; more of them than groups. */
static void make_chain(phys_builder *builder, int links)
{
    phys_begin(builder);
    for (int i = 0; i < links; i++) {
        phys_body(builder, i ? MMD_PHYS_DYNAMIC : MMD_PHYS_STATIC, 0.2f * (float)i, 0, 0, 1);
        phys_sphere(builder, 0.15f);
        if (i) {
            phys_joint(builder, i - 1, i, 0.2f * (float)i - 0.1f, 0, 0);
            phys_limit(builder, MMD_LIMIT_LINEAR, 7, 0, 0);
        }
    }
}

static void masks_say_what_joints_keep_apart(void **state)
{
    (void)state;
    phys_builder builder;
    make_chain(&builder, 16);
    converted made = convert_scene(&builder.scene);
    assert_false(is_lost(&made, "joint.collision"));
    assert_false(is_lost(&made, "filter.merged"));
    expect_pairs(&builder.scene, &made, "a chain");
    finish(&made);
    make_chain(&builder, 40);
    made = convert_scene(&builder.scene);
    assert_true(is_lost(&made, "filter.merged"));
    assert_false(is_lost(&made, "joint.collision"));
    finish(&made);
}

static void joints_to_the_world_hold(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    phys_body(&builder, MMD_PHYS_DYNAMIC, 1, 0, 0, 1);
    phys_sphere(&builder, 0.1f);
    phys_joint(&builder, -1, 0, 0, 0, 0);
    phys_limit(&builder, MMD_LIMIT_LINEAR, 7, 0, 0);
    converted made = convert_scene(&builder.scene);
    assert_true(is_lost(&made, "joint.world"));
    assert_int_equal(made.model->body_count, 2);
    assert_true(is_helper(&made.model->bodies[1]));
    assert_int_equal(made.model->joints[0].body_a, 1);
    assert_false(made.scene.joints[0].disabled);
    uint32_t worst = 0;
    double early = 0, largest = largest_difference(&builder.scene, &made.scene, 10, &worst, &early);
    if (getenv("ODORI_MEASURE"))
        print_message("    a pendulum of the world: %g units\n", largest);
    assert_true(largest < 0.5);
    finish(&made);
}

static void compounds_that_stand_are_a_body_a_shape(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    phys_body(&builder, MMD_PHYS_STATIC, 0, 0, 0, 0);
    phys_box(&builder, 2, 0.1f, 2);
    phys_box(&builder, 0.1f, 1, 2)->frame.translation[0] = METRES(2.1f);
    phys_sphere(&builder, 0.5f)->frame.translation[1] = METRES(0.5f);
    phys_body(&builder, MMD_PHYS_DYNAMIC, 0, 3, 0, 1);
    phys_box(&builder, 0.5f, 0.5f, 0.5f);
    phys_box(&builder, 0.5f, 0.5f, 0.5f)->frame.translation[0] = METRES(1);
    converted made = convert_scene(&builder.scene);
    assert_int_equal(made.model->body_count, 4);
    assert_int_equal(helper_count(made.model), 2);
    assert_true(is_lost(&made, "shape.compound"));
    const mmd_rigid_body *both = &made.model->bodies[1];
    assert_int_equal(both->shape, 1);
    assert_true(fabsf(both->size[0] - METRES(1)) < 1e-4f && fabsf(both->position[0] - METRES(0.5f)) < 1e-4f);
    finish(&made);
}

/* Springs towards the rest pose become springs of PMX; others are reported. */
static void springs_stay(void **state)
{
    (void)state;
    phys_builder builder;
    phys_begin(&builder);
    phys_body(&builder, MMD_PHYS_STATIC, 0, 0, 0, 0);
    phys_sphere(&builder, 0.05f);
    phys_body(&builder, MMD_PHYS_DYNAMIC, 0, 1, 0, 1);
    phys_box(&builder, 0.2f, 0.3f, 0.4f);
    phys_joint(&builder, 0, 1, 0, 1, 0);
    phys_limit(&builder, MMD_LIMIT_LINEAR, 5, 0, 0);
    phys_limit(&builder, MMD_LIMIT_ANGULAR, 7, 0, 0);
    phys_drive(&builder, MMD_DRIVE_LINEAR, 1)->stiffness = 50;
    converted made = convert_scene(&builder.scene);
    assert_true(made.model->joints[0].linear_spring[1] == 50);
    assert_true(made.model->joints[0].linear_lower[1] > made.model->joints[0].linear_upper[1]);
    assert_false(is_lost(&made, "joint.drive_dropped"));
    finish(&made);
    builder.drives[0].position_target = 3;
    made = convert_scene(&builder.scene);
    assert_true(made.model->joints[0].linear_spring[1] == 0);
    assert_true(is_lost(&made, "joint.drive_dropped"));
    finish(&made);
}

/* ---------------------------------------------------------- round trips */

/* A PMX on a round trip through a glTF or a Ragdoll dump that stores it. */
typedef struct journey {
    mmd_bytes bytes;
    mmd_model *model;
    mmd_exchange_output there; /* the converted files */
    mmd_source *files;
    mmd_memory_file list[64];
    mmd_exchange *document;
} journey;

/* Converts the PMX in j->bytes and reads the result. */
static void set_out(journey *j, mmd_exchange_format format)
{
    mmd_error error = {0};
    assert_int_equal(mmd_pmx_read(j->bytes.data, j->bytes.size, &j->model, &error), MMD_OK);
    mmd_exchange_input input = {.model = j->model};
    mmd_exchange_options options = {.format = format, .name = "hair.there"};
    if (mmd_exchange_write(&input, &options, &j->there, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    assert_true(j->there.count <= 64);
    for (uint32_t i = 0; i < j->there.count; i++)
        j->list[i] = (mmd_memory_file){j->there.files[i].name, j->there.files[i].data.data,
                                       j->there.files[i].data.size};
    j->files = mmd_source_memory(j->list, j->there.count);
    if (mmd_exchange_read(j->list[0].data, j->list[0].size, j->files, "", &j->document, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
}

static void go_there(journey *j, mmd_exchange_format format)
{
    *j = (journey){.bytes = shared_read("data/models/test_hair_physics.pmx")};
    set_out(j, format);
}

static void come_home(journey *j)
{
    mmd_exchange_destroy(j->document);
    mmd_source_destroy(j->files);
    mmd_exchange_output_finish(&j->there);
    mmd_model_destroy(j->model);
    mmd_bytes_finish(&j->bytes);
}

static const mmd_exchange_format ways[] = {MMD_EXCHANGE_GLTF, MMD_EXCHANGE_RAGDOLL};

static void kept_pmx_comes_back_word_for_word(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        journey j;
        go_there(&j, ways[i]);
        converted made = convert(j.document, "hair");
        assert_int_equal(made.output.files[0].data.size, j.bytes.size);
        assert_memory_equal(made.output.files[0].data.data, j.bytes.data, j.bytes.size);
        finish(&made);
        come_home(&j);
    }
}

/* The PMX with every kind of joint comes back from each format unchanged. */
static void every_joint_goes_there_and_back(void **state)
{
    (void)state;
    mmd_model model;
    mmd_buffer bytes = {0};
    every_joint_make(&model);
    assert_int_equal(mmd_pmx_write(&model, &bytes, NULL), MMD_OK);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        journey j = {.bytes = {mmd_alloc(bytes.size), bytes.size}};
        memcpy(j.bytes.data, bytes.data, bytes.size);
        set_out(&j, ways[i]);
        assert_int_equal(j.model->broken_reference_count, 0);
        assert_true(j.model->version > 2.05f);
        converted made = convert(j.document, "every joint");
        assert_int_equal(made.output.files[0].data.size, bytes.size);
        assert_memory_equal(made.output.files[0].data.data, bytes.data, bytes.size);
        for (int kind = 0; kind < EVERY_JOINT_KINDS; kind++)
            assert_int_equal(made.scene.joints[kind].kind, kind);
        finish(&made);
        come_home(&j);
    }
    mmd_buffer_finish(&bytes);
    every_joint_finish(&model);
}

static void every_joint_holds(void **state)
{
    (void)state;
    mmd_model model;
    mmd_physscene scene;
    const mmd_physscene *scenes[1] = {&scene};
    mmd_world *world = NULL;
    every_joint_make(&model);
    assert_int_equal(mmd_model_physscene(&model, &scene, NULL), MMD_OK);
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &scene.world, scenes, 1, &world, &(mmd_error){0}),
                     MMD_OK);
    for (uint32_t step = 0; step < 10 * scene.world.rate; step++)
        mmd_world_step(world);
    for (uint32_t i = 0; i < scene.joint_count; i++) {
        mmd_transform a, b;
        mmd_joint_frames(&scene, i, mmd_world_transforms(world), &a, &b);
        if (getenv("ODORI_MEASURE"))
            print_message("    joint %u: its ends are %g units apart\n", i,
                          place_between(a.translation, b.translation));
        assert_true(place_between(a.translation, b.translation) < 2);
    }
    mmd_world_destroy(world);
    mmd_physscene_destroy(&scene);
    every_joint_finish(&model);
}

/* Writes a PNG of one white pixel. */
static void make_png(mmd_buffer *out)
{
    mmd_image image;
    assert_int_equal(mmd_image_init(&image, 1, 1, NULL), MMD_OK);
    memset(image.pixels, 255, 4);
    assert_int_equal(mmd_png_write(&image, &(mmd_png_options){.level = MMD_PNG_FAST}, out, NULL), MMD_OK);
    mmd_image_finish(&image);
}

/* Pictures get the names that the PMX has for them, if these are in its folder and no other output file has
 * them. */
static void kept_pictures_come_back_by_their_names(void **state)
{
    (void)state;
    static const char *names[] = {"tex\\a.bmp", "..\\evil.png", "out.pmx", "out.physics.json", "/b.png"};
    mmd_model model;
    mmd_buffer png = {0};
    make_png(&png);
    every_joint_make(&model);
    model.textures = names;
    model.texture_count = 5;
    for (int i = 0; i < 5; i++)
        model.materials[i].texture = i;
    const mmd_memory_file list[] = {{"tex/a.bmp", png.data, png.size},
                                    {"evil.png", png.data, png.size},
                                    {"out.pmx", png.data, png.size},
                                    {"out.physics.json", png.data, png.size},
                                    {"b.png", png.data, png.size}};
    mmd_source *textures = mmd_source_memory(list, 5), *files;
    mmd_exchange_input input = {.model = &model, .textures = textures, .folder = ""};
    mmd_exchange_options options = {.format = MMD_EXCHANGE_GLTF, .name = "rack.glb", .binary = true};
    mmd_exchange_output there = {0};
    mmd_exchange *document = NULL;
    mmd_error error = {0};
    if (mmd_exchange_write(&input, &options, &there, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    files = mmd_source_memory(NULL, 0);
    assert_int_equal(
        mmd_exchange_read(there.files[0].data.data, there.files[0].data.size, files, "", &document, &error),
        MMD_OK);
    converted made = convert(document, "the rack");
    assert_true(is_put_out(&made, "tex/a.bmp"));
    assert_int_equal(made.output.count, 2);
    finish(&made);
    mmd_exchange_destroy(document);
    mmd_exchange_output_finish(&there);
    mmd_source_destroy(files);
    mmd_source_destroy(textures);
    mmd_buffer_finish(&png);
    every_joint_finish(&model);
}

static bool same_body(const mmd_rigid_body *a, const mmd_rigid_body *b)
{
    return strcmp(a->name, b->name) == 0 && a->bone == b->bone && a->group == b->group &&
           a->mask == b->mask && a->shape == b->shape && a->mode == b->mode && a->mass == b->mass &&
           memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->position, b->position, sizeof a->position) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0;
}

/* One body heavier and one joint wider: all others are identical to the PMX's. */
static void only_what_was_edited_is_new(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        journey j;
        go_there(&j, ways[i]);
        mmd_physscene *scene = j.document->physscene;
        const mmd_model *own = j.model;
        uint32_t body = scene->body_count - 1, joint = scene->joint_count - 1;
        while (joint > 0 && scene->joints[joint].disabled)
            joint--;
        assert_int_equal(scene->body_count, own->body_count);
        scene->bodies[body].mass += 1;
        scene->joints[joint].pmx.angular_upper[0] += 0.25f;
        converted made = convert(j.document, "edited hair");
        assert_int_equal(made.model->body_count, own->body_count);
        assert_int_equal(made.model->joint_count, own->joint_count);
        assert_int_equal(made.model->vertices.count, own->vertices.count);
        assert_int_equal(made.model->bone_count, own->bone_count);
        for (uint32_t k = 0; k < own->body_count; k++)
            assert_int_equal(same_body(&made.model->bodies[k], &own->bodies[k]), k != body);
        assert_true(made.model->bodies[body].mass == own->bodies[body].mass + 1);
        assert_int_equal(made.model->bodies[body].group, own->bodies[body].group);
        assert_int_equal(made.model->bodies[body].mask, own->bodies[body].mask);
        assert_int_equal(made.model->bodies[body].bone, own->bodies[body].bone);
        for (uint32_t k = 0; k < own->joint_count; k++) {
            const mmd_joint *a = &made.model->joints[k], *b = &own->joints[k];
            bool same = memcmp(a->angular_upper, b->angular_upper, sizeof a->angular_upper) == 0;
            assert_int_equal(same, k != joint);
            assert_int_equal(a->body_a, b->body_a);
            assert_int_equal(a->body_b, b->body_b);
            assert_memory_equal(a->angular_spring, b->angular_spring, sizeof a->angular_spring);
        }
        finish(&made);
        come_home(&j);
    }
}

/* A moved vertex is moved; the rest of the model and its physics is the PMX's. */
static void the_rest_stays_where_the_mesh_was_edited(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    journey j;
    go_there(&j, MMD_EXCHANGE_GLTF);
    mmd_model *edited = j.document->model;
    const mmd_model *own = j.model;
    uint32_t moved = 0;
    edited->vertices.position[0][1] += 1;
    converted made = convert(j.document, "hair with another mesh");
    assert_int_equal(made.model->vertices.count, own->vertices.count);
    for (uint32_t i = 0; i < own->vertices.count; i++) {
        const float *now = made.model->vertices.position[i], *was = own->vertices.position[i];
        bool same = memcmp(now, was, sizeof own->vertices.position[i]) == 0;
        moved += !same;
        assert_true(same || fabsf(now[1] - was[1] - 1) < 1e-4f);
    }
    assert_int_equal(moved, 1);
    assert_int_equal(made.model->bone_count, own->bone_count);
    assert_int_equal(made.model->body_count, own->body_count);
    assert_int_equal(made.model->joint_count, own->joint_count);
    for (uint32_t i = 0; i < own->body_count; i++)
        assert_true(same_body(&made.model->bodies[i], &own->bodies[i]));
    finish(&made);
    come_home(&j);
}

/* The first body is deleted with its joints; the others get new indices. */
static void what_was_deleted_is_gone(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    journey j;
    go_there(&j, MMD_EXCHANGE_RAGDOLL);
    mmd_exchange_kept *kept = j.document->kept;
    uint32_t bodies = j.model->body_count, joints = j.model->joint_count, held = 0;
    kept->bodies[0] = -1; /* as keep_read marks a body that is missing */
    for (uint32_t i = 0; i < joints; i++)
        held += j.model->joints[i].body_a != 0 && j.model->joints[i].body_b != 0;
    kept->added_bodies = &(int32_t){0};
    kept->added_body_count = 1;
    mmd_exchange_output output = {0};
    const uint64_t stamp = 1;
    mmd_exchange_options options = {.format = MMD_EXCHANGE_PMX, .name = "out.pmx"};
    mmd_exchange_input input = {.document = j.document};
    write_job job = {.input = &input,
                     .options = &options,
                     .model = j.document->model,
                     .scene = j.document->physscene,
                     .source = MMD_EXCHANGE_RAGDOLL,
                     .kept = kept,
                     .second_pass = true,
                     .body_stamps = &stamp,
                     .output = &output};
    mmd_error error = {0};
    assert_int_equal(pmx_write(&job, &error), MMD_OK);
    converted made = {.output = output};
    read_back(&made, "cut hair");
    assert_int_equal(made.model->body_count, bodies - 1);
    assert_int_equal(made.model->joint_count, held);
    assert_string_equal(made.model->bodies[0].name, j.model->bodies[1].name);
    for (uint32_t i = 0, k = 0; i < joints; i++) {
        const mmd_joint *own = &j.model->joints[i];
        if (own->body_a == 0 || own->body_b == 0)
            continue;
        assert_int_equal(made.model->joints[k].body_a, own->body_a - (own->body_a > 0));
        assert_int_equal(made.model->joints[k++].body_b, own->body_b - (own->body_b > 0));
    }
    kept->added_body_count = 0;
    finish(&made);
    come_home(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinges_stop_where_they_did),
        cmocka_unit_test(sliders_stop_where_they_did),
        cmocka_unit_test(groups_of_pmx_become_those_again),
        cmocka_unit_test(masks_say_what_joints_keep_apart),
        cmocka_unit_test(joints_to_the_world_hold),
        cmocka_unit_test(compounds_that_stand_are_a_body_a_shape),
        cmocka_unit_test(springs_stay),
        cmocka_unit_test(kept_pmx_comes_back_word_for_word),
        cmocka_unit_test(every_joint_holds),
        cmocka_unit_test(every_joint_goes_there_and_back),
        cmocka_unit_test(kept_pictures_come_back_by_their_names),
        cmocka_unit_test(only_what_was_edited_is_new),
        cmocka_unit_test(the_rest_stays_where_the_mesh_was_edited),
        cmocka_unit_test(what_was_deleted_is_gone),
        cmocka_unit_test(pmx_of_every_file_says_the_same),
        cmocka_unit_test(pmx_of_every_file_moves_alike_where_nothing_was_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
