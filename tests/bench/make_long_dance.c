/*
 * Writes a dance of 20 minutes with 100,000 keyframes for a model, with which the timeline and the keyframe
 * sheet are measured and looked at.
 *
 *   make_long_dance MODEL.pmx OUT.vmd [FRAMES KEYS]
 */
#include <stdio.h>
#include <stdlib.h>

#include "long_dance.h"
#include "mmd/format.h"
#include "mmd/source.h"

int main(int argc, char **argv)
{
    mmd_error error = {0};
    mmd_bytes pmx = {0};
    mmd_buffer out = {0};
    mmd_model *model = NULL;
    mmd_motion motion;
    if (argc != 3 && argc != 5) {
        fprintf(stderr, "usage: make_long_dance MODEL.pmx OUT.vmd [FRAMES KEYS]\n");
        return 2;
    }
    uint32_t frames = argc == 5 ? (uint32_t)strtoul(argv[3], NULL, 10) : 36000,
             keys = argc == 5 ? (uint32_t)strtoul(argv[4], NULL, 10) : 100000;
    if (mmd_file_read(argv[1], &pmx, &error) != MMD_OK ||
        mmd_pmx_read(pmx.data, pmx.size, &model, &error) != MMD_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], error.message);
        return 3;
    }
    long_dance_make(&motion, model, frames, keys);
    bool written = mmd_vmd_write(&motion, &out, &error) == MMD_OK;
    FILE *file = written ? fopen(argv[2], "wb") : NULL;
    written = file && fwrite(out.data, 1, out.size, file) == out.size;
    written &= file && fclose(file) == 0;
    if (written)
        printf("%u keyframes\n", motion.bone_key_count + motion.morph_key_count + motion.camera_key_count);
    else
        fprintf(stderr, "%s: cannot be written. %s\n", argv[2], error.message);
    mmd_buffer_finish(&out);
    mmd_arena_finish(&motion.arena);
    mmd_model_destroy(model);
    mmd_bytes_finish(&pmx);
    return written ? 0 : 3;
}
