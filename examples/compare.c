/* Compares two pictures and says how and where they differ. The causes are named if the reference was drawn
 * by odori shot --ids. Exit code 0: within the limits; 1: not; 2: it could not be found out. */
#include <stdio.h>
#include <stdlib.h>

#include <mmd/mmd.h>

int main(int argc, char **argv)
{
    mmd_error error = {0};
    mmd_image a = {0}, b = {0};
    mmd_ids ids = {0};
    mmd_verdict verdict = {0};
    mmd_verdict_options options = mmd_default_verdict_options();
    mmd_compare *compare = mmd_compare_create();
    char sentence[1024], path[1024];
    if (argc < 3 || argc > 4 || !compare) {
        fprintf(stderr, "usage: %s REFERENCE.png PICTURE.png [LEVELS]\n", argv[0]);
        mmd_compare_destroy(compare);
        return 2;
    }
    if (argc == 4)
        options.limits.value[MMD_METRIC_MAX] = atof(argv[3]);
    bool ok = mmd_image_read(argv[1], &a, &error) == MMD_OK && mmd_image_read(argv[2], &b, &error) == MMD_OK;
    if (ok && mmd_ids_path_beside(argv[1], path, sizeof path) &&
        mmd_ids_read(path, a.width, a.height, &ids, NULL) == MMD_OK)
        options.ids = &ids;
    ok = ok && mmd_compare_judge(compare, &a, &b, &options, &verdict, &error) == MMD_OK;
    if (ok)
        printf("%s\n", verdict.why);
    else
        fprintf(stderr, "%s\n", mmd_error_sentence(&error, sentence, sizeof sentence));
    const int code = !ok ? 2 : verdict.passed ? 0 : 1;
    mmd_verdict_finish(&verdict);
    mmd_compare_destroy(compare);
    mmd_ids_finish(&ids);
    mmd_image_finish(&a);
    mmd_image_finish(&b);
    return code;
}
