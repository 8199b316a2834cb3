/* Writes VPD poses as MMD writes them, and converts poses to motions. */
#include "mmd/format.h"
#include "mmd/cursor.h"
#include "mmd/text.h"
#include "vmd_records.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 64 };

/* Writes a finite number without exponent: nine significant digits, which identify every float, and at least
 * six decimals. Does not use %f, which depends on the locale. Returns text. */
static char *format_number(float value, char text[NUMBER_MAX])
{
    assert(isfinite(value));
    /* The format is d?dddddddde[+-]xx, where ? is the locale's decimal point; the digits are always at these
     * places. */
    char scientific[40], digits[10] = "000000000";
    int length = snprintf(scientific, sizeof scientific, "%.8e", (double)fabsf(value));
    char *e = strchr(scientific, 'e');
    assert(length > 0 && e && e - scientific > 9);
    (void)length;
    digits[0] = scientific[0];
    memcpy(digits + 1, e - 8, 8);
    int exponent = (int)strtol(e + 1, NULL, 10); /* power of ten of the first digit */

    int last = 8; /* index of the last digit that is not zero */
    while (last > 0 && digits[last] == '0')
        last--;
    int behind = last - exponent > 6 ? last - exponent : 6;
    int before = exponent > 0 ? exponent : 0;
    char *out = text;
    if (signbit(value))
        *out++ = '-';
    /* i is the power of ten of a digit, counted downwards. */
    for (int i = before; i >= -behind; i--) {
        int digit = exponent - i;
        *out++ = digit >= 0 && digit < 9 ? digits[digit] : '0';
        if (i == 0)
            *out++ = '.';
    }
    *out = '\0';
    return text;
}

static void write_text(mmd_buffer *out, const char *text)
{
    mmd_write_bytes(out, text, strlen(text));
}

/* Tests whether a character would end a name early: a line break, the second slash of a comment, or the
 * semicolon after the model. */
static bool ends_name(const char *character, char previous, char stop)
{
    return *character == '\r' || *character == '\n' || *character == stop ||
           (*character == '/' && previous == '/');
}

/* Writes a name in CP932, without characters that would end it early. stop is such a character, or 0. */
static void write_name(mmd_buffer *out, const char *name, char stop, bool *lossy)
{
    uint8_t code[8];
    char previous = '\0';
    for (const char *end; *name; name = end) {
        for (end = name + 1; ((unsigned char)*end & 0xC0) == 0x80; end++)
            ;
        bool lost = false, skip = ends_name(name, previous, stop);
        size_t size = mmd_cp932_from_utf8(name, (size_t)(end - name), code, sizeof code, &lost);
        *lossy = *lossy || lost || skip;
        if (!skip && size <= sizeof code) {
            mmd_write_bytes(out, code, size);
            previous = *name;
        }
    }
}

/* Writes numbers separated by commas, with a semicolon at the end. Numbers that are not finite become 0. */
static void write_numbers(mmd_buffer *out, const float *values, int count)
{
    char text[NUMBER_MAX];
    for (int i = 0; i < count; i++) {
        write_text(out, format_number(isfinite(values[i]) ? values[i] : 0.0f, text));
        write_text(out, i + 1 < count ? "," : ";");
    }
}

static void write_bone(mmd_buffer *out, uint32_t number, const mmd_vpd_bone *bone, bool *lossy)
{
    mmd_write_format(out, "Bone%u{", (unsigned)number);
    write_name(out, bone->name, '\0', lossy);
    write_text(out, "\r\n  ");
    write_numbers(out, bone->translation, 3);
    write_text(out, "\t\t\t\t// trans x,y,z\r\n  ");
    write_numbers(out, bone->rotation, 4);
    write_text(out, "\t\t// Quaternion x,y,z,w\r\n}\r\n\r\n");
}

static void write_morph(mmd_buffer *out, uint32_t number, const mmd_vpd_morph *morph, bool *lossy)
{
    mmd_write_format(out, "Morph%u{", (unsigned)number);
    write_name(out, morph->name, '\0', lossy);
    write_text(out, "\r\n  ");
    write_numbers(out, &morph->weight, 1);
    write_text(out, "\r\n}\r\n\r\n");
}

mmd_status mmd_vpd_write(const mmd_vpd *vpd, mmd_buffer *out, mmd_error *error)
{
    assert(vpd && out);
    bool lossy = false;
    if (vpd->raw) {
        mmd_write_bytes(out, vpd->raw, vpd->raw_size);
    } else {
        write_text(out, "Vocaloid Pose Data file\r\n\r\n");
        write_name(out, vpd->model, ';', &lossy);
        write_text(out, ";\t\t// ");
        write_name(out, "親ファイル名", '\0', &lossy);
        mmd_write_format(out, "\r\n%u;\t\t\t\t// ", (unsigned)vpd->bone_count);
        write_name(out, "総ポーズボーン数", '\0', &lossy);
        write_text(out, "\r\n\r\n");
        for (uint32_t i = 0; i < vpd->bone_count; i++)
            write_bone(out, i, &vpd->bones[i], &lossy);
        for (uint32_t i = 0; i < vpd->morph_count; i++)
            write_morph(out, i, &vpd->morphs[i], &lossy);
    }
    if (out->failed)
        return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "no memory for the file");
    if (lossy)
        return mmd_error_set(error, MMD_ERROR_TEXT, "", MMD_NO_OFFSET,
                             "a name has characters that Shift-JIS lacks; the file has `?' for them");
    return MMD_OK;
}

/* Writes the pose as a VMD; reading it back groups and repairs the keys. */
static void write_as_vmd(const mmd_vpd *vpd, mmd_buffer *out)
{
    /* Linear curves in every channel. */
    static const mmd_curve linear = {20, 20, 107, 107};
    uint8_t header[50] = "Vocaloid Motion Data 0002", name[VMD_NAME_SIZE];
    size_t length = strlen(vpd->model),
           ending = length >= 4 && !strcmp(vpd->model + length - 4, ".osm") ? 4 : 0;
    mmd_cp932_from_utf8(vpd->model, length - ending, header + VMD_MAGIC_SIZE, 20, NULL);
    mmd_write_bytes(out, header, sizeof header);
    mmd_write_u32(out, vpd->bone_count);
    for (uint32_t i = 0; i < vpd->bone_count; i++) {
        uint8_t record[111];
        vmd_bone_blank(record);
        mmd_bone_key key = {.curve = {linear, linear, linear, linear}};
        memcpy(key.translation, vpd->bones[i].translation, sizeof key.translation);
        memcpy(key.rotation, vpd->bones[i].rotation, sizeof key.rotation);
        mmd_name_key_from_utf8(vpd->bones[i].name, name, NULL, NULL);
        vmd_bone_patch(record, name, 0, &key);
        mmd_write_bytes(out, record, sizeof record);
    }
    mmd_write_u32(out, vpd->morph_count);
    for (uint32_t i = 0; i < vpd->morph_count; i++) {
        uint8_t record[23] = {0};
        mmd_name_key_from_utf8(vpd->morphs[i].name, name, NULL, NULL);
        vmd_morph_patch(record, name, 0, vpd->morphs[i].weight);
        mmd_write_bytes(out, record, sizeof record);
    }
}

mmd_motion *mmd_vpd_to_motion(const mmd_vpd *vpd)
{
    assert(vpd);
    mmd_motion *motion = NULL;
    mmd_buffer bytes = {0};
    write_as_vmd(vpd, &bytes);
    if (!bytes.failed)
        mmd_vmd_read(bytes.data, bytes.size, &motion, NULL);
    mmd_buffer_finish(&bytes);
    return motion;
}
