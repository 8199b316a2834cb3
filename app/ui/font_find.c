/*
 * fontconfig knows what is installed, and which of it fits Japanese best. Of
 * its list the panels take the first font that stb_truetype can read and that
 * has kana; rather a well-known one of proportional letters than a default
 * whose letters are all as wide, which fontconfig cannot tell of Japanese ones.
 */
#include "font_find.h"

#include <fontconfig/fontconfig.h>
#include <string.h>

static const char wanted_font[] = "Noto Sans CJK JP,Noto Sans JP,Source Han Sans JP,IPAexGothic,IPAPGothic,"
                                  "VL PGothic,TakaoPGothic,sans-serif:lang=ja:weight=80:slant=0";

enum fitness { FITS_NOT, READABLE, HAS_KANA };

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
        !FcCharSetHasChar(letters, 0x3042))
        return READABLE;
    return HAS_KANA;
}

static int take(FcPattern *font, char *path, size_t capacity, int *index)
{
    FcChar8 *file = NULL;
    if (FcPatternGetString(font, FC_FILE, 0, &file) != FcResultMatch ||
        FcPatternGetInteger(font, FC_INDEX, 0, index) != FcResultMatch ||
        strlen((const char *)file) >= capacity)
        return 0;
    strcpy(path, (const char *)file);
    *index &= 0xffff; /* above are instances of variable fonts */
    return 1;
}

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
