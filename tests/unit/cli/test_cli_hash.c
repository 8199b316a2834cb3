/* Tests dump --hash: hashes of the numbers that dump writes. */
#include "cli.h"

#include "files/digest.h"

/* Adds all numbers of a part of a frame in their order. */
static void add_numbers(digest_stream *stream, const json_t *value)
{
    const char *key;
    json_t *inner;
    size_t i;
    if (json_is_number(value) || json_is_boolean(value)) {
        float number = (float)(json_is_number(value) ? json_number_value(value) : json_is_true(value));
        digest_add(stream, &number, sizeof number); /* this machine has the lowest byte first */
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, inner) add_numbers(stream, inner);
    } else if (json_is_object(value)) {
        json_object_foreach((json_t *)value, key, inner) if (strcmp(key, "index") != 0)
            add_numbers(stream, inner);
    }
}

/* Hashes parts of all frames that dump has written; names end with NULL. */
static digest hash_of(const json_t *dump, const char *const *names)
{
    digest_stream stream = digest_begin();
    json_t *frames = json_object_get(dump, "frames"), *frame;
    size_t i;
    json_array_foreach(frames, i, frame) for (const char *const *name = names; *name; name++)
        add_numbers(&stream, json_object_get(frame, *name));
    return digest_end(&stream);
}

static json_t *run(const char *arguments, const char *more)
{
    cli_result result = cli_run("dump %s %s", arguments, more);
    assert_int_equal(result.code, 0);
    json_t *root = json_loads(result.out, JSON_DECODE_INT_AS_REAL, NULL); /* keeps -0 */
    assert_non_null(root);
    cli_finish(&result);
    return root;
}

static const char *text(const json_t *root, const char *field)
{
    return json_string_value(json_object_get(json_object_get(root, "hash"), field));
}

static void hashes_are_of_the_numbers_that_dump_writes(void **state)
{
    (void)state;
    cli_need_dancer();
    const char *scene =
        "dancer --motion odori.vmd --physics on --frames 3,0:20:5 --what bones,morphs,camera,light,bodies";
    static const char *const names[] = {"bones", "morphs", "camera", "light", "bodies", NULL};
    json_t *numbers = run(scene, ""), *hashes = run(scene, "--hash");
    for (int i = 0; names[i]; i++) {
        const char *const one[] = {names[i], NULL};
        assert_string_equal(text(hashes, names[i]), hash_of(numbers, one).text);
    }
    assert_string_equal(text(hashes, "all"), hash_of(numbers, names).text);
    assert_true(json_number_value(json_object_get(json_object_get(hashes, "hash"), "frames")) == 6);
    assert_null(json_object_get(hashes, "frames"));
    json_decref(numbers);
    json_decref(hashes);
}

static void without_what_bones_morphs_and_bodies_are_hashed(void **state)
{
    (void)state;
    json_t *root = run("odori.pmx --motion odori.vmd --frames 0:10", "--hash");
    assert_int_equal(json_object_size(json_object_get(root, "hash")), 5);
    assert_non_null(text(root, "bones"));
    assert_non_null(text(root, "morphs"));
    assert_non_null(text(root, "bodies"));
    json_decref(root);
}

static void only_what_moves_differs(void **state)
{
    (void)state;
    cli_write_text("morph.txt", "morph.set まばたき 0.25\n");
    json_t *a = run("odori.pmx --motion odori.vmd --frames 0:10", "--hash"),
           *b = run("odori.pmx --motion odori.vmd --frames 0:10 --exec morph.txt", "--hash"),
           *c = run("odori.pmx --motion odori.vmd --frames 0:9", "--hash");
    assert_string_equal(text(a, "bones"), text(b, "bones"));
    assert_string_not_equal(text(a, "morphs"), text(b, "morphs"));
    assert_string_not_equal(text(a, "all"), text(b, "all"));
    assert_string_not_equal(text(a, "bones"), text(c, "bones"));
    json_decref(a);
    json_decref(b);
    json_decref(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_of_the_numbers_that_dump_writes),
        cmocka_unit_test(without_what_bones_morphs_and_bodies_are_hashed),
        cmocka_unit_test(only_what_moves_differs),
    };
    return cmocka_run_group_tests(tests, cli_setup, NULL);
}
