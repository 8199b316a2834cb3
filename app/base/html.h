/* Pages of reports: templates that are filled, with pictures in data: URIs and JSON in a script element. */
#ifndef ODORI_HTML_H
#define ODORI_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes "data:image/png;base64,…" of a PNG file's bytes. Errors are the stream's. */
void html_put_png(FILE *out, const void *png, size_t size);

/* Returns the same as a text, for free. NULL: out of memory. */
char *html_png_text(const void *png, size_t size);

/* What is put into a page in place of "{{name}}". */
typedef struct html_part {
    const char *name, *text;
    bool json; /* goes into a script element: a `<` in a text must not end the element */
} html_part;

/* Writes a page with its parts in their places; all of them are among parts. Errors are the stream's. */
void html_put_page(FILE *out, const char *page, const html_part *parts, size_t count);

#endif
