/*
 * Prepares a model for a view in parts, so that drawing can continue meanwhile: textures are found and
 * decoded on any thread and uploaded to the GPU one per call. mmd_view_add_model does the same at once.
 */
#ifndef MMD_VIEW_LOAD_H
#define MMD_VIEW_LOAD_H

#include "mmd/view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_view_load mmd_view_load;

/* Limit of decoded textures waiting for upload, in bytes. Others are decoded when they are uploaded. */
enum { MMD_VIEW_LOAD_AHEAD = 512 << 20 };

/*
 * Creates a load. model and source must outlive it, folder is copied. log (may be NULL) receives warnings of
 * missing and broken textures on the thread that finds them. May be called from any thread. Fails with
 * MMD_ERROR_MEMORY.
 */
mmd_status mmd_view_load_create(const mmd_model *model, mmd_source *source, const char *folder,
                                const mmd_log *log, mmd_view_load **load, mmd_error *error);

/* Sets the title of a model without a name for messages, such as its file name. Copied, cut if long. Call it
 * before the first part is read. */
void mmd_view_load_set_title(mmd_view_load *load, const char *title);

/*
 * Finds the textures, reads the headers of their files, and adds what they take to memory, whose limit is
 * that of the whole scene. The second function decides their sizes after that was done for all models of the
 * scene. Call both before the first part is read, on the thread that reads; otherwise the textures of this
 * model alone have the default limit. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_view_load_measure(mmd_view_load *load, mmd_texture_memory *memory, mmd_error *error);
void mmd_view_load_limit(mmd_view_load *load, const mmd_texture_memory *memory);

/* Adds the textures of all models in a view, except one (or NULL), to memory. */
void mmd_view_measure_textures(const mmd_view *view, const mmd_model *except, mmd_texture_memory *memory);

/* Return the number of parts (decoding and uploading of each texture, uploading of the mesh), and how many of
 * them are done. Call them on the thread that works on the load. */
uint32_t mmd_view_load_total(const mmd_view_load *load);

/*
 * Decodes the next texture and sets *more to whether there is another. May be called from any thread; does
 * not use OpenGL. Fails with MMD_ERROR_MEMORY. Broken pictures are only logged.
 */
mmd_status mmd_view_load_read(mmd_view_load *load, bool *more, mmd_error *error);

/*
 * Uploads the next texture or the mesh, on the thread of the view's context. *done is set when the model is
 * in the view, replacing its previous data. A texture that could be read before but not any more keeps its
 * old contents. Fails with the errors of mmd_view_add_model; the view is unchanged then.
 */
mmd_status mmd_view_load_step(mmd_view *view, mmd_view_load *load, bool *done, mmd_error *error);

/* Destroys a load, finished or not. view is the one passed to mmd_view_load_step, or NULL if no step was
 * taken. load may be NULL. */
void mmd_view_load_destroy(mmd_view *view, mmd_view_load *load);

#ifdef __cplusplus
}
#endif

#endif
