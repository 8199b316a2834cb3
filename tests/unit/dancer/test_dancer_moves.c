/* Tests the bundled dancer in her dance: no mesh tears, nothing passes through anything else, hands only
 * touch each other, and the camera shows all of her when it should. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "dance/dance.h"
#include "dancer.h"
#include "mmd/actor.h"
#include "mmd/format.h"
#include "mmd/pose_parts.h"
#include "mmd/text.h"
#include "shells.h"
#include "vector.h"

#ifdef ODORI_TEST_SLOWLY
enum { FRAME_STEP = 150, HAND_STEP = 5 };
#else
enum { FRAME_STEP = 30, HAND_STEP = 1 };
#endif

/* Distance in front of the surface that must be free, in units. */
static const double clearance = 0.04;

typedef struct moves {
    mmd_model *model;
    mmd_motion *dance;
    mmd_actor *actor;
    mmd_skinned_vertex *posed;
    shells shells;
    uint8_t *material; /* material of each vertex */
} moves;

static mmd_model *make_model(void)
{
    dancer d;
    mmd_model model, *result;
    mmd_buffer pmx = {0};
    mmd_error error;
    dancer_make(&d);
    dancer_model(&d, &model);
    assert_int_equal(mmd_pmx_write(&model, &pmx, &error), MMD_OK);
    assert_int_equal(mmd_pmx_read(pmx.data, pmx.size, &result, &error), MMD_OK);
    mmd_buffer_finish(&pmx);
    dancer_finish(&d);
    return result;
}

static uint8_t *find_materials(const mmd_model *model)
{
    uint8_t *material = calloc(model->vertices.count, 1);
    assert_non_null(material);
    for (uint32_t i = 0; i < model->material_count; i++)
        for (uint32_t k = 0; k < model->materials[i].index_count; k++)
            material[model->indices[model->materials[i].first_index + k]] = (uint8_t)i;
    return material;
}

static int make(void **state)
{
    static moves m;
    mmd_buffer vmd = {0};
    mmd_error error;
    m.model = make_model();
    dance_make(&vmd);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &m.dance, &error), MMD_OK);
    mmd_buffer_finish(&vmd);
    m.actor = mmd_actor_create(m.model);
    assert_non_null(m.actor);
    assert_int_equal(mmd_actor_add_motion(m.actor, m.dance, &error), MMD_OK);
    m.posed = calloc(m.model->vertices.count, sizeof *m.posed);
    assert_non_null(m.posed);
    shells_find(m.model, &m.shells);
    m.material = find_materials(m.model);
    *state = &m;
    return 0;
}

static int destroy(void **state)
{
    moves *m = *state;
    shells_finish(&m->shells);
    free(m->posed);
    free(m->material);
    mmd_actor_destroy(m->actor);
    mmd_motion_destroy(m->dance);
    mmd_model_destroy(m->model);
    return 0;
}

/* Poses the dancer at a frame of the dance, or at rest for a negative frame. */
static void pose(moves *m, double frame)
{
    mmd_actor *actor = m->actor;
    if (frame < 0) {
        actor = mmd_actor_create(m->model);
        assert_non_null(actor);
        frame = 0;
    }
    mmd_actor_set_frame(actor, frame);
    mmd_skin_reference(m->model, mmd_pose_palette(mmd_actor_pose(actor)),
                       mmd_pose_weights(mmd_actor_pose(actor)), MMD_SDEF_LINEAR, NULL, m->posed);
    if (actor != m->actor)
        mmd_actor_destroy(actor);
}

static bool is_among(const uint8_t *name, uint8_t (*keys)[MMD_NAME_KEY_SIZE], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(name, keys[i], MMD_NAME_KEY_SIZE) == 0)
            return true;
    return false;
}

