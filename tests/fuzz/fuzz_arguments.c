/* libFuzzer target for command lines: options of shot, render and play, one line of words as in a script, and
 * the settings that suites and pictures give. */
#include <string.h>

#include "base/options.h"
#include "base/tokenize.h"
#include "fuzz.h"
#include "mmd/memory.h"
#include "recipe/draw.h"
#include "recipe/recipe.h"
#include "scene/crowd.h"

enum { WORDS_MAX = 64, TEXT_MAX = 4096 };

/* Parses the words as the arguments of a subcommand with the options that most have. */
static void parse(int argc, char **argv)
{
    recipe wanted;
    draw_quality quality = draw_quality_default();
    common_options common = default_common_options();
    recipe_init(&wanted, true);
    const option_group groups[] = {
        group_of_quality(&quality),     group_of_scene(&wanted.scene),     group_of_crowd(&wanted.scene),
        group_of_choice(&wanted.scene), group_of_sound(&wanted.sound),     group_of_pose(&wanted.scene),
        group_of_view(&wanted.view),    group_of_physics(&wanted.physics), group_of_all(&common),
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
