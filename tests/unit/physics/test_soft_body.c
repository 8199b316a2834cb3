/* Soft bodies in the world: cloth and ropes hang, fall and rest correctly, their states continue bit for bit,
 * and no values in files break them. */
#include "made_scene.h"
#include "support.h"

enum { SIDE = 12, NODES = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), ROPE = 20 };

static const float slab[3] = {6.0f, 0.5f, 6.0f};
static const float ball[3] = {1.0f, 0.0f, 0.0f};
static const float holder[3] = {0.2f, 0.2f, 0.2f};

/* Memory that the scene's soft body points to. */
typedef struct cloth {
    float nodes[NODES][3];
    uint32_t indices[3 * TRIANGLES];
    uint32_t pins[NODES];
    mmd_phys_soft_anchor anchors[4];
} cloth;

static mmd_phys_soft_body *add_soft(made_scene *made, cloth *memory)
{
    mmd_phys_soft_body *soft = &made->softs[made->scene.soft_body_count++];
    made->scene.soft_bodies = made->softs;
    *soft = (mmd_phys_soft_body){
        .name = "soft",
        .flags = 1,
        .link_distance = 2,
        .filter = -1,
        .mass = 1.0f,
        .margin = 0.1f,
        /* VCF DP DG LF PR VC DF MT CHR KHR SHR AHR */
        .config = {1.0f, 0.01f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 1.0f, 1.0f, 1.0f, 0.7f},
        .cluster = {0.1f, 1.0f, 0.5f, 0.5f, 0.5f, 0.5f},
        .iterations = {0, 8, 0, 4},
        .material_config = {1.0f, 1.0f, 1.0f},
        .nodes = (const float(*)[3])memory->nodes,
        .indices = memory->indices,
        .pins = memory->pins,
        .anchors = memory->anchors,
    };
    return soft;
}

/* Makes a horizontal square of cloth, 5.5 units wide, with its first corner at -2.75, y, -2.75. */
static mmd_phys_soft_body *add_cloth(made_scene *made, cloth *memory, float y)
{
    mmd_phys_soft_body *soft = add_soft(made, memory);
    for (uint32_t i = 0; i < NODES; i++) {
        memory->nodes[i][0] = 0.5f * (float)(i % SIDE) - 2.75f;
        memory->nodes[i][1] = y;
        memory->nodes[i][2] = 0.5f * (float)(i / SIDE) - 2.75f;
    }
    for (uint32_t i = 0; i < NODES - SIDE; i++) {
        if (i % SIDE == SIDE - 1)
            continue;
        const uint32_t corners[6] = {i, i + SIDE, i + 1, i + 1, i + SIDE, i + SIDE + 1};
        memcpy(memory->indices + soft->index_count, corners, sizeof corners);
        soft->index_count += 6;
    }
    soft->node_count = NODES;
    return soft;
}

static mmd_phys_soft_body *add_rope(made_scene *made, cloth *memory)
{
    mmd_phys_soft_body *soft = add_soft(made, memory);
    soft->shape = 1;
    soft->iterations[1] = 30;
    for (uint32_t i = 0; i < ROPE; i++) {
        const float place[3] = {0.3f * (float)i, 10.0f, 0.0f};
        memcpy(memory->nodes[i], place, sizeof place);
        if (i)
            memcpy(memory->indices + 2 * (i - 1), (const uint32_t[2]){i - 1, i}, 2 * sizeof(uint32_t));
    }
    soft->node_count = ROPE;
    soft->index_count = 2 * (ROPE - 1);
    return soft;
}

static void add_pin(mmd_phys_soft_body *soft, cloth *memory, uint32_t node)
{
    memory->pins[soft->pin_count++] = node;
}

static void steps(mmd_world *world, int count)
{
    for (int i = 0; i < count; i++)
        mmd_world_step(world);
}

static double distance(const float *a, const float *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt(sum);
}

