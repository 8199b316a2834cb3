/*
 * Reads archives with libarchive. The list of files is read once, when the archive is opened: a zip has it at
 * its end, other formats require visiting every header. A file is then read by moving forward to its header,
 * or by starting again. In solid archives everything on the way has to be unpacked, and is cached; a
 * compressed tar is unpacked even to be listed. What does not fit into the cache is read in the order of the
 * archive (mmd_source_plan), so that unpacking many files takes one pass.
 */
#include <archive.h>
#include <archive_entry.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "entry_name.h"
#include "mmd/archive.h"
#include "mmd/image.h"
#include "mmd/memory.h"
#include "mmd/platform.h"

enum {
    BLOCK = 1 << 16,
    KEPT_ENTRY_MAX = MMD_ARCHIVE_KEPT_MAX / 4, /* larger files are not cached */
    MIB_SHIFT = 20,
    FIRST_CAPACITY = 1 << 20, /* limit of memory allocated because of the claimed size alone */
    RETRIES = 8,
};

#define SIZE_UNKNOWN UINT64_MAX

/* A header in the archive. name is NULL for entries that are no files or are left out. */
typedef struct raw_entry {
    char *name; /* as libarchive returns it: UTF-8, or bytes of unknown encoding */
    uint64_t size;
    bool encrypted;
    bool is_utf8;   /* the archive marks the name as UTF-8 */
    bool is_legacy; /* it does not, and the name has characters that are not ASCII */
    mmd_bytes kept; /* cached contents */
} raw_entry;

struct mmd_archive {
    /* Of a shared archive: the file's identity, number of users, and the next one in the list. */
    bool is_shared;
    platform_info identity;
    size_t users;
    mmd_archive *next_shared;
    int file; /* index in the list of files, or -1 */
    const void *data;
    uint64_t size;
    entry_locale *locale;
    bool is_zip, is_stream, is_unicode; /* is_unicode: the format has no names of unknown encoding */
    raw_entry *raw;
    uint32_t raw_count, raw_capacity;
    uint64_t total;
    mmd_arena arena; /* memory of names */
    mmd_archive_file *files;
    size_t count, left_out;
    uint32_t *file_of;     /* by header: 1 + index of its file; 0 for none */
    pthread_mutex_t mutex; /* protects the members below */
    struct archive *reader;
    uint32_t next; /* index of the next header */
    mmd_archive_work work;
};

/* Bytes that all archives of the process have cached, at most MMD_ARCHIVE_KEPT_MAX. */
static _Atomic uint64_t kept_bytes;

/* --- Errors --- */

static mmd_status no_memory(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_MEMORY, "", MMD_NO_OFFSET, "not enough memory to read the archive");
}

/* Sets an error at the entry and byte where the reader is. */
static mmd_status fail(const mmd_archive *a, mmd_error *error, mmd_status code, const char *format, ...)
{
    char section[MMD_ERROR_SECTION_MAX];
    va_list arguments;
    int64_t at = a->reader ? archive_filter_bytes(a->reader, -1) : -1;
    snprintf(section, sizeof section, "entry %u", a->next);
    va_start(arguments, format);
    mmd_error_set_v(error, code, section, at >= 0 && (uint64_t)at <= a->size ? (uint64_t)at : a->size, format,
                    arguments);
    va_end(arguments);
    return code;
}

/* Sets the error for an encrypted archive, without a position, which would not help. */
static mmd_status is_encrypted(mmd_error *error)
{
    return mmd_error_set(error, MMD_ERROR_UNSUPPORTED, "", MMD_NO_OFFSET,
                         "the archive is encrypted; unpack it with its password first");
}

