/* What an input keeps of the target's format, however deep. */
#ifndef MMD_EXCHANGE_KEPT_CHAIN_H
#define MMD_EXCHANGE_KEPT_CHAIN_H

#include "keep.h"

typedef struct kept_chain {
    bool found;
    bool mesh;                  /* is as it was written */
    mmd_exchange_kept kept;     /* of the target's format, in the input's numbers; owns nothing */
    mmd_exchange_kept *sidecar; /* of a PMX on the way; or NULL */
    uint32_t count;
    kept_document
        opened[KEPT_LEVELS]; /* the sources on the way; the last one is kept's, unless that is a PMX */
} kept_chain;

/* sidecar: of a PMX input, or NULL. MMD_ERROR_MEMORY; a source that cannot be read again is none. */
mmd_status kept_chain_find(kept_chain *chain, const mmd_exchange_input *input, const mmd_physscene *scene,
                           const mmd_exchange_kept *sidecar, const mmd_exchange_options *options,
                           mmd_arena *arena, mmd_error *error);
void kept_chain_finish(kept_chain *chain);
/* Whether the mesh is as it was written. */
void kept_chain_set_mesh(kept_chain *chain, bool held, const mmd_exchange_input *input);
/* The glTF that says what became of the mesh of a kept PMX; NULL: none does. */
const mmd_exchange *kept_chain_mesh(const kept_chain *chain, const mmd_exchange_input *input);

/* Whether nothing of it was edited since. */
bool kept_chain_unedited(const kept_chain *chain, const mmd_physscene *scene);

#endif
