/* The body of fuzz_png_text and fuzz_provenance. */
#ifndef ODORI_FUZZ_PROVENANCE_H
#define ODORI_FUZZ_PROVENANCE_H

#include <string.h>

#include "fuzz.h"
#include "mmd/memory.h"
#include "recipe/provenance.h"

/* Reads a chunk's text and checks the recipe. */
static inline void fuzz_provenance(const char *text)
{
    static const char *folders[] = {"folder"};
    static const text_list list = {folders, 1};
    const provenance_search places = {.picture = "picture.png", .folders = &list};
    mmd_arena arena = {0};
    mmd_error error = {0};
    recipe r;
    if (provenance_read(text, &places, &arena, &r, &error) != MMD_OK) {
        REQUIRE(error.message[0]);
        mmd_arena_finish(&arena);
        return;
    }
    REQUIRE(r.scene.files.count && r.frame_count == 1 && r.frames[0] >= 0 && r.exec && r.has_size);
    REQUIRE(r.size.width && r.size.height && r.settings.count <= RECIPE_SETTINGS_MAX);
    for (size_t i = 0; i < r.scene.files.count; i++)
        REQUIRE(r.scene.files.items[i].is_dancer || r.scene.files.items[i].path);
    recipe_settings settings = r.settings;
    recipe_apply(&r, &settings);
    mmd_arena_finish(&arena);
}

#endif
