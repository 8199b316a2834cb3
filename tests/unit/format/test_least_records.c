/*
 * Every reader checks counts against the remaining bytes before it allocates memory. These tests read files
 * full of the smallest records that a format allows (docs/mmd.md 1), up to the end of the file or the
 * section. A count of one more record than fits must be refused with a message that states how many fit.
 */
#include "mmd/cursor.h"
#include "mmd/format.h"
#include "sample_projects.h"
#include "support.h"

enum { RECORDS = 1000 };

/*
 * Writes fields of a layout, all empty, zero or none. Each letter may follow a repeat count: b, h and i are
 * integers of 1, 2 and 4 bytes, f is a float, t an empty text of PMX, v and x are indices of `index` bytes
 * with the values 0 and none. B and H are the value `special` in 1 and 2 bytes.
 */
static void put(mmd_buffer *out, const char *layout, size_t index, uint16_t special)
{
    while (*layout) {
        unsigned long times = 1;
        if (*layout >= '0' && *layout <= '9') {
            char *letter;
            times = strtoul(layout, &letter, 10);
            layout = letter;
        }
        for (char letter = *layout++; times > 0; times--)
            switch (letter) {
            case 'b':
                mmd_write_u8(out, 0);
                break;
            case 'B':
                mmd_write_u8(out, (uint8_t)special);
                break;
            case 'h':
                mmd_write_u16(out, 0);
                break;
            case 'H':
                mmd_write_u16(out, special);
                break;
            case 'i':
            case 't':
            case 'f':
                mmd_write_u32(out, 0);
                break;
            case 'v':
                mmd_write_zeros(out, index);
                break;
            case 'x':
                for (size_t i = 0; i < index; i++)
                    mmd_write_u8(out, 0xff);
                break;
            default:
                assert_int_equal(letter, ' ');
            }
    }
}

static size_t size_of(const char *layout, size_t index)
{
    mmd_buffer bytes = {0};
    put(&bytes, layout, index, 0);
    size_t size = bytes.size;
    mmd_buffer_finish(&bytes);
    return size;
}

typedef mmd_status read_file(const mmd_buffer *file, mmd_error *error);

static mmd_status read_model(const mmd_buffer *file, mmd_error *error)
{
    mmd_model *model = NULL;
    mmd_status status = mmd_model_read(file->data, file->size, &model, error);
    mmd_model_destroy(model);
    return status;
}

static mmd_status read_project(const mmd_buffer *file, mmd_error *error)
{
    mmd_project *project = NULL;
    mmd_status status = mmd_pmm_read(file->data, file->size, &project, error);
    mmd_project_destroy(project);
    return status;
}

static mmd_status read_pose(const mmd_buffer *file, mmd_error *error)
{
    mmd_vpd *pose = NULL;
    mmd_status status = mmd_vpd_read(file->data, file->size, &pose, error);
    mmd_vpd_destroy(pose);
    return status;
}

static void expect_read(read_file *read, const mmd_buffer *file, const char *what)
{
    mmd_error error = {0};
    assert_false(file->failed);
    if (read(file, &error) != MMD_OK)
        fail_msg("%s: %s at %llu: %s", what, error.section, (unsigned long long)error.offset, error.message);
}

/* Requires that the file is refused for this count, with `left` bytes remaining for records of at least
 * `least` bytes. */
static void expect_refused(read_file *read, const mmd_buffer *file, const char *what, const char *section,
                           size_t count, size_t left, size_t least)
{
    mmd_error error = {0};
    char sentence[MMD_ERROR_MESSAGE_MAX];
    snprintf(sentence, sizeof sentence, "a count of %zu, but the %zu bytes that are left hold at most %zu",
             count, left, left / least);
    mmd_status status = read(file, &error);
    if (status != MMD_ERROR_COUNT || strcmp(error.section, section) != 0 ||
        strcmp(error.message, sentence) != 0)
        fail_msg("%s: \"%s: %s\" where \"%s: %s\" is right", what, error.section, error.message, section,
                 sentence);
}

