/* libFuzzer target for suites, mutated value by value. Patterns find only files of the fuzzer's own folder.
 */
#include <glob.h>
#include <string.h>

#include "check/suite.h"
#include "fuzz_folder.h"
#include "fuzz_json.h"

int __real_glob(const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *found);
int __wrap_glob(const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *found);

/* Leaves the rest of the machine alone, where a pattern may take minutes. */
int __wrap_glob(const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *found)
{
    bool is_outside = pattern[0] == '/' || strstr(pattern, "..");
    return __real_glob(is_outside ? "no such file" : pattern, flags, on_error, found);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char *const names[] = {"a/miku.pmx", "a/rin.pmx", "b/luka.pmd", "dance.vmd", "pose.vpd"};
    (void)argc, (void)argv;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fuzz_folder_write(names[i], "", 0);
    return 0;
}

static void check(const suite *s)
{
    REQUIRE(s->count > 0 && s->baselines);
    for (size_t i = 0; i < s->count; i++) {
        const suite_scene *scene = &s->scenes[i];
        REQUIRE(scene->name && scene->folder[0] && scene->folder[0] != '.' && !strchr(scene->folder, '/'));
        REQUIRE(scene->recipe.frame_count && scene->recipe.scene.files.count);
        for (size_t k = 0; k < scene->recipe.frame_count; k++)
            REQUIRE(scene->recipe.frames[k] >= 0);
        recipe copy = scene->recipe;
        recipe_apply(&copy, &scene->recipe.settings);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t blocks = mmd_heap_blocks_in_use();
    suite s;
    static problem why;
    why.code = EXIT_DONE;
    fuzz_folder_write("suite.json", data, size);
    static const text_list no_roots;
    const suite_opening how = {.path = "suite.json", .roots = &no_roots, .option = "--root"};
    if (suite_read(&s, &how, &why))
        check(&s);
    else
        REQUIRE(why.code != EXIT_DONE && why.text[0]);
    suite_finish(&s);
    REQUIRE(mmd_heap_blocks_in_use() == blocks);
    return 0;
}
