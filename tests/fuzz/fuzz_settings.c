/* libFuzzer target for what the player remembers: settings, the state of a model, the offset of a sound, and
 * recent files. All of them are links to the same file. What is saved is only looked at.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "document/audio.h"
#include "document/document.h"
#include "document/preferences.h"
#include "fuzz.h"
#include "fuzz_folder.h"
#include "fuzz_session.h"

static odori_audio *audio;
static document remembered;

/* Names of the files that were saved last. */
static char saved[3][MMD_FILE_PATH_MAX];
static size_t saved_count;

bool __wrap_output_write(const char *path, const void *data, size_t size);

bool __wrap_output_write(const char *path, const void *data, size_t size)
{
    const char *text = data;
    REQUIRE(path[0] == '/' && saved_count < sizeof saved / sizeof *saved);
    REQUIRE(size == 0 || text[size - 1] == '\n');
    snprintf(saved[saved_count++], MMD_FILE_PATH_MAX, "%s", path);
    return true;
}

/* Restores everything from the file, and saves everything. */
static void run(void)
{
    static char path[MMD_FILE_PATH_MAX];
    const uint32_t window_size[2] = {640, 480};
    fuzz_session f;
    audio_memory memory = {0};
    saved_count = 0;
    audio_set_offset(audio, 0);
    audio_set_volume(audio, 1);
    fuzz_session_open(&f, true);
    f.session.owner = &remembered;
    f.session.remembers = true;
    preferences_restore(&f.session, true);
    preferences_restore_window(&f.session);
    audio_memory_follow(&memory, &f.session);
    for (size_t i = 0; recent_get(i, path); i++)
        REQUIRE(i < RECENT_MAX && strlen(path) < sizeof path);
    preferences_save(&f.session, window_size);
    audio_set_offset(audio, audio_offset(audio) + (audio_offset(audio) > 0 ? -0.5 : 0.5));
    audio_memory_keep(&memory, &f.session);
    fuzz_session_close(&f);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *folder = fuzz_folder();
    char input[MMD_FILE_PATH_MAX];
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("XDG_STATE_HOME", folder, 1);
    fuzz_session_prepare();
    fuzz_folder_write("song.wav", "RIFF", 4);
    fuzz_folder_write("input", "", 0);
    audio = audio_create();
    REQUIRE(audio);
    audio_play(audio, NULL, "song.wav");
    remembered.audio = audio;
    run();
    REQUIRE(saved_count == 3);
    snprintf(input, sizeof input, "%s/input", folder);
    for (size_t i = 0; i < saved_count; i++)
        REQUIRE(symlink(input, saved[i]) == 0);
    REQUIRE(symlink(input, "odori/recent") == 0);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    fuzz_folder_write("input", data, size);
    run();
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