/* Requires finite positions and normals of unit length. Returns the height of the lowest node. */
static double assert_sound(const mmd_world *world, uint32_t soft, uint32_t count)
{
    const float(*positions)[4] = mmd_world_soft_positions(world, soft);
    const float(*normals)[4] = mmd_world_soft_normals(world, soft);
    const float origin[3] = {0.0f, 0.0f, 0.0f};
    double lowest = 1e9;
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            assert_true(isfinite(positions[i][k]));
        assert_true(fabs(distance(normals[i], origin) - 1.0) < 1e-3);
        lowest = fmin(lowest, (double)positions[i][1]);
    }
    return lowest;
}

static void cloth_hangs_from_two_corners_and_comes_to_rest(void **state)
{
    (void)state;
    static cloth memory;
    static float before[NODES][4];
    made_scene *made = made_scene_create();
    mmd_phys_soft_body *soft = add_cloth(made, &memory, 12.0f);
    add_pin(soft, &memory, 0);
    add_pin(soft, &memory, SIDE - 1);
    mmd_world *world = made_world(made);
    steps(world, 900);
    memcpy(before, mmd_world_soft_positions(world, 0), sizeof before);
    steps(world, 1);
    const float(*now)[4] = mmd_world_soft_positions(world, 0);
    double moved = 0.0, lowest = assert_sound(world, 0, NODES);
    for (int i = 0; i < NODES; i++)
        moved = fmax(moved, distance(before[i], now[i]));
    print_message("moves %.2g units a step at rest, hangs down to %.2f\n", moved, lowest);
    assert_true(moved < 0.005);
    assert_true(lowest < 6.9 && lowest > 5.0); /* 5.5 below the pins, and stretched a little */
    for (int k = 0; k < 3; k++) {
        assert_true(now[0][k] == memory.nodes[0][k]);
        assert_true(now[SIDE - 1][k] == memory.nodes[SIDE - 1][k]);
    }
    made_destroy(made, world);
}

static void pins_are_where_they_are_led(void **state)
{
    (void)state;
    static cloth memory;
    made_scene *made = made_scene_create();
    mmd_phys_soft_body *soft = add_cloth(made, &memory, 12.0f);
    add_pin(soft, &memory, 5);
    mmd_world *world = made_world(made);
    for (int i = 0; i < 60; i++) {
        const float place[1][3] = {{(float)i * 0.1f, 12.0f, 1.0f}};
        mmd_world_set_pins(world, 0, place);
        mmd_world_step(world);
        assert_memory_equal(mmd_world_soft_positions(world, 0)[5], place[0], sizeof place[0]);
    }
    assert_sound(world, 0, NODES);
    made_destroy(made, world);
}

static void rope_keeps_its_length(void **state)
{
    (void)state;
    static cloth memory;
    made_scene *made = made_scene_create();
    add_pin(add_rope(made, &memory), &memory, 0);
    mmd_world *world = made_world(made);
    for (int second = 0; second < 10; second++) {
        steps(world, 60);
        double length = 0.0;
        assert_sound(world, 0, ROPE);
        for (int i = 1; i < ROPE; i++)
            length +=
                distance(mmd_world_soft_positions(world, 0)[i], mmd_world_soft_positions(world, 0)[i - 1]);
        assert_true(fabs(length - 5.7) < 0.1);
    }
    const float *end = mmd_world_soft_positions(world, 0)[ROPE - 1];
    print_message("hangs at %.3f %.3f\n", (double)end[0], (double)end[1]);
    assert_true(fabs((double)end[0]) < 0.1 && fabs((double)end[1] - 4.3) < 0.1);
    made_destroy(made, world);
}

/* Returns how far a node of the first soft body moves in the next step. */
static double largest_move(mmd_world *world)
{
    static float before[NODES][4];
    double moved = 0.0;
    memcpy(before, mmd_world_soft_positions(world, 0), sizeof before);
    mmd_world_step(world);
    for (int i = 0; i < NODES; i++)
        moved = fmax(moved, distance(before[i], mmd_world_soft_positions(world, 0)[i]));
    return moved;
}

