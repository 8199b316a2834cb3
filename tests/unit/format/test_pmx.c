/* PMX: round trips, frozen bytes, refused files and repairs. */
#include "compare_models.h"
#include "sample_models.h"
#include "support.h"

/*
 * A file of version 2.0 laid out by hand from docs/mmd.md 1.1. sample_tiny(2.0) must always give these bytes.
 */
static const uint8_t tiny_2_0[] = {
    'P',  'M',  'X',  ' ',  0,    0,    0,    0x40,    /* 0: magic, 2.0 */
    8,    0,    0,    1,    1,    1,    1,    1,    1, /* 8: globals */
    4,    0,    0,    0,    0x8b, 0x89, 0x2c, 0x67,    /* 17: name */
    12,   0,    0,    0,    's',  0,    'a',  0,    'm', 0, 'p',  0,    'l',  0,    'e',  0,    0, 0,
    0,    0,    0,    0,    0,    0,                                    /* 25: English, comments */
    3,    0,    0,    0,                                                /* 49: vertices */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0,    0,    /* 53: position */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0x80, 0xbf, /* normal */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0,    0,    0x80, 0x3f, /* UV, 85: BDEF1, bone,
                                                                                       edge */
    0,    0,    0x80, 0x3f, 0,    0,    0,    0,    0,   0, 0,    0,                /* 91 */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0x80, 0xbf,             /* */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0,    0,    0x80, 0x3f, /* */
    0,    0,    0,    0,    0,    0,    0x80, 0x3f, 0,   0, 0,    0,                /* 129 */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0x80, 0xbf,             /* */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0,    0,    0x80, 0x3f, /* */
    3,    0,    0,    0,    0,    1,    2,                                          /* 167: surface */
    0,    0,    0,    0,                                                            /* 174: textures */
    1,    0,    0,    0,                                                            /* 178: materials */
    2,    0,    0,    0,    0x62, 0x97, 0,    0,    0,   0,                         /* 182: names */
    0,    0,    0x80, 0x3f, 0,    0,    0x80, 0x3f, 0,   0, 0x80, 0x3f, 0,    0,    0x80, 0x3f, /* diffuse */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0,    0,    0,    0,    0,    0,    /* specular */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0,    0,    0, /* ambient, flags */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0,    0,    0,    0,    0x80, 0x3f, 0, 0,
    0x80, 0x3f,                                  /* edge */
    0xff, 0xff, 0,    0,    0xff,                /* 257: texture, sphere, mode, toon source, toon */
    0,    0,    0,    0,    3,    0,    0,    0, /* 262: memo, indices */
    1,    0,    0,    0,                         /* 270: bones */
    2,    0,    0,    0,    0xa8, 0x9a, 0,    0,    0,   0,                      /* 274: names */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0,    0,    0xff,    /* position, parent */
    0,    0,    0,    0,    0x1b, 0,    0xff,                                    /* layer, flags, tail */
    1,    0,    0,    0,                                                         /* 304: morphs */
    2,    0,    0,    0,    0x42, 0x30, 2,    0,    0,   0, 'a',  0,    3,    1, /* 308: names, panel, 321:
                                                                                    kind */
    1,    0,    0,    0,    2,    0,    0,    0,    0,   0, 0,    0,    0x3f, 0,    0,    0,    0, /* one
                                                                                                      offset
                                                                                                    */
    0,    0,    0,    0,    0,    0,    0,    0,    0,   0, 0,    0, /* frames, bodies, joints */
};

