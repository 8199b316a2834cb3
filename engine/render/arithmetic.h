/*
 * Arithmetic of drawing that is private to this module and needs no OpenGL. Public parts are in mmd/render.h.
 */
#ifndef MMD_RENDER_ARITHMETIC_H
#define MMD_RENDER_ARITHMETIC_H

#include "mmd/render.h"

/* Fills in the column of a shared toon, toon01 (number 0) to toon10 (9), top row first (docs/mmd.md 6.9). */
void shared_toon_column(int number, uint8_t rgb[32][3]);

/* Changes a picture's projection so that a window of it fills the framebuffer: width x height pixels whose
 * top left is at left, top of the picture. Exact to rounding, so pixels do not move. */
typedef struct picture_window {
    uint32_t picture_width, picture_height;
    int32_t left, top;
    uint32_t width, height;
} picture_window;
void window_projection(const float projection[16], const picture_window *window, float result[16]);

/*
 * Computes the self-shadow map's clip space from world space, in Direct3D's convention (z from 0 to w),
 * column-major (docs/mmd.md 6.7, after nanoem). The map is attached to the camera and is finest near it. view
 * and eye are the camera's; direction points away from the light and may have any length; mode is 1 or 2;
 * distance is as in VMD.
 */
void self_shadow_matrix(const float view[16], const float eye[3], const float direction[3], int mode,
                        float distance, float result[16]);

/* Computes the projection onto the ground y = 0 along the light (docs/mmd.md 6.8). Returns false, and the
 * identity, if the light is parallel to the ground. */
bool ground_shadow_matrix(const float direction[3], float result[16]);

/* Computes a material's colour before textures: saturate(diffuse * light + ambient), with the alpha of
 * diffuse (docs/mmd.md 6.3). */
void material_base_color(const mmd_material_values *values, const float light_color[3], float rgba[4]);

/* Computes an accessory's colour without direct light, not saturated: diffuse * (light - 0.3) + ambient, with
 * the alpha of diffuse (docs/mmd.md 6.10). The light adds diffuse * saturate(N.L). */
void accessory_dark_color(const mmd_material_values *values, const float light_color[3], float rgba[4]);

#endif
