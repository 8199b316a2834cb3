/* Tests sound: reading of valid and hostile files, and that the dance stays with the sound. The device is
 * OpenAL's loopback: the test looks at what it renders, and no real clock is involved. */
#include "support.h"

#include <fcntl.h>
#include <sndfile.h>
#include <unistd.h>

#include "media/playback.h"
#include "media/audio_file.h"
#include "media/audio_output.h"
#include "damage.h"

enum { RATE = 22050, CLICK = 24, DEVICE_RATE = 48000, PERIOD = 1024 };

/* --- Files --- */

typedef struct fixture {
    char folder[64];
    char path[128];
} fixture;

static int make_folder(void **state)
{
    fixture *it = calloc(1, sizeof *it);
    strcpy(it->folder, "/tmp/odori-audio-XXXXXX");
    *state = it;
    return mkdtemp(it->folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    fixture *it = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", it->folder);
    int result = system(command);
    free(it);
    return result;
}

static const char *path_of(fixture *it, const char *name)
{
    snprintf(it->path, sizeof it->path, "%s/%s", it->folder, name);
    return it->path;
}

static SNDFILE *create(const char *path, int format, int channels, int rate)
{
    SF_INFO info = {.samplerate = rate, .channels = channels, .format = format};
    return sf_open(path, SFM_WRITE, &info);
}

/* A rising tone, so that every position sounds different. */
static float rising(double second, int side)
{
    double phase = 2 * 3.14159265358979323846 * (200 * second + 150 * second * second);
    return (float)(0.5 * sin(phase + side));
}

/* Writes three seconds of it; returns false if this libsndfile does not write the format. */
static bool write_rising(const char *path, int format, int channels, int rate)
{
    SNDFILE *sound = create(path, format, channels, rate);
    if (!sound)
        return false;
    float *frames = malloc(3 * sizeof *frames * (size_t)rate * (size_t)channels);
    assert_non_null(frames);
    for (int i = 0; i < 3 * rate; i++)
        for (int c = 0; c < channels; c++)
            frames[i * channels + c] = rising((double)i / rate, c % 2);
    sf_writef_float(sound, frames, 3 * rate); /* each call is a system call */
    sf_close(sound);
    free(frames);
    return true;
}

static void write_bytes(const char *path, const void *data, size_t size)
{
    remove(path); /* truncating a file waits for the disk, a new file does not */
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(data, 1, size, stream), size);
    fclose(stream);
}

static mmd_bytes read_bytes(const char *path)
{
    mmd_bytes bytes = {0};
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    return bytes;
}

static audio_file *open_good(const char *path)
{
    audio_file *file;
    mmd_error error = {0};
    if (audio_file_open(path, &file, &error) != MMD_OK)
        fail_msg("%s: %s", path, error.message);
    return file;
}

