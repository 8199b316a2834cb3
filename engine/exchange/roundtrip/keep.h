/*
 * Kept sources: declarations shared by write.c, keep.c, restore.c, restore_scene.c and read.c.
 *
 * The record (keep_json) is stored where exchange_internal.h says. Besides the members listed there it has
 * "world": a stamp of the world; "morphs": a stamp of the model's morphs (not in older files); "made": items
 * that only the target has, in two lists like the others; for a glTF source "buffers": [base64, or null when
 * the source contains it, …] and "files": {"name": base64} with its external pictures; for a PMX with a
 * sidecar "sidecar": that JSON.
 */
#ifndef MMD_EXCHANGE_KEEP_H
#define MMD_EXCHANGE_KEEP_H

#include "exchange_internal.h"

/* Limit of nested kept sources. */
enum { KEPT_LEVELS = 4 };

/*
 * Reads a document that is kept `level` sources deep in another one, like mmd_exchange_read. At KEPT_LEVELS
 * its own kept source is ignored, so the result is what the file itself contains.
 */
mmd_status exchange_read_level(const void *data, size_t size, mmd_source *source, const char *folder,
                               uint32_t level, mmd_exchange **result, mmd_error *error);

/* Returns bytes as base64 (RFC 4648). NULL: out of memory. */
json_t *keep_base64(const void *data, size_t size);

/* A target as its reader found it. items NULL: items are identified by index. */
typedef struct keep_target {
    const mmd_physscene *scene;
    const mmd_exchange_item *body_items, *joint_items;
} keep_target;
/*
 * Returns the record's "made": items of the target that belong to no item of the source. bodies, joints: for
 * each item of the source, its index in the target, or -1.
 */
json_t *keep_added_items(const keep_target *target, const int32_t *bodies, uint32_t body_count,
                         const int32_t *joints, uint32_t joint_count);

/* A kept glTF or Ragdoll, opened as a document. */
typedef struct kept_document {
    mmd_exchange *document;
    mmd_source *files; /* its external pictures */
    uint32_t file_count;
    mmd_memory_file *list;
    mmd_buffer *bytes;
} kept_document;
/*
 * Opens the kept document; kept must outlive it. MMD_ERROR_VALUE when there is none, and errors of reading.
 */
mmd_status keep_open(const mmd_exchange_kept *kept, kept_document *opened, mmd_error *error);
void keep_close(kept_document *opened);

/* Releases the kept source; memory in the document's arena stays. */
void keep_clear(mmd_exchange_kept *kept);

/*
 * Returns the name of a glTF's external picture in document->textures, decoded into path; NULL: the picture
 * is embedded.
 */
const char *keep_picture_name(const json_t *image, char path[MMD_PATH_MAX]);

/* Return whether a body (joint) of the source is in the scene as it was written. */
bool keep_body_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene, uint32_t body);
bool keep_joint_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene, uint32_t joint);
/*
 * Returns whether all bodies, joints and the world are as written, with nothing added or deleted; the mesh is
 * not compared.
 */
bool keep_physics_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene);

/*
 * The baseline for detecting edits: the kept source, written in another format by this version and read back.
 * A file in that format is compared with it.
 */
typedef struct keep_baseline {
    mmd_exchange *document; /* or, for a PMX: */
    mmd_model *model;
    mmd_physscene pmx_scene;
    const mmd_physscene *scene;
    int32_t *bodies, *joints; /* index here of each body (joint) of the source; -1: none */
    int32_t *morphs;          /* morph target of each morph of the source's model; -1: none */
    uint64_t *body_stamps, *joint_stamps;
    const char **body_names, **joint_names;
    json_t *added_items; /* see keep_added_items */
    mmd_arena arena;
} keep_baseline;
/* The source that a baseline is made of. */
typedef struct keep_origin {
    const mmd_exchange *document; /* or, for a PMX: */
    const mmd_model *model;
    const json_t *sidecar; /* the PMX's sidecar, or NULL */
    mmd_source *textures;  /* textures of a PMX, at the source's root; or NULL */
    bool mesh;             /* include mesh and materials, not only physics */
} keep_origin;
/*
 * Makes a baseline. MMD_ERROR_MEMORY, and errors of writing and reading. After an error there is no baseline.
 */
