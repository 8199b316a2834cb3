/*
 * Tests the gizmo's geometry against cameras worked out by hand, and drags of the engine's items: the point
 * that was grabbed stays under the pointer in every space, with rotated parents and scaled models, and a drag
 * is one step of undo.
 */
#include "support.h"

#include "edit/gizmo_edit.h"
#include "edit/gizmo.h"
#include "mmd/format.h"

#define DEGREE (3.14159265358979323846 / 180.0)

/* Makes MMD's camera at a distance and with a rotation in degrees, with a field of view of 30 degrees or
 * parallel. */
static gizmo_camera camera_of(double distance, double rx, double ry, bool perspective)
{
    const mmd_camera camera = {.distance = (float)-distance,
                               .position = {0, 10, 0},
                               .rotation = {(float)(rx * DEGREE), (float)(ry * DEGREE), 0},
                               .fov = 30,
                               .perspective = perspective};
    float view[16], projection[16];
    gizmo_camera seen = {.width = 1280, .height = 720};
    mmd_camera_matrices(&camera, 1280.0f / 720.0f, view, projection, NULL);
    for (int k = 0; k < 16; k++) {
        seen.view[k] = (double)view[k];
        seen.projection[k] = (double)projection[k];
    }
    return seen;
}

static void identity(double m[16])
{
    for (int k = 0; k < 16; k++)
        m[k] = k % 5 == 0;
}

static void turned(double m[16], double x, double y, double z, double size)
{
    double turn[9];
    gizmo_from_degrees((const double[3]){x, y, z}, turn);
    identity(m);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            m[4 * c + k] = turn[3 * c + k] * size;
}

static gizmo_placement place_at(double x, double y, double z)
{
    gizmo_placement placement = {.origin = {x, y, z}};
    turned(placement.own, 20, 50, -30, 2);
    turned(placement.parent, -15, 35, 70, 2);
    return placement;
}

static gizmo made(const gizmo_camera *camera, const gizmo_placement *placement, gizmo_mode mode,
                  gizmo_space space)
{
    gizmo g;
    assert_true(gizmo_make(camera, placement, mode, space, 1, &g));
    return g;
}

static void point_along(const gizmo *g, const double direction[3], double far, double pixel[2])
{
    double placement[3];
    gizmo_add(g->origin, direction, far, placement);
    assert_true(gizmo_project(&g->camera, placement, pixel));
}

static void a_pixel_and_its_ray_are_one(void **state)
{
    (void)state;
    for (int perspective = 0; perspective < 2; perspective++) {
        gizmo_camera camera = camera_of(45, 12, 30, perspective);
        const double pixel[2] = {333, 517};
        double origin[3], way[3], placement[3], again[2];
        gizmo_ray(&camera, pixel, origin, way);
        for (double far = 20; far < 80; far += 20) {
            gizmo_add(origin, way, far, placement);
            assert_true(gizmo_project(&camera, placement, again));
            assert_true(hypot(again[0] - pixel[0], again[1] - pixel[1]) < 1e-3);
        }
    }
}

/* Seen from the front; a_unit is the number of pixels per unit at the target. */
static void a_known_camera_sees_a_known_pixel(void **state)
{
    (void)state;
    gizmo_camera camera = camera_of(45, 0, 0, true);
    double pixel[2], a_unit = 360 / (45 * tan(15 * DEGREE));
    assert_true(gizmo_project(&camera, (const double[3]){0, 10, 0}, pixel));
    assert_true(hypot(pixel[0] - 640, pixel[1] - 360) < 1e-4);
    assert_true(gizmo_project(&camera, (const double[3]){1, 11, 0}, pixel));
    assert_true(hypot(pixel[0] - 640 - a_unit, pixel[1] - 360 + a_unit) < 1e-3);
    assert_false(gizmo_project(&camera, (const double[3]){0, 10, -50}, pixel));
}

/* The point that was grabbed is under the pointer afterwards, for every axis, space and projection. */
static void what_is_gripped_on_an_axis_stays_under_the_pointer(void **state)
{
    (void)state;
    double largest = 0;
    for (int space = 0; space < GIZMO_SPACES; space++)
        for (int axis = 0; axis < 3; axis++)
            for (int perspective = 0; perspective < 2; perspective++) {
                gizmo_camera camera = camera_of(45, 17, 40, perspective);
                gizmo_placement placement = place_at(1.5, 12, -2);
                gizmo g = made(&camera, &placement, GIZMO_TRANSLATE, (gizmo_space)space);
                double from[2], to[2], moved[3] = {0, 0, 0};
                gizmo_drag drag;
                gizmo_change change;
                point_along(&g, g.axes + 3 * axis, 1.0, from);
                point_along(&g, g.axes + 3 * axis, 3.25, to);
                gizmo_drag_begin(&drag, &g, (gizmo_handle)(GIZMO_X + axis), from);
                assert_true(gizmo_drag_to(&drag, to, NULL, &change));
                for (int k = 0; k < 3; k++)
                    gizmo_add(moved, g.axes + 3 * k, change.amount[k], moved);
                gizmo_add(moved, g.axes + 3 * axis, -2.25, moved);
                largest = fmax(largest, gizmo_length(moved));
            }
    print_message("farthest off: %g units\n", largest);
    assert_true(largest < 1e-4);
}

