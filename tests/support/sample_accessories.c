#include "sample_accessories.h"
#include "support.h"
#include "mmd/cursor.h"

#include <zlib.h>

/* CP932 second bytes that are syntax: 表 is 95 5C (a backslash), 悳 is 9C 7B and マ is 83 7D (braces), ポ is
 * 83 7C (a bar). */
static const char everything[] =
    "xof 0303txt 0032\n"
    "template Vector {\n <3d82ab5e-62da-11cf-ab39-0020af71e433>\n FLOAT x; FLOAT y; FLOAT z;\n}\n"
    "template Frame {\n <3d82ab46-62da-11cf-ab39-0020af71e433>\n [...]\n}\n"
    "template Mesh { <3d82ab44-62da-11cf-ab39-0020af71e433> DWORD nVertices; array Vector "
    "vertices[nVertices];"
    " DWORD nFaces; [ ... ] }\n"
    "Header {\n 1;\n 0;\n 1;\n}\n"
    "# a comment {\n"
    "Material \x83\x7c\x9c\x7b {\n"
    " 1.000000;0.500000;0.250000;0.750000;;\n 8.0;\n 0.100000;0.200000;0.300000;;\n "
    "0.050000;0.060000;0.070000;;\n"
    " TextureFilename {\n  \"tex\\\\\x95\x5c.bmp*metal.spa\";\n }\n"
    " EffectInstance { \"x.fx\"; EffectParamDWord { \"a}\"; 1; } }\n"
    "}\n"
    "Frame Root {\n"
    " FrameTransformMatrix {\n  1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 1.0,2.0,3.0,1.0;;\n }\n"
    " // another comment }\n"
    " Frame 01_body {\n"
    "  FrameTransformMatrix { 0.0,0.0,-2.0,0.0, 0.0,2.0,0.0,0.0, 2.0,0.0,0.0,0.0, 0.0,0.0,0.0,1.0;; }\n"
    "  Mesh \x83\x7d {\n"
    "   5;\n"
    "   -1.0; 0.0; 0.0;, 1.0; 0.0; 0.0;, 1.0; 1.0; 0.0;, 0.0; 1.5; 0.0;, -1.0; 1.0; 0.0;;\n"
    "   3;\n"
    "   5; 0, 4, 3, 2, 1;, 3; 0, 1, 2;, 4; 0, 2, 3, 4;;\n"
    "   MeshNormals {\n"
    "    2; 0.0; 0.0; -1.0;, 0.0; 0.0; 1.0;;\n"
    "    3; 5; 0, 0, 0, 0, 0;, 3; 1, 1, 1;, 4; 1, 1, 1, 1;;\n"
    "   }\n"
    "   MeshTextureCoords { 5; 0.0; 1.0;, 1.0; 1.0;, 1.0; 0.25;, 0.5; 0.0;, 0.0; 0.25;; }\n"
    "   MeshVertexColors { 2; 0; 1.0; 0.0; 0.0; 1.0;;, 3; 0.0; 0.5; 0.0; 0.5;;; }\n"
    "   MeshMaterialList {\n"
    "    3; 3; 2, 0, 1;;\n"
    "    { \x83\x7c\x9c\x7b }\n"
    "    Material { 0.2;0.4;0.6;1.0;; 0.0; 0.0;0.0;0.0;; 0.1;0.1;0.1;; TextureFilename { \"only.sph\"; } }\n"
    "    {late}\n"
    "   }\n"
    "   XSkinMeshHeader { 2; 4; 3; }\n"
    "   SkinWeights { \"bone\"; 1; 0; 1.0; 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0,"
    " 0.0,0.0,0.0,1.0;; }\n"
    "  }\n"
    " }\n"
    " Mesh { 4; 0.0;0.0;0.0;, 0.0;1.0;0.0;, 1.0;0.0;0.0;, 0.0;0.0;1.0;; 2; 3;0,1,2;, 3;0,3,1;; }\n"
    "}\n"
    "Material late { 0.9;0.9;0.9;1.0;; 1.0; 1.0;1.0;1.0;; 0.0;0.0;0.0;; TextureFilename { "
    "\"tex\\\\\x95\x5c.bmp\"; }"
    " }\n"
    "AnimationSet a { Animation b { {Root} AnimationKey { 4; 1; 0; 16; 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0,"
    " 0.0,0.0,1.0,0.0, 0.0,0.0,0.0,1.0;;; } } }\n";

