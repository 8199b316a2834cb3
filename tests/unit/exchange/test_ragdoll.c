/* Tests Ragdoll dumps: reading, ten seconds of simulation, writing, and rejected files. */
#include "damage.h"
#include "every_joint.h"
#include "hair_model.h"
#include "mmd/exchange.h"
#include "mmd/format.h"
#include "engine/exchange/exchange_internal.h"
#include "mmd/physics.h"
#include "support.h"

static const char *const dumps[] = {"data/ragdoll/mycar_2021-08-08.json",
                                    "data/ragdoll/mycharacter_2021-08-08.json",
                                    "data/ragdoll/manikin_2023.rag"};
enum { DUMPS = 3 };

/* Kinds of PMX joints. */
enum { SPRING = 0, CONE_TWIST = 3, SLIDER = 4, HINGE = 5 };

/* Prints a measurement if ODORI_MEASURE is set. */
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

/* Returns six times the volume of a material's triangles: positive if clockwise faces point outwards. */
static double volume(const mmd_model *model, const mmd_material *material)
{
    double sum = 0;
    for (uint32_t i = 0; i < material->index_count; i += 3) {
        const uint32_t *corner = model->indices + material->first_index + i;
        const float *a = model->vertices.position[corner[0]], *b = model->vertices.position[corner[1]],
                    *c = model->vertices.position[corner[2]];
        for (int k = 0; k < 3; k++) {
            int u = (k + 1) % 3, v = (k + 2) % 3;
            sum += (double)a[k] * ((double)b[u] * (double)c[v] - (double)b[v] * (double)c[u]);
        }
    }
    return sum;
}

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
        for (uint32_t k = 0; k < bodies[i]; k++)
            if (!(volume(document->model, &document->model->materials[k]) > 0))
                fail_msg("body %u of %s holds %g", k, dumps[i],
                         volume(document->model, &document->model->materials[k]));
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

/* Returns the largest distance between the two frames of joints between two bodies, optionally of those with
 * locked translation only. */
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

/* Compares joint frames in centimetres; docs/formats.md 3 gives 1e-6 for the dumps of 2021. */
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

#ifdef ODORI_TEST_SLOWLY
enum { SECONDS = 1 };
#else
enum { SECONDS = 10 };
#endif

static void seconds_hold(void **state)
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
        for (uint32_t step = 0; step < SECONDS * scene->world.rate; step++) {
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
        measured(dumps[i], "largest gap of locked joints, cm", worst);
        measured(dumps[i], "lowest body in the end, cm", lowest);
        assert_true(worst < 0.5);
        mmd_world_destroy(world);
        mmd_exchange_destroy(document);
    }
}

/* --------------------------------------------------------------- writing */

/* Returns the JSON that ragdoll_write makes. */
static json_t *written(const mmd_exchange *document, mmd_exchange_format source, const mmd_model *model,
                       const mmd_physscene *scene, mmd_exchange_output *output)
{
    mmd_exchange_options options = {.format = MMD_EXCHANGE_RAGDOLL, .name = "out.json"};
    uint64_t *stamps = test_calloc(scene->body_count + scene->joint_count + 1, sizeof *stamps);
    write_job job = {.options = &options,
                     .model = model,
                     .scene = scene,
                     .source = source,
                     .kept = document ? document->kept : NULL,
                     .second_pass = true,
                     .body_stamps = stamps,
                     .joint_stamps = stamps + scene->body_count,
                     .output = output};
    mmd_error error = {0};
    if (ragdoll_write(&job, &error) != MMD_OK)
        fail_msg("%s", error.message);
    test_free(stamps);
    json_t *root = json_loadb((const char *)output->files[0].data.data, output->files[0].data.size, 0, NULL);
    assert_non_null(root);
    return root;
}

/* An unedited dump is written value for value; an edit of one body changes only its entity. */
static void unedited_comes_out_the_same(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < DUMPS; i++) {
        mmd_exchange *document = read_shared(dumps[i]);
        mmd_exchange_output output = {0};
        json_t *root = written(document, MMD_EXCHANGE_RAGDOLL, document->model, document->physscene, &output);
        assert_true(json_equal(root, document->kept->root));
        json_decref(root);
        mmd_exchange_output_finish(&output);

        document->physscene->bodies[3].mass = 2.5F;
        root = written(document, MMD_EXCHANGE_RAGDOLL, document->model, document->physscene, &output);
        json_t *was = json_object_get(document->kept->root, "entities"),
               *is = json_object_get(root, "entities");
        const char *key;
        json_t *value;
        int changed = 0;
        json_object_foreach(is, key, value) changed += !json_equal(value, json_object_get(was, key));
        assert_int_equal(changed, 1);
        json_decref(root);
        mmd_exchange_output_finish(&output);
        mmd_exchange_destroy(document);
    }
}

