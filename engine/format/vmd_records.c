/*
 * Decodes and encodes the records of a VMD (docs/mmd.md 1.3). Decoding repairs values that cannot be computed
 * with. An encoding function receives the record that the key was read from, or a neutral one, and changes
 * only fields in which the key differs from the record: what nobody edited keeps its bytes, however odd they
 * are.
 */
#include "vmd_records.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* --- Reading --- */

static float load_finite(const uint8_t *b)
{
    float value = load_f32(b);
    return isfinite(value) ? value : 0.0f;
}

static void load_vector(const uint8_t *b, float v[3])
{
    for (int i = 0; i < 3; i++)
        v[i] = load_finite(b + 4 * i);
}

/* Uses double precision, in which squares of floats neither overflow nor vanish. */
static void load_rotation(const uint8_t *b, float q[4])
{
    double length = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = load_f32(b + 4 * i);
        length += (double)q[i] * q[i];
    }
    if (!(length > 0.0) || !isfinite(length)) {
        memcpy(q, (float[4]){0.0f, 0.0f, 0.0f, 1.0f}, 4 * sizeof *q);
        return;
    }
    double scale = 1.0 / sqrt(length);
    for (int i = 0; i < 4; i++)
        q[i] = (float)(q[i] * scale);
}

void vmd_bone_decode(const uint8_t record[111], mmd_bone_key *key)
{
    assert(key);
    load_vector(record + VMD_BONE_POSITION, key->translation);
    load_rotation(record + VMD_BONE_ROTATION, key->rotation);
    /*
     * Four rows, one for each channel. Row 0 alone would do, but its bytes 2 and 3 hold the physics switch.
     */
    const uint8_t *row = record + VMD_BONE_CURVES;
    key->physics_off = row[2] == 0x63 && row[3] == 0x0F;
    for (int i = 0; i < 4; i++, row += 16)
        key->curve[i] = (mmd_curve){.x1 = row[0], .y1 = row[4], .x2 = row[8], .y2 = row[12]};
}

float vmd_morph_decode(const uint8_t record[23])
{
    return load_finite(record + 19);
}

void vmd_camera_decode(const uint8_t record[61], mmd_camera_key *key)
{
    assert(record && key);
    key->frame = load_u32(record);
    key->value.distance = load_finite(record + 4);
    load_vector(record + 8, key->value.position);
    load_vector(record + 20, key->value.rotation);
    const uint8_t *curve = record + 32;
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++, curve += 4)
        key->curve[i] = (mmd_curve){.x1 = curve[0], .x2 = curve[1], .y1 = curve[2], .y2 = curve[3]};
    key->value.fov = (float)load_u32(record + 56);
    key->value.perspective = record[60] == 0;
}

void vmd_light_decode(const uint8_t record[28], mmd_light_key *key)
{
    assert(key);
    key->frame = load_u32(record);
    load_vector(record + 4, key->value.color);
    load_vector(record + 16, key->value.direction);
}

void vmd_self_shadow_decode(const uint8_t record[9], mmd_self_shadow_key *key)
{
    assert(record && key);
    key->frame = load_u32(record);
    key->value.mode = record[4];
    key->value.distance = load_finite(record + 5);
}

/* --- Writing --- */

static void store_u32(uint8_t *b, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        b[i] = (uint8_t)(value >> (8 * i));
}

static void store_f32(uint8_t *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    store_u32(b, bits);
}

/* Stores those values that differ, in any bit, from what the record was read as. */
static void patch_floats(uint8_t *b, const float *values, const float *read, int count)
{
    for (int i = 0; i < count; i++)
        if (memcmp(&values[i], &read[i], sizeof values[i]) != 0)
            store_f32(b + 4 * i, values[i]);
}

static void patch_name(uint8_t *field, const uint8_t name[VMD_NAME_SIZE])
{
    vmd_name read = vmd_name_load(field), wanted = vmd_name_load(name);
    if (read.low != wanted.low || read.high != wanted.high)
        memcpy(field, name, VMD_NAME_SIZE);
}

/* Writes MMD's 64 bytes: the first row of 16, and three more that repeat it, each shifted left by one more
 * byte. */
