/* Writes the corpus of fuzz_pack: make_corpus_archives FOLDER, where pack/ exists. */
#include <zlib.h>

#include "corpus_file.h"
#include "made_archive.h"

static void save(const char *folder, const char *name, mmd_bytes bytes)
{
    corpus_save_bytes(folder, "pack", name, bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
}

/* Writes a header of RAR 4 from its type on, with its checksum before it. */
static void write_rar_header(mmd_buffer *out, const mmd_buffer *header)
{
    mmd_write_u16(out, (uint16_t)crc32(0, header->data, (uInt)header->size));
    mmd_write_bytes(out, header->data, header->size);
}

/* Writes a RAR 4 with one file that is not compressed. */
static void save_rar(const char *folder)
{
    static const char data[] = "text", name[] = "a\\c";
    mmd_buffer out = {0}, file = {0}, first = {0};
    mmd_write_bytes(&out, "Rar!\x1a\x07", 7);
    mmd_write_bytes(&first, "\x73\0\0\x0d\0\0\0\0\0\0", 11);
    write_rar_header(&out, &first);
    mmd_write_bytes(&file, "\x74\0\x80", 3);
    mmd_write_u16(&file, 32 + sizeof name - 1);
    mmd_write_u32(&file, sizeof data - 1);
    mmd_write_u32(&file, sizeof data - 1);
    mmd_write_u8(&file, 0); /* MS-DOS */
    mmd_write_u32(&file, (uint32_t)crc32(0, (const Bytef *)data, sizeof data - 1));
    mmd_write_u32(&file, 0x2a210000);          /* the date 2001-01-01 */
    mmd_write_bytes(&file, "\x14\x30\3\0", 4); /* version 2.0, stored, length of the name */
    mmd_write_u32(&file, 0x20);
    mmd_write_bytes(&file, name, sizeof name - 1);
    write_rar_header(&out, &file);
    mmd_write_bytes(&out, data, sizeof data - 1);
    mmd_write_bytes(&out, "\xc4\x3d\x7b\0\x40\7", 7);
    corpus_save(folder, "pack", "stored.rar", &out);
    mmd_buffer_finish(&first);
    mmd_buffer_finish(&file);
}

/* Writes a header of RAR 5 from its size on, with its checksum before it. All its numbers are below 128. */
static void write_rar5_header(mmd_buffer *out, const void *header, size_t size)
{
    mmd_write_u32(out, (uint32_t)crc32(0, header, (uInt)size));
    mmd_write_bytes(out, header, size);
}

static void save_rar5(const char *folder)
{
    /* size, type, flags (data), size of the data, flags (checksum), size unpacked, attributes, checksum,
     * method (stored), system, name */
    static const uint8_t file[] = {16, 2, 2, 4, 4, 4, 0x20, 0, 0, 0, 0, 0, 1, 3, 'a', '/', 'c'};
    uint8_t header[sizeof file];
    uint32_t sum = (uint32_t)crc32(0, (const Bytef *)"text", 4);
    mmd_buffer out = {0};
    memcpy(header, file, sizeof file);
    for (int i = 0; i < 4; i++)
        header[7 + i] = (uint8_t)(sum >> 8 * i);
    mmd_write_bytes(&out, "Rar!\x1a\x07\1", 8);
    write_rar5_header(&out, "\3\1\0", 4);
    write_rar5_header(&out, header, sizeof header);
    mmd_write_bytes(&out, "text", 4);
    write_rar5_header(&out, "\3\5\0", 4);
    corpus_save(folder, "pack", "stored.rar5", &out);
}

int main(int count, char **arguments)
{
    const made_file files[] = {
        {"a/表.txt", "text text text text text text", 29}, {"b", "", 0}, {"a/c", "c", 1}};
    const made_entry entries[] = {{.name = "\x95\x5c/a.pmx", .data = "a", .size = 1},
                                  {.name = "表", .utf8 = true, .data = "b", .size = 1},
                                  {.name = "..\\up", .data = "c", .size = 1, .size_said = 1ull << 33}};
    char longer[1100]; /* than MMD_PATH_MAX */
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    /* paths that lead out, into themselves and to drives, twice the same, no text, and too long */
    const made_entry names[] = {
        {.name = "a/../b", .data = "a", .size = 1}, {.name = "../up", .data = "a", .size = 1},
        {.name = "C:\\/d", .data = "a", .size = 1}, {.name = "./d", .data = "b", .size = 1},
        {.name = "folder/", .data = "", .size = 0}, {.name = "\xff\xfe", .data = "c", .size = 1},
        {.name = "..", .data = "", .size = 0},      {.name = longer, .data = "", .size = 0}};
    const made_entry short_one = {.name = "a/c", .data = "c", .size = 1, .size_said = 2};
    if (count != 2) {
        fprintf(stderr, "usage: make_corpus_archives FOLDER\n");
        return 2;
    }
    for (int kind = 0; kind < MADE_KINDS; kind++) {
        char name[32];
        snprintf(name, sizeof name, "made.%s", made_kind_name((made_kind)kind));
        save(arguments[1], name, made_archive((made_kind)kind, files, 3, NULL));
    }
    save(arguments[1], "encrypted.zip", made_archive(MADE_ZIP, files, 3, "password"));
    save(arguments[1], "windows.zip", made_zip(entries, 2));
    save(arguments[1], "lying.zip", made_zip(entries, 3));
    save(arguments[1], "names.zip", made_zip(names, sizeof names / sizeof *names));
    save(arguments[1], "short.zip", made_zip(&short_one, 1));
    save_rar(arguments[1]);
    save_rar5(arguments[1]);
    return 0;
}
