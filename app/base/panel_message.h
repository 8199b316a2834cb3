/* Messages of the player's panels, as panel_log (message.h) lists them. C++ can include this header. */
#ifndef ODORI_PANEL_MESSAGE_H
#define ODORI_PANEL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum message_kind {
    MESSAGE_LOG,     /* of the engine, for its page only */
    MESSAGE_EDIT,    /* an edit as a command line, for its page only */
    MESSAGE_NEWS,    /* something was done: shown over the picture for a while */
    MESSAGE_WARNING, /* of the engine, about a file: shown as long as a refusal, one at a time, and once */
    MESSAGE_REFUSAL, /* something was not done, but nothing is lost: shown for a longer while */
    MESSAGE_ERROR    /* something is lost, such as a file or an edit: shown until it is closed */
} message_kind;

typedef struct panel_message {
    const char *text;
    message_kind kind;
    size_t number; /* of the message, counted from 0 */
    bool is_open;  /* shown over the picture */
} panel_message;

#ifdef __cplusplus
extern "C" {
#endif

/* Copies a message with the names of files in place of their paths: "/home/me/miku.pmx: no model" becomes
 * "miku.pmx: no model". A text that does not fit is cut. Returns whether it differs from the message. */
bool message_brief(const char *text, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
