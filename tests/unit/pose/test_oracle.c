/*
 * Compares poses with two independent evaluators, for every file of ../shared/oracle with bones. Bones that
 * IK does not affect must agree with reference A to 1e-3 units and 1e-4 in rotation. Of all bones of a file,
 * 99.9 % must be within 0.05 units and 1 degree of A or B, because near a straight knee A and B differ from
 * each other by more. Morph weights must agree to 1e-5.
 */
#include "support.h"

#include <dirent.h>
#include <jansson.h>

#include "mmd/actor.h"
#include "mmd/format.h"

static const double free_position = 1e-3, free_rotation = 1e-4, weight_limit = 1e-5;
static const double near_position = 0.05, near_degrees = 1.0, least_share = 0.999, least_share_of_b = 0.995;

typedef struct worst {
    double free_position, free_rotation, fed_position, weight;
    char free_where[128], fed_where[128];
    size_t bones, fed;
    size_t compared, near; /* of all bones: those close to A or B */
} worst;

/* Marks the bones that IK affects: links, their descendants, and bones that append from them. */
static uint8_t *mark_fed(const mmd_model *model)
{
    uint8_t *fed = calloc(model->bone_count + 1, 1);
    assert_non_null(fed);
    for (uint32_t b = 0; b < model->bone_count; b++)
        for (uint32_t j = 0; j < model->bones[b].ik_link_count; j++)
            if (model->bones[b].ik_links[j].bone >= 0)
                fed[model->bones[b].ik_links[j].bone] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < model->bone_count; b++) {
            const mmd_bone *bone = &model->bones[b];
            bool appends = bone->flags & (MMD_BONE_APPEND_ROTATION | MMD_BONE_APPEND_TRANSLATION);
            bool hit = (bone->parent >= 0 && fed[bone->parent]) ||
                       (appends && bone->append_source >= 0 && fed[bone->append_source]);
            changed |= hit && !fed[b];
            fed[b] |= hit;
        }
    }
    return fed;
}

static void differences(const float ours[16], const json_t *numbers, size_t bone, double *position,
                        double *rotation)
{
    *position = *rotation = 0.0;
    for (size_t k = 0; k < 16; k++) {
        double d = fabs((double)ours[k] - json_number_value(json_array_get(numbers, 16 * bone + k)));
        double *worst_of = k >= 12 ? position : rotation;
        *worst_of = fmax(*worst_of, d);
    }
}

/* Returns whether a bone is close to a reference in distance and angle. */
static bool is_near(const float ours[16], const json_t *numbers, size_t bone)
{
    double distance = 0.0, trace = 0.0;
    for (size_t k = 0; k < 16; k++) {
        double theirs = json_number_value(json_array_get(numbers, 16 * bone + k));
        if (k >= 12)
            distance += ((double)ours[k] - theirs) * ((double)ours[k] - theirs);
        else
            trace += (double)ours[k] * theirs; /* trace of our matrix times the inverse of theirs */
    }
    double angle = acos(fmax(-1.0, fmin(1.0, 0.5 * (trace - 1.0)))) * 180.0 / 3.14159265358979;
    return sqrt(distance) <= near_position && angle <= near_degrees;
}

/*
 * Returns whether only reference B computes this bone differently: children of IK bones, which it leaves at
 * their offset from the origin, and appended eyes with their descendants, 0.03 off in one frame. Its arms are
 * up to 2.5e-4 off between keyframes.
 */
static bool is_peculiar_to_b(const mmd_model *model, uint32_t bone)
{
    for (int32_t b = (int32_t)bone; b >= 0; b = model->bones[b].parent) {
        int32_t parent = model->bones[b].parent;
        if (parent >= 0 && (model->bones[parent].flags & MMD_BONE_IK) &&
            !(model->bones[b].flags & MMD_BONE_IK))
            return true;
        if ((model->bones[b].flags & MMD_BONE_APPEND_ROTATION) && model->bones[b].layer > 0)
            return true;
    }
    return false;
}

