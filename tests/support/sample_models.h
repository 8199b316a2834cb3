/* Small models made in memory that cover every feature of the formats. Tests write and read them, and the
 * fuzzing corpora are made from them. */
#ifndef ODORI_SAMPLE_MODELS_H
#define ODORI_SAMPLE_MODELS_H

#include "mmd/format.h"

/*
 * Makes a model with every section, deform type, morph kind, flag and joint kind of PMX 2.1, four additional
 * UVs, and texts with surrogates and NULs. index_size (1, 2 or 4) applies to all indices. Free with
 * sample_finish.
 */
void sample_everything(mmd_model *model, uint8_t encoding, uint8_t index_size);

/* Makes a model of version 2.0 with one triangle, one bone and one morph. Version 2.1 adds a QDEF vertex, a
 * flip morph and a soft body. */
void sample_tiny(mmd_model *model, float version);

/* Makes a chain of bones with many vertices, whose numbers require indices of two bytes. */
void sample_chain(mmd_model *model, uint32_t bone_count, uint32_t vertex_count);

void sample_finish(mmd_model *model);

/*
 * Appends a PMD file with every kind of bone, two IK entries on one bone (index 6), base and other morphs,
 * and all forms of texture names. tail_blocks is the number of optional blocks that follow, in the order
 * English names, toons, bodies, joints (0 to 4).
 */
void sample_pmd(mmd_buffer *out, int tail_blocks);

#endif
