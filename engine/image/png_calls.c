#include "png_calls.h"

#include <stdio.h>

#include "mmd/memory.h"

_Noreturn void on_png_error(png_structp png, png_const_charp message)
{
    png_reason *reason = png_get_error_ptr(png);
    snprintf(reason->text, sizeof reason->text, "%s", message);
    png_longjmp(png, 1);
}

void on_png_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

png_voidp alloc_for_png(png_structp png, png_alloc_size_t size)
{
    png_reason *reason = png_get_mem_ptr(png);
    void *memory = mmd_alloc(size);
    reason->lacks_memory |= !memory;
    return memory;
}

void free_for_png(png_structp png, png_voidp memory)
{
    (void)png;
    mmd_free(memory);
}
