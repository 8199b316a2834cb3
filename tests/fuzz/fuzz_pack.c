/* libFuzzer target for archives: names must stay inside, and sizes within the stated ones and the limits. */
#include "mmd/archive.h"

#include <string.h>

#include "fuzz.h"

static void require_inside(const char *name)
{
    char clean[MMD_PATH_MAX];
    REQUIRE(name[0] && strlen(name) < MMD_PATH_MAX);
    REQUIRE(mmd_archive_name_clean(name, false, clean) && strcmp(clean, name) == 0);
}

static void read_all(mmd_archive *archive)
{
    enum { READ_MAX = 64 }; /* read only some of the files, for speed */
    size_t count;
    const mmd_archive_file *files = mmd_archive_files(archive, &count);
    REQUIRE(count <= MMD_ARCHIVE_ENTRIES_MAX);
    for (size_t i = 0; i < count; i++) {
        require_inside(files[i].name);
        REQUIRE(i == 0 || strcmp(files[i - 1].name, files[i].name) < 0);
    }
    for (size_t i = 0; i < count && i < READ_MAX; i++) {
        mmd_bytes bytes;
        mmd_error error = {0};
        mmd_status status = mmd_archive_read_file(archive, &files[i], &bytes, &error);
        REQUIRE(status == MMD_OK ? bytes.size <= MMD_ARCHIVE_ENTRY_MAX : error.message[0] && !bytes.data);
        mmd_bytes_finish(&bytes);
    }
}

static bool visit(void *user, const char *name, bool is_folder)
{
    size_t *count = user;
    (void)is_folder;
    REQUIRE(name[0] && !strchr(name, '/'));
    return ++*count < 100;
}

/* Lists the root and a folder, and reads by name, as textures are looked up. Closes the archive. */
static void use_source(mmd_archive *archive)
{
    size_t count = 0;
    mmd_bytes bytes = {0};
    char path[MMD_PATH_MAX];
    uint32_t order[3] = {0, 1, 2};
    mmd_source *source = mmd_source_archive(archive);
    REQUIRE(source != NULL);
    mmd_source_list(source, "", visit, &count);
    mmd_source_list(source, "a", visit, &count);
    bool found = mmd_source_find(source, "A/C", path);
    mmd_source_plan(source, (const char *const[]){"missing", found ? path : NULL, "b"}, 3, order);
    REQUIRE(order[0] < 3 && order[1] < 3 && order[2] < 3 && order[0] + order[1] + order[2] == 3);
    mmd_source_read(source, found ? path : "missing", &bytes, NULL);
    mmd_bytes_finish(&bytes);
    mmd_source_destroy(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mmd_archive *archive = NULL;
    mmd_error error = {0};
    if (mmd_archive_open_memory(size ? data : (const uint8_t *)"", size, &archive, &error) != MMD_OK) {
        REQUIRE(!archive && error.message[0]);
        return 0;
    }
    REQUIRE(mmd_archive_left_out(archive) <= MMD_ARCHIVE_ENTRIES_MAX);
    read_all(archive);
    use_source(archive);
    return 0;
}
