/* VMD files: frozen bytes, every section, repairs, edits, unusual files, and all of ../shared. */
#include "sample_motions.h"
#include "support.h"

#include "mmd/cursor.h"
#include "mmd/text.h"

#include <time.h>

/*
 * A file with every section, made by hand. Bones: センター (garbage behind its NUL) in frames 30
 * (curves 1..16, physics off), 0 (NaN, infinity, rotation of length 2) and 30 again; 左腕 in frame 5
 * (rotation all zeros). あ in frames 7 and 0 (NaN). One camera, one light, two self shadow and two property
 * keyframes, and four bytes behind the end.
 */
static const char frozen_file[] =
    "566f63616c6f6964204d6f74696f6e2044617461203030303200000000008ca9967b0000000000000000000000000000"
    "000004000000835a8393835e815b00fdfdfdfdfdfd1e0000000000803f0000004000004040000000009a99193f000000"
    "00cdcc4c3f0105630f02060a0e03070b0f04080c1005090d02060a0e03070b0f04080c1000090d02060a0e03070b0f04"
    "080c1000000d02060a0e03070b0f04080c100000008db698720000000000000000000000050000000000000000000000"
    "000000000000000000000000000000000000000014140000141414146b6b6b6b6b6b6b6b141414141414146b6b6b6b6b"
    "6b6b6b001414141414146b6b6b6b6b6b6b6b000014141414146b6b6b6b6b6b6b6b000000835a8393835e815b00fdfdfd"
    "fdfdfd000000000000c07f0000807f000080bf0000000000000000000000000000004014141414141414146b6b6b6b6b"
    "6b6b6b141414141414146b6b6b6b6b6b6b6b001414141414146b6b6b6b6b6b6b6b000014141414146b6b6b6b6b6b6b6b"
    "000000835a8393835e815b00fdfdfdfdfdfd1e000000000080400000a0400000c0400000000000000000000000000000"
    "80bf14140000141414146b6b6b6b6b6b6b6b141414141414146b6b6b6b6b6b6b6b001414141414146b6b6b6b6b6b6b6b"
    "000014141414146b6b6b6b6b6b6b6b0000000200000082a000000000000000000000000000070000000000003f82a000"
    "000000000000000000000000000000000000c07f0100000003000000000034c2000000000000204100000000000000bf"
    "0000803f000000400102030405060708090a0b0c0d0e0f1011121314151617181e000000010100000002000000000000"
    "3f0000803e0000803f000000bf000080bf0000003f0200000009000000020000003d01000000010000003f0200000004"
    "00000000010000008db691ab8268826a000000000000000000000000000000000001000000007461696c";

/* The bytes that the writer gives for new bone, morph and camera keyframes. */
static const char made_file[] =
    "566f63616c6f6964204d6f74696f6e2044617461203030303200000000008ca9967b0000000000000000000000000000"
    "000001000000987200000000000000000000000000030000000000003f000000c0000000000000000000000000000000"
    "000000803f0114630f05141407096b6b0b0d6b6b0f14140305141407096b6b0b0d6b6b0f00140305141407096b6b0b0d"
    "6b6b0f00000305141407096b6b0b0d6b6b0f0000000100000082a000000000000000000000000000070000000000403f"
    "0100000004000000000034c2000000000000204100000000000000000000000000000000146b146b146b146b146b146b"
    "146b146b146b146b146b146b1e00000001000000000000000000000000";

static mmd_buffer from_hex(const char *hex)
{
    mmd_buffer bytes = {0};
    for (; *hex; hex += 2) {
        const char digits[3] = {hex[0], hex[1], '\0'};
        mmd_write_u8(&bytes, (uint8_t)strtoul(digits, NULL, 16));
    }
    assert_false(bytes.failed);
    return bytes;
}

static mmd_motion *read_ok(const void *data, size_t size)
{
    mmd_motion *motion = NULL;
    mmd_error error = {0};
    if (mmd_vmd_read(data, size, &motion, &error) != MMD_OK)
        fail_msg("%s: %s", error.section, error.message);
    assert_non_null(motion);
    return motion;
}