static uint64_t hash_bytes(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

static mmd_buffer written(const mmd_model *model)
{
    mmd_buffer out = {0};
    assert_int_equal(mmd_pmx_write(model, &out, NULL), MMD_OK);
    return out;
}

static mmd_model *must_read(const uint8_t *data, size_t size)
{
    mmd_model *model = NULL;
    mmd_error error = {0};
    char sentence[512];
    if (mmd_pmx_read(data, size, &model, &error) != MMD_OK)
        fail_msg("%s", mmd_error_sentence(&error, sentence, sizeof sentence));
    return model;
}

/* Writes a made model, frees it, and reads the written file. */
static mmd_model *through_a_file(mmd_model *model)
{
    mmd_buffer out = written(model);
    sample_finish(model);
    mmd_model *read = must_read(out.data, out.size);
    mmd_buffer_finish(&out);
    return read;
}

/* ---- round trips ---- */

/* Damaged files and their errors. */
static const struct {
    const char *name;
    mmd_status status;
    const char *section;
    uint64_t offset;
} damaged[] = {
    /* The header states bone indices of one byte, but the vertices have two. */
    {"data/small/joint_orient_test.pmx", MMD_ERROR_VALUE, "vertex 13", 651},
};

typedef struct round_trips {
    size_t files, identical, refused;
} round_trips;

/* Returns whether a file is one of the damaged ones, and requires its error. */
static bool is_damaged(const char *name, mmd_status status, const mmd_error *error)
{
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        if (strcmp(damaged[i].name, name) != 0)
            continue;
        assert_int_equal(status, damaged[i].status);
        assert_string_equal(error->section, damaged[i].section);
        assert_int_equal(error->offset, damaged[i].offset);
        return true;
    }
    return false;
}

/* Requires that writing a shared file gives the bytes that were read, unless the file is damaged. */
static void round_trip(const char *name, void *user)
{
    round_trips *trips = user;
    mmd_bytes bytes = shared_read(name);
    mmd_model *model = NULL;
    mmd_error error = {0};
    mmd_status status = mmd_pmx_read(bytes.data, bytes.size, &model, &error);
    trips->files++;
    if (is_damaged(name, status, &error)) {
        trips->refused++;
    } else {
        if (status != MMD_OK)
            fail_msg("%s: %s: %s", name, error.section, error.message);
        mmd_buffer out = written(model);
        if (out.size != bytes.size || memcmp(out.data, bytes.data, out.size) != 0)
            fail_msg("%s: other bytes are written than were read", name);
        trips->identical++;
        mmd_buffer_finish(&out);
    }
    mmd_model_destroy(model);
    mmd_bytes_finish(&bytes);
}

static void pmx_round_trips_every_shared_file(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    round_trips trips = {0};
    shared_each(".pmx", round_trip, &trips);
    print_message("%zu of %zu files are written back byte for byte, %zu are damaged\n", trips.identical,
                  trips.files, trips.refused);
    assert_true(trips.files >= 39);
    assert_int_equal(trips.identical + trips.refused, trips.files);
    assert_int_equal(trips.refused, sizeof damaged / sizeof damaged[0]);
}

static void pmx_keeps_every_feature(void **state)
{
    (void)state;
    for (uint8_t encoding = 0; encoding < 2; encoding++)
        for (uint8_t size = 1; size <= 4; size *= 2) {
            mmd_model model;
            sample_everything(&model, encoding, size);
            mmd_buffer out = written(&model);
            mmd_model *read = must_read(out.data, out.size);
            assert_models_equal(&model, read);
            assert_int_equal(read->origin, MMD_ORIGIN_PMX);
            assert_int_equal(read->broken_reference_count, 0);
            mmd_buffer again = written(read);
            assert_int_equal(again.size, out.size);
            assert_memory_equal(again.data, out.data, out.size);
            mmd_buffer_finish(&again);
            mmd_buffer_finish(&out);
            mmd_model_destroy(read);
            sample_finish(&model);
        }
}

