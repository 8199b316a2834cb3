/* What the player's panels show, as commands say. A picture knows nothing of it. */
#ifndef ODORI_PANEL_SETTINGS_H
#define ODORI_PANEL_SETTINGS_H

#include <stdbool.h>

typedef enum panel_page {
    PANEL_MODELS,
    PANEL_MORPHS,
    PANEL_BONES,
    PANEL_EDIT,
    PANEL_MATERIALS,
    PANEL_PHYSICS,
    PANEL_VIEW,
    PANEL_STATISTICS,
    PANEL_LOG,
    PANEL_PAGES
} panel_page;

typedef enum panel_language { PANEL_LANGUAGE_AUTO, PANEL_ENGLISH, PANEL_JAPANESE } panel_language;

/* Zero-initialise. */
typedef struct panel_settings {
    bool shown;
    bool no_timeline; /* not even where the pointer moves */
    bool sheet; /* of keys, above the timeline */
    panel_page page;
    panel_language language;
    double scale; /* of texts and what is around them; 0: the display's */
    bool passes;  /* each pass of drawing is measured, which takes time */
} panel_settings;

#endif