/* Sets the count of `size` bytes at offset `at` to one more than fits behind `from`, where its records begin.
 * Requires that the file is refused, and restores the count. */
static void refuse_one_more(read_file *read, mmd_buffer *file, const char *what, const char *section,
                            size_t at, size_t size, size_t from, size_t least)
{
    uint8_t before[4];
    size_t left = file->size - from, count = left / least + 1;
    assert_true(size == 4 || count >> 8 * size == 0);
    memcpy(before, file->data + at, size);
    for (size_t i = 0; i < size; i++)
        file->data[at + i] = (uint8_t)(count >> 8 * i);
    expect_refused(read, file, what, section, count, left, least);
    memcpy(file->data + at, before, size);
}

/* ------------------------------------------------------------------- PMX */

enum { VERTEX, SURFACE, TEXTURE, MATERIAL, BONE, MORPH, FRAME, BODY, JOINT, SOFT_BODY, SECTIONS };

/* Records of a section, or records nested in a record of the section: the fields before their count and
 * behind them. */
typedef struct pmx_case {
    const char *what, *section; /* as in error messages */
    int in;
    uint16_t special;
    const char *record, *before, *behind;
} pmx_case;

static const char least_bone[] = "2t 3f x i H x"; /* flag 1: the tail is a bone index */

static const pmx_case pmx_cases[] = {
    {"vertex", "vertex", VERTEX, 0, "8f b x f", NULL, NULL},
    {"surface", "surface", SURFACE, 0, "v", NULL, NULL},
    {"texture", "texture", TEXTURE, 0, "t", NULL, NULL},
    {"material", "material", MATERIAL, 0, "2t 4f 3f f 3f b 4f f x x b b x t i", NULL, NULL},
    {"material of a shared toon", "material", MATERIAL, 1, "2t 4f 3f f 3f b 4f f x x b B b t i", NULL, NULL},
    {"bone", "bone", BONE, 1, least_bone, NULL, NULL},
    {"IK link", "bone 1000", BONE, 0x21, "x b", "2t 3f x i H x x i f", ""},
    {"morph", "morph", MORPH, 0, "2t b b i", NULL, NULL},
    {"group", "morph 0", MORPH, 0, "x f", "2t b B", ""},
    {"offset of a vertex", "morph 0", MORPH, 1, "v 3f", "2t b B", ""},
    {"offset of a bone", "morph 0", MORPH, 2, "x 7f", "2t b B", ""},
    {"offset of a UV", "morph 0", MORPH, 3, "v 4f", "2t b B", ""},
    {"offset of UV 4", "morph 0", MORPH, 7, "v 4f", "2t b B", ""},
    {"offset of a material", "morph 0", MORPH, 8, "x b 28f", "2t b B", ""},
    {"flip", "morph 0", MORPH, 9, "x f", "2t b B", ""},
    {"impulse", "morph 0", MORPH, 10, "x b 6f", "2t b B", ""},
    {"frame", "frame", FRAME, 0, "2t b i", NULL, NULL},
    {"item of a frame", "frame 0", FRAME, 0, "b x", "2t b", ""},
    {"body", "body", BODY, 0, "2t x b h b 3f 3f 3f 5f b", NULL, NULL},
    {"joint", "joint", JOINT, 0, "2t b x x 3f 3f 3f 3f 3f 3f 3f 3f", NULL, NULL},
    {"soft body", "soft body", SOFT_BODY, 0, "2t b x b h b i i f f i 12f 6f 4i 3f i i", NULL, NULL},
    {"anchor", "soft body 0", SOFT_BODY, 0, "x v b", "2t b x b h b i i f f i 12f 6f 4i 3f", "i"},
    {"pin", "soft body 0", SOFT_BODY, 0, "v", "2t b x b h b i i f f i 12f 6f 4i 3f i", ""},
};

