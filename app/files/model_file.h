/*
 * A file given where a model is wanted: a model, an accessory (.x), an
 * accessory with its place (.vac), which names its .x file, or a file of
 * interchange (glTF, Ragdoll JSON).
 */
#ifndef ODORI_MODEL_FILE_H
#define ODORI_MODEL_FILE_H

#include <limits.h>

#include "mmd/exchange.h"
#include "mmd/format.h"
#include "mmd/source.h"

/* --- Where a model's textures come from --- */

/*
 * A folder or an archive: one answer for those who draw and for those who only
 * look. Model folders share textures beside them ("..\\tex"), so the source's
 * root lies up to two levels above the model's own folder.
 */
typedef struct texture_place {
    mmd_source *source;
    char folder[MMD_PATH_MAX]; /* the model's, below the source's root; "" is the root */
} texture_place;

/* Finds the place of a model file's textures; its source is NULL when out of memory. Whoever takes the source
 * destroys it. */
texture_place textures_beside(const char *model_path);

/* Finds the folder of the file system that is the source's root. False: the root is in an archive. */
bool textures_root(const texture_place *place, const char *model_path, char root[PATH_MAX]);

/* Finds the file that the model means by name, as mmd_view_add_model does. */
bool textures_find(const texture_place *place, const char *name, char path[MMD_PATH_MAX]);

/* Checks whether a file that was found is a picture that can be read; else error says why not. */
bool textures_decode(const texture_place *place, const char *path, mmd_error *error);

/* --- Model files --- */

typedef struct model_file {
    mmd_model *model;
    texture_place textures;
    mmd_vac *vac;           /* where it stands; NULL: no .vac was given */
    mmd_exchange *document; /* of a glTF or Ragdoll file, which owns the model; else NULL */
} model_file;

/* Rigid bodies of a model, whoever says what they are: how many, and of each its name ("" without) and bone,
 * or -1. */
uint32_t model_body_count(const mmd_model *model);
const char *model_body_name(const mmd_model *model, uint32_t body);
int32_t model_body_bone(const mmd_model *model, uint32_t body);

/* Tells whether a simulated body moves the bone, and not the other way round. */
bool model_bone_is_driven(const mmd_model *model, int32_t bone);

/* Tells whether anything of the model is simulated that a file of interchange says. */
bool model_has_dynamic_scene(const mmd_model *model);

/* A loss in a line: "joint.invalid (approximated) nodes[3]: min 5 -> 4". */
enum { LOSS_TEXT_MAX = 1024 };
const char *model_loss_text(const mmd_loss *loss, char text[LOSS_TEXT_MAX]);

/* Warns of what was read otherwise than it stands in a file of interchange. NULL: nothing. */
void model_tell_losses(const char *path, const mmd_exchange *document, const mmd_log *log);

/* Destroys a model, or the document that owns it. */
void model_file_destroy_model(mmd_model *model, mmd_exchange *document);

/*
 * Reads the bytes of the file at path; what a .vac names is looked for beside
 * it as textures are. Fills error's file. Whoever takes the parts destroys
 * them; after an error there are none. What is read by path may lie in an
 * archive, or be an archive or folder with a model in it (locate.h).
 */
mmd_status model_file_parse(const char *path, const mmd_bytes *bytes, model_file *file, mmd_error *error);
mmd_status model_file_read(const char *path, model_file *file, mmd_error *error);
void model_file_finish(model_file *file);

#endif
