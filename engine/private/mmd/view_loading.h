/* What loading models into a view has taken, for measurements. */
#ifndef MMD_VIEW_LOADING_H
#define MMD_VIEW_LOADING_H

#include "mmd/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Times in seconds, of all models that were loaded in steps or at once. */
typedef struct mmd_view_loading {
    double measure; /* finding textures, and reading their files and headers */
    double decode;  /* decoding them, summed over all threads */
    double take;    /* of the thread that uploads: waiting for textures, or decoding them itself */
    double upload;  /* enlarging them, making their smaller levels, and handing these to the driver */
    double mesh;    /* making and uploading meshes */
} mmd_view_loading;

mmd_view_loading mmd_view_get_loading(const mmd_view *view);

#ifdef __cplusplus
}
#endif

#endif
