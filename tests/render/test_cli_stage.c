/*
 * Stages with motions and physics on the command line. A made hall has a floor that rises, a beam that sways,
 * a curtain that hangs from the beam by physics, a morph, and a motion that hides it for a while. As a stage
 * it equals the same model as a dancer.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "hair_model.h"
#include "made_model.h"
#include "mmd/format.h"
#include "mmd/keying.h"
#include "mmd/text.h"
#include "render_support.h"

enum { CENTER, FLOOR, BEAM, CURTAIN, HALL_BONES };
enum { HALL_FLOOR, HALL_BEAM, HALL_CURTAIN, HALL_BODIES };

/* Frames of the hall's motion: the floor has risen by RISE, and the hall is hidden from GONE to BACK. */
enum { RISEN = 60, GONE = 25, BACK = 35 };
#define RISE 8.5f

/* Group of the free ball beside the hair of hair_model.h. */
enum { BALL_GROUP = 2 };

static void make_hall_bones(mmd_model *hall)
{
    static const char *const names[HALL_BONES] = {"センター", "床", "梁", "幕"};
    static const float places[HALL_BONES][3] = {{0, 0, 0}, {0, 0, 0}, {10, 18, 5}, {10, 18, 5}};
    static const int parents[HALL_BONES] = {-1, CENTER, CENTER, BEAM};
    for (int b = 0; b < HALL_BONES; b++) {
        hall->bones[b].name = names[b];
        hall->bones[b].parent = parents[b];
        memcpy(hall->bones[b].position, places[b], sizeof places[b]);
    }
}

/* A square of the floor at the left and one of the curtain at the right, each with a material of its own. */
static void make_hall_mesh(mmd_model *hall)
{
    mmd_vertex_offset *up = made_array(hall, 4, sizeof *up);
    made_square(hall, 0, 0, -15, 2, 5, 8);
    made_square(hall, 4, 6, 7, 10, 5, 8);
    for (int v = 0; v < 8; v++)
        hall->vertices.bone[v][0] = v < 4 ? FLOOR : CURTAIN;
    for (int m = 0; m < 2; m++) {
        hall->materials[m].index_count = 6;
        hall->materials[m].diffuse[m] = 0.1f;
    }
    for (int v = 0; v < 4; v++)
        up[v] = (mmd_vertex_offset){v, {0, 5, 0}};
    hall->morphs[0] = (mmd_morph){.name = "開く",
                                  .name_en = "",
                                  .panel = 4,
                                  .kind = MMD_MORPH_VERTEX,
                                  .count = 4,
                                  .offsets.vertex = up};
}

static void make_hall_bodies(mmd_model *hall, uint16_t floor_mask)
{
    static const struct {
        int bone;
        uint8_t mode, group;
        float size[3], place[3];
    } rows[HALL_BODIES] = {{FLOOR, 0, 0, {12, 0.5f, 12}, {0, 1.5f, 0}},
                           {BEAM, 0, 4, {4, 0.3f, 0.3f}, {10, 18.5f, 5}},
                           {CURTAIN, 1, 5, {4, 3.5f, 0.2f}, {10, 14, 5}}};
    hall->body_count = HALL_BODIES;
    hall->bodies = made_array(hall, HALL_BODIES, sizeof *hall->bodies);
    for (int b = 0; b < HALL_BODIES; b++) {
        hall->bodies[b] = (mmd_rigid_body){.name = "",
                                           .name_en = "",
                                           .bone = rows[b].bone,
                                           .group = rows[b].group,
                                           .mask = b == HALL_FLOOR ? floor_mask : 0,
                                           .shape = 1,
                                           .mass = 1,
                                           .linear_damping = 0.2f,
                                           .angular_damping = 0.2f,
                                           .friction = 0.5f,
                                           .mode = rows[b].mode};
        memcpy(hall->bodies[b].size, rows[b].size, sizeof rows[b].size);
        memcpy(hall->bodies[b].position, rows[b].place, sizeof rows[b].place);
    }
    hall->joint_count = 1;
    hall->joints = made_array(hall, 1, sizeof *hall->joints);
    hall->joints[0] = (mmd_joint){.name = "",
                                  .name_en = "",
                                  .body_a = HALL_BEAM,
                                  .body_b = HALL_CURTAIN,
                                  .position = {10, 18, 5},
                                  .angular_lower = {-1, -0.5f, -1},
                                  .angular_upper = {1, 0.5f, 1}};
}

