/* Writes the corpora of fuzz_x and fuzz_vac: make_corpus_accessories FOLDER, where x/ and vac/ exist. */
#include "sample_accessories.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void save(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(3);
    }
}

static void save_compressed(const char *folder, const char *name, const void *bytes, size_t size)
{
    mmd_buffer out = {0};
    sample_x_compressed(bytes, size, &out);
    save(folder, name, out.data, out.size);
    mmd_buffer_finish(&out);
}

static void save_accessories(const char *folder)
{
    const char *text = sample_x_text(), *shared = sample_x_shared_text();
    mmd_buffer binary = {0}, wide = {0}, grid = {0}, packed = {0};
    sample_x_binary(text, 4, &binary);
    sample_x_binary(text, 8, &wide);
    sample_x_grid(4, &grid);
    sample_x_binary(shared, 4, &packed);
    save(folder, "x/shared.x", shared, strlen(shared));
    save(folder, "x/shared-binary.x", packed.data, packed.size);
    save(folder, "x/everything.x", text, strlen(text));
    save(folder, "x/binary.x", binary.data, binary.size);
    save(folder, "x/binary-64.x", wide.data, wide.size);
    save(folder, "x/grid.x", grid.data, grid.size);
    save_compressed(folder, "x/compressed.x", text, strlen(text));
    save_compressed(folder, "x/compressed-binary.x", binary.data, binary.size);
    mmd_buffer_finish(&packed);
    mmd_buffer_finish(&grid);
    mmd_buffer_finish(&wide);
    mmd_buffer_finish(&binary);
}

/* A triangle with a vertex format, with a declaration of all types, and a binary file with single numbers. */
static void save_packed(const char *folder)
{
#define MESH "Mesh{3;0;0;0;,1;0;0;,0;1;0;;1;3;0,1,2;;"
    static const char format[] =
        "xof 0302txt 0032\n" MESH
        "FVFData{786162;9;1065353216,0,0,9,4278190335,4294967295,1056964608,1048576000,7;}}";
    static const char types[] =
        "xof 0302txt 0032\n" MESH "DeclData{6;5;0;5;0;,8;0;5;1;,9;0;5;2;,10;0;5;3;,15;0;5;4;,6;0;3;0;;"
        "9;8388736,1,2,3,4,5,6,7,8;}}";
    static const char wrong[] =
        "xof 0303txt 0064\nFrame a{FrameTransformMatrix{nan,-inf,1.#IND,1.5f,0,0,0,0,0,0,0,0,0,"
        "0,0,1;;}" MESH "MeshMaterialList{2;1;7;Material{1;1;1;1;;0;0;0;0;;0;0;0;;"
        "TextureFilename{\"a.png\";}}}}}";
    static const uint8_t single[] = "xof 0302bin 0032\1\0\4\0\0\0Mesh\12\0\3\0\1\0\0\0\23\0\24\0\13";
    save(folder, "x/format.x", format, sizeof format - 1);
    save(folder, "x/types.x", types, sizeof types - 1);
    save(folder, "x/wrong.x", wrong, sizeof wrong - 1);
    save(folder, "x/single.x", single, sizeof single);
}

static void save_placements(const char *folder)
{
    static const char whole[] = "\x83\x7d\x83\x43\x83\x4e\r\ntool\\\x95\x5c.x\r\n1.5\r\n0.0,-1.0,0.5\r\n"
                                "90.0,-180.0,1e1\r\n\x89\x45\x8e\xe8\r\n";
    static const char blanks[] = " a\t\n\tb.x \n 2 \n 1 , 2 ,nan, 3\n,,1e99\n";
    static const char cut[] = "a\rb.X\r2\r1,2";
    save(folder, "vac/whole.vac", whole, sizeof whole - 1);
    save(folder, "vac/cut.vac", cut, sizeof cut - 1);
    save(folder, "vac/blanks.vac", blanks, sizeof blanks - 1);
    save(folder, "vac/nameless.vac", "a\n\n1\n", 5);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    save_accessories(arguments[1]);
    save_packed(arguments[1]);
    save_placements(arguments[1]);
    return 0;
}
