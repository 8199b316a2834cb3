/* One walk over a project's layout serves both reading and writing; these are its steps. Private to this
 * module. */
#ifndef MMD_PMM_IO_H
#define MMD_PMM_IO_H

#include "mmd/cursor.h"
#include "mmd/project.h"

enum {
    PMM_MAGIC_SIZE = 30,
    PMM_PATH_SIZE = 256,
    PMM_ACCESSORY_NAME_SIZE = 100,
    PMM_LIST_NAME_SIZE = 20,
    PMM_NAME_MAX = 255,
    /* Bytes of keys after their links, in version 0001. */
    PMM_BONE_PAYLOAD_1 = 45,
    PMM_CAMERA_PAYLOAD_1 = 58,
};

typedef struct pmm_io {
    mmd_buffer *out;          /* NULL while reading */
    mmd_cursor cursor;        /* the file's bytes; while writing only used for errors */
    mmd_project *project;     /* the project being filled, or a copy of the one being written */
    mmd_project_model *model; /* the model whose key records are processed */
    mmd_arena scratch;        /* freed at the end */
    uint32_t version;         /* 1 or 2 */
    int32_t owner;            /* model or accessory for reports of repairs; -1 for the scene */
    bool lossy;               /* a text had characters that CP932 does not have */
} pmm_io;

/* ---- steps (pmm_io.c) ---- */

bool pmm_ok(const pmm_io *io);
void pmm_section(pmm_io *io, const char *section, int64_t item);
void pmm_fail(pmm_io *io, mmd_status code, const char *message);

/* Read or write raw bytes, little-endian numbers of one and four bytes, and arrays of them. */
void pmm_bytes(pmm_io *io, void *data, size_t size);

/* Read or write a text with its length, and a field of size bytes that is padded with zeros. */
void pmm_string(pmm_io *io, mmd_project_text *text);
void pmm_fixed(pmm_io *io, mmd_project_text *text, size_t size);

/* Read or write counts of items that take at least min_size bytes each. */
void pmm_count(pmm_io *io, uint32_t *count, size_t min_size);
void pmm_count8(pmm_io *io, uint32_t *count, size_t min_size);

/* While reading, allocates *count elements, and sets *count to 0 if that fails. While writing, returns
 * `there`. */
void *pmm_room(pmm_io *io, void *there, uint32_t *count, size_t size);

/* Allocates memory until the walk ends. NULL after a failure. */
void *pmm_scratch(pmm_io *io, size_t count, size_t size);

/* A member of a struct that is stored in the file as it is. */
typedef struct pmm_field {
    size_t offset, size;
} pmm_field;

#define PMM_FIELD(type, member)                                                                              \
    {                                                                                                        \
        offsetof(type, member), sizeof(((type *)0)->member)                                                  \
    }

void pmm_fields(pmm_io *io, const pmm_field *fields, size_t count, void *object);

/* Processes a table that is an array. */
#define PMM_FIELDS(io, table, object) pmm_fields(io, table, sizeof(table) / sizeof *(table), object)

/* ---- chained keys (pmm_io.c) ---- */

/* Processes what a key has after its links. */
typedef void pmm_payload(pmm_io *io, void *key);

typedef struct pmm_key_kind {
    const char *section;
    size_t key_size;     /* size of the struct, which begins with an mmd_project_key */
    size_t payload_size; /* size in the file */
    pmm_payload *payload;
} pmm_key_kind;

typedef struct pmm_list {
    uint32_t count;
    void *keys;
} pmm_list;

/* Processes the first keys of all lists, and the records that follow them. Reading fills the lists. */
void pmm_keys(pmm_io *io, const pmm_key_kind *kind, pmm_list *lists, uint32_t list_count);

/* ---- counts that are missing in version 0001 (pmm_counts.c) ---- */

/* Finds how many bones, morphs and IK bones a model has whose keys begin at the cursor, from what follows:
 * the next model or the camera. Returns false if no counts fit. */
bool pmm_find_counts(const pmm_io *io, mmd_project_model *model);

/* ---- an empty project (pmm_make.c) ---- */

/* Fills in an empty project as MMD starts with, except the magic. Returns false if out of memory. */
bool pmm_fill_defaults(mmd_project *project);

#endif
