/* Runs a stage with physics for tests. */
#include "sim_scene.h"
#include "support.h"

mmd_physics_options sim_scene_options(void)
{
    mmd_physics_options options = mmd_default_physics_options();
    options.run_ahead = false;
    return options;
}

void sim_scene_make(sim_scene *scene, size_t count, const mmd_model *model, const mmd_motion *const *motions,
                    const mmd_physics_options *options)
{
    mmd_error error = {0};
    assert_true(count <= SIM_SCENE_ACTORS);
    *scene = (sim_scene){.stage = mmd_stage_create(), .actor_count = count};
    assert_non_null(scene->stage);
    for (size_t i = 0; i < count; i++) {
        scene->actors[i] = mmd_actor_create(model);
        assert_non_null(scene->actors[i]);
        assert_int_equal(mmd_actor_add_motion(scene->actors[i], motions[i], NULL), MMD_OK);
        assert_int_equal(mmd_stage_add_actor(scene->stage, scene->actors[i], NULL), MMD_OK);
    }
    if (options && mmd_stage_set_physics(scene->stage, options, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
}

void sim_scene_finish(sim_scene *scene)
{
    mmd_stage_destroy(scene->stage);
    for (size_t i = 0; i < scene->actor_count; i++)
        mmd_actor_destroy(scene->actors[i]);
}

/* Copies the positions and normals of an actor's soft body nodes into transforms, one for each node. Returns
 * their number. out may be NULL to count only. */
static size_t soft_transforms(const sim_scene *scene, size_t actor, mmd_transform *out)
{
    const mmd_physscene *physics = mmd_stage_physscene(scene->stage, actor);
    size_t count = 0;
    for (uint32_t k = 0; physics && k < physics->soft_body_count; k++) {
        const float(*positions)[4] = mmd_stage_soft_positions(scene->stage, actor, k);
        const float(*normals)[4] = mmd_stage_soft_normals(scene->stage, actor, k);
        for (uint32_t n = 0; n < physics->soft_bodies[k].node_count; n++, count++) {
            if (!out)
                continue;
            memcpy(out[count].translation, positions[n], sizeof positions[n]);
            memcpy(out[count].rotation, normals[n], sizeof normals[n]);
        }
    }
    return count;
}

sim_record sim_scene_record(sim_scene *scene)
{
    sim_record record = {0};
    size_t at = 0;
    for (size_t i = 0; i < scene->actor_count; i++) {
        const mmd_model *model = mmd_actor_model(scene->actors[i]);
        record.count += model->body_count + model->bone_count + soft_transforms(scene, i, NULL);
    }
    record.transforms = mmd_alloc(record.count * sizeof *record.transforms);
    assert_non_null(record.transforms);
    for (size_t i = 0; i < scene->actor_count; i++) {
        const mmd_model *model = mmd_actor_model(scene->actors[i]);
        memcpy(record.transforms + at, mmd_stage_bodies(scene->stage, i),
               model->body_count * sizeof *record.transforms);
        at += model->body_count;
        memcpy(record.transforms + at, mmd_pose_world(mmd_actor_pose(scene->actors[i])),
               model->bone_count * sizeof *record.transforms);
        at += model->bone_count;
        at += soft_transforms(scene, i, record.transforms + at);
    }
    return record;
}

void sim_record_finish(sim_record *record)
{
    mmd_free(record->transforms);
    *record = (sim_record){0};
}

bool sim_record_same(const sim_record *a, const sim_record *b)
{
    return a->count == b->count &&
           memcmp(a->transforms, b->transforms, a->count * sizeof *a->transforms) == 0;
}

void sim_record_expect_same(const sim_record *a, const sim_record *b, const char *what, double frame)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        if (memcmp(&a->transforms[i], &b->transforms[i], sizeof *a->transforms) != 0)
            fail_msg("%s, frame %g: transform %zu of %zu is at %g %g %g instead of %g %g %g", what, frame, i,
                     a->count, (double)a->transforms[i].translation[0],
                     (double)a->transforms[i].translation[1], (double)a->transforms[i].translation[2],
                     (double)b->transforms[i].translation[0], (double)b->transforms[i].translation[1],
                     (double)b->transforms[i].translation[2]);
}

void sim_scene_expect(sim_scene *scene, double frame, const sim_record *record, const char *what)
{
    mmd_stage_set_frame(scene->stage, frame);
    sim_record now = sim_scene_record(scene);
    sim_record_expect_same(&now, record, what, frame);
    sim_record_finish(&now);
}

sim_record *sim_scene_play(sim_scene *scene, uint32_t behind)
{
    sim_record *records = mmd_alloc(behind * sizeof *records);
    assert_non_null(records);
    for (uint32_t frame = 0; frame < behind; frame++) {
        mmd_stage_set_frame(scene->stage, frame);
        records[frame] = sim_scene_record(scene);
    }
    return records;
}

void sim_records_finish(sim_record *records, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sim_record_finish(&records[i]);
    mmd_free(records);
}