static const struct {
    const char *name;
    int format;
    double apart; /* greatest difference from what was written */
} kinds[] = {
    {"a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1e-4},
    {"b.wav", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1e-6},
    {"c.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1e-4},
    {"d.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.1},
    {"e.mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 0.1},
};

static void wav_flac_ogg_and_mp3_are_read_where_they_are(void **state)
{
    enum { RATE_HERE = 44100, LENGTH = 4000 };
    static const int64_t places[] = {0, 44100, 12345, 100000, 0, 99999, 5000, 128300};
    float frames[2 * LENGTH];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *path = path_of(*state, kinds[k].name);
        if (!write_rising(path, kinds[k].format, 2, RATE_HERE)) {
            print_message("%s is not written by this libsndfile\n", kinds[k].name);
            continue;
        }
        audio_file *file = open_good(path);
        double worst = 0;
        assert_int_equal(audio_file_rate(file), RATE_HERE);
        assert_true(llabs(audio_file_length(file) - 3 * RATE_HERE) < 3000);
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            audio_file_seek(file, places[p]);
            audio_file_read(file, frames, LENGTH);
            for (int i = 0; i < 2 * LENGTH; i++) {
                double second = ((double)places[p] + i / 2) / RATE_HERE;
                worst = fmax(worst, fabs((double)(frames[i] - rising(second, i % 2))));
            }
        }
        print_message("%s: at most %.6f from what was written, wherever it is read\n", kinds[k].name, worst);
        assert_true(worst <= kinds[k].apart);
        audio_file_close(file);
    }
}

/* A file whose last page is cut has no length in libsndfile, which then never came back from a seek near its
 * end. */
static void opus_of_unknown_length_is_counted_and_does_not_hang(void **state)
{
    enum { RATE_HERE = 48000, LENGTH = 2000 };
    static float frames[2 * LENGTH];
    const char *path = path_of(*state, "cut.opus");
    if (!write_rising(path, SF_FORMAT_OGG | SF_FORMAT_OPUS, 1, RATE_HERE)) {
        print_message("Opus is not written by this libsndfile\n");
        return;
    }
    mmd_bytes whole;
    assert_int_equal(mmd_file_read(path, &whole, NULL), MMD_OK);
    write_bytes(path, whole.data, whole.size - 1);
    mmd_bytes_finish(&whole);
    alarm(60);
    audio_file *file = open_good(path);
    int64_t length = audio_file_length(file);
    print_message("%lld frames of %d\n", (long long)length, 3 * RATE_HERE);
    assert_true(length > RATE_HERE && length <= 4 * RATE_HERE);
    const int64_t places[] = {length - 700, INT64_MAX - 10, 0, length, 4000000000, length / 2};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        audio_file_seek(file, places[i]);
        audio_file_read(file, frames, LENGTH);
    }
    for (int i = 0; i < LENGTH; i++)
        assert_true(fabs((double)(frames[2 * i] - rising((double)(length / 2 + i) / RATE_HERE, 0))) < 0.2);
    audio_file_close(file);
    alarm(0);
}

static bool is_silent(const float *frames, size_t count)
{
    for (size_t i = 0; i < 2 * count; i++)
        if (fabsf(frames[i]) > 0)
            return false;
    return true;
}

static void before_its_beginning_and_behind_its_end_a_sound_is_silent(void **state)
{
    float frames[2 * 2000];
    const char *path = path_of(*state, "silent.wav");
    assert_true(write_rising(path, SF_FORMAT_WAV | SF_FORMAT_FLOAT, 2, 8000));
    audio_file *file = open_good(path);
    audio_file_seek(file, -1500);
    audio_file_read(file, frames, 2000);
    assert_true(is_silent(frames, 1500));
    assert_float_equal(frames[2 * 1600], rising(100.0 / 8000, 0), 1e-6);
    audio_file_seek(file, 3 * 8000 - 100);
    audio_file_read(file, frames, 2000);
    assert_false(is_silent(frames, 100));
    assert_true(is_silent(frames + 200, 1900));
    assert_true(audio_file_ended(file));
    static const int64_t far[] = {3 * 8000, 1000000000000, INT64_MAX / 2, -1000000000000};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        audio_file_seek(file, far[i]);
        audio_file_read(file, frames, 2000);
        assert_true(is_silent(frames, 2000));
    }
    audio_file_seek(file, 0);
    audio_file_read(file, frames, 2000);
    assert_float_equal(frames[2 * 100 + 1], rising(100.0 / 8000, 1), 1e-6);
    audio_file_close(file);
}

static void more_channels_are_mixed_down_and_one_is_on_both_sides(void **state)
{
    float frames[2 * 1000];
    for (int channels = 1; channels <= AUDIO_CHANNELS_MAX; channels++) {
        const char *path = path_of(*state, "channels.wav");
        assert_true(write_rising(path, SF_FORMAT_WAVEX | SF_FORMAT_FLOAT, channels, 192000));
        audio_file *file = open_good(path);
        audio_file_read(file, frames, 1000);
        float loudest = 0;
        for (int i = 0; i < 2000; i++)
            loudest = fmaxf(loudest, fabsf(frames[i]));
        assert_true(loudest > 0.2f && loudest <= 0.5001f);
        if (channels == 1)
            assert_true(frames[1500] == frames[1501] && frames[1500] != 0);
        audio_file_close(file);
    }
}

static void what_is_no_number_is_silence_and_nothing_is_louder_than_one(void **state)
{
    static const float values[] = {NAN, INFINITY, -INFINITY, 1e30f, -5, 0.25f, -NAN, 1};
    static const float wanted[] = {0, 1, -1, 1, -1, 0.25f, 0, 1};
    float frames[16];
    const char *path = path_of(*state, "nan.wav");
    SNDFILE *sound = create(path, SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, 44100);
    sf_writef_float(sound, values, 8);
    sf_close(sound);
    audio_file *file = open_good(path);
    audio_file_read(file, frames, 8);
    for (int i = 0; i < 8; i++)
        assert_true(frames[2 * i] == wanted[i] && frames[2 * i + 1] == wanted[i]);
    audio_file_close(file);
}

