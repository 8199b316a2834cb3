/* Adding and removing keyframes: the written file, and what must stay unchanged. */
#include "support.h"

#include "mmd/format.h"
#include "mmd/keying.h"
#include "mmd/text.h"
#include "sample_motions.h"

static mmd_buffer written(const mmd_motion *motion)
{
    mmd_buffer out = {0};
    mmd_error error;
    if (mmd_vmd_write(motion, &out, &error) != MMD_OK)
        fail_msg("%s", error.message);
    return out;
}

static mmd_motion *read(const void *data, size_t size)
{
    mmd_motion *motion;
    mmd_error error;
    if (mmd_vmd_read(data, size, &motion, &error) != MMD_OK)
        fail_msg("%s", error.message);
    return motion;
}

/* Reads the file of the bundled dance. */
static mmd_bytes dance_file(void)
{
    mmd_bytes bytes = {0};
    assert_int_equal(mmd_file_read(ODORI_BINARY "/dancer/dance.vmd", &bytes, NULL), MMD_OK);
    return bytes;
}

static mmd_motion *copy(const mmd_motion *motion)
{
    mmd_motion *result;
    assert_int_equal(mmd_motion_copy(motion, &result, NULL), MMD_OK);
    return result;
}

static void expect_written(const mmd_motion *motion, const void *data, size_t size)
{
    mmd_buffer out = written(motion);
    assert_int_equal(out.size, size);
    assert_memory_equal(out.data, data, size);
    mmd_buffer_finish(&out);
}