static mmd_buffer write_ok(const mmd_motion *motion)
{
    mmd_buffer out = {0};
    assert_int_equal(mmd_vmd_write(motion, &out, NULL), MMD_OK);
    return out;
}

static void assert_bytes(const mmd_buffer *out, const void *data, size_t size)
{
    assert_int_equal(out->size, size);
    assert_memory_equal(out->data, data, size);
}

/* Reads, writes and compares. Returns the motion. */
static mmd_motion *assert_round_trip(const void *data, size_t size)
{
    mmd_motion *motion = read_ok(data, size);
    mmd_buffer out = write_ok(motion);
    assert_bytes(&out, data, size);
    mmd_buffer_finish(&out);
    return motion;
}

static void assert_name(const uint8_t *key, const char *name)
{
    uint8_t wanted[15];
    mmd_name_key_from_utf8(name, wanted, NULL, NULL);
    assert_memory_equal(key, wanted, sizeof wanted);
}

static void assert_floats(const float *values, const float *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(values[i] == wanted[i]);
}

static void assert_curve(mmd_curve c, int x1, int y1, int x2, int y2)
{
    assert_true(c.x1 == x1 && c.y1 == y1 && c.x2 == x2 && c.y2 == y2);
}

/* ---- The frozen file ---- */

static mmd_motion *read_frozen(void)
{
    mmd_buffer bytes = from_hex(frozen_file);
    mmd_motion *motion = read_ok(bytes.data, bytes.size);
    mmd_buffer_finish(&bytes);
    return motion;
}

static void vmd_groups_bone_records_by_name_and_sorts_them_by_frame(void **state)
{
    (void)state;
    mmd_motion *motion = read_frozen();
    assert_int_equal(motion->bone_track_count, 2);
    assert_int_equal(motion->bone_key_count, 4);
    const mmd_bone_track *center = &motion->bone_tracks[0], *arm = &motion->bone_tracks[1];
    assert_name(center->name, "センター");
    assert_name(arm->name, "左腕");
    assert_int_equal(center->count, 3);
    assert_int_equal(arm->count, 1);
    assert_int_equal(center->frames[0], 0);
    assert_int_equal(center->frames[1], 30);
    assert_int_equal(center->frames[2], 30);
    /* Of two keyframes in frame 30, the one later in the file is later in the track and therefore applies. */
    assert_floats(center->keys[2].translation, (float[3]){4, 5, 6}, 3);
    assert_int_equal(mmd_key_search(center->frames, 3, 30.0, NULL), 2);
    assert_int_equal(motion->last_frame, 30);
    assert_false(motion->cut);
    mmd_motion_destroy(motion);
}

static void vmd_takes_bone_curves_from_four_rows_and_the_switch_from_63_0f(void **state)
{
    (void)state;
    mmd_motion *motion = read_frozen();
    const mmd_bone_key *keys = motion->bone_tracks[0].keys;
    assert_curve(keys[1].curve[MMD_CHANNEL_X], 1, 2, 3, 4);
    assert_curve(keys[1].curve[MMD_CHANNEL_Y], 5, 6, 7, 8);
    assert_curve(keys[1].curve[MMD_CHANNEL_Z], 9, 10, 11, 12);
    assert_curve(keys[1].curve[MMD_CHANNEL_ROTATION], 13, 14, 15, 16);
    assert_true(keys[1].physics_off);
    assert_false(keys[0].physics_off); /* 14 14, as in old files */
    assert_false(keys[2].physics_off); /* 00 00 */
    mmd_motion_destroy(motion);
}

static void vmd_repairs_what_cannot_be_computed_with(void **state)
{
    (void)state;
    mmd_motion *motion = read_frozen();
    const mmd_bone_key *keys = motion->bone_tracks[0].keys;
    assert_floats(keys[0].translation, (float[3]){0, 0, -1}, 3);
    assert_floats(keys[0].rotation, (float[4]){0, 0, 0, 1}, 4);
    assert_floats(keys[2].rotation, (float[4]){0, 0, 0, -1}, 4);
    assert_floats(motion->bone_tracks[1].keys[0].rotation, (float[4]){0, 0, 0, 1}, 4);
    assert_int_equal(motion->morph_track_count, 1);
    assert_int_equal(motion->morph_tracks[0].frames[1], 7);
    assert_floats(motion->morph_tracks[0].weights, (float[2]){0.0f, 0.5f}, 2);
    mmd_motion_destroy(motion);
}

