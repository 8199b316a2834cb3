/* Writes the corpora of fuzz_vmd and fuzz_vpd: make_corpus_motions FOLDER, where vmd/ and vpd/ exist. */
#include "sample_motions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void save(const char *folder, const char *name, mmd_buffer *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes->data, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        exit(3);
    }
}

static void save_motion(const char *folder, const char *name, mmd_motion *motion)
{
    mmd_buffer out = {0};
    mmd_vmd_write(motion, &out, NULL);
    save(folder, name, &out, out.size);
    mmd_buffer_finish(&out);
}

static void save_motions(const char *folder)
{
    mmd_motion motion;
    sample_motion(&motion);
    save_motion(folder, "vmd/everything.vmd", &motion);
    /* The old header has a shorter name field. */
    memcpy(motion.header, "Vocaloid Motion Data file", 25);
    motion.model_name_size = 10;
    save_motion(folder, "vmd/old.vmd", &motion);
    motion.bone_track_count = motion.morph_track_count = 0;
    save_motion(folder, "vmd/scene.vmd", &motion);

    mmd_buffer out = {0};
    mmd_vmd_write(&motion, &out, NULL);
    save(folder, "vmd/cut.vmd", &out, out.size - 30);
    save(folder, "vmd/header.vmd", &out, 40);
    mmd_buffer_finish(&out);
    sample_motion_finish(&motion);

    sample_dance(&motion, 3, 2);
    save_motion(folder, "vmd/bones.vmd", &motion);
    sample_motion_finish(&motion);
}

static void save_pose(const char *folder, const char *name, const mmd_vpd *pose)
{
    mmd_buffer out = {0};
    mmd_vpd_write(pose, &out, NULL);
    save(folder, name, &out, out.size);
    mmd_buffer_finish(&out);
}

static void save_poses(const char *folder)
{
    mmd_vpd pose;
    sample_pose(&pose);
    save_pose(folder, "vpd/morphs.vpd", &pose);
    pose.morph_count = 0;
    save_pose(folder, "vpd/bones.vpd", &pose);
    pose.bone_count = 0;
    save_pose(folder, "vpd/empty.vpd", &pose);
    sample_pose_finish(&pose);

    static char loose[] =
        "Vocaloid Pose Data file\nm;//c\n1;\nBone0{a//b\n-.5,+1e-3,7.;\t0,0,0,1;}Bone1{b\n}Morph{c\n2;}";
    mmd_buffer out = {.data = (uint8_t *)loose};
    save(folder, "vpd/loose.vpd", &out, sizeof loose - 1);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    save_motions(arguments[1]);
    save_poses(arguments[1]);
    return 0;
}
