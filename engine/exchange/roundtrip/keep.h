/*
 * Kept sources: what write.c, keep*.c, restore*.c and read.c share.
 *
 * A record (keep_json) is found where exchange_internal.h says. Besides what
 * stands there it has "world": a stamp of the world; "morphs": one of the
 * model's morphs (not in older files); "made": what the target
 * has besides, in two lists like the others; and of a glTF source
 * "buffers": [base64 or null (the source says it itself), …] and "files":
 * {"name": base64} of the pictures beside it; of a PMX that had a sidecar
 * "sidecar": that.
 */
#ifndef MMD_EXCHANGE_KEEP_H
#define MMD_EXCHANGE_KEEP_H

#include "exchange_internal.h"

/* Sources that lie in sources that lie in sources are opened this deep. */
enum { KEPT_LEVELS = 4 };

/*
 * mmd_exchange_read for a document that lies `level` sources deep in another
 * one. At KEPT_LEVELS nothing that it keeps is looked at: what is read is what
 * the file itself says.
 */
mmd_status exchange_read_level(const void *data, size_t size, mmd_source *source, const char *folder,
                               uint32_t level, mmd_exchange **result, mmd_error *error);

/* A text of bytes (RFC 4648). NULL: out of memory. */
json_t *keep_base64(const void *data, size_t size);

/*
 * The record's "made": items of a target that are nobody's of the source, as
 * its reader found them. bodies, joints: of the target, those that the source's
 * are (count of them each). items NULL: they are called by their indices.
 */
typedef struct keep_target {
    const mmd_physscene *scene;
    const mmd_exchange_item *body_items, *joint_items;
} keep_target;
json_t *keep_added_items(const keep_target *target, const int32_t *bodies, uint32_t body_count,
                         const int32_t *joints, uint32_t joint_count);

/* A kept glTF or Ragdoll as the document that it was. */
typedef struct kept_document {
    mmd_exchange *document;
    mmd_source *files; /* pictures that lay beside it */
    uint32_t file_count;
    mmd_memory_file *list;
    mmd_buffer *bytes;
} kept_document;
/* kept must outlive it. MMD_ERROR_VALUE where there is none, and what reading says. */
mmd_status keep_open(const mmd_exchange_kept *kept, kept_document *opened, mmd_error *error);
void keep_close(kept_document *opened);

/* Back to one that keeps nothing; what lies in its document stays. */
void keep_clear(mmd_exchange_kept *kept);

/* The name that a picture of a glTF has for document->textures; NULL: it lies in the document. Its decoded
 * form is put into path. */
const char *keep_picture_name(const json_t *image, char path[MMD_PATH_MAX]);

/* Whether item i of the source stands in the scene as it was written. */
bool keep_body_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene, uint32_t body);
bool keep_joint_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene, uint32_t joint);
/* Whether all of it does, with nothing added and nothing gone; the mesh does not count. */
bool keep_physics_unchanged(const mmd_exchange_kept *kept, const mmd_physscene *scene);

/*
 * A kept source as its writer says it in another format today, read again:
 * what a file in that format is held against, to see what was edited in it.
 */
typedef struct keep_baseline {
    mmd_exchange *document; /* or, of a PMX, */
    mmd_model *model;
    mmd_physscene pmx_scene;
    const mmd_physscene *scene;
    int32_t *bodies, *joints; /* of the source's, here; -1: none */
    int32_t *morphs;          /* of the source's model, targets; -1: none */
    uint64_t *body_stamps, *joint_stamps;
    const char **body_names, **joint_names;
    json_t *added_items; /* keep_added_items */
    mmd_arena arena;
} keep_baseline;
/* What a base is made of. */
typedef struct keep_origin {
    const mmd_exchange *document; /* or, of a PMX, */
    const mmd_model *model;
    const json_t *sidecar; /* that lay beside it; or NULL */
    mmd_source *textures;  /* of a PMX, at the root; or NULL */
    bool mesh;             /* is looked at, too, not physics alone */
} keep_origin;
/* MMD_ERROR_MEMORY, and what writing and reading say. After an error there is no base. */
mmd_status keep_baseline_make(const keep_origin *origin, mmd_exchange_format format, mmd_dialect dialect,
                              keep_baseline *base, mmd_error *error);
void keep_baseline_finish(keep_baseline *base);

/* Items by what they are called. */
typedef struct keep_name_entry {
    const char *name;
    uint32_t item, next; /* of the first of a name: where the next that is not taken may be */
} keep_name_entry;
typedef struct keep_names {
    uint32_t count;
    keep_name_entry *list; /* on the heap */
} keep_names;
/* After init, the list is filled by the caller (name, item) and sorted. False: out of memory. */
bool keep_names_init(keep_names *names, uint32_t count);
void keep_names_sort(keep_names *names);
/* The first item of that name that is not taken; -1: none. What is taken once must stay so. */
int32_t keep_names_find(const keep_names *names, const char *name, const bool *taken);
void keep_names_finish(keep_names *names);

/*
 * Whether numbers are the same but for a float's rounding, on the way through
 * other units and fewer digits, too: within 4 millionths of the largest of
 * them, or of size.
 */
bool keep_near(const float *a, const float *b, size_t count, float size);

/*
 * A source's scene, with what was edited since out of another format's scene:
 * items of the source in their order, those that were deleted left out, those
 * that were added behind them. kept says which item of `found` is which of
 * `source`.
 */
typedef struct restore_job {
    const mmd_exchange_kept *kept;
    const mmd_physscene *source, *found;
    mmd_exchange_format format; /* that found was read from */
    mmd_physscene *scene;       /* made here; its arena owns all of it, texts too */
    int32_t *body_of;           /* of each body of found, its number in scene; negative: none */
    int32_t *body_from;         /* of each body of scene, the source's number, or -1: added */
    int32_t *joint_of, *joint_from;
    uint32_t *body_slot, *joint_slot; /* of each item of the source, its number in scene; UINT32_MAX: gone */
    const keep_baseline *base; /* what found would be if nobody had edited it; NULL: what the source is */
    float size;                /* of the source's scene: how far places may differ */
    bool *body_unchanged;      /* of the source's bodies: nothing was edited, or it is not in found */
    bool *body_moved;          /* it stands elsewhere */
    bool *joint_unchanged;     /* nothing was edited, and its bodies stand where they did */
    bool world_unchanged, fields_unchanged; /* the world; its fields of gravity alone */
    int32_t *found_source, *base_source;    /* of their bodies, the source's; -1: none */
    int32_t *base_joint_source;
} restore_job;
/* MMD_ERROR_MEMORY, and what mmd_physscene_check says. After an error there is no scene. */
mmd_status restore_scene(restore_job *job, mmd_error *error);
/* kept, which is the job's, speaks of the new scene from here on: what was edited bears no stamp, what never
 * was said its own. */
void restore_update_stamps(const restore_job *job, mmd_exchange_kept *kept);

/* Numbers of the items that a list has, by the items' names (nodes, ids); -1: none. */
bool keep_find_items(const mmd_exchange_item *items, uint32_t count, const int32_t *wanted,
                     uint32_t wanted_count, int32_t *found);

/* The kept source as JSON that needs no other file: buffers and pictures as data: URIs. NULL: out of memory.
 */
json_t *keep_self_contained(const mmd_exchange_kept *kept);
/* What a document is without what it keeps of another. NULL: out of memory. */
json_t *keep_strip(const mmd_exchange *document);

#endif
