/* Ragdoll dumps: what is read, how it holds for ten seconds, what is written, and what is refused. */
#include "mmd/exchange.h"
#include "mmd/physics.h"
#include "support.h"

static const char *const dumps[] = {"data/ragdoll/mycar_2021-08-08.json",
                                    "data/ragdoll/mycharacter_2021-08-08.json",
                                    "data/ragdoll/manikin_2023.rag"};
enum { DUMPS = 3 };

/* What was measured, told when ODORI_MEASURE is set. */
static void measured(const char *name, const char *what, double value)
{
    if (getenv("ODORI_MEASURE"))
        print_message("    %-44s %-40s %g\n", name, what, value);
}

static mmd_exchange *read_dump(const void *data, size_t size)
{
    mmd_error error = {0};
    mmd_exchange *document = NULL;
    if (mmd_exchange_read(data, size, NULL, NULL, &document, &error) != MMD_OK)
        fail_msg("%s at %s", error.message, error.section);
    return document;
}

static mmd_exchange *read_shared(const char *name)
{
    mmd_bytes bytes = shared_read(name);
    mmd_exchange *document = read_dump(bytes.data, bytes.size);
    mmd_bytes_finish(&bytes);
    return document;
}

/* --------------------------------------------------------------- reading */

static void dumps_load(void **state)
{
    (void)state;
    static const uint32_t bodies[DUMPS] = {29, 22, 16}, joints[DUMPS] = {17, 20, 32};
    REQUIRE_SHARED();
    for (int i = 0; i < DUMPS; i++) {
        mmd_exchange *document = read_shared(dumps[i]);
        assert_int_equal(document->format, MMD_EXCHANGE_RAGDOLL);
        assert_int_equal(document->physscene->body_count, bodies[i]);
        assert_int_equal(document->physscene->joint_count, joints[i]);
        assert_int_equal(document->model->bone_count, bodies[i]);
        assert_int_equal(document->model->material_count, bodies[i]);
        assert_true(document->model->vertices.count > 1000);
        measured(dumps[i], "losses", document->losses.count);
        mmd_exchange_destroy(document);
    }
}

static double apart(const mmd_transform *a, const mmd_transform *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow((double)a->translation[k] - (double)b->translation[k], 2);
    return sqrt(sum);
}

/* The largest distance of the two frames of joints whose place is locked, between two bodies. */
static double joint_error(const mmd_physscene *scene, const mmd_transform *bodies, bool locked_only)
{
    double worst = 0;
    for (uint32_t i = 0; i < scene->joint_count; i++) {
        const mmd_phys_joint *joint = &scene->joints[i];
        bool locked = joint->limit_count && scene->limits[joint->first_limit].kind == MMD_LIMIT_LINEAR &&
                      scene->limits[joint->first_limit].axes == 7;
        if (joint->disabled || joint->body_a < 0 || joint->body_b < 0 || (locked_only && !locked))
            continue;
        mmd_transform a, b;
        mmd_joint_frames(scene, i, bodies, &a, &b);
        worst = fmax(worst, apart(&a, &b));
    }
    return worst;
}

/* In centimetres: FORMATS.md 3 has 1e-6 for the dumps of 2021. */
static void frames_agree(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < DUMPS; i++) {
        mmd_exchange *document = read_shared(dumps[i]);
        const mmd_physscene *scene = document->physscene;
        mmd_transform *rest = test_calloc(scene->body_count, sizeof *rest);
        for (uint32_t k = 0; k < scene->body_count; k++)
            rest[k] = scene->bodies[k].rest;
        double worst = 8 * joint_error(scene, rest, false);
        measured(dumps[i], "largest distance of joint frames, cm", worst);
        assert_true(worst < 2e-5); /* the file's values; single precision at 50 cm is 4e-6 */
        test_free(rest);
        mmd_exchange_destroy(document);
    }
}

static void ten_seconds_hold(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < DUMPS; i++) {
        mmd_exchange *document = read_shared(dumps[i]);
        const mmd_physscene *scene = document->physscene;
        mmd_world *world = NULL;
        mmd_error error = {0};
        assert_int_equal(mmd_world_create(MMD_PHYSICS_BULLET, &scene->world, &scene, 1, &world, &error),
                         MMD_OK);
        double worst = 0, lowest = 0;
        for (uint32_t step = 0; step < 10 * scene->world.rate; step++) {
            mmd_world_step(world);
            if (step % 8 == 0)
                worst = fmax(worst, 8 * joint_error(scene, mmd_world_transforms(world), true));
        }
        for (uint32_t k = 0; k < scene->body_count; k++) {
            const mmd_transform *place = &mmd_world_transforms(world)[k];
            for (int n = 0; n < 3; n++)
                assert_true(isfinite(place->translation[n]));
            lowest = fmin(lowest, 8 * (double)place->translation[1]);
        }
        measured(dumps[i], "largest gap of locked joints in 10 s, cm", worst);
        measured(dumps[i], "lowest body after 10 s, cm", lowest);
        assert_true(worst < 0.5);
        mmd_world_destroy(world);
        mmd_exchange_destroy(document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumps_load),
        cmocka_unit_test(frames_agree),
        cmocka_unit_test(ten_seconds_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
