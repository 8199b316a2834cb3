/* MMD's projects: reading to the last byte, writing back, creating, repairing, converting to motions. */
#include "sample_models.h"
#include "sample_motions.h"
#include "sample_projects.h"
#include "support.h"

#include "mmd/format.h"
#include "mmd/text.h"

#define SHARED_PMM "data/small/ik_multi_bone_from_pmx_vmd.pmm"

/* Offsets in the shared file. */
enum {
    AT_FIRST_BONE_KEYS = 0x1c1, /* three records of 58 bytes */
    AT_BONE_RECORDS = 0x273,    /* two of 62: numbers 3 and 4 */
    AT_PATH = 0x70,
    AT_NEXT = 8,
    TRAILING = 30
};

static mmd_project *read_project(const void *data, size_t size)
{
    mmd_project *project = NULL;
    mmd_error error = {0};
    if (mmd_pmm_read(data, size, &project, &error) != MMD_OK)
        fail_msg("%s at %llu: %s", error.section, (unsigned long long)error.offset, error.message);
    assert_true(project->arena.used <= MMD_PROJECT_MEMORY_FACTOR * size + MMD_PROJECT_MEMORY_EXTRA);
    return project;
}

static void assert_writes(const mmd_project *project, const void *data, size_t size)
{
    mmd_buffer out = {0};
    write_project(project, &out);
    assert_int_equal(out.size, size);
    assert_memory_equal(out.data, data, size);
    mmd_buffer_finish(&out);
}

/* ---- the shared file ---- */

static void check_shared_model(const mmd_project_model *model)
{
    static const char *const names[3] = {"link_root", "effector", "ik_controller"};
    assert_string_equal(model->name.text, "ik_multi_axis_limit_fixture");
    assert_string_equal(model->path.text, "..\\pmx\\ik_multi_axis_limit.pmx");
    assert_int_equal(model->bone_count, 3);
    for (int i = 0; i < 3; i++)
        assert_string_equal(model->bones[i].name.text, names[i]);
    assert_int_equal(model->morph_count, 0);
    assert_int_equal(model->last_frame, 30);
    assert_int_equal(model->bones[0].key_count, 2);
    assert_int_equal(model->bones[1].key_count, 2);
    assert_int_equal(model->bones[2].key_count, 1);
    const mmd_project_bone_key *key = &model->bones[0].keys[1];
    assert_int_equal(key->at.frame, 15);
    assert_int_equal(key->at.number, 3);
    assert_float_equal(key->translation[0], 0.05f, 0.0);
    for (int i = 0; i < 4; i++)
        assert_true(key->curves[i].x1 == 40 * i + 10 && key->curves[i].y1 == 40 * i + 20 &&
                    key->curves[i].x2 == 40 * i + 30 && key->curves[i].y2 == 40 * i + 40);
    assert_int_equal(model->bones[1].keys[1].at.frame, 30);
    assert_float_equal(model->bones[1].keys[1].translation[1], 0.1f, 0.0);
    assert_int_equal(model->config_count, 1);
    assert_float_equal(model->edge_width, 1.0f, 0.0);
}

static void pmm_reads_the_shared_file_to_its_last_byte(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_bytes bytes = shared_read(SHARED_PMM);
    assert_int_equal(mmd_file_detect(bytes.data, bytes.size), MMD_FILE_PMM);
    mmd_project *p = read_project(bytes.data, bytes.size);
    assert_int_equal(p->repair_count, 0);
    assert_true(p->view_width == 1024 && p->view_height == 1024 && p->pane_width == 30);
    assert_int_equal(p->model_count, 1);
    check_shared_model(&p->models[0]);
    assert_float_equal(p->camera_keys[0].distance, 45.0f, 0.0);
    assert_int_equal(p->camera_keys[0].fov, 30);
    assert_float_equal(p->light_keys[0].color[0], 0.602f, 0.0);
    assert_true(p->frame == 0 && p->frame_thumb == 30 && p->from == 500 && p->to == 0);
    assert_float_equal(p->fps_limit, 60.0f, 0.0);
    assert_int_equal(p->physics_mode, MMD_PROJECT_PHYSICS_SWITCHED);
    assert_float_equal(p->gravity.acceleration, 9.8f, 0.0);
    assert_int_equal(p->gravity_keys[0].noise, 10);
    assert_float_equal(p->shadow_keys[0].distance, 0.01125f, 0.0);
    assert_int_equal(p->camera_follow.model, -1);
    assert_int_equal(p->physics_ground, 1);
    assert_int_equal(p->selectors_on, 1);
    assert_int_equal(p->trailing_size, TRAILING + 1);
    assert_string_equal((const char *)p->trailing, "..\\pmx\\ik_multi_axis_limit.pmx");
    print_message("%zu bytes read, %zu of memory\n", bytes.size, p->arena.used);
    mmd_project_destroy(p);
    mmd_bytes_finish(&bytes);
}

static void pmm_writes_the_shared_file_with_the_same_bytes(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_bytes bytes = shared_read(SHARED_PMM);
    mmd_project *p = read_project(bytes.data, bytes.size);
    assert_writes(p, bytes.data, bytes.size);
    mmd_project_destroy(p);
    /* Bytes behind a path's terminator are retained until the path changes. */
    bytes.data[AT_PATH + 200] = 0xCD;
    p = read_project(bytes.data, bytes.size);
    assert_writes(p, bytes.data, bytes.size);
    p->models[0].path.text = "..\\pmx\\other.pmx";
    mmd_buffer out = {0};
    write_project(p, &out);
    assert_int_equal(out.size, bytes.size);
    assert_string_equal((const char *)out.data + AT_PATH, "..\\pmx\\other.pmx");
    assert_int_equal(out.data[AT_PATH + 200], 0);
    mmd_buffer_finish(&out);
    mmd_project_destroy(p);
    mmd_bytes_finish(&bytes);
}

