/*
 * Readers and writers of MMD's file formats. Readers work on untrusted bytes in memory and never request more
 * memory than a small multiple of the file's size. Each returns a complete result, which the caller destroys,
 * or a status with *result NULL. All functions may be called from any thread.
 */
#ifndef MMD_FORMAT_H
#define MMD_FORMAT_H

#include "mmd/memory.h"
#include "mmd/model.h"
#include "mmd/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mmd_file_kind {
    MMD_FILE_UNKNOWN,
    MMD_FILE_PMX,
    MMD_FILE_PMD,
    MMD_FILE_VMD,
    MMD_FILE_VPD,
    MMD_FILE_PMM, /* mmd/project.h */
    MMD_FILE_X,
    MMD_FILE_VAC
} mmd_file_kind;

/*
 * Returns the kind of a file by its first bytes. A VAC file has no signature; it is recognised by its second
 * line, which ends in `.x`, and its third, which is a number.
 */
mmd_file_kind mmd_file_detect(const void *data, size_t size);

/*
 * The arena of a model that was read holds at most this many times the file's size, plus the constant. The
 * densest record is a link of an IK bone, 2 bytes in the file and 32 in memory.
 */
enum { MMD_MODEL_MEMORY_FACTOR = 16, MMD_MODEL_MEMORY_EXTRA = 64 * 1024 };

/*
 * Reads PMX 2.0 and 2.1 with all sections. An impossible type, count or vertex index of a face is an error.
 * References to missing objects, values outside their range and bones that are their own ancestors are
 * repaired, and broken references are listed in broken_references.
 */
mmd_status mmd_pmx_read(const void *data, size_t size, mmd_model **result, mmd_error *error);

/*
 * Appends a PMX file to out. The model's layout is used if it can hold the contents; otherwise, and if it is
 * zero, the smallest index sizes and UTF-16 are chosen. Internal bones are written like others. Fails with
 * MMD_ERROR_MEMORY.
 *
 * Version 2.1 is written if the model's version is 2.1, if there are soft bodies, and, for a model that does
 * not come from a PMX file, if it uses anything else that 2.0 lacks: flip and impulse morphs, joint kinds
 * other than 0, vertex colours, points, lines or QDEF. A model that was read from a 2.0 file keeps that
 * version even with these, so that its bytes stay as they were.
 */
mmd_status mmd_pmx_write(const mmd_model *model, mmd_buffer *out, mmd_error *error);

/* Reads a PMD, with any of its optional blocks at the end, as the equivalent PMX (docs/mmd.md 1.2). */
mmd_status mmd_pmd_read(const void *data, size_t size, mmd_model **result, mmd_error *error);

/* Limits of the decompressed text of a .x file: in bytes, and as a multiple of the file's size. */
enum { MMD_X_TEXT_MAX = 64 * 1024 * 1024, MMD_X_TEXT_RATIO = 256 };

/*
 * Reads an accessory: a DirectX .x file of retained mode, version 0302 or 0303, as text or binary tokens,
 * plain or compressed (MSZIP). The result is a model of origin MMD_ORIGIN_X (docs/mmd.md 1.6, 6.10):
 *
 * - Frame transforms are applied, and so is MMD's scale of ten. The space stays left-handed. There is one
 *   bone, "accessory", at the origin.
 * - All meshes are concatenated, each with its materials in the order of its list. A mesh without a list gets
 *   one white material. A polygon becomes a triangle fan. Corners with equal position and normal share a
 *   vertex. Missing normals are computed.
 * - Diffuse is the face colour, ambient the emissive colour. There are no edges and no toons. Textures are
 *   named as in PMD: `a.bmp*b.sph`. Back faces are culled (no material is two-sided), because stages are
 *   built with doubled faces, which would flicker. All materials cast ground shadows and receive self shadow.
 *   A material with alpha 0.98 casts no self shadow.
 * - Vertex colours are stored in additional UV 1 (white if there are none) and not drawn. Whether MMD draws
 *   them is not known.
 * - Templates, animation, skin weights and objects of other types are skipped. Separators and comments are
 *   free. References may precede the object they name. A mesh outside of frames is added once for every
 *   reference from a frame. A mesh inside a frame is added there in addition. References from frames to
 *   frames are not followed.
 * - Packed vertex data (DeclData, FVFData) provide normals, the first texture coordinates and colours if the
 *   mesh has no lists for them.
 *
 * Errors: MMD_ERROR_MAGIC, VERSION, UNSUPPORTED (format of the data), VALUE, SYNTAX (with the line for text
 * files), TRUNCATED, COUNT, INDEX (vertex of a face), LIMIT (suspicious compression ratio), MEMORY. Offsets
 * in compressed files are offsets in the decompressed text plus the header's 16 bytes. Broken indices of
 * normals and materials are repaired and listed in broken_references, as are a frame's references to unknown
 * names.
 *
 * Memory: the model uses at most MMD_MODEL_MEMORY_FACTOR times the file's size (for a compressed file that of
 * its text), and reading temporarily at most 32 times that size in
 * addition. A file that needs more is rejected with MMD_ERROR_MEMORY.
 */