static void planes_and_the_center_follow_the_pointer(void **state)
{
    (void)state;
    gizmo_camera camera = camera_of(30, 25, -30, true);
    gizmo_placement placement = place_at(-1, 9, 1);
    gizmo g = made(&camera, &placement, GIZMO_TRANSLATE, GIZMO_PARENT);
    for (int handle = GIZMO_YZ; handle <= GIZMO_CENTER; handle++) {
        double moved[3] = {0, 0, 0}, start[2] = {g.center[0] + 11, g.center[1] - 7}, pixel[2], now[3],
               before[3], seen[2];
        const double to[2] = {start[0] + 60, start[1] + 40};
        gizmo_drag drag;
        gizmo_change change;
        gizmo_drag_begin(&drag, &g, (gizmo_handle)handle, start);
        assert_true(gizmo_drag_to(&drag, to, NULL, &change));
        for (int k = 0; k < 3; k++)
            gizmo_add(moved, change.in_world ? (const double[3]){k == 0, k == 1, k == 2} : g.axes + 3 * k,
                      change.amount[k], moved);
        gizmo_add(g.origin, drag.from, 1, before);
        gizmo_add(before, moved, 1, now);
        assert_true(gizmo_project(&camera, now, pixel) && gizmo_project(&camera, before, seen));
        assert_true(hypot(seen[0] - start[0], seen[1] - start[1]) < 1e-4);
        assert_true(hypot(pixel[0] - to[0], pixel[1] - to[1]) < 1e-4);
        if (handle < GIZMO_CENTER)
            assert_true(change.amount[handle - GIZMO_YZ] == 0);
    }
}

/* Drags along the ring of an axis, from an angle by a number of degrees. */
static void turn_ring(const gizmo *g, int axis, double from_degrees, double degrees, gizmo_change *change)
{
    const double *about = g->axes + 3 * axis, *next = g->axes + 3 * ((axis + 1) % 3);
    gizmo_drag drag;
    double pixel[2], way[3] = {0, 0, 0}, u[3], v[3];
    gizmo_add(next, about, -gizmo_dot(next, about), u); /* the axes of a gimbal are not perpendicular */
    gizmo_normalize(u);
    gizmo_cross(about, u, v);
    for (int i = 0; i <= 6; i++) {
        double angle = (from_degrees + degrees * i / 6) * DEGREE;
        for (int k = 0; k < 3; k++)
            way[k] = u[k] * cos(angle) + v[k] * sin(angle);
        point_along(g, way, 92 * g->unit, pixel);
        if (i == 0)
            gizmo_drag_begin(&drag, g, (gizmo_handle)(GIZMO_X + axis), pixel);
        else
            assert_true(gizmo_drag_to(&drag, pixel, NULL, change));
    }
}

static void a_ring_turns_by_the_angle_that_the_pointer_goes(void **state)
{
    (void)state;
    gizmo_camera camera = camera_of(45, 30, 35, true);
    gizmo_placement placement = place_at(0, 10, 0);
    for (int space = 0; space < GIZMO_SPACES; space++)
        for (int axis = 0; axis < 3; axis++) {
            gizmo g = made(&camera, &placement, GIZMO_ROTATE, (gizmo_space)space);
            for (double degrees = -250; degrees <= 400; degrees += 130) {
                gizmo_change change;
                turn_ring(&g, axis, 20, degrees, &change);
                assert_false(change.in_world);
                for (int k = 0; k < 3; k++)
                    assert_true(fabs(change.amount[k] - (k == axis ? degrees * DEGREE : 0)) < 1e-5);
            }
        }
}

