/* make_corpus_models DIR: writes the corpora of fuzz_pmx and fuzz_pmd to DIR/pmx and DIR/pmd, with the
 * engine's writer where there is one. */
#include "sample_models.h"

#include <stdio.h>
#include <stdlib.h>

static void save(const char *folder, const char *name, mmd_buffer *bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    bool done = file && !bytes->failed && fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    if (file && fclose(file) != 0)
        done = false;
    if (!done) {
        fprintf(stderr, "%s cannot be written\n", path);
        exit(1);
    }
    mmd_buffer_finish(bytes);
}

static void save_model(const char *folder, const char *name, mmd_model *model)
{
    mmd_buffer bytes = {0};
    mmd_pmx_write(model, &bytes, NULL);
    save(folder, name, &bytes);
    sample_finish(model);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: make_corpus_models DIR\n");
        return 2;
    }
    mmd_model model;
    sample_tiny(&model, 2.0f);
    save_model(arguments[1], "pmx/tiny-2.0.pmx", &model);
    sample_tiny(&model, 2.1f);
    save_model(arguments[1], "pmx/tiny-2.1.pmx", &model);
    sample_chain(&model, 200, 40);
    save_model(arguments[1], "pmx/chain.pmx", &model);
    for (uint8_t size = 1; size <= 4; size *= 2) {
        char name[64];
        snprintf(name, sizeof name, "pmx/everything-%d-byte-indices.pmx", size);
        sample_everything(&model, size == 1, size);
        save_model(arguments[1], name, &model);
    }
    for (int tail = 0; tail <= 4; tail++) {
        char name[64];
        mmd_buffer bytes = {0};
        snprintf(name, sizeof name, "pmd/tail-blocks-%d.pmd", tail);
        sample_pmd(&bytes, tail);
        save(arguments[1], name, &bytes);
    }
    return 0;
}
