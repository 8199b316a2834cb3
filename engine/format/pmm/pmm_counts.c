/*
 * Finds how many bones, morphs and IK bones a model of a project of version 0001 has. The file does not store
 * it: MMD, nanoem, MikuMiku.PMM and pymeshio all read the model's own file first. But a project outlives its
 * models, which get lost or are replaced by versions with more bones, so the counts are derived from the
 * project itself. They are the counts with which all lists of the model end exactly where the next model
 * begins, or after the last one the camera:
 *
 *   bones   x  first key (57)   frame 0, curves below 128, a rotation of length 1
 *   count   x  further key (61)
 *   morphs  x  first key (17)   frame 0
 *   count   x  further key (21)
 *   first key of the model (14 + IK)   frame 0, flags of 0 or 1
 *   count   x  further key (18 + IK)
 *   bones   x  state (34), morphs x weight (4), IK x flag (1)
 *
 * The first key of a bone cannot be mistaken, because of its rotation; the other counts are determined by
 * where everything ends.
 */
#include "load.h"
#include "pmm_io.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    LINKS = 12,
    NUMBER = 4,
    BONE_KEY = LINKS + PMM_BONE_PAYLOAD_1,
    BONE_STATE = 34,
    MORPH_KEY = LINKS + 5,
    CONFIG_KEY = LINKS + 2,
    CAMERA_KEY = LINKS + PMM_CAMERA_PAYLOAD_1,
    CAMERA_STATE = 37,
    IK_MOST = 1024,
    LOOKS_MOST = 20000000 /* limit of bytes to look at: a tenth of a second */
};

typedef struct search {
    const uint8_t *data;
    size_t size;
    const mmd_project *project;
    uint32_t next; /* index of the next model; after the last one the camera follows */
    uint32_t looks;
} search;

static bool is_finite(const uint8_t *floats, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(load_f32(floats + 4 * (size_t)i)))
            return false;
    return true;
}

static bool are_curves(const uint8_t *curves, int count)
{
    for (int i = 0; i < 4 * count; i++)
        if (curves[i] > 127)
            return false;
    return true;
}

static bool is_bone_key(const search *s, size_t at)
{
    enum { CURVES = LINKS, PLACE = CURVES + 16, TURN = PLACE + 12 };
    if (at > s->size || s->size - at < BONE_KEY)
        return false;
    const uint8_t *key = s->data + at;
    float square = 0;
    for (size_t i = 0; i < 4; i++)
        square += load_f32(key + TURN + 4 * i) * load_f32(key + TURN + 4 * i);
    return load_u32(key) == 0 && are_curves(key + CURVES, 4) && is_finite(key + PLACE, 3) && square > 0.9f &&
           square < 1.1f;
}

/* Moves past a count and that many records. Returns false if there are not enough bytes. */
static bool pass_records(const search *s, size_t *at, size_t size)
{
    if (*at > s->size || s->size - *at < 4)
        return false;
    uint32_t count = load_u32(s->data + *at);
    *at += 4;
    if (count > (s->size - *at) / size)
        return false;
    *at += count * size;
    return true;
}

/* Returns the length of the text in a field, or SIZE_MAX if it has control characters or no end. */
static size_t text_length(const uint8_t *field, size_t size)
{
    size_t length = 0;
    while (length < size && field[length] >= ' ' && field[length] != 0x7F)
        length++;
    return length < size && field[length] == 0 ? length : SIZE_MAX;
}

/* Tests whether a model begins here. Its name need not be in the list before the models: MMD writes the names
 * there in the language of its menus. */
static bool is_model(const search *s, size_t at)
{
    enum {
        PATH = 1 + PMM_LIST_NAME_SIZE,
        VISIBLE = PATH + PMM_PATH_SIZE + 1,
        SELECTED = VISIBLE + 1,
        COUNT = 5
    };
    if (at > s->size || s->size - at <= SELECTED + 4 * COUNT)
        return false;
    const uint8_t *model = s->data + at;
    const size_t path = text_length(model + PATH, PMM_PATH_SIZE);
    bool ok = model[0] == s->next && text_length(model + 1, PMM_LIST_NAME_SIZE) != SIZE_MAX &&
              path != SIZE_MAX && memchr(model + PATH, '.', path) && model[VISIBLE] <= 1;
    for (size_t i = 0; i < COUNT; i++) /* a bone and morphs, or -1 */
        ok = ok && load_u32(model + SELECTED + 4 * i) + 1 <= UINT16_MAX;
    return ok;
}

