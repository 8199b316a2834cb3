/* fontconfig knows what is installed; the panels' font is the first of its list for Japanese that
 * stb_truetype can read. */
#include "font_find.h"

#include <fontconfig/fontconfig.h>
#include <string.h>

/* Outlines that stb_truetype reads, from one file of a name that fits. */
static int take(FcPattern *font, char *path, size_t capacity, int *index)
{
    FcChar8 *file = NULL, *format = NULL;
    FcBool scalable = FcFalse, variable = FcFalse;
    FcPatternGetBool(font, FC_VARIABLE, 0, &variable);
    if (FcPatternGetString(font, FC_FILE, 0, &file) != FcResultMatch ||
        FcPatternGetString(font, FC_FONTFORMAT, 0, &format) != FcResultMatch ||
        FcPatternGetInteger(font, FC_INDEX, 0, index) != FcResultMatch ||
        FcPatternGetBool(font, FC_SCALABLE, 0, &scalable) != FcResultMatch || !scalable || variable)
        return 0;
    if (strcmp((const char *)format, "TrueType") != 0 && strcmp((const char *)format, "CFF") != 0)
        return 0;
    if (strlen((const char *)file) >= capacity)
        return 0;
    strcpy(path, (const char *)file);
    *index &= 0xffff; /* above are instances of variable fonts */
    return 1;
}

int ui_find_font(char *path, size_t capacity, int *index)
{
    int found = 0;
    FcResult result;
    FcConfig *config = FcInitLoadConfigAndFonts();
    FcPattern *wanted = config ? FcNameParse((const FcChar8 *)"sans-serif:lang=ja:weight=80") : NULL;
    if (wanted) {
        FcConfigSubstitute(config, wanted, FcMatchPattern);
        FcDefaultSubstitute(wanted);
        FcFontSet *fonts = FcFontSort(config, wanted, FcTrue, NULL, &result);
        for (int i = 0; fonts && i < fonts->nfont && !found; i++)
            found = take(fonts->fonts[i], path, capacity, index);
        if (fonts)
            FcFontSetDestroy(fonts);
        FcPatternDestroy(wanted);
    }
    if (config)
        FcConfigDestroy(config);
    return found;
}
