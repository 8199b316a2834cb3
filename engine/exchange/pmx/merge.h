/* A kept PMX with what was edited in the glTF that was made of it. */
#ifndef MMD_EXCHANGE_PMX_MERGE_H
#define MMD_EXCHANGE_PMX_MERGE_H

#include "roundtrip/keep.h"

typedef struct pmx_merge {
    mmd_model model; /* but for bodies and joints; it belongs to kept, the document and the arena */
    mmd_model *kept;
    bool changed;           /* anything of it was edited */
    int32_t *bone_of_kept;  /* new numbers of the PMX's bones; of one that is gone, that of the next above */
    int32_t *bone_of_found; /* of the document's, likewise; -1: none */
    uint32_t found_bone_count;
    const char **pictures; /* of the model's textures, what the document calls them; or NULL */
    keep_baseline base;
    mmd_arena arena;
} pmx_merge;

/*
 * kept: a PMX. The document's model may not change while the merge lives.
 * MMD_ERROR_VALUE: it cannot be told what is which; MMD_ERROR_MEMORY, and what
 * reading and writing say.
 */
mmd_status pmx_merge_make(pmx_merge *merge, const mmd_exchange_kept *kept, const mmd_exchange *document,
                          mmd_error *error);
void pmx_merge_finish(pmx_merge *merge);

/* Whether two models have the same bones, mesh, materials and morphs, but for a float's rounding. */
bool pmx_same_model(const mmd_model *a, const mmd_model *b);

#endif