static void pmx_chooses_the_smallest_indices(void **state)
{
    (void)state;
    static const struct {
        uint32_t bones, vertices;
        uint8_t bone_size, vertex_size;
    } cases[] = {{128, 255, 1, 1}, {129, 256, 2, 2}, {32768, 65535, 2, 2}, {32769, 65536, 4, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mmd_model model;
        sample_chain(&model, cases[i].bones, cases[i].vertices);
        mmd_model *read = through_a_file(&model);
        assert_int_equal(read->layout.bone_index_size, cases[i].bone_size);
        assert_int_equal(read->layout.vertex_index_size, cases[i].vertex_size);
        assert_int_equal(read->bones[cases[i].bones - 1].parent, (int32_t)cases[i].bones - 2);
        assert_int_equal(read->vertices.bone[cases[i].vertices - 1][0],
                         (cases[i].vertices - 1) % cases[i].bones);
        assert_int_equal(read->indices[0], cases[i].vertices - 1);
        assert_int_equal(read->broken_reference_count, 0);
        mmd_model_destroy(read);
    }
}

static void pmx_widens_indices_that_no_longer_fit(void **state)
{
    (void)state;
    mmd_model model;
    sample_chain(&model, 300, 300);
    model.layout.bone_index_size = model.layout.vertex_index_size = 1;
    mmd_model *read = through_a_file(&model);
    assert_int_equal(read->layout.bone_index_size, 2);
    assert_int_equal(read->layout.vertex_index_size, 2);
    assert_int_equal(read->bones[299].parent, 298);
    mmd_model_destroy(read);
}

static void pmx_2_0_bytes_are_frozen(void **state)
{
    (void)state;
    mmd_model model;
    sample_tiny(&model, 2.0f);
    mmd_buffer out = written(&model);
    assert_int_equal(out.size, sizeof tiny_2_0);
    assert_memory_equal(out.data, tiny_2_0, out.size);
    mmd_buffer_finish(&out);
    mmd_model *read = must_read(tiny_2_0, sizeof tiny_2_0);
    model.layout = read->layout;
    assert_models_equal(&model, read);
    mmd_model_destroy(read);
    sample_finish(&model);
}

static void pmx_2_1_bytes_are_frozen(void **state)
{
    (void)state;
    mmd_model model;
    sample_tiny(&model, 2.1f);
    mmd_buffer out = written(&model);
    assert_int_equal(out.size, 555);
    assert_int_equal(hash_bytes(out.data, out.size), UINT64_C(0x02697b67d2e41b12));
    mmd_model *read = through_a_file(&model);
    assert_int_equal(read->vertices.deform[2], MMD_DEFORM_QDEF);
    assert_int_equal(read->morphs[1].kind, MMD_MORPH_FLIP);
    assert_int_equal(read->soft_bodies[0].anchor_count, 1);
    mmd_model_destroy(read);
    mmd_buffer_finish(&out);
}

static void pmx_2_1_may_end_after_joints(void **state)
{
    (void)state;
    mmd_model model;
    sample_tiny(&model, 2.1f);
    model.soft_body_count = 0;
    model.layout.no_soft_bodies = true;
    mmd_buffer with_flag = written(&model);
    model.layout.no_soft_bodies = false;
    mmd_buffer without = written(&model);
    assert_int_equal(with_flag.size + 4, without.size);
    mmd_model *a = must_read(with_flag.data, with_flag.size), *b = must_read(without.data, without.size);
    assert_true(a->layout.no_soft_bodies);
    assert_false(b->layout.no_soft_bodies);
    mmd_model_destroy(a);
    mmd_model_destroy(b);
    mmd_buffer_finish(&with_flag);
    mmd_buffer_finish(&without);
    sample_finish(&model);
}

static float written_version(const mmd_model *model)
{
    mmd_buffer out = written(model);
    float version;
    memcpy(&version, out.data + 4, sizeof version);
    mmd_buffer_finish(&out);
    return version;
}

typedef enum newer_part {
    NEWER_NOTHING,
    NEWER_FLIP,
    NEWER_IMPULSE,
    NEWER_JOINT,
    NEWER_QDEF,
    NEWER_FLAG
} newer_part;

/* Makes sample_tiny(2.0) with one part that 2.0 does not have. flag is a flag of its material. */
static void sample_newer(mmd_model *model, newer_part part, uint8_t flag)
{
    static const mmd_joint hinge = {.name = "j", .name_en = "", .kind = 5, .body_a = -1, .body_b = -1};
    sample_tiny(model, 2.0f);
    model->materials[0].flags = flag;
    if (part == NEWER_FLIP || part == NEWER_IMPULSE) {
        model->morphs[0].kind = part == NEWER_FLIP ? MMD_MORPH_FLIP : MMD_MORPH_IMPULSE;
        model->morphs[0].count = 0;
    } else if (part == NEWER_JOINT) {
        model->joint_count = 1;
        model->joints = mmd_arena_alloc(&model->arena, 1, sizeof *model->joints);
        model->joints[0] = hinge;
    } else if (part == NEWER_QDEF) {
        model->vertices.deform[1] = MMD_DEFORM_QDEF;
    }
}

static void pmx_version_of_a_made_model_follows_its_contents(void **state)
{
    (void)state;
    static const struct {
        newer_part part;
        uint8_t flag;
        float version;
    } cases[] = {
        {NEWER_NOTHING, 0x1f, 2.0f}, {NEWER_FLIP, 0, 2.1f},    {NEWER_IMPULSE, 0, 2.1f},
        {NEWER_JOINT, 0, 2.1f},      {NEWER_QDEF, 0, 2.1f},    {NEWER_FLAG, 0x20, 2.1f},
        {NEWER_FLAG, 0x40, 2.1f},    {NEWER_FLAG, 0x80, 2.1f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        mmd_model model;
        sample_newer(&model, cases[i].part, cases[i].flag);
        assert_true(written_version(&model) == cases[i].version);
        model.origin = MMD_ORIGIN_PMD;
        assert_true(written_version(&model) == cases[i].version);
        mmd_model *read = through_a_file(&model);
        assert_int_equal(read->broken_reference_count, 0);
        mmd_model_destroy(read);
    }
}

static void pmx_2_0_file_with_parts_of_2_1_keeps_its_bytes(void **state)
{
    (void)state;
    for (newer_part part = NEWER_FLIP; part <= NEWER_FLAG; part++) {
        mmd_model model;
        sample_newer(&model, part, part == NEWER_FLAG ? 0xe0 : 0);
        model.layout.no_soft_bodies = true;
        mmd_buffer file = written(&model);
        sample_finish(&model);
        const float old = 2.0f;
        memcpy(file.data + 4, &old, sizeof old);
        mmd_model *read = must_read(file.data, file.size);
        mmd_buffer again = written(read);
        assert_int_equal(again.size, file.size);
        assert_memory_equal(again.data, file.data, file.size);
        /* Soft bodies are not part of version 2.0. */
        mmd_model newer;
        sample_tiny(&newer, 2.1f);
        read->soft_bodies = newer.soft_bodies;
        read->soft_body_count = newer.soft_body_count;
        assert_true(written_version(read) == 2.1f);
        sample_finish(&newer);
        mmd_buffer_finish(&again);
        mmd_buffer_finish(&file);
        mmd_model_destroy(read);
    }
}

static void pmx_keeps_bytes_behind_the_end(void **state)
{
    (void)state;
    uint8_t longer[sizeof tiny_2_0 + 3];
    memcpy(longer, tiny_2_0, sizeof tiny_2_0);
    memcpy(longer + sizeof tiny_2_0, "end", 3);
    longer[3] = 0xa0; /* the other magic */
    mmd_model *model = must_read(longer, sizeof longer);
    assert_int_equal(model->layout.trailing_size, 3);
    mmd_buffer out = written(model);
    assert_int_equal(out.size, sizeof longer);
    assert_memory_equal(out.data, longer, sizeof longer);
    mmd_buffer_finish(&out);
    mmd_model_destroy(model);
}

/* ---- refused files ---- */

static void refuse(const uint8_t *data, size_t size, mmd_status status, const char *section)
{
    mmd_model *model = (mmd_model *)(uintptr_t)data; /* anything but NULL */
    mmd_error error = {0};
    assert_int_equal(mmd_pmx_read(data, size, &model, &error), status);
    assert_null(model);
    assert_string_equal(error.section, section);
    assert_int_equal(error.code, status);
    assert_true(error.message[0] != 0);
    assert_int_equal(mmd_pmx_read(data, size, &model, NULL), status);
}

static void pmx_refuses_what_cannot_be(void **state)
{
    (void)state;
    static const struct {
        size_t at;
        uint8_t value;
        mmd_status status;
        const char *section;
    } cases[] = {
        {0, 'Q', MMD_ERROR_MAGIC, "header"},        {3, 'x', MMD_ERROR_MAGIC, "header"},
        {7, 0x41, MMD_ERROR_VERSION, "header"},     {8, 7, MMD_ERROR_COUNT, "header"},
        {9, 2, MMD_ERROR_VALUE, "header"},          {10, 5, MMD_ERROR_VALUE, "header"},
        {11, 3, MMD_ERROR_VALUE, "header"},         {12, 0, MMD_ERROR_VALUE, "header"},
        {13, 8, MMD_ERROR_VALUE, "header"},         {14, 255, MMD_ERROR_VALUE, "header"},
        {15, 5, MMD_ERROR_VALUE, "header"},         {16, 3, MMD_ERROR_VALUE, "header"},
        {20, 0x7f, MMD_ERROR_COUNT, "header"},      {20, 0x80, MMD_ERROR_COUNT, "header"},
        {52, 0x7f, MMD_ERROR_COUNT, "vertex"},      {52, 0x80, MMD_ERROR_COUNT, "vertex"},
        {85, 5, MMD_ERROR_VALUE, "vertex 0"},       {161, 255, MMD_ERROR_VALUE, "vertex 2"},
        {167, 4, MMD_ERROR_COUNT, "surface"},       {170, 1, MMD_ERROR_COUNT, "surface"},
        {172, 3, MMD_ERROR_INDEX, "surface 1"},     {177, 1, MMD_ERROR_COUNT, "texture"},
        {181, 1, MMD_ERROR_COUNT, "material"},      {260, 2, MMD_ERROR_VALUE, "material 0"},
        {269, 0x80, MMD_ERROR_COUNT, "material 0"}, {273, 1, MMD_ERROR_COUNT, "bone"},
        {307, 1, MMD_ERROR_COUNT, "morph"},         {321, 11, MMD_ERROR_VALUE, "morph 0"},
        {325, 1, MMD_ERROR_COUNT, "morph 0"},       {342, 1, MMD_ERROR_COUNT, "frame"},
        {346, 1, MMD_ERROR_COUNT, "body"},          {350, 1, MMD_ERROR_COUNT, "joint"},
    };
    uint8_t bytes[sizeof tiny_2_0];
    memcpy(bytes, tiny_2_0, sizeof bytes);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bytes[cases[i].at] = cases[i].value;
        refuse(bytes, sizeof bytes, cases[i].status, cases[i].section);
        bytes[cases[i].at] = tiny_2_0[cases[i].at];
    }
    memcpy(bytes, "Pmx ", 4);
    refuse(bytes, sizeof bytes, MMD_ERROR_VERSION, "header");
}

static void pmx_rejects_every_truncation(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof tiny_2_0; size++) {
        mmd_model *model = NULL;
        mmd_error error = {0};
        mmd_status status = mmd_pmx_read(tiny_2_0, size, &model, &error);
        assert_true(status == MMD_ERROR_TRUNCATED || status == MMD_ERROR_COUNT);
        assert_null(model);
        assert_true(error.offset <= size);
    }
}

