/* Changes of models and motions as people make them, each with what a comparison is to say of it. */
#ifndef ODORI_MUTATIONS_H
#define ODORI_MUTATIONS_H

#include "mmd/model.h"
#include "mmd/motion.h"

/* The model or the motion that is changed, and what is to be said: where single vertices, offsets and keys of
 * the old file are known, and where they are not. */
typedef struct mutated {
    mmd_model *model;
    mmd_motion *motion;
    char said[2][512];
} mutated;

typedef struct mutation {
    const char *what;
    bool is_of_motion;
    bool (*make)(mutated *m); /* false: the file has nothing of the kind */
} mutation;

extern const mutation mutations[];
extern const size_t mutation_count;

#endif
