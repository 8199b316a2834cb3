/*
 * What a view draws in place of a model's materials, the colours of ids in such pictures, and the values that
 * the colour of a pixel is computed from (docs/mmd.md 6).
 */
#ifndef MMD_SURFACE_H
#define MMD_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is drawn instead of a model's materials. */
typedef enum mmd_surface {
    MMD_SURFACE_PICTURE,   /* the materials themselves */
    MMD_SURFACE_CLAY,      /* grey, lit from the eye */
    MMD_SURFACE_WEIGHTS,   /* the same, coloured by the weight of a bone: blue low, red full */
    MMD_SURFACE_MODELS,    /* flat in the mmd_id_color of the model, */
    MMD_SURFACE_MATERIALS, /* of the material, */
    MMD_SURFACE_BONES      /* or of the bone with the highest weight at one corner of the triangle */
} mmd_surface;

/* Computes the colour of an id, very different for neighbouring ids. The low four bits of red, green and blue
 * hold the low twelve bits of the id, so up to 4096 colours are unique and can be decoded. May be called from
 * any thread. */
void mmd_id_color(uint32_t id, uint8_t rgb[3]);

/* The contribution of a triangle to a pixel. */
typedef struct mmd_render_sample {
    bool covers;                          /* it contains the pixel's centre, and something is drawn there */
    float depth;                          /* value of the depth buffer, 0 near, 1 far */
    float color[4];                       /* drawn colour before blending */
    float base_color[4];                  /* colour of the material without textures; this and the
                                             following are not set for edges */
    float texture[4], sphere[4], toon[4]; /* sampled colours before the factors of morphs, or ones */
    float toon_place;                     /* coordinate in the toon texture: 0 lit, 1 facing away from the
                                             light */
    float light;                          /* fraction of light after self shadow; 1 without */
    float highlight;                      /* factor of the specular colour, without self shadow */
} mmd_render_sample;

#ifdef __cplusplus
}
#endif

#endif
