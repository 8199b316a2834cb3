/* Writes the corpora of fuzz_image, fuzz_png_text, fuzz_ids and fuzz_exr: make_corpus_pictures FOLDER, where
 * image/, png_text/, ids/ and exr/ exist. Every kind of every format, in a few pixels. */
#include <png.h>

#include "corpus_file.h"
#include "files/exr.h"
#include "mmd/cursor.h"

/* Bytes for pixels and coded data, without 0xFF, which has a meaning in JPEG. */
static uint8_t noise(size_t i)
{
    return (uint8_t)((i * 2654435761u >> 7) % 255);
}

static void write_noise(mmd_buffer *out, size_t size)
{
    for (size_t i = 0; i < size; i++)
        mmd_write_u8(out, noise(i));
}

static void write_u16_be(mmd_buffer *out, uint32_t value)
{
    mmd_write_u8(out, (uint8_t)(value >> 8));
    mmd_write_u8(out, (uint8_t)value);
}

static void write_u32_be(mmd_buffer *out, uint32_t value)
{
    write_u16_be(out, value >> 16);
    write_u16_be(out, value & 0xffff);
}

/* ------------------------------------------------------------------- PNG */

typedef struct png_kind {
    const char *name;
    int color, bits, interlace;
    bool transparent;               /* with a tRNS chunk */
    png_uint_32 height;             /* 0: 4 */
    const char *key, *text;         /* a text chunk, or NULL */
    int compression;                /* of the text: PNG_TEXT_COMPRESSION_... */
    bool text_comes_last, is_plain; /* is_plain: all pixels are 0 */
} png_kind;

static void take(png_structp png, png_bytep data, size_t size)
{
    mmd_write_bytes(png_get_io_ptr(png), data, size);
}

static void flush(png_structp png)
{
    (void)png;
}

static void write_palette(png_structp png, png_infop info, const png_kind *kind)
{
    png_color colors[16];
    png_byte alphas[3] = {0, 128, 255};
    png_color_16 clear = {.gray = 1, .red = 1, .green = 2, .blue = 3};
    for (int i = 0; i < 16; i++)
        colors[i] = (png_color){(png_byte)(i * 16), (png_byte)(255 - i), 7};
    if (kind->color == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, colors, kind->bits == 1 ? 2 : 16);
    if (kind->transparent)
        png_set_tRNS(png, info, alphas, kind->bits == 1 ? 2 : 3, &clear);
}

static void set_text(png_structp png, png_infop info, const png_kind *kind)
{
    png_text text = {.compression = kind->compression,
                     .key = (char *)(uintptr_t)kind->key,
                     .text = (char *)(uintptr_t)kind->text,
                     .text_length = strlen(kind->text)};
    if (kind->compression >= PNG_ITXT_COMPRESSION_NONE) {
        text.itxt_length = text.text_length;
        text.lang = (char *)(uintptr_t) "en";
        text.lang_key = (char *)(uintptr_t) "k";
    }
    png_set_text(png, info, &text, 1);
}

static void save_png(const char *folder, const char *corpus, const png_kind *kind)
{
    enum { WIDTH = 5 };
    png_uint_32 height = kind->height ? kind->height : 4;
    mmd_buffer out = {0};
    png_byte pixels[12][WIDTH * 8];
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &out, take, flush);
    png_set_IHDR(png, info, WIDTH, height, kind->bits, kind->color, kind->interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    write_palette(png, info, kind);
    if (kind->text && !kind->text_comes_last)
        set_text(png, info, kind);
    png_write_info(png, info);
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i / sizeof *pixels][i % sizeof *pixels] = kind->is_plain ? 0 : noise(i) & 0x0f;
    for (int pass = png_set_interlace_handling(png); pass > 0; pass--)
        for (png_uint_32 y = 0; y < height; y++)
            png_write_row(png, pixels[y]);
    if (kind->text && kind->text_comes_last)
        set_text(png, info, kind);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    corpus_save(folder, corpus, kind->name, &out);
}

