/* Tests files, sources, name lookup and paths. */
#include "folder.h"
#include "support.h"

/* A new folder for a test, removed with its content at the end. */
typedef struct fixture {
    char folder[MMD_FILE_PATH_MAX];
} fixture;

static int make_fixture(void **state)
{
    static fixture f;
    test_folder_make(f.folder);
    *state = &f;
    return 0;
}

static int remove_fixture(void **state)
{
    fixture *f = *state;
    test_folder_remove(f->folder);
    return 0;
}

enum { PATH = MMD_FILE_PATH_MAX + 512 };

static const char *in(const fixture *f, const char *name, char path[PATH])
{
    snprintf(path, PATH, "%s/%s", f->folder, name);
    return path;
}

static void put_file(const fixture *f, const char *name, const char *text)
{
    char path[PATH];
    mmd_error error = {0};
    if (mmd_file_write(in(f, name, path), text, strlen(text), &error) != MMD_OK)
        fail_msg("%s: %s", path, error.message);
}

static void put_folder(const fixture *f, const char *name)
{
    char path[PATH];
    assert_true(platform_make_folder(in(f, name, path), 0777));
}

static void assert_file(const char *path, const char *text)
{
    mmd_bytes bytes;
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_OK);
    assert_int_equal(bytes.size, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.size);
    mmd_bytes_finish(&bytes);
    assert_null(bytes.data);
}

static void file_reads_what_was_written(void **state)
{
    char path[PATH];
    in(*state, "初音ミク.pmx", path);
    put_file(*state, "初音ミク.pmx", "first");
    put_file(*state, "初音ミク.pmx", "second, longer");
    assert_file(path, "second, longer");
    put_file(*state, "初音ミク.pmx", "");
    assert_file(path, "");
    assert_int_equal(test_folder_count(((fixture *)*state)->folder), 1);
}

static void file_read_tells_missing_from_unreadable(void **state)
{
    char path[PATH];
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    assert_int_equal(mmd_file_read(in(*state, "none", path), &bytes, &error), MMD_ERROR_NOT_FOUND);
    assert_string_equal(error.file, path);
    assert_int_equal(mmd_file_read(((fixture *)*state)->folder, &bytes, &error), MMD_ERROR_IO);
    put_file(*state, "file", "x");
    assert_int_equal(mmd_file_read(in(*state, "file/below", path), &bytes, NULL), MMD_ERROR_NOT_FOUND);
    assert_null(bytes.data);
}

static void file_read_refuses_two_gigabytes(void **state)
{
    char path[PATH];
    mmd_bytes bytes;
    put_file(*state, "huge", "");
    if (!test_file_stretch(in(*state, "huge", path), ((uint64_t)1 << 31) + 1))
        test_skip("the file system has no holes in files");
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_ERROR_LIMIT);
}

/* Checks that a path is neither opened, read nor looked into, and that the error says so. */
static void assert_not_regular(const char *path, const char *why)
{
    mmd_bytes bytes;
    mmd_error error = {0};
    int file;
    size_t size = 7;
    char head[4];
    assert_int_equal(mmd_file_open(path, &file, &error), MMD_ERROR_IO);
    assert_non_null(strstr(error.message, why));
    assert_int_equal(mmd_file_read_head(path, head, sizeof head, &size, NULL), MMD_ERROR_IO);
    assert_int_equal(size, 0);
    assert_int_equal(mmd_file_read(path, &bytes, NULL), MMD_ERROR_IO);
    assert_null(bytes.data);
}

static void only_files_are_read(void **state)
{
    assert_not_regular(((fixture *)*state)->folder, "it is a folder");
    assert_not_regular(test_is_windows() ? "NUL" : "/dev/zero", "it is a device");
}

static void the_head_of_a_file_is_read(void **state)
{
    char path[PATH], head[4] = "";
    size_t size;
    put_file(*state, "short", "ab");
    assert_int_equal(mmd_file_read_head(in(*state, "short", path), head, sizeof head, &size, NULL), MMD_OK);
    assert_int_equal(size, 2);
    assert_memory_equal(head, "ab", 2);
    put_file(*state, "long", "abcdefgh");
    assert_int_equal(mmd_file_read_head(in(*state, "long", path), head, sizeof head, &size, NULL), MMD_OK);
    assert_int_equal(size, 4);
    assert_memory_equal(head, "abcd", 4);
}