/* --- Hostile files --- */

static void put(uint8_t *at, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Writes a WAV with the given header and 4,000 bytes of samples. */
static void write_lying(const char *path, uint32_t channels, uint32_t rate, uint32_t bits, uint32_t size)
{
    static uint8_t wav[44 + 4000];
    memcpy(wav, "RIFF....WAVEfmt ....................data....", 44);
    put(wav + 4, size + 36, 4);
    put(wav + 16, 16, 4);
    put(wav + 20, 1, 2);
    put(wav + 22, channels, 2);
    put(wav + 24, rate, 4);
    put(wav + 28, rate * channels * bits / 8, 4);
    put(wav + 32, channels * bits / 8, 2);
    put(wav + 34, bits, 2);
    put(wav + 40, size, 4);
    write_bytes(path, wav, sizeof wav);
}

/* Reads a file if it opens. A false length in it allocates no memory. */
static bool try_file(const char *path)
{
    static float frames[2 * 3000];
    static const int64_t places[] = {0, -10, 500, 1000000000, 0};
    audio_file *file;
    mmd_error error = {0};
    uint64_t blocks = mmd_heap_blocks_in_use();
    if (audio_file_open(path, &file, &error) != MMD_OK) {
        assert_null(file);
        assert_true(error.code != MMD_OK && error.message[0] && error.file[0]);
        assert_true(mmd_heap_blocks_in_use() == blocks);
        return false;
    }
    assert_true(audio_file_rate(file) >= AUDIO_RATE_MIN && audio_file_rate(file) <= AUDIO_RATE_MAX);
    uint64_t allocations = mmd_heap_allocations();
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        audio_file_seek(file, places[i]);
        audio_file_read(file, frames, 3000);
        for (int k = 0; k < 6000; k++)
            assert_true(frames[k] >= -1 && frames[k] <= 1);
    }
    assert_true(mmd_heap_allocations() == allocations);
    audio_file_close(file);
    assert_true(mmd_heap_blocks_in_use() == blocks);
    return true;
}

static void headers_that_lie_are_refused_or_do_no_harm(void **state)
{
    static const struct {
        uint32_t channels, rate, bits, size;
        bool opens;
    } lies[] = {
        {2, 44100, 16, 4000, true},       {2, 44100, 16, 0xffffffff, true}, /* claims hours */
        {8, 192000, 16, 4000, true},      {9, 44100, 16, 4000, false},      {0, 44100, 16, 4000, false},
        {2, 0, 16, 4000, false},          {2, 768000, 16, 4000, false},     {65535, 44100, 16, 4000, false},
        {2, 0xffffffff, 16, 4000, false}, {1, 100, 16, 4000, false},        {2, 44100, 16, 0, true},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        const char *path = path_of(*state, "lie.wav");
        write_lying(path, lies[i].channels, lies[i].rate, lies[i].bits, lies[i].size);
        if (try_file(path) != lies[i].opens)
            fail_msg("lie %zu is %s", i, lies[i].opens ? "refused" : "taken");
    }
    write_bytes(path_of(*state, "empty.wav"), "", 0);
    assert_false(try_file(path_of(*state, "empty.wav")));
    assert_false(try_file(path_of(*state, "missing.wav")));
    assert_false(try_file(path_of(*state, "")));
    write_bytes(path_of(*state, "model.pmx"), "PMX \0\0\0\100", 8);
    assert_false(try_file(path_of(*state, "model.pmx")));

    enum { FRAMES = 100000 };
    static const uint8_t frame[4] = {0xff, 0xfb, 0x90, 0};
    uint8_t *frames = malloc(FRAMES * sizeof frame);
    for (size_t i = 0; i < FRAMES; i++)
        memcpy(frames + i * sizeof frame, frame, sizeof frame);
    audio_file *file = NULL;
    mmd_error error = {0};
    write_bytes(path_of(*state, "headers.mp3"), frames, FRAMES * sizeof frame);
    assert_int_equal(audio_file_open(path_of(*state, "headers.mp3"), &file, &error), MMD_ERROR_VALUE);
    assert_null(strstr(error.message, "does not exist"));
    free(frames);
}

typedef struct hostile_run {
    fixture *it;
    size_t opened, refused;
} hostile_run;

static void try_damaged(const uint8_t *data, size_t size, void *user)
{
    hostile_run *run = user;
    const char *path = path_of(run->it, "damaged");
    write_bytes(path, data, size);
    if (try_file(path))
        run->opened++;
    else
        run->refused++;
}

