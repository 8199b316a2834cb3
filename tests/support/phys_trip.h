/*
 * A physics scene's way into a glTF of any dialect and back, without anything
 * that is kept beside the dialect's own words, for tests of that way.
 */
#ifndef ODORI_PHYS_TRIP_H
#define ODORI_PHYS_TRIP_H

#include "engine/exchange/gltf/writer.h"

extern const char *const trip_dialects[5]; /* names, by mmd_dialect */

/* name, dialect: set by who makes one, the rest zero. */
typedef struct trip {
    const char *name;
    mmd_dialect dialect;
    const mmd_physscene *from;
    mmd_exchange *document;   /* read again */
    int32_t *bodies, *joints; /* of from: nodes */
    mmd_exchange_output output;
    size_t body_differences, joint_differences, unexplained;
} trip;

/*
 * Writes job->scene onto a new file, or onto the glTF of job->input, and reads
 * that again; source: where the file's pictures are. Losses are told as in the
 * second of a writer's two passes. Fails the test if it does not go. With
 * ODORI_KEEP=FOLDER the file stays there.
 */
void trip_go(trip *t, write_job *job, mmd_source *source);
void trip_end(trip *t);

const mmd_physscene *trip_back(const trip *t);
/* What a body became; -1: nothing. */
int32_t trip_body(const trip *t, int32_t body);

/* Counts what differs of bodies, joints, fields and of who touches whom, and prints what no loss of the same
 * item explains. */
void trip_compare(trip *t);
/* The codes of all losses and their numbers. */
void trip_tell_losses(const trip *t);

/* How far apart two places are, and by what angle turned. */
double trip_apart(const mmd_transform *a, const mmd_transform *b);
double trip_turned(const mmd_transform *a, const mmd_transform *b);
/* Whether any shapes of two bodies collide. */
bool trip_touch(const mmd_physscene *scene, const mmd_phys_body *a, const mmd_phys_body *b);

#endif
