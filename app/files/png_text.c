/*
 * Reads text chunks with libpng, which decompresses and checks them. Only chunks before the pixels are read.
 */
#include "png_text.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/source.h"

enum { SIGNATURE = 8, CHUNK_MAX = 16 << 20, CHUNKS_MAX = 1000, SIDE_MAX = 1 << 20 };

typedef struct png_bytes {
    const unsigned char *at, *end;
} png_bytes;

bool png_is(const void *data, size_t size)
{
    return size >= SIGNATURE && png_sig_cmp(data, 0, SIGNATURE) == 0;
}

static void take_bytes(png_structp png, png_bytep out, size_t size)
{
    png_bytes *bytes = png_get_io_ptr(png);
    if ((size_t)(bytes->end - bytes->at) < size)
        png_error(png, "the file ends too early");
    memcpy(out, bytes->at, size);
    bytes->at += size;
}

static _Noreturn void on_error(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

/* Reads up to the pixels. libpng may leave this function by longjmp, so none of its variables is used
 * afterwards. */
static bool read_header(png_structp png, png_infop info, png_bytes *bytes)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_chunk_malloc_max(png, CHUNK_MAX);
    png_set_chunk_cache_max(png, CHUNKS_MAX);
    png_set_user_limits(png, SIDE_MAX, SIDE_MAX);
    png_set_read_fn(png, bytes, take_bytes);
    png_read_info(png, info);
    return true;
}

/* Returns a copy of the first text with this key. */
static char *find_text(png_structp png, png_infop info, const char *key)
{
    png_textp texts = NULL;
    int count = png_get_text(png, info, &texts, NULL);
    for (int i = 0; i < count; i++) {
        const png_text *text = &texts[i];
        if (strcmp(text->key, key) != 0 || !text->text)
            continue;
        bool international = text->compression >= PNG_ITXT_COMPRESSION_NONE;
        size_t length = international ? text->itxt_length : text->text_length;
        char *copy = mmd_alloc(length + 1);
        if (!copy)
            return NULL;
        memcpy(copy, text->text, length);
        copy[length] = '\0';
        return copy;
    }
    return NULL;
}

char *png_text_read(const void *data, size_t size, const char *key)
{
    png_bytes bytes = {data, (const unsigned char *)data + size};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    char *text = NULL;
    if (info && png_is(data, size) && read_header(png, info, &bytes))
        text = find_text(png, info, key);
    png_destroy_read_struct(&png, &info, NULL);
    return text;
}

char *png_text_of_file(const char *path, const char *key)
{
    mmd_bytes bytes = {0};
    if (mmd_file_read(path, &bytes, NULL) != MMD_OK)
        return NULL;
    char *text = png_text_read(bytes.data, bytes.size, key);
    mmd_bytes_finish(&bytes);
    return text;
}