static void failed_write_leaves_nothing_behind(void **state)
{
    const fixture *f = *state;
    char path[PATH];
    mmd_error error = {0};
    /* Fails if the folder is missing or the target is a folder. */
    assert_int_equal(mmd_file_write(in(f, "none/a", path), "x", 1, &error), MMD_ERROR_IO);
    assert_string_equal(error.file, path);
    assert_int_equal(error.code, MMD_ERROR_IO);
    put_folder(f, "folder");
    assert_int_equal(mmd_file_write(in(f, "folder", path), "x", 1, NULL), MMD_ERROR_IO);
    /* Fails after writing the temporary file: the name is too long for the final rename. */
    char name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(mmd_file_write(in(f, name, path), "x", 1, NULL), MMD_ERROR_IO);
    assert_int_equal(test_folder_count(f->folder), 1);
    assert_int_equal(test_folder_count(in(f, "folder", path)), 0);
}

static void write_replaces_a_link_to_nothing(void **state)
{
    char path[PATH];
    platform_info about;
    if (!test_link("nowhere", in(*state, "link", path)))
        test_skip("no symbolic links");
    put_file(*state, "link", "new");
    assert_file(path, "new");
    assert_true(platform_stat_link(path, &about));
    assert_int_equal(about.kind, PLATFORM_FILE);
    assert_int_equal(test_folder_count(((fixture *)*state)->folder), 1);
}

static void assert_found(mmd_source *source, const char *name, const char *expected)
{
    char path[MMD_PATH_MAX] = "untouched";
    bool found = mmd_source_find(source, name, path);
    if (!expected) {
        assert_false(found);
        return;
    }
    assert_true(found);
    assert_string_equal(path, expected);
    mmd_bytes bytes;
    assert_int_equal(mmd_source_read(source, path, &bytes, NULL), MMD_OK);
    mmd_bytes_finish(&bytes);
}

#define GA_NFC "\xE3\x81\x8C"             /* が */
#define GA_NFD "\xE3\x81\x8B\xE3\x82\x99" /* か and the combining voiced sound mark */

/* The files that both kinds of source are searched for. */
static const char *const tree[] = {
    "model.pmx",
    "Tex/Body.PNG",
    "Tex/body.png",
    "Tex/EYE.bmp",
    "tex2/" GA_NFD ".png",
    "tex2/sub/deep.tga",
    GA_NFC "/" GA_NFC "A.png",
    "two/" GA_NFC ".png",
    "two/" GA_NFD ".png",
    "Ｆ.png",
    "dir.png/x",
    "b/c",
};
enum { TREE_COUNT = sizeof tree / sizeof *tree };

/* ignores_case: the file system has one file for two names that differ in case. */
static void check_finding(mmd_source *source, bool ignores_case)
{
    assert_found(source, "model.pmx", "model.pmx");
    assert_found(source, "MODEL.PMX", "model.pmx");
    assert_found(source, "tex\\body.png", ignores_case ? "Tex/Body.PNG" : "Tex/body.png");
    assert_found(source, "TEX/BODY.png", "Tex/Body.PNG"); /* of two matches, the first in byte order */
    assert_found(source, "Tex//.\\Body.PNG", "Tex/Body.PNG");
    assert_found(source, "./tex\\..\\TEX\\eye.BMP", "Tex/EYE.bmp");
    assert_found(source, "none/../model.pmx", "model.pmx");
    assert_found(source, "tex2/" GA_NFC ".png", "tex2/" GA_NFD ".png");
    assert_found(source, "Tex2\\" GA_NFC ".PNG", "tex2/" GA_NFD ".png");
    assert_found(source, GA_NFD "/" GA_NFD "a.png", GA_NFC "/" GA_NFC "A.png");
    assert_found(source, "two/" GA_NFC ".png", "two/" GA_NFC ".png");
    assert_found(source, "two/" GA_NFD ".png", "two/" GA_NFD ".png");
    assert_found(source, "tex2/SUB/deep.tga", "tex2/sub/deep.tga");
    assert_found(source, "ｆ.png", "Ｆ.png");
    assert_found(source, "dir.png/x", "dir.png/x");
    assert_found(source, "dir.png", NULL); /* a folder */
    assert_found(source, "model.pmx/x", NULL);
    assert_found(source, "tex2/", NULL);
    assert_found(source, "tex2/.", NULL);
    assert_found(source, "tex3/a.png", NULL);
    assert_found(source, "", NULL);
    assert_found(source, ".", NULL);
    assert_found(source, "\xFF.png", NULL);
}

