#include "mmd/model.h"
#include "mmd/text.h"

#include <string.h>

void mmd_model_destroy(mmd_model *model)
{
    if (!model)
        return;
    mmd_arena arena = model->arena;
    mmd_arena_finish(&arena);
    mmd_free(model);
}