/* A track of the dance without a bone or morph of her would move nothing. */
static void every_track_moves_something(void **state)
{
    const moves *m = *state;
    const mmd_model *model = m->model;
    assert_true(m->dance->bone_track_count > 40 && m->dance->morph_track_count > 10);
    for (uint32_t i = 0; i < m->dance->bone_track_count; i++)
        assert_true(is_among(m->dance->bone_tracks[i].name, model->bone_key, model->bone_count));
    for (uint32_t i = 0; i < m->dance->morph_track_count; i++)
        assert_true(is_among(m->dance->morph_tracks[i].name, model->morph_key, model->morph_count));
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static double edge_length(const moves *m, uint32_t corner)
{
    uint32_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    return distance(m->posed[m->model->indices[corner]].position, m->posed[m->model->indices[next]].position);
}

/* Returns the bone with the greatest weight of a vertex. */
static int32_t leading_bone(const mmd_model *model, uint32_t vertex)
{
    int best = 0;
    for (int k = 1; k < 4; k++)
        if (model->vertices.weight[vertex][k] > model->vertices.weight[vertex][best])
            best = k;
    return model->vertices.bone[vertex][best];
}

static const char *leader(const mmd_model *model, uint32_t vertex)
{
    return model->bones[leading_bone(model, vertex)].name;
}

static const char *material_of(const moves *m, uint32_t vertex)
{
    return m->model->materials[m->material[vertex]].name;
}

/* Returns which vertices vertex morphs move, for eyes and mouth: their edges may stretch. */
static bool *edges_of_the_face(const moves *m)
{
    bool *face = calloc(m->model->vertices.count, sizeof *face);
    assert_non_null(face);
    for (uint32_t i = 0; i < m->model->morph_count; i++)
        if (m->model->morphs[i].kind == MMD_MORPH_VERTEX)
            for (uint32_t k = 0; k < m->model->morphs[i].count; k++)
                face[m->model->morphs[i].offsets.vertex[k].vertex] = true;
    return face;
}

static void nothing_is_torn(void **state)
{
    moves *m = *state;
    double *rest = calloc(m->model->index_count, sizeof *rest);
    bool *face = edges_of_the_face(m);
    double worst = 0, worst_frame = 0;
    uint32_t worst_vertex = 0;
    assert_non_null(rest);
    pose(m, -1);
    for (uint32_t i = 0; i < m->model->index_count; i++)
        rest[i] = edge_length(m, i);
    for (int frame = 0; frame <= (int)m->dance->last_frame; frame += FRAME_STEP) {
        pose(m, frame);
        for (uint32_t i = 0; i < m->model->index_count; i++) {
            double stretch = edge_length(m, i) / fmax(rest[i], 0.04);
            if (stretch > worst && !face[m->model->indices[i]]) {
                worst = stretch;
                worst_frame = frame;
                worst_vertex = m->model->indices[i];
            }
        }
    }
    const float *place = m->model->vertices.position[worst_vertex];
    print_message("an edge of %s (%s) at (%.2f, %.2f, %.2f) is %.2f times as long in frame %g\n",
                  leader(m->model, worst_vertex), material_of(m, worst_vertex), (double)place[0],
                  (double)place[1], (double)place[2], worst, worst_frame);
    free(rest);
    free(face);
    assert_true(worst < 3);
}

/* Returns whether a vertex may be covered: eyes by the lids, and the neck by the collar. */
static bool may_hide(const moves *m, uint32_t vertex)
{
    static const material_id hiding[] = {MATERIAL_WHITE, MATERIAL_IRIS, MATERIAL_LASH, MATERIAL_MOUTH,
                                         MATERIAL_BLUSH};
    for (size_t i = 0; i < sizeof hiding / sizeof *hiding; i++)
        if (m->material[vertex] == hiding[i])
            return true;
    return m->material[vertex] == MATERIAL_SKIN && m->model->vertices.position[vertex][1] < 16.0f &&
           fabsf(m->model->vertices.position[vertex][0]) < 0.6f;
}

static void point_before(const moves *m, uint32_t vertex, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = m->posed[vertex].position[k] + clearance * m->posed[vertex].normal[k];
}

static int32_t shell_around(const moves *m, const shell_columns *columns, uint32_t vertex)
{
    int winding[SHELLS_MAX];
    double point[3];
    point_before(m, vertex, point);
    shell_windings(columns, point, winding);
    for (uint32_t s = 0; s < m->shells.count; s++)
        if (winding[s] > 0 && s != m->shells.of_vertex[vertex])
            return (int32_t)s;
    return -1;
}

/* Returns which vertices have nothing in front of them at rest, and so are visible. */
static bool *find_free(moves *m)
{
    bool *is_free = calloc(m->model->vertices.count, sizeof *is_free);
    assert_non_null(is_free);
    pose(m, -1);
    shell_columns *columns = shell_columns_create(m->model, &m->shells, m->posed);
    for (uint32_t i = 0; i < m->model->vertices.count; i++)
        is_free[i] = !may_hide(m, i) && shell_around(m, columns, i) < 0;
    shell_columns_destroy(columns);
    return is_free;
}

static const char *material_of_shell(const moves *m, uint32_t shell)
{
    for (uint32_t i = 0; i < m->model->vertices.count; i++)
        if (m->shells.of_vertex[i] == shell)
            return material_of(m, i);
    return "";
}

/* Returns the share of those vertices that are inside another surface in a frame. */
static double swallowed(moves *m, const bool *is_free, double frame)
{
    uint32_t seen = 0, inside = 0;
    pose(m, frame);
    shell_columns *columns = shell_columns_create(m->model, &m->shells, m->posed);
    for (uint32_t i = 0; i < m->model->vertices.count; i++) {
        int32_t around = is_free[i] ? shell_around(m, columns, i) : -1;
        seen += is_free[i];
        inside += around >= 0;
        if (around >= 0 && getenv("ODORI_VERBOSE"))
            print_message("%g %s (%s) in %s\n", frame, leader(m->model, i), material_of(m, i),
                          material_of_shell(m, (uint32_t)around));
    }
    shell_columns_destroy(columns);
    return (double)inside / (double)seen;
}

static void nothing_goes_through_anything_else(void **state)
{
    moves *m = *state;
    bool *is_free = find_free(m);
    double worst = 0, worst_frame = 0;
    for (int frame = 0; frame <= (int)m->dance->last_frame; frame += FRAME_STEP) {
        double share = swallowed(m, is_free, frame);
        if (share > worst) {
            worst = share;
            worst_frame = frame;
        }
    }
    free(is_free);
    print_message("at most %.3f %% of what is seen goes under something else (frame %g)\n", 100 * worst,
                  worst_frame);
    assert_true(worst < 0.01);
}

/* Both hands: triangles of each limb from the elbow on, and their intersections. */

typedef struct triangle {
    vec3 corner[3];
} triangle;

typedef struct box {
    vec3 low, high;
} box;

typedef struct limb {
    uint32_t *corners; /* three vertices per triangle */
    uint32_t count;    /* number of triangles */
    bool *bone;        /* for each bone of the model, whether the limb has it */
} limb;

static limb limb_create(const mmd_model *model, const char *root)
{
    limb l = {calloc(model->index_count, sizeof *l.corners), 0, calloc(model->bone_count, sizeof *l.bone)};
    int32_t first = mmd_model_find_bone(model, root);
    assert_true(l.corners && l.bone && first >= 0);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        int32_t b = (int32_t)i;
        while (b >= 0 && b != first)
            b = model->bones[b].parent;
        l.bone[i] = b == first;
    }
    for (uint32_t i = 0; i < model->index_count; i += 3)
        if (l.bone[leading_bone(model, model->indices[i])])
            memcpy(&l.corners[3 * l.count++], &model->indices[i], 3 * sizeof *l.corners);
    return l;
}

