/* Writes zips field by field as in PKWARE's APPNOTE 6.3.10: 4.3.7 local headers, 4.3.12 directory, 4.3.14 and
 * 4.3.16 its end records. */
#include "made_archive.h"

#include <zlib.h>

#include "archive_names.h"
#include "mmd/cursor.h"

const char *made_kind_name(made_kind kind)
{
    static const char *const names[MADE_KINDS] = {"zip",    "7z",      "tar",    "tar.gz",
                                                  "tar.xz", "tar.bz2", "tar.zst"};
    return names[kind];
}

static struct archive *make_writer(made_kind kind)
{
    struct archive *writer = archive_write_new();
    assert_non_null(writer);
    if (kind == MADE_ZIP)
        archive_write_set_format_zip(writer);
    else if (kind == MADE_7Z)
        archive_write_set_format_7zip(writer);
    else
        archive_write_set_format_pax_restricted(writer);
    archive_names_prepare(writer);
    if (kind == MADE_TAR_GZ)
        archive_write_add_filter_gzip(writer);
    if (kind == MADE_TAR_BZ2)
        archive_write_add_filter_bzip2(writer);
    if (kind == MADE_TAR_ZST)
        archive_write_add_filter_zstd(writer);
    if (kind == MADE_TAR_XZ) {
        archive_write_add_filter_xz(writer);
        archive_write_set_filter_option(writer, "xz", "compression-level", "0");
    }
    return writer;
}

static void write_file(struct archive *writer, const made_file *file)
{
    struct archive_entry *entry = archive_entry_new();
    assert_non_null(entry);
    archive_names_set(writer, entry, file->name);
    archive_entry_set_size(entry, (la_int64_t)file->size);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, 1600000000, 0);
    if (archive_write_header(writer, entry) != ARCHIVE_OK)
        fail_msg("%s: %s", file->name, archive_error_string(writer));
    assert_int_equal(archive_write_data(writer, file->data, file->size), file->size);
    archive_entry_free(entry);
}

mmd_bytes made_archive(made_kind kind, const made_file *files, size_t count, const char *password)
{
    size_t capacity = 1 << 16, size = 0;
    for (size_t i = 0; i < count; i++)
        capacity += files[i].size + files[i].size / 8 + 4096;
    mmd_bytes bytes = {mmd_alloc(capacity), 0};
    void *before = archive_names_begin();
    struct archive *writer = make_writer(kind);
    assert_non_null(bytes.data);
    if (password) {
        assert_int_equal(archive_write_set_options(writer, "zip:encryption=zipcrypt"), ARCHIVE_OK);
        assert_int_equal(archive_write_set_passphrase(writer, password), ARCHIVE_OK);
    }
    assert_int_equal(archive_write_open_memory(writer, bytes.data, capacity, &size), ARCHIVE_OK);
    for (size_t i = 0; i < count; i++)
        write_file(writer, &files[i]);
    assert_int_equal(archive_write_close(writer), ARCHIVE_OK);
    archive_write_free(writer);
    archive_names_end(before);
    bytes.size = size;
    return bytes;
}

/* Writes the fields that the local header and the directory entry share, from the version to the length of
 * the name. */
static void put_common(mmd_buffer *b, const made_entry *e)
{
    uint64_t said = e->size_said ? e->size_said : e->size;
    mmd_write_u16(b, 20);
    mmd_write_u16(b, e->utf8 ? 0x800 : 0);
    mmd_write_u16(b, 0);      /* method: stored */
    mmd_write_u32(b, 0x2a21); /* the date 2001-01-01 */
    mmd_write_u32(b, (uint32_t)crc32(0, e->data, (uInt)e->size));
    mmd_write_u32(b, (uint32_t)(said == e->size ? e->size : UINT32_MAX)); /* packed size */
    mmd_write_u32(b, (uint32_t)(said == e->size ? e->size : UINT32_MAX));
    mmd_write_u16(b, (uint16_t)strlen(e->name));
}

/* Returns the size of the ZIP64 extra field, which stores sizes of more than 32 bits. */
static size_t extra_size(const made_entry *e)
{
    return e->size_said && e->size_said != e->size ? 20 : 0;
}

static void put_extra(mmd_buffer *b, const made_entry *e)
{
    if (!extra_size(e))
        return;
    mmd_write_u16(b, 1);
    mmd_write_u16(b, 16);
    for (int i = 0; i < 2; i++) {
        mmd_write_u32(b, (uint32_t)e->size_said);
        mmd_write_u32(b, (uint32_t)(e->size_said >> 32));
    }
}

static void put_local(mmd_buffer *b, const made_entry *e)
{
    mmd_write_bytes(b, "PK\3\4", 4);
    put_common(b, e);
    mmd_write_u16(b, (uint16_t)extra_size(e));
    mmd_write_bytes(b, e->name, strlen(e->name));
    put_extra(b, e);
    mmd_write_bytes(b, e->data, e->size);
}

static void put_directory_entry(mmd_buffer *b, const made_entry *e, uint32_t offset)
{
    mmd_write_bytes(b, "PK\1\2", 4);
    mmd_write_u16(b, 20); /* made by MS-DOS */
    put_common(b, e);
    mmd_write_u16(b, (uint16_t)extra_size(e));
    mmd_write_zeros(b, 2 + 2 + 2 + 4); /* comment, disk, attributes */
    mmd_write_u32(b, offset);
    mmd_write_bytes(b, e->name, strlen(e->name));
    put_extra(b, e);
}

/* Writes the local headers with the data, the directory, and the end record. */
mmd_bytes made_zip(const made_entry *entries, size_t count)
{
    mmd_buffer b = {0};
    uint32_t *offsets = malloc((count + 1) * sizeof *offsets);
    assert_non_null(offsets);
    for (size_t i = 0; i < count; i++) {
        offsets[i] = (uint32_t)b.size;
        put_local(&b, &entries[i]);
    }
    uint32_t directory = (uint32_t)b.size;
    for (size_t i = 0; i < count; i++)
        put_directory_entry(&b, &entries[i], offsets[i]);
    uint32_t size = (uint32_t)b.size - directory;
    mmd_write_bytes(&b, "PK\5\6", 4);
    mmd_write_zeros(&b, 4);
    mmd_write_u16(&b, (uint16_t)(count < UINT16_MAX ? count : UINT16_MAX));
    mmd_write_u16(&b, (uint16_t)(count < UINT16_MAX ? count : UINT16_MAX));
    mmd_write_u32(&b, size);
    mmd_write_u32(&b, directory);
    mmd_write_u16(&b, 0);
    assert_false(b.failed);
    free(offsets);
    return (mmd_bytes){b.data, b.size};
}