/* Seen from its side a ring is a line: dragging along the line turns. */
static void a_ring_from_its_side_turns_along_its_line(void **state)
{
    (void)state;
    gizmo_camera camera = camera_of(45, 0, 0, true);
    gizmo_placement placement = {.origin = {0, 10, 0}};
    identity(placement.own);
    identity(placement.parent);
    gizmo g = made(&camera, &placement, GIZMO_ROTATE, GIZMO_WORLD);
    gizmo_drag drag;
    gizmo_change change;
    gizmo_drag_begin(&drag, &g, GIZMO_Y, g.center);
    assert_true(drag.along_tangent);
    assert_true(gizmo_drag_to(&drag, (const double[2]){g.center[0] + 46, g.center[1] + 30}, NULL, &change));
    print_message("half a radius along: %g degrees\n", change.amount[1] / DEGREE);
    assert_true(fabs(fabs(change.amount[1]) - 0.5) < 0.05 && change.amount[0] == 0 && change.amount[2] == 0);
    /* A point in front of the axis moves with the pointer. */
    double turn[9], front[3] = {0, 0, -1}, gone[3] = {0, 0, 0};
    gizmo_turn_about((const double[3]){0, 1, 0}, change.amount[1], turn);
    for (int k = 0; k < 3; k++)
        gizmo_add(gone, turn + 3 * k, front[k], gone);
    assert_true(gone[0] > 0.1);
}

static void steps_are_kept_to(void **state)
{
    (void)state;
    gizmo_camera camera = camera_of(45, 20, 20, true);
    gizmo_placement placement = place_at(0, 10, 0);
    const gizmo_snap snap = {.units = 0.5, .degrees = 15, .factor = 0.25};
    gizmo g = made(&camera, &placement, GIZMO_TRANSLATE, GIZMO_WORLD);
    gizmo_drag drag;
    gizmo_change change;
    double from[2], to[2];
    point_along(&g, g.axes, 1, from);
    point_along(&g, g.axes, 2.7, to);
    gizmo_drag_begin(&drag, &g, GIZMO_X, from);
    assert_true(gizmo_drag_to(&drag, to, &snap, &change));
    assert_true(fabs(change.amount[0] - 1.5) < 1e-12 && change.amount[1] == 0);
    g = made(&camera, &placement, GIZMO_SCALE, GIZMO_LOCAL);
    point_along(&g, g.axes + 6, 2.9, to);
    point_along(&g, g.axes + 6, 1, from);
    gizmo_drag_begin(&drag, &g, GIZMO_Z, from);
    assert_true(gizmo_drag_to(&drag, to, NULL, &change));
    assert_true(fabs(change.amount[2] - 2.9) < 1e-6 && change.amount[0] == 1);
    assert_true(gizmo_drag_to(&drag, to, &snap, &change));
    assert_true(fabs(change.amount[2] - 3) < 1e-12);
    assert_true(gizmo_drag_to(&drag, g.center, &snap, &change));
    assert_true(change.amount[2] == 0.25);
}

static void handles_are_as_large_wherever_they_stand(void **state)
{
    (void)state;
    const gizmo_placement placement = place_at(0, 10, 0);
    for (double distance = 10; distance < 500; distance *= 3) {
        gizmo_camera camera = camera_of(distance, 20, 20, true);
        gizmo g = made(&camera, &placement, GIZMO_ROTATE, GIZMO_WORLD);
        gizmo_stroke strokes[GIZMO_STROKES_MAX];
        size_t count = gizmo_strokes(&g, strokes);
        double largest = 0;
        for (size_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < strokes[i].count; k++)
                largest = fmax(largest, hypot((double)strokes[i].points[k][0] - g.center[0],
                                              (double)strokes[i].points[k][1] - g.center[1]));
        assert_true(largest > 105 && largest < 118);
    }
}

static void handles_are_hit_where_they_are_drawn(void **state)
{
    (void)state;
    gizmo_camera camera = camera_of(45, 25, 35, true);
    gizmo_placement placement = place_at(0, 10, 0);
    identity(placement.own);
    for (int mode = GIZMO_TRANSLATE; mode < GIZMO_MODES; mode++) {
        gizmo g = made(&camera, &placement, (gizmo_mode)mode, GIZMO_WORLD);
        gizmo_stroke strokes[GIZMO_STROKES_MAX];
        size_t count = gizmo_strokes(&g, strokes);
        bool hit[GIZMO_HANDLES] = {false};
        assert_in_range(count, 4, GIZMO_STROKES_MAX);
        for (size_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < strokes[i].count; k++) {
                const double pixel[2] = {(double)strokes[i].points[k][0], (double)strokes[i].points[k][1]};
                hit[gizmo_hit(&g, pixel)] = true;
            }
        for (int axis = 0; axis < 3; axis++) {
            assert_true(hit[GIZMO_X + axis]);
            assert_true(hit[GIZMO_YZ + axis] == (mode == GIZMO_TRANSLATE));
        }
        assert_true(hit[GIZMO_CENTER]);
        assert_int_equal(gizmo_hit(&g, (const double[2]){g.center[0] + 150, g.center[1]}), GIZMO_NO_HANDLE);
    }
    /* An axis that points at the eye is not drawn. */
    camera = camera_of(45, 0, 0, true);
    gizmo g = made(&camera, &placement, GIZMO_TRANSLATE, GIZMO_WORLD);
    gizmo_stroke strokes[GIZMO_STROKES_MAX];
    for (size_t i = gizmo_strokes(&g, strokes); i-- > 0;)
        assert_int_not_equal(strokes[i].handle, GIZMO_Z);
}