static void vmd_reads_camera_light_shadow_and_switches(void **state)
{
    (void)state;
    mmd_motion *motion = read_frozen();
    assert_int_equal(motion->section_count, 6);
    const mmd_camera_key *camera = motion->camera_keys;
    assert_true(motion->camera_key_count == 1 && camera->frame == 3 && camera->value.distance == -45.0f);
    assert_floats(camera->value.position, (float[3]){0, 10, 0}, 3);
    assert_floats(camera->value.rotation, (float[3]){-0.5f, 1, 2}, 3);
    assert_true(camera->value.fov == 30.0f && !camera->value.perspective);
    assert_curve(camera->curve[MMD_CAMERA_X], 1, 3, 2, 4); /* x1, x2, y1, y2 in the file */
    assert_curve(camera->curve[MMD_CAMERA_FOV], 21, 23, 22, 24);
    assert_true(motion->light_key_count == 1 && motion->light_keys->frame == 2);
    assert_floats(motion->light_keys->value.color, (float[3]){0.5f, 0.25f, 1}, 3);
    assert_floats(motion->light_keys->value.direction, (float[3]){-0.5f, -1, 0.5f}, 3);
    const mmd_self_shadow_key *shadow = motion->self_shadow_keys;
    assert_true(motion->self_shadow_key_count == 2 && shadow[0].frame == 1 && shadow[1].frame == 9);
    assert_true(shadow[0].value.mode == 1 && shadow[1].value.distance == 0.03125f);
    const mmd_property_key *property = motion->property_keys;
    assert_true(motion->property_key_count == 2 && property[0].frame == 0 && property[1].frame == 4);
    assert_true(property[0].visible == 1 && property[0].switch_count == 0 && property[1].visible == 0);
    assert_true(property[1].switch_count == 1 && property[1].switches[0].on == 0);
    assert_int_equal(motion->trailing_size, 4);
    mmd_motion_destroy(motion);
}

static void vmd_written_back_unchanged_is_the_same_file(void **state)
{
    (void)state;
    mmd_buffer bytes = from_hex(frozen_file);
    mmd_motion_destroy(assert_round_trip(bytes.data, bytes.size));
    mmd_buffer_finish(&bytes);
}

/* ---- Writing ---- */

static void vmd_of_a_made_motion_has_these_bytes(void **state)
{
    (void)state;
    uint32_t bone_frame = 3, morph_frame = 7;
    float weight = 0.75f;
    mmd_bone_key bone = {.translation = {0.5f, -2, 0}, .rotation = {0, 0, 0, 1}, .physics_off = true};
    bone.curve[0] = (mmd_curve){1, 5, 9, 13};
    bone.curve[1] = bone.curve[2] = SAMPLE_LINEAR;
    bone.curve[3] = (mmd_curve){3, 7, 11, 15};
    mmd_camera_key camera = {.frame = 4, .record = MMD_NO_RECORD, .value = mmd_default_camera()};
    camera.value.perspective = false;
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++)
        camera.curve[i] = SAMPLE_LINEAR;
    mmd_bone_track bones = {.count = 1, .frames = &bone_frame, .keys = &bone};
    mmd_morph_track morphs = {.count = 1, .frames = &morph_frame, .weights = &weight};
    mmd_name_key_from_utf8("腕", bones.name, NULL, NULL);
    mmd_name_key_from_utf8("あ", morphs.name, NULL, NULL);
    mmd_motion motion = {.bone_tracks = &bones,
                         .bone_track_count = 1,
                         .morph_tracks = &morphs,
                         .morph_track_count = 1,
                         .camera_keys = &camera,
                         .camera_key_count = 1};
    mmd_cp932_from_utf8("見本", strlen("見本"), motion.model_name, sizeof motion.model_name, NULL);
    mmd_buffer out = write_ok(&motion), wanted = from_hex(made_file);
    assert_bytes(&out, wanted.data, wanted.size);
    mmd_buffer_finish(&wanted);
    mmd_buffer_finish(&out);
}

