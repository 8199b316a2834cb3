/* Tests the thread pool, which runs every item once on any number of threads, and the worker, which runs its
 * jobs in order. */
#include "support.h"

#include "mmd/pool.h"

enum { ITEMS = 500 };

typedef struct tally {
    uint8_t done[ITEMS];
} tally;

static void do_item(void *context, uint32_t item)
{
    tally *t = context;
    t->done[item]++;
}

static void every_item_is_done_once(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 7, ITEMS};
    for (uint32_t threads = 0; threads <= 5; threads++) {
        mmd_pool *pool = mmd_pool_create(threads);
        assert_non_null(pool);
        for (int round = 0; round < 200; round++) {
            tally t = {{0}};
            uint32_t count = counts[round % 5];
            mmd_pool_run(pool, count, do_item, &t);
            for (uint32_t i = 0; i < ITEMS; i++)
                assert_int_equal(t.done[i], i < count);
        }
        mmd_pool_destroy(pool);
    }
    tally t = {{0}};
    mmd_pool_run(NULL, 3, do_item, &t);
    assert_int_equal(t.done[0] + t.done[1] + t.done[2] + t.done[3], 3);
    mmd_pool_destroy(NULL);
}

static void count_up(void *context)
{
    ++*(int *)context;
}

static void a_worker_does_its_jobs(void **state)
{
    (void)state;
    int count = 0;
    uint64_t before = mmd_heap_blocks_in_use();
    mmd_worker *worker = mmd_worker_create();
    assert_non_null(worker);
    mmd_worker_wait(worker);
    for (int i = 0; i < 1000; i++) {
        mmd_worker_start(worker, count_up, &count);
        mmd_worker_wait(worker);
        assert_int_equal(count, i + 1);
    }
    mmd_worker_start(worker, count_up, &count);
    mmd_worker_destroy(worker); /* waits for its jobs */
    assert_int_equal(count, 1001);
    assert_int_equal(mmd_heap_blocks_in_use(), before);
    mmd_worker_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once),
        cmocka_unit_test(a_worker_does_its_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