static bool says(const char *text, const char *const *words, size_t count)
{
    for (size_t i = 0; text && i < count; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

static mmd_status fail_by_library(const mmd_archive *a, mmd_error *error)
{
    static const char *const encrypted[] = {"ncrypt", "assphrase"};
    static const char *const unknown[] = {"nsupported", "not supported", "unavailable"};
    const char *text = archive_error_string(a->reader);
    if (archive_errno(a->reader) == ENOMEM)
        return no_memory(error);
    if (says(text, encrypted, sizeof encrypted / sizeof *encrypted))
        return is_encrypted(error);
    if (says(text, unknown, sizeof unknown / sizeof *unknown))
        return fail(a, error, MMD_ERROR_UNSUPPORTED, "the archive cannot be unpacked: %.160s", text);
    if (text && strstr(text, "Unrecognized"))
        return mmd_error_set(error, MMD_ERROR_SYNTAX, "", MMD_NO_OFFSET,
                             "the archive is damaged or incomplete");
    return fail(a, error, MMD_ERROR_SYNTAX, "the archive is damaged: %.160s", text ? text : "unknown reason");
}

/* --- The library's reader --- */

static void close_reader(mmd_archive *a)
{
    archive_read_free(a->reader); /* NULL is allowed */
    a->reader = NULL;
    a->next = 0;
}

/* Creates a reader for the supported formats only, without filters that run other programs. */
static struct archive *make_reader(const char *charset)
{
    struct archive *reader = archive_read_new();
    if (!reader)
        return NULL;
    archive_read_support_format_zip_seekable(reader);
    archive_read_support_format_7zip(reader);
    archive_read_support_format_rar(reader);
    archive_read_support_format_rar5(reader);
    archive_read_support_format_tar(reader);
    archive_read_support_filter_gzip(reader);
    archive_read_support_filter_bzip2(reader);
    archive_read_support_filter_xz(reader);
    archive_read_support_filter_zstd(reader);
    if (charset)
        archive_read_set_format_option(reader, "zip", "hdrcharset", charset);
    return reader;
}

static mmd_status open_reader(mmd_archive *a, const char *charset, mmd_error *error)
{
    close_reader(a);
    a->work.passes++;
    a->reader = make_reader(charset);
    if (!a->reader)
        return no_memory(error);
    int result;
    if (a->data)
        result = archive_read_open_memory(a->reader, a->data, (size_t)a->size);
    else
        result = lseek(a->file, 0, SEEK_SET) == 0 ? archive_read_open_fd(a->reader, a->file, BLOCK)
                                                  : ARCHIVE_FATAL;
    if (result == ARCHIVE_OK)
        return MMD_OK;
    mmd_status status = fail_by_library(a, error);
    close_reader(a);
    return status;
}

/* Reads the next header; *entry is NULL after the last one. */
static mmd_status next_header(mmd_archive *a, struct archive_entry **entry, mmd_error *error)
{
    int result = ARCHIVE_RETRY;
    *entry = NULL;
    for (int i = 0; i < RETRIES && result == ARCHIVE_RETRY; i++)
        result = archive_read_next_header(a->reader, entry);
    if (result == ARCHIVE_EOF) {
        *entry = NULL;
        return MMD_OK;
    }
    /* Warnings concern names or dates, so reading continues. */
    if (result < ARCHIVE_WARN)
        return fail_by_library(a, error);
    a->next++;
    return MMD_OK;
}

/* --- Listing the contents --- */

static bool reserve(const mmd_archive *a, uint32_t index);
static mmd_status keep_data(mmd_archive *a, uint32_t index, mmd_error *error);

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if (*(const unsigned char *)text >= 0x80)
            return false;
    return true;
}

static uint64_t size_of(struct archive_entry *entry)
{
    int64_t size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1;
    return size >= 0 ? (uint64_t)size : SIZE_UNKNOWN;
}

static bool is_file(struct archive_entry *entry)
{
    return archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry) &&
           !archive_entry_hardlink_w(entry) && !archive_entry_symlink(entry) &&
           !archive_entry_symlink_w(entry);
}

static bool take_entry(mmd_archive *a, struct archive_entry *entry)
{
    raw_entry *raw = &a->raw[a->raw_count++];
    *raw = (raw_entry){.size = size_of(entry), .encrypted = archive_entry_is_encrypted(entry) != 0};
    char room[ENTRY_NAME_MAX + 1];
    const char *name = entry_name_read(entry, a->is_unicode, room);
    if (!is_file(entry) || !name) {
        a->left_out += archive_entry_filetype(entry) != AE_IFDIR;
        return true;
    }
    raw->name = mmd_arena_text(&a->arena, name, strlen(name));
    raw->is_legacy = !is_ascii(name);
    uint64_t size = raw->size == SIZE_UNKNOWN ? 0 : raw->size;
    a->total = size < SIZE_UNKNOWN - a->total ? a->total + size : SIZE_UNKNOWN;
    return raw->name != NULL;
}

