/*
 * Text codecs. Inside the engine every text is UTF-8, NUL-terminated. Two
 * habits keep files unchanged on the way through: a lone UTF-16 surrogate
 * becomes its three-byte form (WTF-8), and U+0000 inside a text becomes the
 * two bytes C0 80; the encoders turn both back.
 *
 * All functions may be called from any thread. They write at most capacity
 * bytes to out and return the number of bytes the whole result needs (without
 * a terminator; none is written), so that a call with capacity 0 measures.
 */
#ifndef MMD_TEXT_H
#define MMD_TEXT_H

#include "mmd/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * CP932 (Windows' Shift_JIS with the NEC and IBM extensions) to UTF-8. Half a
 * character at the very end is dropped (names are cut in bytes); undefined
 * bytes elsewhere become U+FFFD. *lossy (may be NULL) is set to whether either
 * happened.
 */
size_t mmd_utf8_from_cp932(const uint8_t *text, size_t size, char *out, size_t capacity, bool *lossy);

/*
 * UTF-8 to CP932. A character that CP932 lacks becomes `?`; *lossy (may be
 * NULL) tells whether there was one. Of two codes for a character Windows'
 * choice is taken (NEC row 13, then IBM extensions).
 */
size_t mmd_cp932_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity, bool *lossy);

/* UTF-16LE to UTF-8. An odd last byte is ignored. */
size_t mmd_utf8_from_utf16le(const uint8_t *text, size_t size, char *out, size_t capacity);

/* UTF-8 to UTF-16LE; an invalid byte becomes U+FFFD. */
size_t mmd_utf16le_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity);

/* UTF-8 with embedded NULs to the engine's form (C0 80). Other bytes pass as they are. And back. */
size_t mmd_utf8_from_file(const uint8_t *text, size_t size, char *out, size_t capacity);
size_t mmd_file_from_utf8(const char *text, size_t size, uint8_t *out, size_t capacity);

/*
 * Copies text for showing to people and for JSON: invalid UTF-8 (WTF-8 and C0
 * 80 included) becomes U+FFFD. With escape_controls, characters below space,
 * U+007F and U+0080..U+009F become \n, \t, \xNN: safe on a terminal. Result
 * terminated if capacity > 0, cut at a character.
 */
size_t mmd_text_clean(const char *text, bool escape_controls, char *out, size_t capacity);

/* The 15 bytes a VMD compares names by. */
enum { MMD_NAME_KEY_SIZE = 15 };

/*
 * The key of a model's bone or morph name (UTF-8): its CP932 form, cut at 15
 * bytes, zeros behind. *lossy as in mmd_cp932_from_utf8; *cut (may be NULL):
 * whether the name is longer than 15 bytes.
 */
void mmd_name_key_from_utf8(const char *name, uint8_t key[MMD_NAME_KEY_SIZE], bool *lossy, bool *cut);

/* The key of a name field in a VMD: its first bytes up to a NUL or 15, zeros behind. */
void mmd_name_key_from_field(const uint8_t *field, size_t size, uint8_t key[MMD_NAME_KEY_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