/* It rests at a distance of a tenth, which is its margin, without moving. */
static void cloth_lies_on_what_it_falls_on(void **state)
{
    (void)state;
    static cloth memory;
    for (uint8_t flags = 0; flags < 8; flags++) {
        if (flags & 2) /* clusters are convex: they touch each other's hulls, not nodes */
            continue;
        made_scene *made = made_scene_create();
        made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, 2.0f, 0.0f, 0.0f);
        add_cloth(made, &memory, 6.0f)->flags = flags;
        mmd_world *world = made_world(made);
        steps(world, 300);
        double lowest = assert_sound(world, 0, NODES), moves = largest_move(world);
        print_message("flags %d: %.3f over a box whose top is at 2.5, moves %.2g\n", flags, lowest, moves);
        assert_true(lowest > 2.59 && lowest < 2.61);
        assert_true(moves < 0.002);
        made_destroy(made, world);
    }
}

static void cloth_with_clusters_stays_above_a_box(void **state)
{
    (void)state;
    static cloth memory;
    made_scene *made = made_scene_create();
    made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, 2.0f, 0.0f, 0.0f);
    mmd_phys_soft_body *soft = add_cloth(made, &memory, 4.0f);
    soft->flags = 3;
    soft->cluster_count = 16;
    mmd_world *world = made_world(made);
    steps(world, 120);
    double lowest = assert_sound(world, 0, NODES);
    print_message("%.3f over a box whose top is at 2.5\n", lowest);
    assert_true(lowest > 2.0);
    made_destroy(made, world);
}

static void cloth_falls_on_the_ground(void **state)
{
    (void)state;
    static cloth memory;
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    add_cloth(made, &memory, 3.0f);
    mmd_world *world = made_world(made);
    steps(world, 300);
    double lowest = assert_sound(world, 0, NODES);
    assert_true(lowest > 0.09 && lowest < 0.11);
    made_destroy(made, world);
}

/* A mask prevents contact with the body below it. */
static void filters_hold_for_soft_bodies(void **state)
{
    (void)state;
    static cloth memory;
    made_scene *made = made_scene_create();
    mmd_phys_body *body = made_body(made, MMD_PHYS_STATIC, MMD_PHYS_BOX, slab, 0.0f, 2.0f, 0.0f, 0.0f);
    made_first_shape(made, body)->filter = made_filter(made, 1, 0xffff);
    add_cloth(made, &memory, 4.0f)->filter = made_filter(made, 2, 0xfffd);
    mmd_world *world = made_world(made);
    steps(world, 90);
    assert_true(assert_sound(world, 0, NODES) < 0.0);
    made_destroy(made, world);
}

/* A heavy box under a cloth stays where it is, and the cloth lies on it. */
static void cloth_does_not_press_what_it_covers_into_the_ground(void **state)
{
    (void)state;
    static cloth memory;
    const float cube[3] = {1.0f, 1.0f, 1.0f};
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_BOX, cube, 0.0f, 1.0f, 0.0f, 5.0f);
    add_cloth(made, &memory, 4.0f);
    mmd_world *world = made_world(made);
    steps(world, 300);
    double height = (double)mmd_world_transforms(world)[0].translation[1], moves = largest_move(world);
    double top = (double)mmd_world_soft_positions(world, 0)[NODES / 2 + SIDE / 2][1];
    print_message("box at %.3f, cloth on it at %.3f, moves %.2g\n", height, top, moves);
    assert_true(height > 0.98 && height < 1.02);
    assert_true(top > 2.05 && top < 2.3);
    assert_true(moves < 0.02);
    made_destroy(made, world);
}

