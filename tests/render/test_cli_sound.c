/* Sound of the program: videos with sample-exact sound, options and commands. test_audio tests playback. */
#include "cli.h"

enum { RATE = 44100, CLICK = 24 };

/* Writes a WAV of some seconds with a click at the beginning of each. */
static void write_clicks(const char *name, int seconds)
{
    size_t count = (size_t)seconds * RATE, size = 44 + 2 * count;
    uint8_t *wav = calloc(1, size);
    assert_non_null(wav);
    memcpy(wav, "RIFF\0\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\x44\xac\0\0\x88\x58\1\0\2\0\20\0data", 40);
    for (int i = 0; i < 4; i++) {
        wav[4 + i] = (uint8_t)((size - 8) >> 8 * i);
        wav[40 + i] = (uint8_t)(2 * count >> 8 * i);
    }
    for (size_t i = 0; i < count; i++)
        wav[44 + 2 * i + 1] = i % RATE < CLICK ? 0x70 : 0;
    cli_write(name, wav, size);
    free(wav);
}

/* Decodes one channel of a video's sound. The caller frees the samples. */
static float *decode(const char *video, size_t *count)
{
    char command[256];
    snprintf(command, sizeof command,
             "ffmpeg -v error -y -i %s -vn -ac 1 -ar %d -f f32le heard.raw </dev/null >/dev/null", video,
             RATE);
    cli_shell(command);
    mmd_bytes bytes = cli_read("heard.raw");
    float *samples = malloc(bytes.size + 1);
    assert_non_null(samples);
    memcpy(samples, bytes.data, bytes.size);
    *count = bytes.size / sizeof *samples;
    mmd_bytes_finish(&bytes);
    return samples;
}

static void a_video_has_its_sound_to_the_sample(void **state)
{
    (void)state;
    static const struct {
        const char *options, *output;
        double first;  /* time of the first click in seconds */
        size_t clicks; /* number of clicks */
        double length; /* duration in seconds */
    } videos[] = {
        {"--frames 15:60", "a.mp4", 0.5, 2, 46 / 30.0},
        {"--frames 0:30 --fps 60", "b.mov", 0, 2, 61 / 60.0},
        {"--frames 30:60 --audio-offset 0.4", "c.mkv", 0.4, 1, 31 / 30.0},
        {"--frames 0:30:2 --audio-offset -1.75", "d.mp4", 0.25, 1, 16 / 15.0},
        {"--frames 15:60", "g.webm", 0.5, 2, 46 / 30.0},
        {"--frames 15:60", "h.avi", 0.5, 2, 46 / 30.0},
        {"--frames 15:60 --codec vp9", "i.mp4", 0.5, 2, 46 / 30.0},
        {"--frames 0:9 --audio-offset -100", "e.mp4", 0, 0, 1 / 3.0},
        {"--frames 0:9 --audio none", "f.mp4", 0, 0, 0},
    };
    cli_need("ffmpeg");
    write_clicks("clicks.wav", 4);
    for (size_t v = 0; v < sizeof videos / sizeof *videos; v++) {
        size_t count = 0, clicks = 0;
        cli_result r = cli_run("render odori.pmx --motion odori.vmd --size 32x32 --audio clicks.wav %s -o %s",
                               videos[v].options, videos[v].output);
        assert_int_equal(r.code, 0);
        cli_finish(&r);
        if (videos[v].length <= 0)
            continue;
        float *heard = decode(videos[v].output, &count);
        assert_true((double)count / RATE > videos[v].length - 0.001);
        /* one packet of the encoder is tolerated */
        assert_true((double)count / RATE < videos[v].length + 0.03);
        for (size_t i = 0; i < count; i++) {
            if (fabsf(heard[i]) < 0.4f)
                continue;
            double off = (double)i - (videos[v].first + (double)clicks) * RATE;
            print_message("%s: click %zu is %+.0f samples off\n", videos[v].output, clicks, off);
            assert_true(fabs(off) <= 2);
            clicks++;
            i += RATE / 2;
        }
        assert_int_equal(clicks, videos[v].clicks);
        free(heard);
    }
}

static void the_bundled_dance_has_its_music(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    cli_need_dancer();
    size_t count;
    cli_result r = cli_run("render dancer --motion dancer --frames 540:555 --size 32x32 -o music.mp4");
    assert_int_equal(r.code, 0);
    cli_finish(&r);
    float *heard = decode("music.mp4", &count), loudest = 0;
    for (size_t i = 0; i < count; i++)
        loudest = fmaxf(loudest, fabsf(heard[i]));
    assert_true(loudest > 0.05f);
    free(heard);
}

