/* Filters with long lists of names: same results as short ones, in little time. */
#include "support.h"

#include "mmd/physscene.h"

enum { LONG = 3000 };

/*
 * Fills `filter`'s systems or the names that it collides with: count names from `first` on, every `step`-th.
 */
static void fill(uint32_t *list, uint32_t count, uint32_t first, uint32_t step)
{
    for (uint32_t i = 0; i < count; i++)
        list[i] = first + i * step;
}

static bool collide(mmd_phys_filter *filters)
{
    const mmd_physscene scene = {.filter_count = 2, .filters = filters};
    bool there = mmd_physscene_collides(&scene, 0, 1);
    assert_int_equal(there, mmd_physscene_collides(&scene, 1, 0));
    return there;
}

/* Compares all lengths and offsets of two lists with a plain search. Names with the same hash bit differ by a
 * multiple of 1,024. */
static void long_lists_meet_as_short_ones_do(void **state)
{
    (void)state;
    static uint32_t a[LONG], b[LONG];
    static const uint32_t counts[] = {0, 1, 3, 5, 17, 64, LONG}, firsts[] = {0, 1, 63, 1024, 1025, 40960};
    for (size_t i = 0; i < 7 * 7 * 6 * 2; i++) {
        uint32_t a_count = counts[i % 7], b_count = counts[i / 7 % 7], step = i / 294 ? 1024 : 2;
        fill(a, a_count, 0, step);
        fill(b, b_count, firsts[i / 49 % 6], step);
        bool meet = false;
        for (uint32_t k = 0; k < b_count; k++)
            meet = meet || (b[k] % step == 0 && b[k] / step < a_count);
        mmd_phys_filter filters[2] = {
            {.named = true, .systems = a, .system_count = a_count},
            {.named = true, .has_collide_with = true, .collide_with = b, .collide_count = b_count}};
        assert_int_equal(collide(filters), meet);
        filters[1] = (mmd_phys_filter){.named = true, .not_collide_with = b, .not_collide_count = b_count};
        assert_int_equal(collide(filters), !meet);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_lists_meet_as_short_ones_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
