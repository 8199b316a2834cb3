/* Where an installed font with Japanese letters lies. */
#ifndef ODORI_UI_FONT_FIND_H
#define ODORI_UI_FONT_FIND_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Asks fontconfig for the font that fits Japanese best; else one that is at
 * least scalable. path takes up to capacity bytes, index which font of the
 * file it is. 0: there is none.
 */
int ui_find_font(char *path, size_t capacity, int *index);

#ifdef __cplusplus
}
#endif

#endif
