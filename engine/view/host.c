/* Draws into the scene of a host program: takes over its camera, and leaves its framebuffer and OpenGL state
 * as it wants them. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "mmd/elementary.h"
#include "view_internal.h"

mmd_view_host mmd_default_view_host(void)
{
    mmd_view_host host = {.depth_range = {0.0f, 1.0f}, .stencil_bits = 0x80};
    for (int i = 0; i < 16; i += 5)
        host.view[i] = host.projection[i] = host.world[i] = 1.0f;
    host.world[10] = -1.0f;
    return host;
}

static void multiply(const float a[16], const float b[16], double out[16])
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++)
                sum += (double)a[4 * k + row] * (double)b[4 * column + k];
            out[4 * column + row] = sum;
        }
}

/* Computes the cofactors of the upper left 3 x 3 part, in the places of the elements, and returns its
 * determinant. */
static double cofactors(const double m[16], double out[3][3])
{
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            int c1 = (column + 1) % 3, c2 = (column + 2) % 3, r1 = (row + 1) % 3, r2 = (row + 2) % 3;
            out[column][row] = m[4 * c1 + r1] * m[4 * c2 + r2] - m[4 * c1 + r2] * m[4 * c2 + r1];
        }
    return m[0] * out[0][0] + m[1] * out[0][1] + m[2] * out[0][2];
}

/* Finds the point that a matrix maps to the origin. */
static void find_eye(const double view[16], float eye[3])
{
    double parts[3][3], determinant = cofactors(view, parts);
    for (int column = 0; column < 3; column++) {
        double sum = 0.0;
        for (int row = 0; row < 3; row++)
            sum -= parts[column][row] * view[12 + row];
        eye[column] = (float)(sum / determinant);
    }
}

/* Returns 1 if the host looks along +Z of its eye space, -1 if along -Z. Without perspective, depth tells. */
static double looks_along(const mmd_view_host *host)
{
    double z = (double)host->projection[11];
    if (z == 0.0) {
        bool falls = host->reversed_depth != (host->depth_range[0] > host->depth_range[1]);
        z = (double)host->projection[10] * (falls ? -1.0 : 1.0);
    }
    return z < 0.0 ? -1.0 : 1.0;
}

#define TAN_15 0.26794919243112271 /* half the default field of view */

/* Takes the field of view from a projection in MMD's units. Without perspective edges are as wide as with
 * MMD's field of view of 30 degrees, at the distance where the picture is as high. */
static void find_edge_scale(const double projection[16], mmd_render_scene *scene)
{
    const double degrees = 180.0 / 3.14159265358979323846;
    double scale = sqrt(projection[1] * projection[1] + projection[5] * projection[5]);
    if (projection[11] != 0.0)
        scene->fov = (float)(2.0 * mmd_atan2(1.0, scale) * degrees);
    else
        scene->edge_width =
            mmd_edge_width((float[3]){0}, (float[3]){0, 0, (float)(1.0 / (scale * TAN_15))}, 30);
}

/*
 * Divides clip(eye(world)) into a view as of mmd_camera_matrices (left-handed unless the host mirrors, in
 * MMD's units) and a projection that makes up for it.
 */
void view_host_scene(const mmd_view_host *host, mmd_render_scene *scene)
{
    assert(host && scene);
    double view[16], projection[16], parts[3][3], along = looks_along(host);
    multiply(host->view, host->world, view);
    double determinant = cofactors(view, parts), scale = mmd_cbrt(fabs(determinant));
    assert(isfinite(scale) && scale > 0.0 && "view and world are finite and can be inverted");
    /* Rounded rotations have no scale, so that equal cameras give equal pictures. */
    if (fabs(scale - 1.0) < 1e-6)
        scale = 1.0;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 3; row++)
            view[4 * column + row] *= (row == 2 ? along : 1.0) / scale;
    for (int i = 0; i < 16; i++) {
        double back = i < 8 ? scale : i < 12 ? scale * along : 1.0;
        projection[i] = (double)host->projection[i] * back;
    }
    /* With perspective, w is the distance in MMD's units, as with MMD's camera. */
    double distance = projection[11];
    for (int i = 0; i < 16; i++) {
        projection[i] = distance != 0.0 ? projection[i] / distance : projection[i];
        scene->view[i] = (float)view[i];
        scene->projection[i] = (float)projection[i];
    }
    find_eye(view, scene->eye);
    find_edge_scale(projection, scene);
    double turned = projection[0] * projection[5] - projection[1] * projection[4];
    scene->mirrored = (determinant * along < 0.0) != (turned < 0.0);
    scene->zero_to_one_depth = host->zero_to_one_depth;
    scene->reversed_depth = host->reversed_depth;
    scene->hosted = true;
    memcpy(scene->depth_range, host->depth_range, sizeof scene->depth_range);
    scene->stencil_bits = host->stencil_bits;
}

