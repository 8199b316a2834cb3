/* The files that a conversion makes. */
#include <string.h>

#include "exchange_internal.h"

/* More than this no conversion makes: a model, its buffer, its pictures. */
enum { OUTPUT_MAX = 4096 };

mmd_exchange_file *output_add(mmd_exchange_output *output, const char *name)
{
    if (!output->files)
        output->files = mmd_arena_alloc(&output->arena, OUTPUT_MAX, sizeof *output->files);
    char *kept = mmd_arena_text(&output->arena, name, strlen(name));
    if (!output->files || !kept || output->count == OUTPUT_MAX)
        return NULL;
    mmd_exchange_file *file = &output->files[output->count++];
    *file = (mmd_exchange_file){.name = kept};
    return file;
}

void mmd_exchange_output_finish(mmd_exchange_output *output)
{
    for (uint32_t i = 0; i < output->count; i++)
        mmd_buffer_finish(&output->files[i].data);
    mmd_losses_finish(&output->losses);
    mmd_arena_finish(&output->arena);
    *output = (mmd_exchange_output){0};
}
