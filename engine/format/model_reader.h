/* What the readers of models share. Private to this module. */
#ifndef MMD_FORMAT_MODEL_READER_H
#define MMD_FORMAT_MODEL_READER_H

#include "load.h"
#include "mmd/format.h"

#include <string.h>

typedef struct model_reader {
    mmd_cursor cursor;
    mmd_model *model; /* NULL once model_reader_start failed */
} model_reader;

/* Turns size bytes of a file's text into the engine's UTF-8, as in mmd/text.h. */
typedef size_t model_text_decoder(const uint8_t *text, size_t size, char *out, size_t capacity);

/* An empty model with memory for a file of this size. False: the cursor has failed. */
bool model_reader_start(model_reader *reader, const void *data, size_t size, mmd_model_origin origin,
                        mmd_error *error);

/* A bone that is its own ancestor loses its parent. */
void model_reader_mend_circles(model_reader *reader);

/* Derives the rest and gives the model away, or destroys it and gives the error. */
mmd_status model_reader_finish(model_reader *reader, mmd_model **result);

/* Zeroed memory in the model; NULL after failing the cursor, or if it has failed. */
void *model_reader_array(model_reader *reader, size_t count, size_t size);

/* Text in the model, never NULL. */
const char *model_reader_text(model_reader *reader, const uint8_t *bytes, size_t size,
                              model_text_decoder *decode);

/* Adds to the list of references that point at nothing. */
void model_reader_broken(model_reader *reader, const char *section, uint32_t item, const char *field,
                         int64_t value);

/* value if it is below count, else -1, listed unless it was -1. */
int32_t model_reader_reference(model_reader *reader, int64_t value, uint32_t count, const char *section,
                               uint32_t item, const char *field);

/* value if it is at most max, else 0, listed. */
uint8_t model_reader_choice(model_reader *reader, uint8_t value, uint8_t max, const char *section,
                            uint32_t item, const char *field);

/* The 61 bytes of a rigid body behind its bone, and the 96 of a joint behind its bodies: the same in both. */
void model_reader_body(model_reader *reader, mmd_rigid_body *body, uint32_t item);
void model_reader_joint(model_reader *reader, mmd_joint *joint);

/* Checks the vertices' bones, once the number of bones is known. */
void model_reader_check_vertices(model_reader *reader);

/* Gives each material its run of the surface; too long runs are cut. */
void model_reader_check_materials(model_reader *reader);

#endif