static void pmx_refuses_more_ik_links_than_bones(void **state)
{
    (void)state;
    mmd_model model;
    sample_tiny(&model, 2.0f);
    const mmd_ik_link links[2] = {{.bone = 0}, {.bone = 0}};
    model.bones[0].flags |= MMD_BONE_IK;
    model.bones[0].ik_links = links;
    model.bones[0].ik_link_count = 2;
    mmd_buffer out = written(&model);
    refuse(out.data, out.size, MMD_ERROR_COUNT, "bone 0");
    mmd_buffer_finish(&out);
    sample_finish(&model);
}

static void pmx_refuses_an_unknown_frame_item(void **state)
{
    (void)state;
    mmd_model model;
    sample_tiny(&model, 2.0f);
    mmd_frame_item item = {.kind = 2};
    mmd_display_frame frame = {.name = "", .name_en = "", .count = 1, .items = &item};
    model.frame_count = 1;
    model.frames = &frame;
    mmd_buffer out = written(&model);
    refuse(out.data, out.size, MMD_ERROR_VALUE, "frame 0");
    mmd_buffer_finish(&out);
    sample_finish(&model);
}

/* ---- repairs ---- */

static void assert_broken(const mmd_model *model, const char *section, uint32_t item, const char *field,
                          int64_t value)
{
    for (uint32_t i = 0; i < model->broken_reference_listed; i++) {
        const mmd_broken_reference *broken = &model->broken_references[i];
        if (strcmp(broken->section, section) == 0 && broken->item == item &&
            strcmp(broken->field, field) == 0 && broken->value == value)
            return;
    }
    fail_msg("%s %u %s %lld is not listed", section, item, field, (long long)value);
}

