/*
 * Hashes of every step of the pipeline that leads to a picture, from the model's contents to the pixels. When
 * two pictures differ, the first step that differs shows where the change came in. Numbers are hashed bit for
 * bit.
 */
#ifndef ODORI_PIPELINE_HASHES_H
#define ODORI_PIPELINE_HASHES_H

#include <jansson.h>

#include "stage.h"

/*
 * Computes the hashes of the stage at its current frame and of the picture drawn of it, as a JSON object:
 *   settings  size, view and pose settings, commands
 *   model     everything that was read of each model
 *   textures  names and contents of the model's texture files
 *   motion    local transforms, morph weights and switches from motions
 *   camera    camera, light, self shadow
 *   bones     world transforms of all bones
 *   physics   rigid bodies and nodes of soft bodies; missing when physics is off
 *   morphs    effective weights, material values
 *   vertices  positions and normals as the GPU skinned them
 *   image     the pixels
 * Steps that depend on a model have one entry for each in "models", with a short hash per bone. The caller
 * owns the result. Returns NULL with the reason in error.
 */
json_t *pipeline_hashes_of(mmd_view *view, const recipe_stage *stage, const mmd_image *image,
                           mmd_error *error);

/* Tests whether the object has all members that pipeline_hashes_of writes, each with a possible hash. It may
 * come from a file that was cut or edited. */
bool pipeline_hashes_whole(const json_t *hashes);

/*
 * Returns the first step in which two such objects differ, or "". Returns "physics" if the first bone that
 * differs is moved by a rigid body. detail receives the model and the first bone that differs, in evaluation
 * order, where they are known. The stage supplies the names of models.
 */
const char *pipeline_hashes_first(const json_t *before, const json_t *now, const recipe_stage *stage,
                                  char *detail, size_t capacity);

#endif