/* libsndfile 1.2.0 leaks memory of libvorbis when it rejects a damaged OGG. The sanitizer asks this function
 * which leaks to ignore, so that it still reports ours. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:vorbis_info_init\n";
}

/* Sends stderr to /dev/null; returns what restore_stderr needs. */
static int silence_stderr(void)
{
    int saved = dup(2), nowhere = open("/dev/null", O_WRONLY);
    fflush(stderr);
    dup2(nowhere, 2);
    close(nowhere);
    return saved;
}

static void restore_stderr(int saved)
{
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
}

static void damaged_files_are_read_as_far_as_they_go(void **state)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        hostile_run run = {.it = *state};
        const char *path = path_of(*state, kinds[k].name);
        if (!write_rising(path, kinds[k].format, 1, 8000))
            continue;
        mmd_bytes bytes = read_bytes(path);
        int saved = silence_stderr(); /* libmpg123 prints an error for each */
        damage_each(bytes.data, bytes.size, try_damaged, &run);
        restore_stderr(saved);
        mmd_bytes_finish(&bytes);
        print_message("%s: %zu damaged copies opened, %zu refused\n", kinds[k].name, run.opened, run.refused);
        assert_true(run.opened > 0 && run.refused > 0);
    }
}

static void an_hour_is_read_with_the_memory_of_a_moment(void **state)
{
    enum { RATE_HERE = 8000, SECONDS = 3600 };
    float frames[2 * 1000];
    int16_t second[RATE_HERE];
    const char *path = path_of(*state, "hour.flac");
    SNDFILE *sound = create(path, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1, RATE_HERE);
    for (int s = 0; s < SECONDS; s++) {
        for (int i = 0; i < RATE_HERE; i++)
            second[i] = (int16_t)(s * 8);
        sf_writef_short(sound, second, RATE_HERE);
    }
    sf_close(sound);
    audio_file *file = open_good(path);
    uint64_t allocations = mmd_heap_allocations();
    for (int s = SECONDS - 1; s >= 0; s -= 97) {
        audio_file_seek(file, (int64_t)s * RATE_HERE + 100);
        audio_file_read(file, frames, 1000);
        assert_float_equal(frames[500], (float)(s * 8) / 32768, 1e-6);
    }
    assert_true(mmd_heap_allocations() == allocations);
    audio_file_close(file);
}

/* --- The clock --- */

static void the_clock_smooths_the_steps_of_a_device_and_follows_where_it_goes(void **state)
{
    (void)state;
    playback_clock c;
    double worst = 0, last = 0, roughest = 0;
    const double real_rate = 1.0005, step = PERIOD / 44100.0;
    playback_clock_start(&c, 0, 100, 1);
    for (int i = 1; i < 60 * 200; i++) {
        double time = i / 200.0, heard = floor(time * real_rate / step) * step;
        playback_clock_hear(&c, heard, 100 + time, 1);
        double at = playback_clock_at(&c, 100 + time);
        worst = fmax(worst, fabs(at - time * real_rate));
        roughest = fmax(roughest, fabs(at - last - real_rate / 200.0));
        last = at;
    }
    print_message("clock: at most %.1f ms off, steps of 5 ms uneven by %.2f ms\n", 1000 * worst,
                  1000 * roughest);
    assert_true(worst < 0.022 && roughest < 0.001);
    /* The device skips a second: the clock follows at once. */
    playback_clock_hear(&c, 59, 100 + 60.005, 1);
    assert_float_equal(playback_clock_at(&c, 160.005), 59, 0.001);
}

/* --- Playing --- */

typedef struct rig {
    audio_output *output;
    playback *playback;
    playback_request wish;
    playback_clock clock;
    uint64_t turn;
    double device_rate; /* samples per second of real time, which differs between devices */
    size_t rendered;    /* samples */
    float *heard;       /* both channels, as rendered; NULL if not recorded */
    unsigned late;
} rig;

/* Opens the device and a file, or skips the test if OpenAL has no loopback. */
static void rig_open(rig *r, const char *path)
{
    *r = (rig){.output = audio_output_open_loopback(DEVICE_RATE), .device_rate = DEVICE_RATE};
    if (!r->output)
        test_skip("this OpenAL has no loopback");
    r->playback = playback_create(r->output, open_good(path));
    assert_non_null(r->playback);
    r->wish = (playback_request){.turn = 1, .playing = true, .speed = 1, .volume = 1};
}