/* Compares the pose at one frame of the oracle's file with references A and B. */
static void compare_frame(mmd_actor *actor, const json_t *frame, const uint8_t *fed, bool only_b,
                          worst *result)
{
    const mmd_model *model = mmd_actor_model(actor);
    double number = json_number_value(json_object_get(frame, "frame"));
    mmd_actor_set_frame(actor, number);
    const json_t *a = json_object_get(frame, "world"), *b = json_object_get(frame, "world_b");
    size_t count = json_array_size(a) / 16;
    assert_true(count <= model->bone_count);
    for (size_t i = 0; i < count; i++) {
        float ours[16];
        double position, rotation, position_b, rotation_b;
        mmd_transform_matrix(&mmd_pose_world(mmd_actor_pose(actor))[i], ours);
        differences(ours, a, i, &position, &rotation);
        bool has_b = b && json_array_size(b) == json_array_size(a);
        bool peculiar = only_b && is_peculiar_to_b(model, (uint32_t)i);
        result->compared += !peculiar;
        result->near += !peculiar && (is_near(ours, a, i) || (has_b && is_near(ours, b, i)));
        if (fed[i]) {
            if (has_b) {
                differences(ours, b, i, &position_b, &rotation_b);
                position = fmin(position, position_b);
            }
            result->fed++;
            if (position > result->fed_position)
                snprintf(result->fed_where, sizeof result->fed_where, "%s frame %g", model->bones[i].name,
                         number);
            result->fed_position = fmax(result->fed_position, position);
            continue;
        }
        if (peculiar)
            continue;
        result->bones++;
        if (position > result->free_position || rotation > result->free_rotation)
            snprintf(result->free_where, sizeof result->free_where, "%s frame %g", model->bones[i].name,
                     number);
        result->free_position = fmax(result->free_position, position);
        result->free_rotation = fmax(result->free_rotation, rotation);
    }
    const json_t *weights = json_object_get(frame, "morphs");
    size_t morphs = json_array_size(weights);
    for (size_t m = 0; m < morphs && m < model->morph_count; m++) {
        double d =
            fabs(json_number_value(json_array_get(weights, m)) - (double)mmd_actor_values(actor)->weights[m]);
        result->weight = fmax(result->weight, d);
    }
}

/* Returns whether a file contains only reference B. */
static bool is_reference_b(const json_t *root)
{
    const json_t *references = json_object_get(root, "references");
    return json_array_size(references) == 1 &&
           strcmp(json_string_value(json_array_get(references, 0)), "B") == 0;
}

/*
 * B solves IK by reflected limits, the engine's other variant, and reads the half degree of a PMD's knee
 * limit as half a radian (its knees stop at 28.648 degrees). With the same settings the engine must agree
 * with it.
 */
static void play_reference_b(mmd_model *model, mmd_pose_options *options)
{
    options->ik = MMD_IK_REFLECT;
    for (uint32_t b = 0; b < model->bone_count; b++)
        for (uint32_t j = 0; j < model->bones[b].ik_link_count; j++) {
            mmd_ik_link *link = (mmd_ik_link *)&model->bones[b].ik_links[j]; /* the test owns the model */
            if (link->has_limit && model->origin == MMD_ORIGIN_PMD)
                link->upper[0] = -0.5f;
        }
}

static void run_oracle(const char *name)
{
    char path[4096];
    json_error_t problem;
    snprintf(path, sizeof path, "%s/oracle/%s", ODORI_SHARED, name);
    json_t *root = json_load_file(path, 0, &problem);
    assert_non_null(root);
    char model_name[1024], motion_name[1024];
    if (!json_object_get(root, "model")) {
        json_decref(root);
        return;
    }
    snprintf(model_name, sizeof model_name, "data/%s", json_string_value(json_object_get(root, "model")));
    snprintf(motion_name, sizeof motion_name, "data/%s", json_string_value(json_object_get(root, "motion")));
    mmd_bytes model_bytes = shared_read(model_name), motion_bytes = shared_read(motion_name);
    mmd_model *model = NULL;
    mmd_motion *motion = NULL;
    assert_int_equal(mmd_model_read(model_bytes.data, model_bytes.size, &model, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(motion_bytes.data, motion_bytes.size, &motion, NULL), MMD_OK);
    bool only_b = is_reference_b(root);
    mmd_pose_options options = mmd_default_pose_options();
    if (only_b)
        play_reference_b(model, &options);
    mmd_actor *actor = mmd_actor_create(model, &options);
    assert_non_null(actor);
    assert_int_equal(mmd_actor_add_motion(actor, motion, NULL), MMD_OK);
    uint8_t *fed = mark_fed(model);
    worst result = {0};
    size_t index;
    json_t *frame;
    json_array_foreach(json_object_get(root, "frames"), index, frame)
        compare_frame(actor, frame, fed, only_b, &result);
    print_message(
        "%s: %.3f %% of %zu bones near; free %zu: %.2g units, %.2g rotation (%s); IK-fed %zu: %.2g units "
        "(%s); weights %.2g\n",
        name, 100.0 * (double)result.near / (double)result.compared, result.compared, result.bones,
        result.free_position, result.free_rotation, result.free_where, result.fed, result.fed_position,
        result.fed_where, result.weight);
    free(fed);
    mmd_actor_destroy(actor);
    mmd_motion_destroy(motion);
    mmd_model_destroy(model);
    mmd_bytes_finish(&model_bytes);
    mmd_bytes_finish(&motion_bytes);
    json_decref(root);
    assert_true(result.free_position <= (only_b ? 1.5e-3 : free_position));
    assert_true(result.free_rotation <= (only_b ? 3e-4 : free_rotation));
    assert_true((double)result.near >= (only_b ? least_share_of_b : least_share) * (double)result.compared);
    assert_true(result.weight <= weight_limit);
}

static void poses_agree_with_the_oracles(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    DIR *dir = opendir(ODORI_SHARED "/oracle");
    assert_non_null(dir);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0) {
            run_oracle(entry->d_name);
            count++;
        }
    }
    closedir(dir);
    assert_true(count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(poses_agree_with_the_oracles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