static void pmm_may_end_before_the_selectors(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_bytes bytes = shared_read(SHARED_PMM);
    size_t old = bytes.size - (TRAILING + 1) - 6;
    mmd_project *p = read_project(bytes.data, old);
    assert_false(p->has_selectors);
    assert_writes(p, bytes.data, old);
    mmd_project_destroy(p);
    mmd_bytes_finish(&bytes);
}

/* ---- made projects ---- */

static void pmm_made_project_reads_back_equal(void **state)
{
    (void)state;
    mmd_project *made = sample_project(), *read;
    mmd_buffer out = {0};
    write_project(made, &out);
    read = read_project(out.data, out.size);
    assert_int_equal(read->repair_count, 0);
    compare_projects(made, read);
    assert_writes(read, out.data, out.size);
    mmd_project_destroy(read);
    mmd_project_destroy(made);
    mmd_buffer_finish(&out);
}

static void pmm_empty_project_reads_back_equal(void **state)
{
    (void)state;
    mmd_project *made = mmd_project_create(), *read;
    mmd_buffer out = {0};
    assert_non_null(made);
    assert_int_equal(made->camera_count, 1);
    assert_float_equal(made->camera.target[1], 10.0f, 0);
    assert_float_equal(made->camera.eye[1], 0.0f, 0);
    assert_float_equal(made->camera.eye[2], -45.0f, 0);
    write_project(made, &out);
    read = read_project(out.data, out.size);
    compare_projects(made, read);
    mmd_project_destroy(read);
    mmd_project_destroy(made);
    mmd_buffer_finish(&out);
}

/* Numbers have gaps, and records are in another order than the keyframes, as after editing in MMD. */
static void pmm_keeps_numbers_and_order_of_records(void **state)
{
    (void)state;
    mmd_project *made = sample_project(), *read;
    mmd_project_bone *bones = made->models[0].bones;
    mmd_buffer out = {0}, again = {0};
    for (uint32_t b = 0; b < 2; b++)
        for (uint32_t k = 1; k < bones[b].key_count; k++) {
            bones[b].keys[k].at.number = (int32_t)(900 - 100 * b + 7 * k);
            bones[b].keys[k].at.record = (k * 5 + b) % 7;
        }
    made->camera_keys[1].at.number = 2;
    made->camera_keys[2].at.number = 1;
    write_project(made, &out);
    read = read_project(out.data, out.size);
    assert_int_equal(read->repair_count, 0);
    compare_projects(made, read);
    bones = read->models[0].bones;
    assert_int_equal(bones[0].keys[1].at.number, 907);
    assert_int_equal(bones[1].keys[1].at.number, 807);
    assert_int_equal(read->camera_keys[1].at.number, 2);
    assert_writes(read, out.data, out.size);
    /* A duplicate number: all are assigned anew. */
    bones[1].keys[1].at.number = 907;
    write_project(read, &again);
    mmd_project_destroy(read);
    read = read_project(again.data, again.size);
    compare_projects(made, read);
    assert_int_equal(read->repair_count, 0);
    mmd_project_destroy(read);
    mmd_project_destroy(made);
    mmd_buffer_finish(&out);
    mmd_buffer_finish(&again);
}

/* ---- version 0001 ---- */

/* Reads every field of a file made by a writer independent of the reader. The engine's writer gives the same
 * bytes. */
static void pmm_1_reads_every_field(void **state)
{
    (void)state;
    /* the ends as MikuMiku.PMM knows it, as nanoem knows it, as MMD 8.11 writes it, and two of MMD 7 */
    for (int end = 0; end < 5; end++) {
        mmd_project *made = sample_project(), *read;
        mmd_buffer out = {0};
        made->models[0].bones[1].unknown[2] = 7;
        made->end_1 = (uint8_t)end;
        if (end != 1)
            made->trailing_size = 0;
        for (uint8_t i = 0; i < sizeof made->unknown_1; i++)
            made->unknown_1[i] = i;
        write_project_1(made, &out);
        read = read_project(out.data, out.size);
        assert_int_equal(mmd_project_version(read), 1);
        assert_int_equal(read->repair_count, 0);
        strip_to_version_1(made);
        compare_projects(made, read);
        assert_string_equal(read->models[2].list_name.text, "見本");
        assert_writes(read, out.data, out.size);
        mmd_project_destroy(read);
        mmd_project_destroy(made);
        mmd_buffer_finish(&out);
    }
}

static void assert_counts(const mmd_project *p, uint32_t model, uint32_t bones, uint32_t morphs, uint32_t ik)
{
    assert_int_equal(p->models[model].bone_count, bones);
    assert_int_equal(p->models[model].morph_count, morphs);
    assert_int_equal(p->models[model].ik_count, ik);
}

