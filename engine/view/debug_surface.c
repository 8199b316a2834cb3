/* What a modeller looks at in place of the picture: clay, weights, ids; and triangles over either. */
#include <assert.h>

#include "view_internal.h"

mmd_status view_draw_surface(const view_drawn *drawn, const mmd_view_options *options, mmd_error *error)
{
    assert(drawn && options);
    mmd_surface_desc surface = {
        .kind = options->surface, .model = drawn->actor, .bone = options->weights_bone};
    if (surface.kind == MMD_SURFACE_WEIGHTS && options->weights_actor != drawn->actor)
        surface.kind = MMD_SURFACE_CLAY;
    return mmd_render_surface(drawn->instance, &drawn->desc, &surface, error);
}

mmd_status view_draw_wire(const view_drawn *drawn, const mmd_view_options *options, mmd_error *error)
{
    assert(drawn && options);
    return options->show_wireframe ? mmd_render_wire(drawn->instance, &drawn->desc, error) : MMD_OK;
}
