/*
 * Prepares a model for a view in parts, so that drawing can continue meanwhile: textures are found and
 * decoded on any thread, or on several, and uploaded to the GPU one per call. mmd_view_add_model does the
 * same at once.
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

/* Returns the number of parts: decoding and uploading of each texture, uploading of the mesh. Call it on the
 * thread that works on the load. */
uint32_t mmd_view_load_total(const mmd_view_load *load);

/*
 * Decodes the next texture and sets *more to whether there is another. May be called from any thread; does
 * not use OpenGL. Fails with MMD_ERROR_MEMORY. Broken pictures are only logged.
 */
mmd_status mmd_view_load_read(mmd_view_load *load, bool *more, mmd_error *error);

/*
 * Reads the textures of loads ahead: as many threads decode them, besides those that call mmd_view_load_read
 * and mmd_view_load_step, which then take what is read and help. At most 64 MiB of pictures wait for the
 * upload, or what the limit of memory, that of the scene, leaves.
 */
typedef struct mmd_view_reader mmd_view_reader;

/*
 * Begins to read. The loads were measured and limited, no part of them was read, and until the reader is
 * destroyed they must exist, their sources must not be used otherwise, and parts have to be read and stepped
 * in the order of the loads, on one thread at a time. Textures, messages and their order do not depend on the
 * number of threads; 0 is allowed. Fails with MMD_ERROR_MEMORY.
 */
mmd_status mmd_view_reader_create(mmd_view_load *const *loads, size_t count, const mmd_texture_memory *memory,
                                  uint32_t threads, mmd_view_reader **reader, mmd_error *error);
void mmd_view_reader_destroy(mmd_view_reader *reader); /* waits for its threads; NULL is allowed */

/* Returns whether the next step does not have to wait until a thread has decoded a texture. */
bool mmd_view_load_is_ready(const mmd_view_load *load);

/*
 * Uploads the next texture or the mesh, on the thread of the view's context. *done is set when the model is
 * in the view, replacing its previous data. A texture that could be read before but not any more keeps its
 * old contents. Fails with the errors of mmd_view_add_model; the view is unchanged then.
 */
mmd_status mmd_view_load_step(mmd_view *view, mmd_view_load *load, bool *done, mmd_error *error);

/* Destroys a load, finished or not, that is in no reader. view is the one passed to mmd_view_load_step, or
 * NULL if no step was taken. load may be NULL. */
void mmd_view_load_destroy(mmd_view *view, mmd_view_load *load);

/* --- Models of a scene, with threads --- */

/* Models that are being added to a view. */
typedef struct mmd_view_adding mmd_view_adding;

/* Zeroed is valid: no models. */
typedef struct mmd_view_adding_desc {
    const mmd_view_addition
        *models; /* copied; what they refer to must exist until they are put into the view */
    size_t count;
    const mmd_view *view; /* where they will be put; NULL: a new one, which need not exist yet */
    uint32_t threads;     /* that decode textures besides the caller's; results do not depend on it */
    bool arrives; /* for mmd_view_adding_arrive: needs a thread, and up to 256 MiB wait for the upload */
    const mmd_log *log; /* copied; NULL: the view's, or none */
} mmd_view_adding_desc;

/*
 * Add models like mmd_view_add_models, in two parts. The first one measures and begins to read textures,
 * which goes on meanwhile, such as while a context is created. It needs no OpenGL. The second one uploads.
 * Errors are those of mmd_view_add_models, also for *failed. The third one stops what is left; view is the
 * one that was passed to the second, or NULL.
 */
mmd_status mmd_view_adding_create(const mmd_view_adding_desc *desc, mmd_texture_memory *memory,
                                  mmd_view_adding **adding, size_t *failed, mmd_error *error);
mmd_status mmd_view_adding_put(mmd_view_adding *adding, mmd_view *view, size_t *failed, mmd_error *error);

/*
 * Shows models before their textures are decoded, in a new view, instead of mmd_view_adding_put. The first
 * call puts the models into the view; a material is drawn as without a picture until its own is there. Every
 * call uploads textures that are decoded until `seconds` (INFINITY: of all) have passed, and sets *arrived to
 * how many steps that were. Functions that draw to a framebuffer draw
 * what is there. All others of the view that draw, such as mmd_view_picture, and those that add or remove
 * models wait for the rest. Errors are those of mmd_view_adding_put; after one nothing more arrives, and each
 * call returns it again.
 */
mmd_status mmd_view_adding_arrive(mmd_view_adding *adding, mmd_view *view, double seconds, uint32_t *arrived,
                                  size_t *failed, mmd_error *error);

/* Returns whether all textures have arrived. */
bool mmd_view_adding_is_done(const mmd_view_adding *adding);

void mmd_view_adding_destroy(mmd_view_adding *adding, mmd_view *view); /* adding NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