static void save_pngs(const char *folder)
{
    static const png_kind kinds[] = {
        {.name = "rgb.png", .color = PNG_COLOR_TYPE_RGB, .bits = 8},
        {.name = "rgba.png", .color = PNG_COLOR_TYPE_RGBA, .bits = 8},
        {.name = "rgba-16.png", .color = PNG_COLOR_TYPE_RGBA, .bits = 16},
        {.name = "rgb-clear.png", .color = PNG_COLOR_TYPE_RGB, .bits = 8, .transparent = true},
        {.name = "rgb-16-clear.png", .color = PNG_COLOR_TYPE_RGB, .bits = 16, .transparent = true},
        {.name = "grey-1.png", .color = PNG_COLOR_TYPE_GRAY, .bits = 1},
        {.name = "grey-2.png", .color = PNG_COLOR_TYPE_GRAY, .bits = 2, .interlace = 1},
        {.name = "grey-4-clear.png", .color = PNG_COLOR_TYPE_GRAY, .bits = 4, .transparent = true},
        {.name = "grey-alpha.png", .color = PNG_COLOR_TYPE_GRAY_ALPHA, .bits = 8},
        {.name = "grey-alpha-16.png", .color = PNG_COLOR_TYPE_GRAY_ALPHA, .bits = 16, .interlace = 1},
        {.name = "palette-1-clear.png", .color = PNG_COLOR_TYPE_PALETTE, .bits = 1, .transparent = true},
        {.name = "palette-4.png", .color = PNG_COLOR_TYPE_PALETTE, .bits = 4},
        {.name = "palette-8-interlaced.png",
         .color = PNG_COLOR_TYPE_PALETTE,
         .bits = 8,
         .interlace = 1,
         .transparent = true},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        save_png(folder, "image", &kinds[i]);
}

static void save_texts(const char *folder)
{
    static const char scene[] =
        "{\"format\":1,\"models\":[{\"path\":\"folder/"
        "model.pmx\",\"hash\":\"0\"}],\"motions\":[],\"frame\":30,"
        "\"size\":[64,48],\"view\":{\"edge\":\"on\",\"background\":\"ffffff\"},\"physics\":\"off\"}";
    static const char ids[] = "{\"models\":[{\"name\":\"a\",\"materials\":[\"b\"],"
                              "\"bones\":[{\"name\":\"c\",\"physics\":true},{\"name\":\"d\"}]}]}";
    png_kind text = {
        .color = PNG_COLOR_TYPE_RGB, .bits = 8, .height = 1, .key = "odori.scene", .text = scene};
    png_kind plane = {.color = PNG_COLOR_TYPE_RGB,
                      .bits = 8,
                      .height = 3,
                      .key = "odori.ids",
                      .text = ids,
                      .is_plain = true};
    const struct {
        const char *name;
        int compression;
    } ways[] = {{"text.png", PNG_TEXT_COMPRESSION_NONE},
                {"packed.png", PNG_TEXT_COMPRESSION_zTXt},
                {"international.png", PNG_ITXT_COMPRESSION_NONE},
                {"international-packed.png", PNG_ITXT_COMPRESSION_zTXt}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        text.name = plane.name = ways[i].name;
        text.compression = plane.compression = ways[i].compression;
        plane.text_comes_last = i % 2;
        save_png(folder, "png_text", &text);
        save_png(folder, "ids", &plane);
    }
    text.name = "no-text.png";
    text.text = NULL;
    save_png(folder, "png_text", &text);
}

/* ------------------------------------------------------------------- EXR */

static void save_planes(const char *folder)
{
    static const char *const materials[] = {"b"};
    static const mmd_ids_bone bones[] = {{"c", true}, {"d", false}};
    static const mmd_ids_model model = {"a", materials, 1, bones, 2};
    static const char *const names[] = {"depth.exr", "normals.exr", "ids.exr", "all.exr"};
    static const unsigned kinds[] = {EXR_DEPTH, EXR_NORMALS, EXR_IDS, EXR_DEPTH | EXR_NORMALS | EXR_IDS};
    uint32_t ids[16][3];
    mmd_view_surface surfaces[16];
    for (uint32_t i = 0; i < 16; i++) {
        const uint32_t shown[3] = {i % 3 ? 1 : 0, i % 3 ? 1 : 0, i % 3};
        memcpy(ids[i], shown, sizeof shown);
        surfaces[i] = (mmd_view_surface){{0.0f, 0.0f, i % 3 ? -1.0f : 0.0f}, i % 3 ? 40.0f : EXR_NO_DEPTH};
    }
    const mmd_ids_plane plane = {4, 4, (const uint32_t(*)[3])ids, &model, 1};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mmd_buffer exr = {0};
        const exr_planes planes = {kinds[i], &plane, surfaces, "{}"};
        if (exr_write(&planes, &exr, NULL) == MMD_OK)
            corpus_save(folder, "exr", names[i], &exr);
        mmd_buffer_finish(&exr);
    }
}

