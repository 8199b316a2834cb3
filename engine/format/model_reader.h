/* Shared parts of the model readers. Private to this module. */
#ifndef MMD_FORMAT_MODEL_READER_H
#define MMD_FORMAT_MODEL_READER_H

#include "load.h"
#include "mmd/cursor.h"
#include "mmd/format.h"

#include <string.h>

typedef struct model_reader {
    mmd_cursor cursor;
    mmd_model *model; /* NULL if model_reader_start failed */
} model_reader;

/* Decodes size bytes of a file's text to UTF-8, as in mmd/text.h. */
typedef size_t model_text_decoder(const uint8_t *text, size_t size, char *out, size_t capacity);

/* Creates an empty model with memory for a file of this size. Returns false after failing the cursor. */
bool model_reader_start(model_reader *reader, const void *data, size_t size, mmd_model_origin origin,
                        mmd_error *error);

/* Removes the parent of each bone that is its own ancestor. */
void model_reader_mend_circles(model_reader *reader);

/* Computes derived data and hands the model over, or destroys it and reports the error. */
mmd_status model_reader_finish(model_reader *reader, mmd_model **result);

/* Allocates zeroed memory in an arena. Returns NULL after failing the cursor, or if it has failed before. The
 * failure is MMD_ERROR_LIMIT if the arena's limit, and not the machine, has no more. */
void *model_memory(mmd_cursor *cursor, mmd_arena *arena, size_t count, size_t size);

/* Allocates zeroed memory in the model. Returns NULL after failing the cursor, or if it has failed before. */
void *model_reader_array(model_reader *reader, size_t count, size_t size);

/* Copies a text into the model. Never NULL. */
const char *model_reader_text(model_reader *reader, const uint8_t *bytes, size_t size,
                              model_text_decoder *decode);

/* Adds a reference to a missing item to the model's list of broken references. */
void model_reader_broken(model_reader *reader, const char *section, uint32_t item, const char *field,
                         int64_t value);

/* Returns value if it is below count, otherwise -1; lists it as broken unless it was -1. */
int32_t model_reader_reference(model_reader *reader, int64_t value, uint32_t count, const char *section,
                               uint32_t item, const char *field);

/* Returns value if it is at most max, otherwise 0; lists it as broken. */
uint8_t model_reader_choice(model_reader *reader, uint8_t value, uint8_t max, const char *section,
                            uint32_t item, const char *field);

/* Read the 61 bytes of a rigid body after its bone, and the 96 bytes of a joint after its bodies, which are
 * the same in PMX and PMD. */
void model_reader_body(model_reader *reader, mmd_rigid_body *body, uint32_t item);
void model_reader_joint(model_reader *reader, mmd_joint *joint);

/* Checks the bones of vertices, once the number of bones is known. */
void model_reader_check_vertices(model_reader *reader);

/* Assigns each material its range of surface indices. Ranges that are too long are cut. */
void model_reader_check_materials(model_reader *reader);

#endif