static bool make_room(mmd_archive *a)
{
    if (a->raw_count < a->raw_capacity)
        return true;
    uint32_t capacity = a->raw_capacity ? 2 * a->raw_capacity : 256;
    raw_entry *grown = mmd_realloc(a->raw, capacity * sizeof *grown);
    if (!grown)
        return false;
    a->raw = grown;
    a->raw_capacity = capacity;
    return true;
}

/* Checks the limits after every header, so that the data of entries that are too large are never read. */
static mmd_status check_limits(const mmd_archive *a, mmd_error *error)
{
    if (a->raw_count > MMD_ARCHIVE_ENTRIES_MAX)
        return fail(a, error, MMD_ERROR_LIMIT, "the archive has more than %d entries",
                    MMD_ARCHIVE_ENTRIES_MAX);
    if (a->total >> 30 >= MMD_ARCHIVE_TOTAL_MAX_GIB)
        return fail(a, error, MMD_ERROR_LIMIT, "the files in the archive take more than %d GiB",
                    MMD_ARCHIVE_TOTAL_MAX_GIB);
    if (a->total > MMD_ARCHIVE_RATIO_FROM && a->total / MMD_ARCHIVE_RATIO_MAX > a->size)
        return fail(a, error, MMD_ERROR_LIMIT, "the files in the archive are over %d times as large as it",
                    MMD_ARCHIVE_RATIO_MAX);
    if (a->total >> 30 >= MMD_ARCHIVE_LARGE_FROM_GIB && a->total / MMD_ARCHIVE_LARGE_RATIO_MAX > a->size)
        return fail(a, error, MMD_ERROR_LIMIT,
                    "the files in the archive take more than %d GiB and are over %d times as large as it",
                    MMD_ARCHIVE_LARGE_FROM_GIB, MMD_ARCHIVE_LARGE_RATIO_MAX);
    return MMD_OK;
}

/* Returns the largest size that a file of the archive may have. */
static uint64_t entry_max(const mmd_archive *a)
{
    uint64_t most = a->size < MMD_ARCHIVE_ENTRY_MAX / MMD_ARCHIVE_ENTRY_RATIO
                        ? a->size * MMD_ARCHIVE_ENTRY_RATIO
                        : (uint64_t)MMD_ARCHIVE_ENTRY_MAX;
    return most < MMD_ARCHIVE_ENTRY_FROM ? (uint64_t)MMD_ARCHIVE_ENTRY_FROM : most;
}

static mmd_status fail_too_large(const mmd_archive *a, mmd_error *error)
{
    return fail(a, error, MMD_ERROR_LIMIT, "a file in the archive is larger than %llu MiB",
                (unsigned long long)entry_max(a) >> MIB_SHIFT);
}

/* Adds to the cache what has to be unpacked even to be listed. Errors are reported when the file is
 * requested. */
static void keep_listed(mmd_archive *a)
{
    uint32_t index = a->next - 1;
    if (archive_filter_code(a->reader, 0) != ARCHIVE_FILTER_NONE && reserve(a, index))
        keep_data(a, index, NULL);
}

static mmd_status read_headers(mmd_archive *a, mmd_error *error)
{
    struct archive_entry *entry;
    mmd_status status = open_reader(a, NULL, error);
    while (status == MMD_OK) {
        status = next_header(a, &entry, error);
        if (status != MMD_OK || !entry)
            break;
        if (a->next == 1) {
            int format = archive_format(a->reader) & ARCHIVE_FORMAT_BASE_MASK;
            a->is_zip = format == ARCHIVE_FORMAT_ZIP;
            a->is_unicode = format == ARCHIVE_FORMAT_7ZIP || format == ARCHIVE_FORMAT_RAR_V5;
            a->is_stream = format == ARCHIVE_FORMAT_7ZIP || format == ARCHIVE_FORMAT_RAR_V5 ||
                           archive_filter_code(a->reader, 0) != ARCHIVE_FILTER_NONE;
        }
        status = make_room(a) && take_entry(a, entry) ? check_limits(a, error) : no_memory(error);
        if (status == MMD_OK)
            keep_listed(a);
    }
    close_reader(a);
    return status;
}

