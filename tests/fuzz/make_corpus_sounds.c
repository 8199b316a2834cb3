/* Writes the corpus of fuzz_sound with libsndfile: make_corpus_sounds FOLDER, where sound/ exists. Ogg
 * streams have random serial numbers, so that these files differ each time. */
#include <math.h>
#include <sndfile.h>

#include "corpus_file.h"

typedef struct sound_kind {
    const char *name;
    int format, channels, count;
} sound_kind;

static void save_sound(const char *folder, const sound_kind *kind)
{
    static float samples[8 * 4000];
    char path[4096];
    SF_INFO info = {.samplerate = 8000, .channels = kind->channels, .format = kind->format};
    snprintf(path, sizeof path, "%s/sound/%s", folder, kind->name);
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, sf_strerror(NULL));
        exit(3);
    }
    for (int i = 0; i < kind->count * kind->channels; i++)
        samples[i] = 0.5F * sinf(0.1F * (float)i);
    sf_writef_float(file, samples, kind->count);
    sf_close(file);
}

/* Writes a FLAC whose header leaves its length open. libsndfile takes it for the largest number. */
static void save_endless(const char *folder)
{
    enum { TOTAL = 21 }; /* of samples: the low half of this byte and four more */
    char path[4096];
    uint8_t bytes[4096];
    snprintf(path, sizeof path, "%s/sound/16.flac", folder);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (size <= TOTAL + 4 || fclose(file) != 0) {
        perror(path);
        exit(3);
    }
    bytes[TOTAL] &= 0xf0;
    memset(bytes + TOTAL + 1, 0, 4);
    corpus_save_bytes(folder, "sound", "endless.flac", bytes, size);
}

int main(int count, char **arguments)
{
    static const sound_kind kinds[] = {
        {"16.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2, 200},
        {"24.wav", SF_FORMAT_WAVEX | SF_FORMAT_PCM_24, 6, 60},
        {"float.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, 100},
        {"law.wav", SF_FORMAT_WAV | SF_FORMAT_ULAW, 1, 200},
        {"ima.wav", SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM, 2, 600},
        {"ms.wav", SF_FORMAT_WAV | SF_FORMAT_MS_ADPCM, 1, 600},
        {"gsm.wav", SF_FORMAT_WAV | SF_FORMAT_GSM610, 1, 400},
        {"rf64.wav", SF_FORMAT_RF64 | SF_FORMAT_PCM_16, 1, 100},
        {"big.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16 | SF_ENDIAN_BIG, 1, 100},
        {"8.aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_S8, 1, 100},
        {"16.au", SF_FORMAT_AU | SF_FORMAT_PCM_16, 1, 100},
        {"16.caf", SF_FORMAT_CAF | SF_FORMAT_PCM_16, 8, 50},
        {"alac.caf", SF_FORMAT_CAF | SF_FORMAT_ALAC_16, 1, 300},
        {"16.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 2, 300},
        {"vorbis.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 1, 400},
        {"opus.ogg", SF_FORMAT_OGG | SF_FORMAT_OPUS, 1, 400},
        {"layer3.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 1, 1200},
    };
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        save_sound(arguments[1], &kinds[i]);
    save_endless(arguments[1]);
    return 0;
}
