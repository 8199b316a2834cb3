/*
 * Tests round trips through interchange: every file to its own format, and to every other one and back, with
 * no differing value; through two other formats; with edits in between; and with damaged records. Figures are
 * printed when ODORI_MEASURE is set.
 */
#include <jansson.h>

#include "damage.h"
#include "mmd/cursor.h"
#include "mmd/exchange.h"
#include "mmd/format.h"
#include "support.h"

/* Sanitizer builds skip the largest models and most trips of each file. */
#ifdef ODORI_TEST_SLOWLY
enum { LARGEST = 100 * 1024, TURNS = 5 };
#else
enum { LARGEST = INT32_MAX, TURNS = 1 };
#endif

/* ------------------------------------------------------------------ files */

/* A file that was read: a document or a PMX. */
typedef struct opened {
    const char *name;
    mmd_bytes bytes;
    mmd_source *source;
    mmd_memory_file *files; /* files of source, if it is in memory */
    mmd_exchange *document;
    mmd_model *model;
    mmd_exchange_output output; /* the output that was read, if it was written here */
} opened;

static void close_file(opened *file)
{
    mmd_exchange_destroy(file->document);
    mmd_model_destroy(file->model);
    mmd_source_destroy(file->source);
    mmd_bytes_finish(&file->bytes);
    mmd_free(file->files);
    mmd_exchange_output_finish(&file->output);
}

static bool read_file(opened *file, const void *data, size_t size)
{
    mmd_error error = {0};
    bool pmx = mmd_file_detect(data, size) == MMD_FILE_PMX;
    mmd_status status = pmx ? mmd_pmx_read(data, size, &file->model, &error)
                            : mmd_exchange_read(data, size, file->source, "", &file->document, &error);
    if (status != MMD_OK)
        print_message("  %s: %s: %s\n", file->name, error.section, error.message);
    return status == MMD_OK;
}

/* Opens a shared file. If it is invalid, the result has neither document nor model. */
static opened open_shared(const char *name)
{
    char folder[1024], full[2048];
    opened file = {.name = name, .bytes = shared_read(name)};
    mmd_path_folder(name, folder, sizeof folder);
    file.source = mmd_source_folder(shared_path(folder, full, sizeof full));
    read_file(&file, file.bytes.data, file.bytes.size);
    return file;
}

/* A format, dialect and file name to convert to. */
typedef struct target {
    const char *label, *name;
    mmd_exchange_format format;
    mmd_dialect dialect;
    bool binary;
} target;

static const target targets[] = {
    {"ragdoll", "x.json", MMD_EXCHANGE_RAGDOLL, MMD_DIALECT_NONE, false},
    {"pmx", "x.pmx", MMD_EXCHANGE_PMX, MMD_DIALECT_NONE, false},
    {"khr seed", "x.glb", MMD_EXCHANGE_GLTF, MMD_DIALECT_KHR_COLLISION_SHAPES, true},
    {"khr current", "x.gltf", MMD_EXCHANGE_GLTF, MMD_DIALECT_KHR_IMPLICIT_SHAPES, false},
    {"omi seed", "x.glb", MMD_EXCHANGE_GLTF, MMD_DIALECT_OMI_CONSTRAINTS, true},
    {"omi newer", "x.gltf", MMD_EXCHANGE_GLTF, MMD_DIALECT_OMI_PHYSICS_JOINTS, false},
};
enum { RAGDOLL, PMX, KHR_SEED, KHR_CURRENT, OMI_SEED, OMI_NEWER, TARGETS };

static bool find_sidecar(const opened *file, mmd_exchange_input *input)
{
    for (uint32_t i = 0; i < file->output.count; i++) {
        const mmd_exchange_file *other = &file->output.files[i];
        if (!strstr(other->name, ".physics.json"))
            continue;
        input->sidecar = other->data.data;
        input->sidecar_size = other->data.size;
        return true;
    }
    return false;
}

