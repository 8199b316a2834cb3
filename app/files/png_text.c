/*
 * Reads a text chunk with libpng, which decompresses and checks it. libpng gets no other chunk of the file,
 * because a stranger's picture may have thousands of texts that each unpack to megabytes. Only chunks before
 * the pixels are read.
 */
#include "png_text.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "mmd/memory.h"
#include "mmd/source.h"

enum { SIGNATURE = 8, CHUNK_MAX = 16 << 20 };

typedef struct png_bytes {
    const unsigned char *at, *end;
} png_bytes;

/* What libpng reads: the beginning of a picture of 1 x 1, the chunk, and the beginning of its pixels. */
enum { PIECES = 3 };
static const unsigned char beginning[] =
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\0\0\0\0\x3a\x7e\x9b\x55",
                           pixels[] = "\0\0\0\0IDAT";

bool png_is(const void *data, size_t size)
{
    return size >= SIGNATURE && png_sig_cmp(data, 0, SIGNATURE) == 0;
}

/* Finds the first text with a key before the pixels. Returns the whole chunk, or nothing. */
static png_bytes find_chunk(const unsigned char *data, size_t size, const char *key)
{
    enum { LENGTH = 4, TYPE = 4, CRC = 4 };
    size_t key_size = strlen(key) + 1;
    for (size_t at = SIGNATURE; size - at >= LENGTH + TYPE + CRC;) {
        const unsigned char *chunk = data + at, *type = chunk + LENGTH;
        size_t length = png_get_uint_32(chunk);
        if (length > size - at - LENGTH - TYPE - CRC || memcmp(type, "IDAT", TYPE) == 0)
            break;
        bool is_text = memcmp(type, "tEXt", TYPE) == 0 || memcmp(type, "zTXt", TYPE) == 0 ||
                       memcmp(type, "iTXt", TYPE) == 0;
        at += LENGTH + TYPE + length + CRC;
        if (is_text && length >= key_size && memcmp(type + TYPE, key, key_size) == 0)
            return (png_bytes){chunk, data + at};
    }
    return (png_bytes){0};
}

/* Gives libpng the pieces, one after the other. */
static void take_bytes(png_structp png, png_bytep out, size_t size)
{
    png_bytes *pieces = png_get_io_ptr(png);
    for (int i = 0; i < PIECES && size; i++) {
        size_t left = (size_t)(pieces[i].end - pieces[i].at), some = left < size ? left : size;
        memcpy(out, pieces[i].at, some);
        pieces[i].at += some;
        out += some;
        size -= some;
    }
    if (size)
        png_error(png, "the file ends too early");
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
static bool read_header(png_structp png, png_infop info, png_bytes pieces[PIECES])
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_chunk_malloc_max(png, CHUNK_MAX);
    png_set_read_fn(png, pieces, take_bytes);
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
    png_bytes chunk = png_is(data, size) ? find_chunk(data, size, key) : (png_bytes){0};
    png_bytes pieces[PIECES] = {
        {beginning, beginning + sizeof beginning - 1}, chunk, {pixels, pixels + sizeof pixels - 1}};
    if (!chunk.at)
        return NULL;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    char *text = NULL;
    if (info && read_header(png, info, pieces))
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