/* Makes a file with one vertex and the records of the case. *at receives the offset of their count. */
static void make_pmx(mmd_buffer *file, const pmx_case *c, uint8_t index, size_t *at)
{
    const uint8_t globals[] = {8, 1, 0, index, index, index, index, index, index};
    mmd_write_bytes(file, "PMX ", 4);
    mmd_write_f32(file, c->in == SOFT_BODY ? 2.1f : 2.0f);
    mmd_write_bytes(file, globals, sizeof globals);
    put(file, "4t", index, 0);
    for (int s = VERTEX; s <= (c->in == SOFT_BODY ? SOFT_BODY : JOINT); s++) {
        uint32_t count = s == VERTEX ? 1 : 0;
        const char *record = "8f b x f";
        if (s == c->in && !c->before) {
            *at = file->size;
            /* full triangles only */
            count = s == SURFACE ? RECORDS / 3 * 3 : RECORDS;
            record = c->record;
        } else if (s == c->in && s == BONE) {
            count = RECORDS; /* a bone has at most as many links as there are bones */
            record = least_bone;
        }
        mmd_write_u32(file, s == c->in && c->before ? count + 1 : count);
        for (uint32_t i = 0; i < count; i++)
            put(file, record, index, record == least_bone ? 1 : c->special);
        if (s != c->in || !c->before)
            continue;
        put(file, c->before, index, c->special);
        *at = file->size;
        mmd_write_u32(file, RECORDS);
        for (uint32_t i = 0; i < RECORDS; i++)
            put(file, c->record, index, c->special);
        put(file, c->behind, index, c->special);
    }
}

static void pmx_reads_the_least_records_and_refuses_one_more(void **state)
{
    (void)state;
    for (uint8_t index = 1; index <= 4; index *= 2)
        for (size_t i = 0; i < sizeof pmx_cases / sizeof *pmx_cases; i++) {
            const pmx_case *c = &pmx_cases[i];
            mmd_buffer file = {0};
            size_t at = 0, least = size_of(c->record, index);
            make_pmx(&file, c, index, &at);
            expect_read(read_model, &file, c->what);
            /* With indices of 4 bytes, a material with a shared toon (1 byte) is smaller than one with a
             * texture as toon. */
            if (c->in == MATERIAL)
                least = size_of("2t 4f 3f f 3f b 4f f x x b b b t i", index);
            refuse_one_more(read_model, &file, c->what, c->section, at, 4, at + 4, least);
            mmd_buffer_finish(&file);
        }
}

/* Regression test: 40 materials with short names, whose records are larger than the smallest, were once
 * refused. */
static void pmx_reads_forty_short_materials(void **state)
{
    (void)state;
    static const pmx_case materials = {
        "material", "material", MATERIAL, 0, "2t 4f 3f f 3f b 4f f x x b b x t i", NULL, NULL};
    mmd_buffer file = {0};
    mmd_model *model = NULL;
    size_t at = 0;
    make_pmx(&file, &materials, 1, &at);
    file.data[at] = 40;
    file.data[at + 1] = 0;
    file.size = at + 4 + 40 * size_of(materials.record, 1);
    put(&file, "5i", 1, 0);
    assert_int_equal(mmd_pmx_read(file.data, file.size, &model, NULL), MMD_OK);
    assert_int_equal(model->material_count, 40);
    mmd_model_destroy(model);
    mmd_buffer_finish(&file);
}

/* ------------------------------------------------------------------- PMD */

typedef struct pmd_block {
    const char *section;
    size_t count_size, records;
    const char *record;
} pmd_block;

enum { PMD_BASE_BLOCKS = 9, PMD_MORPHS = 5 };

/* The blocks of old files; then, behind the English flag and the toons, the physics blocks. */
static const pmd_block pmd_blocks[] = {
    {"vertex", 4, RECORDS, "8f h h b b"},
    {"surface", 4, RECORDS / 3 * 3, "h"},
    {"material", 4, RECORDS, "3f f f 3f 3f b b i 20b"},
    {"bone", 2, RECORDS, "20b h h b h 3f"},
    {"IK", 2, RECORDS, "h h b h f"},
    {"morph", 2, RECORDS, "20b i B"},
    {"frame", 1, 100, "h"},
    {"frame", 1, 100, "50b"},
    {"frame", 4, RECORDS, "h b"},
    {"body", 4, RECORDS, "20b h b h b 3f 3f 3f 5f b"},
    {"joint", 4, RECORDS, "20b i i 3f 3f 3f 3f 3f 3f 3f 3f"},
};

