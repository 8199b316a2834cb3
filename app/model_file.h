/*
 * A file given where a model is wanted: a model, an accessory (.x), or an
 * accessory with its place (.vac), which names its .x file.
 */
#ifndef ODORI_MODEL_FILE_H
#define ODORI_MODEL_FILE_H

#include "mmd/format.h"
#include "textures.h"

typedef struct model_file {
    mmd_model *model;
    texture_place textures;
    mmd_vac *vac; /* where it stands; NULL: no .vac was given */
} model_file;

/*
 * Reads the bytes of the file at path; what a .vac names is looked for beside
 * it as textures are. Fills error's file. Whoever takes the parts destroys
 * them; after an error there are none.
 */
mmd_status model_file_parse(const char *path, const mmd_bytes *bytes, model_file *file, mmd_error *error);
mmd_status model_file_read(const char *path, model_file *file, mmd_error *error);
void model_file_finish(model_file *file);

#endif