/* --- Items --- */

typedef struct scene {
    mmd_model *model;
    mmd_motion *dance;
    mmd_actor *actor;
    mmd_stage *stage;
    mmd_edit *edit;
} scene;

static mmd_bytes load(const char *path)
{
    mmd_bytes bytes = {0};
    mmd_error error;
    if (mmd_file_read(path, &bytes, &error) != MMD_OK)
        fail_msg("%s: %s", path, error.message);
    return bytes;
}

/* The dancer at frame 300, placed with a rotation and a scale. */
static scene begin(void)
{
    scene s = {0};
    mmd_error error;
    mmd_bytes pmx = load(ODORI_BINARY "/dancer/dancer.pmx"), vmd = load(ODORI_BINARY "/dancer/dance.vmd");
    assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &s.model, &error), MMD_OK);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &s.dance, &error), MMD_OK);
    mmd_free(pmx.data);
    mmd_free(vmd.data);
    s.actor = mmd_actor_create(s.model);
    s.stage = mmd_stage_create();
    assert_true(s.actor && s.stage);
    assert_int_equal(mmd_actor_add_motion(s.actor, s.dance, &error), MMD_OK);
    assert_int_equal(mmd_stage_add_actor(s.stage, s.actor, &error), MMD_OK);
    mmd_staging staging = mmd_default_staging();
    staging.position[0] = 2;
    staging.rotation[1] = 0.8f;
    staging.scale = 1.5f;
    mmd_stage_set_staging(s.stage, 0, &staging);
    mmd_stage_set_frame(s.stage, 300);
    s.edit = mmd_edit_create(s.stage, NULL);
    assert_non_null(s.edit);
    return s;
}

static void end(scene *s)
{
    mmd_edit_destroy(s->edit);
    mmd_stage_destroy(s->stage);
    mmd_actor_destroy(s->actor);
    mmd_motion_destroy(s->dance);
    mmd_model_destroy(s->model);
}

static mmd_item bone(const scene *s, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "/models/#0/bones/%s", name);
    mmd_item item = mmd_edit_find(s->edit, path);
    assert_true(item.kind);
    return item;
}

static gizmo gizmo_of(const scene *s, mmd_item item, gizmo_mode mode, gizmo_space space)
{
    gizmo_camera camera = camera_of(45, 20, 30, true);
    gizmo_placement placement;
    assert_true(gizmo_placement_of(s->edit, item, &placement));
    return made(&camera, &placement, mode, space);
}

static void a_bone_follows_its_axis_under_the_pointer(void **state)
{
    (void)state;
    scene s = begin();
    double largest = 0;
    static const char *const names[] = {"センター", "右足ＩＫ", "上半身", "右腕"};
    for (size_t b = 0; b < 4; b++)
        for (int space = 0; space < GIZMO_SPACES; space++)
            for (int axis = 0; axis < 3; axis++) {
                mmd_item item = bone(&s, names[b]);
                gizmo g = gizmo_of(&s, item, GIZMO_TRANSLATE, (gizmo_space)space);
                const gizmo_request wish = {.mode = GIZMO_TRANSLATE, .space = (gizmo_space)space};
                gizmo_hold hold;
                gizmo_drag drag;
                gizmo_change change;
                gizmo_placement after;
                double from[2], to[2], wanted[3];
                assert_true(gizmo_hold_begin(&hold, s.edit, &item, 1, &wish));
                point_along(&g, g.axes + 3 * axis, 0.5, from);
                gizmo_drag_begin(&drag, &g, (gizmo_handle)(GIZMO_X + axis), from);
                for (int i = 1; i <= 5; i++) {
                    point_along(&g, g.axes + 3 * axis, 0.5 + 0.4 * i, to);
                    assert_true(gizmo_drag_to(&drag, to, NULL, &change));
                    assert_true(gizmo_hold_change(&hold, &change));
                }
                assert_true(gizmo_placement_of(s.edit, item, &after));
                gizmo_add(g.origin, g.axes + 3 * axis, 2, wanted);
                gizmo_add(wanted, after.origin, -1, wanted);
                largest = fmax(largest, gizmo_length(wanted));
                assert_true(gizmo_hold_end(&hold, true, false));
                assert_int_equal(mmd_edit_history_steps(s.edit), 1);
                assert_true(mmd_edit_undo(s.edit));
                mmd_edit_clear_history(s.edit);
            }
    print_message("farthest off: %g units\n", largest);
    assert_true(largest < 1e-4);
    end(&s);
}

