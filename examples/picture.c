/* Draws one frame of a dance to a PNG file, without a display. The pixels are those of
 * odori shot MODEL --motion MOTION --frame FRAME. */
#include <stdio.h>
#include <stdlib.h>

#include <mmd/mmd.h>

int main(int argc, char **argv)
{
    mmd_error error = {0};
    mmd_scene *scene = NULL;
    mmd_image image = {0};
    char sentence[1024];
    if (argc != 5) {
        fprintf(stderr, "usage: %s MODEL MOTION FRAME OUT.png\n", argv[0]);
        return 2;
    }
    bool ok = mmd_scene_create(NULL, &scene, &error) == MMD_OK &&
              mmd_scene_open(scene, argv[1], &error) == MMD_OK &&
              mmd_scene_open(scene, argv[2], &error) == MMD_OK &&
              mmd_scene_set_frame(scene, atof(argv[3]), &error) == MMD_OK &&
              mmd_scene_picture(scene, NULL, 1280, 720, &image, &error) == MMD_OK &&
              mmd_image_write(argv[4], &image, &error) == MMD_OK;
    if (!ok)
        fprintf(stderr, "%s\n", mmd_error_sentence(&error, sentence, sizeof sentence));
    mmd_image_finish(&image);
    mmd_scene_destroy(scene);
    return ok ? 0 : 1;
}