static void pmx_mends_broken_references_of_meshes(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 1, 1);
    model.vertices.bone[2][3] = 99;
    model.materials[0].texture = 33;
    model.materials[1].sphere = -2;
    model.materials[2].toon = 44;
    model.materials[3].toon = 10;
    model.materials[2].index_count = 300;
    mmd_model *read = through_a_file(&model);
    assert_int_equal(read->vertices.bone[2][3], -1);
    assert_int_equal(read->materials[0].texture, -1);
    assert_int_equal(read->materials[1].sphere, -1);
    assert_int_equal(read->materials[2].toon, -1);
    assert_int_equal(read->materials[3].toon, -1);
    assert_false(read->materials[3].shared_toon);
    assert_int_equal(read->materials[2].index_count, 6);
    assert_int_equal(read->materials[3].index_count, 0);
    assert_int_equal(read->materials[3].first_index, 12);
    assert_broken(read, "vertex", 2, "bone", 99);
    assert_broken(read, "material", 0, "texture", 33);
    assert_broken(read, "material", 1, "sphere", -2);
    assert_broken(read, "material", 2, "toon", 44);
    assert_broken(read, "material", 3, "shared toon", 10);
    assert_broken(read, "material", 2, "index count", 300);
    assert_broken(read, "material", 3, "index count", 3);
    assert_int_equal(read->broken_reference_count, 7);
    mmd_model_destroy(read);
}