/* The bone's world matrix is the one before, rotated about the ring's axis. */
static void a_bone_turns_with_its_ring(void **state)
{
    (void)state;
    scene s = begin();
    double largest = 0;
    for (int space = 0; space < GIZMO_SPACES; space++)
        for (int axis = 0; axis < 3; axis++) {
            mmd_item item = bone(&s, "右腕");
            gizmo g = gizmo_of(&s, item, GIZMO_ROTATE, (gizmo_space)space);
            const gizmo_request wish = {.mode = GIZMO_ROTATE, .space = (gizmo_space)space};
            gizmo_hold hold;
            gizmo_change change;
            gizmo_placement before, after;
            double turn[9];
            gizmo_placement_of(s.edit, item, &before);
            assert_true(gizmo_hold_begin(&hold, s.edit, &item, 1, &wish));
            turn_ring(&g, axis, -40, 75, &change);
            assert_true(gizmo_hold_change(&hold, &change));
            gizmo_placement_of(s.edit, item, &after);
            bool flat = fabs(gizmo_dot(g.axes + 3 * axis, g.to_eye)) < 0.11; /* then it follows its line */
            assert_true(flat || fabs(change.amount[axis] - 75 * DEGREE) < 1e-5);
            gizmo_turn_about(g.axes + 3 * axis, change.amount[axis], turn);
            for (int c = 0; c < 3; c++)
                for (int r = 0; r < 3; r++) {
                    double wanted = turn[r] * before.own[4 * c] + turn[3 + r] * before.own[4 * c + 1] +
                                    turn[6 + r] * before.own[4 * c + 2];
                    largest = fmax(largest, fabs(after.own[4 * c + r] - wanted));
                }
            assert_true(gizmo_hold_end(&hold, false, false)); /* cancelled: nothing is left */
            gizmo_placement_of(s.edit, item, &after);
            for (int k = 0; k < 16; k++)
                assert_true(after.own[k] == before.own[k]);
            assert_int_equal(mmd_edit_history_steps(s.edit), 0);
        }
    print_message("farthest off: %g\n", largest);
    assert_true(largest < 1e-5);
    end(&s);
}

static void user_of(const scene *s, const char *name, float t[3], float r[4])
{
    mmd_pose_get_user(mmd_actor_pose(s->actor), bone(s, name).index, t, r);
}

static void the_other_side_does_it_mirrored_in_one_step(void **state)
{
    (void)state;
    scene s = begin();
    mmd_item items[] = {bone(&s, "右腕"), bone(&s, "右手首")}, twin;
    const gizmo_request wish = {.mode = GIZMO_ROTATE, .mirrors = true, .all = true};
    gizmo_hold hold;
    float t[3], left[4], right[4];
    assert_true(gizmo_twin(s.edit, items[0], &twin) && mmd_item_equal(twin, bone(&s, "左腕")));
    assert_false(gizmo_twin(s.edit, bone(&s, "頭"), &twin));
    assert_true(gizmo_hold_begin(&hold, s.edit, items, 2, &wish));
    assert_int_equal(hold.count, 4);
    assert_true(gizmo_hold_values(&hold, (const double[3]){10, 20, 30}));
    assert_true(gizmo_hold_end(&hold, true, false));
    user_of(&s, "右腕", t, right);
    user_of(&s, "左腕", t, left);
    assert_true(fabsf(left[0] - right[0]) + fabsf(left[3] - right[3]) < 1e-6f);
    assert_true(fabsf(left[1] + right[1]) + fabsf(left[2] + right[2]) < 1e-6f && fabsf(right[1]) > 0.1f);
    assert_int_equal(mmd_edit_history_steps(s.edit), 1);
    assert_true(mmd_edit_undo(s.edit));
    user_of(&s, "左手首", t, left);
    assert_true(left[3] == 1);
    const mmd_item sides[] = {bone(&s, "右腕"), bone(&s, "左腕")}; /* the last one leads */
    assert_true(gizmo_hold_begin(&hold, s.edit, sides, 2, &wish));
    assert_true(hold.count == 2 && mmd_item_equal(hold.grips[0].item, sides[1]) && hold.grips[1].is_twin);
    assert_true(gizmo_hold_end(&hold, false, false));
    end(&s);
}

