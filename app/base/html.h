/* Fills the templates of HTML reports, with pictures as data: URIs and JSON in a script element. */
#ifndef ODORI_HTML_H
#define ODORI_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the bytes of a PNG file as "data:image/png;base64,…". Errors are left in the stream (ferror). */
void html_put_png(FILE *out, const void *png, size_t size);

/* Returns the same as a text that the caller frees with free, or NULL when out of memory. */
char *html_png_text(const void *png, size_t size);

/* Returns bytes as Base64, likewise. */
char *html_base64_text(const void *data, size_t size);

/* The text that replaces "{{name}}" in a page. */
typedef struct html_part {
    const char *name, *text;
    bool json; /* text is JSON for a script element: `<` is escaped, so that it cannot end the element */
} html_part;

/* Writes a page and replaces each "{{name}}" by the part of that name, or by nothing when there is none. Errors are
 * left in the stream (ferror). */
void html_put_page(FILE *out, const char *page, const html_part *parts, size_t count);

#endif