static void pmx_lists_surface_without_material(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 1, 1);
    model.materials[3].index_count = 0;
    mmd_model *read = through_a_file(&model);
    assert_broken(read, "surface", 9, "material", -1);
    assert_int_equal(read->broken_reference_count, 1);
    mmd_model_destroy(read);
}

static void pmx_mends_broken_references_of_bones(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 1, 1);
    model.bones[1].parent = 50;
    model.bones[1].tail_bone = 51;
    model.bones[5].append_source = 52;
    model.bones[4].ik_target = 53;
    ((mmd_ik_link *)(uintptr_t)model.bones[4].ik_links)[1].bone = 54;
    mmd_model *read = through_a_file(&model);
    assert_int_equal(read->bones[1].parent, -1);
    assert_int_equal(read->bones[1].tail_bone, -1);
    assert_int_equal(read->bones[5].append_source, -1);
    assert_int_equal(read->bones[4].ik_target, -1);
    assert_int_equal(read->bones[4].ik_links[1].bone, -1);
    assert_broken(read, "bone", 1, "parent", 50);
    assert_broken(read, "bone", 1, "tail", 51);
    assert_broken(read, "bone", 5, "append source", 52);
    assert_broken(read, "bone", 4, "IK target", 53);
    assert_broken(read, "bone", 4, "IK link", 54);
    assert_int_equal(read->broken_reference_count, 5);
    mmd_model_destroy(read);
}

