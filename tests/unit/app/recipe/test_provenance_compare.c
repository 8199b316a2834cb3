/* Tests the comparison of provenance records: sentences, kinds of difference, and hostile texts. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "damage.h"
#include "mmd/text.h"
#include "recipe/provenance_compare.h"
#include "sample_models.h"

static const char base[] =
    "{\"format\":1,\"odori\":\"0.1.0\",\"models\":[{\"path\":\"a.pmx\",\"hash\":\"0123456789abcdef\","
    "\"textures\":[{\"name\":\"skin.png\",\"hash\":\"11111111aa\"},{\"name\":\"toon1.bmp\",\"hash\":\"22\"}],"
    "\"accessory\":{\"name\":\"a.x\",\"hash\":\"77\"}}],\"stage\":{\"path\":\"s.pmx\",\"hash\":\"33\"},"
    "\"motions\":[{\"path\":\"m.vmd\",\"hash\":\"4444444455\"}],\"camera\":{\"path\":\"c.vmd\",\"hash\":"
    "\"5\"},"
    "\"frame\":40,\"size\":[320,240],\"view\":{\"edge\":\"on\",\"light_color\":\"1,1,1\"},"
    "\"exec\":\"bone.rotate 頭 0 30 0\\ncamera.orbit 20 "
    "0\\n\",\"physics\":{\"rate\":60,\"mode\":{\"on\":true}},"
    "\"state\":{\"camera\":{\"fov\":30.5},\"light\":{\"color\":[0.6,0.6,0.6]}},\"gl\":{\"vendor\":\"x\"}}";

/* All sentences received, a line each, and what else was reported. */
typedef struct received {
    char text[8192];
    unsigned aspects;
    size_t sentence_count;
} received;

static void receive(void *user, unsigned aspects, const char *sentence)
{
    received *h = user;
    size_t length = strlen(sentence), size = strlen(h->text);
    assert_true(length > 0 && length < PROVENANCE_SENTENCE_MAX);
    assert_null(strchr(sentence, '\n'));
    h->aspects |= aspects;
    h->sentence_count++;
    snprintf(h->text + size, sizeof h->text - size, "%s\n", sentence);
}

static bool describe_use(void *user, const provenance_texture *texture, provenance_use *use)
{
    (void)user;
    if (strcmp(texture->model_path, "a.pmx") != 0 || texture->index != 0)
        return false;
    *use = (provenance_use){"sphere texture", "顔", PROVENANCE_COLOR};
    return true;
}

/* Returns base with the first occurrence of from replaced by to; free() releases it. */
static char *changed(const char *from, const char *to)
{
    const char *at = strstr(base, from);
    assert_non_null(at);
    char *text = malloc(sizeof base + strlen(to));
    assert_non_null(text);
    sprintf(text, "%.*s%s%s", (int)(at - base), base, to, at + strlen(from));
    return text;
}

static void assert_told(const char *from, const char *to, unsigned aspects, const char *sentences)
{
    received h = {{0}, 0, 0};
    bool known = false;
    char *now = changed(from, to);
    size_t count = provenance_compare(
        base, now, &(provenance_listener){.tell = receive, .use = describe_use, .user = &h}, &known);
    assert_true(known);
    assert_int_equal(count, h.sentence_count);
    assert_string_equal(h.text, sentences);
    assert_int_equal(h.aspects, aspects);
    free(now);
}

