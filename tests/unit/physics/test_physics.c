/* The world against known answers: mechanics, filters, joints, triggers, and state set from outside. */
#include "made_scene.h"
#include "support.h"

static const double pi = 3.14159265358979323846;

static const float ball[3] = {0.5f, 0.0f, 0.0f};
static const float cube[3] = {1.0f, 1.0f, 1.0f};
static const float slab[3] = {50.0f, 1.0f, 50.0f};

static void steps(mmd_world *world, int count)
{
    for (int i = 0; i < count; i++)
        mmd_world_step(world);
}

static const float *place_of(const mmd_world *world, uint32_t body)
{
    return mmd_world_transforms(world)[body].translation;
}

static const float *speed_of(const mmd_world *world, uint32_t body)
{
    return mmd_world_velocities(world)[body].linear;
}

static const float *spin_of(const mmd_world *world, uint32_t body)
{
    return mmd_world_velocities(world)[body].angular;
}

static void assert_close(double actual, double wanted, double limit)
{
    if (!(fabs(actual - wanted) <= limit))
        fail_msg("%.7g where %.7g is right, within %.3g", actual, wanted, limit);
}

static void assert_at(const float *actual, double x, double y, double z, double limit)
{
    assert_close(actual[0], x, limit);
    assert_close(actual[1], y, limit);
    assert_close(actual[2], z, limit);
}

/* Returns the signed angle of a body about X. */
static double turn_x(const mmd_world *world, uint32_t body)
{
    const float *q = mmd_world_transforms(world)[body].rotation;
    return 2.0 * atan2((double)q[0], (double)q[3]);
}

/* --------------------------------------------------------------- mechanics */

/* Bullet damps, adds gravity, then moves. The test sums this up step by step for one second. */
static void falls_with_damping(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 1.0f, 50.0f, 2.0f, 3.0f);
    body->linear_damping = 0.4f;
    body->linear_velocity[0] = 5.0f;
    body->gravity_factor = 0.5f;
    mmd_world *world = made_world(made);
    steps(world, 60);
    double v = 0.0, vx = 5.0, y = 50.0, x = 1.0;
    for (int i = 0; i < 60; i++) {
        v = (v - 49.0 / 60.0) * pow(0.6, 1.0 / 60.0); /* what gravity adds is damped, too */
        vx *= pow(0.6, 1.0 / 60.0);
        y += v / 60.0;
        x += vx / 60.0;
    }
    assert_at(place_of(world, 0), x, y, 2.0, 1e-3);
    assert_at(speed_of(world, 0), vx, v, 0.0, 1e-3);
    made_destroy(made, world);
}

/* Sets all moments of inertia. Sequential impulses converge in a few iterations only if the inertia is not
 * small compared with the levers. */
static void give_inertia(mmd_phys_body *body, float inertia)
{
    body->auto_inertia = false;
    for (int k = 0; k < 3; k++)
        body->inertia[k] = inertia;
}

/* The ball of the pendulum crosses the middle twice per period. */
static void pendulum_keeps_time(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.rate = 240;
    double length = 10.0, angle = 0.1;
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball,
                                    (float)(length * sin(angle)), (float)(-length * cos(angle)), 0.0f, 2.0f);
    give_inertia(body, 40.0f);
    made_joint(made, MMD_JOINT_PMX_POINT, -1, 0, 0.0f, 0.0f, 0.0f);
    mmd_world *world = made_world(made);
    int crossings = 0, first = 0, last = 0;
    float before = place_of(world, 0)[0];
    for (int i = 1; i <= 240 * 20; i++) {
        mmd_world_step(world);
        float x = place_of(world, 0)[0];
        if (x * before < 0.0f) {
            crossings++;
            first = first ? first : i;
            last = i;
        }
        before = x;
    }
    double period = 2.0 * (last - first) / 240.0 / (crossings - 1);
    double inertia = 20.0; /* for a kilogram */
    double right =
        2.0 * pi * sqrt((length * length + inertia) / (98.0 * length)) * (1.0 + angle * angle / 16.0);
    assert_close(period, right, 0.004 * right);
    const float *p = place_of(world, 0);
    assert_close(sqrt((double)(p[0] * p[0] + p[1] * p[1])), length, 0.02);
    made_destroy(made, world);
}

static void box_rests_on_ground(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    made->settings.ground_height = 3.0f;
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 4.05f, 0.0f, 1.0f);
    mmd_world *world = made_world(made);
    steps(world, 180);
    assert_at(place_of(world, 0), 0.0, 4.0, 0.0, 0.05);
    assert_at(speed_of(world, 0), 0.0, 0.0, 0.0, 0.05);
    mmd_contact contacts[8];
    size_t count = mmd_world_contacts(world, contacts, 8);
    assert_int_equal(count, 4);
    double push = 0.0;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(contacts[i].body_a, 0);
        assert_int_equal(contacts[i].body_b, MMD_GROUND);
        assert_close(contacts[i].normal[1], 1.0, 1e-6);
        assert_close(contacts[i].position[1], 3.0, 0.03);
        push += (double)contacts[i].impulse;
    }
    assert_close(push, 98.0 / 60.0, 0.05);
    mmd_world_set_ground(world, false);
    steps(world, 60);
    assert_true(place_of(world, 0)[1] < -30.0f);
    made_destroy(made, world);
}

/* Returns the height to which a ball bounces in a world with glTF's settings, for a scene with other world
 * settings. */
static double bounce(const mmd_phys_world *of_scene)
{
    made_scene *made = made_scene_create();
    made->settings = mmd_default_gltf_world();
    made->scene.world = *of_scene;
    made->materials[0].restitution = 0.8f;
    made->materials[0].restitution_combine = MMD_COMBINE_MAXIMUM;
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, -1.0f, 0.0f, 0.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 40.5f, 0.0f, 1.0f);
    made->shapes[0].material = made->shapes[1].material = 0;
    mmd_world *world = made_world(made);
    bool fell = false;
    double apex = 0.0;
    for (int i = 0; i < 240 * 3; i++) {
        mmd_world_step(world);
        fell = fell || place_of(world, 1)[1] < 1.0f;
        if (fell && speed_of(world, 1)[1] < 0.0f && apex == 0.0 && place_of(world, 1)[1] > 2.0f)
            apex = (double)place_of(world, 1)[1];
    }
    made_destroy(made, world);
    return apex - 0.5;
}