static void vmd_holds_everything_a_motion_says(void **state)
{
    (void)state;
    mmd_motion made;
    sample_motion(&made);
    mmd_buffer out = write_ok(&made);
    mmd_motion *read = assert_round_trip(out.data, out.size);
    assert_memory_equal(read->model_name, made.model_name, sizeof made.model_name);
    assert_int_equal(read->bone_track_count, made.bone_track_count);
    assert_int_equal(read->last_frame, made.last_frame);
    for (uint32_t i = 0; i < made.bone_track_count; i++) {
        const mmd_bone_track *a = &made.bone_tracks[i], *b = &read->bone_tracks[i];
        assert_memory_equal(a->name, b->name, sizeof a->name);
        assert_int_equal(a->count, b->count);
        assert_memory_equal(a->frames, b->frames, a->count * sizeof *a->frames);
        for (uint32_t j = 0; j < a->count; j++) {
            assert_floats(a->keys[j].translation, b->keys[j].translation, 3);
            assert_memory_equal(a->keys[j].curve, b->keys[j].curve, sizeof a->keys[j].curve);
            assert_true(a->keys[j].physics_off == b->keys[j].physics_off);
            for (int k = 0; k < 4; k++)
                assert_true(fabsf(a->keys[j].rotation[k] - b->keys[j].rotation[k]) < 1e-6f);
        }
    }
    for (double frame = -1.0; frame < 25.0; frame += 0.25) {
        mmd_camera a, b;
        assert_true(mmd_motion_camera(&made, frame, &a) && mmd_motion_camera(read, frame, &b));
        assert_true(a.distance == b.distance && a.fov == b.fov && a.perspective == b.perspective);
        assert_int_equal(mmd_motion_visible(&made, frame), mmd_motion_visible(read, frame));
    }
    mmd_motion_destroy(read);
    mmd_buffer_finish(&out);
    sample_motion_finish(&made);
}

/* Returns the number of bytes in which two files of the same size differ, and the offsets of the first and
 * the last one. */
static size_t differing(const mmd_buffer *a, const mmd_buffer *b, size_t *first, size_t *last)
{
    size_t count = 0;
    assert_int_equal(a->size, b->size);
    for (size_t i = 0; i < a->size; i++)
        if (a->data[i] != b->data[i]) {
            *first = count++ ? *first : i;
            *last = i;
        }
    return count;
}

enum {
    FROZEN_BONES = 54,
    FROZEN_MORPHS = FROZEN_BONES + 4 * 111 + 4,
    FROZEN_CAMERA = FROZEN_MORPHS + 2 * 23 + 4
};

static void vmd_of_an_edited_motion_changes_only_what_was_edited(void **state)
{
    (void)state;
    mmd_buffer before = from_hex(frozen_file);
    size_t first = 0, last = 0;

    mmd_motion *motion = read_frozen();
    motion->bone_tracks[0].keys[0].translation[2] = 7.0f; /* record 2, whose x and y are not finite */
    mmd_buffer after = write_ok(motion);
    assert_in_range(differing(&before, &after, &first, &last), 1, 4);
    assert_in_range(first, FROZEN_BONES + 2 * 111 + 27, FROZEN_BONES + 2 * 111 + 30);
    assert_in_range(last, FROZEN_BONES + 2 * 111 + 27, FROZEN_BONES + 2 * 111 + 30);
    mmd_buffer_finish(&after);
    mmd_motion_destroy(motion);

    motion = read_frozen();
    motion->bone_tracks[0].keys[1].physics_off = false; /* record 0 */
    motion->camera_keys[0].value.fov = 31.4f;
    after = write_ok(motion);
    assert_int_equal(differing(&before, &after, &first, &last), 3);
    assert_int_equal(first, FROZEN_BONES + 47 + 2);
    assert_int_equal(last, FROZEN_CAMERA + 56);
    assert_int_equal(after.data[last], 31);
    mmd_buffer_finish(&after);
    mmd_motion_destroy(motion);

    motion = read_frozen();
    motion->morph_tracks[0].weights[0] = 0.25f; /* record 1, which was NaN */
    motion->morph_tracks[0].frames[1] = 8;      /* record 0 */
    after = write_ok(motion);
    assert_true(differing(&before, &after, &first, &last) > 1);
    assert_int_equal(first, FROZEN_MORPHS + 15);
    assert_in_range(last, FROZEN_MORPHS + 23 + 19, FROZEN_MORPHS + 23 + 22);
    mmd_buffer_finish(&after);
    mmd_motion_destroy(motion);
    mmd_buffer_finish(&before);
}

