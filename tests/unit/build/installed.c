/*
 * installed MODEL MOTION FRAME BONE: prints a bone as `odori dump` does. The test build/installed compiles
 * it, as C and as C++, with what is installed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mmd/actor.h"
#include "mmd/format.h"
#include "mmd/source.h"

int main(int argc, char **argv)
{
    mmd_bytes model_file, motion_file;
    mmd_model *model = NULL;
    mmd_motion *motion = NULL;
    mmd_actor *actor = NULL;
    mmd_error error;
    char sentence[1024];
    int32_t bone = -1;
    if (argc != 5)
        return 2;
    if (mmd_file_read(argv[1], &model_file, &error) != MMD_OK ||
        mmd_model_read(model_file.data, model_file.size, &model, &error) != MMD_OK ||
        mmd_file_read(argv[2], &motion_file, &error) != MMD_OK ||
        mmd_vmd_read(motion_file.data, motion_file.size, &motion, &error) != MMD_OK ||
        (actor = mmd_actor_create(model)) == NULL || mmd_actor_add_motion(actor, motion, &error) != MMD_OK) {
        fprintf(stderr, "%s\n", mmd_error_sentence(&error, sentence, sizeof sentence));
        return 1;
    }
    bone = mmd_model_find_bone(model, argv[4]);
    if (bone >= 0) {
        float matrix[16];
        mmd_actor_set_frame(actor, atof(argv[3]));
        mmd_pose_bone_matrix(mmd_actor_pose(actor), (uint32_t)bone, matrix);
        printf("\"name\":\"%s\",\"world\":[%.9g", argv[4], (double)matrix[0]);
        for (int i = 1; i < 16; i++)
            printf(",%.9g", (double)matrix[i]);
        printf("]\n");
    }
    mmd_actor_destroy(actor);
    mmd_motion_destroy(motion);
    mmd_model_destroy(model);
    mmd_bytes_finish(&motion_file);
    mmd_bytes_finish(&model_file);
    return bone >= 0 ? 0 : 1;
}
