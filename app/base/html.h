/* What HTML reports carry inside of them: pictures in data: URIs, and JSON in a script element. */
#ifndef ODORI_HTML_H
#define ODORI_HTML_H

#include <stddef.h>
#include <stdio.h>

/* Writes "data:image/png;base64,…" of a PNG file's bytes. Errors are the stream's. */
void html_put_png(FILE *out, const void *png, size_t size);

/* Returns the same as a text, for free. NULL: out of memory. */
char *html_png_text(const void *png, size_t size);

/* Writes JSON into a script element: a `<` in a text must not end the element. Errors are the stream's. */
void html_put_json(FILE *out, const char *json);

#endif