static void vmd_of_a_renamed_and_turned_bone_reads_as_such(void **state)
{
    (void)state;
    mmd_motion *motion = read_frozen();
    mmd_name_key_from_utf8("腰", motion->bone_tracks[1].name, NULL, NULL);
    memcpy(motion->bone_tracks[1].keys[0].rotation, (float[4]){0.6f, 0, 0, 0.8f}, 4 * sizeof(float));
    motion->bone_tracks[1].keys[0].curve[3] = SAMPLE_STEEP;
    mmd_buffer out = write_ok(motion);
    mmd_motion *read = read_ok(out.data, out.size);
    assert_name(read->bone_tracks[1].name, "腰");
    assert_true(fabsf(read->bone_tracks[1].keys[0].rotation[0] - 0.6f) < 1e-6f);
    assert_curve(read->bone_tracks[1].keys[0].curve[3], 127, 0, 0, 127);
    assert_curve(read->bone_tracks[1].keys[0].curve[0], 20, 20, 107, 107);
    mmd_motion_destroy(read);
    mmd_buffer_finish(&out);
    mmd_motion_destroy(motion);
}

static void vmd_of_keys_added_and_removed_keeps_the_others_in_place(void **state)
{
    (void)state;
    mmd_motion *motion = read_frozen();
    mmd_bone_track *center = &motion->bone_tracks[0];
    center->keys[2] = center->keys[0];
    center->records[2] = MMD_NO_RECORD; /* a new keyframe instead of record 3 */
    center->frames[2] = 99;
    mmd_buffer before = from_hex(frozen_file), out = write_ok(motion);
    assert_memory_equal(out.data, before.data, FROZEN_BONES + 3 * 111);
    mmd_motion *read = read_ok(out.data, out.size);
    assert_int_equal(read->bone_tracks[0].frames[2], 99);
    assert_int_equal(read->last_frame, 99);
    mmd_motion_destroy(read);
    mmd_buffer_finish(&out);
    motion->bone_track_count = 0;
    out = write_ok(motion);
    assert_int_equal(out.size, before.size - 4 * 111);
    mmd_buffer_finish(&out);
    mmd_buffer_finish(&before);
    mmd_motion_destroy(motion);
}

/* ---- Unusual files ---- */

static void put_header(mmd_buffer *out, const char *magic, size_t name_size)
{
    mmd_write_bytes(out, magic, strlen(magic));
    mmd_write_zeros(out, 30 - strlen(magic));
    mmd_write_bytes(out, "model", 5);
    mmd_write_zeros(out, name_size - 5);
}

static void put_morph(mmd_buffer *out, const char *name, uint32_t frame, float weight)
{
    size_t length = strlen(name) < 15 ? strlen(name) : 15;
    mmd_write_bytes(out, name, length);
    mmd_write_zeros(out, 15 - length);
    mmd_write_u32(out, frame);
    mmd_write_f32(out, weight);
}

