/*
 * Tests that differences inside of models and motions are named. With arguments the program tries its
 * mutations on other files: `test_contents MODEL.pmx MOTION.vmd` prints what is said of each, and with FOLDER
 * it also writes the mutated files there, for tests/bench/causes.sh.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "damage.h"
#include "mmd/format.h"
#include "mmd/source.h"
#include "mmd/text.h"
#include "mutations.h"
#include "recipe/contents_internal.h"
#include "recipe/provenance_compare.h"
#include "sample_models.h"
#include "sample_motions.h"

/* All sentences, a line each. */
typedef struct told {
    char text[32768];
    unsigned aspects;
    size_t count;
} told;

static void tell(void *user, unsigned aspects, const char *sentence)
{
    told *t = user;
    char clean[2 * PROVENANCE_SENTENCE_MAX];
    assert_true(*sentence && strlen(sentence) < PROVENANCE_SENTENCE_MAX && !strchr(sentence, '\n'));
    mmd_text_clean(sentence, false, clean, sizeof clean);
    assert_string_equal(clean, sentence); /* is UTF-8 */
    const size_t size = strlen(t->text);
    snprintf(t->text + size, sizeof t->text - size, "%s\n", sentence);
    t->aspects |= aspects;
    t->count++;
}

static told compare(const contents *was, const contents *now)
{
    told t = {{0}, 0, 0};
    contents_compare(was, now, tell, NULL, &t);
    return t;
}

/* Packs contents and unpacks them again. */
static void through_bytes(const contents *c, contents_detail detail, contents *result)
{
    mmd_buffer packed = {0};
    contents_pack(c, detail, &packed);
    assert_false(packed.failed);
    assert_true(contents_unpack(result, packed.data, packed.size, CONTENTS_KEPT_MAX));
    mmd_buffer_finish(&packed);
}