/* ------------------------------------------------------------------- BMP */

typedef struct bmp_kind {
    const char *name;
    uint32_t header, bits, compression, colors;
    int32_t height;
} bmp_kind;

static void save_bmps(const char *folder)
{
    static const bmp_kind kinds[] = {
        {"core-8.bmp", 12, 8, 0, 0, 3},       {"bits-1.bmp", 40, 1, 0, 2, 3},
        {"bits-2.bmp", 40, 2, 0, 4, 3},       {"bits-4.bmp", 40, 4, 0, 16, -3},
        {"bits-8.bmp", 40, 8, 0, 16, 3},      {"bits-16.bmp", 40, 16, 0, 0, 3},
        {"bits-24.bmp", 40, 24, 0, 0, 3},     {"bits-32.bmp", 40, 32, 0, 0, 3},
        {"fields-16.bmp", 40, 16, 3, 0, 3},   {"fields-32.bmp", 56, 32, 3, 0, 3},
        {"fields-124.bmp", 124, 32, 6, 0, 3}, {"rle-8.bmp", 40, 8, 1, 16, 3},
        {"rle-4.bmp", 40, 4, 2, 16, 3},
    };
    /* A run, literal bytes, a move, ends of lines, the end. */
    static const uint8_t rle[] = {3, 0x12, 0, 3, 1, 2, 3, 0, 0, 0, 0, 2, 1, 1, 2, 0x21, 0, 1};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const bmp_kind *k = &kinds[i];
        bool is_core = k->header == 12, is_masked = k->compression >= 3 && k->header == 40;
        uint32_t colors = is_core ? 256 : k->colors;
        uint32_t pixels = 14 + k->header + (is_masked ? 12 : 0) + colors * (is_core ? 3 : 4);
        mmd_buffer out = {0};
        mmd_write_bytes(&out, "BM", 2);
        mmd_write_u32(&out, 0), mmd_write_u32(&out, 0), mmd_write_u32(&out, pixels),
            mmd_write_u32(&out, k->header);
        if (is_core) {
            mmd_write_u16(&out, 5), mmd_write_u16(&out, 3), mmd_write_u16(&out, 1), mmd_write_u16(&out, 8);
        } else {
            mmd_write_u32(&out, 5), mmd_write_u32(&out, (uint32_t)k->height), mmd_write_u16(&out, 1);
            mmd_write_u16(&out, (uint16_t)k->bits), mmd_write_u32(&out, k->compression);
            mmd_write_zeros(&out, 12);
            mmd_write_u32(&out, k->colors), mmd_write_u32(&out, 0);
        }
        if (k->compression >= 3)
            for (uint32_t c = 0; c < (is_masked ? 3u : 4u); c++)
                mmd_write_u32(&out, k->bits == 16 ? 0x1fu << (5 * c) : 0xffu << (8 * c));
        if (k->header > 56)
            mmd_write_zeros(&out, k->header - 56);
        write_noise(&out, pixels - out.size);
        if (k->compression == 1 || k->compression == 2)
            mmd_write_bytes(&out, rle, sizeof rle);
        else
            write_noise(&out, 3 * ((5 * k->bits + 31) / 32 * 4));
        corpus_save(folder, "image", k->name, &out);
    }
}

/* ------------------------------------------------------------- DDS, TGA */