/* Makes a file with one block full of the smallest records, or with `offsets` of one morph full of offsets.
 * It ends after the block if the format allows that. */
static void make_pmd(mmd_buffer *file, size_t full, bool offsets, size_t *at)
{
    size_t count = sizeof pmd_blocks / sizeof *pmd_blocks;
    mmd_write_bytes(file, "Pmd", 3);
    mmd_write_f32(file, 1);
    put(file, "20b 256b", 0, 0);
    if (full < PMD_BASE_BLOCKS)
        count = PMD_BASE_BLOCKS;
    else if (full + 1 < count)
        count = full + 1;
    for (size_t b = 0; b < count; b++) {
        const pmd_block *block = &pmd_blocks[b];
        /* Faces need a vertex. */
        size_t records = b == full && !offsets ? block->records : b == 0 || (b == full && offsets) ? 1 : 0;
        if (b == PMD_BASE_BLOCKS)
            put(file, "b 1000b", 0, 0);
        if (b == full)
            *at = file->size;
        for (size_t k = 0; k < block->count_size; k++)
            mmd_write_u8(file, (uint8_t)(records >> 8 * k));
        for (size_t i = 0; i < records && !(b == full && offsets); i++)
            put(file, block->record, 0, 1);
    }
    if (!offsets)
        return;
    /* Add its one morph, the base. */
    mmd_buffer rest = {0};
    mmd_write_bytes(&rest, file->data + *at + 2, file->size - *at - 2);
    file->size = *at + 2;
    put(file, "20b", 0, 0);
    *at = file->size;
    mmd_write_u32(file, RECORDS);
    mmd_write_u8(file, 0);
    for (size_t i = 0; i < RECORDS; i++)
        put(file, "i 3f", 0, 0);
    mmd_write_bytes(file, rest.data, rest.size);
    mmd_buffer_finish(&rest);
}

static void pmd_reads_the_least_records_and_refuses_one_more(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof pmd_blocks / sizeof *pmd_blocks; b++) {
        const pmd_block *block = &pmd_blocks[b];
        mmd_buffer file = {0};
        size_t at = 0;
        make_pmd(&file, b, false, &at);
        expect_read(read_model, &file, block->section);
        refuse_one_more(read_model, &file, block->section, block->section, at, block->count_size,
                        at + block->count_size, size_of(block->record, 0));
        mmd_buffer_finish(&file);
    }
    mmd_buffer file = {0};
    size_t at = 0;
    make_pmd(&file, PMD_MORPHS, true, &at);
    expect_read(read_model, &file, "offset");
    refuse_one_more(read_model, &file, "offset", "morph 0", at, 4, at + 5, size_of("i 3f", 0));
    mmd_buffer_finish(&file);
}

/* ----------------------------------------------------------- VMD and VPD */