static void store_bone_curves(uint8_t *b, const mmd_curve curve[4])
{
    uint8_t row[16];
    for (int i = 0; i < 4; i++) {
        row[i] = curve[i].x1;
        row[4 + i] = curve[i].y1;
        row[8 + i] = curve[i].x2;
        row[12 + i] = curve[i].y2;
    }
    memset(b, 0, VMD_CURVES_SIZE);
    for (size_t i = 0; i < 4; i++)
        memcpy(b + 16 * i, row + i, sizeof row - i);
}

void vmd_bone_blank(uint8_t record[111])
{
    memset(record, 0, 111);
    store_f32(record + VMD_BONE_ROTATION + 12, 1.0f);
}

void vmd_bone_patch(uint8_t record[111], const uint8_t name[VMD_NAME_SIZE], uint32_t frame,
                    const mmd_bone_key *key)
{
    assert(key);
    mmd_bone_key read;
    vmd_bone_decode(record, &read);
    patch_name(record, name);
    store_u32(record + VMD_NAME_SIZE, frame);
    patch_floats(record + VMD_BONE_POSITION, key->translation, read.translation, 3);
    /* A rotation is repaired as a whole, so it is kept or replaced as a whole. */
    if (memcmp(key->rotation, read.rotation, sizeof read.rotation) != 0)
        for (int i = 0; i < 4; i++)
            store_f32(record + VMD_BONE_ROTATION + 4 * i, key->rotation[i]);
    bool new_curves = memcmp(key->curve, read.curve, sizeof read.curve) != 0;
    if (new_curves)
        store_bone_curves(record + VMD_BONE_CURVES, key->curve);
    if (new_curves || key->physics_off != read.physics_off) {
        record[VMD_BONE_CURVES + 2] = key->physics_off ? 0x63 : 0;
        record[VMD_BONE_CURVES + 3] = key->physics_off ? 0x0F : 0;
    }
}

void vmd_morph_patch(uint8_t record[23], const uint8_t name[VMD_NAME_SIZE], uint32_t frame, float weight)
{
    float read = vmd_morph_decode(record);
    patch_name(record, name);
    store_u32(record + VMD_NAME_SIZE, frame);
    patch_floats(record + 19, &weight, &read, 1);
}

/* Rounds to whole degrees, within the range of the field. */
static uint32_t whole_degrees(float fov)
{
    if (!(fov > 0.0f))
        return 0;
    return fov < 4294967040.0f ? (uint32_t)lround((double)fov) : UINT32_MAX;
}

void vmd_camera_patch(uint8_t record[61], const mmd_camera_key *key)
{
    assert(record && key);
    mmd_camera_key read = {0};
    vmd_camera_decode(record, &read);
    const mmd_camera *value = &key->value;
    store_u32(record, key->frame);
    patch_floats(record + 4, &value->distance, &read.value.distance, 1);
    patch_floats(record + 8, value->position, read.value.position, 3);
    patch_floats(record + 20, value->rotation, read.value.rotation, 3);
    uint8_t *curve = record + 32;
    for (int i = 0; i < MMD_CAMERA_CHANNELS; i++, curve += 4) {
        const mmd_curve *c = &key->curve[i];
        memcpy(curve, (uint8_t[4]){c->x1, c->x2, c->y1, c->y2}, 4);
    }
    if (value->fov != read.value.fov)
        store_u32(record + 56, whole_degrees(value->fov));
    if (value->perspective != read.value.perspective)
        record[60] = !value->perspective;
}

void vmd_light_patch(uint8_t record[28], const mmd_light_key *key)
{
    assert(key);
    mmd_light_key read = {0};
    vmd_light_decode(record, &read);
    store_u32(record, key->frame);
    patch_floats(record + 4, key->value.color, read.value.color, 3);
    patch_floats(record + 16, key->value.direction, read.value.direction, 3);
}

void vmd_self_shadow_patch(uint8_t record[9], const mmd_self_shadow_key *key)
{
    assert(record && key);
    mmd_self_shadow_key read = {0};
    vmd_self_shadow_decode(record, &read);
    store_u32(record, key->frame);
    record[4] = key->value.mode;
    patch_floats(record + 5, &key->value.distance, &read.value.distance, 1);
}

/* ---- names ---- */

