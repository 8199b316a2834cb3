/* A stage with physics for tests: created, moved to frames, and compared number by number. */
#ifndef ODORI_TEST_SIM_SCENE_H
#define ODORI_TEST_SIM_SCENE_H

#include "mmd/simulation.h"

enum { SIM_SCENE_ACTORS = 4 };

typedef struct sim_scene {
    mmd_stage *stage;
    size_t actor_count;
    mmd_actor *actors[SIM_SCENE_ACTORS];
} sim_scene;

/* Returns the default options, but with no thread and with snapshots. */
mmd_physics_options sim_scene_options(void);

/* Creates a stage with count actors of one model, each with its own motion. NULL options: no physics. */
void sim_scene_make(sim_scene *scene, size_t count, const mmd_model *model, const mmd_motion *const *motions,
                    const mmd_physics_options *options);
void sim_scene_finish(sim_scene *scene);

/* The transforms of all bodies, bones and soft body nodes of all actors at the stage's current frame. Free
 * with mmd_free. */
typedef struct sim_record {
    mmd_transform *transforms;
    size_t count;
} sim_record;

sim_record sim_scene_record(sim_scene *scene);
void sim_record_finish(sim_record *record);

/* Fails the test unless both records are identical, bit for bit. what names the case in the message. */
void sim_record_expect_same(const sim_record *a, const sim_record *b, const char *what, double frame);
bool sim_record_same(const sim_record *a, const sim_record *b);

/* Seeks to a frame and compares it with a record. */
void sim_scene_expect(sim_scene *scene, double frame, const sim_record *record, const char *what);

/* Plays frames 0, 1, ... behind - 1 and returns their records. */
sim_record *sim_scene_play(sim_scene *scene, uint32_t behind);
void sim_records_finish(sim_record *records, uint32_t count);

#endif