/* A truncated VMD is read up to its end with a warning, so no count is refused. */
static void vmd_reads_the_least_records_and_tells_of_one_more(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        size_t count_at; /* offset in mmd_motion */
    } sections[] = {
        {"15b i 3f 4f 64b", offsetof(mmd_motion, bone_key_count)},
        {"15b i f", offsetof(mmd_motion, morph_key_count)},
        {"i f 3f 3f 24b i b", offsetof(mmd_motion, camera_key_count)},
        {"i 3f 3f", offsetof(mmd_motion, light_key_count)},
        {"i b f", offsetof(mmd_motion, self_shadow_key_count)},
        {"i b i", offsetof(mmd_motion, property_key_count)},
        {"i b B b b b 21b", offsetof(mmd_motion, property_key_count)}, /* with one IK switch */
    };
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
        for (uint32_t more = 0; more < 2; more++) {
            mmd_buffer file = {0};
            mmd_motion *motion = NULL;
            uint32_t count;
            mmd_write_bytes(&file, "Vocaloid Motion Data 0002", 25);
            put(&file, "5b 20b", 0, 0);
            for (size_t k = 0; k < (s < 6 ? s : 5); k++)
                mmd_write_u32(&file, 0);
            mmd_write_u32(&file, RECORDS + more);
            for (int i = 0; i < RECORDS; i++)
                put(&file, sections[s].record, 0, 1);
            assert_int_equal(mmd_vmd_read(file.data, file.size, &motion, NULL), MMD_OK);
            memcpy(&count, (const char *)motion + sections[s].count_at, sizeof count);
            assert_int_equal(count, RECORDS);
            assert_int_equal(motion->cut, more);
            assert_int_equal(motion->trailing_size, 0);
            mmd_motion_destroy(motion);
            mmd_buffer_finish(&file);
        }
}

/* Makes a text of a header, a count and records. A blank at the end of the last record is omitted. */
static mmd_buffer make_text(const char *head, size_t count, const char *record, const char *behind,
                            size_t *left)
{
    mmd_buffer file = {0};
    mmd_write_format(&file, "%s%zu", head, count);
    size_t from = file.size;
    mmd_write_format(&file, "%s", record[strlen(record) - 1] == ' ' ? " " : ";");
    for (int i = 0; i < RECORDS; i++)
        mmd_write_bytes(&file, record, strlen(record));
    file.size -= file.data[file.size - 1] == ' ';
    mmd_write_bytes(&file, behind, strlen(behind));
    *left = file.size - from;
    return file;
}

static void vpd_reads_the_least_records_and_refuses_one_more(void **state)
{
    (void)state;
    static const char bone[] = "Bone{\n0,0,0;0,0,0,0;}";
    size_t left;
    mmd_buffer file = make_text("Vocaloid Pose Data file;", RECORDS, bone, "", &left);
    expect_read(read_pose, &file, "bone");
    mmd_buffer_finish(&file);
    file = make_text("Vocaloid Pose Data file;", RECORDS + 1, bone, "", &left);
    expect_refused(read_pose, &file, "bone", "header", RECORDS + 1, left - 1, strlen(bone)); /* behind `;' */
    mmd_buffer_finish(&file);
}

/* --------------------------------------------------------------------- X */

/* Each number has one digit and one separator. The separator of the last one is the closing brace of its
 * object. */
static void x_reads_the_least_records_and_refuses_one_more(void **state)
{
    (void)state;
    static const struct {
        const char *what, *head, *record, *behind;
    } cases[] = {
        {"position", "Mesh{", "0 0 0 ", " 0}"},
        {"face", "Mesh{0 ", "0 ", "}"},
        {"corner", "Mesh{1 0 0 0 1 ", "0 ", "}"},
        {"normal", "Mesh{0 0 MeshNormals{", "0 0 0 ", " 0}}"},
        {"face of normals", "Mesh{0 0 MeshNormals{0 ", "0 ", "}}"},
        {"UV", "Mesh{0 0 MeshTextureCoords{", "0 0 ", "}}"},
        {"colour", "Mesh{0 0 MeshVertexColors{", "0 0 0 0 0 ", "}}"},
        {"material of a face", "Mesh{0 0 MeshMaterialList{0 ", "0 ", "}}"},
        {"element", "Mesh{0 0 DeclData{", "0 0 0 0 ", " 0}}"},
        {"packed number", "Mesh{0 0 DeclData{1 0 0 0 0 ", "0 ", "}}"},
        {"packed number of a format", "Mesh{0 0 FVFData{16 ", "0 ", "}}"},
    };
    char head[128];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t left, least = strlen(cases[i].record);
        snprintf(head, sizeof head, "xof 0303txt 0032%s", cases[i].head);
        mmd_buffer file = make_text(head, RECORDS, cases[i].record, cases[i].behind, &left);
        expect_read(read_model, &file, cases[i].what);
        mmd_buffer_finish(&file);
        size_t more = left / least + 1;
        file = make_text(head, more, cases[i].record, cases[i].behind, &left);
        expect_refused(read_model, &file, cases[i].what, "mesh 0", more, left, least);
        mmd_buffer_finish(&file);
    }
}