static void every_difference_is_one_sentence_and_its_kind(void **state)
{
    (void)state;
    assert_told("\"format\":1", "\"format\":1", 0, "");
    assert_told(":40", ":41.5", PROVENANCE_POSE, "frame: 40 -> 41.5\n");
    assert_told(":40", ":40.0000001", PROVENANCE_POSE, "frame: 40 -> 40.0000001\n");
    assert_told(":40", ":40.0", 0, "");
    assert_told("[320,240]", "[320,480]", PROVENANCE_POSE, "size: 320, 240 -> 320, 480\n");
    assert_told("\"edge\":\"on\"", "\"edge\":\"off\"", PROVENANCE_EDGES, "view.edge: on -> off\n");
    assert_told("\"edge\":\"on\",", "", PROVENANCE_EDGES, "view.edge: on -> (none)\n");
    assert_told("\"edge\":\"on\"", "\"edge\":\"on\",\"show\":\"bodies,joints\"", PROVENANCE_OTHER,
                "view.show: (none) -> bodies,joints\n");
    assert_told(",\"light_color\":\"1,1,1\"", ",\"light_color\":\"1,0,0\"", PROVENANCE_LIGHT,
                "view.light_color: 1,1,1 -> 1,0,0\n");
    assert_told("0 30 0", "0 31 0", PROVENANCE_POSE,
                "exec: bone.rotate 頭 0 30 0;camera.orbit 20 0 -> bone.rotate 頭 0 31 0;camera.orbit 20 0\n");
    assert_told("\"rate\":60", "\"rate\":120", PROVENANCE_POSE, "physics.rate: 60 -> 120\n");
    assert_told("\"rate\":60", "\"rate\":60,\"lever\":\"own\"", PROVENANCE_POSE,
                "physics.lever: stock -> own\n"); /* the default when the member is missing */
    assert_told("\"rate\":60", "\"rate\":60,\"lever\":\"stock\"", 0, "");
    assert_told("\"on\":true", "\"on\":false", PROVENANCE_POSE, "physics.mode.on: yes -> no\n");
    assert_told("\"rate\":60", "\"rate\":\"60\"", PROVENANCE_POSE, "physics.rate: 60 -> \"60\"\n");
    assert_told("30.5", "31", PROVENANCE_POSE, "camera.fov: 30.5 -> 31\n");
    assert_told("0.1.0", "0.2.0", PROVENANCE_OTHER, "odori: 0.1.0 -> 0.2.0\n");
    assert_told("{\"vendor\":\"x\"}", "{\"vendor\":\"y\"}", PROVENANCE_OTHER, "gl.vendor: x -> y\n");
}

static void files_are_told_apart_by_their_hashes(void **state)
{
    (void)state;
    assert_told("4444444455", "66666666", PROVENANCE_POSE,
                "motion m.vmd has changed: 44444444 -> 66666666\n");
    assert_told("4444444455", "", PROVENANCE_POSE, "motion m.vmd has changed: 44444444 -> missing\n");
    assert_told("m.vmd", "n.vmd", 0, "");
    assert_told("{\"path\":\"m.vmd\",\"hash\":\"4444444455\"}", "{\"path\":\"n.vmd\",\"hash\":\"6\"}",
                PROVENANCE_POSE, "motion: m.vmd -> n.vmd\n");
    assert_told("[{\"path\":\"m.vmd\",\"hash\":\"4444444455\"}]", "[]", PROVENANCE_POSE,
                "motion: m.vmd -> (none)\n");
    assert_told("\"stage\":{\"path\":\"s.pmx\",\"hash\":\"33\"},", "", PROVENANCE_OTHER,
                "stage: s.pmx -> (none)\n");
    assert_told("\"hash\":\"77\"", "\"hash\":\"78\"", PROVENANCE_OTHER,
                "accessory a.x has changed: 77 -> 78\n");
    assert_told("11111111aa", "99", PROVENANCE_COLOR,
                "sphere texture skin.png (material 顔) has changed: 11111111 -> 99\n");
    assert_told("\"hash\":\"22\"", "\"hash\":\"23\"", PROVENANCE_TOON,
                "toon texture toon1.bmp has changed: 22 -> 23\n");
}

static void camera_and_light_are_told_where_they_alone_differ(void **state)
{
    (void)state;
    received h = {{0}, 0, 0};
    static const char was[] = "{\"frame\":1,\"state\":{\"light\":{\"color\":[0.9,0.4]}}}",
                      now[] = "{\"frame\":2,\"state\":{\"light\":{\"color\":[0.6,0.6]}}}";
    assert_int_equal(provenance_compare(was, now, &(provenance_listener){.tell = receive, .user = &h}, NULL),
                     1);
    assert_string_equal(h.text, "frame: 1 -> 2\n");
    h = (received){{0}, 0, 0};
    provenance_compare(was, now, &(provenance_listener){.tell = receive, .user = &h, .with_state = true},
                       NULL);
    assert_string_equal(h.text, "frame: 1 -> 2\nlight.color: 0.9, 0.4 -> 0.6, 0.6\n");
    assert_int_equal(h.aspects, PROVENANCE_POSE | PROVENANCE_LIGHT);
    assert_int_equal(
        provenance_compare(was, now, &(provenance_listener){.tell = receive, .only_files = true}, NULL), 0);
}

