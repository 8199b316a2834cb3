/* libFuzzer target for what the player remembers: settings, the state of a model, and recent files. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/preferences.h"
#include "fuzz.h"
#include "fuzz_folder.h"
#include "fuzz_session.h"

static char state_name[128];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *folder = fuzz_folder();
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    fuzz_session_prepare();
    digest hash = file_digest("model.pmx");
    REQUIRE(hash.text[0]);
    snprintf(state_name, sizeof state_name, "odori/models/%s", hash.text);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[PATH_MAX];
    const uint32_t no_window[2] = {0, 0};
    fuzz_session f;
    uint64_t blocks = mmd_heap_blocks_in_use();
    fuzz_folder_write("odori/settings.conf", data, size);
    fuzz_folder_write(state_name, data, size);
    fuzz_folder_write("odori/recent", data, size);
    fuzz_session_open(&f);
    preferences_restore(&f.session, true);
    preferences_restore_window(&f.session);
    for (size_t i = 0; recent_get(i, path); i++)
        REQUIRE(i < RECENT_MAX && strlen(path) < sizeof path);
    preferences_save(&f.session, no_window);
    fuzz_session_close(&f);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