static void what_is_no_sound_is_refused_before_anything_is_drawn(void **state)
{
    (void)state;
    cli_write_text("text.wav", "this is no sound");
    write_clicks("clicks.wav", 1);
    cli_expect(3, "not a supported sound", "render odori.pmx --motion odori.vmd --audio text.wav -o bad.mp4");
    cli_expect(3, "not a supported sound", "shot odori.pmx --audio text.wav -o bad.png");
    cli_expect(3, "missing.ogg", "dump odori.pmx --frames 0 --audio missing.ogg -o bad.json");
    cli_expect(3, "not a supported sound", "play odori.pmx --audio text.wav");
    cli_expect(3, "a sound instead of a model", "shot clicks.wav -o bad.png");
    cli_expect(2, "only one sound can be played, and clicks.wav was given already",
               "play odori.pmx clicks.wav clicks.wav");
    cli_expect(2, "--audio-offset", "shot odori.pmx --audio-offset soon -o bad.png");
    cli_expect(2, "--audio-offset", "shot odori.pmx --audio-offset 1e9 -o bad.png");
    cli_shell("test ! -e bad.mp4 -a ! -e bad.png -a ! -e bad.json");
    cli_result r = cli_run("shot odori.pmx --audio clicks.wav --size 16x16 -o good.png");
    assert_int_equal(r.code, 0);
    cli_finish(&r);
}

static void commands_of_sound_are_those_of_play(void **state)
{
    (void)state;
    static const struct {
        const char *line, *why;
    } bad[] = {
        {"audio.open clicks.wav", "only `play` can play audio"},
        {"audio.volume 1", "only `play` can play audio"},
        {"audio.shift 1", "only `play` can play audio"},
        {"audio.mute on", "only `play` can play audio"},
        {"audio.offset 1", "only `play` can play audio"},
        {"audio.close", "only `play` can play audio"},
        {"audio.mute loud", "not on or off"},
    };
    static const struct {
        const char *line, *why;
    } bad_in_play[] = {
        {"audio.open text.wav", "not a supported sound"},     {"audio.open nowhere.mp3", "nowhere.mp3"},
        {"audio.volume -1", "not between 0 and 4"}, {"audio.volume 5", "not between 0 and 4"},
        {"audio.offset 90000", "more than a day"},  {"audio.shift 90000", "more than a day"},
    };
    cli_write_text("text.wav", "this is no sound");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cli_write_text("line", bad[i].line);
        cli_expect(2, bad[i].why, "shot odori.pmx --exec line -o bad.png");
    }
    for (size_t i = 0; i < sizeof bad_in_play / sizeof *bad_in_play; i++) {
        cli_write_text("line", bad_in_play[i].line);
        cli_expect(2, bad_in_play[i].why, "play odori.pmx --exec line");
    }
    write_clicks("clicks.wav", 1);
    cli_write_text("line", "audio.open clicks.wav\naudio.offset -0.5\naudio.volume 0.5\naudio.mute on\n"
                           "audio.mute off\naudio.close\naudio.open clicks.wav\nquit\n");
    cli_result r = cli_run("play odori.pmx --motion odori.vmd --exec line");
    assert_int_equal(r.code, 0);
    cli_finish(&r);
}

/* The offset that the user set is stored for this dance and this sound only. */
static void the_offset_is_kept_for_each_dance_and_sound(void **state)
{
    (void)state;
    static const struct {
        const char *options, *lines;
        double told; /* seconds, from the last line of output */
    } evenings[] = {
        {"--audio clicks.wav", "audio.shift 0.01\naudio.shift 0.01\n", 0.02},
        {"--audio clicks.wav", "audio.shift 0.01\n", 0.03},
        {"--audio other.wav", "audio.shift 0.01\n", 0.01}, /* another sound */
        {"--audio clicks.wav", "audio.shift 0\n", 0.03},
        {"--audio clicks.wav --audio-offset 1", "audio.shift 0\n", 1}, /* an option for one run */
        {"--audio clicks.wav --no-settings", "audio.shift 0.5\n", 0.5},
        {"--audio clicks.wav", "audio.shift -0.13\n", -0.1},
        {"--audio other.wav", "audio.open clicks.wav\naudio.shift 0\n", 0.01},
    };
    write_clicks("clicks.wav", 1);
    write_clicks("other.wav", 2);
    for (size_t i = 0; i < sizeof evenings / sizeof *evenings; i++) {
        char line[128], wanted[64];
        snprintf(line, sizeof line, "%squit\n", evenings[i].lines);
        cli_write_text("line", line);
        cli_result r = cli_run("play odori.pmx --motion odori.vmd %s --exec line", evenings[i].options);
        assert_int_equal(r.code, 0);
        snprintf(wanted, sizeof wanted, "starts at %.2f s", evenings[i].told);
        const char *last = NULL;
        for (const char *at = r.err; (at = strstr(at, "starts at")) != NULL; at++)
            last = at;
        if (!last || strncmp(last, wanted, strlen(wanted)) != 0)
            fail_msg("evening %zu: not \"%s\" in: %s", i, wanted, r.err);
        cli_finish(&r);
    }
    cli_shell("test $(ls .state/odori/sounds | wc -l) -eq 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_video_has_its_sound_to_the_sample),
        cmocka_unit_test(the_bundled_dance_has_its_music),
        cmocka_unit_test(what_is_no_sound_is_refused_before_anything_is_drawn),
        cmocka_unit_test(commands_of_sound_are_those_of_play),
        cmocka_unit_test(the_offset_is_kept_for_each_dance_and_sound),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