static void rig_close(rig *r)
{
    playback_destroy(r->playback);
    audio_output_close(r->output);
    free(r->heard);
}

/* Advances the device in whole periods to the time now; returns the position of the player's clock. */
static double rig_at(rig *r, double now)
{
    playback_pump(r->playback, &r->wish);
    while ((double)(r->rendered + PERIOD) <= now * r->device_rate) {
        float scrap[2 * PERIOD];
        audio_output_render(r->output, r->heard ? r->heard + 2 * r->rendered : scrap, PERIOD);
        r->rendered += PERIOD;
    }
    playback_status h = playback_hear(r->playback, now);
    assert_true(h.playing && h.turn == r->wish.turn);
    if (r->turn != h.turn)
        playback_clock_start(&r->clock, h.position, now, h.rate);
    else
        playback_clock_hear(&r->clock, h.position, now, h.rate);
    r->turn = h.turn;
    r->late = h.late;
    return playback_clock_at(&r->clock, now);
}

/* Writes a click each second, which is at frame 30 k of a dance. */
static void write_clicks(const char *path, int seconds)
{
    SNDFILE *sound = create(path, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1, RATE);
    float second[RATE];
    for (int i = 0; i < RATE; i++)
        second[i] = i < CLICK ? 0.9f : 0;
    for (int s = 0; s < seconds; s++)
        sf_writef_float(sound, second, RATE);
    sf_close(sound);
}

/* Returns the next loud sample, or count if there is none. */
static size_t find_click(const float *heard, size_t count, size_t from)
{
    while (from < count && fabsf(heard[2 * from]) < 0.4f)
        from++;
    return from;
}

typedef struct drift {
    double largest, first, last; /* frames off; first and last: mean over a minute */
    size_t clicks;
} drift;

/* Plays at 60 pictures a second. shown[i] is the frame that the player shows in picture i. A click rendered
 * as sample n is audible when the device has reached n, and then belongs to frame 30 k. */
static drift measure_drift(rig *r, int seconds, double speed)
{
    enum { PICTURES = 60 };
    int wall = (int)(seconds / speed);
    size_t count = (size_t)wall * PICTURES, samples = (size_t)(wall + 1) * DEVICE_RATE;
    double *shown = malloc(count * sizeof *shown);
    r->heard = calloc(2 * samples, sizeof *r->heard);
    assert_true(shown && r->heard);
    r->wish.speed = speed;
    for (size_t i = 0; i < count; i++)
        shown[i] = 30 * rig_at(r, (double)i / PICTURES);
    drift d = {0};
    size_t last_part = 0, first_part = 0;
    for (size_t n = find_click(r->heard, r->rendered, 0); n < r->rendered;
         n = find_click(r->heard, r->rendered, n + DEVICE_RATE / 8)) {
        double picture = (double)n / r->device_rate * PICTURES;
        size_t i = (size_t)picture;
        if (i + 1 >= count)
            break;
        double frame = shown[i] + (shown[i + 1] - shown[i]) * (picture - (double)i);
        double off = frame - 30.0 * round(frame / 30.0);
        assert_int_equal((int)round(frame / 30.0), d.clicks); /* no click is missing */
        d.largest = fmax(d.largest, fabs(off));
        if (d.clicks < 60)
            d.first += off, first_part++;
        if (d.clicks + 60 >= (size_t)seconds)
            d.last += off, last_part++;
        d.clicks++;
    }
    d.first /= (double)(first_part ? first_part : 1);
    d.last /= (double)(last_part ? last_part : 1);
    free(shown);
    return d;
}

static void ten_minutes_of_clicks_stay_within_a_frame_of_the_dance(void **state)
{
    enum { SECONDS = 600 };
    /* Devices differ by tens of millionths from real time; a wall clock would be 9 frames off at the end. */
    static const double apart[] = {0, 500e-6, -500e-6};
    const char *path = path_of(*state, "clicks.flac");
    write_clicks(path, SECONDS);
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        rig r;
        rig_open(&r, path);
        r.device_rate = DEVICE_RATE * (1 + apart[i]);
        drift d = measure_drift(&r, SECONDS, 1);
        print_message(
            "device %+.0f ppm: %zu clicks, at most %.3f frames off, first minute %+.3f, last %+.3f\n",
            1e6 * apart[i], d.clicks, d.largest, d.first, d.last);
        assert_true(d.clicks >= SECONDS - 2 && d.largest < 1);
        assert_true(fabs(d.last - d.first) < 0.1);
        assert_int_equal(r.late, 0);
        rig_close(&r);
    }
}

