/* Small glTF files for tests: numbers are appended as accessors, the rest is written as JSON. */
#ifndef ODORI_MADE_GLTF_H
#define ODORI_MADE_GLTF_H

#include "support.h"

#include "mmd/exchange.h"

/* Zeroed is a file without numbers. */
typedef struct made_gltf {
    mmd_buffer bytes, accessors, views;
    int count;
} made_gltf;

/* Each gives the number of a new accessor of `count` elements; type is "SCALAR", "VEC2" … "MAT4". */
int made_gltf_floats(made_gltf *file, const float *values, size_t count, const char *type);
int made_gltf_bytes(made_gltf *file, const uint8_t *values, size_t count, const char *type);

/* A GLB; members are those of its root beside asset, accessors and buffers. The file is empty afterwards. */
mmd_buffer made_gltf_glb(made_gltf *file, const char *members);
/* The same, read; fails the test where that does not succeed. */
mmd_exchange *made_gltf_read(made_gltf *file, const char *members);

/* The first loss with a code, or NULL. */
const mmd_loss *made_gltf_loss(const mmd_exchange *document, const char *code);

#endif