/* Tests whether all numbers of a matrix are finite. */
static bool is_finite(const float m[16])
{
    for (int i = 0; i < 16; i++)
        if (!isfinite(m[i]))
            return false;
    return true;
}

/* Tests whether a matrix turns, mirrors and scales all axes alike. */
static bool scales_alike(const float m[16])
{
    double products[6] = {0}; /* of columns with themselves, then with the next one */
    for (int k = 0; k < 3; k++)
        for (int row = 0; row < 3; row++) {
            products[k] += (double)m[4 * k + row] * m[4 * k + row];
            products[3 + k] += (double)m[4 * k + row] * m[4 * ((k + 1) % 3) + row];
        }
    for (int i = 0; i < 6; i++)
        if (!(fabs(products[i] - (i < 3 ? products[0] : 0.0)) <= 0.01 * products[0]))
            return false;
    return products[0] > 0.0;
}

/* Tests whether the matrices are such as mmd_view_host wants. */
static bool is_even(const mmd_view_host *host)
{
    return is_finite(host->view) && is_finite(host->projection) && is_finite(host->world) &&
           scales_alike(host->view) && scales_alike(host->world);
}

/* Tests the request, and what the context has to have. */
static mmd_status check_host(const mmd_view *view, const mmd_view_host *host, mmd_error *error)
{
    if (!host->place.width || !host->place.height)
        return mmd_error_set(error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
                             "the host's rectangle is empty (place.width, place.height)");
    if (!is_even(host))
        return mmd_error_set(
            error, MMD_ERROR_ARGUMENT, "", MMD_NO_OFFSET,
            "the host's matrices are not finite, or view and world do not scale all axes alike");
    if (!host->zero_to_one_depth || mmd_gpu_has_clip_control(view->gpu))
        return MMD_OK;
    return mmd_error_set(
        error, MMD_ERROR_UNSUPPORTED, "", MMD_NO_OFFSET,
        "depth from 0 to 1 in clip space needs OpenGL 4.5 or GL_ARB_clip_control, and this is %s",
        mmd_gpu_get_info(view->gpu)->version);
}

mmd_status mmd_view_draw_into(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                              const mmd_view_host *host, mmd_error *error)
{
    assert(view && stage && options && host);
    const mmd_view_place *place = &host->place;
    const view_frame frame = {place->width, place->height, host};
    const view_window window = {.framebuffer = place->framebuffer,
                                .width = place->width,
                                .height = place->height,
                                .target_left = (int32_t)place->left,
                                .target_bottom = (int32_t)place->bottom,
                                .first = true,
                                .host = host};
    mmd_gpu_state state;
    mmd_status status = check_host(view, host, error);
    if (status != MMD_OK)
        return status;
    if (host->restore_state)
        mmd_gpu_save_state(view->gpu, &state);
    status = view_prepare_arriving(view, stage, options, &frame, error);
    if (status == MMD_OK)
        status = view_draw_window(view, options, &window, error);
    if (host->restore_state)
        mmd_gpu_restore_state(view->gpu, &state);
    return status;
}

mmd_status mmd_view_surfaces_into(mmd_view *view, const mmd_stage *stage, const mmd_view_options *options,
                                  const mmd_view_host *host, uint32_t (*ids)[3], mmd_view_surface *surfaces,
                                  mmd_error *error)
{
    assert(view && stage && options && host && ids);
    const view_frame frame = {host->place.width, host->place.height, host};
    mmd_gpu_state state;
    mmd_status status = check_host(view, host, error);
    if (status != MMD_OK)
        return status;
    if (host->restore_state)
        mmd_gpu_save_state(view->gpu, &state);
    status = view_draw_surfaces(view, stage, options, &frame, ids, surfaces, error);
    if (host->restore_state)
        mmd_gpu_restore_state(view->gpu, &state);
    return status;
}
