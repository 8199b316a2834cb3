/* Makes small glTF files for tests. Numbers are appended as accessors; the rest is JSON text. */
#ifndef ODORI_MADE_GLTF_H
#define ODORI_MADE_GLTF_H

#include "support.h"

#include "mmd/exchange.h"

/* A zeroed struct is a valid file without accessors. */
typedef struct made_gltf {
    mmd_buffer bytes, accessors, views;
    int count;
} made_gltf;

/* Append an accessor of `count` elements and return its index. type is "SCALAR", "VEC2" … "MAT4". */
int made_gltf_floats(made_gltf *file, const float *values, size_t count, const char *type);
int made_gltf_bytes(made_gltf *file, const uint8_t *values, size_t count, const char *type);

/* Returns the file as GLB. members is the JSON text of the root's members besides asset, accessors and
 * buffers. The struct is empty afterwards. */
mmd_buffer made_gltf_glb(made_gltf *file, const char *members);
/* Makes the GLB and reads it. Fails the test if reading fails. */
mmd_exchange *made_gltf_read(made_gltf *file, const char *members);

/* Returns the first loss with this code, or NULL. */
const mmd_loss *made_gltf_loss(const mmd_exchange *document, const char *code);

#endif
