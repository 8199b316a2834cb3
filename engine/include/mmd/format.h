/*
 * Reading and writing MMD's files. Readers work on bytes in memory, never
 * trust them, and never ask for more memory than a small multiple of the
 * file's size. Each gives a whole result or a status; on failure *result is
 * NULL. All may be called from any thread.
 */
#ifndef MMD_FORMAT_H
#define MMD_FORMAT_H

#include "mmd/cursor.h"
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
 * What the bytes are, by their first ones. A VAC has no mark: it is told by
 * its second line, which ends in `.x`, and its third, a number.
 */
mmd_file_kind mmd_file_detect(const void *data, size_t size);

/*
 * A read model's arena holds at most this many times the file's size, and the
 * constant. (The densest record is a link of an IK bone, 2 bytes in the file
 * and 32 in memory.)
 */
enum { MMD_MODEL_MEMORY_FACTOR = 16, MMD_MODEL_MEMORY_EXTRA = 64 * 1024 };

/*
 * PMX 2.0 and 2.1. Every section. What cannot be (a type, an index of a face,
 * a count) is an error; references to things that are not there, values
 * outside their range and bones that are their own ancestors are mended and
 * listed in broken_references.
 */
mmd_status mmd_pmx_read(const void *data, size_t size, mmd_model **result, mmd_error *error);

/*
 * Appends a PMX file. The model's layout is followed where it can hold the
 * contents, else (and where it is zero) the smallest index sizes and UTF-16
 * are chosen. Internal bones are written like others. MMD_ERROR_MEMORY.
 *
 * Version 2.1 is written if the model's version says so, if there are soft
 * bodies, and for a model that did not come from a PMX file also if it has
 * anything else that 2.0 does not know: flip and impulse morphs, joints other
 * than kind 0, vertex colours, points and lines, QDEF. A model read from a 2.0
 * file keeps the version with these, so that its bytes stay as they were.
 */
mmd_status mmd_pmx_write(const mmd_model *model, mmd_buffer *out, mmd_error *error);

/* PMD with any of its optional tail blocks, as the PMX it means (docs/mmd.md 1.2). */
mmd_status mmd_pmd_read(const void *data, size_t size, mmd_model **result, mmd_error *error);

/* The longest text that a compressed .x file may hold, in bytes, and in times the file's size. */
enum { MMD_X_TEXT_MAX = 64 * 1024 * 1024, MMD_X_TEXT_RATIO = 256 };

/*
 * An accessory: a DirectX .x file of retained mode, version 0302 or 0303, as
 * text, as binary tokens, or either compressed (MSZIP), read as a model of
 * origin MMD_ORIGIN_X (docs/mmd.md 1.6, 6.10):
 * - Frames are multiplied out and MMD's scale of ten is applied; the space
 *   stays as it is, left-handed. One bone, "accessory", at the origin.
 * - All meshes are one behind the other, each with its list of materials in
 *   the list's order; a mesh without a list gets one white material. A polygon
 *   becomes a fan. Corners share a vertex where position and normal are equal.
 *   Missing normals are computed.
 * - Diffuse is the face colour, ambient the emissive one. No edge, no toon.
 *   Textures as in PMD: `a.bmp*b.sph`. Back faces are culled (no material is
 *   two-sided): stages are built with doubled faces, which would flicker
 *   otherwise. All materials throw ground shadows and receive self shadow;
 *   alpha 0.98 casts none.
 * - Vertex colours are kept in additional UV 1 (white where there are none)
 *   and not used: whether MMD draws them is not known.
 * - Templates, animation, skin weights and all objects of other types are
 *   skipped; separators are free, comments too. References may come before
 *   what they name. A mesh that lies in no frame stands wherever frames name
 *   it, once each time; one in a frame stands there besides. Frames that
 *   frames name are not followed.
 * - Packed vertex data (DeclData, FVFData) give normals, the first texture
 *   coordinates and colours where the mesh has no lists of its own for them.
 *
 * Errors: MMD_ERROR_MAGIC, VERSION, UNSUPPORTED (form), VALUE, SYNTAX (with
 * the line, of texts), TRUNCATED, COUNT, INDEX (a face's vertex), LIMIT (what
 * is compressed too well), MEMORY. Offsets in what was compressed count in its
 * text, the header's 16 bytes included. Indices of normals and materials that
 * point at nothing are mended and listed in broken_references; a frame's
 * reference to a name that no object has is listed there, too.
 *
 * Memory: the model keeps to MMD_MODEL_MEMORY_FACTOR times the file's size (of
 * a compressed file: of its text's), reading takes 32 times more at most. A
 * file so dense that it needs more is refused with MMD_ERROR_MEMORY.
 */