/* A triangle, moved by 1 along x, and in a rotated frame by 2. Its normals are 0, 0, -1, its first colour is
 * half transparent orange, its texture coordinates are 0.5, 1. */
static const char shared[] =
    "xof 0303txt 0032\n"
    "Frame first {\n"
    " FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 1.0,0.0,0.0,1.0;; }\n"
    " { proto }\n"
    " Frame inner {\n"
    "  FrameTransformMatrix { -1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,-1.0,0.0, 1.0,0.0,0.0,1.0;; }\n"
    "  {proto}\n"
    "  {red}\n"
    " }\n"
    "}\n"
    "Material red { 1.0;0.0;0.0;1.0;; 5.0; 0.0;0.0;0.0;; 0.0;0.0;0.0;; }\n"
    "Mesh proto {\n"
    " 3; 0.0;0.0;0.0;, 0.0;1.0;0.0;, 1.0;0.0;0.0;; 1; 3;0,1,2;;\n"
    " MeshMaterialList { 1; 1; 0;; {red} }\n"
    " DeclData {\n"
    "  4; 2;0;3;0;, 4;0;10;0;, 15;0;5;0;, 0;0;5;1;;\n"
    "  18;\n"
    "  0, 0, 3212836864, 2164211712, 1006647296, 1,\n"
    "  0, 0, 3212836864, 4294967295, 1006647296, 1,\n"
    "  0, 0, 3212836864, 4294967295, 1006647296, 1;\n"
    " }\n"
    "}\n";

const char *sample_x_shared_text(void)
{
    return shared;
}

const char *sample_x_text(void)
{
    return everything;
}

/* The numbers of a list, collected until a token of another kind follows. */
typedef struct number_run {
    mmd_buffer *out;
    mmd_buffer numbers;
    uint32_t count, real_size;
    bool real;
} number_run;

static void end_run(number_run *run)
{
    if (run->count > 0) {
        mmd_write_u16(run->out, run->real ? 7 : 6);
        mmd_write_u32(run->out, run->count);
        mmd_write_bytes(run->out, run->numbers.data, run->numbers.size);
    }
    run->count = 0;
    run->numbers.size = 0;
}

static void add_number(number_run *run, const char *word)
{
    bool real = strchr(word, '.') != NULL;
    if (real != run->real)
        end_run(run);
    run->real = real;
    run->count++;
    double value = strtod(word, NULL);
    if (real && run->real_size == 8)
        mmd_write_bytes(&run->numbers, &value, sizeof value);
    else if (real)
        mmd_write_f32(&run->numbers, (float)value);
    else
        mmd_write_u32(&run->numbers, (uint32_t)value);
}

static void add_text(number_run *run, uint16_t code, const char *text, size_t size)
{
    end_run(run);
    mmd_write_u16(run->out, code);
    mmd_write_u32(run->out, (uint32_t)size);
    mmd_write_bytes(run->out, text, size);
}

/* Strings in binary files have no escapes. */
static const char *add_string(number_run *run, const char *text)
{
    char plain[256];
    size_t size = 0;
    while (*text != '"') {
        bool pair = (uint8_t)*text >= 0x81 && text[1];
        if (!pair && *text == '\\')
            text++;
        plain[size++] = *text++;
        if (pair)
            plain[size++] = *text++;
    }
    add_text(run, 2, plain, size);
    mmd_write_u16(run->out, 20);
    return text + 1;
}

static const char *add_word(number_run *run, const char *text)
{
    char word[256];
    size_t size = 0;
    while (*text && !strchr(" \n;,{}", *text)) {
        bool pair = (uint8_t)*text >= 0x81 && text[1];
        word[size++] = *text++;
        if (pair)
            word[size++] = *text++;
    }
    word[size] = '\0';
    char *end;
    strtod(word, &end);
    if (*end == '\0' && size > 0)
        add_number(run, word);
    else
        add_text(run, 1, word, size);
    return text;
}