static void read_model(const char *path, mmd_model **model)
{
    mmd_bytes bytes = {0};
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    assert_int_equal(mmd_model_read(bytes.data, bytes.size, model, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
}

static void read_motion(const char *path, mmd_motion **motion)
{
    mmd_bytes bytes = {0};
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, motion, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
}

/* --- Mutations --- */

/* Writes the mutated file for tests/bench/causes.sh. */
static void write_mutated(const char *folder, size_t number, const mutated *m)
{
    char path[512];
    mmd_buffer out = {0};
    snprintf(path, sizeof path, "%s/%02zu.%s", folder, number, m->model ? "pmx" : "vmd");
    assert_int_equal(m->model ? mmd_pmx_write(m->model, &out, NULL) : mmd_vmd_write(m->motion, &out, NULL),
                     MMD_OK);
    assert_int_equal(mmd_file_write(path, out.data, out.size, NULL), MMD_OK);
    mmd_buffer_finish(&out);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%02zu.%s", folder, number, i ? "usual" : "full");
        assert_int_equal(mmd_file_write(path, m->said[i], strlen(m->said[i]), NULL), MMD_OK);
    }
}

/* What happened to a mutation: said[0] where all was known of the old file, said[1] with what pictures have.
 */
typedef struct outcome {
    bool made, named[2];
    told told[2];
    mutated mutated;
} outcome;

static void try_mutation(size_t number, const char *model, const char *motion, const char *folder, outcome *o)
{
    *o = (outcome){0};
    contents was = {0}, usual = {0}, full = {0}, now = {0};
    if (mutations[number].is_of_motion) {
        read_motion(motion, &o->mutated.motion);
        assert_true(contents_of_motion(&was, o->mutated.motion, true));
        through_bytes(&was, CONTENTS_FULL, &full);
        contents_finish(&was);
        assert_true(contents_of_motion(&was, o->mutated.motion, false));
    } else {
        read_model(model, &o->mutated.model);
        assert_true(contents_of_model(&was, o->mutated.model, true));
        through_bytes(&was, CONTENTS_FULL, &full);
    }
    through_bytes(&was, CONTENTS_USUAL, &usual);
    o->made = mutations[number].make(&o->mutated);
    assert_true(mutations[number].is_of_motion ? contents_of_motion(&now, o->mutated.motion, true)
                                               : contents_of_model(&now, o->mutated.model, true));
    for (int i = 0; i < 2 && o->made; i++) {
        o->told[i] = compare(i ? &usual : &full, &now);
        o->named[i] = strstr(o->told[i].text, o->mutated.said[i]) != NULL;
    }
    if (folder && o->made)
        write_mutated(folder, number, &o->mutated);
    contents_finish(&was);
    contents_finish(&usual);
    contents_finish(&full);
    contents_finish(&now);
    mmd_model_destroy(o->mutated.model);
    mmd_motion_destroy(o->mutated.motion);
}

static void every_mutation_is_named(void **state)
{
    (void)state;
    size_t made = 0;
    for (size_t i = 0; i < mutation_count; i++) {
        outcome *o = calloc(1, sizeof *o);
        assert_non_null(o);
        const bool soft = strstr(mutations[i].what, "soft");
        try_mutation(i, soft ? ODORI_BINARY "/dancer/dancer21.pmx" : ODORI_BINARY "/dancer/dancer.pmx",
                     strstr(mutations[i].what, "bone") ? ODORI_BINARY "/dancer/dance.vmd"
                                                       : ODORI_BINARY "/dancer/camera.vmd",
                     NULL, o);
        made += o->made;
        for (int k = 0; k < 2 && o->made; k++)
            if (!o->named[k])
                fail_msg("%s: \"%s\" is not in:\n%s", mutations[i].what, o->mutated.said[k], o->told[k].text);
        free(o);
    }
    print_message("%zu of %zu mutations are named\n", made, mutation_count);
    assert_true(made >= 22);
}

/* --- Other properties --- */

static void equal_contents_have_no_differences(void **state)
{
    (void)state;
    mmd_model model;
    mmd_motion motion;
    sample_everything(&model, 0, 2);
    sample_motion(&motion);
    for (int detail = CONTENTS_BARE; detail <= CONTENTS_FULL; detail++)
        for (int is_motion = 0; is_motion < 2; is_motion++) {
            contents whole = {0}, packed = {0};
            assert_true(is_motion ? contents_of_motion(&whole, &motion, true)
                                  : contents_of_model(&whole, &model, true));
            through_bytes(&whole, (contents_detail)detail, &packed);
            told t = compare(&whole, &packed);
            assert_string_equal(t.text, "");
            t = compare(&packed, &whole);
            assert_string_equal(t.text, "");
            contents_finish(&whole);
            contents_finish(&packed);
        }
    sample_finish(&model);
    sample_motion_finish(&motion);
}

/* The less is known of the old file, the less is told, but never nothing. */
static void every_detail_tells_something(void **state)
{
    (void)state;
    static const char *const said[] = {"bodies have changed\n", "body ", "body "};
    mmd_model *model;
    contents was = {0}, now = {0};
    mutated m = {0};
    read_model(ODORI_BINARY "/dancer/dancer.pmx", &model);
    assert_true(contents_of_model(&was, model, false));
    m.model = model;
    assert_true(mutations[0].make(&m));
    assert_true(contents_of_model(&now, model, false));
    for (int detail = CONTENTS_BARE; detail <= CONTENTS_USUAL; detail++) {
        contents packed = {0};
        through_bytes(&was, (contents_detail)detail, &packed);
        const told t = compare(&packed, &now);
        assert_int_equal(t.count, 1);
        assert_int_equal(t.aspects, PROVENANCE_POSE);
        if (strncmp(t.text, said[detail], strlen(said[detail])) != 0)
            fail_msg("%d: %s", detail, t.text);
        contents_finish(&packed);
    }
    contents_finish(&was);
    contents_finish(&now);
    mmd_model_destroy(model);
}

/* Texts of pictures stay small; those of strangers are decoded within limits. */
static void texts_of_pictures_are_small(void **state)
{
    (void)state;
    mmd_model *model;
    contents c = {0};
    read_model(ODORI_BINARY "/dancer/dancer.pmx", &model);
    char *usual = contents_text_of_model(model, 40 << 10), *bare = contents_text_of_model(model, 1000);
    assert_true(usual && strlen(usual) < 40 << 10 && bare && strlen(bare) <= 1000);
    assert_null(contents_text_of_model(model, 10));
    assert_true(contents_of_text(&c, usual) && c.whole && c.tables[CONTENTS_BODIES].has_rows);
    contents_finish(&c);
    assert_true(contents_of_text(&c, bare) && !c.tables[CONTENTS_BODIES].has_rows &&
                c.tables[CONTENTS_BODIES].count == model->body_count);
    contents_finish(&c);
    mmd_free(usual);
    mmd_free(bare);
    mmd_model_destroy(model);

    /* Many keys are listed by spans of frames. */
    mmd_motion dance;
    sample_dance(&dance, 50, 1000);
    char *text = contents_text_of_motion(&dance, 20 << 10);
    assert_non_null(text);
    mmd_free(text);
    sample_motion_finish(&dance);
}

/* Another order of vertices is no difference, if everything else follows. */
static void exchange_vertices(bool full)
{
    mmd_model *model;
    contents was = {0}, now = {0};
    read_model(ODORI_BINARY "/dancer/dancer.pmx", &model);
    mmd_vertices *v = &model->vertices;
    assert_true(contents_of_model(&was, model, full));
    const uint32_t a = 10, b = v->count - 10; /* exchange these two */
#define EXCHANGE(list)                                                                                       \
    do {                                                                                                     \
        char kept[sizeof *(list)];                                                                           \
        memcpy(kept, &(list)[a], sizeof kept);                                                               \
        memcpy(&(list)[a], &(list)[b], sizeof kept);                                                         \
        memcpy(&(list)[b], kept, sizeof kept);                                                               \
    } while (0)
    EXCHANGE(v->position);
    EXCHANGE(v->normal);
    EXCHANGE(v->uv);
    for (uint32_t k = 0; k < v->additional_uv_count; k++)
        EXCHANGE(v->additional_uv[k]);
    EXCHANGE(v->deform);
    EXCHANGE(v->bone);
    EXCHANGE(v->weight);
    EXCHANGE(v->edge_scale);
    if (v->sdef_index)
        EXCHANGE(v->sdef_index);
    for (uint32_t i = 0; i < model->index_count; i++)
        model->indices[i] = model->indices[i] == a ? b : model->indices[i] == b ? a : model->indices[i];
    for (uint32_t i = 0; i < model->morph_count; i++)
        for (uint32_t k = 0; model->morphs[i].kind == MMD_MORPH_VERTEX && k < model->morphs[i].count; k++) {
            int32_t *of = &((mmd_vertex_offset *)(uintptr_t)model->morphs[i].offsets.vertex)[k].vertex;
            *of = *of == (int32_t)a ? (int32_t)b : *of == (int32_t)b ? (int32_t)a : *of;
        }
    assert_true(contents_of_model(&now, model, full));
    const told t = compare(&was, &now);
    assert_string_equal(t.text, "");
    contents_finish(&was);
    contents_finish(&now);
    mmd_model_destroy(model);
}

static void vertices_are_known_by_what_they_are(void **state)
{
    (void)state;
    exchange_vertices(false);
    exchange_vertices(true);
}

/* A mirrored picture has the same UV at other vertices. */
static void exchanged_values_are_told(void **state)
{
    (void)state;
    for (int full = 0; full < 2; full++) {
        mmd_model *model;
        contents was = {0}, now = {0};
        char said[256];
        read_model(ODORI_BINARY "/dancer/dancer.pmx", &model);
        assert_true(contents_of_model(&was, model, full));
        const mmd_material *m = &model->materials[0];
        const uint32_t a = model->indices[m->first_index];
        uint32_t b = a;
        float(*uv)[2] = model->vertices.uv, kept[2];
        for (uint32_t i = 1; i < m->index_count && memcmp(uv[a], uv[b], sizeof kept) == 0; i++)
            b = model->indices[m->first_index + i];
        memcpy(kept, uv[a], sizeof kept);
        memcpy(uv[a], uv[b], sizeof kept);
        memcpy(uv[b], kept, sizeof kept);
        assert_true(contents_of_model(&now, model, full));
        const told t = compare(&was, &now);
        snprintf(said, sizeof said,
                 full ? "UV of 2 vertices in material %s\n"
                      : "vertices of material %s have exchanged positions, normals, UV or edge sizes\n",
                 m->name);
        assert_string_equal(t.text, said);
        contents_finish(&was);
        contents_finish(&now);
        mmd_model_destroy(model);
    }
}

/* Of items with one name, those with the same contents are the same. */
static void items_of_one_name_are_told_apart(void **state)
{
    (void)state;
    mmd_model *model;
    contents was = {0}, now = {0};
    read_model(ODORI_BINARY "/dancer/dancer.pmx", &model);
    assert_true(model->joint_count > 4);
    for (uint32_t i = 0; i < model->joint_count; i++)
        model->joints[i].name = "";
    assert_true(contents_of_model(&was, model, true));
    model->joints++;
    model->joint_count--;
    assert_true(contents_of_model(&now, model, true));
    const told t = compare(&was, &now);
    assert_string_equal(t.text, "joint (without a name) was removed\n");
    contents_finish(&was);
    contents_finish(&now);
    mmd_model_destroy(model);
}

/* Pictures of earlier versions list no links of IK: their bones tell that limits have changed. */
static void limits_are_told_without_links(void **state)
{
    (void)state;
    mutated m = {0};
    contents was = {0}, now = {0};
    read_model(ODORI_BINARY "/dancer/dancer.pmx", &m.model);
    assert_true(contents_of_model(&was, m.model, true));
    for (size_t i = 0; i < mutation_count; i++)
        if (strcmp(mutations[i].what, "an angle limit of an IK link") == 0)
            assert_true(mutations[i].make(&m));
    assert_true(contents_of_model(&now, m.model, true));
    const told with = compare(&was, &now);
    assert_non_null(strstr(with.text, "IK link "));
    assert_null(strstr(with.text, "angle limits of the IK links"));
    was.tables[CONTENTS_LINKS] = (contents_table){0};
    const told without = compare(&was, &now);
    assert_non_null(strstr(without.text, "angle limits of the IK links"));
    assert_null(strstr(without.text, "IK link "));
    assert_int_equal(without.count, 1);
    contents_finish(&was);
    contents_finish(&now);
    mmd_model_destroy(m.model);
}

/* Where no keys are known, neither their number nor their frames are told. */
static void tracks_without_keys_tell_no_numbers(void **state)
{
    (void)state;
    mmd_motion dance;
    contents all = {0}, was = {0}, now = {0};
    sample_dance(&dance, 20, 30);
    assert_true(contents_of_motion(&all, &dance, false));
    through_bytes(&all, CONTENTS_COARSE, &was);
    contents_finish(&all);
    for (uint32_t i = 0; i < dance.bone_track_count; i++)
        dance.bone_tracks[i].keys[1].translation[0] += 1;
    assert_true(contents_of_motion(&all, &dance, false));
    through_bytes(&all, CONTENTS_COARSE, &now);
    const told t = compare(&was, &now);
    assert_null(strstr(t.text, "0 keys"));
    assert_null(strstr(t.text, " at "));
    assert_non_null(strstr(t.text, "motion: keys of 14 more tracks\n"));
    contents_finish(&all);
    contents_finish(&was);
    contents_finish(&now);
    sample_motion_finish(&dance);
}

/* Short texts cannot ask for any amount of memory: these are materials of which nothing is known but that
 * they have no names. */
static void memory_is_limited(void **state)
{
    (void)state;
    const uint32_t count = 4 << 20;
    mmd_buffer plain = {0};
    contents c;
    const uint8_t head[] = {0, 1, CONTENTS_MATERIALS + 1, 0x80, 0x80, 0x80, 2, 1, 2, 3, 4, 1, 0};
    mmd_write_bytes(&plain, head, sizeof head);
    mmd_buffer_reserve(&plain, count + 1);
    assert_false(plain.failed);
    memset(plain.data + plain.size, 0, count + 1);
    assert_false(contents_read(&c, plain.data, plain.size + count + 1));
    assert_true(c.arena.used <= 512 << 20);
    contents_finish(&c);
    mmd_buffer_finish(&plain);
}

/* What refers to an item is compared with where the item went, not by its number. */
static void references_follow_their_items(void **state)
{
    (void)state;
    mmd_model *model;
    contents was = {0}, now = {0};
    char said[256];
    read_model(ODORI_BINARY "/dancer/dancer.pmx", &model);
    assert_true(contents_of_model(&was, model, true) && model->body_count > 2 && model->joint_count);
    const int32_t a = model->joints[0].body_a, b = a ? a - 1 : 1; /* exchange these two */
    const mmd_rigid_body kept = model->bodies[a];
    model->bodies[a] = model->bodies[b];
    model->bodies[b] = kept;
    for (uint32_t i = 0; i < model->joint_count; i++) {
        mmd_joint *j = &model->joints[i];
        j->body_a = j->body_a == a ? b : j->body_a == b ? a : j->body_a;
        j->body_b = j->body_b == a ? b : j->body_b == b ? a : j->body_b;
    }
    const char **textures = mmd_arena_alloc(&model->arena, model->texture_count + 1, sizeof *textures);
    assert_non_null(textures);
    textures[0] = "unused.png";
    memcpy(textures + 1, model->textures, model->texture_count * sizeof *textures);
    model->textures = textures;
    model->texture_count++;
    for (uint32_t i = 0; i < model->material_count; i++) {
        mmd_material *m = &model->materials[i];
        m->texture += m->texture >= 0;
        m->sphere += m->sphere >= 0;
        m->toon += !m->shared_toon && m->toon >= 0;
    }
    assert_true(contents_of_model(&now, model, true));
    const told t = compare(&was, &now);
    snprintf(said, sizeof said, "the bodies are in another order: %s moved\n",
             model->bodies[a < b ? a : b].name);
    assert_string_equal(t.text, said);
    contents_finish(&was);
    contents_finish(&now);
    mmd_model_destroy(model);
}

/* --- Strangers --- */

typedef struct pair {
    const contents *good;
    size_t read;
} pair;

static void compare_damaged(const uint8_t *data, size_t size, void *user)
{
    pair *p = user;
    contents c;
    if (contents_read(&c, data, size)) {
        compare(p->good, &c);
        compare(&c, p->good);
        const told t = compare(&c, &c);
        assert_string_equal(t.text, "");
        p->read++;
    }
    contents_finish(&c);
}

static void damaged_contents_do_no_harm(void **state)
{
    (void)state;
    const uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_model model;
    mmd_motion motion;
    sample_everything(&model, 0, 2);
    sample_motion(&motion);
    for (int detail = CONTENTS_BARE; detail <= CONTENTS_FULL; detail++)
        for (int is_motion = 0; is_motion < 2; is_motion++) {
            contents c = {0};
            mmd_buffer plain = {0}, packed = {0};
            assert_true(is_motion ? contents_of_motion(&c, &motion, true)
                                  : contents_of_model(&c, &model, true));
            contents_write(&c, (contents_detail)detail, &plain);
            contents_pack(&c, (contents_detail)detail, &packed);
            pair p = {&c, 0};
            assert_true(damage_each(plain.data, plain.size, compare_damaged, &p) > 100);
            assert_true(p.read > 10);
            contents other;
            assert_false(contents_unpack(&other, packed.data, packed.size - 1, CONTENTS_KEPT_MAX));
            contents_finish(&other);
            assert_false(contents_unpack(&other, packed.data, packed.size, plain.size - 1));
            contents_finish(&other);
            mmd_buffer_finish(&plain);
            mmd_buffer_finish(&packed);
            contents_finish(&c);
        }
    sample_finish(&model);
    sample_motion_finish(&motion);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* Prints what is said of each mutation of other files. Returns the number of those that are not named. */
static int try_files(const char *model, const char *motion, const char *folder)
{
    size_t made = 0, named[2] = {0};
    for (size_t i = 0; i < mutation_count; i++) {
        outcome *o = calloc(1, sizeof *o);
        assert_non_null(o);
        try_mutation(i, model, motion, folder, o);
        made += o->made;
        for (int k = 0; k < 2; k++) {
            named[k] += o->made && o->named[k];
            printf("%s%-30s %s%s", k ? "" : "\n", k ? "  without the old file:" : mutations[i].what,
                   !o->made      ? "(nothing of the kind)"
                   : o->named[k] ? "ok  "
                                 : "NOT ",
                   o->made ? "" : "\n");
            for (const char *c = o->told[k].text; o->made && *c; c++)
                fputs(*c == '\n' ? (c[1] ? "; " : "\n") : (char[]){*c, 0}, stdout);
        }
        free(o);
    }
    printf("\n%zu mutations: %zu named with the old file, %zu without\n", made, named[0], named[1]);
    return (int)(2 * made - named[0] - named[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mutation_is_named),
        cmocka_unit_test(equal_contents_have_no_differences),
        cmocka_unit_test(every_detail_tells_something),
        cmocka_unit_test(texts_of_pictures_are_small),
        cmocka_unit_test(vertices_are_known_by_what_they_are),
        cmocka_unit_test(exchanged_values_are_told),
        cmocka_unit_test(items_of_one_name_are_told_apart),
        cmocka_unit_test(limits_are_told_without_links),
        cmocka_unit_test(tracks_without_keys_tell_no_numbers),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(references_follow_their_items),
        cmocka_unit_test(damaged_contents_do_no_harm),
    };
    if (argc > 2)
        return try_files(argv[1], argv[2], argc > 3 ? argv[3] : NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