/* Tests whether the next model, or camera and light, begin here. */
static bool is_end(const search *s, size_t at)
{
    enum { CURVES = LINKS + 28, ORTHOGRAPHIC = CURVES + 24, FOV = ORTHOGRAPHIC + 1, SELECTED = FOV + 4 };
    if (s->next < s->project->model_count)
        return is_model(s, at);
    if (at > s->size || s->size - at < CAMERA_KEY)
        return false;
    const uint8_t *key = s->data + at;
    at += CAMERA_KEY;
    return load_u32(key) == 0 && is_finite(key + LINKS, 7) && are_curves(key + CURVES, 6) &&
           key[ORTHOGRAPHIC] <= 1 && load_u32(key + FOV) - 1 < 360 && key[SELECTED] <= 1 &&
           pass_records(s, &at, NUMBER + CAMERA_KEY) && s->size - at >= CAMERA_STATE + 4 &&
           load_u32(s->data + at + CAMERA_STATE) == 0;
}

/* Tries all counts of IK for these bones and morphs, from the model's first key on. */
static bool find_ik(search *s, size_t at, mmd_project_model *model)
{
    size_t states = (size_t)BONE_STATE * model->bone_count + 4 * (size_t)model->morph_count;
    if (at > s->size || s->size - at < CONFIG_KEY || load_u32(s->data + at) != 0)
        return false;
    at += LINKS;
    for (uint32_t ik = 0; ik <= IK_MOST && at + ik + 1 < s->size && s->data[at + ik] <= 1; ik++) {
        size_t end = at + 1 + ik + 1;
        s->looks++;
        if (s->data[end - 1] > 1 || !pass_records(s, &end, (size_t)NUMBER + CONFIG_KEY + ik) ||
            !is_end(s, end + states + ik))
            continue;
        model->ik_count = ik;
        return true;
    }
    return false;
}

static bool is_morph_key(const search *s, size_t at)
{
    if (at > s->size || s->size - at < MORPH_KEY || load_u32(s->data + at) != 0 ||
        s->data[at + MORPH_KEY - 1] > 1)
        return false;
    float weight = load_f32(s->data + at + LINKS);
    return weight == 0 || (fabsf(weight) > 1e-6f && fabsf(weight) < 1e6f);
}

/* Tries the largest number of morphs first. If all bytes are 0, two morphs less and 21 IK bones more fit as
 * well, but no model has that many. */
static bool find_morphs(search *s, size_t at, mmd_project_model *model)
{
    uint32_t most = 0;
    while (is_morph_key(s, at + (size_t)MORPH_KEY * most))
        most++;
    s->looks += most;
    for (uint32_t morphs = most + 1; morphs-- > 0 && s->looks <= LOOKS_MOST;) {
        size_t config = at + (size_t)MORPH_KEY * morphs;
        s->looks++;
        model->morph_count = morphs;
        if (pass_records(s, &config, NUMBER + MORPH_KEY) && find_ik(s, config, model))
            return true;
    }
    return false;
}

bool pmm_find_counts(const pmm_io *io, mmd_project_model *model)
{
    assert(io && model);
    const mmd_cursor *cursor = &io->cursor;
    search s = {
        .data = cursor->data, .size = cursor->size, .project = io->project, .next = (uint32_t)io->owner + 1};
    uint32_t most = 0;
    while (is_bone_key(&s, cursor->at + (size_t)BONE_KEY * most))
        most++;
    for (uint32_t bones = most + 1; bones-- > 0 && s.looks <= LOOKS_MOST;) {
        size_t morphs = cursor->at + (size_t)BONE_KEY * bones;
        s.looks++;
        model->bone_count = bones;
        if (pass_records(&s, &morphs, NUMBER + BONE_KEY) && find_morphs(&s, morphs, model))
            return true;
    }
    return false;
}
