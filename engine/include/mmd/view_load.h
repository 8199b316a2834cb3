/*
 * A model made ready for a view in parts, so that a picture need not wait for
 * it: textures are found and decoded on any thread, and given to the GPU one
 * a call. mmd_view_add_model does the same in one go.
 */
#ifndef MMD_VIEW_LOAD_H
#define MMD_VIEW_LOAD_H

#include "mmd/view.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mmd_view_load mmd_view_load;

/* Pictures decoded ahead, bytes: what does not fit is decoded when it is its turn. */
enum { MMD_VIEW_LOAD_AHEAD = 512 << 20 };

/*
 * Begins. Any thread. model and source must outlive the load, folder is
 * copied; log (may be NULL) is told of missing and broken textures, on the
 * thread that finds them. MMD_ERROR_MEMORY.
 */
mmd_status mmd_view_load_create(const mmd_model *model, mmd_source *source, const char *folder,
                                const mmd_log *log, mmd_view_load **load, mmd_error *error);

/* What messages call a model that has no name of its own: that of its file. Copied, and cut where it is long.
 * Before the first part. */
void mmd_view_load_set_title(mmd_view_load *load, const char *title);

/* mmd_view_add_model with such a title. */
mmd_status mmd_view_add_titled(mmd_view *view, const mmd_model *model, mmd_source *source, const char *folder,
                               const char *title, mmd_error *error);

/* Parts that there are, and those that were read or put to the GPU so far: of both together. The thread that
 * works on the load. */
uint32_t mmd_view_load_total(const mmd_view_load *load);

/*
 * Decodes the next texture; *more: there is another. Any thread, no GL.
 * MMD_ERROR_MEMORY: bad pictures are no error, they are told of.
 */
mmd_status mmd_view_load_read(mmd_view_load *load, bool *more, mmd_error *error);

/*
 * Gives the next texture, or the mesh, to the GPU, on the thread of the view's
 * context. *done: the model is in the view now, in place of what the view had
 * of it; a texture that cannot be read any more, but could before, stays what
 * it was. Errors of mmd_view_add_model; then the view is as it was.
 */
mmd_status mmd_view_load_step(mmd_view *view, mmd_view_load *load, bool *done, mmd_error *error);

/* Also of one that is not done. view: of its steps; NULL if none was taken. load NULL is allowed. */
void mmd_view_load_destroy(mmd_view *view, mmd_view_load *load);

#ifdef __cplusplus
}
#endif

#endif
