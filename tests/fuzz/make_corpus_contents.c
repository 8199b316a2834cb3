/* Writes the corpus of fuzz_contents: make_corpus_contents FOLDER, where contents/ exists. Each file holds
 * two versions of a model or a motion, in every detail. */
#include "corpus_file.h"
#include "recipe/contents_internal.h"
#include "sample_models.h"
#include "sample_motions.h"

static void save(const char *folder, const char *name, const contents *was, const contents *now,
                 contents_detail detail)
{
    mmd_buffer first = {0}, out = {0};
    contents_write(was, detail, &first);
    mmd_write_u8(&out, (uint8_t)(first.size >> 8));
    mmd_write_u8(&out, (uint8_t)first.size);
    mmd_write_bytes(&out, first.data, first.size);
    contents_write(now, detail, &out);
    mmd_buffer_finish(&first);
    corpus_save(folder, "contents", name, &out);
}

static void save_all(const char *folder, const char *what, const contents *was, const contents *now)
{
    static const char *const details[] = {"bare", "coarse", "usual", "full"};
    for (int i = CONTENTS_BARE; i <= CONTENTS_FULL; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s-%s", what, details[i]);
        save(folder, name, was, now, (contents_detail)i);
    }
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    mmd_model model, tiny;
    mmd_motion motion;
    contents was, now;
    sample_everything(&model, 1, 1);
    sample_tiny(&tiny, 2.1f);
    sample_motion(&motion);
    bool ok = contents_of_model(&was, &model, true);
    model.bodies[0].friction += 1;
    model.vertices.weight[0][0] += 0.5f;
    model.materials[0].flags ^= 1;
    ok = contents_of_model(&now, &model, true) && ok;
    save_all(arguments[1], "model", &was, &now);
    contents_finish(&now);
    ok = contents_of_model(&now, &tiny, true) && ok;
    save_all(arguments[1], "other", &was, &now);
    contents_finish(&was);
    contents_finish(&now);
    ok = contents_of_motion(&was, &motion, true) && ok;
    motion.bone_tracks[0].keys[0].translation[0] += 1;
    motion.light_key_count = 0;
    ok = contents_of_motion(&now, &motion, true) && ok;
    save_all(arguments[1], "motion", &was, &now);
    contents_finish(&was);
    contents_finish(&now);
    sample_finish(&model);
    sample_finish(&tiny);
    sample_motion_finish(&motion);
    return ok ? 0 : 1;
}
