/*
 * Archives in a build without libarchive (ODORI_ARCHIVES=OFF), in the place of archive.c: no file is taken
 * for an archive, and opening one says that this build opens none. No archive exists, so nothing asks for its
 * files.
 */
#include "mmd/archive.h"

static mmd_status refuse(mmd_archive **archive, mmd_error *error)
{
    *archive = NULL;
    return mmd_error_set(error, MMD_ERROR_UNSUPPORTED, "", MMD_NO_OFFSET, "this build opens no archives");
}

bool mmd_archive_is(const void *head, size_t size)
{
    (void)head, (void)size;
    return false;
}

mmd_status mmd_archive_open(const char *path, mmd_archive **archive, mmd_error *error)
{
    (void)path;
    return refuse(archive, error);
}

mmd_status mmd_archive_open_shared(const char *path, mmd_archive **archive, mmd_error *error)
{
    (void)path;
    return refuse(archive, error);
}

mmd_status mmd_archive_open_memory(const void *data, size_t size, mmd_archive **archive, mmd_error *error)
{
    (void)data, (void)size;
    return refuse(archive, error);
}

void mmd_archive_close(mmd_archive *archive)
{
    (void)archive;
}

void mmd_archives_hold(void) {}

void mmd_archives_release(void) {}

uint64_t mmd_archives_kept(void)
{
    return 0;
}

mmd_archive_work mmd_archive_get_work(mmd_archive *archive)
{
    (void)archive;
    return (mmd_archive_work){0};
}

const mmd_archive_file *mmd_archive_files(const mmd_archive *archive, size_t *count)
{
    (void)archive;
    *count = 0;
    return NULL;
}

size_t mmd_archive_left_out(const mmd_archive *archive)
{
    (void)archive;
    return 0;
}

mmd_status mmd_archive_read_file(mmd_archive *archive, const mmd_archive_file *file, mmd_bytes *bytes,
                                 mmd_error *error)
{
    (void)file;
    *bytes = (mmd_bytes){0};
    return refuse(&archive, error);
}
