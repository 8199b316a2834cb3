/*
 * Text codecs. All text in the engine is UTF-8, NUL-terminated. Two conventions keep files unchanged when
 * they are read and written: a lone UTF-16 surrogate becomes its three-byte form (WTF-8), and U+0000 inside a
 * text becomes the two bytes C0 80. The encoders reverse both.
 *
 * All functions may be called from any thread. They write at most capacity bytes to out and return the number
 * of bytes of the whole result (without a terminator, which is not written), so a call with capacity 0
 * measures.
 */
#ifndef MMD_TEXT_H
#define MMD_TEXT_H

#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Converts CP932 (Windows' Shift_JIS with NEC and IBM extensions) to UTF-8. An incomplete character at the
 * end is dropped (names are cut by bytes). Other undefined bytes become U+FFFD. Sets *lossy (may be NULL) to
 * whether either happened.
 */
size_t mmd_utf8_from_cp932(const uint8_t *text, size_t size, char *out, size_t capacity, bool *lossy);

/*
 * Converts UTF-8 to CP932. A character that CP932 lacks becomes `?`; *lossy (may be NULL) is set to whether
 * there was one. Of two codes for a character Windows' choice is used (NEC row 13, then IBM extensions).
 */
size_t mmd_cp932_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity, bool *lossy);

/*
 * Copies text for display and for JSON: invalid UTF-8 (including WTF-8 and C0 80) becomes U+FFFD. With
 * escape_controls, characters below space, U+007F and U+0080..U+009F become \n, \t or \xNN, and those that
 * separate lines or change the direction of text (U+061C, U+200E, U+200F, U+2028..U+202E, U+2066..U+2069)
 * \uNNNN, which is safe for a terminal. If capacity > 0, the result is terminated and cut between characters.
 */
size_t mmd_text_clean(const char *text, bool escape_controls, char *out, size_t capacity);

/* Returns the bytes of the first character of a text that is not empty, if mmd_text_clean would escape it,
 * else 0. */
size_t mmd_text_control(const char *text, uint32_t *character);

/* The number of bytes by which VMD names are compared. */
enum { MMD_NAME_KEY_SIZE = 15 };

/*
 * Computes the key of a model's bone or morph name (UTF-8): its CP932 form, cut at 15 bytes, padded with
 * zeros. *lossy is as for mmd_cp932_from_utf8; *cut (may be NULL) is set to whether the name is longer than
 * 15 bytes.
 */
void mmd_name_key_from_utf8(const char *name, uint8_t key[MMD_NAME_KEY_SIZE], bool *lossy, bool *cut);

/* Computes the key of a name field in a VMD: its bytes up to a NUL, at most 15, padded with zeros. */
void mmd_name_key_from_field(const uint8_t *field, size_t size, uint8_t key[MMD_NAME_KEY_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