/* ---------------------------------------------------------------- dedump */

/* A body as the Python script dedump rebuilds it from a dump. */
typedef struct rebuilt {
    char name[128], type[16];
    double place[16], size[3], offset[3], rotation[4];
} rebuilt;

static json_t *member(json_t *components, const char *component, const char *key)
{
    json_t *found = json_object_get(json_object_get(json_object_get(components, component), "members"), key);
    assert_non_null(found);
    return found;
}

static void numbers(json_t *value, size_t count, double *out)
{
    json_t *values = json_object_get(value, "values");
    assert_int_equal(json_array_size(values), count);
    for (size_t i = 0; i < count; i++)
        out[i] = json_number_value(json_array_get(values, i));
}

/* As in the script: name.path.rsplit("|", 3)[-2] */
static void last_but_one(const char *path, char *name, size_t capacity)
{
    const char *end = strrchr(path, '|'), *start = end;
    assert_non_null(end);
    while (start > path && start[-1] != '|')
        start--;
    snprintf(name, capacity, "%.*s", (int)(end - start), start);
}

static void rebuild(json_t *components, rebuilt *body)
{
    double scale[3], radius = json_number_value(member(components, "GeometryDescriptionComponent", "radius"));
    double length = json_number_value(member(components, "GeometryDescriptionComponent", "length"));
    last_but_one(json_string_value(member(components, "NameComponent", "path")), body->name,
                 sizeof body->name);
    snprintf(body->type, sizeof body->type, "%s",
             json_string_value(member(components, "GeometryDescriptionComponent", "type")));
    numbers(member(components, "ScaleComponent", "absolute"), 3, scale);
    numbers(member(components, "RestComponent", "matrix"), 16, body->place);
    numbers(member(components, "GeometryDescriptionComponent", "extents"), 3, body->size);
    numbers(member(components, "GeometryDescriptionComponent", "offset"), 3, body->offset);
    numbers(member(components, "GeometryDescriptionComponent", "rotation"), 4, body->rotation);
    for (int k = 0; k < 3; k++) {
        body->size[k] *= scale[k];
        body->offset[k] *= scale[k];
    }
    if (strcmp(body->type, "Sphere") == 0 || strcmp(body->type, "Capsule") == 0) {
        body->size[0] = radius * scale[0];
        body->size[1] = strcmp(body->type, "Sphere") == 0 ? 0 : length * scale[1];
        body->size[2] = 0;
    }
}

static uint32_t dedump(json_t *root, rebuilt *bodies, uint32_t room)
{
    const char *key;
    json_t *value;
    uint32_t count = 0;
    json_object_foreach(json_object_get(root, "entities"), key, value)
    {
        json_t *components = json_object_get(value, "components");
        if (!json_object_get(components, "RigidComponent"))
            continue;
        if (!json_string_length(member(components, "NameComponent", "path")))
            continue;
        assert_true(count < room);
        rebuild(components, &bodies[count++]);
    }
    return count;
}

static double difference(const double *a, const double *b, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static const rebuilt *find(const rebuilt *bodies, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(bodies[i].name, name) == 0)
            return &bodies[i];
    return NULL;
}

enum { REBUILT_MAX = 2000 };

/* In a dump made from the scene alone, dedump finds each body by its name, with its position and size. */
static void a_new_dump_is_rebuilt(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    rebuilt *was = test_calloc(REBUILT_MAX, sizeof *was), *is = test_calloc(REBUILT_MAX, sizeof *is);
    for (int i = 0; i < 2; i++) {
        mmd_exchange *document = read_shared(dumps[i]);
        mmd_exchange_output output = {0};
        json_t *root = written(NULL, MMD_EXCHANGE_GLTF, NULL, document->physscene, &output);
        uint32_t before = dedump(document->kept->root, was, REBUILT_MAX);
        uint32_t after = dedump(root, is, REBUILT_MAX), found = 0;
        double worst = 0;
        for (uint32_t k = 0, body = 0; k < before; k++) {
            if (strcmp(was[k].type, "Plane") == 0)
                continue;
            const rebuilt *now = find(is, after, document->physscene->bodies[body++].name);
            assert_non_null(now);
            worst = fmax(worst, difference(was[k].place, now->place, 16));
            worst = fmax(worst, difference(was[k].size, now->size, 3));
            worst = fmax(worst, difference(was[k].offset, now->offset, 3));
            if (strcmp(was[k].type, "ConvexHull") != 0)
                assert_string_equal(was[k].type, now->type);
            found++;
        }
        measured(dumps[i], "bodies that dedump rebuilds", found);
        measured(dumps[i], "largest difference of place and size, cm", worst);
        assert_int_equal(found, document->physscene->body_count);
        assert_true(worst < 1e-4);
        json_decref(root);
        mmd_exchange_output_finish(&output);
        mmd_exchange_destroy(document);
    }
    test_free(was);
    test_free(is);
}