/* Returns a text of one model with contents; free() releases it. */
static char *with_model(const char *path, const char *hash, const mmd_model *model)
{
    char *listed = contents_text_of_model(model, 1 << 16), *text = malloc(1 << 17);
    assert_true(listed && text);
    snprintf(text, 1 << 17,
             "{\"models\":[{\"path\":\"%s\",\"hash\":\"%s\",\"contents\":\"%s\"}],\"frame\":1}", path, hash,
             listed);
    mmd_free(listed);
    return text;
}

static void what_is_different_in_a_file_follows_it(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 0, 2);
    char *was = with_model("a.pmx", "01", &model);
    model.materials[0].edge_size += 1;
    char *edge = with_model("a.pmx", "02", &model), *elsewhere = with_model("b.pmx", "02", &model);
    model.materials[0].edge_size -= 1;
    model.comment = "another";
    char *comment = with_model("a.pmx", "03", &model);
    mmd_model tiny;
    sample_tiny(&tiny, 2.0f);
    char *other = with_model("c.pmx", "04", &tiny);
    const struct {
        const char *now, *begins;
        unsigned aspects;
        size_t count;
    } cases[] = {
        {edge, "model a.pmx has changed: 01 -> 02\nmaterial ", PROVENANCE_EDGES, 2},
        {elsewhere, "model: a.pmx -> b.pmx\nmaterial ", PROVENANCE_EDGES, 2},
        {comment,
         "model a.pmx has changed: 01 -> 03\nmodel a.pmx: nothing has changed that pictures depend on\n", 0,
         2},
        {other, "model: a.pmx -> c.pmx\n", PROVENANCE_OTHER, 1}, /* not a version of it */
        /* Without contents, as pictures of many models leave them out; what is remembered does not fill them
           in. */
        {"{\"models\":[{\"path\":\"a.pmx\",\"hash\":\"02\"}],\"frame\":1}",
         "model a.pmx has changed: 01 -> 02\n", PROVENANCE_OTHER, 1},
    };
    provenance_memory memory = {0};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) { /* the second time from memory */
        received h = {{0}, 0, 0};
        const size_t k = i % (sizeof cases / sizeof *cases);
        const provenance_listener listener = {.tell = receive, .memory = &memory, .user = &h};
        provenance_compare(was, cases[k].now, &listener, NULL);
        if (strncmp(h.text, cases[k].begins, strlen(cases[k].begins)) != 0 ||
            h.sentence_count != cases[k].count || h.aspects != cases[k].aspects)
            fail_msg("%zu: %zu sentences, %u: %s", i, h.sentence_count, h.aspects, h.text);
    }
    assert_int_equal(memory.count, 3); /* the hashes of the first two cases are the same */
    provenance_memory_finish(&memory);
    free(was);
    free(edge);
    free(elsewhere);
    free(comment);
    free(other);
    sample_finish(&model);
    sample_finish(&tiny);
}

/* --- Hostile texts --- */

static void receive_clean(void *user, unsigned aspects, const char *sentence)
{
    char clean[2 * PROVENANCE_SENTENCE_MAX];
    (void)aspects;
    assert_true(strlen(sentence) < PROVENANCE_SENTENCE_MAX);
    mmd_text_clean(sentence, false, clean, sizeof clean);
    if (strcmp(clean, sentence) != 0)
        fail_msg("not UTF-8: %s", sentence);
    ++*(size_t *)user;
}

static size_t compare_both_ways(const char *text)
{
    size_t sentence_count = 0;
    const provenance_listener listener = {
        .tell = receive_clean, .use = describe_use, .user = &sentence_count, .with_state = true};
    size_t one = provenance_compare(base, text, &listener, NULL);
    size_t other = provenance_compare(text, base, &listener, NULL);
    assert_int_equal(provenance_compare(text, text, &listener, NULL), 0);
    assert_true(sentence_count <= one + other && sentence_count <= 2 * PROVENANCE_TOLD_MAX);
    return one;
}

static void compare_damaged(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, data, size);
    text[size] = '\0';
    compare_both_ways(text);
    free(text);
}