/* Writes the hall. Its floor collides with the groups of the mask. */
static void write_hall(const char *name, uint16_t floor_mask)
{
    mmd_buffer out = {0};
    mmd_model *hall = made_model(
        &(made_sizes){.vertices = 8, .indices = 12, .bones = HALL_BONES, .materials = 2, .morphs = 1});
    hall->name = "ホール";
    make_hall_bones(hall);
    make_hall_mesh(hall);
    make_hall_bodies(hall, floor_mask);
    made_finish(hall);
    ASSERT_OK(mmd_pmx_write(hall, &out, error));
    cli_write(name, out.data, out.size);
    mmd_buffer_finish(&out);
    made_destroy(hall);
}

static void add_key(mmd_motion *motion, mmd_key_kind kind, const char *name, uint32_t frame,
                    const mmd_stored_key *key)
{
    uint8_t field[MMD_NAME_KEY_SIZE] = {0};
    mmd_name_key_from_utf8(name, field, NULL, NULL);
    const mmd_key_row row = mmd_key_row_of(kind, field);
    ASSERT_OK(mmd_motion_add_key(motion, &row, frame, key, NULL, error));
}

static void add_move(mmd_motion *motion, const char *bone, uint32_t frame, float x, float y)
{
    const mmd_curve line = mmd_default_curve();
    const mmd_stored_key key = {
        .record = MMD_NO_RECORD,
        .as.bone = {.translation = {x, y, 0}, .rotation = {0, 0, 0, 1}, .curve = {line, line, line, line}}};
    add_key(motion, MMD_KEY_BONE, bone, frame, &key);
}

static void add_visibility(mmd_motion *motion, uint32_t frame, bool visible)
{
    const mmd_stored_key key = {.record = MMD_NO_RECORD, .as.property = {.visible = visible}};
    add_key(motion, MMD_KEY_PROPERTY, "", frame, &key);
}