/* The reader finds the numbers that the file omits, even with little information. */
static void pmm_1_finds_how_many_bones_morphs_and_ik_there_are(void **state)
{
    (void)state;
    for (uint32_t mask = 0; mask < 64; mask++) {
        mmd_project *made = sample_project(), *read;
        mmd_buffer out = {0};
        for (uint32_t i = 0; i < 3; i++) {
            mmd_project_model *m = &made->models[i];
            m->bone_count = mask & 1 ? m->bone_count : i & 1;
            m->morph_count = mask & 2 ? m->morph_count : i;
            m->ik_count = mask & 4 ? m->ik_count : 0;
            m->config_count = mask & 8 ? m->config_count : 1;
            m->configs[0].visible = mask >> 4 & 1;
            if (m->ik_count)
                m->configs[0].ik[0] = mask >> 5 & 1;
        }
        write_project_1(made, &out);
        read = read_project(out.data, out.size);
        for (uint32_t i = 0; i < 3; i++)
            assert_counts(read, i, made->models[i].bone_count, made->models[i].morph_count,
                          made->models[i].ik_count);
        assert_writes(read, out.data, out.size);
        mmd_project_destroy(read);
        mmd_project_destroy(made);
        mmd_buffer_finish(&out);
    }
}

/* The PMD has a `base` morph and two IK entries of one bone. */
static void pmm_1_takes_names_from_its_models(void **state)
{
    (void)state;
    mmd_buffer pmd = {0}, out = {0};
    mmd_model *model = NULL;
    mmd_error error = {0};
    sample_pmd(&pmd, 4);
    assert_int_equal(mmd_model_read(pmd.data, pmd.size, &model, NULL), MMD_OK);
    assert_int_equal(model->pmd_ik_count, 2);
    assert_true(model->pmd_ik_bones[0] == 6 && model->pmd_ik_bones[1] == 6);
    mmd_project *made = mmd_project_create(), *p;
    assert_int_equal(mmd_project_add_model(made, model, NULL, "a.pmd", NULL), MMD_OK);
    mmd_project_model *m = &made->models[0];
    uint8_t ik[2] = {1, 0};
    m->ik_count = 2; /* MMD counts the IK entries of the file, not the bones */
    m->ik = m->configs[0].ik = ik;
    m->bones[0].keys[0].translation[1] = 3;
    m->morphs[1].keys[0].weight = 0.5f;
    write_project_1(made, &out);
    p = read_project(out.data, out.size);
    assert_counts(p, 0, m->bone_count, model->morph_count + 1, 2);
    assert_int_equal(mmd_project_set_names(p, 0, model, &error), MMD_OK);
    assert_string_equal(p->models[0].bones[6].name.text, model->bones[6].name);
    assert_string_equal(p->models[0].morphs[0].name.text, "base");
    assert_string_equal(p->models[0].morphs[1].name.text, model->morphs[0].name);
    assert_int_equal(p->models[0].ik_bones[1], 6);
    mmd_motion *motion = mmd_project_model_motion(&p->models[0]);
    assert_true(motion->bone_track_count == 1 && motion->morph_track_count == 1);
    assert_int_equal(motion->property_key_count, 1);
    mmd_motion_destroy(motion);
    mmd_project_destroy(p);

    /* With another version of the model, matching bones get names and the others are not animated. */
    p = read_project(out.data, out.size);
    model->morph_count--;
    model->pmd_ik_count--;
    assert_int_equal(mmd_project_set_names(p, 0, model, &error), MMD_ERROR_COUNT);
    assert_non_null(strstr(error.message, "keys for"));
    motion = mmd_project_model_motion(&p->models[0]);
    assert_true(motion->bone_track_count == 1 && motion->morph_track_count == 0);
    mmd_motion_destroy(motion);
    mmd_project_destroy(p);
    mmd_project_destroy(made);
    mmd_model_destroy(model);
    mmd_buffer_finish(&pmd);
    mmd_buffer_finish(&out);
}

static void expect_error(const void *data, size_t size, mmd_status status);

/* The list before the models has their names in the language of MMD's menus. */
static void pmm_1_takes_a_list_of_english_names(void **state)
{
    (void)state;
    mmd_project *made = sample_project();
    mmd_buffer out = {0};
    made->trailing_size = 0;
    write_project_1(made, &out);
    enum { LIST = 30 + 12 + 4 + 1 + 5 + 1 + 1 };
    for (uint32_t i = 0; i < made->model_count; i++)
        memcpy(out.data + LIST + 20 * i, "English name\0\xFD\xFD", 15);
    mmd_project *read = read_project(out.data, out.size);
    assert_string_equal(read->models[1].list_name.text, "English name");
    assert_string_equal(read->models[1].name.text, made->models[1].name.text);
    for (uint32_t i = 0; i < made->model_count; i++)
        assert_int_equal(read->models[i].bone_count, made->models[i].bone_count);
    assert_writes(read, out.data, out.size);
    mmd_project_destroy(read);
    mmd_project_destroy(made);
    mmd_buffer_finish(&out);
}

static void pmm_1_rejects_what_fits_no_numbers(void **state)
{
    (void)state;
    enum { FIRST_KEY = 423 };
    mmd_project *made = sample_project(), *p = NULL;
    mmd_error error = {0};
    mmd_buffer out = {0};
    write_project_1(made, &out);
    size_t path = 300; /* behind that of the first model */
    while (memcmp(out.data + path, "C:\\", 3) != 0)
        path++;
    out.data[path - 21] ^= 4; /* the second model's number */
    assert_int_equal(mmd_pmm_read(out.data, out.size, &p, &error), MMD_ERROR_COUNT);
    assert_string_equal(error.section, "model 0");
    assert_non_null(strstr(error.message, "damaged or cut short"));
    assert_int_equal(error.offset, FIRST_KEY);
    out.size = 600;
    expect_error(out.data, out.size, MMD_ERROR_COUNT);
    expect_error(out.data, 40, MMD_ERROR_TRUNCATED);
    memset(out.data + 300, 0, 300);
    expect_error(out.data, out.size, MMD_ERROR_COUNT);
    mmd_buffer_finish(&out);
    mmd_project_destroy(made);
}