static void check_staying_inside(mmd_source *source)
{
    assert_found(source, "../model.pmx", NULL);
    assert_found(source, "b/../../model.pmx", NULL);
    assert_found(source, "..\\..\\..\\etc\\passwd", NULL);
    assert_found(source, "/etc/passwd", NULL);
    assert_found(source, "\\model.pmx", NULL);
    assert_found(source, "C:\\model.pmx", NULL);
    mmd_bytes bytes = {0};
    mmd_error error = {0};
    assert_int_equal(mmd_source_read(source, "../outside", &bytes, &error), MMD_ERROR_NOT_FOUND);
    assert_string_equal(error.file, "../outside");
    assert_null(bytes.data);
}

static void check_finding_from_a_folder(mmd_source *source)
{
    char path[MMD_PATH_MAX];
    assert_true(mmd_source_find_from(source, "tex2", "sub\\DEEP.tga", path));
    assert_string_equal(path, "tex2/sub/deep.tga");
    assert_true(mmd_source_find_from(source, "tex2/sub", "..\\..\\model.pmx", path));
    assert_string_equal(path, "model.pmx");
    assert_true(mmd_source_find_from(source, "", "model.pmx", path));
    assert_true(mmd_source_find_from(source, ".", "model.pmx", path));
    assert_false(mmd_source_find_from(source, "tex2", "model.pmx", path));
    assert_false(mmd_source_find_from(source, "tex2", "../../model.pmx", path));
    assert_false(mmd_source_find_from(source, "dir.png", "", path));
}

static void check_long_names(mmd_source *source)
{
    char name[3 * MMD_PATH_MAX];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_found(source, name, NULL);
    for (size_t i = 0; i < 2 * MMD_PATH_MAX; i += 2)
        memcpy(name + i, "./", 2);
    strcpy(name + 2 * MMD_PATH_MAX, "model.pmx");
    assert_found(source, name, "model.pmx");
}

static void memory_source_finds_what_a_model_means(void **state)
{
    (void)state;
    mmd_memory_file files[TREE_COUNT];
    for (size_t i = 0; i < TREE_COUNT; i++)
        files[i] = (mmd_memory_file){tree[i], tree[i], strlen(tree[i])};
    mmd_source *source = mmd_source_memory(files, TREE_COUNT);
    assert_non_null(source);
    check_finding(source, false);
    check_finding_from_a_folder(source);
    check_staying_inside(source);
    check_long_names(source);
    mmd_bytes bytes;
    assert_int_equal(mmd_source_read(source, "Tex/EYE.bmp", &bytes, NULL), MMD_OK);
    assert_int_equal(bytes.size, strlen("Tex/EYE.bmp"));
    assert_memory_equal(bytes.data, "Tex/EYE.bmp", bytes.size);
    mmd_bytes_finish(&bytes);
    mmd_source_destroy(source);
    mmd_source_destroy(NULL);
}

static mmd_source *make_tree(const fixture *f)
{
    put_folder(f, "root");
    put_file(f, "outside", "secret");
    for (size_t i = 0; i < TREE_COUNT; i++) {
        char name[256], path[PATH];
        snprintf(name, sizeof name, "root/%s", tree[i]);
        for (char *slash = strchr(name + 5, '/'); slash; slash = strchr(slash + 1, '/')) {
            *slash = '\0';
            platform_make_folder(in(f, name, path), 0777);
            *slash = '/';
        }
        put_file(f, name, tree[i]);
    }
    char path[PATH];
    return mmd_source_folder(in(f, "root", path));
}

static void folder_source_finds_what_a_model_means(void **state)
{
    char path[PATH];
    mmd_source *source = make_tree(*state);
    assert_non_null(source);
    check_finding(source, platform_exists(in(*state, "root/TEX", path)));
    check_finding_from_a_folder(source);
    check_staying_inside(source);
    check_long_names(source);
    mmd_source_destroy(source);
}

