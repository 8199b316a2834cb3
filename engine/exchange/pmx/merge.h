/* Merges edits of a glTF back into the kept PMX that it was made from. */
#ifndef MMD_EXCHANGE_PMX_MERGE_H
#define MMD_EXCHANGE_PMX_MERGE_H

#include "roundtrip/keep.h"

typedef struct pmx_merge {
    mmd_model model; /* without bodies and joints; its memory belongs to kept, the document and the arena */
    mmd_model *kept;
    bool changed; /* something was edited */
    int32_t
        *bone_of_kept; /* per bone of the PMX: new index; for a deleted bone that of its nearest ancestor */
    int32_t *bone_of_found; /* the same per bone of the document; -1: none */
    uint32_t found_bone_count;
    const char **pictures; /* per texture of the model: its name in the document, or NULL */
    keep_baseline base;
    mmd_arena arena;
} pmx_merge;

/*
 * Merges. kept: a PMX. The document's model must not change while the merge lives. MMD_ERROR_VALUE when items
 * cannot be matched; MMD_ERROR_MEMORY, and errors of reading and writing.
 */
mmd_status pmx_merge_make(pmx_merge *merge, const mmd_exchange_kept *kept, const mmd_exchange *document,
                          mmd_error *error);
void pmx_merge_finish(pmx_merge *merge);

/* Returns whether two models have equal bones, meshes, materials and morphs, within rounding. */
bool pmx_same_model(const mmd_model *a, const mmd_model *b);

#endif
