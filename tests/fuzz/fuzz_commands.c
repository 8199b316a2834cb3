/* libFuzzer target for the command table: the lines of --exec, without opening, writing and loading of files.
 * A text that begins with - finds no model, and one with ! is that of a picture.
 */
#include "fuzz.h"
#include "fuzz_folder.h"
#include "fuzz_session.h"
#include "mmd/memory.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_folder();
    fuzz_session_prepare();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    fuzz_session f;
    mmd_buffer record = {0};
    bool is_empty = size && data[0] == '-', is_picture = size && data[0] == '!';
    size_t from = is_empty || is_picture;
    fuzz_session_open(&f, !is_empty);
    f.session.record = &record;
    f.session.is_replayed = is_picture;
    fuzz_session_run(&f, data + from, size - from);
    fuzz_session_close(&f);
    mmd_buffer_finish(&record);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