/* Imported scenes bounce as high as their restitution demands. */
static void bounces_as_high_as_said(void **state)
{
    (void)state;
    mmd_phys_world gltf = mmd_default_gltf_world(), pmx = mmd_default_phys_world();
    double height = bounce(&gltf);
    assert_close(height, 40.0 * 0.64, 0.8);
    assert_true(bounce(&pmx) == height);
}

/* Two balls of the volumes 1 and 8 on a stick: the centre of mass stays, and everything rotates about it. */
static void turns_about_its_center_of_mass(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    memset(made->settings.gravity, 0, sizeof made->settings.gravity);
    static const float big[3] = {1.0f, 0.0f, 0.0f};
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 5.0f, 0.0f, 0.0f, 0.0f);
    made_shape(made, MMD_PHYS_SPHERE, big, 9.0f, 0.0f, 0.0f);
    body->auto_mass = body->auto_center = true;
    body->angular_velocity[2] = 2.0f;
    body->linear_velocity[1] = -16.0f; /* at the frame; the centre, 8 units away, is at rest */
    mmd_world *world = made_world(made);
    assert_at(speed_of(world, 0), 0.0, -16.0, 0.0, 1e-5);
    steps(world, 60);
    assert_at(place_of(world, 0), 13.0 - 8.0 * cos(2.0), -8.0 * sin(2.0), 0.0, 0.03);
    assert_at(speed_of(world, 0), 16.0 * sin(2.0), -16.0 * cos(2.0), 0.0, 0.1);
    assert_at(spin_of(world, 0), 0.0, 0.0, 2.0, 1e-3);
    made_destroy(made, world);
}

static void what_a_force_does(const made_scene *made, mmd_world *world, const float linear[3],
                              const float angular[3])
{
    mmd_impulse impulse = {.body = made->scene.body_count - 1};
    memcpy(impulse.linear, linear, sizeof impulse.linear);
    memcpy(impulse.angular, angular, sizeof impulse.angular);
    mmd_world_impulse(world, 1, &impulse);
}

/* Forces do not move a body of mass 0, and do not rotate one about axes with inertia 0. Other movements are
 * possible. */
static void infinite_masses(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 0.0f);
    body->auto_inertia = false;
    body->inertia[1] = 2.0f;
    body->linear_velocity[0] = 3.0f;
    mmd_world *world = made_world(made);
    what_a_force_does(made, world, (float[3]){7.0f, 8.0f, 9.0f}, (float[3]){4.0f, 6.0f, 8.0f});
    assert_at(speed_of(world, 0), 3.0, 0.0, 0.0, 1e-6);
    assert_at(spin_of(world, 0), 0.0, 3.0, 0.0, 1e-5);
    steps(world, 60);
    assert_at(place_of(world, 0), 3.0, 0.0, 0.0, 1e-3);
    made_destroy(made, world);
}

/*
 * A rotated body with given principal axes: an angular impulse along one of them rotates it about that axis.
 */
static void given_inertia_axes(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    memset(made->settings.gravity, 0, sizeof made->settings.gravity);
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 2.0f);
    body->auto_inertia = false;
    body->inertia[0] = 1.0f;
    body->inertia[1] = 10.0f;
    body->inertia[2] = 10.0f;
    body->center[1] = 1.0f;
    float half = (float)sqrt(0.5); /* a quarter turn about Z: the first axis is the frame's Y */
    memcpy(body->inertia_rotation, (float[4]){0.0f, 0.0f, half, half}, sizeof body->inertia_rotation);
    mmd_world *world = made_world(made);
    what_a_force_does(made, world, (float[3]){0.0f, 0.0f, 0.0f}, (float[3]){0.0f, 5.0f, 0.0f});
    assert_at(spin_of(world, 0), 0.0, 5.0, 0.0, 1e-4);
    steps(world, 30);
    assert_at(spin_of(world, 0), 0.0, 5.0, 0.0, 1e-2);
    assert_at(place_of(world, 0), 0.0, 0.0, 0.0, 1e-3);
    const float *q = mmd_world_transforms(world)[0].rotation;
    assert_close(2.0 * atan2((double)q[1], (double)q[3]), 2.5, 0.02);
    made_destroy(made, world);
}

/* ---------------------------------------------------------- shapes on a floor */

static const float cone_points[5][3] = {{1.0f, -1.0f, 1.0f},
                                        {-1.0f, -1.0f, 1.0f},
                                        {1.0f, -1.0f, -1.0f},
                                        {-1.0f, -1.0f, -1.0f},
                                        {0.0f, 1.5f, 0.0f}};
static const uint32_t cone_triangles[18] = {0, 1, 2, 2, 1, 3, 0, 2, 4, 2, 3, 4, 3, 1, 4, 1, 0, 4};
static const float floor_points[4][3] = {
    {-40.0f, 0.0f, -40.0f}, {40.0f, 0.0f, -40.0f}, {-40.0f, 0.0f, 40.0f}, {40.0f, 0.0f, 40.0f}};
static const uint32_t floor_triangles[6] = {0, 2, 1, 1, 2, 3};

typedef struct resting {
    mmd_phys_shape_kind kind;
    float size[3];
    float height; /* height of the origin when the shape lies on a floor */
} resting;

static const resting kinds_at_rest[] = {
    {MMD_PHYS_SPHERE, {0.7f, 0.0f, 0.0f}, 0.7f},   {MMD_PHYS_BOX, {1.0f, 0.5f, 2.0f}, 0.5f},
    {MMD_PHYS_CAPSULE, {0.5f, 2.0f, 0.5f}, 1.5f},  {MMD_PHYS_CAPSULE, {0.9f, 2.0f, 0.4f}, 1.9f},
    {MMD_PHYS_CYLINDER, {1.0f, 3.0f, 1.0f}, 1.5f}, {MMD_PHYS_CYLINDER, {1.0f, 3.0f, 0.5f}, 1.5f},
    {MMD_PHYS_HULL, {0.0f, 0.0f, 0.0f}, 1.0f},     {MMD_PHYS_MESH, {0.0f, 0.0f, 0.0f}, 1.0f},
};
enum { KINDS_AT_REST = sizeof kinds_at_rest / sizeof kinds_at_rest[0] };

