/* Inside the module: one walk over a project's layout that reads or writes, and its steps. */
#ifndef MMD_PMM_IO_H
#define MMD_PMM_IO_H

#include "mmd/project.h"

enum {
    PMM_MAGIC_SIZE = 30,
    PMM_PATH_SIZE = 256,
    PMM_ACCESSORY_NAME_SIZE = 100,
    PMM_LIST_NAME_SIZE = 20,
    PMM_NAME_MAX = 255,
    /* What keys of version 0001 have behind their links. */
    PMM_BONE_PAYLOAD_1 = 45,
    PMM_CAMERA_PAYLOAD_1 = 58,
};

typedef struct pmm_io {
    mmd_buffer *out;          /* NULL: reading */
    mmd_cursor cursor;        /* the file's bytes; while writing only for errors */
    mmd_project *project;     /* being filled, or a copy of the one to write */
    mmd_project_model *model; /* whose key records are passed */
    mmd_arena scratch;        /* gone at the end */
    uint32_t version;         /* 1 or 2 */
    int32_t owner;            /* model or accessory for repairs; -1: the scene */
    bool lossy;               /* a text had characters that CP932 lacks */
} pmm_io;

/* ---- steps (pmm_io.c) ---- */

bool pmm_ok(const pmm_io *io);
void pmm_section(pmm_io *io, const char *section, int64_t item);
void pmm_fail(pmm_io *io, mmd_status code, const char *message);

/* size bytes as they are. Little-endian numbers of one, four bytes and arrays of them. */
void pmm_bytes(pmm_io *io, void *data, size_t size);

/* A length and so many bytes; a field of size bytes, zeros behind. */
void pmm_string(pmm_io *io, mmd_project_text *text);
void pmm_fixed(pmm_io *io, mmd_project_text *text, size_t size);

/* Counts of things of at least min_size bytes each. */
void pmm_count(pmm_io *io, uint32_t *count, size_t min_size);
void pmm_count8(pmm_io *io, uint32_t *count, size_t min_size);

/* Reading: room for *count elements, which becomes 0 where there is none. Writing: what is there already. */
void *pmm_room(pmm_io *io, void *there, uint32_t *count, size_t size);

/* Memory until the walk ends; NULL after a failure. */
void *pmm_scratch(pmm_io *io, size_t count, size_t size);

/* A member of a struct whose bytes are the file's. */
typedef struct pmm_field {
    size_t offset, size;
} pmm_field;

#define PMM_FIELD(type, member)                                                                              \
    {                                                                                                        \
        offsetof(type, member), sizeof(((type *)0)->member)                                                  \
    }

void pmm_fields(pmm_io *io, const pmm_field *fields, size_t count, void *object);

/* All of a table that is an array. */
#define PMM_FIELDS(io, table, object) pmm_fields(io, table, sizeof(table) / sizeof *(table), object)

/* ---- chained keys (pmm_io.c) ---- */

/* Passes what a key has behind its links. */
typedef void pmm_payload(pmm_io *io, void *key);

typedef struct pmm_key_kind {
    const char *section;
    size_t key_size;     /* of the struct, which begins with an mmd_project_key */
    size_t payload_size; /* in the file */
    pmm_payload *payload;
} pmm_key_kind;

typedef struct pmm_list {
    uint32_t count;
    void *keys;
} pmm_list;

/* The first keys of all lists, and the records that follow them. Reading fills the lists. */
void pmm_keys(pmm_io *io, const pmm_key_kind *kind, pmm_list *lists, uint32_t list_count);

/* ---- counts that version 0001 leaves out (pmm_counts.c) ---- */

/*
 * Finds how many bones, morphs and IK the model of io's owner has, whose keys
 * begin at the cursor, by what lies behind it: the next model, of which the
 * name is in the list at the start, or the camera. False: no counts fit.
 */
bool pmm_find_counts(const pmm_io *io, mmd_project_model *model);

/* ---- an empty project (pmm_make.c) ---- */

/* All of an empty project but its magic, as MMD starts; false: out of memory. */
bool pmm_fill_defaults(mmd_project *project);

#endif