/* Returns how far a horizontal cloth falls in half a second with air drag. */
static double fallen(int32_t aero_model, float drag)
{
    static cloth memory;
    made_scene *made = made_scene_create();
    mmd_phys_soft_body *soft = add_cloth(made, &memory, 100.0f);
    soft->aero_model = aero_model;
    soft->config[1] = 0.0f;
    soft->config[2] = drag;
    mmd_world *world = made_world(made);
    steps(world, 30);
    double way = 100.0 - assert_sound(world, 0, NODES);
    made_destroy(made, world);
    return way;
}

static void air_slows_in_every_model(void **state)
{
    (void)state;
    double freely = fallen(0, 0.0f);
    assert_true(fabs(freely - 98.0 / 3600.0 * 30.0 * 31.0 / 2.0) <
                0.01); /* Bullet adds gravity, then moves */
    for (int32_t model = 0; model < 5; model++) {
        double way = fallen(model, 0.05f);
        print_message("aero model %d: falls %.2f of %.2f\n", (int)model, way, freely);
        assert_true(way <= freely + 0.01);
        if (model != 2 && model != 4) /* one-sided models have no drag from the other side */
            assert_true(way < 0.95 * freely);
    }
}

/* Makes cloth that is anchored to a kinematic body and moves with it, and a ball that the cloth carries. */
static made_scene *carried_scene(cloth *memory)
{
    made_scene *made = made_scene_create();
    made->settings.ground = true;
    for (int i = 0; i < 4; i++)
        made_body(made, MMD_PHYS_KINEMATIC, MMD_PHYS_BOX, holder, i % 2 ? 2.75f : -2.75f, 8.0f,
                  i / 2 ? 2.75f : -2.75f, 0.0f);
    made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.3f, 9.5f, 0.2f, 0.3f);
    mmd_phys_soft_body *soft = add_cloth(made, memory, 8.0f);
    const uint32_t corners[4] = {0, SIDE - 1, NODES - SIDE, NODES - 1};
    for (int i = 0; i < 4; i++)
        memory->anchors[i] = (mmd_phys_soft_anchor){.node = corners[i], .body = i, .near_mode = true};
    soft->anchor_count = 4;
    return made;
}

static void move_holders(mmd_world *world, int step)
{
    mmd_transform targets[5];
    memcpy(targets, mmd_world_transforms(world), sizeof targets);
    for (int i = 0; i < 4; i++) {
        targets[i].translation[0] = (i % 2 ? 2.75f : -2.75f) + 0.01f * (float)step;
        targets[i].translation[1] = 8.0f;
    }
    mmd_world_set_targets(world, targets);
}

static void cloth_anchored_to_bodies_carries_a_ball(void **state)
{
    (void)state;
    static cloth memory;
    made_scene *made = carried_scene(&memory);
    mmd_world *world = made_world(made);
    for (int step = 1; step <= 300; step++) {
        move_holders(world, step);
        mmd_world_step(world);
    }
    const float *at = mmd_world_transforms(world)[4].translation;
    const float *corner = mmd_world_soft_positions(world, 0)[0];
    print_message("ball at %.2f %.2f %.2f, corner at %.3f %.3f\n", (double)at[0], (double)at[1],
                  (double)at[2], (double)corner[0], (double)corner[1]);
    assert_true((double)at[0] > 2.0 && (double)at[1] > 3.0);
    assert_true(distance(corner, mmd_world_transforms(world)[0].translation) < 0.4);
    made_destroy(made, world);
}

/* --------------------------------------------------------------- snapshots */

/* Plays steps, rebuilding at each hundredth. */
static void play(mmd_world *world, int from, int to, void *scratch)
{
    for (int step = from; step < to; step++) {
        if (step % 100 == 0) {
            mmd_world_save(world, scratch);
            mmd_world_restore(world, scratch);
        }
        move_holders(world, step);
        mmd_world_step(world);
    }
}