static void vmd_may_end_behind_any_section(void **state)
{
    (void)state;
    for (uint32_t sections = 0; sections <= 6; sections++) {
        mmd_buffer bytes = {0};
        put_header(&bytes, "Vocaloid Motion Data 0002", 20);
        mmd_write_zeros(&bytes, 4 * (size_t)sections);
        mmd_motion *motion = assert_round_trip(bytes.data, bytes.size);
        assert_int_equal(motion->section_count, sections);
        assert_false(motion->cut);
        assert_int_equal(motion->trailing_size, 0);
        mmd_motion_destroy(motion);
        mmd_buffer_finish(&bytes);
    }
}

static void vmd_headers_of_all_ages_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *magic;
        size_t name_size;
    } headers[] = {{"Vocaloid Motion Data 0001", 20},
                   {"Vocaloid Motion Data 0002", 20},
                   {"Vocaloid Motion Data", 20},
                   {"Vocaloid Motion Data file", 10}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        mmd_buffer bytes = {0};
        put_header(&bytes, headers[i].magic, headers[i].name_size);
        mmd_write_u32(&bytes, 0);
        mmd_write_u32(&bytes, 1);
        put_morph(&bytes, "a", 12, 0.5f);
        mmd_motion *motion = assert_round_trip(bytes.data, bytes.size);
        assert_string_equal((const char *)motion->model_name, "model");
        assert_int_equal(motion->morph_tracks[0].frames[0], 12);
        mmd_motion_destroy(motion);
        mmd_buffer_finish(&bytes);
    }
}

static void vmd_of_another_kind_or_without_a_whole_header_is_refused(void **state)
{
    (void)state;
    mmd_motion *motion;
    mmd_error error;
    mmd_buffer bytes = {0};
    put_header(&bytes, "Vocaloid Motion Data 0002", 20);
    for (size_t size = 0; size < bytes.size; size++) {
        mmd_status wanted = size < strlen("Vocaloid Motion Data") ? MMD_ERROR_MAGIC : MMD_ERROR_TRUNCATED;
        assert_int_equal(mmd_vmd_read(bytes.data, size, &motion, &error), wanted);
        assert_null(motion);
        assert_string_equal(error.section, "header");
        assert_true(error.offset <= size);
    }
    bytes.data[0] = 'v';
    assert_int_equal(mmd_vmd_read(bytes.data, bytes.size, &motion, NULL), MMD_ERROR_MAGIC);
    mmd_buffer_finish(&bytes);
}

static void vmd_cut_in_a_section_keeps_its_whole_records(void **state)
{
    (void)state;
    mmd_buffer bytes = from_hex(frozen_file);
    mmd_motion *motion = read_ok(bytes.data, FROZEN_BONES + 2 * 111 + 100);
    assert_true(motion->cut);
    assert_int_equal(motion->bone_key_count, 2);
    assert_int_equal(motion->section_count, 1);
    /* Written again, the file is complete and has the true count. */
    mmd_buffer out = write_ok(motion);
    assert_int_equal(out.size, FROZEN_BONES + 2 * 111);
    assert_int_equal(out.data[50], 2);
    assert_memory_equal(out.data + FROZEN_BONES, bytes.data + FROZEN_BONES, 2 * 111);
    mmd_motion_destroy(motion);
    motion = assert_round_trip(out.data, out.size);
    assert_false(motion->cut);
    mmd_motion_destroy(motion);
    mmd_buffer_finish(&out);

    motion = read_ok(bytes.data, bytes.size - 5); /* in the last property record */
    assert_true(motion->cut && motion->property_key_count == 1);
    mmd_motion_destroy(motion);
    motion = read_ok(bytes.data, FROZEN_BONES + 4 * 111 + 2); /* in a count */
    assert_true(motion->cut && motion->section_count == 1 && motion->bone_key_count == 4);
    mmd_motion_destroy(motion);
    mmd_buffer_finish(&bytes);
}

static void vmd_with_an_impossible_count_keeps_what_is_there(void **state)
{
    (void)state;
    mmd_buffer bytes = {0};
    put_header(&bytes, "Vocaloid Motion Data 0002", 20);
    mmd_write_u32(&bytes, 0);
    mmd_write_u32(&bytes, UINT32_MAX);
    put_morph(&bytes, "a", 1, 0.5f);
    put_morph(&bytes, "a", 2, 0.5f);
    mmd_motion *motion = read_ok(bytes.data, bytes.size);
    assert_true(motion->cut && motion->morph_key_count == 2);
    mmd_motion_destroy(motion);
    mmd_buffer_finish(&bytes);
}

