/* What the player's panels show, as set by commands. Pictures do not use it. */
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

/* Which messages the page of messages lists. */
typedef enum panel_messages {
    PANEL_MESSAGES_ALL,
    PANEL_MESSAGES_ERRORS,
    PANEL_MESSAGES_EDITS
} panel_messages;

/* Zeroed: the defaults. */
typedef struct panel_settings {
    bool shown;
    bool hides_timeline; /* hides the timeline even where the pointer moves */
    bool sheet;          /* shows the dope sheet above the timeline */
    panel_page page;
    panel_language language;
    double scale;        /* scale of texts and controls; 0: the display's */
    double panels_width; /* points; 0: the usual one */
    double sheet_height;
    bool passes;       /* measures each pass of drawing, which costs time */
    bool hides_toasts; /* shows messages on their page only, not over the picture */
    panel_messages messages;
    /* Full screen begins without panels and dope sheet. These were shown before it, and are after it. */
    bool full, shown_before, sheet_before;
    bool first;     /* shows the first page until something plays */
    bool greets;    /* shows the timeline in the first seconds, and a hint of the keys if hints > 0 */
    unsigned hints; /* number of starts at which the hint is still to be shown */
    /* Settings of the player beside the panels: */
    bool continues;      /* a model starts at the frame at which it was left, not at the first one */
    bool pale;           /* models have a pale background and a ground shadow, not MMD's white */
    char pictures[1024]; /* folder of pictures without a name; "": that of the desktop */
} panel_settings;

#endif