/*
 * Marks names that the zip declares as UTF-8. libarchive does not report this, but such names do not change
 * when names are read in another charset, while all others do. Returns false if out of memory.
 */
static bool mark_utf8(mmd_archive *a)
{
    struct archive_entry *entry;
    bool ok = true;
    if (open_reader(a, entry_name_charset, NULL) != MMD_OK)
        return true;
    while (ok && next_header(a, &entry, NULL) == MMD_OK && entry && a->next <= a->raw_count) {
        char room[ENTRY_NAME_MAX + 1];
        raw_entry *raw = &a->raw[a->next - 1];
        const char *name = entry_name_read(entry, false, room);
        if (!raw->name || !name || strcmp(raw->name, name) != 0)
            continue;
        raw->is_utf8 = true;
        raw->is_legacy = false;
        name = entry_name_read(entry, true, room);
        if (name && strcmp(raw->name, name) != 0)
            raw->name = mmd_arena_text(&a->arena, name, strlen(name));
        ok = raw->name != NULL;
    }
    close_reader(a);
    return ok;
}

/* Tests whether all undeclared names of a zip are valid UTF-8. They were written by one program, so a single
 * invalid name means that none is UTF-8. */
static bool all_legacy_are_utf8(const mmd_archive *a)
{
    for (uint32_t i = 0; i < a->raw_count; i++)
        if (a->raw[i].name && a->raw[i].is_legacy && !mmd_archive_name_is_utf8(a->raw[i].name))
            return false;
    return true;
}

static int compare_files(const void *a, const void *b)
{
    const mmd_archive_file *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Drops all but the last of several files with one name, as unpacking would. */
static void drop_doubles(mmd_archive *a)
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (i + 1 < a->count && strcmp(a->files[i].name, a->files[i + 1].name) == 0)
            a->left_out++;
        else
            a->files[count++] = a->files[i];
    }
    a->count = count;
}

static mmd_status name_files(mmd_archive *a, mmd_error *error)
{
    bool one_writer = a->is_zip && !all_legacy_are_utf8(a);
    for (uint32_t i = 0; i < a->raw_count; i++) {
        char clean[MMD_PATH_MAX];
        const raw_entry *raw = &a->raw[i];
        if (!raw->name)
            continue;
        bool cp932 = raw->is_legacy && (one_writer || !mmd_archive_name_is_utf8(raw->name));
        if (!mmd_archive_name_clean(raw->name, cp932, clean)) {
            a->left_out++;
            continue;
        }
        char *name = mmd_arena_text(&a->arena, clean, strlen(clean));
        if (!name)
            return no_memory(error);
        a->files[a->count++] =
            (mmd_archive_file){name, raw->size == SIZE_UNKNOWN ? 0 : raw->size, i, raw->encrypted};
    }
    qsort(a->files, a->count, sizeof *a->files, compare_files);
    drop_doubles(a);
    for (size_t i = 0; i < a->count; i++)
        a->file_of[a->files[i].index] = (uint32_t)i + 1;
    return MMD_OK;
}

static mmd_status list(mmd_archive *a, mmd_error *error)
{
    mmd_status status = read_headers(a, error);
    if (status != MMD_OK)
        return status;
    if (a->is_zip && !mark_utf8(a))
        return no_memory(error);
    a->files = mmd_arena_alloc(&a->arena, a->raw_count, sizeof *a->files);
    a->file_of = mmd_arena_alloc(&a->arena, a->raw_count, sizeof *a->file_of);
    return a->files && a->file_of ? name_files(a, error) : no_memory(error);
}

/* --- Opening --- */

/* Lists the archive and hands it on; closes it where that fails. */
static mmd_status finish_opening(mmd_archive *a, mmd_archive **archive, mmd_error *error)
{
    a->locale = entry_locale_create();
    entry_locale *before = entry_locale_enter(a->locale);
    mmd_status status = list(a, error);
    entry_locale_leave(before);
    if (status == MMD_OK)
        *archive = a;
    else
        mmd_archive_close(a);
    return status;
}