static void vmd_with_a_stray_record_behind_a_zero_count_keeps_it_as_bytes(void **state)
{
    (void)state;
    static const size_t sizes[3] = {61, 28, 9};
    for (size_t i = 0; i < 3; i++) {
        mmd_buffer bytes = {0};
        put_header(&bytes, "Vocaloid Motion Data 0002", 20);
        mmd_write_zeros(&bytes, 4 * (3 + i));
        for (size_t k = 0; k < sizes[i]; k++)
            mmd_write_u8(&bytes, 0x55);
        mmd_motion *motion = assert_round_trip(bytes.data, bytes.size);
        assert_false(motion->cut);
        assert_int_equal(motion->trailing_size, sizes[i]);
        assert_int_equal(motion->camera_key_count + motion->light_key_count + motion->self_shadow_key_count,
                         0);
        mmd_motion_destroy(motion);
        mmd_buffer_finish(&bytes);
    }
}

static void vmd_sorts_long_tracks_stably(void **state)
{
    (void)state;
    enum { KEYS = 5000 };
    mmd_buffer bytes = {0};
    uint64_t seed = 8;
    put_header(&bytes, "Vocaloid Motion Data 0002", 20);
    mmd_write_u32(&bytes, 0);
    mmd_write_u32(&bytes, KEYS);
    for (uint32_t i = 0; i < KEYS; i++)
        put_morph(&bytes, i % 3 ? "a" : "b", i < 1000 ? 1000 - i : (uint32_t)(test_random(&seed) % 600),
                  (float)i);
    mmd_motion *motion = assert_round_trip(bytes.data, bytes.size);
    uint32_t keys = 0;
    for (uint32_t t = 0; t < motion->morph_track_count; t++) {
        const mmd_morph_track *track = &motion->morph_tracks[t];
        keys += track->count;
        for (uint32_t i = 1; i < track->count; i++)
            assert_true(
                track->frames[i - 1] < track->frames[i] ||
                (track->frames[i - 1] == track->frames[i] && track->weights[i - 1] < track->weights[i]));
    }
    assert_int_equal(keys, KEYS);
    mmd_motion_destroy(motion);
    mmd_buffer_finish(&bytes);
}

/* Names with ever longer common prefixes are the worst case of a crit-bit tree. */
static void vmd_of_nothing_but_distinct_names_is_read_in_their_order(void **state)
{
    (void)state;
    enum { NAMES = 100000 };
    mmd_buffer bytes = {0};
    put_header(&bytes, "Vocaloid Motion Data 0002", 20);
    mmd_write_u32(&bytes, 0);
    mmd_write_u32(&bytes, 2 * NAMES);
    for (uint32_t i = 0; i < 2 * NAMES; i++) {
        char name[16];
        uint32_t number = i < NAMES ? i : 2 * NAMES - 1 - i; /* forwards, then backwards */
        for (int bit = 0; bit < 15; bit++)
            name[bit] = (char)(1 + (number >> bit & 1) + (bit == 14 ? 2 * (number >> 15) : 0));
        name[15] = '\0';
        put_morph(&bytes, name, i, 0.0f);
    }
    mmd_motion *motion = assert_round_trip(bytes.data, bytes.size);
    assert_int_equal(motion->morph_track_count, NAMES);
    for (uint32_t i = 0; i < NAMES; i++) {
        assert_int_equal(motion->morph_tracks[i].count, 2);
        assert_int_equal(motion->morph_tracks[i].frames[0], i);
        assert_int_equal(motion->morph_tracks[i].frames[1], 2 * NAMES - 1 - i);
    }
    assert_true(motion->arena.used <= 8 * bytes.size + 65536);
    mmd_motion_destroy(motion);
    mmd_buffer_finish(&bytes);
}