static void limb_finish(limb *l)
{
    free(l->corners);
    free(l->bone);
}

static box no_box(void)
{
    return (box){{{INFINITY, INFINITY, INFINITY}}, {{-INFINITY, -INFINITY, -INFINITY}}};
}

static void widen(box *b, vec3 point)
{
    b->low = vec3_min(b->low, point);
    b->high = vec3_max(b->high, point);
}

static bool boxes_meet(const box *a, const box *b)
{
    for (int k = 0; k < 3; k++)
        if (a->high.raw[k] < b->low.raw[k] || b->high.raw[k] < a->low.raw[k])
            return false;
    return true;
}

/* Returns a box around the limb's bones, with a margin for the flesh. */
static box limb_reach(mmd_actor *actor, const limb *l)
{
    const mmd_transform *world = mmd_pose_world(mmd_actor_pose(actor));
    vec3 flesh = {{0.7f, 0.7f, 0.7f}};
    box reach = no_box();
    for (uint32_t i = 0; i < mmd_actor_model(actor)->bone_count; i++)
        if (l->bone[i])
            widen(&reach,
                  (vec3){{world[i].translation[0], world[i].translation[1], world[i].translation[2]}});
    reach.low = vec3_sub(reach.low, flesh);
    reach.high = vec3_add(reach.high, flesh);
    return reach;
}

/* Returns the posed triangles of the limb that reach into a box; the caller frees them. */
static triangle *triangles_within(const moves *m, const limb *l, const box *within, uint32_t *count)
{
    triangle *found = calloc(l->count, sizeof *found);
    assert_non_null(found);
    *count = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        triangle t;
        box around = no_box();
        for (int k = 0; k < 3; k++) {
            const double *p = m->posed[l->corners[3 * i + (uint32_t)k]].position;
            t.corner[k] = (vec3){{(float)p[0], (float)p[1], (float)p[2]}};
            widen(&around, t.corner[k]);
        }
        if (boxes_meet(&around, within))
            found[(*count)++] = t;
    }
    return found;
}