static void write_motion(const char *name, mmd_motion *motion)
{
    mmd_buffer out = {0};
    ASSERT_OK(mmd_vmd_write(motion, &out, error));
    cli_write(name, out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_motion_destroy(motion);
}

/* Writes the hall's motion, and one that only raises the floor. */
static void write_hall_motions(void)
{
    mmd_motion *motion;
    ASSERT_OK(mmd_motion_copy(NULL, &motion, error));
    add_move(motion, "床", 0, 0, 0);
    add_move(motion, "床", RISEN, 0, RISE);
    write_motion("rise.vmd", motion);
    ASSERT_OK(mmd_motion_copy(NULL, &motion, error));
    for (uint32_t k = 0; k < 5; k++)
        add_move(motion, "梁", 10 * k, k % 2 ? 3 : -3, 0);
    add_move(motion, "床", 0, 0, 0);
    add_move(motion, "床", 20, 0, -2);
    for (uint32_t k = 0; k < 2; k++) {
        const mmd_stored_key weight = {.record = MMD_NO_RECORD, .as.weight = (float)k};
        add_key(motion, MMD_KEY_MORPH, "開く", 20 * k, &weight);
    }
    add_visibility(motion, 0, true);
    add_visibility(motion, GONE, false);
    add_visibility(motion, BACK, true);
    write_motion("hall.vmd", motion);
}

static int setup(void **state)
{
    hair_model hair;
    mmd_buffer out = {0};
    if (cli_setup(state) != 0)
        return -1;
    write_hall("hall.pmx", 0xffff);
    write_hall("thin.pmx", (uint16_t) ~(1u << BALL_GROUP));
    write_hall_motions();
    hair_model_make(&hair);
    ASSERT_OK(mmd_pmx_write(&hair.model, &out, error));
    cli_write("hair.pmx", out.data, out.size);
    mmd_buffer_finish(&out);
    hair_model_finish(&hair);
    cli_write_text("square.x", "xof 0303txt 0032\n"
                               "Mesh {\n 4;\n -1;0;0;, 1;0;0;, 1;1;0;, -1;1;0;;\n"
                               " 2;\n 4;0,1,2,3;, 4;3,2,1,0;;\n}\n");
    cli_write_text("order.txt", "model.select 1\nmodel.order -2\n");
    return 0;
}

static void shoot(const char *options, const char *name)
{
    cli_result result = cli_run("shot --size 96x72 %s -o %s", options, name);
    if (result.code != 0)
        fail_msg("shot %s: %s", options, result.err);
    cli_finish(&result);
}

/* Tests whether two sets of options draw the same pixels. */
static bool draw_same(const char *a, const char *b)
{
    shoot(a, "a.png");
    shoot(b, "b.png");
    return cli_same_pictures("a.png", "b.png");
}

#define STAGE  "odori.pmx --own-motion odori.vmd --stage hall.pmx --stage-motion hall.vmd "
#define DANCER "odori.pmx --own-motion odori.vmd hall.pmx --own-motion hall.vmd "

static void a_stage_equals_the_same_model_as_a_dancer(void **state)
{
    (void)state;
    static const char *const frames[] = {"0", "12.5", "30", "40"};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        char a[256], b[256];
        snprintf(a, sizeof a, STAGE "--self-shadow on --frame %s", frames[i]);
        snprintf(b, sizeof b, DANCER "--self-shadow on --exec order.txt --frame %s", frames[i]);
        if (!draw_same(a, b))
            fail_msg("frame %s", frames[i]);
    }
    cli_result a = cli_run("dump " STAGE "--model 1 --physics on --frames 0,12.5,30,40,90 --what "
                           "bones,morphs,vertices,bodies"),
               b = cli_run("dump " DANCER "--model 1 --physics on --frames 0,12.5,30,40,90 --what "
                           "bones,morphs,vertices,bodies --exec order.txt");
    assert_int_equal(a.code, 0);
    assert_string_equal(a.out, b.out);
    cli_finish(&a);
    cli_finish(&b);
    /* Nor does the dancer in front of it see a difference. */
    a = cli_run("dump " STAGE "--model 0 --physics on --frames 40 --what bones,bodies");
    b = cli_run("dump " DANCER "--model 0 --physics on --frames 40 --what bones,bodies --exec order.txt");
    assert_int_equal(a.code, 0);
    assert_string_equal(a.out, b.out);
    cli_finish(&a);
    cli_finish(&b);
}

/* The same with somebody's model, whose hair and skirt are simulated. */
static void a_model_of_the_wild_is_the_same_as_a_stage(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const char miku[] = ODORI_SHARED "/data/models/miku/初音ミク.pmx",
                      dance[] = ODORI_SHARED "/data/motions/kishimen.vmd";
    cli_result a = cli_run("dump odori.pmx --stage %s --stage-motion %s --model 1 --physics on --frames 0,45 "
                           "--what bones,morphs,bodies",
                           miku, dance),
               b = cli_run("dump odori.pmx %s --own-motion %s --model 1 --physics on --frames 0,45 "
                           "--what bones,morphs,bodies",
                           miku, dance);
    assert_int_equal(a.code, 0);
    assert_string_equal(a.out, b.out);
    cli_finish(&a);
    cli_finish(&b);
}

static void only_its_own_motions_move_a_stage(void **state)
{
    (void)state;
    /* Bones, a morph and the curtain's physics show at frame 20. */
    assert_false(draw_same(STAGE "--frame 20", "odori.pmx --motion odori.vmd --stage hall.pmx --frame 20"));
    assert_true(draw_same("odori.pmx --motion odori.vmd --motion hall.vmd --stage hall.pmx --frame 20",
                          "odori.pmx --motion odori.vmd --stage hall.pmx --frame 20"));
    assert_false(draw_same(STAGE "--frame 20", STAGE "--frame 20 --physics off"));
    /* The later of two motions counts where both have keyframes. */
    assert_true(
        draw_same("odori.pmx --stage hall.pmx --stage-motion rise.vmd --stage-motion hall.vmd --frame 20",
                  "odori.pmx --stage hall.pmx --stage-motion hall.vmd --frame 20"));
    assert_false(
        draw_same("odori.pmx --stage hall.pmx --stage-motion hall.vmd --stage-motion rise.vmd --frame 20",
                  "odori.pmx --stage hall.pmx --stage-motion hall.vmd --frame 20"));
    /* It is hidden and shown again. */
    assert_true(draw_same(STAGE "--frame 30", "odori.pmx --motion odori.vmd --frame 30"));
    assert_false(draw_same(STAGE "--frame 35", "odori.pmx --motion odori.vmd --frame 35"));
}

