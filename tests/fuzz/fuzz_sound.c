/* libFuzzer target for sounds, read from memory as those in archives are. */
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "media/audio_file.h"
#include "mmd/assemble.h"
#include "mmd/memory.h"

/* The input, which __wrap_mmd_locate_read gives as a file. */
static const uint8_t *input;
static size_t input_size;

bool __wrap_mmd_locate_archive(const char *path, char archive[MMD_FILE_PATH_MAX]);
mmd_status __wrap_mmd_locate_read(const char *path, mmd_bytes *bytes, mmd_error *error);

bool __wrap_mmd_locate_archive(const char *path, char archive[MMD_FILE_PATH_MAX])
{
    snprintf(archive, MMD_FILE_PATH_MAX, "%s", path);
    return true;
}

mmd_status __wrap_mmd_locate_read(const char *path, mmd_bytes *bytes, mmd_error *error)
{
    (void)path, (void)error;
    *bytes = (mmd_bytes){.data = mmd_alloc(input_size + 1), .size = input_size};
    REQUIRE(bytes->data);
    memcpy(bytes->data, input, input_size);
    return MMD_OK;
}

/* Reads the beginning, the end, and a place before the beginning. */
static void use(audio_file *file)
{
    enum { COUNT = 1500 };
    static float samples[COUNT * AUDIO_SIDES];
    int64_t length = audio_file_length(file);
    const int64_t places[] = {0, length - 700, -100};
    REQUIRE(audio_file_rate(file) >= AUDIO_RATE_MIN && audio_file_rate(file) <= AUDIO_RATE_MAX &&
            length >= 0);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (i)
            audio_file_seek(file, places[i]);
        audio_file_read(file, samples, COUNT);
        for (size_t k = 0; k < COUNT * AUDIO_SIDES; k++)
            REQUIRE(samples[k] >= -1.0f && samples[k] <= 1.0f);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    audio_file *file = NULL;
    mmd_error error = {0};
    input = data;
    input_size = size;
    if (audio_file_open("archive.zip/sound.wav", &file, &error) == MMD_OK)
        use(file);
    else
        REQUIRE(!file && error.message[0]);
    audio_file_close(file);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