static mmd_archive *make_archive(void)
{
    mmd_archive *a = mmd_alloc(sizeof *a);
    if (!a)
        return NULL;
    *a = (mmd_archive){.file = -1};
    if (pthread_mutex_init(&a->mutex, NULL) == 0)
        return a;
    mmd_free(a);
    return NULL;
}

static mmd_status open_file(mmd_archive *a, const char *path, mmd_error *error)
{
    platform_info about;
    int file;
    mmd_status status = mmd_file_open(path, &file, error);
    if (status != MMD_OK)
        return status;
    a->file = file;
    if (!platform_stat_open(file, &about))
        return mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "the archive cannot be read");
    a->size = about.size;
    return MMD_OK;
}

mmd_status mmd_archive_open(const char *path, mmd_archive **archive, mmd_error *error)
{
    *archive = NULL;
    mmd_archive *a = make_archive();
    if (!a)
        return no_memory(error);
    mmd_status status = open_file(a, path, error);
    if (status == MMD_OK)
        return finish_opening(a, archive, error);
    mmd_archive_close(a);
    return status;
}

mmd_status mmd_archive_open_memory(const void *data, size_t size, mmd_archive **archive, mmd_error *error)
{
    assert(data);
    *archive = NULL;
    mmd_archive *a = make_archive();
    if (!a)
        return no_memory(error);
    a->data = data;
    a->size = size;
    return finish_opening(a, archive, error);
}

static void free_archive(mmd_archive *a)
{
    close_reader(a);
    for (uint32_t i = 0; i < a->raw_count; i++) {
        if (a->raw[i].kept.data)
            atomic_fetch_sub(&kept_bytes, a->raw[i].size);
        mmd_bytes_finish(&a->raw[i].kept);
    }
    if (a->file >= 0)
        close(a->file);
    entry_locale_destroy(a->locale);
    pthread_mutex_destroy(&a->mutex);
    mmd_arena_finish(&a->arena);
    mmd_free(a->raw);
    mmd_free(a);
}

/* --- Sharing --- */

/* Archives that are open, so that a scene lists and unpacks each of them once. */
static pthread_mutex_t shared_mutex = PTHREAD_MUTEX_INITIALIZER;
static mmd_archive *shared; /* list */
static size_t holds;

/* Returns whether it is the same file, with the same contents. */
static bool is_unchanged(const platform_info *a, const platform_info *b)
{
    return platform_is_same(a, b) && a->size == b->size && a->modified == b->modified &&
           a->changed == b->changed;
}

/* Removes the first archive that nobody uses from the list. Returns NULL if there is none. */
static mmd_archive *take_unused(void)
{
    for (mmd_archive **at = &shared; *at; at = &(*at)->next_shared) {
        mmd_archive *a = *at;
        if (a->users == 0) {
            *at = a->next_shared;
            return a;
        }
    }
    return NULL;
}

static void free_unused(void)
{
    mmd_archive *unused = NULL;
    do {
        pthread_mutex_lock(&shared_mutex);
        unused = holds ? NULL : take_unused();
        pthread_mutex_unlock(&shared_mutex);
        if (unused)
            free_archive(unused);
    } while (unused);
}

mmd_status mmd_archive_open_shared(const char *path, mmd_archive **archive, mmd_error *error)
{
    platform_info about;
    bool is_there = platform_stat(path, &about);
    pthread_mutex_lock(&shared_mutex);
    mmd_archive *a = is_there ? shared : NULL;
    while (a && !is_unchanged(&a->identity, &about))
        a = a->next_shared;
    if (a)
        a->users++;
    pthread_mutex_unlock(&shared_mutex);
    *archive = a;
    if (a)
        return MMD_OK;
    mmd_status status = mmd_archive_open(path, archive, error);
    if (status != MMD_OK || !platform_stat_open((*archive)->file, &about))
        return status;
    a = *archive;
    a->identity = about;
    a->is_shared = true;
    a->users = 1;
    pthread_mutex_lock(&shared_mutex);
    a->next_shared = shared;
    shared = a;
    pthread_mutex_unlock(&shared_mutex);
    return MMD_OK;
}