static mmd_exchange_output write_file(const opened *file, const target *to)
{
    mmd_exchange_input input = {
        .document = file->document, .model = file->model, .textures = file->source, .folder = ""};
    mmd_exchange_options options = {
        .format = to->format, .dialect = to->dialect, .binary = to->binary, .name = to->name};
    mmd_exchange_output output;
    mmd_error error = {0};
    find_sidecar(file, &input);
    if (mmd_exchange_write(&input, &options, &output, &error) != MMD_OK)
        fail_msg("%s to %s: %s: %s", file->name, to->label, error.section, error.message);
    return output;
}

/* Reads an output, whose ownership passes to the result. */
static opened reopen(const char *name, mmd_exchange_output *output)
{
    opened file = {.name = name, .output = *output};
    *output = (mmd_exchange_output){0};
    file.files = mmd_alloc(file.output.count * sizeof *file.files);
    for (uint32_t i = 0; i < file.output.count; i++)
        file.files[i] = (mmd_memory_file){file.output.files[i].name, file.output.files[i].data.data,
                                          file.output.files[i].data.size};
    file.source = mmd_source_memory(file.files, file.output.count);
    if (!read_file(&file, file.output.files[0].data.data, file.output.files[0].data.size))
        fail_msg("%s is not read again", name);
    return file;
}

static opened convert(const opened *file, const target *to)
{
    mmd_exchange_output output = write_file(file, to);
    return reopen(file->name, &output);
}

/* Returns the target of a file's own format and dialect. */
static target own_target(const opened *file)
{
    if (file->model)
        return targets[PMX];
    if (file->document->format == MMD_EXCHANGE_RAGDOLL)
        return targets[RAGDOLL];
    target own = {"its own", "x.gltf", MMD_EXCHANGE_GLTF, file->document->dialect, false};
    own.binary = memcmp(file->bytes.data ? file->bytes.data : (const uint8_t *)"{   ", "glTF", 4) == 0;
    own.name = own.binary ? "x.glb" : own.name;
    return own;
}

/* ------------------------------------------------------------ differences */

static json_t *json_of(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    if (size >= 20 && memcmp(bytes, "glTF", 4) == 0) {
        size_t length =
            bytes[12] | (size_t)bytes[13] << 8 | (size_t)bytes[14] << 16 | (size_t)bytes[15] << 24;
        return json_loadb((const char *)bytes + 20, length, 0, NULL);
    }
    size_t skip = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return json_loadb((const char *)bytes + skip, size - skip, 0, NULL);
}

static size_t differing(const char *path, const json_t *a, const json_t *b)
{
    if (json_equal(a, b))
        return 0;
    size_t count = 0;
    if (json_is_object(a) && json_is_object(b)) {
        const char *key;
        json_t *value;
        char below[512];
        json_object_foreach((json_t *)a, key, value)
        {
            snprintf(below, sizeof below, "%.400s.%.100s", path, key);
            count += differing(below, value, json_object_get(b, key));
        }
        json_object_foreach((json_t *)b, key, value) count += !json_object_get(a, key);
        return count ? count : 1;
    }
    if (json_is_array(a) && json_array_size(a) == json_array_size(b)) {
        for (size_t i = 0; i < json_array_size(a); i++) {
            char below[512];
            snprintf(below, sizeof below, "%.480s[%zu]", path, i);
            count += differing(below, json_array_get(a, i), json_array_get(b, i));
        }
        return count;
    }
    char *was = json_dumps(a, JSON_ENCODE_ANY | JSON_COMPACT),
         *is = json_dumps(b, JSON_ENCODE_ANY | JSON_COMPACT);
    print_message("    %s: %.60s became %.60s\n", path, was ? was : "nothing", is ? is : "nothing");
    free(was);
    free(is);
    return 1;
}

/* Counts the values of the file that differ in the output, except positions of buffers. */
static size_t differences(const opened *file, const mmd_exchange_output *output)
{
    const void *data = file->bytes.data ? file->bytes.data : file->output.files[0].data.data;
    size_t size = file->bytes.data ? file->bytes.size : file->output.files[0].data.size;
    const mmd_buffer *made = &output->files[0].data;
    if (file->model)
        return made->size != size || memcmp(made->data, data, size) != 0;
    json_t *was = json_of(data, size), *is = json_of(made->data, made->size);
    assert_non_null(was);
    assert_non_null(is);
    size_t count = differing("", was, is);
    json_decref(was);
    json_decref(is);
    return count;
}

