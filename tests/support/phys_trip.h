/* Writes a physics scene to a glTF of any dialect and reads it back, for tests of the conversion. Only the
 * dialect's own data is written, without the extra data that normally restores the original. */
#ifndef ODORI_PHYS_TRIP_H
#define ODORI_PHYS_TRIP_H

#include "engine/exchange/gltf/writer.h"

extern const char *const trip_dialects[5]; /* names by mmd_dialect */

/* The caller sets name and dialect and zeroes the rest. */
typedef struct trip {
    const char *name;
    mmd_dialect dialect;
    const mmd_physscene *from;
    mmd_exchange *document;   /* the document read back */
    int32_t *bodies, *joints; /* node index of each body and joint of from */
    mmd_exchange_output output;
    size_t body_differences, joint_differences, unexplained;
} trip;

/*
 * Writes job->scene to a new file, or into the glTF of job->input, and reads it back. source opens the file's
 * images. Losses are reported as in the second of the writer's two passes. Fails the test if anything fails.
 * With ODORI_KEEP=FOLDER the file is kept there.
 */
void trip_go(trip *t, write_job *job, mmd_source *source);
void trip_end(trip *t);

const mmd_physscene *trip_back(const trip *t);
/* Returns the index of the body that a body became, or -1 if there is none. */
int32_t trip_body(const trip *t, int32_t body);

/* Counts the differences of bodies, joints, fields and collision pairs, and prints those that no loss of the
 * same item explains. */
void trip_compare(trip *t);
/* Prints the codes of all losses and how often each occurred. */
void trip_tell_losses(const trip *t);

/* Return the distance and the angle between two transforms. */
double trip_apart(const mmd_transform *a, const mmd_transform *b);
double trip_turned(const mmd_transform *a, const mmd_transform *b);
/* Returns whether any shapes of two bodies collide. */
bool trip_touch(const mmd_physscene *scene, const mmd_phys_body *a, const mmd_phys_body *b);

#endif