void mmd_archive_close(mmd_archive *a)
{
    if (!a)
        return;
    if (!a->is_shared) {
        free_archive(a);
        return;
    }
    pthread_mutex_lock(&shared_mutex);
    a->users--;
    pthread_mutex_unlock(&shared_mutex);
    free_unused();
}

void mmd_archives_hold(void)
{
    pthread_mutex_lock(&shared_mutex);
    holds++;
    pthread_mutex_unlock(&shared_mutex);
}

void mmd_archives_release(void)
{
    pthread_mutex_lock(&shared_mutex);
    assert(holds > 0);
    holds--;
    pthread_mutex_unlock(&shared_mutex);
    free_unused();
}

uint64_t mmd_archives_kept(void)
{
    return atomic_load(&kept_bytes);
}

mmd_archive_work mmd_archive_get_work(mmd_archive *a)
{
    pthread_mutex_lock(&a->mutex);
    mmd_archive_work work = a->work;
    pthread_mutex_unlock(&a->mutex);
    return work;
}

const mmd_archive_file *mmd_archive_files(const mmd_archive *a, size_t *count)
{
    *count = a->count;
    return a->files;
}

size_t mmd_archive_left_out(const mmd_archive *a)
{
    return a->left_out;
}

/* --- Reading a file --- */

/* Returns the limit of bytes to read: the size in the archive, at most entry_max. */
static uint64_t bytes_at_most(const mmd_archive *a, uint32_t index)
{
    const raw_entry *raw = &a->raw[index];
    return raw->size < entry_max(a) ? raw->size : entry_max(a);
}

static bool grow(mmd_bytes *bytes, size_t *capacity, uint64_t most)
{
    uint64_t wanted = *capacity ? 2 * (uint64_t)*capacity : FIRST_CAPACITY;
    /* one byte more than allowed, so that an excess is noticed */
    wanted = wanted < most + 1 ? wanted : most + 1;
    uint8_t *grown = mmd_realloc(bytes->data, (size_t)wanted);
    if (!grown)
        return false;
    bytes->data = grown;
    *capacity = (size_t)wanted;
    return true;
}

/* Reads the data of the current header. */
static mmd_status read_data(mmd_archive *a, uint32_t index, mmd_bytes *bytes, mmd_error *error)
{
    const uint64_t most = bytes_at_most(a, index), said = a->raw[index].size;
    size_t capacity = 0;
    int retries = 0;
    a->work.reads++;
    for (;;) {
        if (bytes->size > most)
            return said <= most
                       ? fail(a, error, MMD_ERROR_LIMIT, "the file is longer than the archive states")
                       : fail_too_large(a, error);
        if (bytes->size == capacity && !grow(bytes, &capacity, most))
            return no_memory(error);
        la_ssize_t got = archive_read_data(a->reader, bytes->data + bytes->size, capacity - bytes->size);
        if (got == 0)
            break;
        if (got > 0)
            bytes->size += (size_t)got;
        else if (got != ARCHIVE_RETRY || ++retries > RETRIES)
            return fail_by_library(a, error);
    }
    if (said != SIZE_UNKNOWN && bytes->size < said)
        return fail(a, error, MMD_ERROR_TRUNCATED,
                    "the archive contains %zu bytes of the file, but states %llu", bytes->size,
                    (unsigned long long)said);
    return MMD_OK;
}

/* Returns whether a name ends like a file that a scene, a model or a motion can name. */
static bool can_be_named(const char *name)
{
    static const char *const endings[] = {"pmx", "pmd", "x",    "vac", "vmd",  "vpd",
                                          "pmm", "glb", "gltf", "bin", "json", "txt"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot + 1, endings[i]) == 0)
            return true;
    return mmd_image_has_ending(name);
}

/*
 * Returns whether a file that has to be unpacked anyway is cached, and sets aside its bytes in the cache.
 * Other files are unpacked again when they are read, so that the cache has an effect on time alone.
 */
