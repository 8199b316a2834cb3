/* A home folder with private files, and files of a stranger in its Downloads that name them. */
#ifndef ODORI_TEST_STRANGER_H
#define ODORI_TEST_STRANGER_H

#include "mmd/cursor.h"
#include "support.h"

/* Writes a file below a folder, and makes the folders between. */
void stranger_write(const char *root, const char *name, const void *data, size_t size);
void stranger_write_text(const char *root, const char *name, const char *text);
void stranger_link(const char *root, const char *name, const char *target);

/*
 * Makes root/home: .ssh/id_rsa (a text) and .ssh/key.png, Pictures/private.png, Pictures/secret.x,
 * Downloads/other/o.png, and in Downloads/miku the stranger's own files: tex/ok.png, .hid/a.png, text.png (a
 * text) and the links link.png, linkdir, hidden.png (to .hid/a.png) and in.png (to tex/ok.png).
 */
void stranger_home(const char *root);

/* Appends a PMX model with one material for each texture. */
void stranger_model(const char *const *textures, uint32_t count, mmd_buffer *out);

/* Appends a PNG: one of the user's private ones, or a plain one. */
void stranger_picture(bool is_private, mmd_buffer *out);

/* Returns whether data contain anything of a private file. */
bool stranger_leaks(const void *data, size_t size);

/* Returns whether data contain the plain picture. */
bool stranger_shows(const void *data, size_t size);

#endif