static void save_dds(const char *folder)
{
    static const struct {
        const char *name, *code;
        uint32_t flags, bits;
        uint32_t format; /* of the DX10 header */
    } kinds[] = {{"dxt1.dds", "DXT1", 4, 0, 0},
                 {"dxt3.dds", "DXT3", 4, 0, 0},
                 {"dxt5.dds", "DXT5", 4, 0, 0},
                 {"rgb-16.dds", "\0\0\0\0", 64, 16, 0},
                 {"rgb-24.dds", "\0\0\0\0", 64, 24, 0},
                 {"rgba-32.dds", "\0\0\0\0", 65, 32, 0},
                 {"grey-8.dds", "\0\0\0\0", 0x20000, 8, 0},
                 {"dx10-bc2.dds", "DX10", 4, 0, 74},
                 {"dx10-rgba.dds", "DX10", 4, 0, 28}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mmd_buffer out = {0};
        mmd_write_bytes(&out, "DDS ", 4);
        mmd_write_u32(&out, 124), mmd_write_u32(&out, 0x1007), mmd_write_u32(&out, 5), mmd_write_u32(&out, 5);
        mmd_write_zeros(&out, 56);
        mmd_write_u32(&out, 32), mmd_write_u32(&out, kinds[i].flags);
        mmd_write_bytes(&out, kinds[i].code, 4);
        mmd_write_u32(&out, kinds[i].bits);
        for (uint32_t c = 0; c < 4; c++)
            mmd_write_u32(&out, kinds[i].bits == 16 ? (c < 3 ? 0x1fu << (5 * c) : 0x8000)
                                : kinds[i].bits == 8
                                    ? (c ? 0 : 0xff)
                                    : (c == 3 && kinds[i].bits == 24 ? 0 : 0xffu << (8 * c)));
        mmd_write_u32(&out, 0x1000);
        mmd_write_zeros(&out, 16);
        if (kinds[i].format) {
            mmd_write_u32(&out, kinds[i].format);
            mmd_write_zeros(&out, 16);
        }
        write_noise(&out, 128);
        corpus_save(folder, "image", kinds[i].name, &out);
    }
}

static void save_tgas(const char *folder)
{
    static const struct {
        const char *name;
        uint8_t kind, bits, map_bits, flags;
    } kinds[] = {{"map.tga", 1, 8, 24, 0x20},    {"rgb.tga", 2, 24, 0, 0},     {"rgba.tga", 2, 32, 0, 0x28},
                 {"rgb-16.tga", 2, 16, 0, 0},    {"grey.tga", 3, 8, 0, 0},     {"map-rle.tga", 9, 8, 16, 0},
                 {"rgba-rle.tga", 10, 32, 0, 8}, {"grey-rle.tga", 11, 8, 0, 0}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mmd_buffer out = {0};
        mmd_write_u8(&out, 0), mmd_write_u8(&out, kinds[i].map_bits != 0), mmd_write_u8(&out, kinds[i].kind);
        mmd_write_u16(&out, 0), mmd_write_u16(&out, kinds[i].map_bits ? 8 : 0),
            mmd_write_u8(&out, kinds[i].map_bits);
        mmd_write_u32(&out, 0), mmd_write_u16(&out, 4), mmd_write_u16(&out, 3);
        mmd_write_u8(&out, kinds[i].bits), mmd_write_u8(&out, kinds[i].flags);
        for (int k = 0; k < kinds[i].map_bits; k++) /* eight colours */
            mmd_write_u8(&out, (uint8_t)(k * 9));
        for (int k = 0; k < 3; k++) { /* in coded kinds: a run of two pixels, then two others */
            if (kinds[i].kind < 8) {
                write_noise(&out, 4u * kinds[i].bits / 8);
                continue;
            }
            mmd_write_u8(&out, 0x81);
            write_noise(&out, kinds[i].bits / 8);
            mmd_write_u8(&out, 1);
            write_noise(&out, 2u * kinds[i].bits / 8);
        }
        corpus_save(folder, "image", kinds[i].name, &out);
    }
}

/* ------------------------------------------------------------------ JPEG */

static void write_marker(mmd_buffer *out, uint8_t marker, uint32_t length)
{
    mmd_write_u8(out, 0xff), mmd_write_u8(out, marker);
    write_u16_be(out, length);
}

