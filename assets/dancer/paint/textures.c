/* The table of all textures, and writing them. */
#include "textures.h"

#include "tool.h"

#include <stdio.h>

const texture texture_table[] = {
    {"tex/skin.png", 256, 256, true, false, COLOR_SKIN, texture_skin},
    {"tex/face.png", 1024, 1024, false, false, COLOR_SKIN, texture_face},
    {"tex/eye.png", 512, 512, false, false, 0x0E4462, texture_eye},
    {"tex/white.png", 256, 256, false, false, COLOR_WHITE, texture_white},
    {"tex/lash.png", 256, 256, false, false, COLOR_WHITE, texture_lash},
    {"tex/blush.png", 256, 256, false, false, 0xFF7C72, texture_blush},
    {"tex/mouth.png", 256, 256, false, false, COLOR_WHITE, texture_mouth},
    {"tex/hair.png", 1024, 1024, true, false, COLOR_CORAL, texture_hair},
    {"tex/top.png", 512, 512, true, false, COLOR_CREAM, texture_top},
    {"tex/skirt.png", 1024, 512, true, false, COLOR_INDIGO, texture_skirt},
    {"tex/pattern.png", 512, 512, true, true, COLOR_WHITE, texture_pattern},
    {"tex/obi.png", 1024, 512, true, false, COLOR_VERMILION, texture_obi},
    {"tex/bow.png", 256, 512, false, false, COLOR_VERMILION, texture_bow},
    {"tex/sock.png", 256, 256, true, false, COLOR_INDIGO, texture_sock},
    {"tex/boot.png", 512, 512, true, false, COLOR_CREAM, texture_boot},
    {"tex/gold.png", 64, 64, true, false, COLOR_GOLD, texture_gold},
    {"tex/trim.png", 64, 64, true, true, COLOR_VERMILION, texture_plain},
    {"tex/lining.png", 64, 64, true, false, COLOR_INDIGO, texture_lining},
    {"tex/hair_sphere.png", 256, 256, false, false, 0x000000, texture_hair_sphere},
    {"tex/cloth_sphere.png", 256, 256, false, false, COLOR_WHITE, texture_cloth_sphere},
    {"tex/metal_sphere.png", 256, 256, false, false, 0x000000, texture_metal_sphere},
    {"tex/toon_skin.png", 32, 32, true, false, COLOR_WHITE, texture_toon_skin},
    {"tex/toon_cloth.png", 32, 32, true, false, COLOR_WHITE, texture_toon_cloth},
    {"tex/toon_hair.png", 32, 32, true, false, COLOR_WHITE, texture_toon_hair},
};
const size_t texture_count = TOOL_COUNT(texture_table);

void texture_plain(paint_canvas *canvas)
{
    (void)canvas;
}

void texture_make(const texture *t, paint_canvas *canvas)
{
    paint_canvas_init(canvas, t->width, t->height, t->ground);
    canvas->tile_x = t->tile_x;
    canvas->tile_y = t->tile_y;
    t->paint(canvas);
}

void textures_write(const char *directory)
{
    char folder[4096];
    if (snprintf(folder, sizeof folder, "%s/tex", directory) >= (int)sizeof folder)
        tool_die("%s: too long a path", directory);
    tool_folder(folder);
    for (size_t i = 0; i < texture_count; i++) {
        paint_canvas canvas;
        mmd_buffer png = {0};
        texture_make(&texture_table[i], &canvas);
        paint_png(&canvas, &png);
        paint_canvas_finish(&canvas);
        tool_write(directory, texture_table[i].name, &png);
    }
}