/* Written from the scene alone and read again, the scene is the same up to rounding. */
static void a_new_dump_reads_back(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    for (int i = 0; i < DUMPS; i++) {
        mmd_exchange *document = read_shared(dumps[i]);
        mmd_exchange_output output = {0};
        const mmd_physscene *a = document->physscene;
        json_decref(written(NULL, MMD_EXCHANGE_GLTF, NULL, a, &output));
        mmd_exchange *again = read_dump(output.files[0].data.data, output.files[0].data.size);
        const mmd_physscene *b = again->physscene;
        assert_int_equal(a->body_count, b->body_count);
        assert_int_equal(a->joint_count, b->joint_count);
        assert_int_equal(a->limit_count, b->limit_count);
        double worst = 0;
        for (uint32_t k = 0; k < a->body_count; k++) {
            worst = fmax(worst, apart(&a->bodies[k].rest, &b->bodies[k].rest));
            worst =
                fmax(worst, fabs((double)a->bodies[k].linear_damping - (double)b->bodies[k].linear_damping));
            worst = fmax(worst, fabs((double)a->bodies[k].mass - (double)b->bodies[k].mass));
        }
        for (uint32_t k = 0; k < a->limit_count; k++) {
            worst = fmax(worst, fabs((double)a->limits[k].max - (double)b->limits[k].max));
            assert_int_equal(a->limits[k].axes, b->limits[k].axes);
        }
        for (uint32_t k = 0; k < a->joint_count; k++) {
            worst = fmax(worst, apart(&a->joints[k].frame_a, &b->joints[k].frame_a));
            worst = fmax(worst, apart(&a->joints[k].frame_b, &b->joints[k].frame_b));
        }
        measured(dumps[i], "largest difference of a scene written anew", worst);
        assert_true(worst < 1e-5);
        mmd_exchange_destroy(again);
        mmd_exchange_output_finish(&output);
        mmd_exchange_destroy(document);
    }
}

/* ----------------------------------------------------------- from a PMX */

static mmd_exchange_output of_pmx(const mmd_model *model, mmd_exchange_format format)
{
    mmd_exchange_input input = {.model = model};
    mmd_exchange_options options = {.format = format};
    mmd_exchange_output output;
    mmd_error error = {0};
    if (mmd_exchange_write(&input, &options, &output, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    return output;
}

/* All members of options except the format may be zero. */
static void a_format_alone_names_the_main_file(void **state)
{
    (void)state;
    static const struct {
        mmd_exchange_options options;
        const char *name;
    } usual[] = {{{.format = MMD_EXCHANGE_RAGDOLL}, "ragdoll.json"},
                 {{.format = MMD_EXCHANGE_GLTF}, "scene.gltf"},
                 {{.format = MMD_EXCHANGE_GLTF, .binary = true}, "scene.glb"},
                 {{.format = MMD_EXCHANGE_PMX}, "model.pmx"}};
    hair_model hair;
    hair_model_make(&hair);
    mmd_exchange_input input = {.model = &hair.model};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        mmd_exchange_output output;
        assert_int_equal(mmd_exchange_write(&input, &usual[i].options, &output, NULL), MMD_OK);
        assert_string_equal(output.files[0].name, usual[i].name);
        mmd_exchange_output_finish(&output);
    }
    hair_model_finish(&hair);
}

/* Half a surrogate pair in a name, which PMX allows, does not stop the export. JSON gets question marks, and
 * the PMX is restored unchanged. */
static void half_characters_in_names_are_written(void **state)
{
    (void)state;
    hair_model hair;
    hair_model_make(&hair);
    hair.bodies[BODY_2].name = "a\xED\xA0\x80z";
    hair.bodies[BODY_3].name_en = "\xED\xB0\x80";
    hair.joints[1].name = hair.joints[1].name_en = "\xED\xA0\x80";
    mmd_exchange_output there = of_pmx(&hair.model, MMD_EXCHANGE_RAGDOLL);
    mmd_exchange *document = read_dump(there.files[0].data.data, there.files[0].data.size);
    assert_string_equal(document->model->bones[BODY_2].name, "a???z");
    mmd_exchange_input input = {.document = document};
    mmd_exchange_options options = {.format = MMD_EXCHANGE_PMX};
    mmd_exchange_output back;
    assert_int_equal(mmd_exchange_write(&input, &options, &back, NULL), MMD_OK);
    mmd_buffer pmx = {0};
    assert_int_equal(mmd_pmx_write(&hair.model, &pmx, NULL), MMD_OK);
    assert_int_equal(back.files[0].data.size, pmx.size);
    assert_memory_equal(back.files[0].data.data, pmx.data, pmx.size);
    mmd_buffer_finish(&pmx);
    mmd_exchange_output_finish(&back);
    mmd_exchange_destroy(document);
    mmd_exchange_output_finish(&there);
    hair_model_finish(&hair);
}

/* Counts losses with a code and source that concern joints of a kind. */
static uint32_t count_losses(const mmd_exchange_output *output, const mmd_model *model, uint8_t kind,
                             const char *code, const char *source)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < output->losses.count; i++) {
        const mmd_loss *loss = &output->losses.items[i];
        unsigned joint;
        bool meant = strcmp(loss->code, code) == 0 && strcmp(loss->source, source) == 0;
        if (meant && sscanf(loss->path, "joint %u", &joint) == 1 && model->joints[joint].kind == kind)
            count++;
    }
    return count;
}