/* Writes a Huffman table of eight codes of three bits each. */
static void write_codes(mmd_buffer *out, uint8_t table)
{
    static const uint8_t symbols[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 0x11, 2, 0xf0, 0x31, 0x10, 3}};
    write_marker(out, 0xc4, 27);
    mmd_write_u8(out, table);
    for (int bits = 1; bits <= 16; bits++)
        mmd_write_u8(out, bits == 3 ? 8 : 0);
    mmd_write_bytes(out, symbols[table >> 4], 8);
}

/* Writes a scan of coefficients first to last: successive approximation as in `bits`. */
static void write_scan(mmd_buffer *out, uint8_t components, uint8_t first, uint8_t last, uint8_t bits)
{
    write_marker(out, 0xda, 6 + 2u * components);
    mmd_write_u8(out, components);
    for (uint8_t i = 1; i <= components; i++)
        mmd_write_u8(out, i), mmd_write_u8(out, 0);
    mmd_write_u8(out, first), mmd_write_u8(out, last), mmd_write_u8(out, bits);
    write_noise(out, 60);
}

static void save_jpegs(const char *folder)
{
    static const struct {
        const char *name;
        uint8_t components, sampling, adobe; /* adobe: transform + 1; 0: no such segment */
        bool progressive, restarts;
    } kinds[] = {{"grey.jpg", 1, 0x11, 0, false, false}, {"color.jpg", 3, 0x22, 0, false, true},
                 {"rgb.jpg", 3, 0x11, 1, false, false},  {"cmyk.jpg", 4, 0x11, 1, false, false},
                 {"ycck.jpg", 4, 0x21, 3, false, false}, {"progressive.jpg", 3, 0x12, 0, true, false}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mmd_buffer out = {0};
        uint8_t components = kinds[i].components;
        mmd_write_bytes(&out, "\xff\xd8", 2);
        if (kinds[i].adobe) {
            write_marker(&out, 0xee, 14);
            mmd_write_bytes(&out, "Adobe\0\x64\0\0\0\0", 11);
            mmd_write_u8(&out, kinds[i].adobe - 1);
        }
        write_marker(&out, 0xdb, 67);
        mmd_write_u8(&out, 0);
        write_noise(&out, 64);
        write_marker(&out, kinds[i].progressive ? 0xc2 : 0xc0, 8 + 3u * components);
        mmd_write_u8(&out, 8), write_u16_be(&out, 9), write_u16_be(&out, 17), mmd_write_u8(&out, components);
        for (uint8_t c = 1; c <= components; c++)
            mmd_write_u8(&out, c), mmd_write_u8(&out, c == 1 ? kinds[i].sampling : 0x11),
                mmd_write_u8(&out, 0);
        write_codes(&out, 0);
        write_codes(&out, 0x10);
        if (kinds[i].restarts) {
            write_marker(&out, 0xdd, 4);
            write_u16_be(&out, 1);
        }
        if (kinds[i].progressive) {
            write_scan(&out, components, 0, 0, 1);
            write_scan(&out, 1, 1, 63, 1);
            write_scan(&out, components, 0, 0, 0x10);
            write_scan(&out, 1, 1, 63, 0x10);
        } else {
            write_scan(&out, components, 0, 63, 0);
        }
        mmd_write_bytes(&out, "\xff\xd9", 2);
        corpus_save(folder, "image", kinds[i].name, &out);
    }
}

/* ---------------------------------------------------- GIF, PSD, PIC, PNM */

/* Codes of three bits: clear, two pixels, clear, two pixels, ..., end. */
static void write_gif_codes(mmd_buffer *out, int pixels)
{
    uint32_t bits = 0, count = 0;
    mmd_buffer codes = {0};
    for (int i = 0; i <= pixels + pixels / 2; i++) {
        uint32_t code = i == pixels + pixels / 2 ? 5 : i % 3 == 0 ? 4 : noise((size_t)i) & 3;
        for (bits |= code << count, count += 3; count >= 8; bits >>= 8, count -= 8)
            mmd_write_u8(&codes, (uint8_t)bits);
    }
    mmd_write_u8(&codes, (uint8_t)bits);
    mmd_write_u8(out, 2), mmd_write_u8(out, (uint8_t)codes.size);
    mmd_write_bytes(out, codes.data, codes.size);
    mmd_write_bytes(out, "\0;", 2);
    mmd_buffer_finish(&codes);
}

