#include <stdio.h>

#include "mmd/format.h"
#include "mmd/simulation.h"
#include "mmd/view.h"

/* Draws frame 300 of a dance to out.png: example MODEL MOTION */
int main(int argc, char **argv)
{
    mmd_bytes model_file = {0}, motion_file = {0};
    mmd_model *model = NULL;
    mmd_motion *motion = NULL;
    mmd_gpu *gpu = NULL;
    mmd_view *view = NULL;
    mmd_image image = {0};
    mmd_buffer png = {0};
    mmd_error error = {0};
    char folder[1024], sentence[1024];
    if (argc != 3)
        return 2;

    mmd_path_folder(argv[1], folder, sizeof folder);
    mmd_source *textures = mmd_source_folder(folder);
    mmd_stage *stage = mmd_stage_create();
    mmd_actor *actor = NULL;
    mmd_view_options options = mmd_default_view_options();
    mmd_physics_options physics = mmd_default_physics_options();
    bool ok = mmd_file_read(argv[1], &model_file, &error) == MMD_OK &&
              mmd_model_read(model_file.data, model_file.size, &model, &error) == MMD_OK &&
              mmd_file_read(argv[2], &motion_file, &error) == MMD_OK &&
              mmd_vmd_read(motion_file.data, motion_file.size, &motion, &error) == MMD_OK &&
              (actor = mmd_actor_create(model, NULL)) != NULL &&
              mmd_actor_add_motion(actor, motion, &error) == MMD_OK &&
              mmd_stage_add_actor(stage, actor, &error) == MMD_OK &&
              mmd_stage_set_physics(stage, &physics, &error) == MMD_OK &&
              mmd_gpu_create_headless(NULL, &gpu, &error) == MMD_OK &&
              mmd_view_create(gpu, NULL, &view, &error) == MMD_OK &&
              mmd_view_add_model(view, model, textures, "", &error) == MMD_OK;
    if (ok) {
        mmd_stage_set_frame(stage, 300);
        ok = mmd_view_picture(view, stage, &options, 1280, 720, &image, &error) == MMD_OK &&
             mmd_png_write(&image, &(mmd_png_options){0}, &png, &error) == MMD_OK &&
             mmd_file_write("out.png", png.data, png.size, &error) == MMD_OK;
    }
    if (!ok)
        fprintf(stderr, "%s\n", mmd_error_sentence(&error, sentence, sizeof sentence));

    mmd_buffer_finish(&png);
    mmd_image_finish(&image);
    mmd_view_destroy(view);
    mmd_gpu_destroy(gpu);
    mmd_stage_destroy(stage);
    mmd_actor_destroy(actor);
    mmd_source_destroy(textures);
    mmd_motion_destroy(motion);
    mmd_model_destroy(model);
    mmd_bytes_finish(&motion_file);
    mmd_bytes_finish(&model_file);
    return ok ? 0 : 1;
}