/* Möller and Trumbore's intersection test, limited to the segment from a to b. */
static bool pierces(vec3 a, vec3 b, const triangle *t)
{
    vec3 way = vec3_sub(b, a), first = vec3_sub(t->corner[1], t->corner[0]);
    vec3 second = vec3_sub(t->corner[2], t->corner[0]), from = vec3_sub(a, t->corner[0]);
    vec3 across = vec3_cross(way, second), along = vec3_cross(from, first);
    float scale = vec3_dot(first, across);
    if (fabsf(scale) < 1e-9f)
        return false;
    float u = vec3_dot(from, across) / scale, v = vec3_dot(way, along) / scale;
    float at = vec3_dot(second, along) / scale;
    return u >= 0 && v >= 0 && u + v <= 1 && at >= 0 && at <= 1;
}

static bool triangles_cross(const triangle *a, const triangle *b)
{
    for (int k = 0; k < 3; k++)
        if (pierces(a->corner[k], a->corner[(k + 1) % 3], b) ||
            pierces(b->corner[k], b->corner[(k + 1) % 3], a))
            return true;
    return false;
}

static box box_of(const triangle *t)
{
    box b = no_box();
    for (int k = 0; k < 3; k++)
        widen(&b, t->corner[k]);
    return b;
}

/* Returns how many triangles of one limb pass through the other at a frame. */
static uint32_t crossings(moves *m, const limb *one, const limb *other, int frame)
{
    mmd_actor_set_frame(m->actor, frame);
    box reach = limb_reach(m->actor, one), other_reach = limb_reach(m->actor, other);
    if (!boxes_meet(&reach, &other_reach))
        return 0;
    pose(m, frame);
    uint32_t ones, others, crossed = 0;
    triangle *a = triangles_within(m, one, &other_reach, &ones);
    triangle *b = triangles_within(m, other, &reach, &others);
    box *there = calloc(others + 1, sizeof *there), all_there = no_box();
    assert_non_null(there);
    for (uint32_t j = 0; j < others; j++) {
        there[j] = box_of(&b[j]);
        widen(&all_there, there[j].low);
        widen(&all_there, there[j].high);
    }
    for (uint32_t i = 0; i < ones; i++) {
        box around = box_of(&a[i]);
        bool through = false;
        for (uint32_t j = 0; boxes_meet(&around, &all_there) && j < others && !through; j++)
            through = boxes_meet(&around, &there[j]) && triangles_cross(&a[i], &b[j]);
        crossed += through;
    }
    free(a);
    free(b);
    free(there);
    return crossed;
}

static void hands_do_not_go_through_each_other(void **state)
{
    moves *m = *state;
    limb left = limb_create(m->model, "左ひじ"), right = limb_create(m->model, "右ひじ");
    uint32_t worst = 0;
    int frames = 0, worst_frame = 0;
    for (int frame = 0; frame <= (int)m->dance->last_frame; frame += HAND_STEP) {
        uint32_t crossed = crossings(m, &left, &right, frame);
        frames += crossed > 0;
        if (crossed > worst) {
            worst = crossed;
            worst_frame = frame;
        }
        if (crossed && getenv("ODORI_VERBOSE"))
            print_message("frame %d: %u\n", frame, crossed);
    }
    limb_finish(&left);
    limb_finish(&right);
    print_message("hands go through each other in %d frames, at most %u triangles (frame %d)\n", frames,
                  worst, worst_frame);
    assert_int_equal(frames, 0);
}

/* Camera: which parts of her are in the picture. */

static mmd_motion *read_camera(void)
{
    mmd_buffer vmd = {0};
    mmd_motion *camera;
    mmd_error error;
    camera_make(&vmd);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &camera, &error), MMD_OK);
    mmd_buffer_finish(&vmd);
    return camera;
}

/* The camera's matrices in one frame. */
typedef struct projected {
    float view[16], projection[16];
} projected;

static projected picture_at(const mmd_motion *motion, double frame)
{
    mmd_camera camera;
    projected made;
    assert_true(mmd_motion_camera(motion, frame, &camera));
    mmd_camera_matrices(&camera, 16.0f / 9, made.view, made.projection, NULL);
    return made;
}

static vec4 multiply(const float matrix[16], vec4 v)
{
    vec4 out = {{0}};
    for (int i = 0; i < 16; i++)
        out.raw[i % 4] += matrix[i] * v.raw[i / 4];
    return out;
}

/* Returns a point in the picture, in which x / w and y / w from -1 to 1 are visible. */
static vec4 seen_at(const projected *picture, float x, float y, float z)
{
    return multiply(picture->projection, multiply(picture->view, (vec4){{x, y, z, 1}}));
}

