/*
 * Small models made in memory with every feature of the formats. Tests write
 * and read them, and the fuzzers' corpora are made from them.
 */
#ifndef ODORI_SAMPLE_MODELS_H
#define ODORI_SAMPLE_MODELS_H

#include "mmd/format.h"

/*
 * Every section, deform type, morph kind, flag and joint kind of PMX 2.1, four additional UVs, texts with
 * surrogates and NULs; index_size 1, 2 or 4 for all indices. Free with sample_finish.
 */
void sample_everything(mmd_model *model, uint8_t encoding, uint8_t index_size);

/* One triangle, one bone, one morph of version 2.0; with 2.1 a QDEF vertex, a flip morph and a soft body too.
 */
void sample_tiny(mmd_model *model, float version);

/* A chain of bones with many vertices: indices of two bytes come by themselves. */
void sample_chain(mmd_model *model, uint32_t bone_count, uint32_t vertex_count);

void sample_finish(mmd_model *model);

/*
 * Appends a PMD file with every kind of bone, two IK entries on one bone (number 6), base and other morphs,
 * all forms of texture names. tail_blocks: how many of English names, toons, bodies, joints follow (0 to 4).
 */
void sample_pmd(mmd_buffer *out, int tail_blocks);

#endif
