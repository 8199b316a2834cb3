/* Reasons why something cannot be edited, in the language of the panels. */
#ifndef ODORI_REFUSALS_H
#define ODORI_REFUSALS_H

#include "mmd/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct odori_session;

/* Returns the Japanese text of a refusal of the edit engine (MMD_REFUSALS), in MMD's terms, with {item}, {1}
 * and {2}; NULL for MMD_REFUSAL_NONE and MMD_REFUSAL_OWN. The panels also read it to know which letters their
 * font needs. */
const char *refusal_in_japanese(mmd_refusal refusal);

/* Returns how Japanese names the items of refusals. */
const mmd_item_texts *refusal_items_in_japanese(void);

/* Writes a refusal in the language of the panels, at most size bytes with a NUL at the end. Only why that is
 * the string mmd_edit_refusal returned for the session's edit is translated; other texts, those of plug-ins
 * included, are copied. */
void refusal_translate(const struct odori_session *s, const char *why, char *out, size_t size);

/* Returns whether a refusal means that something else moves the item (edit/controller.h). */
bool refusal_has_controller(mmd_refusal refusal);

/* Writes the name of what moves an item, in the language of the panels. Returns false if nothing else does.
 */
bool refusal_controller(struct odori_session *s, mmd_item item, char *name, size_t size);

/* Writes a refusal like refusal_translate, and the key that selects what moves the selected item, if that is
 * the reason. key NULL: names the command instead. */
void refusal_offer(struct odori_session *s, const char *why, const char *key, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif
