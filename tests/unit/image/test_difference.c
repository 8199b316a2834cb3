/* Kinds of difference, their causes by material and bone, and verdicts; also with each allocation failing in
 * turn. */
#include "mmd/difference.h"

#include <stdlib.h>

#include "pictures.h"
#include "support.h"

/* --- Failing allocations (the linker's --wrap) --- */

void *__real_malloc(size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *memory, size_t size);

static size_t until_failure; /* allocations until one fails; 0: none does */

static bool fails(void)
{
    return until_failure && --until_failure == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails() ? NULL : __real_realloc(memory, size);
}

/* --- Pictures with ids: the left half is skin and head, the right half hair, the lowest rows show nothing
 * --- */

enum { WIDTH = 64, HEIGHT = 40, FLOOR = 6 };

static const char *const body_materials[] = {"肌", "髪"}, *const hat_materials[] = {"つば\n"};
static const mmd_ids_bone body_bones[] = {{"頭", false}, {"前髪", true}}, hat_bones[] = {{"帽子", false}};
static const mmd_ids_model models[] = {{"踊り子", body_materials, 2, body_bones, 2},
                                       {"帽子", hat_materials, 1, hat_bones, 1}};

/* Makes the ids. With a hat, the upper quarter shows another model. */
static mmd_ids make_ids(bool hat)
{
    static uint32_t plane_ids[WIDTH * HEIGHT][3];
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const uint32_t part = x < WIDTH / 2 ? 1 : 2;
            const uint32_t body[3] = {1, part, part}, top[3] = {2, 1, 1}, nothing[3] = {0};
            memcpy(plane_ids[y * WIDTH + x],
                   y >= HEIGHT - FLOOR     ? nothing
                   : hat && y < HEIGHT / 4 ? top
                                           : body,
                   sizeof nothing);
        }
    const mmd_ids_plane plane = {WIDTH, HEIGHT, (const uint32_t(*)[3])plane_ids, models, hat ? 2 : 1};
    mmd_ids ids;
    assert_int_equal(mmd_ids_make(&plane, &ids, NULL), MMD_OK);
    return ids;
}

/* Multiplies the colours of a rectangle. */
static void shade(mmd_image *image, uint32_t left, uint32_t top, uint32_t width, uint32_t height,
                  double factor)
{
    for (uint32_t y = top; y < top + height; y++)
        for (uint32_t x = left; x < left + width; x++)
            for (int k = 0; k < 3; k++)
                picture_at(image, x, y)[k] = (uint8_t)lround(factor * picture_at(image, x, y)[k]);
}

/* A picture with soft colours and without steps. */
static mmd_image make_gradient(void)
{
    mmd_image image = picture_plain(WIDTH, HEIGHT, white);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            picture_put(&image, x, y,
                        (color){(uint8_t)(100 + x), (uint8_t)(120 + y), (uint8_t)(200 - x), 255});
    return image;
}

static mmd_verdict judge(const mmd_image *a, const mmd_image *b, const mmd_ids *ids)
{
    mmd_verdict_options options = mmd_default_verdict_options();
    mmd_verdict verdict = {0};
    mmd_compare *compare = mmd_compare_create();
    options.ids = ids;
    assert_int_equal(mmd_compare_judge(compare, a, b, &options, &verdict, NULL), MMD_OK);
    mmd_compare_destroy(compare);
    return verdict;
}

static void finish(mmd_image *a, mmd_image *b, mmd_verdict *verdict)
{
    mmd_image_finish(a);
    mmd_image_finish(b);
    mmd_verdict_finish(verdict);
    assert_int_equal(mmd_heap_blocks_in_use(), 0);
}

/* --- Kinds --- */

static void equal_pictures_have_no_kind(void **state)
{
    (void)state;
    mmd_image a = picture_discs(WIDTH, HEIGHT, 1), b = picture_copy(&a);
    mmd_verdict verdict = judge(&a, &b, NULL);
    assert_true(verdict.equal && verdict.passed);
    assert_int_equal(verdict.difference.kind, MMD_DIFFERENCE_UNKNOWN);
    assert_int_equal(verdict.difference.box[2], 0);
    assert_string_equal(verdict.why, "equal");
    assert_string_equal(verdict.exceeded, "");
    finish(&a, &b, &verdict);
}

static void a_shift_is_found_with_its_distance(void **state)
{
    (void)state;
    mmd_image whole = picture_discs(120, 100, 3);
    mmd_image a = picture_cut(&whole, 10, 10, 100, 80), b = picture_cut(&whole, 15, 8, 100, 80);
    mmd_verdict verdict = judge(&a, &b, NULL);
    assert_int_equal(verdict.difference.kind, MMD_DIFFERENCE_MOVED);
    assert_int_equal(verdict.difference.moved[0], -5);
    assert_int_equal(verdict.difference.moved[1], 2);
    assert_int_equal(verdict.difference.material, UINT32_MAX);
    assert_false(verdict.equal || verdict.passed);
    assert_non_null(strstr(verdict.why, "moved by about -5, 2 pixels"));
    mmd_image_finish(&whole);
    finish(&a, &b, &verdict);
}

static void softened_edges_are_told_from_shapes(void **state)
{
    (void)state;
    mmd_image a = picture_plain(WIDTH, HEIGHT, white);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < 20; x++)
            picture_put(&a, x, y, black);
    mmd_image b = picture_copy(&a);
    for (uint32_t y = 0; y < HEIGHT; y++)
        picture_put(&b, 20, y, (color){128, 128, 128, 255});
    mmd_verdict verdict = judge(&a, &b, NULL);
    assert_int_equal(verdict.difference.kind, MMD_DIFFERENCE_EDGES);
    assert_non_null(strstr(verdict.why, "within 1x40 pixels from 20,0: at edges only"));
    finish(&a, &b, &verdict);
}

static void a_darker_picture_is_one_of_colour(void **state)
{
    (void)state;
    mmd_image a = make_gradient(), b = picture_copy(&a);
    shade(&b, 0, 0, WIDTH, HEIGHT, 0.75);
    mmd_verdict verdict = judge(&a, &b, NULL);
    assert_int_equal(verdict.difference.kind, MMD_DIFFERENCE_COLOR);
    assert_true(verdict.difference.has_factor);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(verdict.difference.factor[k] - 0.75) < 0.005);
    assert_non_null(strstr(verdict.why, "a colour, toon or texture difference: times 0.75, 0.75, 0.75;"));
    finish(&a, &b, &verdict);
}

/* Noise in a part of the picture is none of the kinds. */
static void what_fits_no_kind_is_unknown(void **state)
{
    (void)state;
    mmd_image a = make_gradient(), b = picture_copy(&a), noise = picture_noise(30, 20, 5);
    for (uint32_t y = 0; y < 20; y++)
        memcpy(picture_at(&b, 10, 10 + y), picture_at(&noise, 0, y), 30 * 4);
    mmd_verdict verdict = judge(&a, &b, NULL);
    const uint32_t box[] = {10, 10, 30, 20};
    assert_int_equal(verdict.difference.kind, MMD_DIFFERENCE_UNKNOWN);
    assert_memory_equal(verdict.difference.box, box, sizeof box);
    assert_non_null(strstr(verdict.why, "different: within 30x20 pixels from 10,10: "));
    mmd_image_finish(&noise);
    finish(&a, &b, &verdict);
}

static void kinds_have_names(void **state)
{
    (void)state;
    assert_string_equal(mmd_difference_kind_name(MMD_DIFFERENCE_UNKNOWN), "unknown");
    assert_string_equal(mmd_difference_kind_name(MMD_DIFFERENCE_MOVED), "moved");
    assert_string_equal(mmd_difference_kind_name(MMD_DIFFERENCE_EDGES), "edges");
    assert_string_equal(mmd_difference_kind_name(MMD_DIFFERENCE_COLOR), "color");
    assert_string_equal(mmd_difference_kind_name(MMD_DIFFERENCE_TOON), "toon");
    const mmd_difference moved = {.kind = MMD_DIFFERENCE_MOVED, .moved = {3, 0}};
    char text[16];
    assert_string_equal(mmd_difference_clause(&moved, text, sizeof text), "moved by about ");
}

/* --- Causes --- */

static void a_shaded_part_of_a_material_is_named(void **state)
{
    (void)state;
    mmd_ids ids = make_ids(false);
    mmd_image a = make_gradient(), b = picture_copy(&a);
    shade(&b, 40, 8, 20, 20, 0.8);
    picture_at(&b, 2, 2)[0] += 10; /* skin */
    mmd_verdict verdict = judge(&a, &b, &ids);
    assert_int_equal(verdict.difference.kind, MMD_DIFFERENCE_TOON);
    assert_string_equal(ids.materials[verdict.difference.material - 1].name, "髪");
    assert_true(verdict.difference.changed > 0.2 && verdict.difference.changed < 0.6);
    assert_int_equal(strncmp(verdict.why, "different: 99.", 14), 0);
    assert_non_null(strstr(verdict.why, " % of the difference is in material 髪 of 踊り子 (bone 前髪: 99."));
    assert_non_null(strstr(verdict.why, "a toon difference: "));

    /* The tables hold every model, material and bone that is shown, and what shows none. */
    assert_int_equal(verdict.models.count, 2);
    assert_int_equal(verdict.materials.count, 3);
    assert_int_equal(verdict.bones.count, 3);
    const mmd_causes *materials = &verdict.materials;
    const mmd_cause *hair = &materials->rows[materials->order[0]],
                    *skin = &materials->rows[materials->order[1]],
                    *floor = &materials->rows[materials->order[2]];
    assert_string_equal(hair->part, "髪");
    assert_int_equal(hair->over, 400);
    assert_int_equal(hair->pixels, WIDTH / 2 * (HEIGHT - FLOOR));
    assert_string_equal(skin->part, "肌");
    assert_int_equal(skin->sum, 10);
    assert_int_equal(skin->largest, 10);
    assert_true(floor->outside && floor->sum == 0);
    assert_true(fabs(mmd_causes_share(materials, hair) + mmd_causes_share(materials, skin) - 1) < 1e-12);
    assert_true(materials->rows + mmd_causes_find(materials, &ids, MMD_LABEL_MATERIAL, 2) == hair);
    assert_true(materials->rows + mmd_causes_find(materials, &ids, MMD_LABEL_MATERIAL, 0) == floor);
    char name[64];
    assert_string_equal(mmd_cause_name(hair, name, sizeof name), "踊り子/髪");
    assert_string_equal(mmd_cause_name(floor, name, sizeof name), "(outside of all models)");
    assert_string_equal(mmd_cause_name(&verdict.models.rows[verdict.models.order[0]], name, sizeof name),
                        "踊り子");
    mmd_ids_finish(&ids);
    finish(&a, &b, &verdict);
}

/* Materials and models that differ alike are all named, and control characters of their names are escaped. */
static void several_causes_are_listed(void **state)
{
    (void)state;
    mmd_ids ids = make_ids(true);
    mmd_image a = make_gradient(), b = picture_copy(&a);
    shade(&b, 0, 0, WIDTH, 10, 0.8);
    shade(&b, 20, 12, 6, 6, 0.8);
    shade(&b, 40, 12, 9, 9, 0.8);
    mmd_verdict verdict = judge(&a, &b, &ids);
    assert_non_null(strstr(verdict.why, " % of the difference is in material つば\\n of 帽子, "));
    assert_non_null(strstr(verdict.why, " % in material 髪 of 踊り子"));
    assert_null(strstr(verdict.why, "肌")); /* two make up nine tenths */
    assert_null(strchr(verdict.why, '\n'));
    assert_string_equal(verdict.models.rows[verdict.models.order[0]].model, "帽子");
    assert_int_equal(verdict.models.rows[verdict.models.order[0]].model_index, 1);
    assert_string_equal(verdict.models.rows[verdict.models.order[0]].part, "");
    mmd_ids_finish(&ids);
    finish(&a, &b, &verdict);
}

/* A table adds up several pictures: the order follows the sums, the rows do not move. */
static void tables_add_up_pictures(void **state)
{
    (void)state;
    mmd_ids ids = make_ids(false);
    mmd_image a = make_gradient(), skin = picture_copy(&a), hair = picture_copy(&a);
    mmd_compare_options options = mmd_default_compare_options();
    mmd_compare *compare = mmd_compare_create();
    mmd_compare_result result;
    mmd_causes causes = {0};
    shade(&skin, 0, 0, 5, 5, 0.9);
    shade(&hair, 40, 0, 20, 20, 0.9);
    const mmd_image *const pictures[] = {&skin, &hair, &hair};
    const char *const worst[] = {"肌", "髪", "髪"};
    uint64_t sums[3];
    for (int i = 0; i < 3; i++) {
        assert_int_equal(mmd_compare_run(compare, &a, pictures[i], &options, &result, NULL), MMD_OK);
        assert_int_equal(mmd_causes_add(&causes, compare, &ids, MMD_LABEL_MATERIAL, NULL), MMD_OK);
        assert_int_equal(mmd_causes_sort(&causes, NULL), MMD_OK);
        assert_string_equal(causes.rows[causes.order[0]].part, worst[i]);
        assert_string_equal(causes.rows[0].part, "肌");
        sums[i] = causes.sum;
    }
    assert_true(sums[0] > 0 && sums[2] - sums[1] == sums[1] - sums[0]);
    mmd_causes_finish(&causes);
    mmd_compare_destroy(compare);
    mmd_ids_finish(&ids);
    mmd_image_finish(&skin);
    finish(&a, &hair, &(mmd_verdict){0});
}

/* --- Verdicts --- */

static void limits_decide(void **state)
{
    (void)state;
    mmd_image a = make_gradient(), b = picture_copy(&a);
    mmd_verdict verdict = {0};
    mmd_limits limits = mmd_default_limits();
    picture_at(&b, 7, 7)[1] += 40;
    assert_int_equal(mmd_compare_pictures(&a, &b, NULL, &verdict, NULL), MMD_OK);
    assert_false(verdict.passed || verdict.equal);
    assert_int_equal(strncmp(verdict.why, "different: within 1x1 pixels from 7,7: ", 39), 0);
    assert_string_equal(verdict.exceeded, "");

    limits.value[MMD_METRIC_MAX] = 40;
    assert_int_equal(mmd_compare_pictures(&a, &b, &limits, &verdict, NULL), MMD_OK);
    assert_true(verdict.passed && !verdict.equal);
    assert_int_equal(strncmp(verdict.why, "within the limits: within 1x1", 29), 0);

    limits.value[MMD_METRIC_MAX] = 4;
    limits.value[MMD_METRIC_SSIM] = 1;
    assert_int_equal(mmd_compare_pictures(&a, &b, &limits, &verdict, NULL), MMD_OK);
    assert_false(verdict.passed);
    assert_int_equal(strncmp(verdict.exceeded, "max is 40, at most 4 is allowed; ssim is 0.9", 44), 0);
    assert_non_null(strstr(verdict.exceeded, "at least 1 is allowed"));

    /* Equal pictures are within every limit. */
    assert_int_equal(mmd_compare_pictures(&a, &a, &limits, &verdict, NULL), MMD_OK);
    assert_true(verdict.passed && verdict.equal);
    finish(&a, &b, &verdict);
}

static void sizes_that_differ_are_not_equal(void **state)
{
    (void)state;
    mmd_image a = picture_discs(60, 50, 2), b = picture_cut(&a, 3, 4, 50, 40);
    mmd_verdict verdict = {0};
    assert_int_equal(mmd_compare_pictures(&a, &b, NULL, &verdict, NULL), MMD_OK);
    assert_false(verdict.passed || verdict.equal);
    assert_string_equal(verdict.why, "different: A is 60x50, B is 50x40; equal where they overlap");
    finish(&a, &b, &verdict);
}