static void save_gifs(const char *folder)
{
    for (int i = 0; i < 2; i++) { /* plain; interlaced with its own colours, transparency and a comment */
        mmd_buffer out = {0};
        mmd_write_bytes(&out, i ? "GIF89a" : "GIF87a", 6);
        mmd_write_u16(&out, 4), mmd_write_u16(&out, 10);
        mmd_write_u8(&out, 0x81), mmd_write_u8(&out, 0), mmd_write_u8(&out, 0);
        write_noise(&out, 12);
        if (i)
            mmd_write_bytes(&out, "!\xf9\x04\x09\x05\0\x01\0!\xfe\x02hi\0", 14);
        mmd_write_bytes(&out, ",\0\0\0\0\x04\0\x0a\0", 9);
        mmd_write_u8(&out, i ? 0xc1 : 0);
        if (i)
            write_noise(&out, 12);
        write_gif_codes(&out, 40);
        corpus_save(folder, "image", i ? "interlaced.gif" : "plain.gif", &out);
    }
}

static void save_psds(const char *folder)
{
    for (uint32_t kind = 0; kind < 4; kind++) {
        static const char *const names[] = {"rgb.psd", "rgba-rle.psd", "rgb-16.psd", "rgba.psd"};
        uint32_t channels = kind % 2 ? 4 : 3, bits = kind == 2 ? 16 : 8;
        mmd_buffer out = {0};
        mmd_write_bytes(&out, "8BPS\0\1\0\0\0\0\0\0", 12);
        write_u16_be(&out, channels), write_u32_be(&out, 2), write_u32_be(&out, 3), write_u16_be(&out, bits);
        write_u16_be(&out, 3), write_u32_be(&out, 0), write_u32_be(&out, 0), write_u32_be(&out, 0);
        write_u16_be(&out, kind == 1);
        for (uint32_t i = 0; kind == 1 && i < 2 * channels; i++) /* lengths of rows */
            write_u16_be(&out, 4);
        for (uint32_t i = 0; kind == 1 && i < 2 * channels; i++) /* a run of two, one literal byte */
            mmd_write_bytes(&out, "\xff\x12\0\x34", 4);
        if (kind != 1)
            write_noise(&out, 6 * channels * bits / 8);
        corpus_save(folder, "image", names[kind], &out);
    }
}

static void save_others(const char *folder)
{
    for (uint8_t kind = 0; kind < 3; kind++) { /* plain, runs, both */
        static const char *const names[] = {"plain.pic", "runs.pic", "mixed.pic"};
        mmd_buffer out = {0};
        mmd_write_bytes(&out, "\x53\x80\xf6\x34\0\0\0\0", 8);
        mmd_write_zeros(&out, 80);
        mmd_write_bytes(&out, "PICT", 4);
        write_u16_be(&out, 2), write_u16_be(&out, 2);
        mmd_write_zeros(&out, 8);
        mmd_write_u8(&out, 0), mmd_write_u8(&out, 8), mmd_write_u8(&out, kind), mmd_write_u8(&out, 0xf0);
        for (int y = 0; y < 2; y++) {
            if (kind)
                mmd_write_u8(&out, kind == 1 ? 2 : y ? 129 : 1);
            write_noise(&out, 8);
        }
        corpus_save(folder, "image", names[kind], &out);
    }
    corpus_save_text(folder, "image", "color.ppm", "P6 # comment\n2 1\n255\n123456");
    corpus_save_text(folder, "image", "grey.pgm", "P5\n3\n1 15\nabc");
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    save_pngs(arguments[1]);
    save_planes(arguments[1]);
    save_texts(arguments[1]);
    save_bmps(arguments[1]);
    save_dds(arguments[1]);
    save_tgas(arguments[1]);
    save_jpegs(arguments[1]);
    save_gifs(arguments[1]);
    save_psds(arguments[1]);
    save_others(arguments[1]);
    return 0;
}
