/* A stage with physics for tests: made, taken to frames, and every number of it compared. */
#ifndef ODORI_TEST_SIM_SCENE_H
#define ODORI_TEST_SIM_SCENE_H

#include "mmd/simulation.h"

enum { SIM_SCENE_ACTORS = 4 };

typedef struct sim_scene {
    mmd_stage *stage;
    size_t actor_count;
    mmd_actor *actors[SIM_SCENE_ACTORS];
} sim_scene;

/* The defaults, without a thread of its own, and with snapshots. */
mmd_physics_options sim_scene_options(void);

/* A stage of count actors of one model, with the motion of each, and physics; NULL options: none. */
void sim_scene_make(sim_scene *scene, size_t count, const mmd_model *model, const mmd_motion *const *motions,
                    const mmd_physics_options *options);
void sim_scene_finish(sim_scene *scene);

/* All bodies, bones and nodes of soft bodies of all actors at the stage's frame, one after the other, for
 * mmd_free. */
typedef struct sim_record {
    mmd_transform *transforms;
    size_t count;
} sim_record;

sim_record sim_scene_record(sim_scene *scene);
void sim_record_finish(sim_record *record);

/* Fails the test if they are not the same, bit for bit; what says of what. */
void sim_record_expect_same(const sim_record *a, const sim_record *b, const char *what, double frame);
bool sim_record_same(const sim_record *a, const sim_record *b);

/* Goes to a frame and compares. */
void sim_scene_expect(sim_scene *scene, double frame, const sim_record *record, const char *what);

/* Records of frames 0, 1, ... behind - 1, played. */
sim_record *sim_scene_play(sim_scene *scene, uint32_t behind);
void sim_records_finish(sim_record *records, uint32_t count);

#endif
