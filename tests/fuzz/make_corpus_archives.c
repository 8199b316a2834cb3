/* Writes the corpus of fuzz_pack: make_corpus_archives FOLDER, where pack/ exists. */
#include "made_archive.h"

static void save(const char *folder, const char *name, mmd_bytes bytes)
{
    char path[4096];
    mmd_error error = {0};
    snprintf(path, sizeof path, "%s/pack/%s", folder, name);
    if (mmd_file_write(path, bytes.data, bytes.size, &error) != MMD_OK) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        exit(3);
    }
    mmd_bytes_finish(&bytes);
}

int main(int count, char **arguments)
{
    const made_file files[] = {
        {"a/表.txt", "text text text text text text", 29}, {"b", "", 0}, {"a/c", "c", 1}};
    const made_entry entries[] = {{.name = "\x95\x5c/a.pmx", .data = "a", .size = 1},
                                  {.name = "表", .utf8 = true, .data = "b", .size = 1},
                                  {.name = "..\\up", .data = "c", .size = 1, .size_said = 1ull << 33}};
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
    return 0;
}
