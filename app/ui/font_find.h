/* Finds the file of an installed font with Japanese glyphs. */
#ifndef ODORI_UI_FONT_FIND_H
#define ODORI_UI_FONT_FIND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes the path of the font that fits Japanese best, or else of any scalable font, to path (capacity bytes)
 * and its number within the file to index. Returns 0 when there is none.
 */
int ui_find_font(char *path, size_t capacity, int *index);

#ifdef __cplusplus
}
#endif

#endif
