/* Saving of a corpus's files, for make_corpus_*.c. */
#ifndef ODORI_CORPUS_FILE_H
#define ODORI_CORPUS_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mmd/cursor.h"

/* Writes FOLDER/CORPUS/NAME. Ends the program if it cannot. */
static inline void corpus_save_bytes(const char *folder, const char *corpus, const char *name,
                                     const void *data, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", folder, corpus, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(3);
    }
}

/* Writes a buffer likewise, and finishes it. */
static inline void corpus_save(const char *folder, const char *corpus, const char *name, mmd_buffer *bytes)
{
    corpus_save_bytes(folder, corpus, name, bytes->data, bytes->size);
    mmd_buffer_finish(bytes);
}

static inline void corpus_save_text(const char *folder, const char *corpus, const char *name,
                                    const char *text)
{
    corpus_save_bytes(folder, corpus, name, text, strlen(text));
}

#endif