static void what_hangs_on_another_is_carried_by_it(void **state)
{
    (void)state;
    scene s = begin();
    const mmd_item items[] = {bone(&s, "右ひじ"), bone(&s, "上半身")};
    const gizmo_request wish = {.mode = GIZMO_TRANSLATE}, turn = {.mode = GIZMO_ROTATE};
    gizmo_hold hold;
    assert_true(gizmo_hold_begin(&hold, s.edit, items, 2, &wish));
    assert_int_equal(hold.count, 1);
    assert_true(mmd_item_equal(hold.grips[0].item, items[1]));
    gizmo_hold_end(&hold, false, false);
    assert_true(gizmo_hold_begin(&hold, s.edit, items, 2, &turn)); /* both rotate, as when curling fingers */
    assert_int_equal(hold.count, 2);
    gizmo_hold_end(&hold, false, false);
    end(&s);
}

static void what_cannot_be_edited_is_not_held(void **state)
{
    (void)state;
    scene s = begin();
    const mmd_item items[] = {bone(&s, "右腕"), bone(&s, "右ひざ")};
    gizmo_request wish = {.mode = GIZMO_ROTATE, .all = true};
    gizmo_hold hold;
    assert_false(gizmo_hold_begin(&hold, s.edit, items, 2, &wish));
    assert_string_equal(mmd_edit_refusal(s.edit), "右ひざ of おどり is moved by IK; move 右足ＩＫ instead");
    assert_null(hold.grips);
    wish.all = false;
    assert_true(gizmo_hold_begin(&hold, s.edit, items, 2, &wish));
    assert_int_equal(hold.count, 1);
    gizmo_hold_end(&hold, false, false);
    wish.mode = GIZMO_SCALE;
    assert_false(gizmo_hold_begin(&hold, s.edit, items, 2, &wish));
    end(&s);
}

/* In the space GIZMO_AXES the handles have the axes that the model's file gives, if any. */
static void a_bone_has_the_axes_of_its_file(void **state)
{
    (void)state;
    scene s = begin();
    unsigned named = 0;
    for (uint32_t b = 0; b < s.model->bone_count; b++) {
        const mmd_bone *bone = &s.model->bones[b];
        gizmo_placement placement;
        double axes[9], x[3], wanted[3];
        bool is_fixed = bone->flags & MMD_BONE_FIXED_AXIS;
        assert_true(gizmo_placement_of(s.edit, (mmd_item){.kind = MMD_ITEM_BONE, .index = b}, &placement));
        gizmo_axes(&placement, GIZMO_ROTATE, GIZMO_AXES, axes);
        assert_true(placement.has_axes == ((bone->flags & (MMD_BONE_LOCAL_AXIS | MMD_BONE_FIXED_AXIS)) != 0));
        if (!placement.has_axes)
            continue;
        named++;
        for (int k = 0; k < 3; k++)
            x[k] = (double)(is_fixed ? bone->fixed_axis : bone->local_x)[k];
        gizmo_rotate_direction(placement.own, x, wanted);
        assert_true(gizmo_normalize(wanted));
        assert_true(fabs(gizmo_dot(wanted, axes) - 1) < 1e-5);
    }
    print_message("%u bones name axes\n", named);
    assert_true(named > 0);
    end(&s);
}

static void a_model_is_scaled_about_its_place(void **state)
{
    (void)state;
    scene s = begin();
    mmd_item model = mmd_edit_find(s.edit, "/models/#0");
    gizmo g = gizmo_of(&s, model, GIZMO_SCALE, GIZMO_LOCAL);
    const gizmo_request wish = {.mode = GIZMO_SCALE};
    gizmo_hold hold;
    gizmo_drag drag;
    gizmo_change change;
    double from[2], to[2];
    assert_true(gizmo_hold_begin(&hold, s.edit, &model, 1, &wish));
    point_along(&g, g.axes + 3, 2, from);
    point_along(&g, g.axes + 3, 3, to);
    gizmo_drag_begin(&drag, &g, GIZMO_Y, from);
    assert_true(gizmo_drag_to(&drag, to, NULL, &change) && gizmo_hold_change(&hold, &change));
    assert_true(gizmo_hold_end(&hold, true, false));
    assert_true(fabsf(mmd_stage_staging(s.stage, 0)->scale - 2.25f) < 1e-5f);
    end(&s);
}

static double largest_angle_off(const mmd_camera *camera, const double wanted[3])
{
    double largest = 0;
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, fabs((double)camera->rotation[k] / DEGREE - wanted[k]));
    return largest;
}

