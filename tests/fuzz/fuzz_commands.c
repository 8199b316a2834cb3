/* libFuzzer target for the command table: the lines of --exec, without opening, writing and loading of files.
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
    fuzz_session_open(&f);
    f.session.record = &record;
    fuzz_session_run(&f, data, size);
    fuzz_session_close(&f);
    mmd_buffer_finish(&record);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