static void an_accessory_is_shown_and_hidden(void **state)
{
    (void)state;
    assert_true(
        draw_same("odori.pmx --stage square.x --stage-motion hall.vmd --frame 30", "odori.pmx --frame 30"));
    assert_true(draw_same("odori.pmx square.x --own-motion hall.vmd --frame 30", "odori.pmx --frame 30"));
    assert_true(draw_same("odori.pmx --stage square.x --stage-motion hall.vmd --frame 20",
                          "odori.pmx --stage square.x --frame 20"));
    assert_false(draw_same("odori.pmx --stage square.x --frame 20", "odori.pmx --frame 20"));
    cli_expect(
        2,
        "square.x: --stage-motion only shows and hides accessories, and rise.vmd has no keyframes for that",
        "shot odori.pmx --stage square.x --stage-motion rise.vmd -o a.png");
    cli_expect(2, "square.x: --own-motion only shows and hides accessories",
               "shot odori.pmx square.x --own-motion rise.vmd -o a.png");
}

/* Commands of models act on the selected one, also where that is a stage or a prop. */
static void commands_act_on_a_stage_as_on_a_dancer(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "morph.set 開く 0.25", "material.show 0 off",  "material.solo 1", "model.visible off",
        "model.opacity 0.5",   "bone.rotate 床 0 0 9", "model.delay 7",   "model.place 1 2 0 0 0 20 0.5",
        "model.mirror on",
    };
    shoot(STAGE "--frame 12", "plain.png");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char a[256], b[256];
        snprintf(a, sizeof a, "model.select 1\n%s\n", commands[i]);
        snprintf(b, sizeof b, "model.select 1\nmodel.order -2\n%s\n", commands[i]);
        cli_write_text("a.txt", a);
        cli_write_text("b.txt", b);
        if (!draw_same(STAGE "--frame 12 --exec a.txt", DANCER "--frame 12 --exec b.txt"))
            fail_msg("%s: the stage is drawn otherwise than the dancer", commands[i]);
        if (cli_same_pictures("a.png", "plain.png"))
            fail_msg("%s changes nothing", commands[i]);
    }
    cli_write_text("a.txt", "model.select 1\nmodel.visible off\n");
    assert_true(draw_same("odori.pmx square.x --frame 0 --exec a.txt", "odori.pmx --frame 0"));
    cli_write_text("a.txt", "model.select 1\nmaterial.show 0 off\n");
    assert_true(draw_same("odori.pmx --stage square.x --frame 0 --exec a.txt", "odori.pmx --frame 0"));
}

/* --- Physics --- */

/* Returns the height of a body of hair.pmx after these frames in front of a stage. */
static double height(const char *stage, int body, int frame)
{
    char line[512];
    snprintf(line, sizeof line, "dump hair.pmx %s --model 0 --physics on --what bodies --frames %d", stage,
             frame);
    json_t *root = cli_json(line);
    const json_t *bodies = json_object_get(json_array_get(json_object_get(root, "frames"), 0), "bodies"),
                 *world = json_object_get(json_array_get(bodies, (size_t)body), "world");
    double y = json_number_value(json_array_get(world, 13));
    json_decref(root);
    return y;
}