/* Floors are a box, a mesh or a plane. The shapes cannot tip over, so that their heights are known. */
static void rest_on_floor(mmd_phys_shape_kind floor_kind)
{
    made_scene *made = made_scene_create();
    made->meshes[0] = (mmd_phys_mesh){
        .point_count = 5, .points = cone_points, .index_count = 18, .indices = cone_triangles};
    made->meshes[1] = (mmd_phys_mesh){
        .point_count = 4, .points = floor_points, .index_count = 6, .indices = floor_triangles};
    made->scene.mesh_count = 2;
    made_body(made, MMD_PHYS_STATIC, floor_kind, slab, 0.0f, floor_kind == MMD_PHYS_BOX ? -1.0f : 0.0f, 0.0f,
              0.0f);
    made->shapes[0].mesh = floor_kind == MMD_PHYS_MESH ? 1 : -1;
    for (int i = 0; i < KINDS_AT_REST; i++) {
        mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, kinds_at_rest[i].kind, kinds_at_rest[i].size,
                                        4.0f * (float)i - 14.0f, kinds_at_rest[i].height + 0.3f, 1.0f, 1.0f);
        body->auto_inertia = false; /* and inertia 0: nothing rotates it */
        made->shapes[made->scene.shape_count - 1].mesh = kinds_at_rest[i].kind >= MMD_PHYS_HULL ? 0 : -1;
    }
    mmd_world *world = made_world(made);
    steps(world, 240);
    for (int i = 0; i < KINDS_AT_REST; i++)
        assert_close(place_of(world, (uint32_t)i + 1)[1], kinds_at_rest[i].height, 0.03);
    made_destroy(made, world);
}

static void every_shape_rests_on_every_floor(void **state)
{
    (void)state;
    rest_on_floor(MMD_PHYS_BOX);
    rest_on_floor(MMD_PHYS_MESH);
    rest_on_floor(MMD_PHYS_PLANE);
}

/* Automatic mass: 1,000 kg/m^3. The centre of mass of a tapered cylinder is that of a frustum. */
static void masses_of_shapes(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    memset(made->settings.gravity, 0, sizeof made->settings.gravity);
    static const float frustum[3] = {2.0f, 3.0f, 1.0f};
    for (int i = 0; i < 2; i++) {
        mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, i ? MMD_PHYS_CYLINDER : MMD_PHYS_BOX,
                                        i ? frustum : cube, 10.0f * (float)i, 0.0f, 0.0f, 0.0f);
        body->auto_mass = body->auto_center = true;
    }
    mmd_world *world = made_world(made);
    mmd_impulse impulses[2] = {{.body = 0, .linear = {1.0f}}, {.body = 1, .linear = {1.0f}}};
    mmd_world_impulse(world, 2, impulses);
    double box = 8.0 * pow(0.08, 3) * 1000.0, cone = pi * 7.0 * pow(0.08, 3) * 1000.0;
    assert_close(speed_of(world, 0)[0] * box, 1.0, 1e-4);
    assert_close(speed_of(world, 1)[0] * cone, 1.0, 0.01);
    float before = speed_of(world, 1)[0];
    impulses[1] = (mmd_impulse){.body = 1, .angular = {0.0f, 0.0f, 1.0f}};
    mmd_world_impulse(world, 1, &impulses[1]);
    /* Rotating about the centre of mass moves the frame's origin by its distance. A frustum's centre is h/4
     * (R^2 + 2Rr + 3r^2) / (R^2 + Rr + r^2) above the bottom. */
    double center = 3.0 / 4.0 * 11.0 / 7.0 - 1.5, spin = (double)spin_of(world, 1)[2];
    assert_close(speed_of(world, 1)[0] - before, center * spin, 0.01 * spin);
    made_destroy(made, world);
}

static void swept_bodies_do_not_tunnel(void **state)
{
    (void)state;
    for (int ccd = 0; ccd < 2; ccd++) {
        made_scene *made = made_scene_create();
        memset(made->settings.gravity, 0, sizeof made->settings.gravity);
        static const float wall[3] = {0.1f, 20.0f, 20.0f};
        made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, wall, 0.0f, 0.0f, 0.0f, 0.0f);
        mmd_phys_body *body =
            made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, -19.0f, 0.0f, 0.0f, 1.0f);
        body->linear_velocity[0] = 900.0f;
        body->ccd = ccd;
        mmd_world *world = made_world(made);
        steps(world, 30);
        assert_true((place_of(world, 1)[0] < 0.0f) == (ccd == 1));
        made_destroy(made, world);
    }
}

/* ------------------------------------------------------------------ filters */

/* Drops a ball with one filter on a slab with the other, and returns whether it comes to rest there. */
static bool lies_on(mmd_phys_filter below, mmd_phys_filter above)
{
    made_scene *made = made_scene_create();
    static const char *names[3] = {"a", "b", "c"};
    made->scene.system_names = names;
    made->scene.system_count = 3;
    made->filters[0] = below;
    made->filters[1] = above;
    made->scene.filter_count = 2;
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, -1.0f, 0.0f, 0.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.6f, 0.0f, 1.0f);
    made->shapes[0].filter = 0;
    made->shapes[1].filter = 1;
    bool wanted = mmd_physscene_collides(&made->scene, 0, 1);
    mmd_world *world = made_world(made);
    steps(world, 60);
    bool lies = place_of(world, 1)[1] > 0.0f;
    assert_int_equal(lies, wanted);
    made_destroy(made, world);
    return lies;
}

static mmd_phys_filter group(uint8_t number, uint16_t mask)
{
    return (mmd_phys_filter){.group = number, .mask = mask};
}

static const uint32_t system_a[1] = {0}, system_b[1] = {1};