/* Binary files store numbers of 4 bytes in lists with their own counts. */
static void x_reads_the_least_binary_records_and_refuses_one_more(void **state)
{
    (void)state;
    enum { NAME = 1, INTEGERS = 6, REALS = 7, OPEN = 10, CLOSE = 11 };
    mmd_buffer file = {0};
    mmd_write_bytes(&file, "xof 0303bin 0032", 16);
    mmd_write_u16(&file, NAME);
    mmd_write_u32(&file, 4);
    mmd_write_bytes(&file, "Mesh", 4);
    mmd_write_u16(&file, OPEN);
    mmd_write_u16(&file, INTEGERS);
    mmd_write_u32(&file, 1);
    size_t positions = file.size;
    mmd_write_u32(&file, RECORDS);
    mmd_write_u16(&file, REALS);
    size_t list = file.size;
    mmd_write_u32(&file, 3 * RECORDS);
    mmd_write_zeros(&file, 4 * 3 * RECORDS);
    mmd_write_u16(&file, INTEGERS);
    mmd_write_u32(&file, 1 + RECORDS);
    size_t faces = file.size;
    mmd_write_u32(&file, RECORDS);
    mmd_write_zeros(&file, 4 * RECORDS); /* faces without corners */
    mmd_write_u16(&file, CLOSE);
    expect_read(read_model, &file, "binary mesh");
    refuse_one_more(read_model, &file, "position", "mesh 0", positions, 4, positions + 4, 12);
    refuse_one_more(read_model, &file, "list", "mesh 0", list, 4, list + 4, 4);
    refuse_one_more(read_model, &file, "face", "mesh 0", faces, 4, faces + 4, 4);
    mmd_buffer_finish(&file);
}

/* ------------------------------------------------------------------- PMM */

/* The kinds of records that a project is filled with. */
enum pmm_kind {
    PMM_MODEL,
    PMM_BONE,
    PMM_MORPH,
    PMM_BONE_KEY,
    PMM_MORPH_KEY,
    PMM_CONFIG_KEY,
    PMM_CAMERA_KEY,
    PMM_LIGHT_KEY,
    PMM_ACCESSORY,
    PMM_GRAVITY_KEY,
    PMM_SHADOW_KEY,
    PMM_KINDS
};

/* The section in error messages, and the size of the smallest record with everything that belongs to it
 * (docs/mmd.md 1.7). */
static const struct {
    const char *section;
    size_t least;
} pmm_kinds[PMM_KINDS] = {
    [PMM_MODEL] = {"header", (1 + 1 + 1 + 256 + 1) + 4 * 4 + (1 + 1 + 4 + 16) + (1 + 4 + 4) +
                                 (4 + 4 + (12 + 2) + 4) + (1 + 4 + 1 + 1)},
    [PMM_BONE] = {"model 0", 1 + (12 + 16 + 28 + 2) + (28 + 3)}, /* name, first keyframe, state */
    [PMM_MORPH] = {"model 0", 1 + (12 + 4 + 1) + 4},
    [PMM_BONE_KEY] = {"bone key", 16 + 16 + 28 + 2},
    [PMM_MORPH_KEY] = {"morph key", 16 + 4 + 1},
    [PMM_CONFIG_KEY] = {"configuration key", 16 + 2},
    [PMM_CAMERA_KEY] = {"camera key", 16 + 4 + 12 + 12 + 8 + 24 + 1 + 4 + 1},
    [PMM_LIGHT_KEY] = {"light key", 16 + 12 + 12 + 1},
    [PMM_ACCESSORY] = {"accessory", 100 + (1 + 100 + 256 + 1) + (12 + 39) + 4 + 39},
    [PMM_GRAVITY_KEY] = {"gravity key", 16 + 1 + 4 + 4 + 12 + 1},
    [PMM_SHADOW_KEY] = {"self shadow key", 16 + 1 + 4 + 1},
};