static void a_copy_is_written_as_the_original(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_motion made;
    sample_motion(&made);
    mmd_buffer bytes = written(&made);
    mmd_motion *original = read(bytes.data, bytes.size), *twin = copy(original);
    mmd_motion_destroy(original); /* nothing is shared */
    expect_written(twin, bytes.data, bytes.size);
    mmd_motion_destroy(twin);
    sample_motion_finish(&made);
    mmd_buffer_finish(&bytes);
    twin = copy(NULL);
    assert_int_equal(twin->bone_key_count, 0);
    bytes = written(twin);
    assert_true(bytes.size > 0);
    mmd_buffer_finish(&bytes);
    mmd_motion_destroy(twin);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

static void visit_motion(const char *name, void *user)
{
    mmd_bytes bytes = shared_read(name);
    mmd_motion *original;
    if (mmd_vmd_read(bytes.data, bytes.size, &original, NULL) == MMD_OK) {
        mmd_buffer before = written(original);
        mmd_motion *twin = copy(original);
        mmd_motion_destroy(original);
        expect_written(twin, before.data, before.size);
        mmd_motion_destroy(twin);
        mmd_buffer_finish(&before);
        ++*(int *)user;
    }
    mmd_free(bytes.data);
}

static void copies_of_real_motions_are_written_as_they_are(void **state)
{
    (void)state;
    REQUIRE_SHARED();
    int count = 0;
    shared_each(".vmd", visit_motion, &count);
    print_message("%d motions\n", count);
    assert_true(count > 5);
}

static void key_name(const char *utf8, uint8_t name[15])
{
    mmd_name_key_from_utf8(utf8, name, NULL, NULL);
}

static mmd_stored_bone_key made_key(float x)
{
    return (mmd_stored_bone_key){
        .record = MMD_NO_RECORD,
        .key = {.translation = {x, 2, 3},
                .rotation = {0, 0.6f, 0, 0.8f},
                .curve = {mmd_default_curve(), mmd_default_curve(), mmd_default_curve(), SAMPLE_STEEP}}};
}

static void expect_key(const mmd_motion *motion, const uint8_t name[15], uint32_t frame,
                       const mmd_stored_bone_key *wanted)
{
    mmd_stored_bone_key key;
    assert_true(mmd_motion_get_bone_key(motion, name, frame, &key));
    assert_memory_equal(key.key.translation, wanted->key.translation, sizeof key.key.translation);
    assert_memory_equal(key.key.rotation, wanted->key.rotation, sizeof key.key.rotation);
    assert_memory_equal(key.key.curve, wanted->key.curve, sizeof key.key.curve);
}

/*
 * Returns how many of a file's bone records also exist in another one, byte for byte and in the same order.
 */
static uint32_t common_records(const mmd_motion *a, const mmd_buffer *b)
{
    const uint8_t *records = b->data + 30 + 20 + 4;
    uint32_t count, found = 0;
    memcpy(&count, records - 4, 4);
    for (uint32_t i = 0, at = 0; i < a->bone_records.count; i++)
        for (uint32_t k = at; k < count; k++)
            if (!memcmp(a->bone_records.bytes + (size_t)i * 111, records + (size_t)k * 111, 111)) {
                at = k + 1;
                found++;
                break;
            }
    return found;
}

/* Adds a keyframe, replaces one, and adds one to a bone without any. They exist after writing and reading,
 * and the others are unchanged. */
static void edits_at_three_frames_leave_all_other_keys_as_their_bytes_were(void **state)
{
    (void)state;
    mmd_bytes bytes = dance_file();
    mmd_motion *original = read(bytes.data, bytes.size), *edited = copy(original);
    const mmd_bone_track *track = &original->bone_tracks[0];
    while (track->count < 3)
        track++;
    uint32_t replaced = track->frames[1], added = track->frames[track->count - 1] + 7;
    uint8_t other[15];
    key_name("誰も知らない", other);
    assert_null(mmd_motion_find_bone(original, other));
    mmd_stored_bone_key keys[3] = {made_key(1), made_key(4), made_key(9)};
    mmd_stored_bone_key before;
    assert_true(mmd_motion_get_bone_key(edited, track->name, replaced, &before));
    keys[0].record = before.record;
    bool moved = false;
    assert_int_equal(mmd_motion_set_bone_key(edited, track->name, replaced, &keys[0], &moved, NULL), MMD_OK);
    assert_false(moved);
    assert_int_equal(mmd_motion_set_bone_key(edited, track->name, added, &keys[1], &moved, NULL), MMD_OK);
    assert_true(moved);
    assert_int_equal(mmd_motion_set_bone_key(edited, other, 12, &keys[2], &moved, NULL), MMD_OK);
    mmd_buffer out = written(edited);
    mmd_motion *again = read(out.data, out.size);
    expect_key(again, track->name, replaced, &keys[0]);
    expect_key(again, track->name, added, &keys[1]);
    expect_key(again, other, 12, &keys[2]);
    assert_int_equal(again->bone_key_count, original->bone_key_count + 2);
    uint32_t common = common_records(original, &out);
    print_message("%u of %u records are in the edited file, byte for byte\n", common,
                  original->bone_records.count);
    assert_int_equal(common, original->bone_records.count - 1);
    /* Undoing gives the original file. */
    assert_int_equal(mmd_motion_set_bone_key(edited, track->name, replaced, &before, NULL, NULL), MMD_OK);
    assert_true(mmd_motion_remove_bone_key(edited, track->name, added, NULL));
    assert_true(mmd_motion_remove_bone_key(edited, other, 12, NULL));
    assert_false(mmd_motion_remove_bone_key(edited, other, 12, NULL));
    expect_written(edited, bytes.data, bytes.size);
    assert_int_equal(edited->last_frame, original->last_frame);
    mmd_motion_destroy(again);
    mmd_motion_destroy(edited);
    mmd_motion_destroy(original);
    mmd_buffer_finish(&out);
    mmd_free(bytes.data);
}

/* --- All sections --- */

/* Returns the beginning of a section's records in a written file, and their number. */
static const uint8_t *section_at(const mmd_buffer *file, mmd_key_kind kind, uint32_t *count)
{
    static const size_t sizes[MMD_KEY_PROPERTY] = {111, 23, 61, 28, 9};
    const uint8_t *at = file->data + 50;
    for (int i = 0;; i++) {
        memcpy(count, at, 4);
        if (i == (int)kind)
            return at + 4;
        at += 4 + *count * sizes[i];
    }
}

/* At three frames of a section a keyframe was replaced, added and removed. All other records must be
 * unchanged. */
static void expect_other_records(const mmd_motion *original, mmd_key_kind kind, size_t size,
                                 const mmd_vmd_records *records)
{
    mmd_motion *edited = copy(original);
    const mmd_key_row row = mmd_key_row_of(kind, NULL);
    uint32_t count = mmd_motion_count_keys(edited, &row), kept = 0, written_count;
    assert_true(count >= 1);
    uint32_t replaced = mmd_motion_key_frame(edited, &row, 0),
             added = mmd_motion_key_frame(edited, &row, count - 1) + 9;
    mmd_stored_key key, gone = {0};
    assert_true(mmd_motion_get_key(edited, &row, replaced, &key));
    if (kind == MMD_KEY_CAMERA)
        key.as.camera.value.distance += 1;
    else if (kind == MMD_KEY_LIGHT)
        key.as.light.value.color[0] += 0.25f;
    else
        key.as.self_shadow.value.distance += 1;
    mmd_stored_key fresh = key;
    fresh.record = MMD_NO_RECORD;
    assert_int_equal(mmd_motion_set_key(edited, &row, replaced, &key, NULL, NULL), MMD_OK);
    assert_int_equal(mmd_motion_set_key(edited, &row, added, &fresh, NULL, NULL), MMD_OK);
    uint32_t away = mmd_motion_key_frame(edited, &row, count / 2);
    bool takes = count > 2 && mmd_motion_get_key(edited, &row, away, &gone);
    assert_true(!takes || mmd_motion_remove_key(edited, &row, away, NULL));
    mmd_buffer out = written(edited);
    const uint8_t *at = section_at(&out, kind, &written_count);
    assert_int_equal(written_count, count + 1 - takes);
    for (uint32_t i = 0, k = 0; i < records->count; i++) {
        if (takes && i == gone.record)
            continue;
        kept += memcmp(records->bytes + i * size, at + k++ * size, size) == 0;
    }
    assert_int_equal(kept, count - 1 - takes);
    mmd_motion *again = read(out.data, out.size);
    assert_true(mmd_motion_get_key(again, &row, added, &gone));
    assert_true(again->last_frame >= added);
    mmd_motion_destroy(again);
    mmd_motion_destroy(edited);
    mmd_buffer_finish(&out);
}

static void keys_of_camera_light_and_shadow_leave_all_other_records_as_they_were(void **state)
{
    (void)state;
    mmd_bytes bytes = {0};
    assert_int_equal(mmd_file_read(ODORI_BINARY "/dancer/camera.vmd", &bytes, NULL), MMD_OK);
    mmd_motion *original = read(bytes.data, bytes.size);
    expect_other_records(original, MMD_KEY_CAMERA, 61, &original->camera_records);
    expect_other_records(original, MMD_KEY_LIGHT, 28, &original->light_records);
    expect_other_records(original, MMD_KEY_SELF_SHADOW, 9, &original->self_shadow_records);
    mmd_motion_destroy(original);
    mmd_free(bytes.data);
}

/* Removing keyframes of all sections and restoring them in reverse order gives the identical file. */
static void what_was_taken_away_and_put_back_is_the_very_file(void **state)
{
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_motion made;
    sample_motion(&made);
    mmd_buffer bytes = written(&made);
    mmd_motion *m = read(bytes.data, bytes.size);
    for (int kind = MMD_KEY_CAMERA; kind < MMD_KEY_KINDS; kind++) {
        const mmd_key_row row = mmd_key_row_of((mmd_key_kind)kind, NULL);
        mmd_stored_key keys[8];
        uint32_t frames[8], count = mmd_motion_count_keys(m, &row);
        assert_in_range(count, 1, 8);
        for (uint32_t i = count; i-- > 0;) {
            frames[i] = mmd_motion_key_frame(m, &row, i);
            assert_true(mmd_motion_get_key(m, &row, frames[i], &keys[i]));
            assert_true(mmd_motion_remove_key(m, &row, frames[i], NULL));
        }
        assert_int_equal(mmd_motion_count_keys(m, &row), 0);
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(mmd_motion_add_key(m, &row, frames[i], &keys[i], NULL, NULL), MMD_OK);
    }
    expect_written(m, bytes.data, bytes.size);
    mmd_motion_destroy(m);
    sample_motion_finish(&made);
    mmd_buffer_finish(&bytes);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* The motion owns the switches of a visibility and IK keyframe. */
static void switches_are_copied_with_their_key(void **state)
{
    (void)state;
    mmd_motion *m = copy(NULL);
    const mmd_key_row row = mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
    uint8_t knee[15] = {0};
    mmd_cp932_from_utf8("右足ＩＫ", strlen("右足ＩＫ"), knee, sizeof knee, NULL);
    mmd_ik_switch off = {.on = 0};
    memcpy(off.name, knee, sizeof knee);
    mmd_stored_key key = {.record = MMD_NO_RECORD,
                          .as.property = {.visible = 0, .switch_count = 1, .switches = &off}};
    assert_int_equal(mmd_motion_set_key(m, &row, 30, &key, NULL, NULL), MMD_OK);
    off.on = 1;
    key.as.property.visible = 1;
    assert_int_equal(mmd_motion_set_key(m, &row, 60, &key, NULL, NULL), MMD_OK);
    mmd_buffer out = written(m);
    mmd_motion *again = read(out.data, out.size);
    assert_false(mmd_motion_visible(again, 45) || mmd_motion_ik_on(again, knee, 45));
    assert_true(mmd_motion_visible(again, 60) && mmd_motion_ik_on(again, knee, 60));
    assert_true(mmd_motion_remove_key(again, &row, 30, NULL));
    assert_true(mmd_motion_visible(again, 45) && again->property_key_count == 1);
    mmd_motion_destroy(again);
    mmd_motion_destroy(m);
    mmd_buffer_finish(&out);
}

/* Undoing and redoing such a keyframe repeatedly allocates no more memory. */
static void switches_that_are_put_back_are_not_copied(void **state)
{
    (void)state;
    mmd_motion *m = copy(NULL);
    const mmd_key_row row = mmd_key_row_of(MMD_KEY_PROPERTY, NULL);
    mmd_ik_switch off = {.name = "left", .on = 0};
    mmd_stored_key key = {.record = MMD_NO_RECORD, .as.property = {.switch_count = 1, .switches = &off}}, got;
    assert_int_equal(mmd_motion_set_key(m, &row, 30, &key, NULL, NULL), MMD_OK);
    assert_true(mmd_motion_get_key(m, &row, 30, &got));
    assert_ptr_not_equal(got.as.property.switches, &off);
    const size_t used = m->arena.used;
    for (int i = 0; i < 100000; i++) {
        assert_true(mmd_motion_remove_key(m, &row, 30, NULL));
        assert_int_equal(mmd_motion_add_key(m, &row, 30, &got, NULL, NULL), MMD_OK);
        assert_int_equal(mmd_motion_set_key(m, &row, 30, &got, NULL, NULL), MMD_OK);
    }
    assert_int_equal(m->arena.used, used);
    assert_true(mmd_motion_get_key(m, &row, 30, &key));
    assert_ptr_equal(key.as.property.switches, got.as.property.switches);
    mmd_motion_destroy(m);
}

/* A track that repeatedly loses its last keyframe and gets a new one, as during a drag, allocates no more
 * memory. */
static void tracks_that_come_and_go_use_their_memory_again(void **state)
{
    (void)state;
    mmd_bytes bytes = dance_file();
    mmd_motion *original = read(bytes.data, bytes.size), *m = copy(original);
    const mmd_key_row row = mmd_key_row_of(MMD_KEY_BONE, (const uint8_t[15]){'n', 'e', 'w'});
    mmd_stored_key key = {.record = MMD_NO_RECORD, .as.bone = made_key(1).key};
    size_t used = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        assert_int_equal(mmd_motion_set_key(m, &row, i, &key, NULL, NULL), MMD_OK);
        assert_true(mmd_motion_remove_key(m, &row, i, NULL));
        used = i == 0 ? m->arena.used : used;
    }
    assert_int_equal(m->arena.used, used);
    expect_written(m, bytes.data, bytes.size);
    mmd_motion_destroy(m);
    mmd_motion_destroy(original);
    mmd_free(bytes.data);
}

/* Compares a motion built from nothing with a plain list of what was set. */
static void many_keys_come_out_in_order(void **state)
{
    (void)state;
    enum { BONES = 5, FRAMES = 400, EDITS = 20000 };
    static float value[BONES][FRAMES], weight[BONES][FRAMES];
    static bool there[BONES][FRAMES], open[BONES][FRAMES];
    uint64_t seed = 7;
    mmd_motion *m = copy(NULL);
    for (int i = 0; i < EDITS; i++) {
        uint32_t b = (uint32_t)(test_random(&seed) % BONES), f = (uint32_t)(test_random(&seed) % FRAMES);
        uint8_t name[15] = {'b', (uint8_t)('0' + b)};
        float x = (float)(i % 1000);
        if (test_random(&seed) % 3 == 0) {
            assert_true(mmd_motion_remove_bone_key(m, name, f, NULL) == there[b][f]);
            assert_true(mmd_motion_remove_morph_key(m, name, f, NULL) == open[b][f]);
            there[b][f] = open[b][f] = false;
        } else {
            mmd_stored_bone_key key = made_key(x);
            assert_int_equal(mmd_motion_set_bone_key(m, name, f, &key, NULL, NULL), MMD_OK);
            assert_int_equal(mmd_motion_set_morph_key(m, name, f, MMD_NO_RECORD, x / 1000, NULL, NULL),
                             MMD_OK);
            there[b][f] = open[b][f] = true;
            value[b][f] = x;
            weight[b][f] = x / 1000;
        }
    }
    mmd_buffer out = written(m);
    mmd_motion *again = read(out.data, out.size);
    uint32_t total = 0, last = 0;
    for (uint32_t b = 0; b < BONES; b++)
        for (uint32_t f = 0; f < FRAMES; f++) {
            uint8_t name[15] = {'b', (uint8_t)('0' + b)};
            mmd_stored_bone_key key;
            uint32_t record;
            float w;
            assert_true(mmd_motion_get_bone_key(again, name, f, &key) == there[b][f]);
            assert_true(mmd_motion_get_morph_key(again, name, f, &record, &w) == open[b][f]);
            if (there[b][f])
                assert_true(key.key.translation[0] == value[b][f] && w == weight[b][f]);
            total += there[b][f];
            last = there[b][f] && f > last ? f : last;
        }
    assert_int_equal(m->bone_key_count, total);
    assert_int_equal(again->bone_key_count, total);
    assert_int_equal(m->last_frame, last);
    print_message("%u keys in %zu bytes of arena\n", total, m->arena.used);
    mmd_motion_destroy(again);
    mmd_motion_destroy(m);
    mmd_buffer_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_written_as_the_original),
        cmocka_unit_test(copies_of_real_motions_are_written_as_they_are),
        cmocka_unit_test(edits_at_three_frames_leave_all_other_keys_as_their_bytes_were),
        cmocka_unit_test(keys_of_camera_light_and_shadow_leave_all_other_records_as_they_were),
        cmocka_unit_test(what_was_taken_away_and_put_back_is_the_very_file),
        cmocka_unit_test(switches_are_copied_with_their_key),
        cmocka_unit_test(switches_that_are_put_back_are_not_copied),
        cmocka_unit_test(tracks_that_come_and_go_use_their_memory_again),
        cmocka_unit_test(many_keys_come_out_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
