/*
 * The dancer's textures, and where on each of them what lies: what the parts
 * that make surfaces need for their UVs. u runs to the right, v down, both 0
 * to 1 over the picture. "Round" in the table below means that u = 0 and u = 1
 * are the same line, at the back of the body; u = 0.5 is the front.
 *
 *   eye      the iris: its rim is the circle of radius TEXTURE_IRIS_RADIUS round the centre;
 *            the light falls from the upper right in both eyes (do not mirror u)
 *   white    of the eye, v from under the upper lid to the lower lid
 *   lash     v across: 0 at the lid's edge, 1 at the tips; u from the inner to the outer corner
 *   blush    hatched cheek colour, transparent round it
 *   mouth    from top to bottom: teeth to v = TEXTURE_TEETH_END, the dark inside, the tongue
 *            from v = TEXTURE_TONGUE_START
 *   face     seen from the front: u = 0.5 + x / TEXTURE_FACE_SIZE, v = (TEXTURE_FACE_TOP - y) /
 *            TEXTURE_FACE_SIZE in the model's units, so that her left (+x) is at the right. At
 *            the borders, and from x = 1.7 and y = 15.85 on, it is exactly skin's colour
 *   skin     one colour, but for the shadow under the jaw, above v = TEXTURE_SKIN_SHADE, and a nail,
 *            its root below, in the square of TEXTURE_NAIL_SIZE at TEXTURE_NAIL_U and TEXTURE_NAIL_V
 *   hair     v from root to tip; u round a strand or the head, tiling
 *   top      round. Torso: v from the neckline to the waist at TEXTURE_TOP_SLEEVE; below that a
 *            sleeve, from the shoulder to the cuff at v = 1
 *   skirt    round, TEXTURE_PLEATS pleats with their folds at u = k / TEXTURE_PLEATS; v from the waist
 *            to the hem
 *   obi      round; v from the upper to the lower edge
 *   bow      a ribbon: u across it, v from the knot to its end
 *   sock     round; v from the upper edge to the ankle
 *   boot     round, laces in front; v from the upper edge to the sole's lower edge
 *   gold     one metal, v from light to dark
 *   trim     one colour, vermilion
 *   lining   the skirt's inside, v from the waist (dark) to the hem
 *   pattern  the skirt's sub-texture (sphere mode 3): tiles both ways, white at its corners
 *
 * Sphere maps: hair_sphere and metal_sphere are added, cloth_sphere multiplies.
 * Toons: the upper half is lit, the lower in shade, the last row the shadow's colour.
 */
#ifndef DANCER_TEXTURES_H
#define DANCER_TEXTURES_H

#include "paint.h"

#define TEXTURE_IRIS_RADIUS  0.46f
#define TEXTURE_FACE_SIZE    4.4f
#define TEXTURE_FACE_TOP     19.8f
#define TEXTURE_TEETH_END    0.25f
#define TEXTURE_TONGUE_START 0.62f
#define TEXTURE_TOP_SLEEVE   0.75f
#define TEXTURE_SKIN_SHADE   0.25f
#define TEXTURE_NAIL_U       0.70f
#define TEXTURE_NAIL_V       0.84f
#define TEXTURE_NAIL_SIZE    0.14f
enum { TEXTURE_PLEATS = 24 };

/* Colours that several pictures use. */
enum {
    COLOR_SKIN = 0xFFE6D8,
    COLOR_CREAM = 0xFFF6E6,
    COLOR_VERMILION = 0xE2553D,
    COLOR_INDIGO = 0x2E3A78,
    COLOR_GOLD = 0xE8BE62,
    COLOR_CORAL = 0xE9807A,
    COLOR_WHITE = 0xFFFFFF
};

typedef void texture_painter(paint_canvas *canvas);

typedef struct texture {
    const char *name; /* path of its file, relative to the model's folder */
    uint32_t width, height;
    bool tile_x, tile_y;
    uint32_t ground; /* colour of the empty canvas */
    texture_painter *paint;
} texture;

extern const texture texture_table[];
extern const size_t texture_count;

/* Paints a texture. Call paint_canvas_finish to free the canvas. */
void texture_make(const texture *t, paint_canvas *canvas);

/* Paints all textures and writes them to directory/tex, which is created if it is missing. */
void textures_write(const char *directory);

/* The painters, by file. textures_face.c: */
texture_painter texture_skin, texture_face, texture_white, texture_lash, texture_blush, texture_mouth;
/* textures_eye.c, textures_hair.c: */
texture_painter texture_eye, texture_hair;
/* textures_cloth.c, textures_skirt.c, textures_boot.c: */
texture_painter texture_top, texture_obi, texture_bow, texture_skirt, texture_lining, texture_pattern,
    texture_sock, texture_boot;
/* textures_light.c: */
texture_painter texture_gold, texture_hair_sphere, texture_cloth_sphere, texture_metal_sphere;
texture_painter texture_toon_skin, texture_toon_cloth, texture_toon_hair;
/* Leaves the canvas in its first colour. */
texture_painter texture_plain;

#endif
