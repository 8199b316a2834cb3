/*
 * Finds an installed Japanese font with fontconfig. From its list, sorted by how well a font matches, the
 * panels use the first one that stb_truetype can read and that has kana. Well-known proportional fonts are
 * asked for by name, because the default of some systems is a fixed-width font and fontconfig cannot tell the
 * two kinds apart in Japanese.
 */
#include "font_find.h"

#include <fontconfig/fontconfig.h>
#include <string.h>

static const char wanted_font[] = "Noto Sans CJK JP,Noto Sans JP,Source Han Sans JP,IPAexGothic,IPAPGothic,"
                                  "VL PGothic,TakaoPGothic,sans-serif:lang=ja:weight=80:slant=0";

/* How usable a font is, worst first. */
enum fitness { FITS_NOT, READABLE, HAS_KANA };

/* Rates a font. stb_truetype reads outlines in TrueType and CFF, but no bitmaps and no variable fonts. */
static enum fitness fitness_of(FcPattern *font)
{
    FcChar8 *format = NULL;
    FcCharSet *letters = NULL;
    FcBool scalable = FcFalse, variable = FcFalse;
    FcPatternGetBool(font, FC_VARIABLE, 0, &variable);
    if (FcPatternGetString(font, FC_FONTFORMAT, 0, &format) != FcResultMatch ||
        FcPatternGetBool(font, FC_SCALABLE, 0, &scalable) != FcResultMatch || !scalable || variable)
        return FITS_NOT;
    if (strcmp((const char *)format, "TrueType") != 0 && strcmp((const char *)format, "CFF") != 0)
        return FITS_NOT;
    if (FcPatternGetCharSet(font, FC_CHARSET, 0, &letters) != FcResultMatch ||
        !FcCharSetHasChar(letters, 0x3042)) /* あ */
        return READABLE;
    return HAS_KANA;
}

/* Writes the file and index of a font. Returns 0 when it has none or the path does not fit. */
static int take(FcPattern *font, char *path, size_t capacity, int *index)
{
    FcChar8 *file = NULL;
    if (FcPatternGetString(font, FC_FILE, 0, &file) != FcResultMatch ||
        FcPatternGetInteger(font, FC_INDEX, 0, index) != FcResultMatch ||
        strlen((const char *)file) >= capacity)
        return 0;
    strcpy(path, (const char *)file);
    *index &= 0xffff; /* the high bits number the instances of a variable font */
    return 1;
}

/* Writes the file of the first of the most usable fonts. */
static int take_best(FcFontSet *fonts, char *path, size_t capacity, int *index)
{
    enum fitness best = FITS_NOT;
    for (int i = 0; i < fonts->nfont; i++) {
        enum fitness fitness = fitness_of(fonts->fonts[i]);
        if (fitness > best && take(fonts->fonts[i], path, capacity, index))
            best = fitness;
    }
    return best != FITS_NOT;
}

int ui_find_font(char *path, size_t capacity, int *index)
{
    int found = 0;
    FcResult result;
    FcConfig *config = FcInitLoadConfigAndFonts();
    FcPattern *wanted = config ? FcNameParse((const FcChar8 *)wanted_font) : NULL;
    if (wanted) {
        FcConfigSubstitute(config, wanted, FcMatchPattern);
        FcDefaultSubstitute(wanted);
        FcFontSet *fonts = FcFontSort(config, wanted, FcFalse, NULL, &result);
        if (fonts) {
            found = take_best(fonts, path, capacity, index);
            FcFontSetDestroy(fonts);
        }
        FcPatternDestroy(wanted);
    }
    if (config)
        FcConfigDestroy(config);
    return found;
}