static void filters_say_who_collides(void **state)
{
    (void)state;
    assert_true(lies_on(group(0, 0xffff), group(3, 0xffff)));
    assert_true(lies_on(group(15, 1u << 2), group(2, 1u << 15)));
    assert_false(lies_on(group(0, 0xffff), group(3, 0xfffe)));
    assert_false(lies_on(group(0, 0xfff7), group(3, 0xffff)));
    assert_false(lies_on(group(1, 0), group(1, 0)));
    mmd_phys_filter a = {.named = true, .systems = system_a, .system_count = 1};
    mmd_phys_filter only_b = {
        .named = true, .has_collide_with = true, .collide_with = system_b, .collide_count = 1};
    mmd_phys_filter not_a = {.named = true, .not_collide_with = system_a, .not_collide_count = 1};
    assert_true(lies_on(a, a));
    assert_false(lies_on(a, only_b));
    assert_false(lies_on(a, not_a));
    assert_true(lies_on(group(0, 0), not_a));
}

/* Only the lower of a body's two balls touches the slab. Bodies without a filter collide with all. */
static void filters_of_a_bodys_shapes(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    int32_t all = made_filter(made, 0, 0xffff), apart = made_filter(made, 1, 0xfffe);
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, -1.0f, 0.0f, 0.0f);
    made->shapes[0].filter = all;
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 1.5f, 0.0f, 1.0f);
    body->auto_inertia = false;
    made->shapes[1].filter = apart;
    made_shape(made, MMD_PHYS_SPHERE, ball, 0.0f, 1.0f, 0.0f)->filter = all;
    mmd_world *world = made_world(made);
    steps(world, 120);
    assert_close(place_of(world, 1)[1], -0.5, 0.03);
    made_destroy(made, world);
}

/* A body joined to the slab does not collide with it, unless the joint lets them collide. */
static void joints_keep_their_bodies_apart(void **state)
{
    (void)state;
    for (int collide = 0; collide < 2; collide++) {
        made_scene *made = made_scene_create();
        made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, -1.0f, 0.0f, 0.0f);
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 1.0f, 0.0f, 1.0f);
        mmd_phys_joint *joint = made_joint(made, MMD_JOINT_PMX_6DOF, 0, 1, 0.0f, 1.0f, 0.0f);
        joint->collide = collide;
        joint->pmx.linear_lower[1] = -1.4f;
        mmd_world *world = made_world(made);
        steps(world, 120);
        assert_close(place_of(world, 1)[1], collide ? 0.5 : -0.4, 0.05);
        made_destroy(made, world);
    }
}

static bool is_between(const mmd_contact *contact, uint32_t a, uint32_t b)
{
    return (contact->body_a == a && contact->body_b == b) || (contact->body_a == b && contact->body_b == a);
}

enum { BALLS = 150, CONTACTS = 4000 };

static void check_pair(const mmd_transform *before, uint32_t a, uint32_t b, const mmd_contact *contacts,
                       size_t count)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += pow((double)before[a].translation[k] - (double)before[b].translation[k], 2.0);
    bool met = false;
    for (size_t c = 0; c < count; c++)
        met = met || is_between(&contacts[c], a, b);
    if (sqrt(sum) < 0.99 || sqrt(sum) > 1.05)
        assert_int_equal(met, sqrt(sum) < 1.0);
}

/* In each call another axis is longer than the others. */
static void scatter(const made_scene *made, mmd_world *world, int long_axis, uint64_t *random)
{
    for (uint32_t b = 0; b < BALLS; b++) {
        mmd_transform at = made->bodies[b].rest;
        for (int k = 0; k < 3; k++)
            at.translation[k] = (float)(test_random(random) % 6000) * (k == long_axis ? 0.003f : 0.001f);
        mmd_world_place(world, 1, &b, &at, NULL);
    }
}

/* Places balls at random: those that overlap have a contact, and those that are apart have none. */
static void all_that_overlap_meet(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    memset(made->settings.gravity, 0, sizeof made->settings.gravity);
    for (int i = 0; i < BALLS; i++)
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 3.0f * (float)i, 0.0f, 0.0f, 1.0f);
    mmd_world *world = made_world(made);
    uint64_t random = 7;
    for (int round = 0; round < 20; round++) {
        mmd_transform before[BALLS];
        mmd_contact contacts[CONTACTS];
        scatter(made, world, round % 3, &random);
        memcpy(before, mmd_world_transforms(world), sizeof before);
        mmd_world_step(world);
        size_t count = mmd_world_contacts(world, contacts, CONTACTS);
        assert_true(count > 0 && count < CONTACTS);
        for (uint32_t a = 0; a < BALLS; a++)
            for (uint32_t b = a + 1; b < BALLS; b++)
                check_pair(before, a, b, contacts, count);
    }
    made_destroy(made, world);
}

static void scenes_meet_each_other(void **state)
{
    (void)state;
    made_scene *below = made_scene_create(), *above = made_scene_create();
    made_body(below, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, -1.0f, 0.0f, 0.0f);
    made_body(above, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 1.0f, 0.0f, 1.0f);
    made_body(above, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 5.0f, 1.0f, 0.0f, 1.0f);
    static const char *names_below[2] = {"other", "floor"}, *names_above[1] = {"floor"};
    below->scene.system_names = names_below;
    above->scene.system_names = names_above;
    below->scene.system_count = 2;
    above->scene.system_count = below->scene.filter_count = above->scene.filter_count = 1;
    below->filters[0] = (mmd_phys_filter){.named = true, .systems = system_b, .system_count = 1};
    above->filters[0] =
        (mmd_phys_filter){.named = true, .not_collide_with = system_a, .not_collide_count = 1};
    below->shapes[0].filter = above->shapes[1].filter = 0;
    const mmd_physscene *scenes[2] = {&below->scene, &above->scene};
    mmd_world *world;
    assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &below->settings, scenes, 2, &world, NULL), MMD_OK);
    assert_int_equal(mmd_world_body_count(world), 3);
    steps(world, 60);
    assert_close(place_of(world, 1)[1], 0.5, 0.05);
    assert_true(place_of(world, 2)[1] < -1.0f);
    made_destroy(below, world);
    made_destroy(above, NULL);
}