static void folder_source_follows_links_only_inside(void **state)
{
    mmd_source *source = make_tree(*state);
    char path[PATH];
    mmd_bytes bytes = {0};
    if (test_link("Tex", in(*state, "root/link", path))) {
        assert_true(test_link("../outside", in(*state, "root/escape", path)));
        assert_true(test_link("..", in(*state, "root/up", path)));
        assert_found(source, "LINK/eye.bmp", "link/EYE.bmp");
    } else {
        test_skip_part("no symbolic links");
    }
    assert_found(source, "up/outside", NULL);
    assert_int_equal(mmd_source_read(source, "escape", &bytes, NULL), MMD_ERROR_NOT_FOUND);
    assert_int_equal(mmd_source_read(source, "up/outside", &bytes, NULL), MMD_ERROR_NOT_FOUND);
    /* A folder beside the root whose name begins with the root's is outside too. */
    put_folder(*state, "rooted");
    put_file(*state, "rooted/x", "x");
    assert_int_equal(mmd_source_read(source, "../rooted/x", &bytes, NULL), MMD_ERROR_NOT_FOUND);
    assert_int_equal(mmd_source_read(source, "Tex", &bytes, NULL), MMD_ERROR_IO);
    mmd_source_destroy(source);
}

typedef struct listing {
    size_t files, folders, most;
} listing;

static bool count_entry(void *user, const char *entry, bool is_folder)
{
    listing *list = user;
    assert_null(strchr(entry, '/'));
    *(is_folder ? &list->folders : &list->files) += 1;
    return list->files + list->folders < list->most;
}

static void check_listing(mmd_source *source)
{
    listing list = {.most = SIZE_MAX};
    assert_true(mmd_source_list(source, "", count_entry, &list));
    assert_int_equal(list.files, 2);
    assert_int_equal(list.folders, 6); /* each once */
    list = (listing){.most = SIZE_MAX};
    assert_true(mmd_source_list(source, "tex2", count_entry, &list));
    assert_int_equal(list.files, 1);
    assert_int_equal(list.folders, 1);
    list = (listing){.most = 3};
    assert_true(mmd_source_list(source, "", count_entry, &list));
    assert_int_equal(list.files + list.folders, 3);
    assert_false(mmd_source_list(source, "none", count_entry, &list));
    assert_false(mmd_source_list(source, "model.pmx", count_entry, &list));
    assert_false(mmd_source_list(source, "..", count_entry, &list));
}

static void sources_list_each_entry_once(void **state)
{
    mmd_memory_file files[TREE_COUNT];
    for (size_t i = 0; i < TREE_COUNT; i++)
        files[i] = (mmd_memory_file){tree[i], NULL, 0};
    mmd_source *memory = mmd_source_memory(files, TREE_COUNT);
    mmd_source *folder = make_tree(*state);
    check_listing(memory);
    check_listing(folder);
    mmd_source_destroy(memory);
    mmd_source_destroy(folder);
}

static mmd_status read_some_then_fail(void *self, const char *name, mmd_bytes *bytes, mmd_error *error)
{
    (void)self;
    (void)name;
    *bytes = (mmd_bytes){mmd_alloc(10), 10};
    return mmd_error_set(error, MMD_ERROR_IO, "", MMD_NO_OFFSET, "the archive is damaged");
}

static bool list_nothing(void *self, const char *folder,
                         bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    (void)self;
    (void)folder;
    (void)visit;
    (void)user;
    return true;
}

static void count_destroy(void *self)
{
    *(int *)self += 1;
}

static void own_sources_are_cleaned_up_after(void **state)
{
    (void)state;
    static const mmd_source_ops ops = {read_some_then_fail, list_nothing, count_destroy};
    uint64_t blocks = mmd_heap_blocks_in_use();
    int destroyed = 0;
    mmd_bytes bytes;
    mmd_error error;
    mmd_source *source = mmd_source_create(&ops, &destroyed);
    assert_int_equal(mmd_source_read(source, "a.png", &bytes, &error), MMD_ERROR_IO);
    assert_null(bytes.data);
    assert_string_equal(error.file, "a.png");
    assert_found(source, "a.png", NULL);
    mmd_source_destroy(source);
    assert_int_equal(destroyed, 1);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* --- Looking up --- */

typedef struct counted {
    int lists;
    const char *names[2]; /* files of the root */
} counted;

static bool list_counted(void *self, const char *folder,
                         bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    counted *c = self;
    c->lists++;
    for (int i = 0; i < 2 && !folder[0] && c->names[i]; i++)
        visit(user, c->names[i], false);
    return !folder[0];
}

static void a_folder_is_listed_once(void **state)
{
    static const mmd_source_ops ops = {read_some_then_fail, list_counted, NULL};
    counted c = {.names = {"a.png", NULL}};
    char name[32], path[MMD_PATH_MAX];
    (void)state;
    uint64_t blocks = mmd_heap_blocks_in_use();
    mmd_source *source = mmd_source_create(&ops, &c);
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%d.png", i);
        assert_false(mmd_source_find(source, name, path));
        assert_true(mmd_source_find(source, "A.PNG", path));
    }
    assert_int_equal(c.lists, 1);
    c.names[1] = "7.png";
    assert_false(mmd_source_find(source, "7.png", path));
    mmd_source_forget(source);
    assert_true(mmd_source_find(source, "7.png", path));
    assert_int_equal(c.lists, 2);
    mmd_source_destroy(source);
    assert_int_equal(mmd_heap_blocks_in_use(), blocks);
}