/* Makes keyframes of any kind: the first one and count - 1 others. */
static void *make_keys(mmd_project *project, uint32_t count, size_t size)
{
    uint8_t *keys = mmd_arena_alloc(&project->arena, count, size);
    assert_non_null(keys);
    for (uint32_t i = 0; i < count; i++) {
        const mmd_project_key at = {.frame = i, .number = MMD_PROJECT_NO_NUMBER, .record = MMD_NO_RECORD};
        memcpy(keys + i * size, &at, sizeof at);
    }
    return keys;
}

static void make_model(mmd_project *project, mmd_project_model *model, const uint32_t counts[PMM_KINDS])
{
    const mmd_project_text none = {.text = ""};
    *model = (mmd_project_model){.name = none,
                                 .name_en = none,
                                 .path = none,
                                 .bone_count = counts[PMM_BONE],
                                 .morph_count = counts[PMM_MORPH],
                                 .config_count = 1 + counts[PMM_CONFIG_KEY]};
    model->configs = make_keys(project, model->config_count, sizeof *model->configs);
    model->bones = mmd_arena_alloc(&project->arena, model->bone_count, sizeof *model->bones);
    model->morphs = mmd_arena_alloc(&project->arena, model->morph_count, sizeof *model->morphs);
    for (uint32_t i = 0; i < model->bone_count; i++) {
        mmd_project_bone *bone = &model->bones[i];
        *bone = (mmd_project_bone){.name = none, .key_count = 1 + counts[PMM_BONE_KEY]};
        bone->keys = make_keys(project, bone->key_count, sizeof *bone->keys);
    }
    for (uint32_t i = 0; i < model->morph_count; i++) {
        mmd_project_morph *morph = &model->morphs[i];
        *morph = (mmd_project_morph){.name = none, .key_count = 1 + counts[PMM_MORPH_KEY]};
        morph->keys = make_keys(project, morph->key_count, sizeof *morph->keys);
    }
}

/* Makes a project full of one kind and what that kind requires. */
static mmd_project *make_project(const uint32_t counts[PMM_KINDS])
{
    mmd_project *p = mmd_project_create();
    const mmd_project_text none = {.text = ""};
    assert_non_null(p);
    p->model_count = counts[PMM_MODEL];
    p->models = mmd_arena_alloc(&p->arena, p->model_count, sizeof *p->models);
    for (uint32_t i = 0; i < p->model_count; i++)
        make_model(p, &p->models[i], counts);
    p->accessory_count = counts[PMM_ACCESSORY];
    p->accessories = mmd_arena_alloc(&p->arena, p->accessory_count, sizeof *p->accessories);
    for (uint32_t i = 0; i < p->accessory_count; i++) {
        mmd_project_accessory *a = &p->accessories[i];
        *a = (mmd_project_accessory){.list_name = none, .name = none, .path = none, .key_count = 1};
        a->keys = make_keys(p, 1, sizeof *a->keys);
    }
    p->camera_count = 1 + counts[PMM_CAMERA_KEY];
    p->camera_keys = make_keys(p, p->camera_count, sizeof *p->camera_keys);
    p->light_count = 1 + counts[PMM_LIGHT_KEY];
    p->light_keys = make_keys(p, p->light_count, sizeof *p->light_keys);
    p->gravity_count = 1 + counts[PMM_GRAVITY_KEY];
    p->gravity_keys = make_keys(p, p->gravity_count, sizeof *p->gravity_keys);
    p->shadow_count = 1 + counts[PMM_SHADOW_KEY];
    p->shadow_keys = make_keys(p, p->shadow_count, sizeof *p->shadow_keys);
    return p;
}