/* ----------------------------------------------------------------- triggers */

static void triggers_begin_and_end(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 0.0f);
    made->shapes[0].trigger = true;
    made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_SPHERE, ball, -9.0f, 0.0f, 0.0f, 0.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 8.0f, 0.0f, 1.0f);
    mmd_world *world = made_world(made);
    int begins[3] = {0}, ends[3] = {0};
    mmd_transform targets[3] = {made->bodies[0].rest, made->bodies[1].rest, made->bodies[2].rest};
    for (int i = 0; i < 120; i++) {
        targets[1].translation[0] += 0.15f;
        mmd_world_set_targets(world, targets);
        mmd_world_step(world);
        mmd_trigger_event events[4];
        size_t count = mmd_world_trigger_events(world, events, 4);
        for (size_t e = 0; e < count; e++) {
            assert_int_equal(events[e].trigger, 0);
            (events[e].begins ? begins : ends)[events[e].other]++;
            float x = place_of(world, 1)[0];
            if (events[e].other == 1)
                assert_close(x, events[e].begins ? -1.5 : 1.5, 0.35);
        }
    }
    for (int b = 1; b < 3; b++) {
        assert_int_equal(begins[b], 1);
        assert_int_equal(ends[b], 1);
    }
    assert_close(place_of(world, 1)[0], 9.0, 1e-3);
    assert_true(place_of(world, 2)[1] < -100.0f); /* nothing stopped it */
    assert_int_equal(mmd_world_contacts(world, NULL, 0), 0);
    made_destroy(made, world);
}

/* ----------------------------------------------------------------- kinematic bodies */

/* A moving kinematic slab carries what lies on it, and is exactly at its target. */
static void kinematic_bodies_carry(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_BOX, slab, 0.0f, -1.0f, 0.0f, 0.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 1.0f, 0.0f, 1.0f);
    made->shapes[0].material = made->shapes[1].material = 0;
    made->materials[0].dynamic_friction = made->materials[0].static_friction = 1.0f;
    mmd_world *world = made_world(made);
    mmd_transform targets[2] = {made->bodies[0].rest, made->bodies[1].rest};
    for (int i = 1; i <= 120; i++) {
        targets[0].translation[0] = 0.0004f * (float)(i * i);
        targets[0].translation[1] = -1.0f + 0.02f * (float)i;
        mmd_world_set_targets(world, targets);
        mmd_world_step(world);
        assert_memory_equal(&mmd_world_transforms(world)[0], &targets[0], sizeof targets[0]);
    }
    assert_at(speed_of(world, 0), 60.0 * 0.0004 * 239.0, 1.2, 0.0, 1e-3);
    assert_close(place_of(world, 1)[0], targets[0].translation[0], 0.2);
    assert_close(place_of(world, 1)[1], targets[0].translation[1] + 2.0, 0.05);
    mmd_world_step(world); /* no new targets: it rests */
    assert_at(speed_of(world, 0), 0.0, 0.0, 0.0, 0.0);
    made_destroy(made, world);
}

/* A kinematic body at constant speed drags a joined one along. As in MMD it is a step ahead while joints are
 * solved and has its speed, too, so that the other one runs a step ahead of it. */
static void joints_follow_at_an_even_pace(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 0.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, -3.0f, 0.0f, 1.0f);
    made_joint(made, MMD_JOINT_PMX_SPRING, 0, 1, 0.0f, -1.5f, 0.0f);
    mmd_world *world = made_world(made);
    mmd_transform targets[2] = {made->bodies[0].rest, made->bodies[1].rest};
    for (int i = 0; i < 180; i++) {
        targets[0].translation[0] += 0.5f;
        mmd_world_set_targets(world, targets);
        mmd_world_step(world);
    }
    assert_at(place_of(world, 1), targets[0].translation[0] + 0.5f, -3.0, 0.0, 0.05);
    made_destroy(made, world);
}

static void kinematic_bodies_go_on(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    mmd_phys_body *body = made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_BOX, cube, 1.0f, 0.0f, 0.0f, 0.0f);
    body->linear_velocity[0] = 2.0f;
    body->angular_velocity[0] = 1.5f;
    mmd_world *world = made_world(made);
    steps(world, 60);
    assert_at(place_of(world, 0), 3.0, 0.0, 0.0, 1e-4);
    assert_close(turn_x(world, 0), 1.5, 1e-4);
    mmd_world_set_targets(world, &body->rest); /* a body with a target goes there */
    mmd_world_step(world);
    assert_memory_equal(&mmd_world_transforms(world)[0], &body->rest, sizeof body->rest);
    steps(world, 30);
    assert_at(place_of(world, 0), 2.0, 0.0, 0.0, 1e-4);
    made_destroy(made, world);
}

static void held_and_let_go(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 20.0f, 0.0f, 1.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 23.0f, 0.0f, 1.0f);
    mmd_world *world = made_world(made);
    uint8_t held[2] = {1, 0};
    mmd_world_set_held(world, held);
    mmd_transform targets[2] = {made->bodies[0].rest, made->bodies[1].rest};
    for (int i = 0; i < 60; i++) {
        targets[0].translation[0] += 0.1f;
        mmd_world_set_targets(world, targets);
        mmd_world_step(world);
        assert_memory_equal(&mmd_world_transforms(world)[0], &targets[0], sizeof targets[0]);
    }
    held[0] = 0;
    mmd_world_set_held(world, held);
    mmd_world_step(world);
    assert_at(speed_of(world, 0), 6.0, -98.0 / 60.0, 0.0, 1e-3);
    assert_at(place_of(world, 0), 6.1, 20.0 - 98.0 / 3600.0, 0.0, 1e-3);
    steps(world, 120); /* both lie on the ground, which they collide with again */
    assert_close(place_of(world, 0)[1], 0.5, 0.05);
    assert_close(place_of(world, 1)[1], 0.5, 0.05);
    made_destroy(made, world);
}

