/* Prints where the bones of a dancer are in each frame of a dance as CSV, with physics and without OpenGL. */
#include <stdio.h>
#include <string.h>

#include <mmd/mmd.h>

/* Prints a name as a field of CSV, which has quotes if there is a comma or a quote in it. */
static void print_name(const char *name)
{
    if (!strpbrk(name, ",\"\r\n")) {
        fputs(name, stdout);
        return;
    }
    putchar('"');
    for (; *name; name++)
        fputs(*name == '"' ? "\"\"" : (char[2]){*name}, stdout);
    putchar('"');
}

/* Prints the position of each bone's joint in the world, in units, at the current frame. */
static void print_bones(const mmd_scene *scene)
{
    for (size_t bone = 0; bone < mmd_scene_bone_count(scene, 0); bone++) {
        float matrix[16];
        mmd_scene_bone_matrix(scene, 0, bone, matrix);
        printf("%g,", mmd_scene_frame(scene));
        print_name(mmd_scene_bone_name(scene, 0, bone));
        printf(",%.9g,%.9g,%.9g\n", (double)matrix[12], (double)matrix[13], (double)matrix[14]);
    }
}

int main(int argc, char **argv)
{
    mmd_error error = {0};
    mmd_scene *scene = NULL;
    char sentence[1024];
    if (argc != 3) {
        fprintf(stderr, "usage: %s MODEL MOTION\n", argv[0]);
        return 2;
    }
    bool ok = mmd_scene_create(NULL, &scene, &error) == MMD_OK &&
              mmd_scene_open_model(scene, argv[1], NULL, &error) == MMD_OK &&
              mmd_scene_open_motion(scene, argv[2], MMD_ALL_DANCERS, &error) == MMD_OK;
    const double last = ok ? mmd_scene_last_frame(scene) : 0;
    if (ok)
        puts("frame,bone,x,y,z");
    for (double frame = 0; ok && frame <= last; frame++) {
        ok = mmd_scene_set_frame(scene, frame, &error) == MMD_OK;
        if (ok)
            print_bones(scene);
    }
    if (!ok)
        fprintf(stderr, "%s\n", mmd_error_sentence(&error, sentence, sizeof sentence));
    mmd_scene_destroy(scene);
    return ok ? 0 : 1;
}