/* Returns how far a vertex is from the centre of the picture, where 1 is the border. */
static float off_middle(const moves *m, const projected *picture, uint32_t vertex)
{
    const double *p = m->posed[vertex].position;
    vec4 seen = seen_at(picture, (float)p[0], (float)p[1], (float)p[2]);
    return fmaxf(fabsf(seen.x), fabsf(seen.y)) / seen.w;
}

static void all_of_her_is_in_a_full_shot(void **state)
{
    moves *m = *state;
    mmd_motion *camera = read_camera();
    float worst = 0;
    int frames = 0, worst_frame = 0;
    for (int frame = 0; frame <= (int)m->dance->last_frame; frame += 2) {
        if (!camera_shows_all(frame))
            continue;
        const projected picture = picture_at(camera, frame);
        pose(m, frame);
        frames++;
        for (uint32_t i = 0; i < m->model->vertices.count; i++)
            if (off_middle(m, &picture, i) > worst) {
                worst = off_middle(m, &picture, i);
                worst_frame = frame;
            }
    }
    mmd_motion_destroy(camera);
    print_message("full shots (%d frames looked at) fill %.3f of the picture at most (frame %d)\n", frames,
                  (double)worst, worst_frame);
    assert_in_range(frames, 200, 600);
    assert_true(worst < 0.95f);
}

/* Returns whether all of a hand is in the picture, by boxes around its bones. */
static bool hand_is_inside(const moves *m, const limb *hand, const projected *picture)
{
    const mmd_transform *world = mmd_pose_world(mmd_actor_pose(m->actor));
    const float flesh = 0.7f;
    for (uint32_t i = 0; i < m->model->bone_count; i++) {
        for (int corner = 0; hand->bone[i] && corner < 8; corner++) {
            vec4 seen = seen_at(picture, world[i].translation[0] + (corner & 1 ? flesh : -flesh),
                                world[i].translation[1] + (corner & 2 ? flesh : -flesh),
                                world[i].translation[2] + (corner & 4 ? flesh : -flesh));
            if (seen.w <= 0 || fmaxf(fabsf(seen.x), fabsf(seen.y)) > seen.w)
                return false;
        }
    }
    return true;
}

static bool border_cuts(const moves *m, const limb *hand, const projected *picture)
{
    bool in = false, out = false;
    for (uint32_t i = 0; i < 3 * hand->count; i++) {
        bool outside = off_middle(m, picture, hand->corners[i]) > 1;
        out = out || outside;
        in = in || !outside;
    }
    return in && out;
}

/* The border of the picture may cut through a hand for 6 frames at most. */
static void no_hand_stays_on_the_border(void **state)
{
    moves *m = *state;
    mmd_motion *camera = read_camera();
    limb hands[2] = {limb_create(m->model, "左手首"), limb_create(m->model, "右手首")};
    int cut[2] = {0}, frames = 0, longest = 0, last = 0;
    for (int frame = 0; frame <= (int)m->dance->last_frame; frame += 2) {
        const projected picture = picture_at(camera, frame);
        mmd_actor_set_frame(m->actor, frame);
        bool inside[2] = {hand_is_inside(m, &hands[0], &picture), hand_is_inside(m, &hands[1], &picture)};
        if (!inside[0] || !inside[1])
            pose(m, frame);
        for (int side = 0; side < 2; side++) {
            cut[side] = !inside[side] && border_cuts(m, &hands[side], &picture) ? cut[side] + 2 : 0;
            frames += cut[side] ? 2 : 0;
            if (cut[side] && getenv("ODORI_VERBOSE"))
                print_message("frame %d: the border cuts the %s hand\n", frame, side ? "right" : "left");
            if (cut[side] > longest) {
                longest = cut[side];
                last = frame;
            }
        }
    }
    limb_finish(&hands[0]);
    limb_finish(&hands[1]);
    mmd_motion_destroy(camera);
    print_message("the border cuts hands for %d frames, at most %d in a row (to frame %d)\n", frames, longest,
                  last);
    assert_true(longest <= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_track_moves_something),
        cmocka_unit_test(nothing_is_torn),
        cmocka_unit_test(nothing_goes_through_anything_else),
        cmocka_unit_test(hands_do_not_go_through_each_other),
        cmocka_unit_test(all_of_her_is_in_a_full_shot),
        cmocka_unit_test(no_hand_stays_on_the_border),
    };
    return cmocka_run_group_tests(tests, make, destroy);
}