static void slower_and_faster_it_stays_with_the_dance_too(void **state)
{
    static const double speeds[] = {0.5, 0.8, 1.5, 2};
    const char *path = path_of(*state, "clicks60.flac");
    write_clicks(path, 60);
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        rig r;
        rig_open(&r, path);
        drift d = measure_drift(&r, 60, speeds[i]);
        print_message("speed %.1f: %zu clicks, at most %.3f frames off\n", speeds[i], d.clicks, d.largest);
        assert_true(d.clicks >= 55 && d.largest < 1.5 * fmax(1, speeds[i]));
        rig_close(&r);
    }
}

static void a_place_that_is_gone_to_is_heard_next(void **state)
{
    static const double places[] = {17.5, 3.25, -0.5, 40};
    rig r;
    const char *path = path_of(*state, "clicks60.flac");
    write_clicks(path, 60);
    rig_open(&r, path);
    r.heard = calloc(2 * 20 * DEVICE_RATE, sizeof *r.heard);
    double now = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (double end = now + 0.7; now < end; now += 1.0 / 60)
            rig_at(&r, now);
        r.wish.turn++;
        r.wish.position = places[i];
        size_t from = r.rendered;
        double start = now, at = rig_at(&r, now);
        assert_true(fabs(at - places[i]) < 0.03);
        for (double end = now + 1.2; now < end; now += 1.0 / 60)
            at = rig_at(&r, now);
        assert_float_equal(at - places[i], now - start, 0.06);
        double click = (double)(find_click(r.heard, r.rendered, from) - from) / DEVICE_RATE;
        assert_float_equal(click, ceil(places[i]) - places[i], 0.002);
    }
    r.wish.turn++;
    r.wish.playing = false;
    playback_pump(r.playback, &r.wish);
    assert_false(playback_hear(r.playback, now).playing);
    rig_close(&r);
}

static void a_queue_that_ran_empty_plays_on_and_is_counted(void **state)
{
    rig r;
    const char *path = path_of(*state, "clicks60.flac");
    write_clicks(path, 60);
    rig_open(&r, path);
    r.heard = calloc(2 * 20 * DEVICE_RATE, sizeof *r.heard);
    double now = 0;
    for (; now < 2; now += 1.0 / 60)
        rig_at(&r, now);
    double before = playback_clock_at(&r.clock, now);
    now += 3; /* nothing fills the queue */
    rig_at(&r, now);
    assert_int_equal(r.late, 0);
    for (double end = now + 2; now < end; now += 1.0 / 60)
        rig_at(&r, now);
    double after = playback_clock_at(&r.clock, now);
    assert_true(r.late == 1);
    assert_true(after - before > 1.9 && after - before < 2.3);
    rig_close(&r);
}

static void playing_allocates_nothing(void **state)
{
    rig r;
    const char *path = path_of(*state, "clicks60.flac");
    write_clicks(path, 60);
    rig_open(&r, path);
    rig_at(&r, 0);
    uint64_t allocations = mmd_heap_allocations();
    for (int i = 0; i < 600; i++) {
        r.wish.speed = i % 100 < 50 ? 1 : 0.5;
        rig_at(&r, i / 60.0);
    }
    assert_true(mmd_heap_allocations() == allocations);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wav_flac_ogg_and_mp3_are_read_where_they_are),
        cmocka_unit_test(opus_of_unknown_length_is_counted_and_does_not_hang),
        cmocka_unit_test(before_its_beginning_and_behind_its_end_a_sound_is_silent),
        cmocka_unit_test(more_channels_are_mixed_down_and_one_is_on_both_sides),
        cmocka_unit_test(what_is_no_number_is_silence_and_nothing_is_louder_than_one),
        cmocka_unit_test(headers_that_lie_are_refused_or_do_no_harm),
        cmocka_unit_test(damaged_files_are_read_as_far_as_they_go),
        cmocka_unit_test(an_hour_is_read_with_the_memory_of_a_moment),
        cmocka_unit_test(the_clock_smooths_the_steps_of_a_device_and_follows_where_it_goes),
        cmocka_unit_test(ten_minutes_of_clicks_stay_within_a_frame_of_the_dance),
        cmocka_unit_test(slower_and_faster_it_stays_with_the_dance_too),
        cmocka_unit_test(a_place_that_is_gone_to_is_heard_next),
        cmocka_unit_test(a_queue_that_ran_empty_plays_on_and_is_counted),
        cmocka_unit_test(playing_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