/* Writes a template as a fixed one with a single member. Another test covers the other tokens of templates
 * with bytes of its own. */
static const char *add_template(number_run *run, const char *text)
{
    static const uint8_t member[] = {10, 0, 5,  0,  1,  2,  3,  4,  5,  6,  7,
                                     8,  9, 10, 11, 12, 13, 14, 15, 16, 42, 0};
    end_run(run);
    mmd_write_u16(run->out, 31);
    add_text(run, 1, "Vector", 6);
    mmd_write_bytes(run->out, member, sizeof member);
    add_text(run, 1, "x", 1);
    mmd_write_u16(run->out, 20);
    mmd_write_u16(run->out, 11);
    return strchr(text, '}') + 1;
}

static const char *add_token(number_run *run, const char *text)
{
    if (strchr(" \n;,", *text))
        return text + 1;
    if (*text == '#' || strncmp(text, "//", 2) == 0)
        return strchr(text, '\n');
    if (strncmp(text, "template ", 9) == 0)
        return add_template(run, text);
    if (*text == '"')
        return add_string(run, text + 1);
    if (*text != '{' && *text != '}')
        return add_word(run, text);
    end_run(run);
    mmd_write_u16(run->out, *text == '{' ? 10 : 11);
    return text + 1;
}

void sample_x_binary(const char *text, uint32_t real_size, mmd_buffer *out)
{
    number_run run = {.out = out, .real_size = real_size};
    mmd_write_bytes(out, text, 8);
    mmd_write_bytes(out, real_size == 8 ? "bin 0064" : "bin 0032", 8);
    for (text += 16; *text;)
        text = add_token(&run, text);
    end_run(&run);
    mmd_buffer_finish(&run.numbers);
}

void sample_x_compressed(const void *data, size_t size, mmd_buffer *out)
{
    enum { BLOCK = 32768 };
    static uint8_t stored[2 * BLOCK];
    const uint8_t *bytes = data;
    mmd_write_bytes(out, bytes, 8);
    mmd_write_bytes(out, memcmp(bytes + 8, "txt ", 4) == 0 ? "tzip" : "bzip", 4);
    mmd_write_bytes(out, bytes + 12, 4);
    mmd_write_u32(out, (uint32_t)size);
    for (size_t at = 16; at < size; at += BLOCK) {
        z_stream stream = {0};
        size_t length = size - at < BLOCK ? size - at : BLOCK;
        size_t known = at - 16 < BLOCK ? at - 16 : BLOCK;
        assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
        if (known)
            assert_int_equal(deflateSetDictionary(&stream, bytes + at - known, (uInt)known), Z_OK);
        stream.next_in = (Bytef *)(uintptr_t)(bytes + at);
        stream.avail_in = (uInt)length;
        stream.next_out = stored;
        stream.avail_out = sizeof stored;
        assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
        mmd_write_u16(out, (uint16_t)length);
        mmd_write_u16(out, (uint16_t)(stream.total_out + 2));
        mmd_write_bytes(out, "CK", 2);
        mmd_write_bytes(out, stored, stream.total_out);
        deflateEnd(&stream);
    }
}

void sample_x_grid(uint32_t side, mmd_buffer *out)
{
    mmd_write_format(out, "xof 0303txt 0032\nMesh grid {\n %u;\n", side * side);
    for (uint32_t i = 0; i < side * side; i++)
        mmd_write_format(out, "  %u.%06u; %u.%06u; %u.500000;,\n", i % side, i * 7919 % 1000000, i / side,
                         i * 104729 % 1000000, i % 3);
    mmd_write_format(out, " %u;\n", (side - 1) * (side - 1));
    for (uint32_t y = 0; y + 1 < side; y++)
        for (uint32_t x = 0; x + 1 < side; x++) {
            uint32_t a = y * side + x;
            mmd_write_format(out, "  4;%u,%u,%u,%u;,\n", a, a + side, a + side + 1, a + 1);
        }
    mmd_write_format(out, "}\n");
}