/* What Ragdoll lacks is reported as for glTF: as many losses of each code and source. */
static void motors_and_odd_springs_are_told(void **state)
{
    (void)state;
    static const struct {
        uint8_t kind;
        const char *code, *source;
    } rows[] = {{SPRING, "joint.spring_dropped", "below 0"},
                {CONE_TWIST, "joint.soft_limit_dropped", "softness, bias and relaxation"},
                {CONE_TWIST, "joint.drive_dropped", "a motor towards a pose"},
                {SLIDER, "joint.drive_dropped", "a motor"},
                {HINGE, "joint.drive_dropped", "a motor"},
                {HINGE, "joint.soft_limit_dropped", "softness, bias and relaxation"}};
    mmd_model model;
    every_joint_make(&model);
    for (uint32_t i = 0; i < model.joint_count; i++) {
        mmd_joint *joint = (mmd_joint *)&model.joints[i];
        if (joint->kind == SPRING)
            joint->linear_spring[1] = joint->angular_spring[2] = -5;
        if (joint->kind == CONE_TWIST)
            joint->linear_lower[2] = 1;
        if (joint->kind == SLIDER)
            joint->linear_spring[0] = joint->angular_spring[0] = 1;
        if (joint->kind == HINGE)
            joint->linear_spring[0] = joint->angular_spring[0] = 1;
    }
    mmd_exchange_output ragdoll = of_pmx(&model, MMD_EXCHANGE_RAGDOLL);
    mmd_exchange_output gltf = of_pmx(&model, MMD_EXCHANGE_GLTF);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t there = count_losses(&gltf, &model, rows[i].kind, rows[i].code, rows[i].source);
        assert_true(there > 0);
        assert_int_equal(count_losses(&ragdoll, &model, rows[i].kind, rows[i].code, rows[i].source), there);
    }
    mmd_exchange_output_finish(&gltf);
    mmd_exchange_output_finish(&ragdoll);
    every_joint_finish(&model);
}

/* --------------------------------------------------------------- hostile */

#define ROW            "1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1"
#define MATRIX         "{\"type\":\"Matrix44\",\"values\":[" ROW "]}"
#define RIGID(more)    "\"RigidComponent\":{\"type\":\"RigidComponent\",\"members\":{\"mass\":1" more "}}"
#define REST           "\"RestComponent\":{\"type\":\"RestComponent\",\"members\":{\"matrix\":" MATRIX "}}"
#define BALL(more)     "\"GeometryDescriptionComponent\":{\"members\":{\"type\":\"Sphere\",\"radius\":1" more "}}"
#define JOINT(members) "{\"components\":{\"JointComponent\":{\"members\":{" members "}}}}"
#define FRAMES         "\"parentFrame\":" MATRIX ",\"childFrame\":" MATRIX
#define DUMP(entities) "{\"schema\":\"ragdoll-1.0\",\"entities\":{" entities "}}"
#define BODY           "{\"components\":{" RIGID("") "," REST "," BALL("") "}}"