static bool reserve(const mmd_archive *a, uint32_t index)
{
    const raw_entry *raw = &a->raw[index];
    if (!a->is_stream || !raw->name || raw->encrypted || raw->kept.data || raw->size > KEPT_ENTRY_MAX ||
        !can_be_named(raw->name))
        return false;
    if (atomic_fetch_add(&kept_bytes, raw->size) + raw->size <= MMD_ARCHIVE_KEPT_MAX)
        return true;
    atomic_fetch_sub(&kept_bytes, raw->size);
    return false;
}

/* Caches a file whose bytes are reserved. */
static mmd_status keep_data(mmd_archive *a, uint32_t index, mmd_error *error)
{
    mmd_bytes bytes = {0};
    mmd_status status = read_data(a, index, &bytes, error);
    if (status != MMD_OK) {
        atomic_fetch_sub(&kept_bytes, a->raw[index].size);
        mmd_bytes_finish(&bytes);
        return status;
    }
    a->raw[index].kept = bytes;
    return MMD_OK;
}

static mmd_status go_to(mmd_archive *a, uint32_t index, mmd_error *error)
{
    struct archive_entry *entry;
    mmd_status status = MMD_OK;
    if (!a->reader || a->next > index)
        status = open_reader(a, NULL, error);
    while (status == MMD_OK) {
        status = next_header(a, &entry, error);
        if (status == MMD_OK && !entry)
            status = fail(a, error, MMD_ERROR_TRUNCATED, "the archive has changed since it was opened");
        if (status != MMD_OK || a->next == index + 1)
            break;
        /* What is passed is cached if possible. Its errors are reported when it is requested. */
        if (a->file_of[a->next - 1] && reserve(a, a->next - 1))
            keep_data(a, a->next - 1, NULL);
    }
    return status;
}

static mmd_status copy_kept(const mmd_bytes *kept, mmd_bytes *bytes, mmd_error *error)
{
    uint8_t *copy = mmd_alloc(kept->size);
    if (!copy)
        return no_memory(error);
    memcpy(copy, kept->data, kept->size);
    *bytes = (mmd_bytes){copy, kept->size};
    return MMD_OK;
}

static mmd_status read_packed(mmd_archive *a, const mmd_archive_file *file, mmd_bytes *bytes,
                              mmd_error *error)
{
    const uint32_t index = file->index;
    if (file->encrypted)
        return is_encrypted(error);
    if (file->size > entry_max(a))
        return fail_too_large(a, error);
    if (!a->raw[index].kept.data) {
        mmd_status status = go_to(a, index, error);
        if (status != MMD_OK || !reserve(a, index))
            return status == MMD_OK ? read_data(a, index, bytes, error) : status;
        status = keep_data(a, index, error);
        if (status != MMD_OK)
            return status;
    }
    return copy_kept(&a->raw[index].kept, bytes, error);
}

mmd_status mmd_archive_read_file(mmd_archive *a, const mmd_archive_file *file, mmd_bytes *bytes,
                                 mmd_error *error)
{
    *bytes = (mmd_bytes){0};
    pthread_mutex_lock(&a->mutex);
    entry_locale *before = entry_locale_enter(a->locale);
    mmd_status status = read_packed(a, file, bytes, error);
    if (status != MMD_OK) {
        mmd_bytes_finish(bytes);
        close_reader(a);
    }
    entry_locale_leave(before);
    pthread_mutex_unlock(&a->mutex);
    return status;
}

bool mmd_archive_is(const void *head, size_t size)
{
    static const struct {
        const char *magic;
        size_t at, length;
    } kinds[] = {
        {"PK\3\4", 0, 4},
        {"PK\5\6", 0, 4},
        {"7z\xbc\xaf\x27\x1c", 0, 6},
        {"Rar!\x1a\x07", 0, 6},
        {"ustar", 257, 5},
        {"\x1f\x8b\x08", 0, 3},
        {"BZh", 0, 3},
        {"\xfd"
         "7zXZ",
         0, 6},
        {"\x28\xb5\x2f\xfd", 0, 4},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (size >= kinds[i].at + kinds[i].length &&
            memcmp((const char *)head + kinds[i].at, kinds[i].magic, kinds[i].length) == 0)
            return true;
    return false;
}