/* Each ring changes one Euler angle of the camera's file; undo returns to the motion's camera. */
static void a_camera_turns_by_one_angle_a_ring(void **state)
{
    (void)state;
    scene s = begin();
    const mmd_item camera = mmd_edit_find(s.edit, "/camera");
    double largest = 0;
    for (int axis = 0; axis < 3; axis++) {
        mmd_camera before = *mmd_stage_camera(s.stage);
        for (int k = 0; k < 3; k++)
            before.rotation[k] = (float)((const double[]){17, -40, 8}[k] * DEGREE);
        mmd_stage_set_camera(s.stage, &before);
        double wanted[3] = {17, -40, 8};
        gizmo g = gizmo_of(&s, camera, GIZMO_ROTATE, GIZMO_LOCAL);
        const gizmo_request wish = {.mode = GIZMO_ROTATE};
        gizmo_hold hold;
        gizmo_change change;
        assert_true(g.is_gimbal && gizmo_hold_begin(&hold, s.edit, &camera, 1, &wish));
        turn_ring(&g, axis, 30, 50, &change);
        bool flat = fabs(gizmo_dot(g.axes + 3 * axis, g.to_eye)) < 0.11;
        assert_true(flat || fabs(change.amount[axis] - 50 * DEGREE) < 1e-5);
        assert_true(gizmo_hold_change(&hold, &change));
        wanted[axis] -= change.amount[axis] / DEGREE;
        largest = fmax(largest, largest_angle_off(mmd_stage_camera(s.stage), wanted));
        assert_true(memcmp(mmd_stage_camera(s.stage)->position, before.position, sizeof before.position) ==
                    0);
        assert_true(gizmo_hold_end(&hold, true, false) && mmd_edit_undo(s.edit));
        assert_true(memcmp(mmd_stage_camera(s.stage), &before, sizeof before) == 0);
    }
    print_message("farthest off: %g degrees\n", largest);
    assert_true(largest < 1e-4);
    end(&s);
}

static void a_light_turns_and_keeps_its_strength(void **state)
{
    (void)state;
    scene s = begin();
    const mmd_item light = mmd_edit_find(s.edit, "/light");
    const gizmo_request wish = {.mode = GIZMO_ROTATE, .rotates_light = true}, number = {.mode = GIZMO_ROTATE};
    const gizmo_change change = {.mode = GIZMO_ROTATE, .amount = {0, 70 * DEGREE, 0}};
    float before[3];
    double turn[9], wanted[3] = {0, 0, 0}, largest = 0;
    gizmo_hold hold;
    memcpy(before, mmd_stage_light(s.stage)->direction, sizeof before);
    assert_false(gizmo_hold_begin(&hold, s.edit, &light, 1, &number)); /* a light has no angles */
    assert_true(gizmo_hold_begin(&hold, s.edit, &light, 1, &wish));
    assert_true(gizmo_hold_change(&hold, &change));
    gizmo_turn_about((const double[3]){0, 1, 0}, 70 * DEGREE, turn);
    for (int k = 0; k < 3; k++)
        gizmo_add(wanted, turn + 3 * k, (double)before[k], wanted);
    for (int k = 0; k < 3; k++)
        largest = fmax(largest, fabs(wanted[k] - (double)mmd_stage_light(s.stage)->direction[k]));
    assert_true(largest < 1e-6);
    assert_true(gizmo_hold_end(&hold, true, false));
    assert_int_equal(mmd_edit_history_steps(s.edit), 1);
    assert_true(mmd_edit_undo(s.edit) && !mmd_stage_light_direction_by_hand(s.stage));
    assert_true(memcmp(before, mmd_stage_light(s.stage)->direction, sizeof before) == 0);
    end(&s);
}

/* The sun is drawn where the light comes from, at the same distance in pixels for any camera. */
static void a_sun_is_where_the_light_comes_from(void **state)
{
    (void)state;
    const double placement[3] = {0, 10, 0};
    const float down[3] = {0, -2, 0}, away[3] = {0, 0, 1};
    double sun[2], end[2];
    for (double distance = 10; distance < 500; distance *= 3) {
        gizmo_camera camera = camera_of(distance, 0, 0, true);
        assert_true(gizmo_sun(&camera, placement, down, 2, sun, end));
        assert_true(fabs(sun[0] - 640) < 0.01 && fabs(sun[1] - (360 - 300)) < 0.1);
        assert_true(fabs(end[0] - 640) < 0.01 && end[1] > sun[1] + 200 && end[1] < 360);
        assert_true(gizmo_sun(&camera, placement, away, 2, sun, end)); /* from behind the camera */
        assert_true(hypot(sun[0] - 640, sun[1] - 360) < 0.01);
    }
}

