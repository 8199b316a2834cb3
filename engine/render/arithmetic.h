/* The arithmetic of drawing inside the module, apart from OpenGL; the rest is in mmd/render.h. */
#ifndef MMD_RENDER_ARITHMETIC_H
#define MMD_RENDER_ARITHMETIC_H

#include "mmd/render.h"

/* Column of toon01..toon10 (number 0..9), top row first (docs/mmd.md 6.9). */
void shared_toon_column(int number, uint8_t rgb[32][3]);

/*
 * projection of a picture so that a window of it fills the framebuffer: width
 * x height pixels whose top left is at left, top of the picture. Exact to
 * rounding: no pixel moves.
 */
typedef struct picture_window {
    uint32_t picture_width, picture_height;
    int32_t left, top;
    uint32_t width, height;
} picture_window;
void window_projection(const float projection[16], const picture_window *window, float result[16]);

/*
 * The self-shadow map's clip space from the world, as Direct3D has it (z from
 * 0 to w), column-major (docs/mmd.md 6.7, from nanoem): a map that hangs on the
 * camera and is finest near it. view and eye are the camera's; direction
 * points away from the light, any length; mode 1 or 2; distance as in VMD.
 */
void self_shadow_matrix(const float view[16], const float eye[3], const float direction[3], int mode,
                            float distance, float result[16]);

/* Projects the world onto the ground y = 0 along the light (docs/mmd.md 6.8). False, and the identity, where it
 * shines along the ground. */
bool ground_shadow_matrix(const float direction[3], float result[16]);

/* saturate(diffuse * light + ambient), diffuse alpha: a material's colour before textures (docs/mmd.md 6.3). */
void material_base_color(const mmd_material_values *values, const float light_color[3], float rgba[4]);

/* An accessory's colour where no light reaches it, not saturated: diffuse * (light - 0.3) + ambient, diffuse
 * alpha (docs/mmd.md 6.10). The light adds diffuse * saturate(N.L). */
void accessory_dark_color(const mmd_material_values *values, const float light_color[3], float rgba[4]);

#endif