static void pmx_mends_broken_references_of_morphs(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 1, 1);
    ((mmd_group_offset *)(uintptr_t)model.morphs[0].offsets.group)[0].morph = 60;
    ((mmd_vertex_offset *)(uintptr_t)model.morphs[1].offsets.vertex)[1].vertex = 61;
    ((mmd_bone_offset *)(uintptr_t)model.morphs[2].offsets.bone)[0].bone = 62;
    ((mmd_uv_offset *)(uintptr_t)model.morphs[3].offsets.uv)[0].vertex = 63;
    ((mmd_material_offset *)(uintptr_t)model.morphs[8].offsets.material)[1].material = 64;
    ((mmd_impulse_offset *)(uintptr_t)model.morphs[10].offsets.impulse)[0].body = 65;
    model.morphs[4].panel = 9;
    mmd_model *read = through_a_file(&model);
    assert_int_equal(read->morphs[0].offsets.group[0].morph, -1);
    assert_int_equal(read->morphs[1].count, 2);
    assert_int_equal(read->morphs[1].offsets.vertex[0].vertex, 5);
    assert_int_equal(read->morphs[1].offsets.vertex[1].vertex, 3);
    assert_int_equal(read->morphs[2].offsets.bone[0].bone, -1);
    assert_int_equal(read->morphs[3].count, 0);
    /* Not -1, which would mean all materials. */
    assert_int_equal(read->morphs[8].count, 1);
    assert_int_equal(read->morphs[10].offsets.impulse[0].body, -1);
    assert_int_equal(read->morphs[4].panel, 4);
    assert_broken(read, "morph", 0, "morph", 60);
    assert_broken(read, "morph", 1, "vertex", 61);
    assert_broken(read, "morph", 2, "bone", 62);
    assert_broken(read, "morph", 3, "vertex", 63);
    assert_broken(read, "morph", 8, "material", 64);
    assert_broken(read, "morph", 10, "body", 65);
    assert_broken(read, "morph", 4, "panel", 9);
    assert_int_equal(read->broken_reference_count, 7);
    mmd_model_destroy(read);
}

