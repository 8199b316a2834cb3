/* Hashes of what a picture is made from: files, and the textures that a model names. */
#ifndef ODORI_INPUT_HASHES_H
#define ODORI_INPUT_HASHES_H

#include "hashes.h"
#include "mmd/format.h"
#include "textures.h"

/* Of the bytes of a file, one in an archive too; "" where it cannot be read. */
digest file_digest(const char *path);

/* Of every texture of a model, in its order; "" for one that is missing. */
typedef struct texture_digests {
    digest *items; /* model->texture_count of them */
    size_t count;
    digest all; /* over names and contents */
} texture_digests;

/* False: out of memory. */
bool texture_digests_read(texture_digests *digests, const mmd_model *model, const texture_place *place);
void texture_digests_finish(texture_digests *digests);

/* Of the accessory (.x) that the .vac file at path names; "" where it is not there. */
digest accessory_digest(const char *path, const mmd_vac *vac);

/* Of all that was read of a model: of the PMX file that says the same. */
digest model_digest(const mmd_model *model);

#endif
