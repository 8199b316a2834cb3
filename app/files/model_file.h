/* Model files of any kind: a model, an accessory (.x), an accessory with its placement (.vac, which names an
 * .x file), or an interchange file (glTF, Ragdoll JSON). */
#ifndef ODORI_MODEL_FILE_H
#define ODORI_MODEL_FILE_H

#include "mmd/exchange.h"
#include "mmd/format.h"
#include "textures.h"

typedef struct model_file {
    mmd_model *model;
    texture_location textures;
    mmd_vac *vac;           /* placement; NULL unless a .vac was given */
    mmd_exchange *document; /* glTF or Ragdoll document that owns the model; otherwise NULL */
} model_file;

/* Rigid bodies of a model, from its own list or its physics scene: their number, the name of each ("" for
 * none), and its bone, or -1. */
uint32_t model_body_count(const mmd_model *model);
const char *model_body_name(const mmd_model *model, uint32_t body);
int32_t model_body_bone(const mmd_model *model, uint32_t body);

/* Tests whether a simulated body moves the bone. */
bool model_bone_is_driven(const mmd_model *model, int32_t bone);

/* Tests whether the physics scene of an interchange file has anything to simulate. */
bool model_has_dynamic_scene(const mmd_model *model);

/* Formats a loss as one line: "joint.invalid (approximated) nodes[3]: min 5 -> 4". */
enum { LOSS_TEXT_MAX = 1024 };
const char *model_loss_text(const mmd_loss *loss, char text[LOSS_TEXT_MAX]);

/* Warns about everything in an interchange file that was read differently from what it says. document may be
 * NULL. */
void model_tell_losses(const char *path, const mmd_exchange *document, const mmd_log *log);

/* Destroys a model, or the document that owns it. */
void model_file_destroy_model(mmd_model *model, mmd_exchange *document);

/*
 * Parses the bytes of a file, or reads it; the .x file of a .vac is searched for beside it, like textures.
 * Sets the error's file. The caller destroys the parts; after an error there are none. The second accepts
 * paths into archives, and archives or folders with a model (locate.h).
 */
mmd_status model_file_parse(const char *path, const mmd_bytes *bytes, model_file *file, mmd_error *error);
mmd_status model_file_read(const char *path, model_file *file, mmd_error *error);
void model_file_finish(model_file *file);

#endif