static const struct {
    const char *text;
    mmd_status status;
    const char *section;
} hostile[] = {
    {DUMP("\"1\":" BODY), MMD_OK, ""},
    {DUMP("\"1\":" BODY ",\"2\":" JOINT("\"parent\":0,\"child\":1," FRAMES)), MMD_OK, ""},
    {DUMP("\"1\":" BODY ",\"2\":" JOINT("\"parent\":77,\"child\":1," FRAMES)), MMD_OK, ""},
    {"{\"schema\":\"ragdoll-1.0\"}", MMD_ERROR_VALUE, "document"},
    {"{\"schema\":\"ragdoll-9.0\",\"entities\":{}}", MMD_ERROR_UNSUPPORTED, "document"},
    {DUMP("\"one\":" BODY), MMD_ERROR_VALUE, "entities.one"},
    {DUMP("\"01\":" BODY), MMD_ERROR_VALUE, "entities.01"},
    {DUMP("\"1\":{}"), MMD_ERROR_VALUE, "entities.1"},
    {DUMP("\"1\":{\"components\":7}"), MMD_ERROR_VALUE, "entities.1.components"},
    {DUMP("\"1\":{\"components\":{\"RigidComponent\":\"x\"}}"), MMD_ERROR_VALUE,
     "entities.1.components.RigidComponent"},
    {DUMP("\"1\":{\"components\":{" RIGID("") "}}"), MMD_ERROR_VALUE, "entities.1.components"},
    {DUMP("\"1\":{\"components\":{" RIGID("") "," REST "}}"), MMD_ERROR_VALUE, "entities.1.components"},
    {DUMP("\"1\":{\"components\":{" RIGID(",\"linearDamping\":1e308") "," REST "," BALL("") "}}"),
     MMD_ERROR_VALUE, "entities.1.components.RigidComponent.members.linearDamping"},
    {DUMP("\"1\":{\"components\":{" RIGID(",\"parentRigid\":1") "," REST "," BALL("") "}}"), MMD_ERROR_VALUE,
     "entities.1.components.RigidComponent.members.parentRigid"},
    {DUMP("\"1\":" BODY ",\"2\":" JOINT("\"parent\":-3,\"child\":1," FRAMES)), MMD_ERROR_INDEX,
     "entities.2.components.JointComponent.members.parent"},
    {DUMP("\"1\":" BODY ",\"2\":" JOINT("\"parent\":99999999999,\"child\":1," FRAMES)), MMD_ERROR_INDEX,
     "entities.2.components.JointComponent.members.parent"},
    {DUMP("\"1\":" BODY ",\"2\":" JOINT("\"parent\":1.5,\"child\":1," FRAMES)), MMD_ERROR_VALUE,
     "entities.2.components.JointComponent.members.parent"},
    {DUMP("\"1\":" BODY ",\"2\":" JOINT("\"child\":1," FRAMES)), MMD_ERROR_VALUE,
     "entities.2.components.JointComponent.members"},
};

static void hostile_documents_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        mmd_error error = {0};
        mmd_exchange *document = NULL;
        size_t blocks = mmd_heap_blocks_in_use();
        mmd_status status =
            mmd_exchange_read(hostile[i].text, strlen(hostile[i].text), NULL, NULL, &document, &error);
        if (status != hostile[i].status ||
            (status != MMD_OK && strcmp(error.section, hostile[i].section) != 0))
            fail_msg("%zu: %d, \"%s\" at \"%s\"", i, (int)status, error.message, error.section);
        mmd_exchange_destroy(document);
        assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    }
}

static void visit(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    mmd_error error = {0};
    mmd_exchange *document = NULL;
    mmd_exchange_read(data, size, NULL, NULL, &document, &error);
    mmd_exchange_destroy(document);
}

static void damage_is_survived(void **state)
{
    (void)state;
    const char *text = hostile[1].text;
    size_t blocks = mmd_heap_blocks_in_use();
    damage_each((const uint8_t *)text, strlen(text), visit, NULL);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumps_load),
        cmocka_unit_test(frames_agree),
        cmocka_unit_test(seconds_hold),
        cmocka_unit_test(unedited_comes_out_the_same),
        cmocka_unit_test(a_new_dump_is_rebuilt),
        cmocka_unit_test(a_new_dump_reads_back),
        cmocka_unit_test(a_format_alone_names_the_main_file),
        cmocka_unit_test(half_characters_in_names_are_written),
        cmocka_unit_test(motors_and_odd_springs_are_told),
        cmocka_unit_test(hostile_documents_are_refused),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
