/*
 * Hashes of every stage that leads to a picture, from the model's contents to
 * the pixels: where two pictures differ, the first stage that differs says
 * where the change came in. Numbers are hashed bit for bit.
 */
#ifndef ODORI_PIPELINE_HASHES_H
#define ODORI_PIPELINE_HASHES_H

#include <jansson.h>

#include "stage.h"

/*
 * The stages of the stage as it stands and the picture drawn of it, as JSON:
 *   settings  size, view and pose settings, commands
 *   model     all that was read of each model
 *   textures  names and contents of the model's texture files
 *   motion    local transforms, morph weights, switches as motions say them
 *   camera    camera, light, self shadow
 *   bones     world transforms of all bones
 *   physics   rigid bodies, nodes of soft ones; not there where physics is off
 *   morphs    effective weights, material values
 *   vertices  positions and normals as the GPU skinned them
 *   image     the pixels
 * Those of models have one entry each in "models", with short hashes bone by
 * bone. The caller owns the result. NULL: error says why.
 */
json_t *pipeline_hashes_of(mmd_view *view, const recipe_stage *stage, const mmd_image *image,
                           mmd_error *error);

/* Whether all that pipeline_hashes_of writes is there and can be hashes: a file may have been cut, or edited.
 */
bool pipeline_hashes_whole(const json_t *hashes);

/*
 * The first stage that two such objects differ in; physics where the first
 * bone that differs is one that a body moves; "" where none does. detail
 * gets the model and the first bone in the order of evaluation, where they can
 * be told. model names come from the stage.
 */
const char *pipeline_hashes_first(const json_t *before, const json_t *now, const recipe_stage *stage,
                                  char *detail, size_t capacity);

#endif