/* A held body carries others. Two held bodies pass through each other until one is released. */
static void held_bodies_meet_others(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, slab, 0.0f, -1.0f, 0.0f, 1.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.5f, 0.0f, 1.0f);
    mmd_world *world = made_world(made);
    mmd_world_set_held(world, (uint8_t[2]){1, 1});
    steps(world, 30);
    assert_int_equal(mmd_world_contacts(world, NULL, 0), 0);
    mmd_world_set_held(world, (uint8_t[2]){1, 0});
    steps(world, 60);
    assert_close(place_of(world, 1)[1], 0.5, 0.03);
    assert_close(place_of(world, 0)[1], -1.0, 0.0);
    made_destroy(made, world);
}

/* ------------------------------------------------------------- set from outside */

static void impulses(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    memset(made->settings.gravity, 0, sizeof made->settings.gravity);
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.0f, 0.0f, 2.0f);
    float half = (float)sqrt(0.5);
    memcpy(body->rest.rotation, (float[4]){0.0f, 0.0f, half, half}, sizeof body->rest.rotation); /* X is up */
    mmd_world *world = made_world(made);
    mmd_impulse one = {.linear = {4.0f, 0.0f, 0.0f}, .angular = {0.0f, 0.6f, 0.0f}};
    mmd_world_impulse(world, 1, &one);
    assert_at(speed_of(world, 0), 2.0, 0.0, 0.0, 1e-6);
    assert_at(spin_of(world, 0), 0.0, 3.0, 0.0, 1e-5); /* inertia 0.4 m r^2 = 0.2 */
    one.local = true;
    mmd_world_impulse(world, 1, &one);
    assert_at(speed_of(world, 0), 2.0, 2.0, 0.0, 1e-5);
    assert_at(spin_of(world, 0), -3.0, 3.0, 0.0, 1e-4);
    mmd_world_step(world);
    assert_at(place_of(world, 0), 2.0 / 60.0, 2.0 / 60.0, 0.0, 1e-5);
    one.stop = true;
    mmd_world_impulse(world, 1, &one);
    mmd_world_step(world);
    assert_at(place_of(world, 0), 2.0 / 60.0, 2.0 / 60.0, 0.0, 1e-5);
    made_destroy(made, world);
}

static void place_and_correct(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.0f, 0.0f, 2.0f);
    body->center[0] = 3.0f;
    mmd_world *world = made_world(made);
    steps(world, 20);
    uint32_t number = 0;
    mmd_transform there = {{1.0f, 0.0f, 0.0f, 0.0f}, {5.0f, 6.0f, 7.0f, 0.0f}};
    mmd_world_place(world, 1, &number, &there, NULL);
    assert_at(place_of(world, 0), 5.0, 6.0, 7.0, 0.0);
    mmd_world_set_gravity(world, (float[3]){0.0f, 0.0f, 60.0f});
    mmd_world_step(world);
    assert_at(speed_of(world, 0), 0.0, 0.0, 1.0, 1e-5);
    mmd_world_correct(world, 1, &number, &(const float[4]){1.0f, 2.0f, 3.0f, 0.0f});
    assert_at(place_of(world, 0), 1.0, 2.0, 3.0, 0.0);
    mmd_world_step(world);
    assert_at(speed_of(world, 0), 0.0, 0.0, 2.0, 1e-5);
    assert_at(place_of(world, 0), 1.0, 2.0, 3.0 + 2.0 / 60.0, 1e-4);
    made_destroy(made, world);
}

/* Bodies that may sleep do, and an impulse wakes them. PMX bodies never sleep. */
static void sleeping(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    for (int i = 0; i < 2; i++)
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 5.0f * (float)i, 1.0f, 0.0f, 1.0f);
    made->bodies[0].can_sleep = true;
    mmd_world *world = made_world(made);
    steps(world, 240);
    assert_at(speed_of(world, 0), 0.0, 0.0, 0.0, 0.0);
    mmd_impulse kick = {.linear = {0.0f, 20.0f, 0.0f}};
    mmd_world_impulse(world, 1, &kick);
    steps(world, 6);
    assert_true(place_of(world, 0)[1] > 1.9f);
    mmd_world_set_gravity(world, (float[3]){30.0f, 0.0f, 0.0f});
    steps(world, 30);
    assert_true(speed_of(world, 0)[0] > 10.0f && speed_of(world, 1)[0] > 10.0f);
    made_destroy(made, world);
}

/* ------------------------------------------------------------------- joints */

/* docs/formats.md 4: limits [low, high] allow true angles from -high to -low. */
static void angles_are_limited_the_other_way(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (int way = -1; way <= 1; way += 2) {
            made_scene *made = made_scene_create();
            memset(made->settings.gravity, 0, sizeof made->settings.gravity);
            made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 0.0f);
            made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 1.0f);
            mmd_phys_joint *joint = made_joint(made, MMD_JOINT_PMX_SPRING, 0, 1, 0.0f, 0.0f, 0.0f);
            joint->collide = false;
            joint->pmx.angular_lower[axis] = -0.2f;
            joint->pmx.angular_upper[axis] = 0.7f;
            mmd_world *world = made_world(made);
            mmd_impulse push = {.body = 1};
            push.angular[axis] = (float)way * 0.05f;
            for (int i = 0; i < 600; i++) {
                mmd_world_impulse(world, 1, &push);
                mmd_world_step(world);
            }
            const float *q = mmd_world_transforms(world)[1].rotation;
            assert_close(2.0 * atan2((double)q[axis], (double)q[3]), way > 0 ? 0.2 : -0.7, 0.05);
            made_destroy(made, world);
        }
}

/*
 * Two bodies have a joint at their centres that is open along X, and the second moves past along Y. A joint
 * that pulls A at A's own anchor shares that speed between both and rotates nothing. At B's anchor it rotates
 * A.
 */