/* Returns the offset of the count of a kind in a file with one model or none. */
static size_t pmm_place(enum pmm_kind kind, const uint32_t n[PMM_KINDS])
{
    size_t places[PMM_KINDS];
    places[PMM_MODEL] = 30 + 3 * 4 + 4 + 1 + 6 + 1;
    places[PMM_BONE] = places[PMM_MODEL] + 1 + (1 + 1 + 1 + 256 + 1);
    places[PMM_MORPH] = places[PMM_BONE] + 4 + n[PMM_BONE];
    places[PMM_BONE_KEY] = places[PMM_MORPH] + 4 + n[PMM_MORPH] + 4 + 4 + 22 + 9 + 58 * (size_t)n[PMM_BONE];
    places[PMM_MORPH_KEY] =
        places[PMM_BONE_KEY] + 4 + 62 * (size_t)n[PMM_BONE_KEY] + 17 * (size_t)n[PMM_MORPH];
    places[PMM_CONFIG_KEY] = places[PMM_MORPH_KEY] + 4 + 21 * (size_t)n[PMM_MORPH_KEY] + 14;
    /* the others, in a file without models */
    places[PMM_CAMERA_KEY] = places[PMM_MODEL] + 1 + 12 + 66;
    places[PMM_LIGHT_KEY] = places[PMM_CAMERA_KEY] + 4 + 82 * (size_t)n[PMM_CAMERA_KEY] + 37 + 12 + 25;
    places[PMM_ACCESSORY] = places[PMM_LIGHT_KEY] + 4 + 41 * (size_t)n[PMM_LIGHT_KEY] + 24 + 1 + 4;
    places[PMM_GRAVITY_KEY] = places[PMM_ACCESSORY] + 1 + (4 * 4 + 4 + 2 * 4 + 1 + 256) + (12 + 256 + 4) +
                              (12 + 256 + 1) + (3 + 4 * 4 + 2) + 21 + 12 + 22;
    places[PMM_SHADOW_KEY] = places[PMM_GRAVITY_KEY] + 4 + 38 * (size_t)n[PMM_GRAVITY_KEY] + 5 + 12 + 6;
    return places[kind];
}

/* Much of the project follows these records. Bytes appended to the file make the remaining size a multiple of
 * the record size. */
static void pmm_reads_the_least_records_and_refuses_one_more(void **state)
{
    (void)state;
    for (int kind = 0; kind < PMM_KINDS; kind++) {
        uint32_t counts[PMM_KINDS] = {0};
        size_t count_size = kind == PMM_MODEL || kind == PMM_ACCESSORY ? 1 : 4;
        size_t least = pmm_kinds[kind].least;
        counts[PMM_MODEL] = kind > PMM_MODEL && kind <= PMM_CONFIG_KEY;
        counts[PMM_BONE] = kind == PMM_BONE_KEY;
        counts[PMM_MORPH] = kind == PMM_MORPH_KEY;
        counts[kind] = count_size == 1 ? 200 : RECORDS;
        mmd_project *project = make_project(counts);
        mmd_buffer file = {0};
        write_project(project, &file);
        mmd_project_destroy(project);
        size_t at = pmm_place(kind, counts), from = at + count_size;
        assert_int_equal(file.data[at], counts[kind] & 0xff);
        mmd_write_zeros(&file, least - (file.size - from) % least);
        expect_read(read_project, &file, pmm_kinds[kind].section);
        refuse_one_more(read_project, &file, pmm_kinds[kind].section, pmm_kinds[kind].section, at, count_size,
                        from, least);
        mmd_buffer_finish(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pmx_reads_the_least_records_and_refuses_one_more),
        cmocka_unit_test(pmx_reads_forty_short_materials),
        cmocka_unit_test(pmd_reads_the_least_records_and_refuses_one_more),
        cmocka_unit_test(vmd_reads_the_least_records_and_tells_of_one_more),
        cmocka_unit_test(vpd_reads_the_least_records_and_refuses_one_more),
        cmocka_unit_test(x_reads_the_least_records_and_refuses_one_more),
        cmocka_unit_test(x_reads_the_least_binary_records_and_refuses_one_more),
        cmocka_unit_test(pmm_reads_the_least_records_and_refuses_one_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