/* Every folder has many files and the folders a and b, as links that lead back up make it. */
static bool list_endlessly(void *self, const char *folder,
                           bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    char name[32];
    bool more = visit(user, "a", true) && visit(user, "b", true);
    (void)folder;
    *(int *)self += 1;
    for (int i = 0; i < 20000 && more; i++) {
        snprintf(name, sizeof name, "%d.png", i);
        more = visit(user, name, false);
    }
    return true;
}

static void folders_without_end_are_left(void **state)
{
    static const mmd_source_ops ops = {read_some_then_fail, list_endlessly, NULL};
    char name[64] = "", path[MMD_PATH_MAX];
    int lists = 0;
    (void)state;
    mmd_source *source = mmd_source_create(&ops, &lists);
    for (int way = 0; way < 1000; way++) {
        for (int i = 0; i < 20; i++)
            memcpy(name + 2 * i, way >> i & 1 ? "a/" : "b/", 3);
        strcpy(name + 40, "none.png");
        mmd_status status = mmd_source_look_up(source, "", name, path, NULL);
        assert_int_equal(status, way == 0 ? MMD_ERROR_NOT_FOUND : MMD_ERROR_LIMIT);
    }
    assert_in_range(lists, 21, 30);
    assert_true(mmd_source_find(source, "b/7.png", path)); /* what was listed is found */
    mmd_source_forget(source);
    assert_int_equal(mmd_source_look_up(source, "", "a/a/none.png", path, NULL), MMD_ERROR_NOT_FOUND);
    mmd_source_destroy(source);
}

/* The root has more entries than are listed; the folder m has a picture and a folder. */
static bool list_crowded(void *self, const char *folder,
                         bool (*visit)(void *user, const char *entry, bool is_folder), void *user)
{
    char name[32];
    *(int *)self += !folder[0];
    if (strcmp(folder, "m") == 0)
        return visit(user, "a.png", false) && visit(user, "in", true);
    if (strcmp(folder, "m/in") == 0)
        return visit(user, "b.png", false);
    for (int i = 0, more = !folder[0]; i < 600000 && more; i++) {
        snprintf(name, sizeof name, "%d", i);
        more = visit(user, name, true);
    }
    return !folder[0];
}

static void the_own_folder_is_found_without_the_root(void **state)
{
    static const mmd_source_ops ops = {read_some_then_fail, list_crowded, NULL};
    char path[MMD_PATH_MAX];
    int lists = 0;
    (void)state;
    mmd_source *source = mmd_source_create(&ops, &lists);
    mmd_source_set_own(source, "m");
    assert_int_equal(mmd_source_look_up(source, "m", "A.png", path, NULL), MMD_OK);
    assert_string_equal(path, "m/a.png");
    assert_int_equal(mmd_source_look_up(source, "m", "none.png", path, NULL), MMD_ERROR_NOT_FOUND);
    assert_int_equal(lists, 0);
    for (int i = 0; i < 3; i++) /* the second time it is not tried */
        assert_int_equal(mmd_source_look_up(source, "m", "../x/y.png", path, NULL), MMD_ERROR_LIMIT);
    assert_int_equal(lists, 1);
    assert_int_equal(mmd_source_look_up(source, "m", "in\\B.PNG", path, NULL), MMD_OK);
    assert_string_equal(path, "m/in/b.png");
    assert_int_equal(mmd_source_look_up(source, "m", "../m/in/b.png", path, NULL), MMD_OK);
    mmd_source_forget(source);
    assert_int_equal(mmd_source_look_up(source, "m", "a.png", path, NULL), MMD_OK);
    mmd_source_destroy(source);
}