static mmd_velocity pulled_along(mmd_phys_joint_kind kind, mmd_joint_lever lever)
{
    made_scene *made = made_scene_create();
    memset(made->settings.gravity, 0, sizeof made->settings.gravity);
    made->settings.joint_lever = (uint8_t)lever;
    for (int b = 0; b < 2; b++)
        give_inertia(made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.0f, 0.0f, 1.0f), 1.0f);
    mmd_phys_joint *joint = made_joint(made, kind, 0, 1, 0.0f, 0.0f, 0.0f);
    joint->collide = false;
    for (int axis = 0; axis < 3; axis++) {
        joint->pmx.angular_lower[axis] = 1.0f; /* above the upper limit: free */
        joint->pmx.angular_upper[axis] = -1.0f;
    }
    made->bodies[1].rest.translation[0] = 4.0f;
    made->bodies[1].rest.translation[1] = 1e-6f; /* at exactly 0 Bullet's joint has no effect */
    made->bodies[1].linear_velocity[1] = 10.0f;
    mmd_world *world = made_world(made);
    mmd_world_step(world);
    const mmd_velocity *velocities = mmd_world_velocities(world);
    mmd_velocity first = velocities[0];
    assert_close((double)first.linear[1] + (double)velocities[1].linear[1], 10.0, 1e-3);
    assert_true(first.linear[0] > 1.0f && velocities[1].linear[0] < -1.0f); /* the gap closes */
    made_destroy(made, world);
    return first;
}

static void open_joints_pull_and_do_not_turn(void **state)
{
    (void)state;
    static const mmd_phys_joint_kind kinds[] = {MMD_JOINT_PMX_SPRING, MMD_JOINT_PMX_6DOF};
    assert_int_equal(mmd_default_phys_world().joint_lever, MMD_LEVER_STOCK);
    assert_int_equal(mmd_default_gltf_world().joint_lever, MMD_LEVER_OWN);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mmd_velocity own = pulled_along(kinds[i], MMD_LEVER_OWN),
                     stock = pulled_along(kinds[i], MMD_LEVER_STOCK);
        assert_close((double)own.linear[1], 5.0, 1e-3);
        for (int axis = 0; axis < 3; axis++)
            assert_close((double)own.angular[axis], 0.0, 1e-4);
        assert_true(fabsf(stock.angular[2]) > 0.5f && fabsf(stock.linear[1] - 5.0f) > 0.5f);
    }
}

static void limits_of_lines(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 1.0f);
    mmd_phys_joint *joint = made_joint(made, MMD_JOINT_PMX_6DOF, -1, 0, 0.0f, 0.0f, 0.0f);
    joint->pmx.linear_lower[1] = -2.0f;
    joint->pmx.linear_upper[1] = 1.0f;
    joint->pmx.linear_lower[0] = 1.0f; /* above the upper limit: free */
    mmd_world *world = made_world(made);
    steps(world, 240);
    assert_at(place_of(world, 0), 0.0, -2.0, 0.0, 0.05);
    mmd_world_set_gravity(world, (float[3]){98.0f, 98.0f, 98.0f});
    steps(world, 60);
    assert_close(place_of(world, 0)[0], 49.0 * 61.0 / 60.0, 0.5);
    assert_close(place_of(world, 0)[1], 1.0, 0.1);
    assert_close(place_of(world, 0)[2], 0.0, 0.05);
    made_destroy(made, world);
}

/* Springs come to rest where they carry the weight, of which damping takes a share. Bullet's springs are
 * motors with the spring's force. */
static void springs_bear_weights(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 2.0f);
    body->linear_damping = 0.9f;
    mmd_phys_joint *joint = made_joint(made, MMD_JOINT_PMX_SPRING, -1, 0, 0.0f, 0.0f, 0.0f);
    joint->pmx.linear_lower[1] = 1.0f; /* free */
    joint->pmx.linear_spring[1] = 100.0f;
    mmd_world *world = made_world(made);
    steps(world, 1200);
    assert_close(place_of(world, 0)[1], -2.0 * 98.0 / 100.0 * pow(0.1, 1.0 / 60.0), 0.01);
    made_destroy(made, world);
}

static void angular_springs_bear_weights(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    mmd_phys_body *body = made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.0f, 5.0f, 1.0f);
    body->angular_damping = 0.9f;
    give_inertia(body, 20.0f);
    mmd_phys_joint *joint = made_joint(made, MMD_JOINT_PMX_SPRING, -1, 0, 0.0f, 0.0f, 0.0f);
    joint->pmx.angular_lower[0] = 1.0f; /* free */
    joint->pmx.angular_spring[0] = 2000.0f;
    mmd_world *world = made_world(made);
    steps(world, 1800);
    double angle = turn_x(world, 0);
    assert_close(2000.0 * angle, 98.0 * 5.0 * cos(angle), 30.0);
    assert_close(sqrt(pow(place_of(world, 0)[1], 2.0) + pow(place_of(world, 0)[2], 2.0)), 5.0, 0.05);
    made_destroy(made, world);
}

/* Makes a ball beside a joint of each of PMX 2.1's kinds, and runs it for two seconds. */
static mmd_world *hang(made_scene **made, mmd_phys_joint_kind kind, const mmd_pmx_joint *numbers)
{
    *made = made_scene_create();
    made_body(*made, MMD_PHYS_STATIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 0.0f);
    mmd_phys_body *body = made_body(*made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 4.0f, 0.0f, 0.0f, 1.0f);
    body->linear_damping = body->angular_damping = 0.8f;
    give_inertia(body, 5.0f);
    mmd_phys_joint *joint = made_joint(*made, kind, 0, 1, 0.0f, 0.0f, 0.0f);
    joint->collide = false;
    joint->pmx = *numbers;
    mmd_world *world = made_world(*made);
    steps(world, 600);
    return world;
}

