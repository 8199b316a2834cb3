/*
 * odori_dancer FOLDER: makes the bundled dancer: models, textures, dance, camera, music. The output is the
 * same bytes every time.
 *
 * rig                      bones, positions of joints at rest, tables of morphs
 * mesh                     control cages, their subdivision, smooth curves
 * body, head, hair, cloth  surfaces, and simulated bodies and joints
 * paint                    the painting kit, the textures, the table of materials
 * dance                    the choreography and the camera, written as motions
 * music                    the score, which the dance also follows, and its instruments
 */
#include <stdio.h>

#include "dance/dance.h"
#include "dancer.h"
#include "dancer21.h"
#include "mmd/format.h"
#include "music/music.h"
#include "paint/textures.h"
#include "tool.h"

static void write_model(const char *folder, const char *name, const mmd_model *model)
{
    mmd_buffer bytes = {0};
    mmd_error error;
    if (mmd_pmx_write(model, &bytes, &error) != MMD_OK)
        tool_die("%s: %s", name, error.message);
    tool_write(folder, name, &bytes);
}

static void write_models(const char *folder)
{
    dancer d = {0};
    mmd_model model;
    dancer_make(&d);
    dancer_model(&d, &model);
    write_model(folder, "dancer.pmx", &model);
    dancer21_model(&d, &model);
    write_model(folder, "dancer21.pmx", &model);
    dancer_finish(&d);
}

static void write_made(const char *folder, const char *name, void (*make)(mmd_buffer *))
{
    mmd_buffer bytes = {0};
    make(&bytes);
    tool_write(folder, name, &bytes);
}

int main(int argc, char **argv)
{
    if (argc != 2 || argv[1][0] == '-') {
        fputs("usage: odori_dancer FOLDER\n", stderr);
        return 2;
    }
    const char *folder = argv[1];
    tool_folder(folder);
    write_models(folder);
    textures_write(folder);
    write_made(folder, "dance.vmd", dance_make);
    write_made(folder, "camera.vmd", camera_make);
    write_made(folder, "music.wav", music_make);
    return 0;
}