static void states_go_on_bit_for_bit(void **state)
{
    (void)state;
    static cloth memory;
    for (uint8_t flags = 0; flags < 8; flags++) {
        made_scene *made = carried_scene(&memory);
        made->softs[0].flags = flags;
        made->softs[0].cluster_count = 9;
        mmd_world *first = made_world(made), *second = made_world(made);
        size_t size = mmd_world_state_size(first);
        unsigned char *branch = calloc(3, size), *end = branch + size, *other = end + size;
        assert_non_null(branch);
        play(first, 1, 200, end);
        mmd_world_save(first, branch);
        play(first, 200, 400, end);
        mmd_world_save(first, end);
        play(second, 1, 77, other); /* a different history */
        mmd_world_restore(second, branch);
        play(second, 200, 400, other);
        mmd_world_save(second, other);
        assert_memory_equal(end, other, size);
        free(branch);
        mmd_world_destroy(second);
        made_destroy(made, first);
    }
}

/* Two cloths fall on each other, over a ball: contacts between soft bodies continue identically too. */
static void states_of_two_that_touch_go_on_bit_for_bit(void **state)
{
    (void)state;
    static cloth lower, upper;
    for (uint8_t flags = 0; flags < 4; flags++) {
        made_scene *made = carried_scene(&lower);
        made->softs[0].flags = flags;
        add_cloth(made, &upper, 11.5f)->flags = flags;
        made->softs[0].cluster_count = made->softs[1].cluster_count = 9;
        mmd_world *first = made_world(made), *second = made_world(made);
        size_t size = mmd_world_state_size(first);
        unsigned char *branch = calloc(3, size), *end = branch + size, *other = end + size;
        assert_non_null(branch);
        play(first, 1, 100, end);
        mmd_world_save(first, branch);
        play(first, 100, 250, end);
        mmd_world_save(first, end);
        play(second, 1, 33, other);
        mmd_world_restore(second, branch);
        play(second, 100, 250, other);
        mmd_world_save(second, other);
        assert_memory_equal(end, other, size);
        double above = assert_sound(first, 1, NODES);
        print_message("flags %d: the upper one down to %.2f\n", flags, above);
        free(branch);
        mmd_world_destroy(second);
        made_destroy(made, first);
    }
}

/* --------------------------------------------------------------- bad input */

static void what_files_may_say_is_survived(void **state)
{
    (void)state;
    static cloth memory;
    for (int kind = 0; kind < 8; kind++) {
        made_scene *made = made_scene_create();
        made->settings.ground = true;
        made_body(made, MMD_PHYS_DYNAMIC, MMD_PHYS_SPHERE, ball, 0.0f, 3.0f, 0.0f, 1e6f);
        mmd_phys_soft_body *soft = add_cloth(made, &memory, 6.0f);
        soft->flags = 7;
        soft->cluster_count = kind < 4 ? INT32_MAX : 0;
        soft->link_distance = kind & 1 ? INT32_MAX : -5;
        soft->mass = kind == 2 ? 0.0f : kind == 3 ? 1e6f : 1e-6f;
        for (int i = 0; i < 12; i++)
            soft->config[i] = kind == 4 ? -1e12f : kind == 5 ? 1e12f : soft->config[i];
        for (int i = 0; i < 4; i++)
            soft->iterations[i] = kind == 6 ? -1 : kind == 7 ? 50 : soft->iterations[i];
        soft->margin = kind == 5 ? 1e3f : soft->margin;
        soft->aero_model = kind - 2;
        memory.anchors[0] = (mmd_phys_soft_anchor){.node = 7, .body = 0};
        soft->anchor_count = 1;
        for (uint32_t i = 0; i < NODES && kind == 6; i++)
            memset(memory.nodes[i], 0, sizeof memory.nodes[i]); /* all at the same position */
        add_pin(soft, &memory, 7);
        mmd_world *world = made_world(made);
        steps(world, 120);
        assert_sound(world, 0, NODES);
        made_destroy(made, world);
    }
}