static void kinds_of_21(void **state)
{
    (void)state;
    made_scene *made;
    mmd_world *world = hang(&made, MMD_JOINT_PMX_POINT, &(mmd_pmx_joint){.linear_lower = {0.0f}});
    assert_at(place_of(world, 1), 0.0, -4.0, 0.0, 0.3);
    made_destroy(made, world);

    /* Bullet's hinge rotates about the frame's Z. */
    mmd_pmx_joint hinge = {
        .angular_lower = {-0.5f}, .angular_upper = {0.5f}, .linear_spring = {0.9f, 0.3f, 1.0f}};
    world = hang(&made, MMD_JOINT_PMX_HINGE, &hinge);
    assert_at(place_of(world, 1), 4.0 * cos(0.5), -4.0 * sin(0.5), 0.0, 0.2);
    made_destroy(made, world);

    mmd_pmx_joint slider = {.linear_lower = {-1.0f},
                            .linear_upper = {2.0f},
                            .linear_spring = {1.0f, 30.0f, 500.0f}}; /* a motor, 30 units/s */
    world = hang(&made, MMD_JOINT_PMX_SLIDER, &slider);
    assert_close(fabs((double)place_of(world, 1)[0] - 4.5), 1.5, 0.1);
    assert_close(place_of(world, 1)[1], 0.0, 0.1);
    made_destroy(made, world);

    mmd_pmx_joint cone = {.angular_lower = {0.1f, 0.4f, 0.4f}, .linear_spring = {1.0f, 0.3f, 1.0f}};
    world = hang(&made, MMD_JOINT_PMX_CONE_TWIST, &cone);
    assert_at(place_of(world, 1), 4.0 * cos(0.4), -4.0 * sin(0.4), 0.0, 0.3);
    made_destroy(made, world);
}

static void disabled_ones_are_not_there(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, -1.0f, 0.0f, 0.0f)->disabled = true;
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 1.0f, 0.0f, 1.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 3.0f, 1.0f, 0.0f, 1.0f)->disabled = true;
    made_joint(made, MMD_JOINT_PMX_POINT, -1, 1, 0.0f, 1.0f, 0.0f)->disabled = true;
    made_joint(made, MMD_JOINT_PMX_POINT, 1, 2, 0.0f, 1.0f, 0.0f);
    mmd_world *world = made_world(made);
    mmd_world_set_held(world, (uint8_t[3]){0, 0, 1});
    mmd_world_impulse(world, 1, &(mmd_impulse){.body = 2, .stop = true});
    steps(world, 60);
    assert_close(place_of(world, 1)[1], 1.0 - 49.0 * 61.0 / 60.0, 0.1);
    assert_at(place_of(world, 2), 3.0, 1.0, 0.0, 0.0);
    made_destroy(made, world);
}

/* --------------------------------------------------------------- null, fields */

static void null_world_moves_what_is_led(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_BOX, cube, 0.0f, 0.0f, 0.0f, 0.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 1.0f, 0.0f, 1.0f);
    const mmd_physscene *scenes[1] = {&made->scene};
    mmd_world *world;
    assert_int_equal(mmd_world_create(MMD_PHYSICS_NULL, &made->settings, scenes, 1, &world, NULL), MMD_OK);
    mmd_transform targets[2] = {made->bodies[0].rest, made->bodies[0].rest};
    targets[0].translation[0] = 1.0f;
    mmd_world_set_targets(world, targets);
    mmd_world_step(world);
    assert_at(place_of(world, 0), 1.0, 0.0, 0.0, 0.0);
    assert_at(speed_of(world, 0), 60.0, 0.0, 0.0, 1e-3);
    assert_at(place_of(world, 1), 0.0, 1.0, 0.0, 0.0);
    made_destroy(made, world);
}

/* Inside its trigger, a field replaces the world's gravity. Outside it has no effect. */
static void gravity_fields_act_inside(void **state)
{
    (void)state;
    made_scene *made = made_scene_create();
    static const float room[3] = {5.0f, 5.0f, 5.0f};
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, room, 0.0f, 0.0f, 0.0f, 0.0f);
    made->shapes[0].trigger = true;
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 0.0f, 0.0f, 1.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 50.0f, 0.0f, 0.0f, 1.0f);
    made->gravities[0] = (mmd_phys_gravity){.kind = MMD_GRAVITY_DIRECTIONAL,
                                            .replace = true,
                                            .stop = true,
                                            .gravity = 12.0f,
                                            .direction = {1.0f, 0.0f, 0.0f},
                                            .shape = -1};
    made->scene.gravity_count = 1;
    mmd_world *world = made_world(made);
    mmd_world_step(world); /* detects who is inside */
    float x = speed_of(world, 1)[0], y = speed_of(world, 1)[1];
    steps(world, 30);
    assert_close(speed_of(world, 1)[0] - x, 6.0, 0.01);
    assert_close(speed_of(world, 1)[1] - y, 0.0, 0.01);
    assert_close(speed_of(world, 2)[1], -98.0 * 31.0 / 60.0, 0.05);
    made_destroy(made, world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_with_damping),
        cmocka_unit_test(pendulum_keeps_time),
        cmocka_unit_test(box_rests_on_ground),
        cmocka_unit_test(bounces_as_high_as_said),
        cmocka_unit_test(turns_about_its_center_of_mass),
        cmocka_unit_test(infinite_masses),
        cmocka_unit_test(given_inertia_axes),
        cmocka_unit_test(every_shape_rests_on_every_floor),
        cmocka_unit_test(masses_of_shapes),
        cmocka_unit_test(swept_bodies_do_not_tunnel),
        cmocka_unit_test(filters_say_who_collides),
        cmocka_unit_test(filters_of_a_bodys_shapes),
        cmocka_unit_test(joints_keep_their_bodies_apart),
        cmocka_unit_test(all_that_overlap_meet),
        cmocka_unit_test(scenes_meet_each_other),
        cmocka_unit_test(triggers_begin_and_end),
        cmocka_unit_test(kinematic_bodies_carry),
        cmocka_unit_test(joints_follow_at_an_even_pace),
        cmocka_unit_test(kinematic_bodies_go_on),
        cmocka_unit_test(held_and_let_go),
        cmocka_unit_test(held_bodies_meet_others),
        cmocka_unit_test(impulses),
        cmocka_unit_test(place_and_correct),
        cmocka_unit_test(sleeping),
        cmocka_unit_test(angles_are_limited_the_other_way),
        cmocka_unit_test(open_joints_pull_and_do_not_turn),
        cmocka_unit_test(limits_of_lines),
        cmocka_unit_test(springs_bear_weights),
        cmocka_unit_test(angular_springs_bear_weights),
        cmocka_unit_test(kinds_of_21),
        cmocka_unit_test(disabled_ones_are_not_there),
        cmocka_unit_test(null_world_moves_what_is_led),
        cmocka_unit_test(gravity_fields_act_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