/* Rotates both feet about the point between them, in one step. */
static void several_turn_about_one_point(void **state)
{
    (void)state;
    scene s = begin();
    const mmd_item items[] = {bone(&s, "右足ＩＫ"), bone(&s, "左足ＩＫ")};
    gizmo_request wish = {.mode = GIZMO_ROTATE, .common = true, .axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const gizmo_change change = {.mode = GIZMO_ROTATE, .amount = {0, 60 * DEGREE, 0}};
    gizmo_placement before[2], after;
    gizmo_hold hold;
    double turn[9], largest = 0;
    for (int i = 0; i < 2; i++) {
        gizmo_placement_of(s.edit, items[i], &before[i]);
        gizmo_add(wish.pivot, before[i].origin, 0.5, wish.pivot);
    }
    assert_true(gizmo_hold_begin(&hold, s.edit, items, 2, &wish));
    assert_int_equal(hold.count, 4);
    assert_true(gizmo_hold_change(&hold, &change));
    gizmo_turn_about((const double[3]){0, 1, 0}, 60 * DEGREE, turn);
    for (int i = 0; i < 2; i++) {
        double from[3], wanted[3];
        gizmo_add(before[i].origin, wish.pivot, -1, from);
        memcpy(wanted, wish.pivot, sizeof wanted);
        for (int k = 0; k < 3; k++)
            gizmo_add(wanted, turn + 3 * k, from[k], wanted);
        gizmo_placement_of(s.edit, items[i], &after);
        gizmo_add(wanted, after.origin, -1, wanted);
        largest = fmax(largest, gizmo_length(wanted));
        assert_true(gizmo_length(from) > 0.1);
    }
    print_message("farthest off: %g units\n", largest);
    assert_true(largest < 1e-5);
    assert_true(gizmo_hold_end(&hold, true, false));
    assert_int_equal(mmd_edit_history_steps(s.edit), 1);
    assert_true(mmd_edit_undo(s.edit));
    gizmo_placement_of(s.edit, items[0], &after);
    assert_true(memcmp(after.origin, before[0].origin, sizeof after.origin) == 0);
    end(&s);
}

/* Bodies and joints move along the axes as seen at the current pose. */
static void bodies_and_joints_follow_under_the_pointer(void **state)
{
    (void)state;
    static const char *const paths[] = {"/models/#0/bodies/#8", "/models/#0/joints/#0",
                                        "/models/#0/joints/#7"};
    scene s = begin();
    double largest = 0;
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            const mmd_item item = mmd_edit_find(s.edit, paths[i]);
            gizmo g = gizmo_of(&s, item, GIZMO_TRANSLATE, GIZMO_LOCAL);
            const gizmo_request wish = {.mode = GIZMO_TRANSLATE, .space = GIZMO_LOCAL};
            gizmo_change change = {.mode = GIZMO_TRANSLATE};
            gizmo_hold hold;
            gizmo_placement after;
            double wanted[3];
            change.amount[axis] = 1.5;
            assert_true(gizmo_hold_begin(&hold, s.edit, &item, 1, &wish));
            assert_true(gizmo_hold_change(&hold, &change));
            gizmo_placement_of(s.edit, item, &after);
            gizmo_add(g.origin, g.axes + 3 * axis, 1.5, wanted);
            gizmo_add(wanted, after.origin, -1, wanted);
            largest = fmax(largest, gizmo_length(wanted));
            assert_true(gizmo_hold_end(&hold, false, false));
        }
    print_message("farthest off: %g units\n", largest);
    assert_true(largest < 1e-4);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pixel_and_its_ray_are_one),
        cmocka_unit_test(a_known_camera_sees_a_known_pixel),
        cmocka_unit_test(what_is_gripped_on_an_axis_stays_under_the_pointer),
        cmocka_unit_test(planes_and_the_center_follow_the_pointer),
        cmocka_unit_test(a_ring_turns_by_the_angle_that_the_pointer_goes),
        cmocka_unit_test(a_ring_from_its_side_turns_along_its_line),
        cmocka_unit_test(steps_are_kept_to),
        cmocka_unit_test(handles_are_as_large_wherever_they_stand),
        cmocka_unit_test(handles_are_hit_where_they_are_drawn),
        cmocka_unit_test(a_bone_follows_its_axis_under_the_pointer),
        cmocka_unit_test(a_bone_turns_with_its_ring),
        cmocka_unit_test(the_other_side_does_it_mirrored_in_one_step),
        cmocka_unit_test(what_hangs_on_another_is_carried_by_it),
        cmocka_unit_test(what_cannot_be_edited_is_not_held),
        cmocka_unit_test(a_bone_has_the_axes_of_its_file),
        cmocka_unit_test(a_model_is_scaled_about_its_place),
        cmocka_unit_test(a_camera_turns_by_one_angle_a_ring),
        cmocka_unit_test(a_light_turns_and_keeps_its_strength),
        cmocka_unit_test(a_sun_is_where_the_light_comes_from),
        cmocka_unit_test(several_turn_about_one_point),
        cmocka_unit_test(bodies_and_joints_follow_under_the_pointer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