/*
 * Numbers names with a crit-bit tree (D. J. Bernstein, "Crit-bit trees", https://cr.yp.to/critbit.html) over
 * 120 bits. Unlike a hash table it has no bad inputs: no file can make a look-up cost more than one step per
 * bit.
 */

#define NAME_LEAF UINT32_C(0x80000000)

static uint64_t load_u64(const uint8_t *b, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)b[i] << (8 * i);
    return value;
}

/* Returns a mask of all bits below the first zero byte; all 64 if there is none. */
static uint64_t mask_before_nul(uint64_t word)
{
    uint64_t zeros = (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
    return (zeros & (0 - zeros)) - 1;
}

vmd_name vmd_name_load(const uint8_t field[VMD_NAME_SIZE])
{
    vmd_name name = {load_u64(field, 8), load_u64(field + 8, 7)};
    uint64_t low_mask = mask_before_nul(name.low);
    if (low_mask != UINT64_MAX)
        return (vmd_name){name.low & low_mask, 0};
    /* The high word has seven bytes, so its mask is never all ones. */
    return (vmd_name){name.low, name.high & mask_before_nul(name.high)};
}

void vmd_name_store(vmd_name name, uint8_t field[VMD_NAME_SIZE])
{
    for (int i = 0; i < VMD_NAME_SIZE; i++)
        field[i] = (uint8_t)(i < 8 ? name.low >> (8 * i) : name.high >> (8 * (i - 8)));
}

static inline unsigned name_bit(vmd_name name, uint32_t bit)
{
    return (unsigned)((bit < 64 ? name.low >> bit : name.high >> (bit - 64)) & 1);
}

static uint32_t first_difference(vmd_name a, vmd_name b)
{
    uint32_t bit = 0;
    while (name_bit(a, bit) == name_bit(b, bit))
        bit++;
    return bit;
}

uint32_t vmd_names_add(vmd_names *names, vmd_name name)
{
    assert(names);
    if (names->count == 0) {
        names->names[0] = name;
        names->root = NAME_LEAF;
        return names->count++;
    }
    uint32_t at = names->root;
    while (!(at & NAME_LEAF))
        at = names->nodes[at].child[name_bit(name, names->nodes[at].bit)];
    uint32_t nearest = at & ~NAME_LEAF;
    vmd_name other = names->names[nearest];
    if (other.low == name.low && other.high == name.high)
        return nearest;

    /* Insert the new node where the first differing bit belongs on the path. */
    uint32_t bit = first_difference(name, other), *link = &names->root;
    while (!(*link & NAME_LEAF) && names->nodes[*link].bit < bit)
        link = &names->nodes[*link].child[name_bit(name, names->nodes[*link].bit)];
    uint32_t number = names->count++;
    assert(number < NAME_LEAF);
    vmd_name_node *node = &names->nodes[number];
    node->bit = bit;
    node->child[name_bit(name, bit)] = NAME_LEAF | number;
    node->child[!name_bit(name, bit)] = *link;
    *link = number;
    names->names[number] = name;
    return number;
}

/* ---- sorting ---- */

/* Bottom-up merge sort (Knuth, The Art of Computer Programming, volume 3, 5.2.4) that skips runs which are
 * already in order. */

static void merge(uint64_t *numbers, uint64_t *scratch, size_t middle, size_t end)
{
    /* Move the left half away; elements of the right half are read before they are overwritten. */
    memcpy(scratch, numbers, middle * sizeof *numbers);
    size_t left = 0, right = middle, out = 0;
    while (left < middle && right < end)
        numbers[out++] = numbers[right] < scratch[left] ? numbers[right++] : scratch[left++];
    memcpy(numbers + out, scratch + left, (middle - left) * sizeof *numbers);
}

void vmd_sort(uint64_t *numbers, uint64_t *scratch, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && numbers[sorted - 1] <= numbers[sorted])
        sorted++;
    if (sorted >= count)
        return;
    for (size_t width = 1; width < count; width *= 2)
        for (size_t start = 0; count - start > width; start += 2 * width) {
            uint64_t *half = numbers + start;
            size_t end = count - start < 2 * width ? count - start : 2 * width;
            if (half[width - 1] > half[width])
                merge(half, scratch, width, end);
            if (end < 2 * width)
                break;
        }
}