static void bodies_of_a_dancer_collide_with_those_of_a_stage(void **state)
{
    (void)state;
    /* A ball of radius 1 falls to the ground; on a stage, to its floor at height 2. */
    assert_true(fabs(height("", BODY_BALL, 120) - 1) < 0.1);
    assert_true(fabs(height("--stage hall.pmx", BODY_BALL, 120) - 3) < 0.1);
    /* Not where groups or separate worlds forbid it. */
    assert_true(fabs(height("--stage thin.pmx", BODY_BALL, 120) - 1) < 0.1);
    assert_true(fabs(height("--stage hall.pmx --physics-world own", BODY_BALL, 120) - 1) < 0.1);
    /* A floor that rises lifts the ball, and pushes hair up. */
    assert_true(fabs(height("--stage hall.pmx --stage-motion rise.vmd", BODY_BALL, 120) - 3 - (double)RISE) <
                0.1);
    double hangs = height("--stage hall.pmx", BODY_3, 120),
           pushed = height("--stage hall.pmx --stage-motion rise.vmd", BODY_3, 120);
    assert_true(pushed > hangs + 0.5);
    /* A stage stands on another place as a whole. */
    cli_write_text("away.txt", "model.select 1\nmodel.place 0 1 0 0 0 0 1\nmodel.select 0\n");
    assert_true(fabs(height("--stage hall.pmx --exec away.txt", BODY_BALL, 120) - 4) < 0.1);
}

/* --- Suites, pictures, playlists --- */

static void suites_and_pictures_repeat_the_motion_of_a_stage(void **state)
{
    (void)state;
    shoot(STAGE "--frame 20", "shot.png");
    cli_expect(0, "equal", "check shot.png");
    shoot("odori.pmx --own-motion odori.vmd --stage hall.pmx --frame 20", "still.png");
    cli_result result = cli_run("diff shot.png still.png");
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.out, "motion: hall.vmd -> (none)"));
    cli_finish(&result);
    cli_write_text(
        "suite.json",
        "{\"scenes\":[{\"name\":\"hall\",\"model\":\"odori.pmx\",\"own_motion\":{\"0\":\"odori.vmd\"},"
        "\"stage\":\"hall.pmx\",\"stage_motion\":[\"rise.vmd\",\"hall.vmd\"],\"frames\":[20],"
        "\"size\":[96,72]}]}");
    cli_shell("rm -rf baselines");
    cli_expect(0, "", "check suite.json --accept");
    cli_shell("cp baselines/*/hall/20.png suite.png");
    assert_true(cli_same_pictures("shot.png", "suite.png"));
    cli_shell("sed -i 's/,\"hall.vmd\"//' suite.json");
    cli_expect(1, "", "check suite.json");
    cli_write_text("suite.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"odori.pmx\","
                                 "\"stage_motion\":\"hall.vmd\"}]}");
    cli_expect(3, "stage_motion moves the stage, but the scene has no stage", "check suite.json");
}

static void a_motion_that_fits_no_part_of_the_stage_is_told(void **state)
{
    (void)state;
    cli_write_text("suite.json", "{\"scenes\":[{\"name\":\"a\",\"model\":\"hall.pmx\",\"size\":[16,16],"
                                 "\"stage\":\"odori.pmx\",\"stage_motion\":\"rise.vmd\"}]}");
    cli_shell("rm -rf baselines");
    cli_result result = cli_run("check suite.json --accept");
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out,
                           "motion rise.vmd has no effect: odori.pmx has no bone or morph with one of "
                           "its names"));
    cli_finish(&result);
    cli_expect(2, "--stage-motion applies to the stage given before it",
               "shot odori.pmx --stage-motion hall.vmd --stage hall.pmx -o a.png");
    cli_expect(3, "none.vmd", "shot odori.pmx --stage hall.pmx --stage-motion none.vmd -o a.png");
    cli_write_text("list.txt", "odori.pmx --stage-motion hall.vmd --stage hall.pmx\n");
    cli_expect(3, "line 1: no --stage comes before --stage-motion", "play --no-settings --playlist list.txt");
}

/* --- The player and keyframes --- */

/* Returns what `play` prints of the stage's floor at frame 60, after these lines; free it with free. */
static char *told(const char *options, const char *lines)
{
    char text[512];
    snprintf(text, sizeof text,
             "%sframe.set 60\nedit.select /models/#1/bones/床\nedit.tell\nframe.set 0\nedit.tell\nquit\n",
             lines);
    cli_write_text("tell.txt", text);
    cli_result result = cli_run("play --no-settings --physics off %s --exec tell.txt", options);
    if (result.code != 0 || !strstr(result.out, "床"))
        fail_msg("play %s: %s", options, result.err);
    char *out = strdup(result.out);
    cli_finish(&result);
    return out;
}

