/*
 * pose_compare MODEL POSE.vpd LIVE DUMP: compares the world matrices of all bones of a pose from three
 * sources: LIVE has those of the window (lines of `edit.tell`), DUMP those of `odori dump --pose` in another
 * process, and the program computes them with the calls that tests/mmd compares with MMD. Prints the
 * differences, and exits 0 if none exceeds 1e-5.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/actor.h"
#include "mmd/format.h"
#include "mmd/source.h"

#define LIMIT 1e-5

enum { FLOATS = 16 };

/* World matrices, one per bone. */
typedef struct matrices {
    double (*world)[FLOATS];
    size_t count;
} matrices;

static int complain(const char *what)
{
    fprintf(stderr, "pose_compare: %s\n", what);
    return 2;
}

static bool read_matrix(const json_t *numbers, double world[FLOATS])
{
    for (size_t k = 0; k < FLOATS; k++)
        world[k] = json_number_value(json_array_get(numbers, k));
    return json_array_size(numbers) == FLOATS;
}

/* Reads the last count values that have a "world". */
static bool read_live(const char *path, size_t count, matrices *t)
{
    json_t *value;
    FILE *file = fopen(path, "r");
    t->world = calloc(count, sizeof *t->world);
    while (file && t->world && (value = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        const json_t *world = json_object_get(value, "world");
        t->count += world && read_matrix(world, t->world[t->count % count]);
        json_decref(value);
    }
    if (file)
        fclose(file);
    return t->count > 0 && t->count % count == 0;
}

static bool read_dump(const char *path, size_t count, matrices *t)
{
    json_t *root = json_load_file(path, 0, NULL);
    const json_t *frame = json_array_get(json_object_get(root, "frames"), 0),
                 *bones = json_object_get(frame, "bones");
    bool ok = json_array_size(bones) == count;
    t->count = count;
    t->world = calloc(count, sizeof *t->world);
    for (size_t i = 0; ok && t->world && i < count; i++)
        ok = read_matrix(json_object_get(json_array_get(bones, i), "world"), t->world[i]);
    json_decref(root);
    return ok && t->world;
}

/* Evaluates the pose as run_oracle does. */
static bool evaluate(const mmd_model *model, const mmd_motion *motion, matrices *t)
{
    mmd_actor *actor = mmd_actor_create(model);
    bool ok = actor && mmd_actor_add_motion(actor, motion, NULL) == MMD_OK;
    t->count = model->bone_count;
    t->world = calloc(t->count, sizeof *t->world);
    if (ok)
        mmd_actor_set_frame(actor, 0);
    for (size_t i = 0; ok && t->world && i < t->count; i++) {
        float world[FLOATS];
        mmd_transform_matrix(&mmd_pose_world(mmd_actor_pose(actor))[i], world);
        for (size_t k = 0; k < FLOATS; k++)
            t->world[i][k] = (double)world[k];
    }
    mmd_actor_destroy(actor);
    return ok && t->world;
}

static double compare(const matrices *a, const matrices *b, const mmd_model *model, const char *what)
{
    double most = 0;
    size_t where = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < FLOATS; k++) {
            double far = fabs(a->world[i][k] - b->world[i][k]);
            if (!(far <= most)) {
                most = far;
                where = i;
            }
        }
    printf("%s: %zu bones, largest difference %.3g (%s)\n", what, a->count, most, model->bones[where].name);
    return most;
}

/* Counts bones that are not at rest, to show that anything was posed. */
static size_t count_posed(const matrices *t, const mmd_model *model)
{
    size_t posed = 0;
    for (size_t i = 0; i < t->count; i++) {
        double turn = fabs(t->world[i][0] - 1) + fabs(t->world[i][5] - 1) + fabs(t->world[i][10] - 1),
               move = 0;
        for (size_t k = 0; k < 3; k++)
            move += fabs(t->world[i][12 + k] - (double)model->bones[i].position[k]);
        posed += turn > 1e-3 || move > 1e-3;
    }
    return posed;
}

static int run(char *const *paths, const mmd_model *model, const mmd_motion *motion)
{
    matrices live = {0}, dump = {0}, here = {0};
    int result = 2;
    if (!read_live(paths[0], model->bone_count, &live) || !read_dump(paths[1], model->bone_count, &dump) ||
        !evaluate(model, motion, &here)) {
        complain("the poses are not told of as many bones as the model has");
    } else {
        bool equal = compare(&dump, &live, model, "made by hand, and read again") <= LIMIT;
        equal &= compare(&dump, &here, model, "read again, and as the oracles' test has it") <= LIMIT;
        printf("%zu bones are not at rest\n", count_posed(&dump, model));
        result = equal ? 0 : 1;
    }
    free(live.world);
    free(dump.world);
    free(here.world);
    return result;
}

static mmd_motion *read_pose(const char *path)
{
    mmd_bytes bytes = {0};
    mmd_vpd *pose = NULL;
    mmd_motion *motion = NULL;
    if (mmd_file_read(path, &bytes, NULL) == MMD_OK &&
        mmd_vpd_read(bytes.data, bytes.size, &pose, NULL) == MMD_OK)
        motion = mmd_vpd_to_motion(pose);
    mmd_vpd_destroy(pose);
    mmd_bytes_finish(&bytes);
    return motion;
}

int main(int argc, char **argv)
{
    mmd_bytes bytes = {0};
    mmd_model *model = NULL;
    if (argc != 5)
        return complain("pose_compare MODEL POSE.vpd LIVE DUMP");
    mmd_motion *motion = read_pose(argv[2]);
    bool read = motion && mmd_file_read(argv[1], &bytes, NULL) == MMD_OK &&
                mmd_model_read(bytes.data, bytes.size, &model, NULL) == MMD_OK;
    int result = read ? run(argv + 3, model, motion) : complain("no model, or no pose");
    mmd_motion_destroy(motion);
    mmd_model_destroy(model);
    mmd_bytes_finish(&bytes);
    return result;
}
