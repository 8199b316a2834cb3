/* What libpng calls for errors and memory. */
#ifndef MMD_PNG_CALLS_H
#define MMD_PNG_CALLS_H

#include <png.h>
#include <stdbool.h>

/* Why libpng gave up, "" if it did not: libpng's pointer for errors and for memory. */
typedef struct png_reason {
    char text[128];
    bool lacks_memory;
} png_reason;

/* Notes the reason and jumps back to the caller's setjmp. */
_Noreturn void on_png_error(png_structp png, png_const_charp message);

/* Ignores a warning. */
void on_png_warning(png_structp png, png_const_charp message);

/* Allocate and free with mmd_alloc and mmd_free. */
png_voidp alloc_for_png(png_structp png, png_alloc_size_t size);
void free_for_png(png_structp png, png_voidp memory);

#endif