static void the_player_gives_a_motion_to_the_stage_that_is_selected(void **state)
{
    (void)state;
    cli_write_text("list.txt", "odori.pmx --stage hall.pmx --stage-motion rise.vmd --motion odori.vmd\n");
    char *still = told("odori.pmx --stage hall.pmx", ""),
         *moved = told("odori.pmx --stage hall.pmx --stage-motion rise.vmd", ""),
         *opened = told("odori.pmx --stage hall.pmx", "model.select 1\nfile.open rise.vmd\n"),
         *again = told("odori.pmx --stage hall.pmx", "model.select 1\nfile.open rise.vmd\nreload\n"),
         *other = told("odori.pmx --stage hall.pmx", "model.select 0\nfile.open rise.vmd\n"),
         *listed = told("--playlist list.txt", "");
    assert_string_not_equal(still, moved);
    assert_string_equal(opened, moved);
    assert_string_equal(again, moved);
    assert_string_equal(other, still);
    assert_string_equal(listed, moved);
    /* A stage of the command line stays, and the motion of the other one is left out. */
    cli_write_text("list.txt", "odori.pmx --stage odori.pmx --stage-motion rise.vmd\n");
    char *kept = told("--stage hall.pmx --playlist list.txt", "");
    assert_string_equal(kept, still);
    free(kept);
    free(still), free(moved), free(opened), free(again), free(other), free(listed);
}

static char *dumped(const char *options)
{
    cli_result result =
        cli_run("dump odori.pmx --stage hall.pmx --model 1 --frames 0,20,60 --what bones %s", options);
    if (result.code != 0)
        fail_msg("dump %s: %s", options, result.err);
    char *out = strdup(strstr(result.out, "\"frames\""));
    cli_finish(&result);
    return out;
}

static void keyframes_of_a_stage_are_edited_saved_and_baked(void **state)
{
    (void)state;
    cli_write_text("key.txt",
                   "model.select 1\nedit.select /models/#1/bones/床\nedit.translate 0 5 0\nkey.set\n"
                   "motion.save made.vmd\n");
    char *still = dumped(""), *keyed = dumped("--exec key.txt"), *saved = dumped("--stage-motion made.vmd");
    assert_string_not_equal(still, keyed);
    assert_string_equal(keyed, saved);
    char *risen = dumped("--motion odori.vmd --stage-motion rise.vmd");
    cli_expect(
        0, NULL,
        "bake odori.pmx --motion odori.vmd --stage hall.pmx --stage-motion rise.vmd --physics off --model 1 "
        "-o baked.vmd");
    char *baked = dumped("--motion odori.vmd --stage-motion baked.vmd");
    assert_string_equal(risen, baked);
    /* A stage that is the dancer's own model has no keyframe of her dance. */
    cli_expect(2, "no motion moves the model",
               "bake odori.pmx --motion odori.vmd --stage odori.pmx --model 1 -o none.vmd");
    free(still), free(keyed), free(saved), free(risen), free(baked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stage_equals_the_same_model_as_a_dancer),
        cmocka_unit_test(a_model_of_the_wild_is_the_same_as_a_stage),
        cmocka_unit_test(only_its_own_motions_move_a_stage),
        cmocka_unit_test(an_accessory_is_shown_and_hidden),
        cmocka_unit_test(commands_act_on_a_stage_as_on_a_dancer),
        cmocka_unit_test(bodies_of_a_dancer_collide_with_those_of_a_stage),
        cmocka_unit_test(suites_and_pictures_repeat_the_motion_of_a_stage),
        cmocka_unit_test(a_motion_that_fits_no_part_of_the_stage_is_told),
        cmocka_unit_test(the_player_gives_a_motion_to_the_stage_that_is_selected),
        cmocka_unit_test(keyframes_of_a_stage_are_edited_saved_and_baked),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
