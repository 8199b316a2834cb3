/* Hashes (digest.h) of the files that a picture is made from, and of models. */
#ifndef ODORI_HASHES_H
#define ODORI_HASHES_H

#include <stdbool.h>
#include <stddef.h>

#include "digest.h"
#include "mmd/assemble.h"
#include "mmd/format.h"

/* Hashes a file, also one in an archive; "" if it cannot be read. */
digest file_digest(const char *path);

/* Hashes of all textures of a model, by texture index; "" for those that are missing, refused
 * (mmd/assemble.h) or not pictures, or that would have to be decoded to see it (mmd_image_is_picture) after
 * others of the model that took TEXTURES_DECODED_MAX bytes. */
#define TEXTURES_DECODED_MAX (UINT64_C(2) << 30)

typedef struct texture_digests {
    digest *items; /* model->texture_count elements */
    size_t count;
    digest all; /* hash of all names and contents */
} texture_digests;

/* Returns false if out of memory. */
bool texture_digests_read(texture_digests *digests, const mmd_model *model,
                          const mmd_texture_location *location);
void texture_digests_finish(texture_digests *digests);

/* Hashes the accessory (.x) that a .vac file names; "" if it is missing. */
digest accessory_digest(const char *path, const mmd_vac *vac);

/* Hashes everything that was read of a model, by writing it as PMX. */
digest model_digest(const mmd_model *model);

#endif