mmd_status mmd_x_read(const void *data, size_t size, mmd_model **result, mmd_error *error);

/* The placement of an accessory: a VAC file. Its matrix is bone * T * Rz*Ry*Rx * scale. */
typedef struct mmd_vac {
    const char *name; /* name for display, UTF-8 */
    const char *file; /* path of the .x file as in the file: relative, with `\` or `/` */
    float scale;      /* factor on the size that mmd_x_read gives */
    float position[3];
    float rotation[3]; /* radians; degrees in the file */
    const char *bone;  /* bone of the model that it is attached to, or "" */
    mmd_arena arena;
} mmd_vac;

/*
 * Reads six lines of CP932: name, file, scale, position, rotation, bone. Missing lines at the end and invalid
 * numbers give scale 1 and zeros. Anything after the sixth line is ignored. Fails with MMD_ERROR_SYNTAX if no
 * file is named, MMD_ERROR_LIMIT and MMD_ERROR_MEMORY.
 */
mmd_status mmd_vac_read(const void *data, size_t size, mmd_vac **result, mmd_error *error);
void mmd_vac_destroy(mmd_vac *vac); /* NULL is allowed */

/* Reads a PMX, PMD or X by its contents. Fails with MMD_ERROR_MAGIC for anything else, otherwise like the
 * functions above. */
mmd_status mmd_model_read(const void *data, size_t size, mmd_model **result, mmd_error *error);

/* Reads a VMD with the old or the new header. A file that ends inside a section keeps its complete records
 * and sets motion->cut. */
mmd_status mmd_vmd_read(const void *data, size_t size, mmd_motion **result, mmd_error *error);

/*
 * Appends a VMD file to out. Keys that were read from a file keep their order and, where unchanged, their
 * bytes. New keys follow them, track by track. A motion read from a truncated file is written with its actual
 * counts. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_vmd_write(const mmd_motion *motion, mmd_buffer *out, mmd_error *error);

typedef struct mmd_vpd_bone {
    const char *name; /* UTF-8 */
    float translation[3];
    float rotation[4];
} mmd_vpd_bone;

typedef struct mmd_vpd_morph {
    const char *name;
    float weight;
} mmd_vpd_morph;

/* A pose. raw holds the bytes of the file, so that an unchanged pose is written back as it was. */
typedef struct mmd_vpd {
    const char *model; /* as on the second line, including ".osm" */
    uint32_t bone_count;
    mmd_vpd_bone *bones;
    uint32_t morph_count; /* extension of MikuMikuMoving */
    mmd_vpd_morph *morphs;
    uint32_t raw_size;
    const uint8_t *raw; /* the file's bytes; NULL: the pose was created or changed and is formatted when
                           written */
    mmd_arena arena;
} mmd_vpd;

/*
 * Reads a VPD pose. Comments, blanks and line ends are free, and numbers do not depend on the locale. The
 * number of bones is that in the file: fewer are MMD_ERROR_COUNT, more are ignored, as in MMD. Other errors
 * are MMD_ERROR_MAGIC, MMD_ERROR_SYNTAX (the message names the line) and MMD_ERROR_LIMIT.
 */
mmd_status mmd_vpd_read(const void *data, size_t size, mmd_vpd **result, mmd_error *error);

/*
 * Appends a VPD file to out: raw if there is one, otherwise formatted as CP932 with CR LF and nine
 * significant digits. MMD_ERROR_TEXT: names that CP932 cannot represent contain `?`, but the file is
 * complete.
 */
mmd_status mmd_vpd_write(const mmd_vpd *vpd, mmd_buffer *out, mmd_error *error);
void mmd_vpd_destroy(mmd_vpd *vpd); /* NULL is allowed */

/* Returns the pose as a motion with a key at frame 0 for each bone and morph named. Invalid values are
 * repaired as in a VMD. The caller destroys it. Returns NULL when out of memory. */
mmd_motion *mmd_vpd_to_motion(const mmd_vpd *vpd);

#ifdef __cplusplus
}
#endif

#endif
