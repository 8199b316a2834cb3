/* libFuzzer target for command lines: options of shot, render and play, one line of words as in a script, and
 * the settings that suites and pictures give. */
#include <string.h>

#include "base/message.h"
#include "base/options.h"
#include "base/parse.h"
#include "base/tokenize.h"
#include "fuzz.h"
#include "mmd/memory.h"
#include "recipe/draw.h"
#include "recipe/recipe.h"
#include "scene/crowd.h"

enum { WORDS_MAX = 64, TEXT_MAX = 4096 };

/* Options that subcommands have besides the shared groups: a list of frames, a size, a letter, an optional
 * value. */
typedef struct own_options {
    double *frames;
    size_t frame_count;
    picture_size size;
    const char *output;
} own_options;

static bool set_frames(void *options, const char *value, option_error *error)
{
    own_options *own = options;
    frames_problem problem = {0};
    if (parse_frames(value, &own->frames, &own->frame_count, &problem))
        return true;
    REQUIRE(problem.part >= value && problem.part + problem.length <= value + strlen(value));
    return option_fail(error, EXIT_USAGE, "%s", problem.why);
}

static bool set_size(void *options, const char *value, option_error *error)
{
    return set_picture_size(&((own_options *)options)->size, value, error);
}

static bool set_output(void *options, const char *value, option_error *error)
{
    (void)error;
    ((own_options *)options)->output = value;
    return true;
}

static const option own_table[] = {{0, "frames", "A:B", "", set_frames},
                                   {0, "size", "WxH", "", set_size},
                                   {'o', "output", "FILE", "", set_output},
                                   {0, "report", "[FILE]", "", set_output}};

/* Parses the words as the arguments of a subcommand with the options that most have. */
static void parse(int argc, char **argv)
{
    recipe wanted;
    draw_quality quality = draw_quality_default();
    common_options common = default_common_options();
    recipe_init(&wanted, true);
    own_options own = {0};
    mmd_sdef_variant sdef = {0};
    const option_group groups[] = {
        {"own", own_table, sizeof own_table / sizeof *own_table, &own},
        group_of_sdef(&sdef),
        group_of_quality(&quality),
        group_of_scene(&wanted.scene),
        group_of_crowd(&wanted.scene),
        group_of_choice(&wanted.scene),
        group_of_sound(&wanted.sound),
        group_of_view(&wanted.view),
        group_of_physics(&wanted.physics),
        group_of_all(&common),
    };
    const command_line line = {.name = "shot",
                               .usage = "MODEL",
                               .summary = "Draws.",
                               .groups = groups,
                               .group_count = sizeof groups / sizeof *groups,
                               .positional = scene_files,
                               .positional_target = &wanted.scene};
    int result = options_parse(&line, argc, argv);
    REQUIRE(result == OPTIONS_PARSED || (result >= 0 && result <= 4));
    if (result == OPTIONS_PARSED) {
        recipe_list_settings(argc, argv, &wanted.settings);
        REQUIRE(wanted.settings.count <= RECIPE_SETTINGS_MAX);
        recipe_apply(&wanted, &wanted.settings);
    }
    for (size_t i = 0; i < own.frame_count; i++)
        REQUIRE(own.frames[i] >= 0);
    mmd_free(own.frames);
    recipe_finish(&wanted);
    common_options_finish(&common);
}

/* A word that is quoted has to be read back. */
static void check_quoting(char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        static char storage[4 * TEXT_MAX];
        mmd_buffer quoted = {0};
        char *word;
        size_t found = 0;
        token_quote(words[i], &quoted);
        if (!quoted.failed && quoted.size + 2 < sizeof storage) {
            tokenize_result result = tokenize((char *)quoted.data, quoted.size, storage, &word, 1, &found);
            REQUIRE(result == TOKENIZE_DONE && found == 1 && strlen(word) == strlen(words[i]));
        }
        mmd_buffer_finish(&quoted);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char storage[TEXT_MAX + 2], *words[WORDS_MAX + 1];
    size_t count = 0;
    uint64_t blocks = mmd_heap_blocks_in_use();
    if (size > TEXT_MAX || memchr(data, '\0', size))
        return 0;
    if (tokenize((const char *)data, size, storage, words, WORDS_MAX, &count) == TOKENIZE_DONE) {
        words[count] = NULL;
        check_quoting(words, count);
        parse((int)count, words);
    }
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