/* Counts buffers and pictures whose bytes differ. A PMX contains none. */
static size_t files_differ(const opened *file, const mmd_exchange_output *output)
{
    size_t count = 0;
    for (uint32_t i = 1; file->bytes.data && file->document && i < output->count; i++) {
        mmd_bytes bytes = {0};
        const mmd_buffer *made = &output->files[i].data;
        char path[MMD_PATH_MAX];
        if (strstr(output->files[i].name, ".physics.json"))
            continue;
        bool same = mmd_source_find(file->source, output->files[i].name, path) &&
                    mmd_source_read(file->source, path, &bytes, NULL) == MMD_OK && bytes.size >= made->size &&
                    memcmp(bytes.data, made->data, made->size) == 0;
        count += !same;
        mmd_bytes_finish(&bytes);
    }
    return count;
}

static bool is_physics_file(const char *name)
{
    return strstr(name, "data/khr") || strstr(name, "data/omi") || strstr(name, "data/ragdoll");
}

typedef struct tally {
    size_t files, large, trips, differing;
    int to; /* index into targets */
    void (*each)(const opened *file, struct tally *t);
} tally;

static void visit(const char *name, void *user)
{
    tally *t = user;
    if (!is_physics_file(name) && !strstr(name, ".pmx"))
        return;
    opened file = open_shared(name);
    if ((file.document || file.model) && file.bytes.size <= LARGEST) {
        t->files++;
        t->each(&file, t);
    }
    close_file(&file);
}