static void damaged_texts_do_no_harm(void **state)
{
    (void)state;
    size_t copies = damage_each((const uint8_t *)base, sizeof base - 1, compare_damaged, NULL);
    print_message("%zu damaged texts\n", copies);
    assert_true(copies > 2000);
}

/* Returns the end of the value that begins here; base has balanced brackets and quotes. */
static const char *value_end(const char *at)
{
    int depth = 0;
    bool quoted = *at == '"';
    if (quoted) {
        for (at++; *at != '"'; at++)
            at += *at == '\\';
        return at + 1;
    }
    do {
        quoted ^= *at == '"';
        depth += !quoted && (*at == '{' || *at == '[') ? 1 : 0;
        depth -= !quoted && (*at == '}' || *at == ']') ? 1 : 0;
        at++;
    } while (depth > 0 || (depth == 0 && at[-1] != '}' && at[-1] != ']' && !strchr(",}]", *at)));
    return at;
}

/* Replaces each value of a member, and then the whole text, by this one; the text stays JSON. */
static void replace_each(const char *by)
{
    char *text = malloc(sizeof base + strlen(by));
    assert_non_null(text);
    for (const char *at = base; (at = strstr(at, "\":")) != NULL;) {
        at += 2;
        sprintf(text, "%.*s%s%s", (int)(at - base), base, by, value_end(at));
        compare_both_ways(text);
    }
    free(text);
    compare_both_ways(by);
}

static char *repeated(const char *head, const char *piece, size_t count, const char *tail)
{
    size_t size = strlen(piece);
    char *text = malloc(strlen(head) + size * count + strlen(tail) + 1), *at = text;
    assert_non_null(text);
    at += sprintf(at, "%s", head);
    for (size_t i = 0; i < count; i++, at += size)
        memcpy(at, piece, size);
    strcpy(at, tail);
    return text;
}

static char *nested(const char *open, const char *close, size_t depth)
{
    char *tail = repeated("1", close, depth, ""), *text = repeated("", open, depth, tail);
    free(tail);
    return text;
}

static void values_of_wrong_types_do_no_harm(void **state)
{
    (void)state;
    static const char *const values[] = {"null",
                                         "true",
                                         "0",
                                         "-1",
                                         "1e308",
                                         "-5e-324",
                                         "9223372036854775807",
                                         "\"\"",
                                         "\"x\"",
                                         "\"\\n\\n\"",
                                         "\"%s%n\"",
                                         "\"\\u001b[31m\"",
                                         "[]",
                                         "{}",
                                         "[[]]",
                                         "[{}]",
                                         "{\"\":{}}",
                                         "[null,1,\"x\",[1]]",
                                         "{\"path\":1,\"hash\":[],\"textures\":{},\"name\":null}",
                                         "[{\"path\":{},\"textures\":[1,null,{}]}]"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        replace_each(values[i]);
    compare_both_ways("");
    assert_int_equal(provenance_compare(NULL, base, &(provenance_listener){0}, NULL), 0);
    assert_int_equal(provenance_compare(base, NULL, &(provenance_listener){0}, NULL), 0);
}

static void deep_and_huge_values_do_no_harm(void **state)
{
    (void)state;
    char *const texts[] = {
        nested("[", "]", 1500),
        nested("{\"a\":", "}", 1500),
        nested("{\"頭頭頭頭頭頭頭頭頭頭頭頭頭頭頭頭頭頭頭頭\":[", "]}", 700),
        nested("[", "]", 100000), /* deeper than the reader accepts: not JSON */
        repeated("\"", "頭", 10001, "\""),
        repeated("\"x", "頭\\n", 5001, "\""),
        repeated("[0", ",1.5", 10000, "]"),
        repeated("[{}", ",{\"path\":\"x\",\"hash\":\"y\"}", 2000, "]"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        replace_each(texts[i]);
        free(texts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_difference_is_one_sentence_and_its_kind),
        cmocka_unit_test(files_are_told_apart_by_their_hashes),
        cmocka_unit_test(camera_and_light_are_told_where_they_alone_differ),
        cmocka_unit_test(what_is_different_in_a_file_follows_it),
        cmocka_unit_test(damaged_texts_do_no_harm),
        cmocka_unit_test(values_of_wrong_types_do_no_harm),
        cmocka_unit_test(deep_and_huge_values_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