/* Without compared pixels, or with a limit on what is not computed, nothing could be said. */
static void what_cannot_be_judged_is_an_error(void **state)
{
    (void)state;
    mmd_image a = make_gradient(), b = picture_copy(&a);
    mmd_verdict_options options = mmd_default_verdict_options();
    mmd_compare *compare = mmd_compare_create();
    mmd_verdict verdict = {0};
    mmd_mask mask = {0};
    mmd_error error = {0};
    assert_int_equal(mmd_mask_init(&mask, WIDTH, HEIGHT, NULL), MMD_OK);
    options.compare.mask = mask.pixels;
    assert_int_equal(mmd_compare_judge(compare, &a, &b, &options, &verdict, NULL), MMD_OK);
    mmd_mask_rectangle(&mask, 0, 0, WIDTH, HEIGHT, MMD_MASK_REMOVE);
    assert_int_equal(mmd_compare_judge(compare, &a, &b, &options, &verdict, &error), MMD_ERROR_VALUE);
    assert_string_equal(error.section, "mask");
    assert_false(verdict.passed || *verdict.why);

    options = mmd_default_verdict_options();
    options.compare.flip = false;
    options.limits.value[MMD_METRIC_FLIP] = 0.5;
    assert_int_equal(mmd_compare_judge(compare, &a, &b, &options, &verdict, &error), MMD_ERROR_VALUE);
    assert_string_equal(error.section, "limits");
    assert_non_null(strstr(error.message, "flip"));
    mmd_mask_finish(&mask);
    mmd_compare_destroy(compare);
    finish(&a, &b, &verdict);
}

/* Compares with ids while allocation number n fails. Returns the status. */
static mmd_status judge_failing(const mmd_image *a, const mmd_image *b, const mmd_ids *ids, size_t n)
{
    mmd_verdict_options options = mmd_default_verdict_options();
    mmd_verdict verdict = {0};
    options.ids = ids;
    options.compare.ssim = options.compare.flip = false;
    until_failure = n;
    mmd_compare *compare = mmd_compare_create();
    mmd_status status = MMD_ERROR_MEMORY;
    if (compare)
        status = mmd_compare_judge(compare, a, b, &options, &verdict, NULL);
    until_failure = 0;
    assert_true(status == MMD_OK ? *verdict.why != '\0' : !*verdict.why && !verdict.materials.rows);
    mmd_verdict_finish(&verdict);
    mmd_compare_destroy(compare);
    return status;
}

static void running_out_of_memory_is_reported(void **state)
{
    (void)state;
    mmd_ids ids = make_ids(true);
    mmd_image a = make_gradient(), b = picture_copy(&a);
    shade(&b, 40, 8, 20, 20, 0.8);
    const uint64_t blocks = mmd_heap_blocks_in_use();
    size_t n = 1;
    for (mmd_status status = MMD_ERROR_MEMORY; status != MMD_OK; n++) {
        status = judge_failing(&a, &b, &ids, n);
        assert_true(status == MMD_OK || status == MMD_ERROR_MEMORY);
        assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    }
    assert_in_range(n, 30, 200);
    mmd_ids_finish(&ids);
    finish(&a, &b, &(mmd_verdict){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_pictures_have_no_kind),
        cmocka_unit_test(a_shift_is_found_with_its_distance),
        cmocka_unit_test(softened_edges_are_told_from_shapes),
        cmocka_unit_test(a_darker_picture_is_one_of_colour),
        cmocka_unit_test(what_fits_no_kind_is_unknown),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(a_shaded_part_of_a_material_is_named),
        cmocka_unit_test(several_causes_are_listed),
        cmocka_unit_test(tables_add_up_pictures),
        cmocka_unit_test(limits_decide),
        cmocka_unit_test(sizes_that_differ_are_not_equal),
        cmocka_unit_test(what_cannot_be_judged_is_an_error),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