/* ---- errors in files ---- */

/* Reads the shared file with a changed 32-bit number. Requires a repair with this message, and that the
 * written file needs no repair. */
static mmd_project *read_changed(size_t at, uint32_t value, const char *what, mmd_buffer *out)
{
    mmd_bytes bytes = shared_read(SHARED_PMM);
    memcpy(bytes.data + at, &value, sizeof value);
    mmd_project *p = read_project(bytes.data, bytes.size), *again;
    mmd_bytes_finish(&bytes);
    bool said = false;
    for (uint32_t i = 0; i < p->repair_listed; i++)
        said |= strstr(p->repairs[i].what, what) && !strcmp(p->repairs[i].section, "bone key") &&
                p->repairs[i].model == 0;
    assert_true(said);
    *out = (mmd_buffer){0};
    write_project(p, out);
    again = read_project(out->data, out->size);
    assert_int_equal(again->repair_count, 0);
    compare_projects(p, again);
    mmd_project_destroy(again);
    mmd_buffer_finish(out);
    return p;
}

static void pmm_mends_broken_chains(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    static const struct {
        size_t at;
        uint32_t value;
        const char *what;
        uint32_t counts[3];
    } cases[] = {
        {AT_FIRST_BONE_KEYS + AT_NEXT, 99, "nowhere", {1, 2, 1}},
        {AT_FIRST_BONE_KEYS + AT_NEXT, 2, "nowhere", {1, 2, 1}},
        {AT_FIRST_BONE_KEYS + AT_NEXT, UINT32_MAX, "nowhere", {1, 2, 1}},
        {AT_FIRST_BONE_KEYS + AT_NEXT, 0, "no chain reaches", {1, 2, 1}},
        {AT_BONE_RECORDS + 4 + AT_NEXT, 3, "runs into", {2, 2, 1}},
        {AT_BONE_RECORDS + 4 + AT_NEXT, 4, "runs into", {3, 1, 1}},
        {AT_BONE_RECORDS + 4 + 4, 1, "links back", {2, 2, 1}},
        {AT_BONE_RECORDS, 4, "no chain reaches", {1, 2, 1}},
        {AT_FIRST_BONE_KEYS, 20, "order of their frames", {2, 2, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mmd_buffer out;
        mmd_project *p = read_changed(cases[i].at, cases[i].value, cases[i].what, &out);
        for (int k = 0; k < 3; k++)
            assert_int_equal(p->models[0].bones[k].key_count, cases[i].counts[k]);
        mmd_project_destroy(p);
    }
}

/* MMD leaves a number in the link back of the first key of list 0, which has no key before it. */
static void pmm_takes_a_first_link_back_of_mmd(void **state)
{
    (void)state;
    enum { LINK_BACK = 4 };
    mmd_project *made = sample_project();
    mmd_buffer out = {0};
    const mmd_project_bone_key *key = &made->models[0].bones[0].keys[0];
    uint8_t links[12 + sizeof key->curves] = {0};
    write_project(made, &out);
    /* The first record: frame 0, no link back, number of the next one, curves. */
    links[8] = (uint8_t)made->models[0].bone_count;
    memcpy(links + 12, key->curves, sizeof key->curves);
    size_t at = 0;
    while (at + sizeof links < out.size && memcmp(out.data + at, links, sizeof links) != 0)
        at++;
    assert_true(at + sizeof links < out.size);
    out.data[at + LINK_BACK] = 63;
    mmd_project *read = read_project(out.data, out.size);
    assert_int_equal(read->repair_count, 0);
    assert_int_equal(read->models[0].bones[0].key_count, made->models[0].bones[0].key_count);
    assert_writes(read, out.data, out.size);
    mmd_project_destroy(read);
    out.data[at + LINK_BACK + 3] = 0x80; /* MMD does not write negative ones */
    read = read_project(out.data, out.size);
    assert_int_equal(read->repair_count, 1);
    mmd_project_destroy(read);
    mmd_project_destroy(made);
    mmd_buffer_finish(&out);
}

static void expect_error(const void *data, size_t size, mmd_status status)
{
    mmd_project *project = NULL;
    mmd_error error = {0};
    assert_int_equal(mmd_pmm_read(data, size, &project, &error), status);
    assert_null(project);
    assert_true(error.section[0] && error.message[0]);
}

static void pmm_rejects_what_it_does_not_know(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    mmd_bytes bytes = shared_read(SHARED_PMM);
    expect_error(NULL, 0, MMD_ERROR_MAGIC);
    expect_error("Vocaloid Motion Data 0002", 25, MMD_ERROR_MAGIC);
    expect_error(bytes.data, 29, MMD_ERROR_TRUNCATED);
    expect_error(bytes.data, bytes.size - TRAILING - 2, MMD_ERROR_TRUNCATED);
    bytes.data[23] = '3';
    expect_error(bytes.data, bytes.size, MMD_ERROR_VERSION);
    bytes.data[23] = '2';
    bytes.data[AT_FIRST_BONE_KEYS + 3] = 0x80;
    expect_error(bytes.data, bytes.size, MMD_ERROR_VALUE);
    bytes.data[AT_FIRST_BONE_KEYS + 3] = 0;
    bytes.data[AT_BONE_RECORDS - 1] = 0x7f;
    expect_error(bytes.data, bytes.size, MMD_ERROR_COUNT);
    mmd_bytes_finish(&bytes);
}

/* ---- adding as MMD does ---- */

static void pmm_adds_a_model_as_mmd_loads_it(void **state)
{
    (void)state;
    mmd_project *p = sample_project();
    const mmd_project_model *m = &p->models[0];
    assert_string_equal(m->path.text, "C:\\MMD\\UserFile\\Model\\見本.pmx");
    assert_int_equal(m->bones[SAMPLE_CENTER].key_count, 3);
    /* Its first keyframe is at frame 1, so a keyframe at rest is inserted before it. */
    assert_int_equal(m->bones[SAMPLE_ARM].key_count, 4);
    assert_float_equal(m->bones[SAMPLE_ARM].keys[0].rotation[3], 1.0f, 0.0);
    assert_int_equal(m->bones[SAMPLE_ARM].keys[1].at.frame, 1);
    assert_int_equal(m->bones[SAMPLE_ARM].keys[2].physics_off, 1);
    /* Of bones with the same name only the first gets keyframes; morphs with the same name all do. */
    assert_int_equal(m->bones[SAMPLE_SECOND_ARM].key_count, 1);
    assert_int_equal(m->morphs[1].key_count, 2);
    assert_int_equal(m->morphs[2].key_count, 2);
    /* 19 bytes: nine characters, and half of one, which is not shown. */
    assert_string_equal(m->bones[SAMPLE_LONG].name.text, "とても長い名前のボ");
    assert_true(m->ik_count == 2 && m->ik_bones[0] == SAMPLE_IK_LEFT && m->ik_bones[1] == SAMPLE_IK_RIGHT);
    const int32_t parents[4] = {-1, SAMPLE_IK_LEFT, SAMPLE_IK_RIGHT, SAMPLE_LONG};
    assert_int_equal(m->parent_count, 4);
    assert_memory_equal(m->parent_bones, parents, sizeof parents);
    assert_int_equal(m->config_count, 2);
    assert_true(m->configs[0].visible && m->configs[0].ik[0] == 1 && m->configs[0].ik[1] == 0);
    assert_true(!m->configs[1].visible && m->configs[1].ik[0] == 0 && m->configs[1].ik[1] == 0);
    assert_int_equal(m->last_frame, 21);
    /* A PMD's morphs begin with the base. */
    assert_int_equal(p->models[2].morph_count, 4);
    assert_string_equal(p->models[2].morphs[0].name.text, "base");
    assert_true(p->models[2].number == 2 && p->models[1].draw_order == 2 && p->models[1].calc_order == 2);
    mmd_project_destroy(p);
}

/* Expected names are those of MMD 9.31, from what it saved (docs/mmd.md 1.5). */
static void pmm_keeps_names_as_mmd_does(void **state)
{
    (void)state;
    static const struct {
        const char *given, *kept;
    } cases[] = {
        {"下巴", "下巴"},
        {"①髙ﾈ～∥", "①髙ﾈ～∥"},
        {"头", ""},
        {"a头b", ""},
        {"😀", ""},
        {"\xFF", ""},
        {"〜波", ""},
        {"a\u00A0b", ""},
        {"¤", ""},
        {"é", "e"},
        {"ß", "s"},
        {"ÿ", "y"},
        {"À", "A"},
        {"¥¦¡", "\\|!"},
        {"§×÷°", "§×÷°"},
        {"¢¬·»", "￠￢・≫"},
        {"ゔ", "ヴ"},
        {"", "Null_12"}, /* after those of the model and English names of ten bones */
        {"", "Null_13"},
        {"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrs"},
        {"漢字漢字漢字漢字漢字",
         "漢字漢字漢字漢字漢"},         /* the 19th byte is half a character, which is not shown */
        {"aaaaaaaaaaaaaaaaaaaa头", ""}, /* at byte 20 */
        {"aaaaaaaaaaaaaaaaaaaaa头", "aaaaaaaaaaaaaaaaaaa"},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    mmd_project *p = mmd_project_create();
    mmd_model model = {.name = "", .name_en = "", .comment = "", .comment_en = ""};
    model.bones = mmd_arena_alloc(&model.arena, COUNT, sizeof *model.bones);
    assert_true(p && model.bones);
    model.bone_count = COUNT;
    for (int i = 0; i < COUNT; i++)
        model.bones[i] = (mmd_bone){.name = cases[i].given,
                                    .name_en = i < 10 ? "" : "x",
                                    .parent = -1,
                                    .tail_bone = -1,
                                    .append_source = -1,
                                    .ik_target = -1};
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_model(p, &model, NULL, "m.pmx", NULL), MMD_OK);
    assert_string_equal(p->models[0].name.text, "Null_00");
    assert_string_equal(p->models[0].name_en.text, "Null_01");
    for (int i = 0; i < COUNT; i++)
        assert_string_equal(p->models[0].bones[i].name.text, cases[i].kept);
    mmd_buffer out = {0};
    write_project(p, &out);
    mmd_project *read = read_project(out.data, out.size);
    assert_int_equal(read->models[0].bones[20].name.raw_size, 19);
    for (int i = 0; i < COUNT; i++)
        assert_string_equal(read->models[0].bones[i].name.text, cases[i].kept);
    mmd_project_destroy(read);
    mmd_project_destroy(p);
    mmd_arena_finish(&model.arena);
    mmd_buffer_finish(&out);
}

/* The numbers are those of the project that MMD 9.31 saved of this model. */
static void pmm_lists_a_public_model_as_mmd_does(void **state)
{
    (void)state;
    static const int32_t rows[] = {16, 13, 275, 149}; /* outside parents, rows, bones, bones without a name */
    REQUIRE_SHARED();
    mmd_bytes bytes = shared_read("data/models/ganyu/甘雨.pmx");
    mmd_model *model = NULL;
    mmd_project *p = mmd_project_create();
    assert_int_equal(mmd_pmx_read(bytes.data, bytes.size, &model, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_model(p, model, NULL, "m.pmx", NULL), MMD_OK);
    const mmd_project_model *m = &p->models[0];
    int32_t nameless = 0;
    for (uint32_t i = 0; i < m->bone_count; i++)
        nameless += !*m->bones[i].name.text;
    const int32_t made[] = {(int32_t)m->parent_count, m->row_count, (int32_t)m->bone_count, nameless};
    assert_memory_equal(made, rows, sizeof rows);
    assert_string_equal(m->name_en.text, "Null_00");
    /* The model's file has the names. */
    assert_int_equal(mmd_project_set_names(p, 0, model, NULL), MMD_OK);
    for (uint32_t i = 0; i < m->bone_count; i++)
        assert_true(*m->bones[i].name.text);
    mmd_project_destroy(p);
    mmd_model_destroy(model);
    mmd_bytes_finish(&bytes);
}

/* MMD 9.31 was asked for all combinations of these flags. */
static void pmm_lists_the_bones_that_can_have_outside_parents(void **state)
{
    (void)state;
    enum { IK_TARGET = 1, IK_LINK = 2, SEEN = MMD_BONE_MOVABLE | MMD_BONE_VISIBLE, COUNT = 11 };
    static const uint16_t flags[COUNT] = {SEEN,
                                          SEEN,
                                          SEEN | MMD_BONE_IK,
                                          SEEN,
                                          MMD_BONE_MOVABLE | MMD_BONE_OPERABLE,
                                          MMD_BONE_VISIBLE | MMD_BONE_OPERABLE,
                                          SEEN | MMD_BONE_FIXED_AXIS,
                                          MMD_BONE_IK,
                                          MMD_BONE_IK | MMD_BONE_FIXED_AXIS,
                                          MMD_BONE_EXTERNAL_PARENT,
                                          SEEN | MMD_BONE_APPEND_ROTATION};
    static const int32_t expected[] = {-1, 0, 3, 7, 8, 10};
    static const mmd_ik_link link = {.bone = IK_LINK};
    mmd_project *p = mmd_project_create();
    mmd_display_frame frames[4] = {
        {"Root", "Root", 1, 0, NULL}, {"表情", "Exp", 1, 0, NULL}, {"a", "a", 0, 0, NULL}};
    mmd_model model = {.name = "m", .name_en = "m", .comment = "", .comment_en = "", .frame_count = 3};
    model.bones = mmd_arena_alloc(&model.arena, COUNT, sizeof *model.bones);
    assert_true(p && model.bones);
    model.bone_count = COUNT;
    model.frames = frames;
    for (int i = 0; i < COUNT; i++)
        model.bones[i] = (mmd_bone){.name = "b",
                                    .name_en = "b",
                                    .parent = -1,
                                    .flags = flags[i],
                                    .tail_bone = -1,
                                    .append_source = flags[i] & MMD_BONE_APPEND_ROTATION ? 0 : -1,
                                    .ik_target = flags[i] & MMD_BONE_IK ? IK_TARGET : -1};
    model.bones[8].ik_links = &link;
    model.bones[8].ik_link_count = 1;
    model.bones[8].fixed_axis[0] = 1;
    assert_int_equal(mmd_model_prepare(&model, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_model(p, &model, NULL, "m.pmx", NULL), MMD_OK);
    assert_int_equal(p->models[0].parent_count, sizeof expected / sizeof *expected);
    assert_memory_equal(p->models[0].parent_bones, expected, sizeof expected);
    /* The rows of the frame pane: one more than frames, without an empty one of morphs. */
    assert_int_equal(p->models[0].row_count, 3);
    assert_int_equal(p->models[0].frame_count, 3);
    mmd_project_destroy(p);
    mmd_arena_finish(&model.arena);
}

static void pmm_turns_fixed_axes_and_takes_the_last_of_a_frame(void **state)
{
    (void)state;
    mmd_project *p = mmd_project_create();
    mmd_model model;
    mmd_motion motion;
    sample_project_model(&model);
    sample_motion(&motion);
    mmd_name_key_from_utf8("左腕捩", motion.bone_tracks[1].name, NULL, NULL);
    uint32_t *frames = motion.bone_tracks[1].frames;
    frames[0] = frames[1] = 0;
    frames[2] = 9;
    mmd_bone_key *key = &motion.bone_tracks[1].keys[1];
    memcpy(key->rotation, (float[4]){-0.48f, 0.36f, 0.0f, 0.8f}, sizeof key->rotation);
    assert_int_equal(mmd_project_add_model(p, &model, &motion, "a", NULL), MMD_OK);
    const mmd_project_bone *bone = &p->models[0].bones[SAMPLE_TWIST];
    assert_int_equal(bone->key_count, 2);
    assert_float_equal(bone->keys[0].rotation[0], -0.6f, 1e-6);
    assert_float_equal(bone->keys[0].rotation[1], 0.0f, 0.0);
    assert_float_equal(bone->keys[0].rotation[3], 0.8f, 1e-6);
    assert_memory_equal(bone->rotation, bone->keys[0].rotation, sizeof bone->rotation);
    sample_motion_finish(&motion);
    sample_project_model_finish(&model);
    mmd_project_destroy(p);
}

static void pmm_refuses_what_does_not_fit(void **state)
{
    (void)state;
    mmd_project *p = mmd_project_create();
    mmd_project_accessory_key key = {.scale = 1.0f};
    mmd_motion motion;
    mmd_model model;
    mmd_buffer out = {0};
    mmd_error error = {0};
    sample_motion(&motion);
    sample_project_model(&model);
    motion.last_frame = (uint32_t)INT32_MAX + 1;
    assert_int_equal(mmd_project_add_model(p, &model, &motion, "", &error), MMD_ERROR_LIMIT);
    assert_int_equal(mmd_project_set_scene(p, &motion, &error), MMD_ERROR_LIMIT);
    for (int i = 0; i < MMD_PROJECT_MODEL_MAX; i++)
        assert_int_equal(mmd_project_add_accessory(p, "x", "x", &key, 1, NULL), MMD_OK);
    assert_int_equal(mmd_project_add_accessory(p, "x", "x", &key, 1, &error), MMD_ERROR_LIMIT);
    p->accessory_count = 1;
    p->accessories[0].path.text = "ネギ🥬.x";
    assert_int_equal(mmd_pmm_write(p, &out, &error), MMD_ERROR_TEXT);
    mmd_project *read = read_project(out.data, out.size);
    assert_string_equal(read->accessories[0].path.text, "ネギ?.x");
    char path[300] = {0};
    memset(path, 'a', 256);
    p->accessories[0].path.text = path;
    assert_int_equal(mmd_pmm_write(p, &out, &error), MMD_ERROR_LIMIT);
    path[255] = 0;
    mmd_buffer_finish(&out);
    write_project(p, &out);
    mmd_buffer_finish(&out);
    mmd_project_destroy(read);
    mmd_project_destroy(p);
    sample_motion_finish(&motion);
    sample_project_model_finish(&model);
}

static void pmm_is_unchanged_where_memory_ends(void **state)
{
    (void)state;
    mmd_project *p = sample_project(), *other = sample_project();
    mmd_project_accessory_key key = {.scale = 1.0f};
    mmd_motion motion;
    mmd_model model;
    sample_motion(&motion);
    sample_project_model(&model);
    size_t failed = 0;
    for (size_t room = 0;; room += 32) {
        mmd_error error = {0};
        p->arena.limit = p->arena.used + room;
        mmd_status status = mmd_project_add_model(p, &model, &motion, "m.pmx", &error);
        if (status == MMD_OK)
            break;
        assert_int_equal(status, MMD_ERROR_MEMORY);
        p->arena.limit = p->arena.used;
        assert_int_equal(mmd_project_set_scene(p, &motion, &error), MMD_ERROR_MEMORY);
        assert_int_equal(mmd_project_add_accessory(p, "x", "x", &key, 1, &error), MMD_ERROR_MEMORY);
        compare_projects(p, other);
        failed++;
    }
    assert_true(failed > 20);
    assert_int_equal(p->model_count, other->model_count + 1);
    sample_motion_finish(&motion);
    sample_project_model_finish(&model);
    mmd_project_destroy(other);
    mmd_project_destroy(p);
}

/* ---- motions ---- */

static void compare_bone_tracks(const mmd_bone_track *a, const mmd_bone_track *b)
{
    /* b may have an additional keyframe at rest in front. */
    assert_true(b && b->count >= a->count && b->count <= a->count + 1);
    uint32_t skip = b->count - a->count;
    for (uint32_t k = 0; k < a->count; k++) {
        assert_int_equal(a->frames[k], b->frames[k + skip]);
        const mmd_bone_key *x = &a->keys[k], *y = &b->keys[k + skip];
        assert_memory_equal(x->translation, y->translation, sizeof x->translation);
        assert_memory_equal(x->curve, y->curve, sizeof x->curve);
        assert_int_equal(x->physics_off, y->physics_off);
        for (int i = 0; i < 4; i++)
            assert_float_equal(x->rotation[i], y->rotation[i], 1e-6);
    }
}

static void pmm_model_motion_is_what_was_added(void **state)
{
    (void)state;
    mmd_project *p = sample_project();
    mmd_motion given, *got = mmd_project_model_motion(&p->models[0]);
    sample_motion(&given);
    assert_non_null(got);
    assert_int_equal(got->bone_track_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        compare_bone_tracks(&given.bone_tracks[i], mmd_motion_find_bone(got, given.bone_tracks[i].name));
    assert_int_equal(got->morph_track_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const mmd_morph_track *a = &given.morph_tracks[i], *b = mmd_motion_find_morph(got, a->name);
        assert_true(b && b->count == a->count);
        assert_memory_equal(a->frames, b->frames, a->count * sizeof *a->frames);
        assert_memory_equal(a->weights, b->weights, a->count * sizeof *a->weights);
    }
    for (uint32_t f = 0; f < 10; f++) {
        assert_int_equal(mmd_motion_visible(&given, f), mmd_motion_visible(got, f));
        for (uint32_t i = 0; i < given.property_keys[0].switch_count; i++) {
            const uint8_t *name = given.property_keys[0].switches[i].name;
            assert_int_equal(mmd_motion_ik_on(&given, name, f), mmd_motion_ik_on(got, name, f));
        }
    }
    assert_memory_equal(got->model_name, given.model_name, sizeof given.model_name);
    mmd_motion_destroy(got);
    got = mmd_project_model_motion(&p->models[1]);
    assert_true(got && got->bone_track_count == 0 && got->morph_track_count == 0 &&
                got->property_key_count == 0);
    mmd_motion_destroy(got);
    sample_motion_finish(&given);
    mmd_project_destroy(p);
}

static void pmm_scene_motion_is_what_was_set(void **state)
{
    (void)state;
    mmd_project *p = sample_project();
    mmd_motion given, *got = mmd_project_scene_motion(p);
    sample_motion(&given);
    assert_non_null(got);
    assert_int_equal(got->camera_key_count, given.camera_key_count);
    assert_int_equal(got->light_key_count, given.light_key_count);
    assert_int_equal(got->self_shadow_key_count, given.self_shadow_key_count);
    for (double f = 0.0; f < 25.0; f += 0.5) {
        mmd_camera a = mmd_default_camera(), b = mmd_default_camera();
        mmd_light x = mmd_default_light(), y = mmd_default_light();
        mmd_self_shadow s = {0}, t = {0};
        assert_true(mmd_motion_camera(&given, f, &a) && mmd_motion_camera(got, f, &b));
        assert_memory_equal(a.position, b.position, sizeof a.position);
        assert_memory_equal(a.rotation, b.rotation, sizeof a.rotation);
        assert_true(a.distance == b.distance && a.fov == b.fov && a.perspective == b.perspective);
        assert_true(mmd_motion_light(&given, f, &x) && mmd_motion_light(got, f, &y));
        assert_memory_equal(&x, &y, sizeof x);
        assert_true(mmd_motion_self_shadow(&given, f, &s) && mmd_motion_self_shadow(got, f, &t));
        assert_true(s.mode == t.mode && s.distance == t.distance);
    }
    mmd_motion_destroy(got);
    sample_motion_finish(&given);
    mmd_project_destroy(p);
}

/* ---- real models and motions ---- */

typedef struct real_totals {
    size_t projects, bytes, keys;
    mmd_model *model;
} real_totals;

/* Makes a project from a shared model and motion, and compares it after writing and reading. */
static void add_real(const char *name, void *user)
{
    real_totals *t = user;
    mmd_bytes bytes = shared_read(name);
    mmd_motion *motion = NULL;
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    mmd_project *made = mmd_project_create(), *read;
    assert_int_equal(mmd_project_add_model(made, t->model, motion, name, NULL), MMD_OK);
    assert_int_equal(mmd_project_set_scene(made, motion, NULL), MMD_OK);
    mmd_buffer out = {0};
    write_project(made, &out);
    read = read_project(out.data, out.size);
    assert_int_equal(read->repair_count, 0);
    compare_projects(made, read);
    assert_writes(read, out.data, out.size);
    for (uint32_t i = 0; i < read->models[0].bone_count; i++)
        t->keys += read->models[0].bones[i].key_count;
    t->projects++;
    t->bytes += out.size;
    mmd_buffer_finish(&out);
    mmd_project_destroy(read);
    mmd_project_destroy(made);
    mmd_motion_destroy(motion);
}

static void pmm_holds_every_shared_motion(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    real_totals t = {0};
    mmd_bytes bytes = shared_read("data/models/pmd/Miku_Hatsune.pmd");
    assert_int_equal(mmd_model_read(bytes.data, bytes.size, &t.model, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
    shared_each(".vmd", add_real, &t);
    print_message("%zu projects, %zu bytes, %zu bone keys: read back equal, written twice the same\n",
                  t.projects, t.bytes, t.keys);
    assert_true(t.projects > 0);
    mmd_model_destroy(t.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pmm_reads_the_shared_file_to_its_last_byte),
        cmocka_unit_test(pmm_writes_the_shared_file_with_the_same_bytes),
        cmocka_unit_test(pmm_may_end_before_the_selectors),
        cmocka_unit_test(pmm_made_project_reads_back_equal),
        cmocka_unit_test(pmm_empty_project_reads_back_equal),
        cmocka_unit_test(pmm_1_reads_every_field),
        cmocka_unit_test(pmm_1_finds_how_many_bones_morphs_and_ik_there_are),
        cmocka_unit_test(pmm_1_takes_names_from_its_models),
        cmocka_unit_test(pmm_1_rejects_what_fits_no_numbers),
        cmocka_unit_test(pmm_keeps_numbers_and_order_of_records),
        cmocka_unit_test(pmm_mends_broken_chains),
        cmocka_unit_test(pmm_rejects_what_it_does_not_know),
        cmocka_unit_test(pmm_adds_a_model_as_mmd_loads_it),
        cmocka_unit_test(pmm_keeps_names_as_mmd_does),
        cmocka_unit_test(pmm_lists_a_public_model_as_mmd_does),
        cmocka_unit_test(pmm_lists_the_bones_that_can_have_outside_parents),
        cmocka_unit_test(pmm_takes_a_first_link_back_of_mmd),
        cmocka_unit_test(pmm_1_takes_a_list_of_english_names),
        cmocka_unit_test(pmm_turns_fixed_axes_and_takes_the_last_of_a_frame),
        cmocka_unit_test(pmm_refuses_what_does_not_fit),
        cmocka_unit_test(pmm_is_unchanged_where_memory_ends),
        cmocka_unit_test(pmm_model_motion_is_what_was_added),
        cmocka_unit_test(pmm_scene_motion_is_what_was_set),
        cmocka_unit_test(pmm_holds_every_shared_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