static void each_file(tally *t)
{
    static const char *const endings[] = {".gltf", ".glb", ".pmx", ".rag"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        shared_each(endings[i], visit, t);
    visit("data/ragdoll/mycar_2021-08-08.json", t);
    visit("data/ragdoll/mycharacter_2021-08-08.json", t);
}

static void count_trip(const opened *file, const char *way, size_t differing_values, tally *t)
{
    t->trips++;
    t->differing += differing_values;
    if (differing_values)
        print_message("  %s %s: %zu differing values\n", file->name, way, differing_values);
}

static void report(const tally *t, const char *what)
{
    if (getenv("ODORI_MEASURE"))
        print_message("    %s: %zu files, %zu trips, %zu differing values\n", what, t->files, t->trips,
                      t->differing);
    assert_true(t->files > 0);
    assert_int_equal(t->differing, 0);
}

/* ------------------------------------------------------------- same format */

static void to_itself(const opened *file, tally *t)
{
    target own = own_target(file);
    mmd_exchange_output output = write_file(file, &own);
    count_trip(file, "to itself", differences(file, &output) + files_differ(file, &output), t);
    mmd_exchange_output_finish(&output);
}

static void every_file_comes_out_as_it_is(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    tally t = {.each = to_itself};
    each_file(&t);
    report(&t, "to itself");
}

/* ---------------------------------------------------------------- scenes */

static const mmd_physscene *scene_of(const opened *file, mmd_physscene *made)
{
    if (file->document)
        return file->document->physscene;
    assert_int_equal(mmd_model_physscene(file->model, made, NULL), MMD_OK);
    return made;
}

static bool same_floats(const float *a, const float *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool same_place(const mmd_transform *a, const mmd_transform *b)
{
    return same_floats(a->rotation, b->rotation, 4) && same_floats(a->translation, b->translation, 3);
}

/* Compares the numbers that a simulation reads, but not bones. */
static bool same_body(const mmd_physscene *a, const mmd_physscene *b, uint32_t i, bool ragdoll)
{
    const mmd_phys_body *x = &a->bodies[i], *y = &b->bodies[i];
    bool stands_alone = ragdoll && x->motion == MMD_PHYS_DYNAMIC_BONE && y->motion == MMD_PHYS_DYNAMIC;
    if (strcmp(x->name, y->name) != 0 || (x->motion != y->motion && !stands_alone) ||
        x->shape_count != y->shape_count || x->disabled != y->disabled || x->ccd != y->ccd)
        return false;
    for (uint32_t k = 0; k < x->shape_count; k++) {
        const mmd_phys_shape *p = &a->shapes[x->first_shape + k], *q = &b->shapes[y->first_shape + k];
        if (p->kind != q->kind || p->solid != q->solid || p->trigger != q->trigger ||
            p->material != q->material || p->filter != q->filter || !same_floats(p->size, q->size, 3) ||
            !same_place(&p->frame, &q->frame))
            return false;
    }
    return same_place(&x->rest, &y->rest) && same_floats(&x->mass, &y->mass, 1) &&
           same_floats(x->inertia, y->inertia, 3) && same_floats(x->center, y->center, 3) &&
           same_floats(&x->linear_damping, &y->linear_damping, 1) &&
           same_floats(&x->angular_damping, &y->angular_damping, 1) &&
           same_floats(&x->gravity_factor, &y->gravity_factor, 1);
}

static bool same_joint(const mmd_physscene *a, const mmd_physscene *b, uint32_t i)
{
    const mmd_phys_joint *x = &a->joints[i], *y = &b->joints[i];
    return strcmp(x->name, y->name) == 0 && x->kind == y->kind && x->body_a == y->body_a &&
           x->body_b == y->body_b && x->limit_count == y->limit_count && x->drive_count == y->drive_count &&
           x->collide == y->collide && same_place(&x->frame_a, &y->frame_a) &&
           same_place(&x->frame_b, &y->frame_b) && memcmp(&x->pmx, &y->pmx, sizeof x->pmx) == 0;
}

/* Returns whether a converted file has the scene of its source; a PMX holds less, so it is not compared. */
static bool same_scene(const opened *file, const opened *there, int to)
{
    mmd_physscene made = {0};
    if (to == PMX)
        return true;
    const mmd_physscene *was = scene_of(file, &made), *is = there->document->physscene;
    bool same = was->body_count == is->body_count && was->joint_count == is->joint_count &&
                was->world.rate == is->world.rate && same_floats(was->world.gravity, is->world.gravity, 3);
    for (uint32_t i = 0; same && i < was->body_count; i++)
        same = same_body(was, is, i, to == RAGDOLL);
    for (uint32_t i = 0; same && i < was->joint_count; i++)
        same = same_joint(was, is, i);
    mmd_physscene_destroy(&made);
    return same;
}

/* ---------------------------------------------------------- there and back */

/* Returns whether to skip a trip: a PMX of more than a megabyte goes to one of the four kinds of glTF in
 * turn, because its mesh is the same in all of them. */
static bool is_left_out(const opened *file, tally *t)
{
    if (t->to < KHR_SEED || !file->model || file->bytes.size <= 1000000)
        return false;
    return (int)(t->large++ % 4) != t->to - KHR_SEED;
}

static bool is_own(const opened *file, const target *to)
{
    target own = own_target(file);
    return own.format == to->format && own.dialect == to->dialect;
}

/* Converts a file and back; checks that the converted file has the same scene, and that the way back restores
 * the source. */
static void there_and_back(const opened *file, tally *t)
{
    target own = own_target(file);
    if (is_own(file, &targets[t->to]) || is_left_out(file, t) || (t->files + (size_t)t->to) % TURNS != 0)
        return;
    opened there = convert(file, &targets[t->to]);
    if (!same_scene(file, &there, t->to))
        count_trip(file, "has another scene there", 1, t);
    mmd_exchange_output back = write_file(&there, &own);
    count_trip(file, targets[t->to].label, differences(file, &back) + files_differ(file, &back), t);
    mmd_exchange_output_finish(&back);
    close_file(&there);
}

static void trips_to(int to)
{
    REQUIRE_SHARED();
    tally t = {.each = there_and_back, .to = to};
    each_file(&t);
    report(&t, targets[to].label);
}

static void by_ragdoll(void **state)
{
    (void)state;
    trips_to(RAGDOLL);
}

static void by_pmx(void **state)
{
    (void)state;
    trips_to(PMX);
}

static void by_khr_seed(void **state)
{
    (void)state;
    trips_to(KHR_SEED);
}

static void by_khr_current(void **state)
{
    (void)state;
    trips_to(KHR_CURRENT);
}

static void by_omi_seed(void **state)
{
    (void)state;
    trips_to(OMI_SEED);
}

static void by_omi_newer(void **state)
{
    (void)state;
    trips_to(OMI_NEWER);
}

/* ------------------------------------------------------------------ two hops */

static void by_two(const opened *file, const int *by, tally *t)
{
    char way[64];
    target own = own_target(file);
    snprintf(way, sizeof way, "%s, %s", targets[by[0]].label, targets[by[1]].label);
    if (is_own(file, &targets[by[0]]) || is_own(file, &targets[by[1]]))
        return;
    opened there = convert(file, &targets[by[0]]), farther = convert(&there, &targets[by[1]]);
    mmd_exchange_output back = write_file(&farther, &own);
    count_trip(file, way, differences(file, &back), t);
    mmd_exchange_output_finish(&back);
    close_file(&farther);
    close_file(&there);
}

static void each_two(const opened *file, tally *t)
{
    static const int ways[][2] = {{KHR_SEED, RAGDOLL},     {RAGDOLL, KHR_CURRENT}, {OMI_NEWER, RAGDOLL},
                                  {KHR_CURRENT, OMI_SEED}, {RAGDOLL, PMX},         {PMX, RAGDOLL},
                                  {KHR_CURRENT, PMX},      {PMX, OMI_SEED}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        by_two(file, ways[i], t);
}

static void two_formats_on_the_way(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const char *const names[] = {"data/models/miku/初音ミク.pmx",
                                        "data/models/test_hair_physics.pmx",
                                        "data/ragdoll/mycar_2021-08-08.json",
                                        "data/ragdoll/manikin_2023.rag",
                                        "data/khr_seed/samples/Filtering/Filtering.gltf",
                                        "data/omi/joint/slider_ball.gltf"};
    tally t = {.each = each_two};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        visit(names[i], &t);
    report(&t, "two formats");
}

/* --------------------------------------------------------------------- edits */

/* Sets a number at the end of a path of keys in the first object that has the whole path; returns whether
 * there is one. from: only a number of this value, or any if below 0. */
static bool set_number(json_t *json, const char *const *keys, double from, double to)
{
    json_t *at = json, *value;
    const char *key;
    size_t i = 0;
    for (; keys[i + 1] && at; i++)
        at = json_object_get(at, keys[i]);
    if (at && json_is_number(json_object_get(at, keys[i])) &&
        (from < 0 || fabs(json_number_value(json_object_get(at, keys[i])) - from) < 1e-6)) {
        json_object_set_new(at, keys[i], json_real(to));
        return true;
    }
    if (json_is_array(json)) {
        json_array_foreach(json, i, value) if (set_number(value, keys, from, to)) return true;
        return false;
    }
    json_object_foreach(json, key, value)
    {
        bool kept = strcmp(key, "extras") == 0 || strcmp(key, "MMDComponent") == 0;
        if (!kept && set_number(value, keys, from, to))
            return true;
    }
    return false;
}

/* Changes a number in the main file and reads the file again. */
static void edit(opened *file, const char *const *keys, double to)
{
    mmd_exchange_output output = file->output;
    file->output = (mmd_exchange_output){0};
    json_t *json = json_of(output.files[0].data.data, output.files[0].data.size);
    assert_true(set_number(json, keys, -1, to));
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    output.files[0].data.size = 0;
    mmd_write_bytes(&output.files[0].data, text, strlen(text));
    free(text);
    const char *name = file->name;
    close_file(file);
    *file = reopen(name, &output);
}

static const char *const gltf_mass[] = {"KHR_physics_rigid_bodies", "motion", "mass", NULL};
static const char *const ragdoll_mass[] = {"RigidComponent", "members", "mass", NULL};

static bool same_pmx_body(const mmd_rigid_body *a, const mmd_rigid_body *b, bool mass)
{
    return strcmp(a->name, b->name) == 0 && a->bone == b->bone && a->group == b->group &&
           a->mask == b->mask && a->shape == b->shape && a->mode == b->mode &&
           same_floats(a->size, b->size, 3) && same_floats(a->position, b->position, 3) &&
           same_floats(a->rotation, b->rotation, 3) && (!mass || same_floats(&a->mass, &b->mass, 1)) &&
           same_floats(&a->linear_damping, &b->linear_damping, 1) &&
           same_floats(&a->angular_damping, &b->angular_damping, 1) &&
           same_floats(&a->friction, &b->friction, 1) && same_floats(&a->restitution, &b->restitution, 1);
}

static bool same_pmx_joint(const mmd_joint *a, const mmd_joint *b)
{
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->body_a == b->body_a &&
           a->body_b == b->body_b && same_floats(a->position, b->position, 3) &&
           same_floats(a->rotation, b->rotation, 3) && same_floats(a->linear_lower, b->linear_lower, 3) &&
           same_floats(a->angular_upper, b->angular_upper, 3) &&
           same_floats(a->angular_spring, b->angular_spring, 3);
}

/* Changes one mass in a converted PMX: one body differs on the way back. */
static void edit_of_pmx(int to, const char *const *keys)
{
    opened file = open_shared("data/models/test_hair_physics.pmx");
    opened there = convert(&file, &targets[to]);
    edit(&there, keys, 7.5);
    mmd_exchange_output output = write_file(&there, &targets[PMX]);
    opened back = reopen(file.name, &output);
    uint32_t differing_bodies = 0, differing_rest = 0, differing_joints = 0;
    assert_int_equal(back.model->body_count, file.model->body_count);
    assert_int_equal(back.model->joint_count, file.model->joint_count);
    assert_int_equal(back.model->vertices.count, file.model->vertices.count);
    for (uint32_t i = 0; i < file.model->body_count; i++) {
        differing_bodies += !same_pmx_body(&file.model->bodies[i], &back.model->bodies[i], true);
        differing_rest += !same_pmx_body(&file.model->bodies[i], &back.model->bodies[i], false);
    }
    for (uint32_t i = 0; i < file.model->joint_count; i++)
        differing_joints += !same_pmx_joint(&file.model->joints[i], &back.model->joints[i]);
    print_message("  %s: %u bodies differ, %u in more than their mass, %u joints\n", targets[to].label,
                  differing_bodies, differing_rest, differing_joints);
    assert_int_equal(differing_bodies, 1);
    assert_int_equal(differing_rest, 0);
    assert_int_equal(differing_joints, 0);
    close_file(&back);
    close_file(&there);
    close_file(&file);
}

static void one_body_of_a_pmx_is_edited(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    edit_of_pmx(KHR_CURRENT, gltf_mass);
    edit_of_pmx(RAGDOLL, ragdoll_mass);
}

/* Changes one mass of a Ragdoll dump in a glTF: one entity differs. */
static void one_body_of_a_ragdoll_is_edited(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    opened file = open_shared("data/ragdoll/manikin_2023.rag");
    opened there = convert(&file, &targets[KHR_CURRENT]);
    edit(&there, gltf_mass, 7.5);
    mmd_exchange_output output = write_file(&there, &targets[RAGDOLL]);
    json_t *was = json_of(file.bytes.data, file.bytes.size);
    json_t *is = json_of(output.files[0].data.data, output.files[0].data.size), *value;
    const char *key;
    uint32_t count = 0, solvers = 0;
    json_object_foreach(json_object_get(is, "entities"), key, value)
    {
        bool solver = json_object_get(json_object_get(value, "components"), "SolverComponent") != NULL;
        bool same = json_equal(value, json_object_get(json_object_get(was, "entities"), key));
        solvers += solver && !same; /* the solver entity stores the glTF */
        count += !solver && !same;
    }
    assert_int_equal(json_object_size(json_object_get(is, "entities")),
                     json_object_size(json_object_get(was, "entities")));
    assert_int_equal(count, 1);
    assert_int_equal(solvers, 1);
    json_decref(was);
    json_decref(is);
    mmd_exchange_output_finish(&output);
    close_file(&there);
    close_file(&file);
}

/* Changes one mass of a glTF in a Ragdoll dump: the document is restored with one body changed. */
static void one_body_of_a_gltf_is_edited(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    opened file = open_shared("data/khr_seed/samples/JointTypes/JointTypes.gltf");
    opened there = convert(&file, &targets[RAGDOLL]);
    edit(&there, ragdoll_mass, 7.5);
    opened back = convert(&there, &targets[KHR_SEED]);
    const mmd_physscene *was = file.document->physscene, *is = back.document->physscene;
    uint32_t masses = 0, other = 0;
    assert_int_equal(was->body_count, is->body_count);
    assert_int_equal(was->joint_count, is->joint_count);
    for (uint32_t i = 0; i < was->body_count; i++) {
        masses += was->bodies[i].mass != is->bodies[i].mass;
        for (int k = 0; k < 3; k++)
            other += fabsf(was->bodies[i].rest.translation[k] - is->bodies[i].rest.translation[k]) > 1e-4F;
    }
    assert_int_equal(masses, 1);
    assert_int_equal(other, 0);
    assert_int_equal(file.document->model->vertices.count, back.document->model->vertices.count);
    close_file(&back);
    close_file(&there);
    close_file(&file);
}

/* Changes a mass in a PMX made from a glTF or a Ragdoll dump: shapes that PMX lacks are restored all the
 * same. */
static void edit_in_a_pmx(const char *name, mmd_exchange_format format)
{
    opened file = open_shared(name);
    opened there = convert(&file, &targets[PMX]);
    uint32_t edited = 0;
    while (there.model->bodies[edited].mode == 0)
        edited++;
    there.model->bodies[edited].mass = 7.5F;
    target own = own_target(&file);
    opened back = convert(&there, &own);
    const mmd_physscene *was = file.document->physscene, *is = back.document->physscene;
    uint32_t masses = 0, shapes = 0, places = 0;
    assert_int_equal(back.document->format, format);
    assert_int_equal(was->body_count, is->body_count);
    assert_int_equal(was->joint_count, is->joint_count);
    for (uint32_t i = 0; i < was->body_count; i++) {
        const mmd_phys_body *a = &was->bodies[i], *b = &is->bodies[i];
        masses += a->mass != b->mass;
        shapes += a->shape_count != b->shape_count ||
                  (a->shape_count && was->shapes[a->first_shape].kind != is->shapes[b->first_shape].kind);
        for (int k = 0; k < 3; k++)
            places += fabsf(a->rest.translation[k] - b->rest.translation[k]) > 1e-4F;
    }
    print_message("  %s: %u masses, %u shapes, %u places differ\n", name, masses, shapes, places);
    assert_int_equal(masses, 1);
    assert_int_equal(shapes, 0);
    assert_int_equal(places, 0);
    close_file(&back);
    close_file(&there);
    close_file(&file);
}

static void one_body_is_edited_in_a_pmx(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    edit_in_a_pmx("data/khr_seed/samples/ShapeTypes/ShapeTypes.gltf", MMD_EXCHANGE_GLTF);
    edit_in_a_pmx("data/omi/joint/pendulum_balls.gltf", MMD_EXCHANGE_GLTF);
    edit_in_a_pmx("data/ragdoll/manikin_2023.rag", MMD_EXCHANGE_RAGDOLL);
}

/* ------------------------------------------------------------------- hostile */

/* Reads a glTF with a damaged record, which must be readable and convertible to PMX. */
static void spoil(const opened *file, void (*change)(json_t *record))
{
    json_t *root = json_of(file->output.files[0].data.data, file->output.files[0].data.size);
    change(json_object_get(json_object_get(root, "extras"), "mmd"));
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    opened spoilt = {.name = "spoilt", .source = NULL};
    mmd_error error = {0};
    mmd_status status = mmd_exchange_read(text, strlen(text), file->source, "", &spoilt.document, &error);
    if (status != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    mmd_exchange_output output = write_file(&spoilt, &targets[PMX]);
    mmd_exchange_output_finish(&output);
    mmd_exchange_destroy(spoilt.document);
    free(text);
}

static void no_source(json_t *record)
{
    json_object_set_new(record, "source", json_string("UE1YIA=="));
}

static void no_view(json_t *record)
{
    json_object_set_new(record, "source", json_pack("{s:i}", "bufferView", 100000));
}

static void wrong_view(json_t *record)
{
    json_object_set_new(record, "source", json_pack("{s:i}", "bufferView", 0));
}

static void other_format(json_t *record)
{
    json_object_set_new(record, "format", json_string("gltf"));
}

static void no_format(json_t *record)
{
    json_object_set_new(record, "format", json_integer(3));
}

static void no_bodies(json_t *record)
{
    json_object_set_new(record, "bodies", json_array());
}

static void few_bodies(json_t *record)
{
    json_array_remove(json_object_get(record, "bodies"), 0);
}

static void wrong_bodies(json_t *record)
{
    json_object_set_new(record, "bodies", json_pack("[[i, s], {}, i]", -7, "x", 4));
}

static void huge_numbers(json_t *record)
{
    json_t *entry = json_array_get(json_object_get(record, "bodies"), 1);
    json_array_set_new(entry, 0, json_integer(INT64_MAX));
}

static void same_items(json_t *record)
{
    json_t *list = json_object_get(record, "bodies");
    for (size_t i = 1; i < json_array_size(list); i++)
        json_array_set_new(list, i, json_deep_copy(json_array_get(list, 0)));
}

static void no_stamps(json_t *record)
{
    json_t *list = json_object_get(record, "joints"), *entry;
    size_t i;
    json_array_foreach(list, i, entry) json_array_set_new(entry, 1, json_string("0000000000000000"));
}

static void all_gone(json_t *record)
{
    json_t *entry;
    size_t i;
    json_array_foreach(json_object_get(record, "bodies"), i, entry)
        json_array_set_new(entry, 0, json_integer(999999));
}

static void nulls(json_t *record)
{
    json_t *list = json_object_get(record, "bodies");
    for (size_t i = 0; i < json_array_size(list); i++)
        json_array_set_new(list, i, json_null());
}

static void made_of_all(json_t *record)
{
    json_object_set_new(record, "made",
                        json_pack("{s:O, s:O}", "bodies", json_object_get(record, "bodies"), "joints",
                                  json_object_get(record, "joints")));
}

static void broken_records_do_no_harm(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static void (*const changes[])(json_t *) = {no_source, no_view,    wrong_view,   other_format, no_format,
                                                no_bodies, few_bodies, wrong_bodies, huge_numbers, same_items,
                                                no_stamps, all_gone,   nulls,        made_of_all};
    opened file = open_shared("data/models/test_hair_physics.pmx");
    opened there = convert(&file, &targets[KHR_CURRENT]);
    uint64_t blocks = mmd_heap_blocks_in_use();
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        spoil(&there, changes[i]);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    close_file(&there);
    close_file(&file);
}

static void read_damaged(const uint8_t *data, size_t size, void *user)
{
    mmd_exchange *document;
    (void)user;
    if (mmd_exchange_read(data, size, NULL, NULL, &document, NULL) == MMD_OK)
        mmd_exchange_destroy(document);
}

/* Tests damaged copies of a record within a record. */
static void damage_is_survived(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    opened file = open_shared("data/small/constraint_test.pmx");
    opened there = convert(&file, &targets[KHR_SEED]), farther = convert(&there, &targets[RAGDOLL]);
    const mmd_buffer *data = &farther.output.files[0].data;
    uint64_t blocks = mmd_heap_blocks_in_use();
    damage_each(data->data, data->size, read_damaged, NULL);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    close_file(&farther);
    close_file(&there);
    close_file(&file);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_comes_out_as_it_is),
        cmocka_unit_test(by_ragdoll),
        cmocka_unit_test(by_pmx),
        cmocka_unit_test(by_khr_seed),
        cmocka_unit_test(by_khr_current),
        cmocka_unit_test(by_omi_seed),
        cmocka_unit_test(by_omi_newer),
        cmocka_unit_test(two_formats_on_the_way),
        cmocka_unit_test(one_body_of_a_pmx_is_edited),
        cmocka_unit_test(one_body_of_a_ragdoll_is_edited),
        cmocka_unit_test(one_body_of_a_gltf_is_edited),
        cmocka_unit_test(one_body_is_edited_in_a_pmx),
        cmocka_unit_test(broken_records_do_no_harm),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