mmd_status keep_baseline_make(const keep_origin *origin, mmd_exchange_format format, mmd_dialect dialect,
                              keep_baseline *base, mmd_error *error);
void keep_baseline_finish(keep_baseline *base);

/* Items sorted by name. */
typedef struct keep_name_entry {
    const char *name;
    uint32_t item, next; /* first item of a name: where the search for an unused one continues */
} keep_name_entry;
typedef struct keep_names {
    uint32_t count;
    keep_name_entry *list; /* on the heap */
} keep_names;
/* Allocates the list, which the caller fills (name, item) and sorts. Returns false when out of memory. */
bool keep_names_init(keep_names *names, uint32_t count);
void keep_names_sort(keep_names *names);
/* Returns the first item of a name that is not taken; -1: none. A taken item must stay taken. */
int32_t keep_names_find(const keep_names *names, const char *name, const bool *taken);
void keep_names_finish(keep_names *names);

/*
 * Returns whether numbers are equal within rounding, including conversions of units and text with fewer
 * digits: within 4 millionths of the largest of them, or of size.
 */
bool keep_near(const float *a, const float *b, size_t count, float size);

/*
 * Merges edits from another format's scene into a source's scene: items of the source in their order without
 * deleted ones, then added ones. kept maps items of `source` to items of `found`.
 */
typedef struct restore_job {
    const mmd_exchange_kept *kept;
    const mmd_physscene *source, *found;
    mmd_exchange_format format; /* format that found was read from */
    mmd_physscene *scene;       /* result; its arena owns all of it, texts too */
    int32_t *body_of;           /* per body of found: index in scene; negative: none */
    int32_t *body_from;         /* per body of scene: index in source; -1: added */
    int32_t *joint_of, *joint_from;
    uint32_t *body_slot, *joint_slot;       /* per item of the source: index in scene; UINT32_MAX: deleted */
    const keep_baseline *base;              /* what found would be without edits; NULL: source is used */
    float size;                             /* size of the source's scene, for tolerances of positions */
    bool *body_unchanged;                   /* per body of the source: unedited, or not in found */
    bool *body_moved;                       /* per body of the source: was moved */
    bool *joint_unchanged;                  /* per joint of the source: unedited, and its bodies not moved */
    bool world_unchanged, fields_unchanged; /* world unedited; gravity fields unedited */
    int32_t *found_source, *base_source;    /* per body of found (of base): index in source; -1: none */
    int32_t *base_joint_source;             /* the same for joints of base */
} restore_job;
/* Merges. MMD_ERROR_MEMORY, and errors of mmd_physscene_check. After an error there is no scene. */
mmd_status restore_scene(restore_job *job, mmd_error *error);
/*
 * Updates kept, the job's record, to the merged scene. Edited items get stamp 0, unedited ones and those that
 * the target never had the stamps of the merged scene.
 */
void restore_update_stamps(const restore_job *job, mmd_exchange_kept *kept);

/*
 * Finds items by node or entity id: found[i] is the index in items of wanted[i], or -1. Returns false when
 * out of memory.
 */
bool keep_find_items(const mmd_exchange_item *items, uint32_t count, const int32_t *wanted,
                     uint32_t wanted_count, int32_t *found);

/*
 * Returns the kept source as JSON without external files: buffers and pictures as data: URIs. NULL: out of
 * memory.
 */
json_t *keep_self_contained(const mmd_exchange_kept *kept);
/* Returns the document's JSON without its kept source. NULL: out of memory. */
json_t *keep_strip(const mmd_exchange *document);

#endif