static void pmx_mends_broken_references_of_physics(void **state)
{
    (void)state;
    mmd_model model;
    sample_everything(&model, 1, 1);
    ((mmd_frame_item *)(uintptr_t)model.frames[0].items)[0].index = 70;
    ((mmd_frame_item *)(uintptr_t)model.frames[1].items)[1].index = 71;
    model.bodies[1].bone = 72;
    model.bodies[2].group = 16;
    model.bodies[2].shape = 3;
    model.bodies[0].mode = 3;
    model.joints[0].body_a = 73;
    model.joints[1].body_b = 74;
    model.joints[2].kind = 6;
    model.soft_bodies[1].material = 75;
    ((mmd_soft_anchor *)(uintptr_t)model.soft_bodies[1].anchors)[1].vertex = 76;
    ((int32_t *)(uintptr_t)model.soft_bodies[0].pins)[0] = 77;
    mmd_model *read = through_a_file(&model);
    assert_int_equal(read->frames[0].items[0].index, -1);
    assert_int_equal(read->frames[1].items[1].index, -1);
    assert_int_equal(read->bodies[1].bone, -1);
    assert_int_equal(read->bodies[2].group, 0);
    assert_int_equal(read->bodies[2].shape, 0);
    assert_int_equal(read->bodies[0].mode, 0);
    assert_int_equal(read->joints[0].body_a, -1);
    assert_int_equal(read->joints[1].body_b, -1);
    assert_int_equal(read->joints[2].kind, 0);
    assert_int_equal(read->soft_bodies[1].material, -1);
    assert_int_equal(read->soft_bodies[1].anchors[1].vertex, -1);
    assert_int_equal(read->soft_bodies[0].pins[0], -1);
    assert_broken(read, "frame", 0, "bone", 70);
    assert_broken(read, "frame", 1, "morph", 71);
    assert_broken(read, "body", 1, "bone", 72);
    assert_broken(read, "body", 2, "group", 16);
    assert_broken(read, "joint", 0, "body A", 73);
    assert_broken(read, "joint", 1, "body B", 74);
    assert_broken(read, "soft body", 1, "anchor vertex", 76);
    assert_int_equal(read->broken_reference_count, 12);
    mmd_model_destroy(read);
}

static void pmx_opens_circles_of_parents(void **state)
{
    (void)state;
    mmd_model model;
    sample_chain(&model, 6, 3);
    model.bones[0].parent = 2; /* 0 -> 2 -> 1 -> 0 */
    model.bones[4].parent = 4;
    mmd_model *read = through_a_file(&model);
    int32_t open = 0;
    for (uint32_t i = 0; i < 3; i++)
        open += read->bones[i].parent < 0;
    assert_int_equal(open, 1);
    assert_int_equal(read->bones[4].parent, -1);
    assert_int_equal(read->bones[3].parent, 2);
    assert_int_equal(read->broken_reference_count, 2);
    assert_broken(read, "bone", 4, "parent", 4);
    mmd_model_destroy(read);
}

static void pmx_list_of_broken_references_is_bounded(void **state)
{
    (void)state;
    mmd_model model;
    sample_chain(&model, 1, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        model.vertices.bone[i][0] = 5;
    mmd_model *read = through_a_file(&model);
    assert_int_equal(read->broken_reference_count, 1000);
    assert_int_equal(read->broken_reference_listed, MMD_BROKEN_REFERENCE_MAX);
    mmd_model_destroy(read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pmx_round_trips_every_shared_file),
        cmocka_unit_test(pmx_keeps_every_feature),
        cmocka_unit_test(pmx_chooses_the_smallest_indices),
        cmocka_unit_test(pmx_widens_indices_that_no_longer_fit),
        cmocka_unit_test(pmx_2_0_bytes_are_frozen),
        cmocka_unit_test(pmx_2_1_bytes_are_frozen),
        cmocka_unit_test(pmx_2_1_may_end_after_joints),
        cmocka_unit_test(pmx_version_of_a_made_model_follows_its_contents),
        cmocka_unit_test(pmx_2_0_file_with_parts_of_2_1_keeps_its_bytes),
        cmocka_unit_test(pmx_keeps_bytes_behind_the_end),
        cmocka_unit_test(pmx_refuses_what_cannot_be),
        cmocka_unit_test(pmx_rejects_every_truncation),
        cmocka_unit_test(pmx_refuses_more_ik_links_than_bones),
        cmocka_unit_test(pmx_refuses_an_unknown_frame_item),
        cmocka_unit_test(pmx_mends_broken_references_of_meshes),
        cmocka_unit_test(pmx_lists_surface_without_material),
        cmocka_unit_test(pmx_mends_broken_references_of_bones),
        cmocka_unit_test(pmx_mends_broken_references_of_morphs),
        cmocka_unit_test(pmx_mends_broken_references_of_physics),
        cmocka_unit_test(pmx_opens_circles_of_parents),
        cmocka_unit_test(pmx_list_of_broken_references_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