/* ---- Files from other programs ---- */

typedef struct round_trips {
    size_t files, same, cut;
} round_trips;

static void round_trip(const char *name, void *user)
{
    round_trips *trips = user;
    mmd_bytes bytes = shared_read(name);
    mmd_motion *motion = read_ok(bytes.data, bytes.size);
    mmd_buffer out = write_ok(motion);
    trips->files++;
    if (motion->cut) {
        trips->cut++;
        print_message("%s: cut short, %u bone keys kept\n", name, motion->bone_key_count);
    } else {
        assert_bytes(&out, bytes.data, bytes.size);
        trips->same++;
    }
    assert_true(motion->arena.used <= 8 * bytes.size + 65536);
    mmd_motion_destroy(motion);
    mmd_buffer_finish(&out);
    mmd_bytes_finish(&bytes);
}

static void vmd_round_trips_of_shared_files_are_byte_identical(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    round_trips trips = {0};
    shared_each(".vmd", round_trip, &trips);
    print_message("%zu .vmd files, %zu byte-identical, %zu cut short\n", trips.files, trips.same, trips.cut);
    assert_int_equal(trips.same + trips.cut, trips.files);
    assert_int_equal(trips.cut, 1); /* physics_toggle_test_yyb10th.vmd ends within its bones */
    assert_true(trips.files > 1);
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void vmd_loading_time_is_printed(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    enum { ROUNDS = 100 };
    double times[ROUNDS];
    mmd_bytes bytes = shared_read("data/motions/kishimen.vmd");
    uint64_t blocks = mmd_heap_blocks_in_use();
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        mmd_motion *motion = read_ok(bytes.data, bytes.size);
        clock_gettime(CLOCK_MONOTONIC, &end);
        assert_int_equal(motion->bone_key_count, 3655);
        times[i] = (double)(end.tv_sec - start.tv_sec) * 1e3 + (double)(end.tv_nsec - start.tv_nsec) * 1e-6;
        mmd_motion_destroy(motion);
    }
    qsort(times, ROUNDS, sizeof *times, compare_times);
    print_message("kishimen.vmd: median of %d %.3f ms, fastest %.3f ms\n", ROUNDS, times[ROUNDS / 2],
                  times[0]);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
    mmd_bytes_finish(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vmd_groups_bone_records_by_name_and_sorts_them_by_frame),
        cmocka_unit_test(vmd_takes_bone_curves_from_four_rows_and_the_switch_from_63_0f),
        cmocka_unit_test(vmd_repairs_what_cannot_be_computed_with),
        cmocka_unit_test(vmd_reads_camera_light_shadow_and_switches),
        cmocka_unit_test(vmd_written_back_unchanged_is_the_same_file),
        cmocka_unit_test(vmd_of_a_made_motion_has_these_bytes),
        cmocka_unit_test(vmd_holds_everything_a_motion_says),
        cmocka_unit_test(vmd_of_an_edited_motion_changes_only_what_was_edited),
        cmocka_unit_test(vmd_of_a_renamed_and_turned_bone_reads_as_such),
        cmocka_unit_test(vmd_of_keys_added_and_removed_keeps_the_others_in_place),
        cmocka_unit_test(vmd_may_end_behind_any_section),
        cmocka_unit_test(vmd_headers_of_all_ages_are_read),
        cmocka_unit_test(vmd_of_another_kind_or_without_a_whole_header_is_refused),
        cmocka_unit_test(vmd_cut_in_a_section_keeps_its_whole_records),
        cmocka_unit_test(vmd_with_an_impossible_count_keeps_what_is_there),
        cmocka_unit_test(vmd_with_a_stray_record_behind_a_zero_count_keeps_it_as_bytes),
        cmocka_unit_test(vmd_sorts_long_tracks_stably),
        cmocka_unit_test(vmd_of_nothing_but_distinct_names_is_read_in_their_order),
        cmocka_unit_test(vmd_round_trips_of_shared_files_are_byte_identical),
        cmocka_unit_test(vmd_loading_time_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