static void pins_that_are_not_finite_are_not_followed(void **state)
{
    (void)state;
    static cloth memory;
    made_scene *made = made_scene_create();
    add_pin(add_cloth(made, &memory, 12.0f), &memory, 0);
    mmd_world *world = made_world(made);
    const float bad[3][3] = {{NAN, 0.0f, 0.0f}, {0.0f, INFINITY, 0.0f}, {3e38f, 3e38f, 3e38f}};
    for (int i = 0; i < 90; i++) {
        if (i % 30 == 0)
            mmd_world_set_pins(world, 0, &bad[i / 30]);
        mmd_world_step(world);
        assert_sound(world, 0, NODES);
    }
    made_destroy(made, world);
}

static void a_body_without_nodes_does_nothing(void **state)
{
    (void)state;
    static cloth memory;
    made_scene *made = made_scene_create();
    add_soft(made, &memory);
    mmd_world *world = made_world(made);
    steps(world, 10);
    made_destroy(made, world);
}

/* Makes a star, one node with all others around it. Bullet numbers nodes of clusters with an int that
 * overflows. Neighbours have numbers that are far apart, because Bullet's tree of nodes in a row would be a
 * list. */
static void step_star(uint32_t count, uint32_t flags)
{
    made_scene *made = made_scene_create();
    float(*nodes)[3] = calloc(count, sizeof *nodes);
    uint32_t *indices = calloc(2 * (size_t)count, sizeof *indices);
    assert_true(nodes && indices);
    static cloth unused;
    mmd_phys_soft_body *soft = add_soft(made, &unused);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = (uint32_t)((uint64_t)i * 30011 % count);
        nodes[i][0] = (float)(place % 100);
        nodes[i][1] = 10.0f + (float)(place / 100);
        indices[2 * i + 1] = i;
    }
    soft->shape = 1;
    soft->flags = flags;
    soft->nodes = (const float(*)[3])nodes;
    soft->indices = indices + 2;
    soft->node_count = count;
    soft->index_count = 2 * (count - 1);
    soft->link_distance = 2;
    soft->cluster_count = 4;
    soft->iterations[1] = 1;
    mmd_world *world = made_world(made);
    steps(world, 1);
    assert_sound(world, 0, count);
    made_destroy(made, world);
    free(nodes);
    free(indices);
}

/* Without a limit, traversing the star would take too long. */
static void many_nodes_around_one_take_little_time(void **state)
{
    (void)state;
    step_star(20000, 5);
}

static void clusters_of_many_nodes_are_left_out(void **state)
{
    (void)state;
    step_star(72000, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_hangs_from_two_corners_and_comes_to_rest),
        cmocka_unit_test(pins_are_where_they_are_led),
        cmocka_unit_test(rope_keeps_its_length),
        cmocka_unit_test(cloth_lies_on_what_it_falls_on),
        cmocka_unit_test(cloth_with_clusters_stays_above_a_box),
        cmocka_unit_test(cloth_falls_on_the_ground),
        cmocka_unit_test(filters_hold_for_soft_bodies),
        cmocka_unit_test(cloth_does_not_press_what_it_covers_into_the_ground),
        cmocka_unit_test(air_slows_in_every_model),
        cmocka_unit_test(cloth_anchored_to_bodies_carries_a_ball),
        cmocka_unit_test(states_go_on_bit_for_bit),
        cmocka_unit_test(states_of_two_that_touch_go_on_bit_for_bit),
        cmocka_unit_test(what_files_may_say_is_survived),
        cmocka_unit_test(pins_that_are_not_finite_are_not_followed),
        cmocka_unit_test(a_body_without_nodes_does_nothing),
        cmocka_unit_test(many_nodes_around_one_take_little_time),
        cmocka_unit_test(clusters_of_many_nodes_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
