/* The WAVE of MMD's projects: where the file is found, from which frame on it plays, and the messages if it
 * is missing. */
#include "cli.h"

#include "mmd/format.h"
#include "mmd/project.h"
#include "sample_projects.h"

enum { RATE = 44100, CLICK = 24, SECONDS = 3 };

/* Writes a sound with a click at the beginning of each second. */
static void write_clicks(const char *name)
{
    static uint8_t wav[44 + 2 * SECONDS * RATE] =
        "RIFF\0\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\x44\xac\0\0\x88\x58\1\0\2\0\20\0data";
    for (int i = 0; i < 4; i++) {
        wav[4 + i] = (uint8_t)((sizeof wav - 8) >> 8 * i);
        wav[40 + i] = (uint8_t)((sizeof wav - 44) >> 8 * i);
    }
    for (size_t i = 0; i < (size_t)SECONDS * RATE; i++)
        wav[44 + 2 * i + 1] = i % RATE < CLICK ? 0x70 : 0;
    cli_write(name, wav, sizeof wav);
}

/* Writes a project of the figure's dance with a WAVE to p.pmm. */
static void write_project_with(const char *wave, bool on)
{
    mmd_model *model = NULL;
    mmd_motion *motion = NULL;
    mmd_buffer out = {0};
    mmd_project *project = mmd_project_create();
    mmd_bytes pmx = cli_read("odori.pmx"), vmd = cli_read("odori.vmd");
    assert_non_null(project);
    assert_int_equal(mmd_model_read(pmx.data, pmx.size, &model, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(vmd.data, vmd.size, &motion, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_model(project, model, motion, "D:\\mmd\\Odori.pmx", NULL), MMD_OK);
    project->wave = (mmd_project_text){.text = wave};
    project->wave_on = on;
    project->view_width = project->view_height = 32;
    write_project(project, &out);
    cli_write("p.pmm", out.data, out.size);
    mmd_buffer_finish(&out);
    mmd_model_destroy(model);
    mmd_motion_destroy(motion);
    mmd_bytes_finish(&pmx);
    mmd_bytes_finish(&vmd);
    mmd_project_destroy(project);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    while ((text = strstr(text, part)) != NULL) {
        count++;
        text++;
    }
    return count;
}

/*
 * Draws an image, which must succeed whatever happens to the sound. Returns how often stderr contains a text.
 */
static size_t told(const char *part)
{
    cli_result r = cli_run("shot p.pmm --size 16x16 -o p.png");
    assert_int_equal(r.code, 0);
    size_t count = count_of(r.err, part);
    cli_finish(&r);
    return count;
}

/* Returns the second of the first click in the sound of a video of the frames 15 to 75. Negative: there is no
 * sound. */
static double first_click(const char *options)
{
    cli_result r = cli_run("render p.pmm --frames 15:75 --size 32x32 %s -o p.mp4", options);
    assert_int_equal(r.code, 0);
    cli_finish(&r);
    cli_shell("ffmpeg -v error -y -i p.mp4 -vn -ac 1 -ar 44100 -f f32le heard.raw </dev/null >/dev/null 2>&1"
              " || : >heard.raw");
    mmd_bytes bytes = cli_read("heard.raw");
    const float *samples = (const float *)(const void *)bytes.data;
    size_t count = bytes.size / sizeof *samples, at = 0;
    while (at < count && fabsf(samples[at]) < 0.4f)
        at++;
    mmd_bytes_finish(&bytes);
    return at < count ? (double)at / RATE : -1;
}

static void it_plays_from_frame_0_wherever_it_lies_now(void **state)
{
    (void)state;
    cli_need("ffmpeg");
    cli_shell("mkdir -p songs");
    write_clicks("songs/Clicks.wav");
    write_project_with("E:\\MMD\\Songs\\clicks.WAV", true);
    assert_float_equal(first_click(""), 0.5, 0.0001);
    assert_float_equal(first_click("--audio-offset 0.25"), 0.75, 0.0001);
    assert_true(first_click("--audio none") < 0);
    write_clicks("other.wav");
    assert_float_equal(first_click("--audio other.wav --audio-offset -0.25"), 0.25, 0.0001);
    assert_int_equal(told("sound"), 0);
}

static void one_that_is_off_is_not_played(void **state)
{
    (void)state;
    write_project_with("E:\\MMD\\Songs\\gone.wav", false);
    assert_int_equal(told("sound"), 0);
    write_project_with("", true);
    assert_int_equal(told("sound"), 0);
}

static void one_that_is_not_there_is_told_once(void **state)
{
    (void)state;
    write_project_with("E:\\MMD\\Songs\\gone.wav", true);
    assert_int_equal(told("the sound \"E:\\MMD\\Songs\\gone.wav\" is neither"), 1);
    assert_int_equal(told("gone.wav"), 1);
}

static void one_that_is_no_sound_leaves_the_rest_as_it_is(void **state)
{
    (void)state;
    cli_write_text("text.wav", "this is no sound");
    write_project_with("text.wav", true);
    cli_need("ffmpeg");
    assert_true(first_click("") < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_plays_from_frame_0_wherever_it_lies_now),
        cmocka_unit_test(one_that_is_off_is_not_played),
        cmocka_unit_test(one_that_is_not_there_is_told_once),
        cmocka_unit_test(one_that_is_no_sound_leaves_the_rest_as_it_is),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
