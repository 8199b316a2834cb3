/* libFuzzer target for playlists, read from memory. */
#include <string.h>

#include "document/playlist.h"
#include "fuzz.h"
#include "fuzz_folder.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_folder();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    odori_playlist list = {0};
    mmd_error error = {0};
    if (playlist_parse((const char *)data, size, size % 2 ? "" : "folder", &list, &error) == MMD_OK) {
        REQUIRE(list.count > 0 && list.count <= PLAYLIST_MAX);
        for (size_t i = 0; i < list.count; i++) {
            REQUIRE(list.entries[i].scene.files.count > 0);
            for (size_t k = 0; k < list.entries[i].scene.files.count; k++)
                REQUIRE(list.entries[i].scene.files.items[k].given);
        }
    } else {
        REQUIRE(error.message[0] && error.section[0]);
    }
    playlist_finish(&list);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