mmd_status mmd_x_read(const void *data, size_t size, mmd_model **result, mmd_error *error);

/* Where an accessory stands: a VAC file. Its matrix: bone * T * Rz*Ry*Rx * scale. Lives in its arena. */
typedef struct mmd_vac {
    const char *name; /* for lists, UTF-8 */
    const char *file; /* the .x file, as written: relative, `\` or `/` */
    float scale;      /* 1: as mmd_x_read gives it */
    float position[3];
    float rotation[3]; /* radians; degrees in the file */
    const char *bone;  /* of the model that it is attached to, or "" */
    mmd_arena arena;
} mmd_vac;

/*
 * Six lines of CP932: name, file, scale, position, rotation, bone. Lines that
 * are missing at the end, and numbers that are none, are taken as scale 1 and
 * 0; what follows the sixth line is ignored. MMD_ERROR_SYNTAX: no file named;
 * MMD_ERROR_LIMIT, MMD_ERROR_MEMORY.
 */
mmd_status mmd_vac_read(const void *data, size_t size, mmd_vac **result, mmd_error *error);
void mmd_vac_destroy(mmd_vac *vac); /* NULL is allowed */

/* PMX, PMD or X by content. MMD_ERROR_MAGIC for anything else. */
mmd_status mmd_model_read(const void *data, size_t size, mmd_model **result, mmd_error *error);

/* VMD, old and new header. A file cut inside a section keeps its complete records and sets motion->cut. */
mmd_status mmd_vmd_read(const void *data, size_t size, mmd_motion **result, mmd_error *error);

/*
 * Appends a VMD file: keys in the order of the file they were read from, with
 * its bytes for all that was not changed; made ones behind them, track by
 * track. What was read from a cut file is written whole, with its true counts.
 * MMD_ERROR_MEMORY.
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

/* A pose. raw keeps the file's own bytes, so that an unchanged pose is written back as it was. */
typedef struct mmd_vpd {
    const char *model; /* as on the second line, ".osm" included */
    uint32_t bone_count;
    mmd_vpd_bone *bones;
    uint32_t morph_count; /* MikuMikuMoving's extension */
    mmd_vpd_morph *morphs;
    uint32_t raw_size;
    const uint8_t *raw; /* the file, or NULL for a pose that was made or changed: then it is formatted anew */
    mmd_arena arena;
} mmd_vpd;

/*
 * Comments, blanks and line ends are free, numbers are read the same in every
 * locale. Exactly as many bones as the file says are read: fewer are
 * MMD_ERROR_COUNT, more are ignored, as MMD does. Other errors: MMD_ERROR_MAGIC,
 * MMD_ERROR_SYNTAX (the message names the line), MMD_ERROR_LIMIT.
 */
mmd_status mmd_vpd_read(const void *data, size_t size, mmd_vpd **result, mmd_error *error);

/*
 * Appends a VPD file: raw where there is one, else CP932, CR LF, nine
 * significant digits. MMD_ERROR_TEXT: names that CP932 lacks became `?`, the
 * file is written all the same.
 */
mmd_status mmd_vpd_write(const mmd_vpd *vpd, mmd_buffer *out, mmd_error *error);
void mmd_vpd_destroy(mmd_vpd *vpd); /* NULL is allowed */

/* The pose as a motion with a key at frame 0 for each bone and morph named, values repaired as in a VMD.
 * NULL: out of memory. */
mmd_motion *mmd_vpd_to_motion(const mmd_vpd *vpd);

#ifdef __cplusplus
}
#endif

#endif