static void assert_look_up(mmd_source *source, const char *name, mmd_status wanted, const char *why)
{
    char path[MMD_PATH_MAX] = "untouched";
    mmd_error error = {0};
    mmd_status status = mmd_source_look_up(source, "", name, path, &error);
    if (status != wanted || strcmp(error.message, why) != 0)
        fail_msg("%s: %s", name, error.message);
    assert_string_equal(error.file, "");
    if (wanted != MMD_OK)
        assert_string_equal(path, "untouched");
}

/* Refuses names with "secret" and the file c. */
static mmd_status permit_some(void *self, const char *folder, const char *name, const char *path,
                              mmd_error *error)
{
    (void)self;
    (void)folder;
    if (path ? strcmp(path, "b/c") == 0 : strstr(name, "secret") != NULL)
        return mmd_error_set(error, MMD_ERROR_REFUSED, "", MMD_NO_OFFSET, path ? "file" : "name");
    return MMD_OK;
}

static void a_source_says_why_a_name_leads_nowhere(void **state)
{
    mmd_memory_file files[TREE_COUNT];
    (void)state;
    for (size_t i = 0; i < TREE_COUNT; i++)
        files[i] = (mmd_memory_file){tree[i], NULL, 0};
    mmd_source *source = mmd_source_memory(files, TREE_COUNT);
    assert_look_up(source, "model.pmx", MMD_OK, "");
    assert_look_up(source, "B\\C", MMD_OK, "");
    assert_look_up(source, "secret", MMD_ERROR_NOT_FOUND, "there is no such file");
    assert_look_up(source, "b", MMD_ERROR_NOT_FOUND, "there is no such file");
    assert_look_up(source, "../model.pmx", MMD_ERROR_REFUSED, "it leads out of the folder");
    assert_look_up(source, "/model.pmx", MMD_ERROR_REFUSED, "it is an absolute path");
    mmd_source_set_permit(source, permit_some);
    assert_look_up(source, "model.pmx", MMD_OK, "");
    assert_look_up(source, "B\\C", MMD_ERROR_REFUSED, "file");
    assert_look_up(source, "secret", MMD_ERROR_REFUSED, "name");
    assert_look_up(source, "../model.pmx", MMD_ERROR_REFUSED, "it leads out of the folder");
    mmd_source_destroy(source);
}

static void assert_folder(const char *path, const char *folder, const char *name)
{
    char text[64];
    mmd_path_folder(path, text, sizeof text);
    assert_string_equal(text, folder);
    assert_string_equal(mmd_path_name(path), name);
}

static void path_splits_into_folder_and_name(void **state)
{
    (void)state;
    assert_folder("a/b.pmx", "a", "b.pmx");
    assert_folder("b.pmx", ".", "b.pmx");
    assert_folder("/b.pmx", "/", "b.pmx");
    assert_folder("/a/b/c", "/a/b", "c");
    assert_folder("a//b", "a", "b");
    assert_folder("a/", "a", "");
    assert_folder("", ".", "");
    char text[4];
    mmd_path_folder("folder/x", text, sizeof text);
    assert_string_equal(text, "fol");
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_fixture, remove_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(file_reads_what_was_written),
        WITH_FOLDER(file_read_tells_missing_from_unreadable),
        WITH_FOLDER(file_read_refuses_two_gigabytes),
        WITH_FOLDER(only_files_are_read),
        WITH_FOLDER(the_head_of_a_file_is_read),
        WITH_FOLDER(failed_write_leaves_nothing_behind),
        WITH_FOLDER(write_replaces_a_link_to_nothing),
        cmocka_unit_test(memory_source_finds_what_a_model_means),
        WITH_FOLDER(folder_source_finds_what_a_model_means),
        WITH_FOLDER(folder_source_follows_links_only_inside),
        WITH_FOLDER(sources_list_each_entry_once),
        cmocka_unit_test(own_sources_are_cleaned_up_after),
        cmocka_unit_test(a_folder_is_listed_once),
        cmocka_unit_test(folders_without_end_are_left),
        cmocka_unit_test(the_own_folder_is_found_without_the_root),
        cmocka_unit_test(a_source_says_why_a_name_leads_nowhere),
        cmocka_unit_test(path_splits_into_folder_and_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
